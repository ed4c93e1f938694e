"""Inner functions that assign variables of the function around them. Plain Python is the oracle."""
import numpy as np
import pytest

from test_lists import refused
from test_python_sets import both

BODIES = [
    "total = 0\ndef add(v):\n    nonlocal total\n    total += v\nfor i in range(k):\n    add(i)\nreturn total",
    "count = 0\nlast = 0.0\ndef step(v):\n    nonlocal count, last\n    if v > last:\n        count += 1\n    last = v\n    return count\n"
    "out = np.zeros(3)\nfor i in range(3):\n    out[i] = step(i * 1.5 % 2)\nreturn out, count, last",
    "x = 1\ndef f():\n    nonlocal x\n    x = x * 2\n    return x\ny = x + f() + x + f() * x\nx += f()\nreturn x, y, [x, f(), x], (f(), x)",
    "x = 1\ndef f(n):\n    nonlocal x\n    x += n\n    if n > 0:\n        f(n - 1)\nf(k)\nreturn x",
    "x = 0\ndef f():\n    nonlocal x\n    x += 1\ndef g():\n    f()\n    f()\n    return x\nreturn g() + x * 10 + g()",
    "def outer():\n    y = 0\n    def inner():\n        nonlocal y, z\n        y += 1\n        z += 10\n    inner()\n    inner()\n    return y\nz = 0\nreturn outer() + z",
    "x = None\ndef f(v):\n    nonlocal x\n    if x is None:\n        x = v\n    return x\nreturn f(k), f(k + 1), x",
    "n = 0\ndef f(v):\n    nonlocal n\n    n += 1\n    return v > 2\nwhile n < 10 and not f(n):\n    pass\nreturn n",
    "n = 0\nbump = lambda: inc() * 2\ndef inc():\n    nonlocal n\n    n += 1\n    return n\nreturn bump() + bump(), n",
    "t = (0, 1.5)\ndef f():\n    nonlocal t\n    t = (t[0] + 1, t[1] * 2)\nf()\nf()\nreturn t",
    "s = 0\ndef f(v):\n    nonlocal s\n    if v == 2:\n        return\n    s += v\nfor i in range(4):\n    f(i)\nreturn s",
    "n = 0\ndef f(v):\n    nonlocal n\n    n += 1\n    return v\na = [f(v) for v in range(3)]\nreturn a, n, f(0) < f(1) < f(2), n",
    "n = 2\ndef f():\n    nonlocal n\n    n += 1\n    return n\nx = np.arange(9.0)\nx[f()] = x[f()] + n\nx[n] += f()\nreturn x, n",
]


@pytest.mark.parametrize("body", BODIES)
def test_assigned(body):
    both("k", body, 5)


def test_arrays():
    both("a", "def f():\n    nonlocal a\n    a = a * 2\nf()\nf()\nreturn a", np.arange(3.0))
    both("a", "b = a\ndef f():\n    nonlocal b\n    b = np.zeros(2)\nb[0] = 7.0\nf()\nb[1] = 5.0\nreturn a, b", np.arange(3.0))


@pytest.mark.parametrize("body, match", [
    ("s = 0\ndef f(i):\n    nonlocal s\n    s += i\nfor i in prange(4):\n    f(i)\nreturn s", "in a parallel loop"),
    ("l = [1]\ndef f():\n    nonlocal l\n    l = [2, 3]\nf()\nreturn l", "assigns 'l' of the function around it"),
    ("def f():\n    global NAME\n    NAME = 1\nf()\nreturn k", "'global' is not compiled"),
    ("def apply(g):\n    return g()\nn = 0\ndef f():\n    nonlocal n\n    n += 1\n    return n\nreturn apply(f)", "is called in another"),
])
def test_refused(body, match):
    refused("k", body, 3, match=match)
