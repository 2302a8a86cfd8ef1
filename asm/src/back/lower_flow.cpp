// Lowering of flow control: blocks, loops, calls, the choice of the flow mode.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

namespace {
constexpr uint8_t kNever = 0x00, kAlways = 0xff, kIfFalse = 0x33, kIfTrue = 0xcc;
constexpr uint8_t code(isa::Bop op) { return static_cast<uint8_t>(op); }
constexpr uint8_t code(isa::Aop op) { return static_cast<uint8_t>(op); }
constexpr uint32_t kLongRest = 4;  ///< instructions from which a skip over the rest of a block pays
}  // namespace

IrWord Lowering::flow_word(isa::Op op) {
  IrWord w;
  w.op = op;
  w.type = isa::Type::F32;
  return w;
}

/// Which routines run, and which of them can be entered again before they return.
void Lowering::find_routines() {
  const size_t count = p_.labels.size();
  std::vector<std::vector<uint32_t>> calls(count + 1);  // last: main
  const auto scan = [&](uint32_t first, uint32_t end, std::vector<uint32_t>& out) {
    for (uint32_t i = first; i < end; ++i)
      if (p_.instructions[i].opcode == Opcode::CAL && !never(p_.instructions[i].condition)) out.push_back(p_.instructions[i].label);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  };
  scan(p_.entry, p_.entry_end, calls[count]);
  const auto is_main = [&](uint32_t label) { return p_.labels[label].first == p_.entry && p_.labels[label].end == p_.entry_end; };
  routine_of_label_.assign(count, ast::kNone);
  std::vector<uint32_t> list{};
  std::vector<uint32_t> work(calls[count]);
  while (!work.empty()) {
    const uint32_t label = work.back();
    work.pop_back();
    if (routine_of_label_[label] != ast::kNone) continue;
    if (is_main(label)) {
      routine_of_label_[label] = 0;
      main_called_ = true;
      continue;
    }
    routine_of_label_[label] = 1;
    list.push_back(label);
    scan(p_.labels[label].first, p_.labels[label].end, calls[label]);
    work.insert(work.end(), calls[label].begin(), calls[label].end());
  }
  std::sort(list.begin(), list.end());
  routine_labels_ = list;
  for (uint32_t n = 0; n < list.size(); ++n) routine_of_label_[list[n]] = n + 1;
  // Strongly connected components of the call graph (Tarjan, iterative): a routine in a cycle can recurse.
  const uint32_t nodes = static_cast<uint32_t>(list.size()) + 1;
  std::vector<std::vector<uint32_t>> next(nodes);
  for (uint32_t n = 0; n < nodes; ++n)
    for (uint32_t label : n == 0 ? calls[count] : calls[list[n - 1]]) next[n].push_back(routine_of_label_[label]);
  recursive_.assign(nodes, false);
  std::vector<uint32_t> index(nodes, 0), low(nodes, 0), stack;
  std::vector<bool> on_stack(nodes, false);
  uint32_t counter = 0;
  struct Visit {
    uint32_t node;
    size_t edge;
  };
  std::vector<Visit> visits{{0, 0}};
  while (!visits.empty()) {
    auto& [node, edge] = visits.back();
    if (edge == 0 && index[node] == 0) {
      index[node] = low[node] = ++counter;
      stack.push_back(node);
      on_stack[node] = true;
    }
    if (edge < next[node].size()) {
      const uint32_t to = next[node][edge++];
      if (to == node) recursive_[node] = true;
      if (index[to] == 0) visits.push_back({to, 0});
      else if (on_stack[to]) low[node] = std::min(low[node], index[to]);
      continue;
    }
    const uint32_t done = node;
    visits.pop_back();
    if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[done]);
    if (low[done] != index[done]) continue;
    const bool cycle = stack.back() != done;
    for (;;) {
      const uint32_t member = stack.back();
      stack.pop_back();
      on_stack[member] = false;
      if (cycle) recursive_[member] = true;
      if (member == done) break;
    }
  }
}

std::optional<IrProgram> Lowering::run() {
  const size_t errors = diagnostics_.error_count();
  ir_.object.source_name = p_.file;
  ir_.object.group_size = p_.group_size;
  ir_.object.shared_bytes = p_.shared_bytes;
  find_routines();
  for (uint32_t n = 0; n <= routine_labels_.size(); ++n) ir_.routine_entry.push_back(new_label());
  routine(0, p_.entry, p_.entry_end);
  for (uint32_t n = 0; n < routine_labels_.size(); ++n) {
    const ast::Label& label = p_.labels[routine_labels_[n]];
    routine(n + 1, label.first, label.end);
  }
  ir_.object.full_flow = full_ || max_if_ > isa::limit::partial_levels;
  if (ir_.object.constants.size() > isa::limit::constants) {
    error("L99", {}, "the program reads " + std::to_string(ir_.object.constants.size()) + " components of program parameters; the constant file has " +
                         std::to_string(isa::limit::constants));
  }
  if (diagnostics_.error_count() != errors) return std::nullopt;
  return std::move(ir_);
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

void Lowering::routine(uint32_t number, uint32_t first, uint32_t end) {
  routine_ = number;
  return_label_ = new_label();
  blocks_.clear();
  bind(ir_.routine_entry[number]);
  bool by_return = false;
  for (uint32_t i = first; i < end;) {
    lower(i);
    const ast::Instruction& in = p_.instructions[i];
    const bool leaves = in.opcode == Opcode::BRK || in.opcode == Opcode::CONT || in.opcode == Opcode::RET;
    by_return = in.opcode == Opcode::RET && always(in.condition);
    i = leaves && always(in.condition) ? after_unconditional(end) : i + 1;
  }
  ++instruction_;
  if (!by_return) line_ = {};  // no instruction of the text
  const bool returns = number != 0 || main_called_;
  if (number == 0 && main_called_) {
    // Called, main returns; as the first routine, its threads end here.
    IrWord leave = flow_word(isa::Op::RETL);
    leave.jump_func = kAlways;
    leave.target = return_label_;
    leave.flow = Flow::Goto;
    push(std::move(leave));
  }
  bind(return_label_);
  IrWord last = flow_word(returns ? isa::Op::JUMP : isa::Op::END);
  last.flow = Flow::Exit;
  if (returns) {
    last.flow = Flow::Return;
    last.jump_func = kAlways;
    last.a_op = code(isa::Aop::POP);
    full_ = true;
  }
  push(std::move(last));
  for (Stub& stub : stubs_) {
    line_ = stub.line;
    instruction_ = stub.instruction;
    bind(stub.entry);
    push(std::move(stub.word));
    IrWord inside = flow_word(isa::Op::JUMP);
    inside.jump_func = kAlways;
    inside.target = stub.inside;
    inside.flow = Flow::Goto;
    push(std::move(inside));
  }
  stubs_.clear();
}

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

/// Count of a REP whose operand is a literal.
std::optional<uint32_t> Lowering::constant_count(const ast::Instruction& in) const {
  const ast::Operand& op = in.operands[0];
  uint32_t bits = 0;
  if (op.kind == ast::OperandKind::constant) {
    bits = p_.constants[op.variable].components[op.swizzle[0]].bits;
  } else {
    const ast::Variable& v = p_.variables[op.variable];
    if (v.kind != ast::VariableKind::param || op.index.relative) return std::nullopt;
    const ast::ParamElement& e = v.elements[op.index.offset];
    if (e.source != ast::ParamSource::constant) return std::nullopt;
    bits = p_.constants[e.index].components[op.swizzle[0]].bits;
  }
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
