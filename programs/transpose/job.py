"""A matrix and its transpose; one program, with and without conflicts of the shared-memory banks."""
from support.jobfile import Random, job, local, output, source


def transpose(columns, rows, pitch):
    r = Random(22)
    a = [r.bits(32) for _ in range(columns * rows)]
    want = [a[row * columns + column] for column in range(columns) for row in range(rows)]
    return job([(columns + 15) // 16, (rows + 15) // 16, 1], [source(0, "u32", a), output(1, "u32", want)],
               [local(0, "u32", columns, rows, pitch)])


QUICK = {"transpose": lambda: transpose(45, 37, 68), "transpose_conflicts": lambda: transpose(45, 37, 64)}
NIGHTLY = {"transpose_large": lambda: transpose(301, 203, 68)}
