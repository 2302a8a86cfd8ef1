#pragma once
// The assembler: text of an NV compute program or microcode text in, program out; and back to text.
#include <optional>
#include <string>
#include <string_view>

#include "maskwork/asm/diagnostics.hpp"
#include "maskwork/asm/frontend.hpp"
#include "maskwork/object.hpp"

namespace maskwork {

struct AssembleOptions {
  LanguageLimits limits = default_limits();
  /// Limits of the front end, with what the machine's constant files hold.
  static LanguageLimits default_limits();
};

/// Assembles an NV compute program ("!!NVcp5.0"). Empty if anything is an error; the diagnostics then say what.
std::optional<Program> assemble(std::string_view source, const std::string& file, const AssembleOptions& options, Diagnostics& diagnostics);

/// Assembles microcode text (.mwu), the format that disassemble() prints.
std::optional<Program> assemble_microcode(std::string_view source, const std::string& file, Diagnostics& diagnostics);

/// Microcode text of a program. assemble_microcode() makes the same program of it, whatever its words are.
std::string disassemble(const Program& program);

/// One word as text; `full`: flow mode (it decides which words are bad). Jump targets are numbers.
std::string disassemble_word(const isa::Word& word, bool full);

}  // namespace maskwork
