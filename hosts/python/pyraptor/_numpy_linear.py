"""Linear algebra."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import library
from ._numpy import function
from ._numpy_arrays import numeric_array
from ._numpy_elementwise import np_conj, numeric
from ._numpy_shapes import ravel
from ._types import Array, Scalar, is_float, promote
from ._value import Val

_BOOL = Scalar("bool")


@function(np.dot, method="dot")
def np_dot(t, node, a, b, out=None):
    from ._numpy_elementwise import into, strong
    a, b = (t.array_of(v, node) if v.is_group() else v for v in (a, b))
    for v in (a, b):
        if not v.is_numeric:
            t.refuse(node, f"{v.type!r} is no number and no array")
    if a.is_scalar or b.is_scalar:
        return into(t, node, out, t.operate(ast.Mult(), strong(a), strong(b), node))
    if max(a.type.rank, b.type.rank) > 2:
        t.refuse(node, "np.dot of more than two dimensions is not compiled")
    return into(t, node, out, t.matmul(a, b, node))


@function(np.vdot)
def np_vdot(t, node, a, b):
    return t.matmul(ravel(t, node, np_conj(t, node, a)), ravel(t, node, numeric_array(t, node, b)), node)


@function(np.inner)
def np_inner(t, node, a, b):
    a, b = numeric(t, node, a, b)
    if a.is_scalar or b.is_scalar:
        from ._numpy_elementwise import strong
        return t.operate(ast.Mult(), strong(a), strong(b), node)
    return t.matmul(a, b if b.type.rank == 1 else t.transposed(b, None, node), node)


@function(np.outer)
def np_outer(t, node, a, b, out=None):
    from ._numpy_elementwise import into
    a, b = (ravel(t, node, numeric_array(t, node, v)) for v in (a, b))
    elem, complex, _ = promote(a.type, b.type)
    to = Array(elem, complex, 2)
    return into(t, node, out, Val(to, n.lib("outer", to, t.cast(a, elem, complex), t.cast(b, elem, complex))))


@function(np.trace, method="trace")
def np_trace(t, node, a):
    return t.call_python(library.trace, [numeric_array(t, node, a)], {}, node)


@function(np.cross)
def np_cross(t, node, a, b):
    a, b = numeric_array(t, node, a), numeric_array(t, node, b)
    if a.type.rank != 1 or b.type.rank != 1:
        t.refuse(node, "np.cross is compiled for vectors")
    return t.call_python(library.cross, [a, b], {}, node)


@function(np.kron)
def np_kron(t, node, a, b):
    a, b = numeric_array(t, node, a), numeric_array(t, node, b)
    if a.type.rank != 2 or b.type.rank != 2:
        t.refuse(node, "np.kron is compiled for matrices")
    return t.call_python(library.kron, [a, b], {}, node)


def floats(t, node, a):
    a = t.plain(numeric_array(t, node, a), node)
    if is_float(a.type.elem):
        return a
    to = Array("float64", False, a.type.rank)
    return Val(to, f"(cast {to.vrir()} {a.code})")


def square(t, node, a, rank=2):
    if a.type.rank != rank:
        t.refuse(node, f"a matrix is needed, not {a.type!r}")
    a = t.keep(a, node)
    t.guard(node, n.binary("neq", _BOOL, n.dim(a.var, 0), n.dim(a.var, 1)), np.linalg.LinAlgError,
            "Last 2 dimensions of the array must be square")
    return a


def solved(t, node, a, b):
    elem, complex, _ = promote(a.type, b.type)
    to = Array(elem, complex, b.type.rank)
    x = t.keep(Val(to, n.lib("mldiv", to, t.cast(a, elem, complex), t.cast(b, elem, complex))), node)
    tests = Array("bool", False, to.rank)
    fine = n.lib("all", _BOOL, n.lib("isfinite", tests, x.code))
    a_tests = Array("bool", False, 2)
    given = n.lib("all", _BOOL, n.lib("isfinite", a_tests, a.code))
    body, _ = t.block(t.raise_, node, np.linalg.LinAlgError, "Singular matrix")
    t.emit(n.if_(n.unary("not", _BOOL, fine), [n.if_(given, body, [], t.loc(node))], [], t.loc(node)))
    return x


@function(np.linalg.solve)
def np_solve(t, node, a, b):
    a, b = square(t, node, floats(t, node, a)), floats(t, node, b)
    if b.type.rank > 2:
        t.refuse(node, "stacks of systems are not compiled")
    return solved(t, node, a, b)


@function(np.linalg.inv)
def np_inv(t, node, a):
    a = square(t, node, floats(t, node, a))
    to = Array(a.type.elem, a.type.complex, 2)
    return solved(t, node, a, t.keep(Val(to, n.lib("eye", to, n.dim(a.var, 0))), node))


@function(np.linalg.det)
def np_det(t, node, a):
    return t.call_python(library.det, [square(t, node, floats(t, node, a))], {}, node)


@function(np.linalg.cholesky)
def np_cholesky(t, node, a):
    a = square(t, node, floats(t, node, a))
    if a.type.complex:
        t.refuse(node, "np.linalg.cholesky of complex matrices is not compiled")
    return t.call_python(library.cholesky, [a], {}, node)


@function(np.linalg.norm)
def np_norm(t, node, x, ord=None, axis=None, keepdims=None):
    x = floats(t, node, x)
    from ._numpy_reduce import flag, np_sum, squared
    if (axis is not None and not axis.is_none()) or flag(t, node, keepdims):
        if ord is not None and not ord.is_none():
            t.refuse(node, "np.linalg.norm with an order and an axis, or with keepdims, is not compiled")
        if axis is not None and axis.is_group() and not 1 <= len(axis.items) <= 2:
            t.refuse(node, "a norm is along one axis or two")
        total = t.plain(np_sum(t, node, squared(t, node, t.once(x, node)), axis, keepdims=keepdims), node)
        return Val(total.type, n.lib("sqrt", total.type, total.code))
    if x.type.rank > 2:
        t.refuse(node, "np.linalg.norm of more than two dimensions is not compiled")
    to = Scalar(x.type.elem)
    args = []
    if ord is not None and not ord.is_none():
        if isinstance(getattr(ord.type, "value", None), str):
            if ord.type.value != "fro":
                t.refuse(node, "this norm is not compiled")
        else:
            if not ord.is_scalar:
                t.refuse(node, "this norm is not compiled")
            args = [t.cast(ord, "float64")]
            if x.type.rank == 2 and not (ord.is_const and ord.const in (1, 2, float("inf"))):
                t.refuse(node, "this norm of a matrix is not compiled")
    return Val(to, n.lib("norm", to, x.code, *args))


@function(np.cov)
def np_cov(t, node, m):
    m = numeric_array(t, node, m)
    if m.type.rank != 2 or m.type.complex:
        t.refuse(node, "np.cov is compiled for real matrices")
    return t.call_python(library.cov, [m if is_float(m.type.elem) else floats(t, node, m)], {}, node)
