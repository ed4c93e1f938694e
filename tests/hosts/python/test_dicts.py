"""Dictionaries of numbers. Plain Python is the oracle, including the order of the keys."""
import copy

import numpy as np
import pytest

from conftest import function
from pyraptor import UnsupportedError, jit
from test_lists import both, refused

MADE = [
    "d = {}\nfor x in l:\n    if x in d:\n        d[x] += 1\n    else:\n        d[x] = 1\nreturn d, len(d), sorted(d), list(d.values()), list(d.items()), list(d)",
    "d = dict()\nfor x in l:\n    d[x] = d.get(x, 0) + 1\nreturn d, [k for k in d], {v: k for k, v in d.items()}, isinstance(d, dict)",
    "d = {}\nfor i, x in enumerate(l):\n    d[x] = i * 0.5\ns = 0.0\nfor k in d:\n    s += k * d[k]\nfor k, v in d.items():\n    s -= k * v * 2\n"
    "for v in d.values():\n    s += v\nreturn s, d",
    "n = len(l)\nd = {1: 2.5, 7: 1.5, n: 9.5}\ndel d[1]\na = d.pop(7)\nb = d.pop(70, -1.0)\nd[3] = 4.5\ne = d\ne[12] = 1.0\nd.update({5: 5.5})\n"
    "return d, e, a, b, d.setdefault(5, 0.0), d.setdefault(6, 0.25), bool(d), 5 in d, 55 not in d",
    "return {x: x * x for x in l if x != 2}, {x % 3: (x, x * 0.5) for x in l}, dict(zip(l, [1.5] * len(l))), dict([(1, 2), (3, 4)])",
    "d = {1: 1, 2: 2}\nfor k in list(d):\n    d[k + 1] = 2\n    if k == 2:\n        del d[1]\nreturn d",
    "d = {}\nfor i in range(len(l)):\n    d[i * 7 % 11] = i\nfor i in range(0, len(l), 2):\n    d.pop(i * 7 % 11)\nd[100] = 5\nr = 0\nfor k in d:\n    r = r * 3 + k * d[k]\n"
    "return r, d, sorted(d, key=lambda k: -d[k])",
    "memo = {}\nfor i in range(30):\n    if i < 2:\n        memo[i] = i\n    else:\n        memo[i] = memo[i - 1] + memo[i - 2]\nreturn memo[29]",
    "d = {0.5: 1, -0.0: 2}\nd[0.0] = 3\nreturn d, max(d), min(d.values()), sum(d.values()), any(v > 2 for v in d.values())",
    "d = {1: 5}\nd.clear()\nd[2] = 7\nreturn d, (d, 1), [3]",
    "d = {x: 0 for x in l}\nout = []\nfor k in d:\n    d[k] += k\n    out.append(d[k])\nreturn d, out, d.copy(), dict(d)",
    "try:\n    d = {1: 5}\n    x = d[len(l)]\nexcept KeyError:\n    x = -1\nreturn x",
    "d = {(0): True}\nd[1] = False\nreturn d, {x > 1: x for x in l}",
    "a = {1: 2}\nfor i in range(3):\n    b = a\n    a = {i: i}\n    b[i + 5] = len(b)\n    a[9] = len(b)\nreturn a, b",
]

# keys that are tuples; comparisons
MADE += [
    "k = len(l)\nd = {1: 2, 3: k}\ne = {3: k, 1: 2}\nf = {1: 2, 3: k + 1}\nh = {1: 2}\ni = {}\nreturn d == e, d != e, d == f, d == {1: 2, 4: k}, d == h, h != d, i == {}, d == i, "
    "{(1, 2): 1.5} == {(1, 2): 1.5}, {1: (1, k)} == {1: (1, 5)}, d == {1.0: 2.0, 3.0: 5.0}",
    "d = {}\nfor i in range(len(l)):\n    d[(i, i + 1)] = i * 2\nreturn d[(0, 1)], (0, 1) in d, (9, 9) not in d, len(d), d, list(d), list(d.values())",
    "memo = dict()\nfor i in l:\n    for j in range(4):\n        memo[i, j] = memo.get((i - 1, j), 1) + memo.get((i, j - 1), 1)\nreturn memo",
    "d = {(1, 2): 3.0, (4, 5): 6.0}\ns = 0.0\nfor (a, b), v in d.items():\n    s += a * b * v\nfor key in d:\n    s += key[0]\nd[4, 5] += 1.5\n"
    "return s, d, d.pop((1, 2)), d.setdefault((7, 7), 2.0), sorted(d), max(d)",
    "d = {}\nd[(1, 1.5, True)] = (1, 2.5)\nd[(1, 0.5, True)] = (2, 3.5)\ndel d[(1, 1.5, True)]\nd[(1, 0.5, True)] = (3, 4.5)\nreturn d, d.popitem()",
    "d = {(0, (1, x)): x for x in l}\nreturn d, d[(0, (1, l[0]))], sorted(d.items())",
    "d = {(1, 2): 3}\nreturn d[(2, 1)]",
]


@pytest.mark.parametrize("l", [[3, 1, 3, 2, 1], [5], [1, 2, 3, 4, 5, 6, 7, 8, 9]])
@pytest.mark.parametrize("body", MADE)
def test_made_inside(body, l):
    both("l", body, l)


def test_arguments():
    both("d", "s = 0\nfor k in d:\n    s += k * d[k]\nreturn s, len(d), 3 in d, d.get(77, 5), max(d), sum(d.values()), list(d.items())", {3: 4, 1: 2})
    both("d", "return d.copy(), {k: v + 1 for k, v in d.items()}, sorted(d.items(), key=lambda p: p[1])", {3: 4.5, 1: 2.5})
    both("d", "return len(d), 3 in d, [k for k in d], d.get(3, 1)", {})
    both("d", "return d[(1, 2)], d.get((5, 5), 9), len(d), sum(d.values()), [k for k in d], d.copy()", {(1, 2): 3, (0, 7): 7})


@pytest.mark.parametrize("body", ["return d[4]", "del d[4]\nreturn 0", "return d.pop(4)"])
def test_missing_keys(body):
    both("n", "d = {1: 2.5}\n" + body, 1)
    both("n", "d = {}\n" + body.replace("del d[4]", "d.clear()"), 1)


REFUSED = [
    ("return len(d)", {"a": 4, 2: 3}, "argument 'd'"),
    ("return len(d)", {1: "a"}, "argument 'd'"),
    ("return len(d)", {(1, 2): 1, (1, 2, 3): 2}, "argument 'd'"),
    ("return len(d)", {(1, 2j): 1}, "argument 'd'"),
    ("e = {(1, 2): 1}\nreturn e[3]", {3: 4}, "among keys of type"),
    ("e = {(1, 2): 1}\nreturn e[(1, 2, 3)]", {3: 4}, "among keys of type"),
    ("return len(d)", {1: 2, 2.5: 3}, "argument 'd'"),
    ("e = {1: 1}\nfor k in e:\n    e[k + 1] = 2\nreturn e", {3: 4}, "changing a dictionary in a loop over a dictionary"),
    ("return d < {1: 1}", {3: 4}, "dictionaries have no order"),
    ("return d == [1]", {3: 4}, "comparing"),
    ("e = {1: None}\nreturn e", {3: 4}, "as a value of a dictionary is not compiled"),
    ("e = {1: 2}\ne[2] = 0.5\nreturn e", {3: 4}, "would have to hold"),
    ("return d.items()", {3: 4}, "a view of a dictionary"),
    ("def put(k):\n    e[k] = 1\ne = {1: 2}\nput(3)\nreturn e", {3: 4}, "an argument of a function that compiled code calls"),
]


@pytest.mark.parametrize("body, value, match", REFUSED)
def test_refused(body, value, match):
    refused("d", body, value, match=match)


@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed):
    rng = np.random.default_rng(seed)
    steps = ["{a}[{k}] = n", "{a}[n % 5] = {a}.get({k}, 3) + 1", "{a}.pop({k}, 0)", "{a} = {b}", "if {k} in {a}:\n    del {a}[{k}]", "if {k} in {a}:\n    {a}[{k}] += 2",
             "n += {b}.setdefault({k}, 4)", "{a}.update({b})", "{a} = {{k: v + 1 for k, v in {b}.items() if v != {k}}}", "if len({a}) > 4:\n    {a}.clear()",
             "for k, v in {b}.items():\n    n += k * v % 3", "{a} = {b}.copy()", "for k in list({b}):\n    {a}[k + 1] = {k}", "{a}, {b} = {b}, {a}"]
    for _ in range(10):
        lines = ["x = {1: 2}", "y = {n: 3, 4: 1}", "z = x"]
        for _ in range(9):
            a, b = rng.choice(["x", "y", "z"], 2, replace=False)
            lines += steps[rng.integers(len(steps))].format(a=a, b=b, k=rng.integers(6)).split("\n")
        both("n", "\n".join([*lines, "return x, y, z, n"]), int(rng.integers(4)))


#: The arguments are compared afterwards, and which of them are in the result.
CHANGED = [
    ("d, n", "d[n] = 1.5\nd[1] += 1\ndel d[3]\nreturn d", {1: 2.5, 3: 4.5}, 5), ("d, n", "for k in list(d):\n    d[k] = d[k] * 2\nreturn n", {1: 2.5, 3: 4.5}, 5),
    ("d, n", "e = d\ne[n] = 9.5\nd = {7: 1.5}\nd[8] = 2.5\nreturn d, e", {1: 2.5, 3: 4.5}, 5),
    ("d, n", "if n > 3:\n    e = d\nelse:\n    e = {9: 9.5}\ne[4] = n * 1.0\nreturn e", {1: 2.5, 3: 4.5}, 5), ("d, n", "return d, d.copy()", {1: 2}, 5),
    ("d, n", "if n > 3:\n    e = d\nelse:\n    e = {9: 9.5}\ne[4] = n * 1.0\nreturn e", {1: 2.5, 3: 4.5}, 2),
    ("d, n", "d[n] = n * 2\nd.update({n + 1: 3})\nreturn len(d)", {}, 5), ("d, n", "d.clear()\nreturn d", {(1, 2): 3}, 1),
    ("d, n", "d[n, n] = 7\nd.setdefault((4, 4), 8)\nreturn d.popitem(), d", {(1, 2): 3}, 1), ("d, n", "d[n + 1] = (5, 5.5)\nd.pop(1)\nreturn d", {1: (2, 2.5)}, 1),
    ("d, l", "l.append(3)\nd[3] = len(l)\nreturn l, d", {1: 2}, [1, 2]), ("s, n", "s.add(n)\ns.discard(1)\nreturn len(s)", {1, 3}, 5), ("s, n", "return s", {1, 3}, 5),
    ("s, n", "s.add(n)\nreturn s, s, 4", {1, 3}, 5), ("s, n", "s.add(n)\nreturn s", set(), 5), ("s, t", "s |= t\nt.clear()\nreturn s", {1, 2}, {2, 3}),
    ("s, t", "s.intersection_update(t)\ns.update([7, 8])\nreturn len(s)", {1, 2}, {2, 3}), ("s, n", "t = s.copy()\nt.add(9)\nreturn s, t", {1, 2}, 1),
    ("s, n", "for i in range(10):\n    if i % n:\n        s.add(i)\n    else:\n        s.discard(i)\nreturn s, sum(s)", {1, 2}, 2), ("s, n", "s.add(float(n))\nreturn s", {2.5}, 1),
    ("s, n", "s = s | {n}\ns.add(7)\nreturn s", {1}, 2), ("d, e", "d.update(e)\nreturn e", {1: 2}, {3: 4}),
]


@pytest.mark.parametrize("arguments, body, x, y", CHANGED)
def test_changed_arguments(arguments, body, x, y):
    f = function(arguments, body)
    plain, compiled = copy.deepcopy((x, y)), copy.deepcopy((x, y))
    want, got = f(*plain), jit(f)(*compiled)
    assert str(want) == str(got) and str(plain) == str(compiled)
    want, got = (r if isinstance(r, tuple) else (r, ) for r in (want, got))
    assert [[i is a for a in plain if isinstance(a, (set, dict, list))] for i in want] == [[i is a for a in compiled if isinstance(a, (set, dict, list))] for i in got]


def test_argument_passed_twice():
    f, s = jit(function("a, b", "a |= b\nreturn len(b)")), {1, 2}
    with pytest.raises(UnsupportedError, match="passed twice"):
        f(s, s)
    assert f({1}, {2}) == 1 and s == {1, 2}


def test_arguments_are_unchanged_after_an_exception():
    d = {1: 2}
    with pytest.raises(KeyError):
        jit(function("d", "d[5] = 1\nreturn d[99]"))(d)
    assert d == {1: 2}
