"""Sets of numbers. Plain Python is the oracle; sets have no order, so they are compared as sets."""
import copy

import numpy as np
import pytest

from conftest import function
from pyraptor import UnsupportedError, jit
from test_lists import refused


def both(arguments, body, *args, **names):
    f = function(arguments, body, **names)
    plain, compiled = copy.deepcopy(args), copy.deepcopy(args)
    outcome = []
    for g, given in ((f, plain), (jit(f), compiled)):
        try:
            outcome.append((g(*given), None))
        except UnsupportedError:
            raise
        except Exception as e:
            outcome.append((None, (type(e), str(e))))
    assert outcome[0][1] == outcome[1][1]
    same(outcome[0][0], outcome[1][0])
    same(plain, compiled)


def same(a, b):
    assert type(a) is type(b)
    if isinstance(a, set):
        assert a == b and sorted(map(repr, a)) == sorted(map(repr, b))
    elif isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
    else:
        assert repr(a) == repr(b)


@pytest.mark.parametrize("n", [0, 1, 4, 9])
@pytest.mark.parametrize("body", [
    "s = set()\nfor i in range(n):\n    s.add(i * i % 7)\nreturn s, len(s), 2 in s, 3 not in s, sorted(s), sum(s)",
    "s = {1, 2, n}\nt = s\nt.add(9)\ns.discard(1)\ns.discard(77)\nt.update({5, 6}, [7, 7])\ns |= {100}\nreturn s, t, len(t), min(s), max(t)",
    "s = {1, 2, n}\ns.remove(4)\nreturn s",
    "s = {1, 2, n}\ns.clear()\nreturn s, bool(s), not s, s == set()",
    "return set(), {n}, (set(range(n)), 1), {x % 3 for x in range(n)}, {x * 0.5 for x in range(n) if x > 2}",
    "s = {0, 1}\nfor i in range(n):\n    t = s\n    s = {i}\n    t.add(i + 5)\n    s.add(len(t))\nreturn s",
    "s = {0.0}\ns.add(-0.0)\nreturn s, {True, n > 3}",
    "def has(v):\n    return v in s\ns = {1}\nfor i in range(n):\n    s.add(i + 5)\nreturn has(1), has(6), has(n), isinstance(s, set)",
    "s = {1, n}\ntry:\n    s.remove(4)\nexcept KeyError:\n    s.add(7)\nreturn s",
])
def test_made_inside(body, n):
    both("n", body, n)


@pytest.mark.parametrize("a, b", [({1, 2, 3}, {3, 4}), ({1, 2}, {1, 2}), ({1, 2, 3}, set()), (set(), {1}), (set(), set()), ({1.5, 2.0}, {2.0}), ({5}, {7, 9})])
def test_two_sets(a, b):
    both("a, b", "return a | b, a & b, a - b, a ^ b, a.union(b, b), a.intersection(b), a.difference(b), a.symmetric_difference(b), a.copy()", a, b)
    both("a, b", "return a <= b, a < b, a == b, a != b, a >= b, a > b, a.issubset(b), a.issuperset(b), a.isdisjoint(b)", a, b)


def test_numbers_of_two_types():
    both("a, b", "return a - b, a == b, 1.0 in a, 2 in b, a <= b", {1, 2, 3}, {2.0, 1.0})
    refused("a, b", "return len(a | b)", {1, 2}, {1.0}, match="cannot be combined")


def test_lists_and_arrays_as_sets():
    both("l", "seen = set()\nr = []\nfor x in l:\n    if x not in seen:\n        seen.add(x)\n        r.append(x)\nreturn r, seen", [3, 1, 3, 2, 1])
    both("l", "s = set(l)\nl.append(4)\nreturn s, l, len(set(l))", [3, 1, 3, 2, 1])
    both("x", "return set(x), sorted(set(x), reverse=True)", np.array([3, 1, 3]))


@pytest.mark.parametrize("body, value, match", [
    ("def add(v):\n    s.add(v)\ns = {1}\nadd(len(a))\nreturn s", {1}, "that is an argument of a function that compiled code calls"),
    ("s = 0\nfor x in a:\n    s = s * 10 + x\nreturn s", {1}, "the iteration order of a set is not defined"),
    ("s = 0\nfor x in a:\n    s += x\n    s *= 2\nreturn s", {1}, "the iteration order of a set"),
    ("s = u = 0\nfor x in a:\n    s += x\n    u += s\nreturn u", {1}, "the iteration order of a set"),
    ("s = []\nfor x in a:\n    s += [x]\nreturn s", {1}, "the iteration order of a set"),
    ("s = ()\nfor x in a:\n    s += (x,)\nreturn s", {1}, "the iteration order of a set"),
    ("s = 0\nfor x in a:\n    if x > 1:\n        break\n    s += x\nreturn s", {1}, "the iteration order of a set"),
    ("s = 0\nfor x in a:\n    t = x\n    s += x\nreturn s + t", {1}, "the iteration order of a set"),
    ("out = []\ndef f(x):\n    out.append(x)\n    return x\ns = 0\nfor x in a:\n    s += f(x)\nreturn out", {1}, "the iteration order of a set"),
    ("return sorted(a, key=lambda x: x % 2)", {1}, "the iteration order of a set"),
    ("return [x for x in sorted(list(a), key=abs)]", {1}, "the iteration order of a set"),
    ("return [x for x in a]", {1}, "the iteration order of a set"),
    ("return list(a)", {1}, "the iteration order of a set"),
    ("return len(a)", {1, 2.5}, "argument 'a'"),
    ("return len(a)", {"a"}, "argument 'a'"),
    ("return len(a)", {float("nan")}, "argument 'a'"),
    ("return len(set(a))", np.array([1.0, np.nan]), "a set with NaN"),
    ("return {(1, 2j), (a[0], 3j)}", [1], "is not compiled"),
    ("s = {(1, 2)}\nreturn 1 in s", [1], "searching a set"),
    ("s = {(1, 2)}\ns.add((1, 2, 3))\nreturn s", [1], "would have to hold"),
    ("return len(a)", {(1, 2), (1.5, 2)}, "argument 'a'"),
    ("return len(a)", {(1, 2), (1, 2, 3)}, "argument 'a'"),
    ("return len(a)", {(1, float("nan"))}, "argument 'a'"),
])
def test_refused(body, value, match):
    f = jit(function("a", body))
    with pytest.raises(UnsupportedError, match=match):
        f(value)


@pytest.mark.parametrize("l", [[3, 1, 2, 5, 3], [7, -4, 100, 33, -1], []])
@pytest.mark.parametrize("body", [
    "return len(list(set(l))), sum(list(set(l))), sorted(list(set(l))), sum(v * v for v in set(l)), any(v > 4 for v in set(l)), all([v > 4 for v in set(l)])",
    "best = -1000\nn = 0\nlow = 1000\nfor v in set(l):\n    if v > best:\n        best = v\n    if v % 2 == 0:\n        n += 1\n    w = v * 3\n    low = min(low, w)\nreturn best, n, low",
    "t = set()\nh = np.zeros(101, np.int64)\nfor v in set(l):\n    t.add(v % 3)\n    h[v] += 1\n    h[0] -= v\nreturn t, h.sum(), h[0]",
    "s = {v for v in l}\nx = 0\nfor v in s:\n    for k in range(3):\n        x ^= v * k\nreturn x, {v % 4 for v in s}, max(v for v in s | {1})",
    "n = 0\nfor v in set(l):\n    if v < 0:\n        continue\n    n -= v\nreturn n",
])
def test_loops_in_any_order(body, l):
    both("l", body, l)


@pytest.mark.parametrize("body", [
    "seen = set()\nfor i in range(k):\n    seen.add((i % 2, i % 3))\nreturn len(seen), (1, 1) in seen, (5, 5) not in seen, sorted(seen), seen, max(seen), min(seen)",
    "a = {(1, 2), (3, 4)}\nb = {(3, 4), (5, k)}\nreturn a | b, a & b, a - b, a ^ b, a <= b, a == b, a != b, {(3, 4)} < a, a.isdisjoint(b), a.union(b), a.issuperset({(1, 2)})",
    "s = set([(i % 3, i * 0.5) for i in range(k)])\ns.discard((1, 0.5))\ns.update([(9, 9.0), (8, 8.0)])\nt = s\nt |= {(7, 7.0)}\nreturn s, len(t)",
    "s = {(1, 2)}\ns.remove((2, 1))\nreturn s",
    "s = {(1, (2, 3)), (1, (2, k))}\nreturn s, (1, (2, 3)) in s",
])
def test_tuples(body):
    for k in (0, 1, 7):
        both("k", body, k)
    both("s", "return (1, 2) in s, len(s), sorted(s), {(a + 1, b) for a, b in sorted(s)}", {(1, 2), (0, 5)})
