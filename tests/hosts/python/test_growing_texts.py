"""Strings whose number of parts is known only at run time, and lists of strings made at run time. Plain Python is the oracle."""
import numpy as np
import pytest

import pyraptor
from conftest import compare, function

X = np.arange(4.0)
MADE = "s = ''\nfor k in range(n):\n    s += 'a' + str(k)\n"


def split(text):
    return [line.replace("\\n", "\n") for line in text.strip().splitlines()]


@pytest.mark.parametrize("body", split(r"""
s = ''\nfor k in range(n):\n    s += 'ab'\nreturn s
s = 'x:'\nfor k in range(n):\n    s += f'{k},'\nreturn s
s = ''\nfor k in range(n):\n    s = s + str(k) + ' '\nreturn s
s = ''\nfor k in range(n):\n    s = f'{s}{k}'\nreturn s
s = ''\nfor k in range(n):\n    s = str(k) + s\nreturn s
s = ''\nfor k in range(n):\n    s += s + 'x'\nreturn s
s = ''\nwhile n:\n    s = str(n % 2) + s\n    n //= 2\nreturn s
s = ''\nfor k in range(n):\n    s += '%d-%.1f ' % (k, k / 2) + '{}:{:>4}'.format(k, k * 2) + bin(k) + hex(k) + f'{k!r:>3}{k / 3:8.3e}{k == 1}'\nreturn s
s = ''\nfor k in range(n):\n    s += 'hello'[k % 5] + chr(97 + k)\nreturn s
s = ''\nfor k in range(n):\n    for c in 'ab':\n        s += c\nreturn s
s, t = '', ''\nfor k in range(n):\n    s += str(k)\n    t += s\nreturn s, t
s = ''\nfor k in range(n):\n    t = s\n    s += 'a'\n    t += 'b'\nreturn s, t
s = 'a'\nt = s\nfor k in range(n):\n    s += str(k)\nreturn s, t
s = f'{n}' if n > 3 else 'none'\nreturn s
if n > 3:\n    s = f'{n}'\nelse:\n    s = f'{n / 2} half'\nreturn s
if n > 3:\n    return f'{n}'\nreturn 'none'
if n > 3:\n    return f'{n}', n\nreturn f'{n / 2} half', 2
def g(k):\n    return 'fizz' if k % 3 == 0 else str(k)\nreturn ' '.join([g(k) for k in range(n)])
def g(k):\n    s = ''\n    for j in range(k):\n        s += str(j)\n    return s\nt = ''\nfor k in range(n):\n    t += g(k) + '|'\nreturn t
"""))
@pytest.mark.parametrize("n", [0, 3, 6])
def test_growing(body, n):
    compare(function("n", body), n)


@pytest.mark.parametrize("x", [X, X.astype(np.float32) / 3, X.astype(np.int8), X > 2, np.array([np.nan, np.inf, -0.0])])
def test_numbers_of_all_types(x):
    for text in ("str(v)", "repr(v)", "f'{v} '", "f'{v:>9}'"):
        compare(function("x", f"s = 'x:'\nfor v in x:\n    s += {text}\nreturn s"), x)


@pytest.mark.parametrize("body", split(r"""
return len(s), s == 'a0a1a2', s != 'x', s < '1', 'a1' in s, 'z' in s, 'z' not in s, bool(s), 5 if s else 6
return s.count('a'), s.find('1'), s.startswith('a0'), s.endswith('2'), s.isdigit(), s.isalnum()
return s.upper(), s[1:4], s[::-1], s[n - 2:], s.replace('a', '-'), s.zfill(20), s.strip('a'), s.title().lower(), s.center(20, '*')
return s[0], s[-1], s[n - 1], s[n - 1].upper()
return s * 2, s + s, s + '!', f'<{s}>', '%s.' % s, str(s)
return s == 5, s != 5, s == None, s is None, s is not None
s = s.upper()\nfor k in range(2):\n    s += 'b' + s[k:k + 2] + s[1:].lower().replace('a', '-') + f'{k}'.zfill(3)\nreturn s, s.title()[::-1]
l = [s[k:] for k in range(n)]\nl.append(s.upper()[1:3])\nreturn l, '|'.join(l), s[:2] if n > 2 else s[1:]
t = f'{n}'\nl = [t]\nif n % 2:\n    t = s\nelse:\n    t = 'cut'\nl[0] = t\nreturn l
while len(s) < 20:\n    s += 'xyz'\nreturn s
print(s, len(s))\nreturn s
return {'a': s, 'b': n}, (s, [s, 'x'])
return int(s.replace('a', '1')), float(s.replace('a', '.', 1).replace('a', '0'))
if s == 'a0a1a2':\n    return 1\nelif s.startswith('a'):\n    return 2\nreturn 3
"""))
def test_operations(body):
    compare(function("n", MADE + body), 3)


@pytest.mark.parametrize("body", ["return s[99]", "return s[-99]", "return int(s)", "return s < 5", "return s + 5", "return s['a']", "return s.upper(5)"])
def test_errors(body):
    f = pyraptor.jit(function("n", MADE + body))
    with pytest.raises(Exception) as wanted:
        f.__wrapped__(3)
    with pytest.raises((wanted.type, pyraptor.UnsupportedError)) as got:
        f(3)
    assert isinstance(got.value, pyraptor.UnsupportedError) == (body in ("return s < 5", "return s + 5", "return s['a']"))


def test_short_texts_with_numbers():
    compare(function("n", "s = f'{n}'\nreturn len(s), s == '5', s + '!', s.upper(), s[0:1], s[0], int(s) + 1, 'x' in s"), 5)


@pytest.mark.parametrize("body", split(r"""
parts = []\nfor k in range(n):\n    parts.append(f'{k}')\nreturn ','.join(parts), len(parts)
parts = []\nfor k in range(n):\n    parts.append('a' if k % 2 else 'b')\nreturn ''.join(parts), parts
parts = []\nfor k in range(n):\n    parts.append('')\nreturn '-'.join(parts)
parts = [f'{k}' for k in range(n)]\nreturn '; '.join(parts), parts
return ', '.join([str(k * k) for k in range(n)]), ', '.join(str(k * k) for k in range(n))
return [str(k * k) for k in range(n)]
return [f'{k}:{k / 2}' for k in range(n)]
l = ['a']\nfor k in range(n):\n    l.append(str(k))\nl[0] = 'z'\nl.insert(0, 'y')\nl.reverse()\nx = l.pop()\nreturn l, len(l), l[1], l[-1] == '10', x, l[1:3]
l = []\nfor k in range(n):\n    l.append(str(k))\nfor x in l:\n    if x == '1':\n        return x\nreturn 'none'
l = []\nfor k in range(n):\n    l.append(str(k))\ns = ''\nfor x in l:\n    s += x + ';'\nreturn s, [x + '!' for x in l], [len(x) for x in l]
"""))
@pytest.mark.parametrize("n", [0, 4])
def test_lists(body, n):
    compare(function("n", body), n)


@pytest.mark.parametrize("body, match", [
    ("raise ValueError(s)", "exception"), ("for c in s:\n    n += 1\nreturn n", "a loop over str"), ("return s.split('a')", "split"), ("return s is s", "use =="),
    ("for k in prange(n):\n    s += 'a'\nreturn s", "parallel loop"), ("l = [s]\nl.append('x')\nl.sort()\nreturn l", "without a key"), ("l = [s]\nl.append('x')\nreturn max(l)", "compares"),
    ("l = []\nl.append(s)\nreturn 'a' in l", "in list of str"), ("d = {}\nd[s] = 1\nreturn d", "key of a dictionary"), ("for k in range(n):\n    s += str(k * 1j)\nreturn s", "complex"), ("return s * n", "'*' of str"),
    ("return s[::n]", "computed step"), ("x = np.zeros(n)\nfor k in prange(n):\n    x[k] = len(f'{k}')\nreturn x", "parallel loop"), ("t = None\nfor k in range(n):\n    t = s\nreturn t", "None")])
def test_refused(body, match):
    with pytest.raises(pyraptor.UnsupportedError, match=match.replace("*", r"\*")) as e:
        pyraptor.jit(function("n", MADE + body))(3)
    assert "in this form" not in e.value.reason


def test_calls_of_python_are_reported():
    f = pyraptor.jit(function("n", MADE + "return len(s)"))
    assert f(3) == 6 and "len()" in f.report()[0]["calls_python"][0]
