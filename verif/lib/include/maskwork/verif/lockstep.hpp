#pragma once
// The lockstep scoreboard: hands the unit's records to the golden model, which computes every value itself, and keeps the last records of every
// wave so that the first difference can be told in full.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maskwork/follower.hpp"
#include "maskwork/object.hpp"
#include "maskwork/verif/component.hpp"
#include "maskwork/verif/record_file.hpp"

namespace maskwork::verif {

/// A record as it is kept for reports.
struct KeptRecord {
  enum class Kind : uint8_t { None, Retire, Flow, Memory, Load };
  Kind kind = Kind::None;
  bool flag = false;       // Retire: destination written; Flow: jump; Memory: shared
  bool cc = false;
  uint8_t beat = 0, component = 0;
  uint32_t seq = 0, pc = 0, active = 0, mask = 0, next_pc = 0, reg = 0;
  uint16_t db = 0, dl = 0, dc = 0;
  uint64_t cycle = 0;
  uint32_t first_thread = 0;
  std::array<uint32_t, 4> value{}, address{};  // of up to four threads of the mask
};

/// What a wave did last; answers "what does every wave wait for".
class WaveHistory {
 public:
  static constexpr size_t depth = 12;

  WaveHistory(const isa::Config& config, const Program& program, const Residency& residency);

  void launch(const LaunchEvent& e);
  void group_end(uint32_t slot);
  void barrier_release(uint32_t slot);
  void retire(const RetireRecord& r, uint64_t cycle);
  void flow(const FlowRecord& f, uint64_t cycle);
  void memory(const MemoryRecord& m, uint64_t cycle);
  void load(const LoadRecord& w, uint64_t cycle);

  struct Slot {
    bool used = false;
    std::array<uint32_t, 3> group{};
    uint32_t number = 0;
  };
  const Slot& slot(uint32_t s) const { return slots_[s]; }
  /// One record as a line of text.
  std::string text(const KeptRecord& k) const;
  /// The record that was kept last, of whichever wave.
  const KeptRecord& newest() const { return *newest_; }
  /// The last records of one wave, oldest first, a line each.
  std::string last_records(uint32_t wave) const;
  /// What the waves of all resident groups wait for, a line each.
  std::string waiting() const;
  /// "saxpy.nvcp:14:3: ADD.F32 ..." of a word.
  std::string describe(uint32_t pc) const;

 private:
  struct Wave {
    std::array<KeptRecord, depth> ring{};
    uint32_t next = 0;
    uint32_t next_pc = 0;     // where the wave goes on
    uint32_t words = 0;       // retired
    bool at_barrier = false, ended = false, started = false;
    // Memory words issued (R record) and completed as far as records tell.
    uint32_t shared_issued = 0, shared_begun = 0, axi_issued = 0, axi_begun = 0;
  };
  KeptRecord& keep(uint32_t wave) {
    Wave& w = waves_[wave];
    KeptRecord& k = w.ring[w.next++ % depth];
    newest_ = &k;
    return k;
  }
  KeptRecord* newest_ = nullptr;
  const isa::Config& config_;
  const Program& program_;
  Residency residency_;
  std::vector<Slot> slots_;
  std::vector<Wave> waves_;
};

class LockstepScoreboard : public Component, private RecordSink {
 public:
  /// Without a follower it only keeps the history.
  LockstepScoreboard(const isa::Config& config, const Program& program, const Residency& residency, std::unique_ptr<Follower> follower);

  void sample(RtlSim& sim) override;

  /// Writes every record as a line of text to `file`, which stays the caller's; nullptr = no log.
  void log_to(RecordFile* file) { log_ = file; }

  /// The first difference, told in full; empty if there is none.
  const std::string& mismatch() const { return mismatch_; }
  /// The model's word on a register that is used before its load returned; the records end there.
  const std::optional<Fault>& use_before_wait() const { return use_before_wait_; }
  bool stopped() const { return !mismatch_.empty() || use_before_wait_; }
  /// End of the dispatch: compares what is left over.
  void finish();
  bool faulted() const { return fault_.code != isa::Fault::NONE; }
  const Fault& fault() const { return fault_; }
  uint64_t groups_ended() const { return groups_; }
  uint64_t words() const { return words_; }  ///< retired, as the records tell
  uint64_t last_record_cycle() const { return last_record_; }
  const WaveHistory& history() const { return history_; }
  Follower* follower() { return follower_.get(); }

 private:
  void launch(const LaunchEvent& e) override;
  void memory(const MemoryRecord& m) override;
  void load(const LoadRecord& w) override;
  void retire(const RetireRecord& r) override;
  void flow(const FlowRecord& f) override;
  void barrier_release(uint32_t slot) override;
  void group_end(uint32_t slot) override;
  void fault(isa::Fault code, uint32_t wave, uint32_t pc, uint32_t lanes) override;
  void note(const std::optional<Mismatch>& m, bool has_wave = true) {
    if (!m) [[likely]] return;
    if (m->fault.code == isa::Fault::NONE) describe(*m, has_wave);
    else use_before_wait_ = m->fault;
  }
  void describe(const Mismatch& m, bool has_wave);
  void log(uint32_t wave);

  WaveHistory history_;
  RecordFile* log_ = nullptr;
  std::unique_ptr<Follower> follower_;
  uint32_t waves_per_group_;
  std::string mismatch_;
  Fault fault_;
  std::optional<Fault> use_before_wait_;
  uint64_t groups_ = 0, words_ = 0, cycle_ = 0, last_record_ = 0;
};

}  // namespace maskwork::verif
