"""Hypothesis: random shapes, layouts, subscripts and expressions compared with NumPy."""
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import NUMPY_1, compare, function

SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
DTYPES = ["int32", "int64", "float32", "float64", "uint8", "int16", "uint64", "complex128"]


@st.composite
def arrays(draw, ranks=(1, 2, 3), dtypes=DTYPES):
    shape = tuple(draw(st.integers(0, 5)) for _ in range(draw(st.sampled_from(ranks))))
    dtype = draw(st.sampled_from(dtypes))
    values = np.random.default_rng(draw(st.integers(0, 99))).integers(-9, 10, [2 * n for n in shape]).astype(dtype)
    how = draw(st.sampled_from("CFsr"))
    if how == "s":
        return values[tuple(slice(None, None, 2) for _ in shape)]
    a = values[tuple(slice(0, n) for n in shape)]
    return a[::-1] if how == "r" else np.array(a, order=how)


_functions = {}


def cached(arguments, body):
    return _functions.setdefault((arguments, body), function(arguments, body))


bound = st.one_of(st.none(), st.integers(-7, 7))


@SETTINGS
@given(arrays(ranks=(1, )), bound, bound, st.integers(-3, 3).filter(bool))
def test_slices(a, i, j, k):
    text = f"a[{'' if i is None else 'i'}:{'' if j is None else 'j'}:k]"
    compare(cached("a, i, j, k", f"x = {text}\nreturn x, x + x, x.shape"), a, i or 0, j or 0, k)


@SETTINGS
@given(arrays(ranks=(2, )), bound, bound, st.integers(0, 3), st.integers(1, 3))
def test_stores_to_slices(a, i, j, m, k):
    i, j = i or 0, j or 0
    compare(cached("a, i, j, m, k", "a[i:j, m::k] += 1\na[i:, :m] = a[i:, :m] * 2\na[:, ::-1][m:] = 3\nreturn a"), a, i, j, m, k)


# NumPy before 1.25 compares arrays of incompatible shapes with a warning, and gives False.
COMPARED = "a == b" if np.lib.NumpyVersion(np.__version__) >= "1.25.0" else "a < b"


@SETTINGS
@given(arrays(ranks=(1, 2), dtypes=DTYPES[:7]), arrays(ranks=(1, 2), dtypes=DTYPES[:7]),
       st.sampled_from(["a + b", "a * b - a", COMPARED, f"np.where({COMPARED}, a, b)"]))
def test_broadcasting_agrees_or_raises(a, b, text):
    compare(cached("a, b", text), a, b)


@SETTINGS
@given(arrays(ranks=(2, 3), dtypes=DTYPES[:7]), st.sampled_from(["sum", "prod", "any", "cumsum", "mean"]), st.integers(-2, 1))
def test_reductions(a, name, axis):
    compare(cached("a", f"np.{name}(a, axis={axis})"), a, rtol=1e-9)


@SETTINGS
@given(arrays(ranks=(1, )), st.lists(st.integers(-6, 6), min_size=0, max_size=6))
def test_index_arrays(a, places):
    compare(cached("a, k", "return a[k]"), a, np.array(places, np.int64))


@SETTINGS
@given(arrays(ranks=(2, 3)), st.sampled_from(["a.T", "a.T + 1", "a.swapaxes(0, 1)[0:1]", "a.T[0:2, ::-1]", "a[:, None]",
                                              "a[None].sum(axis=0)", "a.reshape(-1)", "np.flip(a, 0)", "a.T.T", "a.copy().T"]))
def test_views(a, text):
    compare(cached("a", text), a)


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "x", "2", "0.5", "k"]),
    lambda e: st.one_of(st.tuples(e, st.sampled_from(["+", "-", "*"]), e).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
                        e.map(lambda t: f"abs({t})"), e.map(lambda t: f"(-{t})"), e.map(lambda t: f"np.maximum({t}, 1)")),
    max_leaves=8)


@SETTINGS
@given(EXPRESSIONS, st.sampled_from(DTYPES[:7]), st.sampled_from(DTYPES[:7]))
def test_expressions(text, da, db):
    rng = np.random.default_rng(len(text))
    a, b = (rng.integers(-9, 10, (3, 4)).astype(d) for d in (da, db))
    # NumPy 1 promotes by the number's value.
    x = 2.5 if NUMPY_1 else np.float64(2.5)
    compare(cached("a, b, x, k", f"return {text}"), a, b, x, 3, types="a" in text or "b" in text, rtol=1e-9)


steps = st.sampled_from(["", "", "+1", "-1", "+2", "-2"])
ranges = st.sampled_from(["2, {} - 2", "2, {} - 2", "{} - 3, 1, -1", "2, {} - 2, 2"])


@settings(SETTINGS, max_examples=150)
@given(st.lists(st.tuples(st.sampled_from("aab"), steps, steps), min_size=1, max_size=4),
       st.sampled_from(["a[{}, {}] = {}", "a[{}, {}] += {}", "s = {2}; a[{0}, {1}] = s; b[{0}, {1}] = s"]),
       ranges, ranges, st.booleans(), st.integers(4, 16), st.integers(4, 16), st.sampled_from("CF"))
def test_sweeps_in_place(reads, store, outer, inner, columns, n, m, order):
    """Nests whose iterations read what others store: compiled code runs several of them at the same time."""
    def at(i, j):
        return f"j{j}, i{i}" if columns else f"i{i}, j{j}"
    value = " + ".join(f"{name}[{at(i, j)}] * 0.3" for name, i, j in reads)
    text = (f"for i in range({outer.format('n')}):\n    for j in range({inner.format('m')}):\n        "
            + store.format(*at("", "").split(", "), value) + "\nreturn a, b")
    a, b = (np.random.default_rng(k).random((18, 18)).copy(order=order) for k in (1, 2))
    compare(cached("a, b, n, m", text), a, b, n, m)
