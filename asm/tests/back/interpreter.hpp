#pragma once
// A per-thread interpreter of checked programs: what the language says, one thread after the other, without microcode, waves or masks.
// Written from the language's rules only, so that it can judge the whole back end together with an engine.
#include <array>
#include <cstdint>
#include <vector>

#include "maskwork/asm/ast.hpp"

namespace maskwork::test {

struct Inputs {
  std::vector<std::array<uint32_t, 4>> local = std::vector<std::array<uint32_t, 4>>(256);
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::vector<std::vector<uint8_t>> storage;   ///< by binding
  std::vector<std::vector<uint8_t>> constant;  ///< parameter buffers, by binding
  uint32_t global_address = 0;                 ///< where storage[0] lies in global memory
  std::vector<uint32_t> subroutines;           ///< number that program.subroutine[n] holds
};

/// Runs all threads, one after the other, and changes `in.storage`. False if a thread executes more than `budget` instructions.
bool interpret(const ast::Program& program, Inputs& in, uint64_t budget = 1000000);

}  // namespace maskwork::test
