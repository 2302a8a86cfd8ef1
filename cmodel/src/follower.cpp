// The golden model in lockstep: steps a wave when the RTL's records say so, and compares all that they tell.
#include "maskwork/follower.hpp"

#include <fmt/format.h>

#include "follow_wave.hpp"

namespace maskwork {

namespace {

using model::Code;
using model::FaultCode;
using model::FollowWave;
using model::Machine;
using model::Step;
using model::StepResult;
using model::Tracked;
using model::Wave;
using model::WaveStatus;

using Result = std::optional<Mismatch>;

class ModelFollower final : public Follower {
 public:
  ModelFollower(const isa::Config& config, const Program& program, const Residency& residency, const DispatchState& state,
                const DispatchOptions& options, const Memory& memory)
      : config_(config), program_(program), state_(state), memory_(memory), code_(program_, state_.constants),
        machine_(config_, program_, residency, state_, options, code_, memory_), waves_(machine_.wave_count()),
        total_(uint64_t{state.groups[0]} * state.groups[1] * state.groups[2]) {}

  Result launch(const LaunchEvent& e) override;
  Result group_end(uint32_t slot) override;
  Result barrier_release(uint32_t slot) override;
  Result retire(const RetireRecord& r) override;
  Result flow(const FlowRecord& f) override;
  Result memory(const MemoryRecord& m) override;
  Result load(const LoadRecord& w) override;
  Result fault(const Fault& f, uint32_t slot) override;
  Result finish() override;
  const Memory& memory() const override { return memory_; }
  std::array<uint64_t, isa::counters.size()> counters() const override { return machine_.counters; }

 private:
  template <class... Args>
  Result differ(const FollowWave& f, const Wave& w, fmt::format_string<Args...> text, Args&&... args) const {
    return describe(f, w, fmt::format(text, std::forward<Args>(args)...));
  }
  Result describe(const FollowWave& f, const Wave& w, std::string what) const;
  Result event(std::string what) const { return Mismatch{0, 0, 0, std::move(what)}; }
  /// Steps the wave's next word; `step` says of which kind the RTL's record is.
  Result advance(FollowWave& f, Wave& w, uint32_t seq, uint32_t pc, bool flow);
  Result check_waits(const FollowWave& f, const Wave& w, const model::Word& d, uint32_t seq) const;
  Result special_result(FollowWave& f, const Wave& w, const LoadRecord& r) const;
  Result check_state(const FollowWave& f, const Wave& w, const FlowRecord& r) const;
  Result check_performed(const Tracked& t) const;
  void drop_complete(FollowWave& f);
  /// A word that its unit refuses after some of its beats; what the unit has not begun is dropped with it (docs/architecture.md, Faults).
  static bool is_address_fault(FaultCode code) { return code == FaultCode::MISALIGNED || code == FaultCode::ADDRESS; }

  const isa::Config config_;
  const Program program_;
  const DispatchState state_;
  Memory memory_;
  const Code code_;
  Machine machine_;
  std::vector<FollowWave> waves_;
  model::TrackedPool pool_;
  std::array<Tracked*, 2> current_{};  ///< per unit: the word being performed
  std::array<std::unique_ptr<Tracked>, 2> retired_;  ///< keeps `current_` alive after its results are complete
  const uint64_t total_;
  uint64_t launched_ = 0, ended_ = 0;
  FaultCode fault_ = FaultCode::NONE;
};

Result ModelFollower::describe(const FollowWave& f, const Wave& w, std::string what) const {
  const StepResult& r = f.result;
  std::string text = r.word != nullptr ? fmt::format("{}: {}", isa::to_string(r.word->op), what) : std::move(what);
  if (f.past_count > 1) {
    text += " (before it:";
    const uint32_t kept = std::min<uint32_t>(f.past_count, f.past.size());
    for (uint32_t n = f.past_count - kept; n + 1 < f.past_count; ++n) {
      const auto& p = f.past[n % f.past.size()];
      text += fmt::format(" {} at {}", isa::to_string(p.op), p.pc);
    }
    text += ")";
  }
  return Mismatch{w.number, r.seq, r.pc, std::move(text)};
}

// ------------------------------------------------------------------------------------------------------------- events
Result ModelFollower::launch(const LaunchEvent& e) {
  if (e.slot >= machine_.group_slots()) return event(fmt::format("group launched in slot {}, there are {}", e.slot, machine_.group_slots()));
  if (machine_.group(e.slot).resident) return event(fmt::format("group launched in slot {}, which is taken", e.slot));
  if (launched_ == total_) return event(fmt::format("more groups launched than the {} of the dispatch", total_));
  const auto number = static_cast<uint32_t>(launched_);
  const std::array<uint32_t, 3> id{static_cast<uint32_t>(launched_ % state_.groups[0]),
                                   static_cast<uint32_t>(launched_ / state_.groups[0] % state_.groups[1]),
                                   static_cast<uint32_t>(launched_ / state_.groups[0] / state_.groups[1])};
  if (e.number != number || e.group != id)
    return event(fmt::format("launch: rtl group {},{},{} number {}, model group {},{},{} number {}", e.group[0], e.group[1], e.group[2],
                             e.number, id[0], id[1], id[2], number));
  const uint32_t per_group = machine_.residency().waves_per_group;
  for (uint32_t n = e.slot * per_group; n < (e.slot + 1) * per_group; ++n) {
    FollowWave& f = waves_[n];
    drop_complete(f);
    for (const auto& unit : f.memory)
      if (!unit.empty()) return describe(f, machine_.wave(n), "the wave slot was launched again before its memory words were complete");
    f.start();
  }
  machine_.launch(e.slot, id, number);
  ++launched_;
  return {};
}

Result ModelFollower::group_end(uint32_t slot) {
  if (slot >= machine_.group_slots() || !machine_.group(slot).resident) return event(fmt::format("a group ended in slot {}, which is empty", slot));
  if (!machine_.group_done(slot))
    return event(fmt::format("group in slot {} ended: rtl; model: {} of {} waves have ended", slot, machine_.group(slot).ended,
                             machine_.residency().waves_per_group));
  machine_.end_group(slot);
  ++ended_;
  return {};
}

Result ModelFollower::barrier_release(uint32_t slot) {
  if (slot >= machine_.group_slots() || !machine_.group(slot).resident) return event(fmt::format("barrier released in slot {}, which is empty", slot));
  if (!machine_.can_release(slot))
    return event(fmt::format("barrier of slot {} released: rtl; model:\n{}", slot, machine_.wait_report()));
  machine_.release(slot);
  return {};
}

Result ModelFollower::fault(const Fault& f, uint32_t slot) {
  fault_ = f.code;
  if (f.code == FaultCode::BUS_ERROR || f.code == FaultCode::DEADLOCK) return {};
  if (slot >= machine_.group_slots() || !machine_.group(slot).resident || f.wave >= machine_.residency().waves_per_group)
    return event(fmt::format("fault {} in slot {} wave {}, where no wave is", isa::to_string(f.code), slot, f.wave));
  Wave& w = machine_.wave(slot, f.wave);
  FollowWave& follow = waves_[w.number];
  if (!follow.faulted) {
    if (follow.in_word) return describe(follow, w, fmt::format("fault {} before the word's last record", isa::to_string(f.code)));
    auto t = pool_.take();
    machine_.step(w, follow.result, t->access);
    pool_.give(std::move(t));
  }
  const StepResult& r = follow.result;
  const Fault own = machine_.fault_of(w, r);
  if (own == f) return {};
  return differ(follow, w, "fault: rtl {} at pc {} group {},{},{} wave {} threads {:08x}, model {} at pc {} group {},{},{} wave {} threads {:08x}",
                isa::to_string(f.code), f.pc, f.group[0], f.group[1], f.group[2], f.wave, f.lanes, isa::to_string(own.code), own.pc,
                own.group[0], own.group[1], own.group[2], own.wave, own.lanes);
}

Result ModelFollower::finish() {
  if (fault_ == FaultCode::BUS_ERROR || fault_ == FaultCode::DEADLOCK) return {};
  for (uint32_t n = 0; n < waves_.size(); ++n) {
    FollowWave& f = waves_[n];
    drop_complete(f);
    if (f.in_word && !f.faulted) return describe(f, machine_.wave(n), "the word's last record never came");
    if (f.special_due != 0) return differ(f, machine_.wave(n), "its results of threads {:08x} never came", f.special_due);
    for (const auto& unit : f.memory)
      for (const auto& t : unit) {
        if (!t->performed && is_address_fault(fault_)) continue;
        const char* what = t->performed ? (t->all_performed() ? "its load results never came" : "some of its accesses never came") : "it was never performed";
        return Mismatch{n, t->access.seq, t->access.pc, fmt::format("{}: {}", isa::to_string(t->access.word->op), what)};
      }
  }
  if (fault_ == FaultCode::NONE && (launched_ != total_ || ended_ != total_))
    return event(fmt::format("{} groups launched and {} ended, the dispatch has {}", launched_, ended_, total_));
  return {};
}

// -------------------------------------------------------------------------------------------------------------- words
Result ModelFollower::check_waits(const FollowWave& f, const Wave& w, const model::Word& d, uint32_t seq) const {
  for (unsigned unit = 0; unit < 2; ++unit) {
    const bool membar = d.op == isa::Op::MEMBAR || d.op == isa::Op::MEMBAR_CTA || d.op == isa::Op::BAR;
    const bool waits = ((d.sem_wait >> unit) & 1) != 0;
    if (!membar && !waits) continue;
    for (const auto& t : f.memory[unit]) {
      if (t->access.word->no_access || t->access.seq == seq) continue;
      if (!membar && t->access.seq >= f.acquired[unit]) continue;
      const bool complete = d.op == isa::Op::MEMBAR_CTA && !waits ? t->all_performed() : t->all_performed() && t->all_returned();
      if (!complete)
        return differ(f, w, "went on before word {} ({} at pc {}) was complete", t->access.seq, isa::to_string(t->access.word->op), t->access.pc);
    }
  }
  return {};
}

Result ModelFollower::advance(FollowWave& f, Wave& w, uint32_t seq, uint32_t pc, bool flow) {
  if (f.in_word) return differ(f, w, "word {} at pc {} started before this one's last record", seq, pc);
  if (f.special_due != 0) return differ(f, w, "word {} at pc {} started before the results of threads {:08x} were written", seq, pc, f.special_due);
  if (w.status != WaveStatus::Running) {
    const char* why = w.status == WaveStatus::AtBarrier ? "waits at a barrier" : w.status == WaveStatus::Ended ? "has ended" : "is not launched";
    return differ(f, w, "word {} at pc {} of a wave that {}", seq, pc, why);
  }
  auto t = pool_.take();
  machine_.step(w, f.result, t->access);
  const StepResult& r = f.result;
  f.remember(r.seq, r.pc, r.word != nullptr ? r.word->op : isa::Op::BAD);
  if (r.seq != seq || r.pc != pc) return differ(f, w, "rtl word {} at pc {}, model word {} at pc {}", seq, pc, r.seq, r.pc);
  const bool bad_address = is_address_fault(r.fault);
  if (r.fault == FaultCode::SEM_USE) {
    Result use = differ(f, w, "SEM_USE: register {} is used before the WAIT that its load needs", r.pending_register);
    use->fault = machine_.fault_of(w, r);
    return use;
  }
  if (r.fault != FaultCode::NONE && !bad_address) return differ(f, w, "rtl executes the word, model: fault {}", isa::to_string(r.fault));
  if ((r.step == Step::Flow) != flow) return differ(f, w, "rtl and model disagree on whether this is a flow word");
  if (r.word->sem_wait != 0 || flow)
    if (Result m = check_waits(f, w, *r.word, seq)) return m;
  f.faulted = bad_address;
  f.special_written = r.step == Step::Alu && r.word->special ? r.alu.executed & r.alu.in_window : 0;
  f.special_due = f.special_written;
  if (r.step != Step::Mem) {
    pool_.give(std::move(t));
    return {};
  }
  f.executing = t->access.executing;
  f.executed = t->access.executed;
  if (bad_address) {
    pool_.give(std::move(t));
    return {};
  }
  drop_complete(f);
  const unsigned unit = r.word->shared ? 1 : 0;
  if (r.word->sem_acquire) f.acquired[unit] = seq + 1;
  f.memory[unit].push_back(std::move(t));
  return {};
}

Result ModelFollower::retire(const RetireRecord& r) {
  if (r.wave >= waves_.size()) return event(fmt::format("R record of wave {}, there are {}", r.wave, waves_.size()));
  FollowWave& f = waves_[r.wave];
  Wave& w = machine_.wave(r.wave);
  if (r.first) {
    if (Result m = advance(f, w, r.seq, r.pc, false)) return m;
    f.in_word = true;
    f.seen = 0;
    if (f.result.step == Step::Alu) {
      f.executing = f.result.alu.executing;
      f.executed = f.result.alu.executed;
    }
  } else if (!f.in_word || r.seq != f.result.seq || r.pc != f.result.pc) {
    return differ(f, w, "a beat of word {} at pc {} without its first record", r.seq, r.pc);
  }
  const uint32_t lanes = config_.lanes;
  if (r.beat >= config_.beats()) return differ(f, w, "beat {} of {}", r.beat, config_.beats());
  const uint32_t threads = (lanes == 32 ? model::all_threads : (1u << lanes) - 1) << (r.beat * lanes);
  if ((f.seen & threads) != 0) return differ(f, w, "beat {} came twice", r.beat);
  f.seen |= threads;
  if (r.active != (f.executing & threads)) return differ(f, w, "executing threads of beat {}: rtl {:08x}, model {:08x}", r.beat, r.active, f.executing & threads);
  if (r.executed != (f.executed & threads)) return differ(f, w, "predicate of beat {}: rtl {:08x}, model {:08x}", r.beat, r.executed, f.executed & threads);
  if (f.result.step == Step::Alu && !f.result.word->special) {
    const model::Word& d = *f.result.word;
    const model::AluTrace& t = f.result.alu;
    const bool cc = d.cc_dst != 3;
    if (r.dst_en != d.dst_en || r.cc_en != cc)
      return differ(f, w, "destination and condition-code writes: rtl {} {}, model {} {}", r.dst_en, r.cc_en, d.dst_en, cc);
    const uint32_t wrote = f.executed & threads;
    for (uint32_t m = d.dst_en ? wrote & t.in_window : 0; m != 0; m &= m - 1) {
      const int i = __builtin_ctz(m);
      if (r.data[i] != t.result[i]) return differ(f, w, "data of thread {}: rtl 0x{:08x}, model 0x{:08x}", i, r.data[i], t.result[i]);
    }
    for (uint32_t m = cc ? wrote : 0; m != 0; m &= m - 1) {
      const int i = __builtin_ctz(m);
      if (r.flags[i] != t.flags[i]) return differ(f, w, "flags (COSZ) of thread {}: rtl {:04b}, model {:04b}", i, r.flags[i], t.flags[i]);
    }
  }
  if (r.last) {
    f.in_word = false;
    if ((f.executing & ~f.seen) != 0) return differ(f, w, "no record of the executing threads {:08x}", f.executing & ~f.seen);
  }
  return {};
}

Result ModelFollower::check_state(const FollowWave& f, const Wave& w, const FlowRecord& r) const {
  const model::FlowState& s = w.flow;
  if (r.db != s.db || r.dl != s.dl || r.dc != s.dc)
    return differ(f, w, "Db Dl Dc: rtl {} {} {}, model {} {} {}", r.db, r.dl, r.dc, s.db, s.dl, s.dc);
  std::array<uint32_t, 6> in{};
  for (unsigned t = 0; t < 32; ++t)
    if (r.state[t] < in.size()) in[r.state[t]] |= 1u << t;
  if (in != s.in) {
    for (unsigned t = 0; t < 32; ++t)
      for (uint8_t own = 0; own < in.size(); ++own)
        if (((s.in[own] >> t) & 1) != 0 && r.state[t] != own)
          return differ(f, w, "state of thread {}: rtl {}, model {}", t, isa::to_string(static_cast<isa::LaneState>(r.state[t])),
                        isa::to_string(static_cast<isa::LaneState>(own)));
  }
  const uint32_t waiting = s.in[1] | s.in[2] | s.in[3] | s.in[4];
  for (unsigned t = 0; t < 32; ++t) {
    const uint16_t own = ((waiting >> t) & 1) != 0 ? s.level[t] : 0;
    if (r.level[t] != own) return differ(f, w, "level of thread {}: rtl {}, model {}", t, r.level[t], own);
  }
  return {};
}

Result ModelFollower::flow(const FlowRecord& r) {
  if (r.wave >= waves_.size()) return event(fmt::format("F record of wave {}, there are {}", r.wave, waves_.size()));
  FollowWave& f = waves_[r.wave];
  Wave& w = machine_.wave(r.wave);
  if (Result m = advance(f, w, r.seq, r.pc, true)) return m;
  const model::FlowOutcome& own = f.result.flow;
  if (r.jump != own.jump) return differ(f, w, "jump: rtl {}, model {}", r.jump, own.jump);
  if (r.next_pc != own.next_pc) return differ(f, w, "next pc: rtl {}, model {}", r.next_pc, own.next_pc);
  if (Result m = check_state(f, w, r)) return m;
  if (r.frame != own.frame) return differ(f, w, "frame: rtl {}, model {}", static_cast<int>(r.frame), static_cast<int>(own.frame));
  if (r.frame != FlowRecord::Frame::None && (r.frame_a != own.frame_a || r.frame_b != own.frame_b || r.frame_c != own.frame_c))
    return differ(f, w, "frame words: rtl 0x{:x} 0x{:x} 0x{:x}, model 0x{:x} 0x{:x} 0x{:x}", r.frame_a, r.frame_b, r.frame_c, own.frame_a,
                  own.frame_b, own.frame_c);
  return {};
}

// ------------------------------------------------------------------------------------------------------------- memory
void ModelFollower::drop_complete(FollowWave& f) {
  for (unsigned unit = 0; unit < 2; ++unit) {
    auto& queue = f.memory[unit];
    while (!queue.empty()) {
      Tracked& t = *queue.front();
      const bool complete = t.all_performed() && t.all_returned();
      // Of a word without access it does not matter whether the RTL gives a record.
      if (!complete && !t.access.word->no_access) break;
      if (current_[unit] == &t) {
        if (retired_[unit]) pool_.give(std::move(retired_[unit]));
        retired_[unit] = std::move(queue.front());
      } else {
        pool_.give(std::move(queue.front()));
      }
      queue.pop_front();
    }
  }
}

Result ModelFollower::check_performed(const Tracked& t) const {
  if (t.all_performed()) return {};
  const model::Access& a = t.access;
  for (unsigned k = 0; k < 4; ++k)
    if (const uint32_t left = a.in_bounds[k] & ~t.performed_mask[k]; left != 0)
      return Mismatch{a.wave->number, a.seq, a.pc, fmt::format("{}: no memory record of threads {:08x}, component {}", isa::to_string(a.word->op), left, k)};
  return {};
}

Result ModelFollower::memory(const MemoryRecord& r) {
  if (r.wave >= waves_.size()) return event(fmt::format("M record of wave {}, there are {}", r.wave, waves_.size()));
  const unsigned unit = r.shared ? 1 : 0;
  FollowWave& f = waves_[r.wave];
  Wave& w = machine_.wave(r.wave);
  if (r.first) {
    if (current_[unit] != nullptr)
      if (Result m = check_performed(*current_[unit])) return m;
    current_[unit] = nullptr;
    drop_complete(f);
    Tracked* next = nullptr;
    for (auto& t : f.memory[unit]) {
      if (t->performed) continue;
      if (t->access.word->no_access && t->access.seq != r.seq) continue;
      next = t.get();
      break;
    }
    if (next == nullptr || next->access.seq != r.seq) {
      // A word without access may have been dropped before its record came.
      if (r.mask == 0) return {};
      return differ(f, w, "memory record of word {}, which is not the next to perform", r.seq);
    }
    machine_.perform(next->access);
    next->performed = true;
    current_[unit] = next;
  }
  Tracked* t = current_[unit];
  if (t == nullptr) {
    if (r.mask == 0) return {};
    return differ(f, w, "memory record of word {} without its first record", r.seq);
  }
  const model::Access& a = t->access;
  if (a.wave != &w || a.seq != r.seq) return differ(f, w, "memory record of word {} among those of word {} of wave {}", r.seq, a.seq, a.wave->number);
  const auto wrong = [&](std::string what) {
    return Mismatch{r.wave, a.seq, a.pc, fmt::format("{}: {}", isa::to_string(a.word->op), what)};
  };
  const uint32_t k = r.component & 3;
  if ((r.mask & ~a.in_bounds[k]) != 0) return wrong(fmt::format("component {}: rtl performs threads {:08x}, model {:08x}", k, r.mask, a.in_bounds[k]));
  if ((r.mask & t->performed_mask[k]) != 0) return wrong(fmt::format("component {}: threads {:08x} performed twice", k, r.mask & t->performed_mask[k]));
  t->performed_mask[k] |= r.mask;
  const isa::Kind kind = a.word->kind;
  for (uint32_t m = r.mask; m != 0; m &= m - 1) {
    const int i = __builtin_ctz(m);
    const uint32_t address = a.base + a.address[i] + 4 * k;
    if (r.address[i] != address) return wrong(fmt::format("address of thread {}: rtl 0x{:08x}, model 0x{:08x}", i, r.address[i], address));
    if (kind == isa::Kind::Load || a.bus_error) continue;
    const uint32_t data = kind == isa::Kind::Store ? a.data[k][i] : a.stored[i];
    if (r.data[i] != data) return wrong(fmt::format("data stored by thread {}: rtl 0x{:08x}, model 0x{:08x}", i, r.data[i], data));
    if (kind == isa::Kind::Atomic && r.old_value[i] != a.loaded[0][i])
      return wrong(fmt::format("old value of thread {}: rtl 0x{:08x}, model 0x{:08x}", i, r.old_value[i], a.loaded[0][i]));
  }
  return {};
}

Result ModelFollower::special_result(FollowWave& f, const Wave& w, const LoadRecord& r) const {
  const model::AluTrace& own = f.result.alu;
  if (r.component != 0 && r.mask != 0) return differ(f, w, "result of component {}, there is only 0", r.component);
  if ((r.mask & ~f.special_written) != 0) return differ(f, w, "rtl writes threads {:08x}, model {:08x}", r.mask, f.special_written);
  if ((r.mask & ~f.special_due) != 0) return differ(f, w, "threads {:08x} written twice", r.mask & ~f.special_due);
  if (r.mask != 0 && r.reg != f.result.word->dst) return differ(f, w, "rtl writes register {}, model {}", r.reg, f.result.word->dst);
  for (uint32_t m = r.mask; m != 0; m &= m - 1) {
    const int i = __builtin_ctz(m);
    if (r.data[i] != own.result[i]) return differ(f, w, "result of thread {}: rtl 0x{:08x}, model 0x{:08x}", i, r.data[i], own.result[i]);
  }
  f.special_due &= ~r.mask;
  return {};
}

Result ModelFollower::load(const LoadRecord& r) {
  if (r.wave >= waves_.size()) return event(fmt::format("W record of wave {}, there are {}", r.wave, waves_.size()));
  FollowWave& f = waves_[r.wave];
  Wave& w = machine_.wave(r.wave);
  if (f.special_written != 0 && r.seq == f.result.seq) return special_result(f, w, r);
  Tracked* t = nullptr;
  for (auto& unit : f.memory)
    for (auto& candidate : unit)
      if (candidate->access.seq == r.seq) t = candidate.get();
  if (t == nullptr || !t->performed) return differ(f, w, "load result of word {}, which was not performed or has returned everything", r.seq);
  const model::Access& a = t->access;
  const auto wrong = [&](std::string what) {
    return Mismatch{r.wave, a.seq, a.pc, fmt::format("{}: {}", isa::to_string(a.word->op), what)};
  };
  const uint32_t k = r.component & 3;
  if ((r.mask & ~a.written[k]) != 0) return wrong(fmt::format("component {}: rtl writes threads {:08x}, model {:08x}", k, r.mask, a.written[k]));
  if ((r.mask & t->returned[k]) != 0) return wrong(fmt::format("component {}: threads {:08x} written twice", k, r.mask & t->returned[k]));
  if (r.mask != 0 && r.reg != a.word->dst + k) return wrong(fmt::format("component {}: rtl writes register {}, model {}", k, r.reg, a.word->dst + k));
  t->returned[k] |= r.mask;
  if (a.bus_error) return {};
  for (uint32_t m = r.mask; m != 0; m &= m - 1) {
    const int i = __builtin_ctz(m);
    if (r.data[i] != a.loaded[k][i]) return wrong(fmt::format("loaded data of thread {}: rtl 0x{:08x}, model 0x{:08x}", i, r.data[i], a.loaded[k][i]));
  }
  return {};
}

}  // namespace

std::unique_ptr<Follower> make_follower(const isa::Config& config, const Program& program, const Residency& residency,
                                        const DispatchState& state, const DispatchOptions& options, const Memory& memory) {
  return std::make_unique<ModelFollower>(config, program, residency, state, options, memory);
}

}  // namespace maskwork
