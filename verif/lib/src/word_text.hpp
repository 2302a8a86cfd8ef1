#pragma once
// A microcode word for reports: source position and disassembly.
#include <cstdint>
#include <string>

#include "maskwork/object.hpp"

namespace maskwork::verif {
std::string word_text(const Program& program, uint32_t pc);
}
