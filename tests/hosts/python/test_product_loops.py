"""Loops that compute matrix products become calls of gemm if sums may be reassociated: same results up to rounding, same final values of
variables."""
import itertools
import linecache

import numpy as np
import pytest

import pyraptor

SIZES = {"i": 21, "j": 26, "k": 23}
UPDATE = "c[{c}] {op}= a[{a}] * b[{b}]"


def compiled(text, **options):
    names, filename = {}, f"<product {len(linecache.cache)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec"), names)
    return pyraptor.jit(names["f"], **options), names["f"]


def nest(order, lines, first="0", loops=("n", "m", "l")):
    """Three loops in the given order, with the lines as body; the variables' final values are results, too."""
    counts = dict(zip("ijk", loops))
    text = "def f(a, b, c, n, m, l):\n  i = j = k = -7\n  x = -1.5\n"
    depth = "  "
    for v in order:
        text += f"{depth}for {v} in range({first}, {counts[v]}):\n"
        depth += "  "
    for line in lines:
        text += depth + line + "\n"
    return text + "  return i, j, k, x\n"


def check(text, a, b, c, **options):
    fast, plain = compiled(text, fastmath=True, **options)
    n, m, l = SIZES["i"], SIZES["j"], SIZES["k"]
    share = [np.shares_memory(c, a), np.shares_memory(c, b)]
    def copies():
        """Copies with the same strides; arrays that share memory are slices of one copy."""
        if any(share):
            base = c.base.copy()
            again = [x if not np.shares_memory(x, c) else
                     np.ndarray(x.shape, x.dtype, base, x.__array_interface__["data"][0] - c.base.__array_interface__["data"][0], x.strides)
                     for x in (a, b, c)]
            return again
        def copy(x):
            if x.base is None:
                return x.copy(order="K")
            return np.ndarray(x.shape, x.dtype, x.base.copy(),
                              x.__array_interface__["data"][0] - x.base.__array_interface__["data"][0], x.strides)
        return [copy(x) for x in (a, b, c)]
    expected, got = copies(), copies()
    want = plain(*expected, n, m, l)
    have = fast(*got, n, m, l)
    np.testing.assert_allclose(got[2], expected[2], rtol=2e-4 if c.dtype == np.float32 else 1e-10, atol=1e-9)
    assert have[:3] == want[:3]
    np.testing.assert_allclose(have[3], want[3], rtol=2e-4 if c.dtype == np.float32 else 1e-10)


def random(shape, dtype=float, seed=0):
    return np.random.default_rng(seed).random(shape).astype(dtype)


@pytest.mark.parametrize("order", list(itertools.permutations("ijk")), ids="".join)
@pytest.mark.parametrize("transposed", ["", "a", "b", "c", "ab", "abc"])
@pytest.mark.parametrize("op", "+-")
def test_updates(order, transposed, op):
    subscripts = {"a": "i, k", "b": "k, j", "c": "i, j"}
    shape = {"a": (21, 23), "b": (23, 26), "c": (21, 26)}
    for name in transposed:
        subscripts[name] = ", ".join(reversed(subscripts[name].split(", ")))
        shape[name] = shape[name][::-1]
    text = nest(order, [UPDATE.format(op=op, **subscripts)])
    check(text, random(shape["a"]), random(shape["b"], seed=1), random(shape["c"], seed=2))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("start", ["0.0", "c[i, j]"])
@pytest.mark.parametrize("op", "+-")
def test_sums(dtype, start, op):
    text = f"""def f(a, b, c, n, m, l):
  i = j = k = -7
  x = c[0, 0] * 2
  for i in range(n):
    for j in range(m):
      x = {start}
      for k in range(l):
        x {op}= a[i, k] * b[k, j]
      c[i, j] = x
  return i, j, k, x
"""
    check(text, random((21, 23), dtype), random((23, 26), dtype, 1), random((21, 26), dtype, 2))


ROWS = """def f(a, b, c, n, m, l):
  i = j = k = -7
  x = -1.5
  for i in range(n):
    for j in range({zeros}):
      c[i, j] = 0.0
    for k in range(l):
      x = a[i, k]
      for j in range(m):
        c[i, j] += x * b[k, j]
  return i, j, k, x
"""


@pytest.mark.parametrize("zeros", ["m", "m - 1", "1"])
def test_rows_that_begin_with_zeros(zeros):
    check(ROWS.format(zeros=zeros), random((21, 23)), random((23, 26), seed=1), random((21, 26), seed=2))


def test_zeros_for_each_term_are_no_product():
    # Only the last term remains.
    text = nest("ikj", ["c[i, j] = 0.0", UPDATE.format(op="+", a="i, k", b="k, j", c="i, j")])
    check(text, random((21, 23)), random((23, 26), seed=1), random((21, 26), seed=2))


@pytest.mark.parametrize("update", [
    "c[i, j] += a[i, k] * b[k, k]", "c[i, j] += a[i, i] * b[k, j]", "c[i, j] += a[i, k] + b[k, j]",
    "c[i, j] = c[i, j] * 0.5 + a[i, k] * b[k, j]", "c[i, j] += c[i, j] * b[k, j]", "c[i, j] += a[i, k] * c[k % 21, j]",
    "c[i, k] += a[i, k] * b[k, j]", "c[0, j] += a[i, k] * b[k, j]", "c[i, j] += a[i, k] * b[k, j]; x = c[i, j]",
    "x += a[i, k] * b[k, j]; c[i, j] = x", "c[i, j] = a[i, k] * b[k, j]", "c[i, j] += a[i, k] * a[i, k]",
    "c[i, j] += a[i, k] * b[j, j % 3]", "c[i, j] = a[i, k] * b[k, j] - c[i, j]"])
def test_other_updates_are_no_product(update):
    check(nest("ijk", [update]), random((21, 23)) * 0.1, random((26, 26), seed=1), random((21, 26), seed=2))


def test_parts_of_matrices():
    base = [random((60, 70), seed=s) for s in range(3)]
    text = nest("ijk", [UPDATE.format(op="+", a="i + 3, 2 * k + 1", b="k, j + n", c="2 * i, j")])
    check(text, base[0], base[1], base[2])
    check(text, base[0][:, ::-1], base[1][5:, 3:], base[2])
    check(text, base[0].T, base[1].T, base[2].T)
    check(text, base[0], base[1], base[2][::-1])
    check(text, base[0], base[1], base[2][::-1, ::-1])


def test_loops_that_begin_later():
    check(nest("ijk", [UPDATE.format(op="+", a="i - 2, k", b="k, j", c="i, j")], first="2", loops=("n", "m", "l")),
          random((30, 30)), random((30, 30), seed=1), random((30, 30), seed=2))


@pytest.mark.parametrize("loops", [("0", "m", "l"), ("n", "0", "l"), ("n", "m", "0"), ("1", "m", "1")])
def test_loops_without_iterations(loops):
    check(nest("ijk", [UPDATE.format(op="+", a="i, k", b="k, j", c="i, j")], loops=loops),
          random((30, 30)), random((30, 30), seed=1), random((30, 30), seed=2))


@pytest.mark.parametrize("offset", [0, 1, 13, 26, 500, 700, 1300])
@pytest.mark.parametrize("of", "ab")
def test_arrays_that_overlap(offset, of):
    memory = random(4000)
    memory *= 0.01
    c = np.ndarray((21, 26), float, memory, 700 * 8, (26 * 8, 8))
    other = np.ndarray((21, 23) if of == "a" else (23, 26), float, memory, offset * 8, (23 * 8, 8) if of == "a" else (26 * 8, 8))
    third = random((23, 26) if of == "a" else (21, 23), seed=1)
    check(nest("ijk", [UPDATE.format(op="+", a="i, k", b="k, j", c="i, j")]), *((other, third) if of == "a" else (third, other)), c)


@pytest.mark.parametrize("strides", [(8, 8), (8 * 13, 8), (0, 8), (8 * 26, 0), (8 * 26, 16), (16, 8 * 60)])
def test_rows_of_the_result_that_overlap(strides):
    c = np.ndarray((21, 26), float, random(3000, seed=2), 0, strides)
    check(nest("kij", [UPDATE.format(op="+", a="i, k", b="k, j", c="i, j")]), random((21, 23)) * 0.1, random((23, 26), seed=1) * 0.1, c)


def test_out_of_bounds_raises_at_the_same_element():
    text = nest("ijk", [UPDATE.format(op="+", a="i, k", b="k, j", c="i, j")])
    fast, plain = compiled(text, fastmath=True)
    for short in range(3):
        arrays = [random((21, 23)), random((23, 26), seed=1), random((21, 26), seed=2)]
        arrays[short] = arrays[short][:, :-1]
        expected, got = arrays[2].copy(), arrays[2].copy()
        with pytest.raises(IndexError):
            plain(arrays[0], arrays[1], expected, 21, 26, 23)
        with pytest.raises(IndexError):
            fast(arrays[0], arrays[1], got, 21, 26, 23)
        np.testing.assert_allclose(got, expected)


def test_read_only_result_raises():
    text = nest("ijk", [UPDATE.format(op="+", a="i, k", b="k, j", c="i, j")])
    fast, _ = compiled(text, fastmath=True)
    c = random((21, 26))
    before = c.copy()
    c.flags.writeable = False
    with pytest.raises(ValueError):
        fast(random((21, 23)), random((23, 26)), c, 21, 26, 23)
    assert (c == before).all()
