"""Which updates `a[...] += x` of a parallel loop change elements that no other iteration changes.

Two iterations that update one element at once lose one of the two updates. If the subscripts prove that
iterations change different elements, an update is a plain store; otherwise it becomes atomic (VRIR's xchange), or is refused if
there is no atomic form.
A proof is an axis of the array together with a line or a block on it: a subscript `c * i + r` with an iteration variable i, a
constant c and an r that is the same in all iterations, or anything within [c * i + r, c * (i + 1) + r). All updates of one array
in a loop must have a proof in common, for each iteration variable. Sums are compared as polynomials of names, so that `i * n + j`
with j from range(n) is known to lie in the block of i.
"""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._closures import parameters
from ._trees import all_nodes
from ._types import Scalar, is_float


class Polynomial:
    """A sum of products of names with integer coefficients: {sorted names: coefficient}. What is no such sum is a name itself."""

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
        """The number that it is, or None."""
        return self.terms.get((), 0) if not self.names() else None

    def split(self, name):
        """(c, r) with the polynomial c * name + r; None where it is no such line."""
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
    """What the names inside of a parallel loop mean. `variables`: name -> Polynomial of its value, in which the word '#k' is the
    number of the iteration along the kth dimension; `varying`: names that differ from iteration to iteration otherwise;
    `values`: name -> the expression that is its only value; `ranges`: name -> extent of the `range(extent)` that it runs over;
    `views`: the same as `values` where `name += x` is no other value, as of arrays it is not; `steps`: keys of the steps of
    parallel ranges, which are not zero."""

    def __init__(self, count, variables, varying, values, ranges):
        self.count, self.variables, self.varying, self.values, self.ranges = count, variables, varying, values, ranges
        self.views, self.steps = {}, set()

    def polynomial(self, node, depth=0):
        """The expression as a polynomial; names that vary in ways that are not known are words with a '?'."""
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
        varying = any(isinstance(x, ast.Name) and (x.id in self.varying or x.id in self.variables or x.id in self.values)
                      for x in all_nodes(node)) or any(isinstance(x, (ast.Call, ast.Subscript)) and not _fixed(x)
                                                      for x in all_nodes(node))
        return Polynomial.name(f"?{text}" if varying else text)

    def line(self, p, dimension):
        """(coefficient, rest) where the value differs with the iteration's number along one dimension only."""
        found = p.split(f"#{dimension}")
        if found is None or not found[0].terms or any(w[0] in "#?" for q in found for w in q.names()):
            return None
        return found

    def proofs(self, axis, item):
        """What a subscript proves: (dimension, axis, 'line' or 'block', coefficient, rest)."""
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
                    out.add((d, axis, "block", found[0].key(), found[1].key()))
            found = self.line(p, d)
            if found is None:
                continue
            c, r = found[0].value(), found[1].value()
            if c is not None or found[0].key() in self.steps:
                out.add((d, axis, "line", found[0].key(), found[1].key()))
            if c is not None:
                if r is not None and c > 1:
                    out.add((d, axis, "block", found[0].key(), Polynomial.constant(r - r % c).key()))
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
                return {(d, axis, "block", low[0].key(), low[1].key())}
        return set()

    def target(self, node):
        """(name of the array, subscripts) of `name[...]...[...]`, with views that have a name of their own written out; None."""
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
            if any(isinstance(i, ast.Constant) and not isinstance(i.value, int) for i in part):  # None, ...
                part = [None]
            flat += part
            if any(i is None or isinstance(i, ast.Slice) for i in part):
                break  # what is behind it counts along axes that are not told here
        return node.id, flat

    def of_target(self, node):
        """All proofs of an update's target, as a set; the empty set where there is none."""
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
        """Whether the proofs tell iterations apart along every dimension."""
        return {p[0] for p in proofs} == set(range(self.count))


def _fixed(node):
    """A call or subscript that gives the same in all iterations if its names do: len(x), x.shape[k]."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("len", "min", "max", "int", "abs")
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def scope_of(loops, tree, context):
    """The Scope inside of parallel loops, outermost first; of the whole function `tree` where its callers' loops count too."""
    known = (context.count, context.variables, context.varying) if context is not None else None
    count, variables, varying = known or (0, {}, set())
    variables, varying = dict(variables), set(varying)
    stored, updated, values, ranges = {}, {}, {}, {}
    for s in all_nodes(tree if context is not None else loops[0]):
        if isinstance(s, ast.Name) and isinstance(s.ctx, ast.Store):
            stored[s.id] = stored.get(s.id, 0) + 1
        if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name):
            updated[s.target.id] = updated.get(s.target.id, 0) + 1
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            values[s.targets[0].id] = s.value
        if isinstance(s, ast.For) and isinstance(s.target, ast.Name) and isinstance(s.iter, ast.Call) and len(
                s.iter.args) == 1 and isinstance(s.iter.func, ast.Name) and s.iter.func.id == "range":
            ranges[s.target.id] = s.iter.args[0]
    once = {name for name, k in stored.items() if k == 1}
    views = {name: v for name, v in values.items() if stored[name] - updated.get(name, 0) == 1}
    values = {name: v for name, v in values.items() if name in once}
    varying |= set(stored)
    scope = Scope(0, variables, varying, values, {name: e for name, e in ranges.items() if name in once})
    scope.views = views
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
            if not isinstance(target, ast.Name) or target.id not in once:
                continue
            args = domain.args if isinstance(domain, ast.Call) else [domain]
            start = scope.polynomial(args[0]) if len(args) > 1 else Polynomial.constant(0)
            step = scope.polynomial(args[2]) if len(args) > 2 else Polynomial.constant(1)
            if any(w[0] == "?" for w in (start + step).names()):
                continue
            scope.variables[target.id] = start + step * number
            scope.steps.add(step.key())
        count += max(len(targets) - len(domains), 0)
    scope.count = count
    scope.varying -= set(scope.variables)
    return scope


class Context:
    """What a function that is called from inside of a parallel loop knows of the iterations. `count` dimensions; `variables`:
    parameter -> Polynomial; `varying`: parameters that differ otherwise; `private`: positions of the arguments that no other
    iteration sees. Compares by value."""

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
    """The part of Function that decides about updates. `unproven` (kept over rounds): ids of the nodes whose proofs do not do;
    `updates`: (outermost loop, root of the array) -> [name, proofs, ids of nodes] of this round; `updated`: positions of
    arguments that a call from inside of a parallel loop updates."""

    def shared_by(self):
        """The parallel loops around, outermost first; None where nothing runs in parallel."""
        loops = [s for s, _, parallel in self.loops if parallel]
        return loops if loops or self.context is not None else None

    def scope(self, loops):
        key = tuple(map(id, loops))
        if key not in self.scopes_of:
            self.scopes_of[key] = scope_of(loops, self.tree, self.context)
        return self.scopes_of[key]

    def is_private(self, var, loops):
        """Whether the array is one that an iteration has made for itself."""
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
        """Whether no other iteration changes the elements that the update (or call) `node` changes: `target` of the array `var`."""
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
        """Arrays that were taken for an iteration's own may have turned out to be others' too."""
        for node, var, loops in self.privates:
            if not self.is_private(var, loops):
                self.unproven.add(node)

    def update(self, s, place, old, val):
        """`place op= val` inside of a parallel loop, without losing what other iterations do. Whether it was done here."""
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
        if alone and not (unsure and possible):
            for i in unsure:  # counted from the end two subscripts may be one
                i = self.once(i, s)
                self.guard(s, n.binary("lt", Scalar("bool"), i.code, n.const(0, i.type)), ValueError,
                           "a parallel loop changes an element in place whose subscript is negative")
            return False
        self.unproven.add(id(s))
        if possible and np.dtype(t.elem).itemsize < 4:
            self.refuse(s, f"two iterations may change the same element of {t!r} here, and machines have no update of so few bits that loses "
                        "no change", "count in an array of np.int32 or np.int64, or range for this loop")
        if not possible:
            self.refuse(s, "two iterations may change the same element here, and a change would be lost",
                        "make the loop's variable a subscript, use += or -= of single elements, or range for this loop")
        self.stored_to(place.array.var, s)
        code = n.xchange(word, place.array.var, t.element(), place.texts, self.cast(val, t.elem))
        self.emit(f"(exprstmt{self.loc(s)} {code})")
        return True

    def context_of(self, f, values, node, source):
        """The Context of a call inside of a parallel loop, and for each array that is passed (position, variable, its node)."""
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
            elif any(w[0] in "#?" for w in p.names()):
                varying.add(name)
        return Context(scope.count, variables, varying, private), arrays

    def calls_directly(self, node, f):
        """Whether the call's arguments are those of the Python function f."""
        try:
            o = self.lookup_path(node.func)
        except Exception:
            return False
        return o is f or getattr(getattr(o, "_impl", None), "function", None) is f

    def call_updates(self, callee, arrays, node):
        """What a call inside of a parallel loop updates, as the updates of this function."""
        loops = self.shared_by()
        for k, var, written in arrays:
            if k in callee.updated:
                self.update_is_alone(node, written, var, loops)
        for k in callee.updated:
            if isinstance(k, tuple):
                self.update_is_alone(node, None, self.symbol(k, (), self.needs[k[1]][2]), loops)
