#pragma once
// The frame of every RTL test: an environment owns the simulated unit and a few components, and runs them through the
// phases build, reset, run, check and report. In the run phase each clock cycle has three steps:
//   drive   components set the unit's inputs for this cycle
//   settle  the unit's combinational logic follows (RtlSim::settle)
//   sample  components see the outputs and the handshakes of this cycle; then comes the clock edge
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maskwork/verif/rtl_sim.hpp"

namespace maskwork::verif {

class Component {
 public:
  explicit Component(std::string name) : name_(std::move(name)) {}
  virtual ~Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  virtual void reset() {}                 ///< forget everything; inputs idle
  virtual void drive(RtlSim&) {}
  virtual void sample(RtlSim&) {}
  /// End of test: adds a line to `errors` for everything that is wrong or left over.
  virtual void check(std::vector<std::string>& errors) const { (void)errors; }
  virtual void report(std::ostream&) const {}  ///< statistics for a person

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

class Environment {
 public:
  explicit Environment(std::unique_ptr<RtlSim> sim) : sim_(std::move(sim)) {}

  /// Build phase: makes a component and adds it; components run in the order in which they were added.
  template <class T, class... Args>
  T& add(Args&&... args) {
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T& ref = *owned;
    components_.push_back(std::move(owned));
    return ref;
  }

  /// A component of somebody else that takes part until it is detached; it comes after all others.
  void attach(Component* guest) { guest_ = guest; }

  /// Reset phase: every component forgets, the unit gets some cycles of reset.
  void reset();
  /// One clock cycle of the run phase.
  void cycle() {
    for (const auto& c : components_) c->drive(*sim_);
    if (guest_) guest_->drive(*sim_);
    sim_->settle();
    for (const auto& c : components_) c->sample(*sim_);
    if (guest_) guest_->sample(*sim_);
    sim_->edge();
    ++cycles_;
  }
  /// Check phase: all complaints of all components, each with the component's name in front.
  std::vector<std::string> check() const;
  void report(std::ostream& out) const;

  RtlSim& sim() { return *sim_; }
  uint64_t cycles() const { return cycles_; }

 private:
  std::unique_ptr<RtlSim> sim_;
  std::vector<std::unique_ptr<Component>> components_;
  Component* guest_ = nullptr;
  uint64_t cycles_ = 0;
};

}  // namespace maskwork::verif
