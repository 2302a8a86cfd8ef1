// Drives a memory unit (mw_shared_tb or mw_axi_tb) like the core and checks everything that it gives back. The units work in
// order, so the reference performs each word when its last beat goes in, and answers are checked against a queue.
#pragma once
#include <gtest/gtest.h>
#include <verilated.h>

#include <deque>
#include <memory>
#include <vector>

#include "mem_word.hpp"

namespace mem_test {

template <class Top>
class Driver {
 public:
  using Cell = std::function<uint32_t&(uint32_t)>;

  Driver(uint64_t seed, Cell cell, bool physical) : random(seed), cell_(std::move(cell)), physical_(physical) {
    Verilated::randReset(2);  // what reset does not set starts random
    Verilated::randSeed(static_cast<int>(seed) + 1);
    top.clk_i = 0;
    top.rst_i = 1;
    top.valid_i = 0;
    for (int i = 0; i < 3; ++i) clock();
    top.rst_i = 0;
    top.eval();
    lanes = top.lanes_o;
    beats = 32 / lanes;
  }
  virtual ~Driver() { top.final(); }

  void issue(Word w) {
    w.seq = next_seq_++;
    waiting_.push_back(w);
  }

  /// One clock cycle.
  void cycle() {
    drive_beat();
    top.ret_ready_i = random.chance(ready_percent);
    before_edge();
    top.eval();
    observe();
    sample();
    take_beat();
    clock();
    ++cycles;
  }

  /// Cycles until everything issued is answered and the unit is idle.
  void run(uint64_t limit = 2'000'000) {
    for (uint64_t i = 0;; ++i) {
      if (waiting_.empty() && expected_.empty() && !in_word_ && top.idle_o) break;
      ASSERT_LT(i, limit) << "the unit hangs: " << waiting_.size() << " words to issue, " << expected_.size() << " not done, "
                          << recorded_.size() << " not recorded";
      cycle();
      if (::testing::Test::HasFatalFailure()) return;
    }
    if (!recorded_.empty()) end_record();
    EXPECT_TRUE(recorded_.empty()) << "word without a record";
  }

  /// Forgets a fault, as the start of a dispatch does.
  void clear() {
    top.rst_i = 1;
    top.eval();
    clock();
    top.rst_i = 0;
    killed = false;
    waiting_.clear();
    expected_.clear();  // words that the fault has dropped
    recorded_.clear();
  }

  Top top;
  Random random;
  uint32_t lanes = 0, beats = 0;
  uint32_t ready_percent = 100, issue_percent = 100;
  bool killed = false;
  uint64_t cycles = 0, done = 0, returned_words = 0;

 protected:
  virtual void before_edge() {}  ///< sets inputs of the rest of the bench
  virtual void sample() {}       ///< looks at its outputs before the edge

  void clock() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }

 private:
  struct Expected {
    Word word;
    Effect effect;
    std::array<uint32_t, 4> seen{};   ///< threads returned or recorded
    bool started = false;
  };

  void drive_beat() {
    if (!in_word_ && !waiting_.empty()) {  // ready_o may depend on them
      top.kind_i = static_cast<uint8_t>(waiting_.front().kind);
      top.size_i = waiting_.front().size;
      top.eval();
    }
    if (!in_word_ && !waiting_.empty() && random.chance(issue_percent) && top.ready_o) {
      word_ = waiting_.front();
      beats_.clear();
      for (uint32_t k = 0; k < 4; ++k)
        for (uint32_t b = 0; b < beats; ++b)
          if (((word_.comps >> k) & 1) != 0 && lane_bits(word_.exec, b) != 0) beats_.push_back({k, b});
      if (beats_.empty() || word_.kind == Kind::Fence || (word_.kind == Kind::Check && !word_.bad)) beats_ = {{0, 0}};
      bad_beat_ = word_.bad ? random.below(static_cast<uint32_t>(beats_.size())) : ~0u;
      next_beat_ = 0;
      in_word_ = true;
    }
    top.valid_i = in_word_;
    if (!in_word_) return;
    const auto [k, b] = beats_[next_beat_];
    top.wave_i = word_.wave;
    top.seq_i = word_.seq;
    top.pc_i = word_.pc;
    top.kind_i = static_cast<uint8_t>(word_.kind);
    top.op_i = word_.op;
    top.signed_i = word_.type == Type::Signed;
    top.float_i = word_.type == Type::Float;
    top.size_i = word_.size;
    top.comp_i = k;
    top.acq_i = word_.acq;
    top.first_i = next_beat_ == 0;
    top.last_i = next_beat_ + 1 == beats_.size();
    top.beat_i = b;
    top.mask_i = lane_bits(word_.exec, b);
    top.wmask_i = lane_bits(word_.wmask[k], b);
    top.dst_i = word_.dst + k;
    top.base_i = word_.base;
    top.bound_i = word_.bound;
    top.bad_i = next_beat_ == bad_beat_;
    for (uint32_t i = 0; i < lanes; ++i) {
      const uint32_t t = b * lanes + i;
      const bool on = ((word_.exec >> t) & 1) != 0;  // what idle lanes carry must not matter
      top.addr_i[i] = on ? word_.addr[t] + 4 * k : random.bits();
      top.data_i[i] = on ? word_.data[k][t] : random.bits();
      top.data2_i[i] = on ? word_.data2[t] : random.bits();
    }
  }

  void take_beat() {
    if (!in_word_) return;
    if (top.bad_i) killed = true;
    if (++next_beat_ < beats_.size()) return;
    in_word_ = false;
    waiting_.pop_front();
    if (killed) return;
    Expected e{word_, perform(word_, physical_, cell_)};
    expected_.push_back(e);
    recorded_.push_back(e);
  }

  void observe() {
    if (top.rec_valid_o) record();
    if (top.ret_valid_o && top.ret_ready_i) result();
    if (top.done_valid_o) {
      if (expected_.empty()) {
        ADD_FAILURE() << "done pulse without a word";
        return;
      }
      Expected& e = expected_.front();
      EXPECT_EQ(top.done_wave_o, e.word.wave);
      EXPECT_EQ(bool(top.done_acq_o), e.word.acq);
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t written = ((e.word.comps >> k) & 1) != 0 ? e.word.wmask[k] : 0;
        EXPECT_EQ(e.seen[k], written) << "results of component " << k << " of word " << e.word.seq;
      }
      expected_.pop_front();
      ++done;
    }
  }

  void result() {
    if (expected_.empty()) {
      ADD_FAILURE() << "result without a word";
      return;
    }
    Expected& e = expected_.front();
    const uint32_t k = top.ret_comp_o, b = top.ret_beat_o;
    ASSERT_EQ(top.ret_seq_o, e.word.seq);
    if (!recorded_.empty() && recorded_.front().word.seq == e.word.seq)
      EXPECT_TRUE(recorded_.front().started) << "result before the record of its word";
    EXPECT_EQ(top.ret_wave_o, e.word.wave);
    EXPECT_EQ(top.ret_dst_o, e.word.dst + k);
    EXPECT_EQ(top.ret_mask_o & ~lane_bits(e.word.wmask[k], b), 0u);  // one result or several, each of other threads
    EXPECT_NE(top.ret_mask_o, 0u);
    for (uint32_t i = 0; i < lanes; ++i) {
      if (((top.ret_mask_o >> i) & 1) == 0) continue;
      const uint32_t t = b * lanes + i;
      EXPECT_EQ((e.seen[k] >> t) & 1, 0u) << "thread returned twice";
      e.seen[k] |= 1u << t;
      ASSERT_EQ(top.ret_data_o[i], e.effect.loaded[k][t])
          << "word " << e.word.seq << " kind " << int(e.word.kind) << " op " << int(e.word.op) << " component " << k << " thread " << t;
      ++returned_words;
    }
  }

  /// Behind the last record of a word nothing of it may be missing.
  void end_record() {
    const Expected& e = recorded_.front();
    for (uint32_t k = 0; k < 4; ++k) EXPECT_EQ(e.seen[k], e.effect.access[k]) << "records of component " << k;
    EXPECT_TRUE(e.started) << "no record";
    recorded_.pop_front();
  }

  void record() {
    if (top.rec_first_o && !recorded_.empty() && recorded_.front().started) end_record();
    if (recorded_.empty()) {
      ADD_FAILURE() << "record without a word";
      return;
    }
    Expected& e = recorded_.front();
    const uint32_t k = top.rec_comp_o, b = top.rec_beat_o;
    ASSERT_EQ(top.rec_seq_o, e.word.seq);
    EXPECT_EQ(top.rec_wave_o, e.word.wave);
    EXPECT_EQ(bool(top.rec_first_o), !e.started);
    e.started = true;
    for (uint32_t i = 0; i < lanes; ++i) {
      if (((top.rec_mask_o >> i) & 1) == 0) continue;
      const uint32_t t = b * lanes + i;
      EXPECT_EQ((e.seen[k] >> t) & 1, 0u) << "thread recorded twice";
      e.seen[k] |= 1u << t;
      EXPECT_EQ(top.rec_addr_o[i], e.effect.address[k][t]);
      if (e.word.kind != Kind::Load) {
        EXPECT_EQ(top.rec_data_o[i], e.effect.stored[k][t]);
      }
      if (e.word.kind == Kind::Atomic) {
        EXPECT_EQ(top.rec_old_o[i], e.effect.loaded[k][t]);
      }
    }
  }

  uint32_t lane_bits(uint32_t threads, uint32_t beat) const {
    return lanes == 32 ? threads : (threads >> (beat * lanes)) & ((1u << lanes) - 1);
  }

  Cell cell_;
  bool physical_;
  std::deque<Word> waiting_;
  std::deque<Expected> expected_, recorded_;
  Word word_;
  std::vector<std::pair<uint32_t, uint32_t>> beats_;
  uint32_t next_beat_ = 0, bad_beat_ = ~0u;
  bool in_word_ = false;
  uint32_t next_seq_ = 0;
};

}  // namespace mem_test
