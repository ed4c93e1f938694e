"""Attributes and methods of Python numbers: numerator and denominator, is_integer; membership in ranges."""
import numpy as np
import pytest

from pyraptor import UnsupportedError, jit


def members(k, n):
    return k in range(n), k in range(2, n), k in range(1, n, 3), k in range(n, 0, -1), k in range(n, -3, -2), k not in range(n)


def whole(x):
    return x.is_integer()


def fraction(k):
    return k.numerator, k.denominator


@pytest.mark.parametrize("n", [0, 1, 5, 9])
def test_members_of_ranges(n):
    f = jit(members)
    for k in [*range(-4, 12), 2.0, 2.5, np.int64(3), np.float64(4.0), np.int8(3), float("nan"), float("inf"), True]:
        assert f(k, n) == members(k, n), k


@pytest.mark.parametrize("x", [0.0, -0.0, 1.5, -3.0, 2e300, np.inf, -np.inf, np.nan, np.float64(2.0), np.float32(2.5), np.float32(4)])
def test_whole_numbers(x):
    assert jit(whole)(x) is whole(x)


@pytest.mark.parametrize("k", [3, -4, np.int64(7), np.int8(3)])
def test_fractions(k):
    got = jit(fraction)(k)
    assert got == fraction(k) and [type(x) for x in got] == [type(x) for x in fraction(k)]


@pytest.mark.parametrize("function, args, text", [
    (lambda k, s: k in range(0, 9, s), (3, 2), "the step of the range must be known"),
    (lambda k: k in range(5), (1j, ), "'in' of complex and a range"),
    (lambda k: k in range(5), (np.uint64(1), ), "'in' of uint64 and a range"),
    (lambda k: k in range(5), (np.ones(3), ), "and a range is not compiled"),
    (whole, (np.ones(3), ), "'.is_integer' of float64"),
    (whole, (1j, ), "'.is_integer' of complex"),
    (fraction, (1.5, ), "'.numerator' of float"),
])
def test_refused(function, args, text):
    with pytest.raises(UnsupportedError) as e:
        jit(function)(*args)
    assert text in str(e.value)
