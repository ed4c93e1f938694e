#!/usr/bin/env python3
"""Every library function with many kinds of arguments: native code must agree with the interpreter.

    library_sweep.py LIBVELOCIRAPTOR_SO LIBRARY_DEF [--all] [--only NAME,...] [--part N]

A signature is a function with the types of its arguments (element type, rank, layout, parameter or constant) under one
set of conventions; the builder of the C API determines which ones the language accepts. Each is called with many shapes and
values on the interpreter, on cpu and on cpu-par. Codes of faults must agree, and so must results: type, shape, and
values to 1e-12 (float32: 1e-5, narrower ones one digit) of the largest one. Deterministic: the same signatures and values each time. Without
--all a part of the signatures is taken, a different one for each function; every function is there.
"""
import argparse
import ctypes as ct
import itertools
import math
import pathlib
import re
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import library_names
from library_sweep_api import (BFLOAT16, BOOL, COL, COMPLEX, CPU, CPU_PAR, FLOAT16, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, INTERP, ROW, STRIDED,
                               UINT8, UINT16, UINT32, UINT64, Api, decode, elem_name, width)

INTEGERS = {INT8: 8, INT16: 16, INT32: 32, INT64: 64, UINT8: -8, UINT16: -16, UINT32: -32, UINT64: -64}  # number of bits; < 0: unsigned
REALS = [BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64]
NARROW = (FLOAT16, BFLOAT16)  # there are no complex numbers of these
COMPLEXES = [FLOAT32 | COMPLEX, FLOAT64 | COMPLEX]
ELEMS = REALS + COMPLEXES + [INT32 | COMPLEX]
CONVENTIONS = {
    "numpy": dict(indexing=0, exclude=1, flatten=0, grow=0, assign=0, slices=0, nan=0, mindims=1, fastmath=64, broadcast=0),
    "matlab": dict(indexing=1, exclude=0, flatten=1, grow=1, assign=1, slices=1, nan=1, mindims=2, fastmath=0, broadcast=1),
    # neither convention: NumPy's shapes with the stop included, base 1 and NaN omitted; MATLAB's shapes with the opposite settings
    "numpy-odd": dict(indexing=1, exclude=0, flatten=0, grow=0, assign=0, slices=0, nan=1, mindims=1, fastmath=0, broadcast=1),
    "matlab-odd": dict(indexing=0, exclude=1, flatten=1, grow=0, assign=1, slices=1, nan=0, mindims=2, fastmath=0, broadcast=0),
}
SHAPES = {1: [(3,), (0,), (1,), (6,)],
          2: [(2, 3), (0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (4, 1), (3, 3)],
          3: [(2, 3, 4), (0, 2, 3), (1, 1, 1), (1, 3, 1), (2, 1, 3), (2, 0, 0)]}
FLOATS = [1.5, -2.25, 0.0, 3.0, 0.5, -0.75, 2.0, 10.0, -1.0, 0.125, 4.5]
SPECIAL = [math.nan, 1.0, math.inf, -0.0, -math.inf, 2.5, -3.0, 1e30, 0.3, -1e-30]
INTS = [3, -2, 0, 7, 1, -5, 2, 4, -1, 6]
SPECIAL_INTS = {e: [-2**(b - 1), 2**(b - 1) - 1, -1, 0, 1, math.isqrt(2**(b - 1)) + 1] if b > 0 else
                   [2**-b - 1, 2**-b - 2, 2**(-b - 1), 0, 1, math.isqrt(2**-b) + 1] for e, b in INTEGERS.items()}


def fitting(elem, numbers):
    """The numbers that the integer type can hold; for unsigned types their absolute values."""
    return [abs(n) for n in numbers] if INTEGERS[elem] < 0 else numbers


def values(elem, n, pattern, shift=0):
    """n elements. Pattern 0: ordinary; 1: limits, NaN, infinities."""
    base = elem & 15
    if base == BOOL:
        source = [1, 0, 1, 1, 0] if pattern == 0 else [0, 0, 0, 1]
    elif base in INTEGERS:
        source = fitting(base, INTS) if pattern == 0 else SPECIAL_INTS[base]
    else:
        source = FLOATS if pattern == 0 else SPECIAL
    one = [source[(k + shift) % len(source)] for k in range(n)]
    if not elem & COMPLEX:
        return one
    return list(zip(one, [source[(3 * k + shift + 1) % len(source)] for k in range(n)]))


# ---------------------------------------------------------------- signatures
# Arguments: ("a", elem, rank, layout) and ("s", elem) are parameters, ("k", number) is a constant; "x" instead of "a" is an array expression (conj of
# a parameter).
def arrays(elem, ranks, layout, kind="a"):
    return [(kind, elem, r, layout) for r in ranks]


def one_argument(elems, layout):
    for e in elems:
        yield ("s", e)
        yield from arrays(e, (1, 2, 3), layout)
        yield from arrays(e, (1, 2), STRIDED)
        yield from arrays(e, (2,), layout, "x")
        yield from arrays(e, (2,), ROW + COL - layout)


def axes(rank, base):
    yield ("s", INT64)
    for k in range(rank + 1):
        yield ("k", k + base)
    yield ("s", FLOAT64)
    yield ("s", INT32)


def called_arguments(params, layout, base):
    """Arguments of a runtime function, by the letters of library.def."""
    def of(letter, elem):
        if letter in "iwxk":
            return [("s", INT64), ("k", base)] + ([("a", INT64, 1, layout), ("a", elem, 2, layout)] if letter == "w" else [])
        if letter in "sb":
            return [("s", BOOL if letter == "b" else elem), ("s", FLOAT64)]
        arrays_ = [*arrays(elem, (1, 2, 3), layout), *arrays(elem, (1, 2), STRIDED), *arrays(elem, (2,), layout, "x")]
        return arrays_ + ([("s", elem)] if letter in "az" else [])
    least = params.find("?") % (len(params) + 1)
    letters = params.replace("?", "")
    for count in range(least, len(letters) + 1):
        for e in ELEMS:
            choices = [of(letter, e) for letter in letters[:count]]
            yield from itertools.product(*choices)
            # Also with an argument of another type after the first one.
            for f in (FLOAT32, ELEMS[(ELEMS.index(e) + 5) % len(ELEMS)]):
                yield from itertools.islice(itertools.product(choices[0], *(of(letter, f) for letter in letters[1:count])), 24)


def signatures(name, sort, conv):
    """(arguments, the result's stated type or None)."""
    layout = COL if conv["mindims"] == 2 else ROW
    base = conv["indexing"]
    ones = list(one_argument(ELEMS, layout))
    if isinstance(sort, tuple):
        for args in called_arguments(sort[0], layout, base):
            yield args, None
            yield from ((args, " ".join(["results", *sort[1][:n]])) for n in range(2, len(sort[1]) + 1))
    elif sort in ("FloatMap", "SameMap", "RealPart", "Test"):
        yield from (((a,), None) for a in ones)
    elif sort == "Arith":
        for e, f in itertools.product(ELEMS, ELEMS):
            yield (("s", e), ("s", f)), None
            yield (("a", e, 2, layout), ("a", f, 2, STRIDED)), None
            yield (("s", e), ("a", f, 1, layout)), None
        for e in ELEMS:
            for p, q in itertools.product((1, 2, 3), (1, 2, 3)):
                yield (("a", e, p, layout), ("x", e, q, layout)), None
        for e, f in itertools.product(REALS[:9], REALS[:9]):
            yield (("s", e), ("s", f)), FLOAT64
            yield (("s", e), ("s", f)), FLOAT32
            yield (("a", e, 1, layout), ("s", f)), FLOAT64
    elif sort == "Select":
        for t, e, f in itertools.product(REALS, ELEMS, ELEMS):
            yield (("s", t), ("s", e), ("s", f)), None
            yield (("a", t, 2, layout), ("a", e, 2, STRIDED), ("s", f)), None
        for e in ELEMS:
            for p, q, r in itertools.product((1, 2, 3), (1, 2), (0, 1, 3)):
                yield (("a", REALS[0], p, layout), ("x", e, q, layout), ("a", e, r, layout) if r else ("s", e)), None
    elif sort == "Random":
        last = [()]
        if name in ("random_integer", "random_gamma"):
            last = [(("s", e),) for e in ELEMS] + [(("a", e, 2, layout),) for e in (INT64, UINT8, FLOAT32)] + [(("k", 5),), (("k", 0.25),)]
        for e, f in itertools.product(REALS, REALS):
            for tail in last if e == INT64 or f == UINT64 else last[5:6]:
                yield (("s", e), ("s", f)) + tail, None
                yield (("s", e), ("a", f, 1, layout)) + tail, None
                yield (("a", e, 2, layout), ("a", f, 2, STRIDED)) + tail, None
                yield (("x", e, 1, layout), ("a", f, 3, layout)) + tail, None
    elif name in ("trans", "norm"):
        yield from (((a,), None) for a in ones)
        if name == "norm":
            for a in ones:
                yield (a, ("s", FLOAT64)), None
                yield from (((a, ("k", p)), None) for p in (1, 2, 3, math.inf))
    elif sort == "Matrix":
        for e, f in itertools.product(ELEMS, ELEMS):
            for p, q in itertools.product((0, 1, 2), (0, 1, 2)):
                if (p == 0 or q == 0) and e != f:
                    continue
                yield tuple(("a", t, r, layout) if r else ("s", t) for t, r in ((e, p), (f, q))), None
        for e in ELEMS:
            yield (("a", e, 2, STRIDED), ("x", e, 2, layout)), None
            yield (("a", e, 2, ROW), ("a", e, 2, COL)), None
    elif sort in ("Reduce", "Scan") or name == "sort":
        for a in ones:
            yield (a,), None
            if name == "sort":
                yield (a,), "pairs"
            for axis in axes(a[2] if a[0] != "s" else 1, base):
                yield (a, axis), None
                if name == "sort" and axis == ("s", INT64):
                    yield (a, axis), "pairs"
    elif name == "find":
        for a in ones:
            yield (a,), None
            yield (a,), "pairs"
            yield (a,), "triples"
    elif name == "size":
        for a in ones:
            yield (a,), None
            yield from (((a, axis), None) for axis in axes(a[2] if a[0] != "s" else 1, base))
    elif name == "reshape":
        for a in ones:
            for n in (1, 2, 3):
                yield (a,) + (("s", INT64),) * n, None
            yield (a, ("s", FLOAT64), ("s", INT32)), None
            for e, r in ((INT64, 1), (FLOAT64, 2), (INT32, 1)):
                for stated in (1, 2, 3):
                    yield (a, ("a", e, r, layout)), ("array", a[1], stated, layout)
    elif name in ("horzcat", "vertcat"):
        yield from (((a,), None) for a in ones)
        for e, f in itertools.product(ELEMS, ELEMS):
            yield (("a", e, 2, layout), ("a", f, 2, layout)), None
            yield (("a", e, 1, layout), ("a", f, 1, STRIDED)), None
            yield (("s", e), ("s", f)), None
        for e in (FLOAT64, INT32):
            for p, q in itertools.product((0, 1, 2, 3), (0, 1, 2, 3)):
                yield tuple(("a", e, r, layout) if r else ("s", e) for r in (p, q)), None
            yield (("a", e, 2, layout), ("s", e), ("x", e, 2, layout)), None
            yield (("a", e, 2, layout),) * 3, None
    elif name in ("colon", "range", "linspace"):
        for e, f in itertools.product(ELEMS, ELEMS):
            yield (("s", e), ("s", f)), None
        for e, f, g in itertools.product(ELEMS[:-1], REALS, REALS):
            yield (("s", e), ("s", f), ("s", g)), None
    elif name in ("eye", "zeros", "ones", "empty"):
        for e in ELEMS:
            for n in (1, 2, 3):
                rank = max(n if name != "eye" else 2, conv["mindims"])
                yield (("s", INT64),) * n, ("array", e, rank, layout)
            yield (("s", FLOAT64),), ("array", e, 2 if name == "eye" else conv["mindims"], layout)
            if name != "eye":
                for stated in (1, 2, 3):
                    yield (("a", INT64, 1, layout),), ("array", e, stated, layout)
                    yield (("a", FLOAT64, 2, layout),), ("array", e, stated, layout)
    else:  # numel length ndims dimvec scalar copy
        yield from (((a,), None) for a in ones)


# ---------------------------------------------------------------- values to call with
SCALARS = {BOOL: [1, 0], INT32: [3, 0, -2, 1, 7, -1], INT64: [2, 0, -3, 1, 5, -1],
           FLOAT32: [2.5, 0.0, -1.5, math.nan, 3.0, -math.inf, -0.0], FLOAT64: [0.5, 0.0, -2.0, math.nan, 3.0, math.inf, -0.0]}
COUNTS = {BOOL: [1, 0], INT32: [2, 0, -1, 3, 6], INT64: [3, 0, -1, 2, 6, 1], FLOAT32: [2.0, 1.5, -1.0],
          FLOAT64: [3.0, 2.5, -1.0, 1.0, math.nan]}
for _e in INTEGERS:
    SCALARS.setdefault(_e, fitting(_e, [3, 0, -2, 1, 7, -1]))
    COUNTS.setdefault(_e, fitting(_e, [2, 0, -1, 3, 6]))
AXES = {BOOL: [0, 1], INT32: [1, 0, 5, -1], INT64: [0, 1, 2, 3, 4, -1, -2, -4, 2**31, 20], FLOAT32: [1.0, 0.5],
        FLOAT64: [1.0, 0.5, -1.0, math.nan]}
for _e in NARROW:
    SCALARS[_e], COUNTS[_e], AXES[_e] = SCALARS[FLOAT32], COUNTS[FLOAT32], AXES[FLOAT32]
ORDERS = {FLOAT64: [1.0, 2.0, math.inf, -math.inf, 3.0, 0.0, 0.5, -1.0]}
VECTORS = {1: [(6,), (2, 3), (3, 2, 1), (0, 3), (-1, 2), (5,), (1, 1), ()], 2: [(6,), (2, 3), (3, 2, 1), (1, 0)]}


def scalar_values(name, k, elem, count):
    base = elem & 15
    if k > 0 and name in ("sum prod min max mean any all argmin argmax cumsum cumprod sort size").split():
        return AXES[base]
    if k > 0 and name == "norm":
        return ORDERS.get(base, [1, 2])
    if name in ("eye", "zeros", "ones", "empty") or (k > 0 and name == "reshape") or (k == 2 and name == "linspace"):
        return COUNTS[base]
    v = SCALARS[base]
    if name in ("colon", "range"):
        v = [x for x in v if not (isinstance(x, float) and math.isinf(x))]
    if elem & COMPLEX:
        return [(x, v[(k * 2 + 1 + j) % len(v)]) for j, x in enumerate(v)]
    return v


def one_value(name, k, arg, count):
    """The values for one argument: a list of (scalar | (extents, pattern, shift))."""
    if arg[0] == "s":
        return scalar_values(name, k, arg[1], count)
    if arg[0] == "k":
        return [None]
    if name in ("zeros", "ones", "empty") or (name == "reshape" and k == 1):
        if arg[2] == 1:
            return [((len(v),), v, 0) for v in VECTORS[1]]
        return [((1, len(v)), v, 0) for v in VECTORS[2]] + [((2, 1), (2, 3), 0)]
    shapes = SHAPES[arg[2]]
    if name in ("mldiv", "mrdiv"):
        return [(s, "solve", k) for s in shapes]
    # Sums of the largest integers cancel, so the result depends on the order of additions.
    patterns = (0, 1) if count == 1 and not (name == "mean" and arg[1] & 15 == INT64) else (0,)
    return [(s, p, k) for p in patterns for s in (shapes if p == 0 else shapes[:1] + shapes[-1:])]


def calls(name, args):
    lists = [one_value(name, k, a, len(args)) for k, a in enumerate(args)]
    total = math.prod(len(x) for x in lists)
    if total <= 80:
        yield from itertools.product(*lists)
        return
    step = total // 80 * 2 + 1  # odd, so that all combinations of the short lists occur
    for n in range(80):
        k = n * step % total
        pick = []
        for x in lists:
            pick.append(x[k % len(x)])
            k //= len(x)
        yield tuple(pick)


def array_values(elem, extents, pattern, shift):
    n = math.prod(extents)
    if isinstance(pattern, tuple):  # a vector of extents
        return [float(v) if elem == FLOAT64 else v for v in pattern]
    if pattern != "solve":
        return values(elem, n, pattern, shift)
    # Well conditioned: a dominant diagonal, so that rounding has little effect.
    v = values(elem, n, 0, shift)
    columns = extents[-1]
    for k in range(n):
        if len(extents) == 2 and k // columns == k % columns and elem & 15 != BOOL:
            v[k] = (17, 1) if elem & COMPLEX else 17
        elif len(extents) == 2 and elem & 15 == BOOL:
            v[k] = (int(k // columns <= k % columns), 0) if elem & COMPLEX else int(k // columns <= k % columns)
    return v


# ---------------------------------------------------------------- comparison
#: Relative to the largest result: rounding errors, and for the narrow types one unit, since float32 sums may be rounded to a neighbour.
BOUNDS = {FLOAT64: 1e-12, FLOAT32: 1e-5, FLOAT16: 1e-3, BFLOAT16: 1e-2}


def close(elem, got, wanted):
    a, b = decode(elem, got), decode(elem, wanted)
    if elem & 15 not in BOUNDS:
        return a == b
    finite = [abs(x) for x in b if math.isfinite(x)]
    bound = BOUNDS[elem & 15] * max(finite, default=0)
    for x, y in zip(a, b):
        if math.isnan(x) or math.isnan(y):
            if math.isnan(x) != math.isnan(y):
                return False
        elif math.isinf(x) or math.isinf(y):
            if x != y:
                return False
        elif abs(x - y) > bound:
            return False
    return True


def differs(got, wanted):
    """A description of the difference; empty if there is none."""
    if isinstance(wanted, tuple) or isinstance(got, tuple):
        if isinstance(wanted, tuple) and isinstance(got, tuple) and wanted[0] == got[0]:
            return ""
        return f"{show(got)}, wanted {show(wanted)}"
    for g, w in zip(got, wanted):
        if g != w and (g[:2] != w[:2] or not close(w[0], g[2], w[2])):
            return f"{show([g])}, wanted {show([w])}"
    return ""


def show(answer):
    if isinstance(answer, tuple):
        return f"{answer[0]} ({answer[1]})"
    return "; ".join(f"{elem_name(e)}{list(x) if x is not None else ''} {decode(e, raw)[:12]}" for e, x, raw in answer)


class Signature:
    def __init__(self, name, args, stated):
        self.name, self.args, self.stated = name, args, stated

    def text(self):
        def one(a):
            if a[0] == "k":
                return str(a[1])
            layout = "" if a[0] == "s" else "RCS"[a[3]] + str(a[2])
            return {"s": "", "a": "", "x": "expr "}[a[0]] + elem_name(a[1]) + layout
        return f"{self.name}({', '.join(map(one, self.args))})" + (f" -> {self.stated}" if self.stated else "")


class Sweep:
    def __init__(self, api, opt_level):
        self.api = api
        self.engines = {t: api.engine(t, opt_level) for t in (INTERP, CPU, CPU_PAR)}
        self.bad, self.ran, self.sigs, self.mindims = [], 0, 0, 1

    def P(self, pointer):
        return ct.c_void_p(pointer)

    def function(self, builder, name, s, results):
        """Adds `s` as function `name`. Returns the types of its results, or None if the language refuses it."""
        lib, P = self.api.lib, self.P
        types = (ct.c_void_p * max(1, len(results)))(*results)
        f = P(lib.vr_builder_function(builder, name, ct.c_size_t(len(results)), types))
        exprs = []
        for k, a in enumerate(s.args):
            if a[0] == "k":
                exprs.append(lib.vr_expr_int_const(f, ct.c_int64(a[1]), None) if isinstance(a[1], int)
                             else lib.vr_expr_float_const(f, ct.c_double(a[1]), None))
                continue
            t = P(lib.vr_type_scalar(a[1]) if a[0] == "s" else lib.vr_type_array(a[1], a[2], a[3]))
            x = lib.vr_fn_parameter(f, b"p%d" % k, t)
            if a[0] == "x":
                x = lib.vr_expr_libcall(f, b"conj", ct.c_size_t(1), (ct.c_void_p * 1)(x), None)
            exprs.append(x)
        stated = None
        if isinstance(s.stated, tuple):
            stated = lib.vr_type_array(*s.stated[1:])
        elif isinstance(s.stated, str) and s.stated.startswith("results "):
            parts = [self.result_type(word, s.args) for word in s.stated.split()[1:]]
            stated = lib.vr_type_tuple(builder, ct.c_size_t(len(parts)), (ct.c_void_p * len(parts))(*parts))
        elif s.stated in ("pairs", "triples"):
            # the single result's type tells layout and rank; the others follow from it
            one = lib.vr_expr_libcall(f, s.name.encode(), ct.c_size_t(len(exprs)), (ct.c_void_p * len(exprs))(*exprs), None)
            t = lib.vr_expr_type(P(one)) if one else None
            if not t:
                return None
            parts = [t, self.as_elem(t, INT64)]
            if s.stated == "triples":
                parts = [t, t, self.as_elem(t, s.args[0][1])]
            stated = lib.vr_type_tuple(builder, ct.c_size_t(len(parts)), (ct.c_void_p * len(parts))(*parts))
        r = lib.vr_expr_libcall(f, s.name.encode(), ct.c_size_t(len(exprs)), (ct.c_void_p * len(exprs))(*exprs), P(stated))
        t = lib.vr_expr_type(P(r)) if r else None
        if isinstance(s.stated, int) and t:
            t = self.as_elem(t, s.stated)
            r = lib.vr_expr_as(f, P(r), P(t))
        if not r or lib.vr_builder_status(builder) != 0:
            return None
        kind_parts = lib.vr_type_part_count(P(t))
        parts = [lib.vr_type_part(P(t), ct.c_size_t(k)) for k in range(kind_parts)] if kind_parts else [t]
        if not results:
            return parts
        if len(parts) == 1:
            lib.vr_stmt_return(f, ct.c_size_t(1), (ct.c_void_p * 1)(r))
            return parts
        names = (ct.c_void_p * len(parts))(*[lib.vr_fn_variable(f, b"r%d" % k, P(p)) for k, p in enumerate(parts)])
        lib.vr_stmt_assign_all(f, ct.c_size_t(len(parts)), names, P(r))
        lib.vr_stmt_return(f, ct.c_size_t(len(parts)), names)
        return parts

    def result_type(self, word, args):
        """The result type that a word of library.def describes, for these arguments."""
        first = next(a for a in args if a[0] != "k")
        real = first[1] & ~COMPLEX
        elem = {"I": INT64, "B": BOOL, "D": FLOAT64, "T": first[1], "K": first[1], "S": first[1]}.get(
            word[0], (FLOAT32 if word[0] == "C" and real in NARROW else real if real in BOUNDS else FLOAT64) | (first[1] & COMPLEX if word[0] in "FG" else 0) |
            (COMPLEX if word[0] == "C" else 0))
        ranks = [0 if a[0] in "sk" else a[2] for a in args]
        rank = sum(int(c) if c.isdigit() else -1 if c == "-" else max(ranks[:2]) if c == "m" else ranks["abc".index(c)]
                   for c in word[1:])
        # The minimum rank of the language: vectors are matrices in MATLAB.
        return self.api.lib.vr_type_scalar(elem) if rank == 0 else self.api.lib.vr_type_array(
            elem, max(rank, self.mindims), COL if self.mindims == 2 else ROW)

    def as_elem(self, t, elem):
        lib, P = self.api.lib, self.P
        if lib.vr_type_kind(P(t)) == 2:
            return lib.vr_type_scalar(elem)
        return lib.vr_type_array(elem, lib.vr_type_rank(P(t)), lib.vr_type_layout(P(t)))

    def accepted(self, conv, s):
        b = self.api.builder(conv)
        types = self.function(b, b"f", s, [])
        parts = None
        if types:
            lib, P = self.api.lib, self.P
            parts = [(lib.vr_type_kind(P(t)), lib.vr_type_elem(P(t)), lib.vr_type_rank(P(t)), lib.vr_type_layout(P(t)))
                     for t in types]
        self.api.lib.vr_builder_free(b)
        return parts

    def load(self, conv, batch, target):
        """The module of a batch of (signature, result types), its functions in order."""
        lib, api = self.api.lib, self.api
        b = api.builder(conv)
        try:
            for k, (s, parts) in enumerate(batch):
                types = [lib.vr_type_scalar(e) if kind == 2 else lib.vr_type_array(e, r, l) for kind, e, r, l in parts]
                self.function(b, b"f%d" % k, s, types)
            tree = api.made(lib.vr_builder_finish, b)
        finally:
            lib.vr_builder_free(b)
        try:
            m = api.made(lib.vr_module_load_tree, self.engines[target], tree)
        finally:
            lib.vr_tree_free(tree)
        functions = [api.made(lib.vr_module_function, m, b"f%d" % k) for k in range(len(batch))]
        lib.vr_module_free(m)
        return functions

    def load_each(self, conv, batch, target, where):
        """Like load; if the batch is refused, loads the functions one by one: None for those that are refused, which is reported."""
        try:
            return self.load(conv, batch, target)
        except RuntimeError as e:
            if len(batch) == 1:
                self.report(where, batch[0][0], target, "", str(e))
                return [None]
        half = len(batch) // 2
        return self.load_each(conv, batch[:half], target, where) + self.load_each(conv, batch[half:], target, where)

    def report(self, where, s, target, given, what):
        self.bad.append((where, s, ["interp", "cpu", "cpu-par"][target], given, what))

    def run(self, where, conv, batch, targets):
        functions = {t: self.load_each(conv, batch, t, where) for t in (INTERP,) + targets}
        for k, (s, parts) in enumerate(batch):
            self.sigs += 1
            if functions[INTERP][k] is None:
                continue
            for given in calls(s.name, s.args):
                self.one_call(where, s, parts, given, {t: functions[t][k] for t in functions})
        for list_ in functions.values():
            for f in list_:
                if f is not None:
                    self.api.lib.vr_function_free(f)

    def one_call(self, where, s, parts, given, functions):
        api = self.api
        data, arrays_ = [], []
        for a, v in zip(s.args, given):
            if a[0] == "k":
                continue
            if a[0] == "s":
                data.append(api.scalar(a[1], v))
                continue
            handle, buffer = api.array(a[1], v[0], a[3], array_values(a[1], *v))
            arrays_.append((handle, buffer))
            d = api.scalar(INT64, 0)
            d.kind, d.value.p = 2, handle.value
            data.append(d)
        wanted = api.call(functions[INTERP], data, len(parts))
        for t, f in functions.items():
            if t == INTERP or f is None:
                continue
            self.ran += 1
            got = api.call(f, data, len(parts))
            if s.name == "empty" and isinstance(got, list) and isinstance(wanted, list):
                got[0], wanted[0] = got[0][:2] + (b"",), wanted[0][:2] + (b"",)  # elements are undefined
            what = differs(got, wanted)
            if what:
                self.report(where, s, t, str([g for g in given if g is not None]), what)
        for handle, _ in arrays_:
            api.lib.vr_ndarray_release(handle)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("library")
    p.add_argument("definitions")
    p.add_argument("--all", action="store_true", help="all signatures, all conventions, cpu-par for each")
    p.add_argument("--only", default="", help="these functions")
    p.add_argument("--conventions", default="", help="these conventions")
    p.add_argument("--every", type=int, default=0, help="one signature in so many")
    p.add_argument("--part", type=int, default=12, help="without --all: about so many signatures of each function")
    p.add_argument("--opt", type=int, default=1, help="optimisation level")
    p.add_argument("--show", type=int, default=3, help="differences to print for each function")
    o = p.parse_args()
    functions = library_names.functions(open(o.definitions).read())
    only = set(filter(None, o.only.split(",")))
    sweep = Sweep(Api(o.library), o.opt)
    for where, conv in CONVENTIONS.items():
        if o.conventions and where not in o.conventions.split(","):
            continue
        pending = []
        for name, sort in sorted(functions, key=str):
            if only and name not in only:
                continue
            all_ = list(dict.fromkeys(signatures(name, sort, conv)))
            every = o.every or (1 if o.all else max(1, len(all_) // o.part))
            first = zlib.crc32(f"{name} {where}".encode()) % every
            for k, (args, stated) in enumerate(all_):
                # Shuffled: taking every n-th one would cover only some combinations.
                if every > 1 and zlib.crc32(f"{k} {name} {where}".encode()) % every != first:
                    continue
                if any(a[0] in "ax" and a[2] < conv["mindims"] for a in args):
                    continue
                s = Signature(name, args, stated)
                parts = sweep.accepted(conv, s)
                if parts:
                    pending.append((s, parts))
        for k in range(0, len(pending), 24):
            targets = (CPU, CPU_PAR) if o.all or k // 24 % 4 == 0 else (CPU,)
            sweep.run(where, conv, pending[k:k + 24], targets)
    counts = {}
    for where, s, target, given, what in sweep.bad:
        key = s.name
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= o.show:
            print(f"{where} {target} {s.text()} {given}: {what}")
    for key, n in counts.items():
        print(f"{key}: {n} differences")
    print(f"{sweep.sigs} signatures, {sweep.ran} native calls compared, {len(sweep.bad)} differences")
    sys.exit(1 if sweep.bad or sweep.sigs == 0 else 0)


if __name__ == "__main__":
    main()
