// Libraries with C functions, ahead of time, for pyraptor.aot.
#pragma once
#include "python.hpp"

namespace pyraptor {

/// build(texts, functions, library, header, runtime, target, linker, opt_level, flags) -> the report, a text. `texts`:
/// a list of modules of VRIR; header and runtime may be None. RuntimeError(code, text), as for engines.
PyObject* build_ahead_of_time(PyObject* self, PyObject* args);

}  // namespace pyraptor
