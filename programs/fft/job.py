"""Discrete Fourier transforms by their definition in binary64, compared as integers; inputs with results too near to a half are not used."""
import cmath

from support.jobfile import Random, job, local, output, rounded, source

N, SCALE = 128, 16.0


def transform(data):
    root = [cmath.exp(-2j * cmath.pi * k / N) for k in range(N)]
    return [sum(x * root[i * k % N] for i, x in enumerate(data)) for k in range(N)]


def fft(groups):
    data, want, seed = [], [], 0
    while len(want) < 2 * N * groups:
        seed += 1
        r = Random(2600 + seed)
        block = [complex(r.real(-1, 1), r.real(-1, 1)) for _ in range(N)]
        result = rounded([SCALE * part for x in transform(block) for part in (x.real, x.imag)], 0.001)
        if result is not None:
            data += [part for x in block for part in (x.real, x.imag)]
            want += result
    return job([groups, 1, 1], [source(0, "f32", data), output(1, "s32", want)], [local(0, "f32", SCALE)])


QUICK = {"fft": lambda: fft(3)}
NIGHTLY = {"fft_large": lambda: fft(40)}
