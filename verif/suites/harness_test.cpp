// The harness itself: would it notice? Each test puts one thing wrong and expects the complaint.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "bench.hpp"
#include "maskwork/follower.hpp"
#include "maskwork/verif/axi_memory.hpp"
#include "maskwork/verif/lockstep.hpp"

namespace maskwork::suite {
namespace {

using verif::RtlSim;

/// A unit without RTL: its pins are set and its records are given by the test.
class FakeSim : public RtlSim {
 public:
  const isa::Config& config() const override { return config_; }
  void settle() override {}
  void edge() override {}
  bool records(verif::RecordSink& sink) override {
    if (!give) return false;
    give(sink);
    give = nullptr;
    return true;
  }
  bool group_ended() const override { return false; }
  void open_trace(const std::string&) override {}
  std::function<void(verif::RecordSink&)> give;

 private:
  isa::Config config_ = *isa::find_config("base");
};

/// A memory slave with its fake master.
struct Slave {
  explicit Slave(const verif::AxiProfile& profile = verif::AxiProfile::ideal()) : axi(memory, sim.config(), profile, 1) {
    memory.allocate(4096);
    axi.reset();
  }
  void cycle() {
    axi.drive(sim);
    axi.sample(sim);
  }
  /// Cycles until `done`; false if it takes too long.
  bool until(const std::function<bool()>& done) {
    for (int i = 0; i < 1000; ++i) {
      axi.drive(sim);
      const bool d = done();
      axi.sample(sim);
      if (d) return true;
    }
    return false;
  }
  std::string complaints() const {
    std::vector<std::string> errors;
    axi.check(errors);
    std::string all;
    for (const auto& e : errors) all += e + "\n";
    return all;
  }
  Memory memory;
  FakeSim sim;
  verif::AxiMemory axi;
};

verif::AxiBus::Address address(uint32_t at, uint32_t len = 0, uint32_t id = 0) { return {true, id, at, len, 3, 1}; }

TEST(AxiMemory, ReadsAndWritesBursts) {
  for (const auto& profile : {verif::AxiProfile::ideal(), verif::AxiProfile::slow(), verif::AxiProfile{}}) {
    Slave s(profile);
    auto& bus = s.sim.axi;
    // Two beats of 64 bits, of the second only the upper half.
    bus.aw = address(0x1000, 1);
    ASSERT_TRUE(s.until([&] { return bus.awready; }));
    bus.aw.valid = false;
    for (uint32_t beat = 0; beat < 2; ++beat) {
      bus.w = {true, beat == 1, {10 + beat, 20 + beat, 0, 0}, beat == 0 ? 0xffu : 0xf0u};
      ASSERT_TRUE(s.until([&] { return bus.wready; }));
    }
    bus.w.valid = false;
    bus.bready = true;
    ASSERT_TRUE(s.until([&] { return bus.bvalid; }));
    EXPECT_EQ(bus.bresp, 0u);
    EXPECT_EQ(s.memory.load32(0x1000), 10u);
    EXPECT_EQ(s.memory.load32(0x1004), 20u);
    EXPECT_EQ(s.memory.load32(0x1008), 0u);
    EXPECT_EQ(s.memory.load32(0x100c), 21u);
    bus.ar = address(0x1008);
    bus.rready = true;
    ASSERT_TRUE(s.until([&] { return bus.arready; }));
    bus.ar.valid = false;
    ASSERT_TRUE(s.until([&] { return bus.rvalid; }));
    EXPECT_EQ(bus.rdata[1], 21u);
    EXPECT_TRUE(bus.rlast);
    EXPECT_EQ(s.complaints(), "");
  }
}

TEST(AxiMemory, WritesTakeEffectAtTheResponse) {
  Slave s({20, 20, 0, 0, 0, 8});
  auto& bus = s.sim.axi;
  bus.aw = address(0x1000);
  bus.w = {true, true, {99, 0, 0, 0}, 0xf};
  s.cycle();
  bus.aw.valid = bus.w.valid = false;
  for (int i = 0; i < 15; ++i) s.cycle();
  EXPECT_EQ(s.memory.load32(0x1000), 0u);
  ASSERT_TRUE(s.until([&] { return bus.bvalid; }));
  EXPECT_EQ(s.memory.load32(0x1000), 99u);
}

TEST(AxiMemory, ComplainsOfBrokenRules) {
  const auto complaint = [](const std::function<void(Slave&)>& what) {
    Slave s({30, 30, 0, 0, 0, 8});
    what(s);
    return s.complaints();
  };
  // A line with a write and a read outstanding together, in both orders.
  EXPECT_NE(complaint([](Slave& s) {
              s.sim.axi.aw = address(0x1000);
              s.cycle();
              s.sim.axi.aw.valid = false;
              s.sim.axi.ar = address(0x1040);
              s.cycle();
            }).find("while a write on the same line"),
            std::string::npos);
  EXPECT_NE(complaint([](Slave& s) {
              s.sim.axi.ar = address(0x1040);
              s.cycle();
              s.sim.axi.ar.valid = false;
              s.sim.axi.aw = address(0x1000);
              s.cycle();
            }).find("while a read of the same line"),
            std::string::npos);
  // Another line, and the instruction cache, are no offence.
  EXPECT_EQ(complaint([](Slave& s) {
              s.sim.axi.ar = address(0x1080);
              s.cycle();
              s.sim.axi.ar = address(0x1000, 0, 1);
              s.cycle();
              s.sim.axi.ar.valid = false;
              s.sim.axi.aw = address(0x1000);
              s.cycle();
            }),
            "");
  EXPECT_NE(complaint([](Slave& s) {
              s.sim.axi.ar = address(0x1078, 1);
              s.cycle();
            }).find("leaves its 128-byte line"),
            std::string::npos);
  EXPECT_NE(complaint([](Slave& s) {
              s.sim.axi.aw = address(0x1000, 1);
              s.sim.axi.w = {true, true, {}, 0xff};
              s.cycle();
            }).find("WLAST"),
            std::string::npos);
  // Valid that is taken back, or changes, before it was accepted.
  const verif::AxiProfile choked{1, 1, 256, 0, 0, 8};
  Slave s(choked);
  s.sim.axi.ar = address(0x1000);
  s.cycle();
  s.sim.axi.ar = address(0x1008);
  s.cycle();
  EXPECT_NE(s.complaints().find("AR changed"), std::string::npos);
}

TEST(AxiMemory, ErrorsAndSilence) {
  Slave s;
  s.axi.bus_errors = {{0x1100, 0x110f}};
  s.axi.silent = {{0x1200, 0x12ff}};
  auto& bus = s.sim.axi;
  bus.rready = true;
  bus.ar = address(0x1108);
  s.cycle();
  bus.ar.valid = false;
  ASSERT_TRUE(s.until([&] { return bus.rvalid; }));
  EXPECT_EQ(bus.rresp, 2u);
  bus.ar = address(0x900000);  // nobody there
  s.cycle();
  bus.ar.valid = false;
  ASSERT_TRUE(s.until([&] { return bus.rvalid; }));
  EXPECT_EQ(bus.rresp, 3u);
  bus.ar = address(0x1200);
  s.cycle();
  bus.ar.valid = false;
  EXPECT_FALSE(s.until([&] { return bus.rvalid; }));
}

TEST(Lockstep, ReportsTheFirstDifferenceInFull) {
  // A one-wave program; the records are made by hand and one value is wrong.
  const auto config = *isa::find_config("base");
  Program p = microcode("    MOV.U32 r1, 5\n    ADD.U32 r2, r1, threadid\n    END wait(axi,shared)\n");
  p.source_name = "three.nvcp";
  p.lines = {{4, 1}, {5, 3}, {6, 1}};
  const Residency r = fit(config, p);
  DispatchState state;
  state.groups = {1, 1, 1};
  DispatchOptions options;
  Memory memory;
  const auto board = [&](uint32_t wrong_thread) {
    FakeSim sim;
    auto b = std::make_unique<verif::LockstepScoreboard>(config, p, r, make_follower(config, p, r, state, options, memory));
    sim.give = [](verif::RecordSink& s) { s.launch({0, {0, 0, 0}, 0}); };
    b->sample(sim);
    for (uint32_t word = 0; word < 2; ++word)
      for (uint32_t beat = 0; beat < config.beats(); ++beat) {
        RetireRecord rec;
        rec.seq = rec.pc = word;
        rec.beat = beat;
        rec.first = beat == 0;
        rec.last = beat + 1 == config.beats();
        rec.active = rec.executed = ((1u << config.lanes) - 1) << (beat * config.lanes);
        rec.dst_en = true;
        for (uint32_t t = 0; t < 32; ++t) rec.data[t] = word == 0 ? 5 : 5 + t + (t == wrong_thread ? 1 : 0);
        sim.give = [&](verif::RecordSink& s) { s.retire(rec); };
        b->sample(sim);
      }
    return b;
  };
  EXPECT_EQ(board(99)->mismatch(), "");
  const std::string text = board(13)->mismatch();
  for (const char* part : {"group 0,0,0 wave 0", "word 1", "thread 13", "00000013", "00000012", "three.nvcp:5:3", "ADD.U32 r2, r1, threadid", "last records", "MOV.U32 r1, 5"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
}

TEST(Lockstep, SeesWhatIsMissingAtTheEnd) {
  const auto config = *isa::find_config("base");
  const Program p = microcode("    END wait(axi,shared)\n");
  const Residency r = fit(config, p);
  DispatchState state;
  state.groups = {2, 1, 1};
  FakeSim sim;
  Memory memory;
  verif::LockstepScoreboard b(config, p, r, make_follower(config, p, r, state, {}, memory));
  sim.give = [](verif::RecordSink& s) { s.launch({0, {0, 0, 0}, 0}); };
  b.sample(sim);
  b.finish();
  EXPECT_NE(b.mismatch(), "");
}

TEST(Registry, NamesWhatThereIs) {
  EXPECT_FALSE(rtl_configs().empty());
  isa::Config other = *isa::find_config("base");
  other.name = "nonsense";
  try {
    verif::make_rtl(other);
    ADD_FAILURE();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("base"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace maskwork::suite
