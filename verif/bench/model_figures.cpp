// Speed of the golden model: words that are nothing but arithmetic, and the time of the same work in plain C++ on the same processor.
#include <functional>
#include <stdexcept>

#include "figures.hpp"
#include "maskwork/device.hpp"
#include "maskwork/word_builder.hpp"
#include "plain_fma.hpp"

namespace maskwork::bench {
namespace {

using namespace maskwork::build;

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

/// Lane-operations per second.
double speed(const Program& program, uint32_t groups) {
  auto device = make_model(*isa::find_config("base"));
  device->load(program);
  DispatchResult result;
  const double seconds = best_time(3, [&] { result = device->dispatch(groups, 1, 1); });
  if (!result.ok()) throw std::runtime_error("the model's benchmark program ended with a fault");
  return static_cast<double>(result.counter(isa::Counter::LaneOps)) / seconds;
}

}  // namespace

void model_figures(Figures& out) {
  constexpr uint32_t groups = 32, turns = 2000, threads = groups * 256;
  const double model = speed(fma_kernel(turns, [](W w) { return w; }), groups);
  std::vector<float> state(16 * threads, 0.5f);
  const double plain = 64.0 * turns * threads / best_time(3, [&] { plain_fma(state.data(), threads, turns); });
  const double side = 64.0 * turns * threads / best_time(3, [&] { plain_fma_side_by_side(state.data(), threads, turns); });
  out.push_back({"model_fma", model / 1e9, "G lane-operations/s", 4});
  out.push_back({"plain_cpp_fma", plain / 1e9, "G operations/s"});
  out.push_back({"plain_cpp_fma_side_by_side", side / 1e9, "G operations/s"});
  out.push_back({"model_over_plain_time", std::max(plain, side) / model, "x", 4, true});
  out.push_back({"model_fma_cc", speed(fma_kernel(turns / 4, [](W w) { return w.cc(0, 0); }), groups) / 1e9, "G lane-operations/s"});
  out.push_back({"model_fma_predicate", speed(fma_kernel(turns / 4, [](W w) { return w.pred(isa::Test::GT, 0, 1); }), groups) / 1e9, "G lane-operations/s"});
}

}  // namespace maskwork::bench
