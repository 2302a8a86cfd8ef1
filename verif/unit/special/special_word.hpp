// Words of the special unit for the unit tests, and what they must give, from the host's arithmetic and docs/semantics.md; RSQ, EX2,
// LG2, SIN and COS from the model's functions, which are tested against MPFR.
#pragma once
#include <array>
#include <cstdint>

#include "maskwork/isa.hpp"

namespace maskwork::special_test {

using isa::Op;
using isa::Type;
using Threads = std::array<uint32_t, 32>;

/// One word of one wave, as the core would issue it.
struct Word {
  Op op = Op::BFR;
  Type type = Type::U32;
  uint32_t exec = 0xffffffffu;   ///< E
  uint32_t write = 0xffffffffu;  ///< of those, threads whose register is written
  Threads a{}, b{}, c{};
  uint32_t wave = 0, seq = 0, dst = 0;
  bool empty_beats = false;      ///< send beats in which nobody executes too
};

bool is_vote(Op op);
bool is_shuffle(Op op);

/// Result of a function of one thread.
uint32_t function(Op op, Type type, uint32_t a, uint32_t b);
/// Results of all threads of the word.
Threads results(const Word& w);

}  // namespace maskwork::special_test
