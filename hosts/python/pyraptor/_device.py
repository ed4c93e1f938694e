"""Arrays that stay in the OpenCL device's memory between calls."""
from __future__ import annotations

from ._errors import FORKED
from ._jit import engine_for


class on_device:
    """`with on_device(u, v) as device:` keeps these arrays in the device's memory. In the block, calls of functions with accelerated
    sections leave the newest elements on the device instead of copying them back and forth at each call.

    Inside of the block, `device.look(u)` copies u's newest elements to the ndarray; use `device.look(u, write=True)` before the
    program changes them. Python, NumPy and compiled functions without sections must not access the elements otherwise. At the end
    of the block all arrays are copied back. The arrays must be contiguous and must not overlap. On a machine without a device the
    block has no effect.
    """

    def __init__(self, *arrays):
        self._arrays, self._kept, self._engine = arrays, [], None

    def __enter__(self):
        try:
            self._engine = engine_for("opencl")
        except RuntimeError as e:
            code, text = e.args
            if code == FORKED:
                raise RuntimeError(text) from None
            return self  # no device: sections run on the CPU, on the ndarrays themselves
        try:
            for a in self._arrays:
                _call(self._engine, "keep", a)
                self._kept.append(a)
        except BaseException:
            self.__exit__()
            raise
        return self

    def look(self, array, write=False):
        """Copies the array's newest elements to the ndarray. `write`: the program is about to change them."""
        if self._engine is not None:
            _call(self._engine, "look", array, write)
        return array

    def __exit__(self, *_):
        first = None
        while self._kept:
            try:
                _call(self._engine, "drop", self._kept.pop())
            except (RuntimeError, ValueError) as e:
                first = first or e
        if first is not None:
            raise first


def _call(engine, *args):
    try:
        engine.array(*args)
    except RuntimeError as e:
        code, text = e.args
        raise ValueError(text) if code == 24 else RuntimeError(text) from None
