#include "special.hpp"

#include "functions.hpp"

namespace maskwork::model {

namespace {

using isa::Op;

constexpr uint32_t all_ones = 0xffffffffu;

bool is_type(const Word& d, isa::Type t) { return d.type == static_cast<uint8_t>(t); }

uint32_t truth(const Word& d) { return is_type(d, isa::Type::F32) ? 0x3f800000u : all_ones; }

void each(const uint32_t* a, uint32_t* r, uint32_t (*f)(uint32_t)) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = f(a[t]);
}

void each(const uint32_t* a, const uint32_t* b, uint32_t* r, uint32_t (*f)(uint32_t, uint32_t)) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = f(a[t], b[t]);
}

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
  for (uint32_t t = 0; t < wave_threads; ++t) {
    const int source = shuffle_source(how, t, row[1][t], row[2][t], executing);
    r[t] = row[0][source < 0 ? t : static_cast<uint32_t>(source)];
  }
}

void in_range(Shuffle how, const Word& d, const uint32_t* const row[3], uint32_t executing, uint32_t* r) {
  for (uint32_t t = 0; t < wave_threads; ++t) r[t] = shuffle_source(how, t, row[1][t], row[2][t], executing) < 0 ? 0 : truth(d);
}

}  // namespace

void compute_special(const Word& d, const uint32_t* const row[3], uint32_t executing, uint32_t* r) {
  const uint32_t* a = row[0];
  const bool is_signed = is_type(d, isa::Type::S32);
  switch (d.op) {
    case Op::RCP: return each(a, r, rcp);
    case Op::RSQ: return each(a, r, rsq);
    case Op::EX2: return each(a, r, ex2);
    case Op::LG2: return each(a, r, lg2);
    case Op::SIN: return each(a, r, sine);
    case Op::COS: return each(a, r, cosine);
    case Op::DIV: return each(a, row[1], r, is_type(d, isa::Type::F32) ? div_f32 : is_signed ? div_s32 : div_u32);
    case Op::MOD: return each(a, row[1], r, is_signed ? mod_s32 : mod_u32);
    case Op::BFR: return each(a, r, bit_reverse);
    case Op::BTC: return each(a, r, bit_count);
    case Op::BTFL: return each(a, r, find_lsb);
    case Op::BTFM: return each(a, r, is_signed ? find_msb_s32 : find_msb_u32);
    case Op::PKH: return each(a, row[1], r, pack_half);
    case Op::UPHL: return each(a, r, unpack_half_low);
    case Op::UPHH: return each(a, r, unpack_half_high);
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
