"""np.nditer, np.ix_, sliding windows and as_strided against NumPy."""
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view
from pyraptor import UnsupportedError, jit

from conftest import function

A = np.arange(12.0).reshape(3, 4)
NAMES = dict(as_strided=as_strided, sliding_window_view=sliding_window_view)


def made(arguments, body):
    return function(arguments, body, **NAMES)


def items(a):
    out = []
    for u in np.nditer(a):
        out.append(u.item())
    return out


def pairs(a, b):
    out = []
    for u, v in np.nditer((a, b)):
        out.append((u.item(), v.item() * 2))
    return out


def added(a, b):
    s = 0.0
    for u, v in np.nditer([a, b], order="C"):
        s += u[()] - 2 * v
    return s


@pytest.mark.parametrize("a", [A, A.T, np.asfortranarray(A), A[0], A.astype(np.int16), np.float32(3), 2.5, A.reshape(1, 3, 1, 4), A > 3, A * 1j])
def test_nditer(check, a):
    check(items, a)


@pytest.mark.parametrize("a, b", [(A, A + 1), (A.T, A.T + 1), (A, A[0]), (A[0], A), (A, 3), (np.float32(2), A), (A[:, :1].copy(), A[0]), (2, 3.5)])
def test_nditer_of_two(check, a, b):
    check(pairs, a, b)
    check(added, a, b)


def test_nditer_that_fails(check):
    for a, b in ((A, A[:2]), (A[0], A[:, 0].copy())):
        assert "broadcast" in str(check(pairs, a, b))
    check(items, A[:0])
    check(pairs, A[:0], A[:0])
    check(added, A[:, ::2], A[:, ::2])
    for a in (A[:, ::2], A[0, ::-1]):
        with pytest.raises(UnsupportedError, match="iterates in memory order"):
            jit(items)(a)
    with pytest.raises(UnsupportedError, match="iterates in memory order"):
        jit(pairs)(A, np.asfortranarray(A))
    check(function("a", "s = 0.0\nfor u in np.nditer((a, )):\n    s += u * s + u\nreturn s"), A)
    check(function("a", "s = []\nfor u, v, w in np.nditer([1, a[0, 0], 2.5]):\n    s.append((u.item(), v.item(), w.item()))\nreturn s"), A)
    for body in ("np.nditer([])", "np.nditer(l)", "np.nditer([k for k in range(len(a))])", "np.nditer(a, order='F')", "np.nditer(a, ['multi_index'])", "np.nditer('a')", "np.nditer((a, None))"):
        with pytest.raises(UnsupportedError):
            jit(function("a", f"l = [1, 2]\nl.append(3)\ns = 0.0\nfor u in {body}:\n    s += 1\nreturn s"))(A)
    with pytest.raises(UnsupportedError):
        jit(function("a", "it = np.nditer(a)\nk = 0\nfor u in it:\n    k += 1\nfor u in it:\n    k += 1\nreturn k"))(A)


@pytest.mark.parametrize("body", ["a[np.ix_([0, 2], [1, 3])]", "a[np.ix_(r, [0, 1, 3])]", "a[np.ix_(a[:, 0] > 1, [0, 2])]", "np.ix_([0, 1], [2], [3, 4])",
                                  "a[np.ix_([], [0, 1])]", "a.ravel()[np.ix_([-1, 2])]", "i, j = np.ix_(r, r)\nreturn a[i, j].sum(), i.shape, j",
                                  "a = a.copy()\na[np.ix_(r, [0, 1])] = 5\nreturn a"])
def test_ix(check, body):
    check(function("a, r", body), A, np.array([2, 0]))


def test_ix_that_fails(check):
    for body in ("a[np.ix_([0, 3], [1])]", "a[np.ix_([[0]], [1])]"):
        check(function("a", body), A)
    with pytest.raises(UnsupportedError):
        jit(function("a", "a[np.ix_([0.5], [1])]"))(A)


I, J = np.array([[0], [2]]), np.array([[1, 3, -1]])


@pytest.mark.parametrize("body", ["a[i, j]", "a[i, j[0]]", "a[j[0] % 3, i]", "a[i, i]", "a[i[:0], j]", "a[i[0], j]", "a[1, j]", "a[j % 3, j]",
                                  "a[i, j] = 7\nreturn a", "a[i, j] = i\nreturn a", "a[i, j[0]] = j * 2.5\nreturn a", "a[i, j] = j[0]\nreturn a",
                                  "a[i, j] += 1\nreturn a", "a[i, j] = a[:2, :3]\nreturn a", "np.broadcast_arrays(i, j)[1].sum()", "x, y = np.broadcast_arrays(i, j)\nreturn x + y",
                                  "np.broadcast_arrays(i, a[0])[0]", "np.broadcast_arrays(2, a)[0]"])
def test_index_arrays_that_broadcast(check, body):
    check(function("a, i, j", body), A, I, J)


@pytest.mark.parametrize("body", ["np.broadcast_arrays(a, i)", "np.broadcast_arrays(2.5, a, j[0, 0])", "np.broadcast_arrays(a, a)", "g(a)", "x = np.broadcast_arrays(i, j)[0]\nreturn x[1]"])
def test_broadcast_arrays(body):
    f = function("a, i, j", body, g=lambda a: np.broadcast_arrays(a[0], a))
    i = np.array([[0], [2], [1]])
    wanted, got = f(A, i, J), jit(f)(A, i, J)
    for w, g in zip(wanted if isinstance(wanted, (tuple, list)) else [wanted], got if isinstance(got, tuple) else [got]):
        assert w.dtype == g.dtype and w.shape == g.shape and w.tolist() == g.tolist() and w.flags.writeable == g.flags.writeable and w.strides == g.strides
        assert [np.shares_memory(w, x) for x in (A, i, J)] == [np.shares_memory(g, x) for x in (A, i, J)]
    with pytest.raises(UnsupportedError, match="view"):
        jit(function("a, i", "x, y = np.broadcast_arrays(a, i)\ny[0] = 1\nreturn a.sum(), i"))(A, i.copy())


def test_broadcast_arrays_without_dimensions():
    with pytest.raises(UnsupportedError, match="0-d array"):
        jit(function("a, b", "np.broadcast_arrays(a, b)"))(np.array(1.0), A)


@pytest.mark.parametrize("body", ["a[i, i.T]", "a[j, j[:, :2]]", "a[i, j] = a[0]\nreturn a", "a[i, j] = a\nreturn a", "a[i, 4 + j]", "np.broadcast_arrays(j, a)[0]"])
def test_index_arrays_that_do_not(body, check):
    f = function("a, i, j", body)
    if "i.T" in body:
        check(f, A, I, J)
    else:
        assert isinstance(check(f, A, I, J), (IndexError, ValueError))


V = np.arange(10.0) ** 2
WINDOWS = [("sliding_window_view(v, 3)", 1), ("sliding_window_view(v, n)", 1), ("sliding_window_view(v[::-2], n).sum(axis=1)", 0),
           ("sliding_window_view(a, (2, 3))", 1), ("sliding_window_view(a, n, axis=0)", 1), ("sliding_window_view(a, (n, 1), axis=(1, 0))", 1),
           ("np.median(sliding_window_view(v, n), axis=-1)", 0), ("sliding_window_view(a.T, (2, 2))[1, 0]", 1), ("sliding_window_view(v, 10)", 1),
           ("as_strided(v, (3, 4), (8, 16))", 1), ("as_strided(v, (n, n), (8, 8)).sum()", 0), ("as_strided(a, shape=(3, 4), strides=(0, 8))", 1),
           ("as_strided(v, (0, 3), (-800, 8))", 1), ("as_strided(a, (3, ), (a.strides[0] + 8, ))", 1), ("as_strided(v, (n, 2, 2), (16, 8, 8))[1]", 1)]


@pytest.mark.parametrize("text, view", WINDOWS)
def test_windows(check, text, view):
    f = made("a, v, n", text)
    check(f, A, V, 2)
    check(made("a, v, n", f"x = {text}\ny = x * 2\nreturn y, x"), A, V, 3)
    x, y = f(A, V, 2), jit(f)(A, V, 2)
    if view:
        assert x.strides == y.strides and x.flags.writeable == y.flags.writeable and x.__array_interface__["data"] == y.__array_interface__["data"]


def test_windows_of_a_called_function(check):
    g = made("v, n", "sliding_window_view(v, n)")
    check(function("v", "return g(v, 2)[1:].sum(), g(v, 3)", g=jit(g)), V)


@pytest.mark.parametrize("body", ["sliding_window_view(v, 11)", "sliding_window_view(v, -1)", "sliding_window_view(a, (2, 9))"])
def test_wrong_windows(check, body):
    assert isinstance(check(made("a, v", body), A, V), ValueError)


@pytest.mark.parametrize("body, error, what", [
    ("as_strided(v, (3, 9), (8, 8)).sum()", IndexError, "outside"), ("as_strided(v, (2, ), (-8, )).sum()", IndexError, "outside"),
    ("as_strided(v, (2, ), (4, )).sum()", ValueError, "no multiple"), ("as_strided(v, (-1, ), (8, )).sum()", ValueError, "negative"),
    ("as_strided(v, (2, ))", UnsupportedError, "shape and strides"), ("as_strided(v, (2, 2), (8, ))", ValueError, "incompatible"),
    ("as_strided(v[::2], (2, ), (8, ))", UnsupportedError, "contiguous"), ("as_strided(v, (), ())", UnsupportedError, "without dimensions"),
    ("sliding_window_view(a, 2)", UnsupportedError, "one extent for each axis"), ("sliding_window_view(a, (2, 2), axis=(0, 0))", UnsupportedError, "once"),
    ("w = as_strided(v, (2, 2), (8, 8))\nw[0, 0] = 1\nreturn v.sum()", UnsupportedError, "view"),
    ("w = sliding_window_view(v, 2)\nv[0] = 1\nreturn w.sum()", UnsupportedError, "view"),
    ("w = sliding_window_view(v, 2)\nw[0] = 1\nreturn w.sum()", (UnsupportedError, ValueError), "view|read-only"),
])
def test_refused(body, error, what):
    with pytest.raises(error, match=what):
        jit(made("a, v", body))(A.copy(), V.copy())
