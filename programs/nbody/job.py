"""Gravity of all pairs in binary64. Results are compared as integers; bodies whose result lies too near to a half are moved."""
import math

from support.jobfile import Random, bits_as_u32, job, local, output, rounded, source

SOFTENING, SCALE = 0.0625, 1024.0


def pull(bodies, i):
    acc = [0.0, 0.0, 0.0]
    for b in bodies:
        d = [b[k] - bodies[i][k] for k in range(3)]
        w = b[3] / math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + SOFTENING) ** 3
        for k in range(3):
            acc[k] += w * d[k]
    return acc


def nbody(count):
    for seed in range(100):
        r = Random(2500 + seed)
        bodies = [[r.real(-4, 4), r.real(-4, 4), r.real(-4, 4), r.real(0.125, 1)] for _ in range(count)]
        want = rounded([SCALE * a for i in range(count) for a in pull(bodies, i) + [0.0]], 0.002)
        if want is not None:
            return job([(count + 63) // 64, 1, 1], [source(0, "f32", [c for b in bodies for c in b]), output(1, "s32", want)],
                       [local(0, "u32", count, bits_as_u32(SOFTENING), bits_as_u32(SCALE), (count + 63) // 64)])
    raise ValueError("no set of bodies whose results are far enough from halves")


QUICK = {"nbody": lambda: nbody(83)}
NIGHTLY = {"nbody_large": lambda: nbody(200)}
