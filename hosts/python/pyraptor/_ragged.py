"""Lists of lists and of vectors of different lengths (_rows.py) as arguments and results."""
from __future__ import annotations

import numpy as np

from ._errors import UnsupportedError
from ._list_arguments import _columns, items_of
from ._types import DTYPES, List, Ragged, Row, Scalar


def given(o, name, flat, most):
    """The Ragged type of an argument, a list of lists or of vectors of different lengths, whose arrays are appended to `flat`; None for other
    lists. `most`: up to this number, a list of arrays is a tuple."""
    kinds = set(map(type, o))
    if kinds == {list}:
        if len(set(map(len, o))) == 1 or not any(o) or any(type(x) is list for r in o for x in r):
            return None
        item, arrays = _columns([x for r in o for x in r], name)
        form = "list"
    elif kinds == {np.ndarray} and len(o) > most and len({(a.dtype, a.ndim) for a in o}) == 1 and o[0].ndim == 1:
        if o[0].dtype not in DTYPES:
            return None
        item, arrays, form = Scalar(*DTYPES[o[0].dtype]), [np.concatenate(o)], "array"
    else:
        return None
    seen, handles, rows = {}, [], []
    for r in o:
        if id(r) not in seen:
            seen[id(r)] = len(rows)
            rows.append(r)
        handles.append(seen[id(r)])
    if len(rows) != len(o):
        raise UnsupportedError(f"argument '{name}' contains the same list or array twice, which is not compiled", hint="pass copies")
    counts = np.array([len(r) for r in rows], np.int64)
    starts = np.cumsum(counts) - counts
    flat += [np.array(handles, np.int64), starts, counts, *arrays, 0]
    return Ragged(Row(item, form))


def maker(t):
    """A function that makes the Python list of a Ragged from its numbers and arrays."""
    def make(handles, starts, counts, *rest):
        *arrays, given_rows = rest
        made = {}

        def row(level, h, at):
            if (at, h) not in made:
                if at == 0 and h < given_rows:
                    raise UnsupportedError("a row of an argument is returned, which is not compiled", hint="use .copy(), or x[:] for a list")
                start, count = starts[h], counts[h]
                if level.item is None:
                    made[at, h] = []
                elif isinstance(level.item, Row):
                    made[at, h] = [row(level.item, k, at + 1) for k in arrays[at][start:start + count].tolist()]
                elif level.form == "array":
                    made[at, h] = arrays[at][start:start + count].copy()
                else:
                    made[at, h] = items_of(List("fixed", level.item), [a[start:start + count] for a in arrays[at:]])
            return made[at, h]

        return [row(t.item, h, 0) for h in handles.tolist()]
    return make


def zipped(make, *columns):
    """The list of tuples, or the dictionary, with these columns."""
    return make(zip(*columns))
