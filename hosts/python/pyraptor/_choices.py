"""Strings that are one of several constants: a variable that gets different constant strings on different paths, the result of a function that
returns such a variable, or a character of a string at an index computed at run time.

Such a value is represented by an index into the tuple of possible strings (_types.Choice). An operation on it is evaluated at compile time for each
possible string, and a table of the results is indexed at run time. None may be one of the values.
"""
from __future__ import annotations

import ast
import itertools
import operator

import numpy as np

from . import _nodes as n
from . import _texts
from ._types import BOOL, INT, MOST_TEXTS, Choice, Const, Scalar, choice_of
from ._value import Val, constant, number

_BOOL, _INT64 = Scalar("bool"), Scalar("int64")
#: Limit for operations with several such operands: the number of combinations of strings that are evaluated.
_MOST = 256
#: Maximum number of differences that are added; longer sequences are tables, which are passed as global arrays.
MOST_STEPS = 64
_TESTS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
          ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}
_ERRORS = (TypeError, ValueError, IndexError, KeyError, OverflowError)


def is_choice(val):
    return isinstance(val.type, Choice)


def converted(t, val, to, node):
    """Converts a constant, or a choice among fewer strings, to the type `to`."""
    if is_choice(val):
        if val.type == to:
            return val
        return Val(to, items=[_table(t, val.items[0], [to.values.index(v) for v in val.type.values], node)])
    return Val(to, items=[number(to.values.index(val.type.value))])


def at(t, index, values, node):
    """The choice among `values` whose index is computed at run time."""
    to = choice_of(values)
    if to is None:
        t.refuse(node, f"a string with more than {MOST_TEXTS} possible values is not compiled", "use a number instead")
    if isinstance(to, Const):
        return constant(to.value)
    return Val(to, items=[_table(t, index, [to.values.index(v) for v in values], node)])


def item(t, index, values, node, message):
    """values[index]. An index out of range raises IndexError with this message."""
    count, index = len(values), t.once(index, node)
    place = Val(INT, t.cast(index, "int64"), low=index.low)
    if index.low is None or index.low < 0:
        below = t.cast(Val(_BOOL, n.binary("lt", _BOOL, place.code, n.ZERO)), "int64")
        wrapped = n.binary("mult", _INT64, below, n.const(count, _INT64))
        place = t.keep(Val(INT, n.binary("plus", _INT64, place.code, wrapped)), node)
    if t.program.boundscheck:
        outside = n.binary("or", _BOOL, n.binary("lt", _BOOL, place.code, n.ZERO), n.binary("geq", _BOOL, place.code, n.const(count, _INT64)))
        t.guard(node, outside, IndexError, message)
    return at(t, place, values, node)


def _table(t, index, numbers, node):
    """numbers[index]. Short sequences are computed without a table: the first number plus all differences up to the index."""
    if len(set(numbers)) == 1:
        return number(numbers[0])
    if any(abs(k) >= 1 << 61 for k in numbers):
        t.refuse(node, "a number of more than 61 bits computed from a string is not compiled")
    steps = {slope: [(k, b - a - slope) for k, (a, b) in enumerate(zip(numbers, numbers[1:]), 1) if b - a != slope] for slope in (0, 1)}
    slope = min(steps, key=lambda s: len(steps[s]))
    index = t.once(index, node)
    if len(steps[slope]) > MOST_STEPS:
        array = t.program.tables.setdefault(tuple(numbers), np.array(numbers, np.int64))
        table = t.program.global_array(t, array, node, "table")
        return Val(INT, n.index(table.var, _INT64, [n.subscript(t.cast(index, "int64"), check=False)]), low=min(numbers))
    code = n.const(numbers[0], _INT64)
    if slope:
        code = n.binary("plus", _INT64, index.code, code) if numbers[0] else index.code
    for k, step in steps[slope]:
        reached = t.cast(Val(_BOOL, n.binary("geq", _BOOL, index.code, n.const(k, _INT64))), "int64")
        code = n.binary("plus", _INT64, code, n.binary("mult", _INT64, reached, n.const(step, _INT64)))
    return Val(INT, code, low=min(numbers))


def _one_of(index, places, count):
    """Whether the index is one of `places`, which are indices below `count`."""
    if len(places) in (0, count):
        return number(bool(places))
    others = len(places) * 2 > count
    code = None
    for k in sorted({*range(count)} - {*places}) if others else places:
        test = n.binary("neq" if others else "eq", _BOOL, index.code, n.const(k, _INT64))
        code = test if code is None else n.binary("and" if others else "or", _BOOL, code, test)
    return Val(BOOL, code)


def applied(t, node, f, vals, what):
    """Evaluates f at compile time for each combination of the choices among `vals`; the other vals are constants."""
    choices = [v for v in vals if is_choice(v)]
    fixed = [None if is_choice(v) else v.type.value if isinstance(v.type, Const) else _texts.known(v) for v in vals]
    for v, k in zip(vals, fixed):
        if k is _texts._NOTHING:
            t.need_values(v, node, what)
            t.refuse(node, f"{what} of a string that is {choices[0].type!r} and of {v.type!r} is not compiled",
                     "strings must be constants, or one of several constants")
    combinations = list(itertools.islice(itertools.product(*(c.type.values for c in choices)), _MOST + 1))
    if len(combinations) > _MOST:
        t.refuse(node, f"{what} of strings with more than {_MOST} combinations is not compiled", "use numbers instead")
    index = choices[0].items[0]
    for c in choices[1:]:
        scaled = n.binary("mult", _INT64, index.code, n.const(len(c.type.values), _INT64))
        index = Val(INT, n.binary("plus", _INT64, scaled, c.items[0].code), low=0)
    index = t.once(index, node)
    results, errors = [], {}
    for k, texts in enumerate(combinations):
        rest = iter(texts)
        try:
            results.append(f(*(next(rest) if is_choice(v) else x for v, x in zip(vals, fixed))))
        except _ERRORS as e:
            errors.setdefault((type(e), *e.args), []).append(k)
            results.append(_texts._NOTHING)
    for (kind, *args), places in errors.items():
        test = _one_of(index, places, len(results))
        if test.is_const:
            t.raise_(node, kind, *args)
        else:
            t.guard(node, test.code, kind, *args)
    good = [r for r in results if r is not _texts._NOTHING]
    if not good:
        return constant("")
    results = [good[0] if r is _texts._NOTHING else r for r in results]
    kinds = {type(r) for r in results}
    if kinds <= {str, type(None)}:
        return at(t, index, results, node)
    if kinds == {bool}:
        return _one_of(index, [k for k, r in enumerate(results) if r], len(results))
    if kinds == {float}:
        return _chosen(t, index, {k: number(r) for k, r in enumerate(results)}, len(results), node)
    if kinds == {int}:
        return _table(t, index, results, node)
    t.refuse(node, f"{what} of a string that is {choices[0].type!r} gives a {' or a '.join(sorted(k.__name__ for k in kinds))}, which is not compiled",
             "operations on strings that are not constants may give strings, bools, ints and floats")


def operate(t, op, a, b, node):
    if isinstance(op, ast.Add) and any(isinstance(v.type, _texts.Text) for v in (a, b)):
        return _texts.joined([_texts.of_value(t, node, v, "str") for v in (a, b)])
    f = _texts._OPERATORS.get(type(op))
    if f is None or isinstance(op, ast.Mod) and is_choice(a) and _texts.known(b) is _texts._NOTHING and not is_choice(b):
        t.refuse(node, f"this operation of {a.type!r} and {b.type!r} is not compiled", "write an f-string")
    return applied(t, node, f, [a, b], "this operation")


def compared(t, op, a, b, node):
    if isinstance(op, (ast.Is, ast.IsNot)):
        if not (a.is_none() or b.is_none()):
            t.refuse(node, "'is' is compiled for None, arrays and other constants only", "use ==")
    elif isinstance(op, (ast.In, ast.NotIn)):
        if b.is_group("fields", "dict", "set", "entries") or is_choice(a) and b.is_group("tuple", "list") and _texts.known(b) is _texts._NOTHING:
            return t.contains(op, a, b, node)
    elif isinstance(op, (ast.Eq, ast.NotEq)) and (a.is_scalar or b.is_scalar):
        return number(isinstance(op, ast.NotEq))  # a number never equals a string
    return applied(t, node, _TESTS[type(op)], [a, b], "a comparison")


def of_fields(t, node, base, key):
    """The item of a dictionary with constant string keys, at a key that is a choice."""
    values = key.type.values
    absent = [k for k, v in enumerate(values) if v not in base.type.keys]
    index = t.once(key.items[0], node)
    for k in absent:
        t.guard(node, _one_of(index, [k], len(values)).code, KeyError, values[k])
    there = [k for k in range(len(values)) if k not in absent]
    if not there:
        return number(0)
    items = {k: base.items[base.type.keys.index(values[k])] for k in there}
    return _chosen(t, index, items, len(values), node)


def _chosen(t, index, items, count, node):
    """items[index], where `items` is a dict from indices to values and contains the index."""
    *others, last = items
    val = items[last]
    for k in reversed(others):
        val = t.choose(_one_of(index, [k], count), lambda k=k: items[k], lambda val=val: val, node)
    return val


def call_method(t, node, name, base, args, kwargs):
    values = [t.static(v, node, f"an argument of '.{name}' of a string") for v in kwargs.values()]
    return applied(t, node, lambda text, *more: getattr(text, name)(*more, **dict(zip(kwargs, values))), [base, *args], f"'.{name}'")


def text_of(t, node, val, how, *args):
    """The value as a string with numbers in it, formatted as _texts does."""
    def one(v):
        return _texts._FORMATS[how](v, *args)

    for v in val.type.values:
        try:
            one(v)
        except (TypeError, ValueError) as e:
            t.refuse(node, f"{v!r} cannot be formatted in this way: {e}")
    kept = t.copied(val.items[0], node)
    return Val(_texts.Text([("choice", tuple(map(one, val.type.values)))], [INT]), items=[kept])
