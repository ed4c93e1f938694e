"""a.flags: in which order the elements of arguments are adjacent."""
import numpy as np
import pytest

from conftest import function
from pyraptor import UnsupportedError, jit

ARRAYS = [np.ones(3), np.ones((2, 3)), np.ones((1, 3)), np.ones((3, 1)), np.ones((0, 3)), np.asfortranarray(np.ones((2, 3))), np.ones((2, 3))[:, ::2], np.ones((4, 3))[::2],
          np.ones(6)[::2], np.ones(6)[::2][:1], np.ones((2, 3, 1)), np.ones((1, 1, 5)), np.asfortranarray(np.ones((2, 3, 4))), np.ones((3, 3, 3))[:, 1], np.ones((2, 2)).T]
BOTH = "{0}.flags.c_contiguous, {0}.flags.f_contiguous, {0}.flags['C_CONTIGUOUS'], {0}.flags['F'], {0}.flags.contiguous"


@pytest.mark.parametrize("text", [BOTH.format("x"), BOTH.format("x.T"), f"y = x\nreturn {BOTH.format('x')}"])
def test_orders(text):
    f = function("x", text)
    g = jit(f)
    for x in ARRAYS:
        assert g(x) == f(x), (x.shape, x.strides)


@pytest.mark.parametrize("text", ["x[1:].flags.c_contiguous", "y = x + 1\nreturn y.flags.c_contiguous", "x.copy().flags.c_contiguous", "x.flags.writeable", "x.flags.aligned", "x.flags.owndata", "y = x\nwhile len(y) > 2:\n    y = y[1:]\nreturn y.flags.c_contiguous",
                                  "while len(x) > 2:\n    x = x[1:]\nreturn x.flags.c_contiguous", "g = lambda q: q.flags.c_contiguous\nreturn g(x[::2])", "x.flags"])
def test_refused(text):
    with pytest.raises(UnsupportedError):
        jit(function("x", text))(np.ones(6)[::2])
