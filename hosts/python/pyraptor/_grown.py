"""Strings whose number of parts is known only at run time: a string that grows in a loop, or is made in different ways on different paths; and the
operations on strings made at run time that need their characters.

Such a string is a sequence of entries in a heap of the call (a growing list of the function): each entry is the index of a template and a number,
which Python formats when the string leaves compiled code. A value is the place of its first entry and their count. Entries do not change, so
strings may share them, and `s += x` only appends if the entries of s are the last ones of the heap.

len(), comparisons, `in` and methods that give numbers call Python. Methods and slices that give strings are applied when the string leaves.
"""
from __future__ import annotations

import ast
import functools
import operator

import numpy as np

from . import _choices, _nodes as n, _texts, _through
from ._types import BOOL, FLOAT, INT, Array, Const, Group, Grown, List, Scalar, TextList, is_float, is_int, is_text_type, is_unsigned, numpy_dtype
from ._value import Val, constant, group, number

INT64 = Scalar("int64")
_BOOL = Scalar("bool")
_HEAP = "entries of strings"
_ENTRY = Group("tuple", [INT, INT, FLOAT])
#: Methods that give strings and cannot fail, whatever the characters are.
_GIVE_TEXTS = ("upper lower strip lstrip rstrip title capitalize swapcase replace zfill ljust rjust center removeprefix removesuffix casefold expandtabs").split()
_GIVE_NUMBERS = "count find rfind startswith endswith isdigit isalpha isalnum isupper islower isspace isnumeric isdecimal isidentifier istitle isascii isprintable".split()
_TESTS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
          ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}


class Templates:
    """The templates of a program's entries: constant strings, tuples of strings of which the number is the index, and formats of numbers."""

    def __init__(self):
        self.all, self.index = [], {}

    def number(self, template):
        if template not in self.index:
            self.index[template] = len(self.all)
            self.all.append(template)
        return self.index[template]

    def text(self, entries):
        """The string. An operation on a string is a beginning, the entries of that string, numbers, and an end that applies it."""
        open_, numbers = [[]], []
        for k, i, x in zip(*(e.tolist() for e in entries)):
            what, *rest = self.all[k]
            if what == "begin":
                open_.append([])
                numbers.append([])
            elif what == "given":
                numbers[-1].append(i)
            elif what == "end":
                whole = "".join(open_.pop())
                open_[-1].append(rest[0](whole, rest[1], numbers.pop()))
            else:
                open_[-1].append(self.one(self.all[k], i, x))
        return "".join(open_[0])

    @staticmethod
    def one(template, i, x):
        what, *rest = template
        if what == "constant":
            return rest[0]
        if what == "choice":
            return rest[0][i]
        kind, how, *args = rest
        value = x if is_float(kind.elem) else i
        value = (bool(value) if kind.elem == "bool" else value) if kind.weak else numpy_dtype(kind).type(value)
        return _texts._FORMATS[how](value, *args)


def is_made(val):
    """Whether it is a string that is made at run time."""
    return isinstance(val.type, (Grown, _texts.Text))


def in_heap(f):
    """For functions that append entries: `list_changes` counts changes of other lists only."""
    @functools.wraps(f)
    def function(t, *args):
        before = t.list_changes
        made = f(t, *args)
        t.list_changes = before
        return made
    return function


def _heap(t, node):
    return t.heap_list(_HEAP, _ENTRY, node)


def _push(t, node, template, i=None, x=None):
    entry = [number(t.program.templates.number(template)), number(0) if i is None else i, number(0.0) if x is None else x]
    t.append(_heap(t, node), group("tuple", entry), node)


def _push_number(t, node, val, how, args):
    kind = val.type
    if val.is_array or not isinstance(kind, Scalar) or kind.complex or is_unsigned(kind.elem) and kind.elem == "uint64":
        t.refuse(node, f"a {kind!r} in a string that grows at run time is not compiled", "append the parts to a list, or convert it: int(...), float(...)")
    kind = Scalar(kind.elem, False, kind.weak)
    if is_float(kind.elem):
        _push(t, node, ("number", kind, how, *args), x=Val(FLOAT, t.cast(val, "float64")))
    else:
        _push(t, node, ("number", kind, how, *args), i=Val(INT, t.cast(val, "int64")))


def _push_entries(t, node, val):
    """Appends the entries of another such string."""
    start, count = (t.once(i, node) for i in val.items)
    heap = _heap(t, node)
    t.make_room(heap, count.code, node)
    end = n.binary("plus", INT64, heap.items[-2].code, count.code)
    for a in heap.items[:-2]:
        view = Array(a.type.elem, a.type.complex, 1, "strided")
        to = n.index(a.var, view, [n.subscript(n.range_(heap.items[-2].code, None, end))])
        old = n.index(a.var, view, [n.subscript(n.range_(start.code, None, n.binary("plus", INT64, start.code, count.code)))])
        t.emit(n.assign([to], old, t.loc(node)))
    t.set_count(heap, end, node)


def _push_all(t, node, val):
    """Appends the entries of any string."""
    if isinstance(val.type, Grown):
        return _push_entries(t, node, val)
    if _choices.is_choice(val):
        if None in val.type.values:
            t.refuse(node, f"a {val.type!r} in a string that grows at run time is not compiled", "test for None first")
        return _push(t, node, ("choice", val.type.values), i=val.items[0])
    if isinstance(val.type, Const):
        if val.type.value:
            _push(t, node, ("constant", val.type.value))
        return None
    items = iter(val.items)
    for p in val.type.pieces:
        if isinstance(p, str):
            _push(t, node, ("constant", p))
            continue
        item, (how, *args) = next(items), p
        if how == "choice":
            _push(t, node, ("choice", args[0]), i=item)
        elif how == "grown" and args[0] is t.program.templates:
            heap, views = _heap(t, node), item.items
            more = t.extent(t.keep(views[0], node), 0, node)
            t.make_room(heap, more, node)
            end = n.binary("plus", INT64, heap.items[-2].code, more)
            for a, v in zip(heap.items, views):
                view = Array(a.type.elem, a.type.complex, 1, "strided")
                t.emit(n.assign([n.index(a.var, view, [n.subscript(n.range_(heap.items[-2].code, None, end))])], v.code, t.loc(node)))
            t.set_count(heap, end, node)
        elif how in ("applied", "sliced"):
            _push_operation(t, node, how, args, item)
        elif item.is_group() or not isinstance(item.type, Scalar):
            t.refuse(node, "this string as a part of one that grows at run time is not compiled", "return the parts, and join them outside of the compiled function")
        else:
            _push_number(t, node, item, how, args)


def _push_operation(t, node, how, args, item):
    """Appends a method of a string, or a slice, as the entries that Templates.text applies."""
    *what, places, inner = args
    rest = item.items[places:]
    if not all(i.is_scalar and is_int(i.type.elem) for i in rest):
        t.refuse(node, "this method of a string as a part of one that grows at run time is not compiled", "return the parts, and join them outside")
    _push(t, node, ("begin", ))
    _push_all(t, node, Val(inner, items=list(item.items[:places])))
    for i in rest:
        _push(t, node, ("given", ), i=Val(INT, t.cast(i, "int64")))
    if how == "sliced":
        _push(t, node, ("end", _slice, what[0]))
    else:
        _push(t, node, ("end", _method, (what[0], *what[1])))


def _slice(text, ends, numbers):
    return text[slice(*_through._filled(ends, numbers))]


def _method(text, call, numbers):
    return getattr(text, call[0])(*_through._filled(call[1:], numbers))


@in_heap
def joined(t, node, vals):
    """The concatenation of strings, as a Grown."""
    first, heap = vals[0], _heap(t, node)
    t.no_change(None, node)
    start = t.copied(Val(INT, heap.items[-2].code, low=0), node)
    if isinstance(first.type, Grown):
        begin, count = (t.once(i, node) for i in first.items)
        last = n.binary("eq", _BOOL, n.binary("plus", INT64, begin.code, count.code), start.code)
        copy, _ = t.block(_push_entries, t, node, first)
        t.emit(n.if_(last, [n.assign([start.code], begin.code, t.loc(node))], copy, t.loc(node)))
        t.list_written()
        vals = vals[1:]
    for v in vals:
        _push_all(t, node, v)
    count = n.binary("minus", INT64, _heap(t, node).items[-2].code, start.code)
    return Val(Grown(), items=[start, t.copied(Val(INT, count, low=0), node)])


def converted(t, node, val):
    """Any string as a Grown."""
    if isinstance(val.type, Grown):
        return val
    if not is_text_type(val.type):
        t.refuse(node, f"{val.type!r} is not a string, which is needed here")
    return joined(t, node, [constant(""), val])


@in_heap
def join_list(t, node, between, parts):
    """between.join(parts), where `parts` is a List of strings."""
    heap = _heap(t, node)
    start = t.copied(Val(INT, heap.items[-2].code, low=0), node)

    def one(item):
        if between:
            body, _ = t.block(_push, t, node, ("constant", between))
            t.emit(n.if_(n.name(seen, _BOOL), body, [], t.loc(node)))
        t.emit(n.assign([n.name(seen, _BOOL)], n.const(1, _BOOL), t.loc(node)))
        _push_all(t, node, item)

    seen = t.temporary(_BOOL)
    t.emit(n.assign([n.name(seen, _BOOL)], n.const(0, _BOOL), t.loc(node)))
    t.loop_over(parts, node, one)
    count = n.binary("minus", INT64, _heap(t, node).items[-2].code, start.code)
    return Val(Grown(), items=[start, t.copied(Val(INT, count, low=0), node)])


def as_text(t, node, val):
    """A Grown as a Text, which contains copies of its entries."""
    start, count = (t.once(i, node) for i in val.items)
    parts = []
    for a in _heap(t, node).items[:-2]:
        view = Array(a.type.elem, a.type.complex, 1, "strided")
        text = n.index(a.var, view, [n.subscript(n.range_(start.code, None, n.binary("plus", INT64, start.code, count.code)))])
        to = Array(a.type.elem, a.type.complex, 1)
        parts.append(t.keep(Val(to, n.lib("copy", to, text)), node))
    whole = group("tuple", parts)
    return Val(_texts.Text([("grown", t.program.templates)], [whole.type]), items=[whole])


def as_made(t, node, val):
    """A string made at run time as a Text; other values are unchanged."""
    return as_text(t, node, val) if isinstance(val.type, Grown) else val


def text_type(t):
    """The type of as_text's results."""
    arrays = [Array("int64", False, 1), Array("int64", False, 1), Array("float64", False, 1)]
    return _texts.Text([("grown", t.program.templates)], [Group("tuple", arrays)])


def as_result(t, kind):
    """The type of a result, with as_text's type for strings."""
    if isinstance(kind, Grown):
        return text_type(t)
    if type(kind) is Group and kind.kind in ("tuple", "list"):
        return kind.with_items([as_result(t, i) for i in kind.items])
    return kind


# ---- lists of strings as results
def list_out(t, node, val):
    arrays = [t.whole_list(a, node) for a in t.list_arrays(val, node)]
    arrays += [t.whole_list(a, node) for a in t.list_arrays(_heap(t, node), node)]
    return Val(TextList(t.program.templates), items=arrays)


def list_maker(kind):
    def make(starts, counts, *entries):
        return [kind.templates.text([e[s:s + k] for e in entries]) for s, k in zip(starts.tolist(), counts.tolist())]
    return make


# ---- operations that need the characters
class _Asked:
    def __init__(self, f, args):
        self.f, self.args = f, args

    def __call__(self, *values):
        return self.f(*(a.type.make(*(_through._filled(p, values) for p in a.places)) if isinstance(a, _texts._Made) else _through._filled(a, values)
                        for a in self.args))


def asked(t, node, what, f, vals, result):
    """f(*vals), a number, computed by Python when the statement runs. `what`: a name for messages and for finding equal functions."""
    if t.shared_by() is not None:
        t.refuse(node, f"{what} of a string made at run time in a parallel loop is not compiled", "use range for this loop")
    leaves, args = [], []
    for v in vals:
        v = as_made(t, node, v)
        if _choices.is_choice(v) and None not in v.type.values:
            v = _texts.joined([v])
        if isinstance(v.type, _texts.Text):
            args.append(_texts._Made(v.type, [_through._template(t, node, i, leaves, what) for i in v.items]))
        else:
            args.append(_through._template(t, node, v, leaves, what))
    types = [v.type for v in leaves]
    key = ("text", what, repr(args), tuple(types), t.loc(node))
    made = t.program.through.get(key)
    if made is None:
        made = t.program.through[key] = _through.Through(_Asked(f, args), result, what)
    t.program.notes[t.source.filename, node.lineno, what] = "the string is made at run time"
    return _through._emit(t, node, made, leaves, types)


def length(t, node, val):
    got = asked(t, node, "len()", len, [val], INT)
    return Val(INT, got.code, var=got.var, low=0)


def compared(t, node, op, a, b):
    f = _TESTS.get(type(op))
    if f is None and (a.is_none() or b.is_none()):
        return number(isinstance(op, ast.IsNot))
    if f is None:
        t.refuse(node, "'is' of strings made at run time is not compiled", "use ==")
    if not (is_text_type(a.type) and is_text_type(b.type)):
        if isinstance(op, (ast.Eq, ast.NotEq)):
            return number(isinstance(op, ast.NotEq))
        t.refuse(node, f"comparing {a.type!r} and {b.type!r} is not compiled")
    return asked(t, node, f"{type(op).__name__} of strings", f, [a, b], BOOL)


def applied(t, node, name, val, args):
    """getattr(val, name)(*args), a string, which Python makes when it leaves compiled code."""
    val, leaves = as_made(t, node, val), []
    template = tuple([_through._template(t, node, a, leaves, f"'.{name}'") for a in args])
    leaves = [t.copied(v, node) for v in leaves]
    whole = group("tuple", [*val.items, *leaves])
    kind = _texts.Text([("applied", name, _hashable(template), len(val.items), val.type)], [Group("tuple", [i.type for i in whole.items])])
    return Val(kind, items=[whole])


def _hashable(template):
    """The Places in a template compare by their number."""
    return tuple([_Place(i.k) if isinstance(i, _through.Place) else i for i in template])


class _Place(_through.Place):
    def __eq__(self, other):
        return isinstance(other, _Place) and self.k == other.k

    def __hash__(self):
        return hash(self.k)


def sliced(t, node, val, index):
    """val[index] of a string made at run time."""
    if index.is_scalar and is_int(index.type.elem):
        index = t.copied(Val(INT, t.cast(index, "int64"), low=index.low), node)
        size = t.copied(length(t, node, val), node)
        below = n.binary("lt", _BOOL, index.code, n.unary("negate", INT64, size.code))
        t.guard(node, n.binary("or", _BOOL, below, n.binary("geq", _BOOL, index.code, size.code)), IndexError, "string index out of range")
        back = n.assign([index.code], n.binary("plus", INT64, index.code, size.code), t.loc(node))
        t.emit(n.if_(n.binary("lt", _BOOL, index.code, n.ZERO), [back], [], t.loc(node)))
        index = group("slice", [index, Val(INT, n.binary("plus", INT64, index.code, n.ONE), low=1), constant(None)])
    if not index.is_group("slice"):
        t.refuse(node, f"string indices must be integers, not {index.type!r}")
    if not all(i.is_none() or i.is_scalar and i.type.weak and is_int(i.type.elem) for i in index.items):
        t.refuse(node, "slice indices must be integers or None")
    if not index.items[2].is_none() and not (index.items[2].is_const and index.items[2].const != 0):
        t.refuse(node, "a slice of a string with a computed step is not compiled", "write the step as a constant")
    val, leaves = as_made(t, node, val), []
    ends = tuple([None if i.is_none() else i.const if i.is_const else _Place(len(leaves) - 1) if leaves.append(i) is None else None for i in index.items])
    leaves = [t.copied(v, node) for v in leaves]
    whole = group("tuple", [*val.items, *leaves])
    kind = _texts.Text([("sliced", ends, len(val.items), val.type)], [Group("tuple", [i.type for i in whole.items])])
    return Val(kind, items=[whole])


def method(t, node, val, name, args, kwargs):
    """val.name(*args) of a string made at run time."""
    if kwargs:
        t.refuse(node, f"'.{name}' of a string made at run time takes no arguments by name")
    if name == "join" and len(args) == 1 and args[0].is_list and isinstance(args[0].type.item, Grown):
        t.refuse(node, "a separator made at run time is not compiled", "use a constant separator")
    if name in _GIVE_NUMBERS:
        sample = getattr("a", name)(*["a"] * min(len(args), 1))
        return asked(t, node, f".{name}()", functools.partial(_call, name), [val, *args], BOOL if type(sample) is bool else INT)
    if name in _GIVE_TEXTS:
        known = [_texts.known(a) for a in args]
        if _texts._NOTHING not in known:
            try:
                getattr("a", name)(*known)
            except Exception as e:
                t.raise_(node, type(e), *e.args)
                return constant("")
            return applied(t, node, name, val, args)
    t.refuse(node, f"'.{name}' of a string made at run time is not compiled", "return the string, and call the method outside of the compiled function")


def _call(name, text, *args):
    return getattr(text, name)(*args)


def number_of(t, node, kind, val):
    """int(val) and float(val)"""
    return asked(t, node, f"{kind.__name__}()", kind, [val], INT if kind is int else FLOAT)
