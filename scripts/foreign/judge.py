"""Compares compiled code with plain Python: runs one call in both on equal copies of the arguments.

The exception or the result is compared (types, dtypes, shapes, values, signs of zeros), then the arguments after the call, and which arrays share
memory.
"""
import copy
import inspect
import random
import re
import time
import warnings

import numpy as np

#: The outcomes of a call. Only `wrong`, `crashed` and `hung` are faults.
OUTCOMES = ("right", "refused", "wrong", "crashed", "hung", "not applicable")

#: Seconds. A call that takes longer in plain Python is not repeated to find out whether it is deterministic.
LONG = 1.0

_SHARED = (type(None), bool, int, float, complex, str, bytes, type, np.dtype, np.generic)


def root_of(a):
    """The array that owns the memory of the view `a`."""
    while isinstance(a.base, np.ndarray):
        a = a.base
    return a


class Copier:
    """Copies values and preserves what a deep copy loses: strides, views of common memory, read-only flags."""

    def __init__(self):
        self.memory, self.arrays = {}, {}

    def copy(self, o):
        if isinstance(o, _SHARED) or callable(o):
            return o
        if type(o) in (tuple, list):
            return type(o)(self.copy(x) for x in o)
        if type(o) is dict:
            return {self.copy(k): self.copy(v) for k, v in o.items()}
        if type(o) is np.ndarray and o.dtype.kind in "biufc":
            return self.array(o)
        return copy.deepcopy(o)

    def array(self, a):
        if id(a) in self.arrays:
            return self.arrays[id(a)][1]
        root = root_of(a)
        low, high = np.lib.array_utils.byte_bounds(root) if hasattr(np.lib, "array_utils") else np.byte_bounds(root)
        if id(root) not in self.memory:
            # The copy has the alignment of the original, because an array can be misaligned.
            block = np.empty(high - low + 64, np.uint8)
            offset = (low - block.ctypes.data) % 64
            block = block[offset:offset + high - low]
            if high > low:
                span = np.lib.stride_tricks.as_strided(_bytes_at(low, high - low, root), writeable=False)
                block[:] = span
            self.memory[id(root)] = (root, block)
        block = self.memory[id(root)][1]
        start = a.__array_interface__["data"][0] - low
        if a.size == 0:
            made = np.empty(a.shape, a.dtype)
        else:
            made = np.ndarray(a.shape, a.dtype, block.data, start, a.strides)
        made.flags.writeable = a.flags.writeable
        self.arrays[id(a)] = (a, made)  # keeps `a` alive, so that its id is not reused
        return made


class _Bytes:
    pass


def _bytes_at(address, count, owner):
    """The memory as an array of bytes; `owner` keeps it alive."""
    o = _Bytes()
    o.__array_interface__ = {"data": (address, True), "shape": (count,), "typestr": "|u1", "version": 3}
    o.owner = owner
    return np.asarray(o)


def equal_copy(value):
    return Copier().copy(value)


def short(o, limit=160):
    text = " ".join(repr(o).split())
    return text if len(text) <= limit else text[:limit - 3] + "..."


def same_float(a, b, rtol):
    """A mask of the elements of two float arrays that agree: equal, both NaN, or close. Signs of zeros must agree."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(a)
        scale = float(np.max(np.abs(np.where(finite, a, 0)))) if a.size else 0.0
        near = np.abs(b - a) <= rtol * np.abs(a) + rtol * 1e-3 * scale + np.finfo(a.dtype).tiny
        good = (a == b) | (np.isnan(a) & np.isnan(b)) | (finite & np.isfinite(b) & near)
        zeros = (a == 0) & (b == 0)
        return good & ~(zeros & (np.signbit(a) != np.signbit(b)))


def single(rtol):
    """The tolerance for float32 that corresponds to `rtol` for float64."""
    return min(max(rtol * 1e4, 2e-5), 1e-3)


def values_differ(a, b, rtol):
    """None, or a description of how two arrays of one dtype and shape differ."""
    if a.dtype.kind not in "fc":
        good = np.asarray(a == b)
        if a.dtype.kind in "mM":
            good = good | (np.isnat(a) & np.isnat(b))
    elif a.dtype.kind == "f":
        good = same_float(a, b, rtol if a.dtype.itemsize > 4 else single(rtol) if a.dtype.itemsize == 4 else 2e-3)
    else:
        r = rtol if a.dtype.itemsize > 8 else single(rtol)
        near = same_float(a.real, b.real, r) & same_float(a.imag, b.imag, r)
        # The sign of a zero part can depend on how the other part was rounded, so it is ignored where the other parts differ.
        near |= (a.real != b.real) & same_float(a.real, b.real, r) & (a.imag == b.imag) | (a.imag != b.imag) & same_float(a.imag, b.imag, r) & (a.real == b.real)
        with np.errstate(all="ignore"):  # a part that is small relative to the other part
            good = near | (np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= r * np.abs(a))) | (np.isnan(a) & np.isnan(b))
    if np.all(good):
        return None
    where = np.unravel_index(int(np.argmin(good)), good.shape) if good.shape else ()
    at = f" at {tuple(int(k) for k in where)}" if where else ""
    count = int(np.size(good) - np.count_nonzero(good))
    return f"{a[where]!r} wanted, {b[where]!r} found{at}; {count} of {np.size(good)} elements differ"


def difference(a, b, rtol=1e-12, path="the result"):
    """None, or a description of how `b`, from compiled code, differs from plain Python's result `a`."""
    if type(a) is not type(b):
        return f"type of {path}: {type(a).__name__} {short(a, 60)} wanted, {type(b).__name__} {short(b, 60)} found"
    if isinstance(a, (tuple, list)):
        if len(a) != len(b):
            return f"{path} has {len(a)} elements, {len(b)} found"
        for k, (x, y) in enumerate(zip(a, b)):
            found = difference(x, y, rtol, f"{path}[{k}]")
            if found:
                return found
        return None
    if isinstance(a, dict):
        if list(a) != list(b):
            return f"keys of {path}: {short(list(a))} wanted, {short(list(b))} found"
        return next((d for k in a if (d := difference(a[k], b[k], rtol, f"{path}[{k!r}]"))), None)
    if isinstance(a, (np.ndarray, np.generic)):
        if a.dtype != b.dtype:
            return f"dtype of {path}: {a.dtype} wanted, {b.dtype} found"
        if a.shape != b.shape:
            return f"shape of {path}: {a.shape} wanted, {b.shape} found"
        if a.dtype.kind == "O" or a.dtype.names:
            return None if repr(a) == repr(b) else f"{path}: {short(a)} wanted, {short(b)} found"
        found = values_differ(np.asarray(a), np.asarray(b), rtol)
        return f"{path}: {found}" if found else None
    if isinstance(a, (float, complex)):
        found = values_differ(np.asarray(a), np.asarray(b), rtol)
        return f"{path}: {found}" if found else None
    if isinstance(a, (np.random.Generator, np.random.RandomState)):
        states = [(o.bit_generator.state if isinstance(o, np.random.Generator) else o.get_state(legacy=False)) for o in (a, b)]
        return None if repr(states[0]) == repr(states[1]) else f"{path}: the generators have drawn other numbers"
    try:
        same = a is b or bool(a == b)
    except Exception:
        same = repr(a) == repr(b)
    return None if same or repr(a) == repr(b) else f"{path}: {short(a)} wanted, {short(b)} found"


def arrays_in(o, path):
    if isinstance(o, np.ndarray):
        yield path, o
    elif isinstance(o, (tuple, list)):
        for k, x in enumerate(o):
            yield from arrays_in(x, f"{path}[{k}]")


def sharing(args, result):
    """Which arrays of the result share memory with arguments or with one another, at which offsets, and which are read-only. (A view of a whole array
    and the array itself are not distinguished, as docs/python.md states.)"""
    known = list(arrays_in(args, "argument "))
    out = []
    for name, r in arrays_in(result, "the result"):
        said = "an array of its own"
        for other, a in known:
            if r.size == 0 or a.size == 0:
                continue
            # For an argument the whole buffer is compared, for a result only its elements: NumPy allocates some results in one buffer.
            whole = a if other.startswith("the result") else root_of(a)
            if np.may_share_memory(r, whole) and np.shares_memory(r, whole):
                steps = tuple(s for s, n in zip(r.strides, r.shape) if n > 1)
                place = r.__array_interface__["data"][0] - a.__array_interface__["data"][0]
                said = f"memory of {other} at {place}, strides {steps}"
                break
        out.append((name, said + ("" if r.flags.writeable else ", read-only")))
        known.append((name, r))
    return out


def call(function, args, kwargs):
    """Returns (result, exception, categories of warnings) of one call."""
    random.seed(1)
    np.random.seed(1)
    with warnings.catch_warnings(record=True) as said, np.errstate(all="warn"):
        warnings.simplefilter("always")
        try:
            return function(*args, **kwargs), None, said
        except Exception as e:
            return None, e, said


def big_ints(o):
    """Whether the values contain Python integers of more than 64 bits."""
    if isinstance(o, (tuple, list)):
        return any(map(big_ints, o))
    return isinstance(o, int) and not -2 ** 63 <= o < 2 ** 63


def _source(function):
    """The function's source; empty if it is not available."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""


def has_ways(function):
    """Whether the function's source contains a branch or a loop, so that one call need not execute all of it."""
    return re.search(r"\b(if|or|and|while|for|try|max\(|min\()", _source(function)) is not None


def stated(function, args, wanted, got, fault):
    """The name of the documented difference (docs/python.md) that explains a different result; None if there is none."""
    if (big_ints(args) or big_ints(wanted)) and isinstance(fault, OverflowError) or fault is None and big_ints(wanted):
        return "integers have 64 bits"
    if isinstance(fault, ValueError) and "negative integer powers" in str(fault):
        return "an integer to a negative power that only running shows"
    if type(wanted) in (int, float, complex) and isinstance(got, (np.int32, np.float32, np.complex64)) and wanted == got:
        return "a number that is Python's on one way and NumPy's on another"
    if (type(wanted), type(got)) in ((int, np.int64), (float, np.float64), (complex, np.complex128)) and wanted == got and has_ways(function):
        return "a number that is Python's on one way and NumPy's on another"
    if difference(wanted, got) and wider_numbers(wanted, got) and has_ways(function):
        return "a number that is an int on one way and a float on another"
    if computes_eigenvalues(function) and complex_where_real(wanted, got):
        return "eigenvalues are complex"
    if difference(wanted, got) and difference(as_numbers(wanted), got) is None:
        return "numbers for arrays without dimensions"
    return None


def wider_numbers(wanted, got):
    """Whether a result differs only in Python numbers that are floats instead of equal ints, or complex instead of equal floats."""
    if type(wanted) is tuple and type(got) is tuple and len(wanted) == len(got):
        return all(difference(a, b) is None or wider_numbers(a, b) for a, b in zip(wanted, got))
    return (type(wanted), type(got)) in ((int, float), (int, complex), (float, complex)) and wanted == got


def as_numbers(o):
    """The value with 0-d arrays replaced by numbers."""
    if isinstance(o, (tuple, list)):
        return type(o)(map(as_numbers, o)) if type(o) in (tuple, list) else o
    return o[()] if isinstance(o, np.ndarray) and o.ndim == 0 else o


def complex_where_real(wanted, got):
    """Whether a result differs only in complex numbers with a zero imaginary part in place of real numbers."""
    if type(wanted) is type(got) and isinstance(wanted, tuple) and len(wanted) == len(got):
        return all(map(complex_where_real, wanted, got))
    if isinstance(wanted, np.ndarray) and isinstance(got, np.ndarray) and wanted.dtype.kind == "f" and got.dtype.kind == "c":
        return not got.imag.any() and difference(wanted, got.real, 1e-12) is None
    return difference(wanted, got) is None


def computes_eigenvalues(function):
    held = [getattr(c, "cell_contents", None) for c in function.__closure__ or ()]
    return any(name in function.__code__.co_names for name in ("eig", "eigvals")) or any(
        f is g for f in held for g in (np.linalg.eig, np.linalg.eigvals))


def is_internal(e):
    """Whether an exception of compiled code is a failure of the compiler, rather than a refusal or the program's own exception."""
    return "is not compiled in this form (" in str(e) or type(e).__name__ == "CompileError"


def reason_of(e):
    return getattr(e, "reason", None) or str(e).split("\n")[0]


def judge(function, jitted, args, kwargs=None, refusal=(), phase=lambda name: None, rtol=1e-12):
    """Returns (outcome, detail) of jitted(*args) compared with function(*args). `refusal`: the exceptions by which the compiler refuses a program.

    The arguments are not changed: both calls get copies. `phase` is called with "plain" and with "compiled", so that a watcher in another process
    knows which of the two calls hangs.
    """
    kwargs = kwargs or {}
    phase("plain")
    try:
        before = equal_copy((args, kwargs))
        again = equal_copy((args, kwargs))
        ours = equal_copy((args, kwargs))
    except Exception as e:
        return "not applicable", f"arguments cannot be copied: {type(e).__name__}"
    start = time.monotonic()
    wanted, error, said = call(function, *before)
    if time.monotonic() - start < LONG:
        twice, error2, _ = call(function, *again)
        if (error is None) != (error2 is None) or (error is None and difference(wanted, twice, 0.0)):
            return "not applicable", "plain Python gives another result each time"
    phase("compiled")
    got, fault, _ = call(jitted, *ours)
    phase("plain")
    if fault is not None and is_internal(fault):
        return "crashed", f"{type(fault).__name__}: {' '.join(str(fault).split())[:400]}"
    if isinstance(fault, refusal):
        return "refused", reason_of(fault)
    if error is not None:
        if fault is None:
            return "wrong", f"{type(error).__name__} ({error}) wanted, {short(got)} found"
        if not (isinstance(fault, type(error)) or isinstance(error, type(fault))):
            return "wrong", f"{type(error).__name__} ({error}) wanted, {type(fault).__name__} ({fault}) found"
        return "right", "raises as plain Python does"
    reason = stated(function, args, wanted, got, fault) if error is None else None
    if reason:
        return "right", f"as stated: {reason}"
    if fault is not None:
        if isinstance(fault, ZeroDivisionError) and any("divide by zero" in str(w.message) for w in said):
            return "right", "as stated: NumPy's integers divided by zero raise"
        return "wrong", f"{short(wanted)} wanted, {type(fault).__name__} ({str(fault)[:300]}) found"
    found = difference(wanted, got, rtol)
    for k, (x, y) in enumerate(zip(before[0], ours[0])):
        found = found or difference(x, y, rtol, f"argument {k} afterwards")
    if found and any("invalid value encountered in cast" in str(w.message) for w in said):
        return "right", "as stated: floats that an integer type does not hold"
    if found:
        return "wrong", found
    for (name, x), (_, y) in zip(sharing(before[0], wanted), sharing(ours[0], got)):
        if x != y:
            return "wrong", f"{name} is {x} in plain Python, and {y} in compiled code"
    return "right", ""
