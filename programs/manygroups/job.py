"""Sums of squares per group, and what the groups together make of three words."""
from support.ieee import MASK
from support.jobfile import job, output


def manygroups(groups):
    n = groups[0] * groups[1] * groups[2]
    sums = [sum((5 * g + t) ** 2 for t in range(5)) & MASK for g in range(n)]
    xor = 0
    for s in sums:
        xor ^= s
    return job(groups, [output(0, "u32", sums), output(1, "u32", [n + 7, max(sums), xor ^ 1], [7, 0, 1])])


QUICK = {"manygroups": lambda: manygroups((40, 3, 5))}
NIGHTLY = {"manygroups_line": lambda: manygroups((65535, 1, 1)), "manygroups_large": lambda: manygroups((17, 211, 3))}
