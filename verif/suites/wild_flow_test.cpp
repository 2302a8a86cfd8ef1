// Programs of random flow words, most of them illegal, in lockstep: the same records and the same fault on both engines.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "bench.hpp"
#include "flowgen/wild.hpp"

namespace maskwork::suite {
namespace {

std::map<isa::Fault, uint32_t> lockstep(const isa::Config& config, uint64_t first, uint64_t count) {
  std::map<isa::Fault, uint32_t> faults;
  std::unique_ptr<Device> device;
  DispatchOptions options;
  options.word_budget = flowgen::wild_budget;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = first + i;
    if (i % 100 == 0) {
      verif::RtlOptions o;
      o.seed = seed;
      o.profile = verif::AxiProfile::seeded(seed);
      device = verif::make_rtl(config, o);
    }
    device->load(flowgen::wild_program(seed, std::min(config.group_threads, 64u)));
    options.fill_seed = static_cast<uint32_t>(seed);
    const DispatchResult r = device->dispatch(3, 1, 1, options);
    EXPECT_EQ(r.mismatch, "") << config.name << ", seed " << seed;
    if (!r.mismatch.empty()) break;
    ++faults[r.fault.code];
  }
  return faults;
}

TEST(WildFlow, Lockstep) {
  for (const auto& config : rtl_configs()) {
    if (const char* one = std::getenv("MASKWORK_SEED")) {
      lockstep(config, std::strtoull(one, nullptr, 0), 1);
      continue;
    }
    const uint64_t n = nightly() ? 10000 : config.name == "base" ? 1000 : 150;
    auto faults = lockstep(config, 1, n);
    if (HasFailure()) return;
    for (const isa::Fault f : {isa::Fault::NONE, isa::Fault::BAD_WORD, isa::Fault::STACK_UNDERFLOW, isa::Fault::STALE_ALU, isa::Fault::END_DEPTH})
      EXPECT_GT(faults[f], 0u) << isa::to_string(f);
    if (n < 1000) continue;
    for (const isa::Fault f : {isa::Fault::STACK_OVERFLOW, isa::Fault::STACK_MISMATCH, isa::Fault::DIVERGENT_BAR}) EXPECT_GT(faults[f], 0u) << isa::to_string(f);
  }
}

}  // namespace
}  // namespace maskwork::suite
