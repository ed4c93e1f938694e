"""Numba's own test functions (numba.tests, which the package installs): what its tests compile with Numba is compiled with PyRaptor and compared here.
Numba's own test functions (numba.tests, which the package installs): each function that a test compiles with Numba is compiled with PyRaptor and
compared.
`numba.jit` and `numba.njit` become a decorator that compares each call and then returns plain Python's result to the test. The assertions of the test
itself are not counted, only the calls.
"""
import builtins
import contextlib
import functools
import importlib
import io
import linecache
import pathlib
import pkgutil
import sys
import types
import unittest
import warnings

import numpy as np

import judge
import target
from pyraptor import prange

NAME, TITLE = "numba", "Numba's test functions"

#: Tests of Numba's internals, processes and tools, and of bytecode that differs from the function's source: none of them contains a function that a
#: user would compile.
LEFT_OUT = """analysis api array_analysis asnumbatype byteflow caching cffi cgutils chrome_trace cli codegen compile_cache compiler_flags
compiler_lock config copy_propagate ctypes dataflow datamodel debug debuginfo deprecations dictimpl dispatcher doctest entrypoints
errorhandling event extending extending_types fastmath findlib firstlinefinder func_interface func_lifetime funcdesc function_type gdb_bindings
gdb_dwarf gil help import init_utils inlining interpreter ir ir_inlining ir_utils itanium_mangler jit_module jitclasses jitmethod
listimpl listobject llvm_pass_timings llvm_version_check make_function_to_jit_function mangling misc_coverage_support moved_modules nrt
nrt_refct num_threads numba_sysinfo object_mode optimisation_pipelines parallel_backend parfors_caching parfors_passes pipeline profiler
pycc pythonapi refop_pruning remove_dead repr runtests serialize setimpl stencils struct_ref support svml sys_monitoring
sys_stdin_assignment sysinfo target_extension target_overloadselector threadsafety tracing typeconv typedlist typedobjectutils typeguard
typeinfer typenames typeof types unpickle_without_module unsafe_intrinsics vectorization_type_inference warnings withlifting dictobject
extended_arg numpy_support objects typingerror literal_dispatch npdatetime""".split()

#: Test classes whose functions return uninitialised elements.
NOT_SET = ("TestNdEmpty", "TestNpEmpty", "TestNpyEmpty")

PER_TYPES = 30  # the number of calls compared for a function and one set of argument types; further calls are counted as one


def version():
    import numba
    return numba.__version__


class Hooks:
    """Hooks into Numba. `record` belongs to the case that is running; it is None while modules are loaded."""
    record, quiet = None, False


def of_numba(o):
    """Whether an object belongs to Numba, so that plain Python cannot run code that uses it."""
    module = o.__name__ if isinstance(o, types.ModuleType) else getattr(o, "__module__", None) or type(o).__module__
    return isinstance(module, str) and module.split(".")[0] in ("numba", "llvmlite") and not module.startswith("numba.tests")


def names_in(code):
    yield from code.co_names
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            yield from names_in(c)


class Twins:
    """Uncompiled copies of the test's functions: the same code, in which references to functions compiled by Numba are replaced by copies, too."""

    def __init__(self):
        self.functions, self.scopes = {}, {}
        self.module = types.ModuleType("numba")
        self.module.prange = prange

    def value(self, o):
        import numba
        if isinstance(o, Shim):
            return self.function(o.py_func)
        if o is numba.prange:
            return prange
        if o is numba:
            return self.module
        return o

    def function(self, f):
        if id(f) not in self.functions:
            scope = self.scopes.setdefault(id(f.__globals__), (f.__globals__, {}))[1]
            made = types.FunctionType(f.__code__, scope, f.__name__, f.__defaults__,
                                      f.__closure__ and tuple(self.cell(c) for c in f.__closure__))
            made.__kwdefaults__, made.__module__, made.__qualname__ = f.__kwdefaults__, f.__module__, f.__qualname__
            self.functions[id(f)] = (f, made)
        f, made = self.functions[id(f)]
        self.fill(f.__globals__)
        return made

    def cell(self, c):
        try:
            held = c.cell_contents
        except ValueError:
            return c
        return types.CellType(self.value(held)) if isinstance(held, Shim) or of_numba(held) else c

    def fill(self, names):
        """Adds names that the test's module has defined since. A name is first bound to a placeholder, because functions can refer to one another."""
        made = self.scopes[id(names)][1]
        for k in [k for k in names if k not in made]:
            made[k] = None
            made[k] = self.value(names[k])


def short_of(cell):
    try:
        held = cell.cell_contents
    except ValueError:
        return None
    return (type(held), repr(held)) if isinstance(held, (int, float, complex, str, tuple)) else id(held)


class Shim:
    """Stands in for Numba's dispatcher in the tests."""

    def __init__(self, function, options):
        self.py_func, self.targetoptions, self.judged = function, options, {}
        functools.update_wrapper(self, function)

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args, **kwargs):
        plain = TWINS.function(self.py_func)
        args = tuple(TWINS.value(a) for a in args)
        if Hooks.record is not None and not Hooks.quiet:
            Hooks.quiet = True
            try:
                self.judge(plain, args, kwargs)
            finally:
                Hooks.quiet = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(*args, **kwargs)

    def judge(self, plain, args, kwargs):
        kinds = str([(type(a), getattr(a, "dtype", None), getattr(a, "ndim", None), getattr(a, "strides", None)) for a in args])
        kind = (id(self.py_func.__code__), kinds)
        JUDGED[kind] = JUDGED.get(kind, 0) + 1
        if JUDGED[kind] > PER_TYPES:
            return
        record = Hooks.record
        record.begin(f"{plain.__name__} {judge.short(args, 80)}")
        if any(of_numba(a) for a in args):
            record.end("not applicable", "an argument is an object of Numba's")
            return
        # A compiled version contains the closure's values as constants, so each set of values needs its own compiled function.
        key = (id(self.py_func), *[short_of(c) for c in self.py_func.__closure__ or ()])
        if key not in COMPILED:
            COMPILED[key] = (self.py_func, target.compiled(plain))
        outcome, detail = judge.judge(plain, COMPILED[key][1], args, kwargs, target.REFUSAL, record.phase)
        if outcome == "wrong" and "searchsorted" in plain.__name__ and args and not np.all(np.sort(args[0]) == args[0]):
            outcome, detail = "not applicable", "searchsorted of what is not sorted (or has NaN within)"
        if outcome == "wrong" and "argsort" in plain.__name__ and args[0].ndim == 1:
            a, b = (args[0][f(*judge.equal_copy(args))] for f in (plain, COMPILED[key][1]))
            if np.array_equal(a, b, equal_nan=True):
                outcome, detail = "right", "equal elements in another order, which NumPy leaves open"
        if outcome == "wrong" and "partition" in plain.__name__ and partitioned(plain, COMPILED[key][1], args, kwargs):
            outcome, detail = "right", "parted at the same places; the order within the parts NumPy leaves open"
        if outcome == "wrong" and "slogdet" in plain.__name__:
            a, b = (f(*judge.equal_copy(args)) for f in (plain, COMPILED[key][1]))
            if abs(a[1] - b[1]) < 1e-12 and abs(a[0] - b[0]) < 1e-12:
                outcome, detail = "right", "the logarithm of a number next to 1, by its absolute value"
        if outcome == "wrong" and "lstsq" in plain.__name__:
            a, b = (f(*judge.equal_copy(args))[0] for f in (plain, COMPILED[key][1]))
            if a.shape == b.shape and a.dtype == b.dtype and np.abs(a - b).max() <= 1e-12 * np.abs(args[1]).max():
                outcome, detail = "right", "a solution next to 0, by the size of the right side"
        if outcome in ("refused", "wrong", "crashed"):
            used = [n for n in names_in(plain.__code__) if of_numba(plain.__globals__.get(n))]
            held = [c for c in (plain.__closure__ or ()) if of_numba(getattr(c, "cell_contents", None))]
            if (used or held) and outcome != "crashed":
                outcome, detail = "not applicable", "the function uses Numba's own names"
        more = {}
        if outcome not in ("right", "refused", "not applicable"):
            code = plain.__code__
            more = {"at": f"{pathlib.Path(code.co_filename).name}:{code.co_firstlineno}", "args": judge.short(args, 300)}
        record.end(outcome, detail, **more)

    def __getattr__(self, name):
        raise AttributeError(f"not a part of this comparison: {name}")


def partitioned(plain, compiled, args, kwargs):
    """Whether both results of f(a, kth) have the same elements at the indices kth, and the same sets of elements between them."""
    a, kth = judge.equal_copy((args[0], args[1]))
    results = [np.asarray(f(*judge.equal_copy(args), **judge.equal_copy(kwargs))) for f in (plain, compiled)]
    if "arg" in plain.__name__:
        results = [np.take_along_axis(np.asarray(a), r, -1) for r in results]
    wanted, got = results
    if wanted.shape != got.shape or wanted.dtype != got.dtype or wanted.ndim == 0:
        return False
    places = sorted({int(k) % wanted.shape[-1] for k in np.atleast_1d(kth)})
    cuts = sorted({c for k in places for c in (k, k + 1)})
    pairs = zip(np.split(wanted, cuts, -1), np.split(got, cuts, -1))
    return all(np.array_equal(np.sort(x, -1), np.sort(y, -1), equal_nan=x.dtype.kind in "fc") for x, y in pairs)


TWINS, COMPILED, JUDGED = Twins(), {}, {}


def shim_of(real):
    def jit(signature_or_function=None, *args, **options):
        def wrap(f):
            if isinstance(f, Shim):
                return f
            inside = isinstance(f, types.FunctionType) and (f.__module__ or "").startswith("numba.") and \
                not f.__module__.startswith("numba.tests")
            if not isinstance(f, types.FunctionType) or inside:
                return real(f, **options)
            return Shim(f, options)
        if callable(signature_or_function) and not of_numba(signature_or_function):
            return wrap(signature_or_function)
        return wrap
    return jit


def exec_with_source(text, scope=None, local=None, /, *, plain=builtins.exec, **options):
    """exec() that makes the source of the functions it defines available to `inspect`, like that of functions in a file."""
    if isinstance(text, str):
        filename = f"<text {len(linecache.cache)}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        text = compile(text, filename, "exec", dont_inherit=True)
    if scope is None:
        caller = sys._getframe(1)
        scope, local = caller.f_globals, caller.f_locals
    return plain(text, scope, scope if local is None else local, **options)


def compiled_with_source(name, text, scope):
    """Replaces the function `compile_function` of the tests."""
    made = {}
    exec_with_source(text, scope, made)
    return made[name]


class Case:
    def __init__(self, name, kind, test):
        self.name, self.kind, self.test = name, kind, test

    def run(self, record):
        Hooks.record = record
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                self.kind(self.test).run(unittest.TestResult())
            except unittest.SkipTest:
                pass
        if not record.count:
            record.begin(self.test)
            record.end("not applicable", "compiles nothing by jit")


def cases(at):
    if at:
        sys.path.insert(0, str(at))
    import numba
    import numba.tests
    for m in ("typed", "experimental", "extending", "np.unsafe.ndarray", "parfors.parfor", "stencils.stencil", "core.inline_closurecall",
              "cpython.unsafe.tuple", "tests.support"):
        importlib.import_module(f"numba.{m}")
    numba.jit, numba.njit = shim_of(numba.jit), shim_of(numba.njit)
    builtins.exec = exec_with_source  # the tests define many of their functions with exec
    numba.tests.support.compile_function = compiled_with_source
    found = []
    for info in pkgutil.iter_modules(numba.tests.__path__):
        if not info.name.startswith("test_") or info.name[5:] in LEFT_OUT:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = importlib.import_module(f"numba.tests.{info.name}")
        except Exception as e:
            print(f"{info.name} is left out: {type(e).__name__}: {e}", file=sys.stderr)
            continue
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, unittest.TestCase) and kind.__module__ == module.__name__ and \
                    not kind.__name__.startswith(NOT_SET):
                for test in unittest.defaultTestLoader.getTestCaseNames(kind):
                    found.append(Case(f"{info.name}.{kind.__name__}.{test}", kind, test))
    return found
