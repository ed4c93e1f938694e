#!/usr/bin/env python3
"""Plain loops, compiled with @pyraptor.jit, compared with the same loops in C (loop_programs).

  loops.py [--quick] [--json FILE] [NAME ...]

C is compiled by gcc and, if it is there, by clang, with -O3 -march=native, without bounds checks. The results of all calls are compared
with C's before anything is timed: those of the first call, and those of calls by the optimised code, which may be made for the shapes. One
thread; least times of alternating runs. The last line is the ratio to the faster compiler; higher is better.
"""
from __future__ import annotations

import argparse
import copy
import ctypes
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("VR_NUM_THREADS", "1")
os.environ["VR_CACHE_DIR"] = ""

import numpy as np  # noqa: E402

from loop_programs.cases import cases  # noqa: E402
from loop_programs.in_c import functions, in_c  # noqa: E402
from run import mean  # noqa: E402

import pyraptor  # noqa: E402

HERE = pathlib.Path(__file__).parent / "loop_programs"
FILES = ("algebra", "others")
NUMBERS = {"n": ctypes.c_int64, "x": ctypes.c_double, "c": ctypes.c_float}


def programs():
    """The Python functions and their syntax trees, by name."""
    found = {}
    for name in FILES:
        path = HERE / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for f, tree in functions(path).items():
            function = getattr(module, f)
            kinds = list(function.__annotations__.values())
            function.__annotations__ = {}  # they are not types of Python
            found[f] = function, kinds, tree
    return found


def build(text, folder):
    """The text compiled by each compiler, and as the reference for results: without fused multiply-add."""
    source = folder / "loops.c"
    source.write_text(text)
    compilers = {"gcc": ["gcc"], "clang": [shutil.which("clang-19") or "clang", "-w"], "exact": ["gcc", "-ffp-contract=off"]}
    libraries = {}
    for name, command in compilers.items():
        if not shutil.which(command[0]):
            continue
        library = folder / f"{name}.so"
        subprocess.run([*command, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
        libraries[name] = ctypes.CDLL(library)
    return libraries


def c_call(library, name, kinds, args):
    """The call of a C function with these arguments, as a function without arguments."""
    converted = []
    for kind, a in zip(kinds, args):
        if isinstance(a, np.ndarray):
            converted += [*map(ctypes.c_int64, a.shape), ctypes.c_void_p(a.ctypes.data)]
        else:
            converted.append(NUMBERS[kind](a))
    function = library[name]
    function.restype = None
    return lambda: function(*converted)


def same(ours, theirs):
    return all(np.allclose(a, b, rtol=1e-4 if a.dtype == np.float32 else 1e-9, atol=1e-9, equal_nan=True)
               for a, b in zip(ours, theirs) if isinstance(a, np.ndarray))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    given = parser.parse_intermixed_args()
    known, arguments = programs(), cases(3 if given.quick else 1)
    with tempfile.TemporaryDirectory() as folder:
        libraries = build(in_c(tree for _, _, tree in known.values()), pathlib.Path(folder))
    peers = [name for name in ("gcc", "clang") if name in libraries]
    print(f"{'program':12} {'ms':>9} {'first ms':>9} " + " ".join(f"{'/' + p:>7}" for p in peers))
    rows, wrong = [], 0
    for name in given.names or known:
        function, kinds, _ = known[name]
        args = arguments[name]
        wanted = copy.deepcopy(args)
        c_call(libraries["exact"], name, kinds, wanted)()
        ours = pyraptor.jit(function)
        begin, first, right = time.perf_counter(), None, True
        while first is None or time.perf_counter() < begin + 0.3:
            got = copy.deepcopy(args)
            start = time.perf_counter()
            ours(*got)
            first = first or time.perf_counter() - start
            right = right and same(got, wanted)
        if not right:
            wrong += 1
            print(f"{name:12} wrong result")
            continue
        best = {}
        end = time.perf_counter() + (0.2 if given.quick else 1.2)
        while len(best) < 1 + len(peers) or time.perf_counter() < end:
            for who in ("ours", *peers):
                used = copy.deepcopy(args)
                call = (lambda: ours(*used)) if who == "ours" else c_call(libraries[who], name, kinds, used)
                start = time.perf_counter()
                call()
                took = time.perf_counter() - start
                best[who] = min(best.get(who, took), took)
        rows.append({"name": name, "first_ms": first * 1e3, **{f"{who}_ms": t * 1e3 for who, t in best.items()}})
        print(f"{name:12} {best['ours'] * 1e3:9.3f} {first * 1e3:9.1f} " + " ".join(f"{best[p] / best['ours']:7.2f}" for p in peers), flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
    ratios = {p: [r[f"{p}_ms"] / r["ours_ms"] for r in rows] for p in peers}
    ratios["best"] = [min(r) for r in zip(*(ratios[p] for p in peers))]
    for who, all_of in ratios.items():
        print(f"loops: {'' if who == 'best' else 'to ' + who + ' '}geomean {mean(all_of):.2f} min {min(all_of, default=float('nan')):.2f} "
              f"over {len(all_of)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
