"""Types of the front end: VRIR's numbers and arrays, and what only the compiler knows (tuples, constants, ranges).

A *weak* number is one of Python's own (int, float, bool, complex): beside a NumPy type it takes that type's precision
(NumPy 2's promotion, NEP 50). All types are immutable and compare by value.
"""
from __future__ import annotations

import numpy as np

from . import _native

#: Of each element type: name, code, bytes, NumPy's letter of its class (velociraptor/ir/elements.def).
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
    """An array without dimensions, as its one element. What is computed of it are NumPy's numbers, as in NumPy; changes in place are
    refused. `place`: the position of an argument's among the numbers of the call; None of what may be any array, or a number."""

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

    `axes` is None, or says of which axis of the VRIR array each of Python's axes is (-1: one that np.newaxis made); so
    a transposed array is the array itself seen through other axes, and stays a view. `base_rank` is VRIR's rank.
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
        """The VRIR array that holds its items."""
        return self if self.axes is None else Array(self.elem, self.complex, self.base_rank, self.layout)

    def fresh(self, rank=None, layout="rowmajor"):
        return Array(self.elem, self.complex, self.rank if rank is None else rank, layout)

    def with_axes(self, axes):
        return Array(self.elem, self.complex, len(axes), self.layout, tuple(axes))

    def __repr__(self):
        return f"{elem_name(self.elem, self.complex)}[{', '.join(':' * self.rank)}]"


class NotNumeric(AttributeError):
    """Something was asked of a type that only numbers and arrays have; `type` is which."""

    def __init__(self, of, name):
        super().__init__(f"{of!r} has no '{name}'")
        self.type = of


class Group(Type):
    """Several values under one name: a tuple (also of a list literal), a range, a slice ... `kind` says which."""

    __slots__ = ("kind", "items")

    def __init__(self, kind, items):
        self.kind, self.items = kind, tuple(items)

    def with_items(self, items):
        """The same kind of group of other parts."""
        return Group(self.kind, items)

    def __repr__(self):
        return f"{self.kind}({', '.join(map(repr, self.items))})"

    def __getattr__(self, name):
        if name.startswith("_") or name in self.__slots__:  # while a copy is made, say
            raise AttributeError(name)
        raise NotNumeric(self, name)


class List(Group):
    """A Python list of numbers or of tuples of numbers. The type of its items is `item`, a Scalar or a tuple of them (None: not known,
    of a list that is empty so far); there is one array for each number of an item.

    kind 'fixed': the arrays, as long as the list; nothing in the function changes its length. With a rank above 1 it is a
    list of lists (of lists ...) of one length. kind 'growing': arrays with room to spare, the length, and a number that tells
    the list from all others of the call. kind 'empty': the item is not known."""

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


def list_type(t):
    """The List that holds the items of a list of known length, or None."""
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
    return isinstance(t, Scalar) or (type(t) is Group and t.kind == "tuple" and bool(t.items) and all(map(is_item, t.items)))


def is_key(t):
    """Whether items of the type can be keys of a dictionary and items of a set: they have an order."""
    return is_item(t) and not any(s.complex for s in leaves(t))


def join_items(a, b):
    """The type of items that holds both, or None: items of one list are all int, all float ..., of Python or NumPy."""
    if isinstance(a, Scalar) and isinstance(b, Scalar) and (a.elem, a.complex) != (b.elem, b.complex):
        return None
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
    """A value that the compiler itself knows: None, a string, a dtype, a function, a module."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def _key(self):
        v = self.value
        if isinstance(v, float):
            return float, repr(v)  # 0.0 is not -0.0, and NaN is one
        return (type(v), v) if isinstance(v, (str, bytes, np.dtype, type(None), bool, int)) else (type(v), id(v))

    def __repr__(self):
        return f"the constant {self.value!r}" if not callable(self.value) else getattr(self.value, "__name__", "function")

    def __getattr__(self, name):
        if name.startswith("_") or name in self.__slots__:  # while a copy is made, say
            raise AttributeError(name)
        raise NotNumeric(self, name)


class Optional(Group):
    """A number or None: (whether it is a number, the number)."""

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


class Choice(Group):
    """One of several texts, of which None may be one: its position among `values`, which are in order (_choices.py)."""

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


#: How many texts a Choice may have.
MOST_TEXTS = 64


def choice_of(values):
    """The type of a value that is one of these texts; None where they are too many."""
    values = sorted(set(values), key=lambda v: (v is not None, v or ""))
    return Const(values[0]) if len(values) == 1 else Choice(values) if len(values) <= MOST_TEXTS else None


def texts_of(t):
    """The texts that it may be, None among them; None of other types."""
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
    """Whether NumPy has complex numbers of these parts."""
    return is_float(elem) and elem != "float16"


def is_int(elem):
    return _LETTERS[elem] in "iu"


def is_unsigned(elem):
    return _LETTERS[elem] == "u"


def holds(elem, value):
    """Whether an integer type has this whole number."""
    limits = np.iinfo(elem)
    return limits.min <= value <= limits.max


def bound_below(elem, low):
    """What is known of a computed number of an integer type from below, where the exact result is at least `low`: one of a narrow
    type may have wrapped. (Of int32 and int64 docs/python.md says so.)"""
    if is_unsigned(elem):
        return 0
    return low if elem in ("int32", "int64") else None


def sum_elem(elem):
    """The type of NumPy's sums."""
    return elem if is_float(elem) else "uint64" if is_unsigned(elem) else "int64"


def number_type(t):
    """The type of the number that an array without dimensions holds; other types are as they are."""
    return Scalar(t.elem, t.complex) if isinstance(t, Rank0) else t


def is_numeric(t):
    return isinstance(t, (Scalar, Array))


def is_known_int(t):
    return isinstance(t, Scalar) and not t.complex and (is_int(t.elem) or t.elem == "bool")


DTYPES = {np.dtype(f"{_LETTERS[e]}{_BYTES[e]}"): (e, False) for e in ELEMS}
DTYPES |= {np.dtype(f"c{2 * _BYTES[e]}"): (e, True) for e in ELEMS if has_complex(e)}
for _n in ("longlong", "intc", "int_", "ulonglong", "uintc", "uint"):  # C's names: equal to those of the same width, other hashes
    DTYPES[np.dtype(_n)] = DTYPES[np.dtype(f"{np.dtype(_n).kind}{np.dtype(_n).itemsize}")]


def numpy_dtype(t):
    """NumPy's dtype of the elements."""
    return np.dtype(elem_name(t.elem, t.complex))


def can_become(val, elem, complex):
    """Whether a number turns into one of that type without losing a fraction or an imaginary part (NumPy's "same_kind")."""
    kinds = lambda e, c: 3 if c else 2 if is_float(e) else 1 if is_int(e) else 0
    return kinds(val.type.elem, val.type.complex) <= kinds(elem, complex)


def vrir_wide(a, b):
    """VRIR's own widening of two element types (docs/vrir.md, Typing)."""
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
    """The least type that holds values of both, or None. For the ways on which a variable gets its values."""
    if a is None or a == b:
        return b
    if b is None:
        return a
    if texts_of(a) and texts_of(b):
        return choice_of(texts_of(a) + texts_of(b))
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
    if isinstance(a, List) or isinstance(b, List):
        return _join_lists(a, b)
    if isinstance(a, Group) and isinstance(b, Group) and len(a.items) == len(b.items) and a.with_items(b.items) == b:
        items = [join(x, y) for x, y in zip(a.items, b.items)]
        if None not in items:
            return a.with_items(items)
    if isinstance(a, Group) and isinstance(b, Group) and a.kind == b.kind == "list":
        return _join_lists(a, b)
    return None


def leaves(t):
    """The VRIR values of which a value of type t consists, in order: numbers and arrays."""
    if isinstance(t, Group):
        return [leaf for item in t.items for leaf in leaves(item)]
    return [t] if is_numeric(t) else []


# ---- what Python objects are
_ARRAY_BIT, _SCALAR_BIT = 1 << 31, 1 << 30
_SCALARS = {1: BOOL, 2: INT, 3: FLOAT, 4: COMPLEX}
_SCALARS |= {_SCALAR_BIT | CODES[e] | (COMPLEX_BIT if c else 0): Scalar(e, c) for e, c in DTYPES.values()}
_CODES = {code: elem for elem, code in CODES.items()}


def type_of_key(key):
    """The type behind a key of `_native.key` (arrays.hpp); None for 0."""
    if key & _ARRAY_BIT:
        return Array(_CODES[key & 15], bool(key & COMPLEX_BIT), key >> 8 & 255, LAYOUTS[key >> 16 & 255])
    return _SCALARS.get(key)


def key_of_type(t):
    """The reverse."""
    if isinstance(t, Array):
        return _ARRAY_BIT | CODES[t.elem] | (COMPLEX_BIT if t.complex else 0) | t.rank << 8 | LAYOUTS.index(t.layout) << 16
    return next(k for k, s in _SCALARS.items() if s == number_type(t))
