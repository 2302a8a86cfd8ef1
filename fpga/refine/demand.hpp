// Where wires are wanted: the device in squares of 4 x 4 tiles, and how much wire the nets want in each.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace maskwork::refine {

// Smallest rectangle of tiles around a net's cells.
struct Box {
    std::int16_t x0 = 32767, x1 = -1, y0 = 32767, y1 = -1;
    void add(std::int16_t x, std::int16_t y) {
        x0 = std::min(x0, x);
        x1 = std::max(x1, x);
        y0 = std::min(y0, y);
        y1 = std::max(y1, y);
    }
    // Can the box change if a cell leaves (x, y)?
    bool on_edge(std::int16_t x, std::int16_t y) const { return x == x0 || x == x1 || y == y0 || y == y1; }
    bool holds(std::int16_t x, std::int16_t y) const { return x >= x0 && x <= x1 && y >= y0 && y <= y1; }
    int half_perimeter() const { return x1 - x0 + y1 - y0; }
    bool operator==(const Box&) const = default;
};

class Demand {
  public:
    // limit: wire, in tiles, that a square has room for without being crowded.
    explicit Demand(double limit) : limit_(limit), wire_(SQUARES * SQUARES, 0.0) {}

    // Adds (sign 1) or removes (-1) a net of so many cells. Returns what that changes in the sum of the squares of each excess.
    double change(const Box& box, std::size_t cells, int sign) {
        // A tree of many cells is longer than half the perimeter of its box.
        const double longer = cells <= 3 ? 1 : cells <= 6 ? 1.15 : cells <= 10 ? 1.4 : cells <= 20 ? 1.8 : 2.4;
        const double area = (box.x1 - box.x0 + 1) * (box.y1 - box.y0 + 1);
        const double each = sign * longer * (box.half_perimeter() + 1) / area;
        double sum = 0;
        for (int v = box.y0 / TILES; v <= box.y1 / TILES; v++) {
            const int high = std::min<int>(box.y1, v * TILES + TILES - 1) - std::max<int>(box.y0, v * TILES) + 1;
            for (int u = box.x0 / TILES; u <= box.x1 / TILES; u++) {
                const int wide = std::min<int>(box.x1, u * TILES + TILES - 1) - std::max<int>(box.x0, u * TILES) + 1;
                double& w = wire_[v * SQUARES + u];
                sum -= square(w);
                w += each * wide * high;
                sum += square(w);
            }
        }
        return sum;
    }

    double most() const { return *std::max_element(wire_.begin(), wire_.end()); }

  private:
    static constexpr int TILES = 4, SQUARES = SIDE / TILES;
    double square(double wire) const { return wire > limit_ ? (wire - limit_) * (wire - limit_) : 0.0; }

    double limit_;
    std::vector<double> wire_;
};

}  // namespace maskwork::refine
