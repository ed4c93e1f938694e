"""What the compiler knows of an expression's value."""
from __future__ import annotations

from . import _nodes as n
from ._types import BOOL, COMPLEX, FLOAT, INT, Array, Const, Group, List, Scalar, is_numeric, is_unsigned

NOT_CONSTANT = object()


class Unknown(Exception):
    """The type of something is not known in this round of inference."""


class Fixed(int):
    """The VRIR variable whose elements a copy has, where NumPy's view of them may not be written."""

    __slots__ = ()


class Val:
    """`code`: VRIR text of a number or array. `var`: the VRIR variable's id when the value is exactly that.
    `const`: the value, when it is known. `items`: the parts of a Group. `low`: a bound below of an integer, or None.
    `snapshot`: of an array that is a copy where NumPy has a view: the VRIR variable whose elements were copied, a Fixed where
    the view may not be written; `recipe`: how NumPy makes the view of it, where that is known (_views.py).
    `held`: of a list: which variables may hold it, as (key, path); empty: it is new (_lists.py)."""

    __slots__ = ("type", "code", "var", "const", "items", "low", "snapshot", "recipe", "held")

    def __init__(self, type, code=None, var=None, const=NOT_CONSTANT, items=None, low=None, snapshot=None,
                 recipe=None, held=frozenset()):
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
        """Whether it is a list whose length is not a part of its type."""
        return isinstance(self.type, List)

    @property
    def is_listed(self):
        """Whether it is a list of either kind."""
        return isinstance(self.type, List) or self.is_group("list")

    @property
    def is_fixed(self):
        """Whether it is an array that NumPy calls read-only, whatever the arguments are."""
        return isinstance(self.snapshot, Fixed)

    @property
    def is_numeric(self):
        return is_numeric(self.type)

    def is_none(self):
        return isinstance(self.type, Const) and self.type.value is None

    def is_group(self, *kinds):
        return isinstance(self.type, Group) and (not kinds or self.type.kind in kinds)


def number(value, t=None):
    """A constant number; `t` is its type, else that of the Python object."""
    if t is None:
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
    """A value of the same kind of Group as t, a record of the same class, of these parts."""
    made = group(t.kind, items)
    made.type = t.with_items([i.type for i in made.items])
    if made.type != Group(t.kind, made.type.items):
        made.const = NOT_CONSTANT  # a constant of a class of its own
    return made


def like(val, items):
    """The Group or List with other values for its parts."""
    if isinstance(val.type, List):
        return Val(val.type, items=list(items), held=val.held)
    made = of_type(val.type, items)
    made.held = val.held
    return made
