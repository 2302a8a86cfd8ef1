// mw_flow against the counter form of the step: random legal and illegal words, waves interleaved, full and partial mode,
// launches at any time, every fault, every field of the response.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "Vflow_base.h"
#include "Vflow_small.h"
#include "Vflow_tiny.h"
#include "counter_reference.hpp"
#include "flow_words.hpp"

namespace maskwork::flowtest {
namespace {

using isa::Fault;

struct Request {
  uint32_t wave;
  StepInput in;
};

/// Slices in which the threads of a wave pass: 8 threads at a time on few lanes, else 16.
template <class V>
constexpr unsigned slices = std::is_same_v<V, Vflow_tiny> ? 4 : 2;

/// Drives one verilated mw_flow and checks each response against the reference of its wave.
template <class V>
class Bench {
 public:
  Bench(bool full, uint32_t waves) : full_(full), waves_(waves), refs_(waves), spoiled_(waves) {
    dut_.rst_i = 1;
    dut_.full_i = full;
    dut_.clk_i = 0;
    dut_.eval();
    tick();
    dut_.rst_i = 0;
  }
  ~Bench() { dut_.final(); }

  uint32_t waves() const { return waves_; }
  CounterWave& ref(uint32_t w) { return *refs_[w]; }
  bool launched(uint32_t w) const { return refs_[w].has_value(); }
  bool idle() const { return !busy_; }
  /// A fault may leave the threads of a wave between steps; it must be launched anew.
  bool spoiled(uint32_t w) const { return spoiled_[w]; }
  std::map<Fault, uint64_t> faults;
  uint64_t words = 0, jumps = 0, diverged = 0, cycles = 0;
  uint32_t most_db = 0, most_dl = 0, most_dc = 0;

  void set_bools(uint32_t b) { dut_.bools_i = bools_ = b; }

  /// One clock with at most one launch and one request; returns whether the request was taken.
  bool cycle(std::optional<std::pair<uint32_t, uint32_t>> launch, const std::optional<Request>& request) {
    dut_.init_valid_i = launch.has_value();
    if (launch) {
      dut_.init_wave_i = launch->first;
      dut_.init_live_i = launch->second;
    }
    dut_.req_valid_i = request.has_value();
    if (request) {
      dut_.req_wave_i = request->wave;
      dut_.req_pc_i = request->in.pc;
      dut_.req_word_i[0] = static_cast<uint32_t>(request->in.word.lo);
      dut_.req_word_i[1] = static_cast<uint32_t>(request->in.word.lo >> 32);
      dut_.req_word_i[2] = static_cast<uint32_t>(request->in.word.hi);
      dut_.req_word_i[3] = static_cast<uint32_t>(request->in.word.hi >> 32);
      dut_.req_pred_i = request->in.pred;
      dut_.req_alu_i = request->in.alu;
      dut_.req_alu_valid_i = request->in.alu_valid;
    }
    dut_.eval();
    const bool taken = request && dut_.req_ready_o;
    if (dut_.rsp_valid_o) check_response();
    if (busy_) {
      ++waited_;
      EXPECT_LE(waited_, allowed_) << "response too late";
    }
    tick();
    if (taken) {
      busy_ = request;
      busy_->in.bools = bools_;
      waited_ = 0;
      const unsigned n = slices<V>;
      allowed_ = isa::get(busy_->in.word, isa::field::op) == static_cast<uint32_t>(isa::Op::RETL) ? 12 + 3 * n : 8 + 2 * n;
    }
    if (launch) {
      refs_[launch->first].emplace(full_, launch->second);
      spoiled_[launch->first] = false;
    }
    return taken;
  }

  void launch(uint32_t wave, uint32_t live) { cycle(std::pair{wave, live}, std::nullopt); }

  /// Runs one word to its response and returns its fault.
  Fault run(uint32_t wave, const StepInput& in) {
    while (!cycle(std::nullopt, Request{wave, in})) {}
    while (busy_) cycle(std::nullopt, std::nullopt);
    return last_fault_;
  }

 private:
  void tick() {
    dut_.clk_i = 1;
    dut_.eval();
    dut_.clk_i = 0;
    dut_.eval();
    ++cycles;
  }

  void check_response() {
    ASSERT_TRUE(busy_) << "response without a word";
    const Request q = *busy_;
    busy_.reset();
    CounterWave& ref = *refs_[q.wave];
    const uint32_t before = ref.active();
    const StepResult want = ref.step(q.in);
    ++words;
    ++faults[want.fault];
    last_fault_ = want.fault;
    ASSERT_EQ(dut_.rsp_wave_o, q.wave);
    ASSERT_EQ(dut_.rsp_fault_o, static_cast<uint32_t>(want.fault)) << describe(q);
    if (want.fault != Fault::NONE) {
      const auto op = static_cast<isa::Op>(isa::get(q.in.word, isa::field::op));
      spoiled_[q.wave] = isa::get(q.in.word, isa::field::b_else) || op == isa::Op::ENDLOOP || op == isa::Op::ENDREP;
      return;
    }
    jumps += want.jump;
    diverged += ref.active() != before;
    most_db = std::max(most_db, ref.db());
    most_dl = std::max(most_dl, ref.dl());
    most_dc = std::max(most_dc, ref.dc());
    ASSERT_EQ(dut_.rsp_jump_o, want.jump) << describe(q);
    ASSERT_EQ(dut_.rsp_pc_o, want.next_pc) << describe(q);
    ASSERT_EQ(dut_.rsp_ended_o, want.ended) << describe(q);
    ASSERT_EQ(dut_.rsp_live_o, ref.live()) << describe(q);
    ASSERT_EQ(dut_.rsp_active_o, ref.active()) << describe(q);
    ASSERT_EQ(dut_.rsp_db_o, ref.db()) << describe(q);
    ASSERT_EQ(dut_.rsp_dl_o, ref.dl()) << describe(q);
    ASSERT_EQ(dut_.rsp_dc_o, ref.dc()) << describe(q);
    ASSERT_EQ(dut_.rsp_depth_o, ref.dc()) << describe(q);
    ASSERT_EQ(dut_.rsp_al_o, ref.al()) << describe(q);
    ASSERT_EQ(dut_.rsp_frame_o, want.frame) << describe(q);
    ASSERT_EQ(dut_.rsp_frame_a_o, want.frame_a) << describe(q);
    ASSERT_EQ(dut_.rsp_frame_b_o, want.frame_b) << describe(q);
    ASSERT_EQ(dut_.rsp_frame_c_o, want.frame_c) << describe(q);
    const CounterWave::Threads threads = ref.threads();
    for (unsigned t = 0; t < 32; ++t) {
      ASSERT_EQ(bits(dut_.rsp_state_o, 3 * t, 3), static_cast<uint32_t>(threads.state[t])) << describe(q) << " thread " << t;
      ASSERT_EQ(bits(dut_.rsp_level_o, 11 * t, 11), threads.level[t]) << describe(q) << " thread " << t;
    }
  }

  template <class Wide>
  static uint32_t bits(const Wide& w, unsigned lo, unsigned n) {
    uint64_t v = w[lo / 32];
    if (lo % 32 + n > 32) v |= static_cast<uint64_t>(w[lo / 32 + 1]) << 32;
    return static_cast<uint32_t>((v >> (lo % 32)) & ((uint64_t{1} << n) - 1));
  }

  std::string describe(const Request& q) const {
    std::string s = "wave " + std::to_string(q.wave) + " word " + std::to_string(words) + ":";
    for (const auto& f : isa::fields)
      if (f.flow && isa::get(q.in.word, f.field)) s += " " + std::string(f.name) + "=" + std::to_string(isa::get(q.in.word, f.field));
    return s;
  }

  V dut_;
  bool full_;
  uint32_t waves_, bools_ = 0;
  std::vector<std::optional<CounterWave>> refs_;
  std::vector<bool> spoiled_;
  std::optional<Request> busy_;
  unsigned waited_ = 0, allowed_ = 0;
  Fault last_fault_ = Fault::NONE;
};

uint32_t random_live(Rng& rng) {
  switch (pick(rng, 4)) {
    case 0: return static_cast<uint32_t>(rng()) | 1u << pick(rng, 32);
    case 1: return 0xffffffffu >> pick(rng, 32);  // the last wave of a group
    default: return 0xffffffffu;
  }
}

template <class V>
void random_words(const char* config, bool full, uint64_t seed, uint64_t count, uint32_t drift_length) {
  const auto cfg = *isa::find_config(config);
  auto bench = std::make_unique<Bench<V>>(full, cfg.waves(full));
  Rng rng(seed);
  std::vector<Drift> drift(bench->waves(), Drift::Mixed);
  for (uint32_t w = 0; w < bench->waves(); ++w) bench->launch(w, random_live(rng));
  std::optional<Request> request;
  constexpr uint32_t none = ~0u;
  uint32_t in_flight = none;
  while (bench->words < count && !::testing::Test::HasFailure()) {
    if (bench->idle()) {
      in_flight = none;
      if (!request && pick(rng, 64) == 0) bench->set_bools(static_cast<uint32_t>(rng()));
      // A wave whose threads have all ended is launched anew.
      for (uint32_t w = 0; !request && w < bench->waves(); ++w)
        if (bench->ref(w).live() == 0) bench->launch(w, random_live(rng));
    }
    if (!request && pick(rng, 8)) {
      const uint32_t w = pick(rng, bench->waves());
      if (w != in_flight && bench->ref(w).live() != 0 && !bench->spoiled(w)) {
        if (pick(rng, drift_length) == 0) drift[w] = static_cast<Drift>(pick(rng, 5));
        StepInput in;
        in.word = random_word(rng, bench->ref(w), full, drift[w]);
        in.pc = pick(rng, 1u << 24);
        // Threads that agree make unanimous votes frequent.
        const uint32_t spread = pick(rng, 3);
        auto lanes = [&] { return spread == 0 ? static_cast<uint32_t>(rng()) : spread == 1 ? (pick(rng, 2) ? ~0u : 0u) : ~0u << pick(rng, 32); };
        in.pred = lanes();
        in.alu = lanes();
        in.alu_valid = pick(rng, 16) != 0;
        request = Request{w, in};
      }
    }
    std::optional<std::pair<uint32_t, uint32_t>> launch;
    if (pick(rng, 2 * drift_length) == 0) {
      const uint32_t w = pick(rng, bench->waves());
      if (w != in_flight && !(request && request->wave == w)) launch = {w, random_live(rng)};
    } else if (pick(rng, 4) == 0) {  // a wave that waits for a return that may never come says little
      const uint32_t w = pick(rng, bench->waves());
      if (w != in_flight && !(request && request->wave == w) && bench->ref(w).active() == 0 && pick(rng, 8) == 0)
        launch = {w, random_live(rng)};
    }
    for (uint32_t w = 0; w < bench->waves(); ++w)
      if (bench->spoiled(w)) launch = {w, random_live(rng)};
    if (bench->cycle(launch, request)) {
      in_flight = request->wave;
      request.reset();
    }
  }
  EXPECT_GT(bench->jumps, count / 20);
  EXPECT_GT(bench->diverged, count / 50);
  EXPECT_GT(bench->faults[Fault::STACK_OVERFLOW], 10u);
  EXPECT_GT(bench->faults[Fault::STACK_UNDERFLOW], 10u);
  EXPECT_GT(bench->faults[Fault::STALE_ALU], 10u);
  EXPECT_GT(bench->faults[Fault::END_DEPTH], 10u);
  if (full) {
    EXPECT_GT(bench->faults[Fault::STACK_MISMATCH], 10u);
    EXPECT_EQ(bench->most_dc, isa::limit::call_depth);
  } else {
    EXPECT_EQ(bench->most_db, isa::limit::partial_levels);
  }
}

// The quick set must be short; MASKWORK_SEEDS makes it longer.
uint64_t scaled(uint64_t n) {
  const char* s = std::getenv("MASKWORK_SEEDS");
  return s ? n * std::strtoull(s, nullptr, 10) : n;
}

TEST(Flow, RandomWordsFullSmall) { random_words<Vflow_small>("small", true, 1, scaled(100000), 60); }
TEST(Flow, RandomWordsFullSmallDeep) { random_words<Vflow_small>("small", true, 2, scaled(100000), 2000); }
TEST(Flow, RandomWordsPartialSmall) { random_words<Vflow_small>("small", false, 3, scaled(100000), 60); }
TEST(Flow, RandomWordsFullBase) { random_words<Vflow_base>("base", true, 4, scaled(100000), 60); }
TEST(Flow, RandomWordsPartialBase) { random_words<Vflow_base>("base", false, 5, scaled(100000), 60); }
TEST(Flow, RandomWordsFullTiny) { random_words<Vflow_tiny>("tiny", true, 6, scaled(100000), 60); }
TEST(Flow, RandomWordsPartialTiny) { random_words<Vflow_tiny>("tiny", false, 7, scaled(100000), 60); }

// Every stack of every wave to its limit and one more, all waves in turn so that a frame of one wave in another's place shows.
FlowFields if_word() {
  FlowFields f;
  f.func = 0xf0, f.any = 1, f.b_op0 = f.b_op1 = isa::Bop::INCR;  // threads with a false ALU bit leave
  return f;
}

template <class V>
void fill_stacks(const char* config) {
  const auto cfg = *isa::find_config(config);
  Bench<V> bench(true, cfg.waves_full);
  Rng rng(11);
  for (uint32_t w = 0; w < bench.waves(); ++w) bench.launch(w, 0xffffffffu);
  auto all = [&](auto make, uint32_t times, Fault last) {
    for (uint32_t i = 0; i < times; ++i)
      for (uint32_t w = 0; w < bench.waves(); ++w) {
        StepInput in;
        in.word = make(w, i).word();
        in.pc = i * 64 + w;
        in.alu = i % 40 < 32 ? ~(1u << (i % 40)) : ~0u;
        const Fault f = bench.run(w, in);
        if (::testing::Test::HasFailure()) return;
        ASSERT_EQ(f, i + 1 == times ? last : Fault::NONE) << "wave " << w << " turn " << i;
      }
  };
  auto level = [](uint32_t, uint32_t) { return if_word(); };
  auto unlevel = [](uint32_t, uint32_t) {
    FlowFields f;
    f.any = 1, f.b_op0 = isa::Bop::DECR, f.pop = 11;
    return f;
  };
  all(level, isa::limit::branch_levels + 1, Fault::STACK_OVERFLOW);
  all(unlevel, isa::limit::branch_levels / 11 + 1, Fault::STACK_UNDERFLOW);
  auto loop = [](uint32_t w, uint32_t i) {
    FlowFields f;
    f.op = i % 3 ? isa::Op::REP : isa::Op::LOOP;
    f.imm = 1000 * w + i + 1, f.al_init = (i + w) % 1024, f.al_step = i % 256;
    return f;
  };
  auto endloop = [](uint32_t, uint32_t i) {
    FlowFields f;
    f.op = (isa::limit::loop_frames - 1 - i) % 3 ? isa::Op::ENDREP : isa::Op::ENDLOOP;
    f.any = 1;  // nobody wants another turn
    return f;
  };
  all(loop, isa::limit::loop_frames + 1, Fault::STACK_OVERFLOW);
  all(endloop, isa::limit::loop_frames + 1, Fault::STACK_UNDERFLOW);
  auto call = [](uint32_t, uint32_t i) {
    FlowFields f;
    f.a_op = i % 2 ? isa::Aop::PUSHR : isa::Aop::PUSH, f.any = 1, f.func = i % 2 ? 0xf0 : 0xff, f.target = i;
    return f;
  };
  auto ret = [](uint32_t, uint32_t) {
    FlowFields f;
    f.a_op = isa::Aop::POP, f.func = 0xff;
    return f;
  };
  all(call, isa::limit::call_depth + 1, Fault::STACK_OVERFLOW);
  all(ret, isa::limit::call_depth + 1, Fault::STACK_UNDERFLOW);
  EXPECT_EQ(bench.most_db, isa::limit::branch_levels);
  EXPECT_EQ(bench.most_dl, isa::limit::loop_frames);
  EXPECT_EQ(bench.most_dc, isa::limit::call_depth);
}

TEST(Flow, StackLimitsSmall) { fill_stacks<Vflow_small>("small"); }
TEST(Flow, StackLimitsTiny) { fill_stacks<Vflow_tiny>("tiny"); }

TEST(Flow, PartialLimit) {
  Bench<Vflow_small> bench(false, 16);
  for (uint32_t w = 0; w < 16; ++w) bench.launch(w, 0xffffffffu);
  for (uint32_t i = 0; i <= isa::limit::partial_levels; ++i)
    for (uint32_t w = 0; w < 16; ++w) {
      StepInput in;
      in.word = if_word().word();
      in.alu = ~(2u << i);
      ASSERT_EQ(bench.run(w, in), i < isa::limit::partial_levels ? Fault::NONE : Fault::STACK_OVERFLOW);
    }
}

// A word is answered 8 cycles and 2 for each slice after it was taken, and the next one can be taken in the cycle of the answer.
template <class V>
void throughput(uint32_t waves) {
  Bench<V> bench(true, waves);
  for (uint32_t w = 0; w < waves; ++w) bench.launch(w, 0xffffffffu);
  const uint64_t start = bench.cycles;
  uint32_t sent = 0;
  while (sent < 100) {
    StepInput in;
    in.word = FlowFields{}.word();
    sent += bench.cycle(std::nullopt, Request{sent % waves, in});
  }
  EXPECT_EQ(bench.cycles - start, 99u * (8 + 2 * slices<V>) + 1);
}
TEST(Flow, ThroughputSmall) { throughput<Vflow_small>(8); }
TEST(Flow, ThroughputTiny) { throughput<Vflow_tiny>(2); }

}  // namespace
}  // namespace maskwork::flowtest
