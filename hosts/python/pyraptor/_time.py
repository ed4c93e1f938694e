"""The clocks of Python's module time, and sleep: called through the interpreter."""
from __future__ import annotations

import time

from ._numpy import function
from ._pycall import PyCall
from ._types import FLOAT, INT, NONE


def _clocks():
    results = dict.fromkeys("time perf_counter monotonic process_time thread_time".split(), FLOAT)
    results |= {f"{name}_ns": INT for name in results} | {"sleep": NONE}
    for name, result in results.items():
        f = getattr(time, name, None)
        if f is None:
            continue
        host = PyCall.__new__(PyCall)
        host.function, host.result, host.__name__ = f, result, f"time.{name}"

        def handler(t, node, *args, host=host):
            return t.call_host(host, list(args), {}, node)
        function(f)(handler)


_clocks()
