// Declarations of memory: STORAGE, CBUFFER, BUFFER, BUFFER4, SHARED.
#include "parser.hpp"

#include <fmt/format.h>

namespace maskwork::front {

// "[c]" or "[c..d]" (the '[' is the next token), below `limit`.
Parser::ElementRange Parser::parse_element_range(std::uint32_t limit, std::string_view what) {
    ElementRange range;
    expect('[', "and the number of an element");
    const Token& low = peek();
    range.first = range.last = expect_integer("the number of an element");
    const bool pair = peek().kind == TokenKind::range;
    const Token& high = pair ? (take(), peek()) : low;
    if (pair) range.last = expect_integer("the number of the last element");
    range.where = join(low.span(), high);
    expect(']', "behind the number of the element");
    if (range.first > range.last) {
        error("L22", range.where, fmt::format("the range {}..{} runs backwards", range.first, range.last),
              "the smaller number comes first");
        range.last = range.first;
    } else if (range.last >= limit) {
        error(what == "shared memory" ? "L46" : "L22", range.where,
              fmt::format("element {} is outside the {} elements of {}", range.last, limit, what),
              limit == 0 ? "the declared size is 0" : fmt::format("the last element is {}", limit - 1));
        range.first = range.last = 0;
    }
    return range;
}

// Items of an array must follow each other.
bool Parser::append_range(std::optional<ElementRange>& all, const ElementRange& next, std::string_view what) {
    if (!all) {
        all = next;
        return true;
    }
    if (all->whole || next.whole || next.first != all->last + 1) {
        error("L24", next.where, fmt::format("the bindings of a {} array do not follow each other", what),
              all->whole || next.whole ? "the whole memory cannot be combined with other bindings"
                                       : fmt::format("the next element is {}", all->last + 1));
        return false;
    }
    all->last = next.last;
    return true;
}

// STORAGE, CBUFFER, BUFFER and BUFFER4: a range of elements in one buffer or in each of a range of buffers.
void Parser::parse_buffer(const Token& keyword) {
    const bool is_storage = keyword.is("STORAGE"), constant = keyword.is("CBUFFER");
    const std::string_view bank_name = is_storage ? "storage" : "buffer";
    const std::string_view what = is_storage ? "a storage buffer" : "a parameter buffer";
    const std::string_view rule = is_storage ? "L51" : "L27";
    const std::uint32_t unit = keyword.is("BUFFER") ? 4 : keyword.is("BUFFER4") ? 16 : 1;
    const std::uint32_t bindings = is_storage ? limits_.storage_bindings : limits_.constant_bindings;
    const std::uint32_t elements = (is_storage ? limits_.storage_bytes : limits_.constant_bytes) / unit;
    const Token& name = declared_name();
    const ArraySize first_size = parse_array_size();
    const ArraySize second_size = first_size.array ? parse_array_size() : ArraySize{};
    if (is_storage) need_option(OptionKind::storage, name.span(), "STORAGE");
    expect('=', "and a binding");
    if (first_size.array) expect('{', "and the bindings of the array");
    ast::Variable variable;
    variable.kind = is_storage ? ast::VariableKind::storage : constant ? ast::VariableKind::constant_buffer : ast::VariableKind::buffer;
    variable.is_array = first_size.array;
    std::optional<ElementRange> range;
    bool good = true, first_item = true, buffers_range = false;
    do {
        const Token& start = expect_program_bank(keyword.text, bank_name, fmt::format("program.{}[n]", bank_name)).first;
        expect('[', "and the number of the buffer");
        const Token& low = peek();
        const std::uint32_t from = expect_integer("the number of a buffer");
        const bool pair = peek().kind == TokenKind::range;
        const Token& high = pair ? (take(), peek()) : low;
        const std::uint32_t to = pair ? expect_integer("the number of the last buffer") : from;
        expect(']', "behind the number of the buffer");
        if (from > to || to >= bindings) {
            error(rule, join(low.span(), high),
                  from > to ? fmt::format("the range {}..{} runs backwards", from, to) : fmt::format("{} {} does not exist", what.substr(2), to),
                  fmt::format("the buffers are 0 to {}", bindings - 1));
            good = false;
        } else if (!first_item && (from != variable.storage.first_binding || to - from + 1 != variable.storage.binding_count)) {
            error("L24", join(low.span(), high), fmt::format("the bindings of a {} array are in different buffers", keyword.text),
                  "all bindings of an array lie in the same buffer or range of buffers");
            good = false;
        } else {
            variable.storage.first_binding = from;
            variable.storage.binding_count = to - from + 1;
            buffers_range |= pair;
        }
        ElementRange item;
        if (peek().is('[')) item = parse_element_range(elements, what);
        else {
            item.whole = true;
            item.where = join(start.span(), tokens_[at_ - 1]);
        }
        if (!first_size.array && (item.whole || item.first != item.last)) {
            error("L15", item.where, fmt::format("several bindings for {}, which is not an array", name.text),
                  fmt::format("declare it as {}[] = {{ ... }}", name.text));
            good = false;
        }
        good &= append_range(range, item, keyword.text);
        first_item = false;
    } while (first_size.array && accept(','));
    if (first_size.array) expect('}', "behind the bindings");

    // v[b][n]: the first size counts buffers.  With a range of buffers one pair of brackets may stand for the second index alone.
    ast::StorageRange& storage = variable.storage;
    storage.element_bytes = unit;
    storage.array_of_buffers = buffers_range;
    const ArraySize& element_size = second_size.array ? second_size : first_size;
    const std::string_view unit_hint = unit == 1 ? "the elements are bytes" : unit == 4 ? "the elements are words" : "the elements are four words";
    if (second_size.array && !buffers_range && good) {
        error("L15", second_size.where, fmt::format("{} has two indices and only one buffer", name.text),
              fmt::format("a range of buffers is program.{}[a..b]", bank_name));
        good = false;
    } else if (second_size.array && first_size.size && *first_size.size != storage.binding_count && good) {
        error("L15", first_size.where, fmt::format("{} has {} buffers and {} bindings", name.text, *first_size.size, storage.binding_count),
              fmt::format("leave the size out, or bind program.{}[a..b] to as many buffers", bank_name));
        good = false;
    }
    storage.bounded = first_size.array && (!range->whole || element_size.size.has_value());
    const std::uint32_t bound = range->last - range->first + 1;
    const std::uint32_t count = !storage.bounded ? 0 : range->whole ? *element_size.size : bound;
    if (good && storage.bounded && element_size.size && *element_size.size != count) {
        error("L15", element_size.where, fmt::format("{} has {} elements and {} bindings", name.text, *element_size.size, bound),
              std::string(unit_hint));
        good = false;
    } else if (good && storage.bounded && (count == 0 || count > elements)) {
        error("L15", element_size.where, fmt::format("{} has {} elements", name.text, count),
              fmt::format("{} has at most {}; without a size {} is the whole buffer", what, elements, name.text));
        good = false;
    }
    storage.first_byte = range->first * unit;
    storage.byte_count = good ? count * unit : 0;
    if (good && variable.kind == ast::VariableKind::buffer) check_buffer_kind(storage, keyword);
    if (good) declare(name, std::move(variable));
    else if (check_new_name(name)) declare_refused(name);
    expect_semicolon();
}

// L25: a buffer is read as BUFFER or as BUFFER4.
void Parser::check_buffer_kind(const ast::StorageRange& range, const Token& keyword) {
    for (std::uint32_t i = range.first_binding; i < range.first_binding + range.binding_count; ++i) {
        const auto [it, added] = buffer_kinds_.emplace(i, keyword);
        if (added || it->second.text == keyword.text) continue;
        error("L25", keyword.span(), fmt::format("parameter buffer {} as {} and as {}", i, it->second.text, keyword.text),
              fmt::format("the other declaration is in line {}", it->second.line));
        return;
    }
}

void Parser::parse_shared() {
    const Token& name = declared_name();
    const ArraySize size = parse_array_size();
    expect('=', "and a binding");
    if (size.array) expect('{', "and the bindings of the array");
    const bool have = shared_memory_.has_value();
    if (!have && !shared_reported_) {
        error("L44", name.span(), "SHARED without SHARED_MEMORY", "declare the number of bytes: SHARED_MEMORY 1024;");
        shared_reported_ = true;
    }
    const std::uint32_t limit = have ? program_.shared_bytes : limits_.shared_bytes;
    ast::Variable variable;
    variable.kind = ast::VariableKind::shared;
    variable.is_array = size.array;
    std::optional<ElementRange> bytes;
    bool good = true;
    do {
        const auto [start, bank] = expect_program_bank("SHARED", "sharedmem", "program.sharedmem");
        ElementRange range;
        if (peek().is('[')) {
            range = parse_element_range(limit, "shared memory");
        } else {
            range.whole = true;
            range.where = join(start.span(), bank);
            range.last = limit == 0 ? 0 : limit - 1;
            if (limit == 0)
                error("L46", range.where, "a SHARED variable on shared memory of size 0", "declare a SHARED_MEMORY of more bytes");
        }
        if (!size.array && (range.whole || range.first != range.last)) {
            error("L15", range.where, fmt::format("several bindings for {}, which is not an array", name.text),
                  fmt::format("declare it as {}[] = {{ ... }}", name.text));
            good = false;
        }
        good &= append_range(bytes, range, "SHARED");
    } while (size.array && accept(','));
    if (size.array) expect('}', "behind the bindings");
    const std::uint32_t count = bytes->last - bytes->first + 1;
    if (good && size.size && *size.size != count) {
        error("L15", size.where, fmt::format("{} has {} elements and {} bindings", name.text, *size.size, count), "the elements are bytes");
        good = false;
    }
    variable.shared.first_byte = bytes->first;
    variable.shared.byte_count = size.array ? count : (limit > bytes->first ? limit - bytes->first : 1);
    if (good) declare(name, std::move(variable));
    else if (check_new_name(name)) declare_refused(name);
    expect_semicolon();
}

}  // namespace maskwork::front
