"""Short arrays of an iteration's own become variables where all subscripts are known once loops are straight code
(private_registers); loads behind a condition join those in front of it (kernel_version). Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import jit, prange


def common_subsequence(a, b, out):
    for n in prange(a.shape[0]):
        row = np.zeros(41, np.int32)
        for i in range(a.shape[1]):
            before = np.int32(0)
            for j in range(40):
                t = row[j + 1]
                if a[n, i] == b[j]:
                    row[j + 1] = before + 1
                else:
                    row[j + 1] = max(row[j + 1], row[j])
                before = t
        out[n] = row[40]


def factor(a, b, out):
    for n in prange(a.shape[0]):
        l = np.zeros(36, np.int32)
        for i in range(6):
            for j in range(i + 1):
                s = np.int32(a[n, (6 * i + j) % a.shape[1]])
                for k in range(j):
                    s -= l[6 * i + k] * l[6 * j + k]
                l[6 * i + j] = s & 15
        t = np.int32(0)
        for i in range(36):
            t = t * 3 + l[i]
        out[n] = t


def two_names(a, b, out):
    for n in prange(a.shape[0]):
        x = np.zeros(5, np.int32)
        y = np.zeros(5, np.int32)
        for r in range(a.shape[1]):
            for k in range(5):
                y[k] = x[(k + 1) % 5] + a[n, r]
            for k in range(5):
                x[k] = y[4 - k] ^ r
        out[n] = x[0] + 2 * x[1] + 3 * x[2] + 4 * x[3] + 5 * x[4]


def looked_up(a, b, out):
    for n in prange(a.shape[0]):
        x = np.zeros(8, np.int32)
        for k in range(a.shape[1]):
            x[a[n, k] & 7] += k
        s = np.int32(0)
        for k in range(8):
            s = 5 * s + x[k]
        out[n] = s


def charges(a, b, out):
    for n in prange(a.shape[0]):
        s = np.int32(0)
        for j in range(a.shape[0]):
            d = a[j, 0] - a[n, 0] + a[j, 1] - a[n, 1]
            if d < 20:
                s += a[j, 2] * a[j, 3] // (d + 1000) + a[j, 3] % 7
        out[n] = s


@pytest.mark.parametrize('f', [common_subsequence, factor, two_names, looked_up, charges])
def test_private(f):
    random = np.random.default_rng(3)
    for rows, columns in ((1, 4), (300, 7), (129, 33)):
        a = random.integers(0, 4 if f is common_subsequence else 90, (rows, columns)).astype(np.int32)
        b = random.integers(0, 4, 40).astype(np.int32)
        out, expected = np.zeros(rows, np.int32), np.zeros(rows, np.int32)
        with np.errstate(over='ignore'):
            f(a, b, expected)
        jit(f, gpu=True)(a, b, out)
        np.testing.assert_array_equal(out, expected)


def nearest(a, b, out):
    for n in prange(a.shape[0]):
        d = np.full(4, 1000, np.int32)
        p = np.full(4, -1)
        for j in range(a.shape[1]):
            if a[n, j] < d[3]:
                k = 3
                while k > 0 and d[k - 1] > a[n, j]:
                    d[k] = d[k - 1]
                    p[k] = p[k - 1]
                    k -= 1
                d[k] = a[n, j]
                p[k] = j
        out[n] = d[0] + 10 * d[3] + p[1]


def alternating(a, b, out):
    for n in prange(a.shape[0]):
        x = np.full(3, 1, np.int32)
        for j in range(a.shape[1]):
            y = np.full(3, 0, np.int32)
            for k in range(3):
                y[k] = x[(k + 1) % 3] + a[n, j]
            x = y
        out[n] = x[0] + 2 * x[1] + 3 * x[2]


def perhaps(a, b, out):
    for n in prange(a.shape[0]):
        x = np.full(3, 1, np.int32)
        for j in range(a.shape[1]):
            y = np.full(3, 5, np.int32)
            y[j % 3] = a[n, j]
            if a[n, j] > 40:
                x = y
        out[n] = x[0] + 2 * x[1] + 3 * x[2]


@pytest.mark.parametrize('f', [nearest, alternating, perhaps])
def test_another_name(f):
    """np.full fills an array that gets its name then. The same memory is not used for two arrays that are needed."""
    a = np.random.default_rng(4).integers(0, 90, (200, 11)).astype(np.int32)
    out, expected = np.zeros(200, np.int32), np.zeros(200, np.int32)
    f(a, a, expected)
    run = jit(f, gpu=True)
    run(a, a, out)
    np.testing.assert_array_equal(out, expected)
    if f is nearest and run.report()[0].get('device'):
        assert not run.report()[0]['not_where_asked']
