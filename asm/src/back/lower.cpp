#include "lower.hpp"

#include <algorithm>
#include <string>

namespace maskwork::back {

using ast::Opcode;

void Lowering::error(std::string_view rule, ast::SourceSpan where, std::string message, std::string hint) {
  Diagnostic d;
  d.rule = rule;
  d.file = p_.file;
  d.line = where.line;
  d.column = where.column;
  d.length = where.length;
  d.message = std::move(message);
  d.hint = std::move(hint);
  diagnostics_.add(std::move(d));
}

VReg Lowering::new_vreg(uint32_t size) {
  ir_.vregs.push_back({size, 0xffffffffu, 0});
  return static_cast<VReg>(ir_.vregs.size() - 1);
}

uint32_t Lowering::new_label() {
  ir_.labels.push_back(kNoLabel);
  return static_cast<uint32_t>(ir_.labels.size() - 1);
}

void Lowering::bind(uint32_t label) {
  ir_.labels[label] = static_cast<uint32_t>(ir_.words.size());
  forget_cached();
}

void Lowering::forget_cached() {
  a0_valid_ = false;
  inputs_.clear();
}

VReg Lowering::move_to_temporary(Src source) {
  IrWord move;
  move.op = isa::Op::MOV;
  move.type = isa::Type::U32;
  move.dst = new_vreg();
  source.neg = source.abs = false;
  move.src[0] = source;
  const VReg result = move.dst;
  push(std::move(move));
  return result;
}

/// One word has one literal or constant, and an integer ADD at most one negated source: the rest goes through temporaries.
void Lowering::emit(IrWord word) {
  if (!word.is_memory() && !word.is_flow()) {
    int kept = -1;
    for (int i = 2; i >= 0; --i) {
      Src& s = word.src[i];
      if (!s.immediate()) continue;
      if (kept < 0) {
        kept = i;
      } else if (s.kind != word.src[kept].kind || s.value != word.src[kept].value) {
        const bool neg = s.neg, abs = s.abs;
        s = reg(move_to_temporary(s));
        s.neg = neg;
        s.abs = abs;
      }
    }
    if (word.op == isa::Op::ADD && word.type != isa::Type::F32 && word.src[0].neg && word.src[1].neg) {
      // The flags of -a - b are those of adding the two negated values.
      for (int i = word.cc_dst == 3 ? 1 : 0; i < 2; ++i) {
        IrWord negate;
        negate.op = isa::Op::MOV;
        negate.type = word.type;
        negate.dst = new_vreg();
        negate.src[0] = word.src[i];
        word.src[i] = reg(negate.dst);
        push(std::move(negate));
      }
    }
  }
  push(std::move(word));
}

void Lowering::push(IrWord word) {
  word.line = line_;
  word.instruction = instruction_;
  word.routine = routine_;
  const auto written = [&](VReg v) {
    if (a0_valid_ && a0_source_.kind == Src::Kind::Reg && a0_source_.value == v) a0_valid_ = false;
  };
  if (word.dst != kNoReg) written(word.dst);
  for (VReg v : word.mem_dst)
    if (v != kNoReg) written(v);
  const bool flow = word.is_flow();
  ir_.words.push_back(std::move(word));
  if (flow) forget_cached();
}

void Lowering::emit_parallel(std::vector<IrWord> words) {
  const auto overwrites = [](const IrWord& writer, const Src& s) {
    return writer.dst != kNoReg && s.kind == Src::Kind::Reg && s.value == writer.dst && (s.rel || writer.dst_rel || s.offset == writer.dst_offset);
  };
  const auto overwrites_condition = [](const IrWord& writer, const IrWord& reader) {
    return reader.pred_test > 1 && reader.pred_cc == writer.cc_dst && ((reader.pred_mask >> writer.cc_comp) & 1) != 0;
  };
  unsigned conditions = 0;
  while (!words.empty()) {
    size_t next = words.size();
    for (size_t i = 0; i < words.size() && next == words.size(); ++i) {
      bool free = true;
      for (size_t j = 0; j < words.size() && free; ++j) {
        if (i == j) continue;
        for (const Src& s : words[j].src) free = free && !overwrites(words[i], s);
        free = free && !overwrites_condition(words[i], words[j]);
      }
      if (free) next = i;
    }
    if (next == words.size()) {
      next = 0;
      for (size_t j = 1; j < words.size(); ++j) {
        for (Src& s : words[j].src) {
          if (!overwrites(words[0], s)) continue;
          const Src old = s;
          Src copy = old;
          IrWord move;
          move.op = isa::Op::MOV;
          move.type = isa::Type::U32;
          move.rel_sel = words[j].rel_sel;
          copy.neg = copy.abs = false;
          move.src[0] = copy;
          move.dst = new_vreg();
          s = reg(move.dst);
          s.neg = old.neg;
          s.abs = old.abs;
          push(std::move(move));
        }
        if (overwrites_condition(words[0], words[j])) {
          for (uint32_t value : {0u, 1u}) {
            IrWord copy;
            copy.op = isa::Op::MOV;
            copy.type = isa::Type::U32;
            copy.src[0] = literal(value);
            copy.cc_dst = 2;
            copy.cc_comp = static_cast<uint8_t>(conditions);
            if (value != 0) {
              copy.pred_test = words[j].pred_test;
              copy.pred_cc = words[j].pred_cc;
              copy.pred_mask = words[j].pred_mask;
            }
            push(std::move(copy));
          }
          words[j].pred_test = static_cast<uint8_t>(isa::Test::NE);
          words[j].pred_cc = 2;
          words[j].pred_mask = static_cast<uint8_t>(1u << conditions);
          ++conditions;
        }
      }
    }
    IrWord word = std::move(words[next]);
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(next));
    emit(std::move(word));
  }
}

isa::Type Lowering::type_of(ast::DataType type) {
  switch (ast::base_of(type)) {
    case ast::BaseType::s: return isa::Type::S32;
    case ast::BaseType::u: return isa::Type::U32;
    default: return isa::Type::F32;
  }
}

isa::Test Lowering::test_of(ast::CcRule rule) {
  using R = ast::CcRule;
  using T = isa::Test;
  switch (rule) {
    case R::eq: return T::EQ;
    case R::ge: return T::GE;
    case R::gt: return T::GT;
    case R::le: return T::LE;
    case R::lt: return T::LT;
    case R::ne: return T::NE;
    case R::tr: return T::TR;
    case R::fl: return T::FL;
    case R::nan: return T::NAN_;
    case R::leg: return T::LEG;
    case R::cf: return T::CF;
    case R::ncf: return T::NCF;
    case R::of: return T::OF;
    case R::nof: return T::NOF;
    case R::sf: return T::SF;
    case R::nsf: return T::NSF;
    case R::ab: return T::AB;
    case R::ble: return T::BLE;
  }
  return T::TR;
}

/// Condition of a write mask: one component's test.
void Lowering::set_mask(IrWord& word, const ast::CcTest& test, unsigned component) const {
  if (always(test)) return;
  word.pred_test = static_cast<uint8_t>(test_of(test.rule));
  word.pred_cc = test.reg;
  word.pred_mask = static_cast<uint8_t>(1u << test.swizzle[component]);
}

/// Condition of a flow instruction: any of the components.
void Lowering::set_condition(IrWord& word, const ast::CcTest& test) {
  if (always(test) || never(test)) return;
  word.pred_test = static_cast<uint8_t>(test_of(test.rule));
  word.pred_cc = test.reg;
  for (uint8_t c : test.swizzle) word.pred_mask |= static_cast<uint8_t>(1u << c);
}

/// Destination, clamp, condition-code update and write-mask predicate of one component.
void Lowering::set_result(IrWord& word, const ast::Instruction& in, unsigned component) {
  const ast::Destination& d = in.destination;
  const Place at = place(d.variable, d.index.offset, component);
  word.dst = at.reg;
  word.dst_offset = at.offset;
  word.dst_rel = d.index.relative;
  word.clamp = static_cast<uint8_t>(in.modifiers.clamp == ast::Clamp::sat    ? isa::Clamp::SAT
                                    : in.modifiers.clamp == ast::Clamp::ssat ? isa::Clamp::SSAT
                                                                             : isa::Clamp::NONE);
  if (in.modifiers.cc != ast::CcUpdate::none) {
    word.cc_dst = in.modifiers.cc == ast::CcUpdate::cc0 ? 0 : 1;
    word.cc_comp = static_cast<uint8_t>(component);
  }
  set_mask(word, d.cc_mask, component);
}

void Lowering::lower(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  line_ = {in.opcode_where.line, in.opcode_where.column};
  instruction_ = index + 1;
  switch (in.opcode) {
    case Opcode::LDS:
    case Opcode::LDB:
    case Opcode::LDC:
    case Opcode::LOAD: return load(in);
    case Opcode::STS:
    case Opcode::STB:
    case Opcode::STORE: return store(in);
    case Opcode::ATOMS:
    case Opcode::ATOMB:
    case Opcode::ATOM: return atomic(in);
    case Opcode::CALI: return call_indirect(index);
    default: break;
  }
  if (!supported(in)) return;
  switch (in.opcode) {
    case Opcode::IF: return if_(index);
    case Opcode::ELSE: return else_(index);
    case Opcode::ENDIF: return endif_(index);
    case Opcode::REP: return rep(index);
    case Opcode::ENDREP: return endrep(index);
    case Opcode::BRK:
    case Opcode::CONT:
    case Opcode::RET: return leave(index);
    case Opcode::CAL: return call(index);
    case Opcode::BAR: return push(flow_word(isa::Op::BAR));
    case Opcode::MEMBAR: return push(flow_word(in.modifiers.cta ? isa::Op::MEMBAR_CTA : isa::Op::MEMBAR));
    default: return alu(in);
  }
}

IrWord Lowering::make_step(const Step& step, const ast::Instruction& in, const std::array<Components, 3>& operands, unsigned component,
                           const std::array<VReg, 2>& temporaries) {
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
  if (step.round_from_instruction && in.modifiers.rounding != ast::Rounding::none) {
    using A = ast::Rounding;
    w.round = static_cast<uint8_t>(in.modifiers.rounding == A::ceil    ? isa::Round::CEIL
                                   : in.modifiers.rounding == A::flr   ? isa::Round::FLR
                                   : in.modifiers.rounding == A::trunc ? isa::Round::TRUNC
                                                                       : isa::Round::ROUND);
  }
  for (int i = 0; i < 3; ++i) {
    const StepSource& s = step.source[i];
    Src& out = w.src[i];
    switch (s.kind) {
      case StepSource::Kind::None: continue;
      case StepSource::Kind::Literal: out = literal(s.bits); break;
      case StepSource::Kind::Temporary: out = reg(temporaries[s.index]); break;
      case StepSource::Kind::Operand: {
        const ast::Operand& op = in.operands[s.index];
        const unsigned c = s.component >= 0 ? static_cast<unsigned>(s.component) : component;
        out = with_modifiers(operands[s.index][op.swizzle[c]], op);
        break;
      }
    }
    if (s.abs) {
      out.abs = true;
      out.neg = false;
    }
    if (s.neg) out.neg = !out.neg;
  }
  if (step.to_result) set_result(w, in, component);
  if (step.saturate) w.clamp = static_cast<uint8_t>(isa::Clamp::SAT);
  return w;
}

void Lowering::alu(const ast::Instruction& in) {
  std::string name(ast::name_of(in.opcode));
  if (in.modifiers.mul == ast::MulKind::hi) name += ".HI";
  const char type = "?FSU"[static_cast<int>(ast::base_of(in.modifiers.type))];
  const Expansion* expansion = find_expansion(name, type);
  if (!expansion) {
    error(kNotSupportedYet, in.opcode_where, name + " is not supported yet");
    return;
  }
  if (never(in.destination.cc_mask)) return;
  const unsigned mask = in.destination.mask;
  std::array<unsigned, 3> needed{};
  const auto need = [&](const Step& step, unsigned component) {
    for (const StepSource& s : step.source)
      if (s.kind == StepSource::Kind::Operand) {
        const unsigned c = s.component >= 0 ? static_cast<unsigned>(s.component) : component;
        needed[s.index] |= 1u << in.operands[s.index].swizzle[c];
      }
  };
  for (const Step& step : expansion->once) need(step, 0);
  for (unsigned c = 0; c < 4; ++c)
    if ((mask >> c) & 1)
      for (const Step& step : expansion->each) need(step, c);

  const bool direct = prepare_index(in);
  std::array<Components, 3> operands;
  for (unsigned i = 0; i < in.operand_count && i < 3; ++i) operands[i] = prepare(in.operands[i], needed[i], direct);
  if (in.destination.index.relative && !direct) load_a0(key_of(in.destination.index));

  std::array<VReg, 2> temporaries{kNoReg, kNoReg};
  const auto to_temporary = [&](const Step& step, unsigned component, std::array<VReg, 2>& names) {
    IrWord w = make_step(step, in, operands, component, names);
    w.dst = names[step.temporary] = new_vreg();
    emit(std::move(w));
  };
  for (const Step& step : expansion->once) to_temporary(step, 0, temporaries);
  std::vector<IrWord> results;
  for (unsigned c = 0; c < 4; ++c) {
    if (!((mask >> c) & 1)) continue;
    auto names = temporaries;
    for (const Step& step : expansion->each) {
      if (step.to_result) results.push_back(make_step(step, in, operands, c, names));
      else to_temporary(step, c, names);
    }
  }
  emit_parallel(std::move(results));
}

}  // namespace maskwork::back
