// Semaphores of assembled programs, checked path by path: from every load along every path of the wave, no register of it is read or written
// before WAIT, the batch is acquired before a flow word, and in programs without routines no WAIT stands without a reason.
#include <map>
#include <set>

#include "helpers.hpp"
#include "random_program.hpp"

namespace maskwork::test {
namespace {

namespace f = isa::field;

class Checker {
 public:
  explicit Checker(const Program& p) : p_(p), words_(p.words) {
    for (uint32_t i = 0; i < words_.size(); ++i)
      if (op_of(words_[i]) == isa::Op::JUMP && isa::get(words_[i], f::a_op) >= 2) sites_[isa::get(words_[i], f::target)].push_back(i + 1);
  }

  /// Empty, or what is wrong.
  std::string check() {
    std::set<uint32_t> reasons;  // words whose WAIT some load needs
    for (uint32_t i = 0; i < words_.size(); ++i) {
      const isa::Word& w = words_[i];
      const isa::OpInfo& info = isa::info(w);
      if (info.format == isa::Format::Mem && isa::get(w, f::sem_acquire) && !waits(i, semaphore(w))) return at(i) + "ACQUIRE without WAIT";
      if (op_of(w) == isa::Op::END && isa::get(w, f::sem_wait) != 3) return at(i) + "END without WAIT on both";
      if (info.format != isa::Format::Mem || !isa::get(w, f::dst_en)) continue;
      for (uint32_t k = 0; k < 4; ++k)
        if ((isa::get(w, f::mem_mask) >> k) & 1) {
          const std::string wrong = follow(i, isa::get(w, f::dst) + k, reasons);
          if (!wrong.empty()) return wrong;
        }
    }
    // A routine waits for what any of its callers left, so that its WAITs have reasons only in some contexts.
    for (uint32_t i = 0; i < words_.size() && sites_.empty(); ++i)
      for (int s = 0; s < 2; ++s) {
        const bool own = isa::info(words_[i]).format == isa::Format::Mem && semaphore(words_[i]) == s && isa::get(words_[i], f::sem_acquire);
        if (waits(i, s) && !own && op_of(words_[i]) != isa::Op::END && op_of(words_[i]) != isa::Op::RETL && !reasons.count(i * 2 + s))
          return at(i) + "WAIT without a reason";
      }
    return {};
  }

 private:
  static int semaphore(const isa::Word& w) { return isa::info(w).unit == isa::Unit::Shared ? 1 : 0; }
  bool waits(uint32_t i, int s) const { return (isa::get(words_[i], f::sem_wait) >> s) & 1; }
  std::string at(uint32_t i) const { return std::to_string(i) + " '" + disassemble_word(words_[i], true) + "': "; }

  bool touches(uint32_t i, uint32_t r) const {
    const isa::Word& w = words_[i];
    const isa::OpInfo& info = isa::info(w);
    if (info.format == isa::Format::Flow) return false;
    if (info.format == isa::Format::Mem) {
      if (info.kind == isa::Kind::Fence) return false;
      if (isa::get(w, f::a_file) == 0 && isa::get(w, f::a_idx) == r) return true;
      const bool swap = info.kind == isa::Kind::Atomic && isa::get(w, f::atom_op) == 9;
      for (uint32_t k = 0; k < 4; ++k) {
        const bool used = ((isa::get(w, f::mem_mask) >> k) & 1) || (swap && k == 1);
        if (used && info.kind != isa::Kind::Load && isa::get(w, f::b_idx) + k == r) return true;
        if (((isa::get(w, f::mem_mask) >> k) & 1) && isa::get(w, f::dst_en) && isa::get(w, f::dst) + k == r) return true;
      }
      return false;
    }
    if (isa::get(w, f::dst_en) && (isa::get(w, f::dst_rel) || isa::get(w, f::dst) == r)) return true;
    const std::array<std::pair<isa::Field, isa::Field>, 3> sources{{{f::a_file, f::a_idx}, {f::b_file, f::b_idx}, {f::c_file, f::c_idx}}};
    const bool has[3] = {info.srcs_a, info.srcs_b, info.srcs_c};
    for (int k = 0; k < 3; ++k) {
      if (!has[k]) continue;
      const uint32_t file = isa::get(w, sources[k].first);
      if (file == 1 || (file == 0 && isa::get(w, sources[k].second) == r)) return true;
    }
    return false;
  }

  struct State {
    uint32_t pc;
    bool acquired;
    std::vector<uint32_t> stack;
    friend auto operator<=>(const State&, const State&) = default;
  };

  std::string follow(uint32_t load, uint32_t r, std::set<uint32_t>& reasons) {
    const int s = semaphore(words_[load]);
    std::set<State> seen;
    std::vector<State> work;
    const auto go = [&](State state) {
      if (state.pc < words_.size() && state.stack.size() < 4 && seen.insert(state).second) work.push_back(std::move(state));
    };
    go({load + 1, isa::get(words_[load], f::sem_acquire) != 0, {}});
    while (!work.empty()) {
      const State now = work.back();
      work.pop_back();
      const isa::Word& w = words_[now.pc];
      const isa::OpInfo& info = isa::info(w);
      const bool touch = touches(now.pc, r);
      if (now.acquired && waits(now.pc, s)) {
        if (touch) reasons.insert(now.pc * 2 + static_cast<uint32_t>(s));
        continue;
      }
      if (touch) return at(now.pc) + "touches r" + std::to_string(r) + " of " + at(load) + "before WAIT";
      State next = now;
      if (info.format == isa::Format::Mem && semaphore(w) == s && isa::get(w, f::sem_acquire)) next.acquired = true;
      const isa::Op op = op_of(w);
      if (info.format == isa::Format::Flow && !next.acquired) return at(now.pc) + "flow word in the batch of " + at(load);
      if (op == isa::Op::END) continue;
      const uint32_t target = isa::get(w, f::target);
      if (op == isa::Op::JUMP && isa::get(w, f::a_op) == 1) {
        if (!next.stack.empty()) {
          next.pc = next.stack.back();
          next.stack.pop_back();
          go(next);
        } else {
          auto routine = sites_.upper_bound(now.pc);
          if (routine == sites_.begin()) continue;
          for (uint32_t site : std::prev(routine)->second) {
            next.pc = site;
            go(next);
          }
        }
        continue;
      }
      if (op == isa::Op::JUMP && isa::get(w, f::a_op) >= 2) {
        State inside = next;
        inside.pc = target;
        inside.stack.push_back(now.pc + 1);
        go(inside);
      } else if (info.format == isa::Format::Flow && op != isa::Op::BAR && op != isa::Op::MEMBAR && op != isa::Op::MEMBAR_CTA && op != isa::Op::NOP) {
        const bool never = op == isa::Op::JUMP && isa::get(w, f::jump_any) && isa::get(w, f::jump_func) == 0;
        if (!never) {
          State jumped = next;
          jumped.pc = target;
          go(jumped);
        }
      }
      // JUMP FUNC FF without ANY jumps whoever is active.
      if (op == isa::Op::JUMP && isa::get(w, f::jump_func) == 0xff && !isa::get(w, f::jump_any)) continue;
      next.pc = now.pc + 1;
      go(next);
    }
    return {};
  }

  const Program& p_;
  const std::vector<isa::Word>& words_;
  std::map<uint32_t, std::vector<uint32_t>> sites_;
};

TEST(Semaphores, RandomProgramsAreRightOnEveryPath) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const std::string text = random_program(seed);
    const Program p = assemble_text(text);
    const std::string wrong = Checker(p).check();
    ASSERT_EQ(wrong, "") << "seed " << seed << "\n" << disassemble(p);
  }
}

TEST(Semaphores, TheCheckerSeesMissingBits) {
  // Each WAIT and ACQUIRE of a real program is needed: without it the checker complains.
  const Program p = assemble_body("LDB.U32 R0.x, buf[0];\nLDB.U32 R1.x, buf[4];\nLDS.U32 R2.x, sm[0];\nIF GT.x;\nADD.U R3.x, R0.x, R2.x;\nSTB.U32 R3, buf[8];\nENDIF;\nADD.U R3.x, R1.x, R2.x;\nSTB.U32 R3, buf[12];");
  ASSERT_EQ(Checker(p).check(), "");
  unsigned removed = 0;
  for (size_t i = 0; i < p.words.size(); ++i)
    for (const isa::Field field : {f::sem_wait, f::sem_acquire}) {
      if (field.lo == f::sem_acquire.lo && isa::info(p.words[i]).format != isa::Format::Mem) continue;
      if (isa::get(p.words[i], field) == 0) continue;
      Program changed = p;
      isa::set(changed.words[i], field, 0);
      EXPECT_NE(Checker(changed).check(), "") << disassemble_word(p.words[i], true);
      ++removed;
    }
  EXPECT_GE(removed, 7u);
}

TEST(Semaphores, OneAcquireForABatchOfLoads) {
  const Program p = assemble_body("LDB.U32 R0.x, buf[0];\nLDB.U32 R1.x, buf[4];\nLDB.U32 R2.x, buf[8];\nADD.U R0.x, R0.x, R1.x;\nADD.U R0.x, R0.x, R2.x;\nSTB.U32 R0, buf[12];");
  std::string bits;
  for (const isa::Word& w : p.words)
    bits += std::to_string(isa::get(w, f::sem_wait)) + (isa::info(w).format == isa::Format::Mem && isa::get(w, f::sem_acquire) ? "a " : " ");
  EXPECT_EQ(bits, "0 0 1a 1 0 1a 3 ");
}

TEST(Semaphores, WaitIsAsLateAsPossible) {
  // The load's result is used after unrelated work, and only in one branch.
  const Program p = assemble_body("LDB.U32 R0.x, buf[0];\nMUL.U R1.x, invocation.localindex, 5;\nADD.U.CC R1.x, R1.x, 3;\nIF GT.x;\nSTS.U32 R1, sm[0];\nELSE;\nSTS.U32 R0, sm[4];\nENDIF;");
  for (const isa::Word& w : p.words) {
    const bool last_store = op_of(w) == isa::Op::STS && isa::get(w, f::imm) == 4;
    const bool load = op_of(w) == isa::Op::LDB;
    if (op_of(w) != isa::Op::END && isa::info(w).kind != isa::Kind::Fence) {
      EXPECT_EQ(isa::get(w, f::sem_wait) & 1, last_store || load ? 1u : 0u) << disassemble_word(w, true);
    }
  }
}

TEST(Semaphores, StoresOfEarlierBlocksAreFencedBeforeEnd) {
  const Program p = assemble_body("REP 4;\nSTB.U32 R0, buf[0];\nENDREP;");
  EXPECT_EQ(operations(p), "REP STB ENDREP FENCE_AXI END");
}

}  // namespace
}  // namespace maskwork::test
