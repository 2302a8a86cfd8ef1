#pragma once
// Between the files of language.hpp.
#include <bit>
#include <cmath>

#include "language.hpp"

namespace maskwork::test {

inline constexpr uint32_t kNotANumber = 0x7fc00000u;
inline float number(uint32_t b) { return std::bit_cast<float>(b); }
inline uint32_t pattern(float v) { return std::isnan(v) ? kNotANumber : std::bit_cast<uint32_t>(v); }

/// False: not an instruction of this part.
bool compute_float(const ast::Instruction& in, unsigned component, const Reader& reader, Computed& out);
bool compute_convert(const ast::Instruction& in, unsigned component, const Reader& reader, Computed& out);

}  // namespace maskwork::test
