"""Norms of vectors and matrices, also along axes."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._numpy import function
from ._numpy_arrays import astype
from ._numpy_linear import floats
from ._numpy_matrices import linalg, np_svdvals
from ._numpy_reduce import flag, np_sum, squared
from ._types import Scalar
from ._value import Val, constant, group, number

INF = float("inf")


def _axes(t, node, axis, rank):
    """The axes in the order given, counted from 0."""
    if axis.is_group("list"):
        t.refuse(node, "an axis must be an integer or a tuple of integers")
    axis = t.static(axis, node, "the axis")
    axes = axis if isinstance(axis, tuple) else (axis, )
    if not all(type(k) is int and -rank <= k < rank for k in axes) or len({k % rank for k in axes}) < len(axes):
        t.refuse(node, f"{axis!r} are no axes of an array of {rank} dimension{'s' if rank > 1 else ''}")
    if not 1 <= len(axes) <= 2:
        t.refuse(node, "a norm needs one axis or two axes")
    return tuple(k % rank for k in axes)


def _order(t, node, order):
    """The order of the norm: None, a string or a number if it is known at compile time; else the Val of a number."""
    if order is None or order.is_none():
        return None
    if isinstance(getattr(order.type, "value", None), str):
        return order.type.value
    if not order.is_scalar or order.type.complex:
        t.refuse(node, "a norm of this order is not compiled")
    return order.const if order.is_const else order


def _euclidean(t, node, x, axis, keepdims):
    total = t.plain(np_sum(t, node, squared(t, node, t.once(x, node)), axis, keepdims=keepdims), node)
    return Val(total.type, n.lib("sqrt", total.type, total.code))


def _along(t, node, x, order, axis, keepdims):
    """The vector norms along an axis."""
    kept = {"axis": axis} if keepdims is None else {"axis": axis, "keepdims": keepdims}
    constant = None if isinstance(order, Val) else order
    if order is None or constant == 2:
        return _euclidean(t, node, x, axis, keepdims)
    if constant == 0:
        count = t.call(np.sum, [t.compare(ast.NotEq(), x, number(0), node)], kept, node)
        return astype(t, node, count, (x.type.elem, False))
    size = t.call(np.abs, [x], {}, node)
    if constant in (INF, -INF):
        return t.call(np.max if constant > 0 else np.min, [size], kept, node)
    if constant == 1:
        return t.call(np.sum, [size], kept, node)
    if constant is None:  # an order that is not known at compile time may be infinite or 0
        t.refuse(node, "np.linalg.norm along an axis needs an order that is known at compile time")
    total = t.call(np.sum, [t.operate(ast.Pow(), size, number(constant), node)], kept, node)
    return t.operate(ast.Pow(), total, number(1.0 / constant), node)


def _of_matrices(t, node, x, order, axes, keepdims):
    """The matrix norms over two axes."""
    row, column = axes
    if order in (None, "fro"):
        return _euclidean(t, node, x, group("tuple", [number(k) for k in axes]), keepdims)
    if order in (2, -2, "nuc"):
        moved = x
        if axes != (x.type.rank - 2, x.type.rank - 1):
            moved = t.call(np.moveaxis, [x, group("tuple", [number(row), number(column)]), group("tuple", [number(-2), number(-1)])], {}, node)
        values = np_svdvals(t, node, moved)
        norms = t.call({2: np.max, -2: np.min, "nuc": np.sum}[order], [values], {"axis": number(-1)}, node)
    elif order in (1, -1, INF, -INF):
        summed, other = (row, column) if abs(order) == 1 else (column, row)
        sums = t.call(np.sum, [t.call(np.abs, [x], {}, node)], {"axis": number(summed)}, node)
        norms = t.call(np.max if order > 0 else np.min, [sums], {"axis": number(other - (other > summed))}, node)
    else:
        t.refuse(node, f"{order!r} is not the order of a matrix norm")
    if not flag(t, node, keepdims):
        return norms
    for k in sorted(axes):
        norms = t.array_of(group("list", [norms]), node) if norms.is_scalar else t.call(np.expand_dims, [norms, number(k)], {}, node)
    return norms


@function(np.linalg.norm)
def np_norm(t, node, x, ord=None, axis=None, keepdims=None):
    x, order = t.once(floats(t, node, x), node), _order(t, node, ord)
    if isinstance(order, str) and order not in ("fro", "f", "nuc"):
        t.refuse(node, f"{order!r} is not the order of a norm")
    order = "fro" if order == "f" else order
    whole = axis is None or axis.is_none()
    if whole and not flag(t, node, keepdims):
        if x.type.rank == 1 and not isinstance(order, str):
            extra = [] if order is None else [t.cast(order if isinstance(order, Val) else number(order), "float64")]
            return Val(Scalar(x.type.elem), n.lib("norm", Scalar(x.type.elem), x.code, *extra))
        if x.type.rank == 2 and not isinstance(order, Val) and order in (None, "fro", 1, 2, INF):
            extra = [] if order in (None, "fro") else [n.const(float(order), Scalar("float64"))]
            return Val(Scalar(x.type.elem), n.lib("norm", Scalar(x.type.elem), x.code, *extra))
    if whole and order is None:
        return _euclidean(t, node, x, None, keepdims)
    axes = tuple(range(x.type.rank)) if whole else _axes(t, node, axis, x.type.rank)
    if len(axes) > 2:
        t.refuse(node, "a norm of more than two dimensions needs axes")
    if len(axes) == 1:
        if isinstance(order, str):
            t.refuse(node, f"{order!r} is the order of a matrix norm")
        return _along(t, node, x, order, number(axes[0]), keepdims)
    if isinstance(order, Val):
        t.refuse(node, "np.linalg.norm of a matrix needs an order that is known at compile time")
    return _of_matrices(t, node, x, order, axes, keepdims)


@function(linalg("vector_norm"))
def np_vector_norm(t, node, x, axis=None, keepdims=None, ord=None):
    x = floats(t, node, x)
    if x.type.rank > 1 and (axis is None or axis.is_none()):
        if flag(t, node, keepdims):
            t.refuse(node, "np.linalg.vector_norm of all dimensions with keepdims is not compiled")
        x = t.call(np.ravel, [x], {}, node)
    return np_norm(t, node, x, number(2) if ord is None else ord, axis, keepdims)


@function(linalg("matrix_norm"))
def np_matrix_norm(t, node, x, keepdims=None, ord=None):
    x = floats(t, node, x)
    if x.type.rank < 2:
        t.refuse(node, f"a matrix is needed, not {x.type!r}")
    return np_norm(t, node, x, constant("fro") if ord is None else ord, group("tuple", [number(-2), number(-1)]), keepdims)
