// The object that replaces a decorated function. It finds the version for the arguments of a call, or has Python
// compile one.
#pragma once
#include "python.hpp"

namespace pyraptor {

/// Adds the type `Dispatcher` to the module. False with a Python exception.
bool add_dispatcher_type(PyObject* module);

}  // namespace pyraptor
