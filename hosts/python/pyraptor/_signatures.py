"""Signatures as Numba's decorators accept them: f64(f64[:], i64), "float64(float64[:], int64)", or a list of them."""
from __future__ import annotations

import numpy as np

from ._annotations import ArrayType, ScalarType, b1, c64, c128, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64


class Void:
    """The result type of a function that returns nothing."""

    def __call__(self, *arguments):
        return Signature(None, arguments, True)

    def __repr__(self):
        return "void"


void = Void()


class Signature:
    """The types of the arguments and of the result. `result` is None if it is not given, or if the function returns nothing (`is_void`)."""

    def __init__(self, result, arguments, is_void=False):
        from ._cfunc import Pointer
        self.is_void = is_void
        for a in (*arguments, *([] if result is None else [result])):
            if not isinstance(a, (ScalarType, ArrayType, tuple, Pointer)):
                raise TypeError(f"{a!r} is not a type in a signature: write f64, f64[:, :], or tuples of these")
        self.result, self.arguments = result, tuple(arguments)

    def __repr__(self):
        return f"{'void' if self.result is None else self.result}({', '.join(map(repr, self.arguments))})"


class Tuple(tuple):
    """The type of a tuple. Like other types, it can be called to make a signature."""

    def __call__(self, *arguments):
        return Signature(self, arguments)


def _uniform(type_, count):
    return Tuple((type_, ) * count)


#: The names in signature strings. As in NumPy, the digits in short names count bytes: "i8" is int64.
_NAMES = {"void": void, "none": void, "boolean": b1, "bool_": b1, "b1": b1, "int8": i8, "int16": i16, "int32": i32, "int64": i64, "uint8": u8, "uint16": u16,
          "uint32": u32, "uint64": u64, "float16": f16, "float32": f32, "float64": f64, "complex64": c64, "complex128": c128, "i1": i8, "i2": i16, "i4": i32, "i8": i64,
          "u1": u8, "u2": u16, "u4": u32, "u8": u64, "f2": f16, "f4": f32, "f8": f64, "c8": c64, "c16": c128, "int_": i64, "intp": i64, "uintp": u64, "uint": u64,
          "intc": i32, "float_": f64, "double": f64, "byte": u8, "f16": f16, "f32": f32, "f64": f64, "i16": i16, "i32": i32, "i64": i64,
          "u16": u16, "u32": u32, "u64": u64, "c64": c64, "c128": c128, "Tuple": Tuple, "UniTuple": _uniform}


def understood(given):
    """The Signatures described by a decorator's argument."""
    if isinstance(given, list):
        return [s for g in given for s in understood(g)]
    if isinstance(given, Signature):
        return [given]
    if isinstance(given, str):
        value = _value_of(given, "signature")
        return understood(value if isinstance(value, (Signature, tuple)) else (value, ))
    if isinstance(given, tuple):
        return [Signature(None, given)]
    raise TypeError(f"{given!r} is not a signature")


def _value_of(text, what):
    from ._cfunc import CPointer, voidptr
    try:
        return eval(text, {"__builtins__": {}}, {"CPointer": CPointer, "voidptr": voidptr, **_NAMES})
    except Exception as e:
        raise TypeError(f"{text!r} is not a {what}: {e}") from None


def type_of(text):
    """The type that a string describes, such as "float64[:]" or "Tuple((f8, i8))"; TypeError if it describes none."""
    found = _value_of(text, "type")
    if not isinstance(found, (ScalarType, ArrayType, tuple)):
        raise TypeError(f"{text!r} is not a type")
    return found


def fits(hint, value):
    """0: the argument has this type; 1: it can be converted to it; None: it cannot."""
    if isinstance(hint, tuple):
        if not isinstance(value, tuple) or len(value) != len(hint):
            return None
        found = [fits(h, v) for h, v in zip(hint, value)]
        return None if None in found else max(found, default=0)
    try:
        hint.accept(value, "it")
    except TypeError:
        return None
    if isinstance(hint, ArrayType):
        return 0
    same = type(value) is hint.dtype.type or hint.wide and type(value) is hint.python
    return 0 if same else 1 if not isinstance(value, np.ndarray) else None
