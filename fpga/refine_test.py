#!/usr/bin/env python3
"""Tests of mw_refine and refine.py: what comes back is a placement that the device allows, with less wire.

usage: refine_test.py MW_REFINE
"""
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import refine

PROGRAM = sys.argv.pop(1)
SITE = re.compile(r"X(\d+)/Y(\d+)/SLICE([A-D])\.(K|FF|RAMW)(\d?)$")


def place(cell):
    """((x, y), slice, kind, upper or lower) of a cell in the fabric; None elsewhere."""
    m = SITE.match(cell["attributes"]["NEXTPNR_BEL"])
    return m and ((int(m[1]), int(m[2])), m[3], m[4], m[5])


class Netlist:
    """A placed netlist of some cells of each kind at random legal places."""

    def __init__(self, seed, side=6):
        self.random = random.Random(seed)
        self.cells, self.names = {}, 0
        self.made = []                        # nets that something may read
        self.clock, self.enables, self.resets = self.net(), [[], [self.net()], [self.net()]], [[], [self.net()]]
        if side:
            self.add("DP16KD", "X0/Y0/EBR0", {"ADA5": "input", "DOA0": "output"}, {"DOA0": [self.output()], "ADA5": [self.some()]})
        for x in range(2, 2 + side):
            for y in range(2, 2 + side):
                self.tile(x, y)

    def net(self):
        self.names += 1
        return self.names

    def output(self):
        self.made.append(self.net())
        return self.made[-1]

    def some(self):
        return self.random.choice(self.made)

    def add(self, kind, site, ports, connections, parameters=None):
        name = f"c{len(self.cells)}"
        self.cells[name] = {"type": kind, "parameters": parameters or {}, "attributes": {"NEXTPNR_BEL": site}, "port_directions": ports,
                            "connections": connections}

    def lut(self, at, mode=None, out="F", **more):
        """A LUT that reads three nets; more: further inputs."""
        inputs = {**{p: [self.some()] for p in "ABC"}, **{p: [n] for p, n in more.items()}}
        result = self.output()
        self.add("TRELLIS_COMB", at, {**dict.fromkeys(inputs, "input"), out: "output"}, {**inputs, out: [result]}, {"MODE": mode} if mode else {})
        return result

    def flip_flop(self, at, enable, reset, port, data):
        self.add("TRELLIS_FF", at, {port: "input", "Q": "output", "CLK": "input", "CE": "input", "LSR": "input"},
                 {port: [data], "Q": [self.output()], "CLK": [self.clock], "CE": enable, "LSR": reset}, {"CEMUX": "CE" if enable else "1"})

    def tile(self, x, y):
        reset, ram = self.random.choice(self.resets), self.random.random() < 0.1
        if ram:
            address = [self.net() for _ in range(4)]
            for s in ("A.K0", "A.K1", "B.K0", "B.K1"):
                self.lut(f"X{x}/Y{y}/SLICE{s}", "DPRAM", WAD0=address[0], WD=address[1])
            for k in "01":
                self.add("TRELLIS_COMB", f"X{x}/Y{y}/SLICEC.K{k}", {}, {}, {"MODE": "RAMW_BLOCK"})
            self.add("TRELLIS_RAMW", f"X{x}/Y{y}/SLICEC.RAMW", {"A0": "input", "WADO0": "output", "WDO0": "output"},
                     {"A0": [self.some()], "WADO0": [address[0]], "WDO0": [address[1]]})
        for s in "ABCD":
            at, enable, kind = f"X{x}/Y{y}/SLICE{s}", self.random.choice(self.enables), self.random.random()
            if ram and s in "ABC":
                continue
            if kind < 0.1:                                                       # carry
                low = self.lut(f"{at}.K0", "CCU2", "F", FCI=self.some())
                self.flip_flop(f"{at}.FF0", enable, reset, "DI", low)
                self.lut(f"{at}.K1", "CCU2", "FCO")
            elif kind < 0.25:                                                    # multiplexer
                high = self.lut(f"{at}.K1")
                out = self.lut(f"{at}.K0", None, "OFX", F1=high, M=self.some())
                if self.random.random() < 0.5:
                    self.flip_flop(f"{at}.FF0", enable, reset, "DI", out)
                if self.random.random() < 0.5:
                    self.flip_flop(f"{at}.FF1", enable, reset, "M", self.some())
            else:
                for k in "01":
                    what = self.random.random()
                    if what < 0.6:
                        out = self.lut(f"{at}.K{k}")
                        if what < 0.25:
                            self.flip_flop(f"{at}.FF{k}", enable, reset, "DI", out)
                    if what > 0.4:
                        self.flip_flop(f"{at}.FF{k}", enable, reset, "M", self.some())

    def design(self):
        return {"modules": {"top": {"attributes": {}, "cells": self.cells}}}


def errors(cells):
    """What the device does not allow in a placement."""
    found, at, driver = [], {}, {}
    for name, c in cells.items():
        site = c["attributes"]["NEXTPNR_BEL"]
        if site in at:
            found.append(f"{name} and {at[site]} at {site}")
        at[site] = name
        for p, d in c["port_directions"].items():
            if d == "output":
                driver[c["connections"][p][0]] = (name, p)
    enables, resets, modes = {}, {}, {}
    for name, c in cells.items():
        where = place(c)
        if not where:
            continue
        tile, letter, kind, half = where
        used = c["connections"]
        if kind == "FF":
            enables.setdefault((tile, letter), set()).add(str(used["CE"]))
            resets.setdefault(tile, set()).add(str(used["LSR"]))
            if used.get("DI"):
                source = cells[driver[used["DI"][0]][0]]
                if place(source)[:2] != (tile, letter) or place(source)[3] != half:
                    found.append(f"{name}: the LUT that feeds it stands elsewhere")
            elif half == "0":
                lut = at.get(f"X{tile[0]}/Y{tile[1]}/SLICE{letter}.K0")
                if lut and cells[lut]["connections"].get("OFX"):
                    found.append(f"{name}: its input is the multiplexer's")
        if kind == "K":
            modes.setdefault((tile, letter), set()).add(c["parameters"].get("MODE"))
            if used.get("OFX"):
                source = cells[driver[used["F1"][0]][0]]
                if half != "0" or place(source) != (tile, letter, "K", "1"):
                    found.append(f"{name}: halves of the multiplexer apart")
    found += [f"{s}: two clock enables" for s, e in enables.items() if len(e) > 1]
    found += [f"{t}: two resets" for t, r in resets.items() if len(r) > 1]
    found += [f"{s}: {m}" for s, m in modes.items() if len(m) > 1]
    return found


def half_perimeters(cells):
    boxes = {}
    for c in cells.values():
        x, y = map(int, re.match(r"X(\d+)/Y(\d+)/", c["attributes"]["NEXTPNR_BEL"]).groups())
        for bits in c["connections"].values():
            for net in bits:
                boxes.setdefault(net, []).append((x, y))
    return sum(max(a for a, _ in p) - min(a for a, _ in p) + max(b for _, b in p) - min(b for _, b in p) for p in boxes.values())


class Refine(unittest.TestCase):
    def run_it(self, design, *options):
        with tempfile.TemporaryDirectory() as folder:
            placed, problem, slots, refined = (pathlib.Path(folder) / n for n in ("placed.json", "problem", "slots", "refined.json"))
            placed.write_text(json.dumps(design))
            refine.write_problem(placed, problem)
            done = subprocess.run([PROGRAM, problem, slots, *options], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.progress = done.stdout.splitlines()
            self.moved = refine.take_slots(placed, slots, refined)
            return json.loads(refined.read_text())

    def test_every_placement_is_legal_and_shorter(self):
        for seed in range(12):
            with self.subTest(seed=seed):
                before = Netlist(seed).design()
                cells = before["modules"]["top"]["cells"]
                self.assertEqual(errors(cells), [])
                after = self.run_it(before, "--moves", "400", "--seed", str(seed + 1), "--heat", "1", "--limit", "20")
                new = after["modules"]["top"]["cells"]
                self.assertEqual(errors(new), [])
                self.assertGreater(self.moved, len(cells) // 4)
                self.assertLess(half_perimeters(new), half_perimeters(cells))
                for name, c in cells.items():
                    fixed = c["type"] in ("DP16KD", "TRELLIS_RAMW") or c["parameters"].get("MODE")
                    self.assertTrue(not fixed or c == new[name], name)
                ram = {place(c)[0] for c in cells.values() if c["parameters"].get("MODE") == "DPRAM"}
                for t in ram:   # a flip-flop comes in only for another
                    self.assertLessEqual(*(sum(c["type"] == "TRELLIS_FF" and place(c)[0] == t for c in of.values()) for of in (new, cells)))
                blank = copy.deepcopy(before)
                for d in (blank, after):
                    for c in d["modules"]["top"]["cells"].values():
                        del c["attributes"]["NEXTPNR_BEL"]
                self.assertEqual(blank, after)

    def test_a_chain_gathers(self):
        n = Netlist(1, 0)
        n.made = [n.output()]
        for i in range(8):
            n.made = [n.lut(f"X{2 + 7 * (i % 2)}/Y{2 + i}/SLICEA.K0")]
        after = self.run_it(n.design(), "--moves", "3000", "--crowd", "0")
        self.assertLess(half_perimeters(after["modules"]["top"]["cells"]), half_perimeters(n.cells) / 2)

    def test_moves_0_changes_nothing(self):
        before = Netlist(3).design()
        self.assertEqual(self.run_it(before, "--moves", "0"), before)
        self.assertEqual(self.moved, 0)

    def test_same_seed_same_result(self):
        before = Netlist(4).design()
        one, two, other = (self.run_it(before, "--moves", "50", "--seed", s) for s in ("7", "7", "8"))
        self.assertEqual(one, two)
        self.assertNotEqual(one, other)

    def value(self, what):
        return [float(re.search(what + r" ([\d.]+)", line)[1]) for line in (self.progress[0], self.progress[-1])]

    def test_wire_told_is_the_half_perimeters(self):
        n = Netlist(5)
        after = self.run_it(n.design(), "--moves", "100")
        # clock, enable and reset nets have no driver here: they are no wire
        for cells, told in ((n.cells, self.value("wire")[0]), (after["modules"]["top"]["cells"], self.value("wire")[1])):
            driven = {bits[0] for c in cells.values() for p, bits in c["connections"].items() if bits and c["port_directions"][p] == "output"}
            only = copy.deepcopy(cells)
            for c in only.values():
                c["connections"] = {p: [b for b in bits if b in driven] for p, bits in c["connections"].items()}
            self.assertEqual(half_perimeters(only), told)

    def test_a_crowded_place_thins_out(self):
        before = Netlist(6).design()
        self.run_it(before, "--moves", "400", "--crowd", "0")
        free = self.value("fullest square")[1]
        self.run_it(before, "--moves", "400", "--crowd", "1", "--limit", "10")
        self.assertLess(self.value("fullest square")[1], free * 0.9)

    def longest_path(self, *sites):
        """Of a way from a flip-flop at the first site through LUTs to one that the last LUT feeds in its slot, as mw_refine tells it, in ns."""
        n = Netlist(1, 0)
        n.made = [n.output()]
        n.flip_flop(f"{sites[0]}.FF0", [], [], "M", n.some())
        for s in sites[1:]:
            n.made = n.made[-1:]
            n.lut(f"{s}.K0")
        n.flip_flop(f"{sites[-1]}.FF0", [], [], "DI", n.made[-1])
        self.run_it(n.design(), "--moves", "0")
        return self.value("longest path")[0]

    def test_the_longest_path(self):
        # clock to output, LUTs of 240 ps, a wire before each: 450 ps in a tile, else 600, 90 for each of the first four tiles in x and in y, 43 for the others
        self.assertEqual(self.longest_path("X2/Y2/SLICEA", "X2/Y2/SLICEB", "X2/Y2/SLICEC", "X2/Y2/SLICED"), 2.6)  # 520 + 3 x (450 + 240)
        self.assertEqual(self.longest_path("X2/Y2/SLICEA", "X4/Y5/SLICEB", "X5/Y5/SLICEB"), 2.7)                  # 520 + 1050 + 690 + 2 x 240
        self.assertEqual(self.longest_path("X2/Y2/SLICEA", "X22/Y5/SLICEB", "X22/Y45/SLICEB"), 5.4)               # 520 + 1918 + 2508 + 2 x 240

    def test_inputs_of_registers_that_take_longer(self):
        # From a flip-flop to the next tile: 520 + 690 ps and what refine.into_register says.
        for kind, port, told in (("TRELLIS_FF", "M", 1.4), ("TRELLIS_FF", "CE", 1.5), ("TRELLIS_FF", "LSR", 1.4), ("DP16KD", "ADB7", 1.9), ("DP16KD", "DIA3", 1.6)):
            with self.subTest(port=port):
                n = Netlist(1, 0)
                n.flip_flop("X2/Y2/SLICEA.FF0", [], [], "M", n.net())
                source = n.made[-1:]
                if kind == "DP16KD":
                    n.add(kind, "X3/Y2/EBR0", {port: "input"}, {port: source})
                else:
                    n.flip_flop("X3/Y2/SLICEA.FF0", source if port == "CE" else [], source if port == "LSR" else [], "M", source[0] if port == "M" else n.net())
                self.run_it(n.design(), "--moves", "0")
                self.assertEqual(self.value("longest path")[0], told)

    def test_far_away_cells_come_to_the_ends_of_their_wires(self):
        # Two LUTs 38 tiles from the block RAM and the carry between which they stand, with no place on the way: 5.7 + 2.7 + 0.45 + 2.5 ns and three LUTs.
        n = Netlist(1, 0)
        n.made = [n.output()]
        n.add("DP16KD", "X0/Y2/EBR0", {"ADA5": "input", "DOA0": "output"}, {"DOA0": n.made[-1:], "ADA5": [n.some()]})
        for site, mode in (("X40/Y2/SLICEA.K0", None), ("X40/Y2/SLICEB.K0", None), ("X2/Y2/SLICEA.K0", "CCU2")):
            n.made = n.made[-1:]
            n.lut(site, mode)
        n.flip_flop("X2/Y2/SLICEA.FF0", [], [], "DI", n.made[-1])
        self.run_it(n.design(), "--moves", "3000")
        before, after = self.value("longest path")
        self.assertGreater(before, 11.5)
        self.assertLess(after, 9.0)

    def test_long_paths_get_shorter(self):
        for seed in (8, 9, 10):
            with self.subTest(seed=seed):
                before = Netlist(seed, 12).design()
                ends = {}
                for price in ("0", "200"):
                    self.run_it(before, "--moves", "1000", "--limit", "50", "--criticality", price)
                    ends[price] = self.value("longest path")[1]
                self.assertLess(ends["200"], 0.95 * ends["0"])

    def test_problems_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            problem, slots = pathlib.Path(folder) / "problem", pathlib.Path(folder) / "slots"
            whole = refine.Placement(Netlist(2).design()).problem()
            cells = [line for line in whole.splitlines() if re.match(r"[01] \d \d+ \d+ \d+ \d+ \d+$", line)]
            other = next(line for line in cells if line.split()[0] == cells[0].split()[0] and line.split()[2:5] != cells[0].split()[2:5])
            beside = cells[0].split()[:2] + [str(int(cells[0].split()[2]) + 1)] + cells[0].split()[3:]
            twice = other.split()[:2] + cells[0].split()[2:5] + other.split()[5:]
            for text, message in (
                    ("", "expected section tiles"),
                    (whole.replace("cells", "sells", 1), "expected section cells"),
                    (whole[:len(whole) // 2], "problem cut short|expected section"),
                    (re.sub(r"\n(\d+) (\d+) 0\n", r"\n\1 999 0\n", whole, count=1), "y out of range: 999"),
                    (re.sub(r"(tiles \d+\n)(\d+ \d+)( \d\n)\d+ \d+", r"\1\2\3\2", whole, count=1), "two tiles at"),
                    (whole.replace(cells[0], " ".join(beside), 1), "cell does not stand in its slot"),
                    (whole.replace(other, " ".join(twice), 1), "two cells in slot " + cells[0].split()[4])):
                problem.write_text(text)
                done = subprocess.run([PROGRAM, problem, slots], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, "^mw_refine: .*(" + message + ")")
                self.assertFalse(slots.exists())


if __name__ == "__main__":
    unittest.main()
