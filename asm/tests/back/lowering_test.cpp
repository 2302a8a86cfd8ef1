// What language instructions become: words, registers, flow mode.
#include <chrono>

#include "helpers.hpp"
#include "random_program.hpp"

namespace maskwork::test {
namespace {

namespace f = isa::field;

/// Words of one instruction between loads and stores that keep its operands and result alive.
std::string words_of(const std::string& instruction, const std::string& result = "R0") {
  const Program p = assemble_body("LDB.U32X4 R1, buf[0];\nLDB.U32X4 R2, buf[16];\nLDB.U32X4 R3, buf[32];\nLDB.U32X4 R0, buf[48];\nADD.S.CC0 R5, R1, R2;\n" + instruction +
                                  ";\nSTB.U32X4 " + result + ", buf[64];\nMOV.U R4, 0;\nMOV.U R4 (GT0), 1;\nMOV.U R4 (LT1), 2;\nSTB.U32X4 R4, buf[80];\nSTB.U32X4 R1, buf[96];\nSTB.U32X4 R2, buf[112];\nSTB.U32X4 R3, buf[128];");
  // The instruction is on line 17 of the text.
  std::string out;
  for (size_t i = 0; i < p.words.size(); ++i)
    if (p.lines[i].line == 17) out += (out.empty() ? "" : " ") + std::string(isa::info(p.words[i]).name);
  return out;
}

struct Case {
  const char* instruction;
  const char* words;
};

TEST(Expansions, OneWordPerWrittenComponent) {
  const Case cases[] = {
      {"MOV.F R0, R1", "MOV MOV MOV MOV"},
      {"MOV.F R0.xz, R1", "MOV MOV"},
      {"ADD.S.CC R0.w, R1, R2", "ADD"},
      {"SUB.F R0.x, R1, R2", "ADD"},
      {"MAD.F R0.x, R1, R2, R3", "MAD"},
      {"MUL.HI.U R0.x, R1, R2", "MULHI"},
      {"MUL.S24 R0.x, R1, R2", "MUL"},
      {"ABS.S R0.x, R1", "MOV"},
      {"CMP.F R0.xy, R1, R2, R3", "CMP CMP"},
      {"DP3.F R0.x, R1, R2", "MUL MAD MAD"},
      {"DP4.F R0.x, R1, R2", "MUL MAD MAD MAD"},
      {"DP4.F R0, R1, R2", "MUL MAD MAD MAD MAD MAD MAD"},
      {"FLR.F R0.x, R1", "RNDI"},
      {"FLR.S R0.x, R1", "CVT"},
      {"TRUNC.U R0.x, R1", "CVT"},
      {"I2F.U R0.x, R1", "CVT"},
      {"CVT.F32.S32 R0.x, R1", "CVT"},
      {"NOT.U R0.x, R1", "NOT"},
      {"SHL.U R0.x, R1, R2.y", "SHL"},
      {"SEQ.F R0.x, R1, R2", "SEQ"},
      // Hazards: ordered, or one temporary per cycle.
      {"MOV.F R0.xy, R0.zxzw", "MOV MOV"},
      {"MOV.F R0.xy, R0.yxzw", "MOV MOV MOV"},
      {"MOV.F R0, R0.yzwx", "MOV MOV MOV MOV MOV"},
      {"MOV.F R0, R0.yxwz", "MOV MOV MOV MOV MOV MOV"},
      // Conditions: the old code is tested; a cycle goes through CC2.
      {"ADD.S.CC R0.xy, R1, R2 ", "ADD ADD"},
      {"ADD.S.CC R0.xy (GT.yyyy), R1, R2", "ADD ADD"},
      {"ADD.S.CC R0.xy (GT.yxzw), R1, R2", "MOV MOV ADD ADD"},
      // One literal or constant per word.
      {"MAD.F R0.x, R1, 2.0, 3.0", "MOV MAD"},
      {"MAD.F R0.x, R1, 2.0, 2.0", "MAD"},
      {"ADD.F R0.x, l, e", "MOV ADD"},
      {"ADD.F R0.x, l.x, l.x", "ADD"},
      {"ADD.U R0.x, invocation.groupid, invocation.localid", "ADD"},
      // Both operands negated: the flags are those of the addition of the negated values.
      {"ADD.S R0.x, -R1, -R2", "MOV ADD"},
      {"ADD.S.CC1 R0.x, -R1, -R2", "MOV MOV ADD"},
      {"SUB.S.CC1 R0.x, R1, -R2", "ADD"},
      {"SUB.F R0.x, -R1, R2", "ADD"},
      // Nothing passes FL.
      {"MOV.F R0 (FL), R1", ""},
      // Attributes.
      {"MOV.U R0.xy, invocation.globalid", "ADD ADD"},
      {"MOV.U R0.xy, invocation.localid", "MOV MOV"},
      // Memory.
      {"LDS.U32X4 R0, sm[R1.x]", "LDS"},
      {"LDS.U32 R0, sm[R1.x]", "LDS MOV MOV MOV"},
      {"LDS.U32X2 R0.yz, sm[R1.x]", "LDS MOV"},
      {"LDS.U32.CC1 R0.x, sm[R1.x]", "LDS MOV"},
      {"LDS.U32X4 R0 (GT.x), sm[R1.x]", "LDS"},
      {"LDS.U32X4 R0.xy (GT), sm[R1.x]", "LDS MOV MOV"},
      {"LDS.U32X4 R1, sm[R1.x]", "MOV LDS"},
      {"STS.U32X2 R1.yxzw, sm[0]", "MOV MOV STS"},
      {"STS.U32X2 R1.yzzw, sm[0]", "STS"},
      {"STS.U32X4 R1, sm[0]", "STS"},
      {"STS.F32 -R1, sm[0]", "MOV STS"},
      {"STS.F32 2.0, sm[0]", "MOV STS"},
      {"ATOMS.ADD.U32 R0.x, R1, sm[0]", "ATOMS"},
      {"ATOMS.ADD.U32 R0.x (FL), R1, sm[0]", "ATOMS"},
      {"ATOMS.ADD.U32 R0.xy, R1, sm[0]", "ATOMS MOV"},
      {"ATOMS.CSWAP.U32 R0.x, R1, sm[0]", "ATOMS"},
      {"ATOMS.CSWAP.U32 R0.x, R1.wxxx, sm[0]", "MOV MOV ATOMS"},
  };
  for (const Case& c : cases) {
    std::string result = "R0";
    if (std::string(c.instruction).find("R1, sm[R1.x]") != std::string::npos) result = "R1";
    EXPECT_EQ(words_of(c.instruction, result), c.words) << c.instruction;
  }
}

TEST(Registers, CopiesThatEndTheirSourceCostNothing) {
  EXPECT_EQ(operations(assemble_body("LDB.U32X4 R0, buf[0];\nMOV.U R1, R0;\nSTB.U32X4 R1, buf[16];")), "LDB STB END");
  EXPECT_EQ(operations(assemble_body("MOV.U R0.xy, invocation.globalid;\nADD.U R1.x, R0.x, R0.y;\nSTB.U32 R1, buf[16];")), "ADD ADD ADD STB END");
}

TEST(Expansions, CostOfLongOnes) {
  const Case cases[] = {
      {"RCP.F R0.x, R1.y", "RCP"},
      {"RCP.F R0, R1.y", "RCP MOV MOV MOV"},
      {"RCP.F R0.x (GT), R1.y", "RCP"},
      {"RCP.F.SAT R0.x, R1.y", "RCP MOV"},
      {"RCP.F.CC R0.x, -R1.y", "MOV RCP MOV"},
      {"RCP.F R0.x, -2.0", "RCP"},
      {"DIV.S R0.xy, R1, R2.x", "DIV DIV"},
      {"POW.F R0.x, R1.x, R2.x", "LG2 MUL EX2"},
      {"SCS.F R0.xy, R1.x", "COS SIN"},
      {"SCS.F R0, R1.x", "COS SIN"},
      {"DP2.F R0.x, R1, R2", "MUL MAD"},
      {"DPH.F R0.x, R1, R2", "MUL MAD MAD ADD"},
      {"LRP.F R0.x, R1, R2, R3", "ADD MUL MAD"},
      {"NRM.F R0.xyz, R1", "MUL MAD MAD RSQ MUL MUL MUL"},
      {"XPD.F R0.xyz, R1, R2", "MUL MUL MUL MAD MAD MAD"},
      {"LIT.F R0.xyw, R1", "MOV MAX MOV"},  // the power only where z is written
      {"SSG.F R0.x, R1", "SGT CMP"},
      {"SWZ.F R0, R1, w, 0, -x, 1", "MOV MOV MOV MOV"},
      {"BFE.U R0.x, {8, 24}, R1", "SHR"},
      {"BFE.U R0.x, {8, 0}, R1", "AND"},
      {"BFE.U R0.x, {8, 4}, R1", "SHR AND"},
      {"BFE.S R0.x, {8, 4}, R1", "SHL SHR"},
      {"BFE.S R0.x, {0, 4}, R1", "MOV"},
      {"BFE.U R0.x, R1, R2", "SHL NOT SHR AND"},
      {"BFI.U R0.x, {8, 4}, R1, R2", "AND AND MAD"},
      {"BFI.U R0.x, {8, 24}, R1, R2", "AND MAD"},
      {"SAD.U R0.x, R1, R2, R3", "ADD MOV ADD"},
      {"BTFM.S R0.x, R1", "BTFM"},
      {"PK2H.F R0.x, R1", "PKH"},
      {"UP2H.F R0, R1.x", "UPHL MOV UPHH MOV"},
      {"UP4UB.F R0.x, R1.x", "AND CVT MUL MAD"},
      {"PK2US.F R0.x, R1", "MOV MOV MOV MAD MAD MAD ADD"},
      {"MAD.F R0, R1, 2.0, 3.0", "MOV MAD MAD MAD MAD"},  // one temporary for the second literal
  };
  for (const Case& c : cases) EXPECT_EQ(words_of(c.instruction), c.words) << c.instruction;
}

/// Words of a 64-bit instruction between the packing of its operands and the unpacking of its result.
std::string long_words_of(const std::string& instruction) {
  const Program p = assemble_body("LONG TEMP D, E, X;\nLDB.U32X4 R1, buf[0];\nLDB.U32X4 R2, buf[16];\nLDB.U32X4 R0, buf[32];\nLDB.U32X4 R3, buf[48];\nPK64.U D, R1;\nPK64.U E, R2;\nPK64.U X, R0;\n" +
                                  instruction + ";\nUP64.U R0, X;\nSTB.U32X4 R0, buf[64];\nMOV.U R4, 0;\nMOV.U R4 (GT0), 1;\nSTB.U32X4 R4, buf[80];\nUP64.U R1, D;\nUP64.U R2, E;\nSTB.U32X4 R3, buf[128];\n"
                                  "STB.U32X4 R1, buf[96];\nSTB.U32X4 R2, buf[112];");
  std::string out;
  for (size_t i = 0; i < p.words.size(); ++i)
    if (p.lines[i].line == 20) out += (out.empty() ? "" : " ") + std::string(isa::info(p.words[i]).name);
  return out;
}

TEST(Expansions, CostOf64Bits) {
  const Case cases[] = {
      {"ADD.U64 X.x, D, E", "ADD ADD"},
      {"ADD.U64 X.x (GT), D, E", "ADD ADD"},
      {"ADD.S64.CC X.x, D, -E", "ADD ADD"},
      {"ADD.U64 X.x, X, 4", "ADD ADD"},
      {"AND.U64 X.x, D, 0xffffffff00000000", "AND AND"},
      {"MOV.U64 X.x, D", "MOV MOV"},
      {"SHL.U64 X.x, D, 3", "SHR SHL MAD"},
      {"SHL.U64 X.x, D, 35", "MOV SHL"},
      {"SHR.S64 X.x, D, 40", "SHR SHR"},
      {"SHL.U64 X.x, D, R0.x", "ADD SHL SHR OR SHL SHL"},
      {"MUL.U64 X.x, D, E", "MULHI MAD MUL MAD"},
      {"CMP.S64 X.x, D, E, X", "CMP CMP"},
      {"SEQ.U64 R3.x, D, E", "SEQ SEQ AND"},
      {"SGE.U64 R3.x, D, E", "ADD ADD MOV MOV"},
      {"SLT.U64 R3.x, D, E", "ADD ADD ADD"},
      {"CVT.U64.U32 X.x, R1.y", "MOV"},
      {"CVT.S64.F32 X.x, R0", "RNDI MUL CVT CVT"},
  };
  for (const Case& c : cases) EXPECT_EQ(long_words_of(c.instruction), c.words) << c.instruction;
}

TEST(Expansions, RelativeOperandsShareA0) {
  EXPECT_EQ(operations(assemble_body("LDB.U32 I.xy, buf[0];\nMOV.U A[0], 0;\nMOV.U A[1], 1;\nMOV.U A[I.x].x, 3;\nMOV.U A[I.x + 1].x, A[I.x].x;\nSTB.U32 A[I.x], buf[4];")),
            "LDB MOV MOV MOVA MOV MOV MOV STB END");
  // A write of the index makes A0 stale.
  EXPECT_EQ(operations(assemble_body("LDB.U32 I.x, buf[0];\nMOV.U A[I.x].x, 3;\nADD.U I.x, I.x, 1;\nMOV.U A[I.x].x, 4;\nSTB.U32 A[1], buf[4];")),
            "LDB MOVA MOV ADD MOVA MOV MOV STB END");
}

TEST(Expansions, RunTimeIndexOfParamIsALoad) {
  const Program p = assemble_body("LDB.U32 I.x, buf[0];\nMOV.F R0.xz, table[I.x + 1];\nSTB.U32X4 R0, buf[16];");
  ASSERT_EQ(p.slots.size(), 2u);
  EXPECT_EQ(p.slots[1], (SlotSource{SlotSource::Kind::ParamTable, 0, 0, 64}));
  ASSERT_EQ(p.param_table.size(), 16u);
  EXPECT_EQ(p.param_table[9], (ConstantSource{ConstantSource::Kind::Local, 0, 2, 1}));
  EXPECT_EQ(p.param_table[13], (ConstantSource{ConstantSource::Kind::Literal, 0x40000000u, 0, 0}));
  bool found = false;
  for (const isa::Word& w : p.words)
    if (op_of(w) == isa::Op::LDB && isa::get(w, f::slot) == 1) {
      found = true;
      EXPECT_EQ(isa::get(w, f::mem_mask), 5u);
      EXPECT_EQ(isa::get(w, f::imm), 16u);
    }
  EXPECT_TRUE(found);
}

TEST(Expansions, SlotsAreRanges) {
  const Program p = assemble_body("LDB.U32 R0.x, part[R1.x + 8];\nSTB.U32 R0, part[4];\nSTB.U32 R0, buf[4];\nSTB.U32 R0, part[0];");
  ASSERT_EQ(p.slots.size(), 2u);
  EXPECT_EQ(p.slots[0], (SlotSource{SlotSource::Kind::Storage, 1, 64, 64}));
  EXPECT_EQ(p.slots[1], (SlotSource{SlotSource::Kind::Storage, 0, 0, 0xffffffffu}));
}

TEST(DeadCode, UnreadComponentsCostNothing) {
  // Only x reaches memory; the rest of the chain is gone.
  EXPECT_EQ(operations(assemble_body("LDB.U32X4 R0, buf[0];\nADD.F R1, R0, R0;\nMUL.F R2, R1, R1;\nSTB.F32 R2, buf[16];")), "LDB ADD MUL STB END");
  const Program p = assemble_body("LDB.U32X4 R0, buf[0];\nSTB.F32 R0.z, buf[16];");
  EXPECT_EQ(isa::get(p.words[0], f::mem_mask), 4u);
  EXPECT_EQ(p.registers, 3u);
}

TEST(DeadCode, WhatMayBeNeededStays) {
  // A write under a mask, in one branch or in a loop does not make the earlier one dead.
  EXPECT_EQ(operations(assemble_body("LDB.U32.CC R0.x, buf[0];\nMOV.U R1.x, 1;\nMOV.U R1.x (GT.x), 2;\nSTB.U32 R1, buf[4];")), "LDB MOV MOV MOV STB END");
  EXPECT_EQ(operations(assemble_body("LDB.U32.CC R0.x, buf[0];\nMOV.U R1.x, 1;\nIF GT.x;\nMOV.U R1.x, 2;\nENDIF;\nSTB.U32 R1, buf[4];")),
            "LDB MOV MOV JUMP MOV JUMP STB END");
  // Unread condition codes go, read ones stay; atomics and stores always stay.
  EXPECT_EQ(operations(assemble_body("MOV.U.CC R0.x, invocation.localindex;\nMOV.U.CC1 R0.y, R0.x;\nATOMS.ADD.U32 R1.x, R0, sm[0];")), "MOV ATOMS END");
}

TEST(Registers, HundredTemporariesFewAlive) {
  std::string body = "TEMP T0";
  for (int i = 1; i < 100; ++i) body += ", T" + std::to_string(i);
  body += ";\nMOV.U T0, invocation.localindex;\n";
  for (int i = 1; i < 100; ++i) body += "MAD.U T" + std::to_string(i) + ", T" + std::to_string(i - 1) + ", 3, T" + std::to_string(i - 1) + ".wzyx;\n";
  body += "STB.U32X4 T99, buf[0];";
  const Program p = assemble_body(body);
  EXPECT_LE(p.registers, 16u);
  EXPECT_GE(p.words.size(), 396u);
}

TEST(Registers, ScalarTemporariesAreOneRegisterEach) {
  const Program p = assemble_body("LDB.U32 R0.x, buf[0];\nLDB.U32 R1.w, buf[0];\nADD.U R2.z, R0.x, 1;\nMOV.U R3.y, 2;\nSTB.U32 R2.z, buf[4];\nSTB.U32 R3.y, buf[8];");
  EXPECT_LE(p.registers, 2u);
}

TEST(Registers, LoadsOfSeveralComponentsKeepTheirAddress) {
  // Results of the first component may arrive before the address is read for the next one.
  unsigned seen = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed)
    for (const isa::Word& w : assemble_text(random_program(seed)).words) {
      if (isa::info(w).kind != isa::Kind::Load || isa::get(w, f::a_file) != 0) continue;
      const uint32_t mask = isa::get(w, f::mem_mask), address = isa::get(w, f::a_idx), first = isa::get(w, f::dst);
      if ((mask & (mask - 1)) == 0) continue;
      ++seen;
      EXPECT_FALSE(address >= first && address < first + 4 && ((mask >> (address - first)) & 1)) << disassemble_word(w, true);
    }
  EXPECT_GT(seen, 30u);
}

TEST(Registers, TooManyAreRefusedWithTheLimit) {
  std::string body = "TEMP T[300];\nLDB.U32 I.x, buf[0];\n";
  body += "MOV.U T[I.x], 1;\nMOV.U R0, T[I.x + 1];\nSTB.U32X4 R0, buf[16];";
  Diagnostics diagnostics;
  EXPECT_FALSE(assemble(with_header(body), "t.nvcp", {}, diagnostics).has_value());
  ASSERT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(diagnostics.items()[0].rule, "L99");
  EXPECT_NE(diagnostics.items()[0].message.find("1024"), std::string::npos);
}

std::string nested(int depth) {
  std::string body = "LDB.S32.CC R0.x, buf[0];\n";
  for (int i = 0; i < depth; ++i) body += "IF GT.x;\nADD.S.CC R0.x, R0.x, -1;\n";
  for (int i = 0; i < depth; ++i) body += "ENDIF;\nADD.S R1.x, R0.x, 1;\n";
  return body + "STB.U32 R1, buf[4];";
}

TEST(FlowMode, SixIfsArePartialSevenFull) {
  EXPECT_FALSE(assemble_body(nested(6)).full_flow);
  EXPECT_TRUE(assemble_body(nested(7)).full_flow);
}

TEST(FlowMode, LoopsAndCallsAreFull) {
  EXPECT_TRUE(assemble_body("REP 3;\nSTB.U32 R0, buf[4];\nENDREP;").full_flow);
  EXPECT_TRUE(assemble_body("CAL f;\nRET;\nf:\nSTB.U32 R0, buf[4];").full_flow);
  EXPECT_FALSE(assemble_body("RET (GT.x);\nSTB.U32 R0, buf[4];\nRET;\nf:\nCAL f;").full_flow) << "a routine that nobody calls";
}

TEST(Flow, EndifsThatFollowEachOtherAreOneWord) {
  const Program p = assemble_body("LDB.S32.CC R0.xyz, buf[0];\nIF GT.x;\nSTB.U32 R0, buf[4];\nIF GT.y;\nSTB.U32 R0, buf[8];\nELSE;\nIF GT.z;\nSTB.U32 R0, buf[12];\nENDIF;\nENDIF;\nENDIF;\nSTB.U32 R0, buf[16];");
  unsigned endifs = 0;
  for (const isa::Word& w : p.words)
    if (op_of(w) == isa::Op::JUMP && isa::get(w, f::jump_any)) {
      ++endifs;
      EXPECT_EQ(isa::get(w, f::b_pop), 3u);
    }
  EXPECT_EQ(endifs, 1u);
}

TEST(Flow, ElseIfIsOneWordWhereNothingStandsBetween) {
  const auto fused = [](const std::string& body) {
    const Program p = assemble_body(body);
    unsigned count = 0;
    for (const isa::Word& w : p.words)
      if (op_of(w) == isa::Op::JUMP && isa::get(w, f::b_else) && isa::get(w, f::jump_func) == 0x33) {
        ++count;
        EXPECT_EQ(isa::get(w, f::b_op0), 2u);
        EXPECT_EQ(isa::get(w, f::b_op1), 1u);
      }
    return count;
  };
  const std::string head = "LDB.S32X4.CC R0, buf[0];\n", store = "STB.U32 R0, buf[4];\n";
  EXPECT_EQ(fused(head + "IF GT.x;\n" + store + "ELSE;\nIF GT.y;\n" + store + "ENDIF;\nENDIF;"), 1u);
  EXPECT_EQ(fused(head + "IF GT.x;\n" + store + "ELSE;\nIF GT.y;\n" + store + "ELSE;\nIF GT.z;\n" + store + "ENDIF;\nENDIF;\nENDIF;"), 1u);
  EXPECT_EQ(fused(head + "IF GT.x;\n" + store + "ELSE;\n" + store + "IF GT.y;\n" + store + "ENDIF;\nENDIF;"), 0u);
  EXPECT_EQ(fused(head + "IF GT.x;\n" + store + "ELSE;\nIF GT.y;\n" + store + "ENDIF;\n" + store + "ENDIF;"), 0u);
}

TEST(Flow, UnusedRoutinesAreDropped) {
  EXPECT_EQ(operations(assemble_body("CAL f;\nRET;\nf:\nSTB.U32 R0, buf[4];\nRET;\ng:\nCAL h;\nRET;\nh:\nBAR;")), "JUMP FENCE_AXI END STB JUMP");
}

TEST(Flow, ConstantCountsNeedNoCounter) {
  const auto count = [](const std::string& operand) -> int64_t {
    const Program p = assemble_body("REP" + operand + ";\nSTB.U32 R0, buf[4];\nENDREP;");
    for (const isa::Word& w : p.words)
      if (op_of(w) == isa::Op::REP) return isa::get(w, f::endless) ? int64_t{-1} : int64_t{isa::get(w, f::imm)};
    return -2;
  };
  EXPECT_EQ(count(".S 5"), 5);
  EXPECT_EQ(count(".S -5"), 0);
  EXPECT_EQ(count(".U 4294967295"), 4294967295);
  EXPECT_EQ(count(".F 2.9"), 2);
  EXPECT_EQ(count(".F 0.5"), 0);
  EXPECT_EQ(count(".F -3.0"), 0);
  EXPECT_EQ(count(".F 1e20"), 0x7fffffff);
  EXPECT_EQ(count(" l"), -1);
}

TEST(Flow, LinesNameTheSource) {
  const Program p = assemble_body("MOV.U R0.x, invocation.localindex;\n  STB.U32 R0, buf[0];");
  ASSERT_EQ(p.words.size(), 3u);
  EXPECT_EQ(p.lines[0], (LineEntry{12, 1}));
  EXPECT_EQ(p.lines[1], (LineEntry{13, 3}));
  EXPECT_EQ(p.lines[2], LineEntry{}) << "END is no instruction";
  EXPECT_EQ(isa::get(p.words[0], f::last), 1u);
}

TEST(NotSupportedYet, IsSaid) {
  for (const char* body : {"MUL.HI.S64 D.x, D, D;", "LDS.U64 D.x, sm[0];"}) {
    Diagnostics diagnostics;
    const std::string text = with_header("LONG TEMP D;\n" + std::string(body));
    EXPECT_FALSE(assemble(text, "t.nvcp", {}, diagnostics).has_value()) << body;
    ASSERT_GE(diagnostics.error_count(), 1u);
    EXPECT_EQ(diagnostics.items()[0].rule, kNotSupportedYet) << render(diagnostics, text);
  }
}

TEST(Speed, TwentyThousandWordsFitEasily) {
  std::string body = "MOV.U R0, invocation.localindex;\nMOV.U R1, 1;\n";
  for (int i = 0; i < 5000; ++i) body += "MAD.U R" + std::to_string(i % 2) + ", R0, R1.wxyz, " + std::to_string(i) + ";\n";
  const Program p = assemble_body(body + "STB.U32X4 R0, buf[0];");
  EXPECT_GE(p.words.size(), 20000u);
  EXPECT_LE(p.registers, 12u);
  // Many blocks and long-lived values: one word in three is flow.
  body = "LDB.U32X4.CC R0, buf[0];\nMOV.U R1, 1;\nMOV.U R2, 2;\nMOV.U R3, 3;\n";
  for (int i = 0; i < 5000; ++i) body += "IF GT." + std::string(1, "xyzw"[i % 4]) + ";\nADD.U R" + std::to_string(i % 4) + ".xy, R0, R1.wxyz;\nENDIF;\n";
  EXPECT_GE(assemble_body(body + "STB.U32X4 R0, buf[0];\nSTB.U32X4 R1, buf[48];\nSTB.U32X4 R2, buf[16];\nSTB.U32X4 R3, buf[32];").words.size(), 20000u);
}

}  // namespace
}  // namespace maskwork::test
