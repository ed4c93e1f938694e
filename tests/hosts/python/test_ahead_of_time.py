"""pyraptor.aot: C libraries and extension modules. The modules are imported in processes without PyRaptor."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import numpy as np
import pytest

import pyraptor
from pyraptor import UnsupportedError, aot, b1, c64, c128, f32, f64, i8, i64, jit, prange, u8

ROOT = pathlib.Path(__file__).resolve().parents[3]


def there():
    try:
        aot._runtime_folder(None)
    except FileNotFoundError:
        return False
    return bool(shutil.which("cc")) and os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))


pytestmark = pytest.mark.skipif(not there(), reason="no runtime for built libraries, no C compiler, or no Python.h")


def smooth(x: f64[:], k: f64):
    for i in range(1, x.shape[0] - 1):
        x[i] = (x[i - 1] + k * x[i] + x[i + 1]) / (k + 2)
    return x


def statistics(m: f64[:, ::1], scale: f32, n: i64, flag: b1, z: c128):
    total = 0
    for i in range(n):
        total += i
    return m.sum(axis=0) * scale, (m.mean(), total, scale, not flag), z * 2j, None


def tail(x: f64[:], n: i64):
    return x[n:], x[::2].copy()


def small(v: u8[:], k: i8, w: c64):
    return v + v, k, w * 2


def pick(x: f64[:], k: i64):
    if k > 100:
        raise ValueError(f"k is {k}, x {x[0]:.2f}")
    if k < -100:
        raise KeyError
    return x[k] * (10 // (k + 1))


def solved(a: f64[:, :], b: f64[:]):
    return np.linalg.solve(a, b)


def ordered(x: f64[:]):
    return np.sort(x), np.unique(x)


def total(x: f64[:]):
    s = 0.0
    for i in prange(len(x)):
        s += x[i]
    return s


def helper(x):
    return x * 3


def first(x: f64):
    return helper(x) + 1


def second(x: f64):
    return helper(x) + 2


def store(x: f64[:]):
    x[0] = 7.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("aot")
    path = aot.extension("built", smooth, statistics, tail, small, pick, solved, ordered, total, first, second, store, folder=where)
    assert path.parent == where and path.name.startswith("built.") and os.listdir(where) == [path.name]
    return where


def outside(folder, program):
    """The output, as JSON, of a process that imports the module and has no PyRaptor."""
    text = "import json, sys\nimport numpy as np\nimport built\n" + program + "\nassert 'pyraptor' not in sys.modules\n"
    done = subprocess.run([sys.executable, "-c", text], env={"PYTHONPATH": str(folder), "PATH": os.environ["PATH"]}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_result_equals_plain_pythons(folder):
    got = outside(folder, """
x, m = np.arange(6.0) ** 2, np.arange(6.0).reshape(2, 3)
a, rest, z, none = built.statistics(m, 2.0, 5, True, 1 + 1j)
y = np.arange(6.0) ** 2
assert built.smooth(y, 2.0) is y
print(json.dumps([y.tolist(), a.tolist(), str(a.dtype), list(map(float, rest)), [type(r).__name__ for r in rest], str(z), none]))""")
    x, m = np.arange(6.0) ** 2, np.arange(6.0).reshape(2, 3)
    a, rest, z, none = statistics(m, np.float32(2), 5, True, 1 + 1j)
    smooth(x, 2.0)
    assert got[0] == x.tolist() and got[1] == a.tolist() and got[2] == str(a.dtype) and got[5] == str(z) and got[6] is None
    assert got[3] == list(map(float, rest)) and got[4] == [type(r).__name__ for r in rest]


def test_small_types(folder):
    got = outside(folder, """
v, k, w = built.small(np.array([200, 3], np.uint8), -5, 1 + 2j)
print(json.dumps([v.tolist(), str(v.dtype), type(k).__name__, int(k), type(w).__name__, str(complex(w))]))""")
    assert got == [[144, 6], "uint8", "int8", -5, "complex64", "(2+4j)"]


def test_views_keep_the_argument(folder):
    assert outside(folder, """
x = np.arange(6.0)
v, c = built.tail(x, 2)
del_ = x
v[0] = 50.0
shares = np.shares_memory(v, x), np.shares_memory(c, x), v.base is not None
del x, del_
print(json.dumps([v.tolist(), c.tolist(), *shares]))""") == [[50.0, 3.0, 4.0, 5.0], [0.0, 2.0, 4.0], True, False, True]


def test_parts_of_the_runtime(folder):
    assert outside(folder, """
a, b = np.array([[4.0, 1.0], [2.0, 3.0]]), np.array([1.0, 2.0])
print(json.dumps([np.allclose(a @ built.solved(a, b), b), [r.tolist() for r in built.ordered(np.array([3.0, 1.0, 3.0]))],
                  built.total(np.ones(10000)), built.first(2.0), built.second(2.0)]))""") == [True, [[1, 3, 3], [1, 3]], 10000.0, 7.0, 8.0]


def test_buffers_of_all_kinds(folder):
    assert outside(folder, """
import array
a = array.array("d", [0.0, 4.0, 8.0])
assert built.smooth(a, 2.0) is a
assert built.smooth(np.zeros(0), 1.0).shape == (0,)
print(json.dumps([list(a), built.total(memoryview(a)), built.total(np.arange(3.0))]))""") == [[0.0, 4.0, 8.0], 12.0, 3.0]


@pytest.mark.parametrize("call, kind, text", [
    ("built.pick(np.ones(3), 5)", "IndexError", "index 5 is out of bounds for axis 0 of 'x' with size 3"),
    ("built.pick(np.ones(3), -1)", "ZeroDivisionError", "integer division or modulo by zero"),
    ("built.pick(np.full(3, 2.5), 101)", "ValueError", "k is 101, x 2.50"),
    ("built.pick(np.ones(3), -101)", "KeyError", ""),
    ("built.solved(np.zeros((2, 2)), np.ones(2))", "LinAlgError", "Singular matrix"),
    ("built.store(np.frombuffer(bytes(16)))", "ValueError", "assignment destination is read-only"),
    ("built.smooth(np.ones(3))", "TypeError", "smooth() takes 2 arguments by position, 1 are given"),
    ("built.smooth(np.ones(3, int), 1.0)", "TypeError", "argument 'x' must be an array of float64 of 1 dimensions"),
    ("built.smooth(np.ones((3, 3)), 1.0)", "TypeError", "argument 'x' must be an array of float64 of 1 dimensions"),
    ("built.smooth(np.ones(3, '>f8'), 1.0)", "TypeError", "argument 'x' must be an array of float64 of 1 dimensions"),
    ("built.smooth(np.ones(6)[::2], 1.0)", "TypeError", "argument 'x' must be contiguous, in C order"),
    ("built.smooth(np.zeros(25, np.uint8)[1:].view(float), 1.0)", "TypeError", "argument 'x' must be aligned"),
    ("built.smooth([1.0], 1.0)", "TypeError", "argument 'x' must be an array of float64, not list"),
    ("built.smooth(np.ones(3), '1')", "TypeError", "argument 'k' must be a number, not str"),
    ("built.smooth(np.ones(3), 1j)", "TypeError", "argument 'k' must be a number, not complex"),
    ("built.pick(np.ones(3), 1.0)", "TypeError", "argument 'k' must be an int, not float"),
    ("built.pick(np.ones(3), 2 ** 63)", "OverflowError", "argument 'k' does not fit into int64"),
    ("built.small(np.ones(3, np.uint8), 128, 1j)", "OverflowError", "argument 'k' does not fit into int8"),
    ("built.statistics(np.ones((2, 3)), 1.0, 5, 1, 0j)", "TypeError", "argument 'flag' must be a bool, not int"),
])
def test_errors(folder, call, kind, text):
    got = outside(folder, f"try:\n    {call}\n    print('null')\nexcept Exception as e:\n    print(json.dumps([type(e).__name__, str(e)]))")
    assert got == [kind, text]


def test_no_references_are_lost(folder):
    assert outside(folder, """
x, m = np.ones(5), np.ones((2, 3))
for k in range(50):
    built.smooth(x, 1.0); built.tail(x, 1); built.statistics(m, 1.0, 2, False, 1j)
    try:
        built.pick(x, 7)
    except IndexError:
        pass
print(json.dumps([sys.getrefcount(x), sys.getrefcount(m)]))""") == [2, 2]


def test_a_c_library(tmp_path):
    assert aot.build(tmp_path / "libfirst.so", smooth, first, second, header=tmp_path / "first.h") == []
    assert sorted(os.listdir(tmp_path)) == ["first.h", "libfirst.so"]
    assert "int32_t smooth(const vr_array *x, double k, vr_array *result, vr_error *error);" in (tmp_path / "first.h").read_text()
    import ctypes
    f, out = ctypes.CDLL(str(tmp_path / "libfirst.so")).second, ctypes.c_double()
    f.argtypes = [ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
    assert f(2.0, ctypes.byref(out), None) == 0 and out.value == 8.0


def test_c99_and_signatures(tmp_path):
    aot.build(tmp_path / "h.c", (helper, "float64(int64)"), header=tmp_path / "h.h")
    assert "helper(int64_t x" in (tmp_path / "h.h").read_text() and "helper(" in (tmp_path / "h.c").read_text()

    @jit("int64(int64)")
    def next_one(x):
        return x + 1
    aot.build(tmp_path / "s.o", next_one)
    assert (tmp_path / "s.o").read_bytes()[:4] == b"\x7fELF"


def test_the_structures_are_those_of_the_header(tmp_path):
    text = (ROOT / "hosts/python/pyraptor/extension_support.c").read_text()
    begin, end = text.index("/* As in velociraptor/descriptor.h"), text.index("/* An argument: the buffer")
    ours = text[begin:end].replace("vr_", "our_").replace("VR_", "OUR_")
    checks = [f"_Static_assert(sizeof(vr_{t}) == sizeof(our_{t}), \"{t}\");" for t in ("array", "error", "complex64", "complex128")]
    for t, fields in (("array", "data owner elem rank flags extent stride"), ("error", "code axis index extent function loc array message raised")):
        checks += [f"_Static_assert(offsetof(vr_{t}, {x}) == offsetof(our_{t}, {x}), \"{x}\");" for x in fields.split()]
    checks += [f"_Static_assert((int)VR_{x} == (int)OUR_{x}, \"{x}\");" for x in ("COMPLEX", "MAX_RANK", "ARRAY_READ_ONLY")]
    (tmp_path / "same.c").write_text("#include <stddef.h>\n#include <velociraptor/aot.h>\n" + ours + "\n".join(checks) + "\n")
    subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-I", str(ROOT / "include"), str(tmp_path / "same.c")], check=True)


def test_the_listing_of_the_manual(tmp_path):
    text = (ROOT / "docs/python.md").read_text().split("## Ahead of time\n")[1].split("```py\n")[1].split("```")[0]
    (tmp_path / "make.py").write_text(text)
    path = str(pathlib.Path(pyraptor.__file__).parents[1])
    subprocess.run([sys.executable, "make.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, check=True)
    assert (tmp_path / "libsmooth.a").exists() and "smooth(" in (tmp_path / "smooth.h").read_text()
    done = subprocess.run([sys.executable, "-c", "import numpy as np, smoothing as s; x = np.arange(4.0) ** 2; assert s.smooth(x, 1.0) is x; print(x.tolist())"],
                          cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == smooth(np.arange(4.0) ** 2, 1.0).tolist()


def untyped(x):
    return x


def with_global(x: f64[:]):
    return x + GLOBAL


GLOBAL = np.ones(3)


def lists(n: i64):
    return [k for k in range(n)]


def calls_python(x: f64[:]):
    return np.nextafter(x, x)


class Own(Exception):
    pass


def own_exception(k: i64):
    if k > 0:
        raise Own("x")
    return k


def transposed(m: f64[:, ::1]):
    return m.T


def many(*x):
    return x


@pytest.mark.parametrize("function, kind, text", [
    (untyped, TypeError, "the types of x are not known"),
    (with_global, UnsupportedError, "the global array 'GLOBAL' is used"),
    (lists, UnsupportedError, "a result is list"),
    (calls_python, UnsupportedError, "Python is called"),
    (own_exception, UnsupportedError, "raises Own, which is not a built-in exception"),
    (transposed, UnsupportedError, "a result is a transposed"),
    (many, UnsupportedError, "any number of arguments"),
    ((helper, "float64(float64, int64)"), TypeError, "has 2 arguments"),
    (3, TypeError, "jit needs a function"),
])
def test_refused(tmp_path, function, kind, text):
    with pytest.raises(kind, match=text.replace("(", r"\(")):
        aot.extension("no", function, folder=tmp_path)
    assert os.listdir(tmp_path) == []


def test_other_processors_and_machines(tmp_path):
    aot.build(tmp_path / "levels.a", first, target="x86-64,x86-64-v3")
    try:
        aot.build(tmp_path / "arm.o", first, target="aarch64")
        assert (tmp_path / "arm.o").read_bytes()[18] == 183    # EM_AARCH64
    except FileNotFoundError as e:
        assert "for aarch64 (libvrrt.a)" in str(e)
    with pytest.raises(UnsupportedError, match="for another machine than this one"):
        aot.extension("no", first, folder=tmp_path, target="aarch64:cortex-a72")


@pytest.mark.parametrize("options, kind, text", [
    (dict(cc="no-such-compiler"), UnsupportedError, "needs a C compiler, and 'no-such-compiler' does not run"),
    (dict(cc="false"), pyraptor.CompileError, "'false' failed for the extension module"),
    (dict(target="z80-and-more"), ValueError, "z80-and-more"),
    (dict(opt_level=7), ValueError, "optimisation level 7"),
    (dict(runtime="/nowhere"), FileNotFoundError, "no libvrrt in this folder"),
    (dict(folder="/nowhere"), ValueError, "/nowhere/no"),
    (dict(name="no-name"), ValueError, "'no-name' is not a module name"),
])
def test_wrong_options(tmp_path, options, kind, text):
    options = {"name": "no", "folder": tmp_path, **options}
    with pytest.raises(kind, match=text):
        aot.extension(options.pop("name"), first, **options)
    assert os.listdir(tmp_path) == []


def test_wrong_outputs(tmp_path):
    with pytest.raises(ValueError, match="ends with .o, .a, .so or .c"):
        aot.build(tmp_path / "x.dll", first)
    with pytest.raises(ValueError, match="has one module, not 2"):
        aot.build(tmp_path / "x.o", first, second)
    with pytest.raises(ValueError, match="two functions would be 'first' in C"):
        aot.build(tmp_path / "x.a", first, first)
    with pytest.raises(ValueError, match="there is no function to export"):
        aot.build(tmp_path / "x.a")
    assert os.listdir(tmp_path) == []
