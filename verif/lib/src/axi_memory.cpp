#include "maskwork/verif/axi_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace maskwork::verif {

namespace {
constexpr uint32_t line_bytes = 128;
constexpr uint32_t okay = 0, slverr = 2, decerr = 3;

std::string hex(uint32_t v) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", v);
  return text;
}
uint32_t line_of(const AxiBus::Address& a) { return a.addr / line_bytes; }
}  // namespace

AxiProfile AxiProfile::seeded(uint64_t seed) {
  Random r(seed ^ 0xa5a5);
  AxiProfile p;
  switch (seed % 4) {
    case 0: p.min_latency = 1, p.max_latency = 2; break;
    case 1: p.min_latency = 1, p.max_latency = 60; break;
    case 2: p.min_latency = 20, p.max_latency = 40; break;
    default: p.min_latency = 1, p.max_latency = 300; break;
  }
  p.stall = r.below(4) * 48;
  p.late_sample = r.below(257);
  p.interleave = r.below(129);
  p.max_outstanding = 1 + r.below(8);
  return p;
}

AxiMemory::AxiMemory(Memory& memory, const isa::Config& config, const AxiProfile& profile, uint64_t seed)
    : Component("axi"), memory_(memory), bus_bytes_(config.axi_bits / 8), profile_(profile), random_(seed) {}

void AxiMemory::reset() {
  reads_.clear();
  writes_.clear();
  data_.clear();
  chosen_read_ = chosen_write_ = last_read_ = -1;
  held_aw_ = {};
  held_ar_ = {};
  held_w_ = {};
}

void AxiMemory::error(std::string text) {
  if (errors_.size() < 10) errors_.push_back("cycle " + std::to_string(now_) + ": " + std::move(text));
}

uint32_t AxiMemory::beat_address(const AxiBus::Address& a, uint32_t beat) const {
  const uint32_t bytes = 1u << a.size;
  return beat == 0 ? a.addr : (a.addr & ~(bytes - 1)) + beat * bytes;
}

// The whole bus word around `address`, as the R channel carries it.
std::array<uint32_t, 4> AxiMemory::fetch(uint32_t address) const {
  std::array<uint32_t, 4> data{};
  const uint32_t base = address & ~(bus_bytes_ - 1);
  for (uint32_t i = 0; i < bus_bytes_ / 4; ++i) data[i] = memory_.contains(base + 4 * i, 4) ? memory_.load32(base + 4 * i) : 0xdeaddeadu;
  return data;
}

void AxiMemory::apply(const Write& w) {
  for (uint32_t beat = 0; beat < w.beats.size(); ++beat) {
    const uint32_t base = beat_address(w.address, beat) & ~(bus_bytes_ - 1);
    const AxiBus::WriteData& d = w.beats[beat];
    for (uint32_t i = 0; i < bus_bytes_; ++i)
      if ((d.strobe >> i & 1) && memory_.contains(base + i, 1)) *memory_.at(base + i) = static_cast<uint8_t>(d.data[i / 4] >> (8 * (i % 4)));
  }
}

uint32_t AxiMemory::response_of(const AxiBus::Address& a) const {
  for (uint32_t beat = 0; beat <= a.len; ++beat) {
    const uint32_t at = beat_address(a, beat);
    for (const AddressRange& r : bus_errors)
      if (r.contains(at)) return slverr;
    if (!memory_.contains(at & ~3u, 4)) return decerr;
  }
  return okay;
}

bool AxiMemory::is_silent(const AxiBus::Address& a) const {
  for (uint32_t beat = 0; beat <= a.len; ++beat)
    for (const AddressRange& r : silent)
      if (r.contains(beat_address(a, beat))) return true;
  return false;
}

void AxiMemory::check_address(const AxiBus::Address& a, const char* channel) {
  const std::string what = std::string(channel) + " " + hex(a.addr) + ": ";
  if (a.burst != 1) error(what + "burst type is not INCR");
  if ((1u << a.size) > bus_bytes_) error(what + "transfer wider than the bus");
  const uint32_t end = beat_address(a, a.len) + (1u << a.size) - 1;
  if (end / line_bytes != line_of(a)) error(what + "burst leaves its 128-byte line");
}

// The unit's own promise: it never has two transactions on one line outstanding if one of them is a write.
void AxiMemory::check_line(const AxiBus::Address& a, bool write) {
  for (const Write& w : writes_)
    if (w.address.id == a.id && line_of(w.address) == line_of(a)) error("address " + hex(a.addr) + " while a write on the same line is outstanding");
  if (write)
    for (const Read& r : reads_)
      if (r.address.id == a.id && line_of(r.address) == line_of(a)) error("write " + hex(a.addr) + " while a read of the same line is outstanding");
}

void AxiMemory::accept_read(const AxiBus::Address& a) {
  check_address(a, "AR");
  check_line(a, false);
  ++read_bursts_[a.id & 1];
  Read r;
  r.address = a;
  r.due = now_ + random_.range(profile_.min_latency, profile_.max_latency);
  r.late = random_.chance(profile_.late_sample);
  r.dead = is_silent(a);
  r.response = response_of(a);
  if (!r.late)
    for (uint32_t i = 0; i <= a.len; ++i) r.early.push_back(fetch(beat_address(a, i)));
  reads_.push_back(std::move(r));
}

void AxiMemory::accept_write(const AxiBus::Address& a) {
  check_address(a, "AW");
  check_line(a, true);
  ++write_bursts_;
  Write w;
  w.address = a;
  w.due = now_ + random_.range(profile_.min_latency, profile_.max_latency);
  w.dead = is_silent(a);
  w.response = response_of(a);
  writes_.push_back(std::move(w));
}

// Write data come in address order; they may come before their address.
void AxiMemory::take_write_data() {
  for (Write& w : writes_) {
    while (!w.complete && !data_.empty()) {
      const AxiBus::WriteData d = data_.front();
      data_.pop_front();
      w.beats.push_back(d);
      const bool end = w.beats.size() == w.address.len + 1;
      if (d.last != end) error("WLAST on beat " + std::to_string(w.beats.size()) + " of a burst of " + std::to_string(w.address.len + 1));
      w.complete = end;
      if (end) w.due = std::max(w.due, now_ + 1);
    }
    if (!w.complete) break;
  }
}

// Chooses whose beat goes out: the oldest read of some id that is due; a burst that has begun usually goes on.
void AxiMemory::pick_read() {
  int candidates[4];
  int n = 0;
  uint32_t seen = 0;
  for (size_t i = 0; i < reads_.size() && n < 4; ++i) {
    const uint32_t bit = 1u << (reads_[i].address.id & 31);
    if (seen & bit) continue;  // one id's answers stay in order
    seen |= bit;
    if (reads_[i].due <= now_ && !reads_[i].dead) candidates[n++] = static_cast<int>(i);
  }
  if (n == 0) return;
  if (last_read_ >= 0 && !random_.chance(profile_.interleave))
    for (int i = 0; i < n; ++i)
      if (candidates[i] == last_read_) {
        chosen_read_ = last_read_;
        return;
      }
  chosen_read_ = candidates[random_.below(static_cast<uint32_t>(n))];
}

void AxiMemory::drive(RtlSim& sim) {
  AxiBus& b = sim.axi;
  ++now_;
  const auto ready = [&] { return profile_.stall == 0 || !random_.chance(profile_.stall); };
  b.arready = reads_.size() < profile_.max_outstanding && ready();
  b.awready = writes_.size() < profile_.max_outstanding && ready();
  b.wready = data_.size() < 16 && ready();

  // A valid stays until it is taken (chosen_* keeps its value then).
  if (chosen_read_ < 0 && !reads_.empty() && ready()) pick_read();
  b.rvalid = chosen_read_ >= 0;
  if (b.rvalid) {
    Read& r = reads_[static_cast<size_t>(chosen_read_)];
    if (r.early.size() <= r.beat) {  // fetched now, and then kept stable
      r.early.resize(r.beat);
      r.early.push_back(fetch(beat_address(r.address, r.beat)));
    }
    b.rid = r.address.id;
    b.rdata = r.early[r.beat];
    b.rresp = r.response;
    b.rlast = r.beat == r.address.len;
  }
  if (chosen_write_ < 0 && !writes_.empty()) {
    uint32_t seen = 0;
    for (size_t i = 0; i < writes_.size(); ++i) {
      const uint32_t bit = 1u << (writes_[i].address.id & 31);
      const bool first_of_id = (seen & bit) == 0;
      seen |= bit;
      if (!first_of_id || !writes_[i].complete || writes_[i].dead || writes_[i].due > now_ || !ready()) continue;
      chosen_write_ = static_cast<int>(i);
      if (writes_[i].response == okay) apply(writes_[i]);  // takes effect only now
      break;
    }
  }
  b.bvalid = chosen_write_ >= 0;
  if (b.bvalid) {
    b.bid = writes_[static_cast<size_t>(chosen_write_)].address.id;
    b.bresp = writes_[static_cast<size_t>(chosen_write_)].response;
  }
}

void AxiMemory::sample(RtlSim& sim) {
  const AxiBus& b = sim.axi;
  if (!(b.ar.valid | b.aw.valid | b.w.valid | b.rvalid | b.bvalid | held_ar_.valid | held_aw_.valid | held_w_.valid)) return;

  if (held_ar_.valid && !(b.ar == held_ar_)) error("AR changed before it was accepted");
  if (held_aw_.valid && !(b.aw == held_aw_)) error("AW changed before it was accepted");
  if (held_w_.valid && !(b.w == held_w_)) error("W changed before it was accepted");
  held_ar_ = b.ar;
  held_aw_ = b.aw;
  held_w_ = b.w;

  // Answers first: a transaction that ends in this cycle makes room for one that begins in it.
  if (b.rvalid && b.rready) {
    const size_t i = static_cast<size_t>(chosen_read_);
    ++beats_;
    last_read_ = chosen_read_;
    if (++reads_[i].beat > reads_[i].address.len) {
      reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(i));
      last_read_ = -1;
    }
    chosen_read_ = -1;
  }
  if (b.bvalid && b.bready) {
    writes_.erase(writes_.begin() + chosen_write_);
    chosen_write_ = -1;
  }
  if (b.ar.valid && b.arready) {
    accept_read(b.ar);
    held_ar_.valid = false;
  }
  if (b.aw.valid && b.awready) {
    accept_write(b.aw);
    held_aw_.valid = false;
  }
  if (b.w.valid && b.wready) {
    data_.push_back(b.w);
    ++beats_;
    held_w_.valid = false;
  }
  if (!data_.empty()) take_write_data();
}

void AxiMemory::check(std::vector<std::string>& errors) const {
  errors.insert(errors.end(), errors_.begin(), errors_.end());
}

void AxiMemory::report(std::ostream& out) const {
  out << name() << ": " << read_bursts_[0] << " read bursts of memory words, " << read_bursts_[1] << " of instructions, " << write_bursts_
      << " write bursts, " << beats_ << " data beats\n";
}

}  // namespace maskwork::verif
