// Conversions and roundings, in exact integers.
#include <algorithm>
#include <limits>

#include "language_parts.hpp"

namespace maskwork::test {

using namespace ast;

namespace {

using Wide = __int128;

double round_to(Rounding r, double v) {
  switch (r) {
    case Rounding::ceil: return std::ceil(v);
    case Rounding::flr: return std::floor(v);
    case Rounding::trunc: return std::trunc(v);
    default: return std::nearbyint(v);
  }
}

/// Integer to float with a rounding.
float to_float(Wide v, Rounding r) {
  const float nearest = v < 0 ? static_cast<float>(static_cast<int64_t>(v)) : static_cast<float>(static_cast<uint64_t>(v));
  const Wide got = static_cast<Wide>(nearest);
  const float up = got < v ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
  const float down = got > v ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
  switch (r) {
    case Rounding::ceil: return up;
    case Rounding::flr: return down;
    case Rounding::trunc: return v < 0 ? up : down;
    default: return nearest;
  }
}

struct Limits {
  Wide low, high;
};
Limits limits(DataType t) {
  const unsigned n = bytes_of(t) * 8;
  if (base_of(t) == BaseType::u) return {0, (Wide{1} << n) - 1};
  return {-(Wide{1} << (n - 1)), (Wide{1} << (n - 1)) - 1};
}

uint64_t to_integer(float f, Rounding r, DataType t, bool saturate) {
  const double v = f;
  if (std::isnan(v)) return 0;
  const Limits l = limits(t);
  if (std::isinf(v)) return !saturate ? 0 : static_cast<uint64_t>(v > 0 ? l.high : l.low);
  const double whole = round_to(r, v);
  if (saturate) {
    if (whole >= std::ldexp(1.0, 100)) return static_cast<uint64_t>(l.high);
    if (whole <= -std::ldexp(1.0, 100)) return static_cast<uint64_t>(l.low);
    return static_cast<uint64_t>(std::min(l.high, std::max(l.low, static_cast<Wide>(whole))));
  }
  return static_cast<uint64_t>(static_cast<Wide>(std::fmod(whole, std::ldexp(1.0, 64))));
}

Wide integer(uint64_t v, DataType t) {
  const Wide whole = bytes_of(t) == 8 ? Wide{v} : Wide{static_cast<uint32_t>(v)};
  return whole > limits(t).high ? whole - (Wide{1} << (bytes_of(t) * 8)) : whole;
}

}  // namespace

bool compute_convert(const Instruction& in, unsigned c, const Reader& reader, Computed& out) {
  const DataType to = in.modifiers.type;
  const auto rounded = [&](Rounding r) {
    const uint32_t u = static_cast<uint32_t>(reader.read(0, c));
    if (base_of(to) != BaseType::f) out.value = to_integer(number(u), r, to, true);
    else out.value = std::isnan(number(u)) ? kNotANumber : pattern(std::copysign(static_cast<float>(round_to(r, number(u))), number(u)));
    return true;
  };
  switch (in.opcode) {
    case Opcode::FLR: return rounded(Rounding::flr);
    case Opcode::CEIL: return rounded(Rounding::ceil);
    case Opcode::TRUNC: return rounded(Rounding::trunc);
    case Opcode::ROUND: return rounded(Rounding::round);
    case Opcode::FRC: {
      const float v = number(static_cast<uint32_t>(reader.read(0, c)));
      const float r = v - std::floor(v);
      out.value = std::isnan(v) || std::isinf(v) ? kNotANumber : pattern(r >= 1.0f ? std::nextafter(1.0f, 0.0f) : r + 0.0f);
      return true;
    }
    case Opcode::I2F: out.value = pattern(to_float(integer(reader.read(0, c), to), Rounding::round)); return true;
    case Opcode::CVT: {
      const DataType from = in.modifiers.source;
      const uint64_t u = reader.read(0, c);
      const bool saturate = in.modifiers.clamp == Clamp::sat;
      if (base_of(from) == BaseType::f) {
        out.value = base_of(to) == BaseType::f ? pattern(number(static_cast<uint32_t>(u))) : to_integer(number(static_cast<uint32_t>(u)), in.modifiers.rounding, to, saturate);
      } else if (base_of(to) == BaseType::f) {
        out.value = pattern(to_float(integer(u, from), in.modifiers.rounding));
      } else {
        Wide v = integer(u, from);
        if (saturate) v = std::min(limits(to).high, std::max(limits(to).low, v));
        out.value = static_cast<uint64_t>(v);
      }
      return true;
    }
    default: return false;
  }
}

}  // namespace maskwork::test
