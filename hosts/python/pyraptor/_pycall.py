"""pycall: Python functions that compiled code calls without compiling them, holding the GIL."""
from __future__ import annotations

import functools

import numpy as np

from ._annotations import ArrayType, ScalarType, accepted, understood
from ._types import BOOL, COMPLEX, DTYPES, FLOAT, INT, NONE, Array, Group, Scalar

_PYTHON = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, None: NONE, type(None): NONE}


class PyCall:
    """A Python function that compiled code may call; called from Python it is the function itself."""

    draws = ()  # see _random.HostDraw

    def __init__(self, function, result):
        functools.update_wrapper(self, function)
        self.function, self.result = function, _type(result, function)

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __repr__(self):
        return f"pycall({self.function!r})"


def _type(hint, function):
    """The type of _types that a result's annotation promises."""
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
    raise TypeError(f"pycall: what {getattr(function, '__name__', function)!s} returns is {hint!r}; write float, f64[:, :], None, "
                    "or a tuple of these")


def pycall(function=None, result=...):
    """Lets compiled functions call a Python function as it is.

    As a decorator, `@pycall(result=f64[:])`, or `pycall(f, f64[:])` of a function that is there; without `result` the
    annotation of what it returns counts. The arguments are numbers and arrays. See docs/python.md, "Calling Python".
    """
    if function is None:
        return functools.partial(pycall, result=result)
    if not callable(function):
        raise TypeError(f"pycall needs a function, not {type(function).__name__}")
    if result is ...:
        hints = getattr(function, "__annotations__", {})
        if "return" not in hints:
            raise TypeError(f"pycall: say what {getattr(function, '__name__', function)!s} returns: pycall(f, result=float)")
        result = hints["return"]
        if isinstance(result, str):
            result = accepted(function).get("return", {"bool": bool, "int": int, "float": float, "complex": complex, "None": None}.get(result, result))
    return PyCall(function, result)
