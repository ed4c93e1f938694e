"""Indices of triangles, trimming of zeros, tests for special values and their replacement."""
from __future__ import annotations

import ast
import math

import numpy as np

from . import _nodes as n
from . import library_shapes
from ._numpy import function
from ._numpy_arrays import numeric_array
from ._numpy_elementwise import floated, into, like, no_bools, numeric, select, strong, two
from ._types import BOOL, Scalar, is_float, numpy_dtype
from ._value import Val, constant, group, number

_BOOL = Scalar("bool")


# ---- triangles
def _triangle(t, node, upper, rows, k, columns):
    """The indices of the elements of a triangle, as np.nonzero gives them."""
    k = number(0) if k is None else k
    if upper:
        k = t.operate(ast.Sub(), k, number(1), node)
    mask = t.call(np.tri, [rows, columns, k], {"dtype": constant(bool)}, node)
    if upper:
        mask = t.call(np.logical_not, [mask], {}, node)
    return t.call(np.nonzero, [mask], {}, node)


def _triangles():
    for f, upper in ((np.triu_indices, True), (np.tril_indices, False)):
        def handler(t, node, n, k=None, m=None, upper=upper):
            return _triangle(t, node, upper, n, k, n if m is None or m.is_none() else m)
        function(f)(handler)
    for f, upper in ((np.triu_indices_from, True), (np.tril_indices_from, False)):
        def of_array(t, node, arr, k=None, upper=upper):
            a = t.keep(numeric_array(t, node, arr), node)
            if a.type.rank != 2:
                t.raise_(node, ValueError, "input array must be 2-d")
                return group("tuple", [t.call(np.arange, [number(0)], {}, node)] * 2)
            return _triangle(t, node, upper, t.extent_value(a, 0, node), k, t.extent_value(a, 1, node))
        function(f)(of_array)


_triangles()


@function(np.diag_indices_from)
def diag_indices_from(t, node, arr):
    a = t.keep(numeric_array(t, node, arr), node)
    if a.type.rank < 2:
        t.raise_(node, ValueError, "input array must be at least 2-d")
    first = t.extent_value(a, 0, node)
    for k in range(1, a.type.rank):
        t.guard(node, n.binary("neq", Scalar("bool"), t.extent(a, k, node), t.extent(a, 0, node)), ValueError, "All dimensions of input must be of equal length")
    return diag_indices(t, node, first, number(a.type.rank))


@function(np.diag_indices)
def diag_indices(t, node, n, ndim=None):
    count = 2 if ndim is None else t.static_int(ndim, node, "ndim")
    index = t.keep(t.call(np.arange, [n], {}, node), node)
    return group("tuple", [index] * count)


@function(np.trim_zeros)
def trim_zeros(t, node, filt, trim=None):
    if not filt.is_array or filt.var is None and "libfunc copy" in filt.code:
        t.refuse(node, "np.trim_zeros of a list is not compiled", "use an array")
    a = t.keep(filt, node)
    if a.type.rank != 1:
        t.refuse(node, "np.trim_zeros is compiled for one dimension")
    where = "fb" if trim is None else t.static(trim, node, "trim").lower()
    ends = t.call_python(library_shapes.without_zeros, [a, number("f" in where), number("b" in where)], {}, node).items
    return t.element(a, [group("slice", [*(t.copied(e, node) for e in ends), t.none()])], node)


# ---- extremes that ignore NaN
def _extremes():
    for f, word in ((np.fmax, "max2"), (np.fmin, "min2")):
        def handler(t, node, a, b, out=None, word=word, f=f):
            a, b = (t.once(v, node) for v in numeric(t, node, a, b))
            val = t.once(two(t, node, word, a, b), node)
            if is_float(val.type.elem):
                a, b = (Val(like(v, val.type.elem), t.cast(v, val.type.elem)) for v in (a, b))
                for v, other in ((a, b), (b, a)):
                    if is_float(v.type.elem):
                        val = select(t, node, Val(like(v, "bool"), n.lib("isnan", like(v, "bool"), v.code)), other, val)
            elif val.type.elem != "bool" and all(numpy_dtype(v.type).kind == "b" for v in (a, b)):
                val = Val(like(val, "bool"), t.cast(val, "bool"))
            return into(t, node, out, val)
        function(f)(handler)


_extremes()


@function(np.cbrt)
def cbrt(t, node, x, out=None):
    x = strong(numeric(t, node, x))
    no_bools(t, node, x, "float16")
    x = floated(t, node, x)
    if x.type.complex:
        t.refuse(node, "np.cbrt of complex numbers does not exist")
    to = like(x, x.type.elem)
    return into(t, node, out, Val(to, n.lib("cbrt", to, x.code)))


# ---- tests
def _infinities():
    for f, positive in ((np.isposinf, True), (np.isneginf, False)):
        def handler(t, node, x, out=None, positive=positive):
            x = t.once(strong(numeric(t, node, x)), node)
            if x.type.complex:
                t.refuse(node, "infinities of complex numbers have no sign")
            if not is_float(x.type.elem):
                return into(t, node, out, t.call(np.isinf, [x], {}, node))
            return into(t, node, out, strong(t.compare(ast.Eq(), x, number(math.inf if positive else -math.inf), node)))
        function(f)(handler)
    for f, op in ((np.isreal, ast.Eq), (np.iscomplex, ast.NotEq)):
        def kind(t, node, x, op=op):
            x = t.once(numeric(t, node, x), node)
            test = t.compare(op(), t.call(np.imag, [strong(x)], {}, node), number(0), node)
            return Val(BOOL, test.code) if op is ast.Eq and x.is_scalar and x.type.weak else strong(test)
        function(f)(kind)


_infinities()


@function(np.nan_to_num)
def nan_to_num(t, node, x, copy=None, nan=None, posinf=None, neginf=None):
    if copy is not None and t.static(copy, node, "copy") is not True:
        t.refuse(node, "np.nan_to_num is compiled for copy=True", "assign the result")
    if nan is not None and nan.is_none():
        t.refuse(node, "the replacement of NaN must be a number")
    x = strong(numeric(t, node, x))
    if not is_float(x.type.elem):
        return t.call(np.copy, [x], {}, node) if x.is_array else x
    x = t.once(x, node)
    if x.type.complex:
        part, to = like(x, x.type.elem), like(x, x.type.elem, True)
        parts = [_finite(t, node, t.once(Val(part, n.lib(p, part, x.code)), node), nan, posinf, neginf) for p in ("real", "imag")]
        return Val(to, f"(complex {to.vrir()} {parts[0].code} {parts[1].code})")
    return _finite(t, node, x, nan, posinf, neginf)


def _finite(t, node, x, nan, posinf, neginf):
    element, limits = Scalar(x.type.elem), np.finfo(x.type.elem)
    truth = like(x, "bool")

    def given(v, default):
        if v is None or v.is_none():
            return number(float(default), element)
        if not v.is_scalar or v.type.complex:
            t.refuse(node, "the replacement of NaN and infinities must be a single real number")
        return Val(element, t.cast(v, x.type.elem))

    bad = Val(truth, n.lib("isnan", truth, x.code))
    high = t.compare(ast.Eq(), x, number(math.inf), node)
    low = t.compare(ast.Eq(), x, number(-math.inf), node)
    val = select(t, node, low, given(neginf, limits.min), x)
    val = select(t, node, high, given(posinf, limits.max), val)
    return select(t, node, bad, given(nan, 0.0), val)
