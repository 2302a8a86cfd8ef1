#pragma once
// What an ALU word gives for one thread, written down from docs/semantics.md without the model's code: soft floats, 64-bit integers
// and doubles. One plain function per question, no speed.
#include <cstdint>

#include "maskwork/isa.hpp"

namespace maskwork::test {

struct AluExpected {
  uint32_t value = 0;
  uint8_t flags = 0;
};

/// Expected result of a good ALU word on sources a, b, c; `chain` = flags of CC2.chain_comp.
AluExpected alu_expected(const isa::Word& word, uint32_t a, uint32_t b, uint32_t c, uint8_t chain);

}  // namespace maskwork::test
