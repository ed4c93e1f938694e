"""Arguments that must be known at compile time are constants of the version; *args; slices and ranges as arguments."""
import numpy as np
import pyraptor
import pytest

from conftest import function
from tables import cases, refusal, run

I = np.arange(24.0).reshape(2, 3, 4)


@cases(("a, axis", "np.sum(a, axis), a.max(axis=axis), np.sort(a, axis)", (I, 0), (I, 1), (I, -1), (I, 5)), ("a, axis", "np.sum(a, axis)", (I, None), (I, (0, 2)), (I, (0, 0))),
       ("a, k", "np.round(a, k)", (I / 7, 1), (I / 7, 3)), ("a, k", "np.expand_dims(a, k).shape", (I, 1), (I, 3)), ("a, n", "np.split(a, n)", (np.arange(6), 2), (np.arange(6), 3)),
       ("a, keep", "a.sum(axis=1, keepdims=keep)", (I, True), (I, False)), ("a, k", "np.fft.fft(a, axis=k)", (I, 0), (I, 2)), ("a, i", "(a, 2.5, 7)[i]", (1, 0), (1, 2)),
       ("a, i, j", "(a, 2.5, 7)[i:j]", (1, 0, 2), (1, 1, 3)), ("a, p", "np.linalg.norm(a, p)", (I[0, 0], 1), (I[0, 0], 2.5), (I[0, 0], np.inf)),
       ("a, axis", "np.sum(a, -axis - 1)", (I, 0), (I, 1)), ("a, axis=1", "np.sum(a, axis)", (I, 0), (I, )))
def test_numpys_arguments(arguments, text, call):
    run(arguments, text, call)


def along(a, axis):
    return np.cumsum(a, axis)


def both(a, axis):
    return along(a, axis), along(a, 0)


@cases(("a, k", "along(a, k), along(a, 1)", (I, 2), (I, 0)), ("a, k", "both(a, k + 1)", (I, 0), (I, 1)), ("a, k", "def f(x, j):\n    return np.flip(x, j)\nreturn f(a, k), f(a, 0)", (I, 1)))
def test_through_calls(arguments, text, call):
    run(arguments, text, call, along=along, both=both)


def test_versions():
    f = pyraptor.jit(function("a, axis, k", "np.sum(a, axis) * k"))
    for axis in (0, 1, 0, 1):
        for k in (2, 3):
            assert f(I, axis, k).shape == np.sum(I, axis).shape
    assert len(f.versions) == 2 if hasattr(f, "versions") else len(f.report()) == 2
    g = pyraptor.jit(function("x, k", "x + k"))
    for k in range(5):
        g(1, k)
    assert len(g.report()) == 1


def test_zeros_and_nan_are_values_of_their_own():
    f = pyraptor.jit(function("a, p", "np.linalg.norm(a, p), 1 / np.float64(p)"))
    assert f(np.ones(2), 0.0)[1] == np.inf and f(np.ones(2), -0.0)[1] == -np.inf
    assert f(np.ones(2), 0.0)[1] == np.inf


def test_computed_arguments_are_refused():
    assert "must be known" in refusal("a, k", "s = k\nfor i in range(3):\n    s += i\nreturn np.expand_dims(a, s)", I, 0)
    f = pyraptor.jit(function("a, k", "np.expand_dims(a, 0)[:, :k], np.split(a, k)"))
    with pytest.raises(pyraptor.UnsupportedError, match="versions for different values"):
        for k in range(1, 100):
            f(np.zeros(k), k)


def total(*numbers, start=0):
    s = start
    for x in numbers:
        s += x
    return s


@cases(("x", "total(x, 2, 3.5), total(), total(x, start=7)", 1, 2.5), ("x, y", "total(*(x, y), *[x, x])", (1, 2)), ("*a", "len(a)", (), (1, ), (1, 2.5)),
       ("x, *a", "x + len(a), a[0]", (1, 2), (1, 2.5, np.ones(2))), ("*a, k=3", "a[-1] * k", (1, 2)), ("x", "def f(*b):\n    return len(b) + x\nreturn f(), f(1, 2)", 5),
       ("x", "(lambda *b: b)(x, 2)", 5))
def test_star_arguments(arguments, text, call):
    run(arguments, text, call, total=total)


def test_star_arguments_of_the_compiled_function():
    f = pyraptor.jit(total)
    assert f() == 0 and f(1, 2) == 3 and f(1, 2.5, start=1) == 4.5 and type(f(1)) is int
    with pytest.raises(pyraptor.UnsupportedError, match="kwargs"):
        pyraptor.jit(function("**k", "return 1"))()


@cases(("a, i", "a[i]", (I, slice(1, None)), (I, (slice(None), 1)), (I, (Ellipsis, slice(0, 2))), (I, Ellipsis), ([1, 2, 3], slice(1, None)), ("abc", slice(None, 2))),
       ("i", "i, i.start", slice(1, 2), slice(None, 5, 2)), ("a, i", "a[i] = 0\nreturn a", (I, slice(0, 1))))
def test_slices(arguments, text, call):
    run(arguments, text, call)


ROWS, BACK, THREE = slice(None, 1), slice(None, None, -1), range(0, 6, 2)


@cases(("a", "a[ROWS], a[BACK], a[ROWS, 1:], [1, 2, 3][BACK]", I), ("a", "s = 0\nfor k in THREE:\n    s += a * k\nreturn s, ROWS", 2))
def test_slices_and_ranges_of_the_program(arguments, text, call):
    run(arguments, text, call, ROWS=ROWS, BACK=BACK, THREE=THREE)


def test_threads_that_need_values_at_once():
    import threading
    f = pyraptor.jit(function("a, axis", "np.cumsum(a, axis)"))
    found, barrier = [None] * 6, threading.Barrier(6)

    def work(k):
        barrier.wait()
        found[k] = f(I, k % 3)

    threads = [threading.Thread(target=work, args=(k, )) for k in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(found[k], np.cumsum(I, k % 3)) for k in range(6))


def test_fallback_where_values_do_not_help():
    f = pyraptor.jit(function("a, k", "s = k\nfor i in range(3):\n    s += i\nreturn np.expand_dims(a, s - 3)"), fallback=True)
    with pytest.warns(pyraptor.PyRaptorWarning):
        assert f(np.ones(2), 0).shape == (1, 2)


def test_fallback_passes_arguments_as_they_were_given():
    def f(a, *more, k=3):
        return int(str(a).split()[0]) // 6, more, k

    g = pyraptor.jit(f, fallback=True)
    with pytest.warns(pyraptor.PyRaptorWarning):
        assert g(12, 1, 2, k=4) == (2, (1, 2), 4) and g(6) == (1, (), 3)
