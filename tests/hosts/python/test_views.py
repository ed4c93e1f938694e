"""Views and copies: generated programs compared with NumPy (view_programs.py), and the kinds of errors that they found, one by one.

PYRAPTOR_VIEWS=N tests the first N of them instead, PYRAPTOR_VIEWS=0 all 700,000. They are the same in every run, and any few thousand contain every
maker, store and observer.
"""
import collections
import os

import numpy as np
import pytest

import pyraptor
import view_programs
from conftest import LONG, NUMPY_1, compare, function
from pyraptor import _jit

pytestmark = pytest.mark.filterwarnings("ignore")
COUNT, NATIVE = (3000, 200) if LONG else (1500, 60)
#: Maximum share of refused programs; some use features that are not compiled at all.
REFUSED = 0.38


@pytest.fixture
def interpreter(monkeypatch):
    """Only the front end is tested: the interpreter runs its output, without compiling."""
    make = _jit.engine_for
    monkeypatch.setattr(_jit, "engine_for", lambda target: make("interp"))


def battery(programs):
    counts, faults = collections.Counter(), []
    for p in programs:
        try:
            view_programs.judge(p)
            counts["right"] += 1
        except view_programs.Refused:
            counts["refused"] += 1
        except LookupError:
            counts["nothing to judge"] += 1
        except view_programs.Wrong as e:
            counts["wrong"] += 1
            faults.append(f"{p!r}\n{e}")
        except Exception as e:
            counts["crashed"] += 1
            faults.append(f"{p!r}\n{e!r}")
    print(dict(counts))
    assert not faults, f"{dict(counts)}\n\n" + "\n\n".join(faults[:20])
    return counts


def test_battery(interpreter):
    count = int(os.environ.get("PYRAPTOR_VIEWS", COUNT))
    programs = view_programs.programs(count or None)
    known = {m for m, ranks in view_programs.MAKERS.items() if any(view_programs.view_rank(m, r) is not None for r in ranks)}
    assert len(known) > 0.95 * len(view_programs.MAKERS)  # some exist only since NumPy 2
    for what, names in (("maker", known), ("store", view_programs.STORES), ("observer", view_programs.OBSERVERS)):
        assert {getattr(p, what) for p in programs} >= set(names), what
    counts = battery(programs)
    judged = counts["right"] + counts["refused"]
    assert judged > 0.95 * len(programs)
    assert counts["refused"] < REFUSED * judged, counts


def test_battery_natively():
    battery(view_programs.programs(COUNT + NATIVE)[COUNT:])


def array(*shape, dtype=float):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def twice(a):
    return a[::2]


def stored(x):
    x[0] = 7
    return 1.0


# Stores through views of each kind change the array; stores to copies do not.
RIGHT = [
    ("a", "v = a.T\nv[v > 1] = 0\nreturn a", array(2, 3)),
    ("a", "a.T[np.array([0, 1])] = 0\na.T[[0]] += 1\nreturn a", array(2, 3)),
    ("a", "v = a.T\nv[[0, 2], [1, 0]] = 9\nv[v > 3] = np.arange(3.0)\nreturn a, v", array(2, 3)),
    ("a", "v = a.transpose(2, 0, 1)\nv[v > 7] *= 2\nv[1:, [1]] = 0\nreturn a", array(2, 2, 3)),
    ("a", "np.swapaxes(a, 0, 1)[[1]] = 5\nnp.moveaxis(a, 0, 1)[0] = np.arange(2.0)\nreturn a", array(2, 3)),
    ("a", "a[None][a[None] > 2] = 1\na[..., None][0] = 8\nnp.expand_dims(a, 0)[0, [1]] = 4\nreturn a", array(2, 3)),
    ("a", "v = a[..., None]\nv[0] = 7\nw = v[-1]\nw[0] = 5\nv[1][...] += 3\nreturn a, w", array(3)),
    ("a, k", "v = a[:, None]\nv[k] = 7\nv[k, 0] += 1\nreturn a, v[k]", array(3), -2),
    ("a, k", "v = a[:, None]\nv[k] = 7\nreturn a", array(3), 3),
    ("a", "v = a[:, None]\nv[...] = np.arange(3.0)[:, None]\nv[1:] = v[:-1]\nreturn a", array(3)),
    ("a", "v = a[:, None]\nv[...] = np.ones((3, 2))\nreturn a", array(3)),
    ("a", "a.real[0] = 7\na.imag[1:] += 1\nnp.real(a)[[1]] *= 2\nreturn a", array(3, dtype=complex)),
    ("a", "a.imag = 3\na.T.real[0] = np.arange(2.0)\nnp.imag(a[0])[...] = np.inf\nreturn a", array(2, 3, dtype="complex64")),
    ("a", "a.real[a.real > 1] = -1\nnp.copyto(a.imag, a.real)\na.imag[:, None] += 1\nreturn a", array(3, dtype=complex)),
    ("a", "a.real[...] = np.ones((2, 3))\nreturn a", array(1, 3, dtype=complex)),
    ("a", "x = a + 1\nv = x.reshape(3, 2)\nv[0] = 7\nreturn v, v[1:]", array(2, 3)),
    ("a", "x = np.arange(4.0)\nm = np.diag(x)\nv = m.reshape(2, 8)\nv[0, 1] = 5\nreturn v.sum(axis=0)", array(2)),
    ("a", "np.rot90(a)[0] = 7\nnp.rot90(a, 3)[0] += 1\nnp.rot90(a, -2)[[1]] = 5\nreturn a, np.rot90(a)", array(2, 3)),
    ("a", "x, y = np.split(a, 2)\nx[0] = y[1]\nnp.array_split(a, 4)[1][...] = 9\nreturn a, np.split(a, (2, 5))[1]", array(6)),
    ("a", "return np.split(a, 4)[0]", array(6)),
    ("a", "np.hsplit(a, 3)[1][...] = 0\nnp.vsplit(a, 2)[1][0] = 4\nreturn a, np.hsplit(a, [1])[1]", array(2, 3)),
    ("a", "np.atleast_2d(a)[0, 1] = 5\nnp.atleast_3d(a)[0, 0] += 2\nreturn np.atleast_2d(a), np.atleast_3d(a)", array(3)),
    ("a", "np.rollaxis(a, 1)[0] = 7\nreturn np.rollaxis(a, 2), np.rollaxis(a, 0, 3)", array(2, 2, 3)),
    ("a", "return a.reshape(3, 2, order='F'), a.ravel('F'), a.T.ravel(order='F'), np.reshape(a.T, (2, 3), order='F')", array(2, 3)),
    ("a", "np.place(a, a > 2, 0)\nnp.putmask(a.T, a.T < 2, 5)\na[0].put([0, 2], 8)\nreturn a", array(2, 3)),
    ("a", "v = np.conj(a)\nv[0] = 7\nreturn v", array(3)),
    ("a", "v = a.conj()\nv[0] = 7\nreturn v", array(3)),
    ("a", "v = np.floor(a)\nw = np.clip(a, None, None)\nv[0] = w[1] = 7\nreturn v, w", array(3, dtype="int64")),
    ("a", "return a.ravel(), a.T.ravel(), a.reshape(-1), a.T.reshape(3, 2)", array(2, 3)),
    ("a", "return a.ravel(), a.reshape(-1), a.real, a.imag, np.ascontiguousarray(a)", twice(array(6))),
    ("a", "return a.real, a.imag, a.T.imag, a.real[1:], np.real(a).T", array(2, 3, dtype=complex)),
    ("a", "return np.diagonal(a), np.diag(a, 1), np.diag(a)[1:], np.broadcast_to(a, (2, 3, 3))[0]", array(3, 3)),
    ("a", "return a.reshape(1, -1)[0], a, a.reshape(3, 2)[1:].T", array(2, 3)),
    ("a, n", "b = a\nif n > 1:\n    b = a[1:]\nv = b.reshape(n, -1)\nb = a\nn = 7\nreturn v", array(3, 2), 2),
    ("a", "v = a.T\nv[[0, 1, 2], [0, 1, 0]] = a[1]\nv[a.T > 2] = a[0, ::-1][:2]\nreturn a", array(2, 3)),
    *([] if NUMPY_1 else [  # NumPy 1 has no mT, and does not see that the two overlap
        ("a", "a.mT[0] = 7\nreturn a.mT", array(2, 2, 3)),
        ("a", "a[[0, 1, 2], [2, 1, 0]] = a[0]\na[0, :][[0, 1]] = a[0, :2][::-1]\nreturn a", array(3, 3))]),
    ("a, b", "a[[0, 1, 2], [2, 1, 0]] = b\nreturn a", array(3, 3), array(3)),
    ("a", "np.fill_diagonal(a, 0)\nreturn a", np.ones((2, 2, 2))),
    ("a", "np.fill_diagonal(a, 0)\nreturn a", np.ones((2, 2, 3))),
    ("a", "np.fill_diagonal(a, [1, 2])\nnp.fill_diagonal(a[:2].T, 5)\nreturn a", np.zeros((5, 3))),
    ("a", "np.fill_diagonal(a, 5)\nreturn a", np.zeros(3)),
    ("n", "x = np.zeros((n, n))\nx.ravel()[1] = 3\nreturn x", 2),
    ("n", "x = np.arange(6.0).reshape(2, 3)\nif n > 1:\n    return x.reshape(3, 2)\nreturn np.ones((n, n))", 2),
    ("a", "s = 0.0\nfor k in range(2):\n    b = a.reshape(2, 3)\n    c = b.T\n    s += c[k, 0]\n    a[k] = s\nreturn a", array(6)),
    ("a", "v = a.ravel()\nv[0] = 7\nreturn v", twice(array(6))),
    ("a", "v = np.ravel(a)\nv[0] = 7\nw = np.ascontiguousarray(a)\nw[0] = 8\nreturn v, w", twice(array(6, 2))),
    ("a", "v = a.ravel()\nv[0] = 7\nreturn v", np.asfortranarray(array(3, 2))),
    ("a", "a.reshape(a.size)[0] = 7\nv = a.reshape(6)\nv[1:] += 1\nreturn a, v", array(2, 3)),
    ("a", "a.reshape(5)[0] = 7\nreturn a", array(2, 3)), ("a", "np.reshape(a, (6,))[[1, 2]] = 7\nreturn a", array(2, 3)),
    ("a", "for v in (a.reshape(6), a[0] + 1):\n    pass\nreturn v", array(2, 3)), ("a", "return a.reshape(9)[2:] * stored(a)", array(3, 3)),
    ("a", "s = a.reshape(2, 3).sum(axis=0)\na[0] = s[0]\na[1:4] = a.reshape(2, 3)[1]\nreturn a", array(6)),
]


@pytest.mark.parametrize("names, body, args", [(r[0], r[1], r[2:]) for r in RIGHT], ids=[r[1][:40] for r in RIGHT])
def test_as_in_numpy(names, body, args):
    f = function(names, body, stored=stored)
    plain, compiled = [[a.copy() if isinstance(a, np.ndarray) and a.flags.contiguous else a for a in args] for _ in range(2)]
    compare(f, *args)
    try:
        wanted = f(*plain)
    except (ValueError, IndexError):
        return
    got = pyraptor.jit(f)(*compiled)
    for a, b in zip(plain, compiled):
        if isinstance(a, np.ndarray):
            assert view_programs.differences(a, b, wanted, got) is None


# Stores that would be lost, or visible where NumPy does not show them, are refused.
REFUSED_STORES = [
    ("v = a.real\nv[0] = 7\nreturn a", array(3, dtype=complex)), ("a.real[1:].fill(7)\nreturn a", array(3, dtype=complex)),
    ("for r in a.imag:\n    r[0] = 7\nreturn a", array(2, 3, dtype=complex)),
    ("x = a + 1\nv = x.reshape(3, 2)\nv[0] = 7\nreturn x", array(2, 3)), ("x = a + 1\nv = x.reshape(3, 2)\nu = x.T\nv[0] = 7\nreturn u", array(2, 3)),
    ("x = a + 1\nv = x.reshape(3, 2)\nu = x.reshape(6)\nv[0] = 7\nreturn u", array(2, 3)),
    ("x = a + 1\nfor k in range(2):\n    s = x.sum()\n    v = x.reshape(3, 2)\n    v[0] = s\nreturn v", array(2, 3)),
    ("x = a\nv = x.reshape(3, 2)\nv[0] = 7\nreturn v", array(2, 3)),
    ("a.reshape(3, 2)[0] = 7\nreturn a", array(2, 3)),
    ("a.reshape(3, 2)[0].fill(7)\nreturn a", array(2, 3)), ("a.reshape(3, 2).sort()\nreturn a", array(2, 3)),
    ("for r in a.reshape(3, 2):\n    r[0] = 7\nreturn a", array(2, 3)), ("np.copyto(a.reshape(3, 2), 7)\nreturn a", array(2, 3)),
    ("np.imag(a).ravel()[0] = 7\nreturn a", array(3, dtype=complex)), ("v = a.reshape(3, 2)\nv.ravel()[0] = 7\nreturn a", array(2, 3)),
    ("v = a.reshape(3, 2) if a[0, 0] > 5 else a.T\nreturn v", array(2, 3)), ("return a.ravel('K')", array(2, 3)),
    ("x = a.T + 1\nx.ravel()[0] = 7\nreturn x", array(2, 3)), ("v = a.T.reshape(-1)\nreturn v, v[::-1]", array(2, 3)),
    ("u = a.reshape(3, 2)\nif a[0, 0] > 5:\n    return u\nreturn a.T", array(2, 3)),
    ("for i in range(1):\n    a = a.reshape(6)\n    a = a.reshape(2, 3)\nreturn a", array(2, 3)),
    ("if a[0, 0] == 0:\n    a = a.reshape(3, 2)\nreturn a", array(2, 3)),
    ("v = a.ravel()\nv[0] = 7\nif len(a) > 1:\n    f(a[:1])\nreturn v", twice(array(6))),
    ("return np.diagonal(a) + stored(a)", array(3, 3)),
    ("return a.T[1:].reshape(-1) + stored(a)", array(2, 3)), ("u = tail(a.T.reshape(-1))\nu[0] = 7\nreturn a", array(2, 3)),
]


@pytest.mark.parametrize("body, a", REFUSED_STORES, ids=[r[0][:40] for r in REFUSED_STORES])
def test_refused(body, a):
    callees = {"stored": stored, "tail": function("x", "return x[1:]")}
    f = pyraptor.jit(function("a", body, **callees))
    before = a.copy()
    with pytest.raises(pyraptor.UnsupportedError):
        f(a)
    np.testing.assert_array_equal(a, before)


def test_views_keep_their_array_alive():
    ident, tail = function("x", "return x"), function("x", "return x[1:]")
    for body in ("return x[1:]", "return x[1:][::-1]", "return tail(tail(x))", "for k in range(2):\n    x = x[1:]\nreturn x",
                 "for k in range(2):\n    y = x\n    for j in range(k + 2):\n        y = y[1:]\nreturn y, y[1:]", "y = x[1:]\nfor k in range(3):\n    y = ident(y[::-1])\nreturn y, x",
                 "y = x + 0\nfor k in range(2):\n    y = y[1:]\nreturn y, y[1:]", "y = x[::2]\nwhile len(y) > 1:\n    y = tail(y)\nreturn y"):
        f = function("x", body, ident=ident, tail=tail)
        jitted, kept, wanted = pyraptor.jit(f), [], []
        for k in range(20):  # if the memory was freed, other data will be there
            wanted.append(f(np.arange(6.0) + k))
            kept.append(jitted(np.arange(6.0) + k))
        for a, b in zip(wanted, kept):
            for x, y in zip(view_programs.flat_values(a), view_programs.flat_values(b)):
                np.testing.assert_array_equal(x, y)
        a = np.arange(6.0)
        for x, y in zip(view_programs.flat_values(f(a)), view_programs.flat_values(jitted(a))):
            def owner(z):
                return owner(z.base) if isinstance(z.base, np.ndarray) else z
            assert (owner(x) is a) == (owner(y) is a), body


def test_library_functions_of_several_ranks():
    """Each rank has its own generated function."""
    f, g = function("a, i", "return a[i, i]"), function("a, i", "return a[i, i, i]")
    compare(f, array(3, 3), np.array([0, 2]))
    compare(g, array(3, 3, 3), np.array([0, 2]))
    compare(f, array(3, 3, dtype="int64"), np.array([0, 2]))


@pytest.mark.parametrize("make", [array, lambda *shape: np.asfortranarray(array(*shape)), lambda *shape: array(*shape[::-1]).T[::2, ::-1],
                                  lambda *shape: array(*shape, dtype="int32")], ids=["C", "F", "slice", "int32"])
def test_strides_of_views(make):
    """Views must have the right strides, for code in other languages that uses them."""
    for body in ("a[None], a[:, None], a[..., None]", "a[None, 0], a[1:2][:, None], a[:, None, None, 1:]", "a.T, a.T[None], a[::-1, 1:]",
                 "np.swapaxes(a, 0, 1), np.moveaxis(a[None], 0, 2)",
                 "np.broadcast_to(a, (2, *a.shape)), np.broadcast_to(a[:, None], (4, 3, 4))", "np.diagonal(a), a[1], a[:, 0][::2]"):
        f, a = function("a", f"return {body}"), make(4, 4)
        try:
            wanted = f(a)
        except ValueError:
            continue
        for k, (x, y) in enumerate(zip(wanted, pyraptor.jit(f)(a))):
            assert (x.shape, x.strides) == (y.shape, y.strides), (body, k)


# Functions that join arrays in Fortran order give arrays in that order, as in NumPy, so that reshape(-1) of the result is a copy and not a view.
JOINS = ["np.vstack((a, b))", "np.hstack((a, b))", "np.concatenate((a, b))", "np.concatenate((a, b), axis=1)",
         "np.concatenate([a, b, a], axis=-1)", "np.stack((a, b))", "np.stack((a, b), axis=1)", "np.stack((a, b), axis=-1)",
         "np.column_stack((a, b))", "np.append(a, b, axis=0)", "np.append(a, b, axis=1)", "np.vstack((a[:1], b, a[1:]))",
         "np.hstack((a[:, :1], b))", "np.vstack((a.T, b.T))", "np.concatenate((a, b)).copy()", "np.vstack((a, b)) + 1", "np.tile(a, (2, 1))",
         "np.repeat(a, 2, axis=1)", "np.roll(a, 1, axis=0)", "np.where(a > b, a, b)", "np.copy(a)", "a.copy()", "np.sort(a, axis=0)",
         "np.cumsum(a, axis=1)", "np.zeros_like(a) + b", "np.empty_like(a) * 0 + b", "np.full_like(a, 3)", "np.negative(a)"]
READS = ["return x.reshape(-1)", "return x.ravel()", "return x.T.reshape(-1)", "return x.T.ravel()", "return x[1:].reshape(-1), x.shape",
         "return x.reshape(-1) + 0, x.ravel() * 1, x.flatten(), x.T.reshape(-1) + x.T.ravel(), np.ravel(x)[::2] + 0",
         "return x.reshape(-1, order='F') + 0, x.ravel('F') + 0, x.reshape(x.shape[0], -1) + 0, x.reshape(-1, x.shape[-1]).sum(axis=0)",
         "s = 0.0\nfor v in x.reshape(-1):\n    s = 2 * s + v\nreturn s, x.ravel()[x.size // 2], x.reshape(-1)[1:].max()"]
STORES = ["v = x.reshape(-1)\nv[0] = 70\nreturn x, v", "v = x.ravel()\nv[-1] = 70\nreturn x, v", "v = x.T.reshape(-1)\nv[1] = 70\nreturn x, v",
          "v = x.reshape(-1)\nx[0] = 70\nreturn v, x", "x.reshape(-1)[:2] = 70\nreturn x", "v = x[0].reshape(-1)\nv[...] = 70\nreturn x, v",
          "v = x.reshape(2, -1)\nv[1] += 70\nreturn x", "w = x.T\nv = w.ravel()\nv[0] = 70\nreturn x, w"]
ORDERS = {"C": lambda: (array(2, 3), array(2, 3) + 10), "F": lambda: tuple(np.asfortranarray(x) for x in (array(2, 3), array(2, 3) + 10)),
          "both": lambda: (array(2, 3), np.asfortranarray(array(2, 3) + 10)), "slices": lambda: (array(4, 6)[::2, ::2], array(3, 4).T[:2] + 10),
          "square": lambda: (np.asfortranarray(array(2, 2)), array(2, 2).T + 10), "one row": lambda: (array(3, 1).T, array(1, 3) + 10)}


@pytest.mark.parametrize("order", ORDERS)
def test_joined_arrays_in_one_dimension(order, interpreter):
    wrong, refused, count = [], collections.Counter(), collections.Counter()
    for join in JOINS:
        for kind, bodies in (("read", READS), ("store", STORES)):
            for body in bodies:
                f = function("a, b", f"x = {join}\n{body}")
                args = ORDERS[order]()
                try:
                    f(*ORDERS[order]())
                except ValueError:
                    continue  # it is an error for these extents
                count[kind] += 1
                try:
                    compare(f, *args)
                except pyraptor.UnsupportedError:
                    refused[kind] += 1
                except Exception as e:  # also wrong values: all are reported
                    wrong.append(f"{join}: {body!r}: {str(e).strip()[:300]}")
    assert not wrong, "\n".join(wrong)
    # A store is refused if it depends on the layout whether NumPy's array is affected.
    assert count["read"] > 150 and refused["read"] < 0.2 * count["read"], (count, refused)
    assert count["store"] > 150, (count, refused)
