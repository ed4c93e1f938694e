"""Iterables of loops: access to their items by index."""
from __future__ import annotations

import ast

import numpy as np

from . import _buffers, _dicts, _fields, _structured, library
from . import _nodes as n
from ._trees import all_nodes
from ._types import INT, Const, Group, Scalar, list_type
from ._value import Val, constant, group, number

INT64 = Scalar("int64")
#: Maximum length of a constant bytes object over which loops are unrolled.
MOST_BYTES = 64


class Iteration:
    """The part of Function that handles iterables."""

    def turned(self, it, s):
        """Simplifies an iterable: iterators become what they iterate over, and `reversed` becomes an iterable with its items in reverse order."""
        if it.is_group("iterator", "arrays"):
            return self.turned(it.items[0], s) if it.items[0].is_group("arrays") else it.items[0]
        if it.is_group("set"):
            return self.in_any_order(it, s)
        if it.is_group("dict"):
            return _dicts.part(it, 0)
        if it.is_group("fields"):
            return _fields.names(it)
        if isinstance(it.type, Const) and isinstance(it.type.value, str):
            return group("tuple", [constant(c) for c in it.type.value])
        if isinstance(it.type, Const) and type(it.type.value) is bytes and len(it.type.value) <= MOST_BYTES:
            return _buffers.tuple_of_bytes(it.type.value)
        if it.is_group("zip", "enumerate"):
            first, *rest = it.items
            several = [self.turned(i, s) for i in (it.items if it.is_group("zip") else [first])]
            known = [i.items if i.is_group("tuple", "list") else None for i in several]
            if None not in known and any(list_type(Group("list", i.type.items)) is None for i in several) and (it.is_group("zip") or rest[0].is_const):
                if it.is_group("enumerate"):
                    known = [[number(rest[0].const + k) for k in range(len(known[0]))], *known]
                return group("tuple", [group("tuple", items) for items in zip(*known)])
            return group(it.type.kind, several + ([] if it.is_group("zip") else rest))
        if it.is_group("flat"):
            return self.call(np.ravel, [it.items[0]], {}, s)
        return self.reversed(it.items[0], s) if it.is_group("reversed") else it

    def reversed(self, it, s):
        if it.is_group("tuple", "list"):
            return group(it.type.kind, it.items[::-1])
        if it.is_group("zip", "enumerate", "reversed"):
            self.refuse(s, f"'{it.type.kind}' object is not reversible")
        if not it.is_group("range"):
            return group("backwards", [it])
        start, stop, step = it.items
        if not step.is_const or abs(step.const) != 1:
            it = start, _, step = [self.once(v, s) for v in it.items]
            length = Val(INT, self.range_length(group("range", it), s), low=0)
            last = self.operate(ast.Add(), start, self.operate(ast.Mult(), self.operate(ast.Sub(), length, number(1), s), step, s), s)
            return group("range", [last, self.operate(ast.Sub(), start, step, s), self.unary(ast.USub(), step, s)])
        one = number(step.const)
        return group("range", [self.operate(ast.Sub(), stop, one, s), self.operate(ast.Sub(), start, one, s),
                               number(-step.const)])

    # ---- iterables whose items are accessed by index
    def kept_iterator(self, it, s):
        if it.is_group("zip", "enumerate", "backwards", "product"):
            return group(it.type.kind, [self.kept_iterator(i, s) for i in it.items])
        if it.is_group("structured"):
            return _structured.kept(self, it, s)
        if it.is_group("range"):
            return group("range", [self.once(i, s) for i in it.items])
        if it.is_group("entries"):
            return group("entries", [self.kept_iterator(it.items[0], s)])
        if it.is_group("buffer"):
            if it.items[0].type.rank != 1:
                self.refuse(getattr(s, "iter", s), f"a loop over a {it.type!r} of several dimensions is not compiled", "use an array: np.asarray(x)")
            array = self.copied(self.keep(it.items[0], s), s)
            return _buffers.of_array(it, array)
        if it.is_list:
            if it.type.kind == "growing":
                place = getattr(s, "lineno", 0), getattr(s, "col_offset", 0)
                number_ = self.iterators[place] = self.iterators.get(place, 0) + 1
                key = f"items of {place}.{number_}"
                self.store(key, key, it, s)
                return self.read(key)
            row = None if it.row is None else Val(it.row.type, items=[self.copied(it.row.items[0], s)], held=it.row.held)
            return Val(it.type, items=[self.kept_iterator(a, s) for a in it.items], held=it.held, row=row)
        if it.is_group("list") and list_type(it.type) is not None:
            return self.listed(Val(it.type, items=it.items), s)
        if it.is_group("tuple") and list_type(Group("list", it.type.items)) is not None:
            return self.listed(Val(Group("list", it.type.items), items=it.items), s)
        if it.is_array:
            assigned = {self.names.keys.get(id(x)) for x in all_nodes(s) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
            own = any(key in assigned and other == it.var for (key, _), (other, _) in self.symbols.items())
            it = self.copied(it, s) if own else self.keep(it, s)  # the loop's body may assign the variable
            self.holds(it.var, Val(it.type, it.code, snapshot=it.snapshot), s)
            return it
        if it.is_group("range", "tuple", "list") or it.is_numeric:
            return it
        self.refuse(getattr(s, "iter", s), f"a loop over {it.type!r} is not compiled")

    def length(self, it, s):
        """VRIR text of the number of items."""
        if it.is_group("entries", "buffer", "structured"):
            return self.length(it.items[0], s)
        if it.is_list:
            return self.list_length(it, s)
        if it.is_array:
            return self.extent(it, 0, s)
        if it.is_group("zip"):
            text = self.length(it.items[0], s)
            for other in it.items[1:]:
                text = n.lib("min2", INT64, text, self.length(other, s))
            return text
        if it.is_group("product"):
            text = n.ONE
            for other in it.items:
                text = n.binary("mult", INT64, text, self.length(other, s))
            return text
        if it.is_group("enumerate", "backwards"):
            return self.length(it.items[0], s)
        if it.is_group("range"):
            return self.range_length(it, s)
        if it.is_group("tuple", "list"):
            return n.const(len(it.items), INT64)
        self.refuse(s, f"a loop over {it.type!r} is not compiled")

    def range_length(self, it, s):
        start, stop, step = it.items
        if step.is_const and step.const == 0:
            self.raise_(s, ValueError, "range() arg 3 must not be zero")
            step = number(1)
        if not step.is_const:
            parts = [Val(INT, self.cast(v, "int64"), const=v.const, low=v.low) for v in (start, stop, self.once(step, s))]
            self.guard(s, n.binary("eq", Scalar("bool"), parts[2].code, n.ZERO), ValueError, "range() arg 3 must not be zero")
            return self.copied(self.call_python(library.range_length, parts, {}, s), s).code
        a, b = (start, stop) if step.const > 0 else (stop, start)
        size = self.operate(ast.Sub(), b, a, s)
        if abs(step.const) != 1:
            size = self.operate(ast.FloorDiv(), self.operate(ast.Add(), size, number(abs(step.const) - 1), s),
                                number(abs(step.const)), s)
        return n.lib("max2", INT64, size.code, n.ZERO)

    def item(self, it, k, s):
        if it.is_group("entries"):
            return self.item(it.items[0], k, s)
        if it.is_group("structured"):
            if it.items[0].type.rank != 1:
                self.refuse(s, "a loop over a structured array of several dimensions is not compiled", "loop over its fields")
            return _structured.element(it, k)
        if it.is_group("buffer"):
            return _buffers.item(self, s, it, k)
        if it.is_list:
            if it.type.kind == "growing":
                return self.item_at(it, k.code, s)
            return self.list_item(it, k, s)
        if it.is_array:
            return self.element(it, [k], s)
        if it.is_group("zip"):
            return group("tuple", [self.item(i, k, s) for i in it.items])
        if it.is_group("product"):  # an item exists, so no factor is empty
            rest, places = Val(INT, k.code, var=k.var, low=0), []
            for i in reversed(it.items):
                size = self.keep(Val(INT, self.length(i, s), low=1), s)
                places.append(self.operate(ast.Mod(), rest, size, s))
                rest = self.keep(self.operate(ast.FloorDiv(), rest, size, s), s)
            return group("tuple", [self.item(i, self.keep(at, s), s) for i, at in zip(it.items, reversed(places))])
        if it.is_group("enumerate"):
            return group("tuple", [self.operate(ast.Add(), k, it.items[1], s), self.item(it.items[0], k, s)])
        if it.is_group("backwards"):
            last = Val(INT, self.length(it, s), low=0)
            return self.item(it.items[0], self.operate(ast.Sub(), self.operate(ast.Sub(), last, number(1), s), k, s), s)
        if it.is_group("range"):
            start, _, step = it.items
            return self.operate(ast.Add(), start, self.operate(ast.Mult(), k, step, s), s)
        self.refuse(s, f"a loop over {it.type!r} is not compiled here")
