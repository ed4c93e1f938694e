"""Every public function of NumPy, called in a few ways: compiled code agrees with NumPy, or refuses at the caller's line."""
import warnings

import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, function, run, same

X, M, K = np.arange(1.0, 5), np.arange(1.0, 10).reshape(3, 3) + 5 * np.eye(3), np.array([2, 0, 1])
CALLS = [("x", "x", (X, )), ("m", "m", (M, )), ("k", "k, 1", (K, )), ("m, k", "m, m", (M, K)), ("x", "x, 2", (X, )), ("x", "2", (X, ))]

# Left out: functions whose result type depends on values (tested in test_linalg.py), and functions of files, of the terminal or of NumPy's settings.
LEFT_OUT = {"empty", "empty_like", "ndarray", "show_config", "show_runtime", "test", "info", "save", "savez", "savez_compressed",
            "savetxt", "fromfile", "get_include", "lookfor", "source", "who", "setbufsize", "seterr", "seterrcall", "DataSource",
            "set_printoptions", "set_string_function", "memmap", "load", "loadtxt", "genfromtxt", "recfromtxt", "recfromcsv",
            "promote_types", "eig", "eigvals", "show", "byte_bounds", "safe_eval", "clip", "deprecate", "deprecate_with_doc", "get_array_wrap"}


def names():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for space, module in (("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft)):
            for name in sorted(dir(module)):
                f = getattr(module, name, None)
                if callable(f) and not isinstance(f, type) and not name.startswith("_") and name not in LEFT_OUT:
                    yield f"{space}.{name}"


def complaint(name, parameters, call, args):
    """What is wrong with the compiled call; None if nothing is."""
    f = function(parameters, f"return {name}({call})")
    jitted = pyraptor.jit(f)
    wanted, error = run(f, [a.copy() for a in args])
    got, fault = run(jitted, [a.copy() for a in args])
    if isinstance(fault, pyraptor.UnsupportedError):
        return None if fault.lineno == 2 and fault.filename.startswith("<test") else f"refused elsewhere: {fault}"
    if error is not None:
        return None if isinstance(fault, type(error)) or isinstance(error, type(fault)) else f"{error!r}, but {got!r} {fault!r}"
    if fault is not None:
        return f"{fault!r}"
    if isinstance(wanted, np.ndarray) and wanted.ndim == 0:  # a number, as docs/python.md states
        wanted = wanted[()]
    try:
        # Results of some NumPy functions changed between int and int64.
        same(wanted, got, exact_types=not NUMPY_1 and isinstance(wanted, np.ndarray), rtol=1e-9)
    except AssertionError as e:
        return str(e)
    return None


@pytest.mark.parametrize("letters", ["ab", "cd", "efgh", "ijkl", "mno", "pqr", "stuvwxyz"])
def test_agrees_or_is_refused(letters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = [f"{name}({call}): {c}" for name in names() if name.split(".")[-1][0].lower() in letters
                 for parameters, call, args in CALLS if (c := complaint(name, parameters, call, args))]
    assert not wrong, "\n".join(wrong)
