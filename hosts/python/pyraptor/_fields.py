"""Dictionaries whose keys are strings that are known at compile time. The values may have different types.

Each value is a variable. If exactly one variable holds a dictionary that came from a literal, values may be assigned to existing keys. A variable
whose literals get other keys, or a key that is computed, holds a dictionary of _dicts.py instead.
"""
from __future__ import annotations

import ast

from ._closures import walk
from ._trees import all_nodes
from ._types import Choice, Const, Group, Scalar
from ._value import Unknown, Val, constant, group, number

MOST_KEYS = 64


class Fields(Group):
    __slots__ = ("keys",)

    def __init__(self, keys, items):
        super().__init__("fields", items)
        self.keys = tuple(keys)

    def _key(self):
        return self.keys, self.items

    def with_items(self, items):
        return Fields(self.keys, items)

    def __repr__(self):
        return f"dict({', '.join(f'{k!r}: {i!r}' for k, i in zip(self.keys, self.items))})"

    def make(self, *values):
        """The Python dictionary with these values."""
        return dict(zip(self.keys, values))


def are_keys(keys):
    """Whether a dictionary with these keys is represented in this way."""
    return 0 < len(keys) <= MOST_KEYS and all(type(k) is str for k in keys)


def made(keys, values):
    """The dictionary; if a key occurs twice, the last value counts."""
    items = dict(zip(keys, values))
    return Val(Fields(items, [v.type for v in items.values()]), items=list(items.values()))


def key_of(t, node, val):
    """The key that a subscript stands for; _ABSENT if it is not a string and therefore cannot be a key."""
    if isinstance(val.type, Const):
        return val.type.value if isinstance(val.type.value, str) else _ABSENT
    if val.is_const and val.is_scalar:
        return _ABSENT
    return t.static(val, node, "a key of a dictionary with string keys")


_ABSENT = object()


def get_item(t, node, base, key):
    if isinstance(key.type, Choice):
        from . import _choices
        return _choices.of_fields(t, node, base, key)
    name = key_of(t, node, key)
    if name not in base.type.keys:
        t.raise_(node, KeyError, key.const if key.is_const else "the key")
        return base.items[0]
    return base.items[base.type.keys.index(name)]


def contains(t, node, base, key):
    if isinstance(key.type, Choice):
        from . import _choices
        return _choices.applied(t, node, base.type.keys.__contains__, [key], "'in'")
    return number(key_of(t, node, key) in base.type.keys)


def get(t, node, base, key, default=None):
    name = key_of(t, node, key)
    if name in base.type.keys:
        return base.items[base.type.keys.index(name)]
    return t.none() if default is None else default


def names(base):
    return group("tuple", [constant(k) for k in base.type.keys])


def _iterator(items):
    return group("iterator", [group("list", items)])


METHODS = {
    "get": get,
    "keys": lambda t, node, base: _iterator(names(base).items),
    "values": lambda t, node, base: _iterator(base.items),
    "items": lambda t, node, base: _iterator([group("tuple", [constant(k), v]) for k, v in zip(base.type.keys, base.items)]),
    "copy": lambda t, node, base: copied(base),
}


def copied(base):
    return Val(base.type, items=list(base.items))


def _is_literal(node):
    return isinstance(node, ast.Dict) or isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy")


def definitions(t, name):
    """The values assigned to a local variable; None if anything other than an assignment to the single name may give it a value."""
    values = []
    for x in walk(t.tree):
        if isinstance(x, ast.Assign) and len(x.targets) == 1 and isinstance(x.targets[0], ast.Name) and x.targets[0].id == name:
            values.append(x.value)
        elif isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Store):
            values.append(None)
    found = [v for v in values if v is not None]
    # Each such assignment is counted twice: as a statement and by its target.
    return found if found and len(values) == 2 * len(found) and name not in t.names.arguments else None


def is_own(t, node):
    """Whether an expression gives a dictionary that nothing else refers to: a literal, or a variable that only holds literals."""
    if _is_literal(node):
        return True
    known = definitions(t, node.id) if isinstance(node, ast.Name) else None
    return known is not None and all(map(_is_literal, known))


def check_result(t, s, val):
    """Refuses to return a dictionary that may be one of the arguments."""
    returned = [s.value] if not isinstance(s.value, ast.Tuple) else s.value.elts
    if not all(is_own(t, x) for x in returned if isinstance(x, (ast.Name, ast.Dict, ast.Call))):
        if t.levels_before != t.levels():
            raise Unknown
        t.refuse(s, f"a {val.type!r} that may have other references is returned", "return a copy: dict(d)")


def _alone(t, name):
    """Whether a local variable is the only reference to its dictionaries: all its uses are subscripts, method calls, or return statements."""
    if not is_own(t, ast.Name(name, ast.Load())):
        return False
    allowed = set()
    for x in all_nodes(t.tree):
        if isinstance(x, (ast.Subscript, ast.Attribute)):
            allowed.add(id(x.value))
        elif isinstance(x, ast.Return):
            allowed |= {id(x.value), *(map(id, x.value.elts) if isinstance(x.value, ast.Tuple) else ())}
        elif isinstance(x, ast.Compare) and all(isinstance(op, (ast.In, ast.NotIn)) for op in x.ops):
            allowed |= set(map(id, x.comparators))
        elif isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and x.func.id in ("len", "dict", "print", "sorted", "list"):
            allowed |= set(map(id, x.args))
    return all(id(x) in allowed for x in all_nodes(t.tree) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load))


def open_keys(t, s, target, base):
    """For a store to a key that is computed or not in the dictionary: in the next round the variable holds a dictionary whose keys may change
    (_dicts.py), if it only holds literals with values of one type."""
    numbers = all(isinstance(i, Scalar) for i in base.type.items) and len({(i.elem, i.complex, i.weak) for i in base.type.items}) == 1
    if numbers and isinstance(target.value, ast.Name) and is_own(t, target.value) and t.shared_by() is None:
        t.opened.add(t.names.keys[id(target.value)])
        t.stuck = s
        raise Unknown


def set_item(t, s, target, base, key, val):
    """base[key] = val, for a dictionary held by a variable."""
    if isinstance(key.type, Choice) or isinstance(key.type, Const) and type(key.type.value) is str and key.type.value not in base.type.keys:
        open_keys(t, s, target, base)
    name = key_of(t, s, key)
    if t.shared_by() is not None:
        t.refuse(s, "changing a dictionary in a parallel loop is not compiled", "use variables")
    if t.levels_before != t.levels():
        raise Unknown  # in the next round it may be another kind of dictionary
    if not isinstance(target.value, ast.Name) or not _alone(t, target.value.id):
        t.refuse(s, f"a {base.type!r} that is an argument or has several names is changed, which is not compiled", "make a new dictionary with the changed values")
    if name not in base.type.keys:
        t.refuse(s, f"adding a key to a {base.type!r} is not compiled", "list all keys where the dictionary is made: {'a': 0.0, ...}")
    place = base.type.keys.index(name)
    if not val.is_scalar or not isinstance(base.items[place].type, Scalar):
        t.refuse(s, f"{val.type!r} is assigned to a key of {base.type!r}", "only numbers can be assigned; make a new dictionary")
    items = [val if k == place else v for k, v in enumerate(base.items)]
    t.store(t.names.keys[id(target.value)], target.value.id, made(base.type.keys, items), s)
