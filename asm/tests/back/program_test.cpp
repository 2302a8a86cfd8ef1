// Directed programs on the golden model: the corners of the language that a lowering can get wrong. Expected values are computed here from
// the language's rules, not from the assembler.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "helpers.hpp"
#include "maskwork/device.hpp"

namespace maskwork::test {
namespace {

using Words = std::vector<uint32_t>;

uint32_t bits(float v) { return std::bit_cast<uint32_t>(v); }

struct Result {
  DispatchResult dispatch;
  Words out;
};

/// Thread i reads in[i] (binding 0, G = 4 * global index) and writes the words G*outs .. of binding 1.
Result run(const std::string& body, const Words& in, uint32_t outs, uint32_t threads, const std::string& declarations = {}) {
  const std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE " + std::to_string(threads) +
                           ";\nSHARED_MEMORY 4096;\nSHARED sm[] = { program.sharedmem };\nSTORAGE in[] = { program.storage[0] };\n"
                           "STORAGE out[] = { program.storage[1] };\nPARAM l[] = { program.local[0..3] };\nTEMP R0, R1, R2, R3, R4, G, A[8], S[40];\n" +
                           declarations + body + "\nEND\n";
  const Program program = assemble_text(text);
  auto device = make_model(*isa::find_config("base"));
  const uint32_t in_bytes = std::max<uint32_t>(16, static_cast<uint32_t>(in.size()) * 4), out_bytes = threads * outs * 4;
  const uint32_t in_at = device->memory().allocate(in_bytes), out_at = device->memory().allocate(out_bytes);
  for (size_t i = 0; i < in.size(); ++i) device->memory().store32(in_at + static_cast<uint32_t>(i) * 4, in[i]);
  for (uint32_t i = 0; i < threads * outs; ++i) device->memory().store32(out_at + i * 4, 0xdeadbeef);
  device->load(program);
  device->bind_storage(0, in_at, in_bytes);
  device->bind_storage(1, out_at, out_bytes);
  for (uint32_t n = 0; n < 4; ++n) device->set_local(n, {n * 10, n * 10 + 1, n * 10 + 2, n * 10 + 3});
  Result r;
  r.dispatch = device->dispatch(1, 1, 1);
  for (uint32_t i = 0; i < threads * outs; ++i) r.out.push_back(device->memory().load32(out_at + i * 4));
  return r;
}

/// The same for programs that must end well. `expected`: word k of thread i.
void expect(const std::string& body, const Words& in, uint32_t outs, const std::function<uint32_t(uint32_t thread, uint32_t word)>& expected, uint32_t threads = 0,
            const std::string& declarations = {}) {
  if (threads == 0) threads = static_cast<uint32_t>(in.size());
  const Result r = run(body, in, outs, threads, declarations);
  ASSERT_TRUE(r.dispatch.ok()) << isa::to_string(r.dispatch.fault.code) << " at pc " << r.dispatch.fault.pc << "\n" << body;
  for (uint32_t t = 0; t < threads; ++t)
    for (uint32_t k = 0; k < outs; ++k) ASSERT_EQ(r.out[t * outs + k], expected(t, k)) << "thread " << t << " word " << k << "\n" << body;
}

const std::string kLoad = "MUL.U G.x, invocation.localindex, 4;\nLDB.U32 R0.x, in[G.x];\n";

struct Flags {
  bool c, o, s, z;
};
const std::vector<std::pair<std::string, std::function<bool(Flags)>>> kTests = {
    {"EQ", [](Flags f) { return !f.s && f.z; }},
    {"NE", [](Flags f) { return f.s || !f.z; }},
    {"LT", [](Flags f) { return (f.s && !f.z) ^ f.o; }},
    {"GE", [](Flags f) { return !(f.s ^ f.o); }},
    {"LE", [](Flags f) { return f.s ^ (f.z || f.o); }},
    {"GT", [](Flags f) { return (!f.s ^ f.o) && !f.z; }},
    {"NAN", [](Flags f) { return f.s && f.z; }},
    {"LEG", [](Flags f) { return !f.s || !f.z; }},
    {"CF", [](Flags f) { return f.c; }},
    {"NCF", [](Flags f) { return !f.c; }},
    {"OF", [](Flags f) { return f.o; }},
    {"NOF", [](Flags f) { return !f.o; }},
    {"SF", [](Flags f) { return f.s; }},
    {"NSF", [](Flags f) { return !f.s; }},
    {"AB", [](Flags f) { return f.c && !f.z; }},
    {"BLE", [](Flags f) { return !f.c || f.z; }},
    {"TR", [](Flags) { return true; }},
    {"FL", [](Flags) { return false; }},
};

/// Every test as a write mask and as the condition of IF, after an instruction that sets CC0.x from R0.x (in[i]) and R1.x (in[n + i]).
void check_flags(const std::string& instruction, const std::vector<std::pair<uint32_t, uint32_t>>& pairs, const std::function<Flags(uint32_t, uint32_t)>& flags) {
  Words in;
  for (const auto& p : pairs) in.push_back(p.first);
  for (const auto& p : pairs) in.push_back(p.second);
  const uint32_t n = static_cast<uint32_t>(pairs.size());
  std::string body = kLoad + "LDB.U32 R1.x, in[G.x + " + std::to_string(4 * n) + "];\n" + instruction + ";\nMOV.U R2, 0;\n";
  for (size_t k = 0; k < kTests.size(); ++k) {
    body += "MOV.U R3.x, 0;\nMOV.U R3.x (" + kTests[k].first + ".x), " + std::to_string(1u << k) + ";\nOR.U R2.x, R2.x, R3.x;\n";
    body += "IF " + kTests[k].first + ".x;\nOR.U R2.y, R2.y, " + std::to_string(1u << k) + ";\nENDIF;\n";
  }
  body += "MUL.U G.x, G.x, 2;\nSTB.U32X2 R2, out[G.x];";
  expect(body, in, 2, [&](uint32_t t, uint32_t) {
    uint32_t want = 0;
    const Flags f = flags(pairs[t].first, pairs[t].second);
    for (size_t k = 0; k < kTests.size(); ++k) want |= kTests[k].second(f) ? 1u << k : 0;
    return want;
  }, n);
}

std::vector<std::pair<uint32_t, uint32_t>> integer_pairs() {
  const uint32_t values[] = {0, 1, 2, 0x7fffffff, 0x80000000u, 0x80000001u, 0xffffffffu, 1234567};
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t a : values)
    for (uint32_t b : values) pairs.emplace_back(a, b);
  return pairs;
}

Flags add_flags(int64_t sa, int64_t sb, uint64_t ua, uint64_t ub) {
  const uint32_t r = static_cast<uint32_t>(ua + ub);
  const int64_t exact = sa + sb;
  return {(ua + ub) >> 32 != 0, exact < INT32_MIN || exact > INT32_MAX, (r >> 31) != 0, r == 0};
}

Flags sub_flags(uint32_t a, uint32_t b) {
  const uint32_t r = a - b;
  const int64_t exact = int64_t{static_cast<int32_t>(a)} - static_cast<int32_t>(b);
  return {a >= b, exact < INT32_MIN || exact > INT32_MAX, (r >> 31) != 0, r == 0};
}

Flags plain_add(uint32_t a, uint32_t b) { return add_flags(static_cast<int32_t>(a), static_cast<int32_t>(b), a, b); }

TEST(Conditions, AdditionAndSubtraction) {
  const auto pairs = integer_pairs();
  for (const char* type : {"S", "U"}) {
    const std::string t = type;
    check_flags("ADD." + t + ".CC R2.x, R0, R1", pairs, plain_add);
    check_flags("SUB." + t + ".CC R2.x, R0, R1", pairs, sub_flags);
    check_flags("ADD." + t + ".CC R2.x, R0, -R1", pairs, sub_flags);
    check_flags("ADD." + t + ".CC R2.x, -R0, R1", pairs, [](uint32_t a, uint32_t b) { return sub_flags(b, a); });
    check_flags("SUB." + t + ".CC R2.x, R0, -R1", pairs, plain_add);
    check_flags("ADD." + t + ".CC R2.x, -R0, -R1", pairs, [](uint32_t a, uint32_t b) { return plain_add(0u - a, 0u - b); });
    check_flags("SUB." + t + ".CC R2.x, -R0, R1", pairs, [](uint32_t a, uint32_t b) { return plain_add(0u - a, 0u - b); });
  }
}

TEST(Conditions, OtherIntegerResultsClearCarryAndOverflow) {
  const auto pairs = integer_pairs();
  const auto plain = [](uint32_t r) { return Flags{false, false, (r >> 31) != 0, r == 0}; };
  check_flags("MUL.S.CC R2.x, R0, R1", pairs, [&](uint32_t a, uint32_t b) { return plain(a * b); });
  check_flags("AND.U.CC R2.x, R0, R1", pairs, [&](uint32_t a, uint32_t b) { return plain(a & b); });
  check_flags("MAX.S.CC R2.x, R0, R1", pairs, [&](uint32_t a, uint32_t b) { return plain(static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a : b); });
  check_flags("MAD.S.CC R2.x, R0, R0, R1", pairs, [&](uint32_t a, uint32_t b) { return plain_add(a * a, b); });
  check_flags("MAD.S.CC R2.x, R0, R0, -R1", pairs, [&](uint32_t a, uint32_t b) { return sub_flags(a * a, b); });
}

TEST(Conditions, Floats) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (float a : {0.0f, -0.0f, 1.0f, -1.0f, inf, -inf, nan, 1e-42f})
    for (float b : {0.0f, 1.0f, -1.0f, inf, nan}) pairs.emplace_back(bits(a), bits(b));
  const auto flags = [](float r) { return Flags{false, false, r < 0 || std::isnan(r), r == 0 || std::isnan(r)}; };
  const auto f = [](uint32_t b) { return std::bit_cast<float>(b); };
  check_flags("ADD.F.CC R2.x, R0, R1", pairs, [&](uint32_t a, uint32_t b) { return flags(f(a) + f(b)); });
  check_flags("MUL.F.CC R2.x, R0, R1", pairs, [&](uint32_t a, uint32_t b) { return flags(f(a) * f(b)); });
  // Clamping comes before the flags; NaN gives +0.
  check_flags("ADD.F.CC.SAT R2.x, R0, R1", pairs, [&](uint32_t a, uint32_t b) {
    const float r = f(a) + f(b);
    return flags(std::isnan(r) ? 0.0f : std::min(1.0f, std::max(0.0f, r)));
  });
  check_flags("MOV.F.CC.SSAT R2.x, R0", pairs, [&](uint32_t a, uint32_t) { return flags(std::isnan(f(a)) ? 0.0f : std::min(1.0f, std::max(-1.0f, f(a)))); });
}

TEST(Conditions, TheOldCodeIsTestedWhileTheNewOneIsWritten) {
  // x and y exchange their roles: x is written where old y is GT, y where old x is GT.
  const Words in{0, 1, 2, 3};
  const std::string body = kLoad +
                           "AND.S R1.x, R0, 1;\nSHR.S R1.y, R0.x, 1;\nMOV.S.CC R1.xy, R1;\n"  // CC0.x = bit 0, CC0.y = bit 1
                           "MOV.S R2, 100;\nSUB.S.CC R2.xy (GT.yxzw), {5,5,0,0}, {5,5,0,0};\n"
                           "MOV.U R3, 0;\nMOV.U R3.xy (EQ), 1;\nMOV.S R2.zw, R3.xyxy;\nMUL.U G.x, G.x, 4;\nSTB.U32X4 R2, out[G.x];";
  expect(body, in, 4, [](uint32_t t, uint32_t k) -> uint32_t {
    const bool bit[2] = {(t & 1) != 0, (t & 2) != 0};
    const bool written[2] = {bit[1], bit[0]};
    const uint32_t c = k & 1;
    if (k < 2) return written[c] ? 0 : 100;
    return written[c] || !bit[c] ? 1 : 0;  // EQ: the new result is 0, or the old value was
  });
}

TEST(Conditions, CodesSurviveFlowAndMasksKeepThem) {
  const Words in{0, 1, 2, 3, 4, 5, 6, 7};
  const std::string body = kLoad +
                           "AND.S.CC0 R1.x, R0, 1;\nAND.S.CC1 R1.x, R0, 2;\nMOV.U R2, 0;\n"
                           "IF NE0.x;\nIF NE1.x;\nMOV.U R2.x, 3;\nELSE;\nMOV.U R2.x, 1;\nENDIF;\nELSE;\nIF NE1.x;\nMOV.U R2.x, 2;\nENDIF;\nENDIF;\n"
                           "MOV.S.CC0 R3.x (EQ1.x), -1;\nMOV.U R2.y (LT0.x), 1;\nMUL.U G.x, G.x, 2;\nSTB.U32X2 R2, out[G.x];";
  expect(body, in, 2, [](uint32_t t, uint32_t k) -> uint32_t { return k == 0 ? t & 3 : (t & 2) == 0; });
}

// ---- REP

TEST(Rep, CountsOfEveryType) {
  // Iterations until the count or, at most, 20.
  const std::string loop = "MOV.U R1.x, 0;\nREP.T R0;\nMOV.U R0.x, 12345;\nADD.U R1.x, R1.x, 1;\nSGE.U.CC R2.x, R1.x, 20;\nBRK (NE.x);\nENDREP;\nSTB.U32 R1, out[G.x];";
  const auto with = [&](const char* type) {
    std::string s = kLoad + loop;
    s.replace(s.find("REP.T"), 5, std::string("REP.") + type);
    return s;
  };
  const auto limited = [](uint64_t n) { return static_cast<uint32_t>(std::min<uint64_t>(n, 20)); };
  const Words integers{0, 1, 2, 7, 19, 20, 21, 0x7fffffff, 0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffffeu};
  expect(with("S"), integers, 1, [&](uint32_t t, uint32_t) { return limited(static_cast<int32_t>(integers[t]) > 0 ? integers[t] : 0); });
  expect(with("U"), integers, 1, [&](uint32_t t, uint32_t) { return limited(integers[t]); });
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<std::pair<float, uint32_t>> floats{{0.0f, 0},  {-0.0f, 0}, {0.99f, 0}, {1.0f, 1},  {1.5f, 1},  {2.9999f, 2}, {-1.0f, 0}, {-inf, 0},
                                                       {inf, 20},  {3e9f, 20}, {5e9f, 20}, {7.0f, 7},  {1e-40f, 0}, {std::numeric_limits<float>::quiet_NaN(), 0}};
  Words in;
  for (const auto& p : floats) in.push_back(bits(p.first));
  expect(with("F"), in, 1, [&](uint32_t t, uint32_t) { return floats[t].second; });
}

TEST(Rep, ContinueCountsAndInnerLoopsHaveTheirOwnCounter) {
  // Sum over i < n, j < i of (j odd ? 1 : 0), with CONT on even j.
  Words in;
  for (uint32_t i = 0; i < 40; ++i) in.push_back(i % 11);
  const std::string body = kLoad +
                           "MOV.U R1, 0;\nREP.U R0;\nMOV.U R1.z, 0;\nREP.U R1.y;\nAND.U.CC R2.x, R1.z, 1;\nADD.U R1.z, R1.z, 1;\nCONT (EQ.x);\nADD.U R1.x, R1.x, 1;\nENDREP;\n"
                           "ADD.U R1.y, R1.y, 1;\nENDREP;\nSTB.U32 R1, out[G.x];";
  expect(body, in, 1, [&](uint32_t t, uint32_t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < in[t]; ++i)
      for (uint32_t j = 0; j < i; ++j) sum += j & 1;
    return sum;
  });
}

TEST(Rep, UniformCountFromAProgramParameter) {
  expect("MUL.U G.x, invocation.localindex, 4;\nMOV.U R1.x, 0;\nREP.U l[1].z;\nADD.U R1.x, R1.x, 1;\nENDREP;\nSTB.U32 R1, out[G.x];", {}, 1, [](uint32_t, uint32_t) { return 12; }, 33);
}

TEST(Rep, LeavingFromInsideIfs) {
  Words in;
  for (uint32_t i = 0; i < 64; ++i) in.push_back(i * 7919 % 23);
  const std::string body = kLoad +
                           "MOV.U R1, 0;\nREP;\nADD.U R1.x, R1.x, 1;\nSGE.U.CC R2.x, R1.x, R0.x;\nIF NE.x;\nSEQ.U.CC R2.x, R0.x, 5;\nIF NE.x;\nMOV.U R1.y, 77;\nBRK;\nELSE;\n"
                           "ADD.U R1.y, R1.y, 2;\nBRK;\nENDIF;\nMOV.U R1.y, 99;\nENDIF;\nAND.U.CC R2.x, R1.x, 1;\nIF NE.x;\nCONT;\nENDIF;\nADD.U R1.z, R1.z, 1;\nENDREP;\n"
                           "MUL.U G.x, G.x, 4;\nSTB.U32X4 R1, out[G.x];";
  expect(body, in, 3 + 1, [&](uint32_t t, uint32_t k) -> uint32_t {
    const uint32_t n = std::max(1u, in[t]);
    if (k == 0) return n;
    if (k == 1) return in[t] == 5 ? 77 : 2;
    return k == 2 ? (n - 1) / 2 : 0;
  });
}

TEST(Rep, LongRestOfABlockThatEverybodyLeft) {
  // All threads inside the IF leave the loop while the others wait for its end; the IF ends together with an inner one.
  Words in;
  for (uint32_t i = 0; i < 40; ++i) in.push_back(i % 4);
  const std::string body = kLoad +
                           "MOV.U R1, 0;\nREP 3;\nADD.U R1.x, R1.x, 1;\nAND.U.CC R2.x, R0.x, 1;\nIF NE.x;\nAND.U.CC R2.x, R0.x, 1;\nBRK (NE.x);\n"
                           "ADD.U R1.y, R1.y, 1;\nADD.U R1.z, R1.z, 2;\nADD.U R1.w, R1.w, 3;\nADD.U R1.y, R1.y, 1;\nIF NE.x;\nADD.U R1.y, R1.y, 9;\nENDIF;\nENDIF;\nADD.U R1.z, R1.z, 10;\nENDREP;\n"
                           "MUL.U G.x, G.x, 4;\nSTB.U32X4 R1, out[G.x];";
  expect(body, in, 4, [&](uint32_t t, uint32_t k) -> uint32_t {
    const bool left = (in[t] & 1) != 0;
    return k == 0 ? (left ? 1 : 3) : k == 2 && !left ? 30 : 0;
  });
  // The same with an ELSE, where the skip is taken.
  const std::string other = kLoad +
                            "MOV.U R1, 0;\nREP 3;\nADD.U R1.x, R1.x, 1;\nAND.U.CC R2.x, R0.x, 1;\nIF NE.x;\nBRK (NE.x);\n"
                            "ADD.U R1.y, R1.y, 1;\nADD.U R1.y, R1.y, 2;\nADD.U R1.y, R1.y, 3;\nADD.U R1.y, R1.y, 4;\nELSE;\nADD.U R1.z, R1.z, 10;\nENDIF;\nENDREP;\n"
                            "MUL.U G.x, G.x, 4;\nSTB.U32X4 R1, out[G.x];";
  expect(other, in, 4, [&](uint32_t t, uint32_t k) -> uint32_t {
    const bool left = (in[t] & 1) != 0;
    return k == 0 ? (left ? 1 : 3) : k == 2 && !left ? 30 : 0;
  });
}

// ---- calls

TEST(Calls, RecursionWithAStack) {
  // fib(n) by recursion, arguments and partial sums on a per-thread stack.
  Words in;
  for (uint32_t i = 0; i < 45; ++i) in.push_back(i % 10);
  const std::string body = "main:\n" + kLoad +
                           "MOV.S R1.x, 0;\nCAL fib;\nSTB.U32 R2, out[G.x];\nRET;\n"
                           "fib:\n"  // R0.x: n, result in R2.x, R1.x: stack pointer
                           "SLT.U.CC R3.x, R0.x, 2;\nMOV.U R2.x (NE.x), R0.x;\nRET (NE.x);\n"
                           "MOV.U S[R1.x].x, R0.x;\nADD.S R1.x, R1.x, 1;\nSUB.U R0.x, R0.x, 1;\nCAL fib;\n"
                           "SUB.S R1.x, R1.x, 1;\nMOV.U R0.x, S[R1.x].x;\nMOV.U S[R1.x].x, R2.x;\nADD.S R1.x, R1.x, 1;\nSUB.U R0.x, R0.x, 2;\nCAL fib;\n"
                           "SUB.S R1.x, R1.x, 1;\nADD.U R2.x, R2.x, S[R1.x].x;";
  expect(body, in, 1, [&](uint32_t t, uint32_t) {
    uint32_t a = 0, b = 1;
    for (uint32_t i = 0; i < in[t]; ++i) std::tie(a, b) = std::pair(b, a + b);
    return a;
  });
}

TEST(Calls, LoopCountersOfRecursiveRoutinesAreKeptPerDepth) {
  // walk(d): REP d { leaves += 1; walk(d - 1) }: the number of calls is the sum of n! / k!.
  const std::string body = "main:\n" + kLoad +
                           "MOV.U R1, 0;\nCAL walk;\nSTB.U32 R1, out[G.x];\nRET;\n"
                           "walk:\nADD.U R1.x, R1.x, 1;\nREP.U R0.x;\nSUB.U R0.x, R0.x, 1;\nCAL walk;\nADD.U R0.x, R0.x, 1;\nENDREP;";
  const Words in{0, 1, 2, 3, 4, 5, 3, 0};
  const std::function<uint32_t(uint32_t)> calls = [&](uint32_t d) { return 1 + d * (d == 0 ? 0 : calls(d - 1)); };
  expect(body, in, 1, [&](uint32_t t, uint32_t) { return calls(in[t]); });
}

TEST(Calls, ThirtyTwoDeepIsTheLimit) {
  const std::string body = "main:\n" + kLoad +
                           "MOV.U R1, 0;\nCAL down;\nSTB.U32 R1, out[G.x];\nRET;\ndown:\nADD.U R1.x, R1.x, 1;\nSLT.U.CC R2.x, R1.x, R0.x;\nCAL down (NE.x);";
  expect(body, {1, 31, 32, 7}, 1, [](uint32_t t, uint32_t) { return Words{1, 31, 32, 7}[t]; });
  const Result r = run(body, {1, 33, 2, 3}, 1, 4);
  EXPECT_EQ(r.dispatch.fault.code, isa::Fault::STACK_OVERFLOW);
}

TEST(Calls, ReturnFromInsideLoopsAndIfs) {
  // find(n): first k >= 1 with k * k >= n, returned from two loops and an IF; the caller is inside an IF and a loop itself.
  Words in;
  for (uint32_t i = 0; i < 50; ++i) in.push_back(i * 3);
  const std::string body = "main:\n" + kLoad +
                           "MOV.U R1, 0;\nREP 2;\nSNE.U.CC R2.x, R0.x, 9;\nIF NE.x;\nCAL find;\nADD.U R1.x, R1.x, R3.x;\nELSE;\nADD.U R1.x, R1.x, 1000;\nENDIF;\nENDREP;\n"
                           "STB.U32 R1, out[G.x];\nRET;\n"
                           "find:\nMOV.U R3, 0;\nREP;\nREP 3;\nADD.U R3.x, R3.x, 1;\nMUL.U R3.y, R3.x, R3.x;\nSGE.U.CC R2.x, R3.y, R0.x;\nIF NE.x;\nADD.U R4.x, R4.x, 1;\nRET;\nENDIF;\nENDREP;\n"
                           "SGT.U.CC R2.x, R3.x, 100;\nRET (NE.x);\nENDREP;\nMOV.U R3.x, 5555;";
  expect(body, in, 1, [&](uint32_t t, uint32_t) {
    if (in[t] == 9) return 2000u;
    uint32_t k = 1;
    while (k * k < in[t]) ++k;
    return 2 * k;
  });
}

TEST(Calls, ConditionalCallsAndFallingIntoTheNextRoutine) {
  const Words in{0, 1, 2, 3, 4, 5};
  const std::string body = "main:\n" + kLoad +
                           "MOV.U R1, 0;\nAND.U.CC R2.x, R0, 1;\nCAL odd (NE.x);\nCAL even (EQ.x);\nSTB.U32 R1, out[G.x];\n"  // main ends at the label
                           "odd:\nADD.U R1.x, R1.x, 1;\n"
                           "even:\nADD.U R1.x, R1.x, 100;";
  expect(body, in, 1, [](uint32_t t, uint32_t) -> uint32_t { return (t & 1) ? 1 : 100; });
}

TEST(Calls, MainCallsItself) {
  const std::string body = "main:\nMUL.U G.x, invocation.localindex, 4;\nLDB.U32 R0.x, in[G.x];\nLDS.U32 R1.x, sm[G.x];\nADD.U R1.x, R1.x, 1;\nSTS.U32 R1, sm[G.x];\n"
                           "SLT.U.CC R2.x, R1.x, R0.x;\nCAL main (NE.x);\nLDS.U32 R1.x, sm[G.x + 512];\nADD.U R1.x, R1.x, 1;\nSTS.U32 R1, sm[G.x + 512];\nSTB.U32 R1, out[G.x];";
  // Without a definite start the counters in shared memory would be garbage: fill zero is asked for by the words themselves.
  const Words in{1, 2, 3, 9};
  const std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 4;\nSHARED_MEMORY 4096;\nSHARED sm[] = { program.sharedmem };\n"
                           "STORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\nTEMP R0, R1, R2, G;\n" + body + "\nEND\n";
  const Program program = assemble_text(text);
  auto device = make_model(*isa::find_config("base"));
  const uint32_t at = device->memory().allocate(16), out = device->memory().allocate(16);
  for (uint32_t i = 0; i < 4; ++i) device->memory().store32(at + 4 * i, in[i]);
  device->load(program);
  device->bind_storage(0, at, 16);
  device->bind_storage(1, out, 16);
  DispatchOptions options;
  options.fill = FillMode::Zero;
  const DispatchResult r = device->dispatch(1, 1, 1, options);
  ASSERT_TRUE(r.ok()) << isa::to_string(r.fault.code);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(device->memory().load32(out + 4 * i), in[i]) << i;
}

TEST(Main, ReturnEndsSomeThreadsInsideBlocks) {
  Words in;
  for (uint32_t i = 0; i < 70; ++i) in.push_back(i);
  const std::string body = kLoad +
                           "MOV.U R1.x, 1;\nSTB.U32 R1, out[G.x];\nREP 3;\nAND.U.CC R2.x, R0, 1;\nIF NE.x;\nSLT.U.CC R2.x, R0, 40;\nRET (NE.x);\nELSE;\nSEQ.U.CC R2.x, R0, 10;\nIF NE.x;\nRET;\nENDIF;\n"
                           "ENDIF;\nADD.U R1.x, R1.x, 1;\nENDREP;\nSTB.U32 R1, out[G.x];";
  expect(body, in, 1, [](uint32_t t, uint32_t) -> uint32_t { return ((t & 1) && t < 40) || t == 10 ? 1 : 4; });
}

TEST(Main, EmptyProgramEnds) {
  const Result r = run("", {}, 1, 40);
  EXPECT_TRUE(r.dispatch.ok());
}

// ---- depth

TEST(Depth, FortyEightIfs) {
  // Thread t leaves the ladder after t steps; the last ones go all the way.
  Words in;
  for (uint32_t i = 0; i < 64; ++i) in.push_back(i);
  std::string body = kLoad + "MOV.U R1.x, 0;\n";
  for (int i = 0; i < 48; ++i) body += "SGT.U.CC R2.x, R0.x, " + std::to_string(i) + ";\nIF NE.x;\nADD.U R1.x, R1.x, 1;\n";
  for (int i = 0; i < 48; ++i) body += i % 3 == 0 ? "ELSE;\nADD.U R1.x, R1.x, 100;\nENDIF;\n" : "ENDIF;\n";
  expect(body + "STB.U32 R1, out[G.x];", in, 1, [](uint32_t t, uint32_t) -> uint32_t {
    // IF number i (from outside) is the (47 - i)-th to be closed; every third of those has an ELSE.
    return t >= 48 ? 48 : t + ((47 - t) % 3 == 0 ? 100 : 0);
  });
}

TEST(Depth, EightLoopsInEveryCall) {
  // 2^8 rounds of a nest of eight loops, in each of three nested calls; BRK from the innermost IF of the innermost loop.
  std::string body = "main:\n" + kLoad + "MOV.U R1, 0;\nCAL nest;\nSTB.U32 R1, out[G.x];\nRET;\nnest:\nADD.U R1.y, R1.y, 1;\n";
  for (int i = 0; i < 8; ++i) body += "REP 2;\n";
  body += "ADD.U R1.x, R1.x, 1;\nSGE.U.CC R2.x, R1.x, 2000;\nIF NE.x;\nBRK;\nENDIF;\n";
  for (int i = 0; i < 8; ++i) body += "ENDREP;\n";
  body += "SLT.U.CC R2.x, R1.y, R0.x;\nCAL nest (NE.x);";
  const Words in{1, 2, 3, 1, 3};
  expect(body, in, 1, [&](uint32_t t, uint32_t) { return 256 * in[t]; });
}

TEST(Depth, IfsOfCallerAndCalleeDoNotAddUp) {
  std::string body = "main:\n" + kLoad + "MOV.U.CC R1.x, 1;\n";
  for (int i = 0; i < 48; ++i) body += "IF NE.x;\n";
  body += "CAL f;\n";
  for (int i = 0; i < 48; ++i) body += "ENDIF;\n";
  body += "STB.U32 R1, out[G.x];\nRET;\nf:\n";
  for (int i = 0; i < 48; ++i) body += "IF NE.x;\n";
  body += "ADD.U R1.x, R1.x, 1;\nSLT.U R2.x, R1.x, 30;\nMOV.U.CC R2.x, R2.x;\nCAL f (NE.x);\nMOV.U.CC R2.x, 1;\n";
  for (int i = 0; i < 48; ++i) body += "ENDIF;\n";
  expect(body, {0, 0, 0}, 1, [](uint32_t, uint32_t) { return 30; });
}

// ---- memory

TEST(Memory, AtomicsHappenUnderAFalseMask) {
  const Words in{0, 1, 0, 1};
  const std::string body = kLoad +
                           "MOV.U R1, 7;\nSTS.U32 0, sm[0];\nBAR;\nMOV.U.CC R2.x, R0;\nATOMS.ADD.U32 R1.x (NE.x), 1, sm[0];\nATOMS.ADD.U32 R1.y (FL), 1, sm[0];\nBAR;\nLDS.U32 R2.x, sm[0];\nMOV.U R1.y, R2.x;\n"
                           "MUL.U G.x, G.x, 2;\nSTB.U32X2 R1, out[G.x];";
  const Result r = run(body, in, 2, 4);
  ASSERT_TRUE(r.dispatch.ok());
  EXPECT_EQ(r.out[0], 7u);
  EXPECT_EQ(r.out[4], 7u);
  for (int t = 0; t < 4; ++t) EXPECT_EQ(r.out[t * 2 + 1], 8u);
}

TEST(Memory, MissingComponentsAreZeroAndMasksKeepTheRest) {
  const Words in{11, 22, 33, 44};
  expect("MUL.U G.x, invocation.localindex, 16;\nMOV.U R1, 5;\nLDB.U32X2 R1.yzw, in[0];\nSTB.U32X4 R1, out[G.x];", in, 4,
         [](uint32_t, uint32_t k) -> uint32_t { return Words{5, 22, 0, 0}[k]; }, 3);
  // One condition for all components, and one for each.
  expect("MUL.U G.x, invocation.localindex, 16;\nAND.U.CC R2.x, invocation.localindex, 1;\nMOV.U R1, 5;\nLDB.U32X4 R1 (NE.x), in[0];\nSTB.U32X4 R1, out[G.x];", in, 4,
         [&](uint32_t t, uint32_t k) -> uint32_t { return t & 1 ? in[k] : 5; }, 6);
  expect("MUL.U G.x, invocation.localindex, 16;\nSUB.S.CC R2, invocation.localindex, {0,1,2,3};\nMOV.U R1, 5;\nLDB.U32X4 R1 (EQ), in[0];\nSTB.U32X4 R1, out[G.x];", in, 4,
         [&](uint32_t t, uint32_t k) -> uint32_t { return t == k ? in[k] : 5; }, 6);
}

TEST(Memory, ConditionCodesAndClampsOfLoads) {
  const Words in{bits(-2.0f), bits(0.25f), bits(3.0f), bits(-0.0f)};
  expect("MUL.U G.x, invocation.localindex, 16;\nLDB.F32X4.CC.SAT R1, in[0];\nMOV.U R2, 0;\nMOV.U R2 (GT), 1;\nADD.U R1, R1, R2;\nSTB.U32X4 R1, out[G.x];", in, 4,
         [](uint32_t, uint32_t k) -> uint32_t { return Words{0, bits(0.25f) + 1, bits(1.0f) + 1, 0}[k]; }, 2);
}

TEST(Memory, RangesBoundTheirAccesses) {
  // part is bytes 16..31 of binding 0: offset 12 is its last word, offset 16 is outside.
  const Words in{0, 1, 2, 3, 4, 5, 6, 7, 8};
  expect("MUL.U G.x, invocation.localindex, 16;\nLDB.U32 R1.x, part[12];\nMUL.U R2.x, invocation.localindex, 4;\nLDB.U32 R2.x, part[R2.x + 8];\nMOV.U R1.y, R2.x;\nMOV.U R1.zw, 0;\n"
         "LDB.U32X4 R3, part[0];\nADD.U R1.z, R3.x, R3.w;\nSTB.U32X4 R1, out[G.x];",
         in, 4, [](uint32_t t, uint32_t k) -> uint32_t { return k == 0 ? 7 : k == 1 ? (t < 2 ? 6 + t : 0) : k == 2 ? 11 : 0; }, 5, "STORAGE part[] = { program.storage[0][16..31] };\n");
}

TEST(Memory, CompareAndSwapReadsTwoComponents) {
  const Words in{3, 4, 5, 3};
  const std::string body = kLoad + "STS.U32 3, sm[G.x];\nMOV.U R0.y, 100;\nATOMS.CSWAP.U32 R1.x, R0, sm[G.x];\nLDS.U32 R2.x, sm[G.x];\nMOV.U R1.y, R2.x;\nMUL.U G.x, G.x, 2;\nSTB.U32X2 R1, out[G.x];";
  expect(body, in, 2, [&](uint32_t t, uint32_t k) -> uint32_t { return k == 0 ? 3 : in[t] == 3 ? 100 : 3; });
}

// ---- relative indices

TEST(Index, ArraysWithOffsetsBothWays) {
  Words in{0, 1, 2, 3, 4, 5, 6, 7};
  std::string body = kLoad;
  for (int i = 0; i < 8; ++i) body += "MOV.U A[" + std::to_string(i) + "], {" + std::to_string(i) + "," + std::to_string(i * 10) + "," + std::to_string(i * 100) + ",9};\n";
  // A[i] += A[7 - i] where both are indexed, then a negative index through a register.
  body += "SUB.S R1.x, 7, R0.x;\nADD.U A[R0.x].yz, A[R0.x], A[R1.x].xyzw;\nSUB.S R2.x, R0.x, 3;\nMOV.U R3, A[R2.x + 3];\nMUL.U G.x, G.x, 4;\nSTB.U32X4 R3, out[G.x];";
  expect(body, in, 4, [](uint32_t t, uint32_t k) -> uint32_t { return k == 0 ? t : k == 1 ? 70 : k == 2 ? 700 : 9; });
}

TEST(Index, OutsideTheWindowReadsZero) {
  expect("MUL.U G.x, invocation.localindex, 4;\nMOV.U A[0], 3;\nMOV.S R0.x, 2000;\nMOV.U A[R0.x].x, 5;\nMOV.U R1.x, A[R0.x].x;\nADD.U R1.x, R1.x, A[0].x;\nSTB.U32 R1, out[G.x];", {}, 1,
         [](uint32_t, uint32_t) { return 3; }, 2);
}

TEST(Index, ParamArrays) {
  const Words in{0, 1, 2, 3, 2, 1};
  expect(kLoad + "MOV.U R1, l[R0.x];\nSUB.S R0.x, R0.x, 1;\nMOV.U R2.x, l[R0.x + 1].w;\nADD.U R1.x, R1.x, R2.x;\nMUL.U G.x, G.x, 4;\nSTB.U32X4 R1, out[G.x];", in, 4,
         [&](uint32_t t, uint32_t k) -> uint32_t { return in[t] * 10 + k + (k == 0 ? in[t] * 10 + 3 : 0); });
}

}  // namespace
}  // namespace maskwork::test
