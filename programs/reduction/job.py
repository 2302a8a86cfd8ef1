"""Sums of 1024 elements each, added in the order of the tree."""
from support.ieee import f32
from support.jobfile import Random, job, local, output, source


def reduction(n):
    r, groups = Random(2), (n + 1023) // 1024
    data = [r.real(-10, 10) for _ in range(n)]
    sums = []
    for g in range(groups):
        s = (data[g * 1024:(g + 1) * 1024] + [0.0] * 1024)[:1024]
        stride = 512
        while stride:
            for t in range(stride):
                s[t] = f32(s[t] + s[t + stride])
            stride //= 2
        sums.append(s[0])
    return job([groups, 1, 1], [source(0, "f32", data), output(1, "f32", sums)], [local(0, "u32", n)])


QUICK = {"reduction": lambda: reduction(3000)}
NIGHTLY = {"reduction_large": lambda: reduction(40001)}
