#include "flow_words.hpp"

#include <algorithm>

namespace maskwork::flowtest {

using isa::Aop;
using isa::Bop;
using isa::Op;
namespace field = isa::field;

isa::Word FlowFields::word() const {
  isa::Word w;
  isa::set(w, field::op, static_cast<uint32_t>(op));
  isa::set(w, field::jump_any, any);
  isa::set(w, field::b_else, b_else);
  isa::set(w, field::endless, endless);
  isa::set(w, field::target, target);
  isa::set(w, field::jump_func, func);
  isa::set(w, field::a_op, static_cast<uint32_t>(a_op));
  isa::set(w, field::b_op0, static_cast<uint32_t>(b_op0));
  isa::set(w, field::b_op1, static_cast<uint32_t>(b_op1));
  isa::set(w, field::b_pop, pop);
  isa::set(w, field::bool_idx, bool_idx);
  isa::set(w, field::imm, imm);
  isa::set(w, field::al_init, al_init);
  isa::set(w, field::al_step, al_step);
  return w;
}

namespace {

constexpr uint32_t kFuncs[] = {0x00, 0xff, 0x0f, 0xf0, 0x33, 0xcc, 0x55, 0xaa};

uint32_t condition(Rng& rng) { return pick(rng, 4) ? kFuncs[2 + pick(rng, 6)] : pick(rng, 256); }

enum class Construct { If, IfElse, Else, EndIf, Skip, Goto, Open, Close, Break, Cont, Call, CallR, Return, Retl, End, Plain };

Construct choose(Rng& rng, Drift drift, bool full) {
  using enum Construct;
  static constexpr Construct partial[] = {If, IfElse, Else, EndIf, EndIf, Skip, Goto, Retl, If, Else, End, Plain};
  static constexpr Construct mixed[] = {If, IfElse, Else, Else, EndIf, EndIf, Skip, Goto, Open, Open, Close, Close, Break, Break,
                                        Cont, Cont, Call, CallR, Return, Return, Retl, Retl, End, Plain};
  static constexpr Construct close[] = {EndIf, EndIf, Close, Close, Return, Return, Else, Break};
  switch (drift) {
    case Drift::OpenBlocks:
      if (pick(rng, 100) < 97) return If;
      break;
    case Drift::OpenLoops:
      if (full && pick(rng, 100) < 97) return Open;
      break;
    case Drift::OpenCalls:
      if (full && pick(rng, 100) < 90) return pick(rng, 2) ? Call : CallR;
      break;
    case Drift::CloseAll:
      if (full && pick(rng, 100) < 90) return close[pick(rng, std::size(close))];
      break;
    case Drift::Mixed: break;
  }
  return full ? mixed[pick(rng, std::size(mixed))] : partial[pick(rng, std::size(partial))];
}

/// Levels from `base` up to the present one, as B_POP_CNT.
uint32_t levels_above(const CounterWave& w, uint32_t base) { return std::min<uint32_t>(w.db() > base ? w.db() - base : 0, 127); }

FlowFields fitting(Rng& rng, const CounterWave& w, bool full, Drift drift) {
  FlowFields f;
  f.target = pick(rng, 1u << 24);
  f.bool_idx = pick(rng, 32);
  const auto* loop = w.top_loop();
  const auto* call = w.top_call();
  const bool is_loop = loop ? loop->is_loop : pick(rng, 2);
  using enum Construct;
  switch (choose(rng, drift, full)) {
    case If:
      f.func = condition(rng);
      f.b_op0 = Bop::INCR;
      if (drift == Drift::OpenBlocks && pick(rng, 4)) f.any = 1, f.b_op1 = Bop::INCR;
      break;
    case IfElse: f.func = condition(rng), f.b_op0 = f.b_op1 = Bop::INCR; break;
    case Else:
      f.b_else = 1, f.pop = 1, f.b_op1 = Bop::DECR;
      if (pick(rng, 3) == 0) f.func = condition(rng), f.b_op0 = Bop::INCR;
      break;
    case EndIf: f.any = 1, f.b_op0 = Bop::DECR, f.pop = std::min(w.db(), 1 + pick(rng, drift == Drift::CloseAll ? 127 : 3)); break;
    case Skip: break;
    case Goto: f.func = condition(rng), f.any = pick(rng, 2); break;
    case Open:
      f.op = pick(rng, 2) ? Op::LOOP : Op::REP;
      f.endless = pick(rng, 2);
      if (!f.endless) f.imm = pick(rng, 8) ? pick(rng, 4) : static_cast<uint32_t>(rng());
      f.al_init = pick(rng, 1024), f.al_step = pick(rng, 256);
      if (pick(rng, 8) == 0) f.func = condition(rng);
      break;
    case Close: f.op = is_loop ? Op::ENDLOOP : Op::ENDREP, f.any = 1, f.func = pick(rng, 4) ? 0xff : condition(rng); break;
    case Break:
    case Cont:
      f.op = pick(rng, 2) ? Op::CONT : is_loop ? Op::BREAKLOOP : Op::BREAKREP;
      f.func = pick(rng, 3) ? condition(rng) : 0xff;
      f.b_op1 = Bop::DECR, f.pop = levels_above(w, loop ? loop->db : 0);
      break;
    case Call:
      f.a_op = Aop::PUSH, f.any = 1, f.func = pick(rng, 2) ? 0xff : condition(rng);
      if (pick(rng, 2)) f.b_op1 = Bop::INCR;
      break;
    case CallR: f.a_op = Aop::PUSHR, f.any = 1, f.func = pick(rng, 2) ? 0xff : condition(rng); break;
    case Return:
      f.a_op = Aop::POP, f.func = pick(rng, 4) ? 0xff : condition(rng);
      f.b_op1 = Bop::DECR, f.pop = levels_above(w, call ? call->db : 0);
      if (pick(rng, 4) == 0) f.b_op0 = Bop::INCR;
      break;
    case Retl:
      f.op = Op::RETL;
      f.func = pick(rng, 3) ? condition(rng) : 0xff;
      f.b_op1 = Bop::DECR, f.pop = levels_above(w, call ? call->db + call->inc : 0);
      break;
    case End: f = {}, f.op = Op::END; break;
    case Plain: f = {}, f.op = pick(rng, 2) ? Op::NOP : Op::BAR; break;
  }
  return f;
}

void spoil(Rng& rng, FlowFields& f) {
  switch (pick(rng, 9)) {
    case 0: f.func = pick(rng, 256); break;
    case 1: f.any ^= 1; break;
    case 2: f.b_op0 = static_cast<Bop>(pick(rng, 3)); break;
    case 3: f.b_op1 = static_cast<Bop>(pick(rng, 3)); break;
    case 4: f.pop = pick(rng, 128); break;
    case 5: f.pop = f.pop + (pick(rng, 2) ? 1 : 127); break;
    case 6: f.a_op = static_cast<Aop>(pick(rng, 4)); break;
    case 7: f.b_else ^= 1; break;
    default: f.op = static_cast<Op>(static_cast<uint32_t>(Op::JUMP) + pick(rng, 14)); break;
  }
}

}  // namespace

isa::Word random_word(Rng& rng, const CounterWave& w, bool full, Drift drift) {
  for (;;) {
    isa::Word word;
    const uint32_t kind = pick(rng, 20);
    if (kind == 0) {
      word = {rng(), rng()};
      word.lo &= ~isa::reserved_flow.lo;
      word.hi &= ~isa::reserved_flow.hi;
      isa::set(word, field::op, static_cast<uint32_t>(Op::JUMP) + pick(rng, 14));
      isa::set(word, field::pred_test, 0);
      isa::set(word, field::pred_cc, 0);
      isa::set(word, field::pred_mask, 0);
      if (pick(rng, 4)) isa::set(word, field::imm, 0);
    } else {
      FlowFields f = fitting(rng, w, full, drift);
      if (kind == 1) spoil(rng, f);
      word = f.word();
    }
    if (!isa::bad_word(word, full)) return word;
  }
}

}  // namespace maskwork::flowtest
