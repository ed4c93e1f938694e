"""NumPy functions of pairs of numbers, polynomials and windows, written in Python and compiled like library.py."""
from __future__ import annotations

import numpy as np

from .library import _cached, _make


# ---- functions of two numbers
def fmax(x, y):
    if x >= y or y != y:
        return x
    return y


def fmin(x, y):
    if x <= y or y != y:
        return x
    return y


def logaddexp(x, y):
    if x == y:
        return x + 0.6931471805599453
    d = x - y
    if d > 0:
        return x + np.log1p(np.exp(-d))
    if d <= 0:
        return y + np.log1p(np.exp(d))
    return d


def heaviside(x, y):
    if x != x:
        return x
    if x == 0:
        return y
    if x < 0:
        return 0.0
    return 1.0


def gcd(x, y):
    a = abs(x)
    b = abs(y)
    while b != 0:
        a, b = b, a % b
    return a


def lcm(x, y):
    a = abs(x)
    b = abs(y)
    g = gcd(a, b)
    return a if g == 0 else a // g * b


@_cached
def pairs(f, rank):
    """A function of two numbers applied elementwise to arrays of `rank` dimensions, with broadcasting."""
    name, index = f"{f.__name__}_{rank}", ", ".join("ijklmn"[:rank])
    loops = "".join(f"{'    ' * (k + 1)}for {'ijklmn'[k]} in range(x.shape[{k}]):\n" for k in range(rank))
    return _make(name, f"def {name}(a, b):\n    x = np.where(True, a, b)\n    y = np.where(False, a, b)\n    out = np.empty_like(x)\n{loops}"
                 f"{'    ' * (rank + 1)}out[{index}] = f(x[{index}], y[{index}])\n    return out\n", f=f)


# ---- indices
def tril_indices(n, k, m):
    return np.nonzero(np.tri(n, m, k) > 0.5)


def triu_indices(n, k, m):
    return np.nonzero(np.tri(n, m, k - 1) < 0.5)


@_cached
def take_along(rank, axis):
    """The elements of `a` at positions along an axis; other axes have equal extents or extent 1."""
    names = "ijklmn"[:rank]
    loops = "".join(f"{'    ' * (d + 1)}for {c} in range(out.shape[{d}]):\n" for d, c in enumerate(names))
    checks = "".join(f"    if a.shape[{d}] != indices.shape[{d}] and a.shape[{d}] != 1 and indices.shape[{d}] != 1:\n"
                     "        raise IndexError('shape mismatch: indexing arrays could not be broadcast together')\n" for d in range(rank) if d != axis)
    # For an extent of 1 the subscript is multiplied by 0.
    ones = "".join(f"    a{d} = 0 if a.shape[{d}] == 1 else 1\n    b{d} = 0 if indices.shape[{d}] == 1 else 1\n" for d in range(rank) if d != axis)
    shape = ", ".join(f"indices.shape[{d}]" if d == axis else f"a.shape[{d}] if indices.shape[{d}] == 1 else indices.shape[{d}]" for d in range(rank))
    at = ", ".join(c if d == axis else f"{c} * b{d}" for d, c in enumerate(names))
    source = ", ".join(f"indices[{at}]" if d == axis else f"{c} * a{d}" for d, c in enumerate(names))
    return _make("take_along", f"def take_along(a, indices):\n{checks}{ones}    out = np.empty(({shape},), a.dtype)\n{loops}{'    ' * (rank + 1)}"
                 f"out[{', '.join(names)}] = a[{source}]\n    return out\n")


# ---- windows
def _points(m):
    return np.arange(1.0 - m, m, 2.0)


def hanning(m):
    if m < 1:
        return np.empty(0)
    if m == 1:
        return np.ones(1)
    return 0.5 + 0.5 * np.cos(np.pi * _points(m) / (m - 1))


def hamming(m):
    if m < 1:
        return np.empty(0)
    if m == 1:
        return np.ones(1)
    return 0.54 + 0.46 * np.cos(np.pi * _points(m) / (m - 1))


def blackman(m):
    if m < 1:
        return np.empty(0)
    if m == 1:
        return np.ones(1)
    n = _points(m)
    return 0.42 + 0.5 * np.cos(np.pi * n / (m - 1)) + 0.08 * np.cos(2.0 * np.pi * n / (m - 1))


def bartlett(m):
    if m < 1:
        return np.empty(0)
    if m == 1:
        return np.ones(1)
    n = _points(m)
    return np.where(n <= 0.0, 1 + n / (m - 1), 1 - n / (m - 1))


# ---- polynomials: coefficients from the highest power to the lowest
def polyadd(a, b):
    d = b.shape[0] - a.shape[0]
    if d > 0:
        return np.concatenate((np.zeros(d, a.dtype), a)) + b
    if d < 0:
        return a + np.concatenate((np.zeros(-d, b.dtype), b))
    return a + b


def polysub(a, b):
    d = b.shape[0] - a.shape[0]
    if d > 0:
        return np.concatenate((np.zeros(d, a.dtype), a)) - b
    if d < 0:
        return a - np.concatenate((np.zeros(-d, b.dtype), b))
    return a - b


def _without_leading_zeros(p):
    """The coefficients without leading zeros; one zero if all are zero."""
    first = 0
    while first < p.shape[0] and p[first] == 0:
        first += 1
    return p[first:].copy() if first < p.shape[0] else np.zeros(1, p.dtype)


def polymul(a, b):
    return np.convolve(_without_leading_zeros(a), _without_leading_zeros(b))


# ---- powers of two
def ldexp(x, k):
    """x * 2**k, rounded once, also for subnormal results."""
    i = k
    if i > 1023:
        x = x * 2.0 ** 1023
        i = i - 1023
        if i > 1023:
            x = x * 2.0 ** 1023
            i = min(i - 1023, 1023)
    elif i < -1022:
        x = x * 2.0 ** -969
        i = i + 969
        if i < -1022:
            x = x * 2.0 ** -969
            i = max(i + 969, -1022)
    return x * 2.0 ** i


def math_ldexp(x, k):
    y = ldexp(x, k)
    if np.isinf(y) and not np.isinf(x):
        raise OverflowError("math range error")
    return y


# ---- sums of products
@_cached
def einsum(inputs, output):
    """The loops of np.einsum: over the letters of `output`, and inside of them over the other letters. `zero` has the sum's type."""
    letters = sorted(set("".join(inputs)))
    names = [f"a{k}" for k in range(len(inputs))]
    head, seen = "", {}
    for name, subscripts in zip(names, inputs):
        for d, c in enumerate(subscripts):
            if c not in seen:
                seen[c] = f"{name}.shape[{d}]"
            else:
                head += (f"    if {name}.shape[{d}] != {seen[c]}:\n"
                         f"        raise ValueError('einsum: the arrays have different extents along {c}')\n")
    inner = [c for c in letters if c not in output]
    loops = lambda cs, depth: "".join(f"{'    ' * (depth + k)}for _{c} in range({seen[c]}):\n" for k, c in enumerate(cs))
    product = " * ".join(f"{name}[{', '.join('_' + c for c in subscripts)}]" for name, subscripts in zip(names, inputs))
    depth = 1 + len(output)
    body = f"{'    ' * depth}s = zero\n{loops(inner, depth)}{'    ' * (depth + len(inner))}s = s + {product}\n"
    if not output:
        return _make("einsum", f"def einsum(zero, {', '.join(names)}):\n{head}{body}    return s\n")
    return _make("einsum", f"def einsum(zero, {', '.join(names)}):\n{head}    out = np.empty(({', '.join(seen[c] for c in output)},), zero.dtype)\n"
                 f"{loops(output, 1)}{body}{'    ' * depth}out[{', '.join('_' + c for c in output)}] = s\n    return out\n")


def bit_length(x):
    if x < -9223372036854775807:
        return 64
    x, count = abs(x), 0
    while x > 0:
        count += 1
        x >>= 1
    return count


def place(a, mask, values):
    """np.place for a vector: selected elements get the values one after the other."""
    count = 0
    if values.shape[0] == 0 and mask.any():
        raise ValueError("Cannot insert from an empty array!")
    for k in range(a.shape[0]):
        if mask[k]:
            a[k] = values[count % values.shape[0]]
            count += 1


def putmask(a, mask, values):
    """np.putmask for a vector: element i, if selected, gets value i (modulo the number of values)."""
    if a.shape[0] != mask.shape[0]:
        raise ValueError("putmask: mask and data must be the same size")
    if values.shape[0] > 0:
        for k in range(a.shape[0]):
            if mask[k]:
                a[k] = values[k % values.shape[0]]


def put(a, index, values):
    if values.shape[0] > 0:
        for k in range(index.shape[0]):
            a[index[k]] = values[k % values.shape[0]]


def slice_indices(start, stop, step, length):
    """slice(start, stop, step).indices(length) for a positive step."""
    if length < 0:
        raise ValueError("length should not be negative")
    first = max(start + length, 0) if start < 0 else min(start, length)
    last = max(stop + length, 0) if stop < 0 else min(stop, length)
    return first, last, step


def slice_indices_back(start, stop, step, length):
    """The same for a negative step."""
    if length < 0:
        raise ValueError("length should not be negative")
    first = max(start + length, -1) if start < 0 else min(start, length - 1)
    last = max(stop + length, -1) if stop < 0 else min(stop, length - 1)
    return first, last, step


def slice_indices_any(start, stop, step, length):
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        return slice_indices_back(start, stop, step, length)
    return slice_indices(start, stop, step, length)
