#pragma once
// AXI4 slave on a Memory. It is deliberately unkind within the rules of AXI: seeded latencies, back-pressure on every channel, writes that
// take effect only when their response leaves, reads that fetch early or late, answers of different ids in any order and interleaved. What the
// unit must do itself (keep its memory order, whatever the slave does) shows only with such a slave.
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "maskwork/memory.hpp"
#include "maskwork/verif/component.hpp"
#include "maskwork/verif/random.hpp"

namespace maskwork::verif {

struct AddressRange {
  uint32_t first = 0, last = 0;  ///< inclusive
  bool contains(uint32_t a) const { return a >= first && a <= last; }
};

/// How the slave behaves. The default is a plausible on-board memory.
struct AxiProfile {
  uint32_t min_latency = 2, max_latency = 24;  ///< cycles from address to first answer
  uint32_t stall = 32;          ///< of 256: chance per cycle that a ready or valid stays low
  uint32_t late_sample = 128;   ///< of 256: chance that a read fetches its data when it is delivered, not when accepted
  uint32_t interleave = 64;     ///< of 256: chance per beat that the read channel changes to another id
  uint32_t max_outstanding = 8;

  static AxiProfile ideal() { return {1, 1, 0, 0, 0, 16}; }      ///< for measurements
  static AxiProfile slow() { return {40, 200, 96, 128, 96, 8}; }  ///< a far memory
  /// One of a family that covers fast, slow, bursty and choking slaves.
  static AxiProfile seeded(uint64_t seed);
};

class AxiMemory : public Component {
 public:
  AxiMemory(Memory& memory, const isa::Config& config, const AxiProfile& profile, uint64_t seed);

  /// Accesses that touch such a range get SLVERR.
  std::vector<AddressRange> bus_errors;
  /// Accesses that touch such a range never get an answer.
  std::vector<AddressRange> silent;

  void reset() override;
  void drive(RtlSim& sim) override;
  void sample(RtlSim& sim) override;
  void check(std::vector<std::string>& errors) const override;
  void report(std::ostream& out) const override;

  bool idle() const { return reads_.empty() && writes_.empty() && data_.empty(); }
  uint64_t read_bursts(uint32_t id) const { return read_bursts_[id & 1]; }
  uint64_t write_bursts() const { return write_bursts_; }

 private:
  struct Read {
    AxiBus::Address address;
    uint64_t due = 0;
    uint32_t beat = 0;
    bool late = false, dead = false;
    uint32_t response = 0;
    std::vector<std::array<uint32_t, 4>> early;  // data fetched at acceptance
  };
  struct Write {
    AxiBus::Address address;
    uint64_t due = 0;
    bool dead = false;
    uint32_t response = 0;
    std::vector<AxiBus::WriteData> beats;
    bool complete = false;
  };
  uint32_t beat_address(const AxiBus::Address& a, uint32_t beat) const;
  std::array<uint32_t, 4> fetch(uint32_t address) const;
  void apply(const Write& w);
  void accept_read(const AxiBus::Address& a);
  void accept_write(const AxiBus::Address& a);
  void check_address(const AxiBus::Address& a, const char* channel);
  void check_line(const AxiBus::Address& a, bool write);
  uint32_t response_of(const AxiBus::Address& a) const;
  bool is_silent(const AxiBus::Address& a) const;
  void take_write_data();
  void pick_read();
  void error(std::string text);

  Memory& memory_;
  uint32_t bus_bytes_;
  AxiProfile profile_;
  Random random_;
  uint64_t now_ = 0;
  std::deque<Read> reads_;
  std::deque<Write> writes_;                 // in address order
  std::deque<AxiBus::WriteData> data_;       // accepted data beats that no address has claimed yet
  int chosen_read_ = -1;                     // index into reads_ whose beat is on the R channel
  int chosen_write_ = -1;                    // index into writes_ whose response is on the B channel
  int last_read_ = -1;
  // Valid signals must stay until they are taken: last cycle's unanswered ones.
  AxiBus::Address held_aw_, held_ar_;
  AxiBus::WriteData held_w_;
  std::array<uint64_t, 2> read_bursts_{};
  uint64_t write_bursts_ = 0, beats_ = 0;
  std::vector<std::string> errors_;
};

}  // namespace maskwork::verif
