// Elements of arrays, addresses of memory instructions, and bindings used in place of a variable.
#include "parser.hpp"

#include <fmt/format.h>

namespace maskwork::front {

using ast::VariableKind;

// "[n]" or "[reg.c]" or "[reg.c + n]" behind a TEMP or PARAM, or nothing.  With variable kNone only the form is checked.
void Parser::parse_element(std::uint32_t variable, const Token& name, ast::Index& index) {
    const bool known = variable != ast::kNone;
    const bool array = known && program_.variables[variable].is_array;
    const std::uint64_t size = array ? program_.variables[variable].size : 0;
    if (!peek().is('[')) {
        if (array)
            error("L17", name.span(), fmt::format("the array {} is used without an element", name.text),
                  fmt::format("write {}[n]", name.text));
        return;
    }
    if (known && !array)
        error("L17", peek().span(), fmt::format("an element of {}, which is not an array", name.text),
              fmt::format("write {} without brackets", name.text));
    parse_index(index, size, name.text);
    if (known && index.relative) program_.variables[variable].indexed_at_run_time = true;
}

// One bracketed index; `size` elements exist, 0 if that is not known.
void Parser::parse_index(ast::Index& index, std::uint64_t size, std::string_view name) {
    expect('[', "and an index");
    const Token& first = peek();
    if (first.kind == TokenKind::integer) {
        take();
        index.offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(first.value, 0xffffffffu));
        if (size != 0 && (first.overflow || first.value >= size)) {
            error("L18", first.span(), fmt::format("{}[{}] is behind the end of the array", name, first.text),
                  fmt::format("its elements are 0 to {}", size - 1));
            index.offset = 0;
        }
    } else if (first.is('-')) {
        error("L18", first.span(), fmt::format("a negative element of {}", name), "elements are counted from 0");
        take();
        if (peek().kind != TokenKind::integer) fail(peek(), "a number");
        take();
    } else if (first.kind == TokenKind::identifier) {
        parse_index_register(index, size, name);
    } else {
        fail(first, "a number or the component of a variable", first.kind == TokenKind::floating ? "an index is an integer" : "");
    }
    expect(']', "behind the index");
}

// reg.c [+ n]
void Parser::parse_index_register(ast::Index& index, std::uint64_t size, std::string_view name) {
    const Token& first = peek();
    index.relative = true;
    if (first.is("program") || first.is("invocation") || first.is("state")) {
        index.variable = parse_binding_use();
    } else {
        take();
        index.variable = parse_name_use(first);
        if (index.variable != ast::kNone) {
            const ast::Variable& v = program_.variables[index.variable];
            if (v.kind == VariableKind::buffer || v.width == ast::Width::wide) {
                error("L20", first.span(), fmt::format("{} as an index", first.text),
                      v.kind == VariableKind::buffer ? "move the element to a TEMP before" : "an index has 32 bits: move the lower half to a TEMP before");
                index.variable = ast::kNone;
            } else if (v.kind != VariableKind::temp && v.kind != VariableKind::attrib && v.kind != VariableKind::param) {
                wrong_kind(first, v.kind, false);
                index.variable = ast::kNone;
            } else if (v.typing == ast::BaseType::f) {
                error("L20", first.span(), fmt::format("the FLOAT variable {} as an index", first.text), "an index is an integer");
            }
        }
        if (peek().is('[')) {  // an element of an array, itself with a constant index
            take();
            const Token& element = peek();
            index.element = expect_integer("the number of an element");
            expect(']', "behind the number of an element");
            if (index.variable != ast::kNone) {
                const ast::Variable& v = program_.variables[index.variable];
                if (!v.is_array) error("L17", element.span(), fmt::format("an element of {}, which is not an array", first.text));
                else if (index.element >= v.size)
                    error("L18", element.span(), fmt::format("{}[{}] is behind the end of the array", first.text, element.text),
                          fmt::format("its elements are 0 to {}", v.size - 1));
            }
        } else if (index.variable != ast::kNone && program_.variables[index.variable].is_array) {
            error("L17", first.span(), fmt::format("the array {} is used without an element", first.text),
                  fmt::format("write {}[n].x", first.text));
        }
    }
    if (!accept('.')) {
        error("L20", first.span(), fmt::format("the index {} is not a scalar", first.text), "append the component: .x, .y, .z or .w");
    } else {
        const Token& letter = expect_identifier("a component");
        ast::Swizzle component = ast::kIdentity;
        if (letter.text.size() > 1)
            error("L20", letter.span(), fmt::format("the index {}.{} is not a scalar", first.text, letter.text), "name one component");
        else if (read_components(letter, component)) index.component = component[0];
    }
    if (peek().is('-')) {
        error("L19", peek().span(), "a negative constant in an index",
              fmt::format("subtract with ADD.S before; the constant is {}", size > 1 ? fmt::format("0 to {}", size - 1) : "0 or more"));
        take();
        expect_integer("a number");
    } else if (accept('+')) {
        const Token& offset = peek();
        index.offset = expect_integer("a number");
        if (size != 0 && index.offset >= size) {
            error("L19", offset.span(), fmt::format("the constant {} of the index is outside the array {}", offset.text, name),
                  fmt::format("it is between 0 and {}", size - 1));
            index.offset = 0;
        }
    }
}

// The operand of LDC: a CBUFFER variable as an operand of the usual form; sign, bars and swizzle apply to what is loaded.
void Parser::parse_constant_buffer_operand(ast::Instruction& instruction) {
    ast::Operand& operand = instruction.operands[instruction.operand_count++];
    operand.type = ast::base_of(instruction.modifiers.type);
    const Token& first = peek();
    bool sign = false;
    if (first.is('-') || first.is('+')) sign = take().is('-');
    operand.absolute = accept('|');
    (operand.absolute ? operand.negate_outer : operand.negate_inner) = sign;
    if (operand.absolute && (peek().is('-') || peek().is('+'))) operand.negate_inner = take().is('-');
    const Token& name = peek();
    constexpr std::string_view hint = "its operand is a variable declared with CBUFFER";
    if (name.is("program") || name.is("invocation") || name.is("state") || name.kind == TokenKind::integer ||
        name.kind == TokenKind::floating || name.is('{')) {
        const bool buffer = name.is("program") && peek(1).is('.') && peek(2).is("buffer");
        error(buffer ? "L27" : "L26", name.span(), buffer ? "program.buffer used directly in an instruction" : fmt::format("LDC on {}", describe(name)),
              std::string(hint));
        throw SyntaxError{};
    }
    if (name.kind != TokenKind::identifier) fail(name, "a constant buffer variable");
    take();
    operand.variable = parse_name_use(name);
    if (operand.variable != ast::kNone && program_.variables[operand.variable].kind != VariableKind::constant_buffer) {
        error("L26", name.span(), fmt::format("LDC on {}, which is not a CBUFFER variable", name.text), std::string(hint));
        operand.variable = ast::kNone;
    }
    parse_byte_index(operand.variable, operand, name, 0);
    parse_operand_swizzle(operand, name.span());
    if (operand.absolute) expect('|', "behind the operand, for its absolute value");
    operand.where = join(first.span(), tokens_[at_ - 1]);
}

// The address of LOAD, STORE and ATOM: a scalar read as unsigned, of 64 bits from a LONG variable.
void Parser::parse_address_operand(ast::Instruction& instruction) {
    parse_operand(instruction, instruction.modifiers.type == ast::DataType::none ? ast::BaseType::none : ast::BaseType::u, false, true);
    ast::Operand& operand = instruction.operands[instruction.operand_count - 1];
    if (operand.fit != ast::Fit::truncate) return;
    operand.wide = true;
    operand.fit = ast::Fit::same;
}

// The address operand of LDS, STS, ATOMS (kind shared) and LDB, STB, ATOMB (kind storage): a variable of this kind, no sign or swizzle.
void Parser::parse_memory_operand(ast::Instruction& instruction, VariableKind kind) {
    const bool shared = kind == VariableKind::shared;
    const std::string_view rule = shared ? "L48" : "L51";
    const std::string opcode(ast::name_of(instruction.opcode));
    const std::string hint =
        shared ? "its memory operand is a variable declared with SHARED" : "its memory operand is a variable declared with STORAGE";
    ast::Operand& operand = instruction.operands[instruction.operand_count++];
    const Token& name = peek();
    if (name.is('-') || name.is('+') || name.is('|'))
        fail(name, shared ? "a shared variable" : "a storage variable", "a memory operand has no sign and no absolute value");
    if (name.is("program") || name.is("invocation") || name.is("state") || name.kind == TokenKind::integer ||
        name.kind == TokenKind::floating || name.is('{')) {
        error(rule, name.span(), fmt::format("{} on {}", opcode, name.is("program") ? "a binding used directly" : describe(name)), hint);
        throw SyntaxError{};
    }
    if (name.kind != TokenKind::identifier) fail(name, shared ? "a shared variable" : "a storage variable");
    take();
    operand.variable = parse_name_use(name);
    if (operand.variable != ast::kNone && program_.variables[operand.variable].kind != kind) {
        error(rule, name.span(), fmt::format("{} on {}, which is not a {} variable", opcode, name.text, shared ? "shared" : "storage"),
              hint);
        operand.variable = ast::kNone;
    }
    parse_byte_index(operand.variable, operand, name, instruction.modifiers.count * ast::bytes_of(instruction.modifiers.type));
    if (peek().is('.')) fail(peek(), "the end of the operand", "a memory operand has no swizzle");
    operand.where = join(name.span(), tokens_[at_ - 1]);
}

// v, v[byte], v[buffer][byte], v[buffer] according to the declaration.
void Parser::parse_byte_index(std::uint32_t variable, ast::Operand& operand, const Token& name, std::uint32_t access_bytes) {
    if (variable == ast::kNone) {
        for (int i = 0; i < 2 && peek().is('['); ++i) parse_index(operand.index, 0, name.text);
        return;
    }
    // Copied: parsing an index can add nameless variables.
    const VariableKind kind = program_.variables[variable].kind;
    const bool shared = kind == VariableKind::shared;
    const bool array = program_.variables[variable].is_array;
    const ast::StorageRange storage = program_.variables[variable].storage;
    const ast::SharedRange range = program_.variables[variable].shared;
    if (storage.array_of_buffers) {
        if (peek().is('[')) parse_index(operand.buffer_index, storage.binding_count, name.text);
        else
            error("L17", name.span(), fmt::format("{} is used without the number of a buffer", name.text),
                  fmt::format("write {}[buffer]{}", name.text, !array ? "" : kind == VariableKind::buffer ? "[n]" : "[byte]"));
    }
    std::uint32_t offset = 0;
    if (peek().is('[')) {
        const Token& bracket = peek();
        if (!array)
            error("L17", bracket.span(), fmt::format("an element of {}, which is not an array", name.text),
                  fmt::format("write {} without this index", name.text));
        const Token& inside = peek(1);
        // Beyond the group's memory is L46, beyond the variable alone L18.
        const std::uint64_t block = program_.shared_bytes;
        const std::uint32_t whole = kind == VariableKind::storage ? limits_.storage_bytes : limits_.constant_bytes;
        const bool constant = inside.kind == TokenKind::integer;
        const bool outside = shared && constant && shared_memory_ && array && (inside.overflow || inside.value + range.first_byte >= block);
        const std::uint64_t size = !array || outside ? 0
                                   : shared          ? range.byte_count
                                   : storage.bounded ? storage.byte_count / storage.element_bytes
                                                     : whole / storage.element_bytes;
        parse_index(operand.index, size, name.text);
        if (outside) {
            error("L46", inside.span(), fmt::format("byte {} is outside the {} bytes of shared memory", inside.text, block),
                  "SHARED_MEMORY declares the size");
            return;
        }
        if (operand.index.relative) program_.variables[variable].indexed_at_run_time = true;
        offset = operand.index.offset;
    } else if (array) {
        error("L17", name.span(), fmt::format("the array {} is used without an element", name.text),
              fmt::format("write {}[{}]", name.text, kind == VariableKind::buffer ? "n" : "byte"));
        return;
    }
    const std::uint64_t end = std::uint64_t{range.first_byte} + offset + access_bytes;
    if (shared && shared_memory_ && !operand.index.relative && access_bytes != 0 && end > program_.shared_bytes)
        error("L46", join(name.span(), tokens_[at_ - 1]),
              fmt::format("{} bytes at {} reach outside the {} bytes of shared memory", access_bytes, range.first_byte + offset,
                          program_.shared_bytes),
              "SHARED_MEMORY declares the size");
}

// invocation.*, program.local[n], program.env[n] in place of a variable: one nameless variable for each.
std::uint32_t Parser::parse_binding_use() {
    const Token& first = peek();
    ast::Variable variable;
    variable.where = first.span();
    if (first.is("invocation")) {
        variable.kind = VariableKind::attrib;
        variable.attribute = parse_invocation_attribute();
        if (variable.attribute == ast::Attribute::none) return ast::kNone;
        variable.name = fmt::format("invocation.{}", tokens_[at_ - 1].text);
    } else if (first.is("program")) {
        if (peek(1).is('.') && (peek(2).is("sharedmem") || peek(2).is("storage"))) {
            const bool shared = peek(2).is("sharedmem");
            error(shared ? "L48" : "L51", join(first.span(), peek(2)),
                  fmt::format("program.{} used directly in an instruction", peek(2).text),
                  shared ? "declare a SHARED variable and load it with LDS" : "declare a STORAGE variable and load it with LDB");
            throw SyntaxError{};
        }
        if (peek(1).is('.') && peek(2).is("buffer")) {
            error("L27", join(first.span(), peek(2)), "program.buffer used directly in an instruction",
                  "declare a BUFFER variable, or a CBUFFER variable and load it with LDC");
            throw SyntaxError{};
        }
        if (peek(1).is('.') && (peek(2).is("counter") || peek(2).is("subroutine") || peek(2).is("threadmem"))) {
            if (peek(2).is("subroutine")) fail(peek(2), "local or env", "declare a SUBROUTINE variable and call it with CALI");
            not_yet(join(first.span(), peek(2)), fmt::format("program.{}", peek(2).text));
            throw SyntaxError{};
        }
        variable.kind = VariableKind::param;
        const Token& bank = peek(2);
        if (!parse_program_parameter(variable.elements, false)) return ast::kNone;
        variable.name = bank.is("storagelen") ? "program.storagelen" : fmt::format("program.{}[{}]", bank.text, variable.elements.front().index);
    } else if (first.is("state")) {
        variable.kind = VariableKind::param;
        if (!parse_state_parameter(variable.elements)) return ast::kNone;
        variable.name = fmt::format("state.thread.{}", tokens_[at_ - 1].text);
    } else if (first.is("result")) {
        error("L30", first.span(), "a result variable in a compute program", "a compute program has no results");
        throw SyntaxError{};
    } else {
        not_yet(first.span(), fmt::format("{} operands", first.text));
        throw SyntaxError{};
    }
    const auto [it, added] = implicit_.emplace(variable.name, static_cast<std::uint32_t>(program_.variables.size()));
    if (added) {
        if (variable.kind == VariableKind::param) parameters_.add(1, limits_.parameters, first.span());
        program_.variables.push_back(std::move(variable));
    }
    return it->second;
}

}  // namespace maskwork::front
