// Integer and bit instructions, and those of all types; 32 and 64 bits alike.
#include "language.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "language_parts.hpp"

namespace maskwork::test {

using namespace ast;

namespace {

/// Arithmetic modulo 2^n.
struct Ring {
  unsigned n;
  uint64_t cut(uint64_t v) const { return n == 64 ? v : static_cast<uint32_t>(v); }
  bool top(uint64_t v) const { return ((v >> (n - 1)) & 1) != 0; }
  int64_t sign(uint64_t v) const { return n == 64 ? static_cast<int64_t>(v) : static_cast<int32_t>(v); }
  Computed add(uint64_t x, uint64_t y) const {
    Computed r;
    r.value = cut(x + y);
    r.c = r.value < cut(x);
    r.o = top((x ^ r.value) & (y ^ r.value));
    return r;
  }
  Computed subtract(uint64_t x, uint64_t y) const {
    Computed r;
    r.value = cut(x - y);
    r.c = cut(x) >= cut(y);
    r.o = top((x ^ y) & (x ^ r.value));
    return r;
  }
};

Computed plain(uint64_t v) {
  Computed r;
  r.value = v;
  return r;
}

Computed divide(const Instruction& in, uint32_t x, uint32_t y, bool remainder) {
  if (y == 0) return plain(0xffffffffu);
  if (base_of(in.modifiers.type) == BaseType::u) return plain(remainder ? x % y : x / y);
  const int64_t a = static_cast<int32_t>(x), b = static_cast<int32_t>(y);
  return plain(static_cast<uint32_t>(remainder ? a % b : a / b));
}

/// Bit n of the field that BFE and BFI name: n bits from bit o.
Computed extract(uint32_t bits, uint32_t offset, uint32_t v, bool is_signed) {
  uint32_t r = 0;
  for (uint32_t k = 0; k < bits; ++k) r |= ((v >> (offset + k)) & 1) << k;
  if (is_signed && bits != 0 && ((r >> (bits - 1)) & 1))
    for (uint32_t k = bits; k < 32; ++k) r |= 1u << k;
  return plain(r);
}
Computed insert(uint32_t bits, uint32_t offset, uint32_t v, uint32_t base) {
  for (uint32_t k = 0; k < bits; ++k) base = (base & ~(1u << (offset + k))) | ((v >> k) & 1) << (offset + k);
  return plain(base);
}

}  // namespace

Computed compute(const Instruction& in, unsigned c, const Reader& reader) {
  Computed out;
  if (compute_float(in, c, reader, out) || compute_convert(in, c, reader, out)) return out;
  const BaseType t = base_of(in.modifiers.type);
  const bool is_float = t == BaseType::f, is_signed = t == BaseType::s;
  const Ring ring{bytes_of(in.modifiers.type) * 8};
  const uint64_t ones = ring.cut(~uint64_t{0});
  const auto x = [&] { return reader.read(0, c); };
  const auto y = [&] { return reader.read(1, c); };
  const auto z = [&] { return reader.read(2, c); };
  const auto small = [&](unsigned operand, unsigned component) { return static_cast<uint32_t>(reader.read(operand, component)); };
  const auto fx = [&] { return number(static_cast<uint32_t>(x())); };
  const auto fy = [&] { return number(static_cast<uint32_t>(y())); };
  const auto fz = [&] { return number(static_cast<uint32_t>(z())); };
  const auto truth = [&](bool b) { return plain(!b ? 0 : is_float ? pattern(1.0f) : ones); };
  const auto compare = [&](auto relation) {
    if (is_float) return truth(relation(fx(), fy()));
    if (is_signed) return truth(relation(ring.sign(x()), ring.sign(y())));
    return truth(relation(x(), y()));
  };
  const auto extreme = [&](bool maximum) {
    const uint64_t u = x(), v = y();
    if (t == BaseType::u) return plain(maximum ? std::max(u, v) : std::min(u, v));
    if (is_signed) return plain((ring.sign(u) < ring.sign(v)) == maximum ? v : u);
    if (std::isnan(fx()) && std::isnan(fy())) return plain(kNotANumber);
    if (std::isnan(fx())) return plain(v);
    if (std::isnan(fy())) return plain(u);
    if (fx() == 0 && fy() == 0) return plain(maximum ? (u & v) : (u | v));
    return plain((fx() < fy()) == maximum ? v : u);
  };
  const auto sum = [&](bool minus) {
    if (is_float) return plain(pattern(fx() + (minus ? -fy() : fy())));
    auto [u, nu] = reader.split(0, c);
    auto [v, nv] = reader.split(1, c);
    if (minus) nv = !nv;
    if (nu && nv) return ring.add(ring.cut(0 - u), ring.cut(0 - v));
    if (nv) return ring.subtract(u, v);
    return nu ? ring.subtract(v, u) : ring.add(u, v);
  };
  switch (in.opcode) {
    case Opcode::MOV: return plain(x());
    case Opcode::ABS:
      if (is_float) return plain(x() & 0x7fffffffu);
      return plain(is_signed && ring.top(x()) ? ring.cut(0 - x()) : x());
    case Opcode::ADD: return sum(false);
    case Opcode::SUB: return sum(true);
    case Opcode::MUL:
      if (is_float) return plain(pattern(fx() * fy()));
      if (in.modifiers.mul != MulKind::hi) return plain(ring.cut(x() * y()));
      if (!is_signed) return plain((x() * y()) >> 32);
      return plain(static_cast<uint32_t>((ring.sign(x()) * ring.sign(y())) >> 32));
    case Opcode::MAD: {
      if (is_float) return plain(pattern(std::fmaf(fx(), fy(), fz())));
      auto [v, negated] = reader.split(2, c);
      const uint64_t product = ring.cut(x() * y());
      return negated ? ring.subtract(product, v) : ring.add(product, v);
    }
    case Opcode::SAD: {
      // The exact difference, whatever its size.
      const __int128 a = is_signed ? static_cast<__int128>(ring.sign(x())) : static_cast<__int128>(x());
      const __int128 b = is_signed ? static_cast<__int128>(ring.sign(y())) : static_cast<__int128>(y());
      auto [v, negated] = reader.split(2, c);
      const uint64_t difference = ring.cut(static_cast<uint64_t>(a < b ? b - a : a - b));
      return negated ? ring.subtract(difference, v) : ring.add(difference, v);
    }
    case Opcode::DIV:
      if (is_float) return plain(pattern(fx() / fy()));
      return divide(in, static_cast<uint32_t>(x()), static_cast<uint32_t>(y()), false);
    case Opcode::MOD: return divide(in, static_cast<uint32_t>(x()), static_cast<uint32_t>(y()), true);
    case Opcode::MIN: return extreme(false);
    case Opcode::MAX: return extreme(true);
    case Opcode::SEQ: return compare([](auto u, auto v) { return u == v; });
    case Opcode::SNE: return compare([](auto u, auto v) { return u != v; });
    case Opcode::SLT: return compare([](auto u, auto v) { return u < v; });
    case Opcode::SLE: return compare([](auto u, auto v) { return u <= v; });
    case Opcode::SGT: return compare([](auto u, auto v) { return u > v; });
    case Opcode::SGE: return compare([](auto u, auto v) { return u >= v; });
    case Opcode::STR: return truth(true);
    case Opcode::SFL: return truth(false);
    case Opcode::CMP: return plain((is_float ? fx() < 0 : is_signed && ring.top(x())) ? y() : z());
    case Opcode::AND: return plain(x() & y());
    case Opcode::OR: return plain(x() | y());
    case Opcode::XOR: return plain(x() ^ y());
    case Opcode::NOT: return plain(ring.cut(~x()));
    case Opcode::SHL: return plain(y() >= ring.n ? 0 : ring.cut(x() << y()));
    case Opcode::SHR:
      if (!is_signed) return plain(y() >= ring.n ? 0 : x() >> y());
      return plain(ring.cut(static_cast<uint64_t>(ring.sign(x()) >> std::min<uint64_t>(y(), ring.n - 1))));
    case Opcode::BFE: return extract(small(0, 0), small(0, 1), static_cast<uint32_t>(y()), is_signed);
    case Opcode::BFI: return insert(small(0, 0), small(0, 1), static_cast<uint32_t>(y()), static_cast<uint32_t>(z()));
    case Opcode::BFR: {
      uint32_t r = 0;
      for (unsigned k = 0; k < 32; ++k) r |= ((static_cast<uint32_t>(x()) >> k) & 1) << (31 - k);
      return plain(r);
    }
    case Opcode::BTC: {
      uint32_t n = 0;
      for (unsigned k = 0; k < 32; ++k) n += (x() >> k) & 1;
      return plain(n);
    }
    case Opcode::BTFL:
      for (unsigned k = 0; k < 32; ++k)
        if ((x() >> k) & 1) return plain(k);
      return plain(0xffffffffu);
    case Opcode::BTFM: {
      const uint32_t v = static_cast<uint32_t>(is_signed && ring.top(x()) ? ~x() : x());
      for (unsigned k = 32; k-- > 0;)
        if ((v >> k) & 1) return plain(k);
      return plain(0xffffffffu);
    }
    case Opcode::PK64: {
      const unsigned first = (c & 1) * 2;
      return plain(uint64_t{small(0, first + 1)} << 32 | small(0, first));
    }
    case Opcode::UP64: return plain(static_cast<uint32_t>(reader.read(0, c / 2) >> (c & 1 ? 32 : 0)));
    default: throw std::runtime_error("opcode " + std::string(name_of(in.opcode)));
  }
}

}  // namespace maskwork::test
