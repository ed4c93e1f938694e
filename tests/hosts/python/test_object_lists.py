"""Lists of arrays, of records and of tuples with arrays as arguments, and dictionaries with string keys."""
from typing import NamedTuple

import numpy as np
import pytest

from conftest import compare, function
from pyraptor import UnsupportedError, jit

ARRAYS = [np.arange(3.0), np.ones(2), np.zeros(4)]


class Point(NamedTuple):
    x: float
    y: float


@pytest.mark.parametrize("body", [
    "s = 0.0\nfor a in l:\n    s += a.sum()\nreturn s", "l[0][1]", "l[-1][1] + len(l)", "sum([a.sum() for a in l])", "l[1][0] = 7\nreturn l[1][0]",
    "np.concatenate(l)", "[a * 2 for a in l][1]", "max(len(a) for a in l)", "k, m, q = l\nreturn k.sum() + m.sum()", "list(l)",
    "for i in range(len(l)):\n    l[i][0] = i\nreturn i", "s = 0.0\nfor i in range(len(l)):\n    if i == 1:\n        continue\n    s = s * 2 + l[i][1]\nreturn s",
    "for i in range(len(l)):\n    for j in range(len(l[i])):\n        l[i][j] += i * j\nreturn 0", "isinstance(l, list)",
    "for k, a in enumerate(l):\n    a += k\nreturn 0",
])
def test_lists_of_arrays(body):
    compare(function("l", body), ARRAYS)


def test_elements_of_different_types():
    compare(function("l", "s = 0.0\nfor a in l:\n    s += a.sum()\nreturn s"), [np.arange(3), np.ones((2, 2)), np.ones(3, np.float32)])
    compare(function("l", "s = 0\nfor a, k in l:\n    s += a.sum() * k\nreturn s"), [(np.ones(2), 2), (np.ones(3), 3)])
    compare(function("l", "s = 0.0\nfor p in l:\n    s += p.x * p.y\nreturn s"), [Point(1.0, 2.0), Point(3.0, 4.0)])
    compare(function("l", "s = 0.0\nfor v in l:\n    if v is not None:\n        s += v\nreturn s"), [1.5, None, 2.5])


def test_together_with_lists_that_change():
    l, m = [np.zeros(2)], [1]
    jit(function("l, m", "m.append(2)\nl[0][0] = m[0]\nreturn 0"))(l, m)
    assert m == [1, 2] and l[0].tolist() == [1.0, 0.0]


def test_one_array_twice():
    a = np.zeros(2)
    f = function("l", "l[0][0] = 5\nreturn l[1][0]")
    assert jit(f)([a, a]) == 5.0


@pytest.mark.parametrize("body", ["l", "l.append(l[0])\nreturn 0", "l[0] = l[1]\nreturn 0", "l == l", "k = len(l[0]) - 3\nreturn l[k]"])
def test_refused(body):
    with pytest.raises(UnsupportedError):
        jit(function("l", body))(ARRAYS)


def test_lists_with_lists_are_refused():
    with pytest.raises(UnsupportedError):
        jit(function("l", "l[0][1]"))([np.ones(2), [1, 2]])


# ---- dictionaries with string keys
SETTINGS = {"alpha": 0.5, "n": 3, "name": "x", "a": np.arange(3.0), "inner": {"z": 2}}


@pytest.mark.parametrize("body", [
    "p['alpha'] * p['n']", "p['a'].sum()", "len(p)", "'n' in p, 'q' in p, 'q' not in p, 3 in p", "p.get('q', 7), p.get('n'), p.get('q')", "dict(p)['n']",
    "s = 0.0\nfor k in p:\n    if k == 'alpha':\n        s += p[k]\nreturn s", "list(p)", "list(p.keys())[0]", "isinstance(p, dict)", "bool(p)", "p['q']", "p[3]",
    "g = lambda q: q['n'] * 2\nreturn g(p)", "q = p\nreturn q['n']", "p['name']", "p['inner']['z']", "p['a'][1] = 9\nreturn 0", "p.copy()['alpha']",
    "return {'n': p['n'], 'again': p['inner']}",
])
def test_arguments(body):
    compare(function("p", body), SETTINGS)


@pytest.mark.parametrize("body", [
    "s = 0\nfor k, v in p.items():\n    s += v\nreturn s", "sum(p.values())", "max(p.values())", "str(p)", "f'{p}'", "[v * 2 for v in p.values()]",
    "'b' if 'b' in p else 'c'",
])
def test_numbers(body):
    compare(function("p", body), {"a": 1, "b": 2})


@pytest.mark.parametrize("body", [
    "return {'mean': x.mean(), 'n': len(x)}", "d = {'mean': x.mean(), 'n': len(x)}\nreturn d, 3", "return {'b': {'c': x[0]}}",
    "d = {'t': 0.0, 'n': 0}\nfor v in x:\n    d['t'] += v\n    d['n'] += 1\nreturn d", "d = {'n': 2}\nwhile d['n'] > -3:\n    d['n'] -= 1\nreturn x[d['n']]",
    "d = dict(a=1, b=2.5)\nreturn d['a'] + d['b'], d", "d = {'a': 1}\nd['a'] = 2\nreturn d['a'], len(d)", "d = {'a': 1, 'a': 2}\nreturn d",
    "d = {'k': 1}\nif len(x) > 2:\n    d = {'k': 2}\nreturn d",
])
def test_of_the_function(body):
    compare(function("x", body), np.arange(4.0))


@pytest.mark.parametrize("body, says", [
    ("p", "return a copy"), ("p['n'] = 4\nreturn 0", "is changed"), ("d = {'n': 1}\ne = d\ne['n'] = 2\nreturn d", "is changed"), ("d = {'n': 1, 'x': 2.5}\nd['m'] = 2\nreturn d", "adding a key"),
    ("d = {'a': np.ones(2)}\nd['a'] = np.zeros(2)\nreturn d", "numbers can be assigned"), ("d = {'n': 0}\nfor i in prange(3):\n    d['n'] += i\nreturn d", "parallel loop"),
    ("d = {'a': [1, 2]}\nreturn 0", "a list as a value"), ("p == p", "not compiled"),
])
def test_refused_of_dictionaries(body, says):
    with pytest.raises(UnsupportedError, match=says):
        jit(function("p", body))({"n": 1, "alpha": 2.0})


def test_lists_in_dictionaries():
    p = {"l": [1, 2], "k": 1}
    jit(function("p", "p['l'][0] = 5\nreturn 0"))(p)
    assert p == {"l": [5, 2], "k": 1}
    with pytest.raises(UnsupportedError):
        jit(function("p", "p['l'].append(5)\nreturn 0"))(p)
