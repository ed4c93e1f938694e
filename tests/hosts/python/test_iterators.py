"""iter and next of lists, arrays and ranges, with named iterators. Plain Python is the oracle."""
import numpy as np
import pytest

from test_lists import refused
from test_python_sets import both

BODIES = [
    "it = iter(x)\na = next(it)\nb = next(it)\nreturn a * 10 + b",
    "it = iter(x)\ns = next(it)\nfor v in it:\n    s += 2 * v\nreturn s, next(it, s)",
    "it = iter(x)\nn = 0\nwhile next(it, -1) != -1:\n    n += 1\nreturn n",
    "it = iter(x)\nn = 0\nfor v in it:\n    if v == 2:\n        break\n    n += v\nfor v in it:\n    n = n * 3 + v\nreturn n",
    "it = iter(x)\nn = 0\nfor v in it:\n    if v == 2:\n        continue\n    n = n * 7 + v\nreturn n",
    "it = iter(x)\nfor k in range(9):\n    next(it)\nreturn 0",
    "it = iter(x)\nn = 0\ntry:\n    while True:\n        n += next(it)\nexcept StopIteration:\n    n = -n\nreturn n",
    "it = iter(x)\na = next(it)\nit = iter(x)\nreturn a, next(it)",
    "p = iter(x)\nq = iter(x)\nnext(p)\nreturn next(p) - next(q)",
    "n = 0\nfor k in range(2):\n    it = iter(x)\n    n = n * 10 + next(it) + next(it)\nreturn n",
]


@pytest.mark.parametrize("make", [lambda: [3, 1, 2, 5], lambda: np.array([3, 1, 2, 5]), lambda: range(1, 5), lambda: (3, 1, 2, 5)])
@pytest.mark.parametrize("body", BODIES)
def test_iterators(body, make):
    both("x", body, make())


def test_rows_and_growing_lists():
    both("m", "it = iter(m)\nreturn next(it), next(it).sum()", np.arange(6.0).reshape(2, 3))
    both("x", "it = iter(x)\nn = 0\nfor v in it:\n    n += v\n    if len(x) < 9:\n        x.append(v + 1)\nreturn n, x", [1, 2])
    both("x", "it = iter(x)\nreturn next(it)", [])
    both("x", "it = iter(x)\nfor v in it:\n    x.append(1)\n    if len(x) > 9:\n        break\nelse:\n    v = 0\nreturn v", [1, 2])


def test_names_of_the_program():
    both("x", "def next(v):\n    return v + 1\nreturn next(x)", 3)
    both("x", "return iter(x)", 4, iter=lambda v: v * 2)


@pytest.mark.parametrize("body", [
    "it = iter(x)\njt = it\nreturn next(jt)", "it = iter(x)\nreturn list(it)", "return iter(x)", "it = iter(x) if len(x) > 1 else iter(x[:1])\nreturn next(it)",
    "it = iter(x)\ndef f():\n    return next(it)\nreturn f()", "it = iter({1, 2})\nreturn next(it)", "it = iter(zip(x, x))\nreturn next(it)",
])
def test_refused(body):
    refused("x", body, [1, 2, 3], match="is not compiled|order of a set")
