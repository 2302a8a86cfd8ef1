#include "maskwork/asm/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace maskwork {

namespace {

constexpr std::size_t kTabWidth = 8;
constexpr std::size_t kMaxShown = 160;  // longer lines are cut around the caret

std::string_view severity_name(Severity severity) {
    switch (severity) {
        case Severity::error: return "error";
        case Severity::warning: return "warning";
        case Severity::note: return "note";
    }
    return "error";
}

// Line `number` (from 1) without its end; lines end with LF, CR or CR LF, as in the lexer.
std::string_view source_line(std::string_view source, std::uint32_t number) {
    std::size_t begin = 0;
    for (std::uint32_t line = 1;; ++line) {
        const std::size_t end = std::min(source.find_first_of("\r\n", begin), source.size());
        if (line == number) return source.substr(begin, end - begin);
        if (end == source.size()) return source.substr(end);
        begin = end + ((source[end] == '\r' && end + 1 < source.size() && source[end + 1] == '\n') ? 2 : 1);
    }
}

// The line as printed: tabs expanded, control characters and bytes beyond ASCII made visible, cut around the caret.
std::string source_lines(std::string_view line, std::uint32_t column, std::uint32_t length) {
    std::string text, marks;
    const std::size_t first = column - 1;
    const std::size_t last = first + std::max<std::uint32_t>(length, 1) - 1;
    for (std::size_t i = 0; i < std::max(line.size(), first + 1); ++i) {
        const char mark = i == first ? '^' : (i > first && i <= last) ? '~' : ' ';
        const char c = i < line.size() ? line[i] : ' ';
        const std::size_t width = c == '\t' ? kTabWidth - text.size() % kTabWidth : 1;
        text.append(width, c == '\t' ? ' ' : (c < ' ' || c > '~') ? '?' : c);
        marks.append(width, mark == '^' ? ' ' : mark);
        if (mark == '^') marks[marks.size() - width] = '^';
    }
    std::size_t begin = 0;
    if (text.size() > kMaxShown) {
        const std::size_t caret = marks.find('^');
        begin = caret > kMaxShown / 2 ? caret - kMaxShown / 2 : 0;
    }
    text = text.substr(begin, kMaxShown);
    marks = marks.substr(begin, kMaxShown);
    text.erase(text.find_last_not_of(' ') + 1);
    marks.erase(marks.find_last_not_of(' ') + 1);
    return fmt::format("    {}\n    {}\n", text, marks);
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
    if (diagnostic.severity == Severity::error) {
        ++errors_;
        if (errors_ > limit_) return;
    }
    items_.push_back(std::move(diagnostic));
}

void Diagnostics::sort() {
    std::stable_sort(items_.begin(), items_.end(),
                     [](const Diagnostic& a, const Diagnostic& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; });
}

std::optional<std::size_t> error_position(const Diagnostics& diagnostics, std::string_view source) {
    const Diagnostic* first = nullptr;
    for (const Diagnostic& d : diagnostics.items())
        if (d.severity == Severity::error && d.line != 0 && (!first || d.line < first->line || (d.line == first->line && d.column < first->column))) first = &d;
    if (!first) return std::nullopt;
    const std::string_view line = source_line(source, first->line);
    const std::size_t begin = static_cast<std::size_t>(line.data() - source.data());
    return std::min(begin + (first->column == 0 ? 0 : first->column - 1), source.size());
}

std::string render(const Diagnostic& d, std::string_view source) {
    std::string out = d.file;
    if (d.line != 0) out += fmt::format(":{}:{}", d.line, d.column);
    out += fmt::format(": {}: {}", severity_name(d.severity), d.message);
    out += d.rule.empty() ? "\n" : fmt::format(" [{}]\n", d.rule);
    if (d.line != 0 && d.column != 0) out += source_lines(source_line(source, d.line), d.column, d.length);
    if (!d.hint.empty()) out += fmt::format("    hint: {}\n", d.hint);
    return out;
}

std::string render(const Diagnostics& diagnostics, std::string_view source) {
    std::string out;
    std::size_t shown = 0;
    for (const Diagnostic& d : diagnostics.items()) {
        out += render(d, source);
        shown += d.severity == Severity::error;
    }
    if (diagnostics.error_count() > shown) out += fmt::format("too many errors: only the first {} found are shown\n", shown);
    return out;
}

}  // namespace maskwork
