// What lockstep costs: processor time of the same runs on the RTL alone (no records read) and in lockstep, in turns, in one process.
// usage: lockstep_benchmark [CONFIGURATION]
#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "bench.hpp"

namespace maskwork::suite {
namespace {

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Three kinds of work: a chain of FMAs that fills the pipeline, shared memory with barriers, and divergent loops.
std::vector<std::pair<std::string, Bench>> workloads() {
  std::string chain;
  for (int i = 0; i < 200; ++i) chain += "    MAD.F32 r0, r0, r1, r2\n    MAD.F32 r3, r3, r1, r2\n";
  std::vector<std::pair<std::string, Bench>> all;
  all.emplace_back("fma chain", Bench(microcode(".group 256 1 1\n.flow full\n    REP out func(00) count(12)\nback:\n" + chain +
                                                "    ENDREP back func(ff) any\nout:\n    END wait(axi,shared)\n")));
  all.emplace_back("shared memory", Bench(microcode(R"(.group 256 1 1
.flow full
.shared 1024
    SHL.U32 r1, localindex, 2
    REP out func(00) count(400)
back:
    STS.U32 [r1], r0
    BAR
    XOR.U32 r1, r1, 132
    LDS.U32 r0, [r1] wait(shared) acquire
    ADD.U32 r0, r0, 1 wait(shared)
    BAR
    ENDREP back func(ff) any
out:
    END wait(axi,shared)
)")));
  all.emplace_back("divergent loops", Bench(assemble_source(R"(!!NVcp5.0
GROUP_SIZE 256;
TEMP R0, R1, RC;
AND.U R0.x, invocation.localindex, 31;
ADD.U R0.x, R0.x, 1;
MOV.U R0.y, 0;
REP.U {60, 0, 0, 0};
  MOV.U R1.x, R0.x;
  REP;
    SUB.S.CC R1.x, R1.x, 1;
    BRK (LT.x);
    MAD.U R0.y, R0.y, 3, R1.x;
  ENDREP;
ENDREP;
END
)")));
  for (auto& [name, bench] : all) bench.groups(2);
  return all;
}

}  // namespace
}  // namespace maskwork::suite

int main(int argc, char** argv) {
  using namespace maskwork;
  using namespace maskwork::suite;
  const auto config = isa::find_config(argc > 1 ? argv[1] : "base");
  if (!config) return 2;
  double worst = 0;
  for (auto& [name, bench] : workloads()) {
    double best[2] = {1e9, 1e9};
    uint64_t cycles = 0, lane_ops = 0;
    for (int round = 0; round < 5; ++round)
      for (const bool lockstep : {false, true}) {
        bench.rtl.history = false;
        bench.lockstep = lockstep;
        const double begin = cpu_seconds();
        const Outcome o = bench.on_rtl(*config, 1, verif::AxiProfile::ideal());
        best[lockstep] = std::min(best[lockstep], cpu_seconds() - begin);
        if (!o.result.ok()) {
          fmt::print("{}: {}\n", name, o.result.mismatch);
          return 1;
        }
        cycles = o.counter(isa::Counter::Cycles);
        lane_ops = o.counter(isa::Counter::LaneOps);
      }
    // Both as loss of speed: 1 - (time alone / time in lockstep).
    const double loss = 1 - best[0] / best[1];
    worst = std::max(worst, loss);
    fmt::print("{:<18}{:>9} cycles  rtl {:>6.0f} k cycles/s, {:>5.2f} M lane-operations/s  lockstep {:>6.0f} k cycles/s  loss {:>5.1f} %\n", name, cycles,
               static_cast<double>(cycles) / best[0] / 1e3, static_cast<double>(lane_ops) / best[0] / 1e6, static_cast<double>(cycles) / best[1] / 1e3, 100 * loss);
  }
  fmt::print("lockstep loses at most {:.1f} % on {}\n", 100 * worst, config->name);
  return 0;
}
