// Lowering of arithmetic: a row of the expansion table, its words with operands, and the words that write the result.
#include <algorithm>

#include "lower.hpp"

namespace maskwork::back {

using ast::Opcode;

/// Instructions that the expansion table describes.
bool Lowering::is_arithmetic(Opcode opcode) {
  switch (opcode) {
    case Opcode::BAR: case Opcode::BRK: case Opcode::CAL: case Opcode::CALI: case Opcode::CONT: case Opcode::ELSE: case Opcode::ENDIF: case Opcode::ENDREP:
    case Opcode::IF: case Opcode::MEMBAR: case Opcode::REP: case Opcode::RET: case Opcode::ATOM: case Opcode::ATOMB: case Opcode::ATOMS: case Opcode::LDB:
    case Opcode::LDC: case Opcode::LDS: case Opcode::LOAD: case Opcode::STB: case Opcode::STORE: case Opcode::STS:
      return false;
    default: return true;
  }
}

/// The value of a source after its sign and absolute value, for words and places that cannot have them.
Src Lowering::as_value(Src source, const ast::Operand& op) {
  if (!source.neg && !source.abs) return source;
  if (source.kind == Src::Kind::Literal) {
    uint32_t bits = source.value;
    if (op.type == ast::BaseType::f) {
      if (source.abs) bits &= 0x7fffffffu;
      if (source.neg) bits ^= 0x80000000u;
    } else {
      if (source.abs && (bits >> 31)) bits = 0u - bits;
      if (source.neg) bits = 0u - bits;
    }
    return literal(bits);
  }
  IrWord move;
  move.op = isa::Op::MOV;
  move.type = op.type == ast::BaseType::f ? isa::Type::F32 : op.type == ast::BaseType::s ? isa::Type::S32 : isa::Type::U32;
  move.src[0] = source;
  move.dst = new_vreg();
  const VReg result = move.dst;
  before_.push_back(std::move(move));
  return reg(result);
}

IrWord Lowering::make_step(const Step& step, const ast::Instruction& in, const Row& row, const std::array<Values, 3>& operands, unsigned component,
                           const Temporaries& temporaries) {
  const auto type = [&](Step::From from, isa::Type fixed) {
    if (from == Step::From::InstructionType) return type_of(in.modifiers.type);
    if (from == Step::From::SourceType) return type_of(in.modifiers.source);
    return fixed;
  };
  IrWord w;
  w.op = step.op;
  w.type = type(step.type_from, step.type);
  if (step.has_cvt_src) w.cvt_src = static_cast<uint8_t>(type(step.cvt_from, step.cvt_src));
  w.round = static_cast<uint8_t>(step.round);
  const ast::Rounding rounding = row.rounding.value_or(in.modifiers.rounding);
  if (step.round_from_instruction && rounding != ast::Rounding::none) {
    using A = ast::Rounding;
    w.round = static_cast<uint8_t>(rounding == A::ceil    ? isa::Round::CEIL
                                   : rounding == A::flr   ? isa::Round::FLR
                                   : rounding == A::trunc ? isa::Round::TRUNC
                                                          : isa::Round::ROUND);
  }
  if (step.saturate) w.clamp = static_cast<uint8_t>(isa::Clamp::SAT);
  if (step.flags_to >= 0) {
    w.cc_dst = 2;
    w.cc_comp = static_cast<uint8_t>(step.flags_to);
  }
  if (step.carry >= 0) {
    w.chain_carry = true;
    w.chain_comp = static_cast<uint8_t>(step.carry);
  }
  if (step.test != isa::Test::TR) {
    w.pred_test = static_cast<uint8_t>(step.test);
    w.pred_cc = 2;
    w.pred_mask = static_cast<uint8_t>(1u << step.test_component);
  }
  const isa::Type source_type = step.has_cvt_src ? static_cast<isa::Type>(w.cvt_src) : w.type;
  for (int i = 0; i < 3; ++i) {
    const StepSource& s = step.source[i];
    Src& out = w.src[i];
    switch (s.kind) {
      case StepSource::Kind::None: continue;
      case StepSource::Kind::Literal: out = literal(s.bits); break;
      case StepSource::Kind::Parameter: out = literal(parameter(static_cast<Parameter>(s.index), row)); break;
      case StepSource::Kind::Temporary: out = reg(temporaries[s.index]); break;
      case StepSource::Kind::Operand: {
        const ast::Operand& op = in.operands[s.index];
        const Values& values = operands[s.index];
        unsigned c = op.swizzle[s.component >= 0 ? static_cast<unsigned>(s.component) : component];
        if (in.opcode == Opcode::SWZ) {
          const ast::SwzSelector& selector = in.selectors[component];
          c = static_cast<unsigned>(selector.source);
          out = c < 4 ? values.low[c] : literal(selector.source == ast::SwzSelector::Source::one ? 0x3f800000u : 0);
          out.neg = selector.negate;
          break;
        }
        out = (s.high ? values.high : values.low)[c];
        if (values.applied) break;
        out = with_modifiers(out, op);
        const bool is_float = op.type == ast::BaseType::f;
        const bool other_type = is_float != (source_type == isa::Type::F32) || (out.abs && (op.type == ast::BaseType::s) != (source_type == isa::Type::S32));
        if (s.value || w.is_special() || other_type) out = as_value(out, op);
        break;
      }
    }
    if (s.abs) {
      out.abs = true;
      out.neg = false;
    }
    if (s.neg) out.neg = !out.neg;
  }
  return w;
}

/// Whether the word that makes t may take the place of a copy of t into the result.
bool Lowering::mergeable(VReg t, size_t producer, const Draft& draft, const ast::Instruction& in) const {
  const bool cc = in.modifiers.cc != ast::CcUpdate::none, clamp = in.modifiers.clamp != ast::Clamp::none;
  const IrWord& made = before_[producer];
  if (made.predicated() || made.chained() || made.cc_dst != 3) return false;
  if (made.is_special() && (cc || clamp || in.destination.index.relative)) return false;
  // Flags and clamp are those of the copy's type; carry and overflow are 0.
  if ((cc || clamp) && (made.type != draft.word.type || made.clamp != 0)) return false;
  if (cc && made.type != isa::Type::F32 && (made.op == isa::Op::ADD || made.op == isa::Op::MAD)) return false;
  for (size_t i = producer + 1; i < before_.size(); ++i)
    for (const Src& s : made.src)
      if (before_[i].dst == t || (s.kind == Src::Kind::Reg && s.value == before_[i].dst)) return false;
  return true;
}

/// `MOV d, t` and the word that writes t become one, if only such copies read t; further copies then copy that result.
void Lowering::merge_copies(std::vector<Draft>& drafts, const ast::Instruction& in) {
  const bool plain = in.modifiers.cc == ast::CcUpdate::none && in.modifiers.clamp == ast::Clamp::none && !in.destination.index.relative && !in.destination.wide &&
                     always(in.destination.cc_mask) && in.destination.fit == ast::Fit::same;
  for (Draft& draft : drafts) {
    const Src from = draft.word.src[0];
    const auto copies = [&](const Draft& d) {
      return d.word.op == isa::Op::MOV && d.word.src[0].is_reg(from.value, 0) && !d.word.src[0].neg && !d.word.src[0].abs && !d.word.src[0].rel;
    };
    if (from.kind != Src::Kind::Reg || !copies(draft)) continue;
    size_t producer = before_.size(), writers = 0, readers = 0, copiers = 0;
    const auto reads = [&](const IrWord& w) {
      readers += static_cast<size_t>(std::count_if(w.src.begin(), w.src.end(), [&](const Src& s) { return s.is_reg(from.value, 0); }));
    };
    for (size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].dst == from.value) {
        producer = i;
        ++writers;
      }
      reads(before_[i]);
    }
    for (const Draft& d : drafts) {
      reads(d.word);
      copiers += copies(d);
    }
    if (writers != 1 || readers != copiers || (copiers != 1 && !plain) || !mergeable(from.value, producer, draft, in)) continue;
    for (Draft& d : drafts)
      if (&d != &draft && copies(d)) {
        const Place at = place(in.destination.variable, in.destination.index.offset, draft.component);
        d.word.src[0] = reg(at.reg, at.offset);
        d.first = draft.component;
      }
    draft.word = before_[producer];
    draft.word.dst = kNoReg;
    before_.erase(before_.begin() + static_cast<std::ptrdiff_t>(producer));
  }
}

/// Destination and write-mask predicate of one component; `high`: the upper 32 bits of a LONG variable's.
void Lowering::set_target(IrWord& word, const ast::Instruction& in, unsigned component, bool high) {
  const ast::Destination& d = in.destination;
  const Place at = place(d.variable, d.index.offset, component, high);
  word.dst = at.reg;
  word.dst_offset = at.offset;
  word.dst_rel = d.index.relative;
  set_mask(word, d.cc_mask, component);
}

IrWord Lowering::through_temporary(IrWord word, isa::Type type) {
  IrWord move;
  move.op = isa::Op::MOV;
  move.type = type;
  word.dst = new_vreg();
  move.src[0] = reg(word.dst);
  before_.push_back(std::move(word));
  return move;
}

/// Result words of one component with 32 bits.
void Lowering::finish_narrow(Draft& draft, const ast::Instruction& in, std::vector<Group>& groups) {
  const ast::Destination& d = in.destination;
  const bool cc = in.modifiers.cc != ast::CcUpdate::none;
  const isa::Type result_type = d.type == ast::BaseType::f ? isa::Type::F32 : d.type == ast::BaseType::s ? isa::Type::S32 : isa::Type::U32;
  IrWord w = std::move(draft.word);
  if (w.is_special() && (cc || in.modifiers.clamp != ast::Clamp::none || d.index.relative)) w = through_temporary(std::move(w), result_type);
  const uint8_t own_clamp = w.clamp;
  Group group;
  IrWord upper;
  const bool extend = d.fit == ast::Fit::extend;
  if (extend) {
    upper.type = result_type;
    if (result_type == isa::Type::S32) {
      upper.op = isa::Op::SHR;
      upper.src[1] = literal(31);
    } else {
      upper.op = isa::Op::MOV;
      upper.src[0] = literal(0);
    }
    set_target(upper, in, draft.component, true);
    if (result_type == isa::Type::S32 && cc) {
      // The condition of the write mask may be the one that the result changes: the upper half goes first.
      IrWord again = w;
      again.dst = new_vreg();
      upper.src[0] = reg(again.dst);
      before_.push_back(std::move(again));
    }
    if (cc || result_type != isa::Type::S32) group.push_back(upper);
  }
  set_result(w, in, draft.component);
  if (own_clamp != 0 || (w.type != isa::Type::F32 && !isa::info(w.op).clamp_int)) w.clamp = own_clamp;
  if (extend && !cc && result_type == isa::Type::S32) {
    upper.src[0] = reg(w.dst, w.dst_offset);
    upper.src[0].rel = w.dst_rel;
    group.push_back(std::move(w));
    group.push_back(std::move(upper));
  } else {
    group.push_back(std::move(w));
  }
  groups.push_back(std::move(group));
}

/// Result words of one component with 64 bits.
void Lowering::finish_wide(Draft& low, Draft& high, const ast::Instruction& in, std::vector<Group>& groups) {
  const bool cc = in.modifiers.cc != ast::CcUpdate::none;
  const bool long_variable = p_.variables[in.destination.variable].width == ast::Width::wide;
  constexpr uint8_t kChain = 3;  // the component that the table's chains use
  IrWord lw = std::move(low.word), hw = std::move(high.word);
  const bool chain = hw.chain_carry;
  set_target(lw, in, low.component, false);
  if (cc && !chain) {
    lw.cc_dst = 2;
    lw.cc_comp = kChain;
    const bool overflows = hw.op == isa::Op::ADD || hw.op == isa::Op::MAD;
    const bool late = std::any_of(hw.src.begin(), hw.src.end(), [&](const Src& s) { return s.kind == Src::Kind::Reg && s.value == lw.dst; });
    if (overflows || late) hw = through_temporary(std::move(hw), isa::Type::U32);
  }
  if (long_variable) set_target(hw, in, low.component, true);
  else set_mask(hw, in.destination.cc_mask, low.component);
  if (cc) {
    hw.cc_dst = in.modifiers.cc == ast::CcUpdate::cc0 ? 0 : 1;
    hw.cc_comp = static_cast<uint8_t>(low.component);
    hw.chain_zero = true;
    hw.chain_comp = kChain;
  }
  if (chain || cc) {
    Group group{std::move(lw)};
    if (long_variable || cc) group.push_back(std::move(hw));
    groups.push_back(std::move(group));
    return;
  }
  groups.push_back({std::move(lw)});
  if (long_variable) groups.push_back({std::move(hw)});
}

void Lowering::alu(const ast::Instruction& in) {
  const Row row = choose(in);
  if (!row.expansion) {
    error(kNotSupportedYet, in.opcode_where, row.name + " is not supported yet");
    return;
  }
  if (never(in.destination.cc_mask)) return;
  const unsigned mask = in.destination.mask;
  std::array<unsigned, 3> needed{};
  const auto need = [&](const Step& step, unsigned component) {
    for (const StepSource& s : step.source)
      if (s.kind == StepSource::Kind::Operand) {
        unsigned c = in.operands[s.index].swizzle[s.component >= 0 ? static_cast<unsigned>(s.component) : component];
        if (in.opcode == Opcode::SWZ) c = static_cast<unsigned>(in.selectors[component].source);
        needed[s.index] |= 1u << c;
      }
  };
  for (const Step& step : row.expansion->once) need(step, 0);
  for (unsigned c = 0; c < 4; ++c)
    if ((mask >> c) & 1)
      for (const Step& step : row.expansion->each[c]) need(step, c);

  const bool direct = prepare_index(in);
  std::array<Values, 3> operands;
  for (unsigned i = 0; i < in.operand_count && i < 3; ++i) {
    if (in.operands[i].wide) operands[i] = wide_values(in, i, needed[i] & 0xf, direct);
    else operands[i].low = prepare(in.operands[i], needed[i] & 0xf, direct);
  }
  if (in.destination.index.relative && !direct) load_a0(key_of(in.destination.index));

  before_.clear();
  Temporaries temporaries;
  temporaries.fill(kNoReg);
  const auto to_temporary = [&](const Step& step, unsigned component, Temporaries& names) {
    IrWord w = make_step(step, in, row, operands, component, names);
    // A predicated word changes the value that is there.
    if (step.to == Step::To::Temporary) w.dst = w.predicated() ? names[step.temporary] : names[step.temporary] = new_vreg();
    before_.push_back(std::move(w));
  };
  for (const Step& step : row.expansion->once) to_temporary(step, 0, temporaries);
  std::vector<Draft> drafts;
  for (unsigned c = 0; c < 4; ++c) {
    if (!((mask >> c) & 1)) continue;
    Temporaries names = temporaries;
    for (const Step& step : row.expansion->each[c]) {
      if (step.to_result()) drafts.push_back({make_step(step, in, row, operands, c, names), c, step.to == Step::To::High});
      else to_temporary(step, c, names);
    }
  }
  merge_copies(drafts, in);
  std::vector<Group> groups;
  for (Draft& d : drafts) {
    if (!in.destination.wide) {
      if (d.first != ast::kNone) continue;
      finish_narrow(d, in, groups);
      for (Draft& copy : drafts)
        if (copy.first == d.component) {
          set_result(copy.word, in, copy.component);
          groups.back().push_back(std::move(copy.word));
        }
    } else if (!d.high) {
      finish_wide(d, *std::find_if(drafts.begin(), drafts.end(), [&](const Draft& other) { return other.high && other.component == d.component; }), in, groups);
    }
  }
  for (IrWord& w : before_) emit(std::move(w));
  emit_parallel(std::move(groups));
}

}  // namespace maskwork::back
