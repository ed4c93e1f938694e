"""While loops with counters (count_loops), short inner loops (unroll_inner) and arithmetic on small integers (narrow_integers):
compiled functions compared with Python's."""

import random

import numpy as np
import pytest

from pyraptor import jit


def up(x, start, bound, step, stop):
    s = 0
    j = start
    while j < bound:
        if x[j] == stop:
            break
        s = s * 3 + x[j]
        j += step
    return s, j


def down_to(x, start, bound, step, stop):
    s = 0
    j = start
    while bound <= j and x[j] != stop:
        s = s * 3 + x[j]
        j = j - step
    return s, j


def twos(x, start, bound, step, stop):
    s = 0
    j = start
    while bound > j:
        s = s * 3 + x[j]
        j = 2 + j
    return s + step * stop, j


def nested(x, start, bound, step, stop):
    s = 0
    i = start
    while i < bound:
        j = i
        while j >= 0 and x[j] < stop:
            s = s + x[j] * (i - j)
            j -= 1
        s = 2 * s + j
        i += step
    return s, i


@pytest.mark.parametrize("function", [up, down_to, twos, nested])
def test_counters(function):
    compiled = jit(function)
    draw = random.Random(5)
    x = np.array([draw.randrange(6) for _ in range(40)])
    for _ in range(300):
        args = draw.randrange(0, 40), draw.randrange(0, 41), draw.randrange(1, 5), draw.randrange(7)
        # few iterations, so that the sums fit in 64 bits
        if function is not down_to:
            args = args[0], min(args[1], args[0] + 30), *args[2:]
        else:
            args = args[0], max(args[1], args[0] - 30), *args[2:]
        assert compiled(x, *args) == function(x.tolist(), *args), args


def test_a_step_of_zero_is_not_the_end():
    @jit
    def until(x, step):
        j = 0
        n = 0
        while j < 10:
            n += 1
            if n == x[0]:
                break
            j += step
        return n, j

    assert until(np.array([5]), 0) == (5, 0)
    assert until(np.array([5]), -3) == (5, -12)
    assert until(np.array([50]), 3) == (4, 12)


def test_counters_at_the_ends_of_int64():
    most = 2**63 - 1

    @jit
    def last(start, bound, step):
        n = 0
        j = start
        while j < bound:
            n += 1
            if n > 5:
                break
            j += step
        return n, j

    @jit
    def included(start, bound):
        n = 0
        j = start
        while j <= bound:
            n += 1
            if n > 5:
                break
            j += 1
        return n, j

    assert last(most - 4, most, 1) == (4, most)
    assert last(most - 4, most, 2) == (2, most)
    assert last(-most, most, 2**62) == (6, -most + 5 * 2**62 - 2**64)  # wraps
    assert included(most - 2, most) == (6, most + 3 - 2**64)
    assert included(most - 2, most - 1) == (2, most)


def window(a):
    out = np.zeros(a.shape, np.uint8)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            s = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    s += int(a[i + di, j + dj]) * (di + 2) * (3 - dj)
            out[i, j] = s // 36 % 256
    return out


def gradient(a):
    out = np.zeros(a.shape, np.uint8)
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            x = int(a[i, j]) - int(a[i, j - 1])
            y = int(a[i, j]) - int(a[i - 1, j])
            out[i, j] = min(abs(x) + abs(y), 255)
    return out


def products(a):
    out = np.zeros(a.shape, np.int64)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            p = int(a[i, j]) - 7
            for _ in range(3):
                p = p * int(a[i, j])
            out[i, j] = p
    return out


@pytest.mark.parametrize("function", [window, gradient, products])
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32"])
def test_small_integers(function, kind):
    compiled = jit(function)
    limits = np.iinfo(kind)
    rng = np.random.default_rng(3)
    for low, high in [(limits.min, limits.max), (limits.max - 2, limits.max), (limits.min, limits.min + 2)]:
        a = rng.integers(low, high, (9, 37), dtype=kind, endpoint=True)
        if function is products:
            a //= {"int32": 2**17, "uint16": 8}.get(kind, 1)  # the products fit in 64 bits
        assert np.array_equal(compiled(a), function(a.astype(object) if function is products else a))
