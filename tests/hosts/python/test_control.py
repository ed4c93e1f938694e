"""Loops, branches, tuples, calls."""
import numpy as np
import pytest

import pyraptor
from conftest import compare, function
from pyraptor import jit

OPT_LEVEL = 2


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_while(check):
    for n in (1, 7, 27):
        check(collatz, n)


def ranges(n):
    s = 0
    for i in range(n):
        for j in range(i, n, 2):
            s += i * j
    for i in range(n, 0, -3):
        s -= i
    for i in reversed(range(n)):
        s = s * 2 + i
    return s


def test_ranges(check):
    for n in (0, 1, 6):
        check(ranges, n)


def jumps(n):
    s = 0
    for i in range(n):
        if i == 3:
            continue
        if i > 6:
            break
        s += i
    else:
        s = -s
    k = 0
    while True:
        k += 1
        if k > n:
            break
    while k > 0:
        k -= 2
    else:
        s += 100
    return s, k


def test_break_continue_else(check):
    for n in (0, 4, 9):
        check(jumps, n)


def branches(x):
    if x > 2:
        y = 1
    elif x > 0:
        y = 2
    else:
        y = 3
    return y


def test_if(check):
    for x in (3, 1, -1):
        check(branches, x)


def iteration(x, y):
    s = 0.0
    for v in x:
        s += v
    for k, v in enumerate(x):
        s += k * v
    for a, b in zip(x, y):
        s += a * b
    for k, (a, b) in enumerate(zip(x, y), 5):
        s -= a * b * k
    for v in (1, 2, 3):
        s += v
    for v in reversed(x):
        s = s / 2 + v
    return s


def test_iteration_over_arrays(check):
    check(iteration, np.arange(5.0), np.arange(7.0) + 1)


def rows(a):
    s = 0.0
    for row in a:
        s += row.sum() * row[0]
        row[1] = s
    return s


def test_rows_are_views(check):
    check(rows, np.arange(12.0).reshape(3, 4))


def tuples(a, b):
    t = (a, b, a + b)
    x, y, z = t
    x, y = y, x
    u = t[0] + t[-1]
    (p, q), r = (x, y), z
    return t, x, y, u, len(t), p - q, r, t[1:]


def test_tuples(check):
    check(tuples, 1, 2.5)


def swap(x):
    x[0], x[2] = x[2], x[0]
    i, j = 0, 1
    while j < 50:
        i, j = j, i + j
    return x, j


def test_swap(check):
    check(swap, np.array([1.0, 2.0, 3.0]))


@jit
def square(x):
    return x * x


def cube(x):
    return square(x) * x


def calls(x, n):
    s = 0.0
    for k in range(n):
        s += cube(x) + square(k)
    return s, square(3), square(2.5), cube(x=2)


def test_calls(check):
    check(calls, 1.5, 4)


@jit
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@jit
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


@jit
def odd(n):
    if n == 0:
        return False
    return even(n - 1)


def test_recursion(check):
    check(fib, 15)
    check(even, 11)


def test_endless_recursion():
    @jit
    def f(n):
        return f(n + 1) + 1 if n > 0 else 0

    with pytest.raises(RecursionError):
        f(1)
    assert f(0) == 0


def with_defaults(x, k=2, *, scale=1.5):
    return x * k * scale


def test_arguments(check):
    f = jit(with_defaults)
    assert f(2) == with_defaults(2)
    assert f(2, 3) == with_defaults(2, 3)
    assert f(x=2, k=4, scale=2.0) == with_defaults(2, 4, scale=2.0)
    with pytest.raises(TypeError):
        f()
    with pytest.raises(TypeError):
        f(1, nonsense=2)


def apply(f, x):
    return f(x) + 1


def test_functions_as_arguments(check):
    g = jit(apply)
    assert g(square, 3) == 10
    assert g(cube, 3) == 28
    assert g(np.sqrt, 4.0) == 3.0


COUNT, FACTOR = 3, 2.5
TABLE = np.array([1.0, 2.0, 4.0])


def globals_(x):
    return x * FACTOR + COUNT + TABLE[1] + TABLE.sum()


def test_globals(check):
    check(globals_, 2.0)


def test_closures():
    offset, weights = 5, np.array([0.5, 0.25])

    @jit
    def f(x):
        return x * weights[0] + offset

    assert f(4.0) == 7.0
    weights[0] = 2.0  # the array itself, not a copy of it
    assert f(4.0) == 13.0


def raises(k):
    if k == 1:
        raise ValueError("one")
    if k == 2:
        raise KeyError
    assert k != 3, "three"
    return k


def test_raise(check):
    for k in range(4):
        e = check(raises, k)
        if k == 1:
            assert str(e) == "one"


def names(n):
    x = 0
    for i in range(n):
        x += i
    y = x
    x = np.zeros(3)
    x[0] = y
    x = x.sum()
    return x


def test_one_name_with_several_types(check):
    check(names, 4)


def imports(a):
    import numpy as np
    from math import sqrt, pi as PI
    import os.path  # binds os
    from numpy import linalg
    if a.size > 3:
        from numpy import sum as total
        s = total(a)
    else:
        s = 0.0
    for _ in range(2):
        from numpy import ones
        a += ones(a.shape)
    return s + sqrt(4.0) + PI + linalg.norm(a) + np.cos(len(os.path.sep) - 1.0)


def imports_of_modules_inside(a):
    import numpy.linalg
    import numpy.linalg as la
    return numpy.linalg.norm(a) + la.norm(a) + numpy.sum(a)


def test_imports(check):
    for function in (imports, imports_of_modules_inside):
        check(function, np.arange(5.0))
        check(function, np.arange(2.0))


def used_before_it_is_imported(a):
    x = np_.sum(a)
    import numpy as np_
    return x


def missing(a):
    import nosuch.thing
    return a


def missing_name(a):
    from math import nosuch
    return a


def relative(a):
    from . import nosuch
    return a


def one_of_two(a):
    if a.size > 3:
        from math import sin as f
    else:
        from math import cos as f
    return f(a[0])


@pytest.mark.parametrize("function, text", [(used_before_it_is_imported, "np_"), (missing, "nosuch"),
                                            (missing_name, "nosuch"), (relative, "import"), (one_of_two, "sin")])
def test_imports_that_are_refused(function, text):
    with pytest.raises((pyraptor.UnsupportedError, NameError), match=text):
        jit(function)(np.arange(5.0))


def options(x, mode, flag=None):
    if flag is None:
        x = x + 1
    if mode == "double":
        return x * 2
    return x


def test_strings_and_none_are_known_at_compile_time():
    f = jit(options)
    assert f(1.0, "double") == 4.0
    assert f(1.0, "plain") == 2.0
    assert f(1.0, "plain", 3) == 1.0


def walrus(x):
    if (y := x * 2) > 3:
        return y
    return -y


def test_walrus(check):
    check(walrus, 1)
    check(walrus, 2)


def test_tuple_arguments(check):
    def f(shape, pair):
        m, n = shape
        return np.zeros(shape) + pair[0] * pair[1][0], m * n

    check(f, (2, 3), (2.0, np.arange(3.0)))


def test_int_becomes_float(check):
    def f(n):
        s = 0
        for i in range(n):
            s += 0.5
        return s

    check(f, 3)
    assert pyraptor.jit(f)(3) == 1.5


def maybe(n, k):
    for i in range(n):
        if i == k:
            found = i * 10
    return found


def after_the_loop(n):
    for i in range(n):
        pass
    return i


def test_variables_that_may_have_no_value(check):
    check(maybe, 3, 1)
    assert isinstance(check(maybe, 3, 7), UnboundLocalError)
    check(after_the_loop, 4)
    assert isinstance(check(after_the_loop, 0), UnboundLocalError)


def never(n):
    if n > 100:
        return later  # noqa: F821
    later = n
    return later


def test_variables_without_a_value_are_refused():
    with pytest.raises(pyraptor.UnsupportedError, match="before it is assigned"):
        jit(never)(1)


def spread(a):
    m = (2, *a.shape)
    return np.zeros((*a.shape, 2)).sum() + m[0], m, max(*a.shape)


def test_stars(check):
    check(spread, np.zeros((3, 4)))


def fill(x, k):
    if k < len(x):
        x[k] = k
        fill(x, k + 1)


def test_recursion_without_results(check):
    check(fill, np.zeros(5), 1)


def flagged(x, done=False):
    while not done:
        x = x * 2
        done = x > 10
    return x


def with_flag(x, add=True):
    return x + 1 if add else x * add


def test_bools_as_arguments(check):
    def f(x):
        return flagged(x), flagged(x, True), with_flag(x), with_flag(x, add=False)

    check(f, 3)


def test_else_of_endless_loops():
    body = "s = 0\nwhile {}:\n    s += 1\n    if s > n:\n        break\nelse:\n    s = -1\nreturn s"
    for test in ("True", "1", "1 < 2"):
        compare(function("n", body.format(test)), 3)


def test_reversed_inside_of_others():
    a, b = np.arange(4.0), np.arange(10.0, 15.0)
    compare(function("a", "s = 0.0\nfor k, x in enumerate(reversed(a)):\n    s += k * x\nreturn s"), a)
    compare(function("a, b", "s = 0.0\nfor x, y in zip(a, reversed(b)):\n    s += x * y\nreturn s"), a, b)
    compare(function("a", "s = 0.0\nfor k, x in zip(reversed(range(4)), a):\n    s += k * x\nreturn s"), a)
    compare(function("a, b", "s = 0\nfor x in reversed((a, b)):\n    s = s * 2 + x\nreturn s"), 1, 2)
    with pytest.raises(pyraptor.UnsupportedError, match="not reversible"):
        pyraptor.jit(function("a", "s = 0.0\nfor x, y in reversed(zip(a, a)):\n    s += x\nreturn s"))(a)


def test_sections_in_sections():
    body = ("pyraptor.gpu_begin()\nfor i in prange(len(a)):\n    a[i] += 1\npyraptor.gpu_begin()\nfor i in prange(len(a)):\n    a[i] *= 2\n"
            "pyraptor.gpu_end()\nfor i in prange(len(a)):\n    a[i] -= 1\npyraptor.gpu_end()\nreturn a")
    compare(function("a", body), np.arange(5.0))
    with pytest.raises(pyraptor.UnsupportedError, match="without gpu_end"):
        pyraptor.jit(function("a", "pyraptor.gpu_begin()\npyraptor.gpu_begin()\npyraptor.gpu_end()\nreturn a"))(np.ones(2))


def test_keyword_only_parameters(make):
    f = make("a, b=2", "2 * a + 3 * b")
    g = make("a, *, b=2", "2 * a + 3 * b")
    jitted = pyraptor.jit(g)
    assert jitted(1, b=3) == 11 and jitted(b=3, a=1) == 11 and jitted(1) == 8 and pyraptor.jit(f)(1, 3) == 11
    for _ in range(2):  # also when the version exists already
        with pytest.raises(TypeError, match="positional"):
            jitted(1, 3)


def test_kinds_of_groups(check, make):
    for body in ("[a, b] == (a, b), (a, b) == (a, b), [a, b] != [a, b], (a, b) != [a, b]",
                 "isinstance([a, b], tuple), isinstance([a, b], list), isinstance((a, b), (list, tuple)), isinstance(range(a), range)",
                 "isinstance(range(a), tuple), isinstance(slice(a), slice), isinstance(zip((a, b), (b, a)), zip), isinstance((a, b), zip)",
                 "(a > b or a).conjugate(), (a > b).conjugate(), (a > b).conj() if False else 0, a.conjugate(), (a * 1.5).conjugate()"):
        check(make("a, b", f"return {body}"), 3, 5)
