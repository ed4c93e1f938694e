"""Selection, set operations, convolution, and cumulative extremes: implemented by the runtime, or composed of other functions (library_sets.py)."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import _through
from . import library_sets as library
from ._errors import UnsupportedError
from ._numpy import function
from ._numpy_arrays import astype, numeric_array
from ._numpy_called import INT64, called, flag, rank, real
from ._numpy_elementwise import numeric, strong
from ._numpy_shapes import ravel
from ._types import Array, Scalar, is_int, promote
from ._value import constant, group, number


def like(a, elem, complex=False, ranks=None):
    ranks = rank(a) if ranks is None else ranks
    return Array(elem, complex, ranks) if ranks else Scalar(elem, complex)


def array(t, node, a):
    """An array of any element type; a number becomes an array of one element."""
    return t.array_of(group("list", [a]), node) if a.is_scalar else numeric_array(t, node, a)


def flat(t, node, a):
    a = strong(array(t, node, a))
    if a.type.complex:
        t.refuse(node, "complex numbers have no order in compiled code")
    return t.keep(t.plain(ravel(t, node, a), node), node)


# ---- selection
def _partitioned(t, node, a, kth, axis, kind):
    if kind is not None:
        t.static_choice(kind, node, "the kind", ("introselect", ))
    if not (kth.is_scalar and is_int(kth.type.elem)):
        t.refuse(node, "partition is compiled only for a single integer, not for a sequence", "use np.sort")
    a = real(t, node, array(t, node, a), "partition")
    if axis is not None and axis.is_none():
        a, axis = flat(t, node, a), None
    k = a.type.rank - 1 if axis is None else t.axis(axis, a.type.rank, node)
    return a, t.cast(kth, "int64"), n.const(k, INT64)


def _at_several(t, node, f, a, kth, axis, kind):
    """The same for several positions, computed by NumPy; None for one position."""
    kth = t.array_of(kth, node) if kth.is_group("list", "tuple") and kth.items else kth
    if not (kth.is_array and is_int(kth.type.elem) and kth.type.rank == 1) or t.shared_by() is not None:
        return None
    if kind is not None:
        t.static_choice(kind, node, "the kind", ("introselect", ))
    a = array(t, node, a)
    whole = axis is not None and axis.is_none()
    if axis is not None and not whole:
        t.axis(axis, a.type.rank, node)
    t_ = Array(a.type.elem, a.type.complex, 1 if whole else a.type.rank)
    result = t_ if f is np.partition else Array("int64", False, t_.rank)
    return _through.call(t, node, f, [a, kth, *(() if axis is None else (axis, ))], {}, f"'np.{f.__name__}'", "there are several positions", result)


@function(np.partition)
def np_partition(t, node, a, kth, axis=None, kind=None):
    several = _at_several(t, node, np.partition, a, kth, axis, kind)
    if several is not None:
        return several
    if a.is_scalar and (axis is None or not axis.is_none()):  # np.argpartition accepts a number
        t.axis_in_bounds(-1, 0, node)
    given, place = a, kth
    a, kth, k = _partitioned(t, node, a, kth, axis, kind)
    if t.shared_by() is None and given.is_array and given.type.elem != "float16":
        # The order of the elements around the selected position is undefined, but programs may depend on NumPy's. So NumPy is called where possible.
        flat = axis is not None and axis.is_none()
        result = Array(given.type.elem, given.type.complex, 1 if flat else given.type.rank)
        return _through.call(t, node, np.partition, [given, place, *(() if axis is None else (axis, ))], {}, "'np.partition'", "the order of the elements around the selected position is NumPy's", result)
    return called(t, node, "partition", like(a, a.type.elem), a.code, kth, k)


@function(method="partition")
def method_partition(t, node, a, kth, axis=None, kind=None):
    a = t.keep(a, node)
    t.store_whole(a, np_partition(t, node, a, kth, axis, kind), node)
    return t.none()


@function(np.argpartition, method="argpartition")
def np_argpartition(t, node, a, kth, axis=None, kind=None):
    several = _at_several(t, node, np.argpartition, a, kth, axis, kind)
    if several is not None:
        return several
    a, kth, k = _partitioned(t, node, a, kth, axis, kind)
    return called(t, node, "partition", [like(a, a.type.elem), like(a, "int64")], a.code, kth, k)[1]


def _quantiles():
    for f, percent, skip in ((np.quantile, False, False), (np.percentile, True, False),
                             (np.nanquantile, False, True), (np.nanpercentile, True, True)):
        def handler(t, node, a, q, axis=None, method=None, keepdims=None, percent=percent, skip=skip):
            if method is not None:
                t.static_choice(method, node, "the method", ("linear", ))
            a = real(t, node, array(t, node, a), "np.quantile")
            if flag(t, node, keepdims, "keepdims"):
                t.refuse(node, "np.quantile with keepdims is not compiled", "use np.expand_dims")
            q = t.array_of(q, node) if q.is_group("list", "tuple") else q
            if not q.is_numeric or q.type.complex:
                t.refuse(node, f"the quantiles must be real numbers, not {q.type!r}")
            if "bool" in (a.type.elem, q.type.elem):
                t.refuse(node, "quantiles of bools, or given as bools, are not compiled", "convert to numbers with .astype")
            # A Python number takes the elements' type. The quantiles 0 and 1 given as ints keep the elements' type, too.
            whole = not percent and is_int(q.type.elem)
            weak = q.is_scalar and q.type.weak
            single = a.type.elem == "float32" and (weak or q.type.elem == "float32" or whole)
            if whole and is_int(a.type.elem):
                t.refuse(node, "quantiles of integers given as ints are not compiled: the results are integers", "give the quantiles as floats")
            elem = "float32" if single else "float64"
            q = astype(t, node, q, (elem, False))
            if percent:
                q = t.operate(ast.Div(), q, number(100), node)
            q = t.plain(q, node) if q.is_array else strong(q)
            if axis is None or axis.is_none():
                a, k = flat(t, node, a), 0
            else:
                k = t.axis(axis, a.type.rank, node)
            to = like(a, elem, False, rank(q) + a.type.rank - 1)
            extra = [n.const(1, Scalar("bool"))] if skip else []
            val = t.keep(called(t, node, "quantile", to, a.code, q.code, n.const(k, INT64), *extra), node)
            infinite = n.lib("isinf", like(val, "bool"), val.code)
            t.guard(node, infinite if val.is_scalar else n.lib("any", Scalar("bool"), infinite), UnsupportedError,
                    "infinite quantiles are not compiled: NumPy interpolates them to NaN")
            return val
        function(f)(handler)


_quantiles()


# ---- set operations
@function(np.isin, getattr(np, "in1d", None) if np.lib.NumpyVersion(np.__version__) < "2.0.0" else None)
def np_isin(t, node, element, test_elements, assume_unique=None, invert=None):
    flag(t, node, assume_unique, "assume_unique")
    element, other = (t.array_of(x, node) if x.is_group("list", "tuple") else strong(numeric(t, node, x))
                      for x in (element, test_elements))
    if element.type.complex or other.type.complex:
        t.refuse(node, "np.isin of complex numbers is not compiled")
    found = called(t, node, "isin", like(element, "bool"), t.plain(element, node).code, t.plain(other, node).code)
    return t.call(np.logical_not, [found], {}, node) if flag(t, node, invert, "invert") else found


def _sets():
    def pair(t, node, a, b):
        a, b = flat(t, node, a), flat(t, node, b)
        elem = promote(Scalar(a.type.elem), Scalar(b.type.elem))[0]
        return a, b, elem

    @function(np.intersect1d)
    def intersect1d(t, node, ar1, ar2, assume_unique=None):
        flag(t, node, assume_unique, "assume_unique")
        a, b, elem = pair(t, node, ar1, ar2)
        return t.call_python(library.intersect1d, [astype(t, node, x, (elem, False)) for x in (a, b)], {}, node)

    @function(np.union1d)
    def union1d(t, node, ar1, ar2):
        a, b, _ = pair(t, node, ar1, ar2)
        return t.call_python(library.union1d, [a, b], {}, node)

    @function(np.setdiff1d)
    def setdiff1d(t, node, ar1, ar2, assume_unique=None):
        a, b, _ = pair(t, node, ar1, ar2)
        f = library.setdiff1d_as_is if flag(t, node, assume_unique, "assume_unique") else library.setdiff1d
        return t.call_python(f, [a, b], {}, node)

    @function(np.setxor1d)
    def setxor1d(t, node, ar1, ar2, assume_unique=None):
        flag(t, node, assume_unique, "assume_unique")
        a, b, elem = pair(t, node, ar1, ar2)
        return t.call_python(library.setxor1d, [astype(t, node, x, (elem, False)) for x in (a, b)], {}, node)


_sets()


# ---- tables
@function(np.digitize)
def np_digitize(t, node, x, bins, right=None):
    bins = t.keep(t.plain(numeric_array(t, node, bins), node), node)
    if bins.type.rank != 1 or bins.type.complex:
        t.refuse(node, "the bins must be a vector of real numbers")
    x = t.array_of(x, node) if x.is_group("list", "tuple") else strong(numeric(t, node, x))
    if x.type.complex:
        t.raise_(node, TypeError, "x may not be complex")
        return x
    f = library.digitize_right if flag(t, node, right, "right") else library.digitize_left
    return strong(t.call_python(f, [x, bins], {}, node))


@function(np.interp)
def np_interp(t, node, x, xp, fp, left=None, right=None, period=None):
    if period is not None and not period.is_none():
        t.refuse(node, "np.interp with a period is not compiled")
    x = t.array_of(x, node) if x.is_group("list", "tuple") else strong(numeric(t, node, x))
    xp, fp = (t.keep(t.plain(numeric_array(t, node, v), node), node) for v in (xp, fp))
    if any(v.type.complex for v in (x, xp, fp)) or xp.type.rank != 1 or fp.type.rank != 1:
        t.refuse(node, "np.interp is compiled for real numbers and points in one dimension")
    given = [None if v is None or v.is_none() else v for v in (left, right)]
    ends = []
    if given[0] is not None or given[1] is not None:
        ends = [t.cast(v if v is not None else t.element(fp, [number(k)], node), "float64") for v, k in zip(given, (0, -1))]
    return called(t, node, "interpolate", like(x, "float64"), t.plain(x, node).code, xp.code, fp.code, *ends)


# ---- signals
def _signal(t, node, *vectors):
    out = []
    for v in vectors:
        v = t.keep(t.plain(strong(array(t, node, v)), node), node)
        if v.type.rank != 1:
            t.refuse(node, "signals must be vectors")
        t.guard(node, n.binary("eq", Scalar("bool"), t.size(v, node).code, n.ZERO), ValueError, "a vector cannot be empty")
        out.append(v)
    elem, complex, _ = promote(*(Scalar(v.type.elem, v.type.complex) for v in out))
    return out, elem, complex


def _convolved(t, node, a, v, mode, turned):
    """The part of the full convolution that `mode` selects. `turned`: for np.correlate, whose longer argument determines the direction."""
    if turned and (a.is_scalar or v.is_scalar):
        t.refuse(node, "np.correlate takes vectors")
    (a, v), elem, complex = _signal(t, node, a, v)
    mode = t.static(mode, node, "the mode")
    if mode not in ("full", "same", "valid"):
        t.refuse(node, f"mode must be 'full', 'same' or 'valid', not {mode!r}")
    to = Array(elem, complex, 1)
    if turned:
        v = t.element(v, [_backwards(t)], node)
        v = t.keep(t.plain(t.call(np.conj, [v], {}, node) if v.type.complex else v, node), node)
    if mode == "full":
        return called(t, node, "convolve", to, a.code, v.code)
    sizes = [t.size(x, node) for x in (a, v)]
    f = {"same": library.correlate_same if turned else library.convolve_same, "valid": library.convolve_valid}[mode]
    ends = t.call_python(f, sizes, {}, node)
    return called(t, node, "convolve", to, a.code, v.code, *(t.cast(t.once(e, node), "int64") for e in ends.items))


def _backwards(t):
    none = t.none()
    return group("slice", [none, none, number(-1)])


@function(np.convolve)
def np_convolve(t, node, a, v, mode=None):
    return _convolved(t, node, a, v, constant("full") if mode is None else mode, False)


@function(np.correlate)
def np_correlate(t, node, a, v, mode=None):
    return _convolved(t, node, a, v, constant("valid") if mode is None else mode, True)
