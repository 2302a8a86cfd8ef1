// What one lane operation must give, computed from the host's IEEE arithmetic and wide integers only.
#pragma once

#include <cstdint>

#include "maskwork/isa.hpp"

namespace maskwork::lane_test {

using isa::Clamp;
using isa::Op;
using isa::Round;
using isa::Type;

struct Operation {
  Op op = Op::MOV;
  Type type = Type::F32;
  Type source = Type::F32;  // CVT
  Round round = Round::ROUND;
  Clamp clamp = Clamp::NONE;
  bool neg[3] = {};
  bool abs[3] = {};
  bool chain_carry = false;
  bool chain_zero = false;
};

struct Operands {
  uint32_t a = 0, b = 0, c = 0;
  bool cf = false, zf = false;
};

struct Result {
  uint32_t value = 0;
  bool cf = false, of = false, sf = false, zf = false;
  bool alu_bit = false;
  bool operator==(const Result&) const = default;
};

Result reference(const Operation& op, const Operands& in);

}  // namespace maskwork::lane_test
