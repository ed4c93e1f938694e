"""Reductions and scans: over all elements, along one axis, or along several axes."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._numpy import function
from ._numpy_arrays import numeric_array
from ._numpy_elementwise import into, like, numeric, select, strong, truths
from ._types import INT, Array, Scalar, is_float, sum_elem
from ._value import Val, number

INT64 = Scalar("int64")


def axes_of(t, node, axis, rank):
    """The axes as a sorted tuple; None: all elements."""
    if axis is None or axis.is_none():
        return None
    if axis.is_group("list"):
        t.refuse(node, "an axis must be an integer or a tuple of integers")
    a = t.static(axis, node, "the axis")
    out = []
    for k in a if isinstance(a, tuple) else (a, ):
        if type(k) is not int:
            t.refuse(node, f"there is no axis {k!r}")
        k = t.axis_in_bounds(k, rank, node)
        if k in out:
            t.raise_(node, ValueError, "duplicate value in 'axis'")
        out.append(k)
    return tuple(sorted(set(out)))


def reduced(t, node, word, a, elem, complex, axes, keepdims):
    """The VRIR reduction along the axes, from the last to the first."""
    rank = a.type.rank
    if axes is None or len(axes) == rank:
        to = Scalar(elem, complex)
        val = Val(to, n.lib(word, to, a.code))
    else:
        val = a
        for k in reversed(axes):
            left = val.type.rank - 1
            to = Scalar(elem, complex) if left == 0 else Array(elem, complex, left)
            val = Val(to, n.lib(word, to, val.code, *([n.const(k, INT64)] if left else [])))
    if not keepdims:
        return val
    gone = range(rank) if axes is None else axes
    if val.is_scalar:
        to = Array(elem, complex, rank)
        return Val(to, n.lib("reshape", to, val.code, *([n.ONE] * rank)))
    order, at = [], 0
    for k in range(rank):
        order.append(-1 if k in gone else at)
        at += k not in gone
    kept = t.keep(val, node)
    return Val(kept.type.with_axes(order), kept.code, var=kept.var)


def flag(t, node, keepdims):
    flag = False if keepdims is None else t.static(keepdims, node, "keepdims")
    if not isinstance(flag, int):
        t.refuse(node, f"keepdims must be True or False, not {flag!r}")
    return bool(flag)


def converted(t, node, a, elem, complex):
    """The number or array converted to another element type. If complex numbers become real, the imaginary parts are dropped, as in NumPy."""
    if a.type.complex and not complex and elem != "bool":
        to = like(a, a.type.elem)
        a = Val(to, n.lib("real", to, a.code))
    if (a.type.elem, a.type.complex) == (elem, complex):
        return a
    return Val(like(a, elem, complex), t.cast(a, elem, complex))


def _total(word, numpy_functions):
    def handler(t, node, a, axis=None, dtype=None, out=None, keepdims=None):
        a = numeric(t, node, a)
        wanted = t.dtype_of(dtype, node)
        elem, complex = wanted or (sum_elem(a.type.elem), a.type.complex)
        if wanted is not None or a.is_scalar:
            a = converted(t, node, a, elem, complex)
        if a.is_scalar:
            no_axis(t, node, axis)
            return into(t, node, out, strong(alone(t, node, a) if word == "sum" else a))
        val = reduced(t, node, word, a, elem, complex, axes_of(t, node, axis, a.type.rank), flag(t, node, keepdims))
        return into(t, node, out, val)
    function(*numpy_functions, method=word)(handler)
    return handler


def alone(t, node, a):
    """The sum of a single number: 0 is added, so that -0.0 becomes 0.0."""
    return t.operate(ast.Add(), a, number(0.0), node) if is_float(a.type.elem) else a


def no_axis(t, node, axis):
    if axis is not None and not axis.is_none() and t.static(axis, node, "the axis") not in ((), 0, -1):
        t.refuse(node, "a number has no such axis")


def _extreme(word, numpy_functions):
    def handler(t, node, a, axis=None, out=None, keepdims=None):
        a = numeric(t, node, a)
        if a.type.complex:
            t.refuse(node, f"'{word}' of complex numbers is not compiled")
        if a.is_scalar:
            no_axis(t, node, axis)
            return into(t, node, out, strong(a))
        val = reduced(t, node, word, a, a.type.elem, False, axes_of(t, node, axis, a.type.rank), flag(t, node, keepdims))
        return into(t, node, out, val)
    function(*numpy_functions, method=word)(handler)
    return handler


np_sum = _total("sum", (np.sum, ))
np_prod = _total("prod", (np.prod, getattr(np, "product", None)))
np_min, np_max = _extreme("min", (np.min, np.amin)), _extreme("max", (np.max, np.amax))


@function(np.mean, method="mean")
def np_mean(t, node, a, axis=None, dtype=None, out=None, keepdims=None):
    a = numeric(t, node, a)
    wanted = t.dtype_of(dtype, node)
    elem, complex = wanted or (a.type.elem if is_float(a.type.elem) else "float64", a.type.complex)
    if not is_float(elem):
        t.refuse(node, f"a mean with dtype={elem} is not compiled", "convert the mean")
    if wanted is not None or a.is_scalar:
        a = converted(t, node, a, elem, complex)
    if a.is_scalar:
        if axis is not None and not axis.is_none():
            t.refuse(node, "a number has no such axis")
        return into(t, node, out, strong(alone(t, node, a)))
    axes = axes_of(t, node, axis, a.type.rank)
    if axes is not None and 1 < len(axes) < a.type.rank:
        total = reduced(t, node, "sum", converted(t, node, a, elem, complex), elem, complex, axes, flag(t, node, keepdims))
        divisor = Val(Scalar(elem), t.cast(count(t, node, a, axes), elem))
        return into(t, node, out, t.operate(ast.Div(), total, divisor, node))
    return into(t, node, out, reduced(t, node, "mean", a, elem, complex, axes, flag(t, node, keepdims)))


def count(t, node, a, axes):
    """The number of elements that are reduced to one."""
    a = t.keep(a, node)
    if axes is None:
        return t.size(a, node)
    val = number(1)
    for k in axes:
        val = t.operate(ast.Mult(), val, t.extent_value(a, k, node), node)
    return val


def squared(t, node, x):
    """The squared magnitudes of the elements."""
    if not x.type.complex:
        return t.operate(ast.Mult(), x, x, node)
    to = like(x, x.type.elem)
    re, im = (t.once(Val(to, n.lib(part, to, x.code)), node) for part in ("real", "imag"))
    return t.operate(ast.Add(), t.operate(ast.Mult(), re, re, node), t.operate(ast.Mult(), im, im, node), node)


def variance(t, node, a, axis, dtype, ddof, keepdims):
    a = t.once(numeric(t, node, a), node)
    if a.is_scalar:
        t.refuse(node, "the variance of a number is not compiled")
    wanted = t.dtype_of(dtype, node)
    if wanted is None and a.type.elem == "float16":  # like the mean: computed in float32 and rounded at the end
        val = variance(t, node, t.once(converted(t, node, a, "float32", False), node), axis, None, ddof, keepdims)
        return converted(t, node, t.plain(val, node), "float16", False)
    if wanted is not None:
        elem, complex = wanted
        if not is_float(elem) or complex or a.type.complex:
            t.refuse(node, "the dtype of a variance must be float32 or float64, for real numbers")
        # Computed in the more precise of the two types and rounded at the end.
        fine = elem if a.type.elem in ("float16", "float32", elem) and elem != "float16" else "float64"
        val = variance(t, node, t.once(converted(t, node, a, fine, a.type.complex), node), axis, None, ddof, keepdims)
        val = t.plain(val, node)
        return converted(t, node, val, elem, False)
    axes = axes_of(t, node, axis, a.type.rank)
    mean = np_mean(t, node, a, axis, keepdims=number(True))
    centred = t.once(t.operate(ast.Sub(), a, mean, node), node)
    squares = squared(t, node, centred)
    total = reduced(t, node, "sum", squares, squares.type.elem, False, axes, flag(t, node, keepdims))
    divisor = count(t, node, a, axes)
    if ddof is not None:
        divisor = t.once(t.operate(ast.Sub(), divisor, ddof, node), node)
        divisor = t.keep(select(t, node, t.compare(ast.Lt(), divisor, number(0), node), number(0), divisor), node)
    # The division is in the array's precision. The variance of an empty array is NaN, not an exception.
    text = t.cast(divisor, total.type.elem)
    return t.operate(ast.Div(), total, Val(Scalar(total.type.elem), text), node)


@function(np.var, method="var")
def np_var(t, node, a, axis=None, dtype=None, out=None, ddof=None, keepdims=None):
    return into(t, node, out, variance(t, node, a, axis, dtype, ddof, keepdims))


@function(np.std, method="std")
def np_std(t, node, a, axis=None, dtype=None, out=None, ddof=None, keepdims=None):
    v = variance(t, node, a, axis, dtype, ddof, keepdims)
    v = t.plain(v, node)
    to = v.type if v.is_scalar else like(v, v.type.elem)
    return into(t, node, out, Val(to, n.lib("sqrt", to, v.code)))


@function(np.ptp)
def np_ptp(t, node, a, axis=None):
    a = t.once(numeric(t, node, a), node)
    return t.operate(ast.Sub(), np_max(t, node, a, axis), np_min(t, node, a, axis), node)


def _truth(word, f):
    def handler(t, node, a, axis=None, out=None, keepdims=None):
        a = truths(t, node, a)
        if a.is_scalar:
            if axis is not None and not axis.is_none() and t.static_int(axis, node, "the axis") not in (0, -1):
                t.axis(axis, 0, node)
            return strong(a)
        return into(t, node, out, reduced(t, node, word, a, "bool", False, axes_of(t, node, axis, a.type.rank),
                                          flag(t, node, keepdims)))
    function(f, method=word)(handler)
    return handler


np_any, np_all = _truth("any", np.any), _truth("all", np.all)


def _position(word, f):
    def handler(t, node, a, axis=None):
        a = numeric(t, node, a)
        if a.is_scalar or a.type.complex:
            t.refuse(node, f"'{word}' of {a.type!r} is not compiled")
        axes = one_axis(t, node, axis, a.type.rank)
        val = reduced(t, node, word, a, "int64", False, axes, False)
        if val.is_scalar:
            val.low = 0
        return val
    function(f, method=word)(handler)


def one_axis(t, node, axis, rank):
    """Like axes_of, for functions that accept a single axis only."""
    if axis is not None and axis.is_group():
        t.refuse(node, "this function takes a single axis, not a tuple")
    return axes_of(t, node, axis, rank)


_position("argmin", np.argmin)
_position("argmax", np.argmax)


@function(np.count_nonzero)
def np_count_nonzero(t, node, a, axis=None):
    a = truths(t, node, a)
    val = reduced(t, node, "sum", a, "int64", False, axes_of(t, node, axis, a.type.rank), False)
    if not val.is_scalar:
        return val
    plain = (axis is None or axis.is_none()) and type(np.count_nonzero(np.zeros(1))) is int  # NumPy before 2.4 returns an int
    return Val(INT if plain else Scalar("int64"), val.code, low=0)


def _scan(word, f):
    def handler(t, node, a, axis=None, dtype=None, out=None):
        a = numeric(t, node, a)
        if a.is_scalar:
            t.refuse(node, f"'{word}' of a number is not compiled")
        wanted = t.dtype_of(dtype, node)
        elem, complex = wanted or (sum_elem(a.type.elem), a.type.complex)
        axes = one_axis(t, node, axis, a.type.rank)
        rank = a.type.rank if axes is not None else 1
        to = Array(elem, complex, rank)
        text = converted(t, node, a, elem, complex).code if wanted else a.code
        return into(t, node, out, Val(to, n.lib(word, to, text, *([n.const(axes[0], INT64)] if axes is not None and
                                                                 a.type.rank > 1 else []))))
    function(f, method=word)(handler)
    return handler


np_cumsum, np_cumprod = _scan("cumsum", np.cumsum), _scan("cumprod", np.cumprod)


def _cumulative():
    for name, scan in (("cumulative_sum", np_cumsum), ("cumulative_prod", np_cumprod)):
        def handler(t, node, x, *, axis=None, dtype=None, out=None, scan=scan, name=name):
            x = t.array_of(x, node) if x.is_group("list", "tuple") else x
            if not x.is_array or (axis is None or axis.is_none()) and x.type.rank > 1:
                t.refuse(node, f"np.{name} of {x.type!r} without an axis is not compiled", "give an axis")
            return scan(t, node, x, number(0) if axis is None or axis.is_none() else axis, dtype, out)
        function(getattr(np, name, None))(handler)


_cumulative()


@function(np.diff)
def np_diff(t, node, a, n=None, axis=None):
    from ._value import group
    a = t.keep(numeric_array(t, node, a), node)
    rank = a.type.rank
    k = rank - 1 if axis is None else t.axis(axis, rank, node)
    times = 1 if n is None else t.static_int(n, node, "n")
    if times < 0:
        t.raise_(node, ValueError, f"order must be non-negative but got {times!r}")
    none = t.none()
    for _ in range(times):
        a = t.keep(a, node)
        upper, lower = ([group("slice", [none] * 3) for _ in range(rank)] for _ in range(2))
        upper[k] = group("slice", [number(1), none, none])
        lower[k] = group("slice", [none, number(-1), none])
        a = t.operate(ast.Sub(), t.element(a, upper, node), t.element(a, lower, node), node)
    return a
