#include "flowgen/compiler.hpp"

#include <functional>
#include <random>
#include <utility>

#include "maskwork/word_builder.hpp"

namespace maskwork::flowgen {
namespace {

using build::W;
using isa::Aop;
using isa::Bop;
using isa::Op;
using isa::Type;
using Act = Instr::Act;

// Registers of a compiled program.
enum : uint32_t { r_h, r_x, r_h_factor, r_x_factor, r_a, r_b, r_address, r_temp, r_al_table, r_turns = r_al_table + al_table_size };
constexpr uint32_t turns_stride = max_call_depth + 1;
constexpr uint32_t registers = r_turns + turns_stride * max_thread_loops;

using Label = int;
constexpr Label no_label = -1;

class Compiler {
 public:
  Compiler(const Ast& ast, uint32_t threads, const CompileOptions& o) : ast_(ast), o_(o), rng_(o.seed) {
    for (size_t i = 0; i < ast.routines.size(); ++i) entry_.push_back(label());
    start(threads);
    for (uint32_t i = 0; i < ast.routines.size(); ++i) routine(i);
    for (size_t i = 0; i < out_.code.size(); ++i)
      if (target_[i] != no_label) isa::set(out_.code[i].word, isa::field::target, at_[static_cast<size_t>(target_[i])]);
    out_.registers = registers;
  }
  Compiled result() && { return std::move(out_); }

 private:
  struct Loop {
    bool is_loop;
    Label end, after;  ///< the ENDLOOP word, the word behind it
  };
  /// Where and how a SKIP leaves the innermost block.
  struct Skip {
    Label to = no_label;
    uint32_t pop = 0;
  };
  struct Context {
    uint32_t routine = 0;
    uint32_t levels = 0;       ///< IFs open in this routine
    uint32_t loop_levels = 0;  ///< of these, inside the innermost loop
    uint32_t thread_loops = 0;
    std::vector<Loop> loops;
    Label ret = no_label;
  };
  /// An IF that shares its ENDIF with `enclosing` IFs around it.
  struct Merge {
    uint32_t enclosing = 0;
    Label endif = no_label, after = no_label;
  };

  // ---- output
  Label label() {
    at_.push_back(0);
    return static_cast<Label>(at_.size()) - 1;
  }
  void bind(Label l) { at_[static_cast<size_t>(l)] = static_cast<uint32_t>(out_.code.size()); }
  Instr& emit(Act act, const isa::Word& w, Label target = no_label) {
    out_.code.push_back({});
    out_.code.back().act = act;
    out_.code.back().word = w;
    target_.push_back(target);
    return out_.code.back();
  }
  void flow(const isa::Word& w, Label target = no_label) { emit(Act::Flow, w, target); }
  bool chance(uint32_t percent) { return rng_() % 100 < percent; }
  static W jump() { return W(Op::JUMP); }
  static Bop decr(uint32_t pop) { return pop != 0 ? Bop::DECR : Bop::NONE; }

  void start(uint32_t threads) {
    const auto set = [&](const isa::Word& w) { emit(Act::Start, w); };
    set(build::alu(Op::MOV).dst(r_h_factor).a_imm(h_factor));
    set(build::alu(Op::MOV).dst(r_x_factor).a_imm(x_factor));
    set(build::alu(Op::MOV).dst(r_temp).a(isa::Uniform::GROUPID_X));
    set(build::alu(Op::MUL).dst(r_address).a(r_temp).b_imm(threads));
    set(build::alu(Op::ADD).dst(r_address).a(r_address).b(isa::Special::LOCALINDEX));
    set(build::alu(Op::MUL).dst(r_x).a(r_address).b_imm(index_factor));
    set(build::alu(Op::ADD).dst(r_x).a(r_x).b_imm(ast_.seed));
    set(build::alu(Op::SHR).dst(r_a).a(r_temp).b(isa::Special::LOCALINDEX));
    set(build::alu(Op::AND).dst(r_a).a(r_a).b_imm(1));
    set(build::alu(Op::ADD).dst(r_b).a(isa::Special::LOCALINDEX).b_imm(4));
    set(build::alu(Op::SHR).dst(r_b).a(r_temp).b(r_b));
    set(build::alu(Op::AND).dst(r_b).a(r_b).b_imm(1));
    set(build::alu(Op::SHL).dst(r_address).a(r_address).b_imm(3));
    set(build::alu(Op::MOV).dst(r_h).a_imm(h_start));
    for (uint32_t i = 0; i < al_table_size; ++i) set(build::alu(Op::MOV).dst(r_al_table + i).a_imm(al_table(i)));
  }

  void routine(uint32_t number) {
    const Routine& r = ast_.routines[number];
    Context c;
    c.routine = number;
    c.ret = label();
    flat_levels_ = 0;
    bind(entry_[number]);
    block(r.body, c, r.flat_returns ? Skip{} : Skip{c.ret, 0});
    bind(c.ret);
    if (number == 0) {
      store();
      emit(Act::End, build::end());
    } else {
      const uint32_t pop = (r.convention == Convention::Counted) + flat_levels_;
      W w = jump().func(build::func::always).a_op(Aop::POP).b_ops(Bop::NONE, decr(pop), pop);
      if (o_.wrong == WrongCode::ReturnAny) w.any();
      flow(w);
    }
    for (size_t i = 0; i < deferred_.size(); ++i) deferred_[i]();
    deferred_.clear();
  }

  void store() { emit(Act::Store, build::mem(Op::STB).a(r_address).data(r_h).components(3, 1)); }

  // ---- conditions: code, and JUMP_FUNC of "holds" / "does not hold"
  struct Tested {
    uint32_t holds, fails;
    isa::Word base;  ///< predicate or boolean fields
  };
  static W& with(W& w, const Cond& c) {
    if (c.input == Cond::Input::Pred) w.pred(isa::Test::NE, c.index / 4, 1u << (c.index % 4));
    if (c.input == Cond::Input::Bool) w.boolean(c.index);
    return w;
  }
  static uint32_t when(const Cond& c, bool holds) {
    const bool plain = c.negate != holds;
    switch (c.input) {
      case Cond::Input::Alu: return plain ? build::func::alu_true : build::func::alu_false;
      case Cond::Input::Pred: return plain ? build::func::pred_true : build::func::pred_false;
      default: return plain ? build::func::bool_true : build::func::bool_false;
    }
  }
  void advance() { emit(Act::Advance, build::alu(Op::MAD).dst(r_x).a(r_x).b(r_x_factor).c_imm(x_term)); }
  void evaluate(const Cond& c, bool all_live = false) {
    if (c.advance) advance();
    if (c.input == Cond::Input::Bool) return;
    W w = build::alu(Op::SLT).a(c.var == Cond::Var::X ? r_x : c.var == Cond::Var::A ? r_a : r_b).b_imm(c.below);
    if (c.input == Cond::Input::Alu) w.alu_we();
    else w.cc(c.index / 4, c.index % 4);
    if (all_live) w.write_inactive();
    Instr& i = emit(Act::Compare, w);
    i.cond = c;
    i.all_live = all_live;
  }
  /// A word that jumps for threads where the condition, if any, holds.
  W conditional(W w, const std::optional<Cond>& c) {
    if (!c) return w.func(build::func::always);
    return with(w.func(when(*c, true)), *c);
  }

  // ---- statements
  uint32_t block(const std::vector<Stmt>& stmts, Context& c, const Skip& skip, const Merge* merge = nullptr) {
    for (size_t i = 0; i < stmts.size(); ++i) {
      const Stmt& s = stmts[i];
      if (merge != nullptr && i + 1 == stmts.size()) return if_words(s, c, *merge);
      statement(s, c);
      const bool leaves = s.kind == Stmt::Kind::Brk || s.kind == Stmt::Kind::Cont || s.kind == Stmt::Kind::Ret;
      if (leaves && skip.to != no_label && chance(o_.skip_percent)) flow(jump().b_ops(Bop::NONE, decr(skip.pop), skip.pop), skip.to);
    }
    return 0;
  }

  void statement(const Stmt& s, Context& c) {
    using enum Stmt::Kind;
    switch (s.kind) {
      case Op: emit(Act::Op, build::alu(isa::Op::MAD).dst(r_h).a(r_h).b(r_h_factor).c_imm(s.id)).value = s.id; break;
      case OpAl: emit(Act::OpAl, build::alu(isa::Op::MAD).dst(r_h).a(r_h).b(r_h_factor).c_rel(r_al_table).rel(isa::Rel::AL)); break;
      case If: {
        Merge m{0, label(), label()};
        const uint32_t levels = if_words(s, c, m);
        bind(m.endif);
        W w = jump().b_ops(Bop::DECR, Bop::NONE, levels);
        if (o_.wrong != WrongCode::EndifAll) w.any();
        flow(w, m.after);
        bind(m.after);
        break;
      }
      case RepCount:
      case Loop:
      case RepEndless:
      case RepThread: loop(s, c); break;
      case Brk:
      case Cont: {
        out_.full_flow = true;
        if (s.cond) evaluate(*s.cond);
        const auto& l = c.loops.back();
        const isa::Op op = s.kind == Cont ? isa::Op::CONT : l.is_loop ? isa::Op::BREAKLOOP : isa::Op::BREAKREP;
        W w = conditional(W(op), s.cond);
        const bool keep = o_.wrong == WrongCode::BreakKeepsLevels;
        flow(w.b_ops(Bop::NONE, keep ? Bop::NONE : decr(c.loop_levels), c.loop_levels), s.kind == Cont ? l.end : l.after);
        break;
      }
      case Cal: call(s); break;
      case Ret: ret(s, c); break;
    }
  }

  /// All words of an IF but its ENDIF; returns how many levels are open there, without the enclosing ones.
  uint32_t if_words(const Stmt& s, Context& c, const Merge& m) {
    evaluate(*s.cond);
    if (s.has_else && s.other.size() == 1 && s.other[0].kind == Stmt::Kind::If && !s.other[0].cond->advance && chance(o_.fuse_percent))
      return fused_words(s, s.other[0], c, m);
    W w = jump().func(when(*s.cond, false));
    with(w, *s.cond);
    open(c, 1);
    uint32_t levels = 1;
    if (!s.has_else) {
      flow(w.b_ops(Bop::INCR, decr(m.enclosing), m.enclosing), m.after);
      levels += last_block(s.body, c, m, 1);
    } else {
      const Label at_else = label(), after_else = label();
      flow(w.b_ops(Bop::INCR, Bop::INCR), after_else);
      block(s.body, c, {at_else, 0});
      bind(at_else);
      flow(jump().b_else().b_ops(Bop::NONE, Bop::DECR, m.enclosing + 1), m.after);
      bind(after_else);
      levels += last_block(s.other, c, m, 1);
    }
    open(c, -1);
    return levels;
  }

  /// The last block of an IF with `own` levels of its own; an IF at its end may share the ENDIF. Returns the levels that one adds.
  uint32_t last_block(const std::vector<Stmt>& stmts, Context& c, const Merge& m, uint32_t own) {
    const uint32_t below = m.enclosing + own;
    if (!stmts.empty() && stmts.back().kind == Stmt::Kind::If && chance(o_.merge_percent)) {
      const Merge inner{below, m.endif, m.after};
      return block(stmts, c, {m.after, below}, &inner);
    }
    return block(stmts, c, chance(50) ? Skip{m.endif, 0} : Skip{m.after, below});
  }

  /// IF a {..} ELSE { IF b {..} ELSE {..} } where one word is ELSE and the inner IF. The outer IF's own jump comes to a separate entry,
  /// because threads that took it have met neither the comparison nor the ELSE.
  uint32_t fused_words(const Stmt& outer, const Stmt& inner, Context& c, const Merge& m) {
    const Label entry = label(), compare = label(), then2 = label(), at_else = label(), after_else = label();
    const auto inner_if = [this, &inner, m, after_else](W w) {
      with(w.func(when(*inner.cond, false)), *inner.cond);
      if (inner.has_else) flow(w.b_ops(Bop::INCR, Bop::INCR), after_else);
      else flow(w.b_ops(Bop::INCR, Bop::DECR, m.enclosing + 1), m.after);
    };
    W w = jump().func(when(*outer.cond, false));
    flow(with(w, *outer.cond).b_ops(Bop::INCR, Bop::INCR), entry);
    open(c, 1);
    block(outer.body, c, {compare, 0});
    bind(compare);
    evaluate(*inner.cond, o_.wrong != WrongCode::FusedActiveOnly);
    inner_if(jump().b_else());
    bind(then2);
    open(c, 1);
    uint32_t levels = 2;
    if (!inner.has_else) {
      levels += last_block(inner.body, c, m, 2);
    } else {
      block(inner.body, c, {at_else, 0});
      bind(at_else);
      flow(jump().b_else().b_ops(Bop::NONE, Bop::DECR, m.enclosing + 2), m.after);
      bind(after_else);
      levels += last_block(inner.other, c, m, 2);
    }
    open(c, -2);
    deferred_.push_back([this, entry, then2, inner_if, &inner] {
      bind(entry);
      evaluate(*inner.cond);
      inner_if(jump());
      flow(jump().func(build::func::always), then2);
    });
    return levels;
  }

  static void open(Context& c, int levels) {
    c.levels += static_cast<uint32_t>(levels);
    c.loop_levels += static_cast<uint32_t>(levels);
  }

  void loop(const Stmt& s, Context& c) {
    out_.full_flow = true;
    const bool is_loop = s.kind == Stmt::Kind::Loop;
    const bool counted = is_loop || s.kind == Stmt::Kind::RepCount;
    const Label top = label();
    const Loop l{is_loop, label(), label()};
    const uint32_t turns = r_turns + turns_stride * c.thread_loops;
    if (s.kind == Stmt::Kind::RepThread) {
      advance();
      emit(Act::SetTurns, build::alu(Op::SHR).dst_rel(turns).a(r_x).b_imm(30).rel(isa::Rel::DEPTH)).value = c.thread_loops;
    }
    W w(is_loop ? Op::LOOP : Op::REP);
    if (counted) w.count(s.count);
    else w.endless();
    if (is_loop) w.al(s.al_init, s.al_step);
    flow(w, o_.wrong == WrongCode::LoopToEnd ? l.end : l.after);
    bind(top);
    Context in = c;
    in.loop_levels = 0;
    in.loops.push_back(l);
    if (s.kind == Stmt::Kind::RepThread) {
      emit(Act::CompareTurns, build::alu(Op::SEQ).a_rel(turns).b_imm(0).rel(isa::Rel::DEPTH).alu_we()).value = c.thread_loops;
      flow(W(Op::BREAKREP).func(build::func::alu_true), l.after);
      emit(Act::LessTurns, build::alu(Op::ADD).dst_rel(turns).a_rel(turns).b_imm(0xffffffff).rel(isa::Rel::DEPTH)).value = c.thread_loops;
      ++in.thread_loops;
    }
    block(s.body, in, {l.end, 0});
    bind(l.end);
    flow(W(is_loop ? Op::ENDLOOP : Op::ENDREP).any().func(build::func::always), top);
    bind(l.after);
  }

  void call(const Stmt& s) {
    out_.full_flow = true;
    if (s.cond) evaluate(*s.cond);
    const Convention k = ast_.routines[s.routine].convention;
    W w = conditional(jump(), s.cond);
    if (!s.cond || o_.wrong != WrongCode::CallAll) w.any();
    w.a_op(k == Convention::Parked ? Aop::PUSHR : Aop::PUSH);
    if (k == Convention::Counted && o_.wrong != WrongCode::CallWithoutLevel) w.b_ops(Bop::NONE, Bop::INCR);
    flow(w, entry_[s.routine]);
  }

  void ret(const Stmt& s, const Context& c) {
    const Routine& r = ast_.routines[c.routine];
    if (s.cond) evaluate(*s.cond);
    if (c.routine == 0) {
      store();
      flow(conditional(W(Op::RETL), s.cond), c.ret);
    } else if (r.flat_returns) {
      const uint32_t pop = (r.convention == Convention::Counted) + flat_levels_++;
      flow(conditional(jump(), s.cond).a_op(Aop::POP).b_ops(Bop::INCR, decr(pop), pop));
    } else {
      flow(conditional(W(Op::RETL), s.cond).b_ops(Bop::NONE, decr(c.levels), c.levels), c.ret);
    }
  }

  const Ast& ast_;
  const CompileOptions o_;
  std::mt19937 rng_;
  Compiled out_;
  std::vector<Label> target_;    ///< of each word
  std::vector<uint32_t> at_;     ///< address of each label
  std::vector<Label> entry_;     ///< of each routine
  uint32_t flat_levels_ = 0;     ///< conditional returns so far in a routine with flat returns
  std::vector<std::function<void()>> deferred_;  ///< code that goes behind the routine
};

}  // namespace

Compiled compile(const Ast& ast, uint32_t threads, const CompileOptions& options) { return Compiler(ast, threads, options).result(); }

Program Compiled::program(const Ast& ast, uint32_t threads) const {
  Program p;
  p.source_name = "generated";
  for (const auto& i : code) p.words.push_back(i.word);
  p.group_size = {threads, 1, 1};
  p.registers = registers;
  p.full_flow = full_flow;
  p.bools = ast.bools;
  p.slots.push_back({SlotSource::Kind::Storage, 0, 0, 0xffffffffu});
  return p;
}

}  // namespace maskwork::flowgen
