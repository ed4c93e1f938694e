"""The types of a call's arguments, and the numbers and arrays that they hold."""
from __future__ import annotations

import enum
import types

import numpy as np

from . import _list_arguments, _native
from ._errors import UnsupportedError
from ._records import Record, field_names, is_record_class, parts_of
from ._types import DTYPES, Const, Group, type_of_key

#: Texts of a list, all of which are constants of the version.
MOST_TEXTS = 64


class Flat(list):
    """The numbers and arrays of a call; `copied`: (position, name, array) of the arguments of which copies are passed; `lists`: id of a
    list -> its Given (_list_arguments.py)."""

    def __init__(self):
        super().__init__()
        self.copied, self.lists = [], {}


def constants_of(o):
    """The type of Python's own numbers, and of tuples of them, as constants; None of other objects."""
    if type(o) in (bool, float) or type(o) is int and -(1 << 63) <= o < 1 << 63 or o is None:
        return Const(o)
    if type(o) in (tuple, slice, range):
        items = [constants_of(i) for i in (o if type(o) is tuple else (o.start, o.stop, o.step))]
        return None if None in items else Group(type(o).__name__, items)
    return None


def classify(o, name, flat):
    """The type of an argument; the numbers and arrays that it holds are appended to `flat`."""
    t = type_of_key(_native.key(o))
    if t is not None:
        flat.append(o)
        return t
    if type(o) in _generators:
        from . import _random
        return _random.given(o, flat)
    if is_record_class(type(o)):
        return Record(type(o), [classify(i, f"{name}.{k}", flat) for k, i in zip(field_names(type(o)), parts_of(o))])
    if isinstance(o, tuple):
        return Group("tuple", [classify(i, f"{name}[{k}]", flat) for k, i in enumerate(o)])
    if type(o) is slice:
        return Group("slice", [classify(i, f"{name}.{k}", flat) for k, i in (("start", o.start), ("stop", o.stop), ("step", o.step))])
    if type(o) is range:
        return Group("range", [classify(i, f"{name}.{k}", flat) for k, i in (("start", o.start), ("stop", o.stop), ("step", o.step))])
    if o is Ellipsis:
        return Const(o)
    if type(o) is list and o and len(o) <= MOST_TEXTS and all(type(i) is str for i in o):
        return Group("list", [Const(i) for i in o])
    if type(o) is list:
        given = _list_arguments.given_list(o, name, flat)
        flat += given.arrays
        return given.type
    if type(o) is dict:
        t, arrays = _list_arguments.given_dict(o, name, flat)
        flat += arrays
        return t
    if type(o) is set:
        given = _list_arguments.given_set(o, name, flat)
        flat += given.arrays
        return Group("set", [given.type])
    if isinstance(o, enum.Enum):
        return Const(o)
    if o is None or isinstance(o, (str, type, np.dtype, types.FunctionType, types.BuiltinFunctionType, np.ufunc,
                                   types.ModuleType)) or hasattr(o, "_impl") or isinstance(o, _array_function):
        return Const(np.dtype(o) if isinstance(o, np.dtype) else o)
    if isinstance(o, np.ndarray):
        return classify_array(o, name, flat)
    if isinstance(o, np.generic):
        raise UnsupportedError(f"argument '{name}' is a {o.dtype}, which is not compiled",
                               hint="convert it: np.int64(...), np.float64(...)")
    if hasattr(o, "__dlpack__"):
        return classify(np.from_dlpack(o), name, flat)
    try:
        view = memoryview(o)
    except TypeError:
        hint = f"pass np.array({name})" if isinstance(o, list) else "pass NumPy arrays, numbers and tuples of them"
        raise UnsupportedError(f"argument '{name}' is a {type(o).__name__}, which is not compiled", hint=hint) from None
    return classify(np.asarray(view), name, flat)


_array_function = type(np.sum)
_generators = (np.random.Generator, np.random.RandomState)


def classify_array(a, name, flat):
    if type(a) is not np.ndarray and isinstance(a, np.memmap):
        return classify(a.view(np.ndarray), name, flat)
    why = hint = None
    if type(a) is not np.ndarray:
        why, hint = f"is a {type(a).__name__}", "pass np.asarray(x)"
    elif a.ndim == 0:
        why, hint = "has no dimensions", "pass the number: x.item() or x[()]"
    elif a.ndim > 16:
        why = f"has {a.ndim} dimensions, and at most 16 are compiled"
    elif not (a.dtype.isnative and a.flags.aligned) and a.dtype.newbyteorder("=") in DTYPES:
        flat.copied.append((len(flat), name, a))
        return classify(a.astype(a.dtype.newbyteorder("=")), name, flat)
    else:
        why = f"holds {a.dtype}"
        hint = f"pass {name}.astype(...), of bool, integers, float16, float32, float64, complex64 or complex128"
    raise UnsupportedError(f"argument '{name}' {why}, which is not compiled", hint=hint)
