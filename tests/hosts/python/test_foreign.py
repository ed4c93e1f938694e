"""scripts/foreign: the adapters that run other projects' tests, on small test suites of the same form made here."""
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import pyraptor

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOREIGN = ROOT / "scripts/foreign"
sys.path.insert(0, str(FOREIGN))

import judge  # noqa: E402
import pool  # noqa: E402
import reasons  # noqa: E402
import suite_octave  # noqa: E402


def write(folder, **files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return folder


def outcomes(tmp_path, suite, *options):
    """Runs a suite like a user does: ({call: (outcome, detail)}, exit status)."""
    out = tmp_path / "out.json"
    env = dict(os.environ, PYTHONPATH=str(pathlib.Path(pyraptor.__file__).parents[1]))
    done = subprocess.run([sys.executable, str(FOREIGN / "run.py"), suite, "--json", str(out), "--jobs", "1", "--opt", "0", *options],
                          env=env, cwd=tmp_path, capture_output=True, text=True, timeout=240)
    assert out.exists(), done.stderr
    return [(r["outcome"], r["call"], r["detail"]) for r in json.loads(out.read_text())["records"]], done.returncode


# ---- the judge

def plain(x):
    x[0] += 1
    return x[1:], x.sum()


@pytest.mark.parametrize("compiled, outcome, word", [
    (plain, "right", ""),
    (lambda x: (plain(x)[0].copy(), x.sum()), "wrong", "an array of its own"),
    (lambda x: (x[1:], x.sum() + 1), "wrong", "argument 0"),
    (lambda x: (plain(x)[0], float(x.sum())), "wrong", "type of the result[1]"),
    (lambda x: (plain(x)[0], x.sum() + 1e-9), "right", ""),
    (lambda x: (plain(x)[0], np.float64(1.0)), "wrong", "elements differ"),
    (lambda x: plain(x[:, None]), "wrong", ""),
])
def test_judge(compiled, outcome, word):
    x = np.arange(1e4)
    found, detail = judge.judge(plain, compiled, (x, ))
    assert found == outcome and word in detail, detail
    assert x[0] == 0.0  # both sides get copies


@pytest.mark.parametrize("wanted, got, same", [
    (0j, complex(1e-16, -0.0), True), (0j, complex(1e-6, -0.0), False), (1 + 0j, complex(1 + 1e-15, -0.0), True),
    (1 + 0j, complex(1 + 1e-15, -1e-6), False),
])
def test_signs_of_zeros_in_complex_numbers(wanted, got, same):
    assert (judge.difference(np.array([wanted, 5]), np.array([got, 5])) is None) == same


def test_judge_of_errors():
    def fails(x):
        raise ValueError("no")

    def unsupported(x):
        raise pyraptor.UnsupportedError("'list' is not compiled")

    def internal(x):
        raise pyraptor.UnsupportedError("this (Expr) is not compiled in this form (KeyError: 3)")

    x = (np.ones(2), )
    refusal = (pyraptor.UnsupportedError, )
    assert judge.judge(fails, fails, x)[0] == "right"
    assert judge.judge(fails, plain, x)[0] == "wrong"
    assert judge.judge(plain, fails, x)[0] == "wrong"
    assert judge.judge(plain, unsupported, x, refusal=refusal) == ("refused", "'list' is not compiled")
    assert judge.judge(plain, internal, x, refusal=refusal)[0] == "crashed"


def test_signs_of_zero_and_nans():
    assert judge.difference(np.array([0.0]), np.array([-0.0]))
    assert judge.difference(-0.0, 0.0)
    assert not judge.difference(np.array([np.nan, np.inf]), np.array([np.nan, np.inf]))
    assert judge.difference(np.array([np.inf]), np.array([-np.inf]))
    assert judge.difference(np.float32(1), np.float64(1))
    assert judge.difference(np.bool_(True), True)


def test_copies_keep_memory_in_common():
    base = np.arange(12.0)
    base.flags.writeable = False
    a, b, again = judge.equal_copy((base[::2], base[1:], base))
    assert a.strides == (16, ) and not again.flags.writeable
    assert np.shares_memory(a, again) and not np.shares_memory(a, base)
    assert (a == base[::2]).all() and (b == base[1:]).all()


# ---- the pool

class Fake:
    def __init__(self, name, run):
        self.name, self.run = name, run


def test_crashes_and_hangs_are_records():
    def crash(record):
        record.begin("first")
        record.end("right")
        record.begin("second")
        record.phase("compiled")
        os.abort()

    def hang(record):
        record.begin("endless")
        record.phase("compiled")
        while True:
            pass

    def sleeps(record):
        record.begin("waiting")
        record.phase("compiled")
        time.sleep(1000)

    def slow_plain(record):
        record.begin("slow")
        record.phase("plain")
        while True:
            pass

    def fails(record):
        raise KeyError("x")

    found = list(pool.run([Fake("a", crash), Fake("b", hang), Fake("c", slow_plain), Fake("d", fails), Fake("e", sleeps)], 3, 1))
    assert sorted((r["case"], r["outcome"]) for r in found) == [
        ("a", "crashed"), ("a", "right"), ("b", "hung"), ("c", "not applicable"), ("d", "not applicable"), ("e", "hung")]
    assert {r["call"] for r in found if r["case"] == "a"} == {"first", "second"}
    assert reasons.counts(found)["crashed"] == 1


# ---- the suites

def test_pythran(tmp_path):
    at = write(tmp_path / "at", **{
        "pythran/__init__.py": "__version__ = '0'",
        "pythran/tests/__init__.py": """
            import unittest
            class TestEnv(unittest.TestCase):
                def run_test(self, code, *params, **interface): raise AssertionError
                def run_test_case(self, code, name, runas, module_dir=None, **interface): raise AssertionError
            """,
        "pythran/tests/test_some.py": """
            import unittest
            from pythran.tests import TestEnv
            import numpy
            class TestSome(TestEnv):
                def test_right(self):
                    self.run_test('''
                        def f(x, k): return g(x) + k
                        def g(x):
                            import numpy as np
                            return np.sin(x)''', numpy.arange(4.), 2, f=[])
                def test_refused(self):
                    self.run_test("def f(x): return sorted(str(x))", [2, 1], f=[])
                def test_two(self):
                    for k in (1, 2):
                        self.run_test("def f(k): return k // 2", k, f=[int], check_exception=True)
                def test_file(self):
                    self.run_test_case("def f(k): return k * 2", "name", "n = 4; f(n)", f=[])
                def test_skipped(self):
                    raise unittest.SkipTest
            """})
    found, status = outcomes(tmp_path, "pythran", "--at", str(at))
    assert status == 0
    assert sorted(o for o, _, _ in found) == ["not applicable", "refused", "right", "right", "right", "right"]


def test_numba(tmp_path):
    files = {f"numba/{m}/__init__.py": "" for m in (
        "typed", "experimental", "extending", "np", "np/unsafe", "np/unsafe/ndarray", "parfors", "parfors/parfor", "stencils",
        "stencils/stencil", "core", "core/inline_closurecall", "cpython", "cpython/unsafe", "cpython/unsafe/tuple", "tests/support")}
    at = write(tmp_path / "at", **files, **{
        "numba/__init__.py": """
            __version__ = "0"
            class prange: pass
            def jit(*args, **options): raise AssertionError
            njit = jit
            """,
        "numba/tests/__init__.py": "",
        "numba/tests/test_some.py": """
            import unittest
            import numba
            import numpy as np
            from numba import jit, njit, prange
            @njit
            def total(x):
                s = 0.0
                for i in prange(len(x)):
                    s += x[i]
                return s
            def halves(x): return total(x) / 2
            @jit(nopython=True)
            def listed(x): return set(str(x))
            def own(x): return numba.typeof(x)
            class TestSome(unittest.TestCase):
                def test_calls(self):
                    f = njit(cache=True)(halves)
                    self.assertEqual(f(np.ones(4)), 2.0)
                    self.assertEqual(listed(1), {"1"})
                def test_own(self):
                    with self.assertRaises(Exception):
                        jit(own)(2)
                def test_none(self): pass
            """})
    found, status = outcomes(tmp_path, "numba", "--at", str(at))
    assert status == 0
    assert sorted(o for o, _, _ in found) == ["not applicable", "not applicable", "refused", "right"]


def test_npbench(tmp_path):
    info = {"benchmark": {"short_name": "some", "relative_path": "some", "module_name": "some", "func_name": "kernel",
                          "parameters": {"S": {"N": 10}}, "init": {"func_name": "initialize", "input_args": ["N"], "output_args": ["x", "y"]},
                          "input_args": ["N", "x", "y"]}}
    at = write(tmp_path / "at", **{
        "bench_info/some.json": json.dumps(info),
        "npbench/benchmarks/some/some.py": "import numpy as np\ndef initialize(N): return np.ones(N), np.zeros(N)",
        "npbench/benchmarks/some/some_numpy.py": "def kernel(N, x, y):\n    for i in range(1, N):\n        y[i] = y[i - 1] + x[i]\n"})
    found, status = outcomes(tmp_path, "npbench", "--at", str(at))
    assert status == 0 and [(o, c) for o, c, _ in found] == [("right", "kernel")]


def test_pyccel(tmp_path):
    at = write(tmp_path / "at", **{
        "tests/epyccel/modules/__init__.py": "",
        "tests/epyccel/modules/some.py": "def halves(x : 'float'): return x / 2",
        "tests/epyccel/test_some.py": """
            import numpy as np
            import pytest
            from pyccel import epyccel
            from pyccel.decorators import stack_array
            from modules import some
            @pytest.mark.parametrize("k", [1, pytest.param(2, marks=pytest.mark.c)])
            @pytest.mark.parametrize("a, b", [(1, 2.0)])
            def test_calls(language, k, a, b):
                @stack_array("y")
                def total(x : 'float[:]', k : 'int'):
                    y = x * k
                    return y.sum()
                assert epyccel(total, language=language)(np.ones(4), k) == 4 * k
            def test_module(language):
                assert epyccel(some, language=language).halves(3) == 1.5
            def test_refused(language):
                def f(x : 'int'): return len({str(x)})
                assert epyccel(f)(1) == 1
            def test_none(language): pass
            """})
    found, status = outcomes(tmp_path, "pyccel", "--at", str(at))
    assert status == 0
    assert sorted(o for o, _, _ in found) == ["not applicable", "refused", "right", "right", "right"]


@pytest.mark.skipif(not hasattr(np, "__array_api_version__"), reason="NumPy 1 has no array API")
def test_array_api(tmp_path):
    at = write(tmp_path / "at", **{
        "pytest.ini": "[pytest]\n",
        "conftest.py": "def pytest_addoption(parser): parser.addoption('--max-examples')",
        "array_api_tests/__init__.py": """
            import os, importlib
            xp = importlib.import_module(os.environ["ARRAY_API_TESTS_MODULE"])
            """,
        "array_api_tests/stubs.py": """
            def add(): pass
            def sum(): pass
            def unique_all(): pass
            category_to_funcs = {"some": [add, sum, unique_all]}
            """,
        "array_api_tests/test_some.py": """
            from . import xp
            def test_some():
                x = xp.arange(4.0)
                assert xp.add(x, 2).sum() == 14
                assert xp.sum(x, axis=0, keepdims=True) == 6
                xp.unique_all(x)
            def test_none(): pass
            """})
    found, status = outcomes(tmp_path, "array-api", "--at", str(at))
    assert status == 0
    assert [(o, c) for o, c, _ in found] == [("right", "np.add(x1, 2)"), ("right", "np.sum(x1, axis=0, keepdims=True)"),
                                             ("refused", "np.unique_all(x1)"), ("not applicable", "test_none")]


def test_samples_count_together():
    import page
    def run(suite, *cases):
        return {"suite": suite, "title": suite, "version": "1", "of": 9, "cases": len({c for c, _ in cases}),
                "records": [{"case": c, "call": "f", "outcome": o, "detail": ""} for c, o in cases]}
    a, b = page.joined([run("some", ("x", "right"), ("y", "wrong"), ("y", "right")), run("other", ("x", "right")),
                        run("some", ("y", "right"), ("z", "refused"))])
    assert a["cases"] == 3 and [(r["case"], r["outcome"]) for r in a["records"]] == [("x", "right"), ("y", "right"), ("z", "refused")]
    assert b["cases"] == 1 and "| some | 1 | 3 of 9 | 3 | 2 | 1 | 0 |" in page.text([a, b])
    later = page.text([{**a, "version": "2"}], page.text([a, b]))  # the counts of the other suite stay
    assert "| some | 2 | 3 of 9 |" in later and later.count("| some |") == 1 and "| other | 1 | 1 of 9 |" in later and later.count("**some.**") == 1


# ---- Octave's test blocks: as text, then a run if Octave is installed

BLOCKS = """\
function r = some (x)
endfunction
%!assert (abs ([-1, 2]), [1, 2])
%!assert <*123> (sum (ones (2, 3), 2), [3; 3], eps)
%!shared v
%! v = 3;
%!test
%! x = [3, 1, ...
%!      2];  # three
%! assert (sort (x), [1, 2, 3]);
%! assert (strrep ("a, b", ",", ")"), "a) b");
%!assert (abs (1) + 2, 3)
%!assert (abs ('a'), 97)
%!assert (abs (v), 3)
%!error abs ()
%!demo
%! abs (1)
"""


def test_octave_text():
    found = list(suite_octave.assertions(BLOCKS))
    calls = [(i[2], i[3], i[4]) for i in found if len(i) > 2]
    assert calls == [(("abs", "[-1, 2]"), "[1, 2]", "0"), (("sum", "ones (2, 3), 2"), "[3; 3]", "eps"), (("sort", "x"), "[1, 2, 3]", "0"),
                     (("abs", "'a'"), "97", "0"), (("abs", "v"), "3", "0")]
    assert [i[1] for i in found if len(i) == 2] == ["function 'strrep'", "an expression of operators, or a variable",
                                                    "expects an error or warning of Octave's"]
    assert suite_octave.split_arguments("[a', b'], 'x, y', f (1, 2)") == ["[a', b']", "'x, y'", "f (1, 2)"]
    assert suite_octave.split_arguments("a), (b") is None


def test_octave_tolerances():
    differs = suite_octave.differs
    one = np.array([[1.0]])
    assert differs(one, 0.0, np.float64(1.0)) is None
    assert differs(one, 0.0, np.float64(1.001)) and differs(one, 0.01, np.float64(1.001)) is None
    assert differs(one, -0.01, np.float64(1.001)) is None
    assert "class" in differs(one, 0.0, np.int64(1)) and "size" in differs(one, 0.0, np.ones((1, 2)))


@pytest.mark.skipif(not pathlib.Path(suite_octave._tool).exists() or not any(
    (pathlib.Path(p) / "octave-cli").exists() for p in os.environ["PATH"].split(os.pathsep)), reason="no octave-cli, or no vrir")
def test_octave(tmp_path):
    at = write(tmp_path / "at", **{"some.tst": BLOCKS})
    found, status = outcomes(tmp_path, "octave", "--at", str(at))
    assert status == 0
    assert [o for o, _, _ in found].count("right") == 4
    assert ("refused", "values of class char") in [(o, d) for o, _, d in found]
