// The functions of the special unit on the bits of one thread's registers, as docs/semantics.md and docs/functions.md
// define them: pure, the same for every thread, without floating-point arithmetic of the host. The RTL computes the same bits.
#pragma once

#include <cstdint>

namespace maskwork::model {

// F32. RCP and DIV are correctly rounded; the others are the integer algorithm of docs/functions.md.
std::uint32_t rcp(std::uint32_t a);
std::uint32_t rsq(std::uint32_t a);
std::uint32_t ex2(std::uint32_t a);
std::uint32_t lg2(std::uint32_t a);
std::uint32_t sine(std::uint32_t a);
std::uint32_t cosine(std::uint32_t a);
std::uint32_t div_f32(std::uint32_t a, std::uint32_t b);

// Integers: towards zero, by zero all ones, -2^31 / -1 = -2^31 rest 0; the remainder has the sign of a.
std::uint32_t div_s32(std::uint32_t a, std::uint32_t b);
std::uint32_t div_u32(std::uint32_t a, std::uint32_t b);
std::uint32_t mod_s32(std::uint32_t a, std::uint32_t b);
std::uint32_t mod_u32(std::uint32_t a, std::uint32_t b);

// binary16: PKH puts a into the low half and b into the high half; UPHL and UPHH read one half.
std::uint32_t pack_half(std::uint32_t a, std::uint32_t b);
std::uint32_t unpack_half_low(std::uint32_t a);
std::uint32_t unpack_half_high(std::uint32_t a);

// BFR, BTC, BTFL, BTFM.
std::uint32_t bit_reverse(std::uint32_t a);
std::uint32_t bit_count(std::uint32_t a);
std::uint32_t find_lsb(std::uint32_t a);
std::uint32_t find_msb_u32(std::uint32_t a);
std::uint32_t find_msb_s32(std::uint32_t a);

}  // namespace maskwork::model
