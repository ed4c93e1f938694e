"""The methods of NumPy's ufuncs: reduce, accumulate, reduceat, outer, at."""
from __future__ import annotations

import ast
import functools

import numpy as np

from . import _nodes as n
from . import library_ufuncs
from ._numpy import TABLE
from ._numpy_elementwise import into, numeric, strong
from ._numpy_reduce import axes_of, converted, flag, one_axis, reduced
from ._types import DTYPES, Array, Scalar, numpy_dtype
from ._value import Val, group, number

#: Reductions that VRIR has. (In NumPy, reductions of ufuncs on bools give bools, but np.add gives the types of np.sum.)
_WORDS = {np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min", np.logical_and: "all", np.logical_or: "any"}
_SCANS = {np.add: "cumsum", np.multiply: "cumprod", np.maximum: "cummax", np.minimum: "cummin"}
#: Functions for which NumPy's AVX-512 code leaves elements out of a reduction.
_MACHINE = (np.power, np.float_power, np.arctan2)
#: Functions that are commutative and associative: several axes may be reduced together.
_ANY_ORDER = (np.add, np.multiply, np.maximum, np.minimum, np.fmax, np.fmin, np.logical_and, np.logical_or, np.logical_xor, np.bitwise_and,
              np.bitwise_or, np.bitwise_xor, np.gcd, np.lcm, np.hypot, np.logaddexp, np.logaddexp2)


def find(owner, name):
    """The handler for a method of a ufunc; None if it is not compiled."""
    if not isinstance(owner, np.ufunc) or id(owner) not in TABLE:
        return None
    if name == "at":
        return functools.partial(_at, owner)
    if owner.nin != 2 or owner.nout != 1:
        return None
    handler = {"reduce": _reduce, "accumulate": _accumulate, "reduceat": _reduceat, "outer": _outer}.get(name)
    return None if handler is None else _handler(handler, owner)


@functools.lru_cache(maxsize=None)
def _handler(handler, f):
    if handler is _outer:
        return lambda t, node, A, B: _outer(f, t, node, A, B)
    if handler is _accumulate:
        return lambda t, node, array, axis=None, dtype=None, out=None: _accumulate(f, t, node, array, axis, dtype, out)
    if handler is _reduceat:
        return lambda t, node, array, indices, axis=None, dtype=None, out=None: _reduceat(f, t, node, array, indices, axis, dtype, out)
    return lambda t, node, array, axis=None, dtype=None, out=None, keepdims=None, initial=None, where=None: _reduce(
        f, t, node, array, axis, dtype, out, keepdims, initial, where)


def _computed_in(t, node, f, method, a, dtype):
    """The array converted to the type in which the method computes and of which its result is."""
    wanted = t.dtype_of(dtype, node)
    kwargs = {} if wanted is None else {"dtype": numpy_dtype(Scalar(*wanted))}
    sample = np.ones((2, ) * a.type.rank, numpy_dtype(a.type))
    args = (sample, [0]) if method == "reduceat" else (sample, )
    with np.errstate(all="ignore"):
        try:
            result = getattr(f, method)(*args, **kwargs).dtype
        except TypeError as e:
            t.refuse(node, str(e))
    if result not in DTYPES or f(np.ones(1, result), np.ones(1, result)).dtype != result:
        t.refuse(node, f"np.{f.__name__}.{method} of {a.type!r} is not compiled", "write the loop")
    return converted(t, node, a, *DTYPES[result])


def _array(t, node, f, method, a):
    a = strong(numeric(t, node, a))
    if not a.is_array:
        t.raise_(node, TypeError, f"cannot {method} on a scalar")
        return Val(Array(a.type.elem, a.type.complex, 1), n.lib("reshape", Array(a.type.elem, a.type.complex, 1), a.code, n.ONE))
    return t.keep(a, node)


def _reduce(f, t, node, array, axis, dtype, out, keepdims, initial, where):
    if where is not None and not (where.is_const and where.const is True):
        t.refuse(node, f"np.{f.__name__}.reduce with 'where' is not compiled", "reduce x[mask]")
    if f in _MACHINE:
        t.refuse(node, f"np.{f.__name__}.reduce is not compiled: NumPy's result depends on the processor", "use accumulate, and take the last element")
    a = _array(t, node, f, "reduce", array)
    keeps = flag(t, node, keepdims)
    axes = axes_of(t, node, number(0) if axis is None else axis, a.type.rank)
    whole = tuple(range(a.type.rank)) if axes is None else axes
    if len(whole) != 1 and f not in _ANY_ORDER:
        t.raise_(node, ValueError, f"reduction operation '{f.__name__}' is not reorderable, so at most one axis may be specified")
        whole = whole[:1] or (0, )
    first = None if initial is None or initial.is_none() else t.once(initial, node)
    if f in _WORDS and first is None and not (a.type.complex and f in (np.maximum, np.minimum)):
        if f in (np.logical_and, np.logical_or):
            from ._numpy_elementwise import truths
            val = reduced(t, node, _WORDS[f], truths(t, node, a), "bool", False, axes, keeps)
        else:
            a = _computed_in(t, node, f, "reduce", a, dtype)
            if a.type.elem == "bool":
                word = "any" if f in (np.add, np.maximum) else "all"
                if f in (np.maximum, np.minimum):
                    _nothing(t, node, f, t.keep(a, node), whole)
                val = reduced(t, node, word, a, "bool", False, axes, keeps)
            else:
                val = reduced(t, node, _WORDS[f], a, a.type.elem, a.type.complex, axes, keeps)
        return into(t, node, out, val)
    a = t.keep(_computed_in(t, node, f, "reduce", a, dtype), node)
    element = Scalar(a.type.elem, a.type.complex)
    if first is None and f.identity is None:
        _nothing(t, node, f, a, whole)
    elif first is None:
        first = number(f.identity if a.type.elem != "bool" else bool(f.identity), element)
    else:
        first = Val(element, t.fit(first, element))
    kept = a
    for k in reversed(whole):
        args, g = ([a], library_ufuncs.reduced) if first is None else ([a, first], library_ufuncs.reduced_from)
        a = t.call_python(g(f, a.type.rank, k), args, {}, node)
        first = None if f.identity is None or first is None else number(f.identity if a.type.elem != "bool" else bool(f.identity), element)
        a = t.keep(a, node) if a.is_array else a
    if keeps:
        rank = kept.type.rank
        if a.is_scalar:
            to = Array(element.elem, element.complex, rank)
            return into(t, node, out, Val(to, n.lib("reshape", to, a.code, *([n.ONE] * rank))))
        order, at = [], 0
        for k in range(rank):
            order.append(-1 if k in whole else at)
            at += k not in whole
        a = Val(a.type.with_axes(order), a.code, var=a.var)
    return into(t, node, out, a)


def _nothing(t, node, f, a, axes):
    """Raises ValueError if there are no elements to reduce."""
    for k in axes:
        t.guard(node, n.binary("eq", Scalar("bool"), t.extent(a, k, node), n.ZERO), ValueError,
                f"zero-size array to reduction operation {f.__name__} which has no identity")


def _accumulate(f, t, node, array, axis, dtype, out):
    a = _array(t, node, f, "accumulate", array)
    axes = one_axis(t, node, number(0) if axis is None else axis, a.type.rank)
    if axes is None:
        t.refuse(node, "'accumulate' needs a single axis", "use .ravel()")
    [k] = axes
    a = _computed_in(t, node, f, "accumulate", a, dtype)
    if f in _SCANS and not (a.type.complex and f in (np.maximum, np.minimum)) and a.type.elem != "bool":
        to = Array(a.type.elem, a.type.complex, a.type.rank)
        always = f in (np.maximum, np.minimum) or a.type.rank > 1
        return into(t, node, out, Val(to, n.lib(_SCANS[f], to, t.plain(a, node).code, *([n.const(k, n.INT64)] if always else []))))
    if f in (np.maximum, np.minimum) and a.type.elem == "bool":
        f = np.logical_or if f is np.maximum else np.logical_and
    return into(t, node, out, t.call_python(library_ufuncs.accumulated(f, a.type.rank, k), [t.keep(a, node)], {}, node))


def _reduceat(f, t, node, array, indices, axis, dtype, out):
    a = _array(t, node, f, "reduceat", array)
    if a.type.rank != 1 or axis is not None and one_axis(t, node, axis, 1) is None:
        t.refuse(node, "'reduceat' is compiled for arrays of one dimension", "call it for each row")
    places = numeric(t, node, indices)
    if not places.is_array or places.type.rank != 1 or places.type.elem not in ("int64", "int32"):
        t.refuse(node, "'reduceat' takes a list or array of integers")
    a, places = t.keep(_computed_in(t, node, f, "reduceat", a, dtype), node), t.keep(places, node)
    wrong = t.keep(t.call(np.logical_or, [t.compare(ast.Lt(), places, number(0), node),
                                          t.compare(ast.GtE(), places, t.size(a, node), node)], {}, node), node)
    t.guard(node, n.lib("any", Scalar("bool"), wrong.code), IndexError, f"index out-of-bounds in {f.__name__}.reduceat")
    return into(t, node, out, t.call_python(library_ufuncs.reduced_at(f), [a, places], {}, node))


def _outer(f, t, node, a, b):
    return TABLE[id(f)][1](t, node, *t.outer_operands(a, b, node))


def _at(f, t, node, a, indices, b=None):
    if not a.is_array or a.type.rank != 1:
        t.refuse(node, f"np.{f.__name__}.at is compiled for arrays of one dimension", "write the loop")
    if (b is None) != (f.nin == 1):
        t.refuse(node, f"np.{f.__name__}.at needs {'no' if f.nin == 1 else 'a'} second operand")
    places = numeric(t, node, indices)
    if places.is_scalar and places.type.elem != "bool":
        places = t.array_of(group("tuple", [places]), node)
    if not places.is_array or places.type.rank != 1 or places.type.complex or np.dtype(places.type.elem).kind not in "iu":
        t.refuse(node, f"np.{f.__name__}.at is compiled for a number or an array of integers as indices", "write the loop")
    operands = [a] if b is None else [a, numeric(t, node, b)]
    samples = [np.ones(1, numpy_dtype(v.type)) if v.is_array or not v.type.weak else v.type.elem == "int64" or 1.0 for v in operands]
    result = f(*[int(s) if s is True else s for s in samples]).dtype
    if not np.can_cast(result, numpy_dtype(a.type), "same_kind"):
        t.refuse(node, f"np.{f.__name__}.at gives {result}, which NumPy cannot store into {a.type!r}")
    if b is None:
        g, args = library_ufuncs.changed_at_alone(f), [a, t.keep(places, node)]
    else:
        v = operands[1]
        if v.is_array and v.type.rank != 1:
            t.refuse(node, f"np.{f.__name__}.at is compiled for a number or an array of one dimension as second operand")
        g, args = library_ufuncs.changed_at(f, 1 if v.is_array else 0), [a, t.keep(places, node), t.keep(v, node) if v.is_array else v]
    return t.call_python(g, args, {}, node)
