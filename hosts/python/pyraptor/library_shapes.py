"""NumPy functions that rearrange arrays, written in Python and compiled like library.py. Functions that work along an axis work along the first
one."""
from __future__ import annotations

import numpy as np

from .library import _cached, _extents_text, _make


def repeat_each(a, counts):
    one = counts.shape[0] == 1
    if not one and counts.shape[0] != a.shape[0]:
        raise ValueError("operands could not be broadcast together")
    total = 0
    for i in range(counts.shape[0]):
        if counts[i] < 0:
            raise ValueError("repeats may not contain negative values.")
        total += counts[i]
    if one:
        total *= a.shape[0]
    out = np.empty((total, *a.shape[1:]), a.dtype)
    k = 0
    for i in range(a.shape[0]):
        for _ in range(counts[0 if one else i]):
            out[k] = a[i]
            k += 1
    return out


@_cached
def tile(rank):
    names = [f"m{k}" for k in range(rank)]
    text = f"def tile_{rank}(a, {', '.join(names)}):\n"
    text += "".join(f"    if {m} < 0:\n        raise ValueError('negative dimensions are not allowed')\n" for m in names)
    text += f"    out = np.empty(({', '.join(f'a.shape[{k}] * {m}' for k, m in enumerate(names))},), a.dtype)\n"
    for k, m in enumerate(names):
        text += f"{'    ' * (k + 1)}for i{k} in range({m}):\n"
    at = ", ".join(f"i{k} * a.shape[{k}]:(i{k} + 1) * a.shape[{k}]" for k in range(rank))
    text += f"{'    ' * (rank + 1)}out[{at}] = a\n    return out\n"
    return _make(f"tile_{rank}", text)


def _mirrored(i, n, period):
    """The index for i in an array of n elements that is extended by mirror images with this period."""
    i = i % period
    return i if i < n else period - i - (1 if period == 2 * n else 0)


@_cached
def pad(mode, rank):
    """Copies the array to the middle, then fills the margins axis by axis from elements that are already there."""
    ends = ", ".join(f"b{k}, e{k}" for k in range(rank))
    text = f"def pad_{mode}_{rank}(a, {ends}{', value' if mode == 'constant' else ''}):\n"
    for k in range(rank):
        text += f"    n{k} = a.shape[{k}]\n    if b{k} < 0 or e{k} < 0:\n        raise ValueError(\"index can't contain negative values\")\n"
        if mode != "constant":
            text += (f"    if n{k} == 0 and b{k} + e{k} > 0:\n        raise ValueError(\"can't extend empty axis {k} using modes other than "
                     "'constant' or 'empty'\")\n")
    text += f"    out = np.empty(({', '.join(f'b{k} + n{k} + e{k}' for k in range(rank))},), a.dtype)\n"
    text += f"    out[{', '.join(f'b{k}:b{k} + n{k}' for k in range(rank))}] = a\n"
    for k in range(rank):
        before = ":, " * k
        if mode == "constant":
            text += f"    out[{before}:b{k}] = value\n    out[{before}b{k} + n{k}:] = value\n"
            continue
        place = {"edge": f"min(max({{}}, 0), n{k} - 1)", "wrap": f"({{}}) % n{k}", "symmetric": f"mirrored({{}}, n{k}, 2 * n{k})",
                 "reflect": f"mirrored({{}}, n{k}, max(2 * n{k} - 2, 1))"}[mode]
        text += f"    for i in range(b{k}):\n        out[{before}i] = out[{before}b{k} + {place.format(f'i - b{k}')}]\n"
        text += f"    for i in range(e{k}):\n        out[{before}b{k} + n{k} + i] = out[{before}b{k} + {place.format(f'n{k} + i')}]\n"
    return _make(f"pad_{mode}_{rank}", text + "    return out\n", mirrored=_mirrored)


@_cached
def gradient(rank, axis, edge):
    """np.gradient along an axis, with differences of order `edge` at the ends."""
    def at(what):
        return "f[" + ":, " * axis + what + "]"

    text = (f"def gradient_{rank}_{axis}_{edge}(f, h):\n    n = f.shape[{axis}]\n    if n < {edge + 1}:\n"
            "        raise ValueError('Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required.')\n    out = np.empty_like(f)\n"
            f"    out{at('1:n - 1')[1:]} = ({at('2:')} - {at(':n - 2')}) / (2.0 * h)\n")
    first, last = f"({at('1')} - {at('0')}) / h", f"({at('n - 1')} - {at('n - 2')}) / h"
    if edge == 2:
        first = f"-1.5 / h * {at('0')} + 2.0 / h * {at('1')} + -0.5 / h * {at('2')}"
        last = f"0.5 / h * {at('n - 3')} + -2.0 / h * {at('n - 2')} + 1.5 / h * {at('n - 1')}"
    text += f"    out{at('0')[1:]} = {first}\n    out{at('n - 1')[1:]} = {last}\n    return out\n"
    return _make(f"gradient_{rank}_{axis}_{edge}", text)


def gradient_at(f, x):
    n = f.shape[0]
    if x.shape[0] != n:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if n < 2:
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    out = np.empty_like(f)
    for i in range(1, n - 1):
        s = x[i] - x[i - 1]
        t = x[i + 1] - x[i]
        out[i] = -t / (s * (s + t)) * f[i - 1] + (t - s) / (s * t) * f[i] + s / (t * (s + t)) * f[i + 1]
    out[0] = (f[1] - f[0]) / (x[1] - x[0])
    out[n - 1] = (f[n - 1] - f[n - 2]) / (x[n - 1] - x[n - 2])
    return out


def vander(x, columns, increasing):
    if columns < 0:
        raise ValueError("negative dimensions are not allowed")
    out = np.empty((x.shape[0], columns), x.dtype)
    for i in range(x.shape[0]):
        for k in range(columns):
            p = k if increasing else columns - 1 - k
            if k == 0:
                out[i, p] = 1
            else:
                out[i, p] = out[i, p - 1 if increasing else p + 1] * x[i]
    return out


def polyval(p, x, y):
    """`y`: an array of zeros with the shape of x, in the type of the result."""
    for k in range(p.shape[0]):
        y = y * x + p[k]
    return y


def insert_many(a, places, values):
    n = a.shape[0]
    one = places.shape[0] == 1  # all values go to the same position
    m = values.shape[0] if one else places.shape[0]
    at = np.empty(m, np.int64)
    for k in range(places.shape[0]):
        i = np.int64(places[k])
        if i < -n or i > n:
            raise IndexError("index is out of bounds for axis 0")
        i = i + n if i < 0 else i
        if one:
            at[:] = i
        else:
            at[k] = i
    if values.shape[0] != m and values.shape[0] != 1:
        raise ValueError("could not broadcast the values to the indices")
    order = np.argsort(at)
    out = np.empty(n + m, a.dtype)
    i = 0
    for k in range(m):
        j = order[k]
        while i < at[j]:
            out[i + k] = a[i]
            i += 1
        out[i + k] = values[0 if values.shape[0] == 1 else j]
    while i < n:
        out[i + m] = a[i]
        i += 1
    return out


def insertion_place(k, n):
    if k < -n or k > n:
        raise IndexError("index is out of bounds for axis")
    return k + n if k < 0 else k


def deletion_place(k, n):
    if k < -n or k >= n:
        raise IndexError("index is out of bounds for axis")
    return k + n if k < 0 else k


def without_zeros(a, front, back):
    """(begin, end) of the elements without the zeros at the ends."""
    first = 0
    last = a.shape[0]
    if front:
        while first < last and a[first] == 0:
            first += 1
    if back:
        while last > first and a[last - 1] == 0:
            last -= 1
    return first, last


@_cached
def windows(rank, axes):
    """All windows of an array along these axes. The windows' extents are the further parameters."""
    sizes = [f"w{k}" for k in range(len(axes))]
    text = f"def windows(a, {', '.join(sizes)}):\n"
    for w in sizes:
        text += f"    if {w} < 0:\n        raise ValueError('`window_shape` cannot contain negative values')\n"
    for w, axis in zip(sizes, axes):
        text += f"    if a.shape[{axis}] < {w}:\n        raise ValueError('window shape cannot be larger than input array shape')\n"
    counts = [f"a.shape[{d}]" + (f" - {sizes[axes.index(d)]} + 1" if d in axes else "") for d in range(rank)]
    text += f"    out = np.empty(({', '.join(counts + sizes)},), a.dtype)\n"
    names = [f"i{d}" for d in range(rank)] + [f"j{k}" for k in range(len(axes))]
    for depth, (name, count) in enumerate(zip(names, counts + sizes)):
        text += f"{'    ' * (depth + 1)}for {name} in range({count}):\n"
    at = ", ".join(f"i{d}" + (f" + j{axes.index(d)}" if d in axes else "") for d in range(rank))
    return _make("windows", text + f"{'    ' * (len(names) + 1)}out[{', '.join(names)}] = a[{at}]\n    return out\n")


@_cached
def strided(rank):
    """as_strided for a vector with elements of `size` bytes."""
    extents, steps, at = ([f"{c}{k}" for k in range(rank)] for c in "nsi")
    text = f"def strided(a, size, {', '.join(extents + steps)}):\n    low = 0\n    high = 0\n"
    for n, s in zip(extents, steps):
        text += (f"    if {n} < 0:\n        raise ValueError('negative dimensions are not allowed')\n"
                 f"    if {s} % size != 0:\n        raise ValueError('as_strided: a stride is no multiple of the size of an element')\n"
                 f"    {s} //= size\n    if {s} < 0:\n        low += ({n} - 1) * {s}\n    else:\n        high += ({n} - 1) * {s}\n")
    text += f"    if {' and '.join(f'{n} > 0' for n in extents)} and (low < 0 or high >= a.shape[0]):\n"
    text += "        raise IndexError('as_strided: the view reaches outside of the array')\n"
    text += f"    out = np.empty(({', '.join(extents)},), a.dtype)\n"
    for k in range(rank):
        text += f"{'    ' * (k + 1)}for {at[k]} in range({extents[k]}):\n"
    text += f"{'    ' * (rank + 1)}out[{', '.join(at)}] = a[{' + '.join(f'{i} * {s}' for i, s in zip(at, steps))}]\n    return out\n"
    return _make("strided", text)


@_cached
def common_shape(ranks):
    """The shape to which arrays of these ranks broadcast."""
    names, rank = [f"a{k}" for k in range(len(ranks))], max(ranks)
    text = _extents_text(names, ranks, rank, "ValueError('shape mismatch: objects cannot be broadcast to a single shape')")
    return _make("common_shape", f"def common_shape({', '.join(names)}):\n{text}    return {', '.join(f'n{d}' for d in range(rank))},\n")
