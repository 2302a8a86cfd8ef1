#pragma once
// Microcode words made in C++, for generators. Directed tests write microcode text instead.
#include <initializer_list>
#include <utility>

#include "maskwork/object.hpp"

namespace maskwork::suite {

using FieldValue = std::pair<isa::Field, uint32_t>;

/// A word of an operation with some fields set.
isa::Word word(isa::Op op, std::initializer_list<FieldValue> fields = {});
/// ALU word with defaults that are legal: no CC, no destination.
isa::Word alu_word(isa::Op op, isa::Type type, std::initializer_list<FieldValue> fields = {});
isa::Word end_word();

}  // namespace maskwork::suite
