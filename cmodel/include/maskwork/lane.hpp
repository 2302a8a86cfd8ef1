#pragma once
// One ALU word on given source values: the golden model of a lane and of the special unit, without registers and waves. For tests of
// the RTL's units and of the model itself.
#include <array>
#include <cstdint>

#include "maskwork/isa.hpp"

namespace maskwork {

struct LaneResult {
  uint32_t value = 0;
  uint8_t flags = 0;   ///< C O S Z nibble, as a word with a condition-code destination would write
  bool holds = false;  ///< comparisons: the ALU bit
};

/// Executes the word's operation, type, modifiers, clamp and chain bits on sources a, b, c (before modifiers). `chain_flags` is the
/// flags nibble of CC2.chain_comp. The word must be a good ALU word; its registers and predicate are not looked at.
LaneResult lane_execute(const isa::Word& word, uint32_t a, uint32_t b, uint32_t c, uint8_t chain_flags = 0);

/// The same for 32 sets of sources at once. Words of the special unit: the 32 threads of a wave; `executing` says which of them votes
/// and shuffles see, and the results of the others have no meaning.
struct LaneBatch {
  alignas(64) std::array<uint32_t, 32> a{}, b{}, c{}, value{};
  std::array<uint8_t, 32> chain_flags{}, flags{};
  uint32_t holds = 0;
  uint32_t executing = 0xffffffffu;
};
void lane_execute(const isa::Word& word, LaneBatch& batch);

}  // namespace maskwork
