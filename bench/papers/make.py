#!/usr/bin/env python3
"""Writes the programs of bench/papers and bench/several: GROUP/*.py -> GROUP/NAME.vrir, one for each function.

  PYTHONPATH=build/release/python bench/papers/make.py [--vrir build/release/bin/vrir] [NAME ...]

The body of a function becomes an accelerated section that repeats it. A function with an argument `repeats` is compiled as it is written. T (and
np.TYPE) in a function stands for float32 and float64, and makes two programs. `vrir cat` formats the output.
"""
from __future__ import annotations

import argparse
import ast
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

from pyraptor._annotations import ArrayType
from pyraptor._program import Program
from pyraptor._types import Array, Scalar

HERE = pathlib.Path(__file__).resolve().parent
IN_PLACE = "\n    # in place"  # the first line of a program that updates its arrays
HEAD = """import math
import numpy as np
from pyraptor import *
"""


def plain(text):
    """The function's source with the types filled in, one for each value of T."""
    if not re.search(r"\bT\b", text):
        yield text
        return
    for t in ("f32", "f64"):
        one = re.sub(r"\bnp\.TYPE\b", {"f32": "np.float32", "f64": "np.float64"}[t], re.sub(r"\bT\b", t, text))
        yield re.sub(r"^def (\w+)", rf"def \1_{t}", one, count=1)


def repeated(text):
    """The function's source with the body repeated in a section."""
    tree = ast.parse(text).body[0]
    if any(a.arg == "repeats" for a in tree.args.args):
        return text
    lines = text.split("\n")
    first = tree.body[0].lineno - 1
    head = "\n".join(lines[:first]).replace(IN_PLACE, "")
    head = re.sub(r"\):\s*$", ", repeats: i64):", head)
    body = textwrap.indent("\n".join(lines[first:]), " " * 8)
    # A loop with an error of its own stays on the host: the repetitions of a program that updates its arrays would else become one kernel.
    stays = "            if turn == repeats:\n                raise ValueError\n" if IN_PLACE in text else ""
    return f"{head}\n    with gpu():\n        for turn in range(repeats):\n{stays}{body}"


def vrir_type(t):
    if isinstance(t, ArrayType):
        return Array(t.dtype.name, False, t.ndim) if t.dtype.kind != "c" else Array(f"float{t.dtype.itemsize * 4}", True, t.ndim)
    return Scalar(t.dtype.name, weak=t.wide)


def module_of(text, name, folder):
    path = folder / f"{name}.py"
    path.write_text(HEAD + text + "\n")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def laid_out(text, vrir):
    text = re.sub(r' :loc "[^"]*"', "", text)
    if not vrir:
        return text
    with tempfile.NamedTemporaryFile("w", suffix=".vrir") as f:
        f.write(text)
        f.flush()
        return subprocess.run([vrir, "cat", f.name], check=True, capture_output=True, text=True).stdout


def write(text, helpers, target, vrir, folder):
    tree = ast.parse(text).body[0]
    module = module_of("\n\n\n".join([*helpers, text]), tree.name, folder)
    function = getattr(module, tree.name)
    types = tuple(vrir_type(eval(a.annotation.value if isinstance(a.annotation, ast.Constant) else ast.unparse(a.annotation), vars(module)))
                  for a in tree.args.args)
    program = Program(function, types, has_device=lambda: True)
    shown = re.sub(r"^def (\w+)\(.*?\):", lambda m: re.sub(r": \w+(\[[^\]]*\])?(?=[,)])", "", m[0]), text, count=1, flags=re.S)
    used = [h for h in helpers if re.search(rf"\b{ast.parse(h).body[0].name}\(", text)]
    comment = "".join(f";   {line}".rstrip() + "\n" for line in "\n\n".join([*used, shown]).split("\n"))
    (target / f"{tree.name}.vrir").write_text(f"{comment}{laid_out(program.text, vrir)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--vrir")
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted([*HERE.glob("*/*.py"), HERE.parent / "several" / "several.py"]):
            text = source.read_text()
            functions = [f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef)]
            parts = {f.name: ast.get_source_segment(text, f) for f in functions}
            # Helper functions, which the programs call, have no annotations.
            helpers = [parts[f.name] for f in functions if not any(a.annotation for a in f.args.args)]
            for f in functions:
                if not any(a.annotation for a in f.args.args):
                    continue
                for one in plain(parts[f.name]):
                    name = ast.parse(one).body[0].name
                    if given.names and name not in given.names:
                        continue
                    try:
                        write(repeated(one), helpers, source.parent, given.vrir, pathlib.Path(folder))
                    except Exception as e:
                        print(f"{source.name}: {name}: {type(e).__name__}: {e}", file=sys.stderr)
                        failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
