"""heapq, bisect and the index lists of itertools as Python loops, with the same algorithms as in CPython (see library.py)."""
from __future__ import annotations

from .library import _cached, _make


def _sift_down(heap, start, at):
    item = heap[at]
    while at > start:
        parent_at = (at - 1) // 2
        parent = heap[parent_at]
        if item < parent:
            heap[at] = parent
            at = parent_at
        else:
            break
    heap[at] = item


def sift_up(heap, at):
    end = heap.shape[0]
    start = at
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _sift_down(heap, start, at)


def pushed(heap):
    """Sifts the last item up to its position."""
    _sift_down(heap, 0, heap.shape[0] - 1)


def heapify(heap):
    for k in range(heap.shape[0] // 2 - 1, -1, -1):
        sift_up(heap, k)


def _row(columns, k):
    return tuple([c[k] for c in columns])


def _swap(columns, j, k):
    for c in columns:
        x = c[j]
        c[j] = c[k]
        c[k] = x


def sift_down_tuples(heap, start, at):
    while at > start:
        parent = (at - 1) // 2
        if not _row(heap, at) < _row(heap, parent):
            break
        _swap(heap, at, parent)
        at = parent


def sift_up_tuples(heap, at):
    end = heap[0].shape[0]
    start = at
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end and not _row(heap, child) < _row(heap, right):
            child = right
        _swap(heap, at, child)
        at = child
        child = 2 * at + 1
    sift_down_tuples(heap, start, at)


def pushed_tuples(heap):
    """Sifts the last item up to its position."""
    sift_down_tuples(heap, 0, heap[0].shape[0] - 1)


def heapify_tuples(heap):
    for k in range(heap[0].shape[0] // 2 - 1, -1, -1):
        sift_up_tuples(heap, k)


def bisect_left(a, x, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    while lo < hi:
        mid = (lo + hi) // 2
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


def bisect_right(a, x, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    while lo < hi:
        mid = (lo + hi) // 2
        if x < a[mid]:
            hi = mid
        else:
            lo = mid + 1
    return lo


@_cached
def chosen(kind, r):
    """The index tuples of itertools' combinations or permutations of r of n items, as the rows of an array with r columns."""
    names = [f"i{k}" for k in range(r)]
    size = {"combinations": "".join(f"    count = count * max(n - {k}, 0) // {k + 1}\n" for k in range(r)),
            "permutations": "".join(f"    count = count * max(n - {k}, 0)\n" for k in range(r)),
            "combinations_with_replacement": "".join(f"    count = count * (n + {k}) // {k + 1}\n" for k in range(r))}[kind]
    text = f"def chosen(n):\n    count = 1\n{size}    out = np.empty((count, {r}), np.int64)\n    at = 0\n"
    pad = "    "
    for k, name in enumerate(names):
        start = "0" if k == 0 or kind == "permutations" else names[k - 1] + (" + 1" if kind == "combinations" else "")
        text += f"{pad}for {name} in range({start}, n):\n"
        pad += "    "
        if kind == "permutations" and k:
            text += f"{pad}if {' and '.join(f'{name} != {other}' for other in names[:k])}:\n"
            pad += "    "
    text += "".join(f"{pad}out[at, {k}] = {name}\n" for k, name in enumerate(names)) + f"{pad}at += 1\n    return out\n"
    return _make("chosen", text)
