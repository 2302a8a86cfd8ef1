// From checked program to machine words.
#include "maskwork/asm/assembler.hpp"

#include <algorithm>
#include <string>

#include "lower.hpp"

namespace maskwork {

LanguageLimits AssembleOptions::default_limits() {
  LanguageLimits limits;
  limits.if_depth = isa::limit::if_depth;
  limits.loop_depth = isa::limit::loop_depth;
  limits.shared_bytes = isa::limit::shared_language;
  limits.storage_bindings = isa::limit::storage_bindings;
  limits.temporaries = isa::limit::temporaries;
  limits.constant_bindings = isa::limit::constant_bindings;
  limits.constant_bytes = isa::limit::constant_bytes;
  limits.subroutine_uniforms = isa::limit::subroutine_uniforms;
  limits.subroutines = isa::limit::subroutines;
  limits.env_parameters = isa::limit::params;
  limits.local_parameters = isa::limit::params;
  return limits;
}

namespace {

void list_registers(const back::IrProgram& ir, const std::vector<uint32_t>& registers, std::vector<RegisterUse>& uses) {
  std::vector<bool> used(ir.vregs.size(), false);
  const auto mark = [&](back::VReg v) {
    if (v != back::kNoReg) used[v] = true;
  };
  for (const back::IrWord& w : ir.words) {
    mark(w.dst);
    for (const back::Src& s : w.src)
      if (s.kind == back::Src::Kind::Reg) mark(s.value);
    for (int k = 0; k < 4; ++k) {
      mark(w.mem_dst[k]);
      mark(w.mem_data[k]);
    }
  }
  for (const back::NamedReg& n : ir.names) uses.push_back({n.name, n.component, n.high, used[n.reg], registers[n.reg], ir.vregs[n.reg].size});
}

}  // namespace

std::optional<Program> assemble(std::string_view source, const std::string& file, const AssembleOptions& options, Diagnostics& diagnostics,
                                std::vector<RegisterUse>* uses) {
  const auto checked = parse(source, file, options.limits, diagnostics);
  if (!checked) return std::nullopt;
  auto ir = back::Lowering(*checked, diagnostics).run();
  if (!ir) return std::nullopt;
  const auto refuse = [&](std::string message, std::string hint) -> std::optional<Program> {
    Diagnostic d;
    d.rule = "L99";
    d.file = file;
    d.line = d.column = 1;  // the whole program: its header
    d.length = 9;
    d.message = std::move(message);
    d.hint = std::move(hint);
    diagnostics.add(std::move(d));
    return std::nullopt;
  };
  back::use_loop_index(*ir);
  back::remove_dead(*ir);
  std::vector<uint32_t> registers;
  const uint32_t window = back::allocate(*ir, registers);
  if (window > isa::limit::registers)
    return refuse("the program needs more than " + std::to_string(isa::limit::registers) + " registers per thread at one time",
                  "fewer components alive at a time, or smaller TEMP arrays with a run-time index");
  if (ir->words.size() + 2 > isa::limit::program_words)
    return refuse("the program needs " + std::to_string(ir->words.size()) + " words; the limit is " + std::to_string(isa::limit::program_words), "split the program into several dispatches");
  if (uses) list_registers(*ir, registers, *uses);
  back::remove_self_copies(*ir, registers);
  Program program = std::move(ir->object);
  back::encode(*ir, registers, program);
  program.registers = window;
  program.source_check = text_check(source);
  back::place_semaphores(program);
  return program;
}

}  // namespace maskwork
