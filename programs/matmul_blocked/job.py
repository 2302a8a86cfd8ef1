"""C = A * B again, for the variant that keeps the lanes busy. Both matrices have ragged edges in the tiles."""
from support.ieee import fma
from support.jobfile import Random, job, local, output, source


def matmul_blocked(rows, columns, inner):
    r, tiles = Random(10), (inner + 15) // 16
    a = [r.real(-2, 2) for _ in range(rows * inner)]
    b = [r.real(-2, 2) for _ in range(inner * columns)]
    by_column = [b[j::columns] for j in range(columns)]
    want = []
    for i in range(rows):
        row = a[i * inner:(i + 1) * inner]
        for column in by_column:
            acc = 0.0
            for x, y in zip(row, column):
                acc = fma(x, y, acc)
            want.append(acc)
    return job([(columns + 127) // 128, (rows + 63) // 64, 1], [source(0, "f32", a), source(1, "f32", b), output(2, "f32", want)],
               [local(0, "u32", rows, columns, inner, tiles)])


QUICK = {"matmul_blocked": lambda: matmul_blocked(61, 125, 19)}
DEMO = {"matmul_blocked": lambda: matmul_blocked(60, 250, 125)}
NIGHTLY = {"matmul_blocked_large": lambda: matmul_blocked(187, 250, 130)}
