"""Programs about views and copies: ways to make a view or a copy, stores, and reads after them.

A program is one function of an array `a` and a number `k` (1 in every call). `programs()` gives all of them, in an order
in which every prefix covers all makers, stores and observers; `judge(program)` runs one in NumPy and compiled. Compared with
NumPy are the values of results and argument, which results share elements with the argument and with each other, which are
writable, and the argument after the caller has stored to the results.
"""
import collections
import itertools
import zlib

import numpy as np

import pyraptor
from conftest import NUMPY_1, function, run

# ---- ways to make `v`: source text -> the ranks of `a` for which it is valid. A text with a newline ends with an assignment to `v`
_1, _2, _3, _12, _23, _ALL = (1,), (2,), (3,), (1, 2), (2, 3), (1, 2, 3)
MAKERS = {
    # basic subscripts
    "a": _ALL, "a[:]": _ALL, "a[...]": _ALL, "a[1:]": _ALL, "a[::2]": _ALL, "a[::-1]": _ALL, "a[k:]": _ALL,
    "a[:-1][::-1]": _ALL, "a[4:1:-2]": _1, "a[0]": _23, "a[-1]": _23, "a[:, 0]": _23, "a[:, ::-1]": _23,
    "a[..., 0]": _23, "a[..., 1:]": _23, "a[0, ...]": _23, "a[:, 1:][0]": _2, "a[0][1:]": _2, "a[0, :, 1]": _3,
    # new axes
    "a[None]": _ALL, "a[:, None]": _ALL, "a[..., None]": _ALL, "a[None, ..., None]": _12, "a[None, 0]": _2,
    "a[1:, None, 0]": _2, "a[np.newaxis, :, ::-1]": _2, "np.expand_dims(a, 0)": _ALL, "np.expand_dims(a, -1)": _ALL,
    "np.squeeze(a[None], 0)": _ALL, "a[:, None].squeeze(1)": _ALL, "a[None][0]": _ALL, "a[:, None][:, 0]": _12,
    # permuted axes
    "a.T": _ALL, "a.transpose()": _ALL, "np.transpose(a)": _ALL, "np.transpose(a, (1, 0))": _2, "a.transpose(1, 0)": _2,
    "a.transpose(2, 0, 1)": _3, "a.transpose((1, 0, 2))": _3, "np.swapaxes(a, 0, 1)": _23, "a.swapaxes(0, -1)": _23,
    "np.moveaxis(a, 0, 1)": _23, "np.rollaxis(a, 1)": _23, "a.T[1:]": _23, "a.T[::-1]": _23, "a.T[0]": _23, "a[1:].T": _23,
    "a.T.T": _ALL, "a.T[None]": _2, "a[None].T": _12, "a.T[:, None]": _2, "a.mT": _23, "np.matrix_transpose(a)": _23,
    # shapes
    "a.reshape(a.size)": _ALL, "a.reshape(-1)": _ALL, "np.reshape(a, -1)": _ALL, "a.reshape(a.shape)": _ALL,
    "a.reshape(2, 3)": _12, "a.reshape((3, 2))": _12, "np.reshape(a, (2, 3))": _12, "a.reshape(3, -1)": _12,
    "a.reshape(-1, 1)": _ALL, "a.reshape(1, -1)[0]": _12, "a.reshape(2, 3, order='F')": _12, "a.T.reshape(-1)": _23,
    "a[1:].reshape(-1)": _ALL, "a[::2].reshape(-1)": _ALL, "a.reshape(3, 2)[1:]": _12, "a.reshape(3, 2).T": _12,
    "a.reshape(-1)[::2]": _23,
    "a.ravel()": _ALL, "np.ravel(a)": _ALL, "a.ravel('F')": _2, "a.T.ravel()": _23, "a[1:].ravel()": _ALL,
    "a[::2].ravel()": _ALL, "a.ravel()[1:]": _23, "a.flatten()": _ALL, "a.T.flatten()": _2,
    # parts
    "a.real": _ALL, "a.imag": _ALL, "np.real(a)": _ALL, "np.imag(a)": _ALL, "a.real[1:]": _ALL, "a.T.real": _2, "a[::2].imag": _12,
    "np.conj(a)": _ALL, "np.conjugate(a)": _12, "a.conj()": _ALL, "a.conjugate()": _12, "a.T.conj()": _2, "np.real_if_close(a)": _1,
    "np.diagonal(a)": _2, "a.diagonal()": _2, "np.diag(a)": _12, "np.diagonal(a, 1)": _2, "np.diag(a, -1)": _2,
    "np.diag(a.T)": _2, "np.diagonal(a[1:])": _2, "np.diagonal(a, 0, 0, 1)": _3, "np.diagonal(a)[1:]": _2,
    # may return the array itself
    "np.asarray(a)": _ALL, "np.ascontiguousarray(a)": _ALL, "np.asfortranarray(a)": _2, "np.asarray(a.T)": _2,
    "np.ascontiguousarray(a.T)": _2, "np.asarray(a, a.dtype)": _1, "np.asanyarray(a)": _1, "np.atleast_1d(a)": _12,
    "np.atleast_2d(a)": _ALL, "np.atleast_3d(a)": _12, "np.array(a)": _ALL, "np.array(a, copy=True)": _2, "np.array(a.T)": _2,
    "np.array(a, copy=False)": _12, "np.array(a, dtype=a.dtype)": _1, "np.array(a, dtype=np.float64)": _12,
    "np.asarray(a, dtype=np.float64)": _12, "a.astype(a.dtype)": _ALL, "a.astype(a.dtype, copy=False)": _12,
    "a.astype(np.float64)": _1, "a.astype(np.float64, copy=False)": _1, "a.T.astype(a.dtype)": _2, "a.copy()": _ALL,
    "np.copy(a)": _ALL, "a.T.copy()": _2, "a.copy('F')": _2, "a.copy().T": _2, "np.require(a)": _1, "a.view()": _1,
    # repeated elements
    "np.broadcast_to(a, (2,) + a.shape)": _12, "np.broadcast_to(a[:1], a.shape)": _12, "np.broadcast_to(a, a.shape)": _1,
    "np.broadcast_to(a, (2, 6))[0]": _1, "np.broadcast_arrays(a, a)[0]": _1,
    "np.lib.stride_tricks.sliding_window_view(a, 2)": _1, "np.repeat(a, 1)": _1, "np.tile(a, 1)": _1, "np.resize(a, 6)": _1,
    # flipped, rotated and split
    "np.flip(a)": _ALL, "np.flip(a, 0)": _23, "np.flip(a, (0, 1))": _2, "np.flipud(a)": _12, "np.fliplr(a)": _2, "np.rot90(a)": _2,
    "np.rot90(a, 2)": _2, "np.split(a, 2)[0]": _12, "np.array_split(a, 3)[1]": _12, "np.hsplit(a, 3)[1]": _2,
    "np.vsplit(a, 2)[1]": _2, "np.unstack(a)[0]": _2, "np.trim_zeros(a)": _1, "np.roll(a, 1)": _1, "np.roll(a, 1, 0)": _2,
    # selections
    "a[[0, 1]]": _ALL, "a[np.array([1, 0])]": _ALL, "a[a == a]": _12, "a[:, [1, 0]]": _2, "a.T[[0, 1]]": _2, "a[[0, 1], [1, 0]]": _2,
    "a[None][:, [0, 1]]": _12, "a.T[a.T == a.T]": _2, "np.take(a, [0, 1])": _1, "a[k > 0:]": _1,
    "a[np.array([True, False, True, True, False, True])]": _1, "a.T[:, np.array([True, False])]": _2,
    # computed
    "np.where(a == a, a, a)": _12, "np.where(k > 0, a, a)": _12, "a + 0": _12, "a * 1": _2, "-a": _1, "+a": _12, "abs(a)": _1,
    "np.positive(a)": _12, "np.negative(a)": _1, "np.round(a)": _12, "a.round()": _12, "np.around(a, 1)": _1, "np.rint(a)": _1,
    "np.floor(a)": _12, "np.ceil(a)": _1, "np.trunc(a)": _1, "np.fix(a)": _1, "np.clip(a, None, None)": _1,
    "np.clip(a, -9, 9)": _1, "a.clip(-9, 9)": _2, "np.abs(a)": _1, "np.nan_to_num(a)": _1, "np.maximum(a, a)": _1,
    "np.sort(a)": _12, "np.triu(a)": _2, "np.tril(a, 5)": _2, "np.cumsum(a)": _1, "np.concatenate((a,))": _12,
    "np.stack((a,))[0]": _12, "np.vstack((a,))": _2, "np.hstack((a,))": _12, "np.append(a, [])": _1, "np.zeros_like(a)": _12,
    "np.full_like(a, k)": _1, "np.sum(a[None], axis=0)": _1, "np.min(a[None], axis=0)": _12,
    "np.square(a)": _1, "np.logical_not(a)": _1, "np.logical_and(a, a)": _1, "np.float64(a)": _1, "np.dot(a, a)": _2,
    # statements
    "a if k > 0 else a[::-1]": _ALL, "a[1:] if k > 0 else a[:-1]": _ALL, "a if k > 0 else a.copy()": _12,
    "a.T if k > 1 else a.copy().T": _2, "a.reshape(-1) if k > 0 else a.ravel()": _12, "(a, a[1:])[1]": _12,
    "w, v = a, a[1:]": _ALL, "v, w = a.T, a": _2, "v, w = a[0], a[1]": _23, "(v, w), u = (a[:1], a), k": _12, "v = u = a[1:]": _12,
    "v = a\nv = v[::-1]": _12, "v = a\nv = v.T\nv = v[:1]": _2, "for v in a:\n    pass": _23, "for v in a.T:\n    pass": _2,
    "for i, v in enumerate(a):\n    pass": _2, "for v in a.reshape(3, 2):\n    pass": _12,
    "for v, w in zip(a, a.T):\n    pass": _2, "v = a[:0]\nfor i in range(2):\n    v = a[i:]": _1,
    "if k > 0:\n    v = a\nelse:\n    v = a + 1": _12, "v = (w := a[1:])": _1, "v, = (a,)": _1, "[v, w] = [a, a]": _1,
    "u = a[None]\nv = u[0]": _12, "u = a.reshape(-1)\nv = u[1:]": _12, "u = a.real\nv = u[:1]": _12, "u = a.T\nv = u.ravel()": _2,
    "u = a[1:]\nv = u.reshape(-1, 1)": _12, "u = np.diagonal(a)\nv = u[1:]": _2,
    # callees
    "same(a)": _ALL, "tail(a)": _ALL, "turned(a)": _23, "flat(a)": _12, "part(a)": _12, "diagonal(a)": _2, "fresh(a)": _12, "pair(a)[1]": _12,
    "either(a, k)": _12, "same(a.T)": _2, "tail(a.T)": _2, "flat(a.T)": _2, "same(a[::2])": _12, "tail(a.reshape(-1))": _12,
    "same(a.real)": _12,
}

#: Functions that the programs call.
CALLEES = {name: function("x, k=1", body) for name, body in {
    "same": "return x", "tail": "return x[1:]", "turned": "return x.T", "flat": "return x.reshape(-1)", "part": "return x.real",
    "diagonal": "return np.diagonal(x)", "fresh": "return x + 0", "pair": "return x, x[1:]",
    "either": "if k > 0:\n    return x\nreturn x[::-1]",
    "set_first": "x[0] = 7\nreturn 0", "set_all": "x[...] = 7\nreturn 0", "fill_it": "x.fill(7)\nreturn 0",
    "set_tail": "y = x[1:]\ny[...] = 7\nreturn y",
}.items()}

# ---- stores, with the least rank of `v` for which they are valid. V stands for the view: a name or the expression that makes it
STORES = {
    "": 0,
    # the view, whole or in parts
    "V[0] = 7": 1, "V[-1] = 7": 1, "V[k] = 7": 1, "V[0, 0] = 7": 2, "V[k - 1, -1] = 7": 2, "V[0][0] = 7": 2, "V[0, 0, 0] = 7": 3,
    "V[1:] = 7": 1, "V[::-1] = 7": 1, "V[:k] = 7": 1, "V[:, 0] = 7": 2, "V[..., 0] = 7": 1, "V[0, 1:] = 7": 2, "V[...] = 7": 1,
    "V[:] = 7": 1, "V[:, None] = 7": 1, "V[1:, 1:] = 7": 2, "V[None][0] = 7": 1, "V[...][0] = 7": 1, "V[:][:1] = 7": 1,
    "V[...] = a[-1, -1]": 2, "V[...] = V[::-1]": 1, "V[...] = V * 2": 1, "V[0] = V[-1]": 1, "V[:1] = V[1:2]": 1,
    "V[...] = np.arange(V.size).reshape(V.shape)": 1, "V[0] = np.arange(V.shape[1])": 2, "V[...] = V[:1]": 1,
    "V[:, 0] = np.arange(V.shape[0])": 2,
    # by mask and index array
    "V[V == V] = 7": 1, "V[V > 1] = 7": 1, "V[np.abs(V) > 1] = 7": 1, "V[V > 1] = V[V > 1] * 2": 1, "V[V > 1] += 1": 1,
    "V[np.array([0])] = 7": 1, "V[[0]] = 7": 1, "V[[0, -1]] += 1": 1, "V[[0, 0]] = V[[-1, -1]]": 1, "V[:, [0]] = 7": 2,
    "V[[0], [0]] = 7": 2, "V[np.array([0]), 0] = 7": 2, "V[[0], [0]] += 1": 2, "V[[0]] = V[[0]] + 1": 1,
    "V[np.arange(len(V)) > 0] = 7": 1, "V[[0], 1:] = 7": 2, "V[1:][[0]] = 7": 1,
    # in place
    "V += 1": 1, "V *= 2": 1, "V += V": 1, "V -= V[:1]": 1, "V[0] += 1": 1, "V[1:] += 1": 1, "V[1:] *= V[:-1]": 1, "V[...] += 1": 1,
    "V[0, 0] *= 3": 2, "V += np.ones(V.shape, V.dtype)": 1, "V //= 2": 1,
    # functions that store to their argument
    "V.fill(7)": 1, "V.sort()": 1, "V.sort(axis=0)": 2, "np.copyto(V, 7)": 1, "np.copyto(V, V[::-1])": 1, "np.add(V, 1, out=V)": 1,
    "np.negative(V, out=V)": 1, "np.multiply(V, 2, V)": 1, "np.put(V, [0], 7)": 1, "np.place(V, V > 1, 7)": 1, "np.putmask(V, V > 1, 7)": 1,
    "V.put([0], 7)": 1, "np.fill_diagonal(V, 7)": 2, "V.flat = 7": 1, "V.flat[0] = 7": 1, "V.real = 7": 1, "V.real[0] = 7": 1, "V.imag[...] = 7": 1,
    "V.T[0] = 7": 1, "V.T[...] += 1": 1, "V.T[V.T > 1] = 7": 1, "V.ravel()[0] = 7": 1, "V.reshape(-1)[0] = 7": 1, "V[None][...] = 7": 1,
    "np.random.seed(3)\nnp.random.shuffle(V)": 1, "V.partition(0)": 1, "np.add.at(V, [0], 1)": 1, "V.setflags(write=False)": 1,
    # swaps and tuples
    "V[0], V[-1] = V[-1], V[0]": 1, "V[[0, -1]] = V[[-1, 0]]": 1, "V[0], x = 7, 8": 1, "(V[0], V[1]) = 7, 8": 1,
    # loops and callees
    "for i in range(len(V)):\n    V[i] = i": 1, "for i in prange(len(V)):\n    V[i] = i": 1, "for r in V:\n    r[...] = 7": 2,
    "for r in V:\n    r += 1": 2, "for i in prange(len(V)):\n    V[i, 0] = i": 2, "for i in prange(len(V)):\n    V[i] += 1": 1,
    "for i in range(2):\n    V[i:i + 1] = i": 1, "while k > 0:\n    V[0] = k\n    k -= 1": 1, "if k > 0:\n    V[0] = 7": 1,
    "set_first(V)": 1, "set_all(V)": 1, "fill_it(V)": 1, "set_tail(V)[0] = 8": 1, "set_first(V[1:])": 1, "set_all(V.T)": 1,
    "x = V\nx[0] = 7": 1, "x = V[1:]\nx[...] = 7": 1, "x = V.T\nx[0] = 7": 1, "x, y = V, 1\nx[0] = 7": 1, "x = same(V)\nx[0] = 7": 1,
    "x = V if k > 0 else V[::-1]\nx[0] = 7": 1,
    # the original array
    "a[0] = 7": 0, "a[...] = 7": 0, "a += 1": 0, "a[::2] = 5": 0, "a.sort()": 0, "set_first(a)": 0, "a.fill(3)": 0, "a[a > 1] = 7": 0,
    "a.T[...] = 7": 0, "for i in range(len(a)):\n    a[i] = i": 0,
}

# ---- what is observed: (before the store, after it). V as above; M is the maker's expression again
OBSERVERS = {
    "view": ("", "return v"), "array": ("", "return a"), "both": ("", "return v, a"), "none": ("", "return 0"),
    "sum": ("", "return np.sum(v), np.sum(a)"), "second": ("", "w = M\nreturn w"), "earlier": ("e = M", "return e"),
    "copy": ("", "return v.copy()"), "slice": ("", "return v[:1]"), "part": ("t = (v, k)", "return t"), "element": ("", "return v[0]"),
    "flags": ("", "return v, v[::-1]"),
}
#: The store is made through the expression itself: the view has no name.
DIRECT = {"array": ("", "return a"), "second": ("", "return M"), "none": ("", "return 0")}

# ---- arguments: the shapes for each rank
SHAPES = {1: [(6,), (3,), (1,), (0,)], 2: [(2, 3), (3, 3), (3, 2), (1, 3), (3, 1), (0, 3), (2, 0), (6, 1)],
          3: [(2, 2, 3), (1, 2, 1), (2, 0, 2)]}
DTYPES = ["float64", "complex128", "int64", "bool", "float32", "int32", "complex64"]
LAYOUTS = ["C", "F", "step", "reversed", "inner"]
KINDS = {rank: [(d, layout) for layout in LAYOUTS for d in DTYPES if not (rank == 1 and layout in "F inner")] for rank in SHAPES}


def array(shape, dtype, layout):
    """An array of different small numbers, and the memory that contains it."""
    memory = [2 * n + 1 for n in shape]
    values = np.random.default_rng(5).permutation(int(np.prod(memory))).reshape(memory) % 11 - 3
    values = (values + 1j * values[::-1] if dtype.startswith("complex") else values % 2 if dtype == "bool" else values).astype(dtype)
    if layout == "step":
        return values[tuple(slice(0, 2 * n, 2) for n in shape)]
    if layout == "inner":  # rows are disjoint, elements of a row contiguous
        return values[tuple(slice(1, 1 + n) for n in shape)]
    values = np.array(values[tuple(slice(0, n) for n in shape)], order="F" if layout == "F" else "C")
    return values[::-1] if layout == "reversed" else values


class Program:
    __slots__ = ("maker", "store", "observer", "direct", "rank", "dtype", "layout")

    def __init__(self, maker, store, observer, direct, rank, dtype, layout):
        self.maker, self.store, self.observer, self.direct = maker, store, observer, direct
        self.rank, self.dtype, self.layout = rank, dtype, layout

    def body(self):
        before, after = (DIRECT if self.direct else OBSERVERS)[self.observer]
        if self.direct:
            lines = [self.store.replace("V", f"({self.maker})" if " " in self.maker or self.maker[0] in "-+" else self.maker)]
        else:
            lines = [self.maker if _is_statement(self.maker) else f"v = {self.maker}", before, self.store.replace("V", "v")]
        lines.append(after)
        return "\n".join(x for x in lines if x).replace("M", self.maker)

    def __repr__(self):
        return f"# {self.dtype}, {self.rank} dimension(s), {self.layout}\n{self.body()}"


def _is_statement(maker):
    return "\n" in maker or any(maker.startswith(x) for x in ("w, v", "v, w", "(v, w)", "v =", "v, =", "[v, w]"))


_rank_of = {}


def view_rank(maker, rank):
    """The rank of `v`; None if NumPy does not accept the maker for an array of floats."""
    if (maker, rank) not in _rank_of:
        text = maker if _is_statement(maker) else f"v = {maker}"
        f, found = function("a, k", f"{text}\nreturn np.ndim(v)", **CALLEES), None
        for shape in SHAPES[rank]:
            for dtype in "float64", "bool":
                if found is None:
                    found, _ = run(f, (array(shape, dtype, "C"), 1))
        _rank_of[maker, rank] = found
    return _rank_of[maker, rank]


def programs(count=None):
    """The first `count` programs, or all, in an order that is the same in every run and mixes makers, stores and observers. Each is for one kind of
    array, which depends on the program."""
    keys = []
    for number, ((maker, ranks), (store, least)) in enumerate(itertools.product(MAKERS.items(), STORES.items())):
        named, direct = list(OBSERVERS), []
        if _is_statement(maker):
            named = [o for o in OBSERVERS if "M" not in "".join(OBSERVERS[o])]
        elif maker != "a" and "V" in store and not store.startswith(("V +", "V -", "V *", "V //")) and "same" not in store:
            direct = list(DIRECT)
        for rank, (observer, is_direct) in itertools.product(
                ranks, [(o, False) for o in named] + [(o, True) for o in direct]):
            where = zlib.crc32(f"{maker}|{store}|{observer}|{is_direct}|{rank}".encode())
            keys.append((where, number, maker, store, least, observer, is_direct, rank))
    # Of each maker in turn.
    turn = collections.Counter()
    for k, key in enumerate(sorted(keys)):
        turn[key[2]] += 1
        keys[k] = (turn[key[2]], *key)
    keys.sort()
    out = []
    for _, where, _, maker, store, least, observer, is_direct, rank in keys:
        found = view_rank(maker, rank)
        if found is not None and found >= least:
            dtype, layout = KINDS[rank][where % len(KINDS[rank])]
            out.append(Program(maker, store, observer, is_direct, rank, dtype, layout))
            if len(out) == count:
                break
    return out


# ---- comparison
class Wrong(Exception):
    pass


class Refused(Exception):
    """`view`: the refusal is about views, copies or stores, not about a function that is not compiled at all."""


def arrays_of(result):
    if isinstance(result, tuple):
        return [x for r in result for x in arrays_of(r)]
    return [result] if isinstance(result, np.ndarray) else []


def equal(x, y):
    x, y = np.asarray(x), np.asarray(y)
    if x.shape != y.shape or x.dtype != y.dtype:
        return False
    if x.dtype.kind in "fc":
        return bool(np.allclose(x, y, rtol=1e-5, atol=1e-6, equal_nan=True))
    return bool((x == y).all())


def flat_values(result):
    return [x for r in result for x in flat_values(r)] if isinstance(result, tuple) else [result]


def differences(plain, compiled, wanted, got):
    """The first difference that a caller can observe, or None."""
    a, b = flat_values(wanted), flat_values(got)
    if len(a) != len(b):
        return f"{wanted!r} and {got!r}"
    for x, y in zip(a, b):
        if isinstance(x, np.ndarray) != isinstance(y, np.ndarray) or not equal(x, y):
            return f"the result is {y!r}, not {x!r}"
    if not equal(plain, compiled):
        return f"the argument is {compiled!r}, not {plain!r}"
    if plain.size == 0:
        return None
    a, b = [plain, *arrays_of(wanted)], [compiled, *arrays_of(got)]
    for i in range(len(a)):
        for j in range(i):
            if np.shares_memory(a[i], a[j]) != np.shares_memory(b[i], b[j]):
                return f"result {i} {'shares' if np.shares_memory(b[i], b[j]) else 'does not share'} elements with " + (
                    "the argument" if j == 0 else f"result {j}")
    for i in range(1, len(a)):
        if a[i].flags.writeable != b[i].flags.writeable:
            return f"result {i} may {'' if b[i].flags.writeable else 'not '}be written"
    for i in range(1, len(a)):
        if a[i].flags.writeable:
            for x in a[i], b[i]:
                x[...] = (np.arange(x.size).reshape(x.shape) + 20 * i) % (2 if x.dtype == bool else 1000)
    if not equal(plain, compiled):
        return f"after stores to the results the argument is {compiled!r}, not {plain!r}"
    return None


def judge(program):
    """Returns if compiled code does what NumPy does; raises Wrong or Refused otherwise. Anything else is a crash."""
    body = program.body()
    f = function("a, k", body, **CALLEES)
    jitted = pyraptor.jit(f)
    seen = False
    for shape in SHAPES[program.rank]:
        a = array(shape, program.dtype, program.layout)
        plain, compiled = (array(shape, program.dtype, program.layout) for _ in range(2))
        wanted, error = run(f, (plain, 1))
        if isinstance(error, (AttributeError, TypeError)) and not seen:
            continue  # NumPy does not support it for these elements
        got, fault = run(jitted, (compiled, 1))
        if isinstance(fault, pyraptor.UnsupportedError):
            if "is not compiled in this form (" in str(fault):
                raise fault
            raise Refused(str(fault)) from None
        if isinstance(fault, (pyraptor.CompileError, SystemError)):
            raise fault
        seen = True
        if error is not None:
            if fault is None:
                raise Wrong(f"{shape}: NumPy raises {error!r}, compiled code gave {got!r}")
            if not isinstance(fault, (type(error), ValueError, IndexError, TypeError, ZeroDivisionError)):
                raise fault
            continue  # the elements stored before the error are not compared
        if NUMPY_1 and a.size == 0 and isinstance(fault, IndexError):
            continue  # NumPy 1 accepts subscripts out of bounds if nothing is selected
        if fault is not None:
            raise Wrong(f"{shape}: compiled code raises {fault!r}, NumPy gave {wanted!r}")
        found = differences(plain, compiled, wanted, got)
        if found is not None:
            raise Wrong(f"{shape}: {found}; before: {a!r}")
    if not seen:
        raise LookupError
