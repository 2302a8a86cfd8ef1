// Drives a verilated mw_special_tb like the core and checks everything that it gives back, in order.
#pragma once
#include <gtest/gtest.h>
#include <verilated.h>

#include <deque>
#include <random>
#include <vector>

#include "special_word.hpp"

namespace maskwork::special_test {

class Random {
 public:
  explicit Random(uint64_t seed) : random_(seed) {}
  uint32_t bits(unsigned n = 32) { return static_cast<uint32_t>(random_() >> (64 - n)); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(uint32_t percent) { return percent >= 100 || below(100) < percent; }

 private:
  std::mt19937_64 random_;
};

template <class Top>
class Driver {
 public:
  explicit Driver(uint64_t seed) : random(seed) {
    Verilated::randReset(2);  // what reset does not set starts random
    Verilated::randSeed(static_cast<int>(seed) + 1);
    top.clk_i = 0;
    top.rst_i = 1;
    top.valid_i = 0;
    for (int i = 0; i < 3; ++i) clock();
    top.rst_i = 0;
    top.eval();
    clock();
    lanes = top.lanes_o;
    capacity = top.words_o;
  }
  ~Driver() { top.final(); }

  void issue(Word w) {
    w.seq = next_seq_++;
    waiting_.push_back(w);
  }
  std::size_t waiting() const { return waiting_.size(); }

  void cycle() {
    drive_beat();
    top.ret_ready_i = random.chance(ready_percent);
    top.eval();
    if (top.ret_valid_o && top.ret_ready_i) result();
    if (top.done_valid_o) done();
    take_beat();
    clock();
    ++cycles;
  }

  /// Cycles until everything issued is answered and the unit is idle.
  void run(uint64_t limit = 100'000) {
    for (uint64_t quiet = 0;; ++quiet) {
      if (waiting_.empty() && expected_.empty() && !in_word_ && top.idle_o) break;
      ASSERT_LT(quiet, limit) << "the unit hangs: " << waiting_.size() << " words to issue, " << expected_.size() << " not done";
      const uint64_t before = words;
      cycle();
      if (words != before) quiet = 0;
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  /// Forgets everything, whatever is under way.
  void clear() {
    top.valid_i = 0;
    top.rst_i = 1;
    top.eval();
    clock();
    top.rst_i = 0;
    top.eval();
    clock();
    waiting_.clear();
    expected_.clear();
    in_word_ = false;
    EXPECT_TRUE(top.idle_o);
    EXPECT_FALSE(top.ret_valid_o);
  }

  Top top;
  Random random;
  uint32_t lanes = 0, capacity = 0;
  uint32_t ready_percent = 100, issue_percent = 100;
  uint64_t cycles = 0, words = 0, returned = 0;

 private:
  struct Expected {
    Word word;
    Threads results;
    uint32_t seen = 0;
  };

  void clock() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }

  uint32_t lane_bits(uint32_t threads, uint32_t beat) const {
    return lanes == 32 ? threads : (threads >> (beat * lanes)) & ((1u << lanes) - 1);
  }

  void drive_beat() {
    if (!in_word_ && !waiting_.empty() && expected_.size() < capacity && random.chance(issue_percent)) {
      word_ = waiting_.front();
      waiting_.pop_front();
      beats_.clear();
      for (uint32_t b = 0; b < 32 / lanes; ++b)
        if (word_.empty_beats || lane_bits(word_.exec, b) != 0) beats_.push_back(b);
      if (beats_.empty()) beats_ = {0};
      next_beat_ = 0;
      in_word_ = true;
      expected_.push_back({word_, results(word_)});
    }
    top.valid_i = in_word_;
    if (!in_word_) return;
    const uint32_t b = beats_[next_beat_];
    top.wave_i = word_.wave;
    top.seq_i = word_.seq;
    top.op_i = static_cast<uint8_t>(word_.op);
    top.type_i = static_cast<uint8_t>(word_.type);
    top.first_i = next_beat_ == 0;
    top.last_i = next_beat_ + 1 == beats_.size();
    top.beat_i = b;
    top.mask_i = lane_bits(word_.exec, b);
    top.wmask_i = lane_bits(word_.write, b);
    top.dst_i = word_.dst;
    for (uint32_t i = 0; i < lanes; ++i) {
      const uint32_t t = b * lanes + i;
      const bool on = (word_.exec >> t & 1) != 0;  // what idle lanes carry must not matter
      top.a_i[i] = on ? word_.a[t] : random.bits();
      top.b_i[i] = on ? word_.b[t] : random.bits();
      top.c_i[i] = on ? word_.c[t] : random.bits();
    }
  }

  void take_beat() {
    if (in_word_ && ++next_beat_ == beats_.size()) in_word_ = false;
  }

  void result() {
    ASSERT_FALSE(expected_.empty()) << "result without a word";
    Expected& e = expected_.front();
    const uint32_t b = top.ret_beat_o;
    ASSERT_EQ(top.ret_seq_o, e.word.seq);
    EXPECT_EQ(top.ret_wave_o, e.word.wave);
    EXPECT_EQ(top.ret_comp_o, 0);
    EXPECT_EQ(top.ret_dst_o, e.word.dst);
    ASSERT_EQ(top.ret_mask_o, lane_bits(e.word.write, b)) << "beat " << b;
    ASSERT_NE(top.ret_mask_o, 0u);
    for (uint32_t i = 0; i < lanes; ++i) {
      if ((top.ret_mask_o >> i & 1) == 0) continue;
      const uint32_t t = b * lanes + i;
      ASSERT_EQ(e.seen >> t & 1, 0u) << "thread returned twice";
      e.seen |= 1u << t;
      ASSERT_EQ(top.ret_data_o[i], e.results[t])
          << isa::info(e.word.op).name << " type " << int(e.word.type) << " thread " << t << std::hex << " of " << e.word.a[t] << ' '
          << e.word.b[t] << ' ' << e.word.c[t] << ", executing " << e.word.exec;
      ++returned;
    }
  }

  void done() {
    ASSERT_FALSE(expected_.empty()) << "done without a word";
    const Expected& e = expected_.front();
    EXPECT_EQ(top.done_wave_o, e.word.wave);
    EXPECT_EQ(e.seen, e.word.write);
    EXPECT_FALSE(in_word_ && expected_.size() == 1) << "done before the word's last beat";
    expected_.pop_front();
    ++words;
  }

  std::deque<Word> waiting_;
  std::deque<Expected> expected_;
  Word word_;
  std::vector<uint32_t> beats_;
  std::size_t next_beat_ = 0;
  bool in_word_ = false;
  uint32_t next_seq_ = 0;
};

}  // namespace maskwork::special_test
