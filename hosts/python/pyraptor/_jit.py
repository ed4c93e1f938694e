"""@jit: a function is compiled when it is first called with new argument types."""
from __future__ import annotations

import functools
import inspect
import os
import re
import threading
import time
import types
import warnings

import numpy as np

from . import _list_arguments, _native, _pickle, _signatures
from ._annotations import ArrayType, accept, accepted
from ._classify import Flat, classify, constants_of, returns_rank0, with_arguments
from ._config import config
from ._errors import DEVICE, FORKED, CompileError, NeedsValues, PyRaptorWarning, UnsupportedError, run_time_error
from ._signatures import Signature
from ._source import PROMISED_RESULTS
from ._types import Array, Const, Group, Rank0, is_numeric, key_of_type, numpy_dtype

_engines = {}

#: Maximum number of versions of one function for different values of constant arguments.
MOST_VALUES = 64


class ProcessLock:
    """A reentrant lock that is free in a forked child, even if another thread of the parent held it."""

    def __init__(self):
        self._locks = {}

    def _mine(self):
        return self._locks.get(os.getpid()) or self._locks.setdefault(os.getpid(), threading.RLock())

    def __enter__(self):
        self._mine().acquire()

    def __exit__(self, *_):
        self._mine().release()


_engines_lock = ProcessLock()


def engine_for(target):
    """The engine for a target with the current config. A forked process gets its own engines."""
    settings = (target, *config._engine_settings(), os.getpid())
    with _engines_lock:
        if settings not in _engines:
            names = ("opt_level", "tiered", "disk_cache", "debug_info", "threads", "device", "devices", "regions", "compile_budget",
                     "parallel_threshold")
            _engines[settings] = _native.engine(target=target, **dict(zip(names, settings[1:])))
        return _engines[settings]


def device_engine():
    """(engine, None) for accelerated sections on a device; (None, reason) if the machine has no device. If config.device names a device that does not
    exist, raises."""
    try:
        return engine_for("opencl"), None
    except RuntimeError as e:
        code, text = e.args
        if code != DEVICE or config.device or config.devices or re.search(r"^VR_DEVICES? +=", _native.settings(), re.MULTILINE):
            raise
        return None, text


def has_device():
    engine, _ = device_engine()
    return engine is not None and bool(engine.device_name())


class Version:
    """The compiled code for one set of argument types."""

    def __init__(self, owner, arg_types):
        from ._program import Program
        start = time.perf_counter()
        o = owner.options
        self.arg_types = arg_types
        self.program = Program(owner.function, arg_types, o["boundscheck"], o["fastmath"], o["gpu"], has_device)
        self.front_end_ms = (time.perf_counter() - start) * 1e3
        self.target, self.not_where_asked = "cpu-par" if o["parallel"] else "cpu", []
        try:
            self.engine = None
            if self.program.uses_gpu:
                self.engine, why = device_engine()
                if self.engine is None:
                    self.not_where_asked.append(f"accelerated sections run on the CPU: {why}")
                else:
                    self.target = "opencl"
            self.engine = self.engine or engine_for(self.target)
            with _engines_lock:  # binding a name and loading the module that uses it must not be interleaved with other threads
                for h in self.program.hosts():
                    h.bind(self.engine)
                self.module = self.engine.load(self.program.text, owner.function.__name__)
            function = self.module.function(self.program.main.name)
        except RuntimeError as e:
            code, text = e.args
            if code == FORKED:  # the program requests the device explicitly: do not fall back silently
                raise RuntimeError(f"accelerated sections of '{owner.function.__qualname__}': {text}") from None
            self.refuse_kernel(text)
            raise CompileError(f"{text}\n(the VRIR generated for {owner.function.__qualname__}() with arguments of the types {arg_types} was refused)", code) from None
        parameters, self.written, self.given = self.program.parameters()
        text = self.program.main.text
        quick = not self.program.main.has_loop and not any(
            w in text for w in ("(alloc ", ":libfunc eye", ":libfunc range", ":libfunc mmult", ":libfunc mldiv"))
        self.native = _native.version(function, [key_of_type(t) for t in parameters], self.program.result_spec(),
                                      self.program.apart(), quick, functools.partial(run_time_error, self.program.raises))
        self.copies = 0
        self.globals = self.program.globals()
        self.lists = _list_arguments.Finish(self.program) if self.program.has_lists() else None
        self.plain = not self.globals and not self.lists and not self.program.makes_generators and all(not isinstance(t, (Const, Group, Rank0)) for t in arg_types)
        self.returns_rank0 = returns_rank0(self.program.main.result)
        self.total_ms = (time.perf_counter() - start) * 1e3

    def cannot_copy(self, k, given, flat):
        """Why parameter k must not be a copy of the given array; None if it may be one."""
        if self.written[k]:
            return "is stored to"
        if self.given[k]:
            return "or a part of it is returned"
        if any(w and isinstance(o, np.ndarray) and np.may_share_memory(given, o) for w, o in zip(self.written, [*flat, *self.globals])):
            return "overlaps an array that is stored to"
        return None

    def refuse_kernel(self, text):
        """If the compiler refused a device loop, raises the error at its Python line."""
        found = re.search(r":(\d+):(\d+): error: (.*) \[(allocation-in-kernel|recursion-in-kernel|handle-assign|extern-in-\w+)\]", text)
        if not found:
            return
        line, column = int(found[1]), int(found[2])
        before = self.program.text.split("\n", line)[line - 1][:column]
        places = re.findall(r':loc "((?:[^"\\]|\\.)*):(\d+):(\d+)"', before)
        file, line, column = places[-1] if places else (None, 0, 0)
        if found[4].startswith("extern"):
            raise UnsupportedError("a parallel loop, or a loop on the device, calls a pycall function or NumPy's random numbers", file, int(line),
                                   int(column), hint="call it in a loop over range(...); pyraptor.random has numbers for parallel loops")
        raise UnsupportedError(f"in a loop on the device: {found[3]}", file, int(line), int(column),
                               hint="make arrays before the loop, or move the loop out of the section")


def result_is(hint, t):
    """Whether the type of a version's result matches the type in a signature."""
    if isinstance(hint, tuple):
        return isinstance(t, Group) and t.kind == "tuple" and len(hint) == len(t.items) and all(map(result_is, hint, t.items))
    return is_numeric(t) and numpy_dtype(t) == hint.dtype and (isinstance(hint, ArrayType) == isinstance(t, Array))


class Jitted:
    """The Python part of a compiled function. pyraptor.jit describes the public interface."""

    def __init__(self, function, options):
        # Load the front end (most of the package) now, rather than during a call: if a signal handler interrupted the import, the handler could not
        # compile the functions that it calls.
        from . import _program  # noqa: F401
        self.function, self.options = function, options
        self.signature = inspect.signature(function)
        self.annotations = accepted(function)
        self.promised = set(self.annotations) - {"return"}
        # The native dispatcher handles positional calls; it must not accept calls that Python would refuse.
        self.by_name = any(p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL) for p in self.signature.parameters.values())
        self.versions, self.refused = {}, {}
        self.signatures = []      # signatures given to the decorator
        self.py_func = function
        self.by_value = set()  # positions of arguments whose values must be known at compile time: they are constants of the versions
        self.lock = ProcessLock()
        functools.update_wrapper(self, function)
        self.dispatcher = _native.Dispatcher(self)

    def __repr__(self):
        return f"<pyraptor.jit function {self.function.__qualname__}, {len(self.versions)} version(s)>"

    # ---- calls
    def call(self, args, kwargs):
        """Handles first calls, keyword arguments, and arguments other than arrays and numbers."""
        if kwargs or self.by_name or len(args) != len(self.signature.parameters):
            bound = self.signature.bind(*args, **(kwargs or {}))
            bound.apply_defaults()
            args = tuple(bound.arguments.values())
        if self.signatures:
            args = self.chosen(args)
        elif self.promised:
            args = tuple(accept(self.annotations.get(name), a, name) for name, a in zip(self.signature.parameters, args))
        version, arg_types, flat = self.version_for(args)
        if version is None:
            return self.as_python(args)
        for k, name, given in flat.copied:
            fault = version.cannot_copy(k, given, flat)
            if fault:
                error = UnsupportedError(f"argument '{name}' {fault}, and it is not aligned or not in native byte order",
                                         hint="pass x.astype(x.dtype.newbyteorder('='))")
                if not self.fallback:
                    raise error
                self.warn(error)
                return self.as_python(args)
            version.copies += 1
        if version.program.makes_generators:
            from . import _random
            with _random.holding():
                result = self.run(version, args, flat, arg_types)
        else:
            result = self.run(version, args, flat, arg_types)
        return with_arguments(result, flat) if version.returns_rank0 else result

    def run(self, version, args, flat, arg_types):
        if version.lists is not None:
            return self.call_with_lists(version, args, flat, arg_types)
        result = version.native(*flat, *version.globals)
        if result is NotImplemented:  # this process was forked: its engines cannot be used
            with self.lock:
                self.versions.clear()
                self.dispatcher._forget()
            version = self.version(arg_types)
            result = version.native(*flat, *version.globals)
        return result

    def promise(self, signatures):
        """Compiles for these Signatures. Afterwards only calls that match one of them are accepted."""
        names = list(self.signature.parameters)
        for s in signatures:
            if len(s.arguments) != len(names):
                raise TypeError(f"{s!r} has {len(s.arguments)} arguments, {self.function.__qualname__}() has {len(names)}")
        self.signatures = signatures
        if len(signatures) == 1 and signatures[0].result is not None:
            PROMISED_RESULTS[self.function] = signatures[0].result
        from ._module import sample
        for s in signatures:
            version, _, _ = self.version_for([sample(a, any_layout=False) for a in s.arguments])
            if len(signatures) > 1 and s.result is not None and version is not None and not result_is(s.result, version.program.main.result):
                raise TypeError(f"{s!r}: the result is {version.program.main.result!r}; convert it in the function")

    def chosen(self, args):
        """The arguments, converted to the first signature that accepts them without conversion, or else to the first to which they can be
        converted."""
        best = None
        for s in self.signatures:
            found = [_signatures.fits(h, a) for h, a in zip(s.arguments, args)]
            if None in found:
                continue
            if best is None or max(found, default=0) < best[0]:
                best = max(found, default=0), s
        if best is None:
            raise TypeError(f"no signature of {self.function.__qualname__}() takes these arguments: {', '.join(type(a).__name__ for a in args)}; there is "
                            f"{', '.join(map(repr, self.signatures))}")
        return tuple(accept(h, a, name) for h, a, name in zip(best[1].arguments, args, self.signature.parameters))

    def as_python(self, args):
        """Calls the Python function. `args` are in the order of the signature."""
        given = inspect.BoundArguments(self.signature, dict(zip(self.signature.parameters, args)))
        return self.function(*given.args, **given.kwargs)

    def call_with_lists(self, version, args, flat, arg_types):
        error = version.lists.check(args, flat)
        if error is not None:
            if not self.fallback:
                raise error
            self.warn(error)
            return self.as_python(args)
        try:
            result = version.native(*flat, *version.globals)
            if result is NotImplemented:
                with self.lock:
                    self.versions.clear()
                    self.dispatcher._forget()
                version = self.version(arg_types)
                result = version.native(*flat, *version.globals)
        finally:
            version.lists.stored(args, flat)
        return version.lists.finished(args, flat, result)

    def version_for(self, args):
        """(version, types, numbers and arrays) of a call. Arguments whose values must be known at compile time become constants of the version."""
        while True:
            flat, known = Flat(), frozenset(self.by_value)
            try:
                arg_types = tuple(self.classified(k in known, name, a, flat) for k, (name, a) in enumerate(zip(self.signature.parameters, args)))
            except UnsupportedError as e:
                if not self.fallback:
                    raise
                self.warn(e)
                return None, None, flat
            try:
                return self.version(arg_types), arg_types, flat
            except NeedsValues as e:
                if e.positions <= known or e.function.source.function is not self.function:
                    if not self.fallback:
                        raise e.again() from None
                    self.warn(e)
                    return None, arg_types, flat
                with self.lock:
                    self.by_value |= e.positions

    @staticmethod
    def classified(by_value, name, a, flat):
        """The type of an argument; a constant if its value must be known at compile time."""
        if by_value:
            t = constants_of(a)
            if t is not None:
                return t
        return classify(a, name, flat)

    def version(self, arg_types):
        """The version for these types; None if the function runs as plain Python."""
        found = self.versions.get(arg_types)
        if found is not None:
            return found
        with self.lock:
            if arg_types in self.versions:
                return self.versions[arg_types]
            if arg_types in self.refused:
                if self.fallback:
                    return None
                raise self.refused[arg_types].again()
            if self.by_value and len(self.versions) >= MOST_VALUES:
                raise UnsupportedError(f"{' and '.join(repr(n) for k, n in enumerate(self.signature.parameters) if k in self.by_value)} must be "
                                       f"constant in compiled code, and there are already {MOST_VALUES} versions for different values",
                                       hint="call it with fewer different values")
            try:
                version = Version(self, arg_types)
            except NeedsValues:
                raise  # the caller compiles again with constants
            except UnsupportedError as e:
                # Store a copy: an exception that is raised refers to the frames in its traceback, and so to the arguments.
                self.refused[arg_types] = e.again()
                if not self.fallback:
                    raise e.again() from None
                self.warn(e)
                return None
            self.versions[arg_types] = version
            if version.plain and not self.by_name:
                self.dispatcher._add(version.native)
            return version

    def warn(self, error):
        warnings.warn(f"{self.function.__qualname__} runs as plain Python: {error}", PyRaptorWarning, stacklevel=5)

    @property
    def fallback(self):
        return config.fallback if self.options["fallback"] is None else self.options["fallback"]

    def takes_plainly(self, args):
        """Whether `version_for` handles a call with these arguments: nothing is stated about them."""
        return not (self.signatures or self.promised or self.by_name) and len(args) == len(self.signature.parameters)

    # ---- public methods
    def compile(self, *args, **kwargs):
        """Compiles for the types of these arguments without calling the function, and waits for the optimised code."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        version, _, _ = self.version_for(bound.arguments.values())
        if version is not None:
            version.module.wait()

    def wait(self):
        """Waits until all versions are optimised."""
        for v in self.versions.values():
            v.module.wait()

    def inspect(self, what="vrir", *args):
        """The program as text: 'vrir', 'llvm', 'asm' or 'opencl'. With `args`: of the version for them; else of the newest version."""
        if args:
            version, _, _ = self.version_for(args)
        elif self.versions:
            version = list(self.versions.values())[-1]
        else:
            raise ValueError(f"'{self.function.__name__}' was not called yet: pass arguments to inspect")
        return version.program.text if what == "vrir" else version.module.dump(what)

    def report(self):
        """What was compiled and where it ran: a list with one dict per version. Times are in milliseconds."""
        out = []
        for types_, v in self.versions.items():
            info = v.module.compile_info()
            device = {"device": v.engine.device_name() if v.target == "opencl" else ""} if v.program.uses_gpu else {}
            out.append({"types": tuple(map(repr, types_)), "target": v.target, "optimised": v.module.optimised(),
                        "functions": [f.name for f in v.program.used], "front_end_ms": v.front_end_ms,
                        "first_call_ms": v.total_ms, "compile": info, "copied_arguments": v.copies, **device,
                        "not_where_asked": v.not_where_asked + v.module.report(), "calls_python": v.program.calls_python(),
                        "regions": v.module.regions()})
        for types_, e in self.refused.items():
            out.append({"types": tuple(map(repr, types_)), "target": "python" if self.fallback else "refused",
                        "reason": str(e)})
        return out

    def reduce(self):
        return _pickle.reduce(self)


def device_use():
    """Statistics of this process' accelerated sections on the OpenCL device: sections, kernel launches, and bytes copied to the device and back (not
    counting arrays that the device accesses in place). on_host: kernels that ran on the CPU because their arrays did not fit in the device's memory
    or the device refused them. in_chunks: launches whose arrays are larger than the device's memory and that were run in parts; `chunks` is the
    number of parts. divided: launches that ran on several devices (config.devices)."""
    total = {"sections": 0, "launches": 0, "bytes_up": 0, "bytes_down": 0, "on_host": 0, "in_chunks": 0, "chunks": 0, "divided": 0}
    with _engines_lock:
        for (_, *settings), engine in _engines.items():
            if settings[-1] == os.getpid():
                for name, n in engine.device_use().items():
                    total[name] += n
    return total


def jit(function=None, *, gpu=False, parallel=True, fastmath=None, boundscheck=True, fallback=None, nopython=True, nogil=True, cache=True,
        inline="never", debug=False, forceobj=False, looplift=False, error_model="python", locals=None):
    """Compiles a function of numbers and NumPy arrays to native code when it is first called.

    Types are those of the arguments; each combination of types gets its own version. Arrays are used in place, without copies, whatever their
    strides. Results are new ndarrays, or views of the arguments where NumPy would give views.

        gpu          the whole function is an accelerated section: its parallel loops run on the OpenCL device
        parallel     prange and PAR loops run on all threads (False: on one)
        fastmath     True: allow reassociation and similar; False: strict; None: allow only functions such as exp that are within 4 ulp of the
                     exact value, for which there is vector code
        boundscheck  False: subscripts out of bounds are undefined behaviour, as in C
        fallback     True: a function that cannot be compiled runs as plain Python, with one warning. None: the value of config.fallback

    Signatures as in Numba may take the function's place: jit(f64(f64[:], i64)), jit("float64(float64[:], int64)"), or a list of them. Then the
    function is compiled immediately, and only for these types; numbers are converted to them. Other keywords of Numba's: nopython, nogil, cache,
    inline, debug, looplift have no effect; forceobj=True, error_model="numpy" and locals are refused with a ValueError.

    Raises UnsupportedError at the first call (or immediately if the source cannot be read). The object has the methods inspect, report, compile and
    wait; `__wrapped__` and `py_func` are the Python function.
    """
    if forceobj:
        raise ValueError("forceobj=True: without the decorator the function runs as plain Python")
    if error_model != "python":
        raise ValueError(f"error_model={error_model!r} is not supported: division of Python numbers by zero raises, as in Python")
    if locals:
        raise ValueError("locals is not supported: annotate the variables (x: f64 = 0)")
    if isinstance(fastmath, (set, frozenset, list, tuple)):  # Numba also takes a set of LLVM's flags
        fastmath = True if "fast" in fastmath else None
    options = dict(gpu=gpu, parallel=parallel, fastmath=fastmath, boundscheck=True if boundscheck is None else boundscheck, fallback=fallback)
    if function is None:
        return functools.partial(jit, **options)
    if isinstance(function, (str, list, tuple, Signature)):
        return functools.partial(_with_signatures, _signatures.understood(function), options)
    if hasattr(function, "_impl"):
        function = function._impl.function
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"jit needs a function, not {type(function).__name__}")
    return Jitted(function, options).dispatcher


def _with_signatures(signatures, options, function):
    """Compiles the function for these signatures."""
    dispatcher = jit(function, **options)
    dispatcher._impl.promise(signatures)
    return dispatcher


def njit(function=None, **options):
    """Same as jit: jit never compiles in Numba's object mode."""
    return jit(function, **options)
