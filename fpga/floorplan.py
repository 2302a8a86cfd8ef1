"""Floorplan of block RAMs and multipliers: which site each takes.

nextpnr spreads logic well, but then gives its block RAMs and multipliers, which stand in a few rows of the device, the next free site by chance. A sites file
fixes them beforehand. A line of it is `CELL SITE`: the block RAM's instance path, or the path of a multiplier's module and # and its number among the
module's multipliers in the order of their names; the site as nextpnr names it (X10/Y22/EBR3). Lines that begin with # and empty ones are comments.
"""
import collections
import json

TOP = "u_unit."          # the harness's instance of the unit


def names(cells):
    """{name in a sites file: cell} of a flat netlist's block RAMs and multipliers."""
    found, multipliers = {}, collections.defaultdict(list)
    for name, cell in cells.items():
        if cell["type"] == "DP16KD":
            found[name.removeprefix(TOP)] = name
        elif cell["type"] == "MULT18X18D":
            multipliers[name.removeprefix(TOP).rpartition(".")[0]].append(name)
    for module, members in multipliers.items():
        for number, name in enumerate(sorted(members)):
            found[f"{module}#{number}"] = name
    return found


def apply(netlist, sites, settings):
    """Writes the sites, and nextpnr's settings that have no option, into a netlist. Returns how many cells have a site, and how many could have."""
    design = json.loads(netlist.read_text())
    top = next(m for m in design["modules"].values() if "top" in m["attributes"])
    found, placed = names(top["cells"]), 0
    for line in sites.read_text().splitlines() if sites.exists() else []:
        if not line.strip() or line.startswith("#"):
            continue
        name, site = line.split()
        if name in found:
            top["cells"][found[name]]["attributes"]["BEL"] = site
            placed += 1
    top["settings"] = settings
    netlist.write_text(json.dumps(design))
    return placed, len(found)
