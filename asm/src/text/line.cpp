#include "line.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace maskwork::text {
namespace {

bool name_char(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

size_t Line::at() {
  while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\t' || s_[at_] == '\r')) ++at_;
  if (at_ < s_.size() && s_[at_] == '#') at_ = s_.size();
  return at_;
}

bool Line::accept(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}

void Line::expect(char c) {
  if (!accept(c)) fail(std::string("'") + c + "' expected");
}

std::string_view Line::name() {
  const size_t first = at();
  while (at_ < s_.size() && name_char(s_[at_])) ++at_;
  return s_.substr(first, at_ - first);
}

std::string_view Line::peek_name() {
  const size_t keep = at();
  const auto n = name();
  at_ = keep;
  return n;
}

uint64_t Line::number(uint64_t limit, const char* what) {
  const size_t first = at();
  const std::string_view n = name();
  uint64_t v = 0;
  const bool is_hex = n.starts_with("0x") || n.starts_with("0X");
  const std::string_view digits = is_hex ? n.substr(2) : n;
  const auto r = std::from_chars(digits.data(), digits.data() + digits.size(), v, is_hex ? 16 : 10);
  if (digits.empty() || r.ec == std::errc::invalid_argument || r.ptr != digits.data() + digits.size()) fail_at(first, n.size(), std::string(what) + " expected");
  if (r.ec != std::errc{} || v > limit) fail_at(first, n.size(), std::string(what) + " out of range", "0 .. " + std::to_string(limit));
  return v;
}

int64_t Line::signed_number(int64_t low, int64_t high, const char* what) {
  const size_t first = at();
  const bool negative = accept('-');
  const int64_t v = static_cast<int64_t>(number(0xffffffffu, what));
  const int64_t result = negative ? -v : v;
  if (result < low || result > high) fail_at(first, at_ - first, std::string(what) + " out of range", std::to_string(low) + " .. " + std::to_string(high));
  return result;
}

uint32_t Line::literal() {
  const size_t first = at();
  size_t i = at_;
  const bool is_hex = s_.substr(i).starts_with("0x") || s_.substr(i).starts_with("0X");
  bool is_float = false;
  while (i < s_.size()) {
    const char c = s_[i];
    if (!is_hex && (c == '.' || c == 'e' || c == 'E')) is_float = true;
    const bool exponent_sign = !is_hex && (c == '-' || c == '+') && i > first && (s_[i - 1] == 'e' || s_[i - 1] == 'E');
    if (!name_char(c) && c != '.' && !exponent_sign) break;
    ++i;
  }
  if (!is_float) return static_cast<uint32_t>(number(0xffffffffu, "a literal"));
  float value = 0;
  const auto r = std::from_chars(s_.data() + first, s_.data() + i, value);
  if (r.ec != std::errc{} || r.ptr != s_.data() + i) fail_at(first, i - first, "a float literal expected");
  at_ = i;
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

std::string Line::quoted() {
  expect('"');
  std::string out;
  while (at_ < s_.size() && s_[at_] != '"') {
    char c = s_[at_++];
    if (c == '\\' && at_ < s_.size()) {
      c = s_[at_++];
      if (c == 'x') {
        unsigned v = 0;
        if (at_ + 2 > s_.size() || std::from_chars(s_.data() + at_, s_.data() + at_ + 2, v, 16).ptr != s_.data() + at_ + 2) fail("two hexadecimal digits expected");
        at_ += 2;
        c = static_cast<char>(v);
      }
    }
    out += c;
  }
  if (at_ >= s_.size()) fail("the string is not closed");
  ++at_;
  return out;
}

void Line::fail(std::string message, std::string hint) {
  const size_t first = at();
  const size_t length = std::max<size_t>(1, peek_name().size());
  fail_at(first, length, std::move(message), std::move(hint));
}

void Line::fail_at(size_t first, size_t length, std::string message, std::string hint, std::string rule) {
  throw Wrong{first, std::max<size_t>(1, length), std::move(message), std::move(hint), std::move(rule)};
}

unsigned Line::component() {
  const size_t first = at();
  const auto n = name();
  const size_t c = n.size() == 1 ? kComponents.find(n[0]) : std::string_view::npos;
  if (c == std::string_view::npos) fail_at(first, n.size(), "a component expected", "x, y, z or w");
  return static_cast<unsigned>(c);
}

unsigned Line::mask() {
  const size_t first = at();
  const auto n = name();
  unsigned m = 0;
  for (char c : n) {
    const size_t k = kComponents.find(c);
    if (k == std::string_view::npos || (m >> k) != 0) fail_at(first, n.size(), "components in the order xyzw expected");
    m |= 1u << k;
  }
  if (m == 0) fail("components expected", "some of xyzw");
  return m;
}

}  // namespace maskwork::text
