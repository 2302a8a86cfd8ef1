#pragma once
// The assembler: text of an NV compute program or microcode text in, program out; and back to text.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maskwork/asm/diagnostics.hpp"
#include "maskwork/asm/frontend.hpp"
#include "maskwork/object.hpp"

namespace maskwork {

struct AssembleOptions {
  LanguageLimits limits = default_limits();
  /// Limits of the front end, with what the machine's constant files hold.
  static LanguageLimits default_limits();
};

/// Where a component of a TEMP lies.
struct RegisterUse {
  std::string name;        ///< of the variable, or of an array's element if elements lie apart: A[2]
  uint8_t component = 0;   ///< 0..3 = x..w
  bool high = false;       ///< upper half of a LONG component
  bool used = false;       ///< some word names the register
  uint32_t reg = 0, size = 1;
};

/// Assembles an NV compute program ("!!NVcp5.0"). Empty if anything is an error; the diagnostics then say what.
/// `uses`, if given, takes the register allocation.
std::optional<Program> assemble(std::string_view source, const std::string& file, const AssembleOptions& options, Diagnostics& diagnostics,
                                std::vector<RegisterUse>* uses = nullptr);

/// Source, microcode, registers, flow mode and semaphores of an assembled program side by side, as text for a reader.
std::string listing(std::string_view source, const Program& program, const std::vector<RegisterUse>& uses);

/// Assembles microcode text (.mwu), the format that disassemble() prints.
std::optional<Program> assemble_microcode(std::string_view source, const std::string& file, Diagnostics& diagnostics);

/// Microcode text of a program. assemble_microcode() makes the same program of it, whatever its words are.
std::string disassemble(const Program& program);

/// One word as text; `full`: flow mode (it decides which words are bad). Jump targets are numbers.
std::string disassemble_word(const isa::Word& word, bool full);

}  // namespace maskwork
