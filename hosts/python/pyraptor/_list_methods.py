"""Methods, operators and statements of lists. Built-in functions applied to lists are in _numpy_python.py."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from . import _buffers, _words
from . import library_lists as library
from . import library_more
from ._comprehensions import Comprehensions
from ._errors import UnsupportedError
from ._lists import DELETE_RANGE, ELSEWHERE, POP_EMPTY, POP_RANGE, REMOVE, ROW, STORE_RANGE
from ._types import BOOL, INT, Array, Const, Group, List, Optional, Scalar, has_row, is_key, is_known_int, leaves, list_type
from ._value import Unknown, Val, constant, group, like, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
METHODS = {}


def method(name):
    def register(handler):
        METHODS[name] = handler
        return handler
    return register


def none(t):
    return constant(None)


def whole(t, val, node, what="list indices must be integers"):
    if not is_known_int(val.type):
        t.refuse(node, f"{what}, not {val.type!r}")
    return Val(INT, t.cast(val, "int64"), low=val.low)


def known(t, val, node):
    """The list; raises Unknown if the type of its items is not known yet."""
    val = t.listed(val, node)
    if val.type.kind == "empty":
        t.bottom = node
        raise Unknown
    return val


@method("append")
def append(t, node, base, item):
    t.append(base, item, node)
    return none(t)


@method("extend")
def extend(t, node, base, iterable):
    base = t.growing(base, node)
    extended(t, base, iterable, node)
    return none(t)


def extended(t, base, iterable, node):
    """base += iterable, where the length of `base` may change"""
    if iterable.is_group("iterator"):
        iterable = iterable.items[0]
    if iterable.is_group("tuple", "list") and not iterable.items:
        return base
    if iterable.is_group("list") and (list_type(iterable.type) is None or list_type(iterable.type).rank > 1) or iterable.is_list and iterable.type.rank > 1:
        iterable = t.rows_from(iterable, node)
    if iterable.is_group("tuple") and list_type(Group("list", iterable.type.items)) is not None:
        iterable = Val(Group("list", iterable.type.items), items=iterable.items)
    if iterable.is_array:
        item = iterable.type.element()
        if iterable.type.rank > 1:
            t.refuse(node, "making the rows of an array items of a list is not compiled", "use lists of numbers")
        other = Val(List("fixed", item, 1, "strided"), items=[t.keep(t.plain(iterable, node), node)])
    elif iterable.is_listed:
        other = t.listed(iterable, node)
        if other.type.kind == "empty":
            return base
    else:
        t.loop_over(iterable, node, lambda item: t.append(base, item, node))
        return base
    if other.type.rank > 1:
        t.refuse(node, "making a list an item of a list is not compiled", "use an array of two dimensions")
    if base.type.item != other.type.item:
        base = t.holding(base, t.sample_item(other.type.item), node)
        if other.type.item != base.type.item:
            arrays = [Val(Array(s.elem, s.complex, 1), t.cast(t.plain(a, node), s.elem, s.complex))
                      for a, s in zip(t.list_arrays(other, node), leaves(base.type.item))]
            other = Val(List("fixed", base.type.item), items=[t.keep(a, node) for a in arrays])
    views = t.list_arrays(other, node)
    more = t.keep(Val(INT, n.binary("plus", INT64, t.extent(views[0], 0, node), n.ZERO), low=0), node)
    t.make_room(base, more.code, node)
    end = n.binary("plus", INT64, base.items[-2].code, more.code)
    for a, view in zip(base.items, views):
        part = [n.subscript(n.range_(base.items[-2].code, None, end))]
        t.emit(n.assign([n.index(a.var, Array(a.type.elem, a.type.complex, 1, "strided"), part)], view.code, t.loc(node)))
    t.set_count(base, end, node)
    t.tell_others(base, node)
    return base


def delete(t, base, at, node):
    """Removes the item at a position (a VRIR expression)."""
    count = base.items[-2].code
    arguments = [Val(INT, at, low=0), Val(INT, count, low=0)]
    for a in base.items[:-2]:
        t.call_python(library.close_gap, [a, *arguments], {}, node)
    t.set_count(base, n.binary("minus", INT64, count, n.ONE), node)
    t.tell_others(base, node)


@method("pop")
def pop(t, node, base, index=None):
    base = t.growing(base, node)
    if base.type.kind == "empty":
        t.bottom = node
        raise Unknown
    count = base.items[-2].code
    if t.program.boundscheck:
        t.guard(node, n.binary("eq", _BOOL, count, n.ZERO), IndexError, POP_EMPTY)
    at = n.binary("minus", INT64, count, n.ONE) if index is None else t.checked_index(base, index, node, POP_RANGE)
    at = t.keep(Val(INT, at, low=0), node).code
    item = copied(t, t.item_at(base, at, node), node)
    if index is None or (index.is_const and index.const == -1):
        t.set_count(base, at, node)
        t.tell_others(base, node)
    else:
        delete(t, base, at, node)
    return item


def copied(t, item, node):
    if item.row is not None or item.is_group("grown"):  # its handle has been read
        return item
    if item.is_group():
        return like(item, [copied(t, i, node) for i in item.items])
    return t.copied(item, node)


@method("insert")
def insert(t, node, base, index, item):
    base, item = t.growing(base, node), t.as_item(item, node)
    base = t.holding(base, item, node)
    item = like(item, [t.keep(p, node) for p in item.items]) if item.is_group() else t.once(item, node)
    index = t.once(whole(t, index, node), node)
    t.make_room(base, n.ONE, node)
    count = base.items[-2].code
    at = t.copied(t.call_python(library.insert_place, [index, Val(INT, count, low=0)], {}, node), node)
    for a in base.items[:-2]:
        t.call_python(library.open_gap, [a, at, Val(INT, count, low=0)], {}, node)
    t.put(base, at.code, item, node)
    t.set_count(base, n.binary("plus", INT64, count, n.ONE), node)
    t.tell_others(base, node)
    return none(t)


def position(t, base, x, node, start=None, stop=None):
    """A variable with the position of the first item that equals x, or -1."""
    base = known(t, base, node)
    if not x.is_scalar:
        t.refuse(node, f"searching a list for {x.type!r} is not compiled", "search a list of numbers for a number")
    a = t.list_array(base, node)
    bounds = [number(0) if start is None else whole(t, start, node), t.length_of(base, node) if stop is None else whole(t, stop, node)]
    return t.copied(t.call_python(library.list_index, [a, x, *bounds], {}, node), node)


@method("remove")
def remove(t, node, base, x):
    base = t.growing(base, node)
    at = position(t, base, x, node)
    t.guard(node, n.binary("lt", _BOOL, at.code, n.ZERO), ValueError, REMOVE)
    delete(t, base, at.code, node)
    return none(t)


@method("index")
def index(t, node, base, x, start=None, stop=None):
    if base.is_group("tuple"):
        base = Val(Group("list", base.type.items), items=base.items)
    at = position(t, base, x, node, start, stop)
    try:
        [].index(x.const if x.is_const else 0)
    except ValueError as e:
        text = str(e) if x.is_const or "0" not in str(e) else "the number is not in list"
    t.guard(node, n.binary("lt", _BOOL, at.code, n.ZERO), ValueError, text if base.is_listed else "x not in tuple")
    return Val(INT, at.code, var=at.var, low=0)


@method("count")
def count(t, node, base, x):
    if base.is_group("tuple"):
        base = Val(Group("list", base.type.items), items=base.items)
    base = known(t, base, node)
    if not x.is_scalar:
        t.refuse(node, f"searching a list for {x.type!r} is not compiled", "search a list of numbers for a number")
    found = t.call_python(library.list_count, [t.list_array(base, node), x], {}, node)
    return Val(INT, found.code, var=found.var, low=0)


@method("clear")
def clear(t, node, base):
    base = t.growing(base, node)
    if base.type.kind != "empty":
        t.set_count(base, n.ZERO, node)
        t.tell_others(base, node)
    return none(t)


@method("copy")
def copy(t, node, base):
    if base.is_group("list") and list_type(base.type) is None or base.is_group("list") and not base.items:
        return group("list", base.items)
    return t.list_copy(t.listed(base, node), node)


@method("indices")
def slice_indices(t, node, base, length):
    """slice.indices(length)"""
    if not base.is_group("slice"):
        t.refuse(node, f"{base.type!r} has no attribute 'indices'")
    start, stop, step = base.items
    step = number(1) if step.is_none() else step
    length = t.once(whole(t, length, node), node)
    if not step.is_const:
        if start.is_none() or stop.is_none():
            t.refuse(node, "indices() of a slice with a computed step and without start or stop is not compiled", "give start and stop")
        parts = [whole(t, p, node, "slice indices must be integers") for p in (start, stop, step)]
        return t.call_python(library_more.slice_indices_any, [*parts, length], {}, node)
    step = step.const
    if type(step) is not int or step == 0:
        t.refuse(node, "the step of a slice must be an integer other than 0")
    huge = (1 << 62)
    start = number(0 if step > 0 else huge) if start.is_none() else whole(t, start, node, "slice indices must be integers")
    if stop.is_none() and step < 0:
        stop = t.operate(ast.Sub(), number(-1), length, node)
    elif stop.is_none():
        stop = number(huge)
    f = library_more.slice_indices if step > 0 else library_more.slice_indices_back
    return t.call_python(f, [start, whole(t, stop, node, "slice indices must be integers"), number(step), length], {}, node)


def in_place(t, node, base):
    """The list, marked as one whose items this function changes."""
    if not base.is_list:
        base = t.need_level(base, 1, node) if base.held else t.listed(base, node)
    if base.type.kind != "empty" and base.type.rank > 1:
        t.refuse(node, "reordering the rows of a list of lists is not compiled", "use an array")
    t.may_change(base, node)
    t.changed_lists(base, node)
    return base


@method("reverse")
def reverse(t, node, base):
    base = in_place(t, node, base)
    if base.type.kind != "empty":
        for a in t.list_arrays(base, node):
            t.call_python(library.reverse, [a], {}, node)
    return none(t)


@method("sort")
def sort(t, node, base, key=None, reverse=None):
    sort_list(t, node, in_place(t, node, base), key, reverse)
    return none(t)


def sort_list(t, node, x, key, reverse):
    """Sorts a List in place."""
    if x.type.kind == "empty":
        return
    if (key is None or key.is_none()) and has_row(x.type.item):
        t.refuse(node, "sorting lists of lists or of strings without a key is not compiled", "sort by numbers: key=len, or key=lambda row: row[0]")
    if (key is None or key.is_none()) and not isinstance(x.type.item, Scalar):
        return sort_tuples(t, node, x, reverse)
    if key is None or key.is_none():
        return sort_array(t, node, t.list_array(x, node), reverse, x.type.item)
    keys = keys_of(t, node, x, key)
    turned = False if reverse is None else t.static(reverse, node, "reverse")
    if turned:
        for k in keys:
            t.call_python(library.reverse, [k], {}, node)
    order = order_of(t, node, keys)
    for a in t.list_arrays(x, node):
        t.call_python(library.rearrange_turned if turned else library.rearrange, [a, order], {}, node)


def sort_tuples(t, node, x, reverse):
    """Sorts a list of tuples: stable sorts by each of their numbers, from the last to the first."""
    if x.type.rank > 1 or any(s.complex for s in leaves(x.type.item)):
        t.refuse(node, f"sorting a {x.type!r} is not compiled", "use lists of ordered numbers, or of tuples of these")
    arrays = t.list_arrays(x, node)
    turned = False if reverse is None else t.static(reverse, node, "reverse")
    if turned:
        for a in arrays:
            t.call_python(library.reverse, [a], {}, node)
    order = order_of(t, node, arrays)
    for a in arrays:
        t.call_python(library.rearrange, [a, order], {}, node)
        if turned:
            t.call_python(library.reverse, [a], {}, node)


def order_of(t, node, arrays):
    """The indices that sort tuples, given an array for each of their numbers."""
    order = None
    for a in reversed(arrays):
        keys = a if order is None else t.keep(t.element(a, [order], node), node)
        more = t.keep(t.call(np.argsort, [keys], {}, node), node)
        order = more if order is None else t.keep(t.element(order, [more], node), node)
    return order


def keys_of(t, node, x, key):
    """The results of the function `key` for the items of a List, as an array for each of their numbers."""
    if not (isinstance(key.type, Const)):
        t.refuse(node, f"{key.type!r} is not a function")

    def one(item):
        val = t.call(key.type.value, [item], {}, node)
        if isinstance(val.type, Optional):
            t.guard(node, n.unary("not", _BOOL, val.items[0].code), UnsupportedError, "a key that is None is not compiled")
            val = val.items[1]
        return _words.as_key(t, node, val)

    keys = t.comprehension(node, [(None, x, [])], one, what="key")
    if not keys.is_list or keys.type.rank > 1 or keys.type.item is not None and not is_key(keys.type.item):
        t.refuse(node, f"a key must be a number, a string that is known at compile time, or a tuple of these, not {keys.type.item if keys.is_list else keys.type!r}")
    return t.list_arrays(keys, node)


def sort_array(t, node, a, reverse, item):
    """Sorts the array in place. The sort is stable, also with `reverse`."""
    if item.complex and item.weak:
        t.raise_(node, TypeError, "'<' not supported between instances of 'complex' and 'complex'")
    elif item.complex:
        t.refuse(node, "sorting NumPy's complex numbers as Python does is not compiled", "use np.sort")
    turned = False if reverse is None else t.static(reverse, node, "reverse")
    if turned:
        t.call_python(library.reverse, [a], {}, node)
    sorted_ = t.call(np.sort, [a], {}, node)
    t.emit(n.assign([n.index(a.var, Array(a.type.elem, a.type.complex, 1, "strided"), [n.subscript("(range)")])], sorted_.code, t.loc(node)))
    t.stored_to(a.var, node)
    if turned:
        t.call_python(library.reverse, [a], {}, node)


class ListOperations(Comprehensions):
    """The part of Function that translates operators and statements of lists."""

    def list_method(self, name):
        return METHODS.get(name)

    def loop_over(self, it, node, each, found=None):
        """Emits a loop over any iterable. `each(item)` emits its body. The loop ends when the variable `found` is true."""
        it = self.turned(it, node)
        if it.is_group("tuple", "list"):
            for item in it.items:
                body, _ = self.block(each, item)
                self.out += body if found is None or not body else [n.if_(n.unary("not", _BOOL, found), body, [], self.loc(node))]
            return
        self.counted_loop(node, it, each, lambda: None, found)

    # ---- operators
    def operate_lists(self, op, a, b, node):
        """a op b, where an operand is a List; None if the other operand is an array"""
        if a.is_array or b.is_array:
            return None
        if isinstance(op, ast.Add):
            if not (a.is_listed and b.is_listed):
                self.refuse(node, f"can only concatenate lists, not {a.type!r} and {b.type!r}")
            return self.joined_lists(a, b, node)
        if isinstance(op, ast.Mult):
            many, times = (a, b) if a.is_listed else (b, a)
            if times.is_scalar and is_known_int(times.type) and times.type.weak:
                return self.repeated(many, times, node)
        self.refuse(node, f"this operator of {a.type!r} and {b.type!r} is not compiled")

    def joined_lists(self, a, b, node):
        a, b = self.listed(a, node), self.listed(b, node)
        if "empty" in (a.type.kind, b.type.kind):
            return self.list_copy(b if a.type.kind == "empty" else a, node)
        from ._types import join_items
        item = join_items(a.type.item, b.type.item)
        if item is None or a.type.rank > 1 or b.type.rank > 1:
            self.refuse(node, f"concatenating {a.type!r} and {b.type!r} is not compiled", "use arrays")
        lengths = [self.keep(Val(INT, n.binary("plus", INT64, self.list_length(v, node), n.ZERO)), node) for v in (a, b)]
        both = n.binary("plus", INT64, lengths[0].code, lengths[1].code)
        parts = []
        for k, s in enumerate(leaves(item)):
            to, view = Array(s.elem, s.complex, 1), Array(s.elem, s.complex, 1, "strided")
            new = self.keep(Val(to, n.alloc("empty", to, [both])), node)
            for v, range_ in ((a, n.range_(None, None, lengths[0].code)), (b, n.range_(lengths[0].code, None, both))):
                text = self.cast(self.plain(self.list_arrays(v, node)[k], node), s.elem, s.complex)
                self.emit(n.assign([n.index(new.var, view, [n.subscript(range_)])], text, self.loc(node)))
            self.list_ids.add(new.var)
            parts.append(new)
        return Val(List("fixed", item), items=parts)

    def repeated(self, many, times, node):
        times = self.once(Val(INT, self.cast(times, "int64")), node)
        if not many.items:
            return Val(List("empty"), items=[])
        if many.is_group("list") and any(i.is_listed for i in many.items):
            self.refuse(node, "all items of this list are the same list object", "make each item separately: [[0] * n for _ in range(m)]")
        many = self.listed(many, node)
        if many.type.kind == "empty":
            return many
        if many.type.rank > 1:
            self.refuse(node, "this list would contain the same list objects several times", "use an array")
        count = self.keep(Val(INT, n.lib("max2", INT64, times.code, n.ZERO), low=0), node)
        parts = []
        for a in self.list_arrays(many, node):
            made = self.call_python(library.repeat, [a, count], {}, node)
            self.list_ids.add(made.var)
            parts.append(made)
        return Val(List("fixed", many.type.item), items=parts)

    def compare_lists(self, op, a, b, node):
        if isinstance(op, (ast.Is, ast.IsNot)):
            self.refuse(node, "'is' of lists is not compiled")
        if not (a.is_listed and b.is_listed):
            if isinstance(op, (ast.Eq, ast.NotEq)):
                return number(isinstance(op, ast.NotEq))
            self.refuse(node, f"{a.type!r} and {b.type!r} have no order")
        a, b = self.listed(a, node), self.listed(b, node)
        if "empty" in (a.type.kind, b.type.kind):
            lengths = self.length_of(a, node), self.length_of(b, node)
            return self.compare(op, *lengths, node)
        if not all(isinstance(v.type.item, Scalar) for v in (a, b)) or a.type.rank > 1 or b.type.rank > 1:
            self.refuse(node, f"comparing {a.type!r} and {b.type!r} is not compiled", "compare lists of numbers")
        x, y = self.list_array(a, node), self.list_array(b, node)
        if isinstance(op, (ast.Eq, ast.NotEq)):
            equal = self.call_python(library.list_equal, [x, y], {}, node)
            return Val(BOOL, equal.code if isinstance(op, ast.Eq) else n.unary("not", _BOOL, equal.code))
        if x.type.complex or y.type.complex:
            self.refuse(node, "complex numbers have no order")
        f = library.list_less_equal if isinstance(op, (ast.LtE, ast.GtE)) else library.list_less
        x, y = (y, x) if isinstance(op, (ast.Gt, ast.GtE)) else (x, y)
        return Val(BOOL, self.call_python(f, [x, y], {}, node).code)

    def in_list(self, a, b, node):
        """a in b"""
        if b.type.kind == "empty":
            return number(False)
        if not a.is_scalar:
            self.refuse(node, f"{a.type!r} in {b.type!r} is not compiled")
        return Val(BOOL, n.binary("geq", _BOOL, position(self, b, a, node).code, n.ZERO))

    # ---- statements
    def list_place(self, base, target, s):
        """The target of a store to base[index]; None for a slice."""
        from ._subscripts import Place
        index = self.expr(target.slice)
        if index.is_group("slice"):
            return None
        base = in_place_items(self, base, s)
        index = self.once(index, s)
        item = base.type.item
        if base.type.rank > 1 and base.held and not {ELSEWHERE, ROW} & base.held:
            self.need_level(base, 2, s)
        if base.type.rank > 1:
            self.refuse(s, "replacing a row of a list of lists is not compiled", "store its items: x[i][:] = ... or x[i][j] = ...")
        if base.type.kind == "growing":
            text = self.checked_index(base, index, s, STORE_RANGE)
            place = Place(base.items[0], [n.subscript(text, check=False)], item, False, items=[index])
        else:
            if not is_known_int(index.type):
                self.refuse(s, f"list indices must be integers or slices, not {index.type!r}")
            arrays = [self.keep(a, s) for a in base.items]
            for a in arrays:
                self.list_ids.add(a.var)
            base = Val(base.type, items=arrays, held=base.held, row=base.row)
            at = index if index.type.elem != "bool" else Val(INT, self.cast(index, "int64"), low=0)
            subscript = self.number_subscript(at, s, self.extent(arrays[0], 0, s), STORE_RANGE)
            place = Place(arrays[0], [subscript], item, False, items=[index])
        place.list = base
        return place

    def load_list_place(self, place):
        parts = iter(Val(s, n.index(a.var, a.type.element(), place.texts)) for a, s in zip(place.list.items, leaves(place.list.type.item)))
        return self.item_of(place.list.type.item, parts, place.list.held)

    def store_list_place(self, place, val, s):
        val = self.as_item(val, s)
        base = self.holding(place.list, val, s)
        for a, part, t in zip(base.items, self.number_parts(val), leaves(base.type.item)):
            text = self.fit(part, t)
            if "(index " in text and base.type.kind == "fixed":  # a fault of reading the value must not be reported as one of the store
                text = self.copied(Val(t, text), s).code
            if place.list.row is None:
                self.stored_to(a.var, s)
            self.emit(n.assign([n.index(a.var, a.type.element(), place.texts)], text, self.loc(s, "#store")))

    def store_list_slice(self, base, target, val, s):
        """base[i:j] = val"""
        if base.row is not None:
            self.through_copy(base, lambda copy: self.store_list_slice(copy, target, val, s), s)
            return
        if isinstance(target.slice, ast.Slice) and target.slice.step is not None:
            self.refuse(s, "a store to a slice of a list with a step is not compiled", "store the items in a loop")
        if val.is_group("tuple"):
            val = Val(Group("list", val.type.items), items=val.items)
        if val.is_array and val.type.rank == 1:
            val = Val(List("fixed", val.type.element(), 1), items=[self.keep(Val(val.type.fresh(), n.lib("copy", val.type.fresh(), self.plain(val, s).code)), s)])
        if not val.is_listed:
            val = self.list_from(val, s)
        base = self.growing(base, s)
        other = self.listed(val, s)
        other = other if other.type.kind == "empty" else self.list_copy(other, s)
        if other.type.kind != "empty":
            base = self.holding(base, self.sample_item(other.type.item), s)
            if other.type.item != base.type.item:
                other = self.new_list_as(other, List("fixed", base.type.item), s)
        if base.type.kind == "empty":
            return
        count = Val(INT, base.items[-2].code, low=0)
        low, high = (p if not p.is_none() else None for p in self.expr(target.slice).items[:2])
        low = number(0) if low is None else whole(self, low, s)
        high = count if high is None else whole(self, high, s)
        low, high = self.call_python(library.slice_bounds, [low, high, count], {}, s).items
        low, high = self.copied(low, s), self.copied(high, s)
        more = n.ZERO if other.type.kind == "empty" else self.extent(other.items[0], 0, s)
        change = self.keep(Val(INT, n.binary("minus", INT64, more, n.binary("minus", INT64, high.code, low.code))), s)
        self.make_room(base, n.lib("max2", INT64, change.code, n.ZERO), s)
        for k, a in enumerate(base.items[:-2]):
            self.call_python(library.shift, [a, high, count, change], {}, s)
            if other.type.kind != "empty":
                part = [n.subscript(n.range_(low.code, None, n.binary("plus", INT64, low.code, more)))]
                self.emit(n.assign([n.index(a.var, Array(a.type.elem, a.type.complex, 1, "strided"), part)], other.items[k].code, self.loc(s)))
        self.set_count(base, n.binary("plus", INT64, count.code, change.code), s)
        self.tell_others(base, s)

    def delete_item(self, base, target, s):
        """del base[index]"""
        if base.row is not None:
            self.through_copy(base, lambda copy: self.delete_item(copy, target, s), s)
            return
        base = self.growing(base, s)
        if isinstance(target.slice, ast.Slice):
            empty = group("list", [])
            return self.store_list_slice(base, target, empty, s)
        if base.type.kind == "empty":
            self.bottom = s
            raise Unknown
        at = self.checked_index(base, self.expr(target.slice), s, DELETE_RANGE)
        delete(self, base, self.copied(Val(INT, at, low=0), s).code, s)

    def augment_list(self, s, old, val):
        """old += val, old *= val: changes the list in place"""
        if old.row is not None and isinstance(s.op, ast.Add):
            self.extend_row(old, val, s)
            return
        if old.row is not None:
            self.through_copy(old, lambda copy: self.augment_list(s, copy, val), s)
            return
        if isinstance(s.op, ast.Add):
            old = self.growing(old, s)
            if not (val.is_group() or val.is_array or val.is_list):
                self.refuse(s, f"{val.type!r} is not iterable")
            if val.is_listed and not val.is_list:
                val = Val(val.type, items=val.items) if list_type(val.type) is not None else val
            extended(self, old, val, s)
        elif isinstance(s.op, ast.Mult):
            old = self.growing(old, s)
            if old.type.kind == "empty":
                return
            more = self.operate(ast.Sub(), val, number(1), s)
            before = Val(INT, old.items[-2].code, low=0)
            extra = self.repeated(self.list_copy(old, s), more, s)
            extended(self, old, extra, s)
            self.emit(n.if_(n.binary("lt", _BOOL, more.code, n.ZERO), [n.assign([before.code], n.ZERO, self.loc(s))], [], self.loc(s)))
            self.tell_others(old, s)
        else:
            self.refuse(s, f"this operator of {old.type!r} is not compiled")

    def unpack_list(self, val, count, s):
        """The items of a List as a tuple of `count`. Raises Python's exception if the list has another length."""
        if val.type.kind == "empty":
            self.bottom = s
            raise Unknown
        length = self.list_length(val, s)
        for k in range(count):
            self.guard(s, n.binary("eq", _BOOL, length, n.const(k, INT64)), ValueError, _few(k, count))
        self.guard(s, n.binary("gt", _BOOL, length, n.const(count, INT64)), ValueError, _many(count))
        items = [self.list_item(val, number(k), s) for k in range(count)]
        return group("tuple", [copied(self, i, s) if not i.is_list else i for i in items])

    def list_from(self, x, node):
        """list(x)"""
        from ._itertools import endless
        if endless(x) is not None:
            self.refuse(node, "all items of itertools.count() are needed here, which do not end", "use zip, or a loop with 'break'")
        keys = _words.listed_keys(x)
        if x.is_group("set"):
            x = self.in_any_order(x, node)
        if keys is not None:
            return _words.as_strings(self, node, keys)
        x = _part(x) if x.is_group("dict", "entries") else x
        if x.is_group("arrays") or x.is_group("iterator") and x.items[0].is_group("arrays"):
            return x.items[0] if x.is_group("iterator") else x
        x = self.turned(x, node) if x.is_group("iterator", "fields") or isinstance(x.type, Const) else x
        if x.is_group("tuple", "list"):
            return group("list", x.items)
        if x.is_list:
            return self.list_copy(x, node)
        if x.is_group("buffer"):
            return _buffers.as_list(self, node, x)
        if x.is_array:
            if x.type.rank != 1:
                self.refuse(node, "making a list of arrays of an array is not compiled", "use the array itself")
            to = Array(x.type.elem, x.type.complex, 1)
            return self.array_as_list(Val(to, n.lib("copy", to, self.plain(x, node).code)), x.type.element(), node)
        return self.comprehension(node, [(None, x, [])], lambda item: item, what="list")


def in_place_items(t, base, s):
    """The list, marked as one whose items change. For a list of lists: the items of its rows."""
    if not base.is_list:
        base = t.need_level(base, 1, s) if base.held else t.listed(base, s)
    if base.type.kind == "empty":
        t.bottom = s
        raise Unknown
    if base.type.kind == "growing":
        t.may_change(base, s)
    t.changed_lists(base, s)
    return base


def _part(x):
    """The list that a loop over a dictionary, or over its keys, values or items, iterates over."""
    from ._dicts import part
    return (part(x, 0) if x.is_group("dict") else x).items[0]


def _few(k, count):
    try:
        exec("(" + "a, " * count + ") = x", {"x": [0] * k})
    except ValueError as e:
        return str(e)


def _many(count):
    try:
        exec("(" + "a, " * count + ") = x", {"x": [0] * (count + 1)})
    except ValueError as e:
        return str(e).split(", got")[0] + (")" if ", got" in str(e) else "")
