#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "maskwork/job/job.hpp"

namespace maskwork::cli {

namespace {
// All that the handlers touch: flags, and texts that were made before.
std::atomic<bool> orderly{false}, stop_now{false}, writing{false}, traced{false};
std::atomic<int> signal_number{0};
std::string trace_file, hierarchy_file, trace_verdict;

void say(int file, const char* text) { [[maybe_unused]] const auto n = ::write(file, text, std::strlen(text)); }

void drop_trace() {
  if (!traced) return;
  ::unlink(trace_file.c_str());
  ::unlink(hierarchy_file.c_str());
}

extern "C" void interrupted(int signal) {
  signal_number = signal;
  if (orderly && !stop_now.exchange(true)) return;
  drop_trace();
  say(STDOUT_FILENO, writing ? "FAILED: interrupted while outputs were written\n" : "FAILED: interrupted, no output was written\n");
  _exit(128 + signal);
}

/// The waveform writer maps its files: where the disk is full, the access itself fails.
extern "C" void bus_error(int) {
  drop_trace();
  say(STDERR_FILENO, "maskwork: error: the waveforms cannot be written: no space left for the file, its .hier or a temporary file\n");
  say(STDOUT_FILENO, trace_verdict.c_str());
  _exit(output_failed);
}
}  // namespace

void catch_signals() {
  std::signal(SIGINT, interrupted);
  std::signal(SIGTERM, interrupted);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes fails like any other
}

OrderlyStop::OrderlyStop() { orderly = true; }
OrderlyStop::~OrderlyStop() { orderly = false; }
const std::atomic<bool>* OrderlyStop::stop() const { return &stop_now; }
int stop_signal() { return signal_number; }
void outputs_begin() { writing = true; }

PartialTrace::PartialTrace(const std::string& file, const std::string& verdict) {
  trace_file = file;
  hierarchy_file = file + ".hier";
  trace_verdict = verdict;
  traced = true;
  std::signal(SIGBUS, bus_error);
}
PartialTrace::~PartialTrace() {
  std::signal(SIGBUS, SIG_DFL);
  traced = false;
}

}  // namespace maskwork::cli
