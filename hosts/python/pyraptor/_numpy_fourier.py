"""np.fft: transforms along axes (by the runtime), frequencies, and shifts."""
from __future__ import annotations

import ast

import numpy as np

from . import _nodes as n
from ._numpy import function
from ._numpy_arrays import astype, numeric_array
from ._numpy_called import INT64, called
from ._types import Array, Scalar, is_float, is_int
from ._value import Val, group, number

NUMPY_1 = np.lib.NumpyVersion(np.__version__) < "2.0.0"
_SCALES = {"backward": (0, 2), "ortho": (1, 1), "forward": (2, 0)}  # by `norm`: scale codes of the forward and of the inverse transform


def _given(val):
    return val is not None and not val.is_none()


def _input(t, node, a, real):
    a = t.plain(numeric_array(t, node, a), node)
    if real and a.type.complex:
        t.refuse(node, "this transform needs real numbers", "use np.fft.fft")
    if NUMPY_1 and a.type.elem == "float32":  # NumPy 2 transforms float32 in single precision
        a = astype(t, node, a, ("float64", a.type.complex))
    return t.keep(a, node)


def _scale(t, node, norm, inverse):
    word = t.static(norm, node, "norm") if _given(norm) else "backward"
    if word not in _SCALES:
        t.refuse(node, f"norm must be one of 'backward', 'ortho' and 'forward', not {word!r}")
    return _SCALES[word][inverse]


def _length(t, node, length, what="the number of points"):
    if not (length.is_scalar and is_int(length.type.elem)):
        t.refuse(node, f"{what} must be an integer")
    return t.cast(length, "int64")


def _along(t, node, a, length, axis, scale, kind):
    """A transform along one axis. `kind`: fft, ifft, rfft or irfft."""
    elem = a.type.elem if is_float(a.type.elem) else "float64"
    k = axis % a.type.rank
    if length is None:
        own = n.dim(a.var, k)
        text = own if kind != "irfft" else n.binary("mult", INT64, n.const(2, INT64), n.binary("minus", INT64, own, n.ONE))
    else:
        text = length
    to = Array(elem, kind != "irfft", a.type.rank)
    flags = [n.const(kind == "ifft", Scalar("bool"))] if kind in ("fft", "ifft") else []
    return called(t, node, "fft" if flags else kind, to, a.code, n.const(k, INT64), text, *flags, n.const(scale, INT64))


def _line():
    for name, kind, inverse in (("fft", "fft", 0), ("ifft", "ifft", 1), ("rfft", "rfft", 0), ("irfft", "irfft", 1)):
        def handler(t, node, a, n=None, axis=None, norm=None, kind=kind, inverse=inverse):  # noqa: A002
            a = _input(t, node, a, kind == "rfft")
            k = a.type.rank - 1 if axis is None else t.axis(axis, a.type.rank, node)
            return _along(t, node, a, _length(t, node, n) if _given(n) else None, k, _scale(t, node, norm, inverse), kind)
        function(getattr(np.fft, name))(handler)


_line()


@function(np.fft.hfft)
def np_hfft(t, node, a, n=None, axis=None, norm=None):  # noqa: F811
    a = _input(t, node, t.call(np.conj, [a], {}, node), False)
    k = a.type.rank - 1 if axis is None else t.axis(axis, a.type.rank, node)
    return _along(t, node, a, _length(t, node, n) if _given(n) else None, k, _scale(t, node, norm, 0), "irfft")


@function(np.fft.ihfft)
def np_ihfft(t, node, a, n=None, axis=None, norm=None):  # noqa: F811
    a = _input(t, node, a, True)
    k = a.type.rank - 1 if axis is None else t.axis(axis, a.type.rank, node)
    out = _along(t, node, a, _length(t, node, n) if _given(n) else None, k, _scale(t, node, norm, 1), "rfft")
    return t.call(np.conj, [out], {}, node)


def _several(t, node, a, s, axes, norm, kind, inverse, both):
    a = _input(t, node, a, kind == "rfft")
    lengths = s.items if _given(s) and s.is_group("tuple", "list") else None
    if _given(s) and lengths is None:
        t.refuse(node, "the lengths must be a tuple of integers")
    if axes is None and both:
        places = [-2, -1]
    elif not _given(axes):
        places = list(range(-len(lengths) if lengths else -a.type.rank, 0))
    else:
        places = t.static(axes, node, "the axes")
        if not isinstance(places, tuple):
            t.refuse(node, "the axes must be a tuple of integers")
        places = list(places)
    rank = a.type.rank
    if not places or not all(type(k) is int and -rank <= k < rank for k in places) or (lengths and len(lengths) != len(places)):
        t.refuse(node, f"transforms of an array of {rank} dimension{'s' if rank > 1 else ''} along {places}")
    counts = [None] * len(places)
    if lengths:
        counts = [t.once(Val(INT64, _length(t, node, v)), node).code if not (v.is_const and v.const == -1) else None for v in lengths]
    scale = _scale(t, node, norm, inverse)
    if kind in ("fft", "ifft") and not lengths and [k % rank for k in places] == list(range(rank - len(places), rank)):
        to = Array(a.type.elem if is_float(a.type.elem) else "float64", True, rank)
        return called(t, node, "fftn", to, a.code, n.const(rank - len(places), INT64), n.const(inverse, Scalar("bool")), n.const(scale, INT64))
    order = list(zip(places, counts))
    kinds = {"rfft": ["fft"] * (len(order) - 1) + ["rfft"], "irfft": ["ifft"] * (len(order) - 1) + ["irfft"]}.get(kind, [kind] * len(order))
    steps = list(zip(order, kinds))
    # NumPy transforms the last axis first, but for transforms with a real result it comes last.
    for (k, count), which in steps if kind == "irfft" else reversed(steps):
        a = t.keep(_along(t, node, a, count, k, scale, which), node)
    return a


def _planes():
    for name, kind, inverse in (("fft", "fft", 0), ("ifft", "ifft", 1), ("rfft", "rfft", 0), ("irfft", "irfft", 1)):
        for suffix in ("2", "n"):
            def handler(t, node, a, s=None, axes=None, norm=None, kind=kind, inverse=inverse, both=suffix == "2"):
                return _several(t, node, a, s, axes, norm, kind, inverse, both)
            function(getattr(np.fft, name + suffix))(handler)


_planes()


def _frequencies():
    for f, real in ((np.fft.fftfreq, False), (np.fft.rfftfreq, True)):
        def handler(t, node, n, d=None, real=real):  # noqa: A002
            if not (n.is_scalar and is_int(n.type.elem)):
                t.refuse(node, "the number of points must be an integer")
            d = number(1.0) if d is None else d
            n = t.once(n, node)
            count = t.operate(ast.Add(), t.operate(ast.FloorDiv(), n, number(2), node), number(1), node) if real else n
            at = t.call(np.arange, [count], {}, node)
            if not real:
                at = t.keep(at, node)
                half = t.operate(ast.FloorDiv(), t.operate(ast.Sub(), n, number(1), node), number(2), node)
                late = t.compare(ast.Gt(), at, half, node)
                at = t.call(np.where, [late, t.operate(ast.Sub(), at, n, node), at], {}, node)
            step = t.operate(ast.Div(), number(1.0), t.operate(ast.Mult(), n, d, node), node)
            return t.operate(ast.Mult(), at, step, node)
        function(f)(handler)


_frequencies()


def _shifts():
    for f, inverse in ((np.fft.fftshift, False), (np.fft.ifftshift, True)):
        def handler(t, node, x, axes=None, inverse=inverse):
            x = t.keep(t.plain(numeric_array(t, node, x), node), node)
            rank = x.type.rank
            places = t.static(axes, node, "the axes") if _given(axes) else tuple(range(rank))
            places = places if isinstance(places, tuple) else (places, )
            if not all(type(k) is int and -rank <= k < rank for k in places):
                t.refuse(node, f"{places} are no axes of an array of {rank} dimension{'s' if rank > 1 else ''}")
            shifts = []
            for k in places:
                half = t.operate(ast.FloorDiv(), t.extent_value(x, k % rank, node), number(2), node)
                shifts.append(t.operate(ast.Sub(), number(0), half, node) if inverse else half)
            return t.call(np.roll, [x, group("tuple", shifts), group("tuple", [number(k) for k in places])], {}, node)
        function(f)(handler)


_shifts()
