// Speed of the verilated unit alone and in lockstep, and how busy its lanes and banks are.
#include <algorithm>
#include <stdexcept>

#include "bench.hpp"
#include "figures.hpp"
#include "load.hpp"
#include "maskwork/job/job.hpp"

namespace maskwork::bench {
namespace {

using suite::Bench;
using suite::Outcome;

/// Sixteen waves with a chain of fused multiply-adds each.
Bench fma_chain() {
  std::string chain;
  for (int i = 0; i < 200; ++i) chain += "    MAD.F32 r0, r0, r1, r2\n    MAD.F32 r3, r3, r1, r2\n";
  Bench b(suite::microcode(".group 512 1 1\n.flow full\n    REP out func(00) count(12)\nback:\n" + chain +
                           "    ENDREP back func(ff) any\nout:\n    END wait(axi,shared)\n"));
  return std::move(b.groups(2));
}

/// Shared memory with barriers.
Bench shared_barriers() {
  Bench b(suite::microcode(R"(.group 256 1 1
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
)"));
  return std::move(b.groups(2));
}

Bench divergent_loops() {
  Bench b(suite::assemble_source(R"(!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 256;
STORAGE out[] = { program.storage[0] };
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
SHL.U R0.z, invocation.globalid.x, 2;
MOV.U R0.x, R0.y;
STB.U32 R0, out[R0.z];
END
)"));
  return std::move(b.groups(2).zeros(0, 512));
}

/// Nothing but loads and stores of consecutive words: 32 of each, then one wait for the loads.
Bench shared_stream(uint32_t threads) {
  std::string body;
  for (int i = 0; i < 32; ++i) {
    body += "    STS.U32 [r1], r2\n    LDS.U32 r" + std::to_string(3 + i) + ", [r1]" + (i == 31 ? " acquire wait(shared)" : "") + "\n";
  }
  Bench b(suite::microcode(".group " + std::to_string(threads) + " 1 1\n.registers 36\n.flow full\n.shared " + std::to_string(4 * threads) +
                           "\n    SHL.U32 r1, localindex, 2\n    REP out func(00) count(40)\nback:\n" + body +
                           "    ENDREP back func(ff) any wait(shared)\nout:\n    END wait(axi,shared)\n"));
  return std::move(b.groups(1));
}

Outcome run(const Bench& bench, const isa::Config& config) {
  Outcome o = bench.on_rtl(config, 1, verif::AxiProfile::ideal());
  if (!o.result.ok()) throw std::runtime_error("benchmark on " + std::string(config.name) + ": " + o.result.mismatch + " " + std::string(isa::to_string(o.result.fault.code)));
  return o;
}

struct Speed {
  double alone = 0, lockstep = 0;  ///< seconds
  Outcome outcome;
  double loss() const { return 100 * (1 - alone / lockstep); }
};

/// Both ways in turns, so that the machine's mood hits both.
Speed speed(Bench bench, const isa::Config& config) {
  Speed s{1e30, 1e30, {}};
  bench.rtl.history = false;
  for (int round = 0; round < 3; ++round)
    for (const bool lockstep : {false, true}) {
      bench.lockstep = lockstep;
      double& best = lockstep ? s.lockstep : s.alone;
      best = std::min(best, best_time(1, [&] { s.outcome = run(bench, config); }));
    }
  return s;
}

double percent(double part, double whole) { return 100 * part / whole; }

double lanes_busy(const DispatchResult& r, const isa::Config& config) {
  return percent(static_cast<double>(r.counter(isa::Counter::LaneOps)), static_cast<double>(r.counter(isa::Counter::BusyCycles)) * config.lanes);
}

double matrix_multiply(const isa::Config& config, const std::string& jobs) {
  const Job job = read_job(jobs + "/demo/matmul_blocked.json");
  verif::RtlOptions o;
  o.lockstep = false;
  o.history = false;
  const auto device = verif::make_rtl(config, o);
  bind_job(job, *device);
  device->load(cli::load_program(job.program));
  const DispatchResult r = device->dispatch(job.dispatch[0], job.dispatch[1], job.dispatch[2], {});
  if (!r.ok()) throw std::runtime_error("matmul_blocked ends with a fault");
  return lanes_busy(r, config);
}

}  // namespace

void rtl_figures(Figures& out, const std::string& jobs, const std::vector<std::string>& wanted) {
  const double bare = bare_lane_speed();
  out.push_back({"bare_16_lanes", bare / 1e6, "M lane-operations/s"});
  double worst = 0;
  for (const isa::Config& config : suite::rtl_configs()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), config.name) == wanted.end()) continue;
    const std::string at = "_" + std::string(config.name);
    const Speed fma = speed(fma_chain(), config);
    const auto cycles = static_cast<double>(fma.outcome.counter(isa::Counter::Cycles));
    const auto ops = static_cast<double>(fma.outcome.counter(isa::Counter::LaneOps));
    out.push_back({"rtl_cycles" + at, cycles / fma.alone / 1e3, "k cycles/s"});
    out.push_back({"rtl_lane_ops" + at, ops / fma.alone / 1e6, "M lane-operations/s", config.lanes == 16 ? 5.0 : 0.0});
    if (config.lanes == 16) out.push_back({"rtl_over_bare" + at, ops / fma.alone / bare, "of bare lanes", 0.55});
    out.push_back({"lockstep_lane_ops" + at, ops / fma.lockstep / 1e6, "M lane-operations/s"});
    out.push_back({"fma_lanes_busy" + at, lanes_busy(fma.outcome.result, config), "%", 95});
    for (const auto& [name, bench] : {std::pair{"fma", fma_chain()}, std::pair{"shared", shared_barriers()}, std::pair{"divergent", divergent_loops()}}) {
      const double loss = std::string(name) == "fma" ? fma.loss() : speed(bench, config).loss();
      out.push_back({"lockstep_loss_" + std::string(name) + at, loss, "%", 15, true});
      worst = std::max(worst, loss);
    }
    out.push_back({"matmul_lanes_busy" + at, matrix_multiply(config, jobs), "%", 95});
    Bench stream = shared_stream(512);
    stream.lockstep = false;
    const Outcome o = run(stream, config);
    out.push_back({"shared_words" + at, percent(static_cast<double>(o.counter(isa::Counter::SharedWords)), static_cast<double>(o.counter(isa::Counter::BusyCycles)) * config.banks),
                   "% of the banks' words", 95});
  }
  out.push_back({"lockstep_loss", worst, "%", 15, true});
}

}  // namespace maskwork::bench
