"""array-api-tests (data-apis.org): calls of the array API's functions with the arguments that the suite generates.

Needs pytest, pytest-json-report, hypothesis, ndindex and a checkout with its submodule array-api. The suite tests NumPy's namespace; each call of one of its
functions is also compiled and compared, and the suite continues with NumPy's result. Operators and methods of arrays are NumPy's own.
"""
import contextlib
import functools
import importlib
import io
import os
import pathlib
import re
import subprocess
import sys
import types
import warnings

import numpy as np

import judge
import target

NAME, TITLE = "array-api", "array-api-tests"
EXAMPLES = 6  # Hypothesis examples per test
SEED = 1  # Hypothesis seed; another seed generates other arguments (run.py --seed)
PER_TEST = 60  # calls compared per test

LEFT_OUT = {"test_array_object", "test_dlpack", "test_has_names", "test_inspection_functions", "test_signatures", "test_constants"}

# Functions that are not compared: they return a type or an array with undefined elements, or depend on the array object.
NOT_JUDGED = {"empty", "empty_like", "from_dlpack", "asarray", "finfo", "iinfo", "isdtype", "can_cast", "result_type", "astype",
              "__array_namespace_info__", "broadcast_arrays", "meshgrid"}
_at = None


def version():
    done = subprocess.run(["git", "-C", str(_at), "log", "-1", "--format=%h of %cs"], capture_output=True, text=True)
    return f"{done.stdout.strip() or 'unknown'}, NumPy {np.__version__}"


class Hooks:
    record, count = None, 0


class Text:
    """Writes a call as source code: arrays become parameters, all other arguments are written as a user would write them."""

    def __init__(self):
        self.arrays = []

    def write(self, o):
        if isinstance(o, np.ndarray):
            self.arrays.append(o)
            return f"x{len(self.arrays)}"
        if isinstance(o, (tuple, list)):
            inner = ", ".join(self.write(v) for v in o)
            return f"({inner}{',' if len(o) == 1 else ''})" if isinstance(o, tuple) else f"[{inner}]"
        if isinstance(o, np.generic):
            self.arrays.append(o)
            return f"x{len(self.arrays)}"
        if isinstance(o, (float, complex)) and not re.fullmatch(r"[-+0-9.ej()]+", repr(o)):
            self.arrays.append(o)
            return f"x{len(self.arrays)}"
        if isinstance(o, (bool, int, float, complex, str, type(None))):
            return repr(o)
        if isinstance(o, (type, np.dtype)) and hasattr(np, np.dtype(o).name):
            return f"np.{np.dtype(o).name}"
        raise ValueError(type(o).__name__)


@functools.lru_cache(maxsize=None)
def functions(name, arguments, count):
    parameters = ", ".join(f"x{k + 1}" for k in range(count))
    text = f"import numpy as np\n\ndef f({parameters}):\n    return {name}({arguments})\n"
    f = target.module_of(text, "array_api")["f"]
    return f, target.compiled(f)


def judged(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        record = Hooks.record
        if record is not None and Hooks.count < PER_TEST:
            Hooks.count += 1
            text = Text()
            try:
                arguments = ", ".join([text.write(a) for a in args] + [f"{k}={text.write(v)}" for k, v in kwargs.items()])
            except ValueError:
                arguments = None
            if arguments is not None:
                record.begin(f"{name}({arguments})")
                plain, compiled = functions(name, arguments, len(text.arrays))
                outcome = judge.judge(plain, compiled, tuple(text.arrays), None, target.REFUSAL, record.phase)
                more = {} if outcome[0] in ("right", "refused", "not applicable") else {"args": repr(text.arrays)[:600]}
                record.end(*outcome, **more)
        return function(*args, **kwargs)
    return call


def namespace(module, path, names=None):
    """NumPy's module, in which each function of the array API is replaced by one that also compares compiled code."""
    made = types.ModuleType(module.__name__)
    made.__dict__.update({k: v for k, v in vars(module).items() if not k.startswith("__")})
    for k in dir(module):
        if not k.startswith("_"):
            value = getattr(module, k)
            if k not in NOT_JUDGED and callable(value) and not isinstance(value, type) and (names is None or k in names):
                setattr(made, k, judged(f"{path}.{k}", value))
    return made


def install():
    xp = namespace(np, "np", set())
    xp.__array_api_version__ = np.__array_api_version__
    xp.__array_namespace_info__ = np.__array_namespace_info__
    xp.__name__ = "numpy"
    sys.modules["pyraptor_array_api"] = xp
    os.environ["ARRAY_API_TESTS_MODULE"] = "pyraptor_array_api"
    # Arrays of these types are refused as arguments, so examples with them would show nothing new.
    os.environ.setdefault("ARRAY_API_TESTS_SKIP_DTYPES", "int8,int16,uint8,uint16,uint32,uint64")
    warnings.filterwarnings("ignore", module="array_api_tests")
    importlib.import_module("array_api_tests")
    stubs = importlib.import_module("array_api_tests.stubs")
    names = {f.__name__ for group in stubs.category_to_funcs.values() for f in group} | {"take", "conj", "imag", "real"}
    for k in names - NOT_JUDGED:
        if hasattr(np, k):
            setattr(xp, k, judged(f"np.{k}", getattr(np, k)))
    xp.linalg, xp.fft = namespace(np.linalg, "np.linalg"), namespace(np.fft, "np.fft")


class Case:
    def __init__(self, name, path, test):
        self.name, self.path, self.test = name, path, test

    def run(self, record):
        import pytest
        Hooks.record = record
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(_at), "-c", str(_at / "pytest.ini"), "--max-examples",
                                  str(EXAMPLES), f"--hypothesis-seed={SEED}", f"{self.path}::{self.test}"])
        if status in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR):
            raise RuntimeError("pytest cannot load the suite")
        if not record.count:
            record.begin(self.test)
            record.end("not applicable", "calls no function of the namespace")


def cases(at):
    global _at
    if at is None:
        raise SystemExit("array-api needs --at: the folder of a checkout")
    _at = pathlib.Path(at).resolve()
    os.chdir(_at)
    sys.path.insert(0, str(_at))
    install()
    found = []
    for path in sorted((_at / "array_api_tests").glob("test_*.py")):
        if path.stem in LEFT_OUT:
            continue
        importlib.import_module(f"array_api_tests.{path.stem}")
        for line in path.read_text().splitlines():
            if m := re.match(r"(?:def|class) (test_\w+|Test\w+)", line):
                found.append(Case(f"{path.stem}.{m[1]}", path, m[1]))
    return found
