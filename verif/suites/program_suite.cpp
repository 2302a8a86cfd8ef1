// Every job of programs/ on the model, and in lockstep on every configuration of this build that it fits, over latency seeds that are
// looped in one process: 20 on base, 2 elsewhere, at most 4 for runs of more than
// 20 000 cycles (20 everywhere in the nightly set).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "bench.hpp"
#include "load.hpp"
#include "maskwork/job/job.hpp"

namespace maskwork::suite {
namespace {

const std::string directory = MASKWORK_JOBS;  // of the build tree
constexpr uint64_t long_run = 20000;          // cycles; longer jobs get few seeds in the quick set

class Programs : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    job_ = read_job(directory + "/" + GetParam() + ".json");
    program_ = cli::load_program(job_.program);
  }
  /// Runs the job; no complaints = empty.
  std::string run(Device& device, bool* fits = nullptr) {
    std::vector<uint32_t> addresses = bind_job(job_, device);
    try {
      device.load(program_);
      choose_subroutines(job_, device);
    } catch (const DeviceError& e) {
      if (fits) *fits = false;
      return e.what();
    }
    DispatchOptions options;
    options.fill = job_.fill;
    options.fill_seed = job_.fill_seed;
    options.word_budget = job_.word_budget;
    const DispatchResult r = device.dispatch(job_.dispatch[0], job_.dispatch[1], job_.dispatch[2], options);
    cycles_ = r.counter(isa::Counter::Cycles);
    if (!r.mismatch.empty()) return r.mismatch;
    if (r.fault.code != isa::Fault::NONE)
      return fmt::format("fault {} at pc {}, group {}, wave {}\n{}", isa::to_string(r.fault.code), r.fault.pc, r.fault.group[0], r.fault.wave, r.wait_report);
    std::string all;
    const JobVerdict v = check_job(job_, device, addresses);
    for (const auto& d : v.differences) all += d + "\n";
    EXPECT_GT(v.compared, 0u) << "the job expects nothing";
    return all;
  }
  Job job_;
  Program program_;
  uint64_t cycles_ = 0;  ///< of the last run
};

TEST_P(Programs, OnTheModel) {
  uint32_t runs = 0;
  for (const auto& config : isa::configs) {
    bool fits = true;
    const std::string complaint = run(*make_model(config), &fits);
    if (!fits) continue;
    EXPECT_EQ(complaint, "") << config.name;
    ++runs;
  }
  EXPECT_GT(runs, 0u);
}

TEST_P(Programs, InLockstep) {
  const bool long_one = program_.words.size() > 4000;
  const bool large = GetParam().find('/') != std::string::npos;
  for (const auto& config : rtl_configs()) {
    uint64_t seeds = nightly() || config.name == "base" ? 20 : 2;
    if (long_one && !nightly()) seeds = 1;
    if (large) seeds = 2;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      verif::RtlOptions o;
      o.seed = seed;
      o.profile = verif::AxiProfile::seeded(seed);
      bool fits = true;
      const std::string complaint = run(*verif::make_rtl(config, o), &fits);
      if (!fits) break;
      ASSERT_EQ(complaint, "") << config.name << ", latency seed " << seed;
      if (cycles_ > long_run && !nightly()) seeds = std::min<uint64_t>(seeds, 4);
    }
  }
}

TEST(ProgramSizes, HundredTemporariesFitSixteenRegisters) {
  const Program p = cli::load_program(directory + "/temps100.nvcp");
  EXPECT_LE(p.registers, 16u);
}

TEST(ProgramSizes, TwentyThousandWords) {
  const Program p = cli::load_program(directory + "/big.nvcp");
  EXPECT_GE(p.words.size(), 20000u);
}

/// The goal for a matrix multiply that is bound by its fused multiply-adds: lanes busy >= 95 % at 8 lanes, loads and stores of all data included.
TEST(ProgramSpeed, BlockedMatrixMultiplyKeepsTheLanesBusy) {
  const auto config = isa::find_config("base");
  const auto built = rtl_configs();
  if (std::none_of(built.begin(), built.end(), [&](const isa::Config& c) { return c.name == config->name; })) GTEST_SKIP() << "this build has no RTL of base";
  const Job job = read_job(directory + "/demo/matmul_blocked.json");
  verif::RtlOptions o;
  o.lockstep = false;
  o.history = false;
  const auto device = verif::make_rtl(*config, o);
  const auto addresses = bind_job(job, *device);
  device->load(cli::load_program(job.program));
  const DispatchResult r = device->dispatch(job.dispatch[0], job.dispatch[1], job.dispatch[2], {});
  ASSERT_TRUE(r.ok()) << r.mismatch;
  EXPECT_TRUE(check_job(job, *device, addresses).differences.empty());
  const double busy = static_cast<double>(r.counter(isa::Counter::LaneOps)) / (static_cast<double>(r.counter(isa::Counter::BusyCycles)) * config->lanes);
  EXPECT_GE(busy, 0.95);
  RecordProperty("lanes_busy_permille", static_cast<int>(1000 * busy));
}

/// Jobs of the build tree; in the nightly set those with larger sizes too.
std::vector<std::string> job_names() {
  std::vector<std::string> names;
  for (const std::string folder : {"", "demo/", "nightly/"}) {
    if (!folder.empty() && !nightly()) break;
    for (const auto& entry : std::filesystem::directory_iterator(directory + "/" + folder))
      if (entry.path().extension() == ".json") names.push_back(folder + entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Jobs, Programs, ::testing::ValuesIn(job_names()), [](const auto& i) {
  std::string name = i.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace maskwork::suite
