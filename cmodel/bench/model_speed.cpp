// Speed of the golden model: lane-operations per second of words that are nothing but arithmetic.
#include <fmt/format.h>

#include <chrono>

#include "maskwork/device.hpp"
#include "maskwork/word_builder.hpp"

using namespace maskwork;
using namespace maskwork::build;

namespace {

/// A loop of 64 FMA words on 8 independent chains, as an FMA-bound kernel has; full flow mode. `variant` changes one word's form.
Program fma_kernel(uint32_t turns, const std::function<W(W)>& variant) {
  Program p;
  p.group_size = {256, 1, 1};
  p.registers = 16;
  p.full_flow = true;
  p.words.push_back(flow(isa::Op::REP).count(turns));
  for (uint32_t n = 0; n < 64; ++n)
    p.words.push_back(variant(alu(isa::Op::MAD, isa::Type::F32).dst(n % 8).a(n % 8).b(8 + n % 4).c(12 + n % 4)));
  const auto close = static_cast<uint32_t>(p.words.size());
  p.words.push_back(flow(isa::Op::ENDREP).any().func(func::always).target(1));
  p.words[0] = flow(isa::Op::REP).count(turns).target(close + 1);
  p.words.push_back(end());
  return p;
}

void measure(const char* what, const Program& program, uint32_t groups) {
  auto device = make_model(*isa::find_config("base"));
  device->load(program);
  double best = 0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const DispatchResult r = device->dispatch(groups, 1, 1);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!r.ok()) {
      fmt::print("{}: fault {}\n", what, isa::to_string(r.fault.code));
      return;
    }
    best = std::max(best, static_cast<double>(r.counter(isa::Counter::LaneOps)) / seconds);
  }
  fmt::print("{:<28} {:6.2f} G lane-operations/s, {:5.1f} ns per word of 32 threads\n", what, best / 1e9, 32e9 / best);
}

}  // namespace

int main() {
  measure("FMA", fma_kernel(2000, [](W w) { return w; }), 32);
  measure("FMA, negated addend", fma_kernel(2000, [](W w) { return w.neg_c(); }), 32);
  measure("FMA, absolute source", fma_kernel(500, [](W w) { return w.abs_c(); }), 32);
  measure("FMA with condition codes", fma_kernel(500, [](W w) { return w.cc(0, 0); }), 32);
  measure("FMA under a predicate", fma_kernel(500, [](W w) { return w.pred(isa::Test::GT, 0, 1); }), 32);
  return 0;
}
