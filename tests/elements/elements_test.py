"""The element types of the language: the interpreter compared with NumPy, native code compared with the interpreter.

Tests all 65,536 pairs of bytes, and extreme values of the other types, in every operator and every elementwise library
function with two operands; all conversions; reductions. Modules go through the C API as text.
"""
import ctypes as ct
import itertools
import os
import pathlib
import sys
import zlib

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
from library_sweep_api import COMPLEX, CPU, CPU_PAR, INTERP, Api, Datum  # noqa: E402

LIBRARY = os.environ.get("LIBVELOCIRAPTOR")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="LIBVELOCIRAPTOR names no libvelociraptor.so")
LONG = bool(os.environ.get("VR_TEST_LONG"))
OPENCL = 3
#: Kernels do not depend on the level, which is that of the code for the host: most of the time was compiling that.
ALL = ((CPU, 0), (CPU, 2), (OPENCL, 0))
CODES = {"bool": 0, "int8": 5, "int16": 6, "int32": 1, "int64": 2, "uint8": 7, "uint16": 8, "uint32": 9, "uint64": 10,
         "float16": 11, "float32": 3, "float64": 4}
TYPES = list(CODES)
INTEGERS = [t for t in TYPES if np.dtype(t).kind in "iu"]
NEW = [t for t in INTEGERS if t not in ("int32", "int64")]
PAIRS = [(a, b) for a, b in itertools.product(TYPES, TYPES) if a in NEW or b in NEW or "float16" in (a, b)]
BYTES = [("int8", "int8"), ("uint8", "uint8"), ("int8", "uint8"), ("uint8", "int8")]


class Machine:
    """Modules with the same text, loaded for several targets."""

    def __init__(self):
        self.api = Api(LIBRARY)
        self.engines = {(t, o): self.api.engine(t, o) for t, o in ((INTERP, 0), (CPU_PAR, 2), *ALL)}

    def functions(self, text, where):
        data = text.encode()
        m = self.api.made(self.api.lib.vr_module_load_text, self.engines[where], data, ct.c_size_t(len(data)), b"test")
        f = self.api.made(self.api.lib.vr_module_function, m, b"f")
        self.api.lib.vr_module_free(m)
        return f

    def call(self, function, *args):
        """The results as NumPy arrays, or the fault's code."""
        data, kept = [], []
        for a in args:
            shape, strides = (ct.c_int64 * a.ndim)(*a.shape), (ct.c_int64 * a.ndim)(*a.strides)
            array = self.api.made(self.api.lib.vr_ndarray_borrow, ct.c_void_p(a.ctypes.data), CODES[a.dtype.name], a.ndim, shape,
                                  strides)
            d = Datum()
            d.kind, d.value.p = 2, array.value
            data.append(d)
            kept.append(array)
        answers = self.api.call(function, data, self.api.lib.vr_function_result_count(function))
        for array in kept:
            self.api.lib.vr_ndarray_release(array)
        if isinstance(answers, tuple):
            return answers[0]
        names = {c: n for n, c in CODES.items()} | {12: "uint16"}  # NumPy has no bfloat16: uint16 represents its bits
        return [np.frombuffer(raw, names[e]).reshape(shape or ()) for e, shape, raw in answers]


@pytest.fixture(scope="module")
def machine():
    return Machine()


def vector(elem):
    return f"(arraytype :layout rowmajor :ndims 1 ({elem}))"


def module(params, results, section=False, promote="vrir"):
    """A module with a function f of vectors. Parameters are element types; results are (element type, expression) or (type, expression, rank 0)."""
    types = [vector(p) for p in params]
    outs = [vector(r[0]) if len(r) == 2 else f"({r[0]})" for r in results]
    names = [f"(sym :id {k} :name p{k} {t})" for k, t in enumerate(types)]
    names += [f"(sym :id {len(types) + k} :name r{k} {t})" for k, t in enumerate(outs)]
    body = "".join(f"(assignstmt (lhs (name :id {len(types) + k} {t})) (rhs {r[1]}))\n"
                   for k, (t, r) in enumerate(zip(outs, results)))
    if section:
        body = f"(stmtlist :onGpu %1 (stmts {body}))"
    values = " ".join(f"(name :id {len(types) + k} {t})" for k, t in enumerate(outs))
    args = " ".join(f"(arg :id {k})" for k in range(len(types)))
    return (f"(module :name m :indexing 0 :promote {promote} (fns (function :name f (functype (intypes {' '.join(types)}) "
            f"(outtypes {' '.join(outs)})) (arglist {args}) (body {body} (returnstmt (exprs {values}))) (symtable {' '.join(names)}))))")


def binary(word, elem, a, b):
    return f"({word} {vector(elem)} (lhs {a}) (rhs {b}))"


def param(k, elem):
    return f"(name :id {k} {vector(elem)})"


def lib(name, elem, *args, rank=1):
    t = vector(elem) if rank else f"({elem})"
    return f"(libcall :libfunc {name} {t} (args {' '.join(args)}))"


def common(a, b, promote="vrir"):
    if {a, b} in ({"int32", "float32"}, {"int32", "float16"}) and promote == "vrir":
        return "float32"
    return np.promote_types(a, b).name


def arithmetic(a, b, promote="vrir"):
    c = common(a, b, promote)
    return "int32" if c == "bool" else c


def is_int(elem):
    return np.dtype(elem).kind in "iu"


def wrapped(numbers, elem):
    """Python's integers modulo the type's width."""
    bits = 8 * np.dtype(elem).itemsize
    out = np.array([n % (1 << bits) for n in numbers], dtype=object)
    return out.astype("uint64").astype(f"uint{bits}").view(elem) if np.dtype(elem).kind == "i" else out.astype("uint64").astype(elem)


def truncated(p, q):
    return [abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in zip(p.tolist(), q.tolist())]


def power(p, q, elem):
    bits = 8 * np.dtype(elem).itemsize
    def one(a, b):
        if b < 0:
            return 1 if a == 1 else (-1 if b % 2 else 1) if a == -1 else 0
        return pow(a, b, 1 << bits)
    return [one(a, b) for a, b in zip(p.tolist(), q.tolist())]


def cast(a, elem):
    """VRIR's conversion: integers wrap, floats go toward zero and saturate, NaN gives 0; to bool: not 0."""
    to = np.dtype(elem)
    if to.kind == "b":
        return a != 0
    if a.dtype.kind != "f" or to.kind == "f":
        with np.errstate(all="ignore"):
            return a.astype(to)
    limits = np.iinfo(to)
    out = [0 if x != x else limits.max if x >= limits.max else limits.min if x <= limits.min else int(x) for x in a.tolist()]
    return np.array(out, dtype=object).astype(to) if limits.max <= 2**63 else np.array(out, dtype="uint64")


def operators(a, b, promote="vrir"):
    """The operations on two vectors of these types: (result type, expression, expected result by NumPy or Python). Divisors are not 0."""
    x, y = param(0, a), param(1, b)
    c, e = common(a, b, promote), arithmetic(a, b, promote)
    both = lambda f, t: lambda p, q: f(p.astype(t), q.astype(t))
    whole = is_int(e)
    made = []
    for word, f in (("plus", np.add), ("minus", np.subtract), ("mult", np.multiply)):
        made.append((e, binary(word, e, x, y), both(f, e)))
        made.append((e, lib("lib" + word, e, x, y), both(f, e)))
    for word, f in (("lt", np.less), ("leq", np.less_equal), ("gt", np.greater), ("geq", np.greater_equal), ("eq", np.equal),
                    ("neq", np.not_equal)):
        made.append(("bool", binary(word, "bool", x, y), both(f, c)))
    for word, f in (("and", np.logical_and), ("or", np.logical_or)):
        made.append(("bool", binary(word, "bool", x, y), f))
    if whole:
        made.append((e, binary("div", e, x, y), lambda p, q: wrapped(truncated(p.astype(e), q.astype(e)), e)))
        made.append(("float64", binary("div", "float64", x, y), both(np.divide, "float64")))
        made.append(("float32", binary("div", "float32", x, y), both(np.divide, "float32")))
        made.append((e, lib("pow", e, x, y), lambda p, q: wrapped(power(p.astype(e), q.astype(e), e), e)))
        for word, f in (("bitand", np.bitwise_and), ("bitor", np.bitwise_or), ("bitxor", np.bitwise_xor)):
            made.append((e, lib(word, e, x, y), both(f, e)))
        for word, f in (("shift_left", np.left_shift), ("shift_right", np.right_shift)):
            made.append((e, lib(word, e, x, y), both(f, e)))
    else:
        made.append((e, binary("div", e, x, y), both(np.divide, e)))
    made.append((e, lib("mod", e, x, y), both(np.remainder, e)))
    made.append((e, lib("rem", e, x, y), both(np.fmod, e)))
    made.append((e, lib("min2", e, x, y), both(np.minimum, e)))
    made.append((e, lib("max2", e, x, y), both(np.maximum, e)))
    made.append((c, lib("where", c, x, x, y), lambda p, q: np.where(p != 0, p.astype(c), q.astype(c))))
    return made


def of_one(a):
    x, e = param(0, a), "int32" if a == "bool" else a
    made = [(e, f"(negate {vector(e)} {x})", lambda p: np.negative(p.astype(e))),
            ("bool", f"(not {vector('bool')} {x})", np.logical_not),
            (a, lib("abs", a, x), np.abs),
            (a, lib("sign", a, x), lambda p: p if a == "bool" else np.sign(p))]
    if not a.startswith("float"):
        made.append((e, lib("bit_count", e, x), lambda p: np.array([bin(abs(int(v))).count("1") for v in p.ravel()], e).reshape(p.shape)))
    for word in ("floor", "ceil", "round", "rint", "fix", "conj", "real", "copy"):
        made.append((a, lib(word, a, x), lambda p: p))
    for word, f in (("isnan", np.zeros_like), ("isinf", np.zeros_like), ("isfinite", np.ones_like)):
        made.append(("bool", lib(word, "bool", x), lambda p, f=f: f(p, dtype=bool)))
    for word, f in (("sqrt", np.sqrt), ("exp", np.exp)):
        made.append(("float64", lib(word, "float64", x), lambda p, f=f: f(p.astype("float64"))))
    for to in TYPES:
        made.append((to, f"(cast {vector(to)} {x})", lambda p, to=to: cast(p, to)))
    return made


EDGES = {"bool": [False, True], "float16": [0.0, -0.0, 1.5, -1.5, 127.5, -128.9, 255.5, 2049.0, 65504.0, -65504.0, 6e-8, -3e-5, np.inf,
                                            -np.inf, np.nan],
         "float32": [0.0, -0.0, 1.5, -1.5, 127.5, -128.9, 255.5, 3e9, -3e9, 1e10, 2.0**63, 2.0**64, -2.0**63, 1e30,
                                            -1e30, np.inf, -np.inf, np.nan, 1e-40, 65535.9],
         "float64": [0.0, -0.0, 0.5, -0.5, -1.0, 127.9, 128.0, -128.9, -129.0, 255.9, 256.0, 32767.9, -32769.0, 65535.9, 65536.0,
                     2147483647.9, 2147483648.0, -2147483649.0, 4294967295.9, 4294967296.0, 2.0**53 + 2, 2.0**63, 2.0**63 - 1024,
                     -2.0**63, 2.0**64, 2.0**64 - 2048, 1e300, -1e300, np.inf, -np.inf, np.nan]}


def edges(elem):
    if elem in EDGES:
        return np.array(EDGES[elem], elem)
    i = np.iinfo(elem)
    numbers = {i.min, i.min + 1, i.max, i.max - 1, i.max // 2, i.max // 2 + 1, i.min // 2, 0, 1, 2, 3, 7, 100, 46341 % i.max, -1, -2, -3, -7, -100}
    return np.array(sorted(n for n in numbers if i.min <= n <= i.max), elem)


def all_of(elem):
    return np.arange(256, dtype=np.uint8).view(elem) if np.dtype(elem).itemsize == 1 and elem != "bool" else edges(elem)


def crossed(a, b):
    """All pairs, and those with a nonzero divisor."""
    p, q = np.meshgrid(all_of(a), all_of(b), indexing="ij")
    return p.ravel(), q.ravel()


def agree(got, wanted, what, exact=True):
    assert not isinstance(got, str), f"{what}: {got}"
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, f"{what}: {got.dtype}{got.shape}, wanted {wanted.dtype}{wanted.shape}"
    nan = (got != got) & (wanted != wanted)
    same = (got == wanted) & ((got != 0) | (np.signbit(got) == np.signbit(wanted))) if got.dtype.kind == "f" else got == wanted
    if not exact:
        same = same | np.isclose(got, wanted, rtol=1e-14, atol=0)
    bad = np.flatnonzero(~(same | nan))
    assert bad.size == 0, f"{what}: {bad.size} differ; at {bad[0]}: {got.ravel()[bad[0]]!r}, wanted {wanted.ravel()[bad[0]]!r}"


def judge(machine, params, made, args, promote="vrir", exact=lambda text: True, targets=ALL):
    with np.errstate(all="ignore"):
        wanted = [f(*args) for _, _, f in made]
    results = [(t, text) for t, text, _ in made]
    plain = module(params, results, promote=promote)
    judged = machine.call(machine.functions(plain, (INTERP, 0)), *args)
    for (t, text, _), got, want in zip(made, judged, wanted):
        agree(got, want.astype(t) if want.dtype.kind == "b" and t == "bool" else want, f"interp: {params} {text}", exact(text))
    for where in targets:
        text = module(params, results, section=where[0] == OPENCL, promote=promote)
        native = machine.call(machine.functions(text, where), *args)
        assert not isinstance(native, str), f"{where}: {params}: {native}"
        for (t, text, _), got, want in zip(made, native, judged):
            agree(got, want, f"{where}: {params} {text}", exact(text))


def rounded_differently(text):
    return "libfunc exp" not in text and "libfunc pow (arraytype :layout rowmajor :ndims 1 (float" not in text


@pytest.mark.parametrize("a, b", BYTES + [p for p in PAIRS if p not in BYTES])
def test_operators_of_two(machine, a, b):
    p, q = crossed(a, b)
    nonzero = q != 0
    # Compile time dominates, so operations that use the same code as other widths are tested on one target each, and natively for
    # one order of two types.
    if (a, b) in BYTES:
        some = ALL
    else:
        first = zlib.crc32(" ".join(sorted((a, b))).encode()) % 2 == (a < b)
        some = ALL[zlib.crc32(f"{a} {b}".encode()) % 3:][:1] if LONG or a == b or first else ()
    judge(machine, [a, b], operators(a, b), (p[nonzero], q[nonzero]), exact=rounded_differently, targets=some)


@pytest.mark.parametrize("a, b", PAIRS + [("int32", "float32"), ("float32", "int32"), ("int64", "float32"), ("bool", "bool")])
def test_promotion_is_numpys(machine, a, b):
    p, q = (v[1:5] for v in crossed(a, b))
    e = arithmetic(a, b, "numpy2")
    x, y = param(0, a), param(1, b)
    made = [(e, binary("plus", e, x, y), lambda p, q: np.add(p.astype(e), q.astype(e))),
            (common(a, b, "numpy2"), lib("horzcat", common(a, b, "numpy2"), x, y), lambda p, q: np.concatenate([p, q]))]
    if a != "bool" or b != "bool":
        assert np.result_type(np.zeros(1, a), np.zeros(1, b)).name == e
    judge(machine, [a, b], made, (p, q), promote="numpy2", targets=ALL[:1])


@pytest.mark.parametrize("a", TYPES)
def test_operators_of_one_and_conversions(machine, a):
    made = of_one(a)
    if a in EDGES and a != "bool":
        made = [m for m in made if m[1].startswith("(cast")]
    judge(machine, [a], made, (all_of(a),), exact=rounded_differently, targets=ALL if LONG else ALL[1:])


@pytest.mark.parametrize("a", INTEGERS)
def test_division_by_zero_is_a_fault(machine, a):
    x, y = param(0, a), param(1, a)
    for text in (binary("div", a, x, y), lib("mod", a, x, y), lib("rem", a, x, y)):
        for where in machine.engines:
            f = machine.functions(module([a, a], [(a, text)], section=where[0] == OPENCL), where)
            assert machine.call(f, np.array([5, 6], a), np.array([1, 0], a)) == "DIV_BY_ZERO", (where, text)


@pytest.mark.parametrize("a", NEW)
def test_reductions(machine, a):
    rng = np.random.default_rng(5)
    i = np.iinfo(a)
    x = param(0, a)
    wide = "uint64" if np.dtype(a).kind == "u" else "int64"
    made = [(wide, lib("sum", wide, x, rank=0), lambda p: p.sum(dtype=wide), 0),
            (a, lib("sum", a, x, rank=0), lambda p: p.sum(dtype=a), 0),
            (wide, lib("prod", wide, x, rank=0), lambda p: p.prod(dtype=wide), 0),
            (a, lib("min", a, x, rank=0), np.min, 0), (a, lib("max", a, x, rank=0), np.max, 0),
            ("int64", lib("argmin", "int64", x, rank=0), lambda p: np.int64(p.argmin()), 0),
            ("int64", lib("argmax", "int64", x, rank=0), lambda p: np.int64(p.argmax()), 0),
            ("bool", lib("any", "bool", x, rank=0), np.any, 0), ("bool", lib("all", "bool", x, rank=0), np.all, 0),
            (wide, lib("cumsum", wide, x), lambda p: p.cumsum(dtype=wide)),
            (wide, lib("cumprod", wide, x), lambda p: p.cumprod(dtype=wide)),
            (a, lib("sort", a, x), np.sort), ("int64", lib("find", "int64", x), lambda p: np.flatnonzero(p)),
            (a, lib("dot", a, x, x, rank=0), lambda p: np.dot(p, p), 0)]
    results = [(m[0], m[1]) if len(m) == 3 else (m[0], m[1], 0) for m in made]
    functions = {where: machine.functions(module([a], results, section=where[0] == OPENCL), where) for where in machine.engines}
    for n in (1, 7, 1000, 70001):
        p = rng.integers(i.min, i.max, n, dtype=a, endpoint=True)
        with np.errstate(all="ignore"):
            wanted = [np.asarray(m[2](p)) for m in made]
        for where in machine.engines:
            if n > 1000 if where[0] == INTERP else n < 1000 and where != (CPU, 2):
                continue
            got = machine.call(functions[where], p)
            assert not isinstance(got, str), (where, got)
            assert len(got) == len(made)
            for m, g, w in zip(made, got, wanted):
                agree(g, w.astype(m[0]), f"{where}: {a} {m[1]} of {n}")
