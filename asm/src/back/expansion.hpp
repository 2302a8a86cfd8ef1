#pragma once
// The expansion table of asm/expansions.md, read once.
#include <array>
#include <string_view>
#include <vector>

#include "maskwork/isa.hpp"

namespace maskwork::back {

/// Numbers that an expansion takes from a constant operand: a shift count, or the control of BFE and BFI.
enum class Parameter : uint8_t { N, O, Mask, FieldMask, InverseField, Two32MinusN, TwoN, TwoO, ThirtyTwoMinusN, ThirtyTwoMinusNO, NMinus32 };

struct StepSource {
  enum class Kind : uint8_t { None, Operand, Temporary, Literal, Parameter };
  Kind kind = Kind::None;
  uint8_t index = 0;       ///< operand 0..2, temporary, or parameter
  int8_t component = -1;   ///< operand: component that the swizzle puts into x..w; -1 = the written one
  bool high = false;       ///< upper half of a 64-bit operand
  bool value = false;      ///< operand: with its sign and absolute value already applied
  bool neg = false, abs = false;
  uint32_t bits = 0;
};

/// One word of an expansion. Types and rounding may come from the instruction.
struct Step {
  enum class From : uint8_t { Fixed, InstructionType, SourceType };
  enum class To : uint8_t { Nothing, Temporary, Result, High };
  isa::Op op = isa::Op::MOV;
  From type_from = From::InstructionType;
  isa::Type type = isa::Type::F32;
  bool has_cvt_src = false;
  From cvt_from = From::Fixed;
  isa::Type cvt_src = isa::Type::F32;
  bool round_from_instruction = false;
  isa::Round round = isa::Round::ROUND;
  bool saturate = false;
  To to = To::Nothing;
  uint8_t temporary = 0;
  StepSource source[3];    ///< in the order of the text
  int8_t flags_to = -1;    ///< component of CC2 that takes the word's flags
  int8_t carry = -1;       ///< component of CC2 whose CF is the carry in
  isa::Test test = isa::Test::TR;  ///< predicate on CC2.test_component
  uint8_t test_component = 0;

  bool to_result() const { return to == To::Result || to == To::High; }
};

inline constexpr unsigned kTemporaries = 8;

struct Expansion {
  std::vector<Step> once;
  /// By written component; empty: the component is undefined and keeps its value.
  std::array<std::vector<Step>, 4> each;
};

/// The row for `name` and the base type 'F', 'S' or 'U' (of the table of 64-bit instructions: 'f', 's' or 'u'); null if there is none.
const Expansion* find_expansion(std::string_view name, char type);

}  // namespace maskwork::back
