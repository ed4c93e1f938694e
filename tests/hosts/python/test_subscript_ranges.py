"""Subscripts whose range only their type or their formula tells: kernels without checks where that range suffices, the same
elements and errors as plain Python where it does not."""
import numpy as np
import pytest

from conftest import compare
from pyraptor import gpu, jit, prange

RNG = np.random.default_rng(5)
N = 300


def look_up(a, table, out):
    with gpu():
        for i in prange(a.shape[0]):
            out[i] = table[a[i]]


def count(a, bins):
    with gpu():
        for i in prange(a.shape[0]):
            bins[a[i]] += 1


def masked(a, table, out):
    with gpu():
        for i in prange(a.shape[0]):
            out[i] = table[(a[i] * 31) & 15]


def remainder(a, table, out):
    with gpu():
        for i in prange(a.shape[0]):
            out[i] = table[a[i] % 7]


def nearest(a, scale, shift, out):
    with gpu():
        for i in prange(out.shape[0]):
            for j in prange(out.shape[1]):
                y = np.float32(i) * scale + shift
                x = np.float32(j) * scale + shift
                out[i, j] = a[int(y), int(x)]


def between(a, scale, out):
    with gpu():
        for i in prange(out.shape[0]):
            x = (i + 0.5) / scale - 0.5
            k = int(np.floor(x))
            t = x - k
            out[i] = (1 - t) * a[k] + t * a[k + 1]


def outcome(f, *args):
    return type(compare(f, *args))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16])
@pytest.mark.parametrize("length", [256, 300, 70000, 10])
def test_tables_of_elements_for_small_integers(dtype, length):
    table = RNG.random(length)
    for most in (min(length, np.iinfo(dtype).max + 1), 10):
        compare(look_up, RNG.integers(0, most, N).astype(dtype), table, np.zeros(N))
    if np.iinfo(dtype).min < 0:
        compare(look_up, RNG.integers(-10, 10, N).astype(dtype), table, np.zeros(N))
    compare(count, RNG.integers(0, 10, N).astype(dtype), np.zeros(length, np.int32))


@pytest.mark.parametrize("dtype, value", [(np.uint8, 10), (np.uint8, 255), (np.int8, -11), (np.int8, 127), (np.uint16, 65535), (np.int16, -32768)])
def test_small_integers_beyond_a_short_table(dtype, value):
    a = np.zeros(N, dtype)
    a[N // 2] = value
    assert outcome(look_up, a, np.arange(10.0), np.zeros(N)) is IndexError
    assert outcome(count, a, np.zeros(10, np.int32)) is IndexError


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8, np.uint32])
def test_bits_and_remainders(dtype):
    a = RNG.integers(0, 100, N).astype(dtype)
    compare(masked, a, np.arange(16.0), np.zeros(N))
    compare(remainder, a, np.arange(7.0), np.zeros(N))
    if np.iinfo(dtype).min < 0:
        compare(masked, -a, np.arange(16.0), np.zeros(N))
        compare(remainder, -a, np.arange(7.0), np.zeros(N))
    a[:] = 7
    compare(masked, a, np.arange(10.0), np.zeros(N))  # 217 & 15 is 9
    compare(remainder, a, np.arange(1.0), np.zeros(N))
    assert outcome(masked, a, np.arange(9.0), np.zeros(N)) is IndexError
    a[3] = 6
    assert outcome(remainder, a, np.arange(6.0), np.zeros(N)) is IndexError


@pytest.mark.parametrize("scale, shift", [(0.5, 0), (0.25, 3.5), (0.3, 0), (-0.5, 19.5), (-0.1, -0.2), (0, 0)])
def test_coordinates_within_the_image(scale, shift):
    compare(nearest, RNG.random((20, 20)), np.float32(scale), np.float32(shift), np.zeros((40, 36)))


@pytest.mark.parametrize("scale, shift", [(0.6, 0), (0.5, -30), (np.nan, 0), (np.inf, 0), (1e30, 0), (0.5, np.inf), (3e38, -3e38), (1e9, 0), (3e9, 0)])
def test_coordinates_outside_of_it(scale, shift):
    # Python's integers have no limit: what does not fit 64 bits is no subscript there, and an overflow here.
    with np.errstate(all="ignore"), pytest.raises((IndexError, ValueError, OverflowError)):
        jit(nearest)(RNG.random((20, 20)), np.float32(scale), np.float32(shift), np.zeros((40, 36)))


@pytest.mark.parametrize("scale", [2.0, 1.7, 4.0, 100.0])
def test_interpolation(scale):
    compare(between, RNG.random(int(40 / scale) + 2), scale, np.zeros(40))


@pytest.mark.parametrize("scale", [0.5, 0.0, -1.0, np.nan, 5e-324])
def test_interpolation_outside(scale):
    with np.errstate(all="ignore"):
        fault = compare(between, RNG.random(22), scale, np.zeros(40))
    assert isinstance(fault, Exception)
