#pragma once
// `maskwork run`: one job on one engine or two.
#include <string>
#include <utility>
#include <vector>

#include "maskwork/job/job.hpp"

namespace maskwork::cli {

enum class Engine { Model, Rtl, Both };

struct RunOptions {
  Engine engine = Engine::Both;
  std::string config = "base";
  bool stats = false;
  std::string json_stats;  ///< file for the counters as JSON, empty = none
  std::string trace;
  std::string records;
  uint64_t trace_from = 0, trace_cycles = ~uint64_t{0};
  uint64_t timeout = 0;
  uint64_t latency_seed = 1;
  std::string latency = "normal";
  std::vector<std::pair<uint32_t, std::string>> outputs;  ///< storage binding, file
  bool quiet = false;
};

/// Runs, reports, and returns the exit code. The last line of stdout is the verdict.
int run_job(const Job& job, const RunOptions& options);

}  // namespace maskwork::cli
