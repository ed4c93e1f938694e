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
    ("a", "np.heaviside(a, a > 2), np.logaddexp(a, a > 2)", U, F),
)
def test_kinds(arguments, text, call):
    run(arguments, text, call)


@pytest.mark.parametrize("text, value", [
    ("np.quantile(a, 0.5)", B), ("np.percentile(a, 50)", B), 
    ("np.array_repr(a)", np.array(2.5)), ("np.array_str(a)", np.array(2.5)), ("np.all(a, np.array([0]))", np.array(2.5)), ("np.copy(a, np.array([0]))", np.array(2.5)),
])
def test_refused(text, value):
    assert refusal("a", text, value)
