#include "flowgen/source.hpp"

#include <fmt/format.h>

#include <random>
#include <stdexcept>

namespace maskwork::flowgen {
namespace {

// s.x = h, s.y = x, s.z = byte address of the thread's result; t = trip counts; v = results of comparisons.
class Writer {
 public:
  Writer(const Ast& ast, uint64_t seed) : ast_(ast), rng_(seed) {}

  std::string write(uint32_t threads) {
    text_ = fmt::format(
        "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE {};\nSTORAGE out0[] = {{ program.storage[0] }};\nTEMP s, t, v;\n", threads);
    text_ += "main:\n";
    line("MOV.U s.z, invocation.globalid.x;");
    line(fmt::format("MAD.U s.y, s.z, {}, {};", index_factor, ast_.seed));
    line("SHL.U s.z, s.z, 3;");
    line(fmt::format("MOV.U s.x, {};", h_start));
    block(ast_.routines[0].body, true);
    store();
    if (pick(2)) line("RET;");
    for (size_t i = 1; i < ast_.routines.size(); ++i) {
      text_ += fmt::format("f{}:\n", i);
      block(ast_.routines[i].body, false);
      if (pick(2)) line("RET;");  // the next label, or END, returns as well
    }
    text_ += "END\n";
    return text_;
  }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(rng_() % n); }
  void line(const std::string& s) { text_ += std::string(2 * depth_, ' ') + s + "\n"; }
  void store() { line("STB.U32X2 s, out0[s.z];"); }
  void advance() { line(fmt::format("MAD.U s.y, s.y, {}, {};", x_factor, x_term)); }

  /// Writes the comparison and returns the condition-code test that holds when the condition does.
  std::string condition(const Cond& c) {
    if (c.input == Cond::Input::Bool || c.var != Cond::Var::X) throw std::invalid_argument("a condition the language does not have");
    if (c.advance) advance();
    static constexpr struct { const char *mask, *swizzle; } components[] = {
        {"x", "x"}, {"y", "y"}, {"z", "z"}, {"w", "w"}, {"xy", "xyyy"}, {"zw", "wzzz"}, {"yw", "wyyw"}, {"xyzw", "xyzw"}};
    const auto& component = components[pick(8)];
    const bool cc1 = (c.index & 4) != 0;
    const bool less = pick(2);  // SLT or SGE
    line(fmt::format("{}.U.CC{} v.{}, s.y, {};", less ? "SLT" : "SGE", cc1 ? "1" : pick(2) ? "0" : "", component.mask, c.below));
    // All components compare the same values, so that one test of several is the test of one.
    return fmt::format("{}{}.{}", less != c.negate ? "NE" : "EQ", cc1 ? "1" : "", component.swizzle);
  }

  void block(const std::vector<Stmt>& stmts, bool main) {
    for (const auto& s : stmts) statement(s, main);
  }
  void inner(const std::vector<Stmt>& stmts, bool main) {
    ++depth_;
    block(stmts, main);
    --depth_;
  }
  void leave(const char* what, const Stmt& s) {
    if (s.cond) line(fmt::format("{} ({});", what, condition(*s.cond)));
    else line(fmt::format("{}{};", what, pick(2) ? " (TR)" : ""));
  }

  void statement(const Stmt& s, bool main) {
    using enum Stmt::Kind;
    switch (s.kind) {
      case Op: line(fmt::format("MAD.U s.x, s.x, {}, {};", h_factor, s.id)); break;
      case If:
        line(fmt::format("IF {};", condition(*s.cond)));
        inner(s.body, main);
        if (s.has_else) {
          line("ELSE;");
          inner(s.other, main);
        }
        line("ENDIF;");
        break;
      case RepCount:
        if (pick(2)) {
          line(fmt::format("REP.{} {};", pick(2) ? "S" : "U", s.count));
        } else {
          line(fmt::format("MOV.S t.x, {};", s.count == 0 && pick(2) ? -3 : static_cast<int32_t>(s.count)));
          line("REP.S t.x;");
        }
        inner(s.body, main);
        line("ENDREP;");
        break;
      case RepEndless:
        line(pick(2) ? "REP;" : "REP.S ;");
        inner(s.body, main);
        line("ENDREP;");
        break;
      case RepThread: {
        advance();
        const char component = "xyzw"[pick(4)];
        line(fmt::format("SHR.U t.{}, s.y, 30;", component));
        const uint32_t type = pick(3);
        if (type == 2) {
          line(fmt::format("I2F.U t.{0}, t.{0};", component));
          if (pick(2)) line(fmt::format("ADD.F t.{0}, t.{0}, 0.75;", component));  // the count is the floor
        }
        line(fmt::format("REP.{} t.{};", "USF"[type], component));
        inner(s.body, main);
        line("ENDREP;");
        break;
      }
      case Brk: leave("BRK", s); break;
      case Cont: leave("CONT", s); break;
      case Cal: leave(fmt::format("CAL f{}", s.routine).c_str(), s); break;
      case Ret: {
        if (!main) {
          leave("RET", s);
          break;
        }
        // What a thread has done when it ends must be in memory.
        const std::string test = s.cond ? condition(*s.cond) : "";
        store();
        line(s.cond ? fmt::format("RET ({});", test) : "RET;");
        break;
      }
      default: throw std::invalid_argument("a statement the language does not have");
    }
  }

  const Ast& ast_;
  std::mt19937_64 rng_;
  std::string text_;
  uint32_t depth_ = 0;
};

}  // namespace

std::string source_text(const Ast& ast, uint32_t threads, uint64_t seed) { return Writer(ast, seed).write(threads); }

}  // namespace maskwork::flowgen
