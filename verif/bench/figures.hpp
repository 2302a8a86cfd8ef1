#pragma once
// What the benchmark's parts share: a list of named figures that is printed for a person and written as JSON.
#include <ctime>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace maskwork::bench {

struct Figure {
  std::string name;  ///< key in the JSON
  double value = 0;
  std::string unit;
  double goal = 0;   ///< 0 = none
  bool at_most = false;  ///< the goal is an upper limit
  bool met() const { return goal == 0 || (at_most ? value <= goal : value >= goal); }
};
using Figures = std::vector<Figure>;

/// Processor time of this process in seconds: others may be at work on the machine.
double cpu_seconds();

/// Best processor time of `rounds` runs.
template <class F>
double best_time(int rounds, const F& run) {
  double best = 1e30;
  for (int n = 0; n < rounds; ++n) {
    const double begin = cpu_seconds();
    run();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

/// Golden model beside plain C++ (model_figures.cpp).
void model_figures(Figures& out);
/// Assembler (asm_figures.cpp).
void assembler_figures(Figures& out);
/// RTL alone and in lockstep, 16 bare lanes, occupancy of lanes and banks (rtl_figures.cpp). `jobs`: folder of the built jobs;
/// `wanted`: names of the configurations to measure, empty = every one of the build (work groups of 512 threads must fit).
void rtl_figures(Figures& out, const std::string& jobs, const std::vector<std::string>& wanted);
/// Operations per second of 16 lanes with nothing around them, random operands in each clock (bare_lanes.cpp).
double bare_lane_speed();

}  // namespace maskwork::bench
