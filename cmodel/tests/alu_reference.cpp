#include "alu_reference.hpp"

#include <cmath>

#include "soft_float.hpp"

namespace maskwork::test {

namespace {

using isa::Op;
using isa::Type;
namespace field = isa::field;

float as_float(uint32_t v) { return __builtin_bit_cast(float, v); }
uint32_t as_bits(float v) { return __builtin_bit_cast(uint32_t, v); }
int64_t value_of(uint32_t v, bool is_signed) { return is_signed ? int64_t{static_cast<int32_t>(v)} : int64_t{v}; }

uint32_t modify(uint32_t v, Type t, bool neg, bool abs) {
  if (t == Type::F32) {
    if (abs) v &= ~0x80000000u;
    if (neg) v ^= 0x80000000u;
    return v;
  }
  if (abs && t == Type::S32 && static_cast<int32_t>(v) < 0) v = 0 - v;
  return neg ? 0 - v : v;
}

uint32_t min_max(uint32_t a, uint32_t b, bool want_less) {
  if (soft::is_nan(a)) return soft::is_nan(b) ? soft::nan : b;
  if (soft::is_nan(b)) return a;
  if (soft::is_zero(a) && soft::is_zero(b)) {
    const bool a_negative = (a >> 31) != 0;
    return a_negative == want_less ? a : b;
  }
  return (as_float(a) < as_float(b)) == want_less ? a : b;
}

bool compare(Op op, double a, double b) {
  switch (op) {
    case Op::SEQ: return a == b;
    case Op::SNE: return !(a == b);
    case Op::SLT: return a < b;
    case Op::SLE: return a <= b;
    case Op::SGT: return a > b;
    default: return a >= b;
  }
}

double round_double(double v, isa::Round mode) {
  switch (mode) {
    case isa::Round::ROUND: return std::nearbyint(v);
    case isa::Round::CEIL: return std::ceil(v);
    case isa::Round::FLR: return std::floor(v);
    case isa::Round::TRUNC: return std::trunc(v);
  }
  return v;
}

/// The float next to the exact double `v` in the direction of the mode.
float narrow(double v, isa::Round mode) {
  float f = static_cast<float>(v);
  const bool down = mode == isa::Round::FLR || (mode == isa::Round::TRUNC && v > 0);
  const bool up = mode == isa::Round::CEIL || (mode == isa::Round::TRUNC && v < 0);
  if (down && double{f} > v) f = std::nextafterf(f, -INFINITY);
  if (up && double{f} < v) f = std::nextafterf(f, INFINITY);
  return f;
}

uint32_t convert(uint32_t a, Type from, Type to, isa::Round mode, bool sat) {
  const double least = to == Type::S32 ? -2147483648.0 : 0.0, most = to == Type::S32 ? 2147483647.0 : 4294967295.0;
  if (from == Type::F32 && to == Type::F32) return soft::is_nan(a) ? soft::nan : a;
  if (to == Type::F32) return as_bits(narrow(static_cast<double>(value_of(a, from == Type::S32)), mode));
  double v = 0;
  if (from == Type::F32) {
    if (soft::is_nan(a) || (soft::is_inf(a) && !sat)) return 0;
    v = round_double(as_float(a), mode);
  } else {
    v = static_cast<double>(value_of(a, from == Type::S32));
  }
  if (sat) v = std::min(std::max(v, least), most);
  const double wrapped = v - std::floor(v / 4294967296.0) * 4294967296.0;  // exact: a power of two
  return static_cast<uint32_t>(wrapped);
}

uint32_t clamp_float(uint32_t v, isa::Clamp how) {
  if (how == isa::Clamp::NONE) return v;
  if (soft::is_nan(v)) return 0;
  const float f = as_float(v);
  if (f > 1.0f) return 0x3f800000u;
  if (how == isa::Clamp::SAT) return f <= 0.0f ? 0 : v;
  return f < -1.0f ? 0xbf800000u : v;
}

uint8_t plain_flags(uint32_t v, Type t) {
  if (t != Type::F32) return static_cast<uint8_t>((v == 0 ? 1 : 0) | (static_cast<int32_t>(v) < 0 ? 2 : 0));
  if (soft::is_nan(v)) return 3;
  return static_cast<uint8_t>((as_float(v) == 0 ? 1 : 0) | (as_float(v) < 0 ? 2 : 0));
}

/// x + y or x - y with the flags of docs/semantics.md; `carry` < 0: none given, so 0 for sums and 1 (no borrow) for differences.
AluExpected sum(uint32_t x, uint32_t y, bool subtract, int carry) {
  const int64_t in = carry < 0 ? (subtract ? 1 : 0) : carry;
  // A difference is x - y - (1 - carry).
  const int64_t u = subtract ? int64_t{x} - int64_t{y} - (1 - in) : int64_t{x} + int64_t{y} + in;
  const int64_t s = subtract ? value_of(x, true) - value_of(y, true) - (1 - in) : value_of(x, true) + value_of(y, true) + in;
  AluExpected r;
  r.value = static_cast<uint32_t>(u);
  const bool carry_out = subtract ? u >= 0 : u > 0xffffffffll;
  const bool overflow = s != value_of(r.value, true);
  r.flags = static_cast<uint8_t>(plain_flags(r.value, Type::S32) | (overflow ? 4 : 0) | (carry_out ? 8 : 0));
  return r;
}

}  // namespace

AluExpected alu_expected(const isa::Word& word, uint32_t a, uint32_t b, uint32_t c, uint8_t chain) {
  const auto get = [&word](isa::Field f) { return isa::get(word, f); };
  const auto op = static_cast<Op>(get(field::op));
  const auto type = static_cast<Type>(get(field::type));
  const bool f32 = type == Type::F32, is_signed = type == Type::S32;
  const auto source_type = op == Op::CVT ? static_cast<Type>(get(field::cvt_src)) : type;
  const auto mode = static_cast<isa::Round>(get(field::cvt_round));
  const auto clamp = static_cast<isa::Clamp>(get(field::clamp));
  const bool neg_a = get(field::a_neg) != 0, neg_b = get(field::b_neg) != 0, neg_c = get(field::c_neg) != 0;
  const bool abs_a = get(field::a_abs) != 0, abs_b = get(field::b_abs) != 0, abs_c = get(field::c_abs) != 0;
  const uint32_t x = modify(a, source_type, neg_a, abs_a), y = modify(b, source_type, neg_b, abs_b), z = modify(c, source_type, neg_c, abs_c);
  AluExpected r;
  bool done = false;  // flags are there
  switch (op) {
    case Op::MOV: r.value = x; break;
    case Op::ADD:
      if (f32) {
        r.value = soft::add(x, y);
      } else {
        const int carry = get(field::chain_carry) != 0 ? (chain >> 3) & 1 : -1;
        const uint32_t p = modify(a, type, false, abs_a), q = modify(b, type, false, abs_b);
        r = neg_a ? sum(q, p, true, carry) : sum(p, q, neg_b, carry);
        done = true;
      }
      break;
    case Op::MUL: r.value = f32 ? soft::mul(x, y) : static_cast<uint32_t>(uint64_t{x} * y); break;
    case Op::MULHI: r.value = static_cast<uint32_t>(static_cast<unsigned __int128>(static_cast<__int128>(value_of(x, is_signed)) * value_of(y, is_signed)) >> 32); break;
    case Op::MAD:
      if (f32) {
        r.value = soft::fma(x, y, z);
      } else {
        r = sum(static_cast<uint32_t>(uint64_t{x} * y), modify(c, type, false, abs_c), neg_c, -1);
        done = true;
      }
      break;
    case Op::MIN:
    case Op::MAX:
      if (f32) r.value = min_max(x, y, op == Op::MIN);
      else r.value = (value_of(x, is_signed) < value_of(y, is_signed)) == (op == Op::MIN) ? x : y;
      break;
    case Op::SEQ:
    case Op::SNE:
    case Op::SLT:
    case Op::SLE:
    case Op::SGT:
    case Op::SGE: {
      const double p = f32 ? double{as_float(x)} : static_cast<double>(value_of(x, is_signed));
      const double q = f32 ? double{as_float(y)} : static_cast<double>(value_of(y, is_signed));
      r.value = compare(op, p, q) ? (f32 ? 0x3f800000u : 0xffffffffu) : 0;
      break;
    }
    case Op::CMP: r.value = (f32 ? as_float(x) < 0 : value_of(x, is_signed) < 0) ? y : z; break;
    case Op::AND: r.value = x & y; break;
    case Op::OR: r.value = x | y; break;
    case Op::XOR: r.value = x ^ y; break;
    case Op::NOT: r.value = ~x; break;
    case Op::SHL: r.value = y >= 32 ? 0 : static_cast<uint32_t>(uint64_t{x} << y); break;
    case Op::SHR: {
      const int64_t v = value_of(x, is_signed);
      r.value = static_cast<uint32_t>(y >= 32 ? (v < 0 ? -1 : 0) : v >> y);
      break;
    }
    case Op::CVT: r.value = convert(x, source_type, type, mode, clamp == isa::Clamp::SAT); break;
    case Op::RNDI: {
      const float rounded = static_cast<float>(round_double(as_float(x), mode));
      r.value = soft::is_nan(x) ? soft::nan : as_bits(std::copysign(rounded, as_float(x)));
      break;
    }
    default: break;
  }
  if (f32) r.value = clamp_float(r.value, clamp);
  if (!done) r.flags = plain_flags(r.value, type);
  if (get(field::chain_zero) != 0 && (chain & 1) == 0) r.flags &= static_cast<uint8_t>(~1u);
  return r;
}

}  // namespace maskwork::test
