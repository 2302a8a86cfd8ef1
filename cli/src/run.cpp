#include "run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <nlohmann/json.hpp>

#include "fst.hpp"
#include "interrupt.hpp"
#include "load.hpp"
#include "waves.hpp"
#ifdef MASKWORK_WITH_RTL
#include "maskwork/verif/rtl_device.hpp"
#endif

namespace maskwork::cli {

namespace {

/// A line on stderr now and then while a run takes long: rewritten on a terminal, rare in a log.
class Progress {
 public:
  explicit Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(2) == 1), begin_(Clock::now()), next_(begin_ + std::chrono::seconds(2)) {}
  ~Progress() {
    if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
  }
  void operator()(uint64_t done, uint64_t total, uint64_t cycles) {
    const auto now = Clock::now();
    if (quiet_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(terminal_ ? 500 : 15000);
    const auto seconds = std::chrono::duration<double>(now - begin_).count();
    fmt::print(stderr, "{}{} of {} work groups, {} cycles, {:.0f} s{}", terminal_ ? "\r\033[K" : "", done, total, cycles, seconds, terminal_ ? "" : "\n");
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point begin_, next_;
};

std::string threads_text(uint32_t lanes) {
  std::string text;
  for (uint32_t t = 0; t < 32; ++t) {
    if (!(lanes >> t & 1)) continue;
    uint32_t last = t;
    while (last < 31 && (lanes >> (last + 1) & 1)) ++last;
    text += (text.empty() ? "" : ",") + (last == t ? fmt::format("{}", t) : fmt::format("{}-{}", t, last));
    t = last;
  }
  return text;
}

std::string fault_text(const Program& program, const DispatchResult& r) {
  const Fault& f = r.fault;
  const auto& names = isa::fault_names;
  const auto name = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.code == static_cast<uint8_t>(f.code); });
  std::string place = fmt::format("{}: pc {}", program.source_name, f.pc);
  if (f.pc < program.lines.size() && program.lines[f.pc].line != 0)
    place = fmt::format("{}:{}:{}", program.source_name, program.lines[f.pc].line, program.lines[f.pc].column);
  std::string text = fmt::format("{}: fault {}: {}\n", place, isa::to_string(f.code), name == names.end() ? "" : name->does);
  text += source_excerpt(program, f.pc);
  text += fmt::format("  work group {},{},{}, wave {}", f.group[0], f.group[1], f.group[2], f.wave);
  if (f.lanes != 0) text += fmt::format(", threads {} of the wave (local index {} and up)", threads_text(f.lanes), f.wave * 32 + static_cast<uint32_t>(std::countr_zero(f.lanes)));
  text += fmt::format(", word {}\n", f.pc);
  if (!r.wait_report.empty()) text += "what the waves wait for:\n" + r.wait_report;
  return text;
}

std::string counters_table(const isa::Config& config, const DispatchResult& r, bool rtl) {
  std::string text = fmt::format("counters ({})\n", config.name);
  for (size_t i = 0; i < isa::counters.size(); ++i) {
    if (!rtl && !isa::counters[i].same) continue;
    text += fmt::format("  {:<18}{:>16}  {}\n", isa::counters[i].name, r.counters[i], isa::counters[i].does);
  }
  const uint64_t busy = r.counter(isa::Counter::BusyCycles);
  if (rtl && busy != 0)
    text += fmt::format("  lanes busy        {:>15.1f}%  active threads over lanes x busy cycles\n",
                        100.0 * static_cast<double>(r.counter(isa::Counter::LaneOps)) / (static_cast<double>(busy) * config.lanes));
  return text;
}

void write_json_stats(const std::string& file, const isa::Config& config, const DispatchResult& r, bool ok, double seconds) {
  nlohmann::ordered_json j;
  j["config"] = std::string(config.name);
  j["lanes"] = config.lanes;
  j["banks"] = config.banks;
  j["ok"] = ok;
  j["seconds"] = seconds;
  for (size_t i = 0; i < isa::counters.size(); ++i) j["counters"][std::string(isa::counters[i].name)] = r.counters[i];
  const std::string text = j.dump(2) + "\n";
  write_file(file, text.data(), text.size());
}

#ifdef MASKWORK_WITH_RTL
// A file that is written during the run: if it cannot be, say so before the run. `name`: what it is called while it is not whole.
void check_writable(const std::string& path, const std::string& name) {
  std::error_code error;
  // A pipe is not opened to try: its reader would see the end.
  const bool there = std::filesystem::exists(name, error), good = is_special_output(name) ? ::access(name.c_str(), W_OK) == 0 : std::ofstream(name, std::ios::app).good();
  const std::string why = std::strerror(errno);
  if (!good) throw InputError{{path + ": error: cannot write: " + why}};
  if (!there) std::filesystem::remove(name, error);
}
#endif

std::unique_ptr<Device> make_device(const isa::Config& config, const RunOptions& o) {
  if (o.engine == Engine::Model) {
    if (!o.trace.empty()) throw InputError{{"maskwork: error: --trace needs the RTL: use --engine rtl or both"}};
    if (!o.records.empty()) throw InputError{{"maskwork: error: --records needs the RTL: use --engine rtl or both"}};
    return make_model(config);
  }
#ifdef MASKWORK_WITH_RTL
  if (!o.records.empty()) check_writable(o.records, o.records);
  if (!o.trace.empty()) {
    if (is_special_output(o.trace)) throw InputError{{o.trace + ": error: waveforms cannot be written to a device or pipe: their writer goes back and forth in the file"}};
    check_writable(o.trace, partial_name(o.trace));
  }
  verif::RtlOptions r;
  r.lockstep = o.engine == Engine::Both;
  r.seed = o.latency_seed;
  if (o.latency == "ideal")
    r.profile = verif::AxiProfile::ideal();
  else if (o.latency == "slow")
    r.profile = verif::AxiProfile::slow();
  else if (o.latency == "random")
    r.profile = verif::AxiProfile::seeded(o.latency_seed);
  r.record_file = o.records;
  if (!o.trace.empty()) r.trace_file = partial_name(o.trace);
  r.trace_from = o.trace_from;
  r.trace_cycles = o.trace_cycles;
  try {
    return verif::make_rtl(config, r);
  } catch (const std::invalid_argument& e) {
    throw InputError{{std::string("maskwork: error: ") + e.what()}};
  }
#else
  throw InputError{{"maskwork: error: this build has no RTL (CMake option MASKWORK_RTL); use --engine model"}};
#endif
}

/// Gives a trace that was closed its name, if it is whole.
void keep_trace(const std::string& path) {
  const std::string name = partial_name(path);
  std::error_code error;
  if (!std::filesystem::exists(name, error)) throw OutputError(path + ": there are no waveforms: nothing was simulated");
  if (whole_fst(name)) return finish_partial(path);
  std::filesystem::remove(name, error);
  std::filesystem::remove(name + ".hier", error);
  throw OutputError(path + ": cannot write the waveforms: no space left for the file");
}

}  // namespace

int run_job(const Job& job, const RunOptions& options) {
  const std::string title = std::filesystem::path(job.path.empty() ? job.program : job.path).stem().string();
  const auto config = isa::find_config(options.config);
  if (!config) {
    std::string names;
    for (const auto& c : isa::configs) names += (names.empty() ? "" : ", ") + std::string(c.name);
    throw InputError{{fmt::format("maskwork: error: there is no configuration '{}'; there are: {}", options.config, names)}};
  }
  Program program = load_program(job.program);
  if (program.source_name.empty()) program.source_name = job.program;
  std::unique_ptr<Device> device = make_device(*config, options);

  DispatchOptions d;
  d.fill = job.fill;
  d.fill_seed = job.fill_seed;
  d.word_budget = job.word_budget;
  d.max_cycles = options.timeout;
  const bool rtl = options.engine != Engine::Model;
  const std::string_view engine = options.engine == Engine::Both ? "model and rtl in lockstep" : rtl ? "rtl" : "model";
  constexpr std::string_view not_written = "an output file could not be written";
  std::optional<OrderlyStop> orderly;
  std::optional<PartialTrace> partial;
  if (rtl) d.stop = orderly.emplace().stop();
  if (!options.trace.empty()) partial.emplace(partial_name(options.trace), fmt::format("FAILED {}: {} on {}: {}\n", title, engine, config->name, not_written));
  DispatchResult result;
  std::vector<uint32_t> addresses;
  const auto begin = std::chrono::steady_clock::now();
  try {
    addresses = bind_job(job, *device);
    device->load(program);
    choose_subroutines(job, *device);
    Progress progress(options.quiet);
    d.progress = [&](uint64_t done, uint64_t total, uint64_t cycles) { progress(done, total, cycles); };
    result = device->dispatch(job.dispatch[0], job.dispatch[1], job.dispatch[2], d);
  } catch (const DeviceError& e) {
    throw InputError{{fmt::format("{}: error: {}", job.program, e.what())}};
  } catch (const std::length_error& e) {
    throw InputError{{fmt::format("{}: error: {}", job.path.empty() ? job.program : job.path, e.what())}};
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  orderly.reset();
  outputs_begin();
  std::string verdict;
  bool ok = false;
  JobVerdict check;
  if (!result.mismatch.empty()) {
    fmt::print("{}", result.mismatch);
    verdict = options.engine == Engine::Both ? "model and rtl differ" : "the RTL went wrong";
  } else if (result.fault.code != isa::Fault::NONE) {
    fmt::print("{}", fault_text(program, result));
    verdict = fmt::format("fault {}", isa::to_string(result.fault.code));
  } else if (result.stopped) {
    fmt::print("what the waves wait for:\n{}", result.wait_report);
    verdict = "interrupted";
  } else if (result.timed_out) {
    if (!result.wait_report.empty()) fmt::print("what the waves wait for:\n{}", result.wait_report);
    verdict = fmt::format("not finished after {} cycles", options.timeout);
  } else if (result.output_error.empty()) {
    check = check_job(job, *device, addresses);
    for (const std::string& line : check.differences) fmt::print("{}: {}\n", title, line);
    ok = check.differences.empty();
    if (!ok) verdict = check.differences.size() == 1 ? "a buffer is not as expected" : fmt::format("{} buffers are not as expected", check.differences.size());
  }
  if (options.stats) fmt::print("{}", counters_table(*config, result, rtl));

  bool written = true;
  const auto write = [&written](const auto& what) {
    try {
      what();
    } catch (const OutputError& e) {
      fmt::print(stderr, "maskwork: error: {}\n", e.what());
      written = false;
    }
  };
  if (!result.output_error.empty()) write([&] { throw OutputError(result.output_error); });
  // Outputs are written even after a fault: memory is as the machine left it.
  for (const auto& [binding, file] : options.outputs)
    for (size_t i = 0; i < job.buffers.size(); ++i)
      if (job.buffers[i].is(JobSpace::Storage, binding))
        write([&] { write_file(file, job.buffers[i].initial.empty() ? nullptr : device->memory().at(addresses[i]), job.buffers[i].initial.size()); });
  device.reset();  // closes the waveforms
  if (!options.trace.empty()) {
    write([&] { keep_trace(options.trace); });
    write([&] { write_wave_view(options.trace, options.trace_from, *config, program); });
  }
  if (!options.json_stats.empty()) write([&] { write_json_stats(options.json_stats, *config, result, ok && written, seconds); });
  const bool only_outputs = !written && verdict.empty();
  if (only_outputs) {
    ok = false;
    verdict = not_written;
  }
  if (!result.ok() && written) {
    if (!options.trace.empty()) fmt::print("waveforms up to there: {}\n", options.trace);
    if (!options.records.empty()) fmt::print("records up to there: {}\n", options.records);
  }

  std::string summary = fmt::format("{} words", result.counter(isa::Counter::Words));
  if (rtl) summary += fmt::format(", {} cycles", result.counter(isa::Counter::Cycles));
  if (ok && check.compared != 0) summary += fmt::format(", {} buffer{} as expected", check.compared, check.compared == 1 ? "" : "s");
  std::fflush(stderr);
  fmt::print("{} {}: {} on {}{}: {}\n", ok ? "PASSED" : "FAILED", title, engine, config->name, ok ? "" : ": " + verdict, summary);
  if (result.stopped) return 128 + stop_signal();
  return ok ? 0 : only_outputs ? output_failed : 1;
}

}  // namespace maskwork::cli
