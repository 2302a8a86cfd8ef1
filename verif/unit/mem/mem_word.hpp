// Memory words for the unit tests, and their meaning: sequential memory, thread by thread (docs/semantics.md, "Memory words").
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>

namespace mem_test {

enum class Kind : uint8_t { Load = 1, Store = 2, Atomic = 3, Fence = 4, Check = 5 };
enum Atom : uint8_t { Add, Min, Max, And, Or, Xor, Iwrap, Dwrap, Exch, Cswap, AtomCount };

enum class Type : uint8_t { Unsigned, Signed, Float };

using Threads = std::array<uint32_t, 32>;

/// One word of one wave, as the core would issue it.
struct Word {
  Kind kind = Kind::Load;
  uint8_t op = 0;
  Type type = Type::Unsigned;       ///< of an atomic
  uint32_t size = 0;               ///< 0, 1, 2: 1, 2, 4 words
  uint32_t comps = 1;              ///< component mask
  uint32_t exec = 0xffffffffu;     ///< threads that access
  std::array<uint32_t, 4> wmask{};  ///< threads whose register is written, by component
  Threads addr{};                  ///< of component 0
  std::array<Threads, 4> data{};
  Threads data2{};
  uint32_t base = 0;
  uint64_t bound = 0;
  uint32_t wave = 0, seq = 0, pc = 0, dst = 0;
  bool acq = false;
  bool bad = false;                ///< a thread is misaligned
};

inline bool in_bounds(uint32_t addr, uint64_t bound) { return uint64_t{addr} + 4 <= bound; }

/// New memory value of an atomic.
inline uint32_t atomic_result(uint8_t op, Type type, uint32_t m, uint32_t x, uint32_t y) {
  if (type == Type::Float && op == Add) {
    const float sum = std::bit_cast<float>(m) + std::bit_cast<float>(x);
    return std::isnan(sum) ? 0x7fc00000u : std::bit_cast<uint32_t>(sum);
  }
  const bool less = type == Type::Signed ? static_cast<int32_t>(m) < static_cast<int32_t>(x) : m < x;
  switch (op) {
    case Add: return m + x;
    case Min: return less ? m : x;
    case Max: return less ? x : m;
    case And: return m & x;
    case Or: return m | x;
    case Xor: return m ^ x;
    case Iwrap: return m >= x ? 0 : m + 1;
    case Dwrap: return m == 0 || m > x ? x : m - 1;
    case Exch: return x;
    case Cswap: return m == x ? y : m;
    default: return m;
  }
}

/// What the word loads and stores, by component and thread.
struct Effect {
  std::array<uint32_t, 4> access{};        ///< threads in bounds
  std::array<Threads, 4> address{};        ///< as records tell it
  std::array<Threads, 4> loaded{};         ///< load result, old value
  std::array<Threads, 4> stored{};         ///< stored word, new value of an atomic
};

/// Performs `w`; `cell` is the memory word at base + address. `physical`: so do records tell the address (shared memory: without base).
inline Effect perform(const Word& w, bool physical, const std::function<uint32_t&(uint32_t)>& cell) {
  Effect e;
  for (uint32_t t = 0; t < 32; ++t) {
    if (w.kind == Kind::Fence || w.kind == Kind::Check || ((w.exec >> t) & 1) == 0) continue;
    for (uint32_t k = 0; k < 4; ++k) {
      if (((w.comps >> k) & 1) == 0) continue;
      const uint32_t at = w.addr[t] + 4 * k;
      if (!in_bounds(at, w.bound)) continue;
      e.access[k] |= 1u << t;
      e.address[k][t] = physical ? w.base + at : at;
      uint32_t& m = cell(w.base + at);
      switch (w.kind) {
        case Kind::Load: e.loaded[k][t] = m; break;
        case Kind::Store: e.stored[k][t] = m = w.data[k][t]; break;
        case Kind::Atomic:
          e.loaded[k][t] = m;
          e.stored[k][t] = m = atomic_result(w.op, w.type, m, w.data[0][t], w.data2[t]);
          break;
        case Kind::Fence:
        case Kind::Check: break;
      }
    }
  }
  return e;
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t bits() { return static_cast<uint32_t>(engine_()); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine_() % n); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return *(list.begin() + below(static_cast<uint32_t>(list.size())));
  }

 private:
  std::mt19937_64 engine_;
};

/// An operand of the type's corners, or any bits.
inline uint32_t atomic_operand(Random& r, Type type) {
  if (type != Type::Float) return r.pick({0u, 1u, 2u, 0x7fffffffu, 0x80000000u, 0xffffffffu, r.bits()});
  return r.pick({0u, 0x80000000u, 0x3f800000u, 0xbf7fffffu, 0x4b800000u, 0xcb800001u, 1u, 0x807fffffu, 0x7f7fffffu, 0xff800000u, 0x33800000u, r.bits()});
}

/// Number of seeds of a random test: `quick`, or MASKWORK_MEM_SEEDS if that is set (nightly).
inline uint64_t seeds(uint64_t quick) {
  const char* text = std::getenv("MASKWORK_MEM_SEEDS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : quick;
}

/// A random word for a memory of `bound` bytes at `base`; addresses in one of the ways that programs have.
inline Word random_word(Random& r, uint32_t base, uint32_t bound, uint32_t banks) {
  Word w;
  w.kind = r.pick({Kind::Load, Kind::Load, Kind::Load, Kind::Store, Kind::Store, Kind::Atomic, Kind::Atomic, Kind::Fence});
  if (w.kind == Kind::Fence && r.chance(70)) w.kind = Kind::Store;
  w.op = static_cast<uint8_t>(r.below(AtomCount));
  w.type = r.pick({Type::Unsigned, Type::Signed, Type::Float});
  if (w.type == Type::Float) w.op = r.pick<uint8_t>({Add, Exch});
  if (w.kind == Kind::Load || w.kind == Kind::Store) {
    w.size = r.pick({0u, 0u, 0u, 1u, 2u});
    w.comps = 1 + r.below((1u << (1u << w.size)) - 1);
    if (r.chance(50)) w.comps = (1u << (1u << w.size)) - 1;
  }
  w.exec = r.chance(50) ? 0xffffffffu : r.bits() & (r.chance(50) ? 0xffffffffu : r.bits());
  if (r.chance(5)) w.exec = 0;
  for (auto& m : w.wmask) m = w.kind == Kind::Load || w.kind == Kind::Atomic ? w.exec & (r.chance(60) ? 0xffffffffu : r.bits()) : 0;
  if (r.chance(5)) w.wmask = {};
  w.base = base;
  w.bound = bound;
  const uint32_t step = 4u << w.size;
  const uint32_t units = bound / step + 2;  // up to two beyond the end
  const uint32_t start = r.below(units);
  const uint32_t way = r.below(8);
  for (uint32_t t = 0; t < 32; ++t) {
    uint32_t u = 0;
    switch (way) {
      case 0: u = start + t; break;                                   // consecutive
      case 1: u = (start & ~31u) + t; break;                          // consecutive, aligned
      case 2: u = start; break;                                       // equal
      case 3: u = r.below(units); break;                              // random
      case 4: u = start + t * banks; break;                           // one bank
      case 5: u = start + (t & 1) * banks; break;                     // two words of one bank
      case 6: u = (start & ~31u) + r.below(32); break;                // in one line, with repetitions
      default: u = r.chance(80) ? r.below(8) : r.bits(); break;       // crowded, some far outside
    }
    w.addr[t] = u * step - base % step;  // base + address is a multiple of the size
    for (auto& d : w.data) d[t] = r.chance(50) ? r.bits() : r.below(4);
    w.data2[t] = r.bits();
  }
  w.dst = r.below(1000);
  w.acq = r.chance(30);
  w.pc = r.bits() & 0xffffff;
  return w;
}

}  // namespace mem_test
