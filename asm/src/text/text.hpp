#pragma once
// Names that microcode text uses beyond those of the tables.
#include <string>
#include <string_view>

#include "maskwork/isa.hpp"

namespace maskwork::text {

inline std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

inline constexpr std::string_view kRelative[] = {"a0", "al", "depth"};
inline constexpr std::string_view kComponents = "xyzw";

struct SourceFields {
  isa::Field file, idx, neg, abs;
};
inline constexpr SourceFields kSources[3] = {{isa::field::a_file, isa::field::a_idx, isa::field::a_neg, isa::field::a_abs},
                                             {isa::field::b_file, isa::field::b_idx, isa::field::b_neg, isa::field::b_abs},
                                             {isa::field::c_file, isa::field::c_idx, isa::field::c_neg, isa::field::c_abs}};

}  // namespace maskwork::text
