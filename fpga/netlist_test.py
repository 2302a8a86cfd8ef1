#!/usr/bin/env python3
"""Simulates finished ECP5 netlists against the model on real kernels.

usage: netlist_test.py BUILD [--all] [--netlist NAME]... [--job NAME]...      (BUILD: a configured build tree; the synthesis tools on PATH)

Quick: `tiny` with the record ports, in lockstep, on three kernels that together retire well over 10 000 words, with MAD, REP, LDS, STS, BAR and ATOMS in them.
--all (nightly): `tiny` and `small`, every job of programs/ that fits: with record ports in lockstep, and a second netlist, without them, by what
the job expects in memory and by the counters that must be equal to the model's. --netlist (tiny-record, tiny, small-record, small) and --job (a job of
BUILD/programs) choose from either set. Exit code 1 if one differs.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUICK = ["matmul", "histogram", "scan"]
NETLISTS = ["tiny-record", "tiny", "small-record", "small"]


def fail(text, log=None):
    lines = pathlib.Path(log).read_text().splitlines() if log else []
    sys.exit("\n".join([x for x in lines if "rror" in x][:20] + ["netlist_test.py: " + text]))


def run(command, log):
    with open(log, "w") as f:
        return subprocess.run([str(c) for c in command], stdout=f, stderr=subprocess.STDOUT).returncode


def prepare(build, names):
    out = build / "fpga"
    out.mkdir(exist_ok=True)
    cells = out / "ecp5_cells.v"
    subprocess.run([sys.executable, ROOT / "fpga" / "netlist_cells.py", cells], check=True)
    sources = (build / "rtl_sources.txt").read_text().split()
    for name in names:
        netlist = out / f"{name}.v"
        netlist.unlink(missing_ok=True)
        # Whether it fits the device does not count here (with record ports it need not): only a failed synthesis does.
        run([sys.executable, ROOT / "fpga" / "synth.py", "--config", name.removesuffix("-record"), "--verilog", *(["--record"] if name.endswith("-record") else []),
             "--sources", *sources, "--out", out], out / f"netlist-{name}.txt")
        if not netlist.exists():
            fail(f"synthesis of {name} failed", out / f"netlist-{name}.txt")
    if run(["cmake", "-S", ROOT, "-B", build, f"-DMASKWORK_NETLISTS={';'.join(names)}"], build / "configure.log"):
        fail("cmake failed", build / "configure.log")
    if run(["ninja", "-C", build, *(f"maskwork-netlist-{n}" for n in names)], out / "netlist_build.log"):
        fail("build failed", out / "netlist_build.log")


def counters_differ(build, name, job, config):
    """Runs the job on the model for its counters and compares with those of the netlist's run."""
    with open(ROOT / "isa" / "isa.toml", "rb") as f:
        same = [c["name"] for c in tomllib.load(f)["counter"] if c["same"]]
    exe, out = build / "bin" / f"maskwork-netlist-{name}", build / "fpga"
    values = []
    for engine in ("model", "rtl"):
        stats = out / f"stats-{name}-{engine}.json"
        done = subprocess.run([exe, "run", job, "--config", config, "--engine", engine, "--stats-json", stats], capture_output=True, text=True)
        if done.returncode:
            return (done.stdout + done.stderr).strip().splitlines()[-3:]
        values.append(json.loads(stats.read_text()))
    flat = [v.get("counters", v) for v in values]
    return [f"counter {c}: model {flat[0].get(c)}, netlist {flat[1].get(c)}" for c in same if flat[0].get(c) != flat[1].get(c)]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("build", type=pathlib.Path)
    ap.add_argument("--all", action="store_true")
    ap.add_argument("--netlist", action="append", choices=NETLISTS)
    ap.add_argument("--job", action="append", help="name of a job, without .json")
    a = ap.parse_args()
    build = a.build.resolve()
    names = a.netlist or (NETLISTS if a.all else ["tiny-record"])
    if run(["ninja", "-C", build, "jobs"], build / "jobs.log"):
        fail("build of the jobs failed", build / "jobs.log")
    sys.stdout.reconfigure(line_buffering=True)   # the whole set takes hours: every verdict as it comes
    jobs = sorted((build / "programs").glob("*.json"))
    chosen = a.job or (None if a.all else QUICK)
    unknown = set(chosen or ()) - {j.stem for j in jobs}
    if unknown:
        fail(f"no job {', '.join(sorted(unknown))} in {build / 'programs'}")
    jobs = [j for j in jobs if not chosen or j.stem in chosen]
    prepare(build, names)
    total = failed = skipped = 0
    for name in names:
        config = name.removesuffix("-record")
        exe = build / "bin" / f"maskwork-netlist-{name}"
        for job in jobs:
            # A program that is too large for a configuration is refused there, by the model too.
            if subprocess.run([exe, "run", job, "--config", config, "--engine", "model"], capture_output=True).returncode:
                print(f"{name}: {job.stem}: refused by this configuration")
                skipped += 1
                continue
            total += 1
            if name.endswith("-record"):
                done = subprocess.run([exe, "run", job, "--config", config], capture_output=True, text=True)
                print((done.stdout + done.stderr).strip().splitlines()[-1])
                differences = [] if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines()[-10:]
            else:
                differences = counters_differ(build, name, job, config)
                print(f"{name}: {job.stem}: " + ("memory and counters as the model's" if not differences else "DIFFERS"))
            for line in differences:
                print("  " + line)
            failed += bool(differences)
    print(f"netlists {', '.join(names)}: {total} runs, {failed} failed, {skipped} refused")
    sys.exit(1 if failed or not total else 0)


if __name__ == "__main__":
    main()
