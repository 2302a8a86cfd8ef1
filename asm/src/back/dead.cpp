// Dead components cost nothing: writes that no path of the thread reads are removed.
#include <algorithm>

#include "liveness.hpp"

namespace maskwork::back {
namespace {

/// One pass over the blocks; true if something was removed.
bool pass(IrProgram& ir) {
  const Liveness live(ir);
  bool changed = false;
  std::vector<uint8_t> alive(live.count(), 0);
  std::vector<uint32_t> set;
  Accesses a;
  const auto keep = [&](uint32_t v) {
    if (alive[v]) return;
    alive[v] = 1;
    set.push_back(v);
  };
  for (const Liveness::Block& block : live.blocks()) {
    for (uint32_t v : block.live_out) keep(v);
    uint32_t accessed = kNoLabel;  // instruction of the global access behind: a check of its address goes with it
    for (uint32_t i = block.end; i-- > block.first;) {
      IrWord& w = ir.words[i];
      if (w.removed) continue;
      if (w.dst != kNoReg && !alive[w.dst]) {
        w.dst = kNoReg;
        w.dst_offset = 0;
        w.dst_rel = false;
        changed = true;
      }
      if (w.cc_dst < 3 && !alive[live.cc(w.cc_dst, w.cc_comp)]) {
        w.cc_dst = 3;
        w.cc_comp = 0;
        w.chain_zero = false;
        if (!w.chain_carry) w.chain_comp = 0;
        changed = true;
      }
      bool effect = w.is_flow();
      if (w.is_memory()) {
        bool gives = false;
        const bool load = isa::info(w.op).kind == isa::Kind::Load;
        for (unsigned c = 0; c < 4; ++c) {
          if (w.mem_dst[c] == kNoReg) continue;
          if (alive[w.mem_dst[c]]) {
            gives = true;
            continue;
          }
          w.mem_dst[c] = kNoReg;
          if (load) w.mem_mask &= static_cast<uint8_t>(~(1u << c));
          changed = true;
        }
        effect = !load || gives;
        if (isa::info(w.op).kind == isa::Kind::Check) effect = w.instruction == accessed;
        else if (effect && isa::info(w.op).global) accessed = w.instruction;
        if (!gives) w.pred_test = w.pred_cc = w.pred_mask = 0;
      } else if (!effect) {
        effect = w.dst != kNoReg || w.cc_dst < 3 || (w.op == isa::Op::MOVA && alive[live.a0()]);
      }
      if (!effect) {
        w.removed = true;
        changed = true;
        continue;
      }
      live.accesses(w, a);
      for (uint32_t v : a.writes) alive[v] = 0;
      for (uint32_t v : a.reads) keep(v);
    }
    for (uint32_t v : set) alive[v] = 0;
    set.clear();
  }
  return changed;
}

}  // namespace

void compact(IrProgram& ir) {
  std::vector<uint32_t> position(ir.words.size() + 1, 0);
  uint32_t at = 0;
  for (size_t i = 0; i < ir.words.size(); ++i) {
    position[i] = at;
    if (!ir.words[i].removed) ++at;
  }
  position[ir.words.size()] = at;
  for (uint32_t& l : ir.labels)
    if (l != kNoLabel) l = position[l];
  std::erase_if(ir.words, [](const IrWord& w) { return w.removed; });
}

void remove_dead(IrProgram& ir) {
  // A pass sees through chains inside a block; across blocks a removed reader frees its sources for the next pass.
  for (int round = 0; round < 8 && pass(ir); ++round) {
  }
  compact(ir);
}

void remove_self_copies(IrProgram& ir, const std::vector<uint32_t>& registers) {
  for (IrWord& w : ir.words)
    if (plain_copy(w) && registers[w.dst] + w.dst_offset == registers[w.src[0].value] + w.src[0].offset) w.removed = true;
  compact(ir);
}

}  // namespace maskwork::back
