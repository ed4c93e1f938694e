"""Methods of ufuncs as Python loops. The functions are generated for each ufunc, number of dimensions and axis (library.py)."""
from __future__ import annotations

from .library import _cached, _make


def _at(rank, axis, k):
    """The subscript for position `k` along the axis."""
    return ", ".join(k if d == axis else ":" for d in range(rank))


@_cached
def reduced(f, rank, axis):
    """f(... f(f(a[0], a[1]), a[2]) ...) along the axis, which must not be empty."""
    if rank == 1:
        text = ("def reduced(a):\n    r = a[0]\n    for k in range(1, a.shape[0]):\n        r = f(r, a[k])\n    return r\n")
    else:
        text = (f"def reduced(a):\n    r = a[{_at(rank, axis, '0')}].copy()\n    for k in range(1, a.shape[{axis}]):\n"
                f"        r[...] = f(r, a[{_at(rank, axis, 'k')}])\n    return r\n")
    return _make("reduced", text, f=f)


@_cached
def reduced_from(f, rank, axis):
    """The same, starting with f(first, a[0]), where `first` is a number."""
    if rank == 1:
        text = "def reduced(a, first):\n    r = first\n    for k in range(a.shape[0]):\n        r = f(r, a[k])\n    return r\n"
    else:
        others = ", ".join(f"a.shape[{d}]" for d in range(rank) if d != axis)
        text = (f"def reduced(a, first):\n    r = np.full(({others},), first, a.dtype)\n    for k in range(a.shape[{axis}]):\n"
                f"        r[...] = f(r, a[{_at(rank, axis, 'k')}])\n    return r\n")
    return _make("reduced", text, f=f)


@_cached
def accumulated(f, rank, axis):
    """All intermediate results of `reduced`."""
    if rank == 1:
        text = ("def accumulated(a):\n    out = np.empty_like(a)\n    if a.shape[0] > 0:\n        r = a[0]\n        out[0] = r\n"
                "        for k in range(1, a.shape[0]):\n            r = f(r, a[k])\n            out[k] = r\n    return out\n")
    else:
        first, this, last = (_at(rank, axis, k) for k in ("0", "k", "k - 1"))
        text = (f"def accumulated(a):\n    out = np.empty(a.shape, a.dtype)\n    if a.shape[{axis}] > 0:\n        out[{first}] = a[{first}]\n"
                f"    for k in range(1, a.shape[{axis}]):\n        out[{this}] = f(out[{last}], a[{this}])\n    return out\n")
    return _make("accumulated", text, f=f)


@_cached
def reduced_at(f):
    """reduceat for a vector."""
    text = ("def reduced_at(a, places):\n    out = np.empty(places.shape[0], a.dtype)\n    for i in range(places.shape[0]):\n"
            "        begin = places[i]\n        end = places[i + 1] if i + 1 < places.shape[0] else a.shape[0]\n"
            "        r = a[begin]\n        for k in range(begin + 1, end):\n            r = f(r, a[k])\n        out[i] = r\n    return out\n")
    return _make("reduced_at", text, f=f)


@_cached
def changed_at(f, rank):
    """f.at(a, places, values), where the values have `rank` dimensions. An element is changed as often as its position occurs."""
    value = "values" if rank == 0 else "values[i if many else 0]"
    check = "" if rank == 0 else ("    many = values.shape[0] != 1\n    if many and values.shape[0] != places.shape[0]:\n"
                                  "        raise ValueError('array is not broadcastable to correct shape')\n")
    text = (f"def changed_at(a, places, values):\n{check}    for i in range(places.shape[0]):\n"
            f"        a[places[i]] = f(a[places[i]], {value})\n")
    return _make("changed_at", text, f=f)


@_cached
def changed_at_alone(f):
    """f.at(a, places) for a function of one operand."""
    return _make("changed_at", "def changed_at(a, places):\n    for i in range(places.shape[0]):\n        a[places[i]] = f(a[places[i]])\n", f=f)


@_cached
def vectorized(f, ranks, kinds):
    """f applied elementwise to arrays that broadcast. `kinds`: for each operand the kind of Python number to which it is converted; None: f gets
    NumPy scalars."""
    rank = max(ranks)
    convert = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
    names = [f"a{k}" for k in range(len(ranks))]
    arrays = [name for name, r in zip(names, ranks) if r]
    text = f"def vectorized({', '.join(names)}):\n    shape = ({' | '.join(f'np.isfinite({name})' for name in arrays)}).shape\n"
    text += "".join(f"    {name} = np.broadcast_to({name}, shape)\n" for name in arrays)

    def value(name, r, k, at):
        item = f"{name}[{at}]" if r else name
        return f"{convert[kinds[k]]}({item})" if kinds is not None else item

    def call(at):
        return f"f({', '.join(value(name, r, k, at) for k, (name, r) in enumerate(zip(names, ranks)))})"

    if kinds is not None:
        text += f"    if {' or '.join(f'shape[{d}] == 0' for d in range(rank))}:\n"
        text += "        raise ValueError('cannot call `vectorize` on size 0 inputs unless `otypes` is set')\n"
    text = text.replace("):", ", dtype):", 1) + "    out = np.empty(shape, dtype)\n"
    index = ", ".join(f"i{d}" for d in range(rank))
    text += "".join(f"{'    ' * (d + 1)}for i{d} in range(shape[{d}]):\n" for d in range(rank))
    text += f"{'    ' * (rank + 1)}out[{index}] = {call(index)}\n    return out\n"
    return _make("vectorized", text, f=f)
