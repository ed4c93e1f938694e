"""Numbers: types, operators, division, powers, comparisons, conversions."""
import cmath
import math

import numpy as np
import pytest

import pyraptor

NUMBERS = [7, -7, 2, 2.5, -0.5, True, 1 + 2j, np.float32(1.5), np.float64(-3.25), np.int32(5), np.int64(-9), np.bool_(True),
           np.complex64(1 - 1j)]


def add(a, b):
    return a + b, a - b, a * b


def divide(a, b):
    return a / b


def whole(a, b):
    return a // b, a % b


def compare(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


@pytest.mark.parametrize("a", NUMBERS, ids=repr)
@pytest.mark.parametrize("b", NUMBERS, ids=repr)
def test_arithmetic(check, a, b):
    bools = all(isinstance(x, (bool, np.bool_)) for x in (a, b)) and not (type(a) is type(b) is bool)
    if not bools:  # NumPy's bools have no '-'
        check(add, a, b)
    check(divide, a, b)
    if not any(isinstance(x, (complex, np.complexfloating)) for x in (a, b)):
        check(compare, a, b)
        if not bools:
            check(whole, a, b)


@pytest.mark.parametrize("a", [5, -5, 3.5, -3.5, 0.0, -0.0, 1e300])
@pytest.mark.parametrize("b", [2, -2, 3, 0.5, -0.75, 0, 0.0, 7])
def test_division_of_pythons_numbers(check, a, b):
    check(divide, a, b)
    check(whole, a, b)


def power(a, b):
    return a ** b


@pytest.mark.parametrize("a", [2, 3.5, np.float32(2), np.int64(3), 0.0])
@pytest.mark.parametrize("b", [2, 3, 0, 0.5, 2.5, np.float64(1.5)])
def test_power(check, a, b):
    check(power, a, b, rtol=1e-11)


def constant_powers(x):
    return x ** 2, x ** 3, x ** 0.5, x ** -1, x ** -2.5, 2 ** x


@pytest.mark.parametrize("x", [2.0, np.float64(3.5), np.float32(2.5)])
def test_constant_powers(check, x):
    check(constant_powers, x)


def test_negative_integer_power(check):
    def f(x):
        return x ** -2

    check(f, 3)
    check(power, np.int64(3), np.int64(-1))


def test_zero_division(check):
    assert isinstance(check(divide, 1, 0), ZeroDivisionError)
    assert isinstance(check(divide, 1.0, 0.0), ZeroDivisionError)
    assert np.isinf(check(divide, np.float64(1), np.float64(0)))


def test_zero_to_a_negative_power(check):
    assert isinstance(check(power, 0.0, -1.5), ZeroDivisionError)


def bits(a, b):
    return a & b, a | b, a ^ b, ~a


def shifts(a, b):
    return a << b, a >> b


@pytest.mark.parametrize("a", [12, -13, np.int32(77), True])
@pytest.mark.parametrize("b", [10, 3, np.int64(5), False])
def test_bits(check, a, b):
    if isinstance(a, bool) and isinstance(b, bool):
        check(lambda_free_bool_bits, a, b)
    else:
        check(bits, a, b)
        if not isinstance(a, bool) and not isinstance(b, bool):
            check(shifts, a, b)


def lambda_free_bool_bits(a, b):
    return a & b, a | b, a ^ b


def conversions(x):
    return int(x), float(x), bool(x), complex(x), np.float32(x), np.int64(int(x)), abs(x), -x, +x, round(x)


@pytest.mark.parametrize("x", [2.5, -3.5, 0.0, 7, np.float64(1.5)])
def test_conversions(check, x):
    check(conversions, x, types=not isinstance(x, np.float64))


def test_int_of_nan_and_infinity(check):
    def f(x):
        return int(x)

    assert isinstance(check(f, float("nan")), ValueError)


def maths(x):
    return (math.sqrt(x), math.exp(x), math.log(x), math.sin(x), math.cos(x), math.tan(x), math.atan(x), math.floor(x),
            math.ceil(x), math.trunc(x), math.pow(x, 1.5), math.hypot(x, 2), math.atan2(x, 3), math.fabs(-x), math.pi,
            math.isnan(x), math.log(x, 2), math.degrees(x), math.fmod(x, 0.7))


def test_math(check):
    check(maths, 2.75)


def test_math_domain(check):
    def f(x):
        return math.sqrt(x)

    def g(x):
        return math.log(x)

    assert isinstance(check(f, -1.0), ValueError)
    assert isinstance(check(g, 0.0), ValueError)


def cmaths(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.log(z), cmath.phase(z), z.real, z.imag, abs(z), z.conjugate()


def test_cmath(check):
    check(cmaths, 1.5 - 2j)


def extremes(a, b, c):
    return min(a, b), max(a, b, c), min(a, 3), max(2, b)


def test_min_max(check):
    check(extremes, 1, 2, 3)
    check(extremes, 1.5, -2.5, 0.0, types=False)


def chain(a, b, c):
    return a < b < c, a < b > c, 0 <= a < 10


def test_chained_comparisons(check):
    check(chain, 1, 2, 3)
    check(chain, 3, 2, 1)


def logic(a, b):
    return (a and b), (a or b), not a, (a if b else b + a), bool(a and not b)


def test_logic(check):
    for a in (0, 1, 5):
        for b in (0, 2):
            check(logic, a, b)


def short_circuit(x, k):
    if k < len(x) and x[k] > 0:
        return 1
    return 0 if k >= len(x) or x[k] < -1 else 2


def test_and_does_not_evaluate_its_right_side(check):
    x = np.array([1.0, -5.0, -0.5])
    for k in range(5):
        check(short_circuit, x, k)


def gcd_(a, b):
    return math.gcd(a, b), math.isqrt(a), divmod(a, b), pow(a, 2)


def test_integers(check):
    check(gcd_, 48, 18)


def test_wrapping_numpy_integers(check):
    def f(a):
        return a * a + a

    check(f, np.int32(2 ** 30))


def shift_by_62(a):
    return a << 62, a >> 62


def shift_by_63(a):
    return a << 63, a >> 63


# 1 << 63 is not an int64, but a shift by 63 bits is allowed.
@pytest.mark.parametrize("f", [shift_by_62, shift_by_63])
@pytest.mark.parametrize("a", [np.int64(5), np.int64(-5), np.int64(0), np.int64(-2**63), np.int64(2**63 - 1)], ids=repr)
def test_shift_of_all_bits(check, f, a):
    check(f, a)


def test_not_in():
    @pyraptor.jit
    def f(x, y):
        return x not in (y, 3), x in (y, 3), not (x in (y, 3))

    for x in range(5):
        for y in range(5):
            assert f(x, y) == (x not in (y, 3), x in (y, 3), not (x in (y, 3)))


def below(a, b):
    return a < b


def up_to(a, b):
    return a <= b


def above(a, b):
    return a > b


def from_on(a, b):
    return a >= b


@pytest.mark.parametrize("f", [below, up_to, above, from_on])
def test_complex_numbers_have_no_order(f):
    for pair in ((1 + 2j, 2 + 1j), (1.0, 2 + 1j), (1 + 2j, 1)):
        with pytest.raises((TypeError, pyraptor.UnsupportedError)):
            pyraptor.jit(f)(*pair)


def test_negative_shifts():
    @pyraptor.jit
    def f(x, n):
        return x << n, x >> n

    assert f(5, 2) == (20, 1)
    for n in (-1, -64):
        with pytest.raises(ValueError, match="negative shift count"):
            f(5, n)
