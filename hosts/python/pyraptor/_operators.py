"""Operators on numbers and arrays, with NumPy's types and Python's rules for division."""
from __future__ import annotations

import ast
import enum
import operator
import re

import numpy as np

from . import _nodes as n
from . import _big_ints, _buffers, _choices, _dicts, _fields, _grown, _sets, _texts, _words
from ._division import Division
from ._optional import is_optional
from ._types import (BOOL, COMPLEX, FLOAT, INT, Array, Const, Rank0, Scalar, bound_below, holds, is_float, is_int, is_text_type, is_unsigned, number_type, promote,
                     vrir_wide)
from ._value import Val, constant, group, number

_BOOL = Scalar("bool")
_WORDS = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "mult", ast.Div: "div"}
_COMPARE = {ast.Lt: "lt", ast.LtE: "leq", ast.Gt: "gt", ast.GtE: "geq", ast.Eq: "eq", ast.NotEq: "neq"}
_BITS = {ast.BitAnd: "bitand", ast.BitOr: "bitor", ast.BitXor: "bitxor"}
_PYTHON = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
           ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
           ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
           ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
           ast.NotEq: operator.ne}


#: Ints of more bits are not computed at compile time.
_MOST_BITS = 1 << 16
#: Operators whose result type for bool arrays differs from that for bool numbers.
_WITH_ARRAYS_OF_BOOL = (ast.Pow, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)


def _symbol(op):
    return {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
            ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
            ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}.get(type(op), "?")


def whole_of_enum(val):
    """A member of an int enumeration, converted to an int."""
    if isinstance(val.type, Const) and isinstance(val.type.value, enum.Enum) and isinstance(val.type.value, int):
        return number(int(val.type.value))
    return val


def _counted(b):
    """A number of bits with its value, if it is a number in the source text: np.uint32(16)."""
    number = None if b.is_const or not b.is_scalar else re.fullmatch(r"\(realconst :ival (-?\d+) \(\w+\)\)", b.code)
    return b if number is None else Val(b.type, b.code, const=int(number[1]), low=b.low)


class Operators(Division):
    def operate(self, op, a, b, node):
        """a op b."""
        a, b = self.present(a, node), self.present(b, node)
        if isinstance(op, ast.Add) and (a.is_group("grown") and is_text_type(b.type) or b.is_group("grown") and is_text_type(a.type)):
            return _grown.joined(self, node, [a, b] if a.is_group("grown") else [constant(""), a, b])
        if isinstance(op, ast.Mult) and any(_grown.is_made(x) and y.is_const and type(y.const) is int and y.const <= 64 for x, y in ((a, b), (b, a))):
            text, times = (a, b) if _grown.is_made(a) else (b, a)
            return _texts.concatenated(self, node, [constant(""), *[text] * times.const])
        if _choices.is_choice(a) or _choices.is_choice(b):
            return _choices.operate(self, op, a, b, node)
        if any(isinstance(v.type, Rank0) and v.type.elem == "bool" for v in (a, b)) and type(op) in _WITH_ARRAYS_OF_BOOL:
            self.refuse(node, f"'{_symbol(op)}' of a 0-d bool array is not compiled", "take its element: x[()]")
        if a.is_group("dict", "buffer") or b.is_group("dict", "buffer"):
            self.refuse(node, f"this operator of {a.type!r} and {b.type!r} is not compiled")
        if a.is_group("structured", "element") or b.is_group("structured", "element"):
            self.refuse(node, f"this operator of {a.type!r} and {b.type!r} is not compiled", "take a field first: a['name']")
        if a.is_group("set") or b.is_group("set"):
            return self.operate_sets(op, a, b, node)
        if _texts.is_involved(a, b):
            return _texts.operate(self, op, a, b, node)
        if a.is_list or b.is_list:
            made = self.operate_lists(op, a, b, node)
            if made is not None:
                return made
            a, b = self.as_numpy(a, node, True), self.as_numpy(b, node, True)
        if a.is_group("tuple", "list") or b.is_group("tuple", "list"):
            return self.operate_groups(op, a, b, node)
        if isinstance(op, ast.MatMult):
            return self.matmul(a, b, node)
        a, b = whole_of_enum(a), whole_of_enum(b)
        big = _big_ints.is_big(a) or _big_ints.is_big(b)
        if not big:
            self.need_numbers(op, a, b, node)
            a, b = self.pythons(a, b)
        folded = self.fold(op, a, b, node)
        if folded is not None:
            return folded
        if big:
            return _big_ints.operate(self, op, a, b, node)
        return getattr(self, "op_" + type(op).__name__)(op, a, b, node)

    @staticmethod
    def pythons(a, b):
        """The operands. np.float64 is a subclass of float, so the result with a Python complex on its left is a Python complex."""
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
            if len(many.items) * times.const <= 64 and not (many.is_group("list") and any(i.is_listed for i in many.items)):
                return group(many.type.kind, list(many.items) * times.const)
        if isinstance(op, ast.Mult) and many.is_group("list") and times.is_scalar and not times.type.complex and is_int(times.type.elem):
            return self.repeated(many, times, node)
        if a.is_array or b.is_array:
            # if one operand is an array, a list becomes an array
            a, b = (self.array_of(v, node) if v.is_group() else v for v in (a, b))
            return self.operate(op, a, b, node)
        self.refuse(node, f"'{_symbol(op)}' of {a.type!r} and {b.type!r} is not compiled")

    def fold(self, op, a, b, node):
        """Evaluates an operation on constants as Python does."""
        x, y = self.known_number(a), self.known_number(b)
        if x is None or y is None or isinstance(op, ast.MatMult):
            return None
        variables = not (a.is_const and b.is_const)  # ints in variables: only a result that does not fit into 64 bits is of interest
        if variables and not (type(x) is type(y) is int and isinstance(op, (ast.Add, ast.Sub, ast.Mult))):
            return None
        if isinstance(op, (ast.Pow, ast.LShift)) and type(x) is type(y) is int and y > 0 and x.bit_length() * (y if isinstance(op, ast.Pow) else 1) + (
                y if isinstance(op, ast.LShift) else 0) > _MOST_BITS:
            self.refuse(node, f"an int of more than {_MOST_BITS} bits is not compiled", "use floats")
        try:
            value = _PYTHON[type(op)](x, y)
        except ZeroDivisionError:
            self.raise_(node, ZeroDivisionError, "division by zero")
            return number(0 if type(x) is int and not isinstance(op, ast.Div) else 0.0)
        except ValueError as e:  # negative shift counts
            self.raise_(node, ValueError, *e.args)
            return number(0)
        except OverflowError as e:
            self.raise_(node, OverflowError, *e.args)
            return number(0.0)
        return None if variables and -(1 << 63) <= value < 1 << 63 else number(value)

    def known_number(self, val):
        """The value of a Python number that is known at compile time, also of an int variable with a single assignment; else None."""
        if _big_ints.is_big(val):
            return val.type.value
        if not (val.is_scalar and val.type.weak):
            return None
        return val.const if val.is_const else self.known_ints.get(val.var)

    @staticmethod
    def python_operator(op):
        return _PYTHON.get(type(op), operator.matmul)

    # ---- elementwise operations
    def elementwise_type(self, a, b, elem, complex, weak):
        rank = max(a.type.rank, b.type.rank)
        if rank == 0:
            return Scalar(elem, complex, weak)
        arrays = [v.type for v in (a, b) if v.is_array]
        column = all(t.layout == "colmajor" and t.rank == rank and t.axes is None for t in arrays) and rank > 1
        return Array(elem, complex, rank, "colmajor" if column else "rowmajor")

    def aligned(self, a, b, node):
        """Both operands as VRIR arrays with axes in the same order, so that VRIR's broadcasting has the same result as NumPy's."""
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
                    v = Val(v.type.base(), v.code, var=v.var)  # leading axes of extent 1 are added by broadcasting
                else:
                    v = self.plain(v, node)
            out.append(v)
        return out

    def binary(self, word, a, b, node, elem, complex, weak, stated=None):
        """word(a, b) elementwise, computed in (elem, complex). `stated`: the type of the result, if it is another one."""
        a, b = self.aligned(a, b, node)
        a, b, tested = self.checked_pair(a, b, node)
        if tested:
            return self.cannot_fault(self.binary_of(word, a, b, node, elem, complex, weak, stated))
        return self.binary_of(word, a, b, node, elem, complex, weak, stated)

    def binary_of(self, word, a, b, node, elem, complex, weak, stated):
        if is_int(elem) and not weak:
            # A Python int as operand of a NumPy integer must fit into its type. (int32 arithmetic wraps instead.)
            a, b = (self.fits(v, elem, node) if v.is_scalar and v.type.weak and (v.is_const or elem != "int32") else v for v in (a, b))
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
                self.refuse(node, "NumPy does not support subtraction of bools", "use ^, or convert to int")
            else:
                return self.logic("or" if isinstance(op, ast.Add) else "and", a, b, node)
        val = self.binary(_WORDS[type(op)], a, b, node, elem, complex, weak)
        if val.is_scalar and is_int(elem):
            val.low = bound_below(elem, self.low_of(op, a, b))
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
        a, b, tested = self.checked_pair(a, b, node)
        if tested:
            t = self.elementwise_type(a, b, "bool", False, False)
            return self.cannot_fault(Val(t, n.binary(word, t, a.code, b.code)))
        weak = a.is_scalar and b.is_scalar and a.type.weak and b.type.weak
        t = self.elementwise_type(a, b, "bool", False, weak)
        return Val(t, n.binary(word, t, a.code, b.code))

    # ---- bitwise operations
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
        """A shift by a known number of bits is a product with a power of two, or a floor division by it."""
        elem, complex, weak = promote(a.type, b.type)
        if is_float(elem) or complex:
            self.refuse(node, f"'{_symbol(op)}' of {a.type!r} and {b.type!r} does not exist")
        elem = self.int_of_bools(elem, weak)
        b = _counted(b)
        t = self.elementwise_type(a, b, elem, False, weak)
        bits, no_sign = 8 * np.dtype(elem).itemsize, is_unsigned(elem)
        if b.is_const and b.type.weak and not weak and not holds(elem, b.const):
            self.raise_(node, OverflowError, f"Python integer {b.const} out of bounds for {elem}")
        if b.is_const and b.const >= (bits if isinstance(op, ast.LShift) or no_sign else bits - 1) and not weak:
            # All bits are shifted out: 0, or for a right shift of a negative number, -1.
            zero = Val(t, n.binary("mult", t, self.cast(a, elem), n.const(0, Scalar(elem)))) if a.is_array else number(0, t)
            if isinstance(op, ast.LShift) or no_sign:
                return zero
            sign = n.lib("min2", t, n.lib("sign", t, self.cast(self.plain(a, node), elem)), n.const(0, Scalar(elem)))
            return Val(t, sign)
        if b.is_const and 0 <= b.const < 63:
            power = 1 << b.const
            if isinstance(op, ast.RShift) and not no_sign and 0 < b.const < bits - 1:
                t = self.elementwise_type(a, b, elem, False, weak)
                rest = n.lib("bitand", t, self.cast(self.plain(a, node), elem), n.const(-power, Scalar(elem)))
                low = 0 if a.low is not None and a.low >= 0 else None
                return Val(t, n.binary("div", t, rest, n.const(power, Scalar(elem))), low=low)
            power = number(power if no_sign or b.const < bits - 1 else power - (1 << bits),
                           Scalar(elem, False, weak) if not weak or elem == "int64" else None)
            val = self.operate(ast.Mult() if isinstance(op, ast.LShift) else ast.FloorDiv(), a, power, node)
        else:
            if weak:
                b = self.once(b, node)
                self.guard(node, n.binary("lt", _BOOL, b.code, n.const(0, b.type)), ValueError, "negative shift count")
            val = self.binary("lib shift_left" if isinstance(op, ast.LShift) else "lib shift_right", a, b, node, elem, False, weak)
        if isinstance(op, ast.RShift) and val.is_scalar and a.low is not None and a.low >= 0:
            val.low = 0
        return val

    op_LShift = op_RShift = shift

    # ---- comparisons
    def compare(self, op, a, b, node):
        if (_grown.is_made(a) or _grown.is_made(b)) and (is_text_type(a.type) and is_text_type(b.type) or isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot))):
            return _grown.compared(self, node, op, a, b)
        if _choices.is_choice(a) or _choices.is_choice(b):
            return _choices.compared(self, op, a, b, node)
        if is_optional(a) or is_optional(b):
            if isinstance(op, (ast.In, ast.NotIn)):
                self.refuse(node, f"'in' of {a.type!r} is not compiled", "test for None first")
            return self.compare_optional(op, a, b, node)
        if isinstance(op, (ast.Is, ast.IsNot)):
            same = a.type == b.type if isinstance(a.type, Const) and isinstance(b.type, Const) else False
            if a.row is not None and b.row is not None:
                test = n.binary("eq" if isinstance(op, ast.Is) else "neq", _BOOL, a.row.items[0].code, b.row.items[0].code)
                return Val(BOOL, test)
            if a.is_array and b.is_array:
                same = self.is_one_array(a, b, node)
            elif not (a.is_none() or b.is_none()) and not isinstance(a.type, Const):
                self.refuse(node, "'is' is compiled for None, arrays and other constants only", "use ==")
            return number(same == isinstance(op, ast.Is))
        if isinstance(op, (ast.In, ast.NotIn)):
            return self.contains(op, a, b, node)
        if a.is_group("dict") or b.is_group("dict"):
            return _dicts.compared(self, node, op, a, b)
        if a.is_group("buffer") or b.is_group("buffer"):
            return _buffers.compared(self, node, op, a, b)
        if a.is_group("set") or b.is_group("set"):
            return _sets.compared(self, node, op, a, b)
        if a.is_group("arrays") or b.is_group("arrays"):
            self.refuse(node, "comparing lists of arrays is not compiled", "compare arrays: np.array(x)")
        if (a.is_list or b.is_list) and not (a.is_array or b.is_array):
            return self.compare_lists(op, a, b, node)
        a, b = self.as_numpy(a, node, True), self.as_numpy(b, node, True)
        if _texts.is_involved(a, b) and a.is_scalar + b.is_scalar == 0 and any(isinstance(v.type, _texts.Text) for v in (a, b)):
            return _texts.operate(self, op, a, b, node)
        if a.is_scalar or b.is_scalar:
            a, b = whole_of_enum(a), whole_of_enum(b)
        if (_big_ints.is_big(a) or _big_ints.is_big(b)) and (self.known_number(a) is None or self.known_number(b) is None):
            return _big_ints.compare(self, op, a, b, node)
        if _big_ints.is_big(a) or _big_ints.is_big(b):
            return number(bool(_PYTHON[type(op)](self.known_number(a), self.known_number(b))))
        if isinstance(a.type, Const) or isinstance(b.type, Const):
            if isinstance(op, (ast.Eq, ast.NotEq)) and all(v.is_scalar or v.is_none() or isinstance(v.type, Const) and isinstance(
                    v.type.value, (str, bytes)) for v in (a, b)) and not (isinstance(a.type, Const) and isinstance(b.type, Const)):
                return number(isinstance(op, ast.NotEq))  # a number never equals a string or None
            if not (isinstance(a.type, Const) and isinstance(b.type, Const)):
                self.refuse(node, f"{a.type!r} and {b.type!r} cannot be compared")
            return number(bool(_PYTHON[type(op)](a.type.value, b.type.value)))
        if a.is_group("tuple", "list") and b.is_group("tuple", "list"):
            return self.compare_groups(op, a, b, node)
        if a.is_array or b.is_array:  # if one operand is an array, a list becomes an array
            a, b = (self.array_of(v, node) if v.is_group("tuple", "list") else v for v in (a, b))
        self.need_numbers(op, a, b, node)
        a, b = self.pythons(a, b)
        if a.is_const and b.is_const and a.is_scalar and b.is_scalar:
            return number(bool(_PYTHON[type(op)](a.const, b.const)), None if a.type.weak and b.type.weak else _BOOL)
        elem, complex, weak = promote(a.type, b.type)
        if complex and not isinstance(op, (ast.Eq, ast.NotEq)):
            if weak:
                self.refuse(node, "complex numbers have no order")
            return self.order_of_complex(op, a, b, elem, node)
        if not complex and all(is_int(v.type.elem) for v in (a, b)):
            a, b = self.near_enough(a, b.type, node), self.near_enough(b, a.type, node)
            elem = vrir_wide(a.type.elem, b.type.elem)  # an int compared with an int32 is not converted to int32
            if is_float(elem):
                return self.compare_with_sign(op, a, b, node)
        return self.binary(_COMPARE[type(op)], a, b, node, elem, complex, weak, ("bool", False, weak))

    def order_of_complex(self, op, a, b, elem, node):
        """NumPy's order of complex numbers: by real parts, and by imaginary parts if the real parts are equal. For arrays, comparisons with a number
        whose imaginary part is NaN are false; NumPy scalars compare by their real parts."""
        parts = []
        for v in (a, b):
            v = self.once(self.plain(v, node) if v.is_array else v, node)
            v = Val(Array(elem, True, v.type.rank) if v.is_array else Scalar(elem, True), self.cast(v, elem, True))
            part = Array(elem, False, v.type.rank) if v.is_array else Scalar(elem)
            parts.append([self.once(Val(part, n.lib(word, part, v.code)), node) for word in ("real", "imag")])
        (ra, ia), (rb, ib) = parts
        strict = ast.Lt() if isinstance(op, (ast.Lt, ast.LtE)) else ast.Gt()
        first = self.compare(strict, ra, rb, node)
        if a.is_array or b.is_array:
            numbers = self.logic("and", self.compare(ast.Eq(), ia, ia, node), self.compare(ast.Eq(), ib, ib, node), node)
            first = self.logic("and", first, numbers, node)
        return self.logic("or", first, self.logic("and", self.compare(ast.Eq(), ra, rb, node), self.compare(op, ia, ib, node), node), node)

    def is_one_array(self, a, b, node):
        """Whether two arrays are the same object. Refused if this is not known at compile time."""
        if (a.type.elem, a.type.complex, a.type.rank, a.type.axes) != (b.type.elem, b.type.complex, b.type.rank, b.type.axes):
            return False
        if a.var is not None and a.var == b.var:
            return True
        roots = [self.root(s) if s is not None else None for s in map(self.source_of, (a, b))]
        if None in roots or roots[0] != roots[1] and not {roots[0], roots[1]} <= set(self.argument_roots()):
            if a.snapshot is None and b.snapshot is None:
                return False  # at least one is a new array, and they share no elements
        self.refuse(node, "'is' of arrays that may be views of one another is not compiled", "use np.shares_memory outside of the compiled function")

    def near_enough(self, v, other, node):
        """A Python int to be compared with numbers of type `other`, converted to the narrowest type that gives the right result: to `other` if it
        fits, else saturated just outside of the range of `other`, in the next wider type."""
        if not (v.is_scalar and v.type.weak) or v.type.elem != "int64" or (isinstance(other, Scalar) and other.weak):
            return v
        if v.is_const and holds(other.elem, v.const):
            return number(v.const, Scalar(other.elem))
        if np.dtype(other.elem).itemsize > 2:
            return v
        wide, limits = f"int{16 * np.dtype(other.elem).itemsize}", np.iinfo(other.elem)
        if v.is_const:
            return number(min(max(v.const, limits.min - 1), limits.max + 1), Scalar(wide))
        inside = n.lib("min2", INT, n.lib("max2", INT, v.code, n.const(limits.min - 1, INT)), n.const(limits.max + 1, INT))
        return self.once(Val(Scalar(wide), f"(cast ({wide}) {inside})"), node)

    def compare_with_sign(self, op, a, b, node):
        """Compares a uint64 with a signed integer exactly, although no type contains all values of both."""
        if not is_unsigned(a.type.elem):
            mirrored = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}.get(type(op), type(op))
            return self.compare_with_sign(mirrored(), b, a, node)
        weak = a.type.weak and b.type.weak if a.is_scalar and b.is_scalar else False
        b = self.once(Val(Scalar("int64") if b.is_scalar else Array("int64", False, b.type.rank), self.cast(self.plain(b, node), "int64")), node)
        unsigned = Val(Scalar("uint64") if b.is_scalar else Array("uint64", False, b.type.rank), self.cast(b, "uint64"))
        below = self.binary("lt", b, number(0), node, "int64", False, weak, ("bool", False, weak))
        test = self.binary(_COMPARE[type(op)], a, unsigned, node, "uint64", False, weak, ("bool", False, weak))
        if isinstance(op, (ast.Gt, ast.GtE, ast.NotEq)):
            return self.logic("or", below, test, node)
        above = Val(below.type, n.unary("not", below.type, below.code))
        return self.logic("and", above, test, node)

    def compare_groups(self, op, a, b, node):
        if not isinstance(op, (ast.Eq, ast.NotEq)) and a.is_group("list") and b.is_group("list"):
            return self.compare_lists(op, a, b, node)
        if a.is_group("record") or b.is_group("record"):
            self.refuse(node, f"comparing {a.type!r} and {b.type!r} is not compiled", "compare their fields")
        if not isinstance(op, (ast.Eq, ast.NotEq)):
            return self.order_of_tuples(op, a, b, node)
        result = number(a.type.kind == b.type.kind and len(a.items) == len(b.items))
        if result.const:
            for x, y in zip(a.items, b.items):
                test = self.compare(ast.Eq(), x, y, node)
                if test.is_array:
                    self.refuse(node, "comparing tuples or lists of arrays is not compiled", "compare the arrays: np.array_equal(x, y)")
                result = test if result.is_const and result.const else (
                    result if test.is_const and test.const else Val(BOOL, n.binary("and", _BOOL, result.code, test.code)))
        if isinstance(op, ast.Eq):
            return result
        return number(not result.const) if result.is_const else Val(BOOL, n.unary("not", _BOOL, result.code))

    def order_of_tuples(self, op, a, b, node):
        """Lexicographic order of tuples: the first pair of unequal items decides; if there is none, the lengths do."""
        if not (a.is_group("tuple") and b.is_group("tuple")):
            self.refuse(node, f"the order of {a.type!r} and {b.type!r} is not compiled")
        pairs = [(self.once_parts(x, node), self.once_parts(y, node)) for x, y in zip(a.items, b.items)]
        result = self.compare(op, number(len(a.items)), number(len(b.items)), node)
        for x, y in reversed(pairs):
            same, ordered = (self.truth(self.compare(o, x, y, node), node) for o in (ast.Eq(), op))
            if same.is_const:
                result = result if same.const else ordered
                continue
            differ = n.binary("and", _BOOL, n.unary("not", _BOOL, same.code), ordered.code)
            result = Val(BOOL, n.binary("or", _BOOL, differ, n.binary("and", _BOOL, same.code, result.code)))
        return result

    def in_range(self, a, b, node):
        """Whether the number is an element of the range."""
        start, stop, step = b.items
        if not a.is_scalar or a.type.complex or a.type.elem == "uint64":
            self.refuse(node, f"'in' of {a.type!r} and a range is not compiled")
        if not step.is_const:
            self.refuse(node, "the step of the range must be known at compile time")
        a, up = self.once(a, node), step.const > 0
        tests = [self.compare(ast.GtE() if up else ast.LtE(), a, start, node), self.compare(ast.Lt() if up else ast.Gt(), a, stop, node)]
        if abs(step.const) != 1 or a.type.elem in ("float32", "float64"):
            apart = self.operate(ast.Mod(), self.operate(ast.Sub(), a, start, node), number(step.const), node)
            tests.append(self.compare(ast.Eq(), apart, number(0), node))
        if all(t.is_const for t in tests):
            return number(all(t.const for t in tests))
        code = tests[0].code
        for t in tests[1:]:
            code = n.binary("and", _BOOL, code, t.code)
        return Val(BOOL, code)

    def contains(self, op, a, b, node):
        b = b.items[0] if b.is_group("iterator", "entries") else b
        if b.is_group("buffer"):
            b = self.list_from(b, node)
        if b.is_group("fields"):
            found = _fields.contains(self, node, b, a)
            if not found.is_const:
                return found if isinstance(op, ast.In) else Val(BOOL, n.unary("not", _BOOL, found.code))
            return number(found.const == isinstance(op, ast.In))
        if b.is_group("dict"):
            found = _dicts.contains(self, node, b, a)
            if isinstance(op, ast.In):
                return found
            return number(True) if found.is_const else Val(BOOL, n.unary("not", _BOOL, found.code))
        if b.is_group("set"):
            empty = b.items[0].type.kind == "empty" or _words.differ(self, node, a, b.items[0].type.item)
            found = number(False) if empty else _sets.searched(self, node, b.items[0], self.once_parts(a, node))[1]
            if isinstance(op, ast.In):
                return found if empty else Val(BOOL, found.code)
            return number(True) if empty else Val(BOOL, n.unary("not", _BOOL, found.code))
        if isinstance(b.type, Const) and isinstance(a.type, Const):
            result = number(a.type.value in b.type.value)
        elif b.is_list:
            result = self.in_list(a, b, node)
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
        elif b.is_group("range"):
            result = self.in_range(a, b, node)
        elif b.is_array and a.is_scalar:
            test = self.compare(ast.Eq(), b, a, node)
            result = Val(BOOL, n.lib("any", _BOOL, test.code))
        else:
            self.refuse(node, f"'in' {b.type!r} is not compiled")
        if isinstance(op, ast.In):
            return result
        return number(not result.const) if result.is_const else Val(BOOL, n.unary("not", _BOOL, result.code))

    # ---- unary operators
    def unary(self, op, a, node):
        a = self.present(a, node)
        if _big_ints.is_big(a):
            return number({ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[type(op)](a.type.value))
        if not a.is_numeric:
            self.refuse(node, f"this operator on {a.type!r} is not compiled")
        if isinstance(a.type, Rank0):
            a = Val(number_type(a.type), a.code, low=a.low)
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
                self.refuse(node, "NumPy does not negate bools", "use ~, or convert to int")
            return Val(INT, self.cast(a, "int64")) if isinstance(op, ast.UAdd) else Val(
                INT, n.unary("negate", Scalar("int64"), self.cast(a, "int64")))
        if isinstance(op, ast.UAdd):
            return a if a.is_scalar else Val(a.type.fresh(layout=_layout(a.type)),
                                             n.lib("copy", a.type.fresh(layout=_layout(a.type)), a.code))
        to = a.type if a.is_scalar else a.type.fresh(layout=_layout(a.type))
        return Val(to, n.unary("negate", to, a.code))

    # ---- matrix products
    def matmul(self, a, b, node):
        for v in (a, b):
            if not v.is_array:
                self.refuse(node, f"'@' needs arrays, not {v.type!r}")
        ra, rb = a.type.rank, b.type.rank
        if max(ra, rb) > 2:
            return self.stacked_matmul(a, b, node)
        elem, complex, _ = promote(a.type, b.type)
        a, b = self.plain(a, node), self.plain(b, node)
        tested = bool(self.traps) and self.trapped(ValueError)
        if tested:
            a, b = self.keep(a, node), self.keep(b, node)
            test = n.binary("neq", _BOOL, n.dim(a.var, ra - 1), n.dim(b.var, max(rb - 2, 0)))
            self.guard(node, test, ValueError, "matmul: Input operand 1 has a mismatch in its core dimension 0")
        if elem == "bool":
            self.refuse(node, "'@' of bools is not compiled", "convert to int")
        texts = [self.cast(v, elem, complex) for v in (a, b)]
        rank = ra + rb - 2
        t = Scalar(elem, complex) if rank == 0 else Array(elem, complex, rank, "rowmajor")
        made = Val(t, n.lib("dot" if rank == 0 else "mmult", t, *texts))
        return self.cannot_fault(made) if tested else made

    def stacked_matmul(self, a, b, node):
        from . import library
        if a.type.rank == 1 or b.type.rank == 1:
            self.refuse(node, "'@' of a vector and a stack of matrices is not compiled")
        return self.call_python(library.stacked_matmul[a.type.rank, b.type.rank], [a, b], {}, node) if (
            a.type.rank, b.type.rank) in library.stacked_matmul else self.refuse(
                node, "'@' of arrays with more than 4 dimensions is not compiled")


def _layout(t):
    return "colmajor" if t.layout == "colmajor" and t.axes is None else "rowmajor"
