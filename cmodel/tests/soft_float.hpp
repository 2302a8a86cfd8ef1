#pragma once
// Binary32 arithmetic in integers only: the oracle of the model's floating point. Checked against MPFR in soft_float_test.cpp.
#include <cstdint>

namespace maskwork::soft {

inline constexpr uint32_t nan = 0x7fc00000u;

inline bool is_nan(uint32_t v) { return (v << 1) > 0xff000000u; }
inline bool is_inf(uint32_t v) { return (v << 1) == 0xff000000u; }
inline bool is_zero(uint32_t v) { return (v << 1) == 0; }

uint32_t mul(uint32_t a, uint32_t b);
uint32_t add(uint32_t a, uint32_t b);
uint32_t fma(uint32_t a, uint32_t b, uint32_t c);  ///< one rounding

}  // namespace maskwork::soft
