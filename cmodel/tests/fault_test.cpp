// Faults, semaphores, barriers: what ends a dispatch, with which code, where, and what must not.
#include "kernel.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using isa::Type;
using Code = isa::Fault;

isa::Word jump_always(uint32_t to) { return flow(Op::JUMP).any().func(func::always).target(to); }
isa::Word less_than(uint32_t v, uint32_t component = 0) {
  return alu(Op::ADD, Type::S32).a(isa::Special::LOCALINDEX).b_imm(v).neg_b().cc(0, component);
}
/// IF CC0.x < 0, without ELSE; `to` is behind the ENDIF.
isa::Word if_less(uint32_t to) { return flow(Op::JUMP).pred(isa::Test::LT, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(to); }
isa::Word endif(uint32_t next) { return flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(next); }

TEST(Fault, BadWordNamesThreadsAndPlace) {
  Kernel k(40);
  k.add(mov(1, 0)).add(isa::Word{});
  const Outcome o = k.run({}, "base", {3, 2, 1});
  EXPECT_EQ(o.result.fault, (Fault{Code::BAD_WORD, {0, 0, 0}, 0, 1, 0xffffffffu}));
  EXPECT_EQ(o.result.counter(isa::Counter::Words), 1u) << "the faulting word is not retired";
}

TEST(Fault, ProgramCounterRange) {
  Kernel k;
  k.append_end = false;
  k.add(jump_always(100));
  EXPECT_EQ(k.fault(Code::PC_RANGE).pc, 100u);
  Kernel behind;
  behind.append_end = false;
  behind.add(mov(1, 1)).add(mov(2, 2));
  EXPECT_EQ(behind.fault(Code::PC_RANGE).pc, 2u);
}

TEST(Fault, WordBudget) {
  Kernel k;
  k.add(jump_always(0));
  DispatchOptions options;
  options.word_budget = 1000;
  EXPECT_EQ(k.fault(Code::WORD_BUDGET, options).pc, 0u);
  // Exactly the budget is allowed; ALU words in a row count one by one.
  Kernel line;
  for (int n = 0; n < 9; ++n) line.add(mov(1, 1));
  options.word_budget = 10;
  EXPECT_TRUE(line.run(options).result.ok());
  options.word_budget = 9;
  EXPECT_EQ(line.fault(Code::WORD_BUDGET, options).pc, 9u);
  options.word_budget = 5;
  EXPECT_EQ(line.fault(Code::WORD_BUDGET, options).pc, 5u);
}

TEST(Fault, StackOverflows) {
  Kernel partial;
  for (uint32_t n = 0; n < 6; ++n) partial.add(if_less(20));
  partial.add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 6)).add(alu(Op::MOV, Type::S32).a_imm(0xffffffff).cc(0, 0));
  partial.program.words.insert(partial.program.words.begin(), alu(Op::MOV, Type::S32).a_imm(0xffffffff).cc(0, 0));
  EXPECT_TRUE(partial.run().result.ok()) << "six levels are allowed";
  partial.program.words.insert(partial.program.words.begin() + 1, if_less(20));
  EXPECT_EQ(partial.fault(Code::STACK_OVERFLOW).pc, 7u);

  Kernel recursion;
  recursion.program.full_flow = true;
  recursion.add(flow(Op::JUMP).any().func(func::always).a_op(isa::Aop::PUSHR).target(0));
  recursion.fault(Code::STACK_OVERFLOW);

  Kernel loops;
  loops.program.full_flow = true;
  loops.add(flow(Op::REP).endless().target(9)).add(jump_always(0));
  loops.fault(Code::STACK_OVERFLOW);

  Kernel levels;
  levels.program.full_flow = true;
  levels.add(flow(Op::JUMP).any().b_ops(isa::Bop::INCR, isa::Bop::NONE)).add(jump_always(0));
  levels.fault(Code::STACK_OVERFLOW);
}

TEST(Fault, StackUnderflows) {
  const auto faults = [](const isa::Word& w) {
    Kernel k;
    k.program.full_flow = true;
    k.add(w);
    EXPECT_EQ(k.fault(Code::STACK_UNDERFLOW).pc, 0u);
  };
  faults(flow(Op::ENDREP).any().func(func::always));
  faults(flow(Op::ENDLOOP).any().func(func::always));
  faults(flow(Op::BREAKREP).func(func::always));
  faults(flow(Op::CONT).func(func::always));
  faults(flow(Op::JUMP).b_else());
  faults(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1));
  faults(flow(Op::JUMP).func(func::always).a_op(isa::Aop::POP));
}

TEST(Fault, StackMismatches) {
  const auto faults = [](std::vector<isa::Word> words, uint32_t pc) {
    Kernel k;
    k.program.full_flow = true;
    for (const auto& w : words) k.add(w);
    EXPECT_EQ(k.fault(Code::STACK_MISMATCH).pc, pc);
  };
  const isa::Word level = flow(Op::JUMP).any().b_ops(isa::Bop::INCR, isa::Bop::NONE), rep = flow(Op::REP).endless().target(9);
  faults({rep, flow(Op::ENDLOOP).any().func(func::always)}, 1);
  faults({rep, level, flow(Op::ENDREP).any().func(func::always)}, 2);
  faults({rep, flow(Op::BREAKLOOP).func(func::always)}, 1);
  faults({rep, level, flow(Op::BREAKREP).func(func::always)}, 2);
  faults({flow(Op::JUMP).any().func(func::always).a_op(isa::Aop::PUSHR).target(1), level, flow(Op::JUMP).func(func::always).a_op(isa::Aop::POP)}, 2);
  // A loop of the caller left open below the callee's frame.
  faults({rep, flow(Op::JUMP).any().func(func::always).a_op(isa::Aop::PUSHR).target(2), flow(Op::BREAKREP).func(func::always).target(3),
          flow(Op::JUMP).func(func::always).a_op(isa::Aop::POP)}, 3);
}

TEST(Fault, EndDepth) {
  Kernel k;
  k.add(alu(Op::MOV, Type::S32).a_imm(0xffffffff).cc(0, 0)).add(if_less(2));
  EXPECT_EQ(k.fault(Code::END_DEPTH).pc, 2u);
  Kernel loop;
  loop.program.full_flow = true;
  loop.add(flow(Op::REP).count(2).target(9));
  loop.fault(Code::END_DEPTH);
  Kernel call;
  call.program.full_flow = true;
  call.add(flow(Op::JUMP).any().func(func::always).a_op(isa::Aop::PUSHR).target(1));
  call.fault(Code::END_DEPTH);
}

TEST(Fault, ReturnInMainEndsThreadsEvenInsideBlocks) {
  Kernel k;
  k.program.full_flow = true;
  k.add(alu(Op::MOV, Type::S32).a_imm(0xffffffff).cc(0, 0)).add(if_less(3)).add(flow(Op::RETL).func(func::always)).add(isa::Word{});
  EXPECT_TRUE(k.run().result.ok()) << "nobody is left to reach the bad word";
}

TEST(Fault, StaleAluBit) {
  const isa::Word compare = alu(Op::SLT, Type::U32).a(isa::Special::LOCALINDEX).b_imm(4).alu_we();
  const isa::Word branch = flow(Op::JUMP).func(func::alu_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(2);
  Kernel k;
  k.add(compare).add(branch).add(endif(3));
  EXPECT_TRUE(k.run().result.ok());
  Kernel stale;
  stale.add(compare).add(flow(Op::NOP)).add(branch);
  EXPECT_EQ(stale.fault(Code::STALE_ALU).pc, 2u);
  Kernel never;
  never.add(branch);
  never.fault(Code::STALE_ALU);
  Kernel unread;  // a function that does not depend on the bit
  unread.add(flow(Op::JUMP).func(func::pred_true).pred(isa::Test::FL).target(1));
  EXPECT_TRUE(unread.run().result.ok());
}

// ---------------------------------------------------------------------------------------------------------- semaphores
TEST(Semaphore, AcquireNeedsWaitOnTheSameWord) {
  Kernel k;
  k.add(mem(Op::LDB).absolute(0).slot(1).dst(1).acquire());
  EXPECT_EQ(k.fault(Code::SEMAPHORE).pc, 0u);
  Kernel other;  // WAIT on the other memory's semaphore does not count
  other.add(mem(Op::LDB).absolute(0).slot(1).dst(1).acquire().wait(2));
  other.fault(Code::SEMAPHORE);
  Kernel shared;
  shared.add(mem(Op::LDS).absolute(0).dst(1).acquire().wait(1));
  shared.fault(Code::SEMAPHORE);
  Kernel twice;  // a second ACQUIRE is legal with its own WAIT
  twice.add(mem(Op::LDB).absolute(0).slot(1).dst(1).acquire().wait(1)).add(mem(Op::LDB).absolute(0).slot(1).dst(2).acquire().wait(1));
  EXPECT_TRUE(twice.run().result.ok());
}

TEST(Semaphore, EndNeedsBothWaits) {
  for (const uint32_t wait : {0u, 1u, 2u}) {
    Kernel k;
    k.append_end = false;
    k.add(flow(Op::END).wait(wait));
    EXPECT_EQ(k.fault(Code::SEMAPHORE).pc, 0u);
  }
}

TEST(Semaphore, UseBeforeWait) {
  const isa::Word load = mem(Op::LDB).absolute(0).slot(1).dst(1).acquire().wait(1);
  const auto run = [&load](std::vector<isa::Word> words) {
    Kernel k;
    k.program.shared_bytes = 16;
    k.add(load);
    for (const auto& w : words) k.add(w);
    return k.run().result.fault;
  };
  const isa::Word other = mov(2, 1), nop = flow(Op::NOP);
  EXPECT_EQ(run({alu(Op::MOV).dst(2).a(1)}).code, Code::SEM_USE) << "read";
  EXPECT_EQ(run({mov(1, 3)}).code, Code::SEM_USE) << "overwritten";
  EXPECT_EQ(run({other, nop, alu(Op::ADD, Type::F32).dst(3).a(2).b(1)}).pc, 3u) << "other words do not free it";
  EXPECT_EQ(run({alu(Op::MAD, Type::F32).dst(3).a(2).b(2).c(1)}).code, Code::SEM_USE);
  EXPECT_EQ(run({mem(Op::STB).absolute(0).slot(1).data(1)}).code, Code::SEM_USE) << "stored";
  EXPECT_EQ(run({mem(Op::LDB).a(1).slot(1).dst(2)}).code, Code::SEM_USE) << "used as an address";
  EXPECT_EQ(run({mem(Op::LDB).absolute(4).slot(1).dst(1)}).code, Code::SEM_USE) << "loaded again";
  EXPECT_EQ(run({mem(Op::LDS).absolute(4).dst(0).components(3, 1)}).code, Code::SEM_USE) << "a later component";
  EXPECT_EQ(run({alu(Op::MOV).dst(2).a(1).wait(2)}).code, Code::SEM_USE) << "the other semaphore";
  EXPECT_EQ(run({alu(Op::MOV).dst(2).a(1).wait(1)}).code, Code::NONE) << "WAIT comes first";
  EXPECT_EQ(run({mem(Op::STB).absolute(0).slot(1).data(1).wait(1)}).code, Code::NONE);
  EXPECT_EQ(run({flow(Op::NOP).wait(1), alu(Op::MOV).dst(2).a(1)}).code, Code::NONE);
  // Relative operands: only the registers that threads really touch.
  EXPECT_EQ(run({alu(Op::MOVA, Type::S32).a_imm(1), alu(Op::MOV).dst(2).a_rel(0)}).code, Code::SEM_USE);
  EXPECT_EQ(run({alu(Op::MOVA, Type::S32).a_imm(2), alu(Op::MOV).dst(2).a_rel(0)}).code, Code::NONE);
  EXPECT_EQ(run({alu(Op::MOVA, Type::S32).a_imm(1), alu(Op::MOV).dst_rel(0).a_imm(7)}).code, Code::SEM_USE);
}

TEST(Semaphore, OnlyAnAcquireMakesWaitFree) {
  const isa::Word first = mem(Op::LDB).absolute(0).slot(1).dst(1), last = mem(Op::LDB).absolute(4).slot(1).dst(2).acquire().wait(1);
  const isa::Word use = alu(Op::ADD).dst(3).a(1).b(1).wait(1);
  Kernel batch;  // ACQUIRE on the last of a batch frees all of it
  batch.add(first).add(last).add(use);
  EXPECT_TRUE(batch.run().result.ok());
  Kernel none;  // WAIT without any ACQUIRE frees nothing
  none.add(first).add(use);
  EXPECT_EQ(none.fault(Code::SEM_USE).pc, 1u);
  Kernel late;  // a load after the ACQUIRE is not covered
  late.add(last).add(first).add(use);
  EXPECT_EQ(late.fault(Code::SEM_USE).pc, 2u);
  Kernel fenced;  // a fence is an ACQUIRE
  fenced.add(first).add(fence(Op::FENCE_AXI).acquire().wait(1)).add(use);
  EXPECT_TRUE(fenced.run().result.ok());
  Kernel old_wait;  // the WAIT of the acquiring word itself does not cover its own load
  old_wait.add(mem(Op::LDB).absolute(0).slot(1).dst(1).acquire().wait(1)).add(alu(Op::MOV).dst(3).a(1));
  old_wait.fault(Code::SEM_USE);
}

TEST(Semaphore, WaitIsFreeWhenNothingIsOutstanding) {
  Kernel k;
  k.add(alu(Op::MOV).dst(1).a_imm(1).wait(3)).add(flow(Op::NOP).wait(3)).add(alu(Op::MOV).dst(1).a_imm(1).wait(3));
  EXPECT_TRUE(k.run().result.ok());
}

TEST(Semaphore, AcquireWithNobodyActive) {
  Kernel k;
  k.add(alu(Op::MOV, Type::S32).a_imm(1).cc(0, 0));
  // Not a real IF: INCR without the jump, so that the body runs with nobody in it.
  k.add(flow(Op::JUMP).any().pred(isa::Test::LT, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::INCR).target(2));
  k.add(flow(Op::JUMP).any().b_else().target(3));
  k.add(mem(Op::LDB).absolute(0).slot(1).dst(1).acquire().wait(1));
  k.add(endif(5)).add(alu(Op::MOV).dst(2).a(1).wait(1));
  EXPECT_TRUE(k.run().result.ok());
}

// ------------------------------------------------------------------------------------------------------------ barriers
TEST(Barrier, WavesWaitForEachOther) {
  // Each wave adds to shared memory, then reads the sum of all behind the barrier.
  Kernel k(1024);
  k.program.shared_bytes = 16;
  k.program.full_flow = true;
  k.add(mov(1, 0)).add(mem(Op::STS).absolute(0).data(1).wait(2).acquire()).add(flow(Op::BAR).wait(2)).add(mov(2, 1));
  k.add(mem(Op::ATOMS).absolute(0).atom(isa::Atom::ADD).data(2).wait(2).acquire()).add(flow(Op::BAR).wait(2));
  k.add(mem(Op::LDS).absolute(0).dst(3).wait(2).acquire()).add(flow(Op::NOP).wait(2)).observe({3});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 1024; ++t) ASSERT_EQ(o.out[0][t], 1024u);
  EXPECT_EQ(o.result.counter(isa::Counter::BarrierArrivals), 64u);
}

/// Jumps if the wave is wave 0 (index < 32 in all its threads).
std::vector<isa::Word> if_first_wave(uint32_t to) {
  return {less_than(32), flow(Op::JUMP).pred(isa::Test::LT, 0, 1).func(func::pred_true).target(to)};
}

TEST(Barrier, WaveThatEndsLowersTheCount) {
  Kernel k(96);
  for (const auto& w : if_first_wave(3)) k.add(w);
  k.add(flow(Op::BAR));
  EXPECT_TRUE(k.run().result.ok());
  EXPECT_EQ(k.run().result.counter(isa::Counter::BarrierArrivals), 2u);
}

TEST(Barrier, OtherPlaceIsDivergent) {
  Kernel k(64);
  for (const auto& w : if_first_wave(4)) k.add(w);
  k.add(flow(Op::BAR)).add(end()).add(flow(Op::BAR));
  const Fault f = k.fault(Code::DIVERGENT_BAR);
  EXPECT_EQ(f.wave, 1u);
  EXPECT_EQ(f.pc, 2u);
  EXPECT_EQ(f.lanes, 0xffffffffu);
}

TEST(Barrier, SomeActiveIsDivergentNoneIsNothing) {
  Kernel k;
  k.add(less_than(8)).add(if_less(4)).add(flow(Op::BAR)).add(endif(4));
  EXPECT_EQ(k.fault(Code::DIVERGENT_BAR).lanes, 0xffu);
  Kernel nobody;
  nobody.add(alu(Op::MOV, Type::S32).a_imm(0xffffffff).cc(0, 0)).add(if_less(9)).add(flow(Op::JUMP).any().b_else().target(3));
  nobody.add(flow(Op::BAR)).add(endif(5));
  const Outcome o = nobody.run();
  EXPECT_TRUE(o.result.ok());
  EXPECT_EQ(o.result.counter(isa::Counter::BarrierArrivals), 0u);
}

TEST(Barrier, ThreadsThatEndedDoNotCount) {
  Kernel k;
  k.program.full_flow = true;
  k.add(less_than(8)).add(flow(Op::RETL).pred(isa::Test::LT, 0, 1).func(func::pred_true)).add(flow(Op::BAR));
  EXPECT_TRUE(k.run().result.ok());
}

TEST(Fault, FirstGroupsWaveIsNamed) {
  Kernel k(64);
  for (const auto& w : if_first_wave(3)) k.add(w);
  k.add(isa::Word{});
  const Fault f = k.run({}, "tiny", {1, 1, 1}).result.fault;
  EXPECT_EQ(f.wave, 1u);
  EXPECT_EQ(f.pc, 2u);
}

TEST(Fault, MemoryStaysAsItWasWritten) {
  Kernel k;
  k.add(index_to(1)).add(mem(Op::STB).absolute(0).slot(1).data(1)).add(isa::Word{});
  const Outcome o = k.run();
  EXPECT_EQ(o.result.fault.code, Code::BAD_WORD);
  EXPECT_EQ(o.device->memory().load32(o.buffer), 31u);
}

TEST(Fault, WavesThatWaitForEachOtherInMemoryGetOn) {
  // Wave 1 spins until wave 0's store; wave 0 spins until wave 1's. Turns must be shared.
  Kernel k(64);
  k.program.full_flow = true;
  k.program.shared_bytes = 16;
  k.add(mov(1, 0)).add(mem(Op::STS).absolute(0).data(1)).add(mem(Op::STS).absolute(4).data(1)).add(flow(Op::MEMBAR_CTA)).add(flow(Op::BAR));
  for (const auto& w : if_first_wave(15)) k.add(w);
  const auto spin = [&k](uint32_t flag) {
    const uint32_t top = k.here();
    k.add(mem(Op::LDS).absolute(flag).dst(2).wait(2).acquire());
    k.add(alu(Op::SEQ).dst(3).a(2).b_imm(0).alu_we().wait(2));
    k.add(flow(Op::JUMP).any().func(func::alu_true).target(top));
  };
  const isa::Word one = mov(1, 1);
  // Wave 1: answers after wave 0's flag.
  spin(0);
  k.add(one).add(mem(Op::STS).absolute(4).data(1).wait(2)).add(end());
  while (k.here() < 15) k.add(flow(Op::NOP));
  // Wave 0: raises its flag, waits for the answer.
  k.add(one).add(mem(Op::STS).absolute(0).data(1).wait(2));
  spin(4);
  EXPECT_TRUE(k.run().result.ok());
}

}  // namespace
}  // namespace maskwork::test
