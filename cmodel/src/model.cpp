// The golden model running by itself: groups become resident in order, waves take turns.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "machine.hpp"

namespace maskwork {

namespace {

using model::Access;
using model::Code;
using model::FaultCode;
using model::Machine;
using model::StepResult;
using model::Wave;
using model::WaveStatus;

/// Words a wave may run before the next one's turn: long enough to keep its registers in the cache, short enough that waves which
/// wait for each other in memory get on.
constexpr uint32_t turn = 1024;

/// One dispatch.
class Run {
 public:
  Run(Machine& machine, const DispatchState& state, const DispatchOptions& options)
      : machine_(machine), state_(state), options_(options),
        total_(uint64_t{state.groups[0]} * state.groups[1] * state.groups[2]) {}

  DispatchResult execute() {
    DispatchResult result;
    for (uint32_t slot = 0; slot < machine_.group_slots(); ++slot) launch_next(slot);
    while (done_ < total_ && !fault_) {
      bool moved = false;
      for (uint32_t slot = 0; slot < machine_.group_slots() && !fault_; ++slot)
        if (machine_.group(slot).resident) moved = run_group(slot) || moved;
      if (!moved && !fault_) {
        fault_ = Fault{FaultCode::DEADLOCK, {}, 0, 0, 0};
        result.wait_report = machine_.wait_report();
      }
    }
    if (fault_) result.fault = *fault_;
    result.counters = machine_.counters;
    return result;
  }

 private:
  void launch_next(uint32_t slot) {
    if (launched_ == total_) return;
    const auto x = static_cast<uint32_t>(launched_ % state_.groups[0]);
    const auto y = static_cast<uint32_t>(launched_ / state_.groups[0] % state_.groups[1]);
    const auto z = static_cast<uint32_t>(launched_ / state_.groups[0] / state_.groups[1]);
    machine_.launch(slot, {x, y, z}, static_cast<uint32_t>(launched_));
    ++launched_;
  }

  /// Gives each wave of the group a turn; whether any could move.
  bool run_group(uint32_t slot) {
    bool moved = false;
    for (uint32_t n = 0; n < machine_.residency().waves_per_group; ++n) {
      Wave& w = machine_.wave(slot, n);
      if (w.status != WaveStatus::Running) continue;
      moved = true;
      run_wave(w);
      if (fault_) return true;
      if (machine_.can_release(slot)) machine_.release(slot);
    }
    if (machine_.group_done(slot)) {
      machine_.end_group(slot);
      ++done_;
      if (options_.progress) options_.progress(done_, total_, 0);
      launch_next(slot);
    }
    return moved;
  }

  void run_wave(Wave& w) {
    const auto& code = machine_.code();
    uint32_t left = turn;
    while (left != 0 && w.status == WaveStatus::Running) {
      if (w.pc < code.size() && code.fast()[w.pc].fast && !w.pending.any()) {
        const uint32_t budget = options_.word_budget;
        const uint32_t limit = budget == 0 ? left : std::min(left, budget - std::min(budget, w.seq));
        if (limit != 0) {
          left -= machine_.run_fast(w, limit);
          continue;
        }
      }
      --left;
      machine_.step(w, step_, access_);
      if (step_.fault != FaultCode::NONE) {
        fault_ = machine_.fault_of(w, step_);
        return;
      }
      if (step_.step == model::Step::Mem) {
        machine_.perform(access_);
        if (access_.bus_error) {
          fault_ = Fault{FaultCode::BUS_ERROR, machine_.group(w.group).id, w.in_group, access_.pc, 0};
          return;
        }
      }
    }
  }

  Machine& machine_;
  const DispatchState& state_;
  const DispatchOptions& options_;
  const uint64_t total_;
  uint64_t launched_ = 0, done_ = 0;
  std::optional<Fault> fault_;
  StepResult step_;
  Access access_;
};

class Model final : public Device {
 public:
  explicit Model(const isa::Config& config) : config_(config) {}
  const isa::Config& config() const override { return config_; }
  std::string name() const override { return "model"; }

 protected:
  DispatchResult run(const DispatchState& state, const DispatchOptions& options) override {
    if (!code_ || decoded_load_ != load_count_ || decoded_constants_ != state.constants) {
      code_.emplace(program_, state.constants);
      decoded_load_ = load_count_;
      decoded_constants_ = state.constants;
    }
    // No more groups are set up than there are: a small dispatch does not pay for the whole unit.
    Residency residency = residency_;
    const uint64_t groups = uint64_t{state.groups[0]} * state.groups[1] * state.groups[2];
    residency.resident_groups = static_cast<uint32_t>(std::min<uint64_t>(residency.resident_groups, groups));
    Machine machine(config_, program_, residency, state, options, *code_, memory_);
    return Run(machine, state, options).execute();
  }

 private:
  const isa::Config config_;
  std::optional<Code> code_;
  uint64_t decoded_load_ = 0;
  std::vector<uint32_t> decoded_constants_;
};

}  // namespace

std::unique_ptr<Device> make_model(const isa::Config& config) { return std::make_unique<Model>(config); }

}  // namespace maskwork
