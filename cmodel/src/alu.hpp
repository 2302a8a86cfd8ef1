#pragma once
// ALU words, executed for a whole wave.
#include "wave.hpp"

namespace maskwork::model {

/// What an ALU word did, for lockstep.
struct AluTrace {
  uint32_t executing = 0;  ///< E
  uint32_t executed = 0;   ///< E and predicate
  uint32_t in_window = all_threads;  ///< threads whose destination register is inside the window
  alignas(64) uint32_t result[32];
  uint8_t flags[32];
};

/// Executes one good ALU word; does not advance the pc.
void execute_alu(const rows::Table& rows, Wave& w, const Word& d, uint32_t registers, AluTrace& t);

/// Whether the word reads or writes a pending register.
bool uses_pending(const Wave& w, const Word& d, uint32_t registers, uint32_t& reg);

/// Result, flags and condition of a word on rows of source values; the part of execution that has no machine state.
struct AluSources {
  const uint32_t* row[3];
  uint32_t carry = 0;             ///< CF of the chain component, per thread
  const uint8_t* zero = nullptr;  ///< flags of the chain component (chain_zero)
};
void compute(const rows::Table& rows, const Word& d, const AluSources& s, bool want_flags, uint32_t* result, uint8_t* flags);

}  // namespace maskwork::model
