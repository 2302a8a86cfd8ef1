#include "problem.hpp"

#include <istream>
#include <limits>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace maskwork::refine {
namespace {

int number(std::istream& in, const char* what, long least, long most) {
    long value;
    if (!(in >> value)) throw std::runtime_error(std::string("problem cut short: ") + what + " expected");
    if (value < least || value > most) throw std::runtime_error(std::string(what) + " out of range: " + std::to_string(value));
    return int(value);
}

int count(std::istream& in, const char* name) {
    std::string word;
    if (!(in >> word) || word != name) throw std::runtime_error(std::string("expected section ") + name);
    return number(in, name, 0, 10'000'000);
}

}  // namespace

Problem read_problem(std::istream& in) {
    constexpr int MAX = std::numeric_limits<int>::max();
    Problem p;
    p.tiles.resize(count(in, "tiles"));
    std::set<std::pair<int, int>> seen;
    for (Tile& t : p.tiles) {
        t.x = std::int16_t(number(in, "x", 0, SIDE - 1));
        t.y = std::int16_t(number(in, "y", 0, SIDE - 1));
        t.lut_ram = number(in, "lut_ram", 0, 1) != 0;
        if (!seen.emplace(t.x, t.y).second) throw std::runtime_error("two tiles at " + std::to_string(t.x) + ", " + std::to_string(t.y));
    }
    p.cells.resize(count(in, "cells"));
    const int slots = int(p.tiles.size()) * SLOTS, cells = int(p.cells.size());
    std::vector<bool> taken(std::size_t(slots) * 2, false);
    for (Cell& c : p.cells) {
        c.type = Type(number(in, "type", 0, 2));
        c.bond = Bond(number(in, "bond", 0, 3));
        c.x = std::int16_t(number(in, "x", 0, SIDE - 1));
        c.y = std::int16_t(number(in, "y", 0, SIDE - 1));
        c.slot = number(in, "slot", -1, slots - 1);
        c.control = number(in, "control", 0, MAX);
        c.reset = number(in, "reset", 0, MAX);
        if (c.slot < 0) continue;
        const Tile& t = p.tiles[c.slot / SLOTS];
        if (c.type == Type::Other || t.x != c.x || t.y != c.y) throw std::runtime_error("cell does not stand in its slot " + std::to_string(c.slot));
        const std::size_t place = std::size_t(c.slot) * 2 + (c.type == Type::FlipFlop);
        if (taken[place]) throw std::runtime_error("two cells in slot " + std::to_string(c.slot));
        taken[place] = true;
    }
    p.nets.resize(count(in, "nets"));
    const int nets = int(p.nets.size());
    for (int n = 0; n < nets; n++) {
        Net& net = p.nets[n];
        net.wire = number(in, "wire", 0, 1) != 0;
        net.cells.resize(number(in, "cells of a net", 1, cells));
        for (int& c : net.cells) c = number(in, "cell", 0, cells - 1);
        if (net.wire)
            for (int c : net.cells) p.cells[c].nets.push_back(n);
    }
    p.arcs.resize(count(in, "arcs"));
    for (Arc& a : p.arcs) a = {number(in, "net", 0, nets - 1), number(in, "net", 0, nets - 1), number(in, "ps", 0, 100'000), number(in, "direct", 0, 1) != 0};
    p.starts.resize(count(in, "starts"));
    for (Start& s : p.starts) s = {number(in, "net", 0, nets - 1), number(in, "ps", 0, 100'000)};
    p.ends.resize(count(in, "ends"));
    for (End& e : p.ends) e = {number(in, "net", 0, nets - 1), number(in, "cell", 0, cells - 1), number(in, "ps", 0, 100'000), number(in, "direct", 0, 1) != 0};
    return p;
}

void write_slots(std::ostream& out, const Problem& problem) {
    for (const Cell& c : problem.cells)
        if (c.slot >= 0) out << c.slot << '\n';
}

}  // namespace maskwork::refine
