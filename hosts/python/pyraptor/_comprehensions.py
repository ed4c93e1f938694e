"""Comprehensions and generator expressions: loops that build lists of numbers, tuples, lists or arrays, or whose items are consumed by any(), all()
or sum()."""
from __future__ import annotations

import ast
import sys

from . import _nodes as n
from ._errors import UnsupportedError
from ._rows import is_rows
from ._trees import all_nodes
from ._types import BOOL, INT, Array, Group, Grown, List, Row, Scalar, is_text_type, leaves, list_type
from ._types import _join_lists as _joined
from ._value import Unknown, Val, group, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
#: NumPy functions whose first argument determines the length of the result.
_BY_LENGTH = ("zeros", "ones", "empty", "full", "arange", "eye", "identity")


class Comprehensions:
    """The part of Function that translates comprehensions."""

    def comprehension(self, node, generators, element, only=None, what=""):
        """Translates a comprehension to a new list. `generators`: for each `for`, its target (or None), the iterable (a value or a node), and its
        conditions. `element(item)` computes an item of the list. `only(item)`: the condition under which the item is added. `what` distinguishes
        several lists made by the same node."""
        place = id(node), what
        t = self.item_types.get(place)
        learned = []

        def learn(item):
            if item.row is not None or isinstance(item.type, Row):
                learned.append(List("growing", item.row.type if item.row is not None else item.type))
                return
            if item.is_list or item.is_group("list"):
                row = list_type(item.type)
                if row is None or row.item is not None and not isinstance(row.item, Scalar) or row.kind == "empty" or item.held or isinstance(row.item, Row) or self.lengths_differ(node):
                    learned.append(List("growing", self.as_row(item, node).type))
                    return
                learned.append(List("fixed", row.item, row.rank + 1))
                return
            if item.is_array and item.type.rank == 1 and self.lengths_differ(node):
                learned.append(List("growing", Row(item.type.element(), "array")))
                return
            if item.is_array:
                learned.append(Group("arrays", [Array(item.type.elem, item.type.complex, item.type.rank + 1)]))
                return
            if is_text_type(item.type):
                learned.append(List("growing", Grown()))
                return
            if not (item.is_scalar or item.is_group("tuple", "word")):
                self.refuse(node, f"a list of {item.type!r} is not compiled", "use an array")
            item = self.as_item(item, node)
            if item.is_group("tuple") and list_type(Group("list", [item.type])) is None:
                self.refuse(node, f"a list of {item.type!r} is not compiled", "lists of numbers and of tuples of numbers are compiled")
            learned.append(List("growing", item.type))

        if t is None:
            self.block(self.generate, node, generators, 0, element, learn)
            if not learned:
                raise Unknown
            t = learned[0]
            for other in learned[1:]:
                t = None if t is None else t if t == other else None if "arrays" in (t.kind, other.kind) else _joined(t, other)
            if t is None:
                self.refuse(node, "the items of this list have different types", "all items of a list must have the same type")
            self.item_types[place] = t
            raise Unknown
        if t.kind == "arrays":
            if only is not None:
                self.refuse(node, "filter() of arrays is not compiled", "write a comprehension")
            return self.arrays_of(node, generators, element, t)
        if t.kind == "fixed":
            return self.rows_of(node, generators, element, t, place)
        made = self.new_list_as(Val(Group("list", []), items=[]), t, node)
        made = self.like_variables(made, node)

        def each(item):
            item = self.as_item(item, node)
            joined = _joined(t, List("growing", item.type)) if not item.is_listed else None
            if joined is None:
                self.refuse(node, f"the items of this list are {t.item!r} and {item.type!r}", "all items of a list must have the same type")
            if joined.item != t.item:
                self.item_types[place] = joined
                raise Unknown
            self.make_room(made, n.ONE, node)
            self.put(made, made.items[-2].code, item, node)
            self.set_count(made, n.binary("plus", INT64, made.items[-2].code, n.ONE), node)

        def chosen(item):
            test = only(item)
            if test.is_const:
                return each(item) if test.const else None
            then, _ = self.block(each, item)
            self.emit(n.if_(test.code, then, [], self.loc(node)))

        self.generate(node, generators, 0, element, each if only is None else chosen)
        parts = []
        for a in self.list_arrays(made, node):
            to = Array(a.type.elem, a.type.complex, 1)
            parts.append(self.keep(Val(to, n.lib("copy", to, a.code)), node))
            self.list_ids.add(parts[-1].var)
        return Val(List("fixed", t.item), items=parts)

    def consumed(self, f, node):
        """any(), all() or sum() of a generator expression, computed item by item; None if the items are known at compile time."""
        generator, before = node.args[0], len(self.out)
        static = self.static_comprehension(generator)
        if static is not None and (f is sum or len(self.out) == before):
            del self.out[before:]
            return None
        del self.out[before:]
        generators = [(g.target, g.iter, g.ifs) for g in generator.generators]
        if f is sum:
            if len(node.args) > 2 or sys.version_info >= (3, 12):  # from 3.12 on, Python sums floats with compensation: library_lists.py
                return None
            key = f"sum of {node.lineno}.{node.col_offset}"
            self.store(key, key, self.expr(node.args[1]) if len(node.args) == 2 else number(0), node)
            self.generate(node, generators, 0, lambda item: self.expr(generator.elt), lambda item: self.store(
                key, key, self.operate(ast.Add(), self.read(key), item, node), node))
            val = self.read(key)
            return val if not val.is_scalar else self.copied(val, node)
        if len(node.args) > 1:
            return None
        found = self.temporary(_BOOL)
        self.emit(n.assign([n.name(found, _BOOL)], n.const(0, _BOOL), self.loc(node)))

        def look(item):
            test = self.truth(item, node)
            text = test.code if f is any else n.unary("not", _BOOL, test.code)
            self.emit(n.assign([n.name(found, _BOOL)], text, self.loc(node)))

        self.generate(node, generators, 0, lambda item: self.expr(generator.elt), look, n.name(found, _BOOL))
        return Val(BOOL, n.name(found, _BOOL) if f is any else n.unary("not", _BOOL, n.name(found, _BOOL)))

    def lengths_differ(self, node):
        """Whether the items of the list, lists or vectors, have lengths that depend on the variables of the comprehension."""
        if not isinstance(node, ast.ListComp):
            return False
        names = {x.id for g in node.generators for x in all_nodes(g.target) if isinstance(x, ast.Name)}

        def varies(x):
            return any(isinstance(y, ast.Name) and y.id in names for y in all_nodes(x))

        def rows_of(x):
            """Whether x is a row of a value whose rows have equal lengths: the target of a loop over it."""
            for g in node.generators:
                if isinstance(x, ast.Name) and isinstance(g.target, ast.Name) and g.target.id == x.id:
                    before = len(self.out)
                    try:
                        val = self.expr(g.iter)
                    except (Unknown, UnsupportedError):
                        return False
                    finally:
                        del self.out[before:]
                    return val.is_array or val.is_list and val.type.rank > 1 or val.is_group("arrays")
            return False

        def over_rows(g):
            before = len(self.out)
            try:
                return is_rows(self.expr(g.iter))
            except (Unknown, UnsupportedError):
                return False
            finally:
                del self.out[before:]

        if any(map(over_rows, node.generators[:1])):
            return True
        for x in all_nodes(node.elt):
            if isinstance(x, ast.Subscript) and any(isinstance(y, ast.Compare) for y in all_nodes(x.slice)):
                return True
            if isinstance(x, (ast.ListComp, ast.GeneratorExp)):
                if x.generators[0].ifs or len(x.generators) > 1 or varies(x.generators[0].iter) and not rows_of(x.generators[0].iter):
                    return True
            elif isinstance(x, ast.Slice) and varies(x):
                return True
            elif isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and x.func.id in ("list", "sorted", "range") and any(
                    varies(a) and not rows_of(a) for a in x.args):
                return True
            elif isinstance(x, ast.Call) and isinstance(x.func, ast.Attribute) and x.func.attr in _BY_LENGTH and x.args and varies(x.args[0]):
                return True
            elif isinstance(x, ast.BinOp) and isinstance(x.op, ast.Mult) and any(
                    isinstance(a, ast.List) and varies(b) for a, b in ((x.left, x.right), (x.right, x.left))):
                return True
        return False

    def like_variables(self, val, node):
        """Stores the numbers and arrays of the value in new variables."""
        return Val(val.type, items=[self.copied(i, node) for i in val.items])

    def rows_of(self, node, generators, element, t, place):
        """A list of lists of equal lengths. It is stored as one array, whose first dimension grows as a list does."""
        if len(leaves(t.item)) != 1:
            self.refuse(node, "a list of lists of tuples is not compiled", "use arrays")

        def row_of(item):
            row = self.listed(item, node)
            if item.held or row.type.kind == "empty":
                self.refuse(node, "making a named list an item of a list is not compiled", "add a copy: x[:]")
            if row.type.item != t.item or row.type.rank != t.rank - 1:
                wide = _joined(t, List("fixed", row.type.item, row.type.rank + 1))
                if wide is None or wide == t:
                    self.refuse(node, f"the items of this list are {t!r} and {row.type!r}", "all items of a list must have the same type")
                if wide.item != t.item:
                    self.item_types[place] = wide
                    raise Unknown
            return self.list_arrays(self.new_list_as(row, List("fixed", t.item, t.rank - 1), node), node)[0]

        made = self.block_of(node, generators, element, t.items[0], row_of, "lists")
        self.list_ids.add(made.var)
        return Val(t, items=[made])

    def arrays_of(self, node, generators, element, t):
        """A list of unnamed arrays of equal shapes. It is stored as one array with an additional first dimension."""
        [block] = t.items

        def row_of(item):
            if not item.is_array or (item.type.elem, item.type.complex, item.type.rank) != (block.elem, block.complex, block.rank - 1):
                self.refuse(node, f"the items of this list are {t!r} and {item.type!r}", "all items of a list must have the same type")
            self.need_no_name(item, node)
            return self.keep(self.plain(item, node), node)

        made = self.block_of(node, generators, element, block, row_of, "arrays")
        self.list_ids.add(made.var)
        return group("arrays", [made])

    def need_no_name(self, item, node):
        """Refuses an array that also has a name: stores through one of the two would not be visible through the other."""
        source = self.source_of(item)
        if source is None and item.snapshot is None:
            return
        roots = {self.root(v) for v in (source, item.snapshot) if v is not None}
        if any(self.root(id) in roots and (isinstance(key, str) or key[0] != "temporary") for (key, _), (id, _) in self.symbols.items()):
            self.refuse(node, "making a named array an item of a list is not compiled", "add a copy: x.copy()")

    def block_of(self, node, generators, element, array, row_of, what):
        """The rows that `row_of` makes of the items, stored in one array, which is reallocated when it is full."""
        rows, count = self.temporary(array), self.temporary(INT)
        name, k, rank = n.name(rows, array), n.name(count, INT64), array.rank
        self.emit(n.assign([name], n.alloc("empty", array, [n.ZERO] * rank), self.loc(node)))
        self.emit(n.assign([k], n.ZERO, self.loc(node)))

        def each(item):
            row = row_of(item)
            extents = [self.extent(row, d, node) for d in range(rank - 1)]

            def first():
                self.emit(n.assign([name], n.alloc("empty", array, [n.const(4, INT64), *extents]), self.loc(node)))

            def more():
                for d, e in enumerate(extents):
                    self.guard(node, n.binary("neq", _BOOL, n.dim(rows, d + 1), e), UnsupportedError,
                               f"a list of {what} of different lengths is not compiled in this form: append them in a loop")

                def enlarge():
                    new = self.temporary(array)
                    size = n.binary("mult", INT64, n.const(2, INT64), n.dim(rows, 0))
                    self.emit(n.assign([n.name(new, array)], n.alloc("empty", array, [size, *extents]), self.loc(node)))
                    view = Array(array.elem, array.complex, rank, "strided")
                    part = [n.subscript(n.range_(None, None, k))] + [n.subscript("(range)")] * (rank - 1)
                    self.emit(n.assign([n.index(new, view, part)], n.index(rows, view, part), self.loc(node)))
                    self.emit(n.assign([name], n.name(new, array), self.loc(node)))

                body, _ = self.block(enlarge)
                self.emit(n.if_(n.binary("eq", _BOOL, k, n.dim(rows, 0)), body, [], self.loc(node)))

            then, _ = self.block(first)
            otherwise, _ = self.block(more)
            self.emit(n.if_(n.binary("eq", _BOOL, k, n.ZERO), then, otherwise, self.loc(node)))
            at = [n.subscript(k)] + [n.subscript("(range)")] * (rank - 1)
            self.emit(n.assign([n.index(rows, Array(array.elem, array.complex, rank - 1, "strided"), at)], row.code, self.loc(node)))
            self.emit(n.assign([k], n.binary("plus", INT64, k, n.ONE), self.loc(node)))

        self.generate(node, generators, 0, element, each)
        view = Array(array.elem, array.complex, rank, "strided")
        part = [n.subscript(n.range_(None, None, k))] + [n.subscript("(range)")] * (rank - 1)
        return self.keep(Val(array, n.lib("copy", array, n.index(rows, view, part))), node)

    def generate(self, node, generators, k, element, each, found=None):
        """Emits the loops of a comprehension, with each(element(...)) as innermost body. `found`: a variable that ends the loops when it is true."""
        if k == len(generators):
            each(element(None))
            return
        target, iterable, tests = generators[k]
        it = self.expr(iterable) if isinstance(iterable, ast.AST) else iterable

        def inside(tests):
            if not tests:
                return self.generate(node, generators, k + 1, element, each, found)
            test = self.condition(tests[0])
            if test.is_const:
                return inside(tests[1:]) if test.const else None
            then, _ = self.block(inside, tests[1:])
            self.emit(n.if_(test.code, then, [], self.loc(node)))

        def one(item):
            if target is None:
                each(element(item))
            else:
                self.assign(target, item, node)
                inside(tests)

        self.has_loop = True
        self.loop_over(it, node, one, found)
