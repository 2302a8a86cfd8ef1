#include "expansion.hpp"

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

namespace maskwork::back {
namespace {

struct Row {
  std::string_view name, types, once, each;
};
constexpr Row kRows[] = {
#include "expansions.inc"
};

[[noreturn]] void bad(std::string_view text) { throw std::logic_error("expansions.md: cannot read '" + std::string(text) + "'"); }

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  while (!s.empty()) {
    const size_t at = s.find(separator);
    parts.push_back(trim(s.substr(0, at)));
    if (at == std::string_view::npos) break;
    s.remove_prefix(at + 1);
  }
  return parts;
}

StepSource parse_source(std::string_view text) {
  StepSource s;
  if (text.starts_with('-')) {
    s.neg = true;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text.starts_with('|') && text.ends_with('|')) {
    s.abs = true;
    text = text.substr(1, text.size() - 2);
  }
  if (text.empty()) bad(text);
  const char c = text[0];
  if (c >= 'a' && c <= 'c') {
    s.kind = StepSource::Kind::Operand;
    s.index = static_cast<uint8_t>(c - 'a');
    if (text.size() == 3 && text[1] == '.') {
      const size_t at = std::string_view("xyzw").find(text[2]);
      if (at == std::string_view::npos) bad(text);
      s.component = static_cast<int8_t>(at);
    } else if (text.size() != 1) {
      bad(text);
    }
  } else if ((c == 't' || c == 'u') && text.size() == 1) {
    s.kind = StepSource::Kind::Temporary;
    s.index = c == 'u';
  } else if (c >= '0' && c <= '9') {
    s.kind = StepSource::Kind::Literal;
    s.bits = static_cast<uint32_t>(std::strtoul(std::string(text).c_str(), nullptr, 0));
  } else {
    bad(text);
  }
  return s;
}

Step parse_step(std::string_view text) {
  Step step;
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos) bad(text);
  const auto parts = split(text.substr(0, blank), '.');
  bool known = false;
  for (unsigned code = 1; code < isa::ops.size(); ++code)
    if (isa::ops[code].valid && isa::ops[code].name == parts[0]) {
      step.op = static_cast<isa::Op>(code);
      known = true;
    }
  if (!known) bad(text);
  unsigned types = 0;
  for (size_t i = 1; i < parts.size(); ++i) {
    Step::From from = Step::From::Fixed;
    isa::Type type = isa::Type::F32;
    bool is_type = true;
    if (parts[i] == "T") from = Step::From::InstructionType;
    else if (parts[i] == "Q") from = Step::From::SourceType;
    else if (parts[i] == "F") type = isa::Type::F32;
    else if (parts[i] == "S") type = isa::Type::S32;
    else if (parts[i] == "U") type = isa::Type::U32;
    else is_type = false;
    if (is_type && types == 0) {
      step.type_from = from;
      step.type = type;
      ++types;
    } else if (is_type) {
      step.has_cvt_src = true;
      step.cvt_from = from;
      step.cvt_src = type;
    } else if (parts[i] == "R") {
      step.round_from_instruction = true;
    } else if (parts[i] == "SAT") {
      step.saturate = true;
    } else {
      bool found = false;
      for (const auto& r : isa::round_names)
        if (r.name == parts[i]) {
          step.round = static_cast<isa::Round>(r.code);
          found = true;
        }
      if (!found) bad(text);
    }
  }
  const auto operands = split(text.substr(blank + 1), ',');
  if (operands.empty() || operands.size() > 4 || operands[0].size() != 1) bad(text);
  step.to_result = operands[0] == "d";
  if (!step.to_result && operands[0] != "t" && operands[0] != "u") bad(text);
  step.temporary = operands[0] == "u";
  for (size_t i = 1; i < operands.size(); ++i) step.source[i - 1] = parse_source(operands[i]);
  return step;
}

std::vector<Step> parse_steps(std::string_view text) {
  std::vector<Step> steps;
  for (std::string_view part : split(text, ';'))
    if (!part.empty()) steps.push_back(parse_step(part));
  return steps;
}

std::map<std::string, Expansion, std::less<>> build() {
  std::map<std::string, Expansion, std::less<>> table;
  for (const Row& row : kRows)
    for (char type : row.types) {
      Expansion e{parse_steps(row.once), parse_steps(row.each)};
      if (e.each.empty() || !e.each.back().to_result) bad(row.each);
      table.emplace(std::string(row.name) + ' ' + type, std::move(e));
    }
  return table;
}

}  // namespace

const Expansion* find_expansion(std::string_view name, char type) {
  static const auto table = build();
  const auto it = table.find(std::string(name) + ' ' + type);
  return it == table.end() ? nullptr : &it->second;
}

}  // namespace maskwork::back
