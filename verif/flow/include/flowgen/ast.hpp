#pragma once
// Structured programs for the tests of flow control: what one thread does, without any notion of waves.
#include <cstdint>
#include <optional>
#include <vector>

namespace maskwork::flowgen {

/// A condition. Input::Alu and Input::Pred: (variable < below) != negate, tested through the ALU bit or a condition code;
/// Input::Bool: uniform boolean `index` != negate.
struct Cond {
  enum class Input : uint8_t { Alu, Pred, Bool };
  enum class Var : uint8_t { X, A, B };
  Input input = Input::Alu;
  Var var = Var::X;
  bool negate = false;
  bool advance = false;   ///< first x = x * x_factor + x_term: a new random value
  uint32_t below = 0;
  uint32_t index = 0;     ///< Bool: number of the boolean; Pred: component 0..11 of CC0..CC2
};

struct Stmt {
  enum class Kind : uint8_t {
    Op,        ///< h = h * h_factor + id
    OpAl,      ///< h = h * h_factor + al_table[aL]
    If,
    RepCount,  ///< `count` turns, the same for all
    Loop,      ///< the same with aL = al_init, + al_step each turn
    RepEndless,
    RepThread, ///< x advances; x >> 30 turns of this thread
    Brk,
    Cont,
    Cal,
    Ret
  };
  Kind kind = Kind::Op;
  uint32_t id = 0;
  std::optional<Cond> cond;            ///< If; optional for Brk, Cont, Cal, Ret
  std::vector<Stmt> body, other;       ///< If: then and else; loops: body
  bool has_else = false;
  uint32_t count = 0;
  int32_t al_init = 0, al_step = 0;
  uint32_t routine = 0;
};

/// How a routine is called and left; all calls of one routine use the same way.
enum class Convention : uint8_t {
  Plain,    ///< called without condition only; no branch level
  Counted,  ///< the call opens a branch level, RETURN closes it
  Parked    ///< PUSHR: threads that do not call wait in the call frame
};

struct Routine {
  Convention convention = Convention::Counted;
  bool flat_returns = false;  ///< RET only at its top level, made of RETURN and branch levels instead of RETL
  std::vector<Stmt> body;
};

struct Ast {
  std::vector<Routine> routines;  ///< 0 is the main program
  uint32_t bools = 0;
  uint32_t seed = 0;              ///< of x
};

inline constexpr uint32_t h_start = 1, h_factor = 0x01000193;
inline constexpr uint32_t x_factor = 1664525, x_term = 1013904223;
inline constexpr uint32_t index_factor = 0x9e3779b1;
inline constexpr uint32_t al_table_size = 16;
constexpr uint32_t al_table(uint32_t i) { return i * 0x01010101u + 7; }
/// Deepest call and most nested RepThread loops of a routine that the compiled program has counters for.
inline constexpr uint32_t max_call_depth = 9, max_thread_loops = 3;

/// What a thread starts with: `index` over all groups, group and local index.
struct ThreadStart {
  uint32_t index = 0, group = 0, local = 0;
};
struct ThreadResult {
  uint32_t h = 0, x = 0;
  friend bool operator==(const ThreadResult&, const ThreadResult&) = default;
};

/// Executes the program for one thread, by itself. Empty if it takes more than `fuel` statements, calls too deep or leaves the
/// table of aL.
std::optional<ThreadResult> interpret(const Ast& ast, const ThreadStart& start, uint32_t fuel = 3000);

}  // namespace maskwork::flowgen
