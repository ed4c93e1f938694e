"""The elementwise functions and operators of test_special_values.py in optimised native code and on the device; NumPy is the oracle. One function
with many results per element type. Refusals and exceptions are tested in the other file."""
import contextlib
import itertools

import numpy as np
import pytest

import pyraptor
from conftest import LONG, function
from sweep_oracle import COMPLEX, DTYPES, INF, NAN, Interpreted, Sweep, as_documented, outcome, values, wrong
from test_special_values import BINARY, LOOSE_ZEROS, UNARY, normal, promotion, tame  # noqa: F401 (a fixture)

OPT_LEVEL = 2
#: The same functions by other names, which have no Python exceptions; -> the equivalent expression.
MORE = {"np.logical_or(a, b)": "np.logical_and(a, b)", "np.divide(a, b)": "a / b", "np.floor_divide(a, b)": "a // b", "np.remainder(a, b)": "a % b",
        "np.power(a, b)": "a ** b", "np.left_shift(a, b)": "a << b", "np.right_shift(a, b)": "a >> b", "np.clip(a, b, 2)": "np.maximum(a, b)",
        "np.add(a, b)": "a + b", "np.subtract(a, b)": "a - b", "np.multiply(a, b)": "a * b", "np.less(a, b)": "a < b",
        "np.not_equal(a, b)": "a != b", "np.bitwise_xor(a, b)": "a ^ b", "np.true_divide(a, b)": "a / b"}
AT_ONCE = 24  #: Results of one function: its compile time grows a little faster than they do.


def kept(parameters, texts, args):
    """The expressions for which NumPy and the interpreter have results."""
    good = []
    with Interpreted():
        for text in texts:
            plain = function(parameters, text)
            if outcome(plain, args)[1] is None and outcome(pyraptor.jit(plain), args)[1] is None:
                good.append(text)
    return good


def judge(sweep, parameters, texts, d, args, gpu):
    """Returns whether anything ran on the requested target."""
    # Kernels do not depend on the level; compiling the code for the host beside them took most of the time.
    pyraptor.config.opt_level = 0 if gpu else OPT_LEVEL
    good, launches = kept(parameters, texts, args), pyraptor.device_use()["launches"]
    for k in range(0, len(good), AT_ONCE):
        some = good[k:k + AT_ONCE]
        plain = function(parameters, f"return ({', '.join(some)},)")
        wanted, _ = outcome(plain, args)
        f = pyraptor.jit(plain, gpu=gpu)
        got, fault = outcome(f, args)
        assert fault is None, f"{fault!r} [{d}] {some}"
        if gpu and not f.report()[-1].get("device"):
            pytest.skip("no OpenCL device")
        for text, a, b in zip(some, wanted, got):
            sweep.ran += 1
            how = dict(zeros=MORE.get(text, text) not in LOOSE_ZEROS)
            if text == "np.log1p(x)" and d in COMPLEX:
                how["tol"] = 1e-3  # NumPy's own result cancels
            a = as_documented(a, b)
            why = wrong(a, b, **how)
            if why:
                sweep.note(f"{text} [{d}]", args, a, b, why)
    return pyraptor.device_use()["launches"] > launches


def part(texts, d, gpu):
    """On the device a third of the texts for each type, and others for the next type, since PoCL takes long for kernels; else all."""
    return texts[DTYPES.index(d) % 3::3] if gpu and not LONG else texts


@pytest.mark.parametrize("gpu", [False, True], ids=["cpu", "device"])
@pytest.mark.parametrize("d", DTYPES)
def test_one_argument(d, gpu):
    s, v, ran = Sweep(), values(d), False
    groups = {}
    for text in part(UNARY, d, gpu):
        x = tame(text, v)
        groups.setdefault(len(x), (x, []))[1].append(text)
    for x, texts in groups.values():
        ran |= judge(s, "x", texts, d, (x, ), gpu)
    s.check()
    assert ran == gpu


@pytest.mark.parametrize("gpu", [False, True], ids=["cpu", "device"])
@pytest.mark.parametrize("d", DTYPES)
def test_two_arguments(d, gpu):
    """All pairs of values of one type, and of it with float64 and complex64: one of them on each target, in the long form both."""
    s, ran = Sweep(), False
    other = ("float64", "complex64")
    if not LONG:
        other = other[(DTYPES.index(d) + gpu) % 2:][:1]
    for e in dict.fromkeys((d, *other)):
        groups = {}
        # The other names are the same operations by then.
        for text in part([*BINARY, *(MORE if LONG or (e == d and not gpu) else ())], d, gpu):
            like = MORE.get(text, text)
            v, w = tame(like, values(d, True)), tame(like, values(e, True))
            if like in ("a / b", "a ** b") and (d in COMPLEX or e in COMPLEX):
                v, w = normal(v, like), normal(w, like)
            groups.setdefault((len(v), len(w)), (np.repeat(v, len(w)), np.tile(w, len(v)), []))[2].append(text)
        for v, w, texts in groups.values():
            ran |= judge(s, "a, b", texts, f"{d}, {e}", (v, w), gpu)
    s.check()
    assert ran == gpu


#: NumPy's own formulas for these overflow, underflow or cancel.
NUMPYS_OWN = set("np.log1p(x) np.expm1(x) np.sign(x) np.square(x) x**2 x**3 np.power(x,3) 1/x 1.0/x np.reciprocal(x)".split())


@pytest.mark.parametrize("on", ["interpreter", "cpu", "device"])
@pytest.mark.parametrize("d", COMPLEX)
def test_extremes_of_complex_numbers(d, on):
    """All pairs of the largest, least normal and least numbers, zeros, infinities and NaN."""
    of, s = np.finfo(d), Sweep()
    some = [0.0, 1.0, float(of.max), float(of.smallest_normal), float(of.smallest_subnormal), INF]
    parts = [NAN, 1e-3, *some, *(-x for x in some)]
    z = np.array([complex(x, y) for x, y in itertools.product(parts, parts)], d)
    texts = [t for t in UNARY if t not in NUMPYS_OWN]
    gpu = on == "device"
    if gpu and d == "complex64":
        # Devices compute in float32, and may flush subnormal numbers to zero.
        size = np.maximum(abs(z.real), abs(z.imag))
        z = z[~((size < 1e-37) & (size > 0))]
    with Interpreted() if on == "interpreter" else contextlib.nullcontext():
        judge(s, "x", texts, d, (tame("x**2", z), ), gpu)
        if not gpu:
            judge(s, "x", [t for t in texts if "**" not in t and "power" not in t], d, (z, ), gpu)
    s.check()


def log_of(z):
    return np.log(z)


@pytest.mark.parametrize("gpu", [False, True], ids=["cpu", "device"])
def test_logarithms_near_the_unit_circle_keep_their_digits(gpu):
    """The logarithm of |z| is near 0 there, so it must not be computed from a rounded |z|."""
    rng = np.random.default_rng(3)
    far = 10.0 ** rng.uniform(-14, -1, 4000) * rng.choice([-1, 1], 4000)
    z = np.exp(1j * rng.uniform(-np.pi, np.pi, 4000)) * (1 + far)
    z = np.concatenate([z, [1 + 0.001j, 0.6 + 0.8j, 0.8 - 0.6j, 1j, -1, 1 + 1e-200j, 1e-200 - 1j, 2 + 0j, 1.9 + 1.9j, 0.5 + 0.5j]])
    got, wanted = pyraptor.jit(log_of, gpu=gpu)(z), np.log(z)
    assert np.allclose(got.real, wanted.real, rtol=1e-13, atol=0)
    assert np.allclose(got.imag, wanted.imag, rtol=1e-15, atol=0)
