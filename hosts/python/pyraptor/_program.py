"""A program: a function for given argument types, together with all functions that it calls, as one VRIR module."""
from __future__ import annotations

import functools

from . import _nodes as n
from ._classify import Argument
from ._closures import Closure, definition_of
from ._errors import NeedsValues, UnsupportedError
from ._fields import Fields
from ._function import Function
from ._generators import Collected
from ._source import source_of
from . import _grown, _list_arguments, _ragged
from ._random import Rng, at
from ._records import Record
from ._structured import Structured, returned as structured_array
from ._texts import Text
from ._types import Array, Choice, Const, Group, List, Maybe, Optional, Ragged, Rank0, TextList, Zipped, key_of_type, leaves, type_of_key
from ._value import Val
from ._views import is_view, maker

#: Limit of rounds of type inference; no program should reach it. Types only become more general, and the longest chain of types is that of strings
#: with MOST_TEXTS alternatives (_types.py).
ROUNDS = 100


class HostFunction:
    """A pycall function at one call, with the types of its arguments."""

    returns_arguments = False
    changed = grown = given_back = widened = frozenset()  # no lists are passed to it

    def __init__(self, function, types, name, loc):
        self.function, self.types, self.result, self.name, self.loc = function, types, function.result, name, loc

    def hidden(self):
        """A host function returns no lists."""
        return []

    def text(self):
        ins = " ".join(t.vrir() for t in self.types)
        outs = " ".join(t.vrir() for t in leaves(self.result))
        return f" (extern {n.word(self.name)}{self.loc} (functype (intypes {ins}) (outtypes {outs or '(void)'})))\n"

    def bind(self, engine):
        engine.bind(self.name, self.function.function, [key_of_type(t) for t in self.types],
                    [key_of_type(t) for t in leaves(self.result)], *self.function.draws)


class Program:
    """`text`: the module. `main`: its Function. `raises`: the exceptions of raise statements, by number. `has_device()`: whether accelerated sections
    run on a device. `helpers`: a prefix for the names of all functions except the main one, so that several programs can be in one library."""

    def __init__(self, function, types, boundscheck=True, fastmath=None, gpu=False, has_device=lambda: False, helpers=""):
        self.helpers = helpers
        self.boundscheck, self.fastmath, self.gpu, self.has_device = boundscheck, fastmath, gpu, has_device
        self.sources = {}
        self.notes = {}  # (file, line, function) -> why the interpreter calls the function
        self.tables = {}  # constant arrays, by their numbers (_choices.py)
        self.templates = _grown.Templates()
        self.through = {}  # functions that the interpreter calls, by function and argument types (_through.py)
        self.by_value = {}  # called function -> positions of arguments that are constants of its versions
        while not self.translated(function, types):
            pass
        self.text = self.write()

    def translated(self, function, types):
        """Translates all functions. Returns False if a function turned out to need values of arguments at compile time; the next call provides
        them."""
        self.host_functions = {}
        self.functions, self.raises, self.raise_numbers = {}, [], {}
        self.calls, self.uses_gpu, self.makes_generators = 0, False, False
        self.main = self.function(function, types, None, None)
        try:
            for _ in range(ROUNDS):
                changed, count = False, len(self.functions)
                for f in list(self.functions.values()):
                    changed = f.translate() or changed
                if not changed and len(self.functions) == count and not [f for f in self.functions.values() if f.default_items()]:
                    break
        except NeedsValues as e:
            known = self.by_value.setdefault(definition_of(e.function.source.function), set())
            if e.function is self.main or e.positions <= known:
                raise
            known |= e.positions
            return False
        self.used = self.reachable()
        return True

    def source(self, function):
        if isinstance(function, (Closure, Collected)):
            return function.source
        if function not in self.sources:
            self.sources[function] = source_of(function)
        return self.sources[function]

    def function(self, function, types, caller, node, context=None, caught=()):
        """The translation for these types (and for the parallel loops around the call); it may be incomplete. `caught`: exception classes that it
        reports to its caller instead of raising them."""
        key = (function, types, context, caught)
        if key not in self.functions:
            if len(self.functions) >= 500:
                raise UnsupportedError("the program needs more than 500 versions of its functions")
            source = self.source(function)
            used = {f.name for f in self.functions.values()}
            wanted = function.__name__ if caller is None else self.helpers + function.__name__
            name, k = wanted, 2
            while name in used:
                name, k = f"{wanted}__{k}", k + 1
            self.functions[key] = Function(self, source, types, name, (caller, node), context, caught)
        return self.functions[key]

    def host_function(self, f, types, loc):
        key = (f, tuple(types), loc)
        if key not in self.host_functions:
            name = f"{getattr(f.function, '__name__', 'function')}__py{len(self.host_functions)}"
            self.host_functions[key] = HostFunction(f, types, name, loc)
        return self.host_functions[key]

    def raise_number(self, kind, args):
        # 1, True and 1.0 are equal as keys but different in messages.
        key = (kind, tuple((type(a), repr(a)) for a in args))
        if key not in self.raise_numbers:
            self.raise_numbers[key] = len(self.raises)
            self.raises.append((kind, args))
        return self.raise_numbers[key]

    def global_array(self, function, array, node, name):
        """A global array; it is passed as a hidden argument."""
        from . import _native
        t = type_of_key(_native.key(array))
        if t is None:
            function.refuse(node, f"the array '{name}' has an element type or a number of dimensions that is not compiled")
        function.needs.setdefault(id(array), (name, array, t))
        symbol = function.symbol(("global", id(array)), (), t)
        function.argument_ids.setdefault(symbol, ("global", id(array)))
        return Val(t, n.name(symbol, t), var=symbol)

    def reachable(self):
        """The functions that the final translation of main calls, directly or indirectly."""
        by_name = {f.name: f for f in self.functions.values()}
        found, todo = [], [self.main]
        while todo:
            f = todo.pop()
            if f in found:
                continue
            if f.text is None and f.stuck is not None:
                f.refuse(f.stuck, "this list, set or dictionary is changed here, but a variable that holds it may also hold one that cannot be changed: one that "
                         "is part of a tuple, or may belong to an argument", "change a copy: x = list(x)")
            if f.text is None:
                f.refuse(f.unknown if f.unknown is not None else f.tree,
                         "the types here cannot be inferred from the arguments' types",
                         "give the variable a value of its type first")
            found.append(f)
            for name, g in by_name.items():
                if f"(fncall :fnname {n.word(name)} " in f.text:
                    todo.append(g)
        return found

    def write(self):
        fast = {True: "%1", False: "%0", None: "afn"}.get(self.fastmath, self.fastmath)
        return (f"(module :name {n.word(self.main.name)} :vrir 1 :indexing 0 :exclude %1 :flatten %0 :grow %0 :assign share"
                f" :slices view :nan propagate :memory refcount :mindims 1 :broadcast trailing :fastmath {fast}\n (fns\n"
                + "".join(h.text() for h in self.hosts()) + "\n".join(f.text for f in self.used) + "))\n")

    def hosts(self):
        """The Python functions that the program calls through the interpreter."""
        return [h for h in self.host_functions.values() if any(f":fnname {n.word(h.name)} " in f.text for f in self.used)]

    def calls_python(self):
        """One line for each function that is called through the interpreter."""
        return [f"{file}:{line}: {name} is called through Python: {why}" for (file, line, name), why in sorted(self.notes.items())]

    # ---- information for the native side
    def parameters(self):
        """(types of the VRIR parameters; for each, whether it is stored to; for each, whether results may share its elements)"""
        types, written, given = [], [], []
        for k, t in enumerate(self.main.arg_types):
            for leaf in leaves(t):
                types.append(leaf)
                written.append(k in self.main.stored)
                given.append(k in self.main.given)
        for key, (_, _, t) in self.main.needs.items():
            types.append(t)
            written.append(("global", key) in self.main.stored)
            given.append(("global", key) in self.main.given)
        return types, written, given

    def apart(self):
        """Pairs of positions of parameters that must not overlap in memory."""
        places, at = {}, 0
        for k, t in enumerate(self.main.arg_types):
            places[k] = range(at, at + len(leaves(t)))
            at += len(leaves(t))
        for key in self.main.needs:
            places["global", key] = range(at, at + 1)
            at += 1
        return [(a, b) for k, j in self.main.apart for a in places[k] for b in places[j]]

    def globals(self):
        return [array for _, array, _ in self.main.needs.values()]

    def has_lists(self):
        """Whether list arguments, or several lists in the result that may be the same object, need work after each call."""
        return any(self.main.list_parts(t) for t in self.main.arg_types) or len(self.main.list_parts(self.main.result)) > 1

    def result_spec(self, t=None):
        """The structure of the result, as _native.version expects it."""
        if t is None:
            spec = self.result_spec(self.main.result)
            hidden = [("array", ) if isinstance(h, Array) else ("weak", ) for h, _ in self.main.hidden()]
            return ("tuple", spec, *hidden) if hidden else spec
        if isinstance(t, List) or isinstance(t, Group) and t.kind == "list":
            make = _list_arguments.pending if self.has_lists() else _list_arguments.maker
            return ("view", make(t), *(self.result_spec(i) for i in t.items))
        if isinstance(t, Group) and t.kind == "dict":
            return ("view", _list_arguments.PendingDict if self.has_lists() else lambda pairs, _: dict(pairs), *map(self.result_spec, t.items))
        if isinstance(t, Group) and t.kind == "set":
            return ("view", _list_arguments.PendingSet if self.has_lists() else set, self.result_spec(t.items[0]))
        if isinstance(t, Zipped):
            columns = [("view", _list_arguments.maker(c), *map(self.result_spec, c.items)) if isinstance(c, List) else self.result_spec(c) for c in t.items]
            return ("view", functools.partial(_ragged.zipped, t.make), *columns)
        if isinstance(t, TextList):
            return ("view", _grown.list_maker(t), *map(self.result_spec, t.items))
        if isinstance(t, Ragged):
            return ("view", _ragged.maker(t), *map(self.result_spec, t.items))
        if isinstance(t, Structured):
            return ("view", functools.partial(structured_array, t.dtype, t.named), *map(self.result_spec, t.items))
        if isinstance(t, Rng):
            return ("view", at, ("weak", ))
        if isinstance(t, (Fields, Record, Text)):
            return ("view", t.make, *(self.result_spec(i) for i in t.items))
        if isinstance(t, Group) and t.kind == "arrays":
            return ("view", list, self.result_spec(t.items[0]))
        if isinstance(t, Optional):
            return ("view", lambda there, number: number if there else None, *(self.result_spec(i) for i in t.items))
        if isinstance(t, Maybe):
            return ("view", lambda there, value: value if there else None, *(self.result_spec(i) for i in t.items))
        if isinstance(t, Choice):
            return ("view", t.values.__getitem__, ("weak", ))
        if isinstance(t, Group) and t.kind in ("slice", "range"):
            return ("view", slice if t.kind == "slice" else range, *(self.result_spec(i) for i in t.items))
        if is_view(t):
            return ("view", maker(t.kind), *(self.result_spec(i) for i in t.items))
        if isinstance(t, Group):
            return ("tuple", *(self.result_spec(i) for i in t.items))
        if isinstance(t, Const):
            return ("constant", t.value)
        if isinstance(t, Array):
            return ("array", ) if t.axes is None else ("array", tuple(t.axes))
        if isinstance(t, Rank0) and t.place is not None:
            return ("view", functools.partial(_argument, t.place), ("number", ))
        return ("weak", ) if t.weak else ("number", )


def _argument(place, _):
    return Argument(place)

