#!/usr/bin/env python3
"""The fourteen programs compiled with @pyraptor.jit, compared with C (bench/c) and the installed compilers of peers.py.

  run.py [--quick] [--parallel] [--peers NAME,...] [--json FILE] [--plot FILE.svg] [NAME ...]

Every result is compared with the C program's before anything is timed. Times are medians of at least 7 alternating runs in one
process, on one thread; ratios are the medians of the ratios of each round. Bounds checks are on for PyRaptor and off for the
others. First calls use a small instance and include compilation, without any cache; for Cython and Pythran they are the time
to build the extension. Peers: all that are installed
(scripts/python_env.sh --bench, --peers). --parallel: five programs with prange, on all threads, beside Numba (C on one).
The last line is the ratio to Numba, higher is better.
"""
from __future__ import annotations

import argparse
import copy
import json
import math
import os
import pathlib
import statistics
import sys
import time

_threads = str(os.cpu_count()) if "--parallel" in sys.argv else "1"
for _v in ("OPENBLAS_NUM_THREADS", "VR_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_v, _threads)
os.environ["VR_CACHE_DIR"] = ""
if _threads == "1":
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import numpy as np  # noqa: E402

import peers  # noqa: E402
import plot  # noqa: E402
import programs  # noqa: E402
import pyraptor  # noqa: E402


def outcome(f, args):
    args = copy.deepcopy(args)
    r = f(*args)
    return [a for a in args if isinstance(a, np.ndarray)] + ([] if r is None else [r])


def same(a, b):
    return all(np.allclose(x, y, rtol=1e-9, atol=1e-11, equal_nan=True) for x, y in zip(a, b))


def turns(functions, args, seconds):
    """The times of each function, in milliseconds. The functions run in turns, so that other work on the machine affects all of them equally."""
    times = [[] for _ in functions]
    stop = time.perf_counter() + seconds * len(functions)
    while len(times[0]) < 7 or (time.perf_counter() < stop and len(times[0]) < 100):
        for f, t in zip(functions, times):
            fresh = copy.deepcopy(args)
            start = time.perf_counter()
            f(*fresh)
            t.append(time.perf_counter() - start)
    return [[x * 1e3 for x in t] for t in times]


def medians(functions, args, seconds):
    return [statistics.median(t) for t in turns(functions, args, seconds)]


def timed(make):
    start = time.perf_counter()
    result = make()
    return result, (time.perf_counter() - start) * 1e3


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def row_of(name, c, wanted_peers, options):
    """The figures of one program. The keys of `wrong` are the names of the compilers with wrong results or none."""
    f, make, peer = (programs.PARALLEL if options.parallel else programs.PROGRAMS)[name]
    small, args = make(True), make(options.quick)
    wanted_small, wanted = outcome(f, small), outcome(lambda *a: peer(c, a), args)
    ours = pyraptor.jit(f)
    functions = {"pyraptor": ours, "c": lambda *a: peer(c, a)}
    row = {"name": name, "wrong": []}
    _, row["pyraptor_first_ms"] = timed(lambda: ours(*copy.deepcopy(small)))
    if not (same(wanted_small, outcome(ours, small)) and same(wanted, outcome(ours, args))):
        row["wrong"].append("pyraptor")
    ours.wait()
    for p in wanted_peers:
        def first(p=p):
            g = peers.PEERS[p][0](f, small, options.parallel)
            g(*copy.deepcopy(small))
            return g
        try:
            functions[p], row[f"{p}_first_ms"] = timed(first)
            if not same(wanted, outcome(functions[p], args)):
                row["wrong"].append(p)
        except peers.Unfit:
            pass
        except Exception as e:  # other compilers raise exceptions of many types
            said = (getattr(e, "stderr", None) or b"").decode().strip().splitlines()[-1:]
            print(f"{name}: {p} does not compile it: {type(e).__name__} {' '.join(said) or e}", file=sys.stderr)
            functions.pop(p, None)
    if not row["wrong"]:
        times = turns(list(functions.values()), args, options.seconds)
        for p, own in zip(functions, times):
            row[f"{p}_ms"] = statistics.median(own)
            row[f"{p}_ratio"] = statistics.median(x / ours for x, ours in zip(own, times[0]))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--parallel", action="store_true")
    parser.add_argument("--peers")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    options.seconds = 0.3 if options.quick else 2
    there = peers.installed()
    chosen = [p for p in options.peers.split(",") if p] if options.peers is not None else ["numba"] if options.parallel else there
    for p in [p for p in chosen if p not in there]:
        print(f"{p} is not installed (scripts/python_env.sh --bench or --peers): left out")
    chosen = [p for p in chosen if p in there]
    print(f"versions: {', '.join(f'{p} {peers.version(p)}' for p in dict.fromkeys(['numpy', *chosen]))}")
    print("milliseconds, then theirs / ours (higher is better); first calls in milliseconds")
    others = ["c", *chosen]
    heads = [("program", 10), ("pyraptor", 9), *((f"/{p}", 8) for p in others), ("first", 8), *((p, 8) for p in chosen)]
    print(" ".join(f"{h:>{w}}" if k else f"{h:{w}}" for k, (h, w) in enumerate(heads)))
    c = peers.C()
    rows, wrong = [], 0
    nan = float("nan")
    for name in options.names or (programs.PARALLEL if options.parallel else programs.PROGRAMS):
        row = row_of(name, c, chosen, options)
        if row["wrong"]:
            wrong += 1
            print(f"{name:10} wrong results: {', '.join(row['wrong'])}", flush=True)
            continue
        rows.append(row)
        ms = row["pyraptor_ms"]

        def text(value, width, digits):
            return " " * (width - 1) + "-" if value != value else f"{value:{width}.{digits}f}"
        print(f"{name:10} {ms:9.2f}", *(text(row.get(f"{p}_ratio", nan), 8, 2) for p in others),
              *(text(row.get(f"{p}_first_ms", nan), 8, 0) for p in ["pyraptor", *chosen]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))
    if options.plot and rows:
        options.plot.write_text(plot.bars(rows, ["pyraptor", *chosen]))
    for p in others:
        ratios = [r[f"{p}_ratio"] for r in rows if f"{p}_ratio" in r]
        sooner = [r[f"{p}_first_ms"] / r["pyraptor_first_ms"] for r in rows if f"{p}_first_ms" in r]
        if ratios:
            print(f"to {p}: geomean {mean(ratios):.2f} min {min(ratios):.2f} over {len(ratios)}"
                  + (f"; first calls {mean(sooner):.1f} times sooner" if sooner else ""))
    reference = "numba" if "numba" in chosen else "c"
    ratios = [r[f"{reference}_ratio"] for r in rows]
    if ratios:
        print(f"python{' parallel' if options.parallel else ''}: geomean {mean(ratios):.2f} min {min(ratios):.2f} over {len(ratios)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
