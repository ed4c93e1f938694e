"""Functions of pairs of numbers, NaN replacement, indices of triangles, windows, polynomials, tensordot, einsum."""
from __future__ import annotations

import ast
import math

import numpy as np

from . import _nodes as n, library_more as more
from ._numpy import function
from ._numpy_arrays import astype, numeric_array
from ._numpy_elementwise import float_elem, floated, into, like, mapped, numeric, select, strong
from ._numpy_rearrange import array, given, kept
from ._numpy_shapes import without_dimensions
from ._types import Scalar, is_float, is_int, promote
from ._value import Val, group, number

_BOOL = Scalar("bool")


# ---- functions of two numbers
def _pair(t, node, f, a, b, kinds, what):
    """Computes f of both operands in their common type. `kinds`: the kinds of types that f supports."""
    a, b = numeric(t, node, a, b)
    elem, complex, weak = promote(a.type, b.type)
    if complex or elem == "bool":
        t.refuse(node, f"'np.{what}' of {elem if not complex else 'complex numbers'} is not compiled")
    if kinds == "f" and not is_float(elem):
        elem = float_elem(t, node, strong(a), strong(b))
    if kinds == "i" and not is_int(elem):
        t.refuse(node, f"'np.{what}' needs integers")
    a, b = (t.once(astype(t, node, kept(t, node, strong(v)), (elem, False)), node) if v.is_scalar else kept(t, node, astype(t, node, v, (elem, False)))
            for v in (a, b))
    rank = max(a.type.rank, b.type.rank)
    return t.call_python(more.pairs(f, rank) if rank else f, [a, b], {}, node)


def _pairs():
    for name, kinds in (("fmax", ""), ("fmin", ""), ("logaddexp", "f"), ("heaviside", "f"), ("gcd", "i"), ("lcm", "i")):
        def handler(t, node, a, b, out=None, name=name, kinds=kinds):
            return into(t, node, out, _pair(t, node, getattr(more, name), a, b, kinds, name))
        function(getattr(np, name))(handler)


_pairs()


@function(np.cbrt)
def np_cbrt(t, node, x, out=None):
    return into(t, node, out, mapped(t, node, "cbrt", numeric(t, node, x), complex_ok=False))


def _infinite(t, node, x, sign):
    x = numeric(t, node, x)
    if x.type.complex:
        t.refuse(node, "the sign of complex numbers is not compiled")
    if not is_float(x.type.elem):
        x = floated(t, node, strong(x))
    return t.compare(ast.Eq(), x, number(sign * math.inf), node)


@function(np.isposinf)
def np_isposinf(t, node, x, out=None):
    return into(t, node, out, _infinite(t, node, x, 1))


@function(np.isneginf)
def np_isneginf(t, node, x, out=None):
    return into(t, node, out, _infinite(t, node, x, -1))


@function(np.nan_to_num)
def np_nan_to_num(t, node, x, copy=None, nan=None, posinf=None, neginf=None):
    if copy is not None and t.static(copy, node, "copy") is not True:
        t.refuse(node, "np.nan_to_num with copy=False is not compiled", "assign the result: x[:] = np.nan_to_num(x)")
    if nan is not None and nan.is_none():  # None is the default for infinities, but not for nan
        t.refuse(node, "np.nan_to_num: nan must be a real number")
    x = numeric(t, node, x)
    if x.type.complex:
        t.refuse(node, "np.nan_to_num of complex numbers is not compiled")
    if not is_float(x.type.elem):
        return strong(x) if x.is_scalar else Val(x.type.fresh(), n.lib("copy", x.type.fresh(), x.code))
    x = t.once(strong(x), node) if x.is_scalar else kept(t, node, x)
    limits = np.finfo(x.type.elem)

    def value(v, otherwise):
        v = v if given(v) else number(float(otherwise))
        if not v.is_scalar or v.type.complex:
            t.refuse(node, "np.nan_to_num: nan, posinf and neginf must be real numbers")
        return Val(Scalar(x.type.elem), t.cast(v, x.type.elem))

    is_nan = Val(like(x, "bool"), n.lib("isnan", like(x, "bool"), x.code))
    out = select(t, node, t.compare(ast.Eq(), x, number(-math.inf), node), value(neginf, limits.min), x)
    out = select(t, node, t.compare(ast.Eq(), x, number(math.inf), node), value(posinf, limits.max), out)
    return strong(select(t, node, is_nan, value(nan, 0.0), out))


@function(np.sinc)
def np_sinc(t, node, x):
    x = numeric(t, node, x)
    if x.type.complex:
        t.refuse(node, "np.sinc of complex numbers is not compiled")
    x = strong(x) if is_float(x.type.elem) else t.as_float(x, "float64")  # narrow integers, too
    x = t.once(x, node) if x.is_scalar else kept(t, node, x)
    y = t.operate(ast.Mult(), number(math.pi), x, node)
    y = t.once(y, node) if y.is_scalar else kept(t, node, y)
    ratio = t.operate(ast.Div(), mapped(t, node, "sin", y), y, node)
    one = Val(Scalar(x.type.elem), t.cast(number(1.0), x.type.elem))
    return strong(select(t, node, t.compare(ast.Eq(), x, number(0.0), node), one, ratio))


# ---- indices
def _whole(t, node, v):
    """An int argument; 0 if it is not given."""
    v = number(0) if v is None else v
    if not v.is_scalar or not is_int(v.type.elem):
        t.refuse(node, f"an integer is needed, not {v.type!r}")
    return v


def _triangles():
    for name, f in (("tril_indices", more.tril_indices), ("triu_indices", more.triu_indices)):
        def handler(t, node, n, k=None, m=None, f=f):
            n = t.once(_whole(t, node, n), node)
            return t.call_python(f, [n, _whole(t, node, k), _whole(t, node, m) if given(m) else n], {}, node)

        def of_array(t, node, arr, k=None, f=f):
            arr = kept(t, node, numeric_array(t, node, arr))
            if arr.type.rank != 2:
                t.refuse(node, "input array must be 2-d")
            return t.call_python(f, [t.extent_value(arr, 0, node), _whole(t, node, k), t.extent_value(arr, 1, node)], {}, node)
        function(getattr(np, name))(handler)
        function(getattr(np, f"{name}_from"))(of_array)


_triangles()


@function(np.take_along_axis)
def np_take_along_axis(t, node, arr, indices, axis=None):
    a, k = kept(t, node, numeric_array(t, node, arr)), kept(t, node, numeric_array(t, node, indices))
    if axis is None or axis.is_none():
        t.refuse(node, "np.take_along_axis without an axis is not compiled", "use x.ravel() and axis=0")
    if a.type.rank != k.type.rank or not is_int(k.type.elem):
        t.refuse(node, "np.take_along_axis needs integer indices with as many dimensions as the array")
    return t.call_python(more.take_along(a.type.rank, t.axis(axis, a.type.rank, node)), [a, k], {}, node)


# ---- new arrays
def _windows():
    for name in ("hanning", "hamming", "blackman", "bartlett"):
        def handler(t, node, M, f=getattr(more, name)):
            if not M.is_scalar or M.type.complex:
                t.refuse(node, "the number of points must be a number")
            return t.call_python(f, [M], {}, node)
        function(getattr(np, name))(handler)


_windows()


@function(np.logspace)
def np_logspace(t, node, start, stop, num=None, endpoint=None, base=None, dtype=None):
    if given(dtype):
        t.refuse(node, "np.logspace with a dtype is not compiled", "use .astype")
    if any(not v.is_scalar or v.type.complex for v in (start, stop, base or number(10.0))):
        t.refuse(node, "np.logspace is compiled for real numbers")
    kwargs = {k: v for k, v in (("num", num), ("endpoint", endpoint)) if v is not None}
    return t.operate(ast.Pow(), base or number(10.0), t.call(np.linspace, [start, stop], kwargs, node), node)


# ---- polynomials
def _vectors(t, node, *polynomials):
    out = [kept(t, node, numeric_array(t, node, p)) for p in polynomials]
    if any(p.type.rank != 1 or p.type.elem == "bool" for p in out):
        t.refuse(node, "the coefficients must be a vector of numbers")
    return out


def _polynomials():
    for name in ("polyadd", "polysub", "polymul"):
        def handler(t, node, a1, a2, f=getattr(more, name)):
            a, b = _vectors(t, node, a1, a2)
            elem, complex, _ = promote(a.type, b.type)
            return t.call_python(f, [kept(t, node, astype(t, node, p, (elem, complex))) for p in (a, b)], {}, node)
        function(getattr(np, name))(handler)


_polynomials()


# ---- sums of products
@function(np.tensordot)
def np_tensordot(t, node, a, b, axes=None):
    if a.is_scalar or b.is_scalar:
        if axes is None or t.static(axes, node, "axes") != 0:
            t.refuse(node, "np.tensordot over axes of a number is not compiled")
        a, b = (strong(v) if v.is_scalar else kept(t, node, array(t, node, v)) for v in (a, b))
        return t.operate(ast.Mult(), a, b, node)
    a, b = kept(t, node, array(t, node, a)), kept(t, node, array(t, node, b))
    ranks = (a.type.rank, b.type.rank)
    axes = 2 if axes is None else t.static(axes, node, "axes")
    if isinstance(axes, int):
        summed = (list(range(ranks[0] - axes, ranks[0])), list(range(axes)))
    elif isinstance(axes, (tuple, list)) and all(isinstance(x, int) or (isinstance(x, (tuple, list)) and all(isinstance(k, int) for k in x)) for x in axes):
        summed = tuple([x] if isinstance(x, int) else list(x) for x in axes)
    else:
        t.refuse(node, "np.tensordot: 'axes' must be an integer, or a pair of integers or of sequences of integers")
    if len(summed) != 2 or len(summed[0]) != len(summed[1]) or any(not -r <= k < r for s, r in zip(summed, ranks) for k in s):
        t.refuse(node, "np.tensordot: an array has no such axis")
    summed = tuple([k % r for k in s] for s, r in zip(summed, ranks))
    free = tuple([k for k in range(r) if k not in s] for s, r in zip(summed, ranks))
    for p, q in zip(*summed):
        differs = n.binary("neq", _BOOL, t.extent_value(a, p, node).code, t.extent_value(b, q, node).code)
        t.guard(node, differs, ValueError, "shape-mismatch for sum")
    extents = [t.extent_value(v, k, node) for v, axes_ in zip((a, b), free) for k in axes_]

    def matrix(v, order, rows, columns):
        """Permutes the array's axes to `order` and reshapes it to a matrix: the axes in `rows` become its rows, those in `columns` its columns."""
        sizes = [number(1), number(1)]
        for j, group_ in enumerate((rows, columns)):
            for k in group_:
                sizes[j] = t.operate(ast.Mult(), sizes[j], t.extent_value(v, k, node), node)
        moved = kept(t, node, t.transposed(v, order, node))
        return kept(t, node, t.call(np.reshape, [moved, group("tuple", sizes)], {}, node))

    left = matrix(a, free[0] + summed[0], free[0], summed[0])
    right = matrix(b, summed[1] + free[1], summed[1], free[1])
    out = kept(t, node, t.matmul(left, right, node))
    if not extents:
        return without_dimensions(t, node, out)
    return t.call(np.reshape, [out, group("tuple", extents)], {}, node)


@function(np.einsum)
def np_einsum(t, node, subscripts, *operands, optimize=None):
    words = t.static(subscripts, node, "the subscripts")
    if not isinstance(words, str) or "." in words:
        t.refuse(node, "np.einsum is compiled for subscripts like 'ij,jk->ik', without '...'")
    given_output = "->" in words
    inputs, output = (words.replace(" ", "") + ("" if given_output else "->")).split("->")
    inputs = tuple(inputs.split(","))
    if not given_output:
        letters = "".join(inputs)
        output = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    arrays = [kept(t, node, array(t, node, o)) for o in operands]
    fits = len(arrays) == len(inputs) and all(len(w) == a.type.rank and (w.isalpha() and w.isascii()) for w, a in zip(inputs, arrays))
    if not fits or len(set(output)) != len(output) or not set(output) <= set("".join(inputs)):
        t.refuse(node, f"np.einsum: '{words}' does not match {', '.join(repr(a.type) for a in arrays)}")
    elem, complex = arrays[0].type.elem, arrays[0].type.complex
    for a in arrays[1:]:
        elem, complex, _ = promote(Scalar(elem, complex), Scalar(a.type.elem, a.type.complex))
    if elem == "bool":
        t.refuse(node, "np.einsum of bools is not compiled")
    if len(inputs) == 2 and all(len(set(w)) == len(w) for w in inputs):
        left, right = inputs
        summed = [c for c in left if c in right]
        free = [c for c in left + right if c not in summed]
        if summed and sorted(free) == sorted(output) and free:  # a product of two matrices
            axes = group("tuple", [group("tuple", [number(w.index(c)) for c in summed]) for w in inputs])
            out = np_tensordot(t, node, *arrays, axes)
            order = [free.index(c) for c in output]
            return out if order == sorted(order) else t.plain(t.transposed(kept(t, node, out), order, node), node)
    to = Scalar(elem, complex)
    zero = Val(to, n.const(0, to))
    arrays = [kept(t, node, astype(t, node, a, (elem, complex))) for a in arrays]
    return t.call_python(more.einsum(inputs, output), [zero, *arrays], {}, node)


# ---- powers of two
@function(math.ldexp)
def math_ldexp(t, node, x, k):
    if not (x.is_scalar and k.is_scalar) or x.type.complex or not is_int(k.type.elem):
        t.refuse(node, "math.ldexp takes a real number and an int")
    if not k.type.weak:
        t.raise_(node, TypeError, "Expected an int as second argument to ldexp.")
        return number(0.0)
    return t.call_python(more.math_ldexp, [Val(Scalar("float64", False, True), t.cast(x, "float64")), Val(Scalar("int64", False, True), t.cast(k, "int64"))],
                         {}, node)
