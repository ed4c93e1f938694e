"""Queries of types, answered at compile time: type(), getattr, np.finfo, np.dtype and others; conversion of strings to numbers."""
from __future__ import annotations

import numpy as np

from . import _records
from ._numpy import function
from ._types import Choice, Const, Rank0, numpy_dtype
from ._value import constant, number


def sample_of(t, node, x, what):
    """An object of the class that the value has in Python."""
    if x.is_array:
        return np.ndarray((0, ))
    if isinstance(x.type, Rank0):
        return np.ndarray(())
    if x.is_scalar:
        if x.type.weak:
            return {"bool": True, "int64": 0, "float64": 0.0}[x.type.elem] if not x.type.complex else 0j
        return numpy_dtype(x.type).type(0)
    if isinstance(x.type, Choice) and None not in x.type.values:
        return x.type.values[0]
    if isinstance(x.type, Const):
        return x.type.value
    if isinstance(x.type, _records.Record):
        cls = x.type.cls
        return tuple.__new__(cls, x.items) if issubclass(cls, tuple) else object.__new__(cls)
    if x.is_group("buffer"):
        return x.type.sample()
    samples = {"tuple": (), "list": [], "fixed": [], "growing": [], "empty": [], "set": set(), "dict": {}, "fields": {}, "range": range(0), "slice": slice(0),
               "zip": zip(), "enumerate": enumerate(()), "text": ""}
    if x.type.kind not in samples:
        t.refuse(node, f"{what} of {x.type!r} is not compiled")
    return samples[x.type.kind]


@function(isinstance)
def isinstance_(t, node, x, types):
    def plain(w):
        return tuple(plain(i) for i in w.items) if w.is_group() else t.static(w, node, "the type")

    wanted, sample = plain(types), sample_of(t, node, x, "isinstance")
    try:
        return number(isinstance(sample, wanted))
    except TypeError as e:
        t.raise_(node, TypeError, str(e))
        return number(False)


@function(type)
def type_(t, node, x):
    return constant(type(sample_of(t, node, x, "type()")))


@function(issubclass)
def issubclass_(t, node, cls, types):
    wanted = tuple(t.static(w, node, "the type") for w in (types.items if types.is_group() else [types]))
    cls = t.static(cls, node, "the class")
    try:
        return number(issubclass(cls, wanted))
    except TypeError as e:
        t.raise_(node, TypeError, str(e))
        return number(False)


@function(getattr)
def getattr_(t, node, x, name, default=None):
    word = t.static(name, node, "the attribute's name")
    if not isinstance(word, str):
        t.raise_(node, TypeError, f"attribute name must be string, not '{type(word).__name__}'")
        return constant(None)
    if not hasattr(sample_of(t, node, x, "getattr"), word):
        if default is not None:
            return default
        t.raise_(node, AttributeError, f"'{type(sample_of(t, node, x, 'getattr')).__name__}' object has no attribute '{word}'")
        return constant(None)
    return t.attribute(x, word, node)


@function(hasattr)
def hasattr_(t, node, x, name):
    word = t.static(name, node, "the attribute's name")
    return number(isinstance(word, str) and hasattr(sample_of(t, node, x, "hasattr"), word))


@function(callable)
def callable_(t, node, x):
    return number(callable(sample_of(t, node, x, "callable")))


# ---- NumPy's queries of types
def _answers():
    def plain(t, node, v):
        if v.is_array:
            t.refuse(node, "an array cannot stand for its dtype here", "write x.dtype")
        if v.is_scalar:
            return numpy_dtype(v.type)
        return t.static(v, node, "the type")

    for f in (np.finfo, np.iinfo):
        def info(t, node, type, f=f):
            kind = plain(t, node, type)
            try:
                return constant(f(kind))
            except (ValueError, TypeError) as e:
                t.raise_(node, e.__class__, str(e))
                return constant(None)
        function(f)(info)

    @function(np.dtype)
    def dtype(t, node, dtype):
        kind = plain(t, node, dtype)
        try:
            return constant(np.dtype(kind))
        except (TypeError, ValueError) as e:
            t.raise_(node, type(e), str(e))
            return constant(None)

    for f in (np.issubdtype, getattr(np, "isdtype", None)):
        def test(t, node, a, b, f=f):
            a, b = plain(t, node, a), plain(t, node, b)
            try:
                return number(bool(f(a, b)))
            except (TypeError, ValueError) as e:
                t.raise_(node, type(e), str(e))
                return number(False)
        function(f)(test)

    @function(np.can_cast)
    def can_cast(t, node, from_, to, casting=None):
        given = [plain(t, node, x) for x in (from_, to)]
        try:
            return number(bool(np.can_cast(*given, *(() if casting is None else (plain(t, node, casting), )))))
        except (TypeError, ValueError) as e:
            t.raise_(node, type(e), str(e))
            return number(False)

    @function(np.isscalar)
    def isscalar(t, node, element):
        return number(bool(np.isscalar(sample_of(t, node, element, "np.isscalar"))))

    for f in (np.iscomplexobj, np.isrealobj):
        def kind(t, node, x, f=f):
            x = t.array_of(x, node) if x.is_group("list", "tuple") else x
            if not x.is_numeric:
                t.refuse(node, f"np.{f.__name__} of {x.type!r} is not compiled")
            return number(x.type.complex == (f is np.iscomplexobj))
        function(f)(kind)


_answers()


def text_of(val):
    """The constant string, or None."""
    return val.type.value if isinstance(val.type, Const) and isinstance(val.type.value, (str, bytes)) else None
