"""The interface around compiled code: errors and their source locations, arguments, references, threads, processes, pickles, settings."""
import concurrent.futures
import ctypes
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
import warnings
import weakref

import numpy as np
import pytest

import pyraptor
from conftest import function
from pyraptor import UnsupportedError, config, f64, i64, jit


def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


# ---- errors
def far(x, k):
    y = x * 2
    return y[k]


def test_errors_point_at_the_python_line():
    with pytest.raises(IndexError) as caught:
        jit(far)(np.zeros(3), 7)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].filename == __file__ and frames[-1].name == "far" and frames[-1].line == "return y[k]"
    e = caught.value
    assert (e.array, e.axis, e.index, e.extent) == ("y", 0, 7, 3)
    assert "index 7 is out of bounds for axis 0" in str(e)


def measures(x):
    y = x + 1
    str(y).split()
    return y


def test_unsupported_shows_the_place():
    with pytest.raises(UnsupportedError) as caught:
        jit(measures)(1)
    e = caught.value
    assert e.filename == __file__ and e.lineno == measures.__code__.co_firstlineno + 2
    lines = str(e).splitlines()
    assert "str(y).split()" in lines[2] and lines[3].strip().startswith("^")
    copy = pickle.loads(pickle.dumps(e))
    assert str(copy) == str(e) and copy.lineno == e.lineno


def test_fallback():
    f = jit(measures, fallback=True)
    with pytest.warns(pyraptor.PyRaptorWarning, match="runs as plain Python"):
        assert f(1) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(1) == 2  # the warning is issued once
    assert f.report()[0]["target"] == "python"


@pytest.mark.parametrize("body", ["x.append(1)", "y = {**x}", "y = str(x).split()", "y = f'{x}'.encode()",
                                  "y = lambda **v: v", "del x[0]",
                                  "with open('f') as f:\n        pass", "y = x[1:2, 3, 4]", "y = np.fromstring('1', sep=' ')", "global z"])
def test_refused_programs(body, tmp_path):
    file = tmp_path / "refused.py"
    file.write_text(f"import numpy as np\ndef f(x):\n    {body}\n    return 0.0\n")
    scope = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    with pytest.raises(UnsupportedError) as caught:
        jit(scope["f"])(np.zeros(3))
    assert caught.value.lineno == 3


def test_types_that_do_not_meet():
    def f(x):
        if x > 0:
            y = 1.0
        else:
            y = np.zeros(3)
        return y

    with pytest.raises(UnsupportedError, match="'y' is"):
        jit(f)(1.0)


# ---- arguments
BAD = [np.zeros(3, np.longdouble), np.zeros(3, "U4"), np.array("a"), np.zeros(3, object), [1, "a"], [2**70], [[1], [1, 2.0]], type("L", (list, ), {})([1]), {1: "a"}, object(),
       np.matrix([[1.0]])]


@pytest.mark.parametrize("value", BAD, ids=lambda v: type(v).__name__ + getattr(getattr(v, "dtype", None), "str", ""))
def test_arguments_that_are_refused(value):
    with pytest.raises(UnsupportedError, match="argument 'x'"):
        jit(total)(value)


@pytest.mark.parametrize("value, hint", [(np.zeros(3, np.longdouble), "x.astype(...)"), (np.zeros(3, "i4,U8"), "its fields: x['f0']"), (np.zeros(3, "i4,f8"), "take a field first"),
                                         ([b"a"], "pass lists of numbers"), ([1, "a"], "all items the same type"), ([1, True], "all items the same type"), (np.array(1.0, ">f8"), "x.item()"), (np.longdouble(1), "np.float64(...)")])
def test_refused_arguments_say_what_to_pass(value, hint):
    with pytest.raises(UnsupportedError, match="Instead") as caught:
        jit(total)(value)
    assert hint in str(caught.value)


def first(x):
    x[0] = 1


def misaligned(a):
    room = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype)
    room[:] = a
    return room


def test_arrays_that_are_copied():
    f = jit(total)
    for a in (misaligned(np.arange(4.0)), np.arange(4.0).astype(">f8")):
        assert f(a) == 6.0
        with pytest.raises(UnsupportedError, match="is stored to"):
            jit(first)(a)
    assert f.report()[0]["copied_arguments"] == 2


ODD_STORES = {
    "b = x if c else y\nb[0] = 1", "b = y if c else x\nb[0] = 1", "b = y\nif not c:\n    b = x\nb[0] = 1", "a, b = (x, y) if c else (y, x)\na[0] = 1",
    "b = x if c else y\nb[1:][0] = 1", "b = x\nfor k in range(2):\n    t = b\n    b = y\n    y = t\n    b[0] = 1", "put(x if c else y)",
    "put(either(x, y, c))", "b = x[1:] if c else y[1:]\nb.fill(1)", "b = x\nwhile c:\n    b[0] = 1\n    c = False", "y, x = x, y\ny[0] = 1",
    "b = x[::-1] if c else y\nb += 1", "b = x.T if c else y.T\nb.sort()", "b = (a := x)\nb[0] = 1", "np.add(y, 1, out=x if c else y)",
}


@pytest.mark.parametrize("body", sorted(ODD_STORES))
def test_stores_to_copies_are_not_lost(make, body):
    """For all names of the array: either a store that cannot be made in place is refused, or everything is as in NumPy."""
    def put(z):
        z[0] = 1

    def either(v, w, c):
        return v if c else w

    f, refused = make("x, y, c", body, put=put, either=either), 0
    for c in (True, False):
        for odd in ("x", "y", "xy"):
            def arguments():
                return [misaligned(np.arange(3.0, 0, -1)) if name in odd else np.arange(3.0, 0, -1) for name in "xy"]
            plain, ours = arguments(), arguments()
            f(*plain, c)
            try:
                jit(f)(*ours, c)
            except UnsupportedError as e:
                assert "is stored to" in str(e)
                plain, refused = arguments(), refused + 1
            for a, b in zip(plain, ours):
                np.testing.assert_array_equal(a, b)
    assert refused >= 2


def test_copies_are_not_returned(make):
    for body in ("return x", "return x[1:]", "return x.sum(), x.T", "return x.ravel()", "return x if c else x + 1", "return np.asarray(x)"):
        for x in (misaligned(np.arange(4.0)), np.arange(4.0).astype(">f8")):
            with pytest.raises(UnsupportedError, match="is returned, and it is not aligned"):
                jit(make("x, c", body))(x, True)
            assert (jit(make("x", "return x + 1, x.copy(), x[1]"))(x)[1] == x).all()
            f = jit(make("x, c", body), fallback=True)
            with pytest.warns(pyraptor.PyRaptorWarning, match="is returned"):
                f(x, True)


def test_copies_of_arrays_that_are_modified_later():
    @jit
    def f(x, y):
        y[0] = 7.0
        return x[0]

    room = np.zeros(33, np.uint8)
    x, y = room[1:].view(np.float64), room[:32].view(np.float64)
    with pytest.raises(UnsupportedError, match="overlaps"):
        f(x, y)
    assert f(misaligned(np.ones(3)), y) == 1.0 and y[0] == 7.0


def test_large_ints():
    with pytest.raises(pyraptor.UnsupportedError, match="argument 'x' is an int that does not fit into 64 bits"):
        jit(lambda_free)(2 ** 70)


def lambda_free(x):
    return x + 1


def test_read_only_arrays():
    @jit
    def f(x):
        x[0] = 1

    @jit
    def g(x):
        return x[0], x[1:]

    a = np.zeros(3)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        f(a)
    assert g(a)[0] == 0
    assert not g(a)[1].flags.writeable


class Exports:
    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **kwargs):
        return self.a.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


def first_and_all(x):
    return x[0], sum(x)


def test_other_ways_to_hold_numbers(tmp_path):
    import array
    f, g = jit(total), jit(first_and_all)
    assert g(array.array("d", [1.0, 2.0])) == (1.0, 3.0)
    assert f(memoryview(np.arange(4.0))) == 6.0
    assert f(Exports(np.arange(3.0))) == 3.0
    mapped = np.memmap(tmp_path / "m", np.float64, "w+", shape=(4, ))
    mapped[:] = 2
    assert f(mapped) == 8.0


def test_annotations():
    @jit
    def f(x: f64[:], n: i64, scale: "f64"):
        return x[0] * scale + n

    assert f(np.ones(2), 3, 2) == 5.0
    with pytest.raises(TypeError, match="argument 'x' must be"):
        f(np.ones((2, 2)), 3, 2.0)
    with pytest.raises(TypeError):
        f(np.ones(2), 2.5, 2.0)

    from numpy.typing import NDArray

    @jit
    def g(x: NDArray[np.float64], label: str = "a"):
        return x.sum()

    assert g(np.ones((2, 2))) == 4.0
    with pytest.raises(TypeError):
        g(np.ones(2, np.int64))


def test_many_arguments_and_none():
    names = [f"a{k}" for k in range(20)]
    f = jit(function(", ".join(names), f"return {' + '.join(names)}, a0"))
    arrays = [np.full(3, float(k)) for k in range(20)]
    total_, first_ = f(*arrays)
    assert total_[0] == 190.0 and first_ is arrays[0]
    assert jit(function("", "return np.ones(2).sum(), 3"))() == (2.0, 3)
    assert jit(function("x", "x + 1\nreturn"))(1) is None
    assert jit(function("x", "return None, (), (x, ())"))(1) == (None, (), (1, ()))


# ---- references
def test_references_balance():
    @jit
    def f(a, b):
        c = a + b
        return a, b[1:], c, c[:2], (a, 1, None)

    a, b = np.arange(3.0), np.arange(3.0)
    f(a, b)
    gc.collect()
    before = sys.getrefcount(a), sys.getrefcount(b)
    for _ in range(100):
        f(a, b)
    assert (sys.getrefcount(a), sys.getrefcount(b)) == before
    kept = f(a, b)
    assert kept[0] is a and kept[4][0] is a and kept[4][2] is None
    assert np.shares_memory(kept[1], b) and np.shares_memory(kept[2], kept[3])
    view, weak = kept[1], weakref.ref(b)
    del kept, b
    gc.collect()
    assert weak() is not None and view[0] == 1.0  # the view keeps its array alive
    del view
    gc.collect()
    assert weak() is None


def heap_in_use():
    """The number of bytes allocated by malloc, or None if the C library cannot report it."""
    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks",
                                                         "fsmblks", "uordblks", "fordblks", "keepcost")]
    try:
        mallinfo2 = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return None
    mallinfo2.restype = Info
    info = mallinfo2()
    return info.uordblks + info.hblkhd


@pytest.mark.skipif(heap_in_use() is None, reason="needs mallinfo2")
def test_calls_keep_no_memory():
    @jit
    def f(a, b):
        return a[1:], b, a + b, b[::-1], a[:0]

    a, b = np.arange(30.0), np.arange(30.0)

    def grown(calls):
        gc.collect()
        before = heap_in_use()
        for _ in range(calls):
            f(a, b)
        gc.collect()
        return heap_in_use() - before

    grown(1000)
    # A leaked block per call would have some hundred bytes.
    assert min(grown(2000) for _ in range(3)) < 2000 * 20


def test_results_outlive_each_other():
    @jit
    def f(n):
        a = np.arange(n) * 1.0
        return a, a[1:]

    whole, part = f(1000)
    del whole
    gc.collect()
    _ = [f(1000) for _ in range(10)]
    assert part[0] == 1.0 and part[-1] == 999.0


def test_failed_calls_release_their_arguments():
    @jit
    def f(a, k):
        b = a * 2
        return b, a[k]

    a = np.zeros(3)
    before = sys.getrefcount(a)
    for _ in range(50):
        with pytest.raises(IndexError):
            f(a, 5)
    assert sys.getrefcount(a) == before


def test_refused_calls_release_their_arguments():
    f = jit(measures)
    a = np.zeros(3)
    before = sys.getrefcount(a)
    for _ in range(3):
        with pytest.raises(UnsupportedError):
            f(a)
    assert sys.getrefcount(a) == before


# ---- threads and processes
def test_threads_call_at_once():
    f = jit(total)
    xs = [np.full(20000, float(k)) for k in range(8)]
    results = [None] * 8
    barrier = threading.Barrier(8)

    def work(k):
        barrier.wait()
        for _ in range(20):
            results[k] = f(xs[k])

    threads = [threading.Thread(target=work, args=(k, )) for k in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert results == [20000.0 * k for k in range(8)]
    assert len(f._impl.versions) == 1


def test_the_gil_is_free_while_native_code_runs():
    @jit
    def spin(n):
        s = 0
        for i in range(n):
            s = s * 3 + i % 7
        return s

    spin(10)
    count = [0]
    done = threading.Event()

    def counter():
        while not done.is_set():
            count[0] += 1

    t = threading.Thread(target=counter)
    t.start()
    before = count[0]
    spin(200_000_000)
    after = count[0]
    done.set()
    t.join()
    assert after > before + 1000


@pytest.mark.parametrize("large", [False, True])
def test_the_gil_is_free_in_calls_without_loops_on_large_arrays(large):
    """Python's own thread switches are turned off: the other thread runs only when this one releases the GIL."""
    @jit
    def f(a, b):
        return a * b - a

    a, b = np.ones(2000000 if large else 4), np.ones(2000000 if large else 4)
    f(a, b)
    inside, seen, stop = [False], [], threading.Event()

    def watch():
        while not stop.is_set():
            if inside[0]:
                seen.append(True)
            time.sleep(0)  # releases the GIL

    interval = sys.getswitchinterval()
    t = threading.Thread(target=watch)
    try:
        t.start()
        time.sleep(0.01)
        sys.setswitchinterval(1000)
        for _ in range(200):
            inside[0] = True
            f(a, b)
            inside[0] = False
            if seen:
                break
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        t.join()
    assert bool(seen) == large  # for few numbers, releasing the GIL would cost more than the work


compiled_total = jit(total)


def in_child(x):
    return float(compiled_total(x))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes():
    x = np.arange(10.0)
    assert compiled_total(x) == 45.0
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(in_child, [x, x * 2]).get(timeout=60) == [45.0, 90.0]


def test_spawned_processes():
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(compiled_total, np.arange(5.0)).result(timeout=120) == 10.0


FACTOR = 3


def test_pickles_by_name_and_by_source():
    assert pickle.loads(pickle.dumps(compiled_total)) is compiled_total
    offset = 5

    @jit
    def inner(x):
        return x * FACTOR

    @jit(fastmath=True)
    def outer(x, k=2):
        if k > 5:
            return outer(x, k - 1)
        return inner(x) + offset + k + np.floor(0.5)

    copy = pickle.loads(pickle.dumps(outer))
    assert copy is not outer and copy(1.0) == outer(1.0) == 10.0 and copy(1.0, 7) == outer(1.0, 7)
    assert copy._impl.options["fastmath"] is True
    again = pickle.loads(pickle.dumps(copy))
    assert again(2.0) == outer(2.0)


# ---- tools
def test_inspect_and_report():
    f = jit(total)
    with pytest.raises(ValueError):
        f.inspect()
    f(np.zeros(3))
    assert f.inspect("vrir").startswith("(module :name total")
    assert "define" in f.inspect("llvm") and "total" in f.inspect("asm")
    with pytest.raises(ValueError):
        f.inspect("nonsense")
    assert "float32" in f.inspect("vrir", np.zeros(3, np.float32))
    f.compile(np.zeros(3, np.int64))
    report = f.report()
    assert len(report) == 3 and report[0]["types"] == ("float64[:]", ) and report[0]["optimised"]
    assert report[0]["compile"]["total_ms"] > 0
    assert f.__wrapped__ is total and f.__name__ == "total" and "total" in repr(f)


def test_config():
    with pytest.raises(AttributeError):
        config.nonsense = 1
    with pytest.raises(TypeError):
        config.threads = "2"
    assert "opt_level" in repr(config)
    config.tiered = True
    f = jit(total)
    assert f(np.ones(5)) == 5.0
    f.wait()
    assert f.report()[0]["optimised"] and f(np.ones(5)) == 5.0


def test_jit_of_an_object_that_is_not_a_function():
    with pytest.raises(TypeError):
        jit(3)
    with pytest.raises(UnsupportedError, match="source"):
        exec("def g(x): return x", scope := {})
        jit(scope["g"])(1)
    assert jit(jit(total)).__wrapped__ is total


def test_boundscheck_off():
    f = jit(total, boundscheck=False)
    assert f(np.ones(9)) == 9.0
    assert ":boundscheck %0" in f.inspect()


def test_command_line():
    run = subprocess.run([sys.executable, "-m", "pyraptor", "info"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and "pyraptor" in run.stdout and "numpy" in run.stdout


def test_stubs_list_the_existing_names():
    import ast
    import pathlib
    stub = ast.parse((pathlib.Path(pyraptor.__file__).parent / "__init__.pyi").read_text())
    names = {n.name for n in stub.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))} | {
        n.target.id for n in stub.body if isinstance(n, ast.AnnAssign)} | {
            a.name for n in stub.body if isinstance(n, ast.ImportFrom) and n.level for a in n.names}
    assert set(pyraptor.__all__) <= names | {"ArrayType"}
    for n in stub.body:
        if isinstance(n, ast.ClassDef) and n.name == "Config":
            assert {f.target.id for f in n.body} == set(pyraptor._config.Config._defaults)


def test_versions_of_regions():
    def neighbours(a, b, n):
        for t in range(n):
            for i in range(1, len(a) - 1):
                b[i] = a[i - 1] + a[i + 1]

    a, b = np.arange(9.0), np.zeros(9)
    f = jit(neighbours)
    for call in range(3):
        f(a, b, 2)
        f.wait()
    assert b.tolist() == [0, 2, 4, 6, 8, 10, 12, 14, 0]
    region, = f.report()[0]["regions"]
    assert region["function"].endswith("neighbours") and region["number"] == 1
    assert set(region["shapes"]) >= {"a"} and region["versions"] == 1
    assert region["specialised_calls"] >= 1 and region["general_calls"] >= 1 and not region["failure"]
    pyraptor.config.regions = "off"
    try:
        plain = jit(neighbours)
        plain(a, b, 2)
        assert plain.report()[0]["regions"] == []
        with pytest.raises(ValueError, match="'sometimes'"):
            pyraptor.config.regions = "sometimes"
    finally:
        pyraptor.config.regions = "background"


def test_each_method_of_the_translator_has_a_name_of_its_own():
    """It consists of many classes: a method of one would replace another's."""
    from pyraptor._function import Function

    names = [name for c in Function.__mro__[:-1] for name in vars(c) if not name.startswith("__")]
    assert len(names) == len(set(names)), sorted(name for name in set(names) if names.count(name) > 1)
