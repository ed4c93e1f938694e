"""Fourier transforms in accelerated sections: the kernels of runtime/gpu/library/fft.cpp, with NumPy as the oracle."""
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


def transform(machine, where, a, axis, n=None, inverse=False, scaling=None, name="fft"):
    """np.fft.fft, ifft, rfft or irfft in a section; returns a fault's code instead if there is one."""
    single = a.dtype.name in ("float32", "complex64")
    result = ("float32" if single else "float64") if name == "irfft" else "complex64" if single else "complex128"
    t, out = typed(a.dtype.name, a.ndim, "strided"), typed(result, a.ndim)
    args = [f"(name :id 0 {t})", f"(realconst :ival {axis} (int64))"]
    if n is not None or inverse or scaling is not None:
        args.append("(name :id 1 (int64))")
        if name == "fft":
            args.append(f"(realconst :ival {int(inverse)} (bool))")
    if scaling is not None:
        args.append(f"(realconst :ival {scaling} (int64))")
    text = (f"(module :name m :indexing 0 (fns (function :name f (functype (intypes {t} (int64)) (outtypes {out})) (arglist 0 1) "
            f"(body (stmtlist :onGpu %1 (stmts (assignstmt (lhs (name :id 2 {out})) (rhs (libcall :libfunc {name} {out} (args {' '.join(args)})))))) "
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
    bound = (4e-7 if got.dtype in (np.complex64, np.float32) else 2e-15) * (1 + np.log2(max(want.size, 2))) * max(np.abs(want).max(initial=0), 1e-30)
    np.testing.assert_allclose(got, want, rtol=0, atol=bound)


def numbers(shape, dtype):
    x = RNG.normal(size=shape)
    return (x + 1j * RNG.normal(size=shape) if dtype.startswith("complex") else x).astype(dtype)


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
def test_lengths(machine, where):
    for n in (1, 2, 5, 12, 49, 210, 512, 686, 1024, 5000, 11, 13, 26, 121, 1009, 4099, 11000):
        x = numbers(n, "complex128")
        close(transform(machine, where, x, 0), np.fft.fft(x))


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
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


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
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


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
def test_convolved_lengths(machine, where):
    """Lengths with a prime factor above 7, in all forms."""
    for dtype in ("float32", "float64", "complex64", "complex128"):
        a = numbers((3, 22, 13), dtype)
        for axis in (1, 2):
            close(transform(machine, where, a, axis), np.fft.fft(a, axis=axis))
            close(transform(machine, where, a, axis, inverse=True), np.fft.ifft(a, axis=axis))
            close(transform(machine, where, a[::-1, ::-2, ::2], axis), np.fft.fft(a[::-1, ::-2, ::2], axis=axis))
        close(transform(machine, where, a, 1, n=17), np.fft.fft(a, 17, axis=1))
        close(transform(machine, where, a, 1, n=37, scaling=1), np.fft.fft(a, 37, axis=1, norm="ortho"))
    x = numbers(20011, "complex64")
    close(transform(machine, where, x, 0), np.fft.fft(x.astype(complex)).astype(np.complex64))


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
def test_several_axes(machine, where):
    def several(a, first=None, inverse=None, scaling=None):
        result = "complex64" if a.dtype.name in ("float32", "complex64") else "complex128"
        t, out = typed(a.dtype.name, a.ndim, "strided"), typed(result, a.ndim)
        args = [f"(name :id 0 {t})"] + [f"(realconst :ival {int(v)} ({'bool' if type(v) is bool else 'int64'}))" for v in (first, inverse, scaling) if v is not None]
        text = (f"(module :name m :indexing 0 (fns (function :name f (functype (intypes {t}) (outtypes {out})) (arglist 0) (body (stmtlist :onGpu %1 (stmts "
                f"(assignstmt (lhs (name :id 1 {out})) (rhs (libcall :libfunc fftn {out} (args {' '.join(args)})))))) (returnstmt (exprs (name :id 1 {out})))) "
                f"(symtable (sym :id 0 :name x {t}) (sym :id 1 :name y {out})))))")
        got = machine.call(machine.functions(text, where), a)
        return got if isinstance(got, str) else got[0]

    for dtype in ("float32", "float64", "complex64", "complex128"):
        a = numbers((6, 11, 4), dtype)
        close(several(a), np.fft.fftn(a))
        close(several(a[::-1, ::2], 1), np.fft.fft2(a[::-1, ::2]))
        close(several(a, 0, True), np.fft.ifftn(a))
        close(several(a, 1, False, 1), np.fft.fft2(a, norm="ortho"))
        close(several(a, 2, True, 0), np.fft.ifft(a, norm="forward"))
        close(several(a[0, 0]), np.fft.fft(a[0, 0]))
    assert several(numbers((0, 4), "float64"), 1).shape == (0, 4)
    assert several(numbers((0, 4), "float64")) == "SIZE"
    assert several(numbers((2, 4), "complex128"), 0, False, 3) == "SIZE"


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
def test_real_transforms(machine, where):
    for n in (1, 2, 3, 8, 13, 30, 210, 1022, 1024, 2310, 6000, 8192):
        for dtype in ("float32", "float64"):
            x = numbers(n, dtype)
            close(transform(machine, where, x, 0, name="rfft"), np.fft.rfft(x))
            z = numbers(n // 2 + 1, "complex64" if dtype == "float32" else "complex128")
            close(transform(machine, where, z, 0, n=n, name="irfft"), np.fft.irfft(z, n))
    for dtype in ("float32", "float64"):
        a = numbers((6, 20, 11), dtype)
        for axis in (0, 1, 2):
            close(transform(machine, where, a, axis, name="rfft"), np.fft.rfft(a, axis=axis))
        close(transform(machine, where, a[::-2, ::3, 1:], 1, name="rfft"), np.fft.rfft(a[::-2, ::3, 1:], axis=1))
        for n, scaling, norm in ((9, 0, None), (26, 1, "ortho"), (25, 2, "forward")):
            close(transform(machine, where, a, 1, n=n, scaling=scaling, name="rfft"), np.fft.rfft(a, n, axis=1, norm=norm))
    for dtype in ("float32", "float64", "complex64", "complex128"):
        z = numbers((4, 12, 5), dtype)
        for axis in (0, 1, 2):
            close(transform(machine, where, z, axis, n=2 * (z.shape[axis] - 1), name="irfft"), np.fft.irfft(z, axis=axis))
        for n, scaling, norm in ((7, 2, None), (22, 1, "ortho"), (23, 0, "forward"), (40, 2, None), (41, 2, None)):
            close(transform(machine, where, z[:, ::-1], 1, n=n, scaling=scaling, name="irfft"), np.fft.irfft(z[:, ::-1], n, axis=1, norm=norm))


@pytest.mark.parametrize("where", ((CPU, 2), (OPENCL, 0)))
def test_real_transforms_of_odd_values(machine, where):
    for name, dtype in (("rfft", "float64"), ("irfft", "complex128")):
        x = numbers(22, dtype)
        x[3] = np.nan
        assert not np.isfinite(transform(machine, where, x, 0, name=name)).any()
        assert transform(machine, where, numbers((0, 4), dtype), 1, name=name).shape[0] == 0
        assert transform(machine, where, numbers((0, 4), dtype), 0, name=name) == "SIZE"
        assert transform(machine, where, numbers((2, 4), dtype), 0, n=0, name=name) == "SIZE"
        assert transform(machine, where, numbers((2, 4), dtype), 0, scaling=3, name=name) == "SIZE"
    z = numbers(8, "complex128")  # the imaginary parts of the first and last element do not count
    z[0], z[-1] = 3 + 5j, 2 - 7j
    close(transform(machine, where, z, 0, n=14, name="irfft"), np.fft.irfft(z))
