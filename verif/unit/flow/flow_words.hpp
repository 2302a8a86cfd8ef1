#pragma once
// Random flow words for the test of mw_flow: words that fit the state of a wave (so that deep states are reached), the same
// with one field spoilt, and words of random fields. None is a bad word.
#include <random>

#include "counter_reference.hpp"

namespace maskwork::flowtest {

using Rng = std::mt19937_64;

inline uint32_t pick(Rng& rng, uint32_t n) { return static_cast<uint32_t>(rng() % n); }

/// What a wave mostly does for a while.
enum class Drift { Mixed, OpenBlocks, OpenLoops, OpenCalls, CloseAll };

struct FlowFields {
  isa::Op op = isa::Op::JUMP;
  uint32_t func = 0, any = 0, b_else = 0, endless = 0, imm = 0, target = 0, pop = 0, bool_idx = 0, al_init = 0, al_step = 0;
  isa::Aop a_op = isa::Aop::NONE;
  isa::Bop b_op0 = isa::Bop::NONE, b_op1 = isa::Bop::NONE;
  isa::Word word() const;
};

/// A word for a wave in the state of `w`; never a bad word in the flow mode `full`.
isa::Word random_word(Rng& rng, const CounterWave& w, bool full, Drift drift);

}  // namespace maskwork::flowtest
