"""Annotations of arguments, results and local variables: they are checked, and numbers are converted."""
from typing import Tuple

import numpy as np
import pytest

import pyraptor
from conftest import function
from pyraptor import PyArray, PyFloat64, PyInt32, PyInt64, PyRaptorModule, c128, f32, f64, i32, i64

NAMES = dict(f32=f32, f64=f64, i32=i32, i64=i64, c128=c128, PyInt32=PyInt32, PyArray=PyArray, PyFloat64=PyFloat64, Tuple=Tuple)


def annotated(head, body):
    """A compiled function from its arguments and result: annotated("a: f64) -> (i64", ...)."""
    import linecache
    text = f"def f({head}:\n" + "".join(f"    {line}\n" for line in body.splitlines())
    filename = f"<annotated {len(linecache.cache)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"np": np, **NAMES}
    exec(compile(text, filename, "exec"), scope)
    return pyraptor.jit(scope["f"])


def test_results_are_converted():
    half = annotated("a: i64) -> f64", "return a // 2")
    assert half(7) == 3.0 and type(half(7)) is float
    short = annotated("a) -> f32", "return a * 2")
    assert type(short(1.5)) is np.float32
    both = annotated("a) -> Tuple[f64, c128]", "return a, a")
    assert [type(x) for x in both(1)] == [float, complex]


def test_results_that_lose_something_are_refused():
    with pytest.raises(TypeError, match="the result is float, but annotated as int64"):
        annotated("a: f64) -> i64", "return a * 0.5")(3.0)
    with pytest.raises(TypeError, match="the result is float64.*annotated as float64"):
        annotated("a) -> f64[:, :]", "return a")(np.ones(3))
    with pytest.raises(TypeError, match="the result is int64"):
        annotated("a) -> f64[:]", "return a")(np.ones(3, int))
    with pytest.raises(TypeError, match="tuple of 2"):
        annotated("a) -> Tuple[f64, f64]", "return a")(1.0)
    module = PyRaptorModule("m")
    g = function("a", "return a * 0.5")
    g.__annotations__ = {"a": PyInt64(), "return": PyInt64()}
    module.compile(g)
    with pytest.raises(TypeError, match="annotated as int64"):
        module.compile()


def test_integers_that_do_not_fit():
    f = annotated("a) -> i32", "return a")
    assert type(f(5)) is np.int32
    with pytest.raises(OverflowError):
        f(2**40)


def test_local_variables_have_the_type_of_their_annotation():
    f = annotated("n)", "x: f64 = n\nreturn x / 4, x")
    assert f(2) == (0.5, 2.0) and type(f(2)[1]) is float
    f = annotated("n)", "x: f64 = 0\nfor k in range(n):\n    x = k\nreturn x")
    assert type(f(3)) is float and f(3) == 2.0
    f = annotated("n)", "x: 'f32' = n * 0.1\nreturn x")
    assert type(f(1)) is np.float32
    f = annotated("n)", "x: f64\nx = n\nreturn x")
    assert type(f(3)) is float
    with pytest.raises(TypeError, match="'x' is float, but annotated as int64"):
        annotated("n)", "x: i64 = n\nx = x * 0.5\nreturn x")(3)
    with pytest.raises(TypeError, match="annotated as float64 elsewhere"):
        annotated("n)", "x: f64 = n\nx: i64 = n\nreturn x")(3)
    assert annotated("n)", "x: float = n\ny: 'nothing' = n\nreturn x, y")(3) == (3, 3)


def test_annotations_of_functions_that_are_called():
    scope = annotated("a: f64) -> f32", "return a // 2")
    g = pyraptor.jit(function("n", "return h(n)", h=scope))
    assert type(scope(7)) is type(g(7)) is np.float32 and g(7) == scope(7) == 3.0
    with pytest.raises(TypeError, match="argument 'a' of f"):
        pyraptor.jit(function("n", "return h(n)", h=scope))(2j)


def test_classes_without_parentheses():
    f = annotated("a: PyInt32)", "return a")
    assert type(f(3)) is np.int32
    with pytest.raises(TypeError, match="argument 'a' is 2.5"):
        f(2.5)
    module = PyRaptorModule("m")
    g = function("a", "return a")
    g.__annotations__ = {"a": PyInt32}
    module.compile(g)
    module.compile()
    with pytest.raises(TypeError, match="write PyArray"):
        annotated("a: PyArray)", "return a")


def test_tuples_of_arguments():
    f = annotated("t: Tuple[f64, i64])", "return t")
    assert [type(x) for x in f((1, True))] == [float, int]
    with pytest.raises(TypeError, match="tuple of 2"):
        f((1, 2, 3))
    with pytest.raises(TypeError, match=r"t\[1\]"):
        f((1, 2.5))


def test_text_as_annotation():
    f = function("a", "return a")
    f.__annotations__ = {"a": "f64", "return": "f32"}
    f.__globals__.update(NAMES)
    assert type(pyraptor.jit(f)(1)) is np.float32
