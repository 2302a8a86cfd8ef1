// The row functions. Included once per host instruction set with MW_ROWS_NS naming it. Everything lies in an anonymous namespace, and
// of other headers only constants are used: code compiled for a newer processor must not replace shared inline functions.
#include "maskwork/isa.hpp"
#include "rows.hpp"

namespace maskwork::rows::MW_ROWS_NS {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

constexpr u32 canonical_nan = 0x7fc00000u, one = 0x3f800000u;

inline float f(u32 v) { return __builtin_bit_cast(float, v); }
inline u32 bits(float v) { return __builtin_bit_cast(u32, v); }
inline u32 canon(float v) { return v != v ? canonical_nan : bits(v); }
inline bool nan(u32 v) { return (v & 0x7fffffffu) > 0x7f800000u; }
/// Maps floats that are no NaN to integers in the same order, -0 below +0.
inline i32 order(u32 v) { return static_cast<i32>(v ^ ((static_cast<i32>(v) >> 31) & 0x7fffffff)); }

// One operation on one thread; instantiated as loops below.
#define MW_OP(name, expression)                                                           \
  struct name {                                                                           \
    static inline u32 of([[maybe_unused]] u32 a, [[maybe_unused]] u32 b, [[maybe_unused]] u32 c) { return expression; } \
  }
inline i32 s(u32 v) { return static_cast<i32>(v); }

MW_OP(Mov, a);
template <u32 na, u32 nb> MW_OP(FAdd, canon(f(a ^ na) + f(b ^ nb)));
template <u32 np> MW_OP(FMul, canon(f(a ^ np) * f(b)));
template <u32 np, u32 nc> MW_OP(FMad, canon(__builtin_fmaf(f(a ^ np), f(b), f(c ^ nc))));
MW_OP(FMin, nan(a) ? (nan(b) ? canonical_nan : b) : nan(b) ? a : order(a) < order(b) ? a : b);
MW_OP(FMax, nan(a) ? (nan(b) ? canonical_nan : b) : nan(b) ? a : order(a) > order(b) ? a : b);
MW_OP(FSeq, f(a) == f(b) ? one : 0);
MW_OP(FSne, f(a) != f(b) ? one : 0);
MW_OP(FSlt, f(a) < f(b) ? one : 0);
MW_OP(FSle, f(a) <= f(b) ? one : 0);
MW_OP(FSgt, f(a) > f(b) ? one : 0);
MW_OP(FSge, f(a) >= f(b) ? one : 0);
MW_OP(FCmp, f(a) < 0.0f ? b : c);
MW_OP(IAdd, a + b);
MW_OP(ISub, a - b);
MW_OP(ISubReversed, b - a);
MW_OP(IMul, a * b);
MW_OP(IMad, a * b + c);
MW_OP(SMulHi, static_cast<u32>(static_cast<u64>(static_cast<i64>(s(a)) * s(b)) >> 32));
MW_OP(UMulHi, static_cast<u32>((static_cast<u64>(a) * b) >> 32));
MW_OP(SMin, s(a) < s(b) ? a : b);
MW_OP(SMax, s(a) > s(b) ? a : b);
MW_OP(UMin, a < b ? a : b);
MW_OP(UMax, a > b ? a : b);
MW_OP(ISeq, a == b ? ~0u : 0);
MW_OP(ISne, a != b ? ~0u : 0);
MW_OP(SSlt, s(a) < s(b) ? ~0u : 0);
MW_OP(SSle, s(a) <= s(b) ? ~0u : 0);
MW_OP(SSgt, s(a) > s(b) ? ~0u : 0);
MW_OP(SSge, s(a) >= s(b) ? ~0u : 0);
MW_OP(USlt, a < b ? ~0u : 0);
MW_OP(USle, a <= b ? ~0u : 0);
MW_OP(USgt, a > b ? ~0u : 0);
MW_OP(USge, a >= b ? ~0u : 0);
MW_OP(SCmp, s(a) < 0 ? b : c);
MW_OP(UCmp, c);
MW_OP(And, a & b);
MW_OP(Or, a | b);
MW_OP(Xor, a ^ b);
MW_OP(Not, ~a);
MW_OP(Shl, b > 31 ? 0 : a << (b & 31));
MW_OP(SShr, static_cast<u32>(s(a) >> (b > 31 ? 31 : b)));
MW_OP(UShr, b > 31 ? 0 : a >> (b & 31));
// MOVA: the saturated index; the caller stores it.
MW_OP(SMova, static_cast<u32>(s(a) > 2047 ? 2047 : s(a) < -2048 ? -2048 : s(a)));
MW_OP(UMova, a > 2047 ? 2047 : a);

constexpr int nearest = static_cast<int>(isa::Round::ROUND), ceiling = static_cast<int>(isa::Round::CEIL), floor_ = static_cast<int>(isa::Round::FLR);

/// Whether a magnitude with remainder `rem` out of `2 * half` goes up by one.
template <int mode>
inline bool rounds_up(bool negative, u32 odd, u64 rem, u64 half) {
  if (mode == nearest) return rem > half || (rem == half && odd != 0);
  if (mode == ceiling) return !negative && rem != 0;
  if (mode == floor_) return negative && rem != 0;
  return false;
}

template <int mode>
inline u32 magnitude_to_float(bool negative, u32 m) {
  if (m == 0) return 0;
  const int top = 31 - __builtin_clz(m);
  u32 fraction;
  if (top <= 23) {
    fraction = m << (23 - top);
  } else {
    const int drop = top - 23;
    fraction = m >> drop;
    fraction += rounds_up<mode>(negative, fraction & 1, m & ((1u << drop) - 1), 1u << (drop - 1)) ? 1 : 0;
  }
  // A carry out of the fraction runs into the exponent, where it belongs.
  return (negative ? 0x80000000u : 0) + (static_cast<u32>(top + 126) << 23) + fraction;
}

template <int mode, bool to_signed, bool sat>
inline u32 float_to_int(u32 v) {
  const bool negative = (v >> 31) != 0;
  const int exponent = static_cast<int>((v >> 23) & 255);
  u32 m = v & 0x7fffffu;
  const u32 most = to_signed ? (negative ? 0x80000000u : 0x7fffffffu) : (negative ? 0 : ~0u);
  if (exponent == 255) return m != 0 || !sat ? 0 : most;
  if (exponent != 0) m |= 0x800000u;
  const int shift = (exponent == 0 ? 1 : exponent) - 150;
  u64 q;  // magnitude; saturated to 2^40 where only the clamp can see it
  if (shift >= 0) {
    q = shift >= 40 ? (sat ? u64{1} << 40 : 0) : u64{m} << shift;
  } else if (shift < -40) {
    q = rounds_up<mode>(negative, 0, m, u64{1} << 40) ? 1 : 0;
  } else {
    q = u64{m} >> -shift;
    q += rounds_up<mode>(negative, static_cast<u32>(q & 1), m & ((u64{1} << -shift) - 1), u64{1} << (-shift - 1)) ? 1 : 0;
  }
  if (sat) {
    const u64 limit = to_signed ? (negative ? 0x80000000u : 0x7fffffffu) : (negative ? 0 : 0xffffffffu);
    if (q > limit) return most;
  }
  return negative ? 0u - static_cast<u32>(q) : static_cast<u32>(q);
}

template <int mode> MW_OP(FromS, magnitude_to_float<mode>(s(a) < 0, s(a) < 0 ? 0u - a : a));
MW_OP(FromSNearest, bits(static_cast<float>(s(a))));
template <int mode> MW_OP(FromU, magnitude_to_float<mode>(false, a));
template <int mode, bool to_signed, bool sat> MW_OP(ToInt, (float_to_int<mode, to_signed, sat>(a)));
MW_OP(FToF, canon(f(a)));
MW_OP(SToUSat, s(a) < 0 ? 0 : a);
MW_OP(UToSSat, a > 0x7fffffffu ? 0x7fffffffu : a);
MW_OP(RoundNearest, canon(__builtin_nearbyintf(f(a))));
MW_OP(RoundCeil, canon(__builtin_ceilf(f(a))));
MW_OP(RoundFloor, canon(__builtin_floorf(f(a))));
MW_OP(RoundTrunc, canon(__builtin_truncf(f(a))));

template <class O>
void row(const u32* a, const u32* b, const u32* c, u32* r) {
  a = static_cast<const u32*>(__builtin_assume_aligned(a, 64));
  b = static_cast<const u32*>(__builtin_assume_aligned(b, 64));
  c = static_cast<const u32*>(__builtin_assume_aligned(c, 64));
  r = static_cast<u32*>(__builtin_assume_aligned(r, 64));
#pragma GCC ivdep
#pragma GCC unroll 8
  for (int i = 0; i < 32; ++i) r[i] = O::of(a[i], b[i], c[i]);
}

template <class O>
void unary(const u32* a, u32* r) {
  row<O>(a, a, a, r);
}

template <class O>
void in_place(u32* r) {
  row<O>(r, r, r, r);
}

MW_OP(FAbs, a & 0x7fffffffu);
MW_OP(FNeg, a ^ 0x80000000u);
MW_OP(FNegAbs, a | 0x80000000u);
MW_OP(SAbs, s(a) < 0 ? 0u - a : a);
MW_OP(INeg, 0u - a);
MW_OP(SNegAbs, s(a) < 0 ? a : 0u - a);
// NaN fails every compare and so ends at +0; so does -0 for SAT.
MW_OP(Sat, f(a) > 0.0f ? (f(a) > 1.0f ? one : a) : 0);
MW_OP(SSat, nan(a) ? 0 : f(a) > 1.0f ? one : f(a) < -1.0f ? (one | 0x80000000u) : a);

void no_clamp(u32*) {}

// Flags nibbles: Z = 1, S = 2, O = 4, C = 8.
void flags_f32(const u32* r, uint8_t* out) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) {
    const u32 m = r[i] & 0x7fffffffu;
    const u32 is_nan = m > 0x7f800000u ? 3u : 0u;
    const u32 zero = m == 0 ? 1u : 0u;
    const u32 negative = (r[i] >> 31) != 0 && m != 0 ? 2u : 0u;
    out[i] = static_cast<uint8_t>(is_nan | zero | negative);
  }
}

void flags_int(const u32* r, uint8_t* out) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) out[i] = static_cast<uint8_t>(((r[i] >> 31) << 1) | (r[i] == 0 ? 1u : 0u));
}

void add_flags(const u32* x, const u32* y, u32 invert, u32 carry, u32* r, uint8_t* out) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) {
    const u32 p = x[i], q = y[i] ^ invert;
    const u32 v = p + q + ((carry >> i) & 1);
    const u32 carry_out = ((p & q) | ((p | q) & ~v)) >> 31;
    const u32 overflow = ((p ^ v) & (q ^ v)) >> 31;
    out[i] = static_cast<uint8_t>((carry_out << 3) | (overflow << 2) | ((v >> 31) << 1) | (v == 0 ? 1u : 0u));
    r[i] = v;
  }
}

void chain_zero(uint8_t* out, const uint8_t* old) {
  for (int i = 0; i < 32; ++i) out[i] = static_cast<uint8_t>(out[i] & (old[i] | 0xfe));
}

u32 test(const uint8_t* flags, u32 lut) {
  u32 m = 0;
  for (int i = 0; i < 32; ++i) m |= ((lut >> flags[i]) & 1u) << i;
  return m;
}

u32 nonzero(const u32* r) {
  u32 m = 0;
  for (int i = 0; i < 32; ++i) m |= (r[i] != 0 ? 1u : 0u) << i;
  return m;
}

void blend(u32* d, const u32* v, u32 mask) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) d[i] = ((mask >> i) & 1) != 0 ? v[i] : d[i];
}

void blend8(uint8_t* d, const uint8_t* v, u32 mask) {
#pragma GCC ivdep
  for (int i = 0; i < 32; ++i) d[i] = ((mask >> i) & 1) != 0 ? v[i] : d[i];
}

void fill(u32* d, u32 u, u32 first) {
  for (u32 i = 0; i < 32; ++i) {
    const u32 t = first + i;
    d[i] = u ^ t ^ (t << 11) ^ (t << 22);
  }
}

constexpr u32 sign = 0x80000000u;

template <int mode>
constexpr void fill_cvt(Table& t) {
  for (int sat = 0; sat < 2; ++sat) {
    t.cvt[0][0][mode][sat] = row<FToF>;
    t.cvt[0][1][mode][sat] = mode == nearest ? row<FromSNearest> : row<FromS<mode>>;
    t.cvt[0][2][mode][sat] = row<FromU<mode>>;
    t.cvt[1][1][mode][sat] = t.cvt[2][2][mode][sat] = row<Mov>;
  }
  t.cvt[1][0][mode][0] = row<ToInt<mode, true, false>>;
  t.cvt[1][0][mode][1] = row<ToInt<mode, true, true>>;
  t.cvt[2][0][mode][0] = row<ToInt<mode, false, false>>;
  t.cvt[2][0][mode][1] = row<ToInt<mode, false, true>>;
  t.cvt[1][2][mode][0] = t.cvt[2][1][mode][0] = row<Mov>;
  t.cvt[1][2][mode][1] = row<UToSSat>;
  t.cvt[2][1][mode][1] = row<SToUSat>;
}

constexpr Table make(const char* name) {
  Table t{};
  t.name = name;
  const auto set = [&t](isa::Op op, Fn3 f32, Fn3 s32, Fn3 u32_) {
    auto& functions = t.alu[static_cast<unsigned>(op)];
    functions[0] = f32;
    functions[1] = s32;
    functions[2] = u32_;
  };
  set(isa::Op::MOV, row<Mov>, row<Mov>, row<Mov>);
  set(isa::Op::ADD, row<FAdd<0, 0>>, row<IAdd>, row<IAdd>);
  set(isa::Op::MUL, row<FMul<0>>, row<IMul>, row<IMul>);
  set(isa::Op::MULHI, nullptr, row<SMulHi>, row<UMulHi>);
  set(isa::Op::MAD, row<FMad<0, 0>>, row<IMad>, row<IMad>);
  set(isa::Op::MIN, row<FMin>, row<SMin>, row<UMin>);
  set(isa::Op::MAX, row<FMax>, row<SMax>, row<UMax>);
  set(isa::Op::SEQ, row<FSeq>, row<ISeq>, row<ISeq>);
  set(isa::Op::SNE, row<FSne>, row<ISne>, row<ISne>);
  set(isa::Op::SLT, row<FSlt>, row<SSlt>, row<USlt>);
  set(isa::Op::SLE, row<FSle>, row<SSle>, row<USle>);
  set(isa::Op::SGT, row<FSgt>, row<SSgt>, row<USgt>);
  set(isa::Op::SGE, row<FSge>, row<SSge>, row<USge>);
  set(isa::Op::CMP, row<FCmp>, row<SCmp>, row<UCmp>);
  set(isa::Op::AND, nullptr, row<And>, row<And>);
  set(isa::Op::OR, nullptr, row<Or>, row<Or>);
  set(isa::Op::XOR, nullptr, row<Xor>, row<Xor>);
  set(isa::Op::NOT, nullptr, row<Not>, row<Not>);
  set(isa::Op::SHL, nullptr, row<Shl>, row<Shl>);
  set(isa::Op::SHR, nullptr, row<SShr>, row<UShr>);
  set(isa::Op::MOVA, nullptr, row<SMova>, row<UMova>);
  t.fadd[0] = row<FAdd<0, 0>>;
  t.fadd[1] = row<FAdd<sign, 0>>;
  t.fadd[2] = row<FAdd<0, sign>>;
  t.fadd[3] = row<FAdd<sign, sign>>;
  t.fmul[0] = row<FMul<0>>;
  t.fmul[1] = row<FMul<sign>>;
  t.fmad[0] = row<FMad<0, 0>>;
  t.fmad[1] = row<FMad<sign, 0>>;
  t.fmad[2] = row<FMad<0, sign>>;
  t.fmad[3] = row<FMad<sign, sign>>;
  t.isub = row<ISub>;
  t.isub_reversed = row<ISubReversed>;
  fill_cvt<0>(t);
  fill_cvt<1>(t);
  fill_cvt<2>(t);
  fill_cvt<3>(t);
  t.rndi[nearest] = row<RoundNearest>;
  t.rndi[ceiling] = row<RoundCeil>;
  t.rndi[floor_] = row<RoundFloor>;
  t.rndi[static_cast<int>(isa::Round::TRUNC)] = row<RoundTrunc>;
  t.modify[0][0] = t.modify[1][0] = t.modify[2][0] = t.modify[2][1] = unary<Mov>;
  t.modify[0][1] = unary<FAbs>;
  t.modify[0][2] = unary<FNeg>;
  t.modify[0][3] = unary<FNegAbs>;
  t.modify[1][1] = unary<SAbs>;
  t.modify[1][2] = t.modify[2][2] = t.modify[2][3] = unary<INeg>;
  t.modify[1][3] = unary<SNegAbs>;
  t.clamp[static_cast<int>(isa::Clamp::NONE)] = no_clamp;
  t.clamp[static_cast<int>(isa::Clamp::SAT)] = in_place<Sat>;
  t.clamp[static_cast<int>(isa::Clamp::SSAT)] = in_place<SSat>;
  t.flags_f32 = flags_f32;
  t.flags_int = flags_int;
  t.add_flags = add_flags;
  t.chain_zero = chain_zero;
  t.test = test;
  t.nonzero = nonzero;
  t.blend = blend;
  t.blend8 = blend8;
  t.fill = fill;
  return t;
}

#undef MW_OP

}  // namespace
}  // namespace maskwork::rows::MW_ROWS_NS
