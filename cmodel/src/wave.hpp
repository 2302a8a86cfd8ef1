#pragma once
// One resident wave: its registers, condition codes, flow state and what its memory words still owe.
#include <array>
#include <cstdint>

#include "decode.hpp"
#include "flow.hpp"

namespace maskwork::model {

/// Registers that loads will write and that no word may use yet (docs/semantics.md, "Memory words").
class Pending {
 public:
  bool any() const { return any_; }
  void clear() { *this = {}; }
  void add(unsigned sem, uint32_t reg) {
    set(open_[sem], reg);
    any_ = true;
  }
  /// An ACQUIRE on `sem`: the next WAIT frees what has been loaded so far.
  void acquire(unsigned sem) {
    for (size_t n = 0; n < words; ++n) {
      held_[sem][n] |= open_[sem][n];
      open_[sem][n] = 0;
    }
  }
  void wait(unsigned sem) {
    held_[sem] = {};
    any_ = false;
    for (unsigned s = 0; s < 2; ++s)
      for (size_t n = 0; n < words; ++n) any_ = any_ || (open_[s][n] | held_[s][n]) != 0;
  }
  bool has(uint32_t reg) const {
    const size_t n = reg / 64;
    return (((open_[0][n] | open_[1][n] | held_[0][n] | held_[1][n]) >> (reg % 64)) & 1) != 0;
  }

 private:
  static constexpr size_t words = isa::limit::registers / 64;
  using Set = std::array<uint64_t, words>;
  static void set(Set& s, uint32_t reg) { s[reg / 64] |= uint64_t{1} << (reg % 64); }
  std::array<Set, 2> open_{}, held_{};
  bool any_ = false;
};

enum class WaveStatus : uint8_t { Free, Running, AtBarrier, Ended };

struct Wave {
  uint32_t number = 0;    ///< wave slot of the unit
  uint32_t group = 0;     ///< group slot
  uint32_t in_group = 0;  ///< wave inside its group
  WaveStatus status = WaveStatus::Free;
  uint32_t pc = 0, seq = 0;
  uint32_t alu = 0;       ///< ALU bits
  bool alu_valid = false;
  FlowState flow;
  Pending pending;
  /// Base of each row file, indexed by Sel.
  std::array<const char*, 4> base{};
  uint32_t* regs = nullptr;
  alignas(64) std::array<std::array<std::array<uint8_t, 32>, 4>, 3> cc{};
  alignas(64) std::array<std::array<uint32_t, 32>, 5> special{};
  std::array<int32_t, 32> a0{};

  uint32_t* row(uint32_t reg) { return regs + static_cast<size_t>(reg) * wave_threads; }
  const uint32_t* row(uint32_t reg) const { return regs + static_cast<size_t>(reg) * wave_threads; }
};

/// Predicate of an ALU or memory word: threads for which it holds.
inline uint32_t predicate(const rows::Table& rows, const Wave& w, const Word& d) {
  if (d.pred_always) return all_threads;
  if (d.pred_mask == 0) return 0;  // FL
  return rows.test(w.cc[d.pred_cc][d.pred_component].data(), d.pred_lut);
}

}  // namespace maskwork::model
