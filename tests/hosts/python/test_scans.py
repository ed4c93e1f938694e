"""Running sums, products and extrema along rows and columns, which the work-items of a group share (scan), and while loops
whose subscripts are known to be in range (kernel_version). ctest sets VR_KERNEL_LOCAL and VR_KERNEL_TILES=1, so that all
sizes have these kernels. Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import jit, prange

SIZES = [(1, 1), (1, 7), (3, 8), (2, 9), (5, 2047), (3, 2048), (2, 2049), (1, 4100), (40, 33), (300, 5), (33, 513)]


def rows(a, b):
    for i in prange(a.shape[0]):
        s = a[i, 0] * 0
        for j in range(a.shape[1]):
            s += a[i, j]
            b[i, j] = s


def columns(a, b):
    for j in prange(a.shape[1]):
        s = a[0, j] * 0
        for i in range(a.shape[0]):
            s += a[i, j]
            b[i, j] = s


def greatest(a, b):
    for i in prange(a.shape[0]):
        m = a[i, 0]
        for j in range(a.shape[1]):
            m = max(m, a[i, j])
            b[i, j] = m


def products_of_columns(a, b):
    for j in prange(a.shape[1]):
        s = a[0, j] * 0 + 1
        t = a[0, j] * 0
        for i in range(a.shape[0]):
            s *= a[i, j]
            t ^= a[i, j]
            b[i, j] = s + t


def in_place(a, b):
    for i in prange(b.shape[0]):
        s = b[i, 0] * 0
        for j in range(b.shape[1]):
            s += b[i, j]
            b[i, j] = s


def some(a, b):
    for i in prange(a.shape[0]):
        s = a[i, 0] * 0
        for j in range(a.shape[1]):
            if a[i, j] > 0:
                s += a[i, j]
                b[i, j] = s


def blocks(a, b):
    x = a.reshape(-1)
    y = b.reshape(-1)
    size = a.shape[1]
    for k in prange(a.shape[0]):
        s = x[0] * 0
        for i in range(k):
            s += x[i]
        for i in range(k * size, (k + 1) * size):
            s += x[i]
            y[i] = s


def last_in_front(a, b):
    for i in prange(a.shape[0]):
        s = a[i, 0] * 0
        for j in range(a.shape[1]):
            s += a[i, j]
            b[i, a.shape[1] - 1 - j] = s


def ends(a, b):
    for j in prange(a.shape[1]):
        s = a[0, j] * 0
        for i in range(j, a.shape[0]):
            s += a[i, j]
            b[i, j] = s


SCANS = [rows, columns, greatest, products_of_columns, in_place, some, blocks, last_in_front, ends]


@pytest.mark.parametrize('f, dtype', [(f, np.int32) for f in SCANS] + [(rows, np.uint32), (columns, np.int64)])
def test_scan(f, dtype):
    run = jit(f, gpu=True)
    random = np.random.default_rng(7)
    for size in SIZES:
        a = random.integers(0, 100, size).astype(dtype)
        if dtype != np.uint32:
            a -= 50
        b = random.integers(0, 100, size).astype(dtype)
        expected = b.copy()
        with np.errstate(over='ignore'):
            f(a, expected)
        run(a, b)
        np.testing.assert_array_equal(b, expected, str(size))


@pytest.mark.parametrize('f', [rows, columns])
def test_floats_associate_where_they_may(f):
    run = jit(f, gpu=True, fastmath=True)
    random = np.random.default_rng(8)
    for size in SIZES:
        a = random.random(size)
        b = np.zeros(size)
        run(a, b)
        np.testing.assert_allclose(b, np.cumsum(a, axis=1 if f is rows else 0), rtol=1e-12)


def left_of(a, e, c):
    for i in prange(a.shape[0]):
        lo = 0
        hi = e.shape[0]
        while lo < hi:
            mid = (lo + hi) // 2
            if a[i] >= e[mid]:
                lo = mid + 1
            else:
                hi = mid
        c[i] = lo


def place_of(a, e, c):
    for i in prange(a.shape[0]):
        lo = 0
        hi = e.shape[0] - 1
        c[i] = -1
        while lo <= hi:
            mid = (lo + hi) // 2
            if e[mid] == a[i]:
                c[i] = mid
                break
            if e[mid] < a[i]:
                lo = mid + 1
            else:
                hi = mid - 1


def strides(a, e, c):
    for i in prange(a.shape[0]):
        s = 0
        step = e.shape[0] // 2
        while step > 0:
            s += int(e[step])
            step //= 2
        c[i] = s


@pytest.mark.parametrize('f', [left_of, place_of, strides])
def test_search(f):
    run = jit(f, gpu=True)
    random = np.random.default_rng(9)
    for n in (0, 1, 2, 3, 10, 1000):
        e = np.sort(random.integers(0, 50, n)).astype(np.float32)
        a = random.integers(-5, 55, 500).astype(np.float32)
        c = np.zeros(500, np.int64)
        expected = c.copy()
        f(a, e, expected)
        run(a, e, c)
        np.testing.assert_array_equal(c, expected, str(n))


def beyond(a, e, c):
    for i in prange(a.shape[0]):
        lo = 0
        hi = e.shape[0]
        while lo < hi:
            mid = (lo + hi) // 2
            if a[i] >= e[mid + 1]:
                lo = mid + 1
            else:
                hi = mid
        c[i] = lo


def test_a_search_beyond_the_end_is_an_error():
    e = np.arange(100, dtype=np.float32)
    a = np.full(500, 1000, np.float32)
    c = np.zeros(500, np.int64)
    with pytest.raises(IndexError):
        jit(beyond, gpu=True)(a, e, c)
