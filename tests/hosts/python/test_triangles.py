"""Serial loops from or to the diagonal of a matrix: blocks of 64 rows, or columns, have the same loop (pad_loops). ctest sets
VR_KERNEL_LOCAL and VR_KERNEL_TILES=1, so that all sizes do. Plain Python computes the same sums in the same order."""
import numpy as np
import pytest

from pyraptor import jit, prange


def below(a, b, c):
    for i in prange(c.shape[0]):
        for j in prange(c.shape[1]):
            s = b[0, j] * 0
            for k in range(i + 1, a.shape[0]):
                s += a[k, i] * b[k, j]
            c[i, j] = s


def above(a, b, c):
    for i in prange(c.shape[0]):
        for j in prange(c.shape[1]):
            s = b[0, j] * 0
            for k in range(i + 1):
                s += a[k, i] * b[k, j]
            c[i, j] = s


def columns_to_the_end(a, b, c):
    last = a.shape[0] - 1
    for i in prange(c.shape[0]):
        for j in prange(c.shape[1]):
            s = b[0, j] * 0
            n = 0
            for k in range(last - j, a.shape[0]):
                t = a[k, i]
                s += t * b[k, j]
                n += 1
            c[i, j] = s - n


def check(f, *args):
    wanted, got = args[-1].copy(), args[-1]
    f(*args[:-1], wanted)
    jit(f, gpu=True)(*args)
    assert np.array_equal(got, wanted)


@pytest.mark.parametrize("f", [below, above, columns_to_the_end])
@pytest.mark.parametrize("n, m", [(63, 10), (64, 64), (65, 33), (150, 129)])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_triangles(f, n, m, dtype):
    """The serial loop begins, or ends, at the diagonal; blocks of 64 rows have the same loop."""
    rng = np.random.default_rng(8)
    a, b = (rng.integers(-9, 9, (n, m if f is columns_to_the_end else n)).astype(dtype), rng.integers(-9, 9, (n, m)).astype(dtype))
    if f is columns_to_the_end:
        b = b[:, :n]
    c = np.zeros((a.shape[1], b.shape[1]), dtype)
    check(f, a, b, c)


def test_triangles_of_rows_outside_of_the_matrix():
    """The last row has no iteration, and its column does not exist."""
    rng = np.random.default_rng(9)
    check(below, rng.random((130, 129)), rng.random((130, 70)), np.zeros((130, 70)))
