#pragma once
// The Device API: what a host does with a compute unit, whichever engine stands behind it.
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "maskwork/isa.hpp"
#include "maskwork/memory.hpp"
#include "maskwork/object.hpp"
#include "maskwork/records.hpp"

namespace maskwork {

/// How the program lies in one configuration: computed once, used by both engines (they have no dividers for it).
struct Residency {
  uint32_t waves_per_group = 0;
  uint32_t resident_groups = 0;
  uint32_t shared_words = 0;  ///< per group, a multiple of the banks
};

/// Computes the residency or throws DeviceError with the numbers when the program does not fit.
Residency fit(const isa::Config& config, const Program& program);

/// A request the device refuses: the program does not fit, a binding is missing, an argument is out of range.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a configuration offers to a program and a host: the answers to GL's limit queries.
struct Limits {
  std::array<uint32_t, 3> group_count{}, group_size{};
  uint32_t group_threads = 0;
  uint32_t shared_bytes = 0;
  uint32_t storage_bindings = 0, storage_alignment = 0;
  uint64_t storage_bytes = 0;               ///< of one binding
  uint32_t constant_bindings = 0, constant_alignment = 0, constant_bytes = 0;
  uint32_t local_parameters = 0, env_parameters = 0;
  uint32_t temporaries = 0;                 ///< TEMP vectors of the language, before allocation
  uint32_t registers = 0;                   ///< 32-bit registers of a thread in a group of one wave
  uint32_t program_words = 0;
  uint32_t if_depth = 0, loop_depth = 0, call_depth = 0;
  uint32_t subroutines = 0, subroutine_uniforms = 0;
  uint32_t warp_threads = 0, warps = 0;     ///< threads of a wave; resident waves in partial flow mode
};
Limits limits(const isa::Config& config);

/// Bytes [address, address + size) of device memory.
struct BufferRange {
  uint32_t address = 0, size = 0;
  friend bool operator==(const BufferRange&, const BufferRange&) = default;
};

enum class FillMode : uint32_t { Off = 0, Zero = 1, Pattern = 2 };

struct DispatchOptions {
  FillMode fill = FillMode::Pattern;
  uint32_t fill_seed = 1;
  uint32_t word_budget = isa::limit::default_budget;   ///< per wave, 0 = none
  uint32_t watchdog = isa::limit::default_watchdog;    ///< RTL: cycles without a record, 0 = off
  uint64_t max_cycles = 0;                             ///< RTL: stop the simulation after this many cycles, 0 = none
  std::function<void(uint64_t groups_done, uint64_t groups, uint64_t cycles)> progress;
  const std::atomic<bool>* stop = nullptr;             ///< RTL: ends the simulation soon after it becomes true
};

struct DispatchResult {
  Fault fault;                          ///< code NONE: ended well
  std::string wait_report;              ///< DEADLOCK: what every wave waits for
  bool timed_out = false;               ///< max_cycles reached
  bool stopped = false;                 ///< DispatchOptions::stop became true
  std::string output_error;             ///< a file that the run writes could not be written
  std::array<uint64_t, isa::counters.size()> counters{};
  std::string mismatch;                 ///< lockstep: the first difference, empty = none
  bool ok() const { return fault.code == isa::Fault::NONE && !timed_out && !stopped && mismatch.empty() && output_error.empty(); }
  uint64_t counter(isa::Counter c) const { return counters[static_cast<size_t>(c)]; }
};

/// Everything a dispatch needs that is not in the program: resolved constants and slots.
struct DispatchState {
  std::vector<uint32_t> constants;
  struct Slot { uint32_t base = 0, size = 0; };
  std::vector<Slot> slots;
  std::array<uint32_t, 3> groups{};
  uint32_t program_address = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const isa::Config& config() const = 0;
  virtual std::string name() const = 0;

  /// Device memory. Buffers are ranges of it.
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  /// Loads a program; throws DeviceError if it does not fit. Bindings and parameters stay.
  void load(const Program& program);
  const Program& program() const { return program_; }
  const Residency& residency() const { return residency_; }

  /// Binds bytes [address, address + size) to a storage binding (0..15); address must be a multiple of 16.
  void bind_storage(uint32_t binding, uint32_t address, uint32_t size);
  /// Binds bytes [address, address + size) to a parameter buffer, program.buffer[binding] (0..15); address must be a multiple of 16, size at most 64 KiB.
  void bind_constant(uint32_t binding, uint32_t address, uint32_t size);
  /// What is bound, empty if nothing is.
  std::optional<BufferRange> storage_binding(uint32_t binding) const;
  std::optional<BufferRange> constant_binding(uint32_t binding) const;
  /// Ends a binding: a program that needs it is refused until it is bound again.
  void unbind_storage(uint32_t binding);
  void unbind_constant(uint32_t binding);
  /// Chooses the subroutine that program.subroutine[index] calls, by its SUBROUTINENUM; a load resets it to the first that is allowed.
  void set_subroutine(uint32_t index, uint32_t number);
  uint32_t subroutine(uint32_t index) const;
  /// Sets program.local[index] / program.env[index] (0..255), as bits.
  void set_local(uint32_t index, const std::array<uint32_t, 4>& words);
  void set_env(uint32_t index, const std::array<uint32_t, 4>& words);
  const std::array<uint32_t, 4>& local(uint32_t index) const;
  const std::array<uint32_t, 4>& env(uint32_t index) const;

  /// Runs the loaded program over x * y * z groups (each 0..65535; a zero does nothing).
  DispatchResult dispatch(uint32_t x, uint32_t y, uint32_t z, const DispatchOptions& options = {});
  /// The same with x, y, z read from three words of device memory; address must be a multiple of 4.
  DispatchResult dispatch_indirect(uint32_t address, const DispatchOptions& options = {});

 protected:
  virtual DispatchResult run(const DispatchState& state, const DispatchOptions& options) = 0;
  Memory memory_;
  Program program_;
  Residency residency_;
  uint64_t load_count_ = 0;  ///< loads so far, so that an engine can keep what it made from a program

 private:
  DispatchState resolve(uint32_t x, uint32_t y, uint32_t z);
  BufferRange checked_range(const char* what, uint32_t binding, size_t bindings, uint32_t address, uint32_t size) const;
  uint32_t value_of(const ConstantSource& c) const;
  size_t uniform_number(uint32_t index) const;
  std::array<std::optional<BufferRange>, isa::limit::storage_bindings> storage_{};
  std::array<std::optional<BufferRange>, isa::limit::constant_bindings> constant_{};
  std::vector<uint16_t> chosen_;  ///< subroutine per entry of Program::subroutines
  std::vector<std::array<uint32_t, 4>> local_ = std::vector<std::array<uint32_t, 4>>(isa::limit::params);
  std::vector<std::array<uint32_t, 4>> env_ = std::vector<std::array<uint32_t, 4>>(isa::limit::params);
  bool loaded_ = false;
  uint32_t program_address_ = 0, param_address_ = 0;
  uint64_t program_capacity_ = 0, param_capacity_ = 0;
};

/// The golden model, running by itself.
std::unique_ptr<Device> make_model(const isa::Config& config);

}  // namespace maskwork
