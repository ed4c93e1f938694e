"""NumPy's functions and methods: each expression against NumPy, over element types and layouts."""
import numpy as np
import pytest

from conftest import compare, function
from test_arrays import layouts, sample

REAL = ["int32", "int64", "float32", "float64"]
ALL = ["bool", *REAL, "complex64", "complex128"]

# of a: a matrix, 3 x 4
REDUCTIONS = [f"np.{f}(a{axis})" for f in ("sum", "prod", "mean") for axis in
              ("", ", axis=0", ", axis=1", ", axis=-1", ", axis=(0, 1)", ", axis=0, keepdims=True", ", axis=1, keepdims=True")]
ORDERED = [f"np.{f}(a{axis})" for f in ("min", "max", "any", "all", "argmin", "argmax") for axis in ("", ", axis=0", ", axis=-1")
           ] + ["a.min()", "a.max(axis=1)", "np.min(a, axis=1, keepdims=True)", "a.any()", "a.all(axis=0)", "a.argmax()",
                "np.ptp(a)", "int(np.count_nonzero(a))", "np.sort(a)", "np.sort(a, axis=0)", "np.argsort(a, kind='stable')", "np.nonzero(a[0])[0]", "np.flatnonzero(a)"]
SCANS = ["np.cumsum(a)", "np.cumsum(a, axis=0)", "a.cumsum(axis=1)", "np.cumprod(a, axis=1)", "np.diff(a)", "np.diff(a, axis=0)",
         "np.diff(a, n=2)"]
SPREAD = ["np.std(a)", "np.var(a, axis=0)", "a.std(axis=1)", "np.var(a, ddof=1)", "np.std(a, axis=0, keepdims=True)",
          "(a - a.mean(axis=0)) / (a.std(axis=0) + 1)"]
SHAPES = ["a.T", "a.copy()", "np.transpose(a)", "a.reshape(4, 3)", "a.reshape((2, 6))", "a.reshape(-1)", "a.reshape(2, -1)",
          "a.ravel()", "a.flatten()", "np.flip(a)", "np.flip(a, axis=1)", "np.fliplr(a)", "np.flipud(a)", "np.roll(a, 1, axis=0)",
          "np.roll(a, -1, axis=1)", "np.roll(a.ravel(), 5)", "np.repeat(a, 2, axis=1)", "np.repeat(a[0], 3)", "np.tile(a, (2, 3))",
          "np.tile(a[0], 2)", "np.concatenate((a, a))", "np.concatenate([a, a[:1]], axis=0)", "np.concatenate((a, a), axis=1)",
          "np.stack((a, a))", "np.stack([a[0], a[1]], axis=1)", "np.vstack((a, a[0]))", "np.hstack((a, a))",
          "np.hstack((a[0], a[1]))", "np.column_stack((a[:, 0], a[:, 1]))", "np.append(a[0], a[1])", "np.append(a[0], 3)",
          "np.expand_dims(a, 1)", "np.squeeze(a[:1], axis=0)", "np.swapaxes(a, 0, 1)", "np.diag(a)", "np.diag(a[0])",
          "np.diag(a[0], k=1)", "np.diag(a, k=-1)", "np.triu(a)", "np.tril(a, k=1)", "np.triu(a, k=-1)", "np.broadcast_to(a[0], (5, 4))",
          "np.zeros_like(a)", "np.ones_like(a)", "np.full_like(a, 3)", "np.asarray(a)", "np.array(a)", "np.ascontiguousarray(a)",
          "a[a[:, 0] != 0]", "a.astype(np.float64)", "a.astype(np.complex128)"]
ELEMENTWISE = ["abs(a)", "np.abs(a)", "np.negative(a)", "np.square(a)", "np.sign(a)", "np.where(a > 0, a, 0)",
               "np.where(a > 1, a, 2.5)", "np.maximum(a, 1)", "np.minimum(a, a[::-1])", "np.clip(a, -1, 2)", "a.clip(0, 3)",
               "np.logical_and(a > 0, a < 3)", "np.logical_not(a)", "np.logical_or(a, a > 2)", "np.logical_xor(a > 0, a > 2)",
               "np.isnan(a)", "np.isfinite(a)", "np.floor(a / 2)", "np.ceil(a / 2)", "np.trunc(a / 2)", "np.rint(a / 2)",
               "np.round(a / 3, 1)", "np.mod(a, 3)", "np.fmod(a, 3)", "np.floor_divide(a, 2)", "np.add(a, 1)", "np.subtract(1, a)",
               "np.multiply(a, a)", "np.divide(a, 4)", "np.power(a, 2)", "np.less(a, 1)", "np.equal(a, a)", "np.isclose(a, a + 1e-9)",
               "np.deg2rad(a)", "a.conj()", "a.real", "a.imag", "np.arctan2(a, 2)", "np.hypot(a, 3)"]
FLOATS = [f"np.{f}(b)" for f in ("sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arctan", "sinh",
                                 "cosh", "tanh", "exp2")] + ["np.arcsin(b / 9)", "np.arccos(b / 9)"]


def arrays(dtype):
    yield from layouts(sample(dtype, (3, 4)))


def test_comparisons_with_lists(check, make):
    for body in ("x == (1, 2, 3)", "[1, 5, 0] < x", "x != [2.0, k, 3]", "(x == (k, k, k)).any()", "x[0] >= (1, 2, 3)[1]",
                 "x == [[1, 2, 3], [0, 2, 0]]"):
        check(make("x, k", body), np.array([1, 2, 3]), 2)


@pytest.mark.parametrize("text", REDUCTIONS)
def test_reductions(text):
    f = function("a", text)
    for dtype in ALL:
        for a in arrays(dtype):
            compare(f, a)


@pytest.mark.parametrize("text", ORDERED + SCANS)
def test_order_and_scans(text):
    f = function("a", text)
    for dtype in REAL:
        for a in arrays(dtype):
            compare(f, a)


@pytest.mark.parametrize("text", SPREAD)
def test_spread(text):
    f = function("a", text)
    for dtype in ("int64", "float32", "float64"):
        for a in arrays(dtype):
            compare(f, a)


@pytest.mark.parametrize("text", SHAPES)
def test_shapes(text):
    f = function("a", text)
    for dtype in ("int32", "float64", "complex128"):
        for a in arrays(dtype):
            compare(f, a)


@pytest.mark.parametrize("text", ELEMENTWISE)
def test_elementwise(text):
    f = function("a", text)
    for dtype in REAL:
        for a in arrays(dtype):
            compare(f, a)


@pytest.mark.parametrize("text", FLOATS)
def test_functions_of_floats(text):
    f = function("b", text)
    for dtype in REAL:
        for a in arrays(dtype):
            compare(f, np.abs(a) + 1, rtol=1e-11)
    if "arc" not in text:
        compare(f, sample("complex128", (3, 4)) + 0.5, rtol=1e-9) if text != "np.exp2(b)" else None


def test_special_floats():
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 0.5, -0.5, 1.5, 2.5, -2.5, 1e300])
    for text in ("np.rint(x)", "np.round(x)", "np.sign(x)", "np.floor(x)", "np.maximum(x, 1.0)", "np.minimum(1.0, x)",
                 "np.isnan(x)", "np.isinf(x)", "x // 0.5", "x % 0.7", "np.max(x)", "np.where(x > 0, x, -1.0)", "np.argmax(x)"):
        compare(function("x", text), x)


MAKERS = ["np.zeros(n)", "np.zeros((n, 2))", "np.ones((2, n), dtype=np.float32)", "np.full((n, n), 2.5)", "np.full(n, 3)",
          "np.empty((n, 3)).shape", "np.eye(n)", "np.identity(n)", "np.eye(n, n + 1)", "np.arange(n)", "np.arange(1, n)",
          "np.arange(n, 0, -2)", "np.arange(0.0, 1.0, 0.3)", "np.arange(n, dtype=np.float64)", "np.linspace(0, 1, n)",
          "np.linspace(0.0, n, 7)", "np.linspace(0, 1, n, endpoint=False)", "np.array([1, 2, n])", "np.array([[1.0, n], [n, 2]])",
          "np.array((n, 0.5))", "np.mgrid[0:n, 0:3][1]", "np.zeros((n, n), order='F')", "np.array([np.ones(n), np.zeros(n)])",
          "np.zeros(n, dtype=int)", "np.zeros(n, bool)", "np.zeros(n, 'float32')", "np.ndarray((n, 2)).shape"]


@pytest.mark.parametrize("text", MAKERS)
def test_new_arrays(text):
    f = function("n", text)
    for n in (0, 1, 5):
        compare(f, n)


def test_negative_extents():
    assert isinstance(compare(function("n", "np.zeros(n)"), -1), ValueError)


LINEAR = ["np.linalg.solve(a, x)", "np.linalg.solve(a, b)", "np.linalg.inv(a)", "np.linalg.det(a)", "np.linalg.norm(x)",
          "np.linalg.norm(a)", "np.linalg.norm(a, axis=1)", "np.linalg.cholesky(a @ a.T + 9 * np.eye(4))", "np.trace(a)", "np.kron(a, b)",
          "np.cov(a)", "np.outer(x, x)", "np.inner(a, b)", "np.vdot(x, x)", "np.cross(x[:3], x[1:])", "a.dot(b)", "a.dot(x)", "np.dot(2, a)"]


@pytest.mark.parametrize("text", LINEAR)
def test_linear_algebra(text):
    rng = np.random.default_rng(3)
    a, b, x = rng.random((4, 4)), rng.random((4, 4)), rng.random(4)
    compare(function("a, b, x", text), a, b, x, rtol=1e-9)


def test_singular_matrices():
    assert isinstance(compare(function("a", "np.linalg.inv(a)"), np.zeros((3, 3))), np.linalg.LinAlgError)


COUNTS = ["np.bincount(k)", "np.bincount(k, weights=x)", "np.bincount(k, minlength=20)", "np.histogram(x, 5)",
          "np.histogram(x, 4, weights=x)", "np.searchsorted(np.sort(x), 0.5)", "np.searchsorted(np.sort(x), x, side='right')",
          "sum(x)", "min(x)", "max(x)", "any(x > 2)", "all(x > -1)", "len(x)", "x.item(2)", "np.allclose(x, x + 1e-12)",
          "np.array_equal(x, k)", "0.5 in k", "3 in k", "np.average(x)", "np.add.outer(x, k)", "np.subtract.outer(k, k)"]


@pytest.mark.parametrize("text", COUNTS)
def test_counts(text):
    rng = np.random.default_rng(4)
    x, k = rng.random(12), rng.integers(0, 9, 12)
    compare(function("x, k", text), x, k, types="in k" not in text and text[:3] not in ("any", "all"))


def test_outputs_into_arrays():
    body = "np.add(a, b, out=c)\nnp.multiply(c, c, c)\nnp.sqrt(c, c)\nnp.copyto(a, b)\nb.fill(2.0)\nnp.fill_diagonal(c, 7)\nreturn c"
    compare(function("a, b, c", body), sample("float64", (3, 3)), sample("float64", (3, 3), 1), np.zeros((3, 3)))
