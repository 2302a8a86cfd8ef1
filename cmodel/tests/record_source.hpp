#pragma once
// Plays the RTL for tests of the follower: runs a program on the model's machine in an order of its own (waves interleaved at random,
// memory words performed late) and writes the records that the RTL would give.
#include <optional>
#include <variant>
#include <vector>

#include "kernel.hpp"
#include "machine.hpp"
#include "maskwork/follower.hpp"
#include "operands.hpp"

namespace maskwork::test {

struct BarrierEvent {
  uint32_t slot;
};
struct GroupEndEvent {
  uint32_t slot;
};
struct FaultEvent {
  Fault fault;
  uint32_t slot;
};
using Record = std::variant<LaunchEvent, RetireRecord, FlowRecord, MemoryRecord, LoadRecord, BarrierEvent, GroupEndEvent, FaultEvent>;

/// A program with its device state, as a harness would have it.
struct Scene {
  isa::Config config;
  Program program;
  Residency residency;
  DispatchState state;
  DispatchOptions options;
  Memory memory;

  std::unique_ptr<Follower> follower() const { return make_follower(config, program, residency, state, options, memory); }
};

class RecordSource {
 public:
  explicit RecordSource(const Scene& scene, uint64_t seed)
      : scene_(scene), memory_(scene.memory), code_(scene.program, scene.state.constants),
        machine_(scene_.config, scene_.program, scene_.residency, scene_.state, scene_.options, code_, memory_), random_(seed),
        waiting_(machine_.wave_count()), special_(machine_.wave_count()) {}

  std::vector<Record> run();
  const Memory& memory() const { return memory_; }

 private:
  void step(model::Wave& w);
  void emit_retire(const model::Wave& w, uint32_t executing, uint32_t executed, const model::AluTrace* alu);
  void emit_flow(const model::Wave& w);
  void emit_memory(model::Access& a);
  void perform_up_to(uint32_t wave, uint32_t left);
  void return_results();
  void hold_special(const model::Wave& w);
  void return_special(uint32_t wave);
  void launch(uint32_t slot);

  const Scene& scene_;
  Memory memory_;
  model::Code code_;
  model::Machine machine_;
  Random random_;
  std::vector<std::vector<std::unique_ptr<model::Access>>> waiting_;  ///< per wave, issued and not performed
  std::vector<Record> records_;
  std::vector<LoadRecord> results_;  ///< of performed words, under way
  std::vector<std::vector<LoadRecord>> special_;  ///< per wave, results of its word of the special unit
  model::StepResult result_;
  uint64_t launched_ = 0, ended_ = 0;
  bool faulted_ = false;
};

/// Feeds the records; the first difference, with the index of the record that showed it (records.size() = finish).
std::optional<std::pair<size_t, Mismatch>> follow(Follower& follower, const std::vector<Record>& records);

}  // namespace maskwork::test
