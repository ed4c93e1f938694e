"""Reductions in parallel loops: sums, products, extrema and their positions, logical or and and. Blocks of iterations run in parallel, each with its
own partial results, which are then joined in order."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._iteration import Iteration
from ._trees import all_nodes
from ._types import INT, Array, Scalar, is_float, join
from ._value import Val, group, number

INT64, BOOL = Scalar("int64"), Scalar("bool")
#: Number of blocks. It is a constant, so that results do not depend on the number of threads.
REDUCTION_BLOCKS = 64
# On a device: number of work-items, in groups that run consecutive iterations, so that neighbouring work-items access neighbouring elements.
DEVICE_ITEMS, DEVICE_GROUP = 1 << 18, 64
#: The library's reduction of an array, for each operator.
_OF_ALL = {ast.Add: "sum", ast.Mult: "prod", ast.Gt: "max", ast.Lt: "min", ast.BitOr: "any", ast.BitAnd: "all"}
_EXTREMA = (ast.Gt, ast.Lt)


class Collected:
    """How the iterations update one variable. `op`: ast.Add, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor, ast.Gt (maximum), ast.Lt (minimum), or
    ast.Constant (every iteration that assigns the variable assigns the same `constant`). `places`: pairs (other variable, dimension): a variable that
    is set to the loop index along the dimension when there is a new extremum."""

    def __init__(self, op, places=(), constant=None):
        self.op, self.places, self.constant = op, tuple(places), constant


class Lanes:
    """Work-items that share a loop: `groups` (a Val) groups of DEVICE_GROUP, the variable `group` is the number of one."""

    def __init__(self, groups, group):
        self.groups, self.group = groups, group
        self.items = n.binary("mult", INT64, groups.code, n.const(DEVICE_GROUP, INT64))


def _names(statements):
    return [x for st in statements for x in all_nodes(st) if isinstance(x, ast.Name)]


def _assigned(statement):
    """(name, value) of `name = value`."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    return None, None


class Reductions(Iteration):
    #: The innermost of a nest of parallel loops with reductions, whose iterations the work-items of a device share; None: there is none.
    shared_loop = lanes = None

    def innermost(self, s):
        """The innermost loop, if each of the parallel loops contains the next one and nothing else; else None."""
        inner = s
        while len(inner.body) == 1 and isinstance(inner.body[0], ast.For) and self.runs_in_parallel(inner.body[0]):
            inner = inner.body[0]
        return inner if inner is not s and isinstance(inner.target, ast.Name) else None

    def collected(self, s, name, targets):
        """How the iterations update the variable, if the loop has no other uses of it; else None."""
        ops, uses, places, ifs = set(), 0, (), 0
        for x in (x for st in s.body for x in all_nodes(st)):
            if isinstance(x, ast.AugAssign) and isinstance(x.target, ast.Name) and x.target.id == name:
                ops.add(ast.Add if isinstance(x.op, ast.Sub) else type(x.op))
                uses += 1
            elif op := self.truths_joined(x, name) or self.extremum(x, name):
                ops.add(op)
                uses += 2
            elif found := self.placed_extremum(x, name, s, targets):
                op, places = found
                ops.add(op)
                uses, ifs = uses + 2, ifs + 1
        if uses != sum(x.id == name for x in _names(s.body)) or len(ops) != 1 or (ifs and uses != 2):
            return None
        op = ops.pop()
        return Collected(op, places) if op in (*_OF_ALL, ast.BitXor) else None

    def truths_joined(self, x, name):
        """ast.BitOr for `name = name or e`, ast.BitAnd for `name = name and e`; else None."""
        target, value = _assigned(x)
        if target == name and isinstance(value, ast.BoolOp) and isinstance(value.values[0], ast.Name) and value.values[0].id == name:
            return {ast.Or: ast.BitOr, ast.And: ast.BitAnd}[type(value.op)]
        return None

    def marked(self, s, name):
        """The constant, if all assignments to the name in the loop assign the same constant and nothing reads it there; else None."""
        values = []
        for x in (x for st in s.body for x in all_nodes(st)):
            target, value = _assigned(x)
            if target == name:
                values.append(value)
        constants = {(type(v.value), v.value) for v in values if isinstance(v, ast.Constant) and isinstance(v.value, (bool, int, float))}
        whole = len(values) == sum(x.id == name for x in _names(s.body)) and all(isinstance(v, ast.Constant) for v in values)
        return Collected(ast.Constant, constant=constants.pop()[1]) if whole and len(constants) == 1 else None

    def extremum(self, x, name):
        """ast.Gt for `name = max(name, e)` or `if e > name: name = e`; ast.Lt for min and <; else None."""
        target, call = _assigned(x)
        if target == name and isinstance(call, ast.Call) and len(call.args) == 2 and not call.keywords and (
                isinstance(call.args[0], ast.Name) and call.args[0].id == name):
            return {max: ast.Gt, min: ast.Lt}.get(self.lookup_path(call.func))
        return self.compared(x, name, x.body[0]) if isinstance(x, ast.If) and len(x.body) == 1 else None

    def compared(self, x, name, statement):
        """ast.Gt or ast.Lt if `x` is `if e > name:` (or <), where `statement` in its body is `name = e`; else None."""
        target, value = _assigned(statement)
        if target != name or x.orelse or not isinstance(x.test, ast.Compare) or len(x.test.ops) != 1:
            return None

        def is_it(node):
            return isinstance(node, ast.Name) and node.id == name

        left, op, right = x.test.left, type(x.test.ops[0]), x.test.comparators[0]
        if is_it(left):  # name < e
            left, right, op = right, left, {ast.Lt: ast.Gt, ast.Gt: ast.Lt}.get(op)
        return op if is_it(right) and ast.dump(left) == ast.dump(value) and op in _EXTREMA else None

    def placed_extremum(self, x, name, s, targets):
        """(ast.Gt or ast.Lt, places) of `if e > name: name = e; k = i`, where i is a variable of the loop; else None."""
        if not isinstance(x, ast.If) or len(x.body) < 2:
            return None
        numbers = [t.id if isinstance(t, ast.Name) else None for t in targets]
        stored = {y.id for y in _names(s.body) if isinstance(y.ctx, ast.Store)}
        op, places = None, []
        for statement in x.body:
            target, value = _assigned(statement)
            if target == name:
                op = self.compared(x, name, statement)
            elif target is not None and isinstance(value, ast.Name) and value.id in numbers and value.id not in stored and (
                    target not in numbers and sum(y.id == target for y in _names(s.body)) == 1):
                places.append((target, numbers.index(value.id)))
            else:
                return None
        return (op, places) if op else None

    def add_wide(self, key, old, s, val):
        """`old += val` in an iteration of a loop whose partial sum is in a variable of higher precision."""
        t = join(self.types.get(key), self.operate(s.op, old, val, s).type)
        if t is None:
            self.no_join(s, s.target.id, self.types[key], val.type)
        self.types[key] = t
        wide = self.wide_sums[key]
        self.emit(n.assign([wide.code], self.fit(self.operate(s.op, wide, val, s), wide.type), self.loc(s)))

    def reduce(self, s, ranges, targets, reductions, nested):
        """Emits blocks of iterations that run in parallel, each with its own partial results, and code that joins these in order. How iterations are
        assigned to blocks depends only on their number, and on whether there is a device.

        Sums and products of float16 and float32 are computed in float64 and rounded once, like reductions of arrays: in float32, a running sum of
        ones stops at 2**24.
        """
        ranges = [[self.once(p, s) for p in r.items] for r in ranges]
        lengths = [self.keep(Val(INT, self.range_length(group("range", r), s), low=0), s) for r in ranges]
        total = lengths[0]
        for length in lengths[1:]:
            total = self.keep(Val(INT, n.binary("mult", INT64, total.code, length.code), low=0), s)
        on_device = bool(self.section) and self.program.has_device() and all(
            self.folds_on_device(s, name, c, ranges) for name, c in reductions.items())
        # Work-items share the innermost loop of a nest. If there are other parallel loops inside (`nested`), each iteration is a block.
        innermost = self.innermost(s) if on_device else None
        one_each = on_device and nested and innermost is None
        most = DEVICE_ITEMS // DEVICE_GROUP if innermost else DEVICE_ITEMS if on_device else REDUCTION_BLOCKS
        blocks = total if one_each else self.keep(Val(INT, n.lib("min2", INT64, total.code, n.const(most, INT64)), low=0), s)
        groups = None
        lanes = None
        if innermost:
            lanes = self.lanes_each(blocks, s)
        elif on_device and not one_each:
            width = n.const(DEVICE_GROUP, INT64)
            whole = n.binary("plus", INT64, blocks.code, n.const(DEVICE_GROUP - 1, INT64))
            groups = self.keep(Val(INT, n.binary("div", INT64, whole, width), low=0), s)
            blocks = self.keep(Val(INT, n.binary("mult", INT64, groups.code, width), low=0), s)
        variables, partial, wide, before = {}, {}, {}, {}
        for name, c in reductions.items():
            self.begin_reduction(s, name, c, [blocks.code, lanes.groups.code, n.const(DEVICE_GROUP, INT64)] if lanes else [blocks.code],
                                 variables, partial, wide, before)
        b = self.temporary(INT)
        block = Val(INT, n.name(b, INT64), var=b, low=0)
        each = self.iterations_each(blocks, total, s) if groups or lanes else None
        # On a device a block has two numbers, so that subscripts are affine in them: the runtime then knows which elements a part of the blocks reads.
        g, item = (self.temporary(INT), self.temporary(INT)) if groups or lanes else (None, None)

        def bound(k):
            product = self.operate(ast.Mult(), k, total, s)
            return Val(INT, n.binary("div", INT64, product.code, blocks.code), low=0)

        def write():
            if groups:
                number_ = n.binary("plus", INT64, n.binary("mult", INT64, n.name(g, INT64), n.const(DEVICE_GROUP, INT64)), n.name(item, INT64))
                self.emit(n.assign([block.code], number_, self.loc(s)))
            for name, c in reductions.items():
                nothing = before[name] if c.op is ast.Constant else self.nothing(c.op, self.read(variables[name]).type)
                if name in wide:
                    self.emit(n.assign([wide[name].code], self.fit(nothing, wide[name].type), self.loc(s)))
                else:
                    self.store(variables[name], name, nothing, s)
                for place, _ in c.places:
                    self.store(variables[place], place, number(0), s)
            k = self.temporary(INT)

            def inner():
                for target, value in zip(targets, self.numbers_at(Val(INT, n.name(k, INT64), var=k, low=0), ranges, lengths, s)):
                    self.assign(target, value, s)
                self.body(s.body)

            outer = self.wide_sums
            self.wide_sums = {**outer, **{variables[name]: w for name, w in wide.items()}}
            shared, self.shared_loop, self.lanes = (self.shared_loop, self.lanes), innermost, lanes and (lanes, item)
            body, _ = self.block(inner)
            self.wide_sums = outer
            self.shared_loop, self.lanes = shared
            if lanes:
                self.outer_iterations(s, g, k, each, total, body)
            elif groups:
                self.side_by_side(s, g, item, k, each, total, body)
            elif one_each:
                self.emit(n.assign([n.name(k, INT64)], block.code, self.loc(s)))
                for line in body:
                    self.emit(line)
            else:
                stop_ = bound(self.operate(ast.Add(), block, number(1), s))
                self.emit(n.for_([k], [n.range_(bound(block).code, None, stop_.code)], body, self.loc(s)))
            at = [n.name(v, INT64) for v in (g, lanes.group, item)] if lanes else [block.code]
            for name, p in partial.items():
                collected = wide[name] if name in wide else self.read(variables[name])
                self.emit(n.assign([n.index(p.var, p.type.element(), [n.subscript(k) for k in at])],
                                   self.fit(collected, p.type.element()), self.loc(s)))

        body, _ = self.block(write)
        if lanes:
            self.emit_pfor([g, lanes.group, item], [n.range_(None, None, blocks.code), n.range_(None, None, lanes.groups.code),
                                                    n.range_(None, None, n.const(DEVICE_GROUP, INT64))], body, s)
        elif groups:
            self.emit_pfor([g, item], [n.range_(None, None, groups.code), n.range_(None, None, n.const(DEVICE_GROUP, INT64))], body, s)
        else:
            self.emit_pfor([b], [n.range_(None, None, blocks.code)], body, s)
        for name, w in wide.items():
            self.emit(n.assign([w.code], self.fit(self.read(variables[name]), w.type), self.loc(s)))
        if on_device:
            for name, c in reductions.items():
                self.join_on_device(s, name, c, ranges, total, variables, partial, wide)
        else:
            body, _ = self.block(lambda: [self.join_block(s, name, c, block, variables, partial, wide) for name, c in reductions.items()])
            self.emit(n.for_([b], [n.range_(None, None, blocks.code)], body, self.loc(s)))
        for name, w in wide.items():
            t = self.read(variables[name]).type
            self.store(variables[name], name, Val(t, self.fit(w, t)), s)

    def begin_reduction(self, s, name, c, extents, variables, partial, wide, before):
        """Allocates arrays of partial results, of these extents, for the variable and its `places`."""
        key = variables[name] = self.key_in(s.body, name)
        t = self.read(key).type
        if not isinstance(t, Scalar):
            self.refuse(s, f"a reduction of arrays in a parallel loop ('{name}') is not compiled")
        if c.op in _EXTREMA and (t.complex or t.elem == "bool"):
            self.refuse(s, f"a maximum or minimum of {t!r} numbers in a parallel loop ('{name}') is not compiled")
        if c.op in (ast.BitOr, ast.BitAnd, ast.BitXor) and (t.complex or is_float(t.elem)):
            self.refuse(s, f"'or' and 'and' of {t!r} numbers in a parallel loop ('{name}') are not compiled")
        short = t.elem in ("float16", "float32") and c.op in (ast.Add, ast.Mult)
        kept = Array("float64" if short else t.elem, t.complex, len(extents))
        partial[name] = self.keep(Val(kept, n.alloc("empty", kept, extents)), s)
        if short:
            id_ = self.temporary(kept.element())
            wide[name] = Val(kept.element(), n.name(id_, kept.element()), var=id_)
        if c.op is ast.Constant:
            if key in self.names.flagged:
                self.refuse(s, f"'{name}' has no value if no iteration assigns it", "assign it before the loop")
            id_ = self.temporary(t)
            before[name] = Val(t, n.name(id_, t), var=id_)
            self.emit(n.assign([before[name].code], self.read(key).code, self.loc(s)))
        for place, _ in c.places:
            variables[place] = self.key_in(s.body, place)
            if self.types.get(variables[place]) is None or variables[place] in self.names.flagged:
                self.refuse(s, f"'{place}' has no value if no iteration assigns it", "assign it before the loop")
            kept = Array("int64", False, len(extents))
            partial[place] = self.keep(Val(kept, n.alloc("empty", kept, extents)), s)

    def numbers_at(self, index, ranges, lengths, s):
        """The values of the loop's variables in iteration number `index`; the last variable changes fastest."""
        at, rest = [index] * len(ranges), index
        for d in range(len(ranges) - 1, 0, -1):
            length = n.lib("max2", INT64, lengths[d].code, n.const(1, INT64))
            at[d] = self.keep(Val(INT, n.lib("rem", INT64, rest.code, length), low=0), s)
            at[d - 1] = rest = self.keep(Val(INT, n.binary("div", INT64, rest.code, length), low=0), s)
        values = []
        for k, (start, _, step) in zip(at, ranges):
            value = self.operate(ast.Add(), start, self.operate(ast.Mult(), k, step, s), s)
            value.low = start.low if step.is_const and step.const > 0 else None
            values.append(value)
        return values

    def join_block(self, s, name, c, block, variables, partial, wide):
        """Joins the block's partial result to the variable."""
        def of(p, t):
            return Val(t, n.index(p.var, p.type.element(), [n.subscript(block.code)]))

        old = wide.get(name) or self.read(variables[name])
        part = of(partial[name], old.type)
        if c.op in _EXTREMA:
            places = [(place, lambda place=place: of(partial[place], INT)) for place, _ in c.places]
            return self.take_extremum(c.op, variables, name, part, places, s)
        if c.op is ast.Constant:
            return self.take_constant(s, variables[name], name, self.compare(ast.Eq(), part, number(c.constant), s), c.constant)
        return self.take_joined(s, variables[name], name, wide, self.operate(c.op(), old, part, s))

    def join_on_device(self, s, name, c, ranges, total, variables, partial, wide):
        """Joins all partial results to the variable by reductions of arrays."""
        p, old = partial[name], wide.get(name) or self.read(variables[name])
        if c.op is ast.Constant:
            found = n.lib("any", BOOL, self.compare(ast.Eq(), p, number(c.constant), s).code)
            return self.take_constant(s, variables[name], name, Val(BOOL, found), c.constant)
        if c.op is ast.BitXor:  # exclusive or of bools: whether an odd number of them is true
            odd = n.lib("rem", INT64, n.lib("sum", INT64, p.code), n.const(2, INT64))
            whole = Val(BOOL, n.binary("eq", BOOL, odd, n.ONE))
        else:
            whole = Val(p.type.element(), n.lib(_OF_ALL[c.op], p.type.element(), p.code))
        if c.op not in _EXTREMA:
            return self.take_joined(s, variables[name], name, wide, self.operate(c.op(), old, whole, s))

        def extremum():
            best = self.keep(Val(old.type, whole.code), s)
            state = {"ties": None}

            def place(name, d):
                """The position of the first iteration that attains the extremum."""
                ties = state["ties"] or self.compare(ast.Eq(), p, best, s)
                rising = ranges[d][2].const > 0
                last = n.const(np.iinfo(np.int64).max if rising else np.iinfo(np.int64).min, INT64)
                at = n.lib("where", partial[name].type, ties.code, partial[name].code, last)
                first = self.keep(Val(INT, n.lib("min" if rising else "max", INT64, at)), s)
                same = self.compare(ast.Eq(), partial[name], first, s)
                state["ties"] = self.operate(ast.BitAnd(), ties, same, s)
                return first

            places = [(name, lambda name=name, d=d: place(name, d)) for name, d in sorted(c.places, key=lambda x: x[1])]
            self.take_extremum(c.op, variables, name, best, places, s)

        body, _ = self.block(extremum)  # there is no extremum if there were no iterations
        self.emit(n.if_(n.binary("gt", BOOL, total.code, n.ZERO), body, [], self.loc(s)))

    def key_in(self, body, name):
        return next(self.names.keys[id(x)] for x in _names(body) if x.id == name)

    def folds_on_device(self, s, name, c, ranges):
        """Whether the partial results can be joined by reductions of arrays. The first of several equal extrema can be determined if the positions
        are the loop indices along the leading dimensions."""
        t = self.read(self.key_in(s.body, name)).type
        if not isinstance(t, Scalar):
            return False
        if c.op is ast.Constant:
            return not t.complex
        dims = sorted({d for _, d in c.places})
        if dims != list(range(len(dims))) or not all(ranges[d][2].is_const for d in dims):
            return False
        if c.op in (ast.BitOr, ast.BitAnd, ast.BitXor):
            return t.elem == "bool"
        return is_float(t.elem) or t.elem in ("int64", "uint64")

    def nothing(self, op, t):
        """The identity element of the operation for this type."""
        if op in (ast.Add, ast.Mult):
            return number(0 if op is ast.Add else 1)
        if op in (ast.BitOr, ast.BitXor):
            return number(False if t.elem == "bool" else 0, t)
        if op is ast.BitAnd:
            return number(True, t) if t.elem == "bool" else number(-1 if np.iinfo(t.elem).min else np.iinfo(t.elem).max, t)
        if is_float(t.elem):
            return number(-np.inf if op is ast.Gt else np.inf, t)
        limits = np.iinfo(t.elem)
        return number(limits.min if op is ast.Gt else limits.max, t)

    def take_joined(self, s, key, name, wide, new):
        if name in wide:
            self.emit(n.assign([wide[name].code], self.fit(new, wide[name].type), self.loc(s)))
        else:
            self.store(key, name, new, s)

    def take_constant(self, s, key, name, test, constant):
        then, _ = self.block(self.store, key, name, number(constant), s)
        self.emit(n.if_(test.code, then, [], self.loc(s)))

    def take_extremum(self, op, variables, name, val, places, s):
        """`if val > name: name = val` with Python's treatment of NaN: a NaN in `name` stays, a NaN in `val` is ignored. `places`: (variable, function
        that computes its new value) for variables that change together with it."""
        val = self.keep(val, s)
        word = "gt" if op is ast.Gt else "lt"

        def take():
            self.store(variables[name], name, val, s)
            for place, value in places:
                self.store(variables[place], place, value(), s)

        then, _ = self.block(take)
        self.emit(n.if_(n.binary(word, BOOL, val.code, self.read(variables[name]).code), then, [], self.loc(s)))

    def iterations_each(self, blocks, total, s):
        """An upper bound of the number of iterations per work-item."""
        items = self.keep(Val(INT, n.lib("max2", INT64, blocks.code, n.const(1, INT64)), low=1), s)
        most = n.binary("plus", INT64, total.code, n.binary("minus", INT64, items.code, n.const(1, INT64)))
        return self.keep(Val(INT, n.binary("div", INT64, most, items.code), low=0), s)

    def lanes_each(self, rows, s):
        """The work-items that share the innermost loop of a nest, for each of the rows."""
        some = n.lib("max2", INT64, rows.code, n.const(1, INT64))
        groups = self.keep(Val(INT, n.binary("div", INT64, n.const(DEVICE_ITEMS // DEVICE_GROUP, INT64), some), low=1), s)
        return Lanes(groups, self.temporary(INT))

    def outer_iterations(self, s, g, k, each, total, body):
        """The iterations k of the outer loop of a nest that the work-items with number `g` run."""
        self.numbered(s, k, n.binary("mult", INT64, n.name(g, INT64), each.code), n.ONE, each, total, body)

    def range_in_lanes(self, s, ranges, targets):
        """The iterations of the innermost loop of a nest that one of the work-items runs. Each group of them has a range of iterations, of which its
        work-items run neighbouring ones at the same time."""
        lanes, item = self.lanes
        parts = [self.once(p, s) for p in ranges[0].items]
        length = self.keep(Val(INT, self.range_length(group("range", parts), s), low=0), s)
        each = self.iterations_each(Val(INT, lanes.items, low=1), length, s)

        def inner():
            value = self.numbers_at(Val(INT, n.name(k, INT64), var=k, low=0), [parts], [length], s)[0]
            self.assign(targets[0], value, s)
            self.body(s.body)

        k = self.temporary(INT)
        body, _ = self.block(inner)
        self.side_by_side(s, lanes.group, item, k, each, length, body)

    def side_by_side(self, s, g, item, k, each, total, body):
        """The iterations k of work-item `item` of work-group `g`. Each work-group has a range of iterations, of which its work-items run neighbouring
        ones at the same time."""
        group = n.const(DEVICE_GROUP, INT64)
        piece = n.binary("mult", INT64, n.name(g, INT64), n.binary("mult", INT64, each.code, group))
        first = self.keep(Val(INT, n.binary("plus", INT64, piece, n.name(item, INT64)), low=0), s)
        self.numbered(s, k, first.code, group, each, total, body)

    def numbered(self, s, k, first, step, each, total, body):
        """The iterations k = first, first + step, ..., `each` of them, as far as they are below `total`."""
        t = self.temporary(INT)
        at = n.binary("plus", INT64, first, n.binary("mult", INT64, n.name(t, INT64), step))
        inside = n.if_(n.binary("lt", BOOL, n.name(k, INT64), total.code), body, [], self.loc(s))
        self.emit(n.for_([t], [n.range_(None, None, each.code)], [n.assign([n.name(k, INT64)], at, self.loc(s)), inside], self.loc(s)))
