#!/usr/bin/env python3
"""Builds and runs the benchmark, prints its figures beside their goals, and writes build/bench.json.

usage: bench.py [--build DIR]

The build tree is DIR/bench (default build/bench): configurations base and wide, no waveforms. Verilating and compiling base is timed from
nothing, without ccache. Figures are processor time of one process; compare them as ratios of one run. Exit code 1 if something failed to run;
a goal that is missed is printed, not an error.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(command, **more):
    if subprocess.run(command, **more).returncode:
        sys.exit(f"bench.py: failed: {' '.join(map(str, command))}")


def configure(tree):
    run(["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DMASKWORK_BENCH=ON", "-DMASKWORK_CONFIGS=base;wide", "-DMASKWORK_TRACE_CONFIGS="],
        stdout=subprocess.DEVNULL)


def compile_time(tree):
    """Seconds from the RTL to the compiled simulation of base."""
    archive = "verilated/Vmw_base/Vmw_base__ALL.a"
    run(["ninja", "-C", tree, "isa/all"], stdout=subprocess.DEVNULL)  # what the RTL includes
    shutil.rmtree(tree / "verilated" / "Vmw_base", ignore_errors=True)
    begin = time.monotonic()
    run(["ninja", "-C", tree, archive], stdout=subprocess.DEVNULL, env=os.environ | {"CCACHE_DISABLE": "1"})
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    build = parser.parse_args().build.resolve()
    tree = build / "bench"
    configure(tree)
    print("verilating and compiling base from nothing ...", file=sys.stderr)
    seconds = compile_time(tree)
    print("building the benchmark ...", file=sys.stderr)
    run(["ninja", "-C", tree, "maskwork_bench", "jobs"], stdout=subprocess.DEVNULL)
    out = tree / "figures.json"
    run([tree / "bin" / "maskwork_bench", tree / "programs", out])
    figures = json.loads(out.read_text())
    figures["verilate_compile_base"] = {"value": seconds, "unit": f"s on {os.cpu_count()} cores", "goal": 30, "goal_is": "at most", "met": seconds <= 30}
    (build / "bench.json").write_text(json.dumps(figures, indent=2) + "\n")
    missed = 0
    for name, f in figures.items():
        goal = ""
        if "goal" in f:
            goal = f"  goal: {f['goal_is']} {f['goal']:g}" + ("" if f["met"] else "  MISSED")
            missed += not f["met"]
        print(f"{name:<28}{f['value']:>10.2f} {f['unit']:<24}{goal}")
    goals = sum("goal" in f for f in figures.values())
    print(f"bench: {goals - missed} of {goals} goals reached; figures: {build / 'bench.json'}")


if __name__ == "__main__":
    main()
