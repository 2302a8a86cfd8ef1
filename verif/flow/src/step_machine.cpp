#include "flowgen/step_machine.hpp"

#include <algorithm>

namespace maskwork::flowgen {
namespace {

using isa::Aop;
using isa::Bop;
using isa::LaneState;
using isa::Op;
namespace field = isa::field;

struct Lane {
  uint32_t h = h_start, x = 0, a = 0, b = 0;
  bool alu = false;
  bool cc[12] = {};
  uint32_t turns[max_thread_loops][max_call_depth + 1] = {};
  LaneState state = LaneState::A;
  uint32_t level = 0;
  ThreadResult stored;
};

struct LoopFrame {
  uint32_t n;
  bool endless, is_loop;
  int32_t al, step;
  uint32_t db;
};
struct CallFrame {
  uint32_t ra, lsp, db;
  bool inc;
};

class Machine {
 public:
  Machine(const Ast& ast, const Compiled& p, std::span<const ThreadStart> threads, WrongStep wrong) : ast_(ast), code_(p.code), wrong_(wrong) {
    for (const auto& s : threads) {
      Lane l;
      l.x = s.index * index_factor + ast.seed;
      l.a = s.local < 32 ? (s.group >> s.local) & 1 : 0;
      l.b = s.local + 4 < 32 ? (s.group >> (s.local + 4)) & 1 : 0;
      lanes_.push_back(l);
    }
  }

  std::optional<std::vector<ThreadResult>> run(uint32_t limit) {
    for (uint32_t steps = 0; steps < limit; ++steps) {
      if (pc_ >= code_.size()) return std::nullopt;
      const Instr& i = code_[pc_];
      if (i.act == Instr::Act::End) return db_ == 0 && loops_.empty() && calls_.empty() ? std::optional(results()) : std::nullopt;
      if (i.act == Instr::Act::Flow) {
        if (!flow(i.word)) return std::nullopt;
        if (std::ranges::all_of(lanes_, [](const Lane& l) { return l.state == LaneState::X; })) return results();
      } else {
        for (auto& l : lanes_)
          if (l.state == LaneState::A || (i.all_live && l.state != LaneState::X)) act(i, l);
        ++pc_;
      }
    }
    return std::nullopt;
  }

 private:
  std::vector<ThreadResult> results() const {
    std::vector<ThreadResult> r;
    for (const auto& l : lanes_) r.push_back(l.stored);
    return r;
  }

  void act(const Instr& i, Lane& l) {
    using enum Instr::Act;
    switch (i.act) {
      case Op: l.h = l.h * h_factor + i.value; break;
      case OpAl: l.h = l.h * h_factor + al_table(static_cast<uint32_t>(loops_.empty() ? 0 : loops_.back().al) % al_table_size); break;
      case Advance: l.x = l.x * x_factor + x_term; break;
      case Compare: {
        const bool below = (i.cond.var == Cond::Var::X ? l.x : i.cond.var == Cond::Var::A ? l.a : l.b) < i.cond.below;
        if (i.cond.input == Cond::Input::Alu) l.alu = below;
        else l.cc[i.cond.index] = below;
        break;
      }
      case SetTurns: l.turns[i.value][calls_.size()] = l.x >> 30; break;
      case CompareTurns: l.alu = l.turns[i.value][calls_.size()] == 0; break;
      case LessTurns: --l.turns[i.value][calls_.size()]; break;
      case Store: l.stored = {l.h, l.x}; break;
      default: break;
    }
  }

  void move(LaneState from, uint32_t level_from, LaneState to, uint32_t level_to) {
    for (auto& l : lanes_)
      if (l.state == from && (from == LaneState::A || l.level == level_from)) l.state = to, l.level = level_to;
  }
  bool exists(LaneState s, uint32_t above) const {
    return std::ranges::any_of(lanes_, [&](const Lane& l) { return l.state == s && l.level > above; });
  }
  bool exists_at(LaneState s, uint32_t level) const { return exists(s, level - 1) && std::ranges::any_of(lanes_, [&](const Lane& l) { return l.state == s && l.level == level; }); }
  uint32_t dl() const { return static_cast<uint32_t>(loops_.size()); }
  uint32_t dc() const { return static_cast<uint32_t>(calls_.size()); }
  void pop_frame() {
    move(LaneState::K, dl(), LaneState::A, 0);
    if (wrong_ == WrongStep::OneMaskPerFrame) move(LaneState::C, dl(), LaneState::A, 0);
    loops_.pop_back();
  }

  bool flow(const isa::Word& w) {
    const auto get = [&w](isa::Field f) { return isa::get(w, f); };
    const auto op = static_cast<Op>(get(field::op));
    const uint32_t func = get(field::jump_func), pop = get(field::b_pop);
    const uint32_t pred_mask = get(field::pred_mask);
    const bool boolean = (ast_.bools >> get(field::bool_idx)) & 1;
    const bool closes = op == Op::ENDLOOP || op == Op::ENDREP, opens = op == Op::LOOP || op == Op::REP;
    const bool breaks = op == Op::BREAKLOOP || op == Op::BREAKREP, conts = op == Op::CONT;
    const bool is_loop = op == Op::LOOP || op == Op::ENDLOOP || op == Op::BREAKLOOP;

    const auto swap = [&] {
      for (auto& l : lanes_) {
        if (l.state == LaneState::A) l.state = LaneState::B, l.level = db_;
        else if (l.state == LaneState::B && l.level == db_) l.state = LaneState::A;
      }
    };
    const auto wake_cont = [&] {
      move(LaneState::C, dl(), LaneState::A, 0);
      if (wrong_ == WrongStep::OneMaskPerTurn) move(LaneState::K, dl(), LaneState::A, 0);
    };
    if (closes) {
      if (loops_.empty() || loops_.back().db != db_ || loops_.back().is_loop != is_loop) return false;
      if (wrong_ != WrongStep::ContWakesLate && wrong_ != WrongStep::OneMaskPerFrame) wake_cont();
    }
    if (get(field::b_else)) {
      if (db_ == 0) return false;
      if (wrong_ != WrongStep::ElseAfterVote) swap();
    }
    std::vector<bool> yes(lanes_.size()), no(lanes_.size());
    bool some = false, all = true;
    for (size_t t = 0; t < lanes_.size(); ++t) {
      const Lane& l = lanes_[t];
      if (l.state != LaneState::A) continue;
      bool pred = pred_mask == 0;
      for (uint32_t c = 0; c < 4; ++c) pred |= ((pred_mask >> c) & 1) && l.cc[get(field::pred_cc) * 4 + c];
      const bool want = (func >> (l.alu * 4 + pred * 2 + boolean)) & 1;
      yes[t] = want;
      no[t] = !want;
      some |= want;
      all &= want;
    }
    bool jump = get(field::jump_any) ? some : all;
    const bool stays = !all;
    if (get(field::b_else) && wrong_ == WrongStep::ElseAfterVote) swap();
    if (closes && wrong_ == WrongStep::ContWakesLate) wake_cont();

    const auto park = [&](LaneState s, uint32_t level) {
      for (size_t t = 0; t < lanes_.size(); ++t)
        if (yes[t]) lanes_[t].state = s, lanes_[t].level = level;
    };
    const uint32_t frame = dl();
    LaneState parked = breaks ? LaneState::K : LaneState::C;
    if (wrong_ == WrongStep::OneMaskPerTurn) parked = LaneState::C;
    if (wrong_ == WrongStep::OneMaskPerFrame) parked = LaneState::K;
    if (opens && !get(field::endless) && get(field::imm) == 0) jump = true;
    if (closes && !loops_.back().endless && --loops_.back().n == 0) jump = false;
    if (breaks || conts) {
      if (loops_.empty() || pop > db_ || (wrong_ != WrongStep::BreakKeepsFrame && loops_.back().db != db_ - pop)) return false;
      if (wrong_ != WrongStep::ParkAfterStep) park(parked, frame);
      jump = !stays && (wrong_ == WrongStep::BreakIgnoresBranch || !exists(LaneState::B, db_ - pop)) &&
             !(breaks && wrong_ != WrongStep::BreakIgnoresCont && exists_at(LaneState::C, frame));
    }
    if (op == Op::RETL) {
      if (calls_.empty()) {
        park(LaneState::X, 0);
        jump = false;
      } else {
        const CallFrame& f = calls_.back();
        park(LaneState::R, dc());
        jump = !stays && !exists(LaneState::B, f.db + f.inc) &&
               (wrong_ == WrongStep::ReturnIgnoresLoops || (!exists(LaneState::K, f.lsp) && !exists(LaneState::C, f.lsp)));
      }
    }
    const uint32_t db_before = db_;
    const auto bop = static_cast<Bop>(get(jump ? field::b_op1 : field::b_op0));
    if (bop == Bop::INCR) {
      ++db_;
      for (size_t t = 0; t < lanes_.size(); ++t)
        if (lanes_[t].state == LaneState::A && (jump ? no[t] : yes[t])) lanes_[t].state = LaneState::B, lanes_[t].level = db_;
    } else if (bop == Bop::DECR) {
      if (pop > db_) return false;
      db_ -= pop;
      for (auto& l : lanes_)
        if (l.state == LaneState::B && l.level > db_) l.state = LaneState::A;
    }
    uint32_t target = get(field::target);
    const auto aop = static_cast<Aop>(get(field::a_op));
    if (jump && (aop == Aop::PUSH || aop == Aop::PUSHR)) {
      if (dc() == isa::limit::call_depth) return false;
      calls_.push_back({pc_ + 1, dl(), db_before, static_cast<Bop>(get(field::b_op1)) == Bop::INCR});
      if (aop == Aop::PUSHR)
        for (size_t t = 0; t < lanes_.size(); ++t)
          if (no[t]) lanes_[t].state = LaneState::R, lanes_[t].level = dc();
    } else if (jump && aop == Aop::POP) {
      if (calls_.empty() || calls_.back().db != db_) return false;
      move(LaneState::R, dc(), LaneState::A, 0);
      target = calls_.back().ra;
      if (wrong_ != WrongStep::ReturnKeepsLoopStack) {
        if (dl() < calls_.back().lsp) return false;
        loops_.resize(calls_.back().lsp);
      }
      calls_.pop_back();
    }
    if (opens && !jump) {
      if (dl() == isa::limit::loop_frames) return false;
      const auto sign = [](uint32_t v, unsigned bits) { return static_cast<int32_t>(v << (32 - bits)) >> (32 - bits); };
      const int32_t al = is_loop ? sign(get(field::al_init), 10) : loops_.empty() ? 0 : loops_.back().al;
      loops_.push_back({get(field::imm), get(field::endless) != 0, is_loop, al, sign(get(field::al_step), 8), db_});
    }
    if (closes && jump && is_loop) loops_.back().al += loops_.back().step;
    if (closes && !jump) pop_frame();
    if (breaks && jump && wrong_ != WrongStep::BreakKeepsFrame) pop_frame();
    if (breaks && jump && wrong_ == WrongStep::BreakKeepsFrame) move(LaneState::K, frame, LaneState::A, 0);
    if ((breaks || conts) && wrong_ == WrongStep::ParkAfterStep) park(parked, frame);
    pc_ = jump ? target : pc_ + 1;
    return true;
  }

  const Ast& ast_;
  const std::vector<Instr>& code_;
  WrongStep wrong_;
  std::vector<Lane> lanes_;
  std::vector<LoopFrame> loops_;
  std::vector<CallFrame> calls_;
  uint32_t db_ = 0, pc_ = 0;
};

}  // namespace

std::optional<std::vector<ThreadResult>> run_steps(const Ast& ast, const Compiled& program, std::span<const ThreadStart> threads, WrongStep wrong,
                                                   uint32_t limit) {
  return Machine(ast, program, threads, wrong).run(limit);
}

}  // namespace maskwork::flowgen
