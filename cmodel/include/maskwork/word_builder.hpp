#pragma once
// Writes microcode words by hand, for tests: alu(Op::ADD).dst(2).a(0).b(1).cc(0, 0). Every field can be set with set().
#include "maskwork/isa.hpp"
#include "maskwork/object.hpp"

namespace maskwork::build {

namespace field = isa::field;

/// A word under construction; converts to isa::Word.
class W {
 public:
  explicit W(isa::Op op) {
    set(field::op, static_cast<uint32_t>(op));
    if (isa::info(op).format == isa::Format::Alu) set(field::cc_dst, 3);
  }
  operator isa::Word() const { return word_; }
  W& set(isa::Field f, uint32_t value) {
    isa::set(word_, f, value);
    return *this;
  }
  W& type(isa::Type t) { return set(field::type, static_cast<uint32_t>(t)); }
  W& last() { return set(field::last, 1); }
  W& dst(uint32_t reg) { return set(field::dst, reg).set(field::dst_en, 1); }
  W& dst_rel(uint32_t reg) { return dst(reg).set(field::dst_rel, 1); }
  // Sources: register, register + relative index, per-thread special value. Literals and constants are one per word.
  W& a(uint32_t reg) { return source(0, isa::File::GPR, reg); }
  W& b(uint32_t reg) { return source(1, isa::File::GPR, reg); }
  W& c(uint32_t reg) { return source(2, isa::File::GPR, reg); }
  W& a_rel(uint32_t reg) { return source(0, isa::File::GPR_REL, reg); }
  W& b_rel(uint32_t reg) { return source(1, isa::File::GPR_REL, reg); }
  W& c_rel(uint32_t reg) { return source(2, isa::File::GPR_REL, reg); }
  W& a(isa::Special s) { return source(0, isa::File::SPECIAL, static_cast<uint32_t>(s)); }
  W& b(isa::Special s) { return source(1, isa::File::SPECIAL, static_cast<uint32_t>(s)); }
  W& a_imm(uint32_t v) { return source(0, isa::File::IMM, 0).set(field::imm, v); }
  W& b_imm(uint32_t v) { return source(1, isa::File::IMM, 0).set(field::imm, v); }
  W& c_imm(uint32_t v) { return source(2, isa::File::IMM, 0).set(field::imm, v); }
  W& a_const(uint32_t n) { return a_imm(n).set(field::imm_const, 1); }
  W& b_const(uint32_t n) { return b_imm(n).set(field::imm_const, 1); }
  W& c_const(uint32_t n) { return c_imm(n).set(field::imm_const, 1); }
  W& a(isa::Uniform u) { return a_const(isa::limit::uniform_base + static_cast<uint32_t>(u)); }
  W& b(isa::Uniform u) { return b_const(isa::limit::uniform_base + static_cast<uint32_t>(u)); }
  W& neg_a() { return set(field::a_neg, 1); }
  W& neg_b() { return set(field::b_neg, 1); }
  W& neg_c() { return set(field::c_neg, 1); }
  W& abs_a() { return set(field::a_abs, 1); }
  W& abs_b() { return set(field::b_abs, 1); }
  W& abs_c() { return set(field::c_abs, 1); }
  W& rel(isa::Rel r) { return set(field::rel_sel, static_cast<uint32_t>(r)); }
  W& cc(uint32_t reg, uint32_t component) { return set(field::cc_dst, reg).set(field::cc_comp, component); }
  W& clamp(isa::Clamp c) { return set(field::clamp, static_cast<uint32_t>(c)); }
  W& alu_we() { return set(field::alu_we, 1); }
  W& write_inactive() { return set(field::write_inactive, 1); }
  W& chain_carry(uint32_t component) { return set(field::chain_carry, 1).set(field::chain_comp, component); }
  W& chain_zero(uint32_t component) { return set(field::chain_zero, 1).set(field::chain_comp, component); }
  W& cvt(isa::Type source, isa::Round r) { return set(field::cvt_src, static_cast<uint32_t>(source)).round(r); }
  W& round(isa::Round r) { return set(field::cvt_round, static_cast<uint32_t>(r)); }
  /// Predicate: test of the components `mask` of condition-code register `reg`.
  W& pred(isa::Test t, uint32_t reg, uint32_t mask) {
    return set(field::pred_test, static_cast<uint32_t>(t)).set(field::pred_cc, reg).set(field::pred_mask, mask);
  }
  W& pred(isa::Test t) { return set(field::pred_test, static_cast<uint32_t>(t)); }
  W& wait(uint32_t semaphores) { return set(field::sem_wait, semaphores); }
  W& acquire() { return set(field::sem_acquire, 1); }
  // Memory words: address register (a) or address literal, components, slot.
  W& offset(uint32_t bytes) { return set(field::imm, bytes); }
  W& absolute(uint32_t bytes) { return set(field::a_file, static_cast<uint32_t>(isa::File::IMM)).set(field::imm, bytes); }
  W& components(uint32_t mask, uint32_t size) { return set(field::mem_mask, mask).set(field::mem_size, size); }
  W& data(uint32_t reg) { return set(field::b_idx, reg); }
  W& slot(uint32_t n) { return set(field::slot, n); }
  W& atom(isa::Atom op) { return set(field::atom_op, static_cast<uint32_t>(op)); }
  // Flow words.
  W& target(uint32_t pc) { return set(field::target, pc); }
  W& func(uint32_t f) { return set(field::jump_func, f); }
  W& any() { return set(field::jump_any, 1); }
  W& b_else() { return set(field::b_else, 1); }
  W& count(uint32_t n) { return set(field::imm, n); }
  W& endless() { return set(field::endless, 1); }
  W& a_op(isa::Aop o) { return set(field::a_op, static_cast<uint32_t>(o)); }
  /// Branch operations if the wave stays and if it jumps, and the amount of DECR.
  W& b_ops(isa::Bop stay, isa::Bop jump, uint32_t pop = 0) {
    return set(field::b_op0, static_cast<uint32_t>(stay)).set(field::b_op1, static_cast<uint32_t>(jump)).set(field::b_pop, pop);
  }
  W& boolean(uint32_t n) { return set(field::bool_idx, n); }
  W& al(int32_t init, int32_t step) { return set(field::al_init, static_cast<uint32_t>(init)).set(field::al_step, static_cast<uint32_t>(step)); }

 private:
  W& source(unsigned n, isa::File file, uint32_t index) {
    constexpr isa::Field files[3] = {field::a_file, field::b_file, field::c_file};
    constexpr isa::Field indexes[3] = {field::a_idx, field::b_idx, field::c_idx};
    return set(files[n], static_cast<uint32_t>(file)).set(indexes[n], index);
  }
  isa::Word word_;
};

inline W alu(isa::Op op, isa::Type t = isa::Type::U32) { return W(op).type(t); }
/// A memory word of one component.
inline W mem(isa::Op op, isa::Type t = isa::Type::U32) { return W(op).type(t).set(field::mem_mask, 1); }
inline W fence(isa::Op op) { return W(op).type(isa::Type::U32); }
/// Fault ADDRESS unless the register is 0.
inline W check(uint32_t reg) { return W(isa::Op::CKA).type(isa::Type::U32).a(reg); }
inline W flow(isa::Op op) { return W(op); }
inline W end() { return W(isa::Op::END).wait(3).last(); }

// Values of JUMP_FUNC.
namespace func {
inline constexpr uint32_t never = 0x00, always = 0xff, alu_false = 0x0f, alu_true = 0xf0, pred_false = 0x33, pred_true = 0xcc,
                          bool_false = 0x55, bool_true = 0xaa;
}

}  // namespace maskwork::build
