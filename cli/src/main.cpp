// The maskwork command. Exit codes: 0 all is well and equal; 1 a run-time difference, a fault or an unmet expectation; 2 bad input; 3 an output could
// not be written; 128 + n ended by signal n.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>

#include "asm.hpp"
#include "info.hpp"
#include "interrupt.hpp"
#include "load.hpp"
#include "run.hpp"

namespace maskwork::cli {
namespace {

constexpr int bad_input = 2;
int output_errno = 0;  // of the first write to the standard output that failed

[[noreturn]] void bad_option(const std::string& option, const std::string& value, const std::string& expected) {
  throw InputError{{fmt::format("maskwork: error: {} {}: {}", option, value, expected)}};
}

/// A whole number within limits, decimal or 0x hexadecimal.
uint64_t number(const std::string& option, const std::string& all, std::string_view text, uint64_t high) {
  const bool hex = text.starts_with("0x");
  const char* first = text.data() + (hex ? 2 : 0);
  const char* last = text.data() + text.size();
  uint64_t v = 0;
  const auto r = std::from_chars(first, last, v, hex ? 16 : 10);
  if (r.ec != std::errc() || r.ptr != last || first == last || v > high) bad_option(option, all, fmt::format("'{}' is no number from 0 to {}", text, high));
  return v;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i)
    if (i == text.size() || text[i] == at) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  return parts;
}

/// "N=REST".
std::pair<uint32_t, std::string> numbered(const std::string& option, const std::string& value, uint32_t limit, const std::string& form) {
  const size_t eq = value.find('=');
  if (eq == std::string::npos || eq + 1 == value.size()) bad_option(option, value, "the form is " + form);
  return {static_cast<uint32_t>(number(option, value, value.substr(0, eq), limit - 1)), value.substr(eq + 1)};
}

/// A word of a parameter: float with a point or an exponent, else an integer, else a pattern 0x...
uint32_t parameter_word(const std::string& option, const std::string& all, const std::string& text) {
  if (text.starts_with("0x")) return static_cast<uint32_t>(number(option, all, text, 0xffffffffu));
  const char* first = text.data();
  const char* last = first + text.size();
  if (text.find_first_of(".eE") != std::string::npos || text == "inf" || text == "-inf" || text == "nan") {
    float f = 0;
    const auto r = std::from_chars(first, last, f);
    if (r.ec != std::errc() || r.ptr != last) bad_option(option, all, "'" + text + "' is no 32-bit float");
    return std::isnan(f) ? 0x7fc00000u : std::bit_cast<uint32_t>(f);
  }
  int64_t n = 0;
  const auto r = std::from_chars(first, last, n);
  if (r.ec != std::errc() || r.ptr != last || n < INT32_MIN || n > int64_t{UINT32_MAX}) bad_option(option, all, "'" + text + "' is no 32-bit number");
  return static_cast<uint32_t>(n);
}

JobParameter parameter(const std::string& option, const std::string& value) {
  const auto [index, rest] = numbered(option, value, isa::limit::params, "INDEX=VALUE[,VALUE[,VALUE[,VALUE]]]");
  const std::vector<std::string> parts = split(rest, ',');
  if (parts.size() > 4) bad_option(option, value, "a parameter has at most four words");
  JobParameter p;
  p.index = index;
  for (size_t i = 0; i < parts.size(); ++i) p.words[i].bits = parameter_word(option, value, parts[i]);
  return p;
}

JobBuffer bound_buffer(const std::string& option, const std::string& value, JobSpace space) {
  const uint32_t bindings = space == JobSpace::Storage ? isa::limit::storage_bindings : isa::limit::constant_bindings;
  const auto [binding, rest] = numbered(option, value, bindings, "BINDING=FILE or BINDING=zeros:BYTES");
  JobBuffer b;
  b.space = space;
  b.binding = binding;
  b.output = space == JobSpace::Storage;  // nothing says what may change
  if (rest.starts_with("zeros:"))
    b.initial.resize(number(option, value, rest.substr(6), uint64_t{1} << 30));
  else
    b.initial = read_file(rest, space == JobSpace::Constant ? isa::limit::constant_bytes : max_file_bytes);
  if (space == JobSpace::Constant && b.initial.size() > isa::limit::constant_bytes)
    bad_option(option, value, fmt::format("{} bytes: a constant buffer has at most {}", b.initial.size(), isa::limit::constant_bytes));
  return b;
}

JobSubroutine subroutine(const std::string& option, const std::string& value) {
  const auto [index, rest] = numbered(option, value, isa::limit::subroutine_uniforms, "INDEX=NUMBER");
  return {index, static_cast<uint32_t>(number(option, value, rest, isa::limit::subroutines - 1))};
}

struct RunArguments {
  std::string file, engine = "both", groups, fill, latency = "normal";
  std::vector<std::string> storage, cbuffer, subroutine, out, local, env;
  RunOptions options;
  uint32_t seed = 1;
  uint64_t budget = isa::limit::default_budget;
  CLI::Option* seed_option = nullptr;
  CLI::Option* budget_option = nullptr;
};

int run(const RunArguments& a) {
  RunOptions o = a.options;
  o.engine = a.engine == "model" ? Engine::Model : a.engine == "rtl" ? Engine::Rtl : Engine::Both;
  o.latency = a.latency;
  Job job;
  if (a.file.ends_with(".json")) {
    job = read_job(a.file);
  } else {
    if (looks_like_job(a.file)) throw InputError{{fmt::format("{}: error: this looks like a job; the name of a job file ends in .json", a.file)}};
    job.program = a.file;
    if (a.groups.empty()) read_file(a.file);  // a file that is not there is the first thing to say
    if (a.groups.empty()) throw InputError{{"maskwork: error: run: a program needs --groups x,y,z (a job file says it itself)"}};
  }
  if (!a.groups.empty()) {
    const std::vector<std::string> parts = split(a.groups, ',');
    for (size_t i = 0; i < std::min<size_t>(parts.size(), 3); ++i)
      job.dispatch[i] = static_cast<uint32_t>(number("--groups", a.groups, parts[i], isa::limit::group_count));
    if (parts.size() != 3) bad_option("--groups", a.groups, fmt::format("three numbers are expected, x,y,z, not {}", parts.size()));
  }
  // Options replace what the job says of the same thing.
  const auto place = [&](JobBuffer b) {
    std::erase_if(job.buffers, [&](const JobBuffer& other) { return other.is(b.space, b.binding); });
    job.buffers.push_back(std::move(b));
  };
  for (const std::string& s : a.storage) place(bound_buffer("--storage", s, JobSpace::Storage));
  for (const std::string& s : a.cbuffer) place(bound_buffer("--cbuffer", s, JobSpace::Constant));
  for (const std::string& s : a.subroutine) {
    const JobSubroutine choice = subroutine("--subroutine", s);
    std::erase_if(job.subroutines, [&](const JobSubroutine& other) { return other.index == choice.index; });
    job.subroutines.push_back(choice);
  }
  const auto set = [](std::vector<JobParameter>& list, JobParameter p) {
    std::erase_if(list, [&](const JobParameter& other) { return other.index == p.index; });
    list.push_back(p);
  };
  for (const std::string& s : a.local) set(job.local, parameter("--local", s));
  for (const std::string& s : a.env) set(job.env, parameter("--env", s));
  std::set<std::string> files;
  for (const std::string& s : a.out) {
    auto out = numbered("--out", s, isa::limit::storage_bindings, "BINDING=FILE");
    if (std::none_of(job.buffers.begin(), job.buffers.end(), [&](const JobBuffer& b) { return b.is(JobSpace::Storage, out.first); }))
      bad_option("--out", s, fmt::format("no buffer is bound to {}", out.first));
    if (!files.insert(out.second).second) bad_option("--out", s, "this file is written twice");
    o.outputs.push_back(std::move(out));
  }
  if (!a.fill.empty()) job.fill = a.fill == "zero" ? FillMode::Zero : a.fill == "off" ? FillMode::Off : FillMode::Pattern;
  if (a.seed_option->count() != 0) {
    job.fill_seed = a.seed;
    o.latency_seed = a.seed;
  }
  if (a.budget_option->count() != 0) job.word_budget = static_cast<uint32_t>(a.budget);
  return run_job(job, o);
}

/// A first argument that names no command; the library says only that one is missing.
bool unknown_command(const CLI::App& app, const std::string& word) {
  if (word.empty() || word[0] == '-') return false;
  std::string names;
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (c->get_name() == word) return false;
    names += (names.empty() ? "" : ", ") + c->get_name();
  }
  fmt::print(stderr, "maskwork: error: there is no command '{}'; there are: {}\n", word, names);
  return true;
}

int main(int argc, char** argv) {
  CLI::App app{"Maskwork: assemble and run NV compute programs on a SIMD unit, as golden model and as RTL in lockstep"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("maskwork, object format {}", isa::object_version), "print the version of object files and exit");
  app.failure_message([](const CLI::App*, const CLI::Error& e) { return fmt::format("maskwork: error: {}\nRun with --help for more information.\n", e.what()); });
  app.option_defaults()->always_capture_default();

  // An empty text is not the same as an option that is not there.
  const auto not_empty = [](const std::string& v) { return v.empty() ? std::string("a text is expected, not an empty one") : std::string(); };
  AsmArguments assemble;
  CLI::App* asm_command = app.add_subcommand("asm", "assemble a program (or microcode text) to an object");
  asm_command->add_option("program", assemble.input, "source (.nvcp) or microcode text (.mwu)");
  asm_command->add_option("-o,--output", assemble.output, "file to write (default: the program's name with .mwo, or .mwu with --text)")->check(not_empty);
  asm_command->add_flag("--text", assemble.text, "write microcode text instead of an object");
  asm_command->add_flag("--listing", assemble.listing,
                        "print source lines, microcode words, registers, flow mode and semaphores side by side; an object is written with -o only");
  asm_command->add_option("--explain", assemble.explain, "tell a load rule (L46) with a program it refuses and one that loads; `all`: the list")->check(not_empty);

  DisArguments disassemble;
  CLI::App* dis_command = app.add_subcommand("dis", "print an object (or program) as microcode text, which `asm` reads too");
  dis_command->add_option("object", disassemble.input, "object, source or microcode text")->required();
  dis_command->add_option("-o,--output", disassemble.output, "file to write (default: standard output)")->check(not_empty);

  // The library reads -1 as 2^64 - 1.
  const auto not_negative = [](const std::string& v) { return v.starts_with('-') ? "'" + v + "' is negative" : std::string(); };
  RunArguments r;
  CLI::App* run_command = app.add_subcommand("run", "run a job, a program or an object");
  run_command->add_option("file", r.file, "job (.json), source (.nvcp), microcode text (.mwu) or object")->required();
  run_command->add_option("--engine", r.engine, "who runs it; both = RTL and model in lockstep")->check(CLI::IsMember({"model", "rtl", "both"}));
  run_command->add_option("--config", r.options.config, "named configuration (`maskwork info`)");
  run_command->add_option("--groups", r.groups, "work groups x,y,z")->check(not_empty);
  run_command->add_option("--storage", r.storage, "BINDING=FILE or BINDING=zeros:BYTES: contents of a storage buffer")->take_all();
  run_command->add_option("--cbuffer", r.cbuffer, "BINDING=FILE or BINDING=zeros:BYTES: contents of a constant buffer, program.buffer")->take_all();
  run_command->add_option("--subroutine", r.subroutine, "INDEX=NUMBER: the subroutine that program.subroutine[INDEX] calls")->take_all();
  run_command->add_option("--out", r.out, "BINDING=FILE: write a storage buffer after the run")->take_all();
  run_command->add_option("--local", r.local, "INDEX=V[,V[,V[,V]]]: program.local; 1.5 float, 3 integer, 0x... bits")->take_all();
  run_command->add_option("--env", r.env, "INDEX=V[,V[,V[,V]]]: program.env")->take_all();
  run_command->add_flag("--stats", r.options.stats, "print the performance counters");
  run_command->add_option("--stats-json", r.options.json_stats, "write the performance counters to a file")->check(not_empty);
  run_command->add_option("--trace", r.options.trace, "write waveforms (FST) of the RTL")->check(not_empty);
  run_command->add_option("--records", r.options.records, "write every record of the RTL as text")->check(not_empty);
  run_command->add_option("--from", r.options.trace_from, "first cycle of the waveforms")->check(not_negative);
  run_command->add_option("--cycles", r.options.trace_cycles, "length of the waveforms in cycles")->check(not_negative);
  run_command->add_option("--timeout", r.options.timeout, "stop the RTL after this many cycles; 0 = never")->type_name("CYCLES")->check(not_negative);
  run_command->add_option("--fill", r.fill, "registers and shared memory before each group; off leaves what was there, for one engine alone")->check(CLI::IsMember({"pattern", "zero", "off"}));
  r.seed_option = run_command->add_option("--seed", r.seed, "seed of the fill pattern and of the memory latencies");
  r.budget_option = run_command->add_option("--budget", r.budget, "words a wave may retire; 0 = no limit")->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}));
  run_command->add_option("--latency", r.latency, "memory behind the AXI port")->check(CLI::IsMember({"ideal", "normal", "slow", "random"}));
  run_command->add_flag("--quiet", r.options.quiet, "no progress lines");

  bool names = false;
  std::string info_file;
  CLI::App* info_command = app.add_subcommand("info", "configurations and limits; with a file: what the program needs and where it fits");
  info_command->add_option("program", info_file, "program or object");
  info_command->add_flag("--names", names, "only the names of the configurations");

  if (argc > 1 && unknown_command(app, argv[1])) return bad_input;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    errno = 0;
    const bool help = app.exit(e) == 0;
    if (!std::cout) output_errno = errno;
    if (help) return 0;  // help is no error
    std::fflush(stderr);
    if (*run_command) fmt::print("FAILED {}: bad input, nothing was run\n", r.file.empty() ? "run" : std::filesystem::path(r.file).stem().string());
    return bad_input;
  }
  try {
    if (*asm_command) return run_asm(assemble);
    if (*dis_command) return run_dis(disassemble);
    if (*run_command) return run(r);
    if (names)
      print_config_names();
    else if (info_file.empty())
      print_info();
    else
      print_program_info(info_file);
    return 0;
  } catch (const InputError& e) {
    std::fflush(stdout);
    for (const std::string& line : e.lines) fmt::print(stderr, "{}{}", line, line.ends_with('\n') ? "" : "\n");
    std::fflush(stderr);
    if (*run_command) fmt::print("FAILED {}: bad input, nothing was run\n", std::filesystem::path(r.file).stem().string());
    return bad_input;
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) {  // finish() tells
      if (const auto* s = dynamic_cast<const std::system_error*>(&e)) output_errno = s->code().value();
      return output_failed;
    }
    std::fflush(stdout);
    fmt::print(stderr, "maskwork: error: {}\n", e.what());
    std::fflush(stderr);
    if (*run_command) fmt::print("FAILED {}: the run broke off\n", std::filesystem::path(r.file).stem().string());
    return dynamic_cast<const OutputError*>(&e) != nullptr ? output_failed : 1;
  }
}

/// What was printed must have arrived.
int finish(int code) {
  errno = output_errno;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0 && std::cout) return code;
  fmt::print(stderr, "maskwork: error: cannot write to the standard output{}{}\n", errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : "");
  return code == 0 ? output_failed : code;
}

}  // namespace
}  // namespace maskwork::cli

int main(int argc, char** argv) {
  maskwork::cli::catch_signals();
  return maskwork::cli::finish(maskwork::cli::main(argc, argv));
}
