"""Exception messages that contain numbers computed at run time. VRIR's raise statement takes up to two numbers; Python formats them.

A Message is stored with the compiled function. The error record contains the 64 bits of each number.
"""
from __future__ import annotations

import struct

import numpy as np

from ._types import is_float, is_unsigned

#: The limit of VRIR's raise statement (velociraptor/ir/nodes.hpp, max_raise_args).
MOST_NUMBERS = 2


def braces(text):
    """The string with braces escaped, for the message of a raise statement."""
    return text.replace("{", "{{").replace("}", "}}")


class Numbers:
    """The numbers of one raise statement, as VRIR expressions."""

    def __init__(self):
        self.codes = []


class Number:
    """A number in a message: its type, its index in the error record (`place`), and its format in an f-string."""

    def __init__(self, code, type, conversion=-1, spec="", texts=None):
        """`texts`: strings, of which the number selects one by index."""
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
        """Raises ValueError if Python cannot format a number of this type with this format."""
        one = Number(None, self.type, self.conversion, self.spec, self.texts)
        one.place = 0
        one.formatted((0,))

    def formatted(self, bits):
        convert = {-1: lambda x: x, ord("s"): str, ord("r"): repr, ord("a"): ascii}[self.conversion]
        return format(convert(self.value(bits)), self.spec)

    def __repr__(self):
        return f"Number({self.type!r}, {self.place}, {self.conversion}, {self.spec!r}, {self.texts!r})"


class Message:
    """An argument of an exception: a Number, or an f-string of strings and Numbers."""

    def __init__(self, parts, is_text=True):
        self.parts, self.is_text = parts, is_text

    def numbers(self):
        return [p for p in self.parts if isinstance(p, Number)]

    def placed(self, numbers):
        return Message([p.placed(numbers) if isinstance(p, Number) else p for p in self.parts], self.is_text)

    def text(self, seen):
        """The text for the raise statement. Only the first occurrence of a repeated number is written; later ones become "..."."""
        text = ""
        for p in self.parts:
            text += braces(p) if isinstance(p, str) else "..." if p.place in seen else "{}"
            seen.add(getattr(p, "place", None))
        return text

    def made(self, bits):
        """The argument, made from the bits in an error record."""
        if not self.is_text:
            return self.parts[0].value(bits)
        return "".join(p if isinstance(p, str) else p.formatted(bits) for p in self.parts)

    def __repr__(self):
        return f"Message({self.parts!r}, {self.is_text})"
