"""Functions that return pieces of VRIR text (docs/vrir.md). Types are those of _types."""
from __future__ import annotations

import math
import re

from ._types import Scalar, is_float


def word(name):
    return name if re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name) else string(name)


def string(text):
    escaped = re.sub(r'["\\\\]', lambda m: "\\" + m[0], text)
    return '"' + re.sub(r"[\x00-\x1f\x7f]", lambda m: f"\\x{ord(m[0]):02x}", escaped) + '"'


def const(value, t):
    """A constant of scalar type t."""
    if t.complex:
        value = complex(value)
        return f"(complexconst :re {_float(value.real)} :im {_float(value.imag)} {t.vrir()})"
    if is_float(t.elem):
        return f"(realconst :dval {_float(float(value))} {t.vrir()})"
    return f"(realconst :ival {int(value)} {t.vrir()})"


def _float(x):
    if math.isnan(x):
        return "nan"
    return repr(x) if not math.isinf(x) else ("inf" if x > 0 else "-inf")


INT64 = Scalar("int64")
ONE, ZERO, MINUS_ONE = (const(k, INT64) for k in (1, 0, -1))


def name(id, t):
    return f"(name :id {id} {t.vrir()})"


def binary(op, t, a, b):
    return f"({op} {t.vrir()} (lhs {a}) (rhs {b}))"


def unary(op, t, a):
    return f"({op} {t.vrir()} {a})"


def lib(function, t, *args):
    return f"(libcall :libfunc {function} {t if isinstance(t, str) else t.vrir()} (args {' '.join(args)}))"


def dim(id, k):
    return f"(dim :arrayid {id} :dimid {k} (int64))"


def range_(start=None, step=None, stop=None):
    parts = [f"({w} {e})" for w, e in (("start", start), ("step", step), ("stop", stop)) if e is not None]
    return f"(range {' '.join(parts)})" if parts else "(range)"


def index(id, t, subscripts):
    return f"(index :arrayid {id} {t.vrir()} (indices {' '.join(subscripts)}))"


def subscript(expr, negative=False, check=True):
    flags = (" :negative %1" if negative else "") + ("" if check else " :boundscheck %0")
    return f"(index{flags} {expr})"


def xchange(op, id, t, subscripts, value):
    return f"(xchange :op {op} :arrayid {id} {t.vrir()} (indices {' '.join(subscripts)}) (args {value}))"


def alloc(function, t, extents):
    return f"(alloc :func {function} {t.vrir()} (args {' '.join(extents)}))"


def assign(targets, value, loc):
    return f"(assignstmt{loc} (lhs {' '.join(targets)}) (rhs {value}))"


def if_(test, then, otherwise, loc):
    tail = f" (else {' '.join(otherwise)})" if otherwise else ""
    return f"(ifstmt{loc} (test {test}) (if {' '.join(then)}){tail})"


def raise_(code, text, numbers, loc):
    tail = f" (args {' '.join(numbers)})" if numbers else ""
    return f"(raise{loc} :code {code} :text {string(text)}{tail})"


def while_(test, body, loc):
    return f"(whilestmt{loc} (test {test}) (body {' '.join(body)}))"


def domain(ranges):
    types = " ".join("(int64)" for _ in ranges)
    return f"(domain (domaintype :ndims {len(ranges)} {types}) {' '.join(ranges)})"


def for_(variables, ranges, body, loc, shared=None):
    kind, extra = ("forstmt", "") if shared is None else ("pforstmt", f" (shared {' '.join(map(str, shared))})")
    return (f"({kind}{loc} (itervars {' '.join(map(str, variables))}) (loopdomain {domain(ranges)}){extra}"
            f" (body {' '.join(body)}))")
