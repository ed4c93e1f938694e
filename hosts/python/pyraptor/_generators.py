"""Generator functions. A `for` over a call of a generator function becomes the generator's statements, with the loop's body in place of each `yield`.
The two are thus interleaved as in Python. If all items are taken at once (list, sum, comprehensions), the generator becomes a function that returns
the list of its items. This is refused if the program could observe that Python computes the items later."""
from __future__ import annotations

import ast
import copy
import functools
import inspect
import types

from ._closures import own_names, parameters, walk
from ._trees import all_nodes
from ._value import group

_LOOPS = (ast.For, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: Statements inside of which a `yield` is not supported, because they cannot be left in the middle or contain names of another scope.
_NOT_INSIDE = (ast.Try, ast.With, ast.Global, ast.Nonlocal, ast.AsyncFor, ast.Await, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
#: Maximum number of `yield`s of a generator: each is replaced by a copy of the loop's body.
MOST_YIELDS = 4
#: Maximum nesting of generators that loop over generators.
MOST_DEPTH = 4
_ALONE = "loop over the call itself: for x in f(...)"


def is_generator(f):
    return isinstance(f, types.FunctionType) and bool(f.__code__.co_flags & inspect.CO_GENERATOR)


def _name(text, ctx=ast.Load):
    return ast.Name(text, ctx())


def _assign(text, value):
    return ast.Assign([_name(text, ast.Store)], value)


def _own(statements):
    """The statements in these, without those of inner loops."""
    for s in statements:
        yield s
        parts = ("orelse",) if isinstance(s, _LOOPS) else ("body", "orelse", "handlers", "finalbody", "cases")
        if not isinstance(s, _SCOPES):
            for part in parts:
                yield from _own(getattr(s, part, []))


def _jumps(statements, kind):
    return any(isinstance(s, kind) for s in _own(statements))


class _Replaced(ast.NodeTransformer):
    """Replaces `break` and `continue` of a loop's body, but not those of inner loops."""

    def __init__(self, on_break, on_continue):
        self.on_break, self.on_continue = on_break, on_continue

    def visit_Break(self, s):
        return [ast.copy_location(x, s) for x in self.on_break()]

    def visit_Continue(self, s):
        return [ast.copy_location(x, s) for x in self.on_continue()]

    def _loop(self, s):
        s.orelse = [x for part in s.orelse for x in _listed(self.visit(part))]
        return s

    visit_For = visit_While = _loop

    def _scope(self, s):
        return s

    visit_FunctionDef = visit_Lambda = _scope


def _listed(x):
    return x if isinstance(x, list) else [x]


class _Renamed(ast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Name(self, x):
        return ast.copy_location(ast.Name(self.names.get(x.id, x.id), x.ctx), x)


class _YieldFrom(ast.NodeTransformer):
    """Rewrites `yield from x` to a loop."""

    def __init__(self):
        self.count = 0

    def visit_Expr(self, s):
        if not isinstance(s.value, ast.YieldFrom):
            return s
        self.count += 1
        item = f"item.{self.count}"
        return ast.For(_name(item, ast.Store), s.value.value, [ast.Expr(ast.Yield(_name(item)))], [])


def _yields(tree):
    """Whether a function is a generator function."""
    return any(isinstance(x, (ast.Yield, ast.YieldFrom)) for x in walk(tree))


def _count(body):
    return sum(isinstance(x, ast.Yield) for b in body for x in all_nodes(b))


def _placed(tree):
    """Gives generated nodes a source location."""
    for x in all_nodes(tree):
        if isinstance(x, (ast.stmt, ast.expr)) and not hasattr(x, "lineno"):
            ast.copy_location(x, tree)


def _plain(tree):
    """The generator's body, if all its `yield`s are expression statements; None otherwise."""
    body = [_YieldFrom().visit(copy.deepcopy(s)) for s in tree.body]
    statements = [s for b in body for s in all_nodes(b)]
    allowed = {id(s.value) for s in statements if isinstance(s, ast.Expr) and isinstance(s.value, ast.Yield) and s.value.value is not None}
    if any(isinstance(s, (ast.Yield, ast.YieldFrom)) and id(s) not in allowed or isinstance(s, _NOT_INSIDE) for s in statements):
        return None
    if any(isinstance(s, ast.Return) and s.value is not None for s in statements):
        return None
    return body


# ---- loops over a generator
def called(source, x):
    """The generator function that the expression calls, or None."""
    if not isinstance(x, ast.Call) or any(isinstance(a, ast.Starred) for a in x.args) or any(k.arg is None for k in x.keywords):
        return None
    try:
        f = _found(source, x.func)
    except (NameError, AttributeError):
        return None
    f = getattr(f, "_impl", None).function if hasattr(f, "_impl") and hasattr(f._impl, "function") else f
    return f if is_generator(f) else None


def _found(source, x):
    if isinstance(x, ast.Name):
        if x.id in source.own_names:
            raise NameError(x.id)
        return source.lookup(x.id)
    if isinstance(x, ast.Attribute):
        return getattr(_found(source, x.value), x.attr)
    raise NameError


class Inlined(ast.NodeTransformer):
    """Inlines generators into the loops over their calls. `source`: the Source of the function."""

    def __init__(self, source, depth=0):
        self.source, self.count, self.depth = source, 0, depth
        #: The generators defined inside of the function, by name, if nothing else is assigned to the name.
        self.inner = {x.name: x for x in walk(source.tree) if isinstance(x, ast.FunctionDef) and x is not source.tree and _yields(x) and not x.decorator_list}
        stores = [x.id for x in all_nodes(source.tree) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)]
        stores += [x.name for x in all_nodes(source.tree) if isinstance(x, ast.FunctionDef)] + parameters(source.tree)
        self.inner = {name: x for name, x in self.inner.items() if stores.count(name) == 1}

    def whole(self):
        tree = self.visit(self.source.tree)
        for name, x in self.inner.items():
            self.of_list(tree, name, x)
        return tree

    def of_list(self, tree, name, definition):
        """If an inner generator is called outside of `for` loops, makes it a function that returns a list."""
        calls = [x for x in all_nodes(tree) if isinstance(x, ast.Call) and isinstance(x.func, ast.Name) and x.func.id == name]
        uses = [x for x in all_nodes(tree) if isinstance(x, ast.Name) and x.id == name and isinstance(x.ctx, ast.Load)]
        if not uses:
            definition.body, definition.args.defaults, definition.args.kw_defaults = [ast.copy_location(ast.Pass(), definition)], [], []
            definition.args = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
            return
        body = _plain(definition)
        if len(calls) != len(uses) or body is None:
            return  # refused where it is translated
        why = later(body, self.source.lookup)
        for x in walk(tree):
            if isinstance(x, ast.For) and any(c is y for y in all_nodes(x.iter) for c in calls):
                self.source.refuse(x.iter, f"this form of a loop over the generator '{name}' is not compiled", _ALONE)
        if why is not None:
            self.source.refuse(calls[0], f"the generator '{name}' {why}, but all its items are computed at once here", _ALONE)
        definition.body = with_list(body)
        _placed(definition)
        self.source.known[".iterator"] = as_iterator

        class Wrapped(ast.NodeTransformer):
            def visit_Call(self, x):
                self.generic_visit(x)
                mine = isinstance(x.func, ast.Name) and x.func.id == name
                return ast.copy_location(ast.Call(ast.copy_location(_name(".iterator"), x), [x], []), x) if mine else x

        Wrapped().visit(tree)

    def visit_Lambda(self, x):
        return x

    def visit_FunctionDef(self, x):
        return self.generic_visit(x) if x is self.source.tree else x

    def visit_For(self, s):
        self.generic_visit(s)
        if isinstance(s.iter, ast.Call) and isinstance(s.iter.func, ast.Name) and s.iter.func.id in self.inner:
            return self.inlined_here(s, self.inner[s.iter.func.id]) or s
        f = called(self.source, s.iter)
        return s if f is None else self.inlined(s, f) or s

    def inlined_here(self, s, definition):
        """Inlines a generator that is defined in this function, whose variables it may use."""
        body, a = _plain(definition), definition.args
        if body is None or a.vararg or a.kwarg or a.defaults or a.kw_defaults or s.iter.keywords or any(isinstance(x, ast.Starred) for x in s.iter.args) or len(
                s.iter.args) != len(parameters(definition)) or _count(body) > MOST_YIELDS:
            return None
        self.count += 1
        names = {name: f"{name}.of {definition.name} {self.count}" for name in own_names(definition)}
        names |= {x.id: f"{x.id} of {self.count}" for b in body for x in all_nodes(b) if isinstance(x, ast.Name) and x.id.startswith("item.")}
        head = [_assign(names[p], value) for p, value in zip(parameters(definition), s.iter.args)]
        return self.placed(s, [*head, *self.woven(s, [_Renamed(names).visit(b) for b in body])])

    def inlined(self, s, f):
        from ._source import Source
        source = Source(f)
        body = _plain(source.tree)
        if body is None or self.depth == MOST_DEPTH:
            return None
        inner = Inlined(source, self.depth + 1)
        body = [x for b in body for x in _listed(inner.visit(b))]
        try:
            bound = inspect.signature(f).bind(*s.iter.args, **{k.arg: k.value for k in s.iter.keywords})
        except TypeError:
            return None
        if _count(body) > MOST_YIELDS or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in inspect.signature(f).parameters.values()):
            return None
        self.count += 1
        stored = {x.id for b in body for x in all_nodes(b) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        names = {name: f"{name}.of {f.__name__} {self.count}" for name in source.own_names | stored}
        for x in (x for b in body for x in all_nodes(b) if isinstance(x, ast.Name) and x.id not in names):
            try:
                self.source.known[f"{x.id}.at {f.__name__} {self.count}"] = source.lookup(x.id)
            except NameError:
                return None
            names[x.id] = f"{x.id}.at {f.__name__} {self.count}"
        head = []
        for name, p in inspect.signature(f).parameters.items():
            if name in bound.arguments:
                value = bound.arguments[name]
            else:
                value = _name(f"default of {name}.at {f.__name__} {self.count}")
                self.source.known[value.id] = p.default
            head.append(_assign(names[name], value))
        return self.placed(s, [*head, *self.woven(s, [_Renamed(names).visit(b) for b in body])])

    def placed(self, s, made):
        """Sets the source location of the generator's statements to that of the call, since they may be in another file."""
        for x in (x for part in made for x in all_nodes(part)):
            if not hasattr(x, "lineno") or id(x) not in self.own(s):
                for attribute in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                    setattr(x, attribute, getattr(s.iter, attribute, None))
        return made

    def own(self, s):
        """The ids of the nodes that belong to the loop itself; they keep their locations. Its body is copied."""
        return {id(x) for part in [*s.iter.args, *(k.value for k in s.iter.keywords), *s.orelse] for x in all_nodes(part)} | self.copies

    def woven(self, s, body):
        """The generator's statements with the loop's body in place of each `yield`."""
        left, done = f"left.{self.count}", f"done.{self.count}"
        breaks, continues = _jumps(s.body, ast.Break), _jumps(s.body, ast.Continue)
        returns = any(isinstance(x, ast.Return) for b in body for x in all_nodes(b))
        self.copies = set()

        def of_yield(value):
            inner = [copy.deepcopy(x) for x in s.body]
            target = copy.deepcopy(s.target)
            self.copies |= {id(x) for part in [*inner, target] for x in all_nodes(part)}
            leave = lambda: [_assign(left, ast.Constant(True)), ast.Break()]
            if continues:
                inner = [x for part in inner for x in _listed(_Replaced(leave, lambda: [ast.Break()]).visit(part))]
                inner = [ast.While(ast.Constant(True), [*inner, ast.Break()], [])] + ([_leaves(left)] if breaks else [])
            elif breaks:
                inner = [x for part in inner for x in _listed(_Replaced(leave, lambda: []).visit(part))]
            return [ast.Assign([target], value), *inner]

        def written(statements):
            out = []
            for x in statements:
                if isinstance(x, ast.Expr) and isinstance(x.value, ast.Yield):
                    out += of_yield(x.value.value)
                    continue
                if isinstance(x, ast.Return):
                    out += [_assign(done, ast.Constant(True)), ast.Break()]
                    continue
                inside = [y for y in all_nodes(x) if isinstance(y, (ast.Yield, ast.Return))]
                for part in ("body", "orelse"):
                    if getattr(x, part, None) and isinstance(x, ast.stmt):
                        setattr(x, part, written(getattr(x, part)))
                for case in getattr(x, "cases", ()):
                    case.body = written(case.body)
                out.append(x)
                if isinstance(x, _LOOPS):
                    out += [_leaves(left)] * (breaks and any(isinstance(y, ast.Yield) for y in inside))
                    out += [_leaves(done)] * any(isinstance(y, ast.Return) for y in inside)
            return out

        made = written(body)
        flags = ([_assign(left, ast.Constant(False))] if breaks else []) + ([_assign(done, ast.Constant(False))] if returns else [])
        if breaks or returns:
            made = [*flags, ast.While(ast.Constant(True), [*made, ast.Break()], [])]
        if s.orelse:
            made += [ast.If(ast.UnaryOp(ast.Not(), _name(left)), s.orelse, [])] if breaks else s.orelse
        return made


def _leaves(flag):
    return ast.If(_name(flag), [ast.Break()], [])


def with_generators(source):
    """The function's tree, with generators inlined into its loops."""
    if _yields(source.tree):
        return source.tree
    found = all_nodes(source.tree)
    if not any(isinstance(x, ast.Yield) or isinstance(x, ast.For) and called(source, x.iter) is not None for x in found):
        return source.tree
    return Inlined(source).whole()


# ---- all items at once
def with_list(body):
    items = ".items"

    class Appended(ast.NodeTransformer):
        def visit_Expr(self, s):
            if not isinstance(s.value, ast.Yield):
                return s
            call = ast.Call(ast.Attribute(_name(items), "append", ast.Load()), [s.value.value], [])
            return ast.copy_location(ast.Expr(call), s)

        def visit_Return(self, s):
            return ast.copy_location(ast.Return(_name(items)), s)

    return [_assign(items, ast.List([], ast.Load())), *(Appended().visit(s) for s in body), ast.Return(_name(items))]


def later(body, lookup):
    """Why a program could observe when the items are computed, as a part of a message; None if it could not."""
    for x in (x for b in body for x in all_nodes(b)):
        if isinstance(x, ast.While) and isinstance(x.test, ast.Constant) and x.test.value and not any(
                isinstance(y, (ast.Break, ast.Return)) for y in all_nodes(x)):
            return "has no end"
        if isinstance(x, (ast.Subscript, ast.Attribute)) and isinstance(x.ctx, ast.Store):
            return "stores items"
        if isinstance(x, ast.Call):
            name = x.func.id if isinstance(x.func, ast.Name) else x.func.attr if isinstance(x.func, ast.Attribute) else ""
            if name not in _PURE or isinstance(x.func, ast.Name) and not _is_pythons(name, lookup):
                return f"calls '{name}'"
    return None


def _is_pythons(name, lookup):
    """Whether the name refers to a function of Python or NumPy."""
    try:
        o = lookup(name)
    except NameError:
        return False
    return (getattr(o, "__module__", None) or "numpy").split(".")[0] in ("builtins", "math", "cmath", "numpy")


_PURE = set("range len abs min max sum int float bool complex round enumerate zip reversed sorted list tuple divmod pow sqrt sin cos exp log floor ceil "
            "tan atan2 hypot isqrt gcd".split())


class Collected:
    """A generator function translated as a function that returns the list of its items."""

    def __init__(self, function):
        from ._source import Source
        self.function, self.__name__, self.__module__ = function, function.__name__, function.__module__
        self.__signature__ = inspect.signature(function)
        self.source = Source(function)
        body = _plain(self.source.tree)
        if body is None:
            self.source.refuse(self.source.tree, "this generator function is not compiled: 'yield' must be a separate statement outside of 'try' and 'with'",
                               "return a list")
        self.why = later(body, self.source.lookup)
        self.source.tree.body = with_list(body)
        _placed(self.source.tree)

    def __call__(self, *args):
        raise TypeError("known to the compiler only")



@functools.lru_cache(maxsize=512)
def collected(function):
    return Collected(function)


def as_iterator(items):
    """Marks calls of an inner generator in the tree."""
    raise TypeError("known to the compiler only")


def call(t, f, args, kwargs, node):
    """The items of a call, as an iterator over a list."""
    made = collected(f)
    for x in walk(t.tree):
        if isinstance(x, ast.For) and any(y is node for y in all_nodes(x.iter)):
            t.refuse(node, f"this form of a loop over the generator '{f.__name__}' is not compiled", _ALONE)
    if made.why is not None:
        t.refuse(node, f"the generator '{f.__name__}' {made.why}, but all its items are computed at once here", _ALONE)
    return group("iterator", [t.call_python(made, args, kwargs, node)])
