"""Job files (docs/jobs.md) and the random numbers of their data."""
import math

from .ieee import bits_of, f32


class Random:
    """A fixed sequence of its own, so that the jobs are the same with every Python."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 12345) & 0xFFFFFFFFFFFFFFFF

    def bits(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return self.state >> (64 - n)

    def below(self, n):
        return self.bits(32) * n >> 32

    def real(self, low, high):
        return f32(low + (high - low) * self.bits(24) / (1 << 24))


def local(index, kind, *values):
    """program.local[index]; missing components are 0."""
    return {"index": index, "type": kind, "value": list(values) + [0] * (4 - len(values))}


def source(binding, kind, data):
    """A storage buffer that must not change."""
    return {"binding": binding, "type": kind, "init": data}


def output(binding, kind, want, start=None):
    """A storage buffer, what is in it before (zeros, unless given) and what must be in it afterwards."""
    b = {"binding": binding, "type": kind, "output": True}
    b.update({"zeros": len(want)} if start is None else {"init": start})
    return b, {"binding": binding, "data": want}


def job(dispatch, storage, local=(), env=(), program=None, text=None, **more):
    """A job: `storage` has what source() and output() return. The program is the folder's, another file, or `text` made here."""
    j = {"program": program, "dispatch": list(dispatch), "storage": [], "expect": {"storage": []}}
    for s in storage:
        if isinstance(s, tuple):
            j["storage"].append(s[0])
            j["expect"]["storage"].append(s[1])
        else:
            j["storage"].append(s)
    params = {name: list(values) for name, values in (("local", local), ("env", env)) if values}
    if params:
        j["params"] = params
    j.update(more)
    return j if text is None else (j, text)


def bits_as_u32(x):
    """A float among the integers of one parameter."""
    return bits_of(f32(x))


def rounded(values, margin):
    """Nearest integers of values whose error is below the margin, or None if one of them lies that near to a half."""
    if any(abs(abs(v - math.floor(v)) - 0.5) <= margin for v in values):
        return None
    return [math.floor(v + 0.5) for v in values]
