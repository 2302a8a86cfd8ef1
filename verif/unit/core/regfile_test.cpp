// mw_regfile against a plain array of registers: both banks written and three sources read in the same clocks, lanes with rows of their own,
// masks, the window that reads 0, and outputs that are 0 when nothing is read.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "Vregfile_l1.h"
#include "Vregfile_l32.h"
#include "Vregfile_l8.h"

namespace {

template <class V, uint32_t Lanes, uint32_t Rows>
struct Shape {
  using Dut = V;
  static constexpr uint32_t lanes = Lanes, beats = 32 / Lanes, rows = Rows;  // rows: registers of all waves together
};

template <class S>
class RegfileTest : public testing::Test {
 protected:
  typename S::Dut dut;
  std::mt19937 rng{7};
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(rng() % n); }

  void clock() {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
  }
  RegfileTest() {
    dut.clk_i = 0;
    dut.re_i = 0;
    dut.we_i = 0;
    dut.eval();
  }
  ~RegfileTest() override { dut.final(); }
};

// Configurations tiny, small and base-l32: registers of all wave slots = reg_words / 32.
using Shapes = testing::Types<Shape<Vregfile_l1, 1, 4096 / 32>, Shape<Vregfile_l8, 8, 16384 / 32>, Shape<Vregfile_l32, 32, 131072 / 32>>;
TYPED_TEST_SUITE(RegfileTest, Shapes);

TYPED_TEST(RegfileTest, RandomTraffic) {
  using S = TypeParam;
  constexpr uint32_t L = S::lanes;
  auto& dut = this->dut;
  // key: bank, lane, register row, beat
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;
  std::map<Key, uint32_t> memory;
  struct Read {
    uint32_t enabled = 0;
    std::array<std::array<Key, 32>, 3> key{};
    std::array<std::array<bool, 32>, 3> window{};
  };
  const uint32_t hot = 6;  // few rows, so that reads find what was written
  uint64_t compared = 0;
  for (int cycle = 0; cycle < 40000; ++cycle) {
    // addresses of this clock
    Read now;
    const uint32_t bank = this->pick(2);
    const uint32_t beat = S::beats == 1 ? 0 : this->pick(S::beats / 2) * 2 + bank;
    dut.rbank_i = bank;
    dut.rbeat_i = beat;
    now.enabled = this->pick(8);
    for (uint32_t s = 0; s < 3; ++s)
      for (uint32_t l = 0; l < L; ++l) {
        const uint32_t row = this->pick(2) ? this->pick(hot) : S::rows - 1 - this->pick(hot);
        const bool window = this->pick(8) != 0;
        dut.rrow_i[s * L + l] = row;
        dut.rwin_i[s * L + l] = window;
        now.key[s][l] = {bank, l, row, beat};
        now.window[s][l] = window;
      }
    dut.re_i = now.enabled;
    // writes of this clock; of a word that is read now none is allowed
    std::map<Key, uint32_t> writes;
    dut.we_i = this->pick(4);
    for (uint32_t wbank = 0; wbank < 2; ++wbank) {
      const uint32_t wbeat = S::beats == 1 ? 0 : this->pick(S::beats / 2) * 2 + wbank;
      dut.wbeat_i[wbank] = wbeat;
      for (uint32_t l = 0; l < L; ++l) {
        const uint32_t row = this->pick(2) ? this->pick(hot) : S::rows - 1 - this->pick(hot);
        const uint32_t data = this->rng();
        const Key key{wbank, l, row, wbeat};
        const bool read = std::any_of(now.key.begin(), now.key.end(), [&](const auto& lanes) { return lanes[l] == key; });
        const bool on = this->pick(4) != 0 && !read;
        dut.wrow_i[wbank * L + l] = row;
        dut.wdata_i[wbank * L + l] = data;
        dut.wmask_i[wbank * L + l] = on;
        if (on && ((dut.we_i >> wbank) & 1)) writes[key] = data;
      }
    }
    this->clock();
    // the outputs show the words as they were before this clock's writes
    for (uint32_t s = 0; s < 3; ++s)
      for (uint32_t l = 0; l < L; ++l) {
        const bool hit = ((now.enabled >> s) & 1) != 0 && now.window[s][l];
        const auto it = memory.find(now.key[s][l]);
        if (hit && it == memory.end()) continue;  // never written
        ASSERT_EQ(dut.rdata_o[s * L + l], hit ? it->second : 0) << "cycle " << cycle << " source " << s << " lane " << l;
        ++compared;
      }
    for (const auto& [key, value] : writes) memory[key] = value;
  }
  EXPECT_GT(compared, 40000u);
}

}  // namespace
