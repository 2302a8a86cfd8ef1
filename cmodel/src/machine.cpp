#include "machine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maskwork::model {

using isa::Counter;

Machine::Machine(const isa::Config& config, const Program& program, const Residency& residency, const DispatchState& state,
                 const DispatchOptions& options, const Code& code, Memory& memory)
    : config_(config), program_(program), residency_(residency), state_(state), code_(code), rows_(code.rows()), memory_(memory),
      fill_mode_(options.fill), fill_seed_(options.fill_seed), budget_(options.word_budget) {
  for (const auto& s : state.slots) {
    const bool exists = s.size != 0 && memory.contains(s.base, s.size);
    slots_.push_back({s.base, s.size, exists ? memory.at(s.base) : nullptr});
  }
  slots_.resize(isa::limit::slots);
  const size_t per_wave = static_cast<size_t>(program.registers) * wave_threads;
  waves_.resize(static_cast<size_t>(residency.resident_groups) * residency.waves_per_group);
  groups_.resize(residency.resident_groups);
  registers_.resize(waves_.size() * per_wave + align_slack);
  for (auto& g : groups_) {
    g.shared.resize(residency.shared_words);
    g.uniform_storage.resize(isa::uniform_names.size() * wave_threads + align_slack);
    g.uniform = align_rows(g.uniform_storage.data());
  }
  uint32_t* regs = align_rows(registers_.data());
  for (uint32_t n = 0; n < waves_.size(); ++n) {
    Wave& w = waves_[n];
    w.number = n;
    w.group = n / residency.waves_per_group;
    w.in_group = n % residency.waves_per_group;
    w.regs = regs + n * per_wave;
    w.base = {reinterpret_cast<const char*>(w.regs), reinterpret_cast<const char*>(code.pool()), reinterpret_cast<const char*>(w.special.data()),
              reinterpret_cast<const char*>(groups_[w.group].uniform)};
  }
}

void Machine::launch(uint32_t slot, const std::array<uint32_t, 3>& id, uint32_t number) {
  const Fill fill(fill_mode_, fill_seed_, number);
  launch_group(groups_[slot], config_, program_, id, state_.groups, fill);
  for (uint32_t n = 0; n < residency_.waves_per_group; ++n) launch_wave(rows_, wave(slot, n), program_, fill);
}

Target Machine::target(const Word& d, const Group& g) const {
  if (d.global) return {0, uint64_t{1} << 32, nullptr};
  if (!d.shared) return slots_[d.slot];
  // The bytes are only touched through memcpy and only by this group's waves.
  return {0, program_.shared_bytes, reinterpret_cast<uint8_t*>(const_cast<uint32_t*>(g.shared.data()))};
}

FaultCode Machine::check(const Wave& w, const Word& d, StepResult& r) const {
  if (d.step == Step::Bad) return FaultCode::BAD_WORD;
  if (d.semaphore_fault) return FaultCode::SEMAPHORE;
  if (w.pending.any() && uses_pending(w, d, program_.registers, r.pending_register)) return FaultCode::SEM_USE;
  if (d.step == Step::Flow && (d.jump_func >> 4) != (d.jump_func & 15) && !w.alu_valid) return FaultCode::STALE_ALU;
  return FaultCode::NONE;
}

void Machine::step(Wave& w, StepResult& r, Access& access) {
  r.step = Step::Bad;
  r.fault = FaultCode::NONE;
  r.pc = w.pc;
  r.seq = w.seq;
  r.word = nullptr;
  r.lanes = w.flow.active();
  if (w.pc >= code_.size()) {
    r.fault = FaultCode::PC_RANGE;
    return;
  }
  const Word& d = code_.word(w.pc);
  r.word = &d;
  if (budget_ != 0 && w.seq >= budget_) {
    r.fault = FaultCode::WORD_BUDGET;
    return;
  }
  if (w.pending.any() && d.sem_wait != 0 && d.step != Step::Bad && !d.semaphore_fault) {
    if ((d.sem_wait & 1) != 0) w.pending.wait(0);
    if ((d.sem_wait & 2) != 0) w.pending.wait(1);
  }
  r.fault = check(w, d, r);
  if (r.fault != FaultCode::NONE) return;
  r.step = d.step;
  switch (d.step) {
    case Step::Alu: step_alu(w, d, r); break;
    case Step::Mem: step_mem(w, d, r, access); break;
    default: step_flow(w, d, r); break;
  }
  if (r.fault != FaultCode::NONE) return;
  ++w.seq;
  ++counter(Counter::Words);
}

void Machine::step_alu(Wave& w, const Word& d, StepResult& r) {
  execute_alu(rows_, w, d, program_.registers, r.alu);
  ++w.pc;
  ++counter(Counter::WordsAlu);
  if (d.special) ++counter(Counter::WordsSpecial);
  counter(Counter::LaneOps) += static_cast<unsigned>(__builtin_popcount(r.alu.executing));
}

void Machine::step_mem(Wave& w, const Word& d, StepResult& r, Access& access) {
  issue(rows_, w, d, program_.registers, target(d, groups_[w.group]), access);
  if (access.faulty != 0) {
    r.fault = d.kind == isa::Kind::Check ? FaultCode::ADDRESS : FaultCode::MISALIGNED;
    r.lanes = access.faulty;
    return;
  }
  const unsigned sem = d.shared ? 1 : 0;
  if (d.dst_en)
    for (uint32_t k = 0; k < 4; ++k)
      if (((d.mem_mask >> k) & 1) != 0 && d.dst + k < program_.registers) w.pending.add(sem, d.dst + k);
  if (d.sem_acquire) w.pending.acquire(sem);
  ++w.pc;
  ++counter(d.shared ? Counter::WordsShared : Counter::WordsMemory);
  counter(Counter::LaneOps) += static_cast<unsigned>(__builtin_popcount(access.executing));
}

bool Machine::arrive(Wave& w, StepResult& r) {
  if (w.flow.active() == 0) return true;
  Group& g = groups_[w.group];
  if (w.flow.active() != w.flow.live() || (g.waiting != 0 && g.barrier_pc != w.pc)) {
    r.fault = FaultCode::DIVERGENT_BAR;
    return false;
  }
  g.barrier_pc = w.pc;
  ++g.waiting;
  w.status = WaveStatus::AtBarrier;
  ++counter(Counter::BarrierArrivals);
  return true;
}

void Machine::step_flow(Wave& w, const Word& d, StepResult& r) {
  r.flow = {};
  switch (d.op) {
    case isa::Op::BAR:
      if (!arrive(w, r)) return;
      r.flow.next_pc = w.pc + 1;
      break;
    case isa::Op::MEMBAR:
    case isa::Op::MEMBAR_CTA:
    case isa::Op::NOP: r.flow.next_pc = w.pc + 1; break;
    case isa::Op::END:
      if (w.flow.db != 0 || w.flow.dl != 0 || w.flow.dc != 0) {
        r.fault = FaultCode::END_DEPTH;
        return;
      }
      r.flow.next_pc = w.pc + 1;
      r.flow.ended = true;
      break;
    default: {
      FlowInput in{w.pc, d.pred_always ? all_threads : 0, w.alu, ((program_.bools >> d.bool_idx) & 1) != 0, program_.full_flow};
      for (uint32_t m = d.pred_mask; m != 0; m &= m - 1)
        in.pred |= rows_.test(w.cc[d.pred_cc][static_cast<size_t>(__builtin_ctz(m))].data(), d.pred_lut);
      r.flow = flow_step(w.flow, d, in);
      r.fault = r.flow.fault;
      if (r.fault != FaultCode::NONE) return;
    }
  }
  w.alu_valid = false;
  w.pc = r.flow.next_pc;
  ++counter(Counter::WordsFlow);
  if (r.flow.ended) {
    w.status = WaveStatus::Ended;
    ++groups_[w.group].ended;
  }
}

uint32_t Machine::run_fast(Wave& w, uint32_t limit) {
  const FastWord* const first = code_.fast() + w.pc;
  const FastWord* f = first;
  const FastWord* const last = first + std::min(limit, code_.size() - w.pc);
  const auto source = [&w](Sel s, uint32_t offset) { return reinterpret_cast<const uint32_t*>(w.base[static_cast<uint8_t>(s)] + offset); };
  char* const regs = reinterpret_cast<char*>(w.regs);
  const uint32_t active = w.flow.active();
  if (active == w.flow.live()) {
    // Threads that are not live may be written: nobody can read them any more.
    for (; f->fast && f != last; ++f) f->fn(source(f->sa, f->a), source(f->sb, f->b), source(f->sc, f->c), reinterpret_cast<uint32_t*>(regs + f->d));
  } else {
    alignas(64) uint32_t result[wave_threads];
    for (; f->fast && f != last; ++f) {
      f->fn(source(f->sa, f->a), source(f->sb, f->b), source(f->sc, f->c), result);
      rows_.blend(reinterpret_cast<uint32_t*>(regs + f->d), result, active);
    }
  }
  const auto n = static_cast<uint32_t>(f - first);
  w.pc += n;
  w.seq += n;
  counter(Counter::Words) += n;
  counter(Counter::WordsAlu) += n;
  counter(Counter::LaneOps) += uint64_t{n} * static_cast<unsigned>(__builtin_popcount(active));
  return n;
}

bool Machine::can_release(uint32_t slot) const {
  const Group& g = groups_[slot];
  return g.waiting != 0 && g.waiting + g.ended == residency_.waves_per_group;
}

void Machine::release(uint32_t slot) {
  groups_[slot].waiting = 0;
  for (uint32_t n = 0; n < residency_.waves_per_group; ++n)
    if (Wave& w = wave(slot, n); w.status == WaveStatus::AtBarrier) w.status = WaveStatus::Running;
}

void Machine::end_group(uint32_t slot) {
  groups_[slot].resident = false;
  for (uint32_t n = 0; n < residency_.waves_per_group; ++n) wave(slot, n).status = WaveStatus::Free;
  ++counter(Counter::Groups);
}

Fault Machine::fault_of(const Wave& w, const StepResult& r) const {
  Fault f;
  f.code = r.fault;
  f.group = groups_[w.group].id;
  f.wave = w.in_group;
  f.pc = r.pc;
  f.lanes = r.lanes;
  return f;
}

std::string Machine::wait_report() const {
  std::string out;
  for (const auto& w : waves_) {
    const Group& g = groups_[w.group];
    if (!g.resident) continue;
    std::string what;
    switch (w.status) {
      case WaveStatus::Free: continue;
      case WaveStatus::Running: what = fmt::format("can run at pc {}", w.pc); break;
      case WaveStatus::AtBarrier:
        what = fmt::format("waits at the barrier of pc {} ({} of {} waves are there, {} ended)", g.barrier_pc, g.waiting, residency_.waves_per_group, g.ended);
        break;
      case WaveStatus::Ended: what = "ended"; break;
    }
    out += fmt::format("group {},{},{} wave {}: {}\n", g.id[0], g.id[1], g.id[2], w.in_group, what);
  }
  return out;
}

}  // namespace maskwork::model
