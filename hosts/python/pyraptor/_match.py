"""match statements."""
from __future__ import annotations

import ast

from . import _nodes as n
from ._trees import all_nodes
from ._types import BOOL, Choice, Const, Scalar
from ._value import Val, constant, number


class Matches:
    """The part of Function that translates match statements."""

    def stmt_Match(self, s):
        subject = self.kept_parts(self.expr(s.subject), s)
        if not (subject.is_scalar or isinstance(subject.type, (Choice, Const))):
            self.refuse(s, f"'match' of {subject.type!r} is not compiled", "match a number, or use if")
        done = self.temporary(Scalar("bool"))
        name = n.name(done, Scalar("bool"))
        self.emit(n.assign([name], n.const(0, Scalar("bool")), self.loc(s)))
        reached = False
        for case in s.cases:
            before, test = self.block(self.pattern, case.pattern, subject)
            if test.is_const and not test.const:
                continue

            def one(case=case):
                self.bind_pattern(case.pattern, subject, s)
                guard = self.condition(case.guard) if case.guard is not None else number(True)
                then, ends = self.block(lambda: (self.emit(n.assign([name], n.const(1, Scalar("bool")), self.loc(s))), self.body(case.body)))
                self.emit(n.if_(guard.code, then, [], self.loc(s)))
                return ends[1]

            body, ends = self.block(one)
            reached = reached or ends
            inner = before + [n.if_(test.code, body, [], self.loc(s))]
            self.emit(n.if_(n.unary("not", Scalar("bool"), name), inner, [], self.loc(s)))
        return True

    def pattern(self, p, subject):
        """The condition that the subject matches the pattern."""
        kind = type(p).__name__
        if kind == "MatchValue":
            value = self.expr(p.value)
            if subject.is_scalar != value.is_scalar:
                return number(False)
            return self.compare(ast.Eq(), subject, value, p)
        if kind == "MatchSingleton":
            if p.value is None and isinstance(subject.type, Choice):
                return self.compare(ast.Is(), subject, constant(None), p)
            if p.value is None or not subject.is_scalar:
                return number(isinstance(subject.type, Const) and subject.type.value is p.value)
            if not (subject.type.weak and subject.type.elem == "bool"):
                return number(False)
            return self.compare(ast.Eq(), subject, number(p.value), p)
        if kind == "MatchOr":
            result = number(False)
            for q in p.patterns:
                test = self.pattern(q, subject)
                if test.is_const:
                    if test.const:
                        return number(True)
                    continue
                result = test if result.is_const else Val(BOOL, n.binary("or", Scalar("bool"), result.code, test.code))
            return result
        if kind == "MatchAs":
            return number(True) if p.pattern is None else self.pattern(p.pattern, subject)
        self.refuse(p, "this pattern is not compiled", "match constants, with | and _, or use if")

    def bind_pattern(self, p, subject, s):
        if type(p).__name__ == "MatchOr" and any(getattr(x, "name", None) for x in all_nodes(p)):
            self.refuse(p, "a name in alternatives of a pattern is not compiled")
        if type(p).__name__ == "MatchAs" and p.name is not None:
            if p.pattern is not None:
                self.bind_pattern(p.pattern, subject, s)
            self.store(self.names.keys[id(p)], p.name, subject, s)
