"""`try` around operations of arrays: the errors of shapes, subscripts and new arrays that handlers catch. Plain Python is the oracle."""
import numpy as np
import pytest

import pyraptor
from conftest import compare, function

A, B, M = np.arange(4.0), np.arange(3.0), np.arange(6.0).reshape(2, 3)


def tried(body, kind):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"try:\n{lines}except {kind}:\n    return -1.0, a"


@pytest.mark.parametrize("kind", ["ValueError", "Exception", "(IndexError, ValueError)"])
@pytest.mark.parametrize("body", ["return (a + b).sum(), a", "return (a * b + a).sum(), a", "return (a - b * 2 > 1).sum() * 1.0, a", "a += b\nreturn a.sum(), a", "a[:3] = b\nreturn a.sum(), a",
                                  "a[1:] = b\nreturn a.sum(), a", "c = np.zeros(len(a)) + b\nreturn c.sum(), a", "return (a % b + a // 2.0).sum(), a", "c = a @ b\nreturn c.sum() * 1.0, a",
                                  "a[:] = 7.0\nreturn (a & 1 if False else a).sum(), a", "c = np.ones((len(a), 2)) * b[0]\nreturn c.sum(), a", "return np.sqrt(a + b).sum(), a", "return (a // b).sum() + np.hypot(a, b).sum(), a", "return np.logaddexp(a, b).sum(), a", "return np.where(a > 1, a, b).sum(), a", "return np.fmax(a, b).sum(), a",
                                  "return (a.astype(np.int64) // b.astype(np.int64)).sum() * 1.0, a"])
def test_shapes(body, kind):
    f = pyraptor.jit(function("a, b", tried(body, kind)))
    for a, b in ((A, A + 1), (A, B + 1), (B, A + 1), (M, B + 1), (M, A + 1), (A, A[:1] + 1), (A[::2], A[:2] + 1)):
        if "@" not in body and "[0]" not in body or a.ndim == b.ndim == 1:
            compare(f, a, b, types=False)


@pytest.mark.parametrize("kind", ["IndexError", "Exception"])
def test_subscripts(kind):
    for index in (np.array([0, 2]), np.array([0, 9]), np.array([-1, -4]), np.array([-5, 0]), np.array([], np.int64)):
        compare(function("a, i", tried("return a[i].sum(), a", kind)), A, index, types=False)
        compare(function("a, i", tried("a[i] = 5.0\nreturn a.sum(), a", kind)), A, index, types=False)
    for mask in (A > 1, B > 1):
        compare(function("a, i", tried("return a[i].sum(), a", kind)), A, mask, types=False)
    for mask in (M > 1, M.T > 1):
        compare(function("a, i", tried("return a[i].sum(), a", kind)), M, mask, types=False)


def test_new_arrays():
    for n in (3, 0, -1):
        for body in ("return np.zeros(n).sum() + 1, a", "return np.ones((2, n)).sum() + 1, a", "return np.empty(n).size + 1.0, a", "return np.full(n, 2.0).sum() + 1, a"):
            f = function("a, n", tried(body, "ValueError"))
            if "full" in body:
                try:
                    compare(f, A, n, types=False)
                except pyraptor.UnsupportedError:
                    continue
            compare(f, A, n, types=False)


@pytest.mark.parametrize("body", ["return a[b > 1]", "a[b > 1] = 5\nreturn a", "a[b > 1] += 5\nreturn a", "return a[:2][b[:1] > 0]"])
def test_masks_of_other_shapes_are_index_errors(body):
    assert isinstance(compare(function("a, b", body), A, B), IndexError)
    compare(function("a, b", body), A, A) if ":2" not in body else None


def test_errors_in_loops_and_functions():
    compare(function("x, n", """
total, failed = 0.0, 0
for k in range(n):
    try:
        total += (x[:k] + x[k:]).sum()
    except ValueError:
        failed += 1
return total, failed"""), np.arange(6.0), 6)
    compare(function("x, n", """
def g(u, v):
    return (u + v).sum()
total, failed = 0.0, 0
for k in range(n):
    try:
        total += g(x[:k], x[k:])
    except ValueError:
        failed += 1
return total, failed"""), np.arange(6.0), 6)
    compare(function("x, y", "done = 0\ntry:\n    x[1:] = y\nexcept ValueError:\n    done = 1\nelse:\n    done = 2\nfinally:\n    x[0] = 9\nreturn x, done"), A, B)
    compare(function("x, y", "done = 0\ntry:\n    x[1:] = y\nexcept ValueError:\n    done = 1\nelse:\n    done = 2\nreturn x, done"), A, A)


def test_refused():
    for body in ("return np.linalg.inv(a)", "return np.max(a[:0])"):
        with pytest.raises(pyraptor.UnsupportedError, match="cannot catch"):
            pyraptor.jit(function("a, b", f"try:\n    {body}\nexcept ValueError:\n    return a"))(A if "inv" not in body else np.eye(2), B)
    with pytest.raises(pyraptor.UnsupportedError, match="run time"):
        pyraptor.jit(function("a, b", "try:\n    return (a + b).sum()\nexcept ValueError as e:\n    return str(e)"))(A, B)
