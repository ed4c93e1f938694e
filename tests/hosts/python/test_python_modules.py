"""Functions of Python's modules random and time, methods of ints, and lists converted to strings."""
import math
import random
import time

import numpy as np
import pytest

from conftest import compare, function
from pyraptor import UnsupportedError, jit

NAMES = dict(random=random, time=time)


@pytest.mark.parametrize("body", [
    "random.shuffle(l)\nreturn l[0]", "return random.choice(l), random.choice(l)", "return random.sample(l, 3)", "return random.choices(l, k=4)",
    "return random.choices(l, [1, 2, 3, 4, 5], k=4)", "return random.choices(l, weights=[0.5, 0.0, 0.0, 2.0, 1.0])", "return random.sample(range(100), 5), random.sample(range(1000), k=3)",
    "return random.choice((1, 2, 3)), random.choice(range(7))",
    "a = np.arange(6)\nrandom.shuffle(a)\nreturn a, random.choice(a)", "m = []\nfor i in range(8):\n    m.append(i)\nrandom.shuffle(m)\nm.append(4)\nreturn m",
    "return random.randrange(5), random.randint(1, 6), random.gauss(0, 1), random.random()", "random.sample(l, 9)\nreturn 0", "random.choice(l[5:])\nreturn 0", "random.sample(l, -1)\nreturn 0",
])
def test_random(body):
    compare(function("l", f"random.seed(3)\n{body}", **NAMES), [5, 4, 3, 2, 1])


def test_the_state_goes_on():
    f = jit(function("l", "random.shuffle(l)\nreturn random.choice(l)", **NAMES))
    random.seed(11)
    one = [f([1, 2, 3, 4]) for _ in range(5)] + [random.random()]
    random.seed(11)
    assert one == [f.__wrapped__([1, 2, 3, 4]) for _ in range(5)] + [random.random()]


@pytest.mark.parametrize("body", ["random.shuffle(np.ones((2, 2)))", "random.sample(l, 2, counts=[1, 2, 3])", "random.choice({1, 2})", "for i in prange(3):\n    random.choice(l)"])
def test_random_refused(body):
    with pytest.raises(UnsupportedError):
        jit(function("l", f"{body}\nreturn 0", **NAMES))([1, 2, 3])


def test_lists_of_probabilities():
    for call in ("np.random.multinomial(5, [0.2, 0.8])", "np.random.multinomial(5, (0.2, 0.3, 0.5))", "np.random.dirichlet([1.0, 2.0, 3.0])",
                 "np.random.multivariate_normal([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]])"):
        compare(function("", f"np.random.seed(1)\nreturn {call}"))


def test_clocks():
    assert jit(function("t", "time.time() >= t and time.perf_counter() > 0 and time.monotonic_ns() > 0", **NAMES))(time.time()) is True
    assert jit(function("", "time.sleep(0)\nreturn type(time.process_time())", **NAMES))() is float


@pytest.mark.parametrize("k", [0, 1, -1, 5, -8, 255, 2 ** 62, -2 ** 63, 2 ** 63 - 1])
def test_bits(k):
    compare(function("k", "k.bit_length()"), k)
    if hasattr(int, "bit_count"):
        compare(function("k", "k.bit_count()"), k)


@pytest.mark.skipif(not hasattr(np, "bitwise_count"), reason="NumPy 2 has this function")
@pytest.mark.parametrize("elem", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_ones_of_arrays(elem):
    i = np.iinfo(elem) if elem != "bool" else None
    a = np.array([i.min, i.max, 0, 1, 7, i.max // 3] if i else [True, False], elem)
    compare(function("a", "np.bitwise_count(a), np.bitwise_count(a[0])"), a)


def test_ones_of_floats():
    with pytest.raises(TypeError, match="bitwise_count"):
        jit(function("a", "np.bitwise_count(a)"))(np.ones(3))


@pytest.mark.parametrize("body", ["str(l)", "f'{l}'", "f'{l!r}'", "repr([1, k])", "str([x * 1.5 for x in l])", "'%s' % l", "str([])", "str([k, 2.5, 'a'])", "str([[1, 2], [3, 4]])", "str([True])",
                                  "'{}'.format(l)"])
def test_texts_of_lists(body):
    compare(function("l, k", body), [1, 2, 3], 4)


def test_texts_of_list_arguments():
    compare(function("l", "str(l)"), [[1, 2], [3, 4]])
    compare(function("l", "m = str(l)\nl[0] = 9.0\nreturn m"), [1.5, -0.0])


def test_printed(capfd):
    jit(function("l, k", "print(l, [k, 0.5])\nprint({'a': k})\nreturn 0"))([1, 2], 3)
    assert capfd.readouterr().out == "[1, 2] [3, 0.5]\n{'a': 3}\n"


def test_numbers_of_texts():
    compare(function("", "np.float32('0.5'), np.int64('7')"))


def test_ranges_are_arrays_to_numpy():
    compare(function("n", "np.average(range(n)), np.sum(range(n)), np.asarray(range(2, n))"), 5)


def test_functions_without_a_source():
    made = {}
    exec("def f(x):\n    return x + 1\n", made)
    with pytest.raises(UnsupportedError, match="linecache.cache"):
        jit(made["f"])(1)


@pytest.mark.parametrize("text", ["int(a)", "float(a)", "complex(a)", "math.sqrt(a)", "math.copysign(1, a)", "range(2)[a]", "math.gcd(1.5, 2)", "math.gcd(4, 6)", "math.gcd(True, 3)",
                                  "math.isqrt(4.0)", "math.isqrt(17)", "np.arange(0, 1, 0)", "np.arange(5, 1, 0)", "np.arange(0.0, 1.0, 0.0)", "np.average(a, weights=a[1:])"])
@pytest.mark.parametrize("a", [np.arange(4.0), np.array([4.0]), np.array([[4.0]])])
def test_arguments_of_other_types(text, a):
    """Among others, arrays of one element, which are numbers for some versions of NumPy."""
    try:
        compare(function("a", f"return {text}", math=math), a)
    except UnsupportedError as e:
        assert "in this form" not in e.reason
