#pragma once
// One word of microcode text.
#include <string>
#include <string_view>

#include "line.hpp"

namespace maskwork::text {

struct WordText {
  isa::Word word;
  std::string target;    ///< label of a jump, empty: the word holds a number
  size_t target_at = 0;  ///< its place in the line
};

/// Reads what follows the operation's name, which stands at `first`, up to the end of the line or the source position. Throws Wrong.
WordText read_word(Line& line, size_t first, std::string_view name);

}  // namespace maskwork::text
