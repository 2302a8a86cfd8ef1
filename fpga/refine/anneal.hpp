// Moves LUTs and flip-flops of a placed netlist to get less wire, less of it where it is crowded, and shorter paths, by simulated annealing.
//
// Every placement on the way is one that nextpnr would accept: the two flip-flops of a slice share their clock enable, all of a tile their clock and
// reset; a LUT and the flip-flop that it feeds inside the slot stay together, and the LUTs of a slice's multiplexer; its select input is the one that
// the lower flip-flop would need for data from outside; carry chains, LUT RAM, block RAM and multipliers stay where they are.
#pragma once
#include <cstdint>
#include <functional>

#include "demand.hpp"
#include "problem.hpp"
#include "timing.hpp"

namespace maskwork::refine {

struct Options {
    int moves = 4000;         // tries per movable cell
    double heat = 0.2;        // temperature at the beginning, in tiles of wire
    double limit = 1000;      // Demand's limit
    double crowd = 0.01;      // price of a square's excess squared, in tiles of wire
    double criticality = 200; // price of 100 ps of a wire on the longest path, in tiles of wire
    std::uint64_t seed = 1;
};

struct State {
    double done;      // share of the tries
    double wire;      // sum of the nets' half perimeters, tiles
    double most;      // greatest demand of a square
    int longest_ps;   // estimate of the longest path
};

class Annealer {
  public:
    Annealer(Problem& problem, const Options& options);

    // Runs to the end; tells its state every hundredth of the tries.
    void run(const std::function<void(const State&)>& tell);

  private:
    enum class Swap { Luts, FlipFlops, Slots, Slices };

    struct Exchange {
        Swap swap;
        int a, b;  // slots
    };

    struct Priced {
        int driver, sink;               // cells
        int ps;                         // delay now
        double rest;                    // share of the longest path that the path's other parts make up
        double cost;                    // now, tiles of wire
        std::int64_t stamp;
    };
    struct Change {
        int link, ps;
        double cost;
    };

    void step();
    bool propose();
    bool exchange(int cell, int x, int y);
    void take_back();
    bool choose(int cell, int other, Swap& swap);
    void apply(Swap swap, int a, int b);
    bool legal(Swap swap, int a, int b) const;
    bool slice_ok(int slot) const;
    bool tile_ok(int tile) const;
    bool input_ok(int slot) const;
    Box box_of(int net) const;
    void weigh();
    double slower();
    double share(const Priced& link, int ps) const { return link.rest + double(ps) / longest_ps_; }
    double cost(const Priced& link, int ps) const;
    std::uint64_t random();
    int below(int n) { return int((random() >> 32) * std::uint64_t(n) >> 32); }

    Problem& p_;
    Options options_;
    Demand demand_;
    Timing timing_;
    std::vector<int> grid_;             // tile at y * SIDE + x, -1: none
    std::vector<int> lut_, flip_flop_;  // cell of each slot, -1: none
    std::vector<int> movable_;
    std::vector<Box> boxes_, next_;
    std::vector<float> shares_;         // of the timing's wires
    std::vector<std::int64_t> stamp_;   // of a net: the try that last looked at it
    std::vector<Priced> links_;         // wires on long paths
    std::vector<int> links_begin_;      // of a cell, in links_of_
    std::vector<int> links_of_;         // links of all cells, in the order of the cells
    std::vector<Change> changes_;       // links that the move changes
    std::int64_t try_ = 0;
    std::vector<int> touched_, moved_, parts_, group_;
    std::vector<Exchange> done_;        // of this try
    std::vector<Tile> was_;             // places that moved_ come from
    int range_ = 0, longest_ps_ = 0;
    double temperature_ = 0, wire_ = 0;
    std::uint64_t random_;
};

}  // namespace maskwork::refine
