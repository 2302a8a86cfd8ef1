#pragma once
// One wave that executes a compiled program by the flow step in its level form, written for the tests only, with a switch for
// each wrong reading of the rules. A test shows with it that the directed program of a rule tells the wrong reading from the right one.
#include <optional>
#include <span>
#include <vector>

#include "flowgen/compiler.hpp"

namespace maskwork::flowgen {

enum class WrongStep : uint8_t {
  None,
  BreakIgnoresBranch,    ///< R1 BRK and CONT look at active threads only
  BreakIgnoresCont,      ///< R2 BRK leaves although threads wait for the end of the iteration
  ContWakesLate,         ///< R3 ENDLOOP votes before it wakes the threads of CONT
  OneMaskPerTurn,        ///< R4 BRK and CONT share one mask, cleared at each iteration
  OneMaskPerFrame,       ///< R4 the same, cleared when the frame is popped
  BreakKeepsFrame,       ///< R11 the jump of BRK does not pop the frame
  ElseAfterVote,         ///< R12 B_ELSE acts after the vote
  ParkAfterStep,         ///< R13 threads that break are parked when everything else is done
  ReturnIgnoresLoops,    ///< R15 RETL jumps although threads are parked in a loop of the call
  ReturnKeepsLoopStack   ///< R16 RETURN does not restore the loop stack
};

/// Runs the program; empty if it faults or does not end within `limit` words.
std::optional<std::vector<ThreadResult>> run_steps(const Ast& ast, const Compiled& program, std::span<const ThreadStart> threads, WrongStep wrong = WrongStep::None,
                                                   uint32_t limit = 200000);

}  // namespace maskwork::flowgen
