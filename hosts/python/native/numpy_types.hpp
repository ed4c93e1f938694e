// The table that relates NumPy's type numbers and scalar classes to element codes.
#pragma once
#include <velociraptor/descriptor.h>
#include <velociraptor/ir/elements.hpp>

#include "python.hpp"

namespace pyraptor {

/// Maps NumPy types to element codes (VR_..., | VR_COMPLEX) and back, for every element type that NumPy has.
struct NumpyTypes {
  static constexpr int numbers = NPY_HALF + 1;  ///< number of NumPy's built-in types

  int8_t code[numbers];                  ///< by NumPy's type number; -1: not an element type
  int number[2 * VR_COMPLEX];            ///< by code; -1: NumPy has no such type
  PyTypeObject* scalar[2 * VR_COMPLEX];  ///< by code: the class of NumPy's scalars; null: NumPy has no such type

  /// Reads the table from NumPy, which must have been imported.
  NumpyTypes();
};

/// Filled by the first call; under the GIL.
const NumpyTypes& numpy_types();

/// Element code of a NumPy type number, or -1.
inline int elem_of(int type) {
  return static_cast<unsigned>(type) < NumpyTypes::numbers ? numpy_types().code[type] : -1;
}

/// The address of the value in one of NumPy's scalars: directly after the object's header in all classes used here.
inline char* scalar_bytes(PyObject* o) { return reinterpret_cast<char*>(o) + sizeof(PyObject); }

/// `elements` of the module: for each element type (name, code, size in bytes, NumPy's kind letter, rank in widening).
/// New reference.
PyObject* element_tuple();

}  // namespace pyraptor
