// Execution of ALU words in a wave: predicates, condition codes, chains, relative operands, the register window, ids and fill.
#include "kernel.hpp"
#include "maskwork/lane.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using isa::Type;

/// Sets CC0.x of each thread from its number minus `v`.
isa::Word compare_index(uint32_t v) { return alu(Op::ADD, Type::S32).a(isa::Special::LOCALINDEX).b_imm(v).neg_b().cc(0, 0); }

TEST(Execution, PredicateGatesTheRegister) {
  Kernel k;
  k.add(mov(1, 7)).add(compare_index(10)).add(alu(Op::MOV).dst(1).a_imm(9).pred(isa::Test::LT, 0, 1)).observe({1});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[0][t], t < 10 ? 9u : 7u);
}

TEST(Execution, PredicateGatesConditionCodesAndOldValueIsTested) {
  Kernel k;
  k.add(compare_index(10));
  // Where LT held the code becomes that of 1 (GT), and the word itself still sees LT.
  k.add(alu(Op::MOV, Type::S32).dst(1).a_imm(1).cc(0, 0).pred(isa::Test::LT, 0, 1));
  k.add(mov(2, 0)).add(alu(Op::MOV).dst(2).a_imm(5).pred(isa::Test::LT, 0, 1));
  k.add(mov(3, 0)).add(alu(Op::MOV).dst(3).a_imm(6).pred(isa::Test::GT, 0, 1));
  k.observe({1, 2, 3});
  const Outcome o = k.run(filled(FillMode::Zero));
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(o.out[0][t], t < 10 ? 1u : 0u);
    EXPECT_EQ(o.out[1][t], 0u);
    EXPECT_EQ(o.out[2][t], t == 10 ? 0u : 6u) << t;
  }
}

TEST(Execution, AllComponentsAndRegistersOfConditionCodes) {
  Kernel k;
  for (uint32_t cc = 0; cc < 3; ++cc)
    for (uint32_t comp = 0; comp < 4; ++comp) {
      const uint32_t v = cc * 4 + comp;
      k.add(alu(Op::ADD, Type::S32).a(isa::Special::LOCALINDEX).b_imm(v).neg_b().cc(cc, comp));
    }
  for (uint32_t v = 0; v < 12; ++v) k.add(mov(v, 0)).add(alu(Op::MOV).dst(v).a_imm(1).pred(isa::Test::EQ, v / 4, 1u << (v % 4)));
  k.observe({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t v = 0; v < 12; ++v)
    for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[v][t], t == v ? 1u : 0u);
}

TEST(Execution, ChainedAdditionOf64Bits) {
  Kernel k;
  // (2^32 - 16 + t) + 16 carries from t = 0 on... so low words are 0xfffffff0 + t, added to 0x0000000f: carry for t >= 1.
  k.add(alu(Op::ADD).dst(1).a(isa::Special::LOCALINDEX).b_imm(0xfffffff0)).add(mov(2, 5)).add(mov(3, 7));
  k.add(alu(Op::ADD).dst(4).a(1).b_imm(15).cc(2, 1));
  k.add(alu(Op::ADD).dst(5).a(2).b(3).cc(2, 1).chain_carry(1).chain_zero(1));
  k.add(mov(6, 0)).add(alu(Op::MOV).dst(6).a_imm(1).pred(isa::Test::EQ, 2, 2));
  // The difference 2^32 * (7 - 7) + (t - 0xfffffff0 ...): high = 7 - 7 - borrow.
  k.add(alu(Op::ADD).dst(7).a(isa::Special::LOCALINDEX).b_imm(3).neg_b().cc(2, 0));
  k.add(alu(Op::ADD).dst(8).a(3).b(3).neg_b().chain_carry(0));
  k.observe({4, 5, 6, 7, 8});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 16; ++t) {
    const uint64_t sum = ((uint64_t{5} << 32) | (0xfffffff0u + t)) + ((uint64_t{7} << 32) | 15);
    EXPECT_EQ(o.out[0][t], static_cast<uint32_t>(sum));
    EXPECT_EQ(o.out[1][t], static_cast<uint32_t>(sum >> 32));
    EXPECT_EQ(o.out[2][t], 0u) << "the 64-bit sum is not zero";
    EXPECT_EQ(o.out[4][t], t < 3 ? 0xffffffffu : 0u);
  }
}

TEST(Execution, ChainedZeroFlagNeedsBothWords) {
  Kernel k;
  k.add(alu(Op::MOV).a(isa::Special::LOCALINDEX).cc(2, 3));  // zero for thread 0
  k.add(alu(Op::AND).dst(1).a(isa::Special::LOCALINDEX).b_imm(1).cc(2, 3).chain_zero(3));
  k.add(mov(2, 0)).add(alu(Op::MOV).dst(2).a_imm(1).pred(isa::Test::EQ, 2, 8)).observe({2});
  const Outcome o = k.run();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[0][t], t == 0 ? 1u : 0u);
}

TEST(Execution, RelativeOperandsAndTheWindow) {
  Kernel k;
  k.program.registers = 16;
  for (uint32_t r = 0; r < 8; ++r) k.add(mov(r, 100 + r));
  // A0 = index - 4: thread t reads register 2 + t - 4; registers 8..14 are 0, beyond the window and below 0 it is 0 too.
  for (uint32_t r = 8; r < 16; ++r) k.add(mov(r, 0));
  k.add(alu(Op::ADD, Type::S32).dst(9).a(isa::Special::LOCALINDEX).b_imm(4).neg_b()).add(alu(Op::MOVA, Type::S32).a(9));
  k.add(alu(Op::MOV).dst(10).a_rel(2));
  // Writes register 12 + A0 for threads 0..6 (8..14); thread 7 would write 15, the others nothing.
  k.add(alu(Op::MOV).dst_rel(12).a_imm(77)).observe({10, 8, 11, 14, 9});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 32; ++t) {
    const int reg = static_cast<int>(t) - 2;
    const uint32_t read = reg >= 0 && reg < 8 ? 100 + static_cast<uint32_t>(reg) : reg == 9 ? t - 4 : 0;
    if (t != 2) {  // thread 2's write goes to register 10
      EXPECT_EQ(o.out[0][t], read) << t;
    }
    EXPECT_EQ(o.out[1][t], t == 0 ? 77u : 0u) << t;
    EXPECT_EQ(o.out[2][t], t == 3 ? 77u : 0u) << t;
    EXPECT_EQ(o.out[3][t], t == 6 ? 77u : 0u) << t;
    EXPECT_EQ(o.out[4][t], t == 1 ? 77u : t - 4) << t;
  }
}

TEST(Execution, DirectRegistersOutsideTheWindow) {
  Kernel k(64);  // what lies behind the first wave's window is the second wave's
  k.program.registers = 16;
  k.add(mov(16, 5)).add(alu(Op::ADD).dst(1).a(16).b_imm(3)).add(alu(Op::ADD).dst(1000).a(1).b(1)).observe({0, 1});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.out[1][0], 3u);
  EXPECT_NE(o.out[0][32], 5u);
}

TEST(Execution, AddressRegisterSaturates) {
  Kernel k;
  k.program.registers = 1024;
  k.program.group_size = {32, 1, 1};
  k.add(mov(1, 0x7fffffff)).add(alu(Op::MOVA, Type::S32).a(1)).add(mov(2, 1)).add(alu(Op::MOV).dst(2).a_rel(0));
  k.add(alu(Op::MOVA, Type::U32).a_imm(0xffffffff)).add(mov(3, 1)).add(alu(Op::MOV).dst(3).a_rel(0));
  k.add(alu(Op::MOVA, Type::S32).a_imm(0xffffffff)).add(mov(4, 44)).add(alu(Op::MOV).dst(5).a_rel(5));
  k.observe({2, 3, 5});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.out[0][0], 0u);
  EXPECT_EQ(o.out[1][0], 0u);
  EXPECT_EQ(o.out[2][0], 44u);
}

TEST(Execution, LoopIndexAndCallDepthAsRelativeIndex) {
  Kernel k;
  k.program.full_flow = true;
  for (uint32_t r = 0; r < 8; ++r) k.add(mov(r, 0));
  // LOOP 3 with aL = 1, 3, 5: writes registers 1, 3, 5 with 9; inside a REP the aL stays that of the surroundings.
  k.add(flow(Op::LOOP).count(3).al(1, 2).target(k.here() + 4));
  k.add(flow(Op::REP).count(1).target(k.here() + 3));
  k.add(alu(Op::MOV).dst_rel(0).a_imm(9).rel(isa::Rel::AL));
  k.add(flow(Op::ENDREP).any().func(func::always).target(k.here() - 1));
  k.add(flow(Op::ENDLOOP).any().func(func::always).target(k.here() - 3));
  // Without a loop aL is 0.
  k.add(alu(Op::MOV).dst_rel(7).a_imm(8).rel(isa::Rel::AL));
  // Depth 1 inside a call.
  const uint32_t call = k.here();
  k.add(flow(Op::JUMP).any().func(func::always).a_op(isa::Aop::PUSHR).target(call + 2));
  k.add(flow(Op::JUMP).any().func(func::always).target(call + 4));
  k.add(alu(Op::MOV).dst_rel(5).a_imm(6).rel(isa::Rel::DEPTH));
  k.add(flow(Op::JUMP).func(func::always).a_op(isa::Aop::POP));
  k.observe({0, 1, 2, 3, 4, 5, 6, 7});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok()) << isa::to_string(o.result.fault.code) << " at " << o.result.fault.pc;
  const uint32_t want[8] = {0, 9, 0, 9, 0, 9, 6, 8};
  for (uint32_t r = 0; r < 8; ++r) EXPECT_EQ(o.out[r][5], want[r]) << "register " << r;
}

TEST(Execution, WriteInactiveKeepsThePredicate) {
  Kernel k;
  k.program.full_flow = true;
  k.add(mov(1, 0)).add(mov(2, 0)).add(compare_index(8));
  // IF index < 8.
  k.add(flow(Op::JUMP).pred(isa::Test::LT, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(7));
  k.add(alu(Op::MOV).dst(1).a_imm(1));
  k.add(alu(Op::MOV).dst(2).a_imm(1).write_inactive().pred(isa::Test::GT, 0, 1));
  k.add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(7));
  k.observe({1, 2});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(o.out[0][t], t < 8 ? 1u : 0u);
    EXPECT_EQ(o.out[1][t], t > 8 ? 1u : 0u);
  }
  // lane_ops: 3 words x 32, one of 8, one of all live threads; the epilogue has 3 memory or ALU words.
  EXPECT_EQ(o.result.counter(isa::Counter::LaneOps), 3u * 32 + 8 + 32 + 3 * 32);
  EXPECT_EQ(o.result.counter(isa::Counter::WordsFlow), 3u);
  EXPECT_EQ(o.result.counter(isa::Counter::WordsMemory), 2u);
}

TEST(Execution, WriteInactiveWithoutPredicate) {
  Kernel k;
  k.add(mov(1, 0)).add(mov(2, 0)).add(compare_index(8));
  k.add(flow(Op::JUMP).pred(isa::Test::LT, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(7));
  k.add(alu(Op::MOV).dst(1).a_imm(1)).add(alu(Op::MOV).dst(2).a_imm(1).write_inactive());
  k.add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(7)).observe({1, 2});
  const Outcome o = k.run();
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(o.out[0][t], t < 8 ? 1u : 0u);
    EXPECT_EQ(o.out[1][t], 1u);
  }
}

TEST(Execution, PlainWordsAndWordsWithConditionCodesAgree) {
  // Words with nothing but sources take a short way through the model; lane_execute() does not.
  for (unsigned code = 1; code < 23; ++code)
    for (uint32_t type = 0; type < 3; ++type)
      for (uint32_t signs = 0; signs < 8; ++signs) {
        const auto op = static_cast<Op>(code);
        W w = alu(op, static_cast<Type>(type)).dst(4).a(1);
        const isa::OpInfo& info = isa::info(op);
        if (info.srcs_b) w.b(2);
        if (info.srcs_c) w.c(3);
        if ((signs & 1) != 0) w.neg_a();
        if ((signs & 2) != 0) w.neg_b();
        if ((signs & 4) != 0) w.neg_c();
        if (isa::bad_word(w, false)) continue;
        Kernel k;
        k.add(w).observe({1, 2, 3, 4});
        for (uint32_t seed = 1; seed < 9; ++seed) {  // the pattern's exponents differ little inside one wave
          const Outcome o = k.run(filled(FillMode::Pattern, seed * 0x9e3779b9u));
          ASSERT_TRUE(o.result.ok());
          for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[3][t], lane_execute(w, o.out[0][t], o.out[1][t], o.out[2][t]).value) << isa::to_string(op);
        }
      }
}

TEST(Execution, IdsAndUniformValues) {
  using isa::Special;
  using isa::Uniform;
  Kernel k;
  k.program.group_size = {5, 3, 4};  // 60 threads: the second wave is not full
  k.add(alu(Op::MOV).dst(0).a(Special::LOCALID_X)).add(alu(Op::MOV).dst(1).a(Special::LOCALID_Y)).add(alu(Op::MOV).dst(2).a(Special::LOCALID_Z));
  k.add(alu(Op::MOV).dst(3).a(Special::THREADID)).add(alu(Op::MOV).dst(4).a(Uniform::GROUPID_Y)).add(alu(Op::MOV).dst(5).a(Uniform::GROUPCOUNT_Z));
  k.add(alu(Op::MOV).dst(6).a(Uniform::GROUPSIZE_X)).add(alu(Op::ADD).dst(7).a(Special::LOCALID_Y).b(Uniform::GROUPBASE_Y));
  k.observe({0, 1, 2, 3, 4, 5, 6, 7});
  // Each group overwrites the last one's values: the highest group's stay.
  const Outcome o = k.run({}, "base", {2, 3, 4});
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.result.counter(isa::Counter::Groups), 24u);
  for (uint32_t t = 0; t < 60; ++t) {
    EXPECT_EQ(o.out[0][t], t % 5);
    EXPECT_EQ(o.out[1][t], t / 5 % 3);
    EXPECT_EQ(o.out[2][t], t / 15);
    EXPECT_EQ(o.out[3][t], t % 32);
    EXPECT_EQ(o.out[4][t], 2u);
    EXPECT_EQ(o.out[5][t], 4u);
    EXPECT_EQ(o.out[6][t], 5u);
    EXPECT_EQ(o.out[7][t], t / 5 % 3 + 6);
  }
}

uint32_t shifted(uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ (x << 5);
}

/// The pattern of docs/semantics.md, "Launch fill".
uint32_t pattern(uint32_t seed, uint32_t number, uint32_t thread, uint32_t space, uint32_t index) {
  return shifted(shifted(seed + number) ^ (space << 24) ^ index) ^ thread ^ (thread << 11) ^ (thread << 22);
}

TEST(Execution, LaunchFill) {
  Kernel k(64);
  k.program.shared_bytes = 64;
  k.add(alu(Op::MOV).dst(14).a_rel(3));  // register 3 + A0, 0 outside the window
  for (uint32_t v = 0; v < 3; ++v) k.add(mov(10 + v, 0)).add(alu(Op::MOV).dst(10 + v).a_imm(1).pred(isa::Test::CF, v, 1u << v));
  k.add(mem(Op::LDS).absolute(8).dst(9).wait(2).acquire()).add(flow(Op::NOP).wait(2));
  k.observe({0, 7, 14, 10, 11, 12, 9});
  const DispatchOptions options = filled(FillMode::Pattern, 0x1234);
  const Outcome o = k.run(options);
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(o.out[0][t], pattern(0x1234, 0, t, 0, 0));
    EXPECT_EQ(o.out[1][t], pattern(0x1234, 0, t, 0, 7));
    const int32_t a0 = static_cast<int32_t>(pattern(0x1234, 0, t, 2, 0) << 20) >> 20;
    const int32_t reg = 3 + a0;
    EXPECT_EQ(o.out[2][t], reg >= 0 && reg < 16 ? pattern(0x1234, 0, t, 0, static_cast<uint32_t>(reg)) : 0) << t;
    for (uint32_t v = 0; v < 3; ++v) EXPECT_EQ(o.out[3 + v][t], (pattern(0x1234, 0, t, 1, 5 * v) >> 3) & 1) << t;
    EXPECT_EQ(o.out[6][t], pattern(0x1234, 0, 0, 3, 2));
  }
  const Outcome zero = k.run(filled(FillMode::Zero));
  EXPECT_EQ(zero.out[0][5], 0u);
  EXPECT_EQ(zero.out[6][5], 0u);
  // The launch number is part of the pattern.
  const Outcome second = k.run(options, "base", {2, 1, 1});
  EXPECT_EQ(second.out[0][9], pattern(0x1234, 1, 9, 0, 0));
}

TEST(Execution, ConstantsParametersAndTheirTable) {
  Kernel k;
  k.program.constants = {{ConstantSource::Kind::Literal, 11, 0, 0}, {ConstantSource::Kind::Local, 0, 255, 3}, {ConstantSource::Kind::Env, 0, 0, 1}};
  k.add(alu(Op::MOV).dst(0).a_const(0)).add(alu(Op::MOV).dst(1).a_const(1)).add(alu(Op::MOV).dst(2).a_const(2)).observe({0, 1, 2});
  Outcome o = k.run();
  EXPECT_EQ(o.out[0][0], 11u);
  EXPECT_EQ(o.out[1][0], 0u);
  o.device->set_local(255, {1, 2, 3, 4});
  o.device->set_env(0, {5, 6, 7, 8});
  ASSERT_TRUE(o.device->dispatch(1, 1, 1).ok());
  const uint32_t out = o.buffer - 512;  // 3 x 32 words, in whole pages of 256
  EXPECT_EQ(o.device->memory().load32(out), 11u);
  EXPECT_EQ(o.device->memory().load32(out + 128), 4u);
  EXPECT_EQ(o.device->memory().load32(out + 256), 6u);
}

}  // namespace
}  // namespace maskwork::test
