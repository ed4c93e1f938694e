"""np.fft: expressions compared with NumPy for all element types, layouts, lengths, and empty arrays."""
import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, compare, function, run
from test_arrays import layouts

TYPES = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 11, 12, 30, 49, 64, 97, 210, 256, 1009, 2048, 10007]
LINE = ["np.fft.fft(a)", "np.fft.ifft(a)", "np.fft.irfft(a, 12)", "np.fft.hfft(a, 9)", "np.fft.fft(a, 5)", "np.fft.ifft(a, 9, 0)",
        "np.fft.fft(a, norm='ortho')", "np.fft.ifft(a, norm='forward')", "np.fft.fft(a, axis=0, norm='forward')",
        "np.fft.irfft(a, 7, axis=0, norm='ortho')", "np.fft.fft(a[::-1, ::2])", "np.fft.fft(a.T)", "np.fft.fft(a + a)"]
OF_REAL = ["np.fft.rfft(a)", "np.fft.ihfft(a)", "np.fft.rfft(a, 3, norm='ortho')", "np.fft.rfft(a, n=9, axis=0)",
           "np.fft.ihfft(a, n=8, norm='forward')", "np.fft.rfft2(a)", "np.fft.rfftn(a, axes=(1, 0))", "np.fft.rfft2(a, s=(3, 8))"]
PLANES = ["np.fft.fft2(a)", "np.fft.ifft2(a)", "np.fft.irfft2(a)", "np.fft.fftn(a)", "np.fft.ifftn(a, norm='ortho')",
          "np.fft.irfftn(a, (4, 5), axes=(1, 0))", "np.fft.fft2(a, (3, 7))", "np.fft.fftn(a, axes=(0,))", "np.fft.fftn(a, axes=(0, 0))",
          "np.fft.fft2(a, axes=(1, 0), norm='forward')", "np.fft.fftshift(a)", "np.fft.ifftshift(a)", "np.fft.fftshift(a, axes=1)",
          "np.fft.ifftshift(a, (0,))"]


def sample(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 9, shape) + 0.0
    return (a + 1j * rng.integers(-4, 5, shape) if dtype.startswith("complex") else a).astype(dtype)


def compare_to_scale(f, a):
    """Like compare, but with a tolerance relative to the largest element: sums cancel."""
    error, fault = (run(g, (a.copy(),))[1] for g in (f, pyraptor.jit(f)))
    assert type(error) is type(fault), f"{error!r}, {fault!r}"
    if error is not None:
        return
    wanted, got = f(a.copy()), pyraptor.jit(f)(a.copy())
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    scale = np.abs(wanted).max() if wanted.size else 1
    tolerance = 1e-6 if wanted.dtype in (np.float32, np.complex64) else 1e-14
    assert np.abs(got - wanted).max(initial=0) <= tolerance * scale * np.log2(wanted.size + 2)


@pytest.mark.parametrize("text", LINE + OF_REAL + PLANES)
def test_of_all_types_and_layouts(text):
    f = function("a", text)
    for dtype in TYPES:
        if not ((dtype.startswith("complex") and text in OF_REAL) or (dtype == "bool" and "+" in text) or
                (dtype == "bool" and ("hfft" in text or "shift" in text))):
            for a in layouts(sample(dtype, (4, 6))):
                compare_to_scale(f, a)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_lengths(name):
    f = function("a", f"np.fft.{name}(a)")
    for n in LENGTHS:
        for dtype in ("float64", "float32") + (("complex128",) if name not in ("rfft", "ihfft") else ()):
            compare_to_scale(f, sample(dtype, n, n))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 3, 4), (1, 1), (300, 128), (128, 300), (70000,), (2, 40000)])
def test_shapes(shape):
    for text in ("np.fft.fft(a)", "np.fft.ifft(a)", "np.fft.rfft(a)", "np.fft.irfft(a)", "np.fft.fft(a, axis=0)", "np.fft.rfft(a, axis=0)",
                 "np.fft.fft(a * 1j, axis=0)", "np.fft.fftn(a)", "np.fft.fftshift(a)"):
        compare_to_scale(function("a", text), sample("float64", shape, 3))


def test_there_and_back():
    f = function("a", "np.abs(np.fft.ifft2(np.fft.fft2(a)) - a).max() < 1e-12, np.abs(np.fft.irfft(np.fft.rfft(a), a.shape[1]) - a).max() < 1e-12")
    assert pyraptor.jit(f)(sample("float64", (9, 15))) == (True, True)
    compare(function("n, d", "np.fft.fftfreq(n), np.fft.fftfreq(n, d), np.fft.rfftfreq(n, d)"), 9, 0.25)
    compare(function("n, d", "np.fft.fftfreq(n), np.fft.fftfreq(n, d=d), np.fft.rfftfreq(n)"), 10, 2.0)


def test_special_values():
    for v in (np.nan, np.inf):
        a = np.ones(8)
        a[3] = v
        got = pyraptor.jit(function("a", "np.fft.fft(a)"))(a)
        assert not np.isfinite(got).any()


def test_lengths_that_there_are_not():
    for text in ("np.fft.fft(a, 0)", "np.fft.fft(a[:0])", "np.fft.rfft(a, -2)", "np.fft.irfft(a[:1])", "np.fft.hfft(a[:1])"):
        f = function("a", text)
        error, fault = run(f, (np.ones(4),))[1], run(pyraptor.jit(f), (np.ones(4),))[1]
        assert type(error) is ValueError and type(fault) is ValueError, text
    f = function("a", "np.fft.fft(a, axis=3)")
    assert isinstance(run(pyraptor.jit(f), (np.ones(4),))[1], type(run(f, (np.ones(4),))[1]))
    for text, word in (("np.fft.rfft(a * 1j)", "real"), ("np.fft.fft(a, norm='foo')", "norm"), ("np.fft.fft2(a)", "along")):
        with pytest.raises(pyraptor.UnsupportedError, match=word):
            pyraptor.jit(function("a", text))(np.ones(4))
