"""Subscripts: elements, slices, masks, index arrays, np.newaxis; views through other axes (transposes)."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._types import INT, Array, Const, Scalar, is_int
from ._value import Val, group

INT64 = Scalar("int64")


class Place:
    """What a subscript means: `texts` for each axis of the VRIR array, `type` of what is selected (a Scalar for one
    element), `copies`: whether reading makes a new array. `gather`: the index arrays, when there are several."""

    __slots__ = ("array", "texts", "type", "copies", "gather")

    def __init__(self, array, texts, type, copies, gather=None):
        self.array, self.texts, self.type, self.copies, self.gather = array, texts, type, copies, gather


class Subscripts:
    def expr_Subscript(self, node):
        base = self.expr(node.value)
        if base.is_group("tuple", "list", "range", "grid"):
            return self.group_item(base, node)
        if isinstance(base.type, Const):
            return self.constant_item(base, node)
        if not base.is_array:
            self.refuse(node, f"{base.type!r} has no items")
        return self.load_place(self.select(base, node), node)

    def group_item(self, base, node):
        index = self.expr(node.slice)
        if base.is_group("range"):
            start, _, step = base.items
            return self.operate(ast.Add(), start, self.operate(ast.Mult(), index, step, node), node)
        if index.is_group("slice"):
            parts = [self.static(i, node, "a slice of a tuple") for i in index.items]
            return group(base.type.kind, base.items[slice(*parts)])
        if index.is_const and isinstance(index.const, int):
            if not -len(base.items) <= index.const < len(base.items):
                self.refuse(node, f"index {index.const} is outside of a tuple of {len(base.items)}")
            return base.items[index.const]
        if all(i.is_scalar for i in base.items):
            return self.load_place(self.place_of(self.keep(self.array_of(base, node), node), [index], node), node)
        self.refuse(node, "the index of a tuple must be known when the function is compiled")

    def constant_item(self, base, node):
        o = base.type.value
        if o is np.mgrid or o is np.ogrid:
            return self.grid(o, self.expr(node.slice), node)
        index = self.static(self.expr(node.slice), node, "the subscript of a constant")
        try:
            return self.value_of(o[index], node, "this")
        except Exception:
            self.refuse(node, f"{base.type!r} has no item {index!r}")

    # ---- what is selected
    def select(self, base, node):
        array = self.keep(base, node)
        index = self.expr(node.slice)
        return self.place_of(array, index.items if index.is_group("tuple") else [index], node)

    def place(self, target, s):
        """The place of an assignment's target; its subscripts are evaluated once."""
        base = self.expr(target.value)
        if not base.is_array:
            self.refuse(target, f"items of {base.type!r} cannot be assigned")
        array = self.keep(base, target)
        index = self.expr(target.slice)
        items = index.items if index.is_group("tuple") else [index]
        return self.place_of(array, [self.once_parts(i, target) for i in items], target)

    def once_parts(self, val, node):
        if val.is_group():
            return group(val.type.kind, [self.once_parts(i, node) for i in val.items])
        return self.once(val, node) if val.is_numeric else val

    def place_of(self, array, items, node):
        t = array.type
        entries = self.entries(array, items, node)
        arrays = [e for e in entries if e[0] == "array"]
        if len(arrays) > 1 or (arrays and t.axes is not None):
            if t.axes is not None:
                array = self.keep(self.plain(array, node), node)
                t = array.type
            if len(arrays) > 1:
                return self.gathered(array, entries, node)
        if arrays:
            special = [k for k, e in enumerate(entries) if e[0] in ("array", "int")]
            if special != list(range(special[0], special[-1] + 1)):
                self.refuse(node, "an index array and a number on both sides of a slice are not compiled",
                            "take the number first: a[0][:, idx]")
        axes = t.axes if t.axes is not None else tuple(range(t.rank))
        texts, kept, axis = {}, [], 0  # kept: (base axis or -1, dimensions that it becomes)
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
                texts[base] = self.number_subscript(entry[1], node)
            elif what == "slice":
                texts[base] = self.slice_subscript(entry[1], node)
                kept.append((base, 1))
            else:
                mask = entry[1].type.elem == "bool"
                for m in range(entry[1].type.rank if mask else 1):
                    texts[axes[axis + m]] = None
                texts[base] = n.subscript(self.plain(entry[1], node).code, negative=not mask, check=self.program.boundscheck)
                kept.append((base, 1 if mask else entry[1].type.rank))
                axis += entry[1].type.rank - 1 if mask else 0
            axis += 1
        order = [texts[b] for b in sorted(texts) if texts[b] is not None]
        if not kept:
            return Place(array, order, t.element(), False)
        rank = sum(d for _, d in kept)
        selected = Array(t.elem, t.complex, rank, "rowmajor" if arrays else "strided")
        bases = sorted(b for b, _ in kept if b >= 0)
        if any(b < 0 for b, _ in kept) or bases != [b for b, _ in kept]:
            if arrays and any(d != 1 for _, d in kept):
                self.refuse(node, "np.newaxis beside an index array of several dimensions is not compiled")
            selected = selected.with_axes([bases.index(b) if b >= 0 else -1 for b, _ in kept])
        return Place(array, order, selected, bool(arrays))

    def entries(self, array, items, node):
        """One entry an axis, and ("new",) for np.newaxis."""
        entries, used = [], 0
        for item in items:
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
            elif item.is_scalar and is_int(item.type.elem):
                entries.append(("int", item))
                used += 1
            else:
                self.refuse(node, f"a subscript is {item.type!r}")
        rank = array.type.rank
        if used > rank:
            self.refuse(node, f"{used} subscripts for an array of {rank} dimension{'s' if rank > 1 else ''}")
        fill = [("slice", [self.none()] * 3)] * (rank - used)
        dots = [k for k, e in enumerate(entries) if e[0] == "..."]
        if len(dots) > 1:
            self.refuse(node, "an index can have one '...' only")
        at = dots[0] if dots else len(entries)
        entries[at:at + len(dots)] = fill
        for e in entries:
            if e[0] == "array" and e[1].type.elem == "bool" and e[1].type.rank > 1 and (
                    e[1].type.rank != rank or len(entries) != 1):
                self.refuse(node, "a mask of several dimensions has those of the array, and stands alone")
        return entries

    def through_new_axis(self, entry, node):
        if entry[0] == "slice" and all(p.is_none() for p in entry[1]):
            return [(-1, 1)]
        if entry[0] == "int" and entry[1].is_const and entry[1].const in (0, -1):
            return []
        self.refuse(node, "an axis that np.newaxis made takes ':' or 0 only")

    def number_subscript(self, val, node):
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

    # ---- load and store
    def load_place(self, place, node):
        array = place.array
        if place.gather is not None:
            return self.gather(place, node)
        if isinstance(place.type, Scalar):
            return Val(place.type, n.index(array.var, place.type, place.texts))
        return Val(place.type, n.index(array.var, place.type.base(), place.texts))

    def store_subscript(self, target, val, s):
        before = len(self.out)
        place = self.place(target, s)
        [val] = self.settled([val], before, s)
        self.store_place(place, val, s)

    def store_place(self, place, val, s):
        array = place.array
        if val.is_group("list", "tuple"):
            val = self.array_of(val, s)
        if not val.is_numeric:
            self.refuse(s, f"{val.type!r} cannot be stored into an array")
        if val.type.complex and not array.type.complex:
            self.refuse(s, "a complex value cannot be stored into real elements", "take .real or abs()")
        self.stored_to(array.var, s)
        if place.gather is not None:
            return self.scatter(place, val, s)
        t = place.type
        if isinstance(t, Scalar):
            if val.is_array:
                self.refuse(s, "an array is stored into one element", "take one element of it, or store to a slice")
            self.emit(n.assign([n.index(array.var, t, place.texts)], self.fit_element(val, t), self.loc(s)))
            return
        if val.is_array:
            val = self.fit_selection(val, t, s)
        self.emit(n.assign([n.index(array.var, t.base(), place.texts)],
                           self.fit_element(val, t) if val.is_scalar else val.code, self.loc(s)))

    def fit_element(self, val, t):
        return self.cast(val, t.elem, t.complex) if val.is_const else val.code

    def fit_selection(self, val, t, s):
        """The array in the order of the VRIR array's axes."""
        if val.type.rank > t.rank:
            self.refuse(s, f"{val.type.rank} dimensions do not fit into {t.rank}")
        if t.axes is None:
            return self.plain(val, s)
        if val.type.rank != t.rank or any(a < 0 for a in t.axes):
            self.refuse(s, "this store through a transposed or new axis is not compiled", "store through the array itself")
        order = [t.axes.index(a) for a in range(t.rank)]
        return self.plain(self.transposed(val, order, s), s)

    def store_whole(self, array, val, s):
        """array[...] = val"""
        full = [("slice", [self.none()] * 3)] * array.type.rank
        items = [group("slice", e[1]) for e in full]
        self.store_place(self.place_of(array, items, s), val, s)

    def store_attribute(self, target, val, s):
        base = self.expr(target.value)
        if target.attr == "flat" and base.is_array:
            return self.store_whole(self.keep(base, s), val, s)
        self.refuse(target, f"'.{target.attr}' cannot be assigned in compiled code",
                    "use np.reshape" if target.attr == "shape" else None)

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
                if e[1].type.rank != rank:
                    self.refuse(node, "index arrays of different dimensions are not compiled", "give them the same shape")
                indices.append(self.once(e[1], node))
            else:
                self.refuse(node, "several index arrays beside slices, masks or new axes are not compiled")
        t = Array(array.type.elem, array.type.complex, rank)
        return Place(array, None, t, True, gather=indices)

    def gather(self, place, node):
        from . import library
        return self.call_python(library.gather(len(place.gather), [i.type.rank for i in place.gather]),
                                [place.array, *place.gather], {}, node)

    def scatter(self, place, val, node):
        from . import library
        self.call_python(library.scatter(len(place.gather), [i.type.rank for i in place.gather], val.type.rank),
                         [place.array, *place.gather, val], {}, node)

    # ---- other axes
    def transposed(self, val, order, node):
        """The array seen through its axes in another order (None: reversed); a view."""
        if val.is_scalar:
            return val
        t = val.type
        order = list(range(t.rank))[::-1] if order is None else [k % t.rank for k in order]
        if sorted(order) != list(range(t.rank)):
            self.refuse(node, "axes don't match the array")
        if order == list(range(t.rank)):
            return val
        axes = t.axes if t.axes is not None else tuple(range(t.rank))
        kept = self.keep(val, node)
        return Val(kept.type.with_axes([axes[k] for k in order]), kept.code, var=kept.var, snapshot=val.snapshot)

    def plain(self, val, node):
        """The array with VRIR's own axes: a copy where Python sees it through others."""
        if not val.is_array or val.type.axes is None:
            return val
        t = val.type
        kept = self.keep(val, node)
        source = Val(t.base(), kept.code, var=kept.var)
        order = [a for a in t.axes if a >= 0]
        if order != sorted(order):
            source = self.permuted(source, order, node)
        if len(order) == len(t.axes):
            return Val(source.type, source.code, var=source.var, snapshot=kept.var)
        shape = iter(self.shape(source, node))
        texts = [n.ONE if a < 0 else next(shape) for a in t.axes]
        to = Array(t.elem, t.complex, t.rank, "rowmajor")
        source = self.keep(source, node)
        return Val(to, n.lib("reshape", to, source.code, *texts), snapshot=kept.var)

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
