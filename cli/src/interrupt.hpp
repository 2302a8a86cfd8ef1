#pragma once
// Ctrl-C, SIGTERM, and a disk that is full under a mapped file: how a command ends then.
#include <atomic>
#include <string>

namespace maskwork::cli {

/// Sets up the signals. Until a run says otherwise, one ends the process with a verdict: no output was begun.
void catch_signals();

/// While one lives, the first Ctrl-C or SIGTERM only sets `stop`, so that the run ends in order; the second one ends the process.
class OrderlyStop {
 public:
  OrderlyStop();
  ~OrderlyStop();
  OrderlyStop(const OrderlyStop&) = delete;
  OrderlyStop& operator=(const OrderlyStop&) = delete;
  const std::atomic<bool>* stop() const;
};
/// The signal that came, 0 = none.
int stop_signal();

/// From here on outputs are being written.
void outputs_begin();

/// While one lives, the two files go if the process ends by a signal; SIGBUS is then the disk that was full, told by `verdict`.
class PartialTrace {
 public:
  PartialTrace(const std::string& file, const std::string& verdict);
  ~PartialTrace();
  PartialTrace(const PartialTrace&) = delete;
  PartialTrace& operator=(const PartialTrace&) = delete;
};

}  // namespace maskwork::cli
