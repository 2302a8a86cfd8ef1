"""After routing: nets that go a long way round on the longest paths lose their wires, so that nextpnr routes them again with everything else in place.

router1 decides by estimates of what is long, in one go; a wire that finds its way taken by wires of no importance goes round, and stays there. Routed again,
the nets that matter know the true lengths of all others. This module finds them: a static timing analysis of the routed netlist with the wires' delays as
nextpnr writes them (SDF) and the cells' delays of refine.py.
"""
import collections
import json
import re

from refine import Placement

# From driver and its port to the cell, its port and the largest of minimum, typical and maximum delay in ps; names with escapes.
WIRE = re.compile(r"\(INTERCONNECT \S+/\S+ (\S+)/(\S+) \([^():]*:[^():]*:([^():]*)\)")
DETOUR = 200  # ps more than the estimate of a wire of that length: from here on a net is worth another try


def wire_delays(sdf):
    """{(cell, input): ps} of every wire in the SDF file."""
    found = {}
    with open(sdf) as f:
        for line in f:
            m = WIRE.search(line)
            if m:
                found[m[1].replace("\\", ""), m[2]] = float(m[3])
    return found


def usual_ps(one, other):
    """Delay of a wire between two sites as mw_refine reckons (wire_ps in refine/timing.hpp)."""
    def part(d):
        return 90 * d if d <= 4 else 360 + 43 * (d - 4)
    dx, dy = abs(int(one[1]) - int(other[1])), abs(int(one[2]) - int(other[2]))
    return 450 if dx + dy == 0 else 600 + part(dx) + part(dy)


class Timing:
    """Longest paths of a routed netlist (nextpnr --write) with the wires' delays of its SDF file."""

    def __init__(self, design, delays):
        self.placement = Placement(design)
        self.names = [name for name, c in self.placement.top["cells"].items() if "NEXTPNR_BEL" in c["attributes"]]
        self.delays = delays
        self.nets = self.placement.nets()
        self.arcs, self.starts, self.ends = self.placement.paths(self.nets)
        out, waits = collections.defaultdict(list), collections.Counter()
        for arc in self.arcs:
            out[arc[2]].append(arc)
            waits[arc[3]] += 1
        ready, order = [n for n in self.nets if not waits[n]], []
        while ready:
            for arc in out[ready.pop()]:
                order.append(arc)
                waits[arc[3]] -= 1
                if not waits[arc[3]]:
                    ready.append(arc[3])
        self.arrive = collections.Counter()              # longest path to the net's driver
        self.leave = collections.Counter()               # from it to a register
        for net, ps in self.starts:
            self.arrive[net] = ps
        for cell, port, a, b, ps, _ in order:
            self.arrive[b] = max(self.arrive[b], self.arrive[a] + self.wire(cell, port) + ps)
        for cell, port, net, _, _ in self.ends:
            self.leave[net] = max(self.leave[net], self.wire(cell, port))
        for cell, port, a, b, ps, _ in reversed(order):
            self.leave[a] = max(self.leave[a], self.wire(cell, port) + ps + self.leave[b])

    def wire(self, cell, port):
        return self.delays.get((self.names[cell], port), 0)

    def longest(self):
        return max(self.arrive[net] + self.wire(cell, port) for cell, port, net, _, _ in self.ends)

    def detours(self, limit):
        """Nets with a wire on a path of more than limit ps that takes DETOUR ps more than usual."""
        found = set()

        def look(cell, port, net, after, direct):
            ps = self.wire(cell, port)
            if not direct and self.arrive[net] + ps + after > limit:
                sites = self.placement.sites
                if ps - usual_ps(sites[self.nets[net][0]], sites[cell]) > DETOUR:
                    found.add(net)
        for cell, port, a, b, ps, direct in self.arcs:
            look(cell, port, a, ps + self.leave[b], direct)
        for cell, port, net, _, direct in self.ends:
            look(cell, port, net, 0, direct)
        return found


def take_up(routed, sdf, out, share):
    """Writes the netlist routed without the wires of the nets that make detours on paths longer than that share of the longest. Returns their number."""
    design = json.loads(routed.read_text())
    timing = Timing(design, wire_delays(sdf))
    nets = timing.detours(share * timing.longest())
    number = 0
    for net in timing.placement.top["netnames"].values():
        if nets & set(net["bits"]) and net["attributes"].pop("ROUTING", None) is not None:
            number += 1
    out.write_text(json.dumps(design))
    return number
