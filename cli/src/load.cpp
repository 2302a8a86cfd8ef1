#include "load.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "maskwork/asm/assembler.hpp"
#include "maskwork/asm/diagnostics.hpp"
#include "maskwork/job/job.hpp"
#include "maskwork/object_file.hpp"

namespace maskwork::cli {

Program load_program(const std::string& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x7f" "ELF")) {
    try {
      return read_object(bytes);
    } catch (const ObjectError& e) {
      throw InputError{{path + ": error: " + e.what()}};
    }
  }
  Diagnostics diagnostics;
  std::optional<Program> program = path.ends_with(".mwu") ? assemble_microcode(text, path, diagnostics) : assemble(text, path, {}, diagnostics);
  const std::string report = render(diagnostics, text);
  if (!program) throw InputError{{report + fmt::format("{}: {} error{}", path, diagnostics.error_count(), diagnostics.error_count() == 1 ? "" : "s")}};
  if (!report.empty()) fmt::print(stderr, "{}", report);  // warnings
  return *std::move(program);
}

std::string source_excerpt(const Program& program, uint32_t pc) {
  if (pc >= program.lines.size() || program.lines[pc].line == 0) return {};
  std::ifstream in(program.source_name);
  std::string line;
  for (uint32_t n = 0; n < program.lines[pc].line; ++n)
    if (!std::getline(in, line)) return {};
  std::string caret;
  for (uint32_t i = 1; i < program.lines[pc].column && i <= line.size(); ++i) caret += line[i - 1] == '\t' ? '\t' : ' ';
  return fmt::format("    {}\n    {}^\n", line, caret);
}

}  // namespace maskwork::cli
