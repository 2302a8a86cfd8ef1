// Directed tests of the machine in microcode text and source, on the model and in lockstep on every configuration: dispatch, groups, barriers,
// semaphores, modes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace maskwork::suite {
namespace {

constexpr const char* store_index = R"(
    SHL.U32 r1, localindex, 2
    STB.U32 s0[r1], r0
    END wait(axi,shared)
)";

// ---------------------------------------------------------------------------------------------------------- dispatch
TEST(Dispatch, EmptyInAnyDimension) {
  for (uint32_t d = 0; d < 3; ++d) {
    Bench bench(microcode(std::string(".slot storage 0 0 rest\n    MOV.U32 r0, 7\n") + store_index));
    bench.zeros(0, 32).groups(d == 0 ? 0 : 3, d == 1 ? 0 : 3, d == 2 ? 0 : 3);
    bench.everywhere([](const Outcome& o) {
      EXPECT_TRUE(o.result.ok());
      EXPECT_EQ(o.storage.at(0), std::vector<uint32_t>(32));
      EXPECT_EQ(o.counter(isa::Counter::Words), 0u);
      EXPECT_EQ(o.counter(isa::Counter::Groups), 0u);
    });
  }
}

TEST(Dispatch, ManyGroupsInThreeDimensions) {
  // Each group adds 1 to its own word; more groups than are ever resident.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 5;
STORAGE s[] = { program.storage[0] };
TEMP R0, R1;
MAD.U R0.x, invocation.groupid.z, invocation.groupcount.y, invocation.groupid.y;
MAD.U R0.x, R0.x, invocation.groupcount.x, invocation.groupid.x;
SHL.U R0.x, R0.x, 2;
MOV.U R1.x, 1;
ATOMB.ADD.U32 R1.y, R1, s[R0.x];
END
)"));
  bench.groups(7, 5, 3).zeros(0, 105);
  bench.expect(0, std::vector<uint32_t>(105, 5));
}

TEST(Dispatch, ManySmallGroupsWithoutHostWork) {
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 1;
STORAGE s[] = { program.storage[0] };
TEMP R0;
MOV.U R0.x, invocation.groupid.x;
ATOMB.ADD.U32 R0.y, R0, s[0];
END
)"));
  bench.one_seed = !nightly();
  const uint32_t n = nightly() ? 65535 : 2000;
  bench.groups(n).zeros(0, 1);
  bench.expect(0, {static_cast<uint32_t>(uint64_t{n} * (n - 1) / 2)});
}

TEST(Dispatch, LocalIdsOfOddGroups) {
  // localid and localindex of a group of 7 x 3 x 2, against their definition.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 7 3 2;
STORAGE s[] = { program.storage[0] };
TEMP R0, R1;
MOV.U R0.xyz, invocation.localid;
MAD.U R0.w, invocation.groupid.x, 42, invocation.localindex;
SHL.U R0.w, R0.w, 2;
SHL.U R1.x, R0.y, 8;
SHL.U R1.y, R0.z, 16;
OR.U R0.x, R0.x, R1.x;
OR.U R0.x, R0.x, R1.y;
STB.U32 R0, s[R0.w];
END
)"));
  std::vector<uint32_t> want;
  for (uint32_t g = 0; g < 3; ++g)
    for (uint32_t z = 0; z < 2; ++z)
      for (uint32_t y = 0; y < 3; ++y)
        for (uint32_t x = 0; x < 7; ++x) want.push_back(x | y << 8 | z << 16);
  bench.groups(3).zeros(0, want.size());
  bench.expect(0, want);
}

TEST(Dispatch, GlobalIds) {
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 4 3;
STORAGE s[] = { program.storage[0] };
TEMP R0, R1;
MOV.U R0, invocation.globalid;
MUL.U R1.x, invocation.groupcount.x, 4;
MAD.U R1.x, R0.y, R1.x, R0.x;
SHL.U R1.x, R1.x, 2;
MAD.U R0.x, R0.y, 1000, R0.x;
STB.U32 R0, s[R1.x];
END
)"));
  std::vector<uint32_t> want;
  for (uint32_t y = 0; y < 6; ++y)
    for (uint32_t x = 0; x < 12; ++x) want.push_back(1000 * y + x);
  bench.groups(3, 2).zeros(0, want.size());
  bench.expect(0, want);
}

// ------------------------------------------------------------------------------------------------- launch fill, modes
TEST(Launch, ZeroFill) {
  Bench bench(microcode(std::string(".slot storage 0 0 rest\n    OR.U32 r0, r5, r3\n") + store_index));
  bench.options.fill = FillMode::Zero;
  bench.storage(0, std::vector<uint32_t>(32, 99));
  bench.expect(0, std::vector<uint32_t>(32, 0));
}

TEST(Launch, PatternOfRegistersAndSharedMemory) {
  // The formula of docs/semantics.md, computed here: register 5 of each thread and word 3 of shared memory.
  const auto xs = [](uint32_t x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
  };
  const auto fill = [&](uint32_t seed, uint32_t number, uint32_t thread, uint32_t space, uint32_t index) {
    const uint32_t u = xs(xs(seed + number) ^ (space << 24) ^ index);
    return u ^ thread ^ (thread << 11) ^ (thread << 22);
  };
  Bench bench(microcode(R"(.group 40 1 1
.slot storage 0 0 rest
.shared 16
    LDS.U32 r0, [12] wait(shared) acquire
    XOR.U32 r0, r0, r5 wait(shared)
    MOV.U32 r1, 40
    MAD.U32 r1, groupid_x, r1, localindex
    SHL.U32 r1, r1, 2
    STB.U32 s0[r1], r0
    END wait(axi,shared)
)"));
  bench.options.fill_seed = 77;
  std::vector<uint32_t> want;
  for (uint32_t g = 0; g < 3; ++g)
    for (uint32_t t = 0; t < 40; ++t) want.push_back(fill(77, g, t, isa::fill::space_reg, 5) ^ fill(77, g, 0, isa::fill::space_shared, 3));
  bench.groups(3).zeros(0, 120);
  bench.expect(0, want);
}

TEST(Modes, PartialModeHoldsTwiceTheWaves) {
  for (const auto& config : isa::configs) {
    Program p = microcode(".group 32 1 1\n    END wait(axi,shared)\n");
    p.registers = 1;
    Program full = p;
    full.full_flow = true;
    const Residency in_partial = fit(config, p), in_full = fit(config, full);
    EXPECT_EQ(in_partial.resident_groups, std::min(config.waves_partial, config.group_slots)) << config.name;
    EXPECT_EQ(in_full.resident_groups, std::min(config.waves_full, config.group_slots)) << config.name;
    EXPECT_EQ(config.waves_partial, 2 * config.waves_full) << config.name;
    // With groups of several waves the slots are no limit: as many waves as the mode has.
    Program wide = p;
    wide.group_size = {std::min(config.group_threads, 64u), 1, 1};
    Program wide_full = wide;
    wide_full.full_flow = true;
    EXPECT_EQ(fit(config, wide).resident_groups * 2, std::min(config.waves_partial, 2 * config.group_slots)) << config.name;
    EXPECT_EQ(fit(config, wide_full).resident_groups * 2, std::min(config.waves_full, 2 * config.group_slots)) << config.name;
  }
}

TEST(Modes, AllWavesOfPartialModeMeetAtBarriers) {
  // As many waves as partial mode has are resident at once, in groups that fill the machine, and every one does its part.
  for (const auto& config : rtl_configs()) {
    const uint32_t waves = std::min(config.waves_partial, config.group_threads / 32);
    Program p = microcode(fmt::format(R"(.group {} 1 1
.slot storage 0 0 rest
    BAR
    MOV.U32 r0, 1
    ATOMB.ADD.U32 -, s0[0], r0
    BAR
    ATOMB.ADD.U32 -, s0[4], r0
    END wait(axi,shared)
)", waves * 32));
    Bench bench(p);
    bench.groups(2 * config.waves_partial / waves).zeros(0, 2);
    const Outcome o = bench.on_rtl(config, 3, verif::AxiProfile::seeded(3));
    EXPECT_TRUE(o.result.ok()) << config.name << ": " << o.result.mismatch << o.result.wait_report;
    const uint32_t n = 2 * config.waves_partial / waves * waves * 32;
    EXPECT_EQ(o.storage.at(0), (std::vector<uint32_t>{n, n})) << config.name;
  }
}

// ----------------------------------------------------------------------------------------------------------- barriers
TEST(Barrier, WavesThatEndLowerTheCount) {
  // Waves leave one after the other; those that remain still meet.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 128;
SHARED_MEMORY 4;
SHARED s[] = { program.sharedmem };
STORAGE o[] = { program.storage[0] };
TEMP R0, R1, RC;
main:
SHR.U R0.x, invocation.localindex, 5;
MOV.U R0.y, 0;
REP;
  SGE.U.CC RC.x, R0.y, R0.x;
  RET (NE.x);
  BAR;
  MOV.U R1.x, 1;
  ATOMB.ADD.U32 R1.y, R1, o[0];
  BAR;
  ADD.U R0.y, R0.y, 1;
ENDREP;
END
)"));
  bench.zeros(0, 1);
  bench.expect(0, {32 * (0 + 1 + 2 + 3)});
}

TEST(Barrier, OrdersSharedMemory) {
  // Each round every thread reads what its neighbour of another wave wrote in the round before.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 64;
SHARED_MEMORY 256;
SHARED s[] = { program.sharedmem };
STORAGE o[] = { program.storage[0] };
TEMP R0, R1, RC;
SHL.U R0.x, invocation.localindex, 2;
ADD.U R0.y, R0.x, 132;
AND.U R0.y, R0.y, 255;
MOV.U R1.x, invocation.localindex;
REP.U {20, 0, 0, 0};
  STS.U32 R1, s[R0.x];
  BAR;
  LDS.U32 R1.x, s[R0.y];
  ADD.U R1.x, R1.x, 1;
  BAR;
ENDREP;
STB.U32 R1, o[R0.x];
END
)"));
  std::vector<uint32_t> v(64);
  for (uint32_t t = 0; t < 64; ++t) v[t] = t;
  for (int round = 0; round < 20; ++round) {
    std::vector<uint32_t> next(64);
    for (uint32_t t = 0; t < 64; ++t) next[t] = v[(t + 33) % 64] + 1;
    v = next;
  }
  bench.zeros(0, 64);
  bench.expect(0, v);
}

TEST(Barrier, NobodyActivePassesBy) {
  // A BAR inside a block that no thread of one wave enters, and all threads of the other do.
  Bench bench(microcode(R"(.group 32 1 1
.slot storage 0 0 rest
    SEQ.U32 - , localindex, 99 cc0.x=
    JUMP skip func(33) stay(incr) jump(incr) if(NE cc0.x)
    BAR
skip:
    JUMP 0 func(00) any stay(decr) levels(1)
    MOV.U32 r0, 3
)" + std::string(store_index)));
  bench.zeros(0, 32);
  bench.expect(0, std::vector<uint32_t>(32, 3));
}

// ---------------------------------------------------------------------------------------------------------- semaphores
TEST(Semaphore, WaitOnTheLastWord) {
  // Only the END waits: legal, and the load is complete by then.
  Bench bench(microcode(R"(.slot storage 0 0 rest
    SHL.U32 r1, localindex, 2
    LDB.U32 r2, s0[r1] wait(axi) acquire
    END wait(axi,shared)
)"));
  bench.zeros(0, 32);
  bench.everywhere([](const Outcome& o) { EXPECT_TRUE(o.result.ok()) << o.result.mismatch; });
}

TEST(Semaphore, NoEndWhileHeld) {
  Bench axi(microcode(R"(.slot storage 0 0 rest
    LDB.U32 r2, s0[0] wait(axi) acquire
    END wait(shared)
)"));
  axi.zeros(0, 4);
  axi.expect_fault(isa::Fault::SEMAPHORE, 1, 0);
  // Whatever the timing: also when nothing is held.
  Bench nothing(microcode("    END wait(axi)\n"));
  nothing.expect_fault(isa::Fault::SEMAPHORE, 0, 0);
  Bench neither(microcode("    END\n"));
  neither.expect_fault(isa::Fault::SEMAPHORE, 0, 0);
}

TEST(Semaphore, AcquireNeedsWaitOfItsOwn) {
  Bench axi(microcode(".slot storage 0 0 rest\n    LDB.U32 r2, s0[0] acquire\n    END wait(axi,shared)\n"));
  axi.zeros(0, 4);
  axi.expect_fault(isa::Fault::SEMAPHORE, 0, 0);
  Bench other(microcode(".slot storage 0 0 rest\n    LDB.U32 r2, s0[0] wait(shared) acquire\n    END wait(axi,shared)\n"));
  other.zeros(0, 4);
  other.expect_fault(isa::Fault::SEMAPHORE, 0, 0);
  Bench shared(microcode(".shared 16\n    FENCE_SHARED.U32 wait(axi) acquire\n    END wait(axi,shared)\n"));
  shared.expect_fault(isa::Fault::SEMAPHORE, 0, 0);
}

TEST(Semaphore, UseBeforeWait) {
  // A fault of the model; the RTL has no code for it, an assertion finds it. One verdict: by the model, in lockstep, and by the RTL alone (which tells no threads).
  const char* uses[] = {
      "    LDB.U32 r2, s0[0] wait(axi) acquire\n    ADD.U32 r3, r2, 1\n",              // read
      "    LDB.U32 r2, s0[0] wait(axi) acquire\n    MOV.U32 r2, 1\n",                  // overwritten
      "    LDB.U32 r2, s0[0]\n    ADD.U32 r3, r2, 1 wait(axi)\n",                      // waits, but nothing was acquired
      "    LDB.U32 r2, s0[0] wait(axi) acquire\n    STB.U32 s0[0], r2\n",              // stored
      "    LDB.U32 r2, s0[0] wait(axi) acquire\n    LDB.U32 r2, s0[4]\n",              // loaded again
      "    LDB.U32X4 r2, s0[0] wait(axi) acquire\n    NOP wait(shared)\n    MOV.U32 r0, r5\n",  // waits for the other one
  };
  for (const char* use : uses) {
    Bench bench(microcode(std::string(".slot storage 0 0 rest\n") + use + "    END wait(axi,shared)\n"));
    bench.zeros(0, 8);
    const Outcome o = bench.on_model(*isa::find_config("base"));
    EXPECT_EQ(o.result.fault.code, isa::Fault::SEM_USE) << use;
    for (const auto& config : rtl_configs())
      for (const bool lockstep : {true, false}) {
        bench.lockstep = lockstep;
        Outcome r = bench.on_rtl(config, 1, {});
        SCOPED_TRACE(r.where + (lockstep ? ", lockstep: " : ", alone: ") + use);
        EXPECT_EQ(r.result.mismatch, "");
        if (!lockstep) r.result.fault.lanes = o.result.fault.lanes;
        EXPECT_EQ(r.result.fault, o.result.fault);
      }
  }
}

TEST(Semaphore, BatchOfLoads) {
  // Several loads under one semaphore: the last one acquires, one wait frees all.
  Bench bench(microcode(R"(.slot storage 0 0 rest
.slot storage 1 0 rest
    SHL.U32 r1, localindex, 2
    LDB.U32 r2, s0[r1]
    LDB.U32 r3, s0[r1 + 128]
    LDB.U32 r4, s0[r1 + 256] wait(axi) acquire
    MAD.U32 r2, r2, r3, r4 wait(axi)
    STB.U32 s1[r1], r2
    END wait(axi,shared)
)"));
  std::vector<uint32_t> in(96), want(32);
  for (uint32_t i = 0; i < 96; ++i) in[i] = i * i + 3;
  for (uint32_t i = 0; i < 32; ++i) want[i] = in[i] * in[i + 32] + in[i + 64];
  bench.storage(0, in).zeros(1, 32);
  bench.expect(1, want);
}

TEST(Semaphore, FenceCoversEarlierLoads) {
  Bench bench(microcode(R"(.slot storage 0 0 rest
.slot storage 1 0 rest
    SHL.U32 r1, localindex, 2
    LDB.U32 r2, s0[r1]
    FENCE_AXI.U32 wait(axi) acquire
    MOV.U32 r5, 1
    ADD.U32 r2, r2, r5 wait(axi)
    STB.U32 s1[r1], r2
    END wait(axi,shared)
)"));
  std::vector<uint32_t> in(32), want(32);
  for (uint32_t i = 0; i < 32; ++i) in[i] = 7 * i, want[i] = in[i] + 1;
  bench.storage(0, in).zeros(1, 32);
  bench.expect(1, want);
}

}  // namespace
}  // namespace maskwork::suite
