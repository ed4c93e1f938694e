"""Arrays and numbers of float16. NumPy is the oracle: its operators and ufuncs compute in float32 and round the result."""
import numpy as np
import pytest

import pyraptor
from sweep_oracle import NUMPY_1

pytestmark = pytest.mark.skipif(NUMPY_1, reason="NumPy 1 promotes numbers by their values")

BITS = np.arange(65536, dtype=np.uint16).view(np.float16)


def sample():
    rng = np.random.default_rng(4)
    bits = rng.integers(0, 65536, (2, 20000), dtype=np.uint16).view(np.float16)
    small = (rng.integers(-64, 65, (2, 20000)) / 4).astype(np.float16)
    return np.concatenate([bits, small], axis=1)


def compare(make, names, text, *args, ulps=0):
    f = make(names, text)
    with np.errstate(all="ignore"):
        want, got = f(*args), pyraptor.jit(f)(*args)
    assert np.asarray(got).dtype == np.asarray(want).dtype and np.shape(got) == np.shape(want), text
    got, want = np.atleast_1d(got), np.atleast_1d(want)
    near = (got == want) | ((got != got) & (want != want))
    if ulps:
        near |= np.abs(got.view(np.int16).astype(int) - want.view(np.int16).astype(int)) <= ulps
    bad = np.flatnonzero(~near)
    assert bad.size == 0, f"{text}: {bad.size} differ, first {got[bad[0]]!r}, wanted {want[bad[0]]!r}"


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "%", "//", "<", "<=", "==", "!="])
def test_operators(make, op):
    a, b = sample()
    compare(make, "a, b", f"a {op} b", a, b)
    compare(make, "a, b", f"a {op} b", a[-7], b[-7])
    for text in (f"a {op} 0.1", f"0.1 {op} a", f"a {op} 3"):
        compare(make, "a", text, a)
        compare(make, "a", text, a[-9])


@pytest.mark.parametrize("name, ulps", [("sqrt", 0), ("floor", 0), ("ceil", 0), ("trunc", 0), ("rint", 0), ("square", 0), ("sign", 0), ("exp", 1),
                                        ("log", 1), ("sin", 1), ("tanh", 1), ("isnan", 0), ("cbrt", 1), ("reciprocal", 0)])
def test_functions_of_all_values(make, name, ulps):
    compare(make, "a", f"np.{name}(a)", BITS, ulps=ulps)


@pytest.mark.parametrize("name", ["add", "multiply", "divide", "remainder", "floor_divide", "fmod", "maximum", "fmin", "copysign"])
def test_ufuncs_of_two(make, name):
    a, b = sample()
    compare(make, "a, b", f"np.{name}(a, b)", a, b)
    compare(make, "a", f"np.{name}(a, 0.1)", a)  # 0.1 is rounded to float16 first


def test_powers(make):
    a, b = sample()
    compare(make, "a, b", "a ** b", a, b, ulps=1)
    compare(make, "a", "a ** 2", a)
    compare(make, "a", "a ** 0.5", a)


@pytest.mark.parametrize("other", ["bool", "int8", "uint8", "int16", "uint16", "int32", "int64", "float32", "float64", "complex64"])
def test_types_in_common(make, other):
    a = sample()[0][-500:]
    c = (np.arange(500) % 100).astype(other)
    for op in "+*":
        compare(make, "a, b", f"a {op} b", a, c)
    compare(make, "a", "a.astype(np.float16)", c.real)


def test_sums_and_other_reductions(make):
    x = np.random.default_rng(1).normal(size=(50, 60)).astype(np.float16)
    for text in ("x.sum()", "x.mean()", "x.var()", "x.std()", "x.sum(axis=1)", "x.mean(axis=0)", "x.std(axis=1)"):
        f = make("x", text)
        got, want = np.asarray(pyraptor.jit(f)(x)), np.asarray(f(x))
        assert got.dtype == want.dtype == np.float16 and np.allclose(got.astype(float), want.astype(float), rtol=4e-3, atol=4e-3), text
    for text in ("x.min()", "x.max(axis=0)", "x.argmax()", "np.sort(x[0])", "np.unique(x)", "np.count_nonzero(x)"):
        compare(make, "x", text, x)
    assert pyraptor.jit(make("x", "x.sum()"))(np.ones(30000, np.float16)) == 30000


def test_moving_and_making(make):
    a = np.arange(12, dtype=np.float16)
    for text in ("a[::-2]", "a.reshape(3, 4).T", "np.where(a > 3, a, -a)", "np.concatenate((a, a))", "np.full(3, 0.1, np.float16)",
                 "np.zeros(3, 'float16')", "a.reshape(3, 4) @ a.reshape(4, 3)", "abs(a - 5)", "a + 1j", "np.clip(a, 1, 5)"):
        compare(make, "a", text, a)


def test_misaligned_arguments_and_signatures(make):
    room = np.zeros(2 * 100 + 1, np.uint8)[1:].view(np.float16)
    room[:] = np.linspace(-3, 3, 100)
    compare(make, "a", "a * 2", room)
    f = pyraptor.jit("f2(f2, f2)")(make("a, b", "a + b"))
    assert f(np.float16(1), np.float16(2)) == 3 and f.__wrapped__ is not None
    assert repr(pyraptor.float16) == "float16"


@pytest.mark.parametrize("text", ["np.linalg.norm(a)", "np.fft.fft(a)", "np.median(a)", "np.cumsum(a)", "np.nextafter(a, a)"])
def test_numpy_runs_functions_that_are_not_compiled(make, text):
    a = np.array([1, 2.5, -3], np.float16)
    f = make("a", text)
    got, want = pyraptor.jit(f)(a), f(a)
    assert np.asarray(got).dtype == np.asarray(want).dtype and np.array_equal(got, want)
