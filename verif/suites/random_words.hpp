#pragma once
// Random legal programs of ALU and memory words under masks: everything the table allows, corner values included.
#include <cstdint>
#include <vector>

#include "maskwork/object.hpp"

namespace maskwork::suite {

struct RandomProgram {
  Program program;
  std::vector<std::vector<uint32_t>> storage;  ///< by binding: initial contents, rich in corner values
  uint32_t groups = 1;
};

/// The same program for the same seed on every platform. `threads`: largest work group.
RandomProgram random_program(uint64_t seed, uint32_t max_threads);

}  // namespace maskwork::suite
