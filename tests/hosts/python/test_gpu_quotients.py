"""Accelerated loops whose bounds are quotients and remainders, and whose subscripts wrap around."""
import numpy as np
import pytest
from conftest import compare

from pyraptor import gpu, prange


def blocks(a, out, b):
    with gpu():
        for p in prange(a.shape[0] // b):
            for q in prange(a.shape[1] // b):
                s = 0.0
                for i in range(b):
                    for j in range(b):
                        s += a[b * p + i, b * q + j]
                out[p, q] = s


@pytest.mark.parametrize("b", [1, 2, 3, 7, 40, 64, -1, -3, 0])
def test_bounds_divided_by_a_parameter(b):
    compare(blocks, np.arange(41.0 * 50).reshape(41, 50), np.zeros((41, 50)), b)


def halves(u, color):
    with gpu():
        for i in prange(1, u.shape[0] - 1):
            for k in prange((u.shape[1] - 2) // 2):
                j = 1 + 2 * k + (i + color) % 2
                u[i, j] = u[i - 1, j] + u[i + 1, j] - u[i, j - 1] * u[i, j + 1]


@pytest.mark.parametrize("shape", [(9, 12), (9, 13), (3, 4), (2, 2), (3, 1), (40, 70)])
def test_every_other_element(shape):
    for color in (0, 1, 2, -1, -2):
        compare(halves, np.arange(float(shape[0] * shape[1])).reshape(shape) % 7, color)


def left_over(a, out, b):
    with gpu():
        for p in prange(out.shape[0]):
            for q in prange(a.shape[0] % b):
                out[p, q] = a[q] * p


@pytest.mark.parametrize("b", [1, 2, 7, 30, -1, -4, 0])
def test_bounds_that_are_remainders(b):
    compare(left_over, np.arange(1.0, 12.0), np.zeros((5, 12)), b)


def periodic(a, out, n, m, far):
    with gpu():
        for i in prange(n):
            for j in prange(m):
                out[i, j] = (a[(i + 1) % n, j] - a[(i - 1) % n, j] + 2 * a[i, (j + far) % m] - a[i, (j - far) % m] + a[(i + n - 1) % n, (j + m + 1) % m])


@pytest.mark.parametrize("far", [0, 1, 3, 11, 12, 13, 30, -1, -12, -40])
def test_periodic_grids(far):
    compare(periodic, np.arange(9.0 * 11).reshape(9, 11) % 13, np.zeros((9, 11)), 9, 11, far)


def test_periodic_grids_that_are_smaller_than_the_array():
    compare(periodic, np.arange(9.0 * 11).reshape(9, 11), np.zeros((9, 11)), 4, 5, 2)


def ring(a, out, n):
    with gpu():
        for i in prange(out.shape[0]):
            out[i] = a[(i + 5) % n]


@pytest.mark.parametrize("n", [1, 5, 6, 16, -1, -5, -16, 0])
def test_divisors_of_either_sign(n):
    compare(ring, np.arange(16.0), np.zeros(16), n)


def quarters(a, out, n, m):
    with gpu():
        for i in prange(a.shape[0] // 2):
            for j in prange(a.shape[1] // 2):
                p, q, r, s = a[2 * i, 2 * j], a[2 * i, 2 * j + 1], a[2 * i + 1, 2 * j], a[2 * i + 1, 2 * j + 1]
                out[i, j] = p + q + r + s
                out[i, m + j] = p - q
                out[n + i, j] = r - s
                out[n + i, m + j] = p * s


@pytest.mark.parametrize("n, m", [(20, 32), (20, 30), (20, 0), (0, 32)])
def test_stores_to_several_parts_of_an_array(n, m):
    """Parts that are the same (m or n is 0): the last of an iteration's stores remains."""
    compare(quarters, np.arange(40.0 * 64, dtype=np.float32).reshape(40, 64) % 31, np.zeros((40, 64), np.float32), n, m)
