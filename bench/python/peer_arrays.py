"""The programs of programs.py that can be written with whole-array operations, for NumPy and JAX.

They are written in functional style, so that the same source serves both: `k` provides what differs (`k.xp`, `k.put`, `k.add`, `k.loop`, `k.until`,
`k.rows`).
Each function returns the arguments named in PROGRAMS as programs.py changes them, then its result. Missing: lud, whose
slices shrink, which JAX does not support; fft, fftm and capr, which have no whole-array version of the same algorithm.
"""
from __future__ import annotations

import math

import numpy as np


class NumPy:
    xp = np

    @staticmethod
    def put(a, index, value):
        a[index] = value
        return a

    @staticmethod
    def add(a, index, value):
        a[index] += value
        return a

    @staticmethod
    def loop(first, last, body, state):
        for i in range(first, last):
            state = body(i, state)
        return state

    @staticmethod
    def until(going, body, state):
        while going(state):
            state = body(state)
        return state

    @staticmethod
    def rows(f, x):
        return np.stack([f(row) for row in x])

    @staticmethod
    def sums(ptr, values):
        return np.add.reduceat(values, ptr[:-1])


def jax_kit():
    import jax
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    class Jax:
        xp = jnp
        jit = staticmethod(jax.jit)

        @staticmethod
        def put(a, index, value):
            return a.at[index].set(value)

        @staticmethod
        def add(a, index, value):
            return a.at[index].add(value)

        @staticmethod
        def loop(first, last, body, state):
            return jax.lax.fori_loop(first, last, body, state)

        @staticmethod
        def until(going, body, state):
            return jax.lax.while_loop(going, body, state)

        @staticmethod
        def rows(f, x):
            return jax.lax.map(f, x)

        @staticmethod
        def sums(ptr, values):
            rows = jnp.repeat(jnp.arange(len(ptr) - 1), jnp.diff(ptr), total_repeat_length=len(values))
            return jax.ops.segment_sum(values, rows, num_segments=len(ptr) - 1, indices_are_sorted=True)

    return Jax


def lud(k, a):
    for j in range(len(a)):
        a[j + 1:, j] /= a[j, j]
        a[j + 1:, j + 1:] -= np.outer(a[j + 1:, j], a[j, j + 1:])
    return (a, )


def srad(k, img, c, dn, ds, dw, de, north, south, west, east, rate, sweeps):
    def sweep(_, state):
        img = state[0]
        mean = img.mean()
        variance = (img * img).mean() - mean * mean
        q0 = variance / (mean * mean)
        dn, ds, dw, de = img[north] - img, img[south] - img, img[:, west] - img, img[:, east] - img
        g2 = (dn * dn + ds * ds + dw * dw + de * de) / (img * img)
        ratio = (dn + ds + dw + de) / img
        den = 1 + 0.25 * ratio
        q = (0.5 * g2 - 0.0625 * (ratio * ratio)) / (den * den)
        c = k.xp.clip(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0, 1.0)
        img = img + 0.25 * rate * (c * dn + c[south] * ds + c * dw + c[:, east] * de)
        return img, c, dn, ds, dw, de
    return k.loop(0, sweeps, sweep, (img, c, dn, ds, dw, de))


def pagerank(k, links, rank, out_links, maps, damping, threshold, limit):
    n = len(rank)

    def step(state):
        rank, _, _, t = state
        maps = links * (rank / out_links)[:, None]
        new = (1 - damping) / n + damping * maps.sum(axis=0)
        return new, maps, k.xp.abs(new - rank).max(), t + 1
    rank, maps, _, t = k.until(lambda s: (s[3] < limit) & (s[2] >= threshold), step, (rank, maps, 1.0, 0))
    return rank, maps, t


def spmv(k, ptr, col, val, x, y):
    return (k.sums(ptr, val * x[col]), )


def growcut(k, image, state, out, radius):
    n, m = image.shape[:2]
    wide = k.xp.pad(image, ((radius, radius), (radius, radius), (0, 0)))
    labels, strength = (k.xp.pad(state[:, :, q], radius) for q in (0, 1))
    label, defence, changes = state[:, :, 0], state[:, :, 1], 0
    for i in range(2 * radius + 1):
        for j in range(2 * radius + 1):
            if i == radius and j == radius:
                continue
            d = image - wide[i:i + n, j:j + m]
            attack = (1 - k.xp.sqrt((d * d).sum(axis=2)) / math.sqrt(3.0)) * strength[i:i + n, j:j + m]
            wins = attack > defence
            label = k.xp.where(wins, labels[i:i + n, j:j + m], label)
            defence = k.xp.where(wins, attack, defence)
            changes = changes + wins.sum()
    return k.xp.stack([label, defence], axis=2), changes


def julia(k, cr, ci, bound, limit, cutoff, grid, out):
    n = len(grid)
    grid = -bound + k.xp.arange(n) * (2 * bound / (n - 1))
    zr, zi = grid[:, None] + 0 * grid, grid + 0 * grid[:, None]

    def step(state):
        zr, zi, count, t = state
        inside = zr * zr + zi * zi < limit * limit
        new = zr * zr - zi * zi + cr
        return (k.xp.where(inside, new, zr), k.xp.where(inside, 2 * zr * zi + ci, zi),
                count + inside.astype(np.int32), t + 1)
    return grid, k.until(lambda s: s[3] < cutoff, step, (zr, zi, k.xp.zeros((n, n), np.int32), 0))[2]


def pairwise(k, x, d):
    return (k.rows(lambda row: k.xp.sqrt(((x - row) ** 2).sum(axis=1)), x), )


def nb1d(k, rx, ry, rz, vx, vy, vz, m, f, dt, steps):
    n = len(rx)
    own = k.xp.eye(n, dtype=bool)

    def step(_, state):
        r, v, _ = state
        dx, dy, dz = (q - q[:, None] for q in r)
        r2 = k.xp.where(own, 1.0, dx * dx + dy * dy + dz * dz)
        w = m * m[:, None] / (r2 * k.xp.sqrt(r2))
        f = k.xp.stack([(w * dx).sum(axis=1), (w * dy).sum(axis=1), (w * dz).sum(axis=1)])
        v = tuple(q + dt * (force / m) for q, force in zip(v, f))
        return tuple(q + dt * speed for q, speed in zip(r, v)), v, f
    r, v, f = k.loop(0, steps, step, ((rx, ry, rz), (vx, vy, vz), f))
    return *r, *v, f


def clos(k, a, b):
    n, done, b = len(a), 1, a
    while done < n:
        b = k.xp.where(b @ b + b > 0, 1.0, 0.0)
        done *= 2
    return (b, )


def fiff(k, a, b, c, u):
    m, n = u.shape
    h, step = a / (n - 1), b / (m - 1)
    r = c * step / h
    r2 = r * r
    i = k.xp.arange(1, n - 1)

    def wave(i):
        return k.xp.sin(math.pi * h * i) + k.xp.sin(2 * math.pi * h * i)
    u = k.xp.zeros((m, n))
    u = k.put(u, (0, slice(1, -1)), wave(i))
    u = k.put(u, (1, slice(1, -1)), (1 - r2) * wave(i) + r2 / 2 * (wave(i + 1) + wave(i - 1)))

    def row(j, u):
        new = (2 - 2 * r2) * u[j - 1, 1:-1] + r2 * (u[j - 1, :-2] + u[j - 1, 2:]) - u[j - 2, 1:-1]
        return k.put(u, (j, slice(1, -1)), new)
    return (k.loop(2, m, row, u), )


def fdtd(k, ex, ey, ez, hx, hy, hz, dt, h, steps):
    c = dt / h
    whole, inner = slice(None), slice(1, -1)

    def step(_, fields):
        ex, ey, ez, hx, hy, hz = fields
        hx = hx + c * ((ey[:, :, 1:] - ey[:, :, :-1]) - (ez[:, 1:] - ez[:, :-1]))
        hy = hy + c * ((ez[1:] - ez[:-1]) - (ex[:, :, 1:] - ex[:, :, :-1]))
        hz = hz + c * ((ex[:, 1:] - ex[:, :-1]) - (ey[1:] - ey[:-1]))
        ex = k.add(ex, (whole, inner, inner),
                   c * ((hz[:, 1:, 1:-1] - hz[:, :-1, 1:-1]) - (hy[:, 1:-1, 1:] - hy[:, 1:-1, :-1])))
        ey = k.add(ey, (inner, whole, inner), c * ((hx[1:-1, :, 1:] - hx[1:-1, :, :-1]) - (hz[1:, :, 1:-1] - hz[:-1, :, 1:-1])))
        ez = k.add(ez, (inner, inner, whole), c * ((hy[1:, 1:-1] - hy[:-1, 1:-1]) - (hx[1:-1, 1:] - hx[1:-1, :-1])))
        return ex, ey, ez, hx, hy, hz
    return k.loop(0, steps, step, (ex, ey, ez, hx, hy, hz))


#: name -> (function, indices of the arguments whose new values it returns first, indices of the arguments that are compile-time constants)
PROGRAMS = {
    "lud": (lud, (0, ), None),
    "srad": (srad, (0, 1, 2, 3, 4, 5), ()),
    "pagerank": (pagerank, (1, 3), ()),
    "spmv": (spmv, (4, ), ()),
    "growcut": (growcut, (2, ), (3, )),
    "julia": (julia, (5, 6), ()),
    "pairwise": (pairwise, (1, ), ()),
    "nb1d": (nb1d, (0, 1, 2, 3, 4, 5, 7), ()),
    "clos": (clos, (1, ), ()),
    "fiff": (fiff, (3, ), ()),
    "fdtd": (fdtd, (0, 1, 2, 3, 4, 5), ()),
}
