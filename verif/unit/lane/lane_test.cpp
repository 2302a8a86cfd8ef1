// The lane against the reference: every operation, type and modifier over corner values; random operands; named cases.
// MASKWORK_LANE_RANDOM sets the number of random operations per group (a million without it).
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <vector>

#include "lane_bench.hpp"
#include "lane_operands.hpp"

namespace maskwork::lane_test {
namespace {

constexpr Clamp clamps[] = {Clamp::NONE, Clamp::SAT, Clamp::SSAT};
constexpr Round rounds[] = {Round::ROUND, Round::CEIL, Round::FLR, Round::TRUNC};
constexpr Type types[] = {Type::F32, Type::S32, Type::U32};
constexpr Op compares[] = {Op::SEQ, Op::SNE, Op::SLT, Op::SLE, Op::SGT, Op::SGE};

unsigned long random_count() {
  const char* text = std::getenv("MASKWORK_LANE_RANDOM");
  return text ? std::strtoul(text, nullptr, 10) : 1'000'000;
}

unsigned sources(Op op) {
  switch (op) {
    case Op::MOV: case Op::NOT: case Op::CVT: case Op::RNDI: return 1;
    case Op::MAD: case Op::CMP: return 3;
    default: return 2;
  }
}

bool has_type(Op op, Type type) { return isa::info(op).types >> static_cast<unsigned>(type) & 1; }

std::vector<Op> lane_ops() {
  std::vector<Op> ops;
  for (unsigned code = 0; code < 256; ++code)
    if (isa::ops[code].valid && isa::ops[code].unit == isa::Unit::Lane && isa::ops[code].format == isa::Format::Alu)
      ops.push_back(static_cast<Op>(code));
  std::erase(ops, Op::MOVA);  // the core's; the lane only moves
  return ops;
}

/// All words of an operation and type: modifiers of the sources it has, clamps, rounding modes, chain bits.
std::vector<Operation> variants(Op op, Type type) {
  std::vector<Operation> list;
  const bool converts = op == Op::CVT || op == Op::RNDI;
  const unsigned n = sources(op);
  for (unsigned m = 0; m < 1u << (2 * n); ++m)
    for (Clamp clamp : clamps)
      for (Round round : rounds)
        for (Type source : types)
          for (unsigned chain = 0; chain < 4; ++chain) {
            if (!converts && round != Round::ROUND) continue;
            if (source != (op == Op::CVT ? source : type)) continue;
            Operation o{op, type, source, round, clamp, {}, {}, (chain & 1) != 0, (chain & 2) != 0};
            for (unsigned s = 0; s < n; ++s) {
              o.neg[s] = m >> (2 * s) & 1;
              o.abs[s] = m >> (2 * s + 1) & 1;
            }
            if (o.chain_carry && (op != Op::ADD || type == Type::F32)) continue;
            if (type != Type::F32 && clamp != Clamp::NONE && op != Op::CVT) continue;
            if (op == Op::ADD && type != Type::F32 && o.neg[0] && o.neg[1]) continue;  // a bad word
            list.push_back(o);
          }
  return list;
}

class Lane : public testing::Test {
 protected:
  ~Lane() override { EXPECT_EQ(bench.drain(), 0u); }
  LaneBench bench;
};

TEST_F(Lane, CornersOneAndTwoSources) {
  for (Op op : lane_ops())
    for (Type type : types)
      if (has_type(op, type) && sources(op) < 3)
        for (const Operation& o : variants(op, type)) {
          unsigned flags = 0;
          for (uint32_t a : corners)
            for (uint32_t b : corners) {
              bench.issue(o, {a, b, 0, (flags & 1) != 0, (flags & 2) != 0});
              ++flags;
              if (sources(op) == 1) break;
            }
        }
}

TEST_F(Lane, CornersThreeSources) {
  for (Op op : {Op::MAD, Op::CMP})
    for (Type type : types)
      for (const Operation& o : variants(op, type)) {
        // Clamp and chain come after everything else: with one choice of modifiers they meet all results.
        if ((o.clamp != Clamp::NONE || o.chain_zero) && (o.neg[0] || o.abs[0] || o.abs[1] || o.abs[2])) continue;
        for (std::size_t i = 0; i < triple_corners; ++i)
          for (std::size_t j = 0; j < triple_corners; ++j)
            for (std::size_t k = 0; k < triple_corners; ++k) bench.issue(o, {corners[i], corners[j], corners[k], false, (k & 1) != 0});
      }
}

// Operations of all kinds follow each other, with operands meant for them.
TEST_F(Lane, RandomMix) {
  OperandSource source(1);
  std::vector<std::vector<Operation>> all;
  for (Op op : lane_ops())
    for (Type type : types)
      if (has_type(op, type)) all.push_back(variants(op, type));
  for (unsigned long i = 0; i < 2 * random_count(); ++i) {
    const auto& group = all[source.bits() % all.size()];
    const Operation& o = group[source.bits() % group.size()];
    const bool is_float = o.source == Type::F32;
    Operands in = o.op == Op::CVT || o.op == Op::RNDI ? source.convertible(is_float)
                  : is_float                          ? source.floats(o.op == Op::MAD)
                                                      : source.integers();
    if (source.one_in(16)) in.b = in.a;
    bench.issue(o, in);
  }
}

TEST_F(Lane, RandomAdd) {
  OperandSource source(2);
  for (unsigned long i = 0; i < random_count(); ++i) bench.issue({Op::ADD, Type::F32}, source.floats(false));
}

TEST_F(Lane, RandomMultiply) {
  OperandSource source(3);
  for (unsigned long i = 0; i < random_count(); ++i) bench.issue({Op::MUL, Type::F32}, source.floats(source.one_in(2)));
}

TEST_F(Lane, RandomFused) {
  OperandSource source(4);
  for (unsigned long i = 0; i < random_count(); ++i) bench.issue({Op::MAD, Type::F32}, source.floats(true));
}

TEST_F(Lane, RandomConversions) {
  OperandSource source(5);
  std::vector<Operation> all = variants(Op::RNDI, Type::F32);
  for (Type type : types)
    for (const Operation& o : variants(Op::CVT, type)) all.push_back(o);
  for (unsigned long i = 0; i < random_count(); ++i) {
    const Operation& o = all[source.bits() % all.size()];
    bench.issue(o, source.convertible(o.source == Type::F32));
  }
}

// Named cases with values worked out by hand; the reference is checked against them too.
struct Named {
  const char* what;
  Operation op;
  Operands in;
  uint32_t want;
};
Operation f32(Op op) { return {op, Type::F32, Type::F32}; }
Operation cvt(Type to, Type from, Round round = Round::ROUND, Clamp clamp = Clamp::NONE) { return {Op::CVT, to, from, round, clamp}; }
Operation s32(Op op) { return {op, Type::S32, Type::S32}; }

TEST_F(Lane, Named) {
  const Named cases[] = {
      // 8 + 2^-20 - 1 - 2^-21 = 7 + 2^-21, whose tie at 2^-22 units is exact: 7 + 2^-21 = 0x40e00001
      {"borrow across the binade", f32(Op::ADD), {0x41000001, 0xbf800004}, 0x40e00001},
      {"cancellation by one bit", f32(Op::ADD), {0x3f800000, 0xbf7fffff}, 0x33800000},
      {"smallest denormal is the difference of the smallest normals", f32(Op::ADD), {0x00800001, 0x80800000}, 0x00000001},
      {"a denormal product rounds up to the smallest normal", f32(Op::MUL), {0x00ffffff, 0x3f000000}, 0x00800000},
      {"half the smallest denormal is a tie to zero", f32(Op::MUL), {0x00000001, 0x3f000000}, 0x00000000},
      {"more than half is the smallest denormal", f32(Op::MUL), {0x00000001, 0x3f000001}, 0x00000001},
      {"rounds to infinity", f32(Op::ADD), {0x7f7fffff, 0x73000000}, 0x7f800000},
      {"just not", f32(Op::ADD), {0x7f7fffff, 0x72ffffff}, 0x7f7fffff},
      {"fused: the low half of a square", f32(Op::MAD), {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000},
      {"fused: product exact beyond overflow", f32(Op::MAD), {0x7f000000, 0x40000000, 0xff7fffff}, 0x73800000},
      {"fused: tiny product breaks a tie", f32(Op::MAD), {0x00000001, 0x00000001, 0x3f800001}, 0x3f800001},
      {"fused: denormal times normal minus below its last place", f32(Op::MAD), {0x00000001, 0x4b000000, 0x80000001}, 0x007fffff},
      {"x - x is +0", f32(Op::ADD), {0x40490fdb, 0xc0490fdb}, 0x00000000},
      {"-0 + -0", f32(Op::ADD), {0x80000000, 0x80000000}, 0x80000000},
      {"infinity - infinity", f32(Op::ADD), {0x7f800000, 0xff800000}, 0x7fc00000},
      {"0 * infinity", f32(Op::MUL), {0x80000000, 0x7f800000}, 0x7fc00000},
      {"min(-0, +0)", f32(Op::MIN), {0x00000000, 0x80000000}, 0x80000000},
      {"max(NaN, x)", f32(Op::MAX), {0xffc12345, 0xbf800000}, 0xbf800000},
      {"min of NaNs", f32(Op::MIN), {0xffc12345, 0x7f800001}, 0x7fc00000},
      {"2^31 - 1 to float", cvt(Type::F32, Type::S32), {0x7fffffff}, 0x4f000000},
      {"-(2^31 - 1) towards zero", cvt(Type::F32, Type::S32, Round::TRUNC), {0x80000001}, 0xceffffff},
      {"2^24 + 1 is a tie to even", cvt(Type::F32, Type::U32), {0x01000001}, 0x4b800000},
      {"2^24 + 1 up", cvt(Type::F32, Type::U32, Round::CEIL), {0x01000001}, 0x4b800001},
      {"2.5 to integer", cvt(Type::S32, Type::F32), {0x40200000}, 2},
      {"-2.5 floor", cvt(Type::S32, Type::F32, Round::FLR), {0xc0200000}, 0xfffffffd},
      {"2^32 + 2^9 modulo 2^32", cvt(Type::U32, Type::F32), {0x4f800001}, 0x00000200},
      {"-1 to unsigned, clamped", cvt(Type::U32, Type::F32, Round::ROUND, Clamp::SAT), {0xbf800000}, 0},
      {"infinity to unsigned", cvt(Type::U32, Type::F32), {0x7f800000}, 0},
      {"infinity to unsigned, clamped", cvt(Type::U32, Type::F32, Round::ROUND, Clamp::SAT), {0x7f800000}, 0xffffffff},
      {"-infinity to signed, clamped", cvt(Type::S32, Type::F32, Round::ROUND, Clamp::SAT), {0xff800000}, 0x80000000},
      {"round(-0.25) is -0", {Op::RNDI, Type::F32, Type::F32, Round::ROUND}, {0xbe800000}, 0x80000000},
      {"ceil(smallest denormal)", {Op::RNDI, Type::F32, Type::F32, Round::CEIL}, {0x00000001}, 0x3f800000},
      {"round(0.5)", {Op::RNDI, Type::F32, Type::F32, Round::ROUND}, {0x3f000000}, 0x00000000},
      {"round(2^23 - 0.5) is 2^23", {Op::RNDI, Type::F32, Type::F32, Round::ROUND}, {0x4affffff}, 0x4b000000},
      {"high word of -1 * -1", s32(Op::MULHI), {0xffffffff, 0xffffffff}, 0},
      {"arithmetic shift by 32", s32(Op::SHR), {0x80000000, 32}, 0xffffffff},
      {"shift right by 0", s32(Op::SHR), {0x80000001, 0}, 0x80000001},
      {"shift left by 31", s32(Op::SHL), {0x00000003, 31}, 0x80000000},
  };
  for (const Named& n : cases) {
    EXPECT_EQ(reference(n.op, n.in).value, n.want) << n.what;
    bench.issue(n.op, n.in);
  }
}

// Flags by hand: subtraction without borrow sets the carry, also for x - 0 and -2^31.
TEST_F(Lane, NamedFlags) {
  Operation sub = s32(Op::ADD);
  sub.neg[1] = true;
  const struct {
    Operands in;
    bool cf, of;
  } cases[] = {{{5, 5}, true, false},          {{5, 6}, false, false},         {{5, 0}, true, false},
               {{0, 0x80000000}, false, true}, {{0x80000000, 1}, true, true},  {{0x7fffffff, 0xffffffff}, false, true}};
  for (const auto& n : cases) {
    const Result r = reference(sub, n.in);
    EXPECT_EQ(r.cf, n.cf) << n.in.a << " - " << n.in.b;
    EXPECT_EQ(r.of, n.of) << n.in.a << " - " << n.in.b;
    bench.issue(sub, n.in);
  }
  for (Op op : compares) bench.issue(f32(op), {0x7fc00000, 0x3f800000});
}

}  // namespace
}  // namespace maskwork::lane_test
