#!/usr/bin/env python3
"""Writes the job files of the kernels, with expected data computed here, independently of assembler, model and RTL.

usage: make_jobs.py OUTPUT_DIRECTORY [JOB ...]
Floats are computed as IEEE-754 binary32 with one rounding per operation, as docs/semantics.md defines the operations.
"""
import json
import os
import pathlib
import struct
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
MASK = 0xFFFFFFFF


# ------------------------------------------------------------------------------------------------------------ arithmetic
def f32(x):
    """The binary32 value nearest to a double. Sums, differences and products of two binary32 values may take this way: a double has
    more than twice the digits, so the second rounding does no harm."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def fma(a, b, c):
    """a * b + c with one rounding, for finite values in the normal range."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c  # the sign of zero
    sign, n, d = (-1, -exact.numerator, exact.denominator) if exact < 0 else (1, exact.numerator, exact.denominator)
    shift = n.bit_length() - d.bit_length() - 25  # the quotient gets 25 or 26 bits, one or two more than binary32 keeps
    q, r = divmod(n << max(0, -shift), d << max(0, shift))
    sticky = r != 0
    extra = q.bit_length() - 24
    half, low = 1 << (extra - 1), q & ((1 << extra) - 1)
    q >>= extra
    if low > half or (low == half and (sticky or q & 1)):
        q += 1
    return sign * float(q) * 2.0 ** (shift + extra)


class Random:
    """A fixed sequence of its own, so that the jobs are the same with every Python."""

    def __init__(self, seed):
        self.state = seed * 2654435761 + 12345 & 0xFFFFFFFFFFFFFFFF

    def bits(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return self.state >> (64 - n)

    def below(self, n):
        return self.bits(32) * n >> 32

    def real(self, low, high):
        return f32(low + (high - low) * self.bits(24) / (1 << 24))


# ------------------------------------------------------------------------------------------------------------------ jobs
def local(index, kind, *values):
    return {"index": index, "type": kind, "value": list(values) + [0] * (4 - len(values))}


def buffer(binding, kind, data=None, zeros=None, output=False):
    b = {"binding": binding, "type": kind}
    b.update({"zeros": zeros} if data is None else {"init": data})
    if output:
        b["output"] = True
    return b


def job(program, dispatch, storage, expect, params=(), **more):
    j = {"program": program, "dispatch": dispatch, "storage": storage,
         "expect": {"storage": [{"binding": b, "data": d} for b, d in expect]}}
    if params:
        j["params"] = {"local": list(params)}
    j.update(more)
    return j


def saxpy():
    r, n, a = Random(1), 1000, f32(2.7182817)
    x = [r.real(-100, 100) for _ in range(n)]
    y = [r.real(-100, 100) for _ in range(n)]
    want = [fma(a, x[i], y[i]) for i in range(n)]
    return job("saxpy.nvcp", [16, 1, 1], [buffer(0, "f32", x), buffer(1, "f32", y, output=True)], [(1, want)],
               [local(0, "f32", a), local(1, "u32", n)])


def reduction():
    r, n = Random(2), 3000
    data = [r.real(-10, 10) for _ in range(n)]
    sums = []
    for g in range(3):
        s = (data[g * 1024:(g + 1) * 1024] + [0.0] * 1024)[:1024]
        stride = 512
        while stride:
            for t in range(stride):
                s[t] = f32(s[t] + s[t + stride])
            stride //= 2
        sums.append(s[0])
    return job("reduction.nvcp", [3, 1, 1], [buffer(0, "f32", data), buffer(1, "f32", zeros=3, output=True)], [(1, sums)],
               [local(0, "u32", n)])


def histogram():
    r, n = Random(3), 1500
    # Two thirds fall into few bins, so that threads of a wave meet on one word.
    data = [r.bits(32) if r.below(3) == 0 else 64 * r.bits(20) + r.below(4) for _ in range(n)]
    bins = [0] * 64
    for v in data:
        bins[v % 64] += 1
    start = [10 * i for i in range(64)]
    return job("histogram.nvcp", [2, 1, 1], [buffer(0, "u32", data), buffer(1, "u32", start, output=True)],
               [(1, [a + b for a, b in zip(start, bins)])], [local(0, "u32", n)])


def matmul():
    r, rows, columns, inner = Random(4), 20, 28, 19
    a = [r.real(-2, 2) for _ in range(rows * inner)]
    b = [r.real(-2, 2) for _ in range(inner * columns)]
    c = []
    for i in range(rows):
        for j in range(columns):
            acc = 0.0
            for k in range(24):  # three tiles; beyond the edge 0 * 0 is added
                acc = fma(a[i * inner + k], b[k * columns + j], acc) if k < inner else fma(0.0, 0.0, acc)
            c.append(acc)
    return job("matmul.nvcp", [4, 3, 1], [buffer(0, "f32", a), buffer(1, "f32", b), buffer(2, "f32", zeros=rows * columns, output=True)], [(2, c)],
               [local(0, "u32", rows, columns, inner, 3)])


def mandelbrot(columns=116, rows=75, limit=48):
    left, top = -2.25, -1.25
    dx, dy = f32(3.0 / columns), f32(2.5 / rows)
    picture = []
    for py in range(rows):
        cy = f32(f32(py * dy) + top)
        for px in range(columns):
            cx = f32(f32(px * dx) + left)
            x = y = 0.0
            n = 0
            while n < limit:
                xx, yy = f32(x * x), f32(y * y)
                if f32(xx + yy) > 4.0:
                    break
                xy = f32(x * y)
                x, y = f32(f32(xx - yy) + cx), f32(f32(xy + xy) + cy)
                n += 1
            picture.append(n)
    return job("mandelbrot.nvcp", [(columns + 7) // 8, (rows + 7) // 8, 1], [buffer(0, "u32", zeros=columns * rows, output=True)], [(0, picture)],
               [local(0, "f32", left, top, dx, dy), local(1, "u32", columns, rows, limit)])


def treewalk():
    r, n, trees = Random(5), 150, 70
    nodes = [[-1, -1, r.below(1000) - 500, 0] for _ in range(n)]
    # A random binary tree over all nodes, not deeper than the program's array allows.
    for i in range(1, n):
        while True:
            at, depth = 0, 1
            while True:
                side = r.below(2)
                if nodes[at][side] < 0:
                    break
                at, depth = nodes[at][side], depth + 1
            if depth < 14:
                nodes[at][side] = i
                break
    # Most threads start somewhere inside, one at the root, some have no tree.
    roots = [0] + [r.below(n + 20) for _ in range(trees - 1)]
    roots = [x if x < n else -1 for x in roots]

    def walk(node, h):
        if node < 0:
            return h
        h = walk(nodes[node][0], h)
        h = (h * 31 + nodes[node][2]) & MASK
        return walk(nodes[node][1], h)

    return job("treewalk.nvcp", [2, 1, 1],
               [buffer(0, "s32", [v for node in nodes for v in node]), buffer(1, "s32", roots), buffer(2, "u32", zeros=trees, output=True)],
               [(2, [walk(x, 7) for x in roots])], [local(0, "u32", trees)])


def quicksort():
    r, lists, pitch = Random(6), 40, 20
    lengths = [r.below(pitch + 1) for _ in range(lists)]
    data = [r.below(200) - 100 for _ in range(lists * pitch)]
    want = []
    for i in range(lists):
        part = data[i * pitch:(i + 1) * pitch]
        want += sorted(part[:lengths[i]]) + part[lengths[i]:]
    return job("quicksort.nvcp", [1, 1, 1], [buffer(0, "s32", data, output=True), buffer(1, "u32", lengths)], [(0, want)],
               [local(0, "u32", pitch)])


def scan():
    r, size, groups = Random(7), 61, 3
    data = [r.below(2000) - 1000 for _ in range(size * groups)]
    want = []
    for g in range(groups):
        total = 0
        for v in data[g * size:(g + 1) * size]:
            total += v
            want.append(total)
    return job("scan.nvcp", [groups, 1, 1], [buffer(0, "s32", data, output=True)], [(0, want)])


def many_temps():
    """100 temporaries, a few alive at a time: a chain in which each one depends on the three before it."""
    n = 100
    text = ["!!NVcp5.0", "# 100 temporaries of which three live at a time: sixteen registers are plenty.", "OPTION NV_shader_storage_buffer;", "GROUP_SIZE 45;",
            "STORAGE data[] = { program.storage[0] };",
            "TEMP " + ", ".join(f"T{i}" for i in range(n)) + ";", "TEMP address;",
            "SHL.U address.x, invocation.globalid.x, 2;", "LDB.U32 T0.x, data[address.x];", "ADD.U T1.x, T0.x, 17;", "XOR.U T2.x, T0.x, T1.x;"]
    for i in range(3, n):
        text.append([f"MAD.U T{i}.x, T{i - 1}.x, {2 * i + 1}, T{i - 3}.x;", f"XOR.U T{i}.x, T{i - 2}.x, T{i - 1}.x;",
                     f"SUB.U T{i}.x, T{i - 1}.x, T{i - 3}.x;"][i % 3])
    text += [f"STB.U32 T{n - 1}, data[address.x];", "END", ""]
    r, want = Random(8), []
    data = [r.bits(32) for _ in range(90)]
    for v in data:
        t = [v, (v + 17) & MASK]
        t.append(t[0] ^ t[1])
        for i in range(3, n):
            t.append([t[i - 1] * (2 * i + 1) + t[i - 3], t[i - 2] ^ t[i - 1], t[i - 1] - t[i - 3]][i % 3] & MASK)
        want.append(t[n - 1])
    return job("many_temps.nvcp", [2, 1, 1], [buffer(0, "u32", data, output=True)], [(0, want)]), {"many_temps.nvcp": "\n".join(text)}


def long_program():
    """20 000 words without a loop: far more than any instruction cache holds."""
    text = ["!!NVcp5.0", "# 20 000 words in a row.", "OPTION NV_shader_storage_buffer;", "GROUP_SIZE 37;", "STORAGE data[] = { program.storage[0] };", "TEMP R0, R1;",
            "SHL.U R0.x, invocation.localindex, 2;", "LDB.U32 R1.x, data[R0.x];"]
    r = Random(9)
    steps = []
    for i in range(20000):
        k = r.bits(32)
        steps.append((i % 3, k))
        text.append([f"MUL.U R1.x, R1.x, {k | 1};", f"XOR.U R1.x, R1.x, {k};", f"ADD.U R1.x, R1.x, {k};"][i % 3])
    text += ["STB.U32 R1, data[R0.x];", "END", ""]
    data = [r.bits(32) for _ in range(37)]
    want = []
    for v in data:
        for kind, k in steps:
            v = [v * (k | 1), v ^ k, v + k][kind] & MASK
        want.append(v)
    return job("long.nvcp", [1, 1, 1], [buffer(0, "u32", data, output=True)], [(0, want)]), {"long.nvcp": "\n".join(text)}


JOBS = {"saxpy": saxpy, "reduction": reduction, "histogram": histogram, "matmul": matmul, "mandelbrot": mandelbrot, "treewalk": treewalk,
        "quicksort": quicksort, "scan": scan, "many_temps": many_temps, "long": long_program}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or JOBS:
        made = JOBS[name]()
        made, files = made if isinstance(made, tuple) else (made, {})
        for file, text in files.items():
            (out / file).write_text(text)
        if not files:
            made["program"] = os.path.relpath(HERE / made["program"], out.resolve())
        (out / f"{name}.json").write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
