// The examples of the rule table: what is refused is refused by that rule alone, what loads loads, and no rule that the front end
// reports is missing from the table.
#include "maskwork/asm/frontend.hpp"
#include "maskwork/asm/rules.hpp"
#include "rule_cases.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace maskwork;

TEST(Explain, ExamplesAreRefusedByTheirRule) {
    for (const Rule& rule : rules()) {
        if (rule.refused.empty()) continue;
        Diagnostics diagnostics;
        EXPECT_FALSE(parse(rule.refused, "t", LanguageLimits{}, diagnostics)) << rule.name << "\n" << rule.refused;
        for (const Diagnostic& d : diagnostics.items()) {
            EXPECT_EQ(d.rule, rule.name) << render(diagnostics, rule.refused);
            EXPECT_NE(d.line, 0u);
            EXPECT_NE(d.column, 0u);
            EXPECT_FALSE(d.hint.empty()) << render(diagnostics, rule.refused);
        }
    }
}

TEST(Explain, NearMissesLoad) {
    for (const Rule& rule : rules()) {
        if (rule.loads.empty()) continue;
        Diagnostics diagnostics;
        EXPECT_TRUE(parse(rule.loads, "t", LanguageLimits{}, diagnostics)) << rule.name << "\n" << render(diagnostics, rule.loads) << rule.loads;
    }
}

TEST(Explain, EveryRuleOfTheCasesIsInTheTable) {
    std::set<std::string> used;
    for (const auto& cases : {rule_cases::lexical_cases(), rule_cases::variable_cases(), rule_cases::compute_cases(), rule_cases::modifier_cases(),
                              rule_cases::wide_cases(), rule_cases::memory_cases(), rule_cases::flow_cases(), rule_cases::refused_cases()})
        for (const auto& c : cases)
            if (!c.rule.empty() && c.rule != kNotSupportedYet) used.insert(c.rule);
    for (const std::string& name : used) {
        const Rule* rule = find_rule(name);
        ASSERT_NE(rule, nullptr) << name;
        EXPECT_FALSE(rule->refused.empty()) << name << " is reported and has no example";
    }
    // And the other way round: every rule with an example has cases that break it and cases that do not.
    std::set<std::string> good;
    for (const auto& cases : {rule_cases::lexical_cases(), rule_cases::variable_cases(), rule_cases::compute_cases(), rule_cases::modifier_cases(),
                              rule_cases::wide_cases(), rule_cases::memory_cases(), rule_cases::flow_cases()})
        for (const auto& c : cases)
            if (c.rule.empty() && c.name.starts_with("L")) good.insert(c.name.substr(0, 3));
    for (const Rule& rule : rules()) {
        if (rule.refused.empty() || rule.name == "L99") continue;  // L99 has a test of its own
        EXPECT_TRUE(used.contains(std::string(rule.name))) << rule.name;
        EXPECT_TRUE(good.contains(std::string(rule.name))) << rule.name << " has no near miss";
    }
}

TEST(Explain, Text) {
    EXPECT_EQ(find_rule("L00"), nullptr);
    EXPECT_EQ(find_rule(""), nullptr);
    ASSERT_NE(find_rule("l46"), nullptr);
    const std::string text = explain(*find_rule("L46"), LanguageLimits{});
    EXPECT_NE(text.find("L46: Constant offsets stay inside shared memory\n"), std::string::npos);
    EXPECT_NE(text.find("example:6:15: error: 8 bytes at 60 reach outside the 64 bytes of shared memory [L46]\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Loads:\n\n    !!NVcp5.0\n"), std::string::npos);
    for (const Rule& rule : rules()) {
        std::string all = explain(rule, LanguageLimits{});
        all.resize(std::min(all.find("\nRefused:"), all.size()));
        for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1) EXPECT_LE(all.find('\n', at) - at, 100u) << rule.name;
    }
}

TEST(Explain, NumbersAreTheLimitsOfTheAssembler) {
    // Limits that no text can know: each one that is in force is said, and what the example is refused by is the same number.
    LanguageLimits limits;
    limits.shared_bytes = 40001;
    limits.temporaries = 777;
    limits.parameters = 778;
    limits.instructions = 779;
    limits.if_depth = 41;
    limits.loop_depth = 7;
    limits.storage_bindings = 14;
    limits.subroutines = 201;
    limits.group_size = {1001, 1002, 63};
    limits.group_threads = 1003;
    const std::pair<const char*, std::vector<const char*>> cases[] = {{"L42", {"1001", "1002", "63", "1003"}}, {"L47", {"40001"}}, {"L51", {" 13."}},
                                                                     {"L84", {"41 IFs", "7 REPs"}}, {"L87", {"200 and different"}}, {"L99", {"777", "778", "779"}}};
    for (const auto& [name, numbers] : cases) {
        std::string text = explain(*find_rule(name), limits);
        if (std::string(name) == "L99") {
            EXPECT_NE(text.find("777", text.find("Refused:")), std::string::npos) << text;
        }
        text.resize(text.find("\nRefused:"));
        for (const char* number : numbers) EXPECT_NE(text.find(number), std::string::npos) << number << ": " << text;
    }
    // No text has a limit written into it: with other limits, none of the usual numbers is left.
    for (const Rule& rule : rules())
        for (const char* number : {"1024", "49152", "4096", "262144", "48 IF", "8 REP", " 15.", "255"})
            EXPECT_EQ(rule.text.find(number), std::string::npos) << rule.name << ": " << rule.text;
}

TEST(Explain, EveryRuleNameOfADiagnosticIsKnown) {
    ASSERT_NE(find_rule("later"), nullptr);
    EXPECT_EQ(find_rule("LATER"), find_rule(kNotSupportedYet));
    EXPECT_NE(explain(*find_rule("later"), LanguageLimits{}).find("docs/language.md"), std::string::npos);
}

}  // namespace
