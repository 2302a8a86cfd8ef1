#pragma once
// A long program of one work group, made word by word, with what each word must do to registers, condition codes and memories. What operations
// give comes from the references of the unit tests (cmodel/tests, verif/unit/mem), never from the model.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "words.hpp"

namespace maskwork::suite {

class Sheet {
 public:
  static constexpr uint32_t registers = 24;
  static constexpr uint32_t address8 = 12, address16 = 13;  ///< registers that hold localindex * 8 and * 16
  static constexpr uint32_t data_bytes = 1024, shared_bytes = 512;
  static constexpr uint32_t in_slot = 62, out_slot = 63;  ///< the other slots are ranges of the data buffer
  static constexpr int32_t al = 3, depth = 1;             ///< every word stands in a LOOP with this aL, in one call

  /// `in`: the input buffer, which loads of in_slot read.
  Sheet(const isa::Config& config, std::array<uint32_t, 3> group_size, std::vector<uint32_t> in, std::vector<uint32_t> constants);

  uint32_t threads() const { return threads_; }
  /// Where the data buffer lies, for global words.
  static uint32_t data_address();

  /// The word, performed by the threads that are active now.
  void emit(const isa::Word& w);
  /// IF of a predicate, or of the ALU bit that the last word wrote; and its end.
  void open(isa::Test test, uint32_t cc, uint32_t components);
  void open_alu();
  void close();
  /// Stores 2 or 4 registers from `reg` on in every active thread; a difference there is blamed on `what`.
  void store(const std::string& what, uint32_t reg, uint32_t count);
  /// Waits for both semaphores.
  void wait();

  /// Ends the program, runs it on the model and in lockstep where the RTL is in this build, and compares every memory with what must stand there.
  void run();
  size_t words() const { return program_.words.size(); }

 private:
  struct Near {
    isa::Op op;
    uint32_t a;
  };
  struct Thread {
    std::array<uint32_t, registers> reg{};
    std::array<std::optional<Near>, registers> near{};  ///< the register holds an approximate function
    std::array<std::array<uint8_t, 4>, 3> cc{};
    int32_t a0 = 0;
    bool alu = false, active = true;
  };
  /// What close() restores. A wave of which nobody is active jumps over the block.
  struct Block {
    size_t at;
    std::vector<bool> active, skipped;
  };
  struct Row {
    std::string what;
    size_t first;  ///< word of the output buffer
  };

  uint32_t source(const Thread& t, uint32_t index, const isa::Word& w, isa::Field file, isa::Field idx) const;
  int64_t relative(const Thread& t, const isa::Word& w) const;
  bool predicate(const Thread& t, const isa::Word& w) const;
  void open(const isa::Word& w, const std::vector<bool>& wanted);
  void alu(const isa::Word& w);
  void memory(const isa::Word& w);
  void check(const Outcome& o) const;

  isa::Config config_;
  std::array<uint32_t, 3> size_;
  uint32_t threads_;
  Program program_;
  std::vector<uint32_t> constants_, data_, in_, out_, shared_;
  std::vector<std::optional<Near>> near_out_;
  std::vector<Thread> state_;
  std::vector<bool> skipped_;  ///< by wave
  std::vector<Block> open_;
  std::vector<Row> rows_;
};

}  // namespace maskwork::suite
