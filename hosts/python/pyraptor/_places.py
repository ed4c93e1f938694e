"""Where statements stand: which of them run between an assignment and the last use of what it assigned."""
from __future__ import annotations

import ast

from ._trees import all_nodes


class Places:
    """`place(node)`: the list of statements in which the node's statement stands, its number there, and the statement that
    holds the list (None: the function)."""

    def __init__(self, tree):
        self.found = {}  # id of a node -> (list, number, statement above)
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
        """Number of the statement of `block` that holds the node, at any depth; None when none does."""
        at = self.place(node)
        while at is not None:
            statements, k, above = at
            if statements is block:
                return k
            at = self.place(above) if above is not None else None
        return None

    def assignment(self, node):
        """The assignment of which the node is a part, not of a statement inside; or None."""
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
        """Whether one of `stores` may run after `definition` and before the last of `uses`. True when it cannot be told.

        Statements of one list run one after another: what stands outside of those from the definition to the last use
        runs before the one or after the other.
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
