"""Programs laid out as two code generators print them, GLSLC and yuzu's GLASM backend: they assemble unchanged."""
import math
import struct

from support.ieee import bits_of, f32, fma
from support.jobfile import Random, job, local, output, source

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def half(x):
    """Bits of the nearest binary16, ties to even."""
    return struct.unpack("<H", struct.pack("<e", x))[0]


def of_half(bits):
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


def signed(x):
    return x - (1 << 32) if x >> 31 else x


def even(x):
    """Nearest integer, ties to even, of an exact value."""
    return round(x)


def flat(rows):
    return [x for row in rows for x in row]


def make(program, dispatch, storage, **more):
    return job(dispatch, storage, program=program + ".nvcp", **more)


def near(out, ulp):
    out[0]["ulp"] = ulp
    return out


def blur(n):
    r = Random(21)
    x = [r.real(-50, 50) for _ in range(n)]
    w = [f32(v) for v in (0.31, 0.22, 0.09, 0.035)]
    at = lambda i: x[max(0, min(n - 1, i))]
    want = []
    for i in range(n):
        s = f32(at(i) * w[0])
        for k in (1, 2, 3):
            s = fma(f32(at(i - k) + at(i + k)), w[k], s)
        want.append(s)
    weights = [bits_of(v) for v in w] + [n, 0, 0, 0]
    return make("glslc_blur", [(n + 63) // 64, 1, 1], [source(0, "f32", x), output(1, "f32", want)],
                cbuffers=[{"binding": 0, "type": "u32", "init": weights}])


def functions(n):
    r = Random(22)
    # Angles away from the zeros of their functions, where the absolute bound of SIN and COS is a small number of units.
    v = [(r.real(0.35, 2.75), r.real(-1.15, 1.15), r.real(0.2, 9), r.real(-4, -0.25)) for _ in range(n)]
    first, second = [], []
    for x, y, z, w in v:
        d = fma(z, z, fma(y, y, f32(x * x)))
        first.append((f32(math.sqrt(d)), f32(1 / math.sqrt(d)), f32(1 / w), f32(y / z)))
        second.append((f32(math.sin(x)), f32(math.cos(y)), f32(z ** 1.5), f32(z ** 1.5)))
    return make("glslc_functions", [n // 32, 1, 1],
                [source(0, "f32", flat(v)), near(output(1, "f32", flat(first)), 3), near(output(2, "f32", flat(second)), 16)])


def pack(groups):
    r = Random(23)
    n = groups * 48
    # Multiples of 1/64: products with 255, 127 and 65535 are exact.
    v = [[(r.below(200) - 60) / 64 for _ in range(4)] for _ in range(n)]
    words, fields, halves = [], [], []
    unit = lambda x, scale: even(max(0.0, min(1.0, x)) * scale)
    for c in v:
        x = sum(unit(e, 255) << 8 * i for i, e in enumerate(c))
        y = half(c[2]) | half(c[3]) << 16
        z = sum(even(127 * max(-128 / 127, min(1.0, e)) + 128) << 8 * i for i, e in enumerate(c))
        w = unit(c[0], 65535) | unit(c[1], 65535) << 16
        words.append((x, y, z, w))
        byte = x >> 16 & 255
        field = y >> 3 & 63
        top = y.bit_length() - 1 if y else M32
        fields.append(((byte - 256 if byte > 127 else byte) & M32, x & ~(63 << 20) & M32 | field << 20, (bin(x).count("1") | top << 8) & M32,
                       int(f"{w:032b}"[::-1], 2)))
        halves.append((of_half(y), of_half(y >> 16)) * 2)
    assert groups == 4  # the second part of the result begins at a fixed place
    return make("glslc_pack", [groups, 1, 1],
                [source(0, "f32", flat(v)), output(1, "u32", flat(words) + flat(fields)), output(2, "f32", flat(halves))])


BLENDS = {
    4: lambda a, b: [f32(max(0.0, min(1.0, f32(x + y)))) for x, y in zip(a, b)],
    9: lambda a, b: [f32(x * y) for x, y in zip(a, b)],
    2: lambda a, b: [fma(f32(y - x), b[3], x) for x, y in zip(a, b)],
}


def subroutine(first, second):
    r = Random(24)
    n = 80
    v = [[[r.real(0, 1) for _ in range(4)] for _ in range(3)] for _ in range(n)]
    want = [BLENDS[second](BLENDS[first](a, b), c) for a, b, c in v]
    return make("glslc_subroutine", [n // 40, 1, 1], [source(0, "f32", flat(flat(v))), output(1, "f32", flat(want))],
                subroutines=[{"index": 0, "number": first}, {"index": 1, "number": second}])


def compact(n):
    r = Random(25)
    limit = 600
    v = [r.below(1000) for _ in range(n)]
    packed, counts = [0] * n, []
    for base in range(0, n, 32):
        kept = [x for x in v[base:base + 32] if x > limit]
        packed[base:base + len(kept)] = kept
        counts += [len(kept), sum(kept)]
    return make("glslc_compact", [n // 64, 1, 1], [source(0, "u32", v), output(1, "u32", packed), output(2, "u32", counts)],
                cbuffers=[{"binding": 0, "type": "u32", "init": [0, 0, 0, 0, 0, limit, 0, 0]}])


def address(index, name):
    return {"index": index, "type": "u32", "value": [{"addr_lo": name}, {"addr_hi": name}, 0, 0]}


def global_memory(groups):
    r = Random(26)
    n, a = groups * 32 - 10, 700  # the last threads are outside the list
    x = [r.below(1000) for _ in range(n)]
    y = [(a - e) & M32 for e in x]
    total = f32(sum(a - e for e in x))
    j = make("yuzu_global", [groups, 1, 1], [],
             local=[address(0, "x"), address(1, "y"), address(2, "sum"), local(3, "u32", n * 4, a)])
    j["global"] = [{"name": "x", "type": "u32", "init": x}, {"name": "y", "type": "u32", "zeros": n, "output": True},
                   {"name": "sum", "type": "f32", "init": [0], "output": True}]
    j["expect"]["global"] = [{"name": "y", "data": y}, {"name": "sum", "data": [total]}]
    return j


def warp(groups):
    r = Random(27)
    n = groups * 48
    v = [r.below(200) for _ in range(n)]
    want = []
    for i, x in enumerate(v):
        t = i % 48 % 32
        base = i - t
        size = 32 if i % 48 < 32 else 16
        ones = [e > 100 for e in v[base:base + size]]
        votes = 1 * all(ones) | 2 * any(ones) | 4 * (all(ones) or not any(ones))
        segment = t & ~7
        want.append((x, sum(v[base:i + 1]), v[base + (segment | (t + 1) & 7)], M32))
        want.append((sum(b << k for k, b in enumerate(ones)), votes, v[base + (t ^ 1)], t & 3))
    return make("yuzu_warp", [groups, 1, 1], [source(0, "u32", v), output(1, "u32", flat(want))])


def field(width, offset, x, is_signed):
    f = x >> offset & (1 << width) - 1
    return (f - (1 << width) if is_signed and f >> width - 1 else f) & M32


def bits(n, width, offset):
    r = Random(28)
    v = [[r.bits(32) >> (r.below(32) if k != 1 else 0) for k in range(4)] for _ in range(n)]
    want = []
    for x, y, z, w in v:
        a, b = y << 32 | x, w << 32 | z
        s = a + b & M64
        shift = z & 63
        want.append((s & M32, s >> 32, 0, (a - (1 << 64) if a >> 63 else a) >> shift & M32))
        mask = (1 << width) - 1 << offset
        want.append((field(width, offset, x, False), field(width, offset, x, True), x & ~mask & M32 | y << offset & mask, x * y >> 32))
        d = w | 1
        low = (y & -y).bit_length() - 1 if y else M32
        want.append((x // d, x % d, int(f"{x:032b}"[::-1], 2), low ^ (M32 if a >= b else 0)))
    return make("yuzu_bits", [n // 32, 1, 1], [source(0, "u32", flat(v)), output(1, "u32", flat(want))],
                cbuffers=[{"binding": 0, "type": "u32", "init": [7] * 8 + [width, offset, 9, 9]}])


def floats(n):
    r = Random(29)
    v = [(r.real(-30, 30), r.real(-30, 30), 0.0, 0.0) for _ in range(n)]
    v[0] = (2.5, -3.5, 0.0, 0.0)
    v[1] = (-1.5, 0.5, 0.0, 0.0)
    k = [f32(1.25), f32(-0.75), f32(0.5), 12.0]
    want = []
    for x, y, _, _ in v:
        want.append([bits_of(e) for e in (fma(x, k[0], k[1]), f32(max(0.0, min(1.0, f32(x - k[2])))), max(min(x, k[3]), -k[3]), f32(abs(x) * -0.5))])
        want.append([e & M32 for e in (even(x), math.floor(x), math.ceil(x), math.trunc(x))])
        p = half(x) | half(y) << 16
        s = half(f32(of_half(p) + of_half(p >> 16)))
        less = x < y
        want.append((p, s | s << 16, 0x3F800000 if less else 0, bits_of(x if less else y)))
        want.append([bits_of(e) for e in (f32(y / x), f32(1 / x), float(math.floor(x)), math.copysign(float(even(y)), y))])
    return make("yuzu_float", [n // 24, 1, 1], [source(0, "f32", flat(v)), output(1, "u32", flat(want))],
                cbuffers=[{"binding": 0, "type": "f32", "init": k}])


def local_memory():
    r = Random(30)
    v = [r.below(100000) for _ in range(256)]
    table = [r.below(16) for _ in range(16)]
    sums = [0] * 16
    for x in v:
        sums[table[x & 15]] += x >> 4
    return make("yuzu_local", [1, 1, 1],
                [source(0, "u32", v), output(1, "f32", [float(s) for s in sums[0::2]]), output(2, "f32", [float(s) for s in sums[1::2]])],
                cbuffers=[{"binding": 0, "type": "u32", "init": table}])


QUICK = {
    "glslc_blur": lambda: blur(300),
    "glslc_functions": lambda: functions(96),
    "glslc_pack": lambda: pack(4),
    "glslc_subroutine_1": lambda: subroutine(4, 2),
    "glslc_subroutine_2": lambda: subroutine(2, 9),
    "glslc_compact": lambda: compact(256),
    "yuzu_global": lambda: global_memory(4),
    "yuzu_warp": lambda: warp(3),
    "yuzu_bits": lambda: bits(96, 9, 5),
    "yuzu_float": lambda: floats(72),
    "yuzu_local": lambda: local_memory(),
}
NIGHTLY = {"yuzu_bits_31": lambda: bits(2016, 31, 1), "glslc_blur_large": lambda: blur(10007)}
