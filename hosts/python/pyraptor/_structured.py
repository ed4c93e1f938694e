"""Structured arrays as arguments: represented by one array per field, each a view of the caller's elements. An element is represented by these arrays
and its index, so reading one of its fields sees later stores, as in NumPy."""
from __future__ import annotations

import numpy as np

from . import _nodes as n
from ._types import DTYPES, INT, Const, Group, Scalar, is_int
from ._value import Val, constant

_BOOL, INT64 = Scalar("bool"), Scalar("int64")


def _fields(dtype):
    return ", ".join(f"{k}: {dtype[k]}" for k in dtype.names)


class Structured(Group):
    """The type of a structured array. `dtype`: NumPy's dtype; `items`: the types of the fields' arrays; `named`: whether it is a recarray, whose
    fields are attributes."""

    __slots__ = ("dtype", "named")

    def __init__(self, dtype, items, named=False):
        super().__init__("structured", items)
        self.dtype, self.named = dtype, named

    def _key(self):
        return self.dtype, self.dtype.type, self.items, self.named

    def with_items(self, items):
        return Structured(self.dtype, items, self.named)

    def __repr__(self):
        return f"structured array ({_fields(self.dtype)})"


class Element(Group):
    """The type of one element: the fields' arrays (vectors), and an index that is in bounds."""

    __slots__ = ("dtype",)

    def __init__(self, dtype, items):
        super().__init__("element", items)
        self.dtype = dtype

    @property
    def named(self):
        return self.dtype.type is np.record

    def _key(self):
        return self.dtype, self.dtype.type, self.items

    def with_items(self, items):
        return Element(self.dtype, items)

    def __repr__(self):
        return f"element ({_fields(self.dtype)}) of a structured array"


def is_compiled(dtype):
    """Whether arrays of the dtype are compiled: all fields must be numbers."""
    return bool(dtype.names) and all(dtype[k] in DTYPES and dtype[k].isnative for k in dtype.names) and len(dtype.names) <= 64


def given(a, name, flat):
    """The type of an argument; the fields' arrays are appended to `flat`."""
    from ._classify import classify
    plain = a.view(np.ndarray)
    return Structured(a.dtype, [classify(plain[k], f"{name}[{k!r}]", flat) for k in a.dtype.names], type(a) is np.recarray)


def _field(t, node, base, index):
    """The number of the field that a subscript refers to, by its name or its title."""
    key, dtype = index.type.value, base.type.dtype
    if key not in dtype.fields:
        t.raise_(node, ValueError, f"no field of name {key}")
        return 0
    return next(k for k, name in enumerate(dtype.names) if name == key or dtype.fields[name][2:] == (key, ))


def get_item(t, node, base, index):
    """base[index]"""
    if isinstance(index.type, Const) and isinstance(index.type.value, str):
        k = _field(t, node, base, index)
        return base.items[k] if base.is_group("structured") else t.element(base.items[k], [base.items[-1]], node)
    if base.is_group("element"):
        return element_field(t, node, base, index)
    if index.is_group("slice"):
        parts = [t.keep(t.element(a, [index], node), node) for a in base.items]
        return Val(base.type.with_items([a.type for a in parts]), items=parts)
    if index.is_scalar and is_int(index.type.elem) and base.items[0].type.rank == 1:
        extent = t.extent(base.items[0], 0, node)
        at = t.once(Val(INT, t.cast(index, "int64"), low=index.low, const=index.const), node)
        code = n.binary("plus", INT64, at.code, extent)
        outside = n.binary("or", _BOOL, n.binary("geq", _BOOL, at.code, extent), n.binary("lt", _BOOL, code, n.ZERO))
        t.guard(node, outside, IndexError, "index is out of bounds for axis 0")
        if at.low is None or at.low < 0:
            at = t.keep(t.choose(Val(_BOOL, n.binary("lt", _BOOL, at.code, n.ZERO)), lambda: Val(INT, code, low=0), lambda: at, node), node)
        return element(base, Val(INT, at.code, var=at.var, low=0))
    t.refuse(node, f"{base.type!r} with the subscript {index.type!r} is not compiled", "take the field first: a['name'][...]")


def element(base, at):
    """The element at an index that is in bounds."""
    return Val(Element(base.type.dtype, [*(a.type for a in base.items), INT]), items=[*base.items, at])


def element_field(t, node, base, index):
    k = t.static(index, node, "the number of a field")
    if type(k) is not int or not -len(base.type.dtype.names) <= k < len(base.type.dtype.names):
        t.refuse(node, f"the field {k!r} of {base.type!r} is not compiled", "use the field's name")
    return t.element(base.items[:-1][k], [base.items[-1]], node)


def attribute(t, node, base, name):
    """An attribute of structured arrays and elements; None if it is not compiled."""
    if base.type.named and name in base.type.dtype.fields and not hasattr(np.recarray if base.is_group("structured") else np.record, name):
        return get_item(t, node, base, constant(name))
    if name == "dtype":
        return constant(base.type.dtype)
    if name in ("shape", "ndim", "size") and base.is_group("structured"):
        return t.attribute(base.items[0], name, node)
    if name == "itemsize":
        return t.value_of(base.type.dtype.itemsize, node, name)
    return None


def place(t, node, base, index):
    """The target of a store to base[index], a field."""
    if not (isinstance(index.type, Const) and isinstance(index.type.value, str)):
        t.refuse(node, f"{base.type!r} with the subscript {index.type!r} cannot be changed in place", "change its fields one by one")
    array = t.keep(base.items[_field(t, node, base, index)], node)
    return t.place_of(array, [base.items[-1]] if base.is_group("element") else [constant(Ellipsis)], node)


def store(t, node, base, index, val):
    """base[index] = val"""
    if isinstance(index.type, Const) and isinstance(index.type.value, str):
        array = t.keep(base.items[_field(t, node, base, index)], node)
        if base.is_group("structured"):
            return t.store_whole(array, val, node)
        return t.store_place(t.place_of(array, [base.items[-1]], node), val, node)
    if base.is_group("structured") and val.is_group("tuple") and len(val.items) == len(base.items) and index.is_scalar:
        at = get_item(t, node, base, index)
        values = [t.once(v, node) if v.is_scalar else v for v in val.items]
        for a, v in zip(base.items, values):
            t.store_place(t.place_of(t.keep(a, node), [at.items[-1]], node), v, node)
        return None
    t.refuse(node, f"storing {val.type!r} to {base.type!r} with the subscript {index.type!r} is not compiled", "store to its fields one by one")


def kept(t, base, s):
    """The array stored in variables, so that a loop is independent of later assignments to its name."""
    return Val(base.type, items=[t.kept_iterator(a, s) for a in base.items])


class _Memory:
    """An object with NumPy's array interface for memory that `owner` keeps alive."""


def returned(dtype, named, *fields):
    """The structured array with these fields. If they are the fields of an argument, the argument itself."""
    first = fields[0]
    address = first.__array_interface__["data"][0] - dtype.fields[dtype.names[0]][1]
    held = first.base
    while isinstance(held, np.ndarray):
        same = held.dtype == dtype and held.shape == first.shape and held.strides == first.strides and (type(held) is np.recarray) == named
        if same and (held.size == 0 or held.__array_interface__["data"][0] == address):
            return held
        held = held.base
    memory = _Memory()
    memory.owner = first
    memory.__array_interface__ = {"data": (address, not first.flags.writeable), "shape": first.shape, "strides": first.strides,
                                  "typestr": f"|V{dtype.itemsize}", "version": 3}
    made = np.asarray(memory).view(dtype)
    return made.view(np.recarray) if named else made
