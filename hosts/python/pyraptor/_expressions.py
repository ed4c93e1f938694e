"""Expressions: names, constants, conditions, attributes, literals."""
from __future__ import annotations

import ast
import builtins
import re

import numpy as np

from . import _nodes as n
from . import _buffers, _choices, _dicts, _fields, _flags, _grown, _random, _records, _sets, _structured, _texts
from ._calls import Method
from ._errors import NeedsValues, UnsupportedError
from ._types import BOOL, DTYPES, INT, Array, Choice, Const, Group, Grown, List, Optional, Rank0, Scalar, is_int, is_numeric, join, numpy_dtype
from ._numpy import OTHERWISE
from ._value import Unknown, Val, constant, group, like, number, of_type
from ._views import ATTRIBUTES

_BOOL = Scalar("bool")
AXIS_ERROR = getattr(np, "exceptions", np).AxisError
INT64 = Scalar("int64")


def _is_weak(t):
    """Whether an argument of this type is a Python number, or a tuple of them."""
    return all(map(_is_weak, t.items)) if type(t) is Group and t.kind in ("tuple", "slice", "range") else isinstance(t, Const) or (
        isinstance(t, Scalar) and t.weak)


class Expressions:
    def expr(self, node, drop=False):
        """The value of an expression. `drop`: the value is not used. A value None (a call without results) is allowed only then."""
        method = getattr(self, "expr_" + type(node).__name__, None)
        if method is None:
            from ._statements import _what
            self.refuse(node, f"{_what(node)} is not compiled")
        val = method(node)
        if val is None and not drop:
            return self.none()
        return val

    def none(self):
        return constant(None)

    def expr_Constant(self, node):
        v = node.value
        if isinstance(v, (bool, int, float, complex)):
            return self.value_of(v, node, repr(v))
        return constant(v)

    # ---- names
    def expr_Name(self, node):
        for scope in reversed(self.scopes):
            if node.id in scope:
                return scope[node.id]
        if id(node) in self.names.never:
            self.refuse(node, f"'{node.id}' is read before it is assigned")
        key = self.names.keys.get(id(node))
        if key is not None:
            if id(node) in self.names.unbound:
                flag = n.name(self.symbol(("bound", key), (), _BOOL), _BOOL)
                self.guard(node, n.unary("not", _BOOL, flag), UnboundLocalError,
                           f"cannot access local variable '{node.id}' where it is not associated with a value")
            val = self.read(key)
            if node.id in self.names.changed and (val.is_numeric or val.is_group("tuple", "optional", "choice")):
                return self.snapshot_of(val, node)  # a later call in the same expression may assign the variable
            return val
        try:
            o = self.lookup(node.id)
        except NameError:
            self.refuse(node, f"name '{node.id}' is not defined")
        return self.value_of(o, node, node.id)

    def expr_NamedExpr(self, node):
        val = self.expr(node.value)
        self.assign(node.target, val, node)
        return self.read(self.names.keys[id(node.target)])

    # ---- conditions
    def condition(self, node):
        """The truth value of an expression: a bool number or a constant."""
        if isinstance(node, ast.BoolOp):
            return self.connect(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            test = self.condition(node.operand)
            if test.is_const:
                return number(not test.const)
            return Val(BOOL, n.unary("not", _BOOL, test.code))
        return self.truth(self.expr(node), node)

    def truth(self, val, node):
        if isinstance(val.type, Const):
            return number(bool(val.type.value))
        if isinstance(val.type, Choice):
            return _choices.applied(self, node, bool, [val], "the truth value")
        if _grown.is_made(val):
            return _grown.asked(self, node, "the truth value", bool, [val], BOOL)
        if isinstance(val.type, Optional):
            test = self.truth(val.items[1], node)
            return Val(BOOL, n.binary("and", _BOOL, val.items[0].code, test.code))
        if val.is_group("set", "dict"):
            val = val.items[0]
        if val.is_group("buffer"):
            return Val(BOOL, n.binary("neq", _BOOL, self.extent(self.keep(val.items[0], node), 0, node), n.ZERO))
        if val.is_list:
            return number(False) if val.type.kind == "empty" else Val(BOOL, n.binary("neq", _BOOL, self.list_length(val, node), n.ZERO))
        if val.is_group("tuple", "list", "fields"):
            return number(bool(val.items))
        if val.is_array:
            self.refuse(node, "an array has no single truth value", "use .any() or .all()")
        if not val.is_scalar:
            self.refuse(node, f"{val.type!r} has no truth value here")
        if val.is_const:
            return number(bool(val.const))
        if val.type.complex:
            return Val(BOOL, n.binary("neq", _BOOL, val.code, n.const(0, val.type)))
        if val.type.elem == "bool":
            return Val(BOOL, val.code)
        return Val(BOOL, n.binary("neq", _BOOL, val.code, n.const(0, val.type)))

    def connect(self, node):
        """`and` and `or` whose operands are used as truth values."""
        is_and = isinstance(node.op, ast.And)
        result = None
        for k, operand in enumerate(node.values):
            before, test = self.block(self.condition, operand)
            if test.is_const and not before:
                if bool(test.const) != is_and:  # decides
                    return test if result is None else Val(BOOL, n.binary("and" if is_and else "or", _BOOL, result.code,
                                                                           test.code))
                if k == len(node.values) - 1 and result is None:
                    return test
                continue
            if result is None:
                self.out.extend(before)
                result = test
            elif not before:
                result = Val(BOOL, n.binary("and" if is_and else "or", _BOOL, result.code, test.code))
            else:
                # The right operand needs statements of its own, which must run only if Python evaluates the operand.
                flag = self.temporary(_BOOL)
                self.emit(n.assign([n.name(flag, _BOOL)], result.code, self.loc(operand)))
                before.append(n.assign([n.name(flag, _BOOL)], test.code, self.loc(operand)))
                guard = n.name(flag, _BOOL) if is_and else n.unary("not", _BOOL, n.name(flag, _BOOL))
                self.emit(n.if_(guard, before, [], self.loc(operand)))
                result = Val(BOOL, n.name(flag, _BOOL), var=flag)
        return result if result is not None else number(is_and)

    def expr_BoolOp(self, node):
        before, values = self.block(lambda: [self.expr(v) for v in node.values])
        if all(v.is_scalar and v.type == BOOL for v in values):
            return self.connect(node)
        if any(v.is_array for v in values):
            self.refuse(node, "'and' and 'or' need single truth values, not arrays", "use & and | with parentheses")
        # As in Python, the result is one of the operands.
        val = self.expr(node.values[0])
        for operand in node.values[1:]:
            test = self.truth(val, node)
            if test.is_const:
                if bool(test.const) != isinstance(node.op, ast.And):
                    return val
                val = self.expr(operand)
                continue
            val = self.keep(val, node)
            if isinstance(node.op, ast.And):
                val = self.choose(test, lambda o=operand: self.expr(o), lambda v=val: v, node)
            else:
                val = self.choose(test, lambda v=val: v, lambda o=operand: self.expr(o), node)
        return val

    def expr_IfExp(self, node):
        test = self.condition(node.test)
        if test.is_const:
            return self.expr(node.body if test.const else node.orelse)
        return self.choose(test, lambda: self.expr(node.body), lambda: self.expr(node.orelse), node)

    def choose(self, test, yes, no, node):
        then, a = self.try_block(yes, node)
        otherwise, b = self.try_block(no, node)
        if a is None or b is None:  # one operand's type becomes known in a later round; use the other's type in this round
            if a is None and b is None:
                raise Unknown
            a, b = a or b, b or a
        if a.row is not None and b.row is not None and (t := join(a.row.type, b.row.type)) is not None:
            row = self.choose_parts(test, t, then, a.row, otherwise, b.row, node)
            return self.read_row(Val(t, items=row.items, held=a.row.held | b.row.held), node)
        t = join(a.type, b.type)
        if isinstance(t, List):
            return self.choose_list(test, t, then, a, otherwise, b, node)
        if t is None:
            self.refuse(node, f"the value is {a.type!r} on one path and {b.type!r} on the other")
        if not is_numeric(t):
            if isinstance(t, Optional):
                a, b = self.as_optional(a, t), self.as_optional(b, t)
            if isinstance(t, Choice):
                more, a = self.block(_choices.converted, self, a, t, node)
                others, b = self.block(_choices.converted, self, b, t, node)
                then, otherwise = then + more, otherwise + others
            if isinstance(t, Grown):
                more, a = self.block(_grown.converted, self, node, a)
                others, b = self.block(_grown.converted, self, node, b)
                then, otherwise = then + more, otherwise + others
            if isinstance(t, Group):
                return self.choose_parts(test, t, then, a, otherwise, b, node)
            return a
        id = self.temporary(t)
        plain = t.base() if isinstance(t, Array) else t
        for out, val in ((then, a), (otherwise, b)):
            before, text = self.block(self.fit, val, t)
            out += [*before, n.assign([n.name(id, plain)], text, self.loc(node))]
            self.holds(id, val, node)
        self.emit(n.if_(test.code, then, otherwise, self.loc(node)))
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        return Val(t, n.name(id, plain), var=id, low=low)

    def try_block(self, write, node):
        try:
            return self.block(write)
        except Unknown:
            self.unknown = node
            return [], None

    def choose_parts(self, test, t, then, a, otherwise, b, node):
        test = self.keep(test, node)
        self.emit(n.if_(test.code, then, otherwise, self.loc(node)))
        made = of_type(t, [self.choose(test, lambda x=x: x, lambda y=y: y, node) for x, y in zip(a.items, b.items)])
        made.held = a.held | b.held
        return made

    def choose_list(self, test, t, then, a, otherwise, b, node):
        ids = [self.temporary(i) for i in t.items]
        for out, val in ((then, a), (otherwise, b)):
            before, val = self.block(self.as_list, val, t, node)
            out += before
            for id, i, v in zip(ids, t.items, val.items):
                out.append(n.assign([n.name(id, i)], v.code, self.loc(node)))
                self.holds(id, v, node)
        self.emit(n.if_(test.code, then, otherwise, self.loc(node)))
        items = [Val(i, n.name(id, i), var=id, low=0 if isinstance(i, Scalar) else None) for id, i in zip(ids, t.items)]
        return Val(t, items=items, held=a.held | b.held)

    def expr_Compare(self, node):
        left, *rights = self.operands([node.left, *node.comparators])
        result = None
        for op, right in zip(node.ops, rights):
            if len(node.ops) > 1:
                left, right = self.once(left, node), self.once(right, node)
            test = self.compare(op, left, right, node)
            if result is None:
                result = test
            elif result.is_const and test.is_const:
                result = number(bool(result.const and test.const))
            else:
                if result.is_array or test.is_array:
                    self.refuse(node, "a chain of comparisons of arrays is not compiled", "write (a < b) & (b < c)")
                result = Val(BOOL, n.binary("and", _BOOL, result.code, test.code))
            left = right
        return result

    # ---- operators
    def expr_BinOp(self, node):
        left, right = self.operands([node.left, node.right])
        return self.operate(node.op, left, right, node)

    def operands(self, nodes):
        """Evaluates the nodes from left to right. If a later node contains a call, which may store to arrays, the earlier values are saved first."""
        values = []
        for operand in nodes:
            before = len(self.out)
            value = self.expr(operand)
            values = self.settled(values, before, operand)
            values.append(value)
        return values

    def settled(self, values, before, node):
        """The values as they were when only `before` statements had been emitted, so that later stores do not affect them."""
        late = self.out[before:]
        if not any("(fncall " in s or "(lhs (index " in s or s in self.list_writes for s in late):
            return values
        self.out = self.out[:before]
        values = [self.settled_value(v, node) for v in values]
        self.out.extend(late)
        if any(s in self.list_writes for s in late):  # rows may have changed
            values = [self.read_row(v.row, node) if v.row is not None else v for v in values]
        return values

    def settled_value(self, v, node):
        if v.is_group():
            return v if v.is_list else like(v, [self.settled_value(i, node) for i in v.items])
        if v.is_array and v.snapshot is not None:
            place = self.places.place(node)
            if any(self.root(id) == self.root(v.snapshot) and self.places.place(s) == place for id, s in self.stores):
                self.refuse(node, "this stores to an array of which the left operand is a copy here, but a view in NumPy",
                            "write two statements")
        # A variable that holds an array is a reference: later stores to the elements are visible through it in Python, too.
        if not v.is_numeric or v.is_const or (v.is_array and v.var is not None):
            return v
        return self.copied(v, node)

    def expr_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        return self.unary(node.op, self.expr(node.operand), node)

    # ---- literals
    def expr_Tuple(self, node):
        return group("tuple", self.spread(node.elts))

    def expr_List(self, node):
        if any(isinstance(e, ast.Starred) for e in node.elts):
            values = self.operands([e.value if isinstance(e, ast.Starred) else e for e in node.elts])
            if any(isinstance(e, ast.Starred) and not v.is_group("tuple", "list") for e, v in zip(node.elts, values)):
                whole = group("list", [])
                for e, v in zip(node.elts, values):
                    part = self.list_from(v, e) if isinstance(e, ast.Starred) else group("list", [v])
                    whole = self.joined_lists(whole, part, node)
                return whole
            return group("list", self.spread_values(node.elts, values))
        return group("list", self.spread(node.elts))

    def spread(self, nodes):
        """The values of the items; an item with '*' is unpacked to several."""
        if not any(isinstance(e, ast.Starred) for e in nodes):
            return self.operands(nodes)
        values = self.operands([e.value if isinstance(e, ast.Starred) else e for e in nodes])
        return self.spread_values(nodes, values)

    def spread_values(self, nodes, values):
        out = []
        for e, v in zip(nodes, values):
            if not isinstance(e, ast.Starred):
                out.append(v)
            elif v.is_group("tuple", "list"):
                out += v.items
            else:
                self.refuse(e, f"'*' of {v.type!r} is not compiled here: the number of values must be known at compile time")
        return out

    def expr_ListComp(self, node):
        before = len(self.out)
        static = self.static_comprehension(node)
        if static is not None:
            return static
        del self.out[before:]
        for g in node.generators:
            if g.is_async:
                self.refuse(node, "'async' is not compiled")
        return self.comprehension(node, [(g.target, g.iter, g.ifs) for g in node.generators], lambda item: self.expr(node.elt))

    def static_comprehension(self, node):
        """The list that a comprehension makes, if its length is known at compile time; else None."""
        items = []
        if any(g.is_async for g in node.generators):
            return None
        before = len(self.out)

        def passes(tests):
            """Whether the conditions hold; None if this is known only at run time."""
            for x in tests:
                test = self.condition(x)
                if not test.is_const or len(self.out) != before:
                    return None
                if not test.const:
                    return False
            return True

        def generate(k):
            if k == len(node.generators):
                items.append(self.expr(node.elt))
                return True
            g = node.generators[k]
            it = self.expr(g.iter)
            if isinstance(it.type, Const):
                it = self.turned(it, node)
            if it.is_group("range") and all(p.is_const for p in it.items):
                values = [number(v) for v in range(*(p.const for p in it.items))]
            elif it.is_group("tuple", "list"):
                values = it.items
            else:
                return False
            if len(values) > 64:
                return False
            for v in values:
                self.scopes.append(self.comprehension_names(g.target, v, node))
                try:
                    taken = passes(g.ifs)
                    if taken is None:
                        return False
                    if not taken:
                        continue
                    if not generate(k + 1) or len(items) > 64:
                        return False
                finally:
                    self.scopes.pop()
            return True

        return group("list", items) if generate(0) else None

    def expr_GeneratorExp(self, node):
        return group("iterator", [self.expr_ListComp(node)])

    def comprehension_names(self, target, v, node):
        if isinstance(target, ast.Name):
            return {target.id: v}
        if isinstance(target, ast.Tuple) and v.is_group("tuple", "list") and len(v.items) == len(target.elts):
            return {k: x for t, i in zip(target.elts, v.items) for k, x in self.comprehension_names(t, i, node).items()}
        self.refuse(target, "this target is not compiled")

    # ---- attributes
    def expr_Attribute(self, node):
        base = self.expr(node.value)
        if base.row is not None and node.attr in ("append", "pop"):
            self.without_views(base)
        return self.attribute(base, node.attr, node)

    def attribute(self, base, name, node):
        if isinstance(base.type, Const):
            o = base.type.value
            if isinstance(o, np.dtype) and name in ("type", "itemsize", "kind", "name"):
                return self.value_of(getattr(o, name), node, name)
            try:
                found = getattr(o, name)
            except AttributeError:
                self.refuse(node, f"{base.type!r} has no attribute '{name}'")
            return self.value_of(found, node, name)
        if base.is_numeric:
            if name == "shape":
                base = self.keep(base, node) if base.is_array else base
                return group("tuple", [self.extent_value(base, k, node) for k in range(base.type.rank)])
            if name == "ndim":
                return number(base.type.rank)
            if name == "size":
                return self.size(base, node)
            if name == "dtype":
                return constant(numpy_dtype(base.type))
            if name == "itemsize":
                return number(numpy_dtype(base.type).itemsize)
            if name == "nbytes":
                return self.operate(ast.Mult(), self.size(base, node), number(numpy_dtype(base.type).itemsize), node)
            if name in ATTRIBUTES:
                val = self.complex_part(base, name, node) if name in ("real", "imag") else self.transposed(
                    base, None if name == "T" else [*range(base.type.rank - 2), -1, -2], node)
                return self.of_kind(ATTRIBUTES[name], base, [base], val, node) if val.is_array else val
            if name == "flags" and base.is_array:
                return group("flags", [self.keep(base, node)])
            if name == "flat" and base.is_array:
                return group("flat", [self.keep(base, node)])
            if name == "strides":
                return _flags.strides(self, node, base) if base.is_array else group("tuple", [])
            if name in ("numerator", "denominator") and base.is_scalar and is_int(base.type.elem):
                return base if name == "numerator" else number(1)
            method = self.method(base, name)
            if method is not None:
                return constant(method)
        if (_choices.is_choice(base) or _grown.is_made(base)) and callable(getattr(str, name, None)):
            return constant(Method(base, name))
        if base.is_group("structured", "element"):
            found = _structured.attribute(self, node, base, name)
            if found is not None:
                return found
        if isinstance(base.type, _random.Rng):
            found = _random.attribute(base, name)
            if found is not None:
                return found
        if isinstance(base.type, _records.Record):
            found = _records.attribute(self, base, name, node)
            if found is not None:
                return found
        if base.is_group("flags"):
            return _flags.flag(self, node, base, name)
        if base.is_group("buffer"):
            found = _buffers.attribute(self, node, base, name)
            if found is not None:
                return found
        if base.is_group("set") and name in _sets.METHODS or base.is_group("dict") and name in _dicts.METHODS or (
                base.is_group("fields") and name in _fields.METHODS):
            return constant(Method(base, name))
        if (base.is_listed or base.is_group("tuple") and name in ("index", "count")) and self.list_method(name) is not None:
            return constant(Method(base, name))
        if base.is_group("slice") and name in ("start", "stop", "step"):
            return base.items[("start", "stop", "step").index(name)]
        if base.is_group("slice") and name == "indices":
            return constant(Method(base, name))
        if base.is_group("range") and name in ("start", "stop", "step"):
            return base.items[("start", "stop", "step").index(name)]
        self.refuse(node, f"'.{name}' of {base.type!r} is not compiled", OTHERWISE if base.is_array else
                    "make it an array: np.array(x)" if base.is_listed else None)

    def complex_part(self, base, name, node):
        t = base.type
        if base.is_scalar and t == BOOL:  # True.real is 1
            base = number(int(base.const)) if base.is_const else Val(INT, self.cast(base, "int64"), low=0)
            t = base.type
        if not t.complex:
            if name == "real":
                return base
            if base.is_scalar:
                return number(0, Scalar(t.elem, False, t.weak))
            # NumPy gives read-only zeros for the imaginary part of a real array. They are a new array here, which does not show stores to the base.
            kept = self.keep(base, node)
            zeros = self.keep(self.call_numpy(np.zeros_like, [kept], {}, node), node)
            return self.locked(zeros, node)
        if base.is_scalar:
            if base.is_const:
                return number(getattr(complex(base.const), name), Scalar(t.elem, False, t.weak))
            to = Rank0(t.elem) if isinstance(t, Rank0) else Scalar(t.elem, False, t.weak)
            return Val(to, n.lib(name, Scalar(t.elem), base.code))
        kept = self.keep(base, node)
        to = Array(t.elem, False, t.rank, "rowmajor")
        plain = self.plain(kept, node)
        return self.stands_for(Val(to, n.lib(name, to, plain.code)), kept, self.recipe(name, kept, node=node))

    def extent(self, array, k, node):
        """An array's extent as a VRIR expression."""
        axis = k if array.type.axes is None else array.type.axes[k]
        if axis < 0:
            return n.ONE
        return n.dim(self.keep(array, node).var, axis)

    def extent_value(self, array, k, node):
        text = self.extent(array, k, node)
        return number(1) if text == n.ONE else Val(INT, text, low=0)

    def size(self, base, node):
        if base.is_scalar:
            return number(1)
        base = self.keep(base, node)
        return Val(INT, n.lib("numel", INT64, n.name(base.var, base.type.base())), low=0)

    def shape(self, array, node):
        """All extents as VRIR expressions."""
        array = self.keep(array, node)
        return [self.extent(array, k, node) for k in range(array.type.rank)]

    def expr_Slice(self, node):
        parts = [self.expr(p) if p is not None else self.none() for p in (node.lower, node.upper, node.step)]
        return group("slice", parts)

    def expr_JoinedStr(self, node):
        return _texts.formatted(self, node)

    def expr_Starred(self, node):
        self.refuse(node, "'*' is not compiled here")

    # ---- values that must be constants: element types, axes
    def dtype_of(self, val, node):
        """(elem, complex) of a dtype argument; None for None."""
        if val is None or val.is_none():
            return None
        o = val.type.value if isinstance(val.type, Const) else None
        if o is None:
            self.refuse(node, f"{val.type!r} is not a dtype")
        python = {builtins.bool: "bool", builtins.int: "int64", builtins.float: "float64", builtins.complex: "complex128"}
        if isinstance(o, type) and o in python:
            o = python[o]
        try:
            dtype = np.dtype(o)
        except (TypeError, ValueError):
            self.refuse(node, f"{val.type!r} is not a dtype that is known at compile time")
        if dtype not in DTYPES:
            self.refuse(node, f"arrays of {dtype} are not compiled", "use bool, integers, float16, float32, float64 or complex")
        return DTYPES[dtype]

    def axis(self, val, rank, node):
        """The value of an axis argument, counted from 0."""
        k = self.static(val, node, "the axis")
        if type(k) is not builtins.int:
            self.refuse(node, f"{val.type!r} is not an axis")
        return self.axis_in_bounds(k, rank, node)

    def axis_in_bounds(self, k, rank, node):
        """The axis counted from 0; raises NumPy's exception if there is no such axis."""
        if not -rank <= k < rank:
            self.raise_(node, AXIS_ERROR, k, rank)
            return 0
        return k % rank

    def whole(self, val, node):
        """An integer as a VRIR expression of type int64."""
        if not (val.is_scalar and not val.type.complex and is_int(val.type.elem)):
            self.refuse(node, f"an integer is needed, not {val.type!r}")
        return self.cast(val, "int64")

    def static(self, val, node, what):
        """The Python value of an argument that must be known at compile time."""
        if val is None:
            return None
        if isinstance(val.type, Const):
            return val.type.value
        if val.is_const:
            return val.const
        if val.is_group("tuple", "list", "slice"):
            self.need_values(val, node, what)
            if val.is_group("slice"):
                return slice(*(self.static(i, node, what) for i in val.items))
            return tuple(self.static(i, node, what) for i in val.items)
        self.need_values(val, node, what)
        self.refuse(node, f"{what} must be known at compile time", "write it as a constant")

    def need_values(self, val, node, what):
        """If the value depends only on arguments of the function, requests that these arguments become constants (NeedsValues)."""
        positions = self.arguments_behind(val)
        if positions:
            try:
                self.refuse(node, f"{what} must be known at compile time", "write it as a constant")
            except UnsupportedError as e:
                raise NeedsValues(e, self, positions) from None

    def arguments_behind(self, val):
        """The positions of the arguments (Python numbers) that determine the value; None if it also depends on anything else."""
        if val.is_const or isinstance(val.type, Const):
            return set()
        if val.is_group():
            parts = [self.arguments_behind(i) for i in val.items]
            return None if None in parts else set().union(*parts)
        if not val.is_scalar or ":arrayid" in val.code:
            return None
        found = set()
        for id in re.findall(r"\(name :id (\d+) ", val.code):
            k = self.argument_ids.get(int(id))
            if type(k) is not int or self.parameter_keys[k] not in self.names.single or not _is_weak(self.arg_types[k]):
                return None
            found.add(k)
        return found or None

    def static_int(self, val, node, what):
        """As `static`, for an integer."""
        k = self.static(val, node, what)
        if type(k) is not builtins.int:
            self.refuse(node, f"{what} must be an integer, not {k!r}")
        return k

    def static_choice(self, val, node, what, choices):
        """As `static`, for a string that must be one of `choices`."""
        word = self.static(val, node, what)
        if word not in choices:
            self.refuse(node, f"{what} must be one of {', '.join(map(repr, choices))}, not {word!r}")
        return word
