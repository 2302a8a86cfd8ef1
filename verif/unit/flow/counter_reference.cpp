#include "counter_reference.hpp"

namespace maskwork::flowtest {

using isa::Fault;
using isa::Op;
namespace field = isa::field;

namespace {
constexpr uint32_t bit(unsigned t) { return uint32_t{1} << t; }

int32_t sign_extend(uint32_t v, unsigned bits) {
  const uint32_t top = uint32_t{1} << (bits - 1);
  return static_cast<int32_t>((v ^ top) - top);
}
}  // namespace

uint32_t CounterWave::waiting_in_loops() const {
  uint32_t m = 0;
  for (const auto& f : loops_) m |= f.brk | f.cont;
  return m;
}

uint32_t CounterWave::active() const {
  uint32_t m = live_ & ~waiting_in_loops();
  for (unsigned t = 0; t < 32; ++t)
    if (branch_[t] >= 0 || returned_[t] >= 0) m &= ~bit(t);
  return m;
}

CounterWave::Threads CounterWave::threads() const {
  Threads r;
  for (unsigned t = 0; t < 32; ++t) {
    if (!(live_ & bit(t))) {
      r.state[t] = isa::LaneState::X;
    } else if (branch_[t] >= 0) {
      r.state[t] = isa::LaneState::B;
      r.level[t] = db_ - static_cast<uint32_t>(branch_[t]);
    } else if (returned_[t] >= 0) {
      r.state[t] = isa::LaneState::R;
      r.level[t] = dc() - static_cast<uint32_t>(returned_[t]);
    }
  }
  for (uint32_t i = 0; i < loops_.size(); ++i) {
    if ((loops_[i].brk | loops_[i].cont) == 0) continue;
    for (unsigned t = 0; t < 32; ++t) {
      if (!((loops_[i].brk | loops_[i].cont) & live_ & bit(t))) continue;
      r.state[t] = loops_[i].brk & bit(t) ? isa::LaneState::K : isa::LaneState::C;
      r.level[t] = i + 1;
    }
  }
  return r;
}

StepResult CounterWave::step(const StepInput& in) {
  CounterWave after = *this;
  StepResult r = after.apply(in);
  if (r.fault == Fault::NONE) *this = after;
  return r;
}

StepResult CounterWave::apply(const StepInput& in) {
  StepResult r;
  auto fail = [&](Fault f) {
    r.fault = f;
    return r;
  };
  const auto op = static_cast<Op>(isa::get(in.word, field::op));
  const uint32_t func = isa::get(in.word, field::jump_func);
  const int32_t pop = static_cast<int32_t>(isa::get(in.word, field::b_pop));
  const bool boolean = (in.bools >> isa::get(in.word, field::bool_idx)) & 1;
  r.next_pc = (in.pc + 1) & 0xffffff;

  if (op == Op::END) {
    if (db_ != 0 || dl_ != 0 || dc() != 0) return fail(Fault::END_DEPTH);
    r.ended = true;
    return r;
  }
  if (op == Op::BAR || op == Op::MEMBAR || op == Op::MEMBAR_CTA || op == Op::NOP) return r;
  if (!in.alu_valid && (func >> 4) != (func & 15)) return fail(Fault::STALE_ALU);

  const bool closes = op == Op::ENDLOOP || op == Op::ENDREP;
  const bool opens = op == Op::LOOP || op == Op::REP;
  const bool breaks = op == Op::BREAKLOOP || op == Op::BREAKREP;
  const bool kind_loop = op == Op::LOOP || op == Op::ENDLOOP || op == Op::BREAKLOOP;

  if (closes) {
    if (dl_ == 0) return fail(Fault::STACK_UNDERFLOW);
    LoopFrame& f = loops_[dl_ - 1];
    if (f.db != db_ || f.is_loop != kind_loop) return fail(Fault::STACK_MISMATCH);
    f.cont = 0;
  }
  if (isa::get(in.word, field::b_else)) {
    if (db_ == 0) return fail(Fault::STACK_UNDERFLOW);
    const uint32_t was_active = active();
    for (unsigned t = 0; t < 32; ++t) {
      if (was_active & bit(t)) branch_[t] = 0;
      else if (branch_[t] == 0) branch_[t] = -1;
    }
  }

  uint32_t yes = 0, no = 0;
  for (uint32_t m = active(), t = 0; t < 32; ++t) {
    if (!(m & bit(t))) continue;
    const unsigned index = ((in.alu >> t) & 1) * 4 + ((in.pred >> t) & 1) * 2 + boolean;
    ((func >> index) & 1 ? yes : no) |= bit(t);
  }
  bool jump = isa::get(in.word, field::jump_any) ? yes != 0 : no == 0;

  auto someone_waits_inside = [&](int32_t levels) {
    for (int32_t c : branch_)
      if (c >= 0 && c < levels) return true;
    return false;
  };
  if (opens && !isa::get(in.word, field::endless) && isa::get(in.word, field::imm) == 0) jump = true;
  if (closes && !loops_[dl_ - 1].endless && --loops_[dl_ - 1].n == 0) jump = false;
  if (breaks || op == Op::CONT) {
    if (dl_ == 0 || pop > static_cast<int32_t>(db_)) return fail(Fault::STACK_UNDERFLOW);
    LoopFrame& f = loops_[dl_ - 1];
    if (f.db + static_cast<uint32_t>(pop) != db_ || (breaks && f.is_loop != kind_loop)) return fail(Fault::STACK_MISMATCH);
    jump = no == 0 && !someone_waits_inside(pop) && !(breaks && f.cont != 0);
    (breaks ? f.brk : f.cont) |= yes;
  }
  if (op == Op::RETL) {
    if (calls_.empty()) {
      live_ &= ~yes;
      jump = false;
    } else {
      const CallFrame& f = calls_.back();
      bool in_loops = false;
      for (uint32_t i = f.lsp; i < loops_.size(); ++i) in_loops |= (loops_[i].brk | loops_[i].cont) != 0;
      jump = no == 0 && !in_loops &&
             !someone_waits_inside(static_cast<int32_t>(db_) - static_cast<int32_t>(f.db) - f.inc);
      for (unsigned t = 0; t < 32; ++t)
        if (yes & bit(t)) returned_[t] = 0;
    }
  }

  const uint32_t db_before = db_;
  const uint32_t votes = active();  // parked threads take no part in what follows
  const auto bop = static_cast<isa::Bop>(isa::get(in.word, jump ? field::b_op1 : field::b_op0));
  if (bop == isa::Bop::INCR) {
    if (++db_ > (full_ ? isa::limit::branch_levels : isa::limit::partial_levels)) return fail(Fault::STACK_OVERFLOW);
    for (unsigned t = 0; t < 32; ++t) {
      if (branch_[t] >= 0) ++branch_[t];
      else if (votes & (jump ? no : yes) & bit(t)) branch_[t] = 0;
    }
  } else if (bop == isa::Bop::DECR) {
    if (pop > static_cast<int32_t>(db_)) return fail(Fault::STACK_UNDERFLOW);
    db_ -= static_cast<uint32_t>(pop);
    for (auto& c : branch_)
      if (c >= 0) c = c < pop ? -1 : c - pop;
  }

  const auto aop = static_cast<isa::Aop>(isa::get(in.word, field::a_op));
  if (jump) {
    r.next_pc = isa::get(in.word, field::target);
    if (aop == isa::Aop::PUSH || aop == isa::Aop::PUSHR) {
      if (calls_.size() == isa::limit::call_depth) return fail(Fault::STACK_OVERFLOW);
      for (auto& c : returned_)
        if (c >= 0) ++c;
      if (aop == isa::Aop::PUSHR)
        for (unsigned t = 0; t < 32; ++t)
          if (votes & no & bit(t)) returned_[t] = 0;
      const bool inc = static_cast<isa::Bop>(isa::get(in.word, field::b_op1)) == isa::Bop::INCR;
      calls_.push_back({(in.pc + 1) & 0xffffff, dl_, db_before, inc});
      const CallFrame& f = calls_.back();
      r.frame = 3;
      r.frame_a = f.ra, r.frame_b = f.db, r.frame_c = f.lsp | (f.inc ? 0x200u : 0u);
    } else if (aop == isa::Aop::POP) {
      if (calls_.empty()) return fail(Fault::STACK_UNDERFLOW);
      const CallFrame f = calls_.back();
      if (f.db != db_ || dl_ < f.lsp) return fail(Fault::STACK_MISMATCH);
      calls_.pop_back();
      r.next_pc = f.ra;
      dl_ = f.lsp;
      for (auto& c : returned_)
        if (c >= 0) --c;
      r.frame = 4;
      r.frame_a = f.ra, r.frame_b = f.db, r.frame_c = f.lsp | (f.inc ? 0x200u : 0u);
    }
  }

  auto loop_record = [&](uint32_t kind, const LoopFrame& f) {
    r.frame = kind;
    r.frame_a = f.n, r.frame_b = f.db;
    r.frame_c = (static_cast<uint32_t>(f.al) & 0x3ff) | (f.endless ? 0x400u : 0u) | (f.is_loop ? 0x800u : 0u);
  };
  if (opens && !jump) {
    if (dl_ == loops_.size()) return fail(Fault::STACK_OVERFLOW);
    const int32_t outer = dl_ == 0 ? 0 : loops_[dl_ - 1].al;
    LoopFrame& f = loops_[dl_++];
    f.n = isa::get(in.word, field::imm);
    f.endless = isa::get(in.word, field::endless);
    f.is_loop = kind_loop;
    f.al = kind_loop ? sign_extend(isa::get(in.word, field::al_init), 10) : outer;
    f.step = sign_extend(isa::get(in.word, field::al_step), 8);
    f.db = db_;
    loop_record(1, f);
  }
  if (closes && jump && kind_loop) {
    LoopFrame& f = loops_[dl_ - 1];
    f.al = sign_extend(static_cast<uint32_t>(f.al + f.step) & 0x3ff, 10);
  }
  if ((closes && !jump) || (breaks && jump)) {
    LoopFrame& f = loops_[dl_ - 1];
    f.brk = 0;
    loop_record(2, f);
    --dl_;
  }
  r.jump = jump;
  r.ended = live_ == 0;
  return r;
}

}  // namespace maskwork::flowtest
