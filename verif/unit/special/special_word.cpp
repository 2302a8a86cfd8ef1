#include "special_word.hpp"

#include <bit>
#include <cmath>

#include "functions.hpp"

namespace maskwork::special_test {
namespace {

constexpr uint32_t canonical_nan = 0x7fc00000u;

float to_float(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t arithmetic(float value) { return std::isnan(value) ? canonical_nan : std::bit_cast<uint32_t>(value); }

uint32_t reverse(uint32_t a) {
  uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
  return r;
}

uint32_t divide(Type type, uint32_t a, uint32_t b) {
  if (type == Type::F32) return arithmetic(to_float(a) / to_float(b));
  if (b == 0) return ~0u;
  if (type == Type::U32) return a / b;
  return static_cast<uint32_t>(int64_t{static_cast<int32_t>(a)} / static_cast<int32_t>(b));
}

uint32_t remainder(Type type, uint32_t a, uint32_t b) {
  if (b == 0) return ~0u;
  if (type == Type::U32) return a % b;
  return static_cast<uint32_t>(int64_t{static_cast<int32_t>(a)} % static_cast<int32_t>(b));
}

uint32_t half_bits(uint32_t a) { return std::isnan(to_float(a)) ? 0x7e00u : std::bit_cast<uint16_t>(static_cast<_Float16>(to_float(a))); }
uint32_t from_half(uint32_t h) { return arithmetic(static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(h)))); }

bool not_zero(Type type, uint32_t a) { return type == Type::F32 ? (a << 1) != 0 : a != 0; }
uint32_t truth(Type type, bool value) { return !value ? 0 : type == Type::F32 ? 0x3f800000u : ~0u; }

uint32_t vote(const Word& w) {
  uint32_t ballot = 0;
  for (uint32_t t = 0; t < 32; ++t)
    if ((w.exec >> t & 1) != 0 && not_zero(w.type, w.a[t])) ballot |= 1u << t;
  switch (w.op) {
    case Op::TGALL: return truth(w.type, ballot == w.exec);
    case Op::TGANY: return truth(w.type, ballot != 0);
    case Op::TGEQ: return truth(w.type, ballot == 0 || ballot == w.exec);
    default: return ballot;
  }
}

uint32_t shuffle(const Word& w, uint32_t id) {
  const int b = static_cast<int>(w.b[id] % 32), me = static_cast<int>(id);
  const int clamp = static_cast<int>(w.c[id] & 31), seg = static_cast<int>(w.c[id] >> 8 & 31);
  const int low = me & seg, high = low | (clamp & ~seg);
  int from = 0;
  bool up = false;
  switch (w.op) {
    case Op::SHFIDX: case Op::RNGIDX: from = (b & ~seg) | low; break;
    case Op::SHFUP: case Op::RNGUP: from = me - b; up = true; break;
    case Op::SHFDOWN: case Op::RNGDOWN: from = me + b; break;
    default: from = me ^ b; break;
  }
  bool found = up ? from >= low && from >= 0 : from <= high;
  found = found && (w.exec >> from & 1) != 0;
  if (w.op >= Op::RNGIDX) return truth(w.type, found);
  return found ? w.a[static_cast<size_t>(from)] : w.a[id];
}

}  // namespace

bool is_vote(Op op) { return op >= Op::TGALL && op <= Op::TGBALLOT; }
bool is_shuffle(Op op) { return op >= Op::SHFIDX; }

uint32_t function(Op op, Type type, uint32_t a, uint32_t b) {
  switch (op) {
    case Op::RSQ: return model::rsq(a);
    case Op::EX2: return model::ex2(a);
    case Op::LG2: return model::lg2(a);
    case Op::SIN: return model::sine(a);
    case Op::COS: return model::cosine(a);
    case Op::RCP: return arithmetic(1.0f / to_float(a));
    case Op::DIV: return divide(type, a, b);
    case Op::MOD: return remainder(type, a, b);
    case Op::BFR: return reverse(a);
    case Op::BTC: return static_cast<uint32_t>(std::popcount(a));
    case Op::BTFL: return a == 0 ? ~0u : static_cast<uint32_t>(std::countr_zero(a));
    case Op::BTFM:
      if (type == Type::S32 && static_cast<int32_t>(a) < 0) a = ~a;
      return a == 0 ? ~0u : 31u - static_cast<uint32_t>(std::countl_zero(a));
    case Op::PKH: return half_bits(a) | half_bits(b) << 16;
    case Op::UPHL: return from_half(a & 0xffffu);
    case Op::UPHH: return from_half(a >> 16);
    default: return 0;
  }
}

Threads results(const Word& w) {
  Threads r{};
  for (uint32_t t = 0; t < 32; ++t) r[t] = is_vote(w.op) ? vote(w) : is_shuffle(w.op) ? shuffle(w, t) : function(w.op, w.type, w.a[t], w.b[t]);
  return r;
}

}  // namespace maskwork::special_test
