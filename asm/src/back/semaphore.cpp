// Placement of SEM_ACQUIRE and SEM_WAIT. A batch is the run of memory words of one semaphore inside a block; its last load acquires when
// one of its loads is needed, at the latest at the block's end, so that no batch spans a flow word. WAIT stands on the first word of
// every path that reads or writes a register that may still be pending. The graph is that of waves: every jump may be taken or not.
#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir.hpp"

namespace maskwork::back {
namespace {

namespace f = isa::field;
using Registers = std::bitset<isa::limit::registers>;

struct Touched {
  bool all = false;  ///< a relative access may touch any register
  std::array<uint16_t, 10> list{};
  unsigned count = 0;
  void add(uint32_t r) {
    if (r < isa::limit::registers) list[count++] = static_cast<uint16_t>(r);
  }
  bool meets(const Registers& set) const {
    if (all) return set.any();
    for (unsigned i = 0; i < count; ++i)
      if (set[list[i]]) return true;
    return false;
  }
};

/// The semaphore of a memory access; checks of addresses hold none, and the access behind them does.
int semaphore_of(const isa::Word& w) {
  const isa::OpInfo& i = isa::info(w);
  if (i.kind == isa::Kind::Check) return -1;
  return i.format != isa::Format::Mem ? -1 : i.unit == isa::Unit::Shared ? 1 : 0;
}

isa::Op op_of(const isa::Word& w) { return static_cast<isa::Op>(isa::get(w, f::op)); }

Touched touched(const isa::Word& w) {
  Touched t;
  const isa::OpInfo& info = isa::info(w);
  if (info.format == isa::Format::Flow) return t;
  if (info.format == isa::Format::Mem) {
    if (info.kind == isa::Kind::Fence) return t;
    if (isa::get(w, f::a_file) == 0) t.add(isa::get(w, f::a_idx));
    const uint32_t mask = isa::get(w, f::mem_mask);
    const bool swap = info.kind == isa::Kind::Atomic && isa::get(w, f::atom_op) == static_cast<uint32_t>(isa::Atom::CSWAP);
    for (uint32_t k = 0; k < 4; ++k) {
      if (info.kind != isa::Kind::Load && (((mask >> k) & 1) || (swap && k == 1))) t.add(isa::get(w, f::b_idx) + k);
      if (isa::get(w, f::dst_en) && ((mask >> k) & 1)) t.add(isa::get(w, f::dst) + k);
    }
    return t;
  }
  if (isa::get(w, f::dst_en)) {
    t.all = isa::get(w, f::dst_rel) != 0;
    t.add(isa::get(w, f::dst));
  }
  const auto source = [&](bool used, isa::Field file, isa::Field idx) {
    if (!used) return;
    const uint32_t kind = isa::get(w, file);
    if (kind == static_cast<uint32_t>(isa::File::GPR)) t.add(isa::get(w, idx));
    if (kind == static_cast<uint32_t>(isa::File::GPR_REL)) t.all = true;
  };
  source(info.srcs_a, f::a_file, f::a_idx);
  source(info.srcs_b, f::b_file, f::b_idx);
  source(info.srcs_c, f::c_file, f::c_idx);
  return t;
}

struct Block {
  uint32_t first = 0, end = 0;
  std::vector<uint32_t> next;
  std::array<Registers, 2> pending;      ///< at the start: loads of earlier blocks
  std::array<bool, 2> stores{};          ///< at the start: stores that no ACQUIRE covers
};

/// Words that can follow word i, for a wave.
class Graph {
 public:
  explicit Graph(const std::vector<isa::Word>& words) : words_(words), seen_(words.size(), 0) {
    for (uint32_t i = 0; i < words.size(); ++i) {
      if (op_of(words[i]) != isa::Op::JUMP) continue;
      const auto a = static_cast<isa::Aop>(isa::get(words[i], f::a_op));
      if (a == isa::Aop::PUSH || a == isa::Aop::PUSHR) calls_[isa::get(words[i], f::target)].push_back(i + 1);
    }
    for (const auto& [entry, sites] : calls_) find_returns(entry, sites);
  }
  void next(uint32_t i, std::vector<uint32_t>& out, bool into_calls = true) const {
    out.clear();
    const isa::Word& w = words_[i];
    const auto add = [&](uint32_t to) {
      if (to < words_.size()) out.push_back(to);
    };
    const isa::OpInfo& info = isa::info(w);
    const isa::Op op = op_of(w);
    if (op == isa::Op::END) return;
    if (info.format != isa::Format::Flow || op == isa::Op::BAR || op == isa::Op::MEMBAR || op == isa::Op::MEMBAR_CTA || op == isa::Op::NOP) return add(i + 1);
    const auto a = op == isa::Op::JUMP ? static_cast<isa::Aop>(isa::get(w, f::a_op)) : isa::Aop::NONE;
    const uint32_t func = isa::get(w, f::jump_func);
    const bool any = isa::get(w, f::jump_any) != 0;
    if (a == isa::Aop::POP) {
      if (const auto it = returns_.find(i); it != returns_.end()) out = it->second;
      if (any || func != 0xff) add(i + 1);
      return;
    }
    if (a == isa::Aop::PUSH || a == isa::Aop::PUSHR) {
      add(i + 1);
      if (into_calls) add(isa::get(w, f::target));
      return;
    }
    const bool never = op == isa::Op::JUMP && any && func == 0;
    const bool always = op == isa::Op::JUMP && !any && func == 0xff;
    if (!always) add(i + 1);
    if (!never) add(isa::get(w, f::target));
  }

 private:
  void find_returns(uint32_t entry, const std::vector<uint32_t>& sites) {
    std::vector<uint32_t> work{entry}, out;
    ++stamp_;
    while (!work.empty()) {
      const uint32_t i = work.back();
      work.pop_back();
      if (i >= words_.size() || seen_[i] == stamp_) continue;
      seen_[i] = stamp_;
      if (op_of(words_[i]) == isa::Op::JUMP && isa::get(words_[i], f::a_op) == static_cast<uint32_t>(isa::Aop::POP)) {
        auto& list = returns_[i];
        list.insert(list.end(), sites.begin(), sites.end());
        continue;
      }
      next(i, out, false);
      work.insert(work.end(), out.begin(), out.end());
    }
  }
  const std::vector<isa::Word>& words_;
  std::vector<uint32_t> seen_;
  uint32_t stamp_ = 0;
  std::map<uint32_t, std::vector<uint32_t>> calls_;
  std::map<uint32_t, std::vector<uint32_t>> returns_;
};

/// Runs through a block; `commit` sets the bits in the words.
class Transfer {
 public:
  Transfer(std::vector<isa::Word>& words, const Block& block, bool commit) : words_(words), block_(block), commit_(commit) {
    while (!run()) {
    }
    if (!commit_) return;
    for (const auto& [word, s] : waits_) isa::set(words_[word], f::sem_wait, isa::get(words_[word], f::sem_wait) | (1u << s));
    for (const uint32_t word : acquires_) isa::set(words_[word], f::sem_acquire, 1);
  }
  std::array<Registers, 2> pending;
  std::array<bool, 2> stores{};
  std::array<bool, 2> fence{};

 private:
  /// False: an ACQUIRE was found to be needed on a word after which a WAIT has been placed already. Its own WAIT may make that one
  /// superfluous, so the block is run again with the ACQUIRE known.
  bool run() {
    pending = block_.pending;
    stores = block_.stores;
    waits_.clear();
    std::array<Registers, 2> batch;
    std::array<int64_t, 2> giver{-1, -1}, last{-1, -1}, last_wait{-1, -1};
    const auto wait = [&](uint32_t i, int s) {
      waits_.emplace_back(i, s);
      last_wait[s] = i;
      pending[s].reset();
    };
    const auto acquire_here = [&](uint32_t i, int s) {
      waits_.emplace_back(i, s);
      pending[s] = batch[s];
      batch[s].reset();
      stores[s] = last[s] > i;
    };
    // The batch's last load is the word that holds the semaphore; stores behind it need not be waited for.
    const auto acquire = [&](int64_t at, int s) {
      acquires_.insert(static_cast<uint32_t>(at));
      if (last_wait[s] > at) return false;
      acquire_here(static_cast<uint32_t>(at), s);
      return true;
    };
    for (uint32_t i = block_.first; i < block_.end; ++i) {
      const isa::Word w = words_[i];
      const Touched t = touched(w);
      for (int s = 0; s < 2; ++s) {
        if (t.meets(batch[s]) && !acquire(giver[s], s)) return false;
        if (t.meets(pending[s])) wait(i, s);
      }
      const isa::Op op = op_of(w);
      const bool ends = op == isa::Op::END;
      const int own = semaphore_of(w);
      if (own >= 0) {
        last[own] = i;
        stores[own] = true;
        if (isa::get(w, f::dst_en)) {
          giver[own] = i;
          for (uint32_t k = 0; k < 4; ++k)
            if ((isa::get(w, f::mem_mask) >> k) & 1) {
              const uint32_t r = isa::get(w, f::dst) + k;
              if (r < isa::limit::registers) batch[own][r] = true;
            }
        }
        if (acquires_.count(i)) acquire_here(i, own);
      }
      for (int s = 0; s < 2; ++s) {
        if (ends && stores[s] && last[s] >= 0) {
          if (!acquire(last[s], s)) return false;
        } else if (batch[s].any() && (isa::info(w).format == isa::Format::Flow || i + 1 == block_.end)) {
          if (!acquire(giver[s], s)) return false;
        }
        fence[s] = fence[s] || (ends && stores[s]);
        if (ends || (op == isa::Op::RETL && pending[s].any())) wait(i, s);
      }
    }
    return true;
  }

  std::vector<isa::Word>& words_;
  const Block& block_;
  bool commit_;
  std::vector<std::pair<uint32_t, int>> waits_;
  std::set<uint32_t> acquires_;
};

/// The first analysis only adds: what passed a word before its WAIT was known stays pending behind it. Here each block takes exactly what the
/// blocks before it give, from nothing on and in the order of the program. If that comes to rest it holds on every path; else the first result stays.
void refine(std::vector<isa::Word>& words, std::vector<Block>& blocks) {
  struct Given {
    std::array<Registers, 2> pending;
    std::array<bool, 2> stores{};
    bool operator==(const Given&) const = default;
  };
  const auto gives = [&](const Block& b) {
    const Transfer out(words, b, false);
    return Given{out.pending, out.stores};
  };
  std::vector<std::vector<uint32_t>> previous(blocks.size());
  std::vector<Block> exact = blocks;
  std::vector<Given> given;
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    for (uint32_t to : blocks[b].next) previous[to].push_back(b);
    exact[b].pending = {};
    exact[b].stores = {};
    given.push_back(gives(exact[b]));
  }
  for (int round = 0; round < 12; ++round) {
    bool rest = true;
    for (uint32_t b = 0; b < exact.size(); ++b) {
      Given in;
      for (uint32_t from : previous[b])
        for (int s = 0; s < 2; ++s) {
          in.pending[s] |= given[from].pending[s];
          in.stores[s] = in.stores[s] || given[from].stores[s];
        }
      if (in == Given{exact[b].pending, exact[b].stores}) continue;
      exact[b].pending = in.pending;
      exact[b].stores = in.stores;
      given[b] = gives(exact[b]);
      rest = false;
    }
    if (!rest) continue;
    blocks = std::move(exact);
    return;
  }
}

std::array<bool, 2> analyse(std::vector<isa::Word>& words, uint32_t entry, bool commit) {
  const uint32_t n = static_cast<uint32_t>(words.size());
  const Graph graph(words);
  std::vector<uint8_t> leader(n + 1, 0);
  std::vector<uint32_t> next;
  leader[0] = 1;
  leader[entry] = 1;
  for (uint32_t i = 0; i < n; ++i) {
    if (isa::info(words[i]).format != isa::Format::Flow) continue;
    leader[i + 1] = 1;
    graph.next(i, next);
    for (uint32_t to : next) leader[to] = 1;
  }
  std::vector<Block> blocks;
  std::vector<uint32_t> block_of(n);
  for (uint32_t i = 0; i < n; ++i) {
    if (leader[i]) {
      blocks.emplace_back();
      blocks.back().first = i;
    }
    blocks.back().end = i + 1;
    block_of[i] = static_cast<uint32_t>(blocks.size() - 1);
  }
  for (Block& b : blocks) {
    graph.next(b.end - 1, next);
    for (uint32_t to : next) b.next.push_back(block_of[to]);
  }
  // Unreachable blocks too: they are right by themselves, whoever jumps there.
  std::vector<uint32_t> work(blocks.size());
  for (uint32_t b = 0; b < blocks.size(); ++b) work[b] = static_cast<uint32_t>(blocks.size()) - 1 - b;
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    const Transfer out(words, blocks[b], false);
    for (uint32_t to : blocks[b].next) {
      Block& t = blocks[to];
      bool changed = false;
      for (int s = 0; s < 2; ++s) {
        const Registers all = t.pending[s] | out.pending[s];
        changed = changed || all != t.pending[s] || (out.stores[s] && !t.stores[s]);
        t.pending[s] = all;
        t.stores[s] = t.stores[s] || out.stores[s];
      }
      if (changed) work.push_back(to);
    }
  }
  refine(words, blocks);
  std::array<bool, 2> fence{};
  for (const Block& b : blocks) {
    const Transfer out(words, b, commit);
    for (int s = 0; s < 2; ++s) fence[s] = fence[s] || out.fence[s];
  }
  return fence;
}

/// Puts a word in front of word `at`; jumps to `at` reach it.
void insert(Program& program, uint32_t at, const isa::Word& word) {
  for (isa::Word& w : program.words) {
    if (isa::info(w).format != isa::Format::Flow) continue;
    const uint32_t target = isa::get(w, f::target);
    if (target > at) isa::set(w, f::target, target + 1);
  }
  if (program.entry > at) ++program.entry;
  program.words.insert(program.words.begin() + at, word);
  if (!program.lines.empty()) program.lines.insert(program.lines.begin() + at, LineEntry(program.lines[at]));
}

}  // namespace

void place_semaphores(Program& program) {
  if (program.words.empty()) return;
  const std::array<bool, 2> fence = analyse(program.words, program.entry, false);
  for (int s = 0; s < 2; ++s) {
    if (!fence[s]) continue;
    const auto end = std::find_if(program.words.begin(), program.words.end(), [](const isa::Word& w) { return op_of(w) == isa::Op::END; });
    isa::Word word;
    isa::set(word, f::op, static_cast<uint32_t>(s == 0 ? isa::Op::FENCE_AXI : isa::Op::FENCE_SHARED));
    isa::set(word, f::type, static_cast<uint32_t>(isa::Type::U32));
    insert(program, static_cast<uint32_t>(end - program.words.begin()), word);
  }
  analyse(program.words, program.entry, true);
}

}  // namespace maskwork::back
