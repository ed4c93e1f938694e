"""The types of a call's arguments, and the numbers and arrays that they hold."""
from __future__ import annotations

import enum
import numbers
import types

import numpy as np

from . import _buffers, _fields, _list_arguments, _native, _structured
from ._errors import UnsupportedError
from ._records import Record, field_names, is_record_class, parts_of
from ._types import DTYPES, Const, Group, Rank0, leaves, type_of_key

#: Texts of a list, all of which are constants of the version.
MOST_TEXTS = 64
#: Arrays and other objects of a list, whose number is part of the version, as that of a tuple is.
MOST_OBJECTS = 64
_OBJECTS = (np.ndarray, type(None))


class Flat(list):
    """The numbers and arrays of a call; `copied`: (position, name, array) of the arguments of which copies are passed; `lists`: id of a
    list -> its Given (_list_arguments.py); `without_dimensions`: position of an element -> the array that holds it."""

    def __init__(self):
        super().__init__()
        self.copied, self.lists, self.without_dimensions = [], {}, {}


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
    if type(o) is int:
        raise UnsupportedError(f"argument '{name}' is an int beyond 64 bits, which is not compiled", hint="pass a float, or call the function's __wrapped__")
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
    if type(o) is list and o and len(o) <= MOST_OBJECTS and all(map(_holds_no_list, o)) and any(map(_is_object, o)):
        return Group("list", [classify(i, f"{name}[{k}]", flat) for k, i in enumerate(o)])
    if type(o) is list:
        given = _list_arguments.given_list(o, name, flat)
        flat += given.arrays
        return given.type
    if type(o) is dict and _fields.are_keys(o):
        return _fields.Fields(o, [classify(v, f"{name}[{k!r}]", flat) for k, v in o.items()])
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
    if type(o) in _buffers.CLASSES:
        make, elements = _buffers.given(o, name)
        return make(classify(elements, name, flat))
    raise UnsupportedError(f"argument '{name}' is {_an(type(o).__name__)}, which is not compiled", hint=_instead_of(o, name))


def _an(word):
    return f"an {word}" if word[0] in "aeiouAEIOU" else f"a {word}"


def _instead_of(o, name):
    """What to pass instead of an object of a class that is not compiled."""
    if isinstance(o, list):
        return f"pass np.array({name})"
    if isinstance(o, np.ma.MaskedArray):
        return f"pass {name}.filled(...), or {name}.data and np.ma.getmaskarray({name})"
    if isinstance(o, np.ndarray):
        return f"pass np.asarray({name})"
    if hasattr(o, "to_numpy"):  # a column of pandas, say
        return f"pass {name}.to_numpy()"
    if isinstance(o, numbers.Number):
        return f"pass {'int' if isinstance(o, numbers.Integral) else 'float'}({name})"
    if isinstance(o, dict):
        return f"pass dict({name})"
    return f"pass tuple({name}), or an array of it" if hasattr(o, "__next__") else "pass NumPy arrays, numbers and tuples of them"


def _instead_of_elements(dtype, name):
    """What to pass instead of an array of such elements."""
    if dtype.kind in "mM":
        return f"pass {name}.view(np.int64), the numbers of {np.datetime_data(dtype)[0]}"
    if dtype.kind in "SU":
        return f"pass numbers for the texts: np.unique({name}, return_inverse=True)[1]"
    if dtype.names is not None:
        return f"pass its fields: {name}[{dtype.names[0]!r}]"
    return f"pass {name}.astype(...), of bool, integers, float16, float32, float64, complex64 or complex128"


class Argument:
    """Stands in a result for the array without dimensions at a position of the call's numbers."""

    def __init__(self, place):
        self.place = place


def returns_rank0(t):
    """Whether arguments without dimensions may be among results of this type."""
    return any(isinstance(x, Rank0) and x.place is not None for x in leaves(t))


def with_arguments(result, flat):
    """The result, with the arguments that it has Arguments for."""
    if type(result) is Argument:
        return flat.without_dimensions[result.place]
    if type(result) in (tuple, list):
        return type(result)(with_arguments(r, flat) for r in result)
    return result


def _holds_no_list(o):
    return all(map(_holds_no_list, o)) if isinstance(o, tuple) else not isinstance(o, (list, dict, set))


def _is_object(o):
    """Whether an object, in a list, makes it one of known length."""
    return any(map(_is_object, o)) if type(o) is tuple else isinstance(o, _OBJECTS) or is_record_class(type(o))


_array_function = type(np.sum)
_generators = (np.random.Generator, np.random.RandomState)


def classify_array(a, name, flat):
    if type(a) is not np.ndarray and isinstance(a, np.memmap):
        return classify(a.view(np.ndarray), name, flat)
    why = hint = None
    if type(a) in (np.ndarray, np.recarray) and 0 < a.ndim <= 16 and _structured.is_compiled(a.dtype):
        return _structured.given(a, name, flat)
    if type(a) is np.ndarray and a.ndim == 0 and a.dtype.isnative and a.dtype in DTYPES:
        elem, complex = DTYPES[a.dtype]
        flat.without_dimensions[len(flat)] = a
        flat.append(a[()])
        return Rank0(elem, complex, len(flat) - 1)
    if type(a) is not np.ndarray:
        why, hint = f"is {_an(type(a).__name__)}", _instead_of(a, name)
    elif a.ndim == 0:
        why, hint = f"holds {a.dtype} and has no dimensions", "pass the number: x.item() or x[()]"
    elif a.ndim > 16:
        why, hint = f"has {a.ndim} dimensions, of more than 16", f"pass {name}.reshape(...) of fewer"
    elif not (a.dtype.isnative and a.flags.aligned) and a.dtype.newbyteorder("=") in DTYPES:
        flat.copied.append((len(flat), name, a))
        return classify(a.astype(a.dtype.newbyteorder("=")), name, flat)
    else:
        why, hint = f"holds {a.dtype}", _instead_of_elements(a.dtype, name)
    raise UnsupportedError(f"argument '{name}' {why}, which is not compiled", hint=hint)
