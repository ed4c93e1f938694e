"""Translates one function for one set of argument types: variables, statements, and type inference.

A round translates the whole tree with the variable types found so far; a statement whose type is not known yet is skipped. Types only become more
general (`join`). Rounds are repeated until no type changes, and the last round's output is the VRIR function. So type inference and translation are
one traversal and cannot disagree.
"""
from __future__ import annotations

import ast
import builtins

import numpy as np

from . import _nodes as n
from . import _big_ints, _choices, _dicts, _grown, _numpy, library
from ._annotations import ArrayType
from ._calls import Calls
from ._closures import Closures, parameter_nodes, walk
from ._dicts import Dicts
from ._errors import NeedsValues, UnsupportedError
from ._expressions import Expressions
from ._fields import Fields
from ._list_methods import ListOperations
from ._lists import MARK, Lists
from ._messages import Message, Numbers, braces
from ._names import analyses
from ._operators import Operators
from ._optional import Optionals
from ._parallel import is_parallel_loop
from ._rows import Rows, holds_rows
from ._records import Record, is_record_class, parts_of
from ._sets import Sets
from ._statements import Statements
from ._subscripts import Subscripts
from ._trees import all_nodes
from ._try import Tries
from ._types import (DTYPES, INT, MOST_TEXTS, NONE, Array, Choice, Const, Group, Grown, List, Optional, Ragged, Row, Scalar, can_become, holds, is_collection, is_int, is_numeric, join, leaves,
                     texts_of)
from ._updates import Updates
from ._value import Unknown, Val, constant, group, number, of_type
from ._views import Views


class Types(dict):
    """The types of variables. `changed`: whether one was changed after it had been set."""

    changed = False

    def __setitem__(self, key, t):
        if key in self and self[key] != t:
            self.changed = True
        dict.__setitem__(self, key, t)


class Function(Statements, Expressions, Operators, Subscripts, Calls, Updates, Views, Lists, ListOperations, Closures, Tries, Sets, Dicts, Optionals, Rows):
    def __init__(self, program, source, types, name, asked=(None, None), context=None, caught=()):
        self.program, self.source, self.arg_types, self.name = program, source, types, name
        self.asked = asked        # the Function that called this one first, and the call's node
        self.tree = source.tree
        self.places, self.names = analyses(source, lambda loop: is_parallel_loop(loop, self.lookup))
        self.types = Types()      # key of a variable -> its type so far
        self.called = False       # called by compiled code: its array types are less precise than those of Python's arguments
        self.given = set()        # positions of arguments whose elements results may share
        # Type of the result; None: not known yet.
        self.result = None if any(isinstance(s, ast.Return) and s.value for s in walk(self.tree)) else NONE
        self.needs = {}           # id of a global array -> (name, array): hidden arguments
        self.stored = set()       # positions of arguments whose elements are stored to
        self.busy, self.unknown = False, None
        self.loads = {}           # id of the target of `x += y` -> a node that reads x
        self.wide_sums = {}       # partial sums of the enclosing parallel loops in higher precision: key of the sum -> variable
        self.apart = set()        # pairs (k, j): argument k must not overlap j, which is stored to
        self.returns_arguments = False  # whether an array in the result may be an argument's
        self.own = set()          # keys of variables that take over a copied array, because the original is dead
        self.several_kinds = False  # some returns give views that NumPy makes, others arrays
        self.context = context    # an _updates.Context if the call is inside of a parallel loop, else None
        self.caught, self.told = caught, None  # exception classes that a `try` around the call catches; the Trap that reports them to the caller
        self.unproven, self.updated, self.scopes_of = set(), set(), {}
        self.text = self.out = None
        # Lists (_lists.py). The sets below hold positions of arguments: lists whose items are changed, whose length is changed, that are returned,
        # and that are copied because their items get another type.
        self.list_links, self.list_levels, self.level_nodes, self.opened = {}, {}, {}, set()
        self.changed, self.grown, self.given_back, self.widened = set(), set(), set(), set()
        self.stuck = None         # the node that changes a list whose type does not allow it yet
        self.exceptions, self.parts_of_tries = {}, {}  # exceptions caught by handlers; translated parts of try statements (_try.py)
        self.closures = {}        # id of a lambda or inner function -> its Closure
        self.subscripted = {}     # id of a loop -> the subscripts in it that are just its variable
        self.item_types = {}      # id of a comprehension -> the type of its items
        self.bottom = None        # a node that reads an item of a list without items of known type: the list is always empty
        self.heaps, self.row_links = {}, {}  # _rows.py: growing lists of the whole function; variables that refer to the same rows
        self.known_levels()
        self.parameter_keys = [self.names.keys[id(node)] for node in parameter_nodes(self.tree)]

    # ---- rounds of type inference
    def translate(self):
        """Runs one round. Returns whether a type changed."""
        try:
            return self.round()
        except NeedsValues:
            raise
        except UnsupportedError as e:
            caller, node = self.asked
            f = self.source.function
            if caller is None or not ((f.__module__ or "").startswith(library.__name__) or _numpy.owns(f)):
                raise
            # NumPy's Python code, and PyRaptor's library, are not the user's code: report the error at the call.
            caller.refuse(node, f"this call is not compiled: {e.reason}")

    def round(self):
        self.text = None
        self.before, self.levels_before = self.state(), self.levels()
        self.types.changed, self.result_types, self.has_tries = False, [], False
        self.symbols, self.lows, self.temps = {}, {}, 0
        self.known_ints = {}      # ids of int variables with a single assignment, of a constant -> its value
        self.out, self.unknown, self.has_loop, self.stuck = [], None, False, None
        self.scopes, self.loops, self.section, self.iterators = [], [], 0, {}
        self.aliases, self.stores, self.snapshots = {}, [], []
        self.only_read = []       # (variable, node) of arrays of which an element represents a 0-d view: there must be no stores to them
        # rows: variables and expressions of arrays whose elements are contiguous in row-major order (in_rows).
        self.copies, self.returns, self.rows = {}, [], set()
        self.updates, self.privates, self.tests_in_front, self.signs_tested = {}, [], {}, True
        self.once_loops = []      # unrolled loops, of which each iteration is emitted as a loop that runs once
        self.traps, self.handling, self.safe_texts, self.exact = [], [], set(), None
        self.list_ids, self.list_writes, self.list_changes, self.dict_changes, self.row_changes = set(), set(), 0, 0, 0
        self.busy = True
        # Rows: parameters with rows, by the key of their items; arrays copied to rows.
        self.last_row = None, None, 0, 0
        self.given_rows, self.row_copies, self.returns_ragged_arrays = {}, [], False
        self.begin_heaps()
        parameters = self.bind_arguments()
        whole = self.program.gpu and self.asked[0] is None  # jit(gpu=True): the function is one accelerated section
        if self.caught:
            self.body_that_tells()
        elif self.gpu_section(self.tree.body, self.tree) if whole else self.body(self.tree.body):
            self.end_of_function()
        elif self.result is not None and self.out and '#' in self.out[-1] and not self.out[-1].startswith("(returnstmt"):
            self.unreached_end()  # VRIR's verifier does not know that a raise ends the call, so a return must follow
        self.busy = False
        self.check_snapshots()
        self.check_rows()
        self.check_privates()
        if self.levels_before != self.levels():
            self.types, self.item_types, self.heaps = Types(), {}, {}  # lists were typed as lists of known length so far: those types are obsolete
            self.result = None if self.result != NONE else NONE
        changed = self.before != self.state() and not self.is_simple()
        if not changed and self.unknown is None:
            self.check_returns()
            self.text = self.write(parameters)
        return changed

    def is_simple(self):
        """Whether the round's output is final although it was the first to find types: the function has numbers and arrays only, and no type changed
        after its first use. (What is known of lists, and of calls, may depend on later statements.)"""
        return (self.unknown is None and self.asked[0] is None and not self.types.changed and len(self.program.functions) == 1 and not self.needs and
                not self.names.parallel and not self.names.captured and not self.names.changed and not self.has_tries and
                all(t == self.result for t in self.result_types) and (self.result_types or self.result == NONE) and
                self.before[5:] == self.state()[5:] and all(type(t) in (Scalar, Array) for t in self.types.values()))

    def state(self):
        """The facts about this function that other functions and later rounds depend on."""
        return (dict(self.types), self.result, len(self.needs), frozenset(self.stored), frozenset(self.apart), self.several_kinds,
                frozenset(self.own), frozenset(self.unproven), frozenset(self.updated), self.called, dict(self.list_links),
                dict(self.list_levels), frozenset(self.changed), frozenset(self.grown), frozenset(self.given_back), dict(self.item_types),
                dict(self.heaps), dict(self.row_links), frozenset(self.opened), self.told and tuple([(kind, len(args)) for kind, args, _ in self.told.sites]))

    def bind_arguments(self):
        ids, self.argument_ids = [], {}
        for k, (node, t) in enumerate(zip(parameter_nodes(self.tree), self.arg_types)):
            key = self.names.keys[id(node)]
            if isinstance(t, Ragged):
                parts = [Val(i, n.name(id, i), var=id) for i in t.items for id in [self.symbol(("argument", key), (len(ids), ), i)] if not ids.append(id)]
                self.argument_ids.update({p.var: k for p in parts})
                try:
                    self.bind_ragged(key, t, parts, node)
                except Unknown:
                    self.unknown = node
                continue
            if isinstance(t, Group) and (isinstance(t, List) or t.kind == "list" and (leaves(t) or not t.items)):
                ids += self.list_argument(k, key, t, node)
                continue
            if is_collection(t) and not self.called and (self.list_level(key) >= 2 or join(self.types.get(key), t) != t):
                ids += self.collection_argument(k, key, t, node)
                continue
            joined = join(self.types.get(key), t)
            if joined is not None and joined != t and self.list_parts(t):
                self.refuse(node, f"'{node.arg}' is {t!r}, whose lists are changed or combined with others, which is not compiled", "pass the lists themselves")
            if joined is None:
                self.no_join(node, node.arg, self.types[key], t)
            self.types[key] = joined
            if joined == t:
                for path, leaf in self.paths(t):
                    ids.append(self.symbol(key, path, leaf))
                    self.argument_ids[ids[-1]] = k
                    if key in self.names.one_array and isinstance(leaf, Array):
                        self.rows.add(ids[-1])
                continue
            if isinstance(joined, Choice) and isinstance(t, Const):
                self.store_parts(key, (), joined, constant(t.value), node)
                continue
            if isinstance(joined, Choice):
                narrow = self.symbol(("argument", key), (), INT)
                ids.append(narrow)
                self.argument_ids[narrow] = k
                self.store_parts(key, (), joined, Val(t, items=[Val(INT, n.name(narrow, INT), var=narrow, low=0)]), node)
                continue
            if isinstance(joined, Optional):
                leaf = None if isinstance(t, Const) else t
                narrow = None if leaf is None else self.symbol(("argument", key), (), leaf)
                if narrow is not None:
                    ids.append(narrow)
                    self.argument_ids[narrow] = k
                val = constant(None) if leaf is None else Val(leaf, n.name(narrow, leaf), var=narrow)
                self.store_parts(key, (), joined, val, node)
                continue
            # The variable has a wider type than the argument: it begins as a converted copy (for an array, a copy of the reference).
            parts = dict(self.paths(joined))
            for path, leaf in self.paths(t):
                narrow = self.symbol(("argument", key), path, leaf)
                ids.append(narrow)
                self.argument_ids[narrow] = k
                wide = self.symbol(key, path, parts[path])
                val = Val(leaf, n.name(narrow, leaf), var=narrow)
                self.holds(wide, val, self.tree)
                self.emit(n.assign([n.name(wide, parts[path])], self.fit(val, parts[path]), self.loc(self.tree)))
        for array_id, (name, array, t) in self.needs.items():
            ids.append(self.symbol(("global", array_id), (), t))
        return ids

    def write(self, parameters):
        table = {id: (key, t) for key, (id, t) in self.symbols.items()}
        types = [table[p][1] for p in parameters]
        outs = (leaves(self.result) if self.result is not None else []) + [t for t, _ in self.hidden()]
        symbols = []
        for id, ((key, path), t) in sorted(table.items()):
            name = key if isinstance(key, str) else str(key[1]) if key[0] in ("argument", "global") else "temporary"
            if isinstance(key, tuple) and key[0] == "global":
                name = self.needs[key[1]][0]
            name = name.split(".")[0] + ("".join(f"[{p}]" for p in path) if id not in self.list_ids else MARK)
            symbols.append(f"(sym :id {id} :name {n.word(name)} {t.vrir()})")
        return (f"(function :name {n.word(self.name)}{self.loc(self.tree)}\n (functype (intypes {' '.join(t.vrir() for t in types)})"
                f" (outtypes {' '.join(t.vrir() for t in outs)}))\n (arglist {' '.join(map(str, parameters))})\n (body\n  "
                + "\n  ".join(self.out) + f")\n (symtable {' '.join(symbols)}))")

    # ---- variables
    def paths(self, t, path=()):
        if isinstance(t, Group):
            return [p for k, item in enumerate(t.items) for p in self.paths(item, (*path, k))]
        return [(path, t)] if is_numeric(t) else []

    def symbol(self, key, path, t):
        """The id of the VRIR variable for a component of a Python variable."""
        if (key, path) in self.symbols:
            id = self.symbols[key, path][0]
        else:
            id = len(self.symbols)
        self.symbols[key, path] = (id, t.base() if isinstance(t, Array) else t)
        return id

    def temporary(self, t):
        self.temps += 1
        return self.symbol(("temporary", self.temps), (), t)

    def keep(self, val, node):
        """The value in a variable: `val` itself if it already is one, else a new temporary."""
        if val.var is not None or not val.is_numeric:
            return val
        t = val.type
        id = self.temporary(t)
        self.emit(n.assign([n.name(id, t.base() if val.is_array else t)], val.code, self.loc(node)))
        if val.is_array and self.source_of(val) is not None:
            self.alias(id, self.source_of(val))
        if val.is_array and self.in_rows(val):
            self.rows.add(id)
        return Val(t, n.name(id, t.base() if val.is_array else t), var=id, const=val.const, low=val.low,
                   snapshot=val.snapshot, recipe=val.recipe)

    def once(self, val, node):
        """The value in a form that may occur twice in the output without being computed twice."""
        return val if val.is_const else self.keep(val, node)

    def read(self, key, path=(), t=None):
        t = self.types.get(key) if t is None else t
        if t is None:
            raise Unknown
        if isinstance(t, Row):
            handle = self.symbol(key, (*path, 0), INT)
            return self.read_row(Val(t, items=[Val(INT, n.name(handle, INT), var=handle, low=0)], held=frozenset([(key, path)])))
        if isinstance(t, Group):
            items = [self.read(key, (*path, k), item) for k, item in enumerate(t.items)]
            if isinstance(t, List):
                self.list_ids.update(i.var for i in items if i.is_array)
                for i in items:
                    i.low = 0 if i.is_scalar else None
                return Val(t, items=items, held=frozenset([(key, path)]))
            made = of_type(t, items)
            made.held = frozenset([(key, path)]) if t.kind == "list" else made.held
            return made
        if isinstance(t, Const):
            return number(t.value) if type(t.value) in (bool, int, float) else constant(t.value)  # number() is a constant for ints beyond 64 bits
        id = self.symbol(key, path, t)
        snapshot, recipe = self.copies.get((key, path), (None, None))
        return Val(t, n.name(id, t.base() if isinstance(t, Array) else t), var=id, low=self.lows.get((key, path)),
                   snapshot=snapshot, recipe=recipe)

    def store(self, key, name, val, node):
        """Assigns to a variable with all its components."""
        val = self.promised(val, self.source.local_annotations.get(name), f"'{name}'", node)
        if val.is_group("iterator", "zip", "enumerate", "reversed", "product") and not self.used_next(key, node):
            self.refuse(node, f"assigning an iterator to '{name}' is not compiled: it could be exhausted, or its source could change",
                        "use it directly, or make it a list: list(...)")
        if key in self.opened and isinstance(val.type, Fields):
            val = _dicts.of_pairs(self, node, _dicts.pairs_of(self, node, val))
        val = self.store_lists(key, self.as_stored(val), node)
        t = join(self.types.get(key), val.type)
        if t is None:
            self.no_join(node, name, self.types[key], val.type)
        self.types[key] = t
        self.store_parts(key, (), t, self.conformed(val, t, node), node)
        self.bound(key, node)

    def used_next(self, key, node):
        """Whether the variable is read at most once, by the statement after its assignment."""
        uses = [x for x in all_nodes(self.tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load)
                and self.names.keys.get(builtins.id(x)) == key]
        at, use = self.places.place(node), self.places.place(uses[0]) if len(uses) == 1 else None
        return not uses or (use is not None and at is not None and use[0] is at[0] and use[1] == at[1] + 1)

    def bound(self, key, node):
        """Records at run time that the variable has been assigned, if some uses may be reached before an assignment."""
        if key in self.names.flagged:
            flag = n.name(self.symbol(("bound", key), (), Scalar("bool")), Scalar("bool"))
            self.emit(n.assign([flag], n.const(1, Scalar("bool")), self.loc(node)))

    def no_join(self, node, name, a, b):
        if texts_of(a) and texts_of(b):
            self.refuse(node, f"'{name}' may be one of more than {MOST_TEXTS} strings, which is not compiled",
                        "use numbers, and convert them to strings where they are returned or printed")
        self.refuse(node, f"'{name}' is {a!r} on one path and {b!r} on another",
                    "use two names, so that each variable has one type")

    def store_parts(self, key, path, t, val, node):
        if isinstance(t, Optional):
            val = self.as_optional(val, t)
        if isinstance(t, Choice):
            val = _choices.converted(self, val, t, node)
        if isinstance(t, Grown):
            val = _grown.converted(self, node, val)
        if isinstance(t, Group):
            # All components are computed before the first is stored: (a, b) = (b, a).
            items = [self.keep(i, node) if len(val.items) > 1 else i for i in val.items]
            if any(i.var is not None and self.is_part(i.var, key) for i in items):
                items = [self.copied(i, node) for i in items]
            for k, (item, part) in enumerate(zip(t.items, items)):
                self.store_parts(key, (*path, k), item, part, node)
            return
        if not is_numeric(t):
            return
        id = self.symbol(key, path, t)
        if key in self.names.single and val.low is not None and not isinstance(self.types.get(key), Fields):
            self.lows[key, path] = val.low
            if val.is_const and val.type == t == INT:
                self.known_ints[id] = val.const
        if key in self.own:
            val = Val(val.type, val.code, var=val.var)
        # An assignment may be translated several times: in an unrolled loop over a tuple.
        self.copies.pop((key, path), None)
        self.rows.discard(id)
        if key in self.names.one_array and val.snapshot is not None:
            self.copies[key, path] = val.snapshot, val.recipe
        if key in self.names.one_array and val.is_array and self.in_rows(val) and (val.type.rank == 1 or key not in self.own):
            self.rows.add(id)
        self.holds(id, val, node)
        self.emit(n.assign([n.name(id, t.base() if isinstance(t, Array) else t)], self.fit(val, t), self.loc(node)))

    def is_part(self, var, key):
        return any(k == key and id == var for (k, _), (id, _) in self.symbols.items())

    def copied(self, val, node):
        """The value copied to a new variable."""
        if not val.is_numeric:
            return val
        t = val.type
        id = self.temporary(t)
        plain = t.base() if val.is_array else t
        self.emit(n.assign([n.name(id, plain)], val.code, self.loc(node)))
        self.holds(id, val, node)
        return Val(t, n.name(id, plain), var=id, low=val.low, snapshot=val.snapshot, recipe=val.recipe)

    # ---- which array variables may share elements; copies that represent views
    def root(self, id):
        while id in self.aliases:
            id = self.aliases[id]
        return id

    def alias(self, a, b):
        a, b = self.root(a), self.root(b)
        if a != b:
            self.aliases[max(a, b)] = min(a, b)

    def holds(self, id, val, node):
        """Records that the variable `id` holds the array `val`, a view of another array, or a copy that represents such a view."""
        if not val.is_array:
            return
        if val.snapshot is not None:
            self.snapshots.append((id, val.snapshot, node))
        source = self.source_of(val)
        if source is not None:
            self.alias(id, source)

    @staticmethod
    def source_of(val):
        """The variable whose elements the array shares; None if it shares none."""
        if val.var is not None:
            return val.var
        if val.code.startswith("(index :arrayid ") and val.type.layout == "strided":
            return int(val.code.split(" ", 3)[2])
        return None

    def stored_to(self, id, node):
        self.stores.append((id, node))

    def argument_roots(self):
        """Maps each root to the positions of the arguments whose elements variables with this root may share."""
        found = {}
        for id, k in self.argument_ids.items():
            found.setdefault(self.root(id), set()).add(k)
        return found

    def check_snapshots(self):
        roots = {self.root(id) for id, _ in self.stores}
        arguments = self.argument_roots()
        for root, positions in arguments.items():
            if root in roots:
                self.stored |= positions
        for source, node in self.only_read:
            here = self.root(source)
            if here in roots or here in arguments and self.asked[0] is not None:
                self.refuse(node, "a 0-d array made of an array that is stored to, or that belongs to a caller, is not compiled", "add .copy()")
            self.apart |= {(k, j) for r, ks in arguments.items() if r in roots for k in arguments.get(here, ()) for j in ks}
        for id, source, node in self.snapshots:
            sources = {self.root(source)} | self.copied_from(self.root(source))
            for here in sources & set(arguments):  # arguments may overlap: callers check the pairs in `apart`
                self.apart |= {(k, j) for r, ks in arguments.items() if r in roots and r != here
                               for k in arguments[here] for j in ks}
            if (self.root(id) in roots or sources & roots) and self.stored_between(id, sources, node):
                key = self.takes_over(id, sources, node, arguments)
                if key is not None:
                    self.own.add(key)
                    continue
                self.refuse(node, "this is a view in NumPy but would be a copy here, and one of the two is stored to",
                            "add .copy(), or store through the array itself")

    def stored_between(self, id, sources, node):
        """Whether a store to the copy, or to the array that it was copied from, may run between the copy and its last use."""
        root = self.root(id)
        if any(self.root(a) == root for a in self.argument_ids):
            return True  # the argument may be accessible by other names
        # A temporary is used only by the statement that made it.
        keys = {key for (key, _), (other, _) in self.symbols.items() if self.root(other) == root and isinstance(key, str)}
        key_of = self.names.keys
        uses = [x for x in all_nodes(self.tree) if isinstance(x, ast.Name) and x is not node and
                (isinstance(x.ctx, ast.Load) or builtins.id(x) in self.loads) and key_of.get(builtins.id(x)) in keys]
        if root not in {self.root(other) for other, _ in self.stores}:
            uses = [x for x in uses if not self.handed_out(x)]
        # Names on the right side of the assignment itself are read before the assignment.
        made = self.places.assignment(node)
        if made is not None:
            own = {key_of.get(builtins.id(x)) for x in all_nodes(made) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
            uses = [x for x in uses if self.places.assignment(x) is not made or key_of.get(builtins.id(x)) in own]
        stores = [s for other, s in self.stores if self.root(other) in {root} | sources]
        return self.places.between(node, uses, stores)

    def handed_out(self, name):
        """Whether this use of a name only returns the copy, which NumPy then remakes as a view of the original array."""
        place = self.places.place(name)
        s = None if place is None else place[0][place[1]]
        if not isinstance(s, ast.Return) or self.several_kinds or name not in _items(s.value):
            return False
        _, recipe = self.copies.get((self.names.keys.get(builtins.id(name)), ()), (None, None))
        steps = [] if recipe is None else [recipe, *self.recipes_in(recipe.base)]
        return bool(steps) and not any(r.maybe for r in steps)

    # ---- output of statements
    def emit(self, statement):
        self.out.append(statement)
        if self.traps and statement.startswith(("(forstmt", "(whilestmt")):
            self.behind_loop(statement)

    def block(self, write, *args):
        """(the statements that `write(*args)` emits, its result). The statements are not added to the current output."""
        outer, self.out = self.out, []
        try:
            result = write(*args)
            return self.out, result
        finally:
            self.out = outer

    def loc(self, node, mark=""):
        line, column = getattr(node, "lineno", self.tree.lineno), getattr(node, "col_offset", 0)
        return f" :loc {n.string(f'{self.source.filename}:{line}:{column + self.source.indent + 1}{mark}')}"

    def refuse(self, node, reason, hint=None):
        self.source.refuse(node, reason, hint)

    def raise_(self, node, kind, *args):
        """Emits a statement that ends the call with a Python exception, or jumps to its handler. `args`: constants and Messages."""
        if self.traps and self.jump_to_handler(node, kind, args):
            return
        numbers = Numbers()
        args = tuple(a.placed(numbers) if isinstance(a, Message) else a for a in args)
        seen = set()
        text = f"{kind.__name__}: " + ", ".join(a.text(seen) if isinstance(a, Message) else braces(str(a)) for a in args)
        self.emit(n.raise_(self.program.raise_number(kind, args), text, numbers.codes, self.loc(node)))

    def guard(self, node, test, kind, *args):
        """Emits a statement that raises if the VRIR condition `test` holds."""
        body, _ = self.block(self.raise_, node, kind, *args)
        self.emit(n.if_(test, body, [], self.loc(node)))

    # ---- conversion
    def fit(self, val, t):
        """The value converted to the number or array type `t`, as a VRIR expression."""
        if isinstance(t, Scalar):
            if val.type.weak and not t.weak and t.elem != "int32":  # int32 arithmetic wraps instead of raising
                val = self.fits(val, t.elem, self.tree)
            return self.cast(val, t.elem, t.complex)
        if isinstance(val.type, Array) and val.type.axes != t.axes:
            val = self.plain(val, self.tree)
        return val.code

    def cast(self, val, elem, complex=False):
        """The number or array with its elements converted, as a VRIR expression."""
        t = val.type
        if t.elem == elem and t.complex == complex:
            return val.code
        if val.is_const and isinstance(t, Scalar):
            value = val.const
            if is_int(elem) and isinstance(value, float):
                limits = np.iinfo(elem)  # VRIR's cast saturates
                value = 0 if value != value else int(min(max(value, limits.min), limits.max))
            return n.const(bool(value) if elem == "bool" else value, Scalar(elem, complex))
        to = Scalar(elem, complex) if isinstance(t, Scalar) else Array(elem, complex, t.base_rank, "rowmajor")
        return f"(cast {to.vrir()} {val.code})"

    def promised(self, val, hint, what, node):
        """The value, checked against an annotation. Numbers are converted; for arrays the types are compared. `hint`: None, or a type of
        _annotations. `what`: the name of the annotated variable, for messages."""
        if hint is None:
            return val
        if isinstance(hint, tuple):
            if not val.is_group("tuple") or len(val.items) != len(hint):
                self.refuse(node, f"{what} is {val.type!r}, but annotated as a tuple of {len(hint)}")
            return group("tuple", [self.promised(v, h, f"{what}[{k}]", node) for k, (v, h) in enumerate(zip(val.items, hint))])
        elem, complex = DTYPES[hint.dtype]
        if isinstance(hint, ArrayType):
            t = val.type
            if not val.is_array or (t.elem, t.complex) != (elem, complex) or hint.ndim not in (None, t.rank):
                self.refuse(node, f"{what} is {t!r}, but annotated as {hint!r}")
            layout = {"C": "rowmajor", "F": "colmajor"}.get(hint.layout)
            if layout is not None and (t.axes is not None or layout != ("rowmajor" if t.rank == 1 and t.layout == "colmajor"
                                                                        else t.layout)) and not (
                                                                            t.rank == 1 and t.layout != "strided"):
                self.refuse(node, f"{what} is annotated as contiguous in {hint.layout} order, which is not known for this array",
                            "add .copy(), or remove the order from the annotation")
            return val
        if _big_ints.is_big(val) and hint.dtype == np.uint64:
            val = _big_ints.as_element(self, node, val, elem, complex)
        if not val.is_scalar:
            self.refuse(node, f"{what} is {val.type!r}, but annotated as {hint!r}")
        if not can_become(val, elem, complex):
            self.refuse(node, f"{what} is {val.type!r}, but annotated as {hint!r}", f"convert it: {hint.python.__name__}(...)")
        to = Scalar(elem, complex, hint.wide)
        if val.type == to:
            return val
        if val.is_const:
            try:
                value = hint.accept(val.const, what)
            except (OverflowError, TypeError) as e:
                self.refuse(node, str(e))
            return number(value.item() if isinstance(value, np.generic) else value, to)
        val = self.fits(val, elem, node)
        return Val(to, self.cast(val, elem, complex), low=val.low if is_int(elem) else None)

    def fits(self, val, elem, node):
        """The number; raises OverflowError if it is an int that does not fit into the type."""
        if not (is_int(elem) and is_int(val.type.elem)) or np.can_cast(val.type.elem, elem):
            return val
        if val.is_const:
            if not holds(elem, val.const):
                self.raise_(node, OverflowError, f"Python integer {val.const} out of bounds for {elem}")
                return number(0)
            return val
        val, to, own = self.once(val, node), np.iinfo(elem), np.iinfo(val.type.elem)
        limit = Scalar(val.type.elem)
        outside = [n.binary(op, Scalar("bool"), val.code, n.const(bound, limit)) for op, bound, needed in (
            ("lt", to.min, own.min < to.min and not (val.low is not None and val.low >= to.min)),
            ("gt", to.max, own.max > to.max)) if needed]
        if outside:
            test = outside[0] if len(outside) == 1 else n.binary("or", Scalar("bool"), *outside)
            self.guard(node, test, OverflowError, f"Python integer out of bounds for {elem}")
        return val

    # ---- names of the surrounding program
    def lookup(self, name):
        return self.source.lookup(name)

    def value_of(self, o, node, name):
        """The compiler's value for an object of the surrounding Python program."""
        if type(o) in (bool, int, float, complex):
            return number(o)
        if isinstance(o, np.generic) and o.dtype in DTYPES:
            return number(o.item(), Scalar(*DTYPES[o.dtype]))
        if is_record_class(type(o)):
            items = [self.value_of(item, node, name) for item in parts_of(o)]
            return of_type(Record(type(o), [i.type for i in items]), items)
        if isinstance(o, tuple):
            return group("tuple", [self.value_of(item, node, name) for item in o])
        if isinstance(o, (slice, range)):
            return group(type(o).__name__, [self.value_of(item, node, name) for item in (o.start, o.stop, o.step)])
        if isinstance(o, np.ndarray):
            return self.program.global_array(self, o, node, name)
        return constant(o)


def _items(value):
    """The item expressions of a tuple display, else the expression itself."""
    return [x for e in value.elts for x in _items(e)] if isinstance(value, ast.Tuple) else [value]
