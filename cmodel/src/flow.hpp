#pragma once
// The flow-control step of docs/semantics.md in its level form: sets of threads per state, a level per thread.
#include <array>
#include <cstdint>

#include "decode.hpp"
#include "maskwork/records.hpp"

namespace maskwork::model {

using FaultCode = isa::Fault;

struct LoopFrame {
  uint32_t count = 0;
  bool endless = false, loop = false;  ///< loop: kind LOOP, else REP
  int16_t al = 0, step = 0;
  uint16_t db = 0;
};

struct CallFrame {
  uint32_t ra = 0;
  uint16_t lsp = 0, db = 0;
  bool inc = false;
};

struct FlowState {
  std::array<uint32_t, 6> in{};  ///< threads per isa::LaneState
  alignas(64) std::array<uint16_t, 32> level{};
  uint32_t db = 0, dl = 0, dc = 0;
  std::array<LoopFrame, isa::limit::loop_frames> loop;  ///< frame n is loop[n - 1]
  std::array<CallFrame, isa::limit::call_depth> call;

  uint32_t active() const { return in[0]; }
  uint32_t live() const { return ~in[5]; }
  int32_t al() const { return dl != 0 ? loop[dl - 1].al : 0; }
  void reset(uint32_t live_threads);
};

struct FlowInput {
  uint32_t pc = 0;
  uint32_t pred = 0;  ///< predicate per thread
  uint32_t alu = 0;   ///< ALU bit per thread
  bool boolean = false;
  bool full = false;
};

struct FlowOutcome {
  FaultCode fault = FaultCode::NONE;
  bool jump = false, ended = false;
  uint32_t next_pc = 0;
  FlowRecord::Frame frame = FlowRecord::Frame::None;
  uint32_t frame_a = 0, frame_b = 0, frame_c = 0;
};

/// One flow word that is not BAR, MEMBAR, NOP or END. After a fault the state is not defined.
FlowOutcome flow_step(FlowState& s, const Word& w, const FlowInput& in);

}  // namespace maskwork::model
