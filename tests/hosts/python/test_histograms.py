"""np.histogram and its edges over all types and forms of bins, NumPy as oracle: counts, dtypes of counts and edges, errors."""
import itertools

import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, compare, function, run

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.skipif(NUMPY_1, reason="NumPy 1 has other types of edges")]
RNG = np.random.default_rng(2)
VALUES = {"float64": RNG.normal(size=40), "float32": RNG.normal(size=40).astype(np.float32), "int32": RNG.integers(-9, 9, 40, np.int32),
          "int64": RNG.integers(-3, 50, 40), "bool": RNG.random(12) > 0.4, "rows": RNG.random((5, 6)).astype(np.float32),
          "fortran": np.asfortranarray(RNG.random((5, 6))), "slice": RNG.random(60)[::-2], "empty": np.zeros(0, np.float32), "empty int": np.zeros(0, int),
          "equal": np.full(5, np.float32(2.5)), "on edges": np.array([0, 0.25, 0.5, 0.5, 0.75, 1, 1], np.float32), "one": np.array([3]),
          "large": np.array([1e30, 2e30, -1e30, 5e29], np.float32), "tenths": (np.arange(31) / 10).astype(np.float32)}
BINS = ["", "bins=7", "3, (0.0, 1.0)", "4, (0, 2)", "bins=4, range=(-1, 0.5)", "5, (np.float32(0.1), np.float32(0.9))", "2, range=(1.0, 1.0)", "3, None",
        "np.array([0.0, 0.5, 2.0])", "bins=np.array([-1, 0, 0, 1, 3])", "np.array([0.1, 0.3, 0.7], dtype=np.float32)", "[0, 0.5, 1]", "np.array([1.0])"]


@pytest.mark.parametrize("name", VALUES)
def test_counts_and_edges(name):
    x = VALUES[name]
    for bins in BINS:
        more = f", {bins}" if bins else ""
        compare(function("x", f"np.histogram(x{more})"), x)
        if "[" not in bins:
            compare(function("x", f"np.histogram_bin_edges(x{more})"), x)


@pytest.mark.parametrize("name", ["float64", "float32", "int64", "fortran", "on edges"])
@pytest.mark.parametrize("weights", ["float64", "float32", "int32", "complex128"])
def test_weights_and_density(name, weights):
    x = VALUES[name]
    w = (np.arange(x.size) % 5 - 1).reshape(x.shape).astype(weights)
    for bins in ("4", "3, range=(0.0, 0.8)", "np.array([0.0, 0.5, 2.0])"):
        compare(function("x, w", f"np.histogram(x, {bins}, weights=w)"), x, w)
        if weights == "float64":
            compare(function("x, w", f"np.histogram(x, {bins}, density=True)"), x, w)
            compare(function("x, w", f"np.histogram(x, {bins}, density=True, weights=w + 2)"), x, w)


ERRORS = [("np.histogram(x, 0)", VALUES["float64"]), ("np.histogram(x, -2)", VALUES["float32"]), ("np.histogram(x, 3, (1, 0))", VALUES["float32"]),
          ("np.histogram(x, 3, (0.0, np.inf))", VALUES["float64"]), ("np.histogram(x)", np.array([1.0, np.nan])), ("np.histogram(x)", np.array([1.0, np.inf])),
          ("np.histogram(x, np.array([1.0, 0.0]))", VALUES["float64"]), ("np.histogram(x, 3, weights=x[1:])", VALUES["float64"]),
          ("np.histogram(x, 100)", np.array([1.0, np.nextafter(1.0, 2.0)]))]


@pytest.mark.parametrize("text, x", ERRORS, ids=[e[0] for e in ERRORS])
def test_errors(text, x):
    assert isinstance(compare(function("x", text), x), ValueError)


def test_elements_that_are_no_numbers_are_left_out_of_a_range():
    x = np.array([0.1, np.nan, 0.9, np.inf, -np.inf, 0.5], np.float32)
    compare(function("x", "np.histogram(x, 4, (0, 1))"), x)
    compare(function("x", "np.histogram(x, np.array([0.0, 0.5, 1.0]))"), x)


DTYPES = ("bool", "int32", "int64", "float32", "float64", "complex64", "complex128")


def test_result_type():
    """Python numbers take the type of arrays and NumPy scalars."""
    arrays = [np.ones(2, d) for d in DTYPES]
    numbers = [True, 1, 2.5, 1j, np.float32(1), np.float64(1), np.int32(1), np.int64(1), np.bool_(True), np.complex64(1)]
    f, g = (function("x, y", f"return np.zeros(2, np.result_type({v}))") for v in ("x, y", "x, y, 2"))
    for x, y in itertools.chain(itertools.product(arrays, [*arrays, *numbers]), itertools.product(numbers, numbers)):
        for h in (f, g):
            wanted, _ = run(h, (x, y))
            assert pyraptor.jit(h)(x, y).dtype == wanted.dtype, (x, y)
    for text in ("np.result_type(x, 1.5)", "np.result_type(x, np.float32)", "np.result_type(x.dtype, np.int64, 3)", "np.result_type(x[0], 3)",
                 "np.promote_types(x.dtype, np.int64)", "np.promote_types(np.float32, 'f8')", "np.result_type(1, 2.5)", "np.result_type(True)"):
        for x in arrays:
            compare(function("x", f"np.zeros(1, {text})"), x)
    with pytest.raises(pyraptor.UnsupportedError):
        pyraptor.jit(function("x", "np.zeros(1, np.promote_types(x.dtype, 2))"))(arrays[0])
