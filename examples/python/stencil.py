#!/usr/bin/env python3
"""The stencil of figure 9.2 (thesis): plain Python, compiled, in parallel, on the OpenCL device. Times are medians."""
import statistics
import sys
import time

import numpy as np

import pyraptor
from pyraptor import PAR, Domain, PyArray, PyFloat64, PyRaptorModule, gpu_begin, gpu_end


def stencil(A, B):
    m, n = A.shape
    for i in range(m):
        for j in range(n):
            B[i, j] = (A[i, j] + A[i - 1, j] + A[(i + 1) % m, j] + A[i, (j + 1) % n] + A[i, j - 1]) / 5


stenmodule = PyRaptorModule("stencil")


@stenmodule.compile
def stencil_par(A: PyArray(PyFloat64(), 2, "RowMajor"), B: PyArray(PyFloat64(), 2, "RowMajor")):
    m, n = A.shape
    for i, j in PAR(Domain(m, n), shared=[A, B]):
        B[i, j] = (A[i, j] + A[i - 1, j] + A[(i + 1) % m, j] + A[i, (j + 1) % n] + A[i, j - 1]) / 5


@stenmodule.compile
def stencil_gpu(A: PyArray(PyFloat64(), 2, "RowMajor"), B: PyArray(PyFloat64(), 2, "RowMajor")):
    m, n = A.shape
    gpu_begin()
    for i, j in PAR(Domain(m, n), shared=[A, B]):
        B[i, j] = (A[i, j] + A[i - 1, j] + A[(i + 1) % m, j] + A[i, (j + 1) % n] + A[i, j - 1]) / 5
    gpu_end()


def milliseconds(f, a, b, repeat):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        f(a, b)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def main(size):
    a = np.random.default_rng(0).random((size, size))
    wanted, b = np.zeros_like(a), np.zeros_like(a)
    plain = milliseconds(stencil, a, wanted, 1)
    print(f"Figure 9.2, {size} x {size} with periodic boundary")
    print(f"  plain Python     {plain:10.2f} ms")
    start = time.perf_counter()
    serial = pyraptor.jit(stencil)
    serial(a, b)
    first = (time.perf_counter() - start) * 1e3
    stenmodule.compile()
    for name, f in (("compiled", serial), ("parallel", stencil_par), ("OpenCL", stencil_gpu)):
        b[:] = 0
        f.compile(a, b)
        f(a, b)
        if not np.allclose(b, wanted, rtol=1e-13):
            print(f"  {name}: wrong result")
            return 1
        t = milliseconds(f, a, b, 9)
        asked = [line for v in f.report() for line in v["not_where_asked"]]
        print(f"  {name:16} {t:10.2f} ms   {plain / t:7.0f} times as fast" + (f"   ({asked[0]})" if asked else ""))
    print(f"  first call, with compiling: {first:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 600))
