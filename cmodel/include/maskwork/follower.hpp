#pragma once
// The golden model in follow mode: it takes the order of events from the RTL's records, computes every value itself and
// compares. It never takes data from the RTL.
#include <memory>
#include <optional>
#include <string>

#include "maskwork/device.hpp"
#include "maskwork/records.hpp"

namespace maskwork {

/// A difference between the model and the RTL.
struct Mismatch {
  uint32_t wave = 0, seq = 0, pc = 0;
  std::string what;  ///< "data of thread 5: rtl 0x..., model 0x..."
  /// SEM_USE, which the RTL has no code for: no difference, but how the run ends.
  Fault fault{};
};

class Follower {
 public:
  virtual ~Follower() = default;
  // Each call returns the first difference it finds. After one, no further calls are made.
  virtual std::optional<Mismatch> launch(const LaunchEvent& e) = 0;
  virtual std::optional<Mismatch> group_end(uint32_t slot) = 0;
  virtual std::optional<Mismatch> barrier_release(uint32_t slot) = 0;
  virtual std::optional<Mismatch> retire(const RetireRecord& r) = 0;
  virtual std::optional<Mismatch> flow(const FlowRecord& f) = 0;
  virtual std::optional<Mismatch> memory(const MemoryRecord& m) = 0;
  virtual std::optional<Mismatch> load(const LoadRecord& w) = 0;
  /// A fault that the RTL reports: the model must reach the same one in that wave's next word (bus errors, deadlock and
  /// nothing else are taken as events).
  virtual std::optional<Mismatch> fault(const Fault& f, uint32_t slot) = 0;
  /// End of the dispatch: nothing pending, all groups seen.
  virtual std::optional<Mismatch> finish() = 0;
  /// The model's own memory and counters, for the final comparison.
  virtual const Memory& memory() const = 0;
  virtual std::array<uint64_t, isa::counters.size()> counters() const = 0;
};

/// `memory` is the device memory as it is before the dispatch; the follower works on a copy.
std::unique_ptr<Follower> make_follower(const isa::Config& config, const Program& program, const Residency& residency,
                                        const DispatchState& state, const DispatchOptions& options, const Memory& memory);

}  // namespace maskwork
