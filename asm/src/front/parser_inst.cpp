// Instructions: opcode, modifiers, and the operands in the order of the opcode's row.
#include "closest.hpp"
#include "parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace maskwork::front {

namespace {

std::string unknown_opcode_hint(std::string_view word) {
    std::string upper(word.substr(0, 32));
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (upper != word && split_opcode(upper)) return fmt::format("mnemonics are written in capitals: {}", upper);
    std::vector<std::string_view> names = opcode_names();
    names.insert(names.end(), {"OPTION", "GROUP_SIZE", "SHARED_MEMORY", "TEMP", "ATTRIB", "PARAM", "STORAGE", "SHARED", "ALIAS", "FLOAT",
                               "UINT", "INT"});
    const std::string_view meant = closest(upper, names);
    return meant.empty() ? "" : fmt::format("did you mean {}?", meant);
}

bool is_flow(ast::Opcode opcode) {
    switch (opcode) {
        case ast::Opcode::IF:
        case ast::Opcode::ELSE:
        case ast::Opcode::ENDIF:
        case ast::Opcode::REP:
        case ast::Opcode::ENDREP:
        case ast::Opcode::BRK:
        case ast::Opcode::CONT:
        case ast::Opcode::RET: return true;
        default: return false;
    }
}

}  // namespace

void Parser::parse_instruction() {
    const Token& word = take();
    const auto split = split_opcode(word.text);
    if (!split) {
        error("L02", word.span(), fmt::format("unknown instruction {}", describe(word)), unknown_opcode_hint(word.text));
        throw SyntaxError{};
    }
    const OpcodeInfo& row = info(split->opcode);
    if (row.stage == Stage::other) {
        error("L73", word.span(), fmt::format("{} is not an instruction of compute programs", row.name),
              row.name == "BRA" ? "use IF, REP and CAL" : "it belongs to another kind of program");
        throw SyntaxError{};
    }
    if (!need_option(option_of(split->opcode), word.span(), row.name) && row.stage == Stage::later) throw SyntaxError{};
    if (row.stage == Stage::later) {
        not_yet(word.span(), fmt::format("the instruction {}", row.name));
        throw SyntaxError{};
    }

    current_ = ast::Instruction{};
    ast::Instruction& instruction = current_;
    instruction.opcode = split->opcode;
    instruction.opcode_where = word.span();
    instruction.where = word.span();
    instruction_open_ = is_flow(split->opcode);
    plain_operand_ = false;

    parse_modifiers(*split, word);
    check_memory_declared(row, word.span());
    if (!check_modifiers(row, word.span(), instruction.modifiers)) {
        // Types are unknown now: operands are parsed without checking them against one.
        instruction.modifiers.type = instruction.modifiers.source = ast::DataType::none;
    }
    parse_operands(instruction, row);
    instruction.where = join(word.span(), tokens_[at_ - 1]);
    expect_semicolon();
    program_.instructions.push_back(instruction);
}

void Parser::parse_modifiers(const SplitOpcode& split, const Token& word) {
    modifier_tokens_.clear();
    if (!split.in_order) {
        error("L65", word.span(), fmt::format("the suffixes of {} are in the wrong order", word.text),
              "the order is type (R, H), condition code (C, C0, C1), clamp (_SAT, _SSAT), each at most once");
    } else {
        auto column = word.column + static_cast<std::uint32_t>(split.length);
        for (std::string_view suffix : split.suffixes) {
            const auto length = static_cast<std::uint32_t>(suffix.size());
            modifier_tokens_.push_back({suffix_modifier(suffix), suffix, {word.line, column, length}});
            column += length;
        }
    }
    while (accept('.')) {
        const Token& name = peek();
        const auto modifier = name.kind == TokenKind::identifier ? find_modifier(name.text) : std::nullopt;
        if (!modifier) {
            const std::string_view meant = name.kind == TokenKind::identifier ? closest(name.text, modifier_names()) : std::string_view{};
            fail(name, "a modifier of the instruction", meant.empty() ? "" : fmt::format("did you mean .{}?", meant));
        }
        take();
        modifier_tokens_.push_back({*modifier, name.text, name.span()});
    }
}

// L44 for the instruction itself; once in a program is enough.
void Parser::check_memory_declared(const OpcodeInfo& row, ast::SourceSpan where) {
    const bool shared = row.operands().find('m') != std::string_view::npos;
    if (shared && !shared_memory_ && !shared_reported_) {
        error("L44", where, fmt::format("{} without SHARED_MEMORY", row.name), "declare the number of bytes: SHARED_MEMORY 1024;");
        shared_reported_ = true;
    }
}

void Parser::parse_operands(ast::Instruction& instruction, const OpcodeInfo& row) {
    const ast::Modifiers& modifiers = instruction.modifiers;
    const bool typed = modifiers.type != ast::DataType::none;
    const ast::DataType read = instruction.opcode == ast::Opcode::CVT ? modifiers.source : modifiers.type;
    const ast::BaseType result = ast::base_of(modifiers.type);
    const ast::BaseType source = ast::base_of(read);
    // A storage type of 64 bits moves 64-bit components; elsewhere the type is that of the operation.
    const bool wide_result = ast::bytes_of(modifiers.type) == 8;
    const bool wide_source = ast::bytes_of(read) == 8;
    bool comma = false;
    if (row.has_result()) {
        ast::Destination& d = instruction.destination;
        const char kind = row.signature.front();
        d.type = !typed ? result : kind == 'f' ? ast::BaseType::f : kind == 'u' ? ast::BaseType::u : result;
        d.wide = kind == 'q' || (kind != 'f' && wide_result);
        parse_destination(instruction);
        comma = true;
    }
    for (const char kind : row.operands()) {
        if (kind != 'c') {
            if (comma) expect(',', fmt::format("and another operand of {}", row.name));
            comma = true;
        }
        switch (kind) {
            case 'v': parse_operand(instruction, source, wide_source, false); break;
            case 's': parse_operand(instruction, source, wide_source, true); break;
            case 'f': parse_operand(instruction, typed ? ast::BaseType::f : result, false, false); break;
            case 'u': parse_operand(instruction, typed ? ast::BaseType::u : result, wide_source, false); break;
            case 'q': parse_operand(instruction, source, true, false); break;
            case 'w': parse_swz_operand(instruction); break;
            case 'm': parse_memory_operand(instruction, ast::VariableKind::shared); break;
            case 'b': parse_memory_operand(instruction, ast::VariableKind::storage); break;
            case 'k': parse_constant_buffer_operand(instruction); break;
            case 'a': parse_address_operand(instruction); break;
            case 'y': parse_indirect_call(instruction); break;
            case 'r':
                if (!peek().is(';')) parse_operand(instruction, source, wide_source, false);
                break;
            case 'l': {
                const Token& label = expect_identifier("the label of a subroutine");
                calls_.emplace_back(static_cast<std::uint32_t>(program_.instructions.size()), label);
                break;
            }
            case 'i':
                if (peek().is('(')) fail(peek(), "a condition", "IF takes its condition without parentheses: IF NE.x;");
                instruction.condition = parse_cc_test();
                break;
            default:
                if (peek().is('(')) instruction.condition = parse_cc_mask();
                break;
        }
    }
}

}  // namespace maskwork::front
