#include "plain_fma.hpp"

void plain_fma(float* state, uint32_t threads, uint32_t turns) {
  for (uint32_t t = 0; t < threads; ++t) {
    float r[16];
    for (uint32_t n = 0; n < 16; ++n) r[n] = state[16 * t + n];
    for (uint32_t turn = 0; turn < turns; ++turn)
      for (uint32_t n = 0; n < 64; ++n) r[n % 8] = __builtin_fmaf(r[n % 8], r[8 + n % 4], r[12 + n % 4]);
    for (uint32_t n = 0; n < 8; ++n) state[16 * t + n] = r[n];
  }
}

void plain_fma_side_by_side(float* state, uint32_t threads, uint32_t turns) {
  constexpr uint32_t side = 32;
  for (uint32_t t = 0; t < threads; t += side) {
    float(*r)[side] = reinterpret_cast<float(*)[side]>(state + 16 * t);
    for (uint32_t turn = 0; turn < turns; ++turn)
      for (uint32_t n = 0; n < 64; ++n)
        for (uint32_t i = 0; i < side; ++i) r[n % 8][i] = __builtin_fmaf(r[n % 8][i], r[8 + n % 4][i], r[12 + n % 4][i]);
  }
}
