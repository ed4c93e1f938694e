"""Pyccel's tests of functions (tests/epyccel): each function that they pass to `epyccel` is compiled with PyRaptor and compared.

Needs a checkout and pytest; the package pyccel is not needed, because `epyccel` is replaced by a function that compares each call and returns
plain Python's result to the test. The test functions are called directly, once for each of their parameters.
"""
import contextlib
import functools
import importlib
import inspect
import io
import itertools
import pathlib
import subprocess
import sys
import types
import warnings

import judge
import target

NAME, TITLE = "pyccel", "Pyccel's tests"

#: Tests of MPI and OpenMP, of Pyccel's messages, and of how it stores modules on disk.
LEFT_OUT = {"test_mpi_collective", "test_mpi_point_to_point", "test_parallel_epyccel", "test_epyccel_openmp", "test_docstrings",
            "test_external_functions", "test_epyccel_garbage_collection", "test_epyccel_classes"}
PER_TYPES = 10  # the number of calls compared for a function and one set of argument types
_at = None


def version():
    done = subprocess.run(["git", "-C", str(_at), "log", "-1", "--format=%h of %cs"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


class Hooks:
    record = None


class Shim:
    """Stands in for a compiled function in a test."""

    def __init__(self, function):
        self.function, self.judged, self.compiled = function, {}, target.compiled(function)
        functools.update_wrapper(self, function)

    def __call__(self, *args, **kwargs):
        kinds = str([(type(a), getattr(a, "dtype", None), getattr(a, "ndim", None), getattr(a, "strides", None)) for a in args])
        self.judged[kinds] = self.judged.get(kinds, 0) + 1
        record = Hooks.record
        if record is not None and self.judged[kinds] <= PER_TYPES:
            record.begin(f"{self.function.__name__} {judge.short(args, 80)}")
            outcome, detail = judge.judge(self.function, self.compiled, args, kwargs, target.REFUSAL, record.phase)
            more = {}
            if outcome not in ("right", "refused", "not applicable"):
                code = self.function.__code__
                more = {"at": f"{pathlib.Path(code.co_filename).name}:{code.co_firstlineno}", "args": judge.short(args, 300)}
            record.end(outcome, detail, **more)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.function(*args, **kwargs)


def epyccel(what, **options):
    if isinstance(what, types.ModuleType):
        made = types.SimpleNamespace(**{k: v for k, v in vars(what).items() if not k.startswith("__")})
        for k, f in target.plain_functions(vars(what)).items():
            setattr(made, k, Shim(f))
        return made
    if not isinstance(what, types.FunctionType):
        raise TypeError("not a function")
    return Shim(what)


def install():
    """Installs the modules that the tests import: `epyccel`, and decorators that have no effect in plain Python."""
    package, decorators = types.ModuleType("pyccel"), types.ModuleType("pyccel.decorators")
    package.epyccel, package.decorators, package.__path__ = epyccel, decorators, []
    for name in ("pure", "private", "elemental", "inline"):
        setattr(decorators, name, lambda f: f)
    for name in ("stack_array", "allow_negative_index", "low_level"):
        setattr(decorators, name, lambda *args: lambda f: f)
    sys.modules["pyccel"], sys.modules["pyccel.decorators"] = package, decorators
    errors = types.ModuleType("pyccel.errors")
    errors.__path__ = []
    for name in ("errors", "messages"):  # tests of messages use these; they fail, and are not counted
        made = sys.modules[f"pyccel.errors.{name}"] = types.ModuleType(f"pyccel.errors.{name}")
        made.__getattr__ = lambda k: type(k, (Exception, ), {}) if k[0].isupper() else (_ for _ in ()).throw(AttributeError(k))
    sys.modules["pyccel.errors"] = errors


class Case:
    def __init__(self, name, function):
        self.name, self.function = name, function

    def calls(self):
        """The arguments of each call that pytest would make."""
        marks = [m for m in getattr(self.function, "pytestmark", []) if m.name == "parametrize"]
        sets = []
        for m in marks:
            names = [n.strip() for n in m.args[0].split(",")] if isinstance(m.args[0], str) else list(m.args[0])
            values = [getattr(v, "values", None) or ((v, ) if len(names) == 1 else v) for v in m.args[1]]
            sets.append([dict(zip(names, v)) for v in values])
        for chosen in itertools.product(*sets):
            given = {k: v for part in chosen for k, v in part.items()}
            for name in inspect.signature(self.function).parameters:
                if "language" in name:
                    given.setdefault(name, "python")
            yield given

    def run(self, record):
        Hooks.record = record
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for given in self.calls():
                try:
                    self.function(**given)
                except Exception as e:  # assertions about plain Python's result are not counted
                    if not record.count:
                        record.begin(self.name)
                        record.end("not applicable", f"the suite's own test failed: {type(e).__name__}: {e}"[:200])
        if not record.count:
            record.begin(self.name)
            record.end("not applicable", "compiles no function")


def cases(at):
    global _at
    if at is None:
        raise SystemExit("pyccel needs --at: the folder of a checkout")
    _at = pathlib.Path(at)
    sys.path[:0] = [str(_at / "tests/epyccel"), str(_at / "tests/epyccel/recognised_functions")]
    install()
    found = []
    for path in sorted((_at / "tests/epyccel").rglob("test_*.py")):
        if path.stem in LEFT_OUT:
            continue
        name = ".".join(path.relative_to(_at / "tests/epyccel").with_suffix("").parts)
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = importlib.import_module(name)
        except BaseException as e:  # pytest.skip for a whole file raises one
            print(f"{name} is left out: {type(e).__name__}: {e}", file=sys.stderr)
            continue
        for k, f in vars(module).items():
            if k.startswith("test_") and isinstance(f, types.FunctionType):
                found.append(Case(f"{name}.{k}", f))
    return found
