// Python functions that compiled code calls (pyraptor.pycall).
#pragma once
#include <velociraptor/engine.hpp>

#include "draws.hpp"
#include "python.hpp"

namespace pyraptor {

/// Binds a callable to a name of the engine: parameters and results are given by their keys (arrays.hpp). `generator`
/// may draw the result without calling the callable. If the callable is a str, it is the name of a method of the object
/// whose address is the first argument.
vr::Status bind_python(const vr::Engine& engine, const char* name, PyObject* callable, PyObject* parameters,
                       PyObject* results, Generator generator);

/// Makes the exception with which a Python function ended a call, identified by vr::ErrorRecord::raised, the current
/// exception again. Returns false if there is none.
bool raise_again(int32_t raised);

}  // namespace pyraptor
