// The object that a decorated function becomes: finds the version for the arguments, or asks Python for one.
#pragma once
#include "python.hpp"

namespace pyraptor {

/// Adds the type `Dispatcher` to the module. False with a Python exception.
bool add_dispatcher_type(PyObject* module);

}  // namespace pyraptor
