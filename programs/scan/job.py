"""Prefix sums of each work group's 61 elements."""
from support.jobfile import Random, job, output


def scan(groups, size=61):
    r = Random(7)
    data = [r.below(2000) - 1000 for _ in range(size * groups)]
    want = []
    for g in range(groups):
        total = 0
        for v in data[g * size:(g + 1) * size]:
            total += v
            want.append(total)
    return job([groups, 1, 1], [output(0, "s32", want, data)])


QUICK = {"scan": lambda: scan(5)}
NIGHTLY = {"scan_large": lambda: scan(150)}
