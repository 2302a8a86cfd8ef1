#include "maskwork/verif/component.hpp"

#include <ostream>

namespace maskwork::verif {

void Environment::reset() {
  sim_->csr = {};
  sim_->axi = {};
  for (const auto& c : components_) c->reset();
  sim_->rst = true;
  for (int i = 0; i < 8; ++i) {
    sim_->settle();
    sim_->edge();
  }
  sim_->rst = false;
}

std::vector<std::string> Environment::check() const {
  std::vector<std::string> all;
  for (const auto& c : components_) {
    std::vector<std::string> errors;
    c->check(errors);
    for (const auto& e : errors) all.push_back(c->name() + ": " + e);
  }
  return all;
}

void Environment::report(std::ostream& out) const {
  for (const auto& c : components_) c->report(out);
}

}  // namespace maskwork::verif
