#include "flowgen/ast.hpp"

namespace maskwork::flowgen {
namespace {

enum class Way { Next, Broke, Continued, Returned, Abort };

class Thread {
 public:
  Thread(const Ast& ast, const ThreadStart& s, uint32_t fuel) : ast_(ast), fuel_(fuel) {
    x_ = s.index * index_factor + ast.seed;
    a_ = s.local < 32 ? (s.group >> s.local) & 1 : 0;
    b_ = s.local + 4 < 32 ? (s.group >> (s.local + 4)) & 1 : 0;
  }
  std::optional<ThreadResult> run() {
    if (block(ast_.routines[0].body) == Way::Abort) return std::nullopt;
    return ThreadResult{h_, x_};
  }

 private:
  void advance() { x_ = x_ * x_factor + x_term; }

  bool holds(const Cond& c) {
    if (c.advance) advance();
    if (c.input == Cond::Input::Bool) return (((ast_.bools >> c.index) & 1) != 0) != c.negate;
    const uint32_t v = c.var == Cond::Var::X ? x_ : c.var == Cond::Var::A ? a_ : b_;
    return (v < c.below) != c.negate;
  }

  Way block(const std::vector<Stmt>& stmts) {
    for (const auto& s : stmts)
      if (const Way w = execute(s); w != Way::Next) return w;
    return Way::Next;
  }

  /// Runs turns until `more` says no; it may look at the number of the turn.
  template <class More>
  Way turns(const Stmt& s, More more, const int32_t* step) {
    for (uint32_t n = 0; more(n); ++n) {
      if (fuel_-- == 0) return Way::Abort;
      const Way w = block(s.body);
      if (w == Way::Broke) break;
      if (w == Way::Returned || w == Way::Abort) return w;
      if (step) al_.back() += *step;
    }
    return Way::Next;
  }

  Way execute(const Stmt& s) {
    if (fuel_ == 0) return Way::Abort;
    --fuel_;
    using enum Stmt::Kind;
    switch (s.kind) {
      case Op: h_ = h_ * h_factor + s.id; return Way::Next;
      case OpAl: {
        const int32_t al = al_.empty() ? 0 : al_.back();
        if (al < 0 || al >= static_cast<int32_t>(al_table_size)) return Way::Abort;
        h_ = h_ * h_factor + al_table(static_cast<uint32_t>(al));
        return Way::Next;
      }
      case If: return holds(*s.cond) ? block(s.body) : block(s.other);
      case RepCount: return turns(s, [&](uint32_t n) { return n < s.count; }, nullptr);
      case Loop: {
        al_.push_back(s.al_init);
        const Way w = turns(s, [&](uint32_t n) { return n < s.count; }, &s.al_step);
        al_.pop_back();
        return w;
      }
      case RepEndless: return turns(s, [](uint32_t) { return true; }, nullptr);
      case RepThread: {
        advance();
        const uint32_t count = x_ >> 30;
        return turns(s, [&](uint32_t n) { return n < count; }, nullptr);
      }
      case Brk: return !s.cond || holds(*s.cond) ? Way::Broke : Way::Next;
      case Cont: return !s.cond || holds(*s.cond) ? Way::Continued : Way::Next;
      case Ret: return !s.cond || holds(*s.cond) ? Way::Returned : Way::Next;
      case Cal: {
        if (s.cond && !holds(*s.cond)) return Way::Next;
        if (depth_ == max_call_depth) return Way::Abort;
        ++depth_;
        const Way w = block(ast_.routines[s.routine].body);
        --depth_;
        return w == Way::Abort ? w : Way::Next;
      }
    }
    return Way::Abort;
  }

  const Ast& ast_;
  uint32_t fuel_;
  uint32_t h_ = h_start, x_ = 0, a_ = 0, b_ = 0, depth_ = 0;
  std::vector<int32_t> al_;
};

}  // namespace

std::optional<ThreadResult> interpret(const Ast& ast, const ThreadStart& start, uint32_t fuel) { return Thread(ast, start, fuel).run(); }

}  // namespace maskwork::flowgen
