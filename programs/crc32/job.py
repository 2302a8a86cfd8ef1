"""CRC-32 as zlib computes it."""
import zlib

from support.jobfile import Random, job, local, output, source


def crc32(n):
    r = Random(13)
    text, where, want = b"", [], []
    for i in range(n):
        length = 0 if i % 11 == 5 else r.below(60)
        message = bytes(r.bits(8) for _ in range(length))
        where += [len(text), length]  # not aligned
        want.append(zlib.crc32(message))
        text += message
    text += bytes(-len(text) % 4)
    words = [int.from_bytes(text[i:i + 4], "little") for i in range(0, len(text), 4)]
    return job([(n + 47) // 48, 1, 1], [source(0, "u32", where), source(1, "u32", words), output(2, "u32", want)], [local(0, "u32", n)])


QUICK = {"crc32": lambda: crc32(130)}
NIGHTLY = {"crc32_large": lambda: crc32(2003)}
