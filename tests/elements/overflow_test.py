"""The convention `:overflow` compared with Python's integers: all 65,536 pairs of bytes, and extreme values of the other types.

Saturation is MATLAB's: the exact result, rounded to nearest with halves away from zero, limited to the type. A quotient by zero is the limit with the
dividend's sign; NaN becomes 0.
"""
from fractions import Fraction

import numpy as np
import pytest
from elements_test import (ALL, BYTES, CPU, CPU_PAR, INTEGERS, INTERP, LONG, OPENCL, TYPES, agree, all_of, arithmetic, binary, crossed, is_int,
                           lib, machine, module, param, pytestmark, vector)  # noqa: F401

WHERE = ((INTERP, 0), (CPU, 0), (CPU, 2), (CPU_PAR, 2), (OPENCL, 0))
#: Code for one thread and for several differs in loops alone, and levels by what LLVM does: native code of one kind for most types.
FEWER = ((INTERP, 0), (CPU_PAR, 2), (OPENCL, 0))


def where_to_run(*types):
    return WHERE if LONG or "int8" in types or "uint16" in types else FEWER
PAIRS = BYTES + [(a, a) for a in INTEGERS if np.dtype(a).itemsize > 1] + [
    ("int8", "int16"), ("uint8", "int16"), ("uint16", "int8"), ("uint32", "int32"), ("int64", "uint32"), ("bool", "uint8"),
    ("bool", "bool"), ("uint64", "uint8"), ("bool", "int64")]


def overflow_module(mode, params, results, section=False):
    return module(params, results, section).replace("(module :name m", f"(module :name m :overflow {mode}", 1)


def nearest(x):
    """A fraction rounded to the nearest integer, halves away from zero."""
    size = int(abs(x) + Fraction(1, 2))
    return size if x >= 0 else -size


def exact(word, a, b):
    """The exact result for integers; for a quotient, as saturation defines it. None: infinite, with the dividend's sign."""
    if word != "div":
        return {"plus": a + b, "minus": a - b, "mult": a * b}[word]
    if b == 0:
        return None if a else 0
    return nearest(Fraction(a, b))


def limited(n, elem):
    i = np.iinfo(elem)
    return max(i.min, min(i.max, n))


def array(numbers, elem):
    return np.array(numbers, dtype=object).astype(elem) if elem != "uint64" else np.array(numbers, dtype="uint64")


def saturated(word, p, q, elem):
    beyond = 1 << 70
    out = []
    for a, b in zip(p.tolist(), q.tolist()):
        r = exact(word, int(a), int(b))
        out.append(limited((beyond if a > 0 else -beyond) if r is None else r, elem))
    return array(out, elem)


def cast_saturated(a, elem):
    if a.dtype.kind != "f":
        return array([limited(int(n), elem) for n in a.tolist()], elem)
    beyond = 1 << 70
    of = lambda x: 0 if x != x else (beyond if x > 0 else -beyond) if abs(x) == np.inf else nearest(Fraction(x))
    return array([limited(of(x), elem) for x in a.tolist()], elem)


@pytest.mark.parametrize("a, b", PAIRS)
def test_operators_saturate(machine, a, b):
    p, q = crossed(a, b)
    e = arithmetic(a, b)
    words = ("plus", "minus", "mult", "div")
    made = [(e, binary(w, e, param(0, a), param(1, b))) for w in words]
    wanted = [saturated(w, p, q, e) for w in words]
    for where in where_to_run(a, b):
        got = machine.call(machine.functions(overflow_module("saturate", [a, b], made, where[0] == OPENCL), where), p, q)
        for (_, text), g, w in zip(made, got, wanted):
            agree(g, w, f"{where}: {text}")


@pytest.mark.parametrize("a", TYPES)
def test_conversions_saturate(machine, a):
    p = all_of(a)
    if a.startswith("float"):
        p = np.concatenate([p, np.array([0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 254.5, 255.5, 127.5, -128.5, -129.5], a)])
    to = [t for t in INTEGERS if t != a]
    made = [(t, f"(cast {vector(t)} {param(0, a)})") for t in to]
    for where in where_to_run(a):
        got = machine.call(machine.functions(overflow_module("saturate", [a], made, where[0] == OPENCL), where), p)
        for t, g in zip(to, got):
            agree(g, cast_saturated(p, t), f"{where}: {a} to {t}")


@pytest.mark.parametrize("a", INTEGERS)
def test_negation_and_stated_types_saturate(machine, a):
    """Negation, assignment to another type, and a floating-point operation with a stated integer type."""
    p = all_of(a)
    x = param(0, a)
    narrow = "int8" if a != "int8" else "uint8"
    made = [(a, f"(negate {vector(a)} {x})"), (narrow, x),
            (a, binary("mult", a, x, "(realconst :dval 0.5 (float64))"))]
    i = np.iinfo(a)
    # 64-bit integers lose precision when they are converted to float64.
    halves = array([limited(nearest(Fraction(float(int(n)) * 0.5)), a) for n in p.tolist()], a)
    wanted = [array([limited(-int(n), a) for n in p.tolist()], a), array([limited(int(n), narrow) for n in p.tolist()], narrow), halves]
    assert i.max in p
    for where in where_to_run(a):
        got = machine.call(machine.functions(overflow_module("saturate", [a], made, where[0] == OPENCL), where), p)
        for (_, text), g, w in zip(made, got, wanted):
            agree(g, w, f"{where}: {a} {text}")


@pytest.mark.parametrize("a", INTEGERS)
def test_every_overflow_is_a_fault(machine, a):
    """For each pair of extreme values: the fault, or the exact result."""
    i = np.iinfo(a)
    numbers = {i.min, i.min + 1, -3, -1, 0, 1, 2, i.max // 2 + 1, i.max}
    values = np.array(sorted(n for n in numbers if n >= i.min), a)
    for word in ("plus", "minus", "mult", "div"):
        text = overflow_module("fault", [a, a], [(a, binary(word, a, param(0, a), param(1, a)))])
        functions = [(w, machine.functions(text, w)) for w in WHERE[:3]]
        seen = set()
        for x in values:
            for y in values:
                p, q = int(x), int(y)
                if word == "div":
                    r = None if q == 0 else abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)
                else:
                    r = exact(word, p, q)
                wanted = "DIV_BY_ZERO" if r is None else r if i.min <= r <= i.max else "OVERFLOW"
                seen.add(wanted if isinstance(wanted, str) else "result")
                for where, f in functions:
                    got = machine.call(f, np.array([x], a), np.array([y], a))
                    assert (got if isinstance(got, str) else int(got[0][0])) == wanted, (where, word, p, q)
        assert {"result"} <= seen and ("OVERFLOW" in seen or (word == "div" and i.min == 0))


@pytest.mark.parametrize("a", TYPES)
def test_conversions_out_of_range_are_faults(machine, a):
    for t in INTEGERS:
        if t == a:
            continue
        f = [(w, machine.functions(overflow_module("fault", [a], [(t, f"(cast {vector(t)} {param(0, a)})")]), w)) for w in WHERE[:3]]
        i = np.iinfo(t)
        for x in all_of(a)[:: 7 if np.dtype(a).itemsize == 1 and a != "bool" else 1]:
            v = x.item()
            whole = None if v != v or abs(v) == float("inf") else int(v)
            wanted = whole if whole is not None and i.min <= whole <= i.max else "OVERFLOW"
            for where, g in f:
                got = machine.call(g, np.array([x], a))
                assert (got if isinstance(got, str) else int(got[0][0])) == wanted, (where, a, t, v)


@pytest.mark.parametrize("a", ["int8", "uint16", "int32", "int64"])
def test_functions_with_the_operation_in_their_name(machine, a):
    """Under `:overflow wrap` single operations saturate or fail as library functions."""
    p, q = crossed(a, a)
    x, y = param(0, a), param(1, a)
    words = {"add_sat": "plus", "sub_sat": "minus", "mul_sat": "mult", "div_sat": "div"}
    made = [(a, lib(n, a, x, y)) for n in words] + [(a, lib("abs_sat", a, x)), (a, binary("plus", a, x, y))]
    with np.errstate(all="ignore"):
        wanted = [saturated(w, p, q, a) for w in words.values()]
        wanted += [array([limited(abs(int(n)), a) for n in p.tolist()], a), p + q]
    for where in where_to_run(a):
        got = machine.call(machine.functions(module([a, a], made, where[0] == OPENCL), where), p, q)
        for (_, text), g, w in zip(made, got, wanted):
            agree(g, w, f"{where}: {text}")
    least = np.array([np.iinfo(a).min], a)
    for where in where_to_run(a):
        f = machine.functions(module([a], [(a, lib("abs_check", a, x))], where[0] == OPENCL), where)
        got = machine.call(f, least)
        assert got == "OVERFLOW" if is_int(a) and np.iinfo(a).min < 0 else got[0][0] == least[0]
