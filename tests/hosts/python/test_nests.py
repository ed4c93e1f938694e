"""Nested parallel loops, on threads and in accelerated sections, where they become kernels of several dimensions."""
import math

import numpy as np
import pytest

import pyraptor
from pyraptor import gpu, jit, prange

OPT_LEVEL = 2
WHERE = pytest.mark.parametrize("on", [{}, {"gpu": True}], ids=["threads", "device"])


def numbers(*shape, dtype=np.float64):
    return np.random.default_rng(len(shape)).random(shape).astype(dtype)


def product(a, b, c):
    for i in prange(a.shape[0]):
        for j in prange(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def lower_triangle(a):
    for i in prange(a.shape[0]):
        for j in prange(i + 1):
            a[i, j] = i * 100 + j


def upper_triangle(a):
    for i in prange(a.shape[0]):
        for j in prange(i, a.shape[1]):
            a[i, j] += i * 100 + j


def columns(a, b):
    for i in prange(a.shape[1]):
        for j in prange(a.shape[0]):
            b[j, i] = a[j, i] * 2


def three(a):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            for k in prange(a.shape[2]):
                a[i, j, k] = i + 10 * j + 100 * k


def four(a):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            for k in prange(a.shape[2]):
                for l in prange(a.shape[3]):
                    a[i, j, k, l] += i + 10 * j + 100 * k + 1000 * l


def softmax(a, b):
    for i in prange(a.shape[0]):
        m = -math.inf
        for k in range(a.shape[1]):
            m = max(m, a[i, k])
        s = 0.0
        for k in range(a.shape[1]):
            s += math.exp(a[i, k] - m)
        for j in prange(a.shape[1]):
            b[i, j] = math.exp(a[i, j] - m) / s


def in_parts(a, b):
    for i in prange(a.shape[0]):
        b[i, 0] = 7
        t = a[i, 1] * 2
        for j in prange(a.shape[1]):
            b[i, j] = a[i, j] + t
        b[i, 1] = b[i, 2] + 1
        for j in prange(2, a.shape[1]):
            a[i, j] = b[i, j]


def eliminate(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in prange(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in prange(k, n):
                a[i, j] -= f * a[k, j]
            a[i, k] = f


def rows_of_their_own_length(a, ends):
    for i in prange(len(ends)):
        for j in prange(ends[i]):
            a[i, j] = i - j


def under_a_condition(a):
    for i in prange(a.shape[0]):
        if i % 3 == 1:
            for j in prange(a.shape[1]):
                a[i, j] = 5


def histogram(image, count):
    for i in prange(image.shape[0]):
        for j in prange(image.shape[1]):
            count[image[i, j]] += 1


PROGRAMS = [(product, numbers(17, 9), numbers(9, 23), np.zeros((17, 23))),
            (product, numbers(0, 9), numbers(9, 23), np.zeros((0, 23))),
            (product, numbers(17, 0), numbers(0, 1), np.ones((17, 1))),
            (lower_triangle, np.zeros((33, 40))), (lower_triangle, np.zeros((1, 1))), (lower_triangle, np.zeros((0, 0))),
            (upper_triangle, numbers(33, 40)), (upper_triangle, numbers(40, 33)),
            (columns, numbers(19, 31), np.zeros((19, 31))), (columns, numbers(19, 31).T, np.zeros((31, 19))),
            (columns, numbers(19, 31)[::-2, ::3], np.zeros((10, 11))),
            (three, np.zeros((5, 6, 7))), (three, np.zeros((5, 0, 7))), (four, numbers(3, 4, 5, 6)),
            (softmax, numbers(13, 29), np.zeros((13, 29))), (softmax, numbers(13, 3), np.zeros((13, 3))),
            (in_parts, numbers(12, 21), np.zeros((12, 21))), (in_parts, numbers(12, 5), np.zeros((12, 5))),
            (in_parts, numbers(12, 21, dtype=np.float32), np.zeros((12, 21))),
            (eliminate, numbers(24, 24) + 24 * np.eye(24)), (eliminate, numbers(2, 2) + np.eye(2)),
            (rows_of_their_own_length, np.zeros((6, 9)), np.array([0, 9, 3, 1, 0, 5])), (under_a_condition, np.zeros((8, 9))),
            (histogram, (numbers(50, 60) * 9).astype(np.int64), np.zeros(9, np.int64))]


@WHERE
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p[0].__name__}{[a.shape for a in p[1:]]}")
def test_nests(check, program, on):
    function, *args = program
    check(function, *[a.copy() if a.base is None else a for a in args], rtol=1e-13, **on)


def test_one_launch_for_a_nest_and_one_for_each_part():
    def launches(function, *args):
        f = jit(function, gpu=True)
        f(*args)
        if not f.report()[0].get("device"):
            pytest.skip("no OpenCL device")
        assert f.report()[0]["not_where_asked"] == []
        before = pyraptor.device_use()["launches"]
        f(*args)
        return pyraptor.device_use()["launches"] - before

    assert launches(product, numbers(17, 9), numbers(9, 23), np.zeros((17, 23))) == 1
    assert launches(three, np.zeros((5, 6, 7))) == 1
    assert launches(histogram, np.zeros((5, 6), np.int64), np.zeros(9, np.int64)) == 1
    assert launches(softmax, numbers(13, 29), np.zeros((13, 29))) == 2
    # Short loops are not launched separately.
    assert launches(softmax, numbers(13, 3), np.zeros((13, 3))) == 1


@WHERE
def test_arrays_that_overlap(on):
    for function in (in_parts, columns):
        base, expected = numbers(12, 22), numbers(12, 22)
        jit(function, **on)(base[:, 1:], base[:, 1:])
        function(expected[:, 1:], expected[:, 1:])
        assert np.array_equal(base, expected)


@WHERE
def test_faults(on):
    def outside(a, b):
        for i in prange(a.shape[0]):
            b[i, 0] = 1
            for j in prange(a.shape[1]):
                b[i, j] = a[i, j]

    b = np.zeros((5, 8))
    with pytest.raises(IndexError):
        jit(outside, **on)(numbers(5, 9), b)
    jit(outside, **on)(numbers(5, 8), b)
    assert np.array_equal(b, numbers(5, 8))

    def before_no_iterations(a, b):
        for i in prange(a.shape[0]):
            t = b[i]
            for j in prange(a.shape[1]):
                a[i, j] = t

    with pytest.raises(IndexError):
        jit(before_no_iterations, **on)(np.zeros((5, 0)), np.zeros(3))


def total(x, n):
    s, p, z, w = 0.0, 0, 0j, x.dtype.type(0)
    with gpu():
        for i in prange(n):
            s += x[i]
            p += i
            z += x[i] * 1j
            w += x[i]
    return s, p, z, w


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 1000, 2**18 - 1, 2**18, 2**18 + 1, 3 * 2**18 + 17])
def test_sums_in_sections(n):
    x = numbers(n)
    s, p, z, w = jit(total)(x, n)
    assert p == n * (n - 1) // 2
    assert all(np.isclose(v, x.sum(), rtol=1e-12, atol=1e-15) for v in (s, z.imag, w))
    s, p, z, w = jit(total)(x.astype(np.float32), n)
    assert type(w) is np.float32 and np.isclose(w, x.astype(np.float32).sum(dtype=np.float64), rtol=1e-7)


def copied(a, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = a[i, j]


@WHERE
def test_inner_loops_over_elements_that_overlap(on):
    """The inner loop has independent iterations only if elements are distinct: here the last one of each row counts."""
    a = numbers(40, 50, dtype=np.float32)
    store = np.zeros(400, np.float32)
    jit(copied, **on)(a, np.lib.stride_tricks.as_strided(store, (40, 50), (40, 0)))
    assert (store[::10] == a[:, -1]).all()
    for out in (np.zeros((40, 50), np.float32), np.zeros((50, 40), np.float32).T, np.zeros((80, 100), np.float32)[::2, ::-2]):
        jit(copied, **on)(a, out)
        assert (out == a).all()


def scores(q, k, v, out):
    for i in prange(q.shape[0]):
        p = np.empty(64, np.float32)
        top = np.float32(-1e30)
        for j in range(64):
            s = np.float32(0)
            for d in range(q.shape[1]):
                s += q[i, d] * k[j, d]
            p[j] = s
            top = max(top, p[j])
        total = np.float32(0)
        for j in range(64):
            p[j] = np.exp(p[j] - top)
            total += p[j]
        for d in range(v.shape[1]):
            s = np.float32(0)
            for j in range(64):
                s += p[j] * v[j, d]
            out[i, d] = s / total


@WHERE
@pytest.mark.parametrize("n", [0, 1, 37, 300])
def test_arrays_of_an_iteration(n, on):
    q, k, v = numbers(n, 24, dtype=np.float32), numbers(64, 24, dtype=np.float32), numbers(64, 40, dtype=np.float32)
    out, wanted = np.zeros((n, 40), np.float32), np.zeros((n, 40), np.float32)
    scores(q, k, v, wanted)
    jit(scores, **on)(q, k, v, out)
    assert np.allclose(out, wanted, rtol=1e-5)


def greatest_and_sum(u, v):
    e = np.float32(0)
    s = 0.0
    for i in prange(u.shape[0]):
        for j in prange(u.shape[1]):
            v[i, j] = u[i, j] * 2
            e = max(e, abs(u[i, j]))
            s += u[i, j]
    return e, s


def how_many(u, v):
    c = 0
    s = 0.0
    for i in prange(u.shape[0]):
        for j in prange(u.shape[1]):
            if u[i, j] > 0:
                c += 1
                s += v[i, j]
    return c, s


def of_a_triangle(u, v):
    s, c = 0.0, 0
    for i in prange(u.shape[0]):
        for j in prange(min(i + 1, u.shape[1])):
            s += u[i, j]
            c += j
            v[i, j] = j
    return s, c


def every_third_backwards(u, v):
    s, p = 0.0, True
    for i in prange(u.shape[0] - 1, -1, -2):
        for j in prange(u.shape[1] - 1, -1, -3):
            s += u[i, j]
            p = p and u[i, j] < 3
            v[i, j] = u[i, j]
    return s, p


def of_blocks(u, v):
    s = 0.0
    for i in prange((u.shape[0] + 7) // 8):
        for j in prange((u.shape[1] + 7) // 8):
            for k in prange(8 * i, min(8 * i + 8, u.shape[0])):
                for l in prange(8 * j, min(8 * j + 8, u.shape[1])):
                    if u[k, l] < 0:
                        continue
                    s += u[k, l] * v[k, l]
    return s, 0


def with_a_value_of_the_row(u, v):
    s = 0.0
    for i in prange(u.shape[0]):
        x = v[i, 0] if u.shape[1] > 0 else np.float32(0)
        for j in prange(u.shape[1]):
            s += u[i, j] * x
    return s, 0


@WHERE
@pytest.mark.parametrize("f", [greatest_and_sum, how_many, of_a_triangle, every_third_backwards, of_blocks, with_a_value_of_the_row])
def test_reductions_of_nests(f, on):
    """The work-items of a device share the innermost loop of a nest. If a loop contains something else as well, each of its iterations is a block."""
    run = jit(f, **on)
    for shape in ((1, 1), (5, 7), (0, 3), (3, 0), (70, 300), (300, 70), (2, 9000), (4100, 3)):
        u = np.random.default_rng(5).standard_normal(shape).astype(np.float32)
        v = u + 1
        w = v.copy()
        np.testing.assert_allclose(run(u, v), f(u, w), rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(v, w)


@pytest.mark.usefixtures("device")
def test_work_items_share_the_innermost_loop_of_a_nest():
    u = np.ones((3, 5), np.float32)
    inner, each = jit(how_many, gpu=True), jit(with_a_value_of_the_row, gpu=True)
    inner(u, u), each(u, u)
    assert ":ndims 3" in inner.inspect("vrir") and ":ndims 3" not in each.inspect("vrir")


def _hidden(u):
    for i in prange(len(u)):
        u[i] += 1
    u[:] = u * 2


def vr_named(u):
    for i in prange(len(u)):
        u[i] += 1
    u[:] = u * 2


def größer(u):
    for i in prange(len(u)):
        u[i] += 1
    u[:] = u * 2


@pytest.mark.parametrize("f", [_hidden, vr_named, größer])
def test_names_that_kernels_must_not_have(f):
    u = np.ones(5)
    jit(f, gpu=True)(u)
    np.testing.assert_array_equal(u, 4 * np.ones(5))
