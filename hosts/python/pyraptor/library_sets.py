"""NumPy functions for sets, sorting and signals, written in Python and compiled like library.py."""
from __future__ import annotations

import numpy as np

from ._errors import UnsupportedError


def intersect1d(a, b):
    u = np.unique(a)
    return u[np.isin(u, b)]


def union1d(a, b):
    return np.unique(np.concatenate((a, b)))


def setdiff1d(a, b):
    u = np.unique(a)
    return u[np.logical_not(np.isin(u, b))]


def setdiff1d_as_is(a, b):
    return a[np.logical_not(np.isin(a, b))]


def setxor1d(a, b):
    u = np.unique(a)
    v = np.unique(b)
    return np.sort(np.concatenate((u[np.logical_not(np.isin(u, v))], v[np.logical_not(np.isin(v, u))])))


def _direction(bins):
    """1 if the bins are ascending or a single number, -1 if they are descending. As in NumPy's comparison, NaN is never out of order."""
    count = bins.shape[0]
    first = 1
    while first < count and bins[first] == bins[0]:
        first += 1
    rises = True
    if first < count:
        rises = bins[0] < bins[first]
        for k in range(first + 1, count):
            if (bins[k - 1] > bins[k]) if rises else (bins[k - 1] < bins[k]):
                raise ValueError("bins must be monotonically increasing or decreasing")
        for k in range(1, count):
            if np.isnan(bins[k]) != np.isnan(bins[k - 1]) and np.isnan(bins[k]) != rises:
                raise UnsupportedError("bins with NaN between numbers are not compiled: NumPy searches them as if they were sorted")
    return 1 if rises else -1


def digitize_left(x, bins):
    if _direction(bins) > 0:
        out = np.searchsorted(bins, x, "right")
    else:
        out = bins.shape[0] - np.searchsorted(bins[::-1].copy(), x, "right")
    return out


def digitize_right(x, bins):
    if _direction(bins) > 0:
        out = np.searchsorted(bins, x, "left")
    else:
        out = bins.shape[0] - np.searchsorted(bins[::-1].copy(), x, "left")
    return out


def convolve_same(n, m):
    return (min(n, m) - 1) // 2, max(n, m)


def correlate_same(n, m):
    start = (m - 1) // 2
    if m > n:
        start = n // 2
    return start, max(n, m)


def convolve_valid(n, m):
    return min(n, m) - 1, max(n, m) - min(n, m) + 1


def cov(m, divisor):
    centred = m - np.mean(m, axis=1, keepdims=True)
    return (centred @ centred.T) / np.float64(max(divisor, 0))


def corrcoef(m):
    c = cov(m, m.shape[1] - 1)
    d = np.empty(c.shape[0], c.dtype)
    for i in range(c.shape[0]):
        d[i] = np.sqrt(c[i, i])
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = min(max(c[i, j] / d[i] / d[j], -1.0), 1.0) if c[i, j] == c[i, j] else np.nan
    return c
