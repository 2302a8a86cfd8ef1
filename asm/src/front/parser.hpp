// Recursive-descent parser and checker of one program.  The grammar has no recursion, so the depth of the C++ stack does not depend on
// the text.  A syntax error abandons its statement (SyntaxError) and parsing goes on behind the next ';'; a violated rule is reported
// and parsing continues in the same statement.  Split over parser.cpp (statements), parser_decl.cpp (declarations), parser_bind.cpp
// (PARAM), parser_buffer.cpp (memory), parser_subroutine.cpp, parser_inst.cpp (instructions), parser_operand.cpp (operands), check_modifiers.cpp and
// check_flow.cpp.
#pragma once

#include "lexer.hpp"
#include "maskwork/asm/frontend.hpp"
#include "opcode_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace maskwork::front {

struct SyntaxError {};  // thrown after the error has been reported

class Parser {
public:
    Parser(std::string_view source, const LanguageLimits& limits, Diagnostics& diagnostics, ast::Program& program);
    void run();

private:
    enum class Section : std::uint8_t { options, declarations, statements };

    // What a name stands for.  `refused` is a variable whose declaration was refused: its uses are not reported again.
    struct Symbol {
        std::uint32_t variable = ast::kNone;
        bool refused = false;
        bool undeclared = false;  // refused because it is used without a declaration; one may still follow
        ast::SourceSpan where;
    };

    struct ModifierToken {
        Modifier modifier;
        std::string_view text;
        ast::SourceSpan where;
        bool suffix = false;
    };

    struct VariableModifiers {
        ast::BaseType typing = ast::BaseType::none;
        ast::Width width = ast::Width::normal;
        ast::SourceSpan width_where;
        bool any = false;
    };

    struct ElementRange {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        bool whole = false;
        ast::SourceSpan where;
    };

    struct ArraySize {
        bool array = false;
        std::optional<std::uint32_t> size;
        ast::SourceSpan where;
    };

    // ---- tokens and diagnostics (parser.cpp)
    const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    const Token& take();
    bool accept(char c);
    void expect(char c, std::string_view context);
    void expect_semicolon();
    [[noreturn]] void missing(std::string expected);
    const Token& expect_identifier(std::string_view what);
    /// `program.BANK` at the start of a binding; `form` is how the whole binding looks. Returns the tokens `program` and BANK.
    std::pair<const Token&, const Token&> expect_program_bank(std::string_view keyword, std::string_view bank, std::string_view form);
    std::uint32_t expect_integer(std::string_view what);
    [[noreturn]] void fail(const Token& token, std::string expected, std::string hint = {});
    void error(std::string_view rule, ast::SourceSpan where, std::string message, std::string hint = {});
    bool need_option(OptionKind option, ast::SourceSpan where, std::string_view what);
    void not_yet(ast::SourceSpan where, std::string what, std::string hint = {});
    static std::string describe(const Token& token);
    static ast::SourceSpan join(ast::SourceSpan first, const Token& last);

    // ---- statements (parser.cpp)
    void parse_statement();
    void parse_label();
    void recover();
    void finish();

    // ---- declarations (parser_decl.cpp)
    bool parse_declaration(const Token& keyword);
    void parse_option();
    void parse_group_size(const Token& keyword);
    void parse_shared_memory(const Token& keyword);
    void parse_variable(VariableModifiers modifiers);
    void parse_modified_variable();
    void parse_temp(const VariableModifiers& modifiers);
    void parse_attrib(const VariableModifiers& modifiers);
    void parse_alias();
    void parse_refused_variable(const Token& keyword);
    void check_no_modifiers(const VariableModifiers& modifiers, const Token& keyword);
    const Token& declared_name();
    bool check_new_name(const Token& name);
    void declare(const Token& name, ast::Variable variable);
    void declare_refused(const Token& name);
    ArraySize parse_array_size();
    ast::Attribute parse_invocation_attribute();

    // ---- bindings (parser_bind.cpp)
    void parse_param(const VariableModifiers& modifiers);
    bool parse_param_item(std::vector<ast::ParamElement>& elements, ast::BaseType type, bool array);
    bool parse_program_parameter(std::vector<ast::ParamElement>& elements, bool array);
    bool parse_state_parameter(std::vector<ast::ParamElement>& elements);
    void add_fixed_parameter(std::vector<ast::ParamElement>& elements, std::uint32_t value);
    ast::ConstantVector parse_constant_vector();
    ast::Constant parse_constant(std::size_t slot = 0);
    bool type_constant(ast::Constant& constant, ast::BaseType type, bool wide, ast::SourceSpan where, bool negated_operand);
    bool type_constants(ast::ConstantVector& vector, ast::BaseType type, bool wide, bool negated_operand);

    // ---- memory (parser_buffer.cpp)
    void parse_buffer(const Token& keyword);
    void check_buffer_kind(const ast::StorageRange& range, const Token& keyword);
    void parse_shared();
    ElementRange parse_element_range(std::uint32_t limit, std::string_view what);
    bool append_range(std::optional<ElementRange>& all, const ElementRange& next, std::string_view what);

    // ---- subroutines (parser_subroutine.cpp)
    void parse_subroutine_type();
    void parse_subroutine();
    void parse_subroutine_number(ast::Label& label);
    void parse_indirect_call(ast::Instruction& instruction);
    void finish_subroutines();
    void check_recursion();

    // ---- instructions (parser_inst.cpp)
    void parse_instruction();
    void parse_modifiers(const SplitOpcode& opcode, const Token& token);
    void parse_operands(ast::Instruction& instruction, const OpcodeInfo& row);
    void check_memory_declared(const OpcodeInfo& row, ast::SourceSpan where);

    // ---- modifiers (check_modifiers.cpp); all of them work on modifier_tokens_ and return false if something was reported
    bool check_modifiers(const OpcodeInfo& row, ast::SourceSpan opcode, ast::Modifiers& out);
    bool check_other_modifier(const OpcodeInfo& row, const ModifierToken& token, ast::Modifiers& out);
    bool check_data_type(const OpcodeInfo& row, const std::vector<ModifierToken>& types, ast::Modifiers& out);
    bool check_mul_type(const std::vector<ModifierToken>& types, ast::SourceSpan opcode, ast::Modifiers& out);
    bool check_storage_type(const OpcodeInfo& row, const std::vector<ModifierToken>& types, ast::SourceSpan opcode, ast::Modifiers& out);
    bool check_atomic_type(const OpcodeInfo& row, const std::vector<ModifierToken>& types, ast::SourceSpan opcode, ast::Modifiers& out);
    bool check_convert_types(const std::vector<ModifierToken>& types, ast::SourceSpan opcode, ast::Modifiers& out);

    // ---- operands (parser_operand.cpp, parser_address.cpp)
    void parse_destination(ast::Instruction& instruction);
    void parse_operand(ast::Instruction& instruction, ast::BaseType type, bool wide, bool scalar);
    void parse_swz_operand(ast::Instruction& instruction);
    void parse_operand_base(ast::Instruction& instruction, ast::Operand& operand);
    void parse_operand_swizzle(ast::Operand& operand, ast::SourceSpan where);
    void parse_memory_operand(ast::Instruction& instruction, ast::VariableKind kind);
    void parse_constant_buffer_operand(ast::Instruction& instruction);
    void parse_address_operand(ast::Instruction& instruction);
    void parse_byte_index(std::uint32_t variable, ast::Operand& operand, const Token& name, std::uint32_t access_bytes);
    std::uint32_t parse_name_use(const Token& name);
    std::uint32_t parse_binding_use();
    void parse_element(std::uint32_t variable, const Token& name, ast::Index& index);
    void parse_index(ast::Index& index, std::uint64_t size, std::string_view name);
    void parse_index_register(ast::Index& index, std::uint64_t size, std::string_view name);
    bool read_components(const Token& token, ast::Swizzle& swizzle);
    std::uint8_t parse_write_mask();
    ast::CcTest parse_cc_test();
    ast::CcTest parse_cc_mask();
    void check_typing(const ast::Instruction& instruction, std::uint32_t variable, ast::BaseType type, ast::SourceSpan where, bool write);
    ast::Fit fit(std::uint32_t variable, ast::BaseType type, bool wide, ast::SourceSpan where, bool write);
    void check_pack_width(const ast::Instruction& instruction, std::uint32_t variable, ast::SourceSpan where, bool write);
    void wrong_kind(const Token& name, ast::VariableKind kind, bool write);
    std::string suggest_name(std::string_view name) const;

    // ---- whole-program rules (check_flow.cpp)
    void check_flow();
    void check_parameter_arrays();
    void check_resources();

    const LanguageLimits& limits_;
    Diagnostics& diagnostics_;
    ast::Program& program_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    Section section_ = Section::options;

    std::unordered_map<std::string_view, Symbol> symbols_;
    std::unordered_map<std::string, std::uint32_t> implicit_;  // binding text to nameless variable
    std::unordered_map<std::string_view, std::uint32_t> labels_;
    std::vector<std::pair<std::uint32_t, Token>> calls_;  // instruction and its target name
    std::unordered_map<std::string_view, std::uint32_t> subroutine_types_;
    std::vector<std::vector<Token>> type_labels_;                // of each subroutine type: the names of its labels
    std::unordered_map<std::uint32_t, std::uint32_t> uniform_types_;  // of program.subroutine[n]
    std::unordered_map<std::uint32_t, Token> subroutine_numbers_;  // those given, with their places
    std::unordered_map<std::uint32_t, Token> buffer_kinds_;      // of a parameter buffer: BUFFER or BUFFER4
    std::vector<ModifierToken> modifier_tokens_;
    std::array<ast::SourceSpan, 4> constant_where_;  // of the components of the constant parsed last

    // A resource, and where its limit was passed first.
    struct Counted {
        std::uint64_t count = 0;
        ast::SourceSpan over;
        void add(std::uint64_t more, std::uint64_t limit, ast::SourceSpan where) {
            count += more;
            if (count > limit && over.line == 0) over = where;
        }
    };

    std::optional<Token> group_size_;  // the first declaration of each
    std::optional<Token> shared_memory_;
    std::array<bool, static_cast<std::size_t>(OptionKind::count)> options_{};  // given, or reported as missing: once is enough
    std::optional<Token> variable_size_option_;
    bool shared_reported_ = false;   // L44: once is enough
    bool instruction_open_ = false;  // current_ has to be kept although its statement is abandoned
    bool plain_operand_ = false;     // SWZ: the operand has no swizzle
    ast::Instruction current_;
    Counted temporaries_, parameters_;
    const Token* end_token_ = nullptr;
};

}  // namespace maskwork::front
