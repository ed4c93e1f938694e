"""Functions that ignore NaN, and statistics. They are composed of other NumPy functions."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import library_sets as library
from ._errors import UnsupportedError
from ._numpy import function
from ._numpy_arrays import astype
from ._numpy_called import INT64, called
from ._numpy_elementwise import numeric, strong
from ._numpy_reduce import axes_of, flag, np_all, np_cumprod, np_cumsum, np_max, np_mean, np_min, np_prod, np_sum
from ._numpy_sets import array, flat, like
from ._types import Scalar, is_float, promote
from ._value import Val, group, number


def given(v):
    return v is not None and not v.is_none()


def floating(t, node, a):
    """The array, stored in a variable, and whether its type can represent NaN."""
    a = t.keep(t.plain(array(t, node, a), node), node)
    return a, is_float(a.type.elem)


def filled(t, node, a, value):
    """The array with NaN replaced by `value`."""
    return t.call(np.where, [t.call(np.isnan, [a], {}, node), number(value), a], {}, node)


def missing(t, node, a, axis, keepdims=None):
    """Whether all elements along the axis are NaN, for each position in the other axes."""
    return np_all(t, node, t.call(np.isnan, [a], {}, node), axis, keepdims=keepdims)


def _totals():
    for f, total, neutral in ((np.nansum, np_sum, 0), (np.nanprod, np_prod, 1)):
        def handler(t, node, a, axis=None, dtype=None, out=None, keepdims=None, total=total, neutral=neutral):
            a, nans = floating(t, node, a)
            return total(t, node, filled(t, node, a, neutral) if nans else a, axis, dtype, out, keepdims)
        function(f)(handler)
    for f, scan, neutral in ((np.nancumsum, np_cumsum, 0), (np.nancumprod, np_cumprod, 1)):
        def handler(t, node, a, axis=None, dtype=None, scan=scan, neutral=neutral):
            a, nans = floating(t, node, a)
            return scan(t, node, filled(t, node, a, neutral) if nans else a, axis, dtype)
        function(f)(handler)


def _extremes():
    for f, extreme, least in ((np.nanmin, np_min, np.inf), (np.nanmax, np_max, -np.inf)):
        def handler(t, node, a, axis=None, out=None, keepdims=None, extreme=extreme, least=least):
            a, nans = floating(t, node, a)
            if not nans:
                return extreme(t, node, a, axis, out, keepdims)
            if out is not None and not out.is_none():
                t.refuse(node, "out is not compiled here")
            best = extreme(t, node, filled(t, node, a, least), axis, None, keepdims)
            none = missing(t, node, a, axis, keepdims)
            return t.call(np.where, [none, number(np.nan), best], {}, node)
        function(f)(handler)
    for f, position, least in ((np.nanargmin, np.argmin, np.inf), (np.nanargmax, np.argmax, -np.inf)):
        def handler(t, node, a, axis=None, position=position, least=least):
            a, nans = floating(t, node, a)
            if not nans:
                return t.call(position, [a] + ([] if axis is None else [axis]), {}, node)
            none = t.call(np.any, [missing(t, node, a, axis)], {}, node) if not (axis is None or axis.is_none()) else missing(
                t, node, a, axis)
            t.guard(node, t.plain(none, node).code, ValueError, "All-NaN slice encountered")
            return t.call(position, [filled(t, node, a, least)] + ([] if axis is None else [axis]), {}, node)
        function(f)(handler)


_totals()
_extremes()


def counted(t, node, a, axis, keepdims):
    """The number of elements along the axis that are not NaN, in the elements' type."""
    there = t.call(np.logical_not, [t.call(np.isnan, [a], {}, node)], {}, node)
    count = np_sum(t, node, there, axis, None, None, keepdims)
    to = like(count, a.type.elem)
    count = t.plain(count, node)
    return Val(to, t.cast(count, a.type.elem))


@function(np.nanmean)
def np_nanmean(t, node, a, axis=None, dtype=None, out=None, keepdims=None):
    a, nans = floating(t, node, a)
    if not nans:
        return np_mean(t, node, a, axis, dtype, out, keepdims)
    if dtype is not None or out is not None:
        t.refuse(node, "np.nanmean with dtype or out is not compiled", "use .astype")
    total = np_sum(t, node, filled(t, node, a, 0), axis, None, None, keepdims)
    return t.call(np.divide, [total, counted(t, node, a, axis, keepdims)], {}, node)


def _variances():
    for f, g, root in ((np.nanvar, np.var, False), (np.nanstd, np.std, True)):
        def handler(t, node, a, axis=None, ddof=None, keepdims=None, g=g, root=root):
            a, nans = floating(t, node, a)
            if not nans:
                given = {"axis": axis, "ddof": ddof, "keepdims": keepdims}
                return t.call(g, [a], {k: v for k, v in given.items() if v is not None}, node)
            if a.type.complex:
                t.refuse(node, "np.nanvar of complex numbers is not compiled")
            if axes_of(t, node, axis, a.type.rank) is None:
                axis = group("tuple", [number(k) for k in range(a.type.rank)])
            mean = np_nanmean(t, node, a, axis, None, None, number(True))
            away = t.keep(t.plain(t.operate(ast.Sub(), a, mean, node), node), node)
            gaps = t.call(np.isnan, [a], {}, node)
            away = t.keep(t.plain(t.call(np.where, [gaps, number(0), away], {}, node), node), node)
            total = np_sum(t, node, t.operate(ast.Mult(), away, away, node), axis, None, None, keepdims)
            count = counted(t, node, a, axis, keepdims)
            if ddof is not None:
                count = t.operate(ast.Sub(), t.once(count, node), ddof, node)
                count = t.keep(t.plain(count, node), node) if count.is_array else t.once(count, node)
                # Too few elements: the result is NaN.
                count = t.call(np.where, [t.compare(ast.LtE(), count, number(0), node), number(np.nan), count], {}, node)
            v = t.call(np.divide, [total, count], {}, node)
            return t.call(np.sqrt, [v], {}, node) if root else v
        function(f)(handler)


_variances()


@function(np.nanmedian)
def np_nanmedian(t, node, a, axis=None, keepdims=None):
    a, nans = floating(t, node, a)
    if not nans:
        given = {"axis": axis, "keepdims": keepdims}
        return t.call(np.median, [a], {k: v for k, v in given.items() if v is not None}, node)
    if flag(t, node, keepdims):
        t.refuse(node, "np.nanmedian with keepdims is not compiled", "use np.expand_dims")
    if axis is None or axis.is_none():
        a, k = flat(t, node, a), 0
    else:
        k = t.axis(axis, a.type.rank, node)
    to = like(a, a.type.elem, False, a.type.rank - 1)
    half = n.const(0.5, Scalar(a.type.elem))
    return called(t, node, "quantile", to, a.code, half, n.const(k, INT64), n.const(1, Scalar("bool")))


@function(np.average)
def np_average(t, node, a, axis=None, weights=None):
    if weights is None or weights.is_none():
        return np_mean(t, node, a, axis)
    a, w = t.keep(t.plain(array(t, node, a), node), node), t.keep(t.plain(array(t, node, weights), node), node)
    ranks = w.type.rank
    if a.type.rank == ranks:
        for k in range(ranks):
            kind, text = (TypeError, "Axis must be specified when shapes of a and weights differ.") if axis is None or axis.is_none() else (
                ValueError, "Shape of weights must be consistent with shape of a along specified axis.")
            t.guard(node, n.binary("neq", Scalar("bool"), t.extent(a, k, node), t.extent(w, k, node)), kind, text)
    elif ranks == 1 and axis is not None and not axis.is_none():
        k = t.axis(axis, a.type.rank, node)
        t.guard(node, n.binary("neq", Scalar("bool"), t.extent(a, k, node), t.extent(w, 0, node)), ValueError,
                "Shape of weights must be consistent with shape of a along specified axis.")
        none = t.none()
        whole = group("slice", [none] * 3)
        w = t.keep(t.element(w, [whole if j == k else none for j in range(a.type.rank)], node), node)
    else:
        t.raise_(node, TypeError, "Axis must be specified when shapes of a and weights differ.")
    elem, complex, _ = promote(Scalar(a.type.elem, a.type.complex), Scalar(w.type.elem, w.type.complex))
    common = elem if is_float(elem) and is_float(a.type.elem) else "float64", complex  # integers are averaged in double precision
    a, w = t.keep(astype(t, node, a, common), node), t.keep(astype(t, node, w, common), node)
    total = t.once(t.plain(np_sum(t, node, w, axis if ranks == a.type.rank else None), node), node)
    zero = t.compare(ast.Eq(), total, number(0), node)
    zero = t.call(np.any, [zero], {}, node) if zero.is_array else zero
    t.guard(node, zero.code, ZeroDivisionError, "Weights sum to zero, can't be normalized")
    return t.call(np.divide, [np_sum(t, node, t.operate(ast.Mult(), a, w, node), axis), total], {}, node)


def variables(t, node, x, y, rowvar, what):
    """The variables of np.cov and np.corrcoef as the rows of a float64 matrix."""
    if not given(x):
        t.refuse(node, f"{what} needs numbers")
    x = [strong(numeric(t, node, array(t, node, v))) for v in (x, y) if given(v)]
    if any(v.type.complex for v in x):
        t.refuse(node, f"{what} of complex numbers is not compiled")
    turned = rowvar is not None and not t.static(rowvar, node, "rowvar")
    x = [t.transposed(v, None, node) if turned and v.type.rank == 2 else v for v in x]
    two = len(x) == 2
    if two:
        x = [t.call(np.vstack, [group("tuple", x)], {}, node)]
    if x[0].type.rank != 2:
        t.refuse(node, f"{what} is compiled for two dimensions, or for two vectors", "use np.var")
    x = t.keep(t.plain(x[0], node), node)
    if not two:
        t.guard(node, n.binary("eq", Scalar("bool"), t.extent(x, 0, node), n.ONE), UnsupportedError,
                f"{what} of one variable in two dimensions is not compiled: the result would be a number instead of an array")
    return t.keep(astype(t, node, x, ("float64", False)), node)


@function(np.cov)
def np_cov(t, node, m, y=None, rowvar=None, bias=None, ddof=None):
    m = variables(t, node, m, y, rowvar, "np.cov")
    if given(ddof):
        t.whole(ddof, node)
    less = number(1 if bias is None or t.static(bias, node, "bias") == 0 else 0) if not given(ddof) else ddof
    return t.call_python(library.cov, [m, t.operate(ast.Sub(), t.extent_value(m, 1, node), less, node)], {}, node)


@function(np.corrcoef)
def np_corrcoef(t, node, x, y=None, rowvar=None):
    return t.call_python(library.corrcoef, [variables(t, node, x, y, rowvar, "np.corrcoef")], {}, node)
