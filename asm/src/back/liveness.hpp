#pragma once
// Which registers, condition codes and A0 a thread still needs, block by block. The graph is that of one thread: masks do not matter,
// because every thread has its own registers and executes just the words of its own path.
#include <vector>

#include "ir.hpp"

namespace maskwork::back {

/// Everything that a word reads and writes, as numbers: virtual registers, then 12 condition-code components, then A0.
struct Accesses {
  std::vector<uint32_t> reads;
  std::vector<uint32_t> writes;        ///< for certain and as a whole: the old value is gone
  std::vector<uint32_t> part_writes;   ///< under a predicate, or one element of an array: the old value may stay
};

class Liveness {
 public:
  explicit Liveness(const IrProgram& ir);

  struct Block {
    uint32_t first = 0, end = 0;               ///< word indices
    std::vector<uint32_t> next, previous;
    std::vector<uint32_t> live_out;
  };
  const std::vector<Block>& blocks() const { return blocks_; }
  uint32_t count() const { return count_; }
  void accesses(const IrWord& word, Accesses& out) const;
  uint32_t cc(unsigned code, unsigned component) const { return vregs_ + code * 4 + component; }
  uint32_t a0() const { return vregs_ + 12; }

 private:
  void build_blocks();
  void solve();

  const IrProgram& ir_;
  uint32_t vregs_, count_;
  std::vector<Block> blocks_;
};

}  // namespace maskwork::back
