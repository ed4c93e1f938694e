"""float16 and bfloat16: all 65,536 values in conversions and functions of one operand, and many pairs in operators, on the interpreter, native code
and OpenCL. NumPy is the oracle for float16; for bfloat16, float32 results are rounded on their bits.
"""
import ctypes as ct

import numpy as np
import pytest

import elements_test as et
from elements_test import ALL, CPU, INTERP, OPENCL, binary, lib, machine, module, param, vector  # noqa: F401

LIBRARY = et.LIBRARY
pytestmark = pytest.mark.skipif(not LIBRARY, reason="LIBVELOCIRAPTOR names no libvelociraptor.so")
WHERE = ((INTERP, 0), *ALL)
BITS = np.arange(65536, dtype=np.uint16)
BFLOAT16 = 12


def halves():
    return BITS.view(np.float16)


def sample(n, seed):
    """Pairs: random bits, and small numbers many of whose quotients are integers."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 65536, (2, n), dtype=np.uint16).view(np.float16)
    small = (rng.integers(-64, 65, (2, n)) / 4).astype(np.float16)
    return np.concatenate([bits, small], axis=1)


def same_half(got, want, what, ulps=0):
    g, w = got.view(np.uint16).astype(np.int32), want.view(np.uint16).astype(np.int32)
    nan = np.isnan(got) & np.isnan(want)
    near = np.abs(g - w) <= ulps
    bad = np.flatnonzero(~(nan | near))
    assert bad.size == 0, f"{what}: {bad.size} differ; at {bad[0]}: {got.flat[bad[0]]!r}, wanted {want.flat[bad[0]]!r}"


def results_of(machine, made, args, where):
    text = module([a.dtype.name for a in args], [m[:2] for m in made], section=where[0] == OPENCL)
    got = machine.call(machine.functions(text, where), *args)
    assert not isinstance(got, str), (where, got)
    return got


@pytest.mark.parametrize("where", WHERE)
def test_all_values_in_conversions(machine, where):
    x = halves()
    made = [(t, f"(cast {vector(t)} {param(0, 'float16')})", et.cast(x, t)) for t in et.TYPES]
    for (t, _, want), got in zip(made, results_of(machine, made, [x], where)):
        et.agree(got, want, f"{where}: float16 to {t}")


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("source", ["float32", "float64"])
def test_conversions_to_float16_round_once(machine, where, source):
    """Numbers between neighbours: halfway, and just above and below that; for float64 beyond the precision of float32."""
    x = halves()[:31744].astype(np.float64)
    middle = np.append((x[1:] + x[:-1]) / 2, 65520.0)
    numbers = [x, middle]
    for eps in (2.0**-20, 2.0**-23) if source == "float32" else (2.0**-20, 2.0**-23, 2.0**-30, 2.0**-52):
        numbers += [middle * (1 + eps), middle * (1 - eps)]
    numbers = np.concatenate(numbers + [[np.inf, np.nan, 1e-300, 1e300, 2.0**-25, np.nextafter(2.0**-25, 1)]])
    with np.errstate(all="ignore"):
        numbers = np.concatenate([numbers, -numbers]).astype(source)
        want = numbers.astype(np.float16)
    [got] = results_of(machine, [("float16", f"(cast {vector('float16')} {param(0, source)})")], [numbers], where)
    same_half(got, want, f"{where}: {source}")


@pytest.mark.parametrize("where", WHERE)
def test_conversions_of_integers_to_float16(machine, where):
    for t in et.INTEGERS:
        i = np.iinfo(t)
        x = np.unique(np.clip(np.arange(-70000, 70000, dtype=np.int64), max(i.min, -2**62), min(i.max, 2**62))).astype(t)
        x = np.append(x, np.array([i.min, i.max], t))
        with np.errstate(all="ignore"):
            want = x.astype(np.float16)
        [got] = results_of(machine, [("float16", f"(cast {vector('float16')} {param(0, t)})")], [x], where)
        same_half(got, want, f"{where}: {t}")


ONE = {"abs": np.abs, "floor": np.floor, "ceil": np.ceil, "fix": np.trunc, "sign": np.sign, "sqrt": np.sqrt}
ROUNDED = {"exp": np.exp, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sin": np.sin,
           "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
           "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "cbrt": np.cbrt}


@pytest.mark.parametrize("where", WHERE)
def test_all_values_in_functions_of_one(machine, where):
    x, h = halves(), param(0, "float16")
    with np.errstate(all="ignore"):
        made = [("float16", f"(negate {vector('float16')} {h})", -x, 0)]
        made += [("float16", lib(n, "float16", h), f(x), 0) for n, f in ONE.items()]
        # The float32 result may round to the neighbour if it is not the nearest to the exact value.
        made += [("float16", lib(n, "float16", h), f(x.astype(np.float32)).astype(np.float16), 1) for n, f in ROUNDED.items()]
        tests = [("bool", lib(n, "bool", h), f(x)) for n, f in (("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite))]
        tests.append(("bool", f"(not {vector('bool')} {h})", np.logical_not(x)))
    got = results_of(machine, made + tests, [x], where)
    for (_, text, want, ulps), g in zip(made, got):
        same_half(g, want, f"{where}: {text}", ulps)
    for (_, text, want), g in zip(tests, got[len(made):]):
        assert np.array_equal(g, want), f"{where}: {text}"


@pytest.mark.parametrize("where", WHERE)
def test_pairs_in_operators(machine, where):
    p, q = sample(4000 if where[0] == INTERP else 200000, 1)
    x, y = param(0, "float16"), param(1, "float16")
    made = []
    with np.errstate(all="ignore"):
        for word, f in (("plus", np.add), ("minus", np.subtract), ("mult", np.multiply), ("div", np.divide)):
            made.append(("float16", binary(word, "float16", x, y), f(p, q), 0))
        for name, f in (("mod", np.remainder), ("rem", np.fmod), ("min2", np.minimum), ("max2", np.maximum)):
            made.append(("float16", lib(name, "float16", x, y), f(p, q), 0))
        for name, f in (("pow", np.power), ("hypot", np.hypot), ("atan2", np.arctan2)):
            made.append(("float16", lib(name, "float16", x, y), f(p, q), 1))
        tests = [("bool", binary(w, "bool", x, y), f(p, q)) for w, f in (
            ("lt", np.less), ("leq", np.less_equal), ("gt", np.greater), ("geq", np.greater_equal), ("eq", np.equal), ("neq", np.not_equal))]
        chain = binary("plus", "float16", binary("mult", "float16", x, y), x)
        made.append(("float16", chain, p * q + p, 0))  # rounded after each operation, not fused
    got = results_of(machine, made + tests, [p, q], where)
    for (_, text, want, ulps), g in zip(made, got):
        same_half(g, want, f"{where}: {text}", ulps)
    for (_, text, want), g in zip(tests, got[len(made):]):
        assert np.array_equal(g, want), f"{where}: {text}"


@pytest.mark.parametrize("where", WHERE)
def test_reductions(machine, where):
    rng = np.random.default_rng(3)
    h = param(0, "float16")
    for n in (1, 7, 1000, 40000):
        x = rng.normal(size=n).astype(np.float16)
        results = [("float16", lib(w, "float16", h, rank=0), 0) for w in ("sum", "mean", "min", "max")]
        results += [("int64", lib(w, "int64", h, rank=0), 0) for w in ("argmin", "argmax")]
        results += [("float16", lib("sort", "float16", h)), ("float16", lib("cumsum", "float16", h)), ("int64", lib("find", "int64", h))]
        got = machine.call(machine.functions(module(["float16"], results, section=where[0] == OPENCL), where), x)
        assert not isinstance(got, str), (where, got)
        wide = x.astype(np.float64)
        for g, w in zip(got, [wide.sum(), wide.mean()]):
            assert abs(float(g) - w) <= 2e-3 * max(1.0, abs(w)), (where, n, g, w)
        for g, w in zip(got[2:6], [x.min(), x.max(), x.argmin(), x.argmax()]):
            assert g == w, (where, n)
        assert np.array_equal(got[6], np.sort(x)) and np.array_equal(got[8], np.flatnonzero(x))
        assert np.allclose(got[7].astype(float), np.cumsum(wide), rtol=2e-3, atol=2e-2)


@pytest.mark.parametrize("where", WHERE)
def test_long_sums_do_not_stop_at_2048(machine, where):
    x = np.ones(30000, np.float16)
    text = module(["float16"], [("float16", lib("sum", "float16", param(0, "float16"), rank=0), 0)], section=where[0] == OPENCL)
    [got] = machine.call(machine.functions(text, where), x)
    assert got == 30000 == x.sum()


@pytest.mark.parametrize("step", [3, -1, -2])
def test_elements_with_steps(machine, step):
    """From an address that is a multiple of 2 and no more."""
    x = np.zeros(1000 * abs(step) + 1, np.float16)[1:][::step]
    x[:] = np.linspace(-10, 10, 1000)
    strided = "(arraytype :layout strided :ndims 1 (float16))"
    made = vector("float16")
    text = (f"(module :name m :indexing 0 (fns (function :name f (functype (intypes {strided}) (outtypes {made})) (arglist (arg :id 0)) "
            f"(body (returnstmt (exprs (mult {made} (lhs (name :id 0 {strided})) (rhs (name :id 0 {strided})))))) "
            f"(symtable (sym :id 0 :name a {strided})))))")
    for where in WHERE[:3]:
        [got] = machine.call(machine.functions(text, where), x)
        same_half(got, x * x, str(where))


# ---- bfloat16, whose arrays are uint16 in NumPy
def bfloat_bits(x):
    """float32 to the nearest bfloat16, ties to even."""
    u = x.astype(np.float32).view(np.uint32)
    r = ((u + np.uint32(0x7FFF) + (u >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)).astype(np.uint16)
    return np.where(np.isnan(x), (u >> np.uint32(16) | np.uint32(0x40)).astype(np.uint16), r)


def bfloat_values(bits):
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def call_bfloat(machine, params, results, args, where):
    """`args` of uint16 are bfloat16; bfloat16 results are returned as their bits."""
    text = module(params, results, section=where[0] == OPENCL)
    f = machine.functions(text, where)
    names = {np.dtype("uint16"): BFLOAT16}
    saved = dict(et.CODES)
    try:
        et.CODES["uint16"] = names[np.dtype("uint16")]
        got = machine.call(f, *args)
    finally:
        et.CODES.clear()
        et.CODES.update(saved)
    assert not isinstance(got, str), (where, got)
    return got


def same_bfloat(got, want, what):
    g, w = got.view(np.uint16), want
    nan = np.isnan(bfloat_values(g)) & np.isnan(bfloat_values(w))
    bad = np.flatnonzero(~(nan | (g == w)))
    assert bad.size == 0, f"{what}: {bad.size} differ; at {bad[0]}: {g[bad[0]]:#x}, wanted {w[bad[0]]:#x}"


@pytest.mark.parametrize("where", WHERE)
def test_bfloat16(machine, where):
    rng = np.random.default_rng(9)
    n = 4000 if where[0] == INTERP else 65536
    p, q = rng.permutation(BITS)[:n], rng.permutation(BITS)[:n]
    a, b = bfloat_values(p), bfloat_values(q)
    t, x, y = "bfloat16", param(0, "bfloat16"), param(1, "bfloat16")
    made, want = [], []
    with np.errstate(all="ignore"):
        for word, f in (("plus", np.add), ("minus", np.subtract), ("mult", np.multiply), ("div", np.divide)):
            made.append((t, binary(word, t, x, y)))
            want.append(bfloat_bits(f(a, b)))
        made += [(t, lib("sqrt", t, x)), (t, lib("floor", t, x)), (t, f"(negate {vector(t)} {x})"), (t, lib("max2", t, x, y))]
        want += [bfloat_bits(np.sqrt(a)), bfloat_bits(np.floor(a)), bfloat_bits(-a), bfloat_bits(np.maximum(a, b))]
    got = call_bfloat(machine, [t, t], made, [p, q], where)
    for g, w, (_, text) in zip(got, want, made):
        same_bfloat(g, w, f"{where}: {text}")
    more = [("float32", f"(cast {vector('float32')} {x})"), ("bool", binary("lt", "bool", x, y)), ("int32", f"(cast {vector('int32')} {x})")]
    wide, less, whole = call_bfloat(machine, [t, t], more, [p, q], where)
    et.agree(wide, a, f"{where}: to float32")
    assert np.array_equal(less, a < b)
    et.agree(whole, et.cast(a, "int32"), f"{where}: to int32")


@pytest.mark.parametrize("where", WHERE)
def test_conversions_to_bfloat16_go_by_way_of_float32(machine, where):
    x = np.concatenate([(BITS.astype(np.uint32) << 16 | low).view(np.float32) for low in (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF)])
    [got] = results_of(machine, [("bfloat16", f"(cast {vector('bfloat16')} {param(0, 'float32')})")], [x], where)
    same_bfloat(got, bfloat_bits(x), str(where))
    d = np.array([1.00390625, 1.00390625 + 2.0**-50, 1e300, -1e-300, 3.0, np.nan])
    with np.errstate(all="ignore"):
        want = bfloat_bits(d.astype(np.float32))
    [got] = results_of(machine, [("bfloat16", f"(cast {vector('bfloat16')} {param(0, 'float64')})")], [d], where)
    same_bfloat(got, want, str(where))
