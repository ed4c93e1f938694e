"""pycall: Python functions that compiled code calls through the interpreter, holding the GIL."""
from __future__ import annotations

import functools

import numpy as np

from ._annotations import ArrayType, ScalarType, accepted, understood
from ._types import BOOL, COMPLEX, DTYPES, FLOAT, INT, NONE, Array, Group, Scalar

_PYTHON = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, None: NONE, type(None): NONE}


class PyCall:
    """A Python function that compiled code may call. Called from Python, it behaves as the function itself."""

    draws = ()  # see _random.HostDraw

    def __init__(self, function, result):
        functools.update_wrapper(self, function)
        self.function, self.result = function, _type(result, function)

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __repr__(self):
        return f"pycall({self.function!r})"


def _type(hint, function):
    """The type (of _types) that a result's annotation states."""
    if isinstance(hint, tuple):
        return Group("tuple", [_type(h, function) for h in hint])
    try:
        if hint in _PYTHON:
            return _PYTHON[hint]
    except TypeError:
        pass
    known = understood(hint)
    if isinstance(known, tuple):
        return _type(known, function)
    if isinstance(known, ScalarType):
        elem, complex = DTYPES[known.dtype]
        return Scalar(elem, complex, known.wide)
    if isinstance(known, ArrayType) and known.ndim is not None:
        elem, complex = DTYPES[known.dtype]
        return Array(elem, complex, known.ndim)
    raise TypeError(f"pycall: the result type of {getattr(function, '__name__', function)!s} is {hint!r}; it must be float, f64[:, :], None, "
                    "or a tuple of these")


def pycall(function=None, result=...):
    """Lets compiled functions call a Python function through the interpreter.

    Use it as a decorator, `@pycall(result=f64[:])`, or as a function, `pycall(f, f64[:])`. Without `result`, the function's return annotation is
    used. Arguments are numbers and arrays. See docs/python.md, "Calling Python".
    """
    if function is None:
        return functools.partial(pycall, result=result)
    if not callable(function):
        raise TypeError(f"pycall needs a function, not {type(function).__name__}")
    if result is ...:
        hints = getattr(function, "__annotations__", {})
        if "return" not in hints:
            raise TypeError(f"pycall: give the result type of {getattr(function, '__name__', function)!s}: pycall(f, result=float)")
        result = hints["return"]
        if isinstance(result, str):
            result = accepted(function).get("return", {"bool": bool, "int": int, "float": float, "complex": complex, "None": None}.get(result, result))
    return PyCall(function, result)
