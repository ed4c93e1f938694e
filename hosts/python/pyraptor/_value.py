"""The compiler's knowledge about the value of an expression."""
from __future__ import annotations

from . import _nodes as n
from ._types import BOOL, COMPLEX, FLOAT, INT, Array, Const, Group, List, Scalar, is_numeric, is_unsigned

NOT_CONSTANT = object()


class Unknown(Exception):
    """A type is not known in this round of type inference."""


class Fixed(int):
    """The VRIR variable whose elements were copied, if NumPy has a read-only view of them."""

    __slots__ = ()


class Val:
    """`code`: the VRIR expression of a number or array. `var`: the id of the VRIR variable, if the value is exactly that variable. `const`: the
    value, if it is known. `items`: the parts of a Group. `low`: a lower bound of an integer, or None. `snapshot`: for an array that is a copy where
    NumPy has a view, the VRIR variable whose elements were copied; a Fixed if the view is read-only. `recipe`: how NumPy makes that view, if known
    (_views.py). `held`: for a list, the variables that may hold it, as (key, path); empty for a new list (_lists.py). `row`: for the items of a row, the
    row (_rows.py)."""

    __slots__ = ("type", "code", "var", "const", "items", "low", "snapshot", "recipe", "held", "row")

    def __init__(self, type, code=None, var=None, const=NOT_CONSTANT, items=None, low=None, snapshot=None,
                 recipe=None, held=frozenset(), row=None):
        self.row = row
        self.type, self.code, self.var, self.const, self.items = type, code, var, const, items
        self.low, self.snapshot, self.recipe, self.held = low, snapshot, recipe, held
        if isinstance(type, Scalar) and is_unsigned(type.elem) and (low is None or low < 0):
            self.low = 0

    @property
    def is_const(self):
        return self.const is not NOT_CONSTANT

    @property
    def is_scalar(self):
        return isinstance(self.type, Scalar)

    @property
    def is_array(self):
        return isinstance(self.type, Array)

    @property
    def is_list(self):
        """Whether it is a List, whose length is not part of its type."""
        return isinstance(self.type, List)

    @property
    def is_listed(self):
        """Whether it is a list, with or without its length in the type."""
        return isinstance(self.type, List) or self.is_group("list")

    @property
    def is_fixed(self):
        """Whether it is an array that is read-only in NumPy, whatever the arguments are."""
        return isinstance(self.snapshot, Fixed)

    @property
    def is_numeric(self):
        return is_numeric(self.type)

    def is_none(self):
        return isinstance(self.type, Const) and self.type.value is None

    def is_group(self, *kinds):
        return isinstance(self.type, Group) and (not kinds or self.type.kind in kinds)


def number(value, t=None):
    """A constant number. `t`: its type; None: the type of the Python object. An int beyond 64 bits is not a number of compiled code (_big_ints.py)."""
    if t is None:
        if type(value) is int and not -(1 << 63) <= value < 1 << 63:
            return constant(value)
        t = BOOL if isinstance(value, bool) else INT if isinstance(value, int) else (
            COMPLEX if isinstance(value, complex) else FLOAT)
    low = int(value) if isinstance(value, (bool, int)) and not t.complex else None
    return Val(t, n.const(value, t), const=value, low=low)


def constant(value):
    return Val(Const(value), const=value)


def group(kind, items):
    items = list(items)
    consts = [i.const for i in items]
    known = kind == "tuple" and all(i.is_const for i in items)
    return Val(Group(kind, [i.type for i in items]), items=items, const=tuple(consts) if known else NOT_CONSTANT)


def of_type(t, items):
    """A value of type t: the same kind of Group, or the same record class, with these parts."""
    made = group(t.kind, items)
    made.type = t.with_items([i.type for i in made.items])
    if made.type != Group(t.kind, made.type.items):
        made.const = NOT_CONSTANT  # an instance of a record class is not a constant
    return made


def like(val, items):
    """A Group or List like `val` with other values for its parts."""
    if isinstance(val.type, List):
        return Val(val.type, items=list(items), held=val.held, row=val.row)
    made = of_type(val.type, items)
    made.held = val.held
    return made
