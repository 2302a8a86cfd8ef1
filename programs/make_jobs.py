#!/usr/bin/env python3
"""Writes the job files of the kernels, with expected data computed independently of assembler, model and RTL.

usage: make_jobs.py OUTPUT_DIRECTORY [JOB ...]   all jobs, or some: OUTPUT/*.json, OUTPUT/demo/*.json, OUTPUT/nightly/*.json
       make_jobs.py --list                       lines "JOB KERNEL"
       make_jobs.py --self-check                 checks its own arithmetic

Each folder with a job.py is a kernel. Its QUICK, DEMO and NIGHTLY map the names of jobs to functions that make them.
"""
import importlib
import json
import math
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True  # the source tree stays clean
from support import ieee  # noqa: E402
from support.jobfile import Random  # noqa: E402


def jobs():
    """(file without ending, kernel, function) of every job."""
    for folder in sorted(p.parent for p in HERE.glob("*/job.py")):
        module = importlib.import_module(f"{folder.name}.job")
        for tier, prefix in (("QUICK", ""), ("DEMO", "demo/"), ("NIGHTLY", "nightly/")):
            for name, make in getattr(module, tier, {}).items():
                yield prefix + name, folder.name, make


def write(out, name, kernel, make):
    file = out / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    made = make()
    if isinstance(made, tuple):
        made, text = made
        program = file.with_suffix(".nvcp")
        program.write_text(text)
    else:
        program = HERE / kernel / (made["program"] or f"{kernel}.nvcp")
    made["program"] = os.path.relpath(program, file.parent.resolve())
    file.write_text(json.dumps(made) + "\n")


def self_check():
    """fma() against rational arithmetic, on random values near each other's weight and on corners."""
    r = Random(1)
    corners = [0.0, -0.0, 1.0, -1.0, ieee.of_bits(1), ieee.of_bits(0x80000001), ieee.of_bits(0x007FFFFF), ieee.of_bits(0x00800000),
               ieee.of_bits(0x3F800001), ieee.of_bits(0x3F7FFFFF), ieee.of_bits(0x7F7FFFFF), ieee.of_bits(0x4B800000), ieee.of_bits(0xB4000000)]
    triples = [(a, b, c) for a in corners for b in corners for c in corners]
    for _ in range(20000):
        a, b = (ieee.of_bits(r.bits(1) << 31 | 96 + r.below(64) << 23 | r.bits(23)) for _ in range(2))
        exponent = max(1, min(254, math.frexp(a * b)[1] + 126 + r.below(61) - 30))
        triples.append((a, b, ieee.of_bits(r.bits(1) << 31 | exponent << 23 | r.bits(23) & -1 << r.below(24))))
    bad = [t for t in triples if ieee.bits_of(ieee.fma(*t)) != ieee.bits_of(ieee.fma_exact(*t))]
    for t in bad[:5]:
        print("fma", t, ieee.fma(*t), "is not", ieee.fma_exact(*t))
    names = [name for name, _, _ in jobs()]
    doubles = {n for n in names if names.count(n) > 1}
    if doubles:
        print("jobs of one name:", *doubles)
    print(f"{len(triples)} fused multiply-adds, {len(bad)} wrong; {len(names)} jobs")
    return 1 if bad or doubles else 0


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--list":
        for name, kernel, _ in jobs():
            print(name, kernel)
        return 0
    if sys.argv[1] == "--self-check":
        return self_check()
    out = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2:]
    for name, kernel, make in jobs():
        if not wanted or name in wanted:
            write(out, name, kernel, make)
    return 0


if __name__ == "__main__":
    sys.exit(main())
