"""NumPy functions written as Python loops. They are compiled like the user's functions if a program calls them.

Internal. Each function behaves as NumPy's documentation of the function with its name says. Functions that depend on the number of dimensions are
generated from text.
"""
from __future__ import annotations

import itertools
import linecache

import numpy as np


_files = itertools.count()


def _make(name, text, **names):
    """A function defined by source text. Each text gets its own virtual file, so that inspect finds its source."""
    filename = f"<pyraptor.library {name} {next(_files)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"np": np, "__name__": f"{__name__}.made", **names}
    exec(compile(text, filename, "exec"), scope)
    return scope[name]


_made = {}


def _cached(make):
    def get(*key):
        if (make, key) not in _made:
            _made[make, key] = make(*key)
        return _made[make, key]
    return get


def floor_divide(a, b):
    mod = np.fmod(a, b)
    if b == 0.0:
        return np.divide(a, b)
    div = np.divide(a - mod, b)
    if mod != 0.0:
        if (b < 0.0) != (mod < 0.0):
            div = div - 1.0
    if div == 0.0:
        return np.divide(a, b) * 0.0  # a zero with the sign of the quotient
    whole = np.floor(div)
    if div - whole > 0.5:
        whole = whole + 1.0
    return whole


def copysign(x, y):
    size = abs(x)
    if y < 0.0 or (y == 0.0 and np.divide(1.0, y) < 0.0):
        return -size
    return size


@_cached
def elementwise(name, rank):
    """A function of two numbers applied elementwise to arrays of `rank` dimensions, or numbers, with broadcasting."""
    index = ", ".join("ijklmn"[:rank])
    loops = "".join(f"{'    ' * (k + 1)}for {'ijklmn'[k]} in range(x.shape[{k}]):\n" for k in range(rank))
    text = (f"def {name}_{rank}(a, b):\n    x = np.where(True, a, b)\n    y = np.where(False, a, b)\n"
            f"    out = np.empty_like(x)\n{loops}{'    ' * (rank + 1)}out[{index}] = f(x[{index}], y[{index}])\n"
            "    return out\n")
    return _make(f"{name}_{rank}", text, f=globals()[name])


@_cached
def store_masked(rank):
    """a[mask] = v, where v is a number and the mask covers all dimensions."""
    return _store_masked(rank, "v", "", "")


@_cached
def store_masked_array(rank):
    """a[mask] = v, where v is an array with as many elements as the mask has True, or with one."""
    return _store_masked(rank, "v[k if one < 0 else one]", "    k = 0\n    one = 0 if v.shape[0] == 1 else -1\n"
                         "    if v.shape[0] != np.count_nonzero(mask) and one < 0:\n        raise ValueError('NumPy boolean array "
                         "indexing assignment cannot assign the input values to the output values')\n", "k += 1")


def _store_masked(rank, value, before, after):
    at = ", ".join("pqrstuw"[:rank])
    text = "def store_masked(a, mask, v):\n"
    for d in range(rank):
        text += (f"    if mask.shape[{d}] != a.shape[{d}]:\n        raise IndexError('boolean index did not match indexed array along "
                 f"axis {d}')\n")
    text += before + "".join(f"{'    ' * (d + 1)}for {'pqrstuw'[d]} in range(a.shape[{d}]):\n" for d in range(rank))
    pad = "    " * (rank + 1)
    text += f"{pad}if mask[{at}]:\n{pad}    a[{at}] = {value}\n" + (f"{pad}    {after}\n" if after else "")
    return _make("store_masked", text)


def gather(count, ranks):
    return _gather(count, tuple(ranks))


def scatter(count, ranks, value_rank):
    return _scatter(count, tuple(ranks), value_rank)


def _extents_text(names, ranks, rank, error):
    """Statements that compute the extents n0, n1, ... of the broadcast shape."""
    text = "".join(f"    n{d} = 1\n" for d in range(rank))
    for v, r in zip(names, ranks):
        for k in range(r):
            d = rank - r + k
            text += (f"    if {v}.shape[{k}] != 1:\n        if n{d} != 1 and n{d} != {v}.shape[{k}]:\n            raise {error}\n"
                     f"        n{d} = {v}.shape[{k}]\n")
    return text


def _index_text(count, ranks, value_rank=0):
    """(names of the index arrays, statements that compute their common shape, a test whether all of them, and the value, have that shape, their
    subscripts if they have it, their subscripts if they broadcast)"""
    rank = max(ranks)
    names = [f"i{k}" for k in range(count)]
    text = _extents_text(names, ranks, rank, "IndexError('shape mismatch: indexing arrays could not be broadcast together')")
    arrays = [(v, r) for v, r in zip([*names, "v"], [*ranks, value_rank]) if r]
    same = " and ".join(f"{v}.shape[{k}] == n{rank - r + k}" for v, r in arrays for k in range(r)) if all(r == rank for _, r in arrays) else ""

    def at(v, r, spread):
        if not r:
            return v
        places = "pqrs"[rank - r:rank]
        return f"{v}[{', '.join(f'{p} if {v}.shape[{k}] != 1 else 0' if spread else p for k, p in enumerate(places))}]"

    return names, text, same, [", ".join(at(v, r, spread) for v, r in zip(names, ranks)) for spread in (False, True)], [at("v", value_rank, s) for s in (False, True)]


def _loops_text(rank, same, statements):
    """The loop nest with the first of `statements` if all shapes are equal, else with the second."""
    def nest(depth, statement):
        loops = "".join(f"{'    ' * (k + depth)}for {'pqrs'[k]} in range(n{k}):\n" for k in range(rank))
        return f"{loops}{'    ' * (rank + depth)}{statement}\n"
    return f"    if {same}:\n{nest(2, statements[0])}    else:\n{nest(2, statements[1])}" if same else nest(1, statements[1])


@_cached
def _gather(count, ranks):
    rank = max(ranks)
    names, text, same, index, _ = _index_text(count, ranks)
    text = f"def gather(a, {', '.join(names)}):\n{text}    out = np.empty(({', '.join(f'n{d}' for d in range(rank))},), a.dtype)\n"
    return _make("gather", text + _loops_text(rank, same, [f"out[{', '.join('pqrs'[:rank])}] = a[{i}]" for i in index]) + "    return out\n")


@_cached
def _scatter(count, ranks, value_rank):
    rank = max(ranks)
    error = "ValueError('shape mismatch: value array could not be broadcast to indexing result')"
    fits = value_rank <= rank
    names, text, same, index, values = _index_text(count, ranks, value_rank if fits else 0)
    text = f"def scatter(a, {', '.join(names)}, v):\n{text}"
    if not fits:
        return _make("scatter", text + f"    raise {error}\n")
    for k in range(value_rank):
        text += f"    if v.shape[{k}] != n{rank - value_rank + k} and v.shape[{k}] != 1:\n        raise {error}\n"
    return _make("scatter", text + _loops_text(rank, same, [f"a[{i}] = {v}" for i, v in zip(index, values)]))


def _stacked(ra, rb):
    """The product of stacks of matrices with ranks ra and rb; the stacks broadcast."""
    rank = max(ra, rb)
    outer = rank - 2
    variables = "ijkl"[:outer]

    def extent(name, r, k):
        return f"{name}.shape[{k - (rank - r)}]" if k >= rank - r else "1"

    lines = [f"def stacked_matmul_{ra}_{rb}(a, b):"]
    for k in range(outer):
        ea, eb = extent("a", ra, k), extent("b", rb, k)
        lines += [f"    n{k} = {eb} if {ea} == 1 else {ea}", f"    if {eb} != n{k} and {eb} != 1:",
                  "        raise ValueError('matmul: the stacks of matrices do not broadcast')"]
    shape = ", ".join(f"n{k}" for k in range(outer))
    lines.append(f"    out = np.empty(({shape}, a.shape[{ra - 2}], b.shape[{rb - 1}]), np.result_type(a.dtype, b.dtype))")
    lines += [f"{'    ' * (k + 1)}for {variables[k]} in range(n{k}):" for k in range(outer)]
    pad = "    " * (outer + 1)
    items = []
    for name, r in (("a", ra), ("b", rb)):
        inside = [k for k in range(outer) if k >= rank - r]
        lines += [f"{pad}{name}{k} = {variables[k]} if {extent(name, r, k)} > 1 else 0" for k in inside]
        items.append(f"{name}[{', '.join(f'{name}{k}' for k in inside)}]" if inside else name)
    lines += [f"{pad}out[{', '.join(variables)}] = {items[0]} @ {items[1]}", "    return out"]
    return _make(f"stacked_matmul_{ra}_{rb}", "\n".join(lines) + "\n")


stacked_matmul = {(a, b): _stacked(a, b) for a in (2, 3, 4) for b in (2, 3, 4) if max(a, b) > 2}


def _mgrid_1(a0, b0):
    return np.arange(a0, b0)


def _mgrid_2(a0, b0, a1, b1):
    n0 = max(b0 - a0, 0)
    n1 = max(b1 - a1, 0)
    x = np.empty((n0, n1), np.int64)
    y = np.empty((n0, n1), np.int64)
    for i in range(n0):
        for j in range(n1):
            x[i, j] = a0 + i
            y[i, j] = a1 + j
    return x, y


def _mgrid_3(a0, b0, a1, b1, a2, b2):
    n0 = max(b0 - a0, 0)
    n1 = max(b1 - a1, 0)
    n2 = max(b2 - a2, 0)
    x = np.empty((n0, n1, n2), np.int64)
    y = np.empty((n0, n1, n2), np.int64)
    z = np.empty((n0, n1, n2), np.int64)
    for i in range(n0):
        for j in range(n1):
            for k in range(n2):
                x[i, j, k] = a0 + i
                y[i, j, k] = a1 + j
                z[i, j, k] = a2 + k
    return x, y, z


mgrid = {1: _mgrid_1, 2: _mgrid_2, 3: _mgrid_3}


def arange_float(start, stop, step):
    if step == 0.0:
        raise ZeroDivisionError("division by zero")
    n = max(int(np.ceil((stop - start) / step)), 0)
    delta = (start + step) - start
    out = np.empty(n)
    for i in range(n):
        out[i] = start + i * delta
    if n > 1:
        out[1] = start + step
    return out


def linspace(start, stop, num):
    if num < 0:
        raise ValueError("Number of samples must be non-negative")
    out = np.empty(num)
    div = num - 1
    if div > 0:
        step = np.divide(stop - start, div)
        for i in range(num):
            out[i] = i * step + start if step != 0.0 else i / div * (stop - start) + start
        out[num - 1] = stop
    elif num == 1:
        out[0] = 0.0 * (stop - start) + start
    return out


def linspace_open(start, stop, num):
    if num < 0:
        raise ValueError("Number of samples must be non-negative")
    out = np.empty(num)
    if num > 0:
        step = np.divide(stop - start, num)
        for i in range(num):
            out[i] = i * step + start if step != 0.0 else i / num * (stop - start) + start
    return out


def roll(a, shift):
    n = a.shape[0]
    out = np.empty_like(a)
    if n == 0:
        return out
    k = shift % n
    out[k:] = a[:n - k]
    out[:k] = a[n - k:]
    return out


def repeat(a, count):
    if count < 0:
        raise ValueError("repeats may not contain negative values.")
    out = np.empty((a.shape[0] * count, *a.shape[1:]), a.dtype)
    for i in range(a.shape[0]):
        for j in range(count):
            out[i * count + j] = a[i]
    return out


def diagonal(a, k):
    row = max(-k, 0)
    col = max(k, 0)
    n = max(min(a.shape[0] - row, a.shape[1] - col), 0)
    out = np.empty(n, a.dtype)
    for i in range(n):
        out[i] = a[row + i, col + i]
    return out


def diagonal_matrix(v, k):
    n = v.shape[0] + abs(k)
    out = np.zeros((n, n), v.dtype)
    row = max(-k, 0)
    col = max(k, 0)
    for i in range(v.shape[0]):
        out[row + i, col + i] = v[i]
    return out


@_cached
def fill_diagonal(rank, value_rank):
    """a[i, i, ...] = value. The elements of an array value are repeated as often as needed."""
    text = "def fill_diagonal(a, value):\n"
    if rank > 2:
        same = " or ".join(f"a.shape[{k}] != a.shape[0]" for k in range(1, rank))
        text += f"    if {same}:\n        raise ValueError('All dimensions of input must be of equal length')\n"
    if value_rank:
        text += ("    values = value.ravel()\n    k = 0\n    if values.shape[0] == 0:\n"
                 "        raise ValueError('Cannot copy from a size 0 sequence')\n")
    count = "a.shape[0]" if rank > 2 else "min(a.shape[0], a.shape[1])"
    text += f"    for i in range({count}):\n        a[{', '.join(['i'] * rank)}] = {'values[k]' if value_rank else 'value'}\n"
    if value_rank:
        text += "        k += 1\n        if k == values.shape[0]:\n            k = 0\n"
    return _make("fill_diagonal", text)


@_cached
def triangle(upper, rank):
    """np.triu or np.tril for stacks of matrices."""
    outer = "pqrstuvwxyzlmn"[:rank - 2]
    loops = "".join(f"{'    ' * (d + 1)}for {v} in range(a.shape[{d}]):\n" for d, v in enumerate(outer))
    pad = "    " * (rank - 1)
    inside = f"max(i + k, 0), a.shape[{rank - 1}]" if upper else f"min(i + k + 1, a.shape[{rank - 1}])"
    at = ", ".join((*outer, "i", "j"))
    name = "triu" if upper else "tril"
    return _make(f"{name}_{rank}", f"def {name}_{rank}(a, k):\n    out = np.zeros_like(a)\n{loops}"
                 f"{pad}for i in range(a.shape[{rank - 2}]):\n{pad}    for j in range({inside}):\n"
                 f"{pad}        out[{at}] = a[{at}]\n    return out\n")


def trace(a, k):
    return np.sum(diagonal(a, k))


def cross(a, b):
    if a.shape[0] != 3 or b.shape[0] != 3:
        raise ValueError("incompatible dimensions for cross product (dimension must be 3)")
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def matrix_power(a, n):
    """A power of an integer matrix, as repeated products."""
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if n < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    result = np.eye(a.shape[0]).astype(a.dtype)
    square = a.copy()
    while n > 0:
        if n % 2 == 1:
            result = result @ square
        n //= 2
        if n > 0:
            square = square @ square
    return result


def matrix_power_of_truths(a, n):
    result = np.eye(a.shape[0], dtype=np.int64)
    square = a.astype(np.int64)
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if n < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    while n > 0:
        if n % 2 == 1:
            result = (result @ square > 0).astype(np.int64)
        n //= 2
        if n > 0:
            square = (square @ square > 0).astype(np.int64)
    return result > 0


def multi_dot(a, b, c):
    left = a.shape[0] * b.shape[1] * (a.shape[1] + c.shape[1])
    right = a.shape[1] * c.shape[1] * (a.shape[0] + b.shape[1])
    if left < right:
        return (a @ b) @ c
    return a @ (b @ c)


def _before(a, b):
    """NumPy's order: NaN is greater than all numbers."""
    return a < b or (b != b and a == a)


def searchsorted_left(a, v):
    low = 0
    high = a.shape[0]
    while low < high:
        middle = (low + high) // 2
        if _before(a[middle], v):
            low = middle + 1
        else:
            high = middle
    return low


def searchsorted_right(a, v):
    low = 0
    high = a.shape[0]
    while low < high:
        middle = (low + high) // 2
        if _before(v, a[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def _bin_count(x, least):
    size = np.int64(least)
    for i in range(x.shape[0]):
        if x[i] < 0:
            raise ValueError("'list' argument must have no negative elements")
        size = max(size, np.int64(x[i]) + 1)
    return size


def bincount(x, least):
    out = np.zeros(_bin_count(x, least), np.int64)
    for i in range(x.shape[0]):
        out[x[i]] += 1
    return out


def bincount_weights(x, weights, least):
    if weights.shape[0] != x.shape[0]:
        raise ValueError("The weights and list don't have the same length.")
    out = np.zeros(_bin_count(x, least), np.float64)
    for i in range(x.shape[0]):
        out[x[i]] += weights[i]
    return out


def _ends_of(a):
    ends = np.empty(2, a.dtype)
    ends[0] = np.min(a)
    ends[1] = np.max(a)
    if not (np.isfinite(ends[0]) and np.isfinite(ends[1])):
        raise ValueError("autodetected range is not finite")
    return ends


def _ends_between(low, high):
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ValueError("supplied range is not finite")
    ends = np.empty(2, np.result_type(low, high))
    ends[0] = low
    ends[1] = high
    return ends


def _distinct_ends(ends, bins):
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if ends[0] == ends[1]:
        ends[0] -= 0.5
        ends[1] += 0.5
    return ends


def edges_of(a, bins):
    """Edges of bins of equal width from the least to the greatest element, in a's element type."""
    if a.shape[0] == 0:
        return edges_between(0.0, 1.0, bins).astype(a.dtype)
    return _even_edges(_ends_of(a), bins)


def edges_between(low, high, bins):
    return _even_edges(_ends_between(low, high), bins)


def _even_edges(given, bins):
    ends = _distinct_ends(given, bins)
    edges = np.empty(bins + 1, ends.dtype)
    step = (ends[1] - ends[0]) / bins
    for k in range(bins):
        edges[k] = k * step + ends[0]
    edges[bins] = ends[1]
    return edges


def rising_edges(edges):
    for k in range(edges.shape[0] - 1):
        if edges[k] >= edges[k + 1]:
            raise ValueError("Too many bins for data range. Cannot create finite-sized bins.")
    return edges


def _bin(x, edges, bins):
    low = edges[0]
    high = edges[bins]
    k = int((x - low) / (high - low) * bins)
    if k == bins:
        k = bins - 1
    if x < edges[k]:
        k -= 1
    elif x >= edges[k + 1] and k != bins - 1:
        k += 1
    return k


def histogram(a, edges):
    """Counts the elements of `a` in bins of equal width."""
    bins = edges.shape[0] - 1
    out = np.zeros(bins, np.int64)
    for i in range(a.shape[0]):
        if a[i] >= edges[0] and a[i] <= edges[bins]:
            out[_bin(a[i], edges, bins)] += 1
    return out


def histogram_weights(a, edges, weights):
    if weights.shape[0] != a.shape[0]:
        raise ValueError("weights should have the same shape as a.")
    bins = edges.shape[0] - 1
    out = np.zeros(bins, weights.dtype)
    for i in range(a.shape[0]):
        if a[i] >= edges[0] and a[i] <= edges[bins]:
            out[_bin(a[i], edges, bins)] += weights[i]
    return out


def _given_bin(x, edges, bins):
    """The bin's index; the last bin includes both of its edges."""
    low = 0
    high = bins
    while high - low > 1:
        k = (low + high) // 2
        if x >= edges[k]:
            low = k
        else:
            high = k
    return low


def _check_given(edges):
    for k in range(edges.shape[0] - 1):
        if edges[k] > edges[k + 1]:
            raise ValueError("`bins` must increase monotonically, when an array")
    return edges.shape[0] - 1


def histogram_given(a, edges):
    bins = _check_given(edges)
    out = np.zeros(max(bins, 0), np.int64)
    if bins > 0:
        for i in range(a.shape[0]):
            if a[i] >= edges[0] and a[i] <= edges[bins]:
                out[_given_bin(a[i], edges, bins)] += 1
    return out


def histogram_given_weights(a, edges, weights):
    if weights.shape[0] != a.shape[0]:
        raise ValueError("weights should have the same shape as a.")
    bins = _check_given(edges)
    out = np.zeros(max(bins, 0), weights.dtype)
    for i in range(a.shape[0]):
        if bins > 0 and a[i] >= edges[0] and a[i] <= edges[bins]:
            out[_given_bin(a[i], edges, bins)] += weights[i]
    return out


def histogram_density(counts, edges):
    return counts / (edges[1:] - edges[:-1]).astype(np.float64) / counts.sum()


def python_sum(x):
    total = x[:1].sum()
    for i in range(1, x.shape[0]):
        total = total + x[i]
    return total


def gcd(a, b):
    a = abs(a)
    b = abs(b)
    while b > 0:
        a, b = b, a % b
    return a


def isqrt(n):
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    r = int(np.sqrt(n))
    while r * r > n:
        r -= 1
    while (r + 1) * (r + 1) <= n:
        r += 1
    return r


def range_length(start, stop, step):
    if step > 0:
        return max(0, (stop - start + step - 1) // step)
    return max(0, (start - stop - step - 1) // -step)
