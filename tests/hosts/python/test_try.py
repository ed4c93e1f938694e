"""try, except, else, finally: plain Python is the oracle. What compiled code cannot catch is refused."""
import numpy as np
import pytest

from conftest import function
import pyraptor
from pyraptor import UnsupportedError, jit
from test_lists import both, refused

BODIES = [
    "k = 0\ntry:\n    if n > 1:\n        raise ValueError('a')\n    n += 10\nexcept ValueError:\n    k = 5\nelse:\n    n += 100\nreturn n, k",
    "try:\n    return 10 // n\nexcept ZeroDivisionError:\n    return -1",
    "try:\n    return 10 / n\nexcept ArithmeticError as e:\n    return -1.0",
    "k = 0\nfor i in range(6):\n    try:\n        if i == n:\n            continue\n        if i == n + 2:\n            break\n        if i == 1:\n"
    "            raise KeyError('i')\n        k += i\n    except KeyError:\n        k += 100\nelse:\n    k += 1000\nreturn k",
    "k = 0\ntry:\n    for i in range(5):\n        for j in range(5):\n            if i * j == n * 2:\n                raise ValueError('x')\n"
    "            k += 1\n    k += 50\nexcept (ValueError, KeyError):\n    k += 1000\nreturn k",
    "k = 0\nwhile True:\n    try:\n        k += 1\n        while k < 20:\n            k += abs(7 // (n - 3)) + 1\n            if k > 9:\n                break\n"
    "        if k > 15:\n            break\n    except ZeroDivisionError:\n        k += 5\nreturn k",
    "k = 0\ntry:\n    try:\n        if n == 1:\n            raise ValueError('x')\n        if n == 2:\n            raise KeyError('x')\n        k += 1\n"
    "    except KeyError:\n        k += 10\n        if n == 2:\n            raise IndexError('q')\n    finally:\n        k += 100\nexcept ValueError:\n"
    "    k += 1000\nexcept IndexError as e:\n    k += len(str(e))\nreturn k",
    "k = 0\ntry:\n    k += 1\n    if n == 1:\n        return k\n    if n == 2:\n        raise ValueError('z')\nfinally:\n    k += 10\n    k *= 2\nreturn k",
    "for i in range(5):\n    try:\n        if i == n:\n            return i\n        continue\n    finally:\n        if i == 3:\n            return 99\nreturn -1",
    "try:\n    if n == 2:\n        raise ValueError('q')\n    assert n < 3, 'big'\nexcept ValueError:\n    raise\nexcept AssertionError as e:\n"
    "    raise TypeError('t') from e\nreturn n",
    "try:\n    x = 1\n    if n:\n        raise ValueError\n    y = 2\nexcept ValueError:\n    pass\nreturn y",
    "a = np.zeros(2)\ntry:\n    a[0] = 1\n    a[n] = 5\n    a[n - 9] = 5\nexcept IndexError:\n    a[1] = 7\nreturn a",
    "a = np.ones((2, 2))\ns = 0.0\nfor i in range(-3, 3):\n    try:\n        s += a[i, n]\n    except IndexError:\n        s += 10.0\nreturn float(s)",
    "l = [4]\ntry:\n    l.append(5)\n    return l[n]\nexcept IndexError as e:\n    return len(str(e)) + len(l)",
    "l = [4, 2]\ntry:\n    while True:\n        l.pop()\nexcept IndexError:\n    return len(l)",
    "l = [4, 2]\ntry:\n    return l.index(n)\nexcept ValueError:\n    return -1",
    "l = [1, 2]\ns = 0\nfor i in range(4):\n    try:\n        s += l[i] // (i - n)\n    except ZeroDivisionError:\n        s += 100\n    except IndexError:\n"
    "        s += 1000\n    finally:\n        s += 1\nreturn s",
    "try:\n    pass\nexcept ValueError:\n    n += 1\nelse:\n    n += 2\nfinally:\n    n += 3\nreturn n",
    "s = 0\nfor i in range(3):\n    try:\n        s += sum([10 // (j - n) for j in range(i)])\n    except ZeroDivisionError:\n        s -= 1\nreturn s",
    "def f(x):\n    try:\n        return 5 // x\n    except ZeroDivisionError:\n        return 0\nreturn f(n), f(n - 1)",
]


@pytest.mark.parametrize("n", range(4))
@pytest.mark.parametrize("body", BODIES)
def test_try(body, n):
    both("n", body, n)


@pytest.mark.parametrize("kind", ["BaseException", "SystemExit", "KeyError", "OSError", "UserWarning", "StopIteration"])
def test_the_exception(kind):
    both("", f"try:\n    raise {kind}('a', 'b')\nexcept {kind} as e:\n    return e.args")
    both("", f"try:\n    raise {kind}('a')\nexcept (ValueError, {kind}) as e:\n    return str(e)")
    both("n", f"try:\n    if n:\n        raise {kind}('a')\n    raise {kind}('b')\nexcept {kind} as e:\n    k = len(e.args[0])\nreturn k", 1)


def test_an_exception_of_a_class_that_is_not_caught():
    both("n", "try:\n    if n:\n        raise KeyError('x')\nexcept IndexError:\n    return 1\nreturn 2", 1)
    both("a, n", "try:\n    a[0] = 1\n    if n:\n        raise KeyError('x')\nfinally:\n    a[1] = 2", np.zeros(2), 1)


@pytest.mark.parametrize("body, match", [
    ("try:\n    return np.stack((a, a[:n]))[0]\nexcept ValueError:\n    return a", "an operation of arrays may raise ValueError"),
    ("try:\n    return a[[np.argmax(a[:n])]]\nexcept Exception:\n    return a", "may raise ValueError"),
    ("try:\n    return a[n]\nexcept IndexError as e:\n    return float(len(str(e)))", "contains numbers computed at run time"),
    ("try:\n    for i in prange(2):\n        if n > 5:\n            raise ValueError('x')\nexcept ValueError:\n    n = 1\nreturn n", "a parallel loop that may raise"),
    ("for i in range(3):\n    try:\n        break\n    finally:\n        n += 1\nreturn n", "whose 'finally' assigns variables"),
    ("try:\n    b = np.linalg.inv(a.reshape(1, 1))[0]\nfinally:\n    a[0] = 1.0\nreturn b", "the 'finally' block would not run"),
])
def test_refused(body, match):
    refused("a, n", body, np.zeros(2), 1, match=match)


def test_reshape_that_fails(check):
    def total(a, n):
        try:
            return a.reshape(n, n).sum()
        except ValueError:
            return np.float64(-1.0)

    def view(a):
        try:
            return a.reshape(3, 3)
        except ValueError:
            return np.zeros((1, 1))[:1]

    for x in (np.arange(9.0), np.arange(6.0).reshape(2, 3), np.arange(18.0)[::2], np.arange(9.0).reshape(3, 3).T):
        check(total, x, 3)
        with pytest.raises(UnsupportedError, match="view in NumPy"):
            check(view, x)


# ---- exceptions of called functions
def divided(a, b):
    return a // b


def root(x):
    if x < 0:
        raise ValueError("neg")
    return x * 0.5


def deep(x, k):
    if k == 0:
        return root(x)
    return deep(x, k - 1) + 1


def scaled(x):
    if x < 0:
        raise ValueError("bad")
    return np.ones(3) * x


def rest(a, k):
    if k > 1:
        raise KeyError("k")
    return a[k:]


def grow(items, x):
    items.append(x)
    if x > 1:
        raise ValueError("big")
    items.append(-x)


def pick(a, k):
    return a[k]


def first(a):
    for k in range(len(a)):
        if a[k] < 0:
            raise ValueError("neg at", k)
        if a[k] > 5:
            return k
    return -1


def repeated(n):
    if n > 2:
        raise ValueError
    return [1] * n


def with_finally(x):
    try:
        return root(x)
    finally:
        pass


def formatted(x):
    if x < 0:
        raise ValueError(f"x is {x}")
    return x


def doubled(a):
    a *= 2
    if a[0] > 3:
        raise IndexError("large")
    return a


def parallel(a):
    for k in pyraptor.prange(len(a)):
        if a[k] < 0:
            raise ValueError("neg")
        a[k] = 0
    return a


def largest(a, b):
    return np.max(a) + np.max(b)


CALLED = dict(divided=divided, root=root, deep=deep, scaled=scaled, rest=rest, grow=grow, pick=pick, first=first, repeated=repeated, with_finally=with_finally,
              formatted=formatted, doubled=doubled, parallel=parallel, largest=largest, pyraptor=pyraptor)
CALLS = [
    "try:\n    return root(x)\nexcept ValueError:\n    return -1.0",
    "try:\n    return root(x)\nexcept ValueError as e:\n    print(e)\n    raise",
    "try:\n    return root(x)\nexcept KeyError:\n    return -1.0",
    "try:\n    y = deep(x, 3)\nexcept:\n    y = -1.0\nreturn y",
    "s = 0.0\nfor k in range(4):\n    try:\n        s += root(x + 2 * k)\n    except ValueError:\n        s += 100\n        continue\n    s += 1\nreturn s",
    "try:\n    y = scaled(x)\nexcept Exception:\n    y = np.zeros(2)\nreturn y",
    "y = 1.0\ntry:\n    y = root(x) + root(-x)\nexcept ValueError:\n    y = 0.0\nfinally:\n    z = 2\nreturn y, z",
    "try:\n    return with_finally(x)\nexcept ValueError:\n    return 7.0",
    "try:\n    return formatted(x)\nexcept ValueError:\n    return 7.0",
    "try:\n    return formatted(x)\nexcept KeyError:\n    return 7.0",
    "try:\n    return formatted(x)\nexcept ValueError:\n    raise RuntimeError('again')",
    "try:\n    try:\n        return root(x)\n    except KeyError:\n        return 1.0\nexcept ValueError:\n    return 2.0",
    "try:\n    y = root(x)\nfinally:\n    x = 1.0\nreturn y",
    "g = lambda v: root(v) * 2\ntry:\n    return g(x)\nexcept ValueError:\n    return -2.0",
    "try:\n    y = root(x)\nexcept ValueError:\n    y = 5.0\nelse:\n    y += 100\nreturn y, root(abs(x))",
    "s = 0.0\ntry:\n    for k in range(5):\n        for j in range(5):\n            s += root(x + k + j)\nexcept (KeyError, ValueError):\n    s += 1000\nreturn s",
    "def inner():\n    if x < 0:\n        raise IndexError('i')\n    return x\ntry:\n    return inner()\nexcept LookupError as e:\n    return len(str(e)) * 1.0",
]


@pytest.mark.parametrize("body", CALLS)
def test_calls(check, body):
    f = function("x", body, **CALLED)
    for x in (4.0, -4.0, 0.0):
        check(f, x)


@pytest.mark.parametrize("body, arguments", [
    ("try:\n    x = rest(a, k)\nexcept KeyError:\n    x = a[:1]\nx[0] = 9\nreturn a", [1, 2]),
    ("items = [0]\ntry:\n    grow(items, k)\nexcept ValueError:\n    items.append(100)\nreturn items", [1, 2]),
    ("try:\n    return pick(a, k)\nexcept IndexError:\n    return np.float64(-1.0)", [0, -3, -4, 3]),
    ("try:\n    return first(a[k:])\nexcept ValueError:\n    return -2", [0, 3]),
    ("try:\n    return repeated(k)\nexcept ValueError:\n    return [5]", [2, 3]),
    ("try:\n    return doubled(a[k:]).sum()\nexcept IndexError:\n    return a.sum() * 1000", [0, 1]),
    ("try:\n    return np.repeat(a, np.array([2, 2, 2])[:k])\nexcept ValueError:\n    return a * 1", [2, 3]),
    ("try:\n    return divided(1, k - 1)\nexcept ZeroDivisionError:\n    return 7", [1, 2]),
    ("try:\n    pick(a, k)\nexcept TypeError:\n    pass\nreturn k", [1, 5]),
])
def test_calls_with_arrays_and_lists(check, body, arguments):
    f = function("a, k", body, **CALLED)
    for k in arguments:
        check(f, np.array([1.0, 2.0, -1.0]), k)


@pytest.mark.parametrize("body, what", [
    ("try:\n    return pick(a, k)\nexcept IndexError as e:\n    return len(str(e)) * a[0]", "contains numbers computed at run time"),
    ("try:\n    first(a)\nexcept ValueError as e:\n    return 'k' in str(e)\nreturn False", "contains numbers computed at run time"),
    ("try:\n    return largest(a, a[:k])\nexcept ValueError:\n    return a[0]", "'largest' may raise ValueError"),
    ("try:\n    return parallel(a)\nexcept ValueError:\n    return a", "a parallel loop that may raise ValueError"),
    ("try:\n    return np.linalg.inv(a.reshape(1, 3)[:, :k])\nexcept ValueError:\n    return np.zeros((1, 1))", "'inv' of an array may raise"),
    ("n = 0\ndef h():\n    nonlocal n\n    n += 1\n    if k > 1:\n        raise ValueError\ntry:\n    h()\nexcept ValueError:\n    n += 10\nreturn n", "'h' may raise ValueError"),
])
def test_calls_that_are_refused(body, what):
    with pytest.raises(UnsupportedError, match=what):
        jit(function("a, k", body, **CALLED))(np.ones(3), 1)


def test_messages_pass_other_handlers(check):
    f = function("x", "try:\n    return formatted(x)\nexcept IndexError:\n    return 7.0", **CALLED)
    assert str(check(f, -1.5)) == "x is -1.5"
    f = function("x", "try:\n    if x < 0:\n        raise ValueError(f'x is {x}')\n    return x\nexcept IndexError:\n    return 7.0")
    assert str(check(f, -1.5)) == "x is -1.5"
