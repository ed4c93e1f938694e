"""Settings of the whole process."""
from __future__ import annotations

from . import _native


class Config:
    """Settings, read when a version is compiled.

    threads     threads of parallel loops; 0: VR_NUM_THREADS, else the hardware's
    opt_level   0 to 3
    tiered      first calls run code without optimisation while a background thread makes the other
    disk_cache  keep machine code for later processes (VR_CACHE_DIR, else ~/.cache/velociraptor)
    device      part of an OpenCL platform or device name; "": VR_DEVICE, else the first GPU, else any
    regions     versions of functions for the shapes and numbers that calls have: 'background' makes them meanwhile, 'sync' makes
                the first call with new ones wait, 'off' makes none
    compile_budget  milliseconds of processor time that compiling a version may take before the rest is made in haste, which
                report() tells; 0: any time
    parallel_threshold  elementary operations in an array expression from which on threads share it; 1: always
    debug_info  line tables of the Python source in the code, for debuggers and perf
    fallback    what cannot be compiled runs as plain Python (jit's `fallback` says otherwise for one function)
    """

    _defaults = {"threads": 0, "opt_level": 2, "tiered": True, "disk_cache": True, "device": "", "regions": "background",
                 "debug_info": False, "compile_budget": 5000, "parallel_threshold": _native.parallel_threshold, "fallback": False}
    __slots__ = tuple(_defaults)

    def __init__(self):
        for name, value in self._defaults.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        if name not in self._defaults:
            raise AttributeError(f"there is no setting '{name}'; there is {', '.join(self._defaults)}")
        if not isinstance(value, type(self._defaults[name])):
            raise TypeError(f"config.{name} is {type(self._defaults[name]).__name__}, not {type(value).__name__}")
        if name == "compile_budget" and not 0 <= value < 2**31:
            raise ValueError(f"config.compile_budget is milliseconds, not {value}")
        if name == "parallel_threshold" and not 1 <= value < 2**63:
            raise ValueError(f"config.parallel_threshold is a number of operations from 1 on, not {value}")
        if name == "regions" and value not in ("off", "background", "sync"):
            raise ValueError(f"config.regions is 'off', 'background' or 'sync', not {value!r}")
        object.__setattr__(self, name, value)

    def __repr__(self):
        return "config(" + ", ".join(f"{name}={getattr(self, name)!r}" for name in self._defaults) + ")"

    def _engine_settings(self):
        return (self.opt_level, self.tiered, self.disk_cache, self.debug_info, self.threads, self.device, self.regions,
                self.compile_budget, self.parallel_threshold)


config = Config()
