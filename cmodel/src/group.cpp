#include "group.hpp"

#include <algorithm>

namespace maskwork::model {

namespace {

constexpr uint32_t xorshift(uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

}  // namespace

Fill::Fill(FillMode mode, uint32_t seed, uint32_t launch_number)
    : pattern_(mode == FillMode::Pattern), base_(xorshift(seed + launch_number)) {}

uint32_t Fill::uniform(uint32_t space, uint32_t index) const { return xorshift(base_ ^ (space << 24) ^ index); }

void Fill::row(const rows::Table& rows, uint32_t* out, uint32_t space, uint32_t index, uint32_t first_thread) const {
  if (pattern_) rows.fill(out, uniform(space, index), first_thread);
  else std::fill_n(out, wave_threads, 0);
}

uint32_t Fill::word(uint32_t space, uint32_t index, uint32_t thread) const {
  return pattern_ ? uniform(space, index) ^ thread ^ (thread << 11) ^ (thread << 22) : 0;
}

void launch_wave(const rows::Table& rows, Wave& w, const Program& program, const Fill& fill) {
  const uint32_t first = w.in_group * wave_threads;
  for (uint32_t r = 0; r < program.registers; ++r) fill.row(rows, w.row(r), isa::fill::space_reg, r, first);
  alignas(64) uint32_t row[wave_threads];
  for (uint32_t cc = 0; cc < 3; ++cc)
    for (uint32_t k = 0; k < 4; ++k) {
      fill.row(rows, row, isa::fill::space_cc, 4 * cc + k, first);
      for (uint32_t t = 0; t < wave_threads; ++t) w.cc[cc][k][t] = static_cast<uint8_t>(row[t] & 15);
    }
  fill.row(rows, row, isa::fill::space_a0, 0, first);
  for (uint32_t t = 0; t < wave_threads; ++t) w.a0[t] = static_cast<int32_t>(row[t] << 20) >> 20;

  const auto& size = program.group_size;
  const uint32_t threads = program.threads();
  for (uint32_t t = 0; t < wave_threads; ++t) {
    const uint32_t index = first + t;
    w.special[static_cast<size_t>(isa::Special::LOCALID_X)][t] = index % size[0];
    w.special[static_cast<size_t>(isa::Special::LOCALID_Y)][t] = index / size[0] % size[1];
    w.special[static_cast<size_t>(isa::Special::LOCALID_Z)][t] = index / size[0] / size[1];
    w.special[static_cast<size_t>(isa::Special::LOCALINDEX)][t] = index;
    w.special[static_cast<size_t>(isa::Special::THREADID)][t] = t;
  }
  const uint32_t present = std::min(threads - first, wave_threads);
  w.flow.reset(present == wave_threads ? all_threads : (1u << present) - 1);
  w.pending.clear();
  w.pc = program.entry;
  w.seq = 0;
  w.alu = 0;
  w.alu_valid = false;
  w.status = WaveStatus::Running;
}

void launch_group(Group& g, const isa::Config& config, const Program& program, const std::array<uint32_t, 3>& id, const std::array<uint32_t, 3>& count,
                  const Fill& fill) {
  g.resident = true;
  g.id = id;
  g.ended = g.waiting = 0;
  for (uint32_t n = 0; n < g.shared.size(); ++n) g.shared[n] = fill.word(isa::fill::space_shared, n, 0);
  const auto set = [&g](isa::Uniform code, unsigned axis, uint32_t value) {
    std::fill_n(g.uniform + (static_cast<uint32_t>(code) + axis) * wave_threads, wave_threads, value);
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    set(isa::Uniform::GROUPID_X, axis, id[axis]);
    set(isa::Uniform::GROUPCOUNT_X, axis, count[axis]);
    set(isa::Uniform::GROUPSIZE_X, axis, program.group_size[axis]);
    set(isa::Uniform::GROUPBASE_X, axis, id[axis] * program.group_size[axis]);
  }
  set(isa::Uniform::WAVES_MAX, 0, config.waves(program.full_flow));
}

}  // namespace maskwork::model
