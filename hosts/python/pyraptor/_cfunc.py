"""@cfunc: a compiled function as a C function, whose address C libraries take as a callback."""
from __future__ import annotations

import functools
import inspect
import types

import numpy as np

from . import _native, _signatures
from ._annotations import ScalarType
from ._errors import CompileError, UnsupportedError, run_time_error
from ._source import PROMISED_RESULTS
from ._types import DTYPES, NONE, Array, Group, Scalar


class Pointer:
    """In signatures, the type of a pointer: CPointer(f64) points to elements of type f64. carray(p, n) is the array of the n elements at p. In plain
    Python, carray takes a ctypes pointer."""

    def __init__(self, element):
        if not isinstance(element, ScalarType):
            raise TypeError(f"CPointer({element!r}): the element must be a number type, as in CPointer(float64)")
        self.element = element

    def __repr__(self):
        return f"CPointer({self.element!r})"


class _Void(Pointer):
    """void*: a pointer that a cfunc can only pass on."""

    def __init__(self):
        self.element = ScalarType("uint8")

    def __repr__(self):
        return "voidptr"


CPointer, voidptr = Pointer, _Void()


class ElementsAt:
    """carray: in a cfunc, makes an array of the elements at a pointer argument."""

    __name__ = "carray"

    def __call__(self, pointer, shape, dtype=None):
        a = np.ctypeslib.as_array(pointer, shape if isinstance(shape, tuple) else (shape, ))
        if dtype is not None and a.dtype != np.dtype(dtype):
            raise TypeError(f"mismatching dtype '{np.dtype(dtype)}' for pointer to {a.dtype}")
        return a

    def __repr__(self):
        return "pyraptor.carray"

    def call_compiled(self, t, args, kwargs, node):
        from ._types import numpy_dtype
        from ._value import group
        try:
            given = _CARRAY.bind(*args, **kwargs).arguments
        except TypeError as e:
            t.refuse(node, f"carray: {e}")
        pointer, shape, dtype = given["pointer"], given["shape"], given.get("dtype")
        if not pointer.is_group("pointer"):
            t.refuse(node, f"carray of {pointer.type!r}", "pass a parameter of a cfunc whose type is CPointer(...)")
        if pointer.type.void:
            t.refuse(node, "carray of a voidptr is not compiled", "declare the parameter as a pointer to its elements: CPointer(float64)")
        array = pointer.items[0]
        if dtype is not None and not dtype.is_none() and np.dtype(t.static(dtype, node, "dtype")) != numpy_dtype(array.type):
            t.refuse(node, f"carray of a pointer to {array.type.elem} with another dtype is not compiled", "declare the parameter with the type that it points to")
        extents = shape.items if shape.is_group("tuple") else [shape]
        if len(extents) != 1:
            t.refuse(node, f"carray of {len(extents)} dimensions is not compiled", "make an array of one dimension, and compute the subscripts: a[i * n + j]")
        count = t.once(extents[0], node)
        t.whole(count, node)
        if count.low is None or count.low < 0:
            from . import _nodes as n
            t.guard(node, n.binary("lt", Scalar("bool"), t.cast(count, "int64"), n.ZERO), ValueError, "negative dimensions are not allowed")
        none = t.none()
        return t.element(t.keep(array, node), [group("slice", [none, count, none])], node)


carray = ElementsAt()
_CARRAY = inspect.signature(lambda pointer, shape, dtype=None: None)


class PointerType(Group):
    """The type of a pointer argument. The compiler sees an array of unknown length; carray makes a slice of known length of it."""

    __slots__ = ("void", )

    def __init__(self, items, void):
        super().__init__("pointer", items)
        self.void = void

    def with_items(self, items):
        return PointerType(items, self.void)

    def __repr__(self):
        return "voidptr" if self.void else f"CPointer({self.items[0].elem})"


def _type_of(hint, name, position):
    if isinstance(hint, Pointer):
        elem, complex = DTYPES[hint.element.dtype]
        return PointerType([Array(elem, complex, 1)], isinstance(hint, _Void))
    if not isinstance(hint, ScalarType):
        raise TypeError(f"cfunc: argument {position} of {name}() is {hint!r}: C functions take numbers and CPointer(...)")
    elem, complex = DTYPES[hint.dtype]
    if complex or elem == "float16":
        raise UnsupportedError(f"argument {position} of {name}() is {hint!r}, which a cfunc cannot take by value", hint="pass its address: CPointer(...)")
    return Scalar(elem, False, hint.wide)


class CFunc:
    """The result of pyraptor.cfunc. `address`: the address of the C function, valid while this object lives. Called from Python, it calls the
    original function."""

    def __init__(self, function, signature, options):
        from ._jit import _engines_lock, engine_for
        from ._program import Program
        self.function, self.signature = function, signature
        functools.update_wrapper(self, function)
        name = function.__name__
        parameters = inspect.signature(function).parameters.values()
        if len(signature.arguments) != len(parameters) or any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in parameters):
            raise TypeError(f"cfunc: {signature!r} has {len(signature.arguments)} arguments, {name}() has {len(parameters)}, which must be ordinary parameters")
        arguments = tuple(_type_of(h, name, k + 1) for k, h in enumerate(signature.arguments))
        if signature.result is not None:
            _type_of(signature.result, name, "and result")
        # A new function object: the signature determines the result's type for this cfunc only, not for other uses of the function.
        made = types.FunctionType(function.__code__, function.__globals__, name, function.__defaults__, function.__closure__)
        made.__module__, made.__qualname__ = function.__module__, function.__qualname__
        if signature.result is not None:
            PROMISED_RESULTS[made] = signature.result
        self.program = Program(made, arguments, **options)
        main = self.program.main
        if signature.result is None and main.result != NONE:
            raise TypeError(f"cfunc: {name}() returns {main.result!r}, but its signature says void")
        if signature.result is not None and not isinstance(main.result, Scalar):
            raise TypeError(f"cfunc: {name}() returns {main.result!r}, but its signature says {signature.result!r}")
        if main.needs:
            raise UnsupportedError(f"{name}() uses the global array '{next(iter(main.needs.values()))[0]}', which a cfunc cannot access", hint="pass its address")
        if self.program.apart():
            raise UnsupportedError(f"{name}() as a cfunc is not compiled: it copies elements of one argument where NumPy has a view, and stores to another", hint="add .copy() to the view")
        try:
            engine = engine_for("cpu")
            with _engines_lock:
                for h in self.program.hosts():
                    h.bind(engine)
                self.module = engine.load(self.program.text, name)
            self.native = self.module.function(main.name).c_function(functools.partial(run_time_error, self.program.raises), f"cfunc {name}()")
        except RuntimeError as e:
            code, text = e.args
            raise CompileError(f"{text}\n(cfunc {function.__qualname__}())", code) from None
        self.address = self.native.address()
        self.native_name = main.name

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)

    def __repr__(self):
        return f"<pyraptor.cfunc {self.function.__qualname__} {self.signature!r}>"

    def __reduce__(self):
        raise TypeError("a cfunc cannot be pickled: it is an address in this process")

    @property
    def ctypes(self):
        """The C function as a ctypes function, from which scipy.LowLevelCallable can be made. It keeps this object alive."""
        import ctypes
        made = ctypes.CFUNCTYPE(*[_ctype(ctypes, h) for h in (self.signature.result, *self.signature.arguments)])(self.address)
        made.of = self
        return made

    def inspect(self, what="vrir"):
        """The program as text: 'vrir', 'llvm' or 'asm'."""
        return self.program.text if what == "vrir" else self.module.dump(what)

    # Compiled code that calls a cfunc calls the original function.
    def call_compiled(self, t, args, kwargs, node):
        return t.call(self.function, args, kwargs, node)


def _ctype(ctypes, hint):
    if hint is None:
        return None
    if isinstance(hint, _Void):
        return ctypes.c_void_p
    if isinstance(hint, Pointer):
        if hint.element.dtype.kind == "c":
            return ctypes.c_void_p
        return ctypes.POINTER(np.ctypeslib.as_ctypes_type(hint.element.dtype))
    return np.ctypeslib.as_ctypes_type(hint.dtype)


def cfunc(signature, *, boundscheck=True, fastmath=None, nopython=True, cache=True, locals=None):
    """Compiles a function immediately to a C function, for C libraries that take callbacks:

        @cfunc("float64(intc, CPointer(float64))")
        def integrand(n, x):
            a = carray(x, n)
            return np.exp(-a[0] * a[1])

        scipy.integrate.nquad(scipy.LowLevelCallable(integrand.ctypes), ...)

    Parameters are real numbers and pointers; the result is one real number or void. `carray(p, n)` is the array of the n elements at a pointer;
    stores to it are allowed. The object has `address`, `ctypes` and `inspect`; the address is valid while the object lives. If a call raises an
    exception, it goes to sys.unraisablehook and the call returns 0. Calls do not need the GIL.

    Raises TypeError for other signatures, and UnsupportedError for what cannot be compiled.
    """
    if locals:
        raise ValueError("locals is not supported: annotate the variables (x: f64 = 0)")
    understood = _signatures.understood(signature)
    if len(understood) != 1:
        raise TypeError(f"cfunc needs one signature, not {len(understood)}")
    [one] = understood
    if one.result is None and not one.is_void:
        raise TypeError("cfunc needs a signature with its result: float64(float64), or void(...)")

    def made(function):
        function = getattr(getattr(function, "_impl", None), "function", function)
        if not isinstance(function, types.FunctionType):
            raise TypeError(f"cfunc needs a function, not {type(function).__name__}")
        return CFunc(function, one, dict(boundscheck=boundscheck, fastmath=fastmath))
    return made
