#include "info.hpp"

#include <fmt/format.h>

#include "load.hpp"
#include "maskwork/device.hpp"
#ifdef MASKWORK_WITH_RTL
#include "maskwork/verif/rtl_sim.hpp"
#endif

namespace maskwork::cli {

namespace {
const char* engines([[maybe_unused]] const isa::Config& c) {
#ifdef MASKWORK_WITH_RTL
  return verif::has_rtl_sim(c) ? (verif::has_rtl_sim(c, true) ? "model rtl trace" : "model rtl") : "model";
#else
  return "model";
#endif
}
}  // namespace

void print_config_names() {
  for (const auto& c : isa::configs) fmt::print("{}\n", c.name);
}

void print_info() {
  fmt::print("configurations\n  {:<9}{:>6}{:>6}{:>8}{:>12}{:>7}{:>10}{:>8}{:>5}  {:<17}{}\n", "name", "lanes", "banks", "threads", "waves f/p", "groups", "registers",
             "shared", "axi", "in this build", "use");
  for (const auto& c : isa::configs)
    fmt::print("  {:<9}{:>6}{:>6}{:>8}{:>12}{:>7}{:>10}{:>8}{:>5}  {:<17}{}\n", c.name, c.lanes, c.banks, c.group_threads,
               fmt::format("{}/{}", c.waves_full, c.waves_partial), c.group_slots, c.reg_words, c.shared_bytes, c.axi_bits, engines(c), c.does);
  fmt::print(
      "  threads: largest work group; waves f/p: resident waves in full and in partial flow mode; groups: resident work groups;\n"
      "  registers: 32-bit words of all threads; shared: bytes; axi: data bits\n\nlimits\n");
  namespace l = isa::limit;
  const auto row = [](std::string_view what, const std::string& value) { fmt::print("  {:<58}{}\n", what, value); };
  row("threads of a wave", fmt::format("{}", l::wave_threads));
  row("work group size x, y, z", fmt::format("{}, {}, {}", l::group_x, l::group_y, l::group_z));
  row("work groups in each dimension", fmt::format("{}", l::group_count));
  row("shared memory of a work group, bytes (language)", fmt::format("{}", l::shared_language));
  row("IF nesting, REP nesting, calls", fmt::format("{}, {}, {}", l::if_depth, l::loop_depth, l::call_depth));
  row("IF nesting in partial flow mode", fmt::format("{}", l::partial_levels));
  row("register numbers of a word", fmt::format("{}", l::registers));
  row("TEMP vectors before allocation", fmt::format("{}", l::temporaries));
  row("program.local and program.env parameters, each", fmt::format("{}", l::params));
  row("storage buffer bindings", fmt::format("{}", l::storage_bindings));
  row("constant buffer bindings, bytes of one", fmt::format("{}, {}", l::constant_bindings, l::constant_bytes));
  row("subroutine uniforms, subroutine numbers", fmt::format("{}, {}", l::subroutine_uniforms, l::subroutines));
  row("constant words, buffer slots of a program", fmt::format("{}, {}", l::constants, l::slots));
  row("words of a program", fmt::format("{}", l::program_words));
  row("retired words per wave before WORD_BUDGET (default)", fmt::format("{}", l::default_budget));
  row("cycles without a record before DEADLOCK (default)", fmt::format("{}", l::default_watchdog));
}

void print_program_info(const std::string& path) {
  const Program p = load_program(path);
  fmt::print("{}\n  source        {}\n  words         {}\n  entry         {}\n  work group    {} x {} x {} = {} threads, {} waves\n  registers     {} per thread\n"
             "  shared        {} bytes\n  flow mode     {}\n  constants     {}\n  buffer slots  {}\n",
             path, p.source_name, p.words.size(), p.entry, p.group_size[0], p.group_size[1], p.group_size[2], p.threads(), p.waves(), p.registers, p.shared_bytes,
             p.full_flow ? "full" : "partial", p.constants.size(), p.slots.size());
  for (const SlotSource& s : p.slots) {
    const std::string size = s.size == 0xffffffffu ? "to the end" : fmt::format("{} bytes", s.size);
    if (s.kind == SlotSource::Kind::ParamTable) fmt::print("                parameter table\n");
    else fmt::print("                {} {} from byte {}, {}\n", s.kind == SlotSource::Kind::Storage ? "storage" : "constant buffer", s.binding, s.offset, size);
  }
  for (const SubroutineUniform& u : p.subroutines) fmt::print("  subroutine    program.subroutine[{}] may be {}\n", u.index, fmt::join(u.numbers, ", "));
  for (const auto& c : isa::configs) {
    try {
      const Residency r = fit(c, p);
      fmt::print("  on {:<10} {} work groups resident, {} waves each\n", c.name, r.resident_groups, r.waves_per_group);
    } catch (const DeviceError& e) {
      fmt::print("  on {:<10} does not fit: {}\n", c.name, e.what());
    }
  }
}

}  // namespace maskwork::cli
