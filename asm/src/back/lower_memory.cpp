// Lowering of memory instructions: shared memory, storage and constant buffers, global memory.
#include <string>

#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;
using ast::VariableKind;

uint32_t Lowering::slot(const SlotSource& source, ast::SourceSpan where) {
  const auto key = std::tuple(static_cast<uint8_t>(source.kind), source.binding, source.offset, source.size);
  auto it = slots_.find(key);
  if (it != slots_.end()) return it->second;
  const uint32_t number = static_cast<uint32_t>(ir_.object.slots.size());
  if (number >= isa::limit::slots) {
    if (number == isa::limit::slots)
      error("L99", where, "the program uses more than " + std::to_string(isa::limit::slots) + " buffer ranges",
            "fewer STORAGE ranges and run-time indexed PARAM arrays are needed");
    return 0;
  }
  ir_.object.slots.push_back(source);
  slots_.emplace(key, number);
  return number;
}

SlotSource Lowering::slot_source(const ast::Variable& v, uint32_t buffer) const {
  SlotSource source;
  source.kind = v.kind == VariableKind::storage ? SlotSource::Kind::Storage : SlotSource::Kind::Constant;
  source.binding = v.storage.first_binding + buffer;
  source.offset = v.storage.first_byte;
  source.size = v.storage.bounded ? v.storage.byte_count : 0xffffffffu;
  return source;
}

/// Address register and byte offset; the slot where it is known now. The operand is a SHARED, STORAGE, CBUFFER or BUFFER variable, or the
/// address of a global access.
void Lowering::address(IrWord& word, const ast::Operand& op, bool direct) {
  const isa::OpInfo& info = isa::info(word.op);
  if (info.global) return global_address(word, op, direct);
  const ast::Variable& v = p_.variables[op.variable];
  word.imm = op.index.offset;
  if (v.kind == VariableKind::shared) {
    word.imm += v.shared.first_byte;
  } else {
    word.imm *= v.storage.element_bytes;
    const uint32_t buffer = v.storage.array_of_buffers && !op.buffer_index.relative ? op.buffer_index.offset : 0;
    if (!op.buffer_index.relative) word.slot = static_cast<uint8_t>(slot(slot_source(v, buffer), op.where));
  }
  if (!op.index.relative) return;
  Src index = index_source(op.index);
  if (v.kind == VariableKind::buffer) {
    IrWord shift;
    shift.op = isa::Op::SHL;
    shift.type = isa::Type::U32;
    shift.src[0] = index;
    shift.src[1] = literal(v.storage.element_bytes == 4 ? 2 : 4);
    shift.dst = new_vreg();
    index = reg(shift.dst);
    emit(std::move(shift));
  }
  if (index.kind != Src::Kind::Reg) index = reg(move_to_temporary(index));
  word.src[0] = index;
}

/// The address of LOAD, STORE and ATOM. The upper half of a 64-bit address is checked by a word of its own.
void Lowering::global_address(IrWord& word, const ast::Operand& op, bool direct) {
  const unsigned component = op.swizzle[0];
  const bool negated = op.negate_inner != op.negate_outer;
  if (op.kind == ast::OperandKind::constant) {
    const uint32_t bits = p_.constants[op.variable].components[component].bits;
    word.imm = negated ? 0u - bits : bits;
    return;
  }
  const auto copy = [&](Src source, bool negate) {
    IrWord move;
    move.op = isa::Op::MOV;
    move.type = isa::Type::U32;
    move.src[0] = source;
    move.src[0].neg = negate;
    move.dst = new_vreg();
    const VReg result = move.dst;
    emit(std::move(move));
    return reg(result);
  };
  Src low = prepare(op, 1u << component, direct)[component];
  if (op.wide) {
    // prepare() has loaded A0 if the index is relative.
    const Place at = place(op.variable, op.index.offset, component, true);
    Src high = reg(at.reg, at.offset);
    if (op.index.relative) {
      high.rel = true;
      high = copy(high, false);
    }
    if (negated) {
      // -x = ~x + 1: the upper half gets a carry if the lower one is 0.
      IrWord zero, invert, add;
      zero.op = isa::Op::SEQ;
      zero.type = invert.type = add.type = isa::Type::U32;
      zero.src[0] = low;
      zero.src[1] = literal(0);
      zero.dst = new_vreg();
      invert.op = isa::Op::NOT;
      invert.src[0] = high;
      invert.dst = new_vreg();
      add.op = isa::Op::ADD;
      add.src[0] = reg(invert.dst);
      add.src[1] = reg(zero.dst);
      add.src[1].neg = true;
      add.dst = new_vreg();
      high = reg(add.dst);
      emit(std::move(zero));
      emit(std::move(invert));
      emit(std::move(add));
    }
    IrWord check;
    check.op = isa::Op::CKA;
    check.type = isa::Type::U32;
    check.src[0] = high;
    push(std::move(check));
  }
  const bool plain = low.kind == Src::Kind::Reg && !low.rel && !contiguous(op.variable);
  word.src[0] = negated || !plain ? copy(low, negated) : low;
}

/// CC2.x = whether the index has this value.
void Lowering::compare_index(Src index, uint32_t value) {
  IrWord compare;
  compare.op = isa::Op::SEQ;
  compare.type = isa::Type::U32;
  compare.src[0] = index;
  compare.src[1] = literal(value);
  compare.cc_dst = 2;
  emit(std::move(compare));
}

namespace {
void if_index_matches(IrWord& word) {
  word.pred_test = static_cast<uint8_t>(isa::Test::NE);
  word.pred_cc = 2;
  word.pred_mask = 1;
}
constexpr uint32_t kNowhere = 0xffffffe0u;  ///< beyond every buffer, aligned for every access
}  // namespace

/// Emits the word, once for each buffer if the buffer's index is known only at run time: all threads make all accesses, but those of the
/// other buffers are dropped by the predicate (loads) or go nowhere (stores and atomics). The word's destinations are temporaries then.
void Lowering::access(IrWord word, const ast::Operand& op) {
  if (!op.buffer_index.relative || isa::info(word.op).global) return push(std::move(word));
  const ast::Variable& v = p_.variables[op.variable];
  const bool load = isa::info(word.op).kind == isa::Kind::Load;
  Src index = index_source(op.buffer_index);
  if (index.kind != Src::Kind::Reg) index = reg(move_to_temporary(index));
  for (VReg to : word.mem_dst) {
    if (to == kNoReg) continue;
    IrWord zero;
    zero.op = isa::Op::MOV;
    zero.type = isa::Type::U32;
    zero.src[0] = literal(0);
    zero.dst = to;
    push(std::move(zero));
  }
  Src whole = word.src[0];
  if (!load) {
    IrWord add;
    add.op = whole.kind == Src::Kind::Reg ? isa::Op::ADD : isa::Op::MOV;
    add.type = isa::Type::U32;
    add.src[0] = literal(word.imm);
    if (whole.kind == Src::Kind::Reg) add.src[1] = whole;
    add.dst = new_vreg();
    whole = reg(add.dst);
    push(std::move(add));
    word.imm = 0;
  }
  for (uint32_t buffer = 0; buffer < v.storage.binding_count; ++buffer) {
    compare_index(index, buffer - op.buffer_index.offset);
    IrWord one = word;
    one.slot = static_cast<uint8_t>(slot(slot_source(v, buffer), op.where));
    if (!load) {
      IrWord away, here;
      away.op = here.op = isa::Op::MOV;
      away.type = here.type = isa::Type::U32;
      away.src[0] = literal(kNowhere);
      here.src[0] = whole;
      away.dst = here.dst = new_vreg();
      one.src[0] = reg(away.dst);
      if_index_matches(here);
      push(std::move(away));
      push(std::move(here));
    }
    if (one.mem_dst != std::array<VReg, 4>{kNoReg, kNoReg, kNoReg, kNoReg}) if_index_matches(one);
    push(std::move(one));
  }
}

/// BUFFER and BUFFER4 as operands of other instructions: loads before the instruction. A word of a BUFFER is in all components.
Lowering::Components Lowering::load_buffer(const ast::Operand& op, unsigned needed) {
  const bool vector = p_.variables[op.variable].storage.element_bytes == 16;
  IrWord w;
  w.op = isa::Op::LDB;
  w.type = isa::Type::U32;
  address(w, op, true);
  w.mem_mask = static_cast<uint8_t>(vector ? needed : needed != 0);
  w.mem_size = vector ? 2 : 0;
  Components out;
  if (needed == 0) return out;
  w.mem_dst = temporary_group(w.mem_mask);
  for (unsigned c = 0; c < 4; ++c)
    if ((needed >> c) & 1) out[c] = reg(w.mem_dst[vector ? c : 0]);
  access(std::move(w), op);
  return out;
}

/// Registers for the first `count` components of an operand: its own if they lie right, else temporaries.
std::array<VReg, 4> Lowering::data(const ast::Operand& op, unsigned count, bool direct) {
  unsigned needed = 0;
  for (unsigned k = 0; k < count; ++k) needed |= 1u << op.swizzle[k];
  std::array<VReg, 4> regs{kNoReg, kNoReg, kNoReg, kNoReg};
  const bool plain = op.kind == ast::OperandKind::variable && p_.variables[op.variable].kind == VariableKind::temp && !op.index.relative &&
                     !op.negate_inner && !op.negate_outer && !(op.absolute && op.type != ast::BaseType::u) &&
                     !(contiguous(op.variable) && count > 1);
  bool consecutive = plain;
  for (unsigned k = 1; k < count; ++k) consecutive = consecutive && op.swizzle[k] == op.swizzle[0] + k;
  if (consecutive && !contiguous(op.variable)) {
    if (count > 1) group(op.variable, op.index.offset, needed);
    for (unsigned k = 0; k < count; ++k) regs[k] = place(op.variable, op.index.offset, op.swizzle[k]).reg;
    return regs;
  }
  const Components from = prepare(op, needed, direct);
  regs = temporary_group((1u << count) - 1);
  for (unsigned k = 0; k < count; ++k) {
    IrWord move;
    move.op = isa::Op::MOV;
    move.src[0] = with_modifiers(from[op.swizzle[k]], op);
    move.type = op.type == ast::BaseType::f ? isa::Type::F32 : op.type == ast::BaseType::s ? isa::Type::S32 : isa::Type::U32;
    move.dst = regs[k];
    emit(std::move(move));
  }
  return regs;
}

namespace {
constexpr uint8_t size_code(unsigned count) { return static_cast<uint8_t>(count == 4 ? 2 : count - 1); }
}  // namespace

void Lowering::load(const ast::Instruction& in) {
  if (never(in.destination.cc_mask)) return;
  const ast::Operand& op = in.operands[0];
  IrWord w;
  w.op = in.opcode == Opcode::LDS ? isa::Op::LDS : in.opcode == Opcode::LOAD ? isa::Op::LDG : isa::Op::LDB;
  w.type = isa::Type::U32;
  const bool direct = prepare_index(in);
  address(w, op, direct);
  w.mem_size = size_code(in.modifiers.count);
  unsigned wanted = in.destination.mask;
  if (in.opcode == Opcode::LDC) {
    wanted = 0;
    for (unsigned c = 0; c < 4; ++c)
      if ((in.destination.mask >> c) & 1) wanted |= 1u << op.swizzle[c];
  }
  w.mem_mask = static_cast<uint8_t>(wanted & ((1u << in.modifiers.count) - 1));
  const unsigned loaded = w.mem_mask;
  deliver(std::move(w), in, loaded, direct, false);
}

void Lowering::store(const ast::Instruction& in) {
  IrWord w;
  w.op = in.opcode == Opcode::STS ? isa::Op::STS : in.opcode == Opcode::STORE ? isa::Op::STG : isa::Op::STB;
  w.type = isa::Type::U32;
  const bool direct = prepare_index(in);
  const unsigned count = in.modifiers.count;
  w.mem_data = data(in.operands[0], count, direct);
  address(w, in.operands[1], direct);
  w.mem_size = size_code(count);
  w.mem_mask = static_cast<uint8_t>((1u << count) - 1);
  access(std::move(w), in.operands[1]);
}

void Lowering::atomic(const ast::Instruction& in) {
  using A = ast::AtomicOp;
  IrWord w;
  w.op = in.opcode == Opcode::ATOMS ? isa::Op::ATOMS : in.opcode == Opcode::ATOM ? isa::Op::ATOMG : isa::Op::ATOMB;
  const A op = in.modifiers.atomic;
  w.type = type_of(in.modifiers.type);
  static constexpr std::array<isa::Atom, 11> kOps{isa::Atom::ADD, isa::Atom::ADD,   isa::Atom::MIN, isa::Atom::MAX, isa::Atom::IWRAP, isa::Atom::DWRAP,
                                                  isa::Atom::AND, isa::Atom::OR,    isa::Atom::XOR, isa::Atom::EXCH, isa::Atom::CSWAP};
  w.atom = static_cast<uint8_t>(kOps[static_cast<size_t>(op)]);
  const bool direct = prepare_index(in);
  w.mem_data = data(in.operands[0], op == A::cswap ? 2 : 1, direct);
  address(w, in.operands[1], direct);
  w.mem_mask = 1;
  deliver(std::move(w), in, 1, direct, true);
}

/// Emits a memory word and brings what it gives to the result. `loaded`: components that it gives; the others are 0, or copies of x
/// (`replicate`). A word has one predicate and no condition codes, so that masks, .CC, clamps, the swizzle and signs of LDC, LONG results
/// and buffers chosen at run time may need temporaries.
void Lowering::deliver(IrWord word, const ast::Instruction& in, unsigned loaded, bool direct, bool replicate) {
  const ast::Destination& d = in.destination;
  const ast::Operand& memory = in.operands[in.operand_count - 1];
  const bool view = in.opcode == Opcode::LDC;
  const bool wide = d.fit == ast::Fit::extend;
  const unsigned mask = never(d.cc_mask) || d.variable == ast::kNone ? 0 : d.mask;
  if (replicate && mask == 0) return access(std::move(word), memory);
  const bool sign = view && (memory.negate_inner || memory.negate_outer || (memory.absolute && memory.type != ast::BaseType::u));
  const auto from_component = [&](unsigned c) { return replicate ? 0u : view ? memory.swizzle[c] : c; };
  const bool one = (mask & (mask - 1)) == 0;
  bool straight = !d.index.relative && in.modifiers.cc == ast::CcUpdate::none && in.modifiers.clamp == ast::Clamp::none && mask != 0 && !sign && !wide &&
                  !memory.buffer_index.relative && !contiguous(d.variable);
  if (straight && !always(d.cc_mask)) {
    int first = -1;
    for (unsigned c = 0; c < 4; ++c) {
      if (!((mask >> c) & 1)) continue;
      if (first < 0) first = d.cc_mask.swizzle[c];
      straight = straight && first == d.cc_mask.swizzle[c];
    }
  }
  // The first component may go to any register, several only to those of the same letters.
  const bool single = straight && one && loaded == 1;
  for (unsigned c = 0; c < 4; ++c)
    if ((mask >> c) & 1) straight = straight && from_component(c) == c;
  std::vector<IrWord> results;
  const auto result = [&](unsigned c, Src source) {
    IrWord move;
    move.op = isa::Op::MOV;
    move.type = type_of(in.modifiers.type);
    move.src[0] = view ? with_modifiers(source, memory) : source;
    if (wide && (move.src[0].neg || move.src[0].abs)) {
      IrWord value = move;
      value.dst = new_vreg();
      move.src[0] = source = reg(value.dst);
      emit(std::move(value));
    }
    set_result(move, in, c);
    IrWord high = move;
    results.push_back(std::move(move));
    if (!wide) return;
    const bool negative = d.type == ast::BaseType::s;
    high.op = negative ? isa::Op::SHR : isa::Op::MOV;
    high.src[0] = negative ? source : literal(0);
    if (negative) high.src[1] = literal(31);
    high.cc_dst = 3;
    high.cc_comp = 0;
    const Place at = place(d.variable, d.index.offset, c, true);
    high.dst = at.reg;
    high.dst_offset = at.offset;
    results.push_back(std::move(high));
  };
  if (single) {
    unsigned c = 0;
    while (!((mask >> c) & 1)) ++c;
    if (from_component(c) == 0) {
      word.mem_dst[0] = place(d.variable, d.index.offset, c).reg;
      set_mask(word, d.cc_mask, c);
      return push(std::move(word));
    }
  }
  if (straight && !replicate) {
    if (loaded != 0) {
      group(d.variable, d.index.offset, loaded);
      for (unsigned c = 0; c < 4; ++c)
        if ((loaded >> c) & 1) {
          word.mem_dst[c] = place(d.variable, d.index.offset, c).reg;
          if (!word.predicated()) set_mask(word, d.cc_mask, c);
          // The address is read once per component.
          if (word.src[0].kind == Src::Kind::Reg && word.src[0].value == word.mem_dst[c] && (loaded & (loaded - 1)) != 0)
            word.src[0] = reg(move_to_temporary(word.src[0]));
        }
      push(std::move(word));
    }
    for (unsigned c = 0; c < 4; ++c)
      if (((mask & ~loaded) >> c) & 1) result(c, literal(0));
    return emit_parallel(std::move(results));
  }
  std::array<VReg, 4> from{};
  if (loaded != 0) {
    word.mem_dst = temporary_group(replicate ? 1 : loaded);
    from = word.mem_dst;
    access(std::move(word), memory);
  }
  if (d.index.relative && !direct) load_a0(key_of(d.index));
  for (unsigned c = 0; c < 4; ++c) {
    if (!((mask >> c) & 1)) continue;
    const unsigned k = from_component(c);
    result(c, ((loaded >> k) & 1) ? reg(from[k]) : literal(0));
  }
  emit_parallel(std::move(results));
}

}  // namespace maskwork::back
