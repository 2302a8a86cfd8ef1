#include "special.hpp"

namespace maskwork::model {

namespace {

using isa::Op;

constexpr uint32_t all_ones = 0xffffffffu, int_min = 0x80000000u;

bool is_type(const Word& d, isa::Type t) { return d.type == static_cast<uint8_t>(t); }

uint32_t truth(const Word& d) { return is_type(d, isa::Type::F32) ? 0x3f800000u : all_ones; }

template <class F>
void each(const uint32_t* a, uint32_t* r, F f) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = f(a[t]);
}

template <class F>
void each(const uint32_t* a, const uint32_t* b, uint32_t* r, F f) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = f(a[t], b[t]);
}

uint32_t divide_signed(uint32_t a, uint32_t b) {
  if (b == 0) return all_ones;
  if (b == all_ones) return 0u - a;  // also -2^31 / -1, which the host's division refuses
  return static_cast<uint32_t>(static_cast<int32_t>(a) / static_cast<int32_t>(b));
}

uint32_t remainder_signed(uint32_t a, uint32_t b) {
  if (b == 0) return all_ones;
  if (b == all_ones) return 0;
  return static_cast<uint32_t>(static_cast<int32_t>(a) % static_cast<int32_t>(b));
}

uint32_t reverse(uint32_t a) {
  uint32_t r = 0;
  for (unsigned n = 0; n < 32; ++n) r |= ((a >> n) & 1) << (31 - n);
  return r;
}

uint32_t highest_set(uint32_t a) { return a == 0 ? all_ones : 31 - static_cast<uint32_t>(__builtin_clz(a)); }

/// Threads of E whose a is not zero.
uint32_t votes(const Word& d, const uint32_t* a, uint32_t executing) {
  const uint32_t value_bits = is_type(d, isa::Type::F32) ? 0x7fffffffu : all_ones;
  uint32_t m = 0;
  for (uint32_t t = 0; t < wave_threads; ++t) m |= ((a[t] & value_bits) != 0 ? 1u : 0u) << t;
  return m & executing;
}

void spread(uint32_t value, uint32_t* r) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = value;
}

enum class Shuffle : uint8_t { Idx, Up, Down, Xor };

/// The thread that `id` reads from, or -1: out of range, or it does not execute.
int shuffle_source(Shuffle how, uint32_t id, uint32_t b, uint32_t c, uint32_t executing) {
  const uint32_t clamp = c & 31, segment = (c >> 8) & 31;
  const uint32_t least = id & segment, most = least | (clamp & ~segment);
  b &= 31;
  uint32_t source = 0;
  bool in_range = false;
  switch (how) {
    case Shuffle::Idx:
      source = (b & ~segment) | least;
      in_range = source <= most;
      break;
    case Shuffle::Up:
      source = id - b;
      in_range = id >= b && source >= least;
      break;
    case Shuffle::Down:
      source = id + b;
      in_range = source <= most;
      break;
    case Shuffle::Xor:
      source = id ^ b;
      in_range = source <= most;
      break;
  }
  return in_range && ((executing >> source) & 1) != 0 ? static_cast<int>(source) : -1;
}

void shuffle(Shuffle how, const uint32_t* const row[3], uint32_t executing, uint32_t* r) {
  uint32_t out[wave_threads];  // the result may be the row of a source
  for (uint32_t t = 0; t < wave_threads; ++t) {
    const int source = shuffle_source(how, t, row[1][t], row[2][t], executing);
    out[t] = row[0][source < 0 ? t : static_cast<uint32_t>(source)];
  }
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = out[t];
}

void in_range(Shuffle how, const Word& d, const uint32_t* const row[3], uint32_t executing, uint32_t* r) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = shuffle_source(how, t, row[1][t], row[2][t], executing) < 0 ? 0 : truth(d);
}

void divide(const Word& d, const uint32_t* const row[3], uint32_t* r) {
  if (is_type(d, isa::Type::S32)) each(row[0], row[1], r, divide_signed);
  else each(row[0], row[1], r, [](uint32_t a, uint32_t b) { return b == 0 ? all_ones : a / b; });
}

void remainder(const Word& d, const uint32_t* const row[3], uint32_t* r) {
  if (is_type(d, isa::Type::S32)) each(row[0], row[1], r, remainder_signed);
  else each(row[0], row[1], r, [](uint32_t a, uint32_t b) { return b == 0 ? all_ones : a % b; });
}

}  // namespace

void compute_special(const Word& d, const uint32_t* const row[3], uint32_t executing, uint32_t* r) {
  const uint32_t* a = row[0];
  switch (d.op) {
    case Op::DIV: return divide(d, row, r);
    case Op::MOD: return remainder(d, row, r);
    case Op::BFR: return each(a, r, reverse);
    case Op::BTC: return each(a, r, [](uint32_t v) { return static_cast<uint32_t>(__builtin_popcount(v)); });
    case Op::BTFL: return each(a, r, [](uint32_t v) { return v == 0 ? all_ones : static_cast<uint32_t>(__builtin_ctz(v)); });
    case Op::BTFM: {
      const bool is_signed = is_type(d, isa::Type::S32);
      return each(a, r, [is_signed](uint32_t v) { return highest_set(is_signed && (v & int_min) != 0 ? ~v : v); });
    }
    case Op::TGALL: return spread(votes(d, a, executing) == executing ? truth(d) : 0, r);
    case Op::TGANY: return spread(votes(d, a, executing) != 0 ? truth(d) : 0, r);
    case Op::TGEQ: {
      const uint32_t m = votes(d, a, executing);
      return spread(m == 0 || m == executing ? truth(d) : 0, r);
    }
    case Op::TGBALLOT: return spread(votes(d, a, executing), r);
    case Op::SHFIDX: return shuffle(Shuffle::Idx, row, executing, r);
    case Op::SHFUP: return shuffle(Shuffle::Up, row, executing, r);
    case Op::SHFDOWN: return shuffle(Shuffle::Down, row, executing, r);
    case Op::SHFXOR: return shuffle(Shuffle::Xor, row, executing, r);
    case Op::RNGIDX: return in_range(Shuffle::Idx, d, row, executing, r);
    case Op::RNGUP: return in_range(Shuffle::Up, d, row, executing, r);
    case Op::RNGDOWN: return in_range(Shuffle::Down, d, row, executing, r);
    case Op::RNGXOR: return in_range(Shuffle::Xor, d, row, executing, r);
    default: return;
  }
}

}  // namespace maskwork::model
