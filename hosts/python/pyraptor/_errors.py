"""The exceptions for functions that cannot be compiled, and for faults at run time."""
from __future__ import annotations

import linecache
import re

from ._messages import Message


class UnsupportedError(TypeError):
    """The function uses something that PyRaptor does not compile.

    The message shows the source line, marks the construct with a caret, and says what to write instead. Attributes: `filename`, `lineno`, `offset`
    (column, from 1) and `reason`; None if there is no source.
    """

    def __init__(self, reason, filename=None, lineno=None, offset=None, length=1, hint=None):
        self.reason, self.filename, self.lineno, self.offset, self.hint = reason, filename, lineno, offset, hint
        text = reason
        if filename is not None and lineno:
            line = linecache.getline(filename, lineno).rstrip("\n")
            text += f"\n  File \"{filename}\", line {lineno}\n"
            stripped = line.lstrip()
            column = max((offset or 1) - 1 - (len(line) - len(stripped)), 0)
            width = max(1, min(length, len(stripped) - column))
            text += f"    {stripped}\n    {' ' * column}{'^' * width}"
        if hint:
            text += f"\n  Instead: {hint}"
        super().__init__(text)

    def again(self):
        """The same error without a traceback. (copy.copy is not used, because libraries may change it to copy tracebacks.)"""
        rebuild, state = self.__reduce__()
        return rebuild(*state)

    def __reduce__(self):
        return _rebuild, (self.args[0], self.reason, self.filename, self.lineno, self.offset, self.hint)


def _rebuild(text, reason, filename, lineno, offset, hint):
    e = UnsupportedError(reason)
    e.args = (text,)
    e.filename, e.lineno, e.offset, e.hint = filename, lineno, offset, hint
    return e


class NeedsValues(UnsupportedError):
    """Some arguments must be known at compile time: those at `positions` of `function` (a _function.Function). A caller that has the values compiles
    again with the values as constants. If nobody has them, the function is refused with this error."""

    def __init__(self, error, function, positions):
        super().__init__(error.reason, hint=error.hint)
        self.args, self.filename, self.lineno, self.offset = error.args, error.filename, error.lineno, error.offset
        self.function, self.positions = function, frozenset(positions)


class CompileError(RuntimeError):
    """The toolkit refused the VRIR program that PyRaptor generated: a bug of PyRaptor. `code` is Velociraptor's error code."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


class PyRaptorWarning(UserWarning):
    """A function that was decorated with fallback=True runs as plain Python."""


# Velociraptor's error codes (descriptor.h).
OUT_OF_BOUNDS, SHAPE_MISMATCH, SIZE, DIV_BY_ZERO, OUT_OF_MEMORY, STACK, TYPE, DEVICE, HOST, FORKED = range(1, 11)
READ_ONLY, RAISED, OVERFLOW, UNSUPPORTED = 12, 13, 14, 22
_EXCEPTIONS = {OUT_OF_BOUNDS: IndexError, SHAPE_MISMATCH: ValueError, SIZE: ValueError, DIV_BY_ZERO: ZeroDivisionError,
               OUT_OF_MEMORY: MemoryError, STACK: RecursionError, TYPE: TypeError, OVERFLOW: OverflowError, UNSUPPORTED: UnsupportedError}
#: Messages of linear algebra functions (without the function's name) for which NumPy raises LinAlgError.
_LINEAR = {"matrix is not positive definite", "singular matrix", "last 2 dimensions of the array must be square",
           "SVD did not converge", "SVD did not converge in Linear Least Squares", "array must not contain infs or NaNs",
           "eigenvalues did not converge", "cond is not defined on empty arrays", "incompatible dimensions"}
_LOC = re.compile(r"^(.*):(\d+):(\d+)(#store)?$", re.S)


def run_time_error(raises, code, message, function, loc, array, axis, index, extent, raised):
    """The Python exception for an error record. `raises`: the program's own raise statements, by number."""
    place = _LOC.match(loc)
    # The traceback refers to this function's frame. If the frame referred to the exception by a local variable, they would form a reference cycle,
    # which would keep all frames of the traceback alive. The dict is emptied instead.
    scope = {"error": _exception(raises, code, message, array, axis, index, extent, raised, place)}
    if place is None:
        return scope.pop("error")
    name = re.sub(r"__\d+$", "", function)
    program = compile("\n" * (int(place[2]) - 1) + "raise error", place[1], "exec").replace(co_name=name)
    try:
        exec(program, scope)
    except BaseException as e:
        scope.clear()
        return e.with_traceback(e.__traceback__.tb_next)  # the traceback shows the Python line only, not this function


def _exception(raises, code, message, array, axis, index, extent, raised, place):
    if code == RAISED:
        kind, args = raises[raised]
        return kind(*(a.made((index, extent)) if isinstance(a, Message) else a for a in args))
    if code == OUT_OF_BOUNDS and array.endswith(" (list)"):  # _lists.MARK
        return IndexError("list assignment index out of range" if place and place[4] else "list index out of range")
    if code == OUT_OF_BOUNDS and array:
        error = IndexError(f"index {index} is out of bounds for axis {axis} of '{array}' with size {extent}")
        error.array, error.axis, error.index, error.extent = array, axis, index, extent
        return error
    if code == READ_ONLY:
        error = ValueError("assignment destination is read-only")
        error.array = array
        return error
    if code == DIV_BY_ZERO:
        return ZeroDivisionError("integer division or modulo by zero")
    what = message.partition(": ")[2]
    if code == SHAPE_MISMATCH and "the mask and the" in message:
        return IndexError(f"boolean index did not match indexed array: {message}")
    if code in (SHAPE_MISMATCH, TYPE) and what in _LINEAR:
        from numpy.linalg import LinAlgError
        return LinAlgError(what if what.startswith("cond") else what[0].upper() + what[1:])
    return _EXCEPTIONS.get(code, RuntimeError)(message or f"error {code}")
