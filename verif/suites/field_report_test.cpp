// Situations that users of comparable projects reported, each as a test of ours with its kind (table in ../README.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "bench.hpp"
#include "maskwork/asm/assembler.hpp"
#include "words.hpp"

namespace maskwork::suite {
namespace {

// vortex 400: the barrier unit used the phase of another slot when two requests came in consecutive cycles.
TEST(FieldReport, BarriersOfManyGroupsBackToBack) {
  // In each of 256 rounds every wave writes the round, meets the others and checks that all have written it.
  const uint32_t rounds = 256;
  Bench bench(assemble_source(fmt::format(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 64;
SHARED_MEMORY 8;
SHARED s[] = {{ program.sharedmem }};
STORAGE early[] = {{ program.storage[0] }};
TEMP R0, R1, RC;
SHR.U R0.x, invocation.localindex, 5;
SHL.U R0.x, R0.x, 2;
XOR.U R0.y, R0.x, 4;
MOV.U R0.z, 0;
REP.U {{{}, 0, 0, 0}};
  STS.U32 R0.z, s[R0.x];
  BAR;
  LDS.U32 R1.x, s[R0.y];
  SNE.U.CC RC.x, R1.x, R0.z;
  IF NE.x;
    MOV.U R1.y, 1;
    ATOMB.ADD.U32 R1.z, R1.y, early[0];
  ENDIF;
  BAR;
  ADD.U R0.z, R0.z, 1;
ENDREP;
MOV.U R1.y, 1;
ATOMB.ADD.U32 R1.z, R1.y, early[4];
END
)", rounds)));
  bench.one_seed = !nightly();
  bench.groups(4).zeros(0, 2);
  bench.expect(0, {0, 4 * 64});
}

// mgpusim 157: many barriers in one group deadlocked because a released wave was set waiting again.
TEST(FieldReport, ThousandBarriersInEightGroups) {
  Bench bench(assemble_source(fmt::format(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 64;
STORAGE done[] = {{ program.storage[0] }};
TEMP R0;
REP.U {{{}, 0, 0, 0}};
  BAR;
ENDREP;
MOV.U R0.x, 1;
ATOMB.ADD.U32 R0.y, R0, done[0];
END
)", 1000)));
  bench.one_seed = true;
  bench.groups(8).zeros(0, 1);
  bench.expect(0, {8 * 64});
}

// vortex 77: a divergent if/else that calls two functions.
TEST(FieldReport, DivergentIfElseCallsTwoFunctions) {
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 40;
STORAGE s[] = { program.storage[0] };
TEMP R0, R1, RC;
main:
SHL.U R0.x, invocation.localindex, 2;
MOV.U R1.x, 1;
AND.U.CC RC.x, invocation.localindex, 31;
IF EQ.x;
  CAL f;
ELSE;
  CAL g;
ENDIF;
ADD.U R1.x, R1.x, 1000;
STB.U32 R1, s[R0.x];
RET;
f:
ADD.U R1.x, R1.x, 10;
RET;
g:
ADD.U R1.x, R1.x, 200;
RET;
END
)"));
  std::vector<uint32_t> want(40);
  for (uint32_t t = 0; t < 40; ++t) want[t] = t % 32 == 0 ? 1011 : 1201;
  bench.zeros(0, 40);
  bench.expect(0, want);
}

// vortex 79: threads of an incomplete last wave got wrong ids.
TEST(FieldReport, EveryThreadOfAnOddSizeOnce) {
  for (const uint32_t threads : {1u, 18u, 31u, 32u, 33u, 50u, 63u}) {
    Bench bench(assemble_source(fmt::format(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE {};
STORAGE s[] = {{ program.storage[0] }};
TEMP R0;
SHL.U R0.x, invocation.globalid.x, 2;
MOV.U R0.y, 1;
ATOMB.ADD.U32 R0.z, R0.y, s[R0.x];
END
)", threads)));
    bench.one_seed = true;
    bench.groups(3).zeros(0, 3 * threads + 4);
    std::vector<uint32_t> want(3 * threads, 1);
    want.resize(3 * threads + 4, 0);
    bench.expect(0, want);
  }
}

// vortex 340: a read overtook a write on the bus, hidden by memory models that commit at the address handshake. Ours commits at the response.
TEST(FieldReport, LoadAfterStoreOfTheSameAddress) {
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 64;
STORAGE s[] = { program.storage[0] };
STORAGE o[] = { program.storage[1] };
TEMP R0, R1, R2, R3;
SHL.U R0.x, invocation.localindex, 2;
MOV.U R1.x, invocation.localindex;
MOV.U R2.x, 0;
REP.U {12, 0, 0, 0};
  STB.U32 R1, s[R0.x];
  LDB.U32 R3.x, s[R0.x];
  MAD.U R2.x, R2.x, 3, R3.x;
  MAD.U R1.x, R1.x, 5, 1;
ENDREP;
STB.U32 R2, o[R0.x];
END
)"));
  std::vector<uint32_t> want(64);
  for (uint32_t t = 0; t < 64; ++t) {
    uint32_t v = t, sum = 0;
    for (int i = 0; i < 12; ++i) sum = sum * 3 + v, v = v * 5 + 1;
    want[t] = sum;
  }
  bench.zeros(0, 64).zeros(1, 64);
  bench.expect(1, want);
}

// vortex 390: unsupported shared atomics were guarded only by an assertion that synthesis drops. Every operation works; undefined ones fault.
TEST(FieldReport, EveryAtomicOperation) {
  struct Case {
    const char* op;
    uint32_t start, x, y;
    uint32_t after;
  };
  const Case cases[] = {{"ADD.U32", 5, 0xfffffffe, 0, 3},   {"ADD.S32", 5, 7, 0, 12},          {"MIN.U32", 5, 0xffffffff, 0, 5},  {"MIN.S32", 5, 0xffffffff, 0, 0xffffffff},
                        {"MAX.U32", 5, 0x80000000, 0, 0x80000000}, {"MAX.S32", 5, 0x80000000, 0, 5}, {"AND.U32", 0xff, 0x3c, 0, 0x3c}, {"OR.U32", 0xf0, 0x0c, 0, 0xfc},
                        {"XOR.U32", 0xff, 0x0f, 0, 0xf0}, {"IWRAP.U32", 6, 7, 0, 7},           {"IWRAP.U32", 7, 7, 0, 0},         {"DWRAP.U32", 0, 9, 0, 9},
                        {"DWRAP.U32", 10, 9, 0, 9},       {"DWRAP.U32", 4, 9, 0, 3},           {"DWRAP.U32", 9, 9, 0, 8},         {"IWRAP.U32", 8, 7, 0, 0},         {"EXCH.U32", 5, 8, 0, 8},          {"CSWAP.U32", 5, 5, 99, 99},
                        {"CSWAP.U32", 5, 6, 99, 5},       {"CSWAP.S32", 5, 5, 99, 99},         {"EXCH.S32", 5, 8, 0, 8},
                        // 1.5 + 2.25; a tie to even; the least denormal twice; -0 + +0; infinity - infinity; a NaN with payload
                        {"ADD.F32", 0x3fc00000, 0x40100000, 0, 0x40700000}, {"ADD.F32", 0x4b800000, 0x3f800000, 0, 0x4b800000}, {"ADD.F32", 1, 1, 0, 2},
                        {"ADD.F32", 0x80000000, 0, 0, 0}, {"ADD.F32", 0x7f800000, 0xff800000, 0, 0x7fc00000}, {"ADD.F32", 0xffa00001, 0x3f800000, 0, 0x7fc00000},
                        {"EXCH.F32", 0x3f800000, 0xffa00001, 0, 0xffa00001}};
  for (const bool shared : {true, false})
    for (const Case& c : cases) {
      const std::string first = shared ? fmt::format("    MOV.U32 r0, {}\n    STS.U32 [8], r0\n", c.start) : "";
      const std::string atomic = shared ? fmt::format("    ATOMS.{} r4, [8], r2 wait(shared) acquire\n    LDS.U32 r5, [8] wait(shared) acquire\n", c.op)
                                        : fmt::format("    ATOMB.{} r4, s1[8], r2 wait(axi) acquire\n    LDB.U32 r5, s1[8] wait(axi) acquire\n", c.op);
      SCOPED_TRACE(atomic);
      Bench bench(microcode(fmt::format(".group 1 1 1\n.slot storage 0 0 rest\n.slot storage 1 0 rest\n.shared 16\n{}    MOV.U32 r2, {:#x}\n    MOV.U32 r3, {}\n{}"
                                        "    STB.U32X2 s0[0], r4 wait(axi,shared)\n    END wait(axi,shared)\n",
                                        first, c.x, c.y, atomic)));
      bench.one_seed = true;
      bench.zeros(0, 2).storage(1, {0, 0, c.start, 0});
      bench.expect(0, {c.start, c.after});
      if (HasFailure()) return;
    }
  // Every combination of operation code and type that the table has not got, at each of the three memories.
  for (const isa::Op op : {isa::Op::ATOMS, isa::Op::ATOMB, isa::Op::ATOMG})
    for (uint32_t type = 0; type < 3; ++type)
      for (uint32_t what = 0; what < 16; ++what) {
        const bool wraps = what == 6 || what == 7, moves = what == 0 || what == 8;
        if (what < 10 && (type == 2 || (type == 1 && !wraps) || (type == 0 && moves))) continue;
        Program p = microcode(".shared 16\n.slot storage 0 0 rest\n    MOV.U32 r2, 1\n    NOP\n    END wait(axi,shared)\n");
        p.words[1] = word(op, {{isa::field::type, type}, {isa::field::mem_mask, 1}, {isa::field::atom_op, what}, {isa::field::b_idx, 2}});
        SCOPED_TRACE(fmt::format("{}, type {}, operation {}", isa::to_string(op), type, what));
        Bench bench(p);
        bench.zeros(0, 4).one_seed = true;
        bench.expect_fault(isa::Fault::BAD_WORD, 1, 0, 0xffffffffu);
        if (HasFailure()) return;
      }
}

/// Runs one instruction on two floats per thread, R1.x and R2.x, on both engines and compares R1.x with the host's IEEE arithmetic.
void float_pairs(const char* instruction, const std::vector<std::pair<uint32_t, uint32_t>>& pairs, const std::function<float(float, float)>& oracle) {
  Bench bench(assemble_source(fmt::format(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE a[] = {{ program.storage[0] }};
STORAGE b[] = {{ program.storage[1] }};
STORAGE r[] = {{ program.storage[2] }};
TEMP R0, R1, R2;
SHL.U R0.x, invocation.globalid.x, 2;
LDB.F32 R1.x, a[R0.x];
LDB.F32 R2.x, b[R0.x];
{};
STB.F32 R1, r[R0.x];
END
)", instruction)));
  std::vector<uint32_t> a, b, want;
  for (const auto& [x, y] : pairs) {
    a.push_back(x), b.push_back(y);
    const float r = oracle(std::bit_cast<float>(x), std::bit_cast<float>(y));
    want.push_back(std::isnan(r) ? 0x7fc00000u : std::bit_cast<uint32_t>(r));
  }
  bench.one_seed = true;
  bench.groups(static_cast<uint32_t>((pairs.size() + 31) / 32)).storage(0, a).storage(1, b).zeros(2, want.size());
  bench.expect(2, want);
}

// nyuzi 58: ADD rounded before it normalised. 41000001 + bf800004 is 40e00001, and all sums that cancel by one bit.
TEST(FieldReport, AddNormalizesBeforeItRounds) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs{{0x41000001, 0xbf800004}};
  for (uint32_t exponent = 0; exponent < 6; ++exponent)   // of the smaller operand, below the larger one's
    for (uint32_t low = 0; low < 16; ++low)               // guard, round and sticky bits
      for (uint32_t m = 0; m < 3; ++m) pairs.push_back({0x41000000 + m, 0xbf800000u - (exponent << 23) + low});
  float_pairs("ADD.F R1.x, R1.x, R2.x", pairs, [](float x, float y) { return x + y; });
  EXPECT_EQ(std::bit_cast<uint32_t>(std::bit_cast<float>(0x41000001u) + std::bit_cast<float>(0xbf800004u)), 0x40e00001u);
}

// cva6 3274, cvfpu 155: results that round up to the smallest normal number.
TEST(FieldReport, RoundingUpToTheSmallestNormal) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t x = 0x00fffff0; x < 0x01000008; ++x) pairs.push_back({x, 0xbf000000});
  for (uint32_t x = 0x00fffff0; x < 0x01000008; ++x) pairs.push_back({x, 0x3f000000});
  for (uint32_t x = 0x017ffff8; x < 0x01800008; ++x) pairs.push_back({x, 0x3e800000});
  float_pairs("MUL.F R1.x, R1.x, R2.x", pairs, [](float x, float y) { return x * y; });
  // By division: the pair of the report is 00ffffff / c0000000.
  pairs = {{0x00ffffff, 0xc0000000}};
  for (const uint32_t divisor : {0xc0000000u, 0x40000000u, 0x40800000u, 0x3f800001u, 0x40000001u})
    for (uint32_t x = 0x00fffff0; x < 0x01000008; ++x) pairs.push_back({x, divisor});
  float_pairs("DIV.F R1.x, R1.x, R2.x", pairs, [](float x, float y) { return x / y; });
  EXPECT_EQ(std::bit_cast<uint32_t>(std::bit_cast<float>(0x00ffffffu) / std::bit_cast<float>(0xc0000000u)), 0x80800000u);
}

// cvfpu 85, 119: divisions by NaN and of NaN gave numbers or infinity. Every class of both operands, all of them NaN patterns of each kind.
TEST(FieldReport, DivisionOfEveryClass) {
  std::vector<uint32_t> classes;
  for (const uint32_t sign : {0u, 0x80000000u})
    for (const uint32_t v : {0x7fc00000u, 0x7fc00001u, 0x7fffffffu, 0x7fe12345u,  // quiet NaNs
                             0x7f800001u, 0x7fbfffffu, 0x7fa00000u,              // signalling ones
                             0x7f800000u, 0u, 1u, 0x00400000u, 0x007fffffu, 0x00800000u, 0x3f800000u, 0x3f800001u, 0x40400000u, 0x7f000000u, 0x7effffffu, 0x7f7fffffu})
      classes.push_back(v | sign);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const uint32_t x : classes)
    for (const uint32_t y : classes) pairs.push_back({x, y});
  float_pairs("DIV.F R1.x, R1.x, R2.x", pairs, [](float x, float y) { return x / y; });
  float_pairs("RCP.F R1.x, R2.x", pairs, [](float, float y) { return 1.0f / y; });
  float_pairs("RCP.F R1.x, -|R2.x|", pairs, [](float, float y) { return 1.0f / -std::fabs(y); });
  // The same operands straight behind each other, so that nothing of one division is left in the next.
  float_pairs("DIV.F R1.x, R1.x, R2.x;\nDIV.F R1.x, R2.x, R1.x", pairs, [](float x, float y) { return y / (x / y); });
}

// accel-sim 152: a load with an empty mask tripped an assertion.
TEST(FieldReport, LoadWithNobodyActive) {
  // Nobody enters the block, yet its words are executed (the jump over it is never taken): no access, and the semaphore is free.
  Bench bench(microcode(R"(.slot storage 0 0 rest
.shared 16
    SEQ.U32 -, localindex, 99 cc0.x=
    JUMP 2 func(33) any stay(incr) jump(incr) if(NE cc0.x)
    JUMP 3 func(00) any else
    LDB.U32 r0, s0[0] wait(axi) acquire
    LDS.U32 r1, [0] wait(shared) acquire
    ATOMB.ADD.U32 r2, s0[0], r3
    STB.U32 s0[r4], r3
    MOV.U32 r5, r0 wait(axi,shared)
    JUMP 9 func(00) any stay(decr) levels(1)
    END wait(axi,shared)
)"));
  bench.storage(0, {5, 6, 7, 8});
  bench.everywhere([](const Outcome& o) {
    EXPECT_TRUE(o.result.ok()) << o.result.mismatch << o.result.wait_report << isa::to_string(o.result.fault.code);
    EXPECT_EQ(o.storage.at(0), (std::vector<uint32_t>{5, 6, 7, 8}));
    EXPECT_EQ(o.counter(isa::Counter::WordsMemory), 3u);
    EXPECT_EQ(o.counter(isa::Counter::AxiReads), 0u);
    EXPECT_EQ(o.counter(isa::Counter::AxiWrites), 0u);
  });
}

// oneapi-construction-kit 285: garbage of inactive lanes entered the branch vote.
TEST(FieldReport, ParkedThreadsHaveNoVote) {
  // Thread t leaves after t turns; those that have left hold a true condition and NaN in the register that is tested.
  Bench bench(assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 50;
STORAGE s[] = { program.storage[0] };
TEMP R0, R1, RC;
I2F.U R0.x, invocation.localindex;
MOV.F R0.y, 0;
MOV.U R1.x, 0;
REP;
  SGE.F.CC RC.x, R0.y, R0.x;
  IF NE.x;
    MOV.U R0.x, 0x7fc00000;
    MOV.F.CC RC.x, R0.x;
    BRK;
  ENDIF;
  ADD.F R0.y, R0.y, 1.0;
  ADD.U R1.x, R1.x, 1;
ENDREP;
SHL.U R0.z, invocation.localindex, 2;
STB.U32 R1, s[R0.z];
END
)"));
  std::vector<uint32_t> want(50);
  for (uint32_t t = 0; t < 50; ++t) want[t] = t;
  bench.zeros(0, 50);
  bench.expect(0, want);
}

// FlashGPU-Sim 34: the address 0xffffffff + 1 of shared atomics did not wrap.
TEST(FieldReport, SharedAddressWraps) {
  Bench bench(microcode(R"(.slot storage 0 0 rest
.shared 64
    MOV.U32 r0, 0
    STS.U32 [0], r0
    MOV.U32 r1, 0xfffffff0
    MOV.U32 r0, 3
    ATOMS.ADD.U32 r2, [r1 + 16], r0 wait(shared) acquire
    LDS.U32 r3, [0] wait(shared) acquire
    SHL.U32 r4, localindex, 2
    STB.U32 s0[r4], r3 wait(shared)
    END wait(axi,shared)
)"));
  bench.zeros(0, 32);
  bench.expect(0, std::vector<uint32_t>(32, 96));
}

// triton 8200: the number of conflicts ignored that equal addresses are served together.
TEST(FieldReport, BroadcastIsNoConflict) {
  for (const auto& config : rtl_configs()) {
    if (config.lanes < 2) continue;
    // Even threads read word 0, odd ones the word that is `banks` further: the same bank.
    Bench two(microcode(fmt::format(R"(.shared 1024
    AND.U32 r0, localindex, 1
    MUL.U32 r0, r0, {}
    LDS.U32 r1, [r0] wait(shared) acquire
    END wait(axi,shared)
)", 4 * config.banks)));
    const Outcome o = two.on_rtl(config, 1, {});
    ASSERT_TRUE(o.result.ok()) << o.result.mismatch;
    EXPECT_EQ(o.counter(isa::Counter::SharedPasses), 2u * config.beats()) << config.name;
    EXPECT_EQ(o.counter(isa::Counter::BankConflicts), config.beats()) << config.name;
    EXPECT_EQ(o.counter(isa::Counter::SharedWords), 32u) << config.name;
    // All read one word: no conflict at all.
    Bench one(microcode(".shared 1024\n    LDS.U32 r1, [64] wait(shared) acquire\n    END wait(axi,shared)\n"));
    const Outcome b = one.on_rtl(config, 1, {});
    ASSERT_TRUE(b.result.ok()) << b.result.mismatch;
    EXPECT_EQ(b.counter(isa::Counter::SharedPasses), config.beats()) << config.name;
    EXPECT_EQ(b.counter(isa::Counter::BankConflicts), 0u) << config.name;
  }
}

// verilator 8050: selects of packed structs were stale in the second of two pushes. Words with different threads and registers straight behind each
// other, from two waves, into each unit that queues them; the units hold two to four words.
TEST(FieldReport, BackToBackWordsIntoShortQueues) {
  Bench bench(microcode(R"(.group 64 1 1
.registers 12
.shared 1024
.slot storage 0 0 rest
    SHL.U32 r1, localindex, 2
    AND.U32 -, localindex, 1 cc0.x=
    AND.U32 -, localindex, 2 cc0.y=
    MOV.U32 r2, 10
    MOV.U32 r3, 20
    STS.U32 [r1], r2
    STS.U32 [r1 + 256], r3
    STS.U32 [r1 + 512], r1
    STB.U32 s0[r1], r3
    STB.U32 s0[r1 + 256], r2
    LDS.U32 r4, [r1 + 256] if(NE cc0.x)
    LDS.U32 r8, [r1] if(EQ cc0.x)
    LDS.U32 r5, [r1 + 512]
    LDS.U32X2 r9, [8] if(NE cc0.y) wait(shared) acquire
    DIV.U32 r6, r3, r2 if(NE cc0.y) wait(shared)
    BTC.U32 r6, r1 if(EQ cc0.y)
    BTFM.U32 r7, r1
    MOV.U32 r4, r8 if(EQ cc0.x)
    ADD.U32 r4, r4, r5
    SHL.U32 r6, r6, 16
    ADD.U32 r4, r4, r6
    STB.U32 s0[r1], r4
    STB.U32 s0[r1 + 256], r7
    END wait(axi,shared)
)"));
  std::vector<uint32_t> want(128);
  for (uint32_t t = 0; t < 64; ++t) {
    want[t] = ((t & 1) != 0 ? 20 : 10) + 4 * t + ((t & 2) != 0 ? 2u : static_cast<uint32_t>(std::popcount(4 * t))) * 65536;
    want[64 + t] = t == 0 ? 0xffffffffu : 31u - static_cast<uint32_t>(std::countl_zero(4 * t));
  }
  bench.zeros(0, 128);
  bench.expect(0, want);
}

// shader-compiler-bugs 16: deep nesting as an internal error. 48 nested IFs run, one more is a clean error.
TEST(FieldReport, DeepNesting) {
  const auto nested = [](int depth) {
    std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 64;\nSTORAGE s[] = { program.storage[0] };\nTEMP R0, RC;\nMOV.U R0.x, invocation.localindex;\nMOV.U R0.y, 0;\n";
    for (int i = 0; i < depth; ++i) text += fmt::format("SGE.U.CC RC.x, R0.x, {};\nIF NE.x;\nADD.U R0.y, R0.y, 1;\n", i);
    for (int i = 0; i < depth; ++i) text += "ENDIF;\n";
    return text + "SHL.U R0.z, R0.x, 2;\nSTB.U32 R0.y, s[R0.z];\nEND\n";
  };
  for (const int depth : {6, 7, 48}) {
    const Program p = assemble_source(nested(depth));
    EXPECT_EQ(p.full_flow, depth > 6) << depth;
    Bench bench(p);
    std::vector<uint32_t> want(64);
    for (uint32_t t = 0; t < 64; ++t) want[t] = std::min<uint32_t>(t + 1, static_cast<uint32_t>(depth));
    bench.zeros(0, 64);
    bench.expect(0, want);
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(assemble(nested(49), "deep.nvcp", {}, diagnostics));
  ASSERT_FALSE(diagnostics.items().empty());
  EXPECT_EQ(diagnostics.items().front().rule, "L84");
}

}  // namespace
}  // namespace maskwork::suite
