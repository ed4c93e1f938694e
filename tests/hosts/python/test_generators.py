"""Generator functions: loops are interleaved with them as in Python; where all items are taken at once, they become lists."""
import numpy as np
import pytest

from conftest import compare, function
from pyraptor import UnsupportedError, jit


def squares(n):
    for i in range(n):
        yield i * i


def naturals(n=0):
    while True:
        yield n
        n += 1


def pairs(a, k=2):
    for i in range(len(a)):
        yield a[i], i * k
        yield -a[i], i


def returns(n):
    for i in range(10):
        for j in range(10):
            if i * j > n:
                return
            yield i + j
    yield 99


def of_others(n):
    yield from squares(n)
    yield -1
    yield from range(n)


def empty():
    return
    yield 1


FACTOR = 7


def continues(n):
    for i in range(n):
        if i % 2:
            continue
        yield i * FACTOR
    else:
        yield -5


def changes(a):
    for i in range(len(a)):
        a[i] += 1
        yield a[i]


@jit
def compiled(n):
    for i in range(n):
        yield i + 1


NAMES = dict(squares=squares, naturals=naturals, pairs=pairs, returns=returns, of_others=of_others, empty=empty, continues=continues, changes=changes,
             compiled=compiled._impl.function)
ADD = "s = s * 3 % 1000 + v"


@pytest.mark.parametrize("body", [
    f"s = 1\nfor v in squares(n):\n    {ADD}\nreturn s",
    f"s = 1\nfor v in squares(n=n):\n    {ADD}\nreturn s, v",
    f"s = 1\nfor v in returns(n):\n    {ADD}\nreturn s",
    f"s = 1\nfor v in of_others(n):\n    {ADD}\nreturn s",
    f"s = 1\nfor v in empty():\n    {ADD}\nreturn s",
    f"s = 1\nfor v in continues(n):\n    {ADD}\nreturn s",
    f"s = 1\nfor v in compiled(n):\n    {ADD}\nreturn s",
    "for v in naturals():\n    if v * v > 30 * n:\n        break\nreturn v",
    "for v in naturals(n):\n    if v * v > 30 * n:\n        return v",
    f"s = 1\nfor v in naturals():\n    if v % 2:\n        continue\n    {ADD}\n    if v > 20:\n        break\nelse:\n    s = -1\nreturn s",
    f"s = 1\nfor v in squares(n):\n    if v > 100:\n        break\nelse:\n    s = -1\nreturn s",
    f"s = 1\nfor v in returns(n):\n    if v == 4:\n        continue\n    if v == 8:\n        break\n    {ADD}\nelse:\n    s += 10000\nreturn s",
    "s = 1\nfor v in continues(n):\n    for w in squares(v):\n        if w > 20:\n            break\n        s += w\nreturn s",
    f"i = 100\ns = 1\nfor v in squares(n):\n    i += v\n    {ADD}\nreturn i, s",  # the generator's i is another variable
    f"s = 1\nfor v in squares(n):\n    for w in range(3):\n        if w == 1:\n            continue\n        {ADD} + w\nreturn s",
    "return list(squares(n)), sum(squares(n)), [2 * v for v in squares(n)], max(squares(n)), sorted(squares(n), reverse=True)",
    "return any(v > 3 for v in squares(n)), list(returns(n))",
])
def test_of_modules(body):
    for n in (0, 1, 5):
        compare(function("n", body, **NAMES), n)


@pytest.mark.parametrize("body", [
    "def g(m):\n    for q in range(m):\n        yield q + n\ns = 0\nfor v in g(3):\n    s += v\nreturn s",
    "def g(m):\n    for q in range(m):\n        yield q + n\nreturn list(g(3)), sum(g(4)), [v * n for v in g(2)]",
    "def g(m):\n    k = 0\n    while True:\n        yield k\n        k += m\nfor v in g(n + 1):\n    if v > 30:\n        break\nreturn v",
    "def g():\n    for q in range(k):\n        yield q * k\nk = 2\ns = 0\nfor v in g():\n    s += v\nk = 3\nfor v in g():\n    s += 100 * v\nreturn s",
])
def test_of_the_function_itself(body):
    for n in (0, 1, 5):
        compare(function("n", body), n)


def test_turns_are_as_in_python():
    a = np.arange(4.0)
    compare(function("a", "s = 0.0\nfor v, i in pairs(a, 3):\n    a[i % 4] += 1\n    s = s * 2 + v\nreturn s", **NAMES), a)
    compare(function("a", "s = 0.0\nfor v in changes(a):\n    s = s * 2 + v\n    a[0] = s\n    if v > 2:\n        break\nreturn s", **NAMES), a)
    compare(function("a", "[v * i for v, i in pairs(a)]", **NAMES), a)


def test_faults_are_reported_at_the_call():
    f = jit(function("a", "s = 0.0\nfor v in late(a):\n    s += v\nreturn s", late=late))
    with pytest.raises(IndexError) as e:
        f(np.ones(2))
    assert "late(a)" in "".join(str(x) for x in [e.traceback[-1]]) or e.value.args


def late(a):
    for i in range(len(a) + 1):
        yield a[i]


@pytest.mark.parametrize("body, says", [
    ("sum(naturals())", "has no end"), ("list(changes(np.ones(n)))", "stores items"), ("squares(n)", "cannot be returned"),
    ("s = 0\nfor i, v in enumerate(squares(n)):\n    s += i\nreturn s", "this form of a loop"), ("list(of_others(n))", "calls 'squares'"),
    ("def g(m):\n    x = yield m\nreturn list(g(n))", "generator function"), ("def g(m):\n    yield m\nx = g(n)\nreturn next(x)", "next"),
])
def test_refused(body, says):
    with pytest.raises(UnsupportedError, match=says):
        jit(function("n", body, **NAMES))(3)


def test_a_generator_cannot_be_compiled_alone():
    with pytest.raises(UnsupportedError):
        compiled(3)


def sum_of(x):
    x[0] += 1
    return x[0]


def test_functions_of_the_program_may_do_anything():
    def log(a):
        return sum_of(a)

    def items(a):
        for _ in range(3):
            yield log(a)

    with pytest.raises(UnsupportedError, match="calls 'log'"):
        jit(function("a", "list(items(a))", items=items))(np.zeros(1))
    compare(function("a", "s = 0\nfor v in items(a):\n    s = s * 10 + v\nreturn s", items=items), np.zeros(1))
