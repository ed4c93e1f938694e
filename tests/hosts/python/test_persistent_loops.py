"""Serial loops in accelerated sections whose parallel loops are short (persistent_loops): one work-group runs all of their iterations. ctest sets
VR_KERNEL_LOCAL, without which CPU devices have no groups that share a loop. Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import gpu, jit, prange


def diagonals(x, y, a, steps):
    """A table of which each anti-diagonal needs the two before it."""
    n = min(x.shape[0], x.shape[1])
    with gpu():
        for d in range(2, 2 * n - 1):
            for i in prange(max(1, d - n + 1), min(d, n)):
                j = d - i
                x[i, j] = max(x[i - 1, j - 1] + x[i, j], max(x[i - 1, j], x[i, j - 1]) - 2)


def two_launches(x, y, a, steps):
    """Time steps of a line, with a copy back."""
    n = x.shape[0]
    with gpu():
        for t in range(steps):
            for i in prange(1, n - 1):
                y[i, 0] = (x[i - 1, 0] + 2 * x[i, 0] + x[i + 1, 0] + t) % 1009
            for i in prange(1, n - 1):
                x[i, 0] = y[i, 0]


def three_arrays(x, y, a, steps):
    """The numbers of a launch are computed between two others."""
    n = x.shape[0]
    with gpu():
        for t in range(steps):
            for i in prange(n - 1):
                y[i, 0] = (y[i, 0] + x[i + 1, 0] - x[i, 0]) % 1009
            s = t * t % 7
            for i in prange(n - 1):
                x[i + 1, 0] = (x[i + 1, 0] + s * y[i, 0] + a[t % 7]) % 1009
            r = (s + t) % 5
            for i in prange(n):
                y[i, 0] = (y[i, 0] + r) % 1009


def elimination(x, y, a, steps):
    """A nest of parallel loops that shrinks."""
    n = min(x.shape[0], x.shape[1])
    with gpu():
        for k in range(n - 1):
            for i in prange(k + 1, n):
                for j in prange(k + 1, n):
                    x[i, j] = (x[i, j] - x[i, k] * x[k, j]) % 1009


def halves(x, y, a, steps):
    """A while loop: distances that are halved."""
    n = x.shape[0]
    with gpu():
        h = n // 2
        while h > 0:
            for i in prange(h):
                x[i, 0] = (x[i, 0] + x[i + h, 0]) % 1009
            h //= 2


def by_subscripts(x, y, a, steps):
    """Subscripts from an array are checked."""
    n = x.shape[0]
    with gpu():
        for t in range(steps):
            for i in prange(n):
                y[i, 0] = x[a[(i + t) % a.shape[0]] % n, 0] + t
            for i in prange(n):
                x[i, 0] = (x[i, 0] + y[i, 0]) % 1009


def short_loops(x, y, a, steps):
    """Kernels with loops of their own."""
    n = x.shape[0]
    with gpu():
        for t in range(steps):
            for i in prange(n - 5):
                s = 0
                for k in range(5):
                    s += x[i + k, 0] * (k + 1)
                y[i, 0] = s % 1009
            for i in prange(n - 5):
                x[i + 2, 0] = y[i, 0]


def sometimes(x, y, a, steps):
    """Under a condition, and with a loop that ends early."""
    n = x.shape[0]
    with gpu():
        for t in range(100):
            if t > steps:
                break
            if t % 3 != 1:
                for i in prange(n - 1):
                    x[i, 0] = (x[i, 0] * 3 + t) % 1009
                for i in prange(n - 1):
                    x[i, 0] = (x[i, 0] + y[i + 1, 0]) % 1009
            for i in prange(n - 1):
                y[i + 1, 0] = (y[i + 1, 0] + x[n - 1 - i, 0]) % 1009


def exchanged(x, y, a, steps):
    """Not possible: the arrays change places."""
    n = x.shape[0]
    p, q = x[:, 0], y[:, 0]
    with gpu():
        for t in range(steps):
            for i in prange(n - 1):
                q[i] = (p[i] + p[i + 1]) % 1009
            p, q = q, p


def sums(x, y, a, steps):
    """Not possible: the host needs what a launch computes."""
    n = x.shape[0]
    s = 1
    with gpu():
        for t in range(steps):
            for i in prange(n - 1):
                x[i, 0] = (x[i + 1, 0] * s + t) % 1009 if i % 2 == 0 else x[i, 0]
            s = 0
            for i in prange(n):
                s += x[i, 0]
            s %= 97


PROGRAMS = [diagonals, two_launches, three_arrays, elimination, halves, by_subscripts, short_loops, sometimes, exchanged, sums]


def run(f, shape, steps):
    rng = np.random.default_rng(4)
    x, y, a = rng.integers(0, 90, shape), rng.integers(0, 90, shape), rng.integers(0, 60, 7)
    wanted = x.copy(), y.copy()
    f(*wanted, a, steps)
    compiled = jit(f)
    compiled(x, y, a, steps)
    assert np.array_equal(x, wanted[0]) and np.array_equal(y, wanted[1])
    return compiled


@pytest.mark.parametrize("shape", [(7, 1), (9, 12), (300, 3), (64, 64), (5000, 2)])
@pytest.mark.parametrize("steps", [0, 1, 23])
@pytest.mark.parametrize("f", PROGRAMS)
def test_like_plain_python(f, shape, steps):
    run(f, shape, steps)


@pytest.mark.parametrize("f", PROGRAMS)
def test_which_loops_become_kernels(f):
    compiled = run(f, (40, 40), 5)
    if not compiled.report()[-1].get("device"):
        pytest.skip("no OpenCL device")
    assert ("_steps" in compiled.inspect("opencl")) == (f not in (sometimes, exchanged, sums))
    assert compiled.report()[-1]["not_where_asked"] == []


def test_many_steps_are_several_launches():
    run(two_launches, (50, 1), 1700)


def test_short_and_long_launches():
    """Launches of one loop of which some have more iterations than a group should run."""
    def f(x, y):
        with gpu():
            for k in range(27):
                n = 2 ** (k if k < 14 else 27 - k)
                for i in prange(n):
                    y[i] = x[i] * 3 + x[n - 1 - i]
                for i in prange(n):
                    x[i] = y[i] % 1009

    x, y = np.arange(10000), np.zeros(10000, np.int64)
    wanted = x.copy()
    f(wanted, y.copy())
    jit(f)(x, y)
    assert np.array_equal(x, wanted)


def test_views_that_overlap():
    """Arrays of two launches share elements: the launches stay apart."""
    def f(x, y, steps):
        with gpu():
            for t in range(steps):
                for i in prange(x.shape[0]):
                    x[i] = (x[i] * 3 + t) % 1009
                for i in prange(y.shape[0]):
                    y[i] = (y[i] * 5 + t) % 1009

    data = np.arange(60)
    wanted = data.copy()
    f(wanted[:40], wanted[20:], 9)
    jit(f)(data[:40], data[20:], 9)
    assert np.array_equal(data, wanted)


@pytest.mark.parametrize("bad", [0, 3, 11])
@pytest.mark.usefixtures("device")
def test_the_first_fault_is_reported_and_later_steps_do_not_run(bad):
    @jit
    def f(x, y, place, steps):
        with gpu():
            for t in range(steps):
                for i in prange(x.shape[0]):
                    y[i] = x[29 - i] + 1
                for i in prange(x.shape[0]):
                    x[i] = y[place[i, t]]

    place = np.tile(np.arange(30)[:, None], (1, 20))
    place[17, bad] = 1000 + bad
    place[4, bad + 5] = 5000
    x, y = np.zeros(30, np.int64), np.zeros(30, np.int64)
    with pytest.raises(IndexError, match=str(1000 + bad)):
        f(x, y, place, 20)
    if "_steps" in f.inspect("opencl"):
        assert y.max() == bad + 1


def test_errors_that_a_kernel_raises():
    def f(x, steps):
        with gpu():
            for t in range(steps):
                for i in prange(x.shape[0]):
                    if x[i] > 100:
                        raise ValueError("too large")
                    x[i] = x[i] * 2 + 1

    x = np.zeros(20, np.int64)
    jit(f)(x, 6)
    assert np.array_equal(x, np.full(20, 63))
    with pytest.raises(ValueError, match="too large"):
        jit(f)(x, 6)
    assert x.max() == 127
