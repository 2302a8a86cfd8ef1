#include "decode.hpp"

namespace maskwork::model {

using isa::get;
namespace field = isa::field;

namespace {

int32_t sign_extend(uint32_t v, unsigned bits) { return static_cast<int32_t>(v << (32 - bits)) >> (32 - bits); }

void decode_predicate(Word& d, const isa::Word& w) {
  const uint32_t test = get(w, field::pred_test);
  d.pred_always = test == static_cast<uint32_t>(isa::Test::TR);
  d.pred_cc = static_cast<uint8_t>(get(w, field::pred_cc));
  d.pred_mask = static_cast<uint8_t>(get(w, field::pred_mask));
  d.pred_component = d.pred_mask != 0 ? static_cast<uint8_t>(__builtin_ctz(d.pred_mask)) : 0;
  for (unsigned f = 0; f < 16; ++f)
    if (isa::test_holds(test, static_cast<uint8_t>(f))) d.pred_lut |= static_cast<uint16_t>(1u << f);
}

struct SourceFields {
  isa::Field file, idx, neg, abs;
};
constexpr SourceFields source_fields[3] = {{field::a_file, field::a_idx, field::a_neg, field::a_abs},
                                           {field::b_file, field::b_idx, field::b_neg, field::b_abs},
                                           {field::c_file, field::c_idx, field::c_neg, field::c_abs}};

}  // namespace

Code::Code(const Program& program, const std::vector<uint32_t>& constants) : rows_(rows::table()) {
  words_.reserve(program.words.size());
  for (const auto& w : program.words) words_.push_back(decode(w, program, constants));
  fast_.reserve(words_.size() + 1);
  for (const auto& d : words_) fast_.push_back(make_fast(d, program.registers));
  fast_.emplace_back();
  storage_.resize(values_.size() * wave_threads + align_slack);
  uint32_t* pool = align_rows(storage_.data());
  for (size_t n = 0; n < values_.size(); ++n)
    for (uint32_t t = 0; t < wave_threads; ++t) pool[n * wave_threads + t] = values_[n];
  pool_ = pool;
}

uint32_t Code::literal(uint32_t value) {
  const auto [at, fresh] = literals_.try_emplace(value, static_cast<uint32_t>(values_.size()) * row_bytes);
  if (fresh) values_.push_back(value);
  return at->second;
}

Word Code::decode(const isa::Word& w, const Program& program, const std::vector<uint32_t>& constants) {
  Word d;
  if (isa::bad_word(w, program.full_flow)) return d;
  const isa::OpInfo& info = isa::info(w);
  d.op = static_cast<isa::Op>(get(w, field::op));
  d.kind = info.kind;
  d.sem_wait = static_cast<uint8_t>(get(w, field::sem_wait));
  d.imm = get(w, field::imm);
  decode_predicate(d, w);
  switch (info.format) {
    case isa::Format::Alu: decode_alu(d, w, program, constants); break;
    case isa::Format::Mem: decode_mem(d, w); break;
    case isa::Format::Flow: decode_flow(d, w); break;
  }
  return d;
}

void decode_alu_function(Word& d, const isa::Word& w, const rows::Table& rows) {
  const isa::OpInfo& info = isa::info(w);
  d.step = Step::Alu;
  d.op = static_cast<isa::Op>(get(w, field::op));
  d.type = static_cast<uint8_t>(get(w, field::type));
  d.first_source = info.srcs_a ? 0 : 1;
  d.sources = info.srcs_c ? 3 : info.srcs_b ? 2 : 1;
  if (info.unit == isa::Unit::Special) {
    d.special = true;
    return;
  }
  for (unsigned n = 0; n < d.sources; ++n) {
    d.src[n].neg = get(w, source_fields[n].neg) != 0;
    d.src[n].abs = get(w, source_fields[n].abs) != 0;
  }
  d.clamp = static_cast<uint8_t>(get(w, field::clamp));
  d.chain_carry = get(w, field::chain_carry) != 0;
  d.chain_zero = get(w, field::chain_zero) != 0;
  d.chain_comp = static_cast<uint8_t>(get(w, field::chain_comp));
  d.source_type = d.type;
  const bool f32 = d.type == static_cast<uint8_t>(isa::Type::F32);
  d.flags = f32 ? FlagKind::F32 : FlagKind::Int;
  d.fn = rows.alu[static_cast<uint8_t>(d.op)][d.type];
  if (info.cvt) {
    d.source_type = static_cast<uint8_t>(get(w, field::cvt_src));
    // The clamp of an integer result is part of the conversion; a float result is clamped like any other.
    const bool sat = !f32 && d.clamp != 0;
    if (sat) d.clamp = 0;
    d.fn = rows.cvt[d.type][d.source_type][get(w, field::cvt_round)][sat];
  } else if (info.rnd) {
    d.fn = rows.rndi[get(w, field::cvt_round)];
  } else if (d.op == isa::Op::MOVA) {
    d.alu = AluKind::Mova;
  } else if (!f32 && d.op == isa::Op::ADD) {
    d.alu = AluKind::IntAdd;
    d.flags = FlagKind::FromAdd;
  } else if (!f32 && d.op == isa::Op::MAD) {
    d.alu = AluKind::IntMad;
    d.flags = FlagKind::FromAdd;
  }
}

void Code::decode_alu(Word& d, const isa::Word& w, const Program& program, const std::vector<uint32_t>& constants) {
  decode_alu_function(d, w, rows_);
  for (unsigned n = d.first_source; n < d.sources; ++n) {
    Source& s = d.src[n];
    s.index = static_cast<uint16_t>(get(w, source_fields[n].idx));
    switch (static_cast<isa::File>(get(w, source_fields[n].file))) {
      case isa::File::GPR:
        s.sel = Sel::Register;
        s.offset = s.index * row_bytes;
        if (s.index >= program.registers) {  // outside the window: reads 0
          s.sel = Sel::Pool;
          s.offset = literal(0);
        }
        break;
      case isa::File::GPR_REL:
        s.sel = Sel::Relative;
        d.relative = true;
        break;
      case isa::File::IMM:
        s.sel = Sel::Pool;
        if (get(w, field::imm_const) == 0) {
          s.offset = literal(d.imm);
        } else if (d.imm >= isa::limit::uniform_base) {
          s.sel = Sel::Uniform;
          s.offset = (d.imm - isa::limit::uniform_base) * row_bytes;
        } else {
          s.offset = literal(d.imm < constants.size() ? constants[d.imm] : 0);
        }
        break;
      case isa::File::SPECIAL:
        s.sel = Sel::Special;
        s.offset = s.index * row_bytes;
        break;
    }
  }
  d.dst = static_cast<uint16_t>(get(w, field::dst));
  d.dst_en = get(w, field::dst_en) != 0;
  d.dst_rel = get(w, field::dst_rel) != 0;
  d.relative = d.relative || d.dst_rel;
  d.rel = static_cast<isa::Rel>(get(w, field::rel_sel));
  d.write_inactive = get(w, field::write_inactive) != 0;
  d.alu_we = get(w, field::alu_we) != 0;
  d.cc_dst = static_cast<uint8_t>(get(w, field::cc_dst));
  d.cc_comp = static_cast<uint8_t>(get(w, field::cc_comp));
}

void Code::decode_mem(Word& d, const isa::Word& w) {
  d.step = Step::Mem;
  d.type = static_cast<uint8_t>(get(w, field::type));
  d.shared = isa::info(w).unit == isa::Unit::Shared;
  d.global = isa::info(w).global;
  d.no_access = d.kind == isa::Kind::Fence || d.kind == isa::Kind::Check;
  d.own_sem = d.shared ? 2 : 1;
  d.sem_acquire = get(w, field::sem_acquire) != 0;
  d.semaphore_fault = d.sem_acquire && (d.sem_wait & d.own_sem) == 0;
  d.dst = static_cast<uint16_t>(get(w, field::dst));
  d.dst_en = get(w, field::dst_en) != 0;
  d.address_register = d.kind != isa::Kind::Fence && get(w, field::a_file) == static_cast<uint32_t>(isa::File::GPR);
  d.src[0].index = static_cast<uint16_t>(get(w, field::a_idx));
  d.src[1].index = static_cast<uint16_t>(get(w, field::b_idx));
  d.mem_mask = static_cast<uint8_t>(get(w, field::mem_mask));
  d.alignment = 4u << get(w, field::mem_size);
  d.slot = static_cast<uint8_t>(get(w, field::slot));
  d.atom = static_cast<isa::Atom>(get(w, field::atom_op));
}

void Code::decode_flow(Word& d, const isa::Word& w) {
  d.step = Step::Flow;
  d.semaphore_fault = d.op == isa::Op::END && d.sem_wait != 3;
  d.jump_any = get(w, field::jump_any) != 0;
  d.b_else = get(w, field::b_else) != 0;
  d.endless = get(w, field::endless) != 0;
  d.target = get(w, field::target);
  d.jump_func = static_cast<uint8_t>(get(w, field::jump_func));
  d.bool_idx = static_cast<uint8_t>(get(w, field::bool_idx));
  d.b_pop = static_cast<uint8_t>(get(w, field::b_pop));
  d.a_op = static_cast<isa::Aop>(get(w, field::a_op));
  d.b_op0 = static_cast<isa::Bop>(get(w, field::b_op0));
  d.b_op1 = static_cast<isa::Bop>(get(w, field::b_op1));
  d.al_init = static_cast<int16_t>(sign_extend(get(w, field::al_init), 10));
  d.al_step = static_cast<int16_t>(sign_extend(get(w, field::al_step), 8));
}

FastWord Code::make_fast(const Word& d, uint32_t registers) const {
  FastWord f;
  if (d.step != Step::Alu || d.special || d.relative || d.alu == AluKind::Mova || !d.pred_always || d.cc_dst != 3 || d.clamp != 0 || d.alu_we ||
      d.write_inactive || d.chain_carry || !d.dst_en || d.dst >= registers)
    return f;
  const Source *a = &d.src[0], *b = &d.src[1], *c = &d.src[2];
  const bool f32 = d.type == static_cast<uint8_t>(isa::Type::F32);
  bool modified = false;
  for (unsigned n = 0; n < d.sources; ++n) {
    if (d.src[n].abs) return f;
    modified = modified || d.src[n].neg;
  }
  f.fn = d.fn;
  if (modified) {
    // The signs that arithmetic takes along; other modified words go the general way.
    if (f32 && d.op == isa::Op::ADD) f.fn = rows_.fadd[a->neg + 2 * b->neg];
    else if (f32 && d.op == isa::Op::MUL) f.fn = rows_.fmul[a->neg != b->neg];
    else if (f32 && d.op == isa::Op::MAD) f.fn = rows_.fmad[(a->neg != b->neg) + 2 * c->neg];
    else if (d.op == isa::Op::ADD) f.fn = b->neg ? rows_.isub : rows_.isub_reversed;
    else return f;
  }
  f.a = a->offset;
  f.sa = a->sel;
  // Sources that the operation does not have read the first one's row.
  f.b = d.sources > 1 ? b->offset : f.a;
  f.sb = d.sources > 1 ? b->sel : f.sa;
  f.c = d.sources > 2 ? c->offset : f.a;
  f.sc = d.sources > 2 ? c->sel : f.sa;
  f.d = d.dst * row_bytes;
  f.fast = true;
  return f;
}

}  // namespace maskwork::model
