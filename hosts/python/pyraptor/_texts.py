"""Strings: constants, whose methods are evaluated at compile time, and strings that contain numbers computed at run time.

A string with numbers (an f-string, str(x)) is represented by its constant parts and the numbers. Python formats it when it leaves compiled code.
Therefore it can be returned, printed, joined and inserted into other strings without cost in compiled code, but its characters cannot be accessed.
"""
from __future__ import annotations

import ast
import operator
import re

import numpy as np

from . import _choices, _through
from ._numpy import function
from ._list_arguments import items_of
from ._types import Const, Group, Grown, List, Rank0, Scalar, is_numeric, number_type
from ._value import Val, constant, group

_CONVERT = {-1: lambda x: x, ord("s"): str, ord("r"): repr, ord("a"): ascii}
_OPERATORS = {ast.Add: operator.add, ast.Mult: operator.mul, ast.Mod: operator.mod, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
              ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne}


class Text(Group):
    """The type of a string with numbers. `pieces`: constant strings, and for each number a pair (name, arguments) that refers to _FORMATS."""

    __slots__ = ("pieces",)

    def __init__(self, pieces, items):
        super().__init__("text", items)
        self.pieces = tuple(pieces)

    def _key(self):
        return self.pieces, self.items

    def with_items(self, items):
        return Text(self.pieces, items)

    def __repr__(self):
        return "str"

    def make(self, *numbers):
        """The Python string."""
        rest = iter(numbers)
        return "".join(p if isinstance(p, str) else _FORMATS[p[0]](next(rest), *p[1:]) for p in self.pieces)


_FORMATS = {"percent": lambda x, field: field % x, "format": lambda x, conversion, spec: format(_CONVERT[conversion](x), spec), "str": lambda x: str(x), "repr": lambda x: repr(x),
            "bin": lambda x: bin(x), "hex": lambda x: hex(x), "oct": lambda x: oct(x), "chr": lambda x: chr(x), "ascii": lambda x: ascii(x),
            "choice": lambda k, texts: texts[k],
            "grown": lambda entries, templates: templates.text(entries),
            "applied": lambda parts, name, args, places, inner: getattr(inner.make(*parts[:places]), name)(*_through._filled(args, parts[places:])),
            "sliced": lambda parts, ends, places, inner: inner.make(*parts[:places])[slice(*_through._filled(ends, parts[places:]))],
            "base_repr": lambda x, *a: np.base_repr(x, *a), "binary_repr": lambda x, *a: np.binary_repr(x, *a),
            "items": lambda x, kind: str(items_of(kind, [x])), "array2string": lambda x: np.array2string(x), "array_str": lambda x: np.array_str(x), "array_repr": lambda x: np.array_repr(x)}


def is_text(val):
    """Whether it is a string, constant or with numbers."""
    return isinstance(val.type, (Text, Grown)) or isinstance(val.type, Const) and isinstance(val.type.value, str)


def of_value(t, node, val, how, *args):
    """The value formatted as a string: how(value, *args)."""
    if isinstance(val.type, (Text, Grown)):
        if how == "str" or how == "format" and args in ((-1, ""), (ord("s"), "")) or how == "percent" and args == ("%s", ):
            return val
        t.refuse(node, "this operation on a string that contains numbers computed at run time is not compiled")
    if _choices.is_choice(val):
        return val if how == "str" and None not in val.type.values else _choices.text_of(t, node, val, how, *args)
    known = val.type.value if isinstance(val.type, Const) else val.const if val.is_const and (val.is_scalar and val.type.weak) else _NOTHING
    if known is not _NOTHING:
        try:
            return constant(_FORMATS[how](known, *args))
        except Exception as e:
            t.raise_(node, type(e), *e.args)
            return constant("")
    if val.is_group("tuple") and type(val.type) is Group and how in ("str", "repr", "format") and (how != "format" or args in ((-1, ""), (ord("s"), ""), (ord("r"), ""))):
        parts = [of_value(t, node, i, "repr") for i in val.items]
        texts = [constant("(")]
        for k, p in enumerate(parts):
            texts += [constant(", ")] * (k > 0) + [p]
        return joined([*texts, constant(",)" if len(parts) == 1 else ")")])
    plain = how in ("str", "repr") or how == "format" and args in ((-1, ""), (ord("s"), ""), (ord("r"), "")) or how == "percent" and args in (("%s", ), ("%r", ))
    if plain and val.is_group("list", "fields"):
        parts = [of_value(t, node, i, "repr") for i in val.items]
        if val.is_group("fields"):
            parts = [joined([constant(f"{k!r}: "), p]) for k, p in zip(val.type.keys, parts)]
        between = [p for k, part in enumerate(parts) for p in ([constant(", ")] * (k > 0) + [part])]
        ends = "[]" if val.is_group("list") else "{}"
        return joined([constant(ends[0]), *between, constant(ends[1])])
    if plain and val.is_list:
        if val.type.kind == "empty":
            return constant("[]")
        if not isinstance(val.type.item, Scalar):
            t.refuse(node, f"converting a {val.type!r} to a string is not compiled", "convert it outside of the compiled function")
        items = t.copied(t.call(np.copy, [t.list_array(val, node)], {}, node), node)
        return Val(Text([("items", List("fixed", val.type.item, val.type.rank))], [items.type]), items=[items])
    if not is_numeric(val.type):
        t.refuse(node, f"converting {val.type!r} to a string is not compiled", "convert it outside of the compiled function")
    if isinstance(val.type, Rank0):
        if how in ("repr", "ascii") or how == "format" and args[0] in (ord("r"), ord("a")) or how == "percent" and args[0][-1] in "ra":
            t.refuse(node, "repr() of a 0-d array is not compiled", "take its element: x[()]")
        val = Val(number_type(val.type), val.code)
    if val.is_array:
        val = t.call(np.copy, [val], {}, node)  # a copy, because later stores must not change the string
    else:
        _trial(t, node, val.type, how, args)
    val = t.copied(val, node)
    return Val(Text([(how, *args)], [val.type]), items=[val])


_NOTHING = object()


def _trial(t, node, kind, how, args):
    """Refuses a format that Python does not accept."""
    try:
        _FORMATS[how](_through._samples(kind, 1), *args)
    except (ValueError, TypeError) as e:
        t.raise_(node, type(e), *e.args)


def joined(vals):
    pieces, items = [], []
    vals = [Val(Text([("choice", v.type.values)], v.type.items), items=v.items) if _choices.is_choice(v) else v for v in vals]
    for v in vals:
        more = v.type.pieces if isinstance(v.type, Text) else [v.type.value]
        items += v.items or []
        for p in more:
            if isinstance(p, str) and pieces and isinstance(pieces[-1], str):
                pieces[-1] += p
            else:
                pieces.append(p)
    if not items:
        return constant("".join(pieces))
    return Val(Text(pieces, [i.type for i in items]), items=items)


def formatted(t, node):
    """The value of an f-string."""
    parts = []
    for v in node.values:
        if isinstance(v, ast.Constant):
            parts.append(constant(v.value))
            continue
        val = t.expr(v.value)
        spec = constant("") if v.format_spec is None else formatted(t, v.format_spec)
        if not isinstance(spec.type, Const):
            t.refuse(v, "a format computed at run time is not compiled", "write it as a constant")
        parts.append(of_value(t, v, val, "format", v.conversion, spec.type.value))
    return concatenated(t, node, parts)


def concatenated(t, node, parts):
    if any(p.is_group("grown") for p in parts):
        from . import _grown
        return _grown.joined(t, node, parts if parts[0].is_group("grown") else [constant(""), *parts])
    return joined(parts)


def known(val):
    """The Python value of a constant string or number; else _NOTHING."""
    if isinstance(val.type, Const) and isinstance(val.type.value, (str, bytes)):
        return val.type.value
    if val.is_const and val.is_scalar and val.type.weak:
        return val.const
    if val.is_group("tuple", "list"):
        parts = [known(i) for i in val.items]
        return _NOTHING if _NOTHING in parts else tuple(parts) if val.is_group("tuple") else parts
    return _NOTHING


def percent(t, node, text, val):
    """text % val, formatting"""
    values, parts = iter(val.items if val.is_group("tuple") else [val]), []
    for before, field in re.findall(r"([^%]*)(%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z%]|$)", text):
        parts.append(constant(before))
        if field == "%%":
            parts.append(constant("%"))
        elif field:
            value = next(values, None)
            if value is None:
                t.raise_(node, TypeError, "not enough arguments for format string")
                return constant("")
            parts.append(of_value(t, node, value, "percent", field))
    if "".join(x + y for x, y in re.findall(r"([^%]*)(%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z%]|$)", text)) != text:
        t.refuse(node, f"the format {text!r} is not compiled", "write an f-string")
    if next(values, None) is not None:
        t.raise_(node, TypeError, "not all arguments converted during string formatting")
    return concatenated(t, node, parts)


def is_involved(a, b):
    return any(isinstance(v.type, Text) or isinstance(v.type, Const) and isinstance(v.type.value, (str, bytes)) for v in (a, b))


def operate(t, op, a, b, node):
    """a op b, where an operand is a string."""
    if isinstance(op, ast.Add) and is_text(a) and is_text(b) and any(isinstance(v.type, Text) for v in (a, b)):
        return joined([a, b])
    x, y = known(a), known(b)
    if isinstance(op, ast.Mod) and isinstance(x, str) and y is _NOTHING:
        return percent(t, node, x, b)
    if x is _NOTHING or y is _NOTHING:
        for v in (a, b):
            t.need_values(v, node, "an operation on a string")
        t.refuse(node, f"this operation of {a.type!r} and {b.type!r} is not compiled", "strings must be constants")
    return folded(t, node, lambda: _OPERATORS[type(op)](x, y))


def folded(t, node, make):
    """Evaluates an operation on constants as Python does."""
    try:
        value = make()
    except Exception as e:
        t.raise_(node, type(e), *e.args)
        return constant("")
    return of_python(t, node, value)


def of_python(t, node, value):
    if type(value) is list:
        return group("list", [of_python(t, node, i) for i in value])
    if type(value) is tuple:
        return group("tuple", [of_python(t, node, i) for i in value])
    if isinstance(value, (str, bytes, bool, int, float, complex, type(None), np.generic)):
        return t.value_of(value, node, "this")
    t.refuse(node, f"a {type(value).__name__} made of strings is not compiled")


def call_method(t, node, f, args, kwargs):
    """Calls a method of a constant string with constant arguments at compile time."""
    def value(v):
        made = known(v)
        return t.static(v, node, f"an argument of '.{f.__name__}' of a string") if made is _NOTHING else made

    if f.__name__ == "join" and len(args) == 1 and not kwargs:
        parts = t.turned(args[0], node) if args[0].is_group("iterator") else t.list_from(args[0], node) if args[0].is_group("dict", "entries") else args[0]
        if parts.is_group("tuple", "list") and all(map(is_text, parts.items)) and isinstance(f.__self__, str) and any(
                isinstance(p.type, (Text, Grown)) for p in parts.items):
            between = [x for p in parts.items for x in (constant(f.__self__), p)]
            return concatenated(t, node, between[1:])
        if parts.is_list and isinstance(parts.type.item, Grown) and isinstance(f.__self__, str):
            from . import _grown
            return _grown.join_list(t, node, f.__self__, parts)
    if f.__name__ == "format" and isinstance(f.__self__, str) and any(known(a) is _NOTHING for a in args) and not kwargs:
        return _format(t, node, f.__self__, args)
    values, named = [value(a) for a in args], {k: value(a) for k, a in kwargs.items()}
    return folded(t, node, lambda: f(*values, **named))


def _format(t, node, text, args):
    import string
    parts, count = [], 0
    for before, name, spec, conversion in string.Formatter().parse(text):
        parts.append(constant(before))
        if name is None:
            continue
        if name == "":
            name, count = str(count), count + 1
        if not name.isdigit() or int(name) >= len(args) or "{" in (spec or ""):
            t.refuse(node, "this form of string formatting is not compiled", "write an f-string")
        parts.append(of_value(t, node, args[int(name)], "format", ord(conversion) if conversion else -1, spec or ""))
    return concatenated(t, node, parts)


@function(print)
def print_(t, node, *args, sep=None, end=None, flush=None, file=None):
    if file is not None and not file.is_none():
        t.refuse(node, "print() to a file is not compiled", "print outside of the compiled function")
    if t.shared_by() is not None:
        t.refuse(node, "print() in a parallel loop is not compiled", "use range for this loop")
    kwargs = {k: t.static(v, node, k) for k, v in (("sep", sep), ("end", end), ("flush", flush)) if v is not None}
    leaves, shown = [], []
    for a in args:
        a = a if is_text(a) or a.is_numeric or isinstance(a.type, Const) else _as_text(t, node, a)
        a = joined([a]) if _choices.is_choice(a) else a
        if a.is_group("grown"):
            from . import _grown
            a = _grown.as_text(t, node, a)
        if isinstance(a.type, Text):
            shown.append(_Made(a.type, [_through._template(t, node, i, leaves, "print") for i in a.items]))
        else:
            shown.append(_through._template(t, node, a, leaves, "print"))
    types = [v.type for v in leaves]
    key = ("print", repr(shown), repr(kwargs), tuple(types), t.loc(node))
    made = t.program.through.get(key)
    if made is None:
        from ._types import NONE
        made = t.program.through[key] = _through.Through(_Printed(shown, kwargs), NONE, "print")
    return _through._emit(t, node, made, leaves, types)


def _as_text(t, node, val):
    if val.is_group("tuple", "fields", "choice") or val.is_listed:
        return of_value(t, node, val, "str")
    t.refuse(node, f"print() of {val.type!r} is not compiled", "print numbers, arrays, strings and tuples of numbers")


class _Made:
    """A string to be printed, with Places for its numbers."""

    def __init__(self, type_, places):
        self.type, self.places = type_, places

    def __repr__(self):
        return f"_Made({self.type.pieces!r}, {self.places!r})"


class _Printed:
    def __init__(self, args, kwargs):
        self.args, self.kwargs = args, kwargs

    def __call__(self, *values):
        print(*(a.type.make(*(_through._filled(p, values) for p in a.places)) if isinstance(a, _Made) else _through._filled(a, values)
                for a in self.args), **self.kwargs)


@function(str)
def str_(t, node, x=None):
    return constant("") if x is None else of_value(t, node, x, "str")


def _makers():
    for f in (repr, bin, hex, oct, chr, ascii):
        function(f)(lambda t, node, x, f=f: of_value(t, node, x, f.__name__))
    for f in (np.array2string, np.array_str, np.array_repr):
        def array_text(t, node, a, f=f):
            a = t.array_of(a, node) if a.is_group("list", "tuple") else a
            if not a.is_array:
                t.refuse(node, f"np.{f.__name__} of {a.type!r} is not compiled", "use str() or repr() of a number")
            return of_value(t, node, a, f.__name__)
        function(f)(array_text)

    @function(np.base_repr)
    def base_repr(t, node, number, base=None, padding=None):
        extra = [2 if base is None else t.static_int(base, node, "the base"), 0 if padding is None else t.static_int(padding, node, "the padding")]
        return of_value(t, node, number, "base_repr", *extra)

    @function(np.binary_repr)
    def binary_repr(t, node, num, width=None):
        return of_value(t, node, num, "binary_repr", *([] if width is None else [t.static(width, node, "the width")]))


_makers()


@function(ord)
def ord_(t, node, c):
    if _choices.is_choice(c):
        return _choices.applied(t, node, ord, [c], "ord()")
    x = known(c)
    if x is _NOTHING or not isinstance(x, (str, bytes)):
        t.refuse(node, f"ord() of {c.type!r} is not compiled", "strings must be constants")
    return folded(t, node, lambda: ord(x))
