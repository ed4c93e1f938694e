"""Numbers that may be None: a variable that is None on one path and a number on another, or the result of a function that returns nothing on some
paths.

Such a value consists of a bool, which is true if there is a number, and the number. Tests for None read the bool. Operations that need a number check
the bool and raise a TypeError as Python does.
"""
from __future__ import annotations

import ast

from . import _nodes as n
from ._types import BOOL, Optional, Scalar
from ._value import Val, number

_BOOL = Scalar("bool")


def is_optional(val):
    return isinstance(val.type, Optional)


class Optionals:
    """The part of Function that handles these values."""

    def as_optional(self, val, t):
        """Converts a number, None, or a number that may be None to the type t."""
        if is_optional(val):
            return val
        there = not val.is_none()
        value = val if there else Val(t.number, n.const(0, t.number))
        return Val(t, items=[number(there), value])

    def present(self, val, node, what="this operation of None and a number is not defined"):
        """The number; raises TypeError if the value is None."""
        if not is_optional(val):
            return val
        self.guard(node, n.unary("not", _BOOL, val.items[0].code), TypeError, what)
        return val.items[1]

    def compare_optional(self, op, a, b, node):
        """A comparison in which an operand may be None."""
        if a.is_none() or (is_optional(b) and not is_optional(a)):
            mirrored = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}.get(type(op), type(op))
            return self.compare_optional(mirrored(), b, a, node)
        there = a.items[0]
        if b.is_none() and isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
            return there if isinstance(op, (ast.IsNot, ast.NotEq)) else Val(BOOL, n.unary("not", _BOOL, there.code))
        if isinstance(op, (ast.Is, ast.IsNot)):
            self.refuse(node, "'is' is compiled for None, arrays and other constants only", "use ==")
        if isinstance(op, (ast.Eq, ast.NotEq)):
            same = self.compare(ast.Eq(), a.items[1], b.items[1] if is_optional(b) else b, node)
            if not same.is_scalar:
                self.refuse(node, f"comparing {a.type!r} and {b.type!r} is not compiled", "test for None first")
            code = n.binary("and", _BOOL, there.code, same.code if not same.is_const else n.const(int(same.const), _BOOL))
            if is_optional(b):
                one = n.binary("or", _BOOL, there.code, b.items[0].code)
                code = n.binary("or", _BOOL, n.binary("and", _BOOL, code, b.items[0].code), n.unary("not", _BOOL, one))
            return Val(BOOL, code if isinstance(op, ast.Eq) else n.unary("not", _BOOL, code))
        return self.compare(op, self.present(a, node), self.present(b, node), node)
