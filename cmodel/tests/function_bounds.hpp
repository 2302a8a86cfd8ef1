// What docs/functions.md promises of RSQ, EX2, LG2, SIN and COS, as a judgement of one result against the exact value.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "functions.hpp"

namespace maskwork::test {

enum class Function { RSQ, EX2, LG2, SIN, COS };

struct FunctionEntry {
  std::string_view name;
  Function function;
  std::uint32_t (*compute)(std::uint32_t);
};

inline constexpr FunctionEntry FUNCTIONS[] = {
    {"rsq", Function::RSQ, model::rsq},   {"ex2", Function::EX2, model::ex2},      {"lg2", Function::LG2, model::lg2},
    {"sin", Function::SIN, model::sine}, {"cos", Function::COS, model::cosine},
};

inline float to_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t to_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

constexpr std::uint32_t QUIET_NAN = 0x7fc0'0000;
constexpr std::uint32_t POSITIVE_INF = 0x7f80'0000;
constexpr std::uint32_t NEGATIVE_INF = 0xff80'0000;
constexpr std::uint32_t ONE_BITS = 0x3f80'0000;

/// Operands whose result is one constant, which it puts into `result`.
inline bool special_operand(Function f, std::uint32_t a, std::uint32_t& result) {
  const float x = to_float(a);
  if (std::isnan(x)) {
    result = QUIET_NAN;
    return true;
  }
  switch (f) {
    case Function::RSQ:
      if (x == 0) result = std::signbit(x) ? NEGATIVE_INF : POSITIVE_INF;
      else if (x < 0) result = QUIET_NAN;
      else if (std::isinf(x)) result = 0;
      else return false;
      return true;
    case Function::EX2:
      if (x == 0) result = ONE_BITS;
      else if (x >= 128) result = POSITIVE_INF;
      else if (x <= -150) result = 0;
      else return false;
      return true;
    case Function::LG2:
      if (x == 0) result = NEGATIVE_INF;
      else if (x < 0) result = QUIET_NAN;
      else if (std::isinf(x)) result = POSITIVE_INF;
      else return false;
      return true;
    case Function::SIN:
      if (std::isinf(x)) result = QUIET_NAN;
      else if (std::fabs(x) < 0x1p-12F) result = a;
      else if (std::fabs(x) >= 0x1p20F) result = a & 0x8000'0000;
      else return false;
      return true;
    case Function::COS:
      if (std::isinf(x)) result = QUIET_NAN;
      else if (std::fabs(x) < 0x1p-12F || std::fabs(x) >= 0x1p20F) result = ONE_BITS;
      else return false;
      return true;
  }
  return false;
}

/// The operand's exact result is a number of the format that the function must hit.
inline bool must_be_exact(Function f, std::uint32_t a) {
  const std::uint32_t fraction = a & 0x7f'ffff;
  const bool power_of_two = (a >> 23) != 0 ? fraction == 0 : std::has_single_bit(fraction);
  switch (f) {
    case Function::RSQ: return power_of_two && std::ilogb(to_float(a)) % 2 == 0;
    case Function::EX2: return std::trunc(to_float(a)) == to_float(a);
    case Function::LG2: return power_of_two;
    default: return false;
  }
}

/// The error of a result, as a multiple of what is allowed; `exact` may be wrong by 2^-50 of itself. A result that breaks another
/// promise (exactness, |sine| <= 1, the form of a number) has error 1000. Not for special operands.
inline double judge(Function f, std::uint32_t a, std::uint32_t result, double exact) {
  constexpr double BROKEN = 1000;
  double value = static_cast<double>(to_float(result));
  if (std::isnan(value)) return BROKEN;
  if (f == Function::SIN || f == Function::COS) {
    if (std::fabs(value) > 1) return BROKEN;
    const double x = std::fabs(static_cast<double>(to_float(a)));
    return std::fabs(value - exact) / (x < 8 ? 0x1p-22 : 0x1p-22 + x * 0x1p-29);
  }
  if (std::isinf(value)) value = std::copysign(0x1p128, value);
  if (must_be_exact(f, a)) return value == exact ? 0 : BROKEN;
  if (std::signbit(value) != std::signbit(exact)) return BROKEN;
  const double x = static_cast<double>(to_float(a));
  const bool absolute = f == Function::LG2 && x >= 0.5 && x <= 2;
  const double unit = absolute ? 0x1p-23 : std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
  return std::fabs(value - exact) / unit;
}

}  // namespace maskwork::test
