"""Statements. Each method returns whether control can reach the end of the statement."""
from __future__ import annotations

import ast
import builtins
import importlib.util

import numpy as np

from . import _nodes as n
from . import _choices, _dicts, _fields, _grown, _sets
from ._calls import Method
from ._closures import Closure
from ._errors import UnsupportedError
from ._match import Matches
from ._messages import MOST_NUMBERS, Message, Number
from ._names import imported_as
from ._parallel import Loops
from ._try import BREAK, CONTINUE, Written
from ._types import NONE, Array, Choice, Const, Group, Grown, List, Maybe, Optional, Ragged, Rank0, Row, Scalar, TextList, is_collection, is_text_type, join, join_results, leaves, list_type, numpy_dtype
from ._value import Unknown, Val, constant, group, like, number
from ._views import has_view, is_view

_EXCEPTIONS = (ValueError, IndexError, ZeroDivisionError, TypeError, RuntimeError, ArithmeticError, OverflowError,
               AssertionError, KeyError, NotImplementedError, MemoryError, Exception, StopIteration)

_MATMUL_IN_PLACE = np.lib.NumpyVersion(np.__version__) >= "1.25.0"


class Statements(Loops, Matches):
    def body(self, statements):
        k = 0
        while k < len(statements):
            k = self.marked_section(statements, k)
            if k >= len(statements):
                break
            if not self.statement(statements[k]):
                return False
            k += 1
        return True

    def statement(self, s):
        method = getattr(self, "stmt_" + type(s).__name__, None)
        if method is None:
            self.refuse(s, f"{_what(s)} is not compiled")
        size = len(self.out)
        try:
            reached = method(s)
            return True if reached is None else reached
        except Unknown:
            # The types will be known in a later round; in this round the statement has no output.
            del self.out[size:]
            self.unknown = s
            return True
        except UnsupportedError:
            raise
        except Exception as e:
            # An internal error of the front end. It is reported as a refusal, so that `fallback` works.
            self.refuse(s, f"{_what(s)} is not compiled in this form ({type(e).__name__}: {e})", "write it in several simpler statements")

    def stmt_Pass(self, s):
        pass

    def stmt_Expr(self, s):
        if isinstance(s.value, ast.Constant):
            return  # a docstring
        val = self.expr(s.value, drop=True)
        if val is not None and val.is_numeric and val.var is None and not val.is_const:
            self.emit(f"(exprstmt{self.loc(s)} {val.code})")

    # ---- imports: evaluated once, at compile time; the imported objects are constants
    def stmt_Import(self, s):
        for a in s.names:
            module = self.imported(a.name, s)
            if a.asname is None and "." in a.name:
                module = self.imported(a.name.split(".")[0], s)
            self.store(self.names.keys[id(a)], imported_as(a), constant(module), s)

    def stmt_ImportFrom(self, s):
        module = self.imported("." * s.level + (s.module or ""), s)
        for a in s.names:
            try:
                value = getattr(module, a.name)
            except AttributeError:
                value = self.imported(f"{module.__name__}.{a.name}", s)
            self.store(self.names.keys[id(a)], imported_as(a), self.value_of(value, s, a.name), s)

    def imported(self, name, node):
        try:
            if name.startswith("."):
                name = importlib.util.resolve_name(name, self.source.function.__globals__.get("__package__"))
            return importlib.import_module(name)
        except ImportError as e:
            self.refuse(node, f"the import fails: {e}", "import at the top of the file")

    # ---- assignment
    def stmt_Assign(self, s):
        val = self.expr(s.value)
        if len(s.targets) > 1:
            val = self.kept_parts(val, s)
        for target in s.targets:
            self.assign(target, val, s)
            if len(s.targets) > 1 and self.lists_in(val):  # one list gets several names
                if not isinstance(target, ast.Name):
                    self.refuse(s, "assigning a list to several targets is not compiled", "write two statements")
                val = self.read(self.names.keys[id(target)])

    def stmt_AnnAssign(self, s):
        if s.value is not None:
            val = self.expr(s.value)
            if not isinstance(s.target, ast.Name):  # for names, `store` applies annotations
                what = "the value that is assigned"
                val = self.promised(val, self.source.annotation(s.annotation), what, s)
            self.assign(s.target, val, s)

    def kept_parts(self, val, node):
        if val.row is not None:
            return val
        if val.is_group():
            return like(val, [self.kept_parts(i, node) for i in val.items])
        return self.keep(val, node) if not val.is_const else val

    def assign(self, target, val, s):
        if val is None:
            self.refuse(s, "the call has no value")
        if isinstance(target, ast.Name):
            self.store(self.names.keys[id(target)], target.id, val, target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target, val, s)
        elif isinstance(target, ast.Subscript):
            self.store_subscript(target, val, s)
        elif isinstance(target, ast.Attribute):
            self.store_attribute(target, val, s)
        else:
            self.refuse(target, f"{_what(target)} as an assignment target is not compiled")

    def unpack(self, target, val, s):
        if any(isinstance(t, ast.Starred) for t in target.elts):
            return self.unpack_starred(target, val, s)
        if val.is_list:
            val = self.unpack_list(val, len(target.elts), s)
        if val.is_array:
            array = self.keep(val, s)
            self.guard(s, n.binary("neq", Scalar("bool"), self.extent(array, 0, s), n.const(len(target.elts), n.INT64)),
                       ValueError, f"not exactly {len(target.elts)} values to unpack")
            val = group("tuple", [self.element(array, [number(k)], s) for k in range(len(target.elts))])
        if val.is_group("range", "iterator", "flat", "product") or isinstance(val.type, Const):
            val = self.list_from(val, s)
            val = self.unpack_list(val, len(target.elts), s) if val.is_list else val
        if not val.is_group("tuple", "list", "grid"):
            self.refuse(s, f"{val.type!r} cannot be unpacked")
        if len(val.items) != len(target.elts):
            self.raise_(s, ValueError, wrong_count(len(val.items), len(target.elts)))
            val = group("tuple", (list(val.items) + [number(0)] * len(target.elts))[:len(target.elts)])
        # Python evaluates the right side before it assigns: (a, b) = (b, a + b).
        items = [self.kept_parts(i, s) for i in val.items]
        if isinstance(s, ast.Assign) and isinstance(s.value, (ast.Tuple, ast.List)):
            items = [self.snapshot_of(i, s) for i in items]
        for t, item in zip(target.elts, items):
            self.assign(t, item, s)

    def unpack_starred(self, target, val, s):
        """Translates a, *b, c = val."""
        at = next(k for k, t in enumerate(target.elts) if isinstance(t, ast.Starred))
        behind = len(target.elts) - at - 1
        if val.is_group("iterator"):
            val = val.items[0]
        if not val.is_group("tuple", "list"):
            val = val if val.is_list else self.list_from(val, s)
        if val.is_list:
            if val.type.kind == "empty":
                val = group("list", [])
        if val.is_list:
            for k in range(at + behind):
                self.guard(s, n.binary("eq", Scalar("bool"), self.list_length(val, s), n.const(k, n.INT64)), ValueError, _too_few(k, at + behind))
            none = self.none()
            slices = group("slice", [number(at), number(-behind) if behind else none, none])
            items = [self.list_item(val, number(k), s) for k in range(at)] + [self.list_slice(val, slices, s)] + [
                self.list_item(val, number(k - behind), s) for k in range(behind)]
        else:
            if len(val.items) < at + behind:
                self.raise_(s, ValueError, _too_few(len(val.items), at + behind))
                val = group("list", [number(0)] * (at + behind))
            middle = len(val.items) - behind
            items = [*val.items[:at], group("list", val.items[at:middle]), *val.items[middle:]]
        items = [self.snapshot_of(self.kept_parts(i, s), s) for i in items]
        for t, item in zip(target.elts, items):
            self.assign(t.value if isinstance(t, ast.Starred) else t, item, s)

    def snapshot_of(self, val, s):
        """The current value, which later assignments to its variable do not change."""
        if val.row is not None:
            return Val(val.type, val.code, var=val.var, items=val.items, held=val.held, row=Val(val.row.type, items=[self.copied(val.row.items[0], s)], held=val.row.held))
        if val.is_group():
            return like(val, [self.snapshot_of(i, s) for i in val.items])
        return self.copied(val, s) if val.var is not None else val

    def stmt_AugAssign(self, s):
        if isinstance(s.target, ast.Name):
            key = self.names.keys.get(id(s.target))
            if key is None:
                self.refuse(s, f"'{s.target.id}' is changed before it has a value")
            old = self.load_target(s.target, key)
            val = self.expr(s.value)
            if old.is_group("set"):
                if not (type(s.op) in (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor) and val.is_group("set")):
                    self.refuse(s, f"this operator of a set and {val.type!r} is not compiled")
                if isinstance(s.op, ast.BitOr):
                    _sets.update(self, s, old, val)
                else:
                    _sets.change_in_place(self, s, type(s.op), old, val.items[0])
            elif old.is_listed:
                self.augment_list(s, old, val)
            elif isinstance(s.op, ast.Add) and self.loops and is_text_type(old.type) and is_text_type(val.type):
                old = _grown.converted(self, s, old)
                self.store(key, s.target.id, _grown.joined(self, s, [old, val]), s)
            elif isinstance(old.type, Rank0):
                self.refuse(s, "changing a 0-d array in place is not compiled", "write x = x + y, or pass an array of one dimension")
            elif old.is_array:
                whole = [group("slice", [self.none()] * 3)] * old.type.rank
                self.update(s, self.place_of(old, whole, s), old, val)
                self.in_place(old, s.op, val, s)
            elif key in self.wide_sums:
                self.add_wide(key, old, s, val)
            else:
                self.store(key, s.target.id, self.operate(s.op, old, val, s), s)
        elif isinstance(s.target, ast.Subscript):
            base = self.expr(s.target.value) if isinstance(s.target.value, ast.Name) else None
            if base is not None and base.is_group("dict"):
                return _dicts.augment(self, s, base, self.expr(s.target.slice), s.op, lambda: self.expr(s.value))
            if base is not None and base.is_group("fields"):
                key = self.expr(s.target.slice)
                new = self.operate(s.op, _fields.get_item(self, s, base, key), self.expr(s.value), s)
                return _fields.set_item(self, s, s.target, base, key, self.once(new, s) if new.is_scalar else new)
            place = self.place(s.target, s)
            if place is not None and place.list is not None and isinstance(place.list.type.item, Row):
                old = self.load_place(place, s)
                if old.is_list:
                    return self.augment_list(s, old, self.expr(s.value))
                val = self.expr(s.value)
                return self.in_place(self.read_row(old.row, s), s.op, val, s)
            if place is None:
                self.refuse(s, "changing a slice of a list in place is not compiled", "write x[i:j] = ...")
            old = self.load_place(place, s)
            before = len(self.out)
            val = self.expr(s.value)
            [old] = self.settled([old], before, s)
            if self.update(s, place, old, val):
                return
            new = self.operate(s.op, old, val, s)
            self.check_in_place(old, new, s)
            self.store_place(place, new, s)
        else:
            self.refuse(s, f"{_what(s.target)} as an assignment target is not compiled")

    def load_target(self, target, key):
        """The old value of the name that an augmented assignment changes."""
        if id(target) not in self.loads:
            load = self.loads[id(target)] = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            self.names.keys[id(load)] = key
            if id(target) in self.names.unbound:
                self.names.unbound.add(id(load))
        return self.expr(self.loads[id(target)])

    def in_place(self, array, op, val, s):
        if isinstance(op, ast.MatMult) and not _MATMUL_IN_PLACE:
            self.raise_(s, TypeError, "In-place matrix multiplication is not (yet) supported. Use 'a = a @ b' instead of 'a @= b'.")
            return
        if isinstance(op, ast.MatMult) and val.is_array and val.type.rank < 2:
            self.raise_(s, ValueError, "inplace matrix multiplication requires the first operand to have at least one and the "
                        "second at least two dimensions.")
            return
        new = self.operate(op, array, val, s)
        self.check_in_place(array, new, s)
        if new.is_array and new.type.rank > array.type.rank:
            self.refuse(s, "the right side has more dimensions than the array that is changed in place")
        self.store_whole(array, new, s)

    def check_in_place(self, old, new, s):
        if old.is_array and not np.can_cast(numpy_dtype(new.type), numpy_dtype(old.type), "same_kind"):
            self.refuse(s, f"NumPy does not store {new.type!r} into {old.type!r} in place",
                        "convert with .astype, or write x = x + y")

    def stmt_Delete(self, s):
        for target in s.targets:  # `del` of a name has no effect: the array is released later
            base = self.expr(target.value) if isinstance(target, ast.Subscript) else None
            if base is not None and base.is_group("dict"):
                _dicts.take(self, s, base, self.expr(target.slice))
            elif base is not None and base.is_listed:
                self.delete_item(base, target, s)
            elif not isinstance(target, ast.Name):
                self.refuse(target, "'del' is compiled for names and items of lists")

    # ---- branches
    def stmt_If(self, s):
        test = self.condition(s.test)
        if test.is_const:
            return self.body(s.body if test.const else s.orelse)
        then, a = self.block(self.body, s.body)
        otherwise, b = self.block(self.body, s.orelse)
        self.emit(n.if_(test.code, then, otherwise, self.loc(s)))
        return a or b

    def stmt_While(self, s):
        self.has_loop = True
        endless = isinstance(s.test, ast.Constant) and bool(s.test.value)
        before, test = self.block(self.condition, s.test)
        if test.is_const and not test.const:
            return self.body(s.orelse)
        flag = self.else_flag(s)
        if before or test.is_const:
            stop, _ = self.block(lambda: self.emit(n.unary("not", Scalar("bool"), test.code)))
            head = [] if test.is_const else [*before, n.if_(stop[0], ["(break)"], [], self.loc(s))]
            test_code = n.const(1, Scalar("bool"))
        else:
            head, test_code = [], test.code
        if flag is not None and head:
            self.refuse(s, "'else' of a loop whose condition needs several statements is not compiled")
        self.loops.append((s, flag, False))
        body, _ = self.block(self.body, s.body)
        self.loops.pop()
        self.emit(n.while_(test_code, head + body, self.loc(s)))
        ends = not endless or any(isinstance(x, ast.Break) for x in _own(s.body))
        if endless:  # the loop ends by break only, so its 'else' is never reached
            return ends
        return self.loop_else(s, flag, ends)

    def stmt_For(self, s):
        self.has_loop = True
        return self.for_loop(s)

    def else_flag(self, s):
        """The variable that records whether a loop with `else` was left by break."""
        if not s.orelse:
            return None
        id = self.temporary(Scalar("bool"))
        self.emit(n.assign([n.name(id, Scalar("bool"))], n.const(0, Scalar("bool")), self.loc(s)))
        return id

    def loop_else(self, s, flag, ends=True):
        if not s.orelse:
            return ends
        body, reached = self.block(self.body, s.orelse)
        has_break = any(isinstance(x, ast.Break) for x in _own(s.body))
        if not has_break:
            self.out.extend(body)
            return reached
        self.emit(n.if_(n.unary("not", Scalar("bool"), n.name(flag, Scalar("bool"))), body, [], self.loc(s)))
        return True

    def stmt_Break(self, s):
        flag = self.loops[-1][1]
        if self.loops[-1][2]:
            self.refuse(s, "leaving a parallel loop is not compiled", "use range for this loop")
        if self.leaves_try(s, BREAK):
            return False
        if flag is not None:
            self.emit(n.assign([n.name(flag, Scalar("bool"))], n.const(1, Scalar("bool")), self.loc(s)))
        self.emit(f"(break{self.loc(s)})")
        return False

    def stmt_Continue(self, s):
        if self.loops[-1][2]:
            self.refuse(s, "'continue' of a parallel loop is not compiled", "put the rest of the body under an 'if'")
        if self.leaves_try(s, CONTINUE):
            return False
        once = self.once_loops and self.once_loops[-1] is self.loops[-1][0]
        self.emit(f"({'break' if once else 'continue'}{self.loc(s)})")
        return False

    # ---- returns
    def stmt_Return(self, s):
        if any(parallel for _, _, parallel in self.loops):
            self.refuse(s, "leaving a parallel loop is not compiled", "use range for this loop")
        plain = self.expr(s.value) if s.value is not None else self.none()
        plain = self.promised(plain, self.source.annotations.get("return"), "the result", s)
        plain = self.out_of_rows(plain, s, True)
        self.returns_ragged_arrays = self.returns_ragged_arrays or plain.is_group("ragged") or plain.is_group("tuple") and any(i.is_group("ragged") for i in plain.items)
        val = self.returned(plain)
        self.returning = s
        self.returns.append((s, val, plain))
        self.returns_arguments = self.returns_arguments or any(
            self.source_of(a) is not None and self.root(self.source_of(a)) in {self.root(i) for i in self.argument_ids}
            for a in self.arrays_in(val))
        t = join_results(self.result, self.result_type(val))
        t = Maybe(_grown.as_result(self, t.inner)) if isinstance(t, Maybe) else _grown.as_result(self, t)
        if (t is None or isinstance(t, Maybe) and has_view(t.inner)) and not self.several_kinds and self.recipes_in(plain) + [k for k in (self.result, ) if has_view(k)]:
            self.several_kinds, self.result = True, None  # some returns would give views that NumPy makes, others arrays: return arrays only
            raise Unknown
        if t is None or isinstance(t, Maybe) and (self.called or has_view(t.inner)):
            known = t.inner if isinstance(t, Maybe) else self.result
            self.refuse(s, f"one return has type {known!r} and another {val.type if known != val.type else NONE!r}")
        self.result = t
        self.result_types.append(t)
        if any(trap.final is not None for trap in self.traps):
            val = self.snapshot_of(val, s)
            if not self.run_finals(s):
                return False
        lists = self.lists_in(val)
        for k, a in enumerate(lists):  # if a list occurs twice, the caller must get one object twice
            if not a.is_list and any(a.held & b.held for b in lists[:k] + lists[k + 1:]):
                self.need_level(a, 1, s)
        val = self.conformed_result(val, t, s)
        self.emit(f"(returnstmt{self.loc(s)} (exprs {' '.join(self.parts(val, t) + [text for _, text in self.hidden()])}))")
        return False

    def result_type(self, val):
        if val.is_list:
            return val.type
        if val.is_group("entries"):
            self.refuse(self.returning, "a view of a dictionary cannot be returned from a compiled function", "return a list of it")
        if is_collection(val.type) and any(self.list_root(key) in {self.list_root(p) for p in self.parameter_keys}
                                           for key, _ in val.items[0].held if key is not None):
            if self.called:
                self.refuse(self.returning, "returning a set or dictionary argument of a function that compiled code calls is not compiled", "return a copy: .copy()")
            if val.items[0].type.kind == "fixed":
                self.need_level(val.items[0], 2, self.returning)
        if val.is_group("fields"):
            _fields.check_result(self, self.returning, val)
        if val.is_group("tuple", "record", "list", "set", "dict", "fields", "rng", "text", "slice", "range", "optional", "choice", "arrays", "structured", "ragged", "texts", "zipped") or is_view(val.type):
            return val.type.with_items([self.result_type(i) for i in val.items])
        if isinstance(val.type, Const) and isinstance(val.type.value, (Closure, Method)):
            self.refuse(self.returning, f"{val.type!r} cannot be returned from a compiled function", "return its result instead")
        if val.is_group("element"):
            self.refuse(self.returning, f"an {val.type!r} cannot be returned from a compiled function", "return its fields; changes in place are visible in the caller's array")
        if val.is_group():
            self.refuse(self.returning, f"{'an' if val.type.kind[0] in 'aei' else 'a'} {val.type.kind} cannot be returned from a compiled function",
                        "return a tuple or an array")
        return val.type

    def conformed_result(self, val, t, s):
        """Converts the lists of a result to the result's type; records which arguments are among them."""
        if isinstance(t, Maybe):
            return val if val.is_none() else self.conformed_result(val, t.inner, s)
        if isinstance(t, Ragged) and val.is_list and val.type.kind == "empty":
            return self.to_ragged(self.new_list_as(val, List("growing", t.item), s), s)
        if isinstance(t, TextList) and val.is_list and val.type.kind == "empty":
            return _grown.list_out(self, s, self.new_list_as(val, List("growing", Grown()), s))
        if t.__class__.__name__ == "Text" and val.type != t and is_text_type(val.type):
            return _grown.as_text(self, s, _grown.converted(self, s, val))
        if val.is_listed:
            roots = {self.list_root(key) for key, _ in val.held if key is not None}
            for k, key in enumerate(self.parameter_keys):
                if self.list_root(key) in roots and self.list_parts(self.arg_types[k]) + [1] * (list_type(self.arg_types[k]) is not None):
                    self.given_back.add(k)
                elif self.list_root(key) in roots and val.held and leaves(self.arg_types[k]):
                    self.refuse(s, f"a {self.arg_types[k]!r} that is an argument is returned", "return a copy: list(x)")
        if isinstance(t, List) and not val.is_list and val.held:
            return self.listed(Val(val.type, items=val.items), s) if not self.given_back else self.as_list(val, t, s)
        if isinstance(t, List):
            return self.as_list(val, t, s)
        if isinstance(t, Group) and val.is_group() and not is_view(t):
            return like(val, [self.conformed_result(v, i, s) for v, i in zip(val.items, t.items)])
        return val

    def parts(self, val, t):
        """The numbers and arrays that represent a value of type t, as VRIR expressions."""
        if isinstance(t, Optional):
            val = self.as_optional(val, t)
        if isinstance(t, Choice):
            val = _choices.converted(self, val, t, self.tree)
        if isinstance(t, Maybe):
            there = n.const(int(not val.is_none()), Scalar("bool"))
            return [there, *([self.absent(leaf) for leaf in leaves(t.inner)] if val.is_none() else self.parts(val, t.inner))]
        if isinstance(t, Group):
            return [p for item, it in zip(val.items, t.items) for p in self.parts(item, it)]
        if isinstance(t, Array):
            if val.type.axes != t.axes:
                val = self.plain(val, self.tree)
            return [val.code]
        return [self.fit(val, t)] if isinstance(t, Scalar) else []

    def absent(self, t):
        """A number or an array without elements that a result contains if it is None, as a VRIR expression."""
        if isinstance(t, Scalar):
            return n.const(0, t)
        base = t.base()
        return self.keep(Val(base, n.alloc("empty", base, [n.ZERO] * base.rank)), self.tree).code

    def end_of_function(self):
        """Emits the return for control that reaches the end of the body."""
        none = self.none()
        if self.result is None or self.result == none.type:
            if self.unknown is None:
                self.result = none.type
            self.emit(f"(returnstmt (exprs {' '.join(text for _, text in self.hidden())}))")
            return
        t = join_results(self.result, none.type)
        if t is not None and not (isinstance(t, Maybe) and (self.called or has_view(t.inner))):  # a result that may be None
            self.result = t
            self.emit(f"(returnstmt (exprs {' '.join(self.parts(none, t) + [text for _, text in self.hidden()])}))")
            return
        self.raise_(self.tree.body[-1], UnsupportedError, f"'{self.tree.name}' ends without 'return' here, but other paths "
                    "return a value: compiled code cannot return None on some paths only")
        self.unreached_end()

    def unreached_end(self):
        """Emits a return of zeros of the function's result type."""
        zeros = []
        for t in leaves(self.result):
            id = self.temporary(t)
            zeros.append(n.name(id, t.base() if isinstance(t, Array) else t))
        self.emit(f"(returnstmt (exprs {' '.join(zeros + [text for _, text in self.hidden()])}))")

    def stmt_Raise(self, s):
        if s.exc is None:
            if not self.handling:
                self.refuse(s, "'raise' without an exception is compiled in handlers only")
            kind, args, _ = self.handling[-1]
            self.raise_(s, kind, *args)
            return False
        known = next((scope[s.exc.id] for scope in reversed(self.scopes) if isinstance(s.exc, ast.Name) and s.exc.id in scope), None)
        if known is not None and known.is_const and isinstance(known.const, BaseException):
            self.raise_(s, type(known.const), *known.const.args)
            return False
        call = s.exc if isinstance(s.exc, ast.Call) else None
        kind = self.exception_class(call.func if call else s.exc)
        self.raise_(s, kind, *self.messages(call.args if call else [], kind))
        return False

    def exception_class(self, node):
        kind = self.lookup_path(node)
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            self.refuse(node, "the exception class must be known at compile time")
        return kind

    def messages(self, nodes, kind):
        """The arguments of an exception of this class: constants, and Messages with numbers computed at run time."""
        # A handler's copy of an exception must be a constant, so it may contain no numbers.
        taken = None if any(t.catches(kind) is not None for t in self.traps) else set()
        return tuple(self.message(node, taken) for node in nodes)

    def message(self, node, taken):
        """`taken`: the VRIR expressions of the numbers that the raise statement already has; None: numbers are not allowed."""
        if isinstance(node, ast.JoinedStr):
            parts = [v.value if isinstance(v, ast.Constant) else self.formatted(v, taken) for v in node.values]
            return Message(parts) if any(not isinstance(p, str) for p in parts) else "".join(parts)
        val = self.expr(node)
        if val.type.__class__.__name__ == "Const":
            return val.type.value
        if val.is_const:
            return val.const
        number = self.number_of_message(val, taken)
        if number is None and taken is None and self.traps == [self.told]:
            return Written("{" + ast.unparse(node) + "}")
        if number is None:
            self.refuse(node, "arguments of exceptions inside of 'try' must be constants" if taken is None else
                        f"the arguments of an exception must be constants or numbers, at most {MOST_NUMBERS} numbers")
        return Message([number], is_text=False)

    def formatted(self, node, taken):
        """A replacement field of an f-string: a constant string or a Number. A field that is not supported is shown as its source text."""
        size, written = len(self.out), "{" + ast.unparse(node.value) + "}"
        spec = node.format_spec
        if spec is not None and not all(isinstance(v, ast.Constant) for v in spec.values):
            return written
        spec = "".join(v.value for v in spec.values) if spec is not None else ""
        try:
            val = self.expr(node.value)
        except UnsupportedError:
            del self.out[size:]
            return written
        const = val.type.value if isinstance(val.type, Const) else val.const if val.is_const else None
        if isinstance(const, (str, bool, int, float, complex)):
            convert = {-1: lambda x: x, ord("s"): str, ord("r"): repr, ord("a"): ascii}[node.conversion]
            try:
                return format(convert(const), spec)
            except (ValueError, TypeError):
                return written
        number = self.number_of_message(val, taken, node.conversion, spec)
        if number is None:
            del self.out[size:]
            return written
        try:
            number.trial()
        except (ValueError, TypeError):
            return written
        return number

    def number_of_message(self, val, taken, *how):
        if taken is None:
            return None
        texts = val.type.values if isinstance(val.type, Choice) else None
        val = val.items[0] if texts is not None else val
        if not val.is_scalar or val.type.complex or (val.code not in taken and len(taken) >= MOST_NUMBERS):
            return None
        taken.add(val.code)
        return Number(val.code, val.type, *(how or (-1, "")), texts)

    def stmt_Assert(self, s):
        test = self.condition(s.test)
        if test.is_const and test.const:
            return
        body, _ = self.block(self.failed_assert, s)
        if test.is_const:
            self.out.extend(body)
        else:
            self.emit(n.if_(n.unary("not", Scalar("bool"), test.code), body, [], self.loc(s)))

    def failed_assert(self, s):
        self.raise_(s, AssertionError, *self.messages([s.msg] if s.msg is not None else [], AssertionError))

    def lookup_path(self, node):
        if isinstance(node, ast.Name):
            try:
                return self.lookup(node.id)
            except NameError:
                return getattr(builtins, node.id, None)
        if isinstance(node, ast.Attribute):
            return getattr(self.lookup_path(node.value), node.attr, None)
        return None


def wrong_count(have, want):
    """Python's message for unpacking `have` values to `want` names."""
    try:
        exec("(" + "a, " * want + ") = x", {"x": [0] * have})
    except ValueError as e:
        return str(e)


def _too_few(k, least):
    try:
        exec("(" + "a, " * least + "*b) = x", {"x": [0] * k})
    except ValueError as e:
        return str(e)


def _own(statements):
    """The statements inside of these, without those of inner loops and functions."""
    for s in statements:
        yield s
        if not isinstance(s, (ast.For, ast.While, ast.FunctionDef)):
            for field in ("body", "orelse", "handlers", "finalbody", "cases"):
                yield from _own(getattr(s, field, []))


def _what(node):
    names = {"Try": "'try'", "With": "'with'", "ClassDef": "a class", "FunctionDef": "a function inside of a function",
             "Global": "'global'", "Nonlocal": "'nonlocal'", "Lambda": "'lambda'", "Dict": "a dictionary",
             "Set": "a set", "JoinedStr": "a formatted string", "Yield": "'yield'", "Await": "'await'",
             "ListComp": "a list comprehension", "DictComp": "a dictionary comprehension", "Match": "'match'",
             "GeneratorExp": "a generator", "Starred": "'*'", "Attribute": "an attribute"}
    return names.get(type(node).__name__, f"this ({type(node).__name__})")
