"""Selection, sets, tables, signals, and functions that ignore NaN: expressions compared with NumPy."""
import numpy as np
import pytest
from pyraptor import UnsupportedError, jit

from conftest import compare, function, some
from test_arrays import layouts
from test_called import REAL, SPECIAL, sample

# Expressions of a matrix a, vectors v and w, and a number x.
QUANTILES = ["np.quantile(a, 0.3)", "np.quantile(a, 0.25, axis=0)", "np.quantile(v, [0.0, 0.1, 0.5, 1.0])", "np.percentile(a, 30, axis=1)",
             "np.percentile(v, [10, 50, 90])", "np.quantile(a, [0.2, 0.7, 1], axis=1)", "np.nanquantile(a, 0.4, axis=1)",
             "np.nanpercentile(v, 75)", "np.nanmedian(a)", "np.nanmedian(a, axis=0)", "np.quantile(v[::-2], np.array([[0.5, 0.25]]))"]
SETS = ["np.isin(a, v)", "np.isin(v, w, invert=True)", "np.isin(x, v) & True", "np.isin(a, [1, 2])", "np.isin(a[:, ::2], w[:0])",
        "np.intersect1d(v, w)", "np.union1d(a, w)", "np.setdiff1d(v, w)", "np.setxor1d(v, w)", "np.setdiff1d(w[::-1], v, True)",
        "np.union1d(v[:0], w[1:2])"]
TABLES = ["np.digitize(a, np.unique(v))", "np.digitize(w, np.unique(v)[::-1])", "np.digitize(w, np.unique(v), True)",
          "np.digitize(x, np.unique(v)[::-1], right=True)", "np.interp(a, np.sort(v), w)", "np.interp(x, [1, 3], [5, 8])", "np.interp(v * np.nan, [3], [4.5])",
          "np.interp(w, np.sort(v), w, left=-1, right=7)", "np.interp(w[::-2], np.unique(v), np.unique(v) * 2, right=9)"]
SIGNALS = [f"np.{f}({p}, {q}, {m!r})" for f in ("convolve", "correlate") for m in ("full", "same", "valid")
           for p, q in (("v", "w[:4]"), ("w[:3]", "v"), ("v[::-2]", "v[:3]"), ("v", "w"))] + ["np.convolve(v, w)", "np.correlate(v, w)"]
RUNNING = ["np.maximum.accumulate(v)", "np.minimum.accumulate(a)", "np.maximum.accumulate(a, axis=1)", "np.minimum.accumulate(a, -1)",
           "np.add.accumulate(a)", "np.multiply.accumulate(v[:5])"]
NANS = ["np.nansum(a)", "np.nansum(a, axis=0)", "np.nanprod(v)", "np.nanmin(a, axis=1)", "np.nanmax(a)", "np.nanmean(a, axis=0)", "np.nanmean(v)",
        "np.nanvar(a, axis=1)", "np.nanstd(a)", "np.nanstd(v, ddof=1)", "np.nancumsum(a, axis=0)", "np.nancumprod(v)", "np.nanargmin(v)",
        "np.nanargmax(a, axis=1)", "np.nanmax(a, axis=0, keepdims=True)", "np.nanvar(a, axis=0, keepdims=True)", "np.nanmean(a + a, axis=1)"]


@pytest.mark.parametrize("text", QUANTILES + SETS + TABLES + SIGNALS + RUNNING + NANS)
def test_functions(text):
    f = function("a, v, w, x", text)
    for dtype in some(REAL, 5, text):
        if dtype == "bool" and text not in SETS + SIGNALS or dtype.startswith("u") and "-1," in text:
            continue
        v, w = sample(dtype, 11, 1), sample(dtype, 11, 2)
        for a in layouts(sample(dtype, (4, 6))):
            compare(f, a, v, w, v[2])


@pytest.mark.parametrize("text", QUANTILES[:2] + QUANTILES[6:10] + SETS + RUNNING[:4] + NANS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(text, dtype):
    f = function("a, v, w, x", text)
    v = np.array(SPECIAL).astype(dtype)
    v[np.isinf(v)] = 77 if "quantile" in text or "median" in text else v[np.isinf(v)]
    if "nan" in text:
        v = np.where(np.abs(v) > 1e30, 3, v).astype(dtype)
    for a in (v.reshape(3, 4), np.sort(v).reshape(4, 3), np.full((3, 3), np.nan, dtype)):
        for w in (v, v[~np.isnan(v)], v[5:7]):
            compare(f, a, w, w[::-1].copy(), w[0])


@pytest.mark.parametrize("text", SIGNALS)
def test_signals_of_complex_and_long_vectors(text):
    f = function("a, v, w, x", text)
    rng = np.random.default_rng(3)
    for dtype in ("complex64", "complex128", "float32", "float64", "int16"):
        v, w = ((rng.integers(-9, 9, n) + (1j * rng.integers(-9, 9, n) if dtype[0] == "c" else 0)).astype(dtype) for n in (90, 2100))
        compare(f, None, v, w, None)
        compare(f, None, w, v, None)


@pytest.mark.parametrize("kth", [0, 3, -1, 10])
def test_partition(kth):
    both = function("a, kth", "return np.partition(a, kth), np.argpartition(a, kth), np.partition(a, kth, axis=0)")
    import pyraptor
    g = pyraptor.jit(both)
    for dtype in REAL:
        for a in layouts(sample(dtype, (11, 11), 4)):
            p, q, r = g(a, kth)
            k = kth % 11
            assert p.dtype == a.dtype and q.dtype == np.int64
            for row, values, places in zip(a, p, q):
                np.testing.assert_array_equal(np.sort(row), np.sort(values))
                np.testing.assert_array_equal(row[places], row[places])
                assert values[k] == row[places[k]] == np.sort(row)[k]
                assert (values[:k] <= values[k]).all() and (values[k:] >= values[k]).all()
                assert (row[places[:k]] <= values[k]).all() and sorted(places) == list(range(11))
            np.testing.assert_array_equal(r[k], np.sort(a, axis=0)[k])


def test_statistics():
    for text in ("np.average(a, weights=b)", "np.average(a, axis=0, weights=b)", "np.average(a, 1, v)", "np.average(a)", "np.average(a, 0)",
                 "np.corrcoef(a)", "np.cov(a)", "np.cov(a, ddof=0)", "np.cov(a, rowvar=False, bias=True)", "np.cov(v, v[::-1])",
                 "np.corrcoef(a, rowvar=False)", "np.corrcoef(v, v[::-1])"):
        f = function("a, b, v", text)
        for dtype in ("int32", "float32", "float64"):
            compare(f, sample(dtype, (4, 6)), sample("uint8", (4, 6), 1) + 1, sample(dtype, 6, 2) + 7)


def test_refused_and_raised(check, make):
    v = np.array([3.0, 1.0, 2.0, np.nan])
    for text in ("np.quantile(v, 1.5)", "np.partition(v, 4)", "np.convolve(v[:0], v)", "np.interp(v, v[:0], v[:0])", "np.interp(v, v, v[:2])",
                 "np.digitize(v, np.array([1.0, 3.0, 2.0]))", "np.nanargmin(v[3:])", "np.average(v[:2], weights=v[:2] * 0)"):
        assert check(make("v", text), v) is not None, text
    for text in ("np.quantile(v[:3], 0.5, method='lower')", "np.partition(v, (0, 1))", "np.interp(v, v[1:3], v[1:3], period=3)", "np.union1d(v * 1j, v)"):
        check(make("v", text), v)  # NumPy itself is called


@pytest.mark.parametrize("n", [0, 1, 5, 20000])
def test_many_searches(n):
    """Few and many searched elements, sorted and unsorted: each case has another algorithm."""
    import pyraptor
    f = pyraptor.jit(function("a, b", "return np.searchsorted(a, b), np.searchsorted(a, b, side='right'), np.isin(b, a)"))
    rng = np.random.default_rng(0)
    for m in (0, 1, 7, 5000):
        for kind in range(3):
            a, b = np.sort(rng.integers(0, 3000, n) * 0.5), rng.integers(-5, 3100, m) * 0.5
            if kind == 1:
                b = np.sort(b)
            if kind == 2:
                b[::3] = np.nan
            for dtype in ("float64", "float32") + (("int32", ) if kind < 2 else ()):
                x, y = a.astype(dtype), b.astype(dtype)
                wanted = np.searchsorted(x, y), np.searchsorted(x, y, side="right"), np.isin(y, x)
                for got, w in zip(f(x, y), wanted):
                    np.testing.assert_array_equal(got, w)


@pytest.mark.parametrize("f", ["quantile", "nanquantile", "percentile"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "uint64", "float32", "float64"])
def test_whole_quantiles(check, f, dtype):
    g = function("a, q", f"np.{f}(a, q)")
    a = np.array([3, 5, 1], dtype)
    for q in (0, 1, True, np.int64(1), np.array([0, 1]), [1, 0], 0.0, np.array([0.0, 1.0])):
        check(g, a, q)
    if dtype == "int64":
        check(function("a, q", f"np.{f}(a, q)"), np.array([2**61 + 1, 5, 7]), 0 if f == "percentile" else 1)


def test_covariance_of_one_variable():
    for text in ("np.cov(a)", "np.corrcoef(a)"):
        with pytest.raises(UnsupportedError, match="of one variable"):
            jit(function("a", text))(np.ones((1, 3)))
        jit(function("a", text))(np.arange(6.0).reshape(2, 3) ** 2)


@pytest.mark.parametrize("body", ["np.partition(v, [1, 4])", "np.partition(v, (2, ))", "np.partition(a, k)", "np.partition(a, k, axis=0)", "np.partition(a, [0, 5], axis=None)",
                                  "np.argpartition(v, [0, -1, 3])", "np.argpartition(a, k, axis=0)", "v.argpartition([1, 2])", "np.partition(v, [20])",
                                  "np.argpartition(a, [0], axis=5)", "v.partition([1, 2])\nreturn v"])
def test_partition_at_several_places(check, body):
    check(function("a, v, k", body), A, A.ravel().copy(), np.array([0, 2]))


A = np.array([[5.0, 3, 1, 4], [2, 9, 8, 7], [6, 0, 3, 3]])


def test_partition_that_is_refused():
    for body in ("np.partition(v, [0.5])", "np.partition(v, [[1]])", "np.partition(v, [])"):
        with pytest.raises(UnsupportedError, match="a single integer"):
            jit(function("v", body))(A[0])
    with pytest.raises(UnsupportedError):
        jit(function("v", "s = 0.0\nfor j in prange(3):\n    s += np.partition(v, [0, 1])[0]\nreturn s"))(A[0])


@pytest.mark.parametrize("decimals", [0, 1, -1, 3])
@pytest.mark.parametrize("dtype, into", [("float32", "float64"), ("float64", "float32"), ("float32", "complex64"), ("float32", "complex128"), ("int64", "float64")])
def test_round_into_other_types(check, dtype, into, decimals):
    if dtype == "int64" and decimals < 0:
        return
    check(function("a, out", f"np.around(a, {decimals}, out)\nreturn out"), np.array([-2.25, 1.35, 2.75, 1234.567]).astype(dtype), np.zeros(4, into))


@pytest.mark.parametrize("body", ["np.round(z)", "np.round(z, 1)", "np.around(z, -1)", "np.rint(z)", "z.round(2)", "np.round(z[2])", "np.round(z[1], 1)", "np.around(z, 1, out)\nreturn out"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_rounded_complex_numbers(check, body, dtype):
    z = (np.array([-2.25, 1.35, 2.5, -0.5, 1234.567, 0.0]) + 1j * np.array([0.5, -1.5, 2.75, 3.25, -17.125, -0.25])).astype(dtype)
    check(function("z, out", body), z, np.zeros(6, "complex128"))
