"""Condition codes, worked out thread by thread from the definitions of flags and tests in the language."""
import math

from support.ieee import MASK, f32, bits_of, of_bits, s32
from support.jobfile import Random, job, output, source

TESTS = {
    "EQ": lambda c, o, s, z: not s and z, "NE": lambda c, o, s, z: s or not z, "LT": lambda c, o, s, z: (s and not z) != o,
    "GE": lambda c, o, s, z: s == o, "LE": lambda c, o, s, z: s != (z or o), "GT": lambda c, o, s, z: s == o and not z,
    "NAN": lambda c, o, s, z: s and z, "LEG": lambda c, o, s, z: not s or not z, "CF": lambda c, o, s, z: c, "NCF": lambda c, o, s, z: not c,
    "OF": lambda c, o, s, z: o, "NOF": lambda c, o, s, z: not o, "SF": lambda c, o, s, z: s, "NSF": lambda c, o, s, z: not s,
    "AB": lambda c, o, s, z: c and not z, "BLE": lambda c, o, s, z: not c or z, "TR": lambda c, o, s, z: True, "FL": lambda c, o, s, z: False}
CORNERS = [0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFA00001,
           0x007FFFFF, 0x3F000000, 0x7F7FFFFF]


def integer(r, c=False, o=False):
    """Result and flags C O S Z."""
    r &= MASK
    return r, (c, o, bool(r >> 31), r == 0)


def plus(a, b):
    return integer(a + b, (a + b) >> 32 != 0, not -2**31 <= s32(a) + s32(b) < 2**31)


def minus(a, b):
    return integer(a - b, a >= b, not -2**31 <= s32(a) - s32(b) < 2**31)


def real(x):
    """x may be a NaN, whose result is the one pattern of generated NaNs."""
    nan = math.isnan(x)
    return bits_of(x), (False, False, nan or x < 0, nan or x == 0)


def negated(a):
    return -a & MASK


def absolute(a):
    return abs(s32(a)) & MASK


def saturated(x):
    return 0.0 if math.isnan(x) or x <= 0 else min(x, 1.0)


def larger(x, y):
    """MAX.F: a NaN loses; the operands are never zeros of both signs with different results here: +0 wins."""
    if math.isnan(x) or math.isnan(y):
        return x if math.isnan(y) else y
    return x if x > y or (x == y and math.copysign(1, x) > 0) else y


def operations(v, w, z, w0):
    """The operations of the program's first part on one component; w0 is w.x."""
    x, y = of_bits(v), of_bits(w)
    yield plus(v, w)
    yield minus(v, w)
    yield plus(negated(v), negated(w))
    yield plus(v, w)
    yield minus(absolute(v), absolute(w))
    yield plus(negated(v) * w & MASK, z)
    yield minus(v * w & MASK, z)
    yield integer(v * w)
    yield integer(s32(v) >> min(w0, 31))
    yield real(f32(x + y))
    yield real(saturated(f32(x * y)))
    yield real(larger(-x, abs(y)))
    yield real(1.0 if x != y else 0.0)


def thread(v, w, z):
    holds = lambda test, flags: bool(TESTS[test](*flags))
    out = []
    components = [list(operations(v[c], w[c], z[c], w[0])) for c in range(4)]
    for n in range(len(components[0])):
        out += [sum(holds(test, components[c][n][1]) << i for i, test in enumerate(TESTS)) for c in range(4)]
    # The old code is tested, the new one written.
    old = [plus(v[c], w[c]) for c in range(4)]
    new = [minus(w[c], v[c]) if holds("LT", old[3 - c][1]) else old[c] for c in range(4)]
    cc = [n[1] for n in new]
    for c in range(4):
        out.append(holds("EQ", cc[c]) | holds("LT", cc[c]) << 1 | holds("CF", cc[3 - c]) << 2 | holds("OF", cc[(1, 1, 3, 3)[c]]) << 3 | holds("SF", cc[2]) << 4)
    out += [n[0] for n in new]
    # Write masks
    state = [minus(v[c], w[c]) for c in range(4)]
    for c in (0, 2):
        state[c] = plus(w[c], z[c])
    r, cc = [s[0] for s in state], [s[1] for s in state]
    r_new, cc_new = list(r), list(cc)
    for c in (0, 1, 3):
        if holds("GE", cc[(1, 0, 2, 3)[c]]):
            r_new[c], cc_new[c] = plus(r[(1, 0, 2, 3)[c]], r[(3, 3, 0, 1)[c]])
    acc = [int(holds("GE", f)) for f in cc_new]
    for c in (1, 3):
        acc[c] |= holds("AB", cc_new[2]) << 1
    if holds("NE", cc_new[0]):
        acc[2] = 77
    out += acc + r_new
    # Flow
    cc0, cc1 = [integer(x)[1] for x in v], [integer(x)[1] for x in w]
    any_of = lambda test, flags, components: any(holds(test, flags["xyzw".index(c)]) for c in components)
    acc = [0, 0, 0, 0]
    if any_of("LT", cc0, "xyzw"):
        acc[0] = 1
        if any_of("EQ", cc1, "xyw"):
            acc[0] += 2
        else:
            acc[0] += 4 + 8 * any_of("GT", cc1, "z")
    elif any_of("NE", cc0, "w"):
        acc[0] = 16
    acc[0] += 32
    r = list(v)
    for _ in range(9):
        acc[1] += 1
        values = [minus(r[(c + 1) % 4], w[c]) for c in range(4)]
        r, cc0 = [x[0] for x in values], [x[1] for x in values]
        if any_of("GT", cc0, "xy"):
            continue
        acc[1] += 256
        if any_of("EQ", cc0, "xyzw") or any_of("LT", cc0, "z"):
            break
        acc[1] += 65536
    for called in (any_of("SF", cc1, "xw"), any_of("NSF", cc0, "y")):
        if not called:
            continue
        acc[2] += 1
        if any_of("LE", cc1, "xyzw"):
            continue
        acc[2] += 16
        if any_of("NAN", cc0, "x"):
            continue
        acc[3] += acc[2]
    return out + acc


def conditions(groups):
    r, words, want = Random(12), [], []
    value = lambda: CORNERS[r.below(len(CORNERS))] if r.below(4) else r.bits(32) if r.below(2) else r.below(8) - 4 & MASK
    # All pairs of corners first, then mixtures.
    pairs = [(a, b) for a in CORNERS for b in CORNERS]
    for i in range(50 * groups):
        four = [pairs[4 * i + c] if 4 * i + c < len(pairs) else (value(), value()) for c in range(4)]
        v, w, z = [p[0] for p in four], [p[1] for p in four], [value() for _ in range(4)]
        words += v + w + z
        want += thread(v, w, z)
    assert len(want) == 50 * groups * WORDS
    return job([groups, 1, 1], [source(0, "u32", words), output(1, "u32", want)])


WORDS = 72  # of a thread's results
QUICK = {"conditions": lambda: conditions(3)}
NIGHTLY = {"conditions_large": lambda: conditions(40)}
