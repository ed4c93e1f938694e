"""NumPy's random numbers in compiled code: the functions of np.random, and generators (np.random.Generator, RandomState) that are globals, arguments,
or made by default_rng.

NumPy draws the numbers, under the GIL. They are the same numbers that the function would get as plain Python, and the generator's state afterwards is
the same. random.py has random numbers for parallel loops and devices.

In compiled code a generator is represented by its address. The caller keeps generators in arguments alive; generators that a function makes are kept
alive until it returns.
"""
from __future__ import annotations

import contextlib
import functools
import inspect
import random as python_random
import threading
import warnings

import numpy as np

from . import _native, _numpy
from ._pycall import PyCall
from ._types import BOOL, DTYPES, FLOAT, INT, NONE, Array, Const, Group, Scalar, is_float, numpy_dtype
from ._value import constant, of_type

CLASSES = (np.random.Generator, np.random.RandomState)

#: Compiled methods, with sample arguments. A method is called with them at compile time to find its result's type. There is one value per parameter.
METHODS = {
    "beta": (.5, .5), "binomial": (3, .5), "chisquare": (2., ), "choice": (2, ), "dirichlet": ([.5, .5], ), "exponential": (1., ), "f": (2., 2.),
    "gamma": (2., 1.), "geometric": (.5, ), "gumbel": (0., 1.), "hypergeometric": (5, 5, 5), "integers": (1, 2), "laplace": (0., 1.), "logistic": (0., 1.),
    "lognormal": (0., 1.), "logseries": (.5, ), "multinomial": (3, [.5, .5]), "multivariate_normal": ([0., 0.], [[1., 0.], [0., 1.]]),
    "negative_binomial": (3, .5), "noncentral_chisquare": (2., 1.), "noncentral_f": (2., 2., 1.), "normal": (0., 1.), "pareto": (2., ),
    "permutation": (2, ), "permuted": ([0, 1], ), "poisson": (1., ), "power": (2., ), "rand": (2, 2, 2, 2, 2, 2, 2, 2), "randint": (1, 2),
    "randn": (2, 2, 2, 2, 2, 2, 2, 2), "random": (), "random_sample": (), "ranf": (), "rayleigh": (1., ), "sample": (), "seed": (1, ),
    "shuffle": ([0, 1], ), "standard_cauchy": (), "standard_exponential": (), "standard_gamma": (2., ), "standard_normal": (), "standard_t": (2., ),
    "triangular": (0., .5, 1.), "uniform": (0., 1.), "vonmises": (0., 1.), "wald": (1., 1.), "weibull": (2., ), "zipf": (2., ),
}
#: Methods of Python's random module that take numbers; the type of their results.
_PYTHON = dict.fromkeys("random uniform triangular betavariate expovariate gammavariate gauss lognormvariate normalvariate vonmisesvariate paretovariate "
                        "weibullvariate".split(), FLOAT) | {"randint": INT, "randrange": INT, "getrandbits": INT, "seed": NONE}
#: Names of the parameters before `size`, for methods whose parameter order differs from that of the samples, or that have further parameters.
_NAMES = {"binomial": ("n", "p"), "choice": ("a", ), "integers": ("low", "high"), "randint": ("low", "high")}
#: Numbers that the native side draws without calling Python: (class, method, number of arguments) -> Drawn of draws.hpp.
_DRAWN = {(np.random.RandomState, name, 0): 1 for name in ("rand", "random", "random_sample", "ranf", "sample")}
_DRAWN |= {(np.random.Generator, "random", 0): 1}
_DRAWN |= {(np.random.RandomState, "randint", k): 2 for k in (1, 2)} | {(np.random.Generator, "integers", k): 3 for k in (1, 2)}
_FUNCTIONS = {id(getattr(np.random, name)): (getattr(np.random, name), name) for name in METHODS if hasattr(np.random, name)}


class Rng(Group):
    """The type of a generator. `cls`: its class. Its one component is the address of the Python object."""

    __slots__ = ("cls", )

    def __init__(self, cls, items=(INT, )):
        super().__init__("rng", items)
        self.cls = cls

    def _key(self):
        return self.cls, self.items

    def with_items(self, items):
        return Rng(self.cls, items)

    def __repr__(self):
        return self.cls.__name__


class Bound:
    """A bound method of a generator."""

    def __init__(self, base, name):
        self.base, self.name = base, name

    def __repr__(self):
        return f"the method '{self.name}'"


def at(address):
    """The generator at this address. It is alive (see the beginning of this file)."""
    return _native.object_at(address)


def given(o, flat):
    """The type of a generator that is an argument."""
    flat.append(id(o))
    return Rng(type(o))


_calls = threading.local()


@contextlib.contextmanager
def holding():
    """Keeps the generators that compiled code makes in this thread alive until the block ends."""
    outer = getattr(_calls, "made", None)
    _calls.made = []
    try:
        yield
    finally:
        _calls.made = outer


def _make(function, *args):
    made = function(*args)
    _calls.made.append(made)
    return id(made)


class Draw:
    """A call of `function`, or of the method `name` of the generator whose address is the first argument. `parts` describes how the arguments are
    built from the numbers and arrays that compiled code passes. The last len(names) arguments are passed by keyword."""

    def __init__(self, function, name, parts, names, result):
        self.function, self.name, self.parts, self.names, self.result = function, name, parts, names, result
        self.__name__ = name

    def __repr__(self):
        return f"np.random's {self.name}"

    def __call__(self, *flat):
        rest = iter(flat)
        function = self.function or getattr(at(next(rest)), self.name)
        args = [_built(p, rest) for p in self.parts]
        first = len(args) - len(self.names)
        drawn = function(*args[:first], **dict(zip(self.names, args[first:])))
        return None if self.result == NONE else drawn


class HostDraw(PyCall):
    """What compiled code calls: a function, a Draw, or the name of a method of the generator whose address is the first argument. `draws`: describes
    how the native side draws a single number itself (arguments of Engine.bind)."""

    def __init__(self, called, result, draws):
        self.function, self.result, self.draws = called, result, draws


@functools.lru_cache(maxsize=4096)
def _host(function, cls, name, parts, names, result, whole):
    """The same object for all calls of the same form, since a program identifies host functions by object identity. whole: all arguments are
    int64."""
    plain = not names and all(p == ("number", ) for p in parts)
    # NumPy's function; or if the first argument is a generator, the name of its method.
    called = (name if function is None else function) if plain and result != NONE else Draw(function, name, parts, names, result)
    drawn = _DRAWN.get((cls, name, len(parts)), 0) if plain and whole and result in (INT, FLOAT, Scalar("int64")) else 0
    owner = None if function is None else getattr(function, "__self__", None) or np.random.rand.__self__
    return HostDraw(called, result, (drawn, owner) if drawn else ())


def _built(part, rest):
    if part[0] == "value":
        return part[1]
    return next(rest) if part[0] == "number" else tuple(_built(p, rest) for p in part[1])


def find(f):
    """(generator or None, its class, method name) if f draws random numbers; None for other functions."""
    if isinstance(f, Bound):
        return f.base, f.base.type.cls, f.name
    if id(f) in _FUNCTIONS:
        return None, np.random.RandomState, _FUNCTIONS[id(f)][1]
    owner, name = getattr(f, "__self__", None), getattr(f, "__name__", "")
    if type(owner) in (*CLASSES, python_random.Random) and not isinstance(f, type):
        return None, type(owner), name
    return None


def call(t, f, args, kwargs, node):
    """A call of a function that find() recognises."""
    base, cls, name = find(f)
    if cls is python_random.Random:
        return _call_python(t, f, name, args, kwargs, node)
    what = f"{'np.random.' if f in (o for o, _ in _FUNCTIONS.values()) else '.'}{name}"
    if name not in METHODS:
        t.refuse(node, f"'{what}' is not compiled", "call it outside of the compiled function")
    values = [*args, *kwargs.values()]
    if "out" in kwargs:
        t.refuse(node, f"'{what}' with out is not compiled", "assign the result: x[:] = ...")
    parts = tuple(_part(t, node, v, what) for v in values)
    flat = [leaf for v in values for leaf in _leaves(t, node, v)]
    if name in ("shuffle", "permuted") and flat and flat[0].is_array and flat[0].type.axes is not None:
        t.refuse(node, f"'{what}' of a transposed array is not compiled", "pass a copy")
    result = _result(t, node, cls, name, values, tuple(kwargs), what)
    whole = all(v.is_scalar and v.type.elem == "int64" for v in flat)
    host = _host(None if base is not None else f, cls, name, parts, tuple(kwargs), result, whole)
    return t.call_host(host, ([base.items[0]] if base is not None else []) + flat, {}, node)


def _call_python(t, f, name, args, kwargs, node):
    from . import _random_sequences
    if name in _random_sequences.FUNCTIONS:
        return _random_sequences.call(t, f, name, args, kwargs, node)
    if name not in _PYTHON:
        t.refuse(node, f"'random.{name}' is not compiled", "use the function of np.random")
    values = [*args, *kwargs.values()]
    if any(not v.is_scalar for v in values):
        t.refuse(node, f"'random.{name}' of {', '.join(repr(v.type) for v in values)} is not compiled", "pass numbers")
    host = _host(f, None, name, (("number", ), ) * len(values), tuple(kwargs), _PYTHON[name], False)
    return t.call_host(host, values, {}, node)


def _part(t, node, v, what):
    if isinstance(v.type, Const):
        if isinstance(v.type.value, (str, type, np.dtype, type(None))):
            return ("value", v.type.value)
        t.refuse(node, f"'{what}' of {v.type!r} is not compiled")
    if v.is_numeric:
        return ("number", )
    if v.is_group("tuple", "list"):
        return ("tuple", tuple(_part(t, node, i, what) for i in v.items))
    t.refuse(node, f"'{what}' of {v.type!r} is not compiled", "pass an array: np.array(x)")


def _leaves(t, node, v):
    if isinstance(v.type, Const):
        return []
    return [v] if v.is_numeric else [leaf for i in v.items for leaf in _leaves(t, node, i)]


def _result(t, node, cls, name, values, names, what):
    """The type of NumPy's result for arguments of these types, found by a call with sample arguments."""
    # A new generator, so that the call does not change the state of another one.
    scratch = np.random.RandomState(0) if cls is np.random.RandomState else np.random.default_rng(0)
    method = getattr(scratch, name, None) or getattr(np.random.RandomState(0), {"sample": "random_sample", "ranf": "random_sample"}.get(name, ""), None)
    if method is None:
        t.refuse(node, f"{cls.__name__} has no method '{name}'")
    samples, positions = METHODS[name], len(values) - len(names)
    order = _NAMES.get(name) or _parameters(method)[:len(samples)]

    some = 1 if name == "choice" else 2  # a length for `choice`

    def sample(v, usual, called=""):
        if isinstance(v.type, Const):
            return v.type.value
        if v.is_group() and np.ndim(usual) == 2:
            return np.eye(len(v.items))
        if v.is_group() and np.ndim(usual) == 1:
            count = len(v.items)
            return [1 / count] * count if name == "multinomial" else [usual[0]] * count
        if v.is_group():
            return tuple(sample(i, some) for i in v.items)
        if v.is_scalar and v.type.elem == "bool":
            return v.const if v.is_const else True
        if called == "axis":
            return v.const if v.is_const else 0
        if v.is_array:
            if v.type.rank == np.ndim(usual) > 0:
                return np.asarray(usual)
            one = usual if isinstance(usual, (int, float)) and name != "choice" else 0.5
            return np.full((2, ) * v.type.rank, one if is_float(v.type.elem) else max(1, one)).astype(numpy_dtype(v.type))
        return usual if np.ndim(usual) == 0 else some

    usual = dict(zip(order, samples))
    args = [sample(v, samples[k] if k < len(samples) else some) for k, v in enumerate(values[:positions])]
    kwargs = {k: sample(v, usual.get(k, some), k) for k, v in zip(names, values[positions:])}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drawn = method(*args, **kwargs)
    except (TypeError, ValueError) as e:
        t.refuse(node, f"'{what}' of {', '.join(repr(v.type) for v in values)}: {e}")
    if drawn is None:
        return NONE
    if isinstance(drawn, np.ndarray):
        if drawn.dtype not in DTYPES or drawn.ndim == 0:
            t.refuse(node, f"'{what}' with results of {drawn.dtype} is not compiled")
        elem, complex = DTYPES[drawn.dtype]
        return Array(elem, complex, drawn.ndim)
    for kind, known in ((bool, BOOL), (int, INT), (float, FLOAT)):
        if type(drawn) is kind:
            return known
    if isinstance(drawn, np.generic) and drawn.dtype in DTYPES:
        return Scalar(*DTYPES[drawn.dtype])
    t.refuse(node, f"'{what}' with a result of type {type(drawn).__name__} is not compiled")


def _parameters(method):
    try:
        return list(inspect.signature(method).parameters)
    except (TypeError, ValueError):  # NumPy 1 has no signature: parse the docstring's first line, "normal(loc=0.0, scale=1.0, size=None)"
        head = (method.__doc__ or "").split("(", 1)[-1].split(")", 1)[0]
        return [p.split("=")[0].strip() for p in head.split(",")]


def _maker(function, cls):
    def handler(t, node, seed=None):
        values = [] if seed is None else [seed]
        parts = tuple(_part(t, node, v, function.__name__) for v in values)
        t.program.makes_generators = True
        address = t.call_host(_made(function, parts), [leaf for v in values for leaf in _leaves(t, node, v)], {}, node)
        return of_type(Rng(cls), [address])
    return handler


@functools.lru_cache(maxsize=64)
def _made(function, parts):
    return _host(functools.partial(_make, function), None, function.__name__, parts, (), INT, False)


_numpy.function(np.random.default_rng)(_maker(np.random.default_rng, np.random.Generator))
_numpy.function(np.random.RandomState)(_maker(np.random.RandomState, np.random.RandomState))


def attribute(base, name):
    """A method of a generator; None if there is none with this name."""
    return constant(Bound(base, name)) if callable(getattr(base.type.cls, name, None)) and not name.startswith("_") else None


def names():
    """The names for pyraptor.supported()."""
    return {f"random.{name}" for name in (*_PYTHON, "shuffle", "choice", "sample", "choices")} | {f"numpy.random.{name}" for _, name in _FUNCTIONS.values()} | {"numpy.random.default_rng", "numpy.random.RandomState"} | {
        f"numpy.random.{cls.__name__}.{m}" for cls in CLASSES for m in METHODS if hasattr(cls, m)}
