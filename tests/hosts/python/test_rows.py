"""Lists of lists, and of vectors, of different lengths. Plain Python is the oracle, also for which names refer to one row; the rest is refused."""
import functools
import heapq

import numpy as np
import pytest

import pyraptor
from conftest import compare, function

LISTS = "r = [[3, 1], [2]]\nr.append([n, 5, 6])\nr.append([])\n"
VECTORS = "r = []\nfor k in range(n):\n    r.append(np.arange(k + 1.0))\n"
GIVEN = [[1, 2], [3], []]
MANY = [np.arange(k + 1.0) for k in range(70)]


def split(text):
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]


def refusal(arguments, body, *args, **names):
    with pytest.raises(pyraptor.UnsupportedError) as e:
        pyraptor.jit(function(arguments, body, **names))(*args)
    assert "in this form" not in e.value.reason
    return str(e.value)


@pytest.mark.parametrize("body", split(r"""
rows = []\nfor i in range(n):\n    rows.append(np.zeros(i + 1))\nreturn rows
rows = []\nfor i in range(n):\n    rows.append(np.arange(i + 1) * 1.5)\nrows[2][1] = 7.0\nreturn len(rows[1]), rows[2][1], rows[-1].shape, rows
rows = []\nfor i in range(n):\n    rows.append([i, i + 1])\nreturn rows
rows = [[] for _ in range(n)]\nfor i in range(10):\n    rows[i % n].append(i)\nreturn rows, sum([len(r) for r in rows])
rows = [[] for _ in range(n)]\nfor i in range(10):\n    rows[i % n].append((i, 0.5))\nreturn rows
return [[j for j in range(i)] for i in range(n)], [list(range(i)) for i in range(n)], [[i] * i for i in range(n)]
return [np.zeros(i) for i in range(n)], [np.arange(i) + 1 for i in range(n)]
return [[[j] * j for j in range(i)] for i in range(n)]
t = [[1]]\nfor i in range(n):\n    row = [1]\n    for j in range(i):\n        row.append(t[i][j] + t[i][j + 1])\n    row.append(1)\n    t.append(row)\nreturn t
parts, buf = [], []\nfor i in range(2 * n):\n    buf.append(i)\n    if len(buf) == 3:\n        parts.append(buf)\n        buf = []\nif buf:\n    parts.append(buf)\nreturn parts
g = [[0] * n for _ in range(n)]\ng[0][1] = 3\ng.append([1] * n)\nreturn g
g = [[0] * n for _ in range(n)]\ng[1].append(5)\nfor row in g:\n    row.append(1)\ng[2] = [7]\nreturn g
a, b = [[1], [2, 3]], [[1.5]]\na.append([n])\nb.append([])\nb[1].append(2.5)\nreturn a, b
r = [[]]\nfor k in range(n):\n    r.append([])\nreturn r, len(r), len(r[0])
r = []\nfor k in range(0):\n    r.append([])\nreturn r
"""))
def test_made(body):
    compare(function("n", body), 4)


def test_breadth_first_search():
    compare(function("edges, n", """adjacent = [[] for _ in range(n)]
for a, b in edges:
    adjacent[a].append(b)
    adjacent[b].append(a)
distance, queue = [-1] * n, [0]
distance[0] = 0
for v in queue:
    for w in adjacent[v]:
        if distance[w] < 0:
            distance[w] = distance[v] + 1
            queue.append(w)
return distance, [sorted(a) for a in adjacent]"""), [(0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (2, 5)], 7)


@pytest.mark.parametrize("body", split(r"""
a = r[0]\na.append(5)\nb = r[0]\nb.append(6)\nreturn r, len(a), a is b, a is not r[1]
a = [1]\nr.append(a)\na.append(2)\nr[-1].append(3)\nreturn r, a
a = [1]\nr.append(a)\nr.append(a)\na.append(2)\nreturn r
for k in range(n):\n    a = [k]\n    r.append(a)\n    a.append(k * 2)\nreturn r
q = r[:]\nq[0].append(5)\nq.append([6])\nreturn r, q
r[0], r[1] = r[1], r[0]\nr[2] = r[0]\nr[2].append(n)\nreturn r
x = r[0]\nr[0] = [5]\nx.append(1)\nreturn x, r
x, y = r[0], r[1]\nx, y = y, x\nx.append(1)\nreturn r, x
x = (r[0], 5)\nx[0].append(5)\ny = [r[1], r[2]]\ny[0].append(6)\nreturn r
x = r[0] if n > 2 else r[1]\nx.append(5)\nreturn r
b = [n, n]\nif n > 2:\n    b = r[0]\nb.append(4)\nreturn r, b
b = [n, n]\nfor row in r:\n    b.append(1)\n    b = row\nb = [v for v in b]\nb.append(7)\nreturn r, b
a, b, c, d = r\nd.append(7)\nreturn r
r.insert(1, r[0])\nr[1].append(0)\nreturn r
v = r[0]\nv += v\nv *= 2\nr[1] += [n]\nr[2] *= 2\nreturn r
q = r\nq.append([7])\nq[0].append(1)\nreturn r, q
"""))
def test_one_row_with_several_names(body):
    compare(function("n", LISTS + body), 3)


@pytest.mark.parametrize("body", split(r"""
for v in r[0]:\n    if len(r[0]) < 6:\n        r[0].append(v + 1)\nreturn r
row = r[-2]\nfor v in row:\n    if v < 5:\n        row.append(v + 2)\nreturn r
for row in r:\n    if len(r) < 8:\n        r.append(row + [1])\nreturn r
for k, row in enumerate(r):\n    row.append(k)\nfor row, k in zip(r, range(5)):\n    row.append(k)\nfor row in reversed(r):\n    row.append(0)\nreturn r
for v in r:\n    while v and v[-1] > 2:\n        v.pop()\nreturn r
for v in r:\n    for k in range(len(v)):\n        v[k] *= 2\nreturn r
s = 0\nfor v in r:\n    for x in v:\n        if x == 5:\n            break\n        s += x\n    else:\n        s += 100\nreturn s
return [[v * 2 for v in row] for row in r], [v for row in r for v in row if v > 1], [row[:] for row in r]
return sum(len(row) for row in r), list(map(len, r)), any([len(row) > 2 for row in r]), [x for x in filter(None, r)]
"""))
def test_loops(body):
    compare(function("n", LISTS + body), 3)


@pytest.mark.parametrize("body", split(r"""
r[0].sort()\nr[0].insert(1, 9)\nr[0].remove(1)\nr[1].extend([7, 8])\nr[3] += (1, 2)\nr[1].reverse()\ndel r[0][0]\nr[3][0:1] = [4, 4, 4]\nr[2].clear()\nreturn r, r[1].index(7), r[1].pop(0)
x = r.pop()\ny = r.pop(0)\nr.insert(0, [7, 7, 7])\nr[0][1] = n\nr.reverse()\nr.extend([[1], []])\nr += [[2]]\ndel r[1]\nreturn r, x, y
r.sort(key=len)\nreturn r, sorted(r[1:], key=lambda v: -v[0]), min(r, key=len), max(r[1:], key=lambda v: v[0])
r.extend([[k] * k for k in range(n)])\nr += [[k] * k for k in range(n)]\nreturn r
r[1:2] = [[7], [8, 9]]\nr[0][:] = [1, 2, 3, 4, 5]\ndel r[2:3]\nreturn r, r[::2]
r.append(list(range(n)))\nr.append([k for k in range(n) if k > 1])\nr.append(sorted(r[0]))\nr.append(r[0] + r[1])\nr.append(r[1] * 3)\nreturn r
return r[0] + r[1], r[1] * 2, sorted(r[0]), sum(r[0]), max(r[2]), 3 in r[0], r[0] == r[1], r[0] < r[1], r[0][::-1], r[2][-1], bool(r[3]), not r[0]
return np.array(r[0]) + 1, np.sum(r[0]), np.mean(r[2]), list(zip(r[0], r[2])), list(enumerate(r[0])), functools.reduce(lambda a, b: a + len(b), r, 0)
return r[0]
return r[1], r[2]
return r, r[2]
r.clear()\nr.append([1])\nreturn r
return isinstance(r[0], list), f"{len(r)} {r[0][0]}", r.copy()
try:\n    r[5].append(1)\nexcept IndexError:\n    r[0].append(2)\nreturn r
s = 0\nfor k in prange(3):\n    s += len(r[k])\nreturn s
"""))
def test_operations(body):
    compare(function("n", LISTS + body, functools=functools), 3)


@pytest.mark.parametrize("body", ["r[5].append(1)", "return r[0][4]", "return r[3].pop()", "return r[9]", "r[0].remove(99)", "a, b = r", "return r[0][r[0].pop() + 1]",
                                  "return max(r[3])", "r[0][7] = 1", "del r[0][5]"])
def test_errors(body):
    assert compare(function("n", LISTS + body), 3) is None or True
    assert isinstance(compare(function("n", LISTS + body + "\nreturn 0"), 3), (IndexError, ValueError))


@pytest.mark.parametrize("body", split(r"""
return len(r[1]), r[1].dtype, r[1].shape[0], r[2].sum(), r[-1][-1], r[n - 1][n - 1], [v * 2 for v in r], [v[v > 0] for v in r], [v.copy() for v in r]
return np.concatenate(r), np.hstack(r), np.array([v.sum() for v in r]), [v for v in r if v.sum() > 1]
r[1][r[1] > 0] = 9\nr[1] += 5\nr[2] *= 3\nr[1][:] = r[2][:2]\nr[3][1:] = 4\nreturn r
v = r[1]\nv += 1\nv[0] = 7\nfor v in r:\n    v[0] = 9\nfor k, v in enumerate(r):\n    v *= k\nreturn r
r.pop()\nr.insert(0, np.ones(2))\nr.reverse()\ndel r[1]\nr[0] = np.zeros(0)\nr.append(r[1])\nr[1][0] = 8\nreturn r
x = r[2]\nr.append(np.zeros(20))\nx[0] = 7\nreturn r, x.mean()
for k in range(len(r)):\n    r[k] = r[k] * 2\n    r[k][k] = -1\nreturn r, max(r, key=len)
r[3].sort()\nnp.add(r[0], 1, out=r[0])\nq = r[:]\nq[0][0] = 6\na, b, c, d = r\na[0] += 4\nreturn r, r[1].tolist(), np.dot(r[1], r[1])
s = np.zeros(4)\nfor k in prange(4):\n    s[k] = r[k].sum()\nreturn s
x = np.ones(6)\nfor k in range(2):\n    r.append(x[k:])\nreturn r[4].sum() + x.sum()
r = [v * 2 for v in r]\nreturn r
return r[2]
for k in range(n):\n    a = np.zeros(k)\n    a[:] = k\n    r.append(a)\nreturn r
"""))
def test_vectors(body):
    compare(function("n", VECTORS + body), 4)


def test_arrays_of_rows():
    compare(function("n", "r = []\nfor k in range(n):\n    r.append([k, k + 1])\nreturn np.array(r), np.array(r).sum(axis=0)"), 4)
    compare(function("n", "r = []\nfor k in range(n):\n    r.append(np.arange(3) * k)\nreturn np.array(r), np.vstack(r)"), 4)
    assert isinstance(compare(function("n", LISTS + "return np.array(r)"), 3), ValueError)
    assert isinstance(compare(function("n", "r = []\nfor k in range(n):\n    r.append(np.arange(k))\nreturn np.concatenate(r)"), 0), ValueError)


@pytest.mark.parametrize("body", ["[[v * 2 for v in r] for r in rows]", "rows[0]", "[r[:] for r in rows]", "rows[1][0], len(rows[0]), len(rows)", "[len(r) for r in rows]", "rows[3]",
                                  "r = rows[:]\nr.append([5])\nreturn len(r)", "r = [x[:] for x in rows]\nr[0].append(5)\nr[1][0] = 7\nreturn r", "max([sum(r) for r in rows])"])
def test_arguments(body):
    compare(function("rows", body), GIVEN)


def test_arguments_of_vectors_and_tuples():
    for body in ("[r * 2 for r in rows]", "rows[5]", "np.concatenate(rows)", "s = 0.0\nfor a in rows:\n    for b in rows:\n        s += a[0] * b[-1]\nreturn s, len(rows)"):
        compare(function("rows", body), MANY)
    compare(function("rows, k", "rows[k].sum(), rows[k][0]"), MANY, 3)
    compare(function("rows", "rows[1][0][1], len(rows[1])"), [[(1, 2.0)], [(3, 4.0), (5, 6.0)]])
    f = pyraptor.jit(function("rows", "[len(r) for r in rows]"))
    assert f(GIVEN) == [2, 1, 0] and f([[1], [2, 2]]) == [1, 2] and f([[1], [2]]) == [1, 1] and f([[0.5], []]) == [1, 0] and len(f.report()) == 3


@pytest.mark.parametrize("body", split(r"""
def f(rows):\n    return sum([len(v) for v in rows])\nreturn f(r)
def f(k):\n    s = [[7], [2, 3]]\n    s.append([k])\n    return s\na = f(3)\na.append([1])\nb = f(4)\nb[0].append(5)\nreturn a, b
def f(k):\n    return r[k][0]\nreturn f(0) + f(2)
def f(row):\n    row[0] = 1\n    return 0\nf(r[1])\nreturn r
return (lambda v: v[0])(r[1])
"""))
def test_functions(body):
    compare(function("n", LISTS + body), 3)


@pytest.mark.parametrize("body, match", [
    ("return min(r)", "compares"), ("return sorted(r)", "without a key"), ("heapq.heapify(r)\nreturn r", "compares"), ("return r == r", "comparing"), ("return r.index([2])", "searching"),
    ("r.append([2.5])\nreturn r", "would have to hold"), ("r[0].append(2.5)\nreturn r", "would have to hold"), ("r.append(5)\nreturn r", "would have to hold"),
    ("r.append(None)\nreturn r", "None"), ("r.append(np.zeros(2))\nreturn r", "would have to hold"), ("r.append(np.zeros((2, 2)))\nreturn r", "only vectors"),
    ("for k in prange(3):\n    r[k].append(1)\nreturn r", "parallel loop"), ("r[0].append(r)\nreturn 1", "would have to hold"), ("return tuple(r)", "making a tuple"),
    ("def f(v):\n    v.append(1)\n    return 0\nf(r[1])\nreturn r", "references elsewhere"), ("def f(k):\n    r[k].append(5)\nf(1)\nreturn r", "a row of an argument"),
    ("def f(v):\n    v.append([1])\n    return 0\nf(r)\nreturn r", "is an argument"), ("d = {}\nd[0] = r[0]\ndef f(e):\n    return len(e)\nreturn f(d)", "argument or result"), ("return str(r)", "string")])
def test_refused(body, match):
    assert match in refusal("n", LISTS + body, 3, heapq=heapq)


@pytest.mark.parametrize("body, match", [
    ("a = np.zeros(3)\nfor k in range(n):\n    a[0] = k\n    r.append(a)\nreturn r", "would be a copy"), ("a = np.ones(2)\nr.append(a)\na[0] = 5\nreturn r", "would be a copy"),
    ("a = np.ones(2)\nr.append(a)\nr[-1][0] = 5\nreturn r, a", "would be a copy"), ("x = r[2][1:]\nr.append(np.zeros(20))\nx[0] = 7\nreturn r", "part of an item")])
def test_refused_vectors(body, match):
    assert match in refusal("n", VECTORS + body, 3)


def test_refused_arguments():
    for body in ("rows", "[r for r in rows]", "rows[0].append(5)\nreturn 1", "rows[0][0] = 5\nreturn 1", "rows.append([7])\nreturn 1", "rows[0] = [7]\nreturn 1"):
        assert "argument" in refusal("rows", body, [[1, 2], [3], []])
    assert "changing a row" in refusal("rows", "for r in rows:\n    r[0] = 1", list(MANY))
    assert "an argument" in refusal("x", "r = []\nfor k in range(3):\n    r.append(x[k:])\nreturn r", np.ones(4))
    row = [1, 2]
    assert "twice" in refusal("rows", "len(rows)", [row, row, [3]])
    assert "list of float, int" in refusal("rows", "len(rows)", [[1, 2.5], [3]])


@pytest.mark.parametrize("body", split(r"""
d = {}\nfor i in range(n):\n    d.setdefault(i % 3, []).append(i)\nreturn d, len(d)
d = {}\nfor i in range(n):\n    if i % 3 in d:\n        d[i % 3].append(i)\n    else:\n        d[i % 3] = [i]\nreturn d
d = {}\nfor i in range(n):\n    d[i % 3] = d.get(i % 3, []) + [i]\nreturn d
d = {}\nfor i in range(n):\n    d.setdefault(i % 3, []).append(i)\ns = 0\nfor k, v in d.items():\n    s += k * len(v) + sum(v)\nfor v in d.values():\n    v.append(0)\nreturn s, sorted(d), d[0], d.get(7, [1]), {k: len(v) for k, v in d.items()}
d = {}\nfor i in range(n):\n    d.setdefault(i % 3, []).append(i)\nx = d[0]\nx.append(99)\nd[1] += [5]\ny = d.pop(2)\ny.append(1)\nreturn d, y, x
d = {k: [] for k in range(n)}\nd[0].append(1)\nreturn d, {k: [k] * k for k in range(n)}, {k: str(k) for k in range(n)}
d = {0: [], 1: []}\nd[n] = [4]\nd[0].append(7)\nreturn d, {0: [1], 1: [2, 3]}
d = {}\nfor k in range(n):\n    d[k] = np.arange(k)\nreturn d, d[2].sum()
d = {}\nfor k in range(n):\n    d[(k, k + 1)] = [k]\nreturn d
d = {}\nfor k in range(0):\n    d[k] = []\nreturn d
d = {}\nd[0] = [n]\ne = d.copy()\ne[0].append(1)\nreturn d, e, d == e, list(d.items()), list(d.values())
d = {}\nd[0] = [n]\ndel d[0]\nd.clear()\nd[5] = [1, 2]\nd[5] = [3]\nreturn d, d.setdefault(5, [9]), d.popitem()
d = {}\nd[0] = [n]\nreturn d[5]
"""))
def test_dictionaries_of_rows(body):
    compare(function("n", body), 8)


@pytest.mark.parametrize("body", split(r"""
return [(i, [i] * i) for i in range(n)]
r = []\nfor i in range(n):\n    r.append((i, str(i), [i]))\nreturn r, r[1][1], r[2][2], r[0][0]
r = []\nfor i in range(n):\n    r.append((i, np.zeros(i)))\nfor k, v in r:\n    v += k\nreturn r
r = []\nfor i in range(n):\n    r.append((-i, [i]))\nfor k, v in r:\n    v.append(k)\nr[0][1].append(7)\nr.sort(key=lambda p: p[0])\nreturn r
return [((i, 0.5), str(i), [i]) for i in range(n)]
"""))
def test_rows_in_tuples(body):
    compare(function("n", body), 4)


def test_refused_rows_in_tuples():
    for body, match in (("r.sort()\nreturn r", "without a key"), ("return max(r)", "compares"), ("r.append((1, [2.5]))\nreturn r", "would have to hold"),
                        ("return r == r", "comparing"), ("return (1, [1]) in r", "is not compiled")):
        assert match in refusal("n", "r = []\nfor i in range(n):\n    r.append((i, [i]))\n" + body, 3)
