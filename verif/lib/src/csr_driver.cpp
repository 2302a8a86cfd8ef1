#include "maskwork/verif/csr_driver.hpp"

#include <stdexcept>

namespace maskwork::verif {

void CsrDriver::reset() {
  queue_.clear();
  active_ = false;
}

void CsrDriver::drive(RtlSim& sim) {
  CsrBus& b = sim.csr;
  if (!active_) {
    if (queue_.empty()) {
      b.awvalid = b.wvalid = b.arvalid = b.bready = b.rready = false;
      return;
    }
    active_ = true;
    address_sent_ = data_sent_ = false;
    address_gap_ = random_.below(3);
    data_gap_ = random_.below(3);
    ready_gap_ = random_.below(3);
  }
  const CsrTransaction& t = queue_.front();
  // A valid that was raised stays until it is taken, so gaps only count down before it.
  if (t.write) {
    b.awvalid = !address_sent_ && address_gap_ == 0;
    b.wvalid = !data_sent_ && data_gap_ == 0;
    b.awaddr = t.address;
    b.wdata = t.data;
    b.wstrb = 0xf;
    b.bready = ready_gap_ == 0;
  } else {
    b.arvalid = !address_sent_ && address_gap_ == 0;
    b.araddr = t.address;
    b.rready = ready_gap_ == 0;
  }
}

void CsrDriver::sample(RtlSim& sim) {
  if (!active_) return;
  CsrBus& b = sim.csr;
  const CsrTransaction& t = queue_.front();
  bool over = false;
  uint32_t data = 0;
  if (t.write) {
    if (b.bvalid && b.bready) {
      over = true;
      bad_responses_ += b.bresp != 0;
    }
    address_sent_ |= b.awvalid && b.awready;
    data_sent_ |= b.wvalid && b.wready;
  } else {
    if (b.rvalid && b.rready) {
      over = true;
      data = b.rdata;
      bad_responses_ += b.rresp != 0;
    }
    address_sent_ |= b.arvalid && b.arready;
  }
  if (address_gap_ > 0) --address_gap_;
  if (data_gap_ > 0) --data_gap_;
  if (ready_gap_ > 0) --ready_gap_;
  if (over) {
    active_ = false;
    // The callback may queue more.
    CsrTransaction finished = std::move(queue_.front());
    queue_.pop_front();
    if (finished.done) finished.done(data);
  }
}

void CsrDriver::check(std::vector<std::string>& errors) const {
  if (hung_) errors.push_back("a CSR access got no answer");
  if (bad_responses_ != 0) errors.push_back(std::to_string(bad_responses_) + " CSR accesses got an error response");
}

void CsrDriver::wait_idle(Environment& env) {
  for (uint32_t i = 0; !idle(); ++i) {
    if (i == patience) {
      hung_ = true;
      throw std::runtime_error("a CSR access got no answer in " + std::to_string(patience) + " cycles");
    }
    env.cycle();
  }
}

void CsrDriver::write(Environment& env, uint32_t address, uint32_t data) {
  queue({true, address, data, {}});
  wait_idle(env);
}

uint32_t CsrDriver::read(Environment& env, uint32_t address) {
  uint32_t value = 0;
  queue({false, address, 0, [&value](uint32_t v) { value = v; }});
  wait_idle(env);
  return value;
}

}  // namespace maskwork::verif
