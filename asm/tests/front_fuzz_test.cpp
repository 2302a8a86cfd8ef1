// Any text ends with a program or with diagnostics: seeded mutations of valid programs, random bytes, and extreme sizes.
#include "fuzz_programs.hpp"
#include "maskwork/asm/frontend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace maskwork;
using test::kFuzzPrograms;

const std::string kPieces[] = {";",
                               ",",
                               ".",
                               "[",
                               "]",
                               "{",
                               "}",
                               "(",
                               ")",
                               "|",
                               "-",
                               "+",
                               "=",
                               ":",
                               "..",
                               "0",
                               "4294967295",
                               "99999999999999999999999",
                               "0x",
                               "1e",
                               "1e999999999",
                               ".5",
                               "END",
                               "OPTION",
                               "TEMP",
                               "PARAM",
                               "STORAGE",
                               "SHARED",
                               "IF NE.x;",
                               "ENDIF;",
                               "REP;",
                               "ENDREP;",
                               "ELSE;",
                               "BRK;",
                               "RET;",
                               "R0",
                               "sh",
                               "st",
                               "program.storage[0..3]",
                               "program.sharedmem",
                               "invocation.localid",
                               "result",
                               "CVT",
                               "ATOMS",
                               "LDS.U32X4",
                               "MOV.U",
                               ".CC1",
                               "_SAT",
                               "TEX",
                               "LONG",
                               "CBUFFER",
                               "main:",
                               "#",
                               "\n",
                               "\r",
                               "\t",
                               "\xff",
                               std::string(1, '\0'),
                               "1D",
                               "2DMS",
                               "GROUP_SIZE",
                               "BUFFER4",
                               "program.buffer[0..3]",
                               "program.subroutine[0]",
                               "state.thread.warpsize",
                               "SUBROUTINETYPE T {",
                               "SUBROUTINE T",
                               " SUBROUTINENUM(1):",
                               "CALI u;",
                               "LOAD.U32",
                               "ATOM.ADD.F32",
                               "SWZ R0, R1, 0, -x",
                               "D0",
                               ".U64",
                               "18446744073709551616",
                               "c[",
                               "|-",
                               "SHARED_MEMORY 0;"};

// Parses and renders; what comes out must be consistent.
void run(const std::string& text) {
    Diagnostics diagnostics;
    const auto program = parse(text, "f", LanguageLimits{}, diagnostics);
    ASSERT_EQ(program.has_value(), !diagnostics.has_errors());
    const std::string shown = render(diagnostics, text);
    for (const Diagnostic& d : diagnostics.items()) {
        ASSERT_FALSE(d.message.empty());
        ASSERT_FALSE(d.rule.empty());
        ASSERT_GE(d.line, 1u);
        ASSERT_GE(d.column, 1u);
        ASSERT_GE(d.length, 1u);
    }
    if (!program) return;
    for (const ast::Instruction& i : program->instructions) {
        ASSERT_TRUE(i.destination.variable == ast::kNone || i.destination.variable < program->variables.size());
        for (std::size_t o = 0; o < i.operand_count; ++o) {
            const std::size_t limit =
                i.operands[o].kind == ast::OperandKind::variable ? program->variables.size() : program->constants.size();
            ASSERT_LT(i.operands[o].variable, limit);
        }
        ASSERT_TRUE(i.partner == ast::kNone || i.partner < program->instructions.size());
        const bool block = i.opcode == ast::Opcode::IF || i.opcode == ast::Opcode::REP || i.opcode == ast::Opcode::BRK;
        ASSERT_TRUE(!block || i.partner != ast::kNone);
        ASSERT_TRUE(i.opcode != ast::Opcode::CAL || i.label < program->labels.size());
    }
}

TEST(Fuzz, ThePristineProgramsLoad) {
    for (const std::string& text : kFuzzPrograms) {
        Diagnostics diagnostics;
        EXPECT_TRUE(parse(text, "f", LanguageLimits{}, diagnostics)) << render(diagnostics, text);
    }
}

TEST(Fuzz, Mutations) {
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    for (int round = 0; round < 10000; ++round) {
        std::string text = kFuzzPrograms[static_cast<std::size_t>(round) % std::size(kFuzzPrograms)];
        const std::size_t changes = 1 + below(8);
        for (std::size_t i = 0; i < changes; ++i) {
            const std::size_t at = 9 + below(text.size() - 9);
            switch (below(6)) {
                case 0: text.erase(at, 1 + below(6)); break;
                case 1: text.insert(at, kPieces[below(std::size(kPieces))]); break;
                case 2: text[at] = static_cast<char>(random()); break;
                case 3: text.insert(at, text.substr(9 + below(text.size() - 9), below(40))); break;
                case 4: text.replace(at, 1 + below(4), kPieces[below(std::size(kPieces))]); break;
                default: std::swap(text[at], text[9 + below(text.size() - 9)]); break;
            }
        }
        if (round % 16 == 0) text.resize(9 + below(text.size() - 9));
        run(text);
        if (HasFatalFailure()) FAIL() << "round " << round << "\n" << text;
    }
}

TEST(Fuzz, PiecesInAnyOrder) {
    std::mt19937 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::string text = "!!NVcp5.0\nGROUP_SIZE 8;\nTEMP R0;\n";
        const std::size_t count = random() % 60;
        for (std::size_t i = 0; i < count; ++i) text += kPieces[random() % std::size(kPieces)] + (random() % 2 ? " " : "");
        run(text);
        if (HasFatalFailure()) FAIL() << "round " << round << "\n" << text;
    }
}

TEST(Fuzz, ExtremeSizes) {
    const auto many = [](const std::string& text, int count) {
        std::string out = "!!NVcp5.0\nGROUP_SIZE 8;\nTEMP R0, A[4];\n";
        out.reserve(out.size() + text.size() * static_cast<std::size_t>(count) + 16);
        for (int i = 0; i < count; ++i) out += text;
        return out;
    };
    const auto start = std::chrono::steady_clock::now();
    for (const char* text :
         {"(", "[",    "{",   "|",  "-", "A[",     "MOV R0, |",   "IF NE;", "REP 2;", "REP;", "IF NE; REP 2;", "ELSE;",  "ENDIF;",
          ".", "MOV.", "R0.", "a:", ",", "TEMP a", "PARAM p[]={", "1",      "x",      "\n",   "MOV R0, R0;",   "A[A[A[", "# "}) {
        run(many(text, 40000));
        run(many(text, 40000) + "END");
    }
    // Without a cap on errors the checks still have to be linear enough.
    for (const char* text : {"IF NE;", "REP;", "IF NE; REP; ENDIF;", "ELSE;", "FOO;", "MOV R0, R1"}) {
        Diagnostics diagnostics(1000000);
        const std::string program = many(text, 50000);
        EXPECT_FALSE(parse(program, "f", LanguageLimits{}, diagnostics));
    }
    const std::string named = many("", 0) + "MOV R0, " + std::string(1000000, 'n') + ";\nMOV R0, 0." + std::string(1000000, '9') +
                              ";\nMOV R0, " + std::string(1000000, '9') + ";\nEND";
    run(named);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_LT(seconds, 60.0);
}

}  // namespace
