"""Sets of numbers, of strings (_words.py), and of tuples of these: lists in ascending order (_lists.py), with binary search. Python does not define the iteration order of
a set, so a loop whose result depends on it is refused (_orders.py)."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import _orders, _words
from . import library_lists as library
from ._errors import UnsupportedError
from ._list_methods import delete
from ._trees import all_nodes
from ._types import BOOL, INT, Array, Const, Group, List, Scalar, is_float, is_key, join_items, leaves
from ._value import Val, constant, group, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
METHODS = {}
WHICH = "items must be ints, floats, bools, strings that are known at compile time, or tuples of these"
ORDER = "the iteration order of a set is not defined"


def method(name):
    def register(handler):
        METHODS[name] = handler
        return handler
    return register


def inner(t, node, x):
    """The list with a set's items; for another iterable, the list of a new set of its items."""
    return x.items[0] if x.is_group("set") else made(t, node, x).items[0]


def made(t, node, x=None):
    """set(x)"""
    if x is None:
        return group("set", [Val(List("empty"), items=[])])
    if x.is_group("set"):
        return group("set", [t.list_copy(x.items[0], node)])
    keys = _words.listed_keys(x)
    if keys is not None:
        return of_list(t, node, keys)
    x = t.turned(x, node) if x.is_group("iterator") or isinstance(x.type, Const) else x
    if x.is_group("tuple", "list") and any(map(_words.is_involved, x.items)):
        x = group("list", [_words.as_key(t, node, i) for i in x.items])
    return of_list(t, node, t.listed(t.list_from(x, node), node))


def of_list(t, node, x):
    if x.type.kind == "empty":
        return group("set", [Val(List("empty"), items=[])])
    item = x.type.item
    if x.type.rank > 1 or not is_key(item):
        t.refuse(node, f"a set of the items of {x.type!r} is not compiled", WHICH)
    if not isinstance(item, Scalar):
        base = group("set", [t.like_variables(t.new_list_as(Val(Group("list", []), items=[]), List("growing", item), node), node)])
        t.loop_over(x, node, lambda i: add(t, node, base, i))
        return base
    a = t.list_array(x, node)
    if is_float(item.elem):
        nan = n.lib("any", _BOOL, n.lib("isnan", a.type.fresh().__class__("bool", False, 1), a.code))
        t.guard(node, nan, UnsupportedError, "a set with NaN is not compiled")
    return group("set", [t.array_as_list(t.call(np.unique, [a], {}, node), item, node)])


def searched(t, node, s, x):
    """(position in the set's list at which x is or would be inserted, whether x is there), in variables."""
    x = _words.as_key(t, node, x)
    if not is_key(x.type):
        t.refuse(node, f"searching a set for {x.type!r} is not compiled", WHICH)
    of = s.type.item
    if not _words.are_alike(of, x.type):
        t.refuse(node, f"searching a set of {of!r} for {x.type!r} is not compiled", "use items of one type")
    x = t.once_parts(_words.recoded(t, node, x, of), node)
    if x.is_scalar:
        found = t.call_python(library.set_place, [t.list_array(s, node), x], {}, node).items
    else:
        rows = group("tuple", [t.keep(a, node) for a in t.list_arrays(s, node)])
        found = t.call_python(library.set_place_of_tuples, [rows, group("tuple", t.number_parts(x))], {}, node).items
    return t.copied(found[0], node), t.copied(found[1], node)


def change(t, node, base):
    """The list of a set, marked as one whose length this function changes."""
    if not base.items[0].held and base.items[0].type.kind != "growing":
        base = group("set", [t.listed(base.items[0], node, 2) if base.items[0].type.kind == "fixed" else base.items[0]])
    return t.growing(base.items[0], node)


@method("add")
def add(t, node, base, x):
    x = _words.as_key(t, node, x)
    if not is_key(x.type):
        t.refuse(node, f"{x.type!r} as an item of a set is not compiled", WHICH)
    s = t.holding(change(t, node, base), x, node)
    x = t.once_parts(x, node)
    for k in t.number_parts(x):
        if is_float(k.type.elem) and not k.is_const:
            t.guard(node, n.lib("isnan", _BOOL, k.code), UnsupportedError, "a set with NaN is not compiled")
    at, there = searched(t, node, s, x)

    def insert():
        t.make_room(s, n.ONE, node)
        count = Val(INT, s.items[-2].code, low=0)
        for a in s.items[:-2]:
            t.call_python(library.open_gap, [a, at, count], {}, node)
        t.put(s, at.code, x, node)
        t.set_count(s, n.binary("plus", INT64, count.code, n.ONE), node)
        t.tell_others(s, node)

    body, _ = t.block(insert)
    t.emit(n.if_(n.unary("not", _BOOL, there.code), body, [], t.loc(node)))
    t.list_written()
    return constant(None)


def taken(t, node, base, x, missing):
    s = change(t, node, base)
    if s.type.kind == "empty":
        if missing is not None:
            t.raise_(node, KeyError, missing)
        return constant(None)
    at, there = searched(t, node, s, x)
    if missing is not None:
        t.guard(node, n.unary("not", _BOOL, there.code), KeyError, missing)
    body, _ = t.block(delete, t, s, at.code, node)
    t.emit(n.if_(there.code, body, [], t.loc(node)))
    t.list_written()
    return constant(None)


@method("discard")
def discard(t, node, base, x):
    return taken(t, node, base, x, None)


@method("remove")
def remove(t, node, base, x):
    return taken(t, node, base, x, x.const if x.is_const else "the number is not in the set")


@method("clear")
def clear(t, node, base):
    s = change(t, node, base)
    if s.type.kind != "empty":
        t.set_count(s, n.ZERO, node)
        t.tell_others(s, node)
    return constant(None)


@method("copy")
def copy(t, node, base):
    return made(t, node, base)


@method("update")
def update(t, node, base, *others):
    for o in others:
        s = inner(t, node, o)
        if s.type.kind != "empty":
            t.loop_over(s, node, lambda item: add(t, node, base, item))
    return constant(None)


def same_items(t, node, a, b):
    if "empty" not in (a.type.kind, b.type.kind) and a.type.item != b.type.item and not (
            _words.has_word(a.type.item) and _words.are_alike(a.type.item, b.type.item)):
        t.refuse(node, f"sets of {a.type.item!r} and {b.type.item!r} cannot be combined", "give them the same type")


def combined(t, node, op, a, b):
    """a | b, a & b, a - b, a ^ b of the lists of sets."""
    if a.type.kind == "empty" or b.type.kind == "empty":
        keep = {ast.BitOr: (True, True), ast.BitAnd: (False, False), ast.Sub: (True, False), ast.BitXor: (True, True)}[op]
        chosen = a if a.type.kind != "empty" and keep[0] else b if b.type.kind != "empty" and keep[1] else None
        return made(t, node, None if chosen is None else group("set", [chosen]))
    if op is not ast.Sub:
        same_items(t, node, a, b)
    if not isinstance(a.type.item, Scalar):
        return combined_tuples(t, node, op, a, b)
    x, y = t.list_array(a, node), t.list_array(b, node)
    f = {ast.BitOr: library.set_union, ast.BitAnd: library.set_intersection, ast.Sub: library.set_difference,
         ast.BitXor: library.set_symmetric}[op]
    return group("set", [t.array_as_list(t.call_python(f, [x, y], {}, node), a.type.item, node)])


def combined_tuples(t, node, op, a, b):
    """The same for sets of tuples, one item at a time."""
    item = a.type.item if op in (ast.BitAnd, ast.Sub) else join_items(a.type.item, b.type.item) or a.type.item
    base = group("set", [t.like_variables(t.new_list_as(Val(Group("list", []), items=[]), List("growing", item), node), node)])

    def each(one, other, taken):
        def body(item):
            there = None if taken is None else searched(t, node, other, t.once_parts(item, node))[1].code
            then, _ = t.block(add, t, node, base, item)
            if there is None:
                t.out += then
            else:
                t.emit(n.if_(there if taken else n.unary("not", _BOOL, there), then, [], t.loc(node)))
                t.list_written()
        t.loop_over(one, node, body)

    each(a, b, {ast.BitOr: None, ast.BitAnd: True, ast.Sub: False, ast.BitXor: False}[op])
    if op in (ast.BitOr, ast.BitXor):
        each(b, a, None if op is ast.BitOr else False)
    return base


def _operations():
    for name, op in (("union", ast.BitOr), ("intersection", ast.BitAnd), ("difference", ast.Sub)):
        def handler(t, node, base, *others, op=op):
            result = made(t, node, base)
            for o in others:
                result = combined(t, node, op, result.items[0], inner(t, node, o))
            return result
        METHODS[name] = handler

    @method("symmetric_difference")
    def symmetric(t, node, base, other):
        return combined(t, node, ast.BitXor, base.items[0], inner(t, node, other))

    for name, op in (("issubset", ast.LtE), ("issuperset", ast.GtE)):
        def test(t, node, base, other, op=op):
            return compared(t, node, op(), base, group("set", [inner(t, node, other)]))
        METHODS[name] = test

    @method("isdisjoint")
    def isdisjoint(t, node, base, other):
        both = combined(t, node, ast.BitAnd, base.items[0], inner(t, node, other)).items[0]
        return t.compare(ast.Eq(), t.length_of(both, node), number(0), node)


_operations()


def replaced(t, node, base, result):
    """Replaces the set's items by those of `result`."""
    kept = [t.copied(t.keep(a, node), node) for a in t.listed(result.items[0], node).items] if result.items[0].type.kind != "empty" else []
    clear(t, node, base)
    if kept:
        update(t, node, base, group("set", [Val(result.items[0].type, items=kept)]))
    return constant(None)


def change_in_place(t, node, op, base, other):
    """base &= other, base -= other, base ^= other, for lists of items."""
    if base.items[0].type.kind == "empty" and op is not ast.BitXor:
        return constant(None)
    return replaced(t, node, base, combined(t, node, op, made(t, node, base).items[0], other))


def _updates():
    for name, op in (("difference_update", ast.Sub), ("intersection_update", ast.BitAnd), ("symmetric_difference_update", ast.BitXor)):
        def handler(t, node, base, *others, op=op, name=name):
            if op is ast.BitXor and len(others) != 1:
                t.refuse(node, f"'.{name}' takes a single set")
            for other in others:
                change_in_place(t, node, op, base, inner(t, node, other))
            return constant(None)
        METHODS[name] = handler


_updates()


def compared(t, node, op, a, b):
    """Comparisons of sets: == and != compare the items; <, <=, > and >= test for subsets."""
    if not (a.is_group("set") and b.is_group("set")):
        if isinstance(op, (ast.Eq, ast.NotEq)):
            return number(isinstance(op, ast.NotEq))
        t.refuse(node, f"{a.type!r} and {b.type!r} have no order")
    if isinstance(op, (ast.Gt, ast.GtE)):
        return compared(t, node, ast.Lt() if isinstance(op, ast.Gt) else ast.LtE(), b, a)
    x, y = a.items[0], b.items[0]
    if "empty" in (x.type.kind, y.type.kind):
        return t.compare(op, t.length_of(x, node), t.length_of(y, node), node)
    if not (isinstance(x.type.item, Scalar) and isinstance(y.type.item, Scalar)):
        return compared_tuples(t, node, op, x, y)
    f = library.list_equal if isinstance(op, (ast.Eq, ast.NotEq)) else library.set_within if isinstance(op, ast.LtE) else library.set_inside
    code = t.call_python(f, [t.list_array(x, node), t.list_array(y, node)], {}, node).code
    return Val(BOOL, n.unary("not", _BOOL, code) if isinstance(op, ast.NotEq) else code)


def compared_tuples(t, node, op, x, y):
    """Comparisons by the number of common items."""
    both = t.keep(Val(INT, t.list_length(combined_tuples(t, node, ast.BitAnd, x, y).items[0], node), low=0), node)
    one, two = t.keep(t.length_of(x, node), node), t.keep(t.length_of(y, node), node)
    inside, smaller = t.compare(ast.Eq(), both, one, node), t.compare(ast.Lt() if isinstance(op, ast.Lt) else ast.LtE(), one, two, node)
    if isinstance(op, (ast.Eq, ast.NotEq)):
        smaller = t.compare(ast.Eq(), one, two, node)
    code = n.binary("and", _BOOL, inside.code, smaller.code)
    return Val(BOOL, n.unary("not", _BOOL, code) if isinstance(op, ast.NotEq) else code)


class Sets:
    """The part of Function that creates sets."""

    def expr_Set(self, node):
        if any(isinstance(e, ast.Starred) for e in node.elts):
            self.refuse(node, "'*' in a set is not compiled")
        return made(self, node, group("list", self.operands(node.elts)))

    def expr_SetComp(self, node):
        generators = [(g.target, g.iter, g.ifs) for g in node.generators]
        return of_list(self, node, self.comprehension(node, generators, lambda item: _words.as_key(self, node, self.expr(node.elt))))

    def in_any_order(self, x, node):
        """The list of a set's items, for uses whose result does not depend on their order. Others are refused."""
        if isinstance(node, ast.For):
            body = _orders.free_loop(node, self.tree)
            if body is not None and not any(parallel for _, _, parallel in self.loops):
                of = lambda name: {self.types.get(self.names.keys.get(id(y))) for y in all_nodes(node) if isinstance(y, ast.Name) and y.id == name} - {None}
                if all(isinstance(t, Scalar) for name in body.collected for t in of(name)) and all(
                        isinstance(t, Array) for name in body.arrays for t in of(name)) and all(
                            isinstance(t, Group) and t.kind == "set" for name in body.sets for t in of(name)):
                    return x.items[0]
        elif _orders.free_use(node, self.tree):
            return x.items[0]
        self.refuse_order(node)

    def refuse_order(self, node):
        self.refuse(node, f"a loop over a set: {ORDER}", "loop over sorted(...)")

    def operate_sets(self, op, a, b, node):
        if not (a.is_group("set") and b.is_group("set")) or type(op) not in (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor):
            self.refuse(node, f"this operator of {a.type!r} and {b.type!r} is not compiled")
        return combined(self, node, type(op), a.items[0], b.items[0])
