"""Structured arrays as arguments, field by field. NumPy is the oracle; the arguments are compared afterwards."""
import numpy as np
import pytest

from conftest import function
from pyraptor import UnsupportedError, jit

ALIGNED = np.dtype([("x", "f8"), ("y", "i4")], align=True)
R = np.array([(1.5, 2), (2.5, 4), (-1.0, 7)], ALIGNED)
PACKED = np.array([(1.5, 2), (2.5, 4), (-1.0, 7)], [("x", "f8"), ("y", "i4")])

READ = [
    "s = 0.0\nfor i in range(len(r)):\n    s += r[i]['x'] + r['y'][i]\nreturn s", "r['x'].sum(), r['y'].max(), r.shape, len(r), r.size, r.ndim, r.itemsize",
    "s = 0.0\nfor e in r:\n    s += e['x'] * e['y']\nreturn s", "r[1:]['x'][0], r[::-1]['y'], r[-1]['y']", "name = 'y'\nreturn r[0][name], r[0][0], r[-1][1]",
    "s = 0.0\nfor i, e in enumerate(r):\n    s += i * e['x']\nfor e, v in zip(r, r['y']):\n    s += e['x'] * v\nreturn s",
    "def f(q):\n    return q['x'].sum()\ndef g(e):\n    return e['y'] * 2\nreturn f(r), g(r[1])", "r['x'] + r['y'], r['x'][r['y'] > 2]", "e = r[1]\nk = 2\nwhile k > 0:\n    e = r[k]\n    k -= 1\nreturn e['x']",
    "r.dtype == r.dtype, np.sqrt(abs(r['x'])).dtype",
]
CHANGED = [
    "for i in range(len(r)):\n    r[i]['x'] = i * 2.5\n    r['y'][i] = i\nr[-1]['y'] = 50\nreturn r['x'][0]", "e = r[1]\nr['x'][1] = 9.0\nreturn e['x'] + e['y']", "r['x'] = 5.0\nr['y'] = r['y'] * 2\nr[0] = (3.0, 4)\nreturn 0",
    "for e in r:\n    e['x'] += 1.0\n    e['y'] = 3\nreturn 0", "r['x'][0] += 4.0\nr[1]['x'] += 2.0\nr['y'] += 1\nreturn 0", "e = r[2]\ne['x'] = 8.0\nreturn r['x'][2]", "q = r[1:]\nq[0]['y'] = 77\nq['x'] *= 2.0\nreturn 0",
]


TITLED = np.zeros(3, [(("x", "s0"), "i4"), (("y", "s1"), "i4")])


def test_titles():
    compared("for k in range(len(r)):\n    r[k]['s0'] = k * 2\n    r[k]['x'] += 5\n    r['y'][k] = 4\n    r['s1'] += 1\nreturn r['x'].sum(), r['s1'].sum()", TITLED)


def compared(body, r):
    f, a, b = function("r", body), r.copy(), r.copy()
    want, got = f(a), jit(f)(b)
    assert repr(want) == repr(got) and a.tolist() == b.tolist()


@pytest.mark.parametrize("r", [R, PACKED, R[::2], np.zeros(1, ALIGNED)], ids=["aligned", "packed", "strided", "one"])
@pytest.mark.parametrize("body", READ)
def test_read(body, r):
    if len(r) < 3 and ("r[1" in body or "k = 2" in body):
        r = R
    if r is PACKED and "[::-1]" in body:
        return  # a view of unaligned fields is refused
    compared(body, r)


@pytest.mark.parametrize("body", CHANGED)
def test_changed(body):
    compared(body, R)


@pytest.mark.parametrize("body", [
    "s = 0.0\nfor i in range(len(r)):\n    s += r[i].x * r.y[i]\nreturn s", "r.x.sum(), r['y'], r[1].y", "r.x[1] = 5.0\nr[0].y = 9\nr.y = r.y + 1\nreturn r[0].y", "s = 0\nfor e in r:\n    e.x = 2.0\n    s += e.y\nreturn s",
])
def test_recarrays(body):
    compared(body, R.view(np.recarray))


def test_two_dimensions():
    compared("r['x'][1, 2], r['y'].sum(axis=0), r.shape, r[1:]['x']", np.array([[(k * 3.5 + j, k + j) for j in range(3)] for k in range(2)], ALIGNED))


def test_results_share_the_memory():
    f, r = jit(function("r", "r['x'], r[1:]['y']")), R.copy()
    x, y = f(r)
    assert np.shares_memory(x, r) and np.shares_memory(y, r)
    r["x"][0] = 100.0
    assert x[0] == 100.0


@pytest.mark.parametrize("body, error", [("r[7]['x']", IndexError), ("r[-4]['x']", IndexError), ("r['z']", ValueError), ("r[0]['z']", ValueError)])
def test_errors(body, error):
    for f in (function("r", body), jit(function("r", body))):
        with pytest.raises(error):
            f(R.copy())


@pytest.mark.parametrize("body, r", [
    ("return r.x", R), ("return r[0].x", R), ("r.x = 1.0\nreturn 0", R), ("return r[0]", R), ("return r[r['x'] > 1]['x']", R), ("r[0] += 1\nreturn 0", R), ("return r['x']", np.zeros(2, [("x", "f8", 3)])), ("return r['x']", np.zeros(2, [("x", "U3")])),
    ("r['x'][0] = 1.0\nreturn 0", PACKED), ("for e in r:\n    pass\nreturn 0", np.zeros((2, 2), ALIGNED)), ("return r + 1", R), ("return r == r", R), ("return np.sort(r)", R),
])
def test_refused(body, r):
    f = jit(function("r", body))
    before = r.copy()
    with pytest.raises(UnsupportedError) as caught:
        f(r)
    assert "in this form" not in str(caught.value) and str(r.tolist()) == str(before.tolist())


def result_bodies():
    return ["a['x'][0] = 2\nreturn a", "return a[1:4]", "return a[::-2]", "return a, a['x'].sum()", "return a[:0]", "b = a[2:]\nb['y'][0] = 50\nreturn b", "return g(a)[1:]",
            "if a['x'][0] > 5:\n    return a\nreturn a[1:]", "return a[1:], a[2:]['y']"]


@pytest.mark.parametrize("kind", ["plain", "recarray", "strided", "read-only"])
@pytest.mark.parametrize("body", result_bodies())
def test_results(body, kind):
    def made():
        a = np.zeros(6, np.dtype([("x", "f8"), ("y", "i4")], align=True))
        a["x"], a["y"] = np.arange(6), np.arange(6) * 2
        if kind == "recarray":
            return a.view(np.recarray)
        if kind == "read-only":
            a.flags.writeable = False
        return a[::2] if kind == "strided" else a

    f, a, b = function("a", body, g=lambda a: a[1:]), made(), made()
    if kind == "read-only" and "] = " in body:
        with pytest.raises(ValueError, match="read-only"):
            jit(f)(b)
        return
    wanted, got = f(a), jit(f)(b)
    for w, g in zip(wanted if type(wanted) is tuple else [wanted], got if type(got) is tuple else [got]):
        if not isinstance(w, np.ndarray):
            assert w == g
            continue
        assert type(w) is type(g) and w.dtype == g.dtype and w.shape == g.shape and w.strides == g.strides and w.flags.writeable == g.flags.writeable
        assert w.tolist() == g.tolist() and np.shares_memory(w, a) == np.shares_memory(g, b)
        if w.size:
            at = [x.__array_interface__["data"][0] - y.__array_interface__["data"][0] for x, y in ((w, a), (g, b))]
            assert at[0] == at[1]
    if kind == "plain" and wanted is a:
        assert got is b
    rows = got.tolist() if isinstance(got, np.ndarray) else got[0].tolist()
    del b  # the result keeps it alive
    assert (got.tolist() if isinstance(got, np.ndarray) else got[0].tolist()) == rows


def test_results_that_are_refused():
    a = np.zeros(3, [("x", "f8"), ("y", "i4")])
    for body, what in (("return a[0]", "cannot be returned"), ("return a[a['x'] > 0]", "with the subscript"), ("return a.copy()", "copy"), ("return a == a", "structured")):
        with pytest.raises(UnsupportedError, match=what):
            jit(function("a", body))(np.zeros(3, np.dtype([("x", "f8"), ("y", "i4")], align=True)))
    with pytest.raises(UnsupportedError, match="not aligned"):
        jit(function("a", "return a"))(a)
