#!/usr/bin/env python3
"""Runs the kernels on model and RTL in lockstep and shows what they cost: the second half of ./demo.

usage: demo.py BUILD_DIRECTORY [--engine both|model|rtl]

Each kernel runs on the configuration base (8 lanes), and on tiny (1 lane) if it fits. The Mandelbrot picture goes to
BUILD/demo/mandelbrot.ppm and .png. The last line is the verdict; exit code 0 means that everything was equal.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import struct
import subprocess
import sys
import time
import zlib

KERNELS = ["saxpy", "reduction", "histogram", "matmul", "matmul_blocked", "mandelbrot", "shade", "treewalk", "quicksort", "scan", "sha256",
           "crc32", "bitonic", "transpose", "transpose_conflicts", "life", "sobel", "nbody", "fft", "bfs", "indexing", "conditions", "grid3", "manygroups", "temps100", "big"]
SCALE = 4  # screen pixels per computed pixel and side


class Run:
    """One job on one configuration."""

    def __init__(self, build, kernel, config, engine):
        jobs = build / "programs"
        large = jobs / "demo" / f"{kernel}.json"  # more work, where the lanes of base have something from it
        self.job = large if config == "base" and large.exists() else jobs / f"{kernel}.json"
        self.kernel, self.config, self.stats, self.fits, self.good, self.seconds = kernel, config, None, True, False, 0.0
        self.raw = build / "demo" / f"{kernel}.{config}.raw"
        file = build / "demo" / f"{kernel}.{config}.json"
        file.unlink(missing_ok=True)
        command = [build / "bin" / "maskwork", "run", self.job, "--engine", engine, "--config", config, "--quiet", "--stats-json", file]
        if kernel == "mandelbrot":
            command += ["--out", f"0={self.raw}"]
        begin = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.seconds = time.monotonic() - begin
        self.text = (done.stderr + done.stdout).rstrip()
        self.fits = "does not fit configuration" not in done.stderr
        self.good = done.returncode == 0
        if file.exists():
            self.stats = json.loads(file.read_text())

    def counter(self, name):
        return self.stats["counters"][name]

    def verdict(self):
        return "equal" if self.good else "FAILED" if self.fits else "too large"


def shape(job_file):
    """Work groups and threads per group, as in the job and in the program's own words."""
    job = json.loads(job_file.read_text())
    source = (job_file.parent / job["program"]).read_text()
    size = [int(n) for n in re.search(r"^GROUP_SIZE +([0-9 ]+);", source, re.M).group(1).split()]
    threads = 1
    for n in size:
        threads *= n
    groups = list(job["dispatch"])
    while len(groups) > 1 and groups[-1] == 1:
        groups.pop()
    return f"{'x'.join(map(str, groups))} x {threads}"


LAYOUT = "{:<20}{:>15}{:>9}{:>10}{:>8}{:>11}  {:<10}{:>10} {:<10}{:>5}"
TITLES = LAYOUT.format("kernel", "groups x size", "words", "cycles", "lanes", "conflicts", "verdict", "cycles ", "verdict", "s")


def row(base, tiny, engine):
    words, cycles, busy, conflicts, tiny_cycles = "", "", "", "", ""
    if base.stats and base.good:
        words = base.counter("words")
    if base.stats and base.good and engine != "model":
        cycles, conflicts = base.counter("cycles"), base.counter("bank_conflicts")
        busy = f"{100 * base.counter('lane_ops') / max(1, base.stats['lanes'] * base.counter('busy_cycles')):.1f}%"
    if tiny.stats and tiny.good and engine != "model":
        tiny_cycles = f"{tiny.counter('cycles')}{' ' if base.job == tiny.job else '*'}"
    return LAYOUT.format(base.kernel, shape(base.job), words, cycles, busy, conflicts, base.verdict(), tiny_cycles, tiny.verdict(),
                         f"{base.seconds + tiny.seconds:.1f}").rstrip()


def excerpt(text, limit=12):
    """The first and the last lines of what a failed run said."""
    lines = text.splitlines()
    return "\n".join(lines if len(lines) <= limit else lines[:4] + ["  ..."] + lines[4 - limit:])


def colours(count, limit):
    """Inside dark blue; outside from blue over orange to white, the longer the brighter."""
    if count >= limit:
        return (8, 12, 28)
    t = (count / limit) ** 0.5
    return (int(255 * min(1.0, 1.6 * t)), int(235 * t), int(60 + 60 * t + 380 * t * (1 - t)))


def picture(run, stem):
    """Iteration counts as a picture: PPM, which is as simple as a format can be, and PNG, which every browser shows."""
    columns, rows, limit, _ = json.loads(run.job.read_text())["params"]["local"][1]["value"]
    counts = struct.unpack(f"<{columns * rows}I", run.raw.read_bytes())
    lines = []
    for y in range(rows):
        line = b"".join(bytes(colours(n, limit)) * SCALE for n in counts[y * columns:(y + 1) * columns])
        lines += [line] * SCALE
    width, height = columns * SCALE, rows * SCALE
    stem.with_suffix(".ppm").write_bytes(b"P6\n%d %d\n255\n" % (width, height) + b"".join(lines))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    stem.with_suffix(".png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + line for line in lines), 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--engine", choices=["both", "model", "rtl"], default="both")
    arguments = parser.parse_args()
    build, engine = arguments.build, arguments.engine
    (build / "demo").mkdir(parents=True, exist_ok=True)
    for ending in ("ppm", "png"):
        (build / "demo" / f"mandelbrot.{ending}").unlink(missing_ok=True)
    what = {"both": "model and RTL in lockstep, every retired word compared", "model": "the model alone", "rtl": "the RTL alone"}[engine]
    print(f"{len(KERNELS)} kernels on {what}")
    print(" " * 39 + "base, 8 lanes" + " " * 37 + "tiny, 1 lane")
    print(TITLES)
    begin = time.monotonic()
    failures, runs, tiny_runs = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pending = [(pool.submit(Run, build, k, "base", engine), pool.submit(Run, build, k, "tiny", engine)) for k in KERNELS]
        for pair in pending:
            base, tiny = (p.result() for p in pair)
            print(row(base, tiny, engine), flush=True)
            runs += 1 + tiny.fits
            tiny_runs += tiny.good
            failures += [r for r in (base, tiny) if not r.good and (r.fits or r is base)]
            for r in failures:
                if r in (base, tiny):
                    print(f"--- {r.kernel} on {r.config}:\n{excerpt(r.text)}")
            if base.kernel == "mandelbrot" and base.good:
                picture(base, build / "demo" / "mandelbrot")
    print("words: retired microcode words; lanes: busy lanes, active threads over lanes x cycles; conflicts: extra passes of the shared-memory banks; *: a smaller job than "
          "that of base")
    if (build / "demo" / "mandelbrot.png").exists():
        print(f"picture: {build / 'demo' / 'mandelbrot.png'} (and .ppm)")
    print(f"the command: {build / 'bin' / 'maskwork'}; try: {build / 'bin' / 'maskwork'} run {build / 'programs' / 'saxpy.json'} --stats")
    print(f"demo: {'FAILED' if failures else 'PASSED'} ({runs - len(failures)} of {runs} runs equal, {len(KERNELS)} kernels on base, {tiny_runs} on tiny, "
          f"{time.monotonic() - begin:.0f} s)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
