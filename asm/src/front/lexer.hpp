// Tokens of the NV assembly language.  Tokens are views into the source text, which must outlive them.
#pragma once

#include "maskwork/asm/ast.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace maskwork::front {

enum class TokenKind : std::uint8_t {
    identifier,
    integer,  // value holds it, overflow tells that it needs more than 64 bits
    floating,
    target,  // a texture target that begins with a digit: 1D 2D 3D 2DMS
    punct,   // one character: ; , . [ ] { } ( ) | + - = :
    range,   // ..
    bad,     // a character or number outside the grammar
    end,
};

struct Token {
    TokenKind kind = TokenKind::end;
    bool overflow = false;
    bool hex = false;
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    std::uint64_t value = 0;
    std::string_view text;

    bool is(char c) const { return kind == TokenKind::punct && text.front() == c; }
    bool is(std::string_view word) const { return kind == TokenKind::identifier && text == word; }
    ast::SourceSpan span() const { return {line, column, text.empty() ? 1u : static_cast<std::uint32_t>(text.size())}; }
};

// All tokens from `offset` on, the last one of kind `end`.  Lines end with LF, CR or CR LF.
std::vector<Token> tokenize(std::string_view source, std::size_t offset);

bool is_name_start(char c);
bool is_name_char(char c);

}  // namespace maskwork::front
