"""Positions of statements in a function: which statements may run between an assignment and the last use of its value."""
from __future__ import annotations

import ast

from ._trees import all_nodes


class Places:
    """`place(node)` returns (the statement list that contains the node's statement, its index in the list, the statement that contains the list; None
    for the function's body)."""

    def __init__(self, tree):
        self.found = {}  # id of a node -> (statement list, index, enclosing statement)
        self._block(tree.body, None)

    def _block(self, statements, above):
        for k, s in enumerate(statements):
            for node in all_nodes(s):
                self.found[id(node)] = (statements, k, above)
            self.found[id(s)] = (statements, k, above)
            for inner in ("body", "orelse", "finalbody"):
                if isinstance(getattr(s, inner, None), list):
                    self._block(getattr(s, inner), s)

    def place(self, node):
        return self.found.get(id(node))

    def number_in(self, node, block):
        """The index of the statement in `block` that contains the node at any depth; None if there is none."""
        at = self.place(node)
        while at is not None:
            statements, k, above = at
            if statements is block:
                return k
            at = self.place(above) if above is not None else None
        return None

    def assignment(self, node):
        """The assignment of which the node is a part; None if the innermost statement around the node is not an assignment."""
        at = self.place(node)
        s = None if at is None else at[0][at[1]]
        return s if isinstance(s, (ast.Assign, ast.AnnAssign)) else None

    def in_loop(self, node):
        at = self.place(node)
        while at is not None and at[2] is not None:
            if isinstance(at[2], (ast.For, ast.While)):
                return True
            at = self.place(at[2])
        return False

    def between(self, definition, uses, stores):
        """Whether one of `stores` may run after `definition` and before the last of `uses`. True if this cannot be decided.

        The statements of a list run in order. Therefore a statement that is not between the definition and the last use in the list runs before the
        definition or after the last use.
        """
        at = self.place(definition)
        if at is None:
            return True
        block, first, _ = at
        numbers = [self.number_in(u, block) for u in uses]
        if any(k is None or k <= first for k in numbers):
            return True
        last = max(numbers, default=first)
        for s in stores:
            if self.place(s) is None:
                return True
            k = self.number_in(s, block)
            if k is not None and first <= k <= last:
                return True
        return False
