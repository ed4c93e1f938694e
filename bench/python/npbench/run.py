#!/usr/bin/env python3
"""NPBench (https://github.com/spcl/npbench) under PyRaptor: the unmodified NumPy programs plus the decorator.

  run.py DIR [--preset S|M|L|paper] [--scale F] [--time] [--numba] [--limit SECONDS] [NAME ...]

DIR is a checkout of NPBench, which is not part of this repository. Each program runs in a process of its own on the
data of its own initialiser, is compared with NumPy's results (rtol 1e-6; 1e-3 for float32), and ends as one of
  ok       right results
  refused  pyraptor.UnsupportedError, with the reason
  wrong, failed, timeout
--scale multiplies the sizes of the preset's parameters. --time takes medians of 5 runs; --numba adds NPBench's own
Numba version where it has one. --json FILE writes the figures. The last line is the number of programs with each outcome.
"""
from __future__ import annotations

import argparse
import copy
import importlib
import json
import pathlib
import statistics
import subprocess
import sys
import time


def load(folder, name, scale, preset):
    info = json.loads((folder / "bench_info" / f"{name}.json").read_text())["benchmark"]
    package = "npbench.benchmarks." + info["relative_path"].replace("/", ".")
    parameters = dict(info["parameters"][preset])
    if scale != 1:
        parameters = {k: max(4, int(v * scale)) if isinstance(v, int) and v > 32 else v for k, v in parameters.items()}
    data = dict(parameters)
    if info.get("init"):
        init = getattr(importlib.import_module(f"{package}.{info['module_name']}"), info["init"]["func_name"])
        results = init(*(parameters[a] for a in info["init"]["input_args"]))
        names = info["init"]["output_args"]
        data.update(zip(names, results if len(names) > 1 else (results, )))
    return info, package, data


def call(f, info, data):
    args = {a: copy.deepcopy(data[a]) for a in info["input_args"]}
    start = time.perf_counter()
    result = f(*args.values())
    seconds = time.perf_counter() - start
    outputs = list(result) if isinstance(result, tuple) else [] if result is None else [result]
    return seconds, outputs + [args[a] for a in info["array_args"]]


def median(f, info, data, repeat):
    return statistics.median(call(f, info, data)[0] for _ in range(repeat)) * 1e3


def numba_version(package, info):
    for kind in ("np", "n", "o"):
        try:
            module = importlib.import_module(f"{package}.{info['module_name']}_numba_{kind}")
            return getattr(module, info["func_name"])
        except (ImportError, AttributeError):
            continue
    return None


def one(folder, name, options):
    """Runs one program and returns the outcome as a dict."""
    sys.path.insert(0, str(folder))
    import numpy as np

    import pyraptor

    info, package, data = load(folder, name, options.scale, options.preset)
    module = importlib.import_module(f"{package}.{info['module_name']}_numpy")
    plain = getattr(module, info["func_name"])
    compiled = pyraptor.jit(plain)
    out = {"name": name}
    with np.errstate(all="ignore"):
        seconds, wanted = call(plain, info, data)
        try:
            out["first_ms"], got = (lambda r: (r[0] * 1e3, r[1]))(call(compiled, info, data))
        except pyraptor.UnsupportedError as e:
            return {**out, "outcome": "refused", "reason": str(e)}
    for k, (a, b) in enumerate(zip(wanted, got)):
        a, b = np.asarray(a), np.asarray(b)
        tolerance = 1e-3 if a.dtype in (np.float32, np.complex64) else 1e-6
        scale = float(np.max(np.abs(a[np.isfinite(a)]), initial=0)) if a.dtype.kind in "fc" else 0
        if a.shape != b.shape or not np.allclose(a, b, rtol=tolerance, atol=tolerance * scale, equal_nan=True):
            return {**out, "outcome": "wrong", "reason": f"result {k} differs"}
    out["outcome"] = "ok"
    if options.time:
        compiled.wait()
        repeat = 5 if seconds < 5 else 2
        out["pyraptor_ms"] = median(compiled, info, data, repeat)
        out["numpy_ms"] = median(plain, info, data, repeat)
        peer = numba_version(package, info) if options.numba else None
        if peer is not None:
            try:
                out["numba_first_ms"] = call(peer, info, data)[0] * 1e3
                out["numba_ms"] = median(peer, info, data, repeat)
            except Exception as e:  # a version that the installed Numba cannot compile
                out["numba"] = type(e).__name__
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--preset", default="S")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--numba", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    if options.one:
        print("RESULT " + json.dumps(one(options.folder.resolve(), options.one, options)))
        return 0
    import pyraptor  # noqa: F401  reports once, here, if it is not on PYTHONPATH
    names = options.names or sorted(p.stem for p in (options.folder / "bench_info").glob("*.json"))
    outcomes = []
    for name in names:
        command = [sys.executable, __file__, str(options.folder), "--one", name, "--preset", options.preset, "--scale",
                   str(options.scale), *(["--time"] if options.time else []), *(["--numba"] if options.numba else [])]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
            line = [x for x in run.stdout.splitlines() if x.startswith("RESULT ")]
            result = json.loads(line[-1][7:]) if line else {
                "name": name, "outcome": "failed", "reason": "\n".join(run.stderr.strip().splitlines()[-3:])}
        except subprocess.TimeoutExpired:
            result = {"name": name, "outcome": "timeout"}
        outcomes.append(result)
        times = "  ".join(f"{k[:-3]} {result[k]:.2f} ms" for k in ("first_ms", "pyraptor_ms", "numpy_ms", "numba_ms")
                          if k in result)
        print(f"{name:12} {result['outcome']:8} {times}", flush=True)
        if result.get("reason"):
            print("    " + result["reason"].replace("\n", "\n    "), flush=True)
    if options.json:
        options.json.write_text(json.dumps(outcomes, indent=1))
    count = {k: sum(r["outcome"] == k for r in outcomes) for k in ("ok", "refused", "wrong", "failed", "timeout")}
    print(", ".join(f"{v} {k}" for k, v in count.items()) + f" of {len(outcomes)}")
    return 0 if count["ok"] + count["refused"] == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
