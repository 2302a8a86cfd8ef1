#pragma once
// Resident work groups: what the dispatcher sets up when a group becomes resident.
#include <array>
#include <cstdint>
#include <vector>

#include "maskwork/device.hpp"
#include "wave.hpp"

namespace maskwork::model {

struct Group {
  bool resident = false;
  std::array<uint32_t, 3> id{};
  uint32_t ended = 0;         ///< waves that have ended
  uint32_t waiting = 0;       ///< waves at the barrier
  uint32_t barrier_pc = 0;
  std::vector<uint32_t> shared;                       ///< shared_words of the residency
  std::vector<uint32_t> uniform_storage;              ///< rows of the uniform values
  uint32_t* uniform = nullptr;
};

/// The launch fill of docs/semantics.md.
class Fill {
 public:
  Fill(FillMode mode, uint32_t seed, uint32_t launch_number);
  /// The row of threads first .. first + 31.
  void row(const rows::Table& rows, uint32_t* out, uint32_t space, uint32_t index, uint32_t first_thread) const;
  uint32_t word(uint32_t space, uint32_t index, uint32_t thread) const;

 private:
  uint32_t uniform(uint32_t space, uint32_t index) const;
  bool pattern_;
  uint32_t base_;
};

/// Fills the wave and gives it its ids; the wave starts at the program's entry.
void launch_wave(const rows::Table& rows, Wave& w, const Program& program, const Fill& fill);

/// Fills the group's shared memory and its uniform values.
void launch_group(Group& g, const isa::Config& config, const Program& program, const std::array<uint32_t, 3>& id, const std::array<uint32_t, 3>& count,
                  const Fill& fill);

}  // namespace maskwork::model
