"""Elementwise functions: ufuncs, where, clip, rounding."""
from __future__ import annotations

import ast
import math
import operator

import numpy as np

from . import _nodes as n
from ._numpy import function
from ._types import BOOL, FLOAT, INT, Array, Scalar, bound_below, is_float, is_int, is_unsigned, numpy_dtype, promote
from ._value import Val, number

_BOOL = Scalar("bool")
_PYTHON = {ast.Lt: operator.lt, ast.LtE: operator.le}


def numeric(t, node, *vals):
    """The arguments converted to numbers and arrays; lists become arrays."""
    out = []
    for v in vals:
        v = t.array_of(v, node) if v.is_group("list", "tuple") else v
        if not v.is_numeric:
            t.refuse(node, f"{v.type!r} is neither a number nor an array")
        out.append(t.plain(v, node))
    return out if len(out) != 1 else out[0]


def strong(val):
    """Converts a Python number to a NumPy scalar, which NumPy functions return."""
    if val.is_scalar and val.type.weak:
        return Val(Scalar(val.type.elem, val.type.complex), val.code, low=val.low)
    return val


def into(t, node, out, val):
    """The result; stored to the array `out` if the call has one."""
    if out is None or out.is_none():
        return strong(val)
    if out.is_group("tuple") and len(out.items) == 1:
        out = out.items[0]
    if not out.is_array:
        t.refuse(node, f"out must be an array, not {out.type!r}")
    if not np.can_cast(numpy_dtype(val.type), numpy_dtype(out.type), "same_kind"):
        t.refuse(node, f"a result of {val.type!r} cannot be stored to {out.type!r}")
    t.store_whole(t.keep(out, node), val, node)
    return out


def int_of_bool(t, v):
    """Converts bools to the type that NumPy uses in functions without a variant for bool."""
    return v if v.type.elem != "bool" else Val(like(v, "int8"), t.cast(v, "int8"), low=0 if v.is_scalar else None)


def like(v, elem, complex=False):
    if v.is_scalar:
        return Scalar(elem, complex)
    return Array(elem, complex, v.type.rank, "colmajor" if v.type.layout == "colmajor" else "rowmajor")


def float_elem(t, node, *vals):
    """The type in which NumPy computes floating-point functions of these operands: narrow integers give narrow floats. (Bools give float64:
    docs/python.md.)"""
    if all(v.type.elem == "bool" for v in vals):
        return "float64"
    samples = [{"int64": 1, "float64": 1.0, "bool": True}[v.type.elem] if v.is_scalar and v.type.weak else np.ones(1, v.type.elem) for v in vals]
    return (np.sqrt, np.arctan2)[len(vals) - 1](*samples).dtype.name


def floated(t, node, x):
    """The number or array converted to a floating-point type."""
    return x if is_float(x.type.elem) else t.as_float(x, float_elem(t, node, x))


def mapped(t, node, word, x, complex_ok=True):
    """A function of one argument with floating-point results."""
    if x.type.complex and not complex_ok:
        t.refuse(node, f"'{word}' of complex numbers is not compiled")
    elem = x.type.elem if is_float(x.type.elem) else float_elem(t, node, x)
    to = like(x, elem, x.type.complex)
    return Val(to, n.lib(word, to, t.cast(x, elem, x.type.complex)))


def _float_maps():
    names = {"sqrt": "sqrt", "exp": "exp", "expm1": "expm1", "log": "log", "log2": "log2", "log10": "log10",
             "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos",
             "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh"}
    for numpy_name, word in names.items():
        def handler(t, node, x, out=None, word=word):
            return into(t, node, out, mapped(t, node, word, numeric(t, node, x)))
        function(getattr(np, numpy_name))(handler)


_float_maps()


def _same_maps():
    for f, word in ((np.floor, "floor"), (np.ceil, "ceil"), (np.trunc, "fix"), (getattr(np, "fix", None), "fix")):
        def handler(t, node, x, out=None, word=word, floats=f is not None and f(np.ones(1, int)).dtype == float):
            x = numeric(t, node, x)
            if x.type.complex:
                t.refuse(node, f"'{word}' of complex numbers does not exist")
            if floats and not is_float(x.type.elem):  # NumPy 1 returns floats
                no_bools(t, node, x, "float16")
                return into(t, node, out, floated(t, node, x))
            if not is_float(x.type.elem):
                return into(t, node, out, x)
            to = like(x, x.type.elem)
            return into(t, node, out, Val(to, n.lib(word, to, x.code)))
        function(f)(handler)


_same_maps()


def absolute(t, node, x):
    if x.is_const and x.is_scalar and x.type.weak:
        return number(abs(x.const))
    if x.type.elem in ("uint8", "uint16", "uint32", "uint64") and not x.type.complex:
        return x if x.is_scalar else Val(like(x, x.type.elem), x.code)
    to = x.type if x.is_scalar else like(x, x.type.elem)
    to = Scalar(to.elem, False, to.weak) if x.is_scalar else to
    low = bound_below(to.elem, 0) if x.is_scalar and is_int(to.elem) else None  # the absolute value of -128 as int8 is -128
    return Val(to, n.lib("abs", to, x.code), low=low)


@function(np.abs, np.absolute)
def np_abs(t, node, x, out=None):
    return into(t, node, out, absolute(t, node, numeric(t, node, x)))


@function(np.fabs)
def np_fabs(t, node, x, out=None):
    x = numeric(t, node, x)
    if x.type.complex:
        t.refuse(node, "np.fabs of complex numbers does not exist")
    return into(t, node, out, absolute(t, node, floated(t, node, x)))


_SIGN_IS_UNIT = np.sign(1j) == 1j


@function(np.sign)
def np_sign(t, node, x, out=None):
    x = numeric(t, node, x)
    if x.type.elem == "bool":
        t.refuse(node, "bools have no sign")
    if x.type.complex and not _SIGN_IS_UNIT:
        t.refuse(node, "the sign of a complex number is that of its real part in this NumPy, which is not compiled", "write z / abs(z)")
    to = like(x, x.type.elem, x.type.complex)
    return into(t, node, out, Val(to, n.lib("sign", to, x.code)))


def no_bools(t, node, x, gives):
    if x.is_array and x.type.elem == "bool":
        t.refuse(node, f"NumPy gives {gives} of bools here, which is not compiled", "convert to int")


@function(np.conj, np.conjugate)
def np_conj(t, node, x, out=None):
    return into(t, node, out, method_conj(t, node, int_of_bool(t, x)))


@function(method=("conj", "conjugate"))
def method_conj(t, node, x):
    if not (x.is_group() or x.type.complex):
        return x if x.type != BOOL else number(int(x.const)) if x.is_const else Val(INT, t.cast(x, "int64"), low=0)
    x = numeric(t, node, x)
    to = Scalar(x.type.elem, True, x.type.weak) if x.is_scalar else like(x, x.type.elem, True)
    return Val(to, n.lib("conj", to, x.code))


@function(np.angle)
def np_angle(t, node, z, deg=None):
    x = numeric(t, node, z)
    elem = x.type.elem if is_float(x.type.elem) else float_elem(t, node, x)
    to = like(x, elem)
    angle = Val(to, n.lib("angle", to, t.cast(x, elem, x.type.complex)))
    if deg is None or not t.static(deg, node, "deg"):
        return angle
    return t.operate(ast.Mult(), angle, number(180 / math.pi), node)


@function(np.real)
def np_real(t, node, x):
    return t.complex_part(t.array_of(x, node) if x.is_group() else x, "real", node)


@function(np.imag)
def np_imag(t, node, x):
    return t.complex_part(t.array_of(x, node) if x.is_group() else x, "imag", node)


@function(np.square)
def np_square(t, node, x, out=None):
    x = t.once(int_of_bool(t, numeric(t, node, x)), node)
    return into(t, node, out, t.operate(ast.Mult(), x, x, node))


@function(np.reciprocal)
def np_reciprocal(t, node, x, out=None):
    x = numeric(t, node, x)
    if not is_float(x.type.elem):
        t.refuse(node, "np.reciprocal of integers is not compiled")
    x = t.once(strong(x), node)
    inverse = t.operate(ast.Div(), number(1.0), x, node)
    if x.type.complex:  # complex division by zero would give an infinite imaginary part, which NumPy's result does not have
        nan = number(complex(math.nan, math.nan))
        inverse = select(t, node, t.compare(ast.Eq(), x, number(0j), node), nan, inverse)
    return into(t, node, out, inverse)


@function(np.exp2)
def np_exp2(t, node, x, out=None):
    x = strong(numeric(t, node, x))
    x = floated(t, node, x)
    if not x.type.complex:
        return into(t, node, out, t.operate(ast.Pow(), number(2.0), x, node))
    # e^(x log 2), with the real and imaginary part of x scaled separately.
    x, to, part = t.once(x, node), like(x, x.type.elem, True), like(x, x.type.elem)
    scaled = [t.operate(ast.Mult(), Val(part, n.lib(p, part, x.code)), number(math.log(2)), node) for p in ("real", "imag")]
    return into(t, node, out, Val(to, n.lib("exp", to, f"(complex {to.vrir()} {scaled[0].code} {scaled[1].code})")))


def _angles():
    for f, factor in ((np.deg2rad, math.pi / 180), (np.rad2deg, 180 / math.pi)):
        def handler(t, node, x, out=None, factor=factor):
            x = strong(numeric(t, node, x))
            if x.type.complex:
                t.refuse(node, "angles must be real numbers")
            x = floated(t, node, x)
            if x.type.elem == "float16":  # NumPy computes it in single precision
                wide = t.operate(ast.Mult(), Val(like(x, "float32"), t.cast(x, "float32")), number(factor), node)
                return into(t, node, out, Val(like(x, "float16"), t.cast(wide, "float16")))
            return into(t, node, out, t.operate(ast.Mult(), x, number(factor), node))
        function(f, {np.deg2rad: np.radians, np.rad2deg: np.degrees}[f])(handler)


_angles()


def _tests():
    for f, word in ((np.isnan, "isnan"), (np.isinf, "isinf"), (np.isfinite, "isfinite")):
        def handler(t, node, x, out=None, word=word):
            x = numeric(t, node, x)
            to = like(x, "bool")
            return into(t, node, out, Val(to, n.lib(word, to, x.code)))
        function(f)(handler)


_tests()


def _operators():
    """ufuncs of two arguments that are operators. They operate on NumPy scalars, so there is no ZeroDivisionError."""
    ops = {np.add: ast.Add, np.subtract: ast.Sub, np.multiply: ast.Mult, np.divide: ast.Div, np.true_divide: ast.Div,
           np.floor_divide: ast.FloorDiv, np.mod: ast.Mod, np.remainder: ast.Mod, np.power: ast.Pow,
           np.bitwise_and: ast.BitAnd, np.bitwise_or: ast.BitOr, np.bitwise_xor: ast.BitXor, np.left_shift: ast.LShift,
           np.right_shift: ast.RShift, np.matmul: ast.MatMult}
    for f, op in ops.items():
        def handler(t, node, a, b, out=None, op=op):
            a, b = (t.array_of(v, node) if v.is_group("list", "tuple") else v for v in (a, b))
            if a.is_scalar and b.is_scalar and a.type.weak and (b.type.weak or a.type.complex):
                elem, complex, _ = promote(a.type, b.type)
                a = Val(Scalar(elem, complex), t.cast(a, elem, complex), low=a.low)
            return into(t, node, out, t.operate(op(), a, b, node))
        function(f)(handler)
    compares = {np.less: ast.Lt, np.less_equal: ast.LtE, np.greater: ast.Gt, np.greater_equal: ast.GtE, np.equal: ast.Eq,
                np.not_equal: ast.NotEq}
    for f, op in compares.items():
        def handler(t, node, a, b, out=None, op=op):
            a, b = numeric(t, node, a, b)
            return into(t, node, out, t.compare(op(), a, b, node))
        function(f)(handler)


_operators()


def truths(t, node, x):
    """The elements' truth values."""
    x = numeric(t, node, x)
    if x.type.elem == "bool" and not x.type.complex:
        return x
    to = like(x, "bool")
    return Val(to, n.binary("neq", to, x.code, n.const(0, Scalar(x.type.elem, x.type.complex))))


@function(np.logical_and)
def np_and(t, node, a, b, out=None):
    return into(t, node, out, t.logic("and", truths(t, node, a), truths(t, node, b), node))


@function(np.logical_or)
def np_or(t, node, a, b, out=None):
    return into(t, node, out, t.logic("or", truths(t, node, a), truths(t, node, b), node))


@function(np.logical_xor)
def np_xor(t, node, a, b, out=None):
    return into(t, node, out, t.logic("neq", truths(t, node, a), truths(t, node, b), node))


@function(np.logical_not)
def np_not(t, node, a, out=None):
    a = truths(t, node, a)
    return into(t, node, out, Val(like(a, "bool"), n.unary("not", like(a, "bool"), a.code)))


@function(np.invert, np.bitwise_not)
def np_invert(t, node, a, out=None):
    return into(t, node, out, t.unary(ast.Invert(), strong(numeric(t, node, a)), node))


@function(np.negative)
def np_negative(t, node, a, out=None):
    return into(t, node, out, t.unary(ast.USub(), strong(numeric(t, node, a)), node))


@function(np.positive)
def np_positive(t, node, a, out=None):
    return into(t, node, out, t.unary(ast.UAdd(), strong(numeric(t, node, a)), node))


def two(t, node, word, a, b, floats=False):
    elem, complex, weak = promote(a.type, b.type)
    if complex:
        t.refuse(node, f"'{word}' of complex numbers is not compiled")
    if floats and not is_float(elem):
        elem = float_elem(t, node, a, b)
        a, b = t.as_float(a, elem), t.as_float(b, elem)
    return t.binary("lib " + word, a, b, node, elem, False, weak)


def _pairs():
    for f, word, floats in ((np.minimum, "min2", False), (np.maximum, "max2", False), (np.fmod, "rem", False),
                            (np.arctan2, "atan2", True), (np.hypot, "hypot", True)):
        def handler(t, node, a, b, out=None, word=word, floats=floats):
            a, b = (t.array_of(v, node) if v.is_group("list", "tuple") else v for v in (a, b))
            val = two(t, node, word, a, b, floats)
            if not floats and promote(a.type, b.type)[0] == "bool":
                to = like(val, "int8" if word == "rem" else "bool")
                val = Val(to, f"(cast {to.vrir()} {val.code})")
            return into(t, node, out, val)
        function(f)(handler)


_pairs()


def _gives(f, *args, **kwargs):
    """Whether this version of NumPy accepts such a call."""
    try:
        f(*args, **kwargs)
        return True
    except (TypeError, ValueError):
        return False


_CLIP_BY_NAME, _CLIP_WITHOUT = _gives(np.clip, np.ones(1), min=0.0), _gives(np.clip, np.ones(1), None, None)


@function(np.clip)
def np_clip(t, node, a, a_min=None, a_max=None, out=None, min=None, max=None):
    low, high = a_min or min, a_max or max
    if (a_min is None) != (a_max is None) or (low is None and high is None):
        t.refuse(node, "np.clip needs both bounds", "pass None for the other one")
    if not _CLIP_BY_NAME and not (min is None and max is None):
        t.refuse(node, "the bounds of this NumPy's np.clip are 'a_min' and 'a_max'")
    return method_clip(t, node, a, low, high, out)


@function(method="clip")
def method_clip(t, node, a, min=None, max=None, out=None):
    a, low, high = numeric(t, node, a), min, max
    if not _CLIP_WITHOUT and all(v is None or v.is_none() for v in (low, high)):
        t.raise_(node, ValueError, "One of max or min must be given")
    elem = a.type.elem
    for word, bound in (("max2", low), ("min2", high)):
        if bound is not None and not bound.is_none():
            a = two(t, node, word, a, nearest(t, node, numeric(t, node, bound), elem))
    return into(t, node, out, a)


def nearest(t, node, v, elem):
    """A Python int converted to an integer type, saturated."""
    if not (v.is_scalar and v.type == INT and is_int(elem)) or elem == "int64":
        return v
    limits = np.iinfo(elem)
    if v.is_const:
        return number(min(max(v.const, limits.min), limits.max), Scalar(elem))
    low, high = n.const(limits.min, INT), n.const(min(limits.max, (1 << 63) - 1), INT)
    return Val(Scalar(elem), f"(cast ({elem}) {n.lib('min2', INT, n.lib('max2', INT, v.code, low), high)})")


def select(t, node, test, yes, no):
    """where(test, yes, no), elementwise."""
    elem, complex, weak = promote(yes.type, no.type)
    test, yes = t.aligned(test, yes, node)
    yes, no = t.aligned(yes, no, node)
    rank, several = max(v.type.rank for v in (test, yes, no)), 0
    for k, j in ((0, 1), (0, 2), (1, 2)):
        operands = [test, yes, no]
        operands[k], operands[j], tested = t.checked_pair(operands[k], operands[j], node)
        test, yes, no = operands
        several += tested
    to = Scalar(elem, complex, weak) if rank == 0 else Array(elem, complex, rank)
    val = Val(to, n.lib("where", to, test.code, t.cast(yes, elem, complex), t.cast(no, elem, complex)))
    return t.cannot_fault(val) if several or t.traps and sum(v.is_array for v in operands) == 1 and all(v.var is not None or v.is_const for v in operands) else val


@function(np.where)
def np_where(t, node, condition, x=None, y=None):
    if (x is None) != (y is None):
        t.refuse(node, "either both or neither of x and y should be given")
    if x is None:
        from ._numpy_rearrange import np_nonzero
        return np_nonzero(t, node, condition)
    test = truths(t, node, condition)
    return strong(select(t, node, test, *numeric(t, node, x, y)))


def of_parts(t, node, x, f):
    """The complex number f(real part) + i f(imaginary part), built without arithmetic that would mix NaNs or signs of zeros."""
    x = t.once(x, node)
    part, whole = like(x, x.type.elem), like(x, x.type.elem, True)
    real, imag = (t.once(f(Val(part, n.lib(p, part, x.code))), node) for p in ("real", "imag"))
    return Val(whole, f"(complex {whole.vrir()} {real.code} {imag.code})")


def half_even(t, node, x):
    """Rounds to integers, halves to even."""
    if not is_float(x.type.elem):
        return x
    if x.type.complex:
        return of_parts(t, node, x, lambda part: half_even(t, node, part))
    to = like(x, x.type.elem)
    return Val(to, n.lib("rint", to, x.code))


@function(np.rint)
def np_rint(t, node, x, out=None):
    no_bools(t, node, x, "float16")
    x = numeric(t, node, x)
    return into(t, node, out, half_even(t, node, floated(t, node, x)))


@function(np.round, getattr(np, "around", None), getattr(np, "round_", None), method="round")
def np_round(t, node, a, decimals=None, out=None):
    a = numeric(t, node, a)
    no_bools(t, node, a, "float16")
    a = t.as_float(a) if a.type.elem == "bool" else a
    d = 0 if decimals is None else t.static_int(decimals, node, "the number of decimals")
    if d == 0 or not is_float(a.type.elem):
        if d < 0:
            t.refuse(node, "rounding of integers to tens is not compiled")
        return into(t, node, out, half_even(t, node, strong(a)))
    if a.type.complex:
        return into(t, node, out, of_parts(t, node, strong(a), lambda part: np_round(t, node, part, decimals)))
    scale = number(float(10 ** abs(d)))
    there, back = (ast.Mult(), ast.Div()) if d > 0 else (ast.Div(), ast.Mult())
    scaled = t.operate(there, strong(a), scale, node)
    if out is not None and out.is_array and is_float(out.type.elem) and out.type.elem != scaled.type.elem:
        no_bools(t, node, out, "float16")
        elem = out.type.elem  # NumPy stores the intermediate result in `out`
        scaled = Val(like(scaled, elem), t.cast(scaled, elem))
    return into(t, node, out, t.operate(back, half_even(t, node, scaled), scale, node))


#: NumPy 1 compares only finite numbers with a negative tolerance.
_EQUAL_IS_CLOSE = bool(np.isclose(1.0, 1.0, rtol=-1.0, atol=-1.0))


@function(np.isclose)
def np_isclose(t, node, a, b, rtol=None, atol=None):
    a, b = (t.once(v, node) for v in numeric(t, node, a, b))
    b = b if is_float(b.type.elem) else t.once(t.as_float(b), node)
    rtol, atol = rtol or number(1e-5), atol or number(1e-8)
    bound = t.operate(ast.Add(), atol, t.operate(ast.Mult(), rtol, absolute(t, node, b), node), node)
    distance = absolute(t, node, t.operate(ast.Sub(), a, b, node))
    near = t.compare(ast.LtE(), distance, bound, node)
    finite = t.once(Val(like(b, "bool"), n.lib("isfinite", like(b, "bool"), b.code)), node)
    equal = t.compare(ast.Eq(), a, b, node)
    if not _EQUAL_IS_CLOSE:
        equal = t.logic("and", equal, Val(like(b, "bool"), n.unary("not", like(b, "bool"), finite.code)), node)
    return strong(t.logic("or", t.logic("and", near, finite, node), equal, node))


@function(np.allclose)
def np_allclose(t, node, a, b, rtol=None, atol=None):
    near = np_isclose(t, node, a, b, rtol, atol)
    return Val(BOOL, near.code) if near.is_scalar else Val(BOOL, n.lib("all", _BOOL, near.code))


# ---- module math: Python numbers, and Python's exceptions
def _math():
    names = {"sin": "sin", "cos": "cos", "tan": "tan", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
             "exp": "exp", "expm1": "expm1", "erf": "erf", "erfc": "erfc", "asinh": "asinh"}
    limits = {"sqrt": ("sqrt", ast.Lt, 0.0), "log": ("log", ast.LtE, 0.0), "log2": ("log2", ast.LtE, 0.0),
              "log10": ("log10", ast.LtE, 0.0), "log1p": ("log1p", ast.LtE, -1.0), "acosh": ("acosh", ast.Lt, 1.0)}

    def as_python(t, node, x):
        if not x.is_scalar or x.type.complex:
            t.refuse(node, f"math functions need a real number, not {x.type!r}", "use the function of NumPy")
        return Val(FLOAT, t.cast(x, "float64"), const=float(x.const)) if x.is_const else Val(FLOAT, t.cast(x, "float64"))

    def infinite(x):
        return n.lib("isinf", _BOOL, x.code)

    for name, word in names.items():
        def handler(t, node, x, word=word):
            x = as_python(t, node, x)
            if word in ("sin", "cos", "tan"):
                x = t.once(x, node)
                t.guard(node, infinite(x), ValueError, "math domain error")
            return Val(FLOAT, n.lib(word, Scalar("float64"), x.code))
        function(getattr(math, name))(handler)
    for name, word in (("gamma", "gamma"), ("lgamma", "lgamma")):
        def gamma(t, node, x, word=word):
            x = t.once(as_python(t, node, x), node)
            result = t.keep(Val(FLOAT, n.lib(word, Scalar("float64"), x.code)), node)
            given = n.lib("isfinite", _BOOL, x.code)
            whole = n.binary("eq", _BOOL, x.code, n.lib("floor", Scalar("float64"), x.code))
            pole = n.binary("and", _BOOL, n.binary("and", _BOOL, whole, given), n.binary("leq", _BOOL, x.code, n.const(0.0, FLOAT)))
            if word == "gamma":  # also for -inf
                pole = n.binary("or", _BOOL, pole, n.binary("eq", _BOOL, x.code, n.const(float("-inf"), FLOAT)))
            t.guard(node, pole, ValueError, "math domain error")
            t.guard(node, n.binary("and", _BOOL, given, infinite(result)), OverflowError, "math range error")
            return result
        function(getattr(math, name))(gamma)
    for name, (word, op, limit) in limits.items():
        def limited(t, node, x, base=None, word=word, op=op, limit=limit, name=name):
            def logarithm(x):
                x = t.once(as_python(t, node, x), node)
                outside = n.const(int(_PYTHON[op](x.const, limit)), _BOOL) if x.is_const else t.compare(
                    op(), x, number(limit), node).code
                t.guard(node, outside, ValueError, "math domain error")
                return Val(FLOAT, n.lib(word, Scalar("float64"), x.code))

            if base is None:
                return logarithm(x)
            if name != "log":
                t.refuse(node, "one argument is needed")
            return t.operate(ast.Div(), logarithm(x), logarithm(base), node)
        function(getattr(math, name))(limited)
    for name, word, least in (("asin", "asin", "gt"), ("acos", "acos", "gt"), ("atanh", "atanh", "geq")):
        def handler(t, node, x, word=word, least=least):
            x = t.once(as_python(t, node, x), node)
            t.guard(node, n.binary(least, _BOOL, n.lib("abs", Scalar("float64"), x.code), n.const(1.0, FLOAT)), ValueError,
                    "math domain error")
            return Val(FLOAT, n.lib(word, Scalar("float64"), x.code))
        function(getattr(math, name))(handler)
    for name, word in (("atan2", "atan2"), ("hypot", "hypot"), ("fmod", "rem")):
        def handler(t, node, a, b, word=word):
            a, b = as_python(t, node, a), as_python(t, node, b)
            if word == "rem":
                a, b = t.once(a, node), t.once(b, node)
                no_value(t, node, a, b, n.lib("rem", Scalar("float64"), a.code, b.code))
            return Val(FLOAT, n.lib(word, Scalar("float64"), a.code, b.code))
        function(getattr(math, name))(handler)

    def no_value(t, node, a, b, code):
        """Raises ValueError if the result of a function of two numbers is NaN and the arguments are not."""
        given = n.binary("or", _BOOL, n.lib("isnan", _BOOL, a.code), n.lib("isnan", _BOOL, b.code))
        t.guard(node, n.binary("and", _BOOL, n.lib("isnan", _BOOL, code), n.unary("not", _BOOL, given)), ValueError,
                "math domain error")

    @function(math.pow)
    def math_pow(t, node, a, b):
        a, b = t.once(as_python(t, node, a), node), t.once(as_python(t, node, b), node)
        result = t.keep(Val(FLOAT, n.lib("pow", Scalar("float64"), a.code, b.code)), node)
        no_value(t, node, a, b, result.code)
        pole = n.binary("and", _BOOL, n.binary("eq", _BOOL, a.code, n.const(0.0, FLOAT)), n.lib("isfinite", _BOOL, b.code))
        t.guard(node, n.binary("and", _BOOL, pole, infinite(result)), ValueError, "math domain error")
        return result

    @function(math.fabs)
    def math_fabs(t, node, x):
        return absolute(t, node, as_python(t, node, x))

    @function(math.degrees)
    def math_degrees(t, node, x):
        return t.operate(ast.Mult(), as_python(t, node, x), number(180 / math.pi), node)

    @function(math.radians)
    def math_radians(t, node, x):
        return t.operate(ast.Mult(), as_python(t, node, x), number(math.pi / 180), node)

    for name, word in (("isnan", "isnan"), ("isinf", "isinf"), ("isfinite", "isfinite")):
        def handler(t, node, x, word=word):
            return Val(BOOL, n.lib(word, _BOOL, as_python(t, node, x).code))
        function(getattr(math, name))(handler)
    for name, word in (("floor", "floor"), ("ceil", "ceil"), ("trunc", "fix")):
        def handler(t, node, x, word=word):
            if x.is_scalar and is_int(x.type.elem):
                return to_int(t, node, x)
            x = as_python(t, node, x)
            return to_int(t, node, Val(FLOAT, n.lib(word, Scalar("float64"), x.code)))
        function(getattr(math, name))(handler)


def to_int(t, node, x):
    """int(x)"""
    if x.type.complex:
        t.refuse(node, "a complex number cannot become an int")
    if x.is_const and math.isfinite(x.const):  # others raise at run time
        return number(int(x.const))
    if x.type.elem == "uint64":
        x = t.once(x, node)
        t.guard(node, n.binary("gt", _BOOL, x.code, n.const((1 << 63) - 1, Scalar("uint64"))), OverflowError,
                "an int that does not fit into int64 is not compiled")
    if not is_float(x.type.elem):
        return Val(INT, t.cast(x, "int64"), low=0 if is_unsigned(x.type.elem) else x.low)
    x = t.once(x, node)
    fits = n.binary("lt", _BOOL, n.lib("abs", Scalar(x.type.elem), x.code), n.const(2.0 ** 63, Scalar(x.type.elem)))
    def lost():
        t.guard(node, n.lib("isnan", _BOOL, x.code), ValueError, "cannot convert float NaN to integer")
        t.raise_(node, OverflowError, "cannot convert float infinity, or one beyond 64 bits, to integer")

    body, _ = t.block(lost)
    t.emit(n.if_(n.unary("not", _BOOL, fits), body, [], t.loc(node)))
    return Val(INT, t.cast(x, "int64"))


_math()
