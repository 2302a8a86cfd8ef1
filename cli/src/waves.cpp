#include "waves.hpp"

#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "maskwork/asm/assembler.hpp"
#include "maskwork/job/job.hpp"

namespace maskwork::cli {

namespace {

// Flags of a trace in a GTKWave save file (hexadecimal in the file): how its value is shown.
constexpr unsigned hex = 0x22, decimal = 0x24, binary = 0x28, translated = 0x2000, group_begin = 0x800200, group_begin_closed = 0xc00200, group_end = 0x1000200,
                   group_end_closed = 0x1401200;

struct Signal {
  const char* port;
  unsigned bits;             ///< 1 = scalar
  unsigned format;
  const char* table = "";    ///< ending of the file that translates its values
};
struct Unit {
  const char* title;
  std::vector<Signal> signals;
};

/// What is worth seeing, unit by unit, in the order in which a wave passes them. Widths follow docs/architecture.md.
std::vector<Unit> units(const isa::Config& c) {
  const unsigned wave = static_cast<unsigned>(std::bit_width(c.waves_partial - 1)), slot = static_cast<unsigned>(std::bit_width(c.group_slots - 1)), lanes = c.lanes;
  return {
      {"clock", {{"clk_i", 1, binary}, {"rst_i", 1, binary}, {"done_o", 1, binary}}},
      {"launch of work groups",
       {{"rec_launch_valid_o", 1, binary}, {"rec_launch_slot_o", slot, decimal}, {"rec_launch_x_o", 16, decimal}, {"rec_launch_y_o", 16, decimal}, {"rec_launch_z_o", 16, decimal},
        {"rec_gend_valid_o", 1, binary}, {"rec_gend_slot_o", slot, decimal}}},
      {"lanes: words at write-back",
       {{"rec_r_valid_o", 1, binary}, {"rec_r_wave_o", wave, decimal}, {"rec_r_pc_o", 24, hex, "words"}, {"rec_r_seq_o", 32, decimal}, {"rec_r_beat_o", 5, decimal},
        {"rec_r_active_o", lanes, binary}, {"rec_r_exec_o", lanes, binary}, {"rec_r_data_o", 32 * lanes, hex}, {"rec_r_flags_o", 4 * lanes, binary}}},
      {"memory and special words: operands read",
       {{"rec_rm_valid_o", 1, binary}, {"rec_rm_wave_o", wave, decimal}, {"rec_rm_pc_o", 24, hex, "words"}, {"rec_rm_seq_o", 32, decimal}, {"rec_rm_beat_o", 5, decimal},
        {"rec_rm_active_o", lanes, binary}}},
      {"flow unit",
       {{"rec_f_valid_o", 1, binary}, {"rec_f_wave_o", wave, decimal}, {"rec_f_pc_o", 24, hex, "words"}, {"rec_f_jump_o", 1, binary}, {"rec_f_next_o", 24, hex, "words"},
        {"rec_f_db_o", 11, decimal}, {"rec_f_dl_o", 9, decimal}, {"rec_f_dc_o", 6, decimal}}},
      {"shared memory",
       {{"rec_ms_valid_o", 1, binary}, {"rec_ms_wave_o", wave, decimal}, {"rec_ms_seq_o", 32, decimal}, {"rec_ms_mask_o", lanes, binary}, {"rec_ms_addr_o", 32 * lanes, hex},
        {"rec_ms_data_o", 32 * lanes, hex}, {"rec_ms_old_o", 32 * lanes, hex}}},
      {"AXI memory",
       {{"rec_mg_valid_o", 1, binary}, {"rec_mg_wave_o", wave, decimal}, {"rec_mg_seq_o", 32, decimal}, {"rec_mg_mask_o", lanes, binary}, {"rec_mg_addr_o", 32 * lanes, hex},
        {"rec_mg_data_o", 32 * lanes, hex}, {"rec_mg_old_o", 32 * lanes, hex}}},
      {"results of loads and special words",
       {{"rec_w_valid_o", 1, binary}, {"rec_w_wave_o", wave, decimal}, {"rec_w_seq_o", 32, decimal}, {"rec_w_reg_o", 10, decimal}, {"rec_w_mask_o", lanes, binary},
        {"rec_w_data_o", 32 * lanes, hex}}},
      {"barriers", {{"rec_bar_valid_o", 1, binary}, {"rec_bar_slot_o", slot, decimal}}},
      {"fault",
       {{"rec_fault_valid_o", 1, binary}, {"rec_fault_code_o", 4, hex, "faults"}, {"rec_fault_wave_o", wave, decimal}, {"rec_fault_pc_o", 24, hex, "words"},
        {"rec_fault_lanes_o", 32, binary}}},
      {"AXI4 master",
       {{"axi_arvalid_o", 1, binary}, {"axi_arready_i", 1, binary}, {"axi_arid_o", 1, binary}, {"axi_araddr_o", 32, hex}, {"axi_arlen_o", 8, decimal}, {"axi_rvalid_i", 1, binary},
        {"axi_rready_o", 1, binary}, {"axi_rid_i", 1, binary}, {"axi_rdata_i", c.axi_bits, hex}, {"axi_rlast_i", 1, binary}, {"axi_awvalid_o", 1, binary},
        {"axi_awready_i", 1, binary}, {"axi_awaddr_o", 32, hex}, {"axi_wvalid_o", 1, binary}, {"axi_wready_i", 1, binary}, {"axi_wdata_o", c.axi_bits, hex},
        {"axi_wstrb_o", c.axi_bits / 8, binary}, {"axi_bvalid_i", 1, binary}, {"axi_bready_o", 1, binary}}},
      {"CSR slave",
       {{"csr_awvalid_i", 1, binary}, {"csr_awaddr_i", 13, hex, "csrs"}, {"csr_wvalid_i", 1, binary}, {"csr_wdata_i", 32, hex}, {"csr_arvalid_i", 1, binary},
        {"csr_araddr_i", 13, hex, "csrs"}, {"csr_rvalid_o", 1, binary}, {"csr_rdata_o", 32, hex}}},
  };
}

std::string path_of(const Signal& s) { return s.bits == 1 ? fmt::format("TOP.{}", s.port) : fmt::format("TOP.{}[{}:0]", s.port, s.bits - 1); }

/// GTKWave compares the text that it shows: hexadecimal in lower case, with all digits.
std::string key(uint64_t value, unsigned bits) { return fmt::format("{:0{}x}", value, (bits + 3) / 4); }

std::string words_table(const Program& program) {
  std::string text;
  for (size_t pc = 0; pc < program.words.size(); ++pc) {
    std::string word = disassemble_word(program.words[pc], program.full_flow);
    word.erase(0, word.find_first_not_of(' '));
    std::string line;
    if (pc < program.lines.size() && program.lines[pc].line != 0) line = fmt::format("  (line {})", program.lines[pc].line);
    text += fmt::format("{} {}: {}{}\n", key(pc, 24), pc, word, line);
  }
  return text;
}

std::string faults_table() {
  std::string text;
  for (const auto& n : isa::fault_names) text += fmt::format("{} {}\n", key(n.code, 4), n.name);
  return text;
}

std::string states_table() {
  std::string text;
  for (const auto& n : isa::lane_state_names) text += fmt::format("{} {}\n", key(n.code, 3), n.name);
  return text;
}

std::string csrs_table() {
  std::string text;
  for (const auto& r : isa::csr_names) text += fmt::format("{} {}\n", key(r.address, 13), r.name);
  return text;
}

}  // namespace

void write_wave_view(const std::string& trace, uint64_t first_cycle, const isa::Config& config, const Program& program) {
  const std::filesystem::path full = std::filesystem::absolute(trace);
  const std::filesystem::path stem = full.parent_path() / full.stem();
  const auto table = [&](const std::string& ending) { return stem.string() + "." + ending + ".txt"; };
  const auto write = [](const std::string& file, const std::string& text) { write_file(file, text.data(), text.size()); };
  write(table("words"), words_table(program));
  write(table("faults"), faults_table());
  write(table("states"), states_table());
  write(table("csrs"), csrs_table());

  // Two time units are a cycle; the zoom shows some 270 cycles.
  std::string text = fmt::format("[*] {} on {}, written by maskwork run --trace\n[dumpfile] \"{}\"\n[savefile] \"{}.gtkw\"\n[timestart] {}\n*-6.5 {}\n",
                                 program.source_name, config.name, full.string(), stem.string(), 2 * first_cycle, 2 * first_cycle);
  text += "[size] 1600 1000\n[pos] -1 -1\n[sst_width] 0\n[signals_width] 300\n[sst_expanded] 0\n";
  const auto put = [&text](unsigned format, const std::string& line) { text += fmt::format("@{:x}\n{}\n", format, line); };
  for (const Unit& u : units(config)) {
    put(group_begin, fmt::format("-{}", u.title));
    for (const Signal& s : u.signals) {
      const std::string before = *s.table != 0 ? fmt::format("^1 {}\n", table(s.table)) : "";
      put(s.format | (*s.table != 0 ? translated : 0), before + path_of(s));
    }
    if (u.title == std::string_view("flow unit")) {
      put(group_begin_closed, "-state of each thread");
      for (unsigned t = 0; t < isa::limit::wave_threads; ++t)
        put(hex | translated, fmt::format("^1 {}\n#{{thread {:02}}} ({})TOP.rec_f_state_o[95:0] ({})TOP.rec_f_state_o[95:0] ({})TOP.rec_f_state_o[95:0]", table("states"), t, 93 - 3 * t,
                                          94 - 3 * t, 95 - 3 * t));
      put(group_end_closed, "-state of each thread");
    }
    put(group_end, fmt::format("-{}", u.title));
  }
  write(stem.string() + ".gtkw", text);
}

}  // namespace maskwork::cli
