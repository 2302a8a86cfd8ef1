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
  immediates_.clear();
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
        const auto key = std::pair(s.kind, s.value);
        auto it = immediates_.find(key);
        if (it == immediates_.end()) it = immediates_.emplace(key, move_to_temporary(s)).first;
        s = reg(it->second);
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
  set_target(word, in, component, false);
  word.clamp = static_cast<uint8_t>(in.modifiers.clamp == ast::Clamp::sat    ? isa::Clamp::SAT
                                    : in.modifiers.clamp == ast::Clamp::ssat ? isa::Clamp::SSAT
                                                                             : isa::Clamp::NONE);
  if (in.modifiers.cc != ast::CcUpdate::none) {
    word.cc_dst = in.modifiers.cc == ast::CcUpdate::cc0 ? 0 : 1;
    word.cc_comp = static_cast<uint8_t>(component);
  }
}

void Lowering::lower(uint32_t index) {
  const ast::Instruction& in = p_.instructions[index];
  line_ = {in.opcode_where.line, in.opcode_where.column};
  instruction_ = index + 1;
  immediates_.clear();
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

}  // namespace maskwork::back
