"""NumPy's functions of pairs of numbers, nan_to_num, subscripts of triangles, windows, polynomials, tensordot: plain Python is the oracle."""
import numpy as np
import pytest

import pyraptor
from conftest import compare, function

SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 2.5, np.inf, -np.inf, np.nan, 1e300, -3.25])


@pytest.mark.parametrize("name", ["fmax", "fmin", "logaddexp", "heaviside"])
def test_pairs(name):
    f = function("a, b", f"return np.{name}(a, b)")
    with np.errstate(all="ignore"):
        compare(f, SPECIAL[:, None], SPECIAL)
        compare(f, SPECIAL[:, None].astype(np.float32), SPECIAL.astype(np.float32))
        compare(f, np.arange(-3, 4), np.arange(7)[::-1])
        compare(f, SPECIAL, 1.5)
        compare(f, 2.0, -1.0)
        compare(f, np.float32(2), SPECIAL)


@pytest.mark.parametrize("name", ["gcd", "lcm"])
def test_whole_numbers(name):
    f = function("a, b", f"return np.{name}(a, b)")
    for dtype in (np.int64, np.int32, np.uint8, np.int16):
        a = np.array([0, 1, 2, 3, 4, 6, 12, 30, 49]).astype(dtype)
        compare(f, a[:, None], a)
        compare(f, a, dtype(4))
    compare(f, np.array([-4, 6, -9]), np.array([[6], [-4]]))
    compare(f, 12, 18)
    with pytest.raises(pyraptor.UnsupportedError):
        pyraptor.jit(f)(1.5, 2)


@pytest.mark.parametrize("call", ["cbrt(x)", "isposinf(x)", "isneginf(x)", "sinc(x)", "nan_to_num(x)", "nan_to_num(x, nan=2.0, posinf=5, neginf=-5.5)", "nan_to_num(x, True, -1.0)"])
def test_of_one_array(call):
    f = function("x", f"return np.{call}")
    with np.errstate(all="ignore"):
        for x in (SPECIAL, SPECIAL.reshape(2, 5).T, SPECIAL.astype(np.float32), np.arange(-3, 3), np.arange(3, dtype=np.int32)):
            compare(f, x, rtol=1e-10)
        for x in (1.5, np.nan, -np.inf, np.float32(np.inf)):
            compare(f, x, rtol=1e-10)


def test_infinity_is_replaced_by_the_largest_number_of_the_type():
    for dtype in (np.float32, np.float64):
        got = pyraptor.jit(function("x", "return np.nan_to_num(x)"))(np.array([np.inf, -np.inf, np.nan], dtype))
        assert got.dtype == dtype and list(got) == [np.finfo(dtype).max, np.finfo(dtype).min, 0]


@pytest.mark.parametrize("call", ["tril_indices(n)", "triu_indices(n)", "tril_indices(n, 1)", "triu_indices(n, -1)", "tril_indices(n, 0, 5)", "triu_indices(n, k=1, m=2)",
                                  "tril_indices_from(x)", "triu_indices_from(x, 1)", "tril_indices_from(x, -1)"])
def test_triangles(call):
    f = function("n, x", f"return np.{call}")
    for n in (0, 1, 4):
        compare(f, n, np.ones((3, n + 1)))


@pytest.mark.parametrize("name", ["hanning", "hamming", "blackman", "bartlett"])
def test_windows(name):
    f = function("n", f"return np.{name}(n)")
    for n in (-1, 0, 1, 2, 7, 20):
        compare(f, n)


@pytest.mark.parametrize("call", ["logspace(0.0, 2.0)", "logspace(a, 3, 4)", "logspace(0, a, num=5, endpoint=False, base=2.0)"])
def test_logspace(call):
    compare(function("a", f"return np.{call}"), 1.5)


@pytest.mark.parametrize("name", ["polyadd", "polysub", "polymul"])
def test_polynomials(name):
    f = function("a, b", f"return np.{name}(a, b)")
    for a in ([1.0, 2.0, 3.0], [0.0, 0.0, 1.0], [0.0], [2.0]):
        for b in ([1.0], [0.0, 2.0, -1.0, 4.0]):
            compare(f, np.array(a), np.array(b))
    compare(f, np.array([1, 2, 3]), np.array([4, 5]))
    compare(f, np.array([1, 2, 3]), np.array([4.5, 5]))


@pytest.mark.parametrize("call", ["take_along_axis(x, np.argsort(x, axis=0), axis=0)", "take_along_axis(x, np.argsort(x, axis=1), 1)", "take_along_axis(x, k, axis=-1)",
                                  "take_along_axis(y, np.argsort(y, axis=1), axis=1)"])
def test_take_along_axis(call):
    f = function("x, y, k", f"return np.{call}")
    r = np.random.default_rng(1)
    compare(f, r.normal(size=(3, 4)), r.normal(size=(2, 3, 4)), np.array([[1, -1]]))
    with pytest.raises(IndexError):
        pyraptor.jit(function("x, k", "return np.take_along_axis(x, k, axis=1)"))(np.ones((3, 4)), np.array([[4]]))


@pytest.mark.parametrize("axes", ["", ", 1", ", axes=0", ", axes=([1], [1])", ", axes=((1, 2), (1, 0))", ", axes=([-1, 0], [0, 1])"])
def test_tensordot(axes):
    f = function("a, b", f"return np.tensordot(a, b{axes})")
    r = np.random.default_rng(2)
    a = r.normal(size=(3, 3, 3))
    compare(f, a, r.normal(size=(3, 3, 3)))
    compare(f, np.arange(27).reshape(3, 3, 3), np.arange(27).reshape(3, 3, 3) - 5)
    compare(f, a, r.normal(size=(3, 3, 3)) + 1j)


def test_tensordot_of_all_axes_and_bad_shapes():
    f = function("a, b", "return np.tensordot(a, b, 2)")
    a = np.arange(12.0).reshape(3, 4)
    for b in (a + 1, (a * 1j)[::-1], np.ones((3, 4), int)):
        got = pyraptor.jit(f)(a, b)
        assert got == np.tensordot(a, b, 2) and got.dtype == np.tensordot(a, b, 2).dtype
    with pytest.raises(ValueError):
        pyraptor.jit(f)(np.ones((3, 4)), np.ones((3, 3)))
    f = function("a, b", "return np.tensordot(a, b, 1)")
    with pytest.raises(ValueError):
        pyraptor.jit(f)(np.ones((3, 4)), np.ones((3, 3)))


@pytest.mark.parametrize("call", ["'ij,jk->ik', a, b", "'ij,jk', a, b", "'ij,jk->ki', a, b", "'ij->ji', a", "'ij->', a", "'ij->j', a", "'ij', a", "'ii->i', c", "'ii', c", "'i,i', x, x",
                                  "'i,j->ij', x, x", "'ij,ij->i', a, a", "'ij,ij', a, a", "'bij,bjk->bik', d, d", "'ij,j->i', c, x", "'i,ij,j->', x, c, x", "'ij,jk,kl->il', a, b, a",
                                  "'ji', a", "'abc,bcd->ad', d, d", "'ijk,k->ji', d, x", "'i,i->i', x, x", "'ij,kl->', a, b"])
def test_einsum(call):
    f = function("a, b, c, d, x", f"return np.einsum({call})")
    r = np.random.default_rng(3)
    shapes = [(3, 4), (4, 3), (3, 3), (3, 3, 3), (3, )]
    compare(f, *(r.normal(size=s) for s in shapes))
    compare(f, *(r.integers(-5, 6, s) for s in shapes))
    compare(f, *(r.normal(size=s) + 1j for s in shapes), rtol=1e-11)


def test_einsum_is_refused():
    for call, text in (("'...i->...', a", "'...'"), ("'ij,jk', a", "does not match"), ("'ijk->i', a", "does not match"), ("'ij->iz', a", "does not match"), ("'ij->i', a > 0", "of bools")):
        with pytest.raises(pyraptor.UnsupportedError, match=text):
            pyraptor.jit(function("a", f"return np.einsum({call})"))(np.ones((2, 2)))
    with pytest.raises(ValueError):
        pyraptor.jit(function("a, b", "return np.einsum('ij,ij->i', a, b)"))(np.ones((2, 2)), np.ones((2, 3)))


def test_ldexp():
    f = function("x, k", "import math\nreturn math.ldexp(x, k)")
    for x in (0.0, -0.0, 1.0, 0.75, -3.5, 1.7e308, 5e-324, 1.2345678901234567e-300, np.inf, np.nan):
        for k in (0, 1, -1, 52, -52, 1000, -1000, 1023, -1022, -1074, -1100, 2000, -2000, 5000, -5000):
            compare(f, float(x), k)
