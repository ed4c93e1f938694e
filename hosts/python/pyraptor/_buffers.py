"""Objects other than arrays that hold numbers: bytes, bytearray, array.array, memoryview. As in Python, their elements are Python numbers. NumPy
functions get an array that shares the memory."""
from __future__ import annotations

import array

import numpy as np

from . import _nodes as n
from ._errors import UnsupportedError
from ._types import BOOL, FLOAT, INT, Array, Group, Scalar, is_float, is_known_int
from ._value import Val, group, number

CLASSES = (bytes, bytearray, memoryview, array.array)
#: Format codes of the memoryviews whose items are numbers.
_FORMATS = tuple("?bBhHiIlLqQnNfd")
_BOOL = Scalar("bool")


class Buffer(Group):
    """The type of such an object. `cls`: its class; `fixed`: whether it is read-only; `code`: the format code of its elements."""

    __slots__ = ("cls", "code", "fixed")

    def __init__(self, cls, code, fixed, items):
        super().__init__("buffer", items)
        self.cls, self.code, self.fixed = cls, code, fixed

    def _key(self):
        return self.cls, self.code, self.fixed, self.items

    def with_items(self, items):
        return Buffer(self.cls, self.code, self.fixed, items)

    def __repr__(self):
        return f"{self.cls.__name__} of {self.items[0].element()!r}"

    def sample(self):
        """An object of the class; its contents do not matter."""
        return array.array(self.code) if self.cls is array.array else self.cls(b"")


def given(o, name):
    """(make, array) of an argument. `array` shares the argument's memory; make(type of the array) gives the argument's type."""
    view = memoryview(o)
    code = o.typecode if type(o) is array.array else view.format.lstrip("@")
    if code not in _FORMATS or not view.ndim:
        raise UnsupportedError(f"argument '{name}' is a {type(o).__name__} of items of the format {code!r}, which is not compiled",
                               hint="pass NumPy arrays, numbers and tuples of them")
    return (lambda t: Buffer(type(o), code, view.readonly, [t])), np.asarray(view)


def element(t, node, val):
    """The element as the Python number that Python would give."""
    if is_float(val.type.elem):
        return Val(FLOAT, t.cast(val, "float64"))
    if val.type.elem == "bool":
        return Val(BOOL, val.code)
    from ._numpy_elementwise import to_int
    if val.type.elem == "uint64":
        val = t.once(val, node)
        beyond = n.binary("gt", _BOOL, val.code, n.const((1 << 63) - 1, Scalar("uint64")))
        t.guard(node, beyond, UnsupportedError, "an element that does not fit into int64 is not compiled")
    return to_int(t, node, val)


def of_array(base, val):
    """The buffer restricted to the elements of `array`, a slice of the buffer's array."""
    return Val(base.type.with_items([val.type]), items=[val])


def item(t, node, base, index):
    """base[index]"""
    elements = t.keep(base.items[0], node)
    whole = index.items if index.is_group("tuple") else [index]
    if len(whole) == elements.type.rank and all(is_known_int(i.type) for i in whole):
        if base.type.cls is not memoryview and index.is_group("tuple"):
            t.raise_(node, TypeError, f"{base.type.cls.__name__} indices must be integers or slices, not tuple")
            return number(0)
        return element(t, node, t.element(elements, whole, node))
    if not index.is_group("slice") or elements.type.rank != 1:
        t.refuse(node, f"a {base.type!r} with the subscript {index.type!r} is not compiled", "use an array: np.asarray(x)")
    part = t.element(elements, [index], node)
    return of_array(base, part if base.type.cls is memoryview else t.keep(t.call(np.copy, [part], {}, node), node))


def place(t, target, base):
    """The target of an assignment to an element."""
    if t.shared_by() is not None:
        t.refuse(target, f"assigning an item of a {base.type!r} in a parallel loop is not compiled", "store to an array: np.asarray(x)")
    index = t.expr(target.slice)
    whole = index.items if index.is_group("tuple") and base.type.cls is memoryview else [index]
    elements = t.keep(base.items[0], target)
    if len(whole) != elements.type.rank or not all(is_known_int(i.type) for i in whole):
        t.refuse(target, f"an assignment to a {base.type!r} with the subscript {index.type!r} is not compiled", "store to an array: np.asarray(x)")
    made = t.place_of(elements, [t.once(i, target) for i in whole], target)
    made.buffer = base.type
    return made


def _complaint(type_, low):
    """The exception that Python raises for a number that does not fit the element type."""
    elem = type_.items[0].elem
    value = np.iinfo(elem).min - 1 if low else np.iinfo(elem).max + 1
    sample = array.array(type_.code, [0]) if type_.cls is array.array else bytearray(1) if type_.cls is bytearray else memoryview(
        bytearray(16)).cast(type_.code)
    try:
        sample[0] = int(value)
    except (ValueError, OverflowError) as e:
        return type(e), str(e)
    return OverflowError, "the number does not fit"


def stored(t, node, type_, val):
    """The number converted to the buffer's element type. Raises what Python raises if it does not fit."""
    elem = type_.items[0].elem
    to = Scalar(elem)
    if type_.fixed:
        text = "cannot modify read-only memory" if type_.cls is memoryview else f"'{type_.cls.__name__}' object does not support item assignment"
        t.raise_(node, TypeError, text)
        return number(0, to)
    if not val.is_scalar:
        t.refuse(node, f"storing {val.type!r} to a {type_!r} is not compiled")
    if elem == "bool":
        return Val(to, t.truth(val, node).code)
    if val.type.complex or not (is_float(elem) or is_known_int(val.type)):
        t.raise_(node, TypeError, f"{val.type!r} cannot be an item of {type_!r}")
        return number(0, to)
    if is_float(elem):
        return Val(to, t.cast(val, elem))
    val, limits, own = t.once(val, node), np.iinfo(elem), np.iinfo(val.type.elem if val.type.elem != "bool" else "uint8")
    for low, bound, needed in ((True, limits.min, own.min < limits.min), (False, limits.max, own.max > limits.max)):
        if needed:
            limit = n.const(int(bound), Scalar(val.type.elem))
            t.guard(node, n.binary("lt" if low else "gt", _BOOL, val.code, limit), *_complaint(type_, low))
    return Val(to, t.cast(val, elem))


def as_list(t, node, base):
    """list(base)"""
    elements = base.items[0]
    if elements.type.rank != 1:
        t.refuse(node, f"a list of the items of {base.type!r} with {elements.type.rank} dimensions is not compiled")
    kept = t.keep(t.plain(elements, node), node)
    elem = kept.type.elem
    kind = FLOAT if is_float(elem) else BOOL if elem == "bool" else INT
    to = Array(kind.elem, False, 1)
    if elem == "uint64":
        most = n.const((1 << 63) - 1, Scalar(elem))
        large = n.lib("any", _BOOL, n.binary("gt", Array("bool", False, 1), kept.code, most))
        t.guard(node, large, UnsupportedError, "an element that does not fit into int64 is not compiled")
    return t.array_as_list(Val(to, n.lib("copy", to, t.cast(kept, kind.elem))), kind, node)


def as_numpy(t, node, base):
    """The array that NumPy makes of the buffer; it shares the memory."""
    if base.type.cls is bytes:
        t.refuse(node, "NumPy treats bytes as a string", "write np.frombuffer(x, np.uint8)")
    return base.items[0]


def attribute(t, node, base, name):
    """An attribute of the class; None if it is not compiled."""
    kind, elements = base.type, base.items[0]
    if kind.cls is memoryview and name in ("shape", "ndim", "nbytes", "itemsize"):
        return t.attribute(elements, name, node)
    if kind.cls is memoryview and name in ("readonly", "format"):
        return t.value_of(kind.fixed if name == "readonly" else kind.code, node, name)
    if kind.cls is array.array and name in ("itemsize", "typecode"):
        return t.value_of(getattr(kind.sample(), name), node, name)
    if name in METHODS and hasattr(kind.sample(), name):
        from ._calls import Method
        from ._value import constant
        return constant(Method(base, name))
    return None


def compared(t, node, op, a, b):
    """a op b, where both are bytes objects or both are an array.array."""
    kinds = [v.type.cls if isinstance(v.type, Buffer) else None for v in (a, b)]
    if not (all(k in (bytes, bytearray) for k in kinds) or kinds == [array.array] * 2):
        t.refuse(node, f"comparing {a.type!r} and {b.type!r} is not compiled", "compare lists: list(x)")
    return t.compare(op, as_list(t, node, a), as_list(t, node, b), node)


def _method(name):
    def handler(t, node, base, *args):
        made = as_list(t, node, base)
        return made if name == "tolist" else t.list_method(name)(t, node, made, *args)
    return handler


METHODS = {name: _method(name) for name in ("tolist", "count", "index")}


def tuple_of_bytes(text):
    """The items of a constant bytes object."""
    return group("tuple", [number(k) for k in text])
