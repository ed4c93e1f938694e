"""A small function for each feature that Numba's reference manual lists as supported (features.txt): compared with plain Python.

A line with several values becomes one case per value, so that one refusal does not hide the other results.
"""
import ast
import array
import bisect
import cmath
import collections
import enum
import functools
import heapq
import itertools
import math
import operator
import pathlib
import random
import time

import numpy as np

import judge
import target

NAME, TITLE = "features", "Features of Numba's manual"

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1
    BLUE = 2


#: The names that a case of features.txt may use, and the values passed for parameters of these names.
SAMPLES = {
    "k": lambda: 5, "k2": lambda: 3, "x": lambda: 1.75, "x2": lambda: 0.5, "z": lambda: 1.5 - 2j, "z2": lambda: 0.5 + 1j,
    "b0": lambda: True, "b1": lambda: False, "s": lambda: "velocity", "none": lambda: None,
    "i4": lambda: np.int32(7), "f8": lambda: np.float64(2.25),
    "a": lambda: np.array([0.25, 2.0, -1.5, 0.75, 1.25]), "a3": lambda: np.array([1.0, -2.0, 3.0]), "a5": lambda: np.array([1.0, 2.0, 0.5, 4.0, 3.0]),
    "a6": lambda: np.arange(6.0), "a01": lambda: np.array([0.1, 0.5, 0.9]), "as_": lambda: np.array([0.0, 0.4, 0.9, 1.5, 2.5]),
    "an": lambda: np.array([1.0, np.nan, 3.0, 2.0]), "a0": lambda: np.array(2.5), "z1": lambda: np.array([1 + 2j, -1j, 3 - 1j, 0.5]),
    "m": lambda: np.array([[1.0, 2.0, 0.5], [3.0, -1.0, 4.0], [0.25, 1.5, 2.0]]), "m3": lambda: np.arange(8.0).reshape(2, 1, 4),
    "spd": lambda: np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]),
    "v": lambda: np.array([3, 1, 4, 1, 5]), "v3": lambda: np.array([0, 2, 1]), "v5": lambda: np.array([1, 0, 2, 1, 3]),
    "t": lambda: (3, 7), "t0": lambda: (1, 2), "l": lambda: [3, 1, 2, 5], "ll": lambda: [[1, 2], [3, 4]], "ragged": lambda: [[1], [2, 3], []],
    "mixed": lambda: [1, 2.5, 3], "st": lambda: {1, 2, 5}, "ds": lambda: {"p": 2, "q": 3}, "di": lambda: {1: 2.5, 4: 0.5},
    "point": lambda: Point(2, 3.5), "color": lambda: Color.BLUE, "rng": lambda: np.random.default_rng(3),
    "rec": lambda: np.array([(1.5, 2), (2.5, 4)], dtype=[("x", "f8"), ("y", "i4")]),
    "dates": lambda: np.array(["2020-01-01", "2020-03-01"], "datetime64[D]"), "chars": lambda: np.array(["ab", "cd"]),
    "buf": lambda: array.array("d", [1.0, 2.5]), "by": lambda: b"abc",
}

NAMES = {"np": np, "math": math, "cmath": cmath, "operator": operator, "functools": functools, "itertools": itertools, "heapq": heapq,
         "bisect": bisect, "collections": collections, "random": random, "time": time, "Point": Point, "Color": Color,
         "GLOBAL_NUMBER": 7, "GLOBAL_ARRAY": np.array([1.0, 2.0]), "GLOBAL_TUPLE": (4, 5)}


def version():
    import numpy
    return f"with NumPy {numpy.__version__}"


def texts(file=pathlib.Path(__file__).parent / "features.txt"):
    """Returns (section, function source) for all cases of a file."""
    section, block = "", []
    for line in [*file.read_text().split("\n"), ""]:
        if block and line.startswith(" "):
            block.append(line)
            continue
        if block:
            yield section, "\n".join(block) + "\n"
            block = []
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("def "):
            block = [line]
        elif line and not line.startswith("#"):
            yield from ((section, t) for t in of_line(line))


def of_line(line):
    *first, last = ast.parse(line).body
    values = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
    for value in values:
        lines = [ast.get_source_segment(line, s) for s in first] + ["return " + ast.get_source_segment(line, value)]
        used = sorted({x.id for x in ast.walk(ast.parse("\n".join(lines).replace("return ", ""))) if isinstance(x, ast.Name)} & set(SAMPLES))
        yield f"def feature({', '.join(used)}):\n" + "".join(f"    {x}\n" for x in lines)


class Case:
    def __init__(self, section, text):
        self.name, self.text = f"{section}: {short(text)}", text

    def run(self, record):
        record.begin(self.name)
        plain, other = self.function(), self.function()
        args = tuple(SAMPLES[p]() for p in plain.__code__.co_varnames[:plain.__code__.co_argcount])
        outcome, detail = judge.judge(plain, target.compiled(other), args, None, target.REFUSAL, record.phase)
        if "np.empty" in self.text and outcome == "not applicable":
            outcome, detail = "right", "elements that nobody has set"
        record.end(outcome, detail, text=self.text)

    def function(self):
        scope = target.module_of(self.text, "feature")
        scope.update(NAMES)
        return next(f for f in target.plain_functions(scope).values())


def short(text):
    lines = [s.strip() for s in text.strip().split("\n")]
    return lines[0][4:].split("(")[0] if not lines[0].startswith("def feature(") else "; ".join(lines[1:]).replace("return ", "")


def cases(at):
    return [Case(*c) for c in texts()]
