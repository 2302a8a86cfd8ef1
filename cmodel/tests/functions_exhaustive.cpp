// Every operand of a function of one operand: functions_exhaustive FUNCTION [FIRST LAST] (bits of the operands, 0x... allowed).
// The exact value is the host's double: its libraries err by less than 2^-50, which is nothing beside the bounds (functions_test
// compares with MPFR). rcp and pkh must agree with the host in every bit. A line a 16th of the range; the last line is the verdict.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "function_bounds.hpp"

namespace {

using namespace maskwork;
using namespace maskwork::test;

double exact(Function f, float x) {
  const double y = static_cast<double>(x);
  switch (f) {
    case Function::RSQ: return 1 / std::sqrt(y);
    case Function::EX2: return std::exp2(y);
    case Function::LG2: return std::log2(y);
    case Function::SIN: return std::sin(y);
    case Function::COS: return std::cos(y);
  }
  return 0;
}

double bounded(const FunctionEntry& entry, std::uint32_t a) {
  const std::uint32_t result = entry.compute(a);
  std::uint32_t constant = 0;
  if (special_operand(entry.function, a, constant)) return result == constant ? 0 : 1000;
  return judge(entry.function, a, result, exact(entry.function, to_float(a)));
}

double reciprocal(std::uint32_t a) {
  const float x = 1 / to_float(a);
  return model::rcp(a) == (std::isnan(x) ? QUIET_NAN : to_bits(x)) ? 0 : 1000;
}

double half(std::uint32_t a) {
  const float x = to_float(a);
  const std::uint32_t expected = std::isnan(x) ? 0x7e00 : std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
  return model::pack_half(a, a) == (expected | (expected << 16)) ? 0 : 1000;
}

template <class Error>
int run(std::string_view name, std::uint64_t first, std::uint64_t last, Error error_of) {
  const std::uint64_t part = (last - first) / 16 + 1;
  double worst = 0;
  std::uint64_t wrong = 0;
  std::uint32_t worst_at = static_cast<std::uint32_t>(first);
  for (std::uint64_t begin = first; begin <= last; begin += part) {
    const std::uint64_t end = std::min(begin + part - 1, last);
    for (std::uint64_t a = begin; a <= end; ++a) {
      const double error = error_of(static_cast<std::uint32_t>(a));
      if (error > worst) {
        worst = error;
        worst_at = static_cast<std::uint32_t>(a);
      }
      if (error >= 1 && wrong++ < 10) std::printf("%.*s of 0x%08x (%g): error %g\n", int(name.size()), name.data(), unsigned(a), double(to_float(static_cast<std::uint32_t>(a))), error);
    }
    std::printf("%.*s: to 0x%08x, largest error %.4f of the bound at 0x%08x\n", int(name.size()), name.data(), unsigned(end), worst, worst_at);
    std::fflush(stdout);
  }
  std::printf("%s: %.*s, %" PRIu64 " operands, %" PRIu64 " wrong, largest error %.4f of the bound\n", wrong == 0 ? "PASS" : "FAIL", int(name.size()), name.data(),
              last - first + 1, wrong, worst);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 0;
  const std::uint64_t last = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 0xffff'ffff;
  if ((argc == 2 || argc == 4) && first <= last && last <= 0xffff'ffff) {
    if (name == "rcp") return run(name, first, last, reciprocal);
    if (name == "pkh") return run(name, first, last, half);
    for (const FunctionEntry& entry : FUNCTIONS)
      if (entry.name == name) return run(name, first, last, [&](std::uint32_t a) { return bounded(entry, a); });
  }
  std::fprintf(stderr, "usage: functions_exhaustive rcp|rsq|ex2|lg2|sin|cos|pkh [FIRST LAST]\n");
  return 2;
}
