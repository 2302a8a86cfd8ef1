#pragma once
// The machine: resident groups and waves and the step of one word. Who steps when is decided outside: the model's own scheduler
// (model.cpp) or the RTL's records (follower.cpp).
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "alu.hpp"
#include "flow.hpp"
#include "group.hpp"
#include "maskwork/device.hpp"
#include "mem.hpp"
#include "wave.hpp"

namespace maskwork::model {

/// What one word did.
struct StepResult {
  Step step = Step::Bad;
  FaultCode fault = FaultCode::NONE;
  uint32_t lanes = 0;              ///< threads to blame for the fault
  uint32_t pc = 0, seq = 0;        ///< of the word
  const Word* word = nullptr;
  AluTrace alu;
  FlowOutcome flow;
  uint32_t pending_register = 0;   ///< SEM_USE: which one
};

class Machine {
 public:
  /// `memory` must outlive the machine; it may be written until the first step.
  Machine(const isa::Config& config, const Program& program, const Residency& residency, const DispatchState& state,
          const DispatchOptions& options, const Code& code, Memory& memory);

  void launch(uint32_t slot, const std::array<uint32_t, 3>& id, uint32_t number);

  /// Executes the wave's next word. A memory word is issued into `access`; who steps has it performed.
  void step(Wave& w, StepResult& r, Access& access);
  void perform(Access& a) { model::perform(a, target(*a.word, groups_[a.wave->group]), memory_, program_.registers, rows_); }
  /// Executes words that need no more than a row function, at most `limit`; returns how many.
  uint32_t run_fast(Wave& w, uint32_t limit);

  /// All waves of the group that have not ended wait at the barrier.
  bool can_release(uint32_t slot) const;
  void release(uint32_t slot);
  bool group_done(uint32_t slot) const { return groups_[slot].ended == residency_.waves_per_group; }
  void end_group(uint32_t slot);

  Wave& wave(uint32_t slot, uint32_t in_group) { return waves_[slot * residency_.waves_per_group + in_group]; }
  Wave& wave(uint32_t number) { return waves_[number]; }
  uint32_t wave_count() const { return static_cast<uint32_t>(waves_.size()); }
  Group& group(uint32_t slot) { return groups_[slot]; }
  uint32_t group_slots() const { return static_cast<uint32_t>(groups_.size()); }
  const Residency& residency() const { return residency_; }
  const Program& program() const { return program_; }
  const Code& code() const { return code_; }
  Memory& memory() { return memory_; }
  Fault fault_of(const Wave& w, const StepResult& r) const;
  /// What every resident wave waits for, one line each.
  std::string wait_report() const;

  std::array<uint64_t, isa::counters.size()> counters{};
  uint64_t& counter(isa::Counter c) { return counters[static_cast<size_t>(c)]; }

 private:
  Target target(const Word& d, const Group& g) const;
  FaultCode check(const Wave& w, const Word& d, StepResult& r) const;
  void step_alu(Wave& w, const Word& d, StepResult& r);
  void step_mem(Wave& w, const Word& d, StepResult& r, Access& access);
  void step_flow(Wave& w, const Word& d, StepResult& r);
  bool arrive(Wave& w, StepResult& r);

  const isa::Config& config_;
  const Program& program_;
  const Residency residency_;
  const DispatchState& state_;
  const Code& code_;
  const rows::Table& rows_;
  Memory& memory_;
  FillMode fill_mode_;
  uint32_t fill_seed_, budget_;
  std::vector<Target> slots_;
  std::vector<Wave> waves_;
  std::vector<Group> groups_;
  std::vector<uint32_t> registers_;
};

}  // namespace maskwork::model
