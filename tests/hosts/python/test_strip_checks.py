"""Loops that gather elements by subscripts from arrays (strip_checks): several iterations evaluate their checks together. Plain Python computes the
same, also up to a fault."""
import numpy as np
import pytest

from pyraptor import jit, prange


def bags(table, start, word, out):
    for b in prange(out.shape[0]):
        for d in prange(out.shape[1]):
            s = 0
            for k in range(start[b], start[b + 1]):
                s = (s * 3 + table[word[k], d]) % 1009
            out[b, d] = s


def twice(table, start, word, out):
    """A subscript that is loaded by a loaded subscript, and a condition on what is loaded."""
    for b in prange(out.shape[0]):
        for d in prange(out.shape[1]):
            s = 0
            for k in range(start[b], start[b + 1]):
                p = word[word[k] % word.shape[0]]
                v = table[p % table.shape[0], d]
                if v > 4:
                    s = s * 2 + v
                else:
                    s -= p
                s %= 1009
            out[b, d] = s


def carried(table, start, word, out):
    """The subscript of the iteration before."""
    for b in prange(out.shape[0]):
        for d in prange(out.shape[1]):
            s = 0
            before = 0
            for k in range(start[b], start[b + 1]):
                s = (s + table[before, d] * 7) % 1009
                before = word[k]
            out[b, d] = s * 100 + before


def stores(table, start, word, out):
    """Elements of the iteration's own are stored as well."""
    for b in prange(out.shape[0]):
        for k in range(start[b], start[b + 1]):
            out[b, k % out.shape[1]] = table[word[k], 0] + k
            out[b, (k + 1) % out.shape[1]] += 1


def depends(table, start, word, out):
    """Not possible: the subscript depends on the sum."""
    for b in prange(out.shape[0]):
        for d in prange(out.shape[1]):
            s = 0
            for k in range(start[b], start[b + 1]):
                s = (s * 3 + table[(word[k] + s) % table.shape[0], d]) % 1009
            out[b, d] = s


def leaves(table, start, word, out):
    """Not possible: the loop is left."""
    for b in prange(out.shape[0]):
        for d in prange(out.shape[1]):
            s = 0
            for k in range(start[b], start[b + 1]):
                if word[k] == 5:
                    break
                s = (s * 3 + table[word[k], d]) % 1009
            out[b, d] = s


PROGRAMS = [bags, twice, carried, stores, depends, leaves]


def data(rows, most):
    rng = np.random.default_rng(rows + most)
    start = np.concatenate([[0], np.cumsum(rng.integers(0, most + 1, rows))]).astype(np.int32)
    return rng.integers(0, 50, (40, 9)), start, rng.integers(-40, 40, max(start[-1], 1))


@pytest.mark.parametrize("most", [0, 3, 8, 40])
@pytest.mark.parametrize("rows", [1, 7, 60])
@pytest.mark.parametrize("f", PROGRAMS)
def test_like_plain_python(f, rows, most):
    table, start, word = data(rows, most)
    wanted, got = np.zeros((rows, 9), np.int64), np.zeros((rows, 9), np.int64)
    f(table, start, word, wanted)
    jit(f, gpu=True)(table, start, word, got)
    assert np.array_equal(got, wanted)


@pytest.mark.parametrize("at", [0, 5, 7, 8, 13, 19])
@pytest.mark.parametrize("wrong", [40, -41, 2**40])
def test_a_fault_is_that_of_the_iteration(at, wrong):
    """The number in the message is the subscript that is wrong, wherever in a strip it is."""
    table, _, _ = data(1, 3)
    word = np.arange(20)
    word[at] = wrong
    with pytest.raises(IndexError, match=str(wrong)):
        jit(bags, gpu=True)(table, np.array([0, 20], np.int32), word, np.zeros((1, 9), np.int64))


def test_rows_that_end_behind_the_array():
    table, _, _ = data(1, 3)
    with pytest.raises(IndexError, match="20"):
        jit(bags, gpu=True)(table, np.array([0, 23], np.int32), np.arange(20), np.zeros((1, 9), np.int64))
