// The load-time rules in our own words, each with a program that breaks it and one that loads.
#pragma once

#include "maskwork/asm/frontend.hpp"

#include <span>
#include <string>
#include <string_view>

namespace maskwork {

struct Rule {
    std::string_view name;     // "L46"
    std::string_view title;
    std::string_view text;     // why, and what to do; {shared_bytes} and the like are limits
    std::string_view refused;  // a program that is refused by this rule alone; empty: the construct itself is not supported yet
    std::string_view loads;    // a near miss that loads
};

std::span<const Rule> rules();
const Rule* find_rule(std::string_view name);  // "L46" or "l46"; null if there is no such rule

// What `maskwork asm --explain` prints: title, text with the numbers of `limits`, the refused example with its diagnostic, the one that loads.
std::string explain(const Rule& rule, const LanguageLimits& limits);

}  // namespace maskwork
