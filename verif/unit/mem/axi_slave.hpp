// AXI4 slave for the unit tests: seeded random latency and back-pressure, read data in any interleaving of the two ids, and writes
// that reach memory only with their response, so that a read which overtakes a write is seen. Checks the protocol and the rule
// that no two outstanding transactions on one 128-byte line include a write.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <vector>

#include "mem_word.hpp"

namespace mem_test {

template <class Top>
class AxiSlave {
 public:
  AxiSlave(Top& top, Random& random, uint32_t first_address, uint32_t bytes)
      : first(first_address), memory(bytes), top_(top), random_(random), width_(top.axi_bits_o / 8) {
    idle_outputs();
  }

  uint32_t word(uint32_t address) const {
    uint32_t v;
    std::memcpy(&v, &memory.at(address - first), 4);
    return v;
  }
  void set_word(uint32_t address, uint32_t v) { std::memcpy(&memory.at(address - first), &v, 4); }

  /// Chooses this cycle's inputs of the unit.
  void before_edge() {
    top_.arready_i = random_.chance(accept_percent);
    top_.awready_i = random_.chance(accept_percent);
    top_.wready_i = random_.chance(accept_percent);
    if (!top_.rvalid_i) offer_read();
    if (!top_.bvalid_i) offer_response();
    for (auto& q : reads_)
      for (Read& r : q)
        if (r.delay > 0) --r.delay;
    for (Write& w : writes_)
      if (w.delay > 0) --w.delay;
  }

  /// Takes what is transferred at the coming edge.
  void sample() {
    r_taken_ = top_.rvalid_i && top_.rready_o;
    b_taken_ = top_.bvalid_i && top_.bready_o;
    if (r_taken_) take_read_beat();
    if (b_taken_) take_response();
    if (top_.arvalid_o && top_.arready_i) accept_read();
    if (top_.awvalid_o && top_.awready_i) accept_write();
    if (top_.wvalid_o && top_.wready_i) accept_data();
  }
  void after_edge() {
    if (r_taken_) top_.rvalid_i = 0;
    if (b_taken_) top_.bvalid_i = 0;
  }

  bool idle() const { return reads_[0].empty() && reads_[1].empty() && writes_.empty(); }

  uint32_t first;
  std::vector<uint8_t> memory;
  uint32_t accept_percent = 100, data_percent = 100, latency = 0;  ///< latency: at most this many cycles, random
  uint32_t fail_from = 0, fail_to = 0;                             ///< lines in [from, to) answer with SLVERR
  uint64_t reads = 0, writes = 0, read_beats = 0, write_beats = 0;
  std::size_t most_reads = 0;                                      ///< reads of the memory unit outstanding at a time

 private:
  struct Read {
    uint32_t address, beats, delay, at = 0;
    std::vector<uint8_t> early;  ///< data as they were when the address came; empty = fetched when sent
  };
  struct Write {
    uint32_t address, beats, delay;
    std::vector<uint8_t> data;
    std::vector<bool> strobe;
    bool complete = false;
  };

  void idle_outputs() {
    top_.rvalid_i = top_.bvalid_i = 0;
    top_.arready_i = top_.awready_i = top_.wready_i = 0;
  }
  bool failing(uint32_t address) const { return address >= fail_from && address < fail_to; }
  uint32_t some_latency() { return latency == 0 ? 0 : random_.below(latency + 1); }

  bool check_burst(uint32_t address, uint32_t len, uint32_t size, uint32_t burst) {
    EXPECT_EQ(1u << size, width_);
    EXPECT_EQ(burst, 1u);
    EXPECT_EQ(address % width_, 0u);
    EXPECT_EQ(address / 4096, (address + (len + 1) * width_ - 1) / 4096) << "burst crosses 4 KiB";
    const bool inside = address >= first && uint64_t{address} + (len + 1) * width_ <= uint64_t{first} + memory.size();
    EXPECT_TRUE(inside) << "access outside memory: " << std::hex << address;
    return inside;
  }

  void accept_read() {
    if (!check_burst(top_.araddr_o, top_.arlen_o, top_.arsize_o, top_.arburst_o)) return;
    const uint32_t id = top_.arid_o, line = top_.araddr_o / 128;
    if (id == 0) {
      ++reads;
      for (const Write& w : writes_) EXPECT_NE(w.address / 128, line) << "read while a write of the line is outstanding";
    }
    Read r{top_.araddr_o, top_.arlen_o + 1u, some_latency(), 0, {}};
    if (random_.chance(50)) {
      r.early.resize(r.beats * width_);
      std::memcpy(r.early.data(), &memory[r.address - first], r.early.size());
    }
    reads_[id].push_back(r);
    if (id == 0) most_reads = std::max(most_reads, reads_[0].size());
  }
  void accept_write() {
    if (!check_burst(top_.awaddr_o, top_.awlen_o, top_.awsize_o, top_.awburst_o)) return;
    EXPECT_EQ(top_.awid_o, 0);
    ++writes;
    const uint32_t line = top_.awaddr_o / 128;
    for (const Read& r : reads_[0]) EXPECT_NE(r.address / 128, line) << "write while a read of the line is outstanding";
    for (const Write& w : writes_) EXPECT_NE(w.address / 128, line) << "two writes of a line outstanding";
    writes_.push_back({top_.awaddr_o, top_.awlen_o + 1u, some_latency(), {}, {}});
  }
  void accept_data() {
    ++write_beats;
    for (Write& w : writes_) {
      if (w.complete) continue;
      for (uint32_t i = 0; i < width_; ++i) {
        w.data.push_back(static_cast<uint8_t>(top_.wdata_o[i / 4] >> (i % 4 * 8)));
        w.strobe.push_back((top_.wstrb_o >> i) & 1);
      }
      w.complete = w.data.size() == w.beats * width_;
      EXPECT_EQ(bool(top_.wlast_o), w.complete) << "WLAST";
      return;
    }
    ADD_FAILURE() << "write data without an address";
  }

  void offer_read() {
    const uint32_t id = random_.below(2);
    auto& q = reads_[id].empty() ? reads_[1 - id] : reads_[id];
    if (q.empty() || q.front().delay > 0 || !random_.chance(data_percent)) return;
    Read& r = q.front();
    top_.rvalid_i = 1;
    top_.rid_i = &q == &reads_[1];
    top_.rlast_i = r.at + 1 == r.beats;
    top_.rresp_i = failing(r.address) ? 2 : 0;
    const uint8_t* from = r.early.empty() ? &memory[r.address - first + r.at * width_] : &r.early[r.at * width_];
    for (uint32_t i = 0; i < width_ / 4; ++i) {
      uint32_t v;
      std::memcpy(&v, from + 4 * i, 4);
      top_.rdata_i[i] = v;
    }
  }
  void take_read_beat() {
    if (top_.rid_i == 0) ++read_beats;
    Read& r = reads_[top_.rid_i].front();
    if (++r.at == r.beats) reads_[top_.rid_i].pop_front();
  }
  void offer_response() {
    if (writes_.empty() || !writes_.front().complete || writes_.front().delay > 0) return;
    top_.bvalid_i = 1;
    top_.bresp_i = failing(writes_.front().address) ? 2 : 0;
  }
  void take_response() {
    const Write& w = writes_.front();
    if (!failing(w.address))
      for (uint32_t i = 0; i < w.data.size(); ++i)
        if (w.strobe[i]) memory[w.address - first + i] = w.data[i];
    writes_.pop_front();
  }

  Top& top_;
  Random& random_;
  uint32_t width_;
  bool r_taken_ = false, b_taken_ = false;
  std::deque<Read> reads_[2];
  std::deque<Write> writes_;
};

}  // namespace mem_test
