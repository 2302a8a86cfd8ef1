// What the machine promises in cycles and bursts, by its own counters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace maskwork::suite {
namespace {

using isa::Counter;

std::optional<isa::Config> rtl(const char* name) {
  for (const auto& c : rtl_configs())
    if (c.name == name) return c;
  return std::nullopt;
}

// Eight waves of a chain of FMAs: at least 95 of 100 cycles issue a beat, up to 16 lanes.
TEST(Issue, EightWavesOfAnFmaChainFillThePipeline) {
  for (const auto& config : rtl_configs()) {
    if (config.lanes > 16 || config.group_threads < 256) continue;
    std::string chain;
    for (int i = 0; i < 400; ++i) chain += "    MAD.F32 r0, r0, r1, r2\n";
    Bench bench(microcode(".group 256 1 1\n" + chain + "    END wait(axi,shared)\n"));
    const Outcome o = bench.on_rtl(config, 1, verif::AxiProfile::ideal());
    ASSERT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_EQ(o.counter(Counter::WordsAlu), 8u * 400u);
    const double busy = static_cast<double>(o.counter(Counter::Beats)) / static_cast<double>(o.counter(Counter::BusyCycles));
    EXPECT_GE(busy, 0.95) << config.name << ": " << o.counter(Counter::Beats) << " beats in " << o.counter(Counter::BusyCycles) << " cycles";
    RecordProperty(std::string(config.name) + "_issue_percent", static_cast<int>(1000 * busy));
  }
}

/// One wave reads (or writes) with this address; the counters of the run on a configuration.
Outcome access(const isa::Config& config, const std::string& address, bool store, uint32_t threads = 32) {
  Bench bench(microcode(fmt::format(".group {} 1 1\n.slot storage 0 0 rest\n{}    {}\n    END wait(axi,shared)\n", threads, address,
                                    store ? "STB.U32 s0[r1], r0" : "LDB.U32 r2, s0[r1] wait(axi) acquire")));
  bench.zeros(0, 4096);
  const Outcome o = bench.on_rtl(config, 1, {});
  EXPECT_TRUE(o.result.ok()) << config.name << o.result.mismatch;
  return o;
}

TEST(Coalescing, ConsecutiveWordsAreOneBurst) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    const char* consecutive = "    SHL.U32 r1, localindex, 2\n";
    const Outcome load = access(config, consecutive, false);
    EXPECT_EQ(load.counter(Counter::AxiReads), 1u);
    EXPECT_EQ(load.counter(Counter::AxiReadBytes), 128u);
    const Outcome store = access(config, consecutive, true);
    EXPECT_EQ(store.counter(Counter::AxiWrites), 1u);
    EXPECT_EQ(store.counter(Counter::AxiWriteBytes), 128u);
    EXPECT_EQ(store.counter(Counter::AxiReads), 0u);
  }
}

TEST(Coalescing, OrderInsideTheLineDoesNotMatter) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    const Outcome o = access(config, "    SHL.U32 r1, localindex, 2\n    XOR.U32 r1, r1, 124\n", false);
    EXPECT_EQ(o.counter(Counter::AxiReads), 1u);
    EXPECT_EQ(o.counter(Counter::AxiReadBytes), 128u);
  }
}

TEST(Coalescing, EqualAddressesAreOneAccess) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    const Outcome o = access(config, "    MOV.U32 r1, 64\n", false);
    EXPECT_EQ(o.counter(Counter::AxiReads), 1u);
    EXPECT_EQ(o.counter(Counter::AxiReadBytes), config.axi_bits / 8);  // one transfer of the bus
    const Outcome store = access(config, "    MOV.U32 r1, 64\n", true);
    EXPECT_EQ(store.counter(Counter::AxiWrites), 1u);
    EXPECT_EQ(store.counter(Counter::AxiWriteBytes), 4u);  // the highest thread's word
  }
}

TEST(Coalescing, TwoLinesAreTwoBursts) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    const Outcome o = access(config, "    SHL.U32 r1, localindex, 2\n    ADD.U32 r1, r1, 64\n", false);
    EXPECT_EQ(o.counter(Counter::AxiReads), 2u);
    EXPECT_EQ(o.counter(Counter::AxiReadBytes), 128u);
    const Outcome scattered = access(config, "    SHL.U32 r1, localindex, 7\n", false);
    EXPECT_EQ(scattered.counter(Counter::AxiReads), 32u);
  }
}

TEST(SharedMemory, WithoutConflictsEveryBankWorks) {
  const auto config = rtl("base");
  if (!config) GTEST_SKIP() << "configuration base is not in this build";
  // Eight waves, each with loads into a hundred registers, none with a conflict; nothing waits before the end.
  std::string loads;
  for (int i = 0; i < 100; ++i) loads += fmt::format("    LDS.U32 r{}, [r1 + {}]\n", 2 + i, 128 * (i % 4));
  Bench bench(microcode(".group 256 1 1\n.registers 104\n.shared 4096\n    SHL.U32 r1, threadid, 2\n" + loads + "    END wait(axi,shared)\n"));
  const Outcome o = bench.on_rtl(*config, 1, verif::AxiProfile::ideal());
  ASSERT_TRUE(o.result.ok()) << o.result.mismatch;
  EXPECT_EQ(o.counter(Counter::BankConflicts), 0u);
  const double busy = static_cast<double>(o.counter(Counter::SharedWords)) / (static_cast<double>(o.counter(Counter::BusyCycles)) * config->banks);
  EXPECT_GE(busy, 0.95) << o.counter(Counter::SharedWords) << " words in " << o.counter(Counter::BusyCycles) << " cycles";
}

TEST(Counters, EqualOnBothEngines) {
  // The harness compares them in every lockstep run; here their values are known.
  Bench bench(microcode(R"(.group 40 1 1
.slot storage 0 0 rest
.shared 64
    SHL.U32 r1, localindex, 2
    STB.U32 s0[r1], r0
    STS.U32 [r1], r0
    BAR
    NOP
    END wait(axi,shared)
)"));
  bench.groups(3).zeros(0, 40);
  bench.everywhere([](const Outcome& o) {
    EXPECT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_EQ(o.counter(Counter::Words), 6u * 6u);  // 3 groups of 2 waves, 6 words
    EXPECT_EQ(o.counter(Counter::WordsAlu), 6u);
    EXPECT_EQ(o.counter(Counter::WordsMemory), 6u);
    EXPECT_EQ(o.counter(Counter::WordsShared), 6u);
    EXPECT_EQ(o.counter(Counter::WordsFlow), 18u);
    EXPECT_EQ(o.counter(Counter::LaneOps), 3u * 40u * 3u);
    EXPECT_EQ(o.counter(Counter::BarrierArrivals), 6u);
    EXPECT_EQ(o.counter(Counter::Groups), 3u);
  });
}

}  // namespace
}  // namespace maskwork::suite
