"""A Python function's syntax tree, its file, and the names that it can see."""
from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import sys
import textwrap
import types
import weakref

from . import _annotations
from ._closures import own_names, walk
from ._errors import UnsupportedError
from ._generators import with_generators
from ._iterators import with_iterators
from ._reshaped import with_shapes
from ._trees import all_nodes

_MISSING = object()
#: Functions whose result type is given by a signature. It is treated as an annotation.
PROMISED_RESULTS = weakref.WeakKeyDictionary()


#: Of functions of this package, which do not change: function -> Source.
_LIBRARY = {}


def source_of(function):
    """The function's Source. Those of the functions in this package's modules, which many programs use, are made once."""
    module = function.__module__ or ""
    if not module.startswith(__package__ + ".") or getattr(sys.modules.get(module), function.__name__, None) is not function:
        return Source(function)
    if function not in _LIBRARY:
        _LIBRARY[function] = Source(function)
    return _LIBRARY[function]


class Source:
    """The definition of a Python function. `tree`: its ast.FunctionDef, with line numbers of the file `filename`."""

    def __init__(self, function):
        self.function = function
        self.filename = function.__code__.co_filename
        self.indent = 0
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise UnsupportedError(f"the source of '{function.__name__}' is not available",
                                   hint="define the function in a file, a notebook cell or a doctest; for source text run by exec, put its lines "
                                   "into linecache.cache under the file name that was passed to compile()") from None
        if function.__name__ == "<lambda>":
            self.text, self.tree = self._lambda()
        else:
            self.indent = len(lines[0]) - len(lines[0].lstrip())
            self.text = textwrap.dedent("".join(lines))
            module = ast.parse(self.text)
            self.tree = module.body[0]
            ast.increment_lineno(module, first - 1)
        if not isinstance(self.tree, ast.FunctionDef):
            raise UnsupportedError(f"'{function.__name__}' is not defined by 'def'", self.filename, first, 1,
                                   hint="define it with 'def'")
        if self.tree.args.kwarg:
            self.refuse(self.tree, "functions with **kwargs are not compiled", "name the parameters")
        #: The function's local names; names of objects that inlined generators use (_generators.py).
        self.own_names, self.known = own_names(self.tree), {}
        relative = getattr(function, "relative", None)
        if relative is not None:
            self.tree = relative(self)
        if "iter" in function.__code__.co_names:
            self.tree = with_iterators(self.tree, self.lookup_outside)
        if "shape" in function.__code__.co_names:
            self.tree = with_shapes(self.tree)
        self.tree = with_generators(self)
        self.annotations = _annotations.accepted(function)
        if function in PROMISED_RESULTS:
            self.annotations["return"] = PROMISED_RESULTS[function]
        self.local_annotations = self._local_annotations()

    def _lambda(self):
        """The source text of a lambda expression, and an equivalent function definition.

        `inspect` returns whole lines, which may contain several lambdas. So all lambdas of the file are examined.
        """
        code = self.function.__code__
        text = "".join(linecache.getlines(self.filename, self.function.__globals__))
        found = [x for x in all_nodes(ast.parse(text)) if isinstance(x, ast.Lambda) and x.lineno == code.co_firstlineno]
        if len(found) > 1:
            found = [x for x in found if _same_code(_code_of(x, self.filename), code)]
        # If several are left, their code is the same.
        if not found:
            raise UnsupportedError("the source of a lambda is not available: its file has changed", self.filename, code.co_firstlineno, 1)
        node = found[0]
        body = ast.copy_location(ast.Return(node.body), node.body)
        tree = ast.FunctionDef("<lambda>", node.args, [body], [], returns=None, type_comment=None, type_params=[])
        return ast.get_source_segment(text, node), ast.copy_location(tree, node)

    def _local_annotations(self):
        """Name -> type of the variables that are annotated in the body. The annotation applies to all assignments to the name."""
        out = {}
        for node in walk(self.tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                hint = self.annotation(node.annotation)
                if hint is not None and repr(out.setdefault(node.target.id, hint)) != repr(hint):
                    self.refuse(node, f"'{node.target.id}' is annotated as {out[node.target.id]!r} elsewhere")
        return out

    def annotation(self, node):
        """The type that the source text of an annotation describes. None if it describes no type, or cannot be evaluated: Python does not evaluate
        annotations of local variables either."""
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

    def lookup_outside(self, name):
        """Like `lookup`, but finds global names even if the function has a local variable of the name."""
        if name in self.own_names:
            raise NameError(name)
        return self.lookup(name)

    def lookup(self, name):
        """The object that a free name of the function refers to; raises NameError."""
        if name in self.known:
            return self.known[name]
        closure = self.function.__closure__ or ()
        cells = dict(zip(self.function.__code__.co_freevars, closure))
        for found in (lambda: cells[name].cell_contents, lambda: self.function.__globals__[name],
                      lambda: getattr(builtins, name)):
            try:
                return found()
            except (KeyError, AttributeError, ValueError):
                continue
        raise NameError(name)


def _code_of(node, filename):
    module = ast.Module([ast.copy_location(ast.Expr(node), node)], [])
    return next(c for c in compile(module, filename, "exec").co_consts if isinstance(c, types.CodeType))


def _span(code):
    """The range of source positions of the code's instructions. Instructions without a position, at column 0, are ignored."""
    places = [p for p in code.co_positions() if None not in p and p[3] > 0]
    return min(p[::2] for p in places), max(p[1::2] for p in places)


def _same_code(a, b):
    """Whether two functions defined on one line have the same code. The variables that they capture may differ."""
    if hasattr(a, "co_positions"):
        return _span(a) == _span(b)
    constants = lambda c: [repr(x) for x in c.co_consts if not isinstance(x, (types.CodeType, str))]
    return a.co_varnames == b.co_varnames and constants(a) == constants(b) and set(a.co_names) | set(a.co_freevars) == set(b.co_names) | set(b.co_freevars)


def is_plain_function(o):
    return isinstance(o, types.FunctionType)
