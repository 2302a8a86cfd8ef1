// Counters of waiting, of fetches, passes and beats, with values that follow from the program and from the memory's latency. Where a counter's
// absolute value depends on the pipeline's length, two runs that differ in one known thing differ by a known number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace maskwork::suite {
namespace {

using isa::Counter;

/// A memory that answers every access after exactly this many cycles.
verif::AxiProfile latency(uint32_t cycles) { return {cycles, cycles, 0, 0, 0, 16}; }

Outcome run(const Bench& bench, const isa::Config& config, uint32_t cycles) {
  const Outcome o = bench.on_rtl(config, 1, latency(cycles));
  EXPECT_TRUE(o.result.ok()) << config.name << ": " << o.result.mismatch;
  return o;
}

std::string repeat(int times, const std::string& line) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

TEST(StallCounters, SemaphoreWaitGrowsWithTheMemorysLatency) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    // One wave, three loads of one burst each, one after the other: each waits for the whole latency. Eight words are one line of the
    // instruction cache, so no fetch comes between.
    const std::string load = "    LDB.U32 r2, s0[r1] wait(axi) acquire\n    ADD.U32 r3, r2, r3 wait(axi)\n";
    Bench bench(microcode(".group 32 1 1\n.slot storage 0 0 rest\n    SHL.U32 r1, localindex, 2\n" + repeat(3, load) + "    END wait(axi,shared)\n"));
    bench.zeros(0, 32);
    const Outcome near = run(bench, config, 20), far = run(bench, config, 120);
    EXPECT_EQ(far.counter(Counter::StallSemaphore) - near.counter(Counter::StallSemaphore), 3u * 100u);
  }
}

TEST(StallCounters, NoMemoryNoWait) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    Bench bench(microcode(".group 32 1 1\n" + repeat(20, "    ADD.U32 r1, r1, r2\n") + "    END wait(axi,shared)\n"));
    const Outcome o = run(bench, config, 20);
    for (const Counter c : {Counter::StallSemaphore, Counter::StallMemory, Counter::StallSpecial, Counter::BarrierWait, Counter::AxiReads, Counter::AxiWrites, Counter::SharedPasses})
      EXPECT_EQ(o.counter(c), 0u) << isa::counters[static_cast<size_t>(c)].name;
  }
}

TEST(StallCounters, FetchMissesAreTheLinesOfTheProgram) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    // 40 words without a jump: five lines of eight words.
    Bench bench(microcode(".group 32 1 1\n" + repeat(39, "    ADD.U32 r1, r1, r2\n") + "    END wait(axi,shared)\n"));
    const Outcome near = run(bench, config, 20), far = run(bench, config, 520);
    EXPECT_EQ(near.counter(Counter::FetchMisses), 5u);
    EXPECT_EQ(far.counter(Counter::FetchMisses), 5u);
    // The first line is waited for in full; later ones may be asked for ahead of time.
    EXPECT_GE(far.counter(Counter::StallFetch), near.counter(Counter::StallFetch) + 500u);
    EXPECT_LE(far.counter(Counter::StallFetch), near.counter(Counter::StallFetch) + 5u * 500u);
  }
}

TEST(StallCounters, BarrierWaitIsTheOtherWavesWork) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    // Wave 1 reaches BAR at once, wave 0 after a number of words; each word costs the same time.
    const auto bench = [](int words) {
      Bench b(microcode(".group 64 1 1\n    SLT.U32 -, localindex, 32 cc0.x=\n    JUMP join func(33) stay(incr) jump(incr) if(NE cc0.x)\n" + repeat(words, "    ADD.U32 r1, r1, r2\n") +
                        "join:\n    JUMP next func(00) any stay(decr) levels(1)\nnext:\n    BAR\n    END wait(axi,shared)\n"));
      return b;
    };
    const auto wait = [&](int words) { return static_cast<int64_t>(run(bench(words), config, 20).counter(Counter::BarrierWait)); };
    const int64_t few = wait(100), more = wait(200), most = wait(300);
    EXPECT_GT(more, few);
    EXPECT_NEAR(static_cast<double>(most - more), static_cast<double>(more - few), 0.2 * static_cast<double>(more - few));
    EXPECT_GE(more - few, 100 * 10);  // a word of a lone wave takes longer than the lane's ten clocks
  }
}

TEST(StallCounters, RoomInTheUnits) {
  for (const auto& config : rtl_configs()) {
    if (config.waves_partial < 8 || config.group_threads < 256) continue;
    SCOPED_TRACE(config.name);
    // One wave never finds a unit full that it waits for anyway; eight waves that all want the special unit do.
    const auto special = [](uint32_t threads) {
      return Bench(microcode(fmt::format(".group {} 1 1\n", threads) + repeat(8, "    RCP.F32 r1, r2\n") + "    END wait(axi,shared)\n"));
    };
    EXPECT_EQ(run(special(32), config, 20).counter(Counter::StallSpecial), 0u);
    EXPECT_GT(run(special(256), config, 20).counter(Counter::StallSpecial), 0u);
    const auto memory = [](uint32_t threads) {
      Bench b(microcode(fmt::format(".group {} 1 1\n.slot storage 0 0 rest\n    SHL.U32 r1, localindex, 2\n", threads) + repeat(8, "    STB.U32 s0[r1], r2\n") + "    END wait(axi,shared)\n"));
      return b.zeros(0, threads);
    };
    EXPECT_GT(run(memory(256), config, 100).counter(Counter::StallMemory), run(memory(32), config, 100).counter(Counter::StallMemory));
  }
}

TEST(StallCounters, BeatsAndPasses) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    const uint32_t beats = 32 / config.lanes;
    // A wave of 32 threads: 10 ALU words and one load of shared memory, the same word for all threads (one pass for each beat).
    Bench bench(microcode(".group 32 1 1\n.shared 64\n    MOV.U32 r1, 0\n" + repeat(9, "    ADD.U32 r2, r2, r3\n") + "    LDS.U32 r4, [r1] wait(shared) acquire\n    END wait(axi,shared)\n"));
    const Outcome o = run(bench, config, 20);
    EXPECT_GE(o.counter(Counter::Beats), 11u * beats);
    EXPECT_LE(o.counter(Counter::Beats), 12u * beats);  // END has at most as many
    EXPECT_EQ(o.counter(Counter::SharedPasses), beats);
    EXPECT_EQ(o.counter(Counter::BankConflicts), 0u);
    EXPECT_EQ(o.counter(Counter::SharedWords), 32u);
    EXPECT_GE(o.counter(Counter::Cycles), o.counter(Counter::BusyCycles));
  }
}

}  // namespace
}  // namespace maskwork::suite
