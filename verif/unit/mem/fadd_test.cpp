// Unit test of mw_atomic_fadd against the host's float addition.
#include <gtest/gtest.h>
#include <verilated.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "Vfadd.h"

namespace {

uint32_t host_sum(uint32_t a, uint32_t b) {
  const volatile float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
  const float sum = x + y;
  return std::isnan(sum) ? 0x7fc00000u : std::bit_cast<uint32_t>(sum);
}

class Adder {
 public:
  Adder() {
    top_.clk_i = 0;
    top_.eval();
  }
  ~Adder() { top_.final(); }

  /// One clock: gives two operands, and looks at the sum of those that were given `kClocks` before.
  void add(uint32_t a, uint32_t b) {
    top_.a_i = a;
    top_.b_i = b;
    top_.eval();
    under_way_.push_back({a, b});
    clock();
    if (under_way_.size() < kClocks) return;
    const auto [x, y] = under_way_.front();
    under_way_.pop_front();
    ++answers;
    ASSERT_EQ(top_.sum_o, host_sum(x, y)) << std::hex << x << " + " << y;
  }
  void drain() {
    for (unsigned i = 1; i < kClocks; ++i) add(0, 0);
  }
  uint64_t answers = 0;

 private:
  static constexpr unsigned kClocks = 10;
  void clock() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
  }
  Vfadd top_;
  std::deque<std::pair<uint32_t, uint32_t>> under_way_;
};

TEST(Fadd, HostRoundsToNearest) { ASSERT_EQ(std::fegetround(), FE_TONEAREST); }

TEST(Fadd, RandomBits) {
  Adder adder;
  std::mt19937_64 random(1);
  for (int i = 0; i < 1'000'000 && !::testing::Test::HasFatalFailure(); ++i) {
    const uint64_t bits = random();
    adder.add(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32));
  }
  adder.drain();
  EXPECT_EQ(adder.answers, 1'000'000u);
}

TEST(Fadd, CornerClassesWithEachOther) {
  std::vector<uint32_t> corners;
  for (uint32_t magnitude : {0u, 1u, 2u, 3u, 0x7ffffeu, 0x7fffffu, 0x800000u, 0x800001u, 0xffffffu, 0x1000000u, 0x3f7fffffu, 0x3f800000u, 0x3f800001u,
                             0x4b7fffffu, 0x4b800000u, 0x4b800001u, 0x4c000000u, 0x7effffffu, 0x7f000000u, 0x7f7ffffeu, 0x7f7fffffu, 0x7f800000u,
                             0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0x33800000u, 0x33ffffffu, 0x34000000u, 0x0b800000u, 0x0c000000u, 0x0c7fffffu})
    for (uint32_t sign : {0u, 0x80000000u}) corners.push_back(magnitude | sign);
  Adder adder;
  for (uint32_t a : corners)
    for (uint32_t b : corners) adder.add(a, b);
  adder.drain();
}

// Rounding before normalization is wrong when one leading bit cancels and the bits below the significand are exactly half (Nyuzi, issue 58):
// 8.000001 - 1.0000005.
TEST(Fadd, OneBitCancelsWithHalfBelow) {
  EXPECT_EQ(host_sum(0x41000001, 0xbf800004), 0x40e00001u);
  Adder adder;
  adder.add(0x41000001, 0xbf800004);
  for (uint32_t d = 1; d <= 24; ++d)
    for (uint32_t low = 0; low < 64; ++low)
      for (uint32_t m : {0x000001u, 0x000002u, 0x000003u, 0x7fffffu, 0x400001u})
        for (uint32_t sign : {0u, 0x80000000u})
          adder.add(sign | 0x41000000u | m, (~sign & 0x80000000u) | (0x41000000u - (d << 23)) | ((low << (d < 18 ? d : 17)) & 0x7fffffu));
  adder.drain();
}

// Near cancellation, with every distance of the exponents and few bits set: the sticky bit and the borrow decide.
TEST(Fadd, Cancellation) {
  Adder adder;
  adder.add(0x3f800000, 0xbf7fffff);
  std::mt19937_64 random(2);
  const auto sparse = [&] {
    uint32_t m = 0;
    for (int n = static_cast<int>(random() % 4); n > 0; --n) m |= 1u << (random() % 23);
    return random() % 2 != 0 ? m : ~m & 0x7fffffu;
  };
  for (int i = 0; i < 1'000'000 && !::testing::Test::HasFatalFailure(); ++i) {
    const uint32_t e = static_cast<uint32_t>(random() % 255), d = static_cast<uint32_t>(random() % 30);
    const uint32_t sign = static_cast<uint32_t>(random() & 1) << 31;
    adder.add(sign | e << 23 | sparse(), (random() % 4 != 0 ? ~sign & 0x80000000u : sign) | (e > d ? e - d : 0) << 23 | sparse());
  }
  adder.drain();
}

}  // namespace
