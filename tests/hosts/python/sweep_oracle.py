"""Comparison with NumPy and Python as oracles: types, NaN, infinities, signs of zeros and exceptions; values bit for bit if only one result is right.

`Sweep` runs a function plain and compiled on many arguments and collects the differences, so that one run shows all of them.
"""
import math
import warnings

import numpy as np

import pyraptor
from pyraptor import _jit
from conftest import NUMPY_1, function

INF, NAN = math.inf, math.nan
DTYPES = ("bool", "int32", "int64", "float32", "float64", "complex64", "complex128")
INTS, FLOATS, COMPLEX = DTYPES[1:3], DTYPES[3:5], DTYPES[5:]
REAL = DTYPES[:5]
_REALS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 2.5, -2.5, 7.0, 1e-3, INF, -INF, NAN]
_LIMITS = {"float32": [1e-45, -1e-40, 1.1754944e-38, 3.4028235e38, -3.4028235e38, 16777217.0, 1e30, 0.1],
           "float64": [5e-324, -1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308, 2.0**53 + 2,
                       1e200, -1e-200, 0.1, 2.0**31, 2.0**63]}


def values(dtype, few=False):
    """The special values of a type, as a vector."""
    if dtype == "bool":
        return np.array([False, True])
    if dtype in INTS:
        info = np.iinfo(dtype)
        some = [0, 1, -1, 2, -2, 3, -7, info.max, info.min, info.max - 1, info.min + 1]
        return np.array(some[:9] if few else some + [5, 10, -10, 31, 32, 33, 62, 63, 64, 100, 46341, -46341], dtype)
    if dtype in FLOATS:
        reals = np.array((_REALS + _LIMITS[dtype])[::2] + [NAN, INF, -0.0] if few else _REALS + _LIMITS[dtype], dtype)
        return reals
    part = "float32" if dtype == "complex64" else "float64"
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, INF, -INF, NAN] + ([] if few else [2.5, -0.5, 1e-3])
    grid = np.array([complex(x, y) for x in parts for y in parts], dtype)
    assert grid.real.dtype == part
    return grid[::3] if few else grid


def tolerance(dtype):
    return {"float32": 3e-6, "complex64": 1e-5}.get(np.dtype(dtype).name, 1e-13)


def parts_of(x):
    x = np.asarray(x)
    return [x.real, x.imag] if x.dtype.kind == "c" else [x]


def wrong(wanted, got, tol=None, zeros=True, scale=1.0, rtype=True):
    """A description of what is wrong with a result; None if nothing is. `tol`: relative to the number's magnitude; `zeros`: whether signs of zeros
    count."""
    if isinstance(wanted, tuple):
        if not isinstance(got, tuple) or len(got) != len(wanted):
            return "not the same tuple"
        found = [w for w in (wrong(a, b, tol, zeros, scale, rtype) for a, b in zip(wanted, got)) if w]
        return found[0] if found else None
    if rtype and type(wanted) is not type(got):
        return f"is {type(got).__name__}, not {type(wanted).__name__}"
    if wanted is None or isinstance(wanted, str):
        return None if wanted == got else "another value"
    a, b = np.asarray(wanted), np.asarray(got)
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"is {b.dtype}{b.shape}, not {a.dtype}{a.shape}"
    if a.dtype.kind not in "fc":
        return None if np.array_equal(a, b) else "another value"
    tol = tolerance(a.dtype) if tol is None else tol
    with np.errstate(all="ignore"):
        size = np.zeros(a.shape)
        for p in parts_of(a):
            size = np.maximum(size, np.where(np.isfinite(p), np.abs(p.astype(np.float64)), 0))
        tiny = float(np.finfo(a.dtype).smallest_subnormal) * 4
        for p, q in zip(parts_of(a), parts_of(b)):
            if not np.array_equal(np.isnan(p), np.isnan(q)):
                return "NaN in other places"
            fine = np.isnan(p) | (p == q)
            near = np.isfinite(p) & np.isfinite(q) & (np.abs(p.astype(np.float64) - q.astype(np.float64)) <=
                                                      np.maximum(tol * size * scale, tiny))
            if not (fine | near).all():
                return "another value"
            zero = (p == 0) & (q == 0)
            if zeros and not (np.signbit(p) == np.signbit(q))[zero].all():
                return "another sign of zero"
    return None


def outcome(f, args):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return f(*args), None
        except Exception as e:
            return None, e.with_traceback(None)


def documented(wanted, error, got, fault):
    """Whether the exceptions differ in a way that docs/python.md documents ("Where it differs from Python")."""
    if error is None:
        if isinstance(fault, ZeroDivisionError):  # NumPy integers divided by zero give 0 and a warning
            return np.asarray(wanted[0] if isinstance(wanted, tuple) else wanted).dtype.kind in "iub"
        return isinstance(fault, ValueError) and any(w in str(fault) for w in (
            "Integers to negative integer powers", "a negative number to a power with a fraction"))
    if fault is None:
        # Overflow gives inf, integers wrap; compiled code may have functions that Python's types do not have.
        return isinstance(error, (OverflowError, TypeError, AttributeError))
    if isinstance(fault, ValueError) and "Integers to negative integer powers" in str(fault):
        return isinstance(error, (ZeroDivisionError, ValueError))
    return isinstance(fault, type(error))


def as_documented(wanted, got):
    """NumPy's result with compiled code's types: no 0-d arrays, no float16, 64 bits."""
    if isinstance(wanted, tuple):
        return tuple(as_documented(a, b) for a, b in zip(wanted, got)) if isinstance(got, tuple) and len(got) == len(wanted) else wanted
    if isinstance(wanted, np.ndarray) and wanted.ndim == 0:
        wanted = wanted[()]
    if type(wanted) is int and not -(1 << 63) <= wanted < 1 << 63:
        return got
    if getattr(wanted, "dtype", None) == np.float16:
        near = np.abs(np.asarray(wanted, float) - np.asarray(got, float)) <= 2e-3 * np.abs(np.asarray(got, float))
        return got if np.asarray(got).dtype == np.float64 and (near | (np.asarray(wanted, float) == np.asarray(got, float))).all() else wanted
    if NUMPY_1 and isinstance(wanted, (np.ndarray, np.generic)) and wanted.dtype.kind in "ifc" and np.asarray(got).dtype.kind == wanted.dtype.kind:
        # np.where, and float32 arrays combined with complex128: NumPy 1 always uses its own types there.
        narrow = min(wanted.dtype, got.dtype, key=lambda d: d.itemsize)
        return got if not wrong(wanted.astype(narrow), np.asarray(got).astype(narrow), zeros=False, rtype=False) else wanted
    return wanted


class Interpreted:
    """Runs functions that are compiled in this context on the interpreter, which takes a tenth of the time. Other tests compare native code with the
    interpreter."""

    def __enter__(self):
        self.engine_for = _jit.engine_for
        _jit.engine_for = lambda target: self.engine_for("interp")

    def __exit__(self, *_):
        _jit.engine_for = self.engine_for


class Sweep:
    def __init__(self):
        self.ran, self.refused, self.bad = 0, {}, []

    def function(self, arguments, body, **names):
        return pyraptor.jit(function(arguments, body, **names))

    def compare(self, f, text, *args, **how):
        """Refusals are counted by their text; differences are added to `bad`, unless docs/python.md documents them."""
        wanted, error = outcome(f.__wrapped__, args)
        got, fault = outcome(f, args)
        self.ran += 1
        if isinstance(fault, pyraptor.UnsupportedError):
            if error is None:
                self.refused.setdefault(text, fault.reason)
            return
        if error is not None or fault is not None:
            if not documented(wanted, error, got, fault):
                self.note(text, args, error or wanted, fault or got, "another exception")
            return
        wanted = as_documented(wanted, got)
        why = wrong(wanted, got, **how)
        if why:
            self.note(text, args, wanted, got, why)

    def note(self, text, args, wanted, got, why):
        self.bad.append((text, args, wanted, got, why))

    def report(self, limit=40):
        lines = []
        for text, args, wanted, got, why in self.bad[:limit]:
            lines.append(f"{text}: {why}\n" + first_difference(args, wanted, got))
        return f"{len(self.bad)} of {self.ran} wrong\n" + "\n".join(lines)

    def check(self):
        assert self.ran and not self.bad, self.report()


def first_difference(args, wanted, got):
    """The first element that differs, with the arguments' elements at the same position if there are any."""
    def short(x):
        return repr(x)[:160]
    try:
        a, b = np.asarray(wanted), np.asarray(got)
        if isinstance(wanted, np.ndarray) and a.shape == b.shape and a.ndim:
            for at in np.ndindex(*a.shape):
                if wrong(a[at], b[at]):
                    given = [short(np.broadcast_to(x, a.shape)[at]) if np.ndim(x) <= a.ndim and
                             np.broadcast_shapes(np.shape(x), a.shape) == a.shape else short(x) for x in args]
                    return f"    at {at} of {', '.join(given)}: wanted {a[at]!r}, got {b[at]!r}"
    except Exception:
        pass
    return f"    of {', '.join(map(short, args))}: wanted {short(wanted)}, got {short(got)}"
