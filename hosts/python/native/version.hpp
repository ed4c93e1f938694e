// A Version: one function compiled for one set of argument types, callable with Python objects.
#pragma once
#include <velociraptor/engine.hpp>

#include <vector>

#include "arrays.hpp"

namespace pyraptor {

/// A part of a call's result. Parts are listed in preorder: a tuple is followed by its items; a view is followed by an
/// array and numbers, to which `constant` is applied: NumPy's function that makes the view, so that the caller gets the
/// view (or copy) and flags that NumPy gives.
struct Part {
  enum class What : uint8_t { Constant, Tuple, View, Number, Weak, Array };
  What what = What::Constant;
  Ref constant;   ///< Constant, View
  int parts = 0;  ///< Tuple, View
  Axes axes;      ///< Array
};

class Residence;

struct Version {
  vr::Function function;
  std::vector<Key> keys;                   ///< one per argument
  std::vector<std::pair<int, int>> apart;  ///< pairs of arguments that must not overlap in memory: ValueError
  std::vector<Part> result;
  bool quick = false;  ///< no loop, no call: the GIL is kept if the arrays are small
  Ref on_error;        ///< on_error(code, message, function, loc, array, axis, index, extent) makes the exception

  bool takes(PyObject* const* args, size_t count) const;
  /// Runs the function. The `count` objects must have the keys above. Returns a new reference, or null with a Python
  /// exception. Null without one: the process was forked and the engine cannot be used in the child.
  /// residence: null, or arrays among the results stay on the device (resident.hpp).
  PyObject* call(PyObject* const* args, size_t count, Residence* residence = nullptr) const;
};

/// Raises the Python exception for a fault: that of a Python function that was called, or what `on_error` (see above)
/// makes. Returns null.
PyObject* set_error(PyObject* on_error, const vr::Error& error);

using VersionBox = Boxed<Version>;

/// Adds the type and the function `version(...)` to the module. False with a Python exception.
bool add_version_type(PyObject* module);

}  // namespace pyraptor
