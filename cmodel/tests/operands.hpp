#pragma once
// Operands for arithmetic tests: corner values of every class, and random ones weighted towards what breaks adders.
#include <array>
#include <cstdint>

namespace maskwork::test {

/// At least one value of each class: zeros, denormals (least, largest), least and largest normals, one and its neighbours, values
/// that tie, large and small powers, infinities, quiet and signalling NaNs with payload.
inline constexpr std::array<uint32_t, 34> float_corners{
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f800001,
    0x3f7fffff, 0xbf7fffff, 0x3f000000, 0x40000000, 0x40400000, 0x4b000000, 0x4b000001, 0x4b800000, 0xcb800001, 0x33800000, 0x34000000, 0x1f800000,
    0x5f7fffff, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x7fffffff};

inline constexpr std::array<uint32_t, 22> int_corners{0,          1,          2,          3,          31,         32,         33,         255,
                                                      0x7ffe,     0xffff,     0x10000,    0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x80000002,
                                                      0xaaaaaaaa, 0x55555555, 0xfffffffd, 0xfffffffe, 0xffffffff, 0xffff0000};

/// Deterministic random numbers; small, so that a test does ten million of them.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const uint64_t x = state_ ^ (state_ >> 29);
    return static_cast<uint32_t>((x * 0x9e3779b97f4a7c15u) >> 32);
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((uint64_t{next()} * n) >> 32); }

 private:
  uint64_t state_;
};

/// A mantissa that is random, all ones, one bit, or a run of ones: rounding depends on such shapes.
inline uint32_t mantissa(Random& r) {
  switch (r.below(5)) {
    case 0: return 0x7fffffu >> r.below(24);
    case 1: return 0x7fffffu & (0x7fffffu << r.below(24));
    case 2: return 1u << r.below(23);
    default: return r.next() & 0x7fffffu;
  }
}

inline uint32_t make_float(Random& r, int exponent) {
  if (exponent < 0) exponent = 0;
  if (exponent > 254) exponent = 254;
  return (r.next() & 0x80000000u) | static_cast<uint32_t>(exponent) << 23 | mantissa(r);
}

/// a, b, c of an FMA by class: c near the product (cancellation, ties), exponents within 30, denormal results, anything, corners.
inline std::array<uint32_t, 3> fma_operands(Random& r) {
  const uint32_t kind = r.below(16);
  if (kind == 0) return {r.next(), r.next(), r.next()};
  if (kind == 1) {
    const auto pick = [&r] { return float_corners[r.below(float_corners.size())]; };
    return {r.below(2) ? pick() : r.next(), pick(), r.below(2) ? pick() : r.next()};
  }
  if (kind == 2 || kind == 3) {  // results around the denormals
    const int ea = static_cast<int>(r.below(127)), eb = 127 - ea - 30 + static_cast<int>(r.below(34));
    return {make_float(r, ea), make_float(r, eb), make_float(r, static_cast<int>(r.below(30)))};
  }
  const int ea = 90 + static_cast<int>(r.below(74)), eb = 90 + static_cast<int>(r.below(74));
  const int product = ea + eb - 127;
  const int spread = kind < 9 ? 2 : 30;
  const uint32_t a = make_float(r, ea), b = make_float(r, eb);
  if (kind == 4) {  // the addend is the product's negative, or a last place beside it
    const float p = __builtin_bit_cast(float, a) * __builtin_bit_cast(float, b);
    return {a, b, (__builtin_bit_cast(uint32_t, p) ^ 0x80000000u) + r.below(3) - 1};
  }
  return {a, b, make_float(r, product - spread + static_cast<int>(r.below(2 * static_cast<uint32_t>(spread) + 1)))};
}

/// a, b of an addition.
inline std::array<uint32_t, 2> add_operands(Random& r) {
  const uint32_t kind = r.below(8);
  if (kind == 0) return {r.next(), r.next()};
  if (kind == 1) return {float_corners[r.below(float_corners.size())], r.next()};
  const int ea = kind == 2 ? static_cast<int>(r.below(30)) : 1 + static_cast<int>(r.below(253));
  const int spread = kind < 5 ? 2 : 30;
  return {make_float(r, ea), make_float(r, ea - spread + static_cast<int>(r.below(2 * static_cast<uint32_t>(spread) + 1)))};
}

}  // namespace maskwork::test
