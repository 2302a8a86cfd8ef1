// Every row of the ISA table: each operation x type x legal modifier in one directed word, with corner and random operands, on the model against
// the references and in lockstep on `tiny` and `base`. What is legal is asked of bad_word(), so that a row, type or field that the table gains
// is demanded here too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <tuple>

#include "isa_sheet.hpp"
#include "operands.hpp"
#include "special_reference.hpp"

namespace maskwork::suite {
namespace {

namespace f = isa::field;
using isa::Op;
using isa::Type;
using test::Random;

uint32_t code(auto v) { return static_cast<uint32_t>(v); }

/// What has been run. Names of modifiers are ours; words also count for the fields that they set.
struct Coverage {
  std::set<std::tuple<Op, Type, std::string>> wanted, done;
  std::set<std::pair<isa::Format, std::string>> fields;

  static bool has(const isa::FieldInfo& i, isa::Format format) { return format == isa::Format::Alu ? i.alu : format == isa::Format::Mem ? i.mem : i.flow; }
  void word(const isa::Word& w) {
    for (const isa::FieldInfo& i : isa::fields) {
      const isa::Format format = isa::info(w).format;
      if (has(i, format) && isa::get(w, i.field) != 0) fields.insert({format, std::string(i.name)});
    }
  }
  /// Every row of the table has been run with every modifier that is legal for it, and, with `format`, every field has been set.
  void expect_complete(const std::string& what, const std::vector<std::pair<Op, Type>>& rows, std::optional<isa::Format> format) const {
    for (const auto& [op, type, modifier] : wanted)
      if (!done.count({op, type, modifier})) ADD_FAILURE() << "not covered: " << isa::to_string(op) << "." << isa::to_string(type) << " " << modifier;
    std::set<std::pair<Op, Type>> pairs;
    for (const auto& [op, type, modifier] : done) pairs.insert({op, type});
    for (const auto& [op, type] : rows) EXPECT_TRUE(pairs.count({op, type})) << "no word of " << isa::to_string(op) << "." << isa::to_string(type);
    for (const isa::FieldInfo& i : isa::fields) {
      if (!format || !has(i, *format)) continue;
      EXPECT_TRUE(fields.count({*format, std::string(i.name)})) << "no word sets the field " << i.name;
    }
    if (rows.empty()) return;
    fmt::print("{}: {} of {} operation x type pairs, {} with modifiers, {} missing\n", what, pairs.size(), rows.size(), done.size(), wanted.size() - done.size());
  }
};

/// All operations of a format with their types.
std::vector<std::pair<Op, Type>> rows(isa::Format format, std::optional<isa::Unit> unit = {}) {
  std::vector<std::pair<Op, Type>> all;
  for (uint32_t n = 0; n < 256; ++n) {
    const isa::OpInfo& info = isa::ops[n];
    if (!info.valid || info.format != format || (unit && info.unit != *unit)) continue;
    for (uint32_t t = 0; t < 16; ++t)
      if ((info.types >> t & 1) != 0) all.push_back({static_cast<Op>(n), static_cast<Type>(t)});
  }
  return all;
}

/// The configurations on which the table is run.
std::vector<isa::Config> configs() {
  std::vector<isa::Config> all;
  for (const auto& c : rtl_configs())
    if (nightly() || c.name == "tiny" || c.name == "base") all.push_back(c);
  return all;
}

uint32_t corner(Random& r, bool is_float) {
  if (r.below(3) == 0) return r.next();
  return is_float ? test::float_corners[r.below(test::float_corners.size())] : test::int_corners[r.below(test::int_corners.size())];
}

// ------------------------------------------------------------------------------------------------------- ALU words
constexpr uint32_t operand_registers = 12, result = 14, flags_register = 15, small_register = 19, area = 20;
const std::array<std::array<isa::Field, 4>, 3> sources{{{f::a_file, f::a_idx, f::a_neg, f::a_abs}, {f::b_file, f::b_idx, f::b_neg, f::b_abs}, {f::c_file, f::c_idx, f::c_neg, f::c_abs}}};

/// Operands of one thread for a row: four sets of a, b, c. The first two are floats, the others integers.
void operands(Random& r, Op op, Type type, uint32_t* words) {
  const auto fma = test::fma_operands(r);
  std::copy(fma.begin(), fma.end(), words);
  for (uint32_t i = 0; i < 3; ++i) {
    words[3 + i] = corner(r, true);
    words[6 + i] = corner(r, false);
    words[9 + i] = r.below(2) != 0 ? r.next() >> r.below(32) : 0 - (r.next() >> r.below(32));
  }
  if (r.below(3) == 0) words[4] = words[3];
  if (r.below(3) == 0) words[7] = words[6];
  if (op == Op::CVT || op == Op::RNDI)
    for (const uint32_t i : {0u, 3u}) words[i] = test::make_float(r, 120 + static_cast<int>(r.below(48)));
  if (op == Op::SHL || op == Op::SHR) words[7] = r.below(34);
  if (op == Op::MOVA) words[6] = r.below(2) != 0 ? r.below(8) - 2 : words[6];
  if (test::is_near_function(op)) words[0] = test::make_float(r, 112 + static_cast<int>(r.below(24)));
  if (isa::info(op).op_class == isa::OpClass::Crosslane) {
    for (uint32_t i = 0; i < 12; i += 3) {
      if (r.below(2) != 0) words[i] = type == Type::F32 ? r.below(2) << 31 : 0;
      words[i + 1] = r.below(40);
      words[i + 2] = r.below(3) == 0 ? 31 : r.below(3) == 0 ? 0 : (r.next() & 0x1f1f) | (r.next() & 0xffffe0e0);
    }
  }
}

/// A form of a row: the word, and what stands around it.
struct Form {
  std::string modifier;
  isa::Word word;
  bool masked = false;  ///< under an IF
};

class AluRow {
 public:
  AluRow(Sheet& sheet, Coverage& coverage, Random& r, Op op, Type type, uint32_t& turn)
      : sheet_(sheet), coverage_(coverage), r_(r), op_(op), type_(type), info_(isa::info(op)), turn_(turn) {}

  void run() {
    for (const Form& form : forms()) {
      // A modifier that the row has not got is a bad word.
      if (isa::bad_word(form.word, true)) continue;
      coverage_.wanted.insert({op_, type_, form.modifier});
      run(form);
    }
  }

 private:
  isa::Word plain(std::optional<uint32_t> set = {}) {
    isa::Word w = alu_word(op_, type_);
    if (!info_.nodst) isa::set(w, f::dst_en, 1), isa::set(w, f::dst, result);
    const Type read = info_.cvt ? static_cast<Type>(r_.below(3)) : type_;
    const uint32_t s = set ? *set : read == Type::F32 ? r_.below(2) : 2 + r_.below(2);
    const bool has[3] = {info_.srcs_a, info_.srcs_b, info_.srcs_c};
    for (uint32_t i = 0; i < 3; ++i)
      if (has[i]) isa::set(w, sources[i][1], 3 * s + i);
    if (info_.cvt) isa::set(w, f::cvt_src, code(read));
    if (info_.cvt || info_.rnd) isa::set(w, f::cvt_round, r_.below(4));
    return w;
  }
  /// With an update of the next condition code, if the row has any, so that flags are seen of every modifier.
  isa::Word with_flags(isa::Word w) {
    isa::Word with = w;
    isa::set(with, f::cc_dst, next_cc_ / 4 % 3);
    isa::set(with, f::cc_comp, next_cc_ % 4);
    if (isa::bad_word(with, true)) return w;
    ++next_cc_;
    return with;
  }
  isa::Word with(std::initializer_list<FieldValue> fields, std::optional<uint32_t> set = {}) {
    isa::Word w = with_flags(plain(set));
    for (const auto& [field, value] : fields) isa::set(w, field, value);
    return w;
  }

  std::vector<Form> forms() {
    std::vector<Form> all{{"plain", plain()}, {"flags", with({})}};
    const auto add = [&](const std::string& name, std::initializer_list<FieldValue> fields) { all.push_back({name, with(fields)}); };
    const bool has[3] = {info_.srcs_a, info_.srcs_b, info_.srcs_c};
    for (uint32_t i = 0; i < 3; ++i) {
      if (!has[i]) continue;
      const std::string s(1, static_cast<char>('a' + i));
      const auto& [file, idx, neg, abs] = sources[i];
      for (uint32_t n = 0; n < 2; ++n) {  // twice: other operands
        add(s + " negated", {{neg, 1}});
        add(s + " absolute", {{abs, 1}});
        add(s + " negated absolute", {{neg, 1}, {abs, 1}});
      }
      for (const isa::RelName& rel : isa::rel_names)
        add(s + " relative to " + std::string(rel.name), {{file, code(isa::File::GPR_REL)}, {idx, r_.below(8)}, {f::rel_sel, rel.code}});
      add(s + " outside the window", {{idx, Sheet::registers + r_.below(1000)}});
      const uint32_t imm = code(isa::File::IMM);
      add(s + " literal", {{file, imm}, {idx, 0}, {f::imm, corner(r_, type_ == Type::F32)}});
      add(s + " constant", {{file, imm}, {idx, 0}, {f::imm, r_.below(16)}, {f::imm_const, 1}});
      // One uniform and one special value by turns: every row has the files, and some row each value. By night all.
      for (const isa::UniformName& u : isa::uniform_names)
        if (nightly() || u.code == turn_ % isa::uniform_names.size())
          add(s + " uniform", {{file, imm}, {idx, 0}, {f::imm, isa::limit::uniform_base + u.code}, {f::imm_const, 1}});
      for (const isa::SpecialName& sp : isa::special_names)
        if (nightly() || sp.code == turn_ % isa::special_names.size()) add(s + " special value", {{file, code(isa::File::SPECIAL)}, {idx, sp.code}});
      ++turn_;
    }
    for (const isa::ClampName& c : isa::clamp_names)
      for (uint32_t set = 0; set < 4; ++set) all.push_back({"clamp " + std::string(c.name), with({{f::clamp, c.code}}, set)});
    for (uint32_t cc = 0; cc < 12; ++cc) add(fmt::format("updates cc{}.{}", cc / 4, "xyzw"[cc % 4]), {{f::cc_dst, cc / 4}, {f::cc_comp, cc % 4}});
    for (uint32_t c = 0; c < 4; ++c) {
      add(fmt::format("carry from cc2.{}", "xyzw"[c]), {{f::chain_carry, 1}, {f::chain_comp, c}});
      add(fmt::format("zero with cc2.{}", "xyzw"[c]), {{f::chain_zero, 1}, {f::chain_comp, c}});
      add(fmt::format("carry and zero with cc2.{}", "xyzw"[c]), {{f::chain_carry, 1}, {f::chain_zero, 1}, {f::chain_comp, c}});
    }
    for (const auto& s : sources) {
      add("borrow", {{f::chain_carry, 1}, {s[2], 1}, {f::chain_comp, r_.below(4)}});
      add("borrow of an absolute value", {{f::chain_carry, 1}, {s[2], 1}, {s[3], 1}, {f::chain_comp, r_.below(4)}});
    }
    for (uint32_t n = 0; n < 3; ++n) add("writes the ALU bit", {{f::alu_we, 1}});
    for (const isa::TestName& t : isa::test_names)
      add("predicate " + std::string(t.name), {{f::pred_test, t.code}, {f::pred_cc, t.code > 1 ? r_.below(3) : 0}, {f::pred_mask, t.code > 1 ? 1u << r_.below(4) : 0}});
    for (uint32_t n = 0; n < 2; ++n) {
      all.push_back({"some threads inactive", with({}), true});
      all.push_back({"writes inactive threads", with({{f::write_inactive, 1}}), true});
      all.push_back({"writes inactive threads under a predicate", with({{f::write_inactive, 1}, {f::pred_test, code(isa::Test::NE)}, {f::pred_cc, r_.below(3)}, {f::pred_mask, 1}}), true});
    }
    for (const isa::RelName& rel : isa::rel_names) add("destination relative to " + std::string(rel.name), {{f::dst, area}, {f::dst_rel, 1}, {f::rel_sel, rel.code}});
    add("destination outside the window", {{f::dst, Sheet::registers + r_.below(1000)}});
    add("no destination", {{f::dst_en, 0}, {f::dst, 0}});
    if (info_.cvt || info_.rnd)
      for (uint32_t from = 0; from < 16; ++from)
        for (const isa::RoundName& round : isa::round_names)
          for (const uint32_t clamp : {0u, 1u})
            for (uint32_t n = 0; n < 2; ++n)
              all.push_back({fmt::format("from {} {}{}", isa::to_string(static_cast<Type>(from)), round.name, clamp ? " clamped" : ""),
                             with({{f::cvt_src, from}, {f::cvt_round, round.code}, {f::clamp, clamp}}, n + (from == 0 ? 0 : 2))});
    add("last", {{f::last, 1}});
    for (uint32_t s = 1; s < 4; ++s) add(fmt::format("waits {}", s), {{f::sem_wait, s}});
    return all;
  }

  void run(const Form& form) {
    const isa::Word& w = form.word;
    const auto mov = [](uint32_t dst, uint32_t value, bool all) {
      return alu_word(Op::MOV, Type::U32, {{f::dst_en, 1}, {f::dst, dst}, {f::a_file, code(isa::File::IMM)}, {f::imm, value}, {f::write_inactive, all}});
    };
    const bool relative = isa::get(w, f::dst_rel) != 0, cc = isa::get(w, f::cc_dst) < 3;
    sheet_.emit(mov(result, 0xdeadbeef, false));
    sheet_.emit(mov(flags_register, 0, false));
    if (relative)
      for (uint32_t i = 0; i < 4; ++i) sheet_.emit(mov(area + i, 0xdeadbeef, false));
    if (form.masked) sheet_.open(isa::Test::NE, r_.below(3), 1 + r_.below(15));
    sheet_.emit(w);
    coverage_.word(w);
    coverage_.done.insert({op_, type_, form.modifier});
    const auto add_flag = [&](isa::Test test, uint32_t bit) {
      sheet_.emit(alu_word(Op::ADD, Type::U32, {{f::dst_en, 1}, {f::dst, flags_register}, {f::a_idx, flags_register}, {f::b_file, code(isa::File::IMM)}, {f::imm, bit},
                                                {f::pred_test, code(test)}, {f::pred_cc, isa::get(w, f::cc_dst)}, {f::pred_mask, 1u << isa::get(w, f::cc_comp)}}));
    };
    if (isa::get(w, f::alu_we) != 0) {
      sheet_.open_alu();
      sheet_.emit(mov(flags_register, 0x100, false));
      sheet_.close();
    }
    if (form.masked) sheet_.close();
    if (cc) {
      add_flag(isa::Test::EQ, 1);  // ZF alone, and with SF
      add_flag(isa::Test::NAN_, 1);
      add_flag(isa::Test::SF, 2);
      add_flag(isa::Test::OF, 4);
      add_flag(isa::Test::CF, 8);
    }
    if (op_ == Op::MOVA)  // A0 is what a relative source adds
      sheet_.emit(alu_word(Op::MOV, Type::U32, {{f::dst_en, 1}, {f::dst, result}, {f::a_file, code(isa::File::GPR_REL)}, {f::a_idx, 2}}));
    const std::string what = fmt::format("{}.{} {}", info_.name, isa::to_string(type_), form.modifier);
    if (relative) sheet_.store(what, area, 4);
    sheet_.store(what, result, 2);
  }

  Sheet& sheet_;
  Coverage& coverage_;
  Random& r_;
  Op op_;
  Type type_;
  const isa::OpInfo& info_;
  uint32_t& turn_;
  uint32_t next_cc_ = 0;
};

void alu_rows(isa::Unit unit, const char* what) {
  const auto all = rows(isa::Format::Alu, unit);
  constexpr uint32_t row_words = 12;
  const std::array<uint32_t, 3> size{9, 2, 2};  // two waves, the second one nearly empty
  for (const auto& config : configs()) {
    Random r(code(unit) + 17);
    std::vector<uint32_t> in, constants;
    for (const auto& [op, type] : all)
      for (uint32_t t = 0; t < size[0] * size[1] * size[2]; ++t) {
        in.resize(in.size() + row_words);
        operands(r, op, type, &in[in.size() - row_words]);
      }
    for (uint32_t i = 0; i < 16; ++i) constants.push_back(corner(r, i % 2 == 0));
    Sheet sheet(config, size, in, constants);
    Coverage coverage;
    const auto lane = [](Op op, std::initializer_list<FieldValue> fields) { return alu_word(op, Type::U32, fields); };
    const uint32_t imm = code(isa::File::IMM), special = code(isa::File::SPECIAL), index = code(isa::Special::LOCALINDEX);
    uint32_t at = 0, turn = 0;
    for (const auto& [op, type] : all) {
      // r19 = localindex & 3 = A0; the operands.
      sheet.emit(lane(Op::AND, {{f::dst_en, 1}, {f::dst, small_register}, {f::a_file, special}, {f::a_idx, index}, {f::b_file, imm}, {f::imm, 3}}));
      sheet.emit(lane(Op::MOVA, {{f::a_idx, small_register}}));
      sheet.emit(lane(Op::MUL, {{f::dst_en, 1}, {f::dst, 16}, {f::a_file, special}, {f::a_idx, index}, {f::b_file, imm}, {f::imm, 4 * row_words}}));
      for (uint32_t k = 0; k < operand_registers; k += 4)
        sheet.emit(word(Op::LDB, {{f::type, code(Type::U32)}, {f::a_idx, 16}, {f::imm, at + 4 * k}, {f::slot, Sheet::in_slot}, {f::mem_size, 2}, {f::mem_mask, 15},
                                  {f::dst_en, 1}, {f::dst, k}, {f::sem_wait, k == 8 ? 1u : 0u}, {f::sem_acquire, k == 8 ? 1u : 0u}}));
      sheet.wait();
      at += 4 * row_words * sheet.threads();
      AluRow(sheet, coverage, r, op, type, turn).run();
    }
    sheet.run();
    coverage.expect_complete(fmt::format("{}, {}", what, config.name), all, unit == isa::Unit::Lane ? std::optional(isa::Format::Alu) : std::nullopt);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(IsaTable, LaneWords) { alu_rows(isa::Unit::Lane, "lane"); }
TEST(IsaTable, SpecialWords) { alu_rows(isa::Unit::Special, "special unit"); }

// ---------------------------------------------------------------------------------------------------- memory words
class MemoryRow {
 public:
  MemoryRow(Sheet& sheet, Coverage& coverage, Random& r, Op op, Type type) : sheet_(sheet), coverage_(coverage), r_(r), op_(op), type_(type), info_(isa::info(op)) {}

  void run() {
    const bool slots = info_.unit == isa::Unit::Axi && !info_.global && info_.kind != isa::Kind::Fence && info_.kind != isa::Kind::Check;
    for (uint32_t size = 0; size < 3; ++size)
      for (uint32_t mask = 0; mask < 16; ++mask) form(fmt::format("size {} mask {:x}", size, mask), {{f::mem_size, size}, {f::mem_mask, mask}});
    for (uint32_t n = 0; n < 16; ++n)
      for (uint32_t twice = 0; twice < 2; ++twice) form(fmt::format("atomic {}", n), {{f::atom_op, n}});
    if (slots)
      for (uint32_t n = 0; n < Sheet::in_slot; ++n) form(fmt::format("slot {}", n), {{f::slot, n}, {f::mem_size, any_size()}, {f::mem_mask, any_mask()}});
    form("address literal", {{f::a_file, code(isa::File::IMM)}, {f::a_idx, 0}, {f::imm, base() + 16 * r_.below(8)}});
    form("offset", {{f::imm, 16}});
    form("negative offset", {{f::imm, 0u - 16}});
    form("equal addresses", {{f::a_idx, 1}});
    form("scattered addresses", {{f::a_idx, 2}});
    for (const isa::TestName& t : isa::test_names)
      form("predicate " + std::string(t.name), {{f::pred_test, t.code}, {f::pred_cc, t.code > 1 ? r_.below(3) : 0}, {f::pred_mask, t.code > 1 ? 1u << r_.below(4) : 0}});
    for (uint32_t n = 0; n < 2; ++n) form("some threads inactive", {}, true);
    form("no destination", {{f::dst_en, 0}, {f::dst, 0}});
    form("destination half outside the window", {{f::dst, Sheet::registers - 2}, {f::mem_size, 2}, {f::mem_mask, 15}});
    form("destination outside the window", {{f::dst, 1000}});
    form("data outside the window", {{f::b_idx, 1000}});
    form("address outside the window", {{f::a_idx, 1000}, {f::imm, base()}});
    form("last", {{f::last, 1}});
    for (uint32_t s = 1; s < 4; ++s) form(fmt::format("waits {}", s), {{f::sem_wait, s}});
    const uint32_t own = info_.unit == isa::Unit::Shared ? 2 : 1;
    form("acquires", {{f::sem_wait, own}, {f::sem_acquire, 1}});
    form("acquires, waits for both", {{f::sem_wait, 3}, {f::sem_acquire, 1}});
  }

 private:
  uint32_t base() const { return info_.global ? Sheet::data_address() : 0; }
  uint32_t any_size() const { return info_.kind == isa::Kind::Atomic ? 0 : 2; }
  uint32_t any_mask() const { return info_.kind == isa::Kind::Atomic ? 1 : 15; }

  void form(const std::string& name, std::initializer_list<FieldValue> fields, bool masked = false) {
    isa::Word w = word(op_, {{f::type, code(type_)}});
    const bool access = info_.kind != isa::Kind::Fence && info_.kind != isa::Kind::Check;
    if (access) isa::set(w, f::mem_mask, 1), isa::set(w, f::a_idx, 3);
    if (info_.kind == isa::Kind::Check) isa::set(w, f::a_idx, 23);
    if (info_.kind == isa::Kind::Load || info_.kind == isa::Kind::Atomic) isa::set(w, f::dst_en, 1), isa::set(w, f::dst, 16);
    if (info_.kind == isa::Kind::Store || info_.kind == isa::Kind::Atomic) isa::set(w, f::b_idx, 4 + r_.below(3));
    for (const auto& [field, value] : fields) isa::set(w, field, value);
    if (isa::bad_word(w, true)) return;
    if (info_.kind == isa::Kind::Check && isa::get(w, f::a_idx) < 4) return;  // those registers are no upper halves: it would fault
    if (isa::get(w, f::imm) == 0u - 16 && info_.global) return;               // there is no memory before the buffer
    if (info_.global && access && isa::get(w, f::a_idx) == 1000 && isa::get(w, f::imm) == 0) return;
    coverage_.wanted.insert({op_, type_, name});
    const auto mov = [](uint32_t dst, uint32_t value) {
      return alu_word(Op::MOV, Type::U32, {{f::dst_en, 1}, {f::dst, dst}, {f::a_file, code(isa::File::IMM)}, {f::imm, value}});
    };
    const uint32_t dst = isa::get(w, f::dst_en) != 0 && isa::get(w, f::dst) < Sheet::registers ? isa::get(w, f::dst) : 16;
    for (uint32_t k = 0; k < 4 && dst + k < 23; ++k) sheet_.emit(mov(dst + k, 0xdeadbeef));
    // Addresses: r3 is r0, r1 or r2, as the word does not name another; global ones begin at the buffer.
    if (access)
      for (uint32_t a = 0; a < 4; ++a)
        sheet_.emit(alu_word(Op::ADD, Type::U32, {{f::dst_en, 1}, {f::dst, a}, {f::a_idx, 8 + (a < 3 ? a : r_.below(3))}, {f::b_file, code(isa::File::IMM)}, {f::imm, base()}}));
    if (masked) sheet_.open(isa::Test::NE, r_.below(3), 1 + r_.below(15));
    sheet_.emit(w);
    coverage_.word(w);
    coverage_.done.insert({op_, type_, name});
    if (masked) sheet_.close();
    const uint32_t own = info_.unit == isa::Unit::Shared ? 2 : 1;
    if (info_.kind == isa::Kind::Load || info_.kind == isa::Kind::Atomic) {
      sheet_.emit(word(own == 2 ? Op::FENCE_SHARED : Op::FENCE_AXI, {{f::type, code(Type::U32)}, {f::sem_wait, own}, {f::sem_acquire, 1}}));
      sheet_.wait();
    }
    const std::string what = fmt::format("{}.{} {}", info_.name, isa::to_string(type_), name);
    if (dst + 4 <= Sheet::registers) sheet_.store(what, dst, 4);
    else sheet_.store(what, dst, 2);
  }

  Sheet& sheet_;
  Coverage& coverage_;
  Random& r_;
  Op op_;
  Type type_;
  const isa::OpInfo& info_;
};

TEST(IsaTable, MemoryWords) {
  const auto all = rows(isa::Format::Mem);
  constexpr uint32_t row_words = 8;
  const std::array<uint32_t, 3> size{30, 1, 1};  // one wave: what several do to one word has no order
  for (const auto& config : configs()) {
    Random r(23);
    std::vector<uint32_t> in;
    for (const auto& [op, type] : all)
      for (uint32_t t = 0; t < size[0]; ++t) {
        // Addresses of the thread's own, of one of four places and of any place up to the end of shared memory; operands.
        in.insert(in.end(), {16 * t, 16 * (r.below(2) * 9 + r.below(2)), 16 * r.below(Sheet::shared_bytes / 16), 0});
        for (uint32_t k = 0; k < 4; ++k) in.push_back(corner(r, type == Type::F32));
      }
    Sheet sheet(config, size, in, {});
    Coverage coverage;
    const auto load = [&](uint32_t dst, uint32_t at, bool acquire) {
      return word(Op::LDB, {{f::type, code(Type::U32)}, {f::a_idx, 16}, {f::imm, at}, {f::slot, Sheet::in_slot}, {f::mem_size, 2}, {f::mem_mask, 15}, {f::dst_en, 1}, {f::dst, dst},
                            {f::sem_wait, acquire ? 1u : 0u}, {f::sem_acquire, acquire ? 1u : 0u}});
    };
    uint32_t at = 0;
    for (const auto& [op, type] : all) {
      sheet.emit(alu_word(Op::MUL, Type::U32, {{f::dst_en, 1}, {f::dst, 16}, {f::a_file, code(isa::File::SPECIAL)}, {f::a_idx, code(isa::Special::LOCALINDEX)},
                                               {f::b_file, code(isa::File::IMM)}, {f::imm, 4 * row_words}}));
      sheet.emit(load(8, at, false));
      sheet.emit(load(4, at + 16, true));
      sheet.wait();
      sheet.emit(alu_word(Op::MOV, Type::U32, {{f::dst_en, 1}, {f::dst, 23}, {f::a_file, code(isa::File::IMM)}}));
      at += 4 * row_words * size[0];
      MemoryRow(sheet, coverage, r, op, type).run();
      // What the row left in shared memory.
      sheet.emit(word(Op::LDS, {{f::type, code(Type::U32)}, {f::a_idx, Sheet::address16}, {f::mem_size, 2}, {f::mem_mask, 15}, {f::dst_en, 1}, {f::dst, 16}, {f::sem_wait, 2}, {f::sem_acquire, 1}}));
      sheet.wait();
      sheet.store(fmt::format("shared memory after {}.{}", isa::to_string(op), isa::to_string(type)), 16, 4);
    }
    sheet.run();
    coverage.expect_complete(fmt::format("memories, {}", config.name), all, isa::Format::Mem);
    if (HasFailure()) return;
  }
}

// ------------------------------------------------------------------------------------------------------ flow words
TEST(IsaTable, FlowWords) {
  // Every operation and every field of the format, with a result that is easy to work out.
  const Program p = microcode(R"(.group 40 1 1
.registers 8
.flow full
.bools 0x00000004
.slot storage 0 0 rest
    MOV.U32 r0, localindex
    SHL.U32 r1, r0, 2
    MOV.U32 r2, 0
    AND.U32 -, r0, 1 cc1.y=
    JUMP even func(33) stay(incr) jump(incr) if(NE cc1.y)
    ADD.U32 r2, r2, 1
    JUMP 0 func(00) any else
even:
    ADD.U32 r2, r2, 2
    JUMP 0 func(00) any stay(decr) levels(1)
    MOV.U32 r4, 10
    MOV.U32 r6, 100
    SLT.U32 -, r0, 8 cc0.z=
    SGE.U32 -, r0, 36 cc2.w=
    LOOP out1 func(00) count(4) al(1) step(2)
back1:
    ADD.U32 r2, r2, r3[al]
    BREAKLOOP out1 func(cc) if(NE cc2.w)
    CONT again func(cc) if(NE cc0.z)
    ADD.U32 r2, r2, 1000
again:
    ENDLOOP back1 func(ff) any
out1:
    MOV.U32 r5, 0
    REP out2 func(00) endless
back2:
    ADD.U32 r5, r5, 1
    SGT.U32 -, r5, r0 cc0.x=
    BREAKREP out2 func(cc) if(NE cc0.x)
    ENDREP back2 func(ff) any
out2:
    ADD.U32 r2, r2, r5
    BAR
    MEMBAR
    MEMBAR_CTA
    JUMP twice func(ff) any push
    AND.U32 -, r0, 2 cc0.x=
    JUMP once func(cc) any pushr if(NE cc0.x)
    JUMP 0 func(00) any stay(incr)
    JUMP 0 func(00) any stay(incr)
    JUMP 0 func(00) any stay(incr)
    JUMP 0 func(00) any stay(decr) levels(2)
    JUMP here func(ff) any jump(decr) levels(1)
here:
    JUMP hidden func(aa) bool(2)
    ADD.U32 r2, r2, 0x100000
hidden:
    JUMP seen func(aa) bool(3)
    ADD.U32 r2, r2, 0x200000
seen:
    SLT.U32 -, r0, 3 alu
    JUMP low func(0f) stay(incr) jump(incr)
    ADD.U32 r2, r2, 0x400000
low:
    JUMP 0 func(00) any stay(decr) levels(1)
    SEQ.U32 -, r0, 39 cc0.x=
    RETL 0 func(cc) if(NE cc0.x)
    STB.U32 s0[r1], r2
    NOP wait(axi,shared) last
    END wait(axi,shared)
twice:
    ADD.U32 r2, r2, 10000
    RETL leave func(cc) if(NE cc1.y)
    ADD.U32 r2, r2, 20000
leave:
    JUMP 0 func(ff) any pop
once:
    ADD.U32 r2, r2, 40000
    JUMP 0 func(ff) any pop
)");
  Coverage coverage;
  std::set<Op> seen;
  std::set<uint32_t> address_operations, branch_operations[2];
  for (const isa::Word& w : p.words) {
    if (isa::info(w).format != isa::Format::Flow) continue;
    coverage.word(w);
    seen.insert(static_cast<Op>(isa::get(w, f::op)));
    address_operations.insert(isa::get(w, f::a_op));
    branch_operations[0].insert(isa::get(w, f::b_op0));
    branch_operations[1].insert(isa::get(w, f::b_op1));
  }
  for (uint32_t n = 0; n < 256; ++n) {
    if (!isa::ops[n].valid || isa::ops[n].format != isa::Format::Flow) continue;
    EXPECT_TRUE(seen.count(static_cast<Op>(n))) << "no word of " << isa::ops[n].name;
  }
  coverage.expect_complete("flow", {}, isa::Format::Flow);
  for (const isa::AopName& a : isa::aop_names) EXPECT_TRUE(address_operations.count(a.code)) << a.name;
  for (const isa::BopName& o : isa::bop_names) EXPECT_TRUE(branch_operations[0].count(o.code) && branch_operations[1].count(o.code)) << o.name;
  std::vector<uint32_t> want;
  for (uint32_t t = 0; t < 40; ++t) {
    uint32_t v = t % 2 == 1 ? 1 : 2;
    v += t >= 36 ? 10 : t >= 8 ? 4110 : 110;
    v += t + 1;
    v += t % 2 == 1 ? 10000 : 30000;
    if ((t & 2) != 0) v += 40000;
    v += 0x200000 + (t < 3 ? 0x400000 : 0);
    want.push_back(t == 39 ? 0 : v);
  }
  Bench bench(p);
  bench.zeros(0, 40);
  bench.expect(0, want);
}

}  // namespace
}  // namespace maskwork::suite
