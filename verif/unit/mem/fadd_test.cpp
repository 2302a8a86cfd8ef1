// Unit test of mw_atomic_fadd against the host's float addition, and its two clients.
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
    top_.rst_i = 1;
    top_.req_valid_i = 0;
    for (int i = 0; i < 3; ++i) clock();
    top_.rst_i = 0;
  }
  ~Adder() { top_.final(); }

  /// One clock with what each client asks (0 = nothing); true where it was taken.
  uint32_t step(uint32_t valid, uint32_t a0, uint32_t b0, uint32_t a1, uint32_t b1) {
    top_.req_valid_i = valid;
    top_.req_a_i = (uint64_t{a1} << 32) | a0;
    top_.req_b_i = (uint64_t{b1} << 32) | b0;
    top_.eval();
    const uint32_t taken = valid & top_.req_ready_o;
    EXPECT_NE(taken, 3u);
    if ((taken & 1) != 0) expected_.push_back({1, a0, b0});
    if ((taken & 2) != 0) expected_.push_back({2, a1, b1});
    if (top_.rsp_valid_o != 0) answer();
    clock();
    return taken;
  }
  void add(uint32_t a, uint32_t b) { step(1, a, b, 0, 0); }
  void drain() {
    for (int i = 0; i < 40; ++i) step(0, 0, 0, 0, 0);
    EXPECT_TRUE(expected_.empty());
  }
  uint64_t answers = 0;

 private:
  struct Request {
    uint32_t client, a, b;
  };
  void clock() {
    top_.clk_i = 1;
    top_.eval();
    top_.clk_i = 0;
    top_.eval();
  }
  void answer() {
    ASSERT_FALSE(expected_.empty());
    const Request r = expected_.front();
    expected_.pop_front();
    ++answers;
    EXPECT_EQ(top_.rsp_valid_o, r.client);
    ASSERT_EQ(top_.rsp_sum_o, host_sum(r.a, r.b)) << std::hex << r.a << " + " << r.b;
  }

  Vfadd top_;
  std::deque<Request> expected_;
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

TEST(Fadd, BothClientsAreServedInOrder) {
  Adder adder;
  std::mt19937_64 random(3);
  uint32_t taken = 0;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t x = random(), y = random();
    taken |= adder.step(random() % 4, static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(x >> 32), static_cast<uint32_t>(y >> 32));
  }
  adder.drain();
  EXPECT_EQ(taken, 3u);
}

}  // namespace
