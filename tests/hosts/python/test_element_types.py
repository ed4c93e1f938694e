"""All element types: common types, operators on all bytes, reductions, casts, stores. NumPy is the oracle."""

import numpy as np
import pytest

import pyraptor
from conftest import some
from sweep_oracle import NUMPY_1, Interpreted, Sweep, outcome, wrong

pytestmark = pytest.mark.skipif(NUMPY_1, reason="NumPy 1 promotes numbers by their values")

INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NEW = ("int8", "int16", "uint8", "uint16", "uint32", "uint64")
TYPES = ("bool", *INTS, "float16", "float32", "float64", "complex64", "complex128")
ARITHMETIC = ("+", "-", "*", "/")
BITS = ("&", "|", "^")
COMPARE = ("<", "<=", ">", ">=", "==", "!=")


def edges(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        numbers = {0, 1, 2, 3, 7, 10, 100, info.max, info.max - 1, info.max // 2, info.max // 2 + 1, info.min, info.min + 1, -1, -2, -7}
        return np.array(sorted(v for v in numbers if info.min <= v <= info.max), dtype)
    reals = np.array([0.0, 1.0, -1.0, 2.5, -3.0, 100.0], dtype)
    return reals * (1 + 2j) if dtype.kind == "c" else reals


def pairs(da, db):
    """All pairs of bytes, and the limits of wider types, as two arrays of one shape."""
    a, b = (np.arange(256, dtype="uint8").view(d) if np.dtype(d).itemsize == 1 and d != "bool" else edges(d) for d in (da, db))
    if len(a) != 256 or len(b) != 256:
        a, b = edges(da), edges(db)
    return np.repeat(a, len(b)), np.tile(b, len(a))


def not_zero(a, b):
    return a[b != 0], b[b != 0]


def every(sweep, da, db, op, *, arguments="a, b", text=None):
    f = sweep.function(arguments, text or f"a {op} b")
    a, b = pairs(da, db)
    if op in ("//", "%"):
        a, b = not_zero(a, b)
    if op == "**":
        keep = (b >= 0) if np.dtype(db).kind in "iu" else np.ones(len(b), bool)
        a, b = a[keep], b[keep]
    sweep.compare(f, f"{da} {op} {db}", a, b)
    # The same pairs as NumPy scalars.
    k = len(a) // 3
    sweep.compare(f, f"{da} {op} number of {db}", a, b[k])
    sweep.compare(f, f"numbers of {da} {op} {db}", a[k], b[k])


@pytest.mark.parametrize("da", TYPES)
def test_operators_of_all_pairs(da):
    sweep = Sweep()
    with Interpreted():
        for db in TYPES:
            for op in (*ARITHMETIC, *COMPARE):
                every(sweep, da, db, op)
            if "complex" not in da + db:
                for op in ("//", "%"):
                    every(sweep, da, db, op)
            if not {"f", "c"} & {np.dtype(da).kind, np.dtype(db).kind}:
                for op in BITS:
                    every(sweep, da, db, op)
    print(sweep.refused)
    sweep.check()


SHIFTS = (0, 1, 3, 7, 8, 15, 16, 31)


@pytest.mark.parametrize("d", INTS)
def test_shifts_powers_and_one_operand(d):
    sweep = Sweep()
    a = pairs(d, "bool")[0]
    b = np.resize(np.array([0, 1, 2, 3, 5, 7], d), a.shape)
    bits = 8 * np.dtype(d).itemsize
    with Interpreted():
        for text in ("-a", "~a", "+a", "abs(a)", "np.abs(a)", "a ** 2", "a ** 3", "a ** 0", "a * a", "np.sign(a)", "np.square(a)", "a.conj()",
                     "np.floor(a)", "np.round(a)", "np.isnan(a)", "np.logical_not(a)", "a ** 0.5", "a + 0.5", "a + 1j",
                     "a * True", "a == True"):
            f = sweep.function("a", text)
            sweep.compare(f, f"{text} of {d}", a)
            sweep.compare(f, f"{text} of {d} number", a[-1])
            sweep.compare(f, f"{text} of {d} number", a[0])
        for k in SHIFTS:
            if k < bits:
                for op in ("<<", ">>"):
                    f = sweep.function("a", f"a {op} {k}")
                    sweep.compare(f, f"{op} {k} of {d}", a)
                    sweep.compare(f, f"{op} {k} of {d} number", a[1])
        for k in (bits, bits + 1, 100):
            for op in ("<<", ">>"):
                f = sweep.function("a", f"a {op} {k}")
                sweep.compare(f, f"{op} {k} of {d}", a)
                sweep.compare(f, f"{op} {k} of {d} number", a[0])
        sweep.compare(sweep.function("a, b", "a ** b"), f"power of {d}", a, b)
        for op in ("<<", ">>"):
            f = sweep.function("a, b", f"a {op} b")
            for x in (a[0], a[1], a[-1]):
                for y in (0, 1, 7):
                    sweep.compare(f, f"{op} numbers of {d}", x, np.dtype(d).type(y))
    assert all("uint64" in k for k in sweep.refused), sweep.refused
    sweep.check()


@pytest.mark.parametrize("d", INTS)
def test_python_numbers(d):
    """Python numbers take the array's type, and must fit into it; in comparisons they are not converted."""
    sweep = Sweep()
    a = edges(d)
    info = np.iinfo(d)
    numbers = [0, 1, 3, -1, -2, 100, 127, 128, -128, -129, 255, 256, -200, 40000, -40000, 70000, 2**31 - 1, 2**31, -2**31, 2**40, -2**40, 2**63 - 1, -2**63]
    fitting = [k for k in numbers if info.min <= k <= info.max]
    variables = {op: (sweep.function("a, k", f"a {op} k"), sweep.function("k, a", f"k {op} a"))
                 for op in (*COMPARE, "+", "-", "*", "//", "%", "&", "|", "^", "/")}
    def both(sweep, op, k):
        f, g = variables[op]
        sweep.compare(f, f"{d} {op} int", a, k)
        sweep.compare(f, f"number of {d} {op} int", a[0], k)
        sweep.compare(g, f"int {op} {d}", k, a[a != 0] if op in ("//", "%") else a)
        if k == -2**63:
            return  # as source text, the negation of a number that does not fit
        h = sweep.function("a", f"a {op} {k}")
        sweep.compare(h, f"{d} {op} {k}", a)
        sweep.compare(h, f"number of {d} {op} {k}", a[-1])
    with Interpreted():
        for op in COMPARE:
            for k in numbers:
                both(sweep, op, k)
        for op in ("+", "-", "*", "//", "%", "&", "|", "^", "/"):
            for k in fitting:
                if k or op not in ("//", "%", "/"):
                    both(sweep, op, k)
        for f in ("np.minimum(a, k)", "np.maximum(k, a)", "np.where(a > 3, k, a)", "np.where(a > 3, a, 7)", "np.clip(a, 1, k)",
                  "np.clip(a, k, 100)", "min(a[0], k)", "max(a[-1], k)", "np.result_type(a, k) == a.dtype"):
            g = sweep.function("a, k", f)
            for k in fitting:
                sweep.compare(g, f"{f} of {d}", a, k)
        g = sweep.function("a, k", "np.clip(a, 1, k)")
        for k in numbers:
            sweep.compare(g, f"np.clip(a, 1, {k}) of {d}", a, k)
    assert not sweep.refused, sweep.refused
    sweep.check()


@pytest.mark.parametrize("d", NEW)
@pytest.mark.parametrize("op", ["+", "*", "&", "|", "//", "%"])
def test_python_numbers_that_do_not_fit(d, op, make):
    """OverflowError, as in NumPy, for constants, variables, stores and np.uint8(k)."""
    info = np.iinfo(d)
    a = np.ones(3, d)
    for k in {info.max + 1, info.min - 1, -1 if info.min == 0 else info.min - 2, 10 * info.max}:
        if not -(1 << 63) <= k < 1 << 63:
            continue
        for arguments, text, args in (("a, k", f"a {op} k", (a, k)), ("a, k", f"k {op} a", (a, k)), ("a", f"a {op} {k}", (a, )),
                                      ("a, k", f"a[0] {op} k", (a, k)), ("a", f"a {op} ({k})", (a[0], )),
                                      ("a, k", f"a[1] = k\nreturn a", (a.copy(), k)), ("a", f"a[:] = {k}\nreturn a", (a.copy(), )),
                                      ("a, k", f"a[:2] = k\nreturn a", (a.copy(), k)), ("a, k", f"a[a > 0] = k\nreturn a", (a.copy(), k)),
                                      ("a, k", f"a {op}= k\nreturn a", (a.copy(), k)), ("a, k", f"a[1] {op}= k\nreturn a", (a.copy(), k)),
                                      ("k", f"np.{d}(k)", (k, )), ("k", f"np.full(3, k, np.{d})", (k, )),
                                      ("", f"np.{d}({k})", ())):
            f = pyraptor.jit(make(arguments, text))
            wanted, error = outcome(f.__wrapped__, args)
            got, fault = outcome(f, args)
            assert isinstance(error, OverflowError) and isinstance(fault, OverflowError), (text, args, wanted, error, got, fault)
            assert d in str(fault)


@pytest.mark.parametrize("d", NEW)
def test_reductions(d):
    sweep = Sweep()
    rng = np.random.default_rng(5)
    info = np.iinfo(d)
    grid = rng.integers(info.min, info.max, (7, 9), dtype=d, endpoint=True)
    grid[0, 0], grid[6, 8] = info.min, info.max
    few = rng.integers(max(info.min, -3), 4, (5, 6), dtype=d)
    for name in ("sum", "prod", "min", "max", "argmin", "argmax", "mean", "any", "all", "cumsum", "cumprod", "var", "std", "ptp"):
        for axis in (None, 0, 1):
            f = sweep.function("a", f"np.{name}(a, axis={axis})")
            for a in (grid, few, np.asfortranarray(grid), grid[::2, ::-1]):
                if a is few or name not in ("var", "std", "mean") or "64" not in d:
                    sweep.compare(f, f"np.{name} axis {axis} of {d}", a)
    for text in ("a.sum(dtype=a.dtype)", "np.sum(a, dtype=np.int16)", "np.sum(a, dtype=np.float32)", "np.cumsum(a, axis=1, dtype=np.uint8)",
                 "a.sum(axis=1, keepdims=True)", "np.count_nonzero(a)", "np.trace(a)", "sum(a[0])", "max(a[1])", "min(a[:, 2])",
                 "np.sort(a, axis=1)", "np.argsort(a[0], kind='stable')", "np.diff(a)", "a @ a.T", "np.dot(a[0], a[1])", "np.nonzero(a)",
                 "np.outer(a[0], a[1])", "np.sort(a[0])", "np.flatnonzero(a)", "np.histogram(a, 4, (0, 100))", "np.searchsorted(np.sort(a[0]), a[1])",
                 "np.unique(a)", "np.median(a)", "a.mean(dtype=np.float32)", "np.linalg.norm(a.astype(np.float64))", "np.average(a)"):
        f = sweep.function("a", text)
        for a in (few, grid):
            if not (a is grid and any(w in text for w in ("@", "float", "norm"))):
                sweep.compare(f, f"{text} of {d}", a)
    f = sweep.function("a", "np.bincount(a, minlength=5)")
    sweep.compare(f, f"np.bincount of {d}", np.abs(few[0]))
    assert not sweep.refused, sweep.refused
    sweep.check()


@pytest.mark.parametrize("d", NEW)
def test_casts(d):
    sweep = Sweep()
    for e in TYPES:
        f, g = sweep.function("a", f"a.astype(np.{e})"), sweep.function("x", f"np.{e}(x)")
        h = sweep.function("a", f"a.astype(np.{d})")
        for v in (edges(d), ):
            sweep.compare(f, f"{d} to {e}", v)
            sweep.compare(g, f"number of {d} to {e}", v[0])
            sweep.compare(g, f"number of {d} to {e}", v[-1])
        from_e = edges(e) if np.dtype(e).kind not in "fc" else edges(e)[[0, 1, 3]]
        sweep.compare(h, f"{e} to {d}", from_e)
        sweep.compare(sweep.function("n", f"np.zeros((n, 2), np.{d})"), f"zeros of {d}", 3)
        sweep.compare(sweep.function("n", f"np.ones(n, '{d}')"), f"ones of {d}", 3)
        sweep.compare(sweep.function("n", f"np.arange(n, dtype=np.{d})"), f"arange of {d}", 12)
        sweep.compare(sweep.function("n", f"np.eye(n, dtype=np.{d})"), f"eye of {d}", 3)
        sweep.compare(sweep.function("a", f"np.zeros_like(a) + np.full_like(a, 3)"), f"like {d}", edges(d))
        sweep.compare(sweep.function("a", f"np.array([a[0], a[1]], np.{d})"), f"array of {d}", edges(d))
    sweep.compare(sweep.function("x", "int(x), float(x), bool(x), complex(x), round(x), -x"), f"Python's of {d}", edges(d)[2])
    assert not sweep.refused, sweep.refused
    sweep.check()


@pytest.mark.parametrize("d", INTS)
@pytest.mark.parametrize("e", ["float32", "float64"])
def test_floats_outside(d, e, make):
    """Where NumPy's own result is undefined: the nearest integer, and 0 for NaN; the same in loops, stores and whole-array operations."""
    info = np.iinfo(d)
    x = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 3.99, -0.99, 300.5, -300.5, 70000.0, -70000.0], e)
    wanted = np.array([0 if v != v else info.max if v >= info.max else info.min if v <= info.min else int(v) for v in x.tolist()], d)
    cast = pyraptor.jit(make("x", f"x.astype(np.{d})"))
    loop = pyraptor.jit(make("x", f"out = np.empty(x.shape[0], np.{d})\nfor i in range(x.shape[0]):\n    out[i] = x[i]\nreturn out"))
    whole = pyraptor.jit(make("x", f"out = np.empty(x.shape[0], np.{d})\nout[:] = x\nreturn out"))
    numbers = pyraptor.jit(make("x", f"out = np.empty(x.shape[0], np.{d})\nfor i in range(x.shape[0]):\n    out[i] = np.{d}(x[i])\nreturn out"))
    for f in (cast, loop, whole, numbers):
        got = f(x)
        assert got.dtype == d and np.array_equal(got, wanted), (wanted, got)


@pytest.mark.parametrize("d", NEW)
def test_subscripts(d):
    sweep = Sweep()
    a = np.arange(60).astype(d).reshape(6, 10)
    texts = ("a[2, 3]", "a[-1]", "a[::2, 1:-1]", "a[a > 20]", "a[[1, 3]]", "a.T[3]", "a[:, ::-1]", "a.ravel()", "a.reshape(10, 6)",
             "np.concatenate((a, a))", "np.stack((a[0], a[1]))", "np.roll(a[0], 2)", "a.copy()", "np.where(a > 20)", "a[1:3] + a[2:4]",
             "np.repeat(a[0], 2)", "np.tile(a[0], 2)", "a[None, 2]", "a.T @ a", "np.pad", "a.max(axis=0) - a[0]", "a.nbytes", "a.itemsize",
 "a.dtype == np." + d, "a == a.T.T", "(a > 3) & (a < 20)", "np.array_equal(a, a)", "50 in a", "a.real", "a.item(3)")
    for text in texts:
        for b in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
            if text != "np.pad":
                sweep.compare(sweep.function("a", text), f"{text} of {d}", b)
    # Used as subscripts, also negative ones.
    x, k = np.arange(50.0), np.array([0, 3, 49] if np.dtype(d).kind == "u" else [0, -3, 49], d)
    for text in ("x[k]", "x[k[1]]", "x[k[0]:k[2]]", "[x[i] for i in (0, 1)]", "np.take", "x[k[1] + 1]", "x[abs(k[1])]"):
        if text not in ("np.take", "[x[i] for i in (0, 1)]"):
            sweep.compare(sweep.function("x, k", text), f"{text} by {d}", x, k)
    sweep.compare(sweep.function("x, k", "x[k] = 0.5\nx[k[1]] += 1\nreturn x"), f"stores by {d}", x.copy(), k)
    sweep.compare(sweep.function("x, k", "x[k[1]]"), f"outside by {d}", x[:2], k)
    assert not sweep.refused, sweep.refused
    sweep.check()
    if np.dtype(d).kind == "i":
        assert sweep.function("x, k", "x[abs(k)]")(np.arange(200.0), np.int8(-128)) == 72.0  # abs(int8(-128)) is -128


@pytest.mark.parametrize("da", INTS)
def test_stores_in_place(da, make):
    """Stores convert; += keeps the array's type, and is refused where NumPy raises."""
    sweep = Sweep()
    for db in TYPES:
        a, b = (np.resize(edges(d), 12) for d in (da, db))
        if np.dtype(db).kind in "fc":
            b = np.abs(b) % 7 if np.dtype(db).kind == "f" else b
        for op in ("+", "-", "*", "&", "//"):
            if op == "&" and np.dtype(db).kind in "fc" or op == "//" and np.dtype(db).kind == "c":
                continue
            for text in some((f"a {op}= b\nreturn a", f"a[2:] {op}= b[2:]\nreturn a", f"np.{NAMES[op]}(a, b, out=a)\nreturn a"), 1, da, db, op):
                f = sweep.function("a, b", text)
                args = a.copy(), np.where(b == 0, np.ones(1, db), b)
                wanted, error = outcome(f.__wrapped__, tuple(x.copy() for x in args))
                got, fault = outcome(f, args)
                if isinstance(error, TypeError):
                    assert isinstance(fault, (TypeError, pyraptor.UnsupportedError)), (text, da, db, got)
                    assert da in str(fault) or "does not exist" in str(fault) or "not go" in str(fault), str(fault)
                else:
                    assert error is None and fault is None, (text, da, db, error, fault)
                    assert not wrong(wanted, got), (text, da, db, wanted, got)
        if np.dtype(db).kind != "c":
            for text in ("a[:] = b\nreturn a", "a[1] = b[1]\nreturn a", "for i in range(len(a)):\n    a[i] = b[i]\nreturn a",
                         "a[a > 1] = b[1]\nreturn a", "a[::2] = b[1::2]\nreturn a"):
                sweep.compare(sweep.function("a, b", text), f"{text} {da} {db}", a.copy(), b)
    assert not sweep.refused, sweep.refused
    sweep.check()


NAMES = {"+": "add", "-": "subtract", "*": "multiply", "&": "bitwise_and", "//": "floor_divide"}


@pytest.mark.parametrize("d", NEW)
def test_loops(d):
    """Numbers read from arrays wrap at the type's width, as NumPy scalars do; Python ints do not."""
    sweep = Sweep()
    info = np.iinfo(d)
    a = np.random.default_rng(3).integers(info.min, info.max, (6, 8), dtype=d, endpoint=True)
    programs = {
        "wraps": "out = np.empty_like(a)\nfor i in range(a.shape[0]):\n    for j in range(a.shape[1] - 1):\n"
                 "        out[i, j] = a[i, j] + a[i, j + 1] * a[i, 0]\n    out[i, -1] = a[i, 0]\nreturn out",
        "sum of numbers": "s = 0\nfor v in a[0]:\n    s += v\nreturn s",
        "sum of ints": "s = 0\nfor v in a[0]:\n    s += int(v) % 1000\nreturn s",
        "sum in float": "s = 0.0\nfor i in range(a.shape[0]):\n    s += a[i, 0] / 2\nreturn s",
        "largest": "best = a[0, 0]\nat = 0\nfor i in range(a.shape[0]):\n    if a[i, 0] > best:\n        best = a[i, 0]\n        at = i\nreturn best, at",
        "differences": "out = np.zeros(a.shape, np.int64)\nfor i in range(1, a.shape[0]):\n    for j in range(a.shape[1]):\n"
                       "        out[i, j] = np.int64(a[i, j]) - np.int64(a[i - 1, j])\nreturn out",
        "one more": "for i in range(a.shape[0]):\n    a[i, 1] += 1\n    a[i, 2] -= a[i, 3]\n    a[i, 4] *= 3\n    a[i, 5] //= 2\n    a[i, 6] ^= a[i, 7]\nreturn a",
        "while": "x = a[0, 0]\nn = 0\nwhile x != 0 and n < 100:\n    x = x // 2\n    n += 1\nreturn x, n",
        "ternary": "out = np.empty_like(a)\nfor i in range(a.shape[0]):\n    for j in range(a.shape[1]):\n"
                   "        out[i, j] = 1 if a[i, j] > 3 else a[i, j]\nreturn out",
        "enumerate": "s = 0\nfor i, (x, y) in enumerate(zip(a[0], a[1])):\n    if x < y:\n        s += i\nreturn s",
        "negative": "out = np.empty_like(a[0])\nfor j in range(a.shape[1]):\n    out[j] = -a[0, j] + ~a[1, j]\nreturn out",
        "type": "x = a[0, 0]\nreturn x, x + 1, x * x, x & 3, x > 2, -x, x % 5 if x != 0 else x",
        "parallel": "out = np.empty_like(a)\nfor i in pyraptor.prange(a.shape[0]):\n    for j in range(a.shape[1]):\n"
                    "        out[i, j] = a[i, j] // 2 + a[i, 0] // 2\nreturn out",
        "parallel sum": "s = 0\nfor i in pyraptor.prange(a.shape[0]):\n    s += int(a[i, 0]) % 1000\nreturn s",
        "parallel sum that wraps": "s = np." + d + "(0)\nfor i in pyraptor.prange(a.shape[0]):\n    s += a[i, 0]\nreturn s",
        "grid": "out = np.empty_like(a)\nfor i, j in pyraptor.PAR(pyraptor.Domain(a.shape[0], a.shape[1])):\n    out[i, j] = a[i, j] + a[0, j]\nreturn out",
        "on the device": "out = np.empty_like(a)\nwith pyraptor.gpu():\n    for i, j in pyraptor.PAR(pyraptor.Domain(a.shape[0], a.shape[1])):\n"
                         "        out[i, j] = a[i, j] + a[0, j] * 3\nreturn out",
        "updates": "h = np.zeros(4, a.dtype)\nfor i in pyraptor.prange(a.shape[0]):\n    h[i % 4] += a[i, 0]\nreturn h",
        "counts": "h = np.zeros(8, a.dtype)\nfor i in pyraptor.prange(a.shape[0]):\n    for j in range(a.shape[1]):\n        h[int(a[i, j]) & 7] += 1\nreturn h",
    }
    for name, text in programs.items():
        f = sweep.function("a", text, PAR=pyraptor.PAR)
        # An int of compiled code is an int64.
        sweep.compare(f, f"{name} of {d}", a >> 1 if d == "uint64" and "int(" in text else a.copy())
    narrow = np.dtype(d).itemsize < 4
    assert set(sweep.refused) == ({f"updates of {d}", f"counts of {d}"} if narrow else set()), sweep.refused
    assert all(f"of {d}[:]" in reason for reason in sweep.refused.values())
    sweep.check()


def called(a: pyraptor.u8[:, :], k: pyraptor.u8) -> pyraptor.u8:
    s: pyraptor.u16 = 0
    for i in range(a.shape[0]):
        s += a[i, 0]
    return pyraptor_helper(a[0, 0], k) if s > 300 else k


def pyraptor_helper(x, k):
    return x + k


def test_annotations():
    f = pyraptor.jit(called)
    a = np.full((3, 2), 200, np.uint8)
    assert f(a, 7) == 207 and type(f(a, np.uint8(7))) is np.uint8
    assert f(a, 100) == 44
    with pytest.raises(TypeError, match=r"must be uint8\[:, :\]"):
        f(a.astype(np.int64), 7)
    with pytest.raises((OverflowError, TypeError)):
        f(a, 300)
    assert [repr(t) for t in (pyraptor.i8, pyraptor.i16, pyraptor.u8, pyraptor.u16, pyraptor.u32, pyraptor.u64)] == list(NEW)


@pytest.mark.parametrize("value, name", [
    (np.zeros(3, np.longdouble), "longdouble|float128"),
    (np.zeros(3, "M8[s]"), "datetime64"), (np.zeros(3, [("a", "u1"), ("b", "f4")]), "a: uint8"), (np.zeros(3, "S3"), "S3")])
def test_other_types_are_refused_by_name(value, name):
    with pytest.raises(pyraptor.UnsupportedError, match=name):
        pyraptor.jit(pyraptor_helper)(value, 1)


def test_functions_of_bytes_give_float16(make):
    a = np.arange(200, dtype=np.uint8)
    for text in ("np.sqrt(a)", "np.arctan2(a, a)", "np.rint(a)", "a.astype(np.float16)", "np.zeros(3, np.float16)"):
        f = make("a", text)
        got, want = pyraptor.jit(f)(a), f(a)
        assert got.dtype == want.dtype == np.float16 and np.array_equal(got, want), text


def test_functions_of_floats():
    sweep = Sweep()
    for d in ("int16", "uint16", "uint32", "uint64"):
        for text in ("np.sqrt(a)", "np.exp(a / 7)", "np.sin(a)", "np.arctan2(a, a + 1)", "np.hypot(a, 3)", "np.arctan2(a, 1.0)", "np.rint(a)",
                     "np.fabs(a)", "np.deg2rad(a)", "np.log1p(a)", "np.arctan2(a, a.astype(np.int8))", "np.hypot(a, np.float32(2))"):
            f = sweep.function("a", text)
            a = np.array([0, 1, 5, 10, 100], d)
            sweep.compare(f, f"{text} of {d}", a)
            sweep.compare(f, f"{text} of {d} number", a[2])
    for text in ("math.sqrt(x)", "math.floor(x)", "float(x) ** 0.5", "x ** 0.5", "divmod(x, x)", "pow(x, 2)", "abs(x)", "isinstance(x, np.uint8)"):
        import math
        sweep.compare(sweep.function("x", text, math=math), text, np.uint8(200))
    assert {k for k in sweep.refused} <= {"np.hypot(a, np.float32(2)) of uint64"}, sweep.refused
    sweep.check()


def test_big_endian_and_odd_addresses():
    """Such arguments are copied, as for the other types."""
    f = Sweep().function("a", "(a + a).sum(), a[1], a.max()")
    a = np.array([1, 300, 65535], ">u2")
    wanted, got = f.__wrapped__(a.astype("u2")), f(a)
    assert wanted == got and got[1].dtype == np.uint16
    odd = np.frombuffer(bytearray(9), np.uint8)[1:].view(np.uint32)
    odd[:] = 7, 2**32 - 1
    assert f(odd) == f.__wrapped__(odd)


def sparse_product(rows, columns, values, x):
    y = np.empty(rows.size - 1, values.dtype)
    for i in range(rows.size - 1):
        k = columns[rows[i]:rows[i + 1]]
        y[i] = values[rows[i]:rows[i + 1]] @ x[k]
    return y


def crc16(data, poly=0x8408):
    crc = 0xFFFF
    for b in data:
        byte = 0xFF & b
        for _ in range(8):
            if (crc & 1) ^ (byte & 1):
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            byte >>= 1
    crc = ~crc & 0xFFFF
    return ((crc << 8) | ((crc >> 8) & 0xFF)) & 0xFFFF


@pytest.mark.parametrize("d", NEW)
def test_sparse_matrices_with_such_pointers(d):
    dense = np.random.default_rng(8).random((9, 9))
    dense[dense < 0.6] = 0
    rows = np.concatenate(([0], (dense != 0).sum(axis=1).cumsum())).astype(d)
    args = rows, np.nonzero(dense)[1].astype(d), dense[dense != 0], np.arange(9.0)
    assert np.allclose(pyraptor.jit(sparse_product)(*args), dense @ np.arange(9.0))


def test_check_sum():
    data = np.random.default_rng(9).integers(0, 256, 100, dtype=np.uint8)
    assert pyraptor.jit(crc16)(data) == crc16(data.tolist())


def shifts_by_constants(a, out):
    for i in range(a.shape[0]):
        out[i, 0] = a[i] >> 1
        out[i, 1] = a[i] >> 5
        out[i, 2] = (a[i] >> 3) & 7


@pytest.mark.parametrize("dtype", INTS)
def test_constant_shifts_to_the_right_keep_the_sign(dtype):
    a = np.concatenate([edges(dtype), np.array([-1, -2, -31, -32, -33, 31, 32, 33]).astype(dtype)])
    out = np.zeros((a.size, 3), dtype)
    pyraptor.jit(shifts_by_constants)(a, out)
    np.testing.assert_array_equal(out, np.stack([a >> 1, a >> 5, a >> 3 & 7], 1))
    made = pyraptor.jit(lambda a: a >> 4)(a)
    np.testing.assert_array_equal(made, a >> 4)
    assert made.dtype == (a >> 4).dtype
