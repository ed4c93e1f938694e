from __future__ import annotations

from typing import Any, Callable, ContextManager, Generic, Iterator, Literal, ParamSpec, TypeVar, overload

import numpy as np

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

@overload
def jit(function: Callable[_P, _R], *, gpu: bool = False, parallel: bool = True, fastmath: bool | None = None,
        boundscheck: bool = True, fallback: bool | None = None) -> Jitted[_P, _R]: ...
@overload
def jit(function: None = None, *, gpu: bool = False, parallel: bool = True, fastmath: bool | None = None,
        boundscheck: bool = True, fallback: bool | None = None) -> Callable[[Callable[_P, _R]], Jitted[_P, _R]]: ...

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

class ScalarType:
    dtype: np.dtype[Any]
    def __getitem__(self, dimensions: slice | tuple[slice, ...]) -> ArrayType: ...

b1: ScalarType
i8: ScalarType
i16: ScalarType
i32: ScalarType
u8: ScalarType
u16: ScalarType
u32: ScalarType
u64: ScalarType
i64: ScalarType
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

__version__: str
