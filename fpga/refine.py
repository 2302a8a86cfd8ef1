"""Between placing and routing: moves LUTs and flip-flops of a placed ECP5 netlist with mw_refine (fpga/refine/, what it promises: anneal.hpp).

nextpnr's placer neither looks at crowded places, where its router then does not get rid of shared wires, nor goes on improving once it is legal.
This module writes the netlist's logic as mw_refine's problem and puts the slots that come back into the netlist; nothing else of it changes.
"""
import collections
import json
import re

SITE = re.compile(r"X(\d+)/Y(\d+)/(?:SLICE([ABCD])\.(K|FF|RAMW)([01])?)?")
TYPES = {"TRELLIS_COMB": 0, "TRELLIS_FF": 1}
FREE, SLOT, SLICE, FIXED = range(4)                      # Bond of problem.hpp
MOST_CELLS = 400                                         # of a net that counts as wire

# Delays of speed grade 6 in ps, near enough to know which paths are long: through a LUT, its slice's multiplexer, a carry's entry, step and exit, a multiplier
# without registers, from the clock to a register's and a block RAM's output.
LUT, CARRY_IN, CARRY, CARRY_OUT, MULTIPLIER, CLOCK_TO_Q, BLOCK_RAM = 240, 450, 70, 440, 3900, 520, 5700


def wires(cell, direction):
    """(port, net number) of a cell's connected inputs or outputs; constants are not nets."""
    return [(p, bits[0]) for p, bits in cell["connections"].items() if bits and isinstance(bits[0], int) and cell["port_directions"][p] == direction]


def into_register(kind, port):
    """What a wire into this input of a register takes beyond wire_ps (refine/timing.hpp), set-up time included: the means of what router1 made."""
    if kind == "DP16KD":
        return 640 if port.startswith("AD") else 400
    return {"CE": 330, "LSR": 200, "M": 150, "WRE": 460}.get(port, 0)


class Placement:
    """The logic of a placed netlist (nextpnr --write) as numbers."""

    def __init__(self, design):
        self.top = max(design["modules"].values(), key=lambda m: len(m["cells"]))
        self.cells = [c for c in self.top["cells"].values() if "NEXTPNR_BEL" in c["attributes"]]
        self.tiles = {}                                  # (x, y): number
        self.lut_ram = set()
        self.sites = [SITE.match(c["attributes"]["NEXTPNR_BEL"]) for c in self.cells]
        for cell, site in zip(self.cells, self.sites):
            if site[3]:
                at = (int(site[1]), int(site[2]))
                self.tiles.setdefault(at, len(self.tiles))
                if cell["type"] == "TRELLIS_RAMW" or cell["parameters"].get("MODE") == "DPRAM":
                    self.lut_ram.add(at)
        self.slots = [self.slot(site) if cell["type"] in TYPES else -1 for cell, site in zip(self.cells, self.sites)]

    def slot(self, site):
        return 8 * self.tiles[int(site[1]), int(site[2])] + 2 * "ABCD".index(site[3]) + int(site[5])

    def bonds(self):
        """Bond of every cell."""
        lut_at = {s: i for i, (s, c) in enumerate(zip(self.slots, self.cells)) if c["type"] == "TRELLIS_COMB"}
        bond = [FREE if s >= 0 else FIXED for s in self.slots]
        for i, cell in enumerate(self.cells):
            if cell["type"] != "TRELLIS_COMB":
                continue
            used = cell["connections"]
            if cell["parameters"].get("MODE", "LOGIC") != "LOGIC" or used.get("FXA") or used.get("FXB"):
                bond[i] = FIXED
            elif used.get("OFX"):
                bond[i] = SLICE
                partner = lut_at.get(self.slots[i] ^ 1)
                if partner is not None:
                    bond[partner] = SLICE
        for i, cell in enumerate(self.cells):
            if cell["type"] == "TRELLIS_FF" and cell["connections"].get("DI"):
                feeds = lut_at[self.slots[i]]
                bond[i] = FIXED if bond[feeds] == FIXED else SLOT
                if bond[feeds] == FREE:
                    bond[feeds] = SLOT
        return bond

    def controls(self):
        """(clock enable, clock and reset) of every cell as numbers; 0 if it is no flip-flop."""
        enables, resets = {}, {}
        for cell in self.cells:
            if cell["type"] != "TRELLIS_FF":
                yield 0, 0
                continue
            p, c = cell["parameters"], cell["connections"]
            enable = (p.get("GSR"), p.get("CEMUX"), *c.get("CE", []))
            reset = (p.get("CLKMUX"), p.get("LSRMUX"), p.get("SRMODE"), *c.get("CLK", []), None, *c.get("LSR", []))
            yield enables.setdefault(enable, len(enables)), resets.setdefault(reset, len(resets))

    def nets(self):
        """{net: [driver, sinks...]} as numbers of cells, each once; nets without driver or sink and constants left out."""
        driver, sinks = {}, collections.defaultdict(list)
        for i, cell in enumerate(self.cells):
            into = wires(cell, "input")
            constant = cell["type"] == "TRELLIS_COMB" and not into                   # each tile has its own source of them
            for _, net in wires(cell, "output"):
                if not constant:
                    driver[net] = i
            for _, net in into:
                sinks[net].append(i)
        return {net: list(dict.fromkeys([d, *sinks[net]])) for net, d in driver.items() if sinks[net]}

    def paths(self, nets):
        """(arcs, starts, ends) of the timing analysis, nets as numbers in the order of nets: problem.hpp says what they hold."""
        number = {net: i for i, net in enumerate(nets)}
        arcs, starts, ends = [], [], []
        for i, cell in enumerate(self.cells):
            into = [(p, number[n]) for p, n in wires(cell, "input") if n in number]
            out = [(p, number[n]) for p, n in wires(cell, "output") if n in number]
            kind, mode = cell["type"], cell["parameters"].get("MODE")
            if kind in ("TRELLIS_FF", "DP16KD"):
                starts += [(n, CLOCK_TO_Q if kind == "TRELLIS_FF" else BLOCK_RAM) for _, n in out]
                ends += [(n, i, into_register(kind, p), int(p == "DI")) for p, n in into if not p.startswith("CLK")]
            elif mode == "DPRAM":
                arcs += [(a, b, LUT, 0) for p, a in into if p in "ABCD" for _, b in out]
                ends += [(n, i, into_register(kind, p), int(p != "WRE")) for p, n in into if p not in "ABCD" and p != "WCK"]
            elif mode == "CCU2":
                arcs += [(a, b, (CARRY if q == "FCO" else CARRY_OUT) if p == "FCI" else (CARRY_IN if q == "FCO" else LUT), int(p == "FCI"))
                         for p, a in into for q, b in out]
            elif kind in ("TRELLIS_COMB", "TRELLIS_RAMW"):
                arcs += [(a, b, LUT if kind == "TRELLIS_COMB" else 0, int(p == "F1")) for p, a in into for _, b in out]
            elif kind == "MULT18X18D":
                arcs += [(a, b, MULTIPLIER, 0) for p, a in into if p[0] in "AB" for _, b in out]
        return arcs, starts, ends

    def problem(self):
        """The text that mw_refine reads (problem.hpp)."""
        def section(name, rows):
            return [f"{name} {len(rows)}"] + [" ".join(map(str, r)) for r in rows]

        nets = self.nets()
        cells = [(TYPES.get(c["type"], 2), b, int(s[1]), int(s[2]), slot, enable, reset)
                 for c, b, s, slot, (enable, reset) in zip(self.cells, self.bonds(), self.sites, self.slots, self.controls())]
        arcs, starts, ends = self.paths(nets)
        return "\n".join(section("tiles", [(x, y, int((x, y) in self.lut_ram)) for x, y in self.tiles])
                         + section("cells", cells)
                         + section("nets", [(int(2 <= len(c) <= MOST_CELLS), len(c), *c) for c in nets.values()])
                         + section("arcs", arcs) + section("starts", starts) + section("ends", ends)) + "\n"

    def take(self, slots):
        """Puts the slots that mw_refine gave, in the order of the cells that have one, into the netlist. Returns how many cells moved."""
        place, moved = list(self.tiles), 0
        for cell, old, new in zip((c for c, s in zip(self.cells, self.slots) if s >= 0), (s for s in self.slots if s >= 0), slots, strict=True):
            if old != new:
                moved += 1
                (x, y), letter = place[new >> 3], "K" if cell["type"] == "TRELLIS_COMB" else "FF"
                cell["attributes"]["NEXTPNR_BEL"] = f"X{x}/Y{y}/SLICE{'ABCD'[new >> 1 & 3]}.{letter}{new & 1}"
        return moved


def write_problem(placed, problem):
    """Writes mw_refine's problem for the netlist placed (nextpnr's --write)."""
    problem.write_text(Placement(json.loads(placed.read_text())).problem())


def take_slots(placed, slots, refined):
    """Writes the netlist placed with the slots that mw_refine wrote as refined. Returns how many cells moved."""
    design = json.loads(placed.read_text())
    moved = Placement(design).take([int(s) for s in slots.read_text().split()])
    refined.write_text(json.dumps(design))
    return moved
