// Diagnostics of the assembler: what is wrong, by which rule, where, and what would be right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskwork {

enum class Severity : std::uint8_t { error, warning, note };

// The rule of a construct that the language has and this assembler does not have yet.
inline constexpr std::string_view kNotSupportedYet = "later";

struct Diagnostic {
    Severity severity = Severity::error;
    std::string rule;  // "L46"; kNotSupportedYet; empty for notes about the run itself
    std::string file;
    std::uint32_t line = 0;  // line, column count from 1; line 0: no position
    std::uint32_t column = 0;
    std::uint32_t length = 1;
    std::string message;
    std::string hint;  // what was expected, or what to do; may be empty
};

// Collects diagnostics; at most `limit` errors are kept, further ones are counted and dropped.
class Diagnostics {
public:
    explicit Diagnostics(std::size_t limit = 20) : limit_(limit) {}

    void add(Diagnostic diagnostic);
    bool has_errors() const { return errors_ != 0; }
    std::size_t error_count() const { return errors_; }
    bool full() const { return errors_ >= limit_; }
    void sort();  // by position, stable
    const std::vector<Diagnostic>& items() const { return items_; }

private:
    std::size_t limit_;
    std::size_t errors_ = 0;
    std::vector<Diagnostic> items_;
};

// Where the first error is, as a byte offset into the source (its size: at the end); empty without an error that has a position.
std::optional<std::size_t> error_position(const Diagnostics& diagnostics, std::string_view source);

// "file:line:column: error: message [rule]", the source line, a caret line, a hint line.  `source` is the whole text of the file.
// Tabs are expanded to columns of 8 in the two source lines; very long lines are shown around the caret.
std::string render(const Diagnostic& diagnostic, std::string_view source);
std::string render(const Diagnostics& diagnostics, std::string_view source);

}  // namespace maskwork
