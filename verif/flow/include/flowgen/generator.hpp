#pragma once
// Random structured programs, ready to run on any engine.
#include <string>

#include "flowgen/compiler.hpp"
#include "maskwork/device.hpp"

namespace maskwork::flowgen {

struct GenerateOptions {
  bool loops_and_calls = true;  ///< false: IF, ELSE and RET only, which partial flow mode runs
  uint32_t if_depth = 5;        ///< deepest nesting of IF in one routine
  bool al = true;               ///< LOOP with aL and relative reads (not in the language)
  bool language = false;        ///< only what NV assembly can say (no uniform booleans, no LOOP)
  uint32_t threads = 0;         ///< threads of a group; 0 = random, 1..max_threads
  uint32_t max_threads = 100;
};

/// A random program of which every one of `threads` threads in each of `groups` groups ends soon by itself.
struct FlowCase {
  Ast ast;
  uint32_t threads = 0, groups = 0;
  std::vector<ThreadResult> expected;  ///< of the independent interpreter, group by group
};
FlowCase make_case(uint64_t seed, const GenerateOptions& options = {});

/// The case compiled with random merged ENDIFs, fused ELSE-IFs and SKIPs.
Program compile_case(const FlowCase& c, uint64_t seed);

/// Expected results of any program for a number of groups; empty if a thread does not end.
std::vector<ThreadResult> expect(const Ast& ast, uint32_t threads, uint32_t groups);

/// Loads and runs a program on a device with buffer 0 bound to its results; empty text if every thread has the expected one.
std::string run_case(Device& device, const Program& program, const std::vector<ThreadResult>& expected, uint32_t groups,
                     const DispatchOptions& options = {});

}  // namespace maskwork::flowgen
