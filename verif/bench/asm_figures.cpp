// Speed of the assembler, front to object, on a long program without jumps and on one with every kind of block.
#include <algorithm>
#include <stdexcept>

#include "figures.hpp"
#include "maskwork/asm/assembler.hpp"

namespace maskwork::bench {
namespace {

std::string straight(uint32_t lines) {
  std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE s[] = { program.storage[0] };\nTEMP R0, R1, R2, R3;\nMOV.F R0, 1;\n";
  for (uint32_t n = 0; n < lines; ++n) text += n % 2 ? "MAD.F R1.xy, R0.yxzw, R2.zwxy, R1;\n" : "ADD.U R2, R1.wzyx, R0;\n";
  return text + "STB.F32X4 R1, s[0];\nSTB.F32X4 R2, s[16];\nEND\n";
}

std::string structured(uint32_t blocks) {
  std::string text = "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE s[] = { program.storage[0] };\nTEMP R0, R1, RC;\nMOV.U R0, 1;\nMOV.U R1, 0;\n";
  for (uint32_t n = 0; n < blocks; ++n)
    text += "SLT.S.CC RC.x, R0.x, 7;\nIF NE.x;\n  REP.U {3, 0, 0, 0};\n    ADD.U R1.x, R1.x, R0.y;\n    SGT.U.CC RC.y, R1.x, 9;\n    BRK (NE.y);\n  ENDREP;\nELSE;\n"
            "  MAD.U R1.x, R0.x, 3, R1.y;\nENDIF;\n";
  return text + "STB.U32X4 R1, s[0];\nEND\n";
}

double lines_per_second(const std::string& source) {
  const double seconds = best_time(3, [&] {
    Diagnostics diagnostics;
    if (!assemble(source, "bench.nvcp", {}, diagnostics)) throw std::runtime_error("the assembler's benchmark program is refused:\n" + render(diagnostics, source));
  });
  return static_cast<double>(std::count(source.begin(), source.end(), '\n')) / seconds;
}

}  // namespace

void assembler_figures(Figures& out) {
  out.push_back({"assembler_straight", lines_per_second(straight(10000)) / 1e3, "k lines/s"});
  out.push_back({"assembler_structured", lines_per_second(structured(300)) / 1e3, "k lines/s"});
}

}  // namespace maskwork::bench
