// Every word of the special unit x type against the reference; active threads, predicates, the register window; and what such words
// do to a wave: counters, pending registers.
#include "special_reference.hpp"

#include "kernel.hpp"
#include "maskwork/lane.hpp"
#include "operands.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using isa::Type;

struct Form {
  Op op;
  Type type;
};

/// All operations and types of the unit.
std::vector<Form> forms() {
  std::vector<Form> out;
  for (uint32_t code = 0; code < 256; ++code) {
    const isa::OpInfo& info = isa::info(static_cast<Op>(code));
    if (!info.valid || info.unit != isa::Unit::Special) continue;
    for (uint32_t t = 0; t < 3; ++t)
      if (((info.types >> t) & 1) != 0) out.push_back({static_cast<Op>(code), static_cast<Type>(t)});
  }
  return out;
}

bool is_crosslane(Op op) { return !is_exact_function(op) && !is_near_function(op); }

/// The word with the sources that its operation has: registers 1, 2, 3.
W special_word(const Form& f, uint32_t dst = 4) {
  W w = alu(f.op, f.type).dst(dst);
  const isa::OpInfo& info = isa::info(f.op);
  if (info.srcs_a) w.a(1);
  if (info.srcs_b) w.b(2);
  if (info.srcs_c) w.c(3);
  return w;
}

std::string name(const Form& f) { return std::string(isa::to_string(f.op)) + "." + std::string(isa::to_string(f.type)); }

/// Compares the 32 results of one batch; the first wrong thread fails.
void check(const Form& f, const LaneBatch& b) {
  WaveSources s{b.a, b.b, b.c, b.executing};
  for (uint32_t t = 0; t < 32; ++t) {
    if (((b.executing >> t) & 1) == 0) continue;
    if (is_near_function(f.op)) {
      ASSERT_TRUE(function_near(f.op, b.a[t], b.value[t])) << name(f) << std::hex << " of " << b.a[t] << ": " << b.value[t];
      continue;
    }
    const uint32_t want = is_crosslane(f.op) ? crosslane_expected(f.op, f.type, s, t) : function_expected(f.op, f.type, b.a[t], b.b[t]);
    ASSERT_EQ(b.value[t], want) << name(f) << std::hex << " of " << b.a[t] << " " << b.b[t] << " " << b.c[t] << ", executing " << b.executing
                                << std::dec << ", thread " << t;
  }
}

/// Runs all operand triples of a list, 32 at a time.
class Batches {
 public:
  explicit Batches(const Form& f) : form_(f), word_(special_word(f)) { EXPECT_FALSE(isa::bad_word(word_, false)) << name(f); }
  ~Batches() { flush(); }
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  void add(uint32_t a, uint32_t b, uint32_t c = 0) {
    batch_.a[n_] = a;
    batch_.b[n_] = b;
    batch_.c[n_] = c;
    if (++n_ == 32) flush();
  }

 private:
  void flush() {
    if (n_ == 0) return;
    batch_.executing = n_ == 32 ? 0xffffffffu : (1u << n_) - 1;
    lane_execute(word_, batch_);
    check(form_, batch_);
    n_ = 0;
  }
  Form form_;
  isa::Word word_;
  LaneBatch batch_;
  uint32_t n_ = 0;
};

/// Operands that the operation is made for: SIN and COS keep to the range of their stated error.
uint32_t fitting(Op op, uint32_t v) {
  if (op != Op::SIN && op != Op::COS) return v;
  return (v & 0x7fffffffu) > 0x40c90fdau && (v << 1) < 0xff000000u ? v & 0xbfffffffu : v;
}

TEST(Special, AllOperationsAreThere) {
  const auto all = forms();
  EXPECT_EQ(all.size(), 6u + 3 + 2 + 4 * 2 + 3 + 4 * 3 + 4 + 4 * 3) << "operations and types of isa.toml";
}

TEST(Special, FunctionsOnCorners) {
  std::vector<uint32_t> values(float_corners.begin(), float_corners.end());
  values.insert(values.end(), int_corners.begin(), int_corners.end());
  for (uint32_t n = 0; n < 32; ++n)
    for (const uint32_t v : {1u << n, ~(1u << n), (1u << n) - 1, ~0u << n}) values.push_back(v);
  for (const auto& f : forms()) {
    if (is_crosslane(f.op)) continue;
    Batches batches(f);
    for (const uint32_t a : values)
      for (const uint32_t b : isa::info(f.op).srcs_b ? values : std::vector<uint32_t>{0}) batches.add(fitting(f.op, a), b);
  }
}

TEST(Special, FunctionsOnRandomOperands) {
  Random r(11);
  for (const auto& f : forms()) {
    if (is_crosslane(f.op)) continue;
    Batches batches(f);
    for (int n = 0; n < 20000; ++n) {
      const auto [x, y] = add_operands(r);
      // Integers: also small divisors and quotients of a few bits.
      const uint32_t a = r.below(2) == 0 ? x : r.next(), b = r.below(2) == 0 ? y : r.next() >> r.below(32);
      batches.add(fitting(f.op, r.below(4) == 0 ? make_float(r, 100 + static_cast<int>(r.below(60))) : a), b);
    }
  }
}

TEST(Special, EveryHalfUnpacksAndPacksBack) {
  const W low = alu(Op::UPHL, Type::F32).dst(4).a(1), high = alu(Op::UPHH, Type::F32).dst(4).a(1), pack = alu(Op::PKH, Type::F32).dst(4).a(1).b(2);
  for (uint32_t h = 0; h < 65536; ++h) {
    const uint32_t l = lane_execute(low, h | 0xabcd0000u, 0, 0).value, u = lane_execute(high, h << 16 | 0x1234, 0, 0).value;
    ASSERT_EQ(l, u) << h;
    const bool nan = (h & 0x7fff) > 0x7c00;
    ASSERT_EQ(lane_execute(pack, l, 0, 0).value, nan ? 0x7e00u : h) << h;
    ASSERT_EQ(lane_execute(pack, 0, u, 0).value, (nan ? 0x7e00u : h) << 16) << h;
  }
}

TEST(Special, VotesAndShufflesOnRandomWaves) {
  Random r(12);
  for (const auto& f : forms()) {
    if (!is_crosslane(f.op)) continue;
    const isa::Word w = special_word(f);
    ASSERT_FALSE(isa::bad_word(w, false)) << name(f);
    for (int n = 0; n < 3000; ++n) {
      LaneBatch b;
      b.executing = n % 4 == 0 ? 0xffffffffu : n % 4 == 1 ? 1u << r.below(32) : r.next() & (n % 8 < 6 ? 0xffffffffu : r.next());
      if (b.executing == 0) b.executing = 1;
      const uint32_t mood = r.below(6), same = r.next();
      for (uint32_t t = 0; t < 32; ++t) {
        b.a[t] = mood == 0 ? 0 : mood == 1 ? (r.below(16) == 0 ? r.next() : 0) : mood == 2 ? r.next() : mood == 3 ? 0x80000000u : mood == 4 ? 0x7fc00000u : same;
        b.b[t] = mood == 5 ? same : r.below(3) == 0 ? r.next() : r.below(32);
        // Clamp and segment as compilers print them, or anything.
        b.c[t] = r.below(3) == 0 ? r.next() : r.below(2) == 0 ? 0x1f : (32 - (2u << r.below(5))) << 8 | (r.below(2) == 0 ? 0x1f : 0);
      }
      lane_execute(w, b);
      check(f, b);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Special, NegativeZeroIsZeroForFloatVotesOnly) {
  LaneBatch b;
  b.a.fill(0x80000000u);
  lane_execute(special_word({Op::TGANY, Type::F32}), b);
  EXPECT_EQ(b.value[7], 0u);
  lane_execute(special_word({Op::TGANY, Type::S32}), b);
  EXPECT_EQ(b.value[7], 0xffffffffu);
  b.a.fill(0x7fc00000u);
  lane_execute(special_word({Op::TGALL, Type::F32}), b);
  EXPECT_EQ(b.value[7], 0x3f800000u) << "a NaN is not zero";
}

TEST(Special, ShuffleWithMaskZeroReachesThreads) {
  // SHFUP with clamp and segment 0, as compilers print it: thread t gets t - 1, thread 0 its own.
  LaneBatch b;
  for (uint32_t t = 0; t < 32; ++t) b.a[t] = 100 + t;
  b.b.fill(1);
  lane_execute(special_word({Op::SHFUP, Type::U32}), b);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(b.value[t], t == 0 ? 100 : 99 + t);
  lane_execute(special_word({Op::RNGUP, Type::U32}), b);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(b.value[t], t == 0 ? 0u : 0xffffffffu);
}

// --------------------------------------------------------------------------------------------------------- whole waves
isa::Word byte_index(uint32_t dst) { return alu(Op::SHL).dst(dst).a(isa::Special::LOCALINDEX).b_imm(2); }

/// Registers 1, 2, 3 from the buffer, 4 = a mark; then the word in threads of `active`, with a predicate that holds in `chosen`.
Kernel wave_kernel(const isa::Word& w, const std::vector<uint32_t>& sources, uint32_t active, uint32_t chosen) {
  Kernel k;
  k.buffer(512, sources).add(byte_index(5));
  for (uint32_t n = 0; n < 3; ++n) k.add(mem(Op::LDB).a(5).offset(128 * n).slot(1).dst(1 + n));
  k.add(mov(4, 0xdeadbeef)).add(mov(6, active)).add(mov(7, chosen)).add(fence(Op::FENCE_AXI).wait(1).acquire()).add(flow(Op::NOP).wait(1));
  // CC0.x: NE in active threads; CC1.y: NE in chosen ones.
  for (uint32_t n = 0; n < 2; ++n) {
    k.add(alu(Op::SHR).dst(8).a(6 + n).b(isa::Special::LOCALINDEX));
    k.add(alu(Op::AND).a(8).b_imm(1).cc(n, n));
  }
  k.add(flow(Op::JUMP).pred(isa::Test::NE, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(k.here() + 3));
  k.add(w);
  k.add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(k.here() + 1));
  k.observe({4});
  return k;
}

TEST(Special, ActiveThreadsAndPredicates) {
  Random r(13);
  for (const auto& f : forms())
    for (int n = 0; n < 12; ++n) {
      std::vector<uint32_t> sources(96);
      for (uint32_t t = 0; t < 96; ++t) sources[t] = t < 32 ? (r.below(3) == 0 ? 0 : fitting(f.op, make_float(r, 110 + static_cast<int>(r.below(18))))) : t < 64 ? r.below(32) : 0x1f;
      const uint32_t active = n < 3 ? 0xffffffffu : r.next() | 1, chosen = n % 3 == 0 ? 0xffffffffu : r.next();
      const isa::Word w = special_word(f).pred(isa::Test::NE, 1, 2);
      const Outcome o = wave_kernel(w, sources, active, chosen).run();
      ASSERT_TRUE(o.result.ok()) << name(f);
      WaveSources s;
      s.executing = active;
      for (uint32_t t = 0; t < 32; ++t) {
        s.a[t] = sources[t];
        s.b[t] = sources[32 + t];
        s.c[t] = sources[64 + t];
      }
      for (uint32_t t = 0; t < 32; ++t) {
        const uint32_t got = o.out[0][t];
        if (((active & chosen) >> t & 1) == 0) {
          ASSERT_EQ(got, 0xdeadbeefu) << name(f) << " thread " << t;
        } else if (is_near_function(f.op)) {
          ASSERT_TRUE(function_near(f.op, s.a[t], got)) << name(f);
        } else {
          ASSERT_EQ(got, is_crosslane(f.op) ? crosslane_expected(f.op, f.type, s, t) : function_expected(f.op, f.type, s.a[t], s.b[t])) << name(f) << " thread " << t;
        }
      }
      EXPECT_EQ(o.result.counter(isa::Counter::WordsSpecial), 1u);
    }
}

TEST(Special, ThreadsBeyondTheGroupDoNotVote) {
  Kernel k(20);
  k.add(mov(1, 1)).add(alu(Op::TGALL, Type::U32).dst(2).a(1)).add(alu(Op::TGBALLOT, Type::U32).dst(3).a(1)).observe({2, 3});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 20; ++t) {
    EXPECT_EQ(o.out[0][t], 0xffffffffu);
    EXPECT_EQ(o.out[1][t], 0x000fffffu);
  }
  EXPECT_EQ(o.result.counter(isa::Counter::WordsSpecial), 2u);
  EXPECT_EQ(o.result.counter(isa::Counter::WordsAlu), 4u) << "words of the special unit are ALU words; one SHL is the epilogue's";
}

TEST(Special, SourcesOfEveryFileAndTheRegisterWindow) {
  Kernel k;
  k.program.registers = 16;
  k.program.constants = {{ConstantSource::Kind::Literal, 7, 0, 0}};
  k.add(mov(5, 1)).add(alu(Op::MOVA, Type::S32).a(5)).add(mov(3, 60)).add(mov(4, 9));
  k.add(alu(Op::DIV, Type::U32).dst(1).a_rel(2).b_const(0));                            // register 3: 60 / 7
  k.add(alu(Op::MOD, Type::U32).dst(2).a(isa::Special::LOCALINDEX).b_imm(5));
  k.add(alu(Op::DIV, Type::U32).dst(16).a_imm(1).b(4));                                 // outside the window: not written
  k.add(alu(Op::BTC, Type::U32).dst(6).a(16)).observe({1, 2, 6});                       // outside: reads 0
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok()) << isa::to_string(o.result.fault.code);
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(o.out[0][t], 8u);
    EXPECT_EQ(o.out[1][t], t % 5);
    EXPECT_EQ(o.out[2][t], 0u);
  }
}

TEST(Special, ResultMayReplaceASource) {
  Kernel k;
  k.add(index_to(1)).add(mov(2, 1)).add(mov(3, 0x1f)).add(alu(Op::SHFDOWN).dst(1).a(1).b(2).c(3)).observe({1});
  const Outcome o = k.run();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[0][t], t == 31 ? 31 : t + 1);
}

TEST(Special, PendingRegistersAreNotUsed) {
  const auto kernel = [](const isa::Word& w) {
    Kernel k;
    k.buffer(64, {1}).add(mem(Op::LDB).absolute(0).slot(1).dst(1)).add(w);
    return k;
  };
  EXPECT_EQ(kernel(alu(Op::BTC).dst(2).a(1)).fault(isa::Fault::SEM_USE).pc, 1u) << "source a";
  EXPECT_EQ(kernel(alu(Op::DIV).dst(2).a(3).b(1)).fault(isa::Fault::SEM_USE).pc, 1u) << "source b";
  EXPECT_EQ(kernel(alu(Op::RNGIDX).dst(2).b(3).c(1)).fault(isa::Fault::SEM_USE).pc, 1u) << "source c";
  EXPECT_EQ(kernel(alu(Op::BTC).dst(1).a(2)).fault(isa::Fault::SEM_USE).pc, 1u) << "destination";
  // RNG words have no source a: register 0 does not matter to them.
  Kernel k;
  k.buffer(64, {1}).add(mem(Op::LDB).absolute(0).slot(1).dst(0)).add(alu(Op::RNGIDX).dst(2).b(3).c(4)).add(fence(Op::FENCE_AXI).wait(1).acquire());
  EXPECT_TRUE(k.run().result.ok());
  // The word itself may wait.
  Kernel waits;
  waits.buffer(64, {0xff}).add(mem(Op::LDB).absolute(0).slot(1).dst(1).wait(1).acquire()).add(alu(Op::BTC).dst(2).a(1).wait(1)).observe({2});
  const Outcome o = waits.run();
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.out[0][0], 8u);
}

TEST(Special, WordsWithoutActiveThreads) {
  // IF with all threads inside, ELSE: nobody is active, the word retires and writes nothing.
  Kernel k;
  k.add(mov(1, 5)).add(mov(2, 3));
  k.add(flow(Op::JUMP).any().func(func::never).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(k.here() + 1));
  k.add(flow(Op::JUMP).any().b_else().func(func::never).target(k.here() + 1));
  k.add(alu(Op::TGANY).dst(2).a(1));
  k.add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(k.here() + 1)).observe({2});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok()) << isa::to_string(o.result.fault.code);
  EXPECT_EQ(o.result.counter(isa::Counter::WordsSpecial), 1u);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[0][t], 3u);
}

}  // namespace
}  // namespace maskwork::test
