// Microcode text of one word to its fields.
#include "word_reader.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "closest.hpp"

namespace maskwork::text {
namespace {

namespace f = isa::field;

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names, const char* before = "") {
  std::string upper(word);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  const std::string_view meant = closest(upper, names);
  return meant.empty() ? std::string() : std::string("did you mean ") + before + std::string(meant) + "?";
}

template <typename Table>
void add_names(std::vector<std::string_view>& names, const Table& table, uint32_t least = 0) {
  for (const auto& entry : table)
    if (entry.code >= least) names.push_back(entry.name);
}

class WordReader {
 public:
  WordText run(Line& line, size_t first, std::string_view name) {
    unsigned code = 0;
    for (unsigned c = 1; c < isa::ops.size(); ++c)
      if (isa::ops[c].valid && isa::ops[c].name == name) code = c;
    if (code == 0) {
      std::vector<std::string_view> names;
      for (const isa::OpInfo& op : isa::ops)
        if (op.valid) names.push_back(op.name);
      line.fail_at(first, name.size(), "unknown operation '" + std::string(name) + "'", did_you_mean(name, names));
    }
    isa::set(result_.word, f::op, code);
    const isa::OpInfo& info = isa::ops[code];
    if (info.format == isa::Format::Alu) alu(line, info);
    else if (info.format == isa::Format::Mem) memory(line, info);
    else flow(line, info);
    if (relative_ > 0) isa::set(result_.word, f::rel_sel, static_cast<uint32_t>(relative_));
    while (!line.end() && line.peek() != '@') attribute(line, info);
    return std::move(result_);
  }

 private:
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
    isa::set(result_.word, f::cc_dst, 3);
    int types = 0;
    bool rounded = false, clamped = false;
    for (const auto& [at, s] : suffixes(line)) {
      int v;
      if ((v = code_of(isa::type_names, s, false)) >= 0 && types < (info.cvt ? 2 : 1)) isa::set(result_.word, types++ == 0 ? f::type : f::cvt_src, static_cast<uint32_t>(v));
      else if (!rounded && (info.cvt || info.rnd) && (v = code_of(isa::round_names, s, false)) >= 0) {
        isa::set(result_.word, f::cvt_round, static_cast<uint32_t>(v));
        rounded = true;
      } else if (!clamped && (v = code_of(isa::clamp_names, s, false)) > 0) {
        isa::set(result_.word, f::clamp, static_cast<uint32_t>(v));
        clamped = true;
      } else if (code_of(isa::type_names, s, false) >= 0 || code_of(isa::clamp_names, s, false) > 0 || ((info.cvt || info.rnd) && code_of(isa::round_names, s, false) >= 0))
        line.fail_at(at, s.size(), "one modifier too many of this kind: ." + std::string(s));
      else {
        std::vector<std::string_view> names;
        add_names(names, isa::type_names);
        add_names(names, isa::clamp_names, 1);   // without NONE, which is not written
        if (info.cvt || info.rnd) add_names(names, isa::round_names);
        line.fail_at(at, s.size(), "unknown modifier ." + std::string(s), did_you_mean(s, names, "."));
      }
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
        isa::set(result_.word, f::dst_en, 1);
        isa::set(result_.word, f::dst, register_number(line));
        if (relative(line)) isa::set(result_.word, f::dst_rel, 1);
      }
    }
    const bool used[3] = {info.srcs_a, info.srcs_b, info.srcs_c};
    for (int i = 0; i < 3; ++i) {
      if (!used[i]) continue;
      next();
      source(line, kSources[i]);
    }
  }

  /// A letter and a number below `limit`; `what` is expected.
  uint32_t numbered(Line& line, char letter, uint32_t limit, const char* what) {
    const size_t at = line.at();
    const auto n = line.name();
    uint32_t v = 0;
    const auto r = n.size() > 1 ? std::from_chars(n.data() + 1, n.data() + n.size(), v) : std::from_chars_result{n.data(), std::errc::invalid_argument};
    if (n.empty() || n[0] != letter || r.ec != std::errc{} || r.ptr != n.data() + n.size() || v >= limit)
      line.fail_at(at, n.size(), std::string(what) + " expected", std::string(1, letter) + "0 .. " + letter + std::to_string(limit - 1));
    return v;
  }
  uint32_t register_number(Line& line) { return numbered(line, 'r', isa::limit::registers, "a register"); }

  bool relative(Line& line) {
    if (line.peek() != '[') return false;
    line.expect('[');
    const size_t at = line.at();
    const auto n = line.name();
    int which = -1;
    for (int i = 0; i < 3; ++i)
      if (kRelative[i] == n) which = i;
    if (which < 0) line.fail_at(at, n.size(), "a relative index expected", "a0, al or depth");
    if (relative_ >= 0 && relative_ != which) line.fail_at(at, n.size(), "a word has one relative index");
    relative_ = which;
    line.expect(']');
    return true;
  }

  void immediate(Line& line, size_t at, uint32_t value, bool constant, const SourceFields& fields) {
    if (immediate_ && (isa::get(result_.word, f::imm) != value || (isa::get(result_.word, f::imm_const) != 0) != constant))
      line.fail_at(at, 1, "a word has one literal or constant");
    immediate_ = true;
    isa::set(result_.word, fields.file, static_cast<uint32_t>(isa::File::IMM));
    isa::set(result_.word, f::imm, value);
    isa::set(result_.word, f::imm_const, constant);
  }

  void source(Line& line, const SourceFields& fields) {
    if (line.accept('-')) isa::set(result_.word, fields.neg, 1);
    const bool bars = line.accept('|');
    if (bars) isa::set(result_.word, fields.abs, 1);
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
        isa::set(result_.word, fields.idx, register_number(line));
        isa::set(result_.word, fields.file, static_cast<uint32_t>(relative(line) ? isa::File::GPR_REL : isa::File::GPR));
      } else if (n.size() > 1 && n[0] == 'c' && n[1] >= '0' && n[1] <= '9') {
        uint32_t number = 0;
        const auto r = std::from_chars(n.data() + 1, n.data() + n.size(), number);
        if (r.ec != std::errc{} || r.ptr != n.data() + n.size() || number >= isa::limit::constants) line.fail("a constant number expected");
        line.name();
        immediate(line, at, number, true, fields);
      } else if ((v = code_of(isa::special_names, n, true)) >= 0) {
        line.name();
        isa::set(result_.word, fields.file, static_cast<uint32_t>(isa::File::SPECIAL));
        isa::set(result_.word, fields.idx, static_cast<uint32_t>(v));
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
        isa::set(result_.word, f::atom_op, static_cast<uint32_t>(v));
        atomic = true;
      } else if (!typed && (v = code_of(isa::type_names, type, false)) >= 0) {
        isa::set(result_.word, f::type, static_cast<uint32_t>(v));
        isa::set(result_.word, f::mem_size, size);
        typed = true;
      } else {
        std::vector<std::string_view> names;
        add_names(names, isa::type_names);
        if (info.kind == isa::Kind::Atomic) add_names(names, isa::atom_names);
        line.fail_at(at, s.size(), "unknown modifier ." + std::string(s), did_you_mean(s, names, "."));
      }
    }
    if (!typed) line.fail("a type expected after the operation");
    if (info.kind == isa::Kind::Atomic && !atomic) line.fail("an atomic operation expected", ".ADD, .MIN, ...");
    if (info.kind == isa::Kind::Fence) return;
    if (info.kind == isa::Kind::Check) {
      isa::set(result_.word, f::a_idx, register_number(line));
      return;
    }
    const auto destination = [&] {
      if (line.accept('-')) return;
      isa::set(result_.word, f::dst_en, 1);
      isa::set(result_.word, f::dst, register_number(line));
    };
    if (info.kind != isa::Kind::Store) {
      destination();
      line.expect(',');
    }
    if (info.unit == isa::Unit::Axi && !info.global) {
      isa::set(result_.word, f::slot, numbered(line, 's', isa::limit::slots, "a slot"));
    }
    line.expect('[');
    if (line.peek() == 'r') {
      isa::set(result_.word, f::a_idx, register_number(line));
      if (line.accept('+')) isa::set(result_.word, f::imm, static_cast<uint32_t>(line.number(0xffffffffu, "an offset")));
    } else {
      isa::set(result_.word, f::a_file, static_cast<uint32_t>(isa::File::IMM));
      isa::set(result_.word, f::imm, static_cast<uint32_t>(line.number(0xffffffffu, "an address")));
    }
    line.expect(']');
    if (info.kind != isa::Kind::Load) {
      line.expect(',');
      isa::set(result_.word, f::b_idx, register_number(line));
    }
    const uint32_t size = isa::get(result_.word, f::mem_size);
    isa::set(result_.word, f::mem_mask, size == 0 ? 1 : size == 1 ? 3 : 15);
  }

  void flow(Line& line, const isa::OpInfo& info) {
    if (line.peek_raw(0) == '.') line.fail("flow operations have no modifiers");
    static constexpr std::string_view kPlain[] = {"BAR", "MEMBAR", "MEMBAR_CTA", "NOP", "END"};
    if (std::find(std::begin(kPlain), std::end(kPlain), info.name) != std::end(kPlain)) return;
    const char c = line.peek();
    if (c >= '0' && c <= '9') {
      isa::set(result_.word, f::target, static_cast<uint32_t>(line.number(isa::limit::program_words - 1, "a word number")));
    } else {
      result_.target_at = line.at();
      result_.target = line.name();
      if (result_.target.empty()) line.fail("a target expected", "a label or a word number");
    }
  }

  void attribute(Line& line, const isa::OpInfo& info) {
    const size_t at = line.at();
    const std::string name(line.name());
    const auto only = [&](bool ok) {
      if (!ok) line.fail_at(at, name.size(), "'" + name + "' does not belong to this operation");
    };
    // What cannot stand together has one name.
    const std::string kind = name == "cc0" || name == "cc1" || name == "cc2" ? "cc" : name == "pop" || name == "push" || name == "pushr" ? "push" : name;
    for (const auto& [other, first] : seen_)
      if (other == kind) line.fail_at(at, name.size(), first == name ? "'" + name + "' stands twice" : "'" + name + "' contradicts '" + first + "'", "once in a word");
    seen_.emplace_back(kind, name);
    const bool alu = info.format == isa::Format::Alu, mem = info.format == isa::Format::Mem, flow = info.format == isa::Format::Flow;
    const auto in_parentheses = [&](auto read) {
      line.expect('(');
      read();
      line.expect(')');
    };
    const auto value = [&](isa::Field field, uint64_t limit, const char* what) {
      only(flow);
      in_parentheses([&] { isa::set(result_.word, field, static_cast<uint32_t>(line.number(limit, what))); });
    };
    if (name == "last") isa::set(result_.word, f::last, 1);
    else if (name == "acquire") {
      only(mem);
      isa::set(result_.word, f::sem_acquire, 1);
    } else if (name == "wait") {
      in_parentheses([&] {
        do {
          const size_t which = line.at();
          const auto n = line.name();
          if (n != "axi" && n != "shared") line.fail_at(which, n.size(), "'axi' or 'shared' expected");
          if ((isa::get(result_.word, f::sem_wait) & (n == "axi" ? 1u : 2u)) != 0) line.fail_at(which, n.size(), "'" + std::string(n) + "' stands twice");
          isa::set(result_.word, f::sem_wait, isa::get(result_.word, f::sem_wait) | (n == "axi" ? 1u : 2u));
        } while (line.accept(','));
      });
    } else if (name == "if") {
      in_parentheses([&] {
        const size_t which = line.at();
        const auto n = line.name();
        const int test = code_of(isa::test_names, n, false);
        if (test < 0) line.fail_at(which, n.size(), "a condition test expected", "TR FL EQ NE LT GE LE GT NAN LEG CF NCF OF NOF SF NSF AB BLE");
        isa::set(result_.word, f::pred_test, static_cast<uint32_t>(test));
        if (test > 1) {
          isa::set(result_.word, f::pred_cc, condition_register(line));
          line.expect('.');
          isa::set(result_.word, f::pred_mask, line.mask());
        }
      });
    } else if (name == "cc0" || name == "cc1" || name == "cc2") {
      only(alu);
      isa::set(result_.word, f::cc_dst, static_cast<uint32_t>(name[2] - '0'));
      line.expect('.');
      isa::set(result_.word, f::cc_comp, line.component());
      line.expect('=');
    } else if (name == "carry" || name == "zero") {
      only(alu);
      isa::set(result_.word, name == "carry" ? f::chain_carry : f::chain_zero, 1);
      in_parentheses([&] {
        const size_t which = line.at();
        const uint32_t component = line.component();
        const bool both = isa::get(result_.word, f::chain_carry) != 0 && isa::get(result_.word, f::chain_zero) != 0;
        if (both && isa::get(result_.word, f::chain_comp) != component) line.fail_at(which, 1, "carry and zero name one component");
        isa::set(result_.word, f::chain_comp, component);
      });
    } else if (name == "alu") {
      only(alu);
      isa::set(result_.word, f::alu_we, 1);
    } else if (name == "all") {
      only(alu);
      isa::set(result_.word, f::write_inactive, 1);
    } else if (name == "mask") {
      only(mem);
      in_parentheses([&] { isa::set(result_.word, f::mem_mask, line.mask()); });
    } else if (name == "any" || name == "else" || name == "endless") {
      only(flow);
      isa::set(result_.word, name == "any" ? f::jump_any : name == "else" ? f::b_else : f::endless, 1);
    } else if (name == "pop" || name == "push" || name == "pushr") {
      only(flow);
      isa::set(result_.word, f::a_op, static_cast<uint32_t>(code_of(isa::aop_names, name, true)));
    } else if (name == "stay" || name == "jump") {
      only(flow);
      in_parentheses([&] {
        const size_t which = line.at();
        const auto n = line.name();
        const int op = code_of(isa::bop_names, n, true);
        if (op < 0) line.fail_at(which, n.size(), "'none', 'decr' or 'incr' expected");
        isa::set(result_.word, name == "stay" ? f::b_op0 : f::b_op1, static_cast<uint32_t>(op));
      });
    } else if (name == "func") {
      only(flow);
      in_parentheses([&] {
        const size_t which = line.at();
        const auto n = line.name();
        uint32_t v = 0;
        const auto r = std::from_chars(n.data(), n.data() + n.size(), v, 16);
        if (n.empty() || r.ec != std::errc{} || r.ptr != n.data() + n.size() || v > 0xff) line.fail_at(which, n.size(), "two hexadecimal digits expected");
        isa::set(result_.word, f::jump_func, v);
      });
    } else if (name == "levels") value(f::b_pop, (1u << f::b_pop.bits) - 1, "a number of levels");
    else if (name == "bool") value(f::bool_idx, 31, "the number of a uniform boolean");
    else if (name == "count") value(f::imm, 0xffffffffu, "a count");
    else if (name == "al" || name == "step") {
      only(flow);
      const isa::Field field = name == "al" ? f::al_init : f::al_step;
      in_parentheses([&] {
        const int64_t half = int64_t{1} << (field.bits - 1);
        isa::set(result_.word, field, static_cast<uint32_t>(line.signed_number(-half, half - 1, "a number")));
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

  WordText result_;
  int relative_ = -1;
  bool immediate_ = false;
  std::vector<std::pair<std::string, std::string>> seen_;  // attributes: kind and name
};

}  // namespace

WordText read_word(Line& line, size_t first, std::string_view name) { return WordReader().run(line, first, name); }

}  // namespace maskwork::text
