#pragma once
#include <cstdint>
#include <string>

namespace maskwork::test {

/// Text of a random program that ends, uses no undefined value, and whose threads touch only their own part of memory: storage binding 0,
/// 256 bytes per thread (global index), shared memory, 64 bytes per thread. program.local[0..1] are read.
struct RandomOptions {
  bool flow = true;
  bool calls = true;
  uint32_t group_x = 40;
};
std::string random_program(uint64_t seed, const RandomOptions& options = {});

}  // namespace maskwork::test
