"""a.flags: whether the elements of an argument are adjacent, in the order of C or Fortran."""
from __future__ import annotations

from . import _nodes as n
from ._types import BOOL, Scalar
from ._value import Val, number

_BOOL, _INT64 = Scalar("bool"), Scalar("int64")
#: Names of NumPy's, also as subscripts -> the order.
_ORDERS = {"c_contiguous": "C", "contiguous": "C", "f_contiguous": "F", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "C": "C", "F_CONTIGUOUS": "F", "F": "F"}


def flag(t, node, flags, name):
    """One of the flags."""
    [array] = flags.items
    if name not in _ORDERS:
        t.refuse(node, f"'.flags.{name}' is not compiled", "ask outside of the compiled function")
    a, order = array.type, _ORDERS[name]
    if a.axes is not None:
        if a.axes != tuple(range(a.base_rank))[::-1]:
            t.refuse(node, f"'.flags.{name}' of an array seen through other axes is not compiled")
        order = "F" if order == "C" else "C"
    # The layouts of arguments are NumPy's; those of new arrays may be others, and parts of arrays may be adjacent, too.
    if array.var not in t.argument_ids or t.asked[0] is not None or not any(
            id == array.var and key in t.names.single for (key, _), (id, _) in t.symbols.items()):
        t.refuse(node, f"'.flags.{name}' is compiled for arguments only", "ask outside of the compiled function")
    if a.layout == "strided":
        return number(False)
    if a.rank == 1 or (a.layout == "rowmajor") == (order == "C"):
        return number(True)
    # In the other order, too, if it has no elements or at most one axis with several.
    several, empty = n.ZERO, n.const(0, _BOOL)
    for k in range(a.rank):
        extent = n.dim(array.var, k)
        several = n.binary("plus", _INT64, several, f"(cast {_INT64.vrir()} {n.binary('neq', _BOOL, extent, n.ONE)})")
        empty = n.binary("or", _BOOL, empty, n.binary("eq", _BOOL, extent, n.ZERO))
    return Val(BOOL, n.binary("or", _BOOL, empty, n.binary("leq", _BOOL, several, n.ONE)))
