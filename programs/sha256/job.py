"""SHA-256 digests as hashlib computes them."""
import hashlib

from support.jobfile import Random, job, output, source


def round_constants():
    """The first 32 bits of the fractions of the cube roots of the first 64 primes."""
    primes = [p for p in range(2, 312) if all(p % d for d in range(2, p))]
    roots = []
    for p in primes:
        root, n = 0, p << 96
        for bit in reversed(range(36)):
            if (root | 1 << bit) ** 3 <= n:
                root |= 1 << bit
        roots.append(root & 0xFFFFFFFF)
    return roots


def sha256(groups):
    r, blocks, want = Random(14), [], []
    for _ in range(64 * groups):
        message = bytes(r.bits(8) for _ in range(r.below(56)))
        block = message + b"\x80" + bytes(55 - len(message)) + (8 * len(message)).to_bytes(8, "big")
        blocks += [int.from_bytes(block[i:i + 4], "big") for i in range(0, 64, 4)]
        digest = hashlib.sha256(message).digest()
        want += [int.from_bytes(digest[i:i + 4], "big") for i in range(0, 32, 4)]
    return job([groups, 1, 1], [source(0, "u32", round_constants()), source(1, "u32", blocks), output(2, "u32", want)])


QUICK = {"sha256": lambda: sha256(1)}
NIGHTLY = {"sha256_large": lambda: sha256(20)}
