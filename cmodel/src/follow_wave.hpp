#pragma once
// What the follower remembers of one wave: the word whose records are coming, and the memory words under way.
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "machine.hpp"

namespace maskwork::model {

/// A memory word from its issue to its last record.
struct Tracked {
  Access access;
  bool performed = false;
  std::array<uint32_t, 4> performed_mask{};  ///< threads whose M record has come
  std::array<uint32_t, 4> returned{};        ///< threads whose W record has come

  void start() {
    performed = false;
    performed_mask = {};
    returned = {};
  }
  bool all_performed() const {
    for (unsigned k = 0; k < 4; ++k)
      if ((access.in_bounds[k] & ~performed_mask[k]) != 0) return false;
    return performed;
  }
  bool all_returned() const {
    for (unsigned k = 0; k < 4; ++k)
      if ((access.written[k] & ~returned[k]) != 0) return false;
    return performed;
  }
};

/// Memory words are large and come and go; finished ones are used again.
class TrackedPool {
 public:
  std::unique_ptr<Tracked> take() {
    if (free_.empty()) free_.push_back(std::make_unique<Tracked>());
    auto t = std::move(free_.back());
    free_.pop_back();
    t->start();
    return t;
  }
  void give(std::unique_ptr<Tracked> t) { free_.push_back(std::move(t)); }

 private:
  std::vector<std::unique_ptr<Tracked>> free_;
};

struct FollowWave {
  StepResult result;                ///< of the newest word
  bool in_word = false;             ///< its R records are not complete
  bool faulted = false;             ///< its addresses are bad: beats may come, then the fault
  uint32_t seen = 0;                ///< threads of its beats so far
  uint32_t executing = 0, executed = 0;
  uint32_t special_written = 0;     ///< it is a word of the special unit: threads whose register it writes
  uint32_t special_due = 0;         ///< of those, threads whose W record has not come; the wave waits for them
  /// Memory words per unit (0 AXI, 1 shared) in program order: not performed, or with results under way.
  std::array<std::deque<std::unique_ptr<Tracked>>, 2> memory;
  std::array<uint32_t, 2> acquired{};  ///< 1 + number of the last word with ACQUIRE, 0 = none
  /// The last words, for messages.
  struct Past {
    uint32_t seq, pc;
    isa::Op op;
  };
  std::array<Past, 4> past{};
  uint32_t past_count = 0;

  void start() {
    in_word = faulted = false;
    special_written = special_due = 0;
    acquired = {};
    past_count = 0;
  }
  void remember(uint32_t seq, uint32_t pc, isa::Op op) { past[past_count++ % past.size()] = {seq, pc, op}; }
};

}  // namespace maskwork::model
