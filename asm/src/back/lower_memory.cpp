// Lowering of LDS STS ATOMS LDB STB ATOMB.
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

/// Address register, byte offset and slot. The address operand is a SHARED or STORAGE variable.
void Lowering::address(IrWord& word, const ast::Operand& op) {
  const ast::Variable& v = p_.variables[op.variable];
  word.imm = op.index.offset;
  if (v.kind == VariableKind::shared) {
    word.imm += v.shared.first_byte;
  } else {
    SlotSource source;
    source.binding = v.storage.first_binding + (v.storage.array_of_buffers ? op.buffer_index.offset : 0);
    source.offset = v.storage.bounded ? v.storage.first_byte : 0;
    source.size = v.storage.bounded ? v.storage.byte_count : 0xffffffffu;
    word.slot = static_cast<uint8_t>(slot(source, op.where));
  }
  if (!op.index.relative) return;
  Src index = index_source(op.index);
  if (index.kind != Src::Kind::Reg) index = reg(move_to_temporary(index));
  word.src[0] = index;
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
  IrWord w;
  w.op = in.opcode == Opcode::LDS ? isa::Op::LDS : isa::Op::LDB;
  w.type = isa::Type::U32;
  address(w, in.operands[0]);
  w.mem_size = size_code(in.modifiers.count);
  w.mem_mask = static_cast<uint8_t>(in.destination.mask & ((1u << in.modifiers.count) - 1));
  const bool direct = prepare_index(in);
  deliver(std::move(w), in, w.mem_mask, direct, false);
}

void Lowering::store(const ast::Instruction& in) {
  IrWord w;
  w.op = in.opcode == Opcode::STS ? isa::Op::STS : isa::Op::STB;
  w.type = isa::Type::U32;
  const bool direct = prepare_index(in);
  const unsigned count = in.modifiers.count;
  w.mem_data = data(in.operands[0], count, direct);
  address(w, in.operands[1]);
  w.mem_size = size_code(count);
  w.mem_mask = static_cast<uint8_t>((1u << count) - 1);
  push(std::move(w));
}

void Lowering::atomic(const ast::Instruction& in) {
  using A = ast::AtomicOp;
  IrWord w;
  w.op = in.opcode == Opcode::ATOMS ? isa::Op::ATOMS : isa::Op::ATOMB;
  const A op = in.modifiers.atomic;
  const bool is_float = ast::base_of(in.modifiers.type) == ast::BaseType::f;
  if (is_float && op != A::exch) {
    error(kNotSupportedYet, in.opcode_where, "float atomics other than EXCH are not supported yet");
    return;
  }
  w.type = ast::base_of(in.modifiers.type) == ast::BaseType::s ? isa::Type::S32 : isa::Type::U32;
  static constexpr std::array<isa::Atom, 11> kOps{isa::Atom::ADD, isa::Atom::ADD,   isa::Atom::MIN, isa::Atom::MAX, isa::Atom::IWRAP, isa::Atom::DWRAP,
                                                  isa::Atom::AND, isa::Atom::OR,    isa::Atom::XOR, isa::Atom::EXCH, isa::Atom::CSWAP};
  w.atom = static_cast<uint8_t>(kOps[static_cast<size_t>(op)]);
  const bool direct = prepare_index(in);
  w.mem_data = data(in.operands[0], op == A::cswap ? 2 : 1, direct);
  address(w, in.operands[1]);
  w.mem_mask = 1;
  deliver(std::move(w), in, 1, direct, true);
}

/// Emits a memory word and brings what it gives to the result. `loaded`: components that it gives; the others are 0, or copies of x
/// (`replicate`). A word has one predicate and no condition codes, so that masks, .CC and clamps may need temporaries.
void Lowering::deliver(IrWord word, const ast::Instruction& in, unsigned loaded, bool direct, bool replicate) {
  const ast::Destination& d = in.destination;
  unsigned mask = never(d.cc_mask) || d.variable == ast::kNone ? 0 : d.mask;
  if (replicate && mask == 0) return push(std::move(word));
  bool straight = !d.index.relative && in.modifiers.cc == ast::CcUpdate::none && in.modifiers.clamp == ast::Clamp::none && mask != 0;
  if (straight && contiguous(d.variable)) straight = false;
  if (straight && replicate && (mask & (mask - 1)) != 0) straight = false;
  if (straight && !always(d.cc_mask)) {
    int first = -1;
    for (unsigned c = 0; c < 4; ++c) {
      if (!((mask >> c) & 1)) continue;
      if (first < 0) first = d.cc_mask.swizzle[c];
      straight = straight && first == d.cc_mask.swizzle[c];
    }
  }
  const isa::Type type = type_of(in.modifiers.type);
  std::vector<IrWord> results;
  const auto result = [&](unsigned c, Src source) {
    IrWord move;
    move.op = isa::Op::MOV;
    move.type = type;
    move.src[0] = source;
    set_result(move, in, c);
    results.push_back(std::move(move));
  };
  if (straight) {
    if (replicate) {
      unsigned c = 0;
      while (!((mask >> c) & 1)) ++c;
      word.mem_dst[0] = place(d.variable, d.index.offset, c).reg;
      set_mask(word, d.cc_mask, c);
      return push(std::move(word));
    }
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
  if (loaded != 0) {
    word.mem_dst = temporary_group(replicate ? 1 : loaded);
    const auto from = word.mem_dst;
    push(std::move(word));
    if (d.index.relative && !direct) load_a0(key_of(d.index));
    for (unsigned c = 0; c < 4; ++c) {
      if (!((mask >> c) & 1)) continue;
      if (replicate) result(c, reg(from[0]));
      else result(c, ((loaded >> c) & 1) ? reg(from[c]) : literal(0));
    }
  } else {
    if (d.index.relative && !direct) load_a0(key_of(d.index));
    for (unsigned c = 0; c < 4; ++c)
      if ((mask >> c) & 1) result(c, literal(0));
  }
  emit_parallel(std::move(results));
}

}  // namespace maskwork::back
