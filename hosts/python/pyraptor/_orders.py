"""Decides whether a result depends on the iteration order of a set. Python does not define that order, so only loops whose result does not depend on
it are compiled."""
from __future__ import annotations

import ast

from ._trees import all_nodes, children

#: Functions of all items, whose result does not depend on the items' order.
_OF_ALL = ("sum", "any", "all", "sorted", "len", "set", "frozenset", "min", "max")
_PURE = frozenset("abs min max int float bool complex round len pow divmod".split())
_MODULES = ("math", "cmath", "np", "numpy")
_COMMUTE = (ast.Add, ast.Sub, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def parents(tree):
    return {id(child): x for x in all_nodes(tree) for child in children(x)}


def _names(node, context=ast.Load):
    return {x.id for x in all_nodes(node) if isinstance(x, ast.Name) and isinstance(x.ctx, context)}


def is_pure(node):
    """Whether an expression has no side effects."""
    for x in all_nodes(node):
        if isinstance(x, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
            return False
        if isinstance(x, ast.Call):
            f = x.func
            known = isinstance(f, ast.Name) and f.id in _PURE or isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name) and f.value.id in _MODULES
            if not known or isinstance(f, ast.Attribute) and f.attr in ("copyto", "put", "place", "fill_diagonal"):
                return False
    return True


class _Body:
    """A loop's body. `collected`: names in which it accumulates numbers; `arrays`, `sets`: names of arrays and sets that it updates."""

    def __init__(self, loop, tree):
        self.loop, self.tree = loop, tree
        self.own = _names(loop.target, ast.Store)
        self.collected, self.arrays, self.sets = set(), set(), set()
        inside = {id(x) for x in all_nodes(loop)}
        self.outside = {x.id for x in all_nodes(tree) if isinstance(x, ast.Name) and id(x) not in inside}

    def reads(self, node):
        return is_pure(node) and not _names(node) & (self.collected | self.arrays | self.sets)

    def collect(self, name, where):
        where.add(name)
        return name not in self.own

    def statement(self, s):
        if isinstance(s, (ast.Pass, ast.Continue)):
            return True
        if isinstance(s, ast.AugAssign) and isinstance(s.op, _COMMUTE):
            if isinstance(s.target, ast.Name):
                # mixing `x += e` and `x *= e` makes the order matter
                return self.collect(s.target.id, self.collected) and self.one_way(s) and is_pure(s.value)
            if isinstance(s.target, ast.Subscript) and isinstance(s.target.value, ast.Name) and isinstance(s.op, (ast.Add, ast.Sub)):
                return self.collect(s.target.value.id, self.arrays) and is_pure(s.target.slice) and is_pure(s.value)
            return False
        if isinstance(s, ast.If):
            return self.extreme(s) or is_pure(s.test) and all(map(self.statement, [*s.body, *s.orelse]))
        if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and isinstance(s.value.func, ast.Attribute):
            f = s.value.func
            return f.attr in ("add", "discard") and isinstance(f.value, ast.Name) and self.collect(f.value.id, self.sets) and all(map(is_pure, s.value.args))
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            name, x = s.targets[0].id, s.value
            if isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and x.func.id in ("min", "max") and len(x.args) == 2 and not x.keywords and any(
                    isinstance(a, ast.Name) and a.id == name for a in x.args):
                other = [a for a in x.args if not (isinstance(a, ast.Name) and a.id == name)]
                return self.collect(name, self.collected) and len(other) == 1 and is_pure(other[0])
            if s in self.loop.body and name not in self.outside and name not in self.collected and is_pure(x):
                self.own.add(name)  # local to the iteration
                return True
        if isinstance(s, ast.For) and not s.orelse and is_pure_range(s.iter):
            self.own |= _names(s.target, ast.Store)
            return all(map(self.statement, s.body))
        return False

    def one_way(self, s):
        kinds = {(ast.Add if isinstance(x.op, ast.Sub) else type(x.op)) for x in all_nodes(self.loop) if isinstance(x, ast.AugAssign)
                 and isinstance(x.target, ast.Name) and x.target.id == s.target.id}
        return len(kinds) == 1

    def extreme(self, s):
        """`if e > m: m = e`"""
        t, body = s.test, s.body
        if s.orelse or len(body) != 1 or not isinstance(body[0], ast.Assign) or len(body[0].targets) != 1 or not isinstance(body[0].targets[0], ast.Name):
            return False
        name = body[0].targets[0].id
        if not (isinstance(t, ast.Compare) and len(t.ops) == 1 and isinstance(t.ops[0], (ast.Lt, ast.Gt, ast.LtE, ast.GtE))):
            return False
        sides = [t.left, t.comparators[0]]
        other = [x for x in sides if not (isinstance(x, ast.Name) and x.id == name)]
        return len(other) == 1 and ast.dump(other[0]) == ast.dump(body[0].value) and is_pure(other[0]) and self.collect(name, self.collected)

    def is_free(self):
        if self.loop.orelse or not all(map(self.statement, self.loop.body)):
            return False
        # Each accumulator may be read only by the statement that updates it.
        collected = self.collected | self.arrays | self.sets
        if collected & self.own or any(_count(self.loop, name) != _own_reads(self.loop, name) for name in collected):
            return False
        return True


def is_pure_range(x):
    return isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and x.func.id == "range" and all(map(is_pure, x.args))


def _count(loop, name):
    return sum(isinstance(x, ast.Name) and x.id == name for x in all_nodes(loop))


def _own_reads(loop, name):
    """How often the name occurs in statements that accumulate in it."""
    count = 0
    for s in all_nodes(loop):
        if isinstance(s, ast.AugAssign):
            target = s.target.value if isinstance(s.target, ast.Subscript) else s.target
            count += isinstance(target, ast.Name) and target.id == name
        elif isinstance(s, ast.Call) and isinstance(s.func, ast.Attribute) and isinstance(s.func.value, ast.Name) and s.func.value.id == name:
            count += 1
        elif isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and s.targets[0].id == name:
            count += 2  # also in the comparison, or as the argument of min and max
    return count


def free_loop(loop, tree):
    """The _Body of a `for` whose result does not depend on the order of its iterations; else None."""
    body = _Body(loop, tree)
    return body if body.is_free() else None


def free_use(node, tree):
    """Whether the result of an expression that consumes all items does not depend on their order."""
    around = parents(tree)
    if isinstance(node, _COMPREHENSIONS):
        if not all(map(is_pure, [x for x in (getattr(node, f, None) for f in ("elt", "key", "value")) if x is not None] +
                       [test for g in node.generators for test in g.ifs])):
            return False
        if isinstance(node, ast.SetComp):
            return True
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _OF_ALL:  # applied to a generator expression
            inner = node.args[0] if node.args else None
            return not node.keywords and isinstance(inner, (ast.GeneratorExp, ast.ListComp)) and is_pure(inner.elt) and all(
                is_pure(test) for g in inner.generators for test in g.ifs)
        if not (isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple")):
            return False
    else:
        return False
    p = around.get(id(node))
    return isinstance(p, ast.Call) and isinstance(p.func, ast.Name) and p.func.id in _OF_ALL and p.args[:1] == [node] and not p.keywords
