"""SciPy's functions that the library of VRIR computes: of scipy.special, scipy.linalg and scipy.fft. Others are called through Python (_through.py).

Nothing here imports SciPy: programs that call its functions have done so.
"""
from __future__ import annotations

import ast
import functools
import math
import sys

import numpy as np

from . import _nodes as n
from ._numpy import TABLE
from ._numpy_called import INT64, called
from ._numpy_elementwise import into, like, numeric
from ._numpy_matrices import matrices
from ._numpy_sets import like as like_array
from ._types import Scalar, is_int
from ._value import Val, number

_HANDLERS = {"scipy.special": {}, "scipy.linalg": {}, "scipy.fft": {}}


def find(o):
    """The handler for a function of SciPy, or None."""
    name = getattr(o, "__name__", None)
    for module, table in _HANDLERS.items():
        if name in table and getattr(sys.modules.get(module), name, None) is o:
            return table[name]
    return None


def names():
    """The full names of the functions that have a handler."""
    return [f"{module}.{name}" for module, table in _HANDLERS.items() for name in table]


def _special(*names):
    def register(handler):
        for name in names:
            bound = _HANDLERS["scipy.special"][name] = functools.partial(handler, name)
            bound.__module__ = __name__
        return handler
    return register


@functools.lru_cache(maxsize=None)
def _elem_of(name, samples):
    """The type that SciPy's function returns for arguments of these types: None, a Python int, or an element type."""
    return getattr(sys.modules["scipy.special"], name)(*(1 if s is None else np.ones(1, s) for s in samples)).dtype.name


def _real(t, node, name, *args, order=()):
    """The arguments converted to the type in which SciPy computes; complex numbers are refused. `order`: the samples of arguments before them."""
    args = [numeric(t, node, a) for a in args]
    if any(a.type.complex for a in args):
        t.refuse(node, f"scipy.special.{name} of complex numbers is not compiled")
    elem = _elem_of(name, (*order, *(a.type.elem for a in args)))
    return [Val(like(a, elem), t.cast(a, elem, False)) for a in args]


_MAPS = {"erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "erfcinv": "erfcinv", "gamma": "gamma", "cbrt": "cbrt", "expm1": "expm1", "log1p": "log1p"}


@_special(*_MAPS)
def _mapped(name, t, node, x, out=None):
    x, = _real(t, node, name, x)
    return into(t, node, out, Val(x.type, n.lib(_MAPS[name], x.type, x.code)))


@_special("gammaln")
def _gammaln(name, t, node, x, out=None):
    x, = _real(t, node, name, x)
    x = t.once(x, node)
    log = Val(x.type, n.lib("lgamma", x.type, x.code))
    # SciPy's logarithm of minus infinity is minus infinity
    return into(t, node, out, t.call(np.where, [t.compare(ast.Eq(), x, number(-math.inf), node), x, log], {}, node) if x.is_array else log)


@_special("expit")
def _expit(name, t, node, x, out=None):
    x, = _real(t, node, name, x)
    power = Val(x.type, n.lib("exp", x.type, t.operate(ast.Mult(), number(-1.0), x, node).code))
    return into(t, node, out, t.operate(ast.Div(), number(1.0), t.operate(ast.Add(), number(1.0), power, node), node))


@_special("ndtr")
def _ndtr(name, t, node, x, out=None):
    x, = _real(t, node, name, x)
    scaled = t.operate(ast.Mult(), number(-math.sqrt(0.5)), x, node)
    return into(t, node, out, t.operate(ast.Mult(), number(0.5), Val(x.type, n.lib("erfc", x.type, scaled.code)), node))


@_special("ndtri")
def _ndtri(name, t, node, y, out=None):
    y, = _real(t, node, name, y)
    twice = t.operate(ast.Mult(), number(2.0), y, node)
    return into(t, node, out, t.operate(ast.Mult(), number(-math.sqrt(2)), Val(y.type, n.lib("erfcinv", y.type, twice.code)), node))


def _bessel(t, node, word, order, x):
    to = like_array(x, x.type.elem)
    return Val(to, n.lib(word, to, t.plain(x, node).code if x.is_array else x.code, order))


_FIXED = {"j0": ("bessel_j", 0), "j1": ("bessel_j", 1), "y0": ("bessel_y", 0), "y1": ("bessel_y", 1), "i0": ("bessel_i", 0), "i1": ("bessel_i", 1),
          "k0": ("bessel_k", 0), "k1": ("bessel_k", 1)}
_ORDERED = {"jv": "bessel_j", "jn": "bessel_j", "yv": "bessel_y", "yn": "bessel_y", "iv": "bessel_i", "kv": "bessel_k", "kn": "bessel_k"}


@_special(*_FIXED)
def _of_fixed_order(name, t, node, x, out=None):
    word, order = _FIXED[name]
    x, = _real(t, node, name, x)
    x = t.once(x, node)
    y = _bessel(t, node, word, n.const(order, INT64), x)
    if name[0] != "k":  # SciPy's results for infinities are NaN
        y = t.operate(ast.Add(), y, t.operate(ast.Mult(), number(0.0), x, node), node)
    return into(t, node, out, y)


@_special(*_ORDERED)
def _of_order(name, t, node, v, x, out=None):
    v = numeric(t, node, v)
    if not (v.is_scalar and is_int(v.type.elem)):
        t.refuse(node, f"scipy.special.{name} of an order that is no single integer is not compiled")
    x, = _real(t, node, name, x, order=(None if v.type.weak else v.type.elem, ))
    return into(t, node, out, _bessel(t, node, _ORDERED[name], t.cast(v, "int64"), x))


@_special("gammainc", "gammaincc")
def _incomplete_gamma(name, t, node, a, x, out=None):
    a, x = _real(t, node, name, a, x)
    if a.is_array and x.is_array:
        a, x = t.call(np.broadcast_arrays, [a, x], {}, node).items
    a, x = (t.plain(v, node) if v.is_array else v for v in (a, x))
    to = like_array(a if a.is_array else x, x.type.elem)
    upper = [n.const(1, Scalar("bool"))] if name == "gammaincc" else []
    return into(t, node, out, Val(to, n.lib("gammainc", to, x.code, a.code, *upper)))


def _expm(t, node, A):
    a, elem = matrices(t, node, A)
    return called(t, node, "expm", like_array(a, elem, a.type.complex), a.code)


_HANDLERS["scipy.linalg"]["expm"] = _expm


def _transforms():
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        def handler(t, node, x, n=None, axis=None, norm=None, overwrite_x=None, workers=None, own=TABLE[id(getattr(np.fft, name))][1]):  # noqa: A002
            return own(t, node, x, n, axis, norm)
        _HANDLERS["scipy.fft"][name] = handler
    for name in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
        def handler_of_several(t, node, x, s=None, axes=None, norm=None, overwrite_x=None, workers=None, own=TABLE[id(getattr(np.fft, name))][1]):
            return own(t, node, x, s, axes, norm)
        _HANDLERS["scipy.fft"][name] = handler_of_several


_transforms()
