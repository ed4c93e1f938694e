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
from ._value import Val, number


@function(np.dot, method="dot")
def np_dot(t, node, a, b, out=None):
    from ._numpy_elementwise import into, strong
    a, b = (t.array_of(v, node) if v.is_group() else v for v in (a, b))
    for v in (a, b):
        if not v.is_numeric:
            t.refuse(node, f"{v.type!r} is neither a number nor an array")
    if a.is_scalar or b.is_scalar:
        return into(t, node, out, t.operate(ast.Mult(), strong(a), strong(b), node))
    if max(a.type.rank, b.type.rank) > 2:
        t.refuse(node, "np.dot of more than two dimensions is not compiled")
    return into(t, node, out, t.matmul(a, b, node))


@function(np.vdot)
def np_vdot(t, node, a, b):
    a = numeric_array(t, node, a)
    return t.matmul(ravel(t, node, np_conj(t, node, a) if a.type.complex else a), ravel(t, node, numeric_array(t, node, b)), node)


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


@function(getattr(np.linalg, "outer", None))
def np_linalg_outer(t, node, x1, x2):
    if any(numeric_array(t, node, x).type.rank != 1 for x in (x1, x2)):
        t.refuse(node, "np.linalg.outer needs two vectors")
    return np_outer(t, node, x1, x2)


@function(np.trace, getattr(np.linalg, "trace", None), method="trace")
def np_trace(t, node, a, offset=None):
    return t.call_python(library.trace, [numeric_array(t, node, a), offset if offset is not None else number(0)], {}, node)


@function(np.cross)
def np_cross(t, node, a, b):
    a, b = numeric_array(t, node, a), numeric_array(t, node, b)
    if a.type.rank != 1 or b.type.rank != 1:
        t.refuse(node, "np.cross is compiled for vectors")
    return t.call_python(library.cross, [a, b], {}, node)


def floats(t, node, a):
    a = t.plain(numeric_array(t, node, a), node)
    if is_float(a.type.elem):
        return a
    to = Array("float64", False, a.type.rank)
    return Val(to, f"(cast {to.vrir()} {a.code})")
