// Microcode text: what the disassembler prints, the assembler reads back as the same program.
#include "helpers.hpp"

namespace maskwork::test {
namespace {

void round_trip(const Program& p) {
  const std::string text = disassemble(p);
  Diagnostics diagnostics;
  const auto back = assemble_microcode(text, "t.mwu", diagnostics);
  ASSERT_TRUE(back.has_value()) << render(diagnostics, text) << text;
  EXPECT_EQ(back->source_name, p.source_name);
  ASSERT_EQ(back->words.size(), p.words.size()) << text;
  for (size_t i = 0; i < p.words.size(); ++i) ASSERT_EQ(back->words[i], p.words[i]) << i << ": " << disassemble_word(p.words[i], p.full_flow);
  EXPECT_EQ(*back, p) << text;
}

TEST(MicrocodeText, RandomProgramsRoundTrip) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1500 && !::testing::Test::HasFailure(); ++i) round_trip(random_object(random));
}

TEST(MicrocodeText, EveryOperationHasASymbolicForm) {
  std::mt19937_64 random(2);
  std::array<unsigned, 256> seen{};
  for (int i = 0; i < 12000; ++i) {
    const isa::Word w = random_legal_word(random, true);
    ++seen[isa::get(w, isa::field::op)];
    ASSERT_NE(disassemble_word(w, true).substr(0, 5), ".word");
  }
  for (unsigned op = 1; op < 256; ++op)
    if (isa::ops[op].valid) {
      EXPECT_GT(seen[op], 20u) << isa::ops[op].name;
    }
}

TEST(MicrocodeText, EachFieldSurvives) {
  // Every field of a format takes each of its extreme values in some legal word.
  std::mt19937_64 random(3);
  std::map<std::string_view, std::pair<uint32_t, uint32_t>> ranges;
  for (int i = 0; i < 20000; ++i) {
    const isa::Word w = random_legal_word(random, true);
    const auto format = isa::info(w).format;
    for (const auto& field : isa::fields) {
      if (field.overlay || !(format == isa::Format::Alu ? field.alu : format == isa::Format::Mem ? field.mem : field.flow)) continue;
      const uint32_t v = isa::get(w, field.field);
      auto [it, added] = ranges.try_emplace(field.name, v, v);
      it->second.first = std::min(it->second.first, v);
      it->second.second = std::max(it->second.second, v);
    }
  }
  for (const auto& field : isa::fields)
    if (!field.overlay) {
      EXPECT_LT(ranges[field.name].first, ranges[field.name].second) << field.name;
    }
}

TEST(MicrocodeText, HandWritten) {
  const std::string text = R"(!!maskwork-microcode
# a comment
.group 64
.registers 8
.flow full
.const literal 0x3f800000
.const local 3 y      # c1
.const subroutine 7
.slot storage 2 16 64
.slot constant 3 0 rest
.subroutine 7 2 5 0
start:
  MAD.F32.SAT r3, r1, -|r2|, 1.5 cc0.x= if(NE cc1.y) wait(axi) last
  ADD.U32 r1[a0], r2[a0], c1 carry(z)
  CVT.S32.F32.TRUNC.SAT r1, (-2.5)
  MOV.S32 -, -(-5) cc2.w=
  SLT.S32 -, localid_x, groupid_y alu all
  LDB.U32X4 r4, s0[r1 + 16] mask(xz) wait(axi) acquire
  ATOMS.CSWAP.U32 -, [64], r4
  JUMP start func(33) any stay(incr) jump(decr) levels(3) if(GT cc0.xyw) bool(7)
  LOOP start func(00) count(4294967295) al(-512) step(-128)
  RCP.F32 r1, c2 if(NE cc0.y)
  SHFUP.U32 r2, r1, 3, r4
  LDG.U32X2 r4, [r1 + 8]
  ATOMG.ADD.F32 -, [64], r4
  CKA.U32 r3 wait(axi)
  END wait(axi,shared)
.entry start
)";
  Diagnostics diagnostics;
  const auto p = assemble_microcode(text, "t.mwu", diagnostics);
  ASSERT_TRUE(p.has_value()) << render(diagnostics, text);
  namespace f = isa::field;
  const isa::Word& mad = p->words[0];
  EXPECT_EQ(isa::get(mad, f::dst), 3u);
  EXPECT_EQ(isa::get(mad, f::clamp), 1u);
  EXPECT_EQ(isa::get(mad, f::b_neg), 1u);
  EXPECT_EQ(isa::get(mad, f::b_abs), 1u);
  EXPECT_EQ(isa::get(mad, f::imm), 0x3fc00000u);
  EXPECT_EQ(isa::get(mad, f::c_file), 2u);
  EXPECT_EQ(isa::get(mad, f::pred_test), static_cast<uint32_t>(isa::Test::NE));
  EXPECT_EQ(isa::get(mad, f::pred_cc), 1u);
  EXPECT_EQ(isa::get(mad, f::pred_mask), 2u);
  EXPECT_EQ(isa::get(mad, f::sem_wait), 1u);
  EXPECT_EQ(isa::get(mad, f::last), 1u);
  EXPECT_EQ(isa::get(p->words[1], f::imm_const), 1u);
  EXPECT_EQ(isa::get(p->words[1], f::imm), 1u);
  EXPECT_EQ(isa::get(p->words[1], f::chain_carry), 1u);
  EXPECT_EQ(isa::get(p->words[1], f::chain_comp), 2u);
  EXPECT_EQ(isa::get(p->words[2], f::imm), 0xc0200000u);
  EXPECT_EQ(isa::get(p->words[3], f::imm), 0xfffffffbu);
  EXPECT_EQ(isa::get(p->words[3], f::a_neg), 1u);
  EXPECT_EQ(isa::get(p->words[4], f::imm), 0x10001u);
  EXPECT_EQ(isa::get(p->words[5], f::mem_mask), 5u);
  EXPECT_EQ(isa::get(p->words[5], f::imm), 16u);
  EXPECT_EQ(isa::get(p->words[6], f::a_file), 2u);
  EXPECT_EQ(isa::get(p->words[7], f::pred_mask), 11u);
  EXPECT_EQ(isa::get(p->words[7], f::b_pop), 3u);
  EXPECT_EQ(isa::get(p->words[8], f::al_init), 0x200u);
  EXPECT_EQ(isa::get(p->words[8], f::al_step), 0x80u);
  EXPECT_EQ(p->slots[0], (SlotSource{SlotSource::Kind::Storage, 2, 16, 64}));
  EXPECT_EQ(p->slots[1], (SlotSource{SlotSource::Kind::Constant, 3, 0, 0xffffffffu}));
  EXPECT_EQ(p->constants[2].kind, ConstantSource::Kind::Subroutine);
  EXPECT_EQ(p->constants[2].index, 7u);
  EXPECT_EQ(p->subroutines, (std::vector<SubroutineUniform>{{7, {2, 5, 0}}}));
  EXPECT_EQ(isa::get(p->words[10], f::imm), 3u);
  EXPECT_EQ(isa::get(p->words[10], f::c_idx), 4u);
  EXPECT_EQ(isa::get(p->words[11], f::mem_size), 1u);
  EXPECT_EQ(isa::get(p->words[13], f::a_idx), 3u);
  EXPECT_TRUE(p->lines.empty());
  round_trip(*p);
}

struct Bad {
  const char* line;
  uint32_t column;
  const char* rule;
};

TEST(MicrocodeText, SlipsOfThePen) {
  const std::pair<const char*, const char*> cases[] = {
      {"MADD.F32 r3, r1, r2, r0", "did you mean MAD?"},
      {"mov.F32 r1, r2", "did you mean MOV?"},
      {"ATOMSS.U32.ADD r1, [r2], r3", "did you mean ATOMS?"},
      {"MOV.F31 r1, r2", "did you mean .F32?"},
      {"MOV.F32.SATT r1, r2", "did you mean .SAT?"},
      {"CVT.S32.F32.CIEL r1, r2", "did you mean .CEIL?"},
      {"LDS.u32 r1, [r2]", "did you mean .U32?"},
      {"ATOMS.U32.AND_ r1, [r2], r3", "did you mean .AND?"},
      {"FROBNICATE r1", ""},
      {"MOV.XYZZY r1, r2", ""},
      {"LDS.ADD r1, [r2]", ""},  // a load has no such modifier, and none like it
  };
  for (const auto& [line, hint] : cases) {
    const std::string text = std::string(line) + "\nEND wait(axi,shared)\n";
    Diagnostics diagnostics;
    EXPECT_FALSE(assemble_microcode(text, "t.mwu", diagnostics).has_value()) << line;
    ASSERT_EQ(diagnostics.error_count(), 1u) << render(diagnostics, text);
    EXPECT_EQ(diagnostics.items()[0].hint, hint) << render(diagnostics, text);
  }
}

TEST(MicrocodeText, ErrorsHavePlaces) {
  const Bad cases[] = {
      {"MAD.F32 r3, r1, 1.5, 2.5", 22, "syntax"},     // two literals
      {"MADD.F32 r3, r1", 1, "syntax"},               // no such operation
      {"MOV.F32 r1024, r1", 9, "syntax"},             // no such register
      {"MOV.F32 r1 r2", 12, "syntax"},                // comma missing
      {"MOV.F32 r1, r2 frobnicate", 16, "syntax"},    // unknown attribute
      {"MOV.F32 r1, r2 any", 16, "syntax"},           // attribute of another format
      {"MOV.F64 r1, r2", 1, "W03"},                   // type the operation does not have
      {"MOV.S32.SAT r1, r2", 1, "W25"},               // clamp of an integer
      {"ADD.S32 r1, -r2, -r3", 1, "W27"},
      {"JUMP nowhere func(00)", 6, "syntax"},         // no such label
      {"LDS.U32 r1, [r2 + ]", 19, "syntax"},          // offset missing
      {"LDS.U32X3 r1, [r2]", 5, "syntax"},
      {".group 2000", 8, "syntax"},
      {".group 64 64", 8, "syntax"},
      {".const local 256 x", 14, "syntax"},
      {".word 12", 7, "syntax"},
      {".frob", 1, "syntax"},
      {"REP 0 func(00)", 1, "W65"},                   // partial flow mode has no loops
      {"MOV.F32 r1, r2 if(XX cc0.x)", 19, "syntax"},
      {"MOV.F32 r1, r2 if(EQ cc3.x)", 22, "syntax"},
      {"MOV.F32 r1[a0], r2[al]", 20, "syntax"},       // two relative indices
      {"MOV.F32 r1, 1e99", 13, "syntax"},
      {"MOV.U32 r1, 4294967296", 13, "syntax"},
      // What stands twice, or contradicts what stands before it.
      {"MOV.U32 r1, r2 cc0.x= cc1.x=", 23, "syntax"},
      {"MOV.U32 r1, r2 cc0.x= cc0.x=", 23, "syntax"},
      {"MOV.U32 r1, r2 last last", 21, "syntax"},
      {"MOV.U32 r1, r2 wait(axi,axi)", 25, "syntax"},
      {"MOV.U32 r1, r2 wait(axi) wait(shared)", 26, "syntax"},
      {"MOV.U32 r1, r2 if(TR) if(FL)", 23, "syntax"},
      {"MOV.U32 r1, r2 alu alu", 20, "syntax"},
      {"MOV.U32 r1, r2 all all", 20, "syntax"},
      {"ADD.U32 r1, r2, r3 carry(x) carry(y)", 29, "syntax"},
      {"ADD.U32 r1, r2, r3 carry(x) zero(y)", 34, "syntax"},
      {"MOV.U32.F32 r1, r2", 9, "syntax"},
      {"MOV.F32.SAT.SSAT r1, r2", 13, "syntax"},
      {"CVT.U32.F32.TRUNC.TRUNC r1, r2", 19, "syntax"},
      {"LDS.U32 r1, [r2] acquire acquire", 26, "syntax"},
      {"LDS.U32X2 r1, [r2] mask(x) mask(y)", 28, "syntax"},
      {"JUMP 0 pop push", 12, "syntax"},
      {"JUMP 0 push push", 13, "syntax"},
      {"JUMP 0 func(00) func(ff)", 17, "syntax"},
      {"JUMP 0 any any", 12, "syntax"},
      {"JUMP 0 stay(incr) stay(decr)", 19, "syntax"},
      {"JUMP 0 jump(incr) jump(decr)", 19, "syntax"},
      {"JUMP 0 levels(1) levels(2)", 18, "syntax"},
      {"JUMP 0 bool(1) bool(2)", 16, "syntax"},
      {"REP 0 count(1) count(2)", 16, "syntax"},
      {"LOOP 0 al(1) al(2)", 14, "syntax"},
      {"LOOP 0 step(1) step(2)", 16, "syntax"},
  };
  for (const Bad& bad : cases) {
    const std::string text = std::string(bad.line) + "\nEND wait(axi,shared)\n";
    Diagnostics diagnostics;
    EXPECT_FALSE(assemble_microcode(text, "t.mwu", diagnostics).has_value()) << bad.line;
    ASSERT_EQ(diagnostics.error_count(), 1u) << render(diagnostics, text);
    EXPECT_EQ(diagnostics.items()[0].line, 1u) << bad.line;
    EXPECT_EQ(diagnostics.items()[0].column, bad.column) << render(diagnostics, text);
    EXPECT_EQ(diagnostics.items()[0].rule, bad.rule) << render(diagnostics, text);
  }
}

TEST(MicrocodeText, DirectivesThatStandTwice) {
  for (const char* directive : {".source \"a\"", ".group 32", ".registers 4", ".shared 4", ".flow full", ".bools 1", ".entry 0", ".lines", ".subroutine 3 1"}) {
    const std::string text = std::string(directive) + "\n" + directive + "\nEND wait(axi,shared)\n";
    Diagnostics diagnostics;
    EXPECT_FALSE(assemble_microcode(text, "t.mwu", diagnostics).has_value()) << directive;
    ASSERT_EQ(diagnostics.error_count(), 1u) << directive;
    EXPECT_EQ(diagnostics.items()[0].line, 2u) << directive;
  }
}

TEST(MicrocodeText, SeveralErrorsInOneRun) {
  Diagnostics diagnostics;
  EXPECT_FALSE(assemble_microcode("FOO\nMOV.F32 r1\nEND\nJUMP x\n", "t.mwu", diagnostics).has_value());
  EXPECT_EQ(diagnostics.error_count(), 3u);
}

TEST(MicrocodeText, AnyTextEnds) {
  // Damaged text gives diagnostics or a program, never a crash.
  std::mt19937_64 random(5);
  for (int i = 0; i < 1500; ++i) {
    std::string text = disassemble(random_object(random));
    for (int k = 0; k < 4; ++k) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text.erase(at, 1 + random() % 5); break;
        case 1: text[at] = static_cast<char>(random()); break;
        default: text.insert(at, 1, "()[]|-.,:#@\"\n 0x"[random() % 16]); break;
      }
      if (text.empty()) break;
    }
    Diagnostics diagnostics;
    const auto p = assemble_microcode(text, "t.mwu", diagnostics);
    EXPECT_NE(p.has_value(), diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace maskwork::test
