"""Compares the table of library functions with PyRaptor: tests/hosts/library_table.txt has an expression for each function that calls it, or the
reason why there is none. NumPy's names in docs/vrir-library.md must be supported by PyRaptor."""
import math
import pathlib
import re
import sys

import numpy as np
import pytest

import pyraptor
from conftest import function
from pyraptor import _numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/hosts"))
import library_table  # noqa: E402

ROWS = library_table.read((ROOT / "tests/hosts/library_table.txt").read_text())
VALUES = {"x": np.array([0.5, 0.25, 0.75]), "y": np.array([0.25, 1.0, 2.0]), "m": np.eye(3) + 0.1, "k": np.array([1, 2, 3]),
          "l": np.array([3, 1, 2]), "b": np.array([True, False, True]), "z": np.array([1 + 2j, 3, 4]), "s": 0.5, "t": 1.5, "n": 4}
ON_PAGE_ONLY = {  # NumPy's names in docs/vrir-library.md that PyRaptor refuses, and why
    "np.linalg.svdvals": "a function of NumPy 2",
}


def called(expression):
    """The VRIR text to which a call compiles."""
    used = [v for v in VALUES if re.search(rf"(?<![.\w]){v}\b", expression)]
    f = function(", ".join(used), f"return {expression}")
    f.__globals__.update(np=np, math=math, random=pyraptor.random)
    jitted = pyraptor.jit(f)
    jitted(*(VALUES[v] for v in used))
    return jitted.inspect("vrir")


def test_every_function_has_a_row():
    assert library_table.faults_of_rows(ROWS, (ROOT / "src/ir/library.def").read_text()) == []


@pytest.mark.parametrize("name", [name for name, (cell, _) in ROWS.items() if not library_table.reason(cell)])
def test_is_reached(name):
    assert f":libfunc {name} " in called(ROWS[name][0])


def test_reasons_are_not_empty():
    for cells in ROWS.values():
        assert all(library_table.reason(c) is None or len(library_table.reason(c)) > 5 for c in cells)


def test_numpys_names_on_the_page():
    """The NumPy equivalents that the page lists are compiled."""
    page = (ROOT / "docs/vrir-library.md").read_text()
    names = sorted({m for m in re.findall(r"`(np\.[\w.]+)", page) if not m.endswith("accumulate")})
    assert len(names) > 60
    unknown = []
    for name in names:
        o = np
        for part in name.split(".")[1:]:
            o = getattr(o, part, None)
        if name not in ON_PAGE_ONLY and o is not None and not isinstance(o, (type, float)) and _numpy.find(o) is None:
            unknown.append(name)
    assert unknown == []
