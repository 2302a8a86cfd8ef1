// The search for a word that was probably meant.
#pragma once
#include <string_view>
#include <vector>

namespace maskwork {

// The closest of `names` if it is close enough to be a likely slip of the pen, else empty.
std::string_view closest(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace maskwork
