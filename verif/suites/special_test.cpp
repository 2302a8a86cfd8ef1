// Words of the special unit, global memory, address checks and float atomics in microcode text, on the model and in lockstep on every configuration.
// What the functions give is tested in the unit's own tests; here: who executes, what is written, when the wave goes on, and faults beside other waves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "bench.hpp"
#include "words.hpp"

namespace maskwork::suite {
namespace {

using isa::Counter;

constexpr const char* store_r0 = R"(
    SHL.U32 r1, localindex, 2
    STB.U32 s0[r1], r0
    END wait(axi,shared)
)";

/// r0 of every thread after `body`, which finds the thread's number in the group in r5 and 77 in r0.
void expect_r0(const std::string& body, uint32_t threads, const std::function<uint32_t(uint32_t)>& value) {
  Bench bench(microcode(fmt::format(".group {} 1 1\n.slot storage 0 0 rest\n    MOV.U32 r5, localindex\n    MOV.U32 r0, 77\n{}{}", threads, body, store_r0)));
  bench.zeros(0, threads);
  std::vector<uint32_t> want;
  for (uint32_t t = 0; t < threads; ++t) want.push_back(value(t));
  bench.expect(0, want);
}

TEST(Special, ResultIsThereForTheNextWord) {
  expect_r0("    MUL.U32 r2, r5, 0x01010101\n    BTC.U32 r0, r2\n    ADD.U32 r0, r0, r0\n", 40, [](uint32_t t) { return 2 * static_cast<uint32_t>(std::popcount(t * 0x01010101u)); });
}

TEST(Special, ChainOfWords) {
  std::string chain = "    MOV.U32 r0, 0xffffffff\n";
  for (int i = 0; i < 6; ++i) chain += "    DIV.U32 r0, r0, 3\n    BFR.U32 r0, r0\n    BFR.U32 r0, r0\n";
  expect_r0(chain, 64, [](uint32_t) { return 0xffffffffu / 729; });
}

TEST(Special, PredicateGatesTheWriteOnly) {
  // The ballot counts every thread of E, whatever the predicate says.
  expect_r0("    SLT.U32 -, r5, 10 cc1.y=\n    TGBALLOT.U32 r0, r5 if(NE cc1.y)\n", 32, [](uint32_t t) { return t < 10 ? 0xfffffffeu : 77u; });
  expect_r0("    TGBALLOT.U32 r0, r5 if(FL)\n    ADD.U32 r0, r0, 1\n", 32, [](uint32_t) { return 78u; });
}

TEST(Special, MissingThreadsOfTheLastWave) {
  expect_r0("    TGBALLOT.U32 r0, 1\n", 45, [](uint32_t t) { return t < 32 ? 0xffffffffu : 0x1fffu; });
  // From a missing thread a shuffle gives the own value.
  expect_r0("    MOV.U32 r4, 31\n    SHFDOWN.U32 r0, r5, 8, r4\n", 45, [](uint32_t t) { return t < 32 ? (t + 8 < 32 ? t + 8 : t) : (t + 8 < 45 ? t + 8 : t); });
}

TEST(Special, InactiveThreads) {
  // Only odd threads execute; whole beats of nobody are skipped in the other program.
  const char* odd = R"(
    MOV.U32 r4, 31
    AND.U32 -, r5, 1 cc0.x=
    JUMP over func(33) stay(incr) jump(incr) if(NE cc0.x)
    TGBALLOT.U32 r0, 1
    SHFXOR.U32 r2, r5, 3, r4
    ADD.U32 r0, r0, r2
over:
    JUMP 9 func(00) any stay(decr) levels(1)
)";
  // xor 3 leads to an even thread, which does not execute
  expect_r0(odd, 32, [](uint32_t t) { return t % 2 == 0 ? 77u : 0xaaaaaaaau + t; });
  const char* late = R"(
    SGE.U32 -, r5, 24 cc0.x=
    JUMP over func(33) stay(incr) jump(incr) if(NE cc0.x)
    TGBALLOT.U32 r0, 1
over:
    JUMP 6 func(00) any stay(decr) levels(1)
)";
  expect_r0(late, 32, [](uint32_t t) { return t < 24 ? 77u : 0xff000000u; });
}

TEST(Special, NobodyExecutes) {
  // ELSE of a block that everybody entered: the words behind it have no thread at all.
  const char* body = R"(
    JUMP 3 func(00) any stay(incr)
    JUMP 4 func(00) any else
    BTC.U32 r0, r5
    TGALL.U32 r0, r5
    BTC.U32 r0, r5
    JUMP 8 func(00) any stay(decr) levels(1)
    ADD.U32 r0, r0, 1
)";
  expect_r0(body, 32, [](uint32_t) { return 78u; });
}

TEST(Special, RegisterWindow) {
  // Eight registers: a destination outside writes nothing and does not hold the wave up, a source outside reads 0; the last register is one.
  expect_r0("    BTC.U32 r8, 0xff\n    BTC.U32 r1023, 0xff\n    ADD.U32 r0, r0, 1\n", 32, [](uint32_t) { return 78u; });
  expect_r0("    BTC.U32 r0, r8\n", 32, [](uint32_t) { return 0u; });
  expect_r0("    BTC.U32 r7, r5\n    MOV.U32 r0, r7\n", 32, [](uint32_t t) { return static_cast<uint32_t>(std::popcount(t)); });
}

TEST(Special, RelativeSources) {
  expect_r0("    AND.U32 r6, r5, 1\n    MOVA.U32 r6\n    MOV.U32 r2, 0x0f\n    MOV.U32 r3, 0xf1\n    BTC.U32 r0, r2[a0]\n", 32, [](uint32_t t) { return t % 2 == 0 ? 4u : 5u; });
}

TEST(Special, BesideLoadsOfOtherWavesAndItsOwn) {
  // Loads of both memories come back while results of the special unit do.
  std::string body = "    SHL.U32 r1, r5, 2\n    STS.U32 [r1], r5\n    FENCE_SHARED.U32 wait(shared) acquire\n";
  for (int i = 0; i < 8; ++i)
    body += "    LDB.U32 r2, s1[r1] wait(axi)\n    LDS.U32 r3, [r1] wait(shared)\n    BTC.U32 r4, r5\n    FENCE_AXI.U32 wait(axi) acquire\n    FENCE_SHARED.U32 wait(shared) acquire\n"
            "    BFR.U32 r6, r5\n    ADD.U32 r2, r2, r3 wait(axi,shared)\n    BFR.U32 r6, r6\n    ADD.U32 r2, r2, r4\n    ADD.U32 r0, r2, r6\n";
  for (const uint32_t threads : {64u, 256u}) {
    Bench bench(microcode(fmt::format(".group {} 1 1\n.shared {}\n.slot storage 0 0 rest\n.slot storage 1 0 rest\n    MOV.U32 r5, localindex\n{}{}", threads, 4 * threads, body, store_r0)));
    std::vector<uint32_t> in(threads), want;
    for (uint32_t t = 0; t < threads; ++t) {
      in[t] = 1000 * t;
      want.push_back(1002 * t + static_cast<uint32_t>(std::popcount(t)));
    }
    bench.zeros(0, threads).storage(1, in);
    bench.expect(0, want);
  }
}

TEST(Special, MoreWavesThanTheUnitHolds) {
  for (const uint32_t threads : {64u, 256u, 1024u})
    expect_r0("    ADD.U32 r2, r5, 1\n    DIV.U32 r0, 100000, r2\n    BTC.U32 r3, r0\n    DIV.U32 r0, r0, r3\n", threads, [](uint32_t t) {
      const uint32_t q = 100000 / (t + 1), bits = static_cast<uint32_t>(std::popcount(q));
      return q / bits;
    });
}

TEST(Special, Counters) {
  Bench bench(microcode(".group 64 1 1\n    ADD.U32 r1, localindex, 1\n    DIV.U32 r0, 7, r1\n    BTC.U32 r0, r1 if(FL)\n    TGALL.U32 r2, r1\n    MOV.U32 r3, r2\n    END wait(axi,shared)\n"));
  bench.groups(4).everywhere([](const Outcome& o) {
    EXPECT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_EQ(o.counter(Counter::WordsSpecial), 4u * 2 * 3);
    EXPECT_EQ(o.counter(Counter::WordsAlu), 4u * 2 * 5);
    EXPECT_EQ(o.counter(Counter::LaneOps), 4u * 64 * 5);
  });
  // Eight waves want a unit that holds two words.
  std::string many;
  for (int i = 0; i < 20; ++i) many += "    DIV.U32 r0, 7, r1\n";
  Bench crowd(microcode(".group 256 1 1\n    ADD.U32 r1, localindex, 1\n" + many + "    END wait(axi,shared)\n"));
  for (const auto& config : rtl_configs()) {
    if (!crowd.fits(config)) continue;
    const Outcome o = crowd.on_rtl(config, 1, {});
    EXPECT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_GT(o.counter(Counter::StallSpecial), o.counter(Counter::Cycles)) << config.name;  // several waves at a time
  }
}

TEST(Special, FaultOfAnotherWaveMeanwhile) {
  // Wave 1 runs into a bad END while wave 0's words are in the unit: they are finished and recorded.
  for (int delay = 0; delay < 6; ++delay) {
    std::string pause;
    for (int i = 0; i < delay; ++i) pause += "    MOV.U32 r2, r2\n";
    Bench bench(microcode(fmt::format(R"(.group 64 1 1
    MOV.U32 r5, localindex
    SLT.U32 -, r5, 32 cc0.x=
    JUMP other func(33) if(NE cc0.x)
    DIV.U32 r0, 1000, r5
    BTC.U32 r0, r5
    DIV.U32 r0, 1000, r5
    END wait(axi,shared)
other:
{}    END
)", pause)));
    bench.expect_fault(isa::Fault::SEMAPHORE, 7u + static_cast<uint32_t>(delay), 1);
    if (HasFailure()) return;
  }
}

TEST(Uniform, WavesOfTheConfiguration) {
  for (const bool full : {false, true}) {
    Bench bench(microcode(std::string(full ? ".flow full\n" : ".flow partial\n") + ".slot storage 0 0 rest\n    MOV.U32 r0, waves_max\n" + store_r0));
    bench.zeros(0, 32);
    bench.everywhere([&](const Outcome& o) { EXPECT_EQ(o.storage.at(0), std::vector<uint32_t>(32, o.config.waves(full))); });
  }
}

// ------------------------------------------------------------------------------------------------------------- global
const uint32_t first = Memory::first_address;  // where the first buffer lies

TEST(Global, LoadStoreAtomic) {
  Bench bench(microcode(fmt::format(R"(.slot storage 0 0 rest
    SHL.U32 r1, localindex, 4
    ADD.U32 r1, r1, {0}
    LDG.U32X4 r2, [r1] wait(axi) acquire
    ADD.U32 r2, r2, r3 wait(axi)
    ADD.U32 r2, r2, r4
    ADD.U32 r2, r2, r5
    STG.U32 [r1 + 4], r2
    MOV.U32 r6, 1
    ATOMG.ADD.U32 r7, [{0}], r6
    ATOMG.ADD.U32 -, [r1 + 8], r2
    END wait(axi,shared)
)", first)));
  std::vector<uint32_t> in(128), want;
  for (uint32_t i = 0; i < 128; ++i) in[i] = i * i;
  want = in;
  want[0] += 32;
  for (uint32_t t = 0; t < 32; ++t) {
    const uint32_t sum = in[4 * t] + in[4 * t + 1] + in[4 * t + 2] + in[4 * t + 3];
    want[4 * t + 1] = sum;
    want[4 * t + 2] += sum;
  }
  bench.storage(0, in);
  bench.expect(0, want);
}

TEST(Global, SlotsDoNotMatter) {
  // Slot 0 has a base and a bound; a global word uses neither.
  Bench bench(microcode(fmt::format(".slot storage 0 64 16\n    MOV.U32 r0, 9\n    STG.U32 [{}], r0\n    STG.U32 [{}], r0\n    END wait(axi,shared)\n", first, first + 124)));
  bench.zeros(0, 32);
  std::vector<uint32_t> want(32);
  want[0] = want[31] = 9;
  bench.expect(0, want);
}

TEST(Global, NoMemoryThere) {
  // Every address is in bounds, the last one too.
  for (const uint32_t address : {0u, 0xfffffff0u}) {
    Bench bench(microcode(fmt::format("    LDG.U32X4 r0, [0x{:08x}] wait(axi) acquire\n    MOV.U32 r0, r0 wait(axi)\n    END wait(axi,shared)\n", address)));
    for (const auto& config : rtl_configs()) {
      const Outcome o = bench.on_rtl(config, 1, {});
      EXPECT_EQ(o.result.mismatch, "") << config.name;
      EXPECT_EQ(o.result.fault.code, isa::Fault::BUS_ERROR) << config.name;
      EXPECT_EQ(o.result.fault.pc, 0u) << config.name;
    }
  }
  Bench misaligned(microcode(fmt::format("    LDG.U32X2 r0, [{}] wait(axi) acquire\n    END wait(axi,shared)\n", first + 4)));
  misaligned.expect_fault(isa::Fault::MISALIGNED, 0, 0, 0xffffffffu);
}

TEST(Check, UpperHalves) {
  Bench good(microcode("    MOV.U32 r1, 0\n    CKA.U32 r1\n    CKA.U32 r8\n    END wait(axi,shared)\n"));
  good.everywhere([](const Outcome& o) {
    EXPECT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_EQ(o.counter(Counter::WordsMemory), 2u);
  });
  for (const uint32_t bit : {0u, 5u, 31u}) {
    Bench bad(microcode(fmt::format("    MOV.U32 r1, 0\n    SEQ.U32 -, localindex, 19 cc0.x=\n    MOV.U32 r1, 0x{:x} if(NE cc0.x)\n    CKA.U32 r1\n    END wait(axi,shared)\n", 1u << bit)));
    bad.expect_fault(isa::Fault::ADDRESS, 3, 0, 1u << 19);
  }
  // An inactive thread's register does not matter.
  Bench inactive(microcode(R"(
    SNE.U32 r1, localindex, 3 cc0.x=
    SEQ.U32 r1, localindex, 3
    JUMP out func(33) stay(incr) jump(incr) if(NE cc0.x)
    CKA.U32 r1
out:
    JUMP 5 func(00) any stay(decr) levels(1)
    END wait(axi,shared)
)"));
  inactive.everywhere([](const Outcome& o) { EXPECT_TRUE(o.result.ok()) << o.result.mismatch; });
}

TEST(Check, FaultBesideMemoryWordsOfOtherWaves) {
  // The access behind the bad check does not happen; what other waves had under way may have been performed or not.
  for (const uint32_t bad_wave : {0u, 1u, 3u})
    for (int delay = 0; delay < 4; ++delay) {
      std::string pause;
      for (int i = 0; i < delay; ++i) pause += "    MOV.U32 r6, r6\n";
      Bench bench(microcode(fmt::format(R"(.group 128 1 1
.slot storage 0 0 rest
.shared 512
    SHL.U32 r2, localindex, 2
    ADD.U32 r3, r2, {}
    SHR.U32 r4, localindex, 5
    SEQ.U32 r1, r4, {} cc0.x=
    JUMP check func(33) if(EQ cc0.x)
    LDG.U32 r5, [r3] wait(axi) acquire
    STS.U32 [r2], r5 wait(axi)
    STG.U32 [r3], r2
check:
{}    CKA.U32 r1
    STG.U32 [r3], r1
    FENCE_AXI.U32 wait(axi) acquire
    FENCE_SHARED.U32 wait(shared) acquire
    END wait(axi,shared)
)", first, bad_wave, pause)));
      bench.zeros(0, 128);
      bench.everywhere([&](const Outcome& o) {
        EXPECT_EQ(o.result.fault.code, isa::Fault::ADDRESS);
        EXPECT_EQ(o.result.fault.wave, bad_wave);
        EXPECT_EQ(o.result.fault.lanes, 0xffffffffu);
        for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.storage.at(0)[32 * bad_wave + t], 0u);
      });
      if (HasFailure()) return;
    }
}

// ------------------------------------------------------------------------------------------------------ float atomics
TEST(FloatAtomics, SumInThreadOrder) {
  // 2^24 + 1 + 1 + ... stays 2^24, thread by thread; from small to large it would not. All three memories.
  const auto program = [](const std::string& atomic, const std::string& load) {
    return microcode(fmt::format(R"(.shared 4
.slot storage 0 0 rest
.slot storage 1 0 rest
    MOV.U32 r2, 1.0
    MOV.U32 r3, 0
    STS.U32 [0], r3
    SEQ.U32 -, localindex, 0 cc0.x=
    MOV.U32 r2, 16777216.0 if(NE cc0.x)
    {}
    FENCE_AXI.U32 wait(axi) acquire
    FENCE_SHARED.U32 wait(shared) acquire
    {}
    FENCE_AXI.U32 wait(axi) acquire
    FENCE_SHARED.U32 wait(shared) acquire
    NOP wait(axi,shared)
)", atomic, load) + store_r0);
  };
  for (const auto& [atomic, load] : {std::pair<std::string, std::string>{"ATOMS.ADD.F32 r4, [0], r2", "LDS.U32 r0, [0] wait(shared)"},
                                     {"ATOMB.ADD.F32 r4, s1[0], r2", "LDB.U32 r0, s1[0] wait(axi)"}}) {
    Bench bench(program(atomic, load));
    bench.zeros(0, 32).zeros(1, 1);
    bench.expect(0, std::vector<uint32_t>(32, std::bit_cast<uint32_t>(16777216.0f)));
  }
}

}  // namespace
}  // namespace maskwork::suite
