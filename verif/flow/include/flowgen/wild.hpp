#pragma once
// Programs of random flow words that no compiler makes: most end in a fault. Both engines must reach the same one, with equal records
// up to there.
#include "maskwork/object.hpp"

namespace maskwork::flowgen {

Program wild_program(uint64_t seed, uint32_t max_threads);

/// Words after which a wild program that runs in a circle has shown enough.
inline constexpr uint32_t wild_budget = 3000;

}  // namespace maskwork::flowgen
