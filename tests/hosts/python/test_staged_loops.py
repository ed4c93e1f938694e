"""Work-groups load what several loops of a kernel need into local memory, one loop after the other, also for several sums (staged_tile).
ctest sets VR_KERNEL_LOCAL and VR_KERNEL_TILES=1, so that all sizes do. Plain Python computes the same sums in the same order."""
import numpy as np
import pytest

from pyraptor import jit, prange


def a_store_between(a, b, c):
    for i in prange(c.shape[0]):
        for j in prange(c.shape[1]):
            s = a[0, 0] * 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s
            if s > 4:
                s = a[0, 0]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] += s


def four_sums(a, b, c):
    n = c.shape[1]
    m = b.shape[1] // 2
    for i in prange(c.shape[0]):
        for j in prange(m):
            p = b[0, j]
            q = b[0, m + j]
            r = p * 0
            s = r + 1
            for k in range(a.shape[1]):
                p += a[i, k] * b[k, j]
                q += a[i, k] * b[k, m + j]
                r -= a[i, k] * b[k, j]
                s += a[i, k] * 3
            for k in range(b.shape[0]):
                p += b[k, i] * b[k, j]
                q -= b[k, i] * b[k, m + j]
            c[i, j] = p + q * 2
            c[i, m + j] = r - s


def three_loops(a, b, c):
    for i in prange(c.shape[0]):
        for j in prange(c.shape[1]):
            s = a[0, 0] * 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            for k in range(b.shape[0] // 2):
                s += b[k, j]
            for k in range(a.shape[1] - 3):
                s -= a[i, k] * b[k + 3, j]
            c[i, j] = s


def a_value_from_before(a, b, c):
    for i in prange(c.shape[0]):
        for j in prange(c.shape[1]):
            s = a[0, 0] * 0
            for k in range(a.shape[1] // 2):
                s += a[k, k]
            t = s + 1
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s * t


@pytest.mark.parametrize("f, n, m, dtype", [(a_store_between, 65, 130, "float32"), (four_sums, 65, 130, "float32"),
                                            (three_loops, 65, 130, "float64"), (a_value_from_before, 65, 64, "float32")])
def test_staged_loops(f, n, m, dtype):
    rng = np.random.default_rng(9)
    a, b = rng.integers(-9, 9, (n, 37)).astype(dtype), rng.integers(-9, 9, (37, m)).astype(dtype)
    c = np.zeros((n, m), dtype)
    got, wanted = c.copy(), c.copy()
    f(a, b, wanted)
    jit(f, gpu=True)(a, b, got)
    assert np.array_equal(got, wanted)
