"""Functions that take functions: map, filter, functools.reduce, itertools.accumulate, and the functions of the module operator."""
from __future__ import annotations

import ast
import functools
import itertools
import operator

import numpy as np

from . import _nodes as n
from ._iterators import is_more, next_item, source
from ._numpy import function
from ._types import Const, Rank0, Scalar
from ._value import Val, constant, group, number

_BOOL = Scalar("bool")


def callee(t, node, f):
    if not isinstance(f.type, Const):
        t.refuse(node, f"{f.type!r} is not a function")
    return f.type.value


@function(map)
def map_(t, node, f, *iterables):
    if not iterables:
        t.refuse(node, "map needs at least one iterable")
    g = callee(t, node, f)
    it = iterables[0] if len(iterables) == 1 else group("zip", iterables)
    made = t.turned(it, node)
    if made.is_group("tuple", "list"):
        return group("iterator", [group("list", [t.call(g, [i], {}, node) for i in made.items])])

    def element(item):
        return t.call(g, list(item.items) if len(iterables) > 1 else [item], {}, node)

    return group("iterator", [t.comprehension(node, [(None, it, [])], element)])


@function(filter)
def filter_(t, node, f, iterable):
    g = None if f.is_none() else callee(t, node, f)

    def test(item):
        return t.truth(item if g is None else t.call(g, [item], {}, node), node)

    return group("iterator", [t.comprehension(node, [(None, iterable, [])], lambda item: item, test)])


def folded(t, node, f, key, item):
    """Updates the accumulator `key` to f(accumulator, item)."""
    t.store(key, key, t.call(f, [t.read(key), item], {}, node), node)


@function(functools.reduce)
def reduce_(t, node, f, iterable, initial=None):
    g = callee(t, node, f)
    it = t.turned(iterable, node)
    if it.is_group("tuple", "list"):
        items = ([initial] if initial is not None else []) + list(it.items)
        if not items:
            t.raise_(node, TypeError, "reduce() of empty iterable with no initial value")
            return number(0)
        value = items[0]
        for i in items[1:]:
            value = t.call(g, [value, i], {}, node)
        return value
    key = f"result of {node.lineno}.{node.col_offset}"
    if initial is None:
        made = t.listed(t.list_from(it, node), node)
        t.guard(node, n.binary("eq", _BOOL, t.list_length(made, node), n.ZERO), TypeError, "reduce() of empty iterable with no initial value")
        t.store(key, key, t.list_item(made, number(0), node), node)
        none = t.none()
        it = t.list_slice(made, group("slice", [number(1), none, none]), node)
    else:
        t.store(key, key, initial, node)
    t.has_loop = True
    t.loop_over(it, node, lambda item: folded(t, node, g, key, item))
    val = t.read(key)
    return t.copied(val, node) if val.is_scalar else val


@function(itertools.accumulate)
def accumulate_(t, node, iterable, func=None, initial=None):
    g = operator.add if func is None or func.is_none() else callee(t, node, func)
    it = t.turned(iterable, node)
    initial = None if initial is None or initial.is_none() else initial
    if it.is_group("tuple", "list"):
        values = ([initial] if initial is not None else []) + list(it.items)
        for k in range(1, len(values)):
            values[k] = t.call(g, [values[k - 1], values[k]], {}, node)
        return group("iterator", [group("list", values)])
    key = f"result of {node.lineno}.{node.col_offset}"
    if initial is not None:
        it = t.joined_lists(group("list", [initial]), t.list_from(it, node), node)
    first = t.temporary(_BOOL)
    t.emit(n.assign([n.name(first, _BOOL)], n.const(1, _BOOL), t.loc(node)))

    def element(item):
        begin, _ = t.block(lambda: t.store(key, key, item, node))
        on, _ = t.block(folded, t, node, g, key, item)
        t.emit(n.if_(n.name(first, _BOOL), begin, on, t.loc(node)))
        t.emit(n.assign([n.name(first, _BOOL)], n.const(0, _BOOL), t.loc(node)))
        val = t.read(key)
        if val.type != item.type:
            t.refuse(node, f"the accumulated value starts as {item.type!r} and becomes {val.type!r}", "start with a value of that type")
        return val

    return group("iterator", [t.comprehension(node, [(None, it, [])], element)])


class Getter:
    """operator.itemgetter(*items)"""

    def __init__(self, items):
        self.items, self.__name__ = items, "itemgetter"

    def __call__(self, *_):
        raise TypeError("known to the compiler only")


def _operators():
    binary = {"add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "truediv": ast.Div, "floordiv": ast.FloorDiv, "mod": ast.Mod, "pow": ast.Pow,
              "matmul": ast.MatMult, "and_": ast.BitAnd, "or_": ast.BitOr, "xor": ast.BitXor, "lshift": ast.LShift, "rshift": ast.RShift}
    for name, op in binary.items():
        function(getattr(operator, name))(lambda t, node, a, b, op=op: t.operate(op(), a, b, node))
    compared = {"eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE, "is_": ast.Is, "is_not": ast.IsNot}
    for name, op in compared.items():
        function(getattr(operator, name))(lambda t, node, a, b, op=op: t.compare(op(), a, b, node))
    single = {"neg": ast.USub, "pos": ast.UAdd, "invert": ast.Invert, "inv": ast.Invert}
    for name, op in single.items():
        function(getattr(operator, name))(lambda t, node, a, op=op: t.unary(op(), a, node))

    for name, op in binary.items():
        def in_place(t, node, a, b, op=op, name=name):
            if a.is_listed and op in (ast.Add, ast.Mult):
                from ._list_methods import extended
                if op is ast.Mult:
                    t.refuse(node, "operator.imul of a list is not compiled", "write x *= n")
                if not a.held and not a.is_list and not a.items:  # an empty new list
                    return t.list_from(b, node)
                return extended(t, t.growing(a, node), b, node)
            if a.is_group("set"):
                t.refuse(node, f"operator.i{name.strip('_')} of a set is not compiled", "write x |= y")
            if isinstance(a.type, Rank0):
                t.refuse(node, "changing a 0-d array in place is not compiled", "write x = x + y, or pass an array of one dimension")
            if a.is_array:
                a = t.keep(a, node)
                t.in_place(a, op(), b, node)
                return a
            return t.operate(op(), a, b, node)
        function(getattr(operator, f"i{name.strip('_')}"))(in_place)

    @function(operator.concat)
    def concat(t, node, a, b):
        return t.operate(ast.Add(), a, b, node)

    @function(operator.iconcat)
    def iconcat(t, node, a, b):
        return in_place(t, node, a, b, ast.Add, "add")

    @function(operator.contains)
    def contains(t, node, a, b):
        return t.compare(ast.In(), b, a, node)

    @function(operator.truth)
    def truth(t, node, a):
        return t.truth(a, node)

    @function(operator.not_)
    def not_(t, node, a):
        test = t.truth(a, node)
        return number(not test.const) if test.is_const else Val(test.type, n.unary("not", _BOOL, test.code))

    @function(operator.getitem)
    def getitem(t, node, a, b):
        return t.item_of_value(a, b, node)

    @function(operator.setitem)
    def setitem(t, node, a, b, c):
        target = place(t, node, a, b, ast.Store())
        t.store_subscript(target, c, node)

    @function(operator.delitem)
    def delitem(t, node, a, b):
        t.stmt_Delete(ast.copy_location(ast.Delete([place(t, node, a, b, ast.Del())]), node))

    def place(t, node, a, b, ctx):
        """A syntax node for a[b]. ctx: load, store or delete."""
        names = []
        for val, name in ((a, ".object"), (b, ".item")):
            names.append(ast.copy_location(ast.Name(name, ast.Load()), node))
        t.scopes.append({".object": a, ".item": b})
        return ast.copy_location(ast.Subscript(names[0], names[1], ctx), node)

    @function(operator.itemgetter)
    def itemgetter(t, node, *items):
        return constant(Getter([t.static(i, node, "the item") for i in items]))

    @function(operator.index)
    def index(t, node, a):
        if a.is_scalar and (not np.dtype(a.type.elem).kind in "iub" or a.type.complex):
            t.raise_(node, TypeError, f"'{a.type!r}' object cannot be interpreted as an integer")
            return number(0)
        return t.call(int, [a], {}, node)

    @function(operator.indexOf)
    def index_of(t, node, a, b):
        if not a.is_listed and not a.is_group("tuple"):
            t.refuse(node, f"operator.indexOf of {a.type!r} is not compiled")
        from ._list_methods import index as found
        return found(t, node, a, b)

    @function(operator.countOf)
    def count_of(t, node, a, b):
        if not a.is_listed and not a.is_group("tuple"):
            t.refuse(node, f"operator.countOf of {a.type!r} is not compiled")
        from ._list_methods import count
        return count(t, node, a, b)

    @function(operator.abs)
    def abs_(t, node, a):
        return t.call(abs, [a], {}, node)


_operators()


# ---- iterators with names (_iterators.py)
@function(source)
def source_(t, node, x):
    if x.is_array or x.is_list or x.is_group("range"):
        return x
    if x.is_group("set"):
        t.refuse_order(node)
    if x.is_group("tuple", "list") and x.items and all(i.is_scalar for i in x.items):
        return t.listed(t.list_from(x, node), node) if not x.held else x
    t.refuse(node, f"iter() of {x.type!r} is not compiled", "use a list of numbers, an array or a range; or loop over it with 'for'")


def _length(t, node, items):
    return t.call(len, [items], {}, node)


@function(is_more)
def is_more_(t, node, items, at):
    return t.compare(ast.Lt(), at, _length(t, node, items), node)


@function(next_item)
def next_item_(t, node, items, at):
    at = t.once(t.operate(ast.Sub(), at, number(1), node), node)
    outside = n.binary("geq", _BOOL, t.cast(at, "int64"), t.cast(_length(t, node, items), "int64"))
    t.guard(node, outside, StopIteration)
    at.low = 0
    return t.item_of_value(items, at, node)
