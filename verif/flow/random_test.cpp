// Random structured programs on the golden model against the interpreter of one thread. MASKWORK_SEEDS multiplies the number.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "flowgen/generator.hpp"
#include "flowgen/step_machine.hpp"

namespace maskwork::flowgen {
namespace {

uint64_t scaled(uint64_t n) {
  const char* s = std::getenv("MASKWORK_SEEDS");
  return s ? n * std::strtoull(s, nullptr, 10) : n;
}

void on_model(uint64_t first, uint64_t count, const GenerateOptions& o) {
  const auto config = *isa::find_config("base");
  std::unique_ptr<Device> device;
  uint64_t words = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    if ((seed - first) % 500 == 0) device = make_model(config);  // device memory is not given back
    const FlowCase c = make_case(seed, o);
    const Program p = compile_case(c, seed);
    ASSERT_EQ(run_case(*device, p, c.expected, c.groups), "") << "seed " << seed;
    words += p.words.size();
  }
  ::testing::Test::RecordProperty("words", static_cast<int>(words));
}

TEST(RandomFlow, Structured) { on_model(1, scaled(16000), {}); }

TEST(RandomFlow, Partial) {
  GenerateOptions o;
  o.loops_and_calls = false;
  on_model(1000001, scaled(2000), o);
}

TEST(RandomFlow, FullGroups) {
  GenerateOptions o;
  o.threads = 256;
  on_model(2000001, scaled(2000), o);
}

// The step machine that shows the rules is right itself.
TEST(RandomFlow, StepMachine) {
  GenerateOptions o;
  o.max_threads = 32;
  for (uint64_t seed = 3000001; seed < 3000001 + scaled(2000); ++seed) {
    const FlowCase c = make_case(seed, o);
    CompileOptions options;
    options.seed = static_cast<uint32_t>(seed);
    options.merge_percent = options.fuse_percent = options.skip_percent = 50;
    const Compiled code = compile(c.ast, c.threads, options);
    for (uint32_t g = 0; g < c.groups; ++g) {
      std::vector<ThreadStart> threads;
      for (uint32_t t = 0; t < c.threads; ++t) threads.push_back({g * c.threads + t, g, t});
      const std::vector<ThreadResult> want(c.expected.begin() + g * c.threads, c.expected.begin() + (g + 1) * c.threads);
      ASSERT_EQ(run_steps(c.ast, code, threads), std::optional(want)) << "seed " << seed;
    }
  }
}

// The random programs are rich enough: they find every wrong reading of the rules, too.
TEST(RandomFlow, FindsEveryWrongReading) {
  constexpr uint32_t kCases = 1500;
  std::vector<uint32_t> step(static_cast<size_t>(WrongStep::ReturnKeepsLoopStack) + 1), code(static_cast<size_t>(WrongCode::FusedActiveOnly) + 1);
  GenerateOptions o;
  o.max_threads = 32;
  for (uint64_t seed = 4000001; seed < 4000001 + kCases; ++seed) {
    const FlowCase c = make_case(seed, o);
    std::vector<ThreadStart> threads;
    for (uint32_t t = 0; t < c.threads; ++t) threads.push_back({t, 0, t});
    const std::vector<ThreadResult> want(c.expected.begin(), c.expected.begin() + c.threads);
    CompileOptions options;
    options.seed = static_cast<uint32_t>(seed);
    options.merge_percent = options.fuse_percent = options.skip_percent = 50;
    const Compiled right = compile(c.ast, c.threads, options);
    for (size_t w = 1; w < step.size(); ++w) step[w] += run_steps(c.ast, right, threads, static_cast<WrongStep>(w), 20000) != std::optional(want);
    for (size_t w = 1; w < code.size(); ++w) {
      options.wrong = static_cast<WrongCode>(w);
      code[w] += run_steps(c.ast, compile(c.ast, c.threads, options), threads, WrongStep::None, 20000) != std::optional(want);
    }
  }
  for (size_t w = 1; w < step.size(); ++w) {
    EXPECT_GT(step[w], 3u) << "wrong step " << w;
    RecordProperty("step" + std::to_string(w), static_cast<int>(step[w]));
  }
  for (size_t w = 1; w < code.size(); ++w) {
    EXPECT_GT(code[w], 3u) << "wrong code " << w;
    RecordProperty("code" + std::to_string(w), static_cast<int>(code[w]));
  }
}

}  // namespace
}  // namespace maskwork::flowgen
