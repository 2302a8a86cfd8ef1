// mw_barrier: the situations that users of comparable machines reported (several slots in consecutive and equal cycles, many
// rounds, waves that end while others wait) and random traffic against a plain count of who waits.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "Vbarrier_base.h"
#include "Vbarrier_small.h"

namespace {

using Rng = std::mt19937_64;
uint32_t pick(Rng& rng, uint32_t n) { return static_cast<uint32_t>(rng() % n); }

struct Arrive {
  uint32_t slot, wave, pc;
};
struct Launch {
  uint32_t slot, waves;
};

/// Drives the unit and keeps, for each slot, the set of waves that wait and of waves that have not ended. A release must come for a
/// slot exactly when the two are equal and not empty, within `slots` cycles, and name exactly the waiting waves.
template <class V>
class Bench {
 public:
  explicit Bench(uint32_t slots) : slots_(slots), groups_(slots) {
    dut_.clk_i = 0;
    dut_.rst_i = 1;
    dut_.launch_valid_i = dut_.arrive_valid_i = dut_.end_valid_i = 0;
    dut_.eval();
    tick();
    dut_.rst_i = 0;
    tick();  // reset acts a clock late
    tick();
  }
  ~Bench() { dut_.final(); }

  struct Group {
    std::set<uint32_t> left, waiting;
    uint32_t pc = 0;
    uint32_t full_since = 0;  ///< cycles since everybody waits
    uint64_t releases = 0;
    bool done_pending = false;
  };
  Group& group(uint32_t s) { return groups_[s]; }

  /// One clock. Returns the released slot, if any.
  std::optional<uint32_t> cycle(std::optional<Arrive> arrive, std::optional<std::pair<uint32_t, uint32_t>> end = {},
                                std::optional<Launch> launch = {}, const std::vector<uint32_t>& launch_waves = {}) {
    dut_.arrive_valid_i = arrive.has_value();
    if (arrive) dut_.arrive_slot_i = arrive->slot, dut_.arrive_wave_i = arrive->wave, dut_.arrive_pc_i = arrive->pc;
    dut_.end_valid_i = end.has_value();
    if (end) dut_.end_slot_i = end->first;
    dut_.launch_valid_i = launch.has_value();
    if (launch) dut_.launch_slot_i = launch->slot, dut_.launch_waves_i = launch->waves;
    dut_.eval();

    std::optional<uint32_t> released;
    if (dut_.release_valid_o) {
      released = dut_.release_slot_o;
      Group& g = groups_[*released];
      uint64_t mask = 0;
      for (uint32_t w : g.waiting) mask |= uint64_t{1} << w;
      EXPECT_FALSE(g.waiting.empty());
      EXPECT_EQ(g.waiting, g.left) << "slot " << *released << " released early";
      EXPECT_EQ(static_cast<uint64_t>(dut_.release_mask_o), mask);
      ++g.releases;
      g.waiting.clear(), g.full_since = 0;
    }
    uint64_t waiting = 0;
    for (const auto& g : groups_)
      for (uint32_t w : g.waiting) waiting |= uint64_t{1} << w;
    EXPECT_EQ(static_cast<uint64_t>(dut_.waiting_o), waiting);
    // The arrival of two cycles before has been compared.
    const std::optional<Arrive> compared = std::exchange(comparing_, std::exchange(arriving_, arrive));
    mismatch_ = compared && !groups_[compared->slot].waiting.empty() && groups_[compared->slot].pc != compared->pc;
    EXPECT_EQ(dut_.mismatch_o, mismatch_);
    EXPECT_EQ(dut_.arrived_o, compared && !mismatch_);
    if (dut_.group_done_valid_o) {
      EXPECT_TRUE(groups_[dut_.group_done_slot_o].done_pending);
      groups_[dut_.group_done_slot_o].done_pending = false;
    }
    for (const auto& g : groups_) EXPECT_FALSE(g.done_pending) << "end of a group not told";

    if (compared && !mismatch_) groups_[compared->slot].waiting.insert(compared->wave), groups_[compared->slot].pc = compared->pc;
    if (end) {
      Group& g = groups_[end->first];
      g.left.erase(end->second);
      g.done_pending = g.left.empty();
    }
    if (launch) groups_[launch->slot].left = {launch_waves.begin(), launch_waves.end()};
    for (auto& g : groups_) {
      if (g.waiting.empty() || g.waiting != g.left) continue;
      EXPECT_LE(++g.full_since, 2 * slots_ + 4) << "barrier hangs";  // one release in two cycles
    }
    tick();
    return released;
  }

  /// The slot that is released in the next six cycles: an arrival is compared, then counted; an end counts at once.
  std::optional<uint32_t> soon() {
    std::optional<uint32_t> released;
    for (int i = 0; i < 6 && !released; ++i) released = cycle({});
    return released;
  }
  /// Does nothing for so many cycles.
  void idle(int n) {
    while (n-- > 0) cycle({});
  }
  /// Whether the unit refuses this arrival.
  bool refused(const Arrive& a) {
    cycle(a);
    idle(2);
    return mismatch_;
  }
  /// Whether the wave's arrival is being compared.
  bool arriving(uint32_t wave) const { return (arriving_ && arriving_->wave == wave) || (comparing_ && comparing_->wave == wave); }
  void launch(uint32_t slot, uint32_t first, uint32_t count) {
    std::vector<uint32_t> waves;
    for (uint32_t i = 0; i < count; ++i) waves.push_back(first + i);
    cycle({}, {}, Launch{slot, count}, waves);
  }

 private:
  void tick() {
    dut_.clk_i = 1;
    dut_.eval();
    dut_.clk_i = 0;
    dut_.eval();
  }
  V dut_;
  uint32_t slots_;
  std::vector<Group> groups_;
  std::optional<Arrive> arriving_, comparing_;
  bool mismatch_ = false;
};

// Two groups on two slots, arrivals back to back, 256 rounds.
TEST(Barrier, TwoSlotsBackToBack) {
  Bench<Vbarrier_small> b(8);
  b.launch(0, 0, 2);
  b.launch(1, 2, 2);
  for (uint32_t round = 0; round < 256; ++round) {
    const Arrive order[] = {{0, 0, 10}, {1, 2, 10 + round}, {0, 1, 10}, {1, 3, 10 + round}};
    for (const auto& a : order) b.cycle(a);
    b.idle(7);
    ASSERT_EQ(b.group(0).releases, round + 1);
    ASSERT_EQ(b.group(1).releases, round + 1);
    ASSERT_FALSE(HasFailure());
  }
}

// One slot becomes full by an arrival about when another becomes full by an end: `late` cycles after the arrival came.
TEST(Barrier, ArrivalAndEndFillTwoSlotsAtOnce) {
  for (int late = 0; late < 5; ++late) {
    Bench<Vbarrier_small> b(8);
    b.launch(3, 0, 2);
    b.launch(5, 8, 3);
    b.cycle(Arrive{3, 0, 7});
    b.cycle(Arrive{5, 8, 9});
    b.cycle(Arrive{5, 9, 9});
    if (late > 0) b.cycle(Arrive{3, 1, 7});
    b.idle(late - 1);
    b.cycle(late > 0 ? std::nullopt : std::optional(Arrive{3, 1, 7}), std::pair{5u, 10u});
    b.idle(8);
    EXPECT_EQ(b.group(3).releases, 1u);
    EXPECT_EQ(b.group(5).releases, 1u);
  }
}

// An arrival and an end in one slot in the same cycle: the arrival is the last one.
TEST(Barrier, ArrivalAndEndOfOneSlotAtOnce) {
  Bench<Vbarrier_small> b(8);
  b.launch(2, 4, 3);
  b.cycle(Arrive{2, 4, 1});
  b.cycle(Arrive{2, 6, 1}, std::pair{2u, 5u});
  EXPECT_EQ(b.soon(), 2u);
}

// All waves of a group end while one waits; then the group ends; then the slot is used again by a group of another size.
TEST(Barrier, EndsLowerTheCountAndSlotIsReused) {
  Bench<Vbarrier_small> b(8);
  b.launch(1, 2, 4);
  b.cycle(Arrive{1, 3, 5});
  b.cycle({}, std::pair{1u, 2u});
  b.cycle({}, std::pair{1u, 4u});
  EXPECT_EQ(b.group(1).releases, 0u);
  b.cycle({}, std::pair{1u, 5u});
  EXPECT_EQ(b.soon(), 1u);
  b.cycle({}, std::pair{1u, 3u});
  b.cycle({});
  b.launch(1, 2, 1);
  b.cycle(Arrive{1, 2, 6});
  EXPECT_EQ(b.soon(), 1u);
}

// The last end of one group and the launch of another in the same cycle.
TEST(Barrier, EndAndLaunchAtOnce) {
  Bench<Vbarrier_small> b(8);
  b.launch(0, 0, 1);
  b.cycle({}, std::pair{0u, 0u}, Launch{4, 2}, {8, 9});
  b.cycle(Arrive{4, 8, 3});
  b.cycle(Arrive{4, 9, 3});
  EXPECT_EQ(b.soon(), 4u);
}

TEST(Barrier, OtherPcIsAMismatch) {
  Bench<Vbarrier_small> b(8);
  b.launch(0, 0, 2);
  b.launch(1, 2, 2);
  EXPECT_FALSE(b.refused({0, 0, 100}));
  EXPECT_TRUE(b.refused({0, 1, 101}));
  EXPECT_FALSE(b.refused({1, 2, 101}));  // another group
  b.idle(2);
  EXPECT_EQ(b.group(0).releases, 0u);    // refused, not counted
  b.cycle(Arrive{0, 1, 100});
  EXPECT_EQ(b.soon(), 0u);
  b.cycle(Arrive{0, 1, 101});            // a new round may wait elsewhere
  EXPECT_TRUE(b.refused({0, 0, 100}));   // one cycle after the arrival that sets the pc
  EXPECT_FALSE(b.refused({0, 0, 101}));
  EXPECT_EQ(b.soon(), 0u);
}

// Eight groups, a barrier in a loop of 1000: every released wave arrives again as soon as it can.
template <class V>
void many_rounds(uint32_t slots, uint32_t groups, uint32_t waves, uint32_t rounds) {
  Bench<V> b(slots);
  for (uint32_t g = 0; g < groups; ++g) b.launch(g, g * waves, waves);
  std::vector<std::vector<uint32_t>> to_come(groups);
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t w = 0; w < waves; ++w) to_come[g].push_back(g * waves + w);
  uint32_t turn = 0;
  uint64_t guard = uint64_t{rounds} * groups * waves * 4;
  auto finished = [&] {
    for (uint32_t g = 0; g < groups; ++g)
      if (b.group(g).releases < rounds) return false;
    return true;
  };
  while (!finished() && guard-- > 0 && !::testing::Test::HasFailure()) {
    std::optional<Arrive> a;
    for (uint32_t i = 0; i < groups && !a; ++i) {
      const uint32_t g = (turn + i) % groups;
      if (to_come[g].empty()) continue;
      a = Arrive{g, to_come[g].back(), 77};
      to_come[g].pop_back();
      turn = g + 1;
    }
    const auto released = b.cycle(a);
    if (released)
      for (uint32_t w = 0; w < waves; ++w) to_come[*released].push_back(*released * waves + w);
  }
  EXPECT_TRUE(finished());
}
TEST(Barrier, EightGroupsThousandRounds) { many_rounds<Vbarrier_small>(8, 8, 2, 1000); }
TEST(Barrier, EightGroupsOfOneWave) { many_rounds<Vbarrier_small>(8, 8, 1, 1000); }
TEST(Barrier, SixteenGroupsBase) { many_rounds<Vbarrier_base>(16, 16, 4, 300); }

template <class V>
void random_traffic(uint32_t slots, uint32_t waves, uint64_t seed, uint32_t cycles) {
  Bench<V> b(slots);
  Rng rng(seed);
  const uint32_t per_group = waves / slots;
  std::vector<uint32_t> pcs(slots, 0);
  uint64_t launches = 0;
  for (uint32_t n = 0; n < cycles && !::testing::Test::HasFailure(); ++n) {
    std::optional<Arrive> a;
    std::optional<std::pair<uint32_t, uint32_t>> e;
    std::optional<Launch> l;
    std::vector<uint32_t> l_waves;
    const uint32_t s = pick(rng, slots);
    auto runs = [&](uint32_t slot) {
      std::vector<uint32_t> v;
      for (uint32_t w : b.group(slot).left)
        if (!b.group(slot).waiting.count(w) && !b.arriving(w)) v.push_back(w);
      return v;
    };
    if (const auto v = runs(s); !v.empty() && pick(rng, 8)) {
      if (b.group(s).waiting.empty()) pcs[s] = pick(rng, 1u << 24);
      a = Arrive{s, v[pick(rng, static_cast<uint32_t>(v.size()))], pick(rng, 20) ? pcs[s] : pcs[s] ^ (1u << pick(rng, 24))};
    }
    const uint32_t s2 = pick(rng, 3) ? s : pick(rng, slots);
    if (auto v = runs(s2); !v.empty() && pick(rng, 6) == 0) {
      if (a) std::erase(v, a->wave);
      if (!v.empty()) e = {s2, v[pick(rng, static_cast<uint32_t>(v.size()))]};
    }
    const uint32_t s3 = pick(rng, slots);
    if (b.group(s3).left.empty() && !b.group(s3).done_pending && pick(rng, 2)) {
      l = Launch{s3, 1 + pick(rng, per_group)};
      for (uint32_t i = 0; i < l->waves; ++i) l_waves.push_back(s3 * per_group + i);
      ++launches;
    }
    b.cycle(a, e, l, l_waves);
  }
  uint64_t releases = 0;
  for (uint32_t s = 0; s < slots; ++s) releases += b.group(s).releases;
  EXPECT_GT(releases, cycles / 50);
  EXPECT_GT(launches, cycles / 200);
}
TEST(Barrier, RandomSmall) { random_traffic<Vbarrier_small>(8, 16, 1, 200000); }
TEST(Barrier, RandomBase) { random_traffic<Vbarrier_base>(16, 64, 2, 200000); }

}  // namespace
