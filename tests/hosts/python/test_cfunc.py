"""@cfunc: C functions, called by ctypes as C libraries call them. The function itself, on NumPy's arrays, is the oracle."""
import ctypes
import gc
import pickle
import sys
import threading

import numpy as np
import pytest
from pyraptor import CPointer, UnsupportedError, carray, cfunc, f32, f64, i8, i32, i64, jit, objmode, prange, pycall, u8, void, voidptr

from conftest import function

OPT_LEVEL = 2
TABLE = np.arange(3.0)


def pointer(a):
    return np.ctypeslib.as_ctypes(a) if a.ndim == 1 else None


class Unraisable:
    """Records what is passed to sys.unraisablehook."""

    def __enter__(self):
        self.told, self.before = [], sys.unraisablehook
        sys.unraisablehook = lambda u: self.told.append((type(u.exc_value), str(u.exc_value), u.object))
        return self.told

    def __exit__(self, *_):
        sys.unraisablehook = self.before


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_every_type(name):
    def same(x, y):
        return x if y else x * 0

    f = cfunc(f"{'boolean' if name == 'bool' else name}({'boolean' if name == 'bool' else name}, boolean)")(same) if name != "bool" else cfunc("b1(b1, b1)")(lambda x, y: x and y)
    dtype = np.dtype(name)
    values = [True, False] if name == "bool" else [0, 1, 100] + ([np.iinfo(dtype).min, np.iinfo(dtype).max] if dtype.kind in "iu" else [-2.5, np.inf])
    for v in values:
        assert f.ctypes(v, True) == v and not f.ctypes(v, False) or v in (np.inf, )


def test_many_arguments():
    text = ", ".join(f"{'abcdefghijklmnop'[k]}" for k in range(16))
    f = function(text, " + ".join(f"{k + 1} * {c}" for k, c in enumerate(text.split(", "))))
    types = ["float64", "int64", "float32", "int32"] * 4
    c = cfunc(f"float64({', '.join(types)})")(f)
    args = [1.5, -2, 0.25, 7] * 4
    assert c.ctypes(*args) == float(f(*args)) == f(*args)


@cfunc("float64(intc, CPointer(float64))")
def norm(n, p):
    a = carray(p, n)
    total = 0.0
    for k in range(n):
        total += a[k] ** 2
    a[0] = -1.0
    return np.sqrt(total)


def test_pointers():
    a = np.array([3.0, 4.0, 5.0])
    assert norm.ctypes(2, pointer(a)) == 5.0 and a.tolist() == [-1.0, 4.0, 5.0]
    with Unraisable() as told:
        assert norm.ctypes(0, pointer(a)) == 0.0  # a[0] is out of bounds
        assert norm.ctypes(-1, pointer(a)) == 0.0
    assert [t for t, _, _ in told] == [IndexError, ValueError] and told[0][2] == "cfunc norm()" and "out of bounds" in told[0][1]
    assert a.tolist() == [-1.0, 4.0, 5.0]

    @cfunc(void(CPointer(i32), i64, CPointer(u8), voidptr))
    def count(values, n, out, data):
        v, o = carray(values, (n, ), np.int32), carray(out, 4)
        o[:] = 0
        for x in v[::-1]:
            o[x % 4] += 1

    v, o = np.arange(10, dtype=np.int32), np.zeros(4, np.uint8)
    assert count.ctypes(pointer(v), 10, pointer(o), None) is None
    assert o.tolist() == [3, 3, 2, 2]


def test_arrays_inside_and_calls():
    @jit
    def root(x):
        if x < 0:
            raise ValueError(f"{x} is negative")
        return np.sqrt(x)

    log = []
    note = pycall(log.append, None)

    @cfunc("float64(float64)")
    def f(x):
        note(x)
        total = 0.0
        for k in prange(1000):
            total += k
        with objmode(y="float64"):
            y = len({1, 2}) * 1.0
        return np.linspace(0, x, 5).sum() + root(x) + total * y

    assert f.ctypes(4.0) == 12.0 + 999000 and log == [4.0]
    with Unraisable() as told:
        assert f.ctypes(-4.0) == 0.0
    assert told == [(ValueError, "-4.0 is negative", "cfunc f()")]
    fail = pycall(lambda x: 1 // 0, float)
    g = cfunc("float64(float64)")(lambda x: fail(x))
    with Unraisable() as told:
        assert g.ctypes(1.0) == 0.0
    assert told[0][0] is ZeroDivisionError


def test_as_python_and_in_compiled_code():
    @cfunc("float64(float64, float64)")
    def f(x, y):
        return x * y + 1

    assert f(2, 3) == 7 and f.__name__ == "f" and f.native_name == "f" and isinstance(f.address, int)
    assert jit(lambda a: f(a[0], a[1]))(np.array([2.0, 3.0])) == 7.0
    assert "fncall" not in f.inspect() and "define" in f.inspect("llvm")
    a = np.arange(4.0)
    at = ctypes.cast(pointer(a), ctypes.POINTER(ctypes.c_double))
    assert carray(at, 2).tolist() == [0.0, 1.0] and carray(at, (2, 2), np.float64).shape == (2, 2)
    with pytest.raises(TypeError, match="mismatching dtype"):
        carray(at, 2, np.int64)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(f)


def test_the_address_lives_with_the_object():
    made = [cfunc("int64(int64)")(function("x", f"x + {k}")) for k in range(5)]
    pointers = [f.ctypes for f in made]
    assert len({f.address for f in made}) == 5
    del made
    gc.collect()
    assert [p(10) for p in pointers] == [10, 11, 12, 13, 14]
    pointers[0]
    del pointers
    gc.collect()


def test_threads():
    f = cfunc("float64(int64)")(function("n", "s = 0.0\nfor k in range(n):\n    s += k\nreturn s"))
    call, found = f.ctypes, []
    threads = [threading.Thread(target=lambda n=n: found.append(call(n) == n * (n - 1) / 2)) for n in range(1000, 1008)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [True] * 8


def test_scipy():
    scipy = pytest.importorskip("scipy")
    from scipy import integrate, ndimage
    f = cfunc("float64(float64)")(lambda x: np.exp(-x * x))
    assert integrate.quad(scipy.LowLevelCallable(f.ctypes), 0, 1)[0] == pytest.approx(integrate.quad(f, 0, 1)[0], rel=1e-14)

    @cfunc("intc(CPointer(float64), intp, CPointer(float64), voidptr)")
    def spread(values, n, out, data):
        a = carray(values, n)
        carray(out, 1)[0] = a.max() - a.min()
        return 1

    image = np.arange(42.0).reshape(6, 7) ** 1.5 % 11
    np.testing.assert_array_equal(ndimage.generic_filter(image, scipy.LowLevelCallable(spread.ctypes), size=3), ndimage.generic_filter(image, np.ptp, size=3))


@pytest.mark.parametrize("signature, f, error, what", [
    ("float64", lambda x: x, TypeError, "with its result"), ("(float64, )", lambda x: x, TypeError, "with its result"),
    ([f64(f64), f64(f32)], lambda x: x, TypeError, "one signature, not 2"), ("float65(float64)", lambda x: x, TypeError, "not a signature"),
    (f64(f64, f64), lambda x: x, TypeError, "2 arguments"), (f64(f64), lambda *x: 1.0, TypeError, "ordinary parameters"), (f64(f64), len, TypeError, "needs a function"),
    (f64(f64[:]), lambda x: x[0], TypeError, "CPointer"), ("complex128(complex128)", lambda x: x, UnsupportedError, "by value"),
    ("float16(float16)", lambda x: x, UnsupportedError, "by value"), (void(f64), lambda x: x, TypeError, "says void"),
    (f64(f64), lambda x: (x, x), UnsupportedError, "tuple"), (f64(f64), lambda x: None, UnsupportedError, "None"), (i8(f64), lambda x: x, UnsupportedError, "annotated as int8"),
    (f64(CPointer(f64)), lambda p: p[0], UnsupportedError, "CPointer"), (f64(CPointer(f64)), lambda p: carray(p, 1, np.int32)[0], UnsupportedError, "another dtype"),
    (f64(CPointer(f64)), lambda p: carray(p, (2, 2))[0, 0], UnsupportedError, "2 dimensions"), (f64(voidptr), lambda p: carray(p, 1)[0] * 1.0, UnsupportedError, "voidptr"),
    (f64(CPointer(f64)), lambda p: carray(p)[0], UnsupportedError, "carray"), (f64(f64), lambda x: carray(x, 1)[0], UnsupportedError, "carray of float"),
    (f64(CPointer(f64)), lambda p: p, UnsupportedError, "pointer|CPointer"), (f64(i64), lambda k: TABLE[k], UnsupportedError, "global array 'TABLE'"),
    (f64(f64), lambda x: open(x), UnsupportedError, "'open' is not compiled"),
])
def test_refused(signature, f, error, what):
    with pytest.raises(error, match=what):
        cfunc(signature)(f)


def test_wrong_types():
    for wrong in (3, "float64", None, f64[:]):
        with pytest.raises(TypeError):
            CPointer(wrong)
    with pytest.raises(ValueError):
        cfunc("float64(float64)", locals={"x": f64})
    assert repr(CPointer(f64)) == "CPointer(float64)" and repr(norm).startswith("<pyraptor.cfunc norm float64(int32, CPointer(float64))")
    assert ctypes.sizeof(ctypes.c_void_p) == 8
