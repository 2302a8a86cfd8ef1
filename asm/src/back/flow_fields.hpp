#pragma once
// Values of the fields of flow words that the lowering of blocks, loops and calls shares.
#include <cstdint>

#include "maskwork/isa.hpp"

namespace maskwork::back {

inline constexpr uint8_t kNever = 0x00, kAlways = 0xff, kIfFalse = 0x33, kIfTrue = 0xcc;
constexpr uint8_t code(isa::Bop op) { return static_cast<uint8_t>(op); }
constexpr uint8_t code(isa::Aop op) { return static_cast<uint8_t>(op); }

}  // namespace maskwork::back
