"""Kernels whose work-groups move rows through local memory (stage): ctest sets VR_KERNEL_LOCAL, without which CPU devices have none.
Plain Python computes the same in the same order, so results are equal to the bit (but for exp, which is not the C library's)."""
import math

import numpy as np
import pytest

from pyraptor import jit, prange


def matvec(a, x, y):
    for i in prange(a.shape[0]):
        s = np.float32(0)
        for k in range(a.shape[1]):
            s += a[i, k] * x[k]
        y[i] = s


def dots(a, b, y):
    for i in prange(a.shape[0]):
        s = 0.0
        for k in range(a.shape[1]):
            s += a[i, k] * b[i, k]
        y[i] += s


def running(a, b):
    for i in prange(a.shape[0]):
        s = 0.0
        for k in range(a.shape[1]):
            s += a[i, k]
            b[i, k] = s


def least(a, y):
    for i in prange(a.shape[0]):
        m = a[i, 0]
        p = 0
        for k in range(a.shape[1]):
            if a[i, k] < m:
                m = a[i, k]
                p = k
        y[i] = p


def minus_mean(a, b):
    for i in prange(a.shape[0]):
        s = np.float32(0)
        for k in range(a.shape[1]):
            s += a[i, k]
        s = s / np.float32(a.shape[1])
        for k in range(a.shape[1]):
            b[i, k] = a[i, k] - s


def in_place(a, b):
    for i in prange(a.shape[0]):
        s = np.float32(0)
        for k in range(a.shape[1]):
            b[i, k] = a[i, k] + np.float32(1)
            s += b[i, k]
        for k in range(a.shape[1]):
            b[i, k] = b[i, k] / s


def repeated(a, y):
    for i in prange(a.shape[0]):
        s = np.float32(0)
        for r in range(3):
            for k in range(a.shape[1]):
                s = s * np.float32(0.5) + a[i, k] * np.float32(r)
        y[i] = s


def neighbours(a, y):
    for b in prange(a.shape[0]):
        for i in prange(a.shape[1]):
            s = 0.0
            for k in range(1, a.shape[2]):
                s += a[b, i, k] - a[b, i, k - 1] * 0.5
            y[b, i] = s


def softmax(a, b):
    for i in prange(a.shape[0]):
        m = a[i, 0]
        for k in range(a.shape[1]):
            if a[i, k] > m:
                m = a[i, k]
        s = np.float32(0)
        for k in range(a.shape[1]):
            s += math.exp(a[i, k] - m)
        for k in range(a.shape[1]):
            b[i, k] = math.exp(a[i, k] - m) / s


def columns(a, x, y):
    for j in prange(a.shape[1]):
        s = np.float32(0)
        for k in range(a.shape[0]):
            s += a[k, j] * x[k]
        y[j] = s


def columns_and_rows(a, b, y):
    for i in prange(a.shape[0]):
        s = 0.0
        for k in range(a.shape[1]):
            s = s * 0.5 + a[i, k] * b[k, i]
        y[i] = s


def flat_rows(a, y, m):
    for i in prange(y.shape[0]):
        s = np.float32(0)
        for k in range(m):
            s += a[i * m + k]
        y[i] = s


def flat_columns(a, y, m):
    n = y.shape[0]
    for j in prange(n):
        s = np.float32(0)
        for k in range(m):
            s = s * np.float32(0.5) + a[k * n + j]
        y[j] = s


def arguments(f, n, m):
    random = np.random.default_rng(100 * n + m)
    single = (random.random((n, m)) - 0.5).astype(np.float32)
    double = random.random((n, m)) - 0.5
    return {matvec: (single, random.random(m).astype(np.float32), np.zeros(n, np.float32)),
            dots: (double, random.random((n, m)), np.ones(n)),
            running: (double, np.zeros((n, m))),
            least: (np.round(single * 8), np.zeros(n, np.int64)),
            minus_mean: (single, np.zeros_like(single)),
            in_place: (single, np.zeros_like(single)),
            repeated: (single, np.zeros(n, np.float32)),
            neighbours: (random.random((3, n, m)), np.zeros((3, n))),
            columns: (np.ascontiguousarray(single.T), random.random(m).astype(np.float32), np.zeros(n, np.float32)),
            columns_and_rows: (double, random.random((m, n)), np.zeros(n)),
            flat_rows: (single.reshape(-1), np.zeros(n, np.float32), m),
            flat_columns: (single.reshape(-1), np.zeros(n, np.float32), m),
            softmax: (single, np.zeros_like(single))}[f]


# Fewer elements than a row needs for it; one part; parts and a rest; groups that are not full, and several.
SIZES = [(1, 1), (5, 63), (1, 64), (31, 65), (33, 127), (40, 128), (64, 129), (70, 300), (3, 1000), (0, 200), (129, 257)]


@pytest.mark.parametrize("f", [matvec, dots, running, least, minus_mean, in_place, repeated, neighbours, softmax, columns, columns_and_rows,
                               flat_rows, flat_columns])
def test_rows(f):
    compiled = jit(gpu=True)(f)
    for n, m in SIZES:
        given = arguments(f, n, m)
        got = [np.copy(a) if isinstance(a, np.ndarray) else a for a in given]
        want = [np.copy(a) if isinstance(a, np.ndarray) else a for a in given]
        compiled(*got)
        f(*want)
        for g, w in zip(got, want):
            if f is softmax:
                np.testing.assert_allclose(g, w, rtol=2e-6, err_msg=f"{n} x {m}")
            else:
                np.testing.assert_array_equal(g, w, err_msg=f"{n} x {m}")


def test_rows_that_are_not_contiguous():
    compiled = jit(gpu=True)(matvec)
    a = np.random.default_rng(1).random((80, 400)).astype(np.float32)
    x = np.random.default_rng(2).random(400).astype(np.float32)
    for view in (a[::2], a[::-1], a[:, 3:301], a[:, ::-1], a[:, ::2], a.T.copy().T):
        vector = x[:view.shape[1]]
        got, want = np.zeros(view.shape[0], np.float32), np.zeros(view.shape[0], np.float32)
        compiled(view, vector, got)
        matvec(view, vector, want)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("f", [matvec, columns, columns_and_rows, flat_rows, flat_columns])
def test_the_launch_used_rows(f):
    assert "__local" in jit(gpu=True)(f).inspect("opencl", *arguments(f, 40, 128))


def test_columns_that_are_not_contiguous():
    compiled = jit(gpu=True)(columns)
    a = np.random.default_rng(1).random((400, 80)).astype(np.float32)
    x = np.random.default_rng(2).random(400).astype(np.float32)
    for view in (a[::2], a[::-1], a[3:301, 5:47], a[:, ::-1], a[:, ::2], np.asfortranarray(a), np.broadcast_to(a[:1], a.shape)):
        vector = x[:view.shape[0]]
        got, want = np.zeros(view.shape[1], np.float32), np.zeros(view.shape[1], np.float32)
        compiled(view, vector, got)
        columns(view, vector, want)
        np.testing.assert_array_equal(got, want)
