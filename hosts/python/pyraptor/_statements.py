"""Statements. Each method gives whether what follows can be reached."""
from __future__ import annotations

import ast
import builtins

import numpy as np

from . import _nodes as n
from ._errors import UnsupportedError
from ._parallel import Loops
from ._types import Array, Group, Scalar, is_float, join, leaves
from ._value import Unknown, group, number
from ._views import has_view, is_view

_EXCEPTIONS = (ValueError, IndexError, ZeroDivisionError, TypeError, RuntimeError, ArithmeticError, OverflowError,
               AssertionError, KeyError, NotImplementedError, MemoryError, Exception, StopIteration)

_MATMUL_IN_PLACE = np.lib.NumpyVersion(np.__version__) >= "1.25.0"


class Statements(Loops):
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
            # Known in a later round; until then the statement does nothing.
            del self.out[size:]
            self.unknown = s
            return True
        except UnsupportedError:
            raise
        except Exception as e:
            # Not to be seen: a construct that nobody thought of. Refused like others, so that `fallback` works.
            self.refuse(s, f"the front end failed ({type(e).__name__}: {e})", "please report it")

    def stmt_Pass(self, s):
        pass

    def stmt_Expr(self, s):
        if isinstance(s.value, ast.Constant):
            return  # a docstring
        val = self.expr(s.value, drop=True)
        if val is not None and val.is_numeric and val.var is None and not val.is_const:
            self.emit(f"(exprstmt{self.loc(s)} {val.code})")

    def stmt_Import(self, s):
        self.refuse(s, "imports inside of compiled functions are not compiled", "import at the top of the file")

    stmt_ImportFrom = stmt_Import

    # ---- assignment
    def stmt_Assign(self, s):
        val = self.expr(s.value)
        if len(s.targets) > 1:
            val = self.kept_parts(val, s)
        for target in s.targets:
            self.assign(target, val, s)

    def stmt_AnnAssign(self, s):
        if s.value is not None:
            val = self.expr(s.value)
            if not isinstance(s.target, ast.Name):  # names: `store`, for all assignments alike
                what = "the value that is assigned"
                val = self.promised(val, self.source.annotation(s.annotation), what, s)
            self.assign(s.target, val, s)

    def kept_parts(self, val, node):
        if val.is_group():
            return group(val.type.kind, [self.kept_parts(i, node) for i in val.items])
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
            self.refuse(target, f"{_what(target)} is no target that is compiled")

    def unpack(self, target, val, s):
        if val.is_array:
            array = self.keep(val, s)
            self.guard(s, n.binary("neq", Scalar("bool"), self.extent(array, 0, s), n.const(len(target.elts), n.INT64)),
                       ValueError, f"not exactly {len(target.elts)} values to unpack")
            val = group("tuple", [self.element(array, [number(k)], s) for k in range(len(target.elts))])
        if not val.is_group("tuple", "list", "grid"):
            self.refuse(s, f"{val.type!r} cannot be unpacked")
        if any(isinstance(t, ast.Starred) for t in target.elts):
            self.refuse(target, "starred targets are not compiled")
        if len(val.items) != len(target.elts):
            self.refuse(s, f"{len(val.items)} values for {len(target.elts)} names")
        # Python evaluates the whole right side first: (a, b) = (b, a + b).
        items = [self.kept_parts(i, s) for i in val.items]
        if isinstance(s, ast.Assign) and isinstance(s.value, (ast.Tuple, ast.List)):
            items = [self.snapshot_of(i, s) for i in items]
        for t, item in zip(target.elts, items):
            self.assign(t, item, s)

    def snapshot_of(self, val, s):
        """The value as it is now, whatever is assigned to its variable next."""
        if val.is_group():
            return group(val.type.kind, [self.snapshot_of(i, s) for i in val.items])
        return self.copied(val, s) if val.var is not None else val

    def stmt_AugAssign(self, s):
        if isinstance(s.target, ast.Name):
            key = self.names.keys.get(id(s.target))
            if key is None:
                self.refuse(s, f"'{s.target.id}' is assigned before it has a value")
            old = self.load_target(s.target, key)
            val = self.expr(s.value)
            if old.is_array:
                whole = [group("slice", [self.none()] * 3)] * old.type.rank
                self.update(s, self.place_of(old, whole, s), old, val)
                self.in_place(old, s.op, val, s)
            elif key in self.wide_sums:
                self.add_wide(key, old, s, val)
            else:
                self.store(key, s.target.id, self.operate(s.op, old, val, s), s)
        elif isinstance(s.target, ast.Subscript):
            place = self.place(s.target, s)
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
            self.refuse(s, f"{_what(s.target)} is no target that is compiled")

    def load_target(self, target, key):
        """The old value of a name that `+=` changes."""
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
        order = lambda t: (2 if t.complex else 1 if is_float(t.elem) else 0 if t.elem != "bool" else -1)
        if old.is_array and order(new.type) > order(old.type):
            self.refuse(s, f"NumPy does not store {new.type!r} into {old.type!r} in place",
                        "convert with .astype, or write x = x + y")

    def stmt_Delete(self, s):
        for target in s.targets:  # of a name: its array lives a little longer
            if not isinstance(target, ast.Name):
                self.refuse(target, "'del' of items is not compiled")

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
            self.refuse(s, "'else' of a loop whose test needs several steps is not compiled")
        self.loops.append((s, flag, False))
        body, _ = self.block(self.body, s.body)
        self.loops.pop()
        self.emit(n.while_(test_code, head + body, self.loc(s)))
        ends = not endless or any(isinstance(x, ast.Break) for x in _own(s.body))
        if endless:  # its 'else' is never reached
            return ends
        return self.loop_else(s, flag, ends)

    def stmt_For(self, s):
        self.has_loop = True
        return self.for_loop(s)

    def else_flag(self, s):
        """The variable that says whether a loop with `else` was left by break."""
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
            self.refuse(s, "a parallel loop cannot be left", "use range for this loop")
        if flag is not None:
            self.emit(n.assign([n.name(flag, Scalar("bool"))], n.const(1, Scalar("bool")), self.loc(s)))
        self.emit(f"(break{self.loc(s)})")
        return False

    def stmt_Continue(self, s):
        if self.loops[-1][2]:
            self.refuse(s, "'continue' of a parallel loop is not compiled", "put the rest of the body under an 'if'")
        self.emit(f"(continue{self.loc(s)})")
        return False

    # ---- the end of calls
    def stmt_Return(self, s):
        if any(parallel for _, _, parallel in self.loops):
            self.refuse(s, "a parallel loop cannot be left", "use range for this loop")
        plain = self.expr(s.value) if s.value is not None else self.none()
        plain = self.promised(plain, self.source.annotations.get("return"), "the result", s)
        val = self.returned(plain)
        self.returning = s
        self.returns.append((s, val, plain))
        self.returns_arguments = self.returns_arguments or any(
            self.source_of(a) is not None and self.root(self.source_of(a)) in {self.root(i) for i in self.argument_ids}
            for a in self.arrays_in(val))
        t = join(self.result, self.result_type(val))
        if t is None and not self.several_kinds and self.recipes_in(plain) + [k for k in (self.result, ) if has_view(k)]:
            self.several_kinds, self.result = True, None  # one may be a view, another is not: arrays, then
            raise Unknown
        if t is None:
            self.refuse(s, f"one return gives {self.result!r} and another {val.type!r}")
        self.result = t
        self.emit(f"(returnstmt{self.loc(s)} (exprs {' '.join(self.parts(val, t))}))")
        return False

    def result_type(self, val):
        if val.is_group("tuple") or is_view(val.type):
            return Group(val.type.kind, [self.result_type(i) for i in val.items])
        if val.is_group():
            self.refuse(self.returning, f"a {val.type.kind} cannot be returned from a compiled function",
                        "return a tuple or an array")
        return val.type

    def parts(self, val, t):
        """VRIR texts of the numbers and arrays of a value of type t."""
        if isinstance(t, Group):
            return [p for item, it in zip(val.items, t.items) for p in self.parts(item, it)]
        if isinstance(t, Array):
            if val.type.axes != t.axes:
                val = self.plain(val, self.tree)
            return [val.code]
        return [self.fit(val, t)] if isinstance(t, Scalar) else []

    def end_of_function(self):
        """What happens when control reaches the end of the body."""
        none = self.none()
        if self.result is None or self.result == none.type:
            if self.unknown is None:
                self.result = none.type
            self.emit("(returnstmt (exprs))")
            return
        self.raise_(self.tree.body[-1], UnsupportedError, f"'{self.tree.name}' ends without 'return' here, and other ways of it "
                    "return a value: compiled code cannot return None on some ways only")
        zeros = []
        for t in leaves(self.result):
            id = self.temporary(t)
            zeros.append(n.name(id, t.base() if isinstance(t, Array) else t))
        self.emit(f"(returnstmt (exprs {' '.join(zeros)}))")

    def stmt_Raise(self, s):
        kind, args = Exception, ()
        if s.exc is None:
            self.refuse(s, "'raise' without an exception is not compiled")
        call = s.exc if isinstance(s.exc, ast.Call) else None
        kind = self.exception_class(call.func if call else s.exc)
        if call:
            args = tuple(self.message(a) for a in call.args)
        self.raise_(s, kind, *args)
        return False

    def exception_class(self, node):
        kind = self.lookup_path(node)
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            self.refuse(node, "this is no exception class that is known when the function is compiled")
        return kind

    def message(self, node):
        if isinstance(node, ast.JoinedStr):
            return "".join(v.value if isinstance(v, ast.Constant) else "{" + ast.unparse(v.value) + "}" for v in node.values)
        val = self.expr(node)
        if val.type.__class__.__name__ == "Const":
            return val.type.value
        if val.is_const:
            return val.const
        self.refuse(node, "arguments of exceptions must be constants")

    def stmt_Assert(self, s):
        test = self.condition(s.test)
        args = (self.message(s.msg),) if s.msg is not None else ()
        if test.is_const:
            if not test.const:
                self.raise_(s, AssertionError, *args)
            return
        self.guard(s, n.unary("not", Scalar("bool"), test.code), AssertionError, *args)

    def lookup_path(self, node):
        if isinstance(node, ast.Name):
            try:
                return self.lookup(node.id)
            except NameError:
                return getattr(builtins, node.id, None)
        if isinstance(node, ast.Attribute):
            return getattr(self.lookup_path(node.value), node.attr, None)
        return None


def _own(statements):
    """The statements inside, without those of inner loops and functions."""
    for s in statements:
        yield s
        if not isinstance(s, (ast.For, ast.While, ast.FunctionDef)):
            for field in ("body", "orelse"):
                yield from _own(getattr(s, field, []))


def _what(node):
    names = {"Try": "'try'", "With": "'with'", "ClassDef": "a class", "FunctionDef": "a function inside of a function",
             "Global": "'global'", "Nonlocal": "'nonlocal'", "Lambda": "'lambda'", "Dict": "a dictionary",
             "Set": "a set", "JoinedStr": "a formatted string", "Yield": "'yield'", "Await": "'await'",
             "ListComp": "a list comprehension", "DictComp": "a dictionary comprehension", "Match": "'match'",
             "GeneratorExp": "a generator", "Starred": "'*'", "Attribute": "an attribute"}
    return names.get(type(node).__name__, f"this ({type(node).__name__})")
