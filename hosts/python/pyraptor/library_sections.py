"""Counts and sums per bin in accelerated sections: parallel loops, which become kernels. Outside of sections, the versions in library.py are faster.

The order in which floats are added depends only on the number of elements and on their bins: the elements of a bin are summed in parts of PART
elements, from the first to the last.
"""
import numpy as np

from .library import _bin, _distinct_ends, _ends_between, _ends_of, _given_bin
from .parallel import prange

PART = 256


def _bin_count(x, least):
    size = np.int64(least)
    if x.shape[0] > 0:
        if np.min(x) < 0:
            raise ValueError("'list' argument must have no negative elements")
        size = max(size, np.int64(np.max(x)) + 1)
    return size


def bincount(x, least):
    out = np.zeros(_bin_count(x, least), np.int64)
    for i in prange(x.shape[0]):
        out[x[i]] += 1
    return out


def bincount_weights(x, weights, least):
    if weights.shape[0] != x.shape[0]:
        raise ValueError("The weights and list don't have the same length.")
    size = _bin_count(x, least)
    return _sums(x.astype(np.int64), weights, size)


def _sums(bins, weights, size):
    """The sum of the weights of each bin. Bins with numbers from `size` on are ignored."""
    out = np.zeros(size, np.float64)
    if size > 0 and bins.shape[0] > 0:
        order = np.argsort(bins)
        counts = np.zeros(size, np.int64)
        for i in prange(bins.shape[0]):
            if bins[i] < size:
                counts[bins[i]] += 1
        ends = np.cumsum(counts)
        parts = (counts + (PART - 1)) // PART
        part_ends = np.cumsum(parts)
        total = part_ends[size - 1]
        bin_of = np.zeros(total, np.int64)
        for b in prange(size):
            if parts[b] > 0:
                bin_of[part_ends[b] - parts[b]] = b
        bin_of = np.maximum.accumulate(bin_of)
        partial = np.empty(total, np.float64)
        for p in prange(total):
            b = bin_of[p]
            first = ends[b] - counts[b] + (p - (part_ends[b] - parts[b])) * PART
            s = 0.0
            for k in range(first, min(first + PART, ends[b])):
                s += weights[order[k]]
            partial[p] = s
        for b in prange(size):
            s = 0.0
            for p in range(part_ends[b] - parts[b], part_ends[b]):
                s += partial[p]
            out[b] = s
    return out


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
    low = ends[0]
    high = ends[1]
    step = (high - low) / bins
    for k in prange(bins + 1):
        edges[k] = high if k == bins else k * step + low
    return edges


def rising_edges(edges):
    for k in prange(edges.shape[0] - 1):
        if edges[k] >= edges[k + 1]:
            raise ValueError("Too many bins for data range. Cannot create finite-sized bins.")
    return edges


def histogram(a, edges):
    """Counts the elements of `a` in bins of equal width."""
    bins = edges.shape[0] - 1
    out = np.zeros(bins, np.int64)
    for i in prange(a.shape[0]):
        if a[i] >= edges[0] and a[i] <= edges[bins]:
            out[_bin(a[i], edges, bins)] += 1
    return out


def histogram_weights(a, edges, weights):
    if weights.shape[0] != a.shape[0]:
        raise ValueError("weights should have the same shape as a.")
    bins = edges.shape[0] - 1
    where = np.empty(a.shape[0], np.int64)
    for i in prange(a.shape[0]):
        k = bins
        if a[i] >= edges[0] and a[i] <= edges[bins]:
            k = _bin(a[i], edges, bins)
        where[i] = k
    return _sums(where, weights, bins)


def _check_given(edges):
    for k in prange(edges.shape[0] - 1):
        if edges[k] > edges[k + 1]:
            raise ValueError("`bins` must increase monotonically, when an array")
    return edges.shape[0] - 1


def histogram_given(a, edges):
    bins = _check_given(edges)
    out = np.zeros(max(bins, 0), np.int64)
    if bins > 0:
        for i in prange(a.shape[0]):
            if a[i] >= edges[0] and a[i] <= edges[bins]:
                out[_given_bin(a[i], edges, bins)] += 1
    return out


def histogram_given_weights(a, edges, weights):
    if weights.shape[0] != a.shape[0]:
        raise ValueError("weights should have the same shape as a.")
    bins = _check_given(edges)
    where = np.empty(a.shape[0], np.int64)
    for i in prange(a.shape[0]):
        k = bins
        if bins > 0 and a[i] >= edges[0] and a[i] <= edges[bins]:
            k = _given_bin(a[i], edges, bins)
        where[i] = k
    return _sums(where, weights, max(bins, 0))
