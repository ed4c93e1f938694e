"""@stencil compared with a loop in plain Python, which reads the neighbours through an object that adds the element's position."""
import inspect
import pickle

import numpy as np
import pytest
from pyraptor import UnsupportedError, njit, stencil

WIDTH = 2
LINE, GRID = np.arange(7.0) ** 2, np.arange(20.0).reshape(4, 5) ** 1.5


class Around:
    def __init__(self, array, place):
        self.array, self.place = array, place

    def __getitem__(self, offsets):
        offsets = offsets if isinstance(offsets, tuple) else (offsets, )
        moved = [slice(p + o.start, p + o.stop) if isinstance(o, slice) else p + o for p, o in zip(self.place, offsets)]
        assert all(not isinstance(m, int) or 0 <= m < n for m, n in zip(moved, self.array.shape))
        return self.array[tuple(moved)]

    def __len__(self):
        return len(self.array)


def plainly(kernel, reach, *args, cval=0, standard=(), out=None, fill=True):
    """The stencil of the kernel. `reach`: (least, greatest) offset of each dimension."""
    first = args[0]
    inside = [range(max(0, -low), n - max(0, high)) for (low, high), n in zip(reach, first.shape)]
    names = list(inspect.signature(kernel).parameters)
    values = {}
    for place in np.ndindex(*map(len, inside)):
        place = tuple(r[k] for r, k in zip(inside, place))
        given = [Around(a, place) if isinstance(a, np.ndarray) and n not in standard else a for n, a in zip(names, args)]
        values[place] = kernel(*given)
    if out is None:
        out = np.full(first.shape, cval, np.asarray(next(iter(values.values()), 0.0)).dtype)
    elif fill:
        out[...] = cval
    for place, v in values.items():
        out[place] = v
    return out


def agrees(wanted, got):
    assert wanted.dtype == got.dtype and wanted.shape == got.shape
    np.testing.assert_allclose(got, wanted, rtol=1e-13)


def mean4(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def window(a):
    total = 0.0
    for k in range(-WIDTH, 1):
        total += a[k]
    return total / (WIDTH + 1)


def weighted(a, w, scale):
    return (a[-1] * w[0] + a[0] * w[1] + a[1] * w[2]) * scale


def bent(a):
    if a[0] > a[1]:
        return a[0]
    return a[1] - a[-WIDTH]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64", "float32", "float64", "complex128"])
def test_element_types(dtype):
    def last(a):
        return a[-1]

    a = (np.arange(6) % 3).astype(dtype)
    agrees(plainly(last, [(-1, 0)], a), stencil(last)(a))
    assert stencil(last)(a).dtype == dtype


@pytest.mark.parametrize("kernel, reach, args", [
    (mean4, [(-1, 1)] * 2, (GRID, )), (mean4, [(-1, 1)] * 2, (GRID[::-1, ::2], )), (mean4, [(-1, 1)] * 2, (np.asfortranarray(GRID), )),
    (mean4, [(-1, 1)] * 2, (GRID[:2], )), (mean4, [(-1, 1)] * 2, (GRID[:0], )), (bent, [(-WIDTH, 1)], (LINE, )), (bent, [(-WIDTH, 1)], (LINE[:1], )),
    (lambda a: a[1] + a[3], [(0, 3)], (LINE, )), (lambda a: a[-1 - WIDTH], [(-1 - WIDTH, 0)], (LINE, )), (lambda a: a[0] + len(a), [(0, 0)], (LINE, )),
    (lambda a: a[0, 1, -1] > 1, [(0, 0), (0, 1), (-1, 0)], (np.arange(24.0).reshape(2, 3, 4), )),
    (lambda a, b: a[-1] * b[1], [(-1, 1)], (LINE, np.arange(9.0))), (lambda a, k: k * a[-1], [(-1, 0)], (LINE, 3)),
])
def test_constant_subscripts(kernel, reach, args):
    agrees(plainly(kernel, reach, *args), stencil(kernel)(*args))


def test_names_of_the_kernel():
    def place(a):
        place0 = 3
        place_0 = a[0] * place0
        return max([place_0 + a[k] for k in (-1, 1)])

    f = stencil(place, neighborhood=((-1, 1), ))
    agrees(plainly(place, [(-1, 1)], LINE), f(LINE))


def test_neighborhood():
    agrees(plainly(window, [(-WIDTH, 0)], LINE), stencil(neighborhood=((-WIDTH, 0), ))(window)(LINE))
    agrees(plainly(window, [(-4, 3)], LINE), stencil(window, neighborhood=[[-4, 3]])(LINE))  # more than it reads
    median = lambda a: np.median(a[-1:2, -1:2])
    agrees(plainly(median, [(-1, 1)] * 2, GRID), stencil(median, neighborhood=((-1, 1), (-1, 1)))(GRID))
    f = stencil(window, neighborhood=((-1, 0), ))  # less than it reads
    with pytest.raises(IndexError, match="outside of its neighborhood"):
        f(LINE)
    for wrong in (((0, ), ), 3, ((1, -1), ), (), ((0.5, 1), )):
        with pytest.raises(ValueError, match="neighborhood"):
            stencil(window, neighborhood=wrong)
    with pytest.raises(UnsupportedError, match="outside of the stencil's neighborhood, -1 to 0"):
        stencil(lambda a: a[1], neighborhood=((-1, 0), ))(LINE)
    with pytest.raises(UnsupportedError, match="needs the option neighborhood"):
        stencil(window)(LINE)
    with pytest.raises(UnsupportedError, match="2 dimensions, but gets an array of 1"):
        stencil(window, neighborhood=((-2, 0), (0, 0)))(LINE)


def test_standard_indexing():
    w = np.array([1.0, -2.0, 0.5])
    f = stencil(weighted, standard_indexing=("w", ))
    agrees(plainly(weighted, [(-1, 1)], LINE, w, 2, standard=("w", )), f(LINE, w, 2))
    agrees(f(LINE, w, 2), f(LINE, scale=2, w=w))
    with pytest.raises(IndexError):
        f(LINE, w[:2], 2)
    with pytest.raises(ValueError, match="not a parameter"):
        stencil(weighted, standard_indexing=("v", ))
    with pytest.raises(ValueError, match="cannot be in standard_indexing"):
        stencil(weighted, standard_indexing=("a", ))


@pytest.mark.parametrize("cval", [9, 1.5, np.nan, -np.inf, np.float32(2)])
def test_border(cval):
    agrees(plainly(bent, [(-WIDTH, 1)], LINE, cval=cval), stencil(bent, cval=cval)(LINE))
    out, wanted = np.full(7, 7.0), np.full(7, 7.0)
    f = stencil(bent, cval=cval)
    assert f(LINE, out=out) is out
    agrees(plainly(bent, [(-WIDTH, 1)], LINE, cval=cval, out=wanted), out)


def test_border_that_does_not_fit():
    ints = np.arange(7)
    assert stencil(bent, cval=1.5)(ints)[0] == 1  # as np.full
    for cval in (np.nan, np.inf, 1j):
        with pytest.raises(UnsupportedError, match="cannot represent"):
            stencil(bent, cval=cval)(ints)
    for wrong in ("a", [1], np.zeros(2)):
        with pytest.raises(ValueError, match="must be a number"):
            stencil(bent, cval=wrong)


def test_out():
    out = np.full(7, 7)
    stencil(bent)(LINE, out=out)  # floats to ints, and the border stays
    agrees(plainly(bent, [(-WIDTH, 1)], LINE, out=np.full(7, 7), fill=False), out)
    f = stencil(bent)
    for shape in (6, 8):
        with pytest.raises(ValueError, match="shape"):
            f(LINE, out=np.zeros(shape))
    with pytest.raises(UnsupportedError, match="1 dimensions"):
        f(LINE, out=np.zeros((7, 1)))
    with pytest.raises(TypeError):
        f(LINE, out=[0.0] * 7)
    read_only = np.zeros(7)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(LINE, out=read_only)
    a = LINE.copy()
    with pytest.raises(ValueError, match="overlap"):
        f(a, out=a)
    with pytest.raises(UnsupportedError, match="cannot be stored"):
        stencil(lambda a: a[0] * 1j)(LINE, out=np.zeros(7))


def test_in_compiled_code():
    kernel, smooth = stencil(mean4), stencil(mean4, cval=1.0)

    @njit
    def steps(a, n):
        for _ in range(n):
            a = kernel(a)
        b = np.empty_like(a)
        smooth(a, out=b)
        return a, b.sum()

    a, total = steps(GRID, 2)
    wanted = plainly(mean4, [(-1, 1)] * 2, plainly(mean4, [(-1, 1)] * 2, GRID))
    agrees(wanted, a)
    assert total == pytest.approx(plainly(mean4, [(-1, 1)] * 2, wanted, cval=1.0).sum())

    @njit
    def in_place(a):
        kernel(a, out=a)

    with pytest.raises(UnsupportedError, match="twice"):
        in_place(GRID.copy())
    with pytest.raises(UnsupportedError, match="first argument of the stencil"):
        njit(lambda x: kernel(x))(2.0)
    with pytest.raises(UnsupportedError, match="unexpected keyword|missing|got"):
        njit(lambda x: kernel(x, k=1))(GRID)


def stores(a):
    a[0] = 1.0
    return a[1]


def stores_elsewhere(a, w):
    w[0] = 2.0
    return a[0]


def passes_on(a, w):
    change(w)
    return a[0]


def change(w):
    w[0] = 2.0


@pytest.mark.parametrize("kernel, args, what", [
    (stores, (LINE, ), "must not store"), (stores_elsewhere, (LINE, LINE), "must not store"), (passes_on, (LINE, LINE), "stores to one of its arguments"),
    (lambda a: a[0], (GRID, ), "2 dimensions has 1 subscripts"), (lambda a: a[0, 0], (LINE, ), "1 dimensions has 2 subscripts"),
    (lambda a: a[1.0], (LINE, ), "1.0, not an int"), (lambda a: a[True], (LINE, ), "True, not an int"), (lambda a: a[0:2], (LINE, ), "slice needs"),
    (lambda a, k: a[k], (LINE, 1), "needs the option neighborhood"), (lambda a: 3.0, (LINE, ), "does not read its first array"),
    (lambda a: (a[0], 1), (LINE, ), "returns tuple"), (lambda a, b: a[0] + b[0, 0], (LINE, GRID), "1 and 2 dimensions"),
    (lambda a: open(a[0]), (LINE, ), "'open' is not compiled"), (lambda a: a[1 // 0], (LINE, ), "needs the option neighborhood"),
])
def test_refused(kernel, args, what):
    f = stencil(kernel)
    with pytest.raises(UnsupportedError, match=what) as e:
        f(*args)
    assert e.value.lineno


def test_wrong_calls():
    f = stencil("constant")(lambda a, b: a[-1] + b[1])
    with pytest.raises(ValueError, match="smaller"):
        f(LINE, LINE[:5])
    for args in ((LINE, ), (LINE, LINE, LINE), (1.0, LINE), ([1.0, 2.0], LINE)):
        with pytest.raises(TypeError):
            f(*args)
    for wrong in ("wrap", ""):
        with pytest.raises(ValueError, match="mode"):
            stencil(wrong)
    for wrong in (3, len, None):
        with pytest.raises(TypeError, match="needs a function"):
            stencil(wrong)
    with pytest.raises(TypeError, match="plain parameters"):
        stencil(lambda *a: a[0])


named = stencil(mean4, cval=2)


def test_pickled():
    made = pickle.loads(pickle.dumps(named))
    agrees(named(GRID), made(GRID))
    assert repr(named) == "<pyraptor.stencil function mean4>" and named.__name__ == "mean4"
