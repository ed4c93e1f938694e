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
    """The address of elements of one type, in signatures: CPointer(f64). carray(p, n) is the array of n of them; in plain Python carray takes
    a pointer of ctypes."""

    def __init__(self, element):
        if not isinstance(element, ScalarType):
            raise TypeError(f"CPointer({element!r}): write CPointer(float64), of a number's type")
        self.element = element

    def __repr__(self):
        return f"CPointer({self.element!r})"


class _Void(Pointer):
    """An address of which nothing is known; a cfunc can pass it by, and no more."""

    def __init__(self):
        self.element = ScalarType("uint8")

    def __repr__(self):
        return "voidptr"


CPointer, voidptr = Pointer, _Void()


class ElementsAt:
    """carray: in a cfunc, the elements at one of its pointers."""

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
            t.refuse(node, f"carray of {pointer.type!r}", "give it a parameter of a cfunc, whose type is CPointer(...)")
        if pointer.type.void:
            t.refuse(node, "carray of a voidptr", "declare the parameter as CPointer(float64), or what it points to")
        array = pointer.items[0]
        if dtype is not None and not dtype.is_none() and np.dtype(t.static(dtype, node, "dtype")) != numpy_dtype(array.type):
            t.refuse(node, f"carray of a pointer to {array.type.elem} with another dtype", "declare the parameter with the type that it points to")
        extents = shape.items if shape.is_group("tuple") else [shape]
        if len(extents) != 1:
            t.refuse(node, f"carray of {len(extents)} dimensions is not compiled", "make it one of one dimension, and compute the subscripts: a[i * n + j]")
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
    """A pointer among the arguments: to the compiler an array without end, of which carray makes one that ends."""

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
        raise UnsupportedError(f"argument {position} of {name}() is {hint!r}, which a cfunc does not take by value", hint="pass its address: CPointer(...)")
    return Scalar(elem, False, hint.wide)


class CFunc:
    """pyraptor.cfunc describes it. `address`: of the C function, as long as this object is there; called from Python it is the function itself."""

    def __init__(self, function, signature, options):
        from ._jit import _engines_lock, engine_for
        from ._program import Program
        self.function, self.signature = function, signature
        functools.update_wrapper(self, function)
        name = function.__name__
        parameters = inspect.signature(function).parameters.values()
        if len(signature.arguments) != len(parameters) or any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in parameters):
            raise TypeError(f"cfunc: {signature!r} has {len(signature.arguments)} arguments, {name}() has {len(parameters)}, which must be plain ones")
        arguments = tuple(_type_of(h, name, k + 1) for k, h in enumerate(signature.arguments))
        if signature.result is not None:
            _type_of(signature.result, name, "and result")
        # A function of its own: the signature says what it returns, and nothing of other uses.
        made = types.FunctionType(function.__code__, function.__globals__, name, function.__defaults__, function.__closure__)
        made.__module__, made.__qualname__ = function.__module__, function.__qualname__
        if signature.result is not None:
            PROMISED_RESULTS[made] = signature.result
        self.program = Program(made, arguments, **options)
        main = self.program.main
        if signature.result is None and main.result != NONE:
            raise TypeError(f"cfunc: {name}() returns {main.result!r}, and its signature says void")
        if signature.result is not None and not isinstance(main.result, Scalar):
            raise TypeError(f"cfunc: {name}() returns {main.result!r}, and its signature says {signature.result!r}")
        if main.needs:
            raise UnsupportedError(f"{name}() uses the global array '{next(iter(main.needs.values()))[0]}', which a cfunc cannot", hint="pass its address")
        if self.program.apart():
            raise UnsupportedError(f"{name}() as a cfunc copies elements of one argument where NumPy has a view, and stores to another", hint="add .copy() to the view")
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
        raise TypeError("a cfunc is an address in this process, and cannot be pickled")

    @property
    def ctypes(self):
        """The C function as one of ctypes, of which scipy.LowLevelCallable makes a callback; it keeps this object alive."""
        import ctypes
        made = ctypes.CFUNCTYPE(*[_ctype(ctypes, h) for h in (self.signature.result, *self.signature.arguments)])(self.address)
        made.of = self
        return made

    def inspect(self, what="vrir"):
        """The program as text: 'vrir', 'llvm' or 'asm'."""
        return self.program.text if what == "vrir" else self.module.dump(what)

    # Compiled code that calls it calls the function.
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
    """Compiles a function at once to one with C's calling convention, for C libraries that take callbacks:

        @cfunc("float64(intc, CPointer(float64))")
        def integrand(n, x):
            a = carray(x, n)
            return np.exp(-a[0] * a[1])

        scipy.integrate.nquad(scipy.LowLevelCallable(integrand.ctypes), ...)

    The signature has real numbers and pointers as arguments, and one real number or void as result. `carray(p, n)` is the array of the n
    elements at a pointer, which may be stored to. The object has `address`, `ctypes` and `inspect`; the address holds as long as the object.
    An exception in a call is passed to sys.unraisablehook, and the call returns 0. Calls need no GIL.

    Raises TypeError for other signatures, UnsupportedError for what is not compiled.
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
