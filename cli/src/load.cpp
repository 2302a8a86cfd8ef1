#include "load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "maskwork/asm/assembler.hpp"
#include "maskwork/asm/diagnostics.hpp"
#include "maskwork/job/job.hpp"
#include "maskwork/object_file.hpp"

namespace maskwork::cli {

namespace {

constexpr size_t max_shown = 160;  // longer source lines are cut around the caret

bool is_job(const std::string& path, std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return path.ends_with(".json") || (first != std::string_view::npos && text[first] == '{');
}

}  // namespace

bool looks_like_job(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string text(4096, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return is_job(path, text);
}

Program load_program(const std::string& path, std::string* listing) {
  const std::vector<uint8_t> bytes = read_file(path, max_program_bytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_job(path, text)) throw InputError{{fmt::format("{0}: error: this is a job, not a program: `maskwork run {0}` runs it; its key \"program\" names the program", path)}};
  if (listing && (path.ends_with(".mwu") || text.starts_with("\x7f" "ELF")))
    throw InputError{{path + ": error: a listing stands beside the lines of a source (.nvcp); `maskwork dis` prints the words of this file"}};
  if (text.starts_with("\x7f" "ELF")) {
    try {
      return read_object(bytes);
    } catch (const ObjectError& e) {
      throw InputError{{path + ": error: " + e.what()}};
    }
  }
  Diagnostics diagnostics;
  std::vector<RegisterUse> registers;
  std::optional<Program> program = path.ends_with(".mwu") ? assemble_microcode(text, path, diagnostics) : assemble(text, path, {}, diagnostics, &registers);
  const std::string report = render(diagnostics, text);
  if (!program) throw InputError{{report + fmt::format("{}: {} error{}", path, diagnostics.error_count(), diagnostics.error_count() == 1 ? "" : "s")}};
  if (!report.empty()) fmt::print(stderr, "{}", report);  // warnings
  if (listing) *listing = maskwork::listing(text, *program, registers);
  return *std::move(program);
}

std::string source_excerpt(const Program& program, uint32_t pc) {
  if (pc >= program.lines.size() || program.lines[pc].line == 0) return {};
  std::vector<uint8_t> bytes;
  try {
    bytes = read_file(program.source_name, max_program_bytes);
  } catch (const InputError&) {
    return {};
  }
  const std::string text(bytes.begin(), bytes.end());
  if (program.source_check != 0 && program.source_check != text_check(text))
    return fmt::format("    ({} has changed since it was assembled: line and column are those of the old text)\n", program.source_name);
  std::istringstream in(text);
  std::string line;
  for (uint32_t n = 0; n < program.lines[pc].line; ++n)
    if (!std::getline(in, line)) return {};
  if (line.ends_with('\r')) line.pop_back();
  size_t at = std::min<size_t>(program.lines[pc].column == 0 ? 0 : program.lines[pc].column - 1, line.size());
  if (line.size() > max_shown) {
    const size_t begin = at > max_shown / 2 ? at - max_shown / 2 : 0;
    line = line.substr(begin, max_shown);
    at -= begin;
  }
  std::string caret;
  for (size_t i = 0; i < at; ++i) caret += line[i] == '\t' ? '\t' : ' ';
  return fmt::format("    {}\n    {}^\n", line, caret);
}

}  // namespace maskwork::cli
