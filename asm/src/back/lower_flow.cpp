// Lowering of what leaves a block: BRK, CONT, RET, CAL, and the skip over the rest of a block.
#include <algorithm>

#include "flow_fields.hpp"
#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

namespace {
constexpr uint32_t kLongRest = 4;  ///< instructions from which a skip over the rest of a block pays
}  // namespace

IrWord Lowering::flow_word(isa::Op op) {
  IrWord w;
  w.op = op;
  w.type = isa::Type::F32;
  return w;
}

uint32_t Lowering::if_depth() const {
  return static_cast<uint32_t>(std::count_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return !b.loop; }));
}

/// Nothing runs between an unconditional BRK, CONT or RET and the end of its block: the index of the instruction that ends it.
uint32_t Lowering::after_unconditional(uint32_t end) const {
  if (blocks_.empty()) return end;
  const Block& b = blocks_.back();
  return !b.loop && !b.in_else && b.else_at != ast::kNone ? b.else_at : b.close;
}

void Lowering::leave(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  if (never(in.condition)) return;
  const bool unconditional = always(in.condition);
  IrWord w;
  uint32_t pop = 0;
  if (in.opcode == Opcode::RET) {
    if (unconditional && blocks_.empty()) return;  // the end of the routine follows
    w = flow_word(isa::Op::RETL);
    pop = if_depth();
    w.target = return_label_;
    const bool exits = routine_ == 0 && !main_called_;
    w.flow = exits ? (unconditional ? Flow::Exit : Flow::ExitIf) : (unconditional ? Flow::Goto : Flow::Branch);
    for (Block& b : blocks_) b.leaves = true;
  } else {
    const auto loop = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& b) { return b.loop; });
    w = flow_word(in.opcode == Opcode::BRK ? isa::Op::BREAKREP : isa::Op::CONT);
    pop = if_depth() - loop->if_depth;
    w.target = in.opcode == Opcode::BRK ? loop->end_label : loop->close_label;
    w.flow = unconditional ? Flow::Goto : Flow::Branch;
    for (auto b = blocks_.rbegin(); b != loop; ++b) b->leaves = true;
  }
  set_condition(w, in.condition);
  w.jump_func = unconditional ? kAlways : kIfTrue;
  if (pop != 0) {
    w.b_op1 = code(isa::Bop::DECR);
    w.b_pop = static_cast<uint8_t>(pop);
  }
  push(std::move(w));
  if (unconditional) return;
  // The word itself jumps when nobody is left, except if others wait: for the end of an IF inside the loop, or for the next iteration.
  const auto loop = std::find_if(blocks_.rbegin(), blocks_.rend(), [](const Block& b) { return b.loop; });
  if (in.opcode == Opcode::RET || pop != 0 || (in.opcode == Opcode::BRK && loop->continues)) skip_rest(index);
  if (in.opcode == Opcode::CONT) loop->continues = true;
}

/// After a word that all threads of the block may have left: jump to the word that closes the block, if its rest is long.
void Lowering::skip_rest(uint32_t index) {
  if (blocks_.empty()) return;
  const Block& b = blocks_.back();
  const bool to_else = !b.loop && !b.in_else && b.else_at != ast::kNone;
  const uint32_t close = to_else ? b.else_at : b.close;
  if (close - index - 1 < kLongRest) return;
  // An ENDIF that also closes IFs further inside may only be reached with all of them open.
  if (!b.loop && !to_else && close > 0 && p_.instructions[close - 1].opcode == Opcode::ENDIF) return;
  IrWord w = flow_word(isa::Op::JUMP);
  w.jump_func = kNever;
  w.target = to_else ? b.else_word : b.close_label;
  push(std::move(w));
}

void Lowering::call(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  if (never(in.condition)) return;
  full_ = true;
  IrWord w = flow_word(isa::Op::JUMP);
  w.jump_any = true;
  w.jump_func = always(in.condition) ? kAlways : kIfTrue;
  set_condition(w, in.condition);
  w.a_op = code(isa::Aop::PUSHR);
  w.target = ir_.routine_entry[routine_of_label_[in.label]];
  w.flow = always(in.condition) ? Flow::Call : Flow::CallIf;
  push(std::move(w));
}

}  // namespace maskwork::back
