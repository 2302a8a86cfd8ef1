// Register allocation: every virtual register gets the lowest register (arrays: consecutive ones, members of a group: their places) that is
// free over all its live segments, in the order of first use.
#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "liveness.hpp"

namespace maskwork::back {
namespace {

/// Word i reads at time 2i and writes at 2i + 1, so that a result may take the register of a source that ends there.
struct Segment {
  uint32_t first, last;
};

class Register {
 public:
  bool free(const std::vector<Segment>& wanted) {
    if (wanted.front().first > last_) return true;
    if (wanted.front().first <= busy_last_ && wanted.front().first >= busy_first_) return false;
    for (const Segment& s : wanted) {
      auto it = taken_.upper_bound(s.last);
      if (it == taken_.begin()) continue;
      --it;
      if (it->second >= s.first) {
        if (&s == &wanted.front() && it->first <= s.first) {
          busy_first_ = it->first;
          busy_last_ = it->second;
        }
        return false;
      }
    }
    return true;
  }
  void take(const std::vector<Segment>& wanted) {
    for (const Segment& s : wanted) {
      taken_[s.first] = s.last;
      last_ = last_ == kEmpty ? s.last : std::max(last_, s.last);
    }
    any_ = true;
  }
  bool any() const { return any_; }

 private:
  static constexpr uint32_t kEmpty = 0;
  std::map<uint32_t, uint32_t> taken_;
  uint32_t last_ = kEmpty;
  uint32_t busy_first_ = 1, busy_last_ = 0;  ///< the segment that refused last time
  bool any_ = false;
};

std::vector<std::vector<Segment>> segments(const IrProgram& ir) {
  const Liveness live(ir);
  const uint32_t vregs = static_cast<uint32_t>(ir.vregs.size());
  std::vector<std::vector<Segment>> out(vregs);
  constexpr uint32_t kDead = 0xffffffffu;
  std::vector<uint32_t> end(live.count(), kDead);
  std::vector<uint32_t> set;
  Accesses a;
  const auto add = [&](uint32_t v, uint32_t first, uint32_t last) {
    if (v < vregs) out[v].push_back({first, last});
  };
  for (const Liveness::Block& block : live.blocks()) {
    const auto open = [&](uint32_t v, uint32_t at) {
      if (end[v] != kDead) return;
      end[v] = at;
      set.push_back(v);
    };
    for (uint32_t v : block.live_out) open(v, 2 * block.end - 1);
    for (uint32_t i = block.end; i-- > block.first;) {
      const IrWord& w = ir.words[i];
      live.accesses(w, a);
      // Memory words of several components read the address again while results arrive.
      const bool early = w.is_memory() && (w.mem_mask & (w.mem_mask - 1)) != 0;
      const uint32_t write_time = early ? 2 * i : 2 * i + 1;
      for (uint32_t v : a.writes) {
        add(v, write_time, end[v] == kDead ? 2 * i + 1 : end[v]);
        end[v] = kDead;
      }
      for (uint32_t v : a.part_writes) open(v, 2 * i + 1);
      for (uint32_t v : a.reads) open(v, 2 * i);
    }
    for (uint32_t v : set)
      if (end[v] != kDead) {
        add(v, 2 * block.first, end[v]);
        end[v] = kDead;
      }
    set.clear();
  }
  for (auto& list : out) {
    std::sort(list.begin(), list.end(), [](const Segment& x, const Segment& y) { return x.first < y.first; });
    size_t n = 0;
    for (const Segment& s : list) {
      if (n != 0 && s.first <= list[n - 1].last + 1) list[n - 1].last = std::max(list[n - 1].last, s.last);
      else list[n++] = s;
    }
    list.resize(n);
  }
  return out;
}

/// Copies between two single registers, by register, at most a few per register.
std::unordered_map<VReg, std::vector<VReg>> copies(const IrProgram& ir) {
  std::unordered_map<VReg, std::vector<VReg>> out;
  const auto add = [&](VReg v, VReg other) {
    auto& list = out[v];
    if (list.size() < 4) list.push_back(other);
  };
  for (const IrWord& w : ir.words)
    if (plain_copy(w) && ir.vregs[w.dst].size == 1 && ir.vregs[w.src[0].value].size == 1) {
      add(w.dst, w.src[0].value);
      add(w.src[0].value, w.dst);
    }
  return out;
}

}  // namespace

bool plain_copy(const IrWord& w) {
  return w.op == isa::Op::MOV && w.dst != kNoReg && w.src[0].kind == Src::Kind::Reg && !w.src[0].neg && !w.src[0].abs && !w.src[0].rel && !w.dst_rel &&
         w.clamp == 0 && w.cc_dst == 3;
}

uint32_t allocate(const IrProgram& ir, std::vector<uint32_t>& registers) {
  const auto live = segments(ir);
  const uint32_t vregs = static_cast<uint32_t>(ir.vregs.size());
  registers.assign(vregs, 0);
  struct Unit {
    std::vector<VReg> members;
    uint32_t start = 0xffffffffu;
    uint32_t size = 0;  ///< registers that must be found together
  };
  std::vector<Unit> units;
  std::vector<uint32_t> unit_of_group(ir.groups, 0xffffffffu);
  for (VReg v = 0; v < vregs; ++v) {
    if (live[v].empty()) continue;
    const VRegInfo& info = ir.vregs[v];
    uint32_t u;
    if (info.group != 0xffffffffu) {
      if (unit_of_group[info.group] == 0xffffffffu) {
        unit_of_group[info.group] = static_cast<uint32_t>(units.size());
        units.emplace_back();
      }
      u = unit_of_group[info.group];
    } else {
      u = static_cast<uint32_t>(units.size());
      units.emplace_back();
    }
    units[u].members.push_back(v);
    units[u].start = std::min(units[u].start, live[v].front().first);
    units[u].size += info.size;
  }
  // Arrays and groups first where they start together with scalars: they are harder to place.
  std::vector<uint32_t> order(units.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    return units[x].start != units[y].start ? units[x].start < units[y].start : units[x].size > units[y].size;
  });
  const auto wishes = copies(ir);
  std::vector<Register> file;
  std::vector<bool> placed(vregs, false);
  uint32_t window = 0;
  for (uint32_t u : order) {
    const Unit& unit = units[u];
    // First the registers that would make a copy superfluous, then from the lowest one up.
    std::vector<uint32_t> tries;
    for (VReg v : unit.members)
      if (const auto it = wishes.find(v); it != wishes.end())
        for (VReg other : it->second)
          if (placed[other] && registers[other] >= ir.vregs[v].place) tries.push_back(registers[other] - ir.vregs[v].place);
    for (uint32_t attempt = 0;; ++attempt) {
      const uint32_t base = attempt < tries.size() ? tries[attempt] : attempt - static_cast<uint32_t>(tries.size());
      bool fits = true;
      for (size_t m = 0; m < unit.members.size() && fits; ++m) {
        const VReg v = unit.members[m];
        const uint32_t first = base + ir.vregs[v].place;
        for (uint32_t k = 0; k < ir.vregs[v].size && fits; ++k) {
          if (first + k >= file.size()) break;
          fits = file[first + k].free(live[v]);
        }
      }
      if (!fits) continue;
      for (VReg v : unit.members) {
        const uint32_t first = base + ir.vregs[v].place;
        registers[v] = first;
        placed[v] = true;
        const uint32_t end = first + ir.vregs[v].size;
        if (file.size() < end) file.resize(end);
        for (uint32_t k = first; k < end; ++k) file[k].take(live[v]);
        window = std::max(window, end);
      }
      break;
    }
    if (window > isa::limit::registers) return window;
  }
  return window;
}

}  // namespace maskwork::back
