"""Types of the front end: VRIR's numbers and arrays, and values that exist at compile time only or consist of several (tuples, constants, ranges).

A *weak* number is a Python number (int, float, bool, complex): in an operation with a NumPy type it takes that type's precision (NumPy 2's promotion,
NEP 50). All types are immutable and compare by value.
"""
from __future__ import annotations

import numpy as np

from . import _native

#: For each element type: name, code, size in bytes, NumPy's kind letter (velociraptor/ir/elements.def).
_TABLE = _native.elements
ELEMS = tuple(row[0] for row in _TABLE)
CODES = {name: code for name, code, *_ in _TABLE}
_BYTES = {name: bytes for name, _, bytes, *_ in _TABLE}
_LETTERS = {name: letter for name, _, _, letter in _TABLE}
COMPLEX_BIT = 16
LAYOUTS = ("rowmajor", "colmajor", "strided")


class Type:
    __slots__ = ()

    def _key(self):
        return tuple(getattr(self, s) for s in self.__slots__)

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self):
        return hash((type(self).__name__, self._key()))


class Scalar(Type):
    """A number. `elem` is one of ELEMS."""

    __slots__ = ("elem", "complex", "weak")

    def __init__(self, elem, complex=False, weak=False):
        self.elem, self.complex, self.weak = elem, complex, weak

    rank = 0

    def vrir(self):
        return f"({self.elem} :ctype 1)" if self.complex else f"({self.elem})"

    def __repr__(self):
        if self.weak:
            return "complex" if self.complex else {"bool": "bool", "int64": "int", "float64": "float"}[self.elem]
        return elem_name(self.elem, self.complex)


class Rank0(Scalar):
    """A 0-d array, represented by its element. Results computed from it are NumPy scalars, as in NumPy. Changes in place are refused. `place`: for an
    argument, its position among the numbers of the call; None if the value may be any 0-d array, or a number."""

    __slots__ = ("place",)

    def __init__(self, elem, complex=False, place=None):
        super().__init__(elem, complex)
        self.place = place

    def _key(self):
        return self.elem, self.complex, self.place

    def __repr__(self):
        return f"{elem_name(self.elem, self.complex)}[()]"


class Array(Type):
    """An array of `rank` dimensions as Python sees it.

    `axes` is None, or gives for each Python axis the corresponding axis of the VRIR array (-1: added by np.newaxis). So a transposed array is the
    same VRIR array with permuted axes, and remains a view. `base_rank` is the rank of the VRIR array.
    """

    __slots__ = ("elem", "complex", "rank", "layout", "axes")

    def __init__(self, elem, complex, rank, layout="rowmajor", axes=None):
        if axes is not None and axes == tuple(range(rank)):
            axes = None
        self.elem, self.complex, self.rank, self.layout, self.axes = elem, complex, rank, layout, axes

    @property
    def base_rank(self):
        return self.rank if self.axes is None else sum(a >= 0 for a in self.axes)

    def vrir(self):
        return f"(arraytype :layout {self.layout} :ndims {self.base_rank} {Scalar(self.elem, self.complex).vrir()})"

    def element(self):
        return Scalar(self.elem, self.complex)

    def base(self):
        """The VRIR array that contains the elements."""
        return self if self.axes is None else Array(self.elem, self.complex, self.base_rank, self.layout)

    def fresh(self, rank=None, layout="rowmajor"):
        return Array(self.elem, self.complex, self.rank if rank is None else rank, layout)

    def with_axes(self, axes):
        return Array(self.elem, self.complex, len(axes), self.layout, tuple(axes))

    def __repr__(self):
        return f"{elem_name(self.elem, self.complex)}[{', '.join(':' * self.rank)}]"


class NotNumeric(AttributeError):
    """An attribute that only numbers and arrays have was read from another type, `type`."""

    def __init__(self, of, name):
        super().__init__(f"{of!r} has no '{name}'")
        self.type = of


class Group(Type):
    """Several values under one name: a tuple, a list of known length, a range, a slice ... `kind` tells which."""

    __slots__ = ("kind", "items")

    def __init__(self, kind, items):
        self.kind, self.items = kind, tuple(items)

    def with_items(self, items):
        """A group of the same kind with other items."""
        return Group(self.kind, items)

    def __repr__(self):
        return f"{self.kind}({', '.join(map(repr, self.items))})"

    def __getattr__(self, name):
        if name.startswith("_") or name in self.__slots__:  # for example while copy.copy makes a copy
            raise AttributeError(name)
        raise NotNumeric(self, name)


class List(Group):
    """A Python list of numbers or of tuples of numbers. `item`: the type of its items, a Scalar or a tuple type; None if it is not known, because the
    list is empty so far. There is one array for each number of an item.

    kind 'fixed': the arrays have the list's length, which this function does not change. With a rank above 1 it is a list of lists (of lists ...) of
    equal lengths. kind 'growing': arrays with spare room, the length, and a number that identifies the list within the call. kind 'empty': `item` is
    not known.
    """

    __slots__ = ("item", "rank")

    def __init__(self, kind, item=None, rank=1, layout="rowmajor"):
        arrays = [Array(s.elem, s.complex, rank, layout) for s in leaves(item)] if item is not None else []
        super().__init__(kind, arrays + ([INT, INT] if kind == "growing" else []))
        self.item, self.rank = item, rank

    def _key(self):
        return self.kind, self.items, self.item, self.rank

    @property
    def layout(self):
        return self.items[0].layout if self.items else "rowmajor"

    def __repr__(self):
        return "list" if self.item is None else "list of " + "lists of " * (self.rank - 1) + repr(self.item)


class Row(Group):
    """A list or a vector that is an item of a list: a handle (_rows.py). `item`: the type of its items, a Scalar, a tuple type or a Row; None if it is not
    known, because the row is empty so far. `form`: "list" or "array"."""

    __slots__ = ("item", "form")

    def __init__(self, item, form="list"):
        super().__init__("row", [INT])
        self.item, self.form = item, form

    def _key(self):
        return self.item, self.form

    def with_items(self, items):
        return self

    def __repr__(self):
        return "list" if self.item is None else f"list of {self.item!r}" if self.form == "list" else f"{self.item!r}[:]"


class Ragged(Group):
    """A list of rows as an argument or a result. `item`: the type of the rows. Its parts: handles; start and count of each row; for each level of rows,
    the arrays of their items; the number of rows that are arguments."""

    __slots__ = ("item", )

    def __init__(self, item):
        level, arrays = item, [Array("int64", False, 1)] * 3
        while isinstance(level, Row):
            if level.item is not None:
                arrays += [Array(s.elem, s.complex, 1) for s in leaves(level.item)]
            level = level.item
        super().__init__("ragged", [*arrays, INT])
        self.item = item

    def _key(self):
        return (self.item, )

    def with_items(self, items):
        return self

    def __repr__(self):
        return f"list of {self.item!r}"


class Grown(Group):
    """A string whose number of parts is known only at run time (_grown.py): the place of its first entry, and their count."""

    __slots__ = ()

    def __init__(self):
        super().__init__("grown", [INT, INT])

    def with_items(self, items):
        return self

    def __repr__(self):
        return "str"


class TextList(Group):
    """A list of such strings as a result: places and counts, and the entries."""

    __slots__ = ("templates", )

    def __init__(self, templates):
        super().__init__("texts", [Array("int64", False, 1)] * 4 + [Array("float64", False, 1)])
        self.templates = templates

    def _key(self):
        return (id(self.templates), )

    def with_items(self, items):
        return self

    def __repr__(self):
        return "list of str"


class Zipped(Group):
    """A list of tuples, or a dictionary, with rows or strings in it, as a result: a column for each part of the tuples. `make`: list or dict."""

    __slots__ = ("make", )

    def __init__(self, make, items):
        super().__init__("zipped", items)
        self.make = make

    def _key(self):
        return self.make, self.items

    def with_items(self, items):
        return Zipped(self.make, items)

    def __repr__(self):
        return "list of tuples" if self.make is list else "dictionary of lists or strings"


def is_text_type(t):
    """Whether all values of this type are strings."""
    return isinstance(t, Group) and t.kind in ("text", "grown") or isinstance(t, Const) and type(t.value) is str or isinstance(t, Choice) and None not in t.values


def join_rows(a, b):
    """The common type of two rows; None if there is none."""
    if a.form != b.form:
        return None
    if a.item is None or b.item is None:
        return a if b.item is None else b
    item = join_rows(a.item, b.item) if isinstance(a.item, Row) and isinstance(b.item, Row) else join_items(a.item, b.item)
    return None if item is None or not isinstance(item, Row) and not a.item == b.item == item else Row(item, a.form)


def is_collection(t):
    """Whether values of this type are sets, or dictionaries of _dicts.py."""
    return type(t) is Group and t.kind in ("set", "dict")


def entries_of(t):
    """The List with the items of a set or a dictionary; for a List, the type itself."""
    return t.items[0] if is_collection(t) else t


def list_type(t):
    """The List type for a list of known length; None if there is none."""
    if isinstance(t, List):
        return t
    if not isinstance(t, Group) or t.kind != "list":
        return None
    if not t.items:
        return List("empty")
    if all(isinstance(i, Group) and i.kind == "list" for i in t.items):
        rows = [list_type(i) for i in t.items]
        if None in rows or len({len(i.items) for i in t.items}) != 1 or not rows[0].items:
            return None
        item = rows[0].item
        for r in rows[1:]:
            item = join_items(item, r.item) if r.rank == rows[0].rank else None
        return None if item is None else List("fixed", item, rows[0].rank + 1)
    item = t.items[0]
    for other in t.items[1:]:
        item = join_items(item, other)
    return List("fixed", item) if item is not None and is_item(item) else None


def is_item(t):
    return isinstance(t, (Scalar, Row, Grown, Word)) or (type(t) is Group and t.kind == "tuple" and bool(t.items) and all(map(is_item, t.items)))


def is_key(t):
    """Whether values of this type can be keys of a dictionary or items of a set: they must have an order."""
    return is_item(t) and not has_row(t) and not any(s.complex for s in leaves(t))


def has_row(t):
    """Whether a value of this item type contains rows or strings, which are not compared by their numbers."""
    return isinstance(t, (Row, Grown)) or type(t) is Group and any(map(has_row, t.items))


def join_items(a, b):
    """The common type of the items of a list, or None. The items of one list must all be int, all float, ..., and all of Python or all of NumPy."""
    if isinstance(a, Scalar) and isinstance(b, Scalar) and (a.elem, a.complex) != (b.elem, b.complex):
        return None
    if isinstance(a, Row) or isinstance(b, Row):
        return join_rows(a, b) if isinstance(a, Row) and isinstance(b, Row) else None
    if type(a) is Group and type(b) is Group and a.kind == b.kind and len(a.items) == len(b.items):
        items = [join_items(x, y) for x, y in zip(a.items, b.items)]
        return None if None in items else Group(a.kind, items)
    return join(a, b) if is_item(a) and is_item(b) else None


def _join_lists(a, b):
    a, b = list_type(a), list_type(b)
    if a is None or b is None:
        return None
    if a.kind == "empty" or b.kind == "empty":
        return b if a.kind == "empty" else a
    item = join_items(a.item, b.item)
    if item is None or a.rank != b.rank:
        return None
    if "growing" in (a.kind, b.kind):
        return List("growing", item) if a.rank == 1 else None
    return List("fixed", item, a.rank, a.layout if a.layout == b.layout else "strided")


class Const(Type):
    """A value that is known at compile time: None, a string, a dtype, a function, a module."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def _key(self):
        v = self.value
        if isinstance(v, float):
            return float, repr(v)  # repr distinguishes 0.0 from -0.0, and makes NaN equal to itself
        return (type(v), v) if isinstance(v, (str, bytes, np.dtype, type(None), bool, int)) else (type(v), id(v))

    def __repr__(self):
        return f"the constant {self.value!r}" if not callable(self.value) else getattr(self.value, "__name__", "function")

    def __getattr__(self, name):
        if name.startswith("_") or name in self.__slots__:  # for example while copy.copy makes a copy
            raise AttributeError(name)
        raise NotNumeric(self, name)


class Optional(Group):
    """A number or None, represented by (whether it is a number, the number)."""

    __slots__ = ()

    def __init__(self, number):
        super().__init__("optional", [BOOL, number])

    @property
    def number(self):
        return self.items[1]

    def with_items(self, items):
        return Optional(items[1])

    def __repr__(self):
        return f"{self.number!r} or None"


class Maybe(Group):
    """An array, a tuple, a list or another object as a result that is None on some paths: whether it is there, and the object."""

    __slots__ = ()

    def __init__(self, inner):
        super().__init__("maybe", [BOOL, inner])

    @property
    def inner(self):
        return self.items[1]

    def with_items(self, items):
        return Maybe(items[1])

    def __repr__(self):
        return f"{self.inner!r} or None"


class Choice(Group):
    """One of several strings, or None: represented by its index in `values`, which are sorted (_choices.py)."""

    __slots__ = ("values",)

    def __init__(self, values):
        super().__init__("choice", [INT])
        self.values = tuple(values)

    def _key(self):
        return self.values

    def with_items(self, items):
        return self

    def __repr__(self):
        shown = [repr(v) for v in self.values[:4]] + ["..."] * (len(self.values) > 4)
        return "one of " + ", ".join(shown)


class Word(Group):
    """A string as a key of a dictionary or an item of a set: represented by its index in `values`, which are sorted, so that indices have the order of
    the strings. Reading such a key gives a Choice."""

    __slots__ = ("values",)

    def __init__(self, values):
        super().__init__("word", [INT])
        self.values = tuple(values)

    def _key(self):
        return self.values

    def with_items(self, items):
        return self

    def __repr__(self):
        return "str"


#: Maximum number of alternatives of a Choice.
MOST_TEXTS = 64


def choice_of(values):
    """The type of a value that is one of these strings; None if there are too many."""
    values = sorted(set(values), key=lambda v: (v is not None, v or ""))
    return Const(values[0]) if len(values) == 1 else Choice(values) if len(values) <= MOST_TEXTS else None


def texts_of(t):
    """The strings (and None) that a value of this type may be; None for other types."""
    if isinstance(t, Choice):
        return t.values
    return (t.value, ) if isinstance(t, Const) and (t.value is None or type(t.value) is str) else None


BOOL, INT, FLOAT = Scalar("bool", weak=True), Scalar("int64", weak=True), Scalar("float64", weak=True)
COMPLEX = Scalar("float64", True, True)
NONE = Const(None)


def elem_name(elem, complex):
    if not complex:
        return elem
    return f"complex{16 * _BYTES[elem]}" if has_complex(elem) else f"complex {elem}"


def is_float(elem):
    return _LETTERS[elem] == "f"


def has_complex(elem):
    """Whether NumPy has complex numbers with parts of this type."""
    return is_float(elem) and elem != "float16"


def is_int(elem):
    return _LETTERS[elem] in "iu"


def is_unsigned(elem):
    return _LETTERS[elem] == "u"


def holds(elem, value):
    """Whether the integer type can represent this integer."""
    limits = np.iinfo(elem)
    return limits.min <= value <= limits.max


def bound_below(elem, low):
    """A lower bound of a computed number of an integer type whose exact value is at least `low`. For narrow types there is none, since the result may
    have wrapped. (For int32 and int64 see docs/python.md.)"""
    if is_unsigned(elem):
        return 0
    return low if elem in ("int32", "int64") else None


def sum_elem(elem):
    """The element type of NumPy's sums."""
    return elem if is_float(elem) else "uint64" if is_unsigned(elem) else "int64"


def number_type(t):
    """The type of the number in a 0-d array; other types are unchanged."""
    return Scalar(t.elem, t.complex) if isinstance(t, Rank0) else t


def is_numeric(t):
    return isinstance(t, (Scalar, Array))


def is_known_int(t):
    return isinstance(t, Scalar) and not t.complex and (is_int(t.elem) or t.elem == "bool")


DTYPES = {np.dtype(f"{_LETTERS[e]}{_BYTES[e]}"): (e, False) for e in ELEMS}
DTYPES |= {np.dtype(f"c{2 * _BYTES[e]}"): (e, True) for e in ELEMS if has_complex(e)}
for _n in ("longlong", "intc", "int_", "ulonglong", "uintc", "uint"):  # C's type names: equal to the dtypes of the same width, but with other hashes
    DTYPES[np.dtype(_n)] = DTYPES[np.dtype(f"{np.dtype(_n).kind}{np.dtype(_n).itemsize}")]


def numpy_dtype(t):
    """NumPy's dtype of the elements."""
    return np.dtype(elem_name(t.elem, t.complex))


def can_become(val, elem, complex):
    """Whether a number can be converted to this type without losing a fraction or an imaginary part (NumPy's "same_kind")."""
    kinds = lambda e, c: 3 if c else 2 if is_float(e) else 1 if is_int(e) else 0
    return kinds(val.type.elem, val.type.complex) <= kinds(elem, complex)


def vrir_wide(a, b):
    """VRIR's common type of two element types (docs/vrir.md, Typing)."""
    if {a, b} in ({"int32", "float32"}, {"int32", "float16"}):
        return "float32"
    return np.promote_types(a, b).name


def promote(a, b):
    """NumPy's common type of two numbers or arrays: (elem, complex, weak)."""
    wa, wb = isinstance(a, Scalar) and a.weak, isinstance(b, Scalar) and b.weak
    if wa == wb:
        return (*_strong(a, b), wa)
    weak, strong = (a, b) if wa else (b, a)
    if weak.elem == "bool":
        return strong.elem, strong.complex, False
    if weak.complex:
        return ("float32" if strong.elem == "float16" else strong.elem if is_float(strong.elem) else "float64"), True, False
    if is_float(weak.elem):
        return (strong.elem if is_float(strong.elem) else "float64"), strong.complex, False
    return ("int64" if strong.elem == "bool" else strong.elem), strong.complex, False


def _strong(a, b):
    elem = np.promote_types(a.elem, b.elem).name
    complex = a.complex or b.complex
    if complex and not has_complex(elem):
        elem = "float32" if is_float(elem) else "float64"
    return elem, complex


def join(a, b):
    """The least general type that contains the values of both, or None. Used where control-flow paths with different values of a variable join."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    if isinstance(a, Word) and isinstance(b, Word):
        both = sorted({*a.values, *b.values})
        return Word(both) if len(both) <= MOST_TEXTS else None
    if texts_of(a) and texts_of(b):
        both = choice_of(texts_of(a) + texts_of(b))
        return both if both is not None or not (is_text_type(a) and is_text_type(b)) else Grown()
    if is_text_type(a) and is_text_type(b):
        return Grown()
    if any(isinstance(t, Optional) or t == NONE for t in (a, b)):
        numbers = [t.number if isinstance(t, Optional) else t for t in (a, b) if t != NONE]
        both = numbers[0] if len(numbers) == 1 else join(*numbers)
        return Optional(both) if isinstance(both, Scalar) else None
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        elem, complex, weak = promote(a, b)
        if "bool" in (a.elem, b.elem) and a.elem != b.elem and a.weak != b.weak:
            weak = False
        return Rank0(elem, complex) if isinstance(a, Rank0) or isinstance(b, Rank0) else Scalar(elem, complex, weak)
    if isinstance(a, Array) and isinstance(b, Array):
        if (a.elem, a.complex, a.rank, a.axes) != (b.elem, b.complex, b.rank, b.axes):
            return None
        return Array(a.elem, a.complex, a.rank, a.layout if a.layout == b.layout else "strided", a.axes)
    for x, y in ((a, b), (b, a)):
        if isinstance(x, (Ragged, TextList)) and isinstance(y, List) and y.kind == "empty":
            return x
    if isinstance(a, List) or isinstance(b, List):
        return _join_lists(a, b)
    if isinstance(a, (Row, Ragged)) and type(a) is type(b):
        both = join_rows(a, b) if isinstance(a, Row) else join_rows(a.item, b.item)
        return both if both is None or isinstance(a, Row) else Ragged(both)
    if isinstance(a, Group) and isinstance(b, Group) and len(a.items) == len(b.items) and a.with_items(b.items) == b:
        items = [join(x, y) for x, y in zip(a.items, b.items)]
        if None not in items:
            return a.with_items(items)
    if isinstance(a, Group) and isinstance(b, Group) and a.kind == b.kind == "list":
        return _join_lists(a, b)
    return None


def join_results(a, b):
    """The common type of the results of two paths, or None."""
    both = join(a, b)
    if both is not None or a is None or b is None:
        return both
    parts = [t.inner if isinstance(t, Maybe) else t for t in (a, b) if t != NONE]
    both = parts[0] if len(parts) == 1 else join(*parts) if any(isinstance(t, Maybe) for t in (a, b)) else None
    return Maybe(both) if isinstance(both, Array) or isinstance(both, Group) and both.kind not in ("optional", "choice", "maybe") else None


def leaves(t):
    """The types of the VRIR numbers and arrays that represent a value of type t, in order."""
    if isinstance(t, Group):
        return [leaf for item in t.items for leaf in leaves(item)]
    return [t] if is_numeric(t) else []


# ---- types of Python objects
_ARRAY_BIT, _SCALAR_BIT = 1 << 31, 1 << 30
_SCALARS = {1: BOOL, 2: INT, 3: FLOAT, 4: COMPLEX}
_SCALARS |= {_SCALAR_BIT | CODES[e] | (COMPLEX_BIT if c else 0): Scalar(e, c) for e, c in DTYPES.values()}
_CODES = {code: elem for elem, code in CODES.items()}


def type_of_key(key):
    """The type for a key of `_native.key` (arrays.hpp); None for 0."""
    if key & _ARRAY_BIT:
        return Array(_CODES[key & 15], bool(key & COMPLEX_BIT), key >> 8 & 255, LAYOUTS[key >> 16 & 255])
    return _SCALARS.get(key)


def key_of_type(t):
    """The inverse of type_of_key."""
    if isinstance(t, Array):
        return _ARRAY_BIT | CODES[t.elem] | (COMPLEX_BIT if t.complex else 0) | t.rank << 8 | LAYOUTS.index(t.layout) << 16
    return next(k for k, s in _SCALARS.items() if s == number_type(t))
