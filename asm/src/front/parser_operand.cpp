// Results and operands: variables, bindings used in place, constants, signs and bars, swizzles, masks, conditions, and their rules.
#include "closest.hpp"
#include "parser.hpp"

#include <fmt/format.h>

namespace maskwork::front {

namespace {

using ast::VariableKind;

std::string_view kind_name(VariableKind kind) {
    switch (kind) {
        case VariableKind::temp: return "temporary";
        case VariableKind::attrib: return "built-in input";
        case VariableKind::param: return "parameter";
        case VariableKind::storage: return "storage variable";
        case VariableKind::shared: return "shared variable";
        case VariableKind::constant_buffer:
        case VariableKind::buffer: return "parameter buffer";
        case VariableKind::subroutine: return "subroutine variable";
    }
    return "variable";
}

}  // namespace

void Parser::parse_destination(ast::Instruction& instruction) {
    ast::Destination& result = instruction.destination;
    const Token& name = peek();
    if (name.is("result")) {
        error("L30", name.span(), "a result variable in a compute program", "a compute program has no results: store to memory");
        throw SyntaxError{};
    }
    if (name.is("program") || name.is("invocation") || name.is("state") || name.kind == TokenKind::integer ||
        name.kind == TokenKind::floating || name.is('{')) {
        error("L29", name.span(), "the result is written to something that cannot be written", "results go to a TEMP");
        throw SyntaxError{};
    }
    if (name.kind != TokenKind::identifier) fail(name, "the variable that takes the result");
    take();
    std::uint32_t variable = parse_name_use(name);
    if (variable != ast::kNone && program_.variables[variable].kind != VariableKind::temp) {
        wrong_kind(name, program_.variables[variable].kind, true);
        variable = ast::kNone;
    }
    result.variable = variable;
    parse_element(variable, name, result.index);
    result.mask = parse_write_mask();
    result.where = join(name.span(), tokens_[at_ - 1]);
    if (peek().is('(')) result.cc_mask = parse_cc_mask();
    check_typing(instruction, variable, result.type, name.span(), true);
    check_pack_width(instruction, variable, name.span(), true);
    result.fit = fit(variable, info(instruction.opcode).signature.front() == 'q' ? ast::BaseType::u : result.type, result.wide, name.span(), true);
    if (instruction.opcode == ast::Opcode::RFL && (result.mask & 8) != 0 && tokens_[at_ - 1].text.find_first_of("wa") != std::string_view::npos)
        error("L75", tokens_[at_ - 1].span(), "RFL writes w", "its result has x, y and z: write a mask without w, for example .xyz");
}

// [sign] base  or  [sign] | [sign] base |
void Parser::parse_operand(ast::Instruction& instruction, ast::BaseType type, bool wide, bool scalar) {
    ast::Operand& operand = instruction.operands[instruction.operand_count++];
    operand.type = type;
    operand.wide = wide;
    operand.scalar = scalar;
    const Token& first = peek();
    bool sign = false;
    if (peek().is('-') || peek().is('+')) sign = take().is('-');
    if (accept('|')) {
        operand.absolute = true;
        operand.negate_outer = sign;
        if (peek().is('-') || peek().is('+')) operand.negate_inner = take().is('-');
        parse_operand_base(instruction, operand);
        expect('|', "behind the operand, for its absolute value");
    } else {
        operand.negate_inner = sign;
        parse_operand_base(instruction, operand);
    }
    operand.where = join(first.span(), tokens_[at_ - 1]);
    if (instruction.opcode == ast::Opcode::CVT && (operand.absolute || first.is('-') || first.is('+')))
        error("L69", first.span(), "a sign or absolute value on the operand of CVT", "use MOV or ABS before");
}

void Parser::parse_operand_base(ast::Instruction& instruction, ast::Operand& operand) {
    const Token& first = peek();
    if (first.kind == TokenKind::integer || first.kind == TokenKind::floating || first.is('{')) {
        operand.kind = ast::OperandKind::constant;
        ast::ConstantVector vector;
        const bool bare = !first.is('{');
        if (bare) {
            vector.components.fill(parse_constant());
            constant_where_.fill(constant_where_[0]);
        } else {
            vector = parse_constant_vector();
        }
        if (!bare) parse_operand_swizzle(operand, first.span());
        type_constants(vector, operand.type, operand.wide, bare && operand.negate_inner);
        operand.variable = static_cast<std::uint32_t>(program_.constants.size());
        program_.constants.push_back(std::move(vector));
        return;
    }
    if (first.kind != TokenKind::identifier) fail(first, "an operand");
    std::uint32_t variable = ast::kNone;
    const bool binding = first.is("program") || first.is("invocation") || first.is("state") || first.is("result") || first.is("texture") ||
                         first.is("image");
    if (binding) {
        variable = parse_binding_use();
    } else {
        take();
        variable = parse_name_use(first);
        if (variable != ast::kNone) {
            const VariableKind kind = program_.variables[variable].kind;
            if (kind != VariableKind::temp && kind != VariableKind::attrib && kind != VariableKind::param && kind != VariableKind::buffer) {
                wrong_kind(first, kind, false);
                variable = ast::kNone;
            }
        }
        if (variable == ast::kNone || program_.variables[variable].kind == VariableKind::buffer) parse_byte_index(variable, operand, first, 0);
        else parse_element(variable, first, operand.index);
    }
    operand.variable = variable;
    if (variable != ast::kNone || peek().is('.')) parse_operand_swizzle(operand, first.span());
    check_typing(instruction, variable, operand.type, first.span(), false);
    check_pack_width(instruction, variable, first.span(), false);
    operand.fit = fit(variable, info(instruction.opcode).operands() == "q" ? ast::BaseType::u : operand.type, operand.wide, first.span(), false);
}

// SWZ: a variable or constant without sign, bars or swizzle, and four selectors.
void Parser::parse_swz_operand(ast::Instruction& instruction) {
    ast::Operand& operand = instruction.operands[instruction.operand_count++];
    operand.type = ast::base_of(instruction.modifiers.type);
    const Token& first = peek();
    if (first.is('-') || first.is('+') || first.is('|')) {
        error("L74", first.span(), "a sign or absolute value on the operand of SWZ", "each of the four selectors may have a sign");
        throw SyntaxError{};
    }
    plain_operand_ = true;
    parse_operand_base(instruction, operand);
    plain_operand_ = false;
    operand.where = join(first.span(), tokens_[at_ - 1]);
    std::string_view set;
    for (ast::SwzSelector& selector : instruction.selectors) {
        expect(',', "and four selectors of SWZ: 0, 1, x, y, z or w, each with an optional sign");
        if (peek().is('-') || peek().is('+')) selector.negate = take().is('-');
        const Token& token = take();
        using Source = ast::SwzSelector::Source;
        if (token.kind == TokenKind::integer && token.value <= 1 && token.text.size() == 1) {
            selector.source = token.value == 0 ? Source::zero : Source::one;
            continue;
        }
        const bool letter = token.kind == TokenKind::identifier && token.text.size() == 1;
        const std::string_view own = !letter                                                          ? ""
                                     : std::string_view("xyzw").find(token.text) != std::string_view::npos ? "xyzw"
                                     : std::string_view("rgba").find(token.text) != std::string_view::npos ? "rgba"
                                                                                                           : "";
        if (own.empty()) fail(token, "a selector of SWZ", "a selector is 0, 1, x, y, z or w, with an optional sign");
        if (!set.empty() && set != own) error("L09", token.span(), "the selectors mix xyzw and rgba", "use letters of xyzw, or of rgba");
        if (set.empty()) set = own;
        selector.source = static_cast<Source>(own.find(token.text));
    }
}

// How a variable of one width serves an operation of the other.  Floats have no conversion here: that takes 64-bit floating point.
ast::Fit Parser::fit(std::uint32_t variable, ast::BaseType type, bool wide, ast::SourceSpan where, bool write) {
    if (variable == ast::kNone || type == ast::BaseType::none) return ast::Fit::same;
    const bool long_variable = program_.variables[variable].width == ast::Width::wide;
    if (long_variable == wide) return ast::Fit::same;
    if (type == ast::BaseType::f) {
        not_yet(where, "the conversion between 32-bit and 64-bit floats",
                fmt::format("{} is {}LONG: use an integer instruction, or a variable of the instruction's width", program_.variables[variable].name,
                            long_variable ? "" : "not "));
        return ast::Fit::same;
    }
    return long_variable != write ? ast::Fit::truncate : ast::Fit::extend;
}

// L70 and L71: the widths of packed words.
void Parser::check_pack_width(const ast::Instruction& instruction, std::uint32_t variable, ast::SourceSpan where, bool write) {
    using ast::Opcode;
    if (variable == ast::kNone) return;
    const ast::Variable& v = program_.variables[variable];
    const std::string_view name = ast::name_of(instruction.opcode);
    switch (instruction.opcode) {
        case Opcode::PK2H:
        case Opcode::PK2US:
        case Opcode::PK4B:
        case Opcode::PK4UB:
            if (write && v.width == ast::Width::half)
                error("L70", where, fmt::format("{} into the SHORT variable {}", name, v.name), "the packed word has 32 bits");
            break;
        case Opcode::UP2H:
        case Opcode::UP2US:
        case Opcode::UP4B:
        case Opcode::UP4UB:
            if (!write && v.width == ast::Width::half)
                error("L70", where, fmt::format("{} from the SHORT variable {}", name, v.name), "the packed word has 32 bits");
            break;
        case Opcode::PK64:
            if (write && v.width != ast::Width::wide)
                error("L71", where, fmt::format("PK64 into {}, which is not LONG", v.name), "declare the result with LONG TEMP");
            break;
        case Opcode::UP64:
            if (!write && v.width != ast::Width::wide)
                error("L71", where, fmt::format("UP64 from {}, which is not LONG", v.name), "declare the operand with LONG TEMP");
            break;
        default: break;
    }
}

// Swizzle of one or four letters; exactly one letter for a scalar.
void Parser::parse_operand_swizzle(ast::Operand& operand, ast::SourceSpan where) {
    if (!peek().is('.')) {
        if (operand.scalar) error("L74", where, "a scalar operand needs one component", "append .x, .y, .z or .w");
        return;
    }
    if (plain_operand_) {
        error("L74", peek(1).span(), "a swizzle on the operand of SWZ", "its four selectors choose the components");
        throw SyntaxError{};
    }
    take();
    const Token& letters = expect_identifier("a swizzle");
    if (!read_components(letters, operand.swizzle)) return;
    if (operand.scalar && letters.text.size() != 1)
        error("L74", letters.span(), "a scalar operand needs one component", fmt::format("for example .{}", letters.text.front()));
}

// The letters of a swizzle, all from xyzw or all from rgba; one letter stands for all four.
bool Parser::read_components(const Token& token, ast::Swizzle& swizzle) {
    const std::string_view text = token.text;
    if (text.size() != 1 && text.size() != 4) {
        const bool letters = text.size() < 4 && text.find_first_not_of("xyzwrgba") == std::string_view::npos;
        error("L09", token.span(), fmt::format("the swizzle {} has {} letters", describe(token), text.size()),
              letters ? fmt::format("a swizzle has one or four letters: {}{}", text, std::string(4 - text.size(), text.back()))
                      : "a swizzle has one or four letters");
        return false;
    }
    const std::string_view set = std::string_view("xyzw").find(text.front()) != std::string_view::npos ? "xyzw" : "rgba";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t component = set.find(text[i]);
        if (component == std::string_view::npos) {
            const bool mixed = std::string_view("xyzwrgba").find(text[i]) != std::string_view::npos;
            error("L09", token.span(),
                  mixed ? fmt::format("the swizzle {} mixes xyzw and rgba", describe(token))
                        : fmt::format("the swizzle {} has a letter that is no component", describe(token)),
                  "use letters of xyzw, or of rgba");
            return false;
        }
        swizzle[i] = static_cast<std::uint8_t>(component);
    }
    if (text.size() == 1) swizzle.fill(swizzle[0]);
    return true;
}

// Letters of xyzw or of rgba in this order, each at most once.
std::uint8_t Parser::parse_write_mask() {
    if (!accept('.')) return 0xf;
    const Token& token = expect_identifier("a write mask");
    const std::string_view set = std::string_view("xyzw").find(token.text.front()) != std::string_view::npos ? "xyzw" : "rgba";
    unsigned mask = 0;
    std::size_t next = 0;
    for (const char letter : token.text) {
        const std::size_t component = set.find(letter);
        if (component == std::string_view::npos) {
            const bool mixed = std::string_view("xyzwrgba").find(letter) != std::string_view::npos;
            error("L09", token.span(),
                  mixed ? fmt::format("the mask {} mixes xyzw and rgba", describe(token))
                        : fmt::format("the mask {} has a letter that is no component", describe(token)),
                  "use letters of xyzw, or of rgba");
            return 0xf;
        }
        if (component < next) {
            error("L09", token.span(), fmt::format("the letters of the mask {} are out of order", describe(token)),
                  fmt::format("each letter at most once, in the order {}", set));
            return 0xf;
        }
        next = component + 1;
        mask |= 1u << component;
    }
    return static_cast<std::uint8_t>(mask);
}

// A rule such as NE or GT1, with an optional swizzle.
ast::CcTest Parser::parse_cc_test() {
    const Token& name = expect_identifier("a condition such as NE.x");
    const auto rule = find_cc_rule(name.text);
    if (!rule) {
        if (name.is("RESIDENT") || name.is("NONRESIDENT")) {
            not_yet(name.span(), fmt::format("the condition {}", name.text));
            throw SyntaxError{};
        }
        fail(name, "a condition",
             "the conditions are EQ NE LT LE GT GE TR FL NAN LEG CF NCF OF NOF SF NSF AB BLE, with 0 or 1 for the register");
    }
    ast::CcTest test;
    test.present = true;
    test.rule = rule->rule;
    test.reg = rule->reg;
    if (accept('.')) read_components(expect_identifier("a swizzle"), test.swizzle);
    test.where = join(name.span(), tokens_[at_ - 1]);
    return test;
}

ast::CcTest Parser::parse_cc_mask() {
    expect('(', "and a condition");
    ast::CcTest test = parse_cc_test();
    expect(')', "behind the condition");
    return test;
}

// The variable of a name, or kNone if it is not usable (which has been reported).
std::uint32_t Parser::parse_name_use(const Token& name) {
    const auto it = symbols_.find(name.text);
    if (it != symbols_.end()) return it->second.refused ? ast::kNone : it->second.variable;
    if (name.is("handle") && peek().is('(')) {
        if (need_option(OptionKind::bindless, name.span(), "handle()")) not_yet(name.span(), "bindless handles");
        throw SyntaxError{};
    }
    std::string hint = suggest_name(name.text);
    if (hint.empty() && (name.is("inf") || name.is("nan")))
        hint = "there are no words for infinities and NaNs: move their bits, for example 0x7f800000, with MOV.U";
    if (hint.empty() && labels_.contains(name.text)) hint = "this is the name of a label";
    error("L12", name.span(), fmt::format("{} is not declared", describe(name)),
          hint.empty() ? "declare it before its first use, for example with TEMP" : std::move(hint));
    Symbol symbol;
    symbol.refused = symbol.undeclared = true;
    symbol.where = name.span();
    symbols_.emplace(name.text, symbol);
    return ast::kNone;
}

std::string Parser::suggest_name(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const auto& [known, symbol] : symbols_) {
        if (!symbol.refused) names.push_back(known);
        if (names.size() > 1000) break;
    }
    std::sort(names.begin(), names.end());
    const std::string_view meant = closest(name, names);
    return meant.empty() ? std::string() : fmt::format("did you mean {}?", meant);
}

// L13: INT, UINT and FLOAT variables are read and written as their type only.
void Parser::check_typing(const ast::Instruction& instruction, std::uint32_t variable, ast::BaseType type, ast::SourceSpan where,
                          bool write) {
    if (variable == ast::kNone || type == ast::BaseType::none || instruction.modifiers.no_type_check) return;
    const ast::Variable& v = program_.variables[variable];
    if (v.typing == ast::BaseType::none || v.typing == type) return;
    error("L13", where,
          fmt::format("{} holds a {} and is {} as a {}", v.name, ast::name_of(v.typing), write ? "written" : "read", ast::name_of(type)),
          "change the instruction's type, or add .NTC to switch the check off");
}

void Parser::wrong_kind(const Token& name, VariableKind kind, bool write) {
    if (kind == VariableKind::shared)
        error("L48", name.span(), fmt::format("the shared variable {} outside LDS, STS and ATOMS", name.text),
              "load it with LDS or store to it with STS");
    else if (kind == VariableKind::storage)
        error("L51", name.span(), fmt::format("the storage variable {} outside LDB, STB and ATOMB", name.text),
              "load it with LDB or store to it with STB");
    else if (kind == VariableKind::constant_buffer && !write)
        error("L26", name.span(), fmt::format("the constant buffer variable {} outside LDC", name.text),
              "load it with LDC, or declare it as BUFFER or BUFFER4");
    else if (kind == VariableKind::subroutine && !write)
        error("L02", name.span(), fmt::format("the subroutine variable {} as an operand", name.text), "only CALI takes it");
    else if (write)
        error("L29", name.span(), fmt::format("{} is a {} and cannot be written", name.text, kind_name(kind)), "results go to a TEMP");
}

}  // namespace maskwork::front
