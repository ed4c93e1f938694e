"""Smaller functions of NumPy and Python's lists of tuples. Plain Python is the oracle."""
import numpy as np
import pytest

from conftest import function
from pyraptor import UnsupportedError, jit
from test_python_sets import both

A, M, V = np.array([0.25, 2.0, -1.5, 0.75, 1.25]), np.array([[1.0, 2.0, 0.5], [3.0, -1.0, 4.0], [0.25, 1.5, 2.0]]), np.array([3, 1, 4, 1, 5])

BODIES = [
    "a.put([0, 2], [9.0, 8.0])\nnp.put(a, [1, -1, 3], [1.0, 2.0])\nnp.put(a, 2, [4.0])\nreturn a", "np.place(a, a > 0.5, [1.0, 7.0])\nreturn a", "np.putmask(a, a > 0.5, [5.0, 6.0, 7.0])\nreturn a",
    "np.place(a, a > 100.0, 1.0)\nnp.putmask(a, a < 0.0, 3.0)\nreturn a", "m.flatten('F'), m.flatten('C'), m.flatten()", "np.asfortranarray(m), np.asfortranarray(m)[0, 1], np.asfortranarray(a)",
    "np.broadcast_shapes((1, 3), (4, 1)), np.broadcast_shapes((2, 3), 3)", "np.cumulative_sum(a), np.cumulative_prod(a, axis=0), np.cumulative_sum(m, axis=1)", "np.astype(a, np.int32), np.astype(v, np.float32)",
    "np.diag_indices_from(m), m[np.diag_indices_from(m)]", "np.piecewise(a, [a < 0, a >= 1], [-1.0, 1.0]), np.piecewise(a, a > 1, [5.0, 3.0])",
    "np.piecewise(a, [a < 0, a >= 1], [lambda q: q * q, 2.0, 7.0]), np.piecewise(v, [v < 3, v >= 4], [-1, 10.7])",
    "np.can_cast(np.int32, np.float64), np.can_cast(np.float64, np.int32, 'safe'), np.can_cast('f8', 'f4', 'same_kind')", "b = a.copy()\nb.partition(2)\nreturn b[2], b[:2].max() <= b[2], b[3:].min() >= b[2]",
    "slice(1, 100, 2).indices(len(a)), slice(None, None, -1).indices(len(a)), slice(-3, None).indices(len(a)), slice(10, None, -2).indices(len(a)), slice(5, -100, -1).indices(3)",
    "q = slice(1, 100, 2)\nr = slice(10, -100, -len(a))\nreturn q.indices(len(a)), r.indices(7)", "l = [(x % 1, k) for k, x in enumerate(a)]\nb = sorted(l)\nc = sorted(l, reverse=True)\nl.sort()\nreturn l, b, c, min(l), max(l)",
    "l = [(k % 2, (k, 1.5)) for k in range(5)]\nl.sort(reverse=True)\nreturn l",
]


@pytest.mark.parametrize("body", BODIES)
def test_like_python(body):
    if ("cumulative" in body or "np.astype" in body) and not hasattr(np, "cumulative_sum"):
        pytest.skip("NumPy 2.1 and later")
    both("a, m, v", body, A.copy(), M.copy(), V.copy())


@pytest.mark.parametrize("body, error", [("np.put(a, [0, 70], [9.0, 8.0])\nreturn a", IndexError), ("np.diag_indices_from(m[:2])", ValueError), ("np.broadcast_shapes((2, 3), (4, 3))", ValueError),
                                         ("np.place(a, a > 0, np.zeros(0))\nreturn a", ValueError), ("slice(1, 2).indices(-1)", ValueError)])
def test_errors(body, error):
    for f in (function("a, m", body), jit(function("a, m", body))):
        with pytest.raises(error):
            f(A.copy(), M.copy())


@pytest.mark.parametrize("body", ["np.put(m, [0, 1], [1.0, 2.0])\nreturn m", "np.putmask(a, m, [1.0, 2.0])\nreturn a", "np.piecewise(a, [a < 0], [1.0, 2.0, 3.0])", "np.broadcast_shapes((len(a), 1), (1, 3))",
                                  "slice(None, 9, len(a)).indices(4)", "[1, 2].indices(3)", "np.cumulative_sum(m)", "l = [(1, 2j), (1, 3j)]\nl.sort()\nreturn l"])
def test_refused(body):
    with pytest.raises(UnsupportedError):
        jit(function("a, m", body))(A.copy(), M.copy())
