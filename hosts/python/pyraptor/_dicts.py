"""Dictionaries whose keys are numbers, strings (_words.py) or tuples of these. They are represented by two lists (_lists.py): the items, tuples (key, value) in order of
insertion; and the items' positions in ascending order of the keys, for binary search."""
from __future__ import annotations

import ast

from . import _fields, _words
from . import _nodes as n
from . import library_lists as library
from ._errors import UnsupportedError
from ._list_methods import copied
from ._types import BOOL, INT, Group, List, Row, Scalar, Word, is_float, is_item, is_key, join_items, leaves
from ._value import Val, constant, group, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
METHODS = {}


def method(name):
    def register(handler):
        METHODS[name] = handler
        return handler
    return register


def new(t, node, item=None):
    """An empty dictionary. `item`: the type of its (key, value) tuples."""
    index = t.like_variables(t.new_list_as(Val(Group("list", []), items=[]), List("growing", INT), node), node)
    if item is None:
        return group("dict", [Val(List("empty"), items=[]), index])
    return group("dict", [t.like_variables(t.new_list_as(Val(Group("list", []), items=[]), List("growing", item), node), node), index])


def made(t, node, x=None):
    """dict(x)"""
    if x is None or x.is_group("tuple", "list") and not x.items:
        return new(t, node)
    if x.is_group("fields"):
        return _fields.copied(x)
    return of_pairs(t, node, pairs_of(t, node, x))


def pairs_of(t, node, x):
    """The List of the pairs (key, value) of a dictionary or of another iterable of pairs."""
    if x.is_group("dict", "entries"):
        return t.list_copy(x.items[0], node) if x.items[0].type.kind != "empty" else x.items[0]
    if x.is_group("fields"):
        x = group("list", [group("tuple", [constant(k), v]) for k, v in zip(x.type.keys, x.items)])
    x = t.turned(x, node)
    if x.is_group("tuple", "list"):
        return t.listed(group("list", [pair_of(t, node, i) for i in x.items]), node)
    if x.is_list:
        return t.listed(t.list_from(x, node), node)
    return t.listed(t.comprehension(node, [(None, x, [])], lambda pair: pair_of(t, node, pair), what="pairs"), node)


def pair_of(t, node, pair):
    """An item of an iterable as a pair, with strings in its key as Words."""
    if not (pair.is_group("tuple") and len(pair.items) == 2):
        t.refuse(node, f"making a dictionary of items that are {pair.type!r} is not compiled", "use tuples (key, value)")
    return group("tuple", [_words.as_key(t, node, pair.items[0]), pair.items[1]])


def of_pairs(t, node, pairs):
    if pairs.type.kind == "empty":
        return new(t, node)
    item = pairs.type.item
    if not (isinstance(item, Group) and len(item.items) == 2):
        t.refuse(node, f"making a dictionary of a {pairs.type!r} is not compiled", "use tuples (key, value)")
    key_type(t, node, item.items[0])
    made_ = new(t, node, item)
    t.loop_over(pairs, node, lambda pair: set_item(t, node, made_, *pair.items))
    return made_


def key_type(t, node, k):
    if not is_key(k):
        t.refuse(node, f"{k!r} as a key of a dictionary is not compiled", "keys must be ints, floats, bools, strings that are known at compile time, or tuples of these")


def key_of(t, node, key):
    """The key, stored in variables, with Words for its strings. NaN is refused."""
    key = t.once_parts(_words.as_key(t, node, key), node)
    for k in t.number_parts(key):
        if is_float(k.type.elem) and not k.is_const:
            t.guard(node, n.lib("isnan", _BOOL, k.code), UnsupportedError, "a key that is NaN is not compiled")
    return key


def keys_count(entries):
    """The number of arrays that hold the keys: the first ones of the item list."""
    return len(leaves(entries.type.item.items[0]))


def flat(t, key):
    return group("tuple", t.number_parts(key))


def looked_up(t, node, d, key):
    """(index into the list of positions, whether the key was found), in variables. The type of the items must be known."""
    entries, index = d.items
    key = key_of(t, node, key)
    key_type(t, node, key.type)
    count = Val(INT, t.list_length(entries, node), low=0)
    positions = t.keep(index.items[0], node)
    of = entries.type.item.items[0]
    if not _words.are_alike(of, key.type):
        t.refuse(node, f"looking up {key.type!r} among keys of type {of!r} is not compiled", "use keys of one type")
    key = t.once_parts(_words.recoded(t, node, key, of), node)
    if isinstance(of, (Scalar, Word)):
        found = t.call_python(library.dict_place, [t.keep(entries.items[0], node), positions, count, t.number_parts(key)[0]], {}, node).items
    else:
        rows = group("tuple", [t.keep(a, node) for a in entries.items[:len(leaves(of))]])
        found = t.call_python(library.dict_place_of_tuples, [rows, positions, count, flat(t, key)], {}, node).items
    return t.copied(found[0], node), t.copied(found[1], node)


def value_at(t, node, d, at):
    """The value of the item to which this index into the list of positions refers."""
    entries, index = d.items
    position = t.keep(Val(INT, n.index(t.keep(index.items[0], node).var, INT64, [n.subscript(at.code, check=False)])), node)
    kept = Val(entries.type, items=[t.keep(a, node) if a.is_array else a for a in entries.items], held=entries.held)
    return t.item_at(kept, position.code, node).items[1], position


def missing(key):
    return key.const if key.is_const else "the key"


def get_item(t, node, d, key):
    if d.items[0].type.kind == "empty":
        t.bottom = node
        t.raise_(node, KeyError, missing(key))
        return number(0)
    key = t.once_parts(key, node)
    at, there = looked_up(t, node, d, key)
    t.guard(node, n.unary("not", _BOOL, there.code), KeyError, missing(key))
    return copied(t, value_at(t, node, d, at)[0], node)


def changing(t, node, d):
    """The dictionary, marked as one that this function changes."""
    t.dict_changes += 1
    return group("dict", [t.growing(d.items[0], node), t.growing(d.items[1], node)])


def set_item(t, node, d, key, val):
    key = _words.as_key(t, node, key)
    key_type(t, node, key.type)
    val = t.as_item(val, node)
    if not is_item(val.type):
        t.refuse(node, f"{val.type!r} as a value of a dictionary is not compiled", "values must be numbers or tuples of numbers")
    key = t.once_parts(key, node)
    val = t.once_parts(val, node)
    d = changing(t, node, d)
    pair = group("tuple", [key, val])
    entries, index = t.holding(d.items[0], pair, node), d.items[1]
    d = group("dict", [entries, index])
    at, there = looked_up(t, node, d, key)

    def replace():
        position = value_at(t, node, d, at)[1]
        numbers = t.number_parts(val)
        for a, part, s in zip(entries.items[keys_count(entries):-2], numbers, leaves(entries.type.item)[keys_count(entries):]):
            t.emit(n.assign([n.index(a.var, a.type.element(), [n.subscript(position.code, check=False)])], t.fit(part, s), t.loc(node)))

    def insert():
        count = t.copied(Val(INT, entries.items[-2].code, low=0), node)
        t.append(entries, pair, node)
        t.make_room(index, n.ONE, node)
        t.call_python(library.open_gap, [index.items[0], at, count], {}, node)
        t.put(index, at.code, count, node)
        t.set_count(index, n.binary("plus", INT64, count.code, n.ONE), node)
        t.tell_others(index, node)

    then, _ = t.block(replace)
    otherwise, _ = t.block(insert)
    t.emit(n.if_(there.code, then, otherwise, t.loc(node)))
    t.list_written()


def augment(t, node, d, key, op, right):
    """d[key] op= right(), where right() evaluates the right operand"""
    key = t.once_parts(key, node)
    if d.items[0].type.kind == "empty":
        return get_item(t, node, d, key)
    at, there = looked_up(t, node, d, key)
    t.guard(node, n.unary("not", _BOOL, there.code), KeyError, missing(key))
    old = copied(t, value_at(t, node, d, at)[0], node)
    if old.row is not None and old.is_list and isinstance(op, ast.Add):
        return t.extend_row(old, right(), node)
    val = t.operate(op, old, right(), node)
    if val.type != old.type:
        return set_item(t, node, d, key, val)
    entries = t.growing(d.items[0], node)  # augmented assignment does not change the length
    position = value_at(t, node, d, at)[1]
    for a, part_, s in zip(entries.items[keys_count(entries):-2], t.number_parts(val), leaves(entries.type.item)[keys_count(entries):]):
        t.emit(n.assign([n.index(a.var, a.type.element(), [n.subscript(position.code, check=False)])], t.fit(part_, s), t.loc(node)))


def take(t, node, d, key, default=None):
    """d.pop(key, default). With `default` False: del d[key]."""
    key = t.once_parts(key, node)
    d = changing(t, node, d)
    entries, index = d.items
    if entries.type.kind == "empty":
        if isinstance(default, Val):
            return default
        t.bottom = node
        t.raise_(node, KeyError, missing(key))
        return number(0)
    at, there = looked_up(t, node, d, key)

    def out():
        value, position = value_at(t, node, d, at)
        value = copied(t, value, node)
        count = t.copied(Val(INT, entries.items[-2].code, low=0), node)
        for a in entries.items[:-2]:
            t.call_python(library.close_gap, [a, position, count], {}, node)
        t.call_python(library.close_gap, [index.items[0], at, count], {}, node)
        t.call_python(library.count_down, [index.items[0], count, position], {}, node)
        for x in (entries, index):
            t.set_count(x, n.binary("minus", INT64, count.code, n.ONE), node)
            t.tell_others(x, node)
        return value

    if isinstance(default, Val):
        value = t.choose(there, out, lambda: default, node)
        t.list_written()
        return value
    t.guard(node, n.unary("not", _BOOL, there.code), KeyError, missing(key))
    return out()


def contains(t, node, d, key):
    if d.items[0].type.kind == "empty":
        return number(False)
    if _words.differ(t, node, key, d.items[0].type.item.items[0]):
        return number(False)
    return Val(BOOL, looked_up(t, node, d, t.once_parts(key, node))[1].code)


def compared(t, node, op, a, b):
    """a == b, a != b: dictionaries are equal if they have the same keys with equal values."""
    a, b = (of_pairs(t, node, pairs_of(t, node, x)) if x.is_group("fields") else x for x in (a, b))
    if not (a.is_group("dict") and b.is_group("dict")):
        t.refuse(node, f"comparing {a.type!r} and {b.type!r} is not compiled", "compare dictionaries of numbers")
    if not isinstance(op, (ast.Eq, ast.NotEq)):
        t.refuse(node, "dictionaries have no order")
    one, two = a.items[0], b.items[0]
    lengths = t.compare(ast.Eq(), t.length_of(one, node), t.length_of(two, node), node)
    if "empty" in (one.type.kind, two.type.kind):
        return lengths if isinstance(op, ast.Eq) else Val(BOOL, n.unary("not", _BOOL, lengths.code))
    same = n.name(t.temporary(_BOOL), _BOOL)
    no = n.assign([same], n.const(0, _BOOL), t.loc(node))
    t.emit(n.assign([same], lengths.code, t.loc(node)))

    def each(pair):
        key, value = pair.items
        at, there = looked_up(t, node, b, key)

        def inside():
            equal = t.truth(t.compare(ast.Eq(), value_at(t, node, b, at)[0], value, node), node)
            t.emit(n.if_(equal.code, [], [no], t.loc(node)))

        then, _ = t.block(inside)
        t.emit(n.if_(there.code, then, [no], t.loc(node)))

    t.loop_over(Val(one.type, items=one.items), node, each)
    return Val(BOOL, same if isinstance(op, ast.Eq) else n.unary("not", _BOOL, same))


@method("get")
def get(t, node, base, key, default=None):
    default = constant(None) if default is None else default
    if base.items[0].type.kind == "empty":
        return default
    key = t.once_parts(key, node)
    at, there = looked_up(t, node, base, key)
    if default.is_listed and isinstance(base.items[0].type.item.items[1], Row):
        return t.choose(there, lambda: copied(t, value_at(t, node, base, at)[0], node), lambda: t.read_row(t.as_row(default, node), node), node)
    return t.choose(there, lambda: copied(t, value_at(t, node, base, at)[0], node), lambda: default, node)


@method("setdefault")
def setdefault(t, node, base, key, default):
    key, default = t.once_parts(key, node), default if default.is_listed else t.once_parts(default, node)
    inside = contains(t, node, base, key)
    then, _ = t.block(set_item, t, node, base, key, default)
    t.emit(n.if_(n.unary("not", _BOOL, inside.code), then, [], t.loc(node)))
    t.list_written()
    return get_item(t, node, base, key)


@method("pop")
def pop(t, node, base, key, default=None):
    return take(t, node, base, key, default)


def fromkeys(t, node, iterable, value=None):
    if value is None or value.is_none():
        t.refuse(node, "dict.fromkeys without a value, which sets all values to None, is not compiled", "give a value: dict.fromkeys(keys, 0)")
    value = t.once(value, node)
    pairs = t.comprehension(node, [(None, t.turned(iterable, node), [])], lambda k: group("tuple", [_words.as_key(t, node, k), value]), what="fromkeys")
    return of_pairs(t, node, t.listed(pairs, node))


@method("popitem")
def popitem(t, node, base):
    entries = base.items[0]
    if entries.type.kind == "empty":
        t.bottom = node
        t.raise_(node, KeyError, "popitem(): dictionary is empty")
        return group("tuple", [number(0), number(0)])
    t.guard(node, n.binary("eq", Scalar("bool"), t.list_length(entries, node), n.ZERO), KeyError, "popitem(): dictionary is empty")
    last = n.binary("minus", INT64, t.list_length(entries, node), n.ONE)
    kept = Val(entries.type, items=[t.keep(a, node) if a.is_array else a for a in entries.items])
    pair = copied(t, t.item_at(kept, t.keep(Val(INT, last, low=0), node).code, node), node)
    take(t, node, base, pair.items[0])
    return pair


@method("clear")
def clear(t, node, base):
    d = changing(t, node, base)
    if d.items[0].type.kind != "empty":
        for x in d.items:
            t.set_count(x, n.ZERO, node)
            t.tell_others(x, node)
    return constant(None)


@method("update")
def update(t, node, base, other):
    pairs = pairs_of(t, node, other)
    if pairs.type.kind != "empty":
        t.loop_over(pairs, node, lambda pair: set_item(t, node, base, *pair.items))
    return constant(None)


@method("copy")
def copy(t, node, base):
    return group("dict", [t.list_copy(x, node) for x in base.items])


def part(base, which):
    """The iterable that d, d.keys(), d.values() or d.items() is in a loop."""
    entries = base.items[0]
    if entries.type.kind == "empty":
        return group("entries", [Val(List("empty"), items=[])])
    if which is None:
        return group("entries", [Val(entries.type, items=entries.items)])
    item = entries.type.item.items[which]
    count = 2 if entries.type.kind == "growing" else 0
    arrays = entries.items[:len(entries.items) - count]
    arrays = arrays[:keys_count(entries)] if which == 0 else arrays[keys_count(entries):]
    t = List(entries.type.kind, item, 1, entries.type.layout)
    return group("entries", [Val(t, items=[*arrays, *entries.items[len(entries.items) - count:]])])


@method("keys")
def keys(t, node, base):
    return part(base, 0)


@method("values")
def values(t, node, base):
    return part(base, 1)


@method("items")
def items(t, node, base):
    return part(base, None)


class Dicts:
    """The part of Function that creates dictionaries."""

    def expr_Dict(self, node):
        if any(k is None for k in node.keys):
            self.refuse(node, "'**' in a dictionary is not compiled")
        if not node.keys:
            return new(self, node)
        if all(isinstance(k, ast.Constant) and isinstance(k.value, str) for k in node.keys) and _fields.are_keys([k.value for k in node.keys]):
            values = self.operands(node.values)
            if any(self.lists_in(v) for v in values):
                self.refuse(node, "a list as a value of a dictionary is not compiled", "use arrays or tuples")
            return _fields.made([k.value for k in node.keys], values)
        pairs = [self.operands([k, v]) for k, v in zip(node.keys, node.values)]
        pairs = [group("tuple", [_words.as_key(self, node, k), self.as_item(v, node)]) for k, v in pairs]
        for k, v in (p.items for p in pairs):
            key_type(self, node, k.type)
            if not is_item(v.type):
                self.refuse(node, f"{v.type!r} as a value of a dictionary is not compiled", "values must be numbers or tuples of numbers")
        item = pairs[0].type
        for p in pairs[1:]:
            item = join_items(item, p.type) or item
        d = new(self, node, item)
        for p in pairs:
            set_item(self, node, d, *p.items)
        return d

    def expr_DictComp(self, node):
        generators = [(g.target, g.iter, g.ifs) for g in node.generators]
        return of_pairs(self, node, self.comprehension(node, generators, lambda item: pair_of(self, node, group("tuple", self.operands([node.key, node.value])))))
