#pragma once
// A Maskwork program in memory: what the assembler makes, what object files hold, what both engines load.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maskwork/isa.hpp"

namespace maskwork {

/// Where a 32-bit word of the constant file comes from.
struct ConstantSource {
  enum class Kind : uint8_t { Literal, Local, Env, Subroutine };
  Kind kind = Kind::Literal;
  uint32_t literal = 0;    ///< Literal: the word
  uint16_t index = 0;      ///< Local, Env: number of the program.local / program.env parameter; Subroutine: n of program.subroutine[n]
  uint8_t component = 0;   ///< Local, Env: 0..3 = x..w
  friend bool operator==(const ConstantSource&, const ConstantSource&) = default;
};

/// A buffer slot that memory words name: a byte range of a binding.
struct SlotSource {
  enum class Kind : uint8_t { Storage, ParamTable, Constant };
  Kind kind = Kind::Storage;
  uint32_t binding = 0;             ///< Storage: program.storage[n]; Constant: program.buffer[n]
  uint32_t offset = 0;              ///< bytes into the bound range
  uint32_t size = 0xffffffffu;      ///< bytes; 0xffffffff = to the end of the bound range
  friend bool operator==(const SlotSource&, const SlotSource&) = default;
};

/// One subroutine uniform, program.subroutine[index]: which SUBROUTINENUMs it may hold. The host chooses one before a dispatch (the first by default).
struct SubroutineUniform {
  uint16_t index = 0;
  std::vector<uint16_t> numbers;
  friend bool operator==(const SubroutineUniform&, const SubroutineUniform&) = default;
};

/// Source position of one microcode word.
struct LineEntry {
  uint32_t line = 0;    ///< 1-based, 0 = none (made by the assembler, no source line)
  uint32_t column = 0;  ///< 1-based
  friend bool operator==(const LineEntry&, const LineEntry&) = default;
};

struct Program {
  std::string source_name;                  ///< file name as the assembler was given it
  uint64_t source_check = 0;                ///< text_check() of the text that the line table means; 0 = unknown
  std::vector<isa::Word> words;
  std::vector<LineEntry> lines;             ///< one per word, or empty
  uint32_t entry = 0;                       ///< word address where waves start
  std::array<uint32_t, 3> group_size{1, 1, 1};
  uint32_t shared_bytes = 0;                ///< declared SHARED_MEMORY
  uint32_t registers = 0;                   ///< register window: registers per thread, 0..limit::registers
  bool full_flow = false;                   ///< flow mode: false partial, true full
  uint32_t bools = 0;                       ///< the 32 uniform booleans
  std::vector<ConstantSource> constants;    ///< constant file, at most limit::constants words
  /// Slots in the order of their numbers, at most limit::slots.
  std::vector<SlotSource> slots;
  /// The words of the one ParamTable buffer: PARAM arrays with a run-time index live there, in memory.
  std::vector<ConstantSource> param_table;
  std::vector<SubroutineUniform> subroutines;  ///< in the order of their indices
  friend bool operator==(const Program&, const Program&) = default;

  uint32_t threads() const { return group_size[0] * group_size[1] * group_size[2]; }
  uint32_t waves() const { return (threads() + isa::limit::wave_threads - 1) / isa::limit::wave_threads; }
};

/// Tells one source text from another, by the object file's checksum; never 0.
uint64_t text_check(std::string_view text);

}  // namespace maskwork
