// Lowering of IF, ELSE and ENDIF.
#include <algorithm>

#include "flow_fields.hpp"
#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

void Lowering::if_(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  Block b;
  b.first = index;
  const uint32_t partner = in.partner;
  if (p_.instructions[partner].opcode == Opcode::ELSE) {
    b.else_at = partner;
    b.close = p_.instructions[partner].partner;
  } else {
    b.close = partner;
  }
  // ENDIFs that follow each other are one word; the outermost IF of such a run makes the labels.
  uint32_t last = b.close;
  while (last + 1 < p_.instructions.size() && p_.instructions[last + 1].opcode == Opcode::ENDIF) ++last;
  b.enclosing_closed = last - b.close;
  if (b.enclosing_closed != 0) {
    // The next ENDIF belongs to the innermost open block.
    b.end_label = blocks_.back().end_label;
    b.close_label = blocks_.back().close_label;
  } else {
    b.end_label = new_label();
    b.close_label = new_label();
  }
  if (b.else_at != ast::kNone) {
    b.else_label = new_label();
    b.else_word = new_label();
  }
  if (fused_ != index) push(if_word(b, in));
  fused_ = ast::kNone;
  blocks_.push_back(b);
  max_if_ = std::max(max_if_, if_depth());
}

/// The word of an IF: threads that fail go to ELSE, or past the ENDIF, which closes the enclosing IFs that end there too.
IrWord Lowering::if_word(const Block& b, const ast::Instruction& in) {
  IrWord w = flow_word(isa::Op::JUMP);
  w.b_op0 = code(isa::Bop::INCR);
  if (b.else_at != ast::kNone) {
    w.b_op1 = code(isa::Bop::INCR);
    w.target = b.else_label;
  } else {
    w.target = b.end_label;
    if (b.enclosing_closed != 0) {
      w.b_op1 = code(isa::Bop::DECR);
      w.b_pop = static_cast<uint8_t>(b.enclosing_closed);
    }
  }
  set_condition(w, in.condition);
  w.jump_func = always(in.condition) ? kNever : never(in.condition) ? kAlways : kIfFalse;
  w.flow = always(in.condition) ? Flow::None : never(in.condition) ? Flow::Goto : Flow::Branch;
  return w;
}

void Lowering::else_(uint32_t index) {
  Block& b = blocks_.back();
  b.in_else = true;
  bind(b.else_word);
  const ast::Instruction& next = p_.instructions[index + 1];
  if (next.opcode == Opcode::IF && p_.instructions[next.partner].opcode == Opcode::ENDIF && next.partner + 1 == b.close && !always(next.condition) &&
      !never(next.condition)) {
    // ELSE and the IF behind it are one word: the threads that become active have not changed their condition codes since the outer IF. If no
    // thread took the outer IF, there is nobody to swap: that jump has an entry of its own behind the routine.
    Block inner;
    inner.enclosing_closed = b.enclosing_closed + 1;
    inner.end_label = b.end_label;
    IrWord w = if_word(inner, next);
    Stub stub;
    stub.entry = b.else_label;
    stub.inside = new_label();
    stub.word = w;
    stub.line = {next.opcode_where.line, next.opcode_where.column};
    stub.instruction = index + 2;
    w.b_else = true;
    w.flow = Flow::Goto;  // a thread that comes here by itself is through
    push(std::move(w));
    bind(stub.inside);
    stubs_.push_back(std::move(stub));
    fused_ = index + 1;
    return;
  }
  IrWord w = flow_word(isa::Op::JUMP);
  w.b_else = true;
  w.jump_func = kNever;
  w.b_op1 = code(isa::Bop::DECR);
  w.b_pop = static_cast<uint8_t>(b.enclosing_closed + 1);
  w.target = b.end_label;
  w.flow = Flow::Goto;
  push(std::move(w));
  bind(b.else_label);
}

void Lowering::endif_(uint32_t index) {
  const Block b = blocks_.back();
  blocks_.pop_back();
  if (!blocks_.empty()) blocks_.back().leaves = blocks_.back().leaves || b.leaves;
  if (b.enclosing_closed != 0) {
    blocks_.back().run = std::max(blocks_.back().run, b.run + 1);
    return;
  }
  bind(b.close_label);
  IrWord w = flow_word(isa::Op::JUMP);
  w.jump_any = true;
  w.jump_func = kNever;
  w.b_op0 = code(isa::Bop::DECR);
  w.b_pop = static_cast<uint8_t>(b.run);
  w.target = b.end_label;
  push(std::move(w));
  bind(b.end_label);
  if (b.leaves) skip_rest(index);
}

}  // namespace maskwork::back
