"""NumPy functions that are implemented by functions of VRIR's library, in the runtime (docs/vrir-library.md)."""
from __future__ import annotations

import numpy as np

from . import _nodes as n
from ._numpy import function
from ._numpy_elementwise import numeric, strong
from ._types import Array, Scalar, is_float
from ._value import Val, group

INT64 = Scalar("int64")


def called(t, node, name, results, *args):
    """A call of a library function. `results`: one result type, or a list of types; for a list, the results are stored in variables."""
    if not isinstance(results, list):
        return Val(results, n.lib(name, results, *args))
    ids = [t.temporary(r) for r in results]
    types = f"(tupletype {' '.join(r.vrir() for r in results)})"
    t.emit(n.assign([n.name(i, r) for i, r in zip(ids, results)], n.lib(name, types, *args), t.loc(node)))
    return [Val(r, n.name(i, r), var=i) for i, r in zip(ids, results)]


def real(t, node, a, what):
    """The real number, or the real array with its axes in VRIR's order. Complex arguments are refused."""
    a = strong(numeric(t, node, a))
    if a.type.complex:
        t.refuse(node, f"{what} of complex numbers is not compiled")
    return a


def rank(a):
    return a.type.rank if a.is_array else 0


def flag(t, node, val, what):
    value = False if val is None else t.static(val, node, what)
    if not isinstance(value, (bool, np.bool_)):
        t.refuse(node, f"{what} must be True or False, not {value!r}")
    return bool(value)


@function(np.unique)
def np_unique(t, node, ar, return_index=None, return_inverse=None, return_counts=None, axis=None):
    a = real(t, node, ar, "np.unique")
    if axis is not None and not axis.is_none():
        t.refuse(node, "np.unique along an axis is not compiled")
    wanted = [True, *(flag(t, node, v, w) for v, w in
                      ((return_index, "return_index"), (return_inverse, "return_inverse"), (return_counts, "return_counts")))]
    values, places = Array(a.type.elem, False, 1), Array("int64", False, 1)
    if not any(wanted[1:]):
        return called(t, node, "unique", values, a.code)
    last = max(k for k in range(4) if wanted[k])
    out = called(t, node, "unique", [values, *([places] * last)], a.code)
    if wanted[2] and rank(a) != 1 and np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        t.refuse(node, "np.unique with return_inverse is compiled for one dimension", "use .ravel()")
    return group("tuple", [v for v, w in zip(out, wanted) if w])


@function(np.median)
def np_median(t, node, a, axis=None, keepdims=None):
    a = real(t, node, a, "np.median")
    if flag(t, node, keepdims, "keepdims"):
        t.refuse(node, "np.median with keepdims is not compiled", "use np.expand_dims")
    elem = a.type.elem if is_float(a.type.elem) else "float64"
    if axis is None or axis.is_none() or rank(a) < 2:
        if axis is not None and not axis.is_none():
            t.axis(axis, rank(a), node)
        return called(t, node, "median", Scalar(elem), a.code)
    k = t.axis(axis, a.type.rank, node)
    return called(t, node, "median", Array(elem, False, a.type.rank - 1), a.code, n.const(k, INT64))


@function(np.i0)
def np_i0(t, node, x):
    a = real(t, node, x, "np.i0")
    elem = a.type.elem if is_float(a.type.elem) else "float64"
    to = Array(elem, False, a.type.rank) if a.is_array else Scalar(elem)
    return called(t, node, "bessel_i", to, t.plain(a, node).code, n.const(0, INT64))
