#include "word_text.hpp"

#include <fmt/format.h>

#include "maskwork/asm/assembler.hpp"

namespace maskwork::verif {

std::string word_text(const Program& program, uint32_t pc) {
  if (pc >= program.words.size()) return fmt::format("pc {} outside the program", pc);
  std::string place;
  if (pc < program.lines.size() && program.lines[pc].line != 0)
    place = fmt::format("{}:{}:{}: ", program.source_name, program.lines[pc].line, program.lines[pc].column);
  return fmt::format("{}pc {}: {}", place, pc, disassemble_word(program.words[pc], program.full_flow));
}

}  // namespace maskwork::verif
