#include "parser.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maskwork::front {

namespace {

constexpr std::string_view kHeader = "!!NVcp5.0";

// For a missing ';' at the end of a line: does the next line plainly begin a statement of its own?
bool begins_statement(const Token& token) {
    static const std::unordered_set<std::string_view> keywords{
        "END",   "OPTION", "GROUP_SIZE", "SHARED_MEMORY", "TEMP",    "INT",    "UINT",    "FLOAT",  "SHORT",   "LONG", "ATTRIB",
        "PARAM", "ALIAS",  "STORAGE",    "SHARED",        "CBUFFER", "BUFFER", "BUFFER4", "OUTPUT", "TEXTURE", "IMAGE"};
    return token.kind == TokenKind::identifier && (keywords.contains(token.text) || split_opcode(token.text).has_value());
}

}  // namespace

Parser::Parser(std::string_view source, const LanguageLimits& limits, Diagnostics& diagnostics, ast::Program& program)
    : limits_(limits), diagnostics_(diagnostics), program_(program) {
    if (!source.starts_with(kHeader)) {
        const std::size_t end = std::min(source.find_first_of(" \t\r\n;#"), source.size());
        const auto length = static_cast<std::uint32_t>(std::clamp<std::size_t>(end, 1, kHeader.size()));
        std::string hint = "a compute program begins with !!NVcp5.0 in its first column";
        if (source.find(kHeader) != std::string_view::npos) hint += "; nothing may precede it";
        else if (source.starts_with("!!")) hint += "; this is the header of another kind of program";
        error("L01", {1, 1, length}, "the program does not begin with the header !!NVcp5.0", std::move(hint));
        return;
    }
    tokens_ = tokenize(source, kHeader.size());
    program_.instructions.reserve(static_cast<std::size_t>(std::count(source.begin(), source.end(), ';')));
}

void Parser::run() {
    if (tokens_.empty()) return;
    while (end_token_ == nullptr && !diagnostics_.full()) {
        if (peek().kind == TokenKind::end) {
            const Token& last = at_ > 0 ? tokens_[at_ - 1] : tokens_[at_];
            error("L02", last.span(), "the program has no END", "END is the last word of every program");
            break;
        }
        instruction_open_ = false;
        try {
            parse_statement();
        } catch (const SyntaxError&) {
            // A flow instruction stays, so that the blocks around it still match.
            if (instruction_open_) program_.instructions.push_back(current_);
            recover();
        }
    }
    finish();
}

void Parser::parse_statement() {
    const Token& first = peek();
    if (first.kind != TokenKind::identifier) {
        if (first.is(';')) fail(first, "an instruction or a declaration", "an empty statement is not in the grammar: remove the ';'");
        fail(first, "an instruction, a declaration, a label or END");
    }
    if (peek(1).is(':') || peek(1).is("SUBROUTINENUM")) return parse_label();
    if (first.is("END")) {
        end_token_ = &take();
        if (peek().kind != TokenKind::end) fail(peek(), "nothing but comments after END", "the program ends at its first END: remove what follows");
        return;
    }
    if (parse_declaration(first)) return;
    section_ = Section::statements;
    parse_instruction();
}

void Parser::parse_label() {
    const Token& name = declared_name();
    ast::Label label;
    if (!accept(':')) parse_subroutine_number(label);
    section_ = Section::statements;
    if (const auto it = symbols_.find(name.text); it != symbols_.end() && !it->second.undeclared) {
        error("L10", name.span(), fmt::format("label {} has the name of a variable", name.text), "give the label another name");
        return;
    }
    const auto [it, added] = labels_.emplace(name.text, static_cast<std::uint32_t>(program_.labels.size()));
    if (!added) {
        error("L10", name.span(), fmt::format("label {} is defined twice", name.text),
              fmt::format("the first definition is in line {}", program_.labels[it->second].where.line));
        return;
    }
    label.name = std::string(name.text);
    label.first = static_cast<std::uint32_t>(program_.instructions.size());
    label.where = name.span();
    program_.labels.push_back(std::move(label));
}

// Goes on behind the next ';', or at the next line if that plainly begins a statement.
void Parser::recover() {
    while (peek().kind != TokenKind::end) {
        if (peek().is(';')) {
            take();
            return;
        }
        const bool new_line = at_ > 0 && peek().line != tokens_[at_ - 1].line && !tokens_[at_ - 1].is(',');
        if (new_line && begins_statement(peek())) return;
        take();
    }
}

void Parser::finish() {
    if (!group_size_ && !variable_size_option_)
        error("L40", {1, 1, static_cast<std::uint32_t>(kHeader.size())}, "the program has no GROUP_SIZE",
              "declare the size of a work group, for example GROUP_SIZE 64;");
    if (variable_size_option_ && !group_size_) not_yet(variable_size_option_->span(), "a group size given at dispatch");
    const auto count = static_cast<std::uint32_t>(program_.instructions.size());
    for (std::size_t i = 0; i < program_.labels.size(); ++i)
        program_.labels[i].end = i + 1 < program_.labels.size() ? program_.labels[i + 1].first : count;
    const auto main = labels_.find("main");
    if (main != labels_.end()) {
        program_.entry = program_.labels[main->second].first;
        program_.entry_end = program_.labels[main->second].end;
    } else {
        // Without main the program begins with its first instruction, in a label's block or before all of them.
        program_.entry_end = count;
        for (const ast::Label& label : program_.labels)
            if (label.first > 0) {
                program_.entry_end = label.first;
                break;
            }
    }
    check_flow();
    finish_subroutines();
    check_recursion();
    check_parameter_arrays();
    check_resources();
}

const Token& Parser::take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
}

bool Parser::accept(char c) {
    if (!peek().is(c)) return false;
    take();
    return true;
}

void Parser::expect(char c, std::string_view context) {
    if (!accept(c)) missing(fmt::format("'{}' {}", c, context));
}

void Parser::expect_semicolon() {
    if (!accept(';')) missing("';'");
}

// Something is missing before the next token.  If that is on a later line, the place is behind the last token.
void Parser::missing(std::string expected) {
    const Token& found = peek();
    if (found.kind == TokenKind::bad || at_ == 0 || found.line == tokens_[at_ - 1].line) fail(found, std::move(expected));
    const Token& last = tokens_[at_ - 1];
    error("L02", {last.line, last.column + static_cast<std::uint32_t>(last.text.size()), 1},
          fmt::format("expected {} at the end of the line", expected),
          fmt::format("the text goes on with {} in line {}", describe(found), found.line));
    throw SyntaxError{};
}

const Token& Parser::expect_identifier(std::string_view what) {
    if (peek().kind != TokenKind::identifier) fail(peek(), std::string(what));
    return take();
}

std::pair<const Token&, const Token&> Parser::expect_program_bank(std::string_view keyword, std::string_view bank, std::string_view form) {
    const Token& start = peek();
    if (!start.is("program")) fail(start, std::string(form));
    take();
    expect('.', fmt::format("and {}", bank));
    const Token& name = expect_identifier(bank);
    if (!name.is(bank)) fail(name, std::string(bank), fmt::format("a {} variable is bound to {}", keyword, form));
    return {start, name};
}

std::uint32_t Parser::expect_integer(std::string_view what) {
    const Token& token = peek();
    if (token.kind != TokenKind::integer) fail(token, std::string(what));
    take();
    if (token.overflow || token.value > 0xffffffffu) {
        error("L05", token.span(), fmt::format("the integer {} is too large", token.text), "the largest is 4294967295");
        return 0xffffffffu;
    }
    return static_cast<std::uint32_t>(token.value);
}

void Parser::fail(const Token& token, std::string expected, std::string hint) {
    if (token.kind == TokenKind::bad && hint.empty()) {
        const bool number = token.text.front() >= '.' && token.text.front() <= '9';
        hint = number ? "numbers are decimal (5, 1.5, 2e3) or hexadecimal (0x1F), without a suffix"
                      : "this character is not part of the language";
    }
    if (hint.empty()) {
        // a missing mark goes in front of what was found; anything else was meant to stand in its place
        const std::string found = describe(token);
        if (expected.starts_with('\'')) hint = fmt::format("put {} before {}", expected.substr(0, expected.find('\'', 1) + 1), found);
        else if (token.kind == TokenKind::end) hint = fmt::format("put {} before {}", expected, found);
        else hint = fmt::format("write {} in place of {}", expected, found);
    }
    error("L02", token.span(), fmt::format("expected {}, found {}", expected, describe(token)), std::move(hint));
    throw SyntaxError{};
}

void Parser::error(std::string_view rule, ast::SourceSpan where, std::string message, std::string hint) {
    Diagnostic d;
    d.rule = std::string(rule);
    d.file = program_.file;
    d.line = where.line;
    d.column = where.column;
    d.length = where.length;
    d.message = std::move(message);
    d.hint = std::move(hint);
    diagnostics_.add(std::move(d));
}

// L50, L52 to L54: a feature of an option; false if it is missing.  Once for each option is enough.
bool Parser::need_option(OptionKind option, ast::SourceSpan where, std::string_view what) {
    if (option == OptionKind::accepted) return true;
    bool& given = options_[static_cast<std::size_t>(option)];
    if (given) return true;
    given = true;
    error(option_rule(option), where, fmt::format("{} without option {}", what, option_name(option)),
          fmt::format("add OPTION {}; behind the header", option_name(option)));
    return false;
}

void Parser::not_yet(ast::SourceSpan where, std::string what, std::string hint) {
    error(kNotSupportedYet, where, "not supported yet: " + what, std::move(hint));
}

std::string Parser::describe(const Token& token) {
    if (token.kind == TokenKind::end) return "the end of the file";
    if (token.kind == TokenKind::bad && (token.text.front() < ' ' || token.text.front() > '~'))
        return fmt::format("a character with the code 0x{:02x}", static_cast<unsigned char>(token.text.front()));
    if (token.text.size() > 40) return fmt::format("'{}...'", token.text.substr(0, 37));
    return fmt::format("'{}'", token.text);
}

// From `first` to the end of `last`, or of the first line.
ast::SourceSpan Parser::join(ast::SourceSpan first, const Token& last) {
    if (last.line == first.line && last.column >= first.column)
        first.length = last.column - first.column + static_cast<std::uint32_t>(last.text.size());
    return first;
}

}  // namespace maskwork::front

namespace maskwork {

std::optional<ast::Program> parse(std::string_view source, std::string file, const LanguageLimits& limits, Diagnostics& diagnostics) {
    ast::Program program;
    program.file = std::move(file);
    front::Parser(source, limits, diagnostics, program).run();
    diagnostics.sort();
    if (diagnostics.has_errors()) return std::nullopt;
    return program;
}

}  // namespace maskwork
