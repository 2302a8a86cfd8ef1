// Random structured control flow in lockstep: IF/ELSE, loops, BRK, CONT, calls, recursion, RET. The model computes every record; the
// results are also compared with the interpreter of one thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "bench.hpp"
#include "flowgen/generator.hpp"

namespace maskwork::suite {
namespace {

void lockstep(const isa::Config& config, uint64_t first, uint64_t count, flowgen::GenerateOptions options) {
  options.max_threads = std::min(config.group_threads, 100u);
  std::unique_ptr<Device> device;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first + i;
    if (i % 40 == 0) {  // device memory is not given back; and other latencies
      verif::RtlOptions o;
      o.seed = seed;
      o.profile = verif::AxiProfile::seeded(seed);
      device = verif::make_rtl(config, o);
    }
    const flowgen::FlowCase c = flowgen::make_case(seed, options);
    const Program p = flowgen::compile_case(c, seed);
    ASSERT_EQ(flowgen::run_case(*device, p, c.expected, c.groups), "") << config.name << ", seed " << seed;
  }
}

TEST(RandomFlow, Lockstep) {
  if (const char* one = std::getenv("MASKWORK_SEED")) {
    for (const auto& config : rtl_configs()) lockstep(config, std::strtoull(one, nullptr, 0), 1, {});
    return;
  }
  flowgen::GenerateOptions partial;
  partial.loops_and_calls = false;
  for (const auto& config : rtl_configs()) {
    // 1000 seeds on the default configuration; the flow unit is the same for all numbers of lanes.
    const uint64_t n = nightly() ? 4000 : config.name == "base" ? 1000 : 60;
    lockstep(config, 1, n, {});
    lockstep(config, 1000001, n / 5, partial);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace maskwork::suite
