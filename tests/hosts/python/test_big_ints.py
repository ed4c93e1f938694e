"""Python ints beyond 64 bits that are known at compile time. Plain Python is the oracle; what needs such an int at run time is refused at its line."""
import math

import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, compare, function

U64 = np.array([0, 1, 2**63, 2**64 - 1], np.uint64)


@pytest.mark.parametrize("text", """2**63 - 1 + 1|2**63 - 1|-(-2**63)|~(2**63 - 1)|-9223372036854775808 - 1|0xFFFFFFFFFFFFFFFF & 255|(1 << 64) - 1|(2**64 - 1) % 7
    2**100 // 2**98|3**50 % 1000|pow(3, 50)|pow(3, 50, 1000)|int(1e19)|round(1e19)|int(-1e30) // 10**20|abs(-2**63)|(-2**63) // -1|sum([2**62, 2**62])|max(2**63, 1)
    min(2**70, 2**71) // 2**60|2**63 > 5|2**70 == 2**70|2**70 != 2**71|bool(2**70)|not 2**70|divmod(2**70, 3)|2**70 / 3|int(2**70 / 2**60)|complex(2**70)
    2**70 * 1j|2**70 + 0.5|True << 63|str(2**70)|f"{2**70}"|"%d" % 2**70|hash(2**70)|(2**63).bit_length()|int("9223372036854775808")|math.factorial(25)|math.comb(70, 35)
    math.sqrt(10**20)|math.log(2**100)|float(2**64)|isinstance(2**70, int)|(2**63, 5)|[2**63, 2**64][1]|1 if 2**64 else 0|2**64 and 5|math.gcd(2**70, 2**65 * 3)""".replace("\n    ", "|").split("|"))
def test_constant_expressions(text):
    compare(function("", text, math=math))


@pytest.mark.parametrize("text, kind", [("1 << -1", ValueError), ("1 >> -1", ValueError), ("5 // 0", ZeroDivisionError), ("2**70 % 0", ZeroDivisionError),
                                        ("float(10**400)", OverflowError), ("10**400 + 0.5", OverflowError), ("10.0**400", OverflowError),
                                        ("int(float('inf'))", OverflowError), ("int(float('nan'))", ValueError), ("np.int64(2**63)", OverflowError),
                                        ("np.uint64(2**64)", OverflowError), ("math.factorial(-5)", ValueError)])
def test_exceptions_of_constant_expressions(text, kind):
    assert isinstance(compare(function("", text, math=math)), kind)


@pytest.mark.parametrize("body", ["a = 2**63\nreturn a", "a = 2**62\nb = a * 4\nreturn b // 2**10", "a = 9223372036854775807\nreturn a + 1, a - 1",
                                  "a = 2**64\nreturn x % 10 if a > 5 else 0", "M = 2**61 - 1\nreturn x * 3 % M", "a = -2**63\nreturn a - 1",
                                  "def g(k):\n    return k > 7\nreturn g(2**64)", "s = 0\nfor k in (2**63, 2**64):\n    s += 1 if k > 2**63 else 10\nreturn s"])
def test_variables(body):
    compare(function("x", body), 12345)


def test_globals():
    compare(function("x", "x / SIZE, SIZE // 2**60, x < SIZE", SIZE=2**64), 5)
    compare(function("x", "x & MASK", MASK=(1 << 64) - 1), U64, types=not NUMPY_1)


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("limit", [2**63, 2**64 - 1, 2**64, -2**63 - 1, 10**30])
def test_comparisons(op, limit):
    for x in (5, -2**63, 2**63 - 1, 1.5, 9.3e18, -9.3e18, 1e40, math.inf, -math.inf, math.nan, True):
        compare(function("x", f"x {op} {limit}, {limit} {op} x" if not isinstance(x, float) or op not in ("==", "!=") or float(limit) == limit else f"x < {limit}"), x)
    if not NUMPY_1:
        for x in (np.uint64(2**63), np.uint64(2**64 - 1), U64, np.int64(3), np.array([-5, 5]), np.array([1e18, 1e20]), np.float32(1e20), np.array([-1, 5], np.int8)):
            compare(function("x", f"x {op} {limit}, {limit} {op} x"), x)


def test_floats_beside_ints_that_are_no_floats():
    for limit in (2**63 + 1, 2**64 - 1, 10**400, -10**400):
        for x in (float(2**63), math.nextafter(2.0**63, 0), float(2**64), math.inf, -math.inf) if hasattr(math, "nextafter") else (2.0**63, 2.0**64):
            compare(function("x", f"x < M, x <= M, x > M, x >= M, M < x", M=limit), x)


@pytest.mark.parametrize("text, x", [("x + 2**63", 1.5), ("2**64 * x", 1.5), ("x / 2**64", 3), ("2**64 / x", 3), ("x * 10**20", np.ones(3)), ("x - 2**70", 2j),
                                     ("x * 10**20", np.ones(3, np.float32))])
def test_floats(text, x):
    compare(function("x", text), x)


@pytest.mark.skipif(NUMPY_1, reason="NumPy 1 promotes numbers by their values")
def test_unsigned_numbers():
    for text in ("x & 0xFFFFFFFFFFFFFFFF", "x ^ 0xcbf29ce484222325", "x % 2**63", "x | 2**63", "np.uint64(2**64 - 1) - x", "x + np.uint64(0xcbf29ce484222325)"):
        for x in (U64, np.uint64(7)):
            compare(function("x", text), x)
    for text in ("x + 2**64", "x * -2**70", "x & 2**64"):
        assert isinstance(compare(function("x", text), U64), OverflowError)
    assert isinstance(compare(function("x", "x + 2**63"), np.arange(3)), OverflowError)
    compare(function("x", "x[1] = 2**63\nx[2:] = 2**64 - 1\nreturn x"), U64.copy())
    compare(function("x", "x[1] = 2**63\nreturn x"), np.ones(3))
    compare(function("x", "x[1] = 2**64\nreturn x"), np.zeros(3, bool))
    assert isinstance(compare(function("x", "x[1] = 2**63\nreturn x"), np.arange(3)), OverflowError)


def test_annotated_variables():
    f = pyraptor.jit(function("", "x: pyraptor.u64 = 2**64 - 1\nreturn x"))
    assert f() == 2**64 - 1


@pytest.mark.parametrize("text", ["x + 2**63", "x * 2**64", "x % 2**64", "x & 2**64 - 1", "x // 2**63", "x << 2**64", "x / 10**400", "2**64 // x", "np.full(3, 2**63)",
                                  "np.array([2**64, 1])", "np.sqrt(10**20) + x", "range(2**64)", "x if x > 3 else 2**64", "max(x, 2**64)", "[2**63] * x", "2**(10**9)", "1 << 10**7"])
def test_refused(text):
    with pytest.raises(pyraptor.UnsupportedError) as e:
        pyraptor.jit(function("x", text))(12345)
    assert e.value.lineno == 2


def test_refusals_say_what_to_use():
    with pytest.raises(pyraptor.UnsupportedError, match=r"18446744073709551616, an int that does not fit into 64 bits[\s\S]*np.uint64"):
        pyraptor.jit(function("x", "(x * 6364136223846793005 + 1442695040888963407) % 2**64"))(12345)
