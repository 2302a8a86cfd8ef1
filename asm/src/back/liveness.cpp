#include "liveness.hpp"

#include <algorithm>

namespace maskwork::back {

Liveness::Liveness(const IrProgram& ir) : ir_(ir), vregs_(static_cast<uint32_t>(ir.vregs.size())), count_(vregs_ + 13) {
  build_blocks();
  solve();
}

void Liveness::accesses(const IrWord& w, Accesses& out) const {
  out.reads.clear();
  out.writes.clear();
  out.part_writes.clear();
  const auto write = [&](uint32_t number, bool whole) {
    (whole && !w.predicated() ? out.writes : out.part_writes).push_back(number);
  };
  bool uses_a0 = w.dst_rel;
  for (const Src& s : w.src) {
    if (s.kind != Src::Kind::Reg) continue;
    out.reads.push_back(s.value);
    uses_a0 = uses_a0 || s.rel;
  }
  if (uses_a0 && w.rel_sel == static_cast<uint8_t>(isa::Rel::A0)) out.reads.push_back(a0());
  for (unsigned c = 0; c < 4; ++c)
    if ((w.pred_mask >> c) & 1) out.reads.push_back(cc(w.pred_cc, c));
  if (w.chained()) out.reads.push_back(cc(2, w.chain_comp));
  for (VReg v : w.mem_data)
    if (v != kNoReg) out.reads.push_back(v);
  for (VReg v : w.mem_dst)
    if (v != kNoReg) write(v, true);
  if (w.dst != kNoReg) write(w.dst, ir_.vregs[w.dst].size == 1);
  if (w.cc_dst < 3) write(cc(w.cc_dst, w.cc_comp), true);
  if (w.op == isa::Op::MOVA) write(a0(), true);
}

void Liveness::build_blocks() {
  const auto& words = ir_.words;
  const uint32_t n = static_cast<uint32_t>(words.size());
  std::vector<uint8_t> leader(n + 1, 0);
  leader[0] = 1;
  for (uint32_t l : ir_.labels)
    if (l != kNoLabel) leader[l] = 1;
  for (uint32_t i = 0; i < n; ++i)
    if (words[i].flow != Flow::None) leader[i + 1] = 1;
  std::vector<uint32_t> block_of(n + 1, 0);
  for (uint32_t i = 0; i < n; ++i) {
    if (leader[i]) blocks_.push_back({i, i, {}, {}, {}});
    blocks_.back().end = i + 1;
    block_of[i] = static_cast<uint32_t>(blocks_.size() - 1);
  }
  // Where a routine's RETURN goes: behind every call of it.
  std::vector<std::vector<uint32_t>> return_to(ir_.routine_entry.size());
  std::vector<uint32_t> routine_of_word(n + 1, kNoLabel);
  for (uint32_t r = 0; r < ir_.routine_entry.size(); ++r) routine_of_word[ir_.labels[ir_.routine_entry[r]]] = r;
  for (uint32_t i = 0; i + 1 < n; ++i)
    if (words[i].flow == Flow::Call || words[i].flow == Flow::CallIf) return_to[routine_of_word[ir_.labels[words[i].target]]].push_back(block_of[i + 1]);
  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    const uint32_t last = block.end - 1;
    const IrWord& w = words[last];
    const auto edge = [&](uint32_t word) {
      if (word < n) block.next.push_back(block_of[word]);
    };
    const auto target = [&] { edge(ir_.labels[w.target]); };
    switch (w.flow) {
      case Flow::None:
      case Flow::ExitIf: edge(last + 1); break;
      case Flow::Branch: edge(last + 1); target(); break;
      case Flow::Goto:
      case Flow::Call: target(); break;
      case Flow::CallIf: edge(last + 1); target(); break;
      case Flow::Return: block.next = return_to[w.routine]; break;
      case Flow::Exit: break;
    }
    std::sort(block.next.begin(), block.next.end());
    block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
  }
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    for (uint32_t to : blocks_[b].next) blocks_[to].previous.push_back(b);
}

/// One walk backwards per number from the blocks that read it before they write it.
void Liveness::solve() {
  const uint32_t blocks = static_cast<uint32_t>(blocks_.size());
  struct Event {
    uint32_t number, block;
  };
  std::vector<Event> exposed, killed;
  std::vector<uint32_t> seen_exposed(count_, kNoLabel), seen_killed(count_, kNoLabel);
  Accesses a;
  for (uint32_t b = 0; b < blocks; ++b)
    for (uint32_t i = blocks_[b].first; i < blocks_[b].end; ++i) {
      if (ir_.words[i].removed) continue;
      accesses(ir_.words[i], a);
      // A part write neither reads nor kills: the value before it is needed exactly if the one after it is.
      for (uint32_t v : a.reads)
        if (seen_killed[v] != b && seen_exposed[v] != b) {
          seen_exposed[v] = b;
          exposed.push_back({v, b});
        }
      for (uint32_t v : a.writes)
        if (seen_killed[v] != b) {
          seen_killed[v] = b;
          killed.push_back({v, b});
        }
    }
  const auto group = [&](std::vector<Event>& events) {
    std::vector<uint32_t> start(count_ + 1, 0);
    for (const Event& e : events) ++start[e.number + 1];
    for (uint32_t v = 0; v < count_; ++v) start[v + 1] += start[v];
    std::vector<uint32_t> blocks_of(events.size()), at(start.begin(), start.end() - 1);
    for (const Event& e : events) blocks_of[at[e.number]++] = e.block;
    return std::pair(std::move(start), std::move(blocks_of));
  };
  const auto [exposed_start, exposed_blocks] = group(exposed);
  const auto [killed_start, killed_blocks] = group(killed);
  std::vector<uint32_t> kill_mark(blocks, kNoLabel), in_mark(blocks, kNoLabel), out_mark(blocks, kNoLabel), work;
  for (uint32_t v = 0; v < count_; ++v) {
    if (exposed_start[v] == exposed_start[v + 1]) continue;
    for (uint32_t k = killed_start[v]; k < killed_start[v + 1]; ++k) kill_mark[killed_blocks[k]] = v;
    for (uint32_t k = exposed_start[v]; k < exposed_start[v + 1]; ++k) {
      in_mark[exposed_blocks[k]] = v;
      work.push_back(exposed_blocks[k]);
    }
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      for (uint32_t p : blocks_[b].previous) {
        if (out_mark[p] == v) continue;
        out_mark[p] = v;
        blocks_[p].live_out.push_back(v);
        if (kill_mark[p] == v || in_mark[p] == v) continue;
        in_mark[p] = v;
        work.push_back(p);
      }
    }
  }
}

}  // namespace maskwork::back
