"""Python ints beyond 64 bits whose values are known at compile time, such as `2**64 - 1` and literals.

Such an int is a constant (Const) and never a number of compiled code: operations on constants are evaluated as Python does, and a result that fits
into 64 bits is an ordinary number again. Together with floats, arrays and NumPy's numbers the int is converted as in Python and NumPy. An operation
that needs it as an int computed at run time is refused, because its result may not fit into 64 bits.
"""
from __future__ import annotations

import ast
import cmath
import math

import numpy as np

from . import _texts
from ._types import DTYPES, Const, Scalar, holds, is_float, is_int, is_unsigned, numpy_dtype
from ._value import number

HINT = "use np.uint64(...) for unsigned numbers of 64 bits, or floats"
_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1
_MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
#: Functions without effects, which are evaluated at compile time if all arguments are constants.
_EVALUATED = (abs, bin, bool, complex, divmod, float, format, hash, hex, int, max, min, oct, pow, repr, round, str, sum)
#: Functions of ints whose results can be much larger than their arguments.
_OF_INTS = tuple(f for f in (getattr(math, name, None) for name in ("factorial", "comb", "perm", "lcm")) if f)


def is_big(val):
    return isinstance(val.type, Const) and type(val.type.value) is int and not _LOWEST <= val.type.value <= _HIGHEST


def refuse(t, node, value, what="this operation"):
    t.refuse(node, f"{what} with {_shown(value)}, an int that does not fit into 64 bits, is not compiled", HINT)


def _shown(value):
    return str(value) if abs(value) < 10**40 else f"an int of {value.bit_length()} bits"


def as_float(t, node, value):
    """The int converted to a Python float; raises Python's OverflowError if it is too large."""
    try:
        return number(float(value))
    except OverflowError as e:
        t.raise_(node, OverflowError, *e.args)
        return number(0.0)


def _as_unsigned(other, value):
    """The int as a number of NumPy's uint64 if the other operand has these elements and the int fits; else None."""
    if other.is_numeric and other.type.elem == "uint64" and not (other.is_scalar and other.type.weak) and holds("uint64", value):
        return number(value, Scalar("uint64"))
    return None


def as_element(t, node, val, elem, complex):
    """The int as a value to be stored into elements of this type."""
    value = val.type.value
    if is_float(elem) or complex:
        return as_float(t, node, value)
    if elem == "bool":
        return number(True)
    if not holds(elem, value):
        t.raise_(node, OverflowError, f"Python integer {_shown(value)} out of bounds for {elem}")
        return number(0)
    return number(value, Scalar(elem))


def operate(t, op, a, b, node):
    """a op b, where an operand is such an int and the other is not a constant of Python."""
    big, other = (a, b) if is_big(a) else (b, a)
    value = big.type.value
    if not other.is_numeric:
        t.refuse(node, f"this operator of {a.type!r} and {b.type!r} is not compiled")
    converted = _as_unsigned(other, value)
    if converted is None and (is_float(other.type.elem) or other.type.complex):
        converted = as_float(t, node, value)
    if converted is None and not (other.is_scalar and other.type.weak):
        sample = np.ones(1, numpy_dtype(other.type)) if other.is_array else numpy_dtype(other.type).type(1)
        try:
            t.python_operator(op)(*((value, sample) if big is a else (sample, value)))
        except OverflowError as e:
            t.raise_(node, OverflowError, *e.args)
            return other
        except Exception:
            pass
        refuse(t, node, value)
    if converted is None and isinstance(op, ast.Div) and value.bit_length() <= 1000:
        converted = as_float(t, node, value)
    if converted is None:
        refuse(t, node, value)
    return t.operate(op, *((converted, b) if big is a else (a, converted)), node)


def compare(t, op, a, b, node):
    """A comparison of such an int with a value that is not a constant of Python."""
    if is_big(a):
        a, b, op = b, a, _MIRRORED[type(op)]()
    value, kind = b.type.value, type(op)
    if not a.is_numeric:
        if kind in (ast.Eq, ast.NotEq):
            return number(kind is ast.NotEq)
        t.refuse(node, f"{a.type!r} and {b.type!r} cannot be compared")
    unsigned = _as_unsigned(a, value)
    if unsigned is not None:
        return t.compare(op, a, unsigned, node)
    if a.type.complex:
        refuse(t, node, value, "a comparison of complex numbers")
    if not is_float(a.type.elem):
        # Beyond all numbers of the type, and therefore as the comparison with its last number.
        strong = is_unsigned(a.type.elem)
        last = number((1 << 64) - 1, Scalar("uint64")) if strong and value > 0 else number(0 if strong else _HIGHEST if value > 0 else _LOWEST)
        return t.compare(_beyond(kind, value > 0), a, last, node)
    try:
        near = float(value)
    except OverflowError:
        near = math.inf if value > 0 else -math.inf
    if not (a.is_scalar and a.type.weak) or near == value:
        return t.compare(op, a, number(near), node)
    if kind in (ast.Eq, ast.NotEq):
        refuse(t, node, value, "a comparison of a float for equality")
    # No float lies between the int and the float nearest to it.
    below = {ast.Lt: ast.LtE, ast.LtE: ast.LtE, ast.Gt: ast.Gt, ast.GtE: ast.Gt}
    above = {ast.Lt: ast.Lt, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.GtE}
    return t.compare((below if near < value else above)[kind](), a, number(near), node)


def _beyond(kind, above):
    """The comparison with the last number of a type that is equivalent to one with a number beyond it."""
    if above:
        return {ast.Lt: ast.LtE, ast.LtE: ast.LtE, ast.NotEq: ast.LtE, ast.Gt: ast.Gt, ast.GtE: ast.Gt, ast.Eq: ast.Gt}[kind]()
    return {ast.Gt: ast.GtE, ast.GtE: ast.GtE, ast.NotEq: ast.GtE, ast.Lt: ast.Lt, ast.LtE: ast.Lt, ast.Eq: ast.Lt}[kind]()


def _is_evaluated(f):
    if isinstance(f, type) and issubclass(f, np.generic):
        return np.dtype(f) in DTYPES
    return f in _EVALUATED or type(getattr(f, "__self__", None)) is int or any(
        f is getattr(module, getattr(f, "__name__", ""), None) for module in (math, cmath))


def is_involved(f, args, kwargs):
    """Whether an argument is such an int, or the result may be one: the function is called with constants."""
    values = (*args, *kwargs.values())
    if f in _OF_INTS and values:
        return all(v.is_const and v.is_scalar and v.type.weak for v in values)
    return type(getattr(f, "__self__", None)) is int or any(map(is_big, values))


def call(t, f, args, kwargs, node):
    """f(*args, **kwargs) with such an int among the arguments; None if this is no special case."""
    try:
        evaluated = _is_evaluated(f)
    except TypeError:  # not hashable or not comparable
        evaluated = False
    value = next((v.type.value for v in (*args, *kwargs.values()) if is_big(v)), 0)
    if evaluated:
        known = [_texts.known(v) if not is_big(v) else v.type.value for v in (*args, *kwargs.values())]
        if not any(k is _texts._NOTHING for k in known):
            positional, named = known[:len(args)], dict(zip(kwargs, known[len(args):]))
            return _texts.folded(t, node, lambda: f(*positional, **named))
        if f not in (min, max, sum, str, repr, format):
            refuse(t, node, value, f"'{getattr(f, '__name__', 'this')}'")
        return None
    if f in (print, isinstance, type, tuple, list) or getattr(f, "_impl", None) is not None or type(f).__name__ in ("function", "Closure"):
        if not (getattr(f, "__module__", None) or "").split(".")[0] in ("numpy", "scipy"):
            return None
    refuse(t, node, value, f"'{getattr(f, '__name__', 'this call')}'")
