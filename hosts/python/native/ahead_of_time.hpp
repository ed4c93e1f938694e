// Ahead-of-time compilation to libraries of C functions, for pyraptor.aot.
#pragma once
#include "python.hpp"

namespace pyraptor {

/// build(texts, functions, library, header, runtime, target, linker, opt_level, flags) -> the report, a string.
/// `texts`: a list of VRIR modules; header and runtime may be None. Raises RuntimeError(code, text), as engines do.
PyObject* build_ahead_of_time(PyObject* self, PyObject* args);

}  // namespace pyraptor
