"""What each invocation knows about itself."""
from support.jobfile import job, output


def grid3(groups, size=(5, 3, 2)):
    width, height, depth = (g * s for g, s in zip(groups, size))
    want = []
    for z in range(depth):
        for y in range(height):
            for x in range(width):
                lx, ly, lz = x % size[0], y % size[1], z % size[2]
                want += [lx, ly, lz, (lz * size[1] + ly) * size[0] + lx]
                want += [x, y, z, len(want) // 16]
                want += [x // size[0], y // size[1], z // size[2], groups[0]]
                want += [groups[1], groups[2], size[0], size[1] << 16 | size[2]]
    return job(groups, [output(0, "u32", want)])


QUICK = {"grid3": lambda: grid3((3, 2, 4))}
NIGHTLY = {"grid3_large": lambda: grid3((7, 5, 11))}
