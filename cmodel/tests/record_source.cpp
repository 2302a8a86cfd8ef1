#include "record_source.hpp"

namespace maskwork::test {

using model::Access;
using model::Step;
using model::Wave;
using model::WaveStatus;

void RecordSource::launch(uint32_t slot) {
  const auto& count = scene_.state.groups;
  const uint64_t total = uint64_t{count[0]} * count[1] * count[2];
  if (launched_ == total) return;
  LaunchEvent e;
  e.slot = slot;
  e.number = static_cast<uint32_t>(launched_);
  e.group = {static_cast<uint32_t>(launched_ % count[0]), static_cast<uint32_t>(launched_ / count[0] % count[1]),
             static_cast<uint32_t>(launched_ / count[0] / count[1])};
  machine_.launch(slot, e.group, e.number);
  records_.push_back(e);
  ++launched_;
}

void RecordSource::emit_retire(const Wave& w, uint32_t executing, uint32_t executed, const model::AluTrace* alu) {
  const uint32_t lanes = scene_.config.lanes, beats = scene_.config.beats();
  std::vector<RetireRecord> out;
  for (uint32_t beat = 0; beat < beats; ++beat) {
    const uint32_t threads = (lanes == 32 ? ~0u : (1u << lanes) - 1) << (beat * lanes);
    // Beats without a thread are skipped; a word with none gives one.
    if ((executing & threads) == 0 && !(executing == 0 && beat == 0)) continue;
    RetireRecord r;
    r.wave = w.number;
    r.seq = result_.seq;
    r.pc = result_.pc;
    r.beat = beat;
    r.active = executing & threads;
    r.executed = executed & threads;
    if (alu != nullptr) {
      r.dst_en = result_.word->dst_en;
      r.cc_en = result_.word->cc_dst != 3;
      for (uint32_t t = 0; t < 32; ++t) {
        r.data[t] = alu->result[t];
        r.flags[t] = alu->flags[t];
      }
    }
    out.push_back(r);
  }
  out.front().first = true;
  out.back().last = true;
  records_.insert(records_.end(), out.begin(), out.end());
}

void RecordSource::emit_flow(const Wave& w) {
  FlowRecord f;
  f.wave = w.number;
  f.seq = result_.seq;
  f.pc = result_.pc;
  f.jump = result_.flow.jump;
  f.next_pc = result_.flow.next_pc;
  f.db = w.flow.db;
  f.dl = w.flow.dl;
  f.dc = w.flow.dc;
  for (uint8_t s = 0; s < 6; ++s)
    for (uint32_t t = 0; t < 32; ++t)
      if (((w.flow.in[s] >> t) & 1) != 0) {
        f.state[t] = s;
        f.level[t] = s >= 1 && s <= 4 ? w.flow.level[t] : 0;
      }
  f.frame = result_.flow.frame;
  f.frame_a = result_.flow.frame_a;
  f.frame_b = result_.flow.frame_b;
  f.frame_c = result_.flow.frame_c;
  records_.push_back(f);
}

void RecordSource::emit_memory(Access& a) {
  machine_.perform(a);
  bool first = true;
  for (uint32_t k = 0; k < 4; ++k) {
    if (((a.word->mem_mask >> k) & 1) == 0) continue;
    MemoryRecord m;
    m.wave = a.wave->number;
    m.seq = a.seq;
    m.shared = a.word->shared;
    m.first = first;
    first = false;
    m.component = k;
    m.mask = a.in_bounds[k];
    for (uint32_t t = 0; t < 32; ++t) {
      m.address[t] = a.base + a.address[t] + 4 * k;
      m.data[t] = a.word->kind == isa::Kind::Atomic ? a.stored[t] : a.data[k][t];
      m.old_value[t] = a.loaded[0][t];
    }
    records_.push_back(m);
  }
  for (uint32_t k = 0; k < 4; ++k) {
    if (a.written[k] == 0) continue;
    // In two halves, as beats come.
    for (const uint32_t half : {0x0000ffffu, 0xffff0000u}) {
      LoadRecord r;
      r.wave = a.wave->number;
      r.seq = a.seq;
      r.component = k;
      r.mask = a.written[k] & half;
      r.reg = a.word->dst + k;
      for (uint32_t t = 0; t < 32; ++t) r.data[t] = a.loaded[k][t];
      if (r.mask != 0) results_.push_back(r);
    }
  }
}

void RecordSource::perform_up_to(uint32_t wave, uint32_t left) {
  auto& queue = waiting_[wave];
  while (queue.size() > left) {
    emit_memory(*queue.front());
    queue.erase(queue.begin());
    if (random_.below(2) == 0) return_results();
  }
  if (left == 0) return_results();
}

void RecordSource::return_results() {
  records_.insert(records_.end(), results_.begin(), results_.end());
  results_.clear();
}

/// A word of the special unit gives its results in two halves, some time before the wave's next word.
void RecordSource::hold_special(const Wave& w) {
  const uint32_t written = result_.alu.executed & result_.alu.in_window;
  for (const uint32_t half : {0x0000ffffu, 0xffff0000u}) {
    LoadRecord r;
    r.wave = w.number;
    r.seq = result_.seq;
    r.mask = written & half;
    r.reg = result_.word->dst;
    for (uint32_t t = 0; t < 32; ++t) r.data[t] = result_.alu.result[t];
    if (r.mask != 0) special_[w.number].push_back(r);
  }
}

void RecordSource::return_special(uint32_t wave) {
  records_.insert(records_.end(), special_[wave].begin(), special_[wave].end());
  special_[wave].clear();
}

void RecordSource::step(Wave& w) {
  return_special(w.number);
  // A word that waits, a barrier and a fence see everything performed; others now and then.
  if (w.pc < code_.size()) {
    const model::Word& d = code_.word(w.pc);
    if (d.sem_wait != 0 || d.op == isa::Op::BAR || d.op == isa::Op::MEMBAR || d.op == isa::Op::MEMBAR_CTA) perform_up_to(w.number, 0);
  }
  if (random_.below(4) == 0) perform_up_to(w.number, 1);
  auto access = std::make_unique<Access>();
  machine_.step(w, result_, *access);
  if (result_.fault != isa::Fault::NONE) {
    if (result_.fault == isa::Fault::MISALIGNED || result_.fault == isa::Fault::ADDRESS) emit_retire(w, access->executing, access->executed, nullptr);
    for (uint32_t n = 0; n < machine_.wave_count(); ++n) {
      return_special(n);
      perform_up_to(n, 0);
    }
    records_.push_back(FaultEvent{machine_.fault_of(w, result_), w.group});
    faulted_ = true;
    return;
  }
  switch (result_.step) {
    case Step::Alu:
      emit_retire(w, result_.alu.executing, result_.alu.executed, result_.word->special ? nullptr : &result_.alu);
      if (result_.word->special) hold_special(w);
      break;
    case Step::Mem:
      emit_retire(w, access->executing, access->executed, nullptr);
      if (!access->word->no_access) waiting_[w.number].push_back(std::move(access));
      break;
    default: emit_flow(w); break;
  }
  if (machine_.can_release(w.group)) {
    machine_.release(w.group);
    records_.push_back(BarrierEvent{w.group});
  }
  if (machine_.group_done(w.group)) {
    for (uint32_t n = 0; n < scene_.residency.waves_per_group; ++n) perform_up_to(machine_.wave(w.group, n).number, 0);
    machine_.end_group(w.group);
    ++ended_;
    records_.push_back(GroupEndEvent{w.group});
    launch(w.group);
  }
}

std::vector<Record> RecordSource::run() {
  for (uint32_t slot = 0; slot < machine_.group_slots(); ++slot) launch(slot);
  while (ended_ < launched_ && !faulted_) {
    Wave& w = machine_.wave(random_.below(machine_.wave_count()));
    if (w.status == WaveStatus::Running) step(w);
  }
  return std::move(records_);
}

std::optional<std::pair<size_t, Mismatch>> follow(Follower& follower, const std::vector<Record>& records) {
  for (size_t n = 0; n < records.size(); ++n) {
    const auto difference = std::visit(
        [&follower](const auto& r) -> std::optional<Mismatch> {
          using T = std::decay_t<decltype(r)>;
          if constexpr (std::is_same_v<T, LaunchEvent>) return follower.launch(r);
          else if constexpr (std::is_same_v<T, RetireRecord>) return follower.retire(r);
          else if constexpr (std::is_same_v<T, FlowRecord>) return follower.flow(r);
          else if constexpr (std::is_same_v<T, MemoryRecord>) return follower.memory(r);
          else if constexpr (std::is_same_v<T, LoadRecord>) return follower.load(r);
          else if constexpr (std::is_same_v<T, BarrierEvent>) return follower.barrier_release(r.slot);
          else if constexpr (std::is_same_v<T, GroupEndEvent>) return follower.group_end(r.slot);
          else return follower.fault(r.fault, r.slot);
        },
        records[n]);
    if (difference) return std::pair{n, *difference};
  }
  if (const auto difference = follower.finish()) return std::pair{records.size(), *difference};
  return {};
}

}  // namespace maskwork::test
