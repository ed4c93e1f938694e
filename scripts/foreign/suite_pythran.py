"""Pythran's own tests (pythran.tests): `self.run_test(code, args..., name=[types])` and files with `#runas` lines.

Needs the package pythran (its test base imports it) and a checkout or source archive with pythran/tests.
"""
import importlib
import io
import contextlib
import pathlib
import re
import sys
import textwrap
import types
import unittest

import judge
import target

NAME, TITLE = "pythran", "Pythran's tests"

# Files that test Pythran itself: its parser, its command line, its integration into distutils.
LEFT_OUT = {"test_distutils", "test_ipython", "test_xdoc", "test_import_all", "test_spec_parser", "test_version", "test_normalize_methods",
            "test_cython", "test_optimizations", "test_typing", "test_openmp"}


def version():
    import pythran
    return f"{pythran.__version__}"


class Hooks:
    """Replacements of TestEnv.run_test and run_test_case. `record` belongs to the case that is running."""
    record = None

    @staticmethod
    def run_test(self, code, *params, **interface):
        for key in ("prelude", "check_exception", "thread_count"):
            interface.pop(key, None)
        name = next(iter(interface))
        record = Hooks.record
        record.begin(f"{name} {judge.short(params, 60)}")
        try:
            text = textwrap.dedent(code)
            plain, other = target.module_of(text), target.module_of(text)
            function, jitted = plain[name], other[name]
        except Exception as e:
            record.end("not applicable", f"the text does not load: {type(e).__name__}")
            return
        if not isinstance(function, types.FunctionType):
            record.end("not applicable", "not a function")
            return
        outcome = judge.judge(function, target.compiled(jitted), params, None, target.REFUSAL, record.phase)
        record.end(*outcome, text=text if outcome[0] not in ("right", "refused") else "", args=judge.short(params, 300))

    @staticmethod
    def run_test_case(self, code, module_name, runas, module_dir=None, **interface):
        record = Hooks.record
        record.begin(module_name)
        if not runas:
            record.end("not applicable", "no call is given")
            return
        *begin, last = runas.split(";")
        line = ";".join(begin) + "\n" + "TEST_RETURNVAL = " + last.strip()

        def whole(compile_):
            def run():
                scope = target.module_of(code, module_name)
                if compile_:
                    for f in [k for k in interface if isinstance(scope.get(k), types.FunctionType)]:
                        scope[f] = target.compiled(scope[f])
                exec(line, scope)
                return scope["TEST_RETURNVAL"]
            return run

        outcome = judge.judge(whole(False), whole(True), (), None, target.REFUSAL, record.phase)
        record.end(*outcome, text=code if outcome[0] not in ("right", "refused") else "", args=line)


class Case:
    def __init__(self, name, make):
        self.name, self.make = name, make

    def run(self, record):
        Hooks.record = record
        test = self.make()
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                test.setUp()
                getattr(test, test._testMethodName)()
            except unittest.SkipTest:
                record.begin(self.name)
                record.end("not applicable", "skipped by the suite itself")
        if not record.count:
            record.begin(self.name)
            record.end("not applicable", "compiles nothing")


def instance(kind, test):
    """An instance of the test class. A class that generates its tests from all files of a folder is given only the file of this test, because it
    would read all of them every time."""
    files = getattr(kind, "files", None)
    if files:
        kind.files = [f for f in files if re.fullmatch(rf"test_{re.escape(pathlib.Path(f).stem)}_(no)?run\d+", test)] or files
    return kind(test)


def cases(at):
    if at:
        sys.path.insert(0, str(at))
        import pythran
        # The installed package is used with the tests of the checkout, because the checkout itself might have to be built first.
        pythran.__path__.append(str(pathlib.Path(at) / "pythran"))
    base = importlib.import_module("pythran.tests")
    base.TestEnv.run_test, base.TestEnv.run_test_case = Hooks.run_test, Hooks.run_test_case
    found = []
    for path in sorted(pathlib.Path(base.__file__).parent.glob("test_*.py")):
        if path.stem in LEFT_OUT:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                module = importlib.import_module(f"pythran.tests.{path.stem}")
        except Exception as e:
            print(f"{path.name} is left out: {type(e).__name__}: {e}", file=sys.stderr)
            continue
        # Only names are collected: some classes read hundreds of files whenever one of their tests is instantiated.
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, unittest.TestCase) and kind.__module__ == module.__name__:
                for test in unittest.defaultTestLoader.getTestCaseNames(kind):
                    found.append(Case(f"{path.stem}.{kind.__name__}.{test}", lambda kind=kind, test=test: instance(kind, test)))
    return found
