"""Arrays of every kind, indexed per thread; Python lists do the same."""
from support.ieee import bits_of, f32, MASK
from support.jobfile import Random, job, local, output, source


def indexing(groups):
    r, size = Random(11), 37
    locals_ = {i: [r.real(-8, 8) for _ in range(4)] for i in (0, 1, 2, 5)}
    env = [r.real(-8, 8) for _ in range(4)]
    table = [locals_[0], locals_[1], locals_[2], [1.5, -2.5, 3.5, -4.5], env, locals_[5]]
    data = [r.below(20000) - 10000 for _ in range(6 * 8)]
    index = [[r.below(6), r.below(6), r.below(3), r.below(size)] for _ in range(size * groups)]
    want = []
    for g in range(groups):
        block = []
        for x, y, z, w in index[g * size:(g + 1) * size]:
            t = [[10, 20, 30, 40], [11, 21, 31, 41]]
            for k in range(2, 8):
                t.append([p + q for p, q in zip(t[k - 1], t[k - 2])])
            u = [t[3][::-1], [t[5][1], t[5][1], t[5][0], t[5][0]], [-v for v in t[6]]]
            a, b = [t[y + 1][c] for c in (1, 0, 3, 2)], list(u[z])
            for c in (0, 2, 3):
                t[x + 2][c] = a[c] + b[c]
            new = [t[x][c] - t[y + 2][3] for c in range(4)]
            for c in (1, 3):
                u[z][c] = new[c]
            r1 = [3 * t[y][c] + u[z][c] for c in range(4)]
            f = list(table[x])
            f[1], f[2] = f32(f[1] + table[z + 3][2]), f32(f[2] + table[z + 3][1])
            block.append((r1, f, [p + q for p, q in zip(t[x + 2], u[2])], w, data[8 * x + 3]))
        for r1, f, last, w, d in block:
            other = block[w][0]
            want += [v & MASK for v in r1 + [other[2], other[3], other[1], d]] + [bits_of(v) for v in f] + [v & MASK for v in last]
    return job([groups, 1, 1],
               [source(0, "u32", [v for i in index for v in i]), source(1, "s32", data), output(2, "u32", want)],
               [local(i, "f32", *v) for i, v in sorted(locals_.items())], [local(1, "f32", *env)])


QUICK = {"indexing": lambda: indexing(3)}
NIGHTLY = {"indexing_large": lambda: indexing(60)}
