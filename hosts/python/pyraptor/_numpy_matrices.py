"""np.linalg: factorisations, decompositions and functions based on them (computed by the runtime); np.kron."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import _nodes as nodes
from . import library
from ._numpy import function
from ._numpy_arrays import astype, numeric_array
from ._numpy_elementwise import strong
from ._numpy_called import INT64, called, flag, rank
from ._numpy_sets import array, like
from ._records import named
from ._types import Array, Scalar, is_float, is_int, promote
from ._value import Val, group, number

NUMPY_1 = np.lib.NumpyVersion(np.__version__) < "2.0.0"
_TRUE = n.const(1, Scalar("bool"))
_SAMPLE = (np.eye(1), )  # a matrix that all functions here accept


def linalg(name):
    """The function of np.linalg; None if this version of NumPy does not have it."""
    return getattr(np.linalg, name, None)


def matrices(t, node, a, ranks=None):
    """A matrix or a stack of matrices (of `ranks` dimensions), and the element type if it is floating-point."""
    a = t.plain(numeric_array(t, node, a), node)
    if a.type.rank < 2 or (ranks is not None and a.type.rank not in ranks):
        t.refuse(node, f"a matrix is needed, not {a.type!r}")
    return a, a.type.elem if is_float(a.type.elem) else "float64"


def given(val):
    return val is not None and not val.is_none()


def no_hermitian(t, node, hermitian):
    if flag(t, node, hermitian, "hermitian"):
        t.refuse(node, "hermitian=True is not compiled", "leave it out, or use np.linalg.eigh")


def scalar_text(t, node, val, what):
    if not (val.is_scalar and not val.type.complex):
        t.refuse(node, f"{what} must be a single real number")
    return t.cast(val, "float64")


# ---- factorisations
@function(np.linalg.cholesky)
def np_cholesky(t, node, a, upper=None):
    a, elem = matrices(t, node, a)
    extra = [_TRUE] if flag(t, node, upper, "upper") else []
    return called(t, node, "cholesky", like(a, elem, a.type.complex), a.code, *extra)


@function(np.linalg.qr)
def np_qr(t, node, a, mode=None):
    mode = "reduced" if mode is None else t.static_choice(mode, node, "the mode", ("reduced", "complete", "r"))
    a, elem = matrices(t, node, a)
    to = like(a, elem, a.type.complex)
    if mode == "r":
        return called(t, node, "qr_r", to, a.code)
    return named(np.linalg.qr, _SAMPLE, called(t, node, "qr", [to, to], a.code, *([_TRUE] if mode == "complete" else [])))


@function(np.linalg.det)
def np_det(t, node, a):
    a, elem = matrices(t, node, a)
    return called(t, node, "det", like(a, elem, a.type.complex, a.type.rank - 2), a.code)


@function(np.linalg.slogdet)
def np_slogdet(t, node, a):
    a, elem = matrices(t, node, a)
    ranks = a.type.rank - 2
    results = [like(a, elem, a.type.complex, ranks), like(a, elem, False, ranks)] if ranks else [Scalar(elem, a.type.complex), Scalar(elem)]
    return named(np.linalg.slogdet, _SAMPLE, called(t, node, "slogdet", results, a.code))


@function(np.linalg.inv)
def np_inv(t, node, a):
    a, elem = matrices(t, node, a)
    return called(t, node, "inv", like(a, elem, a.type.complex), a.code)


@function(np.linalg.solve)
def np_solve(t, node, a, b):
    a, elem = matrices(t, node, a)
    b = t.plain(numeric_array(t, node, b), node)
    other = b.type.elem if is_float(b.type.elem) else "float64"
    elem, complex, _ = promote(Scalar(elem, a.type.complex), Scalar(other, b.type.complex))
    # NumPy 1 treats b as a vector if it has one dimension less than a.
    if NUMPY_1 and b.type.rank > 1 and b.type.rank == a.type.rank - 1:
        t.refuse(node, "stacks of vectors are not compiled: their meaning differs between NumPy 1 and NumPy 2", "add a dimension")
    ranks = a.type.rank - 1 if b.type.rank == 1 else max(a.type.rank, b.type.rank)
    return called(t, node, "solve", like(a, elem, complex, ranks), t.cast(a, elem, a.type.complex), t.cast(b, elem, b.type.complex))


# ---- singular values
@function(np.linalg.svd)
def np_svd(t, node, a, full_matrices=None, compute_uv=None, hermitian=None):
    no_hermitian(t, node, hermitian)
    full = full_matrices is None or flag(t, node, full_matrices, "full_matrices")
    if compute_uv is not None and not flag(t, node, compute_uv, "compute_uv"):
        return np_svdvals(t, node, a)
    a, elem = matrices(t, node, a)
    basis = like(a, elem, a.type.complex)
    results = [basis, like(a, elem, False, a.type.rank - 1), basis]
    return named(np.linalg.svd, _SAMPLE, called(t, node, "svd", results, a.code, *([_TRUE] if full else [])))


@function(linalg("svdvals"))
def np_svdvals(t, node, x):
    a, elem = matrices(t, node, x)
    return called(t, node, "svdvals", like(a, elem, False, a.type.rank - 1), a.code)


@function(np.linalg.pinv)
def np_pinv(t, node, a, rcond=None, hermitian=None, rtol=None):
    no_hermitian(t, node, hermitian)
    if given(rcond) and rtol is not None:
        t.refuse(node, "np.linalg.pinv takes rcond or rtol")
    a, elem = matrices(t, node, a)
    share = rcond if given(rcond) else rtol if rtol is not None else number(1e-15)
    extra = [scalar_text(t, node, share, "the tolerance")] if given(share) else []
    return called(t, node, "pinv", like(a, elem, a.type.complex), a.code, *extra)


@function(np.linalg.matrix_rank)
def np_matrix_rank(t, node, A, tol=None, hermitian=None, rtol=None):
    no_hermitian(t, node, hermitian)
    if given(rtol):
        t.refuse(node, "np.linalg.matrix_rank with rtol is not compiled", "use tol")
    a = numeric_array(t, node, A) if A.is_array else t.array_of(group("list", [A]), node)
    if a.type.rank == 1:
        return t.call(int, [t.call(np.any, [t.compare(ast.NotEq(), a, number(0), node)], {}, node)], {}, node)
    a, elem = matrices(t, node, a)
    extra = [scalar_text(t, node, tol, "the tolerance")] if given(tol) else []
    return called(t, node, "matrix_rank", like(a, "int64", False, a.type.rank - 2), a.code, *extra)


@function(np.linalg.cond)
def np_cond(t, node, x, p=None):
    p = t.static(p, node, "p") if given(p) else None
    if isinstance(p, str) or p not in (None, 2):
        t.refuse(node, "np.linalg.cond is compiled for p=2", "use np.linalg.norm(x, p) * np.linalg.norm(np.linalg.inv(x), p)")
    a, elem = matrices(t, node, x)
    return called(t, node, "cond", like(a, elem, False, a.type.rank - 2), a.code)


@function(np.linalg.lstsq)
def np_lstsq(t, node, a, b, rcond=None):
    a, elem = matrices(t, node, a, (2,))
    b = t.plain(numeric_array(t, node, b), node)
    if b.type.rank > 2:
        t.refuse(node, f"a vector or matrix is needed, not {b.type!r}")
    other = b.type.elem if is_float(b.type.elem) else "float64"
    elem, complex, _ = promote(Scalar(elem, a.type.complex), Scalar(other, b.type.complex))
    if rcond is None and NUMPY_1:
        rcond = number(-1)
    extra = [scalar_text(t, node, rcond, "rcond")] if given(rcond) else []
    values = Array(elem, False, 1)
    x, residuals, deficient, s = called(t, node, "lstsq", [like(b, elem, complex), values, INT64, values],
                                        t.cast(a, elem, a.type.complex), t.cast(b, elem, b.type.complex), *extra)
    return group("tuple", [x, residuals, Val(Scalar("int32"), t.cast(deficient, "int32")), s])


# ---- eigenvalues
@function(np.linalg.eig)
def np_eig(t, node, a):
    a, elem = matrices(t, node, a)
    return named(np.linalg.eig, _SAMPLE, called(t, node, "eig", [like(a, elem, True, a.type.rank - 1), like(a, elem, True)], a.code))


@function(np.linalg.eigvals)
def np_eigvals(t, node, a):
    a, elem = matrices(t, node, a)
    return called(t, node, "eigvals", like(a, elem, True, a.type.rank - 1), a.code)


def _triangle(t, node, triangle):
    if triangle is None:
        return []
    return [_TRUE] if t.static_choice(triangle, node, "UPLO", ("L", "U", "l", "u")) in "uU" else []


@function(np.linalg.eigh)
def np_eigh(t, node, a, UPLO=None):
    a, elem = matrices(t, node, a)
    results = [like(a, elem, False, a.type.rank - 1), like(a, elem, a.type.complex)]
    return named(np.linalg.eigh, _SAMPLE, called(t, node, "eigh", results, a.code, *_triangle(t, node, UPLO)))


@function(np.linalg.eigvalsh)
def np_eigvalsh(t, node, a, UPLO=None):
    a, elem = matrices(t, node, a)
    return called(t, node, "eigvalsh", like(a, elem, False, a.type.rank - 1), a.code, *_triangle(t, node, UPLO))


# ---- products
@function(np.linalg.matrix_power)
def np_matrix_power(t, node, a, n):  # noqa: F811 (NumPy's name)
    given = a
    a, elem = matrices(t, node, a)
    if not (n.is_scalar and is_int(n.type.elem)):
        t.refuse(node, "the exponent of np.linalg.matrix_power must be an integer")
    if not n.is_const and given.is_array:
        t.need_values(n, node, "the exponent")
    if n.is_const and n.const == 1 and given.is_array:  # the array itself, not a copy
        kept = t.keep(given, node)
        rows, columns = (t.extent(kept, k, node) for k in (kept.type.rank - 2, kept.type.rank - 1))
        t.guard(node, nodes.binary("neq", Scalar("bool"), rows, columns), np.linalg.LinAlgError, "Last 2 dimensions of the array must be square")
        return kept
    if not is_float(a.type.elem) and not (n.is_const and n.const < 0):
        if a.type.rank != 2:
            t.refuse(node, "np.linalg.matrix_power of stacks of integer matrices is not compiled", "convert it to float")
        power = library.matrix_power_of_truths if a.type.elem == "bool" else library.matrix_power
        return t.call_python(power, [t.keep(a, node), Val(INT64, t.cast(n, "int64"))], {}, node)
    return called(t, node, "matrix_power", like(a, elem, a.type.complex), a.code, t.cast(n, "int64"))


@function(np.linalg.multi_dot)
def np_multi_dot(t, node, arrays):
    if not arrays.is_group("tuple", "list") or len(arrays.items) < 2:
        t.refuse(node, "np.linalg.multi_dot is compiled for two or three arrays")
    items = [numeric_array(t, node, a) for a in arrays.items]
    ranks = [a.type.rank for a in items]
    if any(r != 2 for r in ranks[1:-1]) or max(ranks) > 2:
        t.refuse(node, "np.linalg.multi_dot needs matrices; the first and the last may be vectors")
    if len(items) > 3:
        t.refuse(node, "np.linalg.multi_dot of more than three arrays is not compiled", "use @ in the cheapest order")
    if len(items) == 2:
        return t.matmul(*items, node)
    if ranks == [2, 2, 2]:
        return t.call_python(library.multi_dot, items, {}, node)
    a, b, c = items  # if an end of the chain is a vector, multiply from that end
    return t.matmul(t.matmul(a, b, node), c, node) if ranks[0] == 1 else t.matmul(a, t.matmul(b, c, node), node)


@function(np.kron)
def np_kron(t, node, a, b):
    if a.is_scalar and b.is_scalar:
        t.refuse(node, "np.kron of two numbers is not compiled")
    a, b = (strong(x) if x.is_scalar else numeric_array(t, node, x) for x in (a, b))
    elem, complex, _ = promote(a.type, b.type)
    a, b = (t.plain(array(t, node, astype(t, node, x, (elem, x.type.complex))), node) for x in (a, b))
    return called(t, node, "kron", like(a, elem, complex, max(rank(a), rank(b))), a.code, b.code)
