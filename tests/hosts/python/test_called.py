"""NumPy's functions that the runtime computes: expressions against NumPy, over element types, layouts and special values."""
import numpy as np
import pytest

import pyraptor
from conftest import compare, function
from test_arrays import layouts

REAL = ["bool", "int8", "int32", "int64", "uint8", "uint16", "uint64", "float32", "float64"]
# Expressions of a matrix a, a vector v and a number x.
UNIQUE = ["np.unique(a)", "np.unique(v)", "np.unique(v, return_index=True)", "np.unique(v, return_inverse=True)",
          "np.unique(a, return_counts=True)", "np.unique(v, True, True, True)", "np.unique(v[::-2], return_index=True, return_counts=True)",
          "np.unique(x)", "np.unique(v[:0])", "np.unique(a + a)"]
MEDIAN = ["np.median(a)", "np.median(a, axis=0)", "np.median(a, axis=1)", "np.median(a, -1)", "np.median(v)", "np.median(v, axis=0)",
          "np.median(v[1:])", "np.median(x)", "np.median(a[:, ::2], axis=1)", "np.median(a + a)"]
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, np.nan, 1.5, -2.0, 1e300, 1e308, -1e308]


def sample(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if dtype.startswith("u"):
        return rng.integers(0, 9, shape).astype(dtype)
    return (rng.integers(-5, 6, shape) / (2 if dtype.startswith("f") else 1)).astype(dtype)


@pytest.mark.parametrize("text", UNIQUE + MEDIAN)
def test_functions(text):
    f = function("a, v, x", text)
    for dtype in REAL:
        if dtype == "bool" and ("a + a" in text or "median" in text):
            continue  # some versions of NumPy refuse means of bools
        v = sample(dtype, 11, 1)
        for a in layouts(sample(dtype, (4, 6))):
            compare(f, a, v, v[2])


@pytest.mark.parametrize("text", UNIQUE + MEDIAN)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(text, dtype):
    f = function("a, v, x", text)
    with np.errstate(all="ignore"):
        v = np.array(SPECIAL).astype(dtype)
        for a in (v.reshape(3, 4), np.sort(v).reshape(4, 3), np.zeros((3, 4), dtype), v[v > 0][:4].reshape(2, 2)):
            for w in (v, v[~np.isnan(v)], v[5:7]):
                compare(f, a, w, w[0])


def test_in_loops():
    f = function("a", """
total = 0.0
for i in range(a.shape[0]):
    u, c = np.unique(a[i], return_counts=True)
    total += np.median(a[i]) * u.size + c[0]
return total
""")
    compare(f, sample("float64", (20, 7)))


def test_empty_and_refused(check, make):
    with np.errstate(all="ignore"):
        for text in ("np.median(a, axis=0)", "np.unique(a)"):
            check(make("a", text), np.zeros((3, 0)))
    for text, word in (("np.median(a, axis=2)", "out of bounds"), ("np.unique(a, axis=0)", ""),
                       ("np.median(a, keepdims=True)", ""), ("np.unique(a * 1j)", "")):
        if word:
            with pytest.raises(Exception, match=word):
                raise check(make("a", text), np.ones((2, 3)))  # the exception that both raise
        else:  # NumPy itself is called
            check(make("a", text), np.ones((2, 3)))


def i0(x):
    return np.i0(x)


@pytest.mark.parametrize("x", [np.array([0.5, -2.0, 0.0, 20.0, np.nan]), np.arange(6).reshape(2, 3), np.zeros((0, 2)), np.array([1.5])],
                         ids=["floats", "integers", "nothing", "one"])
def test_bessel_function(x):
    np.testing.assert_allclose(pyraptor.jit(i0)(x), np.i0(x), rtol=1e-12)
    np.testing.assert_allclose(pyraptor.jit(i0)(x[::-1]), np.i0(x[::-1]), rtol=1e-12)


def test_bessel_function_of_float32_and_of_numbers():
    x = np.array([0.5, 3.0], np.float32)
    got = pyraptor.jit(i0)(x)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, np.i0(x), rtol=1e-6)
    assert abs(pyraptor.jit(i0)(1.5) - float(np.i0(1.5))) < 1e-14


def test_bessel_function_of_complex_numbers_is_refused():
    with pytest.raises(pyraptor.UnsupportedError):
        pyraptor.jit(i0)(np.array([1j]))
