"""Named tuples and frozen dataclasses: Python is the oracle."""
import collections
import dataclasses
import typing

import numpy as np
import pytest

import pyraptor
from pyraptor import UnsupportedError, jit

Point = collections.namedtuple("Point", "x y z", defaults=[3])


class Fit(typing.NamedTuple):
    a: np.ndarray
    b: float = 2.0
    UNIT = "m"  # no annotation: a constant of the class

    def total(self, scale=1):
        return self.a.sum() * self.b * scale

    @property
    def half(self):
        return self.b / 2

    @staticmethod
    def twice(x):
        return 2 * x


@dataclasses.dataclass(frozen=True)
class Grid:
    n: int
    w: np.ndarray
    k: float = 0.5
    name: str = "grid"
    SCALE = 3

    def area(self, s=1):
        return self.n * self.k * s

    @property
    def first(self):
        return self.w[0] + self.SCALE


@dataclasses.dataclass(frozen=True)
class Nested:
    at: Point
    grid: Grid


class Counted(Point):
    def __new__(cls, x, y):
        return super().__new__(cls, x, y + 1, 0)


@dataclasses.dataclass
class Loose:
    n: int


@dataclasses.dataclass(frozen=True)
class Checked:
    n: int

    def __post_init__(self):
        if self.n < 0:
            raise ValueError("n")


def same(a, b):
    assert type(a) is type(b), (a, b)
    if isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            same(x, y)
    elif dataclasses.is_dataclass(a):
        for f in dataclasses.fields(a):
            same(getattr(a, f.name), getattr(b, f.name))
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and np.array_equal(a, b)
    else:
        assert a == b


def both(f, *args):
    same(f(*args), jit(f)(*args))


def fields(p):
    return p.x + p.y * p[2], len(p), p[-1]


@pytest.mark.parametrize("p", [Point(1, 2), Point(1.5, 2, True), Point(1j, np.float32(2), np.int8(3))])
def test_fields_by_name_and_number(p):
    both(fields, p)


def test_other_types_make_other_versions():
    f = jit(fields)
    for p in (Point(1, 2), Point(1.0, 2), (1, 2, 3)):
        if isinstance(p, Point):
            assert f(p) == fields(p)
        else:
            with pytest.raises(UnsupportedError, match="'.x' of tuple"):
                f(p)


def made(a, b):
    return Point(a, y=b), Point(a, b, 7), Point(z=a, x=b, y=0), Fit(np.zeros(2)), Grid(2, np.ones(3), name="g")


def methods(f, g):
    return f.total(), f.total(scale=3), f.half, f.twice(4), g.area(2), g.first, g.SCALE, g.name == "grid", f.UNIT == "m"


def in_loop(n):
    p = Point(0, 1)
    for i in range(n):
        p = Point(p.y, p.x + p.y, i)
    return p


def replaced(p):
    q = p._replace(z=p.x, x=1.5)
    return p, q, q._replace(), isinstance(q, Point), isinstance(q, tuple), isinstance(q, Fit)


def unpacked(p):
    x, *rest = p
    y, z = rest
    return [v for v in p], x + y + z, Point(*p), (*p, 4), p + (1,), p[:2], p == Point(1, 2), p < (1, 3, 0)


def chosen(p, q, c):
    r = p if c else q
    if not c:
        p = q
    return r, p


def shifted(p):
    return Point(p.x + 1, p.y)


def called(p, n):
    return shifted(shifted(p)) if n else p


def nested(v):
    w = Nested(v.at._replace(x=9), Grid(1, v.grid.w * 2))
    return v.at.x, v.grid.area(), w


ARRAY = np.arange(3.0)


@pytest.mark.parametrize("f, args", [
    (made, (1, 2.5)), (methods, (Fit(ARRAY), Grid(3, np.ones(4)))), (in_loop, (0, )), (in_loop, (9, )), (replaced, (Point(1, 2), )),
    (unpacked, (Point(1, 2), )), (chosen, (Point(1, 2), Point(5, 6), True)), (chosen, (Point(1, 2), Point(5, 6), False)),
    (called, (Point(1, 2), 1)), (called, (Point(1, 2), 0)), (nested, (Nested(Point(1, 2), Grid(2, ARRAY)), ))], ids=lambda v: getattr(v, "__name__", ""))
def test_programs(f, args):
    both(f, *args)


ORIGIN = Point(4, 5)


def test_records_of_the_surrounding_program():
    both(lambda x: (ORIGIN.x + x, ORIGIN), 1)


def test_stores_reach_the_arrays_of_a_record():
    @jit
    def fill(g, v):
        g.w[1] = v
        return g.w

    g = Grid(1, np.zeros(3))
    assert fill(g, 4.0) is g.w and g.w[1] == 4
    g.w.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        fill(g, 5.0)


def test_one_array_in_two_fields():
    def f(p):
        p.x[0] = 7
        return p.y[0]

    a, b = np.zeros(2), np.zeros(2)
    assert f(Point(a, a)) == jit(f)(Point(b, b)) == 7


def test_records_in_parallel_loops():
    @jit
    def f(g, out):
        for i in pyraptor.prange(out.shape[0]):
            p = Point(i, g.k)
            out[i] = p.x * p.y + g.w[i]
        return out

    assert np.array_equal(f(Grid(1, np.ones(50)), np.zeros(50)), np.arange(50) * 0.5 + 1)


def test_numpys_results_have_their_names():
    def f(a):
        e, s, q = np.linalg.eigh(a), np.linalg.svd(a), np.linalg.qr(a)
        return e.eigenvalues, s.S, q.R.shape, np.linalg.slogdet(a).sign

    if not hasattr(np.linalg.eigh(np.eye(2)), "eigenvalues"):
        pytest.skip("results without names: NumPy before 1.25")
    a = np.diag([1.0, 4.0])
    for x, y in zip(f(a), jit(f)(a)):
        assert np.allclose(x, y)
    for g in (np.linalg.eigh, np.linalg.svd, np.linalg.qr, np.linalg.slogdet):
        assert type(jit(lambda a: g(a))(a)) is type(g(a))


@pytest.mark.parametrize("f, args, text", [
    (lambda p: p.w, (Point(1, 2), ), "'.w' of Point"),
    (lambda p: p._asdict(), (Point(1, 2), ), "'._asdict' of Point"),
    (lambda x: Point(x), (1, ), "field 'y' of Point is not given"),
    (lambda x: Point(x, x, x, x), (1, ), "Point has 3 fields, but 4 values are given"),
    (lambda x: Point(x, **{}), (1, ), r"'\*\*' is not compiled"),
    (lambda x: Point(x, x=1, y=2), (1, ), "field 'x' of Point is given twice"),
    (lambda x: Point(x, 2, w=2), (1, ), "Point has no field 'w'"),
    (lambda p: p._replace(w=2), (Point(1, 2), ), "Point has no field 'w'"),
    (lambda p, c: p if c else (1, 2, 3), (Point(1, 2), True), "Point"),
    (lambda d: d.n, (Loose(1), ), "Loose"),
    (lambda d: d.n, (Checked(1), ), "Checked"),
    (lambda n: Loose(n), (1, ), "Loose"),
    (lambda n: Checked(n), (1, ), "Checked"),
    (lambda n: Counted(n, 1), (1, ), "Counted"),
    (lambda n: [Point(k, 0) for k in range(n)], (3, ), "Point"),
    (lambda g: len(g), (Grid(1, ARRAY), ), "Grid"),
    (lambda g: g[0], (Grid(1, ARRAY), ), "Grid"),
    (lambda g: g + g, (Grid(1, ARRAY), ), "Grid"),
    (lambda g: g == g, (Grid(1, ARRAY), ), "Grid"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_refusals(f, args, text):
    with pytest.raises(UnsupportedError, match=text.replace("(", r"\(")):
        jit(f)(*args)


def test_assignments_to_fields_are_refused():
    @jit
    def f(p):
        p.x = 3
        return p

    with pytest.raises(UnsupportedError):
        f(Point(1, 2))
    with pytest.raises(UnsupportedError):
        f(Grid(1, ARRAY))
