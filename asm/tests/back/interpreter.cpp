#include "interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "language_parts.hpp"

namespace maskwork::test {
namespace {

using namespace ast;

float f(uint32_t b) { return number(b); }
uint32_t b(float v) { return pattern(v); }

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

struct Run {
  const Program& p;
  Inputs& in;
  uint64_t budget;
  std::vector<uint8_t> shared;

  std::array<uint32_t, 3> group{}, id{};
  uint32_t index = 0;
  std::vector<std::vector<std::array<uint64_t, 4>>> vars;  ///< LONG ones with 64 bits
  Flags cc[2][4];
  bool ended = false;
  uint64_t steps = 0;
  int depth = 0;

  uint32_t attribute(const Variable& v, unsigned c) {
    const uint32_t thread = index % 32;
    switch (v.attribute) {
      case Attribute::local_index: return index;
      case Attribute::thread_id: return thread;
      case Attribute::thread_eq_mask: return 1u << thread;
      case Attribute::thread_lt_mask: return (1u << thread) - 1;
      case Attribute::thread_le_mask: return static_cast<uint32_t>((uint64_t{2} << thread) - 1);
      case Attribute::thread_gt_mask: return ~static_cast<uint32_t>((uint64_t{2} << thread) - 1);
      case Attribute::thread_ge_mask: return ~((1u << thread) - 1);
      case Attribute::warp_id: return index / 32;
      case Attribute::sm_id: return 0;
      default: break;
    }
    if (c > 2) return 0;
    switch (v.attribute) {
      case Attribute::local_id: return id[c];
      case Attribute::group_id: return group[c];
      case Attribute::group_count: return in.groups[c];
      case Attribute::group_size: return p.group_size[c];
      default: return group[c] * p.group_size[c] + id[c];
    }
  }

  uint64_t raw(uint32_t variable, int64_t element, unsigned c) {
    const Variable& v = p.variables[variable];
    if (v.kind == VariableKind::attrib) return attribute(v, c);
    if (element < 0 || element >= static_cast<int64_t>(v.size)) throw std::runtime_error("index out of range");
    if (v.kind == VariableKind::temp) return vars[variable][static_cast<size_t>(element)][c];
    const ParamElement& e = v.elements[static_cast<size_t>(element)];
    if (e.source == ParamSource::constant) return p.constants[e.index].components[c].bits;
    return e.source == ParamSource::local ? in.local[e.index][c] : 0;
  }
  uint32_t raw32(uint32_t variable, int64_t element, unsigned c) { return static_cast<uint32_t>(raw(variable, element, c)); }
  int64_t element(const Index& i) {
    return static_cast<int64_t>(i.offset) + (i.relative ? static_cast<int32_t>(raw32(i.variable, i.element, i.component)) : 0);
  }
  static uint64_t cut(uint64_t v, bool wide) { return wide ? v : static_cast<uint32_t>(v); }
  /// In the width in which the operation reads it, before the signs.
  uint64_t fetch(const Operand& op, unsigned c) {
    const unsigned from = op.swizzle[c];
    if (op.kind == OperandKind::constant) {
      const Constant& constant = p.constants[op.variable].components[from];
      return uint64_t{constant.high} << 32 | constant.bits;
    }
    const uint64_t v = p.variables[op.variable].kind == VariableKind::buffer ? buffer_word(op, from) : raw(op.variable, element(op.index), from);
    if (op.fit == Fit::extend && op.type == BaseType::s) return static_cast<uint64_t>(int64_t{static_cast<int32_t>(v)});
    return cut(v, op.wide);
  }
  /// A component of a BUFFER or BUFFER4 element.
  uint32_t buffer_word(const Operand& op, unsigned c) {
    uint32_t address = 0;
    const Range r = range(op, address);
    return load(r, address + (p.variables[op.variable].storage.element_bytes == 16 ? 4 * c : 0));
  }
  static uint64_t negate(uint64_t v, const Operand& op) {
    if (op.type == BaseType::f) return v ^ (op.wide ? uint64_t{1} << 63 : 0x80000000u);
    return cut(0 - v, op.wide);
  }
  uint64_t inner(const Operand& op, unsigned c) {
    uint64_t v = fetch(op, c);
    if (op.negate_inner) v = negate(v, op);
    if (!op.absolute) return v;
    const uint64_t sign = op.wide ? uint64_t{1} << 63 : 0x80000000u;
    if (op.type == BaseType::f) return v & ~sign;
    return op.type == BaseType::s && (v & sign) ? negate(v, op) : v;
  }
  uint64_t read64(const Operand& op, unsigned c) {
    const uint64_t v = inner(op, c);
    return op.negate_outer ? negate(v, op) : v;
  }
  uint32_t read(const Operand& op, unsigned c) { return static_cast<uint32_t>(read64(op, c)); }
  bool passes(const CcTest& t, unsigned c) { return !t.present || holds(t.rule, cc[t.reg][t.swizzle[c]]); }
  bool any(const CcTest& t) {
    for (unsigned c = 0; c < 4; ++c)
      if (passes(t, c)) return true;
    return false;
  }

  /// Operand value without its outermost sign, and whether it has one: a negated operand turns an addition into a subtraction.
  std::pair<uint64_t, bool> split(const Operand& op, unsigned c) {
    const uint64_t v = read64(op, c);
    const bool bars = op.absolute && op.type != BaseType::u;
    const bool negated = bars ? op.negate_outer : op.negate_inner != op.negate_outer;
    return {negated ? negate(v, op) : v, negated};
  }

  uint64_t clamp(uint64_t bits, const Instruction& i) {
    if (i.modifiers.clamp == Clamp::none || (i.opcode == Opcode::CVT && base_of(i.modifiers.type) != BaseType::f)) return bits;
    const uint32_t v = static_cast<uint32_t>(bits);
    const float low = i.modifiers.clamp == Clamp::sat ? 0.0f : -1.0f;
    const float x = f(v);
    if (std::isnan(x)) return 0;
    if (x == 0) return i.modifiers.clamp == Clamp::sat ? 0 : v;
    return b(std::min(1.0f, std::max(low, x)));
  }

  /// Writes the components that the masks let through; conditions are tested before any is written.
  void write(const Instruction& i, const std::array<Computed, 4>& results, BaseType type) {
    const Destination& d = i.destination;
    if (d.variable == kNone) return;
    bool enabled[4];
    for (unsigned c = 0; c < 4; ++c) enabled[c] = ((d.mask >> c) & 1) && !results[c].undefined && passes(d.cc_mask, c);
    const int64_t e = element(d.index);
    const bool long_variable = p.variables[d.variable].width == Width::wide;
    for (unsigned c = 0; c < 4; ++c) {
      if (!enabled[c]) continue;
      const uint64_t v = cut(clamp(results[c].value, i), d.wide);
      if (e < 0 || e >= static_cast<int64_t>(vars[d.variable].size())) throw std::runtime_error("index out of range");
      uint64_t stored = cut(v, long_variable);
      if (d.fit == Fit::extend && d.type == BaseType::s) stored = static_cast<uint64_t>(int64_t{static_cast<int32_t>(v)});
      vars[d.variable][static_cast<size_t>(e)][c] = stored;
      if (i.modifiers.cc == CcUpdate::none) continue;
      // The flags are those of the result in the operation's width.
      Flags& g = cc[i.modifiers.cc == CcUpdate::cc1][c];
      g = {results[c].c, results[c].o, false, false};
      if (type == BaseType::f) {
        const float x = f(static_cast<uint32_t>(v));
        g.s = x < 0 || std::isnan(x);
        g.z = x == 0 || std::isnan(x);
      } else {
        g.s = (v >> (d.wide ? 63 : 31)) != 0;
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
    address = (op.index.offset + (op.index.relative ? raw32(op.index.variable, op.index.element, op.index.component) : 0)) * v.storage.element_bytes;
    if (v.kind == VariableKind::shared) {
      address += v.shared.first_byte;
      return {shared.data(), shared.size()};
    }
    const int64_t number = v.storage.array_of_buffers ? element(op.buffer_index) : 0;
    if (number < 0 || number >= static_cast<int64_t>(v.storage.binding_count)) return {nullptr, 0};
    const auto binding = static_cast<size_t>(v.storage.first_binding + number);
    auto& buffer = v.kind == VariableKind::storage ? in.storage.at(binding) : in.constant.at(binding);
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

  /// Memory and address of the last operand: a variable, or for global accesses a number.
  Range place(const Instruction& i, uint32_t& address) {
    const Operand& op = i.operands[i.operand_count - 1];
    if (i.opcode != Opcode::LOAD && i.opcode != Opcode::STORE && i.opcode != Opcode::ATOM) return range(op, address);
    const uint64_t at = read64(op, 0);
    if (at >> 32) throw std::runtime_error("64-bit address");
    address = static_cast<uint32_t>(at) - in.global_address;
    if (address >= in.storage[0].size()) throw std::runtime_error("address outside of memory");
    return {in.storage[0].data(), in.storage[0].size()};
  }
  /// What LDC does to the loaded vector.
  uint32_t viewed(const Operand& op, const std::array<uint32_t, 4>& loaded, unsigned c) {
    uint64_t v = loaded[op.swizzle[c]];
    if (op.negate_inner) v = negate(v, op);
    if (op.absolute && (op.type == BaseType::f || (op.type == BaseType::s && (v >> 31)))) v = op.type == BaseType::f ? v & 0x7fffffffu : negate(v, op);
    return static_cast<uint32_t>(op.negate_outer ? negate(v, op) : v);
  }

  void memory(const Instruction& i) {
    uint32_t address = 0;
    const BaseType type = base_of(i.modifiers.type);
    std::array<Computed, 4> results{};
    switch (i.opcode) {
      case Opcode::LDC: {
        const Range r = place(i, address);
        std::array<uint32_t, 4> loaded{};
        for (unsigned k = 0; k < i.modifiers.count; ++k) loaded[k] = load(r, address + 4 * k);
        for (unsigned c = 0; c < 4; ++c) results[c].value = viewed(i.operands[0], loaded, c);
        return write(i, results, type);
      }
      case Opcode::LOAD:
      case Opcode::LDS:
      case Opcode::LDB: {
        const Range r = place(i, address);
        for (unsigned k = 0; k < i.modifiers.count; ++k) results[k].value = load(r, address + 4 * k);
        return write(i, results, type);
      }
      case Opcode::STORE:
      case Opcode::STS:
      case Opcode::STB: {
        const Range r = place(i, address);
        for (unsigned k = 0; k < i.modifiers.count; ++k) store(r, address + 4 * k, read(i.operands[0], k));
        return;
      }
      default: break;
    }
    const Range r = place(i, address);
    const uint32_t m = load(r, address), x = read(i.operands[0], 0);
    uint32_t n = m;
    switch (i.modifiers.atomic) {
      case AtomicOp::add: n = type == BaseType::f ? sum(m, x) : m + x; break;
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
    for (Computed& result : results) result.value = m;
    write(i, results, type);
  }

  static uint32_t sum(uint32_t m, uint32_t x) {
    const float v = f(m) + f(x);
    return std::isnan(v) ? 0x7fc00000u : b(v);
  }

  /// The routine that CALI calls, or none.
  const Label* chosen(const Instruction& i) {
    const Variable& v = p.variables[i.operands[0].variable];
    const int64_t e = element(i.operands[0].index);
    if (e < 0 || e >= static_cast<int64_t>(v.size)) return nullptr;
    const uint32_t number = in.subroutines.at(v.subroutine.first + static_cast<size_t>(e));
    for (const Label& label : p.labels)
      if (label.number == number) return &label;
    return nullptr;
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
        case Opcode::CALI:
          if (any(i.condition))
            if (const Label* label = chosen(i)) routine(label->first, label->end);
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
        case Opcode::LDC:
        case Opcode::LOAD:
        case Opcode::STORE:
        case Opcode::ATOM:
        case Opcode::LDS:
        case Opcode::LDB:
        case Opcode::STS:
        case Opcode::STB:
        case Opcode::ATOMS:
        case Opcode::ATOMB: memory(i); ++pc; continue;
        default: break;
      }
      std::array<Computed, 4> results{};
      for (unsigned c = 0; c < 4; ++c)
        if ((i.destination.mask >> c) & 1) results[c] = compute(i, c, {[&](unsigned n, unsigned k) { return read64(i.operands[n], k); },
                                                                       [&](unsigned n, unsigned k) { return split(i.operands[n], k); }});
      write(i, results, i.destination.type);
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
