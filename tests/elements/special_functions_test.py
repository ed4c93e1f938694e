"""Special functions that NumPy lacks: inverse error functions, incomplete gamma functions, and inverse hyperbolic functions of complex numbers. On the
interpreter, native code and the device; the oracles are the functions that they invert, closed forms, and NumPy."""
import math

import numpy as np
import pytest

import elements_test as et
from elements_test import CPU, INTERP, OPENCL, machine  # noqa: F401
from library_rows_test import call, close

pytestmark = pytest.mark.skipif(not et.LIBRARY, reason="LIBVELOCIRAPTOR names no libvelociraptor.so")
et.CODES.update({"complex64": 3 | et.COMPLEX, "complex128": 4 | et.COMPLEX})
WHERE = ((INTERP, 0), (CPU, 2), (OPENCL, 0))
HOSTS = WHERE[:2]
RNG = np.random.default_rng(241)
nan, inf = np.nan, np.inf


def in_section(machine, where, name, x):
    """An elementwise function in a section."""
    t = f"(arraytype :layout rowmajor :ndims {x.ndim} ({x.dtype.name}))" if x.dtype.kind == "f" else None
    t = t or f"(arraytype :layout rowmajor :ndims {x.ndim} ({'float32' if x.dtype == np.complex64 else 'float64'} :ctype 1))"
    text = (f"(module :name m :indexing 0 (fns (function :name f (functype (intypes {t}) (outtypes {t})) (arglist 0) "
            f"(body (stmtlist :onGpu %1 (stmts (assignstmt (lhs (name :id 1 {t})) (rhs (libcall :libfunc {name} {t} (args (name :id 0 {t}))))))) "
            f"(returnstmt (exprs (name :id 1 {t})))) (symtable (sym :id 0 :name x {t}) (sym :id 1 :name y {t})))))")
    got = machine.call(machine.functions(text, where), x)
    assert not isinstance(got, str), got
    return got[0]


def ulps(got, want):
    assert got.shape == want.shape and got.dtype == want.dtype
    special = ~np.isfinite(want)
    np.testing.assert_array_equal(got[special], want[special])
    return np.max(np.abs(got - want)[~special] / np.spacing(np.abs(want[~special])), initial=0)


def inverted(f, slope, y, start):
    """The x with f(x) = y, from an approximation."""
    for _ in range(3):
        start = start - (f(start) - y) / slope(start)
    return start


@pytest.mark.parametrize("where", WHERE)
def test_erfinv(machine, where):
    x = np.concatenate([np.linspace(-2.5, 2.5, 201), [1e-300, -1e-18, 1e-5, 0.0]])
    y = np.vectorize(math.erf)(x)
    got = in_section(machine, where, "erfinv", y)
    slope = 2 / math.sqrt(math.pi) * np.exp(-x * x)
    # The rounding of y alone moves x by half a unit of y's last place over the slope.
    assert np.all(np.abs(got - x) <= np.spacing(np.abs(y)) / slope + 8 * np.spacing(np.abs(x)))
    special = np.array([-1, 1, 1.5, -1.0000001, nan, inf, -inf, -0.0])
    np.testing.assert_array_equal(in_section(machine, where, "erfinv", special), [-inf, inf, nan, nan, nan, nan, nan, -0.0])
    single = in_section(machine, where, "erfinv", y.astype(np.float32))
    assert single.dtype == np.float32
    want = in_section(machine, (INTERP, 0), "erfinv", y.astype(np.float32).astype(float)).astype(np.float32)
    assert ulps(single, want) <= (8 if where[0] == OPENCL else 1)


@pytest.mark.parametrize("where", WHERE)
def test_erfcinv(machine, where):
    x = np.concatenate([np.linspace(-3, 26, 200), [0.0, 1e-10]])
    y = np.vectorize(math.erfc)(x)
    got = in_section(machine, where, "erfcinv", y)
    slope = 2 / math.sqrt(math.pi) * np.exp(-x * x)
    assert np.all(np.abs(got - x) <= 2 * np.spacing(y) / slope + 8 * np.spacing(np.abs(x)))
    special = np.array([0, 2, -1e-9, 2.1, nan, inf, 1.0])
    np.testing.assert_array_equal(in_section(machine, where, "erfcinv", special), [inf, -inf, nan, nan, nan, nan, 0])
    tiny = np.array([5e-324, 1e-308])
    back = np.vectorize(math.erfc)(in_section(machine, where, "erfcinv", tiny))
    np.testing.assert_allclose(back[1], tiny[1], rtol=1e-11)


def test_inverse_error_functions_of_other_types(machine):
    for elem in ("bool", "int8", "uint64"):
        x = np.array([0, 1]).astype(elem)
        close(call(machine, (CPU, 2), "erfinv", ("float64", 1), [x]), [0.0, inf])
    assert call(machine, (CPU, 2), "erfinv", ("float64", 1), [np.zeros((0, ))]).shape == (0, )
    close(call(machine, (CPU, 2), "erfcinv", ("float64", 2), [np.ones((4, 6))[::2, ::-3]]), np.zeros((2, 2)))


def poisson_below(n, x):
    """Q(n, x) for whole n, with full relative precision."""
    terms = [math.exp(-x + k * math.log(x) - math.lgamma(k + 1)) if x else float(k == 0) for k in range(n)]
    return math.fsum(terms)


@pytest.mark.parametrize("where", HOSTS)
def test_gammainc(machine, where):
    def both(x, a):
        a = np.broadcast_to(a, x.shape)
        return [call(machine, where, "gammainc", ("float64", 1), [x, a], [upper]) for upper in (False, True)]
    x = np.array([1e-300, 1e-9, 0.01, 0.3, 1, 1.49, 1.51, 3, 10, 45, 200, 700])
    p, q = both(x, 1.0)
    close(p, -np.expm1(-x), 4e-15)
    np.testing.assert_allclose(q, np.exp(-x), rtol=2e-13)
    p, q = both(x, np.full_like(x, 0.5))
    np.testing.assert_allclose(p, np.vectorize(math.erf)(np.sqrt(x)), rtol=1e-14)
    np.testing.assert_allclose(q, np.vectorize(math.erfc)(np.sqrt(x)), rtol=3e-13)
    for n in (2, 5, 14, 15, 40, 300):
        for at in (0.2 * n, 0.9 * n, float(n), 1.1 * n, 2.5 * n):
            p, q = both(np.array([at]), np.array([float(n)]))
            np.testing.assert_allclose(q, poisson_below(n, at), rtol=2e-12)
            np.testing.assert_allclose(p + q, 1, rtol=1e-15)
    # small shapes: Q = a E1(x) + ..., without cancellation
    a, at = 1e-12, 0.5
    np.testing.assert_allclose(both(np.array([at]), np.array([a]))[1] / a, 0.5597735947761608, rtol=1e-9)
    # great shapes: near the median both are 1/2, with 1 / (3 sqrt(2 pi a)) between them and the mean
    for a in (1e6, 1e9, 1e11, 1e15):
        p, q = both(np.array([a]), np.array([a]))
        np.testing.assert_allclose(p, 0.5 + 1 / (3 * math.sqrt(2 * math.pi * a)), rtol=1e-9)
        np.testing.assert_allclose(p + q, 1, rtol=1e-15)
    for less, more in ((1e10 * (1 - 1e-15), 1e10), (0.49999999, 0.50000001), (14.9999999999, 15)):  # where the methods meet
        x = np.array([0.3, 1.4, 1.6, 7, 40, 1e10 - 1e5, 1e10, 1e10 + 2e5])
        np.testing.assert_allclose(both(x, less), both(x, more), rtol=1e-6)


@pytest.mark.parametrize("where", HOSTS)
def test_gammainc_of_bad_input(machine, where):
    x = np.array([nan, -1, 1, 0, 0, inf, 1, inf, 2, 0])
    a = np.array([1, 1, -1, 0, 2, 2, inf, inf, 0, inf])
    want = np.array([nan, nan, nan, nan, 0, 1, 0, nan, 1, 0])
    np.testing.assert_array_equal(call(machine, where, "gammainc", ("float64", 1), [x, a]), want)
    np.testing.assert_array_equal(call(machine, where, "gammainc", ("float64", 1), [x, a], [True]), 1 - want)
    for elem in ("float32", "int32", "bool", "uint8", "int64"):
        got = call(machine, where, "gammainc", ("float32" if elem == "float32" else "float64", 1), [np.array([0, 1]).astype(elem), np.array([1, 1]).astype(elem)])
        np.testing.assert_allclose(got, [0, 1 - math.exp(-1)], rtol=1e-7)
    two = RNG.uniform(0, 9, (4, 6))
    close(call(machine, where, "gammainc", ("float64", 2), [two[::2, ::-3], np.full((2, 2), 2.0)]),
          1 - (1 + two[::2, ::-3]) * np.exp(-two[::2, ::-3]), 1e-12)
    assert call(machine, where, "gammainc", ("float64", 2), [two, two[:, :3]]) == "SHAPE_MISMATCH"
    assert call(machine, where, "gammainc", ("float64", 2), [two[:0], two[:0]]).shape == (0, 6)


@pytest.mark.parametrize("where", WHERE)
def test_complex_inverse_hyperbolic_functions(machine, where):
    parts = [0.0, -0.0, 1e-20, 0.3, -0.7, 1.0, -1.0, 2.5, -40, 1e10, 1e200]
    z = np.array([complex(p, q) for p in parts for q in parts])
    for word, f in (("asinh", np.arcsinh), ("acosh", np.arccosh), ("atanh", np.arctanh)):
        with np.errstate(all="ignore"):
            want = f(z)
        got = in_section(machine, where, word, z)
        finite = np.isfinite(want) & np.isfinite(got)
        assert np.all(finite | (np.abs(z) == 1))  # the poles of atanh
        np.testing.assert_allclose(got[finite], want[finite], rtol=1e-13, atol=1e-300)
        for part in (np.real, np.imag):
            np.testing.assert_array_equal(np.signbit(part(got[finite])), np.signbit(part(want[finite])))
    odd = np.array([complex(p, q) for p in (0.0, 1.0, inf, -inf, nan) for q in (0.0, -2.0, inf, -inf, nan)])
    for word, f in (("asinh", np.arcsinh), ("acosh", np.arccosh), ("atanh", np.arctanh)):
        with np.errstate(all="ignore"):
            want = f(odd)
        got = in_section(machine, where, word, odd)
        for part in (np.real, np.imag):  # the signs of infinities are not specified for NaN
            np.testing.assert_allclose(np.abs(part(got)), np.abs(part(want)), rtol=1e-14)
    small = z[np.abs(z) < 1e9].astype(np.complex64)
    with np.errstate(all="ignore"):
        want = np.arcsinh(small)
    np.testing.assert_allclose(in_section(machine, where, "asinh", small), want, rtol=1e-5, atol=1e-37)
