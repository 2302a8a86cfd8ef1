// Programs that reach memory in every way the language has, indirect calls, and the inputs of thread groups, on the golden model.
// Expected values follow from the language's rules.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "helpers.hpp"
#include "maskwork/device.hpp"

namespace maskwork::test {
namespace {

constexpr uint32_t kThreads = 40;  // a whole wave and part of one
constexpr uint32_t kBufferWords = 64;

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }

/// Word i of parameter buffer n, and of storage buffer n before the dispatch (n = 1..3).
uint32_t constant_word(uint32_t n, uint32_t i) { return (n + 1) * 1000 + i; }
uint32_t storage_word(uint32_t n, uint32_t i) { return 0x10000000u * (n + 4) + i; }
float float_word(uint32_t i) { return static_cast<float>(i) * 0.75f - 3.0f; }  // parameter buffer 3

const std::string kOptions =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;OPTION NV_shader_atomic_float;OPTION NV_shader_thread_group;\nGROUP_SIZE 40;\nSHARED_MEMORY 1024;\n"
    "SHARED sm[] = { program.sharedmem };\nSTORAGE out[] = { program.storage[0] };\nSTORAGE many[][] = { program.storage[1..3] };\n"
    "CBUFFER c[] = { program.buffer[0] };\nCBUFFER part[] = { program.buffer[1][32..95] };\nCBUFFER single = program.buffer[1][16];\n"
    "CBUFFER all[][] = { program.buffer[0..2] };\nCBUFFER cf[] = { program.buffer[3] };\n"
    "PARAM l[4] = { program.local[0..3] };\nTEMP R0, R1, R2, R3, G, O, A[8];\nLONG TEMP D0, D1, E[4];\nSHORT TEMP H0;\n";
const std::string kPlaces = "MUL.U O.x, invocation.localindex, 16;\nMOV.U G.x, invocation.localindex;\n";

struct Bench {
  std::unique_ptr<Device> device = make_model(*isa::find_config("base"));
  uint32_t storage[4]{}, constant[4]{};
  DispatchResult result;

  explicit Bench(const std::string& body, const std::string& declarations = {}, const std::function<void(Bench&)>& setup = {}) {
    Memory& m = device->memory();
    for (uint32_t n = 0; n < 4; ++n) {
      storage[n] = m.allocate(n == 0 ? kThreads * 16 : kBufferWords * 4);
      constant[n] = m.allocate(kBufferWords * 4);
      for (uint32_t i = 0; i < kBufferWords; ++i) {
        m.store32(constant[n] + i * 4, n == 3 ? bits(float_word(i)) : constant_word(n, i));
        if (n != 0) m.store32(storage[n] + i * 4, storage_word(n, i));
      }
    }
    for (uint32_t i = 0; i < kThreads * 4; ++i) m.store32(storage[0] + i * 4, 0xdeadbeef);
    const Program program = assemble_text(kOptions + declarations + kPlaces + body + "\nSTB.U32X4 R0, out[O.x];\nEND\n");
    device->load(program);
    for (uint32_t n = 0; n < 4; ++n) {
      device->bind_storage(n, storage[n], n == 0 ? kThreads * 16 : kBufferWords * 4);
      device->bind_constant(n, constant[n], kBufferWords * 4);
      device->set_local(n, {n * 10, n * 10 + 1, n * 10 + 2, n * 10 + 3});
      device->set_env(n, {bits(0.5f), bits(-1.5f), n, 7});
    }
    if (setup) setup(*this);
    result = device->dispatch(1, 1, 1);
  }
  uint32_t out(uint32_t thread, uint32_t component) const { return device->memory().load32(storage[0] + thread * 16 + component * 4); }
};

using Expected = std::function<uint32_t(uint32_t thread, uint32_t component)>;

void expect(const std::string& body, unsigned components, const Expected& expected, const std::string& declarations = {},
            const std::function<void(Bench&)>& setup = {}) {
  const Bench run(body, declarations, setup);
  ASSERT_TRUE(run.result.ok()) << isa::to_string(run.result.fault.code) << " at pc " << run.result.fault.pc << "\n" << body;
  for (uint32_t t = 0; t < kThreads; ++t)
    for (uint32_t c = 0; c < components; ++c) ASSERT_EQ(run.out(t, c), expected(t, c)) << "thread " << t << " component " << c << "\n" << body;
}

Expected values(const std::vector<uint32_t>& v) {
  return [v](uint32_t, uint32_t c) { return v[c]; };
}

// ---- LDC
TEST(ConstantBuffer, SizesAndZeros) {
  expect("LDC.U32 R0, c[12];", 4, values({constant_word(0, 3), 0, 0, 0}));
  expect("LDC.U32X2 R0, c[8];", 4, values({constant_word(0, 2), constant_word(0, 3), 0, 0}));
  expect("LDC.U32X4 R0, c[16];", 4, [](uint32_t, uint32_t c) { return constant_word(0, 4 + c); });
  expect("MOV.U R0, 5; LDC.S32X4 R0.yw, c[16];", 4, values({5, constant_word(0, 5), 5, constant_word(0, 7)}));
}

TEST(ConstantBuffer, RunTimeOffsets) {
  expect("MUL.U R1.x, G.x, 4; LDC.U32 R0, c[R1.x+8].x;", 4, [](uint32_t t, uint32_t) { return constant_word(0, t + 2); });
  const Bench run("LDC.U32X4 R0, c[l[1].z];");  // 12 is no multiple of 16
  EXPECT_EQ(run.result.fault.code, isa::Fault::MISALIGNED);
}

TEST(ConstantBuffer, Ranges) {
  expect("LDC.U32X2 R0, part[8]; LDC.U32 R0.z, single.x;", 3,
         [](uint32_t, uint32_t c) { return c < 2 ? constant_word(1, 10 + c) : constant_word(1, 4); });
  // Past the declared range and past the bound one: 0.
  expect("MOV.U R1.x, 60; LDC.U32X4 R0, part[R1.x+4]; MOV.U R1.x, 256; LDC.U32 R0.y, c[R1.x].x;", 2, values({0, 0}));
}

TEST(ConstantBuffer, SwizzleSignAndBars) {
  expect("LDC.U32X4 R0, c[16].wzyx;", 4, [](uint32_t, uint32_t c) { return constant_word(0, 7 - c); });
  expect("LDC.S32X4 R0, -c[16];", 4, [](uint32_t, uint32_t c) { return 0u - constant_word(0, 4 + c); });
  expect("LDC.F32X4 R0, |cf[0]|;", 4, [](uint32_t, uint32_t c) { return bits(std::abs(float_word(c))); });
  expect("LDC.F32X4 R0, -|cf[0].yxzw|;", 4, [](uint32_t, uint32_t c) { return bits(-std::abs(float_word(c < 2 ? 1 - c : c))); });
  expect("LDC.F32 R0, -cf[0].xxxy;", 4, [](uint32_t, uint32_t c) { return c < 3 ? bits(3.0f) : 0x80000000u; });
  expect("MOV.U R0, 9; LDC.U32X4 R0.y, c[16].w;", 3, values({9, constant_word(0, 7), 9}));
}

TEST(ConstantBuffer, ConditionCodesClampAndMask) {
  expect("LDC.F32X4.CC R1, cf[16]; MOV.U R0, 0; MOV.U R0 (LT), 1; MOV.U R0 (EQ), 2;", 4, [](uint32_t, uint32_t c) {
    const float v = float_word(4 + c);
    return v < 0 ? 1u : v == 0 ? 2u : 0u;
  });
  expect("LDC.F32X4.SAT R0, cf[16];", 4, [](uint32_t, uint32_t c) { return bits(std::min(1.0f, std::max(0.0f, float_word(4 + c)))); });
  expect("MOV.U R0, 3; MOV.U.CC R1, {0,1,0,1}; LDC.U32X4 R0 (NE), c[0];", 4,
         [](uint32_t, uint32_t c) { return c % 2 ? constant_word(0, c) : 3u; });
  expect("MOV.U R0, 3; LDC.U32X4 R0 (FL), c[0];", 4, values({3, 3, 3, 3}));
}

TEST(ConstantBuffer, BufferChosenAtRunTime) {
  expect("LDC.U32X4 R0, all[1][16];", 4, [](uint32_t, uint32_t c) { return constant_word(1, 4 + c); });
  // Threads 3, 7, ... name no buffer: 0.
  expect("AND.U R1.x, G.x, 3; LDC.U32X4 R0, all[R1.x][32].wzyx;", 4,
         [](uint32_t t, uint32_t c) { return t % 4 == 3 ? 0 : constant_word(t % 4, 11 - c); });
  expect("MOV.U R0, 8; AND.U R1.x, G.x, 1; MUL.U R1.y, G.x, 4; LDC.U32 R0.z, all[R1.x+1][R1.y+4].x;", 4,
         [](uint32_t t, uint32_t c) { return c == 2 ? constant_word(t % 2 + 1, t + 1) : 8; });
}

// ---- BUFFER and BUFFER4 in operands
const std::string kBuffers =
    "BUFFER b[] = { program.buffer[0] };\nBUFFER w = program.buffer[0][5];\nBUFFER r[] = { program.buffer[0][8..15] };\n"
    "BUFFER4 v[] = { program.buffer[3] };\nBUFFER4 v1 = program.buffer[3][2];\nBUFFER bb[][] = { program.buffer[0..2] };\n";

TEST(Buffer, WordsAreBroadcast) {
  expect("MOV.U R0, b[7];", 4, [](uint32_t, uint32_t) { return constant_word(0, 7); }, kBuffers);
  expect("ADD.U R0, w.w, r[2];", 4, [](uint32_t, uint32_t) { return constant_word(0, 5) + constant_word(0, 10); }, kBuffers);
  expect("MAD.U R0, b[G.x], b[G.x+1], -w;", 4,
         [](uint32_t t, uint32_t) { return constant_word(0, t) * constant_word(0, t + 1) - constant_word(0, 5); }, kBuffers);
}

TEST(Buffer, Vectors) {
  expect("MOV.U R0, v[1];", 4, [](uint32_t, uint32_t c) { return bits(float_word(4 + c)); }, kBuffers);
  expect("MOV R0, -|v[0].wzyx|;", 4, [](uint32_t, uint32_t c) { return bits(-std::abs(float_word(3 - c))); }, kBuffers);
  expect("AND.U R1.x, G.x, 7; ADD R0.xy, v[R1.x+1].zwzw, v1.x;", 2,
         [](uint32_t t, uint32_t c) { return bits(float_word(4 * (t % 8 + 1) + 2 + c) + float_word(8)); }, kBuffers);
}

TEST(Buffer, ChosenAtRunTime) {
  expect("AND.U R1.x, G.x, 3; MOV.U R0, bb[R1.x][G.x+1];", 4,
         [](uint32_t t, uint32_t) { return t % 4 == 3 ? 0 : constant_word(t % 4, t + 1); }, kBuffers);
  expect("MOV.U R0, bb[2][3];", 4, [](uint32_t, uint32_t) { return constant_word(2, 3); }, kBuffers);
}

// ---- storage chosen at run time
TEST(Storage, LoadsChosenAtRunTime) {
  expect("AND.U R1.x, G.x, 3; LDB.U32X2 R0, many[R1.x][8];", 4,
         [](uint32_t t, uint32_t c) { return t % 4 == 3 || c > 1 ? 0u : storage_word(t % 4 + 1, 2 + c); });
  expect("AND.U R1.x, G.x, 1; LDB.U32.CC R2.x, many[R1.x+1][4]; MOV.U R0, 0; MOV.U R0.x (LT.x), R1;", 1,
         [](uint32_t t, uint32_t) { return (storage_word(t % 2 + 2, 1) >> 31) ? t % 2 : 0u; });
}

TEST(Storage, StoresChosenAtRunTime) {
  const Bench run("AND.U R1.x, G.x, 3; MUL.U R1.y, G.x, 4; STB.U32 G, many[R1.x][R1.y+8]; MOV.U R0, 0;");
  ASSERT_TRUE(run.result.ok());
  for (uint32_t n = 1; n < 4; ++n)
    for (uint32_t i = 0; i < kBufferWords; ++i) {
      const uint32_t thread = i - 2;
      const bool stored = i >= 2 && thread < kThreads && thread % 4 == n - 1;
      EXPECT_EQ(run.device->memory().load32(run.storage[n] + i * 4), stored ? thread : storage_word(n, i)) << n << " " << i;
    }
}

TEST(Storage, AtomicsChosenAtRunTime) {
  const Bench run("AND.U R1.x, G.x, 3; MOV.U R2.x, 1; ATOMB.ADD.U32 R0, R2, many[R1.x][4];");
  ASSERT_TRUE(run.result.ok());
  for (uint32_t n = 1; n < 4; ++n) EXPECT_EQ(run.device->memory().load32(run.storage[n] + 4), storage_word(n, 1) + kThreads / 4);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(run.out(t, 0), t % 4 == 3 ? 0u : storage_word(t % 4 + 1, 1) + t / 4) << t;
}

// ---- global memory
void address_in_local(Bench& r) { r.device->set_local(0, {r.storage[1], 0, r.storage[2], 1}); }

TEST(Global, AddressesOf32Bits) {
  expect("MUL.U R1.x, G.x, 4; ADD.U R1.x, R1.x, l[0].x; LOAD.U32 R0, R1.x;", 4,
         [](uint32_t t, uint32_t c) { return c == 0 ? storage_word(1, t) : 0u; }, "", address_in_local);
  expect("LOAD.U32X4 R0, l[0].x;", 4, [](uint32_t, uint32_t c) { return storage_word(1, c); }, "", address_in_local);
  expect("SUB.S R1.x, 0, l[0].x; LOAD.S32X2 R0, -R1.x;", 2, [](uint32_t, uint32_t c) { return storage_word(1, c); }, "", address_in_local);
}

TEST(Global, StoresAndAtomics) {
  const Bench run(
      "MUL.U R1.x, G.x, 4; ADD.U R1.x, R1.x, l[0].x; STORE.U32.COH G, R1.x; MEMBAR; MOV.U R2.x, 3; ATOM.ADD.U32 R0.x, R2.x, l[0].z;\n"
      "MOV.U R2.xy, {7, 9, 0, 0}; ADD.U R3.x, l[0].z, 4; ATOM.MAX.S32 R0.y, R2.x, R3.x; ADD.U R3.x, l[0].z, 8; ATOM.EXCH.U32 R0.z, G.x, R3.x;\n"
      "ADD.U R3.x, l[0].z, 12; ATOM.CSWAP.U32 R0.w, R2, R3.x;",
      "", address_in_local);
  ASSERT_TRUE(run.result.ok()) << isa::to_string(run.result.fault.code);
  const Memory& m = run.device->memory();
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(m.load32(run.storage[1] + 4 * t), t);
    EXPECT_EQ(run.out(t, 0), storage_word(2, 0) + 3 * t);
    EXPECT_EQ(run.out(t, 2), t == 0 ? storage_word(2, 2) : t - 1);
    EXPECT_EQ(run.out(t, 3), storage_word(2, 3));
  }
  EXPECT_EQ(m.load32(run.storage[2]), storage_word(2, 0) + 3 * kThreads);
  EXPECT_EQ(m.load32(run.storage[2] + 4), storage_word(2, 1));  // 0x60000001 is larger than 7
  EXPECT_EQ(m.load32(run.storage[2] + 8), kThreads - 1);
  EXPECT_EQ(m.load32(run.storage[2] + 12), storage_word(2, 3));
}

TEST(Global, ATOMHasAllOperations) {
  struct Case {
    const char* op;
    std::function<uint32_t(uint32_t)> effect;
  };
  const std::vector<Case> cases = {
      {"ADD.U32", [](uint32_t m) { return m + 5; }},      {"MIN.U32", [](uint32_t m) { return std::min(m, 5u); }},
      {"MAX.U32", [](uint32_t m) { return std::max(m, 5u); }}, {"AND.U32", [](uint32_t m) { return m & 5; }},
      {"OR.U32", [](uint32_t m) { return m | 5; }},       {"XOR.U32", [](uint32_t m) { return m ^ 5; }},
      {"IWRAP.U32", [](uint32_t m) { return m >= 5 ? 0 : m + 1; }}, {"DWRAP.U32", [](uint32_t m) { return m == 0 || m > 5 ? 5u : m - 1; }},
      {"EXCH.S32", [](uint32_t) { return 5u; }},          {"CSWAP.S32", [](uint32_t m) { return m; }}};
  for (const Case& c : cases) {
    const Bench run("MOV.U.CC R1.x, G.x; MOV.U R2, {5, 6, 0, 0}; IF EQ.x; ATOM." + std::string(c.op) + " R0.x, R2, l[0].x; ENDIF;", "", address_in_local);
    ASSERT_TRUE(run.result.ok());
    EXPECT_EQ(run.device->memory().load32(run.storage[1]), c.effect(storage_word(1, 0))) << c.op;
    EXPECT_EQ(run.out(0, 0), storage_word(1, 0)) << c.op;
  }
}

TEST(Global, AddressOf64BitsIsChecked) {
  // LDB into a LONG variable clears its upper halves.
  const auto setup = [](Bench& r) {
    for (uint32_t t = 0; t < kBufferWords; ++t) r.device->memory().store32(r.storage[1] + t * 4, r.storage[2] + t * 4);
  };
  expect("MUL.U R1.x, G.x, 4; LDB.U32 D0.x, many[0][R1.x]; LOAD.U32 R0, D0.x;", 2,
         [](uint32_t t, uint32_t c) { return c == 0 ? storage_word(2, t) : 0u; }, "", setup);
  expect("MUL.U R1.x, G.x, 4; LDB.U32 E[2].x, many[0][R1.x]; MOV.U R2.x, 1; LOAD.U32 R0, E[R2.x+1].x;", 2,
         [](uint32_t t, uint32_t c) { return c == 0 ? storage_word(2, t) : 0u; }, "", setup);
  // Sign extension of a negative word makes an upper half that is not 0.
  const Bench run("LDB.S32 D0.x, many[2][0]; MOV.U R0, 0; LOAD.U32 R0.x, D0.x;", "",
                [](Bench& r) { r.device->memory().store32(r.storage[3], 0x80000000u); });
  EXPECT_EQ(run.result.fault.code, isa::Fault::ADDRESS);
  // The negative of a 64-bit address whose upper half is all ones is one of 32 bits.
  expect("LDB.S32 D0.x, many[2][0]; LOAD.U32 R0, -D0.x;", 1, [](uint32_t, uint32_t) { return storage_word(2, 0); }, "",
         [](Bench& r) { r.device->memory().store32(r.storage[3], 0u - r.storage[2]); });
}

// ---- float atomics
TEST(FloatAtomics, AddAndExchange) {
  for (const char* memory : {"ATOMS", "ATOMB", "ATOM"}) {
    const std::string name(memory);
    const std::string at = name == "ATOMS" ? "sm[16]" : name == "ATOMB" ? "many[0][16]" : "R3.x";
    const std::string store = name == "ATOMS" ? "STS.F32 R1.x, sm[16]; BAR;" : name == "ATOMB" ? "STB.F32 R1.x, many[0][16]; BAR;" : "STORE.F32 R1.x, R3.x; MEMBAR; BAR;";
    const std::string load = name == "ATOMS" ? "LDS.F32 R0.x, sm[16];" : name == "ATOMB" ? "LDB.F32 R0.x, many[0][16];" : "LOAD.F32 R0.x, R3.x;";
    expect("MOV R1.x, 1.5; ADD.U R3.x, l[0].x, 16;\n" + store + "MOV R2.x, 0.25; " + name + ".ADD.F32 R2.y, R2.x, " + at + "; MEMBAR; BAR;" + load, 1,
           [](uint32_t, uint32_t) { return bits(1.5f + 0.25f * kThreads); }, "", address_in_local);
    expect("MOV R1.x, 1.5; ADD.U R3.x, l[0].x, 16;\n" + store + "MOV R2.x, -7.0; " + name + ".EXCH.F32.CC R0, R2.x, " + at + ";", 1,
           [](uint32_t t, uint32_t) { return bits(t == 0 ? 1.5f : -7.0f); }, "", address_in_local);
  }
}

// ---- inputs and parameters
TEST(Inputs, ThreadGroup) {
  const auto id = [](uint32_t t) { return t % 32; };
  expect("MOV.U R0, invocation.threadid; MOV.U R0.y, invocation.threadeqmask; MOV.U R0.z, invocation.threadltmask; MOV.U R0.w, invocation.threadlemask;", 4,
         [&](uint32_t t, uint32_t c) {
           const uint64_t bit = uint64_t{1} << id(t);
           return static_cast<uint32_t>(c == 0 ? id(t) : c == 1 ? bit : c == 2 ? bit - 1 : 2 * bit - 1);
         });
  expect("MOV.U R0.x, invocation.threadgtmask; MOV.U R0.y, invocation.threadgemask; MOV.U R0.z, invocation.warpid; MOV.U R0.w, invocation.smid;", 4,
         [&](uint32_t t, uint32_t c) {
           const uint64_t bit = uint64_t{1} << id(t);
           return static_cast<uint32_t>(c == 0 ? ~(2 * bit - 1) : c == 1 ? ~(bit - 1) : c == 2 ? t / 32 : 0);
         });
  // Scalars stand in all components: a real translator reads them in any lane.
  expect("AND.U R0, invocation.threadid.yzwx, 3;", 4, [&](uint32_t t, uint32_t) { return id(t) & 3; });
}

TEST(Inputs, StateAndLengths) {
  expect("MOV.U R0.x, state.thread.warpsize; MOV.U R0.y, s[1]; MOV.U R0.z, state.thread.smcount.x; MOV.U R0.w, program.storagelen[2].x;", 4,
         values({32, isa::find_config("base")->waves_partial, 1, 0}),
         "PARAM s[] = { state.thread.warpsize, state.thread.warpspersm };\n");
  expect("MOV.U R0, n[G.x].x; MOV.U R0.y, n1;", 2, values({0, 0}), "PARAM n[] = { program.storagelen[0..7] };\nPARAM n1 = program.storagelen[15];\n");
}

TEST(Inputs, ParametersOfEveryKind) {
  const std::string declarations =
      "INT PARAM i = { 3, -4 };\nUINT PARAM u = 0xFFFFFFFF;\nFLOAT PARAM f = -1.5;\nPARAM one = 2;\nPARAM e = program.env[3];\n"
      "PARAM mixed[] = { program.local[2..3], { 1, 2, 3, 4 }, program.env[1], -0.5, program.local[1] };\n";
  expect("MOV.S R0.xy, i; MOV.U R0.z, u; MOV R0.w, f;", 4, values({3, 0xfffffffcu, 0xffffffffu, bits(-1.5f)}), declarations);
  expect("MOV.S R0, i.zwxy; MOV R0.z, one; MOV.U R0.w, e.z;", 4, values({0, 1, bits(2.0f), 3}), declarations);
  expect("MOV.U R1.x, G.x; MOV.U R0, mixed[R1.x];", 4, [](uint32_t t, uint32_t c) -> uint32_t {
    const uint32_t env[] = {bits(0.5f), bits(-1.5f), 1, 7};
    switch (t) {
      case 0: return 20 + c;
      case 1: return 30 + c;
      case 2: return bits(static_cast<float>(c + 1));
      case 3: return env[c];
      case 4: return bits(-0.5f);
      case 5: return 10 + c;
      default: return 0;
    }
  }, declarations);
}

// ---- CALI
const std::string kRoutines =
    "SUBROUTINETYPE T { f, g, h };\nSUBROUTINE T one = program.subroutine[4];\nSUBROUTINE T table[3] = { program.subroutine[0..2] };\n";
const std::string kBodies =
    "STB.U32X4 R0, out[O.x];\nRET;\nf SUBROUTINENUM(7):\nADD.U R0, R0, 1; RET;\ng:\nADD.U.CC R0, R0, 10;\nh SUBROUTINENUM(1):\nMUL.U R0, R0, 3;\nRET;\nnone:\n";

void choose(Bench& r) {
  r.device->set_subroutine(0, 0);
  r.device->set_subroutine(1, 7);
  r.device->set_subroutine(2, 1);
}

TEST(IndirectCall, OneUniform) {
  expect("MOV.U R0, 5; CALI one;" + kBodies, 4, values({6, 6, 6, 6}), kRoutines);  // the first by default
  expect("MOV.U R0, 5; CALI one;" + kBodies, 1, values({15}), kRoutines, [](Bench& r) { r.device->set_subroutine(4, 0); });
  expect("MOV.U R0, 5; CALI one; CALI one;" + kBodies, 1, values({45}), kRoutines, [](Bench& r) { r.device->set_subroutine(4, 1); });
}

TEST(IndirectCall, Arrays) {
  expect("MOV.U R0, 5; CALI table[0]; CALI table[2];" + kBodies, 1, values({45}), kRoutines, choose);
  expect("MOV.U R0, G.x; AND.U R1.x, G.x, 3; CALI table[R1.x];" + kBodies, 1,
         [](uint32_t t, uint32_t) { return t % 4 == 0 ? t + 10 : t % 4 == 1 ? t + 1 : t % 4 == 2 ? t * 3 : t; }, kRoutines, choose);
  expect("MOV.U R0, G.x; AND.U R1.x, G.x, 1; CALI table[R1.x+1];" + kBodies, 1, [](uint32_t t, uint32_t) { return t % 2 == 0 ? t + 1 : t * 3; }, kRoutines, choose);
}

TEST(IndirectCall, Conditions) {
  expect("MOV.U R0, G.x; AND.U.CC R1.xy, G.x, {1, 2, 0, 0}; CALI table[0] (NE.x);" + kBodies, 1, [](uint32_t t, uint32_t) { return t % 2 ? t + 10 : t; }, kRoutines,
         choose);
  expect("MOV.U R0, G.x; AND.U.CC R1.xy, G.x, {1, 2, 0, 0}; AND.U R1.z, G.x, 1; CALI table[R1.z+1] (NE.xyxy);" + kBodies, 1,
         [](uint32_t t, uint32_t) { return t % 4 == 0 ? t : t % 2 == 0 ? t + 1 : t * 3; }, kRoutines, choose);
  expect("MOV.U R0, G.x; CALI one (FL);" + kBodies, 1, [](uint32_t t, uint32_t) { return t; }, kRoutines);
}

TEST(IndirectCall, FromASubroutineInALoop) {
  expect("MOV.U R0, 0; REP 3; CAL k; ENDREP;\nSTB.U32X4 R0, out[O.x];\nRET;\nk:\nIF TR;\nCALI one;\nENDIF;\n" + kBodies, 1, values({3}), kRoutines);
}

TEST(IndirectCall, ObjectNamesTheUniforms) {
  const Program p = assemble_text(kOptions + kRoutines + kPlaces + "CALI one;\n" + kBodies + "END\n");
  ASSERT_EQ(p.subroutines.size(), 4u);
  EXPECT_EQ(p.subroutines[3], (SubroutineUniform{4, {7, 0, 1}}));
  EXPECT_EQ(p.subroutines[0].index, 0u);
}

// ---- L99: what the machine cannot hold
TEST(Resources, AreRefusedWithAPlace) {
  std::string slots = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nTEMP R0;\n", slots_body;
  for (int i = 0; i < 65; ++i) {
    slots += "STORAGE s" + std::to_string(i) + " = program.storage[0][" + std::to_string(i * 16) + "];\n";
    slots_body += "STB.U32 R0, s" + std::to_string(i) + ";\n";
  }
  std::string constants = "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED_MEMORY 64;\nSHARED s[] = { program.sharedmem };\nTEMP R0;\n";
  for (int i = 0; i < 256; ++i) constants += "ADD R0, R0, program.local[" + std::to_string(i) + "];\n";
  std::string registers = "!!NVcp5.0\nGROUP_SIZE 8;\nSHARED_MEMORY 64;\nSHARED s[] = { program.sharedmem };\nTEMP R0, a[300];\nMOV R0, invocation.localid;\n";
  for (const char* c : {"x", "y", "z", "w"}) registers += std::string("MOV a[R0.x].") + c + ", R0;\n";
  struct Case {
    std::string text;
    uint32_t line;
  };
  const Case cases[] = {{slots + slots_body + "END", 69 + 65},
                        {constants + "ADD R0, R0, program.env[0];\nSTS.F32X4 R0, s[0];\nEND", 1},
                        {registers + "STS.F32X4 a[R0.y], s[0];\nEND", 1}};
  for (const Case& c : cases) {
    Diagnostics diagnostics;
    ASSERT_FALSE(assemble(c.text, "t", {}, diagnostics));
    ASSERT_EQ(diagnostics.error_count(), 1u) << render(diagnostics, c.text);
    const Diagnostic& d = diagnostics.items()[0];
    EXPECT_EQ(d.rule, "L99");
    EXPECT_EQ(d.line, c.line) << render(diagnostics, c.text);
    EXPECT_GE(d.column, 1u);
    EXPECT_FALSE(d.hint.empty());
  }
  // One less fits.
  assemble_text(slots + slots_body.substr(0, slots_body.rfind("STB")) + "END");
  assemble_text(constants + "STS.F32X4 R0, s[0];\nEND");
}

}  // namespace
}  // namespace maskwork::test
