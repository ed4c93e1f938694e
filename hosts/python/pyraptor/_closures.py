"""Lambdas and inner functions. They are translated to separate functions. Each call passes the captured variables of the enclosing function as
additional arguments, so they are read when the inner function runs, as in Python. The values of `nonlocal` variables that an inner function assigns
are returned together with its result, and the call assigns them."""
from __future__ import annotations

import ast
import copy
import inspect

from . import _nodes as n
from ._trees import all_nodes
from ._types import Const, Scalar
from ._value import Val, constant

_BOOL = Scalar("bool")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def walk(node):
    """The nodes of a function, without those inside of its lambdas and inner functions. Their default values are included."""
    return all_nodes(node, _SCOPES, lambda x: [*x.args.defaults, *(d for d in x.args.kw_defaults if d is not None), *getattr(x, "decorator_list", ())])


def parameter_nodes(node):
    """The parameters of a function in the order of its signature. *args counts as one parameter, a tuple."""
    a = node.args
    return [*a.posonlyargs, *a.args, *([a.vararg] if a.vararg else ()), *a.kwonlyargs]


def parameters(node):
    return [p.arg for p in parameter_nodes(node)]


def definition_of(function):
    """The part of an inner function's description that does not change between rounds of type inference."""
    return getattr(function, "node", function)


def own_names(node):
    """The names of the local variables of a function or lambda."""
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    found, around = set(parameters(node)), set()
    for part in body:
        for x in walk(part) if not isinstance(part, _SCOPES) else [part]:
            if isinstance(x, ast.Name):
                if not isinstance(x.ctx, ast.Load):
                    found.add(x.id)
            elif isinstance(x, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.add(x.name)
            elif isinstance(x, ast.Nonlocal):
                around.update(x.names)
            elif (isinstance(x, ast.ExceptHandler) or type(x).__name__ in ("MatchAs", "MatchStar")) and x.name:
                found.add(x.name)
            elif isinstance(x, (ast.Import, ast.ImportFrom)):
                found |= {a.asname or a.name.split(".")[0] for a in x.names}
    return found - around


def nonlocals(node):
    """The names that a function declares as `nonlocal`."""
    return {name for x in walk(node) if isinstance(x, ast.Nonlocal) for name in x.names} if isinstance(node, ast.FunctionDef) else set()


def written(node):
    """The names of variables of enclosing functions that this function, or a function inside of it, may assign."""
    inside = set().union(*[written(x) for x in inner_functions(node)])
    return nonlocals(node) | inside - own_names(node)


def free_names(node):
    """The names of enclosing functions' variables, or globals, that a lambda or inner function reads."""
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    found = set()
    for part in body:
        for x in walk(part) if not isinstance(part, _SCOPES) else [part, *list(walk(ast.Tuple(part.args.defaults, ast.Load())))]:
            if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load):
                found.add(x.id)
            elif isinstance(x, _SCOPES):
                found |= free_names(x)
    return (found | nonlocals(node)) - own_names(node)


def inner_functions(tree):
    """The lambdas and inner functions directly inside of a function, without those nested deeper."""
    return [x for x in walk(tree) if isinstance(x, _SCOPES) and x is not tree]


def captured(tree, own):
    """For each inner function (by node): the sorted names of the function's variables that it reads, also through calls of other inner functions."""
    inner = inner_functions(tree)
    return _through_calls(tree, own, {id(x): free_names(x) & own for x in inner}) if inner else {}


def assigned_inside(tree, own):
    """For each inner function (by node): the sorted names of the function's variables that it may assign, also through calls of other inner
    functions."""
    inner = inner_functions(tree)
    return _through_calls(tree, own, {id(x): written(x) & own for x in inner}, {id(x): free_names(x) for x in inner}) if inner else {}


def _through_calls(tree, own, nodes, free=None):
    """For each inner function (by node): its names, and those of the inner functions that it calls. `free`: for each node, the names that it
    reads."""
    named = {x.name: nodes[id(x)] for x in inner_functions(tree) if isinstance(x, ast.FunctionDef)}
    for x in walk(tree):
        if isinstance(x, ast.Assign) and isinstance(x.value, ast.Lambda):
            for t in x.targets:
                if isinstance(t, ast.Name):
                    named[t.id] = named.get(t.id, set()) | nodes[id(x.value)]
    changed = True
    while changed:
        changed = False
        for node, found in nodes.items():
            more = set().union(*[named[k] for k in (found if free is None else free[node]) if k in named]) - found
            found |= more
            changed = changed or bool(more)
    return {k: sorted(v) for k, v in nodes.items()}


class Closure:
    """An inner function as a value. `node`: its syntax tree; also the Function that encloses it, and the names that it captures. `writes`: the
    captured names that it may assign, whose values its translation returns after the result. `source` is used like a _source.Source."""

    def __init__(self, owner, node, names, writes=()):
        self.owner, self.node, self.names, self.writes = owner, node, names, writes
        self.__name__ = getattr(node, "name", "lambda_")
        self.__module__ = owner.source.function.__module__
        given = parameters(node)
        body = [ast.copy_location(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else node.body
        if writes:
            body = _with_results(body, writes, node)
        arguments = ast.arguments(posonlyargs=[], args=[ast.copy_location(ast.arg(name), node) for name in [*given, *names]], vararg=None,
                                  kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
        tree = ast.copy_location(ast.FunctionDef(self.__name__, arguments, body, [], None), node)
        self.source = InnerSource(owner.source, tree, self)
        kinds = inspect.Parameter
        a, spec = node.args, []
        defaults = dict(zip([p.arg for p in (*a.posonlyargs, *a.args)][::-1], a.defaults[::-1]))
        defaults.update((p.arg, d) for p, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None)
        self.defaults = defaults
        for group_, kind in ((a.posonlyargs, kinds.POSITIONAL_ONLY), (a.args, kinds.POSITIONAL_OR_KEYWORD),
                             ([a.vararg] if a.vararg else [], kinds.VAR_POSITIONAL), (a.kwonlyargs, kinds.KEYWORD_ONLY)):
            spec += [kinds(p.arg, kind, default=p.arg if p.arg in defaults else kinds.empty) for p in group_]
        self.__signature__ = inspect.Signature(spec)

    def __call__(self, *args):
        raise TypeError("known to the compiler only")

    def __repr__(self):
        return f"the function '{self.__name__}'"

    def default_key(self, name):
        return f"default of {name} at {self.node.lineno}.{self.node.col_offset}"


class _Returns(ast.NodeTransformer):
    """Rewrites `return x` to `return x, (a, b)`, where a and b are the captured variables that the function assigns."""

    def __init__(self, writes):
        self.writes = writes

    def result(self, s, value):
        names = ast.Tuple([ast.Name(name, ast.Load()) for name in self.writes], ast.Load())
        made = ast.copy_location(ast.Return(ast.Tuple([value if value is not None else ast.Constant(None), names], ast.Load())), s)
        for x in all_nodes(made):
            if isinstance(x, ast.expr) and not hasattr(x, "lineno"):
                ast.copy_location(x, s)
        return made

    def visit_Return(self, s):
        return self.result(s, s.value)

    def visit_Nonlocal(self, s):
        return ast.copy_location(ast.Pass(), s)

    def visit_FunctionDef(self, s):
        return s

    visit_Lambda = visit_FunctionDef


def _with_results(body, writes, node):
    made = _Returns(writes)
    return [*(made.visit(copy.deepcopy(s)) for s in body), made.result(body[-1], None)]


class InnerSource:
    def __init__(self, outer, tree, closure):
        self.outer, self.tree, self.function = outer, tree, closure
        self.filename, self.indent, self.annotations, self.local_annotations = outer.filename, outer.indent, {}, {}

    def refuse(self, *args):
        self.outer.refuse(*args)

    def lookup(self, name):
        return self.outer.lookup(name)

    def annotation(self, node):
        return self.outer.annotation(node)


class Closures:
    """The part of Function that creates and calls inner functions."""

    def closure(self, node):
        if id(node) not in self.closures:
            if node.args.kwarg:
                self.refuse(node, "inner functions with **kwargs are not compiled", "name the parameters")
            for x in all_nodes(node):
                if isinstance(x, ast.Global):
                    self.refuse(x, "'global' is not compiled", "return the value")
                if isinstance(x, (ast.Yield, ast.YieldFrom, ast.Await)):
                    self.refuse(x, "a generator function is not compiled", "return a list")
            self.check_comprehensions(node)
            self.closures[id(node)] = Closure(self, node, self.names.captured[id(node)], self.names.assigned_inside[id(node)])
        made = self.closures[id(node)]
        made.scoped = {name: scope[name] for scope in self.scopes for name in made.names if name in scope}
        for name, default in made.defaults.items():  # default values are evaluated once, when the function is defined
            self.store(made.default_key(name), name, self.expr(default), node)
        return constant(made)

    def check_comprehensions(self, node):
        """A comprehension's variables are local to it. Refuses inner functions in which it is unclear which variable a name refers to."""
        for name in self.names.captured[id(node)]:
            around = [c for c in all_nodes(self.tree) if isinstance(c, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp))
                      and any(isinstance(x, ast.Name) and x.id == name for g in c.generators for x in all_nodes(g.target))]
            inside = {id(x) for c in around for g in c.generators for x in all_nodes(g.target)}
            others = name in self.names.arguments or any(
                isinstance(x, ast.Name) and x.id == name and not isinstance(x.ctx, ast.Load) and id(x) not in inside for x in walk(self.tree))
            if around and (others or len(around) > 1 or id(node) not in {id(x) for x in all_nodes(around[0])}):
                self.refuse(node, f"'{name}' is read by an inner function, but a comprehension has a variable with the same name",
                            "use another name in the comprehension")

    def expr_Lambda(self, node):
        return self.closure(node)

    def stmt_FunctionDef(self, s):
        if s.decorator_list:
            self.refuse(s, "a decorated function inside of a function is not compiled", "define it outside, or remove the decorator")
        self.store(self.names.keys[id(s)], s.name, self.closure(s), s)

    def captured_values(self, f, node):
        """The current values of the variables that an inner function captures."""
        values = []
        for name in f.names:
            if f.owner is self:
                values.append(f.scoped[name] if name in f.scoped else self.captured_value(name, node))
            elif name in getattr(self.source.function, "names", ()) and self.source.function.owner is f.owner:
                values.append(self.read(self.parameter_keys[parameters(self.tree).index(name)]))
            else:
                self.refuse(node, f"'{f.__name__}' uses variables of the function around it, but is called in another function",
                            "call it where it is defined, or pass the variables as arguments")
        return values

    def captured_value(self, name, node):
        key = self.names.captured_keys[name]
        if isinstance(self.types.get(key), Const):
            return self.read(key)
        if key in self.names.flagged:
            flag = n.name(self.symbol(("bound", key), (), _BOOL), _BOOL)
            self.guard(node, n.unary("not", _BOOL, flag), NameError,
                       f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope")
        return self.read(key)

    def assign_nonlocals(self, f, val, node):
        """After a call of an inner function that assigns captured variables: assigns their new values, and returns the call's result."""
        if self.shared_by() is not None:
            self.refuse(node, f"'{f.__name__}' assigns variables of the function around it in a parallel loop", "return the values, or use range for this loop")
        result, values = val.items
        for name, new in zip(f.writes, values.items):
            if not (new.is_numeric or isinstance(new.type, Const) or new.is_group("tuple", "optional", "choice")) or self.lists_in(new):
                self.refuse(node, f"'{f.__name__}' assigns '{name}' of the function around it, which is {new.type!r}", "an inner function can assign numbers and arrays")
            self.store(self.names.captured_keys[name], name, new, node)
        return result

    def default_value(self, f, name, node):
        if f.owner is not self:
            self.refuse(node, f"the default value of '{name}' is known only where '{f.__name__}' is defined", "pass it")
        return self.read(f.default_key(name))
