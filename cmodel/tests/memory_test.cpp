// Memory words: bounds, alignment, order of threads, atomics, predicates, addresses that wrap.
#include "kernel.hpp"
#include "operands.hpp"
#include "soft_float.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Atom;
using isa::Op;
using isa::Type;

/// index * 4 in a register.
isa::Word byte_index(uint32_t dst, uint32_t shift = 2) { return alu(Op::SHL).dst(dst).a(isa::Special::LOCALINDEX).b_imm(shift); }
isa::Word wait_all() { return flow(Op::NOP).wait(3); }

TEST(Memory, LoadOfFourComponentsWithHoles) {
  Kernel k;
  std::vector<uint32_t> words(128);
  for (uint32_t n = 0; n < 128; ++n) words[n] = 1000 + n;
  k.buffer(512, words).add(byte_index(1, 4)).add(mov(5, 1)).add(mov(6, 2)).add(mov(7, 3)).add(mov(8, 4));
  k.add(mem(Op::LDB).a(1).slot(1).dst(5).components(0b1101, 2).wait(1).acquire()).add(wait_all()).observe({5, 6, 7, 8});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(o.out[0][t], 1000 + 4 * t);
    EXPECT_EQ(o.out[1][t], 2u);
    EXPECT_EQ(o.out[2][t], 1002 + 4 * t);
    EXPECT_EQ(o.out[3][t], 1003 + 4 * t);
  }
}

TEST(Memory, BoundsAreCheckedByComponent) {
  Kernel k;
  // A buffer of 6 words and 4-word accesses at byte 16 t: thread 1 has two components inside.
  k.buffer(24, {1, 2, 3, 4, 5, 6}).add(byte_index(1, 4));
  for (uint32_t r = 5; r < 9; ++r) k.add(mov(r, 99));
  k.add(mem(Op::LDB).a(1).slot(1).dst(5).components(15, 2).wait(1).acquire()).add(wait_all());
  for (uint32_t r = 9; r < 13; ++r) k.add(mov(r, 50 + r));
  k.add(mem(Op::STB).a(1).slot(1).data(9).components(15, 2)).observe({5, 6, 7, 8});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  const uint32_t want[4][3] = {{1, 5, 0}, {2, 6, 0}, {3, 0, 0}, {4, 0, 0}};
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t t = 0; t < 3; ++t) EXPECT_EQ(o.out[c][t], want[c][t]) << c << " " << t;
  const uint32_t stored[8] = {59, 60, 61, 62, 59, 60, 0, 0};
  for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(o.device->memory().load32(o.buffer + 4 * n), stored[n]) << n;
}

TEST(Memory, AddressesWrapModulo32Bits) {
  Kernel k;
  // Address register 0xfffffff8 + offset 12 = 4; and 0xffffffff + 1 = 0.
  k.buffer(16, {10, 20, 30, 40}).add(mov(1, 0xfffffff8)).add(mov(2, 0xffffffff));
  k.add(mem(Op::LDB).a(1).offset(12).slot(1).dst(3).wait(1)).add(mem(Op::LDB).a(2).offset(1).slot(1).dst(4));
  // Components of one access: 0xfffffff8, then 0xfffffffc: both outside, though + 4 would wrap to 0.
  k.add(mem(Op::LDB).a(1).slot(1).dst(5).components(3, 1)).add(fence(Op::FENCE_AXI).wait(1).acquire()).add(wait_all());
  k.observe({3, 4, 5, 6});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok()) << isa::to_string(o.result.fault.code);
  EXPECT_EQ(o.out[0][0], 20u);
  EXPECT_EQ(o.out[1][0], 10u);
  EXPECT_EQ(o.out[2][0], 0u);
  EXPECT_EQ(o.out[3][0], 0u);
}

TEST(Memory, HighestThreadsStoreStays) {
  Kernel k;
  k.add(index_to(1)).add(mem(Op::STB).absolute(8).slot(1).data(1));
  const Outcome o = k.run();
  EXPECT_EQ(o.device->memory().load32(o.buffer + 8), 31u);
}

TEST(Memory, PredicateGatesTheRegisterOnly) {
  Kernel k;
  k.buffer(64, {7}).add(mov(1, 5)).add(mov(2, 1)).add(alu(Op::ADD, Type::S32).a(isa::Special::LOCALINDEX).b_imm(16).neg_b().cc(1, 2));
  k.add(mem(Op::ATOMB).absolute(0).slot(1).atom(Atom::ADD).data(2).dst(1).pred(isa::Test::GE, 1, 4).wait(1).acquire()).add(wait_all()).observe({1});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.device->memory().load32(o.buffer), 39u) << "all 32 threads add";
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[0][t], t < 16 ? 5 : 7 + t);
}

TEST(Memory, RegistersOfComponentsOutsideTheWindow) {
  Kernel k;
  k.program.registers = 16;
  k.buffer(64, {1, 2, 3, 4}).add(mov(14, 9));
  // Data registers 15, 16, 17, 18: three are outside and store 0. Register 15 is the epilogue's, set here.
  k.add(mov(15, 6)).add(mem(Op::STB).absolute(0).slot(1).data(15).components(15, 2));
  // A load into 14..17 writes 14 and 15.
  k.add(mem(Op::LDB).absolute(16).slot(1).dst(14).components(15, 2).wait(1).acquire()).add(wait_all()).observe({14});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.out[0][0], 0u);
  EXPECT_EQ(o.device->memory().load32(o.buffer), 6u);
  EXPECT_EQ(o.device->memory().load32(o.buffer + 4), 0u);
  EXPECT_EQ(o.device->memory().load32(o.buffer + 12), 0u);
}

TEST(Memory, MisalignedThreadsAreNamed) {
  const auto kernel = [](uint32_t size, uint32_t mask, uint32_t shift) {
    Kernel k;
    k.add(byte_index(1, shift)).add(mem(Op::LDB).a(1).slot(1).dst(2).components(mask, size));
    return k;
  };
  EXPECT_TRUE(kernel(0, 1, 2).run().result.ok());
  Fault f = kernel(0, 1, 1).fault(isa::Fault::MISALIGNED);
  EXPECT_EQ(f.lanes, 0xaaaaaaaau);
  EXPECT_EQ(f.pc, 1u);
  f = kernel(1, 3, 2).fault(isa::Fault::MISALIGNED);
  EXPECT_EQ(f.lanes, 0xaaaaaaaau);
  f = kernel(2, 8, 2).fault(isa::Fault::MISALIGNED);  // component 0 decides, moved or not
  EXPECT_EQ(f.lanes, 0xeeeeeeeeu);
  f = kernel(2, 15, 3).fault(isa::Fault::MISALIGNED);
  EXPECT_EQ(f.lanes, 0xaaaaaaaau);
}

TEST(Memory, ThreadsThatDoNotExecuteMayBeMisaligned) {
  Kernel k;
  // Odd addresses from thread 8 on, and only the first 8 inside the IF.
  k.add(alu(Op::ADD, Type::S32).dst(1).a(isa::Special::LOCALINDEX).b_imm(8).neg_b().cc(0, 0)).add(mov(2, 4)).add(alu(Op::MOV).dst(2).a_imm(5).pred(isa::Test::GE, 0, 1));
  k.add(flow(Op::JUMP).pred(isa::Test::LT, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(6));
  k.add(mem(Op::LDB).a(2).slot(1).dst(3)).add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(6));
  EXPECT_TRUE(k.run().result.ok());
}

TEST(Memory, AlignmentCountsTheSlotsBase) {
  Kernel k;
  k.add(mem(Op::LDB).absolute(4).slot(2).dst(2).components(3, 1)).append_end = true;
  Program p = k.program;
  p.words.push_back(end());
  p.registers = 4;
  p.slots = {{}, {}, {SlotSource::Kind::Storage, 0, 4, 64}};
  auto d = make_model(*isa::find_config("base"));
  d->load(p);
  const uint32_t at = d->memory().allocate(256);
  d->bind_storage(0, at, 256);
  EXPECT_TRUE(d->dispatch(1, 1, 1).ok()) << "4 + 4 is a multiple of 8";
}

TEST(Memory, AlignmentOfSharedMemoryAndOutOfBoundsThreads) {
  Kernel k;
  k.program.shared_bytes = 16;
  k.add(mov(1, 0x1002)).add(mem(Op::LDS).a(1).dst(2));
  EXPECT_EQ(k.fault(isa::Fault::MISALIGNED).lanes, 0xffffffffu);
}

TEST(Memory, SharedMemoryBelongsToTheGroup) {
  Kernel k(64);
  k.program.shared_bytes = 256;
  k.add(byte_index(1)).add(index_to(2)).add(mem(Op::STS).a(1).data(2).wait(2).acquire()).add(flow(Op::BAR).wait(2));
  // Reads the mirrored thread's word.
  k.add(alu(Op::ADD, Type::S32).dst(3).a_imm(252).b(1).neg_b()).add(mem(Op::LDS).a(3).dst(4).wait(2).acquire()).add(wait_all());
  // Outside the declared size: 0, and stores are dropped.
  k.add(mem(Op::LDS).a(1).offset(256).dst(5).wait(2).acquire()).add(wait_all()).observe({4, 5});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  for (uint32_t t = 0; t < 64; ++t) {
    EXPECT_EQ(o.out[0][t], 63 - t);
    EXPECT_EQ(o.out[1][t], 0u);
  }
  EXPECT_EQ(o.result.counter(isa::Counter::WordsShared), 2u * 3);
  EXPECT_EQ(o.result.counter(isa::Counter::BarrierArrivals), 2u);
}

/// The table of isa.toml, in 64-bit arithmetic.
uint32_t atomic_expected(Atom op, bool is_signed, uint32_t m, uint32_t x, uint32_t y) {
  const int64_t sm = is_signed ? int64_t{static_cast<int32_t>(m)} : int64_t{m}, sx = is_signed ? int64_t{static_cast<int32_t>(x)} : int64_t{x};
  switch (op) {
    case Atom::ADD: return static_cast<uint32_t>(sm + sx);
    case Atom::MIN: return static_cast<uint32_t>(sm < sx ? sm : sx);
    case Atom::MAX: return static_cast<uint32_t>(sm > sx ? sm : sx);
    case Atom::AND: return m & x;
    case Atom::OR: return m | x;
    case Atom::XOR: return m ^ x;
    case Atom::IWRAP: return uint64_t{m} + 1 > x ? 0 : m + 1;
    case Atom::DWRAP: return m == 0 ? x : m > x ? x : m - 1;
    case Atom::EXCH: return x;
    case Atom::CSWAP: return m == x ? y : m;
  }
  return 0;
}

TEST(Memory, AtomicsInThreadOrder) {
  for (uint32_t code = 0; code < 10; ++code)
    for (const bool is_signed : {false, true})
      for (const bool shared : {false, true}) {
        const auto op = static_cast<Atom>(code);
        if (is_signed && (op == Atom::IWRAP || op == Atom::DWRAP)) continue;
        for (const uint32_t start : {0u, 5u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
          Kernel k;
          k.program.shared_bytes = 16;
          // Operand: index * a pattern; CSWAP compares with the index and swaps in the next one.
          const bool swap = op == Atom::CSWAP;
          k.buffer(64, {start, start}).add(mov(1, start));
          k.add(alu(Op::MUL).dst(2).a(isa::Special::LOCALINDEX).b_imm(swap ? 1 : 0x1badb002));
          k.add(alu(Op::ADD).dst(3).a(isa::Special::LOCALINDEX).b_imm(1));
          k.add(mem(Op::STS).absolute(4).data(1).wait(2).acquire()).add(wait_all());
          k.add(mem(shared ? Op::ATOMS : Op::ATOMB, is_signed ? Type::S32 : Type::U32).absolute(4).slot(shared ? 0 : 1).atom(op).data(2).dst(4)
                    .wait(3).acquire());
          k.add(wait_all()).add(mem(Op::LDS).absolute(4).dst(5).wait(2).acquire()).add(wait_all()).observe({4, 5});
          const Outcome o = k.run();
          ASSERT_TRUE(o.result.ok()) << code;
          uint32_t m = start;
          for (uint32_t t = 0; t < 32; ++t) {
            ASSERT_EQ(o.out[0][t], m) << isa::to_string(op) << " thread " << t;
            m = atomic_expected(op, is_signed, m, swap ? t : t * 0x1badb002u, t + 1);
          }
          EXPECT_EQ(shared ? o.out[1][0] : o.device->memory().load32(o.buffer + 4), m) << isa::to_string(op);
        }
      }
}

TEST(Memory, WrappingAtomics) {
  const auto run = [](Atom op, uint32_t start, uint32_t limit) {
    Kernel k(1);
    k.buffer(64, {start}).add(mov(2, limit)).add(mem(Op::ATOMB).absolute(0).slot(1).atom(op).data(2));
    const Outcome o = k.run();
    EXPECT_TRUE(o.result.ok());
    return o.device->memory().load32(o.buffer);
  };
  EXPECT_EQ(run(Atom::IWRAP, 4, 5), 5u);
  EXPECT_EQ(run(Atom::IWRAP, 5, 5), 0u);
  EXPECT_EQ(run(Atom::IWRAP, 9, 5), 0u);
  EXPECT_EQ(run(Atom::IWRAP, 0xffffffff, 0xffffffff), 0u);
  EXPECT_EQ(run(Atom::DWRAP, 5, 5), 4u);
  EXPECT_EQ(run(Atom::DWRAP, 0, 5), 5u);
  EXPECT_EQ(run(Atom::DWRAP, 6, 5), 5u);
}

TEST(Memory, AtomicsOutOfBoundsReturnZero) {
  Kernel k;
  k.buffer(8, {3, 4}).add(byte_index(1)).add(mov(2, 1)).add(mov(3, 9));
  k.add(mem(Op::ATOMB).a(1).slot(1).atom(Atom::ADD).data(2).dst(3).wait(1).acquire()).add(wait_all()).observe({3});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok());
  EXPECT_EQ(o.out[0][0], 3u);
  EXPECT_EQ(o.out[0][1], 4u);
  for (uint32_t t = 2; t < 32; ++t) EXPECT_EQ(o.out[0][t], 0u);
  EXPECT_EQ(o.device->memory().load32(o.buffer), 4u);
  EXPECT_EQ(o.device->memory().load32(o.buffer + 8), 0u);
}

/// Float sums of the whole wave in thread order, against the integer-only reference.
TEST(Memory, FloatAtomicsAddAndExchange) {
  Random r(21);
  for (int round = 0; round < 40; ++round)
    for (const Op where : {Op::ATOMS, Op::ATOMB, Op::ATOMG})
      for (const Atom op : {Atom::ADD, Atom::EXCH}) {
        std::vector<uint32_t> words(64);
        // Near exponents, denormals, corners with infinities and NaNs of any payload.
        const int around = round % 4 == 0 ? 0 : 100;
        for (auto& v : words) v = round % 4 == 3 ? float_corners[r.below(float_corners.size())] : make_float(r, around + static_cast<int>(r.below(20)));
        Kernel k;
        k.program.shared_bytes = 64;
        // The buffer: operands, then the cell. Its address is that of the second allocation; see Kernel::run.
        words[32] = round % 4 == 3 ? float_corners[r.below(float_corners.size())] : make_float(r, around + 10);
        k.buffer(256, words).add(byte_index(1)).add(mem(Op::LDB).a(1).slot(1).dst(2)).add(mem(Op::LDB).absolute(128).slot(1).dst(3).wait(1).acquire()).add(wait_all());
        k.add(mem(Op::STS).absolute(4).data(3).wait(2).acquire()).add(wait_all());
        W w = mem(where, Type::F32).atom(op).data(2).dst(4).wait(3).acquire();
        if (where == Op::ATOMS) w.absolute(4);
        else if (where == Op::ATOMB) w.absolute(128).slot(1);
        else w.absolute(Kernel::buffer_address(2) + 128);
        k.add(w).add(wait_all()).add(mem(Op::LDS).absolute(4).dst(5).wait(2).acquire()).add(wait_all()).observe({4, 5});
        const Outcome o = k.run();
        ASSERT_TRUE(o.result.ok()) << isa::to_string(o.result.fault.code);
        ASSERT_EQ(o.buffer, Kernel::buffer_address(2));
        uint32_t m = words[32];
        for (uint32_t t = 0; t < 32; ++t) {
          ASSERT_EQ(o.out[0][t], m) << isa::to_string(where) << " thread " << t;
          m = op == Atom::EXCH ? words[t] : soft::add(m, words[t]);
        }
        ASSERT_EQ(where == Op::ATOMS ? o.out[1][0] : o.device->memory().load32(o.buffer + 128), m) << isa::to_string(where);
      }
}

TEST(Memory, GlobalWordsTakeTheAddressAsItIs) {
  // Slot 1 is bound to four bytes; global words reach all of the allocation.
  Kernel k;
  std::vector<uint32_t> words(128);
  for (uint32_t n = 0; n < 128; ++n) words[n] = 500 + n;
  k.buffer(512, words).add(alu(Op::SHL).dst(1).a(isa::Special::LOCALINDEX).b_imm(4)).add(alu(Op::ADD).dst(1).a(1).b_imm(Kernel::buffer_address(4)));
  for (uint32_t n = 4; n < 8; ++n) k.add(mov(n, 1));
  k.add(mem(Op::LDG).a(1).dst(4).components(0b1101, 2).wait(1).acquire()).add(wait_all());
  k.add(alu(Op::ADD).dst(8).a(6).b_imm(1000)).add(mem(Op::STG).a(1).offset(4).data(8)).observe({4, 5, 6, 7});
  const Outcome o = k.run();
  ASSERT_TRUE(o.result.ok()) << isa::to_string(o.result.fault.code);
  ASSERT_EQ(o.buffer, Kernel::buffer_address(4));
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(o.out[0][t], 500 + 4 * t);
    EXPECT_EQ(o.out[1][t], 1u);
    EXPECT_EQ(o.out[2][t], 502 + 4 * t);
    EXPECT_EQ(o.out[3][t], 503 + 4 * t);
    EXPECT_EQ(o.device->memory().load32(o.buffer + 16 * t + 4), 1502 + 4 * t);
    EXPECT_EQ(o.device->memory().load32(o.buffer + 16 * t + 8), 502 + 4 * t);
  }
  EXPECT_EQ(o.result.counter(isa::Counter::WordsMemory), 2u + 4u) << "four stores of the epilogue";
}

TEST(Memory, GlobalWholeWaveRuns) {
  // Consecutive words take a fast way; its end lies at the end of memory or one word behind it.
  for (const uint32_t shift : {0u, 4u}) {
    Kernel k;
    k.buffer(256).add(byte_index(1)).add(alu(Op::ADD).dst(1).a(1).b_imm(Kernel::buffer_address(0) + 128 + shift));
    k.add(mem(Op::STG).a(1).data(1).wait(1).acquire()).add(mem(Op::LDG).a(1).dst(2).wait(1).acquire()).add(wait_all());
    const Outcome o = k.run();
    if (shift == 0) {
      ASSERT_TRUE(o.result.ok());
      for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.device->memory().load32(o.buffer + 128 + 4 * t), o.buffer + 128 + 4 * t);
    } else {
      EXPECT_EQ(isa::to_string(o.result.fault.code), isa::to_string(isa::Fault::BUS_ERROR));
      EXPECT_EQ(o.result.fault.pc, 2u);
    }
  }
}

TEST(Memory, GlobalAddressesWithoutMemory) {
  for (const uint32_t address : {0u, 0xffcu, 0x7fff0000u, 0xfffffffcu})
    for (const Op op : {Op::LDG, Op::STG, Op::ATOMG}) {
      Kernel k;
      W w = mem(op).absolute(address);
      if (op == Op::LDG) w.dst(2);
      else w.data(2);
      k.add(mov(2, 0)).add(w);
      EXPECT_EQ(k.fault(isa::Fault::BUS_ERROR).pc, 1u) << std::hex << address;
    }
  Kernel k;
  k.add(mov(1, 0x1002)).add(mem(Op::LDG).a(1).dst(2));
  EXPECT_EQ(k.fault(isa::Fault::MISALIGNED).lanes, 0xffffffffu);
}

TEST(Memory, ChecksOfTheUpperHalf) {
  // Register 1 is not 0 in threads 5 and up; the check runs in threads below 8.
  const auto kernel = [](uint32_t threads_in_if) {
    Kernel k;
    k.add(alu(Op::SLE).dst(1).a_imm(5).b(isa::Special::LOCALINDEX));
    k.add(alu(Op::ADD, Type::S32).a(isa::Special::LOCALINDEX).b_imm(threads_in_if).neg_b().cc(0, 0));
    k.add(flow(Op::JUMP).pred(isa::Test::LT, 0, 1).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(5));
    k.add(check(1));
    k.add(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(5));
    return k;
  };
  const Fault f = kernel(8).fault(isa::Fault::ADDRESS);
  EXPECT_EQ(f.lanes, 0x000000e0u);
  EXPECT_EQ(f.pc, 3u);
  const Outcome o = kernel(5).run();
  EXPECT_TRUE(o.result.ok()) << "zero in all threads that execute";
  EXPECT_EQ(o.result.counter(isa::Counter::WordsMemory), 1u);
  EXPECT_EQ(o.result.counter(isa::Counter::LaneOps), 32u + 32 + 5);
  // A pending register is not checked; a register outside the window is 0.
  Kernel pending;
  pending.buffer(64).add(mem(Op::LDB).absolute(0).slot(1).dst(1)).add(check(1));
  EXPECT_EQ(pending.fault(isa::Fault::SEM_USE).pc, 1u);
  Kernel outside;
  outside.add(check(1000));
  EXPECT_TRUE(outside.run().result.ok());
}

TEST(Memory, WholeWaveRunsAndSingleThreadsAgree) {
  // Consecutive addresses take a fast way; shifted by one thread they do not. Both must store the same words.
  for (const uint32_t step : {4u, 8u}) {
    Kernel k;
    k.buffer(1024).add(alu(Op::MUL).dst(1).a(isa::Special::LOCALINDEX).b_imm(step)).add(alu(Op::ADD).dst(2).a(isa::Special::LOCALINDEX).b_imm(50));
    k.add(mem(Op::STB).a(1).slot(1).data(2).wait(1).acquire()).add(mem(Op::LDB).a(1).slot(1).dst(3).wait(1).acquire()).add(wait_all()).observe({3});
    const Outcome o = k.run();
    for (uint32_t t = 0; t < 32; ++t) {
      EXPECT_EQ(o.out[0][t], 50 + t);
      EXPECT_EQ(o.device->memory().load32(o.buffer + step * t), 50 + t);
    }
  }
}

}  // namespace
}  // namespace maskwork::test
