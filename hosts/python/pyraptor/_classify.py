"""Types of the arguments of a call, and the numbers and arrays in them that are passed to compiled code."""
from __future__ import annotations

import enum
import numbers
import types

import numpy as np

from . import _buffers, _fields, _list_arguments, _native, _ragged, _structured
from ._errors import UnsupportedError
from ._records import Record, field_names, is_record_class, parts_of
from ._types import DTYPES, Const, Group, Rank0, leaves, type_of_key

#: Maximum number of strings in a list argument. They are constants of the version.
MOST_TEXTS = 64
#: Maximum number of arrays and other objects in a list argument. As for a tuple, their number is part of the version's type.
MOST_OBJECTS = 64
_OBJECTS = (np.ndarray, type(None))


class Flat(list):
    """The numbers and arrays of a call, in the order of the parameters. `copied`: (position, name, array) of the arguments that are passed as copies;
    `lists`: id of a list -> its Given (_list_arguments.py); `without_dimensions`: position of an element -> the 0-d array that holds it."""

    def __init__(self):
        super().__init__()
        self.copied, self.lists, self.without_dimensions = [], {}, {}


def constants_of(o):
    """The type of built-in Python numbers, and of tuples of them, as constants; None for other objects."""
    if type(o) in (bool, float) or type(o) is int and -(1 << 63) <= o < 1 << 63 or o is None:
        return Const(o)
    if type(o) in (tuple, slice, range):
        items = [constants_of(i) for i in (o if type(o) is tuple else (o.start, o.stop, o.step))]
        return None if None in items else Group(type(o).__name__, items)
    return None


def classify(o, name, flat):
    """The type of an argument. Appends the numbers and arrays in it to `flat`."""
    t = type_of_key(_native.key(o))
    if t is not None:
        flat.append(o)
        return t
    if type(o) is int:
        raise UnsupportedError(f"argument '{name}' is an int that does not fit into 64 bits, which is not compiled", hint="pass a float, or call the function's __wrapped__")
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
    if type(o) is list and o and (ragged := _ragged.given(o, name, flat, MOST_OBJECTS)) is not None:
        return ragged
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
    """A hint what to pass instead of an object of a class that cannot be compiled."""
    if isinstance(o, list):
        return f"pass np.array({name})"
    if isinstance(o, np.ma.MaskedArray):
        return f"pass {name}.filled(...), or {name}.data and np.ma.getmaskarray({name})"
    if isinstance(o, np.ndarray):
        return f"pass np.asarray({name})"
    if hasattr(o, "to_numpy"):  # for example a column of a pandas data frame
        return f"pass {name}.to_numpy()"
    if isinstance(o, numbers.Number):
        return f"pass {'int' if isinstance(o, numbers.Integral) else 'float'}({name})"
    if isinstance(o, dict):
        return f"pass dict({name})"
    return f"pass tuple({name}), or an array of it" if hasattr(o, "__next__") else "pass NumPy arrays, numbers and tuples of them"


def _instead_of_elements(dtype, name):
    """A hint what to pass instead of an array of elements that cannot be compiled."""
    if dtype.kind in "mM":
        return f"pass {name}.view(np.int64), which counts {np.datetime_data(dtype)[0]}"
    if dtype.kind in "SU":
        return f"pass numbers instead of strings: np.unique({name}, return_inverse=True)[1]"
    if dtype.names is not None:
        return f"pass its fields: {name}[{dtype.names[0]!r}]"
    return f"pass {name}.astype(...), of bool, integers, float16, float32, float64, complex64 or complex128"


class Argument:
    """A placeholder in a result for a 0-d array argument. `place`: its position among the numbers and arrays of the call."""

    def __init__(self, place):
        self.place = place


def returns_rank0(t):
    """Whether a result of this type may contain 0-d array arguments."""
    return any(isinstance(x, Rank0) and x.place is not None for x in leaves(t))


def with_arguments(result, flat):
    """Replaces the Arguments in the result by the arrays that they stand for."""
    if type(result) is Argument:
        return flat.without_dimensions[result.place]
    if type(result) in (tuple, list):
        return type(result)(with_arguments(r, flat) for r in result)
    return result


def _holds_no_list(o):
    return all(map(_holds_no_list, o)) if isinstance(o, tuple) else not isinstance(o, (list, dict, set))


def _is_object(o):
    """Whether this object, as an item of a list, makes it a list whose length is part of the type."""
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
        why, hint = f"is a 0-d array of {a.dtype}", "pass the number: x.item() or x[()]"
    elif a.ndim > 16:
        why, hint = f"has {a.ndim} dimensions, more than 16", f"pass {name}.reshape(...) with fewer dimensions"
    elif not (a.dtype.isnative and a.flags.aligned) and a.dtype.newbyteorder("=") in DTYPES:
        flat.copied.append((len(flat), name, a))
        return classify(a.astype(a.dtype.newbyteorder("=")), name, flat)
    else:
        why, hint = f"holds {a.dtype}", _instead_of_elements(a.dtype, name)
    raise UnsupportedError(f"argument '{name}' {why}, which is not compiled", hint=hint)
