#!/usr/bin/env python3
"""Eight programs with pictures, compiled by PyRaptor (docs/gallery.md).

    gallery.py draw FOLDER [NAME...]   computes each program and writes FOLDER/NAME.png
    gallery.py check                   compares each compiled program's result with plain Python's, and checks that the picture is not constant
"""
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pyraptor
from pyraptor import prange

PROGRAMS = {}


def program(small, large):
    """Registers a program with its arguments for `check` and for the picture."""
    def add(f):
        PROGRAMS[f.__name__] = (f, pyraptor.jit(f), small, large)
        return f
    return add


# ---- [heat]
@program((16, 20), (160, 4000))
def heat(n, steps):
    a = np.zeros((n, n))
    a[0, :] = 1.0
    b = a.copy()
    for s in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                b[i, j] = a[i, j] + 0.2 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] - 4.0 * a[i, j])
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = b[i, j]
    return a


# ---- [mandelbrot]
@program((12, 30), (240, 200))
def mandelbrot(n, limit):
    out = np.zeros((n, n))
    for i in prange(n):
        for j in range(n):
            x0 = -2.2 + 3.0 * j / n
            y0 = -1.5 + 3.0 * i / n
            x = 0.0
            y = 0.0
            k = 0
            while k < limit and x * x + y * y < 4.0:
                t = x * x - y * y + x0
                y = 2.0 * x * y + y0
                x = t
                k += 1
            out[i, j] = np.log(1.0 + k)
    return out


# ---- [nbody]
@program((5, 8, 16), (40, 3000, 200))
def nbody(bodies, steps, n):
    x = np.zeros(bodies)
    y = np.zeros(bodies)
    u = np.zeros(bodies)
    v = np.zeros(bodies)
    for k in range(bodies):
        r = 0.25 + 0.7 * k / bodies
        x[k] = r * np.cos(2.4 * k)
        y[k] = r * np.sin(2.4 * k)
        u[k] = -np.sin(2.4 * k) / np.sqrt(r)
        v[k] = np.cos(2.4 * k) / np.sqrt(r)
    out = np.zeros((n, n))
    for s in range(steps):
        for k in range(bodies):
            r2 = x[k] * x[k] + y[k] * y[k] + 0.001
            ax = -x[k] / (r2 * np.sqrt(r2))
            ay = -y[k] / (r2 * np.sqrt(r2))
            for m in range(bodies):
                dx = x[m] - x[k]
                dy = y[m] - y[k]
                d2 = dx * dx + dy * dy + 0.01
                ax += 0.0005 * dx / (d2 * np.sqrt(d2))
                ay += 0.0005 * dy / (d2 * np.sqrt(d2))
            u[k] += 0.002 * ax
            v[k] += 0.002 * ay
        for k in range(bodies):
            x[k] += 0.002 * u[k]
            y[k] += 0.002 * v[k]
            i = int((y[k] + 1.2) / 2.4 * n)
            j = int((x[k] + 1.2) / 2.4 * n)
            if i >= 0 and i < n and j >= 0 and j < n:
                out[i, j] += 1.0
    return np.log(1.0 + out)


# ---- [edges]
@program((16, 2), (200, 4))
def edges(n, radius):
    picture = np.zeros((n, n))
    for i in prange(n):
        for j in range(n):
            picture[i, j] = np.sin(0.0006 * (i * i + j * j)) + (1.0 if (i // 25 + j // 25) % 2 == 0 else 0.0)
    smooth = picture.copy()
    for i in prange(radius, n - radius):
        for j in range(radius, n - radius):
            s = 0.0
            for di in range(-radius, radius + 1):
                for dj in range(-radius, radius + 1):
                    s += picture[i + di, j + dj]
            smooth[i, j] = s / ((2 * radius + 1) * (2 * radius + 1))
    out = np.zeros((n, n))
    for i in prange(1, n - 1):
        for j in range(1, n - 1):
            gx = smooth[i, j + 1] - smooth[i, j - 1]
            gy = smooth[i + 1, j] - smooth[i - 1, j]
            out[i, j] = np.sqrt(gx * gx + gy * gy)
    return out


# ---- [waves]
@program((16, 20), (200, 260))
def waves(n, steps):
    now = np.zeros((n, n))
    before = np.zeros((n, n))
    after = np.zeros((n, n))
    for s in range(steps):
        now[n // 3, n // 3] = np.sin(0.3 * s)
        now[2 * n // 3, n // 2] = np.sin(0.3 * s)
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4.0 * now[i, j]
                after[i, j] = 2.0 * now[i, j] - before[i, j] + 0.25 * around
        for i in prange(n):
            for j in range(n):
                before[i, j] = now[i, j]
                now[i, j] = after[i, j]
    return now


# ---- [reaction]
@program((16, 20), (160, 5000))
def reaction(n, steps):
    u = np.ones((n, n))
    v = np.zeros((n, n))
    for i in range(n // 2 - 6, n // 2 + 6):
        for j in range(n // 2 - 6, n // 2 + 6):
            u[i, j] = 0.5
            v[i, j] = 0.25 + 0.01 * ((i * 7 + j * 13) % 5)
    nu = u.copy()
    nv = v.copy()
    for s in range(steps):
        for i in prange(n):
            for j in range(n):
                up = (i + n - 1) % n
                down = (i + 1) % n
                left = (j + n - 1) % n
                right = (j + 1) % n
                lu = u[up, j] + u[down, j] + u[i, left] + u[i, right] - 4.0 * u[i, j]
                lv = v[up, j] + v[down, j] + v[i, left] + v[i, right] - 4.0 * v[i, j]
                uvv = u[i, j] * v[i, j] * v[i, j]
                nu[i, j] = u[i, j] + 0.16 * lu - uvv + 0.035 * (1.0 - u[i, j])
                nv[i, j] = v[i, j] + 0.08 * lv + uvv - 0.095 * v[i, j]
        for i in prange(n):
            for j in range(n):
                u[i, j] = nu[i, j]
                v[i, j] = nv[i, j]
    return v


# ---- [kmeans]
@program((16, 3, 4), (200, 7, 40))
def kmeans(n, clusters, rounds):
    cx = np.zeros(clusters)
    cy = np.zeros(clusters)
    for c in range(clusters):
        cx[c] = (0.5 + 0.4 * np.cos(2.0 * c)) * n
        cy[c] = (0.5 + 0.1 * np.sin(3.0 * c)) * n
    nearest = np.zeros((n, n))
    for r in range(rounds):
        for i in prange(n):
            for j in range(n):
                best = 1e300
                for c in range(clusters):
                    d = (cx[c] - j) * (cx[c] - j) + (cy[c] - i) * (cy[c] - i)
                    if d < best:
                        best = d
                        nearest[i, j] = c
        for c in range(clusters):
            sx = 0.0
            sy = 0.0
            count = 0.0
            for i in range(n):
                for j in range(n):
                    weight = 1.0 + np.sin(0.03 * i) * np.cos(0.05 * j)
                    if nearest[i, j] == c:
                        sx += weight * j
                        sy += weight * i
                        count += weight
            if count > 0.0:
                cx[c] = sx / count
                cy[c] = sy / count
    return nearest


# ---- [spheres]
@program((12, 40), (220, 90))
def spheres(n, steps):
    out = np.zeros((n, n))
    for i in prange(n):
        for j in range(n):
            dx = (j - 0.5 * n) / n
            dy = (0.5 * n - i) / n
            length = np.sqrt(dx * dx + dy * dy + 1.0)
            t = 0.0
            hit = 0
            k = 0
            while k < steps and hit == 0 and t < 30.0:
                x = t * dx / length
                y = 1.0 + t * dy / length
                z = t / length
                qx = x - 2.0 * np.floor(x / 2.0 + 0.5)
                qz = z - 2.0 * np.floor(z / 2.0 + 0.5)
                ball = np.sqrt(qx * qx + (y - 0.4) * (y - 0.4) + qz * qz) - 0.4
                d = min(ball, y)
                if d < 0.001:
                    hit = 1
                t += d
                k += 1
            if hit == 1:
                out[i, j] = 1.0 / (1.0 + 0.05 * t * t) * (1.0 - 1.0 * k / steps)
    return out


# ---- [pictures]
def png(values):
    """An 8-bit PNG with 256 colours from dark blue over red to light yellow."""
    low, high = values.min(), values.max()
    index = np.uint8((values - low) / (high - low if high > low else 1.0) * 255)
    t = np.arange(256) / 255
    colours = np.stack([np.clip(2.2 * t, 0, 1), np.clip(2 * t - 0.7, 0, 1), np.clip(0.35 + t - 2.2 * t * t + 1.6 * t**4, 0, 1)], 1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = values.shape
    rows = b"".join(b"\0" + row.tobytes() for row in index)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", np.uint8(colours * 255).tobytes()) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def check():
    wrong = 0
    for name, (plain, compiled, small, _) in PROGRAMS.items():
        wanted, got = plain(*small), compiled(*small)
        if wanted.shape != got.shape or not np.allclose(wanted, got, rtol=1e-9, atol=1e-12) or got.min() == got.max():
            print(f"{name}: compiled code gives something else, or the picture is flat")
            wrong += 1
    print(f"{len(PROGRAMS)} programs, {wrong} wrong")
    return 1 if wrong or len(PROGRAMS) != 8 else 0


def main(args):
    if args == ["check"]:
        return check()
    if len(args) >= 2 and args[0] == "draw":
        for name in args[2:] or PROGRAMS:
            values = PROGRAMS[name][1](*PROGRAMS[name][3])
            Path(args[1], name + ".png").write_bytes(png(values))
        return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
