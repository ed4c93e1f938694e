"""A program: a function with its argument types and all that it calls, as one VRIR module."""
from __future__ import annotations

from . import _nodes as n
from ._errors import UnsupportedError
from ._function import Function
from ._source import Source
from ._types import Array, Const, Group, leaves, type_of_key
from ._value import Val
from ._views import is_view, maker

#: More rounds than any program needs; types only grow.
ROUNDS = 60


class Program:
    """`text`: the module. `main`: its Function. `raises`: the exceptions of raise statements, by number."""

    def __init__(self, function, types, boundscheck=True, fastmath=None, gpu=False):
        self.boundscheck, self.fastmath, self.gpu = boundscheck, fastmath, gpu
        self.functions, self.sources, self.raises = {}, {}, []
        self.calls, self.uses_gpu = 0, False
        self.main = self.function(function, types, None, None)
        for _ in range(ROUNDS):
            changed, count = False, len(self.functions)
            for f in list(self.functions.values()):
                changed = f.translate() or changed
            if not changed and len(self.functions) == count:
                break
        self.used = self.reachable()
        self.text = self.write()

    def source(self, function):
        if function not in self.sources:
            self.sources[function] = Source(function)
        return self.sources[function]

    def function(self, function, types, caller, node, context=None):
        """The translation for these types (and parallel loops around the calls), perhaps not yet made."""
        key = (function, types, context)
        if key not in self.functions:
            if len(self.functions) >= 500:
                raise UnsupportedError("the program needs more than 500 versions of its functions")
            source = self.source(function)
            used = {f.name for f in self.functions.values()}
            name, k = function.__name__, 2
            while name in used:
                name, k = f"{function.__name__}__{k}", k + 1
            self.functions[key] = Function(self, source, types, name, (caller, node), context)
        return self.functions[key]

    def raise_number(self, kind, args):
        entry = (kind, args)
        if entry not in self.raises:
            self.raises.append(entry)
        return self.raises.index(entry)

    def global_array(self, function, array, node, name):
        """An array of the surrounding program: a hidden argument."""
        from . import _native
        t = type_of_key(_native.key(array))
        if t is None:
            function.refuse(node, f"the array '{name}' has elements or dimensions that are not compiled")
        function.needs.setdefault(id(array), (name, array, t))
        symbol = function.symbol(("global", id(array)), (), t)
        function.argument_ids.setdefault(symbol, ("global", id(array)))
        return Val(t, n.name(symbol, t), var=symbol)

    def reachable(self):
        """The functions that the last round of main's way calls."""
        by_name = {f.name: f for f in self.functions.values()}
        found, todo = [], [self.main]
        while todo:
            f = todo.pop()
            if f in found:
                continue
            if f.text is None:
                f.refuse(f.unknown if f.unknown is not None else f.tree,
                         "the types here cannot be told from the arguments' types",
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
                + "\n".join(f.text for f in self.used) + "))\n")

    # ---- what the native side needs to know
    def parameters(self):
        """Types of the VRIR parameters; of each whether it is stored to, and whether results may share its elements."""
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
        """Pairs of parameters, by position, that must not overlap in memory."""
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

    def result_spec(self, t=None):
        """The shape of the result for _native.version."""
        t = self.main.result if t is None else t
        if is_view(t):
            return ("view", maker(t.kind), *(self.result_spec(i) for i in t.items))
        if isinstance(t, Group):
            return ("tuple", *(self.result_spec(i) for i in t.items))
        if isinstance(t, Const):
            return ("constant", t.value)
        if isinstance(t, Array):
            return ("array", ) if t.axes is None else ("array", tuple(t.axes))
        return ("weak", ) if t.weak else ("number", )

