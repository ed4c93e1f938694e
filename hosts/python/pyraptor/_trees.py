"""Walks over Python's syntax trees. They take the larger part of the time that short functions are compiled in, so they leave out what
nobody asks for (whether a name is read or stored is in the name itself) and make no generators."""
from __future__ import annotations

import ast

_AST, _CONTEXT = ast.AST, ast.expr_context
#: Classes of nodes that have none below them: most of a tree.
_LEAVES = frozenset([ast.Name, ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.alias, *ast.operator.__subclasses__(), *ast.unaryop.__subclasses__(),
                     *ast.cmpop.__subclasses__(), *ast.boolop.__subclasses__()])


def children(node):
    """The nodes right below, in the order of the fields."""
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
    """The node and all below it, those nearer to it first: as ast.walk, as a list. Of nodes of the classes `stops` other than the first,
    `below(x)` says what is below them."""
    out = [node]
    for x in out:  # which grows meanwhile
        kind = x.__class__
        if stops and kind in stops and x is not node:
            out += below(x)
        elif kind not in _LEAVES:
            _add_children(out, x)
    return out
