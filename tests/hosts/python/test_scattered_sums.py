"""Histograms and sums by bins in accelerated sections. ctest sets VR_KERNEL_LOCAL, without which work-groups on CPU devices have no copies."""
import numpy as np
import pytest

from conftest import compare, function
from pyraptor import PAR, Domain, jit, prange

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(7)


def count(k, n):
    h = np.zeros(n, np.int64)
    for i in prange(len(k)):
        h[k[i]] += 1
    return h


def count_narrow(k, n):
    h = np.zeros(n, np.uint32)
    for i in prange(len(k)):
        h[k[i]] -= 3
    return h


def by_values(k, n):
    h = np.full(n, 5)
    for i in prange(len(k)):
        h[k[i] // 2] += k[i]
    return h


def of_rows(k, n):
    h = np.zeros((n, 2), np.int32)
    for i, j in PAR(Domain(len(k), 3)):
        if (k[i] + j) % 3 != 0:
            h[k[i], j % 2] += 1
    return h


def two_at_once(k, n):
    h = np.zeros(n, np.int64)
    g = np.zeros(4, np.int32)
    for i in prange(len(k)):
        h[k[i]] += 1
        for j in range(3):
            g[(k[i] + j) % 4] += j
    return h, g


def in_every_second(k, n):
    h = np.zeros(2 * n, np.int64)
    part = h[::2]
    for i in prange(len(k)):
        part[k[i]] += 1
    return h


def row_by_row(k, n):
    h = np.zeros((5, n), np.int32)
    for i in prange(len(k)):
        for t in range(h.shape[0]):
            h[t, k[i] * t % n] += t + 1
    return h


def rows_backwards(k, n):
    h = np.zeros((6, n, 2), np.int64)
    back = h[:, ::-1]
    for i, c, t in PAR(Domain(len(k), 2, 6)):
        back[t, k[i], c] -= 1
    return h


FUNCTIONS = [count, count_narrow, by_values, of_rows, two_at_once, in_every_second, row_by_row, rows_backwards]


@pytest.mark.parametrize("on", [{"parallel": False}, {}, {"gpu": True}], ids=["one thread", "threads", "device"])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_counts_are_exact(f, on):
    compiled = jit(f, **on)
    for bins, n in ((1, 0), (7, 1), (7, 1000), (300, 20000), (5000, 20000)):  # 5000 of 8 bytes do not fit
        compare(compiled, RNG.integers(0, bins, n), bins, types=False)
    compare(compiled, np.full(3000, 2), 4, types=False)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_kernels_have_copies(f):
    compiled = jit(f, gpu=True)
    compiled(RNG.integers(0, 9, 100), 9)
    if not compiled.report()[-1].get("device"):
        pytest.skip("no OpenCL device")
    text = compiled.inspect("opencl")
    assert "_private(" in text and "vr_local_" in text
    assert compiled.report()[-1]["not_where_asked"] == []


def test_faults_are_those_of_the_loop():
    compiled = jit(count, gpu=True)
    k = np.ones(5000, np.int64)
    k[4000] = 9
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0"):
        compiled(k, 5)


def floats(k, w, n):
    h = np.zeros(n, np.float32)
    for i in prange(len(k)):
        h[k[i]] += w[i]
    return h


@pytest.mark.parametrize("fast", [False, True])
def test_copies_of_floats_where_fastmath_allows(fast):
    compiled = jit(floats, gpu=True, fastmath=fast)
    k = RNG.integers(0, 10, 3000)
    w = np.round(RNG.random(3000) * 8).astype(np.float32)
    np.testing.assert_array_equal(compiled(k, w, 10), np.bincount(k, w, 10).astype(np.float32))
    if compiled.report()[-1].get("device"):
        assert ("_private(" in compiled.inspect("opencl")) == fast


CALLS = ["np.bincount(k)", "np.bincount(k, minlength=40)", "np.bincount(k, w)", "np.bincount(k, w, 7)", "np.histogram(w, 6)[0]", "np.histogram(w, 6)[1]",
         "np.histogram(w, 5, (0.2, 0.7))[0]", "np.histogram(w, np.array([0.1, 0.2, 0.9]))[0]", "np.histogram(w, 4, weights=w)[0]",
         "np.histogram(w, np.array([0.1, 0.2, 0.9]), weights=k % 2)[0]", "np.histogram(w, 4, density=True)[0]"]


@pytest.mark.parametrize("text", CALLS)
def test_functions(text):
    f = function("k, w", text)
    for n, dtype in ((1, np.int64), (3000, np.int64), (700, np.uint8)):
        k, w = RNG.integers(0, 33, n).astype(dtype), RNG.random(n)
        compare(f, k, w, gpu=True, rtol=1e-9)
    if "bincount(k, w" not in text:  # NumPy gives int64 there
        compare(f, np.zeros(0, np.int64), np.zeros(0), gpu=True)


@pytest.mark.parametrize("text", CALLS)
def test_functions_run_on_the_device(text):
    f = jit(function("k, w", text), gpu=True)
    f(RNG.integers(0, 33, 500), RNG.random(500))
    if not f.report()[-1].get("device"):
        pytest.skip("no OpenCL device")
    assert f.report()[-1]["not_where_asked"] == []


@pytest.mark.parametrize("text, k, w", [("np.bincount(k)", np.array([1, -1]), np.ones(2)), ("np.bincount(k, w)", np.array([1, 2, 3]), np.ones(2)),
                                        ("np.histogram(w, 0)", np.array([1]), np.ones(2)), ("np.histogram(w, 3, weights=k)", np.array([1]), np.ones(2)),
                                        ("np.histogram(w, np.array([1.0, 0.0]))", np.array([1]), np.ones(2)),
                                        ("np.histogram(w)", np.array([1]), np.array([1.0, np.nan]))])
def test_errors(text, k, w):
    assert isinstance(compare(function("k, w", text), k, w, gpu=True), ValueError)


def test_sums_do_not_depend_on_the_device():
    k, w = RNG.integers(0, 5, 40000), RNG.random(40000)
    f = jit(function("k, w", "np.bincount(k, w)"), gpu=True)
    first = f(k, w)
    for _ in range(3):
        np.testing.assert_array_equal(f(k, w), first)
    if f.report()[-1].get("device"):
        wanted = np.zeros(5)
        for b in range(5):
            part = w[k == b]
            for at in range(0, len(part), 256):
                s = 0.0
                for x in part[at:at + 256]:
                    s += x
                wanted[b] += s
        np.testing.assert_array_equal(first, wanted)


def test_cumulative_sums_of_short_integers_run_on_the_device():
    f = jit(function("x", "np.cumsum(x, dtype=np.int32)"), gpu=True)
    x = RNG.integers(-2**31, 2**31 - 1, 5000, np.int32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(f(x), np.cumsum(x, dtype=np.int32))
    assert f(x).dtype == np.int32
    if f.report()[-1].get("device"):
        assert f.report()[-1]["not_where_asked"] == []
