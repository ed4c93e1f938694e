"""Operators on numbers and arrays, with NumPy's types and Python's rules for division."""
from __future__ import annotations

import ast
import operator

from . import _nodes as n
from ._division import Division
from ._types import BOOL, COMPLEX, FLOAT, INT, Array, Const, Scalar, is_float, is_int, promote, vrir_wide
from ._value import Val, group, number

_BOOL = Scalar("bool")
_WORDS = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "mult", ast.Div: "div"}
_COMPARE = {ast.Lt: "lt", ast.LtE: "leq", ast.Gt: "gt", ast.GtE: "geq", ast.Eq: "eq", ast.NotEq: "neq"}
_BITS = {ast.BitAnd: "bitand", ast.BitOr: "bitor", ast.BitXor: "bitxor"}
_PYTHON = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
           ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
           ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
           ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
           ast.NotEq: operator.ne}


def _symbol(op):
    return {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
            ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
            ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}.get(type(op), "?")


class Operators(Division):
    def operate(self, op, a, b, node):
        """a op b."""
        if a.is_group("tuple", "list") or b.is_group("tuple", "list"):
            return self.operate_groups(op, a, b, node)
        if isinstance(op, ast.MatMult):
            return self.matmul(a, b, node)
        self.need_numbers(op, a, b, node)
        a, b = self.pythons(a, b)
        folded = self.fold(op, a, b, node)
        if folded is not None:
            return folded
        return getattr(self, "op_" + type(op).__name__)(op, a, b, node)

    @staticmethod
    def pythons(a, b):
        """The operands; np.float64 is a float, so that a Python complex left of one gives Python's complex."""
        if a.type == COMPLEX and b.type == Scalar("float64"):
            b = Val(FLOAT, b.code, var=b.var, const=b.const)
        return a, b

    def need_numbers(self, op, a, b, node):
        for v in (a, b):
            if not v.is_numeric:
                self.refuse(node, f"'{_symbol(op)}' of {a.type!r} and {b.type!r} is not compiled")

    def operate_groups(self, op, a, b, node):
        if isinstance(op, ast.Add) and a.is_group("tuple", "list") and b.is_group(a.type.kind):
            return group(a.type.kind, [*a.items, *b.items])
        many, times = (a, b) if a.is_group() else (b, a)
        if isinstance(op, ast.Mult) and times.is_const and isinstance(times.const, int):
            return group(many.type.kind, list(many.items) * times.const)
        if a.is_array or b.is_array:
            # A list beside an array is an array.
            a, b = (self.array_of(v, node) if v.is_group() else v for v in (a, b))
            return self.operate(op, a, b, node)
        self.refuse(node, f"'{_symbol(op)}' of {a.type!r} and {b.type!r} is not compiled")

    def fold(self, op, a, b, node):
        """Constants, as Python computes them."""
        if not (a.is_const and b.is_const and a.is_scalar and b.is_scalar and a.type.weak and b.type.weak):
            return None
        f = _PYTHON.get(type(op))
        if f is None:
            return None
        try:
            value = f(a.const, b.const)
        except (ZeroDivisionError, ValueError):
            self.raise_(node, ZeroDivisionError, "division by zero")
            return number(0 if isinstance(a.const, int) and not isinstance(op, ast.Div) else 0.0)
        except OverflowError as e:
            self.refuse(node, str(e))
        if type(value) is int and not -(1 << 63) <= value < 1 << 63:
            self.refuse(node, "the number does not fit into 64 bits")
        return number(value)

    # ---- elementwise
    def elementwise_type(self, a, b, elem, complex, weak):
        rank = max(a.type.rank, b.type.rank)
        if rank == 0:
            return Scalar(elem, complex, weak)
        arrays = [v.type for v in (a, b) if v.is_array]
        column = all(t.layout == "colmajor" and t.rank == rank and t.axes is None for t in arrays) and rank > 1
        return Array(elem, complex, rank, "colmajor" if column else "rowmajor")

    def aligned(self, a, b, node):
        """Both as VRIR arrays that broadcast as NumPy's do."""
        rank = max(a.type.rank, b.type.rank)
        out = []
        for v, other in ((a, b), (b, a)):
            if v.is_array and v.type.axes is not None:
                axes = v.type.axes
                lead = 0
                while lead < len(axes) and axes[lead] < 0:
                    lead += 1
                rest = axes[lead:]
                if lead and other.type.rank >= rank and rest and rest == tuple(range(len(rest))):
                    v = Val(v.type.base(), v.code, var=v.var)  # extents of 1 in front come by broadcasting
                else:
                    v = self.plain(v, node)
            out.append(v)
        return out

    def binary(self, word, a, b, node, elem, complex, weak, stated=None):
        """word(a, b) elementwise, computed in (elem, complex); `stated`: the result's type where it is another."""
        a, b = self.aligned(a, b, node)
        natural = vrir_wide(a.type.elem, b.type.elem)
        if natural == "bool" and word not in ("and", "or", "eq", "neq", "lt", "gt", "leq", "geq"):
            natural = "int32"
        same = natural == elem or (natural == "int32" and elem == "int64" and "int64" in (a.type.elem, b.type.elem))
        texts = [self.cast(v, elem, v.type.complex) if v.is_const and v.is_scalar and v.type.elem != elem or
                 (not same and v.type.elem != elem) else v.code for v in (a, b)]
        t = self.elementwise_type(a, b, elem, complex, weak)
        s = t if stated is None else self.elementwise_type(a, b, *stated)
        if word.startswith("lib "):
            return Val(s, n.lib(word[4:], s, *texts))
        return Val(s, n.binary(word, s, *texts))

    def arithmetic(self, op, a, b, node):
        elem, complex, weak = promote(a.type, b.type)
        if elem == "bool":
            if weak:
                elem = "int64"
            elif isinstance(op, ast.Sub):
                self.refuse(node, "NumPy does not subtract bools", "use ^, or convert to int")
            else:
                return self.logic("or" if isinstance(op, ast.Add) else "and", a, b, node)
        val = self.binary(_WORDS[type(op)], a, b, node, elem, complex, weak)
        if val.is_scalar and is_int(elem):
            val.low = self.low_of(op, a, b)
        return val

    op_Add = op_Sub = op_Mult = arithmetic

    @staticmethod
    def low_of(op, a, b):
        if isinstance(op, ast.Add) and None not in (a.low, b.low):
            return a.low + b.low
        if isinstance(op, ast.Sub) and a.low is not None and b.is_const:
            return a.low - int(b.const)
        if isinstance(op, ast.Mult) and None not in (a.low, b.low) and a.low >= 0 and b.low >= 0:
            return a.low * b.low
        return None

    def logic(self, word, a, b, node):
        a, b = self.aligned(a, b, node)
        weak = a.is_scalar and b.is_scalar and a.type.weak and b.type.weak
        t = self.elementwise_type(a, b, "bool", False, weak)
        return Val(t, n.binary(word, t, a.code, b.code))

    # ---- bits
    def bits(self, op, a, b, node):
        elem, complex, weak = promote(a.type, b.type)
        if is_float(elem) or complex:
            self.refuse(node, f"'{_symbol(op)}' of {a.type!r} and {b.type!r} does not exist")
        if elem == "bool":
            words = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "neq"}
            if type(op) in words:
                return self.logic(words[type(op)], a, b, node)
            elem = "int64"
        val = self.binary("lib " + _BITS[type(op)], a, b, node, elem, False, weak)
        if isinstance(op, ast.BitAnd) and val.is_scalar and any(v.low is not None and v.low >= 0 for v in (a, b)):
            val.low = 0
        return val

    op_BitAnd = op_BitOr = op_BitXor = bits

    def shift(self, op, a, b, node):
        """Products with and floor divisions by powers of two."""
        elem, complex, weak = promote(a.type, b.type)
        if is_float(elem) or complex:
            self.refuse(node, f"'{_symbol(op)}' of {a.type!r} and {b.type!r} does not exist")
        elem = "int64" if elem == "bool" else elem
        t = self.elementwise_type(a, b, elem, False, weak)
        if b.is_const and 0 <= b.const < 63:
            power = number(1 << b.const, Scalar(elem, False, weak) if elem == "int64" else None)
            val = self.operate(ast.Mult() if isinstance(op, ast.LShift) else ast.FloorDiv(), a, power, node)
            if isinstance(op, ast.RShift) and val.is_scalar and a.low is not None and a.low >= 0:
                val.low = 0
            return val
        if a.is_array or b.is_array:
            self.refuse(node, f"'{_symbol(op)}' of arrays by a computed number of bits is not compiled")
        if weak:
            b = self.once(b, node)
            self.guard(node, n.binary("lt", _BOOL, b.code, n.const(0, b.type)), ValueError, "negative shift count")
        if isinstance(op, ast.LShift):
            return Val(t, n.binary("mult", t, self.cast(a, elem), n.lib("pow", t, n.const(2, Scalar(elem)), self.cast(b, elem))))
        from . import library
        val = self.call_python(library.shift_right, [Val(INT, self.cast(v, "int64"), low=v.low) for v in (a, b)], {}, node)
        return Val(t, self.cast(val, elem), low=0 if a.low is not None and a.low >= 0 else None)

    op_LShift = op_RShift = shift

    # ---- comparisons
    def compare(self, op, a, b, node):
        if isinstance(op, (ast.Is, ast.IsNot)):
            same = a.type == b.type if isinstance(a.type, Const) and isinstance(b.type, Const) else False
            if not (a.is_none() or b.is_none()) and not isinstance(a.type, Const):
                self.refuse(node, "'is' is compiled for None and other constants only", "use ==")
            return number(same == isinstance(op, ast.Is))
        if isinstance(op, (ast.In, ast.NotIn)):
            return self.contains(op, a, b, node)
        if isinstance(a.type, Const) or isinstance(b.type, Const):
            if not (isinstance(a.type, Const) and isinstance(b.type, Const)):
                self.refuse(node, f"{a.type!r} and {b.type!r} cannot be compared")
            return number(bool(_PYTHON[type(op)](a.type.value, b.type.value)))
        if a.is_group("tuple", "list") and b.is_group("tuple", "list"):
            return self.compare_groups(op, a, b, node)
        if a.is_array or b.is_array:  # a list beside an array is an array
            a, b = (self.array_of(v, node) if v.is_group("tuple", "list") else v for v in (a, b))
        self.need_numbers(op, a, b, node)
        a, b = self.pythons(a, b)
        if a.is_const and b.is_const and a.is_scalar and b.is_scalar:
            return number(bool(_PYTHON[type(op)](a.const, b.const)))
        elem, complex, weak = promote(a.type, b.type)
        if complex and not isinstance(op, (ast.Eq, ast.NotEq)):
            self.refuse(node, "complex numbers have no order")
        if is_int(elem):
            elem = vrir_wide(a.type.elem, b.type.elem)  # an int beside int32 is compared as it is
        return self.binary(_COMPARE[type(op)], a, b, node, elem, complex, weak, ("bool", False, weak))

    def compare_groups(self, op, a, b, node):
        if not isinstance(op, (ast.Eq, ast.NotEq)):
            self.refuse(node, "the order of tuples is not compiled")
        result = number(a.type.kind == b.type.kind and len(a.items) == len(b.items))
        if result.const:
            for x, y in zip(a.items, b.items):
                test = self.compare(ast.Eq(), x, y, node)
                result = test if result.is_const and result.const else (
                    result if test.is_const and test.const else Val(BOOL, n.binary("and", _BOOL, result.code, test.code)))
        if isinstance(op, ast.Eq):
            return result
        return number(not result.const) if result.is_const else Val(BOOL, n.unary("not", _BOOL, result.code))

    def contains(self, op, a, b, node):
        if isinstance(b.type, Const) and isinstance(a.type, Const):
            result = number(a.type.value in b.type.value)
        elif b.is_group("tuple", "list"):
            result = number(False)
            a = self.once(a, node)
            for item in b.items:
                test = self.compare(ast.Eq(), a, item, node)
                if test.is_const:
                    result = test if test.const else result
                else:
                    result = test if result.is_const and not result.const else Val(
                        BOOL, n.binary("or", _BOOL, result.code, test.code))
        elif b.is_array and a.is_scalar:
            test = self.compare(ast.Eq(), b, a, node)
            result = Val(BOOL, n.lib("any", _BOOL, test.code))
        else:
            self.refuse(node, f"'in' {b.type!r} is not compiled")
        if isinstance(op, ast.In):
            return result
        return number(not result.const) if result.is_const else Val(BOOL, n.unary("not", _BOOL, result.code))

    # ---- one operand
    def unary(self, op, a, node):
        if not a.is_numeric:
            self.refuse(node, f"this operator on {a.type!r} is not compiled")
        t = a.type
        if a.is_const and a.is_scalar and t.weak:
            value = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[type(op)](a.const)
            return number(value)
        a = self.plain(a, node)
        if isinstance(op, ast.Invert):
            if t.elem == "bool" and not (a.is_scalar and t.weak):
                to = a.type if a.is_scalar else a.type.fresh(layout=_layout(a.type))
                return Val(to, n.unary("not", to, a.code))
            if is_float(t.elem) or t.complex:
                self.refuse(node, f"'~' of {t!r} does not exist")
            return self.operate(ast.Sub(), self.unary(ast.USub(), a, node), number(1), node)
        if t.elem == "bool":
            if not (a.is_scalar and t.weak):
                self.refuse(node, "NumPy has no sign of bools", "use ~, or convert to int")
            return Val(INT, self.cast(a, "int64")) if isinstance(op, ast.UAdd) else Val(
                INT, n.unary("negate", Scalar("int64"), self.cast(a, "int64")))
        if isinstance(op, ast.UAdd):
            return a if a.is_scalar else Val(a.type.fresh(layout=_layout(a.type)),
                                             n.lib("copy", a.type.fresh(layout=_layout(a.type)), a.code))
        to = a.type if a.is_scalar else a.type.fresh(layout=_layout(a.type))
        return Val(to, n.unary("negate", to, a.code))

    # ---- products
    def matmul(self, a, b, node):
        for v in (a, b):
            if not v.is_array:
                self.refuse(node, f"'@' needs arrays, not {v.type!r}")
        ra, rb = a.type.rank, b.type.rank
        if max(ra, rb) > 2:
            return self.stacked_matmul(a, b, node)
        elem, complex, _ = promote(a.type, b.type)
        a, b = self.plain(a, node), self.plain(b, node)
        if elem == "bool":
            self.refuse(node, "'@' of bools is not compiled", "convert to int")
        texts = [self.cast(v, elem, complex) for v in (a, b)]
        rank = ra + rb - 2
        t = Scalar(elem, complex) if rank == 0 else Array(elem, complex, rank, "rowmajor")
        return Val(t, n.lib("dot" if rank == 0 else "mmult", t, *texts))

    def stacked_matmul(self, a, b, node):
        from . import library
        if a.type.rank == 1 or b.type.rank == 1:
            self.refuse(node, "'@' of a vector and a stack of matrices is not compiled")
        return self.call_python(library.stacked_matmul[a.type.rank, b.type.rank], [a, b], {}, node) if (
            a.type.rank, b.type.rank) in library.stacked_matmul else self.refuse(
                node, "'@' of arrays with more than 4 dimensions is not compiled")


def _layout(t):
    return "colmajor" if t.layout == "colmajor" and t.axes is None else "rowmajor"
