// mw_scheduler: a wave is chosen only when its word may issue, no wave is passed over twice while it could have issued, the words on their way to the memory units, the special
// unit and the flow unit stay within what these hold, and a choice stands until it is taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>

#include "Vscheduler_base.h"
#include "Vscheduler_tiny.h"

namespace {

template <class V, uint32_t Waves, uint32_t Special>
struct Shape {
  using Dut = V;
  static constexpr uint32_t waves = Waves;
  static constexpr uint32_t special = Special;  // words of the special unit at a time
};

template <class S>
class SchedulerTest : public testing::Test {
 protected:
  typename S::Dut dut;
  std::mt19937_64 rng{11};
  static constexpr uint32_t n = S::waves;
  static constexpr uint64_t all = n == 64 ? ~uint64_t{0} : (uint64_t{1} << (n % 64)) - 1;
  uint32_t pick(uint32_t k) { return static_cast<uint32_t>(rng() % k); }
  uint64_t sparse() { return rng() & rng() & all; }

  void clock() {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
  }
  void idle() {
    dut.stop_i = 0;
    dut.valid_i = dut.have_i = all;
    dut.need_wait_axi_i = dut.need_wait_shared_i = dut.need_axi_i = dut.need_shared_i = dut.need_wide_i = dut.need_flow_i = dut.need_fence_i = dut.need_special_i = 0;
    dut.sem_axi_i = dut.sem_shared_i = dut.memory_busy_i = dut.free_mask_i = 0;
    dut.free_a_i = dut.axi_done_i = dut.special_done_i = dut.shared_arrive_i = dut.shared_arrive_wide_i = dut.flow_retire_i = 0;
    dut.shared_ready_i = dut.sel_ready_i = 1;
  }
  SchedulerTest() {
    idle();
    dut.clk_i = 0;
    dut.rst_i = 1;
    dut.eval();
    clock();
    dut.rst_i = 0;
    dut.eval();
  }
  ~SchedulerTest() override { dut.final(); }
};

using Shapes = testing::Types<Shape<Vscheduler_tiny, 4, 1>, Shape<Vscheduler_base, 64, 2>>;
TYPED_TEST_SUITE(SchedulerTest, Shapes);

TYPED_TEST(SchedulerTest, TakesTurnsWithoutGaps) {
  // Every wave is always ready again: one choice per clock, wave after wave.
  auto& dut = this->dut;
  this->idle();
  this->clock();
  uint32_t before = dut.sel_wave_o;
  for (int i = 0; i < 200; ++i) {
    dut.free_a_i = 1;
    dut.free_wave_i = before;
    this->clock();
    ASSERT_TRUE(dut.sel_valid_o);
    ASSERT_EQ(dut.sel_wave_o, (before + 1) % this->n);
    before = dut.sel_wave_o;
  }
}

TYPED_TEST(SchedulerTest, BusyWavesWait) {
  // Nothing is freed: each wave is chosen exactly once.
  auto& dut = this->dut;
  this->idle();
  uint64_t seen = 0;
  for (uint32_t i = 0; i < 2 * this->n; ++i) {
    this->clock();
    if (!dut.sel_valid_o) continue;
    ASSERT_EQ(seen >> dut.sel_wave_o & 1, 0u);
    seen |= uint64_t{1} << dut.sel_wave_o;
  }
  EXPECT_EQ(seen, this->all);
  dut.free_mask_i = 0b101;  // a barrier opens
  this->clock();
  dut.free_mask_i = 0;
  seen = 0;
  for (int i = 0; i < 4; ++i) {
    this->clock();
    if (dut.sel_valid_o) seen |= uint64_t{1} << dut.sel_wave_o;
  }
  EXPECT_EQ(seen, 0b101u);
}

TYPED_TEST(SchedulerTest, RandomAgainstTheRules) {
  auto& dut = this->dut;
  constexpr uint32_t n = TypeParam::waves;
  uint64_t busy = 0, later = 0;
  uint32_t axi_words = 0, passes = 0, flow_words = 0, special_words = 0, wide_words = 0, choices = 0;
  bool ready = true, arrive = false, arrive_wide = false;  // as the unit sees them, a clock late
  std::deque<uint32_t> chosen;                              // choices that have not been taken
  std::array<uint32_t, n> passed{};                         // choices of others while this wave could have issued without a break
  for (int cycle = 0; cycle < 60000; ++cycle) {
    this->idle();
    dut.stop_i = this->pick(40) == 0;
    if (cycle / 1000 % 2) dut.valid_i = ~this->sparse() & this->all;
    dut.have_i = ~this->sparse() & this->all;
    dut.need_wait_axi_i = this->sparse();
    dut.need_wait_shared_i = this->sparse();
    dut.need_axi_i = this->sparse();
    dut.need_shared_i = this->sparse() & ~dut.need_axi_i;
    dut.need_flow_i = this->sparse() & ~dut.need_axi_i & ~dut.need_shared_i;
    dut.need_special_i = this->sparse() & ~dut.need_axi_i & ~dut.need_shared_i & ~dut.need_flow_i;
    dut.need_wide_i = this->sparse();
    dut.need_fence_i = this->sparse() & dut.need_flow_i;
    dut.sem_axi_i = this->sparse();
    dut.sem_shared_i = this->sparse();
    dut.memory_busy_i = this->sparse();
    dut.shared_ready_i = this->pick(4) != 0;
    dut.sel_ready_i = this->pick(4) != 0;
    if (this->pick(3) == 0) {
      // a wave whose word has left the scheduler
      for (uint32_t w = this->pick(n), i = 0; i < n; ++i, w = (w + 1) % n)
        if ((busy >> w & 1) && std::find(chosen.begin(), chosen.end(), w) == chosen.end()) {
          dut.free_a_i = 1, dut.free_wave_i = w;
          break;
        }
    }
    dut.axi_done_i = axi_words != 0 && this->pick(4) == 0;
    const uint32_t on_way = passes - (arrive ? (arrive_wide ? 4 : 1) : 0);
    if (on_way != 0 && this->pick(3) == 0) {
      dut.shared_arrive_i = 1;
      dut.shared_arrive_wide_i = wide_words != 0;  // a wide word is alone on its way
    }
    dut.special_done_i = special_words != 0 && this->pick(8) == 0;
    dut.flow_retire_i = flow_words != 0 && this->pick(4) == 0;
    dut.eval();

    // what may be chosen at the coming edge
    const uint64_t runnable = dut.valid_i & ~busy;
    const uint64_t waits = (dut.need_wait_axi_i & dut.sem_axi_i) | (dut.need_wait_shared_i & dut.sem_shared_i) | (dut.need_fence_i & dut.memory_busy_i);
    uint64_t can = runnable & dut.have_i & ~waits;
    uint32_t stall_special = 0, stall_memory = 0;
    for (uint32_t w = 0; w < n; ++w) {
      const uint64_t bit = uint64_t{1} << w;
      const bool wide = (dut.need_wide_i & bit) != 0;
      const bool no_axi = (dut.need_axi_i & bit) && axi_words >= 4;
      const bool no_shared = (dut.need_shared_i & bit) && (!ready || (wide ? passes != 0 : passes >= 4));
      const bool no_special = (dut.need_special_i & bit) && special_words >= TypeParam::special;
      stall_memory += (can & bit) && (no_axi || no_shared);
      stall_special += (can & bit) && no_special;
      if (no_axi || no_shared || no_special) can &= ~bit;
      if ((dut.need_flow_i & bit) && flow_words >= 4) can &= ~bit;
    }
    ASSERT_EQ(dut.stall_semaphore_o, std::popcount(runnable & dut.have_i & waits));
    ASSERT_EQ(dut.stall_fetch_o, std::popcount(runnable & ~dut.have_i));
    ASSERT_EQ(dut.stall_special_o, stall_special);
    ASSERT_EQ(dut.stall_memory_o, stall_memory);

    std::optional<uint32_t> pick;
    if (can != 0 && !dut.stop_i && chosen.size() < 2) pick = std::countr_zero((can & later) != 0 ? can & later : can);
    if (dut.sel_valid_o && dut.sel_ready_i) chosen.pop_front();
    if (dut.axi_done_i) --axi_words;
    if (dut.flow_retire_i) --flow_words;
    if (dut.special_done_i) --special_words;
    if (arrive) passes -= arrive_wide ? 4 : 1;
    if (dut.free_a_i) busy &= ~(uint64_t{1} << dut.free_wave_i);
    ready = dut.shared_ready_i;
    arrive = dut.shared_arrive_i;
    arrive_wide = dut.shared_arrive_wide_i;
    if (arrive && arrive_wide) --wide_words;
    if (pick) {
      const uint64_t bit = uint64_t{1} << *pick;
      busy |= bit;
      later = ~(bit | (bit - 1));
      chosen.push_back(*pick);
      ++choices;
      if (dut.need_axi_i & bit) ++axi_words;
      if (dut.need_flow_i & bit) ++flow_words;
      if (dut.need_special_i & bit) ++special_words;
      if (dut.need_shared_i & bit) {
        passes += dut.need_wide_i & bit ? 4 : 1;
        if (dut.need_wide_i & bit) ++wide_words;
      }
      for (uint32_t o = 0; o < n; ++o) {
        passed[o] = o == *pick || !(can >> o & 1) ? 0 : passed[o] + 1;
        ASSERT_LT(passed[o], n) << "wave " << o << " could issue and was passed over a whole round";
      }
    }
    this->clock();
    ASSERT_EQ(static_cast<bool>(dut.sel_valid_o), !chosen.empty()) << "cycle " << cycle;
    if (!chosen.empty()) {
      ASSERT_EQ(dut.sel_wave_o, chosen.front()) << "cycle " << cycle;
    }
  }
  EXPECT_GT(choices, 5000u);
}

}  // namespace
