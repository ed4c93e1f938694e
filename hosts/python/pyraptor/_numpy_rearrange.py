"""Functions that rearrange elements: insert, delete, roll, repeat, pad, choose; grids; differences along an axis."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import library
from . import library_shapes as shapes
from ._numpy import function
from ._numpy_arrays import astype, numeric_array
from ._numpy_called import flag
from ._numpy_elementwise import numeric, strong
from ._numpy_reduce import np_sum
from ._numpy_sets import array
from ._numpy_shapes import items_of, join_arrays, np_expand_dims, ravel
from ._types import INT, Array, Const, Scalar, is_float, is_int, numpy_dtype, promote
from ._value import Val, constant, group, number

INT64 = Scalar("int64")
VECTOR = Array("int64", False, 1)
SLICE = "slice"


def given(v):
    return v is not None and not v.is_none()


def whole_slice(t, rank):
    return [group(SLICE, [t.none()] * 3) for _ in range(rank)]


def kept(t, node, a):
    return t.keep(t.plain(a, node), node) if a.is_array else t.once(a, node)


def along(t, node, f, a, k, *args):
    """Applies a function of library_shapes.py, which works along the first axis, along axis k."""
    order = [k] + [j for j in range(a.type.rank) if j != k]
    moved = t.plain(t.transposed(a, order, node), node)
    out = t.call_python(f, [moved, *args], {}, node)
    return t.transposed(out, [order.index(j) for j in range(a.type.rank)], node)


def axis_or_flat(t, node, a, axis):
    """(array, axis). Without an axis argument: the array flattened, and axis 0."""
    a = t.keep(array(t, node, a), node)
    if given(axis):
        return a, t.axis(axis, a.type.rank, node)
    return t.keep(ravel(t, node, a), node), 0


def positions(t, node, truths):
    """The positions at which a bool vector is True."""
    return t.keep(Val(VECTOR, n.lib("find", VECTOR, t.plain(truths, node).code)), node)


def taken(t, node, a, k, index):
    return t.element(a, [index if j == k else s for j, s in enumerate(whole_slice(t, a.type.rank))], node)


# ---- roll, repeat
@function(np.roll)
def np_roll(t, node, a, shift, axis=None):
    a = t.keep(numeric_array(t, node, a), node)
    if not given(axis) and a.type.rank > 1:
        rolled = t.call_python(library.roll, [t.plain(ravel(t, node, a), node), shift], {}, node)
        to = Array(a.type.elem, a.type.complex, a.type.rank)
        return Val(to, n.lib("reshape", to, t.plain(rolled, node).code, *t.shape(a, node)))
    axes = axis.items if given(axis) and axis.is_group("tuple", "list") else [axis if given(axis) else number(0)]
    shifts = shift.items if shift.is_group("tuple", "list") else [shift] * len(axes)
    axes = axes * len(shifts) if len(axes) == 1 else axes
    if len(axes) != len(shifts):
        t.refuse(node, "np.roll needs one shift for each axis")
    for k, s in zip(axes, shifts):
        a = along(t, node, library.roll, t.keep(a, node), t.axis(k, a.type.rank, node), s)
    return a


@function(np.repeat, method="repeat")
def np_repeat(t, node, a, repeats, axis=None):
    a, k = axis_or_flat(t, node, a, axis)
    if repeats.is_scalar:
        return along(t, node, library.repeat, a, k, repeats)
    counts = kept(t, node, numeric_array(t, node, repeats))
    if counts.type.rank != 1 or not is_int(counts.type.elem):
        t.refuse(node, "the counts must be a vector of integers")
    return along(t, node, shapes.repeat_each, a, k, counts)


@function(np.tile)
def np_tile(t, node, A, reps):
    a = array(t, node, A)
    counts = list(reps.items) if reps.is_group("tuple", "list") else [reps]
    if any(not c.is_scalar for c in counts):
        t.refuse(node, "the counts of np.tile must be a number or a tuple of numbers")
    counts = [number(1)] * (a.type.rank - len(counts)) + counts
    while a.type.rank < len(counts):
        a = np_expand_dims(t, node, a, number(0))
    return t.call_python(shapes.tile(len(counts)), [t.plain(t.keep(a, node), node), *counts], {}, node)


# ---- take
def _modes(t, node, index, extent, mode):
    mode = "raise" if mode is None else t.static(mode, node, "the mode")
    if mode == "wrap":
        return t.operate(ast.Mod(), index, extent, node)
    if mode == "clip":
        return t.call(np.clip, [index, number(0), t.operate(ast.Sub(), extent, number(1), node)], {}, node)
    if mode != "raise":
        t.refuse(node, f"the mode must be 'raise', 'wrap' or 'clip', not {mode!r}")
    return index


@function(np.take, method="take")
def np_take(t, node, a, indices, axis=None, mode=None):
    a, k = axis_or_flat(t, node, a, axis)
    index = t.array_of(indices, node) if indices.is_group() else indices
    if not index.is_numeric or not (is_int(index.type.elem) and not index.type.complex):
        t.refuse(node, f"the indices must be integers, not {index.type!r}")
    index = _modes(t, node, kept(t, node, index), t.extent_value(a, k, node), mode)
    out = taken(t, node, a, k, kept(t, node, index) if index.is_array else index)
    return strong(out) if out.is_scalar else t.call(np.copy, [out], {}, node)


@function(np.compress)
def np_compress(t, node, condition, a, axis=None):
    a, k = axis_or_flat(t, node, a, axis)
    condition = numeric_array(t, node, condition)
    if condition.type.rank != 1:
        t.refuse(node, "the condition must be a vector")
    where = t.call(np.flatnonzero, [condition], {}, node)
    return taken(t, node, a, k, t.keep(where, node))


@function(method="compress")
def method_compress(t, node, a, condition, axis=None):
    return np_compress(t, node, condition, a, axis)


@function(np.extract)
def np_extract(t, node, condition, arr):
    return np_compress(t, node, ravel(t, node, array(t, node, condition)), ravel(t, node, array(t, node, arr)))


@function(np.choose)
def np_choose(t, node, a, choices, mode=None):
    options = [t.once(t.array_of(c, node) if c.is_group() else c, node) for c in (
        choices.items if choices.is_group("tuple", "list") else ())]
    a = t.array_of(a, node) if a.is_group() else a
    if not options or not a.is_numeric or not is_int(a.type.elem):
        t.refuse(node, "np.choose needs integers and a tuple of arrays")
    a = kept(t, node, _modes(t, node, kept(t, node, a), number(len(options)), mode))
    if mode is None or t.static(mode, node, "the mode") == "raise":
        wrong = t.call(np.logical_or, [t.compare(ast.Lt(), a, number(0), node),
                                       t.compare(ast.GtE(), a, number(len(options)), node)], {}, node)
        t.guard(node, t.plain(t.call(np.any, [wrong], {}, node) if wrong.is_array else wrong, node).code, ValueError,
                "invalid entry in choice array")
    out = options[-1]
    for k in reversed(range(len(options) - 1)):
        out = t.call(np.where, [t.compare(ast.Eq(), a, number(k), node), options[k], out], {}, node)
    if len(options) == 1:
        out = t.call(np.where, [t.compare(ast.Eq(), a, a, node), out, out], {}, node)
    return out


@function(np.select)
def np_select(t, node, condlist, choicelist, default=None):
    if not all(x.is_group("tuple", "list") and x.items for x in (condlist, choicelist)) or len(condlist.items) != len(
            choicelist.items):
        t.refuse(node, "np.select needs as many conditions as choices")
    out = number(0) if default is None else default
    for c, x in reversed(list(zip(condlist.items, choicelist.items))):
        c, x = (t.array_of(v, node) if v.is_group() else v for v in (c, x))
        if c.type.elem != "bool":
            t.refuse(node, "the conditions of np.select must be bools")
        out = t.call(np.where, [c, x, out], {}, node)
    return out


@function(np.piecewise)
def np_piecewise(t, node, x, condlist, funclist):
    x = t.keep(array(t, node, x), node)
    conditions = condlist.items if condlist.is_group("tuple", "list") else [condlist]
    choices = list(funclist.items) if funclist.is_group("tuple", "list") else []
    if not choices or len(choices) not in (len(conditions), len(conditions) + 1):
        t.refuse(node, "np.piecewise needs as many functions as conditions, or one more")
    conditions = [kept(t, node, numeric_array(t, node, c)) for c in conditions]
    if any(c.type.elem != "bool" or c.type.rank != x.type.rank for c in conditions):
        t.refuse(node, "the conditions of np.piecewise must be bool arrays with the array's number of dimensions")

    def value(f):
        made = t.call(f.type.value, [x], {}, node) if isinstance(f.type, Const) else f
        if not made.is_numeric or made.type.complex and not x.type.complex:
            t.refuse(node, f"{made.type!r} cannot be a value of np.piecewise here")
        return astype(t, node, made, (x.type.elem, x.type.complex))

    last = choices[len(conditions)] if len(choices) > len(conditions) else number(0)
    out = t.call(np.zeros_like, [x], {}, node)
    out = t.call(np.add, [out, value(last)], {}, node)
    for c, f in zip(conditions, choices):
        out = t.call(np.where, [c, value(f), t.keep(out, node)], {}, node)
    return out


# ---- delete, insert
@function(np.delete)
def np_delete(t, node, arr, obj, axis=None):
    a, k = axis_or_flat(t, node, arr, axis)
    if obj.is_scalar and is_int(obj.type.elem):
        at = t.once(t.call_python(shapes.deletion_place, [obj, t.extent_value(a, k, node)], {}, node), node)
        ends = [[t.none(), at, t.none()], [t.operate(ast.Add(), at, number(1), node), t.none(), t.none()]]
        return join_arrays(t, node, [taken(t, node, a, k, group(SLICE, e)) for e in ends], k)
    there = t.keep(t.call(np.ones, [t.extent_value(a, k, node), constant(np.bool_)], {}, node), node)
    obj = t.array_of(obj, node) if obj.is_group("list", "tuple") and obj.items else obj
    if not (obj.is_numeric or obj.is_group("list", "tuple", SLICE)):
        t.refuse(node, f"{obj.type!r} is not an index that np.delete accepts")
    if obj.is_numeric and obj.type.elem == "bool" and not obj.is_array:
        t.refuse(node, "a bool is not an index that np.delete accepts")
    if obj.is_array:
        if obj.type.rank != 1:
            t.refuse(node, "np.delete needs a number, a slice or a vector of indices")
        obj = kept(t, node, obj)
    if not (obj.is_group("list", "tuple") and not obj.items):
        t.store_place(t.place_of(there, [obj], node), number(False), node)
        t.stores = [s for s in t.stores if s[0] != there.var]
    return taken(t, node, a, k, positions(t, node, there))


@function(np.insert)
def np_insert(t, node, arr, obj, values, axis=None):
    a, k = axis_or_flat(t, node, arr, axis)
    values = t.array_of(values, node) if values.is_group() else values
    if not values.is_numeric:
        t.refuse(node, f"{values.type!r} is neither a number nor an array")
    values = astype(t, node, strong(values), (a.type.elem, a.type.complex))
    obj = t.array_of(obj, node) if obj.is_group("list", "tuple") else obj
    if obj.is_array:
        if a.type.rank != 1 or obj.type.rank != 1 or not is_int(obj.type.elem) or values.is_array and values.type.rank > 1:
            t.refuse(node, "np.insert at several positions is compiled only for a vector of integers")
        values = values if values.is_array else array(t, node, values)
        return t.call_python(shapes.insert_many, [kept(t, node, v) for v in (a, obj, values)], {}, node)
    if not obj.is_scalar or not is_int(obj.type.elem):
        t.refuse(node, "np.insert needs an integer or an array of integers")
    at = t.once(t.call_python(shapes.insertion_place, [obj, t.extent_value(a, k, node)], {}, node), node)
    rank = a.type.rank
    if rank > 1 and not (values.is_scalar or values.type.rank == rank - 1):
        t.refuse(node, f"np.insert of {values.type!r} into {a.type!r} is not compiled")
    # A new array with room for the values; then its three parts are stored.
    count = t.extent_value(kept(t, node, values), 0, node) if rank == 1 and values.is_array else number(1)
    values, count = kept(t, node, values), t.once(count, node)
    extents = [t.extent_value(a, j, node) for j in range(rank)]
    extents[k] = t.operate(ast.Add(), extents[k], count, node)
    made = t.keep(t.call(np.empty, [group("tuple", extents), constant(np.dtype(
        ("complex" + str(2 * int(a.type.elem[5:])) if a.type.complex else a.type.elem)))], {}, node), node)
    end = t.once(t.operate(ast.Add(), at, count, node), node)
    none = t.none()

    def put(start, stop, value):
        place = whole_slice(t, rank)
        place[k] = group(SLICE, [start, stop, none])
        t.store_place(t.place_of(made, place, node), value, node)

    put(none, at, taken(t, node, a, k, group(SLICE, [none, at, none])))
    if values.is_array and rank > 1:
        values = np_expand_dims(t, node, values, number(k))
    put(at, end, values)
    put(end, none, taken(t, node, a, k, group(SLICE, [at, none, none])))
    t.stores = [s for s in t.stores if s[0] != made.var]
    return made


# ---- pad
@function(np.pad)
def np_pad(t, node, array, pad_width, mode=None, constant_values=None):
    a = t.keep(numeric_array(t, node, array), node)
    mode = "constant" if mode is None else t.static(mode, node, "the mode")
    if mode not in ("constant", "edge", "wrap", "reflect", "symmetric"):
        t.refuse(node, f"np.pad with mode {mode!r} is not compiled", "use constant, edge, reflect, symmetric or wrap")

    def pairs(v):
        """(before, after) for each axis, broadcast as NumPy does it."""
        if v.is_array:
            t.refuse(node, "the widths of np.pad must be numbers or tuples of numbers")
        if not v.is_group("tuple", "list"):
            return [(v, v)] * a.type.rank
        rows = [r.items if r.is_group("tuple", "list") else None for r in v.items]
        if all(r is None for r in rows):
            if len(v.items) not in (1, 2):
                t.refuse(node, "a pair of widths, or a pair for each axis")
            return [(v.items[0], v.items[-1])] * a.type.rank
        if None in rows or len(rows) not in (1, a.type.rank) or any(len(r) not in (1, 2) for r in rows):
            t.refuse(node, "a pair of widths, or a pair for each axis")
        return [(r[0], r[-1]) for r in (rows * a.type.rank)[:a.type.rank]]

    fills = pairs(number(0) if constant_values is None else constant_values)
    if any(f is not g for f, g in fills) or any(f is not fills[0][0] for f, _ in fills):
        t.refuse(node, "np.pad is compiled only with a single constant")
    widths = [Val(INT64, t.whole(w, node)) for pair in pairs(pad_width) for w in pair]
    fill = [astype(t, node, strong(numeric(t, node, fills[0][0])), (a.type.elem, a.type.complex))] if mode == "constant" else []
    return t.call_python(shapes.pad(mode, a.type.rank), [t.plain(a, node), *widths, *fill], {}, node)


# ---- stacking, grids
@function(np.dstack)
def np_dstack(t, node, tup):
    return join_arrays(t, node, [t.call(np.atleast_3d, [i], {}, node) for i in items_of(t, node, tup)], 2)


@function(np.meshgrid)
def np_meshgrid(t, node, *xi, indexing=None, sparse=None, copy=None):
    indexing = "xy" if indexing is None else t.static_choice(indexing, node, "the indexing", ("xy", "ij"))
    thin = flag(t, node, sparse, "sparse")
    if copy is not None and not flag(t, node, copy, "copy"):
        t.refuse(node, "np.meshgrid of views is not compiled")
    xi = [kept(t, node, ravel(t, node, array(t, node, x))) for x in xi]
    rank = len(xi)
    order = list(range(rank))
    if indexing == "xy" and rank > 1:
        order[:2] = 1, 0
    sizes = [t.extent_value(xi[k], 0, node) for k in order]  # the extent of each axis
    out = []
    for k, x in enumerate(xi):
        line = [number(1)] * rank
        line[order.index(k)] = t.extent_value(x, 0, node)
        x = t.call(np.reshape, [x, group("tuple", line)], {}, node)
        x = t.call(np.copy, [x if thin else t.call(np.broadcast_to, [x, group("tuple", sizes)], {}, node)], {}, node)
        out.append(t.keep(x, node))
    return group("tuple" if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else "list", out)


@function(np.indices)
def np_indices(t, node, dimensions, dtype=None):
    elem, complex = t.dtype_of(dtype, node) or ("int64", False)
    if not dimensions.is_group("tuple", "list") or not dimensions.items:
        t.refuse(node, "the dimensions of np.indices must be a tuple of numbers")
    lines = [t.call(np.arange, [d], {}, node) for d in dimensions.items]
    grid = np_meshgrid(t, node, *lines, indexing=constant("ij"))
    return astype(t, node, t.call(np.stack, [group("tuple", grid.items)], {}, node), (elem, complex))


@function(np.diagflat)
def np_diagflat(t, node, v, k=None):
    return t.call(np.diag, [ravel(t, node, array(t, node, v))] + ([k] if k is not None else []), {}, node)


@function(np.tri)
def np_tri(t, node, N, M=None, k=None, dtype=None):
    N, M = (v if v.low is not None and v.low >= 0 else t.call(max, [number(0), Val(INT, t.whole(v, node), const=v.const)], {}, node)
            for v in (N, M if given(M) else N))
    ones = t.call(np.ones, [group("tuple", [N, M])] + ([dtype] if given(dtype) else []), {}, node)
    return t.call(np.tril, [ones] + ([k] if k is not None else []), {}, node)


@function(np.vander)
def np_vander(t, node, x, N=None, increasing=None):
    x = kept(t, node, numeric_array(t, node, x))
    if x.type.rank != 1:
        t.refuse(node, "x must be a vector")
    if given(N):
        t.whole(N, node)
    elem = "int64" if x.type.elem == "bool" else np.promote_types(x.type.elem, int).name if not x.type.complex else x.type.elem
    x = kept(t, node, astype(t, node, x, (elem, x.type.complex)))
    columns = N if given(N) else t.extent_value(x, 0, node)
    return t.call_python(shapes.vander, [x, columns, number(flag(t, node, increasing, "increasing"))], {}, node)


# ---- indices
def unravelled(t, node, k, extents):
    """The multi-dimensional indices of elements given by flat indices in row-major order."""
    out = []
    for e in reversed(extents[1:]):
        out.append(kept(t, node, t.operate(ast.Mod(), k, e, node)))
        k = kept(t, node, t.operate(ast.FloorDiv(), k, e, node))
    return [*reversed([*out, k])]


@function(np.nonzero, method="nonzero")
def np_nonzero(t, node, a):
    a = t.keep(t.plain(numeric_array(t, node, a), node), node)
    if a.type.complex:
        t.refuse(node, "np.nonzero of complex numbers is not compiled")
    if a.type.rank == 2:
        i, j = t.temporary(VECTOR), t.temporary(VECTOR)
        t.emit(n.assign([n.name(i, VECTOR), n.name(j, VECTOR)],
                        n.lib("find", f"(tupletype {VECTOR.vrir()} {VECTOR.vrir()})", a.code), t.loc(node)))
        return group("tuple", [Val(VECTOR, n.name(k, VECTOR), var=k) for k in (i, j)])
    found = t.keep(Val(VECTOR, n.lib("find", VECTOR, a.code)), node)
    return group("tuple", unravelled(t, node, found, [t.extent_value(a, k, node) for k in range(a.type.rank)]))


@function(np.argwhere)
def np_argwhere(t, node, a):
    return t.call(np.stack, [np_nonzero(t, node, numeric_array(t, node, a))], {"axis": number(1)}, node)


def _extents(t, node, shape):
    items = shape.items if shape.is_group("tuple", "list") else [shape]
    if not items or not all(i.is_scalar and is_int(i.type.elem) for i in items):
        t.refuse(node, "a shape must consist of integers")
    return [t.once(Val(INT64, t.whole(i, node), low=i.low), node) for i in items]


def _check_subscripts(t, node, k, extent, message):
    wrong = t.call(np.logical_or, [t.compare(ast.Lt(), k, number(0), node), t.compare(ast.GtE(), k, extent, node)], {}, node)
    wrong = t.call(np.any, [wrong], {}, node) if wrong.is_array else wrong
    t.guard(node, wrong.code, ValueError, message)


def _subscript(t, node, k):
    k = t.array_of(k, node) if k.is_group("list", "tuple") else k
    if not k.is_numeric or not is_int(k.type.elem):
        t.refuse(node, "subscripts must be integers")
    return kept(t, node, astype(t, node, strong(k), ("int64", False)))


@function(np.unravel_index)
def np_unravel_index(t, node, indices, shape, order=None):
    column = order is not None and t.static_choice(order, node, "the order", ("C", "F")) == "F"
    k, extents = _subscript(t, node, indices), _extents(t, node, shape)
    size = number(1)
    for e in extents:
        size = t.once(t.operate(ast.Mult(), size, e, node), node)
    _check_subscripts(t, node, k, size, "index is out of bounds for the array")
    out = unravelled(t, node, k, extents[::-1] if column else extents)
    return group("tuple", [strong(v) for v in (out[::-1] if column else out)])


@function(np.ravel_multi_index)
def np_ravel_multi_index(t, node, multi_index, dims, mode=None, order=None):
    column = order is not None and t.static_choice(order, node, "the order", ("C", "F")) == "F"
    extents = _extents(t, node, dims)
    if not multi_index.is_group("tuple", "list") or len(multi_index.items) != len(extents):
        t.refuse(node, "np.ravel_multi_index needs a tuple with one subscript for each dimension")
    parts = [_subscript(t, node, i) for i in multi_index.items]
    parts = [kept(t, node, _modes(t, node, k, e, mode)) for k, e in zip(parts, extents)]
    for k, e in zip(parts, extents):
        _check_subscripts(t, node, k, e, "invalid entry in coordinates array")
    if column:
        parts, extents = parts[::-1], extents[::-1]
    out = parts[0]
    for k, e in zip(parts[1:], extents[1:]):
        out = t.operate(ast.Add(), t.operate(ast.Mult(), out, e, node), k, node)
    return strong(out)


# ---- differences and integrals along an axis
@function(getattr(np, "trapezoid", None), getattr(np, "trapz", None) if np.lib.NumpyVersion(np.__version__) < "2.0.0" else None)
def np_trapezoid(t, node, y, x=None, dx=None, axis=None):
    y = kept(t, node, numeric_array(t, node, y))
    rank = y.type.rank
    k = rank - 1 if axis is None else t.axis(axis, rank, node)
    none = t.none()
    if given(x):
        x = kept(t, node, array(t, node, x))
        if x.type.rank == 1:
            d = kept(t, node, t.call(np.diff, [x], {}, node))
            if k < rank - 1:
                d = t.element(d, [group(SLICE, [none] * 3)] + [none] * (rank - 1 - k), node)
        else:
            d = t.call(np.diff, [x], {"axis": number(k)}, node)
    else:
        d = number(1.0) if dx is None else dx
    upper, lower = (taken(t, node, y, k, group(SLICE, ends)) for ends in ([number(1), none, none], [none, number(-1), none]))
    sums = t.operate(ast.Mult(), d, t.operate(ast.Add(), upper, lower, node), node)
    return np_sum(t, node, t.operate(ast.Div(), sums, number(2.0), node), number(k))


@function(np.gradient)
def np_gradient(t, node, f, *varargs, axis=None, edge_order=None):
    f = numeric_array(t, node, f)
    if f.type.elem == "bool":
        t.raise_(node, TypeError, "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
    if not is_float(f.type.elem):
        f = astype(t, node, f, ("float64", False))
    f = kept(t, node, f)
    rank = f.type.rank
    axes = range(rank) if not given(axis) else [t.axis(k, rank, node) for k in (
        axis.items if axis.is_group("tuple") else [axis])]
    if len(set(axes)) < len(axes):
        t.refuse(node, "an axis is given twice")
    edge = 1 if edge_order is None else t.static_int(edge_order, node, "edge_order")
    if edge not in (1, 2):
        t.refuse(node, "edge_order must be 1 or 2")
    steps = list(varargs) or [number(1.0)]
    steps = steps * len(axes) if len(steps) == 1 and steps[0].is_scalar else steps
    if len(steps) != len(axes):
        t.raise_(node, TypeError, "invalid number of arguments")
        steps = [number(1.0)] * len(axes)
    out = []
    for k, h in zip(axes, steps):
        h = t.array_of(h, node) if h.is_group() else h
        if h.is_scalar:
            h = Val(Scalar(f.type.elem), t.cast(h, f.type.elem)) if h.type.weak or f.type.elem == "float64" else h
            out.append(t.call_python(shapes.gradient(rank, k, edge), [f, t.once(h, node)], {}, node))
        elif edge == 1:
            out.append(along(t, node, shapes.gradient_at, f, k, kept(t, node, h)))
        else:
            t.refuse(node, "np.gradient with coordinates is compiled for edge_order=1")
    if len(out) == 1:
        return out[0]
    return group("tuple" if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else "list", [t.keep(g, node) for g in out])


@function(np.ediff1d)
def np_ediff1d(t, node, ary, to_end=None, to_begin=None):
    a = t.keep(ravel(t, node, array(t, node, ary)), node)
    parts = [t.call(np.diff, [a], {}, node)]
    ends = []
    for v, name in ((to_begin, "to_begin"), (to_end, "to_end")):
        v = ravel(t, node, array(t, node, v)) if given(v) else None
        if v is not None and not np.can_cast(numpy_dtype(v.type), numpy_dtype(a.type), "same_kind"):
            t.raise_(node, TypeError, f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
            return parts[0]
        ends.append(None if v is None else astype(t, node, t.plain(v, node), (a.type.elem, a.type.complex)))
    parts = [p for p in (ends[0], parts[0], ends[1]) if p is not None]
    return join_arrays(t, node, parts, 0) if len(parts) > 1 else parts[0]


@function(np.polyval)
def np_polyval(t, node, p, x):
    if p.is_scalar:
        t.raise_(node, TypeError, "iteration over a 0-d array")
    p = kept(t, node, array(t, node, p))
    if p.type.rank != 1:
        t.refuse(node, "the coefficients must be a vector")
    x = t.once(t.array_of(x, node) if x.is_group() else strong(numeric(t, node, x)), node)
    elem, complex, _ = promote(Scalar(p.type.elem, p.type.complex), Scalar(x.type.elem, x.type.complex))
    if x.is_scalar:
        zero = Val(Scalar(elem, complex), n.const(0, Scalar(elem, complex)))
    else:
        zero = t.call(np.zeros_like, [x, constant(np.dtype(("complex" + str(2 * int(elem[5:]))) if complex else elem))], {}, node)
    return strong(t.call_python(shapes.polyval, [p, x, zero], {}, node)) if x.is_scalar else t.call_python(
        shapes.polyval, [p, x, zero], {}, node)


@function(np.moveaxis)
def np_moveaxis(t, node, a, source, destination):
    a = numeric_array(t, node, a)
    rank = a.type.rank
    source, destination = ([t.axis(k, rank, node) for k in (v.items if v.is_group("tuple", "list") else [v])]
                           for v in (source, destination))
    if len(source) != len(destination) or len(set(source)) < len(source) or len(set(destination)) < len(destination):
        t.refuse(node, "np.moveaxis needs as many different axes here as there")
    order = [k for k in range(rank) if k not in source]
    for d, s in sorted(zip(destination, source)):
        order.insert(d, s)
    return t.transposed(a, order, node)
