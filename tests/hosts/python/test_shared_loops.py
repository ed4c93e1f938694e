"""Iterations whose serial loops contain independent loops, which the work-items of a group share (share_loops): factorisations,
sorting networks, transforms of rows. ctest sets VR_KERNEL_LOCAL and VR_KERNEL_TILES=1, so that all sizes have these kernels.
Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import jit, prange


def factor(a):
    """LU, numbers modulo a prime: each step changes the rows behind one row."""
    for b in prange(a.shape[0]):
        for k in range(min(a.shape[1], a.shape[2])):
            for i in range(k + 1, a.shape[1]):
                f = a[b, i, k] * a[b, k, k] % 251
                a[b, i, k] = f
                for j in range(k + 1, a.shape[2]):
                    a[b, i, j] = (a[b, i, j] + f * a[b, k, j]) % 251


def eliminate(a):
    """Gauss-Jordan: all rows but one."""
    for b in prange(a.shape[0]):
        for k in range(min(a.shape[1], a.shape[2])):
            for i in range(a.shape[1]):
                if i != k:
                    f = a[b, i, k]
                    for j in range(a.shape[2]):
                        a[b, i, j] = (a[b, i, j] * 3 + f * a[b, k, j]) % 251


def pivots(a):
    """The greatest of a column, found by all members, is exchanged by some."""
    for b in prange(a.shape[0]):
        for k in range(min(a.shape[1], a.shape[2], 9)):
            place = k
            for i in range(9):
                if i < a.shape[1] and i > k and a[b, i, k] > a[b, place, k]:
                    place = i
            if place != k:
                for j in range(a.shape[2]):
                    t = a[b, k, j]
                    a[b, k, j] = a[b, place, j]
                    a[b, place, j] = t


def network(a):
    """A bitonic sort of 32 numbers of a row."""
    for b in prange(a.shape[0]):
        x = np.zeros(32, np.int32)
        for t in range(32):
            x[t] = a[b, t % a.shape[1], t % a.shape[2]]
        size = 2
        while size <= 32:
            stride = size // 2
            while stride > 0:
                for t in prange(16):
                    low = t // stride * stride * 2 + t % stride
                    u = x[low]
                    v = x[low + stride]
                    if (u > v) == (low // size % 2 == 0):
                        x[low] = v
                        x[low + stride] = u
                stride //= 2
            size *= 2
        for i in range(a.shape[1]):
            a[b, i, 0] = x[i % 32]


def antidiagonals(a):
    """Alignment of two sequences, along antidiagonals."""
    for b in prange(a.shape[0]):
        for d in range(2, a.shape[1] + a.shape[2] - 1):
            low = max(1, d - a.shape[2] + 1)
            for i in range(low, min(a.shape[1], d)):
                s = a[b, i - 1, d - i - 1] + (a[b, 0, d - i] == a[b, i, 0])
                a[b, i, d - i] = max(s, a[b, i - 1, d - i], a[b, i, d - i - 1])


def steps(a):
    """Two private arrays, one computed from the other, and back."""
    for b in prange(a.shape[0]):
        x = np.zeros(40, np.int32)
        y = np.zeros(40, np.int32)
        for i in range(40):
            x[i] = a[b, i % a.shape[1], i % a.shape[2]]
        for t in range(5):
            for i in range(1, 39):
                y[i] = x[i - 1] + 2 * x[i] - x[i + 1]
            y[0] = x[39] + t
            y[39] = x[0]
            for i in range(40):
                x[i] = y[39 - i] % 1000
        for i in range(a.shape[1]):
            a[b, i, a.shape[2] - 1] = x[i % 40]


def doubling(a):
    """Pointer jumping: by powers of two, in a while loop, with an array that all members read."""
    for b in prange(a.shape[0]):
        x = np.zeros(64, np.int32)
        y = np.zeros(64, np.int32)
        for i in range(64):
            x[i] = a[b, i % a.shape[1], 0]
        s = 1
        while s < 64:
            for i in range(64):
                y[i] = x[i]
                if i >= s:
                    y[i] += x[i - s]
            for i in range(64):
                x[i] = y[i]
            s *= 2
        for i in range(a.shape[1]):
            a[b, i, 0] = x[i % 64]


def conditions(a):
    """Shared loops under conditions that are the same for all members."""
    for b in prange(a.shape[0]):
        for k in range(4):
            first = a[b, 0, 0]
            if first % 2 == 0:
                for i in range(a.shape[1]):
                    a[b, i, k % a.shape[2]] += 1
                a[b, 0, 0] += 1
            else:
                for j in range(a.shape[2]):
                    a[b, k % a.shape[1], j] *= 3
                if first % 3 == 0:
                    a[b, 0, 0] = a[b, 0, 0] + k + 1


def until(a):
    """A loop that all members leave together."""
    for b in prange(a.shape[0]):
        n = 0
        while True:
            if a[b, 0, 0] > 1000:
                break
            for i in range(a.shape[1]):
                a[b, i, 0] += 100 + i
            n += 1
            if n > 7:
                break
        a[b, 0, a.shape[2] - 1] = n


def growing(a):
    """The number of iterations grows from turn to turn, and differs under a condition."""
    for b in prange(a.shape[0]):
        n = 5
        while n < 700:
            m = n
            if a[b, 0, 0] % 2 == 0:
                m = 2 * n
            for i in range(m):
                if i < a.shape[1]:
                    a[b, i, 0] += n
            n *= 3


def corner(a):
    """A box that begins in the middle of the array; what is around it stays as it was."""
    for b in prange(a.shape[0]):
        for k in range(1, a.shape[1]):
            for j in range(1, a.shape[2] - 1):
                a[b, k, j] = a[b, k, j] % 100 + 2 * a[b, k - 1, j + 1]


def beyond(a):
    """What is known of the subscripts allows elements behind the array, which no iteration accesses."""
    for b in prange(a.shape[0]):
        for k in range(3):
            for i in range(a.shape[1]):
                for j in range(a.shape[2]):
                    a[b, i, j] = (a[b, i, j] * 3 + k) % 251
            for i in range(a.shape[1]):
                if a[b, i, 0] > 1000:
                    a[b, i, 0] = a[b, i + 1, a.shape[2]]


def not_from_the_row_before(a):
    for b in prange(a.shape[0]):
        for k in range(3):
            for i in range(1, a.shape[1]):
                for j in range(a.shape[2]):
                    a[b, i, j] = (a[b, i, j] + a[b, i - 1, j]) % 251


def not_what_is_left(a):
    """What the last iteration assigned is used afterwards."""
    for b in prange(a.shape[0]):
        last = 0
        for k in range(3):
            for i in range(a.shape[1]):
                last = a[b, i, 0] + k
                a[b, i, a.shape[2] - 1] = last
            a[b, 0, 0] += last


PROGRAMS = [factor, eliminate, pivots, network, antidiagonals, steps, doubling, conditions, until, growing, corner, beyond,
            not_from_the_row_before,
            not_what_is_left]
SIZES = [(1, 1, 1), (2, 3, 1), (3, 1, 5), (4, 8, 8), (5, 16, 16), (2, 17, 33), (1, 70, 65), (40, 9, 20), (1, 300, 3)]


@pytest.mark.parametrize('f', PROGRAMS)
def test_shared(f):
    run = jit(f, gpu=True)
    random = np.random.default_rng(11)
    for size in SIZES:
        a = random.integers(0, 250, size).astype(np.int32)
        expected = a.copy()
        f(expected)
        run(a)
        np.testing.assert_array_equal(a, expected, str(size))


def gather(a, index):
    """A subscript that is loaded, in a loop that members share."""
    for b in prange(a.shape[0]):
        for k in range(3):
            for i in range(a.shape[1]):
                a[b, i, 0] += a[b, 0, index[i]] + k
            a[b, 0, 0] += a[b, 0, index[0]]


def gather_in_common(a, index):
    """A subscript that all members load."""
    for b in prange(a.shape[0]):
        for k in range(3):
            s = a[b, 0, index[k]]
            for i in range(a.shape[1]):
                a[b, i, 0] += s


def gather_in_loops(a, index):
    """In inner loops of a shared one."""
    for b in prange(a.shape[0]):
        for k in range(2):
            for i in range(1, a.shape[1]):
                for j in range(1, a.shape[2]):
                    for t in range(2):
                        if a[b, i, j] % 8 != 1:
                            a[b, i, j] += a[b, 0, index[i + t - 1]]
            for i in range(1, a.shape[1]):
                a[b, 0, 0] += 1


@pytest.mark.parametrize('f', [gather, gather_in_common, gather_in_loops])
def test_faults(f):
    run = jit(f, gpu=True)
    random = np.random.default_rng(12)
    for size in [(1, 8, 8), (3, 40, 9), (2, 300, 5)]:
        a = random.integers(0, 250, size).astype(np.int32)
        index = random.integers(0, size[2], size[1] + 1)
        expected = a.copy()
        f(expected, index)
        run(a, index)
        np.testing.assert_array_equal(a, expected, str(size))
        index[2] = size[2]
        with pytest.raises(IndexError, match=f'index {size[2]}.*extent {size[2]}|{size[2]}'):
            run(a, index)
        index[2] = 0
        expected = a.copy()
        f(expected, index)
        run(a, index)
        np.testing.assert_array_equal(a, expected, str(size))
