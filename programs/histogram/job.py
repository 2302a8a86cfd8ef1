"""Counts of values modulo 64, added to what is there already."""
from support.jobfile import Random, job, local, output, source


def histogram(n, groups):
    r = Random(3)
    # Two thirds fall into few bins, so that threads of a wave meet on one word.
    data = [r.bits(32) if r.below(3) == 0 else 64 * r.bits(20) + r.below(4) for _ in range(n)]
    start = [10 * i for i in range(64)]
    want = list(start)
    for v in data:
        want[v % 64] += 1
    return job([groups, 1, 1], [source(0, "u32", data), output(1, "u32", want, start)], [local(0, "u32", n)])


QUICK = {"histogram": lambda: histogram(1500, 3)}
NIGHTLY = {"histogram_large": lambda: histogram(30011, 7)}
