"""try, except, else, finally.

VRIR cannot catch faults, so an exception in a `try` becomes a jump. The body is translated to a loop of one iteration. Where an exception is raised,
the generated code sets a number that identifies it and leaves that loop and all loops inside it; the handlers after the loop test the number. So only
exceptions for which the front end generates the test can be caught: `raise`, `assert`, subscripts of elements, division of Python numbers,
conversions.

Functions that are called in a `try` get a separate translation: exceptions that the `try` may catch make them return, with a number that identifies
the exception. Faults that the runtime detects (shapes, index arrays, exceptions of Python functions) cannot be caught: a `try` whose handlers would
catch one is refused after its translated body has been examined.
"""
from __future__ import annotations

import ast
import re

from . import _nodes as n
from ._closures import walk
from ._errors import UnsupportedError
from ._lists import DELETE_RANGE, LOAD_RANGE, POP_EMPTY, POP_RANGE, REMOVE, STORE_RANGE
from ._trees import all_nodes
from ._types import INT, Array, Scalar, leaves
from ._value import Unknown, Val, constant

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
BREAK, CONTINUE = -1, -2
_TEXTS = {DELETE_RANGE, LOAD_RANGE, POP_EMPTY, POP_RANGE, REMOVE, STORE_RANGE}
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_CHECKED = re.compile(r"\(index(?: :negative %1)? \((?!range)")
_ARRAYS = re.compile(r"\((?:plus|minus|mult|div|lt|leq|gt|geq|eq|neq|and|or) \(arraytype|\(lhs \(index :arrayid \d+ \(arraytype|\(alloc ")
_OF_NUMBER = re.compile(r"\((?:lhs|rhs) ")
_TYPE = re.compile(r"\((arraytype|(?:bool|u?int\d+|b?float\d+)[ )])")
_KNOWN_EXTENTS = re.compile(r"\(alloc :func \w+ \(arraytype [^()]*\([^()]*\)\) \(args(?: E)*\)\)$")
#: Extents that are not negative: constants, extents of other arrays, and their sums and products.
_EXTENTS = (re.compile(r"\(realconst :ival \d+ \(int64\)\)|\(dim :arrayid \d+ :dimid \d+ \(int64\)\)"),
            re.compile(r"\((?:plus|mult) \(int64\) \(lhs E\) \(rhs E\)\)"))
_LIBRARY = re.compile(r"\(libcall :libfunc (\w+) ")
_RAISE = re.compile(r'\(raise :loc "(?:[^"\\]|\\.)*" :code (\d+) ')
_CALL = re.compile(r"\(fncall :fnname (\w+) ")
#: Library functions of VRIR that accept arrays and cannot fault.
_SAFE = frozenset("""numel copy sum any all prod sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs floor ceil trunc round sign conj real imag isnan isinf isfinite
    exp2 expm1 log2 log10 log1p cbrt erf erfc transpose sort not negate""".split())


class Written(str):
    """An argument of an exception that is known only at run time: its source text."""


class Trap:
    """A `try` around the current code. `catches(kind)`: the number of the handler, or None; `sites`: (exception class, arguments, exact) of all
    statements that jump here, numbered from 1; `loops`: the number of loops around it."""

    def __init__(self, classes, flag, loops, final=None):
        self.classes, self.flag, self.loops, self.final = classes, flag, loops, final
        self.sites, self.jumps = [], set()

    def catches(self, kind):
        if issubclass(kind, UnsupportedError):
            return None
        return next((k for k, c in enumerate(self.classes) if issubclass(kind, c)), None)

    def site(self, kind, args, exact):
        if (kind, args, exact) not in self.sites:
            self.sites.append((kind, args, exact))
        return self.sites.index((kind, args, exact)) + 1


class Tries:
    """The part of Function that translates `try`."""

    def trapped(self, kind):
        """Whether an exception of this class is caught by a `try` in this function or reported to the caller. PyRaptor's library functions report
        only the exceptions that they raise explicitly, and shapes that differ: their subscripts and numbers cannot be wrong."""
        return any(t.catches(kind) is not None for t in self.traps if t is not self.told or kind is ValueError or not self.in_library())

    def in_library(self):
        from . import library
        return (self.source.function.__module__ or "").startswith(library.__name__)

    def jump_to_handler(self, node, kind, args):
        """Emits the jump from an exception to its handler. Returns False if it has no handler."""
        for trap in reversed(self.traps):
            if trap.catches(kind) is None:
                continue
            if any(parallel for _, _, parallel in self.loops[trap.loops:]):
                self.refuse(node, f"a parallel loop that may raise {kind.__name__} in a 'try' that catches it is not compiled",
                            "put the 'try' inside, or use range for this loop")
            exact = node is self.exact or isinstance(node, (ast.Raise, ast.Assert)) or kind is ZeroDivisionError or bool(args) and args[0] in _TEXTS
            exact = exact and not any(isinstance(a, Written) for a in args)
            self.jump(trap, trap.site(kind, args, exact), node)
            return True
        return False

    def jump(self, trap, number, node):
        leave = [n.assign([n.name(trap.flag, INT64)], n.const(number, INT64), self.loc(node)), "(break)"]
        self.emit(n.if_(n.const(1, _BOOL), leave, [], self.loc(node)))  # a condition that is always true, because VRIR does not allow statements after `break`

    def behind_loop(self, statement):
        """After a loop that an exception may have left: continues the jump to the handler."""
        for trap in self.traps:
            if f"(lhs (name :id {trap.flag} (int64)))" in statement:
                self.out.append(n.if_(n.binary("neq", _BOOL, n.name(trap.flag, INT64), n.ZERO), ["(break)"], [], ""))

    def leaves_try(self, s, which):
        """Translates a `break` or `continue` that leaves a `try`. Returns False if it does not leave one."""
        if not self.traps or len(self.loops) > self.traps[-1].loops:
            return False
        self.traps[-1].jumps.add(which)
        self.jump(self.traps[-1], which, s)
        return True

    # ---- statements
    def stmt_Try(self, s):
        self.has_tries = True
        if s.finalbody:
            return self.with_final(s)
        return self.with_handlers(s)

    def protected(self, s, classes, body, final=None):
        """Translates a body inside of a `try`. Returns (the trap, the emitted statements, whether its end is reached)."""
        flag = self.temporary(INT)
        self.emit(n.assign([n.name(flag, INT64)], n.ZERO, self.loc(s)))
        trap = Trap(classes, flag, len(self.loops), final)
        self.traps.append(trap)
        try:
            text, reached = self.block(body)
        finally:
            self.traps.pop()
        once = self.temporary(INT)
        self.emit(n.for_([once], [n.range_(n.ZERO, None, n.ONE)], text, self.loc(s)))
        return trap, text, reached

    # ---- exceptions raised by called functions
    def classes_caught(self):
        """The exception classes that a `try` around the current code catches."""
        return tuple(sorted({c for t in self.traps for group in t.classes for c in (group if isinstance(group, tuple) else (group, ))}, key=lambda c: c.__name__))

    def body_that_tells(self):
        """Translates the body of a function whose caller catches exceptions. Such an exception ends it like `return`; an additional result is the
        exception's number, counted from 1, or 0."""
        flag = self.temporary(INT)
        self.emit(n.assign([n.name(flag, INT64)], n.ZERO, self.loc(self.tree)))
        known = [] if self.told is None else self.told.sites  # those of earlier rounds, for recursive calls
        self.told = Trap([self.caught], flag, 0)
        self.told.sites += known
        self.traps.append(self.told)
        try:
            text, reached = self.block(self.body, self.tree.body)
        finally:
            self.traps.pop()
        self.emit(n.for_([self.temporary(INT)], [n.range_(n.ZERO, None, n.ONE)], text, self.loc(self.tree)))
        if self.told.sites:
            failed, _ = self.block(self.return_nothing)
            self.emit(n.if_(n.binary("neq", _BOOL, n.name(flag, INT64), n.ZERO), failed, [], self.loc(self.tree)))
        if reached:
            self.end_of_function()
        elif self.result is not None:
            self.return_nothing()

    def return_nothing(self):
        """Emits a return of arbitrary values, which the caller does not use."""
        if self.result is None:
            raise Unknown
        texts = []
        for t in leaves(self.result):
            if isinstance(t, Scalar):
                texts.append(n.const(0, t))
                continue
            made = Array(t.elem, t.complex, t.base_rank, "colmajor" if t.base().layout == "colmajor" else "rowmajor")
            id = self.temporary(made)
            self.emit(n.assign([n.name(id, made)], n.alloc("empty", made, [n.ZERO] * t.base_rank), self.loc(self.tree)))
            texts.append(n.name(id, made) if t.base().layout != "strided" else n.index(id, t.base(), ["(index (range))"] * t.base_rank))
        self.emit(f"(returnstmt (exprs {' '.join(texts + [text for _, text in self.hidden()])}))")

    def raise_again_after(self, callee, flag, node):
        """After a call of a function that reports exceptions: jumps to their handlers."""
        for k, (kind, args, exact) in enumerate(callee.told.sites):
            before, self.exact = self.exact, node if exact else None
            then, _ = self.block(self.raise_, node, kind, *args)
            self.exact = before
            self.emit(n.if_(n.binary("eq", _BOOL, flag, n.const(k + 1, INT64)), then, [], self.loc(node)))

    def caught_by(self, trap, numbers):
        tests = [n.binary("eq", _BOOL, n.name(trap.flag, INT64), n.const(k, INT64)) for k in numbers]
        text = tests[0]
        for t in tests[1:]:
            text = n.binary("or", _BOOL, text, t)
        return text

    def after_jumps(self, trap, s):
        """After a `try` that was left by `break` or `continue`: emits that statement."""
        for which, statement in ((BREAK, ast.Break()), (CONTINUE, ast.Continue())):
            if which in trap.jumps:
                then, _ = self.block(self.statement, ast.copy_location(statement, s))
                self.emit(n.if_(self.caught_by(trap, [which]), then, [], self.loc(s)))

    def with_handlers(self, s):
        classes = [self.handled_classes(h) for h in s.handlers]
        trap, text, reached = self.protected(s, classes, lambda: self.body(s.body))
        self.check_faults(s, text, [c for group in classes for c in group])
        if not trap.sites and not trap.jumps:
            reached = (self.body(s.orelse) if s.orelse else True) if reached else False
            return True if not reached else reached
        self.after_jumps(trap, s)
        if s.orelse and reached:
            otherwise, _ = self.block(self.body, s.orelse)
            self.emit(n.if_(self.caught_by(trap, [0]), otherwise, [], self.loc(s)))
        for k, h in enumerate(s.handlers):
            mine = [(j + 1, site) for j, site in enumerate(trap.sites) if trap.catches(site[0]) == k]
            again = any(isinstance(x, ast.Raise) and x.exc is None for st in h.body for x in walk(st))
            named = h.name and any(isinstance(x, ast.Name) and x.id == h.name for st in h.body for x in all_nodes(st))
            if not mine:
                continue
            if not (again or named):
                then, _ = self.block(self.handler, h, None)
                self.emit(n.if_(self.caught_by(trap, [j for j, _ in mine]), then, [], self.loc(h)))
                continue
            for j, site in mine:
                if named and not site[2]:
                    self.refuse(h, f"the message of the {site[0].__name__} that is caught here contains numbers computed at run time",
                                "leave 'as " + h.name + "' out")
                then, _ = self.block(self.handler, h, site)
                self.emit(n.if_(self.caught_by(trap, [j]), then, [], self.loc(h)))
        return True

    def handler(self, h, site):
        if site is not None:
            key = id(h), site[0], site[1]
            if key not in self.exceptions:
                self.exceptions[key] = site[0](*site[1])
            self.scopes.append({h.name: constant(self.exceptions[key])} if h.name else {})
            self.handling.append(site)
        try:
            return self.body(h.body)
        finally:
            if site is not None:
                self.scopes.pop()
                self.handling.pop()

    def handled_classes(self, h):
        if h.type is None:
            return (BaseException, )
        nodes = h.type.elts if isinstance(h.type, ast.Tuple) else [h.type]
        return tuple([self.exception_class(x) for x in nodes])

    def with_final(self, s):
        """Translates `finally`: the block runs after the body, its handlers, and the exceptions of both. `return` runs it, too (stmt_Return)."""
        inner = s
        if s.handlers:
            if id(s) not in self.parts_of_tries:
                self.parts_of_tries[id(s)] = ast.copy_location(ast.Try(s.body, s.handlers, s.orelse, []), s)
            inner = self.parts_of_tries[id(s)]
        body = (lambda: self.with_handlers(inner)) if s.handlers else (lambda: self.body(s.body))
        trap, text, reached = self.protected(s, [(BaseException, )], body, s.finalbody)
        last, ends = self.block(self.body, s.finalbody)
        if any(w in t for t in last for w in ("(lhs (index ", "(fncall ", "(xchange ")):
            self.check_faults(s, text, [BaseException], "the 'finally' block would not run")
        if trap.jumps and any(isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load) for st in s.finalbody for x in walk(st)):
            self.refuse(s, "'break' or 'continue' that leaves a 'try' whose 'finally' assigns variables is not compiled", "assign them elsewhere")
        self.out += last
        if not ends:
            return True  # the block itself returns or raises, which replaces an earlier exception
        self.after_jumps(trap, s)
        for k, (kind, args, exact) in enumerate(trap.sites):
            self.exact = s if exact else None
            then, _ = self.block(self.raise_, s, kind, *args)
            self.exact = None
            self.emit(n.if_(self.caught_by(trap, [k + 1]), then, [], self.loc(s)))
        return True

    def run_finals(self, s):
        """Before a `return`: translates the enclosing 'finally' blocks from inside to outside. Returns whether the return is reached."""
        around = self.traps
        try:
            for k in range(len(around) - 1, -1, -1):
                if around[k].final is not None:
                    self.traps = around[:k]
                    if not self.body(around[k].final):
                        return False
        finally:
            self.traps = around
        return True

    # ---- faults that cannot be caught
    def check_faults(self, s, text, classes, consequence="a handler would not see it"):
        for kind, what in self.faults(" ".join(text), set()):
            if issubclass(kind, UnsupportedError):
                continue  # no handler can catch it
            if any(issubclass(kind, c) for c in classes) or kind is BaseException:
                self.refuse(s, f"{what} may raise {kind.__name__} in this 'try', which compiled code cannot catch: {consequence}",
                            "catch exceptions around the single statement that raises them, or test the condition first")

    def faults(self, text, seen):
        """(exception class, what raises it) for the faults that only the runtime detects."""
        from . import library
        marks = set(_RAISE.findall(text))
        out = [(self.program.raises[int(k)][0], "a function that is called") for k in marks] if seen else []
        for safe in sorted(self.safe_texts, key=len, reverse=True):  # a text may contain others
            text = text.replace(safe, "")
        text = _STRING.sub('""', text)
        if _CHECKED.search(text):
            out.append((IndexError, "a subscript"))
        if any(not harmless(text, m.start()) for m in _ARRAYS.finditer(text)):
            out.append((ValueError, "an operation of arrays"))
        for m in _LIBRARY.finditer(text):
            if m[1] not in _SAFE and "(arraytype" in balanced(text, m.start()):
                out.append((ValueError, f"'{m[1]}' of an array"))
        by_name = {f.name: f for f in self.program.functions.values()}
        hosts = {h.name for h in self.program.host_functions.values()}
        for m in _CALL.finditer(text):
            f = by_name.get(m[1])
            if m[1] in hosts:
                out.append((BaseException, "a pycall function"))
            if f is None or m[1] in seen:
                continue
            if f.out is None:  # not translated yet
                raise Unknown
            found = f.faults(" ".join(f.out), seen | {m[1]})
            if f.in_library():
                found = [x for x in found if x[1] == "a function that is called"]  # a library function's own subscripts are in bounds
            out += [(kind, f"the call of '{f.source.function.__name__}'") for kind, _ in found]
            if f.busy and f is not self:
                out.append((Exception, f"the call of '{f.source.function.__name__}'"))
        return out

    def checked_pair(self, a, b, node):
        """Two operands of an elementwise operation. If a `try` catches its ValueError, they become variables and their shapes are tested here; the
        third result says so."""
        if not (self.traps and a.is_array and b.is_array and self.trapped(ValueError)):
            return a, b, False
        a, b = self.keep(a, node), self.keep(b, node)
        for k in range(1, min(a.type.rank, b.type.rank) + 1):
            x, y = self.extent(a, a.type.rank - k, node), self.extent(b, b.type.rank - k, node)
            if x == y or n.ONE in (x, y):
                continue
            differ = [n.binary("neq", _BOOL, *pair) for pair in ((x, y), (x, n.ONE), (y, n.ONE))]
            test = n.binary("and", _BOOL, differ[0], n.binary("and", _BOOL, *differ[1:]))
            self.guard(node, test, ValueError, "operands could not be broadcast together")
        return a, b, True

    def checked_extents(self, texts, node):
        """The extents of a new array (VRIR expressions). If a `try` catches the ValueError for negative ones, they are tested here; the second result
        says so."""
        if not (self.traps and self.trapped(ValueError)):
            return texts, False
        texts = [self.keep(Val(INT, t), node).code if not t.startswith("(realconst ") else t for t in texts]
        for t in texts:
            self.guard(node, n.binary("lt", _BOOL, t, n.ZERO), ValueError, "negative dimensions are not allowed")
        return texts, True

    def checked_store(self, array, texts, t, val, s):
        """Before a store of an array to a part of another: the value in a variable, and a test of its shape if a `try` catches the ValueError; the
        second result says so."""
        if not (self.traps and self.trapped(ValueError)):
            return val, False
        val = self.keep(val, s)
        view = self.keep(Val(Array(t.elem, t.complex, t.base_rank, "strided"), n.index(array.var, Array(t.elem, t.complex, t.base_rank, "strided"), texts)), s)
        ranks = view.type.rank, val.type.base_rank
        for k in range(1, ranks[1] + 1):
            x, y = n.dim(view.var, ranks[0] - k) if k <= ranks[0] else n.ONE, n.dim(val.var, ranks[1] - k)
            test = n.binary("and", _BOOL, n.binary("neq", _BOOL, x, y), n.binary("neq", _BOOL, y, n.ONE))
            self.guard(s, test, ValueError, "could not broadcast input array into the shape of the selection")
        return val, True

    def checked_index_array(self, array, base, axes, index, mask, node):
        """An index array or a mask as a subscript of the axis `base`. If a `try` catches its IndexError, it becomes a variable and is tested here; the
        second result says so."""
        if not (self.traps and self.trapped(IndexError) and self.program.boundscheck):
            return index, False
        index = self.keep(index, node)
        if mask:
            for k in range(index.type.rank):
                self.guard(node, n.binary("neq", _BOOL, n.dim(index.var, k), n.dim(array.var, axes[k])), IndexError, "boolean index did not match indexed array")
            return index, True
        size, whole = n.dim(array.var, base), Array("bool", False, index.type.rank)
        wide = self.cast(index, "int64")
        outside = n.binary("or", whole, n.binary("lt", whole, wide, n.unary("negate", INT64, size)), n.binary("geq", whole, wide, size))
        self.safe_texts.add(outside)
        self.guard(node, n.lib("any", _BOOL, outside), IndexError, f"index is out of bounds for axis {base}")
        return index, True

    def cannot_fault(self, val):
        """Records that the operation, whose operands are variables, has been tested."""
        self.safe_texts.add(val.code)
        return val

    def checked_subscript(self, val, extent, node, text):
        """The subscript of an element with an explicit test, so that its IndexError can be caught."""
        at = self.temporary(INT)
        name = n.name(at, INT64)
        self.emit(n.assign([name], self.cast(val, "int64"), self.loc(node)))
        if val.low is None or val.low < 0:
            back = n.assign([name], n.binary("plus", INT64, name, extent), self.loc(node))
            self.emit(n.if_(n.binary("lt", _BOOL, name, n.ZERO), [back], [], self.loc(node)))
        outside = n.binary("or", _BOOL, n.binary("lt", _BOOL, name, n.ZERO), n.binary("geq", _BOOL, name, extent))
        self.guard(node, outside, IndexError, text)
        return n.subscript(name, check=False)


def harmless(text, start):
    """Whether an array operation cannot fault: one operand is a number, or the extents of a new array are constants."""
    if text.startswith("(lhs ", start):
        return False
    whole = balanced(text, start)
    if whole.startswith("(alloc "):
        before = None
        while before != whole:
            before = whole
            for extent in _EXTENTS:
                whole = extent.sub("E", whole)
        return _KNOWN_EXTENTS.match(whole) is not None
    first = _OF_NUMBER.search(whole)
    if first is None:
        return False
    left = balanced(whole, first.start())
    right = whole[first.start() + len(left):]
    return any(kind is not None and kind[1] != "arraytype" for kind in map(_TYPE.search, (left, right)))


def balanced(text, start):
    depth = 0
    for k in range(start, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return text[start:k + 1]
    return text[start:]
