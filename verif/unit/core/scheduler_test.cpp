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

template <class V, uint32_t Waves>
struct Shape {
  using Dut = V;
  static constexpr uint32_t waves = Waves;
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
    dut.free_a_i = dut.axi_done_i = dut.special_done_i = dut.shared_gone_i = dut.shared_gone_wide_i = dut.flow_retire_i = 0;
    dut.sel_ready_i = 1;
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

using Shapes = testing::Types<Shape<Vscheduler_tiny, 4>, Shape<Vscheduler_base, 64>>;
TYPED_TEST_SUITE(SchedulerTest, Shapes);

TYPED_TEST(SchedulerTest, TakesTurns) {
  // Every wave is ready again when its turn comes: wave after wave, two choices in three clocks. Tiny has fewer waves than a round takes.
  auto& dut = this->dut;
  this->idle();
  while (!dut.sel_valid_o) this->clock();
  if (this->n < 8) return;
  uint32_t before = dut.sel_wave_o;
  int choices = 0;
  for (int i = 0; i < 400; ++i) {
    dut.free_a_i = dut.sel_valid_o;
    dut.free_wave_i = dut.sel_wave_o;
    this->clock();
    if (!dut.sel_valid_o) continue;
    ASSERT_EQ(dut.sel_wave_o, (before + 1) % this->n);
    before = dut.sel_wave_o;
    ++choices;
  }
  EXPECT_GE(choices, 250);
}

TYPED_TEST(SchedulerTest, FreedWaveIsBackAfterFiveClocks) {
  auto& dut = this->dut;
  this->idle();
  for (uint32_t i = 0; i < 3 * this->n + 8; ++i) this->clock();
  ASSERT_FALSE(dut.sel_valid_o);
  dut.free_a_i = 1, dut.free_wave_i = 2;
  for (int clocks = 1; clocks <= 5; ++clocks) {
    this->clock();
    dut.free_a_i = 0;
    ASSERT_EQ(static_cast<bool>(dut.sel_valid_o), clocks == 5);
  }
  EXPECT_EQ(dut.sel_wave_o, 2u);
}

TYPED_TEST(SchedulerTest, BusyWavesWait) {
  // Nothing is freed: each wave is chosen exactly once.
  auto& dut = this->dut;
  this->idle();
  uint64_t seen = 0;
  for (uint32_t i = 0; i < 3 * this->n; ++i) {
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
  for (int i = 0; i < 8; ++i) {
    this->clock();
    if (dut.sel_valid_o) seen |= uint64_t{1} << dut.sel_wave_o;
  }
  EXPECT_EQ(seen, 0b101u);
}

TYPED_TEST(SchedulerTest, RandomAgainstTheRules) {
  // Every wave has a next word of a random kind that becomes ready at a random time and stays so until it is chosen.
  auto& dut = this->dut;
  constexpr uint32_t n = TypeParam::waves;
  enum Kind { Alu, Axi, Narrow, Wide, Flow, Fence, Special };
  struct Wave {
    Kind kind = Alu;
    bool busy = false;                                    // chosen, not freed
    bool valid = false, have = false, sem[2] = {}, wait[2] = {}, memory = false;
    bool ready() const { return !busy && valid && have && !(sem[0] && wait[0]) && !(sem[1] && wait[1]) && !(kind == Fence && memory); }
  };
  std::array<Wave, n> waves;
  std::array<uint32_t, n> passed{};                       // choices of others while this wave could have issued without a break
  uint32_t axi_words = 0, passes = 0, flow_words = 0, special_words = 0, choices = 0, stopped = 0;
  uint64_t fetch_stalls = 0, want_fetch_stalls = 0;       // as the counter tells and as the rules say
  std::deque<uint32_t> chosen;                            // words that went to the pipeline and whose wave is not free
  std::deque<bool> on_way;                                // shared-memory words that have not left their unit's queue: wide
  for (int cycle = 0; cycle < 80000; ++cycle) {
    this->idle();
    dut.stop_i = this->pick(40) == 0;
    dut.sel_ready_i = this->pick(4) != 0;
    dut.valid_i = dut.have_i = 0;
    for (uint32_t w = 0; w < n; ++w) {
      Wave& v = waves[w];
      if (!v.busy) {
        if (this->pick(4) == 0) v.valid = true;
        if (this->pick(4) == 0) v.have = true;
        for (bool& s : v.sem)
          if (this->pick(8) == 0) s = false;
        if (this->pick(8) == 0) v.memory = false;
      }
      const uint64_t bit = uint64_t{1} << w;
      if (v.valid) dut.valid_i |= bit;
      if (v.have) dut.have_i |= bit;
      if (v.sem[0]) dut.sem_axi_i |= bit;
      if (v.sem[1]) dut.sem_shared_i |= bit;
      if (v.wait[0]) dut.need_wait_axi_i |= bit;
      if (v.wait[1]) dut.need_wait_shared_i |= bit;
      if (v.memory) dut.memory_busy_i |= bit;
      if (v.kind == Axi) dut.need_axi_i |= bit;
      if (v.kind == Narrow || v.kind == Wide) dut.need_shared_i |= bit;
      if (v.kind == Wide || (v.kind != Narrow && (w & 1))) dut.need_wide_i |= bit;
      if (v.kind == Flow || v.kind == Fence) dut.need_flow_i |= bit;
      if (v.kind == Fence) dut.need_fence_i |= bit;
      if (v.kind == Special) dut.need_special_i |= bit;
    }
    if (!chosen.empty() && this->pick(3) == 0) {
      dut.free_a_i = 1, dut.free_wave_i = chosen.front();
      chosen.pop_front();
    }
    dut.axi_done_i = axi_words != 0 && this->pick(4) == 0;
    dut.special_done_i = special_words != 0 && this->pick(8) == 0;
    dut.flow_retire_i = flow_words != 0 && this->pick(4) == 0;
    if (!on_way.empty() && this->pick(3) == 0) {
      dut.shared_gone_i = 1;
      dut.shared_gone_wide_i = on_way.front();
      on_way.pop_front();
    }
    dut.eval();
    const bool taken = dut.sel_valid_o && dut.sel_ready_i;
    const uint32_t wave = dut.sel_wave_o;
    if (dut.axi_done_i) --axi_words;
    if (dut.special_done_i) --special_words;
    if (dut.flow_retire_i) --flow_words;
    if (dut.shared_gone_i) passes -= dut.shared_gone_wide_i ? 4 : 1;
    if (taken) {
      // the word leaves the scheduler: it was ready, and its unit had room for it beside all that have left
      Wave& v = waves[wave];
      ASSERT_TRUE(v.ready()) << "cycle " << cycle << " wave " << wave;
      if (v.kind == Axi) {
        ASSERT_LE(++axi_words, 4u);
      }
      if (v.kind == Special) {
        ASSERT_LE(++special_words, n == 4 ? 1u : 2u);  // tiny has one lane
      }
      if (v.kind == Flow || v.kind == Fence) {
        ASSERT_LE(++flow_words, 4u);
      }
      if (v.kind == Narrow || v.kind == Wide) {
        passes += v.kind == Wide ? 4 : 1;
        ASSERT_LE(passes, 8u);
        on_way.push_back(v.kind == Wide);
      }
      v.busy = true;
      chosen.push_back(wave);
      ++choices;
      passed[wave] = 0;
      for (uint32_t o = 0; o < n; ++o) {
        if (o == wave) continue;
        passed[o] = waves[o].ready() && waves[o].kind == Alu ? passed[o] + 1 : 0;
        ASSERT_LE(passed[o], n + 4) << "wave " << o << " could issue and was passed over a whole round";
      }
    }
    if (dut.stop_i) ++stopped;
    const uint32_t freed = dut.free_wave_i;
    const bool free = dut.free_a_i;
    for (const Wave& v : waves) want_fetch_stalls += !v.busy && v.valid && !v.have;
    fetch_stalls += dut.stall_fetch_o;
    this->clock();
    if (free) {
      Wave& v = waves[freed];
      v = Wave{};
      v.kind = static_cast<Kind>(this->pick(7));
      for (uint32_t s = 0; s < 2; ++s) v.sem[s] = this->pick(3) == 0, v.wait[s] = this->pick(3) == 0;
      v.memory = this->pick(3) == 0;
    }
  }
  EXPECT_GT(choices, 5000u);
  EXPECT_GT(stopped, 100u);
  // the same wave-cycles, but for the clocks between a choice and its departure
  EXPECT_NEAR(static_cast<double>(fetch_stalls), static_cast<double>(want_fetch_stalls), 0.01 * static_cast<double>(want_fetch_stalls));
}

TYPED_TEST(SchedulerTest, RoomForFewerWordsThanWavesGoesRound) {
  // Eight waves (tiny: four) want shared memory all the time, and words are long on their way: who finds no room is not passed over for ever.
  auto& dut = this->dut;
  constexpr uint32_t waves = std::min<uint32_t>(TypeParam::waves, 8), clocks = 3000;
  this->idle();
  dut.need_shared_i = this->all;
  dut.valid_i = (uint64_t{1} << waves) - 1;
  uint32_t cycle = 0;
  for (uint32_t arrival = 5; arrival < 30; ++arrival)
    for (uint32_t extra = 0; extra < 8; ++extra) {
      std::array<uint32_t, waves> turns{};
      std::deque<uint32_t> arrivals;                         // clocks
      std::deque<std::pair<uint32_t, uint32_t>> frees;       // clock, wave
      const uint32_t end = cycle + clocks;
      for (; cycle < end || !frees.empty(); ++cycle) {
        dut.shared_gone_i = !arrivals.empty() && arrivals.front() == cycle;
        if (dut.shared_gone_i) arrivals.pop_front();
        dut.free_a_i = !frees.empty() && frees.front().first == cycle;
        if (dut.free_a_i) {
          dut.free_wave_i = frees.front().second;
          frees.pop_front();
        }
        dut.sel_ready_i = cycle < end && cycle % 4 == 0;
        dut.eval();
        if (dut.sel_valid_o && dut.sel_ready_i) {
          ++turns[dut.sel_wave_o];
          arrivals.push_back(cycle + arrival);
          frees.emplace_back(cycle + arrival + extra, dut.sel_wave_o);
        }
        this->clock();
      }
      const auto [least, most] = std::minmax_element(turns.begin(), turns.end());
      ASSERT_GT(10 * *least, 9 * *most) << "arrival after " << arrival << ", wave free " << extra << " later";
    }
}

TYPED_TEST(SchedulerTest, StallCounters) {
  auto& dut = this->dut;
  this->idle();
  dut.need_wait_axi_i = dut.sem_axi_i = 0b0001;
  dut.have_i = this->all & ~uint64_t{0b0010};
  dut.need_special_i = 0b1100;
  dut.valid_i = 0b1111;
  for (int i = 0; i < 12; ++i) this->clock();  // both special words are chosen, with one lane one
  EXPECT_EQ(dut.stall_semaphore_o, 1);
  EXPECT_EQ(dut.stall_fetch_o, 1);
  const int without_room = this->n == 4 ? 1 : 0;
  EXPECT_EQ(dut.stall_special_o, without_room);
  dut.free_a_i = 1, dut.free_wave_i = 2;       // its next word finds the unit full
  this->clock();
  dut.free_a_i = 0;
  for (int i = 0; i < 4; ++i) this->clock();
  EXPECT_EQ(dut.stall_special_o, 1 + without_room);
  for (int i = 0; i < 1 + without_room; ++i) {
    dut.special_done_i = 1;
    this->clock();
    dut.special_done_i = 0;
    for (int k = 0; k < 4; ++k) this->clock();
  }
  for (int i = 0; i < 4; ++i) this->clock();
  EXPECT_EQ(dut.stall_special_o, 0);
  EXPECT_EQ(dut.stall_memory_o, 0);
}

}  // namespace
