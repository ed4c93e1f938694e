"""NumPy functions that are implemented by subscripts: views (rotate, split, add dimensions) and stores."""
from __future__ import annotations

import ast

import numpy as np

from . import library_more
from ._numpy import function
from ._numpy_arrays import numeric_array
from ._numpy_shapes import np_expand_dims, ravel
from ._types import is_int
from ._value import group, number


def _whole(t):
    return group("slice", [t.none()] * 3)


def _reversed(t):
    return group("slice", [t.none(), t.none(), number(-1)])


@function(np.atleast_2d)
def np_atleast_2d(t, node, a):
    a = t.array_of(group("list", [a]), node) if a.is_scalar else numeric_array(t, node, a)
    return np_expand_dims(t, node, a, number(0)) if a.type.rank == 1 else a


@function(np.atleast_3d)
def np_atleast_3d(t, node, a):
    a = np_atleast_2d(t, node, a)
    return np_expand_dims(t, node, a, number(2)) if a.type.rank == 2 else a


@function(np.rollaxis)
def np_rollaxis(t, node, a, axis, start=None):
    rank = numeric_array(t, node, a).type.rank
    k = t.axis(axis, rank, node)
    to = 0 if start is None else t.static_int(start, node, "start")
    to = to + rank if to < 0 else to
    if not 0 <= to <= rank:
        t.refuse(node, f"start {to} is out of bounds for an array of {rank} dimensions")
    order = [j for j in range(rank) if j != k]
    order.insert(to - 1 if k < to else to, k)
    return t.transposed(a, order, node)


@function(getattr(np, "matrix_transpose", None))
def np_matrix_transpose(t, node, x):
    rank = numeric_array(t, node, x).type.rank
    if rank < 2:
        t.refuse(node, "np.matrix_transpose needs two dimensions")
    return t.transposed(x, [*range(rank - 2), rank - 1, rank - 2], node)


@function(np.rot90)
def np_rot90(t, node, m, k=None, axes=None):
    m = t.keep(numeric_array(t, node, m), node)
    rank = m.type.rank
    times = (1 if k is None else t.static_int(k, node, "k")) % 4
    if rank < 2:
        t.refuse(node, "np.rot90 needs two dimensions")
    if axes is not None and not (axes.is_group("tuple", "list") and len(axes.items) == 2):
        t.refuse(node, "there must be two axes")
    i, j = (0, 1) if axes is None else (t.axis(k, rank, node) for k in axes.items)
    if i == j:
        t.refuse(node, "the axes must be different")
    order = list(range(rank))
    order[i], order[j] = j, i
    turned = {0: (), 1: (j, ), 2: (i, j), 3: (i, )}[times]
    view = t.element(m, [_reversed(t) if axis in turned else _whole(t) for axis in range(rank)], node)
    return t.transposed(view, order, node) if times % 2 else view


# ---- splitting
def _cut(t, node, a, sections, axis, equal):
    a = t.keep(numeric_array(t, node, a), node)
    if a.type.rank <= axis:
        t.refuse(node, f"this needs an array of at least {axis + 1} dimensions")
    none = t.none()
    if sections.is_group("tuple", "list"):
        points = [t.once(s, node) for s in sections.items]
        ends = list(zip([none, *points], [*points, none]))
    else:
        count = t.static(sections, node, "the number of sections")
        if type(count) is not int or not 0 < count <= 64:
            t.refuse(node, "the number of sections must be positive, and at most 64")
        extent = t.extent_value(a, axis, node)
        each = t.once(t.operate(ast.FloorDiv(), extent, number(count), node), node)
        rest = t.once(t.operate(ast.Mod(), extent, number(count), node), node)
        if equal:
            t.guard(node, t.compare(ast.NotEq(), rest, number(0), node).code, ValueError,
                    "array split does not result in an equal division")
            rest = number(0)

        def start(k):
            return t.once(t.operate(ast.Add(), t.operate(ast.Mult(), each, number(k), node), t.call(min, [number(k), rest], {}, node)
                                    if not rest.is_const else number(0), node), node)

        points = [start(k) for k in range(count + 1)]
        ends = list(zip(points, points[1:]))
    before, after = [_whole(t)] * axis, [_whole(t)] * (a.type.rank - axis - 1)
    return group("list", [t.element(a, [*before, group("slice", [x, y, none]), *after], node) for x, y in ends])


@function(np.split)
def np_split(t, node, ary, indices_or_sections, axis=None):
    rank = numeric_array(t, node, ary).type.rank
    return _cut(t, node, ary, indices_or_sections, 0 if axis is None else t.axis(axis, rank, node), True)


@function(np.array_split)
def np_array_split(t, node, ary, indices_or_sections, axis=None):
    rank = numeric_array(t, node, ary).type.rank
    return _cut(t, node, ary, indices_or_sections, 0 if axis is None else t.axis(axis, rank, node), False)


@function(np.hsplit)
def np_hsplit(t, node, ary, indices_or_sections):
    return _cut(t, node, ary, indices_or_sections, 1 if numeric_array(t, node, ary).type.rank > 1 else 0, True)


@function(np.vsplit)
def np_vsplit(t, node, ary, indices_or_sections):
    if numeric_array(t, node, ary).type.rank < 2:
        t.refuse(node, "np.vsplit needs two dimensions")
    return _cut(t, node, ary, indices_or_sections, 0, True)


@function(np.dsplit)
def np_dsplit(t, node, ary, indices_or_sections):
    return _cut(t, node, ary, indices_or_sections, 2, True)


# ---- stores
def _several(t, node, values):
    """The values as a vector; None if they are one number."""
    values = t.array_of(values, node) if values.is_group("list", "tuple") or values.is_list else values
    if values.is_scalar:
        return None
    if not values.is_array:
        t.refuse(node, f"{values.type!r} is neither a number nor an array")
    return t.keep(t.plain(ravel(t, node, values), node), node)


def _store_several(t, node, a, f, *args):
    """Calls a function of library_more.py that stores to a vector. The values may overlap the vector."""
    *head, values = args
    if values.type.complex and not a.type.complex:
        t.refuse(node, "complex values cannot be stored into real elements", "take .real or abs()")
    if a.type.rank == 1:
        t.call_python(f, [a, *head, t.apart_from(a, values, node)], {}, node)
        return
    # The elements in row-major order, which are stored back afterwards.
    shape = group("tuple", [t.extent_value(a, k, node) for k in range(a.type.rank)])
    flat, values = t.keep(t.call(np.copy, [ravel(t, node, a)], {}, node), node), t.keep(t.call(np.copy, [values], {}, node), node)
    t.call_python(f, [flat, *(t.keep(t.plain(ravel(t, node, h), node), node) if h.is_array else h for h in head), values], {}, node)
    t.store_whole(a, t.call(np.reshape, [flat, shape], {}, node), node)


def _masked(f, several):
    def handler(t, node, a, mask, values):
        a, mask = t.keep(numeric_array(t, node, a), node), numeric_array(t, node, mask)
        if mask.type.elem != "bool" or mask.type.rank != a.type.rank:
            t.refuse(node, "the mask must have the array's dimensions", "write a[mask] = value")
        many = _several(t, node, values)
        if many is None:
            return t.store_place(t.place_of(a, [t.once(mask, node)], node), values, node)
        return _store_several(t, node, a, several, t.keep(t.plain(mask, node), node), many)
    function(f)(handler)


_masked(np.place, library_more.place)
_masked(np.putmask, library_more.putmask)


@function(np.put, method="put")
def np_put(t, node, a, indices, values):
    a = t.keep(numeric_array(t, node, a), node)
    if a.type.rank != 1:
        t.refuse(node, "put is compiled for arrays of one dimension", "write a[indices] = value")
    index = t.keep(t.array_of(indices, node), node) if indices.is_group() else indices
    many = _several(t, node, values)
    if many is None:
        return t.store_place(t.place_of(a, [index], node), values, node)
    if not index.is_numeric or not is_int(index.type.elem):
        t.refuse(node, f"the indices must be integers, not {index.type!r}")
    index = t.keep(t.plain(t.array_of(group("list", [index]), node) if index.is_scalar else ravel(t, node, index), node), node)
    return _store_several(t, node, a, library_more.put, index, many)
