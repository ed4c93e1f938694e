#!/usr/bin/env python3
"""Library functions: calls compiled with @pyraptor.jit, compared with NumPy itself, and with SciPy where it has the function.

  library.py [--quick] [--json FILE] [NAME ...]

Results are compared with NumPy's before anything is timed. Medians of alternating runs in one process, one thread. Each program is
one call, so that the runtime library is measured and not the compiler. The last line is the ratio to NumPy; higher is better.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import sys

for _v in ("OPENBLAS_NUM_THREADS", "VR_NUM_THREADS"):
    os.environ.setdefault(_v, "1")
os.environ["VR_CACHE_DIR"] = ""

import numpy as np  # noqa: E402

from arrays import rng  # noqa: E402
from run import medians, outcome  # noqa: E402

import pyraptor  # noqa: E402

try:
    import scipy.fft
    import scipy.linalg
    import scipy.special
except ImportError:
    scipy = None


def cholesky(a):
    return np.linalg.cholesky(a)


def det(a):
    return np.linalg.det(a)


def inv(a):
    return np.linalg.inv(a)


def solve(a, b):
    return np.linalg.solve(a, b)


def qr(a):
    return np.abs(np.linalg.qr(a, "r"))


def svdvals(a):
    return np.linalg.svd(a, compute_uv=False)


def eigvalsh(a):
    return np.linalg.eigvalsh(a)


def eigvals(a):
    return np.sort(np.abs(np.linalg.eigvals(a)))


def lstsq(a, b):
    return np.linalg.lstsq(a, b, 1e-12)[0]


def pinv(a):
    return np.linalg.pinv(a)


def matrix_power(a):
    return np.linalg.matrix_power(a, 5)


def kron(a, b):
    return np.kron(a, b)


def fft(x):
    return np.fft.fft(x)


def ifft(x):
    return np.fft.ifft(x)


def rfft(x):
    return np.fft.rfft(x)


def irfft(x):
    return np.fft.irfft(x)


def fft2(a):
    return np.fft.fft2(a)


def sort(x):
    return np.sort(x)


def sort_rows(a):
    return np.sort(a, axis=1)


def argsort(x):
    return np.argsort(x)


def unique(x):
    return np.unique(x)


def median(x):
    return np.median(x)


def quantiles(x):
    return np.quantile(x, np.array([0.1, 0.5, 0.9]))


def searchsorted(a, x):
    return np.searchsorted(a, x)


def isin(x, a):
    return np.isin(x, a)


def interp(x, xp, fp):
    return np.interp(x, xp, fp)


def convolve(x, h):
    return np.convolve(x, h)


def bincount(k):
    return np.bincount(k)


def histogram(x):
    return np.histogram(x, 50)[0]


def digitize(x, e):
    return np.digitize(x, e)


def gradient(x):
    return np.gradient(x)


def trapezoid(x):
    return np.trapezoid(x)


def cumsum(x):
    return np.cumsum(x)


def cumsum_columns(a):
    return np.cumsum(a, axis=0)


def cumprod(x):
    return np.cumprod(x)


def cummax(x):
    return np.maximum.accumulate(x)


def nancumsum(x):
    return np.nancumsum(x)


def diff(x):
    return np.diff(x)


def i0(x):
    return np.i0(x)


def eigh(a):
    return np.linalg.eigh(a)[0]


def svd(a):
    return np.linalg.svd(a, full_matrices=False)[1]


def fftn(a):
    return np.fft.fftn(a)


def sort_columns(a):
    return np.sort(a, axis=0)


# SciPy's own functions, which NumPy does not have: the column "numpy" is SciPy.
def expm(a):
    return scipy.linalg.expm(a)


def erf(x):
    return scipy.special.erf(x)


def erfinv(x):
    return scipy.special.erfinv(x)


def gammainc(a, x):
    return scipy.special.gammainc(a, x)


def j0(x):
    return scipy.special.j0(x)


def matrix(n, m=None):
    return lambda quick: [rng().normal(size=(n, m or n)) + (n * np.eye(n) if m is None else 0)]


def definite(n):
    def make(quick):
        a = rng().normal(size=(n, n))
        return [a @ a.T + n * np.eye(n)]
    return make


def symmetric(n):
    def make(quick):
        a = rng().normal(size=(n, n))
        return [a + a.T]
    return make


def with_right_side(n, columns):
    return lambda quick: [*matrix(n)(quick), rng().normal(size=(n, columns))]


def numbers(n, *, complex_=False, whole=None, count=1):
    def make(quick):
        r, m = rng(), max(n // 10, 4) if quick else n
        one = lambda: r.integers(0, whole, m) if whole else r.normal(size=m) + (1j * r.normal(size=m) if complex_ else 0)  # noqa: E731
        return [one() for _ in range(count)]
    return make


def single(make):
    """The same arguments as float32 and complex64."""
    return lambda quick: [a.astype(np.complex64 if a.dtype.kind == "c" else np.float32) for a in make(quick)]


def stack(count, n):
    return lambda quick: [rng().normal(size=(count, n, n)) + n * np.eye(n)]


def table_and_numbers(n, m):
    return lambda quick: [np.sort(rng().normal(size=n)), rng().normal(size=m // 10 if quick else m)]


def spectrum(n):
    return lambda quick: [np.fft.rfft(rng().normal(size=n))]


# name: (the call, its arguments, the SciPy function)
PROGRAMS = {
    "cholesky 32": (cholesky, definite(32), "linalg.cholesky"),
    "cholesky 400": (cholesky, definite(400), None),
    "det 100": (det, matrix(100), "linalg.det"),
    "inv 100": (inv, matrix(100), "linalg.inv"),
    "solve 10x1": (solve, with_right_side(10, 1), None),
    "solve 300x20": (solve, with_right_side(300, 20), "linalg.solve"),
    "qr 150x50": (qr, matrix(150, 50), None),
    "svdvals 100x60": (svdvals, matrix(100, 60), "linalg.svdvals"),
    "eigvalsh 100": (eigvalsh, symmetric(100), "linalg.eigvalsh"),
    "eigvals 60": (eigvals, matrix(60), None),
    "lstsq 200x30": (lstsq, lambda q: [rng().normal(size=(200, 30)), rng().normal(size=200)], None),
    "pinv 60x40": (pinv, matrix(60, 40), "linalg.pinv"),
    "matrix_power 80": (matrix_power, lambda q: [rng().normal(size=(80, 80)) / 9], None),
    "eigh 100": (eigh, symmetric(100), None),
    "svd 100x60": (svd, matrix(100, 60), None),
    "det 500 of 6": (det, stack(500, 6), "linalg.det"),
    "inv 200 of 10": (inv, stack(200, 10), "linalg.inv"),
    "kron 30": (kron, lambda q: [rng().normal(size=(30, 30)), rng().normal(size=(30, 30))], None),
    "fft 1000": (fft, numbers(1000, complex_=True), "fft.fft"),
    "fft 2^16": (fft, numbers(1 << 16, complex_=True), "fft.fft"),
    "fft 99991 prime": (fft, lambda q: [rng().normal(size=99991) + 0j], "fft.fft"),
    "ifft 4096": (ifft, numbers(4096, complex_=True), "fft.ifft"),
    "rfft 2^16": (rfft, numbers(1 << 16), "fft.rfft"),
    "irfft 2^16": (irfft, spectrum(1 << 16), "fft.irfft"),
    "fft2 256": (fft2, lambda q: [rng().normal(size=(256, 256)) + 0j], "fft.fft2"),
    "fft 2^16 float32": (fft, single(numbers(1 << 16, complex_=True)), "fft.fft"),
    "rfft 4093 prime": (rfft, numbers(4093), "fft.rfft"),
    "fftn 40": (fftn, lambda q: [rng().normal(size=(40, 40, 40)) + 0j], "fft.fftn"),
    "sort 10^6": (sort, numbers(1_000_000), None),
    "sort 1000": (sort, numbers(1000), None),
    "sort 200": (sort, lambda q: [rng().normal(size=200)], None),
    "sort 500": (sort, lambda q: [rng().normal(size=500)], None),
    "sort rows": (sort_rows, lambda q: [rng().normal(size=(1000, 200))], None),
    "sort rows f32": (sort_rows, lambda q: [rng().normal(size=(1000, 200)).astype(np.float32)], None),
    "sort columns": (sort_columns, lambda q: [rng().normal(size=(200, 1000))], None),
    "sort float32": (sort, single(numbers(1_000_000)), None),
    "argsort 200": (argsort, lambda q: [rng().normal(size=200)], None),
    "sort int64": (sort, numbers(1_000_000, whole=1 << 40), None),
    "argsort 10^5": (argsort, numbers(100_000), None),
    "unique floats": (unique, numbers(200_000), None),
    "unique integers": (unique, numbers(500_000, whole=1000), None),
    "median": (median, numbers(200_000), None),
    "quantiles": (quantiles, numbers(200_000), None),
    "searchsorted": (searchsorted, table_and_numbers(10_000, 200_000), None),
    "isin": (isin, numbers(200_000, whole=10**9, count=2), None),
    "interp": (interp, lambda q: [rng().normal(size=200_000), np.linspace(-3, 3, 1000), rng().normal(size=1000)], None),
    "convolve": (convolve, lambda q: [rng().normal(size=20_000), rng().normal(size=100)], None),
    "bincount": (bincount, numbers(500_000, whole=1000), None),
    "histogram": (histogram, numbers(300_000), None),
    "digitize": (digitize, lambda q: [rng().normal(size=200_000), np.linspace(-3, 3, 100)], None),
    "gradient": (gradient, numbers(300_000), None),
    "trapezoid": (trapezoid, numbers(300_000), None),
    "cumsum": (cumsum, numbers(1_000_000), None),
    "cumsum columns": (cumsum_columns, lambda q: [rng().normal(size=(1000, 500))], None),
    "cumprod": (cumprod, lambda q: [rng().uniform(0.9, 1.1, 500_000)], None),
    "cummax": (cummax, numbers(1_000_000), None),
    "nancumsum": (nancumsum, numbers(500_000), None),
    "diff": (diff, numbers(500_000), None),
    "i0": (i0, numbers(100_000), None),
}


if scipy is not None:
    PROGRAMS.update({
        "expm 60": (expm, matrix(60), None),
        "erf": (erf, numbers(100_000), None),
        "erfinv": (erfinv, lambda q: [rng().uniform(-1, 1, 100_000)], None),
        "gammainc": (gammainc, lambda q: [rng().uniform(0.1, 20, 20_000), rng().uniform(0, 30, 20_000)], None),
        "j0": (j0, lambda q: [rng().uniform(0, 50, 100_000)], None),
    })


def same(a, b):
    """float32 is compared relative to the greatest element."""
    for x, y in zip(a, b):
        single = np.asarray(x).dtype in (np.float32, np.complex64)
        greatest = np.abs(x).max(initial=0) if single else 1e-2
        if not np.allclose(x, y, rtol=1e-5 if single else 1e-9, atol=(1e-5 if single else 1e-9) * greatest, equal_nan=True):
            return False
    return True


def scipys(name):
    if scipy is None or name is None:
        return None
    module, function = name.split(".")
    return getattr(getattr(scipy, module), function)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_intermixed_args()
    if scipy is None:
        print("scipy is not installed (scripts/python_env.sh --bench): only NumPy is compared")
    print(f"{'call':16} {'pyraptor':>9} {'numpy':>9} {'scipy':>9} {'/numpy':>7} {'/scipy':>7}   (milliseconds)")
    rows, wrong = [], 0
    for name in given.names or PROGRAMS:
        f, make, other = PROGRAMS[name]
        args = make(given.quick)
        ours, theirs = pyraptor.jit(f), scipys(other)
        wanted = outcome(f, args)
        if not same(wanted, outcome(ours, args)):
            wrong += 1
            print(f"{name:16} wrong result")
            continue
        ours.wait()
        row = {"name": name}
        keys = ("pyraptor_ms", "numpy_ms", "scipy_ms")[:3 if theirs else 2]
        row.update(zip(keys, medians([ours, f, theirs][:len(keys)], args, 0.1 if given.quick else 0.6)))
        rows.append(row)
        nan = float("nan")
        print(f"{name:16} {row['pyraptor_ms']:9.4f} {row['numpy_ms']:9.4f} {row.get('scipy_ms', nan):9.4f} "
              f"{row['numpy_ms'] / row['pyraptor_ms']:7.2f} {row.get('scipy_ms', nan) / row['pyraptor_ms']:7.2f}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
    ratios = [r["numpy_ms"] / r["pyraptor_ms"] for r in rows]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
    print(f"library: geomean {mean:.2f} min {min(ratios, default=float('nan')):.2f} over {len(ratios)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
