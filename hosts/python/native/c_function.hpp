// Compiled functions as C functions (pyraptor.cfunc).
#pragma once
#include <velociraptor/engine.hpp>

#include "python.hpp"

namespace pyraptor {

/// An object whose method address() returns the C function's address. A fault becomes the exception that `on_error`
/// makes (Version::on_error), which is passed to sys.unraisablehook together with `name`. Null with a Python exception.
PyObject* make_c_function(const vr::Function& function, PyObject* on_error, PyObject* name);

/// Makes the type of these objects. False with a Python exception.
bool add_c_function_type();

}  // namespace pyraptor
