// What mw_refine works on: the logic of a placed ECP5 netlist, as fpga/refine.py writes it.
//
// A tile has four slices of two slots; a slot holds one LUT and one flip-flop. Slot number = 8 * tile + 2 * slice + (0 or 1).
#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace maskwork::refine {

constexpr int SIDE = 256;  // coordinates are below this
constexpr int SLOTS = 8;   // of a tile

enum class Type : std::uint8_t { Lut, FlipFlop, Other };

// How a cell may move.
enum class Bond : std::uint8_t {
    Free,   // alone
    Slot,   // a flip-flop fed by the LUT of its slot, and that LUT: only together
    Slice,  // the two LUTs of a slice whose outputs meet in the slice's multiplexer: only the whole slice
    Fixed,  // carry chains, LUT RAM, block RAM, multipliers, pins
};

struct Cell {
    Type type;
    Bond bond;
    std::int16_t x, y;  // tile's coordinates
    int slot;           // -1: no LUT or flip-flop
    int control;        // of a flip-flop: number of its clock enable with polarity; a slice has one
    int reset;          // of a flip-flop: number of its clock and reset with polarity and mode; a tile has one
    std::vector<int> nets;
};

struct Tile {
    std::int16_t x, y;
    bool lut_ram;  // holds LUT RAM, which shares clock and reset wires with flip-flops: one comes in only in the place of another
};

struct Net {
    std::vector<int> cells;  // each once; [0] drives
    bool wire;               // counts as wire: more than one cell, and not so many that it is everywhere anyway
};

// A way through a cell from one net to another, in ps. Direct: the net gets into the cell by a connection of its own, not by wires of the fabric.
struct Arc {
    int from, to, ps;
    bool direct;
};
struct Start {
    int net, ps;  // a register's output: clock to output
};
struct End {
    int net, cell, ps;  // a register's input; what the wire takes into this kind of input beyond wire_ps
    bool direct;
};

struct Problem {
    std::vector<Tile> tiles;
    std::vector<Cell> cells;
    std::vector<Net> nets;
    std::vector<Arc> arcs;
    std::vector<Start> starts;
    std::vector<End> ends;
};

// Throws std::runtime_error if the text is cut short, a number is out of range, or tiles or cells contradict each other.
Problem read_problem(std::istream& in);

// Slot of every cell that has one, a line each, in the order of the cells.
void write_slots(std::ostream& out, const Problem& problem);

}  // namespace maskwork::refine
