"""A program made here: 20 000 words in a row, far more than an instruction cache holds, each of whose results is used by a later one."""
from support.ieee import MASK, bits_of, f32, fma, of_bits, s32
from support.jobfile import Random, job, output

NAMES = "xyzw"


def integer_step(r):
    """An instruction on the integer state x, y, z, w: its text and what it does to the state (a list of four)."""
    d, a, k = r.below(4), r.below(3), r.bits(31)
    a += a >= d  # another component, or XOR would lose the state
    b = (a + 1) % 4
    dst, left, right = f"R0.{NAMES[d]}", f"R0.{NAMES[a]}", f"R0.{NAMES[b]}"
    shift = 1 + r.below(30)
    choices = [
        (f"MAD.U {dst}, {left}, {k | 1}, {dst};", lambda s: s[a] * (k | 1) + s[d]),
        (f"XOR.U {dst}, {dst}, {k};", lambda s: s[d] ^ k),
        (f"ADD.U {dst}, {dst}, {left};", lambda s: s[d] + s[a]),
        (f"SUB.S {dst}, {left}, {dst};", lambda s: s[a] - s[d]),
        (f"MUL.U {dst}, {dst}, {k | 1};", lambda s: s[d] * (k | 1)),
        (f"SHR.S {dst}, {dst}, {shift};" if r.below(8) == 0 else f"XOR.S {dst}, {dst}, {left};", None),
        (f"MAX.S {dst}, {left}, {dst};" if r.below(8) == 0 else f"NOT.S {dst}, {dst};", None),
        (f"CMP.S {dst}, {left}, {dst}, -{right};" if r.below(8) == 0 else f"ADD.U {dst}, {dst}, {k};", None),
    ]
    text, do = choices[r.below(len(choices))]
    if do is None:
        do = {"SHR": lambda s: s32(s[d]) >> shift, "XOR": lambda s: s[d] ^ s[a], "MAX": lambda s: max(s32(s[a]), s32(s[d])),
              "NOT": lambda s: ~s[d], "CMP": lambda s: s[d] if s[a] >> 31 else -s[b], "ADD": lambda s: s[d] + k}[text[:3]]
    return text, d, do


def float_step(r):
    """The same for the float state: factors below 1 and clamping keep it bounded. Three words, of which the first two make a number
    between 1 and 2 from the integer state. `do` gets that number too."""
    d, a, i = r.below(4), r.below(4), r.below(4)
    dst, other = f"R1.{NAMES[d]}", f"R1.{NAMES[a]}"
    k = f32((r.bits(9) - 256) / 512)
    choices = [
        (f"MAD.F {dst}, {dst}, {k!r}, R2.x;", lambda s, t: fma(s[d], k, t)),
        (f"MAD.F {dst}, {dst}, {k!r}, -R2.x;", lambda s, t: fma(s[d], k, -t)),
        (f"MAD.F.SSAT {dst}, {dst}, {other}, -R2.x;", lambda s, t: max(-1.0, min(1.0, fma(s[d], s[a], -t)))),
        (f"MAD.F {dst}, {dst}, R2.x, -{other};" if r.below(4) == 0 else f"ADD.F {dst}, R2.x, -{dst};", None),
        (f"MIN.F {dst}, |{dst}|, R2.x;", lambda s, t: min(abs(s[d]), t)),
    ]
    text, do = choices[r.below(len(choices))]
    if do is None:
        do = (lambda s, t: fma(s[d], t, -s[a])) if text[:3] == "MAD" else (lambda s, t: f32(t - s[d]))
    return f"AND.U R2.x, R0.{NAMES[i]}, 0x7FFFFF; OR.U R2.x, R2.x, 0x3F800000; {text}", d, lambda s, n: do(s, of_bits(n[i] & 0x7FFFFF | 0x3F800000))


def big(words=20000, size=21):
    r = Random(9)
    head = ["!!NVcp5.0", f"# {words} words in a row, without a jump. Groups of {size} threads.", "OPTION NV_shader_storage_buffer;", f"GROUP_SIZE {size};",
            "STORAGE data[] = { program.storage[0] };", "TEMP R0, R1, R2, at;",
            "SHL.U at.x, invocation.localindex, 5;", "LDB.U32X4 R0, data[at.x];", "LDB.F32X4 R1, data[at.x + 16];"]
    tail = ["STB.U32X4 R0, data[at.x];", "STB.F32X4 R1, data[at.x + 16];", "END", ""]
    steps = []
    left = words - 6  # the shift, two loads, two stores, END
    while left:
        kind = "f" if left >= 3 and len(steps) % 4 == 3 else "i"
        steps.append((kind,) + (float_step(r) if kind == "f" else integer_step(r)))
        left -= 3 if kind == "f" else 1
    integers = [[r.bits(32) for _ in range(4)] for _ in range(size)]
    floats = [[r.real(-4, 4) for _ in range(4)] for _ in range(size)]
    start = [w for i, f in zip(integers, floats) for w in i + [bits_of(x) for x in f]]
    want = []
    for i, f in zip(integers, floats):
        for kind, _, d, do in steps:
            if kind == "f":
                f[d] = do(f, i)
            else:
                i[d] = do(i) & MASK
        want += i + [bits_of(x) for x in f]
    return job([1, 1, 1], [output(0, "u32", want, start)], text="\n".join(head + [s[1] for s in steps] + tail))


QUICK = {"big": big}
