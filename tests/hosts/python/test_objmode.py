"""Blocks of objmode. In plain Python objmode has no effect, so plain Python is the oracle."""
import collections
import json
import traceback

import numpy as np
import pytest
from pyraptor import UnsupportedError, f64, i64, jit, objmode, prange

from conftest import function

log = []
FACTOR = 3
NAMES = dict(objmode=objmode, json=json, collections=collections, log=log, FACTOR=FACTOR, f64=f64, i64=i64, np=np, prange=prange)
A = np.arange(5.0)

BODIES = [
    "with objmode(y='float64'):\n    y = json.loads(str(float(k)))\nreturn y * 2",
    "with objmode(y='float64[:]', n='int64'):\n    y = np.asarray(json.loads(json.dumps(a.tolist()))) * FACTOR\n    n = len(set(y))\nreturn y + n",
    "with objmode():\n    log.append((k, a.sum()))\nreturn k",
    "with objmode:\n    log.append(k)\nreturn k",
    "s = 0.0\nfor j in range(k):\n    with objmode(s='float64'):\n        s += float(json.loads('[1, 2]')[1]) + j\nreturn s",
    "y = 1.0\nif k > 1:\n    with objmode(y=f64):\n        y = collections.Counter('aab')['a'] * 1.0\nreturn y",
    "t = (k, a)\nwith objmode(y=f64[:, :], z='Tuple((f8, i8))'):\n    y = np.outer(t[1], [1, t[0]])\n    z = (float(a[1]), int(a[2]))\nreturn y, z",
    "with objmode():\n    a[0] = 7 if {'x': 1}['x'] else 8\nreturn a",
    "with objmode(y='b1'):\n    try:\n        {}[k]\n    except KeyError:\n        y = True\n    for q in []:\n        break\nreturn y",
    "import math as m\nword = 'abc'\nwith objmode(y='int64'):\n    import re\n    y = len(re.findall('b', word)) + int(m.floor(2.5))\nreturn y + k",
    "with objmode(y='float64'):\n    def f(x):\n        return x + 1\n    y = f(float(k))\nreturn y",
    "with objmode(y='int64'):\n    q = {}\n    q[k] = 5\n    y = sum(q.values())\nreturn y",
    "with objmode(y='float64'):\n    y = 1.0\nwith objmode(z='float64'):\n    z = y + k\n    y = 2.0\nreturn z" if False else
    "with objmode(y='float64'):\n    y = 1.0\nwith objmode(y='float64', z='float64'):\n    z = y + k\n    y = 2.0\nreturn y, z",
    "x, y = 1, 2\nwith objmode(x='int64', y='int64'):\n    x, y = y, k\nreturn x, y",
]


@pytest.mark.parametrize("body", BODIES)
def test_blocks(check, body):
    f = function("a, k", body, **NAMES)
    for k in (1, 2):
        log.clear()
        check(f, A, k)
        assert len(log) in (0, 2) and log[:1] == log[1:]


def test_in_closures(check):
    def around(scale):
        def inner(x):
            with objmode(y="float64"):
                y = sum({x, scale})
            return y
        return inner

    check(around(2.5), 1.5)
    f = around(2.5)
    assert jit(lambda x: f(x) + 1)(1.5) == 5.0


def test_exceptions():
    f = function("k", "with objmode(y='int64'):\n    x = {}\n    y = x[k]\nreturn y", **NAMES)
    with pytest.raises(KeyError) as e:
        jit(f)(5)
    assert e.value.args == (5, ) and traceback.extract_tb(e.value.__traceback__)[-1].line == "y = x[k]"
    g = function("k", "with objmode(y='int64'):\n    y = 'a'\nreturn y", **NAMES)
    with pytest.raises((TypeError, ValueError)):
        jit(g)(5)
    h = function("k", "with objmode(y='int64'):\n    if k > 5:\n        y = 1\nreturn y", **NAMES)
    assert jit(h)(6) == 1
    with pytest.raises(UnboundLocalError):
        jit(h)(5)


def test_the_block_gets_copies():
    kept = []
    f = function("a", "with objmode(y='float64[:]'):\n    kept.append(a)\n    a[1] = 5\n    y = a\ny[0] = 9\nreturn y", kept=kept, **NAMES)
    a = A.copy()
    y = jit(f)(a)
    assert a[1] == 5 and a[0] == 0 and y[0] == 9 and kept[0] is not a and kept[0][1] == 5


@pytest.mark.parametrize("body, what", [
    ("with objmode(y='float64'):\n    return 1.0\nreturn 2.0", "'return' in an objmode block"),
    ("for j in range(3):\n    with objmode():\n        break\nreturn j", "'break' or 'continue' that leaves"),
    ("for j in range(3):\n    with objmode():\n        if j:\n            continue\nreturn j", "that leaves an objmode block"),
    ("with objmode(y='float65'):\n    y = 1.0\nreturn y", "not a type for objmode"),
    ("with objmode(y='float64(int64)'):\n    y = 1.0\nreturn y", "not a type for objmode"),
    ("with objmode(y=k):\n    y = 1.0\nreturn y", "not a type for objmode"),
    ("with objmode('float64'):\n    y = 1.0\nreturn 1", "takes names with types"),
    ("with objmode() as q:\n    y = 1.0\nreturn 1", "takes names with types"),
    ("with objmode(z='float64'):\n    y = 1.0\nreturn 1", "'z' is not assigned"),
    ("with objmode():\n    y = 1.0\nreturn y", "does not name it"),
    ("y = 0.0\nwith objmode():\n    y = 1.0\nreturn y", "does not name it"),
    ("with objmode():\n    k += 1\nreturn k", "does not name it"),
    ("with objmode():\n    global FACTOR\nreturn 1", "'global' in an objmode block"),
    ("q = [k]\nq.append(2)\nwith objmode(y='int64'):\n    y = len(q)\nreturn y", "reads 'q'"),
    ("for j in prange(3):\n    with objmode(y='int64'):\n        y = j\nreturn 1", "parallel loop"),
    ("with objmode(y='int64'), objmode():\n    y = 1\nreturn y", "'with' is compiled for"),
    ("with open('x'):\n    y = 1\nreturn y", "'with' is compiled for"),
])
def test_refused(body, what):
    with pytest.raises(UnsupportedError, match=what) as e:
        jit(function("a, k", body, **NAMES))(A, 1)
    assert e.value.lineno


def test_plain_python():
    with objmode(y="float64"):
        y = 1.0
    with objmode:
        y += 1
    assert y == 2.0 and repr(objmode) == "pyraptor.objmode"
