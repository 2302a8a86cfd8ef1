// Runs the rule cases: rule number, line and column of the error, and that one mistake gives one error.
#include "rule_cases.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <ostream>

namespace maskwork::rule_cases {

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

namespace {

std::vector<Case> all_cases() {
    std::vector<Case> all;
    for (const auto& part : {lexical_cases(), variable_cases(), compute_cases(), modifier_cases(), wide_cases(), memory_cases(), flow_cases(), refused_cases()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::string show(const Diagnostics& diagnostics, const std::string& text) {
    return render(diagnostics, text);
}

class RuleTest : public testing::TestWithParam<Case> {};

TEST_P(RuleTest, Checks) {
    std::string text = GetParam().text;
    const std::size_t mark = text.find('@');
    std::uint32_t line = 1, column = 1;
    if (mark != std::string::npos) {
        for (std::size_t i = 0; i < mark; ++i) {
            column = text[i] == '\n' ? 1 : column + 1;
            line += text[i] == '\n';
        }
        text.erase(mark, 1);
    }
    Diagnostics diagnostics;
    const auto program = parse(text, "t.nvcp", LanguageLimits{}, diagnostics);
    if (GetParam().rule.empty()) {
        EXPECT_TRUE(program.has_value()) << show(diagnostics, text);
        return;
    }
    EXPECT_FALSE(program.has_value());
    ASSERT_FALSE(diagnostics.items().empty());
    const Diagnostic& first = diagnostics.items().front();
    EXPECT_EQ(first.rule, GetParam().rule) << show(diagnostics, text);
    EXPECT_EQ(first.line, line) << show(diagnostics, text);
    EXPECT_EQ(first.column, column) << show(diagnostics, text);
    EXPECT_FALSE(first.message.empty());
    EXPECT_TRUE(!first.hint.empty() || first.rule == kNotSupportedYet) << show(diagnostics, text);
    EXPECT_EQ(diagnostics.error_count(), 1u) << "one mistake, one error\n" << show(diagnostics, text);
}

INSTANTIATE_TEST_SUITE_P(Front, RuleTest, testing::ValuesIn(all_cases()), [](const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

// Limits that the default values put out of easy reach.
TEST(Limits, ResourcesL99) {
    LanguageLimits limits;
    limits.temporaries = 10;
    limits.parameters = 3;
    limits.instructions = 2;
    const std::string head = "!!NVcp5.0\nGROUP_SIZE 8;\n";
    const auto rule_of = [&](const std::string& body) {
        Diagnostics diagnostics;
        const bool loads = parse(head + body + "END", "t", limits, diagnostics).has_value();
        if (loads) return std::string();
        const Diagnostic& d = diagnostics.items().front();
        return fmt::format("{} {}:{}", d.rule, d.line, d.column);   // at the first one too many
    };
    EXPECT_EQ(rule_of("TEMP a[8], b, c;"), "");
    EXPECT_EQ(rule_of("TEMP a[8], b, c, d;"), "L99 3:18");
    EXPECT_EQ(rule_of("TEMP a[8], b, c, d, e;"), "L99 3:18");
    EXPECT_EQ(rule_of("TEMP a[4000000000], b[4000000000];"), "L99 3:6");
    EXPECT_EQ(rule_of("PARAM p[] = { 1, 2, 3 };"), "");
    EXPECT_EQ(rule_of("PARAM p[] = { 1, 2, program.local[0..1] };"), "L99 3:7");
    EXPECT_EQ(rule_of("PARAM p[] = { 1, 2, 3 }; TEMP a; MOV a, program.local[0];"), "L99 3:41");
    EXPECT_EQ(rule_of("TEMP a; MOV a, 1; MOV a, 2;"), "");
    EXPECT_EQ(rule_of("TEMP a; MOV a, 1; MOV a, 2; MOV a, 3;"), "L99 3:29");
    EXPECT_EQ(rule_of("TEMP a; MOV a, 1; MOV a, 2; MOV a, 3; MOV a, 4;"), "L99 3:29");
}

// L44 and L50 at the instruction: there is no declaration that could carry the error.
TEST(Limits, MemoryInstructionsWithoutDeclarations) {
    for (const auto& [code, rule] :
         {std::pair{"LDS.U32 r, r;", "L44"}, {"STS.U32 r, r;", "L44"}, {"ATOMB.ADD.U32 r, r, r;", "L50"}, {"LDB.U32 r, r;", "L50"}}) {
        Diagnostics diagnostics;
        EXPECT_FALSE(parse(std::string("!!NVcp5.0\nGROUP_SIZE 8;\nTEMP r;\n") + code + "\nEND", "t", LanguageLimits{}, diagnostics));
        ASSERT_FALSE(diagnostics.items().empty());
        EXPECT_EQ(diagnostics.items()[0].rule, rule);
        EXPECT_EQ(diagnostics.items()[0].line, 4u);
        EXPECT_EQ(diagnostics.items()[0].column, 1u);
    }
}

}  // namespace

}  // namespace maskwork::rule_cases
