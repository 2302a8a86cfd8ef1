"""Blocks of 128 signed integers in order, the last block as long as what is left."""
from support.jobfile import Random, job, local, output


def bitonic(keys):
    r = Random(21)
    data = [r.bits(32) - (1 << 31) if r.below(4) else r.below(9) - 4 for _ in range(keys)]
    want = [v for at in range(0, keys, 128) for v in sorted(data[at:at + 128])]
    return job([(keys + 127) // 128, 1, 1], [output(0, "s32", want, data)], [local(0, "u32", keys)])


QUICK = {"bitonic": lambda: bitonic(411)}
NIGHTLY = {"bitonic_large": lambda: bitonic(12345)}
