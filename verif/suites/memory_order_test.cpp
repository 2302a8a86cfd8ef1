// Memory: order inside a wave and between waves whatever the slave does, bounds, lanes in order, atomics.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench.hpp"

namespace maskwork::suite {
namespace {

std::vector<uint32_t> counting(uint32_t n, uint32_t first = 0) {
  std::vector<uint32_t> v(n);
  for (uint32_t i = 0; i < n; ++i) v[i] = first + i;
  return v;
}

TEST(Order, HighestThreadOfOneWordStays) {
  for (const bool shared : {false, true}) {
    const std::string store = shared ? "    STS.U32 [r1], r0\n    LDS.U32 r0, [r1] wait(shared) acquire\n" : "    STB.U32 s0[r1], r0\n    LDB.U32 r0, s0[r1] wait(axi) acquire\n";
    Bench bench(microcode(std::string(".slot storage 0 0 rest\n.slot storage 1 0 rest\n.shared 64\n") +
                          "    MOV.U32 r0, localindex\n    AND.U32 r1, localindex, 3\n    SHL.U32 r1, r1, 2\n" + store +
                          "    SHL.U32 r2, localindex, 2\n    STB.U32 s1[r2], r0 wait(axi,shared)\n    END wait(axi,shared)\n"));
    std::vector<uint32_t> want(32);
    for (uint32_t t = 0; t < 32; ++t) want[t] = 28 + t % 4;
    bench.zeros(0, 4).zeros(1, 32);
    bench.expect(1, want);
  }
}

TEST(Order, AtomicsSeeEachOtherInThreadOrder) {
  for (const bool shared : {false, true}) {
    const std::string text = shared ? "    MOV.U32 r0, 0\n    STS.U32 [0], r0\n    MOV.U32 r0, 1\n    ATOMS.ADD.U32 r2, [0], r0 wait(shared) acquire\n"
                                    : "    MOV.U32 r0, 1\n    ATOMB.ADD.U32 r2, s1[0], r0 wait(axi) acquire\n";
    Bench bench(microcode(std::string(".slot storage 0 0 rest\n.slot storage 1 0 rest\n.shared 64\n") + text +
                          "    SHL.U32 r1, localindex, 2\n    STB.U32 s0[r1], r2 wait(axi,shared)\n    END wait(axi,shared)\n"));
    bench.zeros(0, 32).zeros(1, 1);
    bench.expect(0, counting(32));
  }
}

TEST(Order, AtomicsUnderAFalsePredicateStillHappen) {
  // The predicate gates the register, not the access.
  Bench bench(microcode(R"(.slot storage 0 0 rest
.slot storage 1 0 rest
    MOV.U32 r0, 1
    MOV.U32 r2, 77
    ATOMB.ADD.U32 r2, s1[0], r0 if(FL) wait(axi) acquire
    SHL.U32 r1, localindex, 2
    STB.U32 s0[r1], r2 wait(axi)
    END wait(axi,shared)
)"));
  bench.zeros(0, 32).zeros(1, 1);
  bench.everywhere([](const Outcome& o) {
    EXPECT_TRUE(o.result.ok());
    EXPECT_EQ(o.storage.at(1), std::vector<uint32_t>{32});
    EXPECT_EQ(o.storage.at(0), std::vector<uint32_t>(32, 77));
  });
}

TEST(Order, EveryWaveGetsItsOwnTicket) {
  // 8 waves draw tickets from one word: all different, none lost.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE tickets[] = { program.storage[0] };
STORAGE o[] = { program.storage[1] };
TEMP R0, R1;
MOV.U R0.x, 1;
ATOMB.ADD.U32 R0.x, R0, tickets[0];
SHL.U R1.x, invocation.globalid.x, 2;
STB.U32 R0, o[R1.x];
END
)"));
  bench.groups(8).zeros(0, 1).zeros(1, 256);
  bench.everywhere([](const Outcome& o) {
    EXPECT_TRUE(o.result.ok());
    auto v = o.storage.at(1);
    std::sort(v.begin(), v.end());
    EXPECT_EQ(v, counting(256));
  });
}

TEST(Bounds, ComponentByComponent) {
  // A load of four words of which two lie beyond the buffer, and a store likewise.
  Bench bench(microcode(R"(.group 1 1 1
.slot storage 0 0 24
.slot storage 1 0 rest
    LDB.U32X4 r0, s0[16] wait(axi) acquire
    STB.U32X4 s1[0], r0 wait(axi)
    MOV.U32 r0, 9
    MOV.U32 r1, 9
    MOV.U32 r2, 9
    MOV.U32 r3, 9
    STB.U32X4 s0[16], r0
    END wait(axi,shared)
)"));
  bench.storage(0, counting(16, 100)).storage(1, {1, 1, 1, 1});
  std::vector<uint32_t> want = counting(16, 100);
  want[4] = want[5] = 9;
  bench.everywhere([&](const Outcome& o) {
    EXPECT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_EQ(o.storage.at(1), (std::vector<uint32_t>{104, 105, 0, 0}));
    EXPECT_EQ(o.storage.at(0), want);
  });
}

TEST(Bounds, BufferThatEndsBeforeItsRangeBegins) {
  // Whatever the size, no access is misaligned: words that the buffer has not got give 0 and are not stored.
  for (const char* kind : {"storage", "constant"})
    for (const uint32_t offset : {16u, 32u})
      for (const uint32_t width : {1u, 2u, 4u})
        for (uint32_t size = 0; size <= 10; ++size) {
          const bool storage = kind == std::string("storage");
          const std::string x = width == 1 ? "" : fmt::format("X{}", width);
          SCOPED_TRACE(fmt::format("{} buffer of {} words, range from byte {}, {} components", kind, size, offset, width));
          Program p = microcode(fmt::format(".slot {0} 0 {1} 16\n.slot storage 1 0 rest\n    MOV.U32 r4, 7\n    MOV.U32 r5, 7\n    MOV.U32 r6, 7\n    MOV.U32 r7, 7\n"
                                            "    LDB.U32{2} r0, s0[0] wait(axi) acquire\n    STB.U32{2} s1[0], r0 wait(axi) acquire\n{3}    END wait(axi,shared)\n",
                                            kind, offset, x, storage ? fmt::format("    STB.U32{} s0[0], r4 wait(axi) acquire\n", x) : ""));
          std::vector<uint32_t> buffer = counting(size, 100), want(4), after = buffer;
          for (uint32_t k = 0; k < width; ++k) {
            const uint32_t n = offset / 4 + k;
            if (n < size) want[k] = 100 + n;
            if (storage && n < size) after[n] = 7;
          }
          const auto run = [&](Device& device) {
            const uint32_t address = device.memory().allocate(256), out = device.memory().allocate(16);
            for (uint32_t n = 0; n < size; ++n) device.memory().store32(address + 4 * n, buffer[n]);
            if (storage) device.bind_storage(0, address, 4 * size);
            else device.bind_constant(0, address, 4 * size);
            device.bind_storage(1, out, 16);
            device.load(p);
            const DispatchResult r = device.dispatch(1, 1, 1);
            ASSERT_EQ(r.mismatch, "");
            ASSERT_EQ(r.fault.code, isa::Fault::NONE);
            for (uint32_t k = 0; k < 4; ++k) ASSERT_EQ(device.memory().load32(out + 4 * k), want[k]) << k;
            for (uint32_t n = 0; n < size; ++n) ASSERT_EQ(device.memory().load32(address + 4 * n), after[n]) << n;
          };
          for (const auto& config : rtl_configs()) {
            SCOPED_TRACE(config.name);
            run(*make_model(config));
            if (size % 3 == 1 || size == 0) run(*verif::make_rtl(config));
            if (HasFatalFailure()) return;
          }
        }
}

TEST(Bounds, AtomicsOutsideReturnZeroAndDoNothing) {
  for (const bool shared : {false, true}) {
    const char* atomic = shared ? "    ATOMS.ADD.U32 r2, [16], r0 wait(shared) acquire\n" : "    ATOMB.ADD.U32 r2, s0[16], r0 wait(axi) acquire\n";
    Bench bench(microcode(std::string(".group 2 1 1\n.slot storage 0 0 16\n.slot storage 1 0 rest\n.shared 16\n    MOV.U32 r0, 5\n    MOV.U32 r2, 5\n") + atomic +
                          "    SHL.U32 r1, localindex, 2\n    STB.U32 s1[r1], r2 wait(axi,shared)\n    END wait(axi,shared)\n"));
    bench.storage(0, counting(8)).storage(1, {8, 8});
    bench.everywhere([](const Outcome& o) {
      EXPECT_TRUE(o.result.ok()) << o.result.mismatch;
      EXPECT_EQ(o.storage.at(1), (std::vector<uint32_t>{0, 0}));
      EXPECT_EQ(o.storage.at(0), counting(8));
    });
  }
}

TEST(Bounds, AddressesThatWrap) {
  // -8 is far outside, and -8 + 4k comes back inside for the third component of a four-word load.
  Bench bench(microcode(R"(.group 1 1 1
.slot storage 0 0 rest
.slot storage 1 0 rest
    MOV.U32 r4, 0xfffffff0
    LDB.U32 r0, s0[r4 + 20] wait(axi) acquire
    MOV.U32 r4, 0xfffffffc
    LDB.U32 r1, s0[r4] wait(axi) acquire
    STB.U32X2 s1[0], r0 wait(axi)
    END wait(axi,shared)
)"));
  bench.storage(0, counting(8, 50)).storage(1, {1, 1});
  bench.expect(1, {51, 0});
}

TEST(Buffers, RangesAndUpdatesBetweenDispatches) {
  // One device, several dispatches: another range bound, contents changed by the host, a parameter changed.
  const Program p = assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 8;
STORAGE s[] = { program.storage[0] };
PARAM k = program.local[0];
TEMP R0, R1;
SHL.U R0.x, invocation.localindex, 2;
LDB.U32 R1.x, s[R0.x];
ADD.U R1.x, R1.x, k.x;
STB.U32 R1, s[R0.x];
END
)");
  const auto run = [&](Device& device, const std::string& name) {
    const uint32_t a = device.memory().allocate(64);
    for (uint32_t i = 0; i < 16; ++i) device.memory().store32(a + 4 * i, i);
    device.load(p);
    device.bind_storage(0, a, 32);
    device.set_local(0, {100, 0, 0, 0});
    ASSERT_TRUE(device.dispatch(1, 1, 1).ok()) << name;
    device.bind_storage(0, a + 16, 16);  // the second half of what was written; the rest of the threads are out of bounds
    device.set_local(0, {1000, 0, 0, 0});
    device.memory().store32(a + 16, 7);
    ASSERT_TRUE(device.dispatch(1, 1, 1).ok()) << name;
    const uint32_t want[16] = {100, 101, 102, 103, 1007, 1105, 1106, 1107, 8, 9, 10, 11, 12, 13, 14, 15};
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(device.memory().load32(a + 4 * i), want[i]) << name << " " << i;
  };
  for (const auto& config : isa::configs) run(*make_model(config), std::string(config.name));
  for (const auto& config : rtl_configs()) run(*verif::make_rtl(config), "rtl " + std::string(config.name));
}

TEST(Fence, MembarWaitsForWriteResponses) {
  // Group 0 publishes data, then a flag; whoever sees the flag sees the data. Read back by later groups.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 1;
STORAGE data[] = { program.storage[0] };
STORAGE flag[] = { program.storage[1] };
STORAGE bad[] = { program.storage[2] };
TEMP R0, R1, RC;
SEQ.U.CC RC.x, invocation.groupid.x, 0;
IF NE.x;
  MOV.U R0.x, 42;
  STB.U32 R0, data[0];
  MEMBAR;
  MOV.U R0.x, 1;
  STB.U32 R0, flag[0];
ELSE;
  LDB.U32 R0.x, flag[0];
  MEMBAR;
  LDB.U32 R1.x, data[0];
  SNE.U.CC RC.x, R0.x, 0;
  IF NE.x;
    SNE.U.CC RC.x, R1.x, 42;
    IF NE.x;
      MOV.U R1.x, 1;
      ATOMB.ADD.U32 R1.y, R1, bad[0];
    ENDIF;
  ENDIF;
ENDIF;
END
)"));
  bench.groups(40).zeros(0, 64).zeros(1, 64).zeros(2, 1);
  bench.expect(2, {0});
}

}  // namespace
}  // namespace maskwork::suite
