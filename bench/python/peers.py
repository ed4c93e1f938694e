"""The compilers with which PyRaptor is compared. Each builds a callable from one of the programs, or raises Unfit.

Numba, Cython and Pythran compile the functions of programs.py themselves. For Cython the types of all variables are declared, arrays are typed
memoryviews and checks are off. Code that Cython would execute through Python objects (`math`, tuples of extents, variable steps) is rewritten. NumPy
and JAX run the array programs of peer_arrays.py. C is the library of bench/c. Compilers that are not installed are skipped.
"""
from __future__ import annotations

import ast
import copy
import ctypes
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import types

import numpy as np

import peer_arrays
import programs


class Unfit(Exception):
    """There is no version of the program for this compiler."""


class C:
    """The C programs, called with arrays and numbers."""

    def __init__(self):
        folder = pathlib.Path(__file__).resolve().parent.parent / "c"
        target = pathlib.Path(tempfile.mkdtemp()) / "peers.so"
        names = [n for n in programs.PROGRAMS]
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "openblas"], capture_output=True, text=True).stdout.split()
        subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", "-I", str(folder), "-o",
                        str(target), *(str(folder / f"{n}.c") for n in names), *flags, "-lm"], check=True)
        self.library = ctypes.CDLL(str(target))
        self.library.c_capr_in.restype = ctypes.c_double
        for n in ("pagerank", "growcut"):
            getattr(self.library, n).restype = ctypes.c_int64

    int = ctypes.c_int32

    def __getattr__(self, name):
        f = getattr(self.library, name)

        def call(*args):
            out = []
            for a in args:
                if isinstance(a, np.ndarray):
                    assert a.flags.c_contiguous
                    out.append(ctypes.c_void_p(a.ctypes.data))
                elif isinstance(a, float):
                    out.append(ctypes.c_double(a))
                elif isinstance(a, (int, np.integer)):
                    out.append(ctypes.c_int64(a))
                else:
                    out.append(a)
            return f(*out)
        return call


def numba_version(f, args, parallel):
    """The function, and the functions of programs.py that it calls, compiled by Numba."""
    import numba
    module = {**vars(programs), "prange": numba.prange}
    made = {}

    def jit(g):
        if g.__name__ not in made:
            copy_ = types.FunctionType(g.__code__, module, g.__name__, g.__defaults__)
            made[g.__name__] = numba.njit(copy_, parallel=parallel and g is f)
        return made[g.__name__]

    for name, o in list(module.items()):
        if callable(o) and getattr(o, "__module__", "") == "programs" and not name.startswith("make_"):
            module[name] = jit(o)
    return module[f.__name__]


def array_version(kit, f, args):
    """A callable that stores to its arguments like the function in programs.py."""
    if f.__name__ not in peer_arrays.PROGRAMS:
        raise Unfit
    function, places, constants = peer_arrays.PROGRAMS[f.__name__]
    if hasattr(kit, "jit"):
        if constants is None:
            raise Unfit
        # Arguments that are static for jit become constants of the program.
        run = kit.jit(lambda *a: function(kit, *a), static_argnums=constants)
    else:
        def run(*a):
            return function(kit, *a)

    def call(*args):
        results = run(*args)
        for place, value in zip(places, results):
            args[place][...] = value
        return np.asarray(results[len(places)]).item() if len(results) > len(places) else None
    return call


def numpy_version(f, args, parallel):
    return array_version(peer_arrays.NumPy, f, args)


def jax_version(f, args, parallel):
    return array_version(peer_arrays.jax_kit(), f, args)


def observed_types(f, args):
    """name -> (variables at the end, result) of one call of f in plain Python, and of each function of programs.py that it calls."""
    seen = {}

    def watch(frame, event, result):
        if event == "return" and frame.f_code.co_filename == f.__code__.co_filename:
            seen[frame.f_code.co_name] = (dict(frame.f_locals), result)
    args = copy.deepcopy(args)
    sys.setprofile(watch)
    try:
        f(*args)
    finally:
        sys.setprofile(None)
    return seen


def source(name):
    return inspect.getsource(getattr(programs, name))


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class CythonText(ast.NodeTransformer):
    """Rewrites Python source as a user of Cython would write it."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and (node.value.id == "math" or (node.value.id == "np" and node.attr == "sqrt")):
            return ast.Name({"pi": "M_PI"}.get(node.attr, node.attr))
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "complex":
            return ast.BinOp(node.args[0], ast.Add(), ast.BinOp(ast.Constant(1j), ast.Mult(), node.args[1]))
        if isinstance(node.func, ast.Name) and node.func.id == "int":
            return ast.parse(f"cython.cast(cython.long, {ast.unparse(node.args[0])})", mode="eval").body
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Attribute) and value.attr == "shape":
            return [ast.Assign([e], ast.Subscript(value, ast.Constant(k)), lineno=0) for k, e in enumerate(target.elts)]
        return node

    def visit_For(self, node):
        self.generic_visit(node)
        call = node.iter
        if len(call.args) == 3 and not isinstance(call.args[2], (ast.Constant, ast.UnaryOp)):
            assert not any(isinstance(n, ast.Continue) for n in ast.walk(node))
            more = ast.AugAssign(ast.Name(node.target.id), ast.Add(), call.args[2])
            return [ast.Assign([node.target], call.args[0], lineno=0),
                    ast.While(ast.Compare(ast.Name(node.target.id), [ast.Lt()], [call.args[1]]), [*node.body, more], [])]
        return node


def cython_type(a):
    if isinstance(a, np.ndarray):
        element = {"float64": "double", "complex128": "double complex", "int64": "long", "int32": "int"}[a.dtype.name]
        return f"{element}[{', '.join([':'] * (a.ndim - 1) + ['::1'])}]"
    if a is None:
        return "void"
    return "long" if isinstance(a, (int, np.integer)) else "double complex" if isinstance(a, complex) else "double"


def cython_version(f, args, parallel):
    if parallel:
        raise Unfit
    text = ("# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False\n"
            "import numpy as np\ncimport cython\nfrom libc.math cimport cos, floor, sin, sqrt, M_PI\n\n")
    for name, (variables, result) in observed_types(f, args).items():
        tree = CythonText().visit(ast.parse(source(name)))
        function = ast.fix_missing_locations(tree).body[0]
        parameters = [p.arg for p in function.args.args]
        own = [f"    cdef {cython_type(value)} {v}" for v, value in variables.items() if v not in parameters]
        body = own + ["    " + line for s in function.body for line in ast.unparse(s).splitlines()]
        head = f"def {name}" if name == f.__name__ else f"cdef {cython_type(result)} {name}"
        text += (f"{head}({', '.join(f'{cython_type(variables[v])} {v}' for v in parameters)})"
                 f"{'' if name == f.__name__ else ' noexcept'}:\n" + "\n".join(body) + "\n\n")
    folder = pathlib.Path(tempfile.mkdtemp())
    name = f"cython_{f.__name__}"
    (folder / f"{name}.pyx").write_text(text)
    run = {"cwd": folder, "check": True, "capture_output": True}
    subprocess.run([sys.executable, "-m", "cython", "-3", f"{name}.pyx"], **run)
    subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC", "-w", "-I", np.get_include(), "-I",
                    sysconfig.get_path("include"), f"{name}.c", "-o", f"{name}.so", "-lm"], **run)
    return getattr(load(folder / f"{name}.so", name), f.__name__)


def pythran_version(f, args, parallel):
    # Pythran gives a slice of a slice a new type, so that a recursion over slices needs infinitely many types.
    if parallel or f is programs.fft:
        raise Unfit

    def kind(a):
        if isinstance(a, np.ndarray):
            return f"{a.dtype.name}[{','.join([':'] * a.ndim)}]"
        return type(a).__name__
    names = list(observed_types(f, args))
    text = f"#pythran export {f.__name__}({', '.join(kind(a) for a in args)})\nimport math\nimport numpy as np\n\n\n"
    text += "\n\n".join(source(n) for n in names)
    folder = pathlib.Path(tempfile.mkdtemp())
    name = f"pythran_{f.__name__}"
    (folder / f"{name}.py").write_text(text)
    subprocess.run([sys.executable, "-m", "pythran.run", "-O3", "-march=native", "-ffp-contract=off", "-w", "-o", f"{name}.so",
                    f"{name}.py"], cwd=folder, check=True, capture_output=True, env={**os.environ, "CCACHE_DISABLE": "1"})
    return getattr(load(folder / f"{name}.so", name), f.__name__)


#: name -> (function that builds the callable, package that it needs), in the order of the table
PEERS = {
    "numba": (numba_version, "numba"),
    "cython": (cython_version, "Cython"),
    "pythran": (pythran_version, "pythran"),
    "numpy": (numpy_version, "numpy"),
    "jax": (jax_version, "jax"),
}


def installed():
    return [name for name, (_, package) in PEERS.items() if importlib.util.find_spec(package)]


def version(name):
    import importlib.metadata
    return importlib.metadata.version(PEERS[name][1])
