"""Shapes (views where NumPy gives views) and concatenation."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import library_shapes
from ._errors import UnsupportedError
from ._numpy import function
from ._numpy_arrays import copied, filled, made, numeric_array
from ._numpy_elementwise import numeric
from ._reshaped import reshaped
from ._types import Array, Rank0, Scalar, is_int, promote
from ._value import Fixed, Val, group, number


@function(np.shape)
def np_shape(t, node, a):
    return t.attribute(numeric_array(t, node, a) if not a.is_scalar else a, "shape", node)


@function(np.size)
def np_size(t, node, a, axis=None):
    a = numeric_array(t, node, a)
    return t.size(a, node) if axis is None or axis.is_none() else t.extent_value(
        t.keep(a, node), t.axis(axis, a.type.rank, node), node)


@function(np.ndim)
def np_ndim(t, node, a):
    return number(a.type.rank)


@function(np.reshape)
def np_reshape(t, node, a, shape, order=None):
    return reshape(t, node, a, shape.items if shape.is_group("tuple", "list") else [shape], order)


@function(method="reshape")
def method_reshape(t, node, a, *shape, order=None):
    if len(shape) == 1 and shape[0].is_group("tuple", "list"):
        shape = shape[0].items
    return reshape(t, node, a, list(shape), order)


@function(reshaped)
def reshaped_(t, node, a, shape):
    """a.shape = shape, where `a` is an array of the function's own (_reshaped.py). NumPy's results have the order of their operands, so all arguments
    have to be in row-major order."""
    in_rows = all("[" not in repr(x) or (isinstance(x, Array) and x.axes is None and (x.rank == 1 or x.layout == "rowmajor")) for x in t.arg_types)
    if not (in_rows and a.is_array and a.type.axes is None and a.type.layout == "rowmajor" and a.snapshot is None and a.var not in t.argument_ids):
        t.refuse(node, "the '.shape' of an array that may not be contiguous cannot be assigned in compiled code", "use np.reshape")
    return t.call(np.reshape, [a, shape], {}, node)


def reshape(t, node, a, shape, order=None):
    if isinstance(a.type, Rank0) and not shape:
        return a
    a = numeric_array(t, node, a)
    if order is not None and t.static(order, node, "the order") != "C":
        if t.static(order, node, "the order") != "F":
            t.refuse(node, "reshape in other orders than 'C' and 'F' is not compiled")
        return t.transposed(reshape(t, node, t.transposed(a, None, node), shape[::-1]), None, node)
    if len(shape) == 1 and shape[0].is_const and shape[0].const == -1:
        return ravel(t, node, a, recipe="reshape")
    kept = t.keep(a, node)
    source = t.plain(kept, node)
    unknown = [k for k, s in enumerate(shape) if s.is_const and s.const == -1]
    if len(unknown) > 1:
        t.refuse(node, "can only specify one unknown dimension")
    for s in shape:
        t.whole(s, node)
    shape = [t.once(s, node) for s in shape]
    for s in shape:
        if s.low is None or s.low < 0:
            if not s.is_const:
                t.guard(node, n.binary("lt", Scalar("bool"), t.cast(s, "int64"), n.ZERO), UnsupportedError,
                        "a negative extent computed at run time is not compiled")
            elif s.const != -1:
                t.refuse(node, f"an extent of {s.const} is not compiled", "write -1 for the extent that is determined by the others")
    if unknown:
        known = number(1)
        for k, s in enumerate(shape):
            if k not in unknown:
                known = t.operate(ast.Mult(), known, s, node)
        known = t.once(known, node)
        if not known.is_const:
            t.guard(node, n.binary("eq", Scalar("bool"), known.code, n.ZERO), ValueError,
                    "cannot reshape: the unknown dimension has no value")
        shape[unknown[0]] = t.operate(ast.FloorDiv(), t.size(kept, node), known, node)
    if not shape:
        return without_dimensions(t, node, kept)
    to = Array(a.type.elem, a.type.complex, len(shape))
    texts = [t.cast(s, "int64") for s in shape]
    if len(shape) == 1 and t.in_rows(kept):
        t.guard(node, n.binary("neq", Scalar("bool"), texts[0], t.size(kept, node).code), ValueError,
                "cannot reshape an array into a shape with another number of elements")
        return ravel(t, node, kept)
    val = Val(to, n.lib("reshape", to, source.code, *texts))
    if t.trapped(ValueError):  # NumPy makes the view when the function returns, which would be after the `try`
        wanted = shape[0]
        for s in shape[1:]:
            wanted = t.operate(ast.Mult(), wanted, s, node)
        t.guard(node, n.binary("neq", Scalar("bool"), t.cast(wanted, "int64"), t.size(kept, node).code), ValueError,
                "cannot reshape an array into a shape with another number of elements")
        t.safe_texts.add(val.code)
    if t.in_rows(kept):
        t.rows.add(val.code)
    if a.var is None and t.source_of(a) is None and a.type.axes is None and a.snapshot is None:
        return val  # the array has no other reference
    return t.stands_for(val, kept, t.recipe("reshape", kept, shape, maybe=not t.in_rows(kept), node=node))


def without_dimensions(t, node, a):
    """The 0-d array of an array's one element. It is a copy of the element, so there must be no stores to the array."""
    several = n.binary("neq", Scalar("bool"), t.size(a, node).code, n.ONE)
    t.guard(node, several, ValueError, "cannot reshape an array of another size than 1 into shape ()")
    element = a.type.element()
    val = t.copied(Val(element, n.lib("scalar", element, t.plain(a, node).code)), node)
    source = a.snapshot if a.snapshot is not None else a.var
    t.only_read.append((int(source), node))
    return Val(Rank0(element.elem, element.complex), val.code)


@function(np.ravel, method="ravel")
def np_ravel(t, node, a, order=None):
    if order is not None and t.static(order, node, "the order") != "C":
        if t.static(order, node, "the order") != "F":
            t.refuse(node, "ravel in other orders than 'C' and 'F' is not compiled")
        a = t.transposed(numeric_array(t, node, a), None, node)
    return ravel(t, node, a)


def ravel(t, node, a, recipe="ravel"):
    """Like NumPy: a view if the array is contiguous, else a copy."""
    minus_one = [number(-1)] if recipe == "reshape" else []
    kept = t.keep(numeric_array(t, node, a), node)
    if t.in_rows(kept):
        if kept.type.rank == 1:
            return kept
        to = Array(a.type.elem, a.type.complex, 1, "strided")
        return Val(to, f"(index :arrayid {kept.var} :flatten %1 {to.vrir()} (indices (index (range))))")
    plain = t.plain(kept, node)
    to = Array(a.type.elem, a.type.complex, 1)
    size = t.size(kept, node)
    val = Val(to, n.lib("reshape", to, plain.code, size.code))
    if a.var is None and t.source_of(a) is None and a.type.axes is None and a.snapshot is None:
        return val
    return t.stands_for(val, kept, t.recipe(recipe, kept, minus_one, maybe=True, node=node))


@function(method="flatten")
def method_flatten(t, node, a, order=None):
    return copied(t, node, np_ravel(t, node, a, order))


@function(np.transpose, np.permute_dims if hasattr(np, "permute_dims") else None)
def np_transpose(t, node, a, axes=None):
    a = numeric_array(t, node, a)
    if axes is None or axes.is_none():
        return t.transposed(a, None, node)
    items = axes.items if axes.is_group("tuple", "list") else [axes]
    return t.transposed(a, [t.static_int(x, node, "the axes") for x in items], node)


@function(method="transpose")
def method_transpose(t, node, a, *axes):
    if len(axes) == 1 and axes[0].is_group("tuple", "list"):
        axes = axes[0].items
    axes = [] if len(axes) == 1 and axes[0].is_none() else [t.static_int(x, node, "the axes") for x in axes]
    if axes and a.is_scalar:
        t.raise_(node, ValueError, "axes don't match array")
        return a
    return t.transposed(a, axes or None, node)


@function(np.swapaxes, method="swapaxes")
def np_swapaxes(t, node, a, axis1, axis2):
    order = list(range(a.type.rank))
    i, j = (t.axis(x, a.type.rank, node) for x in (axis1, axis2))
    order[i], order[j] = order[j], order[i]
    return t.transposed(a, order, node)


@function(np.expand_dims)
def np_expand_dims(t, node, a, axis):
    a = t.keep(numeric_array(t, node, a), node)
    k = t.axis(axis, a.type.rank + 1, node)
    none = t.none()
    items = [group("slice", [none] * 3) for _ in range(a.type.rank)]
    return t.element(a, [*items[:k], none, *items[k:]], node)


@function(np.squeeze, method="squeeze")
def np_squeeze(t, node, a, axis=None):
    if axis is None:
        t.refuse(node, "squeeze without an axis is not compiled: the rank of its result is known only at run time", "give the axis")
    a = t.keep(numeric_array(t, node, a), node)
    k = t.axis(axis, a.type.rank, node)
    t.guard(node, n.binary("neq", Scalar("bool"), t.extent(a, k, node), n.ONE), ValueError,
            "cannot select an axis to squeeze out which has size not equal to one")
    none = t.none()
    items = [group("slice", [none] * 3) for _ in range(a.type.rank)]
    items[k] = number(0)
    return t.element(a, items, node)


@function(np.atleast_1d)
def np_atleast_1d(t, node, a):
    return t.array_of(group("list", [a]), node) if a.is_scalar else numeric_array(t, node, a)


@function(np.broadcast_shapes)
def np_broadcast_shapes(t, node, *shapes):
    parts = [[s] if s.is_scalar else s.items if s.is_group("tuple", "list") else [] for s in shapes]
    if any(not s.is_scalar and not s.is_group("tuple", "list") for s in shapes) or not all(i.is_scalar and is_int(i.type.elem) for p in parts for i in p):
        t.refuse(node, "a shape must be an integer or a tuple of integers")
    known = [tuple(t.static(i, node, "a shape") for i in p) for p in parts]
    try:
        return group("tuple", [number(k) for k in np.broadcast_shapes(*known)])
    except ValueError as e:
        t.raise_(node, ValueError, str(e))
        return group("tuple", [])


@function(np.broadcast_to)
def np_broadcast_to(t, node, a, shape):
    a = t.once(t.array_of(a, node) if a.is_group() else a, node)
    if not a.is_numeric:
        t.refuse(node, f"{a.type!r} is neither a number nor an array")
    extents = [t.once(s, node) for s in (shape.items if shape.is_group("tuple", "list") else [shape])]
    if a.is_array and len(extents) < a.type.rank:
        t.raise_(node, ValueError, "input operand has more dimensions than allowed by the axis remapping")
        return a
    if not extents:
        return Val(Rank0(a.type.elem, a.type.complex), a.code, low=a.low)
    result = t.keep(made(t, node, "empty", group("tuple", extents), a.type.elem, a.type.complex), node)
    filled(t, node, result, numeric(t, node, a))
    recipe = t.recipe("broadcast_to", a, extents, maybe=a.is_scalar, node=node)  # a result of broadcasting a number is a new array at each call
    if a.is_array:
        return t.stands_for(result, a, recipe, fixed=True)
    return Val(result.type, result.code, var=result.var, snapshot=Fixed(result.var), recipe=recipe)


@function(np.broadcast_arrays)
def np_broadcast_arrays(t, node, *args):
    arrays = [t.keep(numeric(t, node, t.array_of(a, node) if a.is_group() or a.is_list else a), node) for a in args]
    if any(isinstance(a.type, Rank0) for a in args):
        t.refuse(node, "a view of a 0-d array is not compiled", "pass the number: x[()]")
    ranks = tuple(a.type.rank if a.is_array else 0 for a in arrays)
    if not arrays or not max(ranks):
        t.refuse(node, "np.broadcast_arrays of 0-d arrays and numbers only is not compiled")
    shape = t.call_python(library_shapes.common_shape(ranks), [t.plain(a, node) if a.is_array else a for a in arrays], {}, node)
    return group("tuple", [broadcast_with(t, node, a, shape) for a in arrays])


def broadcast_with(t, node, a, shape):
    """A result of broadcast_arrays. Unlike that of broadcast_to, it is not read-only."""
    val = t.keep(np_broadcast_to(t, node, a, shape), node)
    recipe = t.recipe("broadcast_arrays", a, shape.items, maybe=a.is_scalar, node=node)
    if a.is_array:
        return t.stands_for(Val(val.type, val.code, var=val.var), a, recipe)
    return Val(val.type, val.code, var=val.var, snapshot=Fixed(val.var), recipe=recipe)


def _flips():
    for f, axis in ((np.flip, None), (np.fliplr, 1), (np.flipud, 0)):
        def flipped(t, node, m, axis=None):
            m = t.keep(numeric_array(t, node, m), node)
            rank = m.type.rank
            axes = range(rank) if axis is None or axis.is_none() else [
                t.axis(k, rank, node) for k in (axis.items if axis.is_group("tuple") else [axis])]
            if len(set(axes)) < len(axes):
                t.refuse(node, "an axis is given twice")
            none = t.none()
            return t.element(m, [group("slice", [none, none, number(-1) if k in axes else none]) for k in range(rank)], node)
        def handler(t, node, m, axis=axis):
            m = numeric_array(t, node, m)
            if m.type.rank <= axis:
                t.raise_(node, ValueError, f"Input must be >= {axis + 1}-d.")
                return m
            return flipped(t, node, m, number(axis))
        if axis is None:
            handler = flipped
        function(f)(handler)


_flips()


# ---- concatenation
@function(np.concatenate)
def np_concatenate(t, node, arrays, axis=None):
    items = items_of(t, node, arrays)
    if axis is not None and axis.is_none():
        return join_arrays(t, node, [ravel(t, node, i) for i in items], 0)
    return join_arrays(t, node, items, 0 if axis is None else t.static_int(axis, node, "the axis"))


def items_of(t, node, arrays):
    if not arrays.is_group("tuple", "list") or not arrays.items:
        t.refuse(node, "a tuple of arrays is needed")
    return [t.array_of(i, node) if i.is_group() else i for i in arrays.items]


def join_arrays(t, node, items, axis):
    if any(i.is_scalar for i in items):
        t.refuse(node, "numbers cannot be concatenated")
    items = [t.keep(t.plain(i, node), node) for i in items]
    rank = items[0].type.rank
    if any(i.type.rank != rank for i in items):
        t.refuse(node, "all the input array dimensions must match")
    axis = t.axis(number(axis), rank, node)
    elem, complex = items[0].type.elem, items[0].type.complex
    for i in items[1:]:
        elem, complex, _ = promote(Scalar(elem, complex), Scalar(i.type.elem, i.type.complex))
    total = number(0)
    starts = []
    for i in items:
        starts.append(total)
        total = t.once(t.operate(ast.Add(), total, t.extent_value(i, axis, node), node), node)
    shape = t.shape(items[0], node)
    for i in items[1:]:
        for k in range(rank):
            if k != axis:
                t.guard(node, n.binary("neq", Scalar("bool"), t.extent(i, k, node), shape[k]), ValueError,
                        "all the input array dimensions except for the concatenation axis must match exactly")
    shape[axis] = total.code
    to = Array(elem, complex, rank)
    result = t.keep(Val(to, n.alloc("empty", to, shape)), node)
    t.rows.discard(result.var)  # NumPy's result is in Fortran order if all arrays are
    none = t.none()
    for start, i in zip(starts, items):
        end = t.operate(ast.Add(), start, t.extent_value(i, axis, node), node)
        place = [group("slice", [none] * 3) for _ in range(rank)]
        place[axis] = group("slice", [start, end, none])
        t.store_place(t.place_of(result, place, node), i, node)
    t.stores = [s for s in t.stores if s[0] != result.var]
    return result


@function(np.stack)
def np_stack(t, node, arrays, axis=None):
    items = items_of(t, node, arrays)
    k = 0 if axis is None else t.axis(axis, items[0].type.rank + 1, node)
    return join_arrays(t, node, [np_expand_dims(t, node, i, number(k)) for i in items], k)


@function(np.vstack, getattr(np, "row_stack", None) if np.lib.NumpyVersion(np.__version__) < "2.0.0" else None)
def np_vstack(t, node, arrays):
    items = items_of(t, node, arrays)
    return join_arrays(t, node, [np_expand_dims(t, node, i, number(0)) if i.type.rank == 1 else i for i in items], 0)


@function(np.hstack)
def np_hstack(t, node, arrays):
    items = items_of(t, node, arrays)
    return join_arrays(t, node, items, 0 if items[0].type.rank == 1 else 1)


@function(np.column_stack)
def np_column_stack(t, node, arrays):
    items = items_of(t, node, arrays)
    return join_arrays(t, node, [np_expand_dims(t, node, i, number(1)) if i.type.rank == 1 else i for i in items], 1)


@function(np.append)
def np_append(t, node, a, values, axis=None):
    a, values = (t.array_of(group("list", [v]), node) if v.is_scalar else numeric_array(t, node, v) for v in (a, values))
    if axis is None or axis.is_none():
        return join_arrays(t, node, [ravel(t, node, a), ravel(t, node, values)], 0)
    return join_arrays(t, node, [a, values], t.static_int(axis, node, "the axis"))
