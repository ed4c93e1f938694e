"""The programs of bench/python/loop_programs, at small sizes, compared with Python: the first calls, and calls after code for the
arguments' shapes was made."""

import copy
import pathlib
import sys

import numpy as np
import pytest

import pyraptor

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "bench" / "python"))

from loop_programs.cases import cases  # noqa: E402
from loops import programs, same  # noqa: E402

PROGRAMS, ARGUMENTS = programs(), cases(divisor=12)


def rows_apart(a):
    """The array as a view with other strides than the calls before had."""
    return np.repeat(a, 2, axis=0)[::2] if isinstance(a, np.ndarray) and a.ndim > 1 else a


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    function = PROGRAMS[name][0]
    wanted = copy.deepcopy(ARGUMENTS[name])
    with np.errstate(over="ignore"):
        function(*wanted)
    compiled = pyraptor.jit(function)
    for call in range(6):
        got = copy.deepcopy(ARGUMENTS[name])
        compiled(*got)
        assert same(got, wanted), f"call {call}"
        compiled.wait()
    views = [rows_apart(a) for a in copy.deepcopy(ARGUMENTS[name])]
    compiled(*views)
    assert same(views, wanted), "views"
