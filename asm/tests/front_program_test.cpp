// What the front end hands on: the checked program's variables, constants, operands, blocks and labels; and whole programs in the
// manner of the two emitters that the language has.
#include "maskwork/asm/frontend.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>

namespace {

using namespace maskwork;
using namespace maskwork::ast;

Program load(const std::string& text) {
    Diagnostics diagnostics;
    auto program = parse(text, "t.nvcp", LanguageLimits{}, diagnostics);
    EXPECT_TRUE(program.has_value()) << render(diagnostics, text);
    return program ? *program : Program{};
}

Program load_code(const std::string& body) {
    return load("!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 4 2;\nSHARED_MEMORY 256;\nTEMP R0, R1, R2, A[4];\n" + body +
                "\nEND\n");
}

const Variable& variable(const Program& program, const std::string& name) {
    for (const Variable& v : program.variables)
        if (v.name == name) return v;
    ADD_FAILURE() << "no variable " << name;
    static const Variable none;
    return none;
}

const ConstantVector& constant(const Program& p, const Operand& o) {
    return p.constants.at(o.variable);
}

TEST(Program, Header) {
    const Program p = load_code("");
    EXPECT_EQ(p.group_size, (std::array<std::uint32_t, 3>{4, 2, 1}));
    EXPECT_EQ(p.shared_bytes, 256u);
    EXPECT_EQ(p.options, std::vector<std::string>{"NV_shader_storage_buffer"});
    EXPECT_EQ(p.file, "t.nvcp");
    ASSERT_EQ(p.variables.size(), 4u);
    EXPECT_EQ(p.variables[3].name, "A");
    EXPECT_TRUE(p.variables[3].is_array);
    EXPECT_EQ(p.variables[3].size, 4u);
    EXPECT_EQ(p.variables[3].where.line, 5u);
    EXPECT_EQ(p.variables[3].where.column, 18u);
    EXPECT_EQ(p.entry, 0u);
}

TEST(Program, OperandsMasksAndConditions) {
    const Program p = load_code("ADD.SAT.CC1 R0.xz (GT1.yxwz), -R1.wzyx, -|-R2.b|;\n");
    ASSERT_EQ(p.instructions.size(), 1u);
    const Instruction& i = p.instructions[0];
    EXPECT_EQ(i.opcode, Opcode::ADD);
    EXPECT_EQ(i.modifiers.type, DataType::f32);
    EXPECT_EQ(i.modifiers.cc, CcUpdate::cc1);
    EXPECT_EQ(i.modifiers.clamp, Clamp::sat);
    EXPECT_EQ(i.destination.variable, 0u);
    EXPECT_EQ(i.destination.mask, 0b0101);
    EXPECT_EQ(i.destination.type, BaseType::f);
    EXPECT_TRUE(i.destination.cc_mask.present);
    EXPECT_EQ(i.destination.cc_mask.rule, CcRule::gt);
    EXPECT_EQ(i.destination.cc_mask.reg, 1);
    EXPECT_EQ(i.destination.cc_mask.swizzle, (Swizzle{1, 0, 3, 2}));
    ASSERT_EQ(i.operand_count, 2);
    EXPECT_EQ(i.operands[0].variable, 1u);
    EXPECT_EQ(i.operands[0].swizzle, (Swizzle{3, 2, 1, 0}));
    EXPECT_TRUE(i.operands[0].negate_inner);
    EXPECT_FALSE(i.operands[0].absolute);
    EXPECT_FALSE(i.operands[0].negate_outer);
    EXPECT_EQ(i.operands[1].swizzle, (Swizzle{2, 2, 2, 2}));
    EXPECT_TRUE(i.operands[1].negate_inner);
    EXPECT_TRUE(i.operands[1].absolute);
    EXPECT_TRUE(i.operands[1].negate_outer);
    EXPECT_EQ(i.where.line, 6u);
    EXPECT_EQ(i.where.column, 1u);
    EXPECT_EQ(i.where.length, 48u);
    EXPECT_EQ(i.opcode_where.length, 3u);
    EXPECT_EQ(i.operands[0].where.column, 31u);
    EXPECT_EQ(i.operands[0].where.length, 8u);
    EXPECT_EQ(i.destination.where.column, 13u);
    EXPECT_EQ(i.destination.where.length, 5u);
}

TEST(Program, EveryConditionRule) {
    const std::pair<const char*, CcRule> rules[] = {
        {"EQ", CcRule::eq}, {"GE", CcRule::ge},   {"GT", CcRule::gt},   {"LE", CcRule::le},   {"LT", CcRule::lt}, {"NE", CcRule::ne},
        {"TR", CcRule::tr}, {"FL", CcRule::fl},   {"NAN", CcRule::nan}, {"LEG", CcRule::leg}, {"CF", CcRule::cf}, {"NCF", CcRule::ncf},
        {"OF", CcRule::of}, {"NOF", CcRule::nof}, {"SF", CcRule::sf},   {"NSF", CcRule::nsf}, {"AB", CcRule::ab}, {"BLE", CcRule::ble}};
    for (const auto& [name, rule] : rules) {
        for (const char* suffix : {"", "0", "1"}) {
            const Program p = load_code("IF " + std::string(name) + suffix + ".w;\nENDIF;");
            ASSERT_EQ(p.instructions.size(), 2u);
            EXPECT_EQ(p.instructions[0].condition.rule, rule) << name;
            EXPECT_EQ(p.instructions[0].condition.reg, *suffix == '1');
            EXPECT_EQ(p.instructions[0].condition.swizzle, (Swizzle{3, 3, 3, 3}));
        }
    }
}

TEST(Program, GluedSuffixes) {
    const Program p =
        load_code("MOVC0 R0, R1; ADD_SAT R0, R1, R2; SHRC.U R0, R1, 1; FLRR R0, R1; ADDRC1_SSAT R0, R1, R2; MULH R0, R1, R2;");
    ASSERT_EQ(p.instructions.size(), 6u);
    EXPECT_EQ(p.instructions[0].opcode, Opcode::MOV);
    EXPECT_EQ(p.instructions[0].modifiers.cc, CcUpdate::cc0);
    EXPECT_EQ(p.instructions[1].modifiers.clamp, Clamp::sat);
    EXPECT_EQ(p.instructions[2].opcode, Opcode::SHR);
    EXPECT_EQ(p.instructions[2].modifiers.cc, CcUpdate::cc0);
    EXPECT_EQ(p.instructions[2].modifiers.type, DataType::u32);
    EXPECT_EQ(p.instructions[3].opcode, Opcode::FLR);
    EXPECT_EQ(p.instructions[4].modifiers.cc, CcUpdate::cc1);
    EXPECT_EQ(p.instructions[4].modifiers.clamp, Clamp::ssat);
    EXPECT_EQ(p.instructions[5].opcode, Opcode::MUL);
    EXPECT_EQ(p.instructions[5].modifiers.type, DataType::f32);
}

TEST(Program, TypesOfResultsAndOperands) {
    const Program p = load_code(
        "FLR.U R0, R1; I2F.U R0, R1; CVT.S32.F32.TRUNC R0, R1; SLT.S R0, R1, R2; NOT R0, R1; MUL.HI.U R0, R1, R2; MUL.S24 R0, R1, R2;");
    const auto types = [&](std::size_t i) { return std::pair{p.instructions[i].destination.type, p.instructions[i].operands[0].type}; };
    EXPECT_EQ(types(0), std::pair(BaseType::u, BaseType::f));
    EXPECT_EQ(types(1), std::pair(BaseType::f, BaseType::u));
    EXPECT_EQ(types(2), std::pair(BaseType::s, BaseType::f));
    EXPECT_EQ(p.instructions[2].modifiers.rounding, Rounding::trunc);
    EXPECT_EQ(p.instructions[2].modifiers.source, DataType::f32);
    EXPECT_EQ(types(3), std::pair(BaseType::s, BaseType::s));
    EXPECT_EQ(types(4), std::pair(BaseType::s, BaseType::s));
    EXPECT_EQ(p.instructions[5].modifiers.mul, MulKind::hi);
    EXPECT_EQ(types(6), std::pair(BaseType::s, BaseType::s));
}

TEST(Program, ConstantsAreTypedByUse) {
    const Program p = load_code(
        "MOV R0, {1, -2.5}; MOV.S R0, {1, -2}; MOV.U R0, 7; MOV R0, -0.1; MOV R0, {-0}; SHL R0, R1, {5,6,7,8}.z; MOV R0, 0x10; MOV R0, "
        "1e39;");
    const auto bits = [&](std::size_t i, std::size_t c, std::size_t operand = 0) {
        return constant(p, p.instructions[i].operands[operand]).components[c].bits;
    };
    EXPECT_EQ(bits(0, 0), 0x3f800000u);
    EXPECT_EQ(bits(0, 1), 0xc0200000u);
    EXPECT_EQ(bits(0, 2), 0u);
    EXPECT_EQ(bits(0, 3), 0x3f800000u);
    EXPECT_EQ(bits(1, 0), 1u);
    EXPECT_EQ(bits(1, 1), 0xfffffffeu);
    EXPECT_EQ(bits(1, 3), 1u);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(bits(2, c), 7u);
    EXPECT_EQ(bits(3, 0), 0x3dcccccdu);
    EXPECT_TRUE(p.instructions[3].operands[0].negate_inner);
    EXPECT_EQ(bits(4, 0), 0x80000000u);
    EXPECT_EQ(p.instructions[5].operands[1].swizzle, (Swizzle{2, 2, 2, 2}));
    EXPECT_EQ(bits(5, 2, 1), 7u);
    EXPECT_EQ(bits(6, 0), 0x41800000u);
    EXPECT_EQ(bits(7, 0), 0x7f800000u);
    EXPECT_EQ(constant(p, p.instructions[3].operands[0]).components[0].text, "0.1");
}

// Decimal to binary must round once: this number lies just above the middle of two floats, and a double in between is exactly the middle.
TEST(Program, FloatLiteralsRoundOnce) {
    const Program p = load_code("MOV R0, 1.00000005960464477540;");
    EXPECT_EQ(constant(p, p.instructions[0].operands[0]).components[0].bits, 0x3f800001u);
}

TEST(Program, Parameters) {
    const Program p = load_code(
        "PARAM a = { 1, 2 };\nINT PARAM b = -3;\nPARAM c[] = { program.local[2..3], {1,2,3,4}, program.env[7], 0.5 };\nMOV R0, c[R1.y + "
        "2];\nMOV R0, program.local[9].x;\nMOV.U R0, program.local[9];");
    const Variable& a = variable(p, "a");
    ASSERT_EQ(a.elements.size(), 1u);
    EXPECT_EQ(p.constants[a.elements[0].index].components[1].bits, 0x40000000u);
    EXPECT_EQ(p.constants[a.elements[0].index].components[3].bits, 0x3f800000u);
    const Variable& b = variable(p, "b");
    for (const Constant& c : p.constants[b.elements[0].index].components) EXPECT_EQ(c.bits, 0xfffffffdu);
    EXPECT_EQ(b.typing, BaseType::s);
    const Variable& c = variable(p, "c");
    ASSERT_EQ(c.elements.size(), 5u);
    EXPECT_EQ(c.size, 5u);
    EXPECT_EQ(c.elements[0].source, ParamSource::local);
    EXPECT_EQ(c.elements[1].index, 3u);
    EXPECT_EQ(c.elements[2].source, ParamSource::constant);
    EXPECT_EQ(c.elements[3].source, ParamSource::env);
    EXPECT_EQ(c.elements[3].index, 7u);
    EXPECT_TRUE(c.indexed_at_run_time);
    EXPECT_FALSE(variable(p, "A").indexed_at_run_time);
    const Index& index = p.instructions[0].operands[0].index;
    EXPECT_TRUE(index.relative);
    EXPECT_EQ(index.variable, 1u);
    EXPECT_EQ(index.component, 1);
    EXPECT_EQ(index.offset, 2u);
    const Operand& in_place = p.instructions[1].operands[0];
    EXPECT_EQ(p.variables[in_place.variable].name, "program.local[9]");
    EXPECT_EQ(in_place.swizzle, (Swizzle{0, 0, 0, 0}));
    EXPECT_EQ(p.instructions[2].operands[0].variable, in_place.variable);
}

TEST(Program, Attributes) {
    const std::pair<const char*, Attribute> names[] = {{"localid", Attribute::local_id},     {"globalid", Attribute::global_id},
                                                       {"groupid", Attribute::group_id},     {"groupcount", Attribute::group_count},
                                                       {"groupsize", Attribute::group_size}, {"localindex", Attribute::local_index}};
    for (const auto& [name, attribute] : names) {
        const Program p = load_code(std::string("ATTRIB a = invocation.") + name + ";\nMOV.U R0, a; MOV.U R1, invocation." + name + ".y;");
        EXPECT_EQ(variable(p, "a").attribute, attribute);
        EXPECT_EQ(p.variables[p.instructions[1].operands[0].variable].attribute, attribute);
        EXPECT_EQ(p.variables[p.instructions[1].operands[0].variable].kind, VariableKind::attrib);
    }
}

TEST(Program, MemoryVariables) {
    const Program p = load_code(
        "SHARED s[] = { program.sharedmem[64..127] };\nSHARED e = program.sharedmem[8];\nSTORAGE w[] = { program.storage[3] };\nSTORAGE "
        "r[] = { program.storage[1][16..47] };\n"
        "STORAGE m[][] = { program.storage[2..5] };\nSTORAGE n = program.storage[6][12];\n"
        "LDS.U32X2 R0.xy, s[R1.z + 4];\nSTS.F32 {1,2,3,4}, e;\nATOMB.CSWAP.U32 R0.x, R1, m[R2.x + 1][R2.y + 8];\nSTB.S32X4.COH R0, n;\nMOV "
        "A[R0.x].y, A[3];");
    EXPECT_EQ(variable(p, "s").shared.first_byte, 64u);
    EXPECT_EQ(variable(p, "s").shared.byte_count, 64u);
    EXPECT_EQ(variable(p, "e").shared.first_byte, 8u);
    EXPECT_EQ(variable(p, "e").shared.byte_count, 248u);
    EXPECT_EQ(variable(p, "w").storage.first_binding, 3u);
    EXPECT_FALSE(variable(p, "w").storage.bounded);
    EXPECT_TRUE(variable(p, "r").storage.bounded);
    EXPECT_EQ(variable(p, "r").storage.first_byte, 16u);
    EXPECT_EQ(variable(p, "r").storage.byte_count, 32u);
    EXPECT_TRUE(variable(p, "m").storage.array_of_buffers);
    EXPECT_EQ(variable(p, "m").storage.binding_count, 4u);
    EXPECT_EQ(variable(p, "n").storage.first_byte, 12u);
    EXPECT_FALSE(variable(p, "n").is_array);
    const Instruction& lds = p.instructions[0];
    EXPECT_EQ(lds.modifiers.type, DataType::u32);
    EXPECT_EQ(lds.modifiers.count, 2);
    EXPECT_EQ(lds.operands[0].index.offset, 4u);
    EXPECT_EQ(lds.operands[0].index.component, 2);
    const Instruction& sts = p.instructions[1];
    EXPECT_EQ(sts.destination.variable, kNone);
    EXPECT_EQ(sts.operands[0].kind, OperandKind::constant);
    EXPECT_EQ(constant(p, sts.operands[0]).components[1].bits, 0x40000000u);
    const Instruction& atom = p.instructions[2];
    EXPECT_EQ(atom.modifiers.atomic, AtomicOp::cswap);
    EXPECT_TRUE(atom.operands[1].buffer_index.relative);
    EXPECT_EQ(atom.operands[1].buffer_index.offset, 1u);
    EXPECT_EQ(atom.operands[1].index.offset, 8u);
    EXPECT_EQ(atom.operands[1].index.component, 1);
    EXPECT_TRUE(p.instructions[3].modifiers.coherent);
    EXPECT_EQ(p.instructions[3].modifiers.count, 4);
    EXPECT_TRUE(p.instructions[4].destination.index.relative);
    EXPECT_EQ(p.instructions[4].destination.mask, 0b0010);
    EXPECT_EQ(p.instructions[4].operands[0].index.offset, 3u);
    EXPECT_TRUE(variable(p, "A").indexed_at_run_time);
}

TEST(Program, BlocksAndLabels) {
    const Program p = load_code(
        "MOV R0, R1;\nf:\nREP.U R0.x;\nIF NE.x;\nBRK;\nELSE;\nCONT (EQ.x);\nENDIF;\nENDREP;\nRET;\nmain:\nCAL f (LT.x);\nIF "
        "GT;\nENDIF;\ng:\nCAL main;");
    ASSERT_EQ(p.labels.size(), 3u);
    EXPECT_EQ(p.labels[0].name, "f");
    EXPECT_EQ(p.labels[0].first, 1u);
    EXPECT_EQ(p.labels[0].end, 9u);
    EXPECT_EQ(p.entry, 9u);
    EXPECT_EQ(p.entry_end, 12u);
    EXPECT_EQ(p.labels[2].first, 12u);
    EXPECT_EQ(p.labels[2].end, 13u);
    const auto partner = [&](std::size_t i) { return p.instructions[i].partner; };
    EXPECT_EQ(partner(1), 7u);  // REP
    EXPECT_EQ(partner(2), 4u);  // IF to ELSE
    EXPECT_EQ(partner(3), 1u);  // BRK
    EXPECT_EQ(partner(4), 6u);  // ELSE to ENDIF
    EXPECT_EQ(partner(5), 1u);  // CONT
    EXPECT_EQ(partner(6), 2u);  // ENDIF to IF
    EXPECT_EQ(partner(7), 1u);  // ENDREP
    EXPECT_EQ(partner(10), 11u);
    EXPECT_EQ(p.instructions[9].label, 0u);
    EXPECT_EQ(p.instructions[9].condition.rule, CcRule::lt);
    EXPECT_EQ(p.instructions[12].label, 1u);
    EXPECT_FALSE(p.instructions[3].condition.present);
    EXPECT_EQ(p.instructions[1].operands[0].type, BaseType::u);
}

TEST(Program, EntryWithoutMain) {
    EXPECT_EQ(load_code("MOV R0, R1;\nf:\nMOV R1, R0;").entry_end, 1u);
    EXPECT_EQ(load_code("BB0:\nMOV R0, R1;\nRET;\nf:\nMOV R1, R0;").entry_end, 2u);
    EXPECT_EQ(load_code("MOV R0, R1;").entry_end, 1u);
}

TEST(Program, AliasesAreResolved) {
    const Program p = load_code("ALIAS x = R1;\nALIAS y = x;\nMOV y, A[y.x];");
    EXPECT_EQ(p.instructions[0].destination.variable, 1u);
    EXPECT_EQ(p.instructions[0].operands[0].index.variable, 1u);
}

// Declarations after the first instructions, no blanks, one option line: the manner of a translator of shader binaries.
TEST(Program, DenseStyle) {
    load(
        "!!NVcp5.0\nOPTION NV_internal;OPTION NV_shader_storage_buffer;OPTION NV_gpu_program_fp64;\nGROUP_SIZE 8 8 1;\nSHARED_MEMORY "
        "1024;\n"
        "SHARED shared_mem[]={program.sharedmem};\nTEMP R0,R1,lmem[20],RC;\nMOV.S R0,invocation.localid;MOV.F RC,0;\nSTORAGE "
        "ssbo0[]={program.storage[0]};\nPARAM c[4]={program.local[0..3]};\n"
        "REP;\nSUB.S.CC RC.x,R0.x,1;BRK(LT.x);\nLDS.U32 R1,shared_mem[R0.x+16];\nATOMS.ADD.U32 R1.x,1,shared_mem[0];\nMOV.S.CC "
        "RC,R0.x;\nIF NE.x;\nMOV.F lmem[R0.x+3].x,c[1].y;\nELSE;\nSTB.U32X4 R0,ssbo0[R0.z];\nENDIF;\n"
        "ENDREP;\nBAR;\nMEMBAR.CTA;\nMAD.F R0.x(EQ1),-R1.x,|R0.y|,-1;\nRET;\nEND");
}

// Aligned columns, comments between statements, constants of four numbers: the manner of a compiler's listing.
TEST(Program, ListingStyle) {
    load(
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_bindless_texture;\nGROUP_SIZE 64;\n# cgc version 3.4\nSHARED_MEMORY "
        "512;\nSHARED shared_mem[] = { program.sharedmem };\n"
        "STORAGE sbo_buf0[] = { program.storage[0] };\nTEMP R0, R1, R2;\nTEMP T;\nTEMP RC;\nTEMP lmem0[16];\nMOV.U R0.x, "
        "invocation.localindex;\nSHL.U R0.y, R0.x, {2, 0, 0, 0}.x;\n"
        "LDB.F32 R1.x, sbo_buf0[R0.y];\nMUL.F32 R1.x, R1, {0.5, 0, 0, 0};\nSLT.F32 R2.x, R1, {1, 0, 0, 0};\nTRUNC.U R2.x, R2;\nMOV.U.CC "
        "RC.x, R2;\nIF    NE.x;\nADD.F32 R1.x, R1, {1, 0, 0, 0};\nENDIF;\n"
        "REP.S ;\nBRK   (NE.x);\nENDREP;\nMEMBAR.CTA;\nBAR ;\nSTS.F32 R1, shared_mem[R0.y];\nCAL   BB7 (TR);\nSTB.F32 R1, "
        "sbo_buf0[R0.y];\nMOV.U R2.xy(NE1), {1, 1, 0, 0};\nRET   (TR);\nBB7:\nMOV.F lmem0[R0.x].x, R1.x;\nRET;\nEND\n# 20 instructions, 3 "
        "R-regs\n");
}

// ---- widths, selectors, buffers, subroutines
const std::string kWide =
    "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 8;\nTEMP R0, R1, A[4];\nLONG TEMP D0, D1;\nSHORT TEMP H0;\n";

Program load_wide(const std::string& code) {
    return load(kWide + code + "\nEND");
}

TEST(Program, WidthsOfOperationAndVariable) {
    const Program p = load_wide(
        "MOV.U64 D0, R0;\nADD.S D0, D1, R1;\nSGE.U64 R0.x, D0, 5;\nCVT.S64.F32 D0, R0;\nCVT.F32.U64 R0, D1;\nI2F.S64 R0, D0;\nMOV.U H0, R0;\nPK64 D0, R0;\n"
        "UP64 R0, D0;");
    const auto& i = p.instructions;
    const auto check = [&](std::size_t n, bool wide, Fit fit, bool operand_wide, Fit operand_fit) {
        EXPECT_EQ(i[n].destination.wide, wide) << n;
        EXPECT_EQ(i[n].destination.fit, fit) << n;
        EXPECT_EQ(i[n].operands[0].wide, operand_wide) << n;
        EXPECT_EQ(i[n].operands[0].fit, operand_fit) << n;
    };
    check(0, true, Fit::same, true, Fit::extend);
    check(1, false, Fit::extend, false, Fit::truncate);
    EXPECT_EQ(i[1].operands[1].fit, Fit::same);
    check(2, true, Fit::truncate, true, Fit::same);
    EXPECT_EQ(i[2].operands[1].fit, Fit::same);  // a constant has the width it is read in
    check(3, true, Fit::same, false, Fit::same);
    check(4, false, Fit::same, true, Fit::same);
    check(5, false, Fit::same, true, Fit::same);
    EXPECT_EQ(i[5].destination.type, BaseType::f);
    check(6, false, Fit::same, false, Fit::same);  // SHORT keeps 32 bits
    check(7, true, Fit::same, false, Fit::same);
    check(8, false, Fit::same, true, Fit::same);
}

TEST(Program, LiteralsOf64Bits) {
    const Program p = load_wide("MOV.U64 D0, 18446744073709551552;\nMOV.S64 D0, {-2, 0x8000000000000001, 1, 4294967296};\nUP64 R0, {1.5, -2};");
    EXPECT_EQ(p.constants[0].components[0].bits, 0xffffffc0u);
    EXPECT_EQ(p.constants[0].components[3].high, 0xffffffffu);
    EXPECT_EQ(p.constants[1].components[0].bits, 0xfffffffeu);
    EXPECT_EQ(p.constants[1].components[0].high, 0xffffffffu);
    EXPECT_EQ(p.constants[1].components[1].bits, 1u);
    EXPECT_EQ(p.constants[1].components[1].high, 0x80000000u);
    EXPECT_EQ(p.constants[1].components[3].bits, 0u);
    EXPECT_EQ(p.constants[1].components[3].high, 1u);
    EXPECT_EQ(p.constants[2].components[0].high, 0x3ff80000u);  // 1.5 as binary64
    EXPECT_EQ(p.constants[2].components[1].high, 0xc0000000u);
}

TEST(Program, TypesOfOperandsThatAreNotTheInstructions) {
    const Program p = load(
        "!!NVcp5.0\nOPTION NV_shader_thread_group;OPTION NV_shader_thread_shuffle;\nGROUP_SIZE 8;\nTEMP R0, R1;\nSAD.S R0, R1, R1, R1;\nTGBALLOT.F R0, R1;\n"
        "SHFIDX.F R0, R1, R1, R1;\nUP2H.U R0, R1.x;\nPK2H.U R0, R1;\nLOAD.F32 R0, R1.x;\nEND");
    const auto& i = p.instructions;
    EXPECT_EQ(i[0].destination.type, BaseType::u);
    EXPECT_EQ(i[0].operands[1].type, BaseType::s);
    EXPECT_EQ(i[0].operands[2].type, BaseType::u);
    EXPECT_EQ(i[1].destination.type, BaseType::u);
    EXPECT_EQ(i[1].operands[0].type, BaseType::f);
    EXPECT_EQ(i[2].operands[0].type, BaseType::f);
    EXPECT_EQ(i[2].operands[1].type, BaseType::u);
    EXPECT_EQ(i[3].destination.type, BaseType::f);
    EXPECT_EQ(i[3].operands[0].type, BaseType::u);
    EXPECT_EQ(i[4].destination.type, BaseType::u);
    EXPECT_EQ(i[4].operands[0].type, BaseType::f);
    EXPECT_EQ(i[5].destination.type, BaseType::f);
    EXPECT_EQ(i[5].operands[0].type, BaseType::u);
    EXPECT_TRUE(i[5].operands[0].scalar);
}

TEST(Program, SelectorsOfSwz) {
    using Source = SwzSelector::Source;
    const Program p = load_wide("SWZ R0, R1, 0, -1, +z, -x;\nSWZ R0, A[R1.x+1], r, g, b, a;");
    const auto& s = p.instructions[0].selectors;
    EXPECT_EQ(s[0].source, Source::zero);
    EXPECT_FALSE(s[0].negate);
    EXPECT_EQ(s[1].source, Source::one);
    EXPECT_TRUE(s[1].negate);
    EXPECT_EQ(s[2].source, Source::z);
    EXPECT_FALSE(s[2].negate);
    EXPECT_EQ(s[3].source, Source::x);
    EXPECT_TRUE(s[3].negate);
    EXPECT_EQ(p.instructions[1].selectors[3].source, Source::w);
    EXPECT_TRUE(p.instructions[1].operands[0].index.relative);
}

TEST(Program, ParameterBuffers) {
    const Program p = load(
        "!!NVcp5.0\nGROUP_SIZE 8;\nBUFFER b[] = { program.buffer[1][4..9] };\nBUFFER4 v[8] = { program.buffer[2] };\nCBUFFER c[][] = { program.buffer[3..5][16..31] };\n"
        "BUFFER w = program.buffer[1][3];\nTEMP R0;\nMOV R0, b[2];\nMOV R0, v[R0.x+7];\nLDC.S32X2 R0, -|c[R0.x+1][R0.y+8].wzyx|;\nMOV R0, w;\nEND");
    EXPECT_EQ(p.variables[0].kind, VariableKind::buffer);
    EXPECT_EQ(p.variables[0].storage.element_bytes, 4u);
    EXPECT_EQ(p.variables[0].storage.first_binding, 1u);
    EXPECT_EQ(p.variables[0].storage.first_byte, 16u);
    EXPECT_EQ(p.variables[0].storage.byte_count, 24u);
    EXPECT_EQ(p.variables[1].storage.byte_count, 128u);
    EXPECT_EQ(p.variables[2].kind, VariableKind::constant_buffer);
    EXPECT_EQ(p.variables[2].storage.binding_count, 3u);
    EXPECT_TRUE(p.variables[2].storage.array_of_buffers);
    EXPECT_EQ(p.variables[2].storage.first_byte, 16u);
    EXPECT_EQ(p.variables[2].storage.byte_count, 16u);
    EXPECT_FALSE(p.variables[3].storage.bounded);
    EXPECT_EQ(p.variables[3].storage.first_byte, 12u);
    EXPECT_EQ(p.instructions[0].operands[0].index.offset, 2u);
    const Operand& o = p.instructions[2].operands[0];
    EXPECT_EQ(o.type, BaseType::s);
    EXPECT_EQ(o.buffer_index.offset, 1u);
    EXPECT_TRUE(o.buffer_index.relative);
    EXPECT_EQ(o.index.offset, 8u);
    EXPECT_EQ(o.index.component, 1u);
    EXPECT_TRUE(o.absolute && o.negate_outer && !o.negate_inner);
    EXPECT_EQ(o.swizzle, (Swizzle{3, 2, 1, 0}));
}

TEST(Program, AddressesOf32And64Bits) {
    const Program p = load_wide("LOAD.U32 R0, R1.y;\nSTORE.U32X2 R0, D1.z;\nATOM.ADD.U32 R0, R1, 64;");
    EXPECT_FALSE(p.instructions[0].operands[0].wide);
    EXPECT_TRUE(p.instructions[1].operands[1].wide);
    EXPECT_EQ(p.instructions[1].operands[1].fit, Fit::same);
    EXPECT_EQ(p.instructions[1].operands[1].swizzle[0], 2u);
    EXPECT_EQ(p.constants[p.instructions[2].operands[1].variable].components[0].bits, 64u);
}

TEST(Program, Subroutines) {
    const Program p = load(
        "!!NVcp5.0\nGROUP_SIZE 8;\nSUBROUTINETYPE T { f, g, h };\nSUBROUTINE T v[] = { program.subroutine[2..4] };\nTEMP R0;\nCALI v[R0.x+1] (NE.y);\nRET;\n"
        "f SUBROUTINENUM(1):\nRET;\ng:\nRET;\nh:\nRET;\nother:\nRET;\nEND");
    ASSERT_EQ(p.subroutine_types.size(), 1u);
    EXPECT_EQ(p.subroutine_types[0].labels, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(p.labels[0].number, 1u);
    EXPECT_EQ(p.labels[1].number, 0u);  // the lowest free ones
    EXPECT_EQ(p.labels[2].number, 2u);
    EXPECT_EQ(p.labels[3].number, kNone);
    EXPECT_EQ(p.variables[0].kind, VariableKind::subroutine);
    EXPECT_EQ(p.variables[0].subroutine.first, 2u);
    EXPECT_EQ(p.variables[0].size, 3u);
    EXPECT_EQ(p.instructions[0].operands[0].index.offset, 1u);
    EXPECT_EQ(p.instructions[0].condition.rule, CcRule::ne);
}

TEST(Program, FixedParameters) {
    const Program p = load(
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;OPTION NV_shader_thread_group;\nGROUP_SIZE 8;\nPARAM a[] = { state.thread.warpsize, state.thread.smcount, "
        "state.thread.warpspersm, program.storagelen[0..1] };\nTEMP R0;\nMOV R0, a[0];\nMOV R0, invocation.threadgemask;\nEND");
    const auto& e = p.variables[0].elements;
    ASSERT_EQ(e.size(), 5u);
    EXPECT_EQ(p.constants[e[0].index].components[3].bits, 32u);
    EXPECT_TRUE(p.constants[e[0].index].any_type);
    EXPECT_EQ(p.constants[e[1].index].components[0].bits, 1u);
    EXPECT_EQ(e[2].source, ParamSource::warps_per_sm);
    EXPECT_EQ(p.constants[e[4].index].components[0].bits, 0u);
    EXPECT_EQ(p.variables[p.instructions[1].operands[0].variable].attribute, Attribute::thread_ge_mask);
}

TEST(Program, SeveralErrorsInOneRun) {
    const std::string text =
        "!!NVcp5.0\nGROUP_SIZE 8;\nTEMP R0, R1;\nMOV R0, R9;\nADD R0, R1\nMOV R0.yx, R1;\nFOO R0;\nADD.S.SAT R0, R1, 1.5;\nIF "
        "NE.q;\nENDIF;\nMOV R0, R9;\nEND\n";
    Diagnostics diagnostics;
    EXPECT_FALSE(parse(text, "t", LanguageLimits{}, diagnostics));
    std::string rules;
    for (const Diagnostic& d : diagnostics.items()) rules += std::to_string(d.line) + ":" + d.rule + " ";
    EXPECT_EQ(rules, "4:L12 5:L02 6:L09 7:L02 8:L61 9:L09 ");
}

TEST(Program, ErrorsAreCapped) {
    std::string text = "!!NVcp5.0\nGROUP_SIZE 8;\n";
    for (int i = 0; i < 1000; ++i) text += "FOO;\n";
    Diagnostics diagnostics(5);
    EXPECT_FALSE(parse(text + "END", "t", LanguageLimits{}, diagnostics));
    EXPECT_EQ(diagnostics.items().size(), 5u);
}

// A program of 20 000 instructions is parsed in milliseconds; the bound leaves room for slow machines and sanitizers.
TEST(Program, Throughput) {
    std::string body;
    for (int i = 0; i < 20000; ++i) body += "MAD.F R0.xyz, -R1.wzyx, {1.5, 2, 3, 4}, A[" + std::to_string(i % 4) + "];\n";
    const auto start = std::chrono::steady_clock::now();
    const Program p = load_code(body);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(p.instructions.size(), 20000u);
    RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
    EXPECT_LT(seconds, 1.0);
}

}  // namespace
