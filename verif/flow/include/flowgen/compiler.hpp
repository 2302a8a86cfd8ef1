#pragma once
// Turns a structured program into microcode words by the flag combinations of CTM and its superset. This is a compiler of the
// tests; the assembler has its own.
#include <vector>

#include "flowgen/ast.hpp"
#include "maskwork/object.hpp"

namespace maskwork::flowgen {

/// Wrong readings of the machine's rules that the program, not the machine, would show (numbers of the rules in rules_test.cpp).
enum class WrongCode : uint8_t {
  None,
  EndifAll,          ///< R5 ENDIF with JUMP_ANY = 0
  ReturnAny,         ///< R6 the RETURN at the end of a routine with JUMP_ANY = 1
  CallAll,           ///< R7 conditional call with JUMP_ANY = 0
  CallWithoutLevel,  ///< R8 call without INCR of a routine that returns with DECR
  LoopToEnd,         ///< R9 LOOP jumps to ENDLOOP itself
  BreakKeepsLevels,  ///< R10 BRK and CONT without DECR
  FusedActiveOnly    ///< R14 the comparison of a fused ELSE-IF in active threads only
};

struct CompileOptions {
  uint32_t seed = 0;         ///< of the choices below
  uint32_t merge_percent = 0, fuse_percent = 0, skip_percent = 0;
  WrongCode wrong = WrongCode::None;
};

/// One word and what it means to the step machine.
struct Instr {
  enum class Act : uint8_t { Flow, Start, Op, OpAl, Advance, Compare, SetTurns, CompareTurns, LessTurns, Store, End };
  Act act = Act::Flow;
  isa::Word word;
  Cond cond;                 ///< Compare
  bool all_live = false;     ///< Compare: also in inactive threads
  uint32_t value = 0;        ///< Op: id; *Turns: number of the loop
};

struct Compiled {
  std::vector<Instr> code;
  bool full_flow = false;
  uint32_t registers = 0;
  Program program(const Ast& ast, uint32_t threads) const;
};

Compiled compile(const Ast& ast, uint32_t threads, const CompileOptions& options = {});

}  // namespace maskwork::flowgen
