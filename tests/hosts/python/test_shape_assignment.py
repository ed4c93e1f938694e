"""`a.shape = s`: compiled where the function made the array and no other name refers to it, else refused."""
import numpy as np
import pytest
import pyraptor
from conftest import compare, function
from pyraptor import UnsupportedError

A = np.arange(6.0).reshape(2, 3)

COMPILED = [
    "b = a + 1; b.shape = 6; return b",
    "b = a + 1; b.shape = (3, -1); return b, a.shape",
    "b = a * 2; n = b.size; b.shape = (n, 1); b = b[b[:, 0] > 3]; return b.shape, b.sum()",
    "b, c = a + 1, a - 1; b.shape = c.shape = b.size; return b - c",
    "b = np.zeros((2, 3)); b.shape = (3, 2); b[1, 1] = 5; return b",
]
REFUSED = [
    "a.shape = 6; return a",  # the caller's array
    "b = a + 1; c = b; b.shape = 6; return c",
    "b = a + 1; c = (b, 1); b.shape = 6; return c[0]",
    "b = a + 1; c = [b for i in range(2)]; b.shape = 6; return c[0]",
    "b = np.asarray(a); b.shape = 6; return b",
    "b = (a + 1)[::2]; b.shape = 3; return b",
    "b = (a + 1).T; b.shape = 6; return b",
    "c = (a + 1).T; b = c + 1; b.shape = 6; return b",  # NumPy's sum is in column-major order
    "b = a + 1; c = b[0]; b.shape = (3, 2); b[0, 1] = 77; return b, c",  # c shows the store
    "b = a if a[0, 0] > 0 else a + 1; b.shape = 6; return b",
]


def body(text):
    return text.replace("; ", "\n") + "\n"


@pytest.mark.parametrize("text", COMPILED)
def test_compiled(text):
    compare(function("a", body(text)), A.copy())


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    with pytest.raises(UnsupportedError, match="shape|view"):
        pyraptor.jit(function("a", body(text)))(A.copy())


def test_column_major_arguments_are_refused():
    f = function("a", body("b = a + 1; b.shape = 6; return b"))
    with pytest.raises(AttributeError):
        f(np.asfortranarray(A))
    with pytest.raises(UnsupportedError, match="contiguous"):
        pyraptor.jit(f)(np.asfortranarray(A))


def test_other_number_of_elements():
    f = function("a", body("b = a + 1; b.shape = 7; return b"))
    with pytest.raises(ValueError):
        pyraptor.jit(f)(A.copy())
