"""The thesis' module object (9.2.1): functions are registered by a decorator and compiled together."""
from __future__ import annotations

import numpy as np

from ._annotations import ArrayType
from ._jit import jit


class PyRaptorModule:
    """Functions that are compiled together.

    >>> m = PyRaptorModule('stencil')
    >>> @m.compile
    ... def f(a: PyArray(PyFloat64(), 2, 'RowMajor')): ...
    >>> m.compile()

    Functions are native code for the annotated types. `m.compile()` compiles all of them at once; one that is called before is
    compiled then.
    """

    def __init__(self, name, **options):
        self.name, self.options, self.functions = name, options, []

    def compile(self, function=None):
        """As a decorator: adds a function, all of whose parameters are annotated. Without argument: compiles all."""
        if function is not None:
            dispatcher = jit(function, **self.options)
            missing = [p for p in dispatcher._impl.signature.parameters if p not in dispatcher._impl.annotations]
            if missing:
                raise TypeError(f"{function.__name__}: there is no type annotation for {', '.join(missing)}")
            self.functions.append(dispatcher)
            return dispatcher
        for dispatcher in self.functions:
            dispatcher.compile(*(sample(t) for name, t in dispatcher._impl.annotations.items() if name != "return"))
        return None

    def __repr__(self):
        return f"PyRaptorModule({self.name!r}, {len(self.functions)} functions)"


def sample(t, any_layout=True):
    """A sample argument of the type. For an array of any layout: a strided one, or a contiguous one if `any_layout` is False."""
    if isinstance(t, tuple):
        return tuple(sample(i, any_layout) for i in t)
    if isinstance(t, ArrayType):
        if t.layout is None and any_layout:
            return np.zeros((2, ) * (t.ndim - 1) + (4, ), t.dtype)[..., ::2]
        return np.zeros((2, ) * t.ndim, t.dtype, order=t.layout or "C")
    return t.accept(t.python(0), "sample")
