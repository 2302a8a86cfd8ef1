// Random legal ALU and memory words under masks, in lockstep: every record of every word is compared with the model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "bench.hpp"
#include "maskwork/asm/assembler.hpp"
#include "random_words.hpp"

namespace maskwork::suite {
namespace {

/// Seeds of one test: MASKWORK_SEED reproduces a single one.
void for_seeds(uint64_t count, const std::function<void(uint64_t)>& body) {
  if (const char* one = std::getenv("MASKWORK_SEED")) {
    body(std::strtoull(one, nullptr, 0));
    return;
  }
  for (uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) body(seed);
}

void run(const isa::Config& config, uint64_t seed) {
  const RandomProgram random = random_program(seed, std::min(config.group_threads, 200u));
  Bench bench(random.program);
  if (!bench.fits(config)) return;  // the configuration has too few registers for this one
  for (uint32_t b = 0; b < random.storage.size(); ++b) bench.storage(b, random.storage[b]);
  bench.groups(random.groups);
  bench.options.fill_seed = static_cast<uint32_t>(seed + 1);
  const Outcome o = bench.on_rtl(config, seed, verif::AxiProfile::seeded(seed));
  EXPECT_TRUE(o.result.ok()) << fmt::format("seed {}: fault {} at pc {} wave {} threads {:08x}\n{}{}", seed, isa::to_string(o.result.fault.code), o.result.fault.pc,
                                           o.result.fault.wave, o.result.fault.lanes, o.result.mismatch, o.result.wait_report);
  if (!o.result.ok() && std::getenv("MASKWORK_SEED")) fmt::print("{}", disassemble(random.program));
}

TEST(RandomWords, Lockstep) {
  for (const auto& config : rtl_configs()) {
    SCOPED_TRACE(config.name);
    for_seeds(nightly() ? 2000 : config.lanes == 1 ? 60 : 150, [&](uint64_t seed) { run(config, seed); });
  }
}

/// The model by itself must accept them too: it has no opinion on values, but faults on anything illegal.
TEST(RandomWords, OnTheModel) {
  const auto config = *isa::find_config("base");
  for_seeds(nightly() ? 20000 : 2000, [&](uint64_t seed) {
    const RandomProgram random = random_program(seed, 200);
    Bench bench(random.program);
    for (uint32_t b = 0; b < random.storage.size(); ++b) bench.storage(b, random.storage[b]);
    bench.groups(random.groups);
    const Outcome o = bench.on_model(config);
    EXPECT_EQ(o.result.fault.code, isa::Fault::NONE) << fmt::format("seed {}: fault {} at pc {}", seed, isa::to_string(o.result.fault.code), o.result.fault.pc);
  });
}

}  // namespace
}  // namespace maskwork::suite
