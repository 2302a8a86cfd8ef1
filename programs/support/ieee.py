"""IEEE-754 binary32 arithmetic with one rounding per operation, as docs/semantics.md defines it, without the engines' code.

Values are Python floats that are binary32 values. fma() works in binary64 with an error term and rounding to odd, which is exact and
fast; fma_exact() does the same with rationals and is its check.
"""
import math
import struct
from fractions import Fraction

MASK = 0xFFFFFFFF


def f32(x):
    """The binary32 value nearest to a binary64 one, ties to even. Sums, differences and products of two binary32 values may take this
    way: 53 digits are more than twice 24 plus one, so the second rounding does no harm."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def bits_of(x):
    return 0x7FC00000 if math.isnan(x) else struct.unpack("<I", struct.pack("<f", x))[0]


def of_bits(b):
    return struct.unpack("<f", struct.pack("<I", b & MASK))[0]


def s32(x):
    """The low 32 bits as a signed number."""
    x &= MASK
    return x - (1 << 32) if x >> 31 else x


def fma(a, b, c):
    """a * b + c with one rounding. The product is exact in binary64; the sum is rounded to odd there and then to binary32."""
    p = a * b
    s = p + c
    if math.isfinite(s):
        part = s - p
        rest = (p - (s - part)) + (c - part)
        if rest and not struct.unpack("<q", struct.pack("<d", s))[0] & 1:
            s = math.nextafter(s, math.inf if rest > 0 else -math.inf)
    return f32(s)


def round_exact(x):
    """A rational rounded to binary32, ties to even, denormals kept."""
    if x == 0:
        return 0.0
    n, d = abs(x.numerator), x.denominator
    e = n.bit_length() - d.bit_length()
    if Fraction(n, d) < Fraction(2) ** e:
        e -= 1
    unit = max(e, -126) - 23  # weight of the last digit kept
    scaled = Fraction(n, d) / Fraction(2) ** unit
    q = round(scaled)  # of rationals: to the nearest, ties to even
    if q * Fraction(2) ** unit >= Fraction(2) ** 128:
        return math.copysign(math.inf, x)
    return math.copysign(math.ldexp(q, unit), x)


def fma_exact(a, b, c):
    """The same for finite values, by rational arithmetic."""
    x = Fraction(a) * Fraction(b) + Fraction(c)
    if x == 0:
        product = math.copysign(1, a) * math.copysign(1, b)
        if Fraction(a) * Fraction(b) == 0 and c == 0 and product == math.copysign(1, c):
            return math.copysign(0.0, c)
        return 0.0
    return round_exact(x)
