from __future__ import annotations

from typing import Any, Callable, ContextManager, Generic, Iterable, Iterator, Literal, NamedTuple, ParamSpec, Sequence, TypeVar, overload

import numpy as np

from . import aot as aot
from . import random as random

_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)
_A = TypeVar("_A", bound=np.ndarray[Any, Any])

class Jitted(Generic[_P, _R]):
    """A compiled function; calls compile what the arguments' types need."""

    __wrapped__: Callable[_P, _R]
    __name__: str
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    def compile(self, *args: _P.args, **kwargs: _P.kwargs) -> None: ...
    def wait(self) -> None: ...
    def inspect(self, what: Literal["vrir", "llvm", "asm", "opencl"] = "vrir", *args: Any) -> str: ...
    def report(self) -> list[dict[str, Any]]: ...

class Signature:
    result: Any
    arguments: tuple[Any, ...]

_Signatures = str | Signature | tuple[Any, ...] | list[Any]

@overload
def jit(function: Callable[_P, _R], *, gpu: bool = False, parallel: bool = True, fastmath: bool | set[str] | None = None,
        boundscheck: bool | None = True, fallback: bool | None = None, nopython: bool = True, nogil: bool = True, cache: bool = True,
        inline: str = "never", debug: bool = False, forceobj: bool = False, looplift: bool = False, error_model: str = "python",
        locals: Any = None) -> Jitted[_P, _R]: ...
@overload
def jit(function: _Signatures | None = None, *, gpu: bool = False, parallel: bool = True, fastmath: bool | set[str] | None = None,
        boundscheck: bool | None = True, fallback: bool | None = None, nopython: bool = True, nogil: bool = True, cache: bool = True,
        inline: str = "never", debug: bool = False, forceobj: bool = False, looplift: bool = False, error_model: str = "python",
        locals: Any = None) -> Callable[[Callable[_P, _R]], Jitted[_P, _R]]: ...
@overload
def njit(function: Callable[_P, _R], **options: Any) -> Jitted[_P, _R]: ...
@overload
def njit(function: _Signatures | None = None, **options: Any) -> Callable[[Callable[_P, _R]], Jitted[_P, _R]]: ...

class Vectorized:
    nin: int
    nout: int
    __wrapped__: Callable[..., Any]
    def __call__(self, *args: Any, out: Any = None) -> Any: ...
    def reduce(self, a: Any, axis: int = 0) -> Any: ...
    def accumulate(self, a: Any, axis: int = 0) -> np.ndarray[Any, Any]: ...
    def outer(self, a: Any, b: Any) -> Any: ...

class Stencil:
    __wrapped__: Callable[..., Any]
    def __call__(self, *args: Any, out: np.ndarray[Any, Any] | None = None, **kwargs: Any) -> np.ndarray[Any, Any]: ...

class Generalized:
    signature: str
    __wrapped__: Callable[..., Any]
    def __call__(self, *args: Any, out: Any = None) -> Any: ...

@overload
def vectorize(given: Callable[..., Any], *, target: Literal["cpu", "parallel"] = "cpu", **options: Any) -> Vectorized: ...
@overload
def vectorize(given: _Signatures | None = None, *, target: Literal["cpu", "parallel"] = "cpu", **options: Any) -> Callable[[Callable[..., Any]], Vectorized]: ...
def guvectorize(signatures: _Signatures, layout: str, *, target: Literal["cpu", "parallel"] = "cpu",
                **options: Any) -> Callable[[Callable[..., Any]], Generalized]: ...
@overload
def stencil(func_or_mode: Callable[..., Any], *, cval: complex | None = None, neighborhood: Sequence[tuple[int, int]] | None = None,
            standard_indexing: str | Sequence[str] = ()) -> Stencil: ...
@overload
def stencil(func_or_mode: str = "constant", *, cval: complex | None = None, neighborhood: Sequence[tuple[int, int]] | None = None,
            standard_indexing: str | Sequence[str] = ()) -> Callable[[Callable[..., Any]], Stencil]: ...

class CPointer:
    element: ScalarType
    def __init__(self, element: ScalarType) -> None: ...

voidptr: CPointer

class CFunc:
    address: int
    native_name: str
    ctypes: Any
    __wrapped__: Callable[..., Any]
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def inspect(self, what: Literal["vrir", "llvm", "asm"] = "vrir") -> str: ...

def cfunc(signature: _Signatures, *, boundscheck: bool = True, fastmath: bool | None = None, nopython: bool = True, cache: bool = True,
          locals: Any = None) -> Callable[[Callable[..., Any]], CFunc]: ...
def carray(pointer: Any, shape: int | tuple[int, ...], dtype: Any = None) -> np.ndarray[Any, Any]: ...

class ObjectMode:
    def __call__(self, **types: Any) -> ObjectMode: ...
    def __enter__(self) -> None: ...
    def __exit__(self, *_: Any) -> Literal[False]: ...

objmode: ObjectMode

@overload
def pycall(function: Callable[_P, _R], result: Any = ...) -> Callable[_P, _R]: ...
@overload
def pycall(function: None = None, result: Any = ...) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]: ...

class Config:
    threads: int
    opt_level: int
    tiered: bool
    disk_cache: bool
    regions: str
    compile_budget: int
    parallel_threshold: int
    device: str
    devices: str
    debug_info: bool
    fallback: bool

config: Config

class UnsupportedError(TypeError):
    reason: str
    filename: str | None
    lineno: int | None
    offset: int | None
    hint: str | None

class CompileError(RuntimeError):
    code: int

class PyRaptorWarning(UserWarning): ...

class ArrayType:
    dtype: np.dtype[Any]
    ndim: int | None
    layout: Literal["C", "F"] | None
    def __call__(self, *arguments: Any) -> Signature: ...

class ScalarType:
    dtype: np.dtype[Any]
    def __getitem__(self, dimensions: slice | tuple[slice, ...]) -> ArrayType: ...
    def __call__(self, *arguments: Any) -> Any: ...

class Void:
    def __call__(self, *arguments: Any) -> Signature: ...

void: Void
boolean: ScalarType
int8: ScalarType
int16: ScalarType
int32: ScalarType
int64: ScalarType
uint8: ScalarType
uint16: ScalarType
uint32: ScalarType
uint64: ScalarType
float16: ScalarType
float32: ScalarType
float64: ScalarType
complex64: ScalarType
complex128: ScalarType
intp: ScalarType
uintp: ScalarType

b1: ScalarType
i8: ScalarType
i16: ScalarType
i32: ScalarType
u8: ScalarType
u16: ScalarType
u32: ScalarType
u64: ScalarType
i64: ScalarType
f16: ScalarType
f32: ScalarType
f64: ScalarType
c64: ScalarType
c128: ScalarType

def PyBool() -> ScalarType: ...
def PyInt32() -> ScalarType: ...
def PyInt64() -> ScalarType: ...
def PyFloat32() -> ScalarType: ...
def PyFloat64() -> ScalarType: ...
def PyComplex64() -> ScalarType: ...
def PyComplex128() -> ScalarType: ...
def PyArray(element: ScalarType, ndim: int, layout: Literal["RowMajor", "ColMajor", "Strided"] = "RowMajor") -> ArrayType: ...

class PyRaptorModule:
    name: str
    functions: list[Jitted[..., Any]]
    def __init__(self, name: str, **options: Any) -> None: ...
    @overload
    def compile(self, function: Callable[_P, _R]) -> Jitted[_P, _R]: ...
    @overload
    def compile(self, function: None = None) -> None: ...

class Domain:
    ranges: tuple[range, ...]
    def __init__(self, *ranges: int | range) -> None: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

def PAR(domain: Domain | range | int, shared: list[Any] | None = None) -> Domain | range: ...
def prange(*args: int) -> range: ...
def gpu() -> ContextManager[None]: ...
def gpu_begin() -> None: ...
def gpu_end() -> None: ...
def supported() -> list[str]: ...
def device_use() -> dict[str, int]: ...

class on_device:
    def __init__(self, *arrays: Any) -> None: ...
    def __enter__(self) -> on_device: ...
    def look(self, array: _A, write: bool = False) -> _A: ...
    def __exit__(self, *_: object) -> None: ...

class _PipelineFailure(NamedTuple):
    stage: int
    name: str
    item: int
    exception: BaseException

class _PipelineRun:
    failure: _PipelineFailure | None
    def __iter__(self) -> _PipelineRun: ...
    def __next__(self) -> Any: ...
    def close(self) -> None: ...
    def __enter__(self) -> _PipelineRun: ...
    def __exit__(self, *_: object) -> None: ...

class Pipeline:
    source: Iterable[Any]
    stages: tuple[Callable[..., Any], ...]
    in_flight: int
    def __init__(self, source: Iterable[Any], stages: Iterable[Callable[..., Any]] = (), in_flight: int = 3) -> None: ...
    def __rshift__(self, stage: Callable[..., Any]) -> Pipeline: ...
    def __iter__(self) -> _PipelineRun: ...
    def run(self, sink: Callable[[Any], Any] | None = None) -> None: ...

def pipeline(source: Iterable[Any], in_flight: int = 3) -> Pipeline: ...

__version__: str
