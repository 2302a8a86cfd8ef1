// Unit tests of mw_special: every operation and type with corner and random operands, masks, back-pressure, clear.
#include <cstdlib>

#include "Vspecial_l1.h"
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
  for (Op op : {Op::RCP, Op::RSQ, Op::EX2, Op::LG2, Op::SIN, Op::COS, Op::DIV, Op::MOD, Op::PKH, Op::UPHL, Op::UPHH, Op::BFR, Op::BTC, Op::BTFL, Op::BTFM, Op::TGALL, Op::TGANY, Op::TGEQ, Op::TGBALLOT, Op::SHFIDX, Op::SHFUP, Op::SHFDOWN,
                Op::SHFXOR, Op::RNGIDX, Op::RNGUP, Op::RNGDOWN, Op::RNGXOR})
    for (Type type : {Type::F32, Type::S32, Type::U32})
      if (isa::info(op).types >> static_cast<unsigned>(type) & 1) all.push_back({op, type});
  return all;
}

/// Zeros, denormals, around powers of two, limits, infinities, NaNs, halves of both kinds.
constexpr std::array<uint32_t, 40> corners{
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800001, 0x3f000000, 0x4b000001, 0xcf000000,
    0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffa00001, 0xffffffff, 0x7fffffff, 0x33800000, 0x80000001, 0x00400000,
    0x80800000, 0x3f7fffff, 0xbf800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x387fc000, 0x33000000, 0x33000001, 0x38800000,
    0x7e000000, 0xff7fffff, 0x7f800001, 0x00000020, 0x0000001f, 0x55555555, 0x7c007bff, 0x03ff8001, 0xfffffff0, 0x00000003};

uint32_t operand(Random& random) {
  switch (random.below(8)) {
    case 0: return corners[random.below(corners.size())];
    case 1: return random.bits(1 + random.below(32));
    case 2: return ~random.bits(1 + random.below(32));
    case 3: return random.bits(1) << 31 | (100 + random.below(56)) << 23 | random.bits(23);
    default: return random.bits();
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
    w.a[t] = operand(random);
    w.b[t] = is_shuffle(w.op) && random.chance(70) ? random.below(32) : operand(random);
    w.c[t] = random.chance(60) ? seg << 8 | (random.chance(50) ? 31 : random.bits(5)) : operand(random);
    if (is_vote(w.op) && (zeros == 0 || (zeros == 1 && random.chance(90)))) w.a[t] = random.chance(50) ? 0 : 0x80000000u;
    if (is_vote(w.op) && zeros == 3) w.a[t] |= 1;
  }
  return w;
}

uint64_t scale() {
  const char* text = std::getenv("MASKWORK_SPECIAL_SCALE");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

template <class Top>
class SpecialTest : public ::testing::Test {};
using Units = ::testing::Types<Vspecial_l1, Vspecial_l8, Vspecial_l32>;
TYPED_TEST_SUITE(SpecialTest, Units);

TYPED_TEST(SpecialTest, RandomWords) {
  const std::vector<Case> all = cases();
  for (uint64_t seed = 1; seed <= 6 * scale(); ++seed) {
    Driver<TypeParam> d(seed);
    d.ready_percent = seed % 3 == 0 ? 100 : seed % 3 == 1 ? 60 : 15;
    d.issue_percent = seed % 2 == 0 ? 100 : 5;
    for (int i = 0; i < 1000; ++i) {
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
    for (uint32_t n = d.random.below(120); n > 0; --n) d.cycle();
    d.clear();
    d.issue(random_word(d.random, all[d.random.below(static_cast<uint32_t>(all.size()))]));
    d.run();
    if (this->HasFailure()) FAIL() << "round " << i;
  }
}

}  // namespace
}  // namespace maskwork::special_test
