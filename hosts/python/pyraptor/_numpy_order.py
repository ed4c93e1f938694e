"""Sorting, searching, counting, and other functions that are implemented as loops in the library."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import library, library_sections
from ._numpy import function
from ._numpy_arrays import astype, numeric_array, strong_float
from ._numpy_elementwise import numeric, strong
from ._numpy_shapes import np_broadcast_to, ravel
from ._types import BOOL, INT, Array, Scalar, is_float, promote
from ._value import Val, group, number

INT64 = Scalar("int64")


@function(np.diagonal, method="diagonal")
def np_diagonal(t, node, a, offset=None):
    if numeric_array(t, node, a).type.rank != 2:
        t.refuse(node, "np.diagonal is compiled for two dimensions")
    return np_diag(t, node, a, offset)


@function(np.diag)
def np_diag(t, node, v, k=None):
    v = t.keep(numeric_array(t, node, v), node)
    if v.type.rank > 2:
        t.refuse(node, "np.diag is compiled for one and two dimensions")
    k = number(0) if k is None else k
    at = Val(INT64, t.whole(k, node))
    if v.type.rank == 1:
        return t.call_python(library.diagonal_matrix, [v, at], {}, node)
    return t.stands_for(t.call_python(library.diagonal, [v, at], {}, node), v, t.recipe("diagonal", v, [k], node=node), fixed=True)


@function(np.fill_diagonal)
def np_fill_diagonal(t, node, a, val):
    a, val = t.keep(numeric_array(t, node, a), node), t.array_of(val, node) if val.is_group() else val
    if not val.is_numeric:
        t.refuse(node, f"{val.type!r} is neither a number nor an array")
    if a.type.rank < 2:
        t.raise_(node, ValueError, "array must be at least 2-d")
        return
    if val.type.complex and not a.type.complex:
        t.refuse(node, "a complex value cannot be stored into real elements", "take .real or abs()")
    if t.stores_nothing(a, node):
        return
    if val.is_array:
        val = t.keep(t.call(np.copy, [val], {}, node), node)
    t.call_python(library.fill_diagonal(a.type.rank, val.type.rank), [a, val], {}, node)


def _triangles():
    for f, upper in ((np.triu, True), (np.tril, False)):
        def handler(t, node, m, k=None, upper=upper):
            m = t.plain(numeric_array(t, node, m), node)
            if m.type.rank == 1:  # each row of the triangle is the vector
                rows = np_broadcast_to(t, node, m, group("tuple", [t.extent_value(t.keep(m, node), 0, node)] * 2))
                m = Val(rows.type, rows.code, var=rows.var)
            k = number(0) if k is None else Val(INT64, t.whole(k, node), low=k.low)
            return t.call_python(library.triangle(upper, m.type.rank), [m, k], {}, node)
        function(f)(handler)


_triangles()


# ---- sorting
KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def _sorted(t, node, a, axis):
    a = t.plain(numeric_array(t, node, a), node)
    if a.type.complex:
        t.refuse(node, "complex numbers are not sorted in compiled code")
    if axis is not None and axis.is_none():
        t.refuse(node, "sorting a flattened array is not compiled", "use .ravel()")
    return a, n.const(a.type.rank - 1 if axis is None else t.axis(axis, a.type.rank, node), INT64)


@function(np.sort)
def np_sort(t, node, a, axis=None, kind=None):
    if kind is not None and not kind.is_none():  # a stable sort of equal numbers gives the same result
        t.static_choice(kind, node, "the kind", KINDS)
    a, k = _sorted(t, node, a, axis)
    to = Array(a.type.elem, False, a.type.rank)
    return Val(to, n.lib("sort", to, a.code, k))


@function(method="sort")
def method_sort(t, node, a, axis=None, kind=None):
    a = t.keep(a, node)
    given = {k: v for k, v in (("axis", axis), ("kind", kind)) if v is not None}
    t.store_whole(a, t.call(np.sort, [a], given, node), node)


@function(np.argsort, method="argsort")
def np_argsort(t, node, a, axis=None, kind=None):
    if kind is not None and not kind.is_none():
        t.static_choice(kind, node, "the kind", KINDS)
    a, k = _sorted(t, node, a, axis)
    values, places = Array(a.type.elem, False, a.type.rank), Array("int64", False, a.type.rank)
    i, j = t.temporary(values), t.temporary(places)
    t.emit(n.assign([n.name(i, values), n.name(j, places)],
                    n.lib("sort", f"(tupletype {values.vrir()} {places.vrir()})", a.code, k), t.loc(node)))
    return Val(places, n.name(j, places), var=j)


@function(np.flatnonzero)
def np_flatnonzero(t, node, a):
    a = t.plain(numeric_array(t, node, a), node)
    v = Array("int64", False, 1)
    return Val(v, n.lib("find", v, a.code))


@function(np.searchsorted, method="searchsorted")
def np_searchsorted(t, node, a, v, side=None):
    a = t.plain(numeric_array(t, node, a), node)
    v = t.array_of(v, node) if v.is_group("list", "tuple") else strong(v)
    if a.type.rank != 1 or a.type.complex or not v.is_numeric or v.type.complex:
        t.refuse(node, f"np.searchsorted of {v.type!r} in {a.type!r} is not compiled")
    side = "left" if side is None else t.static(side, node, "side")
    if side not in ("left", "right"):
        t.refuse(node, f"side must be 'left' or 'right', not {side!r}")
    right = side == "right"
    if v.is_scalar:
        f = library.searchsorted_right if right else library.searchsorted_left
        return strong(t.call_python(f, [a, v], {}, node))
    to = Array("int64", False, v.type.rank)
    behind = [n.const(1, Scalar("bool"))] if right else []
    return Val(to, n.lib("searchsorted", to, a.code, t.plain(v, node).code, *behind))


def _call(t, node, f, args):
    """Calls f of library.py, or, in a section that runs on a device, the function of the same name in library_sections.py."""
    inside = t.section and t.program.has_device() and t.context is None and not any(t.loop_is_parallel())
    return t.call_python(getattr(library_sections, f.__name__) if inside else f, args, {}, node)


@function(np.bincount)
def np_bincount(t, node, x, weights=None, minlength=None):
    x = numeric_array(t, node, x)
    least = number(0) if minlength is None else minlength
    if weights is None:
        return _call(t, node, library.bincount, [x, least])
    return _call(t, node, library.bincount_weights, [x, weights, least])


def _histogram_edges(t, node, a, bins, range):
    """(edges, whether the bins have equal widths, `a` as a vector of a type that can be compared with the edges)"""
    bins = number(10) if bins is None else bins
    if bins.is_array or bins.is_group("list", "tuple"):
        bins = numeric_array(t, node, bins)
        if bins.type.rank != 1 or bins.type.complex:
            t.refuse(node, "the edges must be a vector of real numbers")
        return t.keep(bins, node), False, a
    if not bins.is_numeric or bins.type.complex or is_float(bins.type.elem):
        t.refuse(node, "np.histogram needs a number of bins or an array of edges")
    bins = Val(INT, t.whole(bins, node), low=bins.low)
    elem = a.type.elem
    if range is None or range.is_none():
        elem = elem if is_float(elem) else "float64"
        a = t.keep(astype(t, node, a, (elem, False)), node)
        edges = _call(t, node, library.edges_of, [a, bins])
    else:
        if not range.is_group("tuple", "list") or len(range.items) != 2:
            t.refuse(node, "the range must be a pair of numbers")
        ends = numeric(t, node, *range.items)
        if any(e.is_array or e.type.complex for e in ends):
            t.refuse(node, "the range must be a pair of numbers")
        common = a.type
        for e in ends:
            common = Scalar(promote(common, e.type)[0])
        elem = common.elem if is_float(common.elem) else "float64"
        if any(e.type != Scalar("float32") for e in ends):  # np.linspace computes in float64
            ends = [strong_float(t, e) for e in ends]
        edges = _call(t, node, library.edges_between, [*ends, bins])
        edges = astype(t, node, edges, (elem, False))
        a = t.keep(astype(t, node, a, (elem, False)), node)
    return t.keep(_call(t, node, library.rising_edges, [edges]), node), True, a


@function(np.histogram)
def np_histogram(t, node, a, bins=None, range=None, density=None, weights=None):
    a = t.keep(ravel(t, node, numeric_array(t, node, a)), node)
    if a.type.complex:
        t.refuse(node, "np.histogram is compiled for real numbers")
    density = density is not None and bool(t.static(density, node, "density"))
    edges, even, a = _histogram_edges(t, node, a, bins, range)
    if weights is None or weights.is_none():
        counts = _call(t, node, library.histogram if even else library.histogram_given, [a, edges])
    else:
        weights = t.keep(ravel(t, node, numeric_array(t, node, weights)), node)
        sums = astype(t, node, weights, ("float64", weights.type.complex))
        f = library.histogram_weights if even else library.histogram_given_weights
        counts = t.call_python(f, [a, edges, sums], {}, node) if sums.type.complex else _call(t, node, f, [a, edges, sums])
        counts = astype(t, node, counts, (weights.type.elem, weights.type.complex))
    if density:
        counts = t.call_python(library.histogram_density, [counts, edges], {}, node)
    return group("tuple", [counts, edges])


@function(np.histogram_bin_edges)
def np_histogram_bin_edges(t, node, a, bins=None, range=None):
    if bins is not None and not bins.is_scalar:
        t.refuse(node, "np.histogram_bin_edges is compiled only for a number of bins")
    a = numeric_array(t, node, a)
    if a.type.complex:
        t.refuse(node, "np.histogram_bin_edges of complex numbers is not compiled", "take the real part first")
    return _histogram_edges(t, node, t.keep(ravel(t, node, a), node), bins, range)[0]


@function(np.array_equal)
def np_array_equal(t, node, a, b):
    a, b = t.keep(numeric_array(t, node, a), node), t.keep(numeric_array(t, node, b), node)
    if a.type.rank != b.type.rank:
        return number(False)
    same = None
    for x, y in zip(t.shape(a, node), t.shape(b, node)):
        test = n.binary("eq", Scalar("bool"), x, y)
        same = test if same is None else n.binary("and", Scalar("bool"), same, test)
    return t.choose(Val(BOOL, same), lambda: Val(BOOL, n.lib("all", Scalar("bool"), t.compare(ast.Eq(), a, b, node).code)),
                    lambda: number(False), node)
