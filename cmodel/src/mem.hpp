#pragma once
// Memory words in two steps, as the unit does them: issue reads the registers, perform does the access.
#include "maskwork/memory.hpp"
#include "wave.hpp"

namespace maskwork::model {

struct Access {
  Wave* wave = nullptr;
  const Word* word = nullptr;
  uint32_t pc = 0, seq = 0;
  uint32_t executing = 0;   ///< E: threads that access
  uint32_t executed = 0;    ///< E and predicate: threads whose register may be written
  uint32_t faulty = 0;      ///< threads of E with a bad address (checks: an upper half that is not 0); if any, the word is not performed
  uint32_t base = 0;
  uint64_t bound = 0;
  alignas(64) uint32_t address[32];  ///< of component 0, without the base
  alignas(64) uint32_t data[4][32];  ///< values stored; atomics: operand
  alignas(64) uint32_t data2[32];    ///< CSWAP: new value
  // After perform:
  bool bus_error = false;            ///< an access inside the bound has no memory behind it
  uint32_t in_bounds[4];             ///< per component, threads of E
  uint32_t written[4];               ///< per component, threads whose register is written
  alignas(64) uint32_t loaded[4][32];  ///< loads: values; atomics: old values in [0]
  alignas(64) uint32_t stored[32];     ///< atomics: new memory values
};

/// Where a memory word goes.
struct Target {
  uint32_t base = 0;            ///< physical address of the first byte; 0 for shared and global memory
  uint64_t bound = 0;           ///< bytes; 2^32 for global memory
  uint8_t* bytes = nullptr;     ///< host memory of the range, null if not all of it exists
};

void issue(const rows::Table& rows, Wave& w, const Word& d, uint32_t registers, const Target& target, Access& a);

/// Performs the access and writes the loads' registers. `memory`: the device memory, for ranges without `bytes`.
void perform(Access& a, const Target& target, Memory& memory, uint32_t registers, const rows::Table& rows);

}  // namespace maskwork::model
