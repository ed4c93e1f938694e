"""Functions that rearrange elements: expressions compared with NumPy for all element types and layouts."""
import numpy as np
import pytest

from conftest import compare, function, some
from test_arrays import layouts
from test_called import sample

DTYPES = ["bool", "int8", "int64", "uint16", "float32", "float64", "complex128"]
# Expressions of a matrix a, a vector v, an array c of three dimensions, and a number k.
ROLLED = ["np.roll(a, 2)", "np.roll(a, k, axis=1)", "np.roll(a, (1, -2), axis=(0, 1))", "np.roll(c, 5)", "np.roll(c, 1, (0, 2))", "np.roll(v, -k)",
          "np.repeat(v, 2)", "np.repeat(a, [1, 0, 2, 1], axis=0)", "np.repeat(v, np.arange(v.size) % 3)", "np.repeat(a, [2], axis=1)", "a.repeat(k)",
          "np.tile(v, 3)", "np.tile(a, k)", "np.tile(v, (2, 2))", "np.tile(a, (2, 1, 3))", "np.tile(c, (1, 2))", "np.tile(a[:0], (2, 2))"]
TAKEN = ["np.take(a, [0, -1, 5])", "np.take(a, [[0, 1], [2, 0]], axis=1)", "a.take(k)", "np.take(v, k)", "np.take(c, [1, 0], axis=2)",
         "np.take(v, [13, -20, k], mode='wrap')", "np.take(v, [13, -20, k], mode='clip')", "np.take(a, k, axis=0)",
         "np.compress([True, False, True], a, axis=1)", "np.compress(v > 1, v)", "a.compress([False, True], axis=0)", "np.extract(a > 1, a)",
         "np.choose(np.arange(6) % 3, (v[:6], v[1:7], 2))", "np.choose([[0, 1], [1, 0]], [v[:2], v[2:4]])",
         "np.select([a > 2, a < -1], [a, a * 2], 7)", "np.select([v > 2], [v])"]
CHANGED = ["np.delete(v, k)", "np.delete(v, [0, -1, 3])", "np.delete(a, 1, axis=1)", "np.delete(a, slice(None, None, 2), axis=0)", "np.delete(a, 3)",
           "np.delete(v, v > 1)", "np.delete(c, [0, 2], axis=2)", "np.delete(v, [])", "np.delete(a, slice(1, -1), 1)",
           "np.insert(v, 2, 5)", "np.insert(v, -1, v[:3])", "np.insert(a, 1, v[:6], axis=0)", "np.insert(a, k, 4, axis=1)", "np.insert(a, 3, 9)",
           "np.insert(v, [1, 1, 4], [7, 8, 9])", "np.insert(v, [k, -2], 3)", "np.insert(v, v.size, 1)"]
PADDED = [f"np.pad({x}, {w}, {m!r})" for m in ("edge", "wrap", "reflect", "symmetric") for x, w in
          (("v", "k"), ("v[:2]", "(3, 5)"), ("a", "((1, 2), (0, 7))"), ("c", "1"), ("v[:1]", "3"))] + [
          "np.pad(a, 2)", "np.pad(v, (1, k), constant_values=3)", "np.pad(a, ((0, 1), (2, 0)), 'constant', constant_values=k)"]
GRIDS = ["np.dstack((a, a + a))", "np.dstack((v, v))", "np.meshgrid(v, v[:3])", "np.meshgrid(v[:2], v[:3], v[:4], indexing='ij')",
         "np.meshgrid(v, v[:4], sparse=True)", "np.indices((2, k))", "np.indices((2, 3, 2))", "np.diagflat(a, 1)", "np.tri(3)", "np.tri(3, 5, -1, int)",
         "np.vander(v)", "np.vander(v, 3)", "np.vander(v[:4], increasing=True)", "np.moveaxis(c, (0, 1), (-1, 0))", "np.moveaxis(c, 2, 0)",
         "np.nonzero(c)", "np.nonzero(a)", "c.nonzero()", "np.argwhere(c > 0)", "np.argwhere(a)", "np.argwhere(v)",
         "np.unravel_index(k, (3, 4))", "np.unravel_index([5, 11, 0], (3, 4))", "np.unravel_index([[5], [11]], (2, 3, 4), order='F')",
         "np.ravel_multi_index(([1, 2], [3, 0]), (3, 4))", "np.ravel_multi_index((k, 1, 1), (4, 2, 3), order='F')",
         "np.ravel_multi_index(([5, -1], [9, 1]), (3, 4), mode='wrap')", "np.ravel_multi_index(([5, -1], [9, 1]), (3, 4), 'clip')"]
REAL = ["np.trapezoid(v)", "np.trapezoid(a, axis=0)", "np.trapezoid(a, np.arange(6.0) ** 2)", "np.trapezoid(a, dx=0.5, axis=1)",
        "np.trapezoid(a, np.arange(4) * 2, axis=0)", "np.trapezoid(a, np.abs(a) + 1)", "np.gradient(v)", "np.gradient(v, 0.5)", "np.gradient(a)",
        "np.gradient(a, axis=1)", "np.gradient(a, 2.0, 0.5)", "np.gradient(v, np.arange(11.0) ** 2)", "np.gradient(v, edge_order=2)",
        "np.gradient(c, axis=(0, 2))", "np.ediff1d(v)", "np.ediff1d(a, to_begin=1)", "np.ediff1d(v, [1, 2], 3)", "np.polyval(v[:3], a)",
        "np.polyval([1, 2, 3], k)", "np.polyval(v[:4], 1.5)"]
HAS_TRAPEZOID = hasattr(np, "trapezoid")


@pytest.mark.parametrize("text", ROLLED + TAKEN + CHANGED + PADDED + GRIDS + REAL)
def test_functions(text):
    if "trapezoid" in text and not HAS_TRAPEZOID:
        text = text.replace("trapezoid", "trapz")
    f = function("a, v, c, k", text)
    for dtype in some(DTYPES, 3, text) if text not in REAL else ["int32", "float32", "float64"]:
        if dtype.startswith("complex") and (">" in text or "nonzero" in text or "argwhere" in text):
            continue
        if dtype in ("bool", "int8", "uint16") and ("vander" in text or "select" in text or "complex" in text):
            continue
        v, c = sample(dtype, 11, 1), sample(dtype, (3, 4, 5), 2)
        for a in layouts(sample(dtype, (4, 6))):
            compare(f, a, v, c, 2)


def test_empty():
    for text in ("np.roll(a, 1)", "np.repeat(a, 2, axis=0)", "np.nonzero(a)", "np.argwhere(a)", "np.delete(a, [], axis=1)", "np.pad(a, 1)",
                 "np.take(a, np.zeros(0, np.int64), axis=1)", "np.tile(a, 2)"):
        compare(function("a", text), np.zeros((0, 3)))
        compare(function("a", text), np.zeros((3, 0, 2)))


def test_arguments_are_not_changed():
    """Results do not share elements with the arguments where NumPy's do not."""
    for text in ("np.delete(v, 1)", "np.insert(v, 1, 2)", "np.take(v, [0, 1])", "np.pad(v, 0)", "np.repeat(v, 1)", "np.tile(v, 1)", "np.roll(v, 0)"):
        compare(function("v", f"w = {text}\nw[0] = 99\nreturn w, v"), np.arange(4.0))


def test_refused_and_raised(check, make):
    v = np.arange(6.0)
    for text in ("np.delete(v, 6)", "np.delete(v, [1, 9])", "np.insert(v, 7, 1)", "np.insert(v, [1, 9], 1)", "np.take(v, [6])", "np.take(v, -7)",
                 "np.repeat(v, [1, 2])", "np.repeat(v, -1)", "np.choose([0, 3], [v[:2], v[:2]])", "np.pad(v, -1)", "np.pad(v[:0], 1, 'edge')",
                 "np.unravel_index(6, (2, 3))", "np.ravel_multi_index((2, 0), (2, 3))", "np.gradient(v[:1])", "np.delete(v, v > 1)[9]"):
        assert check(make("v", text), v) is not None, text
    for text in ("np.pad(v, 1, 'mean')", "np.insert(v.reshape(2, 3), [0, 1], 1, axis=0)"):  # NumPy itself is called
        check(make("v", text), v)
    with pytest.raises(Exception, match="views"):
        check(make("v", "np.meshgrid(v, v, copy=False)[0]"), v)


@pytest.mark.parametrize("places, values", [([2], [98, 99]), ([-1], [98, 99, 97]), ([5], [1]), ([0], []), ([6], [1, 2]), ([-6], []), ([1, 2], [7]), ([1, 2], [7, 8, 9]),
                                            ([3, 3], [1, 2])])
def test_several_values_at_one_place(check, places, values):
    check(function("a, places, values", "np.insert(a, places, values)"), np.arange(5), np.array(places), np.array(values, int))
