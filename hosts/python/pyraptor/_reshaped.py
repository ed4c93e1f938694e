"""`a.shape = s`. The array keeps its elements and has another shape, under every name that it has. So where the function made the array, and no
other name refers to it, the statement is `a = a.reshape(s)`; other assignments to a shape are refused."""
from __future__ import annotations

import ast
import copy

from ._closures import walk
from ._iterators import place
from ._trees import all_nodes

#: Functions that may return their argument itself.
_SAME = frozenset(["asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "require", "atleast_1d", "atleast_2d", "atleast_3d", "squeeze",
                   "ravel", "broadcast_arrays"])
#: Attributes after which an array may be in another order than row-major.
_ORDERS = frozenset(["T", "mT", "H", "transpose", "matrix_transpose", "swapaxes", "moveaxis", "rollaxis", "permute_dims", "rot90", "asfortranarray",
                     "require", "einsum", "tensordot", "strides"])


def reshaped(a, shape):
    """The array with another shape; refused where its elements would have to be copied."""
    raise TypeError("known to the compiler only")


def _is_shape(x):
    return isinstance(x, ast.Attribute) and x.attr == "shape" and isinstance(x.value, ast.Name)


def _makes_array(x):
    """Whether the expression's value is an array, or a sequence of arrays, that nothing else refers to."""
    if isinstance(x, (ast.Tuple, ast.List)):
        return all(map(_makes_array, x.elts))
    if isinstance(x, ast.Call):
        return isinstance(x.func, ast.Attribute) and x.func.attr not in _SAME
    return isinstance(x, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript))


def _own_arrays(tree, names):
    """Those of the names that are only assigned new arrays, and whose arrays have no other name before the function returns."""
    parameters = {a.arg for a in all_nodes(tree) if isinstance(a, ast.arg)}
    shared = set(parameters)
    results = {id(x.value) for x in walk(tree) if isinstance(x, ast.Return)}

    def share(x):
        if isinstance(x, ast.Name):
            shared.add(x.id)

    for x in walk(tree):
        if isinstance(x, ast.Assign):
            share(x.value)
            several = len(x.targets) > 1
            for target in x.targets:
                if isinstance(target, ast.Name) and (several or not _makes_array(x.value)):
                    shared.add(target.id)
                elif isinstance(target, (ast.Tuple, ast.List)) and (several or isinstance(x.value, ast.Call) or not _makes_array(x.value)):
                    shared |= {n.id for n in all_nodes(target) if isinstance(n, ast.Name)}
        elif isinstance(x, (ast.AnnAssign, ast.NamedExpr, ast.For, ast.withitem, ast.AugAssign)):
            share(getattr(x, "value", None))
            target = getattr(x, "target", None) or getattr(x, "optional_vars", None)
            if target is not None and not isinstance(x, ast.AugAssign):
                shared |= {n.id for n in all_nodes(target) if isinstance(n, ast.Name)}
        elif isinstance(x, (ast.Tuple, ast.List, ast.Set)) and isinstance(getattr(x, "ctx", None), (ast.Load, type(None))) and id(x) not in results:
            for item in x.elts:
                share(item)
        elif isinstance(x, (ast.IfExp, ast.Dict, ast.Starred, ast.Yield, ast.BoolOp, ast.ListComp, ast.SetComp,
                            ast.DictComp, ast.GeneratorExp)):
            for item in all_nodes(x):
                share(item)
        elif isinstance(x, ast.Call):
            numpy = isinstance(x.func, ast.Attribute) and isinstance(x.func.value, ast.Name) and x.func.value.id in ("np", "numpy")
            if not (numpy and x.func.attr not in _SAME or isinstance(x.func, ast.Name) and x.func.id in ("len", "abs", "range", "print")):
                for item in x.args:
                    share(item)
    inner = [x for x in walk(tree) if isinstance(x, (ast.FunctionDef, ast.Lambda)) and x is not tree]
    for f in inner:
        shared |= {x.id for x in all_nodes(f) if isinstance(x, ast.Name)}
    return names - shared


class _Rewritten(ast.NodeTransformer):
    def __init__(self, names):
        self.names, self.count = names, 0

    def visit_Assign(self, s):
        if not any(_is_shape(t) and t.value.id in self.names for t in s.targets):
            return s
        self.count += 1
        value = f"shape.{self.count}"
        several = len(s.targets) > 1
        out = [ast.copy_location(ast.Assign([ast.Name(value, ast.Store())], s.value), s)] if several else []
        for t in s.targets:
            now = ast.Name(value, ast.Load()) if several else s.value
            if _is_shape(t) and t.value.id in self.names:
                now = ast.Call(ast.Constant(reshaped), [ast.Name(t.value.id, ast.Load()), now], [])
                t = ast.copy_location(ast.Name(t.value.id, ast.Store()), t)
            out.append(ast.copy_location(ast.Assign([t], now), s))
        return out


def _is_result(tree, x):
    """Whether the expression is the function's result or a part of it: nothing is computed from it."""
    return any(isinstance(s, ast.Return) and s.value is not None and (x is s.value or isinstance(s.value, ast.Tuple) and x in s.value.elts)
               for s in walk(tree))


def with_shapes(tree):
    """The function's tree, with the assignments of shapes that can be compiled replaced."""
    names = {t.value.id for s in walk(tree) if isinstance(s, ast.Assign) for t in s.targets if _is_shape(t)}
    names = names and _own_arrays(tree, names)
    if not names or any(isinstance(x, ast.Attribute) and x.attr in _ORDERS and not _is_result(tree, x)
                        or isinstance(x, ast.keyword) and x.arg in ("order", "axes") for x in all_nodes(tree)):
        return tree
    made = _Rewritten(names).visit(copy.deepcopy(tree))
    place(made, made)
    return made
