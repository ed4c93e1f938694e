"""Parallel loops and accelerated sections. In plain Python, loops run serially and sections run as ordinary statements.

    for i, j in PAR(Domain(m, n), shared=[a, b]): ...     iterations in any order, possibly concurrently
    for i in prange(n): ...                               the same over a range; `s += x` sums over all iterations
    gpu_begin() ... gpu_end()                             parallel loops between the two run on the OpenCL device
    with gpu(): ...                                       the same
"""
from __future__ import annotations

import contextlib
import itertools

__all__ = ["Domain", "PAR", "prange", "gpu", "gpu_begin", "gpu_end"]


class Domain:
    """A rectangle of integer points. Each argument is an extent or a range. The last coordinate changes fastest.

    >>> list(Domain(2, range(1, 3)))
    [(0, 1), (0, 2), (1, 1), (1, 2)]
    """

    def __init__(self, *ranges):
        if not ranges:
            raise TypeError("a Domain has at least one dimension")
        self.ranges = tuple(r if isinstance(r, range) else range(r) for r in ranges)

    def __iter__(self):
        if len(self.ranges) == 1:
            return iter(self.ranges[0])
        return itertools.product(*self.ranges)

    def __len__(self):
        n = 1
        for r in self.ranges:
            n *= len(r)
        return n

    def __repr__(self):
        return f"Domain({', '.join(map(repr, self.ranges))})"


def PAR(domain, shared=None):
    """The points of a Domain (or a range, or an extent) for a parallel loop. `shared`: the variables that all iterations share, which are arrays to
    whose elements they store, and numbers that they read. By default the compiler determines them."""
    return range(domain) if isinstance(domain, int) else domain


def prange(*args):
    """range(start, stop, step) for a parallel loop."""
    return range(*args)


def gpu_begin():
    """From here to gpu_end(), in the same block, parallel loops run on the OpenCL device."""


def gpu_end():
    """Ends the section that gpu_begin() starts."""


def gpu():
    """`with gpu():` is equivalent to gpu_begin() ... gpu_end()."""
    return contextlib.nullcontext()
