// The reference of docs/functions.md: the same integers, step by step, as the RTL has them.
#include "functions.hpp"

#include "maskwork/function_tables.hpp"

#include <bit>

namespace maskwork::model {
namespace {

using namespace maskwork::functions;

constexpr std::uint32_t SIGN = 0x8000'0000;
constexpr std::uint32_t INF = 0x7f80'0000;
constexpr std::uint32_t QUIET_NAN = 0x7fc0'0000;
constexpr std::uint32_t ONE = 0x3f80'0000;
constexpr int BIAS = 127;
constexpr int V_BITS = 33;

constexpr std::uint32_t magnitude(std::uint32_t a) { return a & ~SIGN; }
constexpr bool is_nan(std::uint32_t a) { return magnitude(a) > INF; }
constexpr std::uint64_t low_bits(int n) { return (std::uint64_t{1} << n) - 1; }

// Step 1: |a| = mantissa * 2^(exponent - 23) with bit 23 set; not for zeros, infinities and NaNs.
struct Unpacked {
  int exponent;
  std::uint32_t mantissa;
};

constexpr Unpacked unpack(std::uint32_t a) {
  const int field = static_cast<int>(magnitude(a) >> 23);
  const std::uint32_t fraction = a & 0x7f'ffff;
  if (field != 0) return {field - BIAS, fraction | 0x80'0000};
  const int shift = std::countl_zero(fraction) - 8;
  return {1 - BIAS - shift, fraction << shift};
}

// Step 5: v of 33 bits, whose top bit is worth 2^exponent; bit 0 may stand for more bits below.
constexpr std::uint32_t round_pack(std::uint32_t sign, std::uint64_t v, int exponent) {
  if (v >> 1 == 0) return sign;
  const int zeros = std::countl_zero(v) - (64 - V_BITS);
  v <<= zeros;
  exponent -= zeros;
  std::uint32_t base = 0;  // what the mantissa's leading one is added to
  if (exponent >= 1 - BIAS) {
    if (exponent > BIAS) return sign | INF;
    base = static_cast<std::uint32_t>(exponent + BIAS - 1) << 23;
  } else {
    const int shift = 1 - BIAS - exponent;
    v = shift > 25 ? 1 : (v >> shift) | ((v & low_bits(shift)) != 0);
  }
  constexpr int GRID = V_BITS - 24;
  const std::uint32_t m = static_cast<std::uint32_t>(v >> GRID);
  const std::uint32_t rest = static_cast<std::uint32_t>(v & low_bits(GRID));
  constexpr std::uint32_t HALF = 1U << (GRID - 1);
  const bool up = rest > HALF || (rest == HALF && (m & 1) != 0);
  return sign | (base + m + up);
}

// Step 3.
constexpr std::int64_t split_product(std::int64_t a, int low, std::int64_t th, std::int64_t tl, int shift) {
  const std::int64_t high = a >> low;
  const std::int64_t rest = a & static_cast<std::int64_t>(low_bits(low));
  const int grid = shift - GUARD_BITS;
  return (((high * th) >> (grid - low)) + ((rest * th) >> grid) + ((high * tl) >> (grid - low + TL_BITS))) >> GUARD_BITS;
}

std::uint64_t polynomial(int row, std::int64_t t) {
  const std::int32_t* c = TABLE[static_cast<std::size_t>(row)].c;
  const std::int64_t th = t >> TL_BITS;
  const std::int64_t tl = t & static_cast<std::int64_t>(low_bits(TL_BITS));
  const std::int64_t t4 = c[4] + ((c[5] * th) >> SHIFT_4);
  const std::int64_t t3 = c[3] + ((t4 * th) >> SHIFT_3);
  const std::int64_t t2 = c[2] + ((t3 * th) >> SHIFT_2);
  const std::int64_t t1 = c[1] + split_product(t2, T2_LOW_BITS, th, tl, SHIFT_1);
  return static_cast<std::uint64_t>(c[0] + split_product(t1, T1_LOW_BITS, th, tl, SHIFT_0));
}

// t from an unsigned fraction of the given number of bits: its middle is t = 0.
constexpr std::int64_t centred(std::uint32_t fraction, int bits) {
  return (static_cast<std::int64_t>(fraction) - (std::int64_t{1} << (bits - 1))) << (T_BITS - bits);
}

constexpr std::uint64_t align(std::uint64_t t0) { return t0 << (V_BITS - T0_BITS); }

std::uint32_t sine_cosine(std::uint32_t a, bool cosine) {
  const std::uint32_t size = magnitude(a);
  if (size >= INF) return QUIET_NAN;
  const std::uint32_t sign = cosine ? 0 : a & SIGN;
  const int exponent = static_cast<int>(size >> 23) - BIAS;  // denormals and zeros are tiny
  if (exponent < EXP_TINY) return cosine ? ONE : a;
  if (exponent > EXP_HUGE) return cosine ? ONE : sign;
  const std::uint64_t mantissa = (a & 0x7f'ffff) | 0x80'0000;
  constexpr std::uint64_t C_HIGH = TWO_OVER_PI >> 18;
  constexpr std::uint64_t C_LOW = TWO_OVER_PI & low_bits(18);
  const std::uint64_t m_high = mantissa >> 6;
  const std::uint64_t m_low = mantissa & 63;
  const std::uint64_t q = ((m_high * C_HIGH >> 2) + (m_high * C_LOW >> 20) + (m_low * C_HIGH >> 8)) >> 2;
  const std::uint64_t turned = (q << 14) >> (EXP_HUGE - exponent);
  const unsigned quadrant = static_cast<unsigned>(turned >> U_FRAC) + cosine;
  std::uint32_t u = static_cast<std::uint32_t>(turned & low_bits(U_FRAC));
  if (quadrant & 1) u ^= static_cast<std::uint32_t>(low_bits(U_FRAC));
  const std::uint32_t half = u >> (U_FRAC - 1);
  const std::uint64_t t0 = polynomial(ROW_SIN + static_cast<int>(half), centred(u & low_bits(U_FRAC - 1), U_FRAC - 1));
  const std::uint32_t result_sign = sign ^ (quadrant & 2 ? SIGN : 0);
  if (t0 >> (T0_BITS - 3) != 0) return result_sign | ONE;
  return round_pack(result_sign, align(t0), 2);
}

constexpr std::uint32_t negate_if(std::uint32_t a, bool negative) { return negative ? 0U - a : a; }

std::uint32_t to_half(std::uint32_t a) {
  const std::uint32_t sign = (a >> 16) & 0x8000;
  const std::uint32_t size = magnitude(a);
  if (size > INF) return 0x7e00;
  if (size >= 0x477f'f000) return sign | 0x7c00;  // 65520
  const int exponent = static_cast<int>(size >> 23) - BIAS;
  if (exponent < -25) return sign;
  const std::uint32_t mantissa = (size & 0x7f'ffff) | 0x80'0000;
  const int cut = exponent >= -14 ? 13 : -1 - exponent;  // bits below the result's last one
  const std::uint32_t m = mantissa >> cut;
  const std::uint32_t rest = mantissa & static_cast<std::uint32_t>(low_bits(cut));
  const std::uint32_t half = 1U << (cut - 1);
  const bool up = rest > half || (rest == half && (m & 1) != 0);
  const std::uint32_t base = exponent >= -14 ? static_cast<std::uint32_t>(exponent + 14) << 10 : 0;
  return sign | (base + m + up);
}

constexpr std::uint32_t from_half(std::uint32_t h) {
  const std::uint32_t sign = (h & 0x8000) << 16;
  const std::uint32_t field = (h >> 10) & 31;
  const std::uint32_t fraction = h & 0x3ff;
  if (field == 31) return fraction != 0 ? QUIET_NAN : sign | INF;
  if (field != 0) return sign | ((field + 112) << 23) | (fraction << 13);
  if (fraction == 0) return sign;
  const int shift = std::countl_zero(fraction) - 21;  // to bit 10
  return sign | (static_cast<std::uint32_t>(113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}

}  // namespace

std::uint32_t rcp(std::uint32_t a) { return div_f32(ONE, a); }

std::uint32_t div_f32(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t sign = (a ^ b) & SIGN;
  if (is_nan(a) || is_nan(b)) return QUIET_NAN;
  const std::uint32_t size_a = magnitude(a);
  const std::uint32_t size_b = magnitude(b);
  if (size_a == INF) return size_b == INF ? QUIET_NAN : sign | INF;
  if (size_b == INF) return sign;
  if (size_b == 0) return size_a == 0 ? QUIET_NAN : sign | INF;
  if (size_a == 0) return sign;
  const Unpacked x = unpack(a);
  const Unpacked y = unpack(b);
  const std::uint64_t dividend = std::uint64_t{x.mantissa} << 25;
  const std::uint64_t quotient = dividend / y.mantissa;
  const bool sticky = quotient * y.mantissa != dividend;
  return round_pack(sign, (quotient << 7) | (std::uint64_t{sticky} << 6), x.exponent - y.exponent);
}

std::uint32_t rsq(std::uint32_t a) {
  if (is_nan(a)) return QUIET_NAN;
  if (magnitude(a) == 0) return a | INF;
  if (a & SIGN) return QUIET_NAN;
  if (a == INF) return 0;
  const Unpacked x = unpack(a);
  const int row = ROW_RSQ + 4 * (x.exponent & 1) + static_cast<int>((x.mantissa >> 21) & 3);
  return round_pack(0, align(polynomial(row, centred(x.mantissa & 0x1f'ffff, 21))), -(x.exponent >> 1));
}

std::uint32_t lg2(std::uint32_t a) {
  if (is_nan(a)) return QUIET_NAN;
  if (magnitude(a) == 0) return SIGN | INF;
  if (a & SIGN) return QUIET_NAN;
  if (a == INF) return INF;
  const Unpacked x = unpack(a);
  const int row = ROW_LG2 + static_cast<int>((x.mantissa >> 21) & 3);
  const std::uint64_t fraction = polynomial(row, centred(x.mantissa & 0x1f'ffff, 21));
  const bool negative = x.exponent < 0;
  std::uint64_t value = (static_cast<std::uint64_t>(x.exponent & 0xff) << 27) | fraction;
  if (negative) value ^= low_bits(35);
  return round_pack(negative ? SIGN : 0, (value >> 3 << 1) | ((value & 7) != 0), 7);
}

std::uint32_t ex2(std::uint32_t a) {
  if (is_nan(a)) return QUIET_NAN;
  const bool negative = (a & SIGN) != 0;
  const int exponent = static_cast<int>(magnitude(a) >> 23) - BIAS;
  if (exponent >= 8) return negative ? 0 : INF;
  const std::uint64_t mantissa = (a & 0x7f'ffff) | 0x80'0000;  // of a denormal it does not matter: all is shifted out
  const int shift = 7 - exponent;
  std::uint64_t fixed = shift > 31 ? 0 : (mantissa << 10) >> shift;
  if (negative) fixed ^= low_bits(U_FRAC + 8);
  const int n = static_cast<int>(fixed >> U_FRAC) - (negative ? 256 : 0);
  const std::uint32_t u = static_cast<std::uint32_t>(fixed & low_bits(U_FRAC));
  const int row = ROW_EX2 + static_cast<int>(u >> (U_FRAC - 1));
  return round_pack(0, align(polynomial(row, centred(u & low_bits(U_FRAC - 1), U_FRAC - 1))), n + 1);
}

std::uint32_t sine(std::uint32_t a) { return sine_cosine(a, false); }
std::uint32_t cosine(std::uint32_t a) { return sine_cosine(a, true); }

std::uint32_t div_u32(std::uint32_t a, std::uint32_t b) { return b == 0 ? ~0U : a / b; }
std::uint32_t mod_u32(std::uint32_t a, std::uint32_t b) { return b == 0 ? ~0U : a % b; }

std::uint32_t div_s32(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0U;
  return negate_if(negate_if(a, a & SIGN) / negate_if(b, b & SIGN), (a ^ b) & SIGN);
}

std::uint32_t mod_s32(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0U;
  return negate_if(negate_if(a, a & SIGN) % negate_if(b, b & SIGN), a & SIGN);
}

std::uint32_t pack_half(std::uint32_t a, std::uint32_t b) { return to_half(a) | (to_half(b) << 16); }
std::uint32_t unpack_half_low(std::uint32_t a) { return from_half(a & 0xffff); }
std::uint32_t unpack_half_high(std::uint32_t a) { return from_half(a >> 16); }

std::uint32_t bit_reverse(std::uint32_t a) {
  a = ((a >> 1) & 0x5555'5555) | ((a & 0x5555'5555) << 1);
  a = ((a >> 2) & 0x3333'3333) | ((a & 0x3333'3333) << 2);
  a = ((a >> 4) & 0x0f0f'0f0f) | ((a & 0x0f0f'0f0f) << 4);
  a = ((a >> 8) & 0x00ff'00ff) | ((a & 0x00ff'00ff) << 8);
  return std::rotl(a, 16);
}

std::uint32_t bit_count(std::uint32_t a) { return static_cast<std::uint32_t>(std::popcount(a)); }
std::uint32_t find_lsb(std::uint32_t a) { return a == 0 ? ~0U : static_cast<std::uint32_t>(std::countr_zero(a)); }
std::uint32_t find_msb_u32(std::uint32_t a) { return a == 0 ? ~0U : 31U - static_cast<std::uint32_t>(std::countl_zero(a)); }
std::uint32_t find_msb_s32(std::uint32_t a) { return find_msb_u32(a & SIGN ? ~a : a); }

}  // namespace maskwork::model
