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

/// The subroutine uniforms that the program declares, and what each of them may hold.
void Lowering::list_subroutines() {
  std::map<uint32_t, uint32_t> types;
  for (const ast::Variable& v : p_.variables)
    if (v.kind == ast::VariableKind::subroutine)
      for (uint32_t i = 0; i < v.size; ++i) types.emplace(v.subroutine.first + i, v.subroutine.type);
  for (const auto& [index, type] : types) {
    SubroutineUniform uniform;
    uniform.index = static_cast<uint16_t>(index);
    for (uint32_t label : p_.subroutine_types[type].labels) uniform.numbers.push_back(static_cast<uint16_t>(p_.labels[label].number));
    ir_.object.subroutines.push_back(std::move(uniform));
  }
}

/// The number of the subroutine that CALI calls; one that no subroutine has for an index outside the array, and where the condition fails.
Src Lowering::subroutine_value(const ast::Instruction& in) {
  constexpr uint32_t nobody = 0xffffffffu;
  const ast::Operand& op = in.operands[0];
  const ast::Variable& v = p_.variables[op.variable];
  const auto element = [&](uint32_t number) {
    ConstantSource source;
    source.kind = ConstantSource::Kind::Subroutine;
    source.index = static_cast<uint16_t>(v.subroutine.first + number);
    return constant_number(source);
  };
  const auto move = [&](VReg to, Src from) {
    IrWord w;
    w.op = isa::Op::MOV;
    w.type = isa::Type::U32;
    w.src[0] = from;
    w.dst = to;
    return w;
  };
  Src value;
  if (op.index.relative) {
    Src index = index_source(op.index);
    if (index.kind != Src::Kind::Reg) index = reg(move_to_temporary(index));
    const VReg chosen = new_vreg();
    push(move(chosen, literal(nobody)));
    for (uint32_t i = 0; i < v.size; ++i) {
      compare_index(index, i - op.index.offset);
      IrWord w = move(chosen, element(i));
      w.pred_test = static_cast<uint8_t>(isa::Test::NE);
      w.pred_cc = 2;
      w.pred_mask = 1;
      push(std::move(w));
    }
    value = reg(chosen);
  } else {
    value = element(op.index.offset);
  }
  if (always(in.condition)) return value;
  const VReg wanted = new_vreg();
  push(move(wanted, literal(nobody)));
  unsigned components = 0;
  for (uint8_t c : in.condition.swizzle) components |= 1u << c;
  for (unsigned c = 0; c < 4; ++c) {
    if (!((components >> c) & 1)) continue;
    IrWord w = move(wanted, value);
    w.pred_test = static_cast<uint8_t>(test_of(in.condition.rule));
    w.pred_cc = in.condition.reg;
    w.pred_mask = static_cast<uint8_t>(1u << c);
    push(std::move(w));
  }
  return reg(wanted);
}

/// CALI: each subroutine of the type in turn is called by the threads whose number it has.
void Lowering::call_indirect(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  if (never(in.condition)) return;
  full_ = true;
  const Src value = subroutine_value(in);
  for (uint32_t label : p_.subroutine_types[p_.variables[in.operands[0].variable].subroutine.type].labels) {
    compare_index(value, p_.labels[label].number);
    IrWord w = flow_word(isa::Op::JUMP);
    w.jump_any = true;
    w.jump_func = kIfTrue;
    w.pred_test = static_cast<uint8_t>(isa::Test::NE);
    w.pred_cc = 2;
    w.pred_mask = 1;
    w.a_op = code(isa::Aop::PUSHR);
    w.target = ir_.routine_entry[routine_of_label_[label]];
    w.flow = Flow::CallIf;
    push(std::move(w));
  }
}

}  // namespace maskwork::back
