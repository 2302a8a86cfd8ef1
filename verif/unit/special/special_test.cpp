// Unit tests of mw_special: every operation and type with corner and random operands, masks, missing beats, back-pressure, clear.
#include <cstdlib>

#include "Vspecial_l1.h"
#include "Vspecial_l16.h"
#include "Vspecial_l2.h"
#include "Vspecial_l32.h"
#include "Vspecial_l8.h"
#include "special_driver.hpp"

namespace maskwork::special_test {
namespace {

struct Case {
  Op op;
  Type type;
};

/// Every word of the unit, from the ISA table.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (unsigned code = 0; code < 256; ++code) {
    const Op op = static_cast<Op>(code);
    if (!isa::info(op).valid || isa::info(op).unit != isa::Unit::Special) continue;
    for (unsigned type = 0; type < 16; ++type)
      if (isa::info(op).types >> type & 1) all.push_back({op, static_cast<Type>(type)});
  }
  return all;
}

/// Zeros, denormals, around powers of two, limits, infinities, NaNs, halves of every class, ties.
constexpr std::array<uint32_t, 48> corners{
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800001, 0x3f000000, 0x4b000001, 0xcf000000,
    0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffa00001, 0xffffffff, 0x7fffffff, 0x33800000, 0x80000001, 0x00400000,
    0x80800000, 0x3f7fffff, 0xbf800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x387fc000, 0x33000000, 0x33000001, 0x38800000,
    0x7e000000, 0xff7fffff, 0x7f800001, 0x00000020, 0x0000001f, 0x55555555, 0x7c007bff, 0x03ff8001, 0xfffffff0, 0x00000003,
    0xc2fc0000, 0xc3150000, 0x43000000, 0x49800000, 0x39800000, 0x497fffff, 0x387fe000, 0xfc00fe01};

uint32_t with_exponent(Random& random, int exponent) {
  exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
  return random.bits(1) << 31 | static_cast<uint32_t>(exponent) << 23 | random.bits(23);
}

uint32_t operand(Random& random) {
  switch (random.below(8)) {
    case 0: return corners[random.below(corners.size())];
    case 1: return random.bits(1 + random.below(32));
    case 2: return ~random.bits(1 + random.below(32));
    case 3: return with_exponent(random, 100 + static_cast<int>(random.below(56)));
    case 4: return random.bits(1) << 31 | random.bits(1 + random.below(23));  // denormal
    default: return random.bits();
  }
}

/// Operands where the function has something to do: the ranges of EX2, SIN and COS, quotients around the denormals and 1, halves.
void hard_operands(Random& random, const Case& c, uint32_t& a, uint32_t& b) {
  a = operand(random);
  b = operand(random);
  if (random.chance(40)) return;
  switch (c.op) {
    case Op::EX2: a = with_exponent(random, 127 + 7 - static_cast<int>(random.below(32))); break;
    case Op::SIN: case Op::COS: a = with_exponent(random, 127 + 20 - static_cast<int>(random.below(36))); break;
    case Op::LG2: a = with_exponent(random, 126 + static_cast<int>(random.below(3))) & 0x7fffffffu; break;
    case Op::RSQ: a &= 0x7fffffffu; break;
    case Op::RCP: a = with_exponent(random, 254 - static_cast<int>(random.below(4))); break;
    case Op::PKH:
      a = with_exponent(random, 100 + static_cast<int>(random.below(44)));
      b = with_exponent(random, 100 + static_cast<int>(random.below(44))) & ~random.bits(13);
      break;
    case Op::DIV: case Op::MOD:
      if (c.type == Type::F32) {
        const int e = static_cast<int>(random.below(255));
        a = with_exponent(random, e);
        b = with_exponent(random, e + (random.chance(50) ? 128 - static_cast<int>(random.below(4)) : static_cast<int>(random.below(160)) - 20));
        if (random.chance(20)) b = (b & 0xff800000u) | (a & 0x7fffffu) ;
      } else if (random.chance(50)) {
        b = random.bits(1 + random.below(16));
        if (c.type == Type::S32 && random.chance(50)) b = 0u - b;
        if (random.chance(30)) a = b * random.bits(16) + random.below(3) - 1;
      }
      break;
    default: break;
  }
}

uint32_t mask(Random& random) {
  switch (random.below(6)) {
    case 0: return random.bits();
    case 1: return 1u << random.below(32);
    case 2: return random.bits() & random.bits() & random.bits();
    case 3: return 0xffffffffu >> random.below(32);
    case 4: return 0xffu << 8 * random.below(4);
    default: return 0xffffffffu;
  }
}

Word random_word(Random& random, const Case& c) {
  Word w;
  w.op = c.op;
  w.type = c.type;
  w.exec = mask(random);
  if (random.chance(5)) w.exec = 0;
  w.write = w.exec & (random.chance(50) ? 0xffffffffu : mask(random));
  if (random.chance(5)) w.write = 0;
  w.wave = random.below(4);
  w.dst = random.below(1024);
  w.empty_beats = random.chance(20);
  const uint32_t zeros = random.below(4);  // votes: few, many or all threads not zero
  const uint32_t seg = random.below(2) ? 31u & ~((1u << random.below(6)) - 1) : random.bits(5);
  for (uint32_t t = 0; t < 32; ++t) {
    hard_operands(random, c, w.a[t], w.b[t]);
    if (is_shuffle(w.op) && random.chance(70)) w.b[t] = random.below(32);
    w.c[t] = random.chance(60) ? seg << 8 | (random.chance(50) ? 31 : random.bits(5)) : operand(random);
    if (is_vote(w.op) && (zeros == 0 || (zeros == 1 && random.chance(90)))) w.a[t] = random.chance(50) ? 0 : 0x80000000u;
    if (is_vote(w.op) && zeros == 3) w.a[t] |= 1;
  }
  return w;
}

/// Words of full waves: thread by thread what `next` gives.
template <class D, class F>
void issue_functions(D& d, const Case& c, uint64_t threads, F next) {
  Word w;
  w.op = c.op;
  w.type = c.type;
  for (uint64_t done = 0; done < threads; done += 32) {
    for (uint32_t t = 0; t < 32; ++t) next(done + t, w.a[t], w.b[t]);
    w.wave = static_cast<uint32_t>(done / 32 % 4);
    d.issue(w);
    while (d.waiting() > 64 && !::testing::Test::HasFailure()) d.cycle();
    if (::testing::Test::HasFailure()) return;
  }
  d.run();
}

bool is_function(Op op) { return !is_vote(op) && !is_shuffle(op); }

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

template <class Top>
class SpecialTest : public ::testing::Test {};
using Units = ::testing::Types<Vspecial_l1, Vspecial_l2, Vspecial_l8, Vspecial_l16, Vspecial_l32>;
TYPED_TEST_SUITE(SpecialTest, Units);

TYPED_TEST(SpecialTest, RandomWords) {
  const std::vector<Case> all = cases();
  for (uint64_t seed = 1; seed <= setting("MASKWORK_SPECIAL_SEEDS", 6); ++seed) {
    Driver<TypeParam> d(seed);
    d.ready_percent = seed % 3 == 0 ? 100 : seed % 3 == 1 ? 60 : 15;
    d.issue_percent = seed % 2 == 0 ? 100 : 5;
    for (int i = 0; i < 400; ++i) {
      const Case& c = all[d.random.below(static_cast<uint32_t>(all.size()))];
      for (uint32_t n = 1 + d.random.below(3); n > 0; --n) d.issue(random_word(d.random, c));
    }
    d.run();
    if (this->HasFailure()) FAIL() << "seed " << seed;
  }
}

TYPED_TEST(SpecialTest, ClearInTheMiddle) {
  const std::vector<Case> all = cases();
  Driver<TypeParam> d(77);
  for (int i = 0; i < 300; ++i) {
    d.ready_percent = i % 2 ? 100 : 30;
    for (int n = 0; n < 4; ++n) d.issue(random_word(d.random, all[d.random.below(static_cast<uint32_t>(all.size()))]));
    for (uint32_t n = d.random.below(250); n > 0; --n) d.cycle();
    d.clear();
    d.issue(random_word(d.random, all[d.random.below(static_cast<uint32_t>(all.size()))]));
    d.run();
    if (this->HasFailure()) FAIL() << "round " << i;
  }
}

TYPED_TEST(SpecialTest, EveryPairOfCorners) {
  Driver<TypeParam> d(5);
  for (const Case& c : cases()) {
    if (!is_function(c.op)) continue;
    issue_functions(d, c, corners.size() * corners.size(), [](uint64_t i, uint32_t& a, uint32_t& b) {
      a = corners[i % corners.size()];
      b = corners[i / corners.size()];
    });
    if (this->HasFailure()) return;
  }
}

// Every operation of one thread with many operands, at one thread per clock where the unit can.
TYPED_TEST(SpecialTest, Functions) {
  const uint64_t quick = std::is_same_v<TypeParam, Vspecial_l8> ? 100'000 : 3'000;
  const uint64_t threads = std::is_same_v<TypeParam, Vspecial_l8> ? setting("MASKWORK_SPECIAL_FUNCTIONS", quick) : quick;
  Driver<TypeParam> d(9);
  for (const Case& c : cases()) {
    if (!is_function(c.op)) continue;
    issue_functions(d, c, threads, [&](uint64_t, uint32_t& a, uint32_t& b) { hard_operands(d.random, c, a, b); });
    if (this->HasFailure()) return;
  }
}

// Clocks of a word in a stream of full waves (docs/architecture.md), normal operands.
TYPED_TEST(SpecialTest, Throughput) {
  Driver<TypeParam> probe(1);
  const uint64_t rows = 32 / probe.lanes, stages = probe.top.stages_o;
  const auto rounds = [&](uint64_t bits) { return (bits + stages - 1) / stages + (stages == 1 ? 1 : 0); };
  for (const Case& c : cases()) {
    Driver<TypeParam> d(3);
    const uint64_t words = 100;
    issue_functions(d, c, words * 32, [&](uint64_t, uint32_t& a, uint32_t& b) {
      a = 0x3f800000u | d.random.bits(23);
      b = 0x3f800000u | d.random.bits(23);
    });
    if (this->HasFailure()) return;
    uint64_t most = 32 + rows, latency = 43;  // a beat of results leaves in a clock of its own
    if (c.op == Op::RCP || c.op == Op::DIV || c.op == Op::MOD) {
      const uint64_t turns = rounds(c.type == Type::F32 ? 26 : 32);
      most = 32 * std::max<uint64_t>(c.op == Op::RCP ? 1 : 2, turns);
      latency = turns * stages + 22;
    }
    if (c.op == Op::PKH) most = 64;
    if (is_vote(c.op)) most = 3 * rows + 15;  // to look, and to answer
    if (is_shuffle(c.op)) most = 32 + 2 * rows + 27;
    if (is_function(c.op)) {
      most += most / 16 + 1;
      const uint64_t under_way = probe.capacity == 1 ? 16 : 32;  // threads (PKH: halves)
      most = std::max(most, latency * 32 / under_way * (c.op == Op::PKH ? 2 : 1));
    }
    if (probe.capacity == 1) most += 90;  // words do not overlap
    EXPECT_LE(d.cycles / words, most) << isa::info(c.op).name << " type " << int(c.type);
  }
}

// Clocks from a word's only beat to `done`, as docs/architecture.md says.
TYPED_TEST(SpecialTest, Latency) {
  Driver<TypeParam> d(2);
  const uint64_t rows = 32 / d.lanes, stages = d.top.stages_o;
  for (const Case& c : cases()) {
    Word w;
    w.op = c.op;
    w.type = c.type;
    w.exec = w.write = 1;
    w.a.fill(0x3f800123u);
    w.b.fill(0x3f800345u);
    d.issue(w);
    const uint64_t begin = d.cycles;
    d.run();
    const uint64_t steps = stages * (((c.type == Type::F32 ? 26 : 32) + stages - 1) / stages) + (stages == 1 ? 1 : 0);
    uint64_t want = 43;
    if (c.op == Op::RCP || c.op == Op::DIV || c.op == Op::MOD) want = steps + (c.op == Op::RCP ? 22 : 23);
    if (c.op == Op::PKH) want = 44;
    if (c.op >= Op::BFR && c.op <= Op::BTFM) want = 22;
    if (is_vote(c.op)) want = rows + 20;
    if (is_shuffle(c.op)) want = rows + (c.op >= Op::RNGIDX ? 25 : 27);
    EXPECT_EQ(d.cycles - begin, want) << isa::info(c.op).name;
  }
}

}  // namespace
}  // namespace maskwork::special_test
