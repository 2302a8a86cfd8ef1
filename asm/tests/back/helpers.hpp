#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "maskwork/asm/assembler.hpp"

namespace maskwork::test {

/// Assembles `body` with a header around it; fails the test if that is refused.
inline Program assemble_text(const std::string& text) {
  Diagnostics diagnostics;
  const auto program = assemble(text, "t.nvcp", {}, diagnostics);
  EXPECT_TRUE(program.has_value()) << render(diagnostics, text) << text;
  if (!program) return {};
  for (const isa::Word& w : program->words) {
    const auto bad = isa::bad_word(w, program->full_flow);
    EXPECT_FALSE(static_cast<bool>(bad)) << bad.rule << " " << bad.why << ": " << disassemble_word(w, program->full_flow);
  }
  return *program;
}

inline std::string with_header(const std::string& body) {
  return "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSHARED_MEMORY 1024;\n"
         "SHARED sm[] = { program.sharedmem };\nSTORAGE buf[] = { program.storage[0] };\nSTORAGE part[] = { program.storage[1][64..127] };\n"
         "PARAM l = program.local[3];\nPARAM e = program.env[5];\nPARAM table[] = { program.local[0..2], { 1.0, 2.0, 3.0, 4.0 } };\n"
         "TEMP R0, R1, R2, R3, R4, R5, A[4], B[3], I;\n" +
         body + "\nEND\n";
}

inline Program assemble_body(const std::string& body) { return assemble_text(with_header(body)); }

inline isa::Op op_of(const isa::Word& w) { return static_cast<isa::Op>(isa::get(w, isa::field::op)); }

/// Names of the operations, with " ." for the last word of an instruction removed: "MUL MAD END".
inline std::string operations(const Program& p) {
  std::string out;
  for (const isa::Word& w : p.words) out += (out.empty() ? "" : " ") + std::string(isa::info(w).name);
  return out;
}

/// A word without any of the faults of the rules, reached by a random walk over fields.
isa::Word random_legal_word(std::mt19937_64& random, bool full);
/// A program whose every part is random but valid; some words are arbitrary bits.
Program random_object(std::mt19937_64& random);

}  // namespace maskwork::test
