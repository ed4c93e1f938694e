"""Settings of the process."""
from __future__ import annotations

from . import _native


class Config:
    """Settings. They are read when a version of a function is compiled.

        threads             threads of parallel loops; 0: the value of VR_NUM_THREADS, else the number of hardware threads
        opt_level           0 to 3
        tiered              first calls run unoptimised code while a background thread compiles optimised code
        disk_cache          store machine code for later processes (in VR_CACHE_DIR, else ~/.cache/velociraptor)
        device              part of an OpenCL platform or device name, 'opencl:N' or 'cuda:N'; "": the value of VR_DEVICE, else the first GPU, else any device
        devices             devices that work together on each section: such names, separated by commas, or 'all'; "": the value of VR_DEVICES
                            unless `device` is set
        regions             versions of functions for the shapes and numbers of the calls: 'background' compiles them on a background
                            thread, 'sync' makes the first call with new shapes wait for them, 'off' compiles none
        compile_budget      processor time in milliseconds for compiling one version; after that, the rest is compiled with less optimisation,
                            which report() states; 0: no limit
        parallel_threshold  number of elementary operations in an array expression from which on threads share it; 1: always
        debug_info          line tables of the Python source for debuggers and perf
        fallback            functions that cannot be compiled run as plain Python (jit's `fallback` overrides this for one function)
    """

    _defaults = {"threads": 0, "opt_level": 2, "tiered": True, "disk_cache": True, "device": "", "devices": "", "regions": "background",
                 "debug_info": False, "compile_budget": 5000, "parallel_threshold": _native.parallel_threshold, "fallback": False}
    __slots__ = tuple(_defaults)

    def __init__(self):
        for name, value in self._defaults.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        if name not in self._defaults:
            raise AttributeError(f"there is no setting '{name}'; the settings are {', '.join(self._defaults)}")
        if not isinstance(value, type(self._defaults[name])):
            raise TypeError(f"config.{name} is {type(self._defaults[name]).__name__}, not {type(value).__name__}")
        if name == "compile_budget" and not 0 <= value < 2**31:
            raise ValueError(f"config.compile_budget must be a number of milliseconds, not {value}")
        if name == "parallel_threshold" and not 1 <= value < 2**63:
            raise ValueError(f"config.parallel_threshold must be a number of operations, at least 1, not {value}")
        if name == "regions" and value not in ("off", "background", "sync"):
            raise ValueError(f"config.regions must be 'off', 'background' or 'sync', not {value!r}")
        object.__setattr__(self, name, value)

    def __repr__(self):
        return "config(" + ", ".join(f"{name}={getattr(self, name)!r}" for name in self._defaults) + ")"

    def _engine_settings(self):
        return (self.opt_level, self.tiered, self.disk_cache, self.debug_info, self.threads, self.device, self.devices, self.regions,
                self.compile_budget, self.parallel_threshold)


config = Config()
