"""Which of NumPy's results share elements with an argument, and which are read-only: one table.

Where NumPy returns a view that VRIR cannot represent, compiled code makes a copy that represents the view. The table is used in three places.
`of_call` copies results that NumPy copies, and records for a copy that represents a view which array it was copied from (Val.snapshot).
`Function.check_snapshots` refuses stores that would make such a copy differ from the view. If such a copy is returned to the caller, NumPy makes the
view from the original array and the numbers that determine it (Recipe), so that the caller gets NumPy's view or copy, writable or not.
"""
from __future__ import annotations

import ast
import builtins

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from . import _nodes as n
from ._reshaped import reshaped
from ._trees import all_nodes
from ._types import Rank0, is_int, number_type, numpy_dtype
from ._value import Fixed, Val, constant, group, like, number

COPY = "copy"    # a new array; also for functions that the table does not contain
VIEW = "view"    # shares the elements of the first argument
MAYBE = "maybe"  # shares the elements if the memory layout allows it or nothing has to be done; else a new array
FIXED = "fixed"  # shares the elements of the first argument, and is read-only


def _of_reals(t):
    return COPY if t.complex else VIEW


def _rounded(t):
    """In NumPy 1, rounding integers returns the argument."""
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
#: attributes of arrays that are views
_ATTRIBUTES = {VIEW: ("T", "mT", "real", "imag")}


def _by_name(table, find):
    return {find(name): kind for kind, names in table.items() for name in names if find(name) is not None}


FUNCTIONS = {id(o): kind for o, kind in _by_name(_FUNCTIONS, lambda name: getattr(np, name, None)).items()}
FUNCTIONS[id(sliding_window_view)], FUNCTIONS[id(as_strided)], FUNCTIONS[id(reshaped)] = FIXED, VIEW, VIEW
METHODS = _by_name(_METHODS, lambda name: name)
ATTRIBUTES = _by_name(_ATTRIBUTES, lambda name: name if hasattr(np.ndarray, name) else None)


def kind_of_call(f, array, kwargs, t, node):
    """The kind of result of a call of a function object (or of the method with this name) on the array."""
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
    """How NumPy makes a view. `name`: a key of _MAKERS; `base`: the array (which may itself be a copy that represents a view); `args`: numbers;
    `fixed`: other data known at compile time; `maybe`: NumPy may have to make a copy."""

    __slots__ = ("name", "base", "args", "fixed", "maybe")

    def __init__(self, name, base, args=(), fixed=None, maybe=False):
        self.name, self.base, self.args, self.fixed, self.maybe = name, base, list(args), fixed, maybe

    def group(self, base):
        """The group that is returned instead of the copy. `base` is what is returned for the recipe's base."""
        known = tuple(a.const if a.is_const else None for a in self.args)
        return group(_Kind((self.name, self.fixed, known)), [base, *(a for a in self.args if not a.is_const)])


class _Kind(str):
    """The kind of a Group that represents a view."""

    def __new__(cls, key):
        self = super().__new__(cls, "view by " + repr(key))
        self.key = key
        return self


def is_view(t):
    return isinstance(getattr(t, "kind", None), _Kind)


def has_view(t):
    return is_view(t) or any(map(has_view, getattr(t, "items", ())))


def maker(kind):
    """The Python function that makes the view that the caller gets."""
    name, fixed, known = kind.key
    make = _MAKERS[name]

    def view(base, *args):
        args = _together(known, args)
        return make(base, *args) if fixed is None else make(fixed, base, *args)

    return view


def again(t, kind, base, args, node):
    """Rebuilds the view in a function that got its parts from a callee."""
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
    """The subscripts that a pattern describes: 'i' a number, 'n' a new axis, a triple of bools a slice with the parts (start, stop, step) that are
    True."""
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
    """The part of Function that distinguishes copies and views."""

    def stands_for(self, val, array, recipe=None, fixed=False):
        """Marks `val`, a copy of the array's elements, as one that represents a view of them (`fixed`: a read-only view)."""
        source = array.snapshot if array.snapshot is not None else self.source_of(array)
        # A result made from a read-only view is a writable copy or again read-only, which only run time shows: it is not marked read-only.
        source = source if source is None else Fixed(source) if fixed else int(source)
        return Val(val.type, val.code, var=val.var, snapshot=source, recipe=recipe)

    def locked(self, array, node):
        """Marks the new array as read-only in NumPy."""
        return Val(array.type, array.code, var=array.var, snapshot=Fixed(array.var), recipe=self.recipe("locked", array, node=node))

    def recipe(self, name, base, args=(), fixed=None, maybe=False, node=None):
        """The recipe with the current values of the array and the numbers, which later assignments do not change. None if the view cannot be remade
        for the caller."""
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
        """The result of a call of a NumPy function, marked as the table requires."""
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
        """The same for a 0-d array argument."""
        kind = COPY if isinstance(f, type) else kind_of_call(f, array, kwargs, self, node)
        if kind is COPY or not result.is_numeric or result.type.elem != array.type.elem:
            if not isinstance(result.type, Rank0):
                return result
            return Val(number_type(result.type), result.code, const=result.const, low=result.low)
        if result.is_array:
            self.refuse(node, "a view of a 0-d array is not compiled", "add .copy()")
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

    # ---- results
    def returned(self, val):
        """Replaces copies that represent views by groups from which NumPy makes the views for the caller."""
        if val.is_group("tuple", "list"):
            return like(val, [self.returned(i) for i in val.items])
        if val.is_array and val.recipe is not None and not self.several_kinds:
            return val.recipe.group(self.returned(val.recipe.base))
        return val

    def check_returns(self):
        """Refuses results that are copies where NumPy returns views and the caller could observe the difference."""
        arguments = self.argument_roots()
        for s, val, plain in self.returns:
            seen = []  # (root of the array, roots of the arrays that it is a copy of)
            for a in self.arrays_in(val):
                id = self.source_of(a)
                self.given |= arguments.get(None if id is None else self.root(id), set())
                if a.is_fixed:
                    self.refuse(s, "a result is read-only in NumPy, but would be writable here", "return a copy: add .copy()")
                sources = self.copied_from(self.root(id)) if id is not None else set()
                if a.snapshot is not None:
                    sources = sources | {self.root(a.snapshot)} | self.copied_from(self.root(a.snapshot))
                seen.append((None if id is None else self.root(id), sources))
            held = [root for root, _ in seen if root is not None]
            for k, (root, sources) in enumerate(seen):
                others = set(held[:k] + held[k + 1:]) if root is not None else set(held)
                twice = any(sources & more for j, (_, more) in enumerate(seen) if j != k)
                if sources & (set(arguments) | others) or twice:
                    self.refuse(s, "a result is a view in NumPy, but would be a copy here", "return a copy: add .copy()")
            self.check_maybe(s, self.arrays_in(plain), set(arguments))

    def check_maybe(self, s, results, arguments):
        """Results that are views or copies depending on run-time layouts: refuses them if they could share elements with each other in NumPy."""
        maybe = [{id(r) for r in self.recipes_in(a) if r.maybe} for a in results]
        for k, a in enumerate(results):
            base = ([a] + [r.base for r in self.recipes_in(a)])[-1]
            others = [j for j in range(len(results)) if j != k]
            if any(maybe[k] & maybe[j] for j in others):
                self.refuse(s, "two results are views of the same array, or of a copy of it, depending on values at run time",
                            "return copies: add .copy()")
            # For arguments, the strides show it at run time. For arrays made here, it depends on the layout that NumPy would choose.
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
        """The roots of all arrays of which variables with this root may be copies that represent views. This can include the root itself, as for `x`
        after `if c: x = x.reshape(3, 2)`."""
        found, todo = set(), [root]
        while todo:
            r = todo.pop()
            for id, source, _ in self.snapshots:
                own = isinstance(source, Fixed) and self.root(source) == self.root(id)  # the same array, but read-only
                if self.root(id) == r and self.root(source) not in found and not own:
                    found.add(self.root(source))
                    todo.append(self.root(source))
        return found

    # ---- layouts
    def in_rows(self, a):
        """Whether the array is contiguous in row-major order, here and in NumPy, for all extents."""
        if a.type.axes is not None or a.type.layout != "rowmajor" or a.snapshot is not None:
            return False  # the copy's layout says nothing about the layout of NumPy's view
        # NumPy's results keep the layout of the operands, so the layout is known for some of the arrays computed here only.
        return a.type.rank == 1 or a.var in self.rows or a.code in self.rows or a.code.startswith("(alloc ")

    def never_in_rows(self, a):
        """Whether the array is an argument that is not contiguous in row-major order, which its type tells."""
        return (a.var in self.argument_ids and a.var in self.rows and a.type.axes is None and a.type.layout != "rowmajor"
                and a.snapshot is None and self.asked[0] is None and not self.called)

    def takes_over(self, id, sources, node, arguments):
        """The key of the variable, if the array of which it holds a copy is local and dead after the copy was made. Then the program cannot
        distinguish the copy from a view."""
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
        """Checks a store through the array. If the array is read-only, emits the exception and returns True. If the array is an unnamed copy of what
        is a view in NumPy, refuses the store, which would be lost."""
        if array.is_fixed:
            self.raise_(node, ValueError, "assignment destination is read-only")
            return True
        if array.snapshot is not None and array.var not in {id for id, *_ in self.snapshots}:
            self.refuse(node, "this is a view in NumPy but would be a copy here, so the store would be lost",
                        "store through the array itself, or give the copy a name: x = (...).copy()")
        return False
