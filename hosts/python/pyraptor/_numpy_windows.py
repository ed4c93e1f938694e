"""np.nditer, np.ix_, and views of windows: np.lib.stride_tricks."""
from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from . import _nodes as n
from . import library_shapes
from ._itertools import iterator
from ._numpy import function
from ._numpy_arrays import numeric_array
from ._types import Scalar, numpy_dtype
from ._value import group, number

_BOOL = Scalar("bool")


@function(np.nditer)
def nditer(t, node, op, order=None):
    """The elements in memory order, if it is known at compile time. Python gives 0-d arrays; here they are numbers."""
    if op.is_list:
        t.refuse(node, "np.nditer of a list whose length is not known at compile time", "make it an array: np.array(x)")
    operands = op.items if op.is_group("tuple", "list") else [op]
    operands = [t.array_of(o, node) if o.is_group("list", "tuple") else o for o in operands]
    for o in operands:
        if not o.is_numeric:
            t.refuse(node, f"np.nditer of {o.type!r} is not compiled", "pass arrays and numbers")
    operands = [t.keep(t.array_of(group("list", [o]), node) if o.is_scalar else o, node) for o in operands]
    order = "K" if order is None else t.static(order, node, "the order")
    if order not in ("K", "C"):
        t.refuse(node, f"np.nditer in the order {order!r} is not compiled")
    turned = False
    if order == "K" and not all(map(t.in_rows, operands)):
        ranks = {o.type.rank for o in operands}
        turned = len(ranks) == 1 and all(o.type.layout == "colmajor" and o.type.axes is None for o in operands)
        if not turned:
            t.refuse(node, "np.nditer of arrays that are not contiguous, or of arrays of different orders, is not compiled: it iterates in memory order", "pass order='C', or copies")
    for o in operands:
        t.guard(node, n.binary("eq", _BOOL, t.size(o, node).code, n.ZERO), ValueError, "Iteration of zero-sized operands is not enabled")
    if turned:
        operands = [t.transposed(o, None, node) for o in operands]
    if not operands:
        t.refuse(node, "np.nditer of no arrays is not compiled")
    if len(operands) > 1:
        operands = t.call(np.broadcast_arrays, operands, {}, node).items
    flat = [t.copied(t.call(np.ravel, [o], {}, node), node) for o in operands]
    return group("zip", flat) if len(flat) > 1 else iterator(flat[0])


@function(np.ix_)
def ix(t, node, *args):
    made = []
    for k, a in enumerate(args):
        empty = a.is_group("list", "tuple") and not a.items
        a = t.call(np.zeros, [number(0)], {"dtype": t.value_of(np.dtype(np.int64), node, "dtype")}, node) if empty else t.array_of(a, node)
        if a.type.rank != 1:
            t.raise_(node, ValueError, "Cross index must be 1 dimensional")
            return group("tuple", [t.call(np.arange, [number(0)], {}, node)] * len(args))
        if a.type.elem == "bool":
            a = t.call(np.nonzero, [a], {}, node).items[0]
        a = t.keep(a, node)
        whole = group("slice", [t.none()] * 3)
        made.append(t.keep(t.element(a, [whole if j == k else t.none() for j in range(len(args))], node), node))
    return group("tuple", made)


def _numbers(t, node, val):
    items = val.items if val.is_group("tuple", "list") else [val]
    for i in items:
        t.whole(i, node)
    return [t.once(i, node) for i in items]


@function(sliding_window_view)
def windows(t, node, x, window_shape, axis=None):
    x = t.keep(numeric_array(t, node, x), node)
    sizes = _numbers(t, node, window_shape)
    axes = range(x.type.rank)
    if axis is not None and not axis.is_none():
        axes = [t.axis(k, x.type.rank, node) for k in (axis.items if axis.is_group("tuple", "list") else [axis])]
    axes = tuple(axes)
    if len(axes) != len(sizes) or len(set(axes)) < len(axes):
        t.refuse(node, f"a window of {len(sizes)} extents for {len(axes)} axes of {x.type!r} is not compiled", "give one extent for each axis, and list each axis once")
    result = t.call_python(library_shapes.windows(x.type.rank, axes), [t.plain(x, node), *sizes], {}, node)
    return t.stands_for(result, x, t.recipe("windows", x, sizes, fixed=axes, node=node), fixed=True)


@function(as_strided)
def strided(t, node, x, shape=None, strides=None):
    if shape is None or strides is None or shape.is_none() or strides.is_none():
        t.refuse(node, "as_strided is compiled with shape and strides")
    x = t.keep(numeric_array(t, node, x), node)
    if not t.in_rows(x):
        t.refuse(node, "as_strided of an array that may not be contiguous is not compiled", "pass np.ascontiguousarray(x), or use sliding_window_view")
    extents, steps = (_numbers(t, node, v) for v in (shape, strides))
    if not extents:
        t.refuse(node, "as_strided without dimensions is not compiled")
    if len(extents) != len(steps):
        t.raise_(node, ValueError, "`strides` is incompatible with shape of requested array and size of buffer")
        return x
    size = number(numpy_dtype(x.type).itemsize)
    result = t.call_python(library_shapes.strided(len(extents)), [t.call(np.ravel, [x], {}, node), size, *extents, *steps], {}, node)
    return t.stands_for(result, x, t.recipe("strided", x, [*extents, *steps], node=node))
