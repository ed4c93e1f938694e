"""Python functions that compiled code calls: pyraptor.pycall."""
import gc
import sys
import threading
import traceback

import numpy as np
import pytest

import pyraptor
from pyraptor import f32, f64, gpu, i64, jit, prange, pycall

calls = []


@pycall(result=float)
def noted(x, k):
    calls.append((x, k))
    return x * k


def uses_noted(x, n):
    s = 0.0
    for k in range(n):
        s += noted(x, k)
    noted(x, -1)
    return s


def test_numbers():
    for x in (1.5, np.float32(0.1), 3, np.int16(-7), True):
        calls.clear()
        wanted = uses_noted(x, 3)
        seen = list(calls)
        calls.clear()
        assert jit(uses_noted)(x, 3) == pytest.approx(wanted)
        assert calls == seen and [type(c[0]) for c in calls] == [type(x)] * 4 and type(calls[0][1]) is int


kept = []


@pycall
def store(x: f64[:], k: int) -> None:
    kept.append(x)
    x[k] = 7


def uses_store(x, k):
    before = x[k]
    store(x, k)
    return before + 10 * x[k]


def test_stores_reach_the_array():
    x = np.arange(5.0)
    assert jit(uses_store)(x, 3) == 73
    assert x[3] == 7
    # The array that the function has stored in a list is a copy.
    kept[-1][0] = 99
    assert x[0] == 0
    y = np.arange(10.0)
    assert jit(uses_store)(y[::-2], 1) == 77 and y[7] == 7


def test_a_read_only_array():
    x = np.arange(5.0)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        jit(uses_store)(x, 3)
    assert x[3] == 3


@pycall(result=(f64[:, :], i64, f32))
def several(n):
    return np.arange(n * 2).reshape(2, n), n, 0.5


def uses_several(n):
    a, k, h = several(n)
    a += 1
    return a, k, h


def test_several_results():
    a, k, h = jit(uses_several)(3)
    np.testing.assert_array_equal(a, [[1, 2, 3], [4, 5, 6]])
    assert a.dtype == np.float64 and type(k) is int and k == 3 and type(h) is np.float32 and h == 0.5


class Trouble(Exception):
    pass


@pycall(result=float)
def troubles(k):
    if k > 2:
        raise Trouble(k)
    return float(k)


def uses_troubles(x, n):
    for k in range(n):
        x[k] = troubles(k)
    return x


def test_exceptions_pass():
    x = np.full(5, -1.0)
    before = sys.getrefcount(x)
    f = jit(uses_troubles)
    for _ in range(5):
        with pytest.raises(Trouble) as e:
            f(x, 5)
        assert e.value.args == (3, )
        assert traceback.extract_tb(e.value.__traceback__)[-1].name == "troubles"
    np.testing.assert_array_equal(x, [0, 1, 2, -1, -1])
    del e
    gc.collect()
    assert sys.getrefcount(x) == before
    np.testing.assert_array_equal(f(x, 3), x)


@pycall(result=f64[:])
def wrong(k):
    return [np.zeros((2, 2)), np.zeros(2, complex), "no", np.arange(3)][k]


def uses_wrong(k):
    return wrong(k)


def test_results_that_differ_from_their_declared_type():
    f = jit(uses_wrong)
    for k, kind in enumerate((ValueError, TypeError, ValueError)):
        with pytest.raises(kind):
            f(k)
    np.testing.assert_array_equal(f(3), [0, 1, 2])


@jit
def inner(x):
    return x * 2 + 1


@pycall(result=float)
def compiled_again(x):
    return float(inner(x))


def test_compiled_code_inside():
    def f(x, n):
        for _ in range(n):
            x = compiled_again(x)
        return x

    assert jit(f)(1.0, 5) == f(1.0, 5)


def test_threads():
    f = jit(uses_several)
    f(2)
    out = []

    def work(n):
        for _ in range(50):
            out.append(f(n)[0].shape == (2, n))

    threads = [threading.Thread(target=work, args=(n, )) for n in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(out) == 200 and all(out)


def in_parallel(x):
    for i in prange(len(x)):
        x[i] = noted(x[i], 2)
    return x


def on_device(x):
    with gpu():
        for i in prange(len(x)):
            x[i] = noted(x[i], 2)
    return x


def test_refused():
    with pytest.raises(pyraptor.UnsupportedError, match="parallel loop"):
        jit(in_parallel)(np.ones(3))
    with pytest.raises(pyraptor.UnsupportedError, match="parallel loop"):
        jit(on_device)(np.ones(3))
    with pytest.raises(TypeError, match="result type"):
        pycall(lambda x: x)
    with pytest.raises(TypeError, match="result type"):
        pycall(lambda x: x, result="text")
    with pytest.raises(TypeError, match="needs a function"):
        pycall(3, result=float)

    def by_name(x):
        return noted(x, k=2)

    with pytest.raises(pyraptor.UnsupportedError, match="by position"):
        jit(by_name)(1.0)


def test_plain_python():
    assert noted(2.0, k=3) == 6 and noted.__name__ == "noted"


def test_inside_of_try():
    def f(k):
        try:
            return troubles(k)
        except ValueError:
            return 0.0

    def called(k):
        return troubles(k)

    def g(k):
        try:
            return called(k)
        except ValueError:
            return 0.0

    for h in (f, g):
        with pytest.raises(pyraptor.UnsupportedError, match="may raise"):
            jit(h)(3)
