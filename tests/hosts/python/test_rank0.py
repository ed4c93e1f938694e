"""0-d arrays as arguments. Results computed from them are NumPy scalars; arguments that are returned are the same objects."""
import numpy as np
import pytest

import sweep_oracle
from conftest import function, run
from pyraptor import UnsupportedError, jit

VALUES = [np.array(2.5), np.array(3), np.array(np.float32(1.5)), np.array(1 + 2j), np.array(True), np.array(200, np.uint8)]
SAME = """x + 1|-x|abs(x)|x * x|x == 2|x.shape, x.ndim, x.size, x.dtype.itemsize|np.sin(x)|np.sum(x)|x.sum()|np.positive(x)|x[()]|float(x)|int(x)|x.item()
np.add(x, np.ones(3))|np.ones(3) * x|isinstance(x, np.ndarray)|np.isscalar(x)|np.exp(x)|str(x)|f'{x}'|np.maximum(x, 2)|bool(x)|g = lambda q: q * 2; return g(x)
s = 0.0; s = s + x; return s|np.mean(x), np.max(x), np.any(x)|np.cumsum(x)|np.full(3, x)|np.power(x, 2)|x ** 2|2 ** x|divmod(x, 2)|np.stack([x, x])|np.array([x, x])
round(x)|np.isnan(x)|np.signbit(x)
x & 1|x << 1|~x|np.array_equal(x, x)|np.linspace(x, 5, 3)|np.unique(x)|y = x; return y + 1, x is None|np.arange(10.0)[x]"""
RETURNED = ["x", "np.asarray(x)", "x, x", "g = lambda q: q\nreturn g(x)", "y = x\nreturn y, 1"]
#: 0-d arrays that functions make are numbers of the same type (docs/python.md).
NUMBERS = ["np.copy(x)", "x.copy()", "x.astype(np.complex128)", "np.where(x > 1, x, x)", "x.conj()", "np.real(x)", "np.array(x)", "np.zeros_like(x)", "x if x == x else 2 * x"]
CHANGES = ["y = x\ny += 1\nreturn y", "x[()] = 1\nreturn 0", "x[...] = 1\nreturn 0", "x.fill(1)\nreturn 0", "np.add(1, 2, out=x)", "y = x[...]\ny += 1\nreturn 0",
           "y = x.real\ny *= 2\nreturn 0", "y = np.asarray(x)\ny -= 1\nreturn 0", "y = 1.0 * x\nif y > 0:\n    y = x\ny += 1\nreturn y", "def g(q):\n    q += 1\n    return q\nreturn g(x)"]


@pytest.mark.parametrize("x", VALUES, ids=lambda x: str(x.dtype))
def test_numbers_of_them(x):
    for body in SAME.replace("\n", "|").split("|"):
        if x.dtype == bool and body.startswith(("np.sin", "np.exp", "np.power")):
            continue  # float16 in NumPy: docs/python.md
        f = function("x", body.replace("; ", "\n") if "; " in body else body)
        (wanted, error), (got, fault) = run(f, (x.copy(), )), run(jit(f), (x.copy(), ))
        if isinstance(fault, UnsupportedError) and (error is not None or x.dtype.kind in "cb"):
            continue
        if error is not None:
            assert isinstance(fault, type(error)), (body, error, fault, got)
            continue
        assert fault is None, (body, fault)
        assert sweep_oracle.wrong(wanted, got) is None, (body, wanted, got)


@pytest.mark.parametrize("x", VALUES, ids=lambda x: str(x.dtype))
def test_given_back(x):
    for body in RETURNED:
        f = function("x", body)
        got, wanted = jit(f)(x), f(x)
        for a, b in zip(got if isinstance(got, tuple) else (got, ), wanted if isinstance(wanted, tuple) else (wanted, )):
            assert a is b if isinstance(b, np.ndarray) else a == b, body


def test_numbers_in_place_of_new_arrays():
    for body in NUMBERS:
        f = function("x", body)
        got, wanted = jit(f)(np.array(2.5)), f(np.array(2.5))
        assert isinstance(got, np.generic) and got == wanted[()] and got.dtype == wanted.dtype, body


@pytest.mark.parametrize("body", CHANGES + ["x.ravel()", "np.atleast_1d(x)", "np.broadcast_to(x, (3,))", "np.expand_dims(x, 0)", "repr(x)"])
def test_refused(body):
    with pytest.raises(UnsupportedError):
        jit(function("x", body))(np.array(2.5))


def test_versions():
    f = jit(function("x", "isinstance(x, np.ndarray), x + 1"))
    assert f(np.float64(1.5)) == (False, 2.5) and f(np.array(1.5)) == (True, 2.5) and f(np.float64(1.5)) == (False, 2.5)
    g = jit(function("x, y", "y, x"))
    a, b = np.array(1), np.array(2)
    assert g(a, b)[0] is b and g(a, b)[1] is a and g((1, a), b)[1][1] is a


def test_subscripts():
    f = jit(function("x, a", "a[x]"))
    assert f(np.array(1), np.arange(3.0)) == 1.0
    with pytest.raises(UnsupportedError, match="0-d array"):
        f(np.array(1), np.ones((2, 2)))  # NumPy copies the row


def test_made_of_arrays_of_one_element():
    for body in ("np.reshape(x, ()) + 1", "x.reshape(())", "np.sin(x.reshape(())) * 2", "np.reshape(x, ()).ndim", "y = x.reshape(())\nreturn y * y, isinstance(y, np.ndarray)"):
        f = function("x", body)
        for x in (np.array([2.5]), np.array([[3]]), np.ones((2, 3))[:1, :1], np.array([1 + 2j])):
            got, wanted = jit(f)(x), f(x)
            assert got == wanted and np.asarray(got).dtype == np.asarray(wanted).dtype, (body, x)
    with pytest.raises(ValueError):
        jit(function("x", "x.reshape(())"))(np.ones(2))
    assert jit(function("x", "x.reshape(()) + 1"))(np.array(1.5)) == 2.5


@pytest.mark.parametrize("body", ["y = x.reshape(())\nx[0] = 5\nreturn y + 1", "y = x.reshape(())\ny += 1\nreturn y", "g = lambda q: q.reshape(())\nreturn g(x)",
                                  "y = x\nz = y.reshape(())\ny[0] = 1\nreturn z"])
def test_reads_that_would_see_stores_are_refused(body):
    with pytest.raises(UnsupportedError):
        jit(function("x", body))(np.ones(1))


@pytest.mark.parametrize("body", ["np.tensordot(x, x, axes=0)", "np.tensordot(x, np.ones(2), axes=0)", "np.tensordot(np.ones((2, 2)), x, axes=0)", "np.partition(x, 0)",
                                  "np.argpartition(x, 0)", "np.polyval(x, 2.0)", "np.average(x, weights=x)", "np.tile(x, 2)", "np.repeat(x, 2)", "np.append(x, x)", "np.outer(x, x)"])
def test_numbers_where_arrays_are_usual(body):
    f = function("x", body)
    for x in (np.array(2.5), np.float64(2.5), 2.5, 3):
        (wanted, error), (got, fault) = run(f, (x, )), run(jit(f), (x, ))
        assert isinstance(fault, type(error)) if error is not None else fault is None, (body, error, fault)
        if error is None:
            assert np.array_equal(wanted, got) and np.asarray(wanted).dtype == np.asarray(got).dtype and np.shape(wanted) == np.shape(got), body
