// Microcode text to program. One statement per line; `#` begins a comment.
#include "microcode.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "maskwork/asm/assembler.hpp"
#include "text.hpp"

namespace maskwork {
namespace {

namespace f = isa::field;
using text::kComponents;

/// Thrown at the place of the first error of a line; the next line is read again.
struct Wrong {
  size_t at, length;
  std::string message, hint, rule;
};

bool name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class Line {
 public:
  explicit Line(std::string_view s) : s_(s) {}
  void blank() {
    while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\t' || s_[at_] == '\r')) ++at_;
    if (at_ < s_.size() && s_[at_] == '#') at_ = s_.size();
  }
  size_t at() {
    blank();
    return at_;
  }
  bool end() { return at() >= s_.size(); }
  char peek() { return end() ? '\0' : s_[at_]; }
  std::string_view text() const { return s_; }
  char peek_raw(size_t ahead) const { return at_ + ahead < s_.size() ? s_[at_ + ahead] : '\0'; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "' expected");
  }
  std::string_view name() {
    blank();
    const size_t first = at_;
    while (at_ < s_.size() && name_char(s_[at_])) ++at_;
    return s_.substr(first, at_ - first);
  }
  std::string_view peek_name() {
    const size_t keep = at();
    const auto n = name();
    at_ = keep;
    return n;
  }
  uint64_t number(uint64_t limit, const char* what) {
    const size_t first = at();
    const std::string_view n = name();
    uint64_t v = 0;
    const bool is_hex = n.starts_with("0x") || n.starts_with("0X");
    const std::string_view digits = is_hex ? n.substr(2) : n;
    const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), v, is_hex ? 16 : 10);
    if (digits.empty() || r.ec == std::errc::invalid_argument || r.ptr != digits.data() + digits.size()) fail_at(first, n.size(), std::string(what) + " expected");
    if (r.ec != std::errc{} || v > limit) fail_at(first, n.size(), std::string(what) + " out of range", "0 .. " + std::to_string(limit));
    return v;
  }
  int64_t signed_number(int64_t low, int64_t high, const char* what) {
    const size_t first = at();
    const bool negative = accept('-');
    const int64_t v = static_cast<int64_t>(number(0xffffffffu, what));
    const int64_t result = negative ? -v : v;
    if (result < low || result > high) fail_at(first, at_ - first, std::string(what) + " out of range", std::to_string(low) + " .. " + std::to_string(high));
    return result;
  }
  /// Integer, hexadecimal or float literal as bits.
  uint32_t literal() {
    const size_t first = at();
    size_t i = at_;
    const bool is_hex = s_.substr(i).starts_with("0x") || s_.substr(i).starts_with("0X");
    bool is_float = false;
    while (i < s_.size()) {
      const char c = s_[i];
      if (!is_hex && (c == '.' || c == 'e' || c == 'E')) is_float = true;
      const bool exponent_sign = !is_hex && (c == '-' || c == '+') && i > first && (s_[i - 1] == 'e' || s_[i - 1] == 'E');
      if (!name_char(c) && c != '.' && !exponent_sign) break;
      ++i;
    }
    if (!is_float) return static_cast<uint32_t>(number(0xffffffffu, "a literal"));
    float value = 0;
    const auto r = std::from_chars(s_.data() + first, s_.data() + i, value);
    if (r.ec != std::errc{} || r.ptr != s_.data() + i) fail_at(first, i - first, "a float literal expected");
    at_ = i;
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
  }
  std::string quoted() {
    expect('"');
    std::string out;
    while (at_ < s_.size() && s_[at_] != '"') {
      char c = s_[at_++];
      if (c == '\\' && at_ < s_.size()) {
        c = s_[at_++];
        if (c == 'x') {
          unsigned v = 0;
          if (at_ + 2 > s_.size() || std::from_chars(s_.data() + at_, s_.data() + at_ + 2, v, 16).ptr != s_.data() + at_ + 2) fail("two hexadecimal digits expected");
          at_ += 2;
          c = static_cast<char>(v);
        }
      }
      out += c;
    }
    if (at_ >= s_.size()) fail("the string is not closed");
    ++at_;
    return out;
  }
  [[noreturn]] void fail(std::string message, std::string hint = {}) {
    const size_t first = at();
    const size_t length = std::max<size_t>(1, peek_name().size());
    fail_at(first, length, std::move(message), std::move(hint));
  }
  [[noreturn]] void fail_at(size_t first, size_t length, std::string message, std::string hint = {}, std::string rule = "syntax") {
    throw Wrong{first, std::max<size_t>(1, length), std::move(message), std::move(hint), std::move(rule)};
  }

 private:
  std::string_view s_;
  size_t at_ = 0;
};

template <class Names>
int code_of(const Names& names, std::string_view name, bool lower) {
  for (const auto& n : names)
    if (lower ? text::lower(n.name) == name : n.name == name) return n.code;
  return -1;
}

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
    if (kind != "local" && kind != "env") line.fail_at(first, kind.size(), "'literal', 'local' or 'env' expected");
    c.kind = kind == "local" ? ConstantSource::Kind::Local : ConstantSource::Kind::Env;
    c.index = static_cast<uint16_t>(line.number(isa::limit::params - 1, "a parameter number"));
    c.component = static_cast<uint8_t>(component(line));
    if (!line.end()) c.literal = static_cast<uint32_t>(line.number(0xffffffffu, "a 32-bit number"));
    return c;
  }

  unsigned component(Line& line) {
    const size_t first = line.at();
    const auto n = line.name();
    const size_t c = n.size() == 1 ? kComponents.find(n[0]) : std::string_view::npos;
    if (c == std::string_view::npos) line.fail_at(first, n.size(), "a component expected", "x, y, z or w");
    return static_cast<unsigned>(c);
  }

  unsigned mask(Line& line) {
    const size_t first = line.at();
    const auto n = line.name();
    unsigned m = 0;
    for (char c : n) {
      const size_t k = kComponents.find(c);
      if (k == std::string_view::npos || (m >> k) != 0) line.fail_at(first, n.size(), "components in the order xyzw expected");
      m |= 1u << k;
    }
    if (m == 0) line.fail("components expected", "some of xyzw");
    return m;
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
    if (name == "source") p_.source_name = line.quoted();
    else if (name == "group") {
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
      if (kind != "storage" && kind != "params") line.fail_at(at, kind.size(), "'storage' or 'params' expected");
      s.kind = kind == "storage" ? SlotSource::Kind::Storage : SlotSource::Kind::ParamTable;
      s.binding = static_cast<uint32_t>(line.number(s.kind == SlotSource::Kind::Storage ? isa::limit::storage_bindings - 1 : 0xffffffffu, "a binding"));
      if (!line.end()) s.offset = static_cast<uint32_t>(line.number(0xffffffffu, "an offset"));
      if (!line.end()) {
        if (line.peek_name() == "rest") line.name();
        else s.size = static_cast<uint32_t>(line.number(0xffffffffu, "a size"));
      }
      p_.slots.push_back(s);
    } else {
      line.fail_at(first, name.size() + 1, "unknown directive ." + name,
                   ".source .group .registers .shared .flow .bools .entry .lines .const .slot .param .word");
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
    word_ = isa::Word{};
    unsigned code = 0;
    for (unsigned c = 1; c < isa::ops.size(); ++c)
      if (isa::ops[c].valid && isa::ops[c].name == name) code = c;
    if (code == 0) line.fail_at(first, name.size(), "unknown operation '" + name + "'");
    isa::set(word_, f::op, code);
    const isa::OpInfo& info = isa::ops[code];
    relative_ = -1;
    immediate_ = false;
    if (info.format == isa::Format::Alu) alu(line, info);
    else if (info.format == isa::Format::Mem) memory(line, info);
    else flow(line, info);
    if (relative_ > 0) isa::set(word_, f::rel_sel, static_cast<uint32_t>(relative_));
    while (!line.end() && line.peek() != '@') attribute(line, info);
    const uint32_t index = static_cast<uint32_t>(p_.words.size());
    p_.words.push_back(word_);
    checked_.push_back({index, line_, first, name.size()});
    if (!target_.name.empty()) {
      target_.word = index;
      references_.push_back(std::move(target_));
      target_ = {};
    }
    try {
      finish(line);
    } catch (const Wrong&) {
      positions_.resize(p_.words.size());
      throw;
    }
  }

  std::vector<std::pair<size_t, std::string_view>> suffixes(Line& line) {
    std::vector<std::pair<size_t, std::string_view>> out;
    while (line.peek_raw(0) == '.') {
      line.expect('.');
      const size_t at = line.at();
      out.emplace_back(at, line.name());
    }
    return out;
  }

  void alu(Line& line, const isa::OpInfo& info) {
    isa::set(word_, f::cc_dst, 3);
    int types = 0;
    for (const auto& [at, s] : suffixes(line)) {
      int v;
      if ((v = code_of(isa::type_names, s, false)) >= 0 && types < (info.cvt ? 2 : 1)) isa::set(word_, types++ == 0 ? f::type : f::cvt_src, static_cast<uint32_t>(v));
      else if ((info.cvt || info.rnd) && (v = code_of(isa::round_names, s, false)) >= 0) isa::set(word_, f::cvt_round, static_cast<uint32_t>(v));
      else if ((v = code_of(isa::clamp_names, s, false)) > 0) isa::set(word_, f::clamp, static_cast<uint32_t>(v));
      else line.fail_at(at, s.size(), "unknown modifier ." + std::string(s));
    }
    if (types != (info.cvt ? 2 : 1)) line.fail(info.cvt ? "CVT needs two types" : "a type expected after the operation", ".F32, .S32 or .U32");
    bool separator = false;
    const auto next = [&] {
      if (separator) line.expect(',');
      separator = true;
    };
    if (!info.nodst) {
      next();
      if (!line.accept('-')) {
        isa::set(word_, f::dst_en, 1);
        isa::set(word_, f::dst, register_number(line));
        if (relative(line)) isa::set(word_, f::dst_rel, 1);
      }
    }
    const bool used[3] = {info.srcs_a, info.srcs_b, info.srcs_c};
    for (int i = 0; i < 3; ++i) {
      if (!used[i]) continue;
      next();
      source(line, text::kSources[i]);
    }
  }

  uint32_t register_number(Line& line) {
    const size_t at = line.at();
    const auto n = line.name();
    uint32_t v = 0;
    const auto r = n.size() > 1 ? std::from_chars(n.data() + 1, n.data() + n.size(), v) : std::from_chars_result{n.data(), std::errc::invalid_argument};
    if (n.empty() || n[0] != 'r' || r.ec != std::errc{} || r.ptr != n.data() + n.size() || v >= isa::limit::registers)
      line.fail_at(at, n.size(), "a register expected", "r0 .. r" + std::to_string(isa::limit::registers - 1));
    return v;
  }

  bool relative(Line& line) {
    if (line.peek() != '[') return false;
    line.expect('[');
    const size_t at = line.at();
    const auto n = line.name();
    int which = -1;
    for (int i = 0; i < 3; ++i)
      if (text::kRelative[i] == n) which = i;
    if (which < 0) line.fail_at(at, n.size(), "a relative index expected", "a0, al or depth");
    if (relative_ >= 0 && relative_ != which) line.fail_at(at, n.size(), "a word has one relative index");
    relative_ = which;
    line.expect(']');
    return true;
  }

  void immediate(Line& line, size_t at, uint32_t value, bool constant, const text::SourceFields& fields) {
    if (immediate_ && (isa::get(word_, f::imm) != value || (isa::get(word_, f::imm_const) != 0) != constant))
      line.fail_at(at, 1, "a word has one literal or constant");
    immediate_ = true;
    isa::set(word_, fields.file, static_cast<uint32_t>(isa::File::IMM));
    isa::set(word_, f::imm, value);
    isa::set(word_, f::imm_const, constant);
  }

  void source(Line& line, const text::SourceFields& fields) {
    if (line.accept('-')) isa::set(word_, fields.neg, 1);
    const bool bars = line.accept('|');
    if (bars) isa::set(word_, fields.abs, 1);
    const size_t at = line.at();
    const char c = line.peek();
    if (line.accept('(')) {
      line.expect('-');
      const size_t number = line.at();
      uint32_t v = line.literal();
      // A point or exponent makes it a float, whose sign is a bit.
      const bool is_float = source_line_has_float(line, number);
      v = is_float ? v ^ 0x80000000u : 0u - v;
      line.expect(')');
      immediate(line, at, v, false, fields);
    } else if ((c >= '0' && c <= '9') || c == '.') {
      immediate(line, at, line.literal(), false, fields);
    } else {
      const auto n = line.peek_name();
      int v;
      if (n.size() > 1 && n[0] == 'r' && n[1] >= '0' && n[1] <= '9') {
        isa::set(word_, fields.idx, register_number(line));
        isa::set(word_, fields.file, static_cast<uint32_t>(relative(line) ? isa::File::GPR_REL : isa::File::GPR));
      } else if (n.size() > 1 && n[0] == 'c' && n[1] >= '0' && n[1] <= '9') {
        uint32_t number = 0;
        const auto r = std::from_chars(n.data() + 1, n.data() + n.size(), number);
        if (r.ec != std::errc{} || r.ptr != n.data() + n.size() || number >= isa::limit::constants) line.fail("a constant number expected");
        line.name();
        immediate(line, at, number, true, fields);
      } else if ((v = code_of(isa::special_names, n, true)) >= 0) {
        line.name();
        isa::set(word_, fields.file, static_cast<uint32_t>(isa::File::SPECIAL));
        isa::set(word_, fields.idx, static_cast<uint32_t>(v));
      } else if ((v = code_of(isa::uniform_names, n, true)) >= 0) {
        line.name();
        immediate(line, at, isa::limit::uniform_base + static_cast<uint32_t>(v), true, fields);
      } else {
        line.fail("a source expected", "a register, constant, literal, localid_x, groupid_x, ...");
      }
    }
    if (bars) line.expect('|');
  }

  bool source_line_has_float(Line& line, size_t from) {
    const std::string_view s = line.text().substr(from, line.at() - from);
    return !s.starts_with("0x") && !s.starts_with("0X") && s.find_first_of(".eE") != std::string_view::npos;
  }

  void memory(Line& line, const isa::OpInfo& info) {
    bool typed = false, atomic = false;
    for (const auto& [at, s] : suffixes(line)) {
      std::string_view type = s;
      uint32_t size = 0;
      if (type.ends_with("X2")) size = 1;
      if (type.ends_with("X4")) size = 2;
      if (size != 0) type.remove_suffix(2);
      int v;
      if (info.kind == isa::Kind::Atomic && !atomic && (v = code_of(isa::atom_names, s, false)) >= 0) {
        isa::set(word_, f::atom_op, static_cast<uint32_t>(v));
        atomic = true;
      } else if (!typed && (v = code_of(isa::type_names, type, false)) >= 0) {
        isa::set(word_, f::type, static_cast<uint32_t>(v));
        isa::set(word_, f::mem_size, size);
        typed = true;
      } else {
        line.fail_at(at, s.size(), "unknown modifier ." + std::string(s));
      }
    }
    if (!typed) line.fail("a type expected after the operation");
    if (info.kind == isa::Kind::Atomic && !atomic) line.fail("an atomic operation expected", ".ADD, .MIN, ...");
    if (info.kind == isa::Kind::Fence) return;
    const auto destination = [&] {
      if (line.accept('-')) return;
      isa::set(word_, f::dst_en, 1);
      isa::set(word_, f::dst, register_number(line));
    };
    if (info.kind != isa::Kind::Store) {
      destination();
      line.expect(',');
    }
    if (info.unit == isa::Unit::Axi) {
      const size_t at = line.at();
      const auto n = line.name();
      uint32_t v = 0;
      const auto r = n.size() > 1 ? std::from_chars(n.data() + 1, n.data() + n.size(), v) : std::from_chars_result{n.data(), std::errc::invalid_argument};
      if (n.empty() || n[0] != 's' || r.ec != std::errc{} || r.ptr != n.data() + n.size() || v >= isa::limit::slots)
        line.fail_at(at, n.size(), "a slot expected", "s0 .. s" + std::to_string(isa::limit::slots - 1));
      isa::set(word_, f::slot, v);
    }
    line.expect('[');
    if (line.peek() == 'r') {
      isa::set(word_, f::a_idx, register_number(line));
      if (line.accept('+')) isa::set(word_, f::imm, static_cast<uint32_t>(line.number(0xffffffffu, "an offset")));
    } else {
      isa::set(word_, f::a_file, static_cast<uint32_t>(isa::File::IMM));
      isa::set(word_, f::imm, static_cast<uint32_t>(line.number(0xffffffffu, "an address")));
    }
    line.expect(']');
    if (info.kind != isa::Kind::Load) {
      line.expect(',');
      isa::set(word_, f::b_idx, register_number(line));
    }
    const uint32_t size = isa::get(word_, f::mem_size);
    isa::set(word_, f::mem_mask, size == 0 ? 1 : size == 1 ? 3 : 15);
  }

  void flow(Line& line, const isa::OpInfo& info) {
    if (line.peek_raw(0) == '.') line.fail("flow operations have no modifiers");
    static constexpr std::string_view kPlain[] = {"BAR", "MEMBAR", "MEMBAR_CTA", "NOP", "END"};
    if (std::find(std::begin(kPlain), std::end(kPlain), info.name) != std::end(kPlain)) return;
    const char c = line.peek();
    if (c >= '0' && c <= '9') {
      isa::set(word_, f::target, static_cast<uint32_t>(line.number(isa::limit::program_words - 1, "a word number")));
    } else {
      target_.line = line_;
      target_.at = line.at();
      target_.name = line.name();
      if (target_.name.empty()) line.fail("a target expected", "a label or a word number");
    }
  }

  void attribute(Line& line, const isa::OpInfo& info) {
    const size_t at = line.at();
    const std::string name(line.name());
    const auto only = [&](bool ok) {
      if (!ok) line.fail_at(at, name.size(), "'" + name + "' does not belong to this operation");
    };
    const bool alu = info.format == isa::Format::Alu, mem = info.format == isa::Format::Mem, flow = info.format == isa::Format::Flow;
    const auto in_parentheses = [&](auto read) {
      line.expect('(');
      read();
      line.expect(')');
    };
    const auto value = [&](isa::Field field, uint64_t limit, const char* what) {
      only(flow);
      in_parentheses([&] { isa::set(word_, field, static_cast<uint32_t>(line.number(limit, what))); });
    };
    if (name == "last") isa::set(word_, f::last, 1);
    else if (name == "acquire") {
      only(mem);
      isa::set(word_, f::sem_acquire, 1);
    } else if (name == "wait") {
      in_parentheses([&] {
        do {
          const size_t which = line.at();
          const auto n = line.name();
          if (n != "axi" && n != "shared") line.fail_at(which, n.size(), "'axi' or 'shared' expected");
          isa::set(word_, f::sem_wait, isa::get(word_, f::sem_wait) | (n == "axi" ? 1u : 2u));
        } while (line.accept(','));
      });
    } else if (name == "if") {
      in_parentheses([&] {
        const size_t which = line.at();
        const auto n = line.name();
        const int test = code_of(isa::test_names, n, false);
        if (test < 0) line.fail_at(which, n.size(), "a condition test expected", "TR FL EQ NE LT GE LE GT NAN LEG CF NCF OF NOF SF NSF AB BLE");
        isa::set(word_, f::pred_test, static_cast<uint32_t>(test));
        if (test > 1) {
          isa::set(word_, f::pred_cc, condition_register(line));
          line.expect('.');
          isa::set(word_, f::pred_mask, mask(line));
        }
      });
    } else if (name == "cc0" || name == "cc1" || name == "cc2") {
      only(alu);
      isa::set(word_, f::cc_dst, static_cast<uint32_t>(name[2] - '0'));
      line.expect('.');
      isa::set(word_, f::cc_comp, component(line));
      line.expect('=');
    } else if (name == "carry" || name == "zero") {
      only(alu);
      isa::set(word_, name == "carry" ? f::chain_carry : f::chain_zero, 1);
      in_parentheses([&] { isa::set(word_, f::chain_comp, component(line)); });
    } else if (name == "alu") {
      only(alu);
      isa::set(word_, f::alu_we, 1);
    } else if (name == "all") {
      only(alu);
      isa::set(word_, f::write_inactive, 1);
    } else if (name == "mask") {
      only(mem);
      in_parentheses([&] { isa::set(word_, f::mem_mask, mask(line)); });
    } else if (name == "any" || name == "else" || name == "endless") {
      only(flow);
      isa::set(word_, name == "any" ? f::jump_any : name == "else" ? f::b_else : f::endless, 1);
    } else if (name == "pop" || name == "push" || name == "pushr") {
      only(flow);
      isa::set(word_, f::a_op, static_cast<uint32_t>(code_of(isa::aop_names, name, true)));
    } else if (name == "stay" || name == "jump") {
      only(flow);
      in_parentheses([&] {
        const size_t which = line.at();
        const auto n = line.name();
        const int op = code_of(isa::bop_names, n, true);
        if (op < 0) line.fail_at(which, n.size(), "'none', 'decr' or 'incr' expected");
        isa::set(word_, name == "stay" ? f::b_op0 : f::b_op1, static_cast<uint32_t>(op));
      });
    } else if (name == "func") {
      only(flow);
      in_parentheses([&] {
        const size_t which = line.at();
        const auto n = line.name();
        uint32_t v = 0;
        const auto r = std::from_chars(n.data(), n.data() + n.size(), v, 16);
        if (n.empty() || r.ec != std::errc{} || r.ptr != n.data() + n.size() || v > 0xff) line.fail_at(which, n.size(), "two hexadecimal digits expected");
        isa::set(word_, f::jump_func, v);
      });
    } else if (name == "levels") value(f::b_pop, (1u << f::b_pop.bits) - 1, "a number of levels");
    else if (name == "bool") value(f::bool_idx, 31, "the number of a uniform boolean");
    else if (name == "count") value(f::imm, 0xffffffffu, "a count");
    else if (name == "al" || name == "step") {
      only(flow);
      const isa::Field field = name == "al" ? f::al_init : f::al_step;
      in_parentheses([&] {
        const int64_t half = int64_t{1} << (field.bits - 1);
        isa::set(word_, field, static_cast<uint32_t>(line.signed_number(-half, half - 1, "a number")));
      });
    } else {
      line.fail_at(at, name.size(), name.empty() ? "an attribute expected" : "unknown attribute '" + name + "'");
    }
  }

  uint32_t condition_register(Line& line) {
    const size_t at = line.at();
    const auto n = line.name();
    if (n != "cc0" && n != "cc1" && n != "cc2") line.fail_at(at, n.size(), "a condition-code register expected", "cc0, cc1 or cc2");
    return static_cast<uint32_t>(n[2] - '0');
  }

  std::string_view source_;
  std::string file_;
  Diagnostics& diagnostics_;
  Program p_;
  bool lines_ = false;
  std::vector<LineEntry> positions_;
  std::map<std::string, uint32_t> labels_;
  std::vector<Reference> references_;
  std::vector<Checked> checked_;
  Reference target_, entry_label_;
  uint32_t line_ = 0, entry_line_ = 0;
  isa::Word word_;
  int relative_ = -1;
  bool immediate_ = false;
};

}  // namespace

std::optional<Program> assemble_microcode(std::string_view source, const std::string& file, Diagnostics& diagnostics) {
  return Assembler(source, file, diagnostics).run();
}

}  // namespace maskwork
