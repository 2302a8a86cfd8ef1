// Drives the verilated lane: one operation per cycle, each result compared with the reference when it leaves the pipeline.
#pragma once

#include <memory>
#include <vector>

#include "lane_reference.hpp"

class Vmw_lane_tb;

namespace maskwork::lane_test {

isa::Word word_of(const Operation& op);

class LaneBench {
 public:
  LaneBench();
  ~LaneBench();
  /// Starts an operation in this cycle and checks the one that leaves.
  void issue(const Operation& op, const Operands& in);
  /// Lets the operations in flight leave, checks them; returns the number of differences since the start.
  unsigned drain();

 private:
  struct Flight {
    Operation op;
    Operands in;
    bool valid = false;
  };
  void cycle(const Flight& next);
  void report(const Flight& done, const Result& got, const Result& want);

  std::unique_ptr<Vmw_lane_tb> top_;
  std::vector<Flight> flight_;  // ring, as long as the latency
  std::size_t at_ = 0;
  unsigned differences_ = 0;
};

}  // namespace maskwork::lane_test
