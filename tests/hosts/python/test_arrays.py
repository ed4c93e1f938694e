"""Arrays: element types, layouts, operators, subscripts, stores, views, masks."""
import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1
from tables import run

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
          "complex128"]
REAL = DTYPES[1:11]


def sample(dtype, shape, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(-5, 6, shape) if dtype != "bool" else rng.integers(0, 2, shape)
    a = np.asarray(a).astype(dtype)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.integers(-3, 4, shape).astype(dtype)
    return a.astype(dtype)


def layouts(a):
    """The same elements in several layouts."""
    yield a
    yield np.asfortranarray(a)
    big = np.zeros(tuple(2 * n for n in a.shape), a.dtype)
    big[tuple(slice(None, None, 2) for _ in a.shape)] = a
    yield big[tuple(slice(None, None, 2) for _ in a.shape)]
    back = a[tuple(slice(None, None, -1) for _ in a.shape)].copy()
    yield back[tuple(slice(None, None, -1) for _ in a.shape)]


def plus(a, b):
    return a + b, a * b


def minus(a, b):
    return a - b, -a


def over(a, b):
    return a / b


def compared(a, b):
    return a == b, a != b


def ordered(a, b):
    return a < b, a >= b


@pytest.mark.parametrize("da", DTYPES)
@pytest.mark.parametrize("db", DTYPES)
def test_operators_of_all_types(check, da, db):
    a, b = sample(da, (3, 4)), sample(db, (3, 4), 1)
    check(plus, a, b)
    check(compared, a, b)
    if da != "bool" and db != "bool":
        check(minus, a, b)
    if "c" in (np.dtype(da).kind, np.dtype(db).kind):
        b[b == 0] = 1  # so that NaN results do not occur
    check(over, a, b)
    if "c" not in (np.dtype(da).kind, np.dtype(db).kind):
        check(ordered, a, b)


def scalars(a, x):
    return a + x, x * a, a > x


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("x", [2, 2.5, np.float32(1.5), np.float64(0.1), np.int32(3), True], ids=repr)
def test_arrays_with_numbers(check, dtype, x):
    if NUMPY_1 and isinstance(x, np.generic):
        pytest.skip("NumPy 1 looks at the number's value")
    check(scalars, sample(dtype, (5, )), x)


@pytest.mark.parametrize("shapes", [((3, 4), (4, )), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1)), ((5, ), (1, )), ((0, 3), (3, )),
                                    ((1, 1), (2, 2, 2))])
def test_broadcasting(check, shapes):
    check(plus, sample("float64", shapes[0]), sample("float64", shapes[1], 1))


def test_shapes_that_do_not_agree(check):
    assert isinstance(check(plus, np.zeros(3), np.zeros(4)), ValueError)


def whole(a, b):
    return a // b, a % b


@pytest.mark.parametrize("dtype", REAL)
def test_floor_division(check, dtype):
    a, b = sample(dtype, (40, )), sample(dtype, (40, ), 1)
    b[b == 0] = 3
    check(whole, a, b)
    check(whole, a, dtype == "float32" and np.float32(2.5) or 3)


def powers(a, x):
    return a ** 2, a ** 3, abs(a) ** x, np.power(abs(a), 2)


@pytest.mark.parametrize("dtype", REAL)
def test_powers(check, dtype):
    check(powers, sample(dtype, (6, )), 2)


def elements(a, i, j):
    s = a[i, j] + a[-1, -2] + a[i - 1][j]
    a[i, j] = 7
    a[-2, j] += 2
    return s, a[i, -1], a[i][0]


def test_elements(check):
    for a in layouts(sample("float64", (3, 4))):
        for i, j in ((0, 0), (2, 3), (-1, -4), (1, 2)):
            check(elements, a, i, j)


def element(a, i):
    return a[i]


def test_out_of_bounds(check):
    for i in (5, -6, 100, -100):
        e = check(element, np.arange(5.0), i)
        assert isinstance(e, IndexError)


def slices(a, i, j, k):
    return a[i:j], a[i:], a[:j], a[i:j:k], a[::k], a[::-1], a[j:i:-1], a[-3:-1], a[:]


def test_slices_clip_and_wrap(check):
    for a in layouts(sample("float64", (7, ))):
        for i, j, k in ((0, 7, 1), (1, 5, 2), (-3, 100, 1), (5, 2, 1), (-100, -1, 3), (2, 2, -1), (6, 0, -2)):
            check(slices, a, i, j, k)


def matrix_slices(a):
    return a[1:, :2], a[:, 1], a[0], a[..., -1], a[1, ...], a[::-1, ::2], a[-1:, 1:2]


def test_slices_of_matrices(check):
    for a in layouts(sample("float64", (4, 5))):
        check(matrix_slices, a)


def views(a):
    b = a[1:]
    b[0] = 100
    c = a.T
    c[0, 0] = 50
    row = a[2]
    row[:] = 3
    d = a[:, None, 1]
    return b, c, row, d


def test_slices_are_views(check):
    for a in layouts(sample("float64", (4, 5))):
        got = check(views, a)
    b = np.zeros((4, 5))
    result = pyraptor.jit(views)(b)
    assert all(np.shares_memory(v, b) for v in result)
    assert got[1].shape == (5, 4)


def identity(a):
    return a, a


def test_the_argument_itself_comes_back():
    a = np.zeros(3)
    x, y = pyraptor.jit(identity)(a)
    assert x is a and y is a


def stores(a, v):
    a[1:3] = v[1:3]
    a[::2] = 9
    a[3:] += 1
    a[:, 1] = v[0]
    a[0, 1:] *= 2
    a[2] = a[0]
    a[:, ::-1] = a
    return a


def test_stores(check):
    for a in layouts(sample("float64", (4, 4))):
        check(stores, a, sample("float64", (4, 4), 1))


def store_shapes(a, b):
    a[1:] = b
    return a


def test_stores_that_do_not_fit(check):
    assert isinstance(check(store_shapes, np.zeros((4, 3)), np.zeros((2, 3))), ValueError)
    check(store_shapes, np.zeros((4, 3)), np.ones(3))
    check(store_shapes, np.zeros((4, 3)), np.ones((1, 3)))


def in_place(a, b):
    a += b
    a *= 2
    a -= 1
    return a


def test_in_place(check):
    for a in layouts(sample("float64", (3, 4))):
        check(in_place, a, sample("float64", (4, ), 1))
    check(in_place, sample("float32", (4, )), sample("float64", (4, )))
    a = np.zeros(3)
    assert pyraptor.jit(in_place)(a, np.ones(3)) is a


def test_in_place_does_not_lose(check):
    with pytest.raises(pyraptor.UnsupportedError):
        pyraptor.jit(in_place)(np.zeros(3, np.int64), np.zeros(3))


def masks(a):
    b = a[a > 0]
    a[a < -2] = 0
    a[a == 1] *= 10
    c = a[np.logical_and(a > 0, a < 5)]
    m = (a > 0) & ~(a > 3) | (a == -1)
    return b, c, m, a[m].sum(), np.where(a > 0, a, -a), np.sum(m)


def test_masks(check):
    for shape in ((9, ), (3, 4)):
        for a in layouts(sample("float64", shape)):
            check(masks, a)


def fancy(a, i):
    b = a[i]
    a[i] = 5
    return b, a[[0, 2]], a[np.array([1, -1])]


def test_index_arrays(check):
    check(fancy, np.arange(6.0), np.array([4, 1, 1, -1]))
    check(fancy, sample("float64", (6, 3)), np.array([4, 1, 1]))
    e = check(fancy, np.arange(3.0), np.array([1, 3]))
    assert isinstance(e, IndexError)


def pairs(a, i, j):
    b = a[i, j]
    a[i, j] = b * 2
    a[i, 0] = 1
    return b, a


def test_several_index_arrays(check):
    check(pairs, sample("float64", (4, 5)), np.array([0, 3, -1]), np.array([4, 0, 2]))


def new_axes(x, y):
    return x[:, None] * y[None, :], x[:, np.newaxis] + y, np.add.outer(x, y), x[None], y[None, :, None]


def test_new_axes(check):
    check(new_axes, np.arange(3.0), np.arange(4.0))


def transposes(a, b):
    c = a.T
    return a.T @ b, c[1, 2], c[0], c + 1, (a + a).T, np.transpose(b), c.shape, c.T[1], b.T.sum(axis=0)


def test_transposes(check):
    for a in layouts(sample("float64", (4, 3))):
        check(transposes, a, sample("float64", (4, 5), 1))


def cube_axes(a):
    b = a.transpose(2, 0, 1)
    return b, b[1], b.copy(), np.swapaxes(a, 0, 2)[0], np.moveaxis(a, 0, -1) * 2, b + b


def test_axes_of_cubes(check):
    check(cube_axes, sample("float64", (2, 3, 4)))


def shapes(a):
    m, n = a.shape
    return a.shape, m * n, a.ndim, a.size, len(a), a.reshape(n, m).sum(axis=0), a.ravel(), a.flatten(), a.reshape(-1), \
        np.reshape(a, (n, -1)) + 0.0


def test_shapes(check):
    for a in layouts(sample("float64", (4, 3))):
        check(shapes, a)


def reshaped_and_stored(a):
    b = a.reshape(2, 6)
    b[0, 0] = 5
    return a


def test_a_copy_never_stands_for_a_view():
    with pytest.raises(pyraptor.UnsupportedError, match="view in NumPy"):
        pyraptor.jit(reshaped_and_stored)(np.zeros((3, 4)))


def raveled_and_stored(a):
    b = a.ravel()
    b[3] = 5
    return a


def test_ravel_is_a_view(check):
    check(raveled_and_stored, np.zeros((3, 4)))


def products(a, b, v):
    return a @ b, a @ v, v @ b, v @ v, np.dot(a, b), np.outer(v, v), np.inner(v, v), (a @ b).trace()


@pytest.mark.parametrize("dtype", REAL + ["complex128"])
def test_products(check, dtype):
    for a in layouts(sample(dtype, (3, 3))):
        check(products, a, sample(dtype, (3, 3), 1), sample(dtype, (3, ), 2), rtol=1e-11)


def test_products_that_do_not_fit(check):
    def f(a, b):
        return a @ b

    assert isinstance(check(f, np.zeros((2, 3)), np.zeros((2, 3))), ValueError)


def stacks(a, b):
    return a @ b


def test_stacks_of_matrices(check):
    check(stacks, sample("float64", (2, 3, 4)), sample("float64", (4, 5)))
    check(stacks, sample("float64", (2, 3, 4)), sample("float64", (2, 4, 5)))
    check(stacks, sample("float64", (2, 1, 3, 4)), sample("float64", (3, 4, 2)))


def empty(a):
    return a.sum(), a + 1, a.shape, a[1:], a.T


def test_arrays_without_elements(check):
    check(empty, np.zeros((0, 3)))
    check(empty, np.zeros((3, 0)))


def complexes(z):
    return z.real, z.imag, abs(z), z.conj(), z * 1j, np.angle(z), z == z.conj()


def test_complex(check):
    for dtype in ("complex64", "complex128"):
        check(complexes, sample(dtype, (2, 3)))


def float32_stays(a):
    s = 0.0
    for v in a:
        s += v * 0.1
    return a * 2.5 + 1, s, a[0] * 2, np.sqrt(a * a), a.mean()


def test_float32_stays_float32(check):
    check(float32_stays, sample("float32", (7, )))


def copies_and_stores(a, b):
    c = a.reshape(2, 6)
    b[0, 0] = 5
    return c[0, 0]


def calls_it(a, b):
    return copies_and_stores(a, b)


def test_arguments_that_overlap(check):
    f, g = pyraptor.jit(copies_and_stores), pyraptor.jit(calls_it)
    check(f, np.zeros((3, 4)), np.zeros((3, 4)))
    check(g, np.zeros((3, 4)), np.zeros((3, 4)))
    a = np.zeros((3, 4))
    for h in (f, g):
        with pytest.raises(ValueError, match="overlap"):
            h(a, a)
        # One index rises and the other falls over the same rows.
        rows = np.arange(40.0).reshape(10, 4)
        for pair in ((rows[5:2:-1], rows[4:7]), (rows[4:7], rows[5:2:-1])):
            with pytest.raises(ValueError, match="overlap"):
                h(*pair)

    @pyraptor.jit
    def twice(a):
        return copies_and_stores(a, a)

    with pytest.raises(pyraptor.UnsupportedError, match="gets an array twice"):
        twice(a)


def bump(a):
    a[0] += 1
    return a[0]


def order_of_evaluation(a):
    x = a[0] + bump(a)
    y = (a * 2)[0] + bump(a)
    z = (a[0], bump(a), a[0])
    t = a[0] < bump(a)
    a[0] += bump(a)
    a[int(bump(a)) % 3] = a[0]
    u = a * 2 + bump(a)
    return x, y, z, t, a, u


def test_operands_are_evaluated_from_left_to_right(check):
    check(order_of_evaluation, np.array([1.0, 2.0, 3.0]))


LATER = [  # copies that represent a view may be used until something is stored
    ("a", "b = a.reshape(2, 6)\ns = b.sum()\na[0] = 5\nreturn s + a[0, 0]", True),
    ("a", "for k in range(3):\n    b = a.reshape(2, 6)\n    c = b.T\n    a[k] = c[0, 1] + k\nreturn a", False),
    ("a", "for k in range(3):\n    b = a.reshape(2, 6)\n    c = b.T\n    s = c.sum()\n    a[k] = s\nreturn a", True),
    ("a", "b = a.reshape(2, 6)\na[0] = 5\nreturn b", True),
    ("a", "b = a.reshape(2, 6)\nfor k in range(2):\n    s = b[0, 0]\n    a[0] = s + 1\nreturn a", False),
    ("a", "b = a.reshape(2, 6)\nif b[0, 1] > 0:\n    a[0] = 3\n    return b\nreturn a", False),
    ("a", "a[0] = 7\nb = a.reshape(2, 6)\nreturn b", True),
    ("a", "b = a.reshape(2, 6)\nb[0] = 1\nreturn a", False),
    ("a", "s = 0.0\nfor k in range(2):\n    if k > 0:\n        s += b[0, 0]\n    b = a.reshape(2, 6)\n    a[0] = 9\nreturn s", False),
]


@pytest.mark.parametrize("arguments, body, compiles", LATER)
def test_copies_that_stand_for_views(check, make, arguments, body, compiles):
    f = make(arguments, body)
    if compiles:
        check(f, sample("float64", (3, 4)))
    else:
        with pytest.raises(pyraptor.UnsupportedError, match="view in NumPy"):
            pyraptor.jit(f)(sample("float64", (3, 4)))


def test_types_of_later_arguments():
    """A version is selected by the types of all arguments, not only of the first one."""
    f = pyraptor.jit(plus)
    first = np.arange(4.0)
    for _ in range(2):
        for dtype in DTYPES:
            second = sample(dtype, (4,), 3)
            for got, want in zip(f(first, second), plus(first, second)):
                assert got.dtype == want.dtype
                np.testing.assert_array_equal(got, want)
        for got, want in zip(f(first, 2), plus(first, 2)):
            np.testing.assert_array_equal(got, want)


def test_one_array_as_two_results():
    @pyraptor.jit
    def twice(a):
        b = a + 1
        return b, b, a

    a = np.arange(3.0)
    for _ in range(2):
        x, y, z = twice(a)
        assert x is y and z is a


@pytest.mark.parametrize("dtype", [np.longlong, np.int_, np.intc])
def test_integers_of_every_name(dtype):
    @pyraptor.jit
    def total(a):
        s = 0
        for k in range(a.shape[0]):
            s += a[k]
        return s

    a = np.arange(5, dtype=dtype)
    assert total(a) == 10
    np.testing.assert_array_equal(pyraptor.jit(plus)(a, a)[0], a + a)


@pytest.mark.parametrize("dtype", [np.longlong, np.int_, np.intc])
def test_numbers_of_every_name(dtype):
    """All bits are used: C has two integer types of 64 bits, which NumPy distinguishes."""
    @pyraptor.jit
    def add(x, y):
        return x + y

    limits = np.iinfo(dtype)
    for x in (dtype(limits.max - 1), dtype(limits.min), dtype(-1)):
        got = add(x, dtype(1))
        assert got == int(x) + 1 and got.dtype.itemsize == limits.bits // 8


def test_arguments_that_overlap_by_their_ends():
    """Views that overlap by one element, with negative steps, and adjacent ones without a common element."""

    @pyraptor.jit
    def f(a, b):
        a = a.reshape((2, 4))
        for k in range(b.shape[0]):
            b[k] = a[k % 2, 3]
        return a.sum()

    whole = np.arange(32.0)
    strided = whole[:16:2]  # not contiguous: reshape copies
    f(strided, whole[16:24])
    f(strided, whole[15:23])  # overlaps the last one only
    for other in (whole[14:22], whole[24:13:-1], whole[14::-1], whole[3:4]):
        with pytest.raises(ValueError, match="overlap"):
            f(strided, other)
    falling = whole[16:0:-2]
    f(falling, whole[17:25])
    f(falling, whole[1::-1])
    for other in (whole[16:20], whole[2:4], whole[9:12], whole[2:0:-1]):
        with pytest.raises(ValueError, match="overlap"):
            f(falling, other)


def test_arrays_at_odd_addresses_and_of_other_byte_order():
    @pyraptor.jit
    def f(a):
        return a.sum(), a + 1

    for dtype in ("int32", "int64", "float32", "float64"):
        width = np.dtype(dtype).itemsize
        odd = np.frombuffer(bytearray(8 * width + 1), dtype=np.uint8)[1:].view(dtype)
        odd[:] = np.arange(8)
        assert not odd.flags.aligned
        f(np.arange(8).astype(dtype))
        swapped = np.arange(8).astype(np.dtype(dtype).newbyteorder())
        for a in (odd, swapped):
            try:
                total, more = f(a)
            except (TypeError, ValueError, pyraptor.UnsupportedError):
                continue  # refused, but never read with the wrong type
            assert total == 28
            np.testing.assert_array_equal(more, np.arange(8) + 1)


def test_empty_rows():
    for text in ("((), ())", "[[]]", "[[], []], dtype=np.int32", "[]", "(((), ()), )"):
        run("k", f"return np.array({text})", (1, ))
