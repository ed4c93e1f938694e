"""PyRaptor: native code for Python functions on NumPy arrays, by the Velociraptor toolkit.

    import numpy as np, pyraptor

    @pyraptor.jit
    def smooth(x, k):
        x[1:-1] = (x[:-2] + k * x[1:-1] + x[2:]) / (k + 2)

docs/python.md describes what is compiled and explains the errors.
"""
try:
    from . import _native
except ImportError as _e:  # the extension module is missing or does not match: the message says what to do
    raise ImportError(
        f"{_e}\nPyRaptor's native part does not load. It needs NumPy and, unless it came as a wheel that holds them, the libraries "
        "that it was built with (LLVM 19, oneTBB, OpenBLAS, the OpenCL loader: on Debian libllvm19 libtbb12 libopenblas0 liblapacke "
        "ocl-icd-libopencl1)."
    ) from _e

from ._annotations import (PyArray, PyBool, PyComplex64, PyComplex128, PyFloat32, PyFloat64, PyInt32, PyInt64, b1, c64,
                           c128, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64)
from ._cfunc import CPointer, carray, cfunc, voidptr
from ._config import config
from ._device import on_device
from ._errors import CompileError, PyRaptorWarning, UnsupportedError
from ._jit import device_use, jit, njit
from ._module import PyRaptorModule
from ._objmode import objmode
from ._pycall import pycall
from . import random
from ._signatures import void
from ._stencil import stencil
from ._vectorize import guvectorize, vectorize
from .pipeline import Pipeline, pipeline
from .parallel import PAR, Domain, gpu, gpu_begin, gpu_end, prange

# Names from Numba's API.
boolean, int8, int16, int32, int64 = b1, i8, i16, i32, i64
uint8, uint16, uint32, uint64 = u8, u16, u32, u64
float16, float32, float64, complex64, complex128, intp, uintp = f16, f32, f64, c64, c128, i64, u64



def __getattr__(name):
    if name == "aot":  # imported on first use: few programs need it
        import importlib
        return importlib.import_module(".aot", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def supported():
    """Names of the functions and methods that compiled code may call, sorted: 'numpy.sum', 'math.sqrt', 'scipy.special.erf', 'array.mean'."""
    import numpy as np

    from . import _numpy
    names = set()
    for o, _ in _numpy.TABLE.values():
        name = getattr(o, "__qualname__", None) or getattr(o, "__name__", repr(o))
        for module, prefix in ((np, "numpy"), (np.linalg, "numpy.linalg"), (np.fft, "numpy.fft")):
            if vars(module).get(name) is o:
                names.add(f"{prefix}.{name}")
                break
        else:
            names.add(f"{getattr(o, '__module__', '') or ''}.{name}".replace("builtins.", ""))
    from . import _random, _scipy
    names |= _random.names() | set(_scipy.names())
    return sorted(names | {f"array.{m}" for m in _numpy.METHODS})


__version__ = _native.version_text
__all__ = ["jit", "njit", "vectorize", "guvectorize", "stencil", "cfunc", "carray", "CPointer", "voidptr", "void", "boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "float16", "float32", "float64", "complex64", "complex128", "intp", "uintp", "config", "UnsupportedError", "CompileError", "PyRaptorWarning", "PyRaptorModule", "PAR", "Domain",
           "prange", "gpu", "gpu_begin", "gpu_end", "PyArray", "PyBool", "PyInt32", "PyInt64", "PyFloat32", "PyFloat64",
           "PyComplex64", "PyComplex128", "objmode", "pycall", "random", "supported", "device_use", "on_device", "pipeline", "Pipeline",
           "b1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "c64", "c128"]
