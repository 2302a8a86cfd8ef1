#include "maskwork/verif/rtl_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "maskwork/follower.hpp"
#include "maskwork/verif/csr_driver.hpp"
#include "maskwork/verif/lockstep.hpp"
#include "maskwork/verif/record_file.hpp"

namespace maskwork::verif {

namespace {

/// Cycles from the RTL's word on a register used too early to the record of the word that does it.
constexpr uint64_t use_patience = 20000;

/// Counts work groups for progress when nobody reads the records.
class GroupCounter : public Component {
 public:
  GroupCounter() : Component("groups") {}
  void sample(RtlSim& sim) override { groups_ += sim.group_ended(); }
  uint64_t groups() const { return groups_; }

 private:
  uint64_t groups_ = 0;
};

/// Attaches a component for the length of one dispatch.
class Guest {
 public:
  Guest(Environment& env, Component& component) : env_(env) { env_.attach(&component); }
  ~Guest() { env_.attach(nullptr); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

 private:
  Environment& env_;
};

class RtlDevice final : public Device {
 public:
  RtlDevice(const isa::Config& config, const RtlOptions& options) : config_(config), options_(options) {
    if (!has_rtl_sim(config_, !options_.trace_file.empty())) make_rtl_sim(config_, !options_.trace_file.empty());  // throws with the names
  }

  const isa::Config& config() const override { return config_; }
  std::string name() const override { return options_.lockstep ? "rtl in lockstep with the model" : "rtl"; }

 protected:
  DispatchResult run(const DispatchState& state, const DispatchOptions& options) override;

 private:
  void start();
  void program_csrs(const DispatchState& state, const DispatchOptions& options);
  void read_counters(DispatchResult& result);
  void read_back(DispatchResult& result);
  void compare_end(DispatchResult& result, Follower& follower) const;
  /// A register that is used before its load returned: the model's verdict in lockstep, else the RTL's own.
  void tell_use(DispatchResult& result, const LockstepScoreboard& board, const std::optional<UseBeforeWait>& use) const;

  const isa::Config config_;
  const RtlOptions options_;
  // The unit and its bus stay alive from dispatch to dispatch, as hardware does; after a fault or a time-out it is reset.
  std::unique_ptr<Environment> env_;
  CsrDriver* csr_ = nullptr;
  AxiMemory* axi_ = nullptr;
};

void RtlDevice::start() {
  env_ = std::make_unique<Environment>(make_rtl_sim(config_, !options_.trace_file.empty()));
  csr_ = &env_->add<CsrDriver>(options_.seed);
  axi_ = &env_->add<AxiMemory>(memory_, config_, options_.profile, options_.seed + 1);
  axi_->bus_errors = options_.bus_errors;
  axi_->silent = options_.silent;
  if (!options_.trace_file.empty()) env_->sim().open_trace(options_.trace_file);
  env_->reset();
}

void RtlDevice::program_csrs(const DispatchState& state, const DispatchOptions& options) {
  const auto w = [&](uint32_t address, uint32_t value) { csr_->write(*env_, address, value); };
  namespace csr = isa::csr;
  w(csr::PROG_BASE, state.program_address);
  w(csr::PROG_WORDS, static_cast<uint32_t>(program_.words.size()));
  w(csr::ENTRY, program_.entry);
  w(csr::GROUPS_X, state.groups[0]);
  w(csr::GROUPS_Y, state.groups[1]);
  w(csr::GROUPS_Z, state.groups[2]);
  w(csr::SIZE_X, program_.group_size[0]);
  w(csr::SIZE_Y, program_.group_size[1]);
  w(csr::SIZE_Z, program_.group_size[2]);
  w(csr::THREADS, program_.threads());
  w(csr::WAVES, residency_.waves_per_group);
  w(csr::RESIDENT, residency_.resident_groups);
  w(csr::NREGS, program_.registers);
  w(csr::SHARED_BYTES, program_.shared_bytes);
  w(csr::SHARED_ALLOC, residency_.shared_words);
  w(csr::FLOW_FULL, program_.full_flow);
  w(csr::BUDGET, options.word_budget);
  w(csr::WATCHDOG, options.watchdog);
  w(csr::BOOLS, program_.bools);
  w(csr::FILL_MODE, static_cast<uint32_t>(options.fill));
  w(csr::FILL_SEED, options.fill_seed);
  for (uint32_t i = 0; i < state.constants.size(); ++i) w(csr::constants_base + 4 * i, state.constants[i]);
  for (uint32_t i = 0; i < state.slots.size(); ++i) {
    w(csr::slots_base + 8 * i, state.slots[i].base);
    w(csr::slots_base + 8 * i + 4, state.slots[i].size);
  }
  w(csr::CTRL, 2);  // the program may have changed
}

void RtlDevice::read_counters(DispatchResult& result) {
  namespace csr = isa::csr;
  const auto r = [&](uint32_t address) { return csr_->read(*env_, address); };
  for (uint32_t i = 0; i < isa::counters.size(); ++i) {
    const uint64_t low = r(csr::counters_base + 8 * i);
    result.counters[i] = low | uint64_t{r(csr::counters_base + 8 * i + 4)} << 32;
  }
}

void RtlDevice::read_back(DispatchResult& result) {
  namespace csr = isa::csr;
  const auto r = [&](uint32_t address) { return csr_->read(*env_, address); };
  read_counters(result);
  Fault& f = result.fault;
  f.code = static_cast<isa::Fault>(r(csr::FAULT_CODE));
  if (f.code == isa::Fault::NONE) return;
  f.pc = r(csr::FAULT_PC);
  f.wave = r(csr::FAULT_WAVE);
  f.lanes = r(csr::FAULT_LANES);
  f.group = {r(csr::FAULT_GROUP_X), r(csr::FAULT_GROUP_Y), r(csr::FAULT_GROUP_Z)};
}

void RtlDevice::compare_end(DispatchResult& result, Follower& follower) const {
  const auto code = result.fault.code;
  // Accesses that a dead or faulty bus swallowed are performed for the model and not in memory.
  if (code == isa::Fault::DEADLOCK || code == isa::Fault::BUS_ERROR) return;
  const auto rtl = memory_.bytes(), model = follower.memory().bytes();
  if (rtl.size() != model.size()) {
    result.mismatch = fmt::format("memory sizes differ: rtl {}, model {}\n", rtl.size(), model.size());
    return;
  }
  const auto [a, b] = std::mismatch(rtl.begin(), rtl.end(), model.begin());
  if (a != rtl.end()) {
    const auto at = static_cast<size_t>(a - rtl.begin()) & ~size_t{3};
    const uint32_t address = Memory::first_address + static_cast<uint32_t>(at);
    result.mismatch = fmt::format("memory at the end of the dispatch: address 0x{:08x}: rtl 0x{:08x}, model 0x{:08x}\n", address, memory_.load32(address),
                                  follower.memory().load32(address));
    return;
  }
  if (code != isa::Fault::NONE) return;  // words that were under way when another wave faulted may be counted or not
  const auto counters = follower.counters();
  for (size_t i = 0; i < counters.size(); ++i)
    if (isa::counters[i].same && counters[i] != result.counters[i]) {
      result.mismatch = fmt::format("counter {}: rtl {}, model {}\n", isa::counters[i].name, result.counters[i], counters[i]);
      return;
    }
}

void RtlDevice::tell_use(DispatchResult& result, const LockstepScoreboard& board, const std::optional<UseBeforeWait>& use) const {
  if (board.use_before_wait()) {
    result.fault = *board.use_before_wait();
  } else if (use && options_.lockstep) {
    result.mismatch = fmt::format("wave slot {}, pc {}: the RTL finds that a register is used before its load returned, the model does not\n", use->wave, use->pc);
  } else if (use) {
    const uint32_t per_group = std::max(1u, residency_.waves_per_group);
    result.fault = {isa::Fault::SEM_USE, board.history().slot(use->wave / per_group).group, use->wave % per_group, use->pc, 0};
  }
}

DispatchResult RtlDevice::run(const DispatchState& state, const DispatchOptions& options) {
  DispatchResult result;
  // The model begins with zeros where nothing is filled, the unit with what was there.
  if (options_.lockstep && options.fill == FillMode::Off)
    throw DeviceError("fill mode off leaves registers and shared memory as they were, which the engines cannot agree on: in lockstep use zero or pattern");
  std::unique_ptr<Follower> follower;
  if (options_.lockstep) follower = make_follower(config_, program_, residency_, state, options, memory_);
  LockstepScoreboard board(config_, program_, residency_, std::move(follower));
  std::optional<RecordFile> log;
  if (!options_.record_file.empty()) {
    log.emplace(options_.record_file);
    board.log_to(&*log);
  }
  GroupCounter counter;
  const bool with_records = options_.lockstep || options_.history || log;
  take_use_before_wait();  // of an earlier run
  uint64_t cycles = 0;
  // What the harness knows by itself, where the unit cannot be asked any more.
  const auto count = [&] {
    result.counters[static_cast<size_t>(isa::Counter::Words)] = board.words();
    result.counters[static_cast<size_t>(isa::Counter::Cycles)] = cycles;
  };

  try {
    if (!env_) start();
    Environment& env = *env_;
    program_csrs(state, options);
    Guest guest(env, with_records ? static_cast<Component&>(board) : counter);
    csr_->write(env, isa::csr::CTRL, 1);

    const uint64_t total = uint64_t{state.groups[0]} * state.groups[1] * state.groups[2];
    const uint64_t begin = env.cycles();
    bool done = false, asked = false;
    uint64_t ask_at = 0;
    const bool traced = !options_.trace_file.empty();
    std::optional<UseBeforeWait> use;
    uint64_t use_cycle = 0;
    while (!done) {
      const uint64_t cycle = cycles = env.cycles() - begin;
      if (traced) env.sim().tracing = cycle >= options_.trace_from && cycle - options_.trace_from < options_.trace_cycles;
      if (!asked && cycle >= ask_at) {
        asked = true;
        csr_->queue({false, isa::csr::STATUS, 0, [&](uint32_t v) {
                       done = (v & 2) != 0;
                       asked = false;
                       ask_at = env.cycles() - begin + 24;
                     }});
      }
      env.cycle();
      if (!use && (use = take_use_before_wait())) use_cycle = cycle;
      // In lockstep the word's record comes a little later, and the model tells what is wrong with it; alone, the words before it are let through.
      if (board.stopped() || (use && cycle - use_cycle > (options_.lockstep ? use_patience : 64))) break;
      if (options.max_cycles != 0 && cycle >= options.max_cycles) {
        result.timed_out = true;
        break;
      }
      if ((cycle & 63) == 0 && options.stop && *options.stop) {
        result.stopped = true;
        break;
      }
      if (log && (cycle & 0x3ff) == 0 && !log->error().empty()) break;
      if (options.progress && (cycle & 0x1fff) == 0x1fff) options.progress(with_records ? board.groups_ended() : counter.groups(), total, cycle);
    }
    env.sim().tracing = false;
    result.mismatch = board.mismatch();
    if (result.mismatch.empty()) tell_use(result, board, use);
    if (done && result.ok()) {
      read_back(result);
      if (with_records && result.mismatch.empty() && !(board.fault() == result.fault))
        result.mismatch = fmt::format("fault registers do not tell what the fault record told: code {} and {}, pc {} and {}, wave {} and {}, threads {:08x} and {:08x}\n",
                                      isa::to_string(result.fault.code), isa::to_string(board.fault().code), result.fault.pc, board.fault().pc, result.fault.wave,
                                      board.fault().wave, result.fault.lanes, board.fault().lanes);
      if (board.follower() && result.mismatch.empty()) {
        board.finish();
        result.mismatch = board.mismatch();
        if (result.mismatch.empty()) compare_end(result, *board.follower());
      }
      if (result.mismatch.empty())
        for (const std::string& e : env.check()) result.mismatch += e + "\n";
    }
    if (!done) {  // the unit still runs: they tell how far it came
      read_counters(result);
      uint64_t& words = result.counters[static_cast<size_t>(isa::Counter::Words)];
      words = std::max(words, board.words());  // the unit counts a little later
    }
    if (result.fault.code == isa::Fault::DEADLOCK || result.timed_out || result.stopped)
      result.wait_report = with_records ? board.history().waiting() : "run with records to see what the waves wait for\n";
  } catch (const std::runtime_error& e) {  // RtlAssertion, a hung bus
    if (result.mismatch.empty() && result.fault.code == isa::Fault::NONE) {
      result.mismatch = std::string(e.what()) + "\n";
      count();
    }
  }
  if (log) {
    log->flush();
    result.output_error = log->error();
  }
  if (!result.ok()) env_.reset();
  return result;
}

}  // namespace

std::unique_ptr<Device> make_rtl(const isa::Config& config, const RtlOptions& options) { return std::make_unique<RtlDevice>(config, options); }

}  // namespace maskwork::verif
