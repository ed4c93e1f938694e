"""Strings that are one of several constants (_choices.py)."""
import numpy as np
import pytest

import pyraptor
from conftest import compare, function
from tables import NAMES, cases, refusal, run

START = "s = 'odd' if k % 2 else 'even'\n"
WAYS = "a = 'l' if k & 1 else 'r'\nb = 'u' if k & 2 else 'd'\n"


@cases(("k", START + "return s, len(s), s == 'odd', 'even' != s, s < 'f', s[0], s[-1], s[1:], s.upper() + '!', s * 2, ord(s[0])", 1, 2),
       ("k", START + "return s in ('odd', 'x'), s in 'evening', 'd' in s, s not in ['even'], s == k, s is None, bool(s), not s, s or 'z', s and 'z'", 1, 2),
       ("k", START + "return s.find('d'), s.replace('e', 'E'), s.startswith('o'), s.center(7, '*'), s.count('e'), '%s!' % s", 1, 2),
       ("k", START + "return f'<{s:>6}> {k} {s!r}', str(s), s + str(k), 'is %s %d' % (s, k), '{}-{}'.format(s, k)", 1, 2),
       ("k", "if k > 3:\n    return 'big'\nreturn 'small'", 2, 4), ("k", "if k > 3:\n    return 'big', k\nreturn 'small', 0", 2, 4),
       ("k", "s = None\nif k > 1:\n    s = 'a'\nif k > 5:\n    s = 'b'\nreturn s, s is None, s == 'b', s is not None, s == None", 0, 2, 9),
       ("k", "if k > 3:\n    return 'big'", 2, 4), ("k", WAYS + "c = a + b\nreturn c, a < b, a == b, (a, b), c.find('u')", 0, 1, 2, 3),
       ("k", "t = 'velocity'\nn = 0\nfor i in range(k):\n    n = n * 3 + ord(t[i])\n    if t[-i - 1] == 'c':\n        n += 1000\nreturn n", 0, 8, 9),
       ("k", "t = ['x', 'yy', 'zzz']\nn = 0\nfor i in range(k):\n    n += len(t[i])\nreturn n", 1, 3, 4),
       ("k", "t = ('x', 'yy')\ns = ''\nfor i in range(k):\n    s = t[i]\nreturn s", 0, 1, 2, 3), ("m, k", "if k > 2:\n    m = 'other'\nreturn m", ("q", 1), ("q", 3), ("other", 1)),
       ("k", "s = '12' if k > 0 else 'x'\nreturn int(s)", 0, 1), ("k", "s = '' if k else 'ab'\nreturn s[0]", 0, 1), ("k", "s = '' if k else 'ab'\nreturn s + 1", 0, 1),
       ("k", "s = '12' if k > 0 else 'x'\ntry:\n    return int(s)\nexcept ValueError:\n    return -1", 0, 1), ("k", START + "return {'odd': 1, 'even': 2}[s], s in {'odd': 1}, s not in {'odd': 1}, s in {'x': k}", 1, 2),
       ("k", START + "d = {'odd': k, 'other': 2}\nreturn d[s]", 1, 2), ("k", START + "def f():\n    nonlocal s\n    s = 'none'\nif k > 2:\n    f()\nreturn s", 1, 2, 3),
       ("k", START + "match s:\n    case 'odd':\n        return 1\n    case 'even' | 'x':\n        return 2\nreturn 3", 1, 2),
       ("k", "s = '1.5' if k else 'nan'\nreturn float(s)", 0, 1), ("k", "s = '1.5' if k else 'x'\nreturn float(s)", 0, 1), ("k", START + "return isinstance(s, str), isinstance(s, (int, float))", 1),
       ("k", "a = 'x' if k & 1 else 'y'\nb = 'p' if k & 2 else 'x'\nfor i in range(k % 3):\n    a, b = b, a\nt = (a, b)\nb, a = t\nreturn a, b", 0, 1, 2, 3, 4, 5, 7),
       ("k", "state, n = 'start', 0\nwhile state != 'done':\n    if state == 'start':\n        state = 'mid'\n    else:\n        n += 1\n        if n > k:\n            state = 'done'\nreturn n, state", 0, 3),
       ("k", "s = 'a'\ntry:\n    if k:\n        s = 'b'\n    if k > 1:\n        raise ValueError('x')\nexcept ValueError:\n    s = 'err'\nfinally:\n    n = len(s)\nreturn s, n", 0, 1, 2),
       ("k", "if k:\n    s = 'a'\nelif k is None:\n    s = 'b'\nreturn s", 0, 1), ("l, k", "return l[k]", (["q", "r"], 1), (["q", "r"], -1), (["q", "r"], 2)),
       ("k", START + "def f(t, u='z'):\n    return t + u\nreturn f(s), f('q', s), f(s, s)", 1, 2))
def test_values(arguments, text, call):
    run(arguments, text, call)


def side(v):
    return "left" if v < 0 else "right"


@cases(("k", "return side(k) + side(-k)", 1, -1), ("k", "return [len(side(v)) for v in range(-1, k)]", 3),
       ("x", "state, n = 'none', 0\nfor v in x:\n    if v > 2:\n        state = 'hot'\n    elif v < 0:\n        state = 'cold'\n    n += state == 'hot'\nreturn state, n",
        np.array([1.0]), np.array([1.0, 3.0, 1.0]), np.array([3.0, -1.0])))
def test_functions_and_loops(arguments, text, call):
    run(arguments, text, call, side=side)


def test_messages():
    f = pyraptor.jit(function("k", START + "raise ValueError(f'{s}: {k}', s)", **NAMES))
    for k in (1, 2):
        try:
            f(k)
        except ValueError as e:
            assert e.args == ((f"odd: {k}", "odd") if k % 2 else (f"even: {k}", "even"))
        else:
            assert False


def test_print(capsys):
    f = pyraptor.jit(function("k", START + "print('it is', s, k)\nprint((s, k))", **NAMES))
    f(1)
    f(2)
    assert capsys.readouterr().out == "it is odd 1\n('odd', 1)\nit is even 2\n('even', 2)\n"


@pytest.mark.parametrize("text", ["return [s] * k", "return s + str(k) == 'odd3'", "l = ['a']\nl.append(s)\nreturn l"])
def test_choices_in_lists_and_other_strings(text):
    compare(function("k", START + text), 3)


def test_refusals():
    assert "one return has type" in refusal("k", "if k:\n    return 'a'\nreturn k", 3)
    assert "on one path and" in refusal("k", "s = 'a'\nif k:\n    s = k\nreturn s", 3)
    assert "gives a list" in refusal("k", START + "return s.split('d')", 3)
    assert "gives a bytes" in refusal("k", START + "return s.encode()", 3)
    assert "isinstance of one of None" in refusal("k", "s = 'a' if k else None\nreturn isinstance(s, str)", 3)
    assert "is compiled for None" in refusal("k", START + "return s is 'odd'", 3)
    assert "combinations" in refusal("k", "t = 'abcdefghijklmnopqrst'\na = t[0]\nb = a\nfor i in range(k):\n    a, b = t[i], t[-i]\nreturn a + b", 3)
    assert "write an f-string" in refusal("k", "s = '%d' if k else '%5d'\nreturn s % k", 3)


@pytest.mark.parametrize("text", ["for c in s:\n    k += 1\nreturn k", "return np.zeros(2, s)", "return sorted(s)",
                                  "return list(s)", "l = ['a']\nl.append(s)\nreturn sorted(l)",
                                  "return np.sort(np.ones(2), kind=s)", "return s.join(['a', 'b'] * k)", "return f'{k:{s}}'"])
def test_refused_statements(text):
    reason = refusal("k", START + text, 3)
    assert "is not compiled in this form" not in reason


@pytest.mark.parametrize("text", ["s[k:]", "s[k % 2]"])
def test_computed_subscripts_make_versions(text):
    for k in (1, 2, 3):
        run("k", START + f"return {text}", (k, ))


def test_long_strings():
    """The characters of a string at a computed index come from a table."""
    text = "".join(chr(97 + k * k % 23) for k in range(1000))
    compare(function("n", "k = 0\nfor i in range(len(text)):\n    if text[i] == 'c' or text[i - n] in 'xyz':\n        k += 1\nreturn k, text[n]", text=text), 5)
    compare(function("n", "p = 0\nfor i in range(len(text)):\n    p = max(p, int(text[i]) * n)\nreturn p, text[-n]", text="".join(str(k * k % 10) for k in range(700))), 5)
    assert isinstance(compare(function("n", "return text[n]", text=text), 1000), IndexError)
