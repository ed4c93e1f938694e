// A Version: one function compiled for one set of argument types, callable on Python's objects.
#pragma once
#include <velociraptor/engine.hpp>

#include <vector>

#include "arrays.hpp"

namespace pyraptor {

/// A part of what a call returns, in preorder: a tuple is followed by its parts, a view by an array and numbers, of which
/// `constant` makes it: NumPy's own function, so that the caller gets the view, copy and flags that NumPy gives.
struct Part {
  enum class What : uint8_t { Constant, Tuple, View, Number, Weak, Array };
  What what = What::Constant;
  Ref constant;   ///< Constant, View
  int parts = 0;  ///< Tuple, View
  Axes axes;      ///< Array
};

struct Version {
  vr::Function function;
  std::vector<Key> keys;      ///< one an argument
  std::vector<std::pair<int, int>> apart;  ///< arrays that must not overlap in memory: ValueError
  std::vector<Part> result;
  bool quick = false;  ///< no loop, no call: keep the GIL when the arrays are small
  Ref on_error;        ///< on_error(code, message, function, loc, array, axis, index, extent) makes the exception

  bool takes(PyObject* const* args, size_t count) const;
  /// Runs the function; `count` objects whose keys are those above. New reference, null with a Python exception; null
  /// without one if the process was forked and the engine cannot be used in the child.
  PyObject* call(PyObject* const* args, size_t count) const;
};

/// Makes a fault the current exception: the one of a Python function that was called, or what `on_error` (as above)
/// makes. Null.
PyObject* set_error(PyObject* on_error, const vr::Error& error);

using VersionBox = Boxed<Version>;

/// Adds the type and the function `version(...)` to the module. False with a Python exception.
bool add_version_type(PyObject* module);

}  // namespace pyraptor
