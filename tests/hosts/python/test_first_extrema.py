"""Loops that note the first place of the least or greatest element of a row: teams of work-items share the row, and find the
same place as one after the other."""
import numpy as np
import pytest

from conftest import compare
from pyraptor import gpu, prange

RNG = np.random.default_rng(11)


def least(a, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            best = a[i, 0]
            at = 0
            for j in range(1, a.shape[1]):
                if a[i, j] < best:
                    best = a[i, j]
                    at = j
            value[i] = best
            place[i] = at


def greatest_of_columns(a, value, place):
    with gpu():
        for i in prange(a.shape[1]):
            best = a[0, i]
            at = np.int32(-1)
            for j in range(a.shape[0]):
                if best < a[j, i]:
                    at = np.int32(j)
                    best = a[j, i]
            value[i] = best
            place[i] = at


def below(a, limit, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            best = limit
            at = 1000000
            for j in range(a.shape[1]):
                x = a[i, j] * a[i, j]
                if best > x:
                    best = x
                    at = j + 5
            value[i] = best
            place[i] = at


def last_of_the_least(a, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            best = a[i, 0]
            at = 0
            for j in range(a.shape[1]):
                if a[i, j] <= best:
                    best = a[i, j]
                    at = j
            value[i] = best
            place[i] = at


def label_of_the_least(a, label, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            best = a[i, 0]
            at = label[0]
            for j in range(a.shape[1]):
                if a[i, j] < best:
                    best = a[i, j]
                    at = label[j]
            value[i] = best
            place[i] = at


def converted_label(a, label, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            best = a[i, 0]
            at = np.int64(label[0])
            for j in range(a.shape[1]):
                if a[i, j] < best:
                    best = a[i, j]
                    at = np.int64(label[j])
            value[i] = best
            place[i] = at


def counted(a, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            best = a[i, 0]
            at = 0
            n = 0
            for j in range(a.shape[1]):
                if a[i, j] < best:
                    best = a[i, j]
                    at = n
                n += 3
            value[i] = best
            place[i] = at


def rows(dtype, shape, values):
    a = RNG.integers(0, values, shape).astype(dtype)
    if dtype != np.int32 and values > 3:
        a[RNG.random(shape) < 0.1] = np.nan
        a[RNG.random(shape) < 0.1] *= -0.0
    return a


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32])
@pytest.mark.parametrize("shape", [(2, 9000), (3, 1500), (40, 600), (70, 130), (5, 1), (5, 2), (4, 33)])
@pytest.mark.parametrize("values", [2, 50, 1 << 20])
def test_first_places(dtype, shape, values):
    for f in (least, greatest_of_columns, last_of_the_least):
        a = rows(dtype, shape, values)
        n = a.shape[1] if f is greatest_of_columns else a.shape[0]
        compare(f, a, np.zeros(n, dtype), np.zeros(n, np.int64))
    a, n = rows(dtype, shape, values), shape[0]
    compare(label_of_the_least, a, RNG.integers(0, 9, shape[1]), np.zeros(n, dtype), np.zeros(n, np.int64))
    compare(converted_label, a, RNG.integers(0, 9, shape[1]).astype(np.int32), np.zeros(n, dtype), np.zeros(n, np.int64))
    compare(counted, a, np.zeros(n, dtype), np.zeros(n, np.int64))


@pytest.mark.parametrize("limit", [0.0, 4.0, 1e9, np.nan, np.inf])
def test_none_below_the_limit(limit):
    for shape in ((2, 5000), (50, 700)):
        a = np.asarray(RNG.integers(2, 5, shape), np.float64)
        compare(below, a, limit, np.zeros(shape[0]), np.zeros(shape[0], np.int64))
