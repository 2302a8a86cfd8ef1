// The oracle against MPFR, which shares nothing with it.
#include "soft_float.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include "operands.hpp"

namespace maskwork::test {
namespace {

/// Binary32 arithmetic of MPFR: 24 bits, exponents of the format, denormals by subnormalize.
class Mpfr {
 public:
  Mpfr() {
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    for (auto* v : {&a_, &b_, &c_, &r_}) mpfr_init2(*v, 24);
  }
  ~Mpfr() {
    for (auto* v : {&a_, &b_, &c_, &r_}) mpfr_clear(*v);
  }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;

  uint32_t fma(uint32_t a, uint32_t b, uint32_t c) {
    set(a_, a);
    set(b_, b);
    set(c_, c);
    return finish(mpfr_fma(r_, a_, b_, c_, MPFR_RNDN));
  }
  uint32_t mul(uint32_t a, uint32_t b) {
    set(a_, a);
    set(b_, b);
    return finish(mpfr_mul(r_, a_, b_, MPFR_RNDN));
  }
  uint32_t add(uint32_t a, uint32_t b) {
    set(a_, a);
    set(b_, b);
    return finish(mpfr_add(r_, a_, b_, MPFR_RNDN));
  }

 private:
  static void set(mpfr_t v, uint32_t bits) { mpfr_set_flt(v, __builtin_bit_cast(float, bits), MPFR_RNDN); }
  uint32_t finish(int ternary) {
    ternary = mpfr_check_range(r_, ternary, MPFR_RNDN);
    mpfr_subnormalize(r_, ternary, MPFR_RNDN);
    return mpfr_nan_p(r_) ? soft::nan : __builtin_bit_cast(uint32_t, mpfr_get_flt(r_, MPFR_RNDN));
  }
  mpfr_t a_, b_, c_, r_;
};

TEST(SoftFloat, CornersAgreeWithMpfr) {
  Mpfr mpfr;
  for (const uint32_t a : float_corners)
    for (const uint32_t b : float_corners) {
      ASSERT_EQ(soft::mul(a, b), mpfr.mul(a, b)) << std::hex << a << " * " << b;
      ASSERT_EQ(soft::add(a, b), mpfr.add(a, b)) << std::hex << a << " + " << b;
      for (const uint32_t c : float_corners) ASSERT_EQ(soft::fma(a, b, c), mpfr.fma(a, b, c)) << std::hex << a << " * " << b << " + " << c;
    }
}

TEST(SoftFloat, RandomOperandsAgreeWithMpfr) {
  Mpfr mpfr;
  Random r(11);
  for (int n = 0; n < 300000; ++n) {
    const auto [a, b, c] = fma_operands(r);
    ASSERT_EQ(soft::fma(a, b, c), mpfr.fma(a, b, c)) << std::hex << a << " * " << b << " + " << c;
    const auto [x, y] = add_operands(r);
    ASSERT_EQ(soft::add(x, y), mpfr.add(x, y)) << std::hex << x << " + " << y;
    ASSERT_EQ(soft::mul(a, b), mpfr.mul(a, b)) << std::hex << a << " * " << b;
  }
}

}  // namespace
}  // namespace maskwork::test
