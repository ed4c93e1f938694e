"""Exceptions raised by compiled functions: classes and arguments as in plain Python, with numbers computed at run time."""
import traceback

import numpy as np
import pytest
from conftest import function

import pyraptor
from pyraptor import gpu, jit, prange


class Refused(Exception):
    pass


def same_error(f, *args, **options):
    """Compiled code raises the same exception as plain Python."""
    with pytest.raises(Exception) as wanted:
        f(*args)
    with pytest.raises(Exception) as got:
        jit(f, **options)(*args)
    assert type(got.value) is type(wanted.value)
    assert repr(got.value.args) == repr(wanted.value.args)
    assert [type(a) for a in got.value.args] == [type(a) for a in wanted.value.args]
    return got.value


def formats(x, k):
    if k == 0:
        raise ValueError(f"{x} of {k}")
    if k == 1:
        raise ValueError(f"{x!r:>30}|{k:+05d}|{x}")
    if k == 2:
        raise Refused(x, k, "three", None, 4.0)
    if k == 3:
        raise Refused(f"{{{x}}}", x > 0)
    if k == 4:
        raise Refused(f"{x + 1} and {k * 2:x}")
    if k == 5:
        raise Refused
    if k == 6:
        raise Refused(1, True, 1.0, -0.0)
    if k == 7:
        raise Refused(True, 1, 1.0, 0.0)
    raise Refused(f"{k:d}", k)


@pytest.mark.parametrize("x", [3, -2.5, 1e300, float("nan"), float("-inf"), True, 2 ** 62, np.float32(0.1), np.uint8(200),
                               np.int16(-7), np.uint64(2 ** 64 - 1), np.float64(1.0), np.bool_(True)], ids=repr)
def test_numbers_of_a_message(x):
    for k in range(9):
        if k != 4 or not isinstance(x, (np.uint8, np.uint64, np.bool_)):  # + 1 is another matter
            same_error(formats, x, k)


def test_assert():
    # From source text, because pytest rewrites the asserts of this file.
    f = function("k", "assert k < 9, f'k is {k}'\nassert k < 8\nassert k < 7, k\nassert k < 6, 'six'\nreturn k\n")
    for k in (9, 8, 7, 6):
        same_error(f, k)
    assert jit(f)(5) == 5


def in_loop(x, limit):
    total = 0.0
    for i in range(len(x)):
        if x[i] > limit:
            raise ValueError(f"x[{i}] is {x[i]:.2f}")
        total += x[i]
        x[i] = 0
    return total


def test_in_a_loop():
    x, y = np.arange(5.0), np.arange(5.0)
    with pytest.raises(ValueError, match=r"^x\[4\] is 4.00$") as e:
        jit(in_loop)(x, 3)
    with pytest.raises(ValueError):
        in_loop(y, 3)
    np.testing.assert_array_equal(x, y)
    last = traceback.extract_tb(e.value.__traceback__)[-1]
    assert last.line == 'raise ValueError(f"x[{i}] is {x[i]:.2f}")' and last.name == "in_loop"
    assert jit(in_loop)(np.arange(5.0), 9) == 10


def in_parallel(x, bad):
    for i in prange(len(x)):
        if i == bad:
            raise Refused(i, f"{i} of {len(x)}")
        x[i] = i
    return x


def test_in_a_parallel_loop():
    f = jit(in_parallel)
    for bad in (0, 613, 9999):
        with pytest.raises(Refused) as e:
            f(np.zeros(10000), bad)
        assert e.value.args == (bad, f"{bad} of 10000")
    np.testing.assert_array_equal(f(np.zeros(10000), -1), np.arange(10000.0))


def on_device(x, bad):
    with gpu():
        for i in prange(len(x)):
            if i == bad:
                raise Refused(i, f"{x[i]}")
            x[i] = i
    return x


def test_on_the_device():
    f = jit(on_device)
    f(np.zeros(2), -1)
    if not f.report()[-1].get("device"):
        pytest.skip("no OpenCL device")
    with pytest.raises(Refused) as e:
        f(np.full(1000, 0.5), 613)
    assert e.value.args == (613, "0.5")
    np.testing.assert_array_equal(f(np.zeros(1000), -1), np.arange(1000.0))


def checked(x):
    if x < 0:
        raise Refused(f"root of {x}")
    return x ** 0.5


def calls(x):
    s = 0.0
    for i in range(3):
        s += checked(x - i)
    return s


def test_in_a_function_that_is_called():
    error = same_error(calls, 1.5)
    names = [t.name for t in traceback.extract_tb(error.__traceback__)]
    assert names[-1] == "checked"
    assert jit(calls)(2.0) == calls(2.0)


def test_a_function_that_always_raises():
    f = function("x", "raise ValueError(x)\n")
    same_error(f, 3)
    same_error(f, np.float32(3))
    g = function("x", "if x > 0:\n    raise ValueError(x)\nelse:\n    raise KeyError(x, 'no')\n")
    same_error(g, 3)
    same_error(g, -3)


def test_arrays_are_let_go():
    import sys
    x = np.arange(1000.0)
    before = sys.getrefcount(x)

    def f(x, k):
        y = x[k:] * 2
        z = x[1:]
        if y[0] > 10:
            raise ValueError(f"{y[0]} {z.size}")
        return z

    g = jit(f)
    for _ in range(10):
        with pytest.raises(ValueError, match="^12.0 999$"):
            g(x, 6)
    assert sys.getrefcount(x) == before


def test_faults_without_a_number():
    f = function("x", "raise ValueError(x)\n")
    with pytest.raises(pyraptor.UnsupportedError, match="must be constants or numbers"):
        jit(f)(np.zeros(3))
    g = function("a, b, c", "raise ValueError(a, b, c)\n")
    with pytest.raises(pyraptor.UnsupportedError, match="at most 2 numbers"):
        jit(g)(1, 2, 3)
    # An f-string shows as many numbers as possible.
    h = function("x, a, b, c", "raise ValueError(f'{x} {a} {b} {c}')\n")
    with pytest.raises(ValueError, match=r"^\{x\} 1 2 \{c\}$"):
        jit(h)(np.zeros(3), 1, 2, 3)


def test_inside_of_try():
    f = function("x, k", "try:\n    if k == 0:\n        raise ValueError(f'{x} there')\n    raise KeyError('no')\nexcept KeyError:\n    return 1\n")
    with pytest.raises(ValueError, match=r"^2.0 there$"):
        jit(f)(2.0, 0)
    assert jit(f)(2.0, 1) == 1
    caught = function("x", "try:\n    raise ValueError(f'{x} there')\nexcept ValueError:\n    raise\n")
    with pytest.raises(ValueError, match=r"^\{x\} there$"):
        jit(caught)(2.0)
    g = function("x", "try:\n    raise ValueError(x)\nexcept ValueError:\n    return 1\n")
    with pytest.raises(pyraptor.UnsupportedError, match="inside of 'try'"):
        jit(g)(2.0)
    h = function("x", "try:\n    y = x // 0.0\nexcept ZeroDivisionError:\n    raise ValueError(f'{x} by zero')\nreturn y\n")
    with pytest.raises(ValueError, match=r"^2.5 by zero$"):
        jit(h)(2.5)
