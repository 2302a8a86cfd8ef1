"""y = a * x + y, one fused multiply-add per element."""
from support.ieee import f32, fma
from support.jobfile import Random, job, local, output, source


def saxpy(n):
    r, a = Random(1), f32(2.7182817)
    x = [r.real(-100, 100) for _ in range(n)]
    y = [r.real(-100, 100) for _ in range(n)]
    want = [fma(a, x[i], y[i]) for i in range(n)]
    return job([(n + 63) // 64, 1, 1], [source(0, "f32", x), output(1, "f32", want, y)], [local(0, "f32", a), local(1, "u32", n)])


QUICK = {"saxpy": lambda: saxpy(1000)}
NIGHTLY = {"saxpy_large": lambda: saxpy(40013)}
