// Look-up of the words of the language: opcodes, modifiers, condition rules, options.
#pragma once

#include "maskwork/asm/ast.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskwork::front {

enum class Stage : std::uint8_t { now, later, other };
enum class TypeClass : std::uint8_t { N, F, I, FI, S, A, C };

// One row of maskwork/asm/opcodes.def.
struct OpcodeInfo {
    std::string_view name;
    Stage stage;
    std::string_view signature;
    TypeClass types;
    ast::BaseType fallback;
    std::string_view permit_letters;

    bool permits(char letter) const { return permit_letters.find(letter) != std::string_view::npos; }
    bool has_result() const { return signature.front() != '-'; }
    std::string_view operands() const { return signature.substr(2); }
};

const OpcodeInfo& info(ast::Opcode opcode);
std::optional<ast::Opcode> find_opcode(std::string_view name);
const std::vector<std::string_view>& opcode_names();  // those accepted now, for suggestions

// A word after a point (".S"), or an old suffix glued to an opcode ("C1", "_SAT").
enum class ModifierKind : std::uint8_t {
    type,
    cc,
    clamp,
    mul,
    rounding,
    atomic,
    cta,
    coherent,
    is_volatile,
    no_type_check,
    precise,
    foreign,  // a modifier of instructions that are refused
};

struct Modifier {
    ModifierKind kind = ModifierKind::foreign;
    std::uint8_t value = 0;  // of the enumeration in ast.hpp that belongs to the kind
    std::uint8_t count = 1;  // X2, X4
    bool unsized = false;    // .F .S .U
};

std::optional<Modifier> find_modifier(std::string_view word);
const std::vector<std::string_view>& modifier_names();

// Splits an opcode with glued suffixes, longest opcode first.
struct SplitOpcode {
    ast::Opcode opcode;
    std::size_t length;                      // of the opcode itself
    std::vector<std::string_view> suffixes;  // R H C C0 C1 _SAT _SSAT as written
    bool in_order;                           // type, then condition code, then clamp, each at most once
};
std::optional<SplitOpcode> split_opcode(std::string_view word);
Modifier suffix_modifier(std::string_view suffix);

struct CcName {
    ast::CcRule rule;
    std::uint8_t reg;
};
std::optional<CcName> find_cc_rule(std::string_view word);

enum class OptionKind : std::uint8_t {
    accepted,  // no effect, or its features are refused where they are used
    other_stage,
    // Those that make a feature part of the language:
    storage,
    variable_size,
    atomic_float,
    atomic_float64,
    atomic_int64,
    atomic_half,
    memory_extended,
    thread_group,
    thread_shuffle,
    counters,
    bindless,
    image_size,
    image_samples,
    count,
};
std::optional<OptionKind> find_option(std::string_view name);
std::string_view option_name(OptionKind kind);
OptionKind option_of(ast::Opcode opcode);  // `accepted` if the instruction needs none
std::string_view option_rule(OptionKind kind);  // the rule that a use without the option breaks
const std::vector<std::string_view>& option_names();

}  // namespace maskwork::front
