// Which wires lie on long paths: a static timing analysis with estimated wire delays.
#pragma once
#include <cstdlib>
#include <vector>

#include "problem.hpp"

namespace maskwork::refine {

// Delay in ps of a wire between two cells, by the tiles between them, speed grade 6: between the mean and the best tenth of what router1 made of the
// flip-flops' nets of `tiny`, because it takes more care of nets on long paths.
inline int wire_ps(const Cell& from, const Cell& to) {
    auto part = [](int d) { return d <= 4 ? 90 * d : 360 + 43 * (d - 4); };
    const int dx = std::abs(from.x - to.x), dy = std::abs(from.y - to.y);
    return dx + dy == 0 ? 450 : 600 + part(dx) + part(dy);
}

// A wire from a net's driver to one of its other cells, on a long path.
struct Link {
    int number;        // below Timing::wires(), the same in every analysis
    int driver, sink;  // cells
    float share;       // (longest path through the wire) / (longest path of all), 0 to 1
};

class Timing {
  public:
    explicit Timing(const Problem& problem);

    // Longest path of the placement in ps; fills `links` with the wires of at least that share.
    int analyse(float least, std::vector<Link>& links);

    std::size_t wires() const { return p_.arcs.size() + p_.ends.size(); }

  private:
    int wire(int net, int cell, bool direct) const {
        return direct ? 0 : wire_ps(p_.cells[p_.nets[net].cells[0]], p_.cells[cell]);
    }

    const Problem& p_;
    std::vector<Arc> order_;                // arcs, those into a net before those out of it
    std::vector<int> arrive_, leave_;       // longest path to the net's driver, and from it to a register
};

}  // namespace maskwork::refine
