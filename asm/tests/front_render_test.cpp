// How diagnostics look.
#include "maskwork/asm/frontend.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace maskwork;

std::string report(const std::string& text) {
    Diagnostics diagnostics;
    parse(text, "dir/a.nvcp", LanguageLimits{}, diagnostics);
    return render(diagnostics, text);
}

std::string report_code(const std::string& code) { return report("!!NVcp5.0\nGROUP_SIZE 8;\nTEMP a;\n" + code + "\nEND"); }

Diagnostic at(std::uint32_t line, std::uint32_t column, std::uint32_t length) {
    Diagnostic d;
    d.rule = "L02";
    d.file = "f";
    d.line = line;
    d.column = column;
    d.length = length;
    d.message = "m";
    return d;
}

TEST(Render, PositionLineCaretAndHint) {
    EXPECT_EQ(report("!!NVcp5.0\nGROUP_SIZE 8;\nTEMP value;\nMOV value, valve;\nEND"),
              "dir/a.nvcp:4:12: error: 'valve' is not declared [L12]\n"
              "    MOV value, valve;\n"
              "               ^~~~~\n"
              "    hint: did you mean value?\n");
}

TEST(Render, SuggestsWhatWasMeant) {
    for (const auto& [code, hint] : {std::pair{"MVO a, a;", "did you mean MOV?"},
                                     {"mad a, a, a, a;", "mnemonics are written in capitals: MAD"},
                                     {"ENDFI;", "did you mean ENDIF?"},
                                     {"TMEP b;", "did you mean TEMP?"},
                                     {"ADD.SATT a, a, a;", "did you mean .SAT?"},
                                     {"MOV.U a, invocation.globalids;", "did you mean invocation.globalid?"},
                                     {"CAL mian;\nmain:", "did you mean main?"}})
        EXPECT_NE(report_code(code).find(hint), std::string::npos) << code;
}

// A mark that is missing goes in front of what was found; anything else was meant to stand in its place.
TEST(Render, TellsWhereTheExpectedGoes) {
    for (const auto& [code, hint] : {std::pair{"MOV a, a[0;", "put ']' before ';'"},
                                     {"MOV a a;", "put ',' before 'a'"},
                                     {"MOV.Q a, a;", "write a modifier of the instruction in place of 'Q'"},
                                     {"GROUP_SIZE -1;", "write a number of threads in place of '-'"},
                                     {"END a", "the program ends at its first END: remove what follows"}})
        EXPECT_NE(report_code(code).find(hint), std::string::npos) << code;
}

TEST(Render, TabsAreExpanded) {
    EXPECT_EQ(render(at(1, 3, 2), "\tab\tcd"), "f:1:3: error: m [L02]\n            ab      cd\n             ^~~~~~~\n");
    EXPECT_EQ(render(at(1, 2, 1), "\tab"), "f:1:2: error: m [L02]\n            ab\n            ^\n");
}

TEST(Render, EveryKindOfLineEnd) {
    for (const char* text : {"a\nbc\nd", "a\rbc\rd", "a\r\nbc\r\nd"})
        EXPECT_EQ(render(at(2, 2, 1), text), "f:2:2: error: m [L02]\n    bc\n     ^\n");
}

TEST(Render, BehindTheEndOfALine) {
    EXPECT_EQ(render(at(1, 4, 1), "abc\n"), "f:1:4: error: m [L02]\n    abc\n       ^\n");
}

TEST(Render, ControlCharactersAreVisible) {
    EXPECT_EQ(render(at(1, 1, 1), "\x01\xffz"), "f:1:1: error: m [L02]\n    ??z\n    ^\n");
}

TEST(Render, LongLinesAreCutAroundTheCaret) {
    const std::string text = render(at(1, 5001, 3), std::string(5000, 'a') + "bcd" + std::string(5000, 'e'));
    EXPECT_LT(text.size(), 500u);
    EXPECT_NE(text.find("aabcde"), std::string::npos);
    EXPECT_NE(text.find("^~~"), std::string::npos);
}

TEST(Render, NotSupportedYetHasItsOwnWords) {
    EXPECT_EQ(report("!!NVcp5.0\nGROUP_SIZE 8;\nTEMP a;\nTEX a, a, t, 2D;\nEND"),
              "dir/a.nvcp:4:1: error: not supported yet: the instruction TEX [later]\n"
              "    TEX a, a, t, 2D;\n"
              "    ^~~\n");
}

TEST(Render, SaysThatNotAllIsShown) {
    Diagnostics diagnostics(2);
    for (std::uint32_t i = 1; i <= 3; ++i) diagnostics.add(at(i, 1, 1));
    EXPECT_NE(render(diagnostics, "a\nb\nc").find("too many errors: only the first 2 found are shown"), std::string::npos);
}

TEST(Diagnostics, SortedByPosition) {
    Diagnostics diagnostics;
    diagnostics.add(at(3, 1, 1));
    diagnostics.add(at(1, 5, 1));
    diagnostics.add(at(1, 2, 1));
    diagnostics.sort();
    EXPECT_EQ(diagnostics.items()[0].column, 2u);
    EXPECT_EQ(diagnostics.items()[2].line, 3u);
}

}  // namespace
