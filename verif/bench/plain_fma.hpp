#pragma once
#include <cstdint>

/// The benchmark's kernel as a person would write it in C++: 64 FMAs on 8 chains per turn, for each thread. Compiled for this machine.
/// state: 16 values per thread (0..7 accumulators, 8..15 operands).
void plain_fma(float* state, uint32_t threads, uint32_t turns);

/// The same for somebody who knows vector processors: 32 threads side by side, value n of thread t at state[512 * (t / 32) + 32 * n + t % 32].
void plain_fma_side_by_side(float* state, uint32_t threads, uint32_t turns);
