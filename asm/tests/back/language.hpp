#pragma once
// What each arithmetic instruction of the language gives for one component, computed from the language's rules and the project's choices
// (docs/semantics.md) with the host's own numbers: no expansion, no microcode. Only the special unit's approximate functions come from the model.
#include <cstdint>
#include <functional>

#include "maskwork/asm/ast.hpp"

namespace maskwork::test {

struct Computed {
  uint64_t value = 0;      ///< in the width of the result
  bool c = false, o = false;
  bool undefined = false;  ///< the language does not say what; the component keeps its value
};

/// `read(operand, component)`: the operand's value in the width in which it is read, swizzle and signs applied. `split` likewise, without its
/// outermost sign, and whether it has one.
struct Reader {
  std::function<uint64_t(unsigned operand, unsigned component)> read;
  std::function<std::pair<uint64_t, bool>(unsigned operand, unsigned component)> split;
};

Computed compute(const ast::Instruction& in, unsigned component, const Reader& reader);

}  // namespace maskwork::test
