// Unit tests of mw_shared: random words against sequential memory, and the situations that have failed elsewhere.
#include "Vshared_l1.h"
#include "Vshared_l32.h"
#include "Vshared_l8.h"
#include "mem_driver.hpp"

namespace mem_test {
namespace {

template <class Top>
class Shared : public Driver<Top> {
 public:
  explicit Shared(uint64_t seed)
      : Driver<Top>(seed, [this](uint32_t a) -> uint32_t& { return memory.at(a / 4); }, false),
        banks(this->top.banks_o), memory(this->top.bytes_o / 4) {
    for (uint32_t& m : memory) m = this->random.bits();
    this->top.fill_valid_i = 0;
    const uint32_t width = this->top.fill_words_o;
    for (uint32_t row = 0; row < memory.size() / width; ++row) {
      this->top.fill_valid_i = 1;
      this->top.fill_row_i = row;
      for (uint32_t b = 0; b < width; ++b) this->top.fill_data_i[b] = memory[row * width + b];
      this->top.eval();
      EXPECT_TRUE(this->top.fill_ready_o);
      this->clock();
    }
    this->top.fill_valid_i = 0;
    this->top.eval();
  }

  /// A word of full lanes: thread t accesses address(t).
  template <class F>
  Word word(Kind kind, F address) {
    Word w;
    w.kind = kind;
    w.bound = static_cast<uint32_t>(memory.size()) * 4;
    w.wave = this->random.below(4);
    if (kind == Kind::Load || kind == Kind::Atomic) w.wmask[0] = w.exec;
    for (uint32_t t = 0; t < 32; ++t) {
      w.addr[t] = address(t);
      w.data[0][t] = this->random.bits();
      w.data2[t] = this->random.bits();
    }
    return w;
  }

  /// Reads the whole memory back.
  void read_back() {
    for (uint32_t i = 0; i < memory.size(); i += 32)
      this->issue(word(Kind::Load, [i](uint32_t t) { return (i + t) * 4; }));
    this->run();
  }

  void random_words(int count, uint32_t group_rows) {
    const uint32_t group_bytes = group_rows * banks * 4;
    const uint32_t groups = static_cast<uint32_t>(memory.size()) * 4 / group_bytes;
    for (int i = 0; i < count; ++i) {
      const uint32_t declared = group_bytes - this->random.below(std::min(group_bytes, 64u));
      Word w = random_word(this->random, 0, declared, banks);
      w.base = this->random.below(groups) * group_bytes;
      w.wave = this->random.below(4);
      this->issue(w);
    }
    this->run();
  }

  uint64_t passes = 0, conflicts = 0, words = 0;
  uint32_t banks;
  std::vector<uint32_t> memory;

 protected:
  void before_edge() override {
    // A row that no test uses as memory is filled again and again with its own contents: launches of other groups.
    if (fill_percent != 0 && !this->top.fill_valid_i && this->random.chance(fill_percent)) {
      this->top.fill_valid_i = 1;
      this->top.fill_row_i = 0;
      for (uint32_t b = 0; b < this->top.fill_words_o; ++b) this->top.fill_data_i[b] = memory[b];
    }
  }
  void sample() override {
    passes += this->top.cnt_pass_o;
    conflicts += this->top.cnt_conflict_o;
    words += this->top.cnt_words_o;
    if (this->top.fill_valid_i && this->top.fill_ready_o) filled_ = true;
    if (filled_) {
      // Taken at the coming edge; the next request may come the cycle after.
      filled_ = false;
      drop_fill_ = true;
    }
  }

 public:
  uint32_t fill_percent = 0;
  void step() {
    this->cycle();
    if (drop_fill_) {
      this->top.fill_valid_i = 0;
      drop_fill_ = false;
    }
  }

 private:
  bool filled_ = false, drop_fill_ = false;
};

template <class Top>
class SharedTest : public ::testing::Test {};
using Units = ::testing::Types<Vshared_l1, Vshared_l8, Vshared_l32>;
TYPED_TEST_SUITE(SharedTest, Units);

TYPED_TEST(SharedTest, RandomWords) {
  for (uint64_t seed = 1; seed <= seeds(20); ++seed) {
    Shared<TypeParam> s(seed);
    s.ready_percent = seed % 3 == 0 ? 100 : seed % 3 == 1 ? 60 : 15;
    s.issue_percent = seed % 2 == 0 ? 100 : 30;
    s.random_words(300, seed % 4 == 0 ? 16 : 4);
    s.read_back();
    if (this->HasFailure()) FAIL() << "seed " << seed;
  }
}

TYPED_TEST(SharedTest, AtomicsOnFewWords) {  // every operation and type
  for (uint8_t op = 0; op < AtomCount; ++op) {
    for (Type type : {Type::Unsigned, Type::Signed, Type::Float}) {
      if (type == Type::Float && op != Add && op != Exch) continue;
      Shared<TypeParam> s(op * 3 + static_cast<int>(type));
      for (int i = 0; i < 40; ++i) {
        Word w = s.word(Kind::Atomic, [&](uint32_t) { return s.random.below(1 + i % 9) * 4 * (i % 2 ? 1 : s.banks); });
        w.op = op;
        w.type = type;
        for (auto& x : w.data[0]) x = atomic_operand(s.random, type);
        s.issue(w);
        if (i % 3 == 0) s.issue(s.word(Kind::Load, [](uint32_t t) { return t * 4; }));
        if (i % 5 == 0) s.issue(s.word(Kind::Store, [&](uint32_t) { return s.random.below(9) * 4; }));
      }
      s.run();
      s.read_back();
    }
  }
}

TYPED_TEST(SharedTest, StreamsOneBeatPerCycle) {
  for (int mix = 0; mix < 3; ++mix) {  // loads, stores, both
    Shared<TypeParam> s(7);
    const int words = 400;
    for (int i = 0; i < words; ++i) {
      const Kind kind = mix == 0 || (mix == 2 && i % 2 == 0) ? Kind::Load : Kind::Store;
      s.issue(s.word(kind, [&](uint32_t t) { return ((i * 32 + t) * 4) % (s.memory.size() * 4); }));
    }
    s.run();
    EXPECT_GE(double(s.words), 0.95 * double(s.lanes) * double(s.cycles)) << "of the lanes' words per cycle, mix " << mix;
    EXPECT_EQ(s.conflicts, 0u);
  }
}

TYPED_TEST(SharedTest, PassCounts) {
  struct Case {
    const char* name;
    std::function<uint32_t(uint32_t, uint32_t)> word;    // (thread, banks) -> word
    std::function<uint32_t(uint32_t, uint32_t)> passes;  // (lanes, banks) -> passes of a beat
  };
  const Case cases[] = {
      {"equal words", [](uint32_t, uint32_t) { return 5u; }, [](uint32_t, uint32_t) { return 1u; }},
      {"half A, half B of one bank", [](uint32_t t, uint32_t n) { return (t & 1) * n; }, [](uint32_t l, uint32_t) { return l > 1 ? 2u : 1u; }},
      {"consecutive", [](uint32_t t, uint32_t) { return t; }, [](uint32_t, uint32_t) { return 1u; }},
      {"all different words of one bank", [](uint32_t t, uint32_t n) { return t * n; }, [](uint32_t l, uint32_t) { return l; }},
      {"stride two", [](uint32_t t, uint32_t) { return t * 2; }, [](uint32_t l, uint32_t n) { return std::max(1u, 2 * l / n); }},
      {"odd stride", [](uint32_t t, uint32_t) { return t * 3; }, [](uint32_t, uint32_t) { return 1u; }},
  };
  for (const Case& c : cases) {
    Shared<TypeParam> s(3);
    s.issue(s.word(Kind::Load, [&](uint32_t t) { return c.word(t, s.banks) * 4; }));
    s.run();
    EXPECT_EQ(s.passes, s.beats * c.passes(s.lanes, s.banks)) << c.name;
    EXPECT_EQ(s.conflicts, s.passes - s.beats) << c.name;
    EXPECT_EQ(s.words, 32u) << c.name;
  }
}

TYPED_TEST(SharedTest, HighestThreadsStoreStays) {
  Shared<TypeParam> s(4);
  s.issue(s.word(Kind::Store, [](uint32_t) { return 40u; }));
  s.issue(s.word(Kind::Store, [](uint32_t t) { return (t % 3) * 4; }));
  s.run();
  s.read_back();
}

TYPED_TEST(SharedTest, AddressOverflowWraps) {  // 0xffffffff + 1 is address 0
  Shared<TypeParam> s(5);
  Word w = s.word(Kind::Atomic, [](uint32_t) { return 0xffffffffu + 1u; });
  w.op = Add;
  w.data[0].fill(1);
  const uint32_t before = s.memory[0];
  s.issue(w);
  s.issue(s.word(Kind::Load, [](uint32_t) { return 0u; }));
  // The component behind the wrap is at 0 again; the last word below the wrap is out of bounds.
  Word x2 = s.word(Kind::Load, [](uint32_t) { return 0xfffffff8u; });
  x2.size = 1;
  x2.comps = 3;
  x2.wmask[1] = x2.exec;
  s.issue(x2);
  s.run();
  EXPECT_EQ(s.memory[0], before + 32);
}

// Each beat has as many passes as lanes, so the queue is full nearly always, and the places of the beat that is being performed are the next to be written.
TYPED_TEST(SharedTest, FullQueueKeepsTheOperandsOfTheBeatAtWork) {
  Shared<TypeParam> s(31);
  for (uint32_t i = 0; i < 64; ++i)
    s.issue(s.word(i % 3 == 2 ? Kind::Atomic : Kind::Store, [&](uint32_t t) { return (t + i) % 32 * s.banks * 4 % (static_cast<uint32_t>(s.memory.size()) * 4); }));
  s.run();
  s.read_back();
}

TYPED_TEST(SharedTest, EmptyMasksAndFences) {  // an access by nobody completes and frees its semaphore
  Shared<TypeParam> s(6);
  for (int i = 0; i < 50; ++i) {
    Word w = s.word(i % 2 ? Kind::Load : i % 4 ? Kind::Store : Kind::Atomic, [](uint32_t t) { return t * 4; });
    w.exec = 0;
    w.wmask = {};
    w.acq = true;
    s.issue(w);
    Word f = s.word(Kind::Fence, [](uint32_t t) { return t * 4; });
    f.acq = true;
    s.issue(f);
  }
  s.run();
  EXPECT_EQ(s.done, 100u);
  EXPECT_EQ(s.passes, 0u);
}

TYPED_TEST(SharedTest, BadBeatDropsWhatHasNotStarted) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Shared<TypeParam> s(seed);
    const std::vector<uint32_t> before = s.memory;
    Word bad = s.word(Kind::Store, [](uint32_t t) { return t * 4; });
    bad.bad = true;
    s.issue(bad);
    for (int i = 0; i < 5; ++i) s.issue(s.word(Kind::Store, [](uint32_t t) { return t * 4; }));
    for (int i = 0; i < 200; ++i) s.cycle();
    EXPECT_TRUE(s.top.idle_o);
    EXPECT_EQ(s.done, 0u);
    s.clear();
    EXPECT_EQ(s.memory, before);
    s.random_words(20, 4);
    s.read_back();
  }
}

TYPED_TEST(SharedTest, BadBeatDropsWordsThatWait) {  // complete words before the bad one, but not started
  Shared<TypeParam> s(12);
  s.ready_percent = 0;  // the return queue and the stages fill up, and words wait behind them
  const uint32_t words = 22 / s.beats + 2;
  for (uint32_t i = 0; i < words; ++i) s.issue(s.word(Kind::Load, [](uint32_t t) { return t * 4; }));
  Word bad = s.word(Kind::Load, [](uint32_t t) { return t * 4; });
  bad.bad = true;
  s.issue(bad);
  for (int i = 0; i < 1000; ++i) s.cycle();
  EXPECT_TRUE(s.killed);
  s.ready_percent = 100;
  for (int i = 0; i < 1000; ++i) s.cycle();
  EXPECT_TRUE(s.top.idle_o);
  EXPECT_GT(s.done, 0u);
  EXPECT_LT(s.done, words);
  s.clear();
  s.read_back();
}

// The second operands of CSWAP wait in a memory of their own: words that are dropped must not write over those of the word at work.
TYPED_TEST(SharedTest, BadSwapKeepsTheOperandsOfTheWordAtWork) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Shared<TypeParam> s(seed);
    const auto swap = [&] {
      Word w = s.word(Kind::Atomic, [](uint32_t t) { return t % 2 * 4; });   // two words of memory: a pass for each lane
      w.op = Cswap;
      for (uint32_t t = 0; t < 32; ++t) {  // half of them find what they compare with, and store
        w.data[0][t] = s.random.below(2);
        w.data2[t] = s.random.below(2);
      }
      return w;
    };
    const auto zero = [&] {
      Word w = s.word(Kind::Store, [](uint32_t t) { return t % 2 * 4; });
      for (uint32_t& x : w.data[0]) x = 0;
      return w;
    };
    s.issue(zero());
    for (int i = 0; i < 20; ++i) s.issue(swap());
    Word bad = swap();
    bad.bad = true;
    s.issue(bad);
    for (int i = 0; i < 20; ++i) s.issue(swap());
    for (int i = 0; i < 100000 && !s.killed; ++i) s.cycle();
    for (int i = 0; i < 3000; ++i) s.cycle();   // what comes behind the bad word, and the word at work
    EXPECT_TRUE(s.killed);
    EXPECT_TRUE(s.top.idle_o);
    EXPECT_GT(s.done, 0u);
    s.clear();
    s.issue(zero());   // the bench has performed the dropped swaps too: only the results of those that started tell about the two words
    s.read_back();
  }
}

TYPED_TEST(SharedTest, FillWhileOthersWork) {
  Shared<TypeParam> s(9);
  s.fill_percent = 50;
  // Row 0 keeps its contents: no word of this test stores there.
  for (int i = 0; i < 200; ++i)
    s.issue(s.word(i % 3 == 0 ? Kind::Load : i % 3 == 1 ? Kind::Store : Kind::Atomic,
                   [&](uint32_t) { return (s.banks + s.random.below(3 * s.banks)) * 4; }));
  for (int i = 0; i < 20000; ++i) s.step();
  s.fill_percent = 0;
  while (s.top.fill_valid_i) s.step();
  s.run();
  EXPECT_EQ(s.done, 200u);
  s.read_back();
}

}  // namespace
}  // namespace mem_test
