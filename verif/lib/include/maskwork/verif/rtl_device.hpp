#pragma once
// The compute unit in Verilator as a Device, alone or in lockstep with the golden model.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maskwork/device.hpp"
#include "maskwork/verif/axi_memory.hpp"

namespace maskwork::verif {

struct RtlOptions {
  bool lockstep = true;    ///< compare every record, and memory and counters at the end
  bool history = true;     ///< without lockstep: keep records for reports of deadlocks
  uint64_t seed = 1;       ///< of all latencies and gaps
  AxiProfile profile;
  std::vector<AddressRange> bus_errors;
  std::vector<AddressRange> silent;
  std::string record_file; ///< every record as text, empty = none; overwritten by each dispatch
  std::string trace_file;  ///< FST waveforms, empty = none
  uint64_t trace_from = 0;
  uint64_t trace_cycles = ~uint64_t{0};
};

/// Throws std::invalid_argument if this build has not got the configuration.
std::unique_ptr<Device> make_rtl(const isa::Config& config, const RtlOptions& options = {});

}  // namespace maskwork::verif
