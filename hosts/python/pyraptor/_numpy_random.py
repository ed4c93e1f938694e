"""pyraptor.random: implemented by functions of VRIR's library (docs/vrir-library.md, "Random numbers")."""
from __future__ import annotations

from . import _nodes as n, random
from ._numpy import function
from ._numpy_called import called
from ._numpy_elementwise import numeric
from ._types import Array, Scalar, is_float, is_int
from ._value import Val


def draw(t, node, name, elem, values):
    values = numeric(t, node, *values)
    for v, what in zip(values, ("key", "counter", "shape" if name == "gamma" else "count")):
        whole = what != "shape"
        if v.type.complex or not (is_int(v.type.elem) or is_float(v.type.elem) and not whole):
            t.refuse(node, f"pyraptor.random.{name}: the {what} is {v.type!r}; {'an integer' if whole else 'a real number'} is needed",
                     "convert it: int(x), x.astype(np.int64)" if whole else "convert it: float(x)")
    rank = max(v.type.rank for v in values)
    to = Array(elem, False, rank) if rank else Scalar(elem)
    return Val(to, n.lib(f"random_{name}", to, *(v.code for v in values)))


def _register(f, elem):
    @function(f)
    def handler(t, node, key, counter):
        return draw(t, node, f.__name__, elem, [key, counter])


for _f, _elem in ((random.bits, "uint64"), (random.uniform, "float64"), (random.normal, "float64"), (random.exponential, "float64")):
    _register(_f, _elem)


@function(random.integer)
def integer(t, node, key, counter, count):
    return draw(t, node, "integer", "int64", [key, counter, count])


@function(random.gamma)
def gamma(t, node, key, counter, shape):
    return draw(t, node, "gamma", "float64", [key, counter, shape])


@function(random.permutation)
def permutation(t, node, key, n):
    values = numeric(t, node, key, n)
    for v, what in zip(values, ("key", "number of elements")):
        if not v.is_scalar or not is_int(v.type.elem):
            t.refuse(node, f"pyraptor.random.permutation: the {what} is {v.type!r}; an integer is needed", "convert it: int(x)")
    return called(t, node, "random_permutation", Array("int64", False, 1), *(v.code for v in values))
