"""Starred targets, and match on constants."""
import operator
import sys

import numpy as np
import pytest

from test_lists import both, refused


@pytest.mark.parametrize("values", [[], [1], [1, 2], [1, 2, 3, 4]])
@pytest.mark.parametrize("body", [
    "a, *b = l\nreturn a, b", "*a, b = l\nreturn a, b", "a, *b, c = l\nb.append(7)\nreturn a, b, c, l", "*a, = l\na.append(1)\nreturn a, l",
    "a, *b = 1, *l, 2\nreturn a, b", "for i, *r in [(1, 2, 3), (4, 5, 6)]:\n    l.append(sum(r) + i)\nreturn l", "[a, *b] = l + [5]\nreturn a, b"])
def test_starred_targets(body, values):
    if body.startswith("a, *b = 1, *l"):
        values = tuple(values)
    both("l", body, values)


def test_starred_targets_of_other_things():
    both("x", "a, *b = x\nreturn a, b", np.arange(3.0))
    both("t", "a, *b, c = t\nreturn a, b, c", (1, 2.5, True, 4j))
    both("t", "a, *b, c = t\nreturn a, b, c", (1,))
    both("n", "a, *b = range(n)\nreturn a, b", 4)


MATCHES = [
    "match n:\n    case 0:\n        return 'none'\n    case 1 | 2:\n        return 'few'\n    case _:\n        return 'many'",
    "k = 0\nfor i in range(n):\n    match i % 4:\n        case 0:\n            continue\n        case 1 if i > 2:\n            k += 10\n        case 1 | 3:\n"
    "            k += 1\n        case x:\n            k += 100 * x\nreturn k",
    "match n > 1:\n    case True:\n        r = 1\n    case False:\n        r = 2\nreturn r",
    "match n:\n    case True:\n        return 1\n    case None:\n        return 2\n    case -1 | 2.0:\n        return 3\nreturn 4",
    "match n * 0.5:\n    case 0.5:\n        x = 1\n    case y if y > 1:\n        x = 2\n    case (1 | 0) as z:\n        x = 3\nreturn x",
]


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match is of Python 3.10")
@pytest.mark.parametrize("n", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("body", MATCHES)
def test_match(body, n):
    if "'none'" in body:
        body = body.replace("'none'", "0").replace("'few'", "1").replace("'many'", "2")
    both("n", body, n)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match is of Python 3.10")
def test_match_of_constants():
    both("s", "match s:\n    case 'a' | 'b':\n        return 1\n    case None:\n        return 2\n    case 3:\n        return 3\nreturn 4", "b")
    both("s", "match s:\n    case 'a' | 'b':\n        return 1\n    case None:\n        return 2\nreturn 4", None)
    refused("l", "match l:\n    case [a, b]:\n        return a\nreturn 0", [1, 2], match="'match' of")
    refused("l", "match l[0]:\n    case {'a': b}:\n        return b\nreturn 0", [1, 2], match="this pattern")


def test_operators_in_place():
    both("l", "b = operator.iconcat(l, [3])\noperator.iadd(b, [4])\nreturn b, operator.concat(l, [1]), operator.iadd(l[0], 2)", [1], operator=operator)
