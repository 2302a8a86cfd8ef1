"""C = A * B: each element is a chain of fused multiply-adds in the order of the inner index."""
from support.ieee import fma
from support.jobfile import Random, job, local, output, source

TILE = 8


def product(a, b, rows, columns, inner, padded):
    """Beyond the inner size tiles hold zeros, and 0 * 0 is added: that turns a sum of -0 into +0."""
    c = []
    for i in range(rows):
        for j in range(columns):
            acc = 0.0
            for k in range(inner):
                acc = fma(a[i * inner + k], b[k * columns + j], acc)
            for k in range(inner, padded):
                acc = fma(0.0, 0.0, acc)
            c.append(acc)
    return c


def matmul(rows, columns, inner):
    r, tiles = Random(4), (inner + TILE - 1) // TILE
    a = [r.real(-2, 2) for _ in range(rows * inner)]
    b = [r.real(-2, 2) for _ in range(inner * columns)]
    return job([(columns + TILE - 1) // TILE, (rows + TILE - 1) // TILE, 1],
               [source(0, "f32", a), source(1, "f32", b), output(2, "f32", product(a, b, rows, columns, inner, tiles * TILE))],
               [local(0, "u32", rows, columns, inner, tiles)])


QUICK = {"matmul": lambda: matmul(29, 37, 41)}
NIGHTLY = {"matmul_large": lambda: matmul(101, 93, 67)}
