"""Plain Python is the oracle: `check(f, *args)` runs f in Python and compiled, on copies of the arguments, and compares everything."""
import copy
import linecache
import os
import zlib

import numpy as np
import pytest

import pyraptor
from pyraptor import _jit


#: NumPy 1 promotes numbers by their values; compiled code uses the rules of NumPy 2 with both.
NUMPY_1 = np.lib.NumpyVersion(np.__version__) < "2.0.0"


#: VR_TEST_LONG=1: every combination, where tests take a part.
LONG = bool(os.environ.get("VR_TEST_LONG"))


@pytest.fixture
def device():
    """Skips a test that needs a device."""
    if not _jit.has_device():
        pytest.skip("no OpenCL device")


def some(items, count, *key):
    """`count` of the items, evenly spread; which ones depends on the key, so that the keys together have all. All in the long form."""
    items = list(items)
    if LONG or count >= len(items):
        return items
    first = zlib.crc32(repr(key).encode())
    return [items[k] for k in sorted({(first + len(items) * n // count) % len(items) for n in range(count)})]


def same(a, b, path="result", exact_types=True, rtol=1e-12):
    if isinstance(a, (tuple, list)):
        assert type(a) is type(b) and len(a) == len(b), f"{path}: {a!r} and {b!r}"
        for k, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{path}[{k}]", exact_types, rtol)
        return
    if isinstance(a, dict):
        assert type(a) is type(b), f"{path}: {a!r} and {b!r}"
        same(list(a.items()), list(b.items()), path, exact_types, rtol)
        return
    if NUMPY_1 and not isinstance(a, np.ndarray):
        exact_types = False
    if exact_types:
        assert type(a) is type(b), f"{path}: {type(a)} and {type(b)}: {a!r} {b!r}"
    if a is None or isinstance(a, str):
        assert a == b, path
        return
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype and a.shape == b.shape, f"{path}: {a.dtype}{a.shape} and {b.dtype}{b.shape}"
    dtype = np.asarray(a).dtype
    if dtype.kind in "fc":
        single = (np.float32, np.complex64)
        tolerance = 2e-5 if dtype in single or (NUMPY_1 and np.asarray(b).dtype in single) else max(rtol, 1e-12)
        scale = 1.0 if not np.size(a) else max(1.0, float(np.max(np.abs(np.where(np.isfinite(a), a, 0)))))
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance * scale * 1e-3, err_msg=path)
    else:
        np.testing.assert_array_equal(b, a, err_msg=path)


def run(f, args):
    with np.errstate(all="ignore"):
        try:
            return f(*args), None
        except Exception as e:
            return None, e


def compiled_once(f, options):
    """jit(f), made once for each function, engine and set of options: calls with other layouts of the same types need no other compilation."""
    made = f.__dict__.setdefault("_compiled_once", {}) if hasattr(f, "__dict__") and hasattr(f, "__code__") else {}
    how = (_jit.engine_for, pyraptor.config.opt_level, *sorted(options.items()))
    if how not in made:
        made[how] = pyraptor.jit(f, **options)
    return made[how]


def compare(f, *args, types=True, rtol=1e-12, **options):
    plain, compiled = copy.deepcopy(args), copy.deepcopy(args)
    jitted = f if hasattr(f, "_impl") else compiled_once(f, options)
    wanted, error = run(jitted.__wrapped__, plain)
    got, fault = run(jitted, compiled)
    if error is not None:
        assert fault is not None, f"plain Python raises {error!r}, compiled code gave {got!r}"
        assert isinstance(fault, type(error)), f"{error!r} and {fault!r}"
        return fault
    if fault is not None:
        raise fault
    same(wanted, got, exact_types=types, rtol=rtol)
    for k, (x, y) in enumerate(zip(plain, compiled)):
        if isinstance(x, (np.ndarray, list, tuple)):
            same(x, y, f"argument {k}", rtol=rtol)
    return got


def function(arguments, body, **names):
    """A function from source text (an expression or statements) that inspect can find."""
    if "\n" not in body and not body.lstrip().startswith("return"):
        body = f"return {body}"
    text = f"def f({arguments}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    filename = f"<test {len(linecache.cache)} {arguments}: {body[:40]}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"np": np, "pyraptor": pyraptor, "prange": pyraptor.prange, **names}
    exec(compile(text, filename, "exec"), scope)
    return scope["f"]


@pytest.fixture
def make():
    return function


@pytest.fixture
def check():
    return compare


@pytest.fixture(autouse=True)
def quick(request):
    """Tests compile much and run little: so optimisation is off, except in files that set OPT_LEVEL."""
    config = pyraptor.config
    config.tiered, config.disk_cache, config.opt_level = False, False, getattr(request.module, "OPT_LEVEL", 0)
    yield
    config.tiered, config.disk_cache, config.opt_level = True, True, 2
