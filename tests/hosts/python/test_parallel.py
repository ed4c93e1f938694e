"""Parallel loops, sections, domains: also as plain Python."""
import os
import subprocess
import sys

import numpy as np
import pytest

import pyraptor
from pyraptor import PAR, Domain, PyArray, PyFloat64, PyRaptorModule, gpu, gpu_begin, gpu_end, jit, prange

OPT_LEVEL = 2


def stencil(a, b):
    m, n = a.shape
    for i, j in PAR(Domain(m, n), shared=[a, b]):
        b[i, j] = (a[i, j] + a[i - 1, j] + a[(i + 1) % m, j] + a[i, (j + 1) % n] + a[i, j - 1]) / 5


def test_par(check):
    check(stencil, np.random.default_rng(0).random((17, 23)), np.zeros((17, 23)))
    check(stencil, np.random.default_rng(0).random((17, 23)), np.zeros((17, 23)), parallel=False)


def sums(x):
    s, p, k = 0.0, 1.0, 0
    for i in prange(len(x)):
        s += x[i]
        p *= 1 + x[i] / 1000
        k -= i
    return s, p, k


def test_reductions(check):
    for n in (0, 1, 5, 1000):
        check(sums, np.random.default_rng(1).random(n), rtol=1e-9, types=n > 0)


def greatest(x):
    m = -1.0
    for i in prange(len(x)):
        m = max(m, x[i])
    return m


def both_ends(x):
    low = high = x[0]
    count = 0
    for i in prange(len(x)):
        if x[i] < low:
            low = x[i]
        if high < 2 * x[i]:
            high = 2 * x[i]
        count += 1
    return low, high, count


def least_whole_number(x):
    m = 5
    for i in prange(len(x)):
        m = min(m, int(x[i]))
    return m


def not_a_number_stays(x):
    m = np.nan
    for i in prange(len(x)):
        m = max(m, x[i])
    return m


@pytest.mark.parametrize("on", [{"parallel": False}, {}, {"gpu": True}], ids=["one thread", "threads", "device"])
@pytest.mark.parametrize("function", [greatest, both_ends, least_whole_number, not_a_number_stays])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_greatest_and_the_least(check, function, on):
    for dtype in (np.float64, np.float32, np.uint8):
        for n in (1, 65, 1000):
            x = (np.random.default_rng(n).normal(size=n) * 100).astype(dtype)
            check(function, x, types=False, **on)
            if dtype in (np.float64, np.float32) and function is not least_whole_number:
                x[n // 2] = np.nan
                check(function, x, types=False, **on)
    if function is not both_ends:
        check(function, np.zeros(0), types=False, **on)


def other_way_round(x):
    m = 0.0
    for i in prange(len(x)):
        m = max(x[i], m)  # after a NaN, the next number becomes the maximum
    return m


def another_number(x):
    m = 0.0
    for i in prange(len(x)):
        if x[i] > m:
            m = x[i] + 1
    return m


def read_on_the_way(x):
    m = 0.0
    for i in prange(len(x)):
        m = max(m, x[i])
        x[i] = m
    return m


def mixed(x):
    m = 0.0
    for i in prange(len(x)):
        m = max(m, x[i])
        m += 1
    return m


@pytest.mark.parametrize("function", [other_way_round, another_number, read_on_the_way, mixed])
def test_a_result_that_is_not_an_extremum_is_refused(function):
    with pytest.raises(pyraptor.UnsupportedError, match="carries a value from one iteration to the next"):
        jit(function)(np.ones(5))


def steps(n):
    out = np.zeros(n)
    for i in prange(1, n, 3):
        t = i * 2.0
        for k in range(3):
            t += k
        out[i] = t
    return out


def test_private_variables(check):
    check(steps, 20)


def carried(x):
    last = 0.0
    for i in prange(len(x)):
        x[i] = last
        last = x[i] + 1
    return x


def escaping(x):
    t = 0.0
    for i in prange(len(x)):
        t = x[i]
    return t


def carried_through_an_inner_loop(x):
    t = 0.0
    for i in prange(len(x)):
        for j in range(3):
            t += j
        x[i] = t
    return x


def carried_in_a_branch(x):
    k = 0
    for i in prange(len(x)):
        if x[i] > 0:
            k = i
        x[i] = k
    return x


def carried_over_continue(x):
    k = 0
    for i in prange(len(x)):
        for j in range(2):
            if j == 1:
                continue
            x[i] = k
            k = j + 1
    return x


@pytest.mark.parametrize("f", [carried, escaping, carried_through_an_inner_loop, carried_in_a_branch, carried_over_continue])
def test_loops_that_are_not_parallel_are_refused(f):
    with pytest.raises(pyraptor.UnsupportedError):
        jit(f)(np.zeros(4))


def with_gpu(x):
    y = np.zeros_like(x)
    with gpu():
        for i in prange(x.shape[0]):
            y[i] = x[i] * 2
    gpu_begin()
    for i in prange(x.shape[0]):
        y[i] += 1
    gpu_end()
    return y


def test_sections(check):
    check(with_gpu, np.arange(50.0, dtype=np.float32))


def launches(f, *args, told=()):
    """The number of kernels that a call launches on the OpenCL device."""
    before = pyraptor.device_use()
    f(*args)
    after = pyraptor.device_use()
    if not f.report()[-1].get("device"):
        pytest.skip("no OpenCL device")
    lines = f.report()[-1]["not_where_asked"]
    assert len(lines) == len(told) and all(part in line for part, line in zip(told, lines)), lines
    assert after["sections"] > before["sections"]
    return after["launches"] - before["launches"]


def in_rounds(x, rounds, early):
    y = np.zeros_like(x)
    if early:
        return y, 0.0
    for k in range(rounds):
        for i in prange(len(x)):
            y[i] += x[i] * k
    with gpu():
        for i in PAR(Domain(len(x))):
            y[i] += 1
    total = 0.0
    for i in prange(len(x)):
        total += y[i]
    return y, total


def test_sections_run_on_the_device():
    assert launches(jit(with_gpu), np.arange(50.0, dtype=np.float32)) == 2


def test_a_whole_function_on_the_device(check):
    f = jit(in_rounds, gpu=True)
    check(f, np.arange(40.0), 3, False)
    check(f, np.arange(40.0), 3, True, types=False)
    # Three iterations, the marked loop, the sum's kernels; allocations and copies may also be kernels.
    assert launches(f, np.arange(40.0), 3, False) >= 5
    marked = jit(in_rounds)
    check(marked, np.arange(40.0), 3, False)
    assert launches(marked, np.arange(40.0), 3, False) == 1


def sorted_rows(x):
    for i in prange(x.shape[0]):
        x[i] = np.sort(x[i])
    return x


def test_loops_that_cannot_run_on_the_device_are_refused(check):
    check(jit(sorted_rows), np.random.default_rng(3).random((5, 4)))
    with pytest.raises(pyraptor.UnsupportedError, match="allocates") as caught:
        jit(sorted_rows, gpu=True)(np.ones((2, 2)))
    assert caught.value.filename == __file__ and "np.sort" in str(caught.value)
    with pytest.warns(pyraptor.PyRaptorWarning):
        jit(sorted_rows, gpu=True, fallback=True)(np.ones((2, 2)))


def test_the_thesis_module():
    m = PyRaptorModule("stencil")

    @m.compile
    def periodic(A: PyArray(PyFloat64(), 2, "RowMajor"), B: PyArray(PyFloat64(), 2, "RowMajor")):
        m, n = A.shape
        gpu_begin()
        for i, j in PAR(Domain(m, n), shared=[A, B]):
            B[i, j] = (A[i, j] + A[i - 1, j] + A[(i + 1) % m, j]) / 3
        gpu_end()

    m.compile()
    a = np.random.default_rng(0).random((6, 7))
    b, c = np.zeros_like(a), np.zeros_like(a)
    periodic(a, b)
    periodic.__wrapped__(a, c)
    np.testing.assert_allclose(b, c)
    with pytest.raises(TypeError):
        periodic(a.astype(np.float32), b)
    with pytest.raises(TypeError):
        periodic(np.asfortranarray(a), b)
    with pytest.raises(TypeError):
        m.compile(lambda x: x)


def test_plain_python():
    assert list(Domain(2, range(1, 3))) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert list(PAR(3)) == [0, 1, 2] and list(prange(2)) == [0, 1]
    with gpu():
        gpu_begin()
        gpu_end()


def test_a_fault_in_a_parallel_loop():
    @jit
    def f(x, k):
        for i in prange(100):
            x[k] = i

    with pytest.raises(IndexError, match="out of bounds for axis 0 of 'x'"):
        f(np.zeros(4), 9)


def counts(x, m):
    n = 0
    for i in prange(len(x)):
        for j in range(m):
            if x[i] > j:
                n += 1
    return n


def test_sums_in_inner_loops(check):
    check(counts, np.arange(10.0), 4)


def own_in_each_iteration(x):
    for i in prange(len(x)):
        t = 0.0
        for j in range(i):
            t += j
        k = i
        while k > 3:
            k -= 2
            t += k
        x[i] = t
    return x


def test_a_variable_that_each_iteration_sets_first_is_private(check):
    check(own_in_each_iteration, np.zeros(9))


def test_arrays_stay_on_the_device(tmp_path):
    # A separate process: whether a device works in place is decided when its engine is made.
    program = """
import numpy as np
from pyraptor import device_use, gpu, jit, on_device, prange
@jit(gpu=True)
def step(u, v, c):
    for i in prange(1, len(u) - 1):
        v[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1])
def run(u, v, look=lambda a, **k: a):
    for k in range(10):
        step(u, v, 0.25)
        step(v, u, 0.25)
    look(u, write=True)[0] = 7.0
    step(u, v, 0.25)
a, b, u, v = (np.zeros(1000) for _ in range(4))
a[500] = u[500] = 1.0
run(a, b)
before = device_use()
with on_device(u, v) as device:
    run(u, v, device.look)
after = device_use()
assert (u == a).all() and (v == b).all()
if step.report()[0]["device"]:
    # u there once, once more after it was changed, and the ends of v, which no kernel stores; what kernels stored is back for the look
    # and at the end.
    assert after["bytes_up"] - before["bytes_up"] == 2 * 8000 + 2 * 8, (before, after)
    assert after["bytes_down"] - before["bytes_down"] == 2 * 998 * 8, (before, after)
    for wrong in (u[::2], 3.0):
        try:
            with on_device(wrong):
                assert False
        except (TypeError, ValueError):
            pass
"""
    file = tmp_path / "program.py"
    file.write_text(program)
    subprocess.run([sys.executable, str(file)], check=True, env={**os.environ, "VR_ZERO_COPY": "0"})


@pytest.mark.parametrize("on", [{"parallel": False}, {}, {"gpu": True}], ids=["one thread", "threads", "device"])
def test_parallel_sums_of_float32_are_rounded_once(on):
    def of_squares(a):
        s = np.float32(0)
        for i in prange(len(a)):
            s += a[i] * a[i]
        return s

    def of_complex(a):
        s = a[0] - a[0]
        for i in prange(len(a)):
            s -= a[i]
        return s

    def product(a):
        p = np.float32(1)
        for i in prange(len(a)):
            p *= a[i]
        return p

    rng = np.random.default_rng(1)
    a = rng.random(1_000_000, dtype=np.float32) + np.float32(0.5)
    c = (a + 1j * a[::-1]).astype(np.complex64)
    near_one = (1 + (a - 1) * np.float32(1e-3)).astype(np.float32)
    for f, x, wanted in ((of_squares, a, np.sum(np.square(a.astype(np.float64)))),
                         (of_complex, c, -np.sum(c.astype(np.complex128))),
                         (product, near_one, np.prod(near_one.astype(np.float64)))):
        result = jit(f, **on)(x)
        assert result.dtype == x.dtype
        # Squares of elements are rounded to float32, as written; the sum is rounded once more.
        assert abs(result - wanted) <= 1e-7 * abs(wanted), (f.__name__, result, wanted)


def on_device_that_copies(tmp_path, program):
    file = tmp_path / "program.py"
    file.write_text("import numpy as np\nfrom pyraptor import gpu, jit, prange\n" + program)
    subprocess.run([sys.executable, str(file)], check=True, env={**os.environ, "VR_ZERO_COPY": "0"})


def test_the_inside_of_a_block_is_copied_once(tmp_path):
    """Rows of planes: the copy fills the gaps between rows, and the next launches need the same rows."""
    on_device_that_copies(tmp_path, """
from pyraptor import device_use
@jit(gpu=True)
def run(old, new, n):
    for t in range(n):
        for i in prange(4, old.shape[0] - 4):
            for j in prange(4, old.shape[1] - 4):
                for k in prange(4, old.shape[2] - 4):
                    new[i, j, k] = 2 * old[i, j, k] - new[i, j, k]
old, new = np.ones((40, 40, 64), np.float32), np.zeros((40, 40, 64), np.float32)
run(old, new, 1)
before = device_use()
run(old, new, 10)
after = device_use()
if run.report()[0]["device"]:
    assert after["bytes_up"] - before["bytes_up"] <= 2 * old.nbytes, (before, after)
assert (new[4:-4, 4:-4, 4:-4] == 2).all() and new.sum() == 2 * 32 * 32 * 56
""")


def test_a_return_sees_what_kernels_have_stored(tmp_path):
    on_device_that_copies(tmp_path, """
@jit(gpu=True)
def total(a, b):
    for i in prange(len(a)):
        b[i] = a[i] * 2
    return b.sum(), b[3], b[2:5], b + 1, b.max(), sorted_last(b)
@jit
def sorted_last(b):
    return np.sort(b)[-1]
a = np.arange(10000.0)
s, e, part, more, m, last = total(a, np.zeros(10000))
assert s == 2 * a.sum() and e == 6 and (part == [4, 6, 8]).all() and (more == 2 * a + 1).all() and m == last == 19998
""")


def test_stores_of_kernels_before_a_fault_are_kept(tmp_path):
    on_device_that_copies(tmp_path, """
@jit(gpu=True)
def of_the_host(a, b, k):
    for i in prange(len(a)):
        b[i] = a[i] * 2
    b[0] = b[k]
@jit(gpu=True)
def of_a_kernel(a, b, k):
    for i in prange(len(a)):
        b[i] = a[i] * 2
    for i in prange(len(a)):
        a[i + k] = 1
for f in (of_the_host, of_a_kernel):
    a, b = np.arange(1000.0), np.zeros(1000)
    try:
        f(a, b, 5000)
    except IndexError:
        pass
    else:
        assert False
    assert (b == 2 * np.arange(1000.0)).all(), f
""")


def first_greatest(x):
    m, k = -1.0, -1
    for i in prange(len(x)):
        if x[i] > m:
            m = x[i]
            k = i
    return m, k


def first_least_backwards(x):
    m, k = np.inf, -1
    for i in prange(len(x) - 1, -1, -1):
        if m > x[i]:
            k = i
            m = x[i]
    return m, k


def place_in_rows(a):
    m, r, c = -np.inf, -1, -1
    n = 0
    for i, j in PAR(Domain(a.shape[0], a.shape[1])):
        n += 1
        if a[i, j] > m:
            m = a[i, j]
            r = i
            c = j
    return m, r, c, n


def column_of_the_least(a):
    m, c = np.inf, -1
    for i, j in PAR(Domain(range(1, a.shape[0]), a.shape[1])):
        if a[i, j] < m:
            m = a[i, j]
            c = j
    return m, c


def sums_over_two_dimensions(a):
    s, p = 0.0, 1.0
    for i, j in PAR(Domain(a.shape[0], range(0, a.shape[1], 2))):
        s += a[i, j]
        p *= 1.001
    return s, p


def truths(x):
    found, every, odd = False, True, False
    for i in prange(len(x)):
        found = found or x[i] > 50
        every = every and x[i] > -1e9
        odd ^= x[i] > 0
    return found, every, odd


def bits(x):
    some, all_, odd = 0, -1, 0
    for i in prange(len(x)):
        some |= int(x[i])
        all_ &= int(x[i]) | 4
        odd ^= int(x[i])
    return some, all_, odd


def marks(x):
    found, code = False, 7
    for i in prange(len(x)):
        if x[i] > 90:
            found = True
        if x[i] < -90:
            code = 3
    return found, code


ON = pytest.mark.parametrize("on", [{"parallel": False}, {}, {"gpu": True}], ids=["one thread", "threads", "device"])


@ON
@pytest.mark.parametrize("function", [first_greatest, first_least_backwards, truths, bits, marks])
def test_places_and_truth_values(check, function, on):
    for n in (0, 1, 65, 1000):
        x = np.round(np.random.default_rng(n).normal(size=n) * 40)  # many are equal
        check(function, x, types=False, **on)
        if n and function is not bits:
            x[n // 2] = np.nan
            check(function, x, types=False, **on)


@ON
@pytest.mark.parametrize("function", [place_in_rows, column_of_the_least, sums_over_two_dimensions])
def test_reductions_over_two_dimensions(check, function, on):
    for shape in ((0, 5), (4, 0), (1, 1), (7, 9), (40, 33)):
        check(function, np.round(np.random.default_rng(5).normal(size=shape) * 3), types=False, **on)


def not_the_loops_number(x):
    m, k = 0.0, 0
    for i in prange(len(x)):
        if x[i] > m:
            m = x[i]
            k = i + 1
    return k


def another_place(x):
    m, k = 0.0, 0
    for i in prange(len(x)):
        if x[i] > m:
            m = x[i]
            k = i
        if x[i] > 2 * m:
            k = i
    return k


def two_constants(x):
    k = 0
    for i in prange(len(x)):
        if x[i] > 1:
            k = 1
        else:
            k = 2
    return k


@pytest.mark.parametrize("function", [not_the_loops_number, another_place, two_constants])
def test_an_expression_that_cannot_be_stored_to_is_refused(function):
    with pytest.raises(pyraptor.UnsupportedError):
        jit(function)(np.ones(5))


def place_without_a_value(x):
    m = 0.0
    for i in prange(len(x)):
        if x[i] > m:
            m = x[i]
            k = i
    return k


def test_a_place_needs_a_value_before_the_loop():
    with pytest.raises(pyraptor.UnsupportedError, match="no value if no iteration assigns it"):
        jit(place_without_a_value)(np.ones(5))


@pytest.mark.parametrize("function", [first_greatest, sums, truths, marks])
def test_reductions_are_one_wide_kernel(function):
    """One kernel for the loop, with more work-items than the CPU has blocks, and at most two for each variable's array of partial results."""
    f = jit(function, gpu=True)
    assert launches(f, np.ones(100000)) >= 2
    text = f.inspect("vrir")
    assert str(1 << 18) in text, text
