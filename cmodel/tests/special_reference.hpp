#pragma once
// What words of the special unit give, written down from docs/semantics.md without the model's code: MPFR for the rounded quotients,
// 64-bit integers and doubles for the rest, and the language's own words for votes and shuffles.
#include <array>
#include <cstdint>

#include "maskwork/isa.hpp"

namespace maskwork::test {

/// Functions of one thread with one right answer: RCP, DIV, MOD, BFR, BTC, BTFL, BTFM, PKH, UPHL, UPHH.
bool is_exact_function(isa::Op op);
uint32_t function_expected(isa::Op op, isa::Type type, uint32_t a, uint32_t b);

/// RSQ, EX2, LG2, SIN, COS: whether `got` is near enough to the real value (brief bounds: units of the last place or an absolute error).
bool is_near_function(isa::Op op);
bool function_near(isa::Op op, uint32_t a, uint32_t got);

/// Votes, ballots, shuffles and their range tests: the result of thread `id`.
struct WaveSources {
  std::array<uint32_t, 32> a{}, b{}, c{};
  uint32_t executing = 0xffffffffu;
};
uint32_t crosslane_expected(isa::Op op, isa::Type type, const WaveSources& s, uint32_t id);

}  // namespace maskwork::test
