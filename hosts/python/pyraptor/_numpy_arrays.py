"""New arrays, other shapes, joining, order."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import library
from ._numpy import function
from ._numpy_elementwise import numeric, strong
from ._types import DTYPES, INT, Array, Const, Scalar, elem_name, is_int
from ._value import Val, constant, group, number

INT64 = Scalar("int64")


def extents(t, node, shape):
    """VRIR texts of the extents that a shape argument says."""
    items = shape.items if shape.is_group("tuple", "list") else [shape]
    for i in items:
        if not (i.is_scalar and is_int(i.type.elem)):
            t.refuse(node, f"a shape is made of integers, not of {i.type!r}")
    if not items:
        t.refuse(node, "arrays without dimensions are not compiled", "use a number")
    return [t.cast(i, "int64") for i in items]


def made(t, node, how, shape, elem, complex, layout="rowmajor"):
    texts = extents(t, node, shape)
    to = Array(elem, complex, len(texts), layout if len(texts) > 1 else "rowmajor")
    return Val(to, n.alloc(how, to, texts))


def layout_of(t, node, order):
    if order is None:
        return "rowmajor"
    return "colmajor" if t.static(order, node, "the order") == "F" else "rowmajor"


def _makers():
    for f, how in ((np.zeros, "zeros"), (np.ones, "ones"), (np.empty, "empty"), (np.ndarray, "empty")):
        def handler(t, node, shape, dtype=None, order=None, how=how):
            elem, complex = t.dtype_of(dtype, node) or ("float64", False)
            return made(t, node, how, shape, elem, complex, layout_of(t, node, order))
        function(f)(handler)
    for f, how in ((np.zeros_like, "zeros"), (np.ones_like, "ones"), (np.empty_like, "empty")):
        def handler(t, node, a, dtype=None, how=how):
            a = t.keep(numeric(t, node, a), node)
            elem, complex = t.dtype_of(dtype, node) or (a.type.elem, a.type.complex)
            if a.is_scalar:
                t.refuse(node, "an array like a number has no dimensions, and is not compiled")
            layout = "colmajor" if a.type.layout == "colmajor" else "rowmajor"
            to = Array(elem, complex, a.type.rank, layout)
            return Val(to, n.alloc(how, to, t.shape(a, node)))
        function(f)(handler)


_makers()


@function(np.full)
def np_full(t, node, shape, fill_value, dtype=None, order=None):
    fill = numeric(t, node, fill_value)
    elem, complex = t.dtype_of(dtype, node) or (fill.type.elem, fill.type.complex)
    fill = t.once(fill, node)
    a = t.keep(made(t, node, "empty", shape, elem, complex, layout_of(t, node, order)), node)
    return filled(t, node, a, fill)


@function(np.full_like)
def np_full_like(t, node, a, fill_value, dtype=None):
    from ._numpy import TABLE
    fill = t.once(numeric(t, node, fill_value), node)
    a = t.keep(TABLE[id(np.empty_like)][1](t, node, a, dtype), node)
    return filled(t, node, a, fill)


def filled(t, node, a, value):
    t.store_whole(a, value, node)
    t.stores = [s for s in t.stores if s[0] != a.var]
    return a


@function(np.eye, np.identity)
def np_eye(t, node, N, M=None, dtype=None):
    elem, complex = t.dtype_of(dtype, node) or ("float64", False)
    to = Array(elem, complex, 2)
    args = [t.cast(N, "int64")] + ([t.cast(M, "int64")] if M is not None and not M.is_none() else [])
    return Val(to, n.lib("eye", to, *args))


@function(np.arange)
def np_arange(t, node, start, stop=None, step=None, dtype=None):
    if stop is None or stop.is_none():
        start, stop = number(0), start
    step = number(1) if step is None or step.is_none() else step
    parts = numeric(t, node, start, stop, step)
    elems = [p.type.elem for p in parts]
    wanted = t.dtype_of(dtype, node)
    if all(is_int(e) for e in elems) and (wanted is None or is_int(wanted[0])):
        elem = wanted[0] if wanted else ("int32" if all(e == "int32" for e in elems) else "int64")
        to = Array(elem, False, 1)
        if not step.is_const:
            step = t.once(step, node)
            t.guard(node, n.binary("eq", Scalar("bool"), step.code, n.ZERO), ZeroDivisionError, "division by zero")
        texts = [t.cast(start, "int64"), t.cast(stop, "int64")] + ([] if step.is_const and step.const == 1 else
                                                                  [t.cast(step, "int64")])
        return Val(to, n.lib("range", to, *texts))
    val = t.call_python(library.arange_float, [strong_float(t, p) for p in parts], {}, node)
    return astype(t, node, val, wanted) if wanted else val


def strong_float(t, v):
    return Val(Scalar("float64"), t.cast(v, "float64"))


def astype(t, node, val, wanted):
    elem, complex = wanted
    if (val.type.elem, val.type.complex) == wanted:
        return val
    if val.is_scalar:
        return Val(Scalar(elem, complex), t.cast(val, elem, complex))
    val = t.plain(val, node)
    layout = "colmajor" if val.type.layout == "colmajor" else "rowmajor"
    to = Array(elem, complex, val.type.rank, layout)
    return Val(to, f"(cast {to.vrir()} {val.code})")


@function(np.linspace)
def np_linspace(t, node, start, stop, num=None, endpoint=None, dtype=None):
    num = number(50) if num is None else num
    last = endpoint is None or bool(t.static(endpoint, node, "endpoint"))
    start, stop = numeric(t, node, start, stop)
    if start.type.complex or stop.type.complex or start.is_array or stop.is_array:
        t.refuse(node, "np.linspace is compiled for real numbers")
    f = library.linspace if last else library.linspace_open
    val = t.call_python(f, [strong_float(t, start), strong_float(t, stop), Val(INT, t.cast(num, "int64"), low=num.low)],
                        {}, node)
    wanted = t.dtype_of(dtype, node)
    return astype(t, node, val, wanted) if wanted else val


def _array_makers():
    for f in (np.array, np.asarray, np.ascontiguousarray):
        def handler(t, node, a, dtype=None, copy=None, order=None, f=f):
            wanted = t.dtype_of(dtype, node)
            if a.is_group("list", "tuple"):
                return t.array_of(a, node, wanted)
            if a.is_scalar:
                t.refuse(node, "arrays without dimensions are not compiled", "use the number")
            a = numeric_array(t, node, a)
            if wanted is not None and wanted != (a.type.elem, a.type.complex):
                return astype(t, node, a, wanted)
            if f is np.array and not (copy is not None and t.static(copy, node, "copy") is False):
                return copied(t, node, a)
            if f is np.ascontiguousarray and (a.type.layout != "rowmajor" or a.type.axes is not None):
                return copied(t, node, a)
            return a
        function(f)(handler)


_array_makers()


def numeric_array(t, node, a):
    if a.is_group("list", "tuple"):
        a = t.array_of(a, node)
    if not a.is_array:
        t.refuse(node, f"an array is needed, not {a.type!r}")
    return a


@function(np.copy, method="copy")
def copied(t, node, a, order=None):
    a = numeric_array(t, node, a) if not a.is_scalar else a
    if a.is_scalar:
        return a
    a = t.plain(a, node)
    layout = "colmajor" if a.type.layout == "colmajor" else "rowmajor"
    to = Array(a.type.elem, a.type.complex, a.type.rank, layout)
    return Val(to, n.lib("copy", to, a.code))


@function(method="astype")
def method_astype(t, node, a, dtype, copy=None):
    wanted = t.dtype_of(dtype, node)
    if a.is_array and wanted == (a.type.elem, a.type.complex):
        return a if copy is not None and not t.static(copy, node, "copy") else copied(t, node, a)
    return strong(astype(t, node, a, wanted))


@function(np.copyto)
def np_copyto(t, node, dst, src):
    t.store_whole(t.keep(dst, node), numeric(t, node, src), node)


@function(method="fill")
def method_fill(t, node, a, value):
    t.store_whole(t.keep(a, node), value, node)


@function(method="item")
def method_item(t, node, a, *index):
    if a.is_scalar:
        return Val(Scalar(a.type.elem, a.type.complex, a.type.elem not in ("int32", "float32")), a.code)
    if index:
        v = t.element(t.keep(a, node), index, node)
    else:
        v = Val(a.type.element(), n.lib("scalar", a.type.element(), t.plain(a, node).code))
    elem = {"int32": "int64", "float32": "float64"}.get(v.type.elem, v.type.elem)
    return Val(Scalar(elem, v.type.complex, True), t.cast(v, elem, v.type.complex))


@function(method="tolist")
def method_tolist(t, node, a):
    t.refuse(node, "lists are not compiled", "keep the array")


@function(np.result_type, np.promote_types)
def np_result_type(t, node, *items):
    given = [t.static(i, node, "the type") if not i.is_numeric else i.type for i in items]
    return constant(np.result_type(*(np.dtype(elem_name(g.elem, g.complex)) if hasattr(g, "elem") else g for g in given)))


# ---- shapes
@function(np.shape)
def np_shape(t, node, a):
    return t.attribute(numeric_array(t, node, a) if not a.is_scalar else a, "shape", node)


@function(np.size)
def np_size(t, node, a, axis=None):
    a = numeric_array(t, node, a)
    return t.size(a, node) if axis is None or axis.is_none() else t.extent_value(
        t.keep(a, node), t.static(axis, node, "the axis") % a.type.rank, node)


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


def reshape(t, node, a, shape, order=None):
    if order is not None and t.static(order, node, "the order") != "C":
        t.refuse(node, "reshape in other orders than 'C' is not compiled")
    a = numeric_array(t, node, a)
    if len(shape) == 1 and shape[0].is_const and shape[0].const == -1:
        return ravel(t, node, a)
    kept = t.keep(a, node)
    source = t.plain(kept, node)
    unknown = [k for k, s in enumerate(shape) if s.is_const and s.const == -1]
    if len(unknown) > 1:
        t.refuse(node, "can only specify one unknown dimension")
    shape = [t.once(s, node) for s in shape]
    for s in shape:
        if s.low is None or s.low < 0:
            if not s.is_const:
                t.guard(node, n.binary("lt", Scalar("bool"), t.cast(s, "int64"), n.ZERO), ValueError,
                        "a shape computed as negative is not compiled")
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
        t.refuse(node, "arrays without dimensions are not compiled", "use .item()")
    to = Array(a.type.elem, a.type.complex, len(shape))
    texts = [t.cast(s, "int64") for s in shape]
    fresh = a.var is None and t.source_of(a) is None and a.type.axes is None
    return Val(to, n.lib("reshape", to, source.code, *texts), snapshot=None if fresh else kept.var)


@function(np.ravel, method="ravel")
def ravel(t, node, a):
    """A view where the array is contiguous, else a copy: as in NumPy."""
    kept = t.keep(numeric_array(t, node, a), node)
    if kept.type.axes is None and kept.type.rank == 1:
        return kept
    if kept.type.axes is None and kept.type.layout == "rowmajor":
        to = Array(a.type.elem, a.type.complex, 1, "strided")
        return Val(to, f"(index :arrayid {kept.var} :flatten %1 {to.vrir()} (indices (index (range))))")
    plain = t.plain(kept, node)
    to = Array(a.type.elem, a.type.complex, 1)
    size = t.size(kept, node)
    return Val(to, n.lib("reshape", to, plain.code, size.code), snapshot=kept.var)


@function(method="flatten")
def method_flatten(t, node, a):
    return copied(t, node, ravel(t, node, a))


@function(np.transpose, np.permute_dims if hasattr(np, "permute_dims") else None)
def np_transpose(t, node, a, axes=None):
    a = numeric_array(t, node, a)
    return t.transposed(a, None if axes is None or axes.is_none() else list(t.static(axes, node, "the axes")), node)


@function(method="transpose")
def method_transpose(t, node, a, *axes):
    if len(axes) == 1 and axes[0].is_group("tuple", "list"):
        axes = axes[0].items
    axes = [t.static(x, node, "the axes") for x in axes if not x.is_none()]
    return t.transposed(a, axes or None, node)


@function(np.swapaxes, method="swapaxes")
def np_swapaxes(t, node, a, axis1, axis2):
    order = list(range(a.type.rank))
    i, j = (t.static(x, node, "the axis") % a.type.rank for x in (axis1, axis2))
    order[i], order[j] = order[j], order[i]
    return t.transposed(a, order, node)


@function(np.moveaxis)
def np_moveaxis(t, node, a, source, destination):
    rank = a.type.rank
    s, d = (t.static(x, node, "the axis") % rank for x in (source, destination))
    order = [k for k in range(rank) if k != s]
    order.insert(d, s)
    return t.transposed(a, order, node)


@function(np.expand_dims)
def np_expand_dims(t, node, a, axis):
    a = t.keep(numeric_array(t, node, a), node)
    k = t.static(axis, node, "the axis") % (a.type.rank + 1)
    none = t.none()
    items = [group("slice", [none] * 3) for _ in range(a.type.rank)]
    return t.element(a, [*items[:k], none, *items[k:]], node)


@function(np.squeeze, method="squeeze")
def np_squeeze(t, node, a, axis=None):
    if axis is None:
        t.refuse(node, "squeeze without an axis has a rank that only running shows", "name the axis")
    a = t.keep(numeric_array(t, node, a), node)
    k = t.static(axis, node, "the axis") % a.type.rank
    t.guard(node, n.binary("neq", Scalar("bool"), t.extent(a, k, node), n.ONE), ValueError,
            "cannot select an axis to squeeze out which has size not equal to one")
    none = t.none()
    items = [group("slice", [none] * 3) for _ in range(a.type.rank)]
    items[k] = number(0)
    return t.element(a, items, node)


@function(np.atleast_1d)
def np_atleast_1d(t, node, a):
    return t.array_of(group("list", [a]), node) if a.is_scalar else numeric_array(t, node, a)


@function(np.broadcast_to)
def np_broadcast_to(t, node, a, shape):
    a = t.once(numeric(t, node, a), node)
    result = t.keep(made(t, node, "empty", shape, a.type.elem, a.type.complex), node)
    filled(t, node, result, a)
    return Val(result.type, result.code, var=result.var, snapshot=a.var)


def _flips():
    for f, axes in ((np.flip, None), (np.fliplr, (1, )), (np.flipud, (0, ))):
        def handler(t, node, m, axis=None, axes=axes):
            m = t.keep(numeric_array(t, node, m), node)
            which = axes
            if which is None:
                value = None if axis is None else t.static(axis, node, "the axis")
                which = range(m.type.rank) if value is None else value if isinstance(value, tuple) else (value, )
            which = {k % m.type.rank for k in which}
            none = t.none()
            return t.element(m, [group("slice", [none, none, number(-1) if k in which else none])
                                 for k in range(m.type.rank)], node)
        function(f)(handler)


_flips()


# ---- joining
@function(np.concatenate)
def np_concatenate(t, node, arrays, axis=None):
    return join_arrays(t, node, items_of(t, node, arrays), 0 if axis is None else t.static(axis, node, "the axis"))


def items_of(t, node, arrays):
    if not arrays.is_group("tuple", "list") or not arrays.items:
        t.refuse(node, "a tuple of arrays is needed")
    return [t.array_of(i, node) if i.is_group() else i for i in arrays.items]


def join_arrays(t, node, items, axis):
    from ._types import promote
    if any(i.is_scalar for i in items):
        t.refuse(node, "numbers are not joined")
    items = [t.keep(t.plain(i, node), node) for i in items]
    rank = items[0].type.rank
    if any(i.type.rank != rank for i in items):
        t.refuse(node, "all the input array dimensions must match")
    axis %= rank
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
    k = 0 if axis is None else t.static(axis, node, "the axis")
    k %= items[0].type.rank + 1
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
    if axis is None:
        return join_arrays(t, node, [ravel(t, node, a), ravel(t, node, values)], 0)
    return join_arrays(t, node, [a, values], t.static(axis, node, "the axis"))


# ---- by loops of the library
@function(np.roll)
def np_roll(t, node, a, shift, axis=None):
    a = t.keep(numeric_array(t, node, a), node)
    if axis is None and a.type.rank > 1:
        t.refuse(node, "np.roll over all axes is not compiled", "name the axis")
    k = 0 if axis is None else t.static(axis, node, "the axis") % a.type.rank
    order = [k] + [j for j in range(a.type.rank) if j != k]
    moved = t.plain(t.transposed(a, order, node), node)
    rolled = t.call_python(library.roll, [moved, shift], {}, node)
    return t.transposed(rolled, [order.index(j) for j in range(a.type.rank)], node)


@function(np.repeat, method="repeat")
def np_repeat(t, node, a, repeats, axis=None):
    a = numeric_array(t, node, a) if not a.is_scalar else t.array_of(group("list", [a]), node)
    if not repeats.is_scalar:
        t.refuse(node, "np.repeat with an array of counts is not compiled")
    if axis is None or axis.is_none():
        a, k = ravel(t, node, a), 0
    else:
        k = t.static(axis, node, "the axis") % a.type.rank
    order = [k] + [j for j in range(a.type.rank) if j != k]
    moved = t.plain(t.transposed(a, order, node), node)
    out = t.call_python(library.repeat, [moved, repeats], {}, node)
    return t.transposed(out, [order.index(j) for j in range(a.type.rank)], node)


@function(np.tile)
def np_tile(t, node, a, reps):
    a = numeric_array(t, node, a)
    counts = reps.items if reps.is_group("tuple", "list") else [reps]
    if a.type.rank != len(counts) or len(counts) > 2:
        t.refuse(node, "np.tile is compiled for one count a dimension, up to two")
    return t.call_python(library.tile[len(counts)], [a, *counts], {}, node)


@function(np.diag, np.diagonal)
def np_diag(t, node, v, k=None):
    v = t.plain(numeric_array(t, node, v), node)
    k = number(0) if k is None else k
    return t.call_python(library.diagonal if v.type.rank == 2 else library.diagonal_matrix, [v, k], {}, node)


@function(np.fill_diagonal)
def np_fill_diagonal(t, node, a, val):
    t.call_python(library.fill_diagonal, [t.keep(a, node), val], {}, node)


@function(np.triu)
def np_triu(t, node, m, k=None):
    return t.call_python(library.triu, [t.plain(numeric_array(t, node, m), node), number(0) if k is None else k], {}, node)


@function(np.tril)
def np_tril(t, node, m, k=None):
    return t.call_python(library.tril, [t.plain(numeric_array(t, node, m), node), number(0) if k is None else k], {}, node)


# ---- order
def _sorted(t, node, a, axis):
    a = t.plain(numeric_array(t, node, a), node)
    if a.type.complex:
        t.refuse(node, "complex numbers are not sorted in compiled code")
    k = -1 if axis is None else t.static(axis, node, "the axis")
    if k is None:
        t.refuse(node, "sorting a flattened array is not compiled", "use .ravel()")
    return a, n.const(k % a.type.rank, INT64)


@function(np.sort)
def np_sort(t, node, a, axis=None):
    a, k = _sorted(t, node, a, axis)
    to = Array(a.type.elem, False, a.type.rank)
    return Val(to, n.lib("sort", to, a.code, k))


@function(method="sort")
def method_sort(t, node, a, axis=None):
    a = t.keep(a, node)
    t.store_whole(a, np_sort(t, node, a, axis), node)


@function(np.argsort, method="argsort")
def np_argsort(t, node, a, axis=None, kind=None):
    a, k = _sorted(t, node, a, axis)
    values, places = Array(a.type.elem, False, a.type.rank), Array("int64", False, a.type.rank)
    i, j = t.temporary(values), t.temporary(places)
    t.emit(n.assign([n.name(i, values), n.name(j, places)],
                    n.lib("sort", f"(tupletype {values.vrir()} {places.vrir()})", a.code, k), t.loc(node)))
    return Val(places, n.name(j, places), var=j)


@function(np.nonzero, method="nonzero")
def np_nonzero(t, node, a):
    a = t.plain(numeric_array(t, node, a), node)
    if a.type.complex:
        t.refuse(node, "np.nonzero of complex numbers is not compiled")
    v = Array("int64", False, 1)
    if a.type.rank == 1:
        return group("tuple", [t.keep(Val(v, n.lib("find", v, a.code)), node)])
    if a.type.rank > 2:
        t.refuse(node, "np.nonzero of more than two dimensions is not compiled")
    i, j = t.temporary(v), t.temporary(v)
    t.emit(n.assign([n.name(i, v), n.name(j, v)], n.lib("find", f"(tupletype {v.vrir()} {v.vrir()})", a.code), t.loc(node)))
    return group("tuple", [Val(v, n.name(k, v), var=k) for k in (i, j)])


@function(np.flatnonzero)
def np_flatnonzero(t, node, a):
    a = t.plain(numeric_array(t, node, a), node)
    v = Array("int64", False, 1)
    return Val(v, n.lib("find", v, a.code))


@function(np.searchsorted)
def np_searchsorted(t, node, a, v, side=None):
    a = t.plain(numeric_array(t, node, a), node)
    right = side is not None and t.static(side, node, "side") == "right"
    f = (library.searchsorted_right if right else library.searchsorted_left) if v.is_scalar else (
        library.searchsorted_right_many if right else library.searchsorted_left_many)
    return strong(t.call_python(f, [a, t.plain(v, node) if v.is_array else v], {}, node))


@function(np.bincount)
def np_bincount(t, node, x, weights=None, minlength=None):
    x = numeric_array(t, node, x)
    least = number(0) if minlength is None else minlength
    if weights is None:
        return t.call_python(library.bincount, [x, least], {}, node)
    return t.call_python(library.bincount_weights, [x, weights, least], {}, node)


@function(np.histogram)
def np_histogram(t, node, a, bins=None, weights=None):
    a = numeric_array(t, node, a)
    bins = number(10) if bins is None else bins
    if bins.is_array:
        t.refuse(node, "np.histogram with given edges is not compiled")
    if weights is None:
        return t.call_python(library.histogram, [ravel(t, node, a), bins], {}, node)
    return t.call_python(library.histogram_weights, [ravel(t, node, a), bins, ravel(t, node, weights)], {}, node)


@function(np.array_equal)
def np_array_equal(t, node, a, b):
    a, b = t.keep(numeric_array(t, node, a), node), t.keep(numeric_array(t, node, b), node)
    if a.type.rank != b.type.rank:
        return number(False)
    same = None
    for x, y in zip(t.shape(a, node), t.shape(b, node)):
        test = n.binary("eq", Scalar("bool"), x, y)
        same = test if same is None else n.binary("and", Scalar("bool"), same, test)
    from ._types import BOOL
    yes, _ = None, None
    return t.choose(Val(BOOL, same), lambda: Val(BOOL, n.lib("all", Scalar("bool"), t.compare(ast.Eq(), a, b, node).code)),
                    lambda: number(False), node)


__all__ = ["DTYPES", "Const", "constant"]
