#pragma once
// Row functions: one operation over the 32 threads of a wave. A row is 32 words, 128 bytes, aligned to 64. Sources and result may be
// the same row. The functions exist once per instruction set of the host (rows_impl.hpp is compiled several times); table() picks one.
#include <cstdint>

namespace maskwork::rows {

using Fn3 = void (*)(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* r);

/// Number of operation codes of the lane unit, and of the types they know.
inline constexpr unsigned ops = 32, types = 3;

struct Table {
  const char* name;
  Fn3 alu[ops][types];        ///< results of operations on modified sources; null where isa.toml knows none
  Fn3 fadd[4];                ///< F32 ADD with signs flipped: index neg a + 2 * neg b
  Fn3 fmul[2];                ///< F32 MUL: index sign of the product flipped
  Fn3 fmad[4];                ///< F32 MAD: index sign of the product flipped + 2 * neg c
  Fn3 isub, isub_reversed;    ///< a - b, b - a
  Fn3 cvt[types][types][4][2];  ///< [destination][source][rounding][SAT]
  Fn3 rndi[4];
  void (*modify[types][4])(const uint32_t* a, uint32_t* r);  ///< [type][abs + 2 * neg]
  void (*clamp[3])(uint32_t* r);                             ///< [isa::Clamp] of F32 results
  void (*flags_f32)(const uint32_t* r, uint8_t* f);
  void (*flags_int)(const uint32_t* r, uint8_t* f);
  /// r = x + (y ^ invert) + carry bit of the thread, with all four flags.
  void (*add_flags)(const uint32_t* x, const uint32_t* y, uint32_t invert, uint32_t carry, uint32_t* r, uint8_t* f);
  void (*chain_zero)(uint8_t* f, const uint8_t* old);        ///< f.Z &= old.Z
  uint32_t (*test)(const uint8_t* f, uint32_t lut);          ///< threads whose flags nibble n has bit n set in lut
  uint32_t (*nonzero)(const uint32_t* r);                    ///< threads with r != 0
  void (*blend)(uint32_t* d, const uint32_t* s, uint32_t mask);
  void (*blend8)(uint8_t* d, const uint8_t* s, uint32_t mask);
  /// Launch fill of one row: u ^ t ^ t << 11 ^ t << 22 for threads t = first .. first + 31.
  void (*fill)(uint32_t* d, uint32_t u, uint32_t first);
};

/// The table for the machine this runs on; chosen once.
const Table& table();

/// All tables that this machine can run, so that tests compare them.
struct Choice {
  const Table* table;
  bool usable;
};
extern const Choice choices[];
extern const unsigned choice_count;

}  // namespace maskwork::rows
