"""Lists of numbers. Plain Python is the oracle, including the type of each item and the text of each exception; the arguments are compared, too."""
import copy

import numpy as np
import pytest

import pyraptor
from conftest import function
from pyraptor import UnsupportedError, jit


def both(arguments, body, *args, **names):
    """Runs the body plain and compiled. Everything that repr() shows must be equal."""
    f = function(arguments, body, **names)
    plain, compiled = copy.deepcopy(args), copy.deepcopy(args)
    outcome = []
    for g, given in ((f, plain), (jit(f), compiled)):
        try:
            outcome.append((repr(g(*given)), None))
        except UnsupportedError:
            raise
        except Exception as e:
            outcome.append((None, (type(e), str(e))))
    assert outcome[0] == outcome[1]
    if outcome[0][1] is None:
        assert repr(plain) == repr(compiled)
    return outcome[1], compiled


def refused(arguments, body, *args, match, **names):
    f, given = jit(function(arguments, body, **names)), copy.deepcopy(args)
    with pytest.raises(UnsupportedError, match=match) as caught:
        f(*given)
    assert "in this form" not in str(caught.value) and repr(given) == repr(args)


MADE = [
    "l = []\nfor i in range(n):\n    l.append(i * i)\nreturn l",
    "l = []\nfor i in range(n):\n    l.append(i * 0.5)\nreturn sum(l), len(l), l[-1], l",
    "return [[i * j for j in range(n)] for i in range(n + 1)]",
    "return [0.0 for i in range(n)], list(range(n)), [i for i in range(n) if i % 2], []",
    "return sum([i * i for i in range(n)]), sum(i for i in range(n)), max(i * 0.5 for i in range(n))",
    "return [(i, i * 0.5) for i in range(n)], [(i, j) for i in range(n) for j in range(i) if i != j + 1]",
    "l = [0] * n\nl[0] += 3\nl[-1] -= 1\nl[1] *= 4\nreturn l",
    "l = [i for i in range(n)]\nl[2:4] = []\nl[1:1] = [5, 6]\nl[-1:] = [8]\ndel l[-1]\nl[:2] = range(7)\nreturn l",
    "l = [[0] * n for i in range(n)]\nfor i in range(n):\n    for j in range(n):\n        l[i][j] = i * j\nreturn l",
    "l = [[0] * n for i in range(n)]\nr = l[1]\nr[0] = 5\nreturn l[1][0], r",
    "l = [1, 2, 3]\nm = [l[:] for i in range(n)]\nm[0][0] = 7\nreturn m, l",
    "p = []\nfor i in range(2, n * 9):\n    ok = True\n    for q in p:\n        if i % q == 0:\n            ok = False\n            break\n"
    "    if ok:\n        p.append(i)\nreturn p",
    "s = [1]\nwhile s and len(s) < n:\n    k = s.pop()\n    if k < 20:\n        s.append(k + 3)\n        s.append(k * 2)\nreturn s",
    "l = [1.0]\nfor i in range(n):\n    l.append(l[i] * 0.5)\nreturn l",
    "l = [i for i in range(n)]\nm = []\nwhile l:\n    m.append(l.pop())\nreturn m, l",
    "x = []\nfor i in range(n):\n    x = x + [i]\nreturn x",
    "x = []\nfor i in range(n):\n    x += [i, i + 1]\nreturn x, len(x)",
    "x = []\nif n > 2:\n    x = [1, 2]\nreturn x",
    "x = [1, 2] if n > 2 else []\nreturn x, len(x)",
    "return all(n % i for i in range(2, n)), [p for p in range(2, n * 5) if all(p % i for i in range(2, p))]",
    "return any(i * j == n for i in range(2, n) for j in range(2, n))",
    "return sorted([n, 3, 1]), [1, 2] * n, [n] * 3, [*range(n), 7]",
    "s = 0\nfor v in (n, 2, 3):\n    if v == 2:\n        continue\n    s += v\nreturn s",
]


@pytest.mark.parametrize("n", [0, 1, 3, 6])
@pytest.mark.parametrize("body", MADE)
def test_made_inside(body, n):
    both("n", body, n)


ONE = [
    "return sum(l), len(l), l[::-1], l[1:], 2 in l, 7 in l, l[-2:], bool(l), not l",
    "return l.index(2), l.count(2), l == [1, 2, 3], l != l[:], l < [1, 3], [2] > l, l >= l, l <= [1, 2]",
    "return l.copy(), list(l), l + l, l * 2, 2 * l, [0] * len(l), l + [9], [*l, 4]",
    "return min(l), max(l), sorted(l, reverse=True), l[1]",
    "return l[5]",
    "return l[-4]",
    "l[5] = 1\nreturn 0",
    "del l[7]\nreturn 0",
    "return l.pop(7)",
    "l.remove(7)\nreturn 0",
    "return l.index(7)",
    "l[0] = 9\nreturn l",
    "l.append(4)\nreturn l",
    "l.append(4)\nl = [7]\nl.append(5)\nreturn l",
    "a = l.pop()\nb = l.pop(0)\nreturn a, b, l",
    "l.insert(1, 9)\nl.insert(-1, 8)\nl.insert(100, 7)\nl.insert(-100, 6)\nreturn l.index(9), l.count(1)",
    "l.remove(2)\nl.reverse()\nl.extend([5, 6])\nl.extend(l)\nl += [1]\nl.sort()\nl.sort(reverse=True)\nreturn 0",
    "l.clear()\nreturn l",
    "l += l\nl *= 2\nreturn l",
    "l *= 0\nl += (3,)\nl += range(3)\nl.extend(x * 2 for x in range(3))\nreturn l",
    "l *= -1\nreturn l",
    "del l[0]\ndel l[1:3]\nl[0:1] = [7, 8, 9]\nreturn l",
    "l[:] = [x * 2 for x in l]\nreturn l",
    "for i, x in enumerate(l):\n    if i < 5:\n        l.append(x + i)\nreturn l",
    "m = []\nfor x, y in zip(l, l):\n    m.append(l.pop() + x * y)\nreturn l, m",
    "return [l.pop() for x in l], l",
    "s = []\nfor x, y in zip(l, l):\n    l = [x + 10, x + 20, 7]\n    s.append(x * y)\nreturn s, l",
    "s = 0\nfor x in l:\n    l = [x + 10, 7]\n    s += x\nreturn s, l",
    "while len(l) > 1:\n    l.pop(0)\n    if l[0] == 3:\n        break\nelse:\n    l.append(5)\nreturn l",
    "for x in l:\n    if x == 2:\n        continue\n    if x > 12:\n        break\n    l.append(x + 10)\nelse:\n    return [0]\nreturn l",
    "for x in l:\n    l.remove(x)\nreturn l",
    "for x in l:\n    l = [x]\n    l.append(1)\nreturn l",
    "a, b, c = l\nreturn a + b * c",
    "a, b = l\nreturn a",
    "a, b, c, d = l\nreturn a",
    "return l[0] + l.pop(), np.sum(l) * l.pop(), len(l) * l.pop() + len(l)",
    "return (len(l), l.pop(), len(l))",
    "i = 0\nwhile l:\n    i += l.pop()\nreturn i",
    "for i, x in enumerate(l):\n    l[i] = x * 2\nreturn [y for y in reversed(l)]",
    "t = [(x, x * 0.5) for x in l]\ns = 0.0\nfor a, b in t:\n    s += a * b\nreturn s, t",
    "return np.sum(l), np.array(l), np.sqrt(l), np.mean(l), np.array([l, l]), np.concatenate((l, l)), np.dot(l, l)",
    "a = np.zeros(3)\na[:] = l\na[[0, 1]] = 5\nreturn a + l, a * l, l * a, a[[0, 1]]",
    "return isinstance(l, list), isinstance([1], list), l is None",
    "return all(x > 0 for x in l), any(x > 2 for x in l), any(6 // (x - 2) for x in l)",
    "return any(l), all(l), sum(l, 10), sum((x for x in l), 4)",
    "t = 0\nfor k, (x, y) in enumerate(zip(l, l[1:])):\n    t += k * x * y\nreturn t",
    "return list(enumerate(l)), list(zip(l, l)), list(reversed(l)), list(np.arange(3)), list((1, 2.5))",
    "k = 0\nfor i in range(len(l)):\n    for j in range(i + 1, len(l)):\n        if l[i] < l[j]:\n            l[i], l[j] = l[j], l[i]\n            k += 1\n"
    "return k, l",
    "return -1 in l or 2 in l and l.index(2)",
    "return l[True], l[-3], l[np.int64(1)], l[len(l) - 1]",
    "return [l[i] for i in range(len(l) - 1, -1, -1)], [x for x in l[::2]]",
]


@pytest.mark.parametrize("body", ONE)
def test_argument(body):
    both("l", body, [1, 2, 3])


@pytest.mark.parametrize("body", ["l.pop()\nreturn 0", "return min(l)", "return max(l)", "return sum(l), l, len(l), [x for x in l]",
                                  "l.append(4.5)\nreturn 0", "l.append(4)\nl.append(3)\nreturn l.pop()", "return l[0]",
                                  "for x in l:\n    return 1\nreturn 2", "return 3 in l, sorted(l), l + l, l == []"])
def test_empty_argument(body):
    both("l", body, [])


@pytest.mark.parametrize("l", [[1.5, -0.0, 0.0, 2.5], [True, False, True], [1j, 2.5 + 0j], [np.float32(1.5), np.float32(3)]],
                         ids=["float", "bool", "complex", "float32"])
def test_kinds_of_numbers(l):
    both("l", "l.append(l[0])\nl[1] = l[-1]\nreturn l, l[1], l[1:], sum(l), np.array(l), l.count(l[0])", l)
    if not isinstance(l[0], complex):
        both("l", "l.sort()\nreturn min(l), max(l), sorted(l, reverse=True), l", l)


def test_items_of_several_types():
    refused("l", "l[0] = 2.5\nreturn 0", [1, 2], match="would have to hold float, too")
    refused("l", "l.append(2.5)\nreturn 0", [1, 2], match="would have to hold float, too")
    refused("l", "return l", [1, 2.5], match="is a list of float, int")
    refused("n", "l = [1, 2.5]\nl.append(n)\nreturn l", 1, match="not a list of numbers of a single type")
    refused("l", "l.append(np.int64(2))\nreturn 0", [1, 2], match="NumPy numbers are stored")
    both("n", "l = [1, 2.5, n]\nreturn l, l[1], l[:2], len(l)", 1)  # the length is known: it is a tuple
    f = jit(function("x", "l = [0.0]\nl.append(x[0])\nreturn l"))
    assert [type(v) for v in f(np.ones(2))] == [np.float64, np.float64]


LISTS = [
    "s = 0\nfor r in l:\n    for x in r:\n        s += x\nreturn s, l[0][1], len(l), len(l[0]), l[-1][-1]",
    "l[1][0] = 7.5\nreturn l",
    "return l, l[0], l[1]",
    "return [[2 * x for x in r] for r in l], [sum(r) for r in l]",
    "a = l[0]\na[0] = 9.5\nreturn l, a",
    "return np.array(l) @ np.array(l), np.dot(l, l), np.sum(l, axis=0)",
    "c = [[0.0] * len(l[0]) for _ in range(len(l))]\nfor i in range(len(l)):\n    for j in range(len(l[0])):\n"
    "        for k in range(len(l)):\n            c[i][j] += l[i][k] * l[k][j]\nreturn c",
    "return l[0][5]",
    "return l[4][0]",
    "for r in l:\n    r.reverse()\n    r.sort(reverse=True)\nreturn 0",
]


@pytest.mark.parametrize("body", LISTS)
def test_lists_of_lists(body):
    both("l", body, [[1.5, 2.5], [3.5, 4.5]])


def test_lists_of_tuples():
    both("l", "s = 0\nfor a, b in l:\n    s += a * b\nreturn s, l[0], l[-1][1], l, len(l), l[::-1]", [(1, 2.5), (3, 4.5)])
    both("l", "l.append((3, l[0][1]))\nl[0] = (7, 7.5)\na, b = l.pop(1)\nreturn a, b, l", [(1, 2.5), (3, 4.5)])
    refused("l", "l.append((3, 4))\nl.append((3, 4, 5))", [(1, 2)], match="would have to hold")


NAMES = [
    "a = []\nb = a\nb.append(1.5)\na.append(2.5)\nc = b\nc.pop()\nreturn a, b, c",
    "a = [1]\nb = [7]\nfor i in range(n):\n    b = a\n    a = [i]\n    b.append(i)\n    a.append(len(b))\nreturn a, b",
    "h = [0.0] * n\ng = h\nh[1] = 2.5\nreturn g[1], h",
    "prev = [1]\nfor i in range(n):\n    cur = [1]\n    for j in range(1, len(prev)):\n        cur.append(prev[j - 1] + prev[j])\n    cur.append(1)\n"
    "    prev = cur\nreturn prev",
    "a = [1, 2]\nb = [3]\na, b = b, a\na.append(5)\nb.append(6)\nreturn a, b",
    "a = b = [1, 2]\nb.append(6)\nreturn a, b",
    "a = [1, 2]\nb = a if n > 3 else [9]\nb.append(6)\nreturn a, b",
    "a = [1, 2]\nt = (a, a)\nt[0].append(6)\nreturn t[1], a",
    "a = []\nb = []\nfor i in range(n):\n    (a if i % 2 else b).append(i)\nreturn a, b",
    "a = [1]\nb = a or [2]\nb.append(3)\nreturn a",
    "a = [1]\nb = same(a)\nb.append(4)\na.append(5)\nreturn a, b, len(same(b))",
    "a = [1]\npush(a, 7)\nb = a\npush(b, n)\nreturn a, b",
    "a = []\nfor i in range(n):\n    push(a, i * 0.5)\nreturn a, total(a)",
    "a = [1, 2, 3]\nclear_first(a)\nreturn a",
    "a = [5]\nrecursive(a, n)\nreturn a",
    "a = made(n)\na.append(4)\nreturn a, total(made(n))",
    "a, b = two(n)\na.append(4)\nb.append(0.5)\nreturn a, b",
    "a = [1]\nfor x in a:\n    b = a\n    if len(b) < 5:\n        b.append(x + 1)\nreturn a",
]


def same(x):
    return x


def push(x, v):
    x.append(v)


def total(x):
    s = 0
    for v in x:
        s += v
    return s


def clear_first(x):
    x[0] = 0


def recursive(x, k):
    if k > 0:
        x.append(k)
        recursive(x, k - 1)


def made(n):
    return [i for i in range(n)]


def two(n):
    return [n], [n * 0.5]


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("body", NAMES)
def test_one_list_with_several_names(body, n):
    both("n", body, n, same=same, push=push, total=total, clear_first=clear_first, recursive=recursive, made=made, two=two)


def test_the_result_is_the_argument_object():
    x, y = [1, 2], [3, 4]
    assert jit(function("a, b", "return b"))(x, y) is y
    assert jit(function("a, b", "a.append(1)\nreturn a, b"))(x, y)[0] is x and x == [1, 2, 1]
    r = jit(function("a, b", "b.append(1)\nc = a\nif len(b) > 2:\n    c = b\nc.append(9)\nreturn c"))(x, y)
    assert r is y and y == [3, 4, 1, 9] and x == [1, 2, 1]
    a, b = jit(function("n", "l = [n]\nreturn l, l"))(1)
    assert a is b
    a, b = jit(function("n", "l = [n]\nm = l\nm.append(2)\nreturn l, m"))(1)
    assert a is b == [1, 2]
    rows = [[1, 2], [3, 4]]
    first = rows[0]
    jit(function("m", "m[0][1] = 9\nreturn 0"))(rows)
    assert rows[0] is first and first == [1, 9]


def test_one_list_passed_twice():
    x = [1, 2]
    assert jit(function("a, b", "a[0] = 5\nreturn b[0]"))(x, x) == 5 and x == [5, 2]
    with pytest.raises(UnsupportedError, match="is passed twice"):
        jit(function("a, b", "a.append(5)\nreturn len(b)"))(x, x)
    row = [1, 2]
    with pytest.raises(UnsupportedError, match="several times"):
        jit(function("m", "m[0][0] = 5\nreturn m[1][0]"))([row, row])
    assert jit(function("m", "return m[1][0]"))([row, row]) == 1
    with pytest.raises(ValueError, match="gets the same list twice"):
        jit(function("n", "a = [n]\nb = a\nreturn both(a, b)", both=appends))(1)


def appends(x, y):
    x.append(1)
    return len(y)


def test_exceptions_and_arguments():
    x = [1, 2, 3]
    with pytest.raises(IndexError, match="list index out of range"):
        jit(function("l", "l[0] = 7\nreturn l[5]"))(x)
    assert x == [7, 2, 3]                  # items stored before the exception
    with pytest.raises(IndexError, match="list index out of range"):
        jit(function("l", "l.append(8)\nreturn l[5]"))(x)
    assert x == [7, 2, 3]                  # the function does not change the list's length
    with pytest.raises(ValueError, match="always"):
        jit(function("l", "l.append(8)\nraise ValueError('always')"))(x)
    with pytest.raises(ValueError, match="always"):
        jit(function("l", "l.append(8)\nif l[0] > 10:\n    return 1\nraise ValueError('always')"))(x)


REFUSED = [
    ("l", "l.append(None)", [1], "as an item of a list is not compiled"),
    ("l", "l.append(l)", [1], "making a list that is an argument an item of a list"),
    ("l", "l.append(True)", [1], "would have to hold"),
    ("l", "l[0].append(1)", [[1]], "rows are made or changed"),
    ("l", "l.append([1, 2])", [[1, 2]], "rows are made or changed"),
    ("l", "l[0] = [1, 2]\nreturn 0", [[1, 2]], "rows are made or changed"),
    ("l", "m = [[0] * len(l)] * 2\nm[0][0] = 1\nreturn m", [1], "the same list object"),
    ("l", "m = [l for i in range(len(l))]\nreturn m", [1], "making a list that is an argument an item"),
    ("l", "for i in prange(len(l)):\n    l.append(1)", [1], "changing a list in a parallel loop"),
    ("t", "a, b = t\na.append(5)\nreturn b", ([1, 2], 3), "cannot be changed"),
    ("l", "return l.shape", [1], "np.array"),
    ("l", "return tuple(l)", [1], "making a tuple of a list"),
    ("l", "return l * 2.0", [1], "is not compiled"),
    ("l", "return l is l", [1], "'is' is compiled"),
]


@pytest.mark.parametrize("arguments, body, value, match", REFUSED)
def test_refused(arguments, body, value, match):
    refused(arguments, body, value, match=match)


def test_parallel_loops_read_lists_and_store_to_their_items():
    both("l", "s = 0.0\nfor i in prange(len(l)):\n    s += l[i]\nreturn s", [1.0, 2.0, 3.0])
    both("l", "for i in prange(len(l)):\n    l[i] = 2.0 * l[i]\nreturn l", [1.0, 2.0, 3.0])
    both("n", "a = np.zeros(n)\nfor i in prange(n):\n    a[i] = sum(count(i))\nreturn a", 5, count=count)


def count(n):
    out = []
    for k in range(n):
        out.append(k * 0.5)
    return out


def test_a_version_is_made_for_the_type_of_the_items():
    f = jit(function("l", "return sum(l)"))
    for k in range(1, 9):
        assert f([1] * k) == k and f([0.5] * k) == k / 2
    assert len(f.report()) == 2


def test_growing_costs_the_same_for_each_item():
    f = jit(function("n", "l = []\nfor i in range(n):\n    l.append(i)\nreturn len(l), l[n // 2]"))
    assert f(300000) == (300000, 150000)  # with a copy per append this would copy 360 GB


def test_without_bounds_checks():
    assert jit(function("l", "s = 0\nl.append(4)\nfor i in range(len(l)):\n    s += l[i]\nreturn s"), boundscheck=False)([1, 2]) == 7


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed):
    """Random statements on three names of lists, some of which refer to the same list."""
    rng = np.random.default_rng(seed)
    steps = ["{a}.append({k})", "{a} = {b}", "{a} = [{k}, n]", "{a}.extend({b})", "{a} = {b} + [{k}]", "if len({a}) > 1:\n    {a}.pop()",
             "{a}.insert({k}, n)", "{a}[0:1] = {b}", "if n > {k}:\n    {a} = {b}", "{a}, {b} = {b}, {a}", "if {a}:\n    {a}[0] = {k}",
             "for v in {b}:\n    if v > {k} and len({a}) < 9:\n        {a}.append(v - 1)", "{a}.reverse()", "if len({a}) > 3:\n    {a}.clear()",
             "{a} += {b}[:2]", "{a} = {b}[{k}:]", "{a}.sort()", "push({a}, {k})", "if {k} in {a}:\n    {a}.remove({k})",
             "for i in range(3):\n    {a} = {b}\n    {b} = [i]\n    {a}.append(i)"]
    for _ in range(12):
        lines = ["x = [1]", "y = [n, 3]", "z = y"]
        for _ in range(10):
            a, b = rng.choice(["x", "y", "z", "l"], 2, replace=False)
            lines += steps[rng.integers(len(steps))].format(a=a, b=b, k=rng.integers(4)).split("\n")
        both("n, l", "\n".join([*lines, "return x, y, z, l"]), int(rng.integers(4)), [4, 5], push=push)


def test_tolist():
    for a in (np.arange(3), np.arange(6, dtype=np.float32).reshape(2, 3), np.array([True, False]), np.arange(3, dtype=np.complex64)):
        both("a", "return a.tolist(), a.T.tolist()", a)


def test_loops_over_a_variable_that_their_body_assigns():
    both("a", "s = 0\nfor x in a:\n    a = a * 2\n    s += x\nreturn s, a", np.arange(3))
    refused("l", "for x in reversed(l):\n    l.pop()\nreturn l", [1, 2], match="changing the length of a list in this kind of loop")


def test_empty_lists_that_a_function_fills(check):
    def filled(x):
        x += [1]
        return x

    check(function("", "return b(list()) + b([])", b=filled))


def test_lists_that_are_too_long(check):
    f = function("n, k", "x = list(range(n)) * k\nreturn len(x)")
    for n, k in ((1, 1 << 62), (3, 1 << 61), (1 << 3, (1 << 60) + 1), (0, 1 << 62), (2, -5), (2, 3)):
        check(f, n, k)
