"""Lambda expressions as compiled functions: finding the right one of several on a line, and its source."""
import pickle

import numpy as np
import pytest

from pyraptor import UnsupportedError, jit

STEP = 3
ONE, TWO, THREE = jit(lambda x: x + 1), jit(lambda x: x * 2), jit(lambda y: y + STEP)


def test_several_on_one_line():
    for f, wanted in ((ONE, 6), (TWO, 10), (THREE, 8)):
        assert f(5) == wanted and np.array_equal(f(np.array([5.0])), [wanted])


def test_the_same_twice_on_one_line():
    f, g = jit(lambda x: -x), jit(lambda x: -x)
    assert f(1) == g(1) == -1


def test_one_in_another_on_one_line():
    f = jit(lambda a: (lambda b: b * a)(a + 1))
    assert f(3) == 12


def test_several_lines_defaults_and_closures():
    def make(c):
        return jit(lambda a, b=2, *, k=1: (a + b * c,
                                           a - k))

    f, g = make(5), make(7)
    assert f(1) == (11, 0) and f(1, 3) == (16, 0) and g(1.5, k=2) == (15.5, -0.5)


def test_constant_bodies_on_one_line():
    f, g, h = jit(lambda: 0), jit(lambda: 1), jit(lambda: (0, 1))
    assert (f(), g(), h()) == (0, 1, (0, 1))


def test_a_refusal_names_the_place():
    with pytest.raises(UnsupportedError, match="'.foo' of float64") as e:
        jit(lambda x: x.foo)(np.zeros(2))
    assert e.value.filename == __file__ and "x.foo" in str(e.value).split("\n")[2]


def test_pickles():
    add = pickle.loads(pickle.dumps(jit(lambda x: x + STEP)))
    both = [pickle.loads(pickle.dumps(f)) for f in (jit(lambda x: x - 1), jit(lambda x: x - 2))]
    assert add(1) == 4 and [f(1) for f in both] == [0, -1]
    assert pickle.loads(pickle.dumps(add))(2) == 5


def test_lambdas_of_exec_have_no_source():
    scope = {"jit": jit}
    exec("f = jit(lambda x: x)", scope)
    with pytest.raises(UnsupportedError, match="source"):
        scope["f"](1)
