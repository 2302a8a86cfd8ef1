// The functions of the special unit against MPFR, the host's IEEE division and the compiler's _Float16.
#include "functions.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>
#include <vector>

#include "function_bounds.hpp"

namespace maskwork::test {
namespace {

constexpr int SAMPLES = 1'000'000;  // of each function

/// The exact value, with far more bits than a double has.
class Exact {
 public:
  Exact() {
    mpfr_init2(x_, 24);
    mpfr_init2(y_, 80);
  }
  ~Exact() {
    mpfr_clear(x_);
    mpfr_clear(y_);
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;

  double operator()(Function f, std::uint32_t a) {
    mpfr_set_flt(x_, to_float(a), MPFR_RNDN);
    switch (f) {
      case Function::RSQ: mpfr_rec_sqrt(y_, x_, MPFR_RNDN); break;
      case Function::EX2: mpfr_exp2(y_, x_, MPFR_RNDN); break;
      case Function::LG2: mpfr_log2(y_, x_, MPFR_RNDN); break;
      case Function::SIN: mpfr_sin(y_, x_, MPFR_RNDN); break;
      case Function::COS: mpfr_cos(y_, x_, MPFR_RNDN); break;
    }
    return mpfr_get_d(y_, MPFR_RNDN);
  }

 private:
  mpfr_t x_, y_;
};

/// Zeros, the ends of every class of numbers, powers of two and their neighbours, NaNs, of both signs.
std::vector<std::uint32_t> corners() {
  std::vector<std::uint32_t> list = {0x7f80'0001, 0x7fbf'ffff, 0x7fc0'0000, 0x7fff'ffff};
  for (std::uint32_t field = 0; field <= 255; ++field)
    for (const std::uint32_t fraction : {0U, 1U, 2U, 0x1f'ffffU, 0x20'0000U, 0x20'0001U, 0x3f'ffffU, 0x40'0000U, 0x5f'ffffU, 0x60'0000U, 0x7f'fffeU, 0x7f'ffffU})
      list.push_back((field << 23) | fraction);
  for (int bit = 0; bit < 23; ++bit) list.push_back(1U << bit);
  const std::size_t positive = list.size();
  for (std::size_t i = 0; i < positive; ++i) list.push_back(list[i] | 0x8000'0000);
  return list;
}

/// Operands in which the function has something to do.
std::uint32_t interesting(Function f, std::mt19937& random) {
  std::uniform_real_distribution<float> unit(0, 1);
  switch (random() % 4) {
    case 0: return random();
    case 1:  // wide range
      switch (f) {
        case Function::EX2: return to_bits(-151 + 280 * unit(random));
        case Function::SIN:
        case Function::COS: return to_bits(std::ldexp(unit(random) - 0.5F, static_cast<int>(random() % 22)));
        default: return random() & 0x7fff'ffff;
      }
    case 2:  // the heart
      switch (f) {
        case Function::LG2: return to_bits(0.25F + 4 * unit(random));
        case Function::EX2: return to_bits(2 * unit(random) - 1);
        case Function::RSQ: return to_bits(1 + 3 * unit(random));
        default: return to_bits(16 * unit(random) - 8);
      }
    default:  // integers and a few steps beside them; denormals
      switch (f) {
        case Function::EX2: return to_bits(static_cast<float>(static_cast<int>(random() % 280) - 151)) + random() % 5 - 2;
        case Function::LG2:
        case Function::RSQ: return random() % 2 != 0 ? random() & 0x7f'ffff : ((random() % 255) << 23) + random() % 5 - 2;
        default: return to_bits(static_cast<float>(random() % 64) * 1.57079632679F) + random() % 5 - 2;
      }
  }
}

class Bounded : public testing::TestWithParam<FunctionEntry> {};

void expect_good(const FunctionEntry& entry, std::uint32_t a, Exact& exact, double& worst) {
  const std::uint32_t result = entry.compute(a);
  std::uint32_t constant = 0;
  if (special_operand(entry.function, a, constant)) {
    ASSERT_EQ(result, constant) << entry.name << " of " << std::hex << a;
    return;
  }
  const double value = exact(entry.function, a);
  const double error = judge(entry.function, a, result, value);
  worst = std::max(worst, error);
  ASSERT_LT(error, 1) << entry.name << " of " << std::hex << a << " = " << to_float(a) << ": " << to_float(result) << ", exact " << value;
}

TEST_P(Bounded, Corners) {
  Exact exact;
  double worst = 0;
  for (const std::uint32_t a : corners()) expect_good(GetParam(), a, exact, worst);
}

TEST_P(Bounded, Random) {
  Exact exact;
  std::mt19937 random(1);
  double worst = 0;
  for (int i = 0; i < SAMPLES && !HasFatalFailure(); ++i) expect_good(GetParam(), interesting(GetParam().function, random), exact, worst);
  RecordProperty("worst", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Functions, Bounded, testing::ValuesIn(FUNCTIONS),
                         [](const testing::TestParamInfo<FunctionEntry>& info) { return std::string(info.param.name); });

TEST(Functions, ExactResults) {
  for (int n = -149; n <= 127; ++n) {
    const std::uint32_t power = to_bits(std::ldexp(1.0F, n));
    EXPECT_EQ(model::ex2(to_bits(static_cast<float>(n))), power) << n;
    EXPECT_EQ(model::lg2(power), to_bits(static_cast<float>(n))) << n;
    if (n % 2 == 0) {
      EXPECT_EQ(model::rsq(power), to_bits(std::ldexp(1.0F, -n / 2))) << n;
    }
  }
  EXPECT_EQ(model::ex2(to_bits(-150.0F)), 0U);  // 2^-150 is a tie
  EXPECT_EQ(model::ex2(to_bits(std::nextafter(-150.0F, 0.0F))), 1U);
}

TEST(Functions, SineIsOddAndCosineEven) {
  std::mt19937 random(2);
  for (int i = 0; i < SAMPLES; ++i) {
    const std::uint32_t a = random() & 0x7f7f'ffff;
    ASSERT_EQ(model::sine(a | 0x8000'0000), model::sine(a) ^ 0x8000'0000) << std::hex << a;
    ASSERT_EQ(model::cosine(a | 0x8000'0000), model::cosine(a)) << std::hex << a;
  }
}

// ---- division: the host divides as IEEE says, denormals included -------------------------------------------------------
std::uint32_t host_division(std::uint32_t a, std::uint32_t b) {
  const volatile float x = to_float(a), y = to_float(b);
  const float quotient = x / y;
  return std::isnan(quotient) ? QUIET_NAN : to_bits(quotient);
}

TEST(Division, Corners) {
  const auto list = corners();
  for (std::size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(model::rcp(list[i]), host_division(ONE_BITS, list[i])) << std::hex << list[i];
    for (std::size_t j = i % 7; j < list.size(); j += 7)
      ASSERT_EQ(model::div_f32(list[i], list[j]), host_division(list[i], list[j])) << std::hex << list[i] << " / " << list[j];
  }
}

TEST(Division, Random) {
  std::mt19937 random(3);
  for (int i = 0; i < 4 * SAMPLES; ++i) {
    std::uint32_t a = random(), b = random();
    if (i % 4 == 1) a &= 0x807f'ffff;                                            // denormal operands
    if (i % 4 == 2) b = (b & 0x807f'ffff) | ((random() % 3) << 23);               // large quotients
    if (i % 4 == 3) b = (b & 0x807f'ffff) | ((((a >> 23) & 255) + 120) % 255 << 23);  // denormal quotients
    ASSERT_EQ(model::rcp(a), host_division(ONE_BITS, a)) << std::hex << a;
    ASSERT_EQ(model::div_f32(a, b), host_division(a, b)) << std::hex << a << " / " << b;
  }
}

TEST(Division, DenormalTies) {
  // (2 n + 1) * 2^-149 / 2 is exactly between two denormals.
  for (std::uint32_t n = 0; n < 1000; ++n)
    ASSERT_EQ(model::div_f32(2 * n + 1, to_bits(2.0F)), (n + (n & 1))) << n;
}

TEST(Division, Integers) {
  const std::uint32_t list[] = {0, 1, 2, 3, 7, 10, 0x7fff'fffe, 0x7fff'ffff, 0x8000'0000, 0x8000'0001, 0xffff'fff9, 0xffff'fffe, 0xffff'ffff};
  std::mt19937 random(4);
  const auto check = [](std::uint32_t a, std::uint32_t b) {
    const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(a)), y = static_cast<std::int64_t>(static_cast<std::int32_t>(b));
    ASSERT_EQ(model::div_u32(a, b), b == 0 ? 0xffff'ffff : a / b) << a << ' ' << b;
    ASSERT_EQ(model::mod_u32(a, b), b == 0 ? 0xffff'ffff : a % b) << a << ' ' << b;
    ASSERT_EQ(model::div_s32(a, b), b == 0 ? 0xffff'ffff : static_cast<std::uint32_t>(x / y)) << x << ' ' << y;
    ASSERT_EQ(model::mod_s32(a, b), b == 0 ? 0xffff'ffff : static_cast<std::uint32_t>(x % y)) << x << ' ' << y;
  };
  for (const auto a : list)
    for (const auto b : list) check(a, b);
  for (int i = 0; i < SAMPLES && !HasFatalFailure(); ++i) check(random(), static_cast<std::uint32_t>(static_cast<std::int32_t>(random()) >> (random() % 32)));
}

// ---- binary16 ----------------------------------------------------------------------------------------------------------
std::uint32_t host_half(std::uint32_t a) {
  const float x = to_float(a);
  return std::isnan(x) ? 0x7e00 : std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
}

TEST(Half, UnpackEveryOne) {
  for (std::uint32_t h = 0; h < 0x1'0000; ++h) {
    const float x = static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(h)));
    const std::uint32_t expected = std::isnan(x) ? QUIET_NAN : to_bits(x);
    ASSERT_EQ(model::unpack_half_low(h | 0xabcd'0000), expected) << std::hex << h;
    ASSERT_EQ(model::unpack_half_high((h << 16) | 0x1234), expected) << std::hex << h;
  }
}

TEST(Half, Pack) {
  std::mt19937 random(5);
  const auto check = [](std::uint32_t a, std::uint32_t b) {
    ASSERT_EQ(model::pack_half(a, b), host_half(a) | (host_half(b) << 16)) << std::hex << a << ' ' << b;
  };
  for (const auto a : corners()) check(a, ~a);
  // Around every half and every middle between two of them.
  for (std::uint32_t h = 0; h < 0x7c00; ++h) {
    const std::uint32_t here = model::unpack_half_low(h), next = model::unpack_half_low(h + 1 < 0x7c00 ? h + 1 : h);
    const std::uint32_t middle = to_bits((to_float(here) + to_float(next)) / 2);
    for (std::uint32_t d = 0; d < 3; ++d) {
      check(here + d - 1, middle + d - 1);
      check((middle + d - 1) | 0x8000'0000, here + d - 1);
    }
  }
  for (int i = 0; i < SAMPLES && !HasFatalFailure(); ++i) check(random(), (random() & 0x807f'ffff) | ((100 + random() % 50) << 23));
}

// ---- bits --------------------------------------------------------------------------------------------------------------
TEST(Bits, AgainstOneBitAtATime) {
  std::mt19937 random(6);
  for (int i = 0; i < SAMPLES; ++i) {
    std::uint32_t a = i < 2 ? 0U - static_cast<std::uint32_t>(i) : random() >> (random() % 32);
    if (i % 3 == 0) a = ~a;
    std::uint32_t reversed = 0, count = 0, lowest = 0xffff'ffff, highest = 0xffff'ffff, highest_clear = 0xffff'ffff;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      if ((a >> bit) & 1) {
        reversed |= 1U << (31 - bit);
        ++count;
        if (lowest == 0xffff'ffff) lowest = bit;
        highest = bit;
      } else {
        highest_clear = bit;
      }
    }
    ASSERT_EQ(model::bit_reverse(a), reversed) << std::hex << a;
    ASSERT_EQ(model::bit_count(a), count) << std::hex << a;
    ASSERT_EQ(model::find_lsb(a), lowest) << std::hex << a;
    ASSERT_EQ(model::find_msb_u32(a), highest) << std::hex << a;
    ASSERT_EQ(model::find_msb_s32(a), (a >> 31) != 0 ? highest_clear : highest) << std::hex << a;
  }
}

}  // namespace
}  // namespace maskwork::test
