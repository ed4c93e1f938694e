"""Calls of functions of NumPy, math and Python: a table from function objects to handlers.

A handler is `f(t, node, *args, **kwargs)`: `t` is the Function that is translated, `node` is the call, and the arguments are Vals. METHODS holds the
handlers of methods of arrays and numbers, by name. The files _numpy_*.py fill both tables. Functions that need loops are written in Python in
library.py.
"""
from __future__ import annotations

import functools
import inspect
import re

TABLE = {}    # id of a function object -> (the object, handler)
METHODS = {}  # method name -> handler
OTHERWISE = "call it outside of the compiled function, or write it with what pyraptor.supported() lists"
HINTS = {"open": "read files outside of the compiled function",
         "dict": "use arrays", 
         "fft": "call it outside of the compiled function"}


def function(*objects, method=None):
    """Registers the handler for function objects and a method name. A function object that is None (missing in this version of NumPy) is skipped."""
    def register(handler):
        for o in objects:
            if o is not None:
                TABLE[id(o)] = (o, handler)
        for name in (method, ) if isinstance(method, str) else method or ():
            METHODS[name] = handler
        return handler
    return register


#: Modules of handlers that do not support float16, except in the functions listed. NumPy refuses float16 there (np.linalg), or does not compute in
#: float32 with one rounding at the end.
_WITHOUT_FLOAT16 = {"_numpy_called": (), "_numpy_fourier": (), "_numpy_matrices": (), "_numpy_more": ("sinc", "isposinf", "isneginf"),
                    "_numpy_nan": ("nansum", "nanmin", "nanmax"), "_numpy_norms": (), "_numpy_random": (), "_numpy_sets": ("unique", ),
                    "_scipy": ()}
_FUNCTIONS_WITHOUT_FLOAT16 = ("linspace", "histogram", "histogram_bin_edges", "bincount", "gradient", "polyval", "vander", "cross",
                              "trapezoid", "interp", "arange", "cumsum", "cumprod", "nextafter", "spacing", "frexp", "ldexp", "modf")


def takes_float16(f, handler):
    """Whether a function of the table supports float16."""
    name = getattr(f, "__name__", None) or getattr(f, "name", "")
    module = handler.__module__.rpartition(".")[2]
    return name in _WITHOUT_FLOAT16[module] if module in _WITHOUT_FLOAT16 else name not in _FUNCTIONS_WITHOUT_FLOAT16


def find(o):
    """The handler for a function object, or None."""
    entry = TABLE.get(id(o))
    if entry is not None:
        return entry[1]
    owner, name = getattr(o, "__self__", None), getattr(o, "__name__", "")  # bound methods are new objects at each access, so they are found by name
    if owner is dict and name == "fromkeys":
        return _dicts.fromkeys
    return _numpy_ufuncs.find(owner, name) or _scipy.find(o)


@functools.lru_cache(maxsize=4096)
def parameters(handler):
    """The signature of a handler as seen by callers. Parameters with a default other than None are internal: they distinguish the functions that
    share a handler."""
    whole = inspect.signature(handler)
    return whole.replace(parameters=[p for p in whole.parameters.values() if p.default in (p.empty, None)])


@functools.lru_cache(maxsize=4096)
def keywords(f):
    """The names that NumPy's function accepts as keywords; None if they cannot be determined."""
    try:
        given = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):  # built-in functions of NumPy 1: parse the docstring, "array(object, dtype=None, *, copy=True, ...)"
        head = re.match(rf"\s*{re.escape(getattr(f, '__name__', ''))}\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*\n\n", f.__doc__ or "")
        return frozenset(re.findall(r"(?:^|[\s\[,])(\w+)\s*(?==|,|\]|$)", head[1])) if head else None
    if any(p.kind is p.VAR_KEYWORD for p in given):
        return None
    return frozenset(p.name for p in given if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY))


def of_arrays(f):
    """Whether a function converts list arguments to arrays."""
    from ._calls import Method
    if isinstance(f, Method):
        return f.base.is_numeric
    return "numpy" in {(m or "").split(".")[0] for m in (getattr(f, "__module__", None), type(f).__module__,
                                                          type(getattr(f, "__self__", None)).__module__)}


def owns(f):
    """Whether a Python function belongs to NumPy."""
    return (f.__module__ or "").split(".")[0] == "numpy"


def hint(o):
    return HINTS.get(getattr(o, "__name__", ""), OTHERWISE)


from . import (_dicts, _functional, _itertools, _numpy_arrays, _numpy_called, _numpy_elementwise, _numpy_fourier, _numpy_indices,  # noqa: E402,F401
               _numpy_linear, _numpy_matrices, _numpy_more, _numpy_nan, _numpy_norms, _numpy_order, _numpy_python, _numpy_random, _numpy_rearrange,
               _numpy_reduce, _numpy_sets, _numpy_shapes, _numpy_ufuncs, _numpy_views, _numpy_windows, _python_types, _scipy, _texts, _time)
