// Faults: both engines report the same code, place, wave and threads, and leave memory as it was written so far.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench.hpp"
#include "words.hpp"

namespace maskwork::suite {
namespace {

namespace f = isa::field;

TEST(Fault, BadWords) {
  struct Bad {
    const char* what;
    const char* text;
  };
  // Raw words: what no assembler emits.
  const isa::Word reserved_bits = [] {
    isa::Word w = end_word();
    w.lo |= isa::reserved_flow.lo & -isa::reserved_flow.lo;
    return w;
  }();
  isa::Word words[] = {
      isa::Word{},                                                                                                       // operation 0
      word(static_cast<isa::Op>(24)),                                                                                    // undefined operation
      word(static_cast<isa::Op>(255)),
      reserved_bits,
      alu_word(isa::Op::AND, isa::Type::F32),                                                                            // type not defined for it
      alu_word(isa::Op::ADD, isa::Type::F64),                                                                            // type of later machines
      alu_word(isa::Op::MOV, isa::Type::U32, {{f::pred_test, 18}, {f::pred_mask, 1}}),                                   // undefined test
      alu_word(isa::Op::MOV, isa::Type::U32, {{f::pred_test, 2}, {f::pred_mask, 3}}),                                    // two components
      alu_word(isa::Op::ADD, isa::Type::S32, {{f::a_neg, 1}, {f::b_neg, 1}}),                                            // both negated
      alu_word(isa::Op::MOV, isa::Type::U32, {{f::clamp, 1}}),                                                           // clamp of an integer
      word(isa::Op::ATOMS, {{f::type, 2}, {f::mem_mask, 1}, {f::atom_op, 10}}),                                          // undefined atomic
      word(isa::Op::LDS, {{f::type, 2}, {f::mem_mask, 1}}),                                                              // load without destination
      word(isa::Op::REP, {{f::imm, 3}}),                                                                                 // loop in partial mode
      word(isa::Op::JUMP, {{f::a_op, 2}}),                                                                               // call in partial mode
      word(isa::Op::JUMP, {{f::b_op0, 3}}),
  };
  for (const isa::Word& bad : words) {
    ASSERT_TRUE(isa::bad_word(bad, false)) << fmt::format("{:016x}{:016x} is a good word", bad.hi, bad.lo);
    Program p = microcode(".group 40 1 1\n    MOV.U32 r0, 1\n    MOV.U32 r1, 2\n    END wait(axi,shared)\n");
    p.words[1] = bad;
    SCOPED_TRACE(fmt::format("word {:016x}{:016x}: {}", bad.hi, bad.lo, std::string(isa::bad_word(bad, false).why)));
    Bench bench(p);
    bench.expect_fault(isa::Fault::BAD_WORD, 1);
    if (HasFailure()) return;
  }
}

TEST(Fault, BadWordThatNobodyReachesIsNone) {
  Program p = microcode("    JUMP over func(ff)\n    NOP\nover:\n    END wait(axi,shared)\n");
  p.words[1] = isa::Word{};
  Bench(p).everywhere([](const Outcome& o) { EXPECT_TRUE(o.result.ok()); });
}

TEST(Fault, MisalignedThreads) {
  // Threads 5 and 17 of the wave are off by two.
  const std::string address = R"(
    SHL.U32 r1, localindex, 4
    SEQ.U32 -, localindex, 5 cc0.x=
    ADD.U32 r1, r1, 2 if(NE cc0.x)
    SEQ.U32 -, localindex, 17 cc0.x=
    ADD.U32 r1, r1, 2 if(NE cc0.x)
)";
  const uint32_t lanes = 1u << 5 | 1u << 17;
  Bench shared(microcode(".shared 1024\n" + address + "    STS.U32 [r1], r0\n    END wait(axi,shared)\n"));
  shared.expect_fault(isa::Fault::MISALIGNED, 5, 0, lanes);
  Bench axi(microcode(".slot storage 0 0 rest\n" + address + "    STB.U32 s0[r1], r0\n    END wait(axi,shared)\n"));
  axi.zeros(0, 256);
  axi.expect_fault(isa::Fault::MISALIGNED, 5, 0, lanes);
}

TEST(Fault, AlignmentIsThatOfTheTransfer) {
  for (uint32_t size = 1; size <= 2; ++size) {
    const std::string suffix = size == 1 ? "X2" : "X4";
    const uint32_t off = size == 1 ? 4 : 8;
    Bench bad(microcode(fmt::format(".shared 64\n    MOV.U32 r1, {}\n    LDS.U32{} r2, [r1] wait(shared) acquire\n    END wait(axi,shared)\n", off, suffix)));
    bad.expect_fault(isa::Fault::MISALIGNED, 1, 0, 0xffffffffu);
    Bench good(microcode(fmt::format(".shared 64\n    MOV.U32 r1, {}\n    LDS.U32{} r2, [r1] wait(shared) acquire\n    END wait(axi,shared)\n", 2 * off, suffix)));
    good.everywhere([](const Outcome& o) { EXPECT_TRUE(o.result.ok()) << o.result.mismatch; });
  }
}

TEST(Fault, MisalignedEvenOutOfBounds) {
  Bench bench(microcode(".shared 16\n    MOV.U32 r1, 4098\n    STS.U32 [r1], r0\n    END wait(axi,shared)\n"));
  bench.expect_fault(isa::Fault::MISALIGNED, 1, 0, 0xffffffffu);
}

TEST(Fault, MisalignedWordPerformsNothing) {
  Bench bench(microcode(R"(.slot storage 0 0 rest
    SHL.U32 r1, localindex, 2
    MOV.U32 r0, 5
    STB.U32 s0[r1], r0
    FENCE_AXI.U32 wait(axi) acquire
    NOP wait(axi)
    SEQ.U32 -, localindex, 31 cc0.x=
    ADD.U32 r1, r1, 1 if(NE cc0.x)
    MOV.U32 r0, 6
    STB.U32 s0[r1], r0
    END wait(axi,shared)
)"));
  bench.zeros(0, 32);
  bench.everywhere([](const Outcome& o) {
    EXPECT_EQ(o.result.fault.code, isa::Fault::MISALIGNED);
    EXPECT_EQ(o.result.fault.lanes, 0x80000000u);
    EXPECT_EQ(o.storage.at(0), std::vector<uint32_t>(32, 5));  // the first store is there, nothing of the second
  });
}

TEST(Fault, MisalignedWordBesideAGoodOneOfAnotherWave) {
  // The good wave's word may have issued and not begun: the unit drops it, and that is no difference between the engines.
  for (const char* access : {"STB.U32 s0[r1], r0", "LDB.U32 r2, s0[r1]", "STS.U32 [r1], r0", "LDS.U32 r2, [r1]"})
    for (const uint32_t bad_wave : {0u, 1u}) {
      SCOPED_TRACE(fmt::format("{}, wave {} misaligned", access, bad_wave));
      Bench bench(microcode(fmt::format(R"(.group 64 1 1
.shared 256
.slot storage 0 0 rest
    SHL.U32 r1, localindex, 2
    {}.U32 -, localindex, 32 cc0.x=
    ADD.U32 r1, r1, 1 if(NE cc0.x)
    {}
    FENCE_AXI.U32 wait(axi) acquire
    FENCE_SHARED.U32 wait(shared) acquire
    END wait(axi,shared)
)",
                                        bad_wave == 0 ? "SLT" : "SGE", access)));
      bench.zeros(0, 64);
      bench.expect_fault(isa::Fault::MISALIGNED, 3, bad_wave, 0xffffffffu);
    }
}

TEST(Fault, WordBudget) {
  Bench bench(microcode(".flow full\n    REP out func(00) endless\nback:\n    MOV.U32 r0, 1\n    ENDREP back func(ff) any\nout:\n    END wait(axi,shared)\n"));
  for (const uint32_t budget : {1u, 10u, 101u}) {
    bench.options.word_budget = budget;
    // Words 0 .. budget-1 retire; the word with that number faults: 0 REP, then MOV and ENDREP in turns.
    bench.expect_fault(isa::Fault::WORD_BUDGET, budget % 2 == 1 ? 1 : 2, 0);
  }
}

TEST(Fault, PcOutsideTheProgram) {
  Bench beyond(microcode("    JUMP 1000 func(ff)\n    END wait(axi,shared)\n"));
  beyond.expect_fault(isa::Fault::PC_RANGE, 1000, 0);
  Bench over_the_end(microcode("    MOV.U32 r0, 1\n    NOP\n"));
  over_the_end.expect_fault(isa::Fault::PC_RANGE, 2, 0);
}

TEST(Fault, StaleAluBit) {
  Bench never(microcode("    JUMP 1 func(f0)\n    END wait(axi,shared)\n"));
  never.expect_fault(isa::Fault::STALE_ALU, 0, 0);
  Bench used_up(microcode("    SEQ.U32 -, 0, 0 alu\n    JUMP 2 func(f0)\n    JUMP 3 func(0f)\n    END wait(axi,shared)\n"));
  used_up.expect_fault(isa::Fault::STALE_ALU, 2, 0);
  Bench fresh(microcode("    SEQ.U32 -, 0, 0 alu\n    JUMP 2 func(f0)\n    SEQ.U32 -, 0, 0 alu\n    JUMP 4 func(0f)\n    END wait(axi,shared)\n"));
  fresh.everywhere([](const Outcome& o) { EXPECT_TRUE(o.result.ok()); });
}

TEST(Fault, Stacks) {
  // Too many levels in partial mode: the seventh.
  std::string deep;
  for (int i = 0; i < 7; ++i) deep += fmt::format("    JUMP {} func(00) any stay(incr)\n", i + 1);
  Bench(microcode(deep + "    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_OVERFLOW, 6, 0);
  Bench(microcode("    JUMP 1 func(00) any stay(decr) levels(1)\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_UNDERFLOW, 0, 0);
  Bench(microcode("    JUMP 1 func(00) any else\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_UNDERFLOW, 0, 0);
  Bench(microcode(".flow full\n    JUMP 1 func(ff) pop\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_UNDERFLOW, 0, 0);
  Bench(microcode(".flow full\n    ENDREP 0 func(ff) any\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_UNDERFLOW, 0, 0);
  Bench(microcode(".flow full\n    REP 3 func(00) count(2)\n    ENDLOOP 1 func(ff) any\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_MISMATCH, 1, 0);
  // Endless recursion: the 33rd call.
  Bench(microcode(".flow full\n    JUMP 0 func(ff) any push\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_OVERFLOW, 0, 0);
  Bench(microcode(".flow full\n    REP 0 func(00) endless\n    JUMP 0 func(ff)\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::STACK_OVERFLOW, 0, 0);
}

TEST(Fault, EndInsideABlock) {
  Bench(microcode("    JUMP 1 func(00) any stay(incr)\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::END_DEPTH, 1, 0);
  Bench(microcode(".flow full\n    REP 2 func(00) count(2)\n    END wait(axi,shared)\n")).expect_fault(isa::Fault::END_DEPTH, 1, 0);
}

TEST(Fault, DivergentBarrier) {
  // Half of a wave: all its active threads are to blame.
  Bench half(microcode(R"(.group 64 1 1
    SLT.U32 -, threadid, 16 cc0.x=
    JUMP 3 func(33) stay(incr) jump(incr) if(NE cc0.x)
    BAR
    JUMP 4 func(00) any stay(decr) levels(1)
    END wait(axi,shared)
)"));
  half.expect_fault(isa::Fault::DIVERGENT_BAR, 2, {}, 0x0000ffffu);
  // Two waves at different barriers.
  Bench two(microcode(R"(.group 64 1 1
    SLT.U32 -, localindex, 32 cc0.x=
    JUMP 4 func(33) if(NE cc0.x)
    BAR
    END wait(axi,shared)
    BAR
    END wait(axi,shared)
)"));
  two.everywhere([](const Outcome& o) {
    EXPECT_EQ(o.result.fault.code, isa::Fault::DIVERGENT_BAR);
    EXPECT_TRUE(o.result.fault.pc == 2 || o.result.fault.pc == 4);
  });
}

TEST(Fault, BusError) {
  // The second quarter of the buffer answers with an error.
  Bench bench(microcode(R"(.slot storage 0 0 rest
    SHL.U32 r1, localindex, 2
    STB.U32 s0[r1], r0
    MOV.U32 r2, 1
    LDB.U32 r3, s0[r1 + 128] wait(axi) acquire
    END wait(axi,shared)
)"));
  bench.zeros(0, 64);
  for (const auto& config : rtl_configs()) {
    // The first buffer lies where the memory begins.
    bench.rtl.bus_errors = {{Memory::first_address + 128, Memory::first_address + 255}};
    const Outcome o = bench.on_rtl(config, 1, {});
    SCOPED_TRACE(o.where);
    EXPECT_EQ(o.result.mismatch, "");
    EXPECT_EQ(o.result.fault.code, isa::Fault::BUS_ERROR);
    EXPECT_EQ(o.result.fault.pc, 3u);  // the access's, wherever the wave is by then
    EXPECT_EQ(o.result.fault.wave, 0u);
    EXPECT_EQ(o.result.fault.lanes, 0u);
    // A store that fails.
    bench.rtl.bus_errors = {{Memory::first_address + 64, Memory::first_address + 67}};
    const Outcome store = bench.on_rtl(config, 2, {});
    EXPECT_EQ(store.result.mismatch, "");
    EXPECT_EQ(store.result.fault.code, isa::Fault::BUS_ERROR);
    EXPECT_EQ(store.result.fault.pc, 1u);
  }
}

TEST(Fault, DeadlockOfASilentSlave) {
  // Waves wait for a load that nobody answers; the report names them.
  Bench bench(microcode(R"(.group 64 1 1
.slot storage 0 0 rest
    SLT.U32 -, localindex, 32 cc0.x=
    JUMP 4 func(33) if(NE cc0.x)
    LDB.U32 r3, s0[0] wait(axi) acquire
    MOV.U32 r3, r3 wait(axi)
    BAR
    END wait(axi,shared)
)"));
  bench.zeros(0, 64);
  bench.options.watchdog = 2000;
  for (const auto& config : rtl_configs()) {
    bench.rtl.silent = {{Memory::first_address, Memory::first_address + 255}};
    const Outcome o = bench.on_rtl(config, 1, {});
    SCOPED_TRACE(o.where);
    EXPECT_EQ(o.result.mismatch, "");
    EXPECT_EQ(o.result.fault.code, isa::Fault::DEADLOCK);
    EXPECT_NE(o.result.wait_report.find("wave 0: after 3 words waits for AXI memory"), std::string::npos) << o.result.wait_report;
    EXPECT_NE(o.result.wait_report.find("wave 1: after 3 words waits at a barrier"), std::string::npos) << o.result.wait_report;
  }
}

TEST(Fault, NextDispatchIsClean) {
  // The same device runs on after a fault.
  for (const auto& config : rtl_configs()) {
    const auto device = verif::make_rtl(config);
    device->load(microcode("    END\n"));
    EXPECT_EQ(device->dispatch(1, 1, 1).fault.code, isa::Fault::SEMAPHORE) << config.name;
    device->load(microcode("    NOP\n    END wait(axi,shared)\n"));
    for (int i = 0; i < 3; ++i) {
      const DispatchResult r = device->dispatch(4, 1, 1);
      EXPECT_TRUE(r.ok()) << config.name << r.mismatch;
      EXPECT_EQ(r.counter(isa::Counter::Words), 8u) << config.name;
      EXPECT_EQ(r.counter(isa::Counter::Groups), 4u) << config.name;
    }
  }
}

TEST(Refusal, ProgramsThatDoNotFit) {
  // The same words on both engines, with the numbers.
  const auto words_of = [](Device& device, const Program& p) {
    try {
      device.load(p);
    } catch (const DeviceError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  for (const auto& config : rtl_configs()) {
    const auto model = make_model(config), rtl = verif::make_rtl(config);
    Program threads = microcode("    END wait(axi,shared)\n");
    Program shared = threads, registers = threads;
    threads.group_size = {1024, 2, 1};
    shared.shared_bytes = config.shared_bytes + 4;
    registers.group_size = {config.group_threads, 1, 1};
    registers.registers = 1024;
    for (const Program* p : {&threads, &shared, &registers}) {
      const std::string m = words_of(*model, *p), r = words_of(*rtl, *p);
      EXPECT_NE(m, "") << config.name;
      EXPECT_EQ(m, r) << config.name;
      EXPECT_NE(m.find_first_of("0123456789"), std::string::npos) << m;
    }
  }
}

}  // namespace
}  // namespace maskwork::suite
