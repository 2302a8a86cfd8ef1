// Lowering of routines: which ones run, their frames, the choice of the flow mode.
#include <algorithm>
#include <string>

#include "flow_fields.hpp"
#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

/// Which routines run, and which of them can be entered again before they return.
void Lowering::find_routines() {
  const size_t count = p_.labels.size();
  std::vector<std::vector<uint32_t>> calls(count + 1);  // last: main
  const auto scan = [&](uint32_t first, uint32_t end, std::vector<uint32_t>& out) {
    for (uint32_t i = first; i < end; ++i) {
      const ast::Instruction& in = p_.instructions[i];
      if (never(in.condition)) continue;
      if (in.opcode == Opcode::CAL) out.push_back(in.label);
      if (in.opcode != Opcode::CALI) continue;
      const auto& labels = p_.subroutine_types[p_.variables[in.operands[0].variable].subroutine.type].labels;
      out.insert(out.end(), labels.begin(), labels.end());
    }
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
  list_subroutines();
  for (uint32_t n = 0; n <= routine_labels_.size(); ++n) ir_.routine_entry.push_back(new_label());
  routine(0, p_.entry, p_.entry_end);
  for (uint32_t n = 0; n < routine_labels_.size(); ++n) {
    const ast::Label& label = p_.labels[routine_labels_[n]];
    routine(n + 1, label.first, label.end);
  }
  ir_.object.full_flow = full_ || max_if_ > isa::limit::partial_levels;
  if (ir_.object.constants.size() > isa::limit::constants) {
    error("L99", {1, 1, 9}, "the program reads " + std::to_string(ir_.object.constants.size()) + " components of program parameters; the constant file has " +
                         std::to_string(isa::limit::constants),
          "keep some of them in a constant buffer, or in an array with a run-time index");
  }
  if (diagnostics_.error_count() != errors) return std::nullopt;
  for (const auto& [key, reg] : places_) {
    const auto [variable, place] = key;
    const ast::Variable& v = p_.variables[variable];
    const bool apart = v.is_array && !contiguous(variable);
    ir_.names.push_back({v.name + (apart ? "[" + std::to_string(place / 8) + "]" : v.is_array ? "[]" : ""), static_cast<uint8_t>(place / 2 % 4), place % 2 != 0, reg});
  }
  return std::move(ir_);
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

}  // namespace maskwork::back
