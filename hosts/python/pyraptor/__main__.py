"""python -m pyraptor info: prints versions, settings and devices, and tests that compiled code runs."""
from __future__ import annotations

import os
import platform
import sys


def info():
    import numpy as np

    from . import __version__, _native, config, jit
    from ._jit import engine_for

    print(f"pyraptor   {__version__} ({os.path.dirname(os.path.abspath(_native.__file__))})")
    print(f"python     {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores")
    print(f"numpy      {np.__version__}")
    print(f"settings   {config!r}")
    try:
        print(f"device     {engine_for('opencl').device_name() or 'none: accelerated sections run on the CPU'}")
    except RuntimeError as e:
        print(f"device     none: {e.args[-1]}")
    probe = jit(_probe)
    fine = probe(np.arange(4.0)) == 14.0
    print(f"compiling  {'works, first call' if fine else 'gives wrong results,'} {probe.report()[0]['first_call_ms']:.0f} ms")
    print("environment")
    print("".join(f"  {line}\n" for line in _native.settings().splitlines()), end="")
    return 0 if fine else 1


def _probe(x):
    return (x * x).sum()


def main(args):
    if args == ["info"]:
        return info()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
