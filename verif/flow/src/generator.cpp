#include "flowgen/generator.hpp"

#include <fmt/format.h>

#include <random>

namespace maskwork::flowgen {
namespace {

using Kind = Stmt::Kind;

class Generator {
 public:
  Generator(uint64_t seed, const GenerateOptions& o) : rng_(seed), o_(o) {}

  Ast make() {
    ast_.bools = static_cast<uint32_t>(rng_());
    ast_.seed = static_cast<uint32_t>(rng_());
    ast_.routines.resize(o_.loops_and_calls ? 1 + pick(4) : 1);
    for (size_t i = 1; i < ast_.routines.size(); ++i) {
      ast_.routines[i].convention = static_cast<Convention>(pick(3));
      ast_.routines[i].flat_returns = pick(3) == 0;
    }
    for (uint32_t i = 0; i < ast_.routines.size(); ++i) {
      Place p;
      p.routine = i;
      budget_ = i == 0 ? 30 : 14;
      ast_.routines[i].body = block(p, 2 + pick(4));
    }
    return std::move(ast_);
  }

 private:
  struct Place {
    uint32_t routine = 0, ifs = 0, loops = 0, thread_loops = 0;
    bool in_loop = false, top = true;
  };
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }

  /// `often`: about how often it holds, in 256.
  Cond condition(uint32_t often) {
    Cond c;
    const uint32_t kind = pick(o_.language ? 8 : 10);
    c.input = kind < 5 ? Cond::Input::Alu : kind < 8 ? Cond::Input::Pred : Cond::Input::Bool;
    if (c.input == Cond::Input::Bool) {
      c.index = pick(32);
      c.negate = pick(2);
      return c;
    }
    c.index = pick(12);
    c.advance = pick(8) != 0;
    c.negate = pick(2);
    c.below = (c.negate ? 256 - often : often) << 24;
    return c;
  }

  std::vector<Stmt> block(Place p, uint32_t length) {
    std::vector<Stmt> b;
    for (uint32_t i = 0; i < length; ++i) b.push_back(statement(p));
    return b;
  }
  std::vector<Stmt> inner_block(Place p) {
    p.top = false;
    return block(p, 1 + pick(3));
  }

  Stmt op() {
    Stmt s;
    s.kind = o_.al && !o_.language && o_.loops_and_calls && pick(4) == 0 ? Kind::OpAl : Kind::Op;
    s.id = 1 + pick(0xffff);
    return s;
  }

  Stmt statement(const Place& p) {
    if (budget_ == 0) return op();
    --budget_;
    const uint32_t k = pick(100);
    if (k < 26) return op();
    if (k < 52) return p.ifs < o_.if_depth ? if_statement(p) : op();
    if (!o_.loops_and_calls) return k < 90 ? (p.ifs < o_.if_depth ? if_statement(p) : op()) : ret(p);
    if (k < 66) return p.loops < 3 ? loop(p) : op();
    if (k < 74) return p.in_loop ? leave(Kind::Brk, p) : op();
    if (k < 82) return p.in_loop ? leave(Kind::Cont, p) : op();
    if (k < 92) return call(p);
    return ret(p);
  }

  Stmt if_statement(Place p) {
    Stmt s;
    s.kind = Kind::If;
    s.cond = condition(64 + pick(128));
    ++p.ifs;
    s.body = inner_block(p);
    s.has_else = pick(2);
    if (s.has_else) {
      // Half of them ELSE IF, whose condition may be one that fuses.
      if (pick(2) && p.ifs < o_.if_depth) s.other.push_back(if_statement(p));
      else s.other = inner_block(p);
      if (s.other.size() == 1 && s.other[0].kind == Kind::If && pick(2)) s.other[0].cond->advance = false;
    }
    return s;
  }

  Stmt loop(Place p) {
    Stmt s;
    const uint32_t k = pick(10);
    s.kind = k < 4 ? Kind::RepCount : k < 6 && !o_.language ? Kind::Loop : k < 8 ? Kind::RepThread : Kind::RepEndless;
    if (s.kind == Kind::RepThread && p.thread_loops == max_thread_loops) s.kind = Kind::RepCount;
    p.thread_loops += s.kind == Kind::RepThread;
    s.count = pick(5);
    if (s.kind == Kind::Loop) s.al_init = static_cast<int32_t>(pick(4)), s.al_step = static_cast<int32_t>(pick(3));
    ++p.loops;
    p.in_loop = true;
    s.body = inner_block(p);
    if (s.kind == Kind::RepEndless) {
      Stmt out;
      out.kind = p.routine != 0 && !ast_.routines[p.routine].flat_returns && pick(8) == 0 ? Kind::Ret : Kind::Brk;
      out.cond = condition(100 + pick(100));
      if (out.cond->input == Cond::Input::Bool) out.cond->input = Cond::Input::Alu, out.cond->below = 0x80000000u;
      out.cond->advance = true;
      s.body.insert(s.body.begin() + pick(static_cast<uint32_t>(s.body.size()) + 1), out);
    }
    return s;
  }

  Stmt leave(Kind kind, const Place& p) {
    Stmt s;
    s.kind = kind;
    if (pick(4) || p.top) s.cond = condition(40 + pick(120));
    return s;
  }

  Stmt ret(const Place& p) {
    if (p.routine != 0 && ast_.routines[p.routine].flat_returns && !p.top) return op();
    Stmt s;
    s.kind = Kind::Ret;
    if (p.top || pick(3)) s.cond = condition(p.routine == 0 ? 30 : 40 + pick(100));
    return s;
  }

  Stmt call(const Place& p) {
    Stmt s;
    s.kind = Kind::Cal;
    const auto n = static_cast<uint32_t>(ast_.routines.size());
    if (n == 1) return op();
    s.routine = 1 + pick(n - 1);
    const bool deeper = s.routine > p.routine;
    const bool plain = ast_.routines[s.routine].convention == Convention::Plain;
    if (plain && !deeper) return op();  // only a call with a condition may recurse
    if (!plain && (!deeper || pick(2))) s.cond = condition(deeper ? 128 : 40 + pick(60));
    if (s.cond && !deeper && s.cond->input == Cond::Input::Bool) return op();
    if (s.cond && !deeper) s.cond->advance = true;
    return s;
  }

  std::mt19937_64 rng_;
  const GenerateOptions o_;
  Ast ast_;
  uint32_t budget_ = 0;
};

}  // namespace

std::vector<ThreadResult> expect(const Ast& ast, uint32_t threads, uint32_t groups) {
  std::vector<ThreadResult> r;
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t t = 0; t < threads; ++t) {
      const auto result = interpret(ast, {g * threads + t, g, t});
      if (!result) return {};
      r.push_back(*result);
    }
  return r;
}

FlowCase make_case(uint64_t seed, const GenerateOptions& options) {
  std::mt19937_64 rng(seed * 2654435761u + 17);
  FlowCase c;
  c.threads = options.threads;
  if (c.threads == 0) {
    constexpr uint32_t usual[] = {1, 4, 31, 32, 33, 64};
    c.threads = rng() % 2 ? usual[rng() % std::size(usual)] : 1 + static_cast<uint32_t>(rng() % options.max_threads);
    c.threads = std::min(c.threads, options.max_threads);
  }
  c.groups = 1 + static_cast<uint32_t>(rng() % 2);
  do {
    c.ast = Generator(rng(), options).make();
    c.expected = expect(c.ast, c.threads, c.groups);
  } while (c.expected.empty());
  return c;
}

Program compile_case(const FlowCase& c, uint64_t seed) {
  CompileOptions o;
  o.seed = static_cast<uint32_t>(seed * 40503 + 3);
  o.merge_percent = 60;
  o.fuse_percent = 60;
  o.skip_percent = 40;
  return compile(c.ast, c.threads, o).program(c.ast, c.threads);
}

std::string run_case(Device& device, const Program& program, const std::vector<ThreadResult>& expected, uint32_t groups,
                     const DispatchOptions& options) {
  device.load(program);
  const auto bytes = static_cast<uint32_t>(expected.size() * 8);
  const uint32_t at = device.memory().allocate(bytes);
  device.bind_storage(0, at, bytes);
  const DispatchResult r = device.dispatch(groups, 1, 1, options);
  if (!r.mismatch.empty()) return r.mismatch;
  if (r.fault.code != isa::Fault::NONE)
    return fmt::format("fault {} at pc {} of wave {}", isa::to_string(r.fault.code), r.fault.pc, r.fault.wave);
  if (!r.ok()) return "timed out";
  for (uint32_t i = 0; i < expected.size(); ++i) {
    const ThreadResult got{device.memory().load32(at + 8 * i), device.memory().load32(at + 8 * i + 4)};
    if (!(got == expected[i]))
      return fmt::format("thread {}: trace {:08x} x {:08x}, expected {:08x} {:08x}", i, got.h, got.x, expected[i].h, expected[i].x);
  }
  return {};
}

}  // namespace maskwork::flowgen
