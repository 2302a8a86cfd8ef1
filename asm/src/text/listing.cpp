// Listing: source lines, the words they became, registers, flow mode and semaphores side by side.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "maskwork/asm/assembler.hpp"

namespace maskwork {
namespace {

namespace f = isa::field;

constexpr size_t kSource = 46, kWord = 58;

std::vector<std::string> split_lines(std::string_view source) {
  std::vector<std::string> lines;
  while (!source.empty()) {
    const size_t at = std::min(source.find('\n'), source.size());
    std::string line(source.substr(0, at));
    if (line.ends_with('\r')) line.pop_back();
    std::replace(line.begin(), line.end(), '\t', ' ');
    lines.push_back(std::move(line));
    source.remove_prefix(std::min(at + 1, source.size()));
  }
  return lines;
}

std::string cut(const std::string& s, size_t width) { return s.size() <= width ? s : s.substr(0, width - 3) + "..."; }

std::string units(uint32_t mask) { return mask == 1 ? "axi" : mask == 2 ? "shared" : "axi, shared"; }

std::string semaphores(const isa::Word& w) {
  std::string out;
  if (const uint32_t wait = isa::get(w, f::sem_wait); wait != 0) out = "wait " + units(wait);
  const isa::OpInfo& info = isa::info(w);
  if (info.format == isa::Format::Mem && isa::get(w, f::sem_acquire)) out += (out.empty() ? "" : "; ") + std::string("acquire ") + (info.unit == isa::Unit::Shared ? "shared" : "axi");
  return out;
}

/// The word without what has columns of its own.
std::string bare(isa::Word w, bool full) {
  isa::set(w, f::sem_wait, 0);
  isa::set(w, f::last, 0);
  if (isa::info(w).format == isa::Format::Mem) isa::set(w, f::sem_acquire, 0);
  return disassemble_word(w, full);
}

/// "r4" or "r4..r7".
std::string place(const RegisterUse& use) {
  if (!use.used) return "-";
  return use.size == 1 ? fmt::format("r{}", use.reg) : fmt::format("r{}..r{}", use.reg, use.reg + use.size - 1);
}

std::string register_table(const std::vector<RegisterUse>& uses) {
  // By variable or array element, in the order of the program; x..w, upper halves of LONG ones behind a colon.
  std::vector<std::string> names;
  std::map<std::string, std::array<std::array<std::string, 2>, 4>> table;
  for (const RegisterUse& use : uses) {
    auto [it, added] = table.try_emplace(use.name);
    if (added) names.push_back(use.name);
    it->second[use.component][use.high] = place(use);
  }
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("  {:<16}", name);
    const auto& row = table[name];
    for (unsigned c = 0; c < 4; ++c) {
      const std::string low = row[c][0].empty() ? "-" : row[c][0];
      out += fmt::format(" {} {:<12}", "xyzw"[c], row[c][1].empty() ? low : low + ":" + row[c][1]);
    }
    while (out.ends_with(' ')) out.pop_back();
    out += "\n";
  }
  return out;
}

}  // namespace

std::string listing(std::string_view source, const Program& p, const std::vector<RegisterUse>& uses) {
  const std::vector<std::string> lines = split_lines(source);
  std::string out = fmt::format("{}: {} words, {} registers, {} flow mode, {} bytes of shared memory, group {} x {} x {}\n", p.source_name, p.words.size(), p.registers,
                                p.full_flow ? "full" : "partial", p.shared_bytes, p.group_size[0], p.group_size[1], p.group_size[2]);
  out += "\nregisters (one may hold several components that do not live at the same time; - is never alive)\n" + register_table(uses);
  out += fmt::format("\n{:>5}  {:<{}} | {:>5}  {:<{}} | {}\n", "line", "source", kSource, "word", "microcode", kWord, "semaphores");
  const auto row = [&](const std::string& number, const std::string& text, const std::string& word, const std::string& code, const std::string& sems) {
    std::string line = fmt::format("{:>5}  {:<{}} | {:>5}  {:<{}} | {}", number, cut(text, kSource), kSource, word, code, kWord, sems);
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  };
  const auto source_of = [&](uint32_t line) { return line != 0 && line <= lines.size() ? lines[line - 1] : std::string(); };
  uint32_t shown = 0, current = 0xffffffffu;  // lines that have been shown; the one of the word before
  for (uint32_t i = 0; i < p.words.size(); ++i) {
    const uint32_t line = i < p.lines.size() ? p.lines[i].line : 0;
    while (shown + 1 < line) {
      ++shown;
      row(std::to_string(shown), source_of(shown), "", "", "");
    }
    shown = std::max(shown, line);
    const bool first = line != current;
    row(first && line != 0 ? std::to_string(line) : "", first ? source_of(line) : "", std::to_string(i), bare(p.words[i], p.full_flow), semaphores(p.words[i]));
    current = line;
  }
  while (shown < lines.size()) {
    ++shown;
    row(std::to_string(shown), source_of(shown), "", "", "");
  }
  return out;
}

}  // namespace maskwork
