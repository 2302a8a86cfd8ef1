#include "opcode_table.hpp"

#include <array>
#include <unordered_map>

namespace maskwork::front {

namespace {

using ast::Opcode;

constexpr ast::BaseType base_from(char letter) {
    return letter == 'F' ? ast::BaseType::f : letter == 'S' ? ast::BaseType::s : ast::BaseType::none;
}

constexpr OpcodeInfo kOpcodes[] = {
#define MW_OPCODE(name, stage, signature, types, fallback, permits) \
    {#name, Stage::stage, signature, TypeClass::types, base_from(#fallback[0]), permits},
#include "maskwork/asm/opcodes.def"
#undef MW_OPCODE
};

template <typename Value>
using Words = std::unordered_map<std::string_view, Value>;

const Words<Opcode>& opcodes_by_name() {
    static const Words<Opcode> map = [] {
        Words<Opcode> m;
        for (std::size_t i = 0; i < std::size(kOpcodes); ++i) m.emplace(kOpcodes[i].name, static_cast<Opcode>(i));
        return m;
    }();
    return map;
}

// R, H, C, C0, C1, _SAT, _SSAT at the start of `rest`; empty if there is none.
std::string_view leading_suffix(std::string_view rest) {
    for (std::string_view suffix : {"_SSAT", "_SAT", "C0", "C1", "C", "R", "H"})
        if (rest.starts_with(suffix)) return rest.substr(0, suffix.size());
    return {};
}

int suffix_rank(std::string_view suffix) {
    return suffix[0] == '_' ? 3 : suffix[0] == 'C' ? 2 : 1;
}

struct CcEntry {
    std::string_view name;
    ast::CcRule rule;
};
constexpr CcEntry kCcRules[] = {
    {"EQ", ast::CcRule::eq}, {"GE", ast::CcRule::ge},   {"GT", ast::CcRule::gt},   {"LE", ast::CcRule::le},   {"LT", ast::CcRule::lt},
    {"NE", ast::CcRule::ne}, {"TR", ast::CcRule::tr},   {"FL", ast::CcRule::fl},   {"NAN", ast::CcRule::nan}, {"LEG", ast::CcRule::leg},
    {"CF", ast::CcRule::cf}, {"OF", ast::CcRule::of},   {"NCF", ast::CcRule::ncf}, {"NOF", ast::CcRule::nof}, {"SF", ast::CcRule::sf},
    {"AB", ast::CcRule::ab}, {"BLE", ast::CcRule::ble}, {"NSF", ast::CcRule::nsf},
};

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
    return kOpcodes[static_cast<std::size_t>(opcode)];
}

std::optional<Opcode> find_opcode(std::string_view name) {
    const auto it = opcodes_by_name().find(name);
    if (it == opcodes_by_name().end()) return std::nullopt;
    return it->second;
}

const std::vector<std::string_view>& opcode_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> v;
        for (const OpcodeInfo& row : kOpcodes)
            if (row.stage == Stage::now) v.push_back(row.name);
        return v;
    }();
    return names;
}

std::optional<SplitOpcode> split_opcode(std::string_view word) {
    for (std::size_t length = word.size(); length >= 2; --length) {
        const auto opcode = find_opcode(word.substr(0, length));
        if (!opcode) continue;
        SplitOpcode split{*opcode, length, {}, true};
        std::string_view rest = word.substr(length);
        int rank = 0;
        while (!rest.empty()) {
            const std::string_view suffix = leading_suffix(rest);
            if (suffix.empty()) break;
            if (suffix_rank(suffix) <= rank) split.in_order = false;
            rank = suffix_rank(suffix);
            split.suffixes.push_back(suffix);
            rest.remove_prefix(suffix.size());
        }
        if (rest.empty()) return split;
    }
    return std::nullopt;
}

Modifier suffix_modifier(std::string_view suffix) {
    if (suffix == "_SAT") return *find_modifier("SAT");
    if (suffix == "_SSAT") return *find_modifier("SSAT");
    if (suffix == "R" || suffix == "H") return *find_modifier("F");
    return *find_modifier(suffix == "C1" ? "CC1" : "CC0");
}

std::optional<CcName> find_cc_rule(std::string_view word) {
    std::uint8_t reg = 0;
    if (word.size() > 2 && (word.back() == '0' || word.back() == '1')) {
        reg = static_cast<std::uint8_t>(word.back() - '0');
        word.remove_suffix(1);
    }
    for (const CcEntry& entry : kCcRules)
        if (entry.name == word) return CcName{entry.rule, reg};
    return std::nullopt;
}

}  // namespace maskwork::front

namespace maskwork::ast {

std::string_view name_of(Opcode opcode) {
    return front::info(opcode).name;
}

BaseType base_of(DataType type) {
    switch (type) {
        case DataType::none: return BaseType::none;
        case DataType::f16:
        case DataType::f32:
        case DataType::f64: return BaseType::f;
        case DataType::s8:
        case DataType::s16:
        case DataType::s32:
        case DataType::s64: return BaseType::s;
        case DataType::u8:
        case DataType::u16:
        case DataType::u32:
        case DataType::u64: return BaseType::u;
    }
    return BaseType::none;
}

unsigned bytes_of(DataType type) {
    constexpr std::array<unsigned char, 12> bytes{0, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    return bytes[static_cast<std::size_t>(type)];
}

std::string_view name_of(DataType type) {
    constexpr std::array<std::string_view, 12> names{"", "F16", "F32", "F64", "S8", "S16", "S32", "S64", "U8", "U16", "U32", "U64"};
    return names[static_cast<std::size_t>(type)];
}

std::string_view name_of(BaseType type) {
    constexpr std::array<std::string_view, 4> names{"typeless", "float", "signed integer", "unsigned integer"};
    return names[static_cast<std::size_t>(type)];
}

}  // namespace maskwork::ast
