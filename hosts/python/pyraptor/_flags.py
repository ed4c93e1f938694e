"""a.flags, which says whether an array is C- or F-contiguous, and a.strides."""
from __future__ import annotations

import ast

from . import _nodes as n
from ._errors import UnsupportedError
from ._types import BOOL, Scalar, numpy_dtype
from ._value import Val, group, number

_BOOL, _INT64 = Scalar("bool"), Scalar("int64")
#: NumPy's names of the flags, as attributes and subscripts -> the order.
_ORDERS = {"c_contiguous": "C", "contiguous": "C", "f_contiguous": "F", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "C": "C", "F_CONTIGUOUS": "F", "F": "F"}


def flag(t, node, flags, name):
    """One of the flags."""
    [array] = flags.items
    if name in ("writeable", "WRITEABLE") and is_own(t, array):
        return number(True)
    if name not in _ORDERS:
        t.refuse(node, f"'.flags.{name}' is not compiled", "read it outside of the compiled function")
    a, order = array.type, _ORDERS[name]
    if a.axes is not None:
        if a.axes != tuple(range(a.base_rank))[::-1]:
            t.refuse(node, f"'.flags.{name}' of a transposed array is not compiled")
        order = "F" if order == "C" else "C"
    # The layouts of arguments are NumPy's. New arrays may have another layout than in NumPy, and slices may also be contiguous.
    base = Val(a.base(), array.code, var=array.var, snapshot=array.snapshot)
    if t.in_rows(base) and a.layout == "rowmajor" and array.var not in t.argument_ids:
        return in_both_orders(t, base) if order == "F" and a.base_rank > 1 else number(True)
    if array.var not in t.argument_ids or t.asked[0] is not None or not any(
            id == array.var and key in t.names.single for (key, _), (id, _) in t.symbols.items()):
        t.refuse(node, f"'.flags.{name}' is compiled for arguments only", "read it outside of the compiled function")
    if a.layout == "strided":
        return number(False)
    if a.rank == 1 or (a.layout == "rowmajor") == (order == "C"):
        return number(True)
    return in_both_orders(t, array)


def is_own(t, array):
    """Whether the function has allocated the array, and NumPy would have allocated it, too."""
    return array.snapshot is None and t.root(array.var) not in t.argument_roots() and not any(
        t.root(array.var) == t.root(id) for (key, _), (id, _) in t.symbols.items() if isinstance(key, tuple) and key[0] in ("argument", "global"))


def in_both_orders(t, array):
    """Whether an array that is contiguous in one order is contiguous in the other, too: it has no elements, or at most one axis with more than
    one."""
    a = array.type
    several, empty = n.ZERO, n.const(0, _BOOL)
    for k in range(a.rank):
        extent = n.dim(array.var, k)
        several = n.binary("plus", _INT64, several, f"(cast {_INT64.vrir()} {n.binary('neq', _BOOL, extent, n.ONE)})")
        empty = n.binary("or", _BOOL, empty, n.binary("eq", _BOOL, extent, n.ZERO))
    return Val(BOOL, n.binary("or", _BOOL, empty, n.binary("leq", _BOOL, several, n.ONE)))


def strides(t, node, base):
    """The strides in bytes of a C-contiguous array. For an axis of extent 1, NumPy's strides depend on the array of which this one is a slice;
    arguments with such axes are refused."""
    seen = t.keep(base, node)
    axes = seen.type.axes
    array = seen if axes is None else Val(seen.type.base(), seen.code, var=seen.var, snapshot=seen.snapshot)
    if not t.in_rows(array) or array.type.layout != "rowmajor" or axes is not None and (min(axes) < 0 or len(axes) != array.type.rank):
        t.refuse(node, "'.strides' is compiled only for arrays that are known to be C-contiguous", "read it outside of the compiled function")
    step, found = number(numpy_dtype(array.type).itemsize), []
    for k in reversed(range(array.type.rank)):
        found.append(step)
        extent = t.once(t.extent_value(array, k, node), node)
        least = 1 if is_own(t, array) else 2
        if not (extent.is_const and extent.const >= least):
            t.guard(node, n.binary("lt", _BOOL, extent.code, n.const(least, _INT64)), UnsupportedError,
                    "the strides of an empty array, or of an argument with extent 1 along an axis, are not compiled")
        step = t.once(t.operate(ast.Mult(), step, extent, node), node)
    found = found[::-1]
    return group("tuple", found if axes is None else [found[k] for k in axes])
