#!/usr/bin/env python3
"""Runs the kernels on model and RTL in lockstep and shows a table: the second half of ./demo.

usage: demo.py BUILD_DIRECTORY [CONFIGURATION]
"""
import json
import pathlib
import subprocess
import sys

JOBS = ["saxpy", "reduction", "histogram", "matmul", "mandelbrot", "treewalk", "quicksort", "scan", "many_temps"]


def picture(raw, file, columns, rows, limit):
    """Iteration counts as a PPM picture (binary P6), which every image viewer opens."""
    pixels = bytearray()
    for i in range(columns * rows):
        n = int.from_bytes(raw[4 * i:4 * i + 4], "little")
        if n >= limit:
            pixels += b"\x08\x0c\x1c"
            continue
        t = (n / limit) ** 0.5
        pixels += bytes((int(255 * min(1, 1.6 * t)), int(235 * t), int(60 + 190 * (1 - t) * t * 2 + 60 * t)))
    scale = 4
    wide = bytearray()
    for y in range(rows):
        line = b"".join(bytes(pixels[3 * (y * columns + x):3 * (y * columns + x) + 3]) * scale for x in range(columns))
        wide += line * scale
    file.write_bytes(b"P6\n%d %d\n255\n" % (columns * scale, rows * scale) + wide)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    config = sys.argv[2] if len(sys.argv) > 2 else "base"
    out = build / "demo"
    out.mkdir(parents=True, exist_ok=True)
    print(f"kernels on model and RTL in lockstep, configuration {config}")
    print(f"{'kernel':<12}{'cycles':>10}{'words':>10}{'lanes busy':>12}{'bank conflicts':>16}{'seconds':>9}  verdict")
    passed = 0
    for name in JOBS:
        stats = out / f"{name}.stats.json"
        stats.unlink(missing_ok=True)
        command = [build / "bin" / "maskwork", "run", build / "programs" / f"{name}.json", "--config", config, "--stats-json", stats]
        raw = out / "mandelbrot.raw"
        if name == "mandelbrot":
            command += ["--out", f"0={raw}"]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        verdict = run.stdout.strip().splitlines()[-1] if run.stdout.strip() else "no verdict"
        if not stats.exists():
            print(f"{name:<12}{'':>57}  {verdict}")
            continue
        s = json.loads(stats.read_text())
        c = s["counters"]
        busy = 100 * c["lane_ops"] / max(1, s["lanes"] * c["busy_cycles"])
        passed += run.returncode == 0
        print(f"{name:<12}{c['cycles']:>10}{c['words']:>10}{busy:>11.1f}%{c['bank_conflicts']:>16}{s['seconds']:>9.1f}  {'passed' if run.returncode == 0 else verdict}",
              flush=True)
        if run.returncode != 0:
            print(run.stdout)
        if name == "mandelbrot" and raw.exists():
            size = json.loads((build / "programs" / "mandelbrot.json").read_text())["params"]["local"][1]["value"]
            picture(raw.read_bytes(), out / "mandelbrot.ppm", *size[:3])
    if (out / "mandelbrot.ppm").exists():
        print(f"picture: {out / 'mandelbrot.ppm'}")
    print(f"the command: {build / 'bin' / 'maskwork'}")
    good = passed == len(JOBS)
    print(f"demo: {'PASSED' if good else 'FAILED'} ({passed} of {len(JOBS)} kernels)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
