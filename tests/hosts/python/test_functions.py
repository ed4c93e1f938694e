"""Lambdas, functions inside of functions, and functions that take functions. Plain Python is the oracle, including the type of each item."""
import functools
import itertools
import operator

import numpy as np
import pytest

from test_lists import both, refused

NAMES = dict(functools=functools, itertools=itertools, operator=operator, reduce=functools.reduce, accumulate=itertools.accumulate)

INNER = [
    "f = lambda x: x * 2 + n\nreturn f(3), f(2.5)",
    "def g(x):\n    return x + n\nm = g(1)\nn = 10\nreturn m, g(1)",
    "def fact(k):\n    if k < 2:\n        return 1\n    return k * fact(k - 1)\nreturn fact(n)",
    "def a(x):\n    return x + n\ndef b(x):\n    return a(x) * 2\nreturn b(3)",
    "l = []\ndef add(x):\n    l.append(x)\nfor i in range(n):\n    add(i)\nreturn l",
    "def f(x, k=n, *, z=2):\n    return x * k + z\nn = 100\nreturn f(1), f(1, 2), f(1, z=9), f(x=1, k=3)",
    "if n > 3:\n    k = 2\ndef f():\n    return k\nreturn f()",
    "fs = [lambda x: x + 1, lambda x: x * 2]\nreturn fs[0](n), fs[1](n)",
    "return [(lambda x: x + i)(2) for i in range(n)], (lambda: 5)()",
    "def apply(f, x):\n    return f(x)\nreturn apply(lambda v: v * 2, n)",
    "def outer(x):\n    def inner(y):\n        return y + n + x\n    return inner(x) * 2\nreturn outer(n)",
    "r = np.zeros(n)\nf = lambda i: i * 2.0 + n\nfor i in prange(n):\n    r[i] = f(i)\nreturn r",
    "a = np.ones((2, 3))\nf = lambda i, j: a[i, j] * n\ndef store(i):\n    a[i, 0] = 7\nstore(1)\nreturn f(1, 2), f(1, 0), a",
    "i = 5\ng = lambda: i\nt = [g() for j in range(n)]\nreturn t, g()",
    "fs = [lambda x: x + i for i in range(3)]\nreturn fs[0](n)",
    "x = 1\ndef f():\n    x = 2.5\n    return x\nreturn f(), x",
]


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("body", INNER)
def test_inner_functions(body, n):
    both("n", body, n)


GIVEN = [
    "return list(map(lambda x: x * 2, l)), list(filter(lambda x: x > 1, l)), reduce(lambda a, b: a * b, l), list(accumulate(l))",
    "return list(map(lambda x, y: x * y + 0.5, l, l[1:])), reduce(lambda a, b: a + b * 0.5, l, 0.0), list(accumulate(l, lambda a, b: a * b))",
    "return sum(map(lambda x: x * x, l)), max(map(abs, l)), functools.reduce(max, l), list(accumulate(l, max)), list(accumulate(l, operator.mul))",
    "return list(map(float, l)), list(map(lambda t: t[0] + t[1], zip(l, l))), list(filter(None, l)), list(map(abs, (1, -2)))",
    "return list(accumulate(l, initial=7)), reduce(operator.add, l, 5), list(itertools.accumulate((1, 2), operator.sub))",
    "return reduce(operator.add, [x for x in l if x > 5])",
    "s = 0\nfor x in map(lambda v: v * 3, l):\n    s += x\nreturn s",
    "g = (x * 2 for x in l)\nreturn sum(g)",
    "return sorted(l, key=lambda x: -x), min(l, key=lambda x: abs(x - 2)), max(l, key=lambda x: abs(x - 2)), max(3, -5, 4, key=abs)",
    "l.sort(key=lambda x: x % 2)\nl.sort(key=lambda x: x % 3, reverse=True)\nreturn sorted(range(9), key=lambda x: x * 7 % 5)",
    "return operator.add(l[0], 2), operator.lt(l[0], 2), operator.neg(l[0]), operator.contains(l, 3), operator.not_(l[0]), operator.floordiv(7, l[0])",
    "k = 0\ndef more(x):\n    return x + len(l)\nreturn [more(x) for x in l if more(x) > 4], any(more(x) > 5 for x in l)",
]


@pytest.mark.parametrize("body", GIVEN)
def test_functions_that_take_functions(body):
    both("l", body, [1, -2, 3, 4, 6, 9, 2, 7], **NAMES)


def test_sorting_by_a_part_of_a_tuple():
    both("l", "l.sort(key=lambda x: x[1], reverse=True)\nreturn l, min(l, key=lambda p: p[0])", [(1, 2.5), (2, 2.5), (3, 1.5), (4, 9.5)])


def call(f, x):
    return f(x)


@pytest.mark.parametrize("body, match", [
    ("i = 5\ng = lambda: i\nreturn [g() for i in range(len(l))]", "a comprehension has a variable with the same name"),
    ("g = lambda: l\nreturn [g()[0] for l in range(3)]", "a comprehension has a variable with the same name"),
    ("g = (x * 2 for x in l)\nreturn sum(g) + sum(g)", "assigning an iterator to"),
    ("z = zip(l, l)\nl.append(1)\nreturn list(z)", "assigning an iterator to"),
    ("return (x * 2 for x in l)", "cannot be returned"),
    ("return lambda x: x", "cannot be returned"),
    ("n = l[0]\nreturn call(lambda v: v * n, n)", "variables of the function around it"),
    ("return list(accumulate(l, lambda a, b: a + 0.5 * b))", "the accumulated value"),
    ("def f(**a):\n    return 1\nreturn f()", "\\*\\*kwargs"),
])
def test_refused(body, match):
    refused("l", body, [1, 2], match=match, call=call, **NAMES)
