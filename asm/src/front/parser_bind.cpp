// PARAM declarations and bindings, and constants.
#include "parser.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace maskwork::front {

namespace {

// Nearest float or double; beyond the range infinity, as rounding to nearest has it.
template <typename Real>
Real to_real(std::string_view text) {
    Real value{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec == std::errc::result_out_of_range) {
        const double rough = std::strtod(std::string(text).c_str(), nullptr);
        value = rough > 1.0 ? std::numeric_limits<Real>::infinity() : Real{0};
    }
    return value;
}

}  // namespace

void Parser::parse_param(const VariableModifiers& modifiers) {
    const Token& name = declared_name();
    const ArraySize size = parse_array_size();
    const Token& equals = peek();
    if (!accept('=')) fail(equals, "'=' and a binding", "a PARAM needs a value: { ... }, a constant, program.local[n] or program.env[n]");
    ast::Variable variable;
    variable.kind = ast::VariableKind::param;
    variable.typing = modifiers.typing;
    variable.is_array = size.array;
    bool good = true;
    const Token& first = peek();
    const bool list = first.is('{') && (size.array || peek(1).kind == TokenKind::identifier || peek(1).is('{'));
    if (size.array && !list) fail(first, "'{' and the bindings of the array");
    if (list) {
        take();
        do {
            good &= parse_param_item(variable.elements, modifiers.typing, true);
        } while (accept(','));
        expect('}', "behind the bindings");
    } else {
        good = parse_param_item(variable.elements, modifiers.typing, false);
    }
    if (list && !size.array) {
        error("L15", first.span(), fmt::format("a list of bindings for {}, which is not an array", name.text),
              fmt::format("declare it as {}[]", name.text));
        good = false;
    } else if (good && size.size && *size.size != variable.elements.size()) {
        error("L15", size.where, fmt::format("{} has {} elements and {} bindings", name.text, *size.size, variable.elements.size()),
              fmt::format("write {}[{}] or {}[]", name.text, variable.elements.size(), name.text));
        good = false;
    }
    variable.size = static_cast<std::uint32_t>(variable.elements.size());
    parameters_.add(variable.size, limits_.parameters, name.span());
    if (good) declare(name, std::move(variable));
    else if (check_new_name(name)) declare_refused(name);
    expect_semicolon();
}

// One item of a binding list.  False if it was refused.
bool Parser::parse_param_item(std::vector<ast::ParamElement>& elements, ast::BaseType type, bool array) {
    const Token& first = peek();
    if (first.is("program")) return parse_program_parameter(elements, array);
    if (first.is("state")) return parse_state_parameter(elements);
    ast::ConstantVector vector;
    if (first.is('{')) {
        vector = parse_constant_vector();
    } else if (first.is('-') || first.is('+') || first.kind == TokenKind::integer || first.kind == TokenKind::floating) {
        vector.components.fill(parse_constant());
        constant_where_.fill(constant_where_[0]);
    } else {
        fail(first, "a constant, program.local[n] or program.env[n]");
    }
    const bool good = type_constants(vector, type == ast::BaseType::none ? ast::BaseType::f : type, false, false);
    elements.push_back({ast::ParamSource::constant, static_cast<std::uint32_t>(program_.constants.size())});
    program_.constants.push_back(std::move(vector));
    return good;
}

// program.local[a], program.env[a], and for arrays [a..b].
bool Parser::parse_program_parameter(std::vector<ast::ParamElement>& elements, bool array) {
    const Token& first = take();
    expect('.', "and local or env");
    const Token& bank = expect_identifier("local or env");
    const bool local = bank.is("local"), length = bank.is("storagelen");
    if (length) need_option(OptionKind::storage, join(first.span(), bank), "program.storagelen");
    if (!local && !length && !bank.is("env")) {
        if (bank.is("buffer") || bank.is("storage") || bank.is("sharedmem"))
            fail(bank, "local or env", fmt::format("program.{} cannot be bound to a PARAM", bank.text));
        fail(bank, "local or env");
    }
    const std::uint32_t limit = local ? limits_.local_parameters : length ? limits_.storage_bindings : limits_.env_parameters;
    expect('[', "and the number of the parameter");
    const Token& low = peek();
    const std::uint32_t from = expect_integer("the number of a parameter");
    std::uint32_t to = from;
    const bool range = peek().kind == TokenKind::range;
    const Token& high = range ? (take(), peek()) : low;
    if (range) to = expect_integer("the number of the last parameter");
    expect(']', "behind the number of the parameter");
    if (range && !array) {
        error("L15", join(low.span(), high), "several bindings for a variable that is not an array",
              "write [] behind its name and the bindings in braces");
        return false;
    }
    if (from > to) {
        error("L22", join(low.span(), high), fmt::format("the range {}..{} runs backwards", from, to), "the smaller number comes first");
        return false;
    }
    if (to >= limit) {
        error("L22", from >= limit ? low.span() : high.span(),
              fmt::format("program.{}[{}] does not exist", bank.text, from >= limit ? from : to),
              fmt::format("the parameters are 0 to {}", limit - 1));
        return false;
    }
    for (std::uint32_t i = from; i <= to; ++i) {
        if (length) add_fixed_parameter(elements, 0);  // always 0 for assembly programs
        else elements.push_back({local ? ast::ParamSource::local : ast::ParamSource::env, i});
    }
    return true;
}

// A binding whose four components always have this value.
void Parser::add_fixed_parameter(std::vector<ast::ParamElement>& elements, std::uint32_t value) {
    ast::ConstantVector vector;
    vector.type = ast::BaseType::u;
    vector.any_type = true;
    for (ast::Constant& c : vector.components) {
        c.magnitude = c.bits = value;
        c.value = value;
        c.text = std::to_string(value);
    }
    elements.push_back({ast::ParamSource::constant, static_cast<std::uint32_t>(program_.constants.size())});
    program_.constants.push_back(std::move(vector));
}

// state.thread.warpsize, warpspersm, smcount.
bool Parser::parse_state_parameter(std::vector<ast::ParamElement>& elements) {
    const Token& first = take();
    expect('.', "and thread");
    const Token& group = expect_identifier("thread");
    if (!group.is("thread")) {
        not_yet(join(first.span(), group), fmt::format("state.{}", group.text), "state.thread.* is there");
        while (peek().kind != TokenKind::end && !peek().is(';') && !peek().is(',') && !peek().is('}')) take();
        return false;
    }
    expect('.', "and warpsize, warpspersm or smcount");
    const Token& name = expect_identifier("warpsize, warpspersm or smcount");
    need_option(OptionKind::thread_group, join(first.span(), name), fmt::format("state.thread.{}", name.text));
    if (name.is("warpsize")) add_fixed_parameter(elements, 32);
    else if (name.is("smcount")) add_fixed_parameter(elements, 1);
    else if (name.is("warpspersm")) elements.push_back({ast::ParamSource::warps_per_sm, 0});
    else fail(name, "warpsize, warpspersm or smcount");
    return true;
}

// { a [, b [, c [, d]]] } with a sign before each; missing y, z, w are 0, 0, 1.
ast::ConstantVector Parser::parse_constant_vector() {
    ast::ConstantVector vector;
    for (std::size_t i = 1; i < 4; ++i) {
        vector.components[i].magnitude = i == 3;
        vector.components[i].text.assign(1, i == 3 ? '1' : '0');
    }
    expect('{', "and constants");
    std::size_t count = 0;
    do {
        if (count == 4) fail(peek(), "'}'", "a vector has at most four components");
        vector.components[count] = parse_constant(count);
        ++count;
    } while (accept(','));
    expect('}', "or ',' behind a constant");
    return vector;
}

// A number with an optional sign; its place goes to constant_where_[slot].
ast::Constant Parser::parse_constant(std::size_t slot) {
    ast::Constant constant;
    const Token& first = peek();
    if (first.is('-') || first.is('+')) constant.negative = take().is('-');
    const Token& token = peek();
    if (token.kind != TokenKind::integer && token.kind != TokenKind::floating) {
        const bool word = token.is("inf") || token.is("nan") || token.is("INF") || token.is("NaN");
        fail(token, "a number",
             word ? "there are no words for infinities and NaNs: move their bits, for example 0x7f800000, with MOV.U" : "");
    }
    take();
    constant_where_[slot] = join(first.span(), token);
    constant.is_float = token.kind == TokenKind::floating;
    constant.magnitude = constant.is_float ? 0 : token.value;
    constant.text = std::string(token.text);
    constant.overflow = token.overflow;
    return constant;
}

// Fills in value and bits for the type in which the constant is read.  `negated_operand`: a bare scalar with a sign, where the sign is
// the operand's negation and -2147483648 is in range.
bool Parser::type_constant(ast::Constant& c, ast::BaseType type, bool wide, ast::SourceSpan where, bool negated_operand) {
    const bool hex = c.text.starts_with("0x");
    c.value = hex ? static_cast<double>(c.magnitude) : to_real<double>(c.text);
    if (c.negative) c.value = -c.value;
    if (wide && (type == ast::BaseType::f || type == ast::BaseType::none)) {
        std::uint64_t pattern;
        std::memcpy(&pattern, &c.value, sizeof pattern);
        c.bits = static_cast<std::uint32_t>(pattern);
        c.high = static_cast<std::uint32_t>(pattern >> 32);
        return true;
    }
    if (type == ast::BaseType::f || type == ast::BaseType::none) {
        float value = hex ? static_cast<float>(c.magnitude) : to_real<float>(c.text);
        if (c.negative) value = -value;
        std::memcpy(&c.bits, &value, sizeof value);
        return true;
    }
    if (c.is_float) {
        error("L06", where, fmt::format("the float constant {} where a {} is needed", c.text, ast::name_of(type)),
              "write an integer, or use the instruction with .F");
        return false;
    }
    if (c.negative && type == ast::BaseType::u && c.magnitude != 0) {
        error("L07", where, fmt::format("the negative constant -{} where an unsigned integer is needed", c.text),
              "use .S, or put the sign before the braces to negate the operand");
        return false;
    }
    // A hexadecimal number is a bit pattern: 0xFFFFFFFF is -1 for a signed operand.
    const std::uint64_t all_ones = wide ? ~std::uint64_t{0} : 0xffffffffull;
    const std::uint64_t largest = type == ast::BaseType::u || hex ? all_ones : (all_ones >> 1) + (c.negative || negated_operand ? 1 : 0);
    if (c.overflow || c.magnitude > largest) {
        error("L05", where,
              fmt::format("the constant {}{} does not fit a {}-bit {}", c.negative ? "-" : "", c.text, wide ? 64 : 32, ast::name_of(type)),
              fmt::format("the largest is {}", largest));
        return false;
    }
    const std::uint64_t pattern = c.negative ? 0 - c.magnitude : c.magnitude;
    c.bits = static_cast<std::uint32_t>(pattern);
    c.high = wide ? static_cast<std::uint32_t>(pattern >> 32) : 0;
    return true;
}

bool Parser::type_constants(ast::ConstantVector& vector, ast::BaseType type, bool wide, bool negated_operand) {
    vector.type = type == ast::BaseType::none ? ast::BaseType::f : type;
    for (std::size_t i = 0; i < 4; ++i)
        if (!type_constant(vector.components[i], type, wide, constant_where_[i], negated_operand)) return false;
    return true;
}

}  // namespace maskwork::front
