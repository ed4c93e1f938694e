"""Lists of lists, and of vectors, of different lengths.

A row (an item of such a list) is an object with references, as in Python: a list of rows contains handles, and a variable that refers to a row
contains its handle. All rows of one call are in one heap: a table with a row's start, count and capacity, and an array of items for each item type.
A row that outgrows its capacity moves to the end of the items. The table and the items are growing lists (_lists.py) in variables of the function.

Reading a variable or an item of type Row gives a view of its items: an ordinary List, or an array, that remembers the row (Val.row). Changes of the
length are made through the row. Where a list of rows crosses the boundary of a function it is a Ragged: its handles, the table and the items.
"""
from __future__ import annotations

import ast
import functools

from . import _grown
from . import _nodes as n
from ._errors import UnsupportedError
from ._lists import DELETE_RANGE, ELSEWHERE, POP_EMPTY, ROW
from ._trees import all_nodes
from ._types import INT, Array, Group, Grown, List, Ragged, Row, Scalar, has_row, is_item, Zipped, is_text_type, join_items, leaves, list_type
from ._value import Unknown, Val, constant, group, like, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
_TABLE = "table of rows"


def data_key(item):
    """The name of the variable with the items of all rows of this item type."""
    return f"items of rows of {'rows' if isinstance(item, Row) else item!r}"


def in_heap(f):
    """For methods that change the heap: `list_changes` counts changes of other lists only."""
    @functools.wraps(f)
    def method(self, *args, **kwargs):
        before = self.list_changes
        made = f(self, *args, **kwargs)
        self.list_changes = before
        return made
    return method


def is_rows(val):
    """Whether it is a List of rows."""
    return isinstance(val.type, List) and isinstance(val.type.item, Row)


def contains_rows(val, several=True):
    """Whether it contains a row, as an item of a list or a tuple, or, if there are `several` values, is one."""
    return several and val.row is not None or isinstance(val.type, List) and val.type.item is not None and has_row(val.type.item) or val.is_group(
        "tuple", "list") and not val.is_list and any(map(contains_rows, val.items))


def compares_items(f, kwargs):
    """Whether the function compares the items of a list, or items of its arguments, so that it is not compiled for rows."""
    return getattr(f, "__module__", None) in ("_heapq", "heapq", "_bisect", "bisect") or f in (min, max) and "key" not in kwargs


def holds_rows(t):
    return isinstance(t, (Row, Grown)) or isinstance(t, Group) and any(map(holds_rows, t.items)) or isinstance(t, List) and t.item is not None and holds_rows(t.item)


class Rows:
    """The part of Function that translates rows."""

    # ---- the heap
    def heap_list(self, key, item, node):
        """A growing list that exists during the whole call, and is empty at its beginning."""
        if self.heaps.get(key) != item or key not in self.types:  # it is made at the beginning of the function in the next round
            self.heaps[key], self.types[key], self.unknown = item, List("growing", item), node
        return self.read(key)

    def begin_heaps(self):
        """Emits the empty lists of the heap at the beginning of the function."""
        for key, item in self.heaps.items():
            t = self.types[key] = List("growing", item)
            made = self.new_list_as(Val(Group("list", []), items=[]), t, self.tree)
            self.store_parts(key, (), t, made, self.tree)

    def table(self, node):
        return self.heap_list(_TABLE, Group("tuple", [INT, INT, INT]), node)

    def data(self, item, node):
        return self.heap_list(data_key(item), INT if isinstance(item, Row) else item, node)

    def no_change(self, val, node):
        if self.shared_by() is not None:
            self.refuse(node, "making or changing lists of lists in a parallel loop is not compiled", "use an array, or range for this loop")

    @in_heap
    def new_row(self, t, count, node, fill=None):
        """A new row of type t with `count` (a VRIR expression) items. `fill(data, start)` stores them."""
        self.no_change(None, node)
        start = number(0)
        count = self.copied(Val(INT, count, low=0), node)
        if t.item is not None:
            data = self.data(t.item, node)
            start = self.copied(Val(INT, data.items[-2].code, low=0), node)
            self.make_room(data, count.code, node)
            self.set_count(data, n.binary("plus", INT64, start.code, count.code), node)
            if fill is not None:
                fill(data, start)
        table = self.table(node)
        handle = self.copied(Val(INT, table.items[-2].code, low=0), node)
        self.append(table, group("tuple", [start, count, count]), node)
        return Val(t, items=[handle])

    def part_of_row(self, a, start, count):
        """(the type of a view, its VRIR expression) of the items from `start` on, of an array of the heap."""
        view = Array(a.type.elem, a.type.complex, 1, "strided")
        end = n.binary("plus", INT64, start, count)
        return view, n.index(a.var, view, [n.subscript(n.range_(start, None, end))])

    def entry(self, row, node):
        """The start, count and capacity of a row, as values in variables of their own."""
        table = self.table(node)
        parts = self.item_at(table, row.items[0].code, node).items
        return [self.copied(Val(INT, p.code, low=0), node) for p in parts]

    @in_heap
    def set_entry(self, row, node, **parts):
        table = self.table(node)
        for k, name in enumerate(("start", "count", "capacity")):
            if name in parts:
                self.emit(n.assign([n.index(table.items[k].var, INT, [n.subscript(row.items[0].code, check=False)])], parts[name], self.loc(node)))
        self.list_written()

    def read_row(self, row, node=None):
        """The items of a row: a List, or an array."""
        t, node = row.type, node if node is not None else self.tree
        row = Val(t, items=[self.once(row.items[0], node)], held=row.held)
        if t.item is None:
            return Val(List("empty"), items=[], held=row.held | {ROW}, row=row)
        before = len(self.out)
        start, count, _ = self.entry(row, node)
        views = []
        for a in self.data(t.item, node).items[:-2]:
            views.append(self.keep(Val(*self.part_of_row(a, start.code, count.code)), node))
        if t.form == "array":
            view = views[0]
            return Val(view.type, view.code, var=view.var, row=row)
        for v in views:
            self.list_ids.add(v.var)
        val = Val(List("fixed", t.item, 1, "strided"), items=views, held=frozenset([ROW]), row=row)
        self.last_row = val, self.out, before, len(self.out)
        return val

    def without_views(self, val):
        """A row of which only the handle is needed: takes back the statements that made its views, if they are the last ones."""
        last, out, before, end = self.last_row
        if last is val and out is self.out and len(out) == end:
            del out[before:]

    # ---- values that become rows
    def as_row(self, val, node):
        """The value, a list or a vector, as a row: the row that it is, or a new one."""
        if val.row is not None:
            return val.row
        if val.is_group("iterator", "arrays"):
            val = self.list_from(val, node)
        if val.is_group("arrays"):
            val = self.rows_from(val, node)
        if val.is_array:
            return self.row_of_array(val, node)
        if not val.is_listed:
            self.refuse(node, f"{val.type!r} as a row of a list is not compiled", "rows are lists of numbers or of tuples of numbers, or vectors")
        if val.held and not val.held <= {ROW}:
            if ELSEWHERE in val.held or any(key in self.parameter_keys for key, _ in val.held):
                self.refuse(node, "making a list that is an argument an item of a list is not compiled", "add a copy: x[:]")
            self.need_level(val, 3, node)
        if val.is_group("list") and not val.items or val.is_list and val.type.kind == "empty":
            return self.new_row(Row(None), n.ZERO, node)
        if not val.is_list and list_type(val.type) is None or (list_type(val.type).rank > 1):
            val = self.rows_from(val, node)
        val = self.listed(Val(val.type, items=val.items) if not val.is_list else val, node)
        views = self.list_arrays(val, node)

        def fill(data, start):
            for a, view in zip(data.items, views):
                to, text = self.part_of_row(a, start.code, self.extent(view, 0, node))
                self.emit(n.assign([text], self.plain(view, node).code, self.loc(node)))

        return self.new_row(Row(val.type.item), self.extent(views[0], 0, node), node, fill)

    def row_of_array(self, val, node):
        if val.type.rank != 1:
            self.refuse(node, f"{val.type!r} as an item of a list is not compiled: only vectors may have different shapes",
                        "use an array with a dimension more, or a list of vectors")
        val = self.keep(self.plain(val, node), node)
        source = self.source_of(val)
        for s in {source, val.snapshot} - {None}:
            if any(self.root(id) == self.root(s) and (isinstance(key, str) or key[0] != "temporary") for (key, _), (id, _) in self.symbols.items()):
                self.row_copies.append((int(s), data_key(val.type.element()), node))

        def fill(data, start):
            to, text = self.part_of_row(data.items[0], start.code, self.extent(val, 0, node))
            self.emit(n.assign([text], val.code, self.loc(node)))

        return self.new_row(Row(val.type.element(), "array"), self.extent(val, 0, node), node, fill)

    def rows_from(self, val, node):
        """A list of lists, whose rows have equal lengths or are known at compile time, as a List of rows."""
        if val.is_group("list"):
            return self.listed(group("list", [self.as_row(i, node) for i in val.items]), node)
        if val.held and not val.held <= {ROW}:
            self.need_level(val, 2, node)
        return self.comprehension(node, [(None, val, [])], lambda item: self.as_row(self.unheld(item), node), what="rows")

    @staticmethod
    def unheld(val):
        return Val(val.type, val.code, var=val.var, items=val.items, row=val.row)

    def as_item(self, val, node):
        """The value as an item of a list: lists and vectors in it become rows, and strings a Grown."""
        if is_text_type(val.type):
            return _grown.converted(self, node, val)
        if val.row is not None or val.is_listed or val.is_array or val.is_group("arrays"):
            return self.as_row(val, node)
        if val.is_group("tuple") and type(val.type) is Group and any(
                i.row is not None or i.is_listed or i.is_array or is_text_type(i.type) or i.is_group("tuple") for i in val.items):
            return group("tuple", [self.as_item(i, node) for i in val.items])
        return val

    def as_stored(self, val):
        """The value as a variable contains it: rows instead of views of their items."""
        if val.row is not None:
            return val.row
        if val.is_group() and not val.is_list and any(self.views_rows(i) for i in val.items):
            return like(val, [self.as_stored(i) for i in val.items])
        return val

    def views_rows(self, val):
        return val.row is not None or val.is_group() and not val.is_list and any(map(self.views_rows, val.items))

    def array_of_rows(self, val, node):
        """A List of rows of equal lengths as an array of two dimensions. As in NumPy, other lengths are a ValueError."""
        if not is_rows(val) or not isinstance(val.type.item.item, Scalar):
            self.refuse(node, f"a {val.type!r} is not an array of numbers here")
        t, rows = val.type.item, self.keep(Val(INT, self.list_length(val, node), low=0), node)
        self.guard(node, n.binary("eq", _BOOL, rows.code, n.ZERO), UnsupportedError, "an array of an empty list of lists is not compiled")
        first = self.list_item(val, number(0), node)
        width = self.copied(self.length_of(first, node) if first.is_list else self.extent_value(first, 0, node), node)
        array = Array(t.item.elem, t.item.complex, 2)
        made = self.keep(Val(array, n.alloc("empty", array, [rows.code, width.code])), node)
        at = self.copied(number(0), node)

        def one(row):
            view = self.list_array(row, node) if row.is_list else row
            self.guard(node, n.binary("neq", _BOOL, self.extent(view, 0, node), width.code), ValueError,
                       "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.")
            to = n.index(made.var, Array(array.elem, array.complex, 1, "strided"), [n.subscript(at.code, check=False), n.subscript("(range)")])
            self.emit(n.assign([to], view.code, self.loc(node)))
            self.emit(n.assign([at.code], n.binary("plus", INT64, at.code, n.ONE), self.loc(node)))

        self.loop_over(val, node, one)
        return Val(made.type, made.code, var=made.var)

    def joined_rows(self, val, node):
        """np.concatenate of a List of vectors."""
        from ._list_methods import extended
        self.guard(node, n.binary("eq", _BOOL, self.list_length(val, node), n.ZERO), ValueError, "need at least one array to concatenate")
        made = self.new_list_as(Val(Group("list", []), items=[]), List("growing", val.type.item.item), node)
        made = self.like_variables(made, node)

        def one(row):
            extended(self, made, self.unheld_array(row), node)

        self.loop_over(val, node, one)
        return self.whole_list(self.list_array(made, node), node)

    @staticmethod
    def unheld_array(val):
        return Val(val.type, val.code, var=val.var)

    # ---- types of rows that are always empty so far
    def link_rows(self, key, val):
        """Records that the variable refers to the row, or to its list."""
        for other, _ in val.held:
            if other is not None:
                a, b = self.row_root(key), self.row_root(other)
                if a != b:
                    self.row_links[b] = a

    def row_root(self, key):
        while key in self.row_links:
            key = self.row_links[key]
        return key

    def widen_rows(self, val, item, node):
        """Makes `item` the item type of the rows without one, in all variables that may refer to the row `val`. It takes effect in the next round."""
        keys = {key for key, _ in val.held if key is not None}
        if not keys:
            self.refuse(node, "the type of the items of this empty list is not known", "write the list with its first items")
        changed, before = False, None
        while before != keys:
            before = set(keys)
            rows, lists = {self.row_root(k) for k in keys}, {self.list_root(k) for k in keys}
            keys |= {k for k in self.types if isinstance(k, str) and (self.row_root(k) in rows or self.list_root(k) in lists)}
        for key in keys:
            wide = with_row_item(self.types.get(key), item)
            changed |= wide != self.types.get(key)
            self.types[key] = wide
        if not changed:
            self.refuse(node, "the type of the items of this empty list is not known", "write the list with its first items")
        self.unknown = node
        raise Unknown

    def row_for(self, base, item, node):
        """The row whose items are `base`, which must be able to hold an item of this type."""
        row = base.row
        if row.type.item is None:
            self.widen_rows(row, item, node)
        if join_items(row.type.item, item) != row.type.item:
            self.refuse(node, f"a list of {row.type.item!r} would have to hold {item!r}, too", "all items of a list must have the same type: all int, all float (write 0.0) ...")
        return row

    # ---- changes of the length
    def row_changed(self, row, node):
        self.no_change(row, node)
        if row.type.form == "array":
            self.refuse(node, "an array has no method that changes its length")
        self.row_changes += 1
        self.not_given(row, node)

    def not_given(self, row, node):
        """Emits a check that the row, which is changed, is none of an argument's."""
        if data_key(row.type.item) in self.given_rows:
            test = n.binary("lt", _BOOL, row.items[0].code, self.read(_GIVEN).code)
            self.guard(node, test, UnsupportedError, "changing a row of an argument is not compiled: change a copy, row[:]")

    @in_heap
    def append_to_row(self, base, item, node):
        item = self.as_item(item, node)
        if not is_item(item.type):
            self.refuse(node, f"{item.type!r} as an item of a list is not compiled", "items must be numbers or tuples of numbers")
        row = self.row_for(base, item.type, node)
        self.row_changed(row, node)
        item = like(item, [self.keep(p, node) for p in item.items]) if item.is_group() else self.once(item, node)
        start, count, capacity = self.entry(row, node)
        more = n.lib("max2", INT64, n.const(4, INT64), n.binary("mult", INT64, n.const(2, INT64), count.code))
        self.ensure(row, start, count, capacity, more, node)
        data = self.data(row.type.item, node)
        self.put(data, n.binary("plus", INT64, start.code, count.code), item, node)
        self.set_entry(row, node, count=n.binary("plus", INT64, count.code, n.ONE))

    @in_heap
    def ensure(self, row, start, count, capacity, size, node):
        """If the row is full, moves it to the end of the items, with a capacity of `size`. `start` and `capacity` are variables, and are updated."""
        def move():
            data = self.data(row.type.item, node)
            wanted = self.copied(Val(INT, size), node)
            end = self.copied(Val(INT, data.items[-2].code), node)
            self.make_room(data, wanted.code, node)
            for a in data.items[:-2]:
                _, to = self.part_of_row(a, end.code, count.code)
                _, old = self.part_of_row(a, start.code, count.code)
                self.emit(n.assign([to], old, self.loc(node)))
            self.set_count(data, n.binary("plus", INT64, end.code, wanted.code), node)
            self.emit(n.assign([start.code], end.code, self.loc(node)))
            self.set_entry(row, node, start=start.code, capacity=wanted.code)

        body, _ = self.block(move)
        self.emit(n.if_(n.binary("geq", _BOOL, count.code, capacity.code), body, [], self.loc(node)))
        self.safe_texts.add(self.out[-1])
        self.list_written()

    def row_method(self, name, base, args, kwargs, node):
        """base.name(*args), a method that changes the length of a row."""
        if kwargs:
            self.refuse(node, f"'.{name}' of a list takes no arguments by name")
        if name == "append" and len(args) == 1:
            self.append_to_row(base, args[0], node)
            return constant(None)
        if name == "clear" and not args:
            self.row_changed(base.row, node)
            self.set_entry(base.row, node, count=n.ZERO)
            return constant(None)
        if name == "pop" and not args:
            row = self.row_for(base, INT, node) if base.row.type.item is None else base.row
            self.row_changed(row, node)
            start, count, _ = self.entry(row, node)
            self.guard(node, n.binary("eq", _BOOL, count.code, n.ZERO), IndexError, POP_EMPTY)
            last = self.copied(Val(INT, n.binary("minus", INT64, count.code, n.ONE), low=0), node)
            from ._list_methods import copied
            item = copied(self, self.item_at(self.data(row.type.item, node), n.binary("plus", INT64, start.code, last.code), node), node)
            self.set_entry(row, node, count=last.code)
            return item
        if name == "extend" and len(args) == 1:
            return self.extend_row(base, args[0], node)
        from ._list_methods import METHODS
        if name == "insert" and len(args) == 2:
            args = [args[0], self.as_item(args[1], node)]
            self.row_for(base, args[1].type, node)
        return self.through_copy(base, lambda copy: METHODS[name](self, node, copy, *args), node)

    def extend_row(self, base, iterable, node):
        other = iterable if iterable.is_list else self.list_from(iterable, node)
        if other.is_group("list") and not other.items or other.is_list and other.type.kind == "empty":
            return constant(None)
        if other.is_group("list") and list_type(other.type) is None or other.is_list and other.type.rank > 1:
            other = self.rows_from(other, node)
        other = self.listed(other, node)
        self.row_for(base, other.type.item, node)
        return self.through_copy(base, lambda copy: self.joined_lists(copy, other, node), node, result=True)

    def through_copy(self, base, change, node, result=False):
        """Changes a copy of the row's items, and makes the copy's items the row's. `result`: `change` returns the changed list."""
        row = base.row
        if row.type.item is None:
            self.bottom = node
            self.unknown = node
            raise Unknown
        self.row_changed(row, node)
        copy = self.list_copy(self.read_row(row, node), node)
        if not result:
            copy = self.made_growing(copy, List("growing", row.type.item), node)
        value = change(copy)
        copy = value if result else copy
        views = self.list_arrays(copy, node)
        size = self.copied(Val(INT, self.extent(views[0], 0, node), low=0), node)
        start, count, capacity = self.entry(row, node)
        self.emit(n.assign([count.code], n.ZERO, self.loc(node)))  # the old items need not be kept

        @functools.partial(self.block)
        def moved():
            data = self.data(row.type.item, node)
            self.emit(n.assign([start.code], data.items[-2].code, self.loc(node)))
            self.make_room(data, size.code, node)
            self.set_count(data, n.binary("plus", INT64, start.code, size.code), node)
            self.set_entry(row, node, start=start.code, capacity=size.code)

        self.emit(n.if_(n.binary("gt", _BOOL, size.code, capacity.code), moved[0], [], self.loc(node)))
        self.list_written()
        for a, view in zip(self.data(row.type.item, node).items, views):
            _, text = self.part_of_row(a, start.code, size.code)
            self.emit(n.assign([text], view.code, self.loc(node)))
        self.set_entry(row, node, count=size.code)
        return constant(None) if result else value

    def loop_over_row(self, s, row, at, take, body):
        """A loop over a row whose length changes in it: each iteration reads the row again."""
        def one():
            items = self.read_row(row, s)
            self.emit(n.if_(n.binary("geq", _BOOL, at.code, self.list_length(items, s)), ["(break)"], [], self.loc(s)))
            take(self.list_item(items, at, s))

        start, _ = self.block(one)
        inner, _ = self.block(body)
        self.emit(n.assign([at.code], n.ZERO, self.loc(s)))
        more = n.assign([at.code], n.binary("plus", INT64, at.code, n.ONE), self.loc(s))
        self.emit(n.while_(n.const(1, _BOOL), [*start, more, *inner], self.loc(s)))

    # ---- boundaries of functions
    def to_ragged(self, val, node, item=None):
        """A list of rows as a Ragged: handles, table and items."""
        item = val.type.item if item is None else item
        arrays = [self.whole_list(self.list_arrays(val, node)[0], node)]
        table = self.list_arrays(self.table(node), node)
        arrays += [self.whole_list(a, node) for a in table[:2]]
        inner = item
        while isinstance(inner, Row):
            if inner.item is not None:
                arrays += [self.whole_list(a, node) for a in self.list_arrays(self.data(inner.item, node), node)]
            inner = inner.item
        made = Ragged(item)
        first = self.read(_GIVEN) if _GIVEN in self.types else number(0)
        return Val(made, items=[*arrays, Val(INT, first.code, const=first.const)])

    def columns(self, val, node):
        """A List of tuples with rows in them as a Zipped: a list for each part of the tuples."""
        arrays, items = iter(self.list_arrays(val, node)), []
        for part in val.type.item.items:
            column = Val(List("fixed", part, 1, "strided"), items=[next(arrays) for _ in leaves(part)])
            items.append(self.out_of_rows(column, node, True) if has_row(part) else self.list_copy(column, node))
        return Val(Zipped(list, [i.type for i in items]), items=items)

    def whole_list(self, view, node):
        to = Array(view.type.elem, view.type.complex, 1)
        return self.keep(Val(to, n.lib("copy", to, view.code)), node)

    def out_of_rows(self, val, node, result=False):
        """The value as another function gets it: lists of rows become Ragged, and in a result rows become lists and arrays of their own."""
        if result and val.row is not None:
            if val.is_array:
                return Val(val.type.fresh(), n.lib("copy", val.type.fresh(), val.code))
            return self.list_copy(val, node) if val.row.type.item is not None and not isinstance(val.row.type.item, Row) else (
                self.to_ragged(val, node) if val.row.type.item is not None else group("list", []))
        if val.is_group("grown"):
            return _grown.as_text(self, node, val)
        if is_rows(val):
            return self.to_ragged(val, node)
        if result and isinstance(val.type, List) and isinstance(val.type.item, Grown):
            return _grown.list_out(self, node, val)
        if result and val.is_group("dict") and val.items[0].is_list and holds_rows(val.items[0].type):
            zipped = self.columns(val.items[0], node)
            return Val(Zipped(dict, [i.type for i in zipped.items]), items=zipped.items)
        if result and isinstance(val.type, List) and val.type.item is not None and holds_rows(val.type.item):
            return self.columns(val, node)
        if isinstance(val.type, List) and val.type.item is not None and holds_rows(val.type.item):
            self.refuse(node, f"a {val.type!r} as an argument or result of a compiled function is not compiled", "use lists without tuples around the rows")
        if val.is_group() and not val.is_list and val.items and not isinstance(val.type, Ragged):
            items = [self.out_of_rows(i, node, result) for i in val.items]
            if any(a is not b for a, b in zip(items, val.items)):
                if val.is_group("list") and any(isinstance(i.type, Ragged) for i in items):
                    self.refuse(node, "a list of lists of rows of known number is not compiled here", "append the rows in a loop")
                return like(val, items)
        return val

    @in_heap
    def from_ragged(self, val, node):
        """A Ragged, from a caller or a callee, as a list of rows of this function: its table and items are appended to the heap."""
        t = val.type
        if t.item.item is None and _TABLE not in self.heaps:
            self.heaps.setdefault(_TABLE, Group("tuple", [INT, INT, INT]))
        handles, starts, counts, *rest = val.items
        first = self.copied(Val(INT, self.table(node).items[-2].code, low=0), node)
        levels, inner, at = [], t.item, 0
        while isinstance(inner, Row):
            if inner.item is not None:
                width = 1 if isinstance(inner.item, Row) else len(leaves(inner.item))
                levels.append((inner.item, rest[at:at + width]))
                at += width
            inner = inner.item
        if len(levels) > 1:
            self.refuse(node, "a list of lists of lists of different lengths as an argument or result of a compiled function is not compiled",
                        "use lists of lists")
        base = number(0)
        for item, arrays in levels:
            data = self.data(item, node)
            base = self.copied(Val(INT, data.items[-2].code, low=0), node)
            size = self.extent(arrays[0], 0, node)
            self.make_room(data, size, node)
            for a, view in zip(data.items, arrays):
                _, text = self.part_of_row(a, base.code, size)
                self.emit(n.assign([text], view.code, self.loc(node)))
            self.set_count(data, n.binary("plus", INT64, base.code, size), node)

        def one(item):
            start, count = (Val(INT, i.code, low=0) for i in item.items)
            self.append(self.table(node), group("tuple", [self.operate(ast.Add(), start, base, node), count, count]), node)

        self.has_loop = True
        self.loop_over(group("zip", [starts, counts]), node, one)
        to = Array("int64", False, 1)
        moved = self.keep(Val(to, n.binary("plus", to, handles.code, first.code)), node)
        self.list_ids.add(moved.var)
        return Val(List("fixed", t.item), items=[moved])

    def bind_ragged(self, key, t, parts, node):
        """Binds a parameter to a Ragged that the caller passes."""
        val = self.from_ragged(Val(t, items=parts), node)
        self.store(key, key, val, node)
        self.types[_GIVEN] = INT
        self.store_parts(_GIVEN, (), INT, Val(INT, self.table(node).items[-2].code, low=0), node)
        self.given_rows.update({data_key(t.item.item): key})

    def check_rows(self):
        """Refuses changes of rows of arguments, and stores to arrays that were copied to rows while both are used."""
        roots = {self.root(id) for id, _ in self.stores}
        arguments = self.argument_roots()
        for key, name in self.given_rows.items():
            data = [id for (k, _), (id, t) in self.symbols.items() if k == key and isinstance(t, Array)]
            stored = [node for id, node in self.stores for d in data if self.root(id) == self.root(d)]
            if stored:
                self.refuse(stored[0], f"changing a row of '{name}', or of a list that may share rows with it, is not compiled",
                            "make a new list: [x[:] for x in rows]")
        for key in self.heaps:
            data = {self.root(id) for (k, _), (id, t) in self.symbols.items() if k == key and isinstance(t, Array)}
            views = [k for (k, _), (id, t) in self.symbols.items() if isinstance(k, str) and k not in self.heaps and isinstance(t, Array) and self.root(id) in data]
            stored = [s for i, s in self.stores if self.root(i) in data]
            if key != _TABLE and stored and any(k in self.names.keys.values() for k in views):
                name = next(k for k in views if k in self.names.keys.values())
                self.refuse(stored[0], f"'{name}' is a part of an item of a list of arrays, and such items are stored to", "store through the list: rows[i][j] = ..., or add .copy()")
        for source, key, node in self.row_copies:
            root = self.root(source)
            data = {self.root(id) for (k, _), (id, t) in self.symbols.items() if k == key and isinstance(t, Array)}
            names = {k for (k, _), (id, _) in self.symbols.items() if isinstance(k, str) and self.root(id) == root}
            uses = [x for x in all_nodes(self.tree) if isinstance(x, ast.Name) and self.names.keys.get(id(x)) in names and
                    (isinstance(x.ctx, ast.Load) or id(x) in self.loads)]
            to_array = [s for i, s in self.stores if self.root(i) == root]
            to_rows = [s for i, s in self.stores if self.root(i) in data]
            if root in arguments and (to_rows or to_array or self.returns_ragged_arrays):
                self.refuse(node, "making an array that is an argument, or a part of one, an item of a list is not compiled here", "add a copy: x.copy()")
            if root in arguments:
                self.apart |= {(k, j) for r, ks in arguments.items() if r in roots and r != root for k in arguments[root] for j in ks}
            if self.may_follow(node, to_array, names) or to_rows and self.may_follow(node, uses, names):
                self.refuse(node, "this array is an item of the list in NumPy but would be a copy here, and one of the two is stored to", "add a copy: x.copy()")

    def may_follow(self, node, events, names):
        """Whether one of the nodes `events` may run after `node` while a variable of `names` still has the value that it has there."""
        at = self.places.place(node)
        if not events or at is None:
            return bool(events)
        block, first, _ = at
        assigned = {key: k for k, s in reversed(list(enumerate(block))) if isinstance(s, ast.Assign) for x in s.targets
                    if isinstance(x, ast.Name) and (key := self.names.keys.get(id(x))) in names}
        for e in events:
            k = self.places.number_in(e, block)
            if k is None or k > first or k < first and self.places.in_loop(node) and not all(assigned.get(key, first) <= k for key in names):
                return True
        return False


_GIVEN = "rows given"


def with_row_item(t, item):
    """The type with `item` as the item type of its rows without one."""
    if isinstance(t, Row):
        return Row(item, t.form) if t.item is None else Row(with_row_item(t.item, item), t.form)
    if isinstance(t, List):
        return t if t.item is None else List(t.kind, with_row_item(t.item, item), t.rank, t.layout)
    if type(t) is Group:
        return t.with_items([with_row_item(i, item) for i in t.items])
    return t
