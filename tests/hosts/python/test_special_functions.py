"""Inverse hyperbolic functions, erfc and the gamma functions of NumPy and Python, also at special values."""
import math

import numpy as np
import pytest

import pyraptor
from conftest import compare, function

VALUES = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.0, -2.5, 10.0, 30.5, 170.0, 171.5, -171.5, 172.0, 1e-300, 1e-5, 1e10, 1e300, -1e300, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("name", ["arcsinh", "arccosh", "arctanh"])
def test_numpy(name):
    f = function("x", f"return np.{name}(x)")
    for dtype in (float, np.float32, int):
        with np.errstate(all="ignore"):
            compare(f, np.array(VALUES if dtype is not int else [-3, -1, 0, 1, 2, 10**9]).astype(dtype))
    compare(f, 1.25 if name == "arccosh" else 0.25)
    compare(f, np.array([1j, 0.5 - 2j]))  # through NumPy


@pytest.mark.parametrize("name", ["asinh", "acosh", "atanh", "erfc", "gamma", "lgamma"])
def test_math(name):
    f = function("x", f"import math\nreturn math.{name}(x)")
    for x in VALUES:
        # Python's and the C library's gamma functions differ by a few ulp.
        compare(f, x, rtol=1e-12)
    compare(f, 3)


def test_arrays_of_erfc_and_gamma():
    g = pyraptor.jit(function("x", "import math\ny = np.empty(len(x))\nfor i in prange(len(x)):\n    y[i] = math.erfc(x[i]) + math.gamma(1 + x[i]) + math.lgamma(2.5 + x[i])\nreturn y"))
    x = np.linspace(0, 20, 1000)
    np.testing.assert_allclose(g(x), [math.erfc(v) + math.gamma(1 + v) + math.lgamma(2.5 + v) for v in x], rtol=1e-13)
