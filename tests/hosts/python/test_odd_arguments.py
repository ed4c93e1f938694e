"""Unusual arguments of NumPy's functions, mainly constants: compiled code agrees with NumPy, raises as it does, or refuses."""
import collections
import decimal
import fractions
import inspect
import warnings

import numpy as np
import pytest

import pyraptor
from conftest import NUMPY_1, function, run, same
from pyraptor import UnsupportedError, _numpy, jit

ODD = ["'foo'", "('foo',)", "1.5", "None", "7", "-9", "(0, 0)", "(3, 0)", "[0]", "np"]
X = np.arange(6.0).reshape(2, 3)

# NumPy's results for these changed between versions.
LEFT_OUT = {"np.count_nonzero", "np.histogram", "np.empty", "np.empty_like", "x.newbyteorder"}
# The parameter exists in NumPy, or is positional only there: the argument here has its meaning.
BY_POSITION = {("np.array_equal", "b"), ("np.inner", "b"), ("np.vdot", "b"), ("x.fill", "value"), ("x.dot", "b")}


def handlers():
    for o, handler in _numpy.TABLE.values():
        name = getattr(o, "__name__", "")
        for module, prefix in ((np, "np"), (np.linalg, "np.linalg")):
            if getattr(module, name, None) is o:
                yield f"{prefix}.{name}", handler
                break
    for name, handler in _numpy.METHODS.items():
        yield f"x.{name}", handler


def calls():
    for name, handler in sorted(handlers(), key=lambda pair: pair[0]):
        # Includes keywords that are internal parameters of the handler: programs must not be able to set these.
        parameters = [p for p in list(inspect.signature(handler).parameters.values())[3:] if p.kind is not p.VAR_POSITIONAL]
        for p in parameters:
            if name in LEFT_OUT or (name, p.name) in BY_POSITION:
                continue
            needed = ["x" if q.name in ("b", "y", "values") else "1" for q in parameters if q.default is q.empty and q is not p]
            for odd in ODD:
                yield f"{name}({', '.join(([] if name[0] == 'x' else ['x']) + needed + [f'{p.name}={odd}'])})"


def operands():
    """Unusual first operands. Many are not the tested function's responsibility: it is enough that they are refused or work."""
    for name, handler in sorted(handlers(), key=lambda pair: pair[0]):
        if name[0] != "x":
            parameters = [p for p in list(inspect.signature(handler).parameters.values())[3:] if p.default is p.empty]
            needed = ["x" if p.name in ("b", "y", "values") else "1" for p in parameters if p.kind is not p.VAR_POSITIONAL]
            for odd in ("'foo'", "('foo',)", "None", "np", "np.sin", "(x, 'foo')"):
                yield f"{name}({', '.join([odd, *needed])})"


def test_odd_operands_end_in_no_internal_error():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = [f"{call}: {c}" for call in operands() if "an internal error" in (c := complaint(call) or "")]
    assert not wrong, f"{len(wrong)} calls:\n" + "\n".join(wrong[:60])


def complaint(call):
    f = function("x", f"return {call}")
    jitted = pyraptor.jit(f)
    wanted, error = run(f, [X.copy()])
    got, fault = run(jitted, [X.copy()])
    if fault is not None and ("is not compiled in this form (" in str(fault) or isinstance(fault, pyraptor.CompileError)):
        return f"an internal error: {fault}"
    if isinstance(fault, pyraptor.UnsupportedError):
        return None
    if error is not None:
        return None if fault is not None else f"{error!r} wanted, {got!r} found"
    if fault is not None:
        return f"{wanted!r} wanted, {fault!r} found"
    try:
        same(wanted, got, exact_types=not NUMPY_1 and isinstance(wanted, np.ndarray), rtol=1e-9)
    except AssertionError as e:
        return str(e)
    return None


@pytest.mark.parametrize("shard", range(4))
def test_agrees_or_is_refused(shard):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = [f"{call}: {c}" for call in list(calls())[shard::4] if (c := complaint(call))]
    assert not wrong, f"{len(wrong)} calls:\n" + "\n".join(wrong[:60])


def test_a_handlers_own_parameters_are_no_arguments(make):
    x = np.linspace(0.1, 0.9, 4)
    for call in ("np.exp(x, word='cos')", "np.add(x, x, op=1)", "np.arctan2(x, x, floats=False)", "np.fliplr(x, axis=0)", "np.add(x, b=x)"):
        with pytest.raises(pyraptor.UnsupportedError, match="argument|position"):
            pyraptor.jit(make("x", call))(x)


def test_axes_and_flags(check, make):
    for call in ("np.concatenate((x, x), axis=None)", "np.append(x, x, axis=None)", "np.transpose(x, (-1, 0))", "x.astype(None)",
                 *([] if NUMPY_1 else ["np.asarray(x, copy=True)", "np.asarray(x, copy=None)"]), "np.sum(x, axis=(0, 1))", "x.sum(axis=(1,), keepdims=True)"):
        check(make("x", call), X)
    assert isinstance(check(make("x", "np.sum(x, axis=(0, 0))"), X), ValueError)
    for call in ("np.transpose(x, (3, 0))", "np.sum(x, axis=True)", "np.sum(x, axis=[0])",
                 "np.argsort(x, kind='foo')", "np.array(x, order='foo')", "np.sum(x, keepdims='foo')", "np.sum(x, dtype=np)"):
        with pytest.raises(pyraptor.UnsupportedError):
            pyraptor.jit(make("x", call))(X)


def test_a_shape_that_is_negative_at_run_time_is_refused(make):
    f = pyraptor.jit(make("x, n", "x.reshape(n)"))
    assert f(X, 6).shape == (6,)
    with pytest.raises(pyraptor.UnsupportedError, match="negative"):
        f(X, -1)


def test_products_in_place_need_a_matrix(check, make):
    for a, b in ((X, np.eye(3)), (X, np.ones(3)), (np.ones(3), np.ones(3))):
        fault = check(make("a, b", "a @= b\nreturn a"), a, b)
        assert isinstance(fault, (TypeError, ValueError)) == (b.ndim < 2 or np.lib.NumpyVersion(np.__version__) < "1.25.0")


@pytest.mark.parametrize("value", [2 ** 63, -2 ** 63 - 1, 10 ** 30])
def test_ints_beyond_64_bits(value):
    f = jit(function("k", "k"))
    assert f(5) == 5
    for given in (value, (value,), [value]):
        with pytest.raises(UnsupportedError, match="does not fit into 64 bits"):
            f(given)
    assert f(2 ** 63 - 1) == 2 ** 63 - 1 and f(-2 ** 63) == -2 ** 63
    g = jit(fallback=True)(function("k", "k + 1"))
    assert g(5) == 6
    with pytest.warns(pyraptor.PyRaptorWarning, match="plain Python"):
        assert g(value) == value + 1


def test_arguments_that_fall_back():
    g = jit(fallback=True)(function("k", "len(k)"))
    with pytest.warns(pyraptor.PyRaptorWarning, match="argument 'k'"):
        assert g([1, 2.5, "a"]) == 3


@pytest.mark.parametrize("kind", [np.float64, np.int32, np.longlong, np.uint8, np.bool_, np.complex64, np.float16])
def test_numpys_numbers_in_turn(kind):
    """The cache of types must distinguish types of numbers."""
    f = jit(function("a, b", "a, b"))
    for other in (np.float32, np.int64, np.uint16, np.complex128, np.intc):
        a, b = f(kind(1), other(1))
        assert a.dtype == np.dtype(kind) and b.dtype == np.dtype(other) and (a, b) == (1, 1)


class Whole(int):
    pass


class Column:
    """Has the interface of a pandas column."""

    def to_numpy(self):
        return np.arange(3.0)


@pytest.mark.parametrize("value, what, instead", [
    (np.ma.array([1.0, 2.0], mask=[0, 1]), "is a MaskedArray", "a.filled(...), or a.data and np.ma.getmaskarray(a)"), (np.matrix([[1.0]]), "is a matrix", "np.asarray(a)"),
    (Column(), "is a Column", "a.to_numpy()"), (Whole(3), "is a Whole", "int(a)"), (fractions.Fraction(1, 2), "is a Fraction", "float(a)"),
    (decimal.Decimal(1), "is a Decimal", "float(a)"), (iter("ab"), "iterator", "tuple(a)"), (collections.OrderedDict({1: 2}), "is an OrderedDict", "dict(a)"),
    (np.zeros((1, ) * 17), "has 17 dimensions, more than 16", "a.reshape(...)"), (np.array(["2020-01-01"], "M8[D]"), "holds datetime64[D]", "a.view(np.int64), which counts D"),
    (np.zeros(2, "m8[ns]"), "holds timedelta64[ns]", "a.view(np.int64), which counts ns"), (np.array(["a", "b"]), "holds <U1", "np.unique(a, return_inverse=True)[1]"),
    (np.array([1, None]), "holds object", "a.astype(...)"), ({1: "a"}, "is a dictionary that holds str", "from numbers to numbers"),
    ({1: [2]}, "is a dictionary that holds list", "from numbers to numbers"), ({1: 2, 3: None}, "is a dictionary that holds NoneType", "from numbers to numbers"),
    (np.zeros(2, [("x", "f8"), ("t", "U3")]), "holds [('x', '<f8'), ('t', '<U3')]", "a['x']"), (object(), "is an object", "NumPy arrays, numbers")])
def test_refused_arguments_state_what_to_pass(value, what, instead):
    with pytest.raises(UnsupportedError) as caught:
        jit(function("a", "a"))(value)
    lines = str(caught.value).split("\n")
    assert lines[0].startswith("argument 'a' ") and what in lines[0] and lines[0].endswith("which is not compiled")
    assert lines[-1].startswith("  Instead: pass ") and instead in lines[-1]


def test_the_suggested_arguments_are_compiled():
    f = jit(function("a", "a.sum()"))
    dates = np.array(["2020-01-01", "2020-02-01"], "M8[D]")
    masked = np.ma.array([1.0, 2.0], mask=[0, 1])
    assert f(dates.view(np.int64)) == 18262 + 18293 and f(np.unique(np.array(["b", "a", "b"]), return_inverse=True)[1]) == 2
    assert f(masked.filled(0.0)) == 1.0 and f(np.ma.getmaskarray(masked)) == 1 and f(Column().to_numpy()) == 3.0
