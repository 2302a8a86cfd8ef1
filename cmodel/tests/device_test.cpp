// The Device API: fit() and its numbers, bindings, dispatch arguments; and one word for each rule of isa/rules.toml.
#include <functional>

#include "kernel.hpp"
#include "maskwork/object.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using isa::Type;
namespace field = isa::field;

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const DeviceError& e) {
    return e.what();
  }
  return "";
}

Program tiny_program(uint32_t threads = 1) {
  Program p;
  p.group_size = {threads, 1, 1};
  p.words = {end()};
  return p;
}

void expect_refused(const char* config, const Program& p, std::initializer_list<const char*> parts) {
  const std::string why = refusal([&] { fit(*isa::find_config(config), p); });
  EXPECT_FALSE(why.empty());
  for (const char* part : parts) EXPECT_NE(why.find(part), std::string::npos) << "'" << part << "' in: " << why;
}

TEST(Fit, Residency) {
  Program p = tiny_program(1024);
  p.registers = 64;
  p.full_flow = true;
  Residency r = fit(*isa::find_config("base"), p);
  EXPECT_EQ(r.waves_per_group, 32u);
  EXPECT_EQ(r.resident_groups, 1u);
  p.full_flow = false;
  EXPECT_EQ(fit(*isa::find_config("base"), p).resident_groups, 2u) << "partial flow mode holds twice the waves";
  p.registers = 65;
  EXPECT_EQ(fit(*isa::find_config("base"), p).resident_groups, 1u) << "131072 register words";
  p = tiny_program(33);
  p.shared_bytes = 1000;  // 250 words, 256 with 8 banks
  r = fit(*isa::find_config("base"), p);
  EXPECT_EQ(r.waves_per_group, 2u);
  EXPECT_EQ(r.shared_words, 256u);
  EXPECT_EQ(r.resident_groups, 16u) << "group slots";
  p.shared_bytes = 16384;
  EXPECT_EQ(fit(*isa::find_config("base"), p).resident_groups, 3u) << "48 KiB of shared memory";
}

TEST(Fit, RefusalsNameTheNumbers) {
  expect_refused("tiny", tiny_program(65), {"tiny", "65 threads", "64"});
  expect_refused("base", tiny_program(1025), {"1025", "1..1024"});
  expect_refused("base", tiny_program(0), {"group size 0"});
  Program p = tiny_program();
  p.group_size = {32, 32, 2};
  expect_refused("base", p, {"2048 threads", "1024"});
  p = tiny_program(64);
  p.registers = 65;
  expect_refused("tiny", p, {"4160 register words", "65 registers", "2 waves", "4096"});
  p = tiny_program();
  p.registers = 1025;
  expect_refused("base", p, {"1025", "1024"});
  p = tiny_program();
  p.shared_bytes = 4097;
  expect_refused("tiny", p, {"4097", "4096"});
  p = tiny_program();
  p.words.clear();
  expect_refused("base", p, {"no words"});
  p = tiny_program();
  p.constants.resize(1025);
  expect_refused("base", p, {"1025", "1024"});
  p = tiny_program();
  p.slots.resize(65);
  expect_refused("base", p, {"65", "64"});
}

TEST(Device, Arguments) {
  auto d = make_model(*isa::find_config("small"));
  EXPECT_NE(refusal([&] { d->dispatch(1, 1, 1); }), "") << "nothing loaded";
  Program p = tiny_program();
  p.slots = {{SlotSource::Kind::Storage, 3, 0, 16}};
  d->load(p);
  EXPECT_NE(refusal([&] { d->dispatch(1, 1, 1); }).find("binding 3"), std::string::npos);
  const uint32_t at = d->memory().allocate(100);
  EXPECT_NE(refusal([&] { d->bind_storage(16, at, 4); }), "");
  EXPECT_NE(refusal([&] { d->bind_storage(3, at + 4, 4); }), "") << "alignment";
  EXPECT_NE(refusal([&] { d->bind_storage(3, at, 257); }), "") << "beyond the allocation";
  EXPECT_NE(refusal([&] { d->set_local(256, {}); }), "");
  EXPECT_NE(refusal([&] { d->set_env(256, {}); }), "");
  d->bind_storage(3, at, 100);
  EXPECT_TRUE(d->dispatch(1, 1, 1).ok());
  EXPECT_NE(refusal([&] { d->dispatch(65536, 1, 1); }).find("65535"), std::string::npos);
  const DispatchResult nothing = d->dispatch(3, 0, 5);
  EXPECT_TRUE(nothing.ok());
  EXPECT_EQ(nothing.counter(isa::Counter::Groups), 0u);
  EXPECT_EQ(d->dispatch(7, 5, 3).counter(isa::Counter::Groups), 105u);
}

TEST(Device, ConstantBuffers) {
  auto d = make_model(*isa::find_config("tiny"));
  Program p = tiny_program(4);
  p.registers = 4;
  p.slots = {{SlotSource::Kind::Storage, 0, 0, 0xffffffffu}, {SlotSource::Kind::Constant, 15, 4, 8}};
  p.words = {alu(Op::SHL).dst(0).a(isa::Special::LOCALINDEX).b_imm(2), mem(Op::LDB).a(0).slot(1).dst(1).wait(1).acquire(), mem(Op::STB).a(0).data(1).wait(1), end()};
  d->load(p);
  const uint32_t out = d->memory().allocate(16), at = d->memory().allocate(65552);
  d->bind_storage(0, out, 16);
  EXPECT_NE(refusal([&] { d->dispatch(1, 1, 1); }).find("constant buffer 15 is not bound"), std::string::npos);
  EXPECT_NE(refusal([&] { d->bind_constant(16, at, 4); }).find("0..15"), std::string::npos);
  EXPECT_NE(refusal([&] { d->bind_constant(15, at + 8, 4); }).find("multiple of 16"), std::string::npos);
  EXPECT_NE(refusal([&] { d->bind_constant(15, at, 65540); }).find("65536"), std::string::npos);
  EXPECT_NE(refusal([&] { d->bind_constant(15, at, 0x10000000); }).find("not all allocated"), std::string::npos);
  for (uint32_t n = 0; n < 8; ++n) d->memory().store32(at + 4 * n, 70 + n);
  d->bind_constant(15, at, 65536);
  ASSERT_TRUE(d->dispatch(1, 1, 1).ok());
  const uint32_t want[4] = {71, 72, 0, 0};  // the slot begins at byte 4 and has two words
  for (uint32_t t = 0; t < 4; ++t) EXPECT_EQ(d->memory().load32(out + 4 * t), want[t]);
  d->bind_constant(15, at + 16, 8);  // one word is left of the slot
  ASSERT_TRUE(d->dispatch(1, 1, 1).ok());
  EXPECT_EQ(d->memory().load32(out), 75u);
  EXPECT_EQ(d->memory().load32(out + 4), 0u);
  // Storage and constant bindings are numbered apart.
  d->bind_storage(15, out, 16);
  ASSERT_TRUE(d->dispatch(1, 1, 1).ok());
  EXPECT_EQ(d->memory().load32(out), 75u);
  d->unbind_constant(15);
  EXPECT_NE(refusal([&] { d->dispatch(1, 1, 1); }), "");
  d->bind_constant(15, at, 16);
  d->unbind_storage(0);
  EXPECT_NE(refusal([&] { d->dispatch(1, 1, 1); }).find("storage binding 0 is not bound"), std::string::npos);
  EXPECT_NE(refusal([&] { d->unbind_constant(16); }), "");
  EXPECT_NE(refusal([&] { d->unbind_storage(16); }), "");
  p.slots[1].binding = 16;
  EXPECT_NE(refusal([&] { d->load(p); }).find("constant buffer 16"), std::string::npos);
}

TEST(Device, Subroutines) {
  auto d = make_model(*isa::find_config("tiny"));
  Program p = tiny_program(1);
  p.registers = 4;
  p.subroutines = {{2, {5, 9}}, {1023, {255}}};
  p.constants = {{ConstantSource::Kind::Subroutine, 0, 2, 0}, {ConstantSource::Kind::Subroutine, 0, 1023, 0}};
  p.slots = {{}};
  p.words = {alu(Op::MOV).dst(1).a_const(0), alu(Op::MOV).dst(2).a_const(1), mem(Op::STB).absolute(0).data(1).components(3, 1), end()};
  EXPECT_NE(refusal([&] { d->set_subroutine(2, 5); }), "") << "nothing is loaded";
  d->load(p);
  const uint32_t at = d->memory().allocate(16);
  d->bind_storage(0, at, 16);
  const auto run = [&] {
    EXPECT_TRUE(d->dispatch(1, 1, 1).ok());
    return std::pair{d->memory().load32(at), d->memory().load32(at + 4)};
  };
  EXPECT_EQ(run(), (std::pair{5u, 255u})) << "the first number by default";
  d->set_subroutine(2, 9);
  EXPECT_EQ(run(), (std::pair{9u, 255u}));
  EXPECT_NE(refusal([&] { d->set_subroutine(2, 6); }).find("5, 9"), std::string::npos);
  EXPECT_NE(refusal([&] { d->set_subroutine(3, 5); }).find("program.subroutine[3]"), std::string::npos);
  EXPECT_EQ(run(), (std::pair{9u, 255u})) << "a refused call changes nothing";
  d->load(p);
  EXPECT_EQ(run(), (std::pair{5u, 255u})) << "a load resets the choice";
  const auto refused = [&](void (*change)(Program&)) {
    Program q = p;
    change(q);
    return refusal([&] { d->load(q); });
  };
  EXPECT_NE(refused([](Program& q) { q.subroutines[0].numbers.clear(); }), "");
  EXPECT_NE(refused([](Program& q) { q.subroutines[1].index = 1024; }), "");
  EXPECT_NE(refused([](Program& q) { q.subroutines[0].index = 1023; }), "");
  EXPECT_NE(refused([](Program& q) { q.subroutines[0].numbers[0] = 256; }), "");
  EXPECT_NE(refused([](Program& q) { q.constants[0].index = 1; }).find("program.subroutine[1]"), std::string::npos);
  EXPECT_NE(refused([](Program& q) { q.param_table = {{ConstantSource::Kind::Subroutine, 0, 4, 0}}; }), "");
}

TEST(Device, IndirectDispatch) {
  auto d = make_model(*isa::find_config("small"));
  d->load(tiny_program());
  const uint32_t at = d->memory().allocate(256);
  d->memory().store32(at + 8, 3);
  d->memory().store32(at + 12, 4);
  d->memory().store32(at + 16, 5);
  EXPECT_EQ(d->dispatch_indirect(at + 8).counter(isa::Counter::Groups), 60u);
  EXPECT_EQ(d->dispatch_indirect(at).counter(isa::Counter::Groups), 0u) << "0, 0, 3";
  EXPECT_NE(refusal([&] { d->dispatch_indirect(at + 2); }).find("multiple of 4"), std::string::npos);
  EXPECT_NE(refusal([&] { d->dispatch_indirect(at + 248); }).find("not all allocated"), std::string::npos);
  d->memory().store32(at + 8, 65536);
  EXPECT_NE(refusal([&] { d->dispatch_indirect(at + 8); }).find("65535"), std::string::npos);
}

TEST(Device, WavesOfTheConfiguration) {
  for (const char* config : {"tiny", "small", "base"})
    for (const bool full : {false, true}) {
      Kernel k(1);
      k.program.full_flow = full;
      k.add(alu(Op::MOV).dst(1).a(isa::Uniform::WAVES_MAX)).observe({1});
      const isa::Config c = *isa::find_config(config);
      EXPECT_EQ(k.run({}, config).out[0][0], full ? c.waves_full : c.waves_partial);
    }
}

TEST(Device, BuffersAreUpdatedBetweenDispatchesAndParametersLieInATable) {
  auto d = make_model(*isa::find_config("tiny"));
  Program p = tiny_program(2);
  p.registers = 4;
  p.param_table = {{ConstantSource::Kind::Literal, 70, 0, 0}, {ConstantSource::Kind::Env, 0, 9, 2}};
  p.slots = {{SlotSource::Kind::Storage, 0, 8, 8}, {SlotSource::Kind::ParamTable, 0, 0, 0xffffffffu}};
  // word index of slot 0 += table word index
  p.words = {alu(Op::SHL).dst(0).a(isa::Special::LOCALINDEX).b_imm(2), mem(Op::LDB).a(0).slot(0).dst(1), mem(Op::LDB).a(0).slot(1).dst(2).wait(1).acquire(),
             alu(Op::ADD).dst(3).a(1).b(2).wait(1), mem(Op::STB).a(0).data(3), end()};
  d->load(p);
  const uint32_t at = d->memory().allocate(16);
  d->bind_storage(0, at, 12);  // the slot begins at byte 8: one word is inside
  d->set_env(9, {1, 2, 30, 4});
  d->memory().store32(at + 8, 5);
  ASSERT_TRUE(d->dispatch(1, 1, 1).ok());
  EXPECT_EQ(d->memory().load32(at + 8), 75u);
  EXPECT_EQ(d->memory().load32(at + 12), 0u);
  d->bind_storage(0, at, 16);
  d->memory().store32(at + 12, 100);
  ASSERT_TRUE(d->dispatch(1, 1, 1).ok());
  EXPECT_EQ(d->memory().load32(at + 8), 145u);
  EXPECT_EQ(d->memory().load32(at + 12), 130u);
  d->set_env(9, {1, 2, 31, 4});
  ASSERT_TRUE(d->dispatch(1, 1, 1).ok());
  EXPECT_EQ(d->memory().load32(at + 12), 161u);
}

TEST(Device, LoadingAgainReusesItsMemory) {
  auto d = make_model(*isa::find_config("tiny"));
  d->load(tiny_program());
  const size_t used = d->memory().bytes().size();
  for (int n = 0; n < 10; ++n) d->load(tiny_program());
  EXPECT_EQ(d->memory().bytes().size(), used);
}

TEST(BadWord, EachRuleHasAWordThatOnlyItRefuses) {
  const W load = mem(Op::LDB).a(0).dst(1), store = mem(Op::STB).a(0).data(1), atomic = mem(Op::ATOMB).a(0).data(1), jump = flow(Op::JUMP);
  const W mov = alu(Op::MOV).dst(1).a(0), add = alu(Op::ADD).dst(1).a(0).b(2), fence_word = fence(Op::FENCE_AXI);
  const auto with = [](W w, isa::Field f, uint32_t v) { return w.set(f, v); };
  struct Row {
    const char* rule;
    isa::Word word;
    bool full;
  };
  const std::vector<Row> rows{
      {"W01", W(Op::BAD), true},
      {"W02", with(jump, isa::Field{11, 1}, 1), true},
      {"W03", alu(Op::MULHI, Type::F32).dst(1).a(0).b(2), true},
      {"W04", with(mov, field::pred_test, 18).set(field::pred_mask, 1), true},
      {"W05", with(mov, field::pred_mask, 1), true},
      {"W06", with(mov, field::pred_test, 2), true},
      {"W07", with(mov, field::pred_test, 2).set(field::pred_mask, 3), true},
      {"W11", with(mov, field::b_idx, 3), true},
      {"W12", with(add, field::c_neg, 1), true},
      {"W13", with(mov, field::a_file, 3).set(field::a_idx, 5), true},
      {"W14", with(mov, field::a_file, 2).set(field::a_idx, 1), true},
      {"W15", with(mov, field::imm, 1), true},
      {"W16", W(mov).a_const(1024).set(field::a_idx, 0), true},
      {"W17", with(mov, field::rel_sel, 1), true},
      {"W18", with(mov, field::dst_en, 0), true},
      {"W19", alu(Op::MOVA, Type::S32).a(0).set(field::dst_en, 1), true},
      {"W20", with(mov, field::cc_comp, 1), true},
      {"W21", alu(Op::MOVA, Type::S32).a(0).cc(0, 0), true},
      {"W22", alu(Op::MUL).dst(1).a(0).b(2).chain_carry(0), true},
      {"W23", with(add, field::chain_zero, 1), true},
      {"W24", with(add, field::chain_comp, 1), true},
      {"W25", with(add, field::clamp, 1), true},
      {"W26", with(add, field::alu_we, 1), true},
      {"W27", W(add).neg_a().neg_b(), true},
      {"W28", alu(Op::CVT, Type::S32).dst(1).a(0).cvt(static_cast<Type>(3), isa::Round::ROUND), true},
      {"W29", alu(Op::RNDI, Type::F32).dst(1).a(0).cvt(Type::S32, isa::Round::ROUND), true},
      {"W10", alu(Op::RNGUP).dst(1).b(2).c(3).set(field::a_idx, 1), true},
      {"W34", alu(Op::RCP, Type::F32).dst(1).a(0).neg_a(), true},
      {"W34", alu(Op::RCP, Type::F32).dst(1).a(0).cc(0, 0), true},
      {"W34", alu(Op::RCP, Type::F32).dst(1).a(0).clamp(isa::Clamp::SAT), true},
      {"W34", alu(Op::RCP, Type::F32).dst_rel(1).a(0), true},
      {"W34", alu(Op::RCP, Type::F32).a(0), true},
      {"W34", alu(Op::RCP, Type::F32).dst(1).a(0).write_inactive(), true},
      {"W34", alu(Op::DIV, Type::F32).dst(1).a(0).b(2).abs_b(), true},
      {"W34", alu(Op::SHFUP).dst(1).a(0).b(2).c(3).neg_c(), true},
      {"W40", with(load, field::mem_mask, 2), true},
      {"W41", with(load, field::mem_mask, 0), true},
      {"W42", W(atomic).components(3, 1), true},
      {"W43", with(load, field::a_file, 1), true},
      {"W44", with(load, field::a_file, 2).set(field::a_idx, 1), true},
      {"W45", with(load, field::b_idx, 1), true},
      {"W46", with(store, field::dst_en, 1), true},
      {"W47", with(store, field::dst, 1), true},
      {"W48", mem(Op::LDS).a(0).dst(1).slot(1), true},
      {"W48", mem(Op::LDG).a(0).dst(1).slot(1), true},
      {"W49", mem(Op::ATOMB, Type::F32).a(0).data(1).atom(isa::Atom::MIN), true},
      {"W49", mem(Op::ATOMG, Type::F32).a(0).data(1).atom(isa::Atom::CSWAP), true},
      {"W49", with(atomic, field::atom_op, 10), true},
      {"W50", with(fence_word, field::imm, 4), true},
      {"W51", check(1).set(field::imm, 4), true},
      {"W51", check(1).wait(1).acquire(), true},
      {"W51", W(Op::CKA).type(Type::U32).absolute(0), true},
      {"W60", with(jump, field::b_op0, 3), true},
      {"W61", flow(Op::RETL).b_else(), true},
      {"W62", with(jump, field::imm, 1), true},
      {"W63", flow(Op::REP).endless().count(2), true},
      {"W64", flow(Op::BAR).target(1), true},
      {"W65", flow(Op::REP).count(1), false},
      {"W66", flow(Op::JUMP).a_op(isa::Aop::PUSHR).b_ops(isa::Bop::NONE, isa::Bop::INCR), true},
  };
  for (const auto& row : rows) {
    const isa::Word& w = row.word;
    EXPECT_EQ(isa::bad_word(w, row.full).rule, row.rule);
    // The engine refuses it when a wave reaches it, and not before.
    Kernel k;
    k.program.full_flow = row.full;
    k.add(test::mov(2, 1)).add(w);
    EXPECT_EQ(k.fault(isa::Fault::BAD_WORD).pc, 1u) << row.rule;
    Kernel skipped;
    skipped.program.full_flow = row.full;
    skipped.add(flow(Op::JUMP).any().func(func::always).target(2)).add(w);
    EXPECT_TRUE(skipped.run().result.ok()) << row.rule;
  }
}

TEST(Bindings, BufferThatIsShorterThanTheFirstByteOfARange) {
  // Every size, ranges before, across and behind the buffer's end, every width: words of the range that the buffer has are read and
  // written, the others give 0 and stay; whatever the size, no access of a range that begins aligned is misaligned.
  for (const auto kind : {SlotSource::Kind::Storage, SlotSource::Kind::Constant})
    for (const uint32_t offset : {0u, 16u, 32u, 48u})
      for (const uint32_t components : {1u, 2u, 4u})
        for (uint32_t size = 0; size <= 40; ++size) {
          SCOPED_TRACE(testing::Message() << size << " bytes, range from " << offset << ", " << components << " components");
          Program p = tiny_program();
          p.registers = 8;
          p.slots = {{kind, 0, offset, 16}, {SlotSource::Kind::Storage, 1, 0, 0xffffffffu}};
          const bool storage = kind == SlotSource::Kind::Storage;
          p.words = {mov(4, 7), mov(5, 7), mov(6, 7), mov(7, 7), mem(Op::LDB).absolute(0).dst(0).components((1u << components) - 1, components / 2).wait(1).acquire(),
                     mem(Op::STB).absolute(0).slot(1).data(0).components((1u << components) - 1, components / 2).wait(1)};
          if (storage) p.words.push_back(mem(Op::STB).absolute(0).data(4).components((1u << components) - 1, components / 2));
          p.words.push_back(end());
          const auto device = make_model(*isa::find_config("tiny"));
          Memory& memory = device->memory();
          const uint32_t buffer = memory.allocate(256), out = memory.allocate(16);
          for (uint32_t n = 0; n < 64; ++n) memory.store32(buffer + 4 * n, 100 + n);
          if (storage) device->bind_storage(0, buffer, size);
          else device->bind_constant(0, buffer, size);
          device->bind_storage(1, out, 16);
          device->load(p);
          const DispatchResult r = device->dispatch(1, 1, 1);
          ASSERT_EQ(isa::to_string(r.fault.code), isa::to_string(isa::Fault::NONE));
          for (uint32_t k = 0; k < components; ++k) ASSERT_EQ(memory.load32(out + 4 * k), offset + 4 * k + 4 <= size ? 100 + offset / 4 + k : 0) << k;
          for (uint32_t n = 0; n < 64; ++n) {
            const bool written = storage && 4 * n >= offset && 4 * n < offset + 4 * components && 4 * n + 4 <= size;
            ASSERT_EQ(memory.load32(buffer + 4 * n), written ? 7 : 100 + n) << n;
          }
        }
}

}  // namespace
}  // namespace maskwork::test
