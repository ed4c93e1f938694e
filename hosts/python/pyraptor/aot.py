"""Ahead-of-time compilation to C libraries, and to extension modules that need no PyRaptor at run time (docs/ahead-of-time.md).

    aot.build("libheat.a", heat, header="heat.h")
    aot.extension("heated", heat)

Both accept functions whose parameters are all annotated, functions with signatures, and pairs (function, signature).
"""
from __future__ import annotations

import os
import pathlib
import platform
import shlex
import subprocess
import sysconfig
import tempfile

from . import _native
from ._annotations import accepted
from ._classify import Flat, classify
from ._errors import CompileError, UnsupportedError
from ._jit import jit
from ._module import sample
from ._program import Program
from ._signatures import Signature, understood
from ._types import Array, Const, Group, Scalar, is_numeric

_PARALLEL, _STATIC = 1, 8           # VR_BUILD_PARALLEL, VR_BUILD_STATIC_RUNTIME
_USAGE, _NOT_FOUND = 24, 23         # descriptor.h


def build(output, *functions, header=None, target="generic", opt_level=2, static_runtime=False, runtime=None, cc=None):
    """Compiles functions to a library of C functions, which needs neither Python nor a compiler at run time.

        output          the file to write: libNAME.a, libNAME.so, or for a single function NAME.o or NAME.c (C99)
        functions       functions whose parameters are all annotated, jit functions with one signature, pairs (function, signature)
        header          the C header to write; None: no header
        target          "generic", "native", or a processor that LLVM knows, such as "x86-64-v3"; several levels of x86-64, separated by
                        commas; "aarch64": another machine
        opt_level       0 to 3
        static_runtime  a .so contains the runtime, libvrrt
        runtime         the folder of libvrrt; None: the folder of Velociraptor's library
        cc              the C compiler, which links a .so; None: the environment variable CC, else cc; for another machine
                        aarch64-linux-gnu-gcc

    Each file is written completely or not at all. Returns a list of notes for the user, such as sections that run on the CPU. Parallel loops use
    threads if one of the functions has jit(parallel=True), the default, and contains a parallel loop.

    Raises UnsupportedError for types that C functions cannot have or operations that the runtime does not support, ValueError for wrong arguments and
    files that cannot be written, and FileNotFoundError if there is no runtime.
    """
    entries = [_Entry(f) for f in functions]
    other = _other_machine(target)
    return _build(entries, output, header, target, opt_level, static_runtime, _runtime_folder(runtime, other),
                  cc or "" if other else _compiler(cc))


def extension(name, *functions, folder=".", target="generic", opt_level=2, runtime=None, cc=None):
    """Compiles functions to the extension module `name` in the folder. Returns its path.

    The module works with the running version of Python. It does not need PyRaptor, and needs NumPy only if results are arrays or NumPy scalars. Its
    functions take arguments by position, and arrays as any objects with the buffer protocol. They release the GIL.

    The other arguments and the errors are those of `build`. Also raises UnsupportedError if no C compiler or no Python.h is found.
    """
    from ._extension import source
    if not name.isidentifier() or not name.isascii():
        raise ValueError(f"{name!r} is not a module name")
    if _other_machine(target):
        raise UnsupportedError(f"an extension module for another machine than this one ({target!r})", hint="make a library, with build")
    entries = [_Entry(f) for f in functions]
    runtime, cc = _runtime_folder(runtime), _compiler(cc)
    include = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(include, "Python.h")):
        raise UnsupportedError(f"an extension module needs Python's headers, and {include} has no Python.h", hint="install them (Debian: python3-dev)")
    path = pathlib.Path(folder).absolute() / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        _build(entries, work / "functions.a", work / "functions.h", target, opt_level, False, runtime, cc)
        text, libraries = source(name, entries, (work / "functions.h").read_text())
        (work / "module.c").write_text(text)
        made = work / path.name
        command = [*shlex.split(cc), "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-I", include, str(work / "module.c"), str(work / "functions.a"),
                   *(str(runtime / f"lib{n}.a") for n in libraries), "-o", str(made), "-Wl,-z,nodelete", "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-Wl,--as-needed",
                   "-lstdc++", *(["-llapacke", "-lopenblas"] if "vrrt_blas" in libraries else []),
                   *(["-ltbb"] if "vrrt_threads" in libraries else []), "-lm"]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as e:
            raise UnsupportedError(f"an extension module needs a C compiler, and '{cc}' does not run: {e.strerror}", hint="install one, or give its name: cc=") from None
        if done.returncode:
            raise CompileError(f"'{cc}' failed for the extension module '{name}':\n{done.stderr.strip()}", done.returncode)
        try:  # write next to the target and rename: a process that uses the old file keeps it
            near = path.with_name(f".{path.name}.{os.getpid()}")
            near.write_bytes(made.read_bytes())
            near.chmod(0o755)
            near.replace(path)
        except OSError as e:
            raise ValueError(f"{path}: {e.strerror}") from None
    return path


class _Entry:
    """A function to export, with its types. Members: `name`, `program`, `parallel`."""

    def __init__(self, given):
        function, signature = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
        impl = getattr(function, "_impl", None) or jit(function)._impl
        self.name = impl.function.__name__
        self.parameters = list(impl.signature.parameters)
        if any(p.kind is p.VAR_POSITIONAL for p in impl.signature.parameters.values()):
            raise UnsupportedError(f"{self.name}() takes any number of arguments (*)")
        types = self.types(impl, signature)
        self.parallel = impl.options["parallel"]
        flat = Flat()
        arg_types = tuple(classify(sample(t, any_layout=False), p, flat) for p, t in zip(self.parameters, types))
        for p, t in zip(self.parameters, arg_types):
            if not is_numeric(t):
                raise UnsupportedError(f"{self.name}(): argument '{p}' is {t!r}, which has no C equivalent", hint="arguments must be numbers and arrays")
        self.program = Program(impl.function, arg_types, impl.options["boundscheck"], impl.options["fastmath"], helpers=f"{self.name}__")
        self.check()

    def types(self, impl, signature):
        if signature is not None:
            signatures = understood(signature)
        elif impl.signatures:
            signatures = impl.signatures
        else:
            annotations = accepted(impl.function)
            missing = [p for p in self.parameters if p not in annotations]
            if missing:
                raise TypeError(f"{self.name}(): the types of {', '.join(missing)} are not known: annotate the arguments, or pass (function, signature)")
            signatures = [Signature(None, [annotations[p] for p in self.parameters])]
        if len(signatures) != 1:
            raise TypeError(f"{self.name}(): there are {len(signatures)} signatures: pass (function, signature)")
        if len(signatures[0].arguments) != len(self.parameters):
            raise TypeError(f"{self.name}(): {signatures[0]!r} has {len(signatures[0].arguments)} arguments, but the function has {len(self.parameters)} parameters")
        return signatures[0].arguments

    def check(self):
        """Refuses what works in this process but not in a library."""
        program, why = self.program, None
        if program.main.needs:
            name = next(iter(program.main.needs.values()))[0]
            why, hint = f"the global array '{name}' is used", "pass it as an argument"
        elif program.hosts() or program.makes_generators:
            why, hint = "Python is called: " + "; ".join(program.calls_python() or ["random numbers, or a pycall function"]), "remove it, or call it outside"
        elif program.apart():
            why, hint = "arguments must not overlap in memory, because a copy represents a view", "add .copy() to the view"
        else:
            why, hint = _unsayable(program.main.result), "return numbers, arrays, and tuples of these"
        if why:
            raise UnsupportedError(f"{self.name}() cannot be in a library: {why}", hint=hint)


def _unsayable(t):
    """Why a C function cannot return a result of this type; None if it can."""
    if isinstance(t, Group) and t.kind == "tuple" and type(t) is Group:
        return next((w for w in map(_unsayable, t.items) if w), None)
    if isinstance(t, Array) and t.axes is not None:
        return f"a result is a transposed or extended view ({t!r})"
    if isinstance(t, (Scalar, Array)) or isinstance(t, Const) and t.value is None:
        return None
    return f"a result is {t!r}"


def _compiler(cc):
    return cc or os.environ.get("CC") or "cc"


def _other_machine(target):
    """The target's architecture if it is not this machine's; else ""."""
    first = target.partition(":")[0]
    return first if first in ("aarch64", "x86_64") and first != platform.machine() else ""


def _runtime_folder(given, other=""):
    if given is not None:
        return pathlib.Path(given)
    here = pathlib.Path(_native.__file__).resolve().parent
    for folder in (here, here / "../../lib"):
        if other:
            folder /= f"{other}-linux-gnu"
        if (folder / "libvrrt.a").exists():
            return folder.resolve()
    raise FileNotFoundError(f"the runtime of built libraries{' for ' + other if other else ''} (libvrrt.a) is not next to {here}; give its folder with runtime=")


def _build(entries, output, header, target, opt_level, static_runtime, runtime, cc):
    flags = (_STATIC if static_runtime else 0) | (_PARALLEL if any(e.parallel for e in entries) else 0)
    try:
        report = _native.build([e.program.text for e in entries], [e.program.main.name for e in entries], os.fspath(output),
                               None if header is None else os.fspath(header), str(runtime), target, cc, opt_level, flags)
    except RuntimeError as e:
        code, text = e.args
        if code == _USAGE:
            raise ValueError(text) from None
        if code == _NOT_FOUND:
            raise FileNotFoundError(text) from None
        if code == 22:
            raise UnsupportedError(text) from None
        raise CompileError(text, code) from None
    return report.splitlines()
