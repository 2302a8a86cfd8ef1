// How a program lies in a configuration, or why it does not fit.
#include <fmt/format.h>

#include <algorithm>

#include "maskwork/device.hpp"

namespace maskwork {

Residency fit(const isa::Config& config, const Program& program) {
  const auto refuse = [&](const std::string& why) -> DeviceError {
    return DeviceError(fmt::format("program does not fit configuration {}: {}", config.name, why));
  };
  const auto& size = program.group_size;
  constexpr std::array<uint32_t, 3> most{isa::limit::group_x, isa::limit::group_y, isa::limit::group_z};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (size[axis] == 0 || size[axis] > most[axis])
      throw refuse(fmt::format("group size {} in {} is not in 1..{}", size[axis], "xyz"[axis], most[axis]));
  const uint64_t threads = uint64_t{size[0]} * size[1] * size[2];
  if (threads > config.group_threads)
    throw refuse(fmt::format("a group has {} threads, the most is {}", threads, config.group_threads));
  if (program.words.empty()) throw refuse("it has no words");
  if (program.words.size() > isa::limit::program_words)
    throw refuse(fmt::format("it has {} words, the most is {}", program.words.size(), isa::limit::program_words));
  if (program.registers > isa::limit::registers)
    throw refuse(fmt::format("it needs {} registers per thread, the most is {}", program.registers, isa::limit::registers));
  if (program.constants.size() > isa::limit::constants)
    throw refuse(fmt::format("it has {} words of constants, the most is {}", program.constants.size(), isa::limit::constants));
  if (program.slots.size() > isa::limit::slots)
    throw refuse(fmt::format("it has {} buffer slots, the most is {}", program.slots.size(), isa::limit::slots));
  if (program.shared_bytes > config.shared_bytes)
    throw refuse(fmt::format("a group needs {} bytes of shared memory, there are {}", program.shared_bytes, config.shared_bytes));

  Residency r;
  r.waves_per_group = program.waves();
  const uint32_t waves = config.waves(program.full_flow);
  if (r.waves_per_group > waves)
    throw refuse(fmt::format("a group has {} waves, {} flow mode holds {}", r.waves_per_group, program.full_flow ? "full" : "partial", waves));
  const uint64_t group_words = uint64_t{program.registers} * isa::limit::wave_threads * r.waves_per_group;
  if (group_words > config.reg_words)
    throw refuse(fmt::format("a group needs {} register words ({} registers x {} waves x {} threads), there are {}", group_words,
                             program.registers, r.waves_per_group, isa::limit::wave_threads, config.reg_words));
  r.shared_words = ((program.shared_bytes + 3) / 4 + config.banks - 1) / config.banks * config.banks;
  r.resident_groups = std::min(waves / r.waves_per_group, config.group_slots);
  if (group_words != 0) r.resident_groups = std::min(r.resident_groups, static_cast<uint32_t>(config.reg_words / group_words));
  if (r.shared_words != 0) r.resident_groups = std::min(r.resident_groups, config.shared_bytes / 4 / r.shared_words);
  return r;
}

}  // namespace maskwork
