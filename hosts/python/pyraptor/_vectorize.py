"""vectorize and guvectorize: apply functions of numbers, or of small arrays, to whole arrays with NumPy's broadcasting."""
from __future__ import annotations

import functools
import inspect
import linecache
import re
import sys

import numpy as np

from . import _signatures
from ._annotations import ScalarType
from ._jit import jit
from ._types import Scalar, numpy_dtype

_count = 0


def _made(name, text, **names):
    """The function defined by this source text."""
    global _count
    _count += 1
    filename = f"<pyraptor vectorize {_count}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"np": np, **names}
    exec(compile(text, filename, "exec"), scope)
    return scope[name]


def _as_numpy(a):
    """An operand as NumPy's functions take it: Python numbers become NumPy scalars."""
    return a if isinstance(a, (np.ndarray, np.generic)) else np.asarray(a)[()]


def _is_named(o):
    """Whether the object can be found by its module and name, so that it can be pickled by name."""
    found = sys.modules.get(o.__module__)
    for part in o.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is o


def _again(element, signatures, options):
    return Vectorized(element.__wrapped__, signatures, options)


def _generalized_again(function, signatures, layout, options):
    return Generalized(function.__wrapped__, signatures, layout, options)


class Vectorized:
    """A function of numbers applied to arrays of any dimensions. As with NumPy's ufuncs, arguments broadcast and `out=` is accepted; functions of two
    parameters also have the methods reduce, accumulate and outer."""

    def __init__(self, function, signatures, options):
        self.function, self.signatures = function, signatures
        self.element = jit(function, **options)
        self.options = options
        self.kernels = {}
        self.count = len(inspect.signature(function).parameters)
        functools.update_wrapper(self, function)

    nin = property(lambda self: self.count)
    nout = 1

    def __reduce__(self):
        if _is_named(self):
            return self.__qualname__
        return _again, (self.element, self.signatures, self.options)

    def __repr__(self):
        return f"<pyraptor.vectorize function {self.function.__qualname__}>"

    def operands(self, args):
        """The operands converted to the types of the first signature to which NumPy would convert them without loss."""
        args = [_as_numpy(a) for a in args]
        if not self.signatures:
            return args
        for s in self.signatures:
            if all(np.can_cast(a.dtype, h.dtype, "safe") for a, h in zip(args, s.arguments)):
                return [a.astype(h.dtype) if a.dtype != h.dtype else a for a, h in zip(args, s.arguments)]
        raise TypeError(f"no signature of {self.function.__qualname__}() takes {', '.join(str(a.dtype) for a in args)}; there is "
                        f"{', '.join(map(repr, self.signatures))}")

    def result_dtype(self, dtypes):
        """The element type of the result for these operand types."""
        for s in self.signatures:
            if s.result is not None and [h.dtype for h in s.arguments] == list(dtypes):
                return s.result.dtype
        version, _, _ = self.element._impl.version_for([d.type(1) for d in dtypes])
        result = version.program.main.result if version is not None else None
        if not isinstance(result, Scalar):
            raise TypeError(f"vectorize: {self.function.__qualname__}() must return a single number, not {result!r}")
        return numpy_dtype(result)

    def __call__(self, *args, out=None):
        if len(args) == self.count + 1 and out is None:
            *args, out = args
        if len(args) != self.count:
            raise TypeError(f"{self.function.__qualname__}() takes {self.count} operands, but {len(args)} are given")
        args = self.operands(args)
        dtype = self.result_dtype([a.dtype for a in args])
        shape = np.broadcast_shapes(*(a.shape for a in args))
        if out is None and not shape:
            return dtype.type(self.element(*(a[()] for a in args)))
        result = out[0] if isinstance(out, tuple) else out
        if result is None:
            result = np.empty(shape, dtype)
        elif result.shape != shape:
            raise ValueError(f"non-broadcastable output operand with shape {result.shape} doesn't match the broadcast shape {shape}")
        target = result if result.dtype == dtype else np.empty(shape, dtype)
        if not np.can_cast(dtype, result.dtype, "same_kind"):
            raise TypeError(f"a result of {dtype} cannot be stored to an array of {result.dtype}")
        flat = all(not a.shape or a.shape == shape and a.flags.c_contiguous for a in args) and target.flags.c_contiguous
        if flat:  # one loop over the elements in memory order
            operands = [a.reshape(-1) if a.shape else a[()] for a in args]
            where = target.reshape(-1)
        else:
            operands = [np.broadcast_to(a, shape) if a.shape else a[()] for a in args]
            where = target
        if not where.ndim:
            where, operands = where.reshape(1), [np.reshape(o, 1) for o in operands]
        self.kernel(where.ndim, tuple(np.ndim(o) > 0 for o in operands))(*operands, where)
        if target is not result:
            result[...] = target
        return result

    def kernel(self, rank, are_arrays):
        """The loops over arrays of this rank. Operands that are not arrays are the same for all elements."""
        if (rank, are_arrays) not in self.kernels:
            names = [f"a{k}" for k in range(self.count)]
            at = ", ".join(f"i{d}" for d in range(rank))
            text = f"def kernel({', '.join(names)}, out):\n" + "".join(
                f"{'    ' * (d + 1)}for i{d} in {'prange' if d == 0 and self.options.get('parallel') else 'range'}(out.shape[{d}]):\n" for d in range(rank))
            given = ", ".join(f"{n}[{at}]" if array else n for n, array in zip(names, are_arrays))
            text += f"{'    ' * (rank + 1)}out[{at}] = f({given})\n"
            from .parallel import prange
            self.kernels[rank, are_arrays] = jit(_made("kernel", text, f=self.function, prange=prange), **self.options)
        return self.kernels[rank, are_arrays]

    def needs_two(self):
        if self.count != 2:
            raise ValueError(f"{self.function.__qualname__}() takes {self.count} operands: only functions of two operands have this method")

    def reduce(self, a, axis=0):
        """f(... f(f(a[0], a[1]), a[2]) ...) along an axis."""
        self.needs_two()
        a = np.moveaxis(np.asarray(a), axis, 0)
        if not a.shape[0]:
            raise ValueError(f"zero-size array to reduction operation {self.function.__name__} which has no identity")
        result = a[0]
        for row in a[1:]:
            result = self(result, row)
        return result

    def accumulate(self, a, axis=0):
        """All intermediate results of `reduce`."""
        self.needs_two()
        a = np.moveaxis(np.asarray(a), axis, 0)
        rows = list(a[:1])
        for row in a[1:]:
            rows.append(self(rows[-1], row))
        return np.moveaxis(np.array(rows), 0, axis) if rows else a

    def outer(self, a, b):
        """f applied to all pairs of elements."""
        self.needs_two()
        a, b = np.asarray(a), np.asarray(b)
        return self(a.reshape(a.shape + (1, ) * b.ndim), b)


def _options(target, options):
    if target not in ("cpu", "parallel"):
        raise ValueError(f"target={target!r} is not supported: use 'cpu' or 'parallel'")
    for name in ("nopython", "cache", "nogil", "identity", "forceobj", "writable_args"):
        options.pop(name, None)
    return {"parallel": target == "parallel", **options}


def vectorize(given=None, *, target="cpu", **options):
    """Turns a function of numbers into a function of arrays, like a NumPy ufunc: `@vectorize`, or with signatures `@vectorize([f64(f64, f64)])`.

    The result's element type is the type that the function returns for the operands' element types. With signatures, operands are converted to the
    first signature to which NumPy can convert them safely; if there is none, a TypeError is raised. `target="parallel"` runs on all threads; further
    keywords are those of jit. Compiled functions may also call it, with numbers and arrays.
    """
    chosen = _options(target, options)
    if inspect.isfunction(given) or hasattr(given, "_impl"):
        return Vectorized(getattr(given, "__wrapped__", given) if hasattr(given, "_impl") else given, [], chosen)
    signatures = _signatures.understood(given) if given else []
    for s in signatures:
        if not all(isinstance(a, ScalarType) for a in (*s.arguments, *([s.result] if s.result is not None else []))):
            raise TypeError(f"vectorize: {s!r} has types that are not numbers; use guvectorize for arrays")
    return lambda function: Vectorized(function, signatures, chosen)


class Generalized:
    """A function of numbers and small arrays, applied along the leading dimensions like NumPy's generalized ufuncs."""

    def __init__(self, function, signatures, layout, options):
        self.function, self.signatures, self.options = function, signatures, options
        self.inputs, self.outputs = _layout(layout)
        self.signature = layout
        self.kernels = {}
        count = len(inspect.signature(function).parameters)
        if count != len(self.inputs) + len(self.outputs):
            raise TypeError(f"guvectorize: {layout!r} has {len(self.inputs) + len(self.outputs)} operands, {function.__qualname__}() has {count}")
        functools.update_wrapper(self, function)

    def __reduce__(self):
        if _is_named(self):
            return self.__qualname__
        return _generalized_again, (jit(self.function, **self.options), self.signatures, self.signature, self.options)

    def __repr__(self):
        return f"<pyraptor.guvectorize function {self.function.__qualname__}>"

    def __call__(self, *args, out=None):
        count = len(self.inputs)
        given = list(args[count:]) + ([] if out is None else list(out) if isinstance(out, tuple) else [out])
        if len(args) < count or len(given) not in (0, len(self.outputs)):
            raise TypeError(f"{self.function.__qualname__}() takes {count} operands and {len(self.outputs)} results, {len(args)} are given")
        types = self.types([np.asarray(a) for a in args[:count]])
        operands = [np.asarray(a, t) for a, t in zip(args, types)]
        sizes, fronts = {}, []
        for a, names in zip(operands, self.inputs):
            if a.ndim < len(names):
                raise ValueError(f"{self.function.__qualname__}(): an operand has {a.ndim} dimensions, but needs {len(names)}")
            for name, extent in zip(names, a.shape[a.ndim - len(names):]):
                if sizes.setdefault(name, extent) != extent:
                    raise ValueError(f"{self.function.__qualname__}(): dimension {name} is {sizes[name]} in one operand and {extent} in another")
            fronts.append(a.shape[:a.ndim - len(names)])
        front = np.broadcast_shapes(*fronts)
        results = given or [np.empty(front + tuple(self.size(sizes, name) for name in names), t)
                            for names, t in zip(self.outputs, types[count:])]
        whole = [np.broadcast_to(a, front + a.shape[a.ndim - len(names):]) for a, names in zip(operands, self.inputs)]
        kernel_args = []
        for a, names in zip(whole + results, self.inputs + self.outputs):
            if not isinstance(a, np.ndarray) or a.shape[:len(front)] != front:
                raise ValueError(f"{self.function.__qualname__}(): a result has the shape {np.shape(a)}, but needs the leading dimensions {front}")
            # With at least one leading dimension there is always a loop; number results are stored in arrays of one element.
            kernel_args.append(a if front else a[np.newaxis])
        kernel_args[count:] = [r[..., np.newaxis] if not names else r for r, names in zip(kernel_args[count:], self.outputs)]
        self.kernel(max(len(front), 1))(*kernel_args)
        results = [r if r.ndim else r[()] for r in results] if not given else results
        return results[0] if len(results) == 1 else tuple(results)

    def size(self, sizes, name):
        if name not in sizes:
            raise ValueError(f"{self.function.__qualname__}(): dimension {name} occurs in no operand, so the result must be passed")
        return sizes[name]

    def types(self, operands):
        """The element types of operands and results in the first signature to which the operands can be converted safely."""
        for s in self.signatures:
            hints = [a.dtype for a in s.arguments]
            if all(np.can_cast(a.dtype, h, "safe") for a, h in zip(operands, hints)):
                return hints
        raise TypeError(f"no signature of {self.function.__qualname__}() takes {', '.join(str(a.dtype) for a in operands)}; there is "
                        f"{', '.join(map(repr, self.signatures))}")

    def kernel(self, rank):
        if rank not in self.kernels:
            names = [f"a{k}" for k in range(len(self.inputs) + len(self.outputs))]
            at = ", ".join(f"i{d}" for d in range(rank))
            text = f"def kernel({', '.join(names)}):\n" + "".join(
                f"{'    ' * (d + 1)}for i{d} in {'prange' if d == 0 and self.options.get('parallel') else 'range'}(a0.shape[{d}]):\n" for d in range(rank))
            text += f"{'    ' * (rank + 1)}f({', '.join(f'{n}[{at}]' for n in names)})\n"
            from .parallel import prange
            self.kernels[rank] = jit(_made("kernel", text, f=self.function, prange=prange), **self.options)
        return self.kernels[rank]


def _layout(text):
    """The names of the core dimensions of operands and results in a layout such as "(m,n),(n)->(m)"."""
    sides = text.replace(" ", "").split("->")
    if len(sides) != 2 or not all(re.fullmatch(r"\([\w,]*\)(,\([\w,]*\))*", s) for s in sides):
        raise ValueError(f"{text!r} is not a layout of operands: write \"(n),()->(n)\"")
    return tuple([tuple(filter(None, p.split(","))) for p in re.findall(r"\(([\w,]*)\)", s)] for s in sides)


def guvectorize(signatures, layout, *, target="cpu", **options):
    """Turns a function of numbers and small arrays, which stores its results to its last parameters, into a function of larger arrays:

        @guvectorize([(f64[:], f64, f64[:])], "(n),()->(n)")
        def plus(x, y, out):
            for i in range(len(x)):
                out[i] = x[i] + y

    The function is called for all positions in the dimensions that precede those named in `layout`; these leading dimensions broadcast. A result
    without dimensions, "()", is an array of one element in the function: out[0] = ...
    """
    types = _signatures.understood(signatures if isinstance(signatures, list) else [signatures])
    if not types:
        raise TypeError("guvectorize needs a signature")
    return lambda function: Generalized(function, types, layout, _options(target, options))
