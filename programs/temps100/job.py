"""A program made here: 100 temporaries of which few are alive at a time, so that 16 registers are plenty."""
from support.ieee import MASK
from support.jobfile import Random, job, output


def temps100(n=100, size=45, groups=2):
    """A chain in which each temporary depends on the three before it."""
    text = ["!!NVcp5.0", "# 100 temporaries of which three live at a time: 16 registers are plenty. Groups of 45 threads.",
            "OPTION NV_shader_storage_buffer;", f"GROUP_SIZE {size};", "STORAGE data[] = { program.storage[0] };",
            "TEMP " + ", ".join(f"T{i}" for i in range(n)) + ";", "TEMP address;",
            "SHL.U address.x, invocation.globalid.x, 2;", "LDB.U32 T0.x, data[address.x];", "ADD.U T1.x, T0.x, 17;", "XOR.U T2.x, T0.x, T1.x;"]
    for i in range(3, n):
        text.append([f"MAD.U T{i}.x, T{i - 1}.x, {2 * i + 1}, T{i - 3}.x;", f"XOR.U T{i}.x, T{i - 2}.x, T{i - 1}.x;",
                     f"SUB.U T{i}.x, T{i - 1}.x, T{i - 3}.x;"][i % 3])
    text += [f"STB.U32 T{n - 1}.x, data[address.x];", "END", ""]
    r, want = Random(8), []
    data = [r.bits(32) for _ in range(size * groups)]
    for v in data:
        t = [v, (v + 17) & MASK]
        t.append(t[0] ^ t[1])
        for i in range(3, n):
            t.append([t[i - 1] * (2 * i + 1) + t[i - 3], t[i - 2] ^ t[i - 1], t[i - 1] - t[i - 3]][i % 3] & MASK)
        want.append(t[n - 1])
    return job([groups, 1, 1], [output(0, "u32", want, data)], text="\n".join(text))


QUICK = {"temps100": temps100}
