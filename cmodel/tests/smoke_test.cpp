#include <gtest/gtest.h>
#include "maskwork/device.hpp"
#include "maskwork/word_builder.hpp"
using namespace maskwork;
using namespace maskwork::build;
TEST(Smoke, StoresIndex) {
  auto d = make_model(*isa::find_config("tiny"));
  Program p;
  p.group_size = {40, 1, 1};
  p.registers = 4;
  p.slots.push_back({});
  p.words = {alu(isa::Op::MAD).dst(0).a(isa::Special::LOCALINDEX).b_imm(4).c_imm(4).set(field::imm, 4),
             alu(isa::Op::MOV).dst(1).a(isa::Special::LOCALINDEX), mem(isa::Op::STB).a(0).data(1).wait(1).acquire(), end()};
  d->load(p);
  const uint32_t at = d->memory().allocate(1024);
  d->bind_storage(0, at, 1024);
  auto r = d->dispatch(1, 1, 1);
  ASSERT_TRUE(r.ok()) << isa::to_string(r.fault.code) << " " << r.fault.pc;
  for (uint32_t i = 0; i < 40; ++i) EXPECT_EQ(d->memory().load32(at + 4 + 4 * i), i);
  EXPECT_EQ(r.counter(isa::Counter::LaneOps), 120u);
}
