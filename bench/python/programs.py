"""The fourteen programs of the thesis (chapter 6) as a Python programmer writes them for a compiler: plain functions.

The algorithms are those of bench/c; the caller allocates every buffer. `PROGRAMS` maps each name to its arguments (`make(quick)`) and its C function,
which takes the same arrays and numbers in `order`.
"""
from __future__ import annotations

import math

import numpy as np

from pyraptor import prange  # replaced by the other compilers' own prange


def lud(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k] = f
            for j in range(k + 1, n):
                a[i, j] -= f * a[k, j]


def srad(img, c, dn, ds, dw, de, north, south, west, east, rate, sweeps):
    n, m = img.shape
    for sweep in range(sweeps):
        total = 0.0
        squares = 0.0
        for i in range(n):
            for j in range(m):
                total += img[i, j]
                squares += img[i, j] * img[i, j]
        mean = total / (n * m)
        variance = squares / (n * m) - mean * mean
        q0 = variance / (mean * mean)
        for i in range(n):
            for j in range(m):
                here = img[i, j]
                a = img[north[i], j] - here
                b = img[south[i], j] - here
                d = img[i, west[j]] - here
                e = img[i, east[j]] - here
                dn[i, j] = a
                ds[i, j] = b
                dw[i, j] = d
                de[i, j] = e
                g2 = (a * a + b * b + d * d + e * e) / (here * here)
                ratio = (a + b + d + e) / here
                num = 0.5 * g2 - 0.0625 * (ratio * ratio)
                den = 1 + 0.25 * ratio
                q = num / (den * den)
                den = (q - q0) / (q0 * (1 + q0))
                w = 1 / (1 + den)
                if w < 0:
                    w = 0.0
                elif w > 1:
                    w = 1.0
                c[i, j] = w
        for i in range(n):
            for j in range(m):
                cs = c[south[i], j]
                ce = c[i, east[j]]
                img[i, j] += 0.25 * rate * (c[i, j] * dn[i, j] + cs * ds[i, j] + c[i, j] * dw[i, j] + ce * de[i, j])


def pagerank(links, rank, out_links, maps, damping, threshold, limit):
    n = links.shape[0]
    change = 1.0
    t = 0
    while t < limit and change >= threshold:
        for i in range(n):
            share = rank[i] / out_links[i]
            for j in range(n):
                maps[i, j] = links[i, j] * share
        change = 0.0
        for j in range(n):
            old = rank[j]
            new = 0.0
            for i in range(n):
                new += maps[i, j]
            new = (1 - damping) / n + damping * new
            rank[j] = new
            if abs(new - old) > change:
                change = abs(new - old)
        t += 1
    return t


def spmv(ptr, col, val, x, y):
    for i in range(y.shape[0]):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += val[k] * x[col[k]]
        y[i] = s


def fft_part(x, stride, n, y):
    if n == 1:
        y[0] = x[0]
    else:
        h = n // 2
        fft_part(x, 2 * stride, h, y[:h])
        fft_part(x[stride:], 2 * stride, h, y[h:])
        for k in range(h):
            angle = -2 * math.pi * k / n
            t = complex(math.cos(angle), math.sin(angle)) * y[k + h]
            e = y[k]
            y[k] = e + t
            y[k + h] = e - t


def fft(x, y):
    fft_part(x, 1, x.shape[0], y)


def growcut(image, state, out, radius):
    n, m = image.shape[0], image.shape[1]
    root3 = math.sqrt(3.0)
    changes = 0
    for i in range(n):
        for j in range(m):
            label = state[i, j, 0]
            defence = state[i, j, 1]
            for ii in range(max(i - radius, 0), min(i + radius + 1, n)):
                for jj in range(max(j - radius, 0), min(j + radius + 1, m)):
                    if ii == i and jj == j:
                        continue
                    s = 0.0
                    for k in range(3):
                        d = image[i, j, k] - image[ii, jj, k]
                        s += d * d
                    attack = (1 - math.sqrt(s) / root3) * state[ii, jj, 1]
                    if attack > defence:
                        defence = attack
                        label = state[ii, jj, 0]
                        changes += 1
            out[i, j, 0] = label
            out[i, j, 1] = defence
    return changes


def julia_point(zr, zi, cr, ci, limit, cutoff):
    count = 0
    while zr * zr + zi * zi < limit * limit and count < cutoff:
        t = zr * zr - zi * zi + cr
        zi = 2 * zr * zi + ci
        zr = t
        count += 1
    return count


def julia(cr, ci, bound, limit, cutoff, grid, out):
    n = grid.shape[0]
    step = 2 * bound / (n - 1)
    for i in range(n):
        grid[i] = -bound + i * step
    for i in range(n):
        for j in range(n):
            out[i, j] = julia_point(grid[i], grid[j], cr, ci, limit, cutoff)


def pairwise(x, d):
    n, length = x.shape
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(length):
                t = x[i, k] - x[j, k]
                s += t * t
            d[i, j] = math.sqrt(s)


def nb1d(rx, ry, rz, vx, vy, vz, m, f, dt, steps):
    n = rx.shape[0]
    for t in range(steps):
        for k in range(n):
            fx = 0.0
            fy = 0.0
            fz = 0.0
            for j in range(n):
                dx = rx[j] - rx[k]
                dy = ry[j] - ry[k]
                dz = rz[j] - rz[k]
                r2 = 1.0 if j == k else dx * dx + dy * dy + dz * dz
                w = m[j] * m[k] / (r2 * np.sqrt(r2))
                fx += w * dx
                fy += w * dy
                fz += w * dz
            f[0, k] = fx
            f[1, k] = fy
            f[2, k] = fz
        for k in range(n):
            vx[k] += dt * (f[0, k] / m[k])
            vy[k] += dt * (f[1, k] / m[k])
            vz[k] += dt * (f[2, k] / m[k])
            rx[k] += dt * vx[k]
            ry[k] += dt * vy[k]
            rz[k] += dt * vz[k]


def clos(a, b):
    n = a.shape[0]
    b[:, :] = a
    k = 1
    while k < n:
        w = np.dot(b, b)
        for i in range(n):
            for j in range(n):
                b[i, j] = 1.0 if w[i, j] + b[i, j] > 0 else 0.0
        k *= 2


def fiff(a, b, c, u):
    n, m = u.shape[1], u.shape[0]  # u[j, i]: column j of the C program
    h = a / (n - 1)
    k = b / (m - 1)
    r = c * k / h
    r2 = r * r
    s2 = 2 - 2 * r2
    for j in range(m):
        for i in range(n):
            u[j, i] = 0.0
    for i in range(1, n - 1):
        u[0, i] = math.sin(math.pi * h * i) + math.sin(2 * math.pi * h * i)
        u[1, i] = (1 - r2) * (math.sin(math.pi * h * i) + math.sin(2 * math.pi * h * i)) + r2 / 2 * (
            math.sin(math.pi * h * (i + 1)) + math.sin(2 * math.pi * h * (i + 1)) + math.sin(math.pi * h * (i - 1)) +
            math.sin(2 * math.pi * h * (i - 1)))
    for j in range(2, m):
        for i in range(1, n - 1):
            u[j, i] = s2 * u[j - 1, i] + r2 * (u[j - 1, i - 1] + u[j - 1, i + 1]) - u[j - 2, i]


def fftm(x, y):
    n = x.shape[0]
    for i in range(n):
        y[i] = x[i]
    j = 0
    for i in range(n - 1):
        if i < j:
            t = y[j]
            y[j] = y[i]
            y[i] = t
        k = n // 2
        while k <= j:
            j -= k
            k = k // 2
        j += k
    half = 1
    while half < n:
        turn = complex(math.cos(math.pi / half), -math.sin(math.pi / half))
        w = complex(1.0, 0.0)
        for m in range(half):
            for i in range(m, n, 2 * half):
                u = w * y[i + half]
                y[i + half] = y[i] - u
                y[i] = y[i] + u
            w = w * turn
        half *= 2


def capr_seidel(f, w, n, m):
    for i in range(1, n):
        for j in range(1, m):
            f[j, i] += w[j, i] * (0.25 * (f[j, i - 1] + f[j, i + 1] + f[j - 1, i] + f[j + 1, i]) - f[j, i])
    for j in range(1, m):
        f[j, 0] += w[j, 0] * (0.25 * (f[j, 1] + f[j, 1] + f[j - 1, 0] + f[j + 1, 0]) - f[j, 0])
    for i in range(1, n):
        f[0, i] += w[0, i] * (0.25 * (f[0, i - 1] + f[0, i + 1] + f[1, i] + f[1, i]) - f[0, i])


def capr(a, b, c, d, n, tol, rel, maxiter, f, w):
    h = 0.5 * c / n
    na = int(math.floor(0.5 * a / h + 0.5))
    m = int(math.floor(0.5 * d / h + 0.5))
    mb = int(math.floor(0.5 * b / h + 0.5))
    for j in range(m + 1):
        for i in range(n + 1):
            f[j, i] = 0.0
            w[j, i] = rel
    for j in range(mb + 1):
        for i in range(na + 1):
            f[j, i] = 1.0
            w[j, i] = 0.0
    cap = 0.0
    old = 0.0
    for it in range(maxiter):
        capr_seidel(f, w, n, m)
        q = 0.0
        for i in range(n):
            q += (f[m - 1, i] + f[m - 1, i + 1]) * 0.5
        for j in range(m):
            q += (f[j, n - 1] + f[j + 1, n - 1]) * 0.5
        cap = q * 4 * 8.854187
        if abs(cap - old) / cap < tol:
            break
        old = cap
    return cap


def fdtd(ex, ey, ez, hx, hy, hz, dt, h, steps):
    nx, ny, nz = ex.shape[0], ey.shape[1], ez.shape[2]
    k = dt / h
    for t in range(steps):
        for i in range(nx + 1):
            for j in range(ny):
                for l in range(nz):  # noqa: E741
                    hx[i, j, l] += k * ((ey[i, j, l + 1] - ey[i, j, l]) - (ez[i, j + 1, l] - ez[i, j, l]))
        for i in range(nx):
            for j in range(ny + 1):
                for l in range(nz):  # noqa: E741
                    hy[i, j, l] += k * ((ez[i + 1, j, l] - ez[i, j, l]) - (ex[i, j, l + 1] - ex[i, j, l]))
        for i in range(nx):
            for j in range(ny):
                for l in range(nz + 1):  # noqa: E741
                    hz[i, j, l] += k * ((ex[i, j + 1, l] - ex[i, j, l]) - (ey[i + 1, j, l] - ey[i, j, l]))
        for i in range(nx):
            for j in range(1, ny):
                for l in range(1, nz):  # noqa: E741
                    ex[i, j, l] += k * ((hz[i, j, l] - hz[i, j - 1, l]) - (hy[i, j, l] - hy[i, j, l - 1]))
        for i in range(1, nx):
            for j in range(ny):
                for l in range(1, nz):  # noqa: E741
                    ey[i, j, l] += k * ((hx[i, j, l] - hx[i, j, l - 1]) - (hz[i, j, l] - hz[i - 1, j, l]))
        for i in range(1, nx):
            for j in range(1, ny):
                for l in range(nz):  # noqa: E741
                    ez[i, j, l] += k * ((hy[i, j, l] - hy[i - 1, j, l]) - (hx[i, j, l] - hx[i, j - 1, l]))


# ---- with parallel loops
def spmv_par(ptr, col, val, x, y):
    for i in prange(y.shape[0]):
        s = 0.0
        for k in range(ptr[i], ptr[i + 1]):
            s += val[k] * x[col[k]]
        y[i] = s


def growcut_par(image, state, out, radius):
    n, m = image.shape[0], image.shape[1]
    root3 = math.sqrt(3.0)
    changes = 0
    for i in prange(n):
        for j in range(m):
            label = state[i, j, 0]
            defence = state[i, j, 1]
            for ii in range(max(i - radius, 0), min(i + radius + 1, n)):
                for jj in range(max(j - radius, 0), min(j + radius + 1, m)):
                    if ii != i or jj != j:
                        s = 0.0
                        for k in range(3):
                            d = image[i, j, k] - image[ii, jj, k]
                            s += d * d
                        attack = (1 - math.sqrt(s) / root3) * state[ii, jj, 1]
                        if attack > defence:
                            defence = attack
                            label = state[ii, jj, 0]
                            changes += 1
            out[i, j, 0] = label
            out[i, j, 1] = defence
    return changes


def julia_par(cr, ci, bound, limit, cutoff, grid, out):
    n = grid.shape[0]
    step = 2 * bound / (n - 1)
    for i in range(n):
        grid[i] = -bound + i * step
    for i in prange(n):
        for j in range(n):
            out[i, j] = julia_point(grid[i], grid[j], cr, ci, limit, cutoff)


def pairwise_par(x, d):
    n, length = x.shape
    for i in prange(n):
        for j in range(n):
            s = 0.0
            for k in range(length):
                t = x[i, k] - x[j, k]
                s += t * t
            d[i, j] = math.sqrt(s)


def nb1d_par(rx, ry, rz, vx, vy, vz, m, f, dt, steps):
    n = rx.shape[0]
    for t in range(steps):
        for k in prange(n):
            fx = 0.0
            fy = 0.0
            fz = 0.0
            for j in range(n):
                dx = rx[j] - rx[k]
                dy = ry[j] - ry[k]
                dz = rz[j] - rz[k]
                r2 = 1.0 if j == k else dx * dx + dy * dy + dz * dz
                w = m[j] * m[k] / (r2 * np.sqrt(r2))
                fx += w * dx
                fy += w * dy
                fz += w * dz
            f[0, k] = fx
            f[1, k] = fy
            f[2, k] = fz
        for k in range(n):
            vx[k] += dt * (f[0, k] / m[k])
            vy[k] += dt * (f[1, k] / m[k])
            vz[k] += dt * (f[2, k] / m[k])
            rx[k] += dt * vx[k]
            ry[k] += dt * vy[k]
            rz[k] += dt * vz[k]


# ---- arguments
def _rng():
    return np.random.default_rng(7)


def make_lud(q):
    n = 64 if q else 512
    return [_rng().random((n, n)) + n * np.eye(n)]


def make_srad(q):
    n = 48 if q else 512
    up, down = np.maximum(np.arange(n) - 1, 0), np.minimum(np.arange(n) + 1, n - 1)
    return [_rng().random((n, n)) + 0.5, *(np.zeros((n, n)) for _ in range(5)), up, down, up.copy(), down.copy(), 0.5, 2 if q else 8]


def make_pagerank(q):
    n = 60 if q else 800
    links = (_rng().random((n, n)) < 0.2).astype(np.int32)
    np.fill_diagonal(links, 1)
    return [links, np.full(n, 1.0 / n), links.sum(axis=1).astype(np.int64), np.zeros((n, n)), 0.85, 1e-7, 50]


def make_spmv(q):
    n, each = (200, 5) if q else (200000, 12)
    r = _rng()
    return [np.arange(n + 1) * each, r.integers(0, n, n * each), r.random(n * each), r.random(n), np.zeros(n)]


def make_fft(q):
    n = 128 if q else 1 << 15
    r = _rng()
    return [r.random(n) + 1j * r.random(n), np.zeros(n, complex)]


def make_growcut(q):
    n, radius = (12, 1) if q else (96, 3)
    r = _rng()
    state = np.zeros((n, n, 2))
    state[2, 2], state[-3, -3] = (1, 1), (2, 1)
    return [r.random((n, n, 3)), state, np.zeros((n, n, 2)), radius]


def make_julia(q):
    n = 40 if q else 500
    return [-0.8, 0.156, 1.5, 2.0, 100, np.zeros(n), np.zeros((n, n), np.int32)]


def make_pairwise(q):
    n, length = (30, 7) if q else (800, 48)
    return [_rng().random((n, length)), np.zeros((n, n))]


def make_nb1d(q):
    n, steps = (20, 2) if q else (800, 3)
    r = _rng()
    return [*(r.random(n) for _ in range(7)), np.zeros((3, n)), 0.001, steps]


def make_clos(q):
    n = 40 if q else 450
    return [(_rng().random((n, n)) < 0.01).astype(float), np.zeros((n, n))]


def make_fiff(q):
    n = 40 if q else 1500
    return [1.0, 1.0, 1.0, np.zeros((n, n))]


def make_capr(q):
    n = 16 if q else 120
    m = int(math.floor(0.5 * 0.7 / (0.5 * 1.0 / n) + 0.5))
    return [0.3, 0.2, 1.0, 0.7, n, 1e-9, 1.7, 60 if q else 400, np.zeros((m + 1, n + 1)), np.zeros((m + 1, n + 1))]


def make_fdtd(q):
    n = 8 if q else 60
    r = _rng()
    shapes = [(n, n + 1, n + 1), (n + 1, n, n + 1), (n + 1, n + 1, n), (n + 1, n, n), (n, n + 1, n), (n, n, n + 1)]
    return [*(r.random(s) for s in shapes), 0.001, 0.01, 2 if q else 8]


#: name -> (function, arguments, C function with the mapping from our arguments to its own, or None)
PROGRAMS = {
    "lud": (lud, make_lud, lambda c, a: c.lud(a[0], len(a[0]))),
    "srad": (srad, make_srad, lambda c, a: c.srad(*a[:10], *a[0].shape, a[10], a[11])),
    "pagerank": (pagerank, make_pagerank, lambda c, a: c.pagerank(*a[:4], len(a[1]), *a[4:])),
    "spmv": (spmv, make_spmv, lambda c, a: c.spmv(*a, len(a[4]))),
    "fft": (fft, make_fft, lambda c, a: c.fft(*a, len(a[0]))),
    "growcut": (growcut, make_growcut, lambda c, a: c.growcut(*a[:3], *a[0].shape[:2], a[3])),
    "julia": (julia, make_julia, lambda c, a: c.julia(a[0], a[1], len(a[5]), a[2], a[3], c.int(a[4]), a[5], a[6])),
    "pairwise": (pairwise, make_pairwise, lambda c, a: c.pairwise(*a, *a[0].shape)),
    "nb1d": (nb1d, make_nb1d, lambda c, a: c.nb1d(*a[:9], len(a[0]), a[9])),
    "clos": (clos, make_clos, lambda c, a: c.clos(*a, np.zeros_like(a[0]), len(a[0]))),
    "fiff": (fiff, make_fiff, lambda c, a: c.c_fiff(a[0], a[1], a[2], c.int(a[3].shape[1]), c.int(a[3].shape[0]), a[3])),
    "fftm": (fftm, make_fft, lambda c, a: c.fftm(*a, len(a[0]))),
    "capr": (capr, make_capr, lambda c, a: c.c_capr_in(*a[:4], c.int(a[4]), a[5], a[6], c.int(a[7]), a[8], a[9])),
    "fdtd": (fdtd, make_fdtd, lambda c, a: c.fdtd(*a[:6], a[0].shape[0], a[1].shape[1], a[2].shape[2], *a[6:])),
}

PARALLEL = {name: (globals()[name + "_par"], *PROGRAMS[name][1:]) for name in ("spmv", "growcut", "julia", "pairwise", "nb1d")}
