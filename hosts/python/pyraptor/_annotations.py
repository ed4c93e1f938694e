"""Type annotations: `f64[:, :]`, the thesis' `PyArray(PyFloat64(), 2, 'RowMajor')`, `NDArray[np.float64]` and plain `float`."""
from __future__ import annotations

import types
import typing

import numpy as np

_LAYOUTS = {"RowMajor": "C", "ColMajor": "F", "Strided": None, "C": "C", "F": "F", None: None}


class ScalarType:
    """A scalar type of NumPy. `f64[:, :]` is the type of arrays of it, with one ':' per dimension; `f64(i64, f64[:])` is a signature; `f64(2)` is a
    scalar of the type."""

    def __init__(self, dtype):
        self.dtype = np.dtype(dtype)

    def __getitem__(self, dimensions):
        dimensions = dimensions if isinstance(dimensions, tuple) else (dimensions, )
        if not all(isinstance(d, slice) and d in (slice(None), slice(None, None, 1)) for d in dimensions):
            raise TypeError("write f64[:, :], with a ':' for each dimension")
        layout = "C" if dimensions[-1].step == 1 else None
        return ArrayType(self.dtype, len(dimensions), layout)

    def __call__(self, *arguments):
        from ._cfunc import Pointer
        if len(arguments) == 1 and not isinstance(arguments[0], (ScalarType, ArrayType, tuple, Pointer)):
            return self.dtype.type(arguments[0])
        from ._signatures import Signature
        return Signature(self, arguments)

    def __repr__(self):
        return str(self.dtype)

    @property
    def python(self):
        """The built-in Python type for this kind of number: bool, int, float or complex."""
        return {"f": float, "i": int, "u": int, "b": bool, "c": complex}[self.dtype.kind]

    @property
    def wide(self):
        """Whether this is the element type of a built-in Python number: int64, float64, complex128 or bool."""
        return self.dtype == np.dtype(self.python)

    def accept(self, value, name):
        """Converts the argument to this type. Raises TypeError if the conversion would lose information."""
        if not np.can_cast(np.min_scalar_type(value) if isinstance(value, (int, bool)) else np.asarray(value).dtype,
                           self.dtype, "same_kind"):
            raise TypeError(f"argument '{name}' is {value!r}, not {self}")
        return self.python(value) if self.wide else self.dtype.type(value)


class ArrayType:
    """An array type: element type, number of dimensions (None: any) and layout ('C', 'F', or None for any)."""

    def __init__(self, dtype, ndim, layout=None):
        self.dtype, self.ndim, self.layout = np.dtype(dtype), ndim, layout

    def __call__(self, *arguments):
        from ._signatures import Signature
        return Signature(self, arguments)

    def __repr__(self):
        return f"{self.dtype}[{', '.join(':' * (self.ndim or 0))}]"

    def accept(self, value, name):
        if not isinstance(value, np.ndarray) or value.dtype != self.dtype or self.ndim not in (None, value.ndim):
            what = f"{value.dtype} of {value.ndim} dimensions" if isinstance(value, np.ndarray) else type(value).__name__
            raise TypeError(f"argument '{name}' must be {self!r}, not {what}")
        if self.layout == "C" and not value.flags.c_contiguous or self.layout == "F" and not value.flags.f_contiguous:
            raise TypeError(f"argument '{name}' must be contiguous in {self.layout} order")
        return value


b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, c64, c128 = map(
    ScalarType, ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
                 "complex64", "complex128"))


# ---- the names of the thesis (9.2.1)
def PyInt32():
    return i32


def PyInt64():
    return i64


def PyFloat32():
    return f32


def PyFloat64():
    return f64


def PyComplex64():
    return c64


def PyComplex128():
    return c128


def PyBool():
    return b1


def PyArray(element, ndim, layout="RowMajor"):
    """An array type: PyArray(PyFloat64(), 2, 'RowMajor'); layouts RowMajor, ColMajor, Strided."""
    if layout not in _LAYOUTS:
        raise ValueError(f"a layout is RowMajor, ColMajor or Strided, not {layout!r}")
    return ArrayType(element.dtype, ndim, _LAYOUTS[layout])


_WITHOUT_CALL = {f: f() for f in (PyInt32, PyInt64, PyFloat32, PyFloat64, PyComplex64, PyComplex128, PyBool)}


def understood(hint):
    """The ScalarType, ArrayType, or tuple of these, that an annotation stands for; None if PyRaptor does not know the annotation. As in the thesis
    (figure 4.1), the classes may also be written without parentheses."""
    if isinstance(hint, (ScalarType, ArrayType)):
        return hint
    if isinstance(hint, types.FunctionType):
        if hint is PyArray:
            raise TypeError("PyArray alone is not a type: write PyArray(PyFloat64(), 2, 'RowMajor')")
        return _WITHOUT_CALL.get(hint)
    alias = typing.get_origin(hint)
    if hasattr(alias, "__value__"):  # from NumPy 2.5 on, NDArray[...] is a type alias
        hint = alias.__value__[typing.get_args(hint)]
    if typing.get_origin(hint) is tuple:
        items = tuple(map(understood, typing.get_args(hint)))
        return items if any(i is not None for i in items) and Ellipsis not in typing.get_args(hint) else None
    if typing.get_origin(hint) is np.ndarray:
        inner = typing.get_args(typing.get_args(hint)[1])
        if inner and isinstance(inner[0], type) and issubclass(inner[0], np.generic):
            try:
                return ArrayType(np.dtype(inner[0]), None)
            except TypeError:
                pass
    return None


def accepted(function):
    """Maps parameter names (and "return") to types, for the annotations that PyRaptor knows. Other annotations are ignored."""
    out = {name: understood(_evaluated(hint, function)) for name, hint in getattr(function, "__annotations__", {}).items()}
    return {name: hint for name, hint in out.items() if hint is not None}


def _evaluated(hint, function):
    """The annotation's value. An annotation that is a string (as under `from __future__ import annotations`) is evaluated in the function's
    globals."""
    if not isinstance(hint, str):
        return hint
    names = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            pass
    try:
        return eval(hint, function.__globals__, names)
    except Exception:
        return None


def accept(hint, value, name):
    """Converts the argument to the annotated type (a tuple item by item). Raises TypeError if the conversion would lose information."""
    if not isinstance(hint, tuple):
        return value if hint is None else hint.accept(value, name)
    if not isinstance(value, tuple) or len(value) != len(hint):
        raise TypeError(f"argument '{name}' must be a tuple of {len(hint)}, not {value!r}")
    return tuple(accept(h, v, f"{name}[{k}]") for k, (h, v) in enumerate(zip(hint, value)))
