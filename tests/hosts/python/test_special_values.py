"""Every elementwise function, operator and reduction for all element types at special values. NumPy is the oracle, bit for bit where there is one
right result (judge.py). Infinities, NaN, zeros of both signs, subnormals, extreme integers; arrays, NumPy scalars and Python numbers; arrays of no
elements and of one; axes, keepdims, dtype."""
import cmath
import math

import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1
from sweep_oracle import COMPLEX, DTYPES, FLOATS, INF, NAN, Interpreted, Sweep, values

PYTHON = [True, False, 0, 1, -1, 3, -7, 2**62, 0.0, -0.0, 1.5, -2.5, INF, -INF, NAN, 1e308, 5e-324, 0j, 1 + 2j, complex(-0.0, -0.0)]
UNARY = """np.sqrt(x) np.exp(x) np.expm1(x) np.log(x) np.log2(x) np.log10(x) np.log1p(x) np.sin(x) np.cos(x) np.tan(x) np.arcsin(x)
    np.arccos(x) np.arctan(x) np.sinh(x) np.cosh(x) np.tanh(x) np.exp2(x) np.abs(x) np.fabs(x) np.floor(x) np.ceil(x) np.trunc(x)
    np.rint(x) np.round(x) np.round(x,1) np.sign(x) np.conj(x) np.real(x) np.imag(x) np.angle(x) np.square(x) np.reciprocal(x)
    np.deg2rad(x) np.rad2deg(x) np.isnan(x) np.isinf(x) np.isfinite(x) np.negative(x) np.positive(x) np.invert(x)
    np.logical_not(x) -x +x ~x abs(x) x.real x.imag x**2 x**0.5 x**3 x**0 x*2 x*2.0 x*1j x/2 x/0 x/0.0 1/x
    1.0/x x//2 x//-3 x%3 x%-3 x%0.7 7//x -7%x x<<2 x>>2 x&6 x|1 x^3 x==x x!=x x<1 x>=0.5 np.float32(1.5)*x
    np.float64(0.1)+x np.int64(-2)//x np.where(x,1,0) np.where(x!=0,x,2.5) np.isclose(x,1.0) np.logical_and(x,1)
    np.logical_xor(x,True) np.bool_(x) np.float32(x) np.complex64(x) np.hypot(x,3) np.arctan2(x,-1) np.arctan2(x,0) np.fmod(x,3)
    np.fmod(x,-2.5) np.power(x,3) x+True np.clip(x,0.5,1.5) np.fix(x)""".split()
#: Signs of zeros for which NumPy is not consistent (its loops and its scalars differ), or that depend on how a complex product is computed.
LOOSE_ZEROS = {"np.clip(x,0.5,1.5)", "np.reciprocal(x)", "np.sign(x)", "np.exp2(x)", "np.log1p(x)", "x**3", "np.power(x,3)", "x**2", "x**0.5",
               "np.tan(x)", "np.tanh(x)", "np.maximum(a, b)", "np.minimum(a, b)", "a ** b"}
BINARY = ["a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** b", "a << b", "a >> b", "a & b", "a | b", "a ^ b", "a < b", "a <= b",
          "a > b", "a >= b", "a == b", "a != b", "np.maximum(a, b)", "np.minimum(a, b)", "np.fmod(a, b)", "np.arctan2(a, b)",
          "np.hypot(a, b)", "np.logical_and(a, b)", "np.logical_xor(a, b)", "np.where(a != b, a, b)", "np.isclose(a, b)", "divmod(a, b)"]
SHAPES = [(0,), (1,), (7,), (3, 4), (0, 3), (3, 0), (1, 1), (2, 3, 4), (2, 0, 2)]
AXES = [None, 0, -1, 1, (0, 1), (0, 2)]


@pytest.fixture(autouse=True)
def promotion():
    """Compiled code has NumPy 2's result types under NumPy 1 too; NumPy 1 can be told to use them."""
    if not hasattr(np, "_set_promotion_state"):
        yield
        return
    before = np._get_promotion_state()
    np._set_promotion_state("weak")
    yield
    np._set_promotion_state(before)


def fits(x, text):
    """Excludes Python integers such as 2**(2**62), which would need all memory."""
    return not (type(x) is int and abs(x) > 100 and ("**" in text or "<<" in text or "power" in text))


def tame(text, x):
    """Excludes arguments for which NumPy's own complex formulas have useless results: infinite powers, and quotients by numbers whose inverse
    overflows (docs/python.md)."""
    if NUMPY_1 and x.dtype.kind != "c" and text == "np.isclose(a, b)":
        return x[np.isfinite(x)]  # NumPy 1 multiplies by 1 + 0j first where the other one is complex
    if x.dtype.kind != "c":
        return x
    if NUMPY_1 and text in ("np.isclose(a, b)", "np.isclose(x,1.0)", "np.arcsin(x)"):
        return x[np.isfinite(x)]
    if "**" in text or "power" in text:
        return x[np.isfinite(x)]
    return x


def normal(x, text):
    """Excludes subnormal numbers, whose inverse NumPy's complex division takes; for powers only finite and small numbers."""
    size = np.abs(x.astype(complex))
    x = x[~((size > 0) & (size < 1e-37)) & ~(NUMPY_1 & ("**" in text) & (size == 0))]  # NumPy 1: 0 to complex powers is NaN
    return x if "**" not in text else x[np.isfinite(x) & (np.abs(x.astype(complex)) < 1e4)]


@pytest.mark.parametrize("text", UNARY)
def test_one_argument(text):
    s = Sweep()
    loose = dict(zeros=text not in LOOSE_ZEROS)
    if text == "np.log1p(x)":
        loose["tol"] = 1e-3  # NumPy's complex log1p cancels
    with Interpreted():
        f = s.function("x", text)
        for d in DTYPES:
            v = tame(text, values(d))
            how = dict(loose)
            if how.get("tol") and d not in COMPLEX:
                how.pop("tol")
            s.compare(f, f"{text} [{d}]", v, **how)
            for e in v[::1 if len(v) < 40 else 7]:
                s.compare(f, f"{text} [np.{d}]", e, **how)
        for e in PYTHON:
            if fits(e, text):
                s.compare(f, f"{text} [{type(e).__name__}]", e, **{k: v for k, v in loose.items() if k == "zeros" or type(e) is complex})
    s.check()


@pytest.mark.parametrize("text", BINARY)
def test_two_arguments(text):
    s, loose = Sweep(), dict(zeros=text not in LOOSE_ZEROS)
    with Interpreted():
        f = s.function("a, b", text)
        for k, d in enumerate(DTYPES):
            v = tame(text, values(d, True))
            for e in DTYPES:
                w = tame(text, values(e, True))
                if text in ("a / b", "a ** b") and (d in COMPLEX or e in COMPLEX):
                    v, w = normal(v, text), normal(w, text)
                s.compare(f, f"{text} [{d}[], {e}[]]", np.repeat(v, len(w)), np.tile(w, len(v)), **loose)
                s.compare(f, f"{text} [{d}[:,], {e}[]]", np.ascontiguousarray(v[:, None]), w, **loose)
                for y in w[k % 4::4]:
                    s.compare(f, f"{text} [{d}[], np.{e}]", v, y, **loose)
                    s.compare(f, f"{text} [np.{e}, {d}[]]", y, v, **loose)
                for x in v[::4]:
                    for y in w[k % 3::5]:
                        s.compare(f, f"{text} [np.{d}, np.{e}]", x, y, **loose)
            for y in PYTHON:
                if text in ("a / b", "a * b", "a ** b") and y == 5e-324 or text == "a ** b" and (isinstance(y, complex) or d in COMPLEX and y in (2**62, INF, -INF, 1e308)):
                    continue
                if NUMPY_1 and ("**" in text and not y and d in COMPLEX or text == "np.isclose(a, b)" and not abs(y) < 1e30):
                    continue
                if d == "int32" and y == 2**62 and (NUMPY_1 or text not in ("a / b", "a < b", "a == b")):
                    continue  # NumPy raises OverflowError; compiled code wraps
                s.compare(f, f"{text} [{d}[], {type(y).__name__}]", values(d) if text != "a ** b" else v, y, **loose)
                if fits(y, text):
                    s.compare(f, f"{text} [{type(y).__name__}, {d}[]]", y, v, **loose)
                for x in v[::4]:
                    s.compare(f, f"{text} [np.{d}, {type(y).__name__}]", x, y, **loose)
        for x in PYTHON:
            for y in PYTHON:
                if fits(y, text) and not ("**" in text and (complex in (type(x), type(y)) or 5e-324 in (x, y))):
                    s.compare(f, f"{text} [{type(x).__name__}, {type(y).__name__}]", x, y, **loose)
    s.check()


REDUCED = ["np.sum", "np.prod", "np.mean", "np.min", "np.max", "np.any", "np.all", "np.argmin", "np.argmax", "np.cumsum", "np.cumprod", "np.var",
           "np.std", "np.ptp", "np.sort", "np.count_nonzero", "np.linalg.norm"]
KEEPS = {"np.sum", "np.prod", "np.mean", "np.min", "np.max", "np.any", "np.all", "np.var", "np.std"}
TYPED = {"np.sum", "np.prod", "np.mean", "np.cumsum", "np.cumprod", "np.var", "np.std"}


@pytest.mark.parametrize("name", REDUCED)
def test_reductions(name):
    s, rng = Sweep(), np.random.default_rng(1)
    with Interpreted():
        for axis in AXES:
            for keep in ("", ", keepdims=True") if name in KEEPS else ("", ):
                for dtype in [""] + ([f", dtype=np.{d}" for d in ("float32", "float64", "int32", "int64", "bool_", "complex64")]
                                     if name in TYPED and axis in (None, 0) and not keep else []):
                    text = f"{name}(a{'' if axis is None else f', axis={axis}'}{keep}{dtype})"
                    f = s.function("a", text)
                    for d in DTYPES:
                        for shape in SHAPES:
                            highest = max(axis) if isinstance(axis, tuple) else abs(axis or 0)
                            if axis is not None and highest >= len(shape):
                                continue
                            one(s, f, text, name, d, shape, dtype, rng)
    s.check()


def one(s, f, text, name, d, shape, dtype, rng):
    v = values(d)
    tame_ = v[np.isfinite(v) & (np.abs(v.astype(complex)) < 1e6)]
    for source in (v, tame_):
        a = source[rng.integers(0, len(source), math.prod(shape))].reshape(shape)
        if dtype and source is v and (d not in FLOATS or "int" in dtype or "bool" in dtype or "complex" in dtype):
            continue  # NaN has no integer value; sums of large integers in floats depend on the order
        if source is v and d in FLOATS + COMPLEX and name in ("np.sum", "np.mean", "np.cumsum", "np.var", "np.std", "np.linalg.norm", "np.prod", "np.cumprod",
                                                              "np.ptp"):
            # The order of operations determines where sums overflow, so only infinities and NaN are large.
            a = np.where(np.isfinite(a) & (np.abs(a.astype(complex)) > 1e6), 1, a).astype(d)
            if d in COMPLEX and ("prod" in name or name in ("np.var", "np.std", "np.mean")):
                continue  # products and quotients of infinite complex numbers depend on how they are written
            a = np.where(np.abs(a) < 1e-30, 0, a).astype(d)
        if "prod" in name and d in FLOATS + COMPLEX:
            a = np.where(np.abs(a) < 1e-5, 0, a).astype(d)  # intermediate underflow depends on the order
        if name in ("np.var", "np.std") and "float32" in dtype and d == "float64":
            a = np.round(a * 4) / 4  # NumPy rounds the mean of these to float32 first
        single = d in ("float32", "complex64") or "float32" in dtype or "complex64" in dtype
        s.compare(f, f"{text} [{d}{shape}]", a, zeros=False, tol=1e-4 if single else 1e-11, scale=max(1, a.size) * (1e3 if "var" in name or "std" in name else 1))


def test_constants_that_integers_do_not_hold():
    """They raise when they are converted, not at compile time."""
    names = dict(nan=np.float64("nan"), inf=np.float64("inf"), big=-1e300, fits=np.float64(7.5), limit=2.0 ** 63, math=math)
    rule = ("y = np.zeros(2, np.{d})\ny[0] = {v}\nreturn y", "y = np.zeros(2, np.{d})\ny[:] = {v}\nreturn y", "np.array([1, {v}], dtype=np.{d})")
    s = Sweep()
    for v in ("nan", "inf", "big", "fits", "limit", "2**40", "-2**31", "-2**31 - 1"):
        bodies = [r.format(d=d, v=v) for r in rule for d in ("int64", "int32", "float32")] + [
            f"np.int64({v}) if x[0] > 9 else np.int64(3)", f"np.full(2, {v}, np.float64)"]
        bodies += [f"int({v})", f"round({v})", f"math.floor({v})", f"math.trunc({v})"] if v != "big" and v != "limit" else []
        for body in bodies:
            if NUMPY_1 and ("int32" in body or "round" in body):
                continue  # NumPy 1 wraps round int32
            f = s.function("x", body if "return" in body else f"return {body}", **names)
            s.compare(f, body, np.ones(2))
    # Conversions of arrays raise nothing: NumPy's result depends on the machine, compiled code saturates.
    f = s.function("x", "return x.astype(np.int64), x.astype(np.int32), np.int64(x[0]), np.full(2, nan, np.int64)", **names)
    a, b, c, d = f(np.array([NAN, INF, -1e300, 3e9, -1.5]))
    assert a.tolist() == [0, 2 ** 63 - 1, -2 ** 63, 3 * 10 ** 9, -1] and b.tolist() == [0, 2 ** 31 - 1, -2 ** 31, 2 ** 31 - 1, -1]
    assert c == 0 and d.tolist() == [0, 0]
    s.check()
    for x in (1, 1.5):
        f = s.function("x", "return isinstance(x, (float, 'no type'))")
        s.compare(f, "isinstance", x)
    s.check()


def test_types_of_functions_of_numbers():
    """NumPy functions return NumPy scalars, with the types that arrays of Python numbers have."""
    s, numbers = Sweep(), (2, 2.5, True, 1 + 2j, np.float32(1.5), np.int32(3), np.float64(0.5), np.True_)
    for text in ("np.any(x)", "np.all(x)", "np.sum(x)", "np.abs(x)", "np.square(x)", "np.real(x)", "np.sqrt(x)"):
        f = s.function("x", text)
        for x in numbers:
            if not (type(x) in (bool, np.bool_) and "np.s" in text):
                s.compare(f, text, x)
    for text in ("np.inner(x, y)", "np.dot(x, y)", "np.allclose(x, y)", "np.multiply(x, y)", "np.maximum(x, y)", "np.equal(x, y)"):
        f = s.function("x, y", text)
        for x in numbers:
            for y in numbers:
                s.compare(f, text, x, y)
    f = s.function("x", "np.arange(x)")
    for x in (True, 2, 2.5):
        s.compare(f, "np.arange", x)
    s.check()


def test_zeros_of_sums():
    """Sums of -0.0: 0.0 for a number, NumPy's result for arrays; partial sums start with the first element."""
    s = Sweep()
    for text in ("np.sum(x)", "np.mean(x)", "np.average(x)", "np.cumsum(x)", "np.sum(x, axis=0)", "np.cumsum(x, axis=0)"):
        f = s.function("x", text)
        for d in FLOATS + COMPLEX:
            zero = -np.zeros(3, d) if d in FLOATS else np.full(3, complex(-0.0, -0.0), d)
            for x in (zero, zero[:1], zero[:0], np.array([zero, zero]), *([] if "axis" in text else [zero[0]])):
                s.compare(f, f"{text} [{d}]", x)
        if "axis" not in text and "cumsum" not in text:
            s.compare(f, text, -0.0)
    s.check()


def test_math_and_cmath():
    s = Sweep()
    xs = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 100.0, INF, -INF, NAN, 5e-324, -1e-310, 0, 1, -3, True]
    grid = [complex(x, y) for x in (0.0, -0.0, 1.0, -1.0, INF, -INF, NAN) for y in (0.0, -0.0, 1.0, -1.0, INF, -INF, NAN)]
    zs = [0j, complex(INF, 1.0), complex(-1.0, -INF), 1 + 2j, -1 + 0j, complex(-1.0, -0.0), 2j, -3.5 - 1j, 1e-300j, 0.5, -2]
    with Interpreted():
        for name in "sin cos tan asin acos atan sinh cosh tanh exp expm1 erf sqrt log log2 log10 log1p floor ceil trunc fabs isnan isinf isfinite degrees radians".split():
            f = s.function("x", f"math.{name}(x)", math=math)
            for x in xs:
                s.compare(f, f"math.{name}", x)
        for name in "atan2 hypot fmod pow copysign log".split():
            f = s.function("x, y", f"math.{name}(x, y)", math=math)
            for x in xs:
                for y in xs:
                    s.compare(f, f"math.{name}", x, y)
        for name in "exp log log10 sqrt sin cos tan sinh cosh tanh phase".split():
            f = s.function("z", f"cmath.{name}(z)", cmath=cmath)
            for z in zs:
                s.compare(f, f"cmath.{name}", z)
            for z in grid:
                if not (cmath.isnan(z) and cmath.isinf(z)):  # signs of infinite parts next to NaN are undefined
                    s.compare(f, f"cmath.{name}", z, zeros=False)
        f = s.function("z, b", "cmath.log(z, b)", cmath=cmath)
        for z in zs:
            for b in zs:
                s.compare(f, "cmath.log with a base", z, b, zeros=False)
        for text in ("int(x)", "float(x)", "bool(x)", "complex(x)", "abs(x)", "round(x)", "-x", "+x", "not x", "x if x else 7.0"):
            f = s.function("x", text)
            for x in xs:
                if "else" not in text or type(x) is float:
                    s.compare(f, text, x)
    s.check()


def test_native_code_has_the_same():
    """The same with native code, for some cases: other tests compare native code with the interpreter completely."""
    s = Sweep()
    for text in ("x**-1", *([] if NUMPY_1 else ["0j**x"]), "1/x", "x/0j", "np.sign(x)", "np.rint(x)", "x%-3", "np.log1p(x)", "x//-3"):
        f = s.function("x", text)
        for d in ("float32", "float64", "complex128"):
            v = values(d)
            v = v[np.isfinite(v)] if "**" in text else v
            with np.errstate(all="ignore"):
                s.compare(f, f"{text} [{d}]", v, zeros=d not in COMPLEX, **(dict(tol=1e-3) if "log1p" in text else {}))
    s.check()


def test_items_of_arrays_and_tuples():
    s = Sweep()
    f = s.function("a, k", "a.item(k)")
    for a in (np.arange(9).reshape(3, 3), np.arange(8, dtype=np.float32).reshape(2, 2, 2), np.arange(4.0), np.array([True, False]),
              np.arange(6.0).reshape(2, 3).T, np.arange(6, dtype=complex)[::-2]):
        for k in range(-10, 11):
            s.compare(f, "a.item(k)", a, k)
    f = s.function("a, i, j", "a.item((i, j)), a.item(i, j)")
    for i in range(-4, 4):
        s.compare(f, "a.item((i, j))", np.arange(9).reshape(3, 3), i, 1)
    f = s.function("x", "x.item()")
    for d in DTYPES:
        s.compare(f, "x.item()", values(d)[1])
        s.compare(f, "x.item()", values(d)[:1])
    for text in ("t[k]", "1 / t[k]", "t[k] // 2", "t[k] + 2**62"):
        f = s.function("t, k", text)
        for t in ((1, 2, 0), (1.5, 0.0, -0.0), (True, False, True), (1j, 0j, 2j), (np.float32(1), np.float32(0), np.float32(3))):
            for k in range(-4, 5):
                s.compare(f, text, t, k)
    s.check()


def test_order_with_nan():
    s = Sweep()
    a = np.array([-INF, -1.0, 0.0, 0.5, 2.0, INF, NAN, NAN, NAN])
    v = np.array([NAN, -INF, INF, 0.0, -0.0, 3.0, 0.5, -2.0])
    for side in ("left", "right"):
        f = s.function("a, v", f"np.searchsorted(a, v, side='{side}')")
        for d in (np.float32, np.float64):
            s.compare(f, side, a.astype(d), v.astype(d))
            s.compare(f, side, a.astype(d)[:0], v)
            s.compare(f, side, a.astype(d), v.reshape(2, 4))
            for x in v:
                s.compare(f, side, a.astype(d), x)
                s.compare(f, side, a.astype(d), float(x) / 3)
        s.compare(f, side, np.arange(9), np.array([3, 100, -1]))
        s.compare(f, side, np.arange(9), 2.5)
    s.check()


@pytest.mark.parametrize("f", ["np.tril", "np.triu"])
def test_triangles(f):
    s = Sweep()
    for k in (0, 1, -1, 5, -5):
        g = s.function("a", f"{f}(a, {k})" if k else f"{f}(a)")
        for shape in ((3,), (2, 3), (3, 2), (0, 3), (2, 2, 3), (2, 3, 2, 2), (1, 1)):
            for d in ("bool", "int32", "float64", "complex64"):
                s.compare(g, f"{f} {k} {d}{shape}", np.ones(shape, d))
    s.check()


def test_linspace_and_arange():
    s = Sweep()
    with Interpreted():
        for end in ("", ", endpoint=False"):
            f = s.function("a, b, n", f"np.linspace(a, b, n{end})")
            for a in (0.0, -0.0, 1, -INF, INF, NAN, 1e308, 5e-324):
                for b in (1.0, INF, -INF, NAN, -1e308, 0, 1e-323):
                    for n in (0, 1, 2, 3, 5):
                        s.compare(f, "linspace", a, b, n, zeros=False)
    s.check()
