#include "alu.hpp"

#include "special.hpp"

namespace maskwork::model {

namespace {

constexpr uint32_t carry_lut = 0xff00;  // nibbles with C set

/// The relative index of thread t.
int32_t relative_index(const Wave& w, const Word& d, unsigned t) {
  switch (d.rel) {
    case isa::Rel::A0: return w.a0[t];
    case isa::Rel::AL: return w.flow.al();
    case isa::Rel::DEPTH: return static_cast<int32_t>(w.flow.dc);
  }
  return 0;
}

void gather(const Wave& w, const Word& d, const Source& s, uint32_t registers, uint32_t* out) {
  for (unsigned t = 0; t < wave_threads; ++t) {
    const int32_t r = s.index + relative_index(w, d, t);
    out[t] = r >= 0 && static_cast<uint32_t>(r) < registers ? w.row(static_cast<uint32_t>(r))[t] : 0;
  }
}

}  // namespace

void compute(const rows::Table& rows, const Word& d, const AluSources& s, bool want_flags, uint32_t* result, uint8_t* flags) {
  alignas(64) uint32_t modified[3][32];
  const uint32_t* v[3] = {s.row[0], s.row[0], s.row[0]};
  // Integer additions take a negation as a subtraction, so that its flags are those of one.
  const bool add = d.alu == AluKind::IntAdd, mad = d.alu == AluKind::IntMad;
  for (unsigned n = 0; n < d.sources; ++n) {
    const bool neg = d.src[n].neg && !(add || (mad && n == 2));
    const unsigned how = (d.src[n].abs ? 1u : 0u) + (neg ? 2u : 0u);
    v[n] = s.row[n];
    if (how != 0) {
      rows.modify[d.source_type][how](v[n], modified[n]);
      v[n] = modified[n];
    }
  }
  if (add) {
    const bool subtract = d.src[0].neg || d.src[1].neg;
    const uint32_t carry = d.chain_carry ? s.carry : subtract ? all_threads : 0;
    const unsigned minuend = d.src[0].neg ? 1 : 0;
    rows.add_flags(v[minuend], v[1 - minuend], subtract ? all_threads : 0, carry, result, flags);
  } else if (mad) {
    alignas(64) uint32_t product[32];
    rows.alu[static_cast<uint8_t>(isa::Op::MUL)][d.type](v[0], v[1], v[1], product);
    const uint32_t negate = d.src[2].neg ? all_threads : 0;
    rows.add_flags(product, v[2], negate, negate, result, flags);
  } else {
    d.fn(v[0], v[1], v[2], result);
    if (d.clamp != 0) rows.clamp[d.clamp](result);
    if (want_flags) (d.flags == FlagKind::F32 ? rows.flags_f32 : rows.flags_int)(result, flags);
  }
  if (d.chain_zero && s.zero != nullptr) rows.chain_zero(flags, s.zero);
}

bool uses_pending(const Wave& w, const Word& d, uint32_t registers, uint32_t& reg) {
  const auto hit = [&](uint32_t r) {
    if (r >= registers || !w.pending.has(r)) return false;
    reg = r;
    return true;
  };
  if (d.step == Step::Mem) {
    if (d.address_register && hit(d.src[0].index)) return true;
    const bool sends = d.kind == isa::Kind::Store || d.kind == isa::Kind::Atomic;
    for (unsigned k = 0; k < 4; ++k) {
      if (((d.mem_mask >> k) & 1) == 0) continue;
      if (sends && hit(d.src[1].index + k)) return true;
      if (d.dst_en && hit(d.dst + k)) return true;
    }
    return d.kind == isa::Kind::Atomic && d.atom == isa::Atom::CSWAP && hit(d.src[1].index + 1u);
  }
  if (d.step != Step::Alu) return false;
  for (unsigned n = d.first_source; n < d.sources; ++n)
    if (d.src[n].sel == Sel::Register && hit(d.src[n].index)) return true;
  if (d.dst_en && !d.dst_rel && hit(d.dst)) return true;
  if (!d.relative) return false;
  const uint32_t executing = d.write_inactive ? w.flow.live() : w.flow.active();
  for (uint32_t m = executing; m != 0; m &= m - 1) {
    const int32_t index = relative_index(w, d, static_cast<unsigned>(__builtin_ctz(m)));
    for (unsigned n = d.first_source; n < d.sources; ++n)
      if (d.src[n].sel == Sel::Relative && d.src[n].index + index >= 0 && hit(static_cast<uint32_t>(d.src[n].index + index))) return true;
    if (d.dst_rel && d.dst + index >= 0 && hit(static_cast<uint32_t>(d.dst + index))) return true;
  }
  return false;
}

void execute_alu(const rows::Table& rows, Wave& w, const Word& d, uint32_t registers, AluTrace& t) {
  t.executing = d.write_inactive ? w.flow.live() : w.flow.active();
  t.executed = t.executing & predicate(rows, w, d);
  alignas(64) uint32_t gathered[3][32];
  AluSources s{};
  for (unsigned n = d.first_source; n < d.sources; ++n) {
    const Source& src = d.src[n];
    if (src.sel == Sel::Relative) {
      gather(w, d, src, registers, gathered[n]);
      s.row[n] = gathered[n];
    } else {
      s.row[n] = reinterpret_cast<const uint32_t*>(w.base[static_cast<uint8_t>(src.sel)] + src.offset);
    }
  }
  const auto& chain = w.cc[2][d.chain_comp];
  if (d.chain_carry) s.carry = rows.test(chain.data(), carry_lut);
  if (d.chain_zero) s.zero = chain.data();
  if (d.special) compute_special(d, s.row, t.executing, t.result);
  else compute(rows, d, s, d.cc_dst != 3, t.result, t.flags);

  t.in_window = all_threads;
  if (d.dst_en && !d.dst_rel) {
    if (d.dst < registers) rows.blend(w.row(d.dst), t.result, t.executed);
    else t.in_window = 0;
  } else if (d.dst_en) {
    t.in_window = 0;
    for (unsigned i = 0; i < wave_threads; ++i) {
      const int32_t r = d.dst + relative_index(w, d, i);
      if (r < 0 || static_cast<uint32_t>(r) >= registers) continue;
      t.in_window |= 1u << i;
      if (((t.executed >> i) & 1) != 0) w.row(static_cast<uint32_t>(r))[i] = t.result[i];
    }
  } else if (d.alu == AluKind::Mova) {
    for (uint32_t m = t.executed; m != 0; m &= m - 1) {
      const int i = __builtin_ctz(m);
      w.a0[i] = static_cast<int32_t>(t.result[i]);
    }
  }
  if (d.cc_dst != 3) rows.blend8(w.cc[d.cc_dst][d.cc_comp].data(), t.flags, t.executed);
  if (d.alu_we) {
    w.alu = (w.alu & ~t.executed) | (rows.nonzero(t.result) & t.executed);
    w.alu_valid = true;
  }
}

}  // namespace maskwork::model
