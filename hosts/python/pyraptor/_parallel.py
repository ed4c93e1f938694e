"""Loops over ranges, domains, arrays and tuples; parallel loops with reductions; accelerated sections."""
from __future__ import annotations

import ast
import functools
import re

from . import _nodes as n
from . import _objmode, parallel
from ._reductions import Reductions
from ._trees import all_nodes
from ._types import INT, Const, Group, Scalar, is_known_int, join, list_type
from ._value import Val, group

INT64 = Scalar("int64")
_NAME = r"\(name :id \d+ (?:\([^()]*\)|\([^()]*\([^()]*\)\))\)"
_STRING = r'"(?:[^"\\]|\\.)*"'
_ASSIGNED = re.compile(rf"\(assignstmt(?: :loc {_STRING})? \(lhs ((?:{_NAME} ?)+)\)")
_STRINGS = re.compile(_STRING)


def is_parallel_loop(loop, lookup):
    """Whether the ast.For runs over PAR(...) or prange(...)."""
    call = loop.iter
    if not isinstance(call, ast.Call):
        return False
    try:
        f = call.func
        o = lookup(f.id) if isinstance(f, ast.Name) else getattr(lookup(f.value.id), f.attr, None)
    except (NameError, AttributeError):
        return False
    return o is parallel.PAR or o is parallel.prange


def _inside(statements):
    """The statements in which a `break` or `continue` refers to the loop around these statements."""
    for s in statements:
        yield s
        if not isinstance(s, (ast.For, ast.While, ast.FunctionDef)):
            for field in ("body", "orelse", "handlers", "finalbody", "cases"):
                yield from _inside(getattr(s, field, []))


def _entries(it):
    return it.is_group("entries") or (it.is_group("zip", "enumerate", "backwards") and any(map(_entries, it.items)))


def _backwards(it):
    return it.is_group("backwards") or (it.is_group("zip", "enumerate") and any(map(_backwards, it.items)))


def _has_constants(val):
    """Whether it contains a value that exists at compile time only, such as a string."""
    return any(map(_has_constants, val.items)) if val.is_group("tuple", "list") else isinstance(val.type, Const)


def _have_no_type(items):
    """Whether the items have no common type."""
    t = None
    for i in items:
        t = join(t, i.type)
        if t is None:
            return True
    return False


class Loops(Reductions):
    def for_loop(self, s):
        parallel_loop = is_parallel_loop(s, self.lookup)
        it = self.expr(s.iter)
        it = self.turned(it, s)
        if parallel_loop:
            return self.parallel_for(s, it)
        if it.is_group("tuple", "list") and it.items and any(isinstance(x, (ast.Break, ast.Continue)) for x in _inside(s.body)):
            if list_type(Group("list", it.type.items)) is not None:
                it = self.listed(Val(Group("list", it.type.items), items=it.items), s)
        if it.is_group("tuple", "list"):
            return self.unrolled(s, it)
        if it.is_group("range") and self.indexes_parts(s):
            from ._itertools import static_items
            values = static_items(self, s, it)
            if values is not None:
                return self.unrolled(s, group("list", values))
        flag = self.else_flag(s)
        self.loops.append((s, flag, False))
        if it.is_group("range"):
            self.range_loop(s, [it], [s.target])
        elif it.is_group("domain"):
            targets = s.target.elts if isinstance(s.target, (ast.Tuple, ast.List)) else [s.target]
            if len(targets) != len(it.items):
                self.refuse(s.target, f"a domain of {len(it.items)} dimensions needs as many variables")
            self.range_loop(s, it.items, targets)
        else:
            self.counted_loop(s, it, lambda item: self.assign(s.target, item, s), lambda: self.body(s.body))
        self.loops.pop()
        return self.loop_else(s, flag)

    def counted_loop(self, s, it, take, body, found=None):
        """A loop over an iterable whose items are accessed by index. As in Python, a list's length is read before each iteration. `found`: a variable
        that ends the loop when it is true."""
        it = self.kept_iterator(it, s)
        k = self.temporary(INT)
        at = Val(INT, n.name(k, INT64), var=k, low=0)
        changes, dict_changes, row_changes = self.list_changes, self.dict_changes, self.row_changes
        start, _ = self.block(lambda: take(self.item(it, at, s)))
        inner, _ = self.block(body)
        if found is not None:
            inner.append(n.if_(found, ["(break)"], [], self.loc(s)))
        if self.dict_changes != dict_changes and _entries(it):
            self.refuse(s, "changing a dictionary in a loop over a dictionary is not compiled", "loop over a list: list(d), list(d.items())")
        if self.row_changes != row_changes and any(v.row is not None for v in self.lists_in(it)):
            if it.row is None or found is not None:
                self.refuse(s, "changing the length of a row in this kind of loop over it is not compiled", "loop over a copy: list(x)")
            return self.loop_over_row(s, it.row, at, take, body)
        before, count = self.block(self.length, it, s)
        if self.list_changes == changes or not any(v.is_list and v.type.kind == "growing" for v in self.lists_in(it)) or (
                _entries(it)):
            self.out += before
            self.emit(n.for_([k], [n.range_(n.ZERO, None, count)], start + inner, self.loc(s)))
            return
        if before or _backwards(it):
            self.refuse(s, "changing the length of a list in this kind of loop over it is not compiled", "loop over a copy: list(x)")
        self.emit(n.assign([at.code], n.ZERO, self.loc(s)))
        more = n.assign([at.code], n.binary("plus", INT64, at.code, n.ONE), self.loc(s))
        self.emit(n.while_(n.binary("lt", Scalar("bool"), at.code, count), [*start, more, *inner], self.loc(s)))

    def unrolled(self, s, it):
        jumps = any(isinstance(x, (ast.Break, ast.Continue)) for x in _inside(s.body))
        if jumps:
            return self.unrolled_with_jumps(s, it)
        apart = _have_no_type(it.items)
        for item in it.items:
            if not self.with_item(s, item, lambda: self.body(s.body), apart):
                return False
        return self.body(s.orelse)

    def indexes_parts(self, s):
        """Whether the loop's variable is used as the index of a tuple or list whose items have several types or are arrays."""
        if not isinstance(s.target, ast.Name):
            return False
        if id(s) not in self.subscripted:
            self.subscripted[id(s)] = [x for part in s.body for x in all_nodes(part) if isinstance(x, ast.Subscript) and isinstance(x.slice, ast.Name)
                                       and x.slice.id == s.target.id and isinstance(x.value, ast.Name)]
        for x in self.subscripted[id(s)]:
            t = self.types.get(self.names.keys.get(id(x.value)))
            if type(t) is Group and t.kind in ("tuple", "list") and t.items and list_type(Group("list", t.items)) is None:
                return True
        return False

    def with_item(self, s, item, body, apart=False):
        """Translates the loop's body for one item. If the item is a compile-time value, or the items have no common type (`apart`), the loop variable
        is bound to it at compile time."""
        assigned = {x.id for part in s.body for x in all_nodes(part) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
        names = {x.id for x in all_nodes(s.target) if isinstance(x, ast.Name)}
        index = item.is_scalar and item.is_const and self.indexes_parts(s)
        if not (apart or _has_constants(item) or index) or names & assigned:
            self.assign(s.target, item, s)
            return body()
        if index:
            self.assign(s.target, item, s)
        self.scopes.append(self.comprehension_names(s.target, self.kept_parts(item, s), s))
        try:
            return body()
        finally:
            self.scopes.pop()

    def unrolled_with_jumps(self, s, it):
        """Emits each iteration as a loop that runs once: `continue` leaves that loop; `break` also sets a flag that skips the remaining
        iterations."""
        left = self.temporary(Scalar("bool"))
        name = n.name(left, Scalar("bool"))
        self.emit(n.assign([name], n.const(0, Scalar("bool")), self.loc(s)))
        self.has_loop = True
        apart = _have_no_type(it.items)
        for item in it.items:
            self.loops.append((s, left, False))
            self.once_loops.append(s)
            one, reached = self.block(lambda item=item: self.with_item(s, item, lambda: self.body(s.body), apart))
            self.once_loops.pop()
            self.loops.pop()
            loop = n.while_(n.const(1, Scalar("bool")), one + (["(break)"] if reached else []), self.loc(s))
            self.emit(n.if_(n.unary("not", Scalar("bool"), name), [loop], [], self.loc(s)))
        return self.loop_else(s, left)

    # ---- ranges
    def range_parts(self, r, s):
        """(the VRIR range, lower bound of its values) of a Val of kind range."""
        start, stop, step = r.items
        for part in r.items:
            if not is_known_int(part.type):
                self.refuse(getattr(s, "iter", s), f"a range needs integers, not {part.type!r}")
        text = n.range_(self.cast(start, "int64"), None if step.is_const and step.const == 1 else self.cast(step, "int64"),
                        self.cast(stop, "int64"))
        low = None
        if step.is_const:
            low = start.low if step.const > 0 else None if stop.low is None else stop.low + 1
        return text, low

    def iteration_variable(self, target, low, s):
        """(id of the loop's counter, statements that set the target at the start of each iteration)"""
        if isinstance(target, ast.Name):
            key = self.names.keys[id(target)]
            from ._types import join
            t = join(self.types.get(key), INT)
            if t is None:
                self.no_join(target, target.id, self.types[key], INT)
            self.types[key] = t
            if isinstance(t, Scalar) and t.elem == "int64" and not t.complex:
                if key in self.names.single and low is not None:
                    self.lows[key, ()] = low
                return self.symbol(key, (), t), self.block(self.bound, key, target)[0]
        k = self.temporary(INT)
        start, _ = self.block(self.assign, target, Val(INT, n.name(k, INT64), var=k, low=low), s)
        return k, start

    def range_loop(self, s, ranges, targets):
        parts = [self.range_parts(r, s) for r in ranges]
        for r in ranges:
            step = r.items[2]
            if not step.is_const:
                self.guard(s, n.binary("eq", Scalar("bool"), self.cast(step, "int64"), n.ZERO), ValueError,
                           "range() arg 3 must not be zero")
            elif step.const == 0:
                self.refuse(s, "a range's step must not be zero")
        made = [self.iteration_variable(t, low, s) for t, (_, low) in zip(targets, parts)]
        body, _ = self.block(self.body, s.body)
        self.emit(n.for_([k for k, _ in made], [text for text, _ in parts], [x for _, start in made for x in start] + body,
                         self.loc(s)))

    # ---- parallel loops
    def parallel_for(self, s, it):
        if s.orelse:
            self.refuse(s, "'else' of a parallel loop is not compiled")
        ranges = it.items if it.is_group("domain") else [it] if it.is_group("range") else None
        if ranges is None:
            self.refuse(getattr(s, "iter", s), "a parallel loop must run over a range or a Domain")
        targets = s.target.elts if isinstance(s.target, (ast.Tuple, ast.List)) else [s.target]
        if len(targets) != len(ranges):
            self.refuse(s.target, f"a domain of {len(ranges)} dimensions needs as many variables")
        reductions = {}
        for name in sorted(self.names.carried[id(s)]):
            collected = self.collected(s, name, targets)
            if collected is None:
                self.refuse(s, f"'{name}' carries a value from one iteration to the next, so the loop is not parallel",
                            "use range, or reduce with += , -= , *= , max or min only")
            reductions[name] = collected
        places = {place for c in reductions.values() for place, _ in c.places}
        for name in sorted(self.names.escaping[id(s)] - set(reductions) - places):
            reductions[name] = self.marked(s, name)
            if reductions[name] is None:
                self.refuse(s, f"'{name}' is assigned in the parallel loop and read after it",
                            "let each iteration store to an element of an array")
        outermost = not any(self.loop_is_parallel())
        if reductions and not outermost:
            self.loops.append((s, None, False))
            if s is self.shared_loop:
                self.range_in_lanes(s, ranges, targets)
            else:
                self.range_loop(s, ranges, targets)
            self.loops.pop()
            return True
        made, _ = self.block(self.parallel_loop, s, ranges, targets, reductions)
        tests = self.tests_in_front.pop(id(s), None) if outermost else None
        if not tests:
            self.out += made
            return True
        self.signs_tested = False
        otherwise, _ = self.block(self.parallel_loop, s, ranges, targets, reductions)
        self.signs_tested = True
        negative = [n.binary("lt", Scalar("bool"), t, n.ZERO) for t in tests]
        self.emit(n.if_(functools.reduce(lambda a, b: n.binary("or", Scalar("bool"), a, b), negative), otherwise, made, self.loc(s)))
        return True

    def parallel_loop(self, s, ranges, targets, reductions):
        self.loops.append((s, None, True))
        if reductions:
            nested = any(isinstance(x, ast.For) and is_parallel_loop(x, self.lookup) for b in s.body for x in ast.walk(b))
            self.reduce(s, ranges, targets, reductions, nested)
        else:
            self.pfor(s, ranges, targets)
        self.loops.pop()

    def runs_in_parallel(self, loop):
        return is_parallel_loop(loop, self.lookup)

    def loop_is_parallel(self):
        return (p for _, _, p in self.loops)

    def pfor(self, s, ranges, targets):
        parts = [self.range_parts(r, s) for r in ranges]
        made = [self.iteration_variable(t, low, s) for t, (_, low) in zip(targets, parts)]
        body, _ = self.block(self.body, s.body)
        self.emit_pfor([k for k, _ in made], [text for text, _ in parts], [x for _, st in made for x in st] + body, s)

    def emit_pfor(self, variables, ranges, body, s):
        text = " ".join(body)
        private = set(variables)
        for m in _ASSIGNED.finditer(text):
            private |= set(map(int, re.findall(r"\(name :id (\d+)", m[1])))
        bare = _STRINGS.sub('""', text)
        for m in re.finditer(r"\(itervars ([\d ]+)\)", bare):
            private |= set(map(int, m[1].split()))
        used = set(map(int, re.findall(r":(?:arrayid|id) (\d+)", bare)))
        self.emit(n.for_(variables, ranges, body, self.loc(s), shared=sorted(used - private)))

    # ---- accelerated sections
    def stmt_With(self, s):
        if len(s.items) == 1 and _objmode.is_objmode(self, s.items[0]):
            return _objmode.block(self, s)
        for item in s.items:
            call = item.context_expr
            if not (isinstance(call, ast.Call) and self.lookup_path(call.func) is parallel.gpu) or item.optional_vars:
                self.refuse(s, "'with' is compiled for pyraptor.gpu() and pyraptor.objmode() only")
        return self.gpu_section(s.body, s)

    def marked_section(self, statements, k):
        """Translates the section from gpu_begin() (statement k) to gpu_end(). Returns the number of the next statement."""
        if self.marker(statements[k]) is parallel.gpu_end:
            self.refuse(statements[k], "gpu_end() without gpu_begin() in the same block")
        if self.marker(statements[k]) is not parallel.gpu_begin:
            return k
        depth = 1  # an inner section is part of the outer one
        for end in range(k + 1, len(statements)):
            marker = self.marker(statements[end])
            depth += (marker is parallel.gpu_begin) - (marker is parallel.gpu_end)
            if depth == 0:
                self.gpu_section(statements[k + 1:end], statements[k])
                return self.marked_section(statements, end + 1) if end + 1 < len(statements) else end + 1
        self.refuse(statements[k], "gpu_begin() without gpu_end() in the same block")

    def marker(self, s):
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call):
            o = self.lookup_path(s.value.func)
            return o if o in (parallel.gpu_begin, parallel.gpu_end) else None
        return None

    def gpu_section(self, statements, s):
        if self.section:
            return self.body(statements)
        self.section += 1
        body, reached = self.block(self.body, statements)
        self.section -= 1
        self.program.uses_gpu = True
        self.emit(f"(stmtlist :onGpu %1{self.loc(s)} (stmts {' '.join(body)}))")
        return reached
