// Which nets lie on long paths: a static timing analysis with estimated wire delays.
#pragma once
#include <cstdlib>
#include <vector>

#include "problem.hpp"

namespace maskwork::refine {

// Delay in ps of a wire between two tiles so far apart: nextpnr's estimate for speed grade 6.
inline int wire_ps(int dx, int dy) {
    auto part = [](int d) { return d <= 5 ? 2 * d : 5 + d; };
    return 80 * (6 + part(dx) + part(dy));
}

class Timing {
  public:
    explicit Timing(const Problem& problem);

    // Longest path of the placement in ps; fills criticality[net] with (longest path through the net) / (longest path of all), 0 to 1.
    int analyse(std::vector<float>& criticality);

  private:
    int wire(int net, int cell, bool direct) const {
        if (direct) return 0;
        const Cell &a = p_.cells[p_.nets[net].cells[0]], &b = p_.cells[cell];
        return wire_ps(std::abs(a.x - b.x), std::abs(a.y - b.y));
    }

    const Problem& p_;
    std::vector<Arc> order_;                // arcs, those into a net before those out of it
    std::vector<int> arrive_, leave_;       // longest path to the net's driver, and from it to a register
};

}  // namespace maskwork::refine
