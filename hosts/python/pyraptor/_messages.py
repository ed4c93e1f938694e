"""Arguments of exceptions that hold numbers of the call: VRIR's raise takes two, and Python formats them.

A Message is kept with the compiled function; the error record brings the 64 bits of each number.
"""
from __future__ import annotations

import struct

import numpy as np

from ._types import is_float, is_unsigned

#: VRIR's raise has no more (velociraptor/ir/nodes.hpp, max_raise_args).
MOST_NUMBERS = 2


def braces(text):
    """The text as part of a raise statement's."""
    return text.replace("{", "{{").replace("}", "}}")


class Numbers:
    """The numbers of one raise statement, as VRIR."""

    def __init__(self):
        self.codes = []


class Number:
    """A number in a message: its type, which of the record's it is, and how an f-string formats it."""

    def __init__(self, code, type, conversion=-1, spec="", texts=None):
        """`texts`: the number is the position of the argument among these."""
        self.code, self.type, self.conversion, self.spec, self.texts, self.place = code, type, conversion, spec, texts, None

    def placed(self, numbers):
        if self.code in numbers.codes:
            place = numbers.codes.index(self.code)
        else:
            place = len(numbers.codes)
            numbers.codes.append(self.code)
        result = Number(None, self.type, self.conversion, self.spec, self.texts)
        result.place = place
        return result

    def value(self, bits):
        number = bits[self.place]
        if self.texts is not None:
            return self.texts[number]
        if is_float(self.type.elem):
            number = struct.unpack("d", struct.pack("q", number))[0]
        elif is_unsigned(self.type.elem):
            number &= 2 ** 64 - 1
        if self.type.weak:
            return bool(number) if self.type.elem == "bool" else number
        return np.dtype(self.type.elem).type(number)

    def trial(self):
        """ValueError where Python does not format a number of this type so."""
        one = Number(None, self.type, self.conversion, self.spec, self.texts)
        one.place = 0
        one.formatted((0,))

    def formatted(self, bits):
        convert = {-1: lambda x: x, ord("s"): str, ord("r"): repr, ord("a"): ascii}[self.conversion]
        return format(convert(self.value(bits)), self.spec)

    def __repr__(self):
        return f"Number({self.type!r}, {self.place}, {self.conversion}, {self.spec!r}, {self.texts!r})"


class Message:
    """An argument of an exception: a Number, or an f-string of texts and Numbers."""

    def __init__(self, parts, is_text=True):
        self.parts, self.is_text = parts, is_text

    def numbers(self):
        return [p for p in self.parts if isinstance(p, Number)]

    def placed(self, numbers):
        return Message([p.placed(numbers) if isinstance(p, Number) else p for p in self.parts], self.is_text)

    def text(self, seen):
        """What stands in the raise statement. A number that is there twice is there as its first occurrence alone."""
        text = ""
        for p in self.parts:
            text += braces(p) if isinstance(p, str) else "..." if p.place in seen else "{}"
            seen.add(getattr(p, "place", None))
        return text

    def made(self, bits):
        """The argument, of the bits in an error record."""
        if not self.is_text:
            return self.parts[0].value(bits)
        return "".join(p if isinstance(p, str) else p.formatted(bits) for p in self.parts)

    def __repr__(self):
        return f"Message({self.parts!r}, {self.is_text})"
