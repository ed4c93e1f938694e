"""Traversals of Python syntax trees. They dominate the compile time of short functions, so they skip fields that no caller needs (a name's context is
in the name itself) and use no generators."""
from __future__ import annotations

import ast

_AST, _CONTEXT = ast.AST, ast.expr_context
#: Node classes without children: the majority of a tree's nodes.
_LEAVES = frozenset([ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.alias, *ast.operator.__subclasses__(), *ast.unaryop.__subclasses__(),
                     *ast.cmpop.__subclasses__(), *ast.boolop.__subclasses__()])


def children(node):
    """The direct children, in the order of the fields."""
    out = []
    _add_children(out, node)
    return out


def _add_children(out, node):
    of = node.__dict__
    for field in node._fields:
        v = of.get(field)
        if v.__class__ is list:
            for x in v:
                if isinstance(x, _AST):
                    out.append(x)
        elif isinstance(v, _AST) and not isinstance(v, _CONTEXT):
            out.append(v)


def all_nodes(node, stops=(), below=None):
    """The node and all its descendants, in breadth-first order, as a list (like ast.walk). For nodes of the classes `stops` other than the first
    node, `below(x)` gives the children."""
    out = [node]
    for x in out:  # the list grows while it is iterated
        kind = x.__class__
        if stops and kind in stops and x is not node:
            out += below(x)
        elif kind not in _LEAVES:
            _add_children(out, x)
    return out
