// Microcode text to program. One statement per line; `#` begins a comment.
#include "microcode.hpp"

#include <map>
#include <set>
#include <vector>

#include "maskwork/asm/assembler.hpp"
#include "word_reader.hpp"

namespace maskwork {
namespace {

namespace f = isa::field;
using text::Line;
using text::Wrong;

class Assembler {
 public:
  Assembler(std::string_view source, const std::string& file, Diagnostics& diagnostics) : source_(source), file_(file), diagnostics_(diagnostics) {}

  std::optional<Program> run() {
    const size_t errors = diagnostics_.error_count();
    size_t at = 0;
    uint32_t number = 0;
    while (at <= source_.size()) {
      size_t end = source_.find('\n', at);
      if (end == std::string_view::npos) end = source_.size();
      ++number;
      line_ = number;
      Line line(source_.substr(at, end - at));
      try {
        if (number == 1 && source_.substr(at, end - at).starts_with(text::kHeader)) {
          // the header says only what the file is
        } else {
          statement(line);
        }
      } catch (const Wrong& w) {
        report(number, w);
      }
      at = end + 1;
    }
    for (const Reference& r : references_) {
      const auto label = labels_.find(r.name);
      if (label == labels_.end()) report(r.line, {r.at, r.name.size(), "no label '" + r.name + "'", "a label stands on its own line, followed by ':'", "syntax"});
      else isa::set(p_.words[r.word], f::target, label->second);
    }
    for (const Checked& c : checked_)
      if (const auto bad = isa::bad_word(p_.words[c.word], p_.full_flow))
        report(c.line, {c.at, c.length, "bad word: " + std::string(bad.why), "write it as .word if it is meant to be bad", std::string(bad.rule)});
    if (p_.words.empty() && diagnostics_.error_count() == errors) report(0, {0, 1, "the program has no words", {}, "syntax"});
    if (!entry_label_.name.empty()) {
      const auto label = labels_.find(entry_label_.name);
      if (label == labels_.end()) report(entry_label_.line, {entry_label_.at, entry_label_.name.size(), "no label '" + entry_label_.name + "'", {}, "syntax"});
      else p_.entry = label->second;
    }
    if (diagnostics_.error_count() == errors && p_.entry >= p_.words.size()) report(entry_line_, {0, 1, "the entry lies outside the program", {}, "syntax"});
    diagnostics_.sort();
    if (diagnostics_.error_count() != errors) return std::nullopt;
    if (lines_) p_.lines = std::move(positions_);
    return std::move(p_);
  }

 private:
  struct Reference {
    uint32_t word = 0, line = 0;
    size_t at = 0;
    std::string name;
  };
  struct Checked {
    uint32_t word, line;
    size_t at, length;
  };

  void report(uint32_t line, const Wrong& w) {
    Diagnostic d;
    d.rule = w.rule;
    d.file = file_;
    d.line = line;
    d.column = static_cast<uint32_t>(w.at + 1);
    d.length = static_cast<uint32_t>(w.length);
    d.message = w.message;
    d.hint = w.hint;
    diagnostics_.add(std::move(d));
  }

  void statement(Line& line) {
    if (line.end()) return;
    if (line.peek() == '.') return directive(line);
    const size_t first = line.at();
    const std::string name(line.name());
    if (name.empty()) line.fail("a statement expected", "an operation, a label or a directive");
    if (line.accept(':')) {
      if (!labels_.emplace(name, static_cast<uint32_t>(p_.words.size())).second) line.fail_at(first, name.size(), "the label '" + name + "' stands twice");
      if (!line.end()) line.fail("end of line expected after a label");
      return;
    }
    operation(line, first, name);
  }

  ConstantSource constant(Line& line) {
    ConstantSource c;
    const size_t first = line.at();
    const auto kind = line.name();
    if (kind == "literal") {
      c.literal = static_cast<uint32_t>(line.number(0xffffffffu, "a 32-bit number"));
      if (!line.end()) {
        c.index = static_cast<uint16_t>(line.number(0xffff, "a number"));
        c.component = static_cast<uint8_t>(line.number(3, "a component number"));
      }
      return c;
    }
    if (kind == "subroutine") {
      c.kind = ConstantSource::Kind::Subroutine;
      c.index = static_cast<uint16_t>(line.number(isa::limit::subroutine_uniforms - 1, "a subroutine uniform"));
      if (!line.end()) c.component = static_cast<uint8_t>(line.component());
      if (!line.end()) c.literal = static_cast<uint32_t>(line.number(0xffffffffu, "a 32-bit number"));
      return c;
    }
    if (kind != "local" && kind != "env") line.fail_at(first, kind.size(), "'literal', 'local', 'env' or 'subroutine' expected");
    c.kind = kind == "local" ? ConstantSource::Kind::Local : ConstantSource::Kind::Env;
    c.index = static_cast<uint16_t>(line.number(isa::limit::params - 1, "a parameter number"));
    c.component = static_cast<uint8_t>(line.component());
    if (!line.end()) c.literal = static_cast<uint32_t>(line.number(0xffffffffu, "a 32-bit number"));
    return c;
  }

  void directive(Line& line) {
    const size_t first = line.at();
    line.expect('.');
    const std::string name(line.name());
    if (name == "word") {
      raw_word(line);
      finish(line);
      return;
    }
    const bool list = name == "const" || name == "param" || name == "slot" || name == "subroutine";
    if (!list && !seen_.insert(name).second) line.fail_at(first, name.size() + 1, "the directive ." + name + " stands twice");
    if (name == "source") {
      p_.source_name = line.quoted();
      if (!line.end()) p_.source_check = line.number(~uint64_t{0}, "the check number of the source");
    } else if (name == "group") {
      const std::array<uint32_t, 3> limits{isa::limit::group_x, isa::limit::group_y, isa::limit::group_z};
      const size_t numbers = line.at();
      for (int i = 0; i < 3; ++i) p_.group_size[i] = line.end() ? 1 : static_cast<uint32_t>(line.number(limits[i], "a group size"));
      const uint64_t threads = uint64_t{p_.group_size[0]} * p_.group_size[1] * p_.group_size[2];
      if (threads == 0 || threads > isa::limit::group_x) line.fail_at(numbers, 1, "a group has 1 to " + std::to_string(isa::limit::group_x) + " threads");
    } else if (name == "registers") p_.registers = static_cast<uint32_t>(line.number(isa::limit::registers, "a number of registers"));
    else if (name == "shared") p_.shared_bytes = static_cast<uint32_t>(line.number(0xffffffffu, "a number of bytes"));
    else if (name == "bools") p_.bools = static_cast<uint32_t>(line.number(0xffffffffu, "a 32-bit number"));
    else if (name == "lines") lines_ = true;
    else if (name == "entry") {
      entry_line_ = line_;
      const char c = line.peek();
      if (c >= '0' && c <= '9') p_.entry = static_cast<uint32_t>(line.number(isa::limit::program_words - 1, "a word number"));
      else {
        entry_label_.line = line_;
        entry_label_.at = line.at();
        entry_label_.name = line.name();
      }
    } else if (name == "flow") {
      const size_t at = line.at();
      const auto mode = line.name();
      if (mode != "full" && mode != "partial") line.fail_at(at, mode.size(), "'full' or 'partial' expected");
      p_.full_flow = mode == "full";
    } else if (name == "const") {
      if (p_.constants.size() == isa::limit::constants) line.fail("too many constants", "at most " + std::to_string(isa::limit::constants));
      p_.constants.push_back(constant(line));
    } else if (name == "param") p_.param_table.push_back(constant(line));
    else if (name == "slot") {
      if (p_.slots.size() == isa::limit::slots) line.fail("too many slots", "at most " + std::to_string(isa::limit::slots));
      SlotSource s;
      const size_t at = line.at();
      const auto kind = line.name();
      if (kind == "params") s.kind = SlotSource::Kind::ParamTable;
      else if (kind == "constant") s.kind = SlotSource::Kind::Constant;
      else if (kind != "storage") line.fail_at(at, kind.size(), "'storage', 'constant' or 'params' expected");
      s.binding = static_cast<uint32_t>(line.number(s.kind == SlotSource::Kind::Storage ? isa::limit::storage_bindings - 1 : s.kind == SlotSource::Kind::Constant ? isa::limit::constant_bindings - 1 : 0xffffffffu, "a binding"));
      if (!line.end()) s.offset = static_cast<uint32_t>(line.number(0xffffffffu, "an offset"));
      if (!line.end()) {
        if (line.peek_name() == "rest") line.name();
        else s.size = static_cast<uint32_t>(line.number(0xffffffffu, "a size"));
      }
      p_.slots.push_back(s);
    } else if (name == "subroutine") {
      SubroutineUniform s;
      const size_t at = line.at();
      s.index = static_cast<uint16_t>(line.number(isa::limit::subroutine_uniforms - 1, "a subroutine uniform"));
      for (const SubroutineUniform& other : p_.subroutines)
        if (other.index == s.index) line.fail_at(at, 1, "program.subroutine[" + std::to_string(s.index) + "] stands twice");
      while (!line.end()) s.numbers.push_back(static_cast<uint16_t>(line.number(isa::limit::subroutines - 1, "a subroutine number")));
      p_.subroutines.push_back(std::move(s));
    } else {
      line.fail_at(first, name.size() + 1, "unknown directive ." + name,
                   ".source .group .registers .shared .flow .bools .entry .lines .const .slot .param .subroutine .word");
    }
    if (!line.end()) line.fail("end of line expected");
  }

  void raw_word(Line& line) {
    const size_t first = line.at();
    const auto n = line.name();
    isa::Word w;
    const bool ok = n.starts_with("0x") && n.size() > 2 && n.size() <= 34;
    if (!ok) line.fail_at(first, n.size(), "a hexadecimal number of at most 128 bits expected", ".word 0x...");
    for (char c : n.substr(2)) {
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
      if (digit < 0) line.fail_at(first, n.size(), "a hexadecimal number expected");
      w.hi = (w.hi << 4) | (w.lo >> 60);
      w.lo = (w.lo << 4) | static_cast<uint64_t>(digit);
    }
    p_.words.push_back(w);
  }

  /// Source position and end of a word's line.
  void finish(Line& line) {
    LineEntry at;
    if (line.accept('@')) {
      at.line = static_cast<uint32_t>(line.number(0xffffffffu, "a line number"));
      line.expect(':');
      at.column = static_cast<uint32_t>(line.number(0xffffffffu, "a column number"));
      lines_ = true;
    }
    if (!line.end()) line.fail("unknown attribute", "end of line expected");
    positions_.resize(p_.words.size() - 1);
    positions_.push_back(at);
  }

  void operation(Line& line, size_t first, const std::string& name) {
    text::WordText read = text::read_word(line, first, name);
    const uint32_t index = static_cast<uint32_t>(p_.words.size());
    p_.words.push_back(read.word);
    checked_.push_back({index, line_, first, name.size()});
    if (!read.target.empty()) references_.push_back({index, line_, read.target_at, std::move(read.target)});
    try {
      finish(line);
    } catch (const Wrong&) {
      positions_.resize(p_.words.size());
      throw;
    }
  }

  std::string_view source_;
  std::string file_;
  Diagnostics& diagnostics_;
  Program p_;
  bool lines_ = false;
  std::set<std::string> seen_;  // directives that stand once
  std::vector<LineEntry> positions_;
  std::map<std::string, uint32_t> labels_;
  std::vector<Reference> references_;
  std::vector<Checked> checked_;
  Reference entry_label_;
  uint32_t line_ = 0, entry_line_ = 0;
};

}  // namespace

std::optional<Program> assemble_microcode(std::string_view source, const std::string& file, Diagnostics& diagnostics) {
  return Assembler(source, file, diagnostics).run();
}

}  // namespace maskwork
