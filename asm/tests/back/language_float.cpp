// Float instructions and packing.
#include <cmath>

#include "../../../cmodel/src/functions.hpp"
#include "language_parts.hpp"

namespace maskwork::test {

using namespace ast;

namespace {

float half_value(uint32_t h) {
  const uint32_t e = (h >> 10) & 31, m = h & 1023;
  const float sign = (h >> 15) & 1 ? -1.0f : 1.0f;
  if (e == 31) return m != 0 ? std::nanf("") : sign * INFINITY;
  return sign * static_cast<float>(e == 0 ? std::ldexp(m, -24) : std::ldexp(1024 + m, static_cast<int>(e) - 25));
}

uint32_t to_half(float v) {
  if (std::isnan(v)) return 0x7e00;
  const uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  const double a = std::fabs(static_cast<double>(v));
  if (a >= 65520.0) return sign | 0x7c00;
  int e = a == 0 ? -14 : std::ilogb(a);
  if (e < -14) e = -14;
  const double q = std::nearbyint(std::ldexp(a, 10 - e));  // exact scaling, one rounding
  return sign | static_cast<uint32_t>((e + 14) * 1024 + static_cast<int64_t>(q));
}

}  // namespace

bool compute_float(const Instruction& in, unsigned c, const Reader& r, Computed& out) {
  const auto x = [&](unsigned operand, unsigned component) { return number(static_cast<uint32_t>(r.read(operand, component))); };
  const auto raw = [&](unsigned operand, unsigned component) { return static_cast<uint32_t>(r.read(operand, component)); };
  const auto give = [&](float v) {
    out.value = pattern(v);
    return true;
  };
  const auto dot = [&](unsigned n) {
    float s = x(0, 0) * x(1, 0);
    for (unsigned k = 1; k < n; ++k) s = std::fmaf(x(0, k), x(1, k), s);
    return s;
  };
  const auto undefined = [&] {
    out.undefined = true;
    return true;
  };
  const auto bits_of = [&](uint32_t v) {
    out.value = v;
    return true;
  };
  /// PK: clamped, scaled, rounded to nearest even.
  const auto packed = [&](unsigned component, double low, double scale, double offset) {
    const float v = x(0, component);
    const double clamped = std::isnan(v) ? low : std::min(1.0, std::max(low, static_cast<double>(v)));
    return static_cast<uint32_t>(std::nearbyint(clamped * scale + offset));
  };
  switch (in.opcode) {
    case Opcode::DP2: return give(dot(2));
    case Opcode::DP2A: return give(dot(2) + x(2, 0));
    case Opcode::DP3: return give(dot(3));
    case Opcode::DP4: return give(dot(4));
    case Opcode::DPH: return give(dot(3) + x(1, 3));
    case Opcode::DST:
      if (c == 1) return give(x(0, 1) * x(1, 1));
      return bits_of(c == 0 || c == 3 ? (c == 0 ? pattern(1.0f) : raw(1, 3)) : raw(0, 2));
    case Opcode::LIT: {
      if (c == 0 || c == 3) return give(1.0f);
      const float diffuse = x(0, 0) > 0 ? x(0, 0) : 0.0f;
      if (c == 1) return give(diffuse);
      if (!(x(0, 0) > 0)) return give(0.0f);
      const float base = x(0, 1) > 0 ? x(0, 1) : 0.0f;
      const float limit = 128.0f - 1.0f / 256.0f;
      const float w = x(0, 3);
      const float exponent = !(w > -limit) ? -limit : w > limit ? limit : w;
      if (exponent == 0) return give(1.0f);
      return bits_of(model::ex2(pattern(number(model::lg2(pattern(base))) * exponent)));
    }
    case Opcode::LRP: return give(std::fmaf(x(0, c), x(1, c), (1.0f - x(0, c)) * x(2, c)));
    case Opcode::NRM: {
      if (c == 3) return undefined();
      const float square = std::fmaf(x(0, 2), x(0, 2), std::fmaf(x(0, 1), x(0, 1), x(0, 0) * x(0, 0)));
      return give(x(0, c) * number(model::rsq(pattern(square))));
    }
    case Opcode::RFL: {
      if (c == 3) return undefined();
      const float axis = std::fmaf(x(0, 2), x(0, 2), std::fmaf(x(0, 1), x(0, 1), x(0, 0) * x(0, 0)));
      const float along = 2.0f * std::fmaf(x(0, 2), x(1, 2), std::fmaf(x(0, 1), x(1, 1), x(0, 0) * x(1, 0)));
      return give(std::fmaf(along / axis, x(0, c), -x(1, c)));
    }
    case Opcode::XPD: {
      if (c == 3) return undefined();
      const unsigned i = (c + 1) % 3, j = (c + 2) % 3;
      return give(std::fmaf(x(0, i), x(1, j), -(x(0, j) * x(1, i))));
    }
    case Opcode::X2D: {
      const unsigned k = c & 1;
      return give(std::fmaf(x(1, 1), x(2, 2 * k + 1), std::fmaf(x(1, 0), x(2, 2 * k), x(0, k))));
    }
    case Opcode::SSG: return give(x(0, c) > 0 ? 1.0f : x(0, c) < 0 ? -1.0f : 0.0f);
    case Opcode::SWZ: {
      using Source = SwzSelector::Source;
      const SwzSelector& s = in.selectors[c];
      const uint32_t v = s.source == Source::zero ? 0 : s.source == Source::one ? pattern(1.0f) : raw(0, static_cast<unsigned>(s.source));
      return bits_of(s.negate ? v ^ 0x80000000u : v);
    }
    case Opcode::RCP: return give(1.0f / x(0, 0));
    case Opcode::RCC: {
      const float v = x(0, 0);
      if (std::isnan(v)) return bits_of(kNotANumber);
      const float q = std::fabs(1.0f / v);
      return give(std::copysign(std::min(std::ldexp(1.0f, 64), std::max(std::ldexp(1.0f, -64), q)), v));
    }
    case Opcode::RSQ: return bits_of(model::rsq(raw(0, 0)));
    case Opcode::EX2: return bits_of(model::ex2(raw(0, 0)));
    case Opcode::LG2: return bits_of(model::lg2(raw(0, 0)));
    case Opcode::SIN: return bits_of(model::sine(raw(0, 0)));
    case Opcode::COS: return bits_of(model::cosine(raw(0, 0)));
    case Opcode::SCS: return c > 1 ? undefined() : bits_of(c == 0 ? model::cosine(raw(0, 0)) : model::sine(raw(0, 0)));
    case Opcode::POW: return bits_of(model::ex2(pattern(number(model::lg2(raw(0, 0))) * x(1, 0))));
    case Opcode::PK2H: return bits_of(to_half(x(0, 0)) | to_half(x(0, 1)) << 16);
    case Opcode::PK2US: return bits_of(packed(0, 0, 65535, 0) | packed(1, 0, 65535, 0) << 16);
    case Opcode::PK4UB: return bits_of(packed(0, 0, 255, 0) | packed(1, 0, 255, 0) << 8 | packed(2, 0, 255, 0) << 16 | packed(3, 0, 255, 0) << 24);
    case Opcode::PK4B: {
      const double low = -128.0 / 127.0;
      return bits_of(packed(0, low, 127, 128) | packed(1, low, 127, 128) << 8 | packed(2, low, 127, 128) << 16 | packed(3, low, 127, 128) << 24);
    }
    case Opcode::UP2H: return give(half_value(raw(0, 0) >> (16 * (c & 1))));
    case Opcode::UP2US: return give(static_cast<float>(((raw(0, 0) >> (16 * (c & 1))) & 0xffff) / 65535.0));
    case Opcode::UP4UB: return give(static_cast<float>(((raw(0, 0) >> (8 * c)) & 0xff) / 255.0));
    case Opcode::UP4B: return give(static_cast<float>((static_cast<int>((raw(0, 0) >> (8 * c)) & 0xff) - 128) / 127.0));
    default: return false;
  }
}

}  // namespace maskwork::test
