// The engine-independent half of the Device API: where things lie in memory and what a dispatch needs.
#include <fmt/format.h>

#include <algorithm>

#include "maskwork/device.hpp"

namespace maskwork {

namespace {

constexpr uint32_t group_count_limit = isa::limit::group_count;
constexpr uint32_t binding_alignment = 16;

const SubroutineUniform* find_uniform(const Program& program, uint32_t index) {
  const auto at = std::lower_bound(program.subroutines.begin(), program.subroutines.end(), index,
                                   [](const SubroutineUniform& u, uint32_t n) { return u.index < n; });
  return at != program.subroutines.end() && at->index == index ? &*at : nullptr;
}

void check_constants(const std::vector<ConstantSource>& constants, const Program& program, const char* what) {
  for (const auto& c : constants) {
    if (c.kind == ConstantSource::Kind::Literal) continue;
    if (c.kind == ConstantSource::Kind::Subroutine) {
      if (find_uniform(program, c.index) == nullptr) throw DeviceError(fmt::format("{} names program.subroutine[{}], which the program does not declare", what, c.index));
    } else if (c.index >= isa::limit::params || c.component > 3) {
      throw DeviceError(fmt::format("{} names parameter {} component {}, the most are {} and 3", what, c.index, c.component, isa::limit::params - 1));
    }
  }
}

void check_subroutines(const Program& program) {
  for (size_t n = 0; n < program.subroutines.size(); ++n) {
    const auto& u = program.subroutines[n];
    if (u.index >= isa::limit::subroutine_uniforms)
      throw DeviceError(fmt::format("the program declares program.subroutine[{}], the most is {}", u.index, isa::limit::subroutine_uniforms - 1));
    if (n != 0 && program.subroutines[n - 1].index >= u.index) throw DeviceError("the program's subroutine uniforms are not in the order of their indices");
    if (u.numbers.empty()) throw DeviceError(fmt::format("program.subroutine[{}] has no subroutine that it may call", u.index));
    for (const uint16_t number : u.numbers)
      if (number >= isa::limit::subroutines)
        throw DeviceError(fmt::format("program.subroutine[{}] names subroutine {}, the most is {}", u.index, number, isa::limit::subroutines - 1));
  }
}

void check_binding(const char* what, uint32_t binding, size_t bindings) {
  if (binding >= bindings) throw DeviceError(fmt::format("{} {} is not in 0..{}", what, binding, bindings - 1));
}

void check_parameter(const char* array, uint32_t index) {
  if (index >= isa::limit::params) throw DeviceError(fmt::format("program.{}[{}]: the last is {}", array, index, isa::limit::params - 1));
}

void check_slots(const Program& program) {
  for (size_t n = 0; n < program.slots.size(); ++n) {
    const auto& s = program.slots[n];
    if (s.kind == SlotSource::Kind::Storage && s.binding >= isa::limit::storage_bindings)
      throw DeviceError(fmt::format("buffer slot {} names storage binding {}, the most is {}", n, s.binding, isa::limit::storage_bindings - 1));
    if (s.kind == SlotSource::Kind::Constant && s.binding >= isa::limit::constant_bindings)
      throw DeviceError(fmt::format("buffer slot {} names constant buffer {}, the most is {}", n, s.binding, isa::limit::constant_bindings - 1));
  }
}

}  // namespace

Limits limits(const isa::Config& config) {
  Limits l;
  l.group_count = {group_count_limit, group_count_limit, group_count_limit};
  l.group_threads = config.group_threads;
  l.group_size = {std::min<uint32_t>(isa::limit::group_x, config.group_threads), std::min<uint32_t>(isa::limit::group_y, config.group_threads),
                  std::min<uint32_t>(isa::limit::group_z, config.group_threads)};
  l.shared_bytes = config.shared_bytes;
  l.storage_bindings = isa::limit::storage_bindings;
  l.constant_bindings = isa::limit::constant_bindings;
  l.storage_alignment = l.constant_alignment = binding_alignment;
  l.storage_bytes = 0x80000000u - Memory::first_address;
  l.constant_bytes = isa::limit::constant_bytes;
  l.local_parameters = l.env_parameters = isa::limit::params;
  l.temporaries = isa::limit::temporaries;
  l.registers = std::min<uint32_t>(isa::limit::registers, config.reg_words / isa::limit::wave_threads);
  l.program_words = isa::limit::program_words;
  l.if_depth = isa::limit::if_depth;
  l.loop_depth = isa::limit::loop_depth;
  l.call_depth = isa::limit::call_depth;
  l.subroutines = isa::limit::subroutines;
  l.subroutine_uniforms = isa::limit::subroutine_uniforms;
  l.warp_threads = isa::limit::wave_threads;
  l.warps = config.waves_partial;
  return l;
}

void Device::load(const Program& program) {
  const Residency residency = fit(config(), program);
  check_subroutines(program);
  check_constants(program.constants, program, "the constant file");
  check_constants(program.param_table, program, "the parameter table");
  check_slots(program);
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
  chosen_.clear();
  for (const auto& u : program_.subroutines) chosen_.push_back(u.numbers.front());
  residency_ = residency;
  loaded_ = true;
  ++load_count_;
}

BufferRange Device::checked_range(const char* what, uint32_t binding, size_t bindings, uint32_t address, uint32_t size) const {
  check_binding(what, binding, bindings);
  if (address % binding_alignment != 0) throw DeviceError(fmt::format("{} {}: address 0x{:x} is not a multiple of {}", what, binding, address, binding_alignment));
  if (size != 0 && !memory_.contains(address, size))
    throw DeviceError(fmt::format("{} {}: bytes 0x{:x}..0x{:x} are not all allocated", what, binding, address, uint64_t{address} + size - 1));
  return {address, size};
}

void Device::bind_storage(uint32_t binding, uint32_t address, uint32_t size) {
  const BufferRange range = checked_range("storage binding", binding, storage_.size(), address, size);
  storage_[binding] = range;
}

void Device::bind_constant(uint32_t binding, uint32_t address, uint32_t size) {
  const BufferRange range = checked_range("constant buffer", binding, constant_.size(), address, size);
  if (size > isa::limit::constant_bytes)
    throw DeviceError(fmt::format("constant buffer {} of {} bytes: the most is {}", binding, size, isa::limit::constant_bytes));
  constant_[binding] = range;
}

std::optional<BufferRange> Device::storage_binding(uint32_t binding) const {
  check_binding("storage binding", binding, storage_.size());
  return storage_[binding];
}

std::optional<BufferRange> Device::constant_binding(uint32_t binding) const {
  check_binding("constant buffer", binding, constant_.size());
  return constant_[binding];
}

void Device::unbind_storage(uint32_t binding) {
  check_binding("storage binding", binding, storage_.size());
  storage_[binding].reset();
}

void Device::unbind_constant(uint32_t binding) {
  check_binding("constant buffer", binding, constant_.size());
  constant_[binding].reset();
}

size_t Device::uniform_number(uint32_t index) const {
  const SubroutineUniform* u = find_uniform(program_, index);
  if (u == nullptr) throw DeviceError(fmt::format("program.subroutine[{}] is not declared by the loaded program", index));
  return static_cast<size_t>(u - program_.subroutines.data());
}

void Device::set_subroutine(uint32_t index, uint32_t number) {
  const size_t n = uniform_number(index);
  const auto& numbers = program_.subroutines[n].numbers;
  if (std::find(numbers.begin(), numbers.end(), number) == numbers.end())
    throw DeviceError(fmt::format("program.subroutine[{}] may not call subroutine {}: its numbers are {}", index, number, fmt::join(numbers, ", ")));
  chosen_[n] = static_cast<uint16_t>(number);
}

uint32_t Device::subroutine(uint32_t index) const { return chosen_[uniform_number(index)]; }

void Device::set_local(uint32_t index, const std::array<uint32_t, 4>& words) {
  check_parameter("local", index);
  local_[index] = words;
}

void Device::set_env(uint32_t index, const std::array<uint32_t, 4>& words) {
  check_parameter("env", index);
  env_[index] = words;
}

const std::array<uint32_t, 4>& Device::local(uint32_t index) const {
  check_parameter("local", index);
  return local_[index];
}

const std::array<uint32_t, 4>& Device::env(uint32_t index) const {
  check_parameter("env", index);
  return env_[index];
}

uint32_t Device::value_of(const ConstantSource& c) const {
  switch (c.kind) {
    case ConstantSource::Kind::Literal: return c.literal;
    case ConstantSource::Kind::Local: return local_[c.index][c.component];
    case ConstantSource::Kind::Env: return env_[c.index][c.component];
    case ConstantSource::Kind::Subroutine: return subroutine(c.index);
  }
  return 0;
}

DispatchState Device::resolve(uint32_t x, uint32_t y, uint32_t z) {
  DispatchState s;
  s.groups = {x, y, z};
  s.program_address = program_address_;
  for (const auto& c : program_.constants) s.constants.push_back(value_of(c));
  for (size_t n = 0; n < program_.param_table.size(); ++n)
    memory_.store32(param_address_ + static_cast<uint32_t>(n * 4), value_of(program_.param_table[n]));
  for (size_t n = 0; n < program_.slots.size(); ++n) {
    const SlotSource& source = program_.slots[n];
    std::optional<BufferRange> range = BufferRange{param_address_, static_cast<uint32_t>(program_.param_table.size() * 4)};
    if (source.kind == SlotSource::Kind::Storage) range = storage_[source.binding];
    if (source.kind == SlotSource::Kind::Constant) range = constant_[source.binding];
    if (!range)
      throw DeviceError(fmt::format("{} {} is not bound (buffer slot {} needs it)", source.kind == SlotSource::Kind::Constant ? "constant buffer" : "storage binding",
                                    source.binding, n));
    // The base stays where the range begins, behind the buffer's end too: whether an address is aligned does not hang on the buffer's size.
    s.slots.push_back({range->address + source.offset, std::min(source.size, range->size - std::min(source.offset, range->size))});
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

DispatchResult Device::dispatch_indirect(uint32_t address, const DispatchOptions& options) {
  if (address % 4 != 0) throw DeviceError(fmt::format("indirect dispatch: address 0x{:x} is not a multiple of 4", address));
  if (!memory_.contains(address, 12)) throw DeviceError(fmt::format("indirect dispatch: bytes 0x{:x}..0x{:x} are not all allocated", address, uint64_t{address} + 11));
  return dispatch(memory_.load32(address), memory_.load32(address + 4), memory_.load32(address + 8), options);
}

}  // namespace maskwork
