// Lowering of operands: variables to virtual registers, constants to literals and constant numbers, run-time indices to A0.
#include <string>

#include "lower.hpp"

namespace maskwork::back {

using ast::VariableKind;

/// Small types, 64-bit floats, LONG variables outside arithmetic and run-time buffer indices are parts of the language that come later.
bool Lowering::supported(const ast::Instruction& in) {
  const bool arithmetic = is_arithmetic(in.opcode);
  for (ast::DataType t : {in.modifiers.type, in.modifiers.source}) {
    if (t == ast::DataType::none || ast::bytes_of(t) == 4 || (arithmetic && (t == ast::DataType::s64 || t == ast::DataType::u64))) continue;
    error(kNotSupportedYet, in.opcode_where, "the type " + std::string(ast::name_of(t)) + " is not supported yet", "use a 32-bit type");
    return false;
  }
  const auto variable = [&](uint32_t v, ast::SourceSpan where) {
    if (arithmetic || v == ast::kNone || p_.variables[v].width != ast::Width::wide) return true;
    error(kNotSupportedYet, where, "LONG variables are not supported yet", "use a variable of 32 bits");
    return false;
  };
  if (!variable(in.destination.variable, in.destination.where)) return false;
  for (unsigned i = 0; i < in.operand_count; ++i) {
    const ast::Operand& op = in.operands[i];
    if (op.kind != ast::OperandKind::variable) continue;
    if (!variable(op.variable, op.where)) return false;
  }
  return true;
}

bool Lowering::contiguous(uint32_t variable) const {
  const ast::Variable& v = p_.variables[variable];
  return v.kind == VariableKind::temp && v.is_array && v.indexed_at_run_time;
}

Lowering::Place Lowering::place(uint32_t variable, uint32_t element, unsigned component, bool high) {
  const bool array = contiguous(variable);
  const auto key = std::pair(variable, ((array ? 0 : element) * 4 + component) * 2 + high);
  auto it = places_.find(key);
  if (it == places_.end()) it = places_.emplace(key, new_vreg(array ? p_.variables[variable].size : 1)).first;
  return {it->second, array ? element : 0};
}

/// The components of an operand that is known now, before swizzle and modifiers: lower and upper halves.
std::optional<uint64_t> Lowering::literal_of(const ast::Operand& op, unsigned component) const {
  const ast::Constant* constant = nullptr;
  if (op.kind == ast::OperandKind::constant) {
    constant = &p_.constants[op.variable].components[component];
  } else {
    const ast::Variable& v = p_.variables[op.variable];
    if (v.kind != VariableKind::param || op.index.relative) return std::nullopt;
    const ast::ParamElement& e = v.elements[op.index.offset];
    if (e.source != ast::ParamSource::constant) return std::nullopt;
    constant = &p_.constants[e.index].components[component];
  }
  return uint64_t{constant->high} << 32 | constant->bits;
}

Src Lowering::constant_number(const ConstantSource& source) {
  const auto key = std::tuple(static_cast<uint8_t>(source.kind), source.literal, uint32_t{source.index}, source.component);
  auto it = constants_.find(key);
  if (it == constants_.end()) {
    it = constants_.emplace(key, static_cast<uint32_t>(ir_.object.constants.size())).first;
    ir_.object.constants.push_back(source);
  }
  Src s;
  s.kind = Src::Kind::Constant;
  s.value = it->second;
  return s;
}

/// One component of a variable's element, with an index known now; `high`: the upper 32 bits of a LONG variable's.
Src Lowering::read(uint32_t variable, uint32_t element, unsigned component, bool high) {
  const ast::Variable& v = p_.variables[variable];
  switch (v.kind) {
    case VariableKind::temp: {
      const Place at = place(variable, element, component, high);
      return reg(at.reg, at.offset);
    }
    case VariableKind::param: {
      const ast::ParamElement& e = v.elements[element];
      if (e.source == ast::ParamSource::warps_per_sm) return uniform(isa::Uniform::WAVES_MAX);
      if (e.source == ast::ParamSource::constant) return literal(p_.constants[e.index].components[component].bits);
      ConstantSource source;
      source.kind = e.source == ast::ParamSource::local ? ConstantSource::Kind::Local : ConstantSource::Kind::Env;
      source.index = static_cast<uint16_t>(e.index);
      source.component = static_cast<uint8_t>(component);
      return constant_number(source);
    }
    case VariableKind::attrib: return read_input(v.attribute, component);
    default: break;
  }
  return literal(0);
}

bool Lowering::temp_relative(const ast::Operand& op) const {
  return op.kind == ast::OperandKind::variable && op.index.relative && p_.variables[op.variable].kind == VariableKind::temp;
}

void Lowering::load_a0(const IndexKey& key) {
  if (a0_valid_ && a0_key_ == key) return;
  IrWord w;
  w.op = isa::Op::MOVA;
  w.type = isa::Type::S32;
  w.src[0] = read(key.variable, key.element, key.component);
  a0_source_ = w.src[0];
  emit(std::move(w));
  a0_key_ = key;
  a0_valid_ = true;
}

bool Lowering::prepare_index(const ast::Instruction& in) {
  bool any = false, same = true;
  IndexKey first;
  const auto add = [&](const ast::Index& index) {
    if (!any) first = key_of(index);
    else same = same && first == key_of(index);
    any = true;
  };
  if (in.destination.variable != ast::kNone && in.destination.index.relative) add(in.destination.index);
  for (unsigned i = 0; i < in.operand_count; ++i)
    if (temp_relative(in.operands[i])) add(in.operands[i].index);
  if (any && same) load_a0(first);
  return same;
}

/// The components of an operand that are needed, before swizzle and modifiers.
Lowering::Components Lowering::prepare(const ast::Operand& op, unsigned needed, bool direct, bool high) {
  Components out;
  if (op.kind == ast::OperandKind::constant) {
    for (unsigned c = 0; c < 4; ++c) {
      const ast::Constant& constant = p_.constants[op.variable].components[c];
      out[c] = literal(high ? constant.high : constant.bits);
    }
    return out;
  }
  if (p_.variables[op.variable].kind == VariableKind::buffer) return load_buffer(op, needed);
  if (op.index.relative && p_.variables[op.variable].kind == VariableKind::param) return load_param(op, needed);
  const bool relative = temp_relative(op);
  if (relative && !direct) load_a0(key_of(op.index));
  for (unsigned c = 0; c < 4; ++c) {
    if (!((needed >> c) & 1)) continue;
    out[c] = read(op.variable, op.index.offset, c, high);
    if (!relative) continue;
    out[c].rel = true;
    if (!direct) out[c] = reg(move_to_temporary(out[c]));
  }
  return out;
}

/// Order of the language: inner sign, absolute value, outer sign. On unsigned values the bars do nothing.
Src Lowering::with_modifiers(Src source, const ast::Operand& op) const {
  const bool bars = op.absolute && op.type != ast::BaseType::u;
  source.abs = bars;
  source.neg = bars ? op.negate_outer : op.negate_inner != op.negate_outer;
  return source;
}

/// PARAM arrays with a run-time index live in memory: a slot per array, 16 bytes per element.
Lowering::Components Lowering::load_param(const ast::Operand& op, unsigned needed) {
  const ast::Variable& v = p_.variables[op.variable];
  auto it = param_slots_.find(op.variable);
  if (it == param_slots_.end()) {
    SlotSource source;
    source.kind = SlotSource::Kind::ParamTable;
    source.offset = static_cast<uint32_t>(ir_.object.param_table.size() * 4);
    source.size = v.size * 16;
    for (const ast::ParamElement& e : v.elements)
      for (unsigned c = 0; c < 4; ++c) {
        ConstantSource word;
        word.component = static_cast<uint8_t>(c);
        if (e.source == ast::ParamSource::constant) {
          word.component = 0;
          word.literal = p_.constants[e.index].components[c].bits;
        } else {
          word.kind = e.source == ast::ParamSource::local ? ConstantSource::Kind::Local : ConstantSource::Kind::Env;
          word.index = static_cast<uint16_t>(e.index);
        }
        ir_.object.param_table.push_back(word);
      }
    it = param_slots_.emplace(op.variable, slot(source, v.where)).first;
  }
  IrWord shift;
  shift.op = isa::Op::SHL;
  shift.type = isa::Type::U32;
  shift.src[0] = index_source(op.index);
  shift.src[1] = literal(4);
  shift.dst = new_vreg();
  const VReg address = shift.dst;
  emit(std::move(shift));
  IrWord w;
  w.op = isa::Op::LDB;
  w.type = isa::Type::U32;
  w.src[0] = reg(address);
  w.imm = op.index.offset * 16;
  w.slot = static_cast<uint8_t>(it->second);
  w.mem_mask = static_cast<uint8_t>(needed);
  w.mem_size = 2;
  w.mem_dst = temporary_group(needed);
  Components out;
  for (unsigned c = 0; c < 4; ++c)
    if ((needed >> c) & 1) out[c] = reg(w.mem_dst[c]);
  push(std::move(w));
  return out;
}

/// From now on the components in `mask` lie in consecutive registers.
void Lowering::group(uint32_t variable, uint32_t element, unsigned mask) {
  if ((mask & (mask - 1)) == 0 && (mask & 1) != 0) return;
  auto [it, added] = groups_.try_emplace({variable, element}, ir_.groups);
  if (added) ++ir_.groups;
  for (unsigned c = 0; c < 4; ++c)
    if ((mask >> c) & 1) {
      VRegInfo& info = ir_.vregs[place(variable, element, c).reg];
      info.group = it->second;
      info.place = c;
    }
}

std::array<VReg, 4> Lowering::temporary_group(unsigned mask) {
  std::array<VReg, 4> regs{kNoReg, kNoReg, kNoReg, kNoReg};
  const uint32_t number = ir_.groups++;
  for (unsigned c = 0; c < 4; ++c)
    if ((mask >> c) & 1) {
      regs[c] = new_vreg();
      ir_.vregs[regs[c]].group = number;
      ir_.vregs[regs[c]].place = c;
    }
  return regs;
}

}  // namespace maskwork::back
