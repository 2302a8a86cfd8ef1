// The engine-independent half of the Device API: where things lie in memory and what a dispatch needs.
#include <fmt/format.h>

#include <algorithm>

#include "maskwork/device.hpp"

namespace maskwork {

namespace {

constexpr uint32_t group_count_limit = isa::limit::group_count;

uint32_t value_of(const ConstantSource& c, const std::vector<std::array<uint32_t, 4>>& local, const std::vector<std::array<uint32_t, 4>>& env) {
  switch (c.kind) {
    case ConstantSource::Kind::Literal: return c.literal;
    case ConstantSource::Kind::Local: return local[c.index][c.component];
    case ConstantSource::Kind::Env: return env[c.index][c.component];
  }
  return 0;
}

void check_constants(const std::vector<ConstantSource>& constants, const char* what) {
  for (const auto& c : constants)
    if (c.kind != ConstantSource::Kind::Literal && (c.index >= isa::limit::params || c.component > 3))
      throw DeviceError(fmt::format("{} names parameter {} component {}, the most are {} and 3", what, c.index, c.component, isa::limit::params - 1));
}

}  // namespace

void Device::load(const Program& program) {
  const Residency residency = fit(config(), program);
  check_constants(program.constants, "the constant file");
  check_constants(program.param_table, "the parameter table");
  for (size_t n = 0; n < program.slots.size(); ++n)
    if (const auto& s = program.slots[n]; s.kind == SlotSource::Kind::Storage && s.binding >= isa::limit::storage_bindings)
      throw DeviceError(fmt::format("buffer slot {} names storage binding {}, the most is {}", n, s.binding, isa::limit::storage_bindings - 1));
  // Memory is never given back, so a place that is large enough is used again.
  const auto place = [this](uint32_t& address, uint64_t& capacity, uint64_t bytes) {
    if (bytes <= capacity) return;
    address = memory_.allocate(bytes);
    capacity = bytes;
  };
  place(program_address_, program_capacity_, program.words.size() * 16);
  place(param_address_, param_capacity_, program.param_table.size() * 4);
  for (size_t n = 0; n < program.words.size(); ++n) {
    std::memcpy(memory_.at(program_address_ + static_cast<uint32_t>(n * 16)), &program.words[n].lo, 8);
    std::memcpy(memory_.at(program_address_ + static_cast<uint32_t>(n * 16 + 8)), &program.words[n].hi, 8);
  }
  program_ = program;
  residency_ = residency;
  loaded_ = true;
  ++load_count_;
}

void Device::bind_storage(uint32_t binding, uint32_t address, uint32_t size) {
  if (binding >= storage_.size()) throw DeviceError(fmt::format("storage binding {} is not in 0..{}", binding, storage_.size() - 1));
  if (address % 16 != 0) throw DeviceError(fmt::format("storage binding {}: address 0x{:x} is not a multiple of 16", binding, address));
  if (size != 0 && !memory_.contains(address, size))
    throw DeviceError(fmt::format("storage binding {}: bytes 0x{:x}..0x{:x} are not all allocated", binding, address, uint64_t{address} + size - 1));
  storage_[binding] = {address, size, true};
}

void Device::set_local(uint32_t index, const std::array<uint32_t, 4>& words) {
  if (index >= local_.size()) throw DeviceError(fmt::format("program.local[{}]: the last is {}", index, local_.size() - 1));
  local_[index] = words;
}

void Device::set_env(uint32_t index, const std::array<uint32_t, 4>& words) {
  if (index >= env_.size()) throw DeviceError(fmt::format("program.env[{}]: the last is {}", index, env_.size() - 1));
  env_[index] = words;
}

DispatchState Device::resolve(uint32_t x, uint32_t y, uint32_t z) {
  DispatchState s;
  s.groups = {x, y, z};
  s.program_address = program_address_;
  for (const auto& c : program_.constants) s.constants.push_back(value_of(c, local_, env_));
  for (size_t n = 0; n < program_.param_table.size(); ++n)
    memory_.store32(param_address_ + static_cast<uint32_t>(n * 4), value_of(program_.param_table[n], local_, env_));
  for (size_t n = 0; n < program_.slots.size(); ++n) {
    const SlotSource& source = program_.slots[n];
    Range range{param_address_, static_cast<uint32_t>(program_.param_table.size() * 4), true};
    if (source.kind == SlotSource::Kind::Storage) range = storage_[source.binding];
    if (!range.bound) throw DeviceError(fmt::format("storage binding {} is not bound (buffer slot {} needs it)", source.binding, n));
    const uint32_t offset = std::min(source.offset, range.size);
    s.slots.push_back({range.address + offset, std::min(source.size, range.size - offset)});
  }
  return s;
}

DispatchResult Device::dispatch(uint32_t x, uint32_t y, uint32_t z, const DispatchOptions& options) {
  if (!loaded_) throw DeviceError("dispatch without a program");
  for (const uint32_t n : {x, y, z})
    if (n > group_count_limit) throw DeviceError(fmt::format("dispatch of {} x {} x {} groups: the most is {} in each", x, y, z, group_count_limit));
  if (x == 0 || y == 0 || z == 0) return {};
  return run(resolve(x, y, z), options);
}

}  // namespace maskwork
