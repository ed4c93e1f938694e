"""Which of NumPy's results share their argument's elements, and which may not be written: one table.

It is used in three places. `of_call` copies results that NumPy copies, and records for a copy that represents a view which
elements it has (Val.snapshot). `Function.check_snapshots` refuses stores that would make such a copy differ from the view. A
result that is such a copy is made by NumPy itself, from the array and the numbers that it was computed from (Recipe), so that
the caller gets NumPy's view or copy, writable or not.
"""
from __future__ import annotations

import ast
import builtins

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from . import _nodes as n
from ._trees import all_nodes
from ._types import Rank0, is_int, number_type, numpy_dtype
from ._value import Fixed, Val, constant, group, like, number

COPY = "copy"    # a new array; what the table does not name is one
VIEW = "view"    # the elements of the first argument
MAYBE = "maybe"  # those where the memory allows it, or nothing is to be done; else a new array
FIXED = "fixed"  # the elements of the first argument, not to be written through the result


def _of_reals(t):
    return COPY if t.complex else VIEW


def _rounded(t):
    """NumPy 1 gives integers themselves."""
    return VIEW if is_int(t.elem) and _SAME_INTEGERS else COPY


_some = np.arange(2)
_SAME_INTEGERS = np.shares_memory(np.round(_some), _some)


_FUNCTIONS = {
    VIEW: ("transpose", "permute_dims", "matrix_transpose", "swapaxes", "moveaxis", "rollaxis", "expand_dims", "squeeze", "real",
           "imag", "flip", "fliplr", "flipud", "rot90", "split", "array_split", "hsplit", "vsplit", "dsplit", "unstack",
           "atleast_1d", "atleast_2d", "atleast_3d", "trim_zeros", "frombuffer"),
    MAYBE: ("reshape", "ravel", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "require", "real_if_close"),
    FIXED: ("diagonal", "broadcast_to", "broadcast_arrays"),
    _rounded: ("round", "around", "round_"),
}
_METHODS = {
    VIEW: ("transpose", "swapaxes", "squeeze", "view"),
    MAYBE: ("reshape", "ravel"),
    FIXED: ("diagonal",),
    _of_reals: ("conj", "conjugate"),
    _rounded: ("round",),
}
#: Attributes of arrays.
_ATTRIBUTES = {VIEW: ("T", "mT", "real", "imag")}


def _by_name(table, find):
    return {find(name): kind for kind, names in table.items() for name in names if find(name) is not None}


FUNCTIONS = {id(o): kind for o, kind in _by_name(_FUNCTIONS, lambda name: getattr(np, name, None)).items()}
FUNCTIONS[id(sliding_window_view)], FUNCTIONS[id(as_strided)] = FIXED, VIEW
METHODS = _by_name(_METHODS, lambda name: name)
ATTRIBUTES = _by_name(_ATTRIBUTES, lambda name: name if hasattr(np.ndarray, name) else None)


def kind_of_call(f, array, kwargs, t, node):
    """What the call of a function object, or of the method of that name, gives of the array."""
    if isinstance(f, str):
        if f == "astype":
            return MAYBE if "copy" in kwargs and not t.static(kwargs["copy"], node, "copy") else COPY
        kind = METHODS.get(f, COPY)
    elif f is np.array:
        return MAYBE if "copy" in kwargs and not t.static(kwargs["copy"], node, "copy") else COPY
    elif f is np.asarray and t.static(kwargs.get("copy"), node, "copy"):
        return COPY
    elif isinstance(f, type) and issubclass(f, np.generic):
        # np.float64(a) is like np.asarray(a, np.float64)
        return MAYBE if numpy_dtype(array.type) == np.dtype(f) else COPY
    elif f is np.diag:
        return FIXED if array.type.rank == 2 else COPY
    else:
        kind = FUNCTIONS.get(id(f), COPY)
    return kind(array.type) if callable(kind) else kind


class Recipe:
    """How NumPy makes a view: `name` of _MAKERS, `base` the array (which may be such a copy in turn), `args` numbers, `fixed`
    whatever else is known when the function is compiled. `maybe`: NumPy may have to copy."""

    __slots__ = ("name", "base", "args", "fixed", "maybe")

    def __init__(self, name, base, args=(), fixed=None, maybe=False):
        self.name, self.base, self.args, self.fixed, self.maybe = name, base, list(args), fixed, maybe

    def group(self, base):
        """What is returned in place of the copy; `base` is what is returned of the recipe's own."""
        known = tuple(a.const if a.is_const else None for a in self.args)
        return group(_Kind((self.name, self.fixed, known)), [base, *(a for a in self.args if not a.is_const)])


class _Kind(str):
    """The kind of a Group that stands for a view."""

    def __new__(cls, key):
        self = super().__new__(cls, "view by " + repr(key))
        self.key = key
        return self


def is_view(t):
    return isinstance(getattr(t, "kind", None), _Kind)


def has_view(t):
    return is_view(t) or any(map(has_view, getattr(t, "items", ())))


def maker(kind):
    """The Python function that makes the view for the caller."""
    name, fixed, known = kind.key
    make = _MAKERS[name]

    def view(base, *args):
        args = _together(known, args)
        return make(base, *args) if fixed is None else make(fixed, base, *args)

    return view


def again(t, kind, base, args, node):
    """The view in a function that got its parts from a callee."""
    name, fixed, known = kind.key
    return _AGAIN[name](t, node, fixed, base, *_together([None if k is None else number(k) for k in known], args))


def _together(known, args):
    rest = iter(args)
    return [next(rest) if k is None else k for k in known]


def _reshape(base, *extents):
    return base.reshape(extents)


def _broadcast_to(base, *extents):
    return np.broadcast_to(base, extents)


def _item(pattern, base, *numbers):
    return base[_index(pattern, iter(numbers), slice)]


def _index(pattern, numbers, make_slice):
    """The subscripts: of each 'i' a number, 'n' a new axis, (start, stop, step) a slice with the parts that are True."""
    return tuple(next(numbers) if p == "i" else None if p == "n" else
                 make_slice(*[next(numbers) if given else None for given in p]) for p in pattern)


def _locked(base):
    base.flags.writeable = False
    return base


_MAKERS = {
    "locked": _locked,
    "reshape": _reshape,
    "ravel": np.ravel,
    "real": lambda base: base.real,
    "imag": lambda base: base.imag,
    "diagonal": np.diagonal,
    "broadcast_to": _broadcast_to,
    "broadcast_arrays": lambda base, *extents: np.broadcast_arrays(base, np.broadcast_to(0, extents))[0],
    "contiguous": np.ascontiguousarray,
    "fortran": np.asfortranarray,
    "view": lambda dtype, base: base.view(dtype),
    "transpose": lambda order, base: base.transpose(order),
    "item": _item,
    "windows": lambda axes, base, *sizes: sliding_window_view(base, sizes, axes),
    "strided": lambda base, *numbers: as_strided(base, numbers[:len(numbers) // 2], numbers[len(numbers) // 2:]),
}


def _item_again(t, node, pattern, base, *numbers):
    none = t.none()

    def as_group(*parts):
        return group("slice", [none if p is None else p for p in parts])

    items = [none if i is None else i for i in _index(pattern, iter(numbers), as_group)]
    return t.element(t.keep(base, node), items, node)


def _call(f):
    return lambda t, node, fixed, base, *args: t.call(f, [base, *args], {}, node)


def _broadcast_again(t, node, base, extents):
    from ._numpy_shapes import broadcast_with
    return broadcast_with(t, node, base, group("tuple", extents))


_AGAIN = {
    "locked": lambda t, node, fixed, base: t.locked(t.keep(base, node), node),
    "reshape": lambda t, node, fixed, base, *extents: t.call(np.reshape, [base, group("tuple", extents)], {}, node),
    "ravel": _call(np.ravel),
    "real": _call(np.real),
    "imag": _call(np.imag),
    "diagonal": _call(np.diagonal),
    "broadcast_to": lambda t, node, fixed, base, *extents: t.call(np.broadcast_to, [base, group("tuple", extents)], {}, node),
    "broadcast_arrays": lambda t, node, fixed, base, *extents: _broadcast_again(t, node, base, extents),
    "contiguous": _call(np.ascontiguousarray),
    "fortran": _call(np.asfortranarray),
    "view": lambda t, node, dtype, base: t.call(t.method(t.keep(base, node), "view"), [constant(dtype)], {}, node),
    "transpose": lambda t, node, order, base: t.transposed(base, list(order), node),
    "item": _item_again,
    "windows": lambda t, node, axes, base, *sizes: t.call(sliding_window_view, [base, group("tuple", sizes), group("tuple", map(number, axes))], {}, node),
    "strided": lambda t, node, fixed, base, *numbers: t.call(
        as_strided, [base, *(group("tuple", part) for part in (numbers[:len(numbers) // 2], numbers[len(numbers) // 2:]))], {}, node),
}


class Views:
    """The part of Function that keeps copies and views apart."""

    def stands_for(self, val, array, recipe=None, fixed=False):
        """A copy of the array's elements, which is a view of them in NumPy (`fixed`: that may not be written)."""
        source = array.snapshot if array.snapshot is not None else self.source_of(array)
        # What is made of a view that may not be written is a copy that may be, or such a view again, as it turns out.
        source = source if source is None else Fixed(source) if fixed else int(source)
        return Val(val.type, val.code, var=val.var, snapshot=source, recipe=recipe)

    def locked(self, array, node):
        """The new array as one that may not be written."""
        return Val(array.type, array.code, var=array.var, snapshot=Fixed(array.var), recipe=self.recipe("locked", array, node=node))

    def recipe(self, name, base, args=(), fixed=None, maybe=False, node=None):
        """With what the array and the numbers are now, whatever is assigned to their variables next. None where nothing of it
        can be returned."""
        if any(self.loop_is_parallel()) or (base.is_array and base.snapshot is not None and base.recipe is None):
            return None
        return Recipe(name, self.lasting(base, node), [a if a.is_const else self.lasting(a, node) for a in args], fixed, maybe)

    def lasting(self, val, node):
        if val.var is not None and not self.loops:
            for (key, _), (id, _) in self.symbols.items():
                if id == val.var and (key in self.names.single if isinstance(key, str) else key[0] in ("global", "temporary")):
                    return val
        t = val.type.base() if val.is_array else val.type
        id = self.temporary(val.type)
        self.emit(n.assign([n.name(id, t)], val.code, self.loc(node)))
        if val.is_array and self.source_of(val) is not None:
            self.alias(id, self.source_of(val))
        return Val(val.type, n.name(id, t), var=id, snapshot=val.snapshot, recipe=val.recipe)

    def of_call(self, f, args, kwargs, out, result, node):
        """The result of a call of NumPy's, as the table says."""
        if args and isinstance(args[0].type, Rank0):
            return self.of_rank0(f, args[0], kwargs, result, node)
        if not result.is_array or result is out:
            return result
        array = next((a for v in args for a in self.arrays_in(v)), None)
        if array is None:
            return result
        kind = kind_of_call(f, array, kwargs, self, node) if args[0].is_array or args[0].is_group("buffer") else COPY
        if kind is MAYBE and f in ("ravel", np.ravel, np.ascontiguousarray) and len(args) == 1 and not kwargs and self.never_in_rows(array):
            kind = COPY
        return self.of_kind(kind, array, args, result, node)

    def of_rank0(self, f, array, kwargs, result, node):
        """The same of an array without dimensions."""
        kind = COPY if isinstance(f, type) else kind_of_call(f, array, kwargs, self, node)
        if kind is COPY or not result.is_numeric or result.type.elem != array.type.elem:
            if not isinstance(result.type, Rank0):
                return result
            return Val(number_type(result.type), result.code, const=result.const, low=result.low)
        if result.is_array:
            self.refuse(node, "a view of an array without dimensions is not compiled", "add .copy()")
        same = f in (np.asarray, np.asanyarray) and result.type.complex == array.type.complex
        return Val(Rank0(result.type.elem, result.type.complex, array.type.place if same else None), result.code, low=result.low)

    def of_kind(self, kind, array, args, result, node):
        source = self.source_of(result)
        if kind is COPY:
            given = [self.source_of(a) for v in args for a in self.arrays_in(v)]
            if source is not None and self.root(source) in {self.root(g) for g in given if g is not None}:
                return self.call(np.copy, [result], {}, node)
            if result.snapshot is not None:
                return Val(result.type, result.code, var=result.var)
            return result
        own = self.source_of(array)
        if result.snapshot is not None or own is None or (source is not None and self.root(source) == self.root(own)):
            return result
        return self.stands_for(result, array)

    # ---- what is returned
    def returned(self, val):
        """The parts of copies that stand for views, which NumPy puts together for the caller."""
        if val.is_group("tuple", "list"):
            return like(val, [self.returned(i) for i in val.items])
        if val.is_array and val.recipe is not None and not self.several_kinds:
            return val.recipe.group(self.returned(val.recipe.base))
        return val

    def check_returns(self):
        """What is returned is no copy where NumPy has a view that the caller can tell from it."""
        arguments = self.argument_roots()
        for s, val, plain in self.returns:
            seen = []  # (root of the elements, roots of those that they are copies of)
            for a in self.arrays_in(val):
                id = self.source_of(a)
                self.given |= arguments.get(None if id is None else self.root(id), set())
                if a.is_fixed:
                    self.refuse(s, "a result is read-only in NumPy and would not be here", "return a copy: add .copy()")
                sources = self.copied_from(self.root(id)) if id is not None else set()
                if a.snapshot is not None:
                    sources = sources | {self.root(a.snapshot)} | self.copied_from(self.root(a.snapshot))
                seen.append((None if id is None else self.root(id), sources))
            held = [root for root, _ in seen if root is not None]
            for k, (root, sources) in enumerate(seen):
                others = set(held[:k] + held[k + 1:]) if root is not None else set(held)
                twice = any(sources & more for j, (_, more) in enumerate(seen) if j != k)
                if sources & (set(arguments) | others) or twice:
                    self.refuse(s, "a result is a view in NumPy and would be a copy here", "return a copy: add .copy()")
            self.check_maybe(s, self.arrays_in(plain), set(arguments))

    def check_maybe(self, s, results, arguments):
        """Results that are views or copies, as it turns out, share elements with each other as NumPy's do."""
        maybe = [{id(r) for r in self.recipes_in(a) if r.maybe} for a in results]
        for k, a in enumerate(results):
            base = ([a] + [r.base for r in self.recipes_in(a)])[-1]
            others = [j for j in range(len(results)) if j != k]
            if any(maybe[k] & maybe[j] for j in others):
                self.refuse(s, "two results are views of one array or of one copy of it, as it turns out when the program runs",
                            "return copies: add .copy()")
            # Of arguments it is seen from their strides. Of arrays made here it depends on the order that NumPy would give them.
            root = None if self.source_of(base) is None else self.root(self.source_of(base))
            if maybe[k] and root not in arguments and any(
                    self.source_of(b) is not None and self.root(self.source_of(b)) == root
                    for j in others for b in [results[j]] + [r.base for r in self.recipes_in(results[j])]):
                self.refuse(s, "a result may be a view of another in NumPy, or a copy", "return copies: add .copy()")

    def recipes_in(self, val):
        if val.is_group():
            return [r for i in val.items for r in self.recipes_in(i)]
        if val.recipe is None:
            return []
        return [val.recipe, *self.recipes_in(val.recipe.base)]

    def copied_from(self, root):
        """Roots of all arrays whose elements the variables of this root have copies of, where NumPy has views: the root itself
        too, as of `x` after `if c: x = x.reshape(3, 2)`."""
        found, todo = set(), [root]
        while todo:
            r = todo.pop()
            for id, source, _ in self.snapshots:
                own = isinstance(source, Fixed) and self.root(source) == self.root(id)  # no copy, but not to be written
                if self.root(id) == r and self.root(source) not in found and not own:
                    found.add(self.root(source))
                    todo.append(self.root(source))
        return found

    # ---- the order of elements in memory
    def in_rows(self, a):
        """Whether the elements are adjacent in row-major order, here and in NumPy, whatever the extents."""
        if a.type.axes is not None or a.type.layout != "rowmajor" or a.snapshot is not None:
            return False  # of a copy that stands for a view: where NumPy's elements lie, another array says
        # NumPy keeps the order of what it computes from, so of arrays computed here only some are known.
        return a.type.rank == 1 or a.var in self.rows or a.code in self.rows or a.code.startswith("(alloc ")

    def never_in_rows(self, a):
        """Whether the elements are not adjacent in row-major order, in any call: of an argument the type says so."""
        return (a.var in self.argument_ids and a.var in self.rows and a.type.axes is None and a.type.layout != "rowmajor"
                and a.snapshot is None and self.asked[0] is None and not self.called)

    def takes_over(self, id, sources, node, arguments):
        """The key of the variable, where the array that it has a copy of is local and not used after the copy is made: so
        a program cannot tell it from a view."""
        key = next((key for (key, path), (other, _) in self.symbols.items() if other == id and path == ()), None)
        place = self.places.place(node)
        if not (isinstance(key, str) and key in self.names.single and self.places.assignment(node) is not None) or (
                sources & set(arguments) or self.places.in_loop(node)):
            return None
        if any(self.root(other) != self.root(id) and ({self.root(source)} | self.copied_from(self.root(source))) & sources
               for other, source, _ in self.snapshots):
            return None
        held = {k for (k, _), (other, _) in self.symbols.items() if self.root(other) in sources and isinstance(k, str)}
        block, first, _ = place
        for x in all_nodes(self.tree):
            if isinstance(x, ast.Name) and self.names.keys.get(builtins.id(x)) in held:
                k = self.places.number_in(x, block)
                if k is None or k > first or (k == first and isinstance(x.ctx, ast.Store)):
                    return None
        return key

    # ---- stores
    def stores_nothing(self, array, node):
        """Whether a store through the array is an exception, which it becomes. A store through it is not lost."""
        if array.is_fixed:
            self.raise_(node, ValueError, "assignment destination is read-only")
            return True
        if array.snapshot is not None and array.var not in {id for id, *_ in self.snapshots}:
            self.refuse(node, "this is a view in NumPy and would be a copy here, and the store would be lost",
                        "store through the array itself, or name a copy: x = (...).copy()")
        return False
