#include "soft_float.hpp"

namespace maskwork::soft {

namespace {

using u128 = unsigned __int128;

/// A finite value: mantissa * 2^exponent.
struct Parts {
  bool negative;
  uint64_t mantissa;
  int exponent;
};

Parts take_apart(uint32_t v) {
  const auto e = static_cast<int>((v >> 23) & 255);
  const uint64_t fraction = v & 0x7fffffu;
  if (e == 0) return {(v >> 31) != 0, fraction, -149};
  return {(v >> 31) != 0, fraction + 0x800000u, e - 150};
}

uint32_t infinity(bool negative) { return negative ? 0xff800000u : 0x7f800000u; }
uint32_t zero(bool negative) { return negative ? 0x80000000u : 0; }

/// Rounds magnitude * 2^exponent to nearest even; the lowest bit of the magnitude may stand for anything below it.
uint32_t round(bool negative, u128 magnitude, int exponent) {
  int top = 127;
  while (((magnitude >> top) & 1) == 0) --top;
  // Weight of the result's last place: 24 bits, but not below the denormals'.
  int last = top + exponent - 23;
  if (last < -149) last = -149;
  const int drop = last - exponent;
  uint64_t mantissa;
  if (drop <= 0) {
    mantissa = static_cast<uint64_t>(magnitude) << -drop;
  } else if (drop > 127) {
    mantissa = 0;  // far below half of the least denormal
  } else {
    mantissa = static_cast<uint64_t>(magnitude >> drop);
    const u128 rest = magnitude & ((u128{1} << drop) - 1);
    const u128 half = u128{1} << (drop - 1);
    if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
  }
  if (mantissa == uint64_t{1} << 24) {
    mantissa >>= 1;
    ++last;
  }
  if (mantissa < uint64_t{1} << 23) return zero(negative) | static_cast<uint32_t>(mantissa);  // denormal or zero: last is -149
  if (last + 150 >= 255) return infinity(negative);
  return zero(negative) | static_cast<uint32_t>(last + 150) << 23 | static_cast<uint32_t>(mantissa & 0x7fffffu);
}

}  // namespace

uint32_t mul(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return nan;
  const bool negative = ((a ^ b) >> 31) != 0;
  if (is_inf(a) || is_inf(b)) return is_zero(a) || is_zero(b) ? nan : infinity(negative);
  const Parts x = take_apart(a), y = take_apart(b);
  const u128 product = u128{x.mantissa} * y.mantissa;
  return product == 0 ? zero(negative) : round(negative, product, x.exponent + y.exponent);
}

uint32_t add(uint32_t a, uint32_t b) { return fma(a, 0x3f800000u, b); }

uint32_t fma(uint32_t a, uint32_t b, uint32_t c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return nan;
  const bool product_negative = ((a ^ b) >> 31) != 0;
  const bool c_negative = (c >> 31) != 0;
  if (is_inf(a) || is_inf(b)) {
    if (is_zero(a) || is_zero(b)) return nan;
    if (is_inf(c) && c_negative != product_negative) return nan;
    return infinity(product_negative);
  }
  if (is_inf(c)) return c;
  const Parts x = take_apart(a), y = take_apart(b), z = take_apart(c);
  const u128 product = u128{x.mantissa} * y.mantissa;
  const int exponent = x.exponent + y.exponent;
  if (product == 0 && z.mantissa == 0) return zero(product_negative && c_negative);
  if (product == 0) return c;
  if (z.mantissa == 0) return round(product_negative, product, exponent);
  // Bring both to one exponent. A part too far below only leaves a one in the last place of the other.
  u128 p = product, q = z.mantissa;
  int common;
  const auto shrink = [](u128 v, int by) -> u128 { return by > 100 ? 1 : ((v >> by) | ((v & ((u128{1} << by) - 1)) != 0 ? 1 : 0)); };
  const int apart = exponent - z.exponent;
  if (apart >= 0) {
    const int left = apart > 72 ? 72 : apart;
    p <<= left;
    q = shrink(q, apart - left);
    common = exponent - left;
  } else {
    const int left = -apart > 96 ? 96 : -apart;
    q <<= left;
    p = shrink(p, -apart - left);
    common = z.exponent - left;
  }
  if (product_negative == c_negative) return round(c_negative, p + q, common);
  if (p == q) return 0;
  return p > q ? round(product_negative, p - q, common) : round(c_negative, q - p, common);
}

}  // namespace maskwork::soft
