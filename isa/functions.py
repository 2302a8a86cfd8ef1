#!/usr/bin/env python3
"""Derives the tables of RSQ, EX2, LG2, SIN and COS and proves their error bounds. docs/functions.md has the algorithm.

usage: functions.py [--cpp FILE] [--sv FILE] [--prove]

All five functions are one polynomial of degree 5 in a fixed-point variable t with a table of 16 rows. Only integer and
basic IEEE arithmetic is used, so that every machine derives the same table. --prove bounds, row by row, the distance between the
integer algorithm and the function, prints the table of bounds and fails if one is missed.
"""
import argparse
import math
import sys
from fractions import Fraction

sys.dont_write_bytecode = True  # the source tree stays clean
from generate import write  # noqa: E402

# Fraction bits of c0..c5 and of the intermediate sums; widths in the table (c0 unsigned, the others two's complement).
FRAC = (28, 27, 26, 25, 24, 22)
WIDTH = (28, 27, 24, 21, 17, 13)
T_BITS = 25            # t is signed with this many bits, LSB 2^-25
TH_BITS = 18           # its upper part, for all multiplications
TL_BITS = T_BITS - TH_BITS
T1_LOW = WIDTH[1] - 18  # sums wider than a multiplier are split: low bits, unsigned
T2_LOW = WIDTH[2] - 18
GUARD = 2              # bits below the LSB of a sum while split products are added
TWO_OVER_PI_BITS = 36
Q_FRAC = 31            # fraction bits of mantissa * 2/pi
U_FRAC = 26            # fraction bits of the reduced argument of EX2, SIN and COS
TINY_EXP = -12         # SIN and COS: smaller exponents are tiny
HUGE_EXP = 19          # ... larger ones are beyond the reduction
NAMES = ("RSQ", "LG2", "EX2", "SIN")
BASE = {"RSQ": 0, "LG2": 8, "EX2": 12, "SIN": 14}
ROWS = {"RSQ": 8, "LG2": 4, "EX2": 2, "SIN": 2}
TERMS = 22             # of the Taylor series about a row's centre
ENDS = 0.35            # see weight()
ONE = 1 << 120         # fixed-point constants


def fixed_atanh_inverse(n):
    """atanh(1/n) in units of 1/ONE."""
    total, power, k = 0, ONE // n, 1
    while power:
        total += power // k
        power //= n * n
        k += 2
    return total


def fixed_atan_inverse(n):
    total, power, k, sign = 0, ONE // n, 1, 1
    while power:
        total += sign * (power // k)
        power //= n * n
        k += 2
        sign = -sign
    return total


LN2 = Fraction(2 * fixed_atanh_inverse(3), ONE)
PI = Fraction(4 * (4 * fixed_atan_inverse(5) - fixed_atan_inverse(239)), ONE)
TWO_OVER_PI = round(2 / PI * 2**TWO_OVER_PI_BITS)


def fixed(x):
    """A fraction cut to 100 bits, so that series stay short."""
    return Fraction(math.floor(x * 2**100), 2**100)


def exp_series(x):
    total, term, k = Fraction(1), Fraction(1), 1
    while abs(term) > Fraction(1, 2**100):
        term = fixed(term * x / k)
        total += term
        k += 1
    return total


def sin_cos(x):
    s, c, term, k = Fraction(0), Fraction(0), Fraction(1), 0
    while abs(term) > Fraction(1, 2**100) or k < 4:
        if k % 2:
            s += term if k % 4 == 1 else -term
        else:
            c += term if k % 4 == 0 else -term
        k += 1
        term = fixed(term * x / k)
    return s, c


def ln(x):
    """ln of 1 < x < 2: 2 atanh((x - 1) / (x + 1))."""
    y = (x - 1) / (x + 1)
    total, power, k = Fraction(0), y, 1
    while power > Fraction(1, 2**100):
        total += power / k
        power = fixed(power * y * y)
        k += 2
    return 2 * total


def sqrt(x):
    return Fraction(math.isqrt(math.floor(x * 2**200)), 2**100)


def taylor(name, row):
    """Coefficients of the row's scaled function in t, |t| <= 1/2, and a bound of what the series leaves out.
    EX2 and SIN: the argument was cut to U_FRAC bits and stands for the middle of its interval."""
    half = Fraction(1, 2**(U_FRAC + 1))
    k_range = range(TERMS)
    if name in ("RSQ", "LG2"):
        m = 1 + Fraction(2 * (row % 4) + 1, 8)
        ratio = Fraction(1, 4) / m
        if name == "RSQ":
            scale = 1 / sqrt(m * (2 if row >= 4 else 1))
            coefs, b = [], Fraction(1)
            for k in k_range:
                coefs.append(b * ratio**k * scale)
                b = b * (Fraction(-1, 2) - k) / (k + 1)
        else:
            coefs = [ln(m) / LN2 / 2] + [(-1)**(k + 1) * ratio**k / k / LN2 / 2 for k in k_range[1:]]
        rest = (ratio / 2)**TERMS * 2
    elif name == "EX2":
        step = LN2 / 2
        scale = exp_series(LN2 * (Fraction(2 * row + 1, 4) + half)) / 2
        coefs = [scale * step**k / math.factorial(k) for k in k_range]
        rest = (step / 2)**TERMS
    else:
        step = PI / 4
        s, c = sin_cos(PI / 2 * (Fraction(2 * row + 1, 4) + half))
        d = (s, c, -s, -c)
        coefs = [d[k % 4] / 4 * step**k / math.factorial(k) for k in k_range]
        rest = (step / 2)**TERMS
    return [fixed(c) for c in coefs], rest + Fraction(1, 2**60)


def solve(matrix):
    """Gauss-Jordan; rows with the right-hand side last."""
    n = len(matrix)
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(matrix[r][i]))
        matrix[i], matrix[p] = matrix[p], matrix[i]
        for r in range(n):
            if r != i:
                q = matrix[r][i] / matrix[i][i]
                if q:
                    matrix[r] = [a - q * b for a, b in zip(matrix[r], matrix[i])]
    return [matrix[i][n] / matrix[i][i] for i in range(n)]


def horner(coefs, x):
    y = 0.0
    for c in reversed(coefs):
        y = y * x + c
    return y


def weight(x):
    """How much error the polynomial may have: less at the ends of a row, where the cut products lose most."""
    return 1.0 - ENDS * x * x


def minimax(series, pinned):
    """Degree-5 polynomial in t by the exchange method; pinned: without error at t = -1/2. The floating-point result is only
    a proposal, the proof looks at what was rounded from it."""
    f = [float(c / 2**k) for k, c in enumerate(series)]  # in x = 2 t
    points = 7 - pinned
    # Chebyshev's extrema to begin with (values of cos; their accuracy does not matter)
    cosine = [1.0, 0.8660254, 0.5, 0.0, -0.5, -0.8660254, -1.0]
    at = [-c for c in cosine] if not pinned else [-c for c in cosine[1:]]
    grid = [-1 + i / 100 for i in range(201)]
    wanted = [horner(f, x) for x in grid]
    coefs = None
    for _ in range(6):
        system = [[x**k for k in range(6)] + [(-1.0)**i * weight(x), horner(f, x)] for i, x in enumerate(at)]
        if pinned:
            system.insert(0, [(-1.0)**k for k in range(6)] + [0.0, horner(f, -1.0)])
        coefs = solve(system)[:6]
        error = [(w - horner(coefs, x)) / weight(x) for w, x in zip(wanted, grid)]
        extrema = []
        for i, e in enumerate(error):
            if not extrema or (e > 0) != (error[extrema[-1]] > 0):
                extrema.append(i)
            elif abs(e) > abs(error[extrema[-1]]):
                extrema[-1] = i
        if pinned and abs(error[extrema[0]]) < 1e-14:
            extrema.pop(0)
        while len(extrema) > points:
            extrema.pop(0 if abs(error[extrema[0]]) < abs(error[extrema[-1]]) else -1)
        if len(extrema) < points:
            break
        at = [grid[i] for i in extrema]
    return [Fraction(c) * 2**k for k, c in enumerate(coefs)]


def evaluate(c, t):
    """The integer algorithm: T0, with FRAC[0] fraction bits, of row c at the integer t. docs/functions.md, step 3."""
    th, tl = t >> TL_BITS, t & ((1 << TL_BITS) - 1)
    t4 = c[4] + ((c[5] * th) >> (FRAC[5] + TH_BITS - FRAC[4]))
    t3 = c[3] + ((t4 * th) >> (FRAC[4] + TH_BITS - FRAC[3]))
    t2 = c[2] + ((t3 * th) >> (FRAC[3] + TH_BITS - FRAC[2]))
    t1 = c[1] + split_product(t2, T2_LOW, th, tl, FRAC[2] + TH_BITS - FRAC[1])
    return c[0] + split_product(t1, T1_LOW, th, tl, FRAC[1] + TH_BITS - FRAC[0])


def split_product(a, low, th, tl, shift):
    """a * t in the units of the next sum: three products of 18 x 18 bits; the product of the two low parts is left out."""
    high, rest = a >> low, a & ((1 << low) - 1)
    grid = shift - GUARD
    return (((high * th) >> (grid - low)) + ((rest * th) >> grid) + ((high * tl) >> (grid - low + TL_BITS))) >> GUARD


def t_values(name):
    """Distance of neighbouring values of t: RSQ and LG2 have 21 bits of the mantissa."""
    return 1 << (T_BITS - 21) if name in ("RSQ", "LG2") else 1


def derive_row(name, row):
    """The rounded coefficients c0..c5 as integers."""
    series, rest = taylor(name, row)
    start = {("RSQ", 0): 1 << FRAC[0], ("LG2", 0): 0, ("EX2", 0): 1 << (FRAC[0] - 1), ("SIN", 0): 2}.get((name, row))
    want = minimax(series, start is not None and name != "EX2")
    c = [0] * 6
    # From the top: rounding changes t^k by a known amount; the best approximation of t^k by lower powers makes up for it.
    # Each cut product lies half a unit too low on average, and th is less than t; the coefficient added takes it back.
    mean = Fraction((1 << TL_BITS) - t_values(name), 2 << T_BITS)
    for k in range(5, 0, -1):
        middle = Fraction(1, 2) if k < 5 else 0
        if 2 <= k <= 4:
            middle += want[k + 1] * mean * 2**FRAC[k]
        c[k] = math.floor(want[k] * 2**FRAC[k] + middle + Fraction(1, 2))
        left = want[k] - (c[k] - middle) / 2**FRAC[k]
        for power, weight in LOWER[k]:
            want[power] += left * weight
    if start is not None:
        c[0] = start - evaluate(c, -(1 << (T_BITS - 1)))
    else:
        low, high = row_bounds(name, c, series, rest)["sum"]
        c[0] = -math.floor((low + high) / 2 + 0.5)
    return c


# t^k on [-1/2, 1/2] is nearest to these sums of lower powers (Chebyshev).
LOWER = {
    5: [(3, Fraction(5, 16)), (1, Fraction(-5, 256))],
    4: [(2, Fraction(1, 4)), (0, Fraction(-1, 128))],
    3: [(1, Fraction(3, 16))],
    2: [(0, Fraction(1, 8))],
    1: [],
}


def derive():
    table = []
    for name in NAMES:
        for row in range(ROWS[name]):
            c = derive_row(name, row)
            if not 0 <= c[0] < 1 << WIDTH[0]:
                sys.exit(f"isa/functions.py: {name} row {row}: c0 does not fit")
            for k in range(1, 6):
                if not -(1 << (WIDTH[k] - 1)) <= c[k] < 1 << (WIDTH[k] - 1):
                    sys.exit(f"isa/functions.py: {name} row {row}: c{k} does not fit")
            table.append(c)
    return table



# ---------------------------------------------------------------------------------------------------------------------
# Proof. All intervals are in units of T0's LSB, 2^-28 of the scaled function.
# ---------------------------------------------------------------------------------------------------------------------
PIECES = 64            # of a row's range of t
MARGIN = 2.0**-16      # for the proof's own floating-point arithmetic, of which every step errs by 2^-52 of values below 2^28
# What is allowed: half an ulp of a result is 8 units (RSQ, EX2, LG2 in [1, 2)), so 8 are left; LG2 loses one to the ones'
# complement. SIN: 2^-22 is 16 units, of which the result's rounding takes 2.
LIMIT = {"RSQ": 8.0, "LG2": 7.0, "EX2": 8.0, "SIN": 14.0}


def mul(a, b):
    p = [x * y for x in a for y in b]
    return min(p), max(p)


def add(a, b):
    return a[0] + b[0], a[1] + b[1]


def approximation(c, series, rest, lo, hi):
    """Range of p - f on lo <= t <= hi: samples, and the second derivative between them."""
    e = [float(Fraction(c[k] if k < 6 else 0, 2**FRAC[k] if k < 6 else 1) - series[k]) * 2.0**FRAC[0] for k in range(TERMS)]
    curve = sum(k * (k - 1) * abs(e[k]) * 0.5**(k - 2) for k in range(2, TERMS))
    samples = 8
    width = (hi - lo) / samples
    values = [horner(e, lo + width * i) for i in range(samples + 1)]
    slack = curve * width * width / 8 + float(rest) * 2.0**FRAC[0] + MARGIN
    return min(values) - slack, max(values) + slack


def cut_error(name, c, lo, hi):
    """Range of T0 - p(t) 2^28 on lo <= t <= hi: what the cut products and the shorter t of the first steps lose."""
    t = (lo, hi)
    step = t_values(name)
    low_max = ((1 << TL_BITS) - step) / 2.0**TL_BITS   # of tl, in units of th
    drop = (-low_max * 2.0**-TH_BITS, 0.0)             # th - t
    exact = (c[5] / 2.0**FRAC[5],) * 2                  # range of Horner's sum without cuts
    error = (0.0, 0.0)                                  # range of the integer sum minus that
    for k in (4, 3, 2):
        shift = FRAC[k + 1] + TH_BITS - FRAC[k]
        # integer sum * th = (exact + error) * (t + drop), then a floor
        error = add(mul(error, t), mul(add(exact, error), drop))
        error = add(error, (-(1.0 - 2.0**-shift) * 2.0**-FRAC[k], 0.0))
        exact = add(mul(exact, t), (c[k] / 2.0**FRAC[k],) * 2)
    for k, low in ((1, T2_LOW), (0, T1_LOW)):
        shift = FRAC[k + 1] + TH_BITS - FRAC[k]
        grid = shift - GUARD
        unit = 2.0**-FRAC[k]
        error = mul(error, t)
        # the product of the low parts is missing
        missing = ((1 << low) - 1) * 2.0**-FRAC[k + 1] * low_max * 2.0**-TH_BITS
        error = add(error, (-missing, 0.0))
        floors = [grid - low, grid, grid - low + TL_BITS]
        lost = sum(1.0 - 2.0**-bits for bits in floors) * unit / 2**GUARD + unit * (1 - 2.0**-GUARD)
        error = add(error, (-lost, 0.0))
        exact = add(mul(exact, t), (c[k] / 2.0**FRAC[k],) * 2)
    return error[0] * 2.0**FRAC[0] - MARGIN, error[1] * 2.0**FRAC[0] + MARGIN


def argument_error(name, series, lo, hi):
    """EX2, SIN, COS: the argument was cut to U_FRAC bits (SIN: and its product with 2/pi, see reduction()); f is that of the
    middle. Range of f(middle) - f(true) in units."""
    if name in ("RSQ", "LG2"):
        return 0.0, 0.0
    slope = max(abs(horner([float(k * s) for k, s in enumerate(series)][1:], t)) for t in (lo, (lo + hi) / 2, hi)) * 1.01
    half = 0.5 if name == "EX2" else 0.5 + reduction()
    # t moves by 2^-(U_FRAC - 1) per unit of the argument
    d = slope * half * 2.0**(FRAC[0] - U_FRAC + 1)
    return -d, d


def reduction():
    """SIN, COS with |x| < 8: what the product with 2/pi may lose, in units of 2^-U_FRAC. Three floors and the product of the low
    parts at Q_FRAC + GUARD bits, a floor at Q_FRAC bits, the rounded constant; times 2^2."""
    lost = (3 + 2.0**-2) / 2**GUARD + 1 + 2.0**(Q_FRAC - TWO_OVER_PI_BITS)
    return lost * 2.0**(2 - Q_FRAC + U_FRAC)


def row_bounds(name, c, series, rest):
    """The ranges of the three errors and of their sum over a row."""
    ranges = {}
    for i in range(PIECES):
        lo, hi = -0.5 + i / PIECES, -0.5 + (i + 1) / PIECES
        parts = {"approximation": approximation(c, series, rest, lo, hi), "cuts": cut_error(name, c, lo, hi),
                 "argument": argument_error(name, series, lo, hi)}
        parts["sum"] = add(add(parts["approximation"], parts["cuts"]), parts["argument"])
        for key, (low, high) in parts.items():
            old = ranges.get(key, (low, high))
            ranges[key] = min(old[0], low), max(old[1], high)
    return ranges


def prove(table):
    failed = []
    print("units of 2^-28 of the scaled function (RSQ f, EX2 f/2, LG2 f/2, SIN f/4), worst case")
    print("row  function  approximation      cut products       argument  sum              limit")
    for name in NAMES:
        for row in range(ROWS[name]):
            c = table[BASE[name] + row]
            r = row_bounds(name, c, *taylor(name, row))
            print(f"{BASE[name] + row:3}  {name} {row}     " + "    ".join(f"{r[k][0]:7.2f} {r[k][1]:7.2f}" for k in ("approximation", "cuts"))
                  + f"    {r['argument'][1]:5.2f}   {r['sum'][0]:7.2f} {r['sum'][1]:7.2f}  {LIMIT[name]:5.2f}")
            if max(-r["sum"][0], r["sum"][1]) >= LIMIT[name]:
                failed.append(f"{name} row {row}")
    return failed + exact_cases(table) + sum_widths(table)


def exact_cases(table):
    """What the bounds above do not say: exact results, and values that the steps after the polynomial rely on."""
    failed = []

    def check(condition, message):
        if not condition:
            failed.append(message)

    first, last = -(1 << (T_BITS - 1)), (1 << (T_BITS - 1)) - 1
    rsq, lg2, ex2, sin = (BASE[n] for n in NAMES)
    one = 1 << FRAC[0]
    check(evaluate(table[rsq], first) == one, "RSQ of powers of 4 is not exact")
    check(evaluate(table[lg2], first) == 0, "LG2 of powers of 2 is not exact")
    check(evaluate(table[ex2], first) == one // 2, "EX2 of integers is not exact")
    # Negative integers: the ones' complement has all fraction bits set; half an ulp, a tie to even, must still round up.
    check(0 <= one - evaluate(table[ex2 + 1], last) <= 8, "EX2 of negative integers is not exact")
    # The largest number below 1: the complement must leave something above the jammed bits.
    end = evaluate(table[lg2 + 3], (1 << (T_BITS - 1)) - t_values("LG2"))
    check(0 < (one // 2 - 1 - end) >> 3 <= 2, "LG2 just below 1")
    check(all(0 <= evaluate(table[sin], first + i) <= 2 * i + 10 for i in range(1000)), "SIN near 0 is negative")
    return failed


def sum_widths(table):
    """The sums T4..T1 fit the coefficients' widths and T0 is never negative: Horner's sum with all |t| <= 1/2, and what the cuts
    add to it (far below 2^-16 in every sum)."""
    failed = []
    for number, c in enumerate(table):
        exact = (c[5] / 2.0**FRAC[5],) * 2
        for k in (4, 3, 2, 1):
            exact = add(mul(exact, (-0.5, 0.5)), (c[k] / 2.0**FRAC[k],) * 2)
            if max(-exact[0], exact[1]) + 2.0**-16 >= 2.0**(WIDTH[k] - 1 - FRAC[k]):
                failed.append(f"row {number}: T{k} does not fit")
    return failed


# ---------------------------------------------------------------------------------------------------------------------
# Generated code
# ---------------------------------------------------------------------------------------------------------------------
CONSTANTS = [
    ("T_BITS", T_BITS, "t: signed, LSB 2^-T_BITS"),
    ("TH_BITS", TH_BITS, "its upper part"),
    ("TL_BITS", TL_BITS, "its lower part, unsigned"),
    ("C0_BITS", WIDTH[0], "c0: unsigned, fraction bits C0_FRAC"),
    ("C1_BITS", WIDTH[1], "c1..c5 and T1..T4: signed"),
    ("C2_BITS", WIDTH[2], ""),
    ("C3_BITS", WIDTH[3], ""),
    ("C4_BITS", WIDTH[4], ""),
    ("C5_BITS", WIDTH[5], ""),
    ("C0_FRAC", FRAC[0], ""),
    ("C1_FRAC", FRAC[1], ""),
    ("C2_FRAC", FRAC[2], ""),
    ("C3_FRAC", FRAC[3], ""),
    ("C4_FRAC", FRAC[4], ""),
    ("C5_FRAC", FRAC[5], ""),
    ("T0_BITS", FRAC[0] + 1, "T0: unsigned"),
    ("T1_LOW_BITS", T1_LOW, "T1 = {high 18 signed, low}"),
    ("T2_LOW_BITS", T2_LOW, "T2 = {high 18 signed, low}"),
    ("GUARD_BITS", GUARD, "of sums of cut products"),
    ("SHIFT_4", FRAC[5] + TH_BITS - FRAC[4], "T4 = c4 + (c5 * th >>> SHIFT_4)"),
    ("SHIFT_3", FRAC[4] + TH_BITS - FRAC[3], "T3 = c3 + (T4 * th >>> SHIFT_3)"),
    ("SHIFT_2", FRAC[3] + TH_BITS - FRAC[2], "T2 = c2 + (T3 * th >>> SHIFT_2)"),
    ("SHIFT_1", FRAC[2] + TH_BITS - FRAC[1], "T1 = c1 + T2 * t, split"),
    ("SHIFT_0", FRAC[1] + TH_BITS - FRAC[0], "T0 = c0 + T1 * t, split"),
    ("Q_FRAC", Q_FRAC, "fraction bits of mantissa * 2/pi"),
    ("U_FRAC", U_FRAC, "fraction bits of the reduced argument of EX2, SIN, COS"),
    ("EXP_TINY", TINY_EXP, "SIN, COS: smaller exponents are tiny"),
    ("EXP_HUGE", HUGE_EXP, "SIN, COS: larger exponents are beyond the reduction"),
    ("ROW_RSQ", BASE["RSQ"], "first rows"),
    ("ROW_LG2", BASE["LG2"], ""),
    ("ROW_EX2", BASE["EX2"], ""),
    ("ROW_SIN", BASE["SIN"], ""),
    ("ROWS", sum(ROWS.values()), ""),
]


def row_name(number):
    name = max((n for n in NAMES if BASE[n] <= number), key=lambda n: BASE[n])
    return f"{name} {number - BASE[name]}"


def cpp(table):
    out = ["// Tables of the special unit's functions, generated by isa/functions.py; docs/functions.md has the algorithm.", "#pragma once", "",
           "#include <array>", "#include <cstdint>", "", "namespace maskwork::functions {", ""]
    for name, value, comment in CONSTANTS:
        out.append(f"inline constexpr int {name} = {value};" + (f"  // {comment}" if comment else ""))
    out += [f"inline constexpr std::int64_t TWO_OVER_PI = {TWO_OVER_PI:#x};  // {TWO_OVER_PI_BITS} fraction bits", "",
            "struct Row {", "  std::int32_t c[6];", "};", "inline constexpr std::array<Row, ROWS> TABLE = {{"]
    for number, c in enumerate(table):
        out.append("    {{" + ", ".join(str(v) for v in c) + f"}}}},  // {row_name(number)}")
    out += ["}};", "", "}  // namespace maskwork::functions", ""]
    return "\n".join(out)


def sv(table):
    out = ["// Tables of the special unit's functions, generated by isa/functions.py; docs/functions.md has the algorithm.",
           "/* verilator lint_off UNUSEDPARAM */  // a table: each user needs a part of it", "package mw_functions_pkg;"]
    for name, value, comment in CONSTANTS:
        out.append(f"  localparam int FN_{name} = {value};" + (f"  // {comment}" if comment else ""))
    half = TWO_OVER_PI_BITS // 2
    out += [f"  localparam logic [{half - 1}:0] FN_TWO_OVER_PI_HI = {half}'h{TWO_OVER_PI >> half:x};",
            f"  localparam logic [{half - 1}:0] FN_TWO_OVER_PI_LO = {half}'h{TWO_OVER_PI & ((1 << half) - 1):x};",
            "  typedef struct packed {", f"    logic [{WIDTH[0] - 1}:0] c0;"]
    out += [f"    logic signed [{WIDTH[k] - 1}:0] c{k};" for k in range(1, 6)]
    out += ["  } fn_row_t;", "  function automatic fn_row_t fn_row(input logic [3:0] row);", "    case (row)"]
    for number, c in enumerate(table):
        fields = ", ".join(f"{WIDTH[k]}'h{v & ((1 << WIDTH[k]) - 1):x}" for k, v in enumerate(c))
        label = f"4'd{number}" if number < len(table) - 1 else "default"
        out.append(f"      {label}: fn_row = {{{fields}}};  // {row_name(number)}")
    out += ["    endcase", "  endfunction", "endpackage", "/* verilator lint_on UNUSEDPARAM */", ""]
    return "\n".join(out)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cpp")
    ap.add_argument("--sv")
    ap.add_argument("--prove", action="store_true")
    a = ap.parse_args()
    table = derive()
    if a.cpp:
        write(a.cpp, cpp(table))
    if a.sv:
        write(a.sv, sv(table))
    if a.prove:
        failed = prove(table)
        for message in failed:
            print(f"MISSED: {message}")
        if failed:
            sys.exit(1)
        print("PROVED: every row is within its limit, exact cases are exact, all sums fit")


if __name__ == "__main__":
    main()
