#pragma once
// Microcode before register allocation: words whose registers are virtual and whose jump targets are labels.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "maskwork/isa.hpp"
#include "maskwork/object.hpp"

namespace maskwork::back {

using VReg = uint32_t;  ///< a scalar per thread, or a contiguous array of them
inline constexpr VReg kNoReg = 0xffffffffu;
inline constexpr uint32_t kNoLabel = 0xffffffffu;

/// A source of a word.
struct Src {
  enum class Kind : uint8_t { None, Reg, Literal, Constant, Uniform, Special };
  Kind kind = Kind::None;
  bool neg = false, abs = false;
  bool rel = false;     ///< Reg: plus the word's relative index
  uint32_t value = 0;   ///< virtual register, literal bits, constant number, code of the uniform or special value
  uint32_t offset = 0;  ///< Reg: element of an array

  bool immediate() const { return kind == Kind::Literal || kind == Kind::Constant || kind == Kind::Uniform; }
  bool is_reg(VReg v, uint32_t off) const { return kind == Kind::Reg && value == v && offset == off; }
};

inline Src reg(VReg v, uint32_t offset = 0) {
  Src s;
  s.kind = Src::Kind::Reg;
  s.value = v;
  s.offset = offset;
  return s;
}
inline Src literal(uint32_t bits) {
  Src s;
  s.kind = Src::Kind::Literal;
  s.value = bits;
  return s;
}
inline Src special(isa::Special code) {
  Src s;
  s.kind = Src::Kind::Special;
  s.value = static_cast<uint32_t>(code);
  return s;
}
inline Src uniform(isa::Uniform code) {
  Src s;
  s.kind = Src::Kind::Uniform;
  s.value = static_cast<uint32_t>(code);
  return s;
}

/// What a flow word means for one thread; the liveness analysis follows threads, not waves.
enum class Flow : uint8_t {
  None,    ///< goes on with the next word (also fences, ENDIF, skips)
  Branch,  ///< next word or target: IF, REP, ENDREP, conditional BRK, CONT and RET
  Goto,    ///< target: ELSE, BRK, CONT, RET
  Call,    ///< the routine at target, then the next word
  CallIf,  ///< the same, or the next word at once
  Return,  ///< the word after any call of this routine
  Exit,    ///< the thread ends
  ExitIf,  ///< the thread ends or goes on
};

struct IrWord {
  isa::Op op = isa::Op::NOP;
  isa::Type type = isa::Type::F32;
  Flow flow = Flow::None;

  VReg dst = kNoReg;
  uint32_t dst_offset = 0;
  bool dst_rel = false;
  std::array<Src, 3> src;
  uint8_t pred_test = 0, pred_cc = 0, pred_mask = 0;
  uint8_t cc_dst = 3, cc_comp = 0;
  uint8_t clamp = 0, round = 0, cvt_src = 0, rel_sel = 0;
  bool chain_carry = false, chain_zero = false;  ///< carry in, zero flag: chained to CC2.chain_comp
  uint8_t chain_comp = 0;

  // Memory words: src[0] is the address register (or None), component k of mem_mask moves to mem_dst[k] or from mem_data[k].
  uint8_t mem_mask = 0, mem_size = 0, slot = 0, atom = 0;
  std::array<VReg, 4> mem_dst{kNoReg, kNoReg, kNoReg, kNoReg};
  std::array<VReg, 4> mem_data{kNoReg, kNoReg, kNoReg, kNoReg};

  uint32_t imm = 0;  ///< memory words: offset; REP, LOOP: count
  int16_t al_init = 0, al_step = 0;  ///< LOOP

  bool jump_any = false, b_else = false, endless = false;
  uint8_t jump_func = 0, a_op = 0, b_op0 = 0, b_op1 = 0, b_pop = 0;
  uint32_t target = kNoLabel;
  uint32_t routine = 0;  ///< which routine the word belongs to

  uint32_t instruction = 0;  ///< number of the language instruction, for the `last` flag
  LineEntry line;
  bool removed = false;

  bool is_memory() const { return isa::info(op).format == isa::Format::Mem; }
  bool is_special() const { return isa::info(op).unit == isa::Unit::Special; }
  bool chained() const { return chain_carry || chain_zero; }
  bool is_flow() const { return isa::info(op).format == isa::Format::Flow; }
  bool predicated() const { return pred_test != 0; }
};

/// Registers that memory words move together lie at fixed distances: register of member = base of the group + place.
struct VRegInfo {
  uint32_t size = 1;        ///< registers, more than 1: array
  uint32_t group = 0xffffffffu;
  uint32_t place = 0;
};

/// A component of a TEMP, for listings.
struct NamedReg {
  std::string name;
  uint8_t component = 0;
  bool high = false;
  VReg reg = kNoReg;
};

struct IrProgram {
  std::vector<IrWord> words;
  std::vector<uint32_t> labels;  ///< word index each label stands before
  std::vector<VRegInfo> vregs;
  uint32_t groups = 0;
  std::vector<NamedReg> names;
  std::vector<uint32_t> routine_entry;  ///< per routine: label of its first word (routine 0 is main)
  Program object;                       ///< everything but words, lines and registers
};

/// Loops with a constant count: aL instead of an index register, where that saves words.
void use_loop_index(IrProgram& ir);

/// Removes what nobody reads: register and condition-code writes, components of loads, whole words.
void remove_dead(IrProgram& ir);

/// Takes out words marked as removed; labels follow.
void compact(IrProgram& ir);

/// A MOV that only copies a register.
bool plain_copy(const IrWord& word);

/// Takes out copies of a register to itself.
void remove_self_copies(IrProgram& ir, const std::vector<uint32_t>& registers);

/// Registers of all virtual registers (base of arrays). Returns the size of the window, or more than limit::registers if they do not fit.
uint32_t allocate(const IrProgram& ir, std::vector<uint32_t>& registers);

/// Words of the machine, without semaphores.
void encode(const IrProgram& ir, const std::vector<uint32_t>& registers, Program& out);

/// Sets SEM_ACQUIRE and SEM_WAIT; inserts a fence before END where stores of earlier blocks may be under way.
void place_semaphores(Program& program);

}  // namespace maskwork::back
