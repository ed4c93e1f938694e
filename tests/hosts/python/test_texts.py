"""Strings: constants, strings with numbers computed at run time, print."""
import numpy as np
import pyraptor
import pytest

from conftest import function
from tables import cases, refusal, run

I = np.arange(12).reshape(3, 4)


@cases(("a", "f'{a} and {a:5} x'", 3, 2.5), ("a", "f'{a:.3f} {a!r} {2 + 3} {a * 2:>8.1f}'", 3.25, np.float32(1.5), np.float64(2)),
       ("a", "f'{a}{{}}'", True, 1j, np.arange(3)), ("a", "f'{(a, 2.5)}'", 3), ("a", "f'{a:d}'", 3.5),
       ("a", "str(a), repr(a)", 3, 3.5, True, np.float64(2), np.int8(3), np.arange(3), (1, 2.5), None, "x"),
       ("a", "'%d-%5.2f %s %%' % (a, a * 1.5, a)", 3), ("a", "'D %d' % a", 3), ("a", "'D %d %d' % a", 3), ("a", "'x' % a", 3),
       ("a", "'{} {:.2f}'.format(a, a * 2)", 2, 2.5), ("a", "'{1}{0!r:>5}'.format(a, 'x')", 2),
       ("a", "bin(a), hex(a), oct(a)", 10, -3), ("a", "chr(a)", 65), ("a", "np.base_repr(a, 3), np.binary_repr(a)", 5),
       ("a", "np.array2string(a), np.array_str(a)", I), ("a", "s = 'n' + str(a)\nreturn s + '!'", 3), ("a", "', '.join([str(a), 'x', str(a + 1)])", 3))
def test_with_numbers(arguments, text, call):
    run(arguments, text, call)


@cases(("a", "a.find('b') + len(a.upper())", "abc", "xyzb"), ("a", "a.split(','), a.strip(), a.title()", " a,b,c "), ("a", "a.replace('x', 'y') * 2", "axb"),
       ("a, k", "a.find('b', k), a[k], a[k:]", ("abcb", 2), ("abcb", -1), ("b", 0)), ("a", "a.index('q')", "abc"), ("a", "a[7]", "abc"),
       ("a", "'%s %d' % (a, 3)", "x"), ("a", "a == 'x', a < 'y', 'x' in a, a + 'z'", "x", "zx"), ("a", "[ord(c) for c in a]", "xyz"),
       ("a", "[c for c in a if c != 'x']", "axb"), ("a", "'-'.join(a)", "abc"), ("a", "int(a), float(a), complex(a)", "12", " 7 ", "x"),
       ("a", "int(a, 16)", "ff"), ("a", "a.startswith(('a', 'b')), a.isalpha(), a.count('a')", "abba"), ("a", "'x' == a, a != 'x'", 3),
       ("a", "len(a), a[0], a[1].upper()", ["ab", "c"]), ("a", "[s.upper() for s in a]", ["ab", "c"]),
       ("a", "x = 0\nfor s in a:\n    x += len(s)\nreturn x", ["ab", "c"]), ("a", "x, y = 'ab'\nreturn y", 1))
def test_constants(arguments, text, call):
    run(arguments, text, call)


@cases(("a", "x = 0\nfor c in a:\n    if c == 'l':\n        continue\n    if c == 'o':\n        break\n    x += ord(c)\nelse:\n    x = -1\nreturn x", "hello", "abc", "l"),
       ("a", "x = 0.0\nfor c in (1, a, 3.5):\n    if c == 3:\n        continue\n    x += c\nreturn x", 3, 2.5),
       ("a", "x = 0.0\nfor c in (1, a, 3.5):\n    if c == 3:\n        break\n    x += c\nelse:\n    x += 100\nreturn x", 3, 2.5),
       ("a", "for c in (a, 2.5, 7):\n    for d in range(3):\n        if d == 1:\n            break\n    if c > 2:\n        return c, d\nreturn 0, 0", 1, 3.0),
       ("a", "x = 0\nfor c, k in (('u', 1), ('v', 2)):\n    if c == a:\n        x += k\nreturn x", "u", "v", "w"))
def test_loops_over_texts_and_tuples(arguments, text, call):
    run(arguments, text, call)


def test_a_text_shows_the_array_as_it_was():
    run("a", "s = f'{a}'\na[0] = 7\nreturn s, a", (np.arange(3), ))


@pytest.mark.parametrize("text, args", [("print(a, 'x', a + 1, sep='-')", (3, )), ("print(f'{a:.2f}', end='!')", (2.5, )), ("print(a)", (np.arange(3), )),
                                        ("print((a, 2.5))\nprint()", (1, )), ("for k in range(a):\n    print(k, k * 0.5)", (3, )), ("print('x', None, True)", (1, )),
                                        ("print(np.float32(a))", (1.5, ))])
def test_print(capsys, text, args):
    f = function("a", text)
    f(*args)
    wanted = capsys.readouterr().out
    pyraptor.jit(f)(*args)
    assert capsys.readouterr().out == wanted


def test_refusals():
    assert "is not compiled" in refusal("a", "str(a).split()", 3)
    assert "parallel loop" in refusal("a", "for k in prange(3):\n    print(k)", 3)
    assert "to a file" in refusal("a", "import sys\nprint(a, file=sys.stderr)", 3)
    assert "on another" in refusal("a", "s = ''\nfor k in range(a):\n    s = k\nreturn s", 3)
