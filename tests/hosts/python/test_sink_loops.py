"""Serial loops around parallel ones in accelerated sections (sink_loops): the loop goes into the kernel where iterations of the parallel loop do
not depend on each other. ctest sets VR_KERNEL_TILES=1, so that few iterations are enough. Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import gpu, jit, prange


def time_steps(x, a, steps):
    """Independent systems; the step's number matters."""
    with gpu():
        for t in range(steps):
            for r in prange(x.shape[0]):
                x[r, 0] = (x[r, 0] * 3 + t) % 1009
                x[r, x.shape[1] - 1] += x[r, 0]


def columns(x, a, steps):
    """Each row from the one in front of it, column by column."""
    with gpu():
        for i in range(1, x.shape[0]):
            for j in prange(x.shape[1]):
                x[i, j] = (x[i, j] + 5 * x[i - 1, j]) % 1009


def backwards(x, a, steps):
    """The same from behind, with a step of two and a column that depends on the loop."""
    with gpu():
        for i in range(x.shape[0] - 2, -1, -2):
            for j in prange(x.shape[1]):
                x[i, j] = (x[i + 1, j] * 7 - x[i, j] + a[i % a.shape[0]]) % 1009


def stages(x, a, steps):
    """Stages of a transform of rows: a distance that doubles."""
    half = x.shape[1] // 2
    with gpu():
        h = 1
        while h <= half:
            for r in prange(x.shape[0]):
                for t in prange(half):
                    i = t // h * 2 * h + t % h
                    if i + h < x.shape[1]:
                        u = x[r, i]
                        v = x[r, i + h]
                        x[r, i] = (u + v) % 1009
                        x[r, i + h] = (u - v) % 1009
            h *= 2


def sorting_network(x, a, steps):
    """Two loops around: the inner one goes into the kernel."""
    n = x.shape[1]
    with gpu():
        k = 2
        while k <= n:
            j = k // 2
            while j > 0:
                for r in prange(x.shape[0]):
                    for i in prange(n):
                        l = i ^ j
                        if l > i and l < n:
                            u = x[r, i]
                            v = x[r, l]
                            if (u > v) == ((i & k) == 0):
                                x[r, i] = v
                                x[r, l] = u
                j //= 2
            k *= 2


def outer_products(x, a, steps):
    """Each element from itself: the loop goes into both parallel loops."""
    with gpu():
        for k in range(a.shape[0]):
            for i in prange(x.shape[0]):
                for j in prange(x.shape[1]):
                    x[i, j] = (x[i, j] * 3 + a[k] * (i + 1) + j) % 1009


def fibonacci(x, a, steps):
    """Two numbers that the host carries on, and that it needs afterwards."""
    p, q = 1, 1
    with gpu():
        for t in range(steps):
            s = (p + q) % 89
            for r in prange(x.shape[0]):
                x[r, 0] = (x[r, 0] + s) * 2 % 1009
            p = q
            q = s
    x[:, x.shape[1] - 1] += p + 100 * q


def ends_early(x, a, steps):
    """The loop is left before the kernel, and after it."""
    with gpu():
        for t in range(100):
            if t * t > steps:
                break
            for r in prange(x.shape[0]):
                x[r, 0] = (x[r, 0] * 5 + t) % 1009
        for t in range(100):
            for r in prange(x.shape[0]):
                x[r, 0] = (x[r, 0] * 5 + t) % 1009
            if t > steps:
                break


def neighbours(x, a, steps):
    """Not possible: an iteration needs what another one computed in the step before."""
    with gpu():
        for t in range(steps):
            for r in prange(x.shape[0] - 1):
                x[r, 0] = (x[r, 0] + t) % 1009
            for r in prange(x.shape[0] - 1):
                x[r, 1] = (x[r + 1, 0] + x[r, 1]) % 1009
            for r in prange(x.shape[0] - 1):
                x[r, 0] = (x[r, 0] + x[r, 1]) % 1009


def shrinking(x, a, steps):
    """Not possible: each step has another number of iterations."""
    with gpu():
        for t in range(x.shape[0]):
            for r in prange(x.shape[0] - t):
                x[r + t, 0] = (x[r + t, 0] * 3 + t) % 1009


PROGRAMS = [time_steps, columns, backwards, stages, sorting_network, outer_products, fibonacci, ends_early, neighbours, shrinking]


@pytest.mark.parametrize("shape", [(1, 2), (3, 8), (9, 64), (300, 7), (5, 33), (0, 5)])
@pytest.mark.parametrize("steps", [0, 1, 2, 37])
@pytest.mark.parametrize("f", PROGRAMS)
def test_like_plain_python(f, shape, steps):
    rng = np.random.default_rng(4)
    x, a = rng.integers(-9, 90, shape), rng.integers(-9, 60, 7)
    wanted = x.copy()
    f(wanted, a, steps)
    jit(f)(x, a, steps)
    assert np.array_equal(x, wanted)


def test_a_view_with_overlapping_rows():
    """Rows that share elements depend on each other: the launches stay apart."""
    x = np.arange(40)
    wanted = x.copy()
    view = np.lib.stride_tricks.as_strided(wanted, (9, 8), (16, 8))
    for t in range(6):
        for r in range(view.shape[0]):
            view[r, 0] = (view[r, 0] * 3 + t) % 1009
            view[r, 7] += view[r, 0]
    got = np.lib.stride_tricks.as_strided(x, (9, 8), (16, 8))
    f = jit(time_steps)
    f(got, np.zeros(7, np.int64), 6)
    # The rows of one launch may overlap in any order; what no other row touches is the same.
    assert x[0] == wanted[0]


def test_many_steps_are_several_launches():
    x = np.arange(12).reshape(3, 4)
    wanted = x.copy()
    time_steps(wanted, x, 2500)
    jit(time_steps)(x, x.copy(), 2500)
    assert np.array_equal(x, wanted)


def test_a_fault_in_a_later_step():
    """The error is the one of the first step that fails, and later steps do not run."""
    @jit
    def f(x, limit):
        with gpu():
            for t in range(50):
                for r in prange(x.shape[0]):
                    x[r, t] += limit

    x = np.zeros((40, 6), np.int64)
    with pytest.raises(IndexError):
        f(x, 3)
    assert np.array_equal(x, np.full((40, 6), 3))
