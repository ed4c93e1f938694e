"""Functions of Python's module random that take sequences. Python draws the positions, which depend only on the lengths."""
from __future__ import annotations

import functools

import numpy as np

from . import _list_methods as lists
from ._numpy_elementwise import numeric
from ._pycall import PyCall
from ._types import INT, NONE, Array, Const, Scalar
from ._value import Val, number

_PLACES = Array("int64", False, 1)


class _Host(PyCall):
    def __init__(self, function, result, name):
        self.function, self.result, self.__name__ = function, result, name


@functools.lru_cache(maxsize=256)
def _host(f, kind):
    """The host function for `f`, a method of a random.Random. Always the same object, since a program identifies host functions by object
    identity."""
    if kind == "shuffle":
        return _Host(f, NONE, "random.shuffle")
    if kind == "choice":
        return _Host(lambda count: f(range(count)), INT, "random.choice")
    if kind == "weighted":
        return _Host(lambda count, k, weights: np.array(f(range(count), weights.tolist(), k=k), np.int64), _PLACES, "random.choices")
    if kind == "choices":
        return _Host(lambda count, k: np.array(f(range(count), k=k), np.int64), _PLACES, "random.choices")
    return _Host(lambda count, k: np.array(f(range(count), k), np.int64), _PLACES, "random.sample")


def _count(t, node, population, what):
    if not (population.is_listed or population.is_group("tuple", "range") or population.is_array):
        t.refuse(node, f"'{what}' of {population.type!r} is not compiled", "pass a list, a range or an array")
    return t.call(len, [population], {}, node)


def _taken(t, node, population, places):
    """The items at these positions, as a list."""
    kept = t.kept_iterator(population, node) if population.is_list or population.is_array else population
    return t.comprehension(node, [(None, places, [])], lambda k: t.item_of_value(kept, Val(INT, t.keep(k, node).code, low=0), node))


def shuffle(t, f, node, x):
    if x.is_listed:
        x = lists.in_place(t, node, x)
        if x.type.kind == "empty":
            return t.none()
        a = t.list_array(x, node)
    else:
        a = x
        if not a.is_array or a.type.rank != 1:
            t.refuse(node, f"'random.shuffle' of {x.type!r} is not compiled", "lists of numbers and arrays of one dimension are shuffled")
    t.call_host(_host(f, "shuffle"), [a], {}, node)
    if x.is_list:
        t.changed_lists(x, node)
        t.list_written()
    return t.none()


def choice(t, f, node, seq):
    if isinstance(seq.type, Const) and isinstance(seq.type.value, str):
        seq = t.turned(seq, node)
    place = t.call_host(_host(f, "choice"), [_count(t, node, seq, "random.choice")], {}, node)
    return t.item_of_value(seq, Val(INT, place.code, var=place.var, low=0), node)


def _whole(t, node, k):
    return Val(INT, t.whole(k, node), const=k.const, low=k.low)


def sample(t, f, node, population, k):
    count = _count(t, node, population, "random.sample")
    places = t.call_host(_host(f, "sample"), [count, _whole(t, node, k)], {}, node)
    return _taken(t, node, population, places)


def choices(t, f, node, population, weights=None, k=None):
    count, k = _count(t, node, population, "random.choices"), number(1) if k is None else _whole(t, node, k)
    if weights is None or weights.is_none():
        return _taken(t, node, population, t.call_host(_host(f, "choices"), [count, k], {}, node))
    weights = numeric(t, node, t.as_numpy(weights, node, True))
    if not weights.is_array or weights.type.rank != 1:
        t.refuse(node, f"'random.choices' with the weights {weights.type!r} is not compiled", "pass a list of numbers")
    return _taken(t, node, population, t.call_host(_host(f, "weighted"), [count, k, t.keep(weights, node)], {}, node))


FUNCTIONS = {"shuffle": shuffle, "choice": choice, "sample": sample, "choices": choices}


def call(t, f, name, args, kwargs, node):
    """A call of one of FUNCTIONS."""
    if any(isinstance(a.type, Scalar) and a.type.complex for a in args):
        t.refuse(node, f"'random.{name}' of complex numbers is not compiled")
    try:
        return FUNCTIONS[name](t, f, node, *args, **kwargs)
    except TypeError as e:
        if "argument" not in str(e):
            raise
        t.refuse(node, f"'random.{name}': {e} (as it is compiled)")
