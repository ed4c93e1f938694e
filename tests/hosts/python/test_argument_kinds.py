"""NumPy functions with arguments of kinds that have rules of their own: complex numbers, bools, bytes, 0-d arrays. NumPy is the oracle, also for
exceptions; a refusal is right, too, where the table says so."""
import numpy as np
import pytest

from tables import cases, refusal, run

Z, B, U = np.array([1 + 2j, 0.5 - 1j, 3, 0]), np.array([True, False, True, True]), np.array([3, 1, 200, 7], np.uint8)
F, M = np.array([1.5, -0.25, 3.0, 2.0]), np.arange(6.0).reshape(2, 3)


@cases(
    ("a", "np.digitize(a, np.array([1.0, 2.0]))", Z, F, U),
    ("a", "np.nonzero(a)", Z, B, F, M, M + 0j),
    ("a", "a.nonzero()[0]", Z),
    ("a", "np.sinc(a)", U, F.astype("f4"), np.arange(3, dtype="i2"), 2, 0.5),
    ("a", "np.deg2rad(a), np.rad2deg(a), np.radians(a), np.degrees(a)", U, F.astype("f2"), F.astype("f4")),
    ("a", "np.gradient(a)", B, F),
    ("a", "np.fliplr(a)", F, B, M),
    ("a", "np.flipud(a)", F, M),
    ("a", "np.ediff1d(a, to_end=np.array([1.5]))", F, U, F.astype("f4")),
    ("a", "np.ediff1d(a, 5)", F, U, F.astype("f4")),
    ("a", "np.ediff1d(a, to_begin=np.array([1j]))", F, Z),
    ("a", "np.quantile(a, a > 2)", F),
    ("a", "np.broadcast_to(a, ()) + np.int8(1), np.broadcast_to(a, (2, ))", 123, True, 2.5),
    ("a", "np.histogram_bin_edges(a)", Z, F),
    ("a", "np.average(a, weights=np.array([1, 2, 3, 4], np.float32))", U, B, F, F.astype("f4"), Z),
    ("a", "round(a[0])", B, F, U, Z),
    ("a", "a.any(0), np.all(a, axis=-1), np.any(a)", np.array(2.5)),
    ("a", "np.all(a, axis=1)", np.array(2.5)),
    ("a", "a.transpose(0)", np.array(2.5)),
    ("a", "np.heaviside(a, a > 2), np.logaddexp(a, a > 2)", U, F),
)
def test_kinds(arguments, text, call):
    run(arguments, text, call)


@cases(
    ("a", "np.place(a, a > 4, [1, 2])\nnp.putmask(a, a < 3, [5, 6, 7])\nreturn a", M, M.T, F),
    ("a", "np.place(a, a > 4, [1.5, 2])\nnp.putmask(a, a < 3, a)\nnp.putmask(a[:, 1:], a[:, 1:] > 1, [-1, -2, -3])\nreturn a", M, M.T),
    ("a", "np.place(a, a > 4, np.zeros(0))\nreturn a", M),
    ("n", "np.fromiter((k * k for k in range(n)), dtype=float), np.fromiter([1, 2, n], np.int8), np.fromiter(range(n), np.complex128)", 3, 0),
    ("a", "np.fromiter(a, np.float32), np.fromiter((v > 1 for v in a), bool, -1)", F),
)
def test_stores_and_iterables(arguments, text, call):
    run(arguments, text, call)


@pytest.mark.parametrize("text, value", [
    ("np.fromiter(a, int)", F), ("np.fromiter(a, float, 2)", F),
    ("np.quantile(a, 0.5)", B), ("np.percentile(a, 50)", B), 
    ("sorted(a)", Z), ("np.array_repr(a)", np.array(2.5)), ("np.array_str(a)", np.array(2.5)), ("np.all(a, np.array([0]))", np.array(2.5)), ("np.copy(a, np.array([0]))", np.array(2.5)),
])
def test_refused(text, value):
    assert refusal("a", text, value)
