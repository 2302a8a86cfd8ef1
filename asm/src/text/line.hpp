#pragma once
// One line of microcode text: names, numbers, literals, and errors with their place. `#` begins a comment.
#include <cstdint>
#include <string>
#include <string_view>

#include "text.hpp"

namespace maskwork::text {

/// Thrown at the place of the first error of a line; the next line is read again.
struct Wrong {
  size_t at, length;
  std::string message, hint, rule;
};

class Line {
 public:
  explicit Line(std::string_view s) : s_(s) {}
  /// Place of the next character that counts.
  size_t at();
  bool end() { return at() >= s_.size(); }
  char peek() { return end() ? '\0' : s_[at_]; }
  std::string_view text() const { return s_; }
  char peek_raw(size_t ahead) const { return at_ + ahead < s_.size() ? s_[at_ + ahead] : '\0'; }
  bool accept(char c);
  void expect(char c);
  std::string_view name();
  std::string_view peek_name();
  uint64_t number(uint64_t limit, const char* what);
  int64_t signed_number(int64_t low, int64_t high, const char* what);
  /// Integer, hexadecimal or float literal as bits.
  uint32_t literal();
  std::string quoted();
  /// x, y, z or w as a number; a set of them as a mask.
  unsigned component();
  unsigned mask();
  [[noreturn]] void fail(std::string message, std::string hint = {});
  [[noreturn]] void fail_at(size_t first, size_t length, std::string message, std::string hint = {}, std::string rule = "syntax");

 private:
  std::string_view s_;
  size_t at_ = 0;
};

template <class Names>
int code_of(const Names& names, std::string_view name, bool lower) {
  for (const auto& n : names)
    if (lower ? text::lower(n.name) == name : n.name == name) return n.code;
  return -1;
}

}  // namespace maskwork::text
