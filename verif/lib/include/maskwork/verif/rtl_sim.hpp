#pragma once
// One simulated compute unit behind plain structs, whichever configuration was verilated: tests and the device never see
// Verilator's types.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "maskwork/isa.hpp"
#include "maskwork/records.hpp"

namespace maskwork::verif {

/// AXI4-Lite pins of the unit (a slave). `_i` names of mw_top are the unit's inputs.
struct CsrBus {
  // to the unit
  bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready = false;
  uint32_t awaddr = 0, wdata = 0, wstrb = 0xf, araddr = 0;
  // from the unit
  bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false;
  uint32_t bresp = 0, rresp = 0, rdata = 0;
};

/// AXI4 pins of the unit (a master); data up to 128 bits.
struct AxiBus {
  struct Address {
    bool valid = false;
    uint32_t id = 0, addr = 0, len = 0, size = 0, burst = 0;
    friend bool operator==(const Address&, const Address&) = default;
  };
  struct WriteData {
    bool valid = false, last = false;
    std::array<uint32_t, 4> data{};
    uint32_t strobe = 0;
    friend bool operator==(const WriteData&, const WriteData&) = default;
  };
  // from the unit
  Address aw, ar;
  WriteData w;
  bool bready = false, rready = false;
  // to the unit
  bool awready = false, wready = false, arready = false;
  bool bvalid = false, rvalid = false, rlast = false;
  uint32_t bid = 0, bresp = 0, rid = 0, rresp = 0;
  std::array<uint32_t, 4> rdata{};
};

/// Who wants the records of a cycle; called in the order that docs/architecture.md gives. The record objects live in the
/// simulation and are reused: copy what must stay. Data of threads that a record does not cover are left over from earlier.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void launch(const LaunchEvent&) = 0;
  virtual void memory(const MemoryRecord&) = 0;
  virtual void load(const LoadRecord&) = 0;
  virtual void retire(const RetireRecord&) = 0;
  virtual void flow(const FlowRecord&) = 0;
  virtual void barrier_release(uint32_t slot) = 0;
  virtual void group_end(uint32_t slot) = 0;
  /// `wave` is the wave slot of the unit.
  virtual void fault(isa::Fault code, uint32_t wave, uint32_t pc, uint32_t lanes) = 0;
};

/// An assertion of the RTL failed.
struct RtlAssertion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A word that uses a register before the load that writes it has returned, as the RTL's own check found it. The unit goes on.
struct UseBeforeWait {
  uint32_t wave = 0;  ///< wave slot of the unit
  uint32_t pc = 0;
};
/// The first since the last call.
std::optional<UseBeforeWait> take_use_before_wait();

class RtlSim {
 public:
  virtual ~RtlSim() = default;
  virtual const isa::Config& config() const = 0;

  bool rst = true;
  CsrBus csr;
  AxiBus axi;

  /// Applies the inputs and lets the combinational logic follow; then the outputs are valid.
  virtual void settle() = 0;
  /// The rising clock edge.
  virtual void edge() = 0;
  /// Gives the records of the settled cycle; returns false if there are none.
  virtual bool records(RecordSink& sink) = 0;
  /// Whether a work group ended in the settled cycle (for progress without a record sink).
  virtual bool group_ended() const = 0;
  /// Starts writing waveforms (only simulations that were made with tracing); dumps only while `tracing`.
  virtual void open_trace(const std::string& file) = 0;
  bool tracing = false;
};

/// Makes the unit of a configuration. Throws std::invalid_argument, naming the ones there are, if this build has not got it.
std::unique_ptr<RtlSim> make_rtl_sim(const isa::Config& config, bool with_trace = false);
/// Whether this build contains the configuration.
bool has_rtl_sim(const isa::Config& config, bool with_trace = false);

}  // namespace maskwork::verif
