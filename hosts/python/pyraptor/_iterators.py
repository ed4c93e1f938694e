"""`iter` and `next`. A variable that holds iter(x), and that is used by `next` and `for` only, is replaced by two variables: x, and the number of
items taken so far. All other uses of an iterator's name are refused elsewhere."""
from __future__ import annotations

import ast
import copy

from ._closures import walk
from ._trees import all_nodes, children



def next_item(items, at):
    """The compiled form of `next(it)`: the item at position at - 1."""
    raise TypeError("known to the compiler only")


def is_more(items, at):
    """Whether an item at this position exists."""
    raise TypeError("known to the compiler only")


def source(items):
    """The iterable as a value that has a length and whose items can be accessed by index."""
    raise TypeError("known to the compiler only")


def _is_call(x, name):
    return isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and x.func.id == name and not x.keywords and not any(
        isinstance(a, ast.Starred) for a in x.args)


def _names(tree):
    """The names that are only assigned `iter(x)` and only used as iterators."""
    made, other = set(), set()
    allowed = set()
    for x in walk(tree):
        if isinstance(x, ast.Assign) and len(x.targets) == 1 and isinstance(x.targets[0], ast.Name) and _is_call(x.value, "iter") and len(x.value.args) == 1:
            made.add(x.targets[0].id)
            allowed.add(id(x.targets[0]))
        elif _is_call(x, "next") and 1 <= len(x.args) <= 2 and isinstance(x.args[0], ast.Name):
            allowed.add(id(x.args[0]))
        elif isinstance(x, ast.For) and isinstance(x.iter, ast.Name):
            allowed.add(id(x.iter))
    parameters = {a.arg for a in all_nodes(tree) if isinstance(a, ast.arg)}
    for x in all_nodes(tree):  # including inner functions, which may not use them
        if isinstance(x, ast.Name) and id(x) not in allowed:
            other.add(x.id)
    return made - other - parameters


class _Rewritten(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def at(self, name, context=ast.Load):
        return ast.Name(f"{name}.at", context())

    def items(self, name, context=ast.Load):
        return ast.Name(f"{name}.items", context())

    def more(self, name):
        return ast.Call(ast.Constant(is_more), [self.items(name), self.at(name)], [])

    def taken(self, name):
        one = ast.NamedExpr(self.at(name, ast.Store), ast.BinOp(self.at(name), ast.Add(), ast.Constant(1)))
        return ast.Call(ast.Constant(next_item), [self.items(name), one], [])

    def visit_Assign(self, s):
        self.generic_visit(s)
        if not (len(s.targets) == 1 and isinstance(s.targets[0], ast.Name) and s.targets[0].id in self.names):
            return s
        name = s.targets[0].id
        what = ast.Call(ast.Constant(source), [s.value.args[0]], [])
        return [ast.Assign([self.items(name, ast.Store)], what), ast.Assign([self.at(name, ast.Store)], ast.Constant(0))]

    def visit_Call(self, x):
        self.generic_visit(x)
        if not (_is_call(x, "next") and isinstance(x.args[0], ast.Name) and x.args[0].id in self.names):
            return x
        name = x.args[0].id
        return ast.IfExp(self.more(name), self.taken(name), x.args[1]) if len(x.args) > 1 else self.taken(name)

    def visit_For(self, s):
        if not (isinstance(s.iter, ast.Name) and s.iter.id in self.names):
            return self.generic_visit(s)
        name = s.iter.id
        self.generic_visit(s)
        first = ast.Assign([s.target], self.taken(name))
        return ast.While(self.more(name), [first, *s.body], s.orelse)


def with_iterators(tree, lookup):
    """The function's tree, with named iterators replaced."""
    for name, real in (("iter", iter), ("next", next)):
        try:
            if lookup(name) is not real:
                return tree
        except NameError:
            return tree
    names = _names(tree)
    if not names:
        return tree
    made = _Rewritten(names).visit(copy.deepcopy(tree))
    place(made, made)
    return made


def place(x, near):
    """Gives generated nodes the source location of a node near them."""
    for child in children(x):
        if isinstance(child, (ast.stmt, ast.expr)) and not hasattr(child, "lineno"):
            ast.copy_location(child, near)
        place(child, child if hasattr(child, "lineno") else near)
