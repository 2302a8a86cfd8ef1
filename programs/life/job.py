"""Generations of the game of life on a torus."""
from support.jobfile import Random, job, local, output


def life(columns, rows, generations):
    r = Random(23)
    start = [int(r.below(3) == 0) for _ in range(columns * rows)]
    field = start
    for _ in range(generations):
        count = [sum(field[(y + dy) % rows * columns + (x + dx) % columns] for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
                 for y in range(rows) for x in range(columns)]
        field = [int(n == 3 or (n == 2 and alive)) for n, alive in zip(count, field)]
    return job([1, 1, 1], [output(0, "u32", field, start)], [local(0, "u32", columns, rows, columns * rows, generations)])


QUICK = {"life": lambda: life(23, 19, 3)}
NIGHTLY = {"life_large": lambda: life(21, 24, 40)}
