"""Kernels whose serial loops are distributed: distances of all pairs, weights, sines with cosines; and short conditions, which become
choices. Run on PoCL with tiles and local memory as a GPU has them."""
import numpy as np
import pytest

from conftest import compare
from pyraptor import gpu, prange

RNG = np.random.default_rng(23)


def nearest(a, b, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            least = a[0, 0] * 0 + 100000
            at = -1
            for j in range(b.shape[0]):
                s = a[0, 0] * 0
                for k in range(a.shape[1]):
                    d = a[i, k] - b[j, k]
                    s += d * d
                if s < least:
                    least = s
                    at = j
            value[i] = least
            place[i] = at


def of_rows_behind(a, b, value, place):
    with gpu():
        for i in prange(1, a.shape[0]):
            total = 0.0
            for j in range(2, b.shape[0]):
                s = 1.0
                for k in range(1, a.shape[1] - 1):
                    s += a[i - 1, k + 1] * b[j - 2, k]
                total = total * 0.5 + s * j
            value[i] = total
            place[i] = i


def attention(a, b, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            top = -1e30
            total = 0.0
            for j in range(b.shape[0]):
                s = 0.0
                for k in range(a.shape[1]):
                    s += a[i, k] * b[j, k]
                if s > top:
                    total *= np.exp(top - s)
                    top = s
                total += np.exp(s - top)
            value[i] = top + np.log(total)
            place[i] = 0


def the_last_sum(a, b, value, place):
    with gpu():
        for i in prange(a.shape[0]):
            s = 0.0
            n = 0
            for j in range(b.shape[0]):
                s = s * 0.25
                for k in range(a.shape[1]):
                    s += a[i, k] * b[j, k]
                if s > 1:
                    n += 1
            value[i] = s
            place[i] = n


@pytest.mark.parametrize("f", [nearest, of_rows_behind, attention, the_last_sum])
@pytest.mark.parametrize("shape", [(3, 5, 4), (130, 70, 33), (7, 0, 3), (7, 3, 0)])
def test_all_pairs(f, shape):
    n, m, l = shape
    types = (np.float32, np.int32) if f is nearest else (np.float64,)
    for dtype in types:
        if 0 in shape and f is nearest:
            continue  # a[0, 0] is an element
        a, b = RNG.integers(-9, 9, (n, l)).astype(dtype), RNG.integers(-9, 9, (m, l)).astype(dtype)
        if f is not nearest:
            a, b = a / 8, b / 8
        compare(f, a, b, np.zeros(n, dtype), np.zeros(n, np.int64))
        compare(f, np.asfortranarray(a), b[:, ::-1].copy()[:, ::-1], np.zeros(n, dtype), np.zeros(n, np.int64))


def test_more_rows_than_a_strip():
    a, b = RNG.integers(-9, 9, (70000, 3)).astype(np.int32), RNG.integers(-9, 9, (4, 3)).astype(np.int32)
    value, place = np.zeros(70000, np.int32), np.zeros(70000, np.int64)
    from pyraptor import jit
    jit(nearest)(a, b, value, place)
    d = ((a[:, None, :] - b[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(value, d.min(axis=1))
    np.testing.assert_array_equal(place, d.argmin(axis=1))


def series(a, b, n, w):
    with gpu():
        for i in prange(a.shape[0]):
            c = 0.0
            s = 0.0
            for k in range(n):
                x = w * (k + 0.5)
                f = (x + 1) ** x
                c += f * np.cos(i * x)
                s += f * np.sin(i * x)
            a[i] = c
            b[i] = s


def two_weights(a, b, n, w):
    with gpu():
        for i in prange(a.shape[0]):
            c = 0.0
            for k in range(n):
                if k > 0:
                    c += np.exp(-w * k) * b[(i + k) % b.shape[0]] + np.log(k * w + 1) * i
                else:
                    c -= np.exp(-w * k)
            a[i] = c


def weights_of_columns(a, b, n, w):
    with gpu():
        for i in prange(a.shape[0]):
            for j in prange(b.shape[0]):
                c = 0.0
                for k in range(n):
                    c += np.exp(-w * k) * (i - j)
                if i == j:
                    a[i] = c


@pytest.mark.parametrize("f", [series, two_weights, weights_of_columns])
@pytest.mark.parametrize("n", [0, 1, 90])
def test_weights(f, n):
    for m in (1, 90):
        compare(f, RNG.random(m), RNG.random(max(m, 2)), n, 0.013, rtol=1e-9)


def masked(x, mask, out, n):
    with gpu():
        for i in prange(x.shape[0]):
            s = 0.0
            count = 0
            for j in range(n):
                t = x[j]
                if mask[j] != 0:
                    s += t * x[i]
                if j != i:
                    s += (t - x[i]) / (1.0 + abs(t - x[i]))
                if t > 0.5:
                    count += 1
                else:
                    t = -t
                    s -= t
            out[i] = s + count


def clamped(x, mask, out, n):
    with gpu():
        for i in prange(x.shape[0]):
            if mask[i] != 0:
                out[i] = x[i] * 2 + x[max(i - 1, 0)]
            else:
                out[i] = x[i]


def guarded(x, mask, out, n):
    with gpu():
        for i in prange(x.shape[0]):
            s = 0.0
            for j in range(n):
                if j + i < x.shape[0]:
                    s += x[i + j]
                if j >= i and mask[i] != 0:
                    s += x[j - i]
            out[i] = s


@pytest.mark.parametrize("f", [masked, clamped, guarded])
@pytest.mark.parametrize("n", [0, 7, 120])
def test_conditions(f, n):
    x = RNG.random(max(n, 1))
    x[RNG.random(x.size) < 0.05] = np.nan
    for mask in (np.ones(x.size, np.uint8), RNG.integers(0, 2, x.size).astype(np.uint8)):
        compare(f, x, mask, np.zeros(x.size), n)


def test_a_condition_does_not_hide_a_subscript_out_of_range():
    x = RNG.random(20)
    fault = compare(masked, x, np.ones(20, np.uint8), np.zeros(20), 21)
    assert isinstance(fault, IndexError)
