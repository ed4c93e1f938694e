"""A Python function's tree, file and the names it sees."""
from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types

from . import _annotations
from ._errors import UnsupportedError

_MISSING = object()


class Source:
    """The definition of a Python function: `tree` is its ast.FunctionDef with line numbers of the file `filename`."""

    def __init__(self, function):
        self.function = function
        self.filename = function.__code__.co_filename
        self.indent = 0
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise UnsupportedError(f"the source of '{function.__name__}' is not to be had",
                                   hint="define the function in a file or a notebook cell") from None
        text = "".join(lines)
        self.indent = len(lines[0]) - len(lines[0].lstrip())
        self.text = textwrap.dedent(text)
        try:
            module = ast.parse(self.text)
        except SyntaxError:
            raise UnsupportedError(f"the source of '{function.__name__}' is part of a larger expression",
                                   hint="define it with 'def'") from None
        self.tree = module.body[0]
        ast.increment_lineno(module, first - 1)
        if not isinstance(self.tree, ast.FunctionDef):
            raise UnsupportedError(f"'{function.__name__}' is not defined by 'def'", self.filename, first, 1,
                                   hint="define it with 'def'")
        if self.tree.args.vararg or self.tree.args.kwarg:
            self.refuse(self.tree, "functions with *args or **kwargs are not compiled", "name the parameters")
        self.annotations = _annotations.accepted(function)
        self.local_annotations = self._local_annotations()

    def _local_annotations(self):
        """Name -> type of the variables that are annotated in the body: it holds for all assignments to the name."""
        out = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                hint = self.annotation(node.annotation)
                if hint is not None and repr(out.setdefault(node.target.id, hint)) != repr(hint):
                    self.refuse(node, f"'{node.target.id}' is annotated as {out[node.target.id]!r} elsewhere")
        return out

    def annotation(self, node):
        """The type that the text of an annotation means; None where it says nothing, as one that Python could not evaluate
        does (Python itself does not look at those of local variables)."""
        class Names(dict):
            def __missing__(_, name):
                return self.lookup(name)

        try:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node = ast.parse(node.value, mode="eval").body
            hint = eval(compile(ast.Expression(node), self.filename, "eval"), {"__builtins__": {}}, Names())
        except Exception:
            return None
        try:
            return _annotations.understood(hint)
        except TypeError as e:
            self.refuse(node, str(e))

    def refuse(self, node, reason, hint=None):
        line, column, length = getattr(node, "lineno", None), getattr(node, "col_offset", 0), 1
        if line is not None and getattr(node, "end_lineno", None) == line and not isinstance(node, ast.FunctionDef):
            length = node.end_col_offset - column
        raise UnsupportedError(reason, self.filename, line, column + self.indent + 1, length, hint)

    def lookup(self, name):
        """The object that a free name of the function stands for; raises NameError."""
        closure = self.function.__closure__ or ()
        cells = dict(zip(self.function.__code__.co_freevars, closure))
        for found in (lambda: cells[name].cell_contents, lambda: self.function.__globals__[name],
                      lambda: getattr(builtins, name)):
            try:
                return found()
            except (KeyError, AttributeError, ValueError):
                continue
        raise NameError(name)


def is_plain_function(o):
    return isinstance(o, types.FunctionType)
