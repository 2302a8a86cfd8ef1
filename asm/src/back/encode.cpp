// Words of the machine from words with virtual registers.
#include "ir.hpp"

namespace maskwork::back {
namespace {

namespace f = isa::field;
using isa::set;

void encode_alu(const IrWord& w, const std::vector<uint32_t>& registers, isa::Word& out) {
  set(out, f::type, static_cast<uint32_t>(w.type));
  if (w.dst != kNoReg) {
    set(out, f::dst, registers[w.dst] + w.dst_offset);
    set(out, f::dst_rel, w.dst_rel);
    set(out, f::dst_en, 1);
  }
  set(out, f::cc_dst, w.cc_dst);
  set(out, f::cc_comp, w.cc_comp);
  set(out, f::clamp, w.clamp);
  set(out, f::chain_carry, w.chain_carry);
  set(out, f::chain_zero, w.chain_zero);
  set(out, f::chain_comp, w.chain_comp);
  const isa::OpInfo& info = isa::info(w.op);
  struct Fields {
    isa::Field file, idx, neg, abs;
  };
  static constexpr Fields kSources[3] = {{f::a_file, f::a_idx, f::a_neg, f::a_abs}, {f::b_file, f::b_idx, f::b_neg, f::b_abs}, {f::c_file, f::c_idx, f::c_neg, f::c_abs}};
  bool relative = w.dst != kNoReg && w.dst_rel;
  const bool used[3] = {info.srcs_a, info.srcs_b, info.srcs_c};
  for (int i = 0, n = 0; i < 3; ++i) {
    if (!used[i]) continue;
    const Src& s = w.src[n++];
    const Fields& at = kSources[i];
    switch (s.kind) {
      case Src::Kind::None: continue;
      case Src::Kind::Reg:
        set(out, at.file, static_cast<uint32_t>(s.rel ? isa::File::GPR_REL : isa::File::GPR));
        set(out, at.idx, registers[s.value] + s.offset);
        relative = relative || s.rel;
        break;
      case Src::Kind::Special:
        set(out, at.file, static_cast<uint32_t>(isa::File::SPECIAL));
        set(out, at.idx, s.value);
        break;
      default:
        set(out, at.file, static_cast<uint32_t>(isa::File::IMM));
        set(out, f::imm_const, s.kind != Src::Kind::Literal);
        set(out, f::imm, s.kind == Src::Kind::Uniform ? isa::limit::uniform_base + s.value : s.value);
        break;
    }
    set(out, at.neg, s.neg);
    set(out, at.abs, s.abs);
  }
  if (relative) set(out, f::rel_sel, w.rel_sel);
  if (info.cvt) set(out, f::cvt_src, w.cvt_src);
  if (info.cvt || info.rnd) set(out, f::cvt_round, w.round);
}

void encode_memory(const IrWord& w, const std::vector<uint32_t>& registers, isa::Word& out) {
  set(out, f::type, static_cast<uint32_t>(w.type));
  for (unsigned k = 0; k < 4; ++k)
    if (w.mem_dst[k] != kNoReg) {
      set(out, f::dst, registers[w.mem_dst[k]] - k);
      set(out, f::dst_en, 1);
    }
  for (unsigned k = 0; k < 4; ++k)
    if (w.mem_data[k] != kNoReg) set(out, f::b_idx, registers[w.mem_data[k]] - k);
  if (w.src[0].kind == Src::Kind::Reg) set(out, f::a_idx, registers[w.src[0].value] + w.src[0].offset);
  else set(out, f::a_file, static_cast<uint32_t>(isa::File::IMM));
  set(out, f::mem_mask, w.mem_mask);
  set(out, f::mem_size, w.mem_size);
  set(out, f::slot, w.slot);
  set(out, f::atom_op, w.atom);
  set(out, f::imm, w.imm);
}

void encode_flow(const IrWord& w, const std::vector<uint32_t>& labels, isa::Word& out) {
  set(out, f::jump_any, w.jump_any);
  set(out, f::b_else, w.b_else);
  set(out, f::endless, w.endless);
  set(out, f::jump_func, w.jump_func);
  set(out, f::a_op, w.a_op);
  set(out, f::b_op0, w.b_op0);
  set(out, f::b_op1, w.b_op1);
  set(out, f::b_pop, w.b_pop);
  set(out, f::imm, w.imm);
  set(out, f::al_init, static_cast<uint32_t>(w.al_init) & ((1u << f::al_init.bits) - 1));
  set(out, f::al_step, static_cast<uint32_t>(w.al_step) & ((1u << f::al_step.bits) - 1));
  if (w.target != kNoLabel) set(out, f::target, labels[w.target]);
}

}  // namespace

void encode(const IrProgram& ir, const std::vector<uint32_t>& registers, Program& out) {
  out.words.reserve(ir.words.size());
  out.lines.reserve(ir.words.size());
  for (size_t i = 0; i < ir.words.size(); ++i) {
    const IrWord& w = ir.words[i];
    isa::Word word;
    set(word, f::op, static_cast<uint32_t>(w.op));
    set(word, f::last, i + 1 == ir.words.size() || ir.words[i + 1].instruction != w.instruction);
    set(word, f::pred_test, w.pred_test);
    set(word, f::pred_cc, w.pred_cc);
    set(word, f::pred_mask, w.pred_mask);
    if (w.is_memory()) encode_memory(w, registers, word);
    else if (w.is_flow()) encode_flow(w, ir.labels, word);
    else encode_alu(w, registers, word);
    out.words.push_back(word);
    out.lines.push_back(w.line);
  }
  out.entry = ir.labels[ir.routine_entry[0]];
}

}  // namespace maskwork::back
