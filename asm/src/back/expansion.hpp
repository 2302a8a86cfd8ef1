#pragma once
// The expansion table of asm/expansions.md, read once.
#include <string_view>
#include <vector>

#include "maskwork/isa.hpp"

namespace maskwork::back {

struct StepSource {
  enum class Kind : uint8_t { None, Operand, Temporary, Literal };
  Kind kind = Kind::None;
  uint8_t index = 0;       ///< operand 0..2 or temporary 0..1
  int8_t component = -1;   ///< operand: component that the swizzle puts into x..w; -1 = the written one
  bool neg = false, abs = false;
  uint32_t bits = 0;
};

/// One word of an expansion. Types and rounding may come from the instruction.
struct Step {
  enum class From : uint8_t { Fixed, InstructionType, SourceType };
  isa::Op op = isa::Op::MOV;
  From type_from = From::InstructionType;
  isa::Type type = isa::Type::F32;
  bool has_cvt_src = false;
  From cvt_from = From::Fixed;
  isa::Type cvt_src = isa::Type::F32;
  bool round_from_instruction = false;
  isa::Round round = isa::Round::ROUND;
  bool saturate = false;
  bool to_result = false;   ///< writes d, else temporary
  uint8_t temporary = 0;
  StepSource source[3];
};

struct Expansion {
  std::vector<Step> once;
  std::vector<Step> each;
};

/// The row for `name` and the base type 'F', 'S' or 'U'; null if there is none.
const Expansion* find_expansion(std::string_view name, char type);

}  // namespace maskwork::back
