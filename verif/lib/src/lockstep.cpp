#include "maskwork/verif/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "word_text.hpp"

namespace maskwork::verif {

namespace {
void keep_values(KeptRecord& k, uint32_t mask, const Lanes32& values, const Lanes32* addresses = nullptr) {
  k.mask = mask;
  uint32_t n = 0;
  for (uint32_t m = mask; m != 0 && n < k.value.size(); m &= m - 1, ++n) {
    const auto t = static_cast<uint32_t>(std::countr_zero(m));
    if (n == 0) k.first_thread = t;
    k.value[n] = values[t];
    if (addresses) k.address[n] = (*addresses)[t];
  }
}

std::string values_text(const KeptRecord& k, bool addresses) {
  std::string text;
  uint32_t n = 0;
  for (uint32_t m = k.mask; m != 0 && n < k.value.size(); m &= m - 1, ++n) {
    const auto t = static_cast<uint32_t>(std::countr_zero(m));
    text += addresses ? fmt::format(" t{}:[{:08x}]={:08x}", t, k.address[n], k.value[n]) : fmt::format(" t{}={:08x}", t, k.value[n]);
  }
  if (static_cast<uint32_t>(std::popcount(k.mask)) > k.value.size()) text += " ...";
  return text;
}
}  // namespace

WaveHistory::WaveHistory(const isa::Config& config, const Program& program, const Residency& residency)
    : config_(config), program_(program), residency_(residency), slots_(config.group_slots), waves_(config.waves_partial) {}

void WaveHistory::launch(const LaunchEvent& e) {
  if (e.slot >= slots_.size()) return;
  slots_[e.slot] = {true, e.group, e.number};
  for (uint32_t i = 0; i < residency_.waves_per_group; ++i) {
    const uint32_t w = e.slot * residency_.waves_per_group + i;
    if (w >= waves_.size()) break;
    waves_[w] = Wave{};
    waves_[w].started = true;
    waves_[w].next_pc = program_.entry;
  }
}

void WaveHistory::group_end(uint32_t slot) {
  if (slot < slots_.size()) slots_[slot].used = false;
}

void WaveHistory::barrier_release(uint32_t slot) {
  for (uint32_t i = 0; i < residency_.waves_per_group; ++i) {
    const uint32_t w = slot * residency_.waves_per_group + i;
    if (w < waves_.size()) waves_[w].at_barrier = false;
  }
}

void WaveHistory::retire(const RetireRecord& r, uint64_t cycle) {
  KeptRecord& k = keep(r.wave);
  k.kind = KeptRecord::Kind::Retire;
  k.cycle = cycle;
  k.seq = r.seq;
  k.pc = r.pc;
  k.beat = static_cast<uint8_t>(r.beat);
  k.active = r.active;
  k.flag = r.dst_en;
  k.cc = r.cc_en;
  const bool known = r.pc < program_.words.size();
  const bool memory_word = known && isa::info(program_.words[r.pc]).format == isa::Format::Mem;
  if (r.dst_en && !memory_word)
    keep_values(k, r.executed, r.data);
  else
    k.mask = 0, k.active = r.active;
  if (!r.first) return;
  Wave& w = waves_[r.wave];
  w.next_pc = r.pc + 1;
  w.words = r.seq + 1;
  if (memory_word) ++(isa::info(program_.words[r.pc]).unit == isa::Unit::Shared ? w.shared_issued : w.axi_issued);
}

void WaveHistory::flow(const FlowRecord& f, uint64_t cycle) {
  KeptRecord& k = keep(f.wave);
  k.kind = KeptRecord::Kind::Flow;
  k.cycle = cycle;
  k.seq = f.seq;
  k.pc = f.pc;
  k.flag = f.jump;
  k.next_pc = f.next_pc;
  k.db = static_cast<uint16_t>(f.db);
  k.dl = static_cast<uint16_t>(f.dl);
  k.dc = static_cast<uint16_t>(f.dc);
  uint32_t active = 0, live = 0;
  for (uint32_t t = 0; t < 32; ++t) {
    active |= uint32_t{f.state[t] == static_cast<uint8_t>(isa::LaneState::A)} << t;
    live |= uint32_t{f.state[t] != static_cast<uint8_t>(isa::LaneState::X)} << t;
  }
  k.active = active;
  Wave& w = waves_[f.wave];
  w.next_pc = f.next_pc;
  w.words = f.seq + 1;
  if (f.pc >= program_.words.size()) return;
  const auto op = static_cast<isa::Op>(isa::get(program_.words[f.pc], isa::field::op));
  if (op == isa::Op::END || live == 0) w.ended = true;
  if (op == isa::Op::BAR && active != 0) w.at_barrier = true;
}

void WaveHistory::memory(const MemoryRecord& m, uint64_t cycle) {
  KeptRecord& k = keep(m.wave);
  k.kind = KeptRecord::Kind::Memory;
  k.cycle = cycle;
  k.seq = m.seq;
  k.flag = m.shared;
  k.component = static_cast<uint8_t>(m.component);
  keep_values(k, m.mask, m.data, &m.address);
  if (m.first) ++(m.shared ? waves_[m.wave].shared_begun : waves_[m.wave].axi_begun);
}

void WaveHistory::load(const LoadRecord& l, uint64_t cycle) {
  KeptRecord& k = keep(l.wave);
  k.kind = KeptRecord::Kind::Load;
  k.cycle = cycle;
  k.seq = l.seq;
  k.component = static_cast<uint8_t>(l.component);
  k.reg = l.reg;
  keep_values(k, l.mask, l.data);
}

std::string WaveHistory::describe(uint32_t pc) const { return word_text(program_, pc); }

std::string WaveHistory::text(const KeptRecord& k) const {
  switch (k.kind) {
    case KeptRecord::Kind::None: break;
    case KeptRecord::Kind::Retire:
      return fmt::format("cycle {} R word {} beat {} active {:08x}{}  {}", k.cycle, k.seq, k.beat, k.active, values_text(k, false), describe(k.pc));
    case KeptRecord::Kind::Flow:
      return fmt::format("cycle {} F word {} active {:08x} {} {} Db {} Dl {} Dc {}  {}", k.cycle, k.seq, k.active, k.flag ? "jumps to" : "stays at", k.next_pc, k.db,
                         k.dl, k.dc, describe(k.pc));
    case KeptRecord::Kind::Memory:
      return fmt::format("cycle {} M word {} {} component {} threads {:08x}{}", k.cycle, k.seq, k.flag ? "shared" : "AXI", k.component, k.mask, values_text(k, true));
    case KeptRecord::Kind::Load:
      return fmt::format("cycle {} W word {} component {} r{} threads {:08x}{}", k.cycle, k.seq, k.component, k.reg, k.mask, values_text(k, false));
  }
  return {};
}

std::string WaveHistory::last_records(uint32_t wave) const {
  std::string lines;
  const Wave& w = waves_[wave];
  for (uint32_t i = 0; i < depth; ++i) {
    const KeptRecord& k = w.ring[(w.next + i) % depth];
    if (k.kind != KeptRecord::Kind::None) lines += "    " + text(k) + "\n";
  }
  return lines;
}

std::string WaveHistory::waiting() const {
  std::string text;
  for (uint32_t s = 0; s < slots_.size(); ++s) {
    if (!slots_[s].used) continue;
    for (uint32_t i = 0; i < residency_.waves_per_group; ++i) {
      const uint32_t n = s * residency_.waves_per_group + i;
      if (n >= waves_.size()) break;
      const Wave& w = waves_[n];
      const auto& g = slots_[s].group;
      std::string what;
      if (w.ended)
        what = "has ended";
      else if (w.at_barrier)
        what = "waits at a barrier, next " + describe(w.next_pc);
      else {
        const uint32_t axi = w.axi_issued - w.axi_begun, shared = w.shared_issued - w.shared_begun;
        uint32_t waits = 0;
        bool barrier = false;
        if (w.next_pc < program_.words.size()) {
          waits = isa::get(program_.words[w.next_pc], isa::field::sem_wait);
          const auto op = static_cast<isa::Op>(isa::get(program_.words[w.next_pc], isa::field::op));
          barrier = op == isa::Op::BAR || op == isa::Op::MEMBAR || op == isa::Op::MEMBAR_CTA;
        }
        if ((waits & 1) || (barrier && axi))
          what = "waits for AXI memory, next " + describe(w.next_pc);
        else if ((waits & 2) || (barrier && shared))
          what = "waits for shared memory, next " + describe(w.next_pc);
        else
          what = "could issue " + describe(w.next_pc);
        if (axi != 0) what += fmt::format("; {} AXI words not performed", axi);
        if (shared != 0) what += fmt::format("; {} shared-memory words not performed", shared);
      }
      text += fmt::format("  group {},{},{} wave {}: after {} words {}\n", g[0], g[1], g[2], i, w.words, what);
    }
  }
  return text.empty() ? "  no group is resident\n" : text;
}

LockstepScoreboard::LockstepScoreboard(const isa::Config& config, const Program& program, const Residency& residency, std::unique_ptr<Follower> follower)
    : Component("lockstep"), history_(config, program, residency), follower_(std::move(follower)), waves_per_group_(std::max(1u, residency.waves_per_group)) {}

void LockstepScoreboard::sample(RtlSim& sim) {
  if (stopped()) return;
  ++cycle_;
  if (sim.records(*this)) last_record_ = cycle_;
}

void LockstepScoreboard::log(uint32_t wave) {
  const auto& g = history_.slot(wave / waves_per_group_).group;
  log_->line(fmt::format("group {},{},{} wave {} {}", g[0], g[1], g[2], wave % waves_per_group_, history_.text(history_.newest())));
}

void LockstepScoreboard::describe(const Mismatch& m, bool has_wave) {
  if (!mismatch_.empty()) return;
  if (!has_wave) {
    mismatch_ = fmt::format("cycle {}: {}\n", cycle_, m.what);
    return;
  }
  const uint32_t slot = m.wave / waves_per_group_;
  const auto g = slot < 64 ? history_.slot(slot).group : std::array<uint32_t, 3>{};
  mismatch_ = fmt::format("cycle {}, group {},{},{} wave {} (slot {}), word {}: {}\n  at {}\n  last records of that wave:\n{}", cycle_, g[0], g[1], g[2],
                          m.wave % waves_per_group_, m.wave, m.seq, m.what, history_.describe(m.pc), history_.last_records(m.wave));
}

void LockstepScoreboard::launch(const LaunchEvent& e) {
  history_.launch(e);
  if (follower_ && !stopped()) note(follower_->launch(e), false);
}
void LockstepScoreboard::memory(const MemoryRecord& m) {
  history_.memory(m, cycle_);
  if (log_ != nullptr) [[unlikely]] log(m.wave);
  if (follower_ && !stopped()) note(follower_->memory(m));
}
void LockstepScoreboard::load(const LoadRecord& w) {
  history_.load(w, cycle_);
  if (log_ != nullptr) [[unlikely]] log(w.wave);
  if (follower_ && !stopped()) note(follower_->load(w));
}
void LockstepScoreboard::retire(const RetireRecord& r) {
  history_.retire(r, cycle_);
  words_ += r.first;
  if (log_ != nullptr) [[unlikely]] log(r.wave);
  if (follower_ && !stopped()) note(follower_->retire(r));
}
void LockstepScoreboard::flow(const FlowRecord& f) {
  history_.flow(f, cycle_);
  ++words_;
  if (log_ != nullptr) [[unlikely]] log(f.wave);
  if (follower_ && !stopped()) note(follower_->flow(f));
}
void LockstepScoreboard::barrier_release(uint32_t slot) {
  history_.barrier_release(slot);
  if (follower_ && !stopped()) note(follower_->barrier_release(slot), false);
}
void LockstepScoreboard::group_end(uint32_t slot) {
  ++groups_;
  if (follower_ && !stopped()) note(follower_->group_end(slot), false);
  history_.group_end(slot);
}
void LockstepScoreboard::fault(isa::Fault code, uint32_t wave, uint32_t pc, uint32_t lanes) {
  const uint32_t slot = wave / waves_per_group_;
  fault_ = {code, history_.slot(slot).group, wave % waves_per_group_, pc, lanes};
  if (follower_ && !stopped()) note(follower_->fault(fault_, slot));
}

void LockstepScoreboard::finish() {
  if (follower_ && !stopped()) note(follower_->finish(), false);
}

}  // namespace maskwork::verif
