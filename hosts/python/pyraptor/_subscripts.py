"""Subscripts: elements, slices, masks, index arrays, np.newaxis; transposes."""
from __future__ import annotations

import ast
import operator

import numpy as np

from . import _big_ints, _buffers, _choices, _dicts, _fields, _flags, _grown, _structured, _texts
from . import _nodes as n
from ._calls import Method
from ._lists import LOAD_RANGE
from ._structured import Structured
from ._types import INT, Array, Const, Rank0, Scalar, is_float, is_int, is_known_int, join, list_type, number_type
from ._value import Val, constant, group, like, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")


class Place:
    """The elements that a subscript selects. `texts`: the subscript of each axis of the VRIR array; `type`: the type of the selection (a Scalar for
    one element); `copies`: whether reading it makes a new array; `gather`: the index arrays, if there are several; `mask`: a mask over all dimensions
    of a transposed array; `entries`: the subscripts, one per axis; `items`: the subscripts as written; `list`, `buffer`: the List or Buffer of which
    it is an item, else None."""

    __slots__ = ("array", "texts", "type", "copies", "gather", "mask", "entries", "items", "list", "buffer")

    def __init__(self, array, texts, type, copies, gather=None, mask=None, entries=(), items=None):
        self.array, self.texts, self.type, self.copies = array, texts, type, copies
        self.gather, self.mask, self.entries, self.items, self.list = gather, mask, entries, items, None
        self.buffer = None


class Subscripts:
    def expr_Subscript(self, node):
        return self.item_of_value(self.expr(node.value), lambda: self.expr(node.slice), node)

    def item_of_value(self, base, index, node):
        """base[index]. `index`: its value, or a function that evaluates it."""
        evaluate = index if not isinstance(index, Val) else lambda: known
        known = index

        def index():
            nonlocal base
            before = len(self.out)
            val = evaluate()
            if base.row is not None and any(s in self.list_writes for s in self.out[before:]):
                base = self.read_row(base.row, node)  # the row may have changed
            return self.present(val, node) if base.is_listed or base.is_group("tuple", "range") else val  # None is a valid index of arrays only

        if base.is_group("dict"):
            return _dicts.get_item(self, node, base, index())
        if base.is_group("structured", "element"):
            return _structured.get_item(self, node, base, index())
        if base.is_group("buffer"):
            return _buffers.item(self, node, base, index())
        if base.is_group("fields"):
            return _fields.get_item(self, node, base, index())
        if base.is_group("flags"):
            return _flags.flag(self, node, base, self.static(index(), node, "the name of a flag"))
        if base.is_group("flat"):
            items = self.call(np.ravel, base.items, {}, node)
            item = self.load_place(self.place_of(self.keep(items, node), [index()], node), node)
            return self.call(np.copy, [item], {}, node) if item.is_array else item
        if base.is_group("arrays"):
            val = index()
            if not val.is_scalar:
                self.refuse(node, f"a list of arrays with the subscript {val.type!r} is not compiled", "use an array: np.array(x)")
            return self.load_place(self.place_of(base.items[0], [val], node), node)
        if _grown.is_made(base):
            return _grown.sliced(self, node, base, index())
        if base.is_list:
            at = index()
            return self.list_item(base, at, node)
        if base.is_group("tuple", "list", "range", "grid"):
            return self.group_item(base, index(), node)
        if isinstance(base.type, Const):
            return self.constant_item(base, index(), node)
        if _choices.is_choice(base):
            return _choices.applied(self, node, operator.getitem, [base, constant(self.static(index(), node, "the subscript of a string"))], "a subscript")
        if base.is_scalar and not base.type.weak:  # it may represent a 0-d array
            val = index()
            if val.is_group("tuple") and not val.items or isinstance(val.type, Const) and val.type.value is Ellipsis:
                return Val(number_type(base.type), base.code, const=base.const, low=base.low) if val.is_group("tuple") else base
        if not base.is_array:
            self.refuse(node, f"{base.type!r} has no items")
        return self.load_place(self.select(base, index, node), node)

    def group_item(self, base, index, node):
        if index.is_group("slice") and base.is_group("list") and not all(i.is_const for i in index.items):
            return self.list_item(self.listed(base, node), index, node)
        if base.is_group("range"):
            start, _, step = base.items
            if index.is_group("slice"):
                return self.part_of_range(base, index, node)
            if not index.is_scalar:
                self.refuse(node, f"a range with the subscript {index.type!r} is not compiled", "write the resulting range")
            start, step, index = self.once(start, node), self.once(step, node), self.once(index, node)
            size = self.keep(Val(INT, self.range_length(group("range", [start, base.items[1], step]), node), low=0), node)
            if index.low is None or index.low < 0:
                index = self.keep(self.choose(self.truth(self.compare(ast.Lt(), index, number(0), node), node),
                                              lambda: self.operate(ast.Add(), index, size, node), lambda: index, node), node)
            outside = n.binary("or", _BOOL, n.binary("lt", _BOOL, index.code, n.ZERO), n.binary("geq", _BOOL, index.code, size.code))
            self.guard(node, outside, IndexError, "range object index out of range")
            return self.operate(ast.Add(), start, self.operate(ast.Mult(), index, step, node), node)
        if index.is_group("slice"):
            parts = [self.static(i, node, "a slice of a tuple") for i in index.items]
            return group(base.type.kind, base.items[slice(*parts)])
        if index.is_const and isinstance(index.const, int):
            if not -len(base.items) <= index.const < len(base.items):
                if base.is_group("list"):
                    self.raise_(node, IndexError, LOAD_RANGE)
                    return base.items[0] if base.items else number(0)
                self.raise_(node, IndexError, "tuple index out of range")
                return base.items[0] if base.items else number(0)
            return base.items[index.const]
        if base.is_group("list") and list_type(base.type) is not None:
            return self.list_item(self.listed(base, node), index, node)
        if len(set(i.type for i in base.items)) > 1:
            self.need_values(index, node, "the index of a tuple")
        if base.items and all(i.is_scalar for i in base.items):
            t = base.items[0].type
            for i in base.items[1:]:
                t = join(t, i.type)
            items = group("tuple", [Val(Scalar(t.elem, t.complex), self.cast(i, t.elem, t.complex)) for i in base.items])
            item = self.load_place(self.place_of(self.keep(self.array_of(items, node), node), [index], node), node)
            lows = [i.low for i in base.items]
            return Val(t, item.code, low=None if None in lows else min(lows))
        if base.items and all(isinstance(i.type, Const) and type(i.type.value) is str for i in base.items) and is_known_int(index.type):
            message = LOAD_RANGE if base.is_group("list") else "tuple index out of range"
            return _choices.item(self, index, [i.type.value for i in base.items], node, message)
        self.refuse(node, "the index of a tuple must be known at compile time")

    def part_of_range(self, base, index, node):
        """range(start, stop, step)[low:high:stride] is a range."""
        start, stop, step = (self.once(i, node) for i in base.items)
        size = self.keep(Val(INT, self.range_length(group("range", [start, stop, step]), node), low=0), node)
        low, high, stride = self.call(Method(index, "indices"), [size], {}, node).items
        given = index.items[2]
        stride = number(1) if given.is_none() else given if given.is_const else self.once(stride, node)  # keep the stride a constant if it is one
        ends = [self.operate(ast.Add(), start, self.operate(ast.Mult(), i, step, node), node) for i in (low, high)]
        return group("range", [*ends, self.operate(ast.Mult(), step, stride, node)])

    def constant_item(self, base, index, node):
        o = base.type.value
        if o is np.mgrid or o is np.ogrid:
            return self.grid(o, index, node)
        if type(o) is str and o and is_known_int(index.type) and not index.is_const and not self.arguments_behind(index):
            return _choices.item(self, index, list(o), node, "string index out of range")
        index = self.static(index, node, "the subscript of a constant")
        if isinstance(o, (str, bytes)):
            return _texts.folded(self, node, lambda: o[index])
        try:
            return self.value_of(o[index], node, "this")
        except Exception:
            self.refuse(node, f"{base.type!r} has no item {index!r}")

    # ---- selections
    def select(self, base, index, node):
        array = self.keep(base, node)
        index = index()
        return self.place_of(array, index.items if index.is_group("tuple") else [index], node)

    def place(self, target, s):
        """The target of an assignment; its subscripts are evaluated once. None for a slice of a list."""
        base = self.expr(target.value)
        if base.is_listed:
            return self.list_place(base, target, s)
        if base.is_group("buffer"):
            return _buffers.place(self, target, base)
        if base.is_group("structured", "element"):
            return _structured.place(self, target, base, self.expr(target.slice))
        if base.is_group("flat"):
            from ._numpy_arrays import unravelled
            index = self.once(self.expr(target.slice), target)
            if not index.is_scalar:
                self.refuse(target, "assigning to several items of '.flat' is not compiled", "write x[...] = ..., or a loop")
            return self.place_of(base.items[0], unravelled(self, target, base.items[0], index), target)
        if not base.is_array:
            self.refuse(target, f"items of {base.type!r} cannot be assigned")
        array = self.keep(base, target)
        index = self.expr(target.slice)
        items = index.items if index.is_group("tuple") else [index]
        items = [self.once_parts(i, target) for i in items]
        return self.place_of(array, items, target)

    def once_parts(self, val, node):
        if val.is_group():
            return like(val, [self.once_parts(i, node) for i in val.items])
        return self.once(val, node) if val.is_numeric else val

    def place_of(self, array, items, node):
        place = self.selected(array, items, node)
        place.items = items
        return place

    def selected(self, array, items, node):
        t = array.type
        entries = self.entries(array, items, node)
        arrays = [e for e in entries if e[0] == "array"]
        if len(arrays) > 1:
            return self.gathered(array, entries, node)
        if arrays and t.axes is not None:
            index = arrays[0][1]
            if index.type.rank > 1 and index.type.elem == "bool":
                return Place(array, None, Array(t.elem, t.complex, 1), True, mask=self.once(index, node))
            axis = sum(e[0] != "new" for e in entries[:entries.index(arrays[0])])
            if index.type.rank > 1 or t.axes[axis] < 0:
                array = self.keep(self.plain(array, node), node)  # for reading only: store_place() detects that it is a copy
                t = array.type
        if arrays:
            special = [k for k, e in enumerate(entries) if e[0] in ("array", "int")]
            if special != list(range(special[0], special[-1] + 1)):
                self.refuse(node, "an index array and a number separated by a slice are not compiled",
                            "take the number first: a[0][:, idx]")
        axes = t.axes if t.axes is not None else tuple(range(t.rank))
        texts, kept, axis = {}, [], 0  # kept: (base axis, or -1 for a new one; number of dimensions that it becomes)
        for entry in entries:
            what = entry[0]
            if what == "new":
                kept.append((-1, 1))
                continue
            base = axes[axis]
            if base < 0:
                kept += self.through_new_axis(entry, node)
                axis += 1
                continue
            if what == "int":
                text = LOAD_RANGE if array.var in self.list_ids else f"index is out of bounds for axis {axis}"
                texts[base] = self.number_subscript(entry[1], node, n.dim(array.var, base), text)
            elif what == "slice":
                texts[base] = self.slice_subscript(entry[1], node)
                kept.append((base, 1))
            else:
                mask = entry[1].type.elem == "bool"
                for m in range(entry[1].type.rank if mask else 1):
                    texts[axes[axis + m]] = None
                index, tested = self.checked_index_array(array, base, axes[axis:], self.plain(entry[1], node), mask, node)
                texts[base] = n.subscript(index.code, negative=not mask, check=self.program.boundscheck and not tested)
                kept.append((base, 1 if mask else entry[1].type.rank))
                axis += entry[1].type.rank - 1 if mask else 0
            axis += 1
        if kept and not any(b >= 0 for b, _ in kept):
            # One element with new axes only. VRIR has no 0-d arrays, so an axis is selected by a slice of length 1.
            axis = max(k for k, e in enumerate([e for e in entries if e[0] != "new"]) if axes[k] >= 0)
            at = [e for e in entries if e[0] != "new"][axis][1]
            texts[axes[axis]] = self.slice_of_one(array, axis, at, node)
            kept[0] = (axes[axis], 1)
        order = [texts[b] for b in sorted(texts) if texts[b] is not None]
        if not kept:
            return Place(array, order, t.element(), False, entries=entries)
        rank = sum(d for _, d in kept)
        selected = Array(t.elem, t.complex, rank, "rowmajor" if arrays else "strided")
        bases = sorted(b for b, _ in kept if b >= 0)
        if any(b < 0 for b, _ in kept) or bases != [b for b, _ in kept]:
            if arrays and any(d != 1 for _, d in kept):
                self.refuse(node, "np.newaxis together with an index array of several dimensions is not compiled")
            selected = selected.with_axes([bases.index(b) if b >= 0 else -1 for b, _ in kept])
        return Place(array, order, selected, bool(arrays), entries=entries)

    def slice_of_one(self, array, axis, at, node):
        """The subscript i:i+1 for a number, which must be in bounds."""
        at = self.once(at, node)
        extent = self.extent_value(array, axis, node)
        below = self.compare(ast.Lt(), at, number(0), node)
        from ._numpy_elementwise import select
        at = self.once(select(self, node, below, self.operate(ast.Add(), at, extent, node), at), node)
        outside = n.binary("or", _BOOL, self.compare(ast.Lt(), at, number(0), node).code,
                           self.compare(ast.GtE(), at, extent, node).code)
        self.guard(node, outside, IndexError, f"index is out of bounds for axis {axis}")
        none = self.none()
        return self.slice_subscript([at, self.operate(ast.Add(), at, number(1), node), none], node)

    def entries(self, array, items, node):
        """One entry per axis, and ("new",) for np.newaxis."""
        entries, used = [], 0
        for item in items:
            item = self.as_numpy(item, node) if item.is_list else item
            if item.is_none():
                entries.append(("new", ))
            elif isinstance(item.type, Const) and item.type.value is Ellipsis:
                entries.append(("...", ))
            elif item.is_group("slice"):
                entries.append(("slice", item.items))
                used += 1
            elif item.is_group("list", "tuple"):
                entries.append(("array", self.keep(self.array_of(item, node), node)))
                used += 1
            elif item.is_array:
                if item.type.elem != "bool" and not is_int(item.type.elem):
                    self.refuse(node, f"arrays are indexed by integers or bools, not by {item.type!r}")
                entries.append(("array", item))
                used += item.type.rank if item.type.elem == "bool" else 1
            elif isinstance(item.type, Rank0) and array.type.rank > 1:
                self.refuse(node, "a 0-d array as a subscript is not compiled", "write int(...)")
            elif item.is_scalar and is_int(item.type.elem):
                entries.append(("int", item))
                used += 1
            else:
                self.refuse(node, f"a subscript cannot be {item.type!r}")
        rank = array.type.rank
        if used > rank:
            self.refuse(node, f"{used} subscripts for an array of {rank} dimension{'s' if rank > 1 else ''}")
        fill = [("slice", [self.none()] * 3)] * (rank - used)
        dots = [k for k, e in enumerate(entries) if e[0] == "..."]
        if len(dots) > 1:
            self.refuse(node, "an index can have only one '...'")
        at = dots[0] if dots else len(entries)
        entries[at:at + len(dots)] = fill
        for e in entries:
            if e[0] == "array" and e[1].type.elem == "bool" and e[1].type.rank > 1 and (
                    e[1].type.rank != rank or len(entries) != 1):
                self.refuse(node, "a mask of several dimensions must have the array's dimensions and be the only subscript")
        return entries

    def through_new_axis(self, entry, node):
        if entry[0] == "slice" and all(p.is_none() for p in entry[1]):
            return [(-1, 1)]
        if entry[0] == "int":
            if not entry[1].is_const:
                at = self.once(entry[1], node)
                outside = [self.compare(ast.NotEq(), at, number(k), node).code for k in (0, -1)]
                self.guard(node, n.binary("and", _BOOL, *outside), IndexError, "index is out of bounds for an axis with size 1")
                return []
            if entry[1].const in (0, -1):
                return []
            self.raise_(node, IndexError, f"index {entry[1].const} is out of bounds for an axis with size 1")
            return []
        if entry[0] == "slice" and all(p.is_none() for p in entry[1][:2]) and entry[1][2].is_const and entry[1][2].const != 0:
            return [(-1, 1)]
        self.refuse(node, "an axis made by np.newaxis can only be subscripted by ':' or a number", "take the elements before adding the axis")

    def number_subscript(self, val, node, extent, text):
        """The subscript of one element. `extent` and `text`: the axis' extent, and the message of the IndexError if it is caught."""
        if self.traps and self.program.boundscheck and self.trapped(IndexError):
            return self.checked_subscript(val, extent, node, text)
        negative = val.low is None or val.low < 0
        return n.subscript(self.cast(val, "int64") if val.type.elem != "int32" else val.code, negative,
                           self.program.boundscheck)

    def slice_subscript(self, parts, node):
        texts = []
        for p in parts:
            if p.is_none():
                texts.append(None)
            elif p.is_scalar and not p.type.complex and is_int(p.type.elem):
                texts.append(self.cast(p, "int64"))
            else:
                self.refuse(node, f"slices need integers, not {p.type!r}")
        start, stop, step = texts
        return n.subscript(n.range_(start, step, stop), negative=start is not None or stop is not None or step is not None)

    # ---- loads and stores
    def load_place(self, place, node):
        array = place.array
        if place.list is not None:
            return self.load_list_place(place)
        if place.buffer is not None:
            return _buffers.element(self, node, Val(place.type, n.index(array.var, place.type, place.texts)))
        if place.gather is not None:
            return self.gather(place, node)
        if place.mask is not None:
            array = self.keep(self.plain(array, node), node)
            mask = self.plain(place.mask, node)
            return Val(place.type, n.index(array.var, place.type, [n.subscript(mask.code, check=self.program.boundscheck)]))
        if isinstance(place.type, Scalar):
            return Val(place.type, n.index(array.var, place.type, place.texts))
        val = Val(place.type, n.index(array.var, place.type.base(), place.texts))
        if not place.copies and array.snapshot is not None:
            val.snapshot, val.recipe = array.snapshot, self.item_recipe(place, node)
        return val

    def item_recipe(self, place, node):
        if place.array.recipe is None:
            return None
        numbers, pattern = [], []
        for what, *entry in place.entries:
            if what == "slice":
                pattern.append(tuple(not p.is_none() for p in entry[0]))
                numbers += [p for p in entry[0] if not p.is_none()]
            else:
                pattern.append(what[0])
                numbers += entry
        return self.recipe("item", place.array, numbers, tuple(pattern), node=node)

    def store_subscript(self, target, val, s):
        before = len(self.out)
        if isinstance(target.value, (ast.Name, ast.Subscript)) and any(isinstance(t, Structured) for t in self.types.values()):
            base = self.expr(target.value)
            if base.is_group("structured", "element"):
                return _structured.store(self, s, base, self.expr(target.slice), self.once(val, s) if val.is_scalar else val)
            del self.out[before:]
        if isinstance(target.value, ast.Name):
            base = self.expr(target.value)
            if base.is_group("dict"):
                val = self.once(val, s) if val.is_scalar else val
                return _dicts.set_item(self, s, base, self.expr(target.slice), val)
            if base.is_group("fields"):
                return _fields.set_item(self, s, target, base, self.expr(target.slice), self.once(val, s) if val.is_scalar else val)
        place = self.place(target, s)
        if place is None:
            return self.store_list_slice(self.expr(target.value), target, val, s)
        [val] = self.settled([val], before, s)
        self.store_place(place, val, s)

    def store_place(self, place, val, s):
        val = self.present(val, s)
        array = place.array
        if place.list is not None:
            return self.store_list_place(place, val, s)
        if place.buffer is not None:
            val = _buffers.stored(self, s, place.buffer, val)
            if place.buffer.fixed:
                return
        val = self.as_numpy(val, s, True)
        if val.is_group("list", "tuple"):
            val = self.array_of(val, s)
        if _big_ints.is_big(val):
            val = _big_ints.as_element(self, s, val, array.type.elem, array.type.complex)
        if not val.is_numeric:
            self.refuse(s, f"{val.type!r} cannot be stored into an array")
        if val.type.complex and not array.type.complex:
            self.refuse(s, "a complex value cannot be stored into real elements", "take .real or abs()")
        if self.is_complex_part(array):
            return self.store_part(place, val, s)
        if array.is_fixed:
            if val.is_fixed:
                self.refuse(s, "storing to a read-only array is not compiled", "remove the statement: it has no effect or fails")
            self.once(val, s)  # errors of the value are reported before errors of the subscripts
        if self.stores_nothing(array, s):
            return
        self.stored_to(array.var, s)
        if place.gather is not None:
            return self.scatter(place, val, s)
        if place.mask is not None:
            return self.store_masked(place, val, s)
        t = place.type
        if isinstance(t, Scalar):
            if val.is_array:
                self.refuse(s, "storing an array into one element is not compiled", "take an element of it, or store to a slice")
            self.emit(n.assign([n.index(array.var, t, place.texts)], self.fit_element(val, t, s), self.loc(s)))
            return
        tested = val.is_scalar
        if val.is_array:
            val = self.fit_selection(val, t, s)
            if not place.copies:
                val, tested = self.checked_store(array, place.texts, t, val, s)
        self.emit(n.assign([n.index(array.var, t.base(), place.texts)],
                           self.fit_element(val, t, s) if val.is_scalar else val.code, self.loc(s)))
        if tested and self.traps:
            self.safe_texts.add(f"(lhs {n.index(array.var, t.base(), place.texts)})")

    def is_complex_part(self, array):
        """Whether this is x.real or x.imag of a complex array, without a name of its own."""
        return (array.recipe is not None and array.recipe.name in ("real", "imag") and array.recipe.base.type.complex
                and array.var not in {id for id, *_ in self.snapshots})

    def store_part(self, place, val, s):
        """x.real[...] = val, x.imag[...] = val: stores complex numbers with the other part unchanged."""
        recipe, t = place.array.recipe, place.array.type
        inner = self.place_of(self.keep(recipe.base, s), place.items, s)
        old = self.keep(self.load_place(inner, s), s)
        parts = [self.complex_part(old, name, s) for name in ("real", "imag")]
        if val.is_array and old.is_scalar:
            self.refuse(s, "storing an array into one element is not compiled", "take an element of it, or store to a slice")
        val = Val(t.element(), self.cast(val, t.elem)) if val.is_scalar else self.plain(val, s)
        if old.is_array:
            from ._numpy_elementwise import select
            parts = [self.plain(p, s) for p in parts]
            if val.type.rank > old.type.rank:
                self.refuse(s, f"{val.type.rank} dimensions do not fit into {old.type.rank}")
            # Broadcast to the selection's shape, which it must not exceed.
            val = self.keep(select(self, s, number(True), val, parts[recipe.name == "imag"]), s)
            for k in range(old.type.rank):
                self.guard(s, n.binary("neq", _BOOL, self.extent(val, k, s), self.extent(old, k, s)), ValueError,
                           "could not broadcast the input array to the selected shape")
        parts[recipe.name == "imag"] = val
        to = Array(t.elem, True, old.type.rank) if old.is_array else Scalar(t.elem, True)
        self.store_place(inner, Val(to, f"(complex {to.vrir()} {' '.join(self.cast(p, t.elem) for p in parts)})"), s)

    def fit_element(self, val, t, s):
        if not val.is_const:
            if val.type.weak and not t.complex and t.elem != "int32":  # conversion to int32 wraps
                val = self.fits(val, t.elem, s)
            return val.code
        if is_int(t.elem) and (val.type.weak or is_float(val.type.elem)) and not val.type.complex:
            # As in NumPy, a constant that does not fit raises.
            from ._numpy_elementwise import to_int
            val = self.fits(to_int(self, s, val) if is_float(val.type.elem) else val, t.elem, s)
        return self.cast(val, t.elem, t.complex)

    def fit_selection(self, val, t, s):
        """The array with its axes in the order of the VRIR array's axes."""
        if val.type.rank > t.rank:
            self.refuse(s, f"{val.type.rank} dimensions do not fit into {t.rank}")
        if t.axes is None:
            return self.plain(val, s)
        none = self.none()
        whole = group("slice", [none] * 3)
        if val.type.rank < t.rank:
            val = self.element(self.keep(val, s), [none] * (t.rank - val.type.rank) + [whole] * val.type.rank, s)
        if any(a < 0 for a in t.axes):
            val = self.keep(val, s)
            for k, a in enumerate(t.axes):
                if a < 0 and self.extent(val, k, s) != n.ONE:
                    self.guard(s, n.binary("neq", _BOOL, self.extent(val, k, s), n.ONE), ValueError,
                               "could not broadcast input array: its extent is not 1 along a new axis")
            val = self.element(val, [number(0) if a < 0 else whole for a in t.axes], s)
        kept = [a for a in t.axes if a >= 0]
        return self.plain(self.transposed(val, [kept.index(a) for a in sorted(kept)], s), s)

    def store_masked(self, place, val, s):
        """array[mask] = val, with a mask over all dimensions, in the element order of the Python array."""
        from . import library
        if val.is_array and val.type.rank != 1:
            self.refuse(s, "the values for a mask must be a vector")
        val, mask = self.apart_from(place.array, val, s), self.apart_from(place.array, place.mask, s)
        f = (library.store_masked_array if val.is_array else library.store_masked)(place.array.type.rank)
        self.call_python(f, [place.array, mask, val], {}, s)

    def apart_from(self, array, val, node):
        """The value, copied if it may overlap the array that a loop is about to store to."""
        source = self.source_of(val) if val.is_array else None
        if source is None or (self.root(source) != self.root(array.var) and not {
                self.root(source), self.root(array.var)} <= {self.root(i) for i in self.argument_ids}):
            return val
        return self.call(np.copy, [val], {}, node)

    def store_whole(self, array, val, s):
        """array[...] = val"""
        full = [("slice", [self.none()] * 3)] * array.type.rank
        items = [group("slice", e[1]) for e in full]
        self.store_place(self.place_of(array, items, s), val, s)

    def store_attribute(self, target, val, s):
        base = self.expr(target.value)
        if base.is_group("structured", "element") and base.type.named and target.attr in base.type.dtype.names:
            return _structured.store(self, s, base, constant(target.attr), self.once(val, s) if val.is_scalar else val)
        if target.attr == "flat" and base.is_array:
            if not val.is_scalar:
                self.refuse(target, "assigning an array to '.flat' is not compiled", "write a[...] = x")
            return self.store_whole(self.keep(base, s), val, s)
        if target.attr == "imag" and base.is_array and not base.type.complex:
            return self.raise_(target, TypeError, "array does not have imaginary part to set")
        if target.attr in ("real", "imag") and base.is_array:
            return self.store_whole(self.keep(self.attribute(base, target.attr, target), s), val, s)
        self.refuse(target, f"'.{target.attr}' cannot be assigned in compiled code",
                    "use np.reshape; only an array that the function made, and that has one name, can get another shape"
                    if target.attr == "shape" else "assign it outside of the compiled function")

    def element(self, array, subscripts, node):
        """array[subscripts]"""
        return self.load_place(self.place_of(array, list(subscripts), node), node)

    # ---- several index arrays
    def gathered(self, array, entries, node):
        rank = max(e[1].type.rank for e in entries if e[0] == "array")
        indices = []
        for e in entries:
            if e[0] == "int":
                indices.append(e[1])
            elif e[0] == "array" and e[1].type.elem != "bool":
                indices.append(self.once(e[1], node))
            else:
                self.refuse(node, "several index arrays together with slices, masks or new axes are not compiled")
        t = Array(array.type.elem, array.type.complex, rank)
        return Place(array, None, t, True, gather=indices)

    def gather(self, place, node):
        from . import library
        return self.call_python(library.gather(len(place.gather), [i.type.rank for i in place.gather]),
                                [place.array, *place.gather], {}, node)

    def scatter(self, place, val, node):
        from . import library
        f = library.scatter(len(place.gather), [i.type.rank for i in place.gather], val.type.rank)
        self.call_python(f, [place.array, *(self.apart_from(place.array, v, node) for v in (*place.gather, val))], {}, node)

    # ---- permuted axes
    def transposed(self, val, order, node):
        """A view of the array with its axes permuted (None: reversed)."""
        if val.is_scalar:
            return val
        t = val.type
        given, order = order, list(range(t.rank))[::-1] if order is None else [k % t.rank for k in order]
        if sorted(order) != list(range(t.rank)) or any(not -t.rank <= k < t.rank for k in given or ()):
            self.refuse(node, "axes don't match the array")
        if order == list(range(t.rank)):
            return val
        axes = t.axes if t.axes is not None else tuple(range(t.rank))
        kept = self.keep(val, node)
        recipe = None
        if val.recipe is not None:
            recipe = self.recipe("transpose", kept, fixed=tuple(order), node=node)
        return Val(kept.type.with_axes([axes[k] for k in order]), kept.code, var=kept.var, snapshot=val.snapshot, recipe=recipe)

    def plain(self, val, node):
        """The array with its axes in VRIR's order: a copy if they are permuted."""
        if not val.is_array or val.type.axes is None:
            return val
        t = val.type
        kept = self.keep(val, node)
        stands_for = val.snapshot if val.snapshot is not None else kept.var
        source = Val(t.base(), kept.code, var=kept.var)
        order = [a for a in t.axes if a >= 0]
        if order != sorted(order):
            source = self.permuted(source, order, node)
        if len(order) == len(t.axes):
            return Val(source.type, source.code, var=source.var, snapshot=stands_for)
        shape = iter(self.shape(source, node))
        texts = [n.ONE if a < 0 else next(shape) for a in t.axes]
        to = Array(t.elem, t.complex, t.rank, "rowmajor")
        source = self.keep(source, node)
        return Val(to, n.lib("reshape", to, source.code, *texts), snapshot=stands_for)

    def permuted(self, source, order, node):
        t = source.type
        if t.rank == 2:
            to = Array(t.elem, t.complex, 2, "rowmajor")
            return Val(to, n.lib("trans", to, source.code))
        shape = self.shape(source, node)
        to = Array(t.elem, t.complex, t.rank, "rowmajor")
        result = self.keep(Val(to, n.alloc("empty", to, [shape[a] for a in order])), node)
        loops = [self.temporary(INT) for _ in order]
        variables = [Val(INT, n.name(k, INT64), var=k, low=0) for k in loops]
        by_axis = {a: v for a, v in zip(order, variables)}
        value = n.index(source.var, t.element(), [n.subscript(by_axis[a].code) for a in range(t.rank)])
        store = n.assign([n.index(result.var, t.element(), [n.subscript(v.code) for v in variables])], value, self.loc(node))
        self.emit(n.for_(loops, [n.range_(None, None, shape[a]) for a in order], [store], self.loc(node)))
        return result
