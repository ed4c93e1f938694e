#!/usr/bin/env python3
"""Elementwise library functions at infinities, NaN, zeros of both signs and numbers near the limits of their type.

    special_values.py LIBVELOCIRAPTOR_SO [--only NAME,...] [--opt N]

Native code must agree with the interpreter, which gives the C library's results (C annex G for complex numbers):
each part is the same NaN or infinity, a zero of the same sign, or equal up to rounding. As array elements and as numbers, real and complex, float32 and float64.
"""
import argparse
import itertools
import math
import struct
import sys

from library_sweep import CONVENTIONS, Signature, Sweep
from library_sweep_api import COMPLEX, CPU, CPU_PAR, FLOAT32, FLOAT64, INTERP, ROW, Api, decode, elem_name

INF, NAN = math.inf, math.nan
UNARY = ("sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh erf abs floor ceil round fix sign conj "
         "real imag angle isnan isinf isfinite").split()
BINARY = "pow atan2 hypot min2 max2 mod rem libplus libminus libmult libdiv".split()
COMMON = [0.0, 0.25, 1.0, 1.5, 2.0, 30.0]
LIMITS = {FLOAT32: [1e-30, 100.0, 1e30], FLOAT64: [1e-200, 800.0, 1e200]}
#: The least, the least normal, and the largest number.
EXTREMES = {FLOAT32: [2.0**-149, 2.0**-126, (2 - 2.0**-23) * 2.0**127], FLOAT64: [5e-324, sys.float_info.min, sys.float_info.max]}


def grid(elem, extremes=False):
    positive = COMMON + LIMITS[elem & 15] + (EXTREMES[elem & 15] if extremes else []) + [INF]
    reals = positive + [-x for x in positive] + [NAN]
    if elem & 15 == FLOAT32:
        reals = [struct.unpack("f", struct.pack("f", x))[0] for x in reals]
    return list(itertools.product(reals, reals)) if elem & COMPLEX else reals


def same(got, wanted, size, eps):
    """Whether a part of a number is right. `size`: the magnitude of the whole number."""
    if math.isnan(wanted) or math.isinf(wanted):
        return math.isnan(got) if math.isnan(wanted) else got == wanted
    if wanted == 0 and got == 0:
        return math.copysign(1, got) == math.copysign(1, wanted)
    return abs(got - wanted) <= eps * size


def sensitivity(name, arguments):
    """The factor by which e^(w log z) amplifies the rounding error of its exponent."""
    if name != "pow" or not isinstance(arguments[0], tuple):
        return 1
    z, w = (complex(*x) for x in arguments)
    if z == 0 or not all(map(math.isfinite, arguments[0] + arguments[1])):
        return 1
    return 1 + abs(w) * math.hypot(math.log(abs(z)), math.pi)


class Special(Sweep):
    def compare(self, name, text, given, got, wanted, elem):
        if isinstance(got, tuple) or isinstance(wanted, tuple):
            if not (isinstance(got, tuple) and isinstance(wanted, tuple) and got[0] == wanted[0]):
                self.bad.append((text, "", got, wanted))
            return
        (e, _, a), (_, _, b) = got[0], wanted[0]
        a, b, parts = decode(e, a), decode(e, b), 2 if e & COMPLEX else 1
        eps = 3e-5 if elem & 15 == FLOAT32 else 1e-12
        for k, arguments in enumerate(given):
            p, q = a[k * parts:(k + 1) * parts], b[k * parts:(k + 1) * parts]
            self.ran += 1
            size = max((abs(x) for x in q if math.isfinite(x)), default=0) * sensitivity(name, arguments)
            if not all(same(x, y, size, eps) for x, y in zip(p, q)):
                self.bad.append((text, arguments, p, q))

    def one(self, name, elem, conventions, points):
        """Tests the points as elements of arrays, and some of them as numbers."""
        rank = CONVENTIONS[conventions]["mindims"]
        for kind in "as":
            args = tuple((kind, elem, rank, ROW) if kind == "a" else (kind, elem) for _ in points[0])
            s = Signature(name, args, None)
            parts = self.accepted(CONVENTIONS[conventions], s)
            if not parts:
                return
            self.sigs += 1
            some = points if kind == "a" else points[::7]
            functions = {t: self.load(CONVENTIONS[conventions], [(s, parts)], t)[0] for t in (INTERP, CPU, CPU_PAR)}
            groups = [some] if kind == "a" else [[p] for p in some]
            for group in groups:
                data, keep = [], []
                for k in range(len(args)):
                    if kind == "s":
                        data.append(self.api.scalar(elem, group[0][k]))
                        continue
                    handle, buffer = self.api.array(elem, (1,) * (rank - 1) + (len(group),), ROW, [p[k] for p in group])
                    keep.append((handle, buffer))
                    d = self.api.scalar(FLOAT64, 0.0)
                    d.kind, d.value.p = 2, handle.value
                    data.append(d)
                wanted = self.api.call(functions[INTERP], data, 1)
                for t in (CPU, CPU_PAR):
                    self.compare(name, f"{conventions} {s.text()}", group, self.api.call(functions[t], data, 1), wanted, elem)
                for handle, _ in keep:
                    self.api.lib.vr_ndarray_release(handle)
            for f in functions.values():
                self.api.lib.vr_function_free(f)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("library")
    p.add_argument("--only", default="")
    p.add_argument("--opt", type=int, default=3)
    p.add_argument("--show", type=int, default=8, help="differences to print for each function")
    o = p.parse_args()
    only = set(filter(None, o.only.split(",")))
    sweep = Special(Api(o.library), o.opt)
    for elem in (FLOAT32, FLOAT64, FLOAT32 | COMPLEX, FLOAT64 | COMPLEX):
        points = grid(elem)
        for name in UNARY:
            if not only or name in only:
                sweep.one(name, elem, "numpy-odd", [(x,) for x in grid(elem, True)])
        few = points[::5] if elem & COMPLEX else points
        for name in BINARY:
            if not only or name in only:
                for where in ("numpy-odd", "matlab-odd"):
                    sweep.one(name, elem, where, list(itertools.product(few, few)))
    shown = {}
    for text, given, got, wanted in sweep.bad:
        shown[text] = shown.get(text, 0) + 1
        if shown[text] <= o.show:
            print(f"{text} of {given}: {got}, wanted {wanted}")
    for text, n in shown.items():
        print(f"{text}: {n} differences")
    print(f"{sweep.sigs} signatures, {sweep.ran} values compared, {len(sweep.bad)} differences")
    sys.exit(1 if sweep.bad or sweep.ran < 10000 and not only else 0)


if __name__ == "__main__":
    main()
