"""itertools, heapq and bisect; np.ndindex and np.ndenumerate, which are similar."""
from __future__ import annotations

import ast
import bisect
import heapq
import itertools

import numpy as np

from . import _list_methods as lists
from . import _nodes as n
from . import library_heaps
from ._errors import UnsupportedError
from ._numpy import function
from ._types import INT, Group, Scalar, is_known_int, join_items, leaves
from ._value import Val, group, number

_BOOL = Scalar("bool")
#: Maximum number of items of iterators that are expanded at compile time.
MOST_ITEMS = 64


def iterator(val):
    return group("iterator", [val])


def static_items(t, node, x):
    """The items, if they are known at compile time; else None."""
    x = t.turned(x, node)
    if x.is_group("tuple", "list"):
        return x.items
    if x.is_group("range") and all(p.is_const for p in x.items):
        made = range(*(p.const for p in x.items))
        return [number(k) for k in made] if len(made) <= MOST_ITEMS else None
    return None


def as_list(t, node, x):
    """A List of the items, stored in variables."""
    return t.listed(t.list_from(x, node), node)


# ---- iterators over several iterables
def product(t, node, iterables):
    """itertools.product: all tuples of items. Loops know how to iterate over it (Loops.item)."""
    known = [static_items(t, node, x) for x in iterables]
    if None not in known and np.prod([len(k) for k in known]) <= MOST_ITEMS:
        return iterator(group("list", [group("tuple", items) for items in itertools.product(*known)]))
    made = [t.turned(x, node) for x in iterables]
    return group("product", [m if m.is_group("range") or m.is_array else as_list(t, node, m) for m in made])


@function(itertools.product)
def product_(t, node, *iterables, repeat=None):
    times = 1 if repeat is None else t.static_int(repeat, node, "repeat")
    return product(t, node, list(iterables) * max(times, 0))


@function(np.ndindex)
def ndindex(t, node, *shape):
    if len(shape) == 1 and shape[0].is_group("tuple", "list"):
        shape = shape[0].items
    for s in shape:
        t.whole(s, node)
    return product(t, node, [group("range", [number(0), Val(INT, t.whole(s, node), const=s.const, low=s.low), number(1)]) for s in shape])


@function(np.ndenumerate)
def ndenumerate(t, node, arr):
    a = t.keep(t.array_of(arr, node) if arr.is_group("list", "tuple") else arr, node)
    if not a.is_array:
        t.refuse(node, f"np.ndenumerate of {a.type!r} is not compiled")
    ranges = [group("range", [number(0), t.extent_value(a, k, node), number(1)]) for k in range(a.type.rank)]
    return group("zip", [group("product", ranges), t.call(np.ravel, [a], {}, node)])


@function(itertools.chain)
def chain(t, node, *iterables):
    parts = [t.list_from(x, node) for x in iterables]
    if all(p.is_group("list") for p in parts):
        return iterator(group("list", [i for p in parts for i in p.items]))
    whole = parts[0]
    for p in parts[1:]:
        whole = t.joined_lists(whole, p, node)
    return iterator(whole)


@function(itertools.repeat)
def repeat(t, node, object, times=None):
    if times is None:
        t.refuse(node, "itertools.repeat without a count does not end", "give a count")
    return iterator(t.operate(ast.Mult(), group("list", [object]), times, node))


class Endless(Group):
    """The type of itertools.count(...): a range of more items than a loop can reach."""

    __slots__ = ()

    def __init__(self, items):
        super().__init__("range", items)

    def with_items(self, items):
        return Endless(items)


@function(itertools.count)
def count(t, node, start=None, step=None):
    start, step = number(0) if start is None else start, number(1) if step is None else step
    if not (start.is_scalar and is_known_int(start.type) and start.type.weak and step.is_const and type(step.const) is int and step.const):
        t.refuse(node, f"itertools.count of {start.type!r} and {step.type!r} is not compiled", "the start must be an int, and the step an int that is a constant other than 0")
    start = t.once(start, node)
    if not start.is_const:
        beyond = t.compare(ast.Gt(), t.call(abs, [start], {}, node), number(1 << 61), node)
        t.guard(node, beyond.code, UnsupportedError, "itertools.count that begins beyond 2**61 is not compiled")
    many = (1 << 61) // abs(step.const) * step.const
    made = group("range", [start, t.operate(ast.Add(), start, number(many), node), step])
    return iterator(Val(Endless(made.type.items), items=made.items))


def endless(x):
    """The range of itertools.count(...); None for other iterables."""
    x = x.items[0] if x.is_group("iterator") else x
    return x if isinstance(x.type, Endless) else None


def _part_of_count(t, node, x, start, stop, step):
    """islice of itertools.count(...)"""
    if stop.is_none():
        t.refuse(node, "itertools.islice of itertools.count without an end is not compiled", "give an end")
    first, _, by = x.items
    begin, end = (t.operate(ast.Add(), first, t.operate(ast.Mult(), k, by, node), node) for k in (number(0) if start.is_none() else start, stop))
    return iterator(group("range", [begin, end, by if step.is_none() else t.operate(ast.Mult(), by, step, node)]))


@function(itertools.islice)
def islice(t, node, iterable, *bounds):
    if not 1 <= len(bounds) <= 3:
        t.refuse(node, "itertools.islice takes one to three bounds")
    none = t.none()
    start, stop, step = {1: (none, bounds[0], none), 2: (*bounds, none), 3: bounds}[len(bounds)]
    for b in (start, stop, step):
        if not b.is_none():
            b = t.once(Val(INT, t.whole(b, node), const=b.const, low=b.low), node)
            if not (b.low is not None and b.low >= 0):
                t.guard(node, n.binary("lt", _BOOL, b.code, n.ZERO), ValueError,
                        "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if endless(iterable) is not None:
        return _part_of_count(t, node, endless(iterable), start, stop, step)
    items = t.list_from(iterable, node)
    parts = [start, stop, step]
    if items.is_group("list") and all(b.is_const for b in parts):
        return iterator(group("list", items.items[slice(*(b.const for b in parts))]))
    return iterator(t.list_item(t.listed(items, node), group("slice", parts), node))


@function(itertools.starmap)
def starmap(t, node, function, iterable):
    from ._functional import callee
    g = callee(t, node, function)
    known = static_items(t, node, iterable)
    if known is not None:
        return iterator(group("list", [t.call(g, list(i.items), {}, node) for i in known]))
    return iterator(t.comprehension(node, [(None, t.turned(iterable, node), [])], lambda item: t.call(g, list(item.items), {}, node)))


def _selections():
    for f in (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement):
        def handler(t, node, iterable, r=None, f=f):
            known = static_items(t, node, iterable)
            if r is None or r.is_none():
                if f is not itertools.permutations or known is None:
                    t.refuse(node, f"itertools.{f.__name__} of items whose number is not known at compile time", "give the number of items")
                count = len(known)
            else:
                count = t.static_int(r, node, "the number of items taken")
                if count < 0:
                    t.raise_(node, ValueError, "r must be non-negative")
                    count = 0
            if known is not None and len(known) < 8:
                made = list(f(known, count))
                if len(made) <= MOST_ITEMS:
                    return iterator(group("list", [group("tuple", items) for items in made]))
            if not 1 <= count <= 8:
                t.refuse(node, f"itertools.{f.__name__} of {count} items at a time is not compiled")
            items = as_list(t, node, iterable)
            if items.type.kind == "empty":
                return iterator(group("list", []))
            places = t.call_python(library_heaps.chosen(f.__name__, count), [t.length_of(items, node)], {}, node)

            def taken(row):
                row = t.keep(row, node)
                at = [t.keep(Val(INT, t.element(row, [number(k)], node).code, low=0), node) for k in range(count)]
                return group("tuple", [lists.copied(t, t.list_item(items, k, node), node) for k in at])

            return iterator(t.comprehension(node, [(None, places, [])], taken))
        function(f)(handler)


_selections()


# ---- bisect
def _bisections():
    for f, g in ((bisect.bisect_left, library_heaps.bisect_left), (bisect.bisect_right, library_heaps.bisect_right)):
        def place(t, node, a, x, lo=None, hi=None, key=None, g=g):
            if key is not None and not key.is_none():
                t.refuse(node, "bisect with a key is not compiled", "make a list of the keys")
            if a.is_listed:
                a = t.listed(a, node)
                if a.type.kind == "empty":
                    a = group("list", [])
                a = t.array_of(a, node, ("int64", False)) if a.is_group("list") else t.list_array(a, node)
            if not a.is_array or a.type.rank != 1 or not x.is_scalar:
                t.refuse(node, f"bisect of {x.type!r} in {a.type!r} is not compiled", "use a list of numbers or an array of one dimension")
            low = number(0) if lo is None else lo
            high = t.extent_value(t.keep(a, node), 0, node) if hi is None or hi.is_none() else hi
            return t.call_python(g, [a, x, low, high], {}, node)
        function(f)(place)

        def insort(t, node, a, x, lo=None, hi=None, key=None, place=place):
            x = t.once(x, node)
            at = t.copied(place(t, node, a, x, lo, hi, key), node)
            return lists.insert(t, node, a, at, x)
        function({bisect.bisect_left: bisect.insort_left, bisect.bisect_right: bisect.insort_right}[f])(insort)


_bisections()


# ---- heapq
def _heap(t, node, heap):
    """The list, marked as one whose length this function changes."""
    if not heap.is_listed:
        t.refuse(node, f"{heap.type!r} is not a list")
    return t.growing(heap, node)


#: Functions for a heap of numbers -> those for a heap of tuples.
_OF_TUPLES = {library_heaps.heapify: library_heaps.heapify_tuples, library_heaps.pushed: library_heaps.pushed_tuples,
              library_heaps.sift_up: library_heaps.sift_up_tuples}


def _heap_call(t, node, heap, f, *args):
    if isinstance(heap.type.item, Scalar):
        return t.call_python(f, [t.list_array(heap, node), *args], {}, node)
    if any(s.complex for s in leaves(heap.type.item)):
        t.refuse(node, f"a heap of {heap.type.item!r} is not compiled", "the items must be ordered numbers, or tuples of these")
    rows = group("tuple", [t.keep(a, node) for a in t.list_arrays(heap, node)])
    return t.call_python(_OF_TUPLES[f], [rows, *args], {}, node)


def _sifted(t, node, heap, f, *args):
    _heap_call(t, node, heap, f, *args)
    t.changed_lists(heap, node)
    t.list_written()


@function(heapq.heapify)
def heapify(t, node, x):
    x = lists.in_place(t, node, x)
    if x.type.kind != "empty":
        _heap_call(t, node, x, library_heaps.heapify)
    return t.none()


@function(heapq.heappush)
def heappush(t, node, heap, item):
    heap = _heap(t, node, heap)
    t.append(heap, item, node)
    _sifted(t, node, heap, library_heaps.pushed)
    return t.none()


@function(heapq.heappop)
def heappop(t, node, heap):
    heap = _heap(t, node, heap)
    last = lists.pop(t, node, heap)
    return _replaced(t, node, heap, last, lambda: t.compare(ast.Gt(), t.length_of(heap, node), number(0), node))


def _replaced(t, node, heap, item, test):
    """If the test holds, replaces the least item of the heap by `item` and returns it; else returns `item`."""
    out = lists.copied(t, item, node)
    holds = t.truth(test(), node)

    def swap():
        least = lists.copied(t, t.item_at(heap, n.ZERO, node), node)
        t.put(heap, n.ZERO, out, node)
        _sifted(t, node, heap, library_heaps.sift_up, number(0))
        for to, part in zip(t.number_parts(out), t.number_parts(least)):
            t.emit(n.assign([to.code], part.code, t.loc(node)))

    body, _ = t.block(swap)
    t.emit(n.if_(holds.code, body, [], t.loc(node)))
    return out


@function(heapq.heappushpop)
def heappushpop(t, node, heap, item):
    heap = _heap(t, node, heap)
    if heap.type.kind == "empty":
        t.bottom = node
        return item
    _same_items(t, node, heap, item)
    test = t.temporary(_BOOL)
    t.emit(n.assign([n.name(test, _BOOL)], n.const(0, _BOOL), t.loc(node)))
    item = _as_item(t, node, heap, item)
    body, _ = t.block(lambda: t.emit(n.assign([n.name(test, _BOOL)], t.compare(ast.Lt(), t.item_at(heap, n.ZERO, node), item, node).code, t.loc(node))))
    t.emit(n.if_(n.binary("gt", _BOOL, heap.items[-2].code, n.ZERO), body, [], t.loc(node)))
    return _replaced(t, node, heap, item, lambda: Val(_BOOL, n.name(test, _BOOL)))


@function(heapq.heapreplace)
def heapreplace(t, node, heap, item):
    heap = _heap(t, node, heap)
    if heap.type.kind == "empty":
        t.raise_(node, IndexError, "index out of range")
        return item
    _same_items(t, node, heap, item)
    t.guard(node, n.binary("eq", _BOOL, heap.items[-2].code, n.ZERO), IndexError, "index out of range")
    item = _as_item(t, node, heap, item)
    return _replaced(t, node, heap, item, lambda: t.compare(ast.Gt(), t.length_of(heap, node), number(0), node))


def _as_item(t, node, heap, item):
    parts = [t.once(Val(s, t.fit(p, s)), node) for p, s in zip(t.number_parts(item), leaves(heap.type.item))]
    return t.item_of(heap.type.item, iter(parts))


def _same_items(t, node, heap, item):
    if join_items(item.type, heap.type.item) is None:
        t.refuse(node, f"adding {item.type!r} to a {heap.type!r} is not compiled", "all items of a list must have the same type")


def _extremes():
    for f, turned in ((heapq.nlargest, True), (heapq.nsmallest, False)):
        def handler(t, node, n, iterable, key=None, turned=turned):
            count = t.once(Val(INT, t.whole(n, node), const=n.const, low=n.low), node)
            made = t.call(sorted, [iterable], {"reverse": number(turned), **({} if key is None else {"key": key})}, node)
            made = t.listed(made, node)
            if made.type.kind == "empty":
                return made
            if not (count.low is not None and count.low >= 0):
                count = t.keep(t.call(max, [count, number(0)], {}, node), node)
            none = t.none()
            return t.list_item(made, group("slice", [none, count, none]), node)
        function(f)(handler)


_extremes()
