// Every rule of isa/rules.toml has words that break it alone, and every fault code is reached: on the model and in lockstep, with the same end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "bench.hpp"
#include "maskwork/asm/assembler.hpp"
#include "words.hpp"

namespace maskwork::suite {
namespace {

namespace f = isa::field;
using isa::Op;

uint32_t code(auto v) { return static_cast<uint32_t>(v); }

std::vector<isa::Config> configs() {
  std::vector<isa::Config> all;
  for (const auto& c : rtl_configs())
    if (nightly() || c.name == "tiny" || c.name == "base") all.push_back(c);
  return all;
}

std::vector<std::string> rules_of_the_table() {
  std::ifstream file(MASKWORK_RULES);
  std::vector<std::string> names;
  const std::regex rule("^\\s*\\[\"(W\\d+)\"");
  std::smatch found;
  for (std::string line; std::getline(file, line);)
    if (std::regex_search(line, found, rule)) names.push_back(found[1]);
  return names;
}

/// Legal words of every operation and type, in the forms from which one field leads to a bad one.
std::vector<isa::Word> legal_words() {
  std::vector<isa::Word> all;
  const auto keep = [&all](isa::Word w, std::initializer_list<FieldValue> fields) {
    for (const auto& [field, value] : fields) isa::set(w, field, value);
    if (!isa::bad_word(w, true)) all.push_back(w);
  };
  for (uint32_t n = 0; n < 256; ++n) {
    const isa::OpInfo& info = isa::ops[n];
    if (!info.valid) continue;
    const uint32_t types = info.format == isa::Format::Flow ? 1 : info.types;
    for (uint32_t t = 0; t < 16; ++t) {
      if ((types >> t & 1) == 0) continue;
      isa::Word w = word(static_cast<Op>(n));
      if (info.format == isa::Format::Flow) {
        keep(w, {});
        keep(w, {{f::pred_test, 2}, {f::pred_mask, 3}});
        keep(w, {{f::endless, 1}});
        keep(w, {{f::a_op, code(isa::Aop::PUSHR)}});
        continue;
      }
      isa::set(w, f::type, t);
      if (info.format == isa::Format::Alu) {
        isa::set(w, f::cc_dst, 3);
        isa::set(w, f::dst_en, !info.nodst);
        const uint32_t literal = code(isa::File::IMM);
        for (const bool used : {true, false}) {  // also without a destination
          if (!used) isa::set(w, f::dst_en, 0);
          keep(w, {});
          keep(w, {{f::pred_test, 2}, {f::pred_mask, 1}});
          keep(w, {{f::a_neg, 1}});
          keep(w, {{f::a_file, literal}});
          keep(w, {{f::b_file, literal}, {f::imm_const, 1}});
          keep(w, {{f::c_file, literal}, {f::imm_const, 1}});
          keep(w, {{f::a_file, code(isa::File::SPECIAL)}});
          keep(w, {{f::b_file, code(isa::File::SPECIAL)}});
          keep(w, {{f::c_file, code(isa::File::SPECIAL)}});
        }
      } else {
        const bool access = info.kind == isa::Kind::Load || info.kind == isa::Kind::Store || info.kind == isa::Kind::Atomic;
        if (access) isa::set(w, f::mem_mask, 1);
        isa::set(w, f::dst_en, info.kind == isa::Kind::Load);
        keep(w, {});
        keep(w, {{f::a_file, code(isa::File::IMM)}});
        keep(w, {{f::mem_size, 1}});
        keep(w, {{f::sem_wait, 3}});
        keep(w, {{f::dst_en, 1}});
        for (uint32_t op = 0; op < 10; ++op) keep(w, {{f::atom_op, op}});
      }
    }
  }
  return all;
}

struct Bad {
  isa::Word word;
  bool full;
};

/// Words that break the rule, each one field away from a legal one; of different operations.
std::vector<Bad> words_against(const std::string& rule, const std::vector<isa::Word>& legal, size_t most) {
  std::vector<Bad> found;
  std::set<uint32_t> operations;
  const auto consider = [&](const isa::Word& from, const isa::Word& w, bool full) {
    if (isa::bad_word(w, full).rule != rule || isa::bad_word(from, full)) return;
    // One of each operation, as far as there are several.
    if (!operations.insert(isa::get(from, f::op)).second) return;
    found.push_back({w, full});
  };
  for (const isa::Word& from : legal) {
    for (const bool full : {true, false})
      for (const isa::FieldInfo& info : isa::fields)
        for (const uint32_t value : {0u, 1u, 2u, 3u, 4u, 5u, 10u, 18u, 63u, 64u, 255u, 1024u, 0x1000du, 0xffffffffu}) {
          isa::Word w = from;
          isa::set(w, info.field, value);
          consider(from, w, full);
        }
    for (uint32_t bit = 0; bit < 128; ++bit) {
      isa::Word w = from;
      (bit < 64 ? w.lo : w.hi) ^= uint64_t{1} << bit % 64;
      consider(from, w, true);
    }
    if (found.size() >= most) break;
  }
  // A rule for one flow mode only: the same word is legal in the other one.
  if (found.empty())
    for (const isa::Word& w : legal)
      if (isa::bad_word(w, false).rule == rule && found.size() < most) found.push_back({w, false});
  return found;
}

TEST(IsaRules, EachHasWordsThatBreakItAlone) {
  const auto legal = legal_words();
  const auto rules = rules_of_the_table();
  ASSERT_GT(rules.size(), 40u);
  size_t words = 0;
  std::vector<std::pair<std::string, Bad>> all;
  for (const std::string& rule : rules) {
    const auto found = words_against(rule, legal, nightly() ? 16 : 3);
    EXPECT_FALSE(found.empty()) << rule << ": no legal word is one field away from breaking it";
    for (const Bad& bad : found) all.push_back({rule, bad});
    words += found.size();
  }
  for (const auto& config : configs()) {
    const auto model = make_model(config), rtl = verif::make_rtl(config);
    for (Device* device : {model.get(), rtl.get()})
      for (const auto& [rule, bad] : all) {
        SCOPED_TRACE(fmt::format("{}, {}: {}", config.name, rule, disassemble_word(bad.word, bad.full)));
        Program p = microcode(".group 40 1 1\n    MOV.U32 r0, 1\n    NOP\n    END wait(axi,shared)\n");
        p.full_flow = bad.full;
        p.words[1] = bad.word;
        device->load(p);
        const DispatchResult r = device->dispatch(1, 1, 1);
        EXPECT_EQ(r.mismatch, "");
        EXPECT_EQ(r.fault.code, isa::Fault::BAD_WORD);
        EXPECT_EQ(r.fault.pc, 1u);
        EXPECT_TRUE(r.fault.lanes == 0xffffffffu || r.fault.lanes == 0xffu) << r.fault.lanes;  // all of a wave, whichever came first
        if (HasFailure()) return;
      }
  }
  fmt::print("{} rules, {} words\n", rules.size(), words);
}

TEST(FaultCodes, EachIsReachedOnBothEngines) {
  const std::string end = "    END wait(axi,shared)\n", full = ".flow full\n";
  struct Case {
    std::string text;
    uint32_t pc;
    bool model = true, lockstep = true;
  };
  // DEADLOCK needs a memory that does not answer: the model by itself has none.
  std::map<isa::Fault, Case> cases;
  cases[isa::Fault::NONE] = {end, 0};
  cases[isa::Fault::BAD_WORD] = {"    .word 0x0\n" + end, 0};
  cases[isa::Fault::STACK_OVERFLOW] = {full + "    JUMP 0 func(ff) any push\n" + end, 0};
  cases[isa::Fault::STACK_UNDERFLOW] = {full + "    JUMP 1 func(ff) pop\n" + end, 0};
  cases[isa::Fault::STACK_MISMATCH] = {full + "    REP 3 func(00) count(2)\n    ENDLOOP 1 func(ff) any\n" + end, 1};
  cases[isa::Fault::DIVERGENT_BAR] = {"    SLT.U32 -, threadid, 16 cc0.x=\n    JUMP 3 func(33) stay(incr) jump(incr) if(NE cc0.x)\n    BAR\n    JUMP 4 func(00) any stay(decr) levels(1)\n" + end, 2};
  cases[isa::Fault::MISALIGNED] = {".shared 16\n    MOV.U32 r1, 2\n    STS.U32 [r1], r0\n" + end, 1};
  cases[isa::Fault::SEMAPHORE] = {"    END\n", 0};
  cases[isa::Fault::SEM_USE] = {".slot storage 0 0 rest\n    LDB.U32 r2, s0[0] wait(axi) acquire\n    ADD.U32 r3, r2, 1\n" + end, 1};
  cases[isa::Fault::STALE_ALU] = {"    JUMP 1 func(f0)\n" + end, 0};
  cases[isa::Fault::END_DEPTH] = {"    JUMP 1 func(00) any stay(incr)\n" + end, 1};
  cases[isa::Fault::PC_RANGE] = {"    NOP\n", 1};
  cases[isa::Fault::WORD_BUDGET] = {full + "    REP 3 func(00) endless\n    NOP\n    ENDREP 1 func(ff) any\n" + end, 1};
  cases[isa::Fault::DEADLOCK] = {".slot storage 0 0 rest\n    LDB.U32 r3, s0[0] wait(axi) acquire\n    MOV.U32 r3, r3 wait(axi)\n" + end, 0, false, true};
  cases[isa::Fault::BUS_ERROR] = {"    LDG.U32 r0, [0x7ffffff0] wait(axi) acquire\n    NOP wait(axi)\n" + end, 0};
  cases[isa::Fault::ADDRESS] = {"    MOV.U32 r1, threadid\n    CKA.U32 r1\n" + end, 1};
  for (const isa::FaultName& name : isa::fault_names) {
    const auto fault = static_cast<isa::Fault>(name.code);
    SCOPED_TRACE(name.name);
    ASSERT_TRUE(cases.count(fault)) << "a fault code without a program";
    const Case& c = cases[fault];
    Bench bench(microcode(c.text));
    bench.zeros(0, 16);
    if (fault == isa::Fault::WORD_BUDGET) bench.options.word_budget = 100 - 1;
    if (fault == isa::Fault::DEADLOCK) {
      bench.options.watchdog = 2000;
      bench.rtl.silent = {{Memory::first_address, Memory::first_address + 255}};
    }
    for (const auto& config : configs())
      for (const bool lockstep : {false, true}) {
        if (!(lockstep ? c.lockstep : c.model)) continue;
        const Outcome o = lockstep ? bench.on_rtl(config, 1, {}) : bench.on_model(config);
        EXPECT_EQ(o.result.mismatch, "") << o.where;
        EXPECT_EQ(o.result.fault.code, fault) << o.where;
        if (fault == isa::Fault::DEADLOCK) continue;  // of the whole unit
        EXPECT_EQ(o.result.fault.pc, c.pc) << o.where;
      }
  }
}

}  // namespace
}  // namespace maskwork::suite
