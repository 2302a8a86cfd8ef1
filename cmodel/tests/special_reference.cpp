#include "special_reference.hpp"

#include <mpfr.h>

#include <cmath>

#include "soft_float.hpp"

namespace maskwork::test {

namespace {

using isa::Op;
using isa::Type;

float as_float(uint32_t v) { return __builtin_bit_cast(float, v); }
uint32_t as_bits(float v) { return __builtin_bit_cast(uint32_t, v); }

/// a / b by MPFR: 24 bits, exponents of the format, denormals by subnormalize.
uint32_t quotient(uint32_t a, uint32_t b) {
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  mpfr_t x, y, r;
  for (auto* v : {&x, &y, &r}) mpfr_init2(*v, 24);
  mpfr_set_flt(x, as_float(a), MPFR_RNDN);
  mpfr_set_flt(y, as_float(b), MPFR_RNDN);
  int ternary = mpfr_div(r, x, y, MPFR_RNDN);
  ternary = mpfr_check_range(r, ternary, MPFR_RNDN);
  mpfr_subnormalize(r, ternary, MPFR_RNDN);
  const uint32_t bits = mpfr_nan_p(r) ? soft::nan : as_bits(mpfr_get_flt(r, MPFR_RNDN));
  for (auto* v : {&x, &y, &r}) mpfr_clear(*v);
  return bits;
}

/// The binary16 nearest to a float: the spacing around the value, and how often it fits.
uint32_t half_of(uint32_t v) {
  const uint32_t sign = v >> 31 << 15;
  if (soft::is_nan(v)) return 0x7e00;
  const double m = std::fabs(static_cast<double>(as_float(v)));
  if (m >= 65520.0) return sign | 0x7c00;  // from halfway between the largest and the next power on
  const int exponent = m < 0x1p-14 ? -14 : std::ilogb(m);
  double steps = std::nearbyint(std::ldexp(m, 10 - exponent));  // ties to even in the host's default rounding
  int e = exponent;
  if (steps == 2048) {
    steps = 1024;
    ++e;
  }
  const auto s = static_cast<uint32_t>(steps);
  return sign | (s < 1024 ? s : (static_cast<uint32_t>(e + 15) << 10) + s - 1024);
}

uint32_t float_of_half(uint32_t h) {
  const uint32_t e = (h >> 10) & 31, m = h & 1023;
  if (e == 31 && m != 0) return soft::nan;
  const double value = e == 31 ? INFINITY : e == 0 ? std::ldexp(m, -24) : std::ldexp(1024 + m, static_cast<int>(e) - 25);
  return as_bits(static_cast<float>((h >> 15) != 0 ? -value : value));
}

uint32_t integer_division(Op op, Type type, uint32_t a, uint32_t b) {
  if (b == 0) return 0xffffffffu;
  const bool is_signed = type == Type::S32;
  const int64_t x = is_signed ? int64_t{static_cast<int32_t>(a)} : int64_t{a}, y = is_signed ? int64_t{static_cast<int32_t>(b)} : int64_t{b};
  return static_cast<uint32_t>(op == Op::DIV ? x / y : x % y);
}

uint32_t position(Op op, Type type, uint32_t a) {
  const bool want = !(op == Op::BTFM && type == Type::S32 && static_cast<int32_t>(a) < 0);
  for (int n = 0; n < 32; ++n) {
    const int bit = op == Op::BTFL ? n : 31 - n;
    if ((((a >> bit) & 1) != 0) == want) return static_cast<uint32_t>(bit);
  }
  return 0xffffffffu;
}

uint32_t count(uint32_t a) {
  uint32_t n = 0;
  for (; a != 0; a /= 2) n += a % 2;
  return n;
}

uint32_t mirrored(uint32_t a) {
  uint32_t r = 0;
  for (int n = 0; n < 32; ++n, a /= 2) r = r * 2 + a % 2;
  return r;
}

}  // namespace

bool is_exact_function(Op op) {
  switch (op) {
    case Op::RCP: case Op::DIV: case Op::MOD: case Op::BFR: case Op::BTC: case Op::BTFL: case Op::BTFM: case Op::PKH: case Op::UPHL: case Op::UPHH: return true;
    default: return false;
  }
}

uint32_t function_expected(Op op, Type type, uint32_t a, uint32_t b) {
  switch (op) {
    case Op::RCP: return quotient(0x3f800000u, a);
    case Op::DIV: return type == Type::F32 ? quotient(a, b) : integer_division(op, type, a, b);
    case Op::MOD: return integer_division(op, type, a, b);
    case Op::BFR: return mirrored(a);
    case Op::BTC: return count(a);
    case Op::BTFL:
    case Op::BTFM: return position(op, type, a);
    case Op::PKH: return half_of(a) + half_of(b) * 65536;
    case Op::UPHL: return float_of_half(a % 65536);
    case Op::UPHH: return float_of_half(a / 65536);
    default: return 0;
  }
}

bool is_near_function(Op op) { return op == Op::RSQ || op == Op::EX2 || op == Op::LG2 || op == Op::SIN || op == Op::COS; }

bool function_near(Op op, uint32_t a, uint32_t got) {
  const double x = as_float(a), y = as_float(got);
  double want = 0, absolute = 0;
  switch (op) {
    case Op::RSQ: want = 1 / std::sqrt(x); break;
    case Op::EX2: want = std::exp2(x); break;
    case Op::LG2:
      want = std::log2(x);
      if (x >= 0.5 && x <= 2) absolute = 0x1p-23;
      break;
    case Op::SIN: want = std::sin(x); absolute = 0x1p-22; break;
    case Op::COS: want = std::cos(x); absolute = 0x1p-22; break;
    default: return false;
  }
  if (std::isnan(want)) return got == soft::nan;
  if (std::isinf(want)) return y == want;
  if (absolute == 0) {  // one unit of the last place of the result
    const double m = std::fabs(want);
    if (m > 0x1.fffffep127) return std::isinf(y) || std::fabs(y) >= 0x1.fffffep127;
    absolute = std::ldexp(1.0, (m < 0x1p-126 ? -126 : std::ilogb(m)) - 23);
  }
  return std::fabs(y - want) <= absolute;
}

uint32_t crosslane_expected(Op op, Type type, const WaveSources& s, uint32_t id) {
  const uint32_t yes = type == Type::F32 ? 0x3f800000u : 0xffffffffu;
  const auto executes = [&s](int64_t t) { return ((s.executing >> t) & 1) != 0; };
  int set = 0, clear = 0;
  uint32_t ballot = 0;
  for (int t = 0; t < 32; ++t) {
    if (!executes(t)) continue;
    const bool not_zero = type == Type::F32 ? as_float(s.a[static_cast<size_t>(t)]) != 0.0f : s.a[static_cast<size_t>(t)] != 0;
    (not_zero ? set : clear) += 1;
    if (not_zero) ballot += uint32_t{1} << t;
  }
  // Bounds of the segment: clamp in bits 4:0, segment mask in 12:8.
  const int64_t segment = s.c[id] / 256 % 32, clamp = s.c[id] % 32, b = s.b[id] % 32;
  const int64_t least = id & segment, most = least | (clamp & (31 - segment));
  int64_t source = 0;
  bool ok = false;
  switch (op) {
    case Op::TGALL: return clear == 0 ? yes : 0;
    case Op::TGANY: return set > 0 ? yes : 0;
    case Op::TGEQ: return clear == 0 || set == 0 ? yes : 0;
    case Op::TGBALLOT: return ballot;
    case Op::SHFIDX:
    case Op::RNGIDX:
      source = (b & (31 - segment)) | least;
      ok = source <= most;
      break;
    case Op::SHFUP:
    case Op::RNGUP:
      source = static_cast<int64_t>(id) - b;
      ok = source >= least;
      break;
    case Op::SHFDOWN:
    case Op::RNGDOWN:
      source = static_cast<int64_t>(id) + b;
      ok = source <= most;
      break;
    case Op::SHFXOR:
    case Op::RNGXOR:
      source = static_cast<int64_t>(id) ^ b;
      ok = source <= most;
      break;
    default: return 0;
  }
  ok = ok && source >= 0 && source < 32 && executes(source);
  const bool range_test = op == Op::RNGIDX || op == Op::RNGUP || op == Op::RNGDOWN || op == Op::RNGXOR;
  if (range_test) return ok ? yes : 0;
  return s.a[ok ? static_cast<size_t>(source) : id];
}

}  // namespace maskwork::test
