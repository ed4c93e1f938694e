"""Strings as keys of dictionaries and items of sets: constants, or one of several constants (_choices.py).

Inside of the lists that represent a dictionary or a set, a string is an index into the sorted tuple of all strings that may be keys (_types.Word). If
another string is added, the type becomes one with more strings in the next round of type inference.
"""
from __future__ import annotations

import numpy as np

from . import _choices
from ._types import Array, Choice, Const, Group, Grown, List, Scalar, Word, choice_of
from ._value import Val, constant, group, number


def as_key(t, node, val):
    """The value as a key: strings become Words."""
    if isinstance(val.type, Const) and type(val.type.value) is str:
        return Val(Word([val.type.value]), items=[number(0)])
    if isinstance(val.type, Choice) and None not in val.type.values:
        return Val(Word(val.type.values), items=list(val.items))
    if isinstance(val.type, Grown) or val.is_group("text"):
        t.refuse(node, "a string made at run time as a key of a dictionary or an item of a set is not compiled", "keys must be constants, or one of several constants")
    if val.is_group("tuple") and type(val.type) is Group and any(map(is_involved, val.items)):
        return group("tuple", [as_key(t, node, i) for i in val.items])
    return val


def is_involved(val):
    return isinstance(val.type, (Choice, Grown)) or isinstance(val.type, Const) and type(val.type.value) is str or val.is_group("text", "tuple")


def has_word(t):
    """Whether a key of this type contains a string."""
    return isinstance(t, Word) or type(t) is Group and any(map(has_word, t.items))


def are_alike(a, b):
    """Whether keys of the two types can be equal: numbers at the same places, and strings."""
    if type(a) is Group and type(b) is Group:
        return len(a.items) == len(b.items) and all(map(are_alike, a.items, b.items))
    return isinstance(a, Word) and isinstance(b, Word) or isinstance(a, Scalar) and isinstance(b, Scalar)


def differ(t, node, val, of):
    """Whether the value is a number among strings, or a string among numbers, so that it equals none of them."""
    known = as_key(t, node, val).type
    return isinstance(known, Word) != isinstance(of, Word) and isinstance(known, (Scalar, Word)) and isinstance(of, (Scalar, Word))


def recoded(t, node, val, to):
    """The key with the indices of its strings in the type `to`; -1 for strings that it does not contain."""
    if isinstance(to, Word) and isinstance(val.type, Word):
        if val.type == to:
            return val
        places = [to.values.index(v) if v in to.values else -1 for v in val.type.values]
        return Val(to, items=[_choices._table(t, val.items[0], places, node)])
    if has_word(to) and val.is_group("tuple"):
        return group("tuple", [recoded(t, node, i, o) for i, o in zip(val.items, to.items)])
    return val


def as_string(t, word, index):
    """The string that an index of a Word stands for."""
    to = choice_of(word.values)
    return constant(to.value) if isinstance(to, Const) else Val(to, items=[index])


def tables(have, to):
    """For each number of an item, a tuple with the indices of its strings in the type `to`; None for parts that stay as they are."""
    if isinstance(have, Word) and isinstance(to, Word):
        places = tuple([to.values.index(v) for v in have.values])
        return [None if places == tuple(range(len(places))) else places]
    if type(have) is Group and type(to) is Group:
        return [p for a, b in zip(have.items, to.items) for p in tables(a, b)]
    return [None] * sum(1 for _ in _numbers(have))


def _numbers(t):
    if isinstance(t, Group):
        for i in t.items:
            yield from _numbers(i)
    else:
        yield t


def replaced(t, node, array, places):
    """places[i] for all items of an array."""
    table = t.program.global_array(t, t.program.tables.setdefault(places, np.array(places, np.int64)), node, "table")
    return t.call(np.take, [table, array], {}, node)


def listed_keys(x):
    """The List with the keys of a dictionary, the items of a set or the items of d.keys(), d.items(), if they contain strings; else None."""
    if x.is_group("dict"):
        from . import _dicts
        x = _dicts.part(x, 0)
    if x.is_group("set", "entries") and x.items[0].is_list and x.items[0].type.item is not None and has_word(x.items[0].type.item):
        return x.items[0]
    return None


def as_strings(t, node, x, what="strings"):
    """The List with ordinary strings instead of Words."""
    return t.comprehension(node, [(None, Val(x.type, items=x.items), [])], lambda item: item, what=what)
