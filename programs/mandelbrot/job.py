"""Iteration counts of the Mandelbrot set, each operation rounded to binary32. The demo makes a picture of them."""
from support.ieee import f32
from support.jobfile import job, local, output


def mandelbrot(columns, rows, limit):
    left, top = -2.25, -1.25
    dx, dy = f32(3.0 / columns), f32(2.5 / rows)
    counts = []
    for py in range(rows):
        cy = f32(f32(py * dy) + top)
        for px in range(columns):
            cx = f32(f32(px * dx) + left)
            x = y = 0.0
            n = 0
            while n < limit:
                xx, yy = f32(x * x), f32(y * y)
                if f32(xx + yy) > 4.0:
                    break
                xy = f32(x * y)
                x, y = f32(f32(xx - yy) + cx), f32(f32(xy + xy) + cy)
                n += 1
            counts.append(n)
    return job([(columns + 7) // 8, (rows + 7) // 8, 1], [output(0, "u32", counts)],
               [local(0, "f32", left, top, dx, dy), local(1, "u32", columns, rows, limit)])


QUICK = {"mandelbrot": lambda: mandelbrot(37, 22, 40)}
DEMO = {"mandelbrot": lambda: mandelbrot(133, 90, 48)}
NIGHTLY = {"mandelbrot_large": lambda: mandelbrot(200, 131, 150)}
