"""Lists of signed integers in order, each list by itself; what lies behind a list's length stays."""
from support.jobfile import Random, job, local, output, source


def quicksort(lists, pitch):
    r = Random(6)
    lengths = [r.below(pitch + 1) for _ in range(lists)]
    data = [r.below(200) - 100 for _ in range(lists * pitch)]
    want = []
    for i in range(lists):
        part = data[i * pitch:(i + 1) * pitch]
        want += sorted(part[:lengths[i]]) + part[lengths[i]:]
    return job([lists // 40, 1, 1], [output(0, "s32", want, data), source(1, "u32", lengths)], [local(0, "u32", pitch)])


QUICK = {"quicksort": lambda: quicksort(40, 20)}
NIGHTLY = {"quicksort_large": lambda: quicksort(200, 45)}
