"""Loops of which every n-th iteration does something (stride_loops), and tiles along the dimension on which conditions do not depend
(register_tile). ctest sets VR_KERNEL_TILES=1, so that all sizes have these kernels. Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import jit, prange


def upsample(x, h, out):
    """Zeros between samples, then a filter."""
    for r in prange(out.shape[0]):
        for n in prange(out.shape[1]):
            s = 0
            for k in range(h.shape[0]):
                if (n - k) % 4 == 0:
                    at = (n - k) // 4
                    if at >= 0 and at < x.shape[1]:
                        s += h[k] * x[r % 11, at]
            out[r, n] = s


def remainders(x, h, out):
    """Other remainders, bits, steps and numbers that begin below 0."""
    for r in prange(out.shape[0]):
        for n in prange(out.shape[1]):
            s = 0
            for k in range(-5, 12):
                if (n * 5 + 3 * k - r) % 8 == 6:
                    s = (s * 3 + k) % 1009
            for k in range(n):
                if (k - r) & 1:
                    s = (s * 5 + k) % 1009
                if (k + r) & 3 == 2 and k != 6:
                    s = (s * 7 - k) % 1009
            out[r, n] = s


def transposed(x, h, out):
    """Both of two loops; the outer one's condition is in the inner loop."""
    for r in prange(out.shape[0]):
        for n in prange(out.shape[1]):
            s = 0
            for k in range(h.shape[0] // 2):
                for l in range(4):
                    y = r + 1 - k
                    z = n + 1 - l
                    if y % 2 == 0 and z % 2 == 0:
                        y //= 2
                        z //= 2
                        if 0 <= y < x.shape[0] and 0 <= z < x.shape[1]:
                            s += x[y, z] * h[k + l]
            out[r, n] = s


def left_out(x, h, out):
    """Conditions that only look like it."""
    for r in prange(out.shape[0]):
        for n in prange(out.shape[1]):
            s = 0
            last = 0
            for k in range(h.shape[0]):
                last = n - k
                if last % 4 == 0:
                    s += h[k]
            for k in range(h.shape[0]):
                if (n - 2 * k) % 4 == 0:
                    s += h[k] * 3
            for k in range(h.shape[0]):
                if (n - k) % 3 == 0:
                    s += h[k] * 5
                else:
                    s -= 1
            for k in range(h.shape[0]):
                if (n - k) % 2 == 0:
                    if k > 5:
                        break
                    s += k
            out[r, n] = s * 100 + last


def under_conditions(x, h, out):
    """The condition depends on the column alone: rows share it."""
    for r in prange(out.shape[0]):
        for n in prange(out.shape[1]):
            s = 0
            for k in range(h.shape[0]):
                if h[k] > n:
                    s += x[k % x.shape[0], 0] * (r + 1) + h[k]
            out[r, n] = s


def under_conditions_of_rows(x, h, out):
    """The condition depends on the row alone: columns share it."""
    for r in prange(out.shape[0]):
        for n in prange(out.shape[1]):
            s = 0
            for k in range(h.shape[0]):
                if h[k] > r:
                    s += x[k % x.shape[0], 0] * (n + 1) + h[k]
            out[r, n] = s


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (9, 70), (40, 33), (17, 130), (0, 5), (5, 0)])
@pytest.mark.parametrize("f", [upsample, remainders, transposed, left_out, under_conditions, under_conditions_of_rows])
def test_like_plain_python(f, shape):
    rng = np.random.default_rng(4)
    x, h = rng.integers(-9, 90, (11, 23)), rng.integers(-9, 60, 17)
    wanted, got = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    f(x, h, wanted)
    jit(f, gpu=True)(x, h, got)
    assert np.array_equal(got, wanted)
