// Operands of 64-bit instructions: pairs of sources, extended, with their signs.
#include <tuple>

#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

/// Two's complement absolute value and negation of a pair.
void Lowering::apply_sign(Src& low, Src& high, bool absolute, bool negative) {
  if (low.kind == Src::Kind::Literal && high.kind == Src::Kind::Literal) {
    uint64_t v = uint64_t{high.value} << 32 | low.value;
    if (absolute && (v >> 63)) v = 0 - v;
    if (negative) v = 0 - v;
    low = literal(static_cast<uint32_t>(v));
    high = literal(static_cast<uint32_t>(v >> 32));
    return;
  }
  const auto word = [&](isa::Op op, isa::Type type, std::array<Src, 3> src) {
    IrWord w;
    w.op = op;
    w.type = type;
    w.src = src;
    w.dst = new_vreg();
    return w;
  };
  const auto negated = [&](const Src& l, const Src& h) {
    IrWord lw = word(isa::Op::ADD, isa::Type::U32, {literal(0), l}), hw = word(isa::Op::ADD, isa::Type::U32, {literal(0), h});
    lw.src[1].neg = hw.src[1].neg = true;
    lw.cc_dst = 2;
    lw.cc_comp = hw.chain_comp = 3;
    hw.chain_carry = true;
    const std::pair result(reg(lw.dst), reg(hw.dst));
    emit(std::move(lw));
    emit(std::move(hw));
    return result;
  };
  if (absolute) {
    const auto [l, h] = negated(low, high);
    IrWord lw = word(isa::Op::CMP, isa::Type::S32, {high, l, low}), hw = word(isa::Op::CMP, isa::Type::S32, {high, h, high});
    low = reg(lw.dst);
    high = reg(hw.dst);
    emit(std::move(lw));
    emit(std::move(hw));
  }
  if (negative) std::tie(low, high) = negated(low, high);
}

Lowering::Values Lowering::wide_values(const ast::Instruction& in, unsigned number, unsigned needed, bool direct) {
  const ast::Operand& op = in.operands[number];
  Values v;
  v.applied = true;
  v.low = prepare(op, needed, direct);
  const bool is_signed = op.type == ast::BaseType::s;
  if (op.fit == ast::Fit::extend) {
    for (unsigned c = 0; c < 4; ++c) {
      if (!((needed >> c) & 1)) continue;
      if (!is_signed || v.low[c].kind == Src::Kind::Literal) {
        v.high[c] = literal(is_signed && (v.low[c].value >> 31) ? 0xffffffffu : 0);
        continue;
      }
      IrWord shift;
      shift.op = isa::Op::SHR;
      shift.type = isa::Type::S32;
      shift.src = {v.low[c], literal(31)};
      shift.dst = new_vreg();
      v.high[c] = reg(shift.dst);
      emit(std::move(shift));
    }
  } else {
    v.high = prepare(op, needed, direct, true);
  }
  const auto signs = [](const ast::Operand& o) {
    const bool bars = o.absolute && o.type != ast::BaseType::u;
    return std::pair(bars, bars ? o.negate_outer : o.negate_inner != o.negate_outer);
  };
  auto [absolute, negative] = signs(op);
  if (op.type == ast::BaseType::f) {
    // The sign of a 64-bit float is in its upper half.
    for (Src& s : v.high) {
      s.abs = absolute;
      s.neg = negative;
    }
    return v;
  }
  // The sign of an addend stays: it makes the addition a subtraction. Of two, the first is applied, with a condition code both, whose flags are
  // then those of adding the negated values.
  bool keep = false, apply = negative;
  const bool sum = in.opcode == Opcode::ADD || in.opcode == Opcode::SUB;
  if (sum) {
    const bool other = signs(in.operands[1 - number]).second;
    const bool minus = in.opcode == Opcode::SUB;
    const bool both = number == 0 ? negative && other != minus : other && negative != minus;
    if (!both) {
      keep = negative;
      apply = false;
    } else if (number == 0) {
      apply = true;
    } else if (in.modifiers.cc != ast::CcUpdate::none) {
      apply = true;                // the value after all signs, SUB's too,
      if (minus) negative = true;
      keep = minus;                // which SUB's own then undoes
    } else {
      keep = negative;
      apply = false;
    }
  } else if (in.opcode == Opcode::MAD && number == 2) {
    keep = negative;
    apply = false;
  }
  for (unsigned c = 0; c < 4; ++c) {
    if (!((needed >> c) & 1)) continue;
    if (absolute || apply) apply_sign(v.low[c], v.high[c], absolute, apply && negative);
    v.low[c].neg = v.high[c].neg = keep;
  }
  // A shift count: everything beyond 32 bits is as good as the largest number. A count extended from 32 bits says all in its lower half.
  if ((in.opcode == Opcode::SHL || in.opcode == Opcode::SHR) && number == 1 && (op.fit != ast::Fit::extend || absolute || negative))
    for (unsigned c = 0; c < 4; ++c) {
      if (!((needed >> c) & 1)) continue;
      if (v.high[c].kind == Src::Kind::Literal && v.low[c].kind == Src::Kind::Literal) {
        if (v.high[c].value != 0) v.low[c] = literal(0xffffffffu);
        continue;
      }
      IrWord any, both;
      any.op = isa::Op::SNE;
      both.op = isa::Op::OR;
      any.type = both.type = isa::Type::U32;
      any.src = {v.high[c], literal(0)};
      any.dst = new_vreg();
      both.src = {v.low[c], reg(any.dst)};
      both.dst = new_vreg();
      v.low[c] = reg(both.dst);
      emit(std::move(any));
      emit(std::move(both));
    }
  return v;
}

}  // namespace maskwork::back
