"""Nests: unroll and jam of sums, updates and sweeps, and interchange, must give bit-identical results, whatever overlaps."""
import itertools

import numpy as np
import pytest

import pyraptor


def matmul_ikj(a, b, c):
    n, l = a.shape
    m = b.shape[1]
    for i in range(n):
        for j in range(m):
            c[i, j] = 0.0
        for k in range(l):
            f = a[i, k]
            for j in range(m):
                c[i, j] += f * b[k, j]


def parallel_ikj(a, b, c):
    n, l = a.shape
    m = b.shape[1]
    for i in pyraptor.prange(n):
        for k in range(l):
            for j in range(m):
                c[i, j] += a[i, k] * b[k, j]


def column_sums(a, b, c):
    for i in range(a.shape[0]):
        for j in range(min(a.shape[1], c.shape[1])):
            c[0, j] += a[i, j] * 1.1


def behind(a, b, c):
    # An iteration reads what the one before has stored in another column.
    for k in range(a.shape[0]):
        for j in range(1, c.shape[1]):
            c[0, j] = c[0, j] * 0.5 + c[0, j - 1] * a[k, 0]


def ahead(a, b, c):
    # Reads what the iteration before has stored at a later index: iterations must not run together.
    for k in range(a.shape[0]):
        for j in range(c.shape[1] - 1):
            c[0, j] = c[0, j] * 0.5 + c[0, j + 1] * a[k, 0]


def two_rows(a, b, c):
    for k in range(a.shape[0]):
        for j in range(min(c.shape[1], b.shape[1])):
            c[0, j] += a[k, 0] * b[0, j]
            c[c.shape[0] - 1, j] -= a[k, 0]


def falling(a, b, c):
    l = a.shape[1]
    for k in range(l - 1, -1, -1):
        for j in range(b.shape[1] - 1, -1, -1):
            c[0, j] = c[0, j] * 0.75 + a[0, k] * b[k, j]


def scalar_afterwards(a, b, c):
    f = 0.5
    last = 0
    for k in range(a.shape[0]):
        f = a[k, 0] + k
        for j in range(c.shape[1]):
            c[0, j] += f
        last = k
    c[c.shape[0] - 1, 0] += f + last


def carried_scalar(a, b, c):
    f = 1.0
    for k in range(a.shape[0]):
        f = f * 0.5 + a[k, 0]
        for j in range(c.shape[1]):
            c[0, j] += f


def row_of_row(a, b, c):
    # The updated row depends on the iteration: nothing is shared, and rows overlap.
    for k in range(a.shape[0] - 1):
        for j in range(a.shape[1]):
            a[k + 1, j] += a[k, j] * 0.5


def triangle(a, b, c):
    n = min(a.shape[0], c.shape[1], a.shape[1])
    for k in range(n):
        for j in range(k, n):
            c[0, j] += a[k, j]


def middle_statement(a, b, c):
    for k in range(a.shape[0]):
        c[0, 0] = c[0, 0] + 1.0
        for j in range(c.shape[1]):
            c[0, j] += a[k, 0]
        c[0, c.shape[1] - 1] *= 0.5


def sums(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.25
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def row_sums(a, b, c):
    for i in range(a.shape[0]):
        s = 0.0
        t = 1.0
        for k in range(a.shape[1]):
            s += a[i, k]
            t = t * 0.5 - a[i, k]
        c[i, 0] = s
        c[i, c.shape[1] - 1] += t


def substitution(a, b, c):
    # Each sum needs the result stored by the one before.
    for i in range(min(a.shape)):
        s = c[0, 0] if c.size else 0.0
        for k in range(min(a.shape)):
            s -= a[i, k] * a[k, 0]
        a[i, 0] = s * 0.125


def gauss_seidel(a, b, c):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def wavefront(a, b, c):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 2):
            a[i, j] = 0.5 * a[i, j - 1] + 0.25 * a[i - 1, j + 2]


def steep(a, b, c):
    for i in range(2, a.shape[0]):
        for j in range(2, a.shape[1] - 6):
            a[i, j] = 0.5 * a[i, j - 2] + 0.25 * a[i - 2, j + 6]


def columns_down(a, b, c):
    for j in range(1, a.shape[1]):
        for i in range(1, a.shape[0]):
            a[i, j] = a[i - 1, j] * 0.5 + a[i, j - 1]


def columns_up(a, b, c):
    for j in range(a.shape[1] - 2, -1, -1):
        for i in range(a.shape[0] - 2, -1, -1):
            a[i, j] = a[i + 1, j] * 0.5 + a[i, j + 1]


def matmul_jki(a, b, c):
    for j in range(b.shape[1]):
        for k in range(a.shape[1]):
            for i in range(a.shape[0]):
                c[i, j] += a[i, k] * b[k, j]


def by_columns(a, b, c):
    last = -1
    for j in range(c.shape[1]):
        for i in range(c.shape[0]):
            c[i, j] = c[i, j] * 0.5 + 1.0
            last = i * 100 + j
    if c.size:
        c[0, 0] += last


def diagonal(a, b, c):
    for j in range(a.shape[1] - 1):
        for i in range(a.shape[0] - 1):
            a[i + 1, j + 1] = a[i, j] * 0.75 + 1.0


def against_the_diagonal(a, b, c):
    for j in range(a.shape[1] - 1):
        for i in range(a.shape[0] - 2):
            a[i + 1, j + 1] = a[i + 2, j] * 0.75 + 1.0


def sums_into_one(a, b, c):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            c[0, 0] += a[i, j]


FUNCTIONS = [matmul_jki, by_columns, diagonal, against_the_diagonal, sums_into_one, sums, row_sums, substitution, gauss_seidel, wavefront, steep, columns_down, columns_up, matmul_ikj, parallel_ikj, column_sums, behind, ahead, two_rows, falling, scalar_afterwards, carried_scalar, row_of_row,
             triangle, middle_statement]
SIZES = [(0, 3, 2), (1, 1, 1), (2, 9, 5), (3, 4, 7), (4, 0, 3), (4, 4, 4), (5, 8, 3), (8, 8, 8), (9, 7, 13), (18, 17, 19), (11, 33, 9)]


def arrays(n, l, m, kind):
    """Equal numbers in arrays with the layout that `kind` names."""
    random = np.random.default_rng(n * 100 + l * 10 + m)
    a, b, c = random.standard_normal((n, l)), random.standard_normal((l, m)), random.standard_normal((n, m))
    if kind == "rows":
        return a, b, c
    if kind == "columns":
        return np.asfortranarray(a), np.asfortranarray(b), np.asfortranarray(c)
    if kind == "strided":
        wide = [np.zeros((2 * x.shape[0] + 1, 3 * x.shape[1] + 1)) for x in (a, b, c)]
        views = [w[1::2, ::3][: x.shape[0], : x.shape[1]] for w, x in zip(wide, (a, b, c))]
        for view, x in zip(views, (a, b, c)):
            view[...] = x
        return tuple(views)
    if kind == "reversed":
        return a[::-1], b[:, ::-1], c[::-1, ::-1]
    if kind == "one":  # all three are one array
        return (random.standard_normal((n, n)),) * 3 if n == l == m else (a, b, c)
    if kind == "overlapping":  # rows of c share elements with each other and with a
        store = random.standard_normal(n + m + l + 8)
        return (np.lib.stride_tricks.as_strided(store, (n, l), (8, 8)), b,
                np.lib.stride_tricks.as_strided(store, (n, m), (16, 8)) if m <= l + 4 else c)
    if kind == "repeated":  # all rows of c are one row
        return a, b, np.lib.stride_tricks.as_strided(random.standard_normal(m + 1), (n, m), (0, 8))
    raise ValueError(kind)


KINDS = ["rows", "columns", "strided", "reversed", "one", "overlapping", "repeated"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_same_bits(function, kind):
    compiled = pyraptor.jit(function)
    for size in SIZES:
        if function is parallel_ikj and kind in ("overlapping", "repeated", "one"):
            continue  # the program itself has a data race
        ours, expected = arrays(*size, kind), arrays(*size, kind)
        outcome = error_of(function, expected)
        assert error_of(compiled, ours) == outcome, (size, outcome)
        for x, y in zip(ours, expected):
            np.testing.assert_array_equal(x, y, err_msg=str(size))
            assert x.tobytes() == y.tobytes()


def error_of(function, args):
    try:
        function(*args)
    except IndexError:
        return "IndexError"
    return None


@pytest.mark.parametrize("lengths", list(itertools.product((3, 4, 8), repeat=3)))
def test_faults_where_they_are(lengths):
    """A subscript out of bounds in a late iteration: elements stored before it stay stored."""
    n, l, m = lengths

    def program(a, b, c, rows, depth, width):
        for i in range(rows):
            for k in range(depth):
                for j in range(width):
                    c[i, j] += a[i, k] * b[k, j]

    compiled = pyraptor.jit(program)
    for extra in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)):
        ours, expected = arrays(n, l, m, "rows"), arrays(n, l, m, "rows")
        counts = tuple(x + e for x, e in zip(lengths, extra))
        outcome = error_of(lambda *args: program(*args, *counts), expected)
        assert error_of(lambda *args: compiled(*args, *counts), ours) == outcome
        assert ours[2].tobytes() == expected[2].tobytes()
