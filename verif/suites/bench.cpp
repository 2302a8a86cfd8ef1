#include "bench.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "maskwork/asm/assembler.hpp"
#include "maskwork/verif/rtl_sim.hpp"

namespace maskwork::suite {

bool nightly() {
  const char* v = std::getenv("MASKWORK_NIGHTLY");
  return v && *v == '1';
}

std::vector<isa::Config> rtl_configs() {
  std::vector<isa::Config> all;
  for (const auto& c : isa::configs)
    if (verif::has_rtl_sim(c)) all.push_back(c);
  return all;
}

uint64_t directed_seeds(const isa::Config& config) {
  if (nightly()) return 20;
  return config.lanes == 8 ? 3 : 1;
}

namespace {
Program checked(std::optional<Program> program, const Diagnostics& diagnostics, const std::string& text) {
  if (program) return *std::move(program);
  ADD_FAILURE() << render(diagnostics, text);
  // Something that runs and ends: the test has failed already.
  Program empty;
  isa::Word end;
  isa::set(end, isa::field::op, static_cast<uint32_t>(isa::Op::END));
  isa::set(end, isa::field::sem_wait, 3);
  empty.words.push_back(end);
  return empty;
}
}  // namespace

Program assemble_source(const std::string& source) {
  Diagnostics diagnostics;
  auto program = assemble(source, "test.nvcp", {}, diagnostics);
  return checked(std::move(program), diagnostics, source);
}

Program microcode(const std::string& text) {
  std::string all = "!!maskwork-microcode\n";
  const auto has = [&](const char* directive) { return text.find(directive) != std::string::npos; };
  if (!has(".group")) all += ".group 32 1 1\n";
  if (!has(".registers")) all += ".registers 8\n";
  if (!has(".flow")) all += ".flow partial\n";
  all += text;
  Diagnostics diagnostics;
  auto program = assemble_microcode(all, "test.mwu", diagnostics);
  return checked(std::move(program), diagnostics, all);
}

bool Bench::fits(const isa::Config& config) const {
  try {
    fit(config, program_);
    return true;
  } catch (const DeviceError&) {
    return false;
  }
}

Outcome Bench::run(Device& device) const {
  std::map<uint32_t, uint32_t> addresses;
  for (const auto& [binding, words] : storage_) {
    const uint32_t address = device.memory().allocate(4 * words.size());
    addresses[binding] = address;
    if (!words.empty()) std::memcpy(device.memory().at(address), words.data(), 4 * words.size());
    device.bind_storage(binding, address, static_cast<uint32_t>(4 * words.size()));
  }
  for (const auto& [index, words] : local_) device.set_local(index, words);
  device.load(program_);
  Outcome o;
  o.config = device.config();
  o.result = device.dispatch(groups_[0], groups_[1], groups_[2], options);
  for (const auto& [binding, words] : storage_) {
    std::vector<uint32_t> after(words.size());
    if (!words.empty()) std::memcpy(after.data(), device.memory().at(addresses[binding]), 4 * words.size());
    o.storage[binding] = std::move(after);
  }
  return o;
}

Outcome Bench::on_model(const isa::Config& config) const {
  const auto device = make_model(config);
  Outcome o = run(*device);
  o.where = fmt::format("model, {}", config.name);
  return o;
}

Outcome Bench::on_rtl(const isa::Config& config, uint64_t seed, const verif::AxiProfile& profile) const {
  verif::RtlOptions r = rtl;
  r.lockstep = lockstep;
  r.seed = seed;
  r.profile = profile;
  const auto device = verif::make_rtl(config, r);
  Outcome o = run(*device);
  o.rtl = true;
  o.where = fmt::format("rtl in lockstep, {}, latency seed {}", config.name, seed);
  return o;
}

void Bench::everywhere(const std::function<void(const Outcome&)>& check) const {
  uint32_t runs = 0;
  for (const auto& config : isa::configs) {
    if (!fits(config)) continue;
    const Outcome o = on_model(config);
    SCOPED_TRACE(o.where);
    check(o);
    ++runs;
  }
  for (const auto& config : rtl_configs()) {
    if (!fits(config)) continue;
    const uint64_t seeds = one_seed ? 1 : directed_seeds(config);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const Outcome o = on_rtl(config, seed, verif::AxiProfile::seeded(seed));
      SCOPED_TRACE(o.where);
      EXPECT_EQ(o.result.mismatch, "");
      EXPECT_FALSE(o.result.timed_out) << o.result.wait_report;
      if (::testing::Test::HasFailure()) return;  // one report is enough
      check(o);
      ++runs;
    }
  }
  EXPECT_GT(runs, 0u) << "the program fits no configuration";
}

namespace {
std::string fault_text(const DispatchResult& r) {
  return fmt::format("fault {} at pc {}, wave {}, threads {:08x}\n{}", isa::to_string(r.fault.code), r.fault.pc, r.fault.wave, r.fault.lanes, r.wait_report);
}
}  // namespace

void Bench::expect(uint32_t binding, const std::vector<uint32_t>& words) const {
  everywhere([&](const Outcome& o) {
    EXPECT_EQ(o.result.fault.code, isa::Fault::NONE) << fault_text(o.result);
    const auto& got = o.storage.at(binding);
    ASSERT_GE(got.size(), words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      if (got[i] == words[i]) continue;
      ADD_FAILURE() << fmt::format("storage {}: word {}: 0x{:08x}, expected 0x{:08x}", binding, i, got[i], words[i]);
      return;
    }
  });
}

void Bench::expect_fault(isa::Fault code, uint32_t pc, std::optional<uint32_t> wave, std::optional<uint32_t> lanes) const {
  everywhere([&](const Outcome& o) {
    EXPECT_EQ(o.result.fault.code, code) << fault_text(o.result);
    EXPECT_EQ(o.result.fault.pc, pc) << fault_text(o.result);
    if (wave) {
      EXPECT_EQ(o.result.fault.wave, *wave) << fault_text(o.result);
    }
    if (lanes) {
      EXPECT_EQ(o.result.fault.lanes, *lanes) << fault_text(o.result);
    }
  });
}

}  // namespace maskwork::suite
