"""Operations on lists that need loops. They are Python functions on arrays, compiled with the program that uses them (see library.py)."""
from __future__ import annotations

import sys

import numpy as np


def close_gap(a, at, count):
    for k in range(at, count - 1):
        a[k] = a[k + 1]


def open_gap(a, at, count):
    for k in range(count, at, -1):
        a[k] = a[k - 1]


def insert_place(index, count):
    at = index
    if at < 0:
        at += count
        if at < 0:
            at = 0
    if at > count:
        at = count
    return at


def slice_bounds(low, high, count):
    """The bounds of a slice of a list."""
    if low < 0:
        low += count
    if high < 0:
        high += count
    low = min(max(low, 0), count)
    high = min(max(high, low), count)
    return low, high


def shift(a, start, count, change):
    """Moves a[start:count] by `change` positions."""
    if change > 0:
        for k in range(count - 1, start - 1, -1):
            a[k + change] = a[k]
    if change < 0:
        for k in range(start, count):
            a[k + change] = a[k]


def reverse(a):
    last = a.shape[0] - 1
    for k in range(a.shape[0] // 2):
        first = a[k]
        a[k] = a[last - k]
        a[last - k] = first


def list_index(a, x, start, stop):
    count = a.shape[0]
    if start < 0:
        start = max(start + count, 0)
    if stop < 0:
        stop += count
    for k in range(start, min(stop, count)):
        if a[k] == x:
            return k
    return -1


def list_count(a, x):
    found = 0
    for k in range(a.shape[0]):
        if a[k] == x:
            found += 1
    return found


def list_equal(a, b):
    if a.shape[0] != b.shape[0]:
        return False
    for k in range(a.shape[0]):
        if not a[k] == b[k]:
            return False
    return True


def list_less(a, b):
    for k in range(min(a.shape[0], b.shape[0])):
        if not a[k] == b[k]:
            return bool(a[k] < b[k])
    return a.shape[0] < b.shape[0]


def list_less_equal(a, b):
    for k in range(min(a.shape[0], b.shape[0])):
        if not a[k] == b[k]:
            return bool(a[k] <= b[k])
    return a.shape[0] <= b.shape[0]


def repeat(a, count):
    if a.shape[0] > 0 and count > (1 << 60) // a.shape[0]:
        raise MemoryError()
    n = a.shape[0]
    out = np.empty(n * count, a.dtype)
    if n == 1:
        out[:] = a[0]
    else:
        for k in range(count if n > 0 else 0):
            for j in range(n):
                out[k * n + j] = a[j]
    return out


def least(a):
    best = a[0]
    for k in range(1, a.shape[0]):
        if a[k] < best:
            best = a[k]
    return best


def greatest(a):
    best = a[0]
    for k in range(1, a.shape[0]):
        if a[k] > best:
            best = a[k]
    return best


def least_at(a):
    best = 0
    for k in range(1, a.shape[0]):
        if a[k] < a[best]:
            best = k
    return best


def greatest_at(a):
    best = 0
    for k in range(1, a.shape[0]):
        if a[k] > a[best]:
            best = k
    return best


def rearrange(a, order):
    old = a.copy()
    for k in range(a.shape[0]):
        a[k] = old[order[k]]


def rearrange_turned(a, order):
    """The same for keys in reverse order: `order` was computed from them."""
    old = a.copy()
    last = a.shape[0] - 1
    for k in range(a.shape[0]):
        a[last - k] = old[last - order[k]]


def total(a, start):
    s = start
    for k in range(a.shape[0]):
        s += a[k]
    return s


def compensated_total(a, start):
    """Compensated summation, as in Python's sum() of floats since 3.12."""
    s = start
    lost = 0.0
    for k in range(a.shape[0]):
        x = a[k]
        t = s + x
        if abs(s) >= abs(x):
            lost += (s - t) + x
        else:
            lost += (x - t) + s
        s = t
    if lost != 0.0 and np.isfinite(lost):
        s = s + lost
    return s


#: The algorithm of sum() for floats in the running version of Python.
float_total = compensated_total if sys.version_info >= (3, 12) else total


def set_place(a, x):
    """(position at which x is or would be inserted in the ascending array, whether x is there)"""
    low = 0
    high = a.shape[0]
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    there = False
    if low < a.shape[0]:
        there = bool(a[low] == x)
    return low, there


def set_union(a, b):
    return np.unique(np.concatenate((a, b)))


def set_intersection(a, b):
    out = np.empty_like(a)
    count = 0
    for k in range(a.shape[0]):
        if set_place(b, a[k])[1]:
            out[count] = a[k]
            count += 1
    return out[:count].copy()


def set_difference(a, b):
    out = np.empty_like(a)
    count = 0
    for k in range(a.shape[0]):
        if not set_place(b, a[k])[1]:
            out[count] = a[k]
            count += 1
    return out[:count].copy()


def set_symmetric(a, b):
    return np.unique(np.concatenate((set_difference(a, b), set_difference(b, a))))


def set_within(a, b):
    for k in range(a.shape[0]):
        if not set_place(b, a[k])[1]:
            return False
    return True


def set_inside(a, b):
    return a.shape[0] < b.shape[0] and set_within(a, b)


def dict_place(keys, index, count, x):
    """The same for positions of keys, where the keys are ascending."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        if keys[index[middle]] < x:
            low = middle + 1
        else:
            high = middle
    there = False
    if low < count:
        there = bool(keys[index[low]] == x)
    return low, there


def least_of_tuples(columns):
    best = 0
    for k in range(1, columns[0].shape[0]):
        if tuple([c[k] for c in columns]) < tuple([c[best] for c in columns]):
            best = k
    return best


def greatest_of_tuples(columns):
    best = 0
    for k in range(1, columns[0].shape[0]):
        if tuple([c[k] for c in columns]) > tuple([c[best] for c in columns]):
            best = k
    return best


def set_place_of_tuples(columns, x):
    """set_place for tuples, stored as rows of several arrays."""
    low = 0
    high = columns[0].shape[0]
    while low < high:
        middle = (low + high) // 2
        if tuple([c[middle] for c in columns]) < x:
            low = middle + 1
        else:
            high = middle
    there = False
    if low < columns[0].shape[0]:
        there = tuple([c[low] for c in columns]) == x
    return low, there


def dict_place_of_tuples(columns, index, count, x):
    """dict_place for tuples, stored as rows of several arrays."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        at = index[middle]
        if tuple([c[at] for c in columns]) < x:
            low = middle + 1
        else:
            high = middle
    there = False
    if low < count:
        at = index[low]
        there = tuple([c[at] for c in columns]) == x
    return low, there


def count_down(index, count, position):
    """Decrements all positions that are greater than the removed one."""
    for k in range(count - 1):
        if index[k] > position:
            index[k] -= 1
