#include "lexer.hpp"

namespace maskwork::front {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

class Lexer {
public:
    Lexer(std::string_view source, std::size_t offset) : source_(source), at_(offset), line_start_(0) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        tokens.reserve(source_.size() / 3 + 16);
        for (;;) {
            skip_blanks();
            Token token = next();
            tokens.push_back(token);
            if (token.kind == TokenKind::end) return tokens;
        }
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

    void skip_blanks() {
        while (at_ < source_.size()) {
            const char c = source_[at_];
            if (c == ' ' || c == '\t') {
                ++at_;
            } else if (c == '\n' || c == '\r') {
                at_ += (c == '\r' && peek(1) == '\n') ? 2 : 1;
                ++line_;
                line_start_ = at_;
            } else if (c == '#') {
                while (at_ < source_.size() && source_[at_] != '\n' && source_[at_] != '\r') ++at_;
            } else {
                return;
            }
        }
    }

    Token next() {
        Token token;
        token.line = line_;
        token.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
        const std::size_t begin = at_;
        if (at_ >= source_.size()) return token;
        const char c = source_[at_];
        if (is_name_start(c)) {
            while (at_ < source_.size() && is_name_char(source_[at_])) ++at_;
            token.kind = TokenKind::identifier;
        } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            number(token);
        } else if (c == '.' && peek(1) == '.') {
            at_ += 2;
            token.kind = TokenKind::range;
        } else {
            ++at_;
            const bool known = std::string_view(";,.[]{}()|+-=:").find(c) != std::string_view::npos;
            token.kind = known ? TokenKind::punct : TokenKind::bad;
            if (!known) {  // one token for all bytes of a character beyond ASCII
                while (at_ < source_.size() && (static_cast<unsigned char>(source_[at_]) & 0xc0) == 0x80) ++at_;
            }
        }
        token.text = source_.substr(begin, at_ - begin);
        return token;
    }

    void add_digit(Token& token, unsigned base, unsigned digit) {
        if (token.value > (~std::uint64_t{0} - digit) / base) token.overflow = true;
        token.value = token.value * base + digit;
    }

    void number(Token& token) {
        token.kind = TokenKind::integer;
        if (peek() == '0' && peek(1) == 'x' && hex_digit(peek(2)) >= 0) {
            token.hex = true;
            at_ += 2;
            for (int digit; (digit = hex_digit(peek())) >= 0; ++at_) add_digit(token, 16, static_cast<unsigned>(digit));
        } else {
            const std::size_t begin = at_;
            for (; is_digit(peek()); ++at_) add_digit(token, 10, static_cast<unsigned>(peek() - '0'));
            if (peek() == '.' && peek(1) != '.') {
                token.kind = TokenKind::floating;
                ++at_;
                while (is_digit(peek())) ++at_;
            }
            const bool sign = peek(1) == '+' || peek(1) == '-';
            if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign ? 2 : 1))) {
                token.kind = TokenKind::floating;
                at_ += sign ? 2 : 1;
                while (is_digit(peek())) ++at_;
            }
            if (token.kind == TokenKind::integer && is_name_start(peek())) {
                std::size_t end = at_;
                while (end < source_.size() && is_name_char(source_[end])) ++end;
                const std::string_view word = source_.substr(begin, end - begin);
                if (word == "1D" || word == "2D" || word == "3D" || word == "2DMS") {
                    at_ = end;
                    token.kind = TokenKind::target;
                    return;
                }
            }
        }
        if (is_name_char(peek())) {  // 12abc, 0xg, 1.5f, 1e
            while (is_name_char(peek())) ++at_;
            token.kind = TokenKind::bad;
        }
    }

    std::string_view source_;
    std::size_t at_;
    std::size_t line_start_;
    std::uint32_t line_ = 1;
};

}  // namespace

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_name_char(char c) {
    return is_name_start(c) || is_digit(c);
}

std::vector<Token> tokenize(std::string_view source, std::size_t offset) {
    return Lexer(source, offset).run();
}

}  // namespace maskwork::front
