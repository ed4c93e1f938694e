#!/usr/bin/env python3
"""The fourteen programs: plain functions under @pyraptor.jit beside Numba and the C programs of bench/c.

  run.py [--quick] [--parallel] [--json FILE] [--plot FILE] [NAME ...]

Every result is compared with the C program's (or plain Python's, where C is missing) before anything is timed. Times are
medians of at least 7 runs in one process, in turns, on one thread; bounds checks are on for PyRaptor and off for Numba and C. First
calls include compiling, without any cache. --parallel: five of them with prange, on all threads (C on one). The last line is the ratio to Numba, higher is better.
"""
from __future__ import annotations

import argparse
import copy
import ctypes
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

_threads = str(os.cpu_count()) if "--parallel" in sys.argv else "1"
for _v in ("OPENBLAS_NUM_THREADS", "VR_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_v, _threads)
os.environ["VR_CACHE_DIR"] = ""

import numpy as np  # noqa: E402

import programs  # noqa: E402
import pyraptor  # noqa: E402


class C:
    """The C programs, called with arrays and numbers."""

    def __init__(self):
        folder = pathlib.Path(__file__).resolve().parent.parent / "c"
        target = pathlib.Path(tempfile.mkdtemp()) / "peers.so"
        names = [n for n in programs.PROGRAMS]
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "openblas"], capture_output=True, text=True).stdout.split()
        subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", "-I", str(folder), "-o",
                        str(target), *(str(folder / f"{n}.c") for n in names), *flags, "-lm"], check=True)
        self.library = ctypes.CDLL(str(target))
        self.library.c_capr_in.restype = ctypes.c_double
        for n in ("pagerank", "growcut"):
            getattr(self.library, n).restype = ctypes.c_int64

    int = ctypes.c_int32

    def __getattr__(self, name):
        f = getattr(self.library, name)

        def call(*args):
            out = []
            for a in args:
                if isinstance(a, np.ndarray):
                    assert a.flags.c_contiguous
                    out.append(ctypes.c_void_p(a.ctypes.data))
                elif isinstance(a, float):
                    out.append(ctypes.c_double(a))
                elif isinstance(a, (int, np.integer)):
                    out.append(ctypes.c_int64(a))
                else:
                    out.append(a)
            return f(*out)
        return call


def numba_version(f, parallel):
    """The function, and those of programs.py that it calls, under Numba."""
    import numba
    module = {**vars(programs), "prange": numba.prange}
    made = {}

    def jit(g):
        if g.__name__ not in made:
            import types
            copy_ = types.FunctionType(g.__code__, module, g.__name__, g.__defaults__)
            made[g.__name__] = numba.njit(copy_, parallel=parallel and g is f)
        return made[g.__name__]

    for name, o in list(module.items()):
        if callable(o) and getattr(o, "__module__", "") == "programs" and not name.startswith("make_"):
            module[name] = jit(o)
    return module[f.__name__]


def outcome(f, args):
    args = copy.deepcopy(args)
    r = f(*args)
    return [a for a in args if isinstance(a, np.ndarray)] + ([] if r is None else [r])


def same(a, b):
    return all(np.allclose(x, y, rtol=1e-9, atol=1e-11, equal_nan=True) for x, y in zip(a, b))


def medians(functions, args, seconds):
    """Medians of each, in milliseconds. The functions take turns, so that what else the machine does falls on all."""
    times = [[] for _ in functions]
    stop = time.perf_counter() + seconds * len(functions)
    while len(times[0]) < 7 or (time.perf_counter() < stop and len(times[0]) < 100):
        for f, t in zip(functions, times):
            fresh = copy.deepcopy(args)
            start = time.perf_counter()
            f(*fresh)
            t.append(time.perf_counter() - start)
    return [statistics.median(t) * 1e3 for t in times]


def first_call(f, args):
    args = copy.deepcopy(args)
    start = time.perf_counter()
    f(*args)
    return (time.perf_counter() - start) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--parallel", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    try:
        import numba
        print(f"numba {numba.__version__}, numpy {np.__version__}; milliseconds; ratios to Numba and C, higher is better")
    except ImportError:
        numba = None
        print("numba is not installed (scripts/python_env.sh --bench): only C is compared")
    c = C()
    seconds = 0.3 if options.quick else 2
    rows, wrong = [], 0
    print(f"{'program':10} {'pyraptor':>9} {'numba':>9} {'C':>9} {'/numba':>7} {'/C':>6}   {'first call':>10} {'numba':>9}")
    chosen = programs.PARALLEL if options.parallel else programs.PROGRAMS
    for name in options.names or chosen:
        f, make, peer = chosen[name]
        small, args = make(True), make(options.quick)
        ours = pyraptor.jit(f)
        theirs = numba_version(f, options.parallel) if numba else None

        def in_c(*a, peer=peer):
            return peer(c, a)

        row = {"name": name, "first_ms": first_call(ours, small)}
        plain = outcome(f, small)
        wanted = outcome(in_c, args)
        checks = {"pyraptor, small": same(plain, outcome(ours, small)), "pyraptor": same(wanted, outcome(ours, args))}
        if theirs:
            row["numba_first_ms"] = first_call(theirs, small)
            checks["numba"] = same(wanted, outcome(theirs, args))
        bad = [k for k, ok in checks.items() if not ok]
        if bad:
            wrong += 1
            print(f"{name:10} wrong results: {', '.join(bad)}")
            continue
        ours.wait()
        names = ("pyraptor_ms", "c_ms", "numba_ms")[:3 if theirs else 2]
        row.update(zip(names, medians([ours, in_c, theirs][:len(names)], args, seconds)))
        rows.append(row)
        nan = float("nan")
        print(f"{name:10} {row['pyraptor_ms']:9.2f} {row.get('numba_ms', nan):9.2f} {row['c_ms']:9.2f} "
              f"{row.get('numba_ms', nan) / row['pyraptor_ms']:7.2f} {row['c_ms'] / row['pyraptor_ms']:6.2f}   "
              f"{row['first_ms']:10.1f} {row.get('numba_first_ms', nan):9.1f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if options.plot:
        plot(rows, options.plot)

    def mean(values):
        values = list(values)
        return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")

    to_c = [r["c_ms"] / r["pyraptor_ms"] for r in rows]
    print(f"to C: geomean {mean(to_c):.2f} min {min(to_c):.2f}")
    ratios = [r["numba_ms"] / r["pyraptor_ms"] for r in rows if "numba_ms" in r]
    if ratios:
        print(f"first calls: {mean(r['numba_first_ms'] / r['first_ms'] for r in rows):.1f} times sooner than Numba's")
        print(f"python{' parallel' if options.parallel else ''}: geomean {mean(ratios):.2f} min {min(ratios):.2f} over {len(ratios)}")
    else:
        print(f"python: geomean {mean(to_c):.2f} min {min(to_c):.2f} over {len(to_c)}")
    return 1 if wrong else 0


def plot(rows, file):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(10, 4))
    places = np.arange(len(rows))
    for k, (key, label) in enumerate((("pyraptor_ms", "PyRaptor"), ("numba_ms", "Numba"))):
        if all(key in r for r in rows):
            axes.bar(places + 0.4 * (k - 0.5), [r["c_ms"] / r[key] for r in rows], 0.4, label=label)
    axes.axhline(1, color="gray", linewidth=0.8)
    axes.set_xticks(places, [r["name"] for r in rows], rotation=45, ha="right")
    axes.set_ylabel("speed, C = 1")
    axes.legend()
    figure.tight_layout()
    figure.savefig(file)


if __name__ == "__main__":
    sys.exit(main())
