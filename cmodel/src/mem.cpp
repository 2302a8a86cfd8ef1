#include "mem.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace maskwork::model {

namespace {

constexpr unsigned components = 4;

/// Host address of a component, or null where there is no memory.
uint8_t* locate(const Target& target, Memory& memory, uint32_t address) {
  if (target.bytes != nullptr) return target.bytes + address;
  const uint32_t physical = target.base + address;
  return memory.contains(physical, 4) ? memory.at(physical) : nullptr;
}

uint32_t load(const uint8_t* p) {
  uint32_t v;
  std::memcpy(&v, p, 4);
  return v;
}

void store(uint8_t* p, uint32_t v) { std::memcpy(p, &v, 4); }

/// The IEEE sum; the host adds round to nearest even and keeps denormals.
uint32_t float_sum(uint32_t a, uint32_t b) {
  const float sum = std::bit_cast<float>(a) + std::bit_cast<float>(b);
  return sum != sum ? 0x7fc00000u : std::bit_cast<uint32_t>(sum);
}

uint32_t atomic(isa::Atom op, isa::Type type, uint32_t m, uint32_t x, uint32_t y) {
  const bool is_signed = type == isa::Type::S32;
  const auto sm = static_cast<int32_t>(m), sx = static_cast<int32_t>(x);
  switch (op) {
    case isa::Atom::ADD: return type == isa::Type::F32 ? float_sum(m, x) : m + x;
    case isa::Atom::MIN: return is_signed ? static_cast<uint32_t>(std::min(sm, sx)) : std::min(m, x);
    case isa::Atom::MAX: return is_signed ? static_cast<uint32_t>(std::max(sm, sx)) : std::max(m, x);
    case isa::Atom::AND: return m & x;
    case isa::Atom::OR: return m | x;
    case isa::Atom::XOR: return m ^ x;
    case isa::Atom::IWRAP: return m >= x ? 0 : m + 1;
    case isa::Atom::DWRAP: return m == 0 || m > x ? x : m - 1;
    case isa::Atom::EXCH: return x;
    case isa::Atom::CSWAP: return m == x ? y : m;
  }
  return m;
}

bool inside(uint32_t address, uint64_t bound) { return uint64_t{address} + 4 <= bound; }

/// If all threads access consecutive words inside the bound, so that one copy moves them: the host address of thread 0's word.
uint8_t* run_of(const Access& a, const Target& target, Memory& memory, uint32_t first) {
  if (a.executing != all_threads || uint64_t{first} + row_bytes > a.bound) return nullptr;
  uint32_t differ = 0;
  for (uint32_t t = 0; t < wave_threads; ++t) differ |= a.address[t] ^ (a.address[0] + 4 * t);
  if (differ != 0) return nullptr;
  if (target.bytes != nullptr) return target.bytes + first;
  return memory.contains(target.base + first, row_bytes) ? memory.at(target.base + first) : nullptr;
}

void load_component(Access& a, const Target& target, Memory& memory, unsigned k) {
  const uint32_t first = a.address[0] + 4 * k;
  if (const uint8_t* run = run_of(a, target, memory, first)) {
    std::memcpy(a.loaded[k], run, row_bytes);
    a.in_bounds[k] = all_threads;
    return;
  }
  std::memset(a.loaded[k], 0, row_bytes);
  for (uint32_t m = a.executing; m != 0; m &= m - 1) {
    const auto t = static_cast<unsigned>(__builtin_ctz(m));
    const uint32_t address = a.address[t] + 4 * k;
    if (!inside(address, a.bound)) continue;
    a.in_bounds[k] |= 1u << t;
    if (const uint8_t* p = locate(target, memory, address)) a.loaded[k][t] = load(p);
    else a.bus_error = true;
  }
}

void store_component(Access& a, const Target& target, Memory& memory, unsigned k) {
  const uint32_t first = a.address[0] + 4 * k;
  if (uint8_t* run = run_of(a, target, memory, first)) {
    std::memcpy(run, a.data[k], row_bytes);
    a.in_bounds[k] = all_threads;
    return;
  }
  for (uint32_t m = a.executing; m != 0; m &= m - 1) {
    const auto t = static_cast<unsigned>(__builtin_ctz(m));
    const uint32_t address = a.address[t] + 4 * k;
    if (!inside(address, a.bound)) continue;
    a.in_bounds[k] |= 1u << t;
    if (uint8_t* p = locate(target, memory, address)) store(p, a.data[k][t]);
    else a.bus_error = true;
  }
}

void do_atomics(Access& a, const Target& target, Memory& memory) {
  const Word& d = *a.word;
  const auto type = static_cast<isa::Type>(d.type);
  std::memset(a.loaded[0], 0, row_bytes);
  std::memset(a.stored, 0, row_bytes);
  for (uint32_t m = a.executing; m != 0; m &= m - 1) {
    const auto t = static_cast<unsigned>(__builtin_ctz(m));
    if (!inside(a.address[t], a.bound)) continue;
    a.in_bounds[0] |= 1u << t;
    uint8_t* p = locate(target, memory, a.address[t]);
    if (p == nullptr) {
      a.bus_error = true;
      continue;
    }
    a.loaded[0][t] = load(p);
    a.stored[t] = atomic(d.atom, type, a.loaded[0][t], a.data[0][t], a.data2[t]);
    store(p, a.stored[t]);
  }
}

void read_register(const Wave& w, uint32_t reg, uint32_t registers, uint32_t* out) {
  if (reg < registers) std::memcpy(out, w.row(reg), row_bytes);
  else std::memset(out, 0, row_bytes);
}

}  // namespace

void issue(const rows::Table& rows, Wave& w, const Word& d, uint32_t registers, const Target& target, Access& a) {
  a.wave = &w;
  a.word = &d;
  a.pc = w.pc;
  a.seq = w.seq;
  a.executing = w.flow.active();
  a.executed = a.executing & predicate(rows, w, d);
  a.base = target.base;
  a.bound = target.bound;
  a.faulty = 0;
  a.bus_error = false;
  for (unsigned k = 0; k < components; ++k) a.in_bounds[k] = a.written[k] = 0;
  if (d.kind == isa::Kind::Fence) return;
  if (d.address_register) read_register(w, d.src[0].index, registers, a.address);
  else std::memset(a.address, 0, row_bytes);
  if (d.kind == isa::Kind::Check) {
    a.faulty = rows.nonzero(a.address) & a.executing;
    return;
  }
  uint32_t low = 0;
  for (unsigned t = 0; t < wave_threads; ++t) {
    a.address[t] += d.imm;
    low |= (((a.base + a.address[t]) & (d.alignment - 1)) != 0 ? 1u : 0u) << t;
  }
  a.faulty = low & a.executing;
  if (d.kind == isa::Kind::Load) return;
  for (unsigned k = 0; k < components; ++k)
    if (((d.mem_mask >> k) & 1) != 0) read_register(w, d.src[1].index + k, registers, a.data[k]);
  if (d.kind == isa::Kind::Atomic && d.atom == isa::Atom::CSWAP) read_register(w, d.src[1].index + 1u, registers, a.data2);
}

void perform(Access& a, const Target& target, Memory& memory, uint32_t registers, const rows::Table& rows) {
  const Word& d = *a.word;
  if (d.kind == isa::Kind::Atomic) {
    do_atomics(a, target, memory);
  } else {
    for (unsigned k = 0; k < components; ++k) {
      if (((d.mem_mask >> k) & 1) == 0) continue;
      if (d.kind == isa::Kind::Load) load_component(a, target, memory, k);
      else store_component(a, target, memory, k);
    }
  }
  if (!d.dst_en) return;
  for (unsigned k = 0; k < components; ++k) {
    if (((d.mem_mask >> k) & 1) == 0 || d.dst + k >= registers) continue;
    a.written[k] = a.executed;
    rows.blend(a.wave->row(d.dst + k), a.loaded[k], a.executed);
  }
}

}  // namespace maskwork::model
