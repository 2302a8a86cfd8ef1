#include "interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace maskwork::test {
namespace {

using namespace ast;

constexpr uint32_t kNan = 0x7fc00000u;
float f(uint32_t b) { return std::bit_cast<float>(b); }
uint32_t b(float v) { return std::isnan(v) ? kNan : std::bit_cast<uint32_t>(v); }

struct Flags {
  bool c = false, o = false, s = false, z = false;
};

bool holds(CcRule rule, const Flags& g) {
  switch (rule) {
    case CcRule::tr: return true;
    case CcRule::fl: return false;
    case CcRule::eq: return !g.s && g.z;
    case CcRule::ne: return g.s || !g.z;
    case CcRule::lt: return (g.s && !g.z) != g.o;
    case CcRule::ge: return g.s == g.o;
    case CcRule::le: return g.s != (g.z || g.o);
    case CcRule::gt: return (!g.s != g.o) && !g.z;
    case CcRule::nan: return g.s && g.z;
    case CcRule::leg: return !g.s || !g.z;
    case CcRule::cf: return g.c;
    case CcRule::ncf: return !g.c;
    case CcRule::of: return g.o;
    case CcRule::nof: return !g.o;
    case CcRule::sf: return g.s;
    case CcRule::nsf: return !g.s;
    case CcRule::ab: return g.c && !g.z;
    case CcRule::ble: return !g.c || g.z;
  }
  return false;
}

double round_to(Rounding r, double v) {
  switch (r) {
    case Rounding::ceil: return std::ceil(v);
    case Rounding::flr: return std::floor(v);
    case Rounding::trunc: return std::trunc(v);
    default: return std::nearbyint(v);
  }
}

/// 32-bit integer to float with a rounding.
float to_float(int64_t v, Rounding r) {
  const float nearest = static_cast<float>(v);
  const double exact = static_cast<double>(v), got = nearest;
  const float up = got < exact ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
  const float down = got > exact ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
  switch (r) {
    case Rounding::ceil: return up;
    case Rounding::flr: return down;
    case Rounding::trunc: return v < 0 ? up : down;
    default: return nearest;
  }
}

struct Run {
  const Program& p;
  Inputs& in;
  uint64_t budget;
  std::vector<uint8_t> shared;

  std::array<uint32_t, 3> group{}, id{};
  uint32_t index = 0;
  std::vector<std::vector<std::array<uint32_t, 4>>> vars;
  Flags cc[2][4];
  bool ended = false;
  uint64_t steps = 0;
  int depth = 0;

  uint32_t attribute(const Variable& v, unsigned c) {
    if (v.attribute == Attribute::local_index) return index;
    if (c > 2) return 0;
    switch (v.attribute) {
      case Attribute::local_id: return id[c];
      case Attribute::group_id: return group[c];
      case Attribute::group_count: return in.groups[c];
      case Attribute::group_size: return p.group_size[c];
      default: return group[c] * p.group_size[c] + id[c];
    }
  }

  uint32_t raw(uint32_t variable, int64_t element, unsigned c) {
    const Variable& v = p.variables[variable];
    if (v.kind == VariableKind::attrib) return attribute(v, c);
    if (element < 0 || element >= static_cast<int64_t>(v.size)) throw std::runtime_error("index out of range");
    if (v.kind == VariableKind::temp) return vars[variable][static_cast<size_t>(element)][c];
    const ParamElement& e = v.elements[static_cast<size_t>(element)];
    if (e.source == ParamSource::constant) return p.constants[e.index].components[c].bits;
    return e.source == ParamSource::local ? in.local[e.index][c] : 0;
  }
  int64_t element(const Index& i) {
    return static_cast<int64_t>(i.offset) + (i.relative ? static_cast<int32_t>(raw(i.variable, i.element, i.component)) : 0);
  }
  uint32_t modify(uint32_t v, const Operand& op) {
    const auto negate = [&](uint32_t x) { return op.type == BaseType::f ? x ^ 0x80000000u : 0u - x; };
    if (op.negate_inner) v = negate(v);
    if (op.absolute) {
      if (op.type == BaseType::f) v &= 0x7fffffffu;
      if (op.type == BaseType::s && (v >> 31)) v = 0u - v;
    }
    return op.negate_outer ? negate(v) : v;
  }
  uint32_t read(const Operand& op, unsigned c) {
    const unsigned from = op.swizzle[c];
    if (op.kind == OperandKind::constant) return modify(p.constants[op.variable].components[from].bits, op);
    return modify(raw(op.variable, element(op.index), from), op);
  }
  bool passes(const CcTest& t, unsigned c) { return !t.present || holds(t.rule, cc[t.reg][t.swizzle[c]]); }
  bool any(const CcTest& t) {
    for (unsigned c = 0; c < 4; ++c)
      if (passes(t, c)) return true;
    return false;
  }

  struct Result {
    uint32_t value = 0;
    bool c = false, o = false;
  };
  static Result add(uint32_t x, uint32_t y) {
    Result r;
    r.value = x + y;
    r.c = r.value < x;
    r.o = (((x ^ r.value) & (y ^ r.value)) >> 31) != 0;
    return r;
  }
  static Result subtract(uint32_t x, uint32_t y) {
    Result r;
    r.value = x - y;
    r.c = x >= y;
    r.o = (((x ^ y) & (x ^ r.value)) >> 31) != 0;
    return r;
  }
  /// Operand value without its outermost sign, and whether it has one: a negated operand turns an addition into a subtraction.
  std::pair<uint32_t, bool> split(const Operand& op, unsigned c) {
    const uint32_t v = read(op, c);
    const bool bars = op.absolute && op.type != BaseType::u;
    const bool negated = bars ? op.negate_outer : op.negate_inner != op.negate_outer;
    return {negated ? 0u - v : v, negated};
  }
  static uint32_t truth(bool t, BaseType type) { return !t ? 0 : type == BaseType::f ? b(1.0f) : 0xffffffffu; }

  uint32_t to_integer(double v, Rounding r, BaseType type, bool saturate) {
    if (std::isnan(v)) return 0;
    if (!saturate) {
      if (std::isinf(v)) return 0;
      const double m = std::fmod(round_to(r, v), 4294967296.0);
      return static_cast<uint32_t>(static_cast<int64_t>(m));
    }
    const double low = type == BaseType::s ? -2147483648.0 : 0, high = type == BaseType::s ? 2147483647.0 : 4294967295.0;
    const double x = std::isinf(v) ? v : round_to(r, v);
    return static_cast<uint32_t>(static_cast<int64_t>(std::min(high, std::max(low, x))));
  }

  Result compute(const Instruction& in_, unsigned c) {
    const BaseType t = base_of(in_.modifiers.type);
    const auto x = [&] { return read(in_.operands[0], c); };
    const auto y = [&] { return read(in_.operands[1], c); };
    const auto z = [&] { return read(in_.operands[2], c); };
    const auto compare = [&](auto relation) {
      bool r;
      if (t == BaseType::f) r = relation(f(x()), f(y()));
      else if (t == BaseType::s) r = relation(static_cast<int32_t>(x()), static_cast<int32_t>(y()));
      else r = relation(x(), y());
      return Result{truth(r, t)};
    };
    const auto extreme = [&](bool maximum) {
      const uint32_t u = x(), v = y();
      if (t == BaseType::u) return Result{maximum ? std::max(u, v) : std::min(u, v)};
      if (t == BaseType::s) return Result{static_cast<uint32_t>(maximum ? std::max<int32_t>(u, v) : std::min<int32_t>(u, v))};
      if (std::isnan(f(u)) && std::isnan(f(v))) return Result{kNan};
      if (std::isnan(f(u))) return Result{v};
      if (std::isnan(f(v))) return Result{u};
      if (f(u) == 0 && f(v) == 0) return Result{maximum ? (u & v) : (u | v)};
      return Result{(f(u) < f(v)) == maximum ? v : u};
    };
    const auto dot = [&](unsigned n) {
      float s = f(read(in_.operands[0], 0)) * f(read(in_.operands[1], 0));
      for (unsigned k = 1; k < n; ++k) s = std::fmaf(f(read(in_.operands[0], k)), f(read(in_.operands[1], k)), s);
      return Result{b(s)};
    };
    const auto rounded = [&](Rounding r) {
      const uint32_t u = x();
      if (t != BaseType::f) return Result{to_integer(f(u), r, t, true)};
      const float v = f(u);
      if (std::isnan(v)) return Result{kNan};
      return Result{b(std::copysign(static_cast<float>(round_to(r, v)), v))};
    };
    const auto sum = [&](bool minus) {
      if (t == BaseType::f) return Result{b(f(x()) + (minus ? -f(y()) : f(y())))};
      auto [u, nu] = split(in_.operands[0], c);
      auto [v, nv] = split(in_.operands[1], c);
      if (minus) nv = !nv;
      if (nu && nv) return add(0u - u, 0u - v);
      if (nv) return subtract(u, v);
      if (nu) return subtract(v, u);
      return add(u, v);
    };
    switch (in_.opcode) {
      case Opcode::MOV: return {x()};
      case Opcode::ABS: {
        const uint32_t u = x();
        if (t == BaseType::f) return {u & 0x7fffffffu};
        return {t == BaseType::s && (u >> 31) ? 0u - u : u};
      }
      case Opcode::ADD: return sum(false);
      case Opcode::SUB: return sum(true);
      case Opcode::MUL: {
        if (t == BaseType::f) return {b(f(x()) * f(y()))};
        if (in_.modifiers.mul != MulKind::hi) return {x() * y()};
        if (t == BaseType::u) return {static_cast<uint32_t>((uint64_t{x()} * y()) >> 32)};
        return {static_cast<uint32_t>((int64_t{static_cast<int32_t>(x())} * static_cast<int32_t>(y())) >> 32)};
      }
      case Opcode::MAD: {
        if (t == BaseType::f) return {b(std::fmaf(f(x()), f(y()), f(z())))};
        auto [v, negated] = split(in_.operands[2], c);
        const uint32_t product = x() * y();
        return negated ? subtract(product, v) : add(product, v);
      }
      case Opcode::MIN: return extreme(false);
      case Opcode::MAX: return extreme(true);
      case Opcode::SEQ: return compare([](auto u, auto v) { return u == v; });
      case Opcode::SNE: return compare([](auto u, auto v) { return u != v; });
      case Opcode::SLT: return compare([](auto u, auto v) { return u < v; });
      case Opcode::SLE: return compare([](auto u, auto v) { return u <= v; });
      case Opcode::SGT: return compare([](auto u, auto v) { return u > v; });
      case Opcode::SGE: return compare([](auto u, auto v) { return u >= v; });
      case Opcode::CMP: {
        const uint32_t u = x();
        const bool below = t == BaseType::f ? f(u) < 0 : t == BaseType::s && static_cast<int32_t>(u) < 0;
        return {below ? y() : z()};
      }
      case Opcode::AND: return {x() & y()};
      case Opcode::OR: return {x() | y()};
      case Opcode::XOR: return {x() ^ y()};
      case Opcode::NOT: return {~x()};
      case Opcode::SHL: return {y() > 31 ? 0 : x() << y()};
      case Opcode::SHR: {
        const uint32_t n = y();
        if (t == BaseType::u) return {n > 31 ? 0 : x() >> n};
        return {static_cast<uint32_t>(static_cast<int32_t>(x()) >> std::min(n, 31u))};
      }
      case Opcode::DP3: return dot(3);
      case Opcode::DP4: return dot(4);
      case Opcode::FLR: return rounded(Rounding::flr);
      case Opcode::CEIL: return rounded(Rounding::ceil);
      case Opcode::TRUNC: return rounded(Rounding::trunc);
      case Opcode::ROUND: return rounded(Rounding::round);
      case Opcode::FRC: {
        const float v = f(x());
        if (std::isnan(v) || std::isinf(v)) return {kNan};
        const float r = v - std::floor(v);
        return {b(r >= 1.0f ? std::nextafter(1.0f, 0.0f) : r + 0.0f)};
      }
      case Opcode::I2F: {
        const uint32_t u = x();
        return {b(to_float(t == BaseType::s ? int64_t{static_cast<int32_t>(u)} : int64_t{u}, Rounding::round))};
      }
      case Opcode::CVT: {
        const BaseType from = base_of(in_.modifiers.source);
        const bool sat = in_.modifiers.clamp == Clamp::sat;
        const uint32_t u = x();
        if (from == BaseType::f) return t == BaseType::f ? Result{b(f(u))} : Result{to_integer(f(u), in_.modifiers.rounding, t, sat)};
        if (t == BaseType::f) return {b(to_float(from == BaseType::s ? int64_t{static_cast<int32_t>(u)} : int64_t{u}, in_.modifiers.rounding))};
        if (!sat || from == t) return {u};
        if (from == BaseType::s) return {static_cast<int32_t>(u) < 0 ? 0 : u};
        return {std::min(u, 0x7fffffffu)};
      }
      default: throw std::runtime_error("opcode " + std::string(name_of(in_.opcode)));
    }
  }

  uint32_t clamp(uint32_t v, const Instruction& i) {
    if (i.modifiers.clamp == Clamp::none || (i.opcode == Opcode::CVT && base_of(i.modifiers.type) != BaseType::f)) return v;
    const float low = i.modifiers.clamp == Clamp::sat ? 0.0f : -1.0f;
    const float x = f(v);
    if (std::isnan(x)) return 0;
    if (x == 0) return i.modifiers.clamp == Clamp::sat ? 0 : v;
    return b(std::min(1.0f, std::max(low, x)));
  }

  /// Writes the components that the masks let through; conditions are tested before any is written.
  void write(const Instruction& i, const std::array<Result, 4>& results, BaseType type) {
    const Destination& d = i.destination;
    if (d.variable == kNone) return;
    bool enabled[4];
    for (unsigned c = 0; c < 4; ++c) enabled[c] = ((d.mask >> c) & 1) && passes(d.cc_mask, c);
    const int64_t e = element(d.index);
    for (unsigned c = 0; c < 4; ++c) {
      if (!enabled[c]) continue;
      const uint32_t v = clamp(results[c].value, i);
      if (e < 0 || e >= static_cast<int64_t>(vars[d.variable].size())) throw std::runtime_error("index out of range");
      vars[d.variable][static_cast<size_t>(e)][c] = v;
      if (i.modifiers.cc == CcUpdate::none) continue;
      Flags& g = cc[i.modifiers.cc == CcUpdate::cc1][c];
      g = {results[c].c, results[c].o, false, false};
      if (type == BaseType::f) {
        g.s = f(v) < 0 || std::isnan(f(v));
        g.z = f(v) == 0 || std::isnan(f(v));
      } else {
        g.s = (v >> 31) != 0;
        g.z = v == 0;
      }
    }
  }

  struct Range {
    uint8_t* bytes;
    uint64_t size;
  };
  Range range(const Operand& op, uint32_t& address) {
    const Variable& v = p.variables[op.variable];
    address = op.index.offset + (op.index.relative ? raw(op.index.variable, op.index.element, op.index.component) : 0);
    if (v.kind == VariableKind::shared) {
      address += v.shared.first_byte;
      return {shared.data(), shared.size()};
    }
    const uint32_t binding = v.storage.first_binding + (v.storage.array_of_buffers ? op.buffer_index.offset : 0);
    auto& buffer = in.storage.at(binding);
    if (!v.storage.bounded) return {buffer.data(), buffer.size()};
    const uint64_t first = std::min<uint64_t>(v.storage.first_byte, buffer.size());
    return {buffer.data() + first, std::min<uint64_t>(v.storage.byte_count, buffer.size() - first)};
  }
  static uint32_t load(const Range& r, uint32_t address) {
    uint32_t v = 0;
    if (uint64_t{address} + 4 <= r.size) std::memcpy(&v, r.bytes + address, 4);
    return v;
  }
  static void store(const Range& r, uint32_t address, uint32_t v) {
    if (uint64_t{address} + 4 <= r.size) std::memcpy(r.bytes + address, &v, 4);
  }

  void memory(const Instruction& i) {
    uint32_t address = 0;
    const BaseType type = base_of(i.modifiers.type);
    std::array<Result, 4> results{};
    switch (i.opcode) {
      case Opcode::LDS:
      case Opcode::LDB: {
        const Range r = range(i.operands[0], address);
        for (unsigned k = 0; k < i.modifiers.count; ++k) results[k].value = load(r, address + 4 * k);
        return write(i, results, type);
      }
      case Opcode::STS:
      case Opcode::STB: {
        const Range r = range(i.operands[1], address);
        for (unsigned k = 0; k < i.modifiers.count; ++k) store(r, address + 4 * k, read(i.operands[0], k));
        return;
      }
      default: break;
    }
    const Range r = range(i.operands[1], address);
    const uint32_t m = load(r, address), x = read(i.operands[0], 0);
    uint32_t n = m;
    switch (i.modifiers.atomic) {
      case AtomicOp::add: n = m + x; break;
      case AtomicOp::min: n = type == BaseType::s ? static_cast<uint32_t>(std::min<int32_t>(m, x)) : std::min(m, x); break;
      case AtomicOp::max: n = type == BaseType::s ? static_cast<uint32_t>(std::max<int32_t>(m, x)) : std::max(m, x); break;
      case AtomicOp::iwrap: n = m >= x ? 0 : m + 1; break;
      case AtomicOp::dwrap: n = m == 0 || m > x ? x : m - 1; break;
      case AtomicOp::and_: n = m & x; break;
      case AtomicOp::or_: n = m | x; break;
      case AtomicOp::xor_: n = m ^ x; break;
      case AtomicOp::exch: n = x; break;
      case AtomicOp::cswap: n = m == x ? read(i.operands[0], 1) : m; break;
      default: throw std::runtime_error("atomic");
    }
    store(r, address, n);
    for (Result& result : results) result.value = m;
    write(i, results, type);
  }

  uint64_t count(const Instruction& i) {
    const uint32_t v = read(i.operands[0], 0);
    switch (base_of(i.modifiers.type)) {
      case BaseType::u: return v;
      case BaseType::s: return static_cast<int32_t>(v) > 0 ? v : 0;
      default: {
        const float x = std::floor(f(v));
        if (!(x > 0)) return 0;
        return x > 2147483647.0f ? 2147483647u : static_cast<uint64_t>(x);
      }
    }
  }

  void routine(uint32_t first, uint32_t end) {
    if (++depth > 40) throw std::runtime_error("too many calls");
    struct Loop {
      bool endless;
      uint64_t left;
    };
    std::vector<Loop> loops;
    uint32_t pc = first;
    while (pc < end && !ended) {
      if (++steps > budget) throw std::overflow_error("budget");
      const Instruction& i = p.instructions[pc];
      const uint32_t partner = i.partner;
      switch (i.opcode) {
        case Opcode::IF: pc = any(i.condition) ? pc + 1 : partner + 1; continue;
        case Opcode::ELSE: pc = partner; continue;
        case Opcode::ENDIF: ++pc; continue;
        case Opcode::REP: {
          const uint64_t n = i.operand_count ? count(i) : 1;
          if (n == 0) {
            pc = partner + 1;
            continue;
          }
          loops.push_back({i.operand_count == 0, n});
          ++pc;
          continue;
        }
        case Opcode::ENDREP:
          if (loops.back().endless || --loops.back().left > 0) {
            pc = partner + 1;
          } else {
            loops.pop_back();
            ++pc;
          }
          continue;
        case Opcode::BRK:
        case Opcode::CONT: {
          if (!any(i.condition)) {
            ++pc;
            continue;
          }
          const uint32_t close = p.instructions[partner].partner;
          pc = close;
          if (i.opcode == Opcode::BRK) {
            loops.pop_back();
            ++pc;
          }
          continue;
        }
        case Opcode::CAL:
          if (any(i.condition)) routine(p.labels[i.label].first, p.labels[i.label].end);
          ++pc;
          continue;
        case Opcode::RET:
          if (any(i.condition)) {
            --depth;
            if (depth == 0) ended = true;
            return;
          }
          ++pc;
          continue;
        case Opcode::BAR:
        case Opcode::MEMBAR: ++pc; continue;
        case Opcode::LDS:
        case Opcode::LDB:
        case Opcode::STS:
        case Opcode::STB:
        case Opcode::ATOMS:
        case Opcode::ATOMB: memory(i); ++pc; continue;
        default: break;
      }
      std::array<Result, 4> results{};
      for (unsigned c = 0; c < 4; ++c)
        if ((i.destination.mask >> c) & 1) results[c] = compute(i, c);
      write(i, results, i.opcode == Opcode::I2F ? BaseType::f : base_of(i.modifiers.type));
      ++pc;
    }
    --depth;
  }
};

}  // namespace

bool interpret(const ast::Program& program, Inputs& in, uint64_t budget) {
  Run run{program, in, budget, {}, {}, {}, 0, {}, {}, false, 0, 0};
  for (uint32_t gz = 0; gz < in.groups[2]; ++gz)
    for (uint32_t gy = 0; gy < in.groups[1]; ++gy)
      for (uint32_t gx = 0; gx < in.groups[0]; ++gx) {
        run.group = {gx, gy, gz};
        run.shared.assign(program.shared_bytes, 0);
        run.index = 0;
        for (uint32_t z = 0; z < program.group_size[2]; ++z)
          for (uint32_t y = 0; y < program.group_size[1]; ++y)
            for (uint32_t x = 0; x < program.group_size[0]; ++x, ++run.index) {
              run.id = {x, y, z};
              run.vars.clear();
              for (const ast::Variable& v : program.variables) run.vars.emplace_back(v.kind == ast::VariableKind::temp ? v.size : 0);
              for (auto& reg : run.cc)
                for (Flags& g : reg) g = {};
              run.ended = false;
              run.steps = 0;
              run.depth = 0;
              try {
                run.routine(program.entry, program.entry_end);
              } catch (const std::overflow_error&) {
                return false;
              }
            }
      }
  return true;
}

}  // namespace maskwork::test
