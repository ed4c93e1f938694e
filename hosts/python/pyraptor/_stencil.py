"""@stencil: computes an array from a function of each element's neighbourhood.

The kernel's subscripts are relative to the current element: `a[0, 1]` is its right neighbour. Two functions are translated. The first is the kernel,
with the element's position as first parameters, which are added to the relative subscripts (class Relative, applied by Source). The second is
generated from text: the loop over all positions whose neighbours are inside of the array. Calls from Python also use a compiled function.
"""
from __future__ import annotations

import ast
import copy
import functools
import inspect
import operator
import sys
import types

import numpy as np

from ._jit import jit
from ._types import INT, Scalar, numpy_dtype

_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.USub: operator.neg,
              ast.UAdd: operator.pos}
_SMALLER = "Secondary stencil array has some dimension smaller the same dimension in the first stencil input."


def within(offset, low, high):
    """An offset computed at run time; raises IndexError if it is outside of the neighbourhood."""
    if offset < low or offset > high:
        raise IndexError("a subscript of the stencil is outside of its neighborhood")
    return offset


class Relative:
    """Transforms a kernel's tree: the position becomes parameters, to which the subscripts of the parameters `arrays` are relative."""

    def __init__(self, rank, arrays, neighborhood, taken):
        self.rank, self.arrays, self.neighborhood = rank, arrays, neighborhood
        self.reach = None  # set by the transformation: (least, greatest) offset for each dimension
        prefix = "place"
        while any(name.startswith(prefix) for name in taken):
            prefix += "_"
        self.places = [f"{prefix}{d}" for d in range(rank)]

    def __call__(self, source):
        source.known[within.__name__] = within
        self.offsets = [[0] for _ in range(self.rank)]
        tree = _Shifted(self, source).visit(copy.deepcopy(source.tree))
        if not self.found:
            source.refuse(source.tree, "the stencil does not read its first array", "read elements of it: a[0] is the current element")
        tree.args.args[:0] = [ast.copy_location(ast.arg(name, None), source.tree) for name in self.places]
        self.reach = self.neighborhood or [(min(o), max(o)) for o in self.offsets]
        return tree

    found = False


class _Shifted(ast.NodeTransformer):
    def __init__(self, relative, source):
        self.relative, self.source = relative, source
        self.parameters = {p.arg for p in source.tree.args.args}

    def visit_Subscript(self, node):
        base = node.value.id if isinstance(node.value, ast.Name) else None
        if base in self.parameters and not isinstance(node.ctx, ast.Load):
            self.source.refuse(node, "a stencil must not store to its arguments", "return the value; the result is a new array, or out=")
        self.generic_visit(node)
        if base not in self.relative.arrays:
            return node
        self.relative.found = True
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(items) != self.relative.rank:
            self.source.refuse(node, f"a stencil's array of {self.relative.rank} dimensions has {len(items)} subscripts", f"write {self.relative.rank}")
        moved = [self.moved(item, d) for d, item in enumerate(items)]
        index = moved[0] if len(moved) == 1 else ast.copy_location(ast.Tuple(moved, ast.Load()), node)
        return ast.copy_location(ast.Subscript(node.value, index, node.ctx), node)

    def moved(self, item, d):
        """The absolute subscript of dimension d."""
        if isinstance(item, ast.Slice):
            if item.lower is None or item.upper is None or item.step is not None or self.relative.neighborhood is None:
                self.source.refuse(item, "a stencil's slice needs both ends, no step, and a neighborhood", "write a[-1:2], and neighborhood=((-1, 1), )")
            lower = self.moved(item.lower, d)
            upper = self.checked(item.upper, d, 1)
            return ast.copy_location(ast.Slice(lower, upper, None), item)
        return self.checked(item, d, 0)

    def checked(self, item, d, more):
        """Checks an offset. `more`: 1 for the end of a slice, which is one behind its last element."""
        offset, limits = self.constant(item), (self.relative.neighborhood or [None] * self.relative.rank)[d]
        if offset is None and limits is None:
            self.source.refuse(item, "a stencil's subscript that is not constant needs the option neighborhood",
                               "give its range: neighborhood=((-1, 1), )")
        if offset is None:
            low, high = (ast.copy_location(ast.Constant(k), item) for k in (limits[0], limits[1] + more))
            item = ast.copy_location(ast.Call(ast.copy_location(ast.Name(within.__name__, ast.Load()), item), [item, low, high], []), item)
        elif type(offset) is not int:
            self.source.refuse(item, f"a stencil's subscript is {offset!r}, not an int")
        elif limits is not None and not limits[0] <= offset <= limits[1] + more:
            self.source.refuse(item, f"the subscript {offset} is outside of the stencil's neighborhood, {limits[0]} to {limits[1]}")
        else:
            self.relative.offsets[d].append(offset)
            item = ast.copy_location(ast.Constant(offset), item)
        place = ast.copy_location(ast.Name(self.relative.places[d], ast.Load()), item)
        return ast.copy_location(ast.BinOp(place, ast.Add(), item), item)

    def constant(self, node):
        """The value of an expression of constants and global numbers; None for other expressions."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name) and node.id not in self.source.own_names:
            try:
                value = self.source.lookup(node.id)
            except NameError:
                return None
            return value if type(value) is int else None
        if isinstance(node, (ast.UnaryOp, ast.BinOp)) and type(node.op) in _OPERATORS:
            operands = [self.constant(x) for x in ([node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right])]
            if all(type(x) is int for x in operands):
                try:
                    return _OPERATORS[type(node.op)](*operands)
                except ZeroDivisionError:
                    return None
        return None


class Stencil:
    """The result of pyraptor.stencil. A call returns an array of the first argument's shape, or stores to `out`."""

    def __init__(self, function, cval, neighborhood, standard_indexing):
        self.function, self.cval, self.neighborhood, self.standard_indexing = function, cval, neighborhood, standard_indexing
        self.signature = inspect.signature(function)
        names = list(self.signature.parameters)
        if not names or any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in self.signature.parameters.values()):
            raise TypeError(f"stencil: {function.__name__}() needs plain parameters, of which the first is an array")
        for name in standard_indexing:
            if name not in names:
                raise ValueError(f"stencil: standard_indexing has {name!r}, which is not a parameter of {function.__name__}()")
        if names[0] in standard_indexing:
            raise ValueError(f"stencil: the first parameter, {names[0]!r}, is subscripted relative to the element, and cannot be in standard_indexing")
        self.elements, self.loops = {}, {}
        functools.update_wrapper(self, function)
        from ._vectorize import _made
        parts = ", ".join(f"p{k}" for k in range(len(names)))
        self.call = jit(_made("call", f"def call({parts}):\n    return f({parts})\n", f=self), fallback=False)
        self.call_out = jit(_made("call", f"def call({parts}, out):\n    return f({parts}, out=out)\n", f=self), fallback=False)

    def __repr__(self):
        return f"<pyraptor.stencil function {self.function.__qualname__}>"

    def __reduce__(self):
        found = sys.modules.get(self.function.__module__)
        for part in self.function.__qualname__.split("."):
            found = getattr(found, part, None)
        if found is self:
            return self.__qualname__
        return _again, (jit(self.function), self.cval, self.neighborhood, self.standard_indexing)

    def __call__(self, *args, out=None, **kwargs):
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        args = tuple(bound.arguments.values())
        if not isinstance(args[0], np.ndarray):
            raise TypeError(f"{self.function.__name__}(): the first argument of a stencil must be an array, not {type(args[0]).__name__}")
        if out is None:
            return self.call(*args)
        if not isinstance(out, np.ndarray):
            raise TypeError(f"{self.function.__name__}(): out must be an array, not {type(out).__name__}")
        self.call_out(*args, out)
        return out

    def element(self, rank, arrays):
        """The kernel as a function whose first parameters are the position."""
        if (rank, arrays) not in self.elements:
            f = self.function
            made = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
            made.__module__, made.__qualname__ = f.__module__, f.__qualname__
            relative = Relative(rank, arrays, self.neighborhood, {*f.__code__.co_varnames, *f.__code__.co_cellvars, *f.__code__.co_names, *f.__code__.co_freevars})
            at = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in relative.places]
            rest = [p.replace(annotation=p.empty, kind=p.POSITIONAL_ONLY, default=p.empty) for p in self.signature.parameters.values()]
            made.__signature__ = inspect.Signature(at + rest)
            made.relative = relative
            self.elements[rank, arrays] = made
        return self.elements[rank, arrays]

    def loop(self, element, others, count):
        """The function that fills its last parameter. `others`: positions of further parameters with relative subscripts."""
        if (element, others) not in self.loops:
            from .parallel import prange
            from ._vectorize import _made
            reach, rank = element.relative.reach, element.relative.rank
            names = [f"p{k}" for k in range(count)]
            text = f"def stencil({', '.join(names)}, out):\n"
            text += f"    if {' or '.join(f'out.shape[{d}] != p0.shape[{d}]' for d in range(rank))}:\n"
            text += "        raise ValueError('out has not the shape of the stencil\\'s first array')\n"
            for k in others:
                text += f"    if {' or '.join(f'p{k}.shape[{d}] < p0.shape[{d}]' for d in range(rank))}:\n        raise ValueError({_SMALLER!r})\n"
            for d, (low, high) in enumerate(reach):
                loop = "prange" if d == 0 else "range"
                text += f"{'    ' * (d + 1)}for i{d} in {loop}({max(0, -low)}, p0.shape[{d}] - {max(0, high)}):\n"
            at = ", ".join(f"i{d}" for d in range(rank))
            text += f"{'    ' * (rank + 1)}out[{at}] = f({at}, {', '.join(names)})\n"
            self.loops[element, others] = _made("stencil", text, f=element, prange=prange)
        return self.loops[element, others]

    # ---- calls from compiled code
    def call_compiled(self, t, args, kwargs, node):
        """Translates a call. `t` is the Function that contains it."""
        from ._value import Unknown, Val, constant, group  # not imported earlier, since `import pyraptor` does not load the front end
        name, out = self.function.__name__, kwargs.pop("out", None)
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as e:
            t.refuse(node, f"{name}(): {e}")
        args = [bound.arguments[p] if p in bound.arguments else t.value_of(q.default, node, p) for p, q in self.signature.parameters.items()]
        args = [t.keep(t.plain(a, node), node) if a.is_array else a for a in args]
        first = args[0]
        if not first.is_array:
            t.refuse(node, f"the first argument of the stencil '{name}' is {first.type!r}", "pass the array whose elements the stencil reads")
        rank = first.type.rank
        if self.neighborhood is not None and len(self.neighborhood) != rank:
            t.refuse(node, f"the stencil '{name}' has a neighborhood of {len(self.neighborhood)} dimensions, but gets an array of {rank}")
        others = []
        for k, (p, a) in enumerate(zip(self.signature.parameters, args)):
            if k and a.is_array and p not in self.standard_indexing:
                if a.type.rank != rank:
                    t.refuse(node, f"the stencil '{name}' gets arrays of {rank} and {a.type.rank} dimensions, both with relative subscripts",
                             f"list {p!r} in standard_indexing")
                others.append(k)
        arrays = frozenset(p for k, p in enumerate(self.signature.parameters) if k == 0 or k in others)
        element = self.element(rank, arrays)
        callee = t.program.function(element, (INT, ) * rank + tuple(a.type for a in args), t, node)
        callee.called = True
        if callee.result is None and not callee.busy:
            callee.translate()
        if callee.result is None:
            raise Unknown
        if callee.stored:
            t.refuse(node, f"the stencil '{name}' stores to one of its arguments", "return the value; the result is a new array, or out=")
        if not isinstance(callee.result, Scalar):
            t.refuse(node, f"the stencil '{name}' returns {callee.result!r}", "return a single number")
        dtype = numpy_dtype(callee.result)
        if out is None or out.is_none():
            shape = group("tuple", [Val(INT, e, low=0) for e in t.shape(first, node)])
            out = t.keep(t.call(np.full, [shape, self.filling(t, dtype, node)], {"dtype": constant(dtype)}, node), node)
        else:
            out = self.given(t, out, first, dtype, node)
        t.call(self.loop(element, tuple(others), len(args)), [*args, out], {}, node)
        return out

    def given(self, t, out, first, dtype, node):
        """Checks the array `out`. Its border stays unchanged if cval was not given."""
        from ._value import group
        name = self.function.__name__
        if not out.is_array or out.type.rank != first.type.rank:
            t.refuse(node, f"out of the stencil '{name}' is {out.type!r}", f"pass an array of {first.type.rank} dimensions")
        if not np.can_cast(dtype, numpy_dtype(out.type), "unsafe" if dtype.kind != "c" else "same_kind"):
            t.refuse(node, f"the stencil '{name}' gives {dtype}, which cannot be stored to out, {out.type!r}")
        out = t.keep(out, node)
        t.keep_apart([first.var], [out.var], node, name)
        if self.cval is not None:
            whole = [group("slice", [t.none()] * 3)] * out.type.rank
            t.store_place(t.place_of(out, whole, node), self.filling(t, numpy_dtype(out.type), node), node)
        return out

    def filling(self, t, dtype, node):
        """The border's value, converted to the result's element type."""
        cval = 0 if self.cval is None else self.cval
        try:
            if np.iscomplexobj(cval) and dtype.kind != "c":
                raise TypeError
            with np.errstate(all="raise"):  # NaN cannot be converted to int
                value = np.full((), cval, dtype)[()]
        except (TypeError, ValueError, OverflowError, FloatingPointError):
            t.refuse(node, f"cval of the stencil '{self.function.__name__}' is {cval!r}, which {dtype} cannot represent")
        return t.value_of(value, node, "cval")


def _again(dispatcher, *options):
    return Stencil(dispatcher.py_func, *options)


def stencil(func_or_mode="constant", *, cval=None, neighborhood=None, standard_indexing=()):
    """Turns a function of an element's neighbourhood into a function of whole arrays:

        @stencil
        def mean4(a):
            return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])

        mean4(image)                # or out=array

    Subscripts of arrays are relative to the current element. They must be constants, or lie in the `neighborhood`, which gives the least and the
    greatest offset for each dimension: ((-1, 1), (-1, 1)). Where a neighbour is outside of the array, the result is `cval`, or 0 if `cval` is not
    given; with `out` and without `cval`, these elements of `out` are unchanged. Parameters listed in `standard_indexing` have ordinary subscripts.
    Further arrays must have the same number of dimensions as the first one and must not be smaller (ValueError). The result's element type is the
    type that the function returns. The loop is parallel. Compiled functions may call the stencil, too.

    Raises ValueError for invalid options, and UnsupportedError at the first call if the function cannot be compiled.
    """
    if isinstance(func_or_mode, str):
        if func_or_mode != "constant":
            raise ValueError(f"stencil: the mode {func_or_mode!r} is not supported, only 'constant'")
        return functools.partial(stencil, cval=cval, neighborhood=neighborhood, standard_indexing=standard_indexing)
    function = getattr(getattr(func_or_mode, "_impl", None), "function", func_or_mode)
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"stencil needs a function, not {type(func_or_mode).__name__}")
    if neighborhood is not None:
        try:
            neighborhood = tuple([(operator.index(low), operator.index(high)) for low, high in neighborhood])
        except (TypeError, ValueError):
            raise ValueError(f"stencil: neighborhood is {neighborhood!r}; write a pair for each dimension: ((-1, 1), (0, 2))") from None
        if not neighborhood or any(low > high for low, high in neighborhood):
            raise ValueError(f"stencil: neighborhood is {neighborhood!r}; each pair must be (least offset, greatest offset)")
    if cval is not None and not np.isscalar(cval) or isinstance(cval, (str, bytes)):
        raise ValueError(f"stencil: cval must be a number, not {cval!r}")
    names = (standard_indexing, ) if isinstance(standard_indexing, str) else tuple(standard_indexing)
    return Stencil(function, cval, neighborhood, names)
