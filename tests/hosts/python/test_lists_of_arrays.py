"""Comprehensions whose items are arrays of equal shapes."""
import numpy as np

from tables import cases, refusal, run

V, M = np.arange(6.0), np.arange(6.0).reshape(2, 3)


@cases(("a", "np.array([np.arange(3) * i for i in range(a)])", 3, 70), ("a", "[np.arange(3) * i for i in range(a)]", 3, 0, 9), ("b", "np.array([b[i] * 2 for i in range(len(b))])", M),
       ("a", "x = [np.arange(3) * i for i in range(a)]\nreturn x[1], x[-1], len(x), np.vstack(x)", 3, 5), ("b", "np.sum([x * x for x in b], axis=0)", M),
       ("a, b", "x = [b * i for i in range(a) if i != 1]\ns = 0.0\nfor r in x:\n    s += r.sum()\nx[0][1] = 9\nreturn s, x", (4, V)),
       ("a", "np.concatenate([np.ones(2) * i for i in range(a)])", 4), ("a", "list(map(lambda i: np.full(2, i), range(a)))", 3), ("a, b", "[b[i:i + 2].copy() for i in range(a)]", (4, V)),
       ("a", "x = [np.ones(2) * i for i in range(a)]\ny = x\ny[0][0] = 5\nreturn x, y", 3), ("a", "x = [np.ones(2) * i for i in range(a)]\nreturn x[5]", 3),
       ("a", "x = [np.ones(2) * i for i in range(a)]\nif a > 2:\n    x = [np.ones(2) for i in range(a + 1)]\nreturn x", 3),
       ("a", "def f(v):\n    return [u * 2 for u in v]\nreturn f([np.ones((2, 2)) * i for i in range(a)])", 3))
def test_as_python(arguments, text, call):
    run(arguments, text, call)


def test_rows_are_arrays_of_their_own():
    run("a", "x = [np.zeros(2) for i in range(a)]\nx[0][0] = 1\nreturn x", (70, ))


def test_refusals():
    start = "x = [np.ones(2) * i for i in range(a)]\n"
    for text, word in (("x.append(np.ones(2))\nreturn x", "append"), ("x[0] = np.ones(2)\nreturn x", "cannot be assigned"), ("return x * 2", "is not compiled"), ("return x == x", "comparing"),
                       ("return sum(x)", "sum"), ("return x[1:]", "subscript")):
        assert word in refusal("a", start + text, 3)
    assert "making a named" in refusal("a, b", "[b for i in range(a)]", 3, V)
    assert "making an array that is an argument" in refusal("a, b", "[b[i:i + 2] for i in range(a)]", 3, V)
    assert "different lengths" in _at_run_time("[np.ones((i, 2)) for i in range(a)]", 70)


def _at_run_time(text, *args):
    import pyraptor

    from conftest import function
    try:
        pyraptor.jit(function("a", text))(*args)
    except pyraptor.UnsupportedError as e:
        return str(e)
