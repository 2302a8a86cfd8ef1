// Speed of the golden model: lane-operations per second of words that are nothing but arithmetic, and the time of the same work in
// plain C++ on the same processor.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "maskwork/device.hpp"
#include "maskwork/word_builder.hpp"
#include "../../verif/bench/plain_fma.hpp"

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

/// Best processor time of three runs, in seconds: others may be at work on the machine.
template <class F>
double best_time(const F& run) {
  double best = 1e9;
  for (int n = 0; n < 3; ++n) {
    const std::clock_t start = std::clock();
    run();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

/// Returns lane-operations per second.
double measure(const char* what, const Program& program, uint32_t groups) {
  auto device = make_model(*isa::find_config("base"));
  device->load(program);
  DispatchResult result;
  const double seconds = best_time([&] { result = device->dispatch(groups, 1, 1); });
  if (!result.ok()) {
    fmt::print("{}: fault {}\n", what, isa::to_string(result.fault.code));
    return 0;
  }
  const double speed = static_cast<double>(result.counter(isa::Counter::LaneOps)) / seconds;
  fmt::print("{:<28} {:6.2f} G lane-operations/s, {:5.1f} ns per word of 32 threads\n", what, speed / 1e9, 32e9 / speed);
  return speed;
}

}  // namespace

int main() {
  constexpr uint32_t groups = 32, turns = 2000, threads = groups * 256;
  const double model = measure("FMA", fma_kernel(turns, [](W w) { return w; }), groups);
  measure("FMA, negated addend", fma_kernel(turns, [](W w) { return w.neg_c(); }), groups);
  measure("FMA, absolute source", fma_kernel(turns / 4, [](W w) { return w.abs_c(); }), groups);
  measure("FMA with condition codes", fma_kernel(turns / 4, [](W w) { return w.cc(0, 0); }), groups);
  measure("FMA under a predicate", fma_kernel(turns / 4, [](W w) { return w.pred(isa::Test::GT, 0, 1); }), groups);
  std::vector<float> state(16 * threads, 0.5f);
  const double seconds = best_time([&] { plain_fma(state.data(), threads, turns); });
  const double plain = 64.0 * turns * threads / seconds;
  fmt::print("{:<28} {:6.2f} G operations/s; the model takes {:.1f} times as long\n", "the same in plain C++", plain / 1e9, plain / model);
  return model > 0 ? 0 : 1;
}
