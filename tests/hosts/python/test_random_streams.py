"""pyraptor.random: the same bits in plain Python, compiled, in parallel loops and on devices."""
import numpy as np
import pytest

import pyraptor
from conftest import function

R = pyraptor.random
FUNCTIONS = {"bits": (), "uniform": (), "normal": (), "exponential": (), "integer": (1000, ), "gamma": (0.7, )}
N = 3000


def draw_all(name, seed, n):
    counters = np.arange(n)
    return getattr(R, name)(seed, counters, *FUNCTIONS[name])


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("options", [{"parallel": False}, {"parallel": True}, {"gpu": True}])
def test_loops_give_the_same_bits(name, options):
    elem = {"bits": "np.uint64", "integer": "np.int64"}.get(name, "np.float64")
    args = "".join(f", {a}" for a in FUNCTIONS[name])
    one = f"    x[i] = pyraptor.random.{name}(seed, i{args})"
    loop = ["for i in prange(n):", one] if "gpu" not in options else ["with pyraptor.gpu():", "    for i in prange(n):", "    " + one]
    f = pyraptor.jit(function("seed, n", "\n".join([f"x = np.empty(n, {elem})", *loop, "return x"])), **options)
    got, wanted = f(5, N), draw_all(name, 5, N)
    assert got.dtype == wanted.dtype
    np.testing.assert_array_equal(got, wanted)
    assert f.report()[-1]["not_where_asked"] == [] or f.report()[-1].get("device") == ""


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays_on_the_device(name):
    args = "".join(f", {a}" for a in FUNCTIONS[name])
    f = pyraptor.jit(function("seed, k", f"with pyraptor.gpu():\n    x = pyraptor.random.{name}(seed, k{args})\nreturn x"), gpu=True)
    np.testing.assert_array_equal(f(5, np.arange(N)), draw_all(name, 5, N))
    assert f.report()[-1]["not_where_asked"] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numbers_one_by_one(name):
    wanted = draw_all(name, -3, 20)
    for n in range(20):
        one = getattr(R, name)(-3, n, *FUNCTIONS[name])
        assert type(one) is wanted.dtype.type and one == wanted[n]
    big = np.uint64(2**64 - 3)
    np.testing.assert_array_equal(getattr(R, name)(big, np.arange(20), *FUNCTIONS[name]), wanted)  # keys count modulo 2**64


def test_published_answer():
    assert R.bits(0, 0) == 0xe169c58d6627e8d5


def test_definition():
    u = R.uniform(9, np.arange(1000))
    assert ((u * 2.0**53) % 1 == 0).all() and (0 <= u).all() and (u < 1).all()
    k = R.integer(9, np.arange(1000), np.array([[1], [7], [10**18]]))
    assert k.shape == (3, 1000) and (k >= 0).all() and (k < np.array([[1], [7], [10**18]])).all() and len(set(k[2])) == 1000
    keys = R.normal(np.arange(50)[:, None], np.arange(60))
    assert keys.shape == (50, 60) and len(set(keys.ravel())) == 3000
    np.testing.assert_array_equal(keys[7], R.normal(7, np.arange(60)))


def test_permutations():
    for n in (0, 1, 2, 10, 1000):
        p = R.permutation(4, n)
        assert p.dtype == np.int64 and sorted(p) == list(range(n))
    counts = {}
    for key in range(6000):
        p = tuple(R.permutation(key, 3))
        counts[p] = counts.get(p, 0) + 1
    assert len(counts) == 6 and all(abs(c - 1000) < 4 * 29 for c in counts.values())
    np.testing.assert_array_equal(pyraptor.jit(function("k, x", "return x[pyraptor.random.permutation(k, len(x))]"))(4, np.arange(10.0)), R.permutation(4, 10))


def test_any_number_of_threads():
    body = "x = np.empty(n)\nfor i in prange(n):\n    x[i] = pyraptor.random.gamma(seed, i, 2.5)\nreturn x"
    before, results = pyraptor.config.threads, []
    try:
        for threads in (1, 2, 3):
            pyraptor.config.threads = threads
            results.append(pyraptor.jit(function("seed, n", body))(1, 5000))
    finally:
        pyraptor.config.threads = before
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_faults():
    for count in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            R.integer(1, 2, count)
    with pytest.raises(ValueError, match="at least 1"):
        R.integer(1, 2, np.array([3, 0]))
    with pytest.raises(ValueError, match="negative"):
        R.permutation(1, -1)
    with pytest.raises(ValueError):
        R.uniform(np.arange(3), np.arange(4))
    for call in (lambda: R.uniform(1.5, 2), lambda: R.uniform(1, 2.0), lambda: R.integer(1, 2, 3.0), lambda: R.gamma(1, 2, 1j), lambda: R.permutation(1, 2.5),
                 lambda: R.uniform("a", 1)):
        with pytest.raises(TypeError):
            call()


def test_gamma_of_special_shapes():
    assert R.gamma(1, 2, 0.0) == 0 and R.gamma(1, 2, np.inf) == np.inf and R.gamma(1, 2, 3) > 0
    assert np.isnan(R.gamma(1, 2, -1.0)) and np.isnan(R.gamma(1, 2, np.nan))


def test_empty():
    assert R.normal(1, np.arange(0)).shape == (0, ) and R.integer(1, np.zeros((2, 0), np.int64), 0 + 5).shape == (2, 0)
