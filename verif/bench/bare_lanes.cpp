#include <memory>

#include "Vmw_bare_lanes_tb.h"
#include "figures.hpp"
#include "maskwork/word_builder.hpp"

namespace maskwork::bench {

double bare_lane_speed() {
  constexpr uint32_t clocks = 400000;
  Vmw_bare_lanes_tb top;
  const isa::Word w = build::alu(isa::Op::MAD, isa::Type::F32).dst(0).a(0).b(1).c(2);
  for (int n = 0; n < 4; ++n) top.word_i[n] = static_cast<uint32_t>((n < 2 ? w.lo : w.hi) >> (32 * (n % 2)));
  const auto clock = [&] {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  };
  top.clk_i = 0;
  top.eval();
  top.seed_i = 1;
  clock();
  top.seed_i = 0;
  const double seconds = best_time(3, [&] {
    for (uint32_t n = 0; n < clocks; ++n) clock();
  });
  top.final();
  return 16.0 * clocks / seconds;
}

}  // namespace maskwork::bench
