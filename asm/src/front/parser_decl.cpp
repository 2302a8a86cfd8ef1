// Options, declarations of the program, and declarations of variables without bindings.
#include "closest.hpp"
#include "parser.hpp"

#include <fmt/format.h>

#include <array>

namespace maskwork::front {

namespace {

struct AttributeName {
    std::string_view name;
    ast::Attribute attribute;
};
constexpr std::array<AttributeName, 14> kAttributes{{
    {"localid", ast::Attribute::local_id},
    {"globalid", ast::Attribute::global_id},
    {"groupid", ast::Attribute::group_id},
    {"groupcount", ast::Attribute::group_count},
    {"groupsize", ast::Attribute::group_size},
    {"localindex", ast::Attribute::local_index},
    {"threadid", ast::Attribute::thread_id},
    {"threadeqmask", ast::Attribute::thread_eq_mask},
    {"threadltmask", ast::Attribute::thread_lt_mask},
    {"threadlemask", ast::Attribute::thread_le_mask},
    {"threadgtmask", ast::Attribute::thread_gt_mask},
    {"threadgemask", ast::Attribute::thread_ge_mask},
    {"warpid", ast::Attribute::warp_id},
    {"smid", ast::Attribute::sm_id},
}};

const std::unordered_set<std::string_view> kReserved{"program", "result", "state", "texture", "invocation", "image"};

}  // namespace

bool Parser::parse_declaration(const Token& keyword) {
    const std::string_view word = keyword.text;
    if (word == "OPTION") {
        take();
        if (section_ != Section::options)
            error("L03", keyword.span(), "OPTION after a declaration or statement", "options come directly after the header");
        parse_option();
    } else if (word == "GROUP_SIZE") {
        take();
        parse_group_size(keyword);
    } else if (word == "SHARED_MEMORY") {
        take();
        parse_shared_memory(keyword);
    } else if (word == "TEMP" || word == "ATTRIB" || word == "PARAM" || word == "ALIAS" || word == "STORAGE" || word == "SHARED" ||
               word == "CBUFFER" || word == "BUFFER" || word == "BUFFER4" || word == "INT" || word == "UINT" || word == "FLOAT" ||
               word == "SHORT" || word == "LONG") {
        section_ = Section::statements;
        parse_modified_variable();
    } else if (word == "SUBROUTINETYPE" || word == "SUBROUTINE") {
        section_ = Section::statements;
        if (word == "SUBROUTINE") parse_subroutine();
        else parse_subroutine_type();
    } else if (word == "TEXTURE" || word == "IMAGE" || word == "COUNTER" || word == "THREAD_MEMORY" || word == "OUTPUT") {
        section_ = Section::statements;
        parse_refused_variable(keyword);
    } else {
        return false;
    }
    return true;
}

void Parser::parse_option() {
    const Token& name = expect_identifier("the name of an option");
    const auto kind = find_option(name.text);
    if (!kind) {
        const std::string_view meant = closest(name.text, option_names());
        error("L03", name.span(), fmt::format("unknown option {}", name.text), meant.empty() ? "" : fmt::format("did you mean {}?", meant));
    } else if (*kind == OptionKind::other_stage) {
        error("L03", name.span(), fmt::format("option {} belongs to another kind of program", name.text),
              "remove it from a compute program");
    } else {
        options_[static_cast<std::size_t>(*kind)] = true;
        if (*kind == OptionKind::variable_size) variable_size_option_ = name;
    }
    program_.options.emplace_back(name.text);
    expect_semicolon();
}

void Parser::parse_group_size(const Token& keyword) {
    if (section_ == Section::statements)
        error("L04", keyword.span(), "GROUP_SIZE after the first statement",
              "it belongs before variables and instructions, behind the options");
    else section_ = Section::declarations;
    const bool repeated = group_size_.has_value();
    if (repeated) error("L41", keyword.span(), "more than one GROUP_SIZE", fmt::format("the first one is in line {}", group_size_->line));
    else group_size_ = keyword;
    if (variable_size_option_)
        error("L43", keyword.span(), "GROUP_SIZE together with option ARB_compute_variable_group_size", "remove the one or the other");
    std::array<std::uint32_t, 3> size{1, 1, 1};
    std::uint64_t product = 1;
    bool good = true;
    for (std::size_t i = 0; i == 0 || (i < 3 && !peek().is(';')); ++i) {
        if (peek().is(',')) fail(peek(), "a number or ';'", "the sizes are separated by blanks: GROUP_SIZE 8 8 1;");
        const Token& number = peek();
        size[i] = expect_integer("a number of threads");
        if (number.value > 0xffffffffu) {
            good = false;
        } else if (size[i] == 0 || size[i] > limits_.group_size[i]) {
            error("L42", number.span(), fmt::format("a group of {} threads in {}", size[i], "xyz"[i]),
                  fmt::format("the size in {} is between 1 and {}", "xyz"[i], limits_.group_size[i]));
            good = false;
        }
        product *= size[i];
    }
    if (good && product > limits_.group_threads)
        error("L42", keyword.span(), fmt::format("a group of {} threads in all", product),
              fmt::format("at most {} threads", limits_.group_threads));
    if (!repeated) program_.group_size = size;
    if (peek().kind == TokenKind::integer || peek().is(','))
        fail(peek(), "';'", "GROUP_SIZE has one to three numbers, separated by blanks");
    expect_semicolon();
}

void Parser::parse_shared_memory(const Token& keyword) {
    if (section_ == Section::statements)
        error("L04", keyword.span(), "SHARED_MEMORY after the first statement",
              "it belongs before variables and instructions, behind GROUP_SIZE");
    else section_ = Section::declarations;
    const Token& number = peek();
    const std::uint32_t bytes = expect_integer("a number of bytes");
    if (shared_memory_) {
        error("L45", keyword.span(), "more than one SHARED_MEMORY", fmt::format("the first one is in line {}", shared_memory_->line));
    } else {
        shared_memory_ = keyword;
        program_.shared_bytes = bytes;
        if (bytes > limits_.shared_bytes && number.value <= 0xffffffffu)
            error("L47", number.span(), fmt::format("{} bytes of shared memory", bytes),
                  fmt::format("at most {} bytes", limits_.shared_bytes));
    }
    expect_semicolon();
}

// [INT|UINT|FLOAT] [SHORT|LONG] TEMP|ATTRIB|PARAM|..., the modifiers in any order.
void Parser::parse_modified_variable() {
    VariableModifiers modifiers;
    bool typed = false, sized = false;
    for (;; take()) {
        const Token& word = peek();
        const bool type = word.is("INT") || word.is("UINT") || word.is("FLOAT");
        const bool width = word.is("SHORT") || word.is("LONG");
        if (!type && !width) break;
        if (type && typed) error("L14", word.span(), "more than one data type in a declaration", "use one of INT, UINT, FLOAT");
        if (width && sized) error("L14", word.span(), "more than one size in a declaration", "use one of SHORT, LONG");
        if (type) modifiers.typing = word.is("INT") ? ast::BaseType::s : word.is("UINT") ? ast::BaseType::u : ast::BaseType::f;
        if (width) {
            modifiers.width = word.is("LONG") ? ast::Width::wide : ast::Width::half;
            modifiers.width_where = word.span();
        }
        typed |= type;
        sized |= width;
        modifiers.any = true;
    }
    parse_variable(modifiers);
}

void Parser::parse_variable(VariableModifiers modifiers) {
    const Token& keyword = peek();
    const bool temp = keyword.is("TEMP");
    if (modifiers.width != ast::Width::normal) {
        const std::string_view name = modifiers.width == ast::Width::wide ? "LONG" : "SHORT";
        if (!temp) error("L21", modifiers.width_where, fmt::format("{} on something other than a TEMP", name), "only temporaries have a size");
    }
    if (temp) {
        take();
        parse_temp(modifiers);
    } else if (keyword.is("ATTRIB")) {
        take();
        parse_attrib(modifiers);
    } else if (keyword.is("PARAM")) {
        take();
        parse_param(modifiers);
    } else if (keyword.is("ALIAS")) {
        check_no_modifiers(modifiers, keyword);
        take();
        parse_alias();
    } else if (keyword.is("STORAGE") || keyword.is("CBUFFER") || keyword.is("BUFFER") || keyword.is("BUFFER4")) {
        check_no_modifiers(modifiers, keyword);
        take();
        parse_buffer(keyword);
    } else if (keyword.is("SHARED")) {
        check_no_modifiers(modifiers, keyword);
        take();
        parse_shared();
    } else if (keyword.is("OUTPUT")) {
        parse_refused_variable(keyword);
    } else {
        fail(keyword, "TEMP, ATTRIB or PARAM");
    }
}

void Parser::check_no_modifiers(const VariableModifiers& modifiers, const Token& keyword) {
    if (modifiers.any) fail(keyword, "TEMP, ATTRIB or PARAM", fmt::format("{} takes no data type", keyword.text));
}

void Parser::parse_temp(const VariableModifiers& modifiers) {
    do {
        const Token& name = declared_name();
        ast::Variable variable;
        variable.typing = modifiers.typing;
        variable.width = modifiers.width;
        if (peek().is('[') && peek(1).kind != TokenKind::integer && !peek(1).is(']')) {
            error("L16", peek(1).span(), fmt::format("the size of the TEMP array {} is not a positive integer", name.text),
                  fmt::format("for example {}[4]", name.text));
            declare_refused(name);
            throw SyntaxError{};
        }
        const ArraySize size = parse_array_size();
        variable.is_array = size.array;
        if (size.array && size.size.value_or(0) == 0)
            error("L16", size.where, fmt::format("the TEMP array {} has no positive size", name.text),
                  fmt::format("write the number of elements: {}[4]", name.text));
        else variable.size = size.size.value_or(1);
        if (size.array && variable.size == 0) variable.size = 1;
        temporaries_.add(variable.size, limits_.temporaries, name.span());
        declare(name, std::move(variable));
    } while (accept(','));
    expect_semicolon();
}

void Parser::parse_attrib(const VariableModifiers& modifiers) {
    const Token& name = declared_name();
    if (peek().is('[')) fail(peek(), "'='", "a compute program has no attribute arrays");
    expect('=', "and a built-in input");
    ast::Variable variable;
    variable.kind = ast::VariableKind::attrib;
    variable.typing = modifiers.typing;
    variable.attribute = parse_invocation_attribute();
    if (variable.attribute == ast::Attribute::none) declare_refused(name);
    else declare(name, std::move(variable));
    expect_semicolon();
}

// "invocation.localid" and so on; `none` if the name was refused.
ast::Attribute Parser::parse_invocation_attribute() {
    const Token& prefix = peek();
    if (prefix.is("state")) {
        not_yet(prefix.span(), "state bindings");
        throw SyntaxError{};
    }
    if (!prefix.is("invocation")) fail(prefix, "a built-in input", "for example invocation.globalid");
    take();
    expect('.', "and the name of a built-in input");
    const Token& name = expect_identifier("the name of a built-in input");
    for (const AttributeName& entry : kAttributes) {
        if (entry.name != name.text) continue;
        if (entry.attribute >= ast::Attribute::thread_id) need_option(OptionKind::thread_group, join(prefix.span(), name), fmt::format("invocation.{}", name.text));
        return entry.attribute;
    }
    std::vector<std::string_view> names;
    for (const AttributeName& entry : kAttributes) names.push_back(entry.name);
    const std::string_view meant = closest(name.text, names);
    error("L02", name.span(), fmt::format("unknown built-in input invocation.{}", name.text),
          meant.empty() ? "there are localid, globalid, groupid, groupcount, groupsize and localindex"
                        : fmt::format("did you mean invocation.{}?", meant));
    return ast::Attribute::none;
}

void Parser::parse_alias() {
    const Token& name = expect_identifier("a new name");
    if (kReserved.contains(name.text)) error("L08", name.span(), fmt::format("{} is a reserved word", name.text), "choose another name");
    expect('=', "and the name of a variable");
    const Token& old = expect_identifier("the name of a variable");
    const auto found = symbols_.find(old.text);
    if (const auto taken = symbols_.find(name.text); taken != symbols_.end()) {
        error("L31", name.span(), fmt::format("the alias {} has the name of an existing variable", name.text),
              fmt::format("{} is declared in line {}", name.text, taken->second.where.line));
    } else if (found == symbols_.end()) {
        std::string hint = suggest_name(old.text);
        error("L31", old.span(), fmt::format("alias of {}, which is not declared", old.text),
              hint.empty() ? "declare the variable before" : std::move(hint));
        declare_refused(name);
    } else {
        Symbol symbol = found->second;
        symbol.where = name.span();
        symbols_.emplace(name.text, symbol);
    }
    expect_semicolon();
}

// Declarations of the language that are not there yet: their names are remembered, so that uses give no further errors.
void Parser::parse_refused_variable(const Token& keyword) {
    take();
    if (keyword.is("OUTPUT"))
        error("L30", keyword.span(), "OUTPUT in a compute program", "a compute program has no results: store to memory");
    else if (!keyword.is("COUNTER") || need_option(OptionKind::counters, keyword.span(), "COUNTER"))
        not_yet(keyword.span(), fmt::format("{} declarations", keyword.text));
    if (peek().kind == TokenKind::identifier && !symbols_.contains(peek().text)) declare_refused(peek());
    while (peek().kind != TokenKind::end && !peek().is(';')) take();
    accept(';');
}

// The name of a new variable or label.
const Token& Parser::declared_name() {
    const Token& name = expect_identifier("a name");
    if (kReserved.contains(name.text)) error("L08", name.span(), fmt::format("{} is a reserved word", name.text), "choose another name");
    return name;
}

bool Parser::check_new_name(const Token& name) {
    if (const auto it = symbols_.find(name.text); it != symbols_.end()) {
        if (it->second.undeclared) {  // its early use has been reported
            symbols_.erase(it);
            return true;
        }
        error("L11", name.span(), fmt::format("{} is declared twice", name.text),
              fmt::format("the first declaration is in line {}", it->second.where.line));
        return false;
    }
    if (const auto it = labels_.find(name.text); it != labels_.end()) {
        error("L10", name.span(), fmt::format("variable {} has the name of a label", name.text),
              fmt::format("the label is in line {}", program_.labels[it->second].where.line));
        return false;
    }
    return true;
}

void Parser::declare(const Token& name, ast::Variable variable) {
    if (!check_new_name(name)) return;
    variable.name = std::string(name.text);
    variable.where = name.span();
    Symbol symbol;
    symbol.variable = static_cast<std::uint32_t>(program_.variables.size());
    symbol.where = name.span();
    symbols_.emplace(name.text, symbol);
    program_.variables.push_back(std::move(variable));
}

void Parser::declare_refused(const Token& name) {
    Symbol symbol;
    symbol.refused = true;
    symbol.where = name.span();
    symbols_.emplace(name.text, symbol);
}

// "[n]" or "[]" or nothing.
Parser::ArraySize Parser::parse_array_size() {
    ArraySize result;
    const Token& open = peek();
    if (!accept('[')) return result;
    result.array = true;
    result.where = open.span();
    if (!peek().is(']')) {
        result.where = peek().span();
        result.size = expect_integer("the number of elements");
    }
    expect(']', "behind the number of elements");
    return result;
}

}  // namespace maskwork::front
