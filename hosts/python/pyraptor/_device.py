"""Arrays that stay on the OpenCL device between calls."""
from __future__ import annotations

from ._errors import FORKED
from ._jit import engine_for


class on_device:
    """`with on_device(u, v) as device:` while the block runs, calls of functions with accelerated sections leave the newest
    elements of these arrays on the device and find them there, instead of copying them each time.

    Inside, `device.look(u)` brings u's newest elements into the ndarray; `device.look(u, write=True)` does so before the
    program changes them. Nothing else may look at the elements: neither Python nor NumPy nor compiled functions without
    sections. At the end all arrays are back. Arrays must be contiguous (no strided views), and the arrays must not share
    any. Where there is no device nothing happens.
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
            return self  # no device: sections run on the CPU
        try:
            for a in self._arrays:
                _call(self._engine, "keep", a)
                self._kept.append(a)
        except BaseException:
            self.__exit__()
            raise
        return self

    def look(self, array, write=False):
        """The array's newest elements are in its memory; `write`: and the program is about to change them."""
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
