"""Lists whose length is known only at run time: their representation, and references of several variables to one list.

A list is represented by arrays, one for each number of an item. If the function changes the list's length, there are also a count and an identifying
number (_types.List). All references to a list share the elements of its arrays. Each variable has its own copy of the count and of the references to
the arrays (which are replaced when the list outgrows them), so a change of the length is written to the other variables that hold the same list.

The variables that may hold the same list are collected over the rounds of type inference (`list_links`, a union-find over the keys of variables). The
identifying numbers tell at run time which of them do. `list_levels` states for such a class of variables what is done to its lists: 0, nothing is
stored, and the length may be known; 1, items are stored; 2, the length changes.
"""
from __future__ import annotations

import ast

from . import _buffers, _grown, _words
from . import _nodes as n
from ._trees import all_nodes
from ._types import BOOL, INT, Array, Const, Group, List, Scalar, is_item, Grown, Ragged, Row, Word, entries_of, has_row, is_collection, is_known_int, is_text_type, join, leaves, list_type
from ._value import Unknown, Val, group, like, number, of_type

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
#: In Val.held: the list may have references that this function does not know, such as a variable of the caller.
ELSEWHERE = (None, ())
#: In Val.held: the list is a row of a list of lists, so its length cannot change.
ROW = (None, ("row", ))
#: Methods that change the length of a list.
LENGTH_CHANGES = ("append", "extend", "insert", "pop", "remove", "clear")
#: A suffix of array names in error messages: the array belongs to a list.
MARK = " (list)"


def text_of(make):
    """The message of the exception that Python raises in `make`."""
    try:
        make()
    except Exception as e:
        return str(e)


POP_EMPTY = text_of([].pop)
POP_RANGE = text_of(lambda: [1].pop(5))
REMOVE = text_of(lambda: [].remove(1))
LOAD_RANGE = text_of(lambda: [][0])
STORE_RANGE = text_of(lambda: [].__setitem__(0, 1))
DELETE_RANGE = text_of(lambda: [].__delitem__(0))


class Lists:
    # ---- classes of variables that may hold the same list
    def known_levels(self):
        """Sets the levels that follow from the syntax: operations on a name that require a level if it holds a list."""
        def needs(node, level):
            key = self.names.keys.get(id(node)) if isinstance(node, ast.Name) else None
            if key is not None:
                self.list_levels[key] = max(level, self.list_levels.get(key, 0))
                self.level_nodes.setdefault((key, level), node)

        for x in all_nodes(self.tree):
            if isinstance(x, ast.Call) and isinstance(x.func, ast.Attribute) and x.func.attr in LENGTH_CHANGES:
                needs(x.func.value.value if isinstance(x.func.value, ast.Subscript) else x.func.value, 2)
            elif isinstance(x, ast.Subscript) and not isinstance(x.ctx, ast.Load):
                needs(x.value, 2 if isinstance(x.slice, ast.Slice) or isinstance(x.ctx, ast.Del) else 1)
            elif isinstance(x, ast.AugAssign):
                needs(x.target, 2)

    def levels(self):
        return {key: self.list_level(key) for key in {*self.list_levels, *self.list_links}} | {("opened", key): 1 for key in self.opened}

    def list_root(self, key):
        while key in self.list_links:
            key = self.list_links[key]
        return key

    def link_lists(self, a, b):
        a, b = self.list_root(a), self.list_root(b)
        if a != b:
            self.list_links[b] = a
            level = max(self.list_levels.pop(b, 0), self.list_levels.get(a, 0))
            if level:
                self.list_levels[a] = level

    def list_level(self, key):
        return self.list_levels.get(self.list_root(key), 0)

    def need_level(self, val, level, node):
        """Requires a level for the list's variables. It takes effect in the next round."""
        if ROW in val.held and val.row is None and level == 2 and ELSEWHERE not in val.held and len(val.held) > 1 and not any(
                key in self.parameter_keys for key, _ in val.held if key is not None):
            pass  # a row of a list of lists of equal lengths, which becomes a list of rows
        elif ELSEWHERE in val.held or ROW in val.held:
            self.refuse(node, "this list is changed here, but it may have references elsewhere",
                        "change a copy: x = list(x)")
        self.stuck = node
        for key, _ in val.held - {ROW}:
            if self.list_level(key) < level:
                self.list_levels[self.list_root(key)] = level
        raise Unknown

    def list_parts(self, t, path=()):
        """(path, List) of all lists in a type."""
        if isinstance(t, List):
            return [(path, t)]
        if isinstance(t, Group):
            return [p for k, i in enumerate(t.items) for p in self.list_parts(i, (*path, k))]
        return []

    def lists_in(self, val):
        if val.is_listed:
            return [val]
        return [v for i in val.items for v in self.lists_in(i)] if val.is_group() else []

    # ---- conversion
    def listed(self, val, node, level=1):
        """A list (of known length or a List) converted to a List."""
        if val.is_list and (level < 2 or val.type.kind != "fixed"):
            return val
        t = list_type(val.type)
        if t is None and val.is_group("list") and all(i.row is not None or i.is_listed or i.is_array or isinstance(i.type, Row) for i in val.items) or (
                level == 2 and t is not None and t.rank > 1):
            val = self.rows_from(val, node)
            t = val.type
        if t is None and val.is_group("list") and val.items and all(is_text_type(i.type) for i in val.items):
            val = group("list", [_grown.converted(self, node, i) for i in val.items])
            t = list_type(val.type)
        if t is None:
            self.refuse(node, f"{val.type!r} is not a list of numbers of a single type, which is needed here",
                        "use arrays, tuples, or lists of numbers that are all int or all float")
        if level == 2 and t.kind == "fixed":
            if t.rank > 1:
                self.refuse(node, "the length of a list of lists cannot be changed in compiled code", "use arrays")
            t = List("growing", t.item)
        return self.as_list(val, t, node)

    def as_list(self, val, t, node):
        """The list converted to the List type t. It stays the same object, so if variables hold it, their types must match."""
        have = val.type
        if have == t or (val.is_list and have.kind == t.kind and have.item == t.item and have.rank == t.rank):
            return val
        if val.held:
            if not val.is_list or have.kind not in (t.kind, "empty"):
                self.need_level(val, 2 if t.kind == "growing" else 1, node)
            self.widen_items(val, t.item, node)
        return self.new_list_as(val, t, node)

    def widen_items(self, val, item, node):
        """Widens the item type of all variables that may hold the list. It takes effect in the next round."""
        if ELSEWHERE in val.held:
            self.refuse(node, f"{val.type!r} may have references elsewhere, and would have to hold {item!r} here",
                        "change a copy: x = list(x)")
        keys = {self.list_root(key) for key, _ in val.held}
        for key, t in list(self.types.items()):
            if isinstance(key, str) and self.list_root(key) in keys:
                self.types[key] = self.with_items(t, item, node)
        raise Unknown

    def with_items(self, t, item, node):
        if isinstance(t, List):
            wide = join(t, List("growing" if t.kind == "empty" and t.rank == 1 else t.kind, item, t.rank, t.layout))
            if wide is None:
                self.refuse(node, f"a {t!r} would have to hold {item!r}, too", "all items of a list must have the same type: all int, all float (write 0.0) ...")
            return wide
        if isinstance(t, Group) and t.kind == "dict":
            return Group("dict", [self.with_items(t.items[0], item, node), t.items[1]])
        if isinstance(t, Group) and t.kind in ("tuple", "set"):
            return t.with_items([self.with_items(i, item, node) for i in t.items])
        return t

    def new_list_as(self, val, t, node):
        """A list that no variable holds, converted to type t."""
        if t.kind == "empty":
            return Val(t, items=[], held=val.held)
        arrays = t.items[:len(leaves(t.item))]
        if val.is_list and val.type.kind == "empty":
            values = [self.keep(Val(a, n.alloc("empty", a, [n.ZERO] * t.rank)), node) for a in arrays]
        elif val.is_list:
            values, places = [], _words.tables(val.type.item, t.item)
            if any(p is not None for p in places):
                val = Val(List("fixed", val.type.item), items=[self.whole_list(a, node) for a in self.list_arrays(val, node)])
                val = Val(val.type, items=[a if p is None else _words.replaced(self, node, a, p) for a, p in zip(val.items, places)])
            for k, (v, a) in enumerate(zip(val.items, arrays)):
                if v.type.elem != a.elem or v.type.complex != a.complex:
                    v = Val(Array(a.elem, a.complex, a.rank), self.cast(self.plain(v, node), a.elem, a.complex))
                elif t.kind == "growing" and v.type.layout != "rowmajor":
                    v = Val(a, n.lib("copy", a, self.plain(v, node).code))
                values.append(self.keep(v, node))
        else:
            values = self.arrays_of_items(val, t, node)
        if t.kind == "growing" and val.is_list and val.type.kind == "growing":
            return Val(t, items=[*values, *val.items[-2:]])
        made = Val(List("fixed", t.item, t.rank, t.layout), items=[Val(a, v.code, var=v.var) for a, v in zip(arrays, values)])
        return self.made_growing(made, t, node) if t.kind == "growing" else made

    def made_growing(self, val, t, node):
        """A new growing list with the items of `val`, without spare room."""
        count = self.temporary(INT)
        self.emit(n.assign([n.name(count, INT64)], self.list_length(val, node), self.loc(node)))
        return Val(t, items=[*val.items, Val(INT, n.name(count, INT64), var=count, low=0), self.own_number(node)])

    def own_number(self, node):
        """A number that identifies a list within this call. The list arguments have 1, 2, ..."""
        counter, own = self.symbol(("lists",), (), INT), self.temporary(INT)
        self.emit(n.assign([n.name(counter, INT64)], n.binary("plus", INT64, n.name(counter, INT64), n.ONE), self.loc(node)))
        arguments = n.const(len(self.arg_types), INT64)
        self.emit(n.assign([n.name(own, INT64)], n.binary("plus", INT64, n.name(counter, INT64), arguments), self.loc(node)))
        return Val(INT, n.name(own, INT64), var=own, low=0)

    def arrays_of_items(self, val, t, node):
        """New arrays with the items of a list (or list of lists) of known length."""
        shape, todo = [], val
        for _ in range(t.rank):
            shape.append(len(todo.items))
            todo = todo.items[0] if todo.items else todo
        arrays = []
        for a in t.items[:len(leaves(t.item))]:
            id = self.temporary(a)
            self.list_ids.add(id)
            self.emit(n.assign([n.name(id, a)], n.alloc("empty", a, [n.const(s, INT64) for s in shape]), self.loc(node)))
            arrays.append(Val(a, n.name(id, a), var=id))

        def fill(v, at):
            if len(at) < t.rank:
                for k, i in enumerate(v.items):
                    fill(i, (*at, n.subscript(n.const(k, INT64), check=False)))
                return
            for array, part, s in zip(arrays, self.number_parts(_words.recoded(self, node, v, t.item)), leaves(t.item)):
                self.emit(n.assign([n.index(array.var, array.type.element(), at)], self.fit(part, s), self.loc(node)))

        fill(val, ())
        return arrays

    def number_parts(self, val):
        """The numbers of an item, in order."""
        return [p for i in val.items for p in self.number_parts(i)] if val.is_group() else [val]

    def item_of(self, t, parts, held=frozenset()):
        """An item of type t, made of the numbers from an iterator. `held`: the variables that may hold the list."""
        if isinstance(t, Scalar):
            return next(parts)
        if isinstance(t, Row):
            return self.read_row(Val(t, items=[next(parts)], held=held))
        if isinstance(t, Grown):
            return Val(t, items=[self.copied(next(parts), self.tree) for _ in t.items])
        if isinstance(t, Word):
            return _words.as_string(self, t, self.copied(next(parts), self.tree))
        return group(t.kind, [self.item_of(i, parts, held) for i in t.items])

    def sample_item(self, t):
        """A value of an item's type, of which only the type matters."""
        if isinstance(t, Scalar):
            return Val(t, n.const(0, t))
        if isinstance(t, Word):
            return _words.as_string(self, t, number(0))
        return Val(t, items=[number(0) for _ in t.items]) if isinstance(t, (Row, Grown)) else group(t.kind, [self.sample_item(i) for i in t.items])

    # ---- contents of a list
    def list_length(self, val, node):
        """The number of items, as a VRIR expression."""
        if val.type.kind == "empty":
            return n.ZERO
        return val.items[-2].code if val.type.kind == "growing" else self.extent(val.items[0], 0, node)

    def length_of(self, val, node):
        return number(0) if val.type.kind == "empty" else Val(INT, self.list_length(val, node), low=0)

    def list_arrays(self, val, node):
        """Views of the arrays that contain exactly the items, without spare room."""
        if val.type.kind == "empty":
            self.bottom = node
            raise Unknown
        if val.type.kind == "fixed":
            return [self.keep(a, node) for a in val.items]
        views = []
        for a in val.items[:-2]:
            to = Array(a.type.elem, a.type.complex, 1, "strided")
            text = n.index(self.keep(a, node).var, to, [n.subscript(n.range_(None, None, val.items[-2].code))])
            views.append(self.keep(Val(to, text), node))
        return views

    def list_array(self, val, node):
        """The same for a list of numbers, which has one array."""
        if val.type.kind == "empty":
            self.bottom = node
            raise Unknown
        if not isinstance(val.type.item, Scalar):
            self.refuse(node, f"a {val.type!r} is not an array of numbers here", "use lists of numbers")
        return self.list_arrays(val, node)[0]

    def array_as_list(self, array, item, node):
        """A new list that takes over the array, to which there must be no other reference."""
        kept = self.keep(self.plain(array, node), node)
        self.list_ids.add(kept.var)
        return Val(List("fixed", item, kept.type.rank, kept.type.layout), items=[kept])

    def as_numpy(self, val, node, shares=False):
        """The value as an argument of a NumPy function: lists become arrays. `shares`: NumPy's result does not share elements with the argument, so
        no copy is needed."""
        if val.is_group("buffer"):
            return _buffers.as_numpy(self, node, val)
        if val.is_group("range"):
            import numpy as np
            return self.call(np.arange, val.items, {}, node)
        if val.is_group("arrays"):
            [block] = val.items
            return block if shares else Val(block.type.fresh(), n.lib("copy", block.type.fresh(), block.code))
        if val.is_list:
            if val.type.kind == "empty":
                return group("list", [])
            if has_row(val.type.item):
                return self.array_of_rows(val, node)
            if not isinstance(val.type.item, Scalar):
                if val.type.rank > 1:
                    self.refuse(node, f"a {val.type!r} is not an array of numbers here")
                columns = self.list_arrays(val, node)
                if any(type(i) is Group for i in val.type.item.items):
                    self.refuse(node, f"a {val.type!r} is not an array of numbers here")
                import numpy as np
                return self.call(np.stack, [group("tuple", columns)], {"axis": number(1)}, node)
            view = self.list_array(val, node)
            return view if shares else Val(view.type.fresh(), n.lib("copy", view.type.fresh(), view.code))
        if val.is_group("tuple", "list") and self.list_parts(val.type):
            return group(val.type.kind, [self.as_numpy(i, node, shares) for i in val.items])
        return val

    # ---- items
    def checked_index(self, val, index, node, message):
        """The checked position in a growing list, counted from 0, as a VRIR expression."""
        if not is_known_int(index.type):
            self.refuse(node, f"list indices must be integers or slices, not {index.type!r}")
        count = val.items[-2].code
        check = self.program.boundscheck
        if index.is_const:
            k = int(index.const)
            if check:
                test = n.binary("leq" if k >= 0 else "lt", _BOOL, count, n.const(k if k >= 0 else -k, INT64))
                self.guard(node, test, IndexError, message)
            return n.const(k, INT64) if k >= 0 else n.binary("plus", INT64, count, n.const(k, INT64))
        at = self.temporary(INT)
        name = n.name(at, INT64)
        self.emit(n.assign([name], self.cast(index, "int64"), self.loc(node)))
        if index.low is None or index.low < 0:
            back = n.assign([name], n.binary("plus", INT64, name, count), self.loc(node))
            self.emit(n.if_(n.binary("lt", _BOOL, name, n.ZERO), [back], [], self.loc(node)))
            test = n.binary("or", _BOOL, n.binary("lt", _BOOL, name, n.ZERO), n.binary("geq", _BOOL, name, count))
        else:
            test = n.binary("geq", _BOOL, name, count)
        if check:
            self.guard(node, test, IndexError, message)
        return name

    def item_at(self, val, text, node):
        """The item at a position that is in bounds."""
        parts = iter(Val(s, n.index(a.var, a.type.element(), [n.subscript(text, check=False)]))
                     for a, s in zip(val.items, leaves(val.type.item)))
        return self.item_of(val.type.item, parts, val.held)

    def list_item(self, val, index, node):
        """val[index] of a List."""
        if index.is_group("slice"):
            return self.list_slice(val, index, node)
        if not index.is_scalar:
            self.refuse(node, f"list indices must be integers or slices, not {index.type!r}")
        if val.type.kind == "empty":
            self.bottom = node
            raise Unknown
        if val.type.kind == "growing":
            return self.item_at(val, self.checked_index(val, index, node, LOAD_RANGE), node)
        if index.type.elem == "bool":
            index = Val(INT, self.cast(index, "int64"), low=0)
        arrays = [self.keep(a, node) for a in val.items]
        for a in arrays:
            self.list_ids.add(a.var)
        if val.type.rank > 1:
            rows = [self.keep(self.element(a, [index], node), node) for a in arrays]
            for r in rows:
                self.list_ids.add(r.var)
            return Val(List("fixed", val.type.item, val.type.rank - 1, "strided"), items=rows, held=val.held | {ROW})
        parts = iter(Val(s, self.element(a, [index], node).code) for a, s in zip(arrays, leaves(val.type.item)))
        return self.item_of(val.type.item, parts, val.held)

    def list_slice(self, val, index, node):
        if val.type.kind == "empty":
            return Val(val.type, items=[])
        for p in index.items:
            if not (p.is_none() or is_known_int(p.type)):
                self.refuse(node, "slice indices must be integers or None")
        step = index.items[2]
        if step.is_const and not step.is_none() and step.const == 0:
            self.raise_(node, ValueError, "slice step cannot be zero")
        elif not step.is_const:
            index = group("slice", [*index.items[:2], self.once(step, node)])
            self.guard(node, n.binary("eq", _BOOL, index.items[2].code, n.const(0, step.type)), ValueError, "slice step cannot be zero")
        return self.list_copy(val, node, index)

    def list_copy(self, val, node, index=None):
        """A new list with the same items, or with those of a slice. A list of lists is refused: Python's copy would share the rows."""
        if val.type.kind == "empty":
            return Val(val.type, items=[])
        if val.type.rank > 1:
            self.refuse(node, "copying a list of lists is not compiled: the copy would share the rows", "copy each row: [row[:] for row in x]")
        parts = []
        for a in self.list_arrays(val, node):
            if index is not None:
                a = self.element(a, [index], node)
            to = Array(a.type.elem, a.type.complex, 1)
            parts.append(self.keep(Val(to, n.lib("copy", to, self.plain(a, node).code)), node))
            self.list_ids.add(parts[-1].var)
        return Val(List("fixed", val.type.item), items=parts)

    # ---- changes
    def may_change(self, val, node):
        """Refuses changes, inside of a parallel loop, of lists that are not local to the iteration."""
        loops = self.shared_by()
        if loops is None or val.type.kind == "empty" or (val.items and all(self.is_private(a.var, loops) for a in val.items if a.is_array)):
            return
        self.refuse(node, "changing a list in a parallel loop is not compiled", "use an array, or range for this loop")

    def changed_lists(self, val, node):
        """Records which list arguments change when this list changes."""
        roots = {self.list_root(key) for key, _ in val.held if key is not None}
        for k, key in enumerate(self.parameter_keys):
            if self.list_root(key) in roots:
                if isinstance(self.arg_types[k], Ragged):
                    self.refuse(node, "changing a list of lists of different lengths that is an argument is not compiled", "change a copy: list(x)")
                self.changed.add(k)
        if val.row is not None:
            self.not_given(val.row, node)
            return
        for a in val.items:
            if a.is_array and a.var is not None:
                self.stored_to(a.var, node)

    def growing(self, val, node):
        """The list, marked as one whose length this function changes."""
        roots = {self.list_root(key) for key, _ in val.held if key is not None}
        if self.called and any(is_collection(t) and self.list_root(key) in roots for key, t in zip(self.parameter_keys, self.arg_types)):
            self.refuse(node, "changing a set or dictionary that is an argument of a function that compiled code calls is not compiled", "change a copy, and return it")
        if not (val.is_list and val.type.kind in ("growing", "empty")):
            if val.is_list and val.type.rank > 1:
                self.refuse(node, "the length of a list of lists cannot be changed in compiled code", "use arrays")
            val = self.need_level(val, 2, node) if val.held else self.listed(val, node, 2)
        self.may_change(val, node)
        self.changed_lists(val, node)
        roots = {self.list_root(key) for key, _ in val.held if key is not None}
        if ELSEWHERE in val.held or ROW in val.held:
            self.need_level(val, 2, node)
        for k, key in enumerate(self.parameter_keys):
            if self.list_root(key) in roots and self.list_parts(self.arg_types[k]) + [1] * (list_type(self.arg_types[k]) is not None):
                if list_type(self.arg_types[k]) is None and not is_collection(self.arg_types[k]):
                    self.refuse(node, "changing a list inside of a tuple argument is not compiled", "pass lists directly")
                self.grown.add(k)
        return val

    def same_lists(self, val):
        """For each other variable that may hold the growing list: (its variables of arrays and count, its variable of the identifying number)."""
        roots, own = {self.list_root(key) for key, _ in val.held if key is not None}, val.items[-1].var
        out = []
        for key, t in self.types.items():
            if not isinstance(key, str) or self.list_root(key) not in roots:
                continue
            for path, part in self.list_parts(t):
                if part.kind == "growing" and part.item == val.type.item:
                    ids = [self.symbol(key, (*path, k), p) for k, p in enumerate(part.items)]
                    if ids[-1] != own:
                        out.append((ids[:-1], ids[-1]))
        return out

    def tell_others(self, val, node):
        """After a change of the length: updates the other variables that hold the list."""
        for ids, number_ in self.same_lists(val):
            writes = [n.assign([n.name(i, v.type)], v.code, self.loc(node)) for i, v in zip(ids, val.items)]
            for i, v in zip(ids, val.items):
                if v.is_array:
                    self.alias(i, v.var)
            same = n.binary("eq", _BOOL, n.name(number_, INT64), val.items[-1].code)
            self.emit(n.if_(same, writes, [], self.loc(node)))
            self.list_written()

    def list_written(self):
        """Marks the last statement as one that changes a list's length. Values that were read from the list before are now out of date."""
        self.list_writes.add(self.out[-1])
        self.list_changes += 1

    def set_count(self, val, text, node):
        self.emit(n.assign([val.items[-2].code], text, self.loc(node)))
        self.list_written()

    def make_room(self, val, more, node):
        """Makes room for `more` items (a VRIR expression) after the last one. The capacity is doubled, so that appending takes amortised constant
        time."""
        count, first = val.items[-2].code, val.items[0]
        need = n.binary("plus", INT64, count, more)

        def enlarge():
            size = self.temporary(INT)
            twice = n.binary("mult", INT64, n.const(2, INT64), n.dim(first.var, 0))
            self.emit(n.assign([n.name(size, INT64)], n.lib("max2", INT64, n.lib("max2", INT64, twice, need), n.const(4, INT64)), self.loc(node)))
            for a in val.items[:-2]:
                to, view = a.type, Array(a.type.elem, a.type.complex, 1, "strided")
                new = self.temporary(to)
                self.list_ids.add(new)
                self.emit(n.assign([n.name(new, to)], n.alloc("empty", to, [n.name(size, INT64)]), self.loc(node)))
                part = [n.subscript(n.range_(None, None, count))]
                self.emit(n.assign([n.index(new, view, part)], n.index(a.var, view, part), self.loc(node)))
                self.emit(n.assign([a.code], n.name(new, to), self.loc(node)))
                self.alias(a.var, new)

        body, _ = self.block(enlarge)
        self.emit(n.if_(n.binary("gt", _BOOL, need, n.dim(first.var, 0)), body, [], self.loc(node)))
        self.safe_texts.add(self.out[-1])
        self.list_written()

    def put(self, val, text, item, node):
        """Stores the item at a position that is in bounds."""
        for a, part, s in zip(val.items, self.number_parts(_words.recoded(self, node, item, val.type.item)), leaves(val.type.item)):
            self.emit(n.assign([n.index(a.var, a.type.element(), [n.subscript(text, check=False)])], self.fit(part, s), self.loc(node)))

    def holding(self, val, item, node):
        """The growing list, with its item type widened to hold `item`. For a list in variables the wider type takes effect in the next round."""
        if not is_item(item.type):
            self.refuse(node, f"{item.type!r} as an item of a list is not compiled", "items must be numbers or tuples of numbers")
        if val.type.item is None and not val.held:
            val = self.new_list_as(val, List("growing", item.type), node)
        if val.type.item != item.type:
            wide = self.with_items(val.type, item.type, node)
            if wide.item != val.type.item:
                if not val.held:
                    val = self.new_list_as(val, wide, node)
                else:
                    self.widen_items(val, item.type, node)
        return val

    def append(self, val, item, node):
        if val.row is not None:
            return self.append_to_row(val, item, node)
        item = self.as_item(item, node)
        val = self.growing(val, node)
        val = self.holding(val, item, node)
        item = like(item, [self.keep(p, node) for p in item.items]) if item.is_group() else self.once(item, node)
        self.make_room(val, n.ONE, node)
        self.put(val, val.items[-2].code, item, node)
        self.set_count(val, n.binary("plus", INT64, val.items[-2].code, n.ONE), node)
        self.tell_others(val, node)
        return val

    # ---- calls
    def hidden(self):
        """(type, VRIR expression) of what the function returns after its result: the list arguments whose length it changes, and, if it reports
        exceptions to its caller, the exception's number."""
        out = []
        for k in sorted(self.grown):
            key = self.passed_key(k)
            t = entries_of(self.types.get(key))
            if not (isinstance(t, List) and t.kind == "growing"):
                self.unknown = self.unknown if self.unknown is not None else self.tree
                continue
            path = (0, ) if is_collection(self.types[key]) else ()
            for j, part in enumerate(t.items[:-1]):
                out.append((part, n.name(self.symbol(key, (*path, j), part), part)))
        return out + ([(INT, n.name(self.told.flag, INT))] if self.told is not None else [])

    def passed_key(self, k):
        """The key of a variable that holds argument k throughout the function."""
        key = self.parameter_keys[k]
        return key if key in self.names.single else f"{key} as passed"

    def list_argument(self, k, key, t, node):
        """Binds a list argument to the parameter `key`. Returns the VRIR parameters."""
        joined = join(self.types.get(key), t)
        level = self.list_level(key)
        if joined is not None and level:
            listed = list_type(joined)
            joined = listed if listed is None or level < 2 or listed.kind != "fixed" or listed.rank > 1 else List("growing", listed.item)
            if level == 3 or level == 2 and listed is not None and listed.rank > 1:
                self.refuse(self.level_nodes.get((key, level), node), f"'{node.arg}' is a {t!r} whose rows are made or changed, which is not compiled", "change a copy: [row[:] for row in x]")
        if joined is None:
            self.no_join(node, node.arg, self.types.get(key, t), t)
        same = joined == t
        self.types[key] = joined
        ids, parts = [], []
        for path, leaf in self.paths(t):
            narrow = self.symbol(key if same else ("argument", key), path, leaf)
            ids.append(narrow)
            self.argument_ids[narrow] = k
            if isinstance(leaf, Array):
                self.list_ids.add(narrow)
                if same:
                    self.rows.add(narrow)
            parts.append(Val(leaf, n.name(narrow, leaf), var=narrow, low=0 if isinstance(t, List) and isinstance(leaf, Scalar) else None))
        if not same:
            val = Val(t, items=parts) if isinstance(t, List) else self.group_of(t, iter(parts))
            wide = isinstance(t, List) and t.item is not None and joined.item != t.item
            if wide:
                self.widened.add(k)
            self.store_parts(key, (), joined, self.new_list_as(val, joined, node) if isinstance(joined, List) else val, node)
        if isinstance(joined, List) and joined.kind == "growing":
            own = self.symbol(key, (len(joined.items) - 1,), INT)
            self.emit(n.assign([n.name(own, INT64)], n.const(k + 1, INT64), self.loc(node)))
            shadow = self.passed_key(k)
            if shadow != key and k in self.grown:
                self.link_lists(key, shadow)
                self.types[shadow] = joined
                val = self.read(key)
                for j, (part, v) in enumerate(zip(joined.items, val.items)):
                    id = self.symbol(shadow, (j,), part)
                    self.emit(n.assign([n.name(id, part)], v.code, self.loc(node)))
                    if v.is_array:
                        self.alias(id, v.var)
        return ids

    def collection_argument(self, k, key, t, node):
        """Binds a set or dictionary argument, which this function changes or returns, to the parameter `key`. Returns the VRIR parameters."""
        ids, parts = [], []
        for path, leaf in self.paths(t):
            ids.append(self.symbol(("argument", key), path, leaf))
            self.argument_ids[ids[-1]] = k
            self.list_ids.add(ids[-1])
            parts.append(Val(leaf, n.name(ids[-1], leaf), var=ids[-1]))
        parts, lists = iter(parts), []
        for i in t.items:
            given = Val(i, items=[next(parts) for _ in i.items])
            lists.append(self.new_list_as(given, List("growing", i.item), node) if i.kind == "fixed" else given)
        val = group(t.kind, lists)
        joined = join(self.types.get(key), val.type)
        if joined is None:
            self.no_join(node, node.arg, self.types[key], val.type)
        if lists[0].type.kind != "empty" and joined.items[0].item != lists[0].type.item:
            self.refuse(node, f"'{node.arg}' is a {t.kind} of {lists[0].type.item!r}, and other items are stored to it, which is not compiled", "give all items the same type: convert NumPy's numbers with int(...), float(...)")
        self.types[key] = joined
        self.store_parts(key, (), joined, self.conformed(val, joined, node), node)
        if joined.items[0].kind == "growing":
            own = self.symbol(key, (0, len(joined.items[0].items) - 1), INT)
            self.emit(n.assign([n.name(own, INT64)], n.const(k + 1, INT64), self.loc(node)))
        shadow = self.passed_key(k)
        if shadow != key:
            self.link_lists(key, shadow)
            self.types[shadow] = joined
            self.store_parts(shadow, (), joined, self.read(key), node)
        return ids

    def group_of(self, t, parts):
        if isinstance(t, Group):
            return of_type(t, [self.group_of(i, parts) for i in t.items])
        return next(parts) if isinstance(t, (Scalar, Array)) else Val(t, const=t.value) if isinstance(t, Const) else None

    def wanted_lists(self, callee, values, node):
        """For a caller: converts the lists that the callee changes or returns to the types of the callee's parameters. A list of known length cannot
        be changed, and only one that is passed with its count can grow. Returns whether any list was converted."""
        different = False
        for k in sorted(callee.changed | callee.grown | callee.given_back):
            v, want = values[k], callee.types.get(callee.parameter_keys[k])
            if not v.is_listed or not isinstance(want, List) or v.is_list and (v.type.kind, v.type.item) == (want.kind, want.item):
                continue
            values[k], different = self.as_list(v, want, node), True
        return different

    def lists_of_call(self, callee, values, node, name):
        """Before a call: marks the lists that the callee changes as changed."""
        for k in sorted(callee.changed | callee.grown):
            if values[k].is_list:
                self.may_change(values[k], node)
                self.changed_lists(values[k], node)
        for k in sorted(callee.grown):
            v = self.growing(values[k], node)
            roots = {self.list_root(key) for key, _ in v.held if key is not None}
            for j, other in enumerate(values):
                for w in self.lists_in(other):
                    if j != k and roots & {self.list_root(key) for key, _ in w.held if key is not None}:
                        if not w.is_list or w.type.kind != "growing":
                            self.refuse(node, f"'{name}' gets the same list twice and changes its length")
                        self.guard(node, n.binary("eq", _BOOL, v.items[-1].code, w.items[-1].code), ValueError,
                                   f"{name}() gets the same list twice and changes its length, which is not compiled")

    def lists_after_call(self, callee, values, texts, node):
        """After a call: updates the lists whose length the callee changed."""
        texts = iter(texts)
        for k in sorted(callee.grown):
            v = values[k]
            for part in v.items[:-1]:
                t, text = next(texts, (None, None))
                if t is None:  # the item type of the callee's list is not known yet
                    raise Unknown
                if part.is_array:
                    self.alias(part.var, int(text.split(" ", 3)[2]))
                self.emit(n.assign([part.code], text, self.loc(node)))
                self.list_written()
            self.tell_others(v, node)

    def default_items(self):
        """If no statement determines the item type of a list that is always empty, makes it int. Returns whether this was the case."""
        if self.text is not None or self.bottom is None:
            return False
        self.bottom = None
        for key, t in list(self.types.items()):
            if any(part.kind == "empty" for _, part in self.list_parts(t)):
                self.types[key] = self.with_items(t, INT, self.tree)
        return True

    # ---- assignments to variables
    def store_lists(self, key, val, node):
        """Called before a value is stored to a variable: records that the variable may hold the value's lists."""
        if isinstance(val.type, Row) or val.is_listed and isinstance(self.types.get(key), Row) or val.is_listed and self.list_level(key) == 3:
            before = self.types.get(key)
            if isinstance(before, List) or type(before) is Group and before.kind == "list":  # the variable refers to rows in the next round
                if self.list_level(key) < 3 and key not in self.parameter_keys and isinstance(val.type, Row):
                    self.list_levels[self.list_root(key)] = 3
                if self.list_level(key) == 3:
                    self.stuck = node
                    raise Unknown
            val = val if isinstance(val.type, Row) else self.as_row(val, node)
            self.link_rows(key, val)
            return val
        if val.is_listed:
            for other, _ in val.held:
                if other is not None:
                    self.link_lists(key, other)
            level = self.list_level(key)
            return self.listed(val, node, level) if level else val
        if val.is_group() and self.lists_in(val):
            return like(val, [self.store_lists(key, i, node) for i in val.items])
        return val

    def conformed(self, val, t, node):
        """The value with its lists converted to those of type t."""
        if isinstance(t, List):
            return self.as_list(val, t, node)
        if isinstance(t, Group) and val.is_group() and self.list_parts(t):
            return like(val, [self.conformed(i, it, node) for i, it in zip(val.items, t.items)])
        return val
