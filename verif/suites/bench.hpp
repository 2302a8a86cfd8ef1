#pragma once
// What the suites share: a program with its buffers that runs on any engine, and loops over engines, configurations and latency seeds.
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maskwork/device.hpp"
#include "maskwork/verif/rtl_device.hpp"

namespace maskwork::suite {

/// True when the long versions of the suites are wanted (environment variable MASKWORK_NIGHTLY=1).
bool nightly();
/// Configurations whose RTL is in this build.
std::vector<isa::Config> rtl_configs();

/// Assembles NV source; a test failure and an empty program if it has errors.
Program assemble_source(const std::string& source);
/// Microcode text without its header line. Directives that are missing get defaults: group 32 1 1, 8 registers, partial flow.
Program microcode(const std::string& text);

struct Outcome {
  DispatchResult result;
  std::map<uint32_t, std::vector<uint32_t>> storage;  ///< by binding, after the run
  std::string where;                                  ///< engine, configuration, seed: for messages
  bool rtl = false;
  isa::Config config;
  uint64_t counter(isa::Counter c) const { return result.counter(c); }
};

class Bench {
 public:
  explicit Bench(Program program) : program_(std::move(program)) {}

  Bench& groups(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
    groups_ = {x, y, z};
    return *this;
  }
  Bench& storage(uint32_t binding, std::vector<uint32_t> words) {
    storage_[binding] = std::move(words);
    return *this;
  }
  Bench& zeros(uint32_t binding, size_t words) { return storage(binding, std::vector<uint32_t>(words)); }
  Bench& local(uint32_t index, std::array<uint32_t, 4> words) {
    local_[index] = words;
    return *this;
  }
  DispatchOptions options;
  verif::RtlOptions rtl;  ///< lockstep, seed and profile are set by the loops
  bool lockstep = true;
  bool one_seed = false;  ///< run one seed only (long programs)

  const Program& program() const { return program_; }

  bool fits(const isa::Config& config) const;
  Outcome on_model(const isa::Config& config) const;
  Outcome on_rtl(const isa::Config& config, uint64_t seed, const verif::AxiProfile& profile) const;

  /// Runs on the model and in lockstep on the RTL, on every configuration that the program fits, with some latency seeds;
  /// each outcome without a mismatch goes to `check`.
  void everywhere(const std::function<void(const Outcome&)>& check) const;
  /// everywhere(), and expects an end without fault and these contents of a storage buffer.
  void expect(uint32_t binding, const std::vector<uint32_t>& words) const;
  /// everywhere(), and expects this fault.
  void expect_fault(isa::Fault code, uint32_t pc, std::optional<uint32_t> wave = {}, std::optional<uint32_t> lanes = {}) const;

 private:
  Outcome run(Device& device) const;
  Program program_;
  std::array<uint32_t, 3> groups_{1, 1, 1};
  std::map<uint32_t, std::vector<uint32_t>> storage_;
  std::map<uint32_t, std::array<uint32_t, 4>> local_;
};

/// Latency seeds for a directed test on a configuration: few in the quick set.
uint64_t directed_seeds(const isa::Config& config);

}  // namespace maskwork::suite
