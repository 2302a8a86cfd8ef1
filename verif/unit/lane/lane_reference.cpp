// Compiled with -frounding-math: conversions use the host's rounding modes.
#include "lane_reference.hpp"

#include <bit>
#include <cfenv>
#include <cmath>

namespace maskwork::lane_test {
namespace {

constexpr uint32_t canonical_nan = 0x7fc00000u;

float to_float(uint32_t bits) { return std::bit_cast<float>(bits); }
bool is_nan(uint32_t bits) { return std::isnan(to_float(bits)); }
uint32_t arithmetic(float value) { return std::isnan(value) ? canonical_nan : std::bit_cast<uint32_t>(value); }

class RoundingScope {
 public:
  explicit RoundingScope(Round round) {
    constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    std::fesetround(modes[static_cast<int>(round)]);
  }
  ~RoundingScope() { std::fesetround(FE_TONEAREST); }
};

uint32_t modified(uint32_t x, Type type, bool neg, bool abs) {
  if (type == Type::F32) return (abs ? x & 0x7fffffffu : x) ^ (neg ? 0x80000000u : 0u);
  if (abs && type == Type::S32 && static_cast<int32_t>(x) < 0) x = 0u - x;
  return neg ? 0u - x : x;
}

bool less(uint32_t a, uint32_t b, Type type) {
  switch (type) {
    case Type::F32: return to_float(a) < to_float(b);
    case Type::S32: return static_cast<int32_t>(a) < static_cast<int32_t>(b);
    default: return a < b;
  }
}
bool equal(uint32_t a, uint32_t b, Type type) { return type == Type::F32 ? to_float(a) == to_float(b) : a == b; }

uint32_t min_max(uint32_t a, uint32_t b, Type type, bool max) {
  if (type == Type::F32) {
    if (is_nan(a) && is_nan(b)) return canonical_nan;
    if (is_nan(a)) return b;
    if (is_nan(b)) return a;
    if (to_float(a) == 0 && to_float(b) == 0) return (std::signbit(to_float(a)) != max) ? a : b;
  }
  return less(a, b, type) != max ? a : b;
}

bool compare(Op op, uint32_t a, uint32_t b, Type type) {
  if (type == Type::F32 && (is_nan(a) || is_nan(b))) return op == Op::SNE;
  const bool lt = less(a, b, type), eq = equal(a, b, type);
  switch (op) {
    case Op::SEQ: return eq;
    case Op::SNE: return !eq;
    case Op::SLT: return lt;
    case Op::SLE: return lt || eq;
    case Op::SGT: return !lt && !eq;
    default: return !lt;
  }
}

uint32_t float_to_int(uint32_t bits, Type type, Round round, bool clamp) {
  const double x = to_float(bits);
  const double low = type == Type::S32 ? -0x1p31 : 0.0, high = type == Type::S32 ? 0x1p31 - 1 : 0x1p32 - 1;
  if (std::isnan(x)) return 0;
  if (std::isinf(x) && !clamp) return 0;
  volatile double rounded = x;
  {
    RoundingScope scope(round);
    rounded = std::nearbyint(rounded);
  }
  if (clamp) {
    if (rounded < low) rounded = low;
    if (rounded > high) rounded = high;
  }
  return static_cast<uint32_t>(static_cast<int64_t>(std::fmod(rounded, 0x1p32)));
}

uint32_t convert(const Operation& op, uint32_t x) {
  const bool clamp = op.clamp != Clamp::NONE;
  if (op.source == Type::F32) return op.type == Type::F32 ? arithmetic(to_float(x)) : float_to_int(x, op.type, op.round, clamp);
  if (op.type == Type::F32) {
    RoundingScope scope(op.round);
    volatile double exact = op.source == Type::S32 ? static_cast<double>(static_cast<int32_t>(x)) : static_cast<double>(x);
    volatile float rounded = static_cast<float>(exact);
    return std::bit_cast<uint32_t>(static_cast<float>(rounded));
  }
  if (clamp && op.source != op.type && (x >> 31)) return op.type == Type::S32 ? 0x7fffffffu : 0u;
  return x;
}

uint32_t round_integral(uint32_t x, Round round) {
  if (is_nan(x)) return canonical_nan;
  RoundingScope scope(round);
  volatile float value = to_float(x);
  value = std::nearbyintf(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint32_t clamped(uint32_t x, Clamp clamp) {
  if (clamp == Clamp::NONE) return x;
  const float value = to_float(x);
  if (std::isnan(value)) return 0;
  if (value > 1) return 0x3f800000u;
  if (clamp == Clamp::SAT) return std::signbit(value) ? 0u : x;
  return value < -1 ? 0xbf800000u : x;
}

// x + y + carry of 32-bit words with the flags of that sum.
Result integer_sum(uint32_t x, uint32_t y, bool carry) {
  Result r;
  const uint64_t wide = uint64_t{x} + y + carry;
  const int64_t exact = int64_t{static_cast<int32_t>(x)} + static_cast<int32_t>(y) + carry;
  r.value = static_cast<uint32_t>(wide);
  r.cf = wide >> 32;
  r.of = exact != static_cast<int32_t>(r.value);
  return r;
}

}  // namespace

Result reference(const Operation& op, const Operands& in) {
  const Type source = op.op == Op::CVT ? op.source : op.type;
  const bool is_float = op.type == Type::F32;
  const uint32_t a = modified(in.a, source, op.neg[0], op.abs[0]);
  const uint32_t b = modified(in.b, source, op.neg[1], op.abs[1]);
  const uint32_t c = modified(in.c, source, op.neg[2], op.abs[2]);
  Result r;
  switch (op.op) {
    case Op::MOV: r.value = a; break;
    case Op::ADD:
      if (is_float) {
        r.value = arithmetic(to_float(a) + to_float(b));
      } else {
        const uint32_t x = op.neg[0] ? ~modified(in.a, source, false, op.abs[0]) : a;
        const uint32_t y = op.neg[1] ? ~modified(in.b, source, false, op.abs[1]) : b;
        r = integer_sum(x, y, op.chain_carry ? in.cf : op.neg[0] || op.neg[1]);
      }
      break;
    case Op::MUL: r.value = is_float ? arithmetic(to_float(a) * to_float(b)) : a * b; break;
    case Op::MULHI:
      r.value = op.type == Type::S32
                    ? static_cast<uint32_t>((int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b)) >> 32)
                    : static_cast<uint32_t>((uint64_t{a} * b) >> 32);
      break;
    case Op::MAD:
      if (is_float) {
        r.value = arithmetic(std::fma(to_float(a), to_float(b), to_float(c)));
      } else {
        const uint32_t y = op.neg[2] ? ~modified(in.c, source, false, op.abs[2]) : c;
        r = integer_sum(a * b, y, op.neg[2]);
      }
      break;
    case Op::MIN: r.value = min_max(a, b, op.type, false); break;
    case Op::MAX: r.value = min_max(a, b, op.type, true); break;
    case Op::SEQ: case Op::SNE: case Op::SLT: case Op::SLE: case Op::SGT: case Op::SGE:
      r.alu_bit = compare(op.op, a, b, op.type);
      r.value = r.alu_bit ? (is_float ? 0x3f800000u : ~0u) : 0u;
      break;
    case Op::CMP: r.value = op.type != Type::U32 && less(a, 0, op.type) ? b : c; break;
    case Op::AND: r.value = a & b; break;
    case Op::OR: r.value = a | b; break;
    case Op::XOR: r.value = a ^ b; break;
    case Op::NOT: r.value = ~a; break;
    case Op::SHL: r.value = b >= 32 ? 0 : a << b; break;
    case Op::SHR:
      if (op.type == Type::S32) r.value = static_cast<uint32_t>(static_cast<int32_t>(a) >> (b >= 32 ? 31 : b));
      else r.value = b >= 32 ? 0 : a >> b;
      break;
    case Op::CVT: r.value = convert(op, a); break;
    case Op::RNDI: r.value = round_integral(a, op.round); break;
    default: break;
  }
  if (is_float) {
    r.value = clamped(r.value, op.clamp);
    const float value = to_float(r.value);
    r.sf = value < 0 || std::isnan(value);
    r.zf = value == 0 || std::isnan(value);
  } else {
    r.sf = r.value >> 31;
    r.zf = r.value == 0;
  }
  if (op.chain_zero) r.zf = r.zf && in.zf;
  return r;
}

}  // namespace maskwork::lane_test
