// Measures what docs/performance.md reports. usage: maskwork_bench JOBS_DIRECTORY OUTPUT.json [CONFIGURATION ...]
#include <fmt/format.h>
#include <time.h>

#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

#include "figures.hpp"

namespace maskwork::bench {

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace maskwork::bench

int main(int argc, char** argv) {
  using namespace maskwork::bench;
  if (argc < 3) {
    fmt::print(stderr, "usage: maskwork_bench JOBS_DIRECTORY OUTPUT.json [CONFIGURATION ...]\n");
    return 2;
  }
  Figures figures;
  try {
    fmt::print(stderr, "model ...\n");
    model_figures(figures);
    fmt::print(stderr, "assembler ...\n");
    assembler_figures(figures);
    fmt::print(stderr, "RTL ...\n");
    rtl_figures(figures, argv[1], {argv + 3, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "maskwork_bench: {}\n", e.what());
    return 1;
  }
  nlohmann::ordered_json all;
  for (const Figure& f : figures) {
    auto& j = all[f.name] = {{"value", f.value}, {"unit", f.unit}};
    if (f.goal != 0) {
      j["goal"] = f.goal;
      j["goal_is"] = f.at_most ? "at most" : "at least";
      j["met"] = f.met();
    }
  }
  std::ofstream(argv[2]) << all.dump(2) << "\n";
  return 0;
}
