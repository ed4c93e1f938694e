"""Python lists as arguments and results. Before the call, the items of a list are copied to arrays. After it, arrays are converted back: to the same
list objects if the list is an argument, else to new ones."""
from __future__ import annotations

import numpy as np

from ._errors import UnsupportedError
from ._types import BOOL, COMPLEX, DTYPES, FLOAT, INT, Group, List, Scalar, Word, entries_of, is_key, leaves

_VALUES = type({}.values())
_PYTHON = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


def _refused(name, why, hint=None):
    return UnsupportedError(f"argument '{name}' {why}, which is not compiled", hint=hint or
                            "pass lists of numbers (or of tuples of numbers) of a single type, or NumPy arrays")


def _scalar_type(kinds, name):
    if len(kinds) != 1:
        words = ", ".join(sorted(k.__name__ for k in kinds))
        raise _refused(name, f"is a list of {words}", "give all items the same type")
    [kind] = kinds
    if kind in _PYTHON:
        return _PYTHON[kind]
    if issubclass(kind, np.generic) and np.dtype(kind) in DTYPES:
        return Scalar(*DTYPES[np.dtype(kind)])
    raise _refused(name, f"is a list of {kind.__name__}")


def _column(values, name):
    """(element type, array) of a sequence of numbers."""
    item = _scalar_type(set(map(type, values)), name)
    try:
        return item, np.array(values, np.dtype(item.elem) if not item.complex else np.dtype("complex64" if item.elem == "float32" else "complex128"))
    except OverflowError:
        raise _refused(name, "holds an int that does not fit into 64 bits") from None


def _columns(values, name):
    """(item type, arrays) of a sequence of numbers, or of tuples of equal lengths."""
    if set(map(type, values)) != {tuple}:
        item, array = _column(values, name)
        return item, [array]
    if len(set(map(len, values))) != 1 or not values[0]:
        raise _refused(name, "is a list of tuples of different lengths")
    columns = [_columns(c, name) for c in zip(*values)]
    return Group("tuple", [t for t, _ in columns]), [a for _, arrays in columns for a in arrays]


class Given:
    """A list argument: the `list`, its `type`, the `arrays` with its items, and the argument's position. `rows`: the lists in a list of lists."""

    def __init__(self, given, name, number):
        self.list, self.name, self.number, self.rows = given, name, number, []
        kinds = set(map(type, given))
        if not kinds:
            self.type, self.arrays = List("empty"), []
        elif kinds == {list}:
            self.nested()
        else:
            item, self.arrays = _columns(given, name)
            self.type = List("fixed", item)

    def nested(self):
        flat, shape = self.list, []
        while flat and set(map(type, flat)) == {list}:
            shape.append(len(flat))
            lengths = set(map(len, flat))
            if len(lengths) != 1:
                raise _refused(self.name, "is a list of lists of different lengths", "pass a NumPy array, or several lists")
            self.rows += flat
            flat = [x for row in flat for x in row]
            last = lengths.pop()
        if not flat:
            raise _refused(self.name, "is a list of empty lists")
        item, array = _column(flat, self.name)
        first, sizes = self.list, []
        while type(first) is list:
            sizes.append(len(first))
            first = first[0]
        self.type, self.arrays = List("fixed", item, len(sizes)), [array.reshape(sizes)]

    def write(self, items):
        """Replaces the list's items. In a list of lists, the inner list objects are kept."""
        if self.rows:
            _write_rows(self.list, items)
        else:
            self.list[:] = items


def _write_rows(rows, items):
    for row, new in zip(rows, items):
        if new and type(new[0]) is list:
            _write_rows(row, new)
        else:
            row[:] = new


def given_list(o, name, flat):
    """The Given of an argument. A list that is passed twice has one Given."""
    found = flat.lists.get(id(o))
    if found is None:
        found = flat.lists[id(o)] = Given(o, name, len(flat.lists))
    else:
        found.twice = True
    return found


def _is_nan(key):
    return any(map(_is_nan, key)) if type(key) is tuple else key != key


def _is_number(x):
    """Whether x is a number or a tuple of numbers."""
    return all(map(_is_number, x)) if type(x) is tuple else isinstance(x, (bool, int, float, complex, np.number, np.bool_))


def given_dict(o, name, flat):
    """(type, arrays) of a dictionary argument: its items, and their positions in ascending order of the keys."""
    if not o:  # the types of keys and values cannot be known
        return Group("dict", [List("fixed", Group("tuple", [INT, INT])), List("fixed", INT)]), [np.zeros(0, np.int64) for _ in range(3)]
    if not all(_is_number(v) for pair in o.items() for v in pair):
        kinds = " and ".join(sorted({type(v).__name__ for pair in o.items() for v in pair if not _is_number(v)}))
        raise _refused(name, f"is a dictionary that holds {kinds}", "pass a dictionary from numbers to numbers, or one with strings as keys")
    given = Given(list(o.items()), name, 0)
    if given.type.item is None or not is_key(given.type.item.items[0]) or any(map(_is_nan, o)):
        raise _refused(name, "is a dictionary whose keys are neither numbers nor tuples of numbers")
    order = np.lexsort(given.arrays[:len(leaves(given.type.item.items[0]))][::-1])
    return Group("dict", [given.type, List("fixed", INT)]), [*given.arrays, order.astype(np.int64)]


def given_set(o, name, flat):
    """The Given of a set argument, with its items in ascending order."""
    if id(o) not in flat.lists:
        if any(isinstance(x, (complex, np.complexfloating)) for x in o) or any(map(_is_nan, o)):
            raise _refused(name, "is a set of complex numbers or NaN")
        if o and set(map(type, o)) != {tuple}:
            _scalar_type(set(map(type, o)), name)
        try:
            items = sorted(o)
        except TypeError:
            raise _refused(name, "is a set of items without an order") from None
        given = Given(items, name, len(flat.lists))
        if given.type.item is not None and not is_key(given.type.item):
            raise _refused(name, "is a set of items that are neither numbers nor tuples of numbers")
        flat.lists[id(o)] = given
    return flat.lists[id(o)]


def items_of(t, arrays):
    """The Python objects that a List of this type contains."""
    columns = [a.tolist() if s.weak or a.ndim > 1 else list(a) for a, s in zip(arrays, leaves(t.item))]
    if isinstance(t.item, Scalar):
        return columns[0]

    def shaped(item, parts):
        return next(parts) if isinstance(item, Scalar) else item.values[next(parts)] if isinstance(item, Word) else tuple([shaped(i, parts) for i in item.items])

    return [shaped(t.item, iter(parts)) for parts in zip(*columns)]


def maker(t):
    """A function that makes the Python list from the arrays that compiled code returns."""
    if not isinstance(t, List):
        return lambda *items: list(items)
    if t.kind == "empty":
        return lambda *_: []
    if t.kind == "fixed":
        return lambda *arrays: items_of(t, arrays)
    return lambda *parts: items_of(t, [a[:parts[-2]] for a in parts[:-2]])


class PendingDict:
    def __init__(self, parts, _):
        self.parts = parts


class PendingSet:
    def __init__(self, parts):
        self.parts = parts


class Pending:
    """A list in a result. It may be the same list as an argument or as another list in the result."""

    def __init__(self, t, parts):
        self.type, self.parts = t, parts


def pending(t):
    return (lambda *parts: Pending(t, parts)) if isinstance(t, List) else maker(t)


class Finish:
    """Work after a call of a version with lists among its arguments, or several lists in its result."""

    def __init__(self, program):
        main = program.main
        self.types, self.grown = main.arg_types, [(k, entries_of(main.types[main.passed_key(k)])) for k in sorted(main.grown)]
        self.changed, self.given_back, self.widened = main.changed, main.given_back, main.widened

    def check(self, args, flat):
        """Why the arguments cannot be passed; None if they can."""
        lists = {k: flat.lists[id(a)] for k, a in enumerate(args) if type(a) is list and id(a) in flat.lists}
        changed = self.changed | self.grown_arguments()
        for k, given in lists.items():
            if k in changed | self.given_back and given.list and k in self.widened:
                return _refused(given.name, "is a list of Python numbers to which NumPy numbers are stored", "convert them: int(...), float(...)")
        everything = [g for g in flat.lists.values()]
        if changed:
            rows = [id(r) for g in everything for r in g.rows]
            rows += [i for i in map(id, (g.list for g in everything)) if i in set(rows)]
            if len(set(rows)) != len(rows):
                return _refused(everything[0].name, "and others contain the same list several times, and the function changes lists")
        for k in self.grown_arguments():
            if k in lists and sum(x is lists[k].list for x in _all_lists(args)) > 1:
                return _refused(lists[k].name, "is passed twice, but its length changes")
            if isinstance(args[k], (set, dict)) and _count(args[k], args) > 1:
                return UnsupportedError("a set or dictionary is passed twice, and the function changes it, which is not compiled", hint="pass a copy")
        return None

    def grown_arguments(self):
        return {k for k, _ in self.grown}

    def stored(self, args, flat):
        """Writes items that the call changed back to the Python lists whose length is unchanged. Also called after an exception."""
        for k in self.changed - self.grown_arguments():
            for o in _all_lists([args[k]]):
                given = flat.lists.get(id(o))
                if given is not None and given.arrays:
                    given.write(items_of(given.type, given.arrays))

    def finished(self, args, flat, result):
        hidden = []
        if self.grown:
            result, *hidden = result
        hidden, made, numbers = iter(hidden), [], {k + 1: a for k, a in enumerate(args) if type(a) in (list, set, dict)}
        for k, t in self.grown:
            *arrays, count = [next(hidden) for _ in t.items[:-1]]
            items = items_of(t, [a[:count] for a in arrays])
            if isinstance(args[k], (set, dict)):
                args[k].clear()
                args[k].update(items)
            else:
                args[k][:] = items
        by_array = {id(g.arrays[0]): g.list for g in flat.lists.values() if g.arrays}

        def final(value):
            if isinstance(value, tuple):
                return tuple([final(v) for v in value])
            if isinstance(value, (PendingDict, PendingSet)):
                parts, kind = value.parts, dict if isinstance(value, PendingDict) else set
                made_ = numbers.get(parts.parts[-1]) if isinstance(parts, Pending) and parts.type.kind == "growing" else None
                return made_ if type(made_) is kind else kind(final(parts))
            if type(value) is list:
                return [final(v) for v in value]
            if not isinstance(value, Pending):
                return value
            t, parts = value.type, value.parts
            if t.kind == "fixed":
                if id(parts[0]) in by_array:
                    return by_array[id(parts[0])]
            elif t.kind == "growing":
                if parts[-1] in numbers:
                    return numbers[parts[-1]]
            for other, found in made:
                if other.type.kind == t.kind and (other.parts[-1] == parts[-1] if t.kind == "growing" else t.kind == "fixed" and other.parts[0] is parts[0]):
                    return found
            made.append((value, maker(t)(*parts)))
            return made[-1][1]

        return final(result)


def _count(o, values):
    """How often the object is among the values, and in tuples, lists and dictionaries among them."""
    return sum((v is o) + (_count(o, list(v.values()) if isinstance(v, dict) else v) if isinstance(v, (tuple, list, dict)) else 0) for v in values)


def _all_lists(values):
    values = [v.values() if isinstance(v, dict) else v for v in values]
    return [x for v in values for x in ([v] if type(v) is list else _all_lists(v) if isinstance(v, (tuple, _VALUES)) else [])]
