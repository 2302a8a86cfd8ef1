// Random structured programs in NV assembly, through the assembler, on the golden model against the interpreter of one thread.
#include <gtest/gtest.h>

#include <cstdlib>

#include "flowgen/generator.hpp"
#include "flowgen/source.hpp"
#include "maskwork/asm/assembler.hpp"

namespace maskwork::flowgen {
namespace {

uint64_t scaled(uint64_t n) {
  const char* s = std::getenv("MASKWORK_SEEDS");
  return s ? n * std::strtoull(s, nullptr, 10) : n;
}

void on_model(uint64_t first, uint64_t count, GenerateOptions o, bool expect_partial) {
  o.language = true;
  const auto config = *isa::find_config("base");
  std::unique_ptr<Device> device;
  uint64_t partial = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    if ((seed - first) % 200 == 0) device = make_model(config);  // device memory is not given back
    const FlowCase c = make_case(seed, o);
    const std::string source = source_text(c.ast, c.threads, seed);
    Diagnostics diagnostics;
    const auto program = assemble(source, "random.nvcp", {}, diagnostics);
    ASSERT_TRUE(program) << "seed " << seed << "\n" << render(diagnostics, source) << source;
    partial += !program->full_flow;
    ASSERT_EQ(run_case(*device, *program, c.expected, c.groups), "") << "seed " << seed << "\n" << source;
  }
  if (expect_partial) {
    EXPECT_EQ(partial, count);
  }
}

TEST(RandomSource, Structured) { on_model(1, scaled(2000), {}, false); }

TEST(RandomSource, Partial) {
  GenerateOptions o;
  o.loops_and_calls = false;
  on_model(1000001, scaled(500), o, true);
}

// Deeper than partial mode can.
TEST(RandomSource, DeepBranches) {
  GenerateOptions o;
  o.loops_and_calls = false;
  o.if_depth = 12;
  on_model(2000001, scaled(200), o, false);
}

}  // namespace
}  // namespace maskwork::flowgen
