"""Decides which updates `a[...] += x` in a parallel loop change elements that no other iteration changes.

If two iterations update one element at the same time, one of the updates is lost. If the subscripts prove that iterations change different elements,
an update is a plain load and store. Otherwise it becomes atomic (VRIR's xchange), or is refused if there is no atomic form.

A proof is an axis of the array together with a line or a block on it. A line is a subscript `c * i + r`, where i is an iteration variable, c is a
constant, and r is the same in all iterations, or depends on other iteration variables only (`1 + 2 * k + (i & 1)`): it proves that i differs where
proofs for those variables exist. A block is any subscript in [c * i + r, c * (i + 1) + r). All updates of one array in a loop must have
a proof in common for each iteration variable. Subscripts are compared as polynomials of names, so that `i * n + j` with j from range(n) is known to
be in the block of i.

A negative subscript and a positive one may refer to the same element. If the sign of a subscript is not known, but its least value is, in front of
the loop (k + 1 for i in prange(k + 1, n)), the value is tested there; if it is negative, a loop with atomic updates runs instead.
"""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._closures import parameters
from ._trees import all_nodes
from ._types import INT, Scalar, is_float, is_known_int

INT64 = Scalar("int64")


class Polynomial:
    """A polynomial of names with integer coefficients: {sorted names: coefficient}. An expression of another form counts as a name."""

    __slots__ = ("terms", )

    def __init__(self, terms):
        self.terms = {k: c for k, c in terms.items() if c}

    @classmethod
    def constant(cls, c):
        return cls({(): c})

    @classmethod
    def name(cls, word):
        return cls({(word, ): 1})

    def __add__(self, other):
        terms = dict(self.terms)
        for k, c in other.terms.items():
            terms[k] = terms.get(k, 0) + c
        return Polynomial(terms)

    def __mul__(self, other):
        terms = {}
        for k, c in self.terms.items():
            for j, d in other.terms.items():
                key = tuple(sorted((*k, *j)))
                terms[key] = terms.get(key, 0) + c * d
        return Polynomial(terms)

    def __sub__(self, other):
        return self + Polynomial.constant(-1) * other

    def key(self):
        return tuple(sorted(self.terms.items()))

    def names(self):
        return {name for k in self.terms for name in k}

    def value(self):
        """The constant that it is, or None."""
        return self.terms.get((), 0) if not self.names() else None

    def split(self, name):
        """(c, r) such that the polynomial is c * name + r; None if it is not linear in the name."""
        c, r = {}, {}
        for k, x in self.terms.items():
            if name not in k:
                r[k] = x
            elif k.count(name) == 1:
                c[tuple(w for w in k if w != name)] = x
            else:
                return None
        return Polynomial(c), Polynomial(r)


class Scope:
    """What the names in a parallel loop stand for. `variables`: name -> Polynomial of its value, in which the name '#k' stands for the iteration
    number along dimension k, and '~0,2:...' for a function of the iteration numbers along dimensions 0 and 2; `varying`: names with other values that differ between iterations; `values`: name -> its only defining expression;
    `ranges`: name -> extent of the `range(extent)` over which it runs; `starts`: name -> start of the range over which it runs upwards; `views`: like `values`, but ignoring `name += x`, which does not rebind an
    array; `steps`: keys of the steps of parallel ranges, which are not zero."""

    def __init__(self, count, variables, varying, values, ranges):
        self.count, self.variables, self.varying, self.values, self.ranges = count, variables, varying, values, ranges
        self.views, self.steps, self.starts = {}, set(), {}

    def polynomial(self, node, depth=0):
        """The expression as a polynomial. Names that vary in an unknown way get a prefix '?'."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Polynomial.constant(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return Polynomial.constant(-1) * self.polynomial(node.operand, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
            a, b = self.polynomial(node.left, depth), self.polynomial(node.right, depth)
            return a + b if isinstance(node.op, ast.Add) else a - b if isinstance(node.op, ast.Sub) else a * b
        if isinstance(node, ast.Name):
            if node.id in self.variables:
                return self.variables[node.id]
            if node.id in self.values and depth < 8:
                return self.polynomial(self.values[node.id], depth + 1)
            return Polynomial.name(f"?{node.id}" if node.id in self.varying else node.id)
        text = ast.dump(node)
        if any(isinstance(x, (ast.Call, ast.Subscript)) and not _fixed(x) for x in all_nodes(node)):
            return Polynomial.name(f"?{text}")
        inner = {w for x in all_nodes(node) if isinstance(x, ast.Name) for w in self.polynomial(x, depth + 1).names()}
        if any(w[0] == "?" for w in inner) or depth >= 8:
            return Polynomial.name(f"?{text}")
        numbers = sorted({d for w in inner for d in dimensions(w)})
        return Polynomial.name(f"~{','.join(map(str, numbers))}:{text}" if numbers else text)

    def line(self, p, dimension):
        """(coefficient, rest) if the value varies with the iteration number along this dimension only; else None."""
        found = self.line_after(p, dimension)
        return None if found is None or found[2] else found[:2]

    def line_after(self, p, dimension):
        """(coefficient, rest, other dimensions on which the rest depends) if the value is linear in the iteration number along this dimension; else
        None."""
        found = p.split(f"#{dimension}")
        if found is None or not found[0].terms or any(w[0] in "#?~" for w in found[0].names()):
            return None
        rest = found[1].names()
        others = frozenset(d for w in rest for d in dimensions(w))
        return None if any(w[0] == "?" for w in rest) else (*found, others)

    def proofs(self, axis, item):
        """The proofs that a subscript gives: tuples (dimension, axis, 'line' or 'block', coefficient, rest, dimensions that need a proof first)."""
        out = set()
        for d in range(self.count):
            if isinstance(item, ast.Slice):
                out |= self.of_slice(d, axis, item)
                continue
            p = self.polynomial(item)
            inner = [w for w in p.names() if w[0] == "?" and w[1:] in self.ranges]
            for w in inner:  # c * i + r + j with j from range(c)
                extent = self.polynomial(self.ranges[w[1:]])
                at = p.split(w)
                found = self.line(at[1], d) if at is not None and at[0].value() == 1 else None
                if found and (found[0].key() == extent.key() or self.less(extent, found[0])):
                    out.add((d, axis, "block", found[0].key(), found[1].key(), frozenset()))
            found = self.line_after(p, d)
            if found is None:
                continue
            c, r = found[0].value(), found[1].value()
            if c is not None or found[0].key() in self.steps:
                out.add((d, axis, "line", found[0].key(), found[1].key(), found[2]))
            if c is not None:
                if r is not None and c > 1:
                    out.add((d, axis, "block", found[0].key(), Polynomial.constant(r - r % c).key(), frozenset()))
        return out

    @staticmethod
    def less(a, b):
        return a.value() is not None and b.value() is not None and a.value() <= b.value()

    def of_slice(self, d, axis, item):
        if item.lower is None or item.upper is None or item.step is not None:
            return set()
        low = self.line(self.polynomial(item.lower), d)
        if low is None:
            return set()
        ends = [item.upper]
        if isinstance(item.upper, ast.Call) and isinstance(item.upper.func, ast.Name) and item.upper.func.id == "min":
            ends = item.upper.args
        for end in ends:
            length = self.polynomial(end) - self.polynomial(item.lower)
            if length.key() == low[0].key() or self.less(length, low[0]):
                return {(d, axis, "block", low[0].key(), low[1].key(), frozenset())}
        return set()

    def target(self, node):
        """(name of the array, subscripts) of `name[...]...[...]`, where names of views are replaced by their definitions; None for other targets."""
        items = []
        for _ in range(16):
            if isinstance(node, ast.Subscript):
                index = node.slice
                items.insert(0, list(index.elts) if isinstance(index, ast.Tuple) else [index])
                node = node.value
            elif isinstance(node, ast.Name) and isinstance(self.views.get(node.id), (ast.Subscript, ast.Name)):
                node = self.views[node.id]
            else:
                break
        if not isinstance(node, ast.Name):
            return None
        flat = []
        for k, part in enumerate(items):
            if any(isinstance(i, ast.Constant) and not isinstance(i.value, int) for i in part):  # None and ... as subscripts
                part = [None]
            flat += part
            if any(i is None or isinstance(i, ast.Slice) for i in part):
                break  # later subscripts belong to axes that are not known here
        return node.id, flat

    def of_target(self, node):
        """The set of all proofs for an update's target; empty if there are none."""
        found = self.target(node)
        if found is None or found[0] in self.varying or found[0] in self.variables:
            return set()
        out = set()
        for axis, item in enumerate(found[1]):
            if item is None:
                break
            out |= self.proofs(axis, item)
        return out

    def proven(self, proofs):
        """Whether the proofs distinguish iterations along every dimension."""
        done, before = set(), None
        while done != before:
            before = set(done)
            done |= {p[0] for p in proofs if p[5] <= done}
        return done == set(range(self.count))

    def least(self, node, depth=0):
        """The least value of a subscript over all iterations, as a Polynomial of names that the loops do not change; None if it is not known."""
        total = Polynomial({})
        for names, c in self.polynomial(node).terms.items():
            if not any(w[0] in "#?~" for w in names):
                total += Polynomial({names: c})
                continue
            if len(names) > 1 or c < 0:
                return None
            if names[0][0] == "#":  # an iteration number is 0 or more
                continue
            start = self.starts.get(names[0][1:]) if depth < 8 else None
            low = None if start is None else self.least(start, depth + 1)
            if low is None:
                return None
            total += Polynomial.constant(c) * low
        return total


def dimensions(name):
    """The dimensions on whose iteration numbers a name of a polynomial depends."""
    return [int(name[1:])] if name[0] == "#" else [int(d) for d in name[1:name.index(":")].split(",")] if name[0] == "~" else []


def _fixed(node):
    """Whether a call or subscript is a pure function of its names: len(x), x.shape[k]."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("len", "min", "max", "int", "abs")
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _stores(loop, name):
    return sum(isinstance(s, ast.Name) and isinstance(s.ctx, ast.Store) and s.id == name for s in all_nodes(loop))


def scope_of(loops, tree, context):
    """The Scope inside of parallel loops (outermost first). With a `context`: of the whole function `tree`, including the loops of its callers."""
    known = (context.count, context.variables, context.varying) if context is not None else None
    count, variables, varying = known or (0, {}, set())
    variables, varying = dict(variables), set(varying)
    stored, updated, values, ranges, starts = {}, {}, {}, {}, {}
    for s in all_nodes(tree if context is not None else loops[0]):
        if isinstance(s, ast.Name) and isinstance(s.ctx, ast.Store):
            stored[s.id] = stored.get(s.id, 0) + 1
        if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name):
            updated[s.target.id] = updated.get(s.target.id, 0) + 1
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            values[s.targets[0].id] = s.value
        if isinstance(s, ast.For) and isinstance(s.target, ast.Name) and isinstance(s.iter, ast.Call) and isinstance(
                s.iter.func, ast.Name) and s.iter.func.id == "range" and s.iter.args:
            args = s.iter.args
            if len(args) == 1:
                ranges[s.target.id] = args[0]
            if len(args) < 3 or isinstance(args[2], ast.Constant) and args[2].value > 0:
                starts[s.target.id] = args[0] if len(args) > 1 else ast.Constant(0)
    once = {name for name, k in stored.items() if k == 1}
    views = {name: v for name, v in values.items() if stored[name] - updated.get(name, 0) == 1}
    values = {name: v for name, v in values.items() if name in once}
    varying |= set(stored)
    scope = Scope(0, variables, varying, values, {name: e for name, e in ranges.items() if name in once})
    scope.views, scope.starts = views, {name: e for name, e in starts.items() if name in once}
    for loop in loops:
        parts = loop.iter.args[0] if loop.iter.args else None
        domains = [loop.iter]
        if isinstance(parts, ast.Call) and isinstance(loop.target, ast.Tuple):
            domains = parts.args
        elif isinstance(parts, ast.Call):
            domains = [parts]
        targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
        for target, domain in zip(targets, domains):
            number = Polynomial.name(f"#{count}")
            count += 1
            if not isinstance(target, ast.Name) or _stores(loop, target.id) > 1:
                continue  # other loops may have a variable of this name
            args = domain.args if isinstance(domain, ast.Call) else [domain]
            start = scope.polynomial(args[0]) if len(args) > 1 else Polynomial.constant(0)
            step = scope.polynomial(args[2]) if len(args) > 2 else Polynomial.constant(1)
            if any(w[0] in "?~" for w in (start + step).names()):
                continue
            scope.variables[target.id] = start + step * number
            scope.steps.add(step.key())
        count += max(len(targets) - len(domains), 0)
    scope.count = count
    scope.varying -= set(scope.variables)
    return scope


class Context:
    """What a function that is called in a parallel loop knows about the iterations. `count`: number of dimensions; `variables`: parameter ->
    Polynomial; `varying`: parameters with other values that differ between iterations; `private`: positions of array arguments that only this
    iteration accesses. Compares by value."""

    def __init__(self, count, variables, varying, private):
        self.count, self.variables, self.varying, self.private = count, variables, frozenset(varying), frozenset(private)

    def key(self):
        return (self.count, tuple(sorted((k, p.key()) for k, p in self.variables.items())), self.varying, self.private)

    def __eq__(self, other):
        return isinstance(other, Context) and self.key() == other.key()

    def __hash__(self):
        return hash(self.key())


_ATOMIC = {ast.Add: "add", ast.Sub: "sub", ast.BitAnd: "and", ast.BitOr: "or"}


class Updates:
    """The part of Function that decides about updates. `tests_in_front` (of this round): id of an outermost parallel loop -> integers that must not be
    negative in front of it, as texts; `signs_tested`: they are not. `unproven` (kept over the rounds): ids of nodes for which no sufficient proof was found;
    `updates` (of this round): (outermost loop, root of the array) -> [name, common proofs, ids of nodes]; `updated`: positions of arguments that a
    call in a parallel loop updates."""

    def shared_by(self):
        """The parallel loops around the current code, outermost first; None if nothing runs in parallel."""
        loops = [s for s, _, parallel in self.loops if parallel]
        return loops if loops or self.context is not None else None

    def scope(self, loops):
        key = tuple(map(id, loops))
        if key not in self.scopes_of:
            self.scopes_of[key] = scope_of(loops, self.tree, self.context)
        return self.scopes_of[key]

    def is_private(self, var, loops):
        """Whether the array was allocated by the current iteration."""
        root = self.root(var)
        inside = {id(x) for x in all_nodes(loops[0])} if loops else {id(x) for x in all_nodes(self.tree)}
        for (key, _), (other, _) in self.symbols.items():
            if self.root(other) != root:
                continue
            position = self.argument_ids.get(other)
            if position is not None or (isinstance(key, tuple) and key[0] == "global"):
                if loops or isinstance(position, tuple) or position is None or position not in self.context.private:
                    return False
            elif isinstance(key, str) and any(node not in inside and self.names.keys[node] == key for node in self.names.defs):
                return False
        return True

    def update_is_alone(self, node, target, var, loops):
        """Whether no other iteration changes the elements that the update (or call) `node` changes. `target`: the updated expression; `var`: the
        array."""
        if self.is_private(var, loops):
            self.privates.append((id(node), var, loops))
            return True
        root = self.root(var)
        for other, position in self.argument_ids.items():
            if self.root(other) == root:
                self.updated.add(position)
        scope = self.scope(loops)
        found = scope.target(target) if target is not None else None
        name, proofs = (found[0] if found else None), scope.of_target(target) if target is not None else set()
        if name is None or id(node) in self.unproven:
            proofs = set()
        at = id(loops[0]) if loops else None, root
        group = self.updates.setdefault(at, [name, proofs, set()])
        group[2].add(id(node))
        group[1] = group[1] & proofs if group[0] == name else set()
        if scope.proven(group[1]):
            return True
        self.unproven |= group[2]
        return False

    def check_privates(self):
        """Arrays that seemed to be private to an iteration may have become aliases of others: checks them again."""
        for node, var, loops in self.privates:
            if not self.is_private(var, loops):
                self.unproven.add(node)

    def update(self, s, place, old, val):
        """Emits `place op= val` in a parallel loop as an atomic update if needed. Returns False if a plain load and store is right."""
        loops = self.shared_by()
        if loops is None or place.array.is_fixed:
            return False
        element = isinstance(place.type, Scalar)
        alone = self.update_is_alone(s, s.target if place.gather is None else None, place.array.var, loops)
        if alone and any(s_ == id(s) for s_, _, _ in self.privates):
            return False
        counted = [i.items[0] if i.is_group("slice") else i for i in place.items]
        unsure = [i for i in counted if i.is_scalar and not (i.low is not None and i.low >= 0)]
        word = _ATOMIC.get(type(s.op))
        t = place.array.type
        possible = element and word is not None and not t.complex and t.elem != "bool" and val.is_scalar and (
            not val.type.complex) and (is_float(t.elem) or not is_float(val.type.elem)) and (
                word in ("add", "sub") or not is_float(t.elem))
        if alone and (not unsure or self.sure_axes_suffice(loops, place.array.var, counted, unsure) or self.tested_in_front(
                s, loops, counted, unsure)):
            return False
        if alone and not possible:
            for i in unsure:  # a negative subscript and a positive one may refer to the same element
                i = self.once(i, s)
                self.guard(s, n.binary("lt", Scalar("bool"), i.code, n.const(0, i.type)), ValueError,
                           "a parallel loop updates an element with a negative subscript")
            return False
        if self.signs_tested:
            self.unproven.add(id(s))
        if possible and np.dtype(t.elem).itemsize < 4:
            self.refuse(s, f"two iterations may change the same element of {t!r} here, and there are no atomic updates of so few bits",
                        "use an array of np.int32 or np.int64, or range for this loop")
        if not possible:
            self.refuse(s, "two iterations may change the same element here, and one of the changes could be lost",
                        "use the loop variable as a subscript, += or -= on single elements, or range for this loop")
        self.stored_to(place.array.var, s)
        code = n.xchange(word, place.array.var, t.element(), place.texts, self.cast(val, t.elem))
        self.emit(f"(exprstmt{self.loc(s)} {code})")
        return True

    def sure_axes_suffice(self, loops, var, items, unsure):
        """Whether subscripts that are not negative prove enough. Then they are the proof, also of the array's other updates."""
        group = self.updates[id(loops[0]) if loops else None, self.root(var)]
        sure = {p for p in group[1] if p[1] < len(items) and items[p[1]] not in unsure}
        if not self.scope(loops).proven(sure):
            return False
        group[1] = sure
        return True

    def tested_in_front(self, s, loops, items, unsure):
        """Whether the signs of the subscripts `unsure`, of unknown sign, can be tested in front of the outermost loop: notes the tests for it."""
        scope = self.scope(loops)
        found = scope.target(s.target)
        if not self.signs_tested or not loops or self.context is not None or found is None or len(found[1]) != len(items):
            return False
        inside = {x.id: x for x in all_nodes(loops[0]) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)}
        least = [scope.least(node) for node, item in zip(found[1], items) if item in unsure]
        if any(p is None or p.value() is not None and p.value() < 0 for p in least):
            return False
        tests = [self.integer(p, inside) for p in least if p.value() is None]
        if None in tests:
            return False
        self.tests_in_front.setdefault(id(loops[0]), {}).update(dict.fromkeys(tests))
        return True

    def integer(self, p, nodes):
        """A Polynomial of integer variables as an int64 expression; None if it has other names. `nodes`: name -> a node that reads it."""
        total = n.ZERO
        for names, c in p.terms.items():
            product = n.const(c, INT)
            for name in names:
                node = nodes.get(name)
                if node is None or id(node) in self.names.unbound or name in self.names.changed or any(name in scope for scope in self.scopes):
                    return None
                val = self.expr(node)
                if not is_known_int(val.type):
                    return None
                product = n.binary("mult", INT64, product, self.cast(val, "int64"))
            total = n.binary("plus", INT64, total, product)
        return total

    def context_of(self, f, values, node, source):
        """The Context of a call in a parallel loop, and for each array that is passed (position, variable, its node)."""
        loops = self.shared_by()
        if loops is None:
            return None, []
        scope, written = self.scope(loops), {}
        names = parameters(source.tree)
        if isinstance(node, ast.Call) and source.tree.args.vararg is None and not any(isinstance(a, ast.Starred) for a in node.args) and len(node.args) + len(
                node.keywords) <= len(names) and self.calls_directly(node, f):
            written = dict(zip(names, node.args))
            written.update((k.arg, k.value) for k in node.keywords)
        variables, varying, private, arrays = {}, set(), set(), []
        for k, (name, val) in enumerate(zip(names, values)):
            if val.is_const:
                continue
            for a in self.arrays_in(val):
                arrays.append((k, a.var, written.get(name) if val.is_array else None))
            if self.arrays_in(val):
                if all(self.is_private(a.var, loops) for a in self.arrays_in(val)):
                    private.add(k)
                elif written.get(name) is None or id(node) in self.unproven:
                    varying.add(name)
                elif scope.proven(scope.of_target(written[name])):
                    private.add(k)
                elif scope.target(written[name]) is None or scope.target(written[name])[1] or scope.target(written[name])[
                        0] in scope.varying:
                    varying.add(name)
                continue
            p = scope.polynomial(written[name]) if name in written else Polynomial.name("?")
            if id(node) not in self.unproven and p.names() and all(w[0] == "#" for w in p.names()):
                variables[name] = p
            elif any(w[0] in "#?~" for w in p.names()):
                varying.add(name)
        return Context(scope.count, variables, varying, private), arrays

    def calls_directly(self, node, f):
        """Whether the call expression passes its arguments directly to the Python function f."""
        try:
            o = self.lookup_path(node.func)
        except Exception:
            return False
        return o is f or getattr(getattr(o, "_impl", None), "function", None) is f

    def call_updates(self, callee, arrays, node):
        """Records what a call in a parallel loop updates as updates of this function."""
        loops = self.shared_by()
        for k, var, written in arrays:
            if k in callee.updated:
                self.update_is_alone(node, written, var, loops)
        for k in callee.updated:
            if isinstance(k, tuple):
                self.update_is_alone(node, None, self.symbol(k, (), self.needs[k[1]][2]), loops)
