"""Kernels whose work-items run tiles of the domain (register_tile). ctest sets VR_KERNEL_TILES=1, so that all sizes do. Plain Python computes the
same sums in the same order, so results are bit-identical."""
import numpy as np
import pytest

from pyraptor import jit, prange


def product(a, b, c):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s = c[i, j] * 0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def window(x, w, y):
    for i in prange(y.shape[0]):
        for j in prange(y.shape[1]):
            s = 0.0
            for di in range(w.shape[0]):
                for dj in range(w.shape[1]):
                    s += x[i + di, j + dj] * w[di, dj]
            y[i, j] = s


def pairs(p, f):
    for i in prange(p.shape[0]):
        fx = 0.0
        fy = 0.0
        for j in range(p.shape[0]):
            dx = p[j, 0] - p[i, 0]
            dy = p[j, 1] - p[i, 1]
            d = dx * dx + dy * dy + 0.25
            fx += dx / d
            fy += dy / d
        f[i, 0] = fx
        f[i, 1] = fy


def batches(a, b, c):
    for t in prange(a.shape[0]):
        for i in prange(a.shape[1]):
            for j in prange(b.shape[2]):
                s = 0.0
                for k in range(a.shape[2]):
                    s += a[t, i, k] * b[t, k, j]
                c[t, i, j] = s


def regions(a, b, c):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s = 0.0
            m = -1e30
            n = 0
            for k in range(a.shape[1]):
                v = a[i, k]
                if v > 0.4:
                    s += v * b[k, j]
                    n += 1
                elif b[k, j] > m:
                    m = b[k, j]
                for q in range(j % 3):
                    s += 0.5 * q
            if n > 2:
                c[i, j] = s + m
            else:
                c[i, j] = s - n


def pointers(rows, columns, x, y):
    """Loaded values are used as subscripts of other loads."""
    for i in prange(y.shape[0]):
        s = 0.0
        at = 0
        for k in range(rows.shape[0]):
            at = rows[at]
            s += x[columns[at]] * (i + 1)
        y[i] = s


PRODUCT, WINDOW, PAIRS, BATCHES, REGIONS, POINTERS = (jit(f, gpu=True) for f in (product, window, pairs, batches, regions, pointers))


def check(f, *args):
    wanted, got = args[-1].copy(order="K"), args[-1]
    f.__wrapped__(*args[:-1], wanted)
    f(*args)
    assert np.array_equal(got, wanted)


SIZES = [(1, 1, 1), (8, 128, 3), (9, 129, 2), (7, 127, 2), (20, 40, 1), (3, 257, 2), (0, 5, 3), (5, 5, 0)]


@pytest.mark.parametrize("n, m, k", SIZES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
def test_products(n, m, k, dtype):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-9, 9, s).astype(dtype) for s in ((n, k), (k, m)))
    check(PRODUCT, a, b, np.zeros((n, m), dtype))


@pytest.mark.parametrize("n, m, k", SIZES)
def test_conditions_and_loops_of_each_iteration(n, m, k):
    rng = np.random.default_rng(2)
    check(REGIONS, rng.random((n, k)), rng.random((k, m)), np.zeros((n, m)))


def test_strided_and_reversed_operands():
    rng = np.random.default_rng(3)
    a, b = rng.random((20, 6)), rng.random((6, 260))
    check(PRODUCT, a[::-2, ::2], b[::2, ::-1][:, 3:], np.zeros((10, 257)))
    check(PRODUCT, np.asfortranarray(a), b, np.zeros((260, 20)).T)


@pytest.mark.parametrize("n, m, r", [(5, 7, 1), (9, 40, 3), (4, 35, 5), (4, 4, 0)])
def test_windows(n, m, r):
    rng = np.random.default_rng(4)
    check(WINDOW, rng.random((n + r, m + r)), rng.random((r, r)), np.zeros((n, m)))


@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 97, 127, 128, 129])
def test_pairs(n):
    check(PAIRS, np.random.default_rng(5).random((n, 2)), np.zeros((n, 2)))


def test_a_third_dimension():
    rng = np.random.default_rng(6)
    check(BATCHES, rng.random((3, 9, 2)), rng.random((3, 2, 33)), np.zeros((3, 9, 33)))


def test_loads_that_depend_on_loads():
    rng = np.random.default_rng(7)
    n = 40
    check(POINTERS, rng.integers(0, n, n), rng.integers(0, n, n), rng.random(n), np.zeros(140))


def test_overlapping_operands_run_in_order():
    a = np.arange(400.0).reshape(20, 20) / 7
    b = a.copy()
    PRODUCT(a[:, :3], a[:3], a)  # the arrays overlap: results depend on the order, but nothing else may go wrong
    assert a.shape == b.shape


def test_faults_keep_their_record():
    @jit(gpu=True)
    def past(a, b, c):
        for i in prange(c.shape[0]):
            for j in prange(c.shape[1]):
                s = 0.0
                for k in range(a.shape[1] + 1):
                    s += a[i, k] * b[k, j]
                c[i, j] = s

    with pytest.raises(IndexError, match="axis"):
        past(np.ones((9, 3)), np.ones((3, 130)), np.zeros((9, 130)))
