#pragma once
// The flow step in the counter form of the CTM machine, written for the test of mw_flow and sharing nothing with the
// model or the RTL but the word layout: a branch counter per thread, a BRK and a CONT mask per loop frame, a return counter
// per thread. It is turned into states and levels only to be compared.
#include <array>
#include <cstdint>
#include <vector>

#include "maskwork/isa.hpp"

namespace maskwork::flowtest {

/// Inputs of one step besides the word.
struct StepInput {
  isa::Word word;
  uint32_t pc = 0;
  uint32_t pred = 0;       ///< predicate, bit = thread
  uint32_t alu = 0;        ///< ALU bit, bit = thread
  bool alu_valid = true;
  uint32_t bools = 0;
};

/// What one step did, in the terms of the record.
struct StepResult {
  isa::Fault fault = isa::Fault::NONE;
  bool jump = false, ended = false;
  uint32_t next_pc = 0;
  uint32_t frame = 0, frame_a = 0, frame_b = 0, frame_c = 0;
};

class CounterWave {
 public:
  CounterWave(bool full, uint32_t live) : full_(full), live_(live) {}

  /// One flow word. After a fault the wave is as before.
  StepResult step(const StepInput& in);

  uint32_t active() const;
  uint32_t live() const { return live_; }
  uint32_t db() const { return db_; }
  uint32_t dl() const { return dl_; }
  uint32_t dc() const { return static_cast<uint32_t>(calls_.size()); }
  uint32_t al() const { return dl_ == 0 ? 0 : loops_[dl_ - 1].al & 0x3ff; }
  struct Threads {
    std::array<isa::LaneState, 32> state{};
    std::array<uint32_t, 32> level{};
  };
  /// States and levels: level = Db - branch counter, Dc - return counter, or the frame whose mask holds the thread.
  Threads threads() const;

  struct LoopFrame {
    uint32_t n = 0;
    bool endless = false, is_loop = false;
    int32_t al = 0, step = 0;
    uint32_t db = 0;
    uint32_t brk = 0, cont = 0;  ///< threads that wait for this frame
  };
  struct CallFrame {
    uint32_t ra = 0, lsp = 0, db = 0;
    bool inc = false;
  };
  const LoopFrame* top_loop() const { return dl_ == 0 ? nullptr : &loops_[dl_ - 1]; }
  const CallFrame* top_call() const { return calls_.empty() ? nullptr : &calls_.back(); }

 private:
  StepResult apply(const StepInput& in);
  uint32_t waiting_in_loops() const;

  bool full_;
  uint32_t live_;
  uint32_t db_ = 0, dl_ = 0;
  std::array<int32_t, 32> branch_ = [] { std::array<int32_t, 32> a; a.fill(-1); return a; }();    ///< -1: not branch-inactive
  std::array<int32_t, 32> returned_ = [] { std::array<int32_t, 32> a; a.fill(-1); return a; }();  ///< -1: not returned
  /// Frames by number; masks of frames above dl_ stay until the frame number is used again.
  std::array<LoopFrame, isa::limit::loop_frames> loops_{};
  std::vector<CallFrame> calls_;
};

}  // namespace maskwork::flowtest
