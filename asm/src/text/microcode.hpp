#pragma once
#include <string_view>

namespace maskwork::text {

/// First line of microcode text.
inline constexpr std::string_view kHeader = "!!maskwork-microcode";

}  // namespace maskwork::text
