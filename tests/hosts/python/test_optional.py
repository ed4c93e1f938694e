"""Numbers that may be None (_optional.py), and results that are None or an object."""
import collections

import numpy as np

import pyraptor
from conftest import function
from tables import cases, refusal, run

START = "x = None\nif a > 2:\n    x = a\n"


@cases(("a", START + "return x", 1, 3, 2.5), ("a", START + "if x is None:\n    return 0\nreturn x + 1", 1, 3), ("a", START + "return x + 1", 1, 3),
       ("a", START + "return x is None, x is not None, x == None, x == 3, x != 3, bool(x), not x", 1, 3), ("a", START + "return x > 1", 1, 3), ("a", START + "return -x", 1, 3),
       ("a", START + "y = x\nz = (x, a)\nreturn y, z", 1, 3), ("a", START + "x = x or 5\nreturn x", 1, 3), ("a", START + "x += 1\nreturn x", 1, 3), ("a", START + "x = 2.5\nreturn x", 1, 3),
       ("a", START + "return np.sin(x), max(x, 2)", 1, 3), ("a", START + "return [1, 2, 3, 4][x]", 1, 3), ("a", "x = np.float32(a)\nif a > 2:\n    x = None\nreturn x", 1, 3),
       ("a", "if a > 2:\n    return a", 1, 3, 2.5), ("a", "if a > 2:\n    return a\nif a > 1:\n    return None\nreturn 2.5", 1, 2, 3.0), ("a", "return (a if a > 2 else None)", 1, 3),
       ("a", "y = None if a > 2 else a * 2\nreturn 1, y", 1, 3), ("a, b=None", "if b is None:\n    b = a * 2\nreturn a + b", (1, None), (1, 5), (1, 2.5), (1, )),
       ("a", "x = None\nfor i in range(a):\n    if x is None or i > x:\n        x = i\nreturn x", 0, 3), ("a", "x = None\nfor x in range(a):\n    pass\nreturn x", 0, 3),
       ("a", "x = None\nwhile x is None or x < a:\n    x = 0 if x is None else x + 1\nreturn x", 3), ("a", START + "return x == x", 1, 3))
def test_values(arguments, text, call):
    run(arguments, text, call)


def positive(v):
    if v > 0:
        return v


@cases(("a", "r = positive(a)\nif r is None:\n    return -1.0\nreturn r", 3.0, -2.0), ("a", "return positive(a), positive(-a)", 3, -3), ("a", "return positive(a) + 1", 3, -3),
       ("a", "def f(v, w=None):\n    if w is None:\n        w = v\n    return v + w\nreturn f(a), f(a, 2)", 3), ("a", "return [positive(a) is None for a in range(-1, a)]", 3))
def test_functions(arguments, text, call):
    run(arguments, text, call, positive=positive)


def test_stores():
    run("a, b", START + "b[0] = x\nreturn b", (3, np.ones(2)))


def test_refusals():
    for text in ("l = [1]\nl.append(x)\nreturn l", "np.sum(b, axis=x)", "np.clip(b, x, 2.0)", "b[x]", "b[x:]", "x in [1, 2]", "str(x)", "print(x)", "isinstance(x, int)"):
        refusal("a, b", START + (text if "\n" in text else f"return {text}"), 3, np.ones(5))


def test_arrays_are_not_none_at_times():
    assert "on another" in refusal("a", "x = None\nif a > 2:\n    x = np.ones(2)\nreturn x", 3)


A = np.arange(12.0).reshape(3, 4)
P = collections.namedtuple("P", "x y")


@cases(
    ("n", "if n == 0:\n    return None\nif n > 0:\n    return n, 2.5 * n", 1, 0, -1), ("n", "if n == 0:\n    return\nreturn np.arange(n + 2.0)", 1, 0),
    ("a, n", "if n == 0:\n    return None\nreturn a", (A, 1), (A, 0)), ("a, n", "if n == 0:\n    return None\nreturn a[1:], a.T", (A, 1), (A, 0)),
    ("a, n", "if n == 0:\n    return None\nreturn a.reshape(-1)", (A, 1), (A, 0)),
    ("l, n", "if n == 0:\n    return None\nl.append(n)\nreturn l", ([1, 2], 1), ([1, 2], 0)),
    ("l, n", "for x in l:\n    if x == n:\n        return [x, x + 1], {x: 2.5}, {x}\nreturn None", ([1, 2], 1), ([1, 2], 0)), ("n", "if n:\n    return P(n, 2.5)", 1, 0),
    ("n", "if n:\n    return {'a': n, 'b': np.ones(n)}", 1, 0), ("n", "if n:\n    out = []\n    for i in range(n):\n        out.append([i] * i)\n    return out", 3, 0),
    ("n", "if n:\n    return {k: k * 0.5 for k in range(n)}\nreturn None", 3, 0), ("n", "if n:\n    return f'{n}!'\nreturn None", 3, 0),
    ("s, n", "if n == 0:\n    return None\ns.add(n)\nreturn s", ({1, 2}, 3), ({1, 2}, 0)),
)
def test_results_that_may_be_none(arguments, text, call):
    run(arguments, text, call, P=P)


def test_arguments_in_results_that_may_be_none():
    f = pyraptor.jit(function("a, n", "if n == 0:\n    return None\nreturn a"))
    assert f(A, 1) is A and f(A, 0) is None and f(A, 2) is A


def test_other_results_are_refused():
    assert "one return has type" in refusal("n", "if n == 0:\n    return None\nif n == 1:\n    return 2\nreturn (1, 2)", 1)
    assert "one return has type" in refusal("a, n", "if n == 0:\n    return None\nif n == 1:\n    return a\nreturn a[0]", A, 1)
