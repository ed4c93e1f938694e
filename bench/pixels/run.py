#!/usr/bin/env python3
"""Image programs: the programs of this folder compared with C (pixels.c, -O3 -march=native, OpenMP) and, where it is installed, OpenCV.

  run.py LIBRARY [--quick] [--threads N] [--json FILE] [NAME ...]

Pixels are uint8 and uint16; images are 4096 x 4096. (A program is written for uint8; for uint16 its types are replaced by types of twice the width.)
Before anything is timed, every result is compared with C's bit for bit, and OpenCV's with C's within 1, because OpenCV rounds blends and luminance
differently. Times are the best of alternating runs in one process: processor time for one thread, elapsed time for several. The best time is used
because other work on the machine can only lengthen a run. The last line is the ratio to the faster of C and OpenCV; higher is better.
"""
import argparse
import ctypes as ct
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def options():
    p = argparse.ArgumentParser()
    p.add_argument("library")
    p.add_argument("names", nargs="*")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--json")
    return p.parse_intermixed_args()


OPTIONS = options()
os.environ["OMP_NUM_THREADS"] = str(OPTIONS.threads)
os.environ["VR_CACHE_DIR"] = ""

import numpy as np  # noqa: E402

try:
    import cv2
    cv2.setNumThreads(OPTIONS.threads)
except ImportError:
    cv2 = None

CODES = {"int32": 1, "int64": 2, "uint8": 7, "uint16": 8}
TWICE = {"uint8": "uint16", "uint16": "uint32", "int16": "int32"}
PARTS = 8


class Number(ct.Union):
    _fields_ = [("u", ct.c_uint64 * 2), ("p", ct.c_void_p)]


class Datum(ct.Structure):
    _fields_ = [("kind", ct.c_int32), ("elem", ct.c_int32), ("value", Number)]


class Velociraptor:
    """Functions of VRIR modules, called with NumPy arrays to which they store."""

    def __init__(self, path, threads):
        self.lib = ct.CDLL(path)
        self.lib.vr_failure_text.restype = ct.c_char_p
        o = self.made("vr_options_create")
        self.lib.vr_options_set_target(o, 2 if threads > 1 else 1, None)
        self.lib.vr_options_set_threads(o, threads, None)
        self.engine = self.made("vr_engine_create", o, None)

    def check(self, status, failure):
        if status:
            raise RuntimeError(self.lib.vr_failure_text(failure).decode())

    def made(self, name, *args):
        out, failure = ct.c_void_p(), ct.c_void_p()
        self.check(getattr(self.lib, name)(*args, ct.byref(out), ct.byref(failure)), failure)
        return out

    def bound(self, text, args):
        """A function without arguments that calls `f` of the module `text` with `args`."""
        data = text.encode()
        f = self.made("vr_module_function", self.made("vr_module_load_text", self.engine, data, ct.c_size_t(len(data)), b"pixels"), b"f")
        made = (Datum * len(args))()
        for d, a in zip(made, args):
            if isinstance(a, np.ndarray):
                many = ct.c_int64 * a.ndim
                array = self.made("vr_ndarray_borrow", ct.c_void_p(a.ctypes.data), CODES[a.dtype.name], a.ndim, many(*a.shape),
                                  many(*a.strides))
                d.kind, d.value.p = 2, array.value
            else:
                elem, value = a
                d.kind, d.elem, d.value.u[0] = 1, elem, value
        failure = ct.c_void_p()

        def call():
            self.check(self.lib.vr_function_call(f, ct.c_size_t(len(args)), made, ct.c_size_t(0), None, ct.byref(failure)), failure)
        return call


def compiled(folder, pixel):
    """The library of pixels.c, compiled for that pixel type."""
    made = folder / f"{pixel}.so"
    wide, signed = TWICE[pixel], TWICE[pixel][1:]
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", f"-DT={pixel}_t", f"-DA={wide}_t",
                    f"-DS={signed}_t", str(HERE / "pixels.c"), "-o", str(made)], check=True)
    return ct.CDLL(str(made))


def address(a):
    return ct.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ct.c_int64(a)


class Program:
    """A benchmark program: the arguments for VRIR and for C, the results to compare, and the OpenCV function (None: OpenCV has none)."""

    def __init__(self, name, pixel, n, image, second, colour):
        e = CODES[pixel]
        w = CODES.get(TWICE[pixel], 9)
        top = np.iinfo(pixel).max
        outs = [np.zeros((n, n), pixel) for _ in range(3)]
        plain = lambda a: ([a, outs[0]], [a, outs[1], n, n])
        inner = (slice(None), slice(None))
        self.before = lambda: None
        if name == "gray":
            self.vrir, self.c = plain(colour.reshape(n, 3 * n))
            cv = lambda o: cv2.cvtColor(colour, cv2.COLOR_RGB2GRAY, dst=o)
        elif name == "threshold":
            self.vrir, self.c = plain(image)
            self.vrir, self.c = self.vrir + [(e, top // 2)], self.c + [top // 2]
            cv = lambda o: cv2.threshold(image, top // 2, top, cv2.THRESH_BINARY, dst=o)
        elif name == "blend":
            self.vrir, self.c = [image, second, outs[0], (w, 77)], [image, second, outs[1], n, n, 77]
            cv = lambda o: cv2.addWeighted(image, 77 / 256, second, 179 / 256, 0, dst=o)
        elif name == "resize":
            outs = [o[: n // 2, : n // 2].copy() for o in outs]
            self.vrir, self.c = [image, outs[0]], [image, outs[1], n // 2, n // 2]
            cv = lambda o: cv2.resize(image, (n // 2, n // 2), dst=o, interpolation=cv2.INTER_AREA)
        elif name == "sobel":
            self.vrir, self.c = plain(image)
            inner = (slice(1, -1), slice(1, -1))
            deep = cv2.CV_16S if cv2 and pixel == "uint8" else cv2.CV_32F if cv2 else 0

            def cv(o):
                x, y = cv2.Sobel(image, deep, 1, 0), cv2.Sobel(image, deep, 0, 1)
                if pixel == "uint8":
                    cv2.add(cv2.convertScaleAbs(x), cv2.convertScaleAbs(y), dst=o)
                else:
                    cv2.add(cv2.absdiff(x, 0.0), cv2.absdiff(y, 0.0), dst=o, dtype=cv2.CV_16U)
        elif name == "blur":
            self.vrir, self.c = plain(image)
            inner = (slice(2, -2), slice(2, -2))
            cv = lambda o: cv2.blur(image, (5, 5), dst=o)
        else:
            outs = [np.zeros(top + 1, "int64") for _ in range(2)] + [np.zeros((top + 1, 1), "float32")]
            parts = [np.zeros((PARTS, top + 1), "int32") for _ in range(2)]
            self.before = lambda: [p.fill(0) for p in parts]
            self.vrir, self.c = [image, outs[0], parts[0]], [image, outs[1], parts[1], n, n, PARTS]
            inner = ()
            cv = lambda o: cv2.calcHist([image], [0], None, [top + 1], [0, top + 1], hist=o)
        self.outs, self.inner = outs, inner
        self.cv = (lambda: cv(outs[2])) if cv2 else None

    def compare(self, what):
        a, b, c = (o.reshape(self.outs[0].shape)[self.inner] for o in self.outs)
        if not np.array_equal(a, b):
            sys.exit(f"{what}: {np.count_nonzero(a != b)} pixels differ from C's")
        if self.cv and np.abs(b.astype("int64") - c.astype("int64")).max() > 1:
            sys.exit(f"{what}: OpenCV's result differs from C's by more than 1")


def best(functions, before, seconds):
    clock = time.process_time if OPTIONS.threads == 1 else time.perf_counter
    times = [[] for _ in functions]
    stop = time.perf_counter() + seconds
    while len(times[0]) < 5 or time.perf_counter() < stop:
        for f, t in zip(functions, times):
            before()
            start = clock()
            f()
            t.append(clock() - start)
    return [1e3 * min(t) for t in times]


def main():
    n = 512 if OPTIONS.quick else 4096
    names = OPTIONS.names or ["gray", "blur", "sobel", "histogram", "threshold", "blend", "resize"]
    rng = np.random.default_rng(3)
    engine = Velociraptor(OPTIONS.library, OPTIONS.threads)
    print(f"pixels: {n} x {n}, {OPTIONS.threads} thread(s); times in ms; ratio to the better of C and OpenCV"
          f" ({cv2.__version__ if cv2 else 'not installed'})")
    print(f"{'program':<20}{'here':>9}{'C':>9}{'OpenCV':>9}{'ratio':>8}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for pixel in ("uint8", "uint16"):
            c = compiled(pathlib.Path(folder), pixel)
            some = lambda *shape: rng.integers(0, np.iinfo(pixel).max, shape, dtype=pixel, endpoint=True)
            image, second, colour = some(n, n), some(n, n), some(n, n, 3)
            for name in names:
                text = (HERE / f"{name}.vrir").read_text()
                if pixel == "uint16":
                    text = re.sub(r"\bu?int(8|16)\b", lambda m: TWICE[m[0]], text)
                p = Program(name, pixel, n, image, second, colour)
                f, args = getattr(c, name), [address(a) for a in p.c]
                functions = [engine.bound(text, p.vrir), lambda f=f, args=args: f(*args)] + ([p.cv] if p.cv else [])
                p.before()
                for g in functions:
                    g()
                p.compare(f"{name} {pixel}")
                t = best(functions, p.before, 0.2 if OPTIONS.quick else 1.5)
                ratio = min(t[1:]) / t[0]
                rows.append({"program": name, "pixel": pixel, "ms": t, "ratio": ratio})
                print(f"{name + ' ' + pixel:<20}{t[0]:9.2f}{t[1]:9.2f}{t[2] if p.cv else math.nan:9.2f}{ratio:8.2f}", flush=True)
    ratios = [r["ratio"] for r in rows]
    print(f"pixels: geomean {statistics.geometric_mean(ratios):.2f} min {min(ratios):.2f} over {len(ratios)}")
    if OPTIONS.json:
        pathlib.Path(OPTIONS.json).write_text(json.dumps({"threads": OPTIONS.threads, "rows": rows}, indent=1))


main()
