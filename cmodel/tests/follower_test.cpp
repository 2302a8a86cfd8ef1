// Follow mode: true records pass in any order of waves, every altered, dropped, doubled or swapped one is found.
#include <map>

#include "record_source.hpp"

namespace maskwork::test {
namespace {

using namespace build;
using isa::Op;
using isa::Type;

/// Where the first allocation lies: global words take the address as it is.
constexpr uint32_t buffer_address = Memory::first_address;

/// 80 threads x 5 groups: condition codes, predicates, a loop, divergent IF, a call, shared memory, atomics, vectors, barriers, words of
/// the special unit, global memory.
Program mixed_program() {
  Program p;
  p.group_size = {80, 1, 1};
  p.registers = 16;
  p.shared_bytes = 400;
  p.full_flow = true;
  p.slots = {{SlotSource::Kind::Storage, 0, 0, 0xffffffffu}};
  auto& w = p.words;
  const auto here = [&w] { return static_cast<uint32_t>(w.size()); };
  w.push_back(alu(Op::SHL).dst(0).a(isa::Special::LOCALINDEX).b_imm(2));
  w.push_back(alu(Op::AND).dst(1).a(isa::Special::LOCALINDEX).b_imm(7).cc(0, 1));
  w.push_back(alu(Op::CVT, Type::F32).dst(2).a(1).cvt(Type::U32, isa::Round::ROUND));
  const uint32_t loop = here();
  w.push_back(flow(Op::REP).count(3));
  w.push_back(alu(Op::MAD, Type::F32).dst(2).a(2).b_imm(0x3fa00000).c(2).cc(1, 0));
  const uint32_t branch = here();
  w.push_back(flow(Op::JUMP));
  w.push_back(alu(Op::ADD).dst(3).a(3).b(1));
  w.push_back(alu(Op::DIV, Type::F32).dst(3).a(3).b(2).pred(isa::Test::LT, 1, 1));
  w.push_back(alu(Op::TGBALLOT).dst(15).a(1));
  w.push_back(flow(Op::JUMP).any().b_ops(isa::Bop::DECR, isa::Bop::NONE, 1).target(here() + 1));
  w[branch] = flow(Op::JUMP).pred(isa::Test::EQ, 0, 2).func(func::pred_false).b_ops(isa::Bop::INCR, isa::Bop::NONE).target(here());
  w.push_back(flow(Op::ENDREP).any().func(func::always).target(loop + 1));
  w[loop] = flow(Op::REP).count(3).target(here());
  w.push_back(mem(Op::STS).a(0).data(1).wait(2).acquire());
  w.push_back(flow(Op::BAR).wait(2));
  w.push_back(mem(Op::ATOMS, Type::S32).absolute(0).atom(isa::Atom::ADD).data(1).dst(4));
  w.push_back(mem(Op::LDS).a(0).offset(100).dst(5).wait(2).acquire());
  w.push_back(alu(Op::ADD).dst(6).a(4).b(5).wait(2));
  w.push_back(alu(Op::MOD, Type::U32).dst(6).a(6).b_imm(1000));
  w.push_back(alu(Op::SHFXOR).dst(14).a(6).b(1).c_imm(0x1f));
  w.push_back(alu(Op::BTC).dst(16).a(6));  // outside the window: no result
  const uint32_t call = here();
  w.push_back(flow(Op::JUMP).any().pred(isa::Test::NE, 0, 2).func(func::pred_true).a_op(isa::Aop::PUSHR).target(call + 2));
  w.push_back(flow(Op::JUMP).any().func(func::always).target(call + 5));
  w.push_back(alu(Op::XOR).dst(6).a(6).b(1));
  w.push_back(flow(Op::RETL).pred(isa::Test::GT, 1, 1).func(func::pred_true).target(here() + 1));
  w.push_back(flow(Op::JUMP).func(func::always).a_op(isa::Aop::POP));
  w.push_back(alu(Op::SHL).dst(7).a(isa::Special::LOCALINDEX).b_imm(4));
  for (uint32_t n = 0; n < 4; ++n) w.push_back(alu(Op::MOV).dst(8 + n).a(2 + n));
  w.push_back(mem(Op::STB).a(7).data(8).components(0b1011, 2).wait(1).acquire());
  w.push_back(mem(Op::ATOMB).absolute(4000).atom(isa::Atom::MAX).data(6).dst(12).pred(isa::Test::GE, 1, 1));
  w.push_back(mem(Op::LDB).a(7).dst(8).components(15, 2).wait(1).acquire());
  w.push_back(flow(Op::MEMBAR));
  w.push_back(alu(Op::ADD).dst(13).a(12).b(9).wait(1));
  w.push_back(alu(Op::MOV).dst(11).a_imm(0));
  w.push_back(check(11));
  w.push_back(mem(Op::LDG).a(0).offset(buffer_address + 400).dst(10));
  w.push_back(check(11));
  w.push_back(mem(Op::STG).a(0).offset(buffer_address + 3000).data(1));
  w.push_back(mem(Op::ATOMG, Type::F32).absolute(buffer_address + 3900).atom(isa::Atom::ADD).data(2).dst(12).wait(1).acquire());
  w.push_back(alu(Op::MOV).dst(11).a(12).wait(1));
  // A fence between accesses, without semaphore.
  w.push_back(mem(Op::LDB).a(0).dst(14));
  w.push_back(fence(Op::FENCE_AXI));
  w.push_back(mem(Op::STB).a(0).offset(2000).data(0));
  w.push_back(fence(Op::FENCE_AXI).wait(1).acquire());
  w.push_back(end());
  return p;
}

Scene make_scene(const char* config, Program program, std::array<uint32_t, 3> groups = {5, 1, 1}) {
  Scene s;
  s.config = *isa::find_config(config);
  s.program = std::move(program);
  s.residency = fit(s.config, s.program);
  const uint32_t at = s.memory.allocate(4096);
  s.state.slots = {{at, 4080}};
  s.state.groups = groups;
  s.options.word_budget = 1000;  // a broken program must not fill the memory with records
  return s;
}

TEST(Follower, TrueRecordsPass) {
  for (const char* config : {"base-l1", "base-l2", "base-l4", "base", "wide", "base-l32"})
    for (uint64_t seed = 0; seed < 5; ++seed) {
      const Scene scene = make_scene(config, mixed_program());
      RecordSource source(scene, seed);
      const auto records = source.run();
      auto follower = scene.follower();
      const auto difference = follow(*follower, records);
      ASSERT_FALSE(difference) << config << " record " << difference->first << ": " << difference->second.what;
      const auto a = follower->memory().bytes(), b = source.memory().bytes();
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
      if (const auto* e = std::get_if<FaultEvent>(&records.back())) FAIL() << isa::to_string(e->fault.code) << " at " << e->fault.pc;
      EXPECT_EQ(follower->counters()[static_cast<size_t>(isa::Counter::Groups)], 5u);
    }
}

/// Alters one value of a record in each possible way; nothing to alter: no variants.
std::vector<Record> altered(const Record& record) {
  std::vector<Record> out;
  const auto with = [&out](auto r, auto change) {
    change(r);
    out.push_back(r);
  };
  if (const auto* p = std::get_if<RetireRecord>(&record)) {
    with(*p, [](auto& r) { r.pc ^= 1; });
    with(*p, [](auto& r) { r.seq += 1; });
    with(*p, [](auto& r) { r.active ^= 1u << (31 - __builtin_clz(r.active | 1)); });
    if (p->executed != 0) with(*p, [](auto& r) { r.executed &= r.executed - 1; });
    if (p->executed != 0 && p->dst_en) with(*p, [](auto& r) { r.data[static_cast<size_t>(__builtin_ctz(r.executed))] ^= 0x10000; });
    if (p->executed != 0 && p->cc_en) with(*p, [](auto& r) { r.flags[static_cast<size_t>(__builtin_ctz(r.executed))] ^= 1; });
    if (p->dst_en) with(*p, [](auto& r) { r.dst_en = false; });
    with(*p, [](auto& r) { r.first = !r.first; });
    with(*p, [](auto& r) { r.last = !r.last; });
  } else if (const auto* f = std::get_if<FlowRecord>(&record)) {
    with(*f, [](auto& r) { r.jump = !r.jump; });
    with(*f, [](auto& r) { r.next_pc += 1; });
    with(*f, [](auto& r) { r.db += 1; });
    with(*f, [](auto& r) { r.dl += 1; });
    with(*f, [](auto& r) { r.dc += 1; });
    with(*f, [](auto& r) { r.state[3] ^= 1; });
    with(*f, [](auto& r) { r.level[5] += 1; });
    with(*f, [](auto& r) { r.frame = r.frame == FlowRecord::Frame::None ? FlowRecord::Frame::PopCall : FlowRecord::Frame::None; });
    if (f->frame != FlowRecord::Frame::None) {
      with(*f, [](auto& r) { r.frame_a += 1; });
      with(*f, [](auto& r) { r.frame_b += 1; });
      with(*f, [](auto& r) { r.frame_c ^= 1; });
    }
  } else if (const auto* m = std::get_if<MemoryRecord>(&record)) {
    if (m->mask == 0) return out;
    const auto t = static_cast<size_t>(__builtin_ctz(m->mask));
    with(*m, [](auto& r) { r.mask &= r.mask - 1; });
    with(*m, [t](auto& r) { r.address[t] += 4; });
    with(*m, [](auto& r) { r.seq += 1; });
  } else if (const auto* l = std::get_if<LoadRecord>(&record)) {
    const auto t = static_cast<size_t>(__builtin_ctz(l->mask));
    with(*l, [t](auto& r) { r.data[t] ^= 4; });
    with(*l, [](auto& r) { r.reg += 1; });
    with(*l, [](auto& r) { r.mask &= r.mask - 1; });
    with(*l, [](auto& r) { r.seq += 1; });
  } else if (const auto* e = std::get_if<LaunchEvent>(&record)) {
    with(*e, [](auto& r) { r.number += 1; });
    with(*e, [](auto& r) { r.group[0] += 1; });
  }
  return out;
}

TEST(Follower, EveryAlteredRecordIsFound) {
  const Scene scene = make_scene("base", mixed_program(), {1, 1, 1});
  const auto records = RecordSource(scene, 7).run();
  size_t tried = 0;
  for (size_t n = 0; n < records.size(); ++n)
    for (const auto& wrong : altered(records[n])) {
      auto changed = records;
      changed[n] = wrong;
      auto follower = scene.follower();
      const auto difference = follow(*follower, changed);
      ASSERT_TRUE(difference) << "record " << n << " of kind " << wrong.index() << " was altered and nothing found";
      EXPECT_FALSE(difference->second.what.empty());
      ++tried;
    }
  EXPECT_GT(tried, 1000u);
}

TEST(Follower, StoredDataAndOldValuesAreCompared) {
  const Scene scene = make_scene("base", mixed_program(), {1, 1, 1});
  const auto records = RecordSource(scene, 7).run();
  std::map<isa::Kind, int> seen;
  for (size_t n = 0; n < records.size(); ++n) {
    const auto* m = std::get_if<MemoryRecord>(&records[n]);
    if (m == nullptr || m->mask == 0) continue;
    // Which word it was is known from its R record.
    uint32_t pc = 0;
    for (const auto& r : records)
      if (const auto* q = std::get_if<RetireRecord>(&r); q != nullptr && q->wave == m->wave && q->seq == m->seq) pc = q->pc;
    const isa::Kind kind = isa::info(scene.program.words[pc]).kind;
    if (kind == isa::Kind::Load) continue;
    ASSERT_NE(kind, isa::Kind::Check) << "a check accesses nothing";
    ++seen[kind];
    for (const bool old : {false, true}) {
      if (old && kind != isa::Kind::Atomic) continue;
      auto changed = records;
      auto& values = old ? std::get<MemoryRecord>(changed[n]).old_value : std::get<MemoryRecord>(changed[n]).data;
      values[static_cast<size_t>(__builtin_ctz(m->mask))] ^= 1;
      auto follower = scene.follower();
      const auto difference = follow(*follower, changed);
      ASSERT_TRUE(difference);
      EXPECT_EQ(difference->first, n);
    }
  }
  EXPECT_GT(seen[isa::Kind::Store], 0);
  EXPECT_GT(seen[isa::Kind::Atomic], 0);
}

TEST(Follower, EveryDroppedOrDoubledRecordIsFound) {
  const Scene scene = make_scene("base", mixed_program(), {2, 1, 1});
  const auto records = RecordSource(scene, 9).run();
  for (size_t n = 0; n < records.size(); ++n) {
    const auto* m = std::get_if<MemoryRecord>(&records[n]);
    if (m != nullptr && m->mask == 0 && !m->first) continue;  // says nothing
    auto dropped = records;
    dropped.erase(dropped.begin() + static_cast<long>(n));
    auto follower = scene.follower();
    ASSERT_TRUE(follow(*follower, dropped)) << "record " << n << " of kind " << records[n].index();
    if (m != nullptr && m->mask == 0) continue;
    auto doubled = records;
    doubled.insert(doubled.begin() + static_cast<long>(n), records[n]);
    follower = scene.follower();
    ASSERT_TRUE(follow(*follower, doubled)) << "record " << n << " of kind " << records[n].index();
  }
}

TEST(Follower, AWordThatRunsAheadOfItsSemaphoreIsFound) {
  // STB acquires; the word that waits must not retire before the store is performed.
  Program p = mixed_program();
  p.words = {index_to(0), mem(Op::STB).absolute(0).data(0).wait(1).acquire(), flow(Op::NOP).wait(1), end()};
  p.group_size = {32, 1, 1};
  const Scene scene = make_scene("base-l32", p, {1, 1, 1});
  auto records = RecordSource(scene, 1).run();
  // launch, R, R, M, F, F, end: the M moves behind the NOP's F.
  ASSERT_EQ(records.size(), 7u);
  ASSERT_TRUE(std::holds_alternative<MemoryRecord>(records[3]));
  std::swap(records[3], records[4]);
  auto follower = scene.follower();
  const auto difference = follow(*follower, records);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->first, 3u);
  EXPECT_NE(difference->second.what.find("was complete"), std::string::npos) << difference->second.what;
}

/// One wave of 32 threads; records: launch, R of the TGBALLOT, two W, F of the END, group end.
Scene ballot_scene(const isa::Word& word) {
  Program p = mixed_program();
  p.words = {word, end()};
  p.group_size = {32, 1, 1};
  return make_scene("base-l32", p, {1, 1, 1});
}

std::string first_difference(const Scene& scene, const std::vector<Record>& records, size_t at) {
  auto follower = scene.follower();
  const auto difference = follow(*follower, records);
  EXPECT_TRUE(difference);
  if (!difference) return "";
  EXPECT_EQ(difference->first, at) << difference->second.what;
  return difference->second.what;
}

TEST(Follower, SpecialResultsComeBetweenTheWordAndTheNext) {
  const Scene scene = ballot_scene(alu(Op::TGBALLOT).dst(3).a(1));
  const auto records = RecordSource(scene, 1).run();
  ASSERT_EQ(records.size(), 6u);
  ASSERT_TRUE(std::holds_alternative<LoadRecord>(records[2]) && std::holds_alternative<LoadRecord>(records[3]));
  auto follower = scene.follower();
  EXPECT_FALSE(follow(*follower, records));
  // A result before its word.
  auto changed = records;
  std::swap(changed[1], changed[2]);
  EXPECT_NE(first_difference(scene, changed, 1).find("was not performed"), std::string::npos);
  // The next word before the last result.
  changed = records;
  std::swap(changed[3], changed[4]);
  EXPECT_NE(first_difference(scene, changed, 3).find("before the results of threads ffff0000"), std::string::npos);
  // Results that never come, at the end of the records.
  changed.assign(records.begin(), records.begin() + 3);
  EXPECT_NE(first_difference(scene, changed, 3).find("never came"), std::string::npos);
  const auto with = [&](auto change) {
    auto copy = records;
    change(std::get<LoadRecord>(copy[3]));
    return first_difference(scene, copy, 3);
  };
  EXPECT_NE(with([](LoadRecord& r) { r.data[20] ^= 1; }).find("result of thread 20: rtl"), std::string::npos);
  EXPECT_NE(with([](LoadRecord& r) { r.mask |= 1; }).find("threads 00000001 written twice"), std::string::npos);
  EXPECT_NE(with([](LoadRecord& r) { r.reg = 4; }).find("rtl writes register 4, model 3"), std::string::npos);
  EXPECT_NE(with([](LoadRecord& r) { r.component = 1; }).find("component 1"), std::string::npos);
  EXPECT_FALSE(with([](LoadRecord& r) { r.seq = 7; }).empty());
}

TEST(Follower, SpecialResultsOfThreadsThatAreNotWritten) {
  // Threads 0 to 15 only: a result for another one is a difference; a register outside the window has none at all.
  Program p = mixed_program();
  p.words = {alu(Op::ADD, Type::S32).a(isa::Special::LOCALINDEX).b_imm(16).neg_b().cc(0, 0), alu(Op::TGANY).dst(3).a(1).pred(isa::Test::LT, 0, 1), end()};
  p.group_size = {32, 1, 1};
  Scene scene = make_scene("base-l32", p, {1, 1, 1});
  auto records = RecordSource(scene, 1).run();
  ASSERT_EQ(records.size(), 6u);  // launch, R, R, W, F, group end
  std::get<LoadRecord>(records[3]).mask |= 0x10000;
  EXPECT_NE(first_difference(scene, records, 3).find("rtl writes threads 0001ffff, model 0000ffff"), std::string::npos);
  scene = ballot_scene(alu(Op::TGBALLOT).dst(16).a(1));
  records = RecordSource(scene, 1).run();
  EXPECT_EQ(records.size(), 4u);
  LoadRecord extra;
  extra.mask = 1;
  extra.reg = 16;
  records.insert(records.begin() + 2, extra);
  first_difference(scene, records, 2);
}

TEST(Follower, BadAddressesDropWhatHasNotBegun) {
  // A store is under way when CKA finds an upper half: its M record need not come any more.
  Program p = mixed_program();
  p.words = {alu(Op::MOV).dst(1).a_imm(7), mem(Op::STB).absolute(0).data(1), check(1), end()};
  p.group_size = {32, 1, 1};
  const Scene scene = make_scene("base-l32", p, {1, 1, 1});
  auto records = RecordSource(scene, 1).run();
  ASSERT_TRUE(std::holds_alternative<FaultEvent>(records.back()));
  EXPECT_EQ(std::get<FaultEvent>(records.back()).fault.code, isa::Fault::ADDRESS);
  EXPECT_EQ(std::get<FaultEvent>(records.back()).fault.lanes, 0xffffffffu);
  auto follower = scene.follower();
  EXPECT_FALSE(follow(*follower, records));
  std::erase_if(records, [](const Record& r) { return std::holds_alternative<MemoryRecord>(r); });
  follower = scene.follower();
  EXPECT_FALSE(follow(*follower, records));
}

TEST(Follower, FaultsMustBeTheModels) {
  Program p = mixed_program();
  p.group_size = {32, 1, 1};  // of two waves either might be first
  p.words = {alu(Op::SHL).dst(0).a(isa::Special::LOCALINDEX).b_imm(1), mem(Op::LDB).a(0).dst(1), end()};
  const std::vector<std::vector<isa::Word>> programs{
      {alu(Op::SHL).dst(0).a(isa::Special::LOCALINDEX).b_imm(1), mem(Op::LDB).a(0).dst(1), end()},  // MISALIGNED
      {index_to(0), check(0)},                                                            // ADDRESS
      {alu(Op::BTC).dst(0).a(1), isa::Word{}},                                                     // BAD_WORD behind a special word
      {index_to(0), isa::Word{}},                                                                  // BAD_WORD
      {index_to(0)},                                                                               // PC_RANGE
      {flow(Op::END).wait(1)},                                                                     // SEMAPHORE
      {flow(Op::JUMP).func(func::alu_true)},                                                       // STALE_ALU
      {flow(Op::ENDREP)},                                                                          // STACK_UNDERFLOW
      {flow(Op::REP).count(1).target(2), end()}};                                                  // END_DEPTH
  for (const auto& words : programs) {
    p.words = words;
    const Scene scene = make_scene("base", p, {1, 1, 1});
    const auto records = RecordSource(scene, 3).run();
    ASSERT_TRUE(std::holds_alternative<FaultEvent>(records.back()));
    auto follower = scene.follower();
    const auto difference = follow(*follower, records);
    EXPECT_FALSE(difference) << difference->second.what;
    for (int what = 0; what < 5; ++what) {
      auto changed = records;
      Fault& f = std::get<FaultEvent>(changed.back()).fault;
      if (what == 0) f.code = f.code == isa::Fault::MISALIGNED ? isa::Fault::BAD_WORD : isa::Fault::MISALIGNED;
      if (what == 1) f.pc ^= 1;
      if (what == 2) f.lanes ^= 1;
      if (what == 3) f.group[2] ^= 1;
      if (what == 4) f.wave ^= 1;
      follower = scene.follower();
      EXPECT_TRUE(follow(*follower, changed)) << what;
    }
    // Without the fault the dispatch is not complete.
    auto missing = records;
    missing.pop_back();
    follower = scene.follower();
    EXPECT_TRUE(follow(*follower, missing));
  }
}

TEST(Follower, UseBeforeWaitIsReported) {
  Program p = mixed_program();
  p.words = {mem(Op::LDB).absolute(0).dst(1), index_to(1), end()};
  const Scene scene = make_scene("base-l32", p, {1, 1, 1});
  auto follower = scene.follower();
  LaunchEvent launch;
  ASSERT_FALSE(follower->launch(launch));
  RetireRecord r;
  r.first = r.last = true;
  r.active = r.executed = 0xffffffffu;
  ASSERT_FALSE(follower->retire(r));
  r.seq = r.pc = 1;
  const auto difference = follower->retire(r);
  ASSERT_TRUE(difference);
  EXPECT_NE(difference->what.find("SEM_USE"), std::string::npos) << difference->what;
  EXPECT_EQ(difference->fault, (Fault{isa::Fault::SEM_USE, {}, 0, 1, 0xffffffffu}));
}

TEST(Follower, BusErrorsAndDeadlocksAreEvents) {
  const Scene scene = make_scene("base", mixed_program(), {1, 1, 1});
  for (const auto code : {isa::Fault::BUS_ERROR, isa::Fault::DEADLOCK}) {
    auto follower = scene.follower();
    ASSERT_FALSE(follower->launch({}));
    EXPECT_FALSE(follower->fault({code, {}, 0, 5, 0}, 0));
    EXPECT_FALSE(follower->finish());
  }
}

}  // namespace
}  // namespace maskwork::test
