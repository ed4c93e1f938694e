"""Functions of NumPy and Python that compiled code calls through the interpreter (_through.py)."""
import cmath
import math

import numpy as np
import pyraptor
import pytest

from conftest import function
from tables import cases, refusal, run

F, C, I = np.array([0.5, 1.5, 3.0]), np.array([1 + 2j, 0.5j, -1.0]), np.arange(12).reshape(3, 4)


@cases(("a, b", "np.logaddexp(a, b)", (F, F), (1.0, 2.0), (1, 2)), ("a", "np.frexp(a)", F, 2.0), ("a", "np.signbit(a), np.copysign(a, -1.0)", F, -0.0),
       ("a", "np.kron(a, a)", F, I), ("a", "np.unwrap(a)", np.array([0, 3.5, 7.1])), ("a", "np.polyfit(a, a * 2, 1)", F), ("a, b", "np.logspace(a, b, 5)", (1.0, 2.0)),
       ("a", "np.sort(a), np.argsort(a)", C), ("a", "np.partition(a, (0, 2))", F), ("a, b", "np.searchsorted(a, b)", (C, C)), ("a", "a.var(), np.std(a)", C),
       ("a", "np.sum(a, where=a > 1)", F), ("a", "s = 0.0\nfor k in range(a.ndim):\n    s += np.sum(a, axis=k)[0]\nreturn s", I * 1.0), ("a", "np.maximum(a, 1j)", C),
       ("a", "np.round(a, 1)", C), ("a", "np.cross(a, a[::-1])", I[:, :3]), ("a", "np.arcsinh(a), np.arctanh(a / 4)", F, C), ("a", "np.gcd(a, 6)", I, 4),
       ("a", "np.interp(a, [0.0, 2.0], [1j, 2.0])", F), ("a", "np.median(a, keepdims=True)", F), ("a, k", "np.eye(a, k=k)", (3, 1)))
def test_numpy(arguments, text, call):
    run(arguments, text, call)


@cases(("a", "math.gamma(a)", 3, 2.5, -1), ("a", "math.lgamma(a), math.erfc(a)", 2.5), ("a", "math.factorial(a)", 5, -1), ("a", "math.frexp(a), math.modf(a)", 2.75),
       ("a", "math.comb(a, 2), math.perm(a, 2)", 5), ("a", "math.acosh(a)", 1.5, 0.5), ("a", "cmath.acos(a), cmath.asinh(a)", 1 + 2j, 0.5),
       ("a", "round(a, 2)", 2.675, np.float64(2.675), 3), ("a, k", "round(a, k)", (2.675, 1), (1234, -2)), ("a, b, c", "pow(a, b, c)", (3, 4, 5)),
       ("a", "hash(a)", 3, 2.5, 1j, True, np.float32(1.5)))
def test_python(arguments, text, call):
    run(arguments, text, call, math=math, cmath=cmath)


def test_the_report_says_so():
    f = pyraptor.jit(function("a", "np.nextafter(a, a)"))
    f(F)
    [line] = f.report()[0]["calls_python"]
    assert "nextafter" in line and ":2:" in line
    g = pyraptor.jit(function("a", "np.sum(a)"))
    g(F)
    assert g.report()[0]["calls_python"] == []


def test_the_arguments_are_unchanged():
    a = np.arange(6.0)
    a.flags.writeable = False
    assert pyraptor.jit(function("a", "np.kron(a, a)"))(a).shape == (36, )
    assert (pyraptor.jit(function("a", "np.unwrap(a[::2])"))(a) == [0, 2, 4]).all()


def test_exceptions_pass():
    with pytest.raises(np.linalg.LinAlgError):
        pyraptor.jit(function("a", "np.linalg.tensorinv(a)"))(np.ones((2, 3)))
    with pytest.raises(OverflowError):
        pyraptor.jit(function("a", "math.factorial(a)", math=math))(30)


def test_refusals():
    assert "parallel loop" in refusal("a", "for k in prange(3):\n    a[k] = np.nextafter(a[k], 1.0)\nreturn a", F)
    assert "is not compiled" in refusal("a", "np.fromstring('1 2', sep=a)", " ")


def test_results_of_another_type_than_the_samples_gave():
    """Roots in conjugate pairs give real coefficients: the type depends on the values."""
    assert (np.poly(np.array([1j, -1j])).dtype, np.poly(np.array([1j, 2.0])).dtype) == (float, complex)
    f = pyraptor.jit(function("a", "np.poly(a)"))
    for a in ([1j, -1j], [1j, 2.0]):
        try:
            assert f(np.array(a)).dtype == np.poly(np.array(a)).dtype
        except pyraptor.UnsupportedError as e:
            assert "returned" in str(e)


@cases(("a", "P.polyadd([1, 2], a), P.polymul(a, a), P.polyint(a, m=2)", F), ("a", "C.chebmul(a, [1.0, 2.0])", F), ("a, b, out", "np.logaddexp(a, b, out)\nreturn out", (F, F, np.zeros(3))),
       ("a, b", "np.outer(a, b)", (1j, 2.0), (F, 2.0)))
def test_more_of_numpy(arguments, text, call):
    run(arguments, text, call, P=np.polynomial.polynomial, C=np.polynomial.chebyshev)


def test_numbers_for_arrays_without_dimensions():
    f = pyraptor.jit(function("a", "return np.array(a) + 1, np.zeros(()), np.ones((), np.int32), np.full((), a), np.zeros_like(a), np.asarray(a, dtype=np.float32)"))
    for a in (3, 2.5, np.float32(2)):
        for got, wanted in zip(f(a), f.__wrapped__(a)):
            assert isinstance(got, np.generic) and got.dtype == wanted.dtype and got == wanted
