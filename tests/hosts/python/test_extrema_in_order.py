"""Greatest and least floats of rows, which teams of work-items share without permission: the results have the bits of plain Python. ctest sets
VR_KERNEL_LOCAL and VR_KERNEL_TILES=1."""
import numpy as np
import pytest

from pyraptor import gpu, jit, prange

RNG = np.random.default_rng(12)


def greatest_of_rows(a, value):
    with gpu():
        for i in prange(a.shape[0]):
            m = value[i]
            for j in range(a.shape[1]):
                m = max(m, a[i, j])
            value[i] = m


def least_squares(a, value):
    with gpu():
        for i in prange(a.shape[0]):
            m = value[i]
            for j in range(a.shape[1]):
                x = a[i, j] * a[i, j]
                if x <= m:
                    m = x
            value[i] = m


def greatest_absolute(a, value):
    with gpu():
        for i in prange(a.shape[0]):
            m = value[i]
            for j in range(a.shape[1]):
                m = max(m, abs(a[i, j]))
            value[i] = m


@pytest.mark.parametrize("f", [greatest_of_rows, least_squares, greatest_absolute])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("length", [0, 1, 200, 1500])
def test_extrema_in_order(f, dtype, length):
    """Of zeros with different signs, and of NaNs, the result has the bits of the one that plain Python takes."""
    a = RNG.standard_normal((9, length)).astype(dtype)
    value = RNG.standard_normal(9).astype(dtype)
    a[2] = -abs(a[2])
    value[2] = -1
    if length > 100:
        a[1, 40:60] = np.nan
        a[2, 20::7] = 0.0
        a[2, 17::5] = -0.0
        a[3, :] = np.nan
        a[4, :] = -np.inf
        a[6] = 0.0
        a[6, 3::2] = -0.0
    value[5] = np.nan
    value[6] = -0.0
    value[7] = np.inf
    wanted, got = value.copy(), value.copy()
    f(a, wanted)
    jit(f)(a, got)
    assert np.array_equal(got.view(f"i{a.itemsize}"), wanted.view(f"i{a.itemsize}"))
