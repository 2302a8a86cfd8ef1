// Lowering of REP and ENDREP.
#include <cmath>
#include <cstring>

#include "flow_fields.hpp"
#include "lower.hpp"

namespace maskwork::back {

/// Count of a REP whose operand is a literal.
std::optional<uint32_t> Lowering::constant_count(const ast::Instruction& in) const {
  const ast::Operand& op = in.operands[0];
  const auto value = literal_of(op, op.swizzle[0]);
  if (!value) return std::nullopt;
  uint32_t bits = static_cast<uint32_t>(*value);
  const Src s = with_modifiers(literal(bits), op);
  if (ast::base_of(in.modifiers.type) == ast::BaseType::f) {
    if (s.abs) bits &= 0x7fffffffu;
    if (s.neg) bits ^= 0x80000000u;
    float value;
    std::memcpy(&value, &bits, 4);
    if (!(value >= 1.0f)) return 0;
    return value >= 2147483648.0f ? 0x7fffffffu : static_cast<uint32_t>(std::floor(value));
  }
  if (s.abs && (bits >> 31)) bits = 0u - bits;
  if (s.neg) bits = 0u - bits;
  if (ast::base_of(in.modifiers.type) == ast::BaseType::s && (bits >> 31)) return 0;
  return bits;
}

/// The count as an unsigned number in a register that later writes do not change.
Src Lowering::counter_source(const ast::Instruction& in) {
  const ast::Operand& op = in.operands[0];
  const bool direct = prepare_index(in);
  const Src x = with_modifiers(prepare(op, 1u << op.swizzle[0], direct)[op.swizzle[0]], op);
  const ast::BaseType type = ast::base_of(in.modifiers.type);
  IrWord w;
  w.src[0] = x;
  w.dst = new_vreg();
  const VReg result = w.dst;
  if (type == ast::BaseType::u) {
    w.op = isa::Op::MOV;
    w.type = isa::Type::U32;
  } else if (type == ast::BaseType::s) {
    w.op = isa::Op::MAX;
    w.type = isa::Type::S32;
    w.src[1] = literal(0);
  } else {
    w.op = isa::Op::CVT;
    w.type = isa::Type::U32;
    w.cvt_src = static_cast<uint8_t>(isa::Type::F32);
    w.round = static_cast<uint8_t>(isa::Round::FLR);
    w.clamp = static_cast<uint8_t>(isa::Clamp::SAT);
    emit(std::move(w));
    IrWord limit;
    limit.op = isa::Op::MIN;
    limit.type = isa::Type::U32;
    limit.src[0] = reg(result);
    limit.src[1] = literal(0x7fffffffu);
    limit.dst = new_vreg();
    const VReg limited = limit.dst;
    emit(std::move(limit));
    return reg(limited);
  }
  emit(std::move(w));
  return reg(result);
}

void Lowering::rep(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  full_ = true;
  Block b;
  b.loop = true;
  b.first = index;
  b.close = in.partner;
  b.if_depth = if_depth();
  b.end_label = new_label();
  b.close_label = new_label();
  b.head_label = new_label();
  IrWord w = flow_word(isa::Op::REP);
  w.jump_func = kNever;
  w.target = b.end_label;
  const bool counted = in.operand_count != 0;
  const auto count = counted ? constant_count(in) : std::nullopt;
  if (count) {
    w.imm = *count;
    w.flow = *count == 0 ? Flow::Goto : Flow::None;
    push(std::move(w));
    bind(b.head_label);
    blocks_.push_back(b);
    return;
  }
  b.endless = true;
  w.endless = true;
  if (!counted) {
    push(std::move(w));
    bind(b.head_label);
    blocks_.push_back(b);
    return;
  }
  // A counter per thread; where the routine can be entered again, one per call depth.
  const Src start = counter_source(in);
  const bool per_depth = recursive_[routine_];
  const VReg counter = new_vreg(per_depth ? isa::limit::call_depth + 1 : 1);
  const auto to_counter = [&](IrWord& word) {
    word.dst = counter;
    word.dst_rel = per_depth;
    word.rel_sel = static_cast<uint8_t>(per_depth ? isa::Rel::DEPTH : isa::Rel::A0);
  };
  IrWord copy;
  copy.op = isa::Op::MOV;
  copy.type = isa::Type::U32;
  copy.src[0] = start;
  to_counter(copy);
  if (!per_depth && start.value == ir_.words.back().dst) {
    ir_.words.back().dst = counter;  // the word that made the count
  } else {
    push(std::move(copy));
  }
  push(std::move(w));
  bind(b.head_label);
  IrWord step;
  step.op = isa::Op::ADD;
  step.type = isa::Type::U32;
  step.src[0] = reg(counter);
  step.src[0].rel = per_depth;
  step.src[1] = literal(1);
  step.src[1].neg = true;
  to_counter(step);
  step.cc_dst = 2;
  push(std::move(step));
  IrWord leave = flow_word(isa::Op::BREAKREP);
  leave.pred_test = static_cast<uint8_t>(isa::Test::NCF);
  leave.pred_cc = 2;
  leave.pred_mask = 1;
  leave.jump_func = kIfTrue;
  leave.target = b.end_label;
  leave.flow = Flow::Branch;
  push(std::move(leave));
  blocks_.push_back(b);
}

void Lowering::endrep(uint32_t index) {
  const Block b = blocks_.back();
  blocks_.pop_back();
  bind(b.close_label);
  IrWord w = flow_word(isa::Op::ENDREP);
  w.jump_any = true;
  w.jump_func = kAlways;
  w.target = b.head_label;
  w.flow = b.endless ? Flow::Goto : Flow::Branch;
  push(std::move(w));
  bind(b.end_label);
  if (b.leaves && !blocks_.empty()) {
    blocks_.back().leaves = true;
    skip_rest(index);
  }
}

}  // namespace maskwork::back
