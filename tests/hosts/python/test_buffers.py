"""bytes, bytearray, array.array and memoryview: their elements are Python numbers, and stores to them change the object."""
import array

import numpy as np
import pytest

import pyraptor
from conftest import function, run
from pyraptor import UnsupportedError, jit

MAKERS = {
    "bytes": lambda: b"abc\xff", "bytearray": lambda: bytearray(b"abc\xff"), "memoryview": lambda: memoryview(bytearray(b"abc\xff")),
    "int16": lambda: array.array("h", [300, -5]), "float64": lambda: array.array("d", [1.5, 2.5]), "float32": lambda: array.array("f", [1.5, 2.1]),
    "strided": lambda: memoryview(np.arange(7)[::2]), "uint8": lambda: memoryview(np.arange(3, dtype=np.uint8)), "uint64": lambda: array.array("Q", [7, 2 ** 30]),
}
READS = """sum(b)|min(b)|max(b)|b[0] + b[1]|b[-1] * 300|len(b)|list(b)|sorted(b)|[x * 2 for x in b]|sum(x * 1000 for x in b)|any(b)|all(b)|bool(b)|b[0] in b
isinstance(b, bytes)|b[1:][0]|type(b[0])|c = b; return c[1]|g = lambda q: q[0] + sum(q); return g(b)|s = 0; return s + b[0] * 256 + b[1]""".replace("\n", "|").split("|")
LOOPS = ["s = 0\nfor k, x in enumerate(b):\n    s += k * x\nreturn s", "s = 0\nfor x in reversed(b):\n    s = s * 2 + x\nreturn s",
         "s = 0\nfor x, y in zip(b, b):\n    s += x * y\nreturn s"]


def both(body, make, arguments="b"):
    """(result, object afterwards) of plain Python, and of compiled code."""
    f = function(arguments, body.replace("; ", "\n") if "; " in body else body)
    plain, compiled = make(), make()
    return (*run(f, (plain, )), bytes(plain)), (*run(jit(f), (compiled, )), bytes(compiled))


def same_outcome(a, b):
    (wanted, error, after), (got, fault, now) = a, b
    if error is not None:
        assert type(fault) is type(error), (error, fault, got)
    else:
        assert fault is None, fault
        assert type(wanted) is type(got) and wanted == got, (wanted, got)
    assert after == now


@pytest.mark.parametrize("kind", MAKERS)
def test_elements_are_pythons_numbers(kind):
    for body in READS + LOOPS:
        same_outcome(*both(body, MAKERS[kind]))


@pytest.mark.parametrize("kind", [k for k in MAKERS if k != "bytes"])
@pytest.mark.parametrize("value", ["7", "100000", "-1", "2.5", "True", "b[1]"])
def test_stores(kind, value):
    same_outcome(*both(f"b[0] = {value}\nreturn b[0]", MAKERS[kind]))
    same_outcome(*both(f"for i in range(len(b)):\n    b[i] = {value}\nreturn sum(b)", MAKERS[kind]))


def test_updates():
    same_outcome(*both("b[0] += 100\nreturn b[0]", lambda: bytearray(b"ab")))
    same_outcome(*both("b[0] += 200\nreturn b[0]", lambda: bytearray(b"ab")))  # a ValueError: a byte is at most 255
    same_outcome(*both("b[1] -= 0.5\nreturn b[1]", lambda: array.array("d", [1.0, 2.0])))


def test_stores_to_read_only_objects():
    same_outcome(*both("b[0] = 1\nreturn 0", lambda: b"ab"))
    same_outcome(*both("b[0] = 1\nreturn 0", lambda: memoryview(b"ab")))


def test_subscripts_out_of_range():
    for at in ("b[9]", "b[-9]"):
        same_outcome(*both(at, lambda: b"abc"))
        same_outcome(*both(f"{at} = 1\nreturn 0", lambda: bytearray(b"abc")))


def test_attributes_and_methods():
    for text in ("b.shape", "b.nbytes", "b.itemsize", "b.readonly", "b.ndim", "b.format", "b.tolist()"):
        same_outcome(*both(text, lambda: memoryview(np.arange(5.0))))
    for text in ("b.itemsize", "b.typecode", "b.tolist()", "b.count(1)", "b.index(2)", "b.index(9)"):
        same_outcome(*both(text, lambda: array.array("i", [1, 2, 1])))
    same_outcome(*both("b[1, 1] + b[0, 0]", lambda: memoryview(np.arange(6).reshape(2, 3))))


def test_numpy_takes_the_elements():
    f = jit(function("b", "x = np.asarray(b)\nx[0] = 9\nreturn x.sum(), x.dtype.itemsize"))
    b = bytearray(b"\x01\x02\xff")
    assert f(b) == (9 + 2 + 255, 1) and b[0] == 9
    g = jit(function("b", "np.frombuffer(b, np.uint8) + np.uint8(1)"))
    assert g(b"\x01\xff").tolist() == [2, 0]
    assert jit(function("", "np.frombuffer(b'abcdefgh', np.int32)"))().tolist() == np.frombuffer(b"abcdefgh", np.int32).tolist()
    assert not jit(function("", "np.frombuffer(b'abcdefgh', np.int32)"))().flags.writeable


def test_frombuffer_shares_the_memory():
    f = jit(function("b", "np.frombuffer(b, np.uint8)"))
    for b in (b"abc", bytearray(b"abc"), memoryview(b"abc")):
        a = f(b)
        assert np.shares_memory(a, np.frombuffer(b, np.uint8)) and a.flags.writeable == (type(b) is bytearray)
    stored = jit(function("b", "a = np.frombuffer(b, np.uint8)\na[1] = 7\nreturn a[1:]"))
    x = bytearray(b"abc")
    assert stored(x).tolist() == [7, 99] and x == b"a\x07c"
    with pytest.raises(ValueError, match="read-only"):
        stored(b"abc")


def test_comparisons():
    for make in (lambda: b"abc", lambda: bytearray(b"abc"), lambda: array.array("d", [1.0, 2.0])):
        for text in ("b == b", "b != b", "b == b[:2]", "b[1:] > b", "b[:0] == b[:0]"):
            same_outcome(*both(text, make))


def test_empty():
    same_outcome(*both("sum(b), len(b), bool(b)", lambda: b""))
    same_outcome(*both("max(b)", lambda: b""))


def test_constants():
    for text in ("sum(b'abc')", "max(b'abc')", "s = 0\nfor x in b'abc':\n    s += x\nreturn s", "b'abc'[1]"):
        f = function("", text)
        assert jit(f)() == f()


def test_beyond_64_bits():
    for text in ("b[0]", "sum(b)", "max(b)"):
        with pytest.raises(UnsupportedError, match="does not fit into int64"):
            jit(function("b", text))(array.array("Q", [2 ** 63]))
        assert jit(function("b", text))(array.array("Q", [2 ** 63 - 1])) == 2 ** 63 - 1


@pytest.mark.parametrize("body, make, says", [
    ("b", lambda: b"abc", "cannot be returned"), ("b + b", lambda: b"abc", "not compiled"), ("b == b'abc'", lambda: b"abc", "not compiled"), ("b == b", lambda: memoryview(b"ab"), "not compiled"),
    ("b * 2", lambda: array.array("d", [1.0]), "not compiled"), ("np.sum(b)", lambda: b"abc", "np.frombuffer"), ("b[0:2] = b[1:3]\nreturn 0", lambda: bytearray(4), "not compiled"),
    ("for x in b:\n    pass", lambda: memoryview(np.ones((2, 2))), "several dimensions"), ("b[0]", lambda: memoryview(np.ones(2, complex)), "format"),
    ("for i in prange(2):\n    b[i] = 1", lambda: bytearray(2), "parallel loop"), ("np.frombuffer(b, np.int16)", lambda: bytearray(4), "another type"),
    ("b[0]", lambda: array.array("u", "ab"), "format"),
])
def test_refused(body, make, says):
    with pytest.raises(UnsupportedError, match=says):
        jit(function("b", body))(make())


def test_one_version_for_each_class():
    f = jit(function("b", "b[0] * 2"))
    assert f(b"\xff") == 510 and f(bytearray(b"\xff")) == 510 and f(array.array("d", [0.5])) == 1.0
    assert type(f(np.array([255], np.uint8))) is np.uint8 and f(np.array([255], np.uint8)) == 254  # NumPy's numbers wrap
