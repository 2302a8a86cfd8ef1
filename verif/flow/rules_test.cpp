// The rules R1 to R16 of the mask-stack machine, each with a small program that a wrong reading of the rule gets wrong.
// Four threads, all 256 assignments of two conditions a and b to them: the golden model and the step machine agree with the
// interpreter on every one, the wrong reading does not on at least one.
#include <gtest/gtest.h>

#include <ostream>

#include "flowgen/generator.hpp"
#include "flowgen/step_machine.hpp"

namespace maskwork::flowgen {
namespace {

using Kind = Stmt::Kind;
using Block = std::vector<Stmt>;

constexpr Cond a{Cond::Input::Alu, Cond::Var::A, true, false, 1, 0}, not_a{Cond::Input::Alu, Cond::Var::A, false, false, 1, 0};
constexpr Cond b{Cond::Input::Pred, Cond::Var::B, true, false, 1, 5};

Stmt op(uint32_t id) {
  Stmt s;
  s.id = id;
  return s;
}
Stmt simple(Kind k, std::optional<Cond> c = {}) {
  Stmt s;
  s.kind = k;
  s.cond = c;
  return s;
}
Stmt brk(std::optional<Cond> c = {}) { return simple(Kind::Brk, c); }
Stmt cont(std::optional<Cond> c = {}) { return simple(Kind::Cont, c); }
Stmt ret(std::optional<Cond> c = {}) { return simple(Kind::Ret, c); }
Stmt cal(std::optional<Cond> c = {}) {
  Stmt s = simple(Kind::Cal, c);
  s.routine = 1;
  return s;
}
Stmt rep(uint32_t n, Block body) {
  Stmt s;
  s.kind = Kind::RepCount;
  s.count = n;
  s.body = std::move(body);
  return s;
}
Stmt if_(Cond c, Block body) {
  Stmt s = simple(Kind::If, c);
  s.body = std::move(body);
  return s;
}
Stmt if_else(Cond c, Block body, Block other) {
  Stmt s = if_(c, std::move(body));
  s.has_else = true;
  s.other = std::move(other);
  return s;
}

struct Rule {
  const char* name;
  Block main;
  Block routine;
  Convention convention = Convention::Counted;
  bool flat_returns = false;
  WrongStep step = WrongStep::None;
  WrongCode code = WrongCode::None;
  uint32_t fuse_percent = 0;
};

std::vector<Rule> rules() {
  std::vector<Rule> r;
  const Convention counted = Convention::Counted, parked = Convention::Parked;
  r.push_back({"R1_BreakCountsThreadsInBranches", {rep(2, {if_(a, {brk()}), op(1)})}, {}, counted, false, WrongStep::BreakIgnoresBranch});
  r.push_back({"R2_BreakWaitsForCont", {rep(2, {op(1), cont(a), brk()})}, {}, counted, false, WrongStep::BreakIgnoresCont});
  r.push_back({"R3_ContWakesBeforeTheVote", {rep(2, {op(1), cont(), op(2)})}, {}, counted, false, WrongStep::ContWakesLate});
  r.push_back({"R4_TwoMasks_Turn", {rep(2, {op(1), brk(a)})}, {}, counted, false, WrongStep::OneMaskPerTurn});
  r.push_back({"R4_TwoMasks_Frame", {rep(2, {op(1), cont(a), op(2)})}, {}, counted, false, WrongStep::OneMaskPerFrame});
  r.push_back({"R5_EndifAny", {rep(2, {if_(a, {cont()}), if_else(a, {op(1)}, {op(2)}), op(3)})}, {}, counted, false, WrongStep::None, WrongCode::EndifAll});
  r.push_back({"R6_ReturnAll", {cal(), op(1)}, {ret(a), ret(not_a), op(2)}, counted, false, WrongStep::None, WrongCode::ReturnAny});
  r.push_back({"R7_CallAny", {cal(a), op(1)}, {op(2)}, counted, false, WrongStep::None, WrongCode::CallAll});
  r.push_back({"R8_OneConvention", {cal(), op(1)}, {op(2)}, counted, false, WrongStep::None, WrongCode::CallWithoutLevel});
  r.push_back({"R9_LoopSkipsItsEnd", {rep(2, {rep(0, {op(1)}), op(2)})}, {}, counted, false, WrongStep::None, WrongCode::LoopToEnd});
  r.push_back({"R10_BreakClosesLevels", {rep(2, {if_(a, {brk()}), op(1)})}, {}, counted, false, WrongStep::None, WrongCode::BreakKeepsLevels});
  r.push_back({"R11_BreakPopsTheFrame", {rep(2, {brk(), op(1)})}, {}, counted, false, WrongStep::BreakKeepsFrame});
  r.push_back({"R12_ElseBeforeTheVote", {rep(2, {op(1), if_else(a, {cont()}, {op(2)})})}, {}, counted, false, WrongStep::ElseAfterVote});
  r.push_back({"R13_ParkBeforeTheBranch", {rep(2, {if_(a, {brk()}), op(1)})}, {}, counted, false, WrongStep::ParkAfterStep});
  r.push_back({"R14_FusedComparisonInAll", {if_else(a, {op(1)}, {if_else(b, {op(2)}, {op(3)})})}, {}, counted, false, WrongStep::None, WrongCode::FusedActiveOnly, 100});
  r.push_back({"R15_ReturnWaitsForLoops", {cal(), op(1)}, {rep(2, {cont(a), ret()}), op(2)}, parked, false, WrongStep::ReturnIgnoresLoops});
  r.push_back({"R16_ReturnRestoresLoops", {rep(2, {cal(), op(1)})}, {rep(2, {ret()}), op(2)}, parked, false, WrongStep::ReturnKeepsLoopStack});
  return r;
}

Ast ast_of(const Rule& r) {
  Ast ast;
  ast.routines.push_back({Convention::Counted, false, r.main});
  if (!r.routine.empty()) ast.routines.push_back({r.convention, r.flat_returns, r.routine});
  ast.seed = 99;
  return ast;
}

/// How test names and messages show a rule.
void PrintTo(const Rule& r, std::ostream* out) { *out << r.name; }

class FlowRules : public ::testing::TestWithParam<Rule> {};

constexpr uint32_t kThreads = 4, kGroups = 256;

TEST_P(FlowRules, ModelIsRightOnAllAssignments) {
  const Rule& r = GetParam();
  const Ast ast = ast_of(r);
  CompileOptions o;
  o.fuse_percent = r.fuse_percent;
  for (uint32_t threads : {kThreads, 28u, 70u}) {
    const Compiled code = compile(ast, threads, o);
    const auto model = make_model(*isa::find_config("base"));
    EXPECT_EQ(run_case(*model, code.program(ast, threads), expect(ast, threads, kGroups), kGroups), "") << threads << " threads";
  }
}

TEST_P(FlowRules, WrongReadingIsFound) {
  const Rule& r = GetParam();
  const Ast ast = ast_of(r);
  CompileOptions o;
  o.fuse_percent = r.fuse_percent;
  const Compiled right = compile(ast, kThreads, o);
  o.wrong = r.code;
  const Compiled wrong = compile(ast, kThreads, o);
  uint32_t differs = 0;
  for (uint32_t group = 0; group < kGroups; ++group) {
    std::vector<ThreadStart> threads;
    std::vector<ThreadResult> want;
    for (uint32_t t = 0; t < kThreads; ++t) {
      threads.push_back({group * kThreads + t, group, t});
      want.push_back(*interpret(ast, threads.back()));
    }
    ASSERT_EQ(run_steps(ast, right, threads), std::optional(want)) << "assignment " << group;
    differs += run_steps(ast, wrong, threads, r.step) != std::optional(want);
  }
  EXPECT_GT(differs, 0u);
  RecordProperty("assignments_that_differ", static_cast<int>(differs));
  if (r.code == WrongCode::None) return;
  // A wrong program is wrong on the golden model too.
  const auto model = make_model(*isa::find_config("base"));
  DispatchOptions limits;
  limits.word_budget = 10000;
  EXPECT_NE(run_case(*model, wrong.program(ast, kThreads), expect(ast, kThreads, kGroups), kGroups, limits), "");
}

// Two branches of one IF call two routines, or one and the same, and each leaves its mark.
TEST(FlowDirected, BranchesCallTwoRoutines) {
  for (const uint32_t second : {1u, 2u})
    for (const Convention k : {Convention::Plain, Convention::Counted, Convention::Parked}) {
      Ast ast;
      Stmt f = cal(), g = cal();
      g.routine = second;
      ast.routines.push_back({Convention::Counted, false, {if_else(a, {f, op(1)}, {g, op(2)}), if_(b, {g}), op(3)}});
      ast.routines.push_back({k, false, {op(4), if_(b, {ret()}), op(5)}});
      ast.routines.push_back({k, false, {rep(2, {op(6), cont(b), op(7), ret(a)})}});
      for (uint32_t threads : {kThreads, 35u}) {
        const auto model = make_model(*isa::find_config("base"));
        EXPECT_EQ(run_case(*model, compile(ast, threads).program(ast, threads), expect(ast, threads, kGroups), kGroups), "") << threads;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, FlowRules, ::testing::ValuesIn(rules()), [](const auto& i) { return std::string(i.param.name); });

}  // namespace
}  // namespace maskwork::flowgen
