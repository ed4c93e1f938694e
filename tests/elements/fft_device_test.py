"""Fourier transforms in accelerated sections: the kernels of runtime/gpu/library/fft.cpp, with NumPy as the oracle. Lengths with a prime factor above
7 run on the CPU, which tests/filetests/gpu/fft-on-the-cpu.vrir shows in the report."""
import numpy as np
import pytest

import elements_test as et
from elements_test import CPU, OPENCL, machine  # noqa: F401

pytestmark = pytest.mark.skipif(not et.LIBRARY, reason="LIBVELOCIRAPTOR names no libvelociraptor.so")
et.CODES.update({"complex64": 3 | et.COMPLEX, "complex128": 4 | et.COMPLEX})
RNG = np.random.default_rng(7)


def typed(dtype, rank, layout="rowmajor"):
    elem = {"complex64": "float32 :ctype 1", "complex128": "float64 :ctype 1"}.get(dtype, dtype)
    return f"(arraytype :layout {layout} :ndims {rank} ({elem}))"


def transform(machine, where, a, axis, n=None, inverse=False, scaling=None):
    """np.fft.fft or ifft in a section; returns a fault's code instead if there is one."""
    result = "complex64" if a.dtype.name in ("float32", "complex64") else "complex128"
    t, out = typed(a.dtype.name, a.ndim, "strided"), typed(result, a.ndim)
    args = [f"(name :id 0 {t})", f"(realconst :ival {axis} (int64))"]
    if n is not None or inverse or scaling is not None:
        args.append("(name :id 1 (int64))")
        args.append(f"(realconst :ival {int(inverse)} (bool))")
    if scaling is not None:
        args.append(f"(realconst :ival {scaling} (int64))")
    text = (f"(module :name m :indexing 0 (fns (function :name f (functype (intypes {t} (int64)) (outtypes {out})) (arglist 0 1) "
            f"(body (stmtlist :onGpu %1 (stmts (assignstmt (lhs (name :id 2 {out})) (rhs (libcall :libfunc fft {out} (args {' '.join(args)})))))) "
            f"(returnstmt (exprs (name :id 2 {out})))) (symtable (sym :id 0 :name x {t}) (sym :id 1 :name n (int64)) (sym :id 2 :name y {out})))))")
    f = machine.functions(text, where)
    array = machine.api.made(machine.api.lib.vr_ndarray_borrow, et.ct.c_void_p(a.ctypes.data), et.CODES[a.dtype.name], a.ndim,
                             (et.ct.c_int64 * a.ndim)(*a.shape), (et.ct.c_int64 * a.ndim)(*a.strides))
    d = et.Datum()
    d.kind, d.value.p = 2, array.value
    answers = machine.api.call(f, [d, machine.api.scalar(2, a.shape[axis] if n is None else n)], 1)
    machine.api.lib.vr_ndarray_release(array)
    if isinstance(answers, tuple):
        return answers[0]
    (elem, shape, raw), = answers
    assert elem == et.CODES[result]
    return np.frombuffer(raw, result).reshape(shape)


def close(got, want):
    assert not isinstance(got, str), got
    assert got.shape == want.shape
    bound = (4e-7 if got.dtype == np.complex64 else 2e-15) * (1 + np.log2(max(want.size, 2))) * max(np.abs(want).max(initial=0), 1e-30)
    np.testing.assert_allclose(got, want, rtol=0, atol=bound)


def numbers(shape, dtype):
    x = RNG.normal(size=shape)
    return (x + 1j * RNG.normal(size=shape) if dtype.startswith("complex") else x).astype(dtype)


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 2)))
def test_lengths(machine, where):
    for n in (1, 2, 5, 12, 49, 210, 512, 686, 1024, 5000, 11, 26, 1009):
        x = numbers(n, "complex128")
        close(transform(machine, where, x, 0), np.fft.fft(x))


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 2)))
def test_types_and_axes(machine, where):
    for dtype in ("float32", "float64", "complex64", "complex128"):
        a = numbers((6, 20, 3), dtype)
        for axis in (0, 1, 2):
            close(transform(machine, where, a, axis), np.fft.fft(a, axis=axis))
        close(transform(machine, where, a, 1, inverse=True), np.fft.ifft(a, axis=1))
        close(transform(machine, where, a[::-2, ::3, 1:], 1), np.fft.fft(a[::-2, ::3, 1:], axis=1))
        close(transform(machine, where, a, 1, n=15), np.fft.fft(a, 15, axis=1))
        close(transform(machine, where, a, 1, n=32, scaling=1), np.fft.fft(a, 32, axis=1, norm="ortho"))
        close(transform(machine, where, a, 2, n=4, inverse=True, scaling=0), np.fft.ifft(a, 4, axis=2, norm="forward"))


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 2)))
def test_odd_values_and_faults(machine, where):
    for bad in (np.nan, np.inf):
        x = numbers(16, "float64")
        x[3] = bad
        got = transform(machine, where, x, 0)
        assert not np.isfinite(got).any()
    assert transform(machine, where, numbers((0, 4), "float64"), 1).shape == (0, 4)
    assert transform(machine, where, numbers((0, 4), "float64"), 0) == "SIZE"
    assert transform(machine, where, numbers((2, 4), "float64"), 0, n=0) == "SIZE"
    assert transform(machine, where, numbers((2, 4), "float64"), 0, n=-3) == "SIZE"
    assert transform(machine, where, numbers((2, 4), "float64"), 0, scaling=3) == "SIZE"
