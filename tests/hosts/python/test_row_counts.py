"""Counts and sums by subscripts within one iteration of a parallel loop (share_loops, atomic_sums): a group of work-items shares the loop and adds in
local memory. ctest sets VR_KERNEL_TILES=1 and VR_KERNEL_LOCAL. Plain Python computes the same."""
import numpy as np
import pytest

from pyraptor import gpu, jit, prange


def counts(key, a, out):
    """A histogram of each row, which begins at 0."""
    for r in prange(out.shape[0]):
        for d in range(out.shape[1]):
            out[r, d] = 0
        for k in range(key.shape[1]):
            out[r, key[r, k] % out.shape[1]] += 1


def sums(key, a, out):
    """Sums and differences on top of what is there, under a condition, with two additions for each key."""
    for r in prange(out.shape[0]):
        for k in range(key.shape[1]):
            p = key[r, k] % out.shape[1]
            if a[r, k] > 3:
                out[r, p] = a[r, k] + out[r, p]
            out[r, out.shape[1] - 1 - p] -= k


def two_loops(key, a, out):
    """Counts, then a loop that uses them in order."""
    for r in prange(out.shape[0]):
        for k in range(key.shape[1]):
            out[r, key[r, k] % out.shape[1]] += 1
        total = 0
        for d in range(out.shape[1]):
            total += out[r, d]
            out[r, d] = total


def own_array(key, a, out):
    """An array of the iteration's own, whose greatest count is the result."""
    for r in prange(out.shape[0]):
        count = np.zeros(32, np.int64)
        for k in range(key.shape[1]):
            count[key[r, k] & 31] += 1
        best = 0
        for d in range(32):
            if count[d] > count[best]:
                best = d
        out[r, 0] = best


def pairs(key, a, out):
    """Two loops around the addition."""
    for r in prange(out.shape[0]):
        for k in range(key.shape[1]):
            for l in range(k):
                out[r, (key[r, k] ^ key[r, l]) % out.shape[1]] += a[r, l]


def not_sums(key, a, out):
    """The element of the iteration before is needed, or another one is stored."""
    for r in prange(out.shape[0]):
        for k in range(key.shape[1]):
            out[r, key[r, k] % out.shape[1]] = out[r, 0] + 1
        for k in range(key.shape[1]):
            p = key[r, k] % out.shape[1]
            out[r, p] = out[r, p] * 3 % 1009
        for k in range(key.shape[1]):
            p = key[r, k] % out.shape[1]
            out[r, p] += 1
            p = (p + 1) % out.shape[1]
            out[r, p] = out[r, p - 1] % 1009


def common(key, a, out):
    """The first row is everybody's: without groups of its own, but still a sum."""
    for r in prange(1):
        for k in range(key.shape[1]):
            for q in range(key.shape[0]):
                out[0, key[q, k] % out.shape[1]] += 1


PROGRAMS = [counts, sums, two_loops, own_array, pairs, not_sums, common]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.int16])
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 40, 5), (300, 33, 17), (5, 200, 300), (2, 0, 4), (4, 100, 7000)])
@pytest.mark.parametrize("f", PROGRAMS)
def test_like_plain_python(f, shape, dtype):
    if (f is pairs and shape[1] > 100) or (f is common and dtype is np.int16):
        return
    rows, keys, bins = shape
    rng = np.random.default_rng(4)
    key, a = rng.integers(0, 1000, (rows, keys)), rng.integers(0, 9, (rows, keys)).astype(dtype)
    out = rng.integers(0, 50, (rows, bins)).astype(dtype)
    wanted = out.copy()
    with np.errstate(over="ignore"):
        f(key, a, wanted)
    jit(f, gpu=True)(key, a, out)
    assert np.array_equal(out, wanted)


def test_a_fault_ends_the_call():
    @jit(gpu=True)
    def f(key, out):
        for r in prange(out.shape[0]):
            for k in range(key.shape[1]):
                out[r, key[r, k]] += 1

    key = np.zeros((8, 50), np.int64)
    key[5, 33] = 99
    with pytest.raises(IndexError):
        f(key, np.zeros((8, 7), np.int64))
    key[5, 33] = 6
    out = np.zeros((8, 7), np.int64)
    f(key, out)
    assert out[:, 0].tolist() == [50, 50, 50, 50, 50, 49, 50, 50] and out[5, 6] == 1
