// Words that act as if all of them read before any of them writes: the components of one instruction.
#include "lower.hpp"

namespace maskwork::back {
namespace {

bool overwrites(const IrWord& writer, const Src& s) {
  return writer.dst != kNoReg && s.kind == Src::Kind::Reg && s.value == writer.dst && (s.rel || writer.dst_rel || s.offset == writer.dst_offset);
}

bool overwrites_condition(const IrWord& writer, const IrWord& reader) {
  return reader.pred_test > 1 && reader.pred_cc == writer.cc_dst && ((reader.pred_mask >> writer.cc_comp) & 1) != 0;
}

template <class Test>
bool any_writer(const std::vector<IrWord>& writers, Test test) {
  for (const IrWord& w : writers)
    if (test(w)) return true;
  return false;
}

bool hinders(const std::vector<IrWord>& writers, const std::vector<IrWord>& readers) {
  for (const IrWord& r : readers) {
    if (any_writer(writers, [&](const IrWord& w) { return overwrites_condition(w, r); })) return true;
    for (const Src& s : r.src)
      if (any_writer(writers, [&](const IrWord& w) { return overwrites(w, s); })) return true;
  }
  return false;
}

}  // namespace

void Lowering::emit_parallel(std::vector<IrWord> words) {
  std::vector<Group> groups;
  for (IrWord& w : words) groups.push_back({std::move(w)});
  emit_parallel(std::move(groups));
}

void Lowering::emit_parallel(std::vector<Group> groups) {
  // Conditions that are overwritten too early move to CC2.x, y, z; chains use CC2.w. At most four words write conditions, so three are enough.
  unsigned conditions = 0;
  while (!groups.empty()) {
    size_t next = groups.size();
    for (size_t i = 0; i < groups.size() && next == groups.size(); ++i) {
      bool free = true;
      for (size_t j = 0; j < groups.size() && free; ++j) free = i == j || !hinders(groups[i], groups[j]);
      if (free) next = i;
    }
    if (next == groups.size()) {
      next = 0;
      for (size_t j = 1; j < groups.size(); ++j) {
        int copied = -1;
        for (IrWord& word : groups[j]) {
          for (Src& s : word.src) {
            if (!any_writer(groups[0], [&](const IrWord& w) { return overwrites(w, s); })) continue;
            Src from = s;
            from.neg = from.abs = false;
            IrWord move;
            move.op = isa::Op::MOV;
            move.type = isa::Type::U32;
            move.rel_sel = word.rel_sel;
            move.src[0] = from;
            move.dst = new_vreg();
            const bool neg = s.neg, abs = s.abs;
            s = reg(move.dst);
            s.neg = neg;
            s.abs = abs;
            push(std::move(move));
          }
          if (!any_writer(groups[0], [&](const IrWord& w) { return overwrites_condition(w, word); })) continue;
          if (copied < 0) {
            copied = static_cast<int>(conditions++);
            for (uint32_t value : {0u, 1u}) {
              IrWord copy;
              copy.op = isa::Op::MOV;
              copy.type = isa::Type::U32;
              copy.src[0] = literal(value);
              copy.cc_dst = 2;
              copy.cc_comp = static_cast<uint8_t>(copied);
              if (value != 0) {
                copy.pred_test = word.pred_test;
                copy.pred_cc = word.pred_cc;
                copy.pred_mask = word.pred_mask;
              }
              push(std::move(copy));
            }
          }
          word.pred_test = static_cast<uint8_t>(isa::Test::NE);
          word.pred_cc = 2;
          word.pred_mask = static_cast<uint8_t>(1u << copied);
        }
      }
    }
    Group group = std::move(groups[next]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(next));
    for (IrWord& word : group) emit(std::move(word));
  }
}

}  // namespace maskwork::back
