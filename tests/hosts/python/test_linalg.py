"""np.linalg: expressions compared with NumPy for all element types, layouts, stacks, empty arrays and special values."""
import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, compare, function, run, same
from test_arrays import layouts

TYPES = ["bool", "int8", "int64", "uint16", "float32", "float64", "complex64", "complex128"]
# Expressions of a square matrix a that is nonsingular.
SQUARE = ["np.linalg.det(a)", "np.linalg.slogdet(a)", "np.linalg.inv(a)", "np.linalg.solve(a, a[0])", "np.linalg.solve(a, a[:, 1:])",
          "np.linalg.solve(a, a.real)", "np.linalg.matrix_power(a, -2)", "np.linalg.eigvalsh(a + np.conj(a.T))",
          "np.linalg.eigvalsh(a, 'U')", "np.linalg.cholesky(a @ np.conj(a.T) + 3 * np.eye(4))", "np.trace(a)"]
# Expressions of any matrix a.
ANY = ["np.linalg.svd(a, compute_uv=False)", "np.linalg.pinv(a)", "np.linalg.pinv(a, 0.3)", "np.linalg.matrix_rank(a)",
       "np.linalg.matrix_rank(a, 1.5)", "np.linalg.cond(a)", "np.linalg.qr(a, 'r').shape", "np.kron(a, a[:2])", "np.kron(a[0], a)",
       "np.kron(a, 3)", "np.linalg.lstsq(a, a[:, 0], rcond=None)", "np.linalg.lstsq(a, a, rcond=None)[0]",
       "np.linalg.lstsq(a, a[:, :2], rcond=0.2)"]
NORMS = ["np.linalg.norm(a)", *(f"np.linalg.norm(a, {o})" for o in ("1", "-1", "2", "-2", "np.inf", "-np.inf", "'fro'", "'nuc'")),
         "np.linalg.norm(a, axis=0)", "np.linalg.norm(a, 3, axis=0)", "np.linalg.norm(a, 0, axis=-1)", "np.linalg.norm(a, np.inf, axis=1)",
         "np.linalg.norm(a, -np.inf, 1)", "np.linalg.norm(a, 1, axis=(1, 0), keepdims=True)", "np.linalg.norm(a, 2, axis=(1, 0))",
         "np.linalg.norm(a, 'nuc', keepdims=True)", "np.linalg.norm(a, keepdims=True)", "np.linalg.norm(a, -2.5, axis=1, keepdims=True)",
         "np.linalg.norm(a[0], 2.5)", "np.linalg.norm(a[0], 0)", "np.linalg.norm(a[0], -np.inf)"]


def sample(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        a = np.tri(shape[-1], dtype=bool) if len(shape) > 1 and shape[-1] == shape[-2] else rng.random(shape) < 0.5
        return np.ascontiguousarray(np.broadcast_to(a, shape))
    a = rng.integers(0, 9, shape) + 0.0
    if dtype.startswith("complex"):
        a = a + 1j * rng.integers(-4, 5, shape)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        a = a + 20 * np.eye(shape[-1])
    return a.astype(dtype)


def reaches(text, dtype):
    """Whether NumPy supports it for this type, with the same result in all versions."""
    unsigned_or_bool = dtype == "bool" or dtype.startswith("uint")
    # (NumPy's pinv multiplies float32 in float32, rounding as its BLAS does.)
    return not ((dtype in ("float32", "complex64") and "pinv" in text) or (dtype == "bool" and ("* " in text or "-" in text or "kron" in text or "norm(a[0]" in text)) or
                (unsigned_or_bool and "+ np.conj" in text) or (dtype in ("int8", "uint16", "float32", "complex64") and "cholesky" in text))


@pytest.mark.parametrize("text", SQUARE + ANY + NORMS)
def test_of_all_types_and_layouts(text):
    f = function("a", text)
    for dtype in TYPES:
        if reaches(text, dtype):
            for a in layouts(sample(dtype, (4, 4))):
                compare(f, a, rtol=1e-9, types=not NUMPY_1)


@pytest.mark.parametrize("text", ANY + NORMS)
def test_of_tall_and_wide_matrices(text):
    f = function("a", text)
    for dtype in ("float32", "float64", "complex128", "int32"):
        for shape in () if not reaches(text, dtype) else ((5, 3), (2, 5), (1, 4), (4, 1), (1, 1)):
            compare(f, sample(dtype, shape, 3), rtol=1e-9, types=not NUMPY_1)


STACKS = [text for text in SQUARE if ".T" not in text and "trace" not in text and "solve" not in text] + [
    "np.linalg.svd(a, compute_uv=False)", "np.linalg.pinv(a)", "np.linalg.matrix_rank(a)", "np.linalg.cond(a)", "np.linalg.norm(a, axis=(0, 2))",
    "np.linalg.norm(a, 'nuc', axis=(2, 0))", "np.linalg.norm(a, 1, axis=(-1, -2), keepdims=True)", "np.linalg.solve(a, a[:, :, 1:])",
    "np.linalg.solve(a, a[1])", "np.linalg.solve(a[0], a)"]


@pytest.mark.parametrize("text", STACKS)
def test_of_stacks(text):
    f = function("a", text)
    for dtype in ("float32", "float64", "complex128", "int64"):
        for shape in ((3, 4, 4), (1, 2, 2), (2, 1, 1)):
            if ("a[1]" in text and shape[0] < 2) or not reaches(text, dtype):
                continue
            for a in layouts(sample(dtype, shape, 5)):
                compare(f, a, rtol=1e-9, types=not NUMPY_1)
    if not NUMPY_1 and "solve" in text:
        compare(function("a, b", "np.linalg.solve(a, b)"), sample("float64", (3, 2, 2)), np.ones(2))


# Results that are unique only up to signs: products are compared.
PRODUCTS = {
    "qr": "q, r = np.linalg.qr(a)\nreturn q @ r, q.shape, r.shape, np.conj(np.swapaxes(q, -1, -2)) @ q, np.abs(r)",
    "qr complete": "q, r = np.linalg.qr(a, 'complete')\nreturn q @ r, q.shape, r.shape, np.conj(np.swapaxes(q, -1, -2)) @ q",
    "qr r": "r = np.linalg.qr(a, mode='r')\nreturn np.abs(r), r.shape",
    "svd": "u, s, v = np.linalg.svd(a)\nreturn u.shape, s, v.shape, np.conj(np.swapaxes(u, -1, -2)) @ u, v @ np.conj(np.swapaxes(v, -1, -2))",
    "svd reduced": "u, s, v = np.linalg.svd(a, full_matrices=False)\nreturn u.shape, s, (u * s[..., np.newaxis, :]) @ v",
}


def compare_products(f, a):
    """Products that cancel: with the precision of float32."""
    if a.dtype not in (np.float32, np.complex64):
        compare(f, a, rtol=1e-9)
        return
    for wanted, got in zip(f(a.copy()), pyraptor.jit(f)(a.copy())):
        assert isinstance(got, tuple) or got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("name", PRODUCTS)
def test_orthogonal_factors(name):
    f = function("a", PRODUCTS[name])
    for dtype in ("float32", "float64", "complex64", "complex128", "int16"):
        for shape in ((4, 4), (5, 3), (2, 5), (1, 1), (3, 2, 4), (0, 3), (3, 0), (2, 0, 2)):
            a = sample(dtype, shape, 9)
            for b in layouts(a) if dtype == "float64" and a.size else [a]:
                compare_products(f, b)


def test_vectors_of_symmetric_matrices():
    f = function("a", "w, v = np.linalg.eigh(a)\nreturn w, np.conj(np.swapaxes(v, -1, -2)) @ v, a @ v - v * w[..., np.newaxis, :]")
    g = function("a", "w, v = np.linalg.eigh(a, UPLO='U')\nreturn w, np.abs(v)")
    for dtype in ("float32", "float64", "complex64", "complex128", "int32"):
        for shape in ((4, 4), (1, 1), (0, 0), (3, 2, 2)):
            a = sample(dtype, shape, 2)
            a = (a + np.conj(np.swapaxes(a, -1, -2))).astype(dtype)
            compare_products(f, a)
            compare(g, np.triu(a) + np.tril(np.ones_like(a), -1) * 77, rtol=1e-5)


def test_eigenvalues_are_complex():
    f = pyraptor.jit(function("a", "w, v = np.linalg.eig(a)\nreturn w, v, np.linalg.eigvals(a)"))
    for dtype in ("float32", "float64", "complex64", "complex128", "int32"):
        tolerance = 1e-3 if dtype in ("float32", "complex64") else 1e-10
        for shape in ((4, 4), (1, 1), (0, 0), (3, 2, 2)):
            a = sample(dtype, shape, 4)
            a[..., :1, :] -= (20 * np.eye(shape[-1])[:1]).astype(dtype)  # some eigenvalues come in pairs
            w, v, alone = f(a.copy())
            wanted = np.linalg.eigvals(a)
            assert w.dtype == v.dtype == alone.dtype == np.result_type(wanted.dtype, np.complex64)
            np.testing.assert_allclose(np.sort_complex(w), np.sort_complex(wanted), atol=tolerance)
            np.testing.assert_allclose(np.sort_complex(alone), np.sort_complex(wanted), atol=tolerance)
            np.testing.assert_allclose(a @ v, v * w[..., np.newaxis, :], atol=tolerance * 10)
            np.testing.assert_allclose(np.linalg.norm(v, axis=-2), np.ones(w.shape), atol=tolerance)


def test_powers_and_products_of_integers():
    for n in (0, 1, 2, 5, 8, -1):
        f = function("a", f"np.linalg.matrix_power(a, {n})")
        for dtype in ("float64", "int32", "uint8", "bool", "complex64"):
            if not (dtype == "bool" and n < 0):
                compare(f, sample(dtype, (3, 3)), rtol=1e-9)
    f = function("a, n", "np.linalg.matrix_power(a, n)")
    compare(f, sample("float64", (3, 3)), 6)
    compare(f, sample("float64", (2, 3, 3)), -3)
    compare(f, sample("int64", (3, 3)), -1, rtol=1e-9)  # the exponent is a constant of the version
    a, b, c = (np.random.default_rng(k).random(s) for k, s in enumerate(((3, 40), (40, 5), (5, 60))))
    for text in ("(a, b, c)", "(a, b)", "(a[0], b, c)", "(a, b, c[:, 0])", "(c.T, b.T, a.T)"):
        compare(function("a, b, c", f"np.linalg.multi_dot({text})"), a, b, c)


FAILING = [("np.linalg.inv(a)", np.zeros((3, 3))), ("np.linalg.inv(a)", np.ones((2, 2, 2))), ("np.linalg.solve(a, a)", np.zeros((2, 2))),
           ("np.linalg.matrix_power(a, -1)", np.zeros((2, 2))), ("np.linalg.cholesky(a)", -np.eye(3)),
           ("np.linalg.cholesky(a)", np.array([[1, 2], [2, 1]])), ("np.linalg.svd(a)", np.full((2, 2), np.nan)),
           ("np.linalg.pinv(a)", np.full((2, 3), np.nan)), ("np.linalg.matrix_rank(a)", np.full((2, 3), np.nan)),
           ("np.linalg.eigvals(a)", np.full((2, 2), np.inf)), ("np.linalg.eig(a)", np.full((2, 2), np.nan)), ("np.linalg.cond(a)", np.zeros((0, 3))),
           ("np.linalg.lstsq(a, np.ones(3), rcond=None)", np.ones((2, 2))), ("np.linalg.lstsq(a, np.ones(2), rcond=None)", np.full((2, 2), np.nan)),
           *((f"np.linalg.{name}(a)", np.ones((2, 3))) for name in
             ("cholesky", "det", "slogdet", "inv", "eig", "eigvals", "eigh", "eigvalsh"))]


@pytest.mark.parametrize("text, a", FAILING)
def test_errors_are_numpys(text, a):
    f = function("a", text)
    error, fault = run(f, (a,))[1], run(pyraptor.jit(f), (a,))[1]
    assert type(error) is np.linalg.LinAlgError and type(fault) is np.linalg.LinAlgError
    assert str(error) == str(fault)


def test_right_hand_sides_that_do_not_fit():
    f = pyraptor.jit(function("a, b", "np.linalg.solve(a, b)"))
    for a, b in ((np.eye(2), np.ones(3)), (np.eye(2), np.ones((3, 1))), (np.ones((5, 2, 2)) + np.eye(2), np.ones((4, 2, 1)))):
        with pytest.raises(ValueError):
            f(a, b)


@pytest.mark.parametrize("a", [np.zeros((0, 0)), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((2, 0, 0)), np.zeros((0, 2, 2)), np.zeros((3, 3))])
def test_of_empty_arrays_and_of_zeros(a):
    for text in ("np.linalg.det(a)", "np.linalg.slogdet(a)", "np.linalg.inv(a)", "np.linalg.cholesky(a)", "np.linalg.eigvalsh(a)",
                 "np.linalg.svd(a, compute_uv=False)", "np.linalg.svd(a)", "np.linalg.pinv(a)", "np.linalg.matrix_rank(a)",
                 "np.linalg.cond(a)", "np.linalg.matrix_power(a, 3)", "np.linalg.matrix_power(a, 0)", "np.kron(a, a)", "np.linalg.qr(a)",
                 "np.linalg.norm(a, axis=-1)", "np.linalg.lstsq(a, np.ones(a.shape[0]), rcond=None)",
                 "np.linalg.lstsq(a, np.ones((a.shape[0], 2)), rcond=None)", "np.linalg.solve(a, np.ones((a.shape[-1], 2)))",
                 "np.linalg.solve(a, np.ones((a.shape[-1], 0)))"):
        if not ("lstsq" in text and a.ndim > 2) and not (a.size == 0 and a.ndim == 2 and "(a)" in text and "svd(a)" in text and 0 < max(a.shape)):
            compare(function("a", text), a, rtol=1e-9)


def test_special_values():
    with np.errstate(all="ignore"):
        inf = np.array([[np.inf, 1], [1, 2]])
        for text in ("np.linalg.det(a)", "np.linalg.slogdet(a)", "np.linalg.svd(a, compute_uv=False)", "np.linalg.matrix_rank(a)",
                     "np.linalg.cond(a)", "np.linalg.pinv(a)", "np.linalg.eigvalsh(a)", "np.linalg.cholesky(a)", "np.linalg.inv(a)",
                     "np.linalg.norm(a, 1)", "np.linalg.norm(a, axis=0)"):
            compare(function("a", text), inf)
        for text in ("np.linalg.det(a)", "np.linalg.slogdet(a)", "np.linalg.cholesky(a)", "np.linalg.norm(a)"):
            compare(function("a", text), np.array([[np.nan, 1], [1, 2]]))
    # Determinants whose computation meets NaN or infinity although the result is a number.
    f = function("a", "np.linalg.det(a)")
    assert pyraptor.jit(f)(np.diag([1e200, 1e200, 1e-200, 1e-200])) == pytest.approx(1.0)
    assert pyraptor.jit(f)(np.diag([1e-200, 1e-200])) == 0.0 and pyraptor.jit(f)(np.diag([1e200, 1e200])) == np.inf
    # Whether a matrix counts as singular must not depend on its layout.
    singular = np.arange(9.0).reshape(3, 3)
    for a in layouts(singular):
        same(run(f, (singular,))[0], pyraptor.jit(f)(a), rtol=1e-9)


def test_single_precision():
    """NumPy computes float32 in double and rounds, which is visible for nearly singular matrices."""
    a = (np.vander(np.linspace(1, 2, 6)) + 0).astype(np.float32)
    for text in ("np.linalg.inv(a)", "np.linalg.solve(a, a[0])", "np.linalg.det(a)", "np.linalg.svd(a, compute_uv=False)",
                 "np.linalg.matrix_rank(a)", "np.linalg.lstsq(a, a[0], rcond=None)[0]", "np.linalg.cholesky(a @ a.T + np.eye(6, dtype=a.dtype))"):
        wanted, got = (f(a) for f in (function("a", text), pyraptor.jit(function("a", text))))
        # Where the exact result is 0, builds of LAPACK differ. The product is rounded as the processor's kernels add it up.
        np.testing.assert_allclose(got, wanted, rtol=2e-5 if "@" in text else 1e-6, atol=1e-10)
        assert got.dtype == wanted.dtype
    for shape in ((4, 4), (5, 3), (2, 3, 5)):
        for dtype in ("float32", "complex64"):
            b = sample(dtype, shape, 8)
            got = pyraptor.jit(function("a", "np.linalg.pinv(a)"))(b)
            assert got.dtype == b.dtype
            np.testing.assert_allclose(got, np.linalg.pinv(b), rtol=1e-4, atol=1e-6)


def test_in_loops_and_of_rows():
    compare(function("a", """
total = 0.0
for k in range(a.shape[0]):
    total += np.linalg.det(a[k]) + np.linalg.norm(np.linalg.solve(a[k], a[k, 0]))
return total
"""), sample("float64", (20, 3, 3)))


def test_functions_that_call_numpy(check):
    for text in ("np.linalg.cond(a, 1)", "np.kron(2, 3)", "np.linalg.multi_dot([a, a, a, a])"):
        check(function("a", text), np.array([[2.0, 1], [0, 3]]))


def test_refused_programs():
    for text, word in (("np.linalg.inv(a[0])", "a matrix is needed"), ("np.linalg.svd(a, hermitian=True)", "hermitian"),
                       ("np.linalg.qr(a, 'raw')", "mode"), ("np.linalg.eigh(a, 'X')", "UPLO"),
                       ("np.linalg.norm(a, 'foo')", "not the order of a norm"), ("np.linalg.norm(a, 3)", "not the order of a matrix norm")):
        with pytest.raises(pyraptor.UnsupportedError, match=word):
            pyraptor.jit(function("a", text))(np.ones((2, 2)))


def test_the_first_power_is_the_matrix_itself():
    f = pyraptor.jit(function("a, n", "np.linalg.matrix_power(a, n)"))
    for a in (np.array([[1.0, 2], [3, 4]]), np.array([[1, 2], [3, 4]])):
        assert np.shares_memory(f(a, 1), a) and not np.shares_memory(f(a, 2), a) and np.array_equal(f(a, 3), a @ a @ a)
    with pytest.raises(np.linalg.LinAlgError):
        f(np.ones((2, 3)), 1)
