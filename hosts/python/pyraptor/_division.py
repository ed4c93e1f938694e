"""Division, remainders and powers. Python numbers raise exceptions in cases in which NumPy numbers give inf or NaN."""
from __future__ import annotations

import ast
import math

import numpy as np

from . import _nodes as n
from ._types import Array, Scalar, is_float, is_int, is_unsigned, promote, vrir_wide
from ._value import Val, number

_BOOL = Scalar("bool")


class Division:
    def zero_check(self, a, b, node, text):
        """Raises ZeroDivisionError if a Python number is divided by zero."""
        if not (a.is_scalar and b.is_scalar and a.type.weak and b.type.weak):
            return b
        if b.is_const:
            if b.const == 0:
                self.raise_(node, ZeroDivisionError, text)
            return b
        if b.low is not None and b.low > 0:
            return b
        b = self.keep(b, node)
        self.guard(node, n.binary("eq", _BOOL, b.code, n.const(0, b.type)), ZeroDivisionError, text)
        return b

    @staticmethod
    def int_of_bools(elem, weak):
        """The type in which bools are computed: int for Python's, int8 for NumPy's."""
        return elem if elem != "bool" else "int64" if weak else "int8"

    def op_Div(self, op, a, b, node):
        elem, complex, weak = promote(a.type, b.type)
        if not is_float(elem):
            elem = "float64"
        what = "complex division by zero" if complex else "division by zero" if is_int(promote(a.type, b.type)[0]) or (
            promote(a.type, b.type)[0] == "bool") else "float division by zero"
        a = self.keep(a, node) if not a.is_const and a.is_scalar and b.is_scalar and a.type.weak and b.type.weak else a
        b = self.zero_check(a, b, node, what)
        if not (is_float(a.type.elem) or is_float(b.type.elem)):
            # Integers: true division, computed in float64.
            wide = promote(a.type, b.type)[0]
            wide = vrir_wide(a.type.elem, b.type.elem) if is_int(wide) else wide  # division does not wrap an int to int32
            return self.binary("div", Val(a.type, a.code), Val(b.type, b.code), node, wide, complex, weak,
                               (elem, complex, weak))
        return self.binary("div", a, b, node, elem, complex, weak)

    def op_FloorDiv(self, op, a, b, node):
        elem, complex, weak = promote(a.type, b.type)
        if complex:
            self.refuse(node, "'//' of complex numbers does not exist")
        if is_float(elem):
            return self.float_floor(a, b, node, elem, weak)
        elem = self.int_of_bools(elem, weak)
        b = self.zero_check(a, b, node, "integer division or modulo by zero") if not b.is_const else b
        a, b = (self.once(v, node) for v in (a, b))
        if is_unsigned(elem) or (a.low is not None and a.low >= 0 and b.low is not None and b.low > 0):
            val = self.binary("div", a, b, node, elem, False, weak)
            val.low = 0
            return val
        # Truncating division; minus one if there is a remainder and the signs differ.
        quotient = self.binary("div", a, b, node, elem, False, weak)
        mod = self.binary("lib mod", a, b, node, elem, False, weak)
        rem = self.binary("lib rem", a, b, node, elem, False, weak)
        differ = self.elementwise_type(a, b, "bool", False, weak)
        t = quotient.type
        val = Val(t, n.binary("minus", t, quotient.code, n.binary("neq", differ, mod.code, rem.code)))
        return self.cannot_fault(val) if self.traps and self.trapped(ValueError) else val  # the operands of its parts have been tested

    def float_floor(self, a, b, node, elem, weak):
        b = self.zero_check(a, b, node, "float floor division by zero")
        if elem == "float16":  # as in NumPy: computed in float32 and rounded
            a, b = (self.as_float(self.as_float(v, elem), "float32") for v in (a, b))
            wide = self.float_floor(a, b, node, "float32", weak)
            return self.as_float(wide, elem)
        t = Scalar(elem, False, weak)
        if a.is_scalar and b.is_scalar:
            from . import library
            a, b = (Val(Scalar(elem), self.cast(v, elem)) for v in (a, b))
            val = self.call_python(library.floor_divide, [a, b], {}, node)
            return Val(t, val.code, var=val.var)
        return self.call_numpy_map("floor_divide", [a, b], elem, node)

    def op_Mod(self, op, a, b, node):
        elem, complex, weak = promote(a.type, b.type)
        if complex:
            self.refuse(node, "'%' of complex numbers does not exist")
        elem = self.int_of_bools(elem, weak)
        if weak:
            what = "integer modulo by zero" if is_int(elem) else "float modulo by zero"
            a = self.keep(a, node) if not a.is_const else a
            b = self.zero_check(a, b, node, what)
        val = self.binary("lib mod", a, b, node, elem, False, weak)
        if val.is_scalar and b.low is not None and b.low > 0 and is_int(elem):
            val.low = 0
        return val

    def op_Pow(self, op, a, b, node):
        elem, complex, weak = promote(a.type, b.type)
        elem = self.int_of_bools(elem, weak)
        if b.is_const and b.is_scalar and not b.type.complex:
            e = b.const
            if e == 2 and a.is_array and a.type.elem == "bool" and isinstance(node, ast.BinOp):  # as NumPy's np.square
                elem = "int8"
            if e == 2 and (is_float(elem) or is_int(a.type.elem) or elem == "int8"):
                base = self.once(Val(self.elementwise_type(a, a, elem, complex, weak), self.cast(a, elem, complex), var=a.var)
                                 if a.type.elem != elem else a, node)
                return self.operate(ast.Mult(), base, base, node)
            if is_int(elem) and e < 0:
                if weak:
                    return self.op_Pow(op, self.as_float(a), number(float(e)), node)
                self.raise_(node, ValueError, "Integers to negative integer powers are not allowed.")
            if e == 0.5 and is_float(elem) and not weak and not (complex and a.is_scalar):
                t = self.elementwise_type(a, b, elem, complex, weak)
                a = self.once(self.plain(a, node), node)
                root = n.lib("sqrt", t, self.cast(a, elem, complex))
                if a.is_array or not is_float(a.type.elem):  # as NumPy does: the square root of -inf is NaN and that of -0.0 is -0.0, unlike the power 0.5
                    return Val(t, root)
                infinite = n.binary("eq", _BOOL, a.code, n.const(-math.inf, a.type))
                return Val(t, n.lib("where", t, infinite, n.const(math.inf, t), n.lib("abs", t, root)))
        elif is_int(elem):
            if b.is_scalar and not (b.low is not None and b.low >= 0):
                b = self.once(b, node)
                self.guard(node, n.binary("lt", _BOOL, b.code, n.const(0, b.type)), ValueError,
                           "Integers to negative integer powers are not allowed.")
            elif b.is_array:
                b = self.once(b, node)
                self.guard(node, n.lib("any", _BOOL, n.binary("lt", Array("bool", False, b.type.rank), self.plain(b, node).code,
                                                              n.const(0, Scalar(b.type.elem)))), ValueError,
                           "Integers to negative integer powers are not allowed.")
        if weak and complex:
            a, b = self.python_complex_power(a, b, node)
        elif weak and is_float(elem):
            a, b = self.python_power(a, b, node)
        val = self.binary("lib pow", a, b, node, elem, complex, weak)
        if val.is_scalar and is_int(elem) and a.low is not None and a.low >= 0:
            val.low = 0
        return val

    def python_power(self, a, b, node):
        """The power of two Python floats: complex for a negative base and a fractional exponent; ZeroDivisionError for zero to a negative power."""
        whole = b.is_const and float(b.const).is_integer()
        if (a.is_const and a.const > 0) or (whole and b.const >= 0):
            return a, b
        a, b = self.once(a, node), self.once(b, node)
        if not whole:
            fraction = n.binary("neq", _BOOL, n.lib("floor", Scalar("float64"), self.cast(b, "float64")), b.code)
            negative = n.binary("lt", _BOOL, a.code, n.const(0, a.type))
            self.guard(node, n.binary("and", _BOOL, negative, fraction), ValueError,
                       "a negative number to a power with a fraction is complex: use np.power or complex numbers")
        if not (b.is_const and b.const >= 0):
            zero = n.binary("eq", _BOOL, a.code, n.const(0, a.type))
            below = n.binary("lt", _BOOL, b.code, n.const(0, b.type))
            if is_float(b.type.elem):
                below = n.binary("and", _BOOL, below, n.binary("gt", _BOOL, b.code, n.const(-math.inf, b.type)))
            self.guard(node, n.binary("and", _BOOL, zero, below), ZeroDivisionError,
                       "0.0 cannot be raised to a negative power")
        return a, b

    def python_complex_power(self, a, b, node):
        """The power of Python complex numbers: ZeroDivisionError for zero to a negative or complex power."""
        a, b = (self.once(Val(Scalar("float64", True, True), self.cast(v, "float64", True)), node) for v in (a, b))
        t, part = Scalar("float64", True), Scalar("float64")
        re, im = (n.lib(p, part, b.code) for p in ("real", "imag"))
        nowhere = n.binary("or", _BOOL, n.binary("lt", _BOOL, re, n.const(0.0, part)),
                           n.binary("neq", _BOOL, im, n.const(0.0, part)))
        zero = n.binary("eq", _BOOL, a.code, n.const(0, t))
        self.guard(node, n.binary("and", _BOOL, zero, nowhere), ZeroDivisionError,
                   "0.0 to a negative or complex power")
        return a, b

    def as_float(self, v, elem="float64"):
        if v.is_const:
            value = float(v.const)
            if elem == "float16":  # later operations use the rounded number
                with np.errstate(over="ignore"):
                    value = float(np.float16(value))
            return number(value, Scalar(elem) if elem != "float64" else None)
        t = Scalar(elem, False, v.type.weak and elem == "float64") if v.is_scalar else Array(elem, False, v.type.rank, v.type.layout)
        return Val(t, self.cast(v, elem))
