"""Edges of an image: |gx| + |gy| of the two Sobel kernels, at most 255."""
from support.jobfile import Random, job, local, output, source


def words(rows, pitch):
    data = [b for row in rows for b in row + [0] * (pitch - len(row))]
    return [int.from_bytes(bytes(data[i:i + 4]), "little") for i in range(0, len(data), 4)]


def sobel(width, height):
    r = Random(24)
    # rings with noise, so that edges of every direction occur
    image = [[(((x - width // 2) ** 2 + (y - height // 3) ** 2) // 17 % 2 * 150 + r.below(40)) for x in range(width)] for y in range(height)]

    def at(x, y):
        return image[min(max(y, 0), height - 1)][min(max(x, 0), width - 1)]

    def edge(x, y):
        gx = sum(w * (at(x + 1, y + d) - at(x - 1, y + d)) for d, w in ((-1, 1), (0, 2), (1, 1)))
        gy = sum(w * (at(x + d, y + 1) - at(x + d, y - 1)) for d, w in ((-1, 1), (0, 2), (1, 1)))
        return min(abs(gx) + abs(gy), 255)

    pitch = (width + 3) // 4 * 4
    want = words([[edge(x, y) for x in range(width)] for y in range(height)], pitch)
    return job([(pitch // 4 + 7) // 8, (height + 6) // 7, 1], [source(0, "u32", words(image, pitch)), output(1, "u32", want)],
               [local(0, "u32", width, height, pitch)])


QUICK = {"sobel": lambda: sobel(37, 17)}
DEMO = {"sobel": lambda: sobel(150, 100)}
NIGHTLY = {"sobel_large": lambda: sobel(333, 211)}
