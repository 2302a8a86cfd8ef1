// The points of the language that are easy to get wrong, by their numbers in the list that verif/README.md explains: small programs, on the model
// of every configuration and in lockstep on `base`. Expected values follow from the language's rules and the choices of docs/semantics.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "bench.hpp"
#include "maskwork/asm/assembler.hpp"

namespace maskwork::suite {
namespace {

using V = std::array<uint32_t, 4>;

constexpr uint32_t nan = 0x7fc00000u, inf = 0x7f800000u, minus_inf = 0xff800000u, minus_zero = 0x80000000u, all = 0xffffffffu;
constexpr uint32_t b(float v) { return std::bit_cast<uint32_t>(v); }
constexpr float f(uint32_t v) { return std::bit_cast<float>(v); }
constexpr uint32_t local2[4] = {0x3f800000u, all, 0x7fa00001u, minus_zero};

/// Thread t finds a = in[t modulo their number] in R1 and 0 in R0; R0 of every thread must then be want(t, a).
struct Point {
  int number;
  const char* name;
  std::string body;
  std::vector<V> in;
  std::function<V(uint32_t t, const V& a)> want;
  std::string declarations = {}, routines = {};
  std::string group = "40";
  isa::Fault fault = isa::Fault::NONE;
  std::vector<std::string> refused = {};  ///< statements that must not load
  double error = 0;                       ///< floats may be this far off
};

void PrintTo(const Point& p, std::ostream* os) { *os << p.name; }

std::string source(const Point& p, const std::string& body) {
  return "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_shader_thread_group;\nOPTION NV_shader_thread_shuffle;\nGROUP_SIZE " + p.group +
         ";\nSHARED_MEMORY 1024;\nSHARED sm[] = { program.sharedmem };\nSTORAGE in[] = { program.storage[0] };\nSTORAGE out[] = { program.storage[1] };\n"
         "STORAGE data[] = { program.storage[2] };\nPARAM l[] = { program.local[0..2] };\nTEMP R0, R1, R2, R3, R4, RC, HC, G, A[4];\n" +
         p.declarations + "main:\nMUL.U G.x, invocation.localindex, 16;\nLDB.U32X4 R1, in[G.x];\nMOV.U R0, 0;\n" + body + "\nSTB.U32X4 R0, out[G.x];\n" +
         (p.routines.empty() ? "" : "RET;\n" + p.routines + "\n") + "END\n";
}

// Flags of CC0 by component: 1 SF, 2 ZF, 4 OF, 8 CF.
const std::string kFlags =
    "MOV.U R0, 0;\nADD.U R0 (SF), R0, 1;\nADD.U R0 (EQ), R0, 2;\nADD.U R0 (NAN), R0, 2;\nADD.U R0 (OF), R0, 4;\nADD.U R0 (CF), R0, 8;\n";

struct Flags {
  bool s, z, o, c;
  uint32_t bits() const { return s + 2u * z + 4u * o + 8u * c; }
};
Flags sum_flags(uint32_t x, uint32_t y) {
  const int64_t exact = int64_t{static_cast<int32_t>(x)} + static_cast<int32_t>(y);
  return {(x + y) >> 31 != 0, x + y == 0, exact != static_cast<int32_t>(x + y), (uint64_t{x} + y) >> 32 != 0};
}
Flags difference_flags(uint32_t x, uint32_t y) {
  const int64_t exact = int64_t{static_cast<int32_t>(x)} - static_cast<int32_t>(y);
  return {(x - y) >> 31 != 0, x == y, exact != static_cast<int32_t>(x - y), x >= y};
}
Flags float_flags(float v) { return {v < 0 || std::isnan(v), v == 0 || std::isnan(v), false, false}; }

/// Every condition test, in the words of the language: bit n of the result = test n holds.
const std::vector<std::pair<const char*, std::function<bool(Flags)>>> kTests{
    {"EQ", [](Flags x) { return !x.s && x.z; }},           {"NE", [](Flags x) { return x.s || !x.z; }},   {"LT", [](Flags x) { return (x.s && !x.z) != x.o; }},
    {"GE", [](Flags x) { return x.s == x.o; }},            {"LE", [](Flags x) { return x.s != (x.z || x.o); }}, {"GT", [](Flags x) { return (!x.s != x.o) && !x.z; }},
    {"NAN", [](Flags x) { return x.s && x.z; }},           {"LEG", [](Flags x) { return !x.s || !x.z; }}, {"CF", [](Flags x) { return x.c; }},
    {"NCF", [](Flags x) { return !x.c; }},                 {"OF", [](Flags x) { return x.o; }},           {"NOF", [](Flags x) { return !x.o; }},
    {"SF", [](Flags x) { return x.s; }},                   {"NSF", [](Flags x) { return !x.s; }},         {"AB", [](Flags x) { return x.c && !x.z; }},
    {"BLE", [](Flags x) { return !x.c || x.z; }},          {"TR", [](Flags) { return true; }},            {"FL", [](Flags) { return false; }}};
std::string all_tests(const std::string& suffix) {
  std::string text = "MOV.U R0, 0;\n";
  for (size_t n = 0; n < kTests.size(); ++n) text += fmt::format("ADD.U R0 ({}{}), R0, {};\n", kTests[n].first, suffix, 1u << n);
  return text;
}
uint32_t tests_that_hold(Flags x) {
  uint32_t bits = 0;
  for (size_t n = 0; n < kTests.size(); ++n) bits |= kTests[n].second(x) ? 1u << n : 0;
  return bits;
}

/// Scalar function of each component.
std::string each(const std::string& op) {
  std::string text;
  for (const char c : {'x', 'y', 'z', 'w'}) text += fmt::format("{} R0.{}, R1.{};\n", op, c, c);
  return text;
}
V map(const V& a, const std::function<uint32_t(uint32_t)>& g) { return {g(a[0]), g(a[1]), g(a[2]), g(a[3])}; }
/// The same result for every thread.
std::function<V(uint32_t, const V&)> constant(const V& v) {
  return [v](uint32_t, const V&) { return v; };
}

const std::vector<V> kIntegers{{0, 0, 5, 1}, {1, all, 7, 2}, {0x7fffffff, 1, 0x7fffffff, 3}, {minus_zero, 1, minus_zero, 4}, {all, all, 1, 5}, {minus_zero, minus_zero, 0, 6}, {5, 7, all, 7}, {7, 5, 3, 8}};
const std::vector<V> kFloats{{nan, minus_zero, b(-1.0f), b(2.0f)}, {0, 1, 0x80000001u, inf}, {minus_inf, 0xffa00001u, b(0.5f), b(-0.5f)}, {b(1.0f), b(-2.0f), b(1e30f), 0x7f800001u}};

const std::vector<Point>& points() {
  static const std::vector<Point> list{
      // ---- types and widths
      {1, "MovesKeepAllBits", "MOV.F R2, R1;\nMOV.S R3, R2;\nMOV.F A[1], R3;\nMOV.U R0, A[1];", kFloats, [](uint32_t, const V& a) { return a; }},
      {2, "OtherWidths", "MOV.U64 D, 1;\nSGE.U64 R0.x, D.x, D.x;\nMOV.S64 D.x, R1.x;\nUP64.U R2, D;\nMOV.U R0.y, R2.y;\nMOV.U64 D.x, R1.x;\nUP64.U R2, D;\nMOV.U R0.z, R2.y;\nADD.U64 D.x, D.x, 4294967296;\nMOV.U R0.w, D.x;",
       kIntegers, [](uint32_t, const V& a) -> V { return {all, static_cast<int32_t>(a[0]) < 0 ? all : 0, 0, a[0]}; }, "LONG TEMP D;\n"},
      {3, "SignsOfUnsignedOperands", "MOV.U R0.x, -R1.x;\nMOV.U R0.y, |R1.y|;\nMOV.S R0.z, -|R1.z|;\nABS.S R0.w, R1.z;", kIntegers,
       [](uint32_t, const V& a) -> V {
         const uint32_t m = static_cast<int32_t>(a[2]) < 0 ? 0 - a[2] : a[2];
         return {0 - a[0], a[1], 0 - m, m};
       }},
      {4, "ConstantsAreTypedByUse", "MOV.F R0.xy, {1, 2, 3, 4}.yxzw;\nMOV.U R0.z, -1;\nMOV.S R0.w, p.x;", {V{}}, constant({b(2.0f), b(1.0f), all, 7}), "INT PARAM p = { 7, 8, 9, 10 };\n", {}, "40", isa::Fault::NONE,
       {"MOV.U R0, 1.5;", "MOV.S R0, 2.0;", "MOV.U R0, {-1, 0, 0, 0};"}},
      {5, "ParametersHaveNoType", "MOV.U R0.x, l[2].x;\nADD.F R0.y, l[2].x, 1.0;\nADD.S R0.z, l[2].y, 1;\nMOV.F R0.w, l[2].z;", {V{}}, constant({local2[0], b(2.0f), 0, local2[2]})},
      // ---- condition codes
      {6, "TwoCodesOfFourComponents", "MOV.S.CC R2, {1, 0, -1, 0};\nMOV.S.CC1 R2, {0, 0, 5, 5};\nADD.U R0 (NE), R0, 1;\nADD.U R0 (NE0), R0, 2;\nADD.U R0 (NE1), R0, 4;", {V{}}, constant({3, 0, 7, 4})},
      {7, "MasksTestTheOldCode", "MOV.S.CC R2, {1, 0, -1, 2};\nMOV.S R0, 50;\nSUB.S.CC R0.xyz (GT), R1, R1;\nMOV.U R3, 0;\nMOV.U R3 (EQ), 100;\nADD.U R0, R0, R3;", {V{1, 2, 3, 4}},
       constant({100, 150, 50, 50})},
      {8, "FlagsOfFloats", "MOV.F.CC R2, R1;\n" + kFlags, kFloats, [](uint32_t, const V& a) { return map(a, [](uint32_t v) { return float_flags(f(v)).bits(); }); }},
      {8, "FlagsOfIntegers", "ADD.U.CC R2, R1, R1;\nMUL.U.CC R2, R1, {1, 2, 3, 4};\n" + kFlags, kIntegers,
       [](uint32_t, const V& a) -> V {
         V r;
         for (uint32_t k = 0; k < 4; ++k) r[k] = Flags{(a[k] * (k + 1)) >> 31 != 0, a[k] * (k + 1) == 0, false, false}.bits();
         return r;
       }},
      {9, "CarryAndOverflow", "ADD.U.CC R2.x, R1.x, R1.y;\nSUB.U.CC R2.y, R1.x, R1.y;\nADD.S.CC R2.z, -R1.x, R1.y;\nMAD.U.CC R2.w, R1.x, R1.y, R1.z;\n" + kFlags, kIntegers,
       [](uint32_t, const V& a) -> V {
         return {sum_flags(a[0], a[1]).bits(), difference_flags(a[0], a[1]).bits(), difference_flags(a[1], a[0]).bits(), sum_flags(a[0] * a[1], a[2]).bits()};
       }},
      {9, "CarryOfMadAndSad", "MAD.S.CC R2.x, R1.x, R1.y, -R1.z;\nSAD.U.CC R2.y, R1.x, R1.y, R1.z;\nSUB.U.CC R2.z, R1.x, -R1.y;\nADD.U.CC R2.w, -R1.x, -R1.y;\n" + kFlags, kIntegers,
       [](uint32_t, const V& a) -> V {
         const uint32_t distance = a[0] > a[1] ? a[0] - a[1] : a[1] - a[0];
         return {difference_flags(a[0] * a[1], a[2]).bits(), sum_flags(distance, a[2]).bits(), sum_flags(a[0], a[1]).bits(), sum_flags(0 - a[0], 0 - a[1]).bits()};
       }},
      {10, "EveryTestOfIntegers", "SUB.S.CC R2, R1, R1.yxwz;\n" + all_tests(""), kIntegers,
       [](uint32_t, const V& a) -> V {
         return {tests_that_hold(difference_flags(a[0], a[1])), tests_that_hold(difference_flags(a[1], a[0])), tests_that_hold(difference_flags(a[2], a[3])), tests_that_hold(difference_flags(a[3], a[2]))};
       }},
      {10, "EveryTestOfFloats", "MOV.F.CC1 R2, R1;\n" + all_tests("1"), kFloats, [](uint32_t, const V& a) { return map(a, [](uint32_t v) { return tests_that_hold(float_flags(f(v))); }); }},
      {11, "FlowTestsAnyComponent",
       "MOV.S.CC R2, {0, 0, 1, 0};\nIF NE;\nMOV.U R0.x, 1;\nENDIF;\nIF NE.x;\nMOV.U R0.y, 1;\nENDIF;\nIF NE.xyyz;\nMOV.U R0.z, 1;\nENDIF;\nIF EQ.z;\nMOV.U R0.w, 1;\nENDIF;", {V{}},
       constant({1, 0, 1, 0})},
      {12, "ScalarResultsUpdateEveryComponent", "MOV.S.CC R2, 0;\nRCP.F.CC R2.xz, R1.x;\nADD.U R0 (GT), R0, 1;\nADD.U R0 (EQ), R0, 2;", {V{b(4.0f), 0, 0, 0}}, constant({1, 2, 1, 2})},
      {13, "IdiomsOfTranslators",
       "SLT.S RC.x, R1.x, R1.y;\nMOV.S.CC RC.x, RC.x;\nIF NE.x;\nMOV.U R0.x, 1;\nENDIF;\n"
       "SLT.S R2.x, R1.x, R1.y;\nMOV.S R2.x, -R2.x;\nMOV.U.CC RC.x, R2.x;\nIF NE.x;\nMOV.U R0.y, R2.x;\nENDIF;\n"
       "I2F.S R3, R1;\nSLT.F R2.x, R3.x, R3.y;\nTRUNC.U R2.x, R2.x;\nMOV.U.CC RC.x, R2.x;\nIF NE.x;\nMOV.U R0.z, R2.x;\nENDIF;\nMOV.S.CC HC.x, -R2.x;\nIF LT.x;\nMOV.U R0.w, 1;\nENDIF;",
       {V{1, 2, 0, 0}, V{2, 1, 0, 0}, V{all, 0, 0, 0}}, [](uint32_t, const V& a) -> V {
         const uint32_t less = static_cast<int32_t>(a[0]) < static_cast<int32_t>(a[1]);
         return {less, less, less, less};
       }},
      // ---- clamps
      {14, "ClampsComeBeforeFlags", "MOV.F.SAT.CC R2, R1;\n" + kFlags, kFloats,
       [](uint32_t, const V& a) { return map(a, [](uint32_t v) { return std::isnan(f(v)) || f(v) <= 0 ? 2u : 0u; }); }},
      {14, "Clamps", "MOV.F.SAT R0.xy, R1;\nMOV.F.SSAT R0.zw, R1;", {{nan, b(-0.5f), b(-7.0f), nan}, {b(3.0f), minus_zero, minus_zero, b(0.25f)}, {1, inf, minus_inf, b(1.5f)}},
       [](uint32_t, const V& a) -> V {
         const auto clamp = [](uint32_t v, float low) { return std::isnan(f(v)) ? 0u : f(v) > 1 ? b(1.0f) : f(v) < low ? b(low) : low == 0 && f(v) == 0 ? 0u : v; };
         return {clamp(a[0], 0), clamp(a[1], 0), clamp(a[2], -1), clamp(a[3], -1)};
       }},
      {14, "ConversionsClampToTheirType", "CVT.U32.F32.SAT R0.xy, R1;\nCVT.S32.F32.SAT R0.zw, R1;", {{b(-5.0f), b(5e9f), b(-5e9f), b(5e9f)}, {nan, inf, minus_inf, nan}, {b(2.5f), b(3e9f), b(3e9f), b(-2.5f)}},
       [](uint32_t t, const V&) -> V {
         const V want[] = {{0, all, minus_zero, 0x7fffffff}, {0, all, minus_zero, 0}, {2, 3000000000u, 0x7fffffff, 0xfffffffeu}};
         return want[t % 3];
       }},
      // ---- compares
      {15, "TruthValues", "SLT.F R0.x, 1.0, 2.0;\nSLT.S R0.y, 1, 2;\nSGE.U R0.z, 2, 1;\nSGT.S R0.w, 1, 2;", {V{}}, constant({b(1.0f), all, all, 0})},
      {15, "NanComparesFalse", "SEQ.F R0.x, R1.x, R1.x;\nSNE.F R0.y, R1.x, R1.x;\nSLE.F R0.z, R1.x, 1.0;\nSGE.F R0.w, 1.0, R1.x;", {V{nan, 0, 0, 0}, V{0xff800001u, 0, 0, 0}}, constant({0, b(1.0f), 0, 0})},
      {16, "SelectsByLessThanZero", "CMP.F R0.x, R1.x, 1, 2;\nCMP.S R0.y, R1.x, 1, 2;\nCMP.U R0.z, R1.x, 1, 2;", {V{nan}, V{minus_zero}, V{b(-1.0f)}, V{0x80000001u}, V{b(1.0f)}, V{0xffc00000u}},
       [](uint32_t, const V& a) -> V { return {f(a[0]) < 0 ? b(1.0f) : b(2.0f), static_cast<int32_t>(a[0]) < 0 ? 1u : 2u, 2, 0}; }},
      {17, "MinimumAndMaximum", "MAX.F R0.x, R1.x, R1.y;\nMAX.F R0.y, R1.y, R1.x;\nMIN.F R0.z, R1.x, R1.y;\nMIN.F R0.w, R1.y, R1.x;",
       {{nan, b(-3.0f), 0, 0}, {0, minus_zero, 0, 0}, {0xffa00001u, nan, 0, 0}, {b(2.0f), inf, 0, 0}}, [](uint32_t t, const V&) -> V {
         const uint32_t m = b(-3.0f), two = b(2.0f);
         const V want[] = {{m, m, m, m}, {0, 0, minus_zero, minus_zero}, {nan, nan, nan, nan}, {inf, inf, two, two}};
         return want[t % 4];
       }},
      // ---- integers
      {18, "ProductsWrap", "MUL.S R0.x, R1.x, R1.y;\nMUL.HI.S R0.y, R1.x, R1.y;\nMUL.HI.U R0.z, R1.x, R1.y;\nMUL.U24 R0.w, 0xffffff, 0x10001;", kIntegers,
       [](uint32_t, const V& a) -> V {
         const int64_t s = int64_t{static_cast<int32_t>(a[0])} * static_cast<int32_t>(a[1]);
         return {a[0] * a[1], static_cast<uint32_t>(s >> 32), static_cast<uint32_t>((uint64_t{a[0]} * a[1]) >> 32), 0xffffffu * 0x10001u};
       }},
      {19, "DivisionByZeroAndSigns", "DIV.S R0.x, R1.x, R1.y;\nMOD.S R0.y, R1.x, R1.y;\nDIV.U R0.z, R1.x, R1.y;\nMOD.U R0.w, R1.x, R1.y;",
       {{7, 0, 0, 0}, {0 - 7u, 2, 0, 0}, {7, 0 - 2u, 0, 0}, {minus_zero, all, 0, 0}, {0 - 7u, 0, 0, 0}}, [](uint32_t, const V& a) -> V {
         if (a[1] == 0) return {all, all, all, all};
         const int64_t x = static_cast<int32_t>(a[0]), y = static_cast<int32_t>(a[1]);
         return {static_cast<uint32_t>(x / y), static_cast<uint32_t>(x % y), a[0] / a[1], a[0] % a[1]};
       }},
      {20, "ShiftCountsBeyondTheWidth", "SHL.U R0.x, R1.x, R1.y;\nSHR.U R0.y, R1.x, R1.y;\nSHR.S R0.z, R1.x, R1.y;\nSHL.S R0.w, R1.x, R1.y;",
       {{0x80000005u, 31, 0, 0}, {0x80000005u, 32, 0, 0}, {5, 33, 0, 0}, {0x80000005u, all, 0, 0}, {0x80000005u, 0, 0, 0}}, [](uint32_t, const V& a) -> V {
         const bool out = a[1] >= 32;
         const uint32_t left = out ? 0 : a[0] << a[1];
         return {left, out ? 0 : a[0] >> a[1], static_cast<uint32_t>(static_cast<int32_t>(a[0]) >> (out ? 31 : a[1])), left};
       }},
      {21, "ExtractsBitFields", "BFE.S R0.xy, R1, R1.z;\nBFE.U R0.zw, R1, R1.z;", {{0, 5, all, 0}, {32, 0, 0x80000001u, 0}, {4, 28, 0x80000001u, 0}, {8, 4, 0xf80, 0}, {1, 0, 1, 0}},
       [](uint32_t, const V& a) -> V {
         const uint64_t field = (uint64_t{a[2]} >> a[1]) & ((uint64_t{1} << a[0]) - 1);
         const bool negative = a[0] != 0 && (field >> (a[0] - 1)) != 0;
         const uint32_t u = static_cast<uint32_t>(field), s = negative ? u | static_cast<uint32_t>(~((uint64_t{1} << a[0]) - 1)) : u;
         return {s, s, u, u};
       }},
      {22, "InsertsBitFields", "BFI.U R0, R1, R1.z, R1.w;", {{0, 7, all, 5}, {32, 0, 0x12345678, 5}, {8, 4, 0x1ab, all}, {1, 31, 1, 0}},
       [](uint32_t, const V& a) -> V {
         const uint32_t mask = static_cast<uint32_t>(((uint64_t{1} << a[0]) - 1) << a[1]), r = (a[3] & ~mask) | ((a[2] << a[1]) & mask);
         return {r, r, r, r};
       }},
      {23, "FindsBits", "BTFL.S R0.x, R1.x;\nBTFL.U R0.y, R1.x;\nBTFM.S R0.z, R1.x;\nBTFM.U R0.w, R1.x;", {V{0}, V{all}, V{0x00f00000}, V{0x80000000u}, V{0xfff0ffffu}},
       [](uint32_t t, const V&) -> V {
         const V want[] = {{all, all, all, all}, {0, 0, all, 31}, {20, 20, 23, 23}, {31, 31, 30, 31}, {0, 0, 19, 31}};
         return want[t % 5];
       }},
      {24, "SumsOfDifferences", "SAD.S R0.x, R1.x, R1.y, R1.z;\nSAD.U R0.y, R1.x, R1.y, R1.z;", kIntegers, [](uint32_t, const V& a) -> V {
         const int64_t x = static_cast<int32_t>(a[0]), y = static_cast<int32_t>(a[1]);
         return {static_cast<uint32_t>(x > y ? x - y : y - x) + a[2], (a[0] > a[1] ? a[0] - a[1] : a[1] - a[0]) + a[2], 0, 0};
       }},
      // ---- floats
      {25, "Precision", "RCP R0.x, R1.x;\nRSQ R0.y, R1.x;\nLG2 R0.z, R1.x;\nSIN R0.w, R1.y;",
       {{b(1.0f), b(0.1f), 0, 0}, {b(1.3f), b(3.1f), 0, 0}, {b(1.99999f), b(6.2f), 0, 0}, {b(1.7f), b(1.5707964f), 0, 0}},
       [](uint32_t, const V& a) -> V {
         const double x = f(a[0]), y = f(a[1]);
         return {b(static_cast<float>(1 / x)), b(static_cast<float>(1 / std::sqrt(x))), b(static_cast<float>(std::log2(x))), b(static_cast<float>(std::sin(y)))};
       },
       {}, {}, "40", isa::Fault::NONE, {}, 0x1p-22},
      {25, "ReciprocalOfOne", each("RCP"), {V{b(1.0f), b(-1.0f), b(0.5f), b(4.0f)}}, constant({b(1.0f), b(-1.0f), b(2.0f), b(0.25f)})},
      {26, "RCP", each("RCP"), {V{0xffa00001u, inf, minus_inf, minus_zero}, V{0, 0x00400000, 0x7f000000, 1}}, [](uint32_t t, const V&) -> V {
         return t % 2 == 0 ? V{nan, 0, minus_zero, minus_inf} : V{inf, 0x7f000000, 0x00400000, inf};
       }},
      {26, "RSQ", each("RSQ"), {V{inf, 0, minus_zero, b(-4.0f)}}, constant({0, inf, minus_inf, nan})},
      {26, "EX2", each("EX2"), {V{minus_inf, inf, minus_zero, 0xffc00001u}}, constant({0, inf, b(1.0f), nan})},
      {26, "LG2", each("LG2"), {V{inf, 0, minus_zero, b(-1.0f)}}, constant({inf, minus_inf, minus_inf, nan})},
      {26, "SIN", each("SIN"), {V{inf, 0, minus_zero, nan}}, constant({nan, 0, minus_zero, nan})},
      {26, "COS", each("COS"), {V{minus_inf, 0, minus_zero, nan}}, constant({nan, b(1.0f), b(1.0f), nan})},
      {26, "FLR", "FLR.F R0, R1;", {V{minus_zero, inf, minus_inf, b(-1.5f)}}, constant({minus_zero, inf, minus_inf, b(-2.0f)})},
      {26, "ProductOfZeroAndInfinity", "MUL.F R0, R1, R1.yxwz;", {V{0, minus_inf, b(2.0f), 0x00000001}}, constant({nan, nan, 2, 2})},
      {27, "Powers", "POW R0.x, R1.x, R1.y;\nPOW R0.y, R1.z, R1.w;",
       {{0, 0, b(1.0f), inf}, {0, b(2.0f), 0, b(-2.0f)}, {b(-2.0f), b(2.0f), b(5.0f), 0}, {b(2.0f), b(3.0f), b(4.0f), b(-0.5f)}}, [](uint32_t t, const V&) -> V {
         const V want[] = {{nan, nan, 0, 0}, {0, inf, 0, 0}, {nan, b(1.0f), 0, 0}, {b(8.0f), b(0.5f), 0, 0}};
         return want[t % 4];
       }},
      {28, "ClampedReciprocal", each("RCC"), {V{inf, minus_inf, 0, minus_zero}, V{b(2.0f), b(-0.5f), b(0x1p-80f), b(-0x1p+80f)}}, [](uint32_t t, const V&) -> V {
         return t % 2 == 0 ? V{b(0x1p-64f), b(-0x1p-64f), b(0x1p64f), b(-0x1p64f)} : V{b(0.5f), b(-2.0f), b(0x1p64f), b(-0x1p-64f)};
       }},
      {29, "MadIsFusedAndNothingElse", "MAD.F R0.x, R1.x, R1.x, R1.y;\nMUL.F R2.x, R1.x, R1.x;\nADD.F R0.y, R2.x, R1.y;\nMAD.F.PREC R0.z, R1.x, R1.x, R1.y;\nMUL.F.PREC R2.x, R1.x, R1.x;\nADD.F.PREC R0.w, R2.x, R1.y;",
       {V{0x3f800001, 0xbf800002, 0, 0}}, constant({0x28800000, 0, 0x28800000, 0})},
      {30, "RoundingToIntegers", "ROUND.S R0.x, R1.x;\nFLR.S R0.y, R1.x;\nCEIL.U R0.z, R1.x;\nTRUNC.S R0.w, R1.x;",
       {V{b(2.5f)}, V{b(3.5f)}, V{b(-2.5f)}, V{b(5e9f)}, V{minus_inf}, V{nan}, V{b(0.25f)}}, [](uint32_t t, const V&) -> V {
         const uint32_t most = 0x7fffffff, least = minus_zero;
         const V want[] = {{2, 2, 3, 2}, {4, 3, 4, 3}, {0 - 2u, 0 - 3u, 0, 0 - 2u}, {most, most, all, most}, {least, least, 0, least}, {0, 0, 0, 0}, {0, 0, 1, 0}};
         return want[t % 7];
       }},
      {31, "Fractions", "FRC.F R0, R1;", {V{b(-1.7f), b(1.75f), b(-3.0f), b(-1e-10f)}, V{inf, nan, 0, b(8388609.0f)}}, [](uint32_t t, const V&) -> V {
         return t % 2 == 0 ? V{b(2.0f - 1.7f), b(0.75f), 0, 0x3f7fffff} : V{nan, nan, 0, 0};
       }},
      {32, "DotProducts", "MOV.F R2, {5, 6, 7, 8};\nDP2 R0.x, R1, R2;\nDP4 R0.y, R1, R2;\nDPH R0.z, R1, R2;\nDP2A R0.w, R1, R2, R1.w;", {V{b(1.0f), b(2.0f), b(3.0f), b(4.0f)}},
       constant({b(17.0f), b(70.0f), b(46.0f), b(21.0f)})},
      {33, "Lighting", "LIT R0, R1;", {{b(2.0f), b(2.0f), 0, b(3.0f)}, {b(-1.0f), b(2.0f), 0, b(3.0f)}, {b(1.0f), b(-2.0f), 0, 0}, {b(1.0f), 0, 0, b(2.0f)}}, [](uint32_t t, const V&) -> V {
         const uint32_t one = b(1.0f);
         const V want[] = {{one, b(2.0f), b(8.0f), one}, {one, 0, 0, one}, {one, one, one, one}, {one, one, 0, one}};
         return want[t % 4];
       }},
      {33, "DistanceVector", "DST R0, R1, R1.wzyx;", {V{b(2.0f), b(3.0f), b(5.0f), b(7.0f)}}, constant({b(1.0f), b(15.0f), b(5.0f), b(2.0f)})},
      {33, "CrossProduct", "XPD R0.xyz, R1, R1.yzxw;", {V{b(1.0f), b(2.0f), b(4.0f), 0}}, constant({b(-14.0f), b(7.0f), 0, 0})},
      {33, "Reflection", "RFL R0.xyz, {0, 2, 0, 0}, R1;", {V{b(1.0f), b(2.0f), b(3.0f), 0}}, constant({b(-1.0f), b(2.0f), b(-3.0f), 0})},
      {33, "PlanarTransform", "X2D R0, R1, {2, 3, 0, 0}, {1, 10, 100, 1000};", {V{b(1.0f), b(2.0f), 0, 0}}, constant({b(33.0f), b(3202.0f), b(33.0f), b(3202.0f)})},
      {33, "InterpolationAndSigns", "LRP R0.xy, {0.25, 1.0, 0, 0}, R1, {8, 9, 0, 0};\nSSG R0.zw, R1;", {V{b(4.0f), b(5.0f), minus_zero, b(-3.0f)}}, constant({b(7.0f), b(5.0f), 0, b(-1.0f)})},
      {33, "SineAndCosine", "SCS R0.xy, R1.x;\nNRM R2.xyz, {0, 4, 0, 0};\nMOV R0.z, R2.y;", {V{}}, constant({b(1.0f), 0, b(1.0f), 0})},
      {34, "IntegersToFloatsRoundToNearest", "I2F.S R0.xy, R1;\nI2F.U R0.zw, R1;", {V{16777217, 0 - 16777219u, 16777219, all}}, constant({b(16777216.0f), b(-16777220.0f), b(16777220.0f), b(4294967296.0f)})},
      // ---- packing and conversions
      {35, "Packs", "PK2H R0.x, R1;\nPK2US R0.y, R1.zwxy;\nPK4UB R0.z, {0, 1, 0.5, 2};\nPK4B R0.w, {0, 1, -1, -1.5};", {V{b(1.0f), b(-2.0f), b(1.0f), b(0.5f)}},
       constant({0xc0003c00, 0x8000ffff, 0xff80ff00, 0x0001ff80})},
      {35, "UnpacksHalves", "MOV.F R2, R1;\nUP2H R0, R2.x;", {V{0xc0003c00}, V{0x7c000001}, V{0x8000fc00}}, [](uint32_t t, const V&) -> V {
         const V want[] = {{b(1.0f), b(-2.0f), b(1.0f), b(-2.0f)}, {b(0x1p-24f), inf, b(0x1p-24f), inf}, {minus_inf, minus_zero, minus_inf, minus_zero}};
         return want[t % 3];
       }},
      {35, "UnpacksBytes", "UP4B R0.xyz, R1.x;\nUP2US R2, R1.y;\nMOV R0.w, R2.y;", {V{0x0001ff80, 0x8000ffff}}, constant({0, b(1.0f), b(-1.0f), b(static_cast<float>(32768.0 / 65535.0))})},
      {36, "RoundingsOfConversions", "CVT.S32.F32 R0.x, R1.x;\nCVT.S32.F32.FLR R0.y, R1.x;\nCVT.F32.S32.CEIL R0.z, R1.y;\nCVT.F32.S32.FLR R0.w, R1.y;", {V{b(2.5f), 16777217}, V{b(-3.5f), 0 - 16777217u}},
       [](uint32_t t, const V&) -> V {
         return t % 2 == 0 ? V{2, 2, b(16777218.0f), b(16777216.0f)} : V{0 - 4u, 0 - 4u, b(-16777216.0f), b(-16777218.0f)};
       }},
      {36, "IntegersAreCutNotClamped", "CVT.U32.F32 R0, R1;", {V{b(4294967808.0f), b(-1.0f), nan, inf}}, constant({512, all, 0, 0})},
      // ---- memory
      {37, "MissingComponentsAreZero", "MOV.U R0, 9;\nMOV.U R2, 9;\nLDB.U32X2 R0, in[G.x];\nSTS.U32 R1, sm[0];\nBAR;\nLDS.U32 R2, sm[0];\nMOV.U R0.w, R2.y;\nADD.U R0.z, R0.z, R2.w;", {V{3, 4, 5, 6}}, constant({3, 4, 0, 0})},
      {38, "MisalignedPairs", "ADD.U R2.x, G.x, 4;\nLDB.U32X2 R0, in[R2.x];", {V{}}, {}, {}, {}, "40", isa::Fault::MISALIGNED},
      {38, "MisalignedSharedWords", "MOV.U R2.x, 2;\nSTS.U32 R1, sm[R2.x];", {V{}}, {}, {}, {}, "40", isa::Fault::MISALIGNED},
      {39, "OutsideABuffer", "MOV.U R2.x, 240;\nLDB.U32X4 R0, data[R2.x];\nSTB.U32X4 R0, data[R2.x+16];\nMOV.U R3.x, 7;\nATOMB.ADD.U32 R0.w, R3.x, data[R2.x+8];", {V{}}, constant({160, 161, 0, 0})},
      {39, "OutsideSharedMemory", "MOV.U R2.x, 1024;\nMOV.U R0, 5;\nSTS.U32 R0, sm[R2.x];\nLDS.U32 R0.x, sm[R2.x];\nMOV.U R2.x, 0xfffffffc;\nLDS.U32 R0.y, sm[R2.x];", {V{}}, constant({0, 0, 5, 5}), {}, {}, "40", isa::Fault::NONE,
       {"LDS.U32 R0, sm[1024];"}},
      {40, "OutsideARegisterArray", "MOV.U A[0], 1;\nMOV.S R2.x, 3000;\nMOV.U A[R2.x].x, 5;\nMOV.U R0.x, A[R2.x].x;\nMOV.S R2.x, -3000;\nMOV.U R0.y, A[R2.x].y;\nMOV.U R0.z, A[0].x;", {V{}}, constant({0, 0, 1, 0})},
      {42, "AtomicsReturnTheOldValue",
       "ATOMB.EXCH.U32 R0.x, R1.x, data[0];\nMEMBAR;\nLDB.U32 R2.x, data[0];\nMOV.U R0.y, R2.x;\nATOMB.CSWAP.U32 R0.z, R1.zwzw, data[4];\nMEMBAR;\nLDB.U32 R2.x, data[4];\nMOV.U R0.w, R2.x;", {V{55, 0, 101, 77}},
       constant({100, 55, 101, 77}), {}, {}, "1"},
      {42, "AtomicsThatWrap", "ATOMB.IWRAP.U32 R2.x, R1.x, data[0];\nATOMB.IWRAP.U32 R2.x, R1.y, data[4];\nATOMB.DWRAP.U32 R2.x, R1.z, data[8];\nATOMB.DWRAP.U32 R2.x, R1.w, data[12];\nMEMBAR;\nLDB.U32X4 R0, data[0];",
       {V{100, 102, 50, 103}}, constant({0, 102, 50, 102}), {}, {}, "1"},
      {42, "AtomicsOfTheStorageType", "ATOMB.MIN.S32 R2.x, R1.x, data[0];\nATOMB.MIN.U32 R2.x, R1.x, data[4];\nATOMB.MAX.S32 R2.x, R1.x, data[8];\nATOMB.MAX.U32 R2.x, R1.x, data[12];\nMEMBAR;\nLDB.U32X4 R0, data[0];",
       {V{0x80000000u}}, constant({0x80000000u, 101, 102, 0x80000000u}), {}, {}, "1"},
      {42, "AtomicsUnderAFalseMask", "MOV.U R0, 9;\nATOMB.ADD.U32 R0.x (FL), R1.x, data[0];\nMEMBAR;\nBAR;\nLDB.U32 R2.x, data[0];\nMOV.U R0.y, R2.x;", {V{2}}, constant({9, 180, 9, 9})},
      {43, "BarrierOrdersSharedMemory", "SHR.U R2.x, G.x, 2;\nSTS.U32 invocation.localindex, sm[R2.x];\nBAR;\nADD.U R2.x, R2.x, 128;\nAND.U R2.x, R2.x, 255;\nLDS.U32 R0.x, sm[R2.x];", {V{}},
       [](uint32_t t, const V&) -> V { return {(t + 32) % 64, 0, 0, 0}; }, {}, {}, "64"},
      // ---- flow
      {45, "CountsOfRep", "MOV.S R2.x, R1.x;\nREP.S R2.x;\nMOV.S R2.x, 100;\nADD.U R0.x, R0.x, 1;\nENDREP;\nREP.F R1.y;\nADD.U R0.y, R0.y, 1;\nENDREP;\nREP.U R1.z;\nADD.U R0.z, R0.z, 1;\nSGE.U.CC RC.x, R0.z, 9;\nBRK (NE.x);\nENDREP;",
       {{3, b(2.9f), all, 0}, {0, b(0.99f), 0, 0}, {0 - 5u, b(-1.0f), 2, 0}, {1, nan, 9, 0}}, [](uint32_t, const V& a) -> V {
         const int32_t s = static_cast<int32_t>(a[0]);
         return {s > 0 ? static_cast<uint32_t>(s) : 0, f(a[1]) >= 1 ? static_cast<uint32_t>(f(a[1])) : 0, std::min(a[2], 9u), 0};
       }},
      {45, "ContinueCounts", "REP.U {6, 0, 0, 0};\nADD.U R0.x, R0.x, 1;\nAND.U.CC RC.x, R0.x, 1;\nCONT (NE.x);\nADD.U R0.y, R0.y, 1;\nENDREP;", {V{}}, constant({6, 3, 0, 0})},
      {46, "BreakLeavesTheInnermostLoop",
       "REP.U {3, 0, 0, 0};\nREP.U {10, 0, 0, 0};\nADD.U R0.x, R0.x, 1;\nMOV.S.CC RC.x, 1;\nIF NE.x;\nIF NE.x;\nSGE.U.CC RC.x, R0.y, R1.x;\nBRK (NE.x);\nENDIF;\nENDIF;\nADD.U R0.y, R0.y, 1;\nENDREP;\nADD.U R0.z, R0.z, 1;\nENDREP;",
       {V{0}, V{4}, V{100}}, [](uint32_t, const V& a) -> V {
         uint32_t x = 0, y = 0, z = 0;
         for (int i = 0; i < 3; ++i, ++z)
           for (int j = 0; j < 10; ++j, ++y)
             if (++x, y >= a[0]) break;
         return {x, y, z, 0};
       }},
      {47, "ReturnLeavesLoopsAndIfs", "CAL find;\nADD.U R0.y, R0.y, 1;\nCAL find;\nADD.U R0.y, R0.y, 1;\nCAL falls;", {V{0}, V{3}, V{50}}, [](uint32_t, const V& a) -> V {
         const uint32_t n = std::min(a[0], 20u) + 1;
         return {a[0] >= 20 ? 40u : 2 * n, 2, 11, 0};
       }, {},
       "find:\nMOV.U R2.x, 0;\nREP.U {20, 0, 0, 0};\nADD.U R0.x, R0.x, 1;\nSGE.U.CC RC.x, R2.x, R1.x;\nIF NE.x;\nRET;\nENDIF;\nADD.U R2.x, R2.x, 1;\nENDREP;\nRET;\nfalls:\nADD.U R0.z, R0.z, 11;\nbehind:\nADD.U R0.z, R0.z, 100;\nRET;"},
      {47, "ReturnInMainEndsTheThread", "MOV.U R0.x, 1;\nSTB.U32X4 R0, out[G.x];\nREP;\nADD.U R0.x, R0.x, 1;\nSGE.U.CC RC.x, R0.x, R1.x;\nIF NE.x;\nAND.U.CC RC.x, invocation.localindex, 1;\nRET (NE.x);\nBRK;\nENDIF;\nENDREP;", {V{5}},
       [](uint32_t t, const V&) -> V { return {t % 2 == 1 ? 1u : 5u, 0, 0, 0}; }},
      {48, "CallsRecurseWithoutCopies", "MOV.U R2.x, R1.x;\nCAL down;", {V{1}, V{9}, V{31}}, [](uint32_t, const V& a) -> V { return {a[0], a[0], 0, 0}; }, {},
       "down:\nADD.U R0.x, R0.x, 1;\nSUB.U.CC R2.x, R2.x, 1;\nCAL down (NE.x);\nADD.U R0.y, R0.y, 1;\nRET;"},
      {49, "FalseConditionsDoNothing", "MOV.S.CC RC.x, 0;\nCAL f (NE.x);\nREP.U {3, 0, 0, 0};\nBRK (NE.x);\nCONT (NE.x);\nADD.U R0.x, R0.x, 1;\nENDREP;\nRET (FL);\nCAL f (EQ.x);", {V{}}, constant({103, 0, 0, 0}), {},
       "f:\nRET (NE.x);\nADD.U R0.x, R0.x, 100;\nRET;"},
      {50, "BarriersInLoopsAndRoutines", "REP.U {3, 0, 0, 0};\nCAL meet;\nENDREP;", {V{}}, constant({3, 0, 0, 0}), {}, "meet:\nBAR;\nADD.U R0.x, R0.x, 1;\nBAR;\nRET;", "64"},
      {50, "DivergentBarrierIsAFault", "AND.U.CC RC.x, invocation.localindex, 1;\nIF NE.x;\nBAR;\nENDIF;", {V{}}, {}, {}, {}, "64", isa::Fault::DIVERGENT_BAR},
      // ---- between threads
      {52, "OnlyActiveThreadsCount", "MOV.U R2, 1;\nTGBALLOT.U R0.x, R2.x;\nAND.U.CC RC.x, invocation.localindex, 1;\nIF NE.x;\nTGBALLOT.U R0.y, R2.x;\nAND.U R3.x, invocation.localindex, 1;\nTGALL.U R0.z, R3.x;\nENDIF;", {V{}},
       [](uint32_t t, const V&) -> V {
         const uint32_t live = t < 32 ? all : 0xffu;
         return {live, t % 2 == 1 ? live & 0xaaaaaaaau : 0, t % 2 == 1 ? all : 0, 0};
       }},
      {53, "VotesByComponent", "AND.U R2.x, invocation.localindex, 7;\nSEQ.U R2.x, R2.x, 5;\nMOV.U R2.y, R2.x;\nNOT.U R2.x, R2.x;\nMOV.U R2.z, 0;\nMOV.U R2.w, 1;\nTGALL.U R0, R2;\nTGANY.U R3, R2;\nAND.U R3, R3, 2;\nADD.U R0, R0, R3;\nTGEQ.U R3, R2;\nAND.U R3, R3, 16;\nADD.U R0, R0, R3;",
       {V{}}, constant({2, 2, 16, all + 18})},
      {53, "VotesOfFloats", "TGALL.F R0.x, R1.x;\nTGANY.F R0.y, R1.y;\nTGEQ.F R0.z, R1.z;\nTGEQ.F R0.w, R1.w;", {V{nan, minus_zero, b(1.0f), b(1.0f)}, V{b(1.0f), 0, b(2.0f), 0}},
       constant({b(1.0f), 0, b(1.0f), 0})},
      {54, "WarpsAre32ConsecutiveThreads", "MOV.U R0.x, invocation.threadid;\nMOV.U R0.y, invocation.warpid;\nMOV.U R0.z, invocation.localid.z;\nMOV.U R0.w, invocation.threadeqmask;", {V{}},
       [](uint32_t t, const V&) -> V { return {t % 32, t / 32, t / 32, 1u << t % 32}; }, {}, {}, "8 4 2"},
      {55, "ShufflesReachTheirBounds",
       "MOV.U R2.z, invocation.localindex;\nSHFIDX.U R2.xy, R2.z, 31, 31;\nMOV.U R0.x, R2.y;\nSHFUP.U R2.xy, R2.z, 3, 0;\nMOV.U R0.y, R2.y;\nAND.U R0.z, R2.x, 1;\nSHFXOR.U R2.xy, R2.z, 5, {0x1c1f, 0, 0, 0};\nMOV.U R0.w, R2.y;", {V{}},
       [](uint32_t t, const V&) -> V { return {31, t >= 3 ? t - 3 : t, t >= 3 ? 1u : 0u, (t ^ 5) <= (t | 3) ? t ^ 5 : t}; }, {}, {}, "32"},
      {55, "ShuffleSegments", "MOV.U R2.z, invocation.localindex;\nSHFIDX.U R2.xy, R2.z, 2, {0x1807, 0, 0, 0};\nMOV.U R0.x, R2.y;\nSHFDOWN.U R2.xy, R2.z, 1, {0x181f, 0, 0, 0};\nMOV.U R0.y, R2.y;\nAND.U R0.z, R2.x, 1;", {V{}},
       [](uint32_t t, const V&) -> V { return {t / 8 * 8 + 2, t % 8 == 7 ? t : t + 1, t % 8 == 7 ? 0u : 1u, 0}; }, {}, {}, "32"},
      // ---- masks
      {56, "MasksAndOverlap", "MOV.U R0, R1;\nMOV.U R0.xy, R0.yxzw;\nADD.U R0.zw, R0.wzwz, R0.z;", {V{1, 2, 3, 4}}, constant({2, 1, 7, 6})},
      {57, "ScalarsStandInAllComponents", "AND.U R0, invocation.threadid.yzwx, 3;\nADD.U R0.zw, R0, invocation.localindex;", {V{}}, [](uint32_t t, const V&) -> V { return {t % 4, t % 4, t % 4 + t, t % 4 + t}; }},
  };
  return list;
}

/// Points that no program of this suite shows, with the reason or the test that does.
const std::set<int> kElsewhere{
    41,  // shared memory is undefined at the start: Launch.PatternOfRegistersAndSharedMemory fills it
    44,  // stores of 8 and 16 bits: not in a machine of 32-bit types
    51,  // the order between threads is free
};

TEST(Points, EachHasAProgram) {
  std::set<int> seen = kElsewhere;
  for (const Point& p : points()) seen.insert(p.number);
  for (int n = 1; n <= 57; ++n) EXPECT_TRUE(seen.count(n)) << "point " << n;
}

class Dialect : public ::testing::TestWithParam<Point> {};

void check(const Point& p, const Outcome& o, uint32_t threads) {
  SCOPED_TRACE(o.where);
  EXPECT_EQ(o.result.mismatch, "");
  ASSERT_EQ(o.result.fault.code, p.fault) << isa::to_string(o.result.fault.code) << " at pc " << o.result.fault.pc;
  if (p.fault != isa::Fault::NONE) return;
  for (uint32_t t = 0; t < threads; ++t) {
    const V want = p.want(t, p.in[t % p.in.size()]);
    for (uint32_t k = 0; k < 4; ++k) {
      const uint32_t got = o.storage.at(1)[4 * t + k];
      if (got == want[k] || (p.error != 0 && std::fabs(double{f(got)} - double{f(want[k])}) <= p.error)) continue;
      ADD_FAILURE() << fmt::format("thread {}, {}: {:08x}, expected {:08x}", t, "xyzw"[k], got, want[k]);
      return;
    }
  }
}

TEST_P(Dialect, Program) {
  const Point& p = GetParam();
  const Program program = assemble_source(source(p, p.body));
  if (HasFailure()) return;
  const uint32_t threads = program.threads();
  std::vector<uint32_t> in, data;
  for (uint32_t t = 0; t < threads; ++t) in.insert(in.end(), p.in[t % p.in.size()].begin(), p.in[t % p.in.size()].end());
  for (uint32_t i = 0; i < 62; ++i) data.push_back(100 + i);
  Bench bench(program);
  bench.storage(0, in).zeros(1, 4 * threads).storage(2, data);
  for (uint32_t n = 0; n < 2; ++n) bench.local(n, {n * 10, n * 10 + 1, n * 10 + 2, n * 10 + 3});
  bench.local(2, {local2[0], local2[1], local2[2], local2[3]});
  for (const auto& config : isa::configs)
    if (bench.fits(config)) check(p, bench.on_model(config), threads);
  for (const auto& config : rtl_configs())
    if (!HasFailure() && (nightly() || config.name == "base") && bench.fits(config)) check(p, bench.on_rtl(config, 1, verif::AxiProfile::seeded(1)), threads);
  for (const std::string& statement : p.refused) {
    Diagnostics diagnostics;
    EXPECT_FALSE(assemble(source(p, statement), "refused.nvcp", {}, diagnostics)) << statement;
  }
}

INSTANTIATE_TEST_SUITE_P(Points, Dialect, ::testing::ValuesIn(points()),
                         [](const auto& info) { return fmt::format("Point{:02}_{}", info.param.number, info.param.name); });

}  // namespace
}  // namespace maskwork::suite
