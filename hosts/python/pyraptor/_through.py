"""Functions of NumPy, SciPy and Python that compiled code calls through the interpreter, under the GIL, because it has no implementation of its own.

They must be functions of numbers and arrays that have no side effects and return new values, with a result type that depends only on the argument
types. The type is found at compile time by a call with sample arguments. Like pycall functions, they cannot be called in parallel loops. `report()`
lists them ("calls_python").
"""
from __future__ import annotations

import cmath
import inspect
import math
import types

import numpy as np

from ._types import BOOL, COMPLEX, DTYPES, FLOAT, INT, Array, Const, Group, Rank0, Scalar, is_numeric, number_type, numpy_dtype
from ._value import Val

#: NumPy functions that have a compiled form for most arguments; for other arguments NumPy is called. All of them return new arrays.
_ALSO = """sort argsort searchsorted partition argpartition unique median percentile quantile interp cov corrcoef nanmedian nanpercentile nanquantile
nanmean nanvar nanstd nansum nanprod nanmin nanmax nanargmin nanargmax nancumsum nancumprod average var std mean sum prod cumsum cumprod min max amin amax argmin argmax
any all ptp count_nonzero convolve correlate trapezoid trapz gradient ediff1d histogram histogram_bin_edges bincount digitize isin in1d
intersect1d union1d setdiff1d setxor1d dot inner outer vdot tensordot kron matmul trace append insert delete concatenate stack vstack hstack dstack
column_stack repeat tile roll pad take compress extract choose select nonzero argwhere flatnonzero isclose allclose array_equal round around clip tril triu linspace
diagflat vander eye identity full polyval cross unravel_index ravel_multi_index nan_to_num sinc""".split()
_ALSO_LINEAR = """det inv solve norm cond matrix_power matrix_rank pinv cholesky lstsq multi_dot eigvals eigvalsh svdvals trace cross outer
tensordot vecdot matmul vector_norm matrix_norm""".split()
_NUMPY = """packbits unpackbits nextafter spacing frexp modf copysign signbit sinc logspace geomspace bartlett blackman
hamming hanning kaiser polyfit polyder polyint poly roots kron unwrap lexsort resize histogram2d divmod
sort_complex float_power positive isreal iscomplex nanquantile nanpercentile array_equiv tri heaviside ldexp
logaddexp logaddexp2 gcd lcm fmin fmax arcsinh arccosh arctanh cross matvec vecmat vecdot mask_indices vander
polyadd polysub polymul polydiv""".split()
_LINEAR = """cond matrix_rank tensorsolve tensorinv matrix_norm vector_norm outer""".split()
_PYTHON = [hash, round, pow]


def _hash(x):
    """hash(x), except that NaN, whose hash depends on the object's address, is refused."""
    if x != x:
        from ._errors import UnsupportedError
        raise UnsupportedError("hash() of NaN is not compiled: it is the object's address")
    return hash(x)


_MATH = """gamma lgamma erfc acosh asinh atanh cbrt exp2 ldexp frexp modf factorial comb perm dist remainder nextafter ulp isclose lcm fsum
prod sumprod fma""".split()
_CMATH = "acos asin atan acosh asinh atanh isclose isnan isinf isfinite polar rect".split()

_SERIES = [f for module in ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")
           for name, f in vars(getattr(np.polynomial, module)).items()
           if isinstance(f, types.FunctionType) and f.__module__ == f"numpy.polynomial.{module}" and not name.startswith("_")]
_KNOWN = {id(f): f for module, names in ((np, _NUMPY), (np.linalg, _LINEAR), (math, _MATH), (cmath, _CMATH)) for name in names
          if (f := getattr(module, name, None)) is not None} | {id(f): f for f in [*_PYTHON, *_SERIES]}


_BESIDE = {id(f): f for module, names in ((np, _ALSO), (np.linalg, _ALSO_LINEAR), (np.fft, [
    "fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "fftn", "ifftn", "rfft2", "irfft2", "rfftn", "irfftn", "fftfreq", "rfftfreq",
    "fftshift", "ifftshift"])) for name in names if (f := getattr(module, name, None)) is not None}
_SCIPY = ("scipy.special", "scipy.linalg", "scipy.fft", "scipy.signal")
#: Methods that are equivalent to the NumPy function of their name, and return new arrays.
_METHODS = """argsort argpartition searchsorted var std mean sum prod cumsum cumprod min max argmin argmax any all ptp dot trace repeat take compress choose
nonzero round clip""".split()


def beside(f, args, kwargs):
    """The function that the interpreter calls if the compiled form of `f` does not support these arguments; None if there is none. `args` includes
    the object of a method."""
    from ._calls import Method
    if isinstance(f, Method):
        f = getattr(np, f.name, None) if f.base.is_array and f.name in _METHODS else None
    elif not (id(f) in _BESIDE or isinstance(f, np.ufunc) or id(f) in _KNOWN or _of_scipy(f)):
        f = None
    return None if f is None or _stores(f, args, kwargs) else f


def _stores(f, args, kwargs):
    """Whether the result is stored to an array argument."""
    if isinstance(f, np.ufunc):
        given = [*args[f.nin:], kwargs.get("out")]
    else:
        try:
            bound = inspect.signature(f).bind(*args, **kwargs).arguments
        except (TypeError, ValueError):
            bound = kwargs
        given = [bound.get("out"), bound.get("copy")]
    return any(g is not None and not g.is_none() for g in given)


def has(f):
    """Whether the interpreter may be called for this function. It may for all ufuncs and for the functions of some modules of SciPy, whose results
    are new arrays."""
    if id(f) in _KNOWN or isinstance(f, np.ufunc):
        return True
    return _of_scipy(f)


def _of_scipy(f):
    return (getattr(f, "__module__", None) or "").startswith(_SCIPY) and callable(f) and not isinstance(f, type)


class Through:
    """A function to be called through the interpreter, as `Calls.call_vrir` and the engine expect it: the function of the numbers and arrays, and its
    result's type."""

    draws = ()  # see _random.HostDraw

    def __init__(self, function, result, name):
        self.function, self.result, self.__name__ = function, result, name


def call(t, node, f, args, kwargs, name, why="there is no compiled form", result=None):
    """f(*args, **kwargs), computed by the interpreter. `why`: the reason, for the report. `result`: its type; None: found by a call with samples."""
    if t.shared_by() is not None:
        t.refuse(node, f"{name} is called through Python, which is not possible in a parallel loop", "call it before the loop, or use range for this loop")
    if f in (np.polyder, np.polyint):
        times = args[1] if len(args) > 1 else kwargs.get("m")
        if times is not None and t.static(times, node, "m") == 0:
            t.refuse(node, f"{name} with m=0 is not compiled: the result is the argument itself")
    leaves, f = [], _hash if f is hash else f
    args = [_template(t, node, a, leaves, name) for a in args]
    kwargs = {k: _template(t, node, a, leaves, name) for k, a in kwargs.items()}
    types = [v.type for v in leaves]
    key = (id(f), repr(args), repr(kwargs), tuple(types))
    known = t.program.through.get(key)
    if known is None:
        result = _result(t, node, f, args, kwargs, types, name) if result is None else result

        def function(*values):
            got = f(*(_filled(a, values) for a in args), **{k: _filled(a, values) for k, a in kwargs.items()})
            got = _checked(got, result, name)
            return got[0] if isinstance(result, Group) and len(result.items) == 1 else got  # one result is not in a tuple

        known = t.program.through[key] = Through(function, result, name)
        known.kept = f  # keeps the object alive whose id is in the key
    t.program.notes[t.source.filename, node.lineno, name] = why
    return _emit(t, node, known, leaves, types)


def _emit(t, node, function, leaves, types):
    t.has_loop = True  # the interpreter may run for long: the code must poll for interrupts
    callee = t.program.host_function(function, types, t.loc(node))
    return t.call_vrir(callee, leaves, [t.fit(v, s) for v, s in zip(leaves, types)], node)


class Place:
    """A placeholder for a number or array in the arguments."""

    def __init__(self, k):
        self.k = k

    def __repr__(self):
        return f"<{self.k}>"


def _template(t, node, val, leaves, name):
    """The argument as Python objects, with Places for numbers and arrays."""
    if isinstance(val.type, Const):
        return val.type.value
    if val.is_const and val.is_scalar and val.type.weak:
        return val.const
    if val.is_list or val.is_group("arrays"):
        val = t.as_numpy(val, node, True)
    if val.is_group("tuple", "list"):
        parts = [_template(t, node, i, leaves, name) for i in val.items]
        return tuple(parts) if val.is_group("tuple") else parts
    if not is_numeric(val.type):
        t.refuse(node, f"{name} of {val.type!r} is not compiled")
    if val.is_array and val.snapshot is not None:
        val = t.call(np.copy, [val], {}, node)
    if isinstance(val.type, Rank0):
        if name == "'hash'":
            t.refuse(node, "arrays have no hash")
        val = Val(number_type(val.type), val.code)
    leaves.append(t.keep(t.plain(val, node), node) if val.is_array else val)
    return Place(len(leaves) - 1)


def _filled(template, values):
    if isinstance(template, Place):
        return values[template.k]
    if type(template) in (tuple, list):
        return type(template)(_filled(i, values) for i in template)
    return template


def _samples(t, extent):
    if isinstance(t, Scalar):
        if t.weak:
            return {BOOL: True, INT: {3: 1, 2: 0, 4: 2, 1: 0}[extent], FLOAT: 1.0, COMPLEX: 0.5 + 0.25j}[t]
        return numpy_dtype(t).type(1)
    some = (np.arange(extent ** t.rank) % 7 + 1).reshape((extent, ) * t.rank)
    if t.rank > 1:
        some = some + 9 * np.eye(extent, dtype=int)
    return some.astype(numpy_dtype(t))


def _result(t, node, f, args, kwargs, types, name):
    """The result's type for arguments of these types."""
    error = None
    for extent in (3, 2, 4, 1):
        values = [_samples(s, extent) for s in types]
        try:
            with np.errstate(all="ignore"):
                got = f(*(_filled(a, values) for a in args), **{k: _filled(a, values) for k, a in kwargs.items()})
        except Exception as e:  # sample arguments may be invalid where the program's are not
            error = error or e
            continue
        result = _type_of(got)
        if result is None:
            t.refuse(node, f"{name} returns a {type(got).__name__} here, which is not compiled", "call it outside of the compiled function")
        return result
    t.refuse(node, f"{name} of these types is not compiled: {type(error).__name__}: {error}")


def _type_of(o):
    if type(o) in (bool, int, float, complex):
        return {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}[type(o)]
    if isinstance(o, (np.ndarray, np.generic)):
        if o.dtype not in DTYPES or isinstance(o, np.ndarray) and (type(o) is not np.ndarray or not o.ndim):
            return None
        return Array(*DTYPES[o.dtype], o.ndim) if o.ndim else Scalar(*DTYPES[o.dtype])
    if type(o) is tuple or isinstance(o, tuple) and hasattr(o, "_fields"):
        items = [_type_of(i) for i in o]
        return None if None in items or type(o) is not tuple else Group("tuple", items)
    return None


def _checked(got, result, name):
    """The result, if its type is the one found with the samples; otherwise raises UnsupportedError."""
    from ._errors import UnsupportedError
    found = _type_of(got)
    if found != result and not (isinstance(found, Array) and isinstance(result, Array) and (found.elem, found.complex, found.rank) == (
            result.elem, result.complex, result.rank)):
        if type(got) is int and result == INT:
            return got
        raise UnsupportedError(f"{name} returned {found!r} here, but {result!r} for other numbers of the same types", hint="call it outside of the compiled function")
    return got


class Printed:
    """print(*args, sep=..., end=..., flush=...), with Places for the numbers."""

    def __init__(self, args, kwargs):
        self.args, self.kwargs = args, kwargs

    def __call__(self, *values):
        print(*(_filled(a, values) for a in self.args), **self.kwargs)
