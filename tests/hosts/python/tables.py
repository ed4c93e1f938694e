"""Tables of expressions and statements with arguments, run by plain Python and compiled: the result, or the exception, and the arguments
afterwards must be the same."""
import bisect
import cmath
import copy
import functools
import heapq
import itertools
import math
import operator

import numpy as np
import pytest

import pyraptor
from conftest import function

NAMES = dict(np=np, math=math, cmath=cmath, itertools=itertools, functools=functools, operator=operator, bisect=bisect, heapq=heapq, pyraptor=pyraptor)


def cases(*rows):
    """Parameters of `run`, made from rows (arguments, text, call, call ...): a call is a tuple of arguments, or a single argument."""
    return pytest.mark.parametrize("arguments, text, call", [
        pytest.param(arguments, text, call if isinstance(call, tuple) else (call, ), id=f"{text[:50]}-{k}")
        for arguments, text, *calls in rows for k, call in enumerate(calls)])


def outcome(f, args):
    with np.errstate(all="ignore"):
        try:
            return f(*args), None
        except pyraptor.UnsupportedError:
            raise
        except Exception as e:
            return None, e


def same(a, b, path="the result"):
    assert type(a) is type(b), f"{path}: {a!r} is {type(a).__name__}, {b!r} is {type(b).__name__}"
    if isinstance(a, (tuple, list)):
        assert len(a) == len(b), path
        for k, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{path}[{k}]")
    elif isinstance(a, dict):
        assert list(a.items()) == list(b.items()), path
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape, f"{path}: {a.dtype}{a.shape} and {b.dtype}{b.shape}"
        same_numbers(a, b, path)
    elif isinstance(a, (float, complex, np.inexact)):
        same_numbers(np.asarray(a), np.asarray(b), path)
    else:
        assert a == b, path


def same_numbers(a, b, path):
    if a.dtype.kind not in "fc":
        return np.testing.assert_array_equal(b, a, err_msg=path)
    single = a.dtype.itemsize // (2 if a.dtype.kind == "c" else 1) < 8
    for part in ("real", "imag") if a.dtype.kind == "c" else ("real", ):
        x, y = getattr(a, part), getattr(b, part)
        np.testing.assert_allclose(y, x, rtol=2e-5 if single else 1e-12, atol=0, err_msg=path)
        zero = (x == 0) & (y == 0)
        np.testing.assert_array_equal(np.signbit(y)[zero], np.signbit(x)[zero], err_msg=path)


def run(arguments, text, call, **names):
    f = function(arguments, text, **{**NAMES, **names})
    plain, compiled = copy.deepcopy(call), copy.deepcopy(call)
    wanted, error = outcome(f, plain)
    got, fault = outcome(pyraptor.jit(f), compiled)
    if error is not None or fault is not None:
        assert type(error) is type(fault), f"{error!r} and {fault!r}, result {got!r}"
        return
    same(wanted, got)
    for k, (x, y) in enumerate(zip(plain, compiled)):
        if isinstance(x, (np.ndarray, list, set, dict)):
            same(x, y, f"argument {k}")


def refusal(arguments, text, *call, **names):
    """The message of the refusal."""
    with pytest.raises(pyraptor.UnsupportedError) as caught:
        pyraptor.jit(function(arguments, text, **{**NAMES, **names}))(*call)
    assert caught.value.lineno
    return str(caught.value)
