"""Kernels whose work-items share the loops of an iteration (cooperate). ctest sets VR_KERNEL_LOCAL, without which CPU devices have
no local memory, and VR_KERNEL_TILES, with which all launches use them."""

import re

import numpy as np
import pytest

from pyraptor import jit, prange

shared = jit(gpu=True, fastmath=True)


@shared
def softmax(a, out):
    for i in prange(a.shape[0]):
        top = a[i, 0]
        for j in range(a.shape[1]):
            top = max(top, a[i, j])
        total = np.float32(0)
        for j in range(a.shape[1]):
            total += np.exp(a[i, j] - top)
        for j in range(a.shape[1]):
            out[i, j] = np.exp(a[i, j] - top) / total


@shared
def normalise(a):
    for i in prange(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] / s


@shared
def sparse(start, place, value, x, y):
    for i in prange(y.shape[0]):
        s = 0.0
        for k in range(start[i], start[i + 1]):
            s += value[k] * x[place[k]]
        y[i] = s


@shared
def columns(a, x, y):
    for j in prange(a.shape[1]):
        s = 0.0
        for i in range(j + 1):
            s += a[i, j] * x[i]
        y[j] = s


@shared
def extremes(a, out):
    for i in prange(a.shape[0]):
        low = a[i, 0]
        high = a[i, 0]
        odd = 0
        for j in range(a.shape[1]):
            low = min(low, a[i, j])
            if a[i, j] > high:
                high = a[i, j]
            if a[i, j] % 2:
                odd += 1
        out[i, 0] = low
        out[i, 1] = high
        out[i, 2] = odd


@pytest.mark.parametrize("shape", [(1, 1), (5, 300), (300, 7), (33, 257), (2, 3000), (0, 4)])
def test_rows(shape):
    rng = np.random.default_rng(0)
    a = rng.normal(size=shape).astype(np.float32)
    out = np.zeros_like(a)
    softmax(a, out)
    e = np.exp(a.astype(float) - a.astype(float).max(axis=1, keepdims=True, initial=-np.inf))
    np.testing.assert_allclose(out, e / e.sum(axis=1, keepdims=True), rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("shape", [(1, 1), (5, 300), (70, 33), (3, 2000)])
def test_rows_in_place(shape):
    a = np.random.default_rng(1).uniform(1, 2, size=shape)
    expected = a / a.sum(axis=1, keepdims=True)
    normalise(a)
    np.testing.assert_allclose(a, expected, rtol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (600, 5), (70, 70), (1000, 41)])
def test_columns_of_different_lengths(shape):
    rng = np.random.default_rng(2)
    a, x = rng.normal(size=shape), rng.normal(size=shape[0])
    y = np.zeros(shape[1])
    columns(a, x, y)
    np.testing.assert_allclose(y, [(a[:j + 1, j] * x[:j + 1]).sum() for j in range(shape[1])], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (40, 300), (9, 1025)])
def test_extremes_and_counts_of_integers(shape):
    a = np.random.default_rng(3).integers(-1000, 1000, size=shape, dtype=np.int32)
    out = np.zeros((shape[0], 3), np.int32)
    extremes(a, out)
    np.testing.assert_array_equal(out, np.stack([a.min(axis=1), a.max(axis=1), (a % 2).sum(axis=1)], axis=1))


def matrix(rows, most, seed=4):
    rng = np.random.default_rng(seed)
    start = np.concatenate([[0], np.cumsum(rng.integers(0, most, rows))]).astype(np.int32)
    place = rng.integers(0, rows, start[-1], dtype=np.int32)
    value, x = rng.normal(size=start[-1]), rng.normal(size=rows)
    return start, place, value, x


def product(start, place, value, x):
    return [(value[b:e] * x[place[b:e]]).sum() for b, e in zip(start, start[1:])]


@pytest.mark.parametrize("rows, most", [(1, 5), (200, 40), (10, 900)])
def test_sparse_rows(rows, most):
    start, place, value, x = matrix(rows, most)
    y = np.zeros(rows)
    sparse(start, place, value, x, y)
    np.testing.assert_allclose(y, product(start, place, value, x), rtol=1e-9, atol=1e-12)


def test_subscripts_from_the_end():
    start, place, value, x = matrix(50, 20)
    place[::3] -= 50
    y = np.zeros(50)
    sparse(start, place, value, x, y)
    np.testing.assert_allclose(y, product(start, place, value, x), rtol=1e-9, atol=1e-12)


def test_the_first_fault_of_a_row_is_reported():
    start = np.array([0, 700], np.int32)
    place, value, x = np.zeros(700, np.int32), np.ones(700), np.ones(9)
    place[[400, 401, 650]] = [9, 77, 99]
    with pytest.raises(IndexError, match="index 9"):
        sparse(start, place, value, x, np.zeros(1))


def test_a_row_that_leaves_its_array():
    start = np.array([0, 3, 9], np.int32)
    with pytest.raises(IndexError):
        sparse(start, np.zeros(6, np.int32), np.ones(6), np.ones(4), np.zeros(2))
    start = np.array([0, 3, 6], np.int32)
    y = np.zeros(2)
    sparse(start, np.zeros(6, np.int32), np.ones(6), np.ones(4), y)
    np.testing.assert_array_equal(y, [3, 3])


@pytest.mark.parametrize("f, arguments", [
    (softmax, (np.zeros((5, 300), np.float32), np.zeros((5, 300), np.float32))),
    (sparse, (*matrix(9, 30), np.zeros(9))),
    (columns, (np.zeros((300, 5)), np.zeros(300), np.zeros(5))),
])
@pytest.mark.usefixtures("device")
def test_the_launch_used_teams(f, arguments):
    assert re.search(r"_team\d+\(", f.inspect("opencl", *arguments))


@pytest.mark.usefixtures("device")
def test_strict_sums_keep_their_order():
    @jit(gpu=True)
    def rows(a, y):
        for i in prange(a.shape[0]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k]
            y[i] = s

    a = np.random.default_rng(5).normal(size=(7, 900))
    y = np.zeros(7)
    rows(a, y)
    np.testing.assert_array_equal(y, np.cumsum(a, axis=1)[:, -1])
    assert not re.search(r"_team\d+\(", rows.inspect("opencl", a, y))
