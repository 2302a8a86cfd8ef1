// Unit tests of mw_axi_mem, mw_icache and mw_axi_arb on one AXI port.
#include "Vaxi_l1.h"
#include "Vaxi_l16.h"
#include "Vaxi_l32.h"
#include "Vaxi_l8.h"
#include "axi_slave.hpp"
#include "mem_driver.hpp"

namespace mem_test {
namespace {

constexpr uint32_t kFirst = 0x1000;
constexpr uint32_t kBytes = 0x10000;
constexpr uint32_t kProgram = kFirst + 0x8000;  // instructions, from here to the end of memory

template <class Top>
class Axi : public Driver<Top> {
 public:
  explicit Axi(uint64_t seed)
      : Driver<Top>(seed, [this](uint32_t a) -> uint32_t& { return expected.at((a - kFirst) / 4); }, true),
        slave(this->top, this->random, kFirst, kBytes), expected(kBytes / 4) {
    for (uint32_t i = 0; i < kBytes / 4; ++i) {
      expected[i] = this->random.bits();
      slave.set_word(kFirst + 4 * i, expected[i]);
    }
    this->top.ic_base_i = kProgram;
    this->top.ic_invalidate_i = 0;
    this->top.ic_req_valid_i = 0;
  }

  /// A word of full lanes on a buffer of `bound` bytes at `base`: thread t accesses address(t).
  template <class F>
  Word word(Kind kind, F address, uint32_t base = kFirst, uint32_t bound = 0x4000) {
    Word w;
    w.kind = kind;
    w.base = base;
    w.bound = bound;
    w.wave = this->random.below(4);
    w.pc = this->random.bits() & 0xffffff;
    if (kind == Kind::Load || kind == Kind::Atomic) w.wmask[0] = w.exec;
    for (uint32_t t = 0; t < 32; ++t) {
      w.addr[t] = address(t);
      for (auto& d : w.data) d[t] = this->random.bits();
      w.data2[t] = this->random.bits();
    }
    return w;
  }

  void random_words(int count) {
    for (int i = 0; i < count; ++i) {
      const uint32_t base = kFirst + this->random.below(64) * 4;
      const uint32_t bound = this->random.pick({0u, 3u, 4u, 100u, 127u, 400u, 1000u, 0x3000u});
      Word w = random_word(this->random, base, bound, 8);
      if (w.kind == Kind::Fence && this->random.chance(50)) w.kind = Kind::Check;
      w.wave = this->random.below(4);
      this->issue(w);
    }
  }

  /// All words done, all bytes as sequential memory has them.
  void finish() {
    this->run();
    while (!fetched_all()) this->cycle();
    EXPECT_TRUE(slave.idle());
    for (uint32_t i = 0; i < kBytes / 4; ++i) ASSERT_EQ(slave.word(kFirst + 4 * i), expected[i]) << "memory at " << std::hex << kFirst + 4 * i;
  }

  void memory_latency(uint32_t latency, uint32_t accept, uint32_t data) {
    slave.latency = latency;
    slave.accept_percent = accept;
    slave.data_percent = data;
  }

  void fetch(uint32_t pc) { fetches_.push_back({pc, this->random.below(4)}); }
  bool fetched_all() const { return fetches_.empty() && asked_.empty(); }

  AxiSlave<Top> slave;
  std::vector<uint32_t> expected;
  uint64_t cnt_reads = 0, cnt_writes = 0, cnt_read_bytes = 0, cnt_write_bytes = 0, misses = 0, answers = 0, errors = 0;
  std::vector<std::pair<uint32_t, uint32_t>> bus_errors;  ///< wave, pc

 protected:
  void before_edge() override {
    slave.after_edge();  // of the edge before
    slave.before_edge();
    this->top.busy_i = this->random.chance(30);
    this->top.ic_req_valid_i = !fetches_.empty();
    if (!fetches_.empty()) {
      this->top.ic_req_pc_i = fetches_.front().first;
      this->top.ic_req_wave_i = fetches_.front().second;
    }
  }
  void sample() override {
    slave.sample();
    auto& top = this->top;
    cnt_reads += top.cnt_read_o;
    cnt_writes += top.cnt_write_o;
    cnt_read_bytes += top.cnt_read_bytes_o;
    cnt_write_bytes += top.cnt_write_bytes_o;
    misses += top.cnt_miss_o;
    if (top.bus_error_o) bus_errors.push_back({top.bus_error_wave_o, top.bus_error_pc_o});
    if (top.ic_req_valid_i && top.ic_req_ready_o) {
      asked_.push_back(fetches_.front());
      fetches_.pop_front();
    }
    if (top.ic_rsp_valid_o) {
      ++answers;
      ASSERT_FALSE(asked_.empty());
      EXPECT_EQ(top.ic_rsp_pc_o, asked_.front().first);
      EXPECT_EQ(top.ic_rsp_wave_o, asked_.front().second);
      errors += top.ic_rsp_error_o;
      if (!top.ic_rsp_error_o) {
        for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(top.ic_rsp_word_o[i], slave.word(kProgram + asked_.front().first * 16 + 4 * i));
      }
      asked_.pop_front();
    }
  }

 private:
  std::deque<std::pair<uint32_t, uint32_t>> fetches_, asked_;
};

template <class Top>
class AxiTest : public ::testing::Test {};
using Units = ::testing::Types<Vaxi_l1, Vaxi_l8, Vaxi_l16, Vaxi_l32>;
TYPED_TEST_SUITE(AxiTest, Units);

TYPED_TEST(AxiTest, RandomWords) {
  for (uint64_t seed = 1; seed <= seeds(16); ++seed) {
    Axi<TypeParam> a(seed);
    a.ready_percent = seed % 3 == 0 ? 100 : seed % 3 == 1 ? 60 : 15;
    a.issue_percent = seed % 2 == 0 ? 100 : 20;
    a.memory_latency(seed % 5 == 0 ? 0 : seed % 5 * 20, seed % 4 == 0 ? 100 : 50, seed % 7 == 0 ? 100 : 60);
    a.random_words(200);
    for (int i = 0; i < 300; ++i) a.fetch(a.random.below(0x700));
    a.finish();
    if (this->HasFailure()) FAIL() << "seed " << seed;
  }
}

TYPED_TEST(AxiTest, ConsecutiveWordsAreOneBurst) {
  for (Kind kind : {Kind::Load, Kind::Store}) {
    Axi<TypeParam> a(1);
    a.issue(a.word(kind, [](uint32_t t) { return 256 + 4 * t; }));
    a.finish();
    EXPECT_EQ(a.slave.reads, kind == Kind::Load ? 1u : 0u);
    EXPECT_EQ(a.slave.writes, kind == Kind::Load ? 0u : 1u);
    EXPECT_EQ(kind == Kind::Load ? a.cnt_read_bytes : a.cnt_write_bytes, 128u);
    EXPECT_EQ(a.cnt_reads + a.cnt_writes, 1u);
  }
}

TYPED_TEST(AxiTest, ConsecutiveWordsKeepTheBusBusy) {
  for (Kind kind : {Kind::Load, Kind::Store}) {
    Axi<TypeParam> a(1);
    a.memory_latency(4, 100, 100);
    const int words = 100;
    for (int i = 0; i < words; ++i) a.issue(a.word(kind, [&](uint32_t t) { return i * 128 + 4 * t; }));
    a.run();
    const double busy = double(a.slave.read_beats + a.slave.write_beats) / double(a.cycles);
    this->RecordProperty(kind == Kind::Load ? "load_beats_per_clock" : "store_beats_per_clock", std::to_string(busy));
    // One lane opens a line in four clocks, and 128 bits move a line in eight.
    const double floor = kind == Kind::Store ? 0.6 : a.lanes == 1 || a.lanes == 16 ? 0.8 : 0.95;
    EXPECT_GE(busy, floor) << "data beats per clock, " << (kind == Kind::Load ? "loads" : "stores");
  }
}

TYPED_TEST(AxiTest, VectorsShareTheBurstOfTheirLine) {
  for (uint32_t size : {1u, 2u}) {
    for (Kind kind : {Kind::Load, Kind::Store}) {
      Axi<TypeParam> a(size);
      Word w = a.word(kind, [&](uint32_t t) { return 512 + (4u << size) * t; });
      w.size = size;
      w.comps = (1u << (1u << size)) - 1;
      if (kind == Kind::Load) w.wmask.fill(w.exec);
      a.issue(w);
      a.finish();
      EXPECT_EQ(a.slave.reads + a.slave.writes, 1u << size) << "one burst of 128 bytes per line";
      EXPECT_EQ(a.cnt_read_bytes + a.cnt_write_bytes, 128u << size);
    }
  }
}

TYPED_TEST(AxiTest, EqualAddressesAreOneAccess) {
  Axi<TypeParam> a(2);
  a.issue(a.word(Kind::Load, [](uint32_t) { return 1024u; }));
  a.issue(a.word(Kind::Store, [](uint32_t) { return 1024u; }));
  a.finish();
  EXPECT_EQ(a.slave.reads, 1u);
  EXPECT_EQ(a.slave.writes, 1u);
  EXPECT_EQ(a.slave.read_beats, 1u);
  EXPECT_EQ(a.slave.write_beats, 1u);
  EXPECT_EQ(a.cnt_write_bytes, 4u);
}

TYPED_TEST(AxiTest, BurstSpansOnlyTheBeatsNeeded) {
  Axi<TypeParam> a(3);
  const uint32_t width = a.top.axi_bits_o / 8;
  a.issue(a.word(Kind::Load, [](uint32_t t) { return 2048 + 48 + t % 2 * 16; }));  // words 12 and 16 of the line
  a.finish();
  EXPECT_EQ(a.slave.reads, 1u);
  EXPECT_EQ(a.slave.read_beats, 64 / width - 48 / width + 1);
}

TYPED_TEST(AxiTest, UnalignedRunIsTwoBursts) {
  Axi<TypeParam> a(4);
  a.issue(a.word(Kind::Load, [](uint32_t t) { return 64 + 4 * t; }));
  a.finish();
  EXPECT_EQ(a.slave.reads, 2u);
  EXPECT_EQ(a.cnt_read_bytes, 128u);
}

TYPED_TEST(AxiTest, AtomicIsOneReadAndOneWritePerLine) {
  Axi<TypeParam> a(5);
  a.memory_latency(10, 100, 100);
  Word w = a.word(Kind::Atomic, [](uint32_t t) { return (t % 4) * 128 + (t % 3) * 4; });
  w.op = Add;
  a.issue(w);
  a.finish();
  EXPECT_EQ(a.slave.reads, 4u);
  EXPECT_EQ(a.slave.writes, 4u);
}

TYPED_TEST(AxiTest, AllAtomicsOnFewWords) {
  for (uint8_t op = 0; op < AtomCount; ++op) {
    for (Type type : {Type::Unsigned, Type::Signed, Type::Float}) {
      if (type == Type::Float && op != Add && op != Exch) continue;
      Axi<TypeParam> a(op * 3 + static_cast<int>(type));
      a.memory_latency(8, 80, 80);
      for (int i = 0; i < 12; ++i) {
        Word w = a.word(Kind::Atomic, [&](uint32_t) { return a.random.below(1 + i * 5) * 4; });
        w.op = op;
        w.type = type;
        for (auto& x : w.data[0]) x = atomic_operand(a.random, type);
        a.issue(w);
      }
      a.finish();
    }
  }
}

TYPED_TEST(AxiTest, SeveralReadsOutstanding) {
  Axi<TypeParam> a(6);
  a.memory_latency(200, 100, 100);
  for (uint32_t word = 0; word < 4; ++word)   // latencies are random: the first may be short
    a.issue(a.word(Kind::Load, [=](uint32_t t) { return (word * 32 + t) * 128; }));
  a.finish();
  EXPECT_EQ(a.slave.reads, 128u);
  EXPECT_EQ(a.slave.most_reads, 4u);
}

// A line's place is not given away while an item that has left the queue still waits to read it.
TYPED_TEST(AxiTest, ResultsThatWaitKeepTheirLine) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    Axi<TypeParam> a(seed);
    a.ready_percent = 4;
    for (uint32_t word = 0; word < 3; ++word) a.issue(a.word(Kind::Load, [&](uint32_t t) { return (word * 32 + t) * 128; }));
    a.finish();
  }
}

TYPED_TEST(AxiTest, LoadsSeeStoresThatTheBusDelays) {  // spill and fill: a read must not overtake the write
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Axi<TypeParam> a(seed);
    a.memory_latency(100, 70, 90);
    for (int i = 0; i < 60; ++i) {
      const uint32_t at = a.random.below(4) * 64;
      a.issue(a.word(a.random.chance(50) ? Kind::Store : Kind::Load, [&](uint32_t t) { return at + 4 * t; }));
    }
    a.finish();
  }
}

TYPED_TEST(AxiTest, AddressOverflowWraps) {  // 0xffffffff + 1 is address 0 of the buffer
  Axi<TypeParam> a(7);
  Word w = a.word(Kind::Atomic, [](uint32_t) { return 0xffffffffu + 1u; });
  w.op = Add;
  w.data[0].fill(1);
  const uint32_t before = a.expected[0];
  a.issue(w);
  a.issue(a.word(Kind::Load, [](uint32_t) { return 0u; }));
  // Below the wrap is out of bounds, whatever base + address would be; the components behind it are in bounds again.
  Word x4 = a.word(Kind::Load, [](uint32_t) { return 0xfffffff8u; }, kFirst + 8);
  x4.size = 2;
  x4.comps = 15;
  x4.wmask.fill(x4.exec);
  a.issue(x4);
  a.issue(a.word(Kind::Store, [](uint32_t t) { return 0xfffffff0u + 4 * t; }));
  a.finish();
  EXPECT_EQ(a.expected[0] != before, true);
}

TYPED_TEST(AxiTest, GlobalAddressesAreInBoundsUnlessTheyWrap) {
  Axi<TypeParam> a(13);
  for (Kind kind : {Kind::Store, Kind::Load, Kind::Atomic}) {
    Word w = a.word(kind, [](uint32_t t) { return kFirst + 16 * t; }, 0, 0);
    w.bound = uint64_t{1} << 32;
    if (kind != Kind::Atomic) {
      w.size = 2;
      w.comps = 15;
      if (kind == Kind::Load) w.wmask.fill(w.exec);
    }
    a.issue(w);
  }
  a.finish();
  EXPECT_GT(a.slave.reads, 0u);
}

TYPED_TEST(AxiTest, BoundsAreOfEachComponent) {
  for (uint32_t bound = 0; bound < 40; ++bound) {
    Axi<TypeParam> a(bound);
    for (Kind kind : {Kind::Store, Kind::Load}) {
      Word w = a.word(kind, [](uint32_t t) { return t % 4 * 16; }, kFirst + 16, bound);
      w.size = 2;
      w.comps = 15;
      if (kind == Kind::Load) w.wmask.fill(w.exec);
      a.issue(w);
    }
    a.finish();
  }
}

TYPED_TEST(AxiTest, EmptyMasksAndFences) {  // an access by nobody completes and frees its semaphore
  Axi<TypeParam> a(8);
  for (int i = 0; i < 20; ++i) {
    Word w = a.word(i % 2 ? Kind::Load : i % 4 ? Kind::Store : Kind::Atomic, [](uint32_t t) { return t * 4; });
    w.exec = 0;
    w.wmask = {};
    w.acq = true;
    a.issue(w);
    a.issue(a.word(Kind::Fence, [](uint32_t t) { return t * 4; }));
  }
  a.finish();
  EXPECT_EQ(a.done, 40u);
  EXPECT_EQ(a.slave.reads + a.slave.writes, 0u);
}

TYPED_TEST(AxiTest, BusErrorsCarryThePcOfTheAccess) {
  for (Kind kind : {Kind::Load, Kind::Store, Kind::Atomic}) {
    Axi<TypeParam> a(9);
    a.memory_latency(30, 100, 100);
    a.slave.fail_from = kFirst + 0x2000;
    a.slave.fail_to = kFirst + 0x2080;
    Word good = a.word(Kind::Load, [](uint32_t t) { return t * 4; });
    Word w = a.word(kind, [](uint32_t) { return 0x2000u; });
    w.wmask = {};
    w.pc = 0xabcdef;
    w.wave = 2;
    w.op = Cswap;  // writes nothing unless it compares equal
    if (kind == Kind::Store) w.exec = 1;
    a.issue(good);
    a.issue(w);
    a.issue(good);
    a.run();
    ASSERT_EQ(a.bus_errors.size(), 1u);
    EXPECT_EQ(a.bus_errors[0].first, 2u);
    EXPECT_EQ(a.bus_errors[0].second, 0xabcdefu);
  }
}

TYPED_TEST(AxiTest, BadBeatDropsWhatHasNotStarted) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Axi<TypeParam> a(seed);
    const std::vector<uint32_t> before = a.expected;
    Word bad = a.word(Kind::Store, [](uint32_t t) { return t * 4; });
    bad.bad = true;
    a.issue(bad);
    for (int i = 0; i < 5; ++i) a.issue(a.word(Kind::Store, [](uint32_t t) { return t * 4; }));
    for (int i = 0; i < 300; ++i) a.cycle();
    EXPECT_TRUE(a.top.idle_o);
    EXPECT_EQ(a.done, 0u);
    EXPECT_EQ(a.slave.writes, 0u);
    a.clear();
    EXPECT_EQ(a.expected, before);
    a.random_words(20);
    a.finish();
  }
}

TYPED_TEST(AxiTest, BadCheckDropsWhatHasNotStarted) {
  Axi<TypeParam> a(14);
  a.issue(a.word(Kind::Check, [](uint32_t) { return 0u; }));
  Word bad = a.word(Kind::Check, [](uint32_t t) { return t == 7 ? 1u : 0u; });
  bad.bad = true;
  for (int i = 0; i < 50; ++i) a.cycle();
  EXPECT_EQ(a.done, 1u);
  a.issue(bad);
  a.issue(a.word(Kind::Store, [](uint32_t t) { return t * 4; }));
  for (int i = 0; i < 300; ++i) a.cycle();
  EXPECT_TRUE(a.top.idle_o);
  EXPECT_EQ(a.done, 1u);
  EXPECT_EQ(a.slave.writes, 0u);
}

TYPED_TEST(AxiTest, BadBeatDropsWordsThatWait) {  // complete words before the bad one, but not started
  Axi<TypeParam> a(12);
  a.memory_latency(300, 100, 100);
  for (int i = 0; i < 3; ++i) a.issue(a.word(Kind::Load, [](uint32_t t) { return t * 128; }));
  for (int i = 0; i < 50; ++i) a.cycle();  // the first word has started
  Word bad = a.word(Kind::Load, [](uint32_t t) { return t * 4; });
  bad.bad = true;
  a.issue(bad);
  for (int i = 0; i < 20000; ++i) a.cycle();
  EXPECT_TRUE(a.killed);
  EXPECT_TRUE(a.top.idle_o);
  EXPECT_GT(a.done, 0u);
  EXPECT_LT(a.done, 3u);
  a.clear();
  a.random_words(10);
  a.finish();
}

TYPED_TEST(AxiTest, CacheStreamsHitsAndFetchesLinesOnce) {
  Axi<TypeParam> a(10);
  const uint32_t words = a.top.icache_words_o;
  for (uint32_t round = 0; round < 3; ++round)
    for (uint32_t pc = 0; pc < words; ++pc) a.fetch(pc);
  while (!a.fetched_all()) a.cycle();
  EXPECT_EQ(a.misses, words / 8);
  const uint64_t before = a.cycles;
  for (uint32_t pc = 0; pc < words; ++pc) a.fetch(pc);
  while (!a.fetched_all()) a.cycle();
  EXPECT_LE(a.cycles - before, words + 4) << "hits do not stream";
  EXPECT_EQ(a.misses, words / 8);

  a.top.ic_invalidate_i = 1;
  a.cycle();
  a.top.ic_invalidate_i = 0;
  a.slave.set_word(kProgram + 16, 0x12345678);
  a.fetch(1);
  while (!a.fetched_all()) a.cycle();
  EXPECT_EQ(a.misses, words / 8 + 1);
}

TYPED_TEST(AxiTest, CacheReportsBusErrorsAndForgetsTheLine) {
  Axi<TypeParam> a(11);
  a.slave.fail_from = kProgram;
  a.slave.fail_to = kProgram + 128;
  for (uint32_t pc = 0; pc < 16; ++pc) a.fetch(pc);
  while (!a.fetched_all()) a.cycle();
  EXPECT_EQ(a.errors, 8u);
  EXPECT_EQ(a.misses, 9u);  // the failing line is asked for each time
  a.slave.fail_to = 0;
  for (uint32_t pc = 0; pc < 8; ++pc) a.fetch(pc);
  while (!a.fetched_all()) a.cycle();
  EXPECT_EQ(a.errors, 8u);
  EXPECT_EQ(a.misses, 10u);
}

}  // namespace
}  // namespace mem_test
