"""Updates `a[...] += x` in parallel loops are never lost. If iterations provably update different elements, they are plain stores; else atomic, else
refused."""
import os

import numpy as np
import pytest

import pyraptor
from conftest import compare, function
from pyraptor import PAR, Domain

N = 60000
K = np.random.default_rng(0).integers(0, 5, N)
NAMES = {"PAR": PAR, "Domain": Domain}


def both(body, *args, **names):
    f = function("k", body, **{**NAMES, **names})
    jitted = pyraptor.jit(f)
    compare(jitted, *(args or (K, )))
    return "(xchange " in jitted.inspect("vrir")


ATOMIC = {
    "counts": "h = np.zeros(5, np.int64)\nfor i in prange(len(k)):\n    h[k[i]] += 1\nreturn h",
    "int32": "h = np.zeros(5, np.int32)\nfor i in prange(len(k)):\n    h[k[i]] -= 3\nreturn h",
    "halves": "h = np.zeros(5)\nfor i in prange(len(k)):\n    h[k[i]] -= 0.5\nreturn h",
    "float32": "h = np.zeros(5, np.float32)\nfor i in prange(len(k)):\n    h[k[i]] += 1\nreturn h",
    "bits": "h = np.zeros(5, np.int64)\nfor i in prange(len(k)):\n    h[k[i]] |= i & 255\n    h[0] &= -2\nreturn h",
    "counted from the end": "h = np.zeros(5, np.int32)\nfor i in prange(len(k)):\n    h[k[i] - 5] += 1\nreturn h",
    "neighbours": "h = np.zeros(len(k) + 1)\nfor i in prange(len(k)):\n    h[i] += k[i]\n    h[i + 1] += 1\nreturn h",
    "may wrap around": "h = np.zeros(100)\nfor i in prange(101):\n    h[i - 1] += 1\nreturn h",
    "one axis of two": "h = np.zeros((30, 40))\nfor i, j in PAR(Domain(30, 40)):\n    h[i, 0] += j\nreturn h",
    "a sum of variables": "h = np.zeros(70)\nfor i, j in PAR(Domain(30, 40)):\n    h[i + j] += 1\nreturn h",
    "an inner parallel loop": "h = np.zeros(30)\nfor i in prange(30):\n    for j in prange(1000):\n        h[i] += j\nreturn h",
    "a view by another name": "h = np.zeros(30)\ng = h[::-1]\nfor i in prange(30):\n    h[i] += 1\n    g[i] += 2\nreturn h",
    "a view that changes": "h = np.zeros((5, 3))\nfor i in prange(len(k)):\n    row = h[k[i]]\n    row[1] += 1\nreturn h",
    "beside a sum": "h = np.zeros(5)\ns = 0\nfor i in prange(len(k)):\n    h[k[i]] += 1\n    s += k[i]\nreturn h.sum() + s",
    "an index that is changed": "h = np.zeros(9)\nfor i in prange(8):\n    j = i\n    j += 1\n    if j > 3:\n        j = 3\n    h[j] += 1\nreturn h",
    "blocks that overlap": "h = np.zeros(80)\nfor i in prange(10):\n    for j in range(8):\n        h[i * 7 + j] += 1\nreturn h",
}
PLAIN = {
    "the variable": "h = np.zeros(len(k))\nfor i in prange(len(k)):\n    h[i] += k[i]\n    h[i] *= 2\nreturn h",
    "shifted": "h = np.zeros(len(k))\nfor i in prange(1, len(k)):\n    h[i - 1] += k[i]\nreturn h",
    "rows": "h = np.zeros((100, 7))\nfor i in prange(100):\n    for j in range(7):\n        h[i, j] += j\n    row = h[i]\n    row[3] += 1\n"
            "    row += 1\n    row[1:3] *= 2\n    h[i] -= 1\nreturn h",
    "blocks": "h = np.zeros(700)\nn = 7\nfor i in prange(100):\n    for j in range(n):\n        h[i * n + j] += j\n    h[i * n:(i + 1) * n] *= 2\nreturn h",
    "blocks by steps": "h = np.zeros(700)\nb = len(k) // 5000\nfor i in prange(0, 700, b):\n    h[i:i + b] += 1\n    h[i:min(i + b, 700)] += 2\nreturn h",
    "both axes": "h = np.zeros((30, 40))\nfor i, j in PAR(Domain(30, 40)):\n    h[i, j] += i\n    h[i, j] -= j\nreturn h",
    "even and odd": "h = np.zeros(20)\nfor i in prange(10):\n    h[2 * i] += i\n    h[2 * i + 1] += 1\nreturn h",
    "an iteration's own": "out = np.zeros(30)\nfor i in prange(30):\n    t = np.zeros(5)\n    for j in range(1000):\n        t[k[j]] += 1\n    t *= 2\n"
                          "    out[i] = t.sum()\nreturn out",
    "loops with one variable's name": "h = np.ones((9, 30))\nfor r in prange(9):\n    for i in prange(30):\n        h[r, i] = i\n"
                                      "    for i in prange(30):\n        h[r, i] *= 2\n    for i in range(3):\n        h[r, 0] += i\nreturn h",
    "a value of the iteration": "h = np.zeros(10)\nfor i in prange(10):\n    j = i + 0\n    h[j] += i\nreturn h",
}
REFUSED = {
    "products": "h = np.ones(5)\nfor i in prange(len(k)):\n    h[k[i]] *= 1\nreturn h",
    "complex": "h = np.zeros(5, complex)\nfor i in prange(len(k)):\n    h[k[i]] += 1\nreturn h",
    "slices": "h = np.zeros(9)\nfor i in prange(4):\n    h[i:i + 2] += 1\nreturn h",
    "index arrays": "h = np.zeros(9)\nfor i in prange(4):\n    h[k[i:i + 2]] += 1\nreturn h",
    "fractions into integers": "h = np.zeros(5, np.int64)\nfor i in prange(len(k)):\n    h[k[i]] += 0.5\nreturn h",
    "two loops, one variable": "h = np.ones((5, 5))\nfor i in prange(5):\n    for i in prange(5):\n        h[0, i] *= 2\nreturn h",
    "a loop's variable that is assigned": "h = np.ones((5, 5))\nfor i in prange(5):\n    for j in prange(5):\n        j = 0\n        h[i, j] *= 2\nreturn h",
    "whole rows": "h = np.zeros((5, 3))\nfor i in prange(len(k)):\n    row = h[k[i]]\n    row += 1\nreturn h",
}


@pytest.mark.parametrize("name", ATOMIC)
def test_updates_that_may_meet_are_atomic(name):
    assert both(ATOMIC[name])


@pytest.mark.parametrize("name", PLAIN)
def test_updates_that_never_meet_are_plain(name):
    assert not both(PLAIN[name])


@pytest.mark.parametrize("name", REFUSED)
def test_updates_that_would_be_lost_are_refused(name):
    with pytest.raises(pyraptor.UnsupportedError, match="two iterations may change the same element"):
        pyraptor.jit(function("k", REFUSED[name], **NAMES))(K)


def test_functions_called_from_parallel_loops():
    add = function("h, i", "h[i] += 1\nreturn 0")
    scale = function("row, x", "row *= x\nreturn 0")
    assert both("h = np.zeros(5)\nfor i in prange(len(k)):\n    add(h, k[i])\nreturn h", add=add)
    assert both("h = np.zeros(len(k) + 1)\nfor i in prange(len(k)):\n    add(h, i)\n    add(h, i + 1)\nreturn h", add=add)
    assert both("h = np.zeros(len(k) + 1)\nfor i in prange(len(k)):\n    add(h, i)\n    h[i + 1] += 1\nreturn h", add=add)
    assert not both("h = np.ones((100, 7))\nfor i in prange(100):\n    scale(h[i], i)\nreturn h", scale=scale)
    with pytest.raises(pyraptor.UnsupportedError, match="two iterations may change"):
        both("h = np.ones((100, 7))\nfor i in prange(100):\n    scale(h[k[i]], i)\nreturn h", scale=scale)


def test_a_negative_block_is_an_error():
    f = pyraptor.jit(function("h, b", "for i in prange(0, 4):\n    h[i + b:i + b + 1] *= 2\nreturn h"))
    assert f(np.ones(9), 1).tolist() == [1, 2, 2, 2, 2, 1, 1, 1, 1]
    with pytest.raises(ValueError, match="negative"):
        f(np.ones(9), -2)


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core")
def test_no_count_is_lost_on_several_threads():
    pyraptor.config.threads, old = 4, pyraptor.config.threads
    try:
        f = pyraptor.jit(function("x, n", "c = np.zeros(n)\nfor i in prange(len(x)):\n    c[int(x[i] * n)] += 1\nreturn c"))
        x = np.random.default_rng(0).random(1000000)
        for _ in range(4):
            assert (f(x, 10) == np.histogram(x, 10, (0, 1))[0]).all()
    finally:
        pyraptor.config.threads = old


# Loops whose subscripts are not negative if a value in front of them is not.
TESTED_IN_FRONT = {
    "from a variable on": "h = np.arange(100.0)\nfor i in prange(k + 1, 100):\n    h[i] -= 2 * h[i] + k\nreturn h",
    "of two dimensions": "h = np.ones((30, 40))\nfor i in prange(k, 30):\n    for j in prange(k + 1, 40):\n        h[i, j] += i * 40 + j\nreturn h",
    "a serial loop inside": "h = np.ones((30, 40))\nfor i in prange(k, 30):\n    for j in range(k + 1, 40):\n        h[i, j] -= i * 40 + j\nreturn h",
    "a triangle": "h = np.ones((30, 40))\nfor i in prange(k, 30):\n    for j in prange(i, 40):\n        h[i, j] += i * 40 + j\nreturn h",
    "with a reduction": "h = np.zeros(50)\ns = 0\nfor i in prange(k, 50):\n    h[i] += i\n    s += i\nreturn h, s",
    "products": "h = np.ones(50)\nfor i in prange(k, 50):\n    h[i] *= i\nreturn h",
}


@pytest.mark.parametrize("name", TESTED_IN_FRONT)
@pytest.mark.parametrize("k", [0, 3, 48, -4])
def test_signs_are_tested_in_front_of_the_loop(name, k):
    f = function("k", TESTED_IN_FRONT[name], **NAMES)
    jitted = pyraptor.jit(f)
    if name == "products" and k < 0:
        with pytest.raises(ValueError, match="negative subscript"):
            jitted(k)
    else:
        compare(jitted, k)
    text = jitted.inspect("vrir")
    assert text.count("(pforstmt") % 2 == 0  # one form with plain updates, one for negative subscripts
    assert name == "products" or text.count("(xchange") == 1


NESTED_PLAIN = {
    "rest of another dimension": "for i in prange(1, 29):\n    for k in prange(14):\n        h[i, 1 + 2 * k + (i & 1)] += k\nreturn h",
    "an unsure axis beside a sure one": "for s in prange(40):\n    for t in range(1, 30):\n        k = 29 - t\n        h[k, s] -= h[k + 1, s]\n        k = 0\nreturn h",
}
NESTED_ATOMIC = {
    "rest of the same dimension": "for i in prange(20):\n    h[0, i + (i & 1)] += 1\nreturn h",
    "rests of each other": "for i in prange(20):\n    for k in prange(10):\n        h[i + (k & 1), k + (i & 1)] += 1\nreturn h",
    "the least value is negative": "for i in prange(30):\n    h[i - 1, 0] += 1\nreturn h",
    "runs downwards": "for i in prange(n, -3, -1):\n    h[i, 0] += 1\nreturn h",
    "an inner loop that runs downwards": "for i in prange(n, 30):\n    for j in range(n, -3, -1):\n        h[i, j] += 1\nreturn h",
    "a step of unknown sign": "for i in prange(n, 20, n):\n    h[i, 0] += 1\nreturn h",
    "different axes of two updates": "for i in prange(n, 30):\n    h[i, 0] += 1\n    h[0, i] += 1\nreturn h",
}


@pytest.mark.parametrize("name", [*NESTED_PLAIN, *NESTED_ATOMIC])
def test_proofs_that_depend_on_other_dimensions(name):
    body = "h = np.ones((30, 40))\n" + {**NESTED_PLAIN, **NESTED_ATOMIC}[name]
    jitted = pyraptor.jit(function("n", body, **NAMES))
    compare(jitted, 2)
    text = jitted.inspect("vrir")
    assert text.count("(xchange") == (body.count("+= 1") if name in NESTED_ATOMIC else 0)
    assert text.count("(pforstmt") == body.count("prange")  # no second form
