"""Python's built-in functions and types, the module cmath, and the iterables of parallel.py."""
from __future__ import annotations

import ast
import cmath
import math
import warnings

import numpy as np

from . import _nodes as n
from . import _choices, _dicts, _generators, _grown, _python_types, _sets, _texts, _words, library, library_lists, parallel
from . import _itertools
from ._errors import UnsupportedError
from ._list_methods import keys_of, sort_list
from ._lists import text_of
from ._numpy import function
from ._numpy_elementwise import absolute, half_even, mapped, numeric, select, to_int
from ._numpy_reduce import np_all, np_any
from ._types import BOOL, DTYPES, INT, Array, Const, Rank0, Scalar, is_float, is_int, is_known_int, leaves
from ._value import Val, group, number


@function(len)
def len_(t, node, x):
    if x.is_group("set", "dict", "entries", "arrays", "buffer", "structured"):
        x = x.items[0]
    if x.is_list:
        return t.length_of(x, node)
    if x.is_group("tuple", "list", "fields"):
        return number(len(x.items))
    if x.is_array:
        return t.extent_value(t.keep(x, node), 0, node)
    if _choices.is_choice(x):
        return _choices.applied(t, node, len, [x], "len()")
    if _grown.is_made(x):
        return _grown.length(t, node, x)
    if x.is_group("range"):
        return Val(INT, t.range_length(x, node), low=0)
    if isinstance(x.type, Const) and isinstance(x.type.value, (str, bytes)):
        return number(len(x.type.value))
    t.refuse(node, f"len() of {x.type!r} is not compiled")


@function(range, parallel.prange)
def range_(t, node, *args):
    if not 1 <= len(args) <= 3:
        t.refuse(node, "range takes one to three arguments")
    for a in args:
        if not (a.is_scalar and (is_int(a.type.elem) or a.type.elem == "bool") and not a.type.complex):
            t.refuse(node, f"a range needs integers, not {a.type!r}")
    start, stop = (number(0), args[0]) if len(args) == 1 else args[:2]
    return group("range", [start, stop, args[2] if len(args) == 3 else number(1)])


@function(parallel.Domain)
def domain_(t, node, *ranges):
    if not ranges:
        t.refuse(node, "a Domain has at least one dimension")
    return group("domain", [r if r.is_group("range") else range_(t, node, r) for r in ranges])


@function(parallel.PAR)
def par_(t, node, domain, shared=None):
    if shared is not None and not (shared.is_none() or shared.is_group("list", "tuple")):
        t.refuse(node, "shared must be a list of variables")
    return domain if domain.is_group("domain", "range") else range_(t, node, domain)


@function(enumerate)
def enumerate_(t, node, iterable, start=None):
    return group("enumerate", [iterable, number(0) if start is None else start])


@function(zip)
def zip_(t, node, *iterables):
    if not iterables:
        t.refuse(node, "zip needs at least one iterable")
    return group("zip", iterables)


@function(reversed)
def reversed_(t, node, x):
    return group("reversed", [x])


@function(slice)
def slice_(t, node, *args):
    none = t.none()
    if not 1 <= len(args) <= 3:
        t.raise_(node, TypeError, f"slice expected at {'most 3' if args else 'least 1'} argument{'s' if args else ''}, got {len(args)}")
        args = [none]
    parts = {1: [none, *args, none], 2: [*args, none], 3: list(args)}.get(len(args))
    return group("slice", parts)


@function(list)
def list_(t, node, x=None):
    return group("list", []) if x is None else t.list_from(x, node)


@function(_generators.as_iterator)
def as_iterator(t, node, items):
    return group("iterator", [items])


@function(dict)
def dict_(t, node, x=None):
    return _dicts.made(t, node, x)


@function(set)
def set_(t, node, x=None):
    return _sets.made(t, node, x)


@function(sorted)
def sorted_(t, node, x, key=None, reverse=None):
    if x.is_group("set") and key is not None and not key.is_none():
        t.refuse_order(node)
    words = _words.listed_keys(x)
    if words is not None:
        x = t.list_copy(words, node)
        sort_list(t, node, x, key, reverse)
        return _words.as_strings(t, node, x)
    x = x.items[0] if x.is_group("set") else x
    x = t.list_from(x, node)
    if x.is_group("list") and not x.items:
        return x
    x = t.listed(x, node)
    sort_list(t, node, x, key, reverse)
    return x


@function(tuple)
def tuple_(t, node, x=None):
    x = group("tuple", []) if x is None else x
    x = t.turned(x, node) if x.is_group("iterator", "reversed") or isinstance(x.type, Const) else x
    known = None if x.is_group("tuple", "list") else _itertools.static_items(t, node, x)
    x = x if known is None else group("tuple", known)
    if x.is_group("tuple", "list"):
        return group("tuple", x.items)
    if x.is_list:
        t.refuse(node, "making a tuple of a list whose length is not known at compile time is not compiled", "use the list")
    t.refuse(node, f"tuple() of {x.type!r} is not compiled")


# ---- types
@function(int)
def int_(t, node, x=None, base=None):
    if x is not None and _choices.is_choice(x):
        return _choices.applied(t, node, int, [x] if base is None else [x, base], "int()")
    if x is not None and base is None and _grown.is_made(x):
        return _grown.number_of(t, node, int, x)
    if x is not None and _python_types.text_of(x) is not None:
        how = () if base is None else (t.static_int(base, node, "the base"), )
        return _texts.folded(t, node, lambda: int(_python_types.text_of(x), *how))
    if base is not None:
        t.raise_(node, TypeError, "int() can't convert non-string with explicit base")
    return number(0) if x is None else to_int(t, node, number_of(t, node, x))


def _no_number_of_one():
    """NumPy's message if an array of one element is no number for Python; None for versions of NumPy for which it is one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            float(np.ones(1))
    except TypeError as e:
        return str(e)
    return None


_NO_NUMBER = _no_number_of_one()


def number_of(t, node, x):
    if x.is_array and _NO_NUMBER is not None:
        t.raise_(node, TypeError, _NO_NUMBER)
        return Val(x.type.element(), n.const(0, x.type.element()))
    if x.is_array:
        x = t.keep(t.plain(x, node), node)
        several = n.binary("neq", Scalar("bool"), t.size(x, node).code, n.ONE)
        t.guard(node, several, TypeError, "only length-1 arrays can be converted to Python scalars")
        return Val(x.type.element(), n.lib("scalar", x.type.element(), t.plain(x, node).code))
    if not x.is_scalar:
        t.refuse(node, f"{x.type!r} is not a number")
    return x


@function(float)
def float_(t, node, x=None):
    if x is None:
        return number(0.0)
    if _choices.is_choice(x):
        return _choices.applied(t, node, float, [x], "float()")
    if _grown.is_made(x):
        return _grown.number_of(t, node, float, x)
    if _python_types.text_of(x) is not None:
        return _texts.folded(t, node, lambda: float(_python_types.text_of(x)))
    x = number_of(t, node, x)
    if x.type.complex:
        t.refuse(node, "a complex number cannot become a float", "take .real")
    return number(float(x.const)) if x.is_const else Val(Scalar("float64", False, True), t.cast(x, "float64"))


@function(complex)
def complex_(t, node, re=None, im=None):
    if re is not None and _python_types.text_of(re) is not None and im is None:
        return _texts.folded(t, node, lambda: complex(_python_types.text_of(re)))
    re, im = number(0) if re is None else number_of(t, node, re), None if im is None else number_of(t, node, im)
    to = Scalar("float64", True, True)
    if im is None or re.type.complex or im.type.complex:
        if im is not None:
            t.refuse(node, "complex() of complex parts is not compiled")
        return Val(to, t.cast(re, "float64", True))
    return Val(to, f"(complex {to.vrir()} {t.cast(re, 'float64')} {t.cast(im, 'float64')})")


@function(bool)
def bool_(t, node, x=None):
    return number(False) if x is None else t.truth(x, node)


#: NumPy 1 makes a number of an array of one element.
_NUMBER_OF_ONE = {d.type for d in DTYPES if not isinstance(d.type(np.ones(1, d)), np.ndarray)}


def _numpy_types():
    for dtype, (elem, complex) in list(DTYPES.items()):
        def handler(t, node, x=None, elem=elem, complex=complex, dtype=dtype):
            x = number(0) if x is None else x
            if _python_types.text_of(x) is not None:
                return _texts.folded(t, node, lambda: dtype.type(_python_types.text_of(x)))
            if x.is_group("tuple", "list"):
                x = t.array_of(x, node)
            if x.is_scalar:
                if x.type.complex and not complex and elem != "bool":
                    t.refuse(node, "a complex number cannot become a real one", "take .real")
                if is_int(elem) and is_float(x.type.elem) and x.type.weak:  # NumPy scalars do not raise an OverflowError
                    x = to_int(t, node, x)
                if x.type.weak:
                    x = t.fits(x, elem, node)
                kept = np.can_cast(x.type.elem, elem) or x.type.weak
                return Val(Scalar(elem, complex), t.cast(x, elem, complex), low=x.low if kept else None)
            from ._numpy_arrays import astype
            if dtype.type in _NUMBER_OF_ONE:
                x = t.keep(x, node)
                t.guard(node, n.binary("eq", Scalar("bool"), t.size(x, node).code, n.ONE), UnsupportedError,
                        f"np.{dtype.name} of an array of one element is not compiled: it is a number in this version of NumPy")
            return astype(t, node, x, (elem, complex))
        function(dtype.type)(handler)


_numpy_types()


# ---- functions of numbers
@function(abs)
def abs_(t, node, x):
    x = numeric(t, node, x)
    if x.type.elem == "bool":
        return Val(INT, t.cast(x, "int64"), low=0) if x.is_scalar and x.type.weak else x
    return absolute(t, node, x)


@function(round)
def round_(t, node, x, ndigits=None):
    x = number_of(t, node, x)
    if isinstance(x.type, Rank0):
        t.raise_(node, TypeError, "type numpy.ndarray doesn't define __round__ method")
        return number(0)
    if not x.type.weak and (x.type.complex or x.type.elem == "bool"):
        t.raise_(node, TypeError, f"type numpy.{x.type!r} doesn't define __round__ method")
        return number(0)
    if ndigits is not None and not ndigits.is_none():
        if not x.type.weak:
            from ._numpy_elementwise import np_round
            return np_round(t, node, x, ndigits)
        t.refuse(node, "round() of a float to decimals is not compiled: Python rounds the decimal representation", "use np.round")
    if is_int(x.type.elem):
        return to_int(t, node, x)
    if x.is_const and x.type.weak and not x.type.complex:
        return _texts.folded(t, node, lambda: round(x.const))
    return to_int(t, node, half_even(t, node, x))


@function(pow)
def pow_(t, node, a, b):
    return t.operate(ast.Pow(), a, b, node)


@function(divmod)
def divmod_(t, node, a, b):
    a, b = t.once(a, node), t.once(b, node)
    return group("tuple", [t.operate(ast.FloorDiv(), a, b, node), t.operate(ast.Mod(), a, b, node)])


def extreme_of_list(t, node, x, f, list_function):
    if x.type.kind == "empty":
        t.raise_(node, ValueError, text_of(lambda: f([])))
        return number(0)
    item = x.type.item
    if any(s.complex for s in leaves(item)):
        t.refuse(node, "complex numbers have no order")
    t.guard(node, n.binary("eq", Scalar("bool"), t.list_length(x, node), n.ZERO), ValueError, text_of(lambda: f([])))
    if not isinstance(item, Scalar):
        if x.type.rank > 1:
            t.refuse(node, f"{f.__name__}() of a {x.type!r} is not compiled", "use a list of numbers")
        rows = group("tuple", [t.keep(a, node) for a in t.list_arrays(x, node)])
        at = t.call_python(library_lists.least_of_tuples if f is min else library_lists.greatest_of_tuples, [rows], {}, node)
        return t.item_at(x, t.copied(at, node).code, node)
    a = t.list_array(x, node)
    best = t.call_python(list_function, [a], {}, node)
    return Val(item, best.code, var=best.var)


def _extreme(f, op, numpy_function, list_function, of_keys):
    def handler(t, node, *args, key=None, default=None):
        if len(args) == 1 and args[0].is_group("set"):
            if key is not None:
                t.refuse_order(node)
            args = args[0].items
        if default is not None:
            if len(args) != 1:
                t.refuse(node, f"{f.__name__}() takes a default only with a single list")
            x = t.listed(t.list_from(args[0], node), node)
            test = t.truth(x, node)
            if test.is_const:
                return handler(t, node, x, key=key) if test.const else default
            return t.choose(test, lambda: handler(t, node, x, key=key), lambda: default, node)
        words = _words.listed_keys(args[0]) if len(args) == 1 else None
        if words is not None and (key is None or key.is_none()):
            return extreme_of_list(t, node, words, f, list_function)
        if key is not None and not key.is_none():
            x = words if words is not None else t.listed(t.list_from(args[0], node) if len(args) == 1 else group("list", args), node)
            t.guard(node, n.binary("eq", Scalar("bool"), t.list_length(x, node), n.ZERO), ValueError, text_of(lambda: f([])))
            keys = keys_of(t, node, x, key)
            of_tuples = library_lists.least_of_tuples if f is min else library_lists.greatest_of_tuples
            at = t.call_python(of_keys, keys, {}, node) if len(keys) == 1 else t.call_python(of_tuples, [group("tuple", keys)], {}, node)
            return t.item_at(x, t.copied(at, node).code, node)
        if len(args) == 1:
            if args[0].is_array:
                if args[0].type.rank != 1:
                    t.refuse(node, "min() and max() of a matrix are not compiled: they compare its rows", "use np.min, np.max")
                return t.call(numpy_function, [args[0]], {}, node)
            if args[0].is_group("iterator"):
                args = args[0].items
            if args[0].is_list or args[0].is_group("range", "zip", "enumerate", "reversed", "dict", "entries", "buffer"):
                return extreme_of_list(t, node, args[0] if args[0].is_list else t.list_from(args[0], node), f, list_function)
            if not args[0].is_group("tuple", "list"):
                made = t.turned(args[0], node)
                if not made.is_group("tuple"):
                    t.refuse(node, f"{args[0].type!r} has no items")
                args = [made]
            if not args[0].items:
                t.raise_(node, ValueError, text_of(lambda: f([])))
                return number(0)
            args = args[0].items
        if not args or not all(a.is_scalar for a in args):
            t.refuse(node, "min() and max() take numbers", "use np.minimum, np.maximum")
        best = t.once(args[0], node)
        for a in args[1:]:
            a = t.once(a, node)
            if best.is_const and a.is_const:
                best = number(f(best.const, a.const))
                continue
            test = t.compare(op(), a, best, node)
            mixed = a.type.elem != best.type.elem and a.type.weak != best.type.weak and is_int(a.type.elem) and is_int(best.type.elem)
            if test.is_const:
                val = a if test.const else best
            elif mixed:  # the result may be the int, which may not fit into the other operand's type
                val = t.choose(test, lambda: a, lambda: best, node)
            else:
                val = select(t, node, test, a, best)
            lows = [v.low for v in (a, best)]
            known = [v for v in lows if v is not None]
            val.low = (max(known) if f is max and known else min(known) if None not in lows and known else None)
            best = t.keep(val, node)
        return best
    function(f)(handler)


_extreme(min, ast.Lt, np.min, library_lists.least, library_lists.least_at)
_extreme(max, ast.Gt, np.max, library_lists.greatest, library_lists.greatest_at)


@function(sum)
def sum_(t, node, x, start=None):
    if x.is_group("range", "zip", "enumerate", "reversed", "iterator", "dict", "entries", "buffer") or isinstance(x.type, Const):
        x = t.list_from(x, node)
    x = x.items[0] if x.is_group("set") else x
    if x.is_list and x.type.kind == "empty":
        total = number(0)
    elif x.is_list:
        item, a = x.type.item, t.list_array(x, node)
        if item.elem == "bool":
            item, a = INT, Val(Array("int64", False, 1), t.cast(t.plain(a, node), "int64"))
        first = number(0) if start is None else start
        if not first.is_scalar:
            t.refuse(node, f"sum() with the start value {first.type!r} is not compiled")
        of = t.operate(ast.Add(), first, Val(item, n.const(0, item)), node).type
        f = library_lists.float_total if of == Scalar("float64", False, True) else library_lists.total
        total = t.call_python(f, [a, Val(Scalar(of.elem, of.complex), t.fit(first, Scalar(of.elem, of.complex, of.weak)))], {}, node)
        return Val(of, total.code, var=total.var)
    elif x.is_array and x.type.rank == 1:
        # Python adds from the first to the last element.
        total = t.call_python(library.python_sum, [x], {}, node)
        if is_int(x.type.elem):
            total = Val(x.type.element(), t.cast(total, x.type.elem))
    elif x.is_group("tuple", "list"):
        total = number(0)
        for i in x.items:
            total = t.operate(ast.Add(), total, i, node)
    else:
        t.refuse(node, f"sum() of {x.type!r} is not compiled", "use np.sum")
    return total if start is None else t.operate(ast.Add(), start, total, node)


def _truths(f, of_arrays, word):
    def handler(t, node, x):
        x = t.list_from(x, node) if x.is_group("dict", "entries", "buffer") or isinstance(x.type, Const) else x
        if x.is_group("iterator", "set"):
            x = x.items[0]
        if x.is_array and x.type.rank == 1:
            val = of_arrays(t, node, x)
            return Val(BOOL, val.code)
        if x.is_list:
            return number(f is all) if x.type.kind == "empty" else handler(t, node, t.list_array(x, node))
        if x.is_group("tuple", "list"):
            tests = [t.truth(i, node) for i in x.items]
            text = n.const(int(f is all), Scalar("bool"))
            for test in tests:
                text = n.binary(word, Scalar("bool"), text, test.code)
            return Val(BOOL, text)
        t.refuse(node, f"{f.__name__}() of {x.type!r} is not compiled")
    function(f)(handler)


_truths(any, np_any, "or")
_truths(all, np_all, "and")


@function(math.gcd)
def math_gcd(t, node, a, b):
    for v in (a, b):
        if v.is_scalar and not is_known_int(v.type):
            t.raise_(node, TypeError, f"'{v.type!r}' object cannot be interpreted as an integer")
            return number(0)
    return t.call_python(library.gcd, [a, b], {}, node)


@function(math.isqrt)
def math_isqrt(t, node, x):
    if x.is_scalar and not is_known_int(x.type):
        t.raise_(node, TypeError, f"'{x.type!r}' object cannot be interpreted as an integer")
        return number(0)
    return t.call_python(library.isqrt, [x], {}, node)


@function(math.copysign)
def math_copysign(t, node, x, y):
    return t.call_python(library.copysign, [Val(Scalar("float64", False, True), t.cast(number_of(t, node, v), "float64")) for v in (x, y)], {}, node)


def _cmath():
    real, truth, both = Scalar("float64"), Scalar("bool"), Scalar("float64", True, True)

    def part(z, name):
        return n.lib(name, real, z.code)

    def test(word, x):
        return n.lib(word, truth, x)

    def no_value(word, z):
        """Where cmath raises ValueError: one part of z is infinite, and the other one has a value for which the result is undefined."""
        turned = word in ("sin", "cos", "tan")  # computed as functions of i * z
        x, y = (part(z, p) for p in (("imag", "real") if turned else ("real", "imag")))
        if word in ("tan", "tanh"):
            other = test("isfinite", x)
        elif word == "exp":
            other = n.unary("not", truth, n.binary("or", truth, test("isnan", x), n.binary("eq", truth, x, n.const(-math.inf, real))))
        else:
            other = n.unary("not", truth, test("isnan", x))
        return n.binary("and", truth, test("isinf", y), other)

    for name in ("exp", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"):
        def handler(t, node, z, word=name):
            z = t.once(Val(both, t.cast(number_of(t, node, z), "float64", True)), node)
            if word != "sqrt":
                t.guard(node, no_value(word, z), ValueError, "math domain error")
            val = Val(both, mapped(t, node, word, z).code)
            if word in ("tan", "tanh"):  # C defines one part of tan(i * NaN) as a number
                x, y = (part(z, p) for p in (("imag", "real") if word == "tan" else ("real", "imag")))
                odd = Val(BOOL, n.binary("and", truth, test("isnan", y), test("isfinite", x)))
                val = select(t, node, odd, number(complex(math.nan, math.nan)), val)
            return val
        function(getattr(cmath, name))(handler)

    def not_zero(t, node, z):
        t.guard(node, n.binary("eq", Scalar("bool"), z.code, n.const(0, z.type)), ValueError, "math domain error")

    def logarithm(t, node, z, word, of_zero=False):
        z = t.once(Val(Scalar("float64", True, True), t.cast(number_of(t, node, z), "float64", True)), node)
        if not of_zero:
            not_zero(t, node, z)
        return t.once(Val(Scalar("float64", True, True), n.lib(word, Scalar("float64", True), z.code)), node)

    @function(cmath.log)
    def log(t, node, z, base=None):
        # With a base, there is no error for the logarithm of 0: Python divides it by the logarithm of the base.
        value = logarithm(t, node, z, "log", base is not None)
        if base is None:
            return value
        divisor = logarithm(t, node, base, "log")
        not_zero(t, node, divisor)
        return t.operate(ast.Div(), value, divisor, node)

    @function(cmath.log10)
    def log10(t, node, z):
        return logarithm(t, node, z, "log10")

    @function(cmath.phase)
    def phase(t, node, z):
        return Val(Scalar("float64", False, True), n.lib("angle", Scalar("float64"), t.cast(number_of(t, node, z), "float64", True)))


_cmath()
