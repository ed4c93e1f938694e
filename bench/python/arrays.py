#!/usr/bin/env python3
"""Array expressions: NumPy functions compiled with @pyraptor.jit, compared with NumPy itself and Numba.

  arrays.py [--quick] [--json FILE] [NAME ...]

Results are compared with NumPy's before anything is timed. Medians of alternating runs in one process, one thread; bounds
checks are on for PyRaptor and off for Numba. The last line is the ratio to NumPy, higher is better.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import pathlib
import sys

for _v in ("OPENBLAS_NUM_THREADS", "VR_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_v, "1")
os.environ["VR_CACHE_DIR"] = ""

import numpy as np  # noqa: E402

from run import medians, outcome, same  # noqa: E402

import pyraptor  # noqa: E402


def expression(a, b):
    return 2 * (a + b) - np.sqrt(a)


def horner(x, a, b, c):
    p = a * x + b
    p = p * x + c
    p = p * x - a
    return p * x + 1.0


def black_scholes(price, strike, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    k1 = 1.0 / (1.0 + 0.2316419 * np.abs(d1))
    k2 = 1.0 / (1.0 + 0.2316419 * np.abs(d2))
    w1 = k1 * (0.31938153 + k1 * (-0.356563782 + k1 * (1.781477937 + k1 * (-1.821255978 + k1 * 1.330274429))))
    w2 = k2 * (0.31938153 + k2 * (-0.356563782 + k2 * (1.781477937 + k2 * (-1.821255978 + k2 * 1.330274429))))
    n1 = 1.0 - 0.3989422804 * np.exp(-0.5 * d1 * d1) * w1
    n2 = 1.0 - 0.3989422804 * np.exp(-0.5 * d2 * d2) * w2
    n1 = np.where(d1 < 0, 1.0 - n1, n1)
    n2 = np.where(d2 < 0, 1.0 - n2, n2)
    discounted = strike * np.exp(-rate * years)
    call = price * n1 - discounted * n2
    put = discounted * (1.0 - n2) - price * (1.0 - n1)
    return call, put


def haversine(lat1, lon1, lat2, lon2):
    u = np.sin(0.5 * (lat2 - lat1))
    v = np.sin(0.5 * (lon2 - lon1))
    a = u * u + np.cos(lat1) * np.cos(lat2) * v * v
    return 12742.0 * np.arctan2(np.sqrt(a), np.sqrt(1 - a))


def stencil(a, b, steps):
    for step in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])


def heat(t, steps, k):
    for step in range(steps):
        middle = t[1:-1]
        bend = t[:-2] - 2.0 * middle + t[2:]
        change = k * bend
        t[1:-1] = middle + change


def fdtd(ex, ey, hz, steps):
    for step in range(steps):
        ey[0, :] = step
        ey[1:, :] = ey[1:, :] - 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] = ex[:, 1:] - 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] = hz[:-1, :-1] - 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def norms(a, b):
    d = a - b
    return np.sqrt(np.sum(d * d)), np.sum(np.abs(d)), np.max(np.abs(d))


def huber(y, f, k):
    d = y - f
    m = np.abs(d)
    return np.sum(np.where(m <= k, 0.5 * d * d, k * (m - 0.5 * k)))


def correlation(x, y):
    u = x - np.mean(x)
    v = y - np.mean(y)
    return np.sum(u * v) / np.sqrt(np.sum(u * u) * np.sum(v * v))


def logistic_loss(y, z):
    return np.mean(np.log1p(np.exp(-y * z)))


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


def leapfrog(x, v, dt, steps):
    for step in range(steps):
        f = -x - 0.1 * x * x * x
        half = v + 0.5 * dt * f
        x = x + dt * half
        g = -x - 0.1 * x * x * x
        v = half + 0.5 * dt * g
    return x, v


def distances(x, c):
    return np.sum((x[:, None, :] - c[None, :, :]) ** 2, axis=2)


def standardise(a):
    return (a - np.mean(a, axis=0)) / np.sqrt(np.sum(a * a, axis=0) + 1.0)


def rng():
    return np.random.default_rng(20261121)


def vectors(count, low=0.0, high=1.0, full=500_000):
    def make(quick):
        r = rng()
        return [r.uniform(low, high, full // 10 if quick else full) for _ in range(count)]
    return make


def also(make, *more):
    return lambda quick: make(quick) + list(more)


def grids(count, steps, full=500):
    def make(quick):
        n, r = full // 4 if quick else full, rng()
        return [r.uniform(0, 1, (n, n)) for _ in range(count)] + [steps]
    return make


def matrix(*shapes):
    def make(quick):
        r = rng()
        return [r.uniform(0, 1, (max(s[0] // (10 if quick else 1), 4), *s[1:])) for s in shapes]
    return make


def options(quick):
    r, n = rng(), 20_000 if quick else 200_000
    return [r.uniform(10, 50, n), r.uniform(10, 50, n), r.uniform(0.2, 2, n), 0.1, 0.2]


PROGRAMS = {
    "expression": (expression, vectors(2)),
    "horner": (horner, vectors(4)),
    "black_scholes": (black_scholes, options),
    "haversine": (haversine, vectors(4, -1.5, 1.5, 100_000)),
    "stencil": (stencil, grids(2, 10)),
    "heat": (heat, also(vectors(1, full=100_000), 20, 0.1)),
    "fdtd": (fdtd, grids(3, 10)),
    "norms": (norms, vectors(2)),
    "huber": (huber, also(vectors(2, -2, 2), 0.5)),
    "correlation": (correlation, vectors(2)),
    "logistic_loss": (logistic_loss, vectors(2, -2, 2)),
    "softmax": (softmax, vectors(1, -2, 2)),
    "leapfrog": (leapfrog, also(vectors(2, full=100_000), 0.01, 10)),
    "distances": (distances, matrix((5000, 8), (40, 8))),
    "standardise": (standardise, matrix((5000, 60))),
}


def numba_version(f, numba, args):
    """The function compiled by Numba; None if Numba cannot compile it."""
    made = numba.njit(f)
    try:
        outcome(made, args)
        return made
    except Exception as e:  # Numba raises exceptions of many types.
        print(f"{f.__name__}: Numba: {type(e).__name__}", file=sys.stderr)
        return None


def flat(results):
    return [x for r in results for x in (r if isinstance(r, tuple) else (r,))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_intermixed_args()
    try:
        import numba
    except ImportError:
        numba = None
        print("numba is not installed (scripts/python_env.sh --bench): only NumPy is compared")
    print(f"{'program':14} {'pyraptor':>9} {'numpy':>9} {'numba':>9} {'/numpy':>7} {'/numba':>7}")
    rows, wrong = [], 0
    for name in given.names or PROGRAMS:
        f, make = PROGRAMS[name]
        small, args = make(True), make(given.quick)
        ours, theirs = pyraptor.jit(f), numba_version(f, numba, small) if numba else None
        wanted = flat(outcome(f, args))
        bad = [k for k, g in (("pyraptor", ours), ("numba", theirs)) if g and not same(wanted, flat(outcome(g, args)))]
        if bad:
            wrong += 1
            print(f"{name:14} wrong results: {', '.join(bad)}")
            continue
        ours.wait()
        row = {"name": name}
        keys = ("pyraptor_ms", "numpy_ms", "numba_ms")[:3 if theirs else 2]
        row.update(zip(keys, medians([ours, f, theirs][:len(keys)], args, 0.3 if given.quick else 1)))
        rows.append(row)
        nan = float("nan")
        print(f"{name:14} {row['pyraptor_ms']:9.3f} {row['numpy_ms']:9.3f} {row.get('numba_ms', nan):9.3f} "
              f"{row['numpy_ms'] / row['pyraptor_ms']:7.2f} {row.get('numba_ms', nan) / row['pyraptor_ms']:7.2f}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))

    def mean(values):
        values = list(values)
        return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")

    numba_ratios = [r["numba_ms"] / r["pyraptor_ms"] for r in rows if "numba_ms" in r]
    if numba_ratios:
        print(f"to Numba: geomean {mean(numba_ratios):.2f} min {min(numba_ratios):.2f} over {len(numba_ratios)}")
    ratios = [r["numpy_ms"] / r["pyraptor_ms"] for r in rows]
    print(f"arrays: geomean {mean(ratios):.2f} min {min(ratios, default=float('nan')):.2f} over {len(ratios)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
