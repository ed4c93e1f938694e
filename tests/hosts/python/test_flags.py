"""a.flags (contiguity), a.strides, a.view."""
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


@pytest.mark.parametrize("text", ["y = np.zeros((2, 3))\nreturn y.flags.c_contiguous, y.flags.f_contiguous, y.flags.writeable", "y = np.ones(3)\nreturn y.flags.c_contiguous, y.flags.f_contiguous",
                                  "y = np.zeros((1, 3))\nreturn y.flags.f_contiguous, y.T.flags.c_contiguous"])
def test_new_arrays(text):
    f = function("x", text)
    assert jit(f)(1) == f(1)


@pytest.mark.parametrize("text", ["x.strides", "x.T.strides", "np.zeros((2, 3), np.int32).strides", "np.ones(4, np.int8).strides", "y = np.empty((2, len(x), 3))\nreturn y.strides, y.T.strides",
                                  "np.zeros((2, 1)).strides"])
def test_strides(text):
    f = function("x", text)
    for x in (np.ones(3), np.ones((2, 3)), np.ones((4, 2, 3), np.float32)):
        assert jit(f)(x) == f(x)


@pytest.mark.parametrize("x", [np.ones(6)[::2], np.ones((2, 6))[:, ::2], np.ones((1, 3)), np.ones((0, 3)), np.asfortranarray(np.ones((2, 3)))])
def test_refused_strides(x):
    with pytest.raises(UnsupportedError, match="strides"):
        jit(function("x", "x.strides"))(x)


VIEWS = ["y = x.view(np.int64)\nx[0] = 1\nreturn y", "x.view(np.int64)", "x.view(np.uint8)[1:4]", "x.view(np.complex128)", "x.view(np.float32).shape", "x.astype(np.int64).view(np.float64)", "y = x.view()\ny[0] = 5.0\nreturn y, x",
         "x[0].view(np.int64), np.int32(7).view(np.float32), np.float32(1.5).view('i4')", "x.view(np.int64).sum(), x.view(np.int64)[0] & 1"]


@pytest.mark.parametrize("text", VIEWS)
def test_views(text):
    f, a, b = function("x", text), np.arange(4.0), np.arange(4.0)
    want, got = f(a), jit(f)(b)
    assert repr(want) == repr(got) and repr(a) == repr(b)
    if isinstance(want, np.ndarray):
        assert np.shares_memory(want, a) == np.shares_memory(got, b)


@pytest.mark.parametrize("text", ["y = x.view(np.int64)\ny[0] = 1\nreturn x", "x.sum().view(np.int32)", "len(x).view(np.int64)", "x.view('U1')"])
def test_refused_views(text):
    with pytest.raises(UnsupportedError):
        jit(function("x", text))(np.arange(4.0))


@pytest.mark.parametrize("text", ["x[1:].flags.c_contiguous", "y = x[::2]\nreturn y.flags.c_contiguous", "x.flags.writeable", "x.flags.aligned", "x.flags.owndata", "y = x\nwhile len(y) > 2:\n    y = y[1:]\nreturn y.flags.c_contiguous",
                                  "while len(x) > 2:\n    x = x[1:]\nreturn x.flags.c_contiguous", "g = lambda q: q.flags.c_contiguous\nreturn g(x[::2])", "x.flags"])
def test_refused(text):
    with pytest.raises(UnsupportedError):
        jit(function("x", text))(np.ones(6)[::2])
