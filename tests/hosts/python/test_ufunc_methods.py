"""reduce, accumulate, reduceat, outer and at of NumPy's ufuncs."""
import numpy as np
import pyraptor
import pytest

from conftest import function
from tables import cases, refusal, run

I = np.array([[3, 1, 2], [4, 6, 5]])
F, B, I8 = I * 1.5, I > 2, I.astype(np.int8)
ARRAYS = (I, F, B, I8, I[0], F[1])
WITHOUT_BOOLS = (I, F, I8, I[0], F[1])
WHOLE = (I, B, I8, I[0])


@pytest.mark.parametrize("method", ["reduce", "accumulate"])
@pytest.mark.parametrize("name", "add multiply maximum minimum logical_and logical_or floor_divide fmod remainder divide".split())
def test_over_an_axis(name, method):
    for a in ARRAYS:
        run("a", f"np.{name}.{method}(a)", (a, ))


@pytest.mark.parametrize("method", ["reduce", "accumulate"])
@pytest.mark.parametrize("name, arrays", [("subtract", WITHOUT_BOOLS), ("bitwise_and", WHOLE), ("bitwise_or", WHOLE), ("bitwise_xor", WHOLE),
                                          ("hypot", (I, F, F[0])), ("fmax", (F, I))])
def test_of_some_types(name, arrays, method):
    for a in arrays:
        run("a", f"np.{name}.{method}(a)", (a, ))


@cases(("a", "np.add.reduce(a, axis=1)", I, F), ("a", "np.subtract.reduce(a, axis=1, keepdims=True)", I, F), ("a", "np.add.reduce(a, axis=None)", I, F),
       ("a", "np.subtract.reduce(a, axis=None)", I), ("a", "np.bitwise_xor.reduce(a, (0, 1))", I), ("a", "np.add.reduce(a, initial=5)", I, F),
       ("a", "np.maximum.reduce(a, 0, initial=4)", I, F), ("a", "np.add.reduce(a[:0])", I, F), ("a", "np.maximum.reduce(a[:0])", I),
       ("a", "np.add.reduce(a, dtype=np.float32)", I), ("a", "np.subtract.reduce(a[:0])", F), ("a, k", "np.add.reduce(a, k)", (I, 1), (I, -1)),
       ("a", "np.subtract.accumulate(a, 1)", I, F), ("a", "np.add.accumulate(a, dtype=np.float64)", I), ("a", "np.subtract.accumulate(a[:0])", I),
       ("a", "np.add.reduceat(a[0], [0, 2, 1])", I, F), ("a", "np.multiply.reduceat(a[0], [0, 1])", I, F), ("a", "np.add.reduceat(a[0], [0, 3])", I),
       ("a", "np.add.outer(a[0], a[1])", I, F), ("a", "np.maximum.outer(a[0], a)", I),
       ("a", "np.add.at(a, [0, 0, 1], 2)\nreturn a", I[0], F[0]), ("a", "np.subtract.at(a, np.array([0, 0, -1]), np.array([1, 2, 3]))\nreturn a", I[0], F[0]),
       ("a", "np.negative.at(a, [0, 2])\nreturn a", I[0], F[0]), ("a", "np.add.at(a, [7], 2)", I[0]))
def test_forms(arguments, text, call):
    run(arguments, text, call)


def test_cases_that_numpys_vector_code_omits_are_refused():
    assert "depends on the processor" in refusal("a", "np.power.reduce(a)", F[0])


def test_that_a_store_with_loss_is_refused():
    assert "cannot store" in refusal("a", "np.add.at(a, [0], 1.5)", I[0])


@pytest.mark.parametrize("body", ["np.divmod(a, 3)", "q = np.zeros(5)\nr = np.zeros(5)\nnp.divmod(a, k, q, r)\nreturn q, r", "q = np.zeros(5)\nx = np.divmod(a, k, q)\nreturn q, x[1]",
                                  "q = np.zeros(5)\nr = np.zeros(5)\nx = np.modf(a * 0.5, out=(q, r))\nreturn q, r, x[0]", "q = np.zeros(5)\nx = np.modf(a * 0.5, out=(None, q))\nreturn q, x[0]"])
def test_two_results(check, body):
    check(function("a, k", body), np.array([5, -3, 0, 7, 2]), 2)


def test_two_results_that_do_not_fit():
    for body in ("q = np.zeros(5, np.int8)\nnp.divmod(a, 2.5, q)\nreturn q", "q = np.zeros(5)\nnp.divmod(a, k, q, q, q)\nreturn q"):
        with pytest.raises(pyraptor.UnsupportedError):
            pyraptor.jit(function("a, k", body))(np.arange(5), 2)
