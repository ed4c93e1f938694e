"""Library functions that no other test compares with NumPy: counting, gradients, Bessel functions. On the interpreter and native code; arrays of any
rank, also strided ones. NumPy is the oracle; for Bessel functions, integrals and identities computed here."""
import warnings

import numpy as np
import pytest

import elements_test as et
from elements_test import CPU, INTERP, machine  # noqa: F401

pytestmark = pytest.mark.skipif(not et.LIBRARY, reason="LIBVELOCIRAPTOR names no libvelociraptor.so")
WHERE = ((INTERP, 0), (CPU, 2))
RNG = np.random.default_rng(24)


def typed(elem, rank):
    elem = elem.replace("complex128", "float64 :ctype 1").replace("complex64", "float32 :ctype 1")
    return f"(arraytype :layout rowmajor :ndims {rank} ({elem}))" if rank else f"({elem})"


def call(machine, where, name, result, args, constants=(), behind=()):
    """One call. Its arguments are the arrays, then constants (int, float or bool), then the arrays `behind`."""
    first, args = len(args), [*args, *behind]
    types = [typed(a.dtype.name, a.ndim).replace("rowmajor", "strided") for a in args]
    out = typed(*result)
    values = [f"(name :id {k} {t})" for k, t in enumerate(types)]
    values += [f"(realconst :ival {int(c)} (bool))" if isinstance(c, bool) else f"(realconst :ival {c} (int64))" if isinstance(c, int)
               else f"(realconst :dval {c} (float64))" for c in constants]
    values = values[:first] + values[len(args):] + values[first:len(args)]
    symbols = " ".join(f"(sym :id {k} :name p{k} {t})" for k, t in enumerate(types))
    text = (f"(module :name m :indexing 0 (fns (function :name f (functype (intypes {' '.join(types)}) (outtypes {out})) "
            f"(arglist {' '.join(str(k) for k in range(len(types)))}) (body (returnstmt (exprs (libcall :libfunc {name} {out} "
            f"(args {' '.join(values)}))))) (symtable {symbols}))))")
    got = machine.call(machine.functions(text, where), *args)
    return got if isinstance(got, str) else got[0]


def close(got, want, rtol=1e-13):
    want = np.asarray(want)
    assert not isinstance(got, str), got
    assert got.shape == want.shape and got.dtype == want.dtype, (got.dtype, got.shape, want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("where", WHERE)
def test_bincount(machine, where):
    for elem in ("uint8", "int16", "int32", "int64", "bool"):
        x = RNG.integers(0, 2 if elem == "bool" else 9, 200).astype(elem)
        for a in (x, x[::-3], x[:1], x[:0]):
            for least in (0, 5, 20):
                close(call(machine, where, "bincount", ("int64", 1), [a], [least]), np.bincount(a.astype(np.int64), minlength=least))
            w = RNG.normal(size=a.shape)
            close(call(machine, where, "bincount_weighted", ("float64", 1), [a, w]), np.bincount(a.astype(np.int64), w).astype(np.float64))
    x, w = np.array([1, 2]), np.array([np.nan, np.inf])
    np.testing.assert_array_equal(call(machine, where, "bincount_weighted", ("float64", 1), [x, w]), np.bincount(x, w))
    assert call(machine, where, "bincount", ("int64", 1), [np.array([2, -1])]) == "OUT_OF_BOUNDS"
    assert call(machine, where, "bincount", ("int64", 1), [x], [-1]) == "SIZE"
    assert call(machine, where, "bincount", ("int64", 1), [np.array([2**63 - 1])]) == "SIZE"
    assert call(machine, where, "bincount_weighted", ("float64", 1), [x, np.ones(3)]) == "SHAPE_MISMATCH"


@pytest.mark.parametrize("where", WHERE)
def test_histogram(machine, where):
    x = np.concatenate([RNG.normal(size=300), [np.nan, np.inf, -np.inf, -1, 1, 0.5]])
    even, uneven = np.linspace(-1, 1, 9), np.array([-1, -0.99, 0, 0, 0.5, 1])
    for edges in (even, uneven, even[:2], np.array([0.1, 0.1]), even.astype(np.float32)):
        for a in (x, x[::2], x.reshape(18, 17).T, x[:0]):
            finite = a.ravel()[np.isfinite(a.ravel())]
            close(call(machine, where, "histogram", ("int64", 1), [a, edges]), np.histogram(finite, edges)[0])
            w = RNG.normal(size=a.shape)
            want = np.histogram(finite, edges, weights=w.ravel()[np.isfinite(a.ravel())])[0]
            close(call(machine, where, "histogram_weighted", ("float64", 1), [a, edges, w]), want)
    k = RNG.integers(-5, 9, 100)
    close(call(machine, where, "histogram", ("int64", 1), [k, np.arange(-5, 10, 2)]), np.histogram(k, np.arange(-5, 10, 2))[0])
    assert call(machine, where, "histogram", ("int64", 1), [x, np.array([])]) == "SIZE"
    assert call(machine, where, "histogram", ("int64", 1), [x, np.array([1.0, 0.0])]) == "SIZE"
    assert call(machine, where, "histogram", ("int64", 1), [x, np.array([0, np.nan])]) == "SIZE"
    assert call(machine, where, "histogram_weighted", ("float64", 1), [x, even, x[1:]]) == "SHAPE_MISMATCH"


@pytest.mark.parametrize("where", WHERE)
def test_digitize(machine, where):
    x = np.array([-3, -1, -0.5, 0, 0.5, 1, 7, np.inf, -np.inf, np.nan]).reshape(2, 5)
    for edges in (np.array([-1.0, 0, 0, 1]), np.array([1, 0.5, -1]), np.array([0.0]), np.array([])):
        for a in (x, x.T, x[:, ::-2], x[:0]):
            for right in (False, True):
                want = np.digitize(a, edges, right=right)
                close(call(machine, where, "digitize", ("int64", 2), [a, edges], [right]), want)
    assert call(machine, where, "digitize", ("int64", 2), [x, np.array([0.0, 2, 1])]) == "SIZE"


@pytest.mark.parametrize("where", WHERE)
def test_gradient_and_trapezoid(machine, where):
    area = getattr(np, "trapezoid", None) or np.trapz
    base = RNG.normal(size=(4, 5, 3))
    places = np.cumsum(RNG.uniform(0.5, 2, 5))
    for elem in ("float64", "float32", "int32", "uint8"):
        a = (base * 9 + 40).astype(elem)
        result = elem if elem.startswith("float") else "float64"
        rtol = 2e-5 if elem == "float32" else 1e-12
        wide = a.astype(np.float64)
        for axis in (0, 1, 2):
            for v, f in ((a, wide), (a[::-1, :, ::2], wide[::-1, :, ::2]) if axis == 1 else (a, wide)):
                close(call(machine, where, "gradient", (result, 3), [v], [axis]), np.gradient(f, axis=axis).astype(result), rtol)
                close(call(machine, where, "trapezoid", (result, 2), [v], [axis]), area(f, axis=axis).astype(result), rtol)
        close(call(machine, where, "gradient", (result, 3), [a], [1, 0.25]), np.gradient(wide, 0.25, axis=1).astype(result), rtol)
        close(call(machine, where, "trapezoid", (result, 2), [a], [1, 0.25]), area(wide, dx=0.25, axis=1).astype(result), rtol)
        want = np.gradient(wide, places, axis=1).astype(result)
        close(call(machine, where, "gradient", (result, 3), [a], [1], [places]), want, rtol)
        close(call(machine, where, "trapezoid", (result, 2), [a], [1], [places]), area(wide, places, axis=1).astype(result), rtol)
        assert call(machine, where, "trapezoid", (result, 2), [a], [0], [places]) == "SHAPE_MISMATCH"
    one = base[0, :, 0]
    close(call(machine, where, "gradient", ("float64", 1), [one]), np.gradient(one))
    close(call(machine, where, "trapezoid", ("float64", 0), [one], [0]), area(one))
    close(call(machine, where, "trapezoid", ("float64", 0), [one[:1]], [0]), 0.0)
    close(call(machine, where, "trapezoid", ("float64", 0), [one[:0]], [0]), 0.0)
    assert call(machine, where, "gradient", ("float64", 1), [one[:1]]) == "SIZE"


def by_integral(f, ends, n=4000):
    t = np.linspace(*ends, n + 1)
    with np.errstate(all="ignore"):
        y = f(t)
    return float((y[0] + y[-1]) / 2 + y[1:-1].sum()) * (ends[1] - ends[0]) / n


J = lambda n, x: by_integral(lambda t: np.cos(n * t - x * np.sin(t)), (0, np.pi)) / np.pi  # noqa: E731
I = lambda n, x: by_integral(lambda t: np.exp(x * np.cos(t)) * np.cos(n * t), (0, np.pi)) / np.pi  # noqa: E731,E741
K = lambda n, x: by_integral(lambda t: np.exp(-x * np.cosh(t)) * np.cosh(n * t), (0, 12))  # noqa: E731


@pytest.mark.parametrize("where", WHERE)
def test_bessel(machine, where):
    x = np.array([[0.01, 0.3, 1, 2.5], [5, 12, 40, 90]])
    for n in (0, 1, 2, 5, -1, -2):
        get = lambda name, a: call(machine, where, name, (a.dtype.name, a.ndim), [a], [n])  # noqa: E731
        close(get("bessel_j", x), np.vectorize(lambda v: J(n, v))(x), 1e-12)
        close(get("bessel_j", -x[:, ::-2]), np.vectorize(lambda v: J(n, v))(-x[:, ::-2]), 1e-12)
        want = np.vectorize(lambda v: I(n, v))(x)
        np.testing.assert_allclose(get("bessel_i", x), want, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(get("bessel_i", -x), want * (-1) ** n, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(get("bessel_k", x), np.vectorize(lambda v: K(n, v))(x), rtol=1e-11)
        # Wronskian
        j, y = ([call(machine, where, f, ("float64", 2), [x], [m]) for m in (n, n + 1)] for f in ("bessel_j", "bessel_y"))
        np.testing.assert_allclose((j[1] * y[0] - j[0] * y[1]) * np.pi * x / 2, np.ones_like(x), rtol=1e-9)
        close(get("bessel_j", x.astype(np.float32)), get("bessel_j", x.astype(np.float32).astype(np.float64)).astype(np.float32), 1e-6)
    close(call(machine, where, "bessel_i", ("float64", 2), [x], [0]), np.i0(x), 1e-12 * 1e40)
    special = np.array([np.nan, 0.0, np.inf, -np.inf, -1.0, 800.0, 1e300])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inf, nan = np.inf, np.nan
        for name, want in (("bessel_j", [nan, 1, 0, 0, J(0, 1), J(0, 800), None]), ("bessel_y", [nan, -inf, 0, nan, nan, None, None]),
                           ("bessel_i", [nan, 1, inf, inf, I(0, 1), inf, inf]), ("bessel_k", [nan, inf, 0, nan, nan, 0, 0])):
            got = call(machine, where, name, ("float64", 1), [special], [0])
            for g, w in zip(got, want):
                assert w is None or g == w or (g != g and w != w) or abs(g - w) < 1e-9, (name, got, want)
    assert call(machine, where, "bessel_j", ("float64", 2), [x[:0]], [3]).shape == (0, 4)
    assert call(machine, where, "bessel_j", ("float64", 2), [x], [0.5]) == "TYPE"
    assert call(machine, where, "bessel_i", ("float64", 2), [x], [100001]) == "SIZE"
