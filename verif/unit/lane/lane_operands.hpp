// Operands for the lane tests: corner values and random values weighted towards hard cases.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "lane_reference.hpp"

namespace maskwork::lane_test {

/// One value or more of each class: zeros, denormals, smallest normal, around 1, 2^23, 2^31, 2^32, largest, infinities, NaNs.
/// The first 18 are enough for triples.
inline constexpr std::array<uint32_t, 40> corners{
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800001, 0x3f000000, 0x4b000001, 0xcf000000,
    0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffa00001, 0xffffffff, 0x7fffffff, 0x33800000,
    0x80000001, 0x00400000, 0x80800000, 0x3f7fffff, 0xbf800000, 0x3fc00000, 0x40200000, 0xbf000000, 0xcb000000, 0x4b7fffff,
    0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0xff7fffff, 0x7f800001, 0x00000020, 0x0000001f, 0x55555555, 0x00010000,
    0xfffffff0, 0x41000001};
inline constexpr std::size_t triple_corners = 18;

class OperandSource {
 public:
  explicit OperandSource(uint64_t seed) : random_(seed) {}

  uint32_t bits(unsigned n = 32) { return static_cast<uint32_t>(random_() >> (64 - n)); }
  bool one_in(unsigned n) { return random_() % n == 0; }

  Operands floats(bool fused) {
    Operands in;
    const int pivot = one_in(4) ? static_cast<int>(bits(3)) : one_in(8) ? 250 : static_cast<int>(random_() % 200 + 28);
    in.a = near(pivot);
    in.b = near(fused ? 127 + static_cast<int>(random_() % 41) - 20 : pivot);
    in.c = near(pivot);
    switch (random_() % 6) {
      case 0: {  // cancellation to a few units
        const float a = std::bit_cast<float>(in.a), b = std::bit_cast<float>(in.b);
        in.c = (std::bit_cast<uint32_t>(a * b) ^ 0x80000000u) + bits(3) - 4;
        if (!fused) in.b = (in.a ^ 0x80000000u) + bits(4) - 8;
        break;
      }
      case 1:  // unrelated
        in = {bits(), bits(), bits()};
        break;
      case 2:
        if (one_in(2)) in.a = corners[random_() % corners.size()];
        if (one_in(2)) in.b = corners[random_() % corners.size()];
        if (one_in(2)) in.c = corners[random_() % corners.size()];
        break;
      default: break;
    }
    return flags(in);
  }

  Operands integers() {
    Operands in;
    for (uint32_t* x : {&in.a, &in.b, &in.c}) {
      switch (random_() % 5) {
        case 0: *x = bits(1 + random_() % 32); break;
        case 1: *x = ~bits(1 + random_() % 32); break;
        case 2: *x = corners[random_() % corners.size()]; break;
        default: *x = bits(); break;
      }
    }
    if (one_in(8)) in.b = in.a + bits(2) - 1;
    if (one_in(4)) in.b = bits(6);  // shift counts
    return flags(in);
  }

  /// For conversions: the binary point at every place, ties, and integers with long runs.
  Operands convertible(bool from_float) {
    Operands in;
    if (from_float) {
      in.a = mantissa() | static_cast<uint32_t>(random_() % 64 + 120) << 23 | bits(1) << 31;
      if (one_in(8)) in.a = bits();
    } else {
      in.a = (mantissa() | 0x800000u) << (random_() % 9) >> (random_() % 24);
      if (one_in(2)) in.a = 0u - in.a;
      if (one_in(4)) in.a = bits();
    }
    return flags(in);
  }

 private:
  Operands flags(Operands in) {
    in.cf = bits(1);
    in.zf = bits(1);
    return in;
  }
  uint32_t mantissa() {
    switch (random_() % 4) {
      case 0: return bits(23) & (0xffffffffu << (random_() % 24)) & 0x7fffff;  // ends in zeros
      case 1: return (bits(23) | ~(0xffffffffu << (random_() % 24))) & 0x7fffff;  // ends in ones
      default: return bits(23);
    }
  }
  uint32_t near(int exponent) {
    int e = exponent + static_cast<int>(random_() % 61) - 30;
    if (one_in(16)) e = 0;
    e = e < 0 ? 0 : e > 255 ? 254 : e;
    return bits(1) << 31 | static_cast<uint32_t>(e) << 23 | mantissa();
  }

  std::mt19937_64 random_;
};

}  // namespace maskwork::lane_test
