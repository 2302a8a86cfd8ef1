#!/usr/bin/env python3
"""Tests of floorplan.py and of the floorplans in constraints/."""
import json
import pathlib
import tempfile
import unittest
import floorplan

CONSTRAINTS = pathlib.Path(__file__).resolve().parent.parent / "constraints"


class Apply(unittest.TestCase):
    def apply(self, sites):
        cells = {"u_unit.u_ram.mem_q.0.0": "DP16KD", "u_unit.u_a.u_mul.lo_P0": "MULT18X18D", "u_unit.u_a.u_mul.hi_P0": "MULT18X18D", "u_unit.u_ram.q": "TRELLIS_FF"}
        design = {"modules": {"LUT4": {"attributes": {}, "cells": {}},
                              "mw_scan": {"attributes": {"top": "1"}, "cells": {n: {"type": t, "attributes": {}} for n, t in cells.items()}}}}
        with tempfile.TemporaryDirectory() as folder:
            netlist, file = pathlib.Path(folder) / "flat.json", pathlib.Path(folder) / "a.sites"
            netlist.write_text(json.dumps(design))
            if sites is not None:
                file.write_text(sites)
            self.counts = floorplan.apply(netlist, file, {"router2/bbMargin/x": "16"})
            top = json.loads(netlist.read_text())["modules"]["mw_scan"]
        self.settings = top["settings"]
        return {n: c["attributes"]["BEL"] for n, c in top["cells"].items() if "BEL" in c["attributes"]}

    def test_block_ram_and_multipliers_in_the_order_of_their_names(self):
        self.assertEqual(self.apply("# comment\n\nu_ram.mem_q.0.0 X4/Y22/EBR0\nu_a.u_mul#0 X4/Y10/MULT18_0\nu_a.u_mul#1 X5/Y10/MULT18_1\n"),
                         {"u_unit.u_ram.mem_q.0.0": "X4/Y22/EBR0", "u_unit.u_a.u_mul.hi_P0": "X4/Y10/MULT18_0", "u_unit.u_a.u_mul.lo_P0": "X5/Y10/MULT18_1"})
        self.assertEqual(self.counts, (3, 3))
        self.assertEqual(self.settings, {"router2/bbMargin/x": "16"})

    def test_names_that_do_not_exist_do_no_harm(self):
        self.assertEqual(self.apply("u_gone.mem_q.0.0 X4/Y22/EBR0\nu_a.u_mul#2 X4/Y10/MULT18_0\nu_ram.q X9/Y9/SLICEA.FF0\n"), {})
        self.assertEqual(self.counts, (0, 3))

    def test_without_a_file(self):
        self.assertEqual(self.apply(None), {})
        self.assertEqual(self.counts, (0, 3))


class Files(unittest.TestCase):
    def test_each_cell_and_each_site_once_and_of_one_kind(self):
        for file in CONSTRAINTS.glob("*.sites"):
            rows = [line.split() for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
            self.assertEqual(len({name for name, _ in rows}), len(rows), file.name)
            self.assertEqual(len({site for _, site in rows}), len(rows), file.name)
            for name, site in rows:
                kind = r"MULT18_\d" if "#" in name else r"EBR\d"
                self.assertRegex(site, rf"^X\d+/Y\d+/{kind}$", f"{file.name}: {name}")


if __name__ == "__main__":
    unittest.main()
