#pragma once
// AXI4-Lite master for the CSR block: a queue of transactions, one at a time, with seeded gaps between the channels.
#include <cstdint>
#include <deque>
#include <functional>

#include "maskwork/verif/component.hpp"
#include "maskwork/verif/random.hpp"

namespace maskwork::verif {

struct CsrTransaction {
  bool write = false;
  uint32_t address = 0;
  uint32_t data = 0;
  std::function<void(uint32_t)> done;  ///< reads: gets the data
};

class CsrDriver : public Component {
 public:
  explicit CsrDriver(uint64_t seed) : Component("csr"), random_(seed) {}

  void queue(CsrTransaction t) { queue_.push_back(std::move(t)); }
  bool idle() const { return queue_.empty(); }

  /// Blocking forms: run the environment until the transaction is over.
  void write(Environment& env, uint32_t address, uint32_t data);
  uint32_t read(Environment& env, uint32_t address);

  void reset() override;
  void drive(RtlSim& sim) override;
  void sample(RtlSim& sim) override;
  void check(std::vector<std::string>& errors) const override;

 private:
  static constexpr uint32_t patience = 10000;  // cycles until a transaction counts as hung
  void wait_idle(Environment& env);
  std::deque<CsrTransaction> queue_;
  Random random_;
  bool active_ = false;
  bool address_sent_ = false, data_sent_ = false;
  bool hung_ = false;
  uint32_t bad_responses_ = 0;
  uint32_t address_gap_ = 0, data_gap_ = 0;  // cycles until the channel raises valid
  uint32_t ready_gap_ = 0;                   // cycles until the response is accepted
};

}  // namespace maskwork::verif
