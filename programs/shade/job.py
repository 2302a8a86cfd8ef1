"""Shaded pixels, each operation rounded to binary32 as the language says, conversions with rationals."""
import math
from fractions import Fraction

from support.ieee import MASK, bits_of, f32, fma
from support.jobfile import Random, job, local, output, source


def dot(a, b):
    """x product first, then fused multiply-adds in the order of the components."""
    sum_ = f32(a[0] * b[0])
    for x, y in zip(a[1:], b[1:]):
        sum_ = fma(x, y, sum_)
    return sum_


def clamp(x, low, high):
    return min(max(x, low), high)


def pixel(packed, light, plane, lut):
    n = [f32(f32(((packed >> 8 * i) & 255) - 128) * f32(0.0078740157)) for i in range(3)] + [1.0]
    d = dot(n[:3], light[:3])
    diffuse = clamp(fma(d, light[3], 0.0625), 0.0, 1.0)
    gloss = clamp(dot(n, plane), -1.0, 1.0)
    gloss = 0.0 if gloss < 0 else abs(gloss)
    for _ in range(3):
        gloss = f32(gloss * gloss)
    if d < 0:
        gloss = f32(gloss * 0.25)
    colour = [clamp(fma(c, diffuse, gloss), 0.0, 1.0) for c in lut[packed >> 24 & 3]]
    scaled = [f32(c * k) for c, k in zip(colour, (255.0, 63.0, 255.0, 31.75))]
    r, g, b, a = round(Fraction(scaled[0])), math.floor(scaled[1]), math.ceil(scaled[2]), math.trunc(scaled[3])
    t = [f32(d * k) for k in (100.0, f32(-3000000000.0), 1000000.0, 0.5)]
    words = [r | g << 8 | b << 16 | a << 24, math.ceil(t[0]), clamp(round(Fraction(t[1])), 0, MASK), math.floor(t[2])]
    nearest = float(round(Fraction(t[0])))
    floats = [math.copysign(nearest, t[0]), float(math.floor(t[2])), f32(t[2] - math.floor(t[2])), abs(t[3])]
    return [w & MASK for w in words] + [bits_of(x) for x in floats]


def shade(width, height):
    r = Random(15)
    light = [f32(x) for x in (0.48, -0.36, 0.8, 0.9)]
    plane = [f32(x) for x in (0.6, 0.2, 0.7, -0.1)]
    lut = [[0.25, 0.5, 0.75, 1.0], [1.0, 0.125, 0.0625, 0.5]] + [[r.real(0, 1) for _ in range(4)] for _ in range(2)]
    data = [r.bits(32) for _ in range(width * height)]
    want = [w for p in data for w in pixel(p, light, plane, lut)]
    return job([(width + 15) // 16, (height + 2) // 3, 1], [source(0, "u32", data), output(1, "u32", want)],
               [local(0, "f32", *light), local(1, "f32", *plane), local(2, "u32", width, height)],
               [local(0, "f32", *lut[2]), local(1, "f32", *lut[3])])


QUICK = {"shade": lambda: shade(29, 11)}
NIGHTLY = {"shade_large": lambda: shade(113, 101)}
