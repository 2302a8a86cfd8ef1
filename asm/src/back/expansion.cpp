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

constexpr std::string_view kComponents = "xyzw", kTemporaryNames = "tuvwpqrs";

constexpr std::pair<std::string_view, Parameter> kParameters[] = {
    {"$n", Parameter::N},          {"$o", Parameter::O},           {"$mask", Parameter::Mask},
    {"$field", Parameter::FieldMask}, {"$~field", Parameter::InverseField}, {"$2^(32-n)", Parameter::Two32MinusN},
    {"$2^n", Parameter::TwoN},     {"$2^o", Parameter::TwoO},      {"$32-n", Parameter::ThirtyTwoMinusN},
    {"$32-n-o", Parameter::ThirtyTwoMinusNO}, {"$n-32", Parameter::NMinus32}};

[[noreturn]] void bad(std::string_view text) { throw std::logic_error("expansions.md: cannot read '" + std::string(text) + "'"); }

std::string_view trim(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> split(std::string_view s, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!s.empty()) {
    const size_t at = s.find(separator);
    parts.push_back(trim(s.substr(0, at)));
    if (at == std::string_view::npos) break;
    s.remove_prefix(at + separator.size());
  }
  return parts;
}

int component_of(std::string_view text) {
  const size_t at = text.size() == 1 ? kComponents.find(text[0]) : std::string_view::npos;
  if (at == std::string_view::npos) bad(text);
  return static_cast<int>(at);
}

/// "cc2.x", "cc2.x=" without the '=': the component.
int condition_component(std::string_view text) {
  if (!text.starts_with("cc2.")) bad(text);
  return component_of(text.substr(4));
}

StepSource parse_source(std::string_view text) {
  const std::string_view whole = text;
  StepSource s;
  if (text.starts_with('-')) {
    s.neg = true;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text.starts_with('|') && text.ends_with('|')) {
    s.abs = true;
    text = text.substr(1, text.size() - 2);
  }
  if (text.empty()) bad(whole);
  const char c = text[0];
  if ((c >= 'a' && c <= 'c') || (c >= 'A' && c <= 'C')) {
    s.kind = StepSource::Kind::Operand;
    s.value = c <= 'C';
    s.index = static_cast<uint8_t>(s.value ? c - 'A' : c - 'a');
    text.remove_prefix(1);
    if (text.starts_with('h') || text.starts_with('l')) {
      s.high = text[0] == 'h';
      text.remove_prefix(1);
    }
    if (text.starts_with('.')) s.component = static_cast<int8_t>(component_of(text.substr(1)));
    else if (!text.empty()) bad(whole);
  } else if (kTemporaryNames.find(c) != std::string_view::npos && text.size() == 1) {
    s.kind = StepSource::Kind::Temporary;
    s.index = static_cast<uint8_t>(kTemporaryNames.find(c));
  } else if (c >= '0' && c <= '9') {
    s.kind = StepSource::Kind::Literal;
    s.bits = static_cast<uint32_t>(std::strtoul(std::string(text).c_str(), nullptr, 0));
  } else {
    s.kind = StepSource::Kind::Parameter;
    bool known = false;
    for (const auto& [name, parameter] : kParameters)
      if (name == text) {
        s.index = static_cast<uint8_t>(parameter);
        known = true;
      }
    if (!known) bad(whole);
  }
  return s;
}

/// OP.TYPE.MODIFIERS
void parse_operation(std::string_view text, Step& step) {
  const auto parts = split(text, ".");
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
}

/// What stands behind the last source: `cc2.x=`, `carry(x)`, `if(TEST cc2.x)`. Returns the text before it.
std::string_view parse_attributes(std::string_view text, Step& step) {
  for (;;) {
    text = trim(text);
    if (text.ends_with('=')) {
      const size_t at = text.rfind(' ');
      step.flags_to = static_cast<int8_t>(condition_component(text.substr(at + 1, text.size() - at - 2)));
      text = text.substr(0, at);
    } else if (text.ends_with(')') && text.rfind(" carry(") != std::string_view::npos && text.rfind(" carry(") + 9 == text.size()) {
      step.carry = static_cast<int8_t>(component_of(text.substr(text.size() - 2, 1)));
      text = text.substr(0, text.size() - 9);
    } else if (text.ends_with(')') && text.rfind(" if(") != std::string_view::npos) {
      const size_t at = text.rfind(" if(");
      const auto parts = split(text.substr(at + 4, text.size() - at - 5), " ");
      bool known = false;
      for (const auto& t : isa::test_names)
        if (parts.size() == 2 && t.name == parts[0]) {
          step.test = static_cast<isa::Test>(t.code);
          known = true;
        }
      if (!known) bad(text);
      step.test_component = static_cast<uint8_t>(condition_component(parts[1]));
      text = text.substr(0, at);
    } else {
      return text;
    }
  }
}

Step parse_step(std::string_view text) {
  Step step;
  const size_t blank = text.find(' ');
  if (blank == std::string_view::npos) bad(text);
  parse_operation(text.substr(0, blank), step);
  const auto operands = split(parse_attributes(text.substr(blank + 1), step), ",");
  if (operands.empty() || operands.size() > 4) bad(text);
  const std::string_view to = operands[0];
  if (to == "d" || to == "dl") step.to = Step::To::Result;
  else if (to == "dh") step.to = Step::To::High;
  else if (to != "-") {
    const size_t at = to.size() == 1 ? kTemporaryNames.find(to[0]) : std::string_view::npos;
    if (at == std::string_view::npos) bad(text);
    step.to = Step::To::Temporary;
    step.temporary = static_cast<uint8_t>(at);
  }
  if (step.to_result() && step.test != isa::Test::TR) bad(text);  // the predicate of a result is the write mask's
  for (size_t i = 1; i < operands.size(); ++i) step.source[i - 1] = parse_source(operands[i]);
  return step;
}

std::vector<Step> parse_steps(std::string_view text) {
  std::vector<Step> steps;
  for (std::string_view part : split(text, ";"))
    if (!part.empty()) steps.push_back(parse_step(part));
  return steps;
}

/// One list for all components, or "xz: ... / y: ...".
void parse_each(std::string_view text, Expansion& out) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    out.each.fill(parse_steps(text));
    return;
  }
  for (std::string_view part : split(text, " / ")) {
    const size_t at = part.find(':');
    if (at == std::string_view::npos) bad(part);
    for (char c : part.substr(0, at)) out.each[static_cast<size_t>(component_of(std::string_view(&c, 1)))] = parse_steps(part.substr(at + 1));
  }
}

std::map<std::string, Expansion, std::less<>> build() {
  std::map<std::string, Expansion, std::less<>> table;
  for (const Row& row : kRows)
    for (char type : row.types) {
      Expansion e;
      e.once = parse_steps(row.once);
      parse_each(row.each, e);
      for (const auto& steps : e.each)
        if (!steps.empty() && !steps.back().to_result()) bad(row.each);
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
